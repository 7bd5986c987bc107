/* Steps in a box against brute force: of all ways to put variables on their bounds, the best answer that keeps them. */
#include "math/box.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

#define MOST 6

static uint64_t seed = 1;
static const lbm_kernels *kernels;

static double random_number(void) {
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return (double)(seed >> 11) * 0x1p-52 - 1;
}

typedef struct quadratic {
    int n;
    double h[MOST][MOST], g[MOST], low[8], high[8]; /* bounds: with zeros in the padding */
} quadratic;

static double value_at(const quadratic *q, const double *d) {
    double sum = 0;
    for (int i = 0; i < q->n; i++) {
        sum += q->g[i] * d[i];
        for (int j = 0; j < q->n; j++) {
            sum += 0.5 * d[i] * q->h[i][j] * d[j];
        }
    }
    return sum;
}

/* Gauss elimination over the free variables. Returns 0 if it cannot. */
static int solve_free(const quadratic *q, const int *state, double *d) {
    double a[MOST][MOST + 1];
    int at[MOST], count = 0;
    for (int i = 0; i < q->n; i++) {
        d[i] = state[i] < 0 ? q->low[i] : state[i] > 0 ? q->high[i] : 0;
        if (state[i] == 0) {
            at[count++] = i;
        }
    }
    for (int i = 0; i < count; i++) {
        a[i][count] = -q->g[at[i]];
        for (int j = 0; j < q->n; j++) {
            a[i][count] -= q->h[at[i]][j] * d[j];
        }
        for (int j = 0; j < count; j++) {
            a[i][j] = q->h[at[i]][at[j]];
        }
    }
    for (int k = 0; k < count; k++) {
        int pivot = k;
        for (int i = k + 1; i < count; i++) {
            if (fabs(a[i][k]) > fabs(a[pivot][k])) {
                pivot = i;
            }
        }
        if (a[pivot][k] == 0) {
            return 0;
        }
        for (int j = k; j <= count; j++) {
            double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int i = 0; i < count; i++) {
            if (i == k) {
                continue;
            }
            double factor = a[i][k] / a[k][k];
            for (int j = k; j <= count; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (int i = 0; i < count; i++) {
        d[at[i]] = a[i][count] / a[i][i];
    }
    return 1;
}

static double brute_force(const quadratic *q, double *best) {
    double least = INFINITY;
    int state[MOST], cases = 1;
    for (int i = 0; i < q->n; i++) {
        cases *= 3;
    }
    for (int c = 0; c < cases; c++) {
        double d[MOST];
        int inside = 1;
        for (int i = 0, rest = c; i < q->n; i++, rest /= 3) {
            state[i] = rest % 3 - 1;
        }
        if (!solve_free(q, state, d)) {
            continue;
        }
        for (int i = 0; i < q->n; i++) {
            inside &= d[i] >= q->low[i] - 1e-12 && d[i] <= q->high[i] + 1e-12;
        }
        if (!inside || value_at(q, d) >= least) {
            continue;
        }
        least = value_at(q, d);
        memcpy(best, d, sizeof d);
    }
    return least;
}

static void random_box(quadratic *q, int n) {
    q->n = n;
    memset(q->low, 0, sizeof q->low);
    memset(q->high, 0, sizeof q->high);
    for (int i = 0; i < n; i++) {
        q->low[i] = random_number() < -0.3 ? 0 : -fabs(random_number());
        q->high[i] = random_number() < -0.3 ? 0 : fabs(random_number());
    }
}

/* m rows of n numbers, with the damping and wishes that a step has. */
static void check_rows(int n, int m, double damping) {
    quadratic q;
    double rows[MOST][8], right[8] = {0}, diagonal[8] = {0}, slope[8] = {0}, held[8] = {0}, d[8], multipliers[8],
                          best[MOST];
    uint64_t blocks[MOST];
    random_box(&q, n);
    for (int i = 0; i < m; i++) {
        blocks[i] = 1;
        memset(rows[i], 0, sizeof rows[i]);
        right[i] = 2 * random_number();
        for (int k = 0; k < n; k++) {
            rows[i][k] = random_number();
        }
    }
    for (int k = 0; k < n; k++) {
        diagonal[k] = damping * (1.5 + random_number());
        slope[k] = 0.3 * random_number();
        held[k] = random_number() > 0.5;
        q.g[k] = 2 * slope[k];
        for (int i = 0; i < m; i++) {
            q.g[k] += 2 * right[i] * rows[i][k];
        }
        for (int j = 0; j < n; j++) {
            q.h[k][j] = k == j ? 2 * diagonal[k] : 0;
            for (int i = 0; i < m; i++) {
                q.h[k][j] += 2 * rows[i][k] * rows[i][j];
            }
        }
    }
    double *scratch = calloc(lbm_box_rows_size(n, m), sizeof *scratch);
    lbm_matrix matrix = {m, 8, rows[0], blocks};
    lbm_box_rows box = {kernels, n, matrix, right,       diagonal, slope,        q.low, q.high,
                        held,    0, d,      multipliers, scratch,  {NULL, NULL}, 0,     NULL};
    CHECK_INT(lbm_box_rows_solve(&box), 0);
    double least = brute_force(&q, best);
    for (int k = 0; k < n; k++) {
        CHECK(d[k] >= q.low[k] && d[k] <= q.high[k]);
    }
    CHECK_NEAR(value_at(&q, d), least, 1e-9 * (1 + fabs(least)));
    for (int i = 0; i < m; i++) {
        double at = right[i];
        for (int k = 0; k < n; k++) {
            at += rows[i][k] * d[k];
        }
        CHECK_NEAR(multipliers[i], at, 1e-5);
    }
    for (int off = 0; off < 2; off++) { /* from its own multipliers, and from wrong ones, it comes to the same */
        for (int i = 0; i < m && off; i++) {
            multipliers[i] = 3 * random_number();
        }
        box.has_guess = 1;
        CHECK_INT(lbm_box_rows_solve(&box), 0);
        CHECK_NEAR(value_at(&q, d), least, 1e-9 * (1 + fabs(least)));
        for (int k = 0; k < n; k++) {
            CHECK(d[k] >= q.low[k] && d[k] <= q.high[k]);
        }
    }
    free(scratch);
}

static void check_matrix(int n) {
    quadratic q;
    double matrix[MOST * 8] = {0}, d[8], best[MOST], shift = 0.1, lack;
    signed char state[MOST];
    random_box(&q, n);
    for (int i = 0; i < n; i++) {
        q.g[i] = random_number();
        state[i] = (signed char)(random_number() > 0.5 ? (q.low[i] == 0 ? -1 : q.high[i] == 0 ? 1 : 0) : 0);
        for (int j = 0; j <= i; j++) {
            matrix[i * 8 + j] = matrix[j * 8 + i] = (i == j ? 2 : 0.6 * random_number());
        }
    }
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            q.h[i][j] = matrix[i * 8 + j] + (i == j ? shift : 0);
        }
    }
    double *scratch = calloc(lbm_box_matrix_size(n), sizeof *scratch);
    lbm_box_matrix box = {kernels, n, 8, matrix, q.g, shift, q.low, q.high, state, d, scratch, {NULL, NULL}};
    CHECK_INT(lbm_box_matrix_solve(&box, &lack), 0);
    double least = brute_force(&q, best);
    for (int k = 0; k < n; k++) {
        CHECK(d[k] >= q.low[k] && d[k] <= q.high[k]);
        if (state[k]) {
            CHECK(d[k] == (state[k] < 0 ? q.low[k] : q.high[k]));
        }
    }
    CHECK_NEAR(value_at(&q, d), least, 1e-12 * (1 + fabs(least)));
    free(scratch);
}

static void check_indefinite(void) {
    double matrix[16] = {1, 2, 0, 0, 0, 0, 0, 0, 2, 1}, g[2] = {1, -1}, low[2] = {-1, -1}, high[2] = {1, 1}, d[8],
           scratch[40], lack;
    signed char state[2] = {0, 0};
    lbm_box_matrix box = {kernels, 2, 8, matrix, g, 0, low, high, state, d, scratch, {NULL, NULL}};
    CHECK(lbm_box_matrix_size(2) <= 40);
    CHECK_INT(lbm_box_matrix_solve(&box, &lack), 1);
    CHECK(lack > 0 && lack <= 1 + 1e-12); /* its eigenvalues are 3 and -1 */
    state[1] = 1;                         /* with one variable at its bound it is definite: -(1 + 2), clipped */
    high[1] = 0;
    CHECK_INT(lbm_box_matrix_solve(&box, &lack), 0);
    CHECK_NEAR(d[0], -1, 1e-15);
    CHECK_NEAR(d[1], 0, 0);
}

int main(void) {
    kernels = lbm_kernels_best();
    static const double dampings[3] = {1, 1e-3, 1e-8};
    for (int i = 0; i < 3000; i++) {
        check_rows(1 + i % MOST, 1 + i / 7 % MOST, dampings[i % 3]);
    }
    for (int i = 0; i < 3000; i++) {
        check_matrix(1 + i % MOST);
    }
    check_indefinite();
    return check_done();
}
