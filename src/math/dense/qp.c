/* A convex quadratic program by a dual active set (D. Goldfarb and A. Idnani, "A numerically stable dual method for
 * solving strictly convex quadratic programs", Mathematical Programming 27, 1983):
 *
 *     minimise  d'M d / 2 + g . d + sum of weight / 2 max(0, a_k . d + c_k)^2   such that   low <= d <= high.
 *
 * It begins with the minimum without constraints, or with those that were active the last time, and takes in the
 * constraint that is violated most until none is; the multipliers stay >= 0 all the while, so it ends. A condition k is
 * soft: with its multiplier u it holds that a_k . d + c_k = u / weight. Bounds are exact. */
#include "math/dense/qp.h"

#include <math.h>
#include <string.h>

#include "math/vec.h"

#define VIOLATED 1e-12 /* rad or metres beyond a constraint that count */
#define MAX_CHANGES 400
#define FLAT 1e-15 /* a constraint that depends on the active ones */

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

void lbm_qp_cut(lbm_qp *q, int n, int condition_count, int most, lbm_arena *arena) {
    const size_t stride = (size_t)lbm_stride(n), rows = (size_t)most;
    q->most = most;
    q->active = lbm_cut(arena, rows, sizeof *q->active);
    q->is_active = lbm_cut(arena, 2 * (size_t)n + (size_t)condition_count, sizeof *q->is_active);
    q->u = lbm_cut_doubles(arena, rows);
    q->rates = lbm_cut_doubles(arena, rows);
    q->products = lbm_cut_doubles(arena, rows);
    q->schur = lbm_cut_doubles(arena, rows * rows);
    q->free_minimum = lbm_cut_aligned(arena, stride);
    q->factor = lbm_cut_aligned(arena, (size_t)n * stride);
    q->solved = lbm_cut_aligned(arena, (rows + 1) * stride);
}

/* Constraints are numbered: 2 i is the lower bound of variable i, 2 i + 1 its upper one, 2 n + k condition k. */
static int condition_of(const lbm_qp *q, int constraint) { return constraint - 2 * q->n; }

/* a . v */
static double along(const lbm_qp *q, int constraint, const double *v) {
    if (constraint < 2 * q->n) {
        return constraint & 1 ? v[constraint >> 1] : -v[constraint >> 1];
    }
    return dot(q->n, q->rows + (size_t)condition_of(q, constraint) * (size_t)q->stride, v);
}

/* How far d is beyond a constraint that is not active. */
static double beyond(const lbm_qp *q, int constraint) {
    const int i = constraint >> 1;
    if (constraint < 2 * q->n) {
        return constraint & 1 ? q->d[i] - q->high[i] : q->low[i] - q->d[i];
    }
    return along(q, constraint, q->d) + q->values[condition_of(q, constraint)];
}

static double softness(const lbm_qp *q, int constraint) {
    return constraint < 2 * q->n + q->hard_count ? 0 : 1 / q->weight;
}

/* x = M^-1 a */
static void solve_for(const lbm_qp *q, int constraint, double *x) {
    memset(x, 0, (size_t)q->stride * sizeof *x);
    if (constraint < 2 * q->n) {
        x[constraint >> 1] = constraint & 1 ? 1 : -1;
    } else {
        memcpy(x, q->rows + (size_t)condition_of(q, constraint) * (size_t)q->stride, (size_t)q->n * sizeof *x);
    }
    q->kernels->factor_solve(q->n, q->factor, x);
}

/* --- The active set ------------------------------------------------------------------------------------------------------- */

/* The Cholesky factor of A M^-1 A' + softness, from row `first` on. Returns 0, or 1 where it is not positive
 * definite. */
static int factor_schur(lbm_qp *q, int first) {
    const size_t m = (size_t)q->most;
    for (int i = first; i < q->count; i++) {
        double *row = q->schur + (size_t)i * m;
        for (int k = 0; k <= i; k++) {
            double sum = along(q, q->active[i], q->solved + (size_t)k * (size_t)q->stride);
            if (i == k) {
                sum += softness(q, q->active[i]);
            }
            const double *other = q->schur + (size_t)k * m;
            for (int j = 0; j < k; j++) {
                sum -= row[j] * other[j];
            }
            if (k < i) {
                row[k] = sum / other[k];
            } else if (sum > FLAT) {
                row[k] = sqrt(sum);
            } else {
                return 1;
            }
        }
    }
    return 0;
}

static void solve_schur(const lbm_qp *q, double *b) {
    const size_t m = (size_t)q->most;
    for (int i = 0; i < q->count; i++) {
        for (int k = 0; k < i; k++) {
            b[i] -= q->schur[(size_t)i * m + (size_t)k] * b[k];
        }
        b[i] /= q->schur[(size_t)i * m + (size_t)i];
    }
    for (int i = q->count - 1; i >= 0; i--) {
        for (int k = i + 1; k < q->count; k++) {
            b[i] -= q->schur[(size_t)k * m + (size_t)i] * b[k];
        }
        b[i] /= q->schur[(size_t)i * m + (size_t)i];
    }
}

static void drop(lbm_qp *q, int place) {
    const size_t stride = (size_t)q->stride;
    q->is_active[q->active[place]] = 0;
    for (int i = place; i + 1 < q->count; i++) {
        q->active[i] = q->active[i + 1];
        q->u[i] = q->u[i + 1];
        memcpy(q->solved + (size_t)i * stride, q->solved + (size_t)(i + 1) * stride, stride * sizeof(double));
    }
    q->count--;
    factor_schur(q, place);
}

