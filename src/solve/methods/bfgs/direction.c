/* The direction of search (steps 1 to 3): -H g, after constraints whose multipliers have the wrong sign were
 * dropped, and those that block at once were added. */
#include "math/trig.h"
#include "solve/methods/bfgs/bfgs_state.h"
#include "solve/methods/numeric.h"

#define LEAVING 0.5    /* of the slope by leaving a constraint: if |H g| is less, the constraint is dropped (step 2) */
#define DOWNWARD 1e-12 /* the cosine between step and gradient: with less the step does not go down */

/* Finds the longest step before a constraint that is not active is met, and this constraint. */
static void measure_reach(lbs_bfgs *b) {
    double length = lbs_length(b->n, b->step);
    double tiny = 1e-13 * length + 1e-15 * b->metric.unit * lbs_largest(b->n, b->gradient);
    int all = lbs_constraint_count(&b->metric);
    b->reach = INFINITY;
    b->blocking = -1;
    for (int c = 0; c < all; c++) {
        if (b->metric.is_active[c]) {
            continue;
        }
        double along = lbs_normal_dot(&b->metric, c, b->step), scale;
        if (!(along > tiny)) {
            continue;
        }
        double slack = lbs_slack(&b->metric, c, &scale);
        double t = slack > 0 ? slack / along : 0;
        if (t >= b->reach) {
            continue;
        }
        b->reach = t;
        b->blocking = c;
    }
}

/* The active constraint by whose leaving G falls most steeply: its place in the active set, or -1; the slope in
 * *steepest. */
static int steepest_constraint(const lbs_bfgs *b, double *steepest) {
    int worst = -1;
    *steepest = 0;
    for (int k = b->metric.equalities; k < b->metric.q; k++) {
        double slope = b->multipliers[k] / sqrt(b->metric.inverse[(size_t)k * (size_t)b->n + (size_t)k]);
        if (!(slope > *steepest)) {
            continue;
        }
        *steepest = slope;
        worst = k;
    }
    return worst;
}

/* step = -P H P g: the outer projection takes off the rounding errors of H A = 0. */
static void find_step(lbs_bfgs *b) {
    lbs_metric_project(&b->metric, b->gradient, b->projected_gradient, b->multipliers);
    lbs_metric_times(&b->metric, b->projected_gradient, b->unprojected_step);
    lbs_metric_project(&b->metric, b->unprojected_step, b->step, b->drift_multipliers);
    for (int i = 0; i < b->n; i++) {
        b->step[i] = -b->step[i];
    }
}

int lbs_bfgs_find_direction(lbs_bfgs *b) {
    int n = b->n, most = 2 * (n + b->s->limits.count) + 10;
    for (int change = 0; change < most; change++) {
        double steepest;
        find_step(b);
        int worst = steepest_constraint(b, &steepest);
        double length = lbs_length(n, b->step);
        if (worst >= 0 && length <= LEAVING * b->metric.unit * steepest) {
            lbs_metric_drop(&b->metric, worst);
            continue;
        }
        double slope = lbs_dot(n, b->gradient, b->step);
        if (!(slope < -DOWNWARD * length * lbs_length(n, b->projected_gradient)) || !lbm_is_finite(slope)) {
            return 0;
        }
        measure_reach(b);
        if (b->blocking < 0 || !lbs_is_on(&b->metric, b->blocking)) {
            return 1;
        }
        if (!lbs_metric_add(&b->metric, b->blocking)) {
            return 0;
        }
    }
    return 0;
}
