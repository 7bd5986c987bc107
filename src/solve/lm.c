/* Levenberg-Marquardt under linear constraints: the default method.
 *
 * A step minimises |r + J d|^2 + mu |d|^2 over the variables that the limits leave free; limits in force that push back
 * are held as equalities. It is formed in the smaller of two spaces: with D the diagonal of damping and wishes, either
 * (J'J + D) d = -J'r + b (n x n), or d = D^-1 (b - J'y), (1 + J D^-1 J') y = r + J D^-1 b (m x m). The trial is then
 * moved to the closest point inside the limits and kept only if it is better, so every iterate is feasible and none is
 * worse. For large mu the step is that of the projected gradient, which always gets better unless the point is
 * Kuhn-Tucker's.
 *
 * The damping vanishes with the error (mu = lambda * G), which gives quadratic convergence where the goals can be met.
 * Where they cannot, Gauss-Newton crawls, and newton.c takes over.
 *
 * Priority levels are minimised one after the other, the higher ones' rows held as equalities and restored after every
 * step; a step that costs a higher level anything is refused. */
#include "solve/lm.h"

#include <string.h>

#include "math/cholesky.h"

#define HOLD 1e3           /* the weight of rows that a step must not change */
#define HAND_OVER_SIZE 300 /* variables */

typedef struct lm {
    lbs_space *s;
    int level;
    double *z, *start, *kept, *trial, *d, *half_gradient, *half_curvature, *direction, *bounds, *limits, *diagonal;
    double *fixed; /* [n]: the step of variables that it would take beyond a bound: as far as that; 0 of the others */
    unsigned char *frozen; /* [n]: those, and what a bound holds back */
    double *rows;          /* [m + active]: right-hand side of the dual system */
    double *matrix;        /* [q][q] */
    double *held;          /* [level]: what the higher levels may not exceed */
    size_t matrix_room;    /* q^2 */
    double *newton;        /* newton.c's */
    double lambda;
    int slow;
} lm;

/* Rows (and columns) of the matrix: of the smaller system; restoring higher levels needs one of all their rows. */
static int matrix_size(const lbs_space *s, int n, int m, int limits) {
    int dual = m + (limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE), size = dual < n ? dual : n;
    for (int i = 1; i < s->item_count; i++)
        if (s->items[i].constraint->priority != s->items[0].constraint->priority) return size > m ? size : m;
    return size;
}

size_t lbs_lm_size(const lbs_space *s) {
    size_t n = (size_t)lbs_max_n(s), m = (size_t)lbs_max_m(s), limits = lbs_max_limits(s->problem);
    size_t q = (size_t)matrix_size(s, (int)n, (int)m, (int)limits),
           active = limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE;
    size_t other = n <= HAND_OVER_SIZE ? lbs_bfgs_size(s) : 0;
    return 11 * n + limits + (m + active) + q * q + (size_t)s->item_count + 2 + lbs_newton_size(s) + other;
}

/* --- The step ------------------------------------------------------------------------------------------------ */

/* The rows that a step sees: this level's residuals, then the higher levels' and the limits in force, held. Row i as a
 * vector over the free variables is gathered into out; returns its right-hand side. */
typedef struct step_rows {
    const lm *l;
    int first, own, higher, active; /* counts; `first` is where this level's rows begin */
    int limit[LBS_MAX_ACTIVE];
    double slack[LBS_MAX_ACTIVE]; /* how far the step goes to the limit: 0 where it is in force already */
} step_rows;

static void choose_rows(const lm *l, step_rows *rows) {
    const lbs_space *s = l->s;
    rows->l = l;
    rows->first = s->level_rows[l->level];
    rows->own = s->level_rows[l->level + 1] - rows->first;
    rows->higher = rows->first;
    rows->active = 0;
    for (int k = 0; k < s->limit_count && rows->active < LBS_MAX_ACTIVE; k++)
        if (l->limits[k] != 0) {
            rows->slack[rows->active] = 0;
            rows->limit[rows->active++] = k;
        }
}

