#include "motion/scene.h"

#include <string.h>

#include "figure/build/builder.h"
#include "math/rotation.h"
#include "motion/spline.h"
#include "motion/track.h"
#include "solve/call.h"

/* --- The problem ------------------------------------------------------------------------------------------------ */

int lbt_scene_segment_of(const lbt_scene *s, int figure, int segment) {
    const lbt_place *place = &s->places[figure];
    int count = lbt_stage_figure(s, figure)->draft.segment_count;
    if (segment < count) {
        return place->first_segment + segment;
    }
    return s->problem->figures[place->figure]->draft.segment_count + place->first_loop + segment - count;
}

static lb_status add_constraints(lbt_scene *s, lb_error *error) {
    const lb_problem *from = s->stage->problem;
    for (int i = 0; i < from->constraint_count; i++) {
        lb_constraint c = from->constraints[i].constraint;
        const lbt_place *place = &s->places[c.figure];
        c.effector.segment =
            c.effector.kind == LB_EFFECTOR_FRAME ? lbt_scene_segment_of(s, c.figure, c.effector.segment) : 0;
        if (c.chain_start >= 0) {
            c.chain_start += place->first_joint;
        }
        c.figure = place->figure;
        if (c.goal.carrier_segment >= 0) {
            c.goal.carrier_segment = lbt_scene_segment_of(s, c.goal.carrier_figure, c.goal.carrier_segment);
            c.goal.carrier_figure = s->places[c.goal.carrier_figure].figure;
        }
        s->ids[i] = lb_problem_add(s->problem, &c);
        if (s->ids[i] >= 0) {
            continue;
        }
        if (error) {
            *error = s->problem->error;
        }
        return (lb_status)s->ids[i];
    }
    return LB_OK;
}

/* Which variable of the scene is which of the stage's problem, and what is set for it. */
static void map_variables(lbt_scene *s) {
    const lb_problem *from = s->stage->problem;
    for (int f = 0; f < from->figure_count; f++) {
        const lbt_place *place = &s->places[f];
        const lb_figure *there = s->problem->figures[place->figure];
        for (int i = 0; i < from->figures[f]->variable_count; i++) {
            int mine = from->first_variables[f] + i, to = -1;
            lb_dof_ref ref = from->figures[f]->variables[i].ref;
            if (ref.joint >= 0) {
                ref.joint += place->first_joint;
            } else if (ref.parameter >= 0) {
                ref.parameter += place->first_parameter;
            }
            if (ref.joint >= 0 || ref.parameter >= 0) {
                to = lb_figure_variable_of(there, &ref);
            } else if (!place->held) {
                to = ref.dof;
            }
            s->variables[mine] = to < 0 ? -1 : s->problem->first_variables[place->figure] + to;
            if (to < 0) {
                continue;
            }
            s->problem->active[s->variables[mine]] = from->active[mine];
            s->problem->rigidity[s->variables[mine]] = from->rigidity[mine];
            s->problem->posture[s->variables[mine]] = from->posture[mine];
        }
    }
    s->problem->wishes = from->wishes;
}

static lb_status make_problem(lbt_scene *s, int hold_count, const lbt_hold *holds, lb_error *error) {
    int host = 0;
    for (int f = 0; f < s->figure_count; f++) {
        if (s->places[f].held) {
            continue;
        }
        const lb_figure *figure = s->figures[host] ? s->figures[host] : lbt_stage_figure(s, f);
        if (host == 0) {
            s->problem = lb_problem_create(figure, NULL);
        }
        if (!s->problem || (host > 0 && lb_problem_add_figure(s->problem, figure) < 0)) {
            return LB_ERROR_MEMORY;
        }
        s->kinematics[host] = lb_kinematics_create(figure, NULL);
        if (!s->kinematics[host++]) {
            return LB_ERROR_MEMORY;
        }
    }
    lb_status status = add_constraints(s, error);
    if (status) {
        return status;
    }
    map_variables(s);
    status = lbt_scene_make_bodies(s, error);
    status = status ? status : lbt_scene_keep_apart(s, hold_count, holds, error);
    if (status) {
        return status;
    }
    s->pose = lbf_new(&s->allocator, (size_t)s->problem->variable_count, sizeof *s->pose);
    s->solver = s->pose ? lb_solver_create(s->problem, NULL) : NULL;
    return s->solver ? LB_OK : LB_ERROR_MEMORY;
}

/* Variables of a figure's root: an object that is ever carried, or moved by a track, is not for the solver to move. */
static void mark_root(lbt_scene *s, int figure) {
    int first = s->stage->problem->first_variables[figure];
    for (int i = 0; i < lbt_stage_figure(s, figure)->root_coordinates; i++) {
        s->driven[first + i] = 1;
    }
}

