/* Animations of a glTF file: which nodes they move, and one of them as a clip of the figure. */
#include "io/gltf/gltf.h"
#include "math/trig.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAX_FRAMES 100000
#define LEAST_FRAME_TIME (1.0 / 240) /* of the file's own choosing */

typedef enum path_kind { PATH_OTHER, PATH_TRANSLATION, PATH_ROTATION, PATH_SCALE } path_kind;
typedef enum interpolation { STEP, LINEAR, CUBICSPLINE } interpolation;

typedef struct channel {
    int node;
    path_kind path;
    interpolation interpolation;
    int input, output; /* accessors */
    int width, count;
    double *times, *values;
} channel;

/* ---------------------------------------------------------------------------------------------------
 * Channels
 * ------------------------------------------------------------------------------------------------- */

static path_kind path_of(const char *path) {
    return !path                              ? PATH_OTHER
           : strcmp(path, "translation") == 0 ? PATH_TRANSLATION
           : strcmp(path, "rotation") == 0    ? PATH_ROTATION
           : strcmp(path, "scale") == 0       ? PATH_SCALE
                                              : PATH_OTHER;
}

static lb_status read_sampler(lbio_gltf *gltf, const json_t *sampler, channel *c) {
    static const char *const names[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    lbio_reader *r = &gltf->reader;
    int accessors = (int)json_array_size(json_object_get(gltf->json, "accessors")), chosen = LINEAR;
    lb_status status = json_is_object(sampler) ? LB_OK : lbio_reader_fail(r, LB_ERROR_SYNTAX, "an object was expected");
    status = status ? status : lbio_gltf_index(gltf, sampler, "input", accessors, &c->input);
    status = status ? status : lbio_gltf_index(gltf, sampler, "output", accessors, &c->output);
    status = status ? status : lbio_get_choice(r, sampler, "interpolation", names, 3, &chosen);
    if (status == LB_OK && (c->input < 0 || c->output < 0)) {
        status = lbio_reader_fail(r, LB_ERROR_SYNTAX, "a sampler needs `input` and `output`");
    }
    c->interpolation = (interpolation)chosen;
    return status;
}

/* The values of a channel and, if wanted, the times. */
static lb_status read_values(lbio_gltf *gltf, channel *c, int has_times) {
    int outputs = 0, keys = 0;
    c->width = c->path == PATH_ROTATION ? 4 : 3;
    lb_status status = lbio_gltf_accessor(gltf, c->output, c->width, &c->values, &outputs);
    c->count = c->interpolation == CUBICSPLINE ? outputs / 3 : outputs;
    if (status != LB_OK || !has_times) {
        return status;
    }
    status = lbio_gltf_accessor(gltf, c->input, 1, &c->times, &keys);
    if (status == LB_OK && (keys < 1 || keys * (c->interpolation == CUBICSPLINE ? 3.0 : 1.0) != outputs)) {
        return lbio_reader_fail(&gltf->reader, LB_ERROR_SYNTAX, "%d times but %d values", keys, outputs);
    }
    for (int i = 0; i < keys && status == LB_OK; i++) {
        if (!(c->times[i] >= 0 && c->times[i] < 1e9) || (i > 0 && c->times[i] <= c->times[i - 1])) {
            status = lbio_reader_fail(&gltf->reader, LB_ERROR_SYNTAX, "times must increase from 0 on; number %d is %g",
                                      i, c->times[i]);
        }
    }
    return status;
}

/* Channel number k of an animation; *has is 0 for what moves no node. The reader is inside the channel then. */
static lb_status read_channel(lbio_gltf *gltf, const json_t *animation, size_t k, channel *c, int *has) {
    lbio_reader *r = &gltf->reader;
    const json_t *samplers = json_object_get(animation, "samplers");
    const json_t *json = json_array_get(json_object_get(animation, "channels"), k);
    const json_t *target = json_object_get(json, "target");
    const char *path = NULL;
    int sampler = -1;
    memset(c, 0, sizeof *c);
    *has = 0;
    lbio_enter(r, "channels");
    lbio_enter_index(r, (int)k);
    if (!json_is_object(target)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a channel needs a `target`");
    }
    lb_status status = lbio_gltf_index(gltf, json, "sampler", (int)json_array_size(samplers), &sampler);
    lbio_enter(r, "target");
    status = status ? status : lbio_gltf_index(gltf, target, "node", gltf->node_count, &c->node);
    status = status ? status : lbio_get_string(r, target, "path", &path);
    if (status != LB_OK) {
        return status;
    }
    lbio_leave(r);
    c->path = path_of(path);
    if (c->node < 0 || c->path == PATH_OTHER) {
        return LB_OK;
    }
    if (sampler < 0) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a channel needs a `sampler`");
    }
    *has = 1;
    r->depth -= 2;
    lbio_enter(r, "samplers");
    lbio_enter_index(r, sampler);
    return read_sampler(gltf, json_array_get(samplers, (size_t)sampler), c);
}

