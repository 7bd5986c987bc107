/* Levenberg-Marquardt under linear constraints, then Newton's method: the default.
 *
 * A step minimises the model of step.c, the rows made linear, with mu |d|^2, within the limits. The trial is moved to the
 * closest point inside them and kept only if it is better, so every iterate is feasible and none is worse. For large mu the
 * step is that of the projected gradient, which always gets better unless the point is Kuhn-Tucker's.
 *
 * The damping vanishes with the error (mu = lambda * G), which gives quadratic convergence where the goals can be met; lambda
 * follows the ratio of what was gained to what the model foretold (H. B. Nielsen, "Damping parameter in Marquardt's method",
 * 1999). Where the goals cannot be met, Gauss-Newton crawls: then the model takes in the rows' own curvature and the steps
 * are Newton's within a trust radius. Where there are too many variables for a whole matrix, and where that fails too,
 * newton.c takes over.
 *
 * Priority levels are minimised one after the other, the higher ones' rows held as equalities and restored after every
 * step; a step that costs a higher level anything is refused. */
#include "solve/methods/lm/lm.h"

#include <string.h>

#include "math/cholesky.h"
#include "solve/methods/lm/held.h"
#include "solve/methods/lm/step.h"

#define HAND_OVER_SIZE 300 /* variables */
#define SLOW 3             /* steps in a row that gain little: time for Newton's */
#define LITTLE 0.9      /* of its value left by a step: it gained little; a minimum that moved a little leaves less */
#define EASE 0.25       /* of the damping that a step as foretold leaves to the next */
#define SUFFICIENT 1e-4 /* of what the model foretells */
#define MOST_SHIFTS 5   /* that are tried for a step of the right length */
#define NEAR_SHIFT 4    /* a factor between one that is too small and one that will do */
#define GROW_SHIFT 30   /* from one that leaves the Hessian indefinite to the next */
#define GROW_LACK 10    /* from what it lacks at least */
#define LEAST_SHIFT 1e-13
#define TINY_STEP 1e-4 /* after which the curvature is what it was */
#define CHORDS 8       /* corrections by a step's own factor, at most */
#define ON_FACE 3e-9   /* metres */

/* Whether the last evaluation was at z, and the Jacobian too. */
typedef enum lm_at { LM_ELSEWHERE, LM_EVALUATED, LM_DIFFERENTIATED } lm_at;

typedef struct lm {
    lbs_space *s;
    int level;
    double *z, *start, *kept, *trial, *direction, *gradient;
    lbs_step step;
    double *pull;          /* multipliers of the higher levels' rows and guards */
    double *look;          /* lbs_held_look's */
    double *fixed;         /* [n]: of a correction: the step of variables that it would take beyond a bound */
    unsigned char *frozen; /* [n]: those */
    double *matrix, *rows; /* [m][m], [m]: of a correction */
    double *held;          /* [level]: what the higher levels may not exceed */
    double *before;        /* [level]: what they were at the start */
    double *newton;        /* newton.c's */
    lm_at at;              /* what the space knows of z */
    int higher_met;        /* the higher levels' goals are met */
    int moved_jacobian;    /* ... but its Jacobian is that of another point */
    double lambda, grow;   /* the damping of Gauss-Newton's steps, and by how much the next one that fails raises it */
    int is_convex;         /* nothing bent down where it was, and the last step from there was a tiny one */
    double radius, shift;  /* the length that Newton's steps may have, and what the last one had on the diagonal */
    int slow;
} lm;

/* Rows that a correction may have to restore: those of all levels but the lowest. */
static size_t restorable(const lbs_space *s) { return lbp_has_levels(s->problem) ? (size_t)lbs_max_m(s) : 0; }

size_t lbs_lm_size(const lbs_space *s) {
    size_t n = (size_t)lbs_max_n(s), rows = restorable(s), other = n <= HAND_OVER_SIZE ? lbs_bfgs_size(s) : 0;
    return 7 * n + lbs_step_size(s) + lbs_pull_size(s) + lbs_held_size(s) + rows + rows * rows +
           2 * ((size_t)s->item_count + 2) + lbs_newton_size(s) + other;
}

