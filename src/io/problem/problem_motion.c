/* The `motion` of a problem file: what of it changes over time. */
#include "io/problem/problem.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

static const char *const target_names[] = {"variable", "joint",  "root",   "goal", "weight",
                                           "enabled",  "active", "limits", "foot", "support"}; /* as lb_drive_target */
#define TARGET_COUNT 10
#define KEYS_MOST 100000

/* A constraint by its name; the first of those that share it. */
static int find_constraint(lbio_reader *r, const char *name) {
    const lb_problem *problem = r->file->problem;
    for (int i = 0; i < lb_problem_constraint_count(problem); i++) {
        const lb_constraint *c = lb_problem_constraint(problem, i);
        if (c->name && strcmp(c->name, name) == 0) {
            return lb_problem_constraint_id(problem, i);
        }
    }
    const char **names = calloc((size_t)lb_problem_constraint_count(problem) + 1, sizeof *names);
    int count = 0;
    for (int i = 0; names && i < lb_problem_constraint_count(problem); i++) {
        const char *other = lb_problem_constraint(problem, i)->name;
        names[count] = other ? other : "";
        count += other != NULL;
    }
    const char *near_name = names ? lbio_nearest(name, names, count) : NULL;
    lbio_reader_fail(r, LB_ERROR_NAME,
                     near_name ? "there is no constraint \"%s\"; did you mean \"%s\"?"
                               : "there is no constraint \"%s\"%s",
                     name, near_name ? near_name : "; give one a `name`");
    free(names);
    return -1;
}

static int find_variable(lbio_reader *r, const char *name) {
    const char *rest;
    int figure = lbio_split_name(r, name, &rest);
    int variable = lb_figure_find_variable(r->file->figures[figure], rest);
    if (variable < 0) {
        lbio_no_such(r, figure, "variable", rest);
        return -1;
    }
    return lb_problem_first_variable(r->file->problem, figure) + variable;
}

int lbio_find_figure(lbio_reader *r, const char *name) {
    const char *names[LBIO_FIGURES_MOST];
    for (int i = 0; i < r->file->figure_count; i++) {
        names[i] = r->file->names[i];
        if (strcmp(name, names[i]) == 0) {
            return i;
        }
    }
    const char *near_name = lbio_nearest(name, names, r->file->figure_count);
    lbio_reader_fail(r, LB_ERROR_NAME, "there is no figure \"%s\"; %s \"%s\"", name,
                     near_name ? "did you mean" : "there is", near_name ? near_name : names[0]);
    return -1;
}

static int find_joint(lbio_reader *r, const char *name) {
    const char *rest;
    int figure = lbio_split_name(r, name, &rest), joint = lb_figure_find_joint(r->file->figures[figure], rest);
    if (joint < 0) {
        lbio_no_such(r, figure, "joint", rest);
        return -1;
    }
    return lb_motion_joint_index(r->file->motion, figure, joint);
}

static int find_target(lbio_reader *r, int target, const char *name) {
    switch (target) {
    case LB_DRIVE_TARGET_GOAL:
    case LB_DRIVE_TARGET_WEIGHT:
    case LB_DRIVE_TARGET_ENABLED:
        return find_constraint(r, name);
    case LB_DRIVE_TARGET_ROOT:
    case LB_DRIVE_TARGET_ROOT_ONWARD:
        return lbio_find_figure(r, name);
    case LB_DRIVE_TARGET_JOINT:
        return find_joint(r, name);
    case LB_DRIVE_TARGET_FOOT:
        return lbio_find_foot(r, name);
    case LB_DRIVE_TARGET_SUPPORT:
        return lbio_find_support(r, name);
    default:
        return find_variable(r, name);
    }
}

/* What of a value a key has. */
typedef struct key_parts {
    int point, rotation, value;
} key_parts;

static int is_key_of(lb_track_kind kind, const key_parts *has) {
    return kind == LB_TRACK_FRAME ? has->point : kind == LB_TRACK_ROTATION ? has->rotation : has->value && !has->point;
}

static lb_status read_key_numbers(lbio_reader *r, const json_t *object, int width, lbio_unit unit, double *value,
                                  int *has) {
    if (width > 1) {
        return lbio_get_vector(r, object, "value", unit, width, value, has);
    }
    *has = json_object_get(object, "value") != NULL;
    return lbio_get_value(r, object, "value", unit, -1e9, 1e9, value);
}

