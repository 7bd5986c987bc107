#include "math/box.h"

#include <math.h>

#define ROUNDS 20
#define SEARCHES 60

static double clip(double value, double low, double high) { return value < low ? low : value > high ? high : value; }

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += a[i] * b[i];
    return sum;
}

/* ---------------------------------------------------------------------------------------------------
 * Few rows: in the dual
 *
 * With y = right + A d at the answer, each variable is d_i = clip(u_i), u = -(slope + A'y) / diagonal: the problem has as
 * many unknowns as rows. The gradient of the (convex, piecewise quadratic) dual function is y - right - A d(y), its second
 * derivative 1 + A D A' over the variables that are between their bounds. Newton's method on this semismooth function with
 * an exact search along the line converges from anywhere, in a handful of rounds (L. Qi and J. Sun, "A nonsmooth version of
 * Newton's method", Mathematical Programming 58, 1993).
 * ------------------------------------------------------------------------------------------------- */

size_t lbm_box_rows_size(int n, int m) {
    size_t columns = (size_t)lbm_stride(n), rows = (size_t)lbm_stride(m);
    return 7 * columns + 2 * rows + 2 * rows * (size_t)m;
}

/* Along u + t du the slope of the dual function falls to 0 once; t there, at most 1. */
static double search(const lbm_box_rows *b, const double *u, const double *du, const double *product, double constant,
                     double linear, double scale) {
    double t = 1, low = 0, high = 1;
    for (int i = 0; i < SEARCHES; i++) {
        double slope = constant + t * linear, bend = linear;
        for (int k = 0; k < b->n; k++) {
            double at = u[k] + t * du[k], inside = clip(at, b->low[k], b->high[k]);
            slope -= inside * product[k];
            if (at == inside) bend -= du[k] * product[k];
        }
        if (fabs(slope) <= 1e-3 * scale) break;
        if (slope < 0) {
            if (t >= 1) break;
            low = t;
        } else {
            high = t;
        }
        double next = t - slope / bend;
        t = next > low && next < high ? next : 0.5 * (low + high);
    }
    return t;
}

/* The scratch, cut. */
typedef struct rows_room {
    double *u, *du, *product, *between; /* [stride]; product has twice that, for the Gram matrix */
    double *weights, *inverse;          /* [stride]: those that the Gram matrix has; 1 / diagonal */
    double *step, *error;               /* [lbm_stride(m)] */
    double *gram, *matrix;              /* [m][lbm_stride(m)]: A diag(weights) A', and the factor of 1 + that */
} rows_room;

static rows_room lay_out(const lbm_box_rows *b) {
    size_t columns = (size_t)b->rows.stride, rows = (size_t)lbm_stride(b->rows.rows);
    double *at = b->scratch, *after = at + 7 * columns;
    return (rows_room){at,
                       at + columns,
                       at + 2 * columns,
                       at + 4 * columns,
                       at + 5 * columns,
                       at + 6 * columns,
                       after,
                       after + rows,
                       after + 2 * rows,
                       after + 2 * rows + rows * (size_t)b->rows.rows};
}

/* The Gram matrix for the variables that are between their bounds now. From one round to the next few come or go: then these
 * are added or taken off, unless so large a weight would leave only its rounding errors. */
static void weigh(const lbm_box_rows *b, const rows_room *w, int is_first) {
    int m = b->rows.rows, changed = 0;
    size_t stride = (size_t)lbm_stride(m);
    for (int k = 0; k < b->n && !is_first; k++)
        if (w->between[k] != w->weights[k])
            changed += w->between[k] + w->weights[k] < 1e6 ? 1 : b->n; /* one of them is 0 */
    if (is_first || changed > b->n / 4) {
        b->kernels->gram(&b->rows, w->between, w->product, w->gram);
    } else {
        for (int k = 0; k < b->n; k++) {
            double weight = w->between[k] - w->weights[k];
            if (weight == 0) continue;
            for (int i = 0; i < m; i++) w->step[i] = b->rows.values[(size_t)i * (size_t)b->rows.stride + (size_t)k];
            for (int i = 0; i < m; i++) {
                double part = weight * w->step[i], *line = w->gram + (size_t)i * stride;
                if (part == 0) continue;
                for (int j = i; j < m; j++) line[j] += part * w->step[j];
            }
        }
    }
    for (int k = 0; k < b->n; k++) w->weights[k] = w->between[k];
}