/* --- Steps --------------------------------------------------------------------------------------------------------- */

/* Whether the higher levels are no worse than they may be at the last evaluation, and met if they were. */
static int higher_levels_hold(const lm *l) {
    for (int i = 0; i < l->level; i++) {
        if (!(l->s->last.level_values[i] <= l->held[i])) {
            return 0;
        }
    }
    return !l->higher_met || lbs_met(l->s, l->level - 1);
}

static int restore(lm *l, double *z);

/* Back at z after trials elsewhere. */
static void evaluate(lm *l) {
    if (l->at == LM_ELSEWHERE) {
        lbs_value(l->s, l->z);
    }
    if (l->at == LM_ELSEWHERE) {
        l->at = LM_EVALUATED;
    }
}

static void differentiate(lm *l) {
    evaluate(l);
    if (l->at == LM_EVALUATED) {
        lbs_differentiate(l->s);
    }
    l->at = LM_DIFFERENTIATED;
    l->moved_jacobian = 0;
}

/* How much too much the higher levels have. */
static double excess(const lm *l) {
    double sum = 0;
    for (int i = 0; i < l->level; i++) {
        if (!(l->s->last.level_values[i] <= l->held[i])) {
            sum += l->s->last.level_values[i] - l->held[i];
        }
    }
    return sum;
}

/* A trial of a lower level, evaluated, to where the higher ones are kept: by the factor that the step was found with, as long as
 * that is quick, else by Jacobians of their own. */
static int bring_back(lm *l) {
    lbs_space *s = l->s;
    double before = INFINITY;
    for (int pass = 0; pass < CHORDS; pass++) {
        double off = lbs_step_off(&l->step), now = excess(l) + off * off;
        if (off <= ON_FACE && higher_levels_hold(l)) {
            return 1;
        }
        if (!(now < 0.1 * before)) {
            break;
        }
        before = now;
        lbs_step_restore(&l->step, l->higher_met, l->direction);
        for (int i = 0; i < s->n; i++) {
            l->trial[i] += l->direction[i];
        }
        if (lbs_project(s, l->trial)) {
            return 0;
        }
        lbs_value(s, l->trial);
    }
    if (higher_levels_hold(l)) {
        return 1;
    }
    l->moved_jacobian = 1;
    return restore(l, l->trial);
}

/* The level's value at the trial, the higher levels kept; NaN if they cannot be. */
static double value_at_trial(lm *l) {
    lbs_space *s = l->s;
    lbs_value(s, l->trial);
    l->at = LM_ELSEWHERE;
    if (l->level > 0 && !bring_back(l)) {
        return NAN;
    }
    return s->last.level_values[l->level];
}

static double look(lm *l);

/* Where the value is too flat to tell better from worse, the gradient still can: the step is taken if the value is the same
 * to rounding and the projected gradient half as long (after Hager and Zhang's approximate Wolfe conditions, 2005). */
static int is_flatter(lm *l, double value, double trial, double norm) {
    if (!(trial <= value * (1 + 1e-13))) {
        return 0;
    }
    lbs_value(l->s, l->trial); /* a correction may have been elsewhere */
    lbs_differentiate(l->s);
    double *home = l->z;
    l->z = l->trial;
    double there = look(l);
    l->z = home;
    return there <= 0.5 * norm;
}

static void damp_more(lm *l) {
    l->lambda = l->lambda * l->grow > 1e-6 ? l->lambda * l->grow : 1e-6;
    l->grow *= 2;
}

/* After a step whose gain is `ratio` times what was foretold. */
static void damp_less(lm *l, double ratio) {
    double k = 2 * ratio - 1;
    k = 1 - k * k * k;
    l->lambda *= k > EASE ? k : EASE;
    if (l->lambda < 1e-9) {
        l->lambda = 1e-9;
    }
    l->grow = 2;
}

static void damp_anew(lm *l) {
    l->lambda = 0.1;
    l->grow = 2;
    l->radius = 0.3;
    l->shift = 0;
}

/* A trial that gained nothing, brought back to where the model has its rows: along a curved valley a straight step soon
 * leaves the ground. Kept if it is better; returns the better one's value. */
