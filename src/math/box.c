#include "math/box.h"

#include <math.h>

#include "math/cholesky.h"

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

size_t lbm_box_rows_size(int n, int m) { return 4 * (size_t)n + 2 * (size_t)m + (size_t)m * (size_t)m; }

/* matrix = 1 + A diag A', its lower triangle. */
static void fill_matrix(const lbm_box_rows *b, const double *diagonal, double *scaled, double *matrix) {
    for (int i = 0; i < b->m; i++) {
        const double *row = b->rows[i];
        for (int k = 0; k < b->n; k++) scaled[k] = diagonal[k] * row[k];
        double *line = matrix + i * (size_t)b->m;
        for (int j = 0; j <= i; j++) line[j] = dot(b->n, scaled, b->rows[j]);
        line[i] += 1;
    }
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

int lbm_box_rows_solve(const lbm_box_rows *b) {
    int n = b->n, m = b->m;
    double *u = b->scratch, *du = u + n, *product = du + n, *between = product + n;
    double *step = between + n, *error = step + m, *matrix = error + m, *y = b->multipliers;
    double size = 0;
    int guessed = 0; /* what is held is not what the first u holds */
    for (int k = 0; k < n; k++) {
        u[k] = -b->slope[k] / b->diagonal[k];
        b->d[k] = clip(u[k], b->low[k], b->high[k]);
        between[k] = b->held[k] ? 0 : 1 / b->diagonal[k];
        guessed |= b->held[k] ? b->low[k] < u[k] && u[k] < b->high[k] : u[k] < b->low[k] || u[k] > b->high[k];
    }
    for (int i = 0; i < m; i++) {
        y[i] = 0;
        error[i] = b->right[i] + dot(n, b->rows[i], b->d);
        size += error[i] * error[i];
    }
    for (int round = 0; round < ROUNDS; round++) {
        fill_matrix(b, between, product, matrix);
        for (int i = 0; i < m; i++) step[i] = error[i];
        if (lbm_cholesky(m, matrix)) return 1;
        lbm_cholesky_solve(m, matrix, step);
        for (int k = 0; k < n; k++) product[k] = 0;
        for (int i = 0; i < m; i++)
            for (int k = 0; k < n; k++) product[k] += step[i] * b->rows[i][k];
        double constant = dot(m, y, step) - dot(m, b->right, step);
        for (int k = 0; k < n; k++) du[k] = -product[k] / b->diagonal[k];
        double t = search(b, u, du, product, constant, dot(m, step, step), fabs(dot(m, error, step)));
        int changed = t < 1 || (round == 0 && guessed);
        for (int i = 0; i < m; i++) y[i] += t * step[i];
        for (int k = 0; k < n; k++) {
            u[k] += t * du[k];
            double before = b->d[k], after = clip(u[k], b->low[k], b->high[k]);
            double free = b->low[k] < u[k] && u[k] < b->high[k] ? 1 / b->diagonal[k] : 0;
            if (!(after - after == 0)) return 1;
            changed |= free != between[k] || (free == 0 && after != before); /* or from one bound to the other */
            b->d[k] = after;
            between[k] = free;
        }
        if (!changed) return 0;
        double left = 0;
        for (int i = 0; i < m; i++) {
            error[i] = b->right[i] + dot(n, b->rows[i], b->d) - y[i];
            left += error[i] * error[i];
        }
        if (left <= 1e-24 * size) return 0;
    }
    return 0;
}

void lbm_box_rows_again(const lbm_box_rows *b, const double *right, double *d) {
    int n = b->n, m = b->m;
    const double *between = b->scratch + 3 * n;
    double *step = b->scratch + 4 * n, *matrix = step + 2 * m;
    for (int i = 0; i < m; i++) step[i] = right[i];
    lbm_cholesky_solve(m, matrix, step);
    for (int k = 0; k < n; k++) d[k] = 0;
    for (int i = 0; i < m; i++)
        for (int k = 0; k < n; k++) d[k] -= step[i] * b->rows[i][k];
    for (int k = 0; k < n; k++) d[k] *= between[k];
}

/* ---------------------------------------------------------------------------------------------------
 * A whole matrix: a primal-dual active set
 *
 * Variables that the step takes beyond a bound are set on it, those that their bound would have to pull are let go, all at
 * once, until nothing changes (M. Hintermueller, K. Ito and K. Kunisch, "The primal-dual active set strategy as a
 * semismooth Newton method", SIAM J. Optimization 13, 2003). That may go in circles; after a few rounds nothing is let go any
 * more, which ends them.
 * ------------------------------------------------------------------------------------------------- */

#define LETTING_GO 4

size_t lbm_box_matrix_size(int n) { return 2 * (size_t)n + (size_t)n * (size_t)n; }

static double push_on(const lbm_box_matrix *b, int i) {
    return -b->gradient[i] - dot(b->n, b->matrix + (size_t)i * (size_t)b->stride, b->d) - b->shift * b->d[i];
}

int lbm_box_matrix_solve(const lbm_box_matrix *b) {
    int n = b->n;
    double *x = b->scratch, *factor = x + n;
    int *free = (int *)(factor + (size_t)n * (size_t)n);
    for (int round = 0;; round++) {
        int count = 0;
        for (int i = 0; i < n; i++) {
            b->d[i] = b->state[i] == 0 ? 0 : b->state[i] < 0 ? b->low[i] : b->high[i];
            if (b->state[i] == 0) free[count++] = i;
        }
        for (int i = 0; i < count; i++) {
            const double *row = b->matrix + (size_t)free[i] * (size_t)b->stride;
            double *line = factor + (size_t)i * (size_t)count;
            x[i] = push_on(b, free[i]);
            for (int j = 0; j <= i; j++) line[j] = row[free[j]];
            line[i] += b->shift;
        }
        if (lbm_cholesky(count, factor)) return 1;
        lbm_cholesky_solve(count, factor, x);
        int changed = 0;
        for (int i = 0; i < count; i++) {
            int k = free[i];
            if (!(x[i] - x[i] == 0)) return 1;
            b->d[k] = x[i];
        }
        for (int k = 0; k < n && round < LETTING_GO; k++) {
            if (b->state[k] == 0 || b->state[k] * push_on(b, k) >= 0) continue;
            b->state[k] = 0;
            changed = 1;
        }
        for (int i = 0; i < count; i++) {
            int k = free[i];
            if (b->d[k] >= b->low[k] && b->d[k] <= b->high[k]) continue;
            b->state[k] = b->d[k] < b->low[k] ? -1 : 1;
            changed = 1;
        }
        if (!changed) return 0;
    }
}

void lbm_box_matrix_again(const lbm_box_matrix *b, const double *gradient, double *d) {
    int n = b->n, count = 0;
    double *x = b->scratch, *factor = x + n;
    for (int i = 0; i < n; i++)
        if (b->state[i] == 0) x[count++] = -gradient[i];
    lbm_cholesky_solve(count, factor, x);
    for (int i = n - 1; i >= 0; i--) d[i] = b->state[i] == 0 ? x[--count] : 0;
}
