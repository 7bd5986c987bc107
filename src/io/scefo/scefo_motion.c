/* What a SCEFO script moves, into stages and tracks.
 *
 * Turns and shifts of joints are tracks of the joint; a reach is a goal that moves or goes over to an object; objects
 * that are moved drive their roots. A joint that is turned and then reaches is set free when its last control point has
 * passed: there a stage ends, as it does where a linkage changes. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)
#define MOST_STAGES 500

static int is_transform(const lbio_scefo_op *op) { return op->kind != SCEFO_SET_FIELD; }

/* --- Tracks ---------------------------------------------------------------------------------------- */

typedef struct animator {
    lbio_scefo *s;
    lb_script *script;
    lbio_scefo_stage *stage;
    int has_reaches;
} animator;

static lb_status out_of_memory(animator *a) {
    return a->s->status = a->s->status ? a->s->status : lbio_fail(a->s->source, LB_ERROR_MEMORY, 0, "out of memory");
}

static void drive(animator *a, lb_drive_target target, int index, lb_track *track, const char *file, int line) {
    if (!a->s->status && lb_motion_drive(a->script->motion, target, index, track)) {
        lbio_scefo_fail(a->s, file, line, "this cannot be played: %s", lb_motion_error(a->script->motion)->message);
    }
}

/* Objects that are moved. */
static void object_frame(lbio_scefo *s, const void *what, double time, double *value) {
    lb_frame frame, frame_w;
    double size[3];
    if (lbio_scefo_place(s, what, time, &frame, size)) {
        return;
    }
    lbio_scefo_world_frame(&frame, &frame_w);
    memcpy(value, frame_w.position, sizeof frame_w.position);
    memcpy(value + 3, frame_w.rotation, sizeof frame_w.rotation);
}

static void drive_root(animator *a, int figure) {
    const lb_figure *f = a->stage->figures[figure];
    const lb_root *root = lb_figure_root(f);
    int index = lbio_scefo_find(a->s, lb_figure_segment(f, root->segment)->name);
    const lbio_scefo_object *object = &a->s->objects[index];
    if (!root->is_free || lbio_scefo_is_still(object)) {
        return;
    }
    lb_track *track = lbio_scefo_track(a->s, LB_TRACK_FRAME, object, is_transform, object_frame, object);
    drive(a, a->s->is_led[index] ? LB_DRIVE_TARGET_ROOT_ONWARD : LB_DRIVE_TARGET_ROOT, figure, track, object->file,
          object->line);
    lb_track_destroy(track);
}

/* What a joint cannot do is said at the operation that asks for it. */
static void check_axes(animator *a, const lbio_scefo_object *object, const lb_joint_type *type) {
    for (const lbio_scefo_op *op = object->ops; op && !a->s->status; op = op->next) {
        for (const lbio_scefo_point *p = lbio_scefo_is_drive(op) ? op->points : NULL; p && !a->s->status; p = p->next) {
            double v[3] = {0, 0, 0}, angle, rest[3];
            int turns = lbio_scefo_is_turn(op);
            if (turns
                    ? lbio_scefo_turn(a->s, lbio_scefo_field_value(p->value), v, &angle)
                    : lbio_scefo_numbers(a->s, lbio_scefo_field_value(p->value), 3, "a shift, as in {0, 0.1, 0}", v)) {
                return;
            }
            memcpy(rest, v, sizeof rest);
            for (int i = 0; i < type->element_count; i++) {
                const lb_element *e = &type->elements[i];
                double along = v[0] * e->axis[0] + v[1] * e->axis[1] + v[2] * e->axis[2];
                for (int k = 0; k < 3 && (e->kind == LB_ELEMENT_ROTATE) == turns; k++) {
                    rest[k] -= along * e->axis[k];
                }
            }
            if (fabs(rest[0]) + fabs(rest[1]) + fabs(rest[2]) > 1e-6) {
                lbio_scefo_fail(a->s, op->file, op->line,
                                "the joint \"%.60s\" cannot %s so: its type does not allow it", object->name,
                                turns ? "turn" : "shift");
            }
        }
    }
}

