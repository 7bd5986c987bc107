/* The public calls of a drag, and what drags of all figures have in common. */
#include "solve/drag/drag.h"

#include <string.h>

#include "figure/error.h"
#include "figure/sized.h"
#include "math/arena.h"
#include "math/rotation.h"
#include "math/rounding.h"
#include "math/trig.h"
#include "math/vec.h"
#include "solve/call.h"
#include "solve/solver.h"

#define THERE 1e-3        /* metres: near enough for a hand on a mouse, */
#define THERE_RAD 5e-3    /* and radians */
#define WHOLE_CARROT 0.05 /* metres of carrot that carrot_rad is for */
#define WHY_ITERATIONS 30 /* what is tried when the hand rests: it may take as long as a few frames */
#define WHY_EVALUATIONS 1500
#define WHY_ITERATIONS_OF_BODIES 10

static const lbf_sized options_kind = LBF_SIZED(lb_drag_options, max_iterations);
static const lbf_sized state_kind = LBF_SIZED(lb_drag_state, steps);

static lb_drag_options default_options(void) {
    lb_drag_options o = {.struct_size = sizeof o, .constraint = -1, .hold_count = -1, .is_free = 1};
    o.effector.x[0] = o.effector.y[1] = 1;
    return o;
}

void lb_drag_options_defaults_sized(lb_drag_options *options, size_t struct_size) {
    const lb_drag_options made = default_options();
    lbf_default_sized(&options_kind, &made, options, struct_size);
}

void lb_drag_state_defaults_sized(lb_drag_state *state, size_t struct_size) {
    static const lb_drag_state made = {.struct_size = sizeof made, .at = {{0, 0, 0}, {0, 0, 0, 1}}};
    lbf_default_sized(&state_kind, &made, state, struct_size);
}

/* --- What both need -------------------------------------------------------------------------------------------------- */

static double angle_of(const double q[4]) {
    return 2 * lbm_atan2(sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2]), fabs(q[3]));
}

static void invert(const double q[4], double out[4]) { out[0] = -q[0], out[1] = -q[1], out[2] = -q[2], out[3] = q[3]; }

lb_frame lbs_drag_here(lb_drag *drag, const double *pose) {
    const int figure = drag->options.figure;
    lb_frame here = {{0, 0, 0}, {0, 0, 0, 1}}, segment;
    if (drag->segment < 0) {
        return here;
    }
    lb_kinematics_update(drag->kinematics[figure], pose + drag->problem->first_variables[figure]);
    lb_kinematics_segment(drag->kinematics[figure], drag->segment, &segment);
    lbm_quaternion_rotate(segment.rotation, drag->point, here.position);
    for (int i = 0; i < 3; i++) {
        here.position[i] = segment.position[i] + here.position[i];
    }
    lbm_quaternion_multiply(segment.rotation, drag->rotation, here.rotation);
    return here;
}

lbs_miss lbs_drag_miss(const lb_drag *drag, const lb_frame *here) {
    double back[4], left[4], way[3];
    invert(here->rotation, back);
    lbm_quaternion_multiply(drag->target.rotation, back, left);
    lbm_sub3(here->position, drag->target.position, way);
    return (lbs_miss){lbm_norm3(way), drag->options.turns ? angle_of(left) : 0};
}

void lbs_drag_move_goal(lb_drag *drag, const lb_frame *frame) {
    const lb_status status = lb_problem_move_goal(drag->problem, drag->id, frame);
    drag->status = drag->status ? drag->status : status;
}

/* A rotation on the way from one to another. */
static void mix_rotations(const double from[4], const double to[4], double share, double out[4]) {
    double back[4], step[4], turn[4], axis[3];
    invert(from, back);
    lbm_quaternion_multiply(to, back, step);
    for (int i = 0; i < 4 && step[3] < 0; i++) {
        turn[i] = -step[i];
        if (i == 3) {
            memcpy(step, turn, sizeof step);
        }
    }
    const double angle = angle_of(step), size = lbm_norm3(step);
    memcpy(out, from, 4 * sizeof *out);
    if (angle < 1e-12 || size < 1e-300) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        axis[i] = step[i] / size;
        turn[i] = axis[i] * lbm_sin(angle * share / 2);
    }
    turn[3] = lbm_cos(angle * share / 2);
    lbm_quaternion_multiply(turn, from, out);
    lbm_quaternion_normalise(out);
}