/* ---------------------------------------------------------------------------------------------------
 * What moves
 * ------------------------------------------------------------------------------------------------- */

/* Whether a value is not where the node is at rest: by more than a millionth of the size, or of a turn. */
static int differs(const lbio_gltf *gltf, const channel *c, const double *value) {
    const lbio_gltf_node *node = &gltf->nodes[c->node];
    if (c->path == PATH_ROTATION) {
        double dot = 0, norm = 0;
        for (int i = 0; i < 4; i++) {
            dot += value[i] * node->rotation[i];
            norm += value[i] * value[i];
        }
        return fabs(dot) < sqrt(norm) * (1 - 1e-11);
    }
    if (c->path == PATH_SCALE) {
        for (int i = 0; i < 3; i++) {
            if (fabs(value[i] - node->scale[i]) > 1e-4 * fabs(node->scale[i])) {
                return 1;
            }
        }
        return 0;
    }
    const double *shape = node->parent < 0 ? NULL : gltf->rest[node->parent].shape;
    double shift = 0;
    for (int i = 0; i < 3; i++) {
        double d[3], along;
        for (int k = 0; k < 3; k++) {
            d[k] = value[k] - node->translation[k];
        }
        along = shape ? shape[3 * i] * d[0] + shape[3 * i + 1] * d[1] + shape[3 * i + 2] * d[2] : d[i];
        shift = fmax(shift, fabs(along));
    }
    return shift > 1e-6 * gltf->size || (gltf->size == 0 && shift > 0);
}

static int moves(const lbio_gltf *gltf, const channel *c) {
    int is_cubic = c->interpolation == CUBICSPLINE;
    for (int i = 0; i < c->count; i++) {
        if (differs(gltf, c, c->values + (size_t)(is_cubic ? 3 * i + 1 : i) * (size_t)c->width)) {
            return 1;
        }
    }
    return 0;
}

static lb_status mark_channels(lbio_gltf *gltf, const json_t *animation, int *scaled) {
    lbio_reader *r = &gltf->reader;
    const json_t *channels = json_object_get(animation, "channels");
    lb_status status = LB_OK;
    int depth = r->depth;
    for (size_t k = 0; k < json_array_size(channels) && status == LB_OK; k++) {
        channel c;
        int has = 0;
        status = read_channel(gltf, animation, k, &c, &has);
        status = status || !has ? status : read_values(gltf, &c, 0);
        if (status == LB_OK && has && moves(gltf, &c)) {
            gltf->nodes[c.node].turns |= c.path == PATH_ROTATION;
            gltf->nodes[c.node].shifts |= c.path == PATH_TRANSLATION;
            *scaled = c.path == PATH_SCALE ? c.node : *scaled;
        }
        r->depth = status == LB_OK ? depth : r->depth;
    }
    return status;
}

