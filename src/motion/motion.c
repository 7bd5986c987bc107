/* Motions: what changes when. */
#include "motion/motion.h"

#include <string.h>

#include "math/rotation.h"
#include "motion/track.h"

#define FAIL(motion, status, ...) lbf_fail(&(motion)->error, status, __VA_ARGS__, (char *)0)

static lb_status no_memory(lb_motion *m) { return FAIL(m, LB_ERROR_MEMORY, "out of memory"); }

lb_motion *lb_motion_create(const lb_problem *problem, const double *start, lb_error *error) {
    if (!problem || !start || !lbm_all_finite(start, problem->variable_count)) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "a motion needs a problem and a start pose of finite numbers");
    }
    lb_motion *m = lbf_new(&problem->allocator, 1, sizeof *m);
    if (!m) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    m->allocator = problem->allocator;
    m->start_count = problem->variable_count;
    m->start = lbf_new(&m->allocator, (size_t)m->start_count, sizeof *start);
    if (m->start && lb_motion_stage(m, 0, problem) == 0) {
        memcpy(m->start, start, (size_t)m->start_count * sizeof *start);
        lbf_clear(error);
        return m;
    }
    lbf_fail(error, LB_ERROR_MEMORY, "out of memory", (char *)0);
    lb_motion_destroy(m);
    return NULL;
}

static void free_stage(lb_motion *m, lbt_stage *s) {
    const lb_allocator *a = &m->allocator;
    for (int i = 0; i < s->drive_count; i++) {
        lb_track_destroy(s->drives[i].track);
    }
    for (int i = 0; i < s->follow_count; i++) {
        lb_track_destroy(s->follows[i].weight);
    }
    if (s->drives) {
        lbf_delete(a, s->drives, (size_t)s->drive_capacity, sizeof *s->drives);
    }
    if (s->clips) {
        lbf_delete(a, s->clips, (size_t)s->clip_capacity, sizeof *s->clips);
    }
    if (s->carries) {
        lbf_delete(a, s->carries, (size_t)s->carry_capacity, sizeof *s->carries);
    }
    if (s->follows) {
        lbf_delete(a, s->follows, (size_t)s->follow_capacity, sizeof *s->follows);
    }
}

void lb_motion_destroy(lb_motion *m) {
    if (!m) {
        return;
    }
    lb_allocator a = m->allocator;
    for (int i = 0; i < m->stage_count; i++) {
        free_stage(m, &m->stages[i]);
    }
    if (m->start) {
        lbf_delete(&a, m->start, (size_t)m->start_count, sizeof *m->start);
    }
    if (m->stages) {
        lbf_delete(&a, m->stages, (size_t)m->stage_capacity, sizeof *m->stages);
    }
    lbf_delete(&a, m, 1, sizeof *m);
}

const lb_error *lb_motion_error(const lb_motion *m) { return m ? &m->error : NULL; }

static lbt_stage *last_stage(const lb_motion *m) { return &m->stages[m->stage_count - 1]; }

static int is_time(double time) { return time >= 0 && time <= LBT_MAX_TIME; }

int lb_motion_stage(lb_motion *m, double from, const lb_problem *problem) {
    if (!m) {
        return LB_ERROR_ARGUMENT;
    }
    if (!problem) {
        return FAIL(m, LB_ERROR_ARGUMENT, "no problem to go on with");
    }
    if (!is_time(from) || (m->stage_count && lbt_ticks(from) <= last_stage(m)->from)) {
        return FAIL(m, LB_ERROR_ARGUMENT, "a stage begins at a time after that of the one before it");
    }
    if (!lbf_grow(&m->allocator, (void **)&m->stages, &m->stage_capacity, m->stage_count + 1, sizeof *m->stages)) {
        return no_memory(m);
    }
    lbt_stage *s = &m->stages[m->stage_count];
    memset(s, 0, sizeof *s);
    s->from = lbt_ticks(from);
    s->problem = problem;
    return m->stage_count++;
}

lb_status lb_motion_set_method(lb_motion *m, lb_method method) {
    if (!m) {
        return LB_ERROR_ARGUMENT;
    }
    if ((int)method < 0 || method > LB_METHOD_HIERARCHY) {
        return FAIL(m, LB_ERROR_ARGUMENT, "there is no such method");
    }
    last_stage(m)->has_method = 1;
    last_stage(m)->method = method;
    return LB_OK;
}

int lb_motion_stage_count(const lb_motion *m) { return m ? m->stage_count : 0; }