double lbs_drag_aim(lb_drag *drag, const lb_frame *here, lbs_miss miss, double carrot) {
    const double share = lbs_least(1, carrot / lbs_most(miss.distance, 1e-12));
    const double turn = lbs_least(1, carrot / WHOLE_CARROT * drag->options.carrot_rad / lbs_most(miss.angle, 1e-12));
    lb_frame goal = drag->target;
    for (int i = 0; i < 3; i++) {
        goal.position[i] = share < 1 ? here->position[i] + (drag->target.position[i] - here->position[i]) * share
                                     : drag->target.position[i] + drag->plain.offset[i];
    }
    if (drag->options.turns && turn < 1) {
        mix_rotations(here->rotation, drag->target.rotation, turn, goal.rotation);
    }
    lbs_drag_move_goal(drag, &goal);
    return share;
}

void lbs_drag_solve(lb_drag *drag, const lb_solve_options *options, double *pose) {
    const lb_status status = lb_solver_solve(drag->solver, options, pose, &drag->solved);
    if (status) {
        drag->status = drag->status ? drag->status : status;
        drag->solved.outcome = LB_OUTCOME_INVALID;
        drag->solved.constraint_count = drag->solved.limit_count = 0;
    }
}

double lbs_drag_far(const lb_drag *drag, const double *a, const double *b) {
    double most = 0;
    for (int v = 0; v < drag->variables; v++) {
        most = lbs_most(most, fabs(a[v] - b[v]));
    }
    return most;
}

static void copy_bodies(const lb_drag *drag, lbs_found *to, const lb_body_result *(*body_of)(const void *, int),
                        const void *from) {
    for (int f = 0; f < drag->problem->figure_count; f++) {
        const lb_body_result *body = body_of(from, f);
        to->has_body[f] = body != NULL;
        if (!body) {
            continue;
        }
        to->bodies[f] = *body;
        memcpy(to->contacts[f], body->contacts, (size_t)body->contact_count * sizeof *body->contacts);
        memcpy(to->efforts[f], body->efforts, (size_t)body->effort_count * sizeof *body->efforts);
        memcpy(to->steps[f], body->steps, (size_t)body->step_count * sizeof *body->steps);
        to->bodies[f].contacts = to->contacts[f];
        to->bodies[f].efforts = to->efforts[f];
        to->bodies[f].steps = to->steps[f];
    }
}

static void copy_result(lbs_found *to, const lb_result *from) {
    to->result = *from;
    to->is_there = 1;
    if (from->constraint_count) {
        memcpy(to->constraints, from->constraints, (size_t)from->constraint_count * sizeof *from->constraints);
    }
    if (from->limit_count) {
        memcpy(to->limits, from->limits, (size_t)from->limit_count * sizeof *from->limits);
    }
    to->result.constraints = to->constraints;
    to->result.limits = to->limits;
    to->result.level_count = to->result.reason_count = to->result.measure_count = 0;
    to->result.levels = NULL, to->result.reasons = NULL, to->result.measures = NULL;
}

static const lb_body_result *body_of_solver(const void *solver, int figure) {
    return lb_solver_body((const lb_solver *)solver, figure);
}

static const lb_body_result *body_of_found(const void *found, int figure) {
    const lbs_found *f = (const lbs_found *)found;
    return f->has_body[figure] ? &f->bodies[figure] : NULL;
}

void lbs_drag_keep(lb_drag *drag, lbs_found *found) {
    copy_result(found, &drag->solved);
    copy_bodies(drag, found, body_of_solver, drag->solver);
}

void lbs_drag_copy_found(const lb_drag *drag, lbs_found *to, const lbs_found *from) {
    copy_result(to, &from->result);
    copy_bodies(drag, to, body_of_found, from);
}

lb_drag *lb_drag_create(lb_problem *problem, const double *pose, const lb_drag_options *given, lb_error *error) {
    lb_drag_options options = default_options();
    if (!problem || !pose) {
        lbf_refuse(error, LB_ERROR_ARGUMENT, "a drag needs a problem and a pose");
        return NULL;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        lbf_refuse(error, LB_ERROR_UNSUPPORTED, LBM_NOT_NEAREST);
        return NULL;
    }
    if (lbf_take_sized(&options_kind, given, &options, error) || lbs_drag_check_options(problem, &options, error)) {
        return NULL;
    }
    if (!lbm_all_finite(pose, problem->variable_count)) {
        lbf_refuse(error, LB_ERROR_ARGUMENT, "the pose to drag from is not finite");
        return NULL;
    }
    lb_drag *drag = lbs_drag_allocate(problem, &options, error);
    if (!drag) {
        return NULL;
    }
    lbs_drag_note_problem(drag);
    drag->options.holds = NULL; /* noted */
    if (lbs_drag_take_hold(drag, pose, error)) {
        lb_drag_destroy(drag);
        return NULL;
    }
    return drag;
}

