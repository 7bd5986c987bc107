/* The public calls of a solve, and its memory. */
#include "solve/solver.h"

#include <stddef.h>
#include <string.h>

#include "math/rounding.h"
#include "solve/arm/arm.h"
#include "solve/methods/lm/lm.h"
#include "solve/route.h"
#include "solve/starts.h"
#include "solve/turns.h"

const char *lb_outcome_name(lb_outcome outcome) {
    static const char *const names[] = {"invalid", "solved", "minimum", "budget"};
    return (int)outcome >= 0 && outcome <= LB_OUTCOME_BUDGET ? names[outcome] : "unknown";
}

/* --- Memory ------------------------------------------------------------------------------------------------- */

static void *aligned(void *block) { return (char *)block + (-(uintptr_t)block & 63); }

lb_solver *lb_solver_create(const lb_problem *problem, lb_error *error) {
    if (!problem) {
        lbf_fail(error, LB_ERROR_ARGUMENT, "a solver needs a problem", (char *)0);
        return NULL;
    }
    lb_solver *solver = lbf_new(&problem->allocator, 1, sizeof *solver);
    if (!solver) {
        lbf_fail(error, LB_ERROR_MEMORY, "out of memory", (char *)0);
        return NULL;
    }
    solver->problem = problem;
    solver->allocator = problem->allocator;
    solver->chain = lbf_new(&solver->allocator, 1, sizeof *solver->chain);
    solver->chain_block = lbf_new(&solver->allocator, lbs_chain_size() + 64, 1);
    solver->chain_memory = aligned(solver->chain_block);
    lb_status status = solver->chain && solver->chain_block ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        status = lb_solver_prepare(solver, LB_METHOD_LM);
    }
    if (!status) {
        lbf_clear(error);
        return solver;
    }
    lbf_fail(error, status,
             status == LB_ERROR_TOO_LARGE ? "the problem has too many variables and constraints" : "out of memory",
             (char *)0);
    lb_solver_destroy(solver);
    return NULL;
}

static void free_space(lb_solver *solver) {
    lbs_space_destroy(solver->space, solver->space_size);
    solver->space = NULL;
    lbf_delete(&solver->allocator, solver->vectors, solver->vectors_size, 1);
    solver->vectors = NULL;
    lbf_delete(&solver->allocator, solver->chain_room, solver->chain_room_size, 1);
    solver->chain_room = NULL;
    solver->chain_tried = solver->has_chain = 0;
}

void lb_solver_destroy(lb_solver *solver) {
    if (!solver) {
        return;
    }
    lb_allocator a = solver->allocator;
    free_space(solver);
    if (solver->work) {
        lbf_delete(&a, solver->work, solver->work_size, sizeof(double));
    }
    lbf_delete(&a, solver->chain, 1, sizeof *solver->chain);
    lbf_delete(&a, solver->chain_block, lbs_chain_size() + 64, 1);
    lbf_delete(&a, solver, 1, sizeof *solver);
}

static int make_chain_room(lb_solver *solver) {
    int variables = solver->problem->variable_count, nodes = solver->space->node_count;
    solver->chain_room_size = lbs_chain_place(solver->chain, variables, nodes, NULL) + 64;
    solver->chain_room = lbf_new(&solver->allocator, solver->chain_room_size, 1);
    if (!solver->chain_room) {
        return 0;
    }
    lbs_chain_place(solver->chain, variables, nodes, aligned(solver->chain_room));
    return 1;
}