static lb_status read_key_rotation(lbio_reader *r, const json_t *object, lb_track_kind kind, double *value, int *has) {
    double *turn = kind == LB_TRACK_FRAME ? value + 3 : value;
    if (kind == LB_TRACK_ROTATION) {
        turn[0] = turn[1] = turn[2] = 0, turn[3] = 1;
    }
    return lbio_get_rotation(r, object, turn, has);
}

/* A key of a foot: the time, and what the foot does from then on. */
static lb_status read_mode_key(lbio_reader *r, const json_t *object, double time, lb_track *track) {
    int mode = 0;
    double value;
    lb_status status = lbio_get_choice(r, object, "value", lbio_foot_modes, 4, &mode);
    if (!status && time != time) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a key needs its `time` in seconds");
    }
    value = mode;
    return status || !lb_track_set(track, time, &value, LB_INTERPOLATION_STEP)
               ? status
               : lbio_reader_fail(r, LB_ERROR_SYNTAX, "a key of this track has a number");
}

/* One key: the time, and a point with a rotation, a rotation, or numbers. */
static lb_status read_key(lbio_reader *r, const json_t *object, lb_track *track, int width, lbio_unit unit) {
    static const char *const keys[] = {"time", "value", "point", "rpy", "quaternion", "interpolation", NULL};
    static const char *const ways[] = {"step", "linear", "catmull-rom", "cubic"};
    double time = NAN, value[8] = {0, 0, 0, 0, 0, 0, 1};
    lb_track_kind kind = lb_track_get_kind(track);
    int way = LB_INTERPOLATION_LINEAR;
    key_parts has = {0, 0, 0};
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_value(r, object, "time", LBIO_PLAIN, 0, 1e6, &time);
    if (!status && json_is_string(json_object_get(object, "value"))) {
        return read_mode_key(r, object, time, track);
    }
    status = status ? status : lbio_get_choice(r, object, "interpolation", ways, 4, &way);
    status = status ? status : lbio_get_vector(r, object, "point", LBIO_LENGTH, 3, value, &has.point);
    if (!status) {
        status = kind == LB_TRACK_VALUES ? read_key_numbers(r, object, width, unit, value, &has.value)
                                         : read_key_rotation(r, object, kind, value, &has.rotation);
    }
    if (status) {
        return status;
    }
    if (time != time) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a key needs its `time` in seconds");
    }
    if (!is_key_of(kind, &has)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a key of this track has %s",
                                kind == LB_TRACK_FRAME      ? "a `point` (and `rpy` or `quaternion`)"
                                : kind == LB_TRACK_ROTATION ? "`rpy` or `quaternion`"
                                                            : "a `value`");
    }
    status = lb_track_set(track, time, value, (lb_interpolation)way);
    return status ? lbio_reader_fail(r, status, "this key cannot be set: %s", lb_status_text(status)) : LB_OK;
}

static lb_status read_keys(lbio_reader *r, const json_t *object, lb_track *track, int width, lbio_unit unit) {
    static const char *const ends[] = {"natural", "clamped", "periodic"};
    int end = LB_TRACK_ENDS_NATURAL;
    lb_status status = lbio_get_choice(r, object, "ends", ends, 3, &end);
    const json_t *list = status ? NULL : lbio_member(r, object, "keys");
    if (!status && !list) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX, "a track needs `keys`");
    }
    status = status ? status : lbio_check_list(r, list, 1, KEYS_MOST);
    for (size_t i = 0; !status && i < json_array_size(list); i++) {
        lbio_enter_index(r, (int)i);
        status = read_key(r, json_array_get(list, i), track, width, unit);
        lbio_leave(r);
    }
    if (list) {
        lbio_leave(r);
    }
    return status ? status : lb_track_set_ends(track, (lb_track_ends)end);
}

/* What a track is of: one of the targets' names, and the name that stands there. */
static lb_status read_target(lbio_reader *r, const json_t *object, int *target, const char **name) {
    lb_status status = LB_OK;
    for (int t = 0; t < TARGET_COUNT && !status; t++) {
        const char *here = NULL;
        status = lbio_get_string(r, object, target_names[t], &here);
        if (here && *name) {
            return lbio_reader_fail(r, LB_ERROR_SYNTAX, "one track is of one thing: `%s` or `%s`",
                                    target_names[*target], target_names[t]);
        }
        *target = here ? t : *target;
        *name = here ? here : *name;
    }
    if (!status && !*name) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "a track is of a `goal`, `weight`, `enabled`, `variable`, `joint`, `root`, `active`, "
                                "`limits`, `foot` or `support`");
    }
    return status;
}