static void mark_driven(lbt_scene *s) {
    const lb_problem *p = s->stage->problem;
    for (int i = 0; i < s->stage->carry_count; i++) {
        mark_root(s, s->stage->carries[i].object);
    }
    for (int i = 0; i < s->stage->clip_count; i++) {
        int figure = s->stage->clips[i].figure;
        memset(s->driven + p->first_variables[figure], LBT_DRIVEN_BY_CLIP, (size_t)p->figures[figure]->variable_count);
    }
    for (int i = 0; i < s->stage->drive_count; i++) {
        const lbt_drive *d = &s->stage->drives[i];
        if (d->target == LB_DRIVE_TARGET_VARIABLE) {
            s->driven[d->index] = 1;
        }
        if (d->target == LB_DRIVE_TARGET_ROOT || d->target == LB_DRIVE_TARGET_ROOT_ONWARD) {
            mark_root(s, d->index);
        }
        if (d->target != LB_DRIVE_TARGET_JOINT) {
            continue;
        }
        const lb_figure *f = p->figures[d->figure];
        const lb_joint_type *type = &f->draft.joints[d->joint].type;
        for (int k = 0; k < lb_joint_type_dof_count(type); k++) {
            if (lb_joint_type_is_angle(type, k)) {
                s->driven[p->first_variables[d->figure] + f->coordinate_variable[lbf_coordinate(f, d->joint, k)]] = 1;
            }
        }
    }
    for (int i = 0; i < p->variable_count; i++) {
        if (s->driven[i] && s->variables[i] >= 0) {
            s->problem->active[s->variables[i]] = 0;
        }
    }
}

lbt_scene *lbt_scene_create(const lbt_stage *stage, int hold_count, const lbt_hold *holds,
                            const lb_allocator *allocator, lb_error *error) {
    lbt_scene *s = lbf_new(allocator, 1, sizeof *s);
    if (!s) {
        lbf_fail(error, LB_ERROR_MEMORY, "out of memory", (char *)0);
        return NULL;
    }
    s->allocator = *allocator;
    s->stage = stage;
    s->figure_count = stage->problem->figure_count;
    size_t figures = (size_t)s->figure_count, variables = (size_t)stage->problem->variable_count;
    s->places = lbf_new(allocator, figures, sizeof *s->places);
    s->figures = lbf_new(allocator, figures, sizeof *s->figures);
    s->kinematics = lbf_new(allocator, figures, sizeof *s->kinematics);
    s->variables = lbf_new(allocator, variables, sizeof *s->variables);
    s->ids = lbf_new(allocator, (size_t)stage->problem->constraint_count, sizeof *s->ids);
    s->driven = lbf_new(allocator, variables, 1);
    s->clipped = lbf_new(allocator, variables, 1);
    s->warned = lbf_new(allocator, variables, 1);
    s->said = lbf_new(allocator, (size_t)stage->problem->constraint_count, 1);
    s->wanted = lbf_new(allocator, variables, sizeof *s->wanted);
    s->onward = lbf_new(allocator, figures, sizeof *s->onward);
    s->lags = lbf_new(allocator, (size_t)stage->problem->constraint_count, sizeof *s->lags);
    lb_status status = LB_ERROR_MEMORY;
    if (s->places && s->figures && s->kinematics && s->variables && s->ids && s->driven && s->clipped && s->wanted &&
        s->onward && s->lags && s->warned && s->said) {
        status = lbt_scene_make_figures(s, hold_count, holds, error);
    }
    if (!status) {
        status = make_problem(s, hold_count, holds, error);
    }
    if (!status) {
        mark_driven(s);
        status = lbt_scene_make_over(s);
    }
    if (!status) {
        return s;
    }
    if (status == LB_ERROR_MEMORY) {
        lbf_fail(error, status, "out of memory", (char *)0);
    }
    lbt_scene_destroy(s);
    return NULL;
}