static double correct(lm *l, double value) {
    lbs_space *s = l->s;
    lbs_step_correct(&l->step, l->step.d, l->direction);
    for (int i = 0; i < s->n; i++) {
        l->direction[i] += l->trial[i];
    }
    if (lbs_project(s, l->direction)) {
        return value;
    }
    lbs_value(s, l->direction);
    if (!(s->last.level_values[l->level] < value)) {
        return value;
    }
    memcpy(l->trial, l->direction, (size_t)s->n * sizeof *l->trial);
    return s->last.level_values[l->level];
}

typedef enum lm_try { LM_BETTER, LM_FLATTER, LM_STUCK } lm_try;

static double length_of(int n, const double *v) {
    double square = 0;
    for (int k = 0; k < n; k++) {
        square += v[k] * v[k];
    }
    return sqrt(square);
}

/* A Newton step of about the radius, or shorter where it leads to the model's least value (J. More and D. Sorensen,
 * "Computing a trust region step", 1983): l->shift is put on the Hessian's diagonal. Shifts up to `low` leave it indefinite,
 * or the step too long; `high` makes it short. Returns 1 if there is none. */
static int newton_step(lm *l) {
    double low = -1, high = INFINITY, mu = l->shift, solved = -1;
    l->step.is_warm = 0;
    for (int attempt = 0; attempt < 30; attempt++) {
        int enough = attempt >= MOST_SHIFTS || high < NEAR_SHIFT * low; /* near enough: then as it was */
        if (high < INFINITY && enough) {
            mu = high;
        }
        if (mu == solved) {
            return 0;
        }
        l->shift = mu;
        if (lbs_step_newton(&l->step, mu)) {
            if (lbs_spent(l->s)) {
                return 1;
            }
            solved = -1;
            low = mu + l->step.lack;
            if (mu == high) {
                high = INFINITY;
            }
            mu = low > 2 * mu ? GROW_LACK * low : GROW_SHIFT * mu;
            if (mu < 1e-6) {
                mu = 1e-6;
            }
            if (high < INFINITY) {
                mu = low < high ? sqrt(low * high) : high;
            }
            continue;
        }
        solved = mu;
        double length = length_of(l->s->n, l->step.d), too_long = length - l->radius;
        if (mu == high || (length <= 1.25 * l->radius && (too_long >= -0.4 * l->radius || mu <= LEAST_SHIFT))) {
            return 0;
        }
        if (too_long > 0) {
            low = mu;
        } else {
            high = mu;
        }
        double next = mu + lbs_step_secular(&l->step) * too_long / l->radius;
        if (too_long < 0 && next < 0.03 * mu) {
            next = mu > 1e-9 ? 0.03 * mu : LEAST_SHIFT; /* by and by: it may bend down there */
        }
        if (!(next > low) || next >= high) {
            next = high < INFINITY ? sqrt(low * high) : low > 0 ? 10 * low : 1e-6;
        }
        mu = next;
    }
    return 1;
}

typedef struct lm_trial {
    double moved, promise, value;
} lm_trial;

/* Tries the step: inside the limits, evaluated. Returns 0 if there is nothing to try. */
static int try_step(lm *l, double value, lm_trial *t) {
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
    t->moved = sqrt(square);
    t->value = NAN;
    t->promise = lbs_step_promise(&l->step, d);
    if (!(t->promise > 0)) {
        return 1;
    }
    t->value = value_at_trial(l);
    if (l->level > 0 && !l->moved_jacobian) {
        t->value += lbs_step_owed(&l->step);
    }
    if (l->level == 0 && t->value >= value) {
        t->value = correct(l, t->value);
    }
    return 1;
}