lb_status lbio_gltf_mark_animated(lbio_gltf *gltf) {
    lbio_reader *r = &gltf->reader;
    json_t *animations = NULL;
    int scaled = -1;
    lb_status status = lbio_gltf_list(gltf, "animations", &animations);
    for (size_t i = 0; i < json_array_size(animations) && status == LB_OK; i++) {
        lbio_enter(r, "animations");
        lbio_enter_index(r, (int)i);
        status = mark_channels(gltf, json_array_get(animations, i), &scaled);
        r->depth = status == LB_OK ? 0 : r->depth;
    }
    if (status == LB_OK && scaled >= 0) {
        lbio_warn(gltf->source, 0,
                  "%s: an animation changes its scale, which a figure cannot; the scale at rest is kept",
                  gltf->nodes[scaled].name);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * Sampling
 * ------------------------------------------------------------------------------------------------- */

static void normalise(double q[4]) {
    double norm = 0;
    for (int i = 0; i < 4; i++) {
        norm += q[i] * q[i];
    }
    for (int i = 0; i < 4; i++) {
        q[i] = norm > 1e-20 ? q[i] / sqrt(norm) : i == 3;
    }
}

static void slerp(const double a[4], const double b[4], double t, double out[4]) {
    double dot = a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3], sign = dot < 0 ? -1 : 1;
    double angle = lbm_acos(fmin(fabs(dot), 1)), sine = lbm_sin(angle);
    double wa = sine > 1e-6 ? lbm_sin((1 - t) * angle) / sine : 1 - t, wb = sine > 1e-6 ? lbm_sin(t * angle) / sine : t;
    for (int i = 0; i < 4; i++) {
        out[i] = wa * a[i] + sign * wb * b[i];
    }
}

/* The value at a time, as the specification's appendix C has it. */
static void sample(const channel *c, double time, double *out) {
    int low = 0, high = c->count - 1, is_cubic = c->interpolation == CUBICSPLINE;
    size_t width = (size_t)c->width, step = is_cubic ? 3 * width : width;
    const double *values = c->values + (is_cubic ? width : 0);
    while (high - low > 1) {
        int middle = (low + high) / 2;
        *(c->times[middle] <= time ? &low : &high) = middle;
    }
    high = low + 1 < c->count ? low + 1 : low;
    double span = c->times[high] - c->times[low];
    double t = span > 0 ? fmax(0, fmin(1, (time - c->times[low]) / span)) : 0;
    const double *a = values + (size_t)low * step, *b = values + (size_t)high * step;
    if (c->interpolation == STEP) {
        memcpy(out, t < 1 ? a : b, width * sizeof *out);
    } else if (is_cubic) {
        const double *leave = a + width, *arrive = b - width;
        double t2 = t * t, t3 = t2 * t;
        for (size_t i = 0; i < width; i++) {
            out[i] = (2 * t3 - 3 * t2 + 1) * a[i] + span * (t3 - 2 * t2 + t) * leave[i] + (3 * t2 - 2 * t3) * b[i] +
                     span * (t3 - t2) * arrive[i];
        }
    } else if (c->path == PATH_ROTATION) {
        double from[4], to[4];
        memcpy(from, a, sizeof from);
        memcpy(to, b, sizeof to);
        normalise(from);
        normalise(to);
        slerp(from, to, t, out);
    } else {
        for (size_t i = 0; i < width; i++) {
            out[i] = a[i] + t * (b[i] - a[i]);
        }
    }
    if (c->path == PATH_ROTATION) {
        normalise(out);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * The clip
 * ------------------------------------------------------------------------------------------------- */

typedef struct animation {
    channel *channels;
    int count;
    double start, end, spacing;
} animation;

static lb_status find_animation(lbio_gltf *gltf, const json_t *list, int *found) {
    const char *wanted = gltf->source->options->animation;
    int count = (int)json_array_size(list);
    *found = 0;
    if (count == 0) {
        return lbio_fail(gltf->source, LB_ERROR_NAME, 0, "there is no animation in this file");
    }
    if (!wanted || !*wanted) {
        *found = count > 1 && lbio_gltf_is_still(list, 0); /* a pose that was written is not what moves */
        return LB_OK;
    }
    const char **names = lbio_gltf_new(gltf, (size_t)count + 1, sizeof *names);
    if (!names) {
        return lbio_gltf_no_memory(gltf);
    }
    for (int i = 0; i < count; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, (size_t)i), "name"));
        names[i] = name ? name : "";
        if (strcmp(names[i], wanted) == 0) {
            *found = i;
            return LB_OK;
        }
    }
    char *end;
    long number = strtol(wanted, &end, 10);
    if (!*end && number >= 0 && number < count) {
        *found = (int)number;
        return LB_OK;
    }
    const char *near_name = lbio_nearest(wanted, names, count);
    return lbio_fail(gltf->source, LB_ERROR_NAME, 0, "there is no animation `%.60s`; %s%.60s%s (there are %d)", wanted,
                     near_name ? "did you mean `" : "the first is `", near_name ? near_name : names[0],
                     near_name ? "`?" : "`", count);
}

static lb_status read_animation(lbio_gltf *gltf, const json_t *json, int number, animation *out) {
    lbio_reader *r = &gltf->reader;
    size_t count = json_array_size(json_object_get(json, "channels"));
    lb_status status = LB_OK;
    memset(out, 0, sizeof *out);
    out->start = 1e300;
    out->spacing = 1e300;
    out->channels = lbio_gltf_new(gltf, count + 1, sizeof *out->channels);
    if (!out->channels) {
        return lbio_gltf_no_memory(gltf);
    }
    for (size_t k = 0; k < count && status == LB_OK; k++) {
        channel *c = &out->channels[out->count];
        int has = 0;
        r->depth = 0;
        lbio_enter(r, "animations");
        lbio_enter_index(r, number);
        status = read_channel(gltf, json, k, c, &has);
        has = has && c->path != PATH_SCALE;
        status = status || !has ? status : read_values(gltf, c, 1);
        if (status != LB_OK || !has) {
            continue;
        }
        out->count++;
        out->start = fmin(out->start, c->times[0]);
        out->end = fmax(out->end, c->times[c->count - 1]);
        for (int i = 1; i < c->count; i++) {
            out->spacing = fmin(out->spacing, c->times[i] - c->times[i - 1]);
        }
    }
    if (status == LB_OK && out->count == 0) {
        return lbio_fail(gltf->source, LB_ERROR_FIGURE, 0, "animation %d moves no node", number);
    }
    r->depth = status == LB_OK ? 0 : r->depth;
    return status;
}

