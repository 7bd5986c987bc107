/* One solve, from the start pose to the answer:
 *
 *     1. lbs_begin             the start is moved into its limits; the problem is planned if it has changed  plan/plan.c
 *     2. lbs_closed_first      a frame for an arm whose wrist axes meet, or three are parallel: by algebra   arm/arm_closed.c
 *        lbs_arm_ask           goals on other chains of joints: the arm engine                               arm/
 *        lbs_closed_answer     where that did not find one: every solution by algebra, or the proof of none  arm/arm_closed.c
 *     3. lbs_run_starts        otherwise, or where it did not solve: the method from start to start          starts.c
 *     4. lbs_grant_wishes      wishes with a level of their own, the goals held                              methods/lm/
 *     5. lbs_decide_outcome    what the answer is                                                            outcome.c
 *     6. lbs_climb_to_...      the wish for manipulability: along what the goals leave free                  wish/ */
#include <stddef.h>
#include <string.h>

#include "solve/apart/apart.h"
#include "solve/arm/arm.h"
#include "solve/arm/arm_closed.h"
#include "solve/methods/lm/lm.h"
#include "solve/route.h"
#include "solve/solver.h"
#include "solve/starts.h"
#include "solve/turns.h"
#include "solve/wish/manipulability.h"

#define MANY_TURNS 1e4  /* radians */
#define SETTLE_PASSES 4 /* whole turns off, and again: two were enough for all figures that were tried */

/* --- Beginning --------------------------------------------------------------------------------------------------------- */