/* In this stage: up to its last control point, or for good where nothing reaches. */
static void drive_joint(animator *a, int index) {
    const lbio_scefo_object *object = &a->s->objects[index];
    int figure = a->stage->joint_figure[index];
    double last = lbio_scefo_last_time(object, lbio_scefo_is_drive);
    if (figure < 0 || last < 0 || (a->has_reaches && a->stage->from >= fmax(last, LBIO_SCEFO_STEP))) {
        return;
    }
    const lb_figure *f = a->stage->figures[figure];
    const lb_joint *joint = lb_figure_joint(f, a->stage->joint_index[index]);
    int turns = 0;
    for (int i = 0; i < joint->type.element_count; i++) {
        turns += joint->type.elements[i].kind == LB_ELEMENT_ROTATE;
    }
    check_axes(a, object, &joint->type);
    if (turns == 3 && lbio_scefo_last_time(object, lbio_scefo_is_turn) >= 0) {
        lb_track *track =
            lbio_scefo_track(a->s, LB_TRACK_ROTATION, object, lbio_scefo_is_turn, lbio_scefo_rotation_at, object);
        drive(a, LB_DRIVE_TARGET_JOINT, lb_motion_joint_index(a->script->motion, figure, a->stage->joint_index[index]),
              track, object->file, object->line);
        lb_track_destroy(track);
    }
    for (int i = 0; i < joint->type.element_count && !a->s->status; i++) {
        lbio_scefo_dof d = {object, {0, 0, 0}, joint->type.elements[i].kind == LB_ELEMENT_ROTATE};
        lb_dof_ref ref = {a->stage->joint_index[index], i, -1};
        int variable = lb_figure_variable_of(f, &ref);
        lbio_scefo_filter filter = d.is_turn ? lbio_scefo_is_turn : lbio_scefo_is_shift;
        if ((d.is_turn && turns == 3) || variable < 0 || lbio_scefo_last_time(object, filter) < 0) {
            continue;
        }
        memcpy(d.axis, joint->type.elements[i].axis, sizeof d.axis);
        lb_track *track = lbio_scefo_track(a->s, LB_TRACK_VALUES, object, filter, lbio_scefo_dof_at, &d);
        drive(a, LB_DRIVE_TARGET_VARIABLE, lb_problem_first_variable(a->stage->problem, figure) + variable, track,
              object->file, object->line);
        lb_track_destroy(track);
    }
}

/* Limits that change in time. */
static void drive_limits(animator *a, int index) {
    static const char *const fields[6] = {"limit_rot_x",   "limit_rot_y",   "limit_rot_z",
                                          "limit_trans_x", "limit_trans_y", "limit_trans_z"};
    const lbio_scefo_object *object = &a->s->objects[index];
    int figure = a->stage->joint_figure[index];
    for (int k = 0; k < 6 && figure >= 0 && !a->s->status; k++) {
        const lbio_scefo_op *op = lbio_scefo_field(object, fields[k], INFINITY);
        const lb_joint *joint = lb_figure_joint(a->stage->figures[figure], a->stage->joint_index[index]);
        for (int i = 0; op && i < joint->type.element_count; i++) {
            const lb_element *e = &joint->type.elements[i];
            if ((e->kind == LB_ELEMENT_ROTATE) != (k < 3) || e->axis[k % 3] != 1 || !op->points->next) {
                continue;
            }
            lb_dof_ref ref = {a->stage->joint_index[index], i, -1};
            int variable = lb_figure_variable_of(a->stage->figures[figure], &ref);
            lb_track *track = lb_track_create(LB_TRACK_VALUES, 2, NULL, NULL);
            for (const lbio_scefo_point *p = op->points; p && track; p = p->next) {
                double range[2];
                lbio_scefo_numbers(a->s, lbio_scefo_field_value(p->value), 2, "a range", range);
                range[0] *= k < 3 ? DEGREE : 1, range[1] *= k < 3 ? DEGREE : 1;
                lb_track_set(track, p->time, range, p->interpolation);
            }
            if (variable >= 0) {
                drive(a, LB_DRIVE_TARGET_LIMITS, lb_problem_first_variable(a->stage->problem, figure) + variable, track,
                      op->file, op->line);
            }
            lb_track_destroy(track);
        }
    }
}