/* What a row adds up to before the step: this level's residuals, nothing for what is held, the way to go for limits. */
static double row_value(const step_rows *rows, int i) {
    if (i < rows->own) return rows->l->s->row[rows->first + i];
    return i < rows->own + rows->higher ? 0 : -HOLD * rows->slack[i - rows->own - rows->higher];
}

/* row . v over free variables (v is 0 at the others), and v += scale * row. */
static double row_dot(const step_rows *rows, int i, const double *v) {
    const lbs_space *s = rows->l->s;
    double sum = 0;
    if (i < rows->own + rows->higher) {
        int at = i < rows->own ? rows->first + i : i - rows->own;
        const double *row = lbs_jacobian_row(s, at);
        for (int k = 0; k < s->n; k++) sum += row[k] * v[k];
        return i < rows->own ? sum : HOLD * sum;
    }
    const lb_limit_row *limit = &s->limits[rows->limit[i - rows->own - rows->higher]];
    for (int k = 0; k < limit->count; k++) sum += limit->coefficients[k] * v[limit->variables[k]];
    return HOLD * sum;
}

static void row_add(const step_rows *rows, int i, double scale, double *v) {
    const lbs_space *s = rows->l->s;
    if (i < rows->own + rows->higher) {
        int at = i < rows->own ? rows->first + i : i - rows->own;
        if (i >= rows->own) scale *= HOLD;
        const double *row = lbs_jacobian_row(s, at);
        for (int k = 0; k < s->n; k++) v[k] += scale * row[k];
        return;
    }
    const lb_limit_row *limit = &s->limits[rows->limit[i - rows->own - rows->higher]];
    for (int k = 0; k < limit->count; k++) v[limit->variables[k]] += scale * HOLD * limit->coefficients[k];
}

/* diagonal[i]: 1 / (mu + curvature) of free variables, 0 of frozen ones. */
static int dual_step(lm *l, const step_rows *rows) {
    const lbs_space *s = l->s;
    int q = rows->own + rows->higher + rows->active;
    double *column = l->trial; /* scratch */
    for (int i = 0; i < q; i++) {
        memset(column, 0, (size_t)s->n * sizeof *column);
        row_add(rows, i, 1, column);
        for (int k = 0; k < s->n; k++) column[k] *= l->diagonal[k];
        for (int j = i; j < q; j++) l->matrix[(size_t)j * (size_t)q + (size_t)i] = row_dot(rows, j, column);
        l->matrix[(size_t)i * (size_t)q + (size_t)i] += 1;
    }
    for (int k = 0; k < s->n; k++)
        l->d[k] = -l->diagonal[k] * l->half_gradient[k]; /* the wishes' part: see lm_minimise */
    for (int i = 0; i < q; i++) l->rows[i] = row_value(rows, i) + row_dot(rows, i, l->d) + row_dot(rows, i, l->fixed);
    if (lbm_cholesky(q, l->matrix)) return 1;
    lbm_cholesky_solve(q, l->matrix, l->rows);
    memset(column, 0, (size_t)s->n * sizeof *column);
    for (int i = 0; i < q; i++) row_add(rows, i, l->rows[i], column);
    for (int k = 0; k < s->n; k++) l->d[k] += l->fixed[k] - l->diagonal[k] * column[k];
    return 0;
}

static int primal_step(lm *l, const step_rows *rows) {
    const lbs_space *s = l->s;
    int n = s->n, q = rows->own + rows->higher + rows->active;
    double *row = l->trial;
    memset(l->matrix, 0, (size_t)n * (size_t)n * sizeof *l->matrix);
    for (int k = 0; k < n; k++) l->d[k] = -l->half_gradient[k];
    for (int i = 0; i < q; i++) {
        memset(row, 0, (size_t)n * sizeof *row);
        row_add(rows, i, 1, row);
        double residual = row_value(rows, i) + row_dot(rows, i, l->fixed);
        for (int a = 0; a < n; a++) {
            if (l->diagonal[a] == 0) row[a] = 0;
            if (row[a] == 0) continue;
            l->d[a] -= residual * row[a];
            double *line = l->matrix + (size_t)a * (size_t)n;
            for (int b = 0; b <= a; b++) line[b] += row[a] * row[b];
        }
    }
    for (int a = 0; a < n; a++) {
        l->matrix[(size_t)a * (size_t)n + (size_t)a] += l->diagonal[a] == 0 ? 1 : 1 / l->diagonal[a];
        if (l->diagonal[a] == 0) l->d[a] = 0;
    }
    if (lbm_cholesky(n, l->matrix)) return 1;
    lbm_cholesky_solve(n, l->matrix, l->d);
    for (int a = 0; a < n; a++) l->d[a] += l->fixed[a];
    return 0;
}

