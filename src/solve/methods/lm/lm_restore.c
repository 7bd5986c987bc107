/* Feasibility restoration. A level is minimised under the condition that the values of the higher levels do not
 * rise. A step keeps their rows to first order; what the curvature of the rows costs is restored here, from the
 * trial point. */
#include <string.h>

#include "math/dense/cholesky.h"
#include "solve/methods/lm/lm_state.h"
#include "solve/methods/numeric.h"

#define MAX_CHORDS 8          /* restoration steps by the factor of the trial's step */
#define CHORD_RATE 0.1        /* of the error, at most, that a chord step must leave for another one to be worth it */
#define MAX_FACE_ERROR 3e-9   /* metres */
#define MAX_NEWTON_STEPS 8    /* restoration steps by Jacobians of their own */
#define MAX_FREEZING_ROUNDS 6 /* of one such step */
#define DAMPING 0.1           /* of such a step, times the higher levels' values */
#define LEAST_DAMPING 1e-14

/* --- What the higher levels may be ---------------------------------------------------------------------------- */

void lbs_lm_hold_levels(lbs_lm *l, int last) {
    for (int i = 0; i <= last; i++) {
        l->higher.most[i] = lbs_not_worse_than(l->s->last.level_values[i]);
    }
}

int lbs_lm_higher_hold(const lbs_lm *l) {
    for (int i = 0; i < l->level; i++) {
        if (!(l->s->last.level_values[i] <= l->higher.most[i])) {
            return 0;
        }
    }
    return !l->higher.is_met || lbs_met(l->s, l->level - 1);
}

/* By how much the higher levels exceed what they may be at the last evaluation. */
static double excess(const lbs_lm *l) {
    double sum = 0;
    for (int i = 0; i < l->level; i++) {
        if (!(l->s->last.level_values[i] <= l->higher.most[i])) {
            sum += l->s->last.level_values[i] - l->higher.most[i];
        }
    }
    return sum;
}

/* --- Restoration by the factor of the step -------------------------------------------------------------------- */

/* Chord steps are taken as long as each leaves at most a tenth of the error. */
int lbs_lm_restore_trial(lbs_lm *l) {
    lbs_space *s = l->s;
    double before = INFINITY;
    for (int chord = 0; chord < MAX_CHORDS; chord++) {
        double face_error = lbs_step_face_error(&l->step), error = excess(l) + face_error * face_error;
        if (face_error <= MAX_FACE_ERROR && lbs_lm_higher_hold(l)) {
            return 1;
        }
        if (!(error < CHORD_RATE * before)) {
            break;
        }
        before = error;
        lbs_step_chord(&l->step, l->higher.is_met, l->correction);
        for (int i = 0; i < s->n; i++) {
            l->trial[i] += l->correction[i];
        }
        if (lbs_project(s, l->trial)) {
            return 0;
        }
        lbs_value(s, l->trial);
    }
    if (lbs_lm_higher_hold(l)) {
        return 1;
    }
    l->has_moved_jacobian = 1;
    return lbs_lm_restore(l, l->trial);
}

/* --- Restoration by new Jacobians ----------------------------------------------------------------------------- */

/* A damped least-squares step on the higher levels' rows, by the variables that are not frozen. Returns 1 if there
 * is none. */
static int least_squares_step(lbs_lm *l, double damping) {
    const lbs_space *s = l->s;
    const lbs_lm_higher *h = &l->higher;
    int q = s->levels.first_rows[l->level];
    size_t n = (size_t)s->n;
    for (int i = 0; i < q; i++) {
        const double *a = lbs_jacobian_row(s, i);
        for (int j = 0; j <= i; j++) {
            const double *b = lbs_jacobian_row(s, j);
            double sum = 0;
            for (size_t k = 0; k < n; k++) {
                sum += h->is_frozen[k] ? 0 : a[k] * b[k];
            }
            h->matrix[(size_t)i * (size_t)q + (size_t)j] = sum;
        }
        h->matrix[(size_t)i * (size_t)q + (size_t)i] += damping;
        h->rhs[i] = s->last.residuals[i];
        for (size_t k = 0; k < n; k++) {
            h->rhs[i] += h->is_frozen[k] ? a[k] * h->frozen_step[k] : 0;
        }
    }
    if (lbm_cholesky(q, h->matrix)) {
        return 1;
    }
    lbm_cholesky_solve(q, h->matrix, h->rhs);
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < q; i++) {
            sum += lbs_jacobian_row(s, i)[k] * h->rhs[i];
        }
        h->step[k] = h->is_frozen[k] ? h->frozen_step[k] : -sum;
    }
    return 0;
}

/* Freezes the variables that the step from z would take beyond their bounds: their part of it ends on the bound.
 * Returns how many were frozen. */
static int freeze_beyond(lbs_lm *l, const double *z) {
    const lbs_space *s = l->s;
    const double *lower = s->variables.lower, *upper = s->variables.upper;
    const lbs_lm_higher *h = &l->higher;
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        double to = z[i] + h->step[i];
        if (h->is_frozen[i] || (to >= lower[i] && to <= upper[i])) {
            continue;
        }
        h->is_frozen[i] = 1;
        h->frozen_step[i] = (to < lower[i] ? lower[i] : upper[i]) - z[i];
        count++;
    }
    return count;
}

/* The least-squares step within the bounds. The damping vanishes with the higher levels' values. Returns 1 if there
 * is none. */
static int find_restoration_step(lbs_lm *l, const double *z) {
    const lbs_space *s = l->s;
    double damping = LEAST_DAMPING;
    for (int i = 0; i < l->level; i++) {
        damping += DAMPING * s->last.level_values[i];
    }
    memset(l->higher.is_frozen, 0, (size_t)s->n);
    memset(l->higher.frozen_step, 0, (size_t)s->n * sizeof *l->higher.frozen_step);
    for (int round = 0; round < MAX_FREEZING_ROUNDS; round++) {
        if (least_squares_step(l, damping)) {
            return 1;
        }
        if (!freeze_beyond(l, z)) {
            break;
        }
    }
    return 0;
}

int lbs_lm_restore(lbs_lm *l, double *z) {
    lbs_space *s = l->s;
    for (int step = 0; step < MAX_NEWTON_STEPS; step++) {
        lbs_value(s, z);
        if (lbs_lm_higher_hold(l)) {
            return 1;
        }
        s->task.guard_level = 0; /* Without guards, regions that z is outside of have rows. */
        lbs_differentiate(s);
        s->task.guard_level = l->level;
        if (find_restoration_step(l, z)) {
            return 0;
        }
        for (int k = 0; k < s->n; k++) {
            z[k] += l->higher.step[k];
        }
        if (lbs_project(s, z)) {
            return 0;
        }
    }
    lbs_value(s, z);
    return lbs_lm_higher_hold(l);
}
