/* The last digits. Near a minimum that is not zero, G stops changing visibly (it is flat: a change of G of 1e-16 is
 * one of z of 1e-8) long before its gradient, which has no such trouble, is as small as a Kuhn-Tucker point asks.
 * There the same iteration goes on with the slope alone to tell what a good step is (as in W. Hager and H. Zhang
 * 2005), aside, on trial. Since no accepted step may make G worse, not even by its last bit, which is as good as
 * random here, points around the end are tried until G is not worse. */
#include <string.h>

#include "solve/methods/bfgs/bfgs_state.h"
#include "solve/methods/numeric.h"

#define MAX_STEPS 80
#define MAX_TRIALS 12      /* of one step */
#define ENOUGH 0.01        /* of the norm that counts as zero */
#define NEARBY_POINTS 400  /* that are tried for a value that is not worse */
#define NEARBY_STEPS 500.0 /* from the end to where the projected gradient, if linear, would be as long as zero_norm */

double lbs_bfgs_tangent_norm(const lbs_bfgs *b, const double *z, const double *gradient) {
    return lbs_tangent(b->s, z, gradient, b->tangent, b->bound_multipliers, b->limit_multipliers);
}

/* Takes a step that brings the slope nearer to zero, whatever the last digits of G say. Returns 0 if there is none. */
static int flatten(lbs_bfgs *b) {
    if (!lbs_bfgs_find_direction(b)) {
        return 0;
    }
    const double slope = lbs_dot(b->n, b->gradient, b->step), allowed = lbs_bfgs_noise(b);
    double low = 0, low_slope = slope, high = 0, high_slope = 0;
    lbs_line_point at = {b->reach < 1 ? b->reach : 1, 0, 0};
    for (int attempt = 0; attempt < MAX_TRIALS; attempt++) {
        lbs_bfgs_evaluate(b, &at);
        int is_blocked = b->blocking >= 0 && at.t == b->reach;
        if (!(at.value <= b->value + allowed)) {
            return 0;
        }
        if (fabs(at.slope) <= LBS_BFGS_FLATTER * -slope || (is_blocked && at.slope < 0)) {
            lbs_bfgs_accept(b, is_blocked);
            return 1;
        }
        if (at.slope < 0) {
            low = at.t;
            low_slope = at.slope;
        } else {
            high = at.t;
            high_slope = at.slope;
        }
        at.t = high > 0              ? low + (high - low) * low_slope / (low_slope - high_slope)
               : 4 * at.t < b->reach ? 4 * at.t
                                     : b->reach;
    }
    return 0;
}

/* From z, the end, towards flat_start, as far as the gradient allows: makes the first point where G is not worse
 * than `value` the trial. start_norm is the norm of the projected gradient at flat_start. Returns 0 if there is no
 * such point. */
static int find_not_worse(lbs_bfgs *b, double value, double start_norm, double zero_norm) {
    for (int k = 0; k < NEARBY_POINTS; k++) {
        double part = start_norm > 0 ? k / NEARBY_STEPS * zero_norm / start_norm : 0;
        for (int i = 0; i < b->n; i++) {
            b->trial[i] = b->z[i] + part * (b->flat_start[i] - b->z[i]);
        }
        if (b->s->limits.count > 0) {
            lbs_project(b->s, b->trial);
        }
        b->trial_value = lbs_gradient(b->s, b->trial, -1, b->trial_gradient);
        if (b->trial_value <= value && lbs_bfgs_tangent_norm(b, b->trial, b->trial_gradient) <= zero_norm) {
            return 1;
        }
        if (lbs_spent(b->s)) {
            return 0;
        }
    }
    return 0;
}

int lbs_bfgs_last_digits(lbs_bfgs *b, double zero_norm) {
    lbs_space *s = b->s;
    const size_t size = (size_t)b->n * sizeof *b->z;
    const double value = b->value, start_norm = lbs_bfgs_tangent_norm(b, b->z, b->gradient);
    double norm = start_norm;
    memcpy(b->flat_start, b->z, size);
    for (int step = 0; step < MAX_STEPS && norm > ENOUGH * zero_norm && !lbs_spent(s); step++) {
        if (!flatten(b)) {
            break;
        }
        norm = lbs_bfgs_tangent_norm(b, b->z, b->gradient);
    }
    if (norm <= zero_norm && find_not_worse(b, value, start_norm, zero_norm)) {
        memcpy(b->z, b->trial, size);
        memcpy(b->gradient, b->trial_gradient, size);
        b->value = b->trial_value;
        return 1;
    }
    memcpy(b->z, b->flat_start, size);
    b->value = lbs_gradient(s, b->z, -1, b->gradient);
    lbs_bfgs_tangent_norm(b, b->z, b->gradient);
    return 0;
}