lb_status lbs_begin_solver(lb_solver *solver, const lb_solve_options *o, const double *pose, lb_result *result,
                           lb_error *error) {
    lbs_clear_result(result);
    lbf_clear(error);
    solver->engine = LB_ENGINE_NONE;
    solver->kkt.is_known = 0;
    lb_status status = lbs_check_options(o, error);
    if (status) {
        return status;
    }
    status = lbs_prepare(solver, o->method);
    if (status) {
        lbf_fail(error, status, lb_status_text(status), (char *)0);
        return status;
    }
    if (o->max_change > 0 && !solver->bodies) {
        return lbf_fail(error, LB_ERROR_UNSUPPORTED, "max_change is for problems with bodies (lb_problem_set_body)",
                        (char *)0);
    }
#ifdef LIMBER_POISON /* numbers that spoil every result, so that whoever reads what he did not write is found out */
    memset(solver->work, 0xA5, solver->work_size * sizeof *solver->work);
#endif
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

lb_status lbs_open(lb_solver *solver, const lb_solve_options *o, const double *pose, lb_result *result,
                   lb_error *error) {
    lb_status status = lbs_begin_solver(solver, o, pose, result, error);
    if (!status) {
        lbs_from_pose(solver->space, solver->space->start, solver->z);
    }
    return status;
}

/* The same for what is one of many: other goals, or a part that the arm engine has done. */
static lb_status open_one(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, const lbs_part *part,
                          const double *pose, lb_result *result, lb_error *error) {
    lb_status status = LB_OK;
    lbs_closed_forget(solver);
    if (part) {
        lbs_clear_result(result);
        lbf_clear(error);
        solver->kkt.is_known = 0;
        lbs_resume(solver->space, o, part->start);
        solver->space->items[solver->arm.plan->item].goal.goal = part->goal;
    } else {
        status = lbs_begin_solver(solver, o, pose, result, error);
        if (!status && goals) {
            status = lbs_place_goals(solver->space, goals, error);
        }
    }
    if (!status) {
        lbs_from_pose(solver->space, solver->space->start, solver->z);
    }
    return status;
}

/* --- The arm engine ---------------------------------------------------------------------------------------------------- */

/* Whether the engine solved by staying at the start, which is z. */
static int is_start(const lb_solver *solver, const lbs_arm_work *arm) {
    return arm->did->iterations == 0 && memcmp(arm->answer, solver->z, (size_t)solver->space->n * sizeof(double)) == 0;
}

/* Whether nothing is left to do after the arm engine: it solved (long chains come here), or was stopped on the way.
 * What it has is the best so far, then. */
static int is_done_by_arm(lb_solver *solver, const lb_solve_options *o, const lbs_arm_work *arm, lb_outcome *outcome) {
    lbs_space *s = solver->space;
    lbs_arm_count(solver, o, arm->did);
    if (!s->budget.stopped && arm->did->end != LBS_ARM_SOLVED) {
        return 0;
    }
    memcpy(solver->z, arm->answer, (size_t)s->n * sizeof(double));
    lbs_value(s, solver->z);
    if (lbs_is_better(solver)) {
        lbs_keep_best(solver);
    }
    *outcome = lbs_met(s, 0) ? LB_OUTCOME_SOLVED : LB_OUTCOME_BUDGET;
    return s->budget.stopped || *outcome == LB_OUTCOME_SOLVED;
}

/* --- The method, from start to start
 * ------------------------------------------------------------------------------------- */

/* Whole turns taken off an answer may leave wishes in the goals' sum something to do. */
static lb_outcome settle(lb_solver *solver, const lb_solve_options *o, double *pose, lb_outcome outcome,
                         lb_error *error) {
    lbs_space *s = solver->space;
    for (int pass = 0; pass < SETTLE_PASSES && !s->budget.stopped; pass++) {
        lbs_from_pose(s, pose, solver->z);
        outcome = lbs_run(solver, o, error);
        lbs_to_pose(s, solver->z, pose);
        if (!lbs_unwrap(s, pose)) {
            return outcome;
        }
    }
    return LB_OUTCOME_BUDGET;
}

/* Whether a pose is so many turns from zero that its goals may not be met for want of digits, and are not. */
static int is_lost_in_turns(lb_solver *solver, const double *pose) {
    lbs_space *s = solver->space;
    double most = 0;
    for (int i = 0; i < s->problem->variable_count; i++) {
        most = fabs(pose[i]) > most ? fabs(pose[i]) : most;
    }
    if (most < MANY_TURNS) {
        return 0;
    }
    lbs_from_pose(s, pose, solver->z);
    lbs_value(s, solver->z);
    return !lbs_met(s, s->task.level_count - 1);
}

/* From start to start by the method that was asked for, the arm engine's work taken into account. */
static lb_status solve_generally(lb_solver *solver, const lb_solve_options *o, const lbs_arm_work *arm, double *pose,
                                 lb_result *result, lb_error *error) {
    lbs_space *s = solver->space;
    lbs_keep_best(solver);
    result->outcome = LB_OUTCOME_BUDGET;
    if (!arm->did || !is_done_by_arm(solver, o, arm, &result->outcome)) {
        result->outcome = arm->did && lbs_closed_answer(solver, o) ? LB_OUTCOME_SOLVED
                                                                   : lbs_run_starts(solver, o, arm->applies, error);
    }
    if (result->outcome == LB_OUTCOME_INVALID) {
        return LB_ERROR_UNSUPPORTED;
    }
    lbs_to_pose(s, solver->best.z, pose);
    if (!lbs_unwrap(s, pose)) {
        return LB_OK;
    }
    if (lbp_has_wishes(s->problem) && !s->levels.has_wishes) {
        result->outcome = settle(solver, o, pose, result->outcome, error);
    } else if (result->outcome == LB_OUTCOME_SOLVED && is_lost_in_turns(solver, pose)) {
        lbs_to_pose(s, solver->best.z, pose);
    }
    return LB_OK;
}

void lbs_grant_wishes(lb_solver *solver, double *pose, int are_goals_done) {
    lbs_space *s = solver->space;
    lbs_show_wishes(s);
    for (int pass = 0; pass < SETTLE_PASSES && are_goals_done && !s->budget.stopped; pass++) {
        lbs_from_pose(s, pose, solver->z);
        lbs_lm_wishes(s, solver->work, solver->z);
        lbs_to_pose(s, solver->z, pose);
        if (!lbs_unwrap(s, pose)) {
            break;
        }
    }
}

/* Whether the wishes have a value at the start, which is z. */
static int can_wish(lb_solver *solver) {
    lbs_space *s = solver->space;
    if (!s->levels.has_wishes) {
        return 1;
    }
    lbs_show_wishes(s);
    const double value = lbs_wishes(s, solver->z, NULL, NULL);
    lbs_hide_wishes(s);
    return lbm_is_finite(value);
}

/* Figures that are posed as bodies: their engine does it all. */
static lb_status solve_bodies(lb_solver *solver, const lb_solve_options *o, double *pose, lb_result *result,
                              lb_error *error) {
    if (o->method != LB_METHOD_LM) {
        return lbf_fail(error, LB_ERROR_UNSUPPORTED, "a figure that is posed as a body is solved by method lm alone",
                        (char *)0);
    }
    result->value_before = lbs_value(solver->space, solver->z);
    if (!lbm_is_finite(result->value_before)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "a goal's value is not finite at the start pose", (char *)0);
    }
    lb_status status = lbs_bodies_solve(solver, o, pose, result, error);
    if (!status) {
        lbs_finish(solver, result);
    }
    return status;
}