/* Steps until one is better, from where lbs_step_begin was. LM_FLATTER: only by its gradient, which has been looked at. */
static lm_try take_step(lm *l, int newton, double value, double norm, double *better) {
    lbs_space *s = l->s;
    lm_trial t = {0, 0, 0};
    for (int attempt = 0; attempt < 40 && !lbs_spent(s); attempt++) {
        double mu = l->lambda * (value < 1 ? value : 1) + 1e-13;
        if (newton && newton_step(l)) {
            return LM_STUCK;
        }
        if (!newton && lbs_step_gauss_newton(&l->step, mu)) {
            damp_more(l);
            continue;
        }
        if (!try_step(l, value, &t) || t.moved < 1e-16) {
            return LM_STUCK;
        }
        double gain = value - t.value, ratio = t.promise > 0 ? gain / t.promise : -1;
        if (gain > 0 && ratio >= SUFFICIENT) {
            if (newton) {
                l->radius = ratio < 0.25                                ? 0.5 * t.moved
                            : ratio > 0.75 && 2.5 * t.moved > l->radius ? 2.5 * t.moved
                                                                        : l->radius;
            } else {
                damp_less(l, ratio);
                l->radius = t.moved;
            }
            memcpy(l->z, l->trial, (size_t)s->n * sizeof *l->z);
            l->at = LM_EVALUATED;
            *better = t.value;
            l->is_convex = newton && l->shift <= LEAST_SHIFT && t.moved < TINY_STEP;
            return LM_BETTER;
        }
        if (t.promise > 0 && t.promise < 1e-12 * value) {
            if (!is_flatter(l, value, t.value, norm)) {
                return LM_STUCK;
            }
            memcpy(l->z, l->trial, (size_t)s->n * sizeof *l->z);
            l->at = LM_DIFFERENTIATED;
            return LM_FLATTER;
        }
        if (l->moved_jacobian) {
            differentiate(l); /* restoring took the Jacobian along */
        }
        if (newton) {
            l->radius = 0.3 * t.moved;
        } else {
            damp_more(l);
        }
    }
    return LM_STUCK;
}

/* --- One level ------------------------------------------------------------------------------------------------------ */

/* Begins a step at z, the point of the last evaluation and of the Jacobian: the gradient's norm, less what limits and the
 * higher levels' rows hold back. */
static double look(lm *l) {
    lbs_space *s = l->s;
    lbs_step_begin(&l->step, l->z, l->level);
    for (int i = 0; i < s->n; i++) {
        l->gradient[i] = 2 * l->step.half_gradient[i];
    }
    if (l->level == 0) {
        return lbs_tangent(s, l->z, l->gradient, l->direction, l->step.bounds, l->step.limits);
    }
    double norm =
        lbs_held_look(s, l->look, l->z, l->level, l->gradient, l->direction, l->pull, l->step.bounds, l->step.limits);
    for (int i = 0; i < s->n; i++) {
        l->step.lagrange[i] = 0.5 * l->gradient[i];
    }
    l->step.pull = l->pull;
    return norm;
}

static int keep_higher(void *context, double *z) {
    lm *l = context;
    return higher_levels_hold(l) || restore(l, z);
}

/* Whether what defeats Gauss-Newton and Newton alike (a goal to look at that is all but in the eye) is left to bfgs,
 * which needs no curvature but what it meets: not with levels, nor where its dense matrix would be large. */
static int hands_over(const lbs_space *s) { return s->task.level_count == 1 && lbs_max_n(s) <= HAND_OVER_SIZE; }

/* A Kuhn-Tucker point: whether it is no saddle, or cannot be left. Otherwise z has moved on. */
static int is_minimum(lm *l, int escapes) {
    lbs_space *s = l->s;
    if (l->level > 0 || lbs_met(s, l->level) || s->last.level_values[l->level] == 0 || escapes > 3) {
        return 1;
    }
    if (l->is_convex) {
        return 1;
    }
    if (l->step.dense) {
        if (lbs_step_bend(&l->step, NULL)) {
            return 1;
        }
        if (lbs_step_is_convex(&l->step, 0.5e-7)) {
            return 1;
        }
    }
    l->at = LM_ELSEWHERE;
    return !lbs_newton_escape(s, l->newton, l->z, l->level);
}

/* Truncated Newton steps, where there is no whole matrix or it does not help. Returns whether they came to a Kuhn-Tucker
 * point. */