/* Freezes what the step d would take beyond its bound, to go as far as that. Returns how many. */
static int freeze_beyond(lm *l) {
    const lbs_space *s = l->s;
    int count = 0;
    for (int i = 0; i < s->n; i++) {
        double to = l->z[i] + l->d[i];
        if (l->frozen[i] || (to >= s->lower[i] && to <= s->upper[i])) continue;
        l->frozen[i] = 1;
        l->fixed[i] = (to < s->lower[i] ? s->lower[i] : s->upper[i]) - l->z[i];
        count++;
    }
    return count;
}

/* Limits over several variables that the step d would go beyond are held as equalities, to go as far as they allow.
 * Returns how many. */
static int hold_beyond(const lm *l, step_rows *rows) {
    const lbs_space *s = l->s;
    int count = 0;
    for (int k = 0; k < s->limit_count && rows->active < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *limit = &s->limits[k];
        double here = 0, change = 0;
        int held = 0;
        for (int i = 0; i < rows->active && !held; i++) held = rows->limit[i] == k;
        if (held) continue;
        for (int j = 0; j < limit->count; j++) {
            here += limit->coefficients[j] * l->z[limit->variables[j]];
            change += limit->coefficients[j] * l->d[limit->variables[j]];
        }
        if (here + change <= limit->bound + 1e-12 * (1 + fabs(limit->bound))) continue;
        rows->slack[rows->active] = here < limit->bound ? limit->bound - here : 0;
        rows->limit[rows->active++] = k;
        count++;
    }
    return count;
}

/* d for a damping; half_gradient holds the wishes' half gradient alone here. Bounds are handled inside the step: what
 * it would take beyond them is held there and the rest solved again, so that the other variables make up for it. */
static int compute_step(lm *l, double mu) {
    const lbs_space *s = l->s;
    step_rows rows;
    choose_rows(l, &rows);
    for (int i = 0; i < s->n; i++) {
        l->frozen[i] = l->bounds[i] > 0;
        l->fixed[i] = 0;
    }
    for (int pass = 0; pass < 8; pass++) {
        for (int i = 0; i < s->n; i++) l->diagonal[i] = l->frozen[i] ? 0 : 1 / (mu + l->half_curvature[i]);
        if (s->n <= rows.own + rows.higher + rows.active ? primal_step(l, &rows) : dual_step(l, &rows)) return 1;
        for (int i = 0; i < s->n; i++)
            if (!lbm_is_finite(l->d[i])) return 1;
        if (!(freeze_beyond(l) + hold_beyond(l, &rows))) break;
    }
    return 0;
}

/* --- One level ------------------------------------------------------------------------------------------------- */

static int is_last(const lm *l) { return l->level == l->s->level_count - 1; }

/* The wishes' half gradient and curvature (of the last level), and the whole half gradient into `whole`. */
static void gradients(lm *l, double *whole) {
    lbs_space *s = l->s;
    memset(l->half_gradient, 0, (size_t)s->n * sizeof *l->half_gradient);
    memset(l->half_curvature, 0, (size_t)s->n * sizeof *l->half_curvature);
    if (is_last(l)) lbs_wishes(s, l->z, l->half_gradient, l->half_curvature);
    memcpy(whole, l->half_gradient, (size_t)s->n * sizeof *whole);
    for (int i = s->level_rows[l->level]; i < s->level_rows[l->level + 1]; i++) {
        const double *row = lbs_jacobian_row(s, i);
        for (int k = 0; k < s->n; k++) whole[k] += s->row[i] * row[k];
    }
}