/* --- Reaches, as goals that move ---------------------------------------------------------------------- */

/* The point of a control point in the world; an object where it is then. Returns the object if that moves. */
static int goal_at(animator *a, const lbio_scefo_point *point, double position_w[3]) {
    double position[3] = {0, 0, 0}, size[3];
    int object = lbio_scefo_goal(a->s, point, position), moves = 0;
    if (object >= 0) {
        lb_frame frame;
        int figure = a->stage->segment_figure[object];
        lbio_scefo_place(a->s, &a->s->objects[object], point->time, &frame, size);
        memcpy(position, frame.position, sizeof position);
        moves = figure >= 0 &&
                (!lbio_scefo_is_still(&a->s->objects[object]) || lb_figure_joint_count(a->stage->figures[figure]) > 0);
    }
    lbio_scefo_world(position, position_w);
    return moves ? object : -1;
}

/* A stretch in which a reach follows one object: its weight goes up to 1 where it takes over from the one before, and
 * down where the goal goes back to a point. */
static void follow(animator *a, const lbio_scefo_reach *reach, int id, int object, const lb_track *weight) {
    char name[160];
    int figure = a->stage->segment_figure[object];
    snprintf(name, sizeof name, "%s.%s", a->s->objects[object].name, LBIO_SCEFO_CENTRE);
    int site = lb_figure_find_site(a->stage->figures[figure], name);
    if (!a->s->status && lb_motion_follow(a->script->motion, id, figure, site, weight)) {
        lbio_scefo_fail(a->s, reach->op->file, reach->op->line, "this cannot be played: %s",
                        lb_motion_error(a->script->motion)->message);
    }
}

/* All objects that a reach follows, one after another. Each stretch of control points at one object has a weight of its
 * own; while the next object takes over the one before keeps its weight, and then loses it at once. */
static void follow_objects(animator *a, const lbio_scefo_reach *reach, int id) {
    const lbio_scefo_point *before = NULL;
    for (const lbio_scefo_point *p = reach->op->points; p && !a->s->status;) {
        double frame[7], zero = 0, one = 1;
        int object = goal_at(a, p, frame);
        const lbio_scefo_point *last = p;
        while (object >= 0 && last->next && goal_at(a, last->next, frame) == object) {
            last = last->next;
        }
        lb_track *weight = object >= 0 ? lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL) : NULL;
        if (object >= 0 && !weight) {
            out_of_memory(a);
            return;
        }
        if (weight) {
            if (before) {
                lb_track_set(weight, before->time, &zero, before->interpolation);
            }
            lb_track_set(weight, p->time, &one, LB_INTERPOLATION_STEP);
            if (last != p) {
                lb_track_set(weight, last->time, &one, LB_INTERPOLATION_STEP);
            }
            if (last->next) {
                int is_object = goal_at(a, last->next, frame) >= 0;
                lb_track_set(weight, last->time, &one, is_object ? LB_INTERPOLATION_STEP : last->interpolation);
                lb_track_set(weight, last->next->time, &zero, LB_INTERPOLATION_STEP);
            }
            follow(a, reach, id, object, weight);
        }
        lb_track_destroy(weight);
        before = last;
        p = last->next;
    }
}

static void drive_reach(animator *a, const lbio_scefo_reach *reach, int id) {
    lb_track *goal = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
    lb_track *enabled = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    if (!goal || !enabled) {
        out_of_memory(a);
    }
    for (const lbio_scefo_point *p = reach->op->points; p && !a->s->status; p = p->next) {
        double frame[7] = {0, 0, 0, 0, 0, 0, 1};
        if (goal_at(a, p, frame) < 0 || lb_track_key_count(goal) == 0) {
            lb_track_set(goal, p->time, frame, p->interpolation);
        }
    }
    if (reach->op->points->time > 0) {
        double off = 0, on = 1;
        lb_track_set(enabled, 0, &off, LB_INTERPOLATION_STEP);
        lb_track_set(enabled, reach->op->points->time, &on, LB_INTERPOLATION_STEP);
        drive(a, LB_DRIVE_TARGET_ENABLED, id, enabled, reach->op->file, reach->op->line);
    }
    drive(a, LB_DRIVE_TARGET_GOAL, id, goal, reach->op->file, reach->op->line);
    follow_objects(a, reach, id);
    lb_track_destroy(goal);
    lb_track_destroy(enabled);
}

