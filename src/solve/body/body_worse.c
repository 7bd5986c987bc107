/* Never worse: an answer that misses its goals is compared with the pose that the caller came with. */
#include <math.h>

#include "solve/body/body.h"

#define KEPT 1e-4 /* metres: a rule that is off by less is kept */

/* Whether a rule is one of those by which the forces hold up a body. */
static int is_balance_row(const lbs_bodies *all, int row) {
    for (int i = 0; i < all->count; i++) {
        const lbs_body_stand *stand = &all->bodies[i].stand;
        if (stand->force_count && row >= stand->balance_row && row < stand->balance_row + 3) {
            return 1;
        }
    }
    return 0;
}

/* Feet as the problem has them; heels may be where they are. */
static void plant_feet(lbs_bodies *all) {
    for (int i = 0; i < all->count; i++) {
        lbs_body_stand *stand = &all->bodies[i].stand;
        for (int k = 0; k < stand->foot_count; k++) {
            stand->feet[k].state = stand->feet[k].planned;
            stand->feet[k].heel_state = LBS_HEEL_UP;
        }
    }
}

int lbs_bodies_stand(lbs_bodies *all, const double *x) {
    const lbs_bodies_task *t = &all->task;
    plant_feet(all);
    lbs_bodies_evaluate(all, x, 1);
    lbs_bodies_report(all, x);
    for (int i = 0; i < t->rules.count; i++) {
        if (!is_balance_row(all, i) && !(fabs(t->rules.residuals[i]) <= KEPT)) {
            return 0;
        }
    }
    for (int i = 0; i < all->count; i++) {
        const lbs_body *b = &all->bodies[i];
        const int is_held_up = !b->stand.force_count || !lbs_body_balances(b, t->space) || b->report.result.margin >= 0;
        if (!is_held_up || !(b->report.result.overlap <= KEPT)) {
            return 0;
        }
    }
    return 1;
}
