/* What a pose that is to be the answer is: solved, a minimum, or neither. Here it is decided, whatever a method made of
 * it.
 *
 * A minimum is a Kuhn-Tucker point on every level that is asked: the gradient of the level, less what limits hold back
 * and what the rows and faces of higher levels hold back, is zero. */
#include <string.h>

#include "solve/methods/lm/newton.h"
#include "solve/solver.h"

/* --- The Kuhn-Tucker conditions, level by level
 * ---------------------------------------------------------------------- */

/* The norm of a level's projected gradient at z: less what limits hold back, and the rows and faces of higher
 * levels. */
static double norm_of(lb_solver *solver, int level) {
    lbs_space *s = solver->space;
    if (level == 0) {
        lbs_gradient_here(s, solver->z, 0, solver->kkt.gradient);
        return lbs_tangent(s, solver->z, solver->kkt.gradient, solver->kkt.direction, solver->kkt.bound_multipliers,
                           solver->kkt.limit_multipliers);
    }
    return lbs_newton_norm(s, solver->work, solver->z, level, solver->kkt.gradient, &solver->kkt.row_multipliers);
}

/* A level whose goals are met has nothing to minimise, unless it has wishes or was to be taken to its minimum. */
static int is_asked(const lbs_space *s, int level) {
    return s->options->keep_going || !lbs_is_content(s, s->last.z, level);
}

void lbs_find_norms(lb_solver *solver) {
    lbs_space *s = solver->space;
    const int reported = lbs_reported_level(s);
    const int evaluations = s->budget.evaluations;
    for (int l = 0; l < s->task.level_count; l++) {
        solver->kkt.norms[l] = l != reported && is_asked(s, l) ? norm_of(solver, l) : 0;
    }
    solver->kkt.norms[reported] = norm_of(solver, reported);
    if (reported > 0) {
        lbs_tangent(s, solver->z, solver->kkt.gradient, solver->kkt.direction, solver->kkt.bound_multipliers,
                    solver->kkt.limit_multipliers);
    }
    s->budget.evaluations = evaluations;
    solver->kkt.is_known = 1;
}

int lbs_is_minimum(lb_solver *solver) {
    const lbs_space *s = solver->space;
    lbs_find_norms(solver);
    for (int l = 0; l < s->task.level_count; l++) {
        if (is_asked(s, l) && !(solver->kkt.norms[l] <= s->options->gradient_tolerance * lbs_level_unit(s, l))) {
            return 0;
        }
    }
    return 1;
}

/* --- The outcome ------------------------------------------------------------------------------------------------------ */

void lbs_decide_outcome(lb_solver *solver, double *pose, lb_result *result) {
    lbs_space *s = solver->space;
    lbs_from_pose(s, pose, solver->z);
    lbs_value(s, solver->z);
    if (lbs_met(s, s->task.level_count - 1)) {
        result->outcome = LB_OUTCOME_SOLVED;
        return;
    }
    if (result->outcome == LB_OUTCOME_SOLVED) {
        result->outcome = LB_OUTCOME_BUDGET;
    }
    if (s->levels.goal_count == 1 && lbs_total(s) > result->value_before) {
        /* where G depends on the last digit (in the very point to be aimed at) the pose may not have kept it */
        memcpy(pose, s->start, (size_t)s->problem->variable_count * sizeof *pose);
        lbs_from_pose(s, pose, solver->z);
        lbs_value(s, solver->z);
        result->outcome = LB_OUTCOME_BUDGET;
    }
    if (result->outcome == LB_OUTCOME_MINIMUM && (s->budget.late || !lbs_is_minimum(solver))) {
        result->outcome = LB_OUTCOME_BUDGET;
    }
}

void lbs_finish(lb_solver *solver, lb_result *result) {
    const lbs_space *s = solver->space;
    result->value = lbs_total(s);
    result->wish_value = s->levels.has_wishes ? s->last.level_values[s->levels.goal_count] : 0;
    result->wish_value += solver->climb.value;
    result->iterations = s->budget.iterations;
    result->evaluations = s->budget.evaluations;
    result->restarts = s->budget.restarts;
    result->engine = solver->engine;
}

void lbs_decide(lb_solver *solver, double *pose, lb_result *result) {
    lbs_decide_outcome(solver, pose, result);
    lbs_finish(solver, result);
}