/* --- Stages ------------------------------------------------------------------------------------------ */

static int is_change(const lbio_scefo_op *op) {
    return op->kind == SCEFO_SET_FIELD && (strcmp(op->field, "add_joint") == 0 ||
                                           strcmp(op->field, "delete_joint") == 0 || strcmp(op->field, "root") == 0);
}

#define WEIGHT_STEP 0.1 /* seconds: how often a weight that goes from one value to another is taken anew */

/* When a joint's weight or priority changes. */
static void add_weight_times(lbio_scefo_times *t, const lbio_scefo_object *object) {
    for (const lbio_scefo_op *op = object->class_ == SCEFO_JOINT ? object->ops : NULL; op; op = op->next) {
        int is_weight =
            op->kind == SCEFO_SET_FIELD && (strcmp(op->field, "weight") == 0 || strcmp(op->field, "priority") == 0);
        for (const lbio_scefo_point *p = is_weight && op->points->next ? op->points : NULL; p; p = p->next) {
            lbio_scefo_add_time(t, p->time);
            int goes = p->next && p->interpolation != LB_INTERPOLATION_STEP;
            for (double at = p->time + WEIGHT_STEP; goes && at < p->next->time && t->count < MOST_STAGES + 1;
                 at += WEIGHT_STEP) {
                lbio_scefo_add_time(t, at);
            }
        }
    }
}

/* When the method may change: where a joint names one, and, if any does, where a reach begins. */
static void add_method_times(lbio_scefo_times *t, const lbio_scefo_object *object, int has_methods) {
    for (const lbio_scefo_op *op = has_methods ? object->ops : NULL; op; op = op->next) {
        int is_reach = op->kind == SCEFO_SET_FIELD && strcmp(op->field, "joint_reach") == 0;
        int is_method = op->kind == SCEFO_SET_FIELD && strcmp(op->field, "method") == 0;
        for (const lbio_scefo_point *p = is_reach || is_method ? op->points : NULL; p; p = is_method ? p->next : NULL) {
            lbio_scefo_add_time(t, p->time);
        }
    }
}

static int names_methods(const lbio_scefo *s) {
    int found = 0;
    for (int i = 0; i < s->object_count; i++) {
        found |= lbio_scefo_field(&s->objects[i], "method", INFINITY) != NULL;
    }
    return found;
}

static lbio_scefo_times stage_times(lbio_scefo *s, int has_reaches) {
    lbio_scefo_times t = {0};
    const int has_methods = has_reaches && names_methods(s);
    lbio_scefo_add_time(&t, 0);
    for (int i = 0; i < s->object_count; i++) {
        const lbio_scefo_object *object = &s->objects[i];
        for (const lbio_scefo_op *op = object->class_ == SCEFO_LINKAGE ? object->ops : NULL; op; op = op->next) {
            for (const lbio_scefo_point *p = is_change(op) ? op->points : NULL; p; p = p->next) {
                lbio_scefo_add_time(&t, p->time);
            }
        }
        add_weight_times(&t, object);
        add_method_times(&t, object, has_methods);
        double last = object->class_ == SCEFO_JOINT ? lbio_scefo_last_time(object, lbio_scefo_is_drive) : -1;
        if (last >= 0 && has_reaches) {
            lbio_scefo_add_time(&t, fmax(last, LBIO_SCEFO_STEP));
        }
    }
    lbio_scefo_sort_times(&t);
    return t;
}

