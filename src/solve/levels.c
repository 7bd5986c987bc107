/* Whether an answer is a minimum: the Kuhn-Tucker conditions, level by level. */
#include <string.h>

#include "solve/methods/lm/newton.h"
#include "solve/solver.h"

/* The norm of a level's projected gradient at z: less what limits hold back, and the rows and faces of higher levels. */
static double norm_of(lb_solver *solver, int level) {
    lbs_space *s = solver->space;
    if (level == 0) {
        lbs_gradient_here(s, solver->z, 0, solver->gradient);
        return lbs_tangent(s, solver->z, solver->gradient, solver->direction, solver->bounds, solver->limits);
    }
    return lbs_newton_norm(s, solver->work, solver->z, level, solver->gradient, &solver->multipliers);
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
        solver->norms[l] = l != reported && is_asked(s, l) ? norm_of(solver, l) : 0;
    }
    solver->norms[reported] = norm_of(solver, reported);
    if (reported > 0) {
        lbs_tangent(s, solver->z, solver->gradient, solver->direction, solver->bounds, solver->limits);
    }
    s->budget.evaluations = evaluations;
    solver->has_norms = 1;
}

/* Moving a goal by some way is moving its end-effector by the opposite way as far as the goal sees it. So with L = wishes +
 * multipliers . rows, what the wishes gain by it is the power of the wrench that the rows' multipliers make. */
void lbs_find_forces(lb_solver *solver, const lbs_item *item, lb_constraint_result *result) {
    double wrenches[LBP_MAX_ROWS][6], arm[3];
    memset(result->force, 0, sizeof result->force);
    memset(result->moment, 0, sizeof result->moment);
    if (!item->counted || !item->enabled) {
        return;
    }
    lbs_item_wrenches(item, wrenches);
    for (int r = 0; r < item->row_count; r++) {
        const double by = -item->root_weight * solver->multipliers[item->first_row + r];
        lbm_add_scaled3(result->force, wrenches[r], by);
        lbm_add_scaled3(result->moment, wrenches[r] + 3, by);
    }
    lbm_cross3(item->e_w, result->force, arm); /* about the end-effector's point instead of the origin */
    lbm_add_scaled3(result->moment, arm, -1);
}

int lbs_is_minimum(lb_solver *solver) {
    const lbs_space *s = solver->space;
    lbs_find_norms(solver);
    for (int l = 0; l < s->task.level_count; l++) {
        if (is_asked(s, l) && !(solver->norms[l] <= s->options->gradient_tolerance * lbs_level_unit(s, l))) {
            return 0;
        }
    }
    return 1;
}