/* The decrease that the model foretells for a step d. */
static double foretold(const lm *l, const double *d, const double *whole) {
    const lbs_space *s = l->s;
    double sum = 0;
    for (int k = 0; k < s->n; k++) sum -= 2 * whole[k] * d[k] + l->half_curvature[k] * d[k] * d[k];
    for (int i = s->level_rows[l->level]; i < s->level_rows[l->level + 1]; i++) {
        const double *row = lbs_jacobian_row(s, i);
        double change = 0;
        for (int k = 0; k < s->n; k++) change += row[k] * d[k];
        sum -= change * change;
    }
    return sum;
}

static int higher_levels_hold(const lm *l) {
    for (int i = 0; i < l->level; i++)
        if (!(l->s->level_value[i] <= l->held[i])) return 0;
    return 1;
}

static int restore(lm *l, double *z);

/* Tries one damping: the trial point is in l->trial, its level's value returned; NaN if it cannot be had. */
static double try_step(lm *l, double mu) {
    lbs_space *s = l->s;
    if (compute_step(l, mu)) return NAN;
    for (int i = 0; i < s->n; i++) l->trial[i] = l->z[i] + l->d[i];
    if (lbs_project(s, l->trial)) return NAN;
    lbs_value(s, l->trial);
    if (l->level > 0 && !higher_levels_hold(l) && !restore(l, l->trial)) return NAN;
    return s->level_value[l->level];
}

typedef enum lm_try { LM_BETTER, LM_STUCK } lm_try;

/* Dampings until a step is better. */
static lm_try take_step(lm *l, double value, const double *whole, double *better) {
    lbs_space *s = l->s;
    for (int attempt = 0; attempt < 30; attempt++) {
        double mu = l->lambda * (value < 1 ? value : 1) + 1e-13;
        double trial = try_step(l, mu), moved = 0;
        for (int i = 0; i < s->n; i++) {
            l->d[i] = l->trial[i] - l->z[i];
            moved += l->d[i] * l->d[i];
        }
        double promise = trial == trial ? foretold(l, l->d, whole) : 0;
        double gain = value - trial;
        if (gain > 0 && gain >= 1e-3 * promise) {
            double ratio = promise > 0 ? gain / promise : 0;
            if (ratio > 0.75) l->lambda *= 0.25;
            else if (ratio < 0.25) l->lambda *= 3;
            if (l->lambda < 1e-6) l->lambda = 1e-6;
            memcpy(l->z, l->trial, (size_t)s->n * sizeof *l->z);
            *better = trial;
            return LM_BETTER;
        }
        if (trial == trial && moved < 1e-32) return LM_STUCK;
        l->lambda = l->lambda < 1e-3 ? 1e-2 : l->lambda * 8;
        if (s->evaluations >= s->options->max_evaluations) return LM_STUCK;
        if (l->lambda > 1e18) return LM_STUCK;
    }
    return LM_STUCK;
}

static int keep_higher(void *context, double *z) {
    lm *l = context;
    return higher_levels_hold(l) || restore(l, z);
}

/* Whether what defeats Gauss-Newton and Newton alike (a goal to look at that is all but in the eye) is left to bfgs,
 * which needs no curvature but what it meets: not with levels, nor where its dense matrix would be large. */
static int hands_over(const lbs_space *s) { return s->level_count == 1 && lbs_max_n(s) <= HAND_OVER_SIZE; }