/* --- All of it ----------------------------------------------------------------------------------------------------------- */

lb_status lbs_solve(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, const lbs_part *part,
                    double *pose, lb_result *result, lb_error *error) {
    const int keeps_apart =
        lb_problem_pair_count(solver->problem) > 0 && !solver->sees_pairs && !solver->problem->body_count;
    solver->climb.value = 0;
    const lb_status status = keeps_apart ? lbs_solve_apart(solver, o, goals, pose, result, error)
                                         : lbs_solve_plainly(solver, o, goals, part, pose, result, error);
    if (!status && result->outcome == LB_OUTCOME_SOLVED && solver->problem->wishes.manipulability_weight > 0 &&
        !solver->bodies && !solver->sees_pairs) {
        lbs_climb_to_manipulability(solver, o, pose, result);
    }
    return status;
}

lb_status lbs_solve_plainly(lb_solver *solver, const lb_solve_options *o, const lbs_goals *goals, const lbs_part *part,
                            double *pose, lb_result *result, lb_error *error) {
    lb_status status = open_one(solver, o, goals, part, pose, result, error);
    if (status) {
        return status;
    }
    lbs_space *s = solver->space;
    if (solver->bodies) {
        return solve_bodies(solver, o, pose, result, error);
    }
    if (!part && lbs_closed_first(solver, o, pose, result)) {
        result->outcome = LB_OUTCOME_SOLVED;
        lbs_finish(solver, result);
        return LB_OK;
    }
    lbs_arm_job job;
    const lbs_arm_work arm = lbs_arm_ask(solver, o, part, &job);
    const int quick = arm.is_quick, stays = quick && is_start(solver, &arm);
    const int is_single = quick && lbs_arm_is_single(&solver->arm);
    if (!is_single) {
        result->value_before = lbs_value(s, solver->z);
    } else if (!part) {
        result->value_before = lbs_arm_value(solver->arm.plan, &s->items[solver->arm.plan->item], job.first);
    }
    if (is_single) { /* the same count as with an evaluation of the start: the answer's, if that is the start */
        s->budget.evaluations = !stays;
    }
    if (!lbm_is_finite(result->value_before) || !can_wish(solver)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "a goal's value is not finite at the start pose", (char *)0);
    }
    const int is_accepted = quick && lbs_arm_accept(solver, o, &arm, pose);
    if (is_accepted) {
        result->outcome = LB_OUTCOME_SOLVED;
    } else {
        lbs_value(s, solver->z);
        status = solve_generally(solver, o, &arm, pose, result, error);
        if (status) {
            return status;
        }
    }
    if (s->levels.has_wishes) {
        lbs_grant_wishes(solver, pose, result->outcome != LB_OUTCOME_BUDGET);
    }
    if (s->levels.has_wishes || !is_accepted) {
        lbs_decide_outcome(solver, pose, result);
    }
    lbs_finish(solver, result);
    if (stays && !s->levels.has_wishes) {
        result->value_before = result->value;
    }
    return LB_OK;
}