void lbt_scene_destroy(lbt_scene *s) {
    if (!s) {
        return;
    }
    lb_allocator a = s->allocator;
    size_t figures = (size_t)s->figure_count, variables = (size_t)s->stage->problem->variable_count;
    lbt_scene_destroy_over(s);
    lb_solver_destroy(s->solver);
    if (s->pose) {
        lbf_delete(&a, s->pose, (size_t)s->problem->variable_count, sizeof *s->pose);
    }
    for (int f = 0; s->kinematics && f < s->figure_count; f++) {
        lb_kinematics_destroy(s->kinematics[f]);
    }
    lb_problem_destroy(s->problem);
    for (int f = 0; s->figures && f < s->figure_count; f++) {
        lb_figure_destroy(s->figures[f]);
    }
    lbf_delete(&a, s->places, figures, sizeof *s->places);
    lbf_delete(&a, s->figures, figures, sizeof *s->figures);
    lbf_delete(&a, s->kinematics, figures, sizeof *s->kinematics);
    lbf_delete(&a, s->variables, variables, sizeof *s->variables);
    lbf_delete(&a, s->ids, (size_t)s->stage->problem->constraint_count, sizeof *s->ids);
    lbf_delete(&a, s->driven, variables, 1);
    lbf_delete(&a, s->clipped, variables, 1);
    lbf_delete(&a, s->warned, variables, 1);
    lbf_delete(&a, s->said, (size_t)s->stage->problem->constraint_count, 1);
    lbf_delete(&a, s->wanted, variables, sizeof *s->wanted);
    lbf_delete(&a, s->onward, figures, sizeof *s->onward);
    lbf_delete(&a, s->lags, (size_t)s->stage->problem->constraint_count, sizeof *s->lags);
    lbf_delete(&a, s, 1, sizeof *s);
}

/* --- Solving at a time ------------------------------------------------------------------------------------------- */

static int id_in_scene(const lbt_scene *s, int id) {
    const lb_problem *p = s->stage->problem;
    for (int i = 0; i < p->constraint_count; i++) {
        if (p->constraints[i].id == id) {
            return s->ids[i];
        }
    }
    return -1;
}

static void frame_of(const double value[7], lb_frame *frame) {
    memcpy(frame->position, value, 3 * sizeof *value);
    memcpy(frame->rotation, value + 3, 4 * sizeof *value);
}

/* A root's track holds until the figure is first taken up. */
static int was_taken(const lbt_scene *s, int figure, int64_t time) {
    for (int i = 0; i < s->stage->carry_count; i++) {
        if (s->stage->carries[i].object == figure && s->stage->carries[i].from < time) {
            return 1;
        }
    }
    return 0;
}

static void drive_joint(const lbt_scene *s, const lbt_drive *d, const double rotation[4], double *pose) {
    const lb_problem *p = s->stage->problem;
    const lb_figure *f = p->figures[d->figure];
    const lb_joint_type *type = &f->draft.joints[d->joint].type;
    double dofs[LB_JOINT_MAX_DOFS] = {0};
    int count = lb_joint_type_dof_count(type), first = p->first_variables[d->figure];
    for (int i = 0; i < count; i++) {
        int own = f->coordinate_variable[lbf_coordinate(f, d->joint, i)];
        if (own >= 0) {
            dofs[i] = pose[first + own];
        }
    }
    if (lb_joint_type_dofs(type, rotation, dofs)) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if (lb_joint_type_is_angle(type, i)) {
            pose[first + f->coordinate_variable[lbf_coordinate(f, d->joint, i)]] = dofs[i];
        }
    }
}

static void drive_limits(lbt_scene *s, int variable, const double range[2]) {
    const lb_problem *p = s->stage->problem;
    int f = p->figure_count - 1;
    while (p->first_variables[f] > variable) {
        f--;
    }
    const lb_variable *own = &p->figures[f]->variables[variable - p->first_variables[f]];
    int to = s->variables[variable], host = s->places[f].figure;
    if (to < 0 || !s->figures[host]) {
        return;
    }
    to -= s->problem->first_variables[host];
    double lower = range[0] > own->lower ? range[0] : own->lower, upper = range[1] < own->upper ? range[1] : own->upper;
    if (lower > upper) { /* crossed: one value, inside the figure's own */
        double middle = 0.5 * (range[0] + range[1]);
        lower = upper = middle < own->lower ? own->lower : middle > own->upper ? own->upper : middle;
    }
    lb_figure *figure = s->figures[host]; /* our own copy */
    if (figure->lower[to] != lower || figure->upper[to] != upper) {
        s->problem->revision++;
    }
    figure->lower[to] = figure->variables[to].lower = lower;
    figure->upper[to] = figure->variables[to].upper = upper;
}