static lb_status make_space(lb_solver *solver) {
    const lb_problem *p = solver->problem;
    size_t n = (size_t)p->variable_count, limits = lbs_max_limits(p), constraints = (size_t)p->constraint_count;
    size_t levels = lbs_max_levels(p), held = (limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE) * n;
    free_space(solver);
    solver->space = lbs_space_create(p, &solver->space_size);
    size_t items = solver->space ? (size_t)solver->space->item_count : 0, spans = items * LBP_MAX_ROWS * LBP_MAX_ROWS;
    size_t goals = items * LBP_MAX_ROWS * n;
    size_t numbers = (7 * n + limits + 2 * levels + held + goals + spans + 1) * sizeof(double);
    solver->vectors_size = numbers + constraints * sizeof(lb_constraint_result) +
                           (n + limits) * sizeof(lb_active_limit) + levels * sizeof(lb_level_result) + n;
    solver->vectors = lbf_new(&solver->allocator, solver->vectors_size, 1);
    if (!solver->space || !solver->vectors || !make_chain_room(solver)) {
        free_space(solver);
        return LB_ERROR_MEMORY;
    }
    double **parts[] = {&solver->z,         &solver->best,   &solver->first, &solver->gradient,
                        &solver->direction, &solver->bounds, &solver->answer};
    for (size_t i = 0; i < 7; i++) {
        *parts[i] = solver->vectors + i * n;
    }
    solver->limits = solver->vectors + 7 * n;
    solver->best_levels = solver->limits + limits;
    solver->norms = solver->best_levels + levels;
    solver->held_rows = solver->norms + levels;
    solver->goal_rows = solver->held_rows + held;
    solver->spans = solver->goal_rows + goals;
    solver->active = (lb_active_limit *)(void *)((char *)solver->vectors + numbers);
    solver->constraints = (lb_constraint_result *)(void *)(solver->active + n + limits);
    solver->levels = (lb_level_result *)(void *)(solver->constraints + constraints);
    solver->usable = (unsigned char *)(solver->levels + levels);
    solver->chain_lanes = lbs_chain_lanes(solver->space->kernels->isa);
    solver->shape = p->shape;
    solver->ready = 0;
    return LB_OK;
}

lb_status lb_solver_prepare(lb_solver *solver, lb_method method) {
    if (!solver || (int)method < 0 || method >= LBS_METHODS) {
        return LB_ERROR_ARGUMENT;
    }
    if (!solver->space || solver->shape != solver->problem->shape) {
        lb_status status = make_space(solver);
        if (status) {
            return status;
        }
    }
    if (solver->ready & 1u << method) {
        return LB_OK;
    }
    size_t needed = lbs_work_size(solver->space, method);
    if (needed > solver->work_size) {
        if (needed > (size_t)1 << 30) {
            return LB_ERROR_TOO_LARGE;
        }
        double *work = lbf_new(&solver->allocator, needed, sizeof *work);
        if (!work) {
            return LB_ERROR_MEMORY;
        }
        if (solver->work) {
            lbf_delete(&solver->allocator, solver->work, solver->work_size, sizeof *work);
        }
        solver->work = work;
        solver->work_size = needed;
    }
    solver->ready |= 1u << method;
    return LB_OK;
}

/* --- Solving ------------------------------------------------------------------------------------------------------- */

static void clear_result(lb_result *result, lb_error *error) {
    lbs_clear_result(result);
    lbf_clear(error);
}

/* With LIMBER_POISON, work memory is filled with numbers that spoil every result, so that whoever reads what he did not
 * write is found out. */
static void poison(lb_solver *solver) {
#ifdef LIMBER_POISON
    memset(solver->work, 0xA5, solver->work_size * sizeof *solver->work);
#else
    (void)solver;
#endif
}

static lb_status begin(lb_solver *solver, const lb_solve_options *o, const double *pose, lb_result *result,
                       lb_error *error) {
    clear_result(result, error);
    solver->engine = LB_ENGINE_NONE;
    solver->has_norms = 0;
    lb_status status = lbs_check_options(o, error);
    if (status) {
        return status;
    }
    status = lb_solver_prepare(solver, o->method);
    if (status) {
        lbf_fail(error, status, lb_status_text(status), (char *)0);
        return status;
    }
    poison(solver);
    return lbs_begin(solver->space, o, pose, error);
}