/* How many frames, and how far apart: those asked for, or the densest of the file's keys. */
static lb_status choose_frames(lbio_gltf *gltf, const animation *a, double *frame_time, int *count) {
    double asked = gltf->source->options->frame_time, length = a->end - a->start;
    *frame_time = asked > 0 ? asked : fmax(fmin(a->spacing, 1), LEAST_FRAME_TIME);
    double steps = length / *frame_time;
    if (!(steps < MAX_FRAMES)) {
        return lbio_fail(gltf->source, LB_ERROR_TOO_LARGE, 0, "the animation of %g s would have more than %d frames",
                         length, MAX_FRAMES);
    }
    if (!(asked > 0) && length > 0) { /* keys that are even but for rounding: the last one is met */
        double even = fmax(1, floor(steps + 0.5));
        *frame_time = length / (fabs(steps - even) < 0.01 * even ? even : ceil(steps));
        steps = length / *frame_time;
    }
    *count = (int)floor(steps + 1e-6) + 1;
    return LB_OK;
}

/* Of the values that mean the same turn, those nearest to the frame before. */
static void unwind(const lb_joint *joint, const double *before, double *values) {
    static const double turn = 2 * 3.14159265358979323846;
    int dof = lb_joint_type_dof_count(&joint->type) - 3;
    lb_element_kind kind =
        joint->type.element_count ? joint->type.elements[joint->type.element_count - 1].kind : LB_ELEMENT_TRANSLATE;
    double *v = values + dof;
    const double *was = before + dof;
    if (kind == LB_ELEMENT_SWING_TWIST) {
        v[2] += v[2] - was[2] > turn / 2 ? -turn : v[2] - was[2] < -turn / 2 ? turn : 0;
    } else if (kind == LB_ELEMENT_ROTATION) {
        double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]), near_sum = 0, far_sum = 0;
        double factor = length > 1e-6 ? 1 - turn / length : 1;
        for (int i = 0; i < 3; i++) {
            near_sum += (v[i] - was[i]) * (v[i] - was[i]);
            far_sum += (factor * v[i] - was[i]) * (factor * v[i] - was[i]);
        }
        for (int i = 0; i < 3 && far_sum < near_sum && fabs(factor) * length < turn - 0.1; i++) {
            v[i] *= factor;
        }
    }
}

/* The pose in which the segments are where the nodes are. */
static void set_pose(const lbio_gltf *gltf, const lb_figure *figure, const lbio_gltf_state *states,
                     const double *before, double *pose) {
    lb_frame to_world = {{0, 0, 0}, {0, 0, 0, 1}};
    lbio_gltf_to_world(gltf, to_world.rotation);
    for (int i = 0; i < gltf->node_count; i++) {
        int joint_index = gltf->nodes[i].is_segment ? lb_figure_find_joint(figure, gltf->nodes[i].name) : -1;
        if (joint_index < 0) {
            continue;
        }
        const lb_joint *joint = lb_figure_joint(figure, joint_index);
        int above = lbio_gltf_segment_above(gltf, i), dofs = lb_joint_type_dof_count(&joint->type);
        double values[LB_JOINT_MAX_DOFS], was[LB_JOINT_MAX_DOFS];
        lb_frame a = {{0, 0, 0}, {0, 0, 0, 1}}, b, inverse;
        if (above >= 0) {
            lb_frame_multiply(&to_world, &states[above].frame, &a);
        }
        lb_frame_multiply(&to_world, &states[i].frame, &b);
        lb_frame_multiply(&a, &lb_figure_site(figure, joint->site_a)->frame, &a);
        lb_frame_multiply(&b, &lb_figure_site(figure, joint->site_b)->frame, &b);
        lb_frame_invert(&a, &inverse);
        lb_frame_multiply(&inverse, &b, &b);
        lbio_gltf_joint_values(joint, b.position, b.rotation, values);
        for (int dof = 0; dof < dofs; dof++) {
            int variable = lb_figure_variable_of(figure, &(lb_dof_ref){joint_index, dof, -1});
            was[dof] = variable >= 0 ? before[variable] : 0;
        }
        if (dofs >= 3) {
            unwind(joint, was, values);
        }
        for (int dof = 0; dof < dofs; dof++) {
            int variable = lb_figure_variable_of(figure, &(lb_dof_ref){joint_index, dof, -1});
            if (variable >= 0) {
                pose[variable] = values[dof];
            }
        }
    }
}

