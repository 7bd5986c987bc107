/* Trial steps: a step is found, tried, and accepted or refused; damping and trust radius follow the ratio of the
 * actual to the predicted reduction. */
#include <string.h>

#include "solve/methods/lm/lm_state.h"

#define MAX_TRIALS 40
#define SUFFICIENT 1e-4       /* of the predicted reduction: a step that gains as much is accepted */
#define SHORTEST_STEP 1e-16   /* rad or metres: a shorter one does not move z */
#define LEAST_PREDICTED 1e-12 /* of the value: where less is predicted, values do not tell better from worse */
#define VALUE_ROUNDING 1e-13  /* of the value: rounding errors */
#define FLATTER 0.5           /* of the projected gradient: what an approximate Wolfe step leaves of it, at most */
#define TINY_STEP 1e-4        /* rad or metres: after so short a step the curvature is what it was */

/* The damping. The least share that an accepted step leaves of lambda was tuned for fewer steps in all; Nielsen has
 * a third. */
#define LEAST_LAMBDA 1e-9
#define LEAST_RAISED_LAMBDA 1e-6 /* after a refused step */
#define LEAST_EASE 0.25
#define LEAST_DAMPING 1e-13

/* The trust radius. After a step whose ratio of actual to predicted reduction is poor, it is a multiple of the
 * step's length; after a good one at least a multiple of that; after a refused one a share of it. The thresholds are
 * the usual ones (J. Nocedal and S. Wright, "Numerical Optimization", 2006, algorithm 4.1). */
#define POOR_RATIO 0.25
#define POOR_SHRINK 0.5
#define GOOD_RATIO 0.75
#define GOOD_GROWTH 2.5
#define REFUSED_SHRINK 0.3

typedef struct trial {
    double length;    /* of the step after the trial was moved inside the limits */
    double predicted; /* the predicted reduction */
    double value; /* of the level at the trial, or of its Lagrangian; NaN: the higher levels could not be restored */
} trial;

/* --- Damping and trust radius --------------------------------------------------------------------------------- */

static void raise_damping(lbs_lm_damping *d) {
    d->lambda = d->lambda * d->growth > LEAST_RAISED_LAMBDA ? d->lambda * d->growth : LEAST_RAISED_LAMBDA;
    d->growth *= 2;
}

/* After a step with this ratio of actual to predicted reduction. */
static void ease_damping(lbs_lm_damping *d, double ratio) {
    double k = 2 * ratio - 1;
    k = 1 - k * k * k;
    d->lambda *= k > LEAST_EASE ? k : LEAST_EASE;
    if (d->lambda < LEAST_LAMBDA) {
        d->lambda = LEAST_LAMBDA;
    }
    d->growth = LBS_LM_FIRST_GROWTH;
}

static void adapt_radius(lbs_lm_trust *trust, double ratio, double length) {
    if (ratio < POOR_RATIO) {
        trust->radius = POOR_SHRINK * length;
    } else if (ratio > GOOD_RATIO && GOOD_GROWTH * length > trust->radius) {
        trust->radius = GOOD_GROWTH * length;
    }
}

/* --- One trial ------------------------------------------------------------------------------------------------ */

/* The level's value at the trial, the higher levels restored; NaN if they cannot be. */
static double value_at_trial(lbs_lm *l) {
    lbs_value(l->s, l->trial);
    l->at = LBS_AT_OTHER_POINT;
    if (l->level > 0 && !lbs_lm_restore_trial(l)) {
        return NAN;
    }
    return l->s->last.level_values[l->level];
}

/* Along a curved valley a straight step soon leaves the ground. The second-order correction brings a trial that
 * gained nothing back to where the linear model has the residuals. The better of both points becomes the trial; its
 * value is returned. */
static double correct_trial(lbs_lm *l, double value) {
    lbs_space *s = l->s;
    lbs_step_second_order(&l->step, l->correction);
    for (int i = 0; i < s->n; i++) {
        l->corrected[i] = l->correction[i] + l->trial[i];
    }
    if (lbs_project(s, l->corrected)) {
        return value;
    }
    lbs_value(s, l->corrected);
    if (!(s->last.level_values[l->level] < value)) {
        return value;
    }
    memcpy(l->trial, l->corrected, (size_t)s->n * sizeof *l->trial);
    return s->last.level_values[l->level];
}