lb_status lbs_place_goals(lbs_space *s, const lbs_goals *goals, lb_error *error) {
    for (int i = 0; goals && i < goals->count; i++) {
        if (lbp_move_goal(&s->items[goals->items[i]].goal.goal, &goals->frames[i])) {
            return lbf_fail(error, LB_ERROR_ARGUMENT, "a goal is not finite, or its rotation is zero", (char *)0);
        }
    }
    return LB_OK;
}

/* The numbers of an answer, which is z. */
static void finish(lb_solver *solver, lb_result *result) {
    lbs_space *s = solver->space;
    result->value = lbs_value(s, solver->z);
    result->wish_value = s->has_wish_level ? s->level_value[s->goal_level_count] : 0;
    result->iterations = s->iterations;
    result->evaluations = s->evaluations;
    result->restarts = s->restarts;
    result->engine = solver->engine;
}

/* Whether nothing is left to do after the arm engine: it solved (long chains come here), or was stopped on the way. What it
 * has is the best so far, then. */
static int is_done_by_arm(lb_solver *solver, const lb_solve_options *o, const lbs_arm_work *arm, lb_outcome *outcome) {
    lbs_space *s = solver->space;
    if (!arm->did) {
        return 0;
    }
    lbs_arm_count(solver, o, arm->did);
    if (!s->stopped && arm->did->end != LBS_CHAIN_SOLVED) {
        return 0;
    }
    memcpy(solver->z, arm->answer, (size_t)s->n * sizeof(double));
    lbs_value(s, solver->z);
    if (lbs_is_better(solver)) {
        lbs_keep_best(solver);
    }
    *outcome = lbs_met(s, 0) ? LB_OUTCOME_SOLVED : LB_OUTCOME_BUDGET;
    return s->stopped || *outcome == LB_OUTCOME_SOLVED;
}

/* Whole turns taken off an answer may leave wishes in the goals' sum something to do. */
static lb_outcome settle(lb_solver *solver, const lb_solve_options *o, double *pose, lb_outcome outcome,
                         lb_error *error) {
    lbs_space *s = solver->space;
    for (int pass = 0; pass < 4 && !s->stopped; pass++) {
        lbs_from_pose(s, pose, solver->z);
        outcome = lbs_run(solver, o, error);
        lbs_to_pose(s, solver->z, pose);
        if (!lbs_unwrap(s, pose)) {
            return outcome;
        }
    }
    return LB_OUTCOME_BUDGET;
}

/* From start to start by the method that was asked for, the arm engine's work taken into account. */
static lb_status solve_generally(lb_solver *solver, const lb_solve_options *o, const lbs_arm_work *arm, double *pose,
                                 lb_result *result, lb_error *error) {
    lbs_space *s = solver->space;
    lbs_keep_best(solver);
    result->outcome = LB_OUTCOME_BUDGET;
    if (!is_done_by_arm(solver, o, arm, &result->outcome)) {
        result->outcome = lbs_run_starts(solver, o, arm->applies, error);
    }
    if (result->outcome == LB_OUTCOME_INVALID) {
        return LB_ERROR_UNSUPPORTED;
    }
    lbs_to_pose(s, solver->best, pose);
    if (lbs_unwrap(s, pose) && lbp_has_wishes(s->problem) && !s->has_wish_level) {
        result->outcome = settle(solver, o, pose, result->outcome, error);
    }
    return LB_OK;
}

void lbs_grant_wishes(lb_solver *solver, double *pose, int are_goals_done) {
    lbs_space *s = solver->space;
    lbs_show_wishes(s);
    for (int pass = 0; pass < 4 && are_goals_done && !s->stopped; pass++) {
        lbs_from_pose(s, pose, solver->z);
        lbs_lm_wishes(s, solver->work, solver->z);
        lbs_to_pose(s, solver->z, pose);
        if (!lbs_unwrap(s, pose)) {
            break;
        }
    }
}

