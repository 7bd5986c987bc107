/* What a picture is asked for, which problem files say too: needs nothing that draws. */
#include <string.h>
#include <strings.h>

#include "figure/sized.h"
#include "io/text.h"

static const lbf_sized render_kind = LBF_SIZED(lb_render_options, format);

void lb_render_options_defaults_sized(lb_render_options *options, size_t struct_size) {
    static const lb_render_options defaults = {.width = 800,
                                               .height = 600,
                                               .view_count = 1,
                                               .views = {LB_VIEW_THREE_QUARTER},
                                               .zoom = 1,
                                               .perspective = 1,
                                               .show_shapes = 1,
                                               .show_joints = 1,
                                               .show_ground = 1};
    lbf_default_sized(&render_kind, &defaults, options, struct_size);
}

lb_status lbio_take_render_options(const lb_render_options *given, lb_render_options *options, const char *name,
                                   lb_error *error) {
    lb_error reason;
    lb_render_options_defaults(options);
    lb_status status = lbf_take_sized(&render_kind, given, options, &reason);
    return status ? lbio_error(error, status, name, 0, "%s", reason.message) : LB_OK;
}

lb_status lbio_give_render_options(const lb_render_options *made, lb_render_options *given) {
    lb_status status = lbf_check_sized(&render_kind, given, NULL);
    if (!status) {
        lbf_give_sized(&render_kind, made, given);
    }
    return status;
}

lb_picture_format lb_picture_format_from_path(const char *path) {
    if (!path) {
        return (lb_picture_format)0;
    }
    const char *dot = path ? strrchr(path, '.') : NULL;
    if (path && strcmp(path, "-") == 0) {
        return LB_PICTURE_FORMAT_PNG;
    }
    return !dot                           ? LB_PICTURE_FORMAT_BY_NAME
           : strcasecmp(dot, ".png") == 0 ? LB_PICTURE_FORMAT_PNG
           : strcasecmp(dot, ".svg") == 0 ? LB_PICTURE_FORMAT_SVG
           : strcasecmp(dot, ".pdf") == 0 ? LB_PICTURE_FORMAT_PDF
                                          : LB_PICTURE_FORMAT_BY_NAME;
}
