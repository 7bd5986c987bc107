/* Multipliers of goals: what the wishes would gain if a goal gave way. */
#include <string.h>

#include "solve/solver.h"

/* Moving a goal by some way is moving its end-effector by the opposite way as far as the goal sees it. So with L =
 * wishes + multipliers . rows, what the wishes gain by it is the power of the wrench that the rows' multipliers
 * make. */
void lbs_find_forces(lb_solver *solver, const lbs_item *item, lb_constraint_result *result) {
    double wrenches[LBP_MAX_ROWS][6], arm[3];
    memset(result->force, 0, sizeof result->force);
    memset(result->moment, 0, sizeof result->moment);
    if (!item->counted || !item->enabled) {
        return;
    }
    lbs_item_wrenches(item, wrenches);
    for (int r = 0; r < item->row_count; r++) {
        const double by = -item->root_weight * solver->kkt.row_multipliers[item->first_row + r];
        lbm_add_scaled3(result->force, wrenches[r], by);
        lbm_add_scaled3(result->moment, wrenches[r] + 3, by);
    }
    lbm_cross3(item->e_w, result->force, arm); /* about the end-effector's point instead of the origin */
    lbm_add_scaled3(result->moment, arm, -1);
}
