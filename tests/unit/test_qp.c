/* Quadratic programs: the answers meet the conditions of Kuhn and Tucker, which are checked by code that shares nothing with the method,
 * from any guess of the active set, with soft and hard conditions, and where nothing meets all constraints it says so. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "math/dense/qp.h"

#define MOST 40
#define MOST_ROWS 24

static double uniform(uint64_t *seed) {
    *seed = *seed * 6364136223846793005u + 1442695040888963407u;
    return (double)(*seed >> 11) / 9007199254740992.0 * 2 - 1;
}

typedef struct program {
    int n, stride, rows;
    double *matrix, *gradient, *low, *high, *a, *c, *d, *block;
    lbm_qp qp;
} program;

static void cut(program *p, lbm_arena *arena) {
    const size_t stride = (size_t)lbm_stride(MOST);
    double **vectors[] = {&p->gradient, &p->low, &p->high, &p->d};
    for (size_t i = 0; i < 4; i++) {
        *vectors[i] = lbm_cut_aligned(arena, stride);
    }
    p->matrix = lbm_cut_aligned(arena, MOST * stride);
    p->a = lbm_cut_aligned(arena, MOST_ROWS * stride);
    p->c = lbm_cut_aligned(arena, MOST_ROWS);
    lbm_qp_cut(&p->qp, MOST, MOST_ROWS, MOST + MOST_ROWS, arena);
}

/* A sum of squares of some rows, a few of them stiff, and a little of the identity. */
static void make(program *p, uint64_t *seed, int hard) {
    p->n = 3 + (int)(18 * (uniform(seed) + 1));
    p->stride = lbm_stride(p->n);
    p->rows = (int)(6 * (uniform(seed) + 1));
    memset(p->matrix, 0, sizeof(double) * (size_t)p->n * (size_t)p->stride);
    for (int r = 0; r < p->n / 2; r++) {
        double row[MOST];
        const double weight = r % 3 == 0 ? 1e4 : 1;
        for (int i = 0; i < p->n; i++) {
            row[i] = uniform(seed);
        }
        for (int i = 0; i < p->n; i++) {
            for (int k = 0; k < p->n; k++) {
                p->matrix[i * p->stride + k] += weight * row[i] * row[k];
            }
        }
    }
    memset(p->gradient, 0, sizeof(double) * (size_t)p->stride);
    memset(p->a, 0, sizeof(double) * (size_t)p->stride * MOST_ROWS);
    for (int i = 0; i < p->n; i++) {
        p->matrix[i * p->stride + i] += 1e-2;
        p->gradient[i] = 3 * uniform(seed);
        p->low[i] = -fabs(uniform(seed));
        p->high[i] = fabs(uniform(seed));
    }
    for (int r = 0; r < p->rows; r++) {
        for (int i = 0; i < p->n; i++) {
            p->a[r * p->stride + i] = uniform(seed);
        }
        p->c[r] = r < hard ? -0.2 * fabs(uniform(seed)) : 0.5 * uniform(seed); /* hard ones let d = 0 be */
    }
    p->qp.kernels = lbm_kernels_best();
    p->qp.n = p->n, p->qp.stride = p->stride;
    p->qp.matrix = p->matrix, p->qp.gradient = p->gradient, p->qp.low = p->low, p->qp.high = p->high;
    p->qp.condition_count = p->rows, p->qp.hard_count = hard < p->rows ? hard : p->rows;
    p->qp.rows = p->a, p->qp.values = p->c, p->qp.weight = 1e6, p->qp.d = p->d;
}

static double condition(const program *p, int r) {
    double sum = p->c[r];
    for (int i = 0; i < p->n; i++) {
        sum += p->a[r * p->stride + i] * p->d[i];
    }
    return sum;
}