static void decide_outcome(lb_solver *solver, double *pose, lb_result *result) {
    lbs_space *s = solver->space;
    lbs_from_pose(s, pose, solver->z);
    lbs_value(s, solver->z);
    if (lbs_met(s, s->level_count - 1)) {
        result->outcome = LB_OUTCOME_SOLVED;
        return;
    }
    if (result->outcome == LB_OUTCOME_SOLVED) {
        result->outcome = LB_OUTCOME_BUDGET;
    }
    if (s->goal_level_count == 1 && lbs_total(s) > result->value_before) {
        /* where G depends on the last digit (in the very point to be aimed at) the pose may not have kept it */
        memcpy(pose, s->start, (size_t)s->problem->variable_count * sizeof *pose);
        lbs_from_pose(s, pose, solver->z);
        lbs_value(s, solver->z);
        result->outcome = LB_OUTCOME_BUDGET;
    }
    if (result->outcome == LB_OUTCOME_MINIMUM && (s->late || !lbs_is_minimum(solver))) {
        result->outcome = LB_OUTCOME_BUDGET;
    }
}

void lbs_decide(lb_solver *solver, double *pose, lb_result *result) {
    decide_outcome(solver, pose, result);
    finish(solver, result);
}

lb_status lbs_open(lb_solver *solver, const lb_solve_options *o, const double *pose, lb_result *result,
                   lb_error *error) {
    lb_status status = begin(solver, o, pose, result, error);
    if (!status) {
        lbs_from_pose(solver->space, solver->space->start, solver->z);
    }
    return status;
}

/* The same for what is one of many: other goals, or a part that the arm engine has done. */
static lb_status open_one(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, const lbs_part *part,
                          const double *pose, lb_result *result, lb_error *error) {
    lb_status status = LB_OK;
    if (part) {
        clear_result(result, error);
        solver->has_norms = 0;
        lbs_resume(solver->space, o, part->start);
        solver->space->items[solver->chain->item].goal.goal = part->goal;
    } else {
        status = begin(solver, o, pose, result, error);
        if (!status) {
            status = lbs_place_goals(solver->space, goals, error);
        }
    }
    if (!status) {
        lbs_from_pose(solver->space, solver->space->start, solver->z);
    }
    return status;
}

/* Whether the wishes have a value at the start, which is z. */
static int can_wish(lb_solver *solver) {
    lbs_space *s = solver->space;
    if (!s->has_wish_level) {
        return 1;
    }
    lbs_show_wishes(s);
    const double value = lbs_wishes(s, solver->z, NULL, NULL);
    lbs_hide_wishes(s);
    return lbm_is_finite(value);
}

lb_status lbs_solve(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, const lbs_part *part,
                    double *pose, lb_result *result, lb_error *error) {
    lb_status status = open_one(solver, o, goals, part, pose, result, error);
    if (status) {
        return status;
    }
    lbs_space *s = solver->space;
    lbs_chain_job job;
    lbs_arm_work arm = {part || lbs_arm_applies(solver, o), part ? &part->job : NULL,
                        part ? part->z : solver->direction};
    if (arm.applies && !part) {
        arm.did = lbs_arm_run(solver, o, 0, o->tracking ? 0 : o->restarts, &job, solver->direction);
    }
    int is_quick = arm.did && arm.did->end == LBS_CHAIN_SOLVED && s->n <= LBS_CHAIN_MAX, stays = 0;
    if (is_quick) { /* the same count as with an evaluation of the start: the answer's, if that is the start */
        stays = arm.did->iterations == 0 && memcmp(arm.answer, solver->z, (size_t)s->n * sizeof(double)) == 0;
        s->evaluations = !stays;
        if (!part) {
            result->value_before = lbs_chain_value(solver->chain, &s->items[solver->chain->item], job.first);
        }
    } else {
        result->value_before = lbs_value(s, solver->z);
    }
    if (!lbm_is_finite(result->value_before) || !can_wish(solver)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "a goal's value is not finite at the start pose", (char *)0);
    }
    int is_accepted = is_quick && lbs_arm_accept(solver, o, &arm, pose);
    if (is_accepted) {
        result->outcome = LB_OUTCOME_SOLVED;
    } else {
        lbs_value(s, solver->z);
        status = solve_generally(solver, o, &arm, pose, result, error);
        if (status) {
            return status;
        }
    }
    if (s->has_wish_level) {
        lbs_grant_wishes(solver, pose, result->outcome != LB_OUTCOME_BUDGET);
    }
    if (s->has_wish_level || !is_accepted) {
        decide_outcome(solver, pose, result);
    }
    finish(solver, result);
    if (stays && !s->has_wish_level) {
        result->value_before = result->value;
    }
    return LB_OK;
}