const lb_problem *lb_motion_problem(const lb_motion *m, int stage) {
    if (!m) {
        return NULL;
    }
    return stage >= 0 && stage < m->stage_count ? m->stages[stage].problem : NULL;
}

int lb_motion_joint_index(const lb_motion *m, int figure, int joint) {
    if (!m) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_problem *p = last_stage(m)->problem;
    int index = joint;
    if (figure < 0 || figure >= p->figure_count || !lb_figure_joint(p->figures[figure], joint)) {
        return -1;
    }
    for (int i = 0; i < figure; i++) {
        index += lb_figure_joint_count(p->figures[i]);
    }
    return index;
}

/* --- Drives ------------------------------------------------------------------------------------------------ */

static int has_id(const lb_problem *p, int id) {
    for (int i = 0; i < p->constraint_count; i++) {
        if (p->constraints[i].id == id) {
            return 1;
        }
    }
    return 0;
}

static lb_status check_track(lb_motion *m, const lb_track *track, lb_track_kind kind, int width) {
    char number[24];
    if (lb_track_key_count(track) < 1) {
        return FAIL(m, LB_ERROR_ARGUMENT, "the track has no keys");
    }
    if (lb_track_get_kind(track) != kind) {
        return FAIL(m, LB_ERROR_ARGUMENT, "this is driven by a track of ",
                    kind == LB_TRACK_FRAME      ? "frames"
                    : kind == LB_TRACK_ROTATION ? "rotations"
                                                : "numbers");
    }
    if (kind == LB_TRACK_VALUES && lb_track_width(track) != width) {
        return FAIL(m, LB_ERROR_ARGUMENT, "this is driven by a track of width ", lbf_integer_text(width, number));
    }
    return LB_OK;
}

/* The figure and joint of an index, and whether all that turns the joint are variables of its own. */
static lb_status check_joint(lb_motion *m, const lb_problem *p, lbt_drive *d) {
    int joint = d->index;
    if (joint < 0) {
        return FAIL(m, LB_ERROR_ARGUMENT, "there is no such joint to drive");
    }
    for (d->figure = 0; d->figure < p->figure_count; joint -= lb_figure_joint_count(p->figures[d->figure++])) {
        if (joint < lb_figure_joint_count(p->figures[d->figure])) {
            break;
        }
    }
    if (d->figure == p->figure_count) {
        return FAIL(m, LB_ERROR_ARGUMENT, "there is no such joint to drive");
    }
    d->joint = joint;
    const lb_figure *f = p->figures[d->figure];
    const lb_joint *j = lb_figure_joint(f, joint);
    for (int i = 0; i < lb_joint_type_dof_count(&j->type); i++) {
        if (lb_joint_type_is_angle(&j->type, i) && f->coordinate_variable[lbf_coordinate(f, joint, i)] < 0) {
            return FAIL(m, LB_ERROR_UNSUPPORTED, "joint '", j->name,
                        "' is frozen or driven by others, so no rotation can be asked of it");
        }
    }
    return LB_OK;
}

/* The figure of an index, and its limb or contact, of one that is posed as a body. */
static lb_status check_body(lb_motion *m, const lb_problem *p, lbt_drive *d) {
    int width = d->target == LB_DRIVE_TARGET_FOOT ? LB_BODY_LIMBS : LB_BODY_PARTS;
    d->figure = d->index < 0 ? -1 : d->index / width;
    d->joint = d->index < 0 ? -1 : d->index % width;
    if (d->figure < 0 || d->figure >= p->figure_count || !lb_problem_body(p, d->figure)) {
        return FAIL(m, LB_ERROR_ARGUMENT, "there is no such figure that is posed as a body");
    }
    if (d->target == LB_DRIVE_TARGET_SUPPORT && d->joint >= lb_figure_body(p->figures[d->figure])->contact_count) {
        return FAIL(m, LB_ERROR_ARGUMENT, "the body has no such contact");
    }
    return LB_OK;
}

static lb_status check_root(lb_motion *m, const lb_problem *p, int figure) {
    return figure < 0 || figure >= p->figure_count || !p->figures[figure]->root_coordinates
               ? FAIL(m, LB_ERROR_ARGUMENT, "there is no such figure, or its root is not free")
               : LB_OK;
}

