/* Figures to files: which writer, and what is the same for all of them. */
#include "io/clip_table.h"
#include "io/text.h"

#include <stdlib.h>
#include <string.h>

#include "figure/sized.h"

static const lbf_sized save_kind = LBF_SIZED(lb_save_options, warn_context);

void lb_save_options_defaults_sized(lb_save_options *options, size_t struct_size) {
    static const lb_save_options defaults = {.format = LB_FORMAT_UNKNOWN, .bvh_unit = 0.01};
    lbf_default_sized(&save_kind, &defaults, options, struct_size);
}

lb_status lbio_take_save_options(const lb_save_options *given, lb_save_options *options, const char *name,
                                 lb_error *error) {
    lb_error reason;
    lb_save_options_defaults(options);
    lb_status status = lbf_take_sized(&save_kind, given, options, &reason);
    return status ? lbio_error(error, status, name, 0, "%s", reason.message) : LB_OK;
}

void lb_text_free(char *text) { free(text); }

static lb_status write_table(const lb_clip *clip, const char *name, lbio_text *text, lb_error *error) {
    for (int f = 0; f < lb_clip_frame_count(clip); f++) {
        if (!lbio_are_finite(lb_clip_const_pose(clip, f), lb_figure_variable_count(lb_clip_figure(clip)))) {
            return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "frame %d has a number that is not finite", f + 1);
        }
    }
    lbio_clip_table(clip, text);
    return LB_OK;
}

/* clip NULL: the figure alone. */
static lb_status write_with(const lb_figure *figure, const lb_clip *clip, const lb_save_options *options,
                            const char *name, lbio_text *text, lb_error *error) {
    if (clip && options->format == LB_FORMAT_UNKNOWN && lbio_ends_in(name, ".csv")) {
        return write_table(clip, name, text, error);
    }
    if (clip && options->format != LB_FORMAT_BVH && options->format != LB_FORMAT_GLTF) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, name, 0,
                          "motion is written to BVH, GLB or CSV: end the name in .bvh, .glb or .csv");
    }
    switch (options->format) {
    case LB_FORMAT_FIG:
        return lbio_write_fig(figure, options, text, error);
    case LB_FORMAT_URDF:
        return lbio_write_urdf(figure, options, text, error);
    case LB_FORMAT_BVH:
        return lbio_write_bvh(figure, clip, options, text, error);
    case LB_FORMAT_GLTF:
        return lbio_write_gltf(figure, clip, options,
                               lbio_ends_in(name, ".gltf") /* JSON; all others are for the binary form */, text, error);
    case LB_FORMAT_MJCF:
        return lbio_error(error, LB_ERROR_UNSUPPORTED, name, 0, "MJCF is read only; write .fig, .urdf, .bvh or .glb");
    default:
        return lbio_error(error, LB_ERROR_UNSUPPORTED, name, 0,
                          "the name does not tell the format; end it in .fig, .urdf, .bvh or .glb");
    }
}

/* The whole file as text; on failure text is empty. */
static lb_status write_text(const lb_figure *figure, const lb_clip *clip, const lb_save_options *options,
                            const char *name, lbio_text *text, lb_error *error) {
    memset(error, 0, sizeof *error);
    if (!figure) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "no figure was given");
    }
    if (!(options->bvh_unit > 0 && options->bvh_unit < 1e6)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "the length unit of BVH files must be above 0 metres");
    }
    if (options->pose && !clip && !lbio_are_finite(options->pose, lb_figure_variable_count(figure))) {
        return lbio_error(error, LB_ERROR_ARGUMENT, name, 0, "the pose to write has a number that is not finite");
    }
    lb_status status = write_with(figure, clip, options, name, text, error);
    if (status == LB_OK && text->failed) {
        status = lbio_error(error, LB_ERROR_MEMORY, name, 0, "out of memory");
    }
    if (status != LB_OK) {
        lbio_text_free(text);
        if (error->file[0] == 0) {
            lb_error reason = *error;
            lbio_error(error, status, name, reason.line, "%s", reason.message);
        }
    }
    return status;
}

static lb_status save(const lb_figure *figure, const lb_clip *clip, const char *path, const lb_save_options *options,
                      lb_error *error) {
    lb_error unseen;
    lb_save_options chosen;
    error = error ? error : &unseen;
    if (!path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, "", 0, "no path was given");
    }
    lb_status status = lbio_take_save_options(options, &chosen, path, error);
    if (status) {
        return status;
    }
    int is_stdout = strcmp(path, "-") == 0;
    if (chosen.format == LB_FORMAT_UNKNOWN) {
        chosen.format = is_stdout ? LB_FORMAT_FIG : lb_format_from_path(path);
    }
    lbio_text text = {0};
    status = write_text(figure, clip, &chosen, is_stdout ? "<stdout>" : path, &text, error);
    if (status == LB_OK) {
        status = lbio_write_file(path, text.data ? text.data : "", text.size, error);
    }
    lbio_text_free(&text);
    return status;
}

lb_status lb_figure_save(const lb_figure *figure, const char *path, const lb_save_options *options, lb_error *error) {
    return save(figure, NULL, path, options, error);
}

lb_status lb_clip_save(const lb_clip *clip, const char *path, const lb_save_options *options, lb_error *error) {
    lb_error unseen;
    if (!clip) {
        return lbio_error(error ? error : &unseen, LB_ERROR_ARGUMENT, path, 0, "no clip was given");
    }
    return save(lb_clip_figure(clip), clip, path, options, error);
}

lb_status lb_figure_save_memory(const lb_figure *figure, const lb_save_options *options, char **text, size_t *size,
                                lb_error *error) {
    lb_error unseen;
    lb_save_options chosen;
    error = error ? error : &unseen;
    if (!text) {
        return lbio_error(error, LB_ERROR_ARGUMENT, "", 0, "no place for the text was given");
    }
    *text = NULL;
    lb_status status = lbio_take_save_options(options, &chosen, "<memory>", error);
    if (status) {
        return status;
    }
    if (chosen.format == LB_FORMAT_UNKNOWN) {
        chosen.format = LB_FORMAT_FIG;
    }
    lbio_text written = {0};
    status = write_text(figure, NULL, &chosen, "<memory>", &written, error);
    if (status != LB_OK) {
        return status;
    }
    lbio_text_add(&written, ""); /* even an empty text is one */
    if (written.failed) {
        lbio_text_free(&written);
        return lbio_error(error, LB_ERROR_MEMORY, "<memory>", 0, "out of memory");
    }
    *text = written.data;
    if (size) {
        *size = written.size;
    }
    return LB_OK;
}