/* Where the thread rounds otherwise than to nearest and that cannot be changed. */
lb_status lbs_refuse_rounding(lb_result *result) {
    lb_error error;
    clear_result(result, &error);
    lb_status status = lbf_fail(&error, LB_ERROR_UNSUPPORTED, LBM_NOT_NEAREST, (char *)0);
    return lbs_refuse(result, &error, status);
}

static lb_status solve_and_report(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result) {
    lb_error error;
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbs_refuse_rounding(result);
    }
    lb_status status = lbs_solve(solver, options, NULL, NULL, pose, result, &error);
    if (status) {
        return lbs_refuse(result, &error, status);
    }
    lbs_report(solver, result);
    return LB_OK;
}

lb_status lb_solver_solve(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result) {
    lbs_call call;
    if (!solver || !pose || !result) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbs_call_begin(&call, options, result);
    return status ? status : lbs_call_end(&call, solve_and_report(solver, &call.options, pose, call.result));
}

lb_status lb_solve(const lb_problem *problem, const lb_solve_options *options, double *pose, lb_result *result) {
    lb_error error;
    if (!problem || !pose || !result) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = lbs_check_result(result, NULL);
    if (status) {
        return status;
    }
    lb_solver *solver = lb_solver_create(problem, &error);
    if (!solver) {
        lbs_clear_result(result);
        return lbs_refuse(result, &error, error.status);
    }
    status = lb_solver_solve(solver, options, pose, result);
    if (!status && result->outcome == LB_OUTCOME_MINIMUM && !(options && options->deadline_us > 0)) {
        status = lb_solver_explain(solver, options, pose, result);
    }
    result->constraints = NULL;
    result->limits = NULL;
    result->levels = NULL;
    result->reasons = NULL;
    result->constraint_count = result->limit_count = result->level_count = result->reason_count = 0;
    lb_solver_destroy(solver);
    return status;
}

lb_status lb_solver_value(lb_solver *solver, const double *pose, double *value, double *gradient) {
    if (!solver || !pose || !value) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lb_solve_options options;
    lb_error error;
    lb_result result;
    lb_solve_options_defaults(&options);
    lb_status status = begin(solver, &options, pose, &result, &error);
    if (status) {
        return status;
    }
    lbs_space *s = solver->space;
    memcpy(s->start, pose, (size_t)solver->problem->variable_count * sizeof *pose);
    memcpy(s->pose, pose, (size_t)solver->problem->variable_count * sizeof *pose);
    lbs_place_still(s);
    lbs_from_pose(s, pose, solver->z);
    *value = lbs_gradient(s, solver->z, -1, solver->gradient);
    if (!gradient) {
        return LB_OK;
    }
    memset(gradient, 0, (size_t)solver->problem->variable_count * sizeof *gradient);
    for (int i = 0; i < s->n; i++) {
        gradient[s->index[i]] = solver->gradient[i] / s->scale[i];
    }
    return LB_OK;
}