static int newton_at_large(lm *l, double tolerance, int *iteration) {
    lbs_hold hold = {keep_higher, l};
    l->at = LM_ELSEWHERE;
    lbs_newton(l->s, l->newton, l->z, l->level, &hold, iteration);
    differentiate(l);
    return l->level > 0 && !l->s->budget.stopped && look(l) <= tolerance;
}

static lbs_end minimise_level(lm *l) {
    lbs_space *s = l->s;
    int newton = 0, at_large = 0, escapes = 0, known = 0;
    double tolerance = s->options->gradient_tolerance * lbs_level_unit(s, l->level), norm = 0, gain = INFINITY;
    damp_anew(l);
    l->slow = 0;
    l->is_convex = 0;
    l->moved_jacobian = 0;
    l->higher_met = lbs_met(s, l->level - 1);
    s->task.guard_level = l->level;
    l->step.pull = NULL;
    if (l->at == LM_DIFFERENTIATED) {
        l->at = LM_EVALUATED; /* the guards are others */
    }
    for (int iteration = 0; iteration <= s->options->max_iterations; iteration++) {
        double value = s->last.level_values[l->level], better = value;
        if (!s->options->keep_going && lbs_is_content(s, l->z, l->level)) {
            return LBS_MET;
        }
        if (!known) {
            differentiate(l);
            norm = look(l);
        }
        known = 0;
        if (norm <= tolerance) {
            if (is_minimum(l, ++escapes)) {
                return LBS_MINIMUM;
            }
            evaluate(l);
            damp_anew(l);
            continue;
        }
        if (iteration == s->options->max_iterations) {
            break;
        }
        if (s->budget.gives_up && l->slow >= SLOW) {
            return LBS_OUT;
        }
        newton |= l->slow >= SLOW;
        lm_try result = LM_STUCK;
        if (!newton || l->step.dense) {
            if (lbs_spent(s) || (newton && lbs_step_bend(&l->step, l->level > 0 ? l->pull : NULL))) {
                return LBS_OUT;
            }
            result = take_step(l, newton, value, norm, &better);
        }
        if (s->budget.stopped && result == LM_STUCK) {
            return LBS_OUT;
        }
        if (result == LM_STUCK && !newton && l->step.dense) {
            newton = 1;
            differentiate(l);
            norm = look(l);
            known = 1;
            continue;
        }
        if (result == LM_STUCK) {
            if (at_large++ || lbs_spent(s)) {
                return LBS_OUT;
            }
            if (l->level > 0 && newton && l->step.dense && (gain < 1e-8 * value || s->options->tracking)) {
                return LBS_OUT; /* at a kink, or there is the next frame */
            }
            if (newton_at_large(l, tolerance, &iteration)) {
                return LBS_MINIMUM;
            }
            if (s->budget.stopped) {
                return LBS_OUT;
            }
            damp_anew(l);
            continue;
        }
        if (lbs_stop(s, l->z, lbs_total(s))) {
            return LBS_OUT;
        }
        if (result == LM_FLATTER) {
            norm = look(l);
            known = 1;
            continue;
        }
        l->slow = better > (s->budget.gives_up ? 0.5 : LITTLE) * value ? l->slow + 1 : 0;
        if (l->level > 0 && s->options->tracking && better > LITTLE * value) {
            l->slow += SLOW;
        }
        gain = value - better;
    }
    return LBS_OUT;
}

/* --- Levels ----------------------------------------------------------------------------------------------------- */

/* A damped least-squares correction of the higher levels' rows into d, by the variables that are not frozen. */
static int correction(lm *l, double damping, double *d) {
    const lbs_space *s = l->s;
    int q = s->levels.first_rows[l->level];
    size_t n = (size_t)s->n;
    for (int i = 0; i < q; i++) {
        const double *a = lbs_jacobian_row(s, i);
        for (int j = 0; j <= i; j++) {
            const double *b = lbs_jacobian_row(s, j);
            double sum = 0;
            for (size_t k = 0; k < n; k++) {
                sum += l->frozen[k] ? 0 : a[k] * b[k];
            }
            l->matrix[(size_t)i * (size_t)q + (size_t)j] = sum;
        }
        l->matrix[(size_t)i * (size_t)q + (size_t)i] += damping;
        l->rows[i] = s->last.residuals[i];
        for (size_t k = 0; k < n; k++) {
            l->rows[i] += l->frozen[k] ? a[k] * l->fixed[k] : 0;
        }
    }
    if (lbm_cholesky(q, l->matrix)) {
        return 1;
    }
    lbm_cholesky_solve(q, l->matrix, l->rows);
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < q; i++) {
            sum += lbs_jacobian_row(s, i)[k] * l->rows[i];
        }
        d[k] = l->frozen[k] ? l->fixed[k] : -sum;
    }
    return 0;
}