static lb_status check_drive(lb_motion *m, lbt_drive *d, const lb_track *track) {
    const lb_problem *p = last_stage(m)->problem;
    lb_track_kind kind = LB_TRACK_VALUES;
    int width = 1, is_variable = 0, is_constraint = 0;
    lb_status status = LB_OK;
    switch (d->target) {
    case LB_DRIVE_TARGET_LIMITS:
        width = 2;
        is_variable = 1;
        break;
    case LB_DRIVE_TARGET_VARIABLE:
    case LB_DRIVE_TARGET_ACTIVE:
        is_variable = 1;
        break;
    case LB_DRIVE_TARGET_JOINT:
        kind = LB_TRACK_ROTATION;
        status = check_joint(m, p, d);
        break;
    case LB_DRIVE_TARGET_ROOT:
    case LB_DRIVE_TARGET_ROOT_ONWARD:
        kind = LB_TRACK_FRAME;
        status = check_root(m, p, d->index);
        break;
    case LB_DRIVE_TARGET_GOAL:
        kind = LB_TRACK_FRAME;
        is_constraint = 1;
        break;
    case LB_DRIVE_TARGET_WEIGHT:
    case LB_DRIVE_TARGET_ENABLED:
        is_constraint = 1;
        break;
    case LB_DRIVE_TARGET_FOOT:
    case LB_DRIVE_TARGET_SUPPORT:
        status = check_body(m, p, d);
        break;
    default:
        status = FAIL(m, LB_ERROR_ARGUMENT, "there is nothing of this kind to drive");
    }
    if (is_variable && (d->index < 0 || d->index >= p->variable_count)) {
        status = FAIL(m, LB_ERROR_ARGUMENT, "there is no such variable to drive");
    }
    if (is_constraint && !has_id(p, d->index)) {
        status = FAIL(m, LB_ERROR_ARGUMENT, "there is no such constraint");
    }
    return status ? status : check_track(m, track, kind, width);
}

lb_status lb_motion_drive(lb_motion *m, lb_drive_target target, int index, const lb_track *track) {
    if (!m || !track) {
        return LB_ERROR_ARGUMENT;
    }
    lbt_stage *s = last_stage(m);
    lbt_drive drive = {target, index, -1, -1, NULL};
    lb_status status = check_drive(m, &drive, track);
    if (status) {
        return status;
    }
    if (!lbf_grow(&m->allocator, (void **)&s->drives, &s->drive_capacity, s->drive_count + 1, sizeof *s->drives)) {
        return no_memory(m);
    }
    drive.track = lbt_track_copy(track, &m->allocator);
    if (!drive.track) {
        return no_memory(m);
    }
    for (int i = 0; i < s->drive_count; i++) {
        if (s->drives[i].target != target || s->drives[i].index != index) {
            continue;
        }
        lb_track_destroy(s->drives[i].track);
        s->drives[i] = drive;
        return LB_OK;
    }
    s->drives[s->drive_count++] = drive;
    return LB_OK;
}

lb_status lb_motion_drive_clip(lb_motion *m, int figure, const lb_clip *clip, double from,
                               lb_interpolation interpolation) {
    if (!m || !clip) {
        return LB_ERROR_ARGUMENT;
    }
    lbt_stage *s = last_stage(m);
    if (lb_clip_figure(clip) != lb_problem_figure(s->problem, figure)) {
        return FAIL(m, LB_ERROR_ARGUMENT, "the clip is of another figure than the one it should drive");
    }
    if (!lbm_is_finite(from) || fabs(from) > LBT_MAX_TIME || (int)interpolation < 0 ||
        interpolation > LB_INTERPOLATION_CUBIC) {
        return FAIL(m, LB_ERROR_ARGUMENT, "a clip begins at a finite time, and is interpolated in a known way");
    }
    if (!lbf_grow(&m->allocator, (void **)&s->clips, &s->clip_capacity, s->clip_count + 1, sizeof *s->clips)) {
        return no_memory(m);
    }
    s->clips[s->clip_count++] = (lbt_clip_drive){figure, clip, from, interpolation};
    return LB_OK;
}