/* d = -M^-1 (g + A'u) */
static void find_d(lbm_qp *q) {
    memcpy(q->d, q->free_minimum, (size_t)q->stride * sizeof *q->d);
    for (int i = 0; i < q->count; i++) {
        q->kernels->add_scaled(q->stride, -q->u[i], q->solved + (size_t)i * (size_t)q->stride, q->d);
    }
}

/* Begins with a guess of the active set: those whose multipliers would be negative are dropped again. */
static void begin_active(lbm_qp *q) {
    int kept = 0;
    for (int i = 0; i < q->count; i++) {
        const int constraint = q->active[i];
        const int is_fit = constraint < 2 * q->n + q->condition_count && kept < q->most &&
                           (constraint >= 2 * q->n ||
                            lbm_is_finite(constraint & 1 ? q->high[constraint >> 1] : q->low[constraint >> 1]));
        if (is_fit && !q->is_active[constraint]) {
            q->is_active[constraint] = 1;
            q->active[kept++] = constraint;
        }
    }
    q->count = kept;
    for (int i = 0; i < q->count; i++) {
        solve_for(q, q->active[i], q->solved + (size_t)i * (size_t)q->stride);
    }
    if (factor_schur(q, 0)) {
        memset(q->is_active, 0, 2 * (size_t)q->n + (size_t)q->condition_count);
        q->count = 0;
        return;
    }
    for (;;) {
        int worst = -1;
        memcpy(q->d, q->free_minimum, (size_t)q->stride * sizeof *q->d);
        for (int i = 0; i < q->count; i++) {
            q->u[i] = beyond(q, q->active[i]);
        }
        solve_schur(q, q->u);
        for (int i = 0; i < q->count; i++) {
            if (q->u[i] < 0 && (worst < 0 || q->u[i] < q->u[worst])) {
                worst = i;
            }
        }
        if (worst < 0) {
            return;
        }
        drop(q, worst);
    }
}

static int most_violated(const lbm_qp *q) {
    double most = VIOLATED;
    int worst = -1;
    for (int i = 0; i < 2 * q->n + q->condition_count; i++) {
        if (!q->is_active[i]) {
            const double off = beyond(q, i);
            if (off > most) {
                most = off;
                worst = i;
            }
        }
    }
    return worst;
}

/* Takes in a violated constraint; active ones whose multipliers come to zero on the way are dropped. Returns 0 where it
 * cannot be met. */
static int take_in(lbm_qp *q, int constraint, int *changes) {
    double *x = q->solved + (size_t)q->count * (size_t)q->stride, u = 0;
    while ((*changes)++ < MAX_CHANGES) {
        x = q->solved + (size_t)q->count * (size_t)q->stride;
        solve_for(q, constraint, x);
        for (int i = 0; i < q->count; i++) {
            q->rates[i] = along(q, q->active[i], x);
        }
        double curvature = along(q, constraint, x) + softness(q, constraint);
        memcpy(q->products, q->rates, (size_t)q->count * sizeof *q->rates);
        solve_schur(q, q->rates);
        curvature -= dot(q->count, q->products, q->rates);
        const double off = beyond(q, constraint) - softness(q, constraint) * u;
        double step = curvature > FLAT ? off / curvature : INFINITY;
        int blocking = -1;
        for (int i = 0; i < q->count; i++) {
            if (q->rates[i] > 0 && q->u[i] / q->rates[i] < step) {
                step = q->u[i] / q->rates[i];
                blocking = i;
            }
        }
        if (!(step < INFINITY)) {
            return 0;
        }
        for (int i = 0; i < q->count; i++) {
            q->u[i] -= step * q->rates[i];
            q->u[i] = q->u[i] > 0 ? q->u[i] : 0;
        }
        u += step;
        q->kernels->add_scaled(q->stride, -step, x, q->d);
        for (int i = 0; i < q->count; i++) {
            q->kernels->add_scaled(q->stride, step * q->rates[i], q->solved + (size_t)i * (size_t)q->stride, q->d);
        }
        if (blocking < 0) {
            if (q->count == q->most) {
                return 0;
            }
            q->active[q->count] = constraint;
            q->u[q->count] = u;
            q->is_active[constraint] = 1;
            q->count++;
            return !factor_schur(q, q->count - 1);
        }
        drop(q, blocking);
    }
    return 0;
}

int lbm_qp_solve(lbm_qp *q) {
    int changes = 0;
    q->is_solved = 0;
    if (!q->is_factored && q->kernels->factor(q->n, q->matrix, 0, q->factor)) {
        return 1;
    }
    for (int i = 0; i < q->stride; i++) {
        q->free_minimum[i] = i < q->n ? -q->gradient[i] : 0;
    }
    q->kernels->factor_solve(q->n, q->factor, q->free_minimum);
    if (!lbm_all_finite(q->free_minimum, q->n)) {
        return 1;
    }
    memset(q->is_active, 0, 2 * (size_t)q->n + (size_t)q->condition_count);
    begin_active(q);
    find_d(q);
    int worst = most_violated(q);
    for (; worst >= 0; worst = most_violated(q)) {
        if (!take_in(q, worst, &changes)) {
            break;
        }
        find_d(q);
    }
    q->changes = changes;
    q->is_solved = worst < 0;
    return 0;
}