/* Freezes what the step d from z would take beyond its bound, to go as far as that. Returns how many. */
static int freeze_beyond(lm *l, const double *z, const double *d) {
    const lbs_space *s = l->s;
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        double to = z[i] + d[i];
        if (l->frozen[i] || (to >= s->variables.lower[i] && to <= s->variables.upper[i])) {
            continue;
        }
        l->frozen[i] = 1;
        l->fixed[i] = (to < s->variables.lower[i] ? s->variables.lower[i] : s->variables.upper[i]) - z[i];
        count++;
    }
    return count;
}

/* Brings the higher levels back to what they may be, from a trial point, by a few steps on their rows alone. */
static int restore(lm *l, double *z) {
    lbs_space *s = l->s;
    double *d = l->direction;
    for (int pass = 0; pass < 8; pass++) {
        lbs_value(s, z);
        if (higher_levels_hold(l)) {
            return 1;
        }
        s->task.guard_level = 0; /* rows of regions that it is out of */
        lbs_differentiate(s);
        s->task.guard_level = l->level;
        double damping = 1e-14;
        for (int i = 0; i < l->level; i++) {
            damping += 0.1 * s->last.level_values[i];
        }
        memset(l->frozen, 0, (size_t)s->n);
        memset(l->fixed, 0, (size_t)s->n * sizeof *l->fixed);
        int failed = 0;
        for (int again = 0; again < 6 && !failed; again++) {
            failed = correction(l, damping, d);
            if (!failed && !freeze_beyond(l, z, d)) {
                break;
            }
        }
        if (failed) {
            return 0;
        }
        for (int k = 0; k < s->n; k++) {
            z[k] += d[k];
        }
        if (lbs_project(s, z)) {
            return 0;
        }
    }
    lbs_value(s, z);
    return higher_levels_hold(l);
}

/* What levels up to `last` are at the last evaluation is what they may be from now on. */
static void hold_levels(lm *l, int last) {
    for (int i = 0; i <= last; i++) {
        l->held[i] = l->s->last.level_values[i] * (1 + 1e-12) + 1e-18;
    }
}

/* The levels from `first` on, one after the other, from z, at which the last evaluation was. */
static lbs_end minimise_levels(lm *l, int first) {
    lbs_space *s = l->s;
    lbs_end end = LBS_MET;
    hold_levels(l, first - 1);
    for (l->level = first; l->level < s->task.level_count && end != LBS_OUT; l->level++) {
        end = minimise_level(l);
        evaluate(l);
        hold_levels(l, l->level);
    }
    return end;
}

/* On its way a lower level may come to where a higher one, which could not be met, is to be had for less: then all of
 * them go on from there. Otherwise z stays. */
static int higher_gains(lm *l) {
    lbs_space *s = l->s;
    size_t size = (size_t)s->n * sizeof *l->z;
    for (l->level = 0; l->level < s->task.level_count - 1 && lbs_met(s, l->level); l->level++) {
    }
    if (l->level == s->task.level_count - 1) {
        return 0;
    }
    double value = s->last.level_values[l->level];
    memcpy(l->kept, l->z, size);
    minimise_level(l);
    evaluate(l);
    if (s->last.level_values[l->level] < value * (1 - 1e-6) && higher_levels_hold(l)) {
        return 1;
    }
    memcpy(l->z, l->kept, size);
    l->at = LM_ELSEWHERE;
    return 0;
}

