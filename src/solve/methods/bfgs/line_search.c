/* The line search (step 3), with Powell's two conditions, and the step that is accepted (steps 4 and 5). */
#include "math/trig.h"
#include "solve/methods/bfgs/bfgs_state.h"
#include "solve/methods/numeric.h"

#define SUFFICIENT 0.0001 /* Powell's d1: of the decrease that the slope predicts */
#define MAX_TRIALS 40
#define LONGEST_TURN LBM_PI /* of the first trial, in its largest variable */
#define LEAST_GROWTH 1.5    /* from a trial that is too short to the next */
#define MOST_GROWTH 10      /* the same */
#define MARGIN 0.05         /* of the interval: the next trial keeps so far from its ends */
#define NARROW 1e-12        /* of its end: an interval that is not wider holds nothing better */

/* The minimum of the cubic with these values and slopes at both ends, kept away from the ends. */
static double cubic_minimum(const lbs_line_point *low, const lbs_line_point *high) {
    double width = high->t - low->t, t = low->t + 0.5 * width;
    if (lbm_is_finite(high->value) && lbm_is_finite(high->slope)) {
        double c = low->slope + high->slope - 3 * (high->value - low->value) / width;
        double square = c * c + -low->slope * high->slope;
        if (square >= 0) {
            double root = sqrt(square), below = high->slope - low->slope + 2 * root;
            if (below != 0) {
                t = high->t - width * (high->slope + root - c) / below;
            }
        }
    } else {
        t = low->t + 0.1 * width;
    }
    double least = low->t + MARGIN * width, most = high->t - MARGIN * width;
    return t >= least && t <= most ? t : t < least ? least : t > most ? most : low->t + 0.5 * width;
}

void lbs_bfgs_evaluate(lbs_bfgs *b, lbs_line_point *at) {
    const double *lower = b->s->variables.lower, *upper = b->s->variables.upper;
    for (int i = 0; i < b->n; i++) {
        double moved = b->z[i] + at->t * b->step[i];
        b->trial[i] = moved < lower[i] ? lower[i] : moved > upper[i] ? upper[i] : moved;
    }
    int i = b->blocking >= 0 && at->t == b->reach ? lbs_bounded_variable(&b->metric, b->blocking) : -1;
    if (i >= 0) {
        b->trial[i] = b->blocking < b->n ? lower[i] : upper[i];
    }
    if (b->s->limits.count > 0) {
        lbs_project(b->s, b->trial); /* The limits do not contradict each other: z is inside all of them. */
    }
    at->value = b->trial_value = lbs_gradient(b->s, b->trial, -1, b->trial_gradient);
    at->slope = lbs_dot(b->n, b->trial_gradient, b->step);
}

/* Residuals r have errors of about 1e-16 of the figure's size, which the lever stands for, so that r^2 has errors of
 * 2e-16 r (lever + r). */
double lbs_bfgs_noise(const lbs_bfgs *b) { return 1e-13 * b->value + 1e-15 * sqrt(b->value) * b->lever; }

void lbs_bfgs_measure_lever(lbs_bfgs *b) {
    double lever = b->value > 0 ? lbs_length(b->n, b->gradient) / (2 * sqrt(b->value)) : 0;
    if (lever > b->lever && lbm_is_finite(lever)) {
        b->lever = lever;
    }
}

/* A longer trial, up to `most`, where the slope is still steep at `at`: where the secant through the slopes there
 * and at the trial before is zero. */
static double extrapolate(const lbs_line_point *before, const lbs_line_point *at, double most) {
    double t = at->slope > before->slope ? at->t + (at->t - before->t) * -at->slope / (at->slope - before->slope)
                                         : MOST_GROWTH * at->t;
    t = t < LEAST_GROWTH * at->t ? LEAST_GROWTH * at->t : t > MOST_GROWTH * at->t ? MOST_GROWTH * at->t : t;
    return t < most ? t : most;
}

/* Whether the value at the point is low enough: Powell's first condition. */
static int is_low_enough(const lbs_bfgs *b, const lbs_line_point *at, double slope) {
    return at->value <= b->value + SUFFICIENT * at->t * slope && at->value < b->value;
}

/* Takes the best step that was found, which does not meet the second condition, but is better. */
static int settle_for(lbs_bfgs *b, double t, int *is_blocked) {
    lbs_line_point at = {t, 0, 0};
    if (t == 0) {
        return 0;
    }
    *is_blocked = 0;
    lbs_bfgs_evaluate(b, &at);
    return b->trial_value < b->value;
}

/* The longest step up to min(1, reach) that meets Powell's two conditions, G low enough and the slope flat enough,
 * searched from the far end. The very first trial is at most half a turn. If there is none because the slope is
 * still steep at the end, H is too small along the step: then longer steps are tried, up to reach, for without the
 * second condition H would not learn (the papers do not say what to do). `low` is the longest step so far that is
 * low enough, `high` the shortest that is not. */
int lbs_bfgs_line_search(lbs_bfgs *b, int *is_blocked) {
    const double slope = lbs_dot(b->n, b->gradient, b->step), size = lbs_largest(b->n, b->step);
    const double most = b->reach, first = most < 1 ? most : 1;
    lbs_line_point low = {0, b->value, slope}, high = {0, 0, 0};
    lbs_line_point at = {first * size > LONGEST_TURN ? LONGEST_TURN / size : first, 0, 0};
    for (int attempt = 0; attempt < MAX_TRIALS && !lbs_spent(b->s); attempt++) {
        lbs_bfgs_evaluate(b, &at);
        *is_blocked = b->blocking >= 0 && at.t == b->reach;
        const int is_low = is_low_enough(b, &at, slope);
        if (is_low && (at.slope >= LBS_BFGS_FLATTER * slope || at.t == most)) {
            return 1;
        }
        if (!is_low && at.t * -slope <= lbs_bfgs_noise(b)) {
            return 0;
        }
        const lbs_line_point before = low;
        if (is_low) {
            low = at;
        } else {
            high = at;
        }
        at.t = high.t == 0 ? extrapolate(&before, &at, most) : cubic_minimum(&low, &high);
        if (high.t > 0 && !(high.t - low.t > NARROW * high.t)) {
            break;
        }
    }
    return settle_for(b, low.t, is_blocked);
}

void lbs_bfgs_accept(lbs_bfgs *b, int is_blocked) {
    for (int i = 0; i < b->n; i++) {
        b->sigma[i] = b->trial[i] - b->z[i];
        b->y[i] = b->trial_gradient[i] - b->gradient[i];
        b->z[i] = b->trial[i];
        b->gradient[i] = b->trial_gradient[i];
    }
    b->value = b->trial_value;
    lbs_bfgs_measure_lever(b);
    if (is_blocked) {
        lbs_metric_add(&b->metric, b->blocking);
    } else {
        lbs_metric_update(&b->metric, b->sigma, b->y);
    }
}