/* Moves the trial inside the limits; the step becomes the way to it. Returns 0 if the limits contradict each other. */
static int project_trial(lbs_lm *l, trial *t) {
    lbs_space *s = l->s;
    double *d = l->step.d, square = 0;
    for (int i = 0; i < s->n; i++) {
        l->trial[i] = l->z[i] + d[i];
    }
    if (lbs_project(s, l->trial)) {
        return 0;
    }
    for (int i = 0; i < s->n; i++) {
        d[i] = l->trial[i] - l->z[i];
        square += d[i] * d[i];
    }
    t->length = sqrt(square);
    return 1;
}

/* Tries the step. Returns 0 if there is nothing to try. */
static int try_step(lbs_lm *l, trial *t) {
    if (!project_trial(l, t)) {
        return 0;
    }
    t->value = NAN;
    t->predicted = lbs_step_predicted(&l->step);
    if (!(t->predicted > 0)) {
        return 1;
    }
    t->value = value_at_trial(l);
    if (l->level > 0 && !l->has_moved_jacobian) {
        t->value += lbs_step_lagrangian_terms(&l->step);
    }
    if (l->level == 0 && t->value >= l->progress.value) {
        t->value = correct_trial(l, t->value);
    }
    return 1;
}

/* --- Acceptance ----------------------------------------------------------------------------------------------- */

static void accept(lbs_lm *l, int is_newton, const trial *t, double ratio) {
    if (is_newton) {
        adapt_radius(&l->trust, ratio, t->length);
    } else {
        ease_damping(&l->damping, ratio);
        l->trust.radius = t->length;
    }
    memcpy(l->z, l->trial, (size_t)l->s->n * sizeof *l->z);
    l->at = LBS_AT_ITERATE;
    l->progress.better = t->value;
    l->progress.is_convex = is_newton && l->trust.shift <= LBS_LEAST_SHIFT && t->length < TINY_STEP;
}

static void refuse(lbs_lm *l, int is_newton, const trial *t) {
    if (l->has_moved_jacobian) {
        lbs_lm_differentiate(l);
    }
    if (is_newton) {
        l->trust.radius = REFUSED_SHRINK * t->length;
    } else {
        raise_damping(&l->damping);
    }
}

/* Where the value is too flat to tell better from worse, the gradient still can: the trial is accepted if the value
 * is the same to rounding and the projected gradient half as long (after W. Hager and H. Zhang's approximate Wolfe
 * conditions, 2005). */
static lbs_lm_outcome accept_if_flatter(lbs_lm *l, const trial *t) {
    if (!(t->value <= l->progress.value * (1 + VALUE_ROUNDING))) {
        return LBS_STEP_NONE;
    }
    lbs_value(l->s, l->trial); /* The last evaluation may have been at the corrected trial. */
    lbs_differentiate(l->s);
    if (!(lbs_lm_look(l, l->trial) <= FLATTER * l->progress.norm)) {
        return LBS_STEP_NONE;
    }
    memcpy(l->z, l->trial, (size_t)l->s->n * sizeof *l->z);
    l->at = LBS_AT_ITERATE_JACOBIAN;
    return LBS_STEP_FLATTER;
}

/* The damping vanishes with the error, which gives quadratic convergence where the goals can be met. */
static int find_step(lbs_lm *l, int is_newton) {
    const double value = l->progress.value;
    return is_newton ? lbs_lm_trust_region_step(l)
                     : lbs_step_gauss_newton(&l->step, l->damping.lambda * (value < 1 ? value : 1) + LEAST_DAMPING);
}

lbs_lm_outcome lbs_lm_take_step(lbs_lm *l, int is_newton) {
    const double value = l->progress.value;
    trial t = {0, 0, 0};
    for (int attempt = 0; attempt < MAX_TRIALS && !lbs_spent(l->s); attempt++) {
        if (find_step(l, is_newton)) {
            if (is_newton) {
                return LBS_STEP_NONE;
            }
            raise_damping(&l->damping);
            continue;
        }
        if (!try_step(l, &t) || t.length < SHORTEST_STEP) {
            return LBS_STEP_NONE;
        }
        double reduction = value - t.value, ratio = t.predicted > 0 ? reduction / t.predicted : -1;
        if (reduction > 0 && ratio >= SUFFICIENT) {
            accept(l, is_newton, &t, ratio);
            return LBS_STEP_BETTER;
        }
        if (t.predicted > 0 && t.predicted < LEAST_PREDICTED * value) {
            return accept_if_flatter(l, &t);
        }
        refuse(l, is_newton, &t);
    }
    return LBS_STEP_NONE;
}