void lb_drag_destroy(lb_drag *drag) {
    if (!drag) {
        return;
    }
    const lb_allocator allocator = drag->allocator;
    lbs_drag_put_back(drag);
    lb_solver_destroy(drag->solver);
    for (int f = 0; f < drag->problem->figure_count; f++) {
        lb_kinematics_destroy(drag->kinematics[f]);
    }
    lbf_delete(&allocator, drag->block, drag->size, 1);
    lbf_delete(&allocator, drag, 1, sizeof *drag);
}

/* --- Frames -------------------------------------------------------------------------------------------------------------- */

static int is_same(const lb_frame *a, const lb_frame *b) {
    int same = 1;
    for (int i = 0; i < 4; i++) {
        same &= a->rotation[i] == b->rotation[i] && (i == 3 || a->position[i] == b->position[i]);
    }
    return same;
}

static void tell(lb_drag *drag, lb_drag_state *state) {
    if (drag->segment >= 0) {
        state->at = lbs_drag_here(drag, drag->pose);
        const lbs_miss miss = lbs_drag_miss(drag, &state->at);
        state->miss = miss.distance;
        state->miss_rad = miss.angle;
        state->is_there = miss.distance < THERE && miss.angle < THERE_RAD;
    } else {
        const int index = lbp_index_of(drag->problem, drag->id);
        state->is_there = drag->now.is_there && index >= 0 && index < drag->now.result.constraint_count &&
                          drag->now.constraints[index].met;
    }
    state->settled = drag->settled;
    state->blocked = drag->blocked;
    state->gliding = drag->body.is_gliding;
    state->glides = drag->body.glides;
    memcpy(state->steps, drag->body.steps, sizeof state->steps);
}

lb_status lb_drag_think(lb_drag *drag) {
    if (!drag) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    drag->status = LB_OK;
    if (drag->is_body) {
        lbs_drag_think_body(drag);
    }
    return drag->status;
}

lb_status lb_drag_move(lb_drag *drag, const lb_frame *target, double *pose, lb_drag_state *given) {
    lb_drag_state state;
    lb_drag_state_defaults(&state);
    if (!drag || !target || !pose) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = given ? lbf_check_sized(&state_kind, given, NULL) : LB_OK;
    lb_frame unit = *target;
    LBM_ROUND_TO_NEAREST(rounding);
    if (status || !rounding.is_nearest) {
        return status ? status : LB_ERROR_UNSUPPORTED;
    }
    if (!lbm_all_finite(target->position, 3) || !lbm_quaternion_normalise(unit.rotation)) {
        return LB_ERROR_ARGUMENT;
    }
    status = lb_drag_think(drag);
    if (!drag->has_target || !is_same(&drag->target, target)) {
        drag->has_target = 1;
        drag->target = *target;
        drag->settled = 0;
        drag->plain.last_miss = INFINITY;
        lbs_drag_renew_body(drag);
    }
    if (!drag->settled && !status) {
        (drag->is_body ? lbs_drag_follow_body : lbs_drag_follow_plain)(drag);
    }
    memcpy(pose, drag->pose, (size_t)drag->variables * sizeof *pose);
    tell(drag, &state);
    if (given) {
        lbf_give_sized(&state_kind, &state, given);
    }
    return drag->status;
}

lb_status lb_drag_end(lb_drag *drag, double *pose) {
    if (!drag || !pose) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    drag->status = LB_OK;
    if (drag->is_body) {
        lbs_drag_end_body(drag);
    }
    memcpy(pose, drag->pose, (size_t)drag->variables * sizeof *pose);
    return drag->status;
}

const lb_result *lb_drag_result(const lb_drag *drag) { return drag && drag->now.is_there ? &drag->now.result : NULL; }

const lb_body_result *lb_drag_body(const lb_drag *drag, int figure) {
    return drag && drag->now.is_there && figure >= 0 && figure < drag->problem->figure_count
               ? body_of_found(&drag->now, figure)
               : NULL;
}

lb_status lb_drag_explain(lb_drag *drag, lb_result *result) {
    lb_solve_options options;
    if (!drag || !result || !drag->has_target) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbs_check_result(result, NULL);
    if (status) {
        return status;
    }
    drag->status = LB_OK;
    lbs_drag_move_goal(drag, &drag->target);
    if (!drag->is_body) {
        lbs_drag_set_stay(drag, 0);
    }
    lb_solve_options_defaults(&options);
    options.max_iterations = 0;
    memcpy(drag->room.other, drag->pose, (size_t)drag->variables * sizeof *drag->room.other);
    status = drag->status ? drag->status : lb_solver_solve(drag->solver, &options, drag->room.other, result);
    options.max_iterations = drag->is_body ? WHY_ITERATIONS_OF_BODIES : WHY_ITERATIONS;
    options.max_evaluations = drag->is_body ? options.max_evaluations : WHY_EVALUATIONS;
    return status ? status : lb_solver_explain(drag->solver, &options, drag->pose, result);
}