/* All nodes at a time. */
static void place(const lbio_gltf *gltf, const animation *a, double time, double (*local)[7], lbio_gltf_state *states) {
    for (int i = 0; i < gltf->node_count; i++) {
        memcpy(local[i], gltf->nodes[i].translation, 3 * sizeof **local);
        memcpy(local[i] + 3, gltf->nodes[i].rotation, 4 * sizeof **local);
    }
    for (int k = 0; k < a->count; k++) {
        const channel *c = &a->channels[k];
        sample(c, time, local[c->node] + (c->path == PATH_ROTATION ? 3 : 0));
    }
    for (int k = 0; k < gltf->node_count; k++) {
        int node = gltf->order[k];
        lbio_gltf_step(gltf, node, states, local[node], local[node] + 3, &states[node]);
    }
}

lb_status lbio_gltf_read_clip(lbio_gltf *gltf, const lb_figure *figure, lb_clip **clip) {
    json_t *list = NULL;
    int number = 0, frames = 0;
    double frame_time = 0;
    animation a;
    lb_status status = lbio_gltf_list(gltf, "animations", &list);
    status = status ? status : find_animation(gltf, list, &number);
    status = status ? status : read_animation(gltf, json_array_get(list, (size_t)number), number, &a);
    status = status ? status : choose_frames(gltf, &a, &frame_time, &frames);
    if (status != LB_OK) {
        return status;
    }
    double(*local)[7] = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *local);
    lbio_gltf_state *states = lbio_gltf_new(gltf, (size_t)gltf->node_count + 1, sizeof *states);
    if ((double)frames * lb_figure_variable_count(figure) > 1e8) {
        return lbio_fail(gltf->source, LB_ERROR_TOO_LARGE, 0, "%d frames of %d values are too many", frames,
                         lb_figure_variable_count(figure));
    }
    lb_clip *made = local && states ? lb_clip_create(figure, frames, frame_time, NULL) : NULL;
    if (!made) {
        return lbio_gltf_no_memory(gltf);
    }
    for (int i = 0; i < frames; i++) {
        place(gltf, &a, fmin(a.start + i * frame_time, a.end), local, states);
        set_pose(gltf, figure, states, lb_clip_const_pose(made, i > 0 ? i - 1 : 0), lb_clip_pose(made, i));
    }
    *clip = made;
    return LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * Their names
 * ------------------------------------------------------------------------------------------------- */

static lb_status list_names(const lbio_source *source, lbio_text *names) {
    lbio_gltf gltf;
    json_t *list = NULL;
    lb_status status = lbio_gltf_open(&gltf, source, NULL);
    status = status ? status : lbio_gltf_list(&gltf, "animations", &list);
    for (size_t i = 0; i < json_array_size(list) && status == LB_OK; i++) {
        const char *name = json_string_value(json_object_get(json_array_get(list, i), "name"));
        for (const char *at = name ? name : ""; *at; at++) {
            lbio_text_bytes(names, (unsigned char)*at < 0x20 ? " " : at, 1);
        }
        lbio_text_add(names, "\n");
    }
    if (status == LB_OK) {
        lbio_text_add(names, "");
        status = names->failed ? lbio_gltf_no_memory(&gltf) : LB_OK;
    }
    lbio_gltf_close(&gltf);
    return status;
}

lb_status lb_gltf_animations(const char *path, const lb_load_options *given, char **names, lb_error *error) {
    lb_load_options options;
    lb_error unseen;
    lbio_text listed = {0};
    char *data = NULL;
    size_t size = 0;
    error = error ? error : &unseen;
    if (!path || !names) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "no path or no place for the names was given");
    }
    *names = NULL;
    lb_status status = lbio_take_load_options(given, &options, path, error);
    status = status ? status : lbio_read_file(path, options.max_bytes, &data, &size, error);
    if (status == LB_OK) {
        const lbio_source source = {path, data, size, &options, error};
        status = list_names(&source, &listed);
    }
    free(data);
    if (status == LB_OK) {
        *names = listed.data;
    } else {
        lbio_text_free(&listed);
    }
    return status;
}