static lb_status drive_one(lbt_scene *s, const lbt_drive *d, int64_t time, int closing, double *pose) {
    double value[7];
    lb_frame frame;
    lb_status status = lbt_track_at(d->track, lbt_seconds(time), LBT_NEAR, closing, value);
    if (status) {
        return status;
    }
    switch (d->target) {
    case LB_DRIVE_TARGET_VARIABLE:
        pose[d->index] = value[0];
        break;
    case LB_DRIVE_TARGET_JOINT:
        drive_joint(s, d, value, pose);
        break;
    case LB_DRIVE_TARGET_ROOT:
        if (!was_taken(s, d->index, time)) {
            frame_of(value, &frame);
            lbt_root_values(lbt_stage_figure(s, d->index), &frame, pose + s->stage->problem->first_variables[d->index]);
        }
        break;
    case LB_DRIVE_TARGET_ROOT_ONWARD:
        return was_taken(s, d->index, time) ? LB_OK : lbt_scene_drive_onward(s, d, value, pose);
    case LB_DRIVE_TARGET_GOAL:
        frame_of(value, &frame);
        return lb_problem_move_goal(s->problem, id_in_scene(s, d->index), &frame);
    case LB_DRIVE_TARGET_WEIGHT:
        return lb_problem_set_weight(s->problem, id_in_scene(s, d->index), value[0] > 0 ? value[0] : 0);
    case LB_DRIVE_TARGET_ENABLED:
        return lb_problem_enable(s->problem, id_in_scene(s, d->index), value[0] >= 0.5);
    case LB_DRIVE_TARGET_ACTIVE:
        return s->variables[d->index] < 0 || s->driven[d->index]
                   ? LB_OK
                   : lb_problem_set_active(s->problem, s->variables[d->index], value[0] >= 0.5);
    case LB_DRIVE_TARGET_LIMITS:
        drive_limits(s, d->index, value);
        break;
    case LB_DRIVE_TARGET_FOOT:
    case LB_DRIVE_TARGET_SUPPORT:
        break; /* together, by lbt_scene_drive_bodies */
    }
    return LB_OK;
}

/* A goal on its way from where it is to a site, by a weight of 0 to 1. */
static lb_status follow(lbt_scene *s, const lbt_follow *follow, int64_t time, int closing) {
    double weight, turn[3], part[4];
    lb_status status = lbt_track_at(follow->weight, lbt_seconds(time), LBT_NEAR, closing, &weight);
    if (status || weight <= 0) {
        return status;
    }
    if (weight > 1) {
        weight = 1;
    }
    const lb_site *site = lb_figure_site(lbt_stage_figure(s, follow->figure), follow->site);
    int id = id_in_scene(s, follow->id), index = 0;
    while (s->problem->constraints[index].id != id) {
        index++;
    }
    const lb_goal *goal = &s->problem->constraints[index].constraint.goal;
    lb_frame frame, there;
    lbt_scene_segment(s, follow->figure, site->segment, &there);
    lb_frame_multiply(&there, &site->frame, &there);
    for (int i = 0; i < 3; i++) {
        frame.position[i] = goal->point[i] + weight * (there.position[i] - goal->point[i]);
    }
    lbt_turn(goal->rotation, there.rotation, turn);
    for (int i = 0; i < 3; i++) {
        turn[i] *= weight;
    }
    lbm_exponential_quaternion(turn, part);
    lb_rotation_multiply(goal->rotation, part, frame.rotation);
    return lb_problem_move_goal(s->problem, id, &frame);
}

lb_status lbt_scene_look(lbt_scene *s) {
    lb_status status = LB_OK;
    for (int f = 0; f < s->problem->figure_count && !status; f++) {
        status = lb_kinematics_update(s->kinematics[f], s->pose + s->problem->first_variables[f]);
    }
    return status;
}

static int follows_something(const lbt_scene *s, int id) {
    for (int i = 0; i < s->stage->follow_count; i++) {
        if (s->stage->follows[i].id == id) {
            return 1;
        }
    }
    return 0;
}

/* Goals that follow, or lag, begin from where they are by themselves; their own tracks come after. */
static void goals_at_rest(lbt_scene *s) {
    for (int k = 0; k < s->stage->problem->constraint_count; k++) {
        if (s->lags[k].is_late || follows_something(s, s->stage->problem->constraints[k].id)) {
            const lb_goal *from = &s->stage->problem->constraints[k].constraint.goal;
            lb_goal *to = &s->problem->constraints[k].constraint.goal;
            lbm_copy3(to->point, from->point);
            memcpy(to->rotation, from->rotation, sizeof to->rotation);
            lbm_copy3(to->x, from->x);
            lbm_copy3(to->y, from->y);
            lbm_copy3(to->normal, from->normal);
            s->problem->moves++;
        }
    }
}