lb_status lb_motion_carry(lb_motion *m, int object, int carrier, int segment, double from, double to) {
    if (!m) {
        return LB_ERROR_ARGUMENT;
    }
    lbt_stage *s = last_stage(m);
    const lb_figure *what = lb_problem_figure(s->problem, object), *who = lb_problem_figure(s->problem, carrier);
    if (!what || !who || object == carrier || !what->root_coordinates) {
        return FAIL(m, LB_ERROR_ARGUMENT, "a figure with a free root can be carried by another figure of the problem");
    }
    if (!lb_figure_segment(who, segment)) {
        return FAIL(m, LB_ERROR_ARGUMENT, "there is no such segment to carry it");
    }
    if (!is_time(from) || !(to > from)) {
        return FAIL(m, LB_ERROR_ARGUMENT, "it is put down after it was taken up");
    }
    lbt_carry c = {object, carrier, segment, lbt_ticks(from), to > LBT_MAX_TIME ? LBT_NEVER : lbt_ticks(to)};
    for (int i = 0; i < s->carry_count; i++) {
        const lbt_carry *other = &s->carries[i];
        if (other->object == object && other->from < c.to && c.from < other->to) {
            return FAIL(m, LB_ERROR_ARGUMENT, "'", lb_figure_name(what), "' is carried already at some of these times");
        }
    }
    if (!lbf_grow(&m->allocator, (void **)&s->carries, &s->carry_capacity, s->carry_count + 1, sizeof *s->carries)) {
        return no_memory(m);
    }
    s->carries[s->carry_count++] = c;
    return LB_OK;
}

lb_status lb_motion_follow(lb_motion *m, int constraint, int figure, int site, const lb_track *weight) {
    if (!m || !weight) {
        return LB_ERROR_ARGUMENT;
    }
    lbt_stage *s = last_stage(m);
    const lb_figure *f = lb_problem_figure(s->problem, figure);
    if (!has_id(s->problem, constraint)) {
        return FAIL(m, LB_ERROR_ARGUMENT, "there is no such constraint");
    }
    if (!f || !lb_figure_site(f, site)) {
        return FAIL(m, LB_ERROR_ARGUMENT, "there is no such site to follow");
    }
    lb_status status = check_track(m, weight, LB_TRACK_VALUES, 1);
    if (status) {
        return status;
    }
    if (!lbf_grow(&m->allocator, (void **)&s->follows, &s->follow_capacity, s->follow_count + 1, sizeof *s->follows)) {
        return no_memory(m);
    }
    lbt_follow follow = {constraint, figure, site, lbt_track_copy(weight, &m->allocator)};
    if (!follow.weight) {
        return no_memory(m);
    }
    s->follows[s->follow_count++] = follow;
    return LB_OK;
}

static double later(double a, double b) { return a > b ? a : b; }

double lb_motion_end(const lb_motion *m) {
    if (!m) {
        return 0;
    }
    double end = 0;
    for (int i = 0; i < m->stage_count; i++) {
        const lbt_stage *s = &m->stages[i];
        double times[3] = {lbt_seconds(s->from), 0, 0};
        for (int k = 0; k < s->drive_count; k++) {
            times[1] = later(times[1], lbt_track_end(s->drives[k].track));
        }
        for (int k = 0; k < s->follow_count; k++) {
            times[1] = later(times[1], lbt_track_end(s->follows[k].weight));
        }
        for (int k = 0; k < s->clip_count; k++) {
            times[2] = later(times[2], s->clips[k].from + lb_clip_duration(s->clips[k].clip));
        }
        for (int k = 0; k < s->carry_count; k++) {
            const lbt_carry *c = &s->carries[k];
            times[1] = later(times[1], lbt_seconds(c->to == LBT_NEVER ? c->from : c->to));
        }
        for (int k = 0; k < 3; k++) {
            end = later(end, times[k]);
        }
    }
    return end;
}

/* --- Roots ------------------------------------------------------------------------------------------------- */

static const lb_joint_type free_rotation = {1, {{LB_ELEMENT_ROTATION, {0, 0, 0}}}};

void lbt_root_values(const lb_figure *figure, const lb_frame *frame_w, double values[6]) {
    const lb_frame *placement = &lb_figure_root(figure)->placement;
    double back[4] = {-placement->rotation[0], -placement->rotation[1], -placement->rotation[2],
                      placement->rotation[3]};
    double turn[4];
    for (int i = 0; i < 3; i++) {
        values[i] = frame_w->position[i] - placement->position[i];
    }
    lb_rotation_multiply(frame_w->rotation, back, turn);
    lb_joint_type_dofs(&free_rotation, turn, values + 3);
}

void lbt_root_frame(const lb_figure *figure, const double values[6], lb_frame *frame_w) {
    const lb_frame *placement = &lb_figure_root(figure)->placement;
    double turn[4];
    for (int i = 0; i < 3; i++) {
        frame_w->position[i] = placement->position[i] + values[i];
    }
    lb_joint_type_rotation(&free_rotation, values + 3, turn);
    lb_rotation_multiply(turn, placement->rotation, frame_w->rotation);
}