static lbs_end minimise_level(lm *l) {
    lbs_space *s = l->s;
    int newton = 0, escapes = 0;
    double value = 0;
    l->lambda = 0.1;
    l->slow = 0;
    for (int iteration = 0; iteration <= s->options->max_iterations; iteration++) {
        lbs_jacobian(s, l->z);
        value = s->level_value[l->level];
        if (!s->options->keep_going && lbs_met(s, l->level) && (!is_last(l) || lbs_wishes(s, l->z, NULL, NULL) == 0))
            return LBS_MET;
        double *whole = l->direction; /* half gradient; then, from lbs_tangent, the direction */
        gradients(l, whole);
        double *gradient = l->trial;
        for (int i = 0; i < s->n; i++) gradient[i] = 2 * whole[i];
        double norm = lbs_tangent(s, l->z, gradient, l->d, l->bounds, l->limits);
        if (l->level == 0 && norm <= s->options->gradient_tolerance * lbs_level_unit(s, l->level)) {
            if (lbs_met(s, l->level) || value == 0) return LBS_MINIMUM;
            if (escapes++ >= 3 || !lbs_newton_escape(s, l->newton, l->z, l->level)) return LBS_MINIMUM;
            l->lambda = 0.1;
            continue;
        }
        if (iteration == s->options->max_iterations) break;
        if (s->give_up && l->slow >= 3) return LBS_OUT;
        double better = value;
        lm_try result = l->slow >= 3 && newton < 2 ? LM_STUCK : take_step(l, value, whole, &better);
        if (result == LM_STUCK) {
            lbs_hold hold = {keep_higher, l};
            double tolerance = s->options->gradient_tolerance * lbs_level_unit(s, l->level);
            if (newton >= 1 && hands_over(s)) return LBS_OUT;
            if (newton >= 2)
                return l->level > 0 && lbs_newton_norm(s, l->newton, l->z, l->level, NULL) <= tolerance ? LBS_MINIMUM
                                                                                                        : LBS_OUT;
            newton++;
            l->slow = 0;
            lbs_newton(s, l->newton, l->z, l->level, &hold, &iteration);
            l->lambda = 0.1;
            if (s->stopped) return LBS_OUT;
            if (l->level > 0 && lbs_newton_norm(s, l->newton, l->z, l->level, NULL) <= tolerance) return LBS_MINIMUM;
            continue;
        }
        if (lbs_stop(s, l->z, lbs_total(s))) return LBS_OUT;
        l->slow = better > 0.5 * value ? l->slow + 1 : 0;
    }
    return LBS_OUT;
}

/* --- Levels ----------------------------------------------------------------------------------------------------- */

/* A damped least-squares correction of the higher levels' rows into l->d, by the variables that are not frozen. */
static int correction(lm *l, double damping) {
    const lbs_space *s = l->s;
    int q = s->level_rows[l->level];
    size_t n = (size_t)s->n;
    for (int i = 0; i < q; i++) {
        const double *a = lbs_jacobian_row(s, i);
        for (int j = 0; j <= i; j++) {
            const double *b = lbs_jacobian_row(s, j);
            double sum = 0;
            for (size_t k = 0; k < n; k++) sum += l->frozen[k] ? 0 : a[k] * b[k];
            l->matrix[(size_t)i * (size_t)q + (size_t)j] = sum;
        }
        l->matrix[(size_t)i * (size_t)q + (size_t)i] += damping;
        l->rows[i] = s->row[i];
        for (size_t k = 0; k < n; k++) l->rows[i] += l->frozen[k] ? a[k] * l->fixed[k] : 0;
    }
    if (lbm_cholesky(q, l->matrix)) return 1;
    lbm_cholesky_solve(q, l->matrix, l->rows);
    for (size_t k = 0; k < n; k++) {
        double sum = 0;
        for (int i = 0; i < q; i++) sum += lbs_jacobian_row(s, i)[k] * l->rows[i];
        l->d[k] = l->frozen[k] ? l->fixed[k] : -sum;
    }
    return 0;
}

/* Brings the higher levels back to what they may be, from a trial point, by a few steps on their rows alone. */
static int restore(lm *l, double *z) {
    lbs_space *s = l->s;
    int q = s->level_rows[l->level];
    double *home = l->z;
    if ((size_t)q * (size_t)q > l->matrix_room) return 0;
    for (int pass = 0; pass < 8; pass++) {
        lbs_jacobian(s, z);
        if (higher_levels_hold(l)) return 1;
        double damping = 1e-14;
        for (int i = 0; i < l->level; i++) damping += 0.1 * s->level_value[i];
        memset(l->frozen, 0, (size_t)s->n);
        memset(l->fixed, 0, (size_t)s->n * sizeof *l->fixed);
        l->z = z; /* freeze_beyond looks from here */
        int failed = 0;
        for (int again = 0; again < 6 && !failed; again++) {
            failed = correction(l, damping);
            if (!failed && !freeze_beyond(l)) break;
        }
        l->z = home;
        if (failed) return 0;
        for (int k = 0; k < s->n; k++) z[k] += l->d[k];
        if (lbs_project(s, z)) return 0;
    }
    lbs_value(s, z);
    return higher_levels_hold(l);
}