/* Whether the last evaluation's values are worse than the start's, the highest level first. */
static int is_worse(const lm *l) {
    for (int i = 0; i < l->s->task.level_count; i++) {
        double is = l->s->last.level_values[i], was = l->before[i];
        if (is > was * (1 + 1e-12) + 1e-18) {
            return 1;
        }
        if (is < was * (1 - 1e-12)) {
            return 0;
        }
    }
    return 0;
}

/* bfgs from where lm came to, with the iterations that are left. */
static lbs_end hand_over(lbs_space *s, double *work, double *z, int used) {
    const lb_solve_options *options = s->options;
    lb_solve_options rest = *options;
    lb_error error;
    rest.max_iterations -= used;
    if (rest.max_iterations <= 0 || s->budget.stopped) {
        return LBS_OUT;
    }
    s->options = &rest;
    lbs_end end = lbs_run_bfgs(s, work, z, &error);
    s->options = options;
    return end == LBS_CANNOT ? LBS_OUT : end;
}

static void lay_out(lm *l, lbs_space *s, double *work, double *z) {
    size_t n = (size_t)lbs_max_n(s), rows = restorable(s);
    double **vectors[] = {&l->start, &l->kept, &l->trial, &l->direction, &l->gradient, &l->fixed};
    l->s = s;
    l->z = z;
    for (size_t i = 0; i < 6; i++, work += n) {
        *vectors[i] = work;
    }
    l->frozen = (unsigned char *)work; /* n bytes, in the room of n doubles */
    work += n;
    lbs_step_lay_out(&l->step, s, work);
    l->pull = work + lbs_step_size(s);
    l->look = l->pull + lbs_pull_size(s);
    l->rows = l->look + lbs_held_size(s);
    l->matrix = l->rows + rows;
    l->held = l->matrix + rows * rows;
    l->before = l->held + s->item_count + 2;
    l->newton = l->before + s->item_count + 2;
    l->at = LM_ELSEWHERE;
}

lbs_end lbs_run_lm(lbs_space *s, double *work, double *z, lb_error *error) {
    (void)error;
    lm l;
    int first = s->budget.iterations;
    lay_out(&l, s, work, z);
    lbs_end end = LBS_MET;
    double before = lbs_value(s, z);
    memcpy(l.before, s->last.level_values, (size_t)s->task.level_count * sizeof *l.before);
    l.at = LM_EVALUATED;
    memcpy(l.start, z, (size_t)s->n * sizeof *z);
    int gains = 1;
    for (int round = 0; round < 4 && gains; round++) {
        end = minimise_levels(&l, 0);
        gains = end != LBS_OUT && higher_gains(&l);
    }
    if (gains) {
        end = LBS_OUT;
    }
    if (end == LBS_OUT && !s->budget.gives_up && hands_over(s)) {
        end = hand_over(s, l.newton + lbs_newton_size(s), z, s->budget.iterations - first);
        lbs_to_pose(s, z, s->last.pose); /* at a kink G may depend on the last digit, which a pose may not keep */
        lbs_from_pose(s, s->last.pose, z);
        l.at = LM_ELSEWHERE;
    }
    evaluate(&l);
    s->task.guard_level = 0;
    if (s->task.level_count == 1 ? lbs_total(s) > before : is_worse(&l)) { /* by rounding */
        memcpy(z, l.start, (size_t)s->n * sizeof *z);
        lbs_value(s, z);
    }
    if (end != LBS_OUT) {
        end = lbs_met(s, s->task.level_count - 1) ? LBS_MET : LBS_MINIMUM;
    }
    return end;
}

lbs_end lbs_lm_wishes(lbs_space *s, double *work, double *z) {
    lm l;
    lay_out(&l, s, work, z);
    lbs_value(s, z);
    memcpy(l.before, s->last.level_values, (size_t)s->task.level_count * sizeof *l.before);
    l.at = LM_EVALUATED;
    memcpy(l.start, z, (size_t)s->n * sizeof *z);
    lbs_end end = minimise_levels(&l, s->levels.goal_count);
    s->task.guard_level = 0;
    evaluate(&l);
    if (is_worse(&l)) { /* by rounding */
        memcpy(z, l.start, (size_t)s->n * sizeof *z);
        lbs_value(s, z);
    }
    return end;
}
