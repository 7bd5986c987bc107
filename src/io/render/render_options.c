/* What a picture is asked for, which problem files say too: needs nothing that draws. */
#include <limber/io.h>

#include <string.h>
#include <strings.h>

void lb_render_options_defaults(lb_render_options *options) {
    if (!options) {
        return;
    }
    lb_render_options defaults = {.width = 800,
                                  .height = 600,
                                  .view_count = 1,
                                  .views = {LB_VIEW_THREE_QUARTER},
                                  .zoom = 1,
                                  .perspective = 1,
                                  .show_shapes = 1,
                                  .show_joints = 1,
                                  .show_ground = 1};
    *options = defaults;
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