static lbs_end minimise_levels(lm *l) {
    lbs_space *s = l->s;
    lbs_end end = LBS_MET;
    for (l->level = 0; l->level < s->level_count && end != LBS_OUT; l->level++) {
        end = minimise_level(l);
        lbs_value(s, l->z);
        for (int i = 0; i <= l->level; i++) l->held[i] = s->level_value[i] * (1 + 1e-12) + 1e-18;
    }
    return end;
}

/* On its way a lower level may come to where a higher one, which could not be met, is to be had for less: then all of
 * them go on from there. Otherwise z stays. */
static int higher_gains(lm *l) {
    lbs_space *s = l->s;
    size_t size = (size_t)s->n * sizeof *l->z;
    lbs_value(s, l->z);
    for (l->level = 0; l->level < s->level_count - 1 && lbs_met(s, l->level); l->level++) {
    }
    if (l->level == s->level_count - 1) return 0;
    double value = s->level_value[l->level];
    memcpy(l->kept, l->z, size);
    minimise_level(l);
    lbs_value(s, l->z);
    if (s->level_value[l->level] < value * (1 - 1e-6) && higher_levels_hold(l)) return 1;
    memcpy(l->z, l->kept, size);
    return 0;
}

/* bfgs from where lm came to, with the iterations that are left. */
static lbs_end hand_over(lbs_space *s, double *work, double *z, int used) {
    const lb_solve_options *options = s->options;
    lb_solve_options rest = *options;
    lb_error error;
    rest.max_iterations -= used;
    if (rest.max_iterations <= 0 || s->stopped) return LBS_OUT;
    s->options = &rest;
    lbs_end end = lbs_bfgs(s, work, z, &error);
    s->options = options;
    return end == LBS_CANNOT ? LBS_OUT : end;
}

lbs_end lbs_lm(lbs_space *s, double *work, double *z, lb_error *error) {
    (void)error;
    lm l;
    int first = s->iterations;
    size_t n = (size_t)lbs_max_n(s), m = (size_t)lbs_max_m(s), limits = lbs_max_limits(s->problem);
    size_t active = limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE,
           q = (size_t)matrix_size(s, (int)n, (int)m, (int)limits);
    double **vectors[] = {&l.trial,  &l.d,        &l.half_gradient, &l.half_curvature, &l.direction,
                          &l.bounds, &l.diagonal, &l.start,         &l.fixed,          &l.kept};
    l.s = s;
    l.z = z;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) *vectors[i] = work + i * n;
    l.frozen = (unsigned char *)(work + 10 * n); /* n bytes, in the room of n doubles */
    work += 11 * n;
    l.limits = work;
    l.rows = l.limits + limits;
    l.matrix = l.rows + m + active;
    l.matrix_room = q * q;
    l.held = l.matrix + q * q;
    l.newton = l.held + s->item_count + 2;
    lbs_end end = LBS_MET;
    double before = lbs_value(s, z);
    memcpy(l.start, z, (size_t)s->n * sizeof *z);
    int gains = 1;
    for (int round = 0; round < 4 && gains; round++) {
        end = minimise_levels(&l);
        gains = end != LBS_OUT && higher_gains(&l);
    }
    if (gains) end = LBS_OUT;
    if (end == LBS_OUT && !s->give_up && hands_over(s))
        end = hand_over(s, l.newton + lbs_newton_size(s), z, s->iterations - first);
    if (s->level_count == 1 && lbs_value(s, z) > before) memcpy(z, l.start, (size_t)s->n * sizeof *z); /* by rounding */
    lbs_value(s, z);
    if (end != LBS_OUT) end = lbs_met(s, s->level_count - 1) ? LBS_MET : LBS_MINIMUM;
    return end;
}