/* A track of the kind that the target takes; width: of one that takes numbers. */
static lb_track *make_track(int target, int width) {
    if (target == LB_DRIVE_TARGET_GOAL || target == LB_DRIVE_TARGET_ROOT) {
        return lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
    }
    return target == LB_DRIVE_TARGET_JOINT ? lb_track_create(LB_TRACK_ROTATION, 0, NULL, NULL)
                                           : lb_track_create(LB_TRACK_VALUES, width, NULL, NULL);
}

static lb_status read_track(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"variable", "joint", "root",    "goal", "weight", "enabled", "active",
                                       "limits",   "foot",  "support", "ends", "keys",   NULL};
    int target = -1, index;
    const char *name = NULL;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : read_target(r, object, &target, &name);
    index = status ? -1 : find_target(r, target, name);
    if (status || index < 0) {
        return status ? status : r->source->error->status;
    }
    int width = target == LB_DRIVE_TARGET_LIMITS ? 2 : 1;
    int is_value = target == LB_DRIVE_TARGET_VARIABLE || target == LB_DRIVE_TARGET_LIMITS;
    lb_track *track = make_track(target, width);
    if (!track) {
        return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    status = read_keys(r, object, track, width, is_value ? LBIO_EITHER : LBIO_PLAIN);
    if (!status && lb_motion_drive(r->file->motion, (lb_drive_target)target, index, track)) {
        status = lbio_reader_fail(r, LB_ERROR_ARGUMENT, "%s", lb_motion_error(r->file->motion)->message);
    }
    lb_track_destroy(track);
    return status;
}

/* {"object": "box", "carrier": "human", "segment": "right_hand", "from": 1, "to": 3} */
static lb_status read_carry(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"object", "segment", "from", "to", NULL};
    const char *name = NULL, *segment = NULL, *rest;
    double from = 0, to = INFINITY;
    lb_status status = lbio_check_keys(r, object, keys);
    status = status ? status : lbio_get_string(r, object, "object", &name);
    status = status ? status : lbio_get_string(r, object, "segment", &segment);
    status = status ? status : lbio_get_value(r, object, "from", LBIO_PLAIN, 0, 1e6, &from);
    status = status ? status : lbio_get_value(r, object, "to", LBIO_PLAIN, 0, 1e6, &to);
    if (!status && (!name || !segment)) {
        return lbio_reader_fail(r, LB_ERROR_SYNTAX,
                                "name the `object` that is carried and the `segment` that carries it");
    }
    int carried = status ? -1 : lbio_find_figure(r, name);
    if (status || carried < 0) {
        return status ? status : r->source->error->status;
    }
    int carrier = lbio_split_name(r, segment, &rest), index = lb_figure_find_segment(r->file->figures[carrier], rest);
    if (index < 0) {
        return lbio_no_such(r, carrier, "segment", rest);
    }
    return lb_motion_carry(r->file->motion, carried, carrier, index, from, to)
               ? lbio_reader_fail(r, LB_ERROR_ARGUMENT, "%s", lb_motion_error(r->file->motion)->message)
               : LB_OK;
}

static lb_status read_list(lbio_reader *r, const json_t *object, const char *key,
                           lb_status (*read)(lbio_reader *, const json_t *)) {
    const json_t *list = lbio_member(r, object, key);
    lb_status status = list ? lbio_check_list(r, list, 0, LBIO_LIST_MOST) : LB_OK;
    for (size_t i = 0; list && !status && i < json_array_size(list); i++) {
        lbio_enter_index(r, (int)i);
        status = read(r, json_array_get(list, i));
        lbio_leave(r);
    }
    if (list) {
        lbio_leave(r);
    }
    return status;
}

lb_status lbio_read_motion(lbio_reader *r, const json_t *object) {
    static const char *const keys[] = {"tracks", "clips", "carry", NULL};
    lb_status status = lbio_check_keys(r, object, keys);
    if (status) {
        return status;
    }
    char *text = json_dumps(object, JSON_REAL_PRECISION(17) | JSON_COMPACT);
    r->file->motion_spec = text;
    r->file->motion = text ? lb_motion_create(r->file->problem, r->file->start, NULL) : NULL;
    if (!r->file->motion) {
        return lbio_reader_fail(r, LB_ERROR_MEMORY, "out of memory");
    }
    status = read_list(r, object, "clips", lbio_read_clip);
    status = status ? status : read_list(r, object, "tracks", read_track);
    return status ? status : read_list(r, object, "carry", read_carry);
}