/* How far an answer is from being the minimum: along each variable, what is left of the gradient where it might still go. */
static void judge(const program *p) {
    double slope[MOST], multipliers[MOST_ROWS] = {0}, most = 1;
    for (int k = 0; k < p->qp.count; k++) {
        CHECK(p->qp.u[k] >= 0);
        most = fmax(most, p->qp.u[k]);
        if (p->qp.active[k] >= 2 * p->n) {
            multipliers[p->qp.active[k] - 2 * p->n] = p->qp.u[k];
        }
    }
    for (int i = 0; i < p->n; i++) {
        slope[i] = p->gradient[i];
        for (int k = 0; k < p->n; k++) {
            slope[i] += p->matrix[i * p->stride + k] * p->d[k];
        }
        for (int r = 0; r < p->rows; r++) {
            slope[i] += multipliers[r] * p->a[r * p->stride + i];
        }
        CHECK(p->d[i] >= p->low[i] - 1e-7 && p->d[i] <= p->high[i] + 1e-7);
        const double down = p->d[i] > p->low[i] + 1e-6 ? slope[i] : 0, up = p->d[i] < p->high[i] - 1e-6 ? -slope[i] : 0;
        CHECK(down < 1e-8 * most && up < 1e-8 * most);
    }
    for (int r = 0; r < p->rows; r++) {
        const double off = condition(p, r), soft = r < p->qp.hard_count ? 0 : multipliers[r] / p->qp.weight;
        CHECK(off <= soft + 1e-7);
        CHECK(multipliers[r] == 0 || fabs(off - soft) < 1e-7);
    }
}

static void answers_are_minima(program *p) {
    uint64_t seed = 5;
    for (int i = 0; i < check_count(400, 20000); i++) {
        double first[MOST];
        check_note("program %d", i);
        make(p, &seed, i % 4 == 0 ? 4 : 0);
        p->qp.count = 0;
        REQUIRE(lbm_qp_solve(&p->qp) == 0 && p->qp.is_solved);
        judge(p);
        memcpy(first, p->d, (size_t)p->n * sizeof(double));
        const int count = p->qp.count; /* again, from what it found, and from nonsense */
        p->qp.is_factored = 1;
        REQUIRE(lbm_qp_solve(&p->qp) == 0 && p->qp.is_solved);
        p->qp.is_factored = 0;
        CHECK_INT(p->qp.count, count);
        judge(p);
        p->qp.count = p->n;
        for (int k = 0; k < p->n; k++) {
            p->qp.active[k] = 2 * k + (uniform(&seed) > 0);
        }
        REQUIRE(lbm_qp_solve(&p->qp) == 0 && p->qp.is_solved);
        judge(p);
        for (int k = 0; k < p->n; k++) {
            CHECK(fabs(p->d[k] - first[k]) < 1e-6);
        }
    }
    check_note("%s", "");
}

/* Two hard conditions that exclude each other. */
static void what_cannot_be_is_said(program *p) {
    uint64_t seed = 9;
    make(p, &seed, 2);
    p->rows = p->qp.condition_count = p->qp.hard_count = 2;
    for (int i = 0; i < p->n; i++) {
        p->a[i] = i == 0;
        p->a[p->stride + i] = -(i == 0);
    }
    p->c[0] = p->c[1] = 0.1;
    p->qp.count = 0;
    CHECK(lbm_qp_solve(&p->qp) == 0 && !p->qp.is_solved);
    p->matrix[0] = -1;
    CHECK_INT(lbm_qp_solve(&p->qp), 1);
}

int main(void) {
    program p;
    memset(&p, 0, sizeof p);
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut(&p, &arena);
    const size_t size = arena.used;
    char *block = calloc(1, size + 64);
    REQUIRE(block != NULL);
    arena = lbm_arena_on(block + (64 - (uintptr_t)block % 64), LBM_ARENA_LINE);
    cut(&p, &arena);
    answers_are_minima(&p);
    what_cannot_be_is_said(&p);
    free(block);
    return check_done();
}