/* The step of Newton's method, by the variables that are between their bounds. */
static int dual_step(const lbm_box_rows *b, const rows_room *w, int is_first) {
    int m = b->rows.rows, stride = lbm_stride(m);
    weigh(b, w, is_first);
    for (int i = 0; i < m; i++) {
        size_t line = (size_t)i * (size_t)stride;
        for (int j = i; j < stride; j++) w->matrix[line + (size_t)j] = w->gram[line + (size_t)j];
        w->matrix[line + (size_t)i] += 1;
    }
    for (int i = 0; i < stride; i++) w->step[i] = i < m ? w->error[i] : 0;
    if (b->kernels->factor(m, w->matrix)) return 1;
    b->kernels->factor_solve(m, w->matrix, w->step);
    b->kernels->transpose_times(&b->rows, w->step, w->product);
    return 0;
}

int lbm_box_rows_solve(const lbm_box_rows *b) {
    const rows_room w = lay_out(b);
    int n = b->n, m = b->rows.rows, guessed = 0; /* what is held is not what the first u holds */
    double *y = b->multipliers, size = 0, left;
    for (int k = 0; k < n; k++) {
        w.inverse[k] = 1 / b->diagonal[k];
        w.u[k] = -b->slope[k] * w.inverse[k];
        b->d[k] = clip(w.u[k], b->low[k], b->high[k]);
        w.between[k] = b->held[k] ? 0 : w.inverse[k];
        guessed |= b->held[k] ? b->low[k] < w.u[k] && w.u[k] < b->high[k] : w.u[k] < b->low[k] || w.u[k] > b->high[k];
    }
    for (int k = n; k < b->rows.stride; k++) w.between[k] = b->d[k] = 0;
    b->kernels->times(&b->rows, b->d, w.error);
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        w.error[i] += b->right[i];
        size += w.error[i] * w.error[i];
    }
    for (int round = 0; round < ROUNDS; round++) {
        if (dual_step(b, &w, round == 0)) return 1;
        double constant = dot(m, y, w.step) - dot(m, b->right, w.step);
        for (int k = 0; k < n; k++) w.du[k] = -w.product[k] * w.inverse[k];
        double t = search(b, w.u, w.du, w.product, constant, dot(m, w.step, w.step), fabs(dot(m, w.error, w.step)));
        int changed = t < 1 || (round == 0 && guessed);
        for (int i = 0; i < m; i++) y[i] += t * w.step[i];
        for (int k = 0; k < n; k++) {
            w.u[k] += t * w.du[k];
            double before = b->d[k], after = clip(w.u[k], b->low[k], b->high[k]);
            double free = b->low[k] < w.u[k] && w.u[k] < b->high[k] ? w.inverse[k] : 0;
            if (!(after - after == 0)) return 1;
            changed |= free != w.between[k] || (free == 0 && after != before); /* or from one bound to the other */
            b->d[k] = after;
            w.between[k] = free;
        }
        if (!changed) return 0;
        b->kernels->times(&b->rows, b->d, w.error);
        left = 0;
        for (int i = 0; i < m; i++) {
            w.error[i] += b->right[i] - y[i];
            left += w.error[i] * w.error[i];
        }
        if (left <= (1e-24 + b->accuracy * b->accuracy) * size) return 0;
    }
    return 0;
}

void lbm_box_rows_again(const lbm_box_rows *b, const double *right, double *d) {
    const rows_room w = lay_out(b);
    int m = b->rows.rows;
    for (int i = 0; i < lbm_stride(m); i++) w.step[i] = i < m ? right[i] : 0;
    b->kernels->factor_solve(m, w.matrix, w.step);
    b->kernels->transpose_times(&b->rows, w.step, w.product);
    for (int k = 0; k < b->n; k++) d[k] = -w.between[k] * w.product[k];
}

/* ---------------------------------------------------------------------------------------------------
 * A whole matrix: a primal-dual active set
 *
 * Variables that the step takes beyond a bound are set on it, those that their bound would have to pull are let go, all at
 * once, until nothing changes (M. Hintermueller, K. Ito and K. Kunisch, "The primal-dual active set strategy as a
 * semismooth Newton method", SIAM J. Optimization 13, 2003). That may go in circles; after a few rounds nothing is let go any
 * more, which ends them.
 * ------------------------------------------------------------------------------------------------- */

#define LETTING_GO 8

size_t lbm_box_matrix_size(int n) { return (size_t)(n + 2) * (size_t)lbm_stride(n); }