/* Driven values into the limits, as far as these allow; what is clipped is marked. */
static lb_status clip_drives(lbt_scene *s) {
    const lb_problem *p = s->stage->problem;
    lb_status status = LB_OK;
    for (int f = 0; f < s->problem->figure_count && !status; f++) {
        status = lb_kinematics_project(s->kinematics[f], s->pose + s->problem->first_variables[f]);
    }
    for (int i = 0; i < p->variable_count && !status; i++) {
        s->clipped[i] = s->driven[i] && s->variables[i] >= 0 && fabs(s->pose[s->variables[i]] - s->wanted[i]) > 1e-9;
    }
    return status;
}

static lb_status apply(lbt_scene *s, int64_t time, int closing, const double *pose) {
    const lb_problem *p = s->stage->problem;
    lb_status status = LB_OK;
    memcpy(s->wanted, pose, (size_t)p->variable_count * sizeof *pose);
    goals_at_rest(s);
    for (int i = 0; i < s->stage->clip_count && !status; i++) {
        const lbt_clip_drive *c = &s->stage->clips[i];
        status = lb_clip_sample(c->clip, lbt_seconds(time) - c->from, c->interpolation,
                                s->wanted + p->first_variables[c->figure], NULL, NULL);
    }
    for (int i = 0; i < s->stage->drive_count && !status; i++) {
        status = drive_one(s, &s->stage->drives[i], time, closing, s->wanted);
    }
    status = status ? status : lbt_scene_drive_bodies(s, time, closing);
    for (int i = 0; i < p->variable_count; i++) {
        if (s->variables[i] >= 0) {
            s->pose[s->variables[i]] = s->wanted[i];
        }
    }
    if (!status) {
        status = clip_drives(s);
    }
    if (s->stage->follow_count && !status) {
        status = lbt_scene_look(s);
    }
    for (int i = 0; i < s->stage->follow_count && !status; i++) {
        status = follow(s, &s->stage->follows[i], time, closing);
    }
    return status ? status : lbt_scene_lag_goals(s, time);
}

/* What is carried goes where it is carried to. */
static void place_held(const lbt_scene *s, double *pose) {
    const lb_problem *p = s->stage->problem;
    for (int f = 0; f < s->figure_count; f++) {
        if (!s->places[f].held) {
            continue;
        }
        const lb_figure *figure = p->figures[f];
        const lb_root *root = &figure->draft.root;
        lb_frame frame_w;
        lbt_scene_segment(s, f, root->segment, &frame_w);
        if (root->site >= 0) {
            lb_frame_multiply(&frame_w, &figure->draft.sites[root->site].frame, &frame_w);
        }
        lbt_root_values(figure, &frame_w, pose + p->first_variables[f]);
    }
}

/* Limits in the result speak of the scene's variables. */
static void name_limits(const lbt_scene *s, lb_result *result) {
    lb_active_limit *limits = (lb_active_limit *)result->limits; /* the memory of our own solver */
    for (int i = 0; i < result->limit_count; i++) {
        for (int k = 0; limits[i].variable >= 0 && k < s->stage->problem->variable_count; k++) {
            if (s->variables[k] == limits[i].variable) {
                limits[i].variable = k;
                break;
            }
        }
    }
    lb_constraint_result *constraints = (lb_constraint_result *)result->constraints;
    for (int i = 0; i < result->constraint_count; i++) {
        constraints[i].id = s->stage->problem->constraints[i].id;
    }
}

lb_status lbt_scene_solve(lbt_scene *s, const lbt_moment *moment, const lb_solve_options *options, const double *before,
                          double *pose, lb_result *result) {
    lb_status status = apply(s, moment->time, moment->closing, before);
    if (status) {
        lbs_clear_result(result);
        return status;
    }
    lb_solve_options own = *options;
    own.method = s->stage->has_method ? s->stage->method : own.method;
    status = lbt_scene_solve_over(s, moment, &own, result);
    status = status ? status : lb_solver_solve(s->solver, &own, s->pose, result);
    if (status) {
        return status;
    }
    for (int i = 0; i < s->stage->problem->variable_count; i++) {
        pose[i] = s->variables[i] >= 0 ? s->pose[s->variables[i]] : before[i];
    }
    lbt_scene_hold_rates(s, before, moment->since, pose);
    status = lbt_scene_look(s);
    if (status) {
        return status;
    }
    place_held(s, pose);
    name_limits(s, result);
    return LB_OK;
}

void lbt_scene_segment(const lbt_scene *s, int figure, int segment, lb_frame *frame_w) {
    const lbt_place *place = &s->places[figure];
    lb_kinematics_segment(s->kinematics[place->figure], place->first_segment + segment, frame_w);
}