static lb_status begin_stage(animator *a) {
    const lb_problem *problem = a->stage->problem;
    if (a->script->motion) {
        int number = lb_motion_stage(a->script->motion, a->stage->from, problem);
        return number < 0 ? (a->s->status = lbio_fail(a->s->source, (lb_status)number, 0,
                                                      "the linkages at %g s cannot be played: %s", a->stage->from,
                                                      lb_motion_error(a->script->motion)->message))
                          : LB_OK;
    }
    double *start = calloc((size_t)lb_problem_variable_count(problem) + 1, sizeof *start);
    for (int i = 0; start && i < a->stage->figure_count; i++) {
        lb_figure_rest_pose(a->stage->figures[i], start + lb_problem_first_variable(problem, i));
    }
    a->script->motion = start ? lb_motion_create(problem, start, NULL) : NULL;
    free(start);
    return a->script->motion ? LB_OK : out_of_memory(a);
}

/* What a joint holds in this stage is carried. */
static void grip(animator *a, int joint) {
    const lbio_scefo_object *object = &a->s->objects[joint];
    int carrier, held;
    if (!lbio_scefo_grips(a->s, joint, a->stage->from, &carrier, &held) || a->stage->segment_figure[carrier] < 0 ||
        a->stage->segment_figure[held] < 0) {
        return;
    }
    if (lb_motion_carry(a->script->motion, a->stage->segment_figure[held], a->stage->segment_figure[carrier],
                        a->stage->segment_index[carrier], a->stage->from, INFINITY)) {
        lbio_scefo_fail(a->s, object->file, object->line, "this cannot be played: %s",
                        lb_motion_error(a->script->motion)->message);
    }
}

static lb_status play_stage(animator *a, const lbio_scefo_reach *reaches, int count) {
    lbio_scefo *s = a->s;
    if (lbio_scefo_build(s, a->stage) || begin_stage(a)) {
        return s->status;
    }
    int method = lbio_scefo_method(s, reaches, count, a->stage->from);
    if (method >= 0) {
        lb_motion_set_method(a->script->motion, (lb_method)method);
    }
    for (int i = 0; i < a->stage->figure_count && !s->status; i++) {
        drive_root(a, i);
    }
    for (int i = 0; i < s->object_count && !s->status; i++) {
        if (s->objects[i].class_ == SCEFO_JOINT) {
            drive_joint(a, i);
            drive_limits(a, i);
        }
    }
    for (int i = 0; i < s->object_count && !s->status; i++) {
        if (s->objects[i].class_ == SCEFO_JOINT && !s->objects[i].is_class) {
            grip(a, i);
        }
    }
    for (int i = 0; i < count && !s->status; i++) {
        if (!a->s->has_ended[i]) {
            drive_reach(a, &reaches[i], a->stage->reach_ids[i]);
        }
    }
    return s->status;
}

lb_status lbio_scefo_animate(lbio_scefo *s, lb_script *script) {
    int count = lbio_scefo_check_fields(s) || lbio_scefo_spread(s) ? -1 : lbio_scefo_reaches(s, NULL, 0);
    if (count < 0) {
        return s->status;
    }
    animator a = {s, script, NULL, count > 0};
    lbio_scefo_times t = stage_times(s, count > 0);
    lbio_scefo_reach *reaches = lbio_scefo_take(s, (size_t)(count + 1) * sizeof *reaches);
    script->stages = calloc((size_t)t.count + 1, sizeof *script->stages);
    if (!reaches || !script->stages || t.has_failed) {
        out_of_memory(&a);
    } else if (t.count > MOST_STAGES) {
        lbio_scefo_fail(s, s->source->name, 0, "linkages change more than %d times", MOST_STAGES);
    }
    if (!s->status) {
        lbio_scefo_reaches(s, reaches, count);
    }
    s->is_led = lbio_scefo_take(s, (size_t)s->object_count + 1);
    s->is_root_dropped = lbio_scefo_take(s, (size_t)s->object_count + 1);
    s->has_ended = lbio_scefo_take(s, (size_t)count + 1);
    for (int i = 0; i < t.count && !s->status; i++) {
        a.stage = &script->stages[script->stage_count++];
        a.stage->from = t.at[i];
        a.stage->until = i + 1 < t.count ? t.at[i + 1] : INFINITY;
        play_stage(&a, reaches, count);
    }
    free(t.at);
    return s->status;
}