/* The scratch, cut. */
typedef struct matrix_room {
    double *x;      /* [lbm_stride(n)] */
    int *free;      /* [n] */
    double *factor; /* [free][lbm_stride(free)] */
} matrix_room;

static matrix_room cut_scratch(const lbm_box_matrix *b) {
    double *x = b->scratch;
    return (matrix_room){x, (int *)(x + lbm_stride(b->n)), x + 2 * lbm_stride(b->n)};
}

/* Factors the part of the free variables; returns how many they are, or -1. */
static int factor_free(const lbm_box_matrix *b, const matrix_room *w) {
    int count = 0;
    for (int i = 0; i < b->n; i++)
        if (b->state[i] == 0) w->free[count++] = i;
    int stride = lbm_stride(count);
    for (int i = 0; i < count; i++) {
        const double *row = b->matrix + (size_t)w->free[i] * (size_t)b->stride;
        double *line = w->factor + (size_t)i * (size_t)stride;
        if (count == b->n)
            for (int j = i; j < count; j++) line[j] = row[j];
        else
            for (int j = i; j < count; j++) line[j] = row[w->free[j]];
        for (int j = count; j < stride; j++) line[j] = 0;
        line[i] += b->shift;
    }
    return b->kernels->factor(count, w->factor) ? -1 : count;
}

int lbm_box_matrix_factor(const lbm_box_matrix *b) {
    const matrix_room w = cut_scratch(b);
    return factor_free(b, &w) < 0;
}

/* The step of the free variables, the others being on their bounds. Returns how many they are, or -1. */
static int solve_free(const lbm_box_matrix *b, const matrix_room *w) {
    int count = factor_free(b, w);
    if (count < 0) return -1;
    for (int i = 0; i < count; i++) w->x[i] = -b->gradient[w->free[i]];
    for (int k = 0; k < b->n; k++) {
        const double *row = b->matrix + (size_t)k * (size_t)b->stride;
        if (b->d[k] == 0) continue;
        for (int i = 0; i < count; i++) w->x[i] -= b->d[k] * row[w->free[i]];
    }
    for (int i = count; i < lbm_stride(count); i++) w->x[i] = 0;
    b->kernels->factor_solve(count, w->factor, w->x);
    for (int i = 0; i < count; i++) {
        if (!(w->x[i] - w->x[i] == 0)) return -1;
        b->d[w->free[i]] = w->x[i];
    }
    return count;
}

/* What pushes a variable on its bound. */
static double push_on(const lbm_box_matrix *b, int i) {
    const double *row = b->matrix + (size_t)i * (size_t)b->stride;
    double sums[4] = {0, 0, 0, 0}; /* four at once do not wait for each other */
    int k = 0;
    for (; k + 4 <= b->n; k += 4)
        for (int c = 0; c < 4; c++) sums[c] += row[k + c] * b->d[k + c];
    for (; k < b->n; k++) sums[0] += row[k] * b->d[k];
    return -b->gradient[i] - (sums[0] + sums[1] + sums[2] + sums[3]) - b->shift * b->d[i];
}

int lbm_box_matrix_solve(const lbm_box_matrix *b) {
    const matrix_room w = cut_scratch(b);
    int n = b->n;
    for (int round = 0;; round++) {
        for (int i = 0; i < n; i++) b->d[i] = b->state[i] == 0 ? 0 : b->state[i] < 0 ? b->low[i] : b->high[i];
        int changed = 0, count = solve_free(b, &w);
        if (count < 0) return 1;
        for (int k = 0; k < n && round < LETTING_GO; k++) {
            if (b->state[k] == 0 || b->state[k] * push_on(b, k) >= 0) continue;
            b->state[k] = 0;
            changed = 1;
        }
        for (int i = 0; i < count; i++) {
            int k = w.free[i];
            if (b->d[k] >= b->low[k] && b->d[k] <= b->high[k]) continue;
            b->state[k] = b->d[k] < b->low[k] ? -1 : 1;
            changed = 1;
        }
        if (!changed) return 0;
    }
}

void lbm_box_matrix_again(const lbm_box_matrix *b, const double *gradient, double *d) {
    const matrix_room w = cut_scratch(b);
    int n = b->n, count = 0;
    for (int i = 0; i < n; i++)
        if (b->state[i] == 0) w.x[count++] = -gradient[i];
    for (int i = count; i < lbm_stride(count); i++) w.x[i] = 0;
    b->kernels->factor_solve(count, w.factor, w.x);
    for (int i = n - 1; i >= 0; i--) d[i] = b->state[i] == 0 ? w.x[--count] : 0;
}
