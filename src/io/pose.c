/* A figure in a pose, into the file that it was read from or into one of another format: lb_figure_save_pose. */
#include "io/pose.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* A pose for the figure that the text itself describes. The figure that was posed may have more: a body, a base that
 * drives, a root that is free; or joints in other axes. */
typedef struct transfer {
    const lbio_source *source;
    const lb_save_options *options;
    const lb_figure *figure; /* that is in the pose */
    lb_figure *own;
    lb_kinematics *posed, *copied; /* of the two */
    double *pose;                  /* of `own` */
    lb_frame at;                   /* where its root is in the pose */
} transfer;

#define FAR_M 1e-6 /* by which segments may be elsewhere, and */
#define FAR_RAD 1e-6

static void tell(const transfer *t, const char *message) {
    lb_error warning = {0};
    if (t->options->warn) {
        lbio_error(&warning, LB_OK, t->source->name, 0, "%s", message);
        t->options->warn(t->options->warn_context, &warning);
    }
}

static lb_status begin(transfer *t, const double *pose) {
    lb_load_options plain;
    lb_load_options_defaults(&plain);
    plain.format = t->source->options->format;
    plain.max_bytes = t->source->size + 1;
    lb_status status =
        lb_figure_load_memory(t->source->text, t->source->size, t->source->name, &plain, &t->own, t->source->error);
    if (status != LB_OK) {
        return status;
    }
    t->posed = lb_kinematics_create(t->figure, NULL);
    t->copied = lb_kinematics_create(t->own, NULL);
    t->pose = malloc(((size_t)lb_figure_variable_count(t->own) + 1) * sizeof *t->pose);
    if (!t->posed || !t->copied || !t->pose) {
        return lbio_fail(t->source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    lb_figure_rest_pose(t->own, t->pose);
    status = lb_kinematics_update(t->posed, pose);
    return status ? lbio_fail(t->source, status, 0, "the pose is not one of the figure's: %s", lb_status_text(status))
                  : LB_OK;
}

/* The values of variables that both have, by their names. */
static void copy_values(transfer *t, const double *pose) {
    for (int v = 0; v < lb_figure_variable_count(t->own); v++) {
        const lb_variable *variable = lb_figure_variable(t->own, v);
        const int from = lb_figure_find_variable(t->figure, variable->name);
        if (from >= 0 && (variable->ref.joint >= 0 || variable->ref.parameter >= 0)) {
            t->pose[v] = pose[from];
        }
    }
}

/* The six values of a free root that put its site where it is in the pose. */
static void place_root(transfer *t) {
    const lb_root *root = lb_figure_root(t->own);
    const int segment = lb_figure_find_segment(t->figure, lb_figure_segment(t->own, root->segment)->name);
    lb_frame frame;
    t->at = root->placement;
    if (segment < 0 || !root->is_free || lb_kinematics_segment(t->posed, segment, &frame) != LB_OK) {
        return;
    }
    if (root->site >= 0) {
        lb_frame_multiply(&frame, &lb_figure_site(t->own, root->site)->frame, &frame);
    }
    t->at = frame;
    for (int v = 0; v < lb_figure_variable_count(t->own); v++) {
        const lb_variable *variable = lb_figure_variable(t->own, v);
        if (variable->ref.joint < 0 && variable->ref.parameter < 0) {
            t->pose[v] = variable->ref.dof < 3
                             ? frame.position[variable->ref.dof] - root->placement.position[variable->ref.dof]
                             : 0; /* the turn is not looked at below */
        }
    }
}

/* Whether a segment is elsewhere, seen from the root of the file's own figure. */
static int is_elsewhere(const transfer *t, int segment, const lb_frame *from_posed, const lb_frame *from_copied) {
    const char *name = lb_figure_segment(t->own, segment)->name;
    const int other = lb_figure_find_segment(t->figure, name);
    lb_frame a, b;
    double square = 0, dot = 0;
    if (other < 0 || lb_kinematics_segment(t->posed, other, &a) || lb_kinematics_segment(t->copied, segment, &b)) {
        return 0;
    }
    lb_frame_multiply(from_posed, &a, &a);
    lb_frame_multiply(from_copied, &b, &b);
    for (int i = 0; i < 3; i++) {
        square += (a.position[i] - b.position[i]) * (a.position[i] - b.position[i]);
    }
    for (int i = 0; i < 4; i++) {
        dot += a.rotation[i] * b.rotation[i];
    }
    return sqrt(square) > FAR_M || 2 * acos(fmin(fabs(dot), 1)) > FAR_RAD;
}

/* Compares where segments are, and says what the file cannot hold. */
static lb_status check(transfer *t, int holds_root) {
    const lb_root *root = lb_figure_root(t->own);
    const int segment = lb_figure_find_segment(t->figure, lb_figure_segment(t->own, root->segment)->name);
    lb_frame posed, copied, from_posed, from_copied;
    if (lb_kinematics_update(t->copied, t->pose) || segment < 0 || lb_kinematics_segment(t->posed, segment, &posed) ||
        lb_kinematics_segment(t->copied, root->segment, &copied)) {
        return lbio_fail(t->source, LB_ERROR_NAME, 0,
                         "its root is no segment of the figure; was the figure read from another file?");
    }
    lb_frame_invert(&posed, &from_posed);
    lb_frame_invert(&copied, &from_copied);
    int elsewhere = 0, first = -1;
    for (int s = 0; s < lb_figure_segment_count(t->own); s++) {
        const int is = is_elsewhere(t, s, &from_posed, &from_copied);
        first = is && first < 0 ? s : first;
        elsewhere += is;
    }
    if (elsewhere) {
        char text[400];
        lbio_text message = {0};
        lbio_text_format(&message,
                         "%d of %d segments (first `%.80s`) are not where the pose has them: the file's own joints "
                         "cannot say it; write .glb, .bvh or .json for all of it",
                         elsewhere, lb_figure_segment_count(t->own), lb_figure_segment(t->own, first)->name);
        strncpy(text, message.data ? message.data : "", sizeof text - 1);
        text[sizeof text - 1] = 0;
        lbio_text_free(&message);
        tell(t, text);
    }
    lb_kinematics *rest = holds_root && root->is_free ? NULL : lb_kinematics_create(t->own, NULL);
    lb_frame still;
    if (rest && lb_kinematics_segment(rest, root->segment, &still) == LB_OK) {
        double far = 0;
        for (int i = 0; i < 3; i++) {
            far = fmax(far, fabs(still.position[i] - posed.position[i]));
        }
        for (int i = 0; i < 4; i++) {
            far = fmax(far, fabs(fabs(still.rotation[i]) - fabs(posed.rotation[i])));
        }
        if (far > FAR_M) {
            tell(t, "where its root is cannot be written into this file, and is left out");
        }
    }
    lb_kinematics_destroy(rest);
    return LB_OK;
}

/* The text with the pose in it; the format is that of source->options. */
static lb_status put_pose(const lbio_source *source, const lb_figure *figure, const double *pose,
                          const lb_save_options *options, lbio_text *out) {
    transfer t = {.source = source, .options = options, .figure = figure};
    const int is_fig = source->options->format == LB_FORMAT_FIG;
    lb_status status = begin(&t, pose);
    if (status == LB_OK) {
        copy_values(&t, pose);
        place_root(&t);
        status = check(&t, is_fig);
    }
    if (status == LB_OK) {
        status = is_fig ? lbio_fig_put_pose(source, t.own, t.pose, lb_figure_root(t.own)->is_free ? &t.at : NULL, out)
                        : lbio_urdf_put_pose(source, t.own, t.pose, out);
    }
    if (status == LB_OK && out->failed) {
        status = lbio_fail(source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    lb_kinematics_destroy(t.posed);
    lb_kinematics_destroy(t.copied);
    lb_figure_destroy(t.own);
    free(t.pose);
    return status;
}

/* The text that the pose goes into: the file that the figure was read from, where that has the format; else what is
 * written of the figure. *data is freed with lb_text_free. */
static lb_status read_text(const char *source, lb_format from, const lb_figure *figure, const lb_save_options *options,
                           char **data, size_t *size, lb_error *error) {
    if (from == options->format) {
        return lbio_read_file(source, (size_t)1 << 30, data, size, error);
    }
    return lb_figure_save_memory(figure, options, data, size, error);
}

static lb_status save_text(const char *source, lb_format from, const lb_figure *figure, const double *pose,
                           const char *path, const lb_save_options *options, lb_error *error) {
    char *data = NULL;
    size_t size = 0;
    lbio_text out = {0};
    lb_load_options load;
    lb_load_options_defaults(&load);
    load.format = options->format;
    lb_status status = read_text(source, from, figure, options, &data, &size, error);
    if (status == LB_OK) {
        const lbio_source text = {from == options->format ? source : path, data, size, &load, error};
        status = put_pose(&text, figure, pose, options, &out);
    }
    status = status ? status : lbio_write_file(path, out.data, out.size, error);
    lbio_text_free(&out);
    lb_text_free(data);
    return status;
}

lb_status lb_figure_save_pose(const char *source, const lb_figure *figure, const double *pose, const char *path,
                              const lb_save_options *given, lb_error *error) {
    lb_error unseen;
    lb_save_options options;
    error = error ? error : &unseen;
    if (!source || !figure || !pose || !path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, source, 0, "a source, a figure, a pose and a path are needed");
    }
    if (!lbio_are_finite(pose, lb_figure_variable_count(figure))) {
        return lbio_error(error, LB_ERROR_ARGUMENT, source, 0, "the pose has a number that is not finite");
    }
    lb_status status = lbio_take_save_options(given, &options, path, error);
    if (status != LB_OK) {
        return status;
    }
    const lb_format from = lbio_format_of_file(source);
    options.format = options.format ? options.format : lb_format_from_path(path);
    options.pose = pose;
    if (options.format == LB_FORMAT_GLTF && from == LB_FORMAT_GLTF) {
        return lb_gltf_save_pose(source, figure, pose, path, &options, error);
    }
    if (options.format == LB_FORMAT_GLTF && (lbio_ends_in(path, ".vrm") || lbio_ends_in(path, ".vrma"))) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, path, 0,
                          "a VRM is written as a copy of one alone; end the name in .glb");
    }
    if (options.format == LB_FORMAT_FIG || options.format == LB_FORMAT_URDF) {
        return save_text(source, from, figure, pose, path, &options, error);
    }
    return lb_figure_save(figure, path, &options, error);
}
