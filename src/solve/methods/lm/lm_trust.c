/* The Newton step of a trust region (J. More and D. Sorensen, "Computing a trust region step", 1983): a shift of the
 * Hessian's diagonal is sought that makes it positive definite and the step about as long as the trust radius. No
 * shift is needed where the step without one is short enough.
 *
 * The shift is bracketed. Up to `low` the shifted Hessian is indefinite, or the step too long; at `high` the step is
 * short enough. Between them Newton's method on the secular equation 1/radius = 1/|d(shift)| finds the next shift,
 * or a bisection of their logarithms where that leaves the bracket. */
#include "solve/methods/lm/lm_state.h"
#include "solve/methods/numeric.h"

#define MAX_FACTORS 30 /* of the shifted Hessian, for one step */
/* After so many shifts, or where low and high differ by less than this factor, high is taken. Both were tuned by the
 * times of bench/: a tube with goals out of reach, tracking of targets that are too large, and dragging a person.
 * Each shift costs a factor of the Hessian, and a step that is a little too short costs less than that. */
#define ENOUGH_SHIFTS 5
#define NARROW_BRACKET 4.0
/* The factor from a shift that leaves the Hessian indefinite to the next one; and from the least shift that may
 * suffice, where the failed factorisation tells it and it is more than twice the shift that failed. Measured by
 * instructions on goals out of reach of a bar and of a tube, 150 of each. */
#define GROWTH_INDEFINITE 30
#define GROWTH_LACK 10
#define FIRST_SHIFT 1e-6
#define MOST_SHRINK 0.03 /* of a shift, at a time: the Hessian may be indefinite below */
#define SMALL_SHIFT 1e-9 /* below it, LBS_LEAST_SHIFT is tried next */
/* A step is as long as the trust radius if it is not shorter than the radius by more than the first share of it, and
 * not longer than the second. */
#define LONG_ENOUGH 0.4
#define SHORT_ENOUGH 1.25

typedef struct bracket {
    double low, high;
} bracket;

/* The next shift after one with which the Hessian is not positive definite, and lacks at least `lack`. */
static double after_indefinite(bracket *b, double shift, double lack) {
    b->low = shift + lack;
    if (shift == b->high) {
        b->high = INFINITY;
    }
    if (b->high < INFINITY) {
        return b->low < b->high ? sqrt(b->low * b->high) : b->high;
    }
    const double next = b->low > 2 * shift ? GROWTH_LACK * b->low : GROWTH_INDEFINITE * shift;
    return next < FIRST_SHIFT ? FIRST_SHIFT : next;
}

/* The next shift after one whose step is longer than the radius by `excess` (< 0: shorter). */
static double after_step(lbs_lm *l, bracket *b, double shift, double excess) {
    if (excess > 0) {
        b->low = shift;
    } else {
        b->high = shift;
    }
    double next = shift + lbs_step_secular(&l->step) * excess / l->trust.radius;
    if (excess < 0 && next < MOST_SHRINK * shift) {
        next = shift > SMALL_SHIFT ? MOST_SHRINK * shift : LBS_LEAST_SHIFT;
    }
    if (!(next > b->low) || next >= b->high) {
        next = b->high < INFINITY ? sqrt(b->low * b->high) : b->low > 0 ? 10 * b->low : FIRST_SHIFT;
    }
    return next;
}

int lbs_lm_trust_region_step(lbs_lm *l) {
    const double radius = l->trust.radius;
    bracket b = {-1, INFINITY};
    double shift = l->trust.shift, solved = -1; /* the shift of the step that is in l->step.d */
    l->step.primal.has_states = 0;
    for (int factors = 0; factors < MAX_FACTORS; factors++) {
        if (b.high < INFINITY && (factors >= ENOUGH_SHIFTS || b.high < NARROW_BRACKET * b.low)) {
            shift = b.high;
        }
        if (shift == solved) {
            return 0;
        }
        l->trust.shift = shift;
        if (lbs_step_newton(&l->step, shift)) {
            if (lbs_spent(l->s)) {
                return 1;
            }
            solved = -1;
            shift = after_indefinite(&b, shift, l->step.primal.lack);
            continue;
        }
        solved = shift;
        double length = lbs_length(l->s->n, l->step.d), excess = length - radius;
        int is_long_enough = excess >= -LONG_ENOUGH * radius || shift <= LBS_LEAST_SHIFT;
        if (shift == b.high || (length <= SHORT_ENOUGH * radius && is_long_enough)) {
            return 0;
        }
        shift = after_step(l, &b, shift, excess);
    }
    return 1;
}
