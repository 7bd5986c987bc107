/* Block-banded systems: against a dense Cholesky factorisation at many sizes, and with the same bits by all kernels. */
#include "check.h"

#include "math/dense/banded.h"
#include "math/dense/cholesky.h"

#include <math.h>
#include <string.h>

#define MOST_N 19
#define MOST_COUNT 9
#define MOST_STRIDE 24

typedef struct arrays {
    double own[MOST_COUNT * MOST_N * MOST_STRIDE], next[MOST_COUNT * MOST_N * MOST_STRIDE];
    double second[MOST_COUNT * MOST_N * MOST_STRIDE], right[MOST_COUNT * MOST_STRIDE];
    double scratch[(2 * MOST_N + 1) * MOST_STRIDE];
} arrays;

static arrays banded, work, before;
static double dense[MOST_COUNT * MOST_N * MOST_COUNT * MOST_N], wanted[MOST_COUNT * MOST_N];

/* A random system whose diagonal outweighs the rest by `margin`; the same in dense form. */
static void make_system(check_random *random, int n, int count, double margin) {
    const int stride = lbm_stride(n), all = n * count;
    double *const blocks[3] = {banded.own, banded.next, banded.second};
    memset(&banded, 0, sizeof banded);
    memset(dense, 0, sizeof dense);
    for (int b = 0; b < count; b++) {
        for (int d = 0; d < 3 && b + d < count; d++) {
            for (int i = 0; i < n; i++) {
                for (int j = d == 0 ? i : 0; j < n; j++) {
                    const double value = d == 0 && i == j ? margin * n : check_random_range(random, -1, 1);
                    blocks[d][(size_t)(b * n + i) * (size_t)stride + (size_t)j] = value;
                    dense[(b * n + i) * all + (b + d) * n + j] = dense[((b + d) * n + j) * all + b * n + i] = value;
                }
            }
        }
        for (int i = 0; i < n; i++) {
            wanted[b * n + i] = banded.right[b * stride + i] = check_random_range(random, -1, 1);
        }
    }
}

static int solve(const lbm_kernels *kernels, int n, int count) {
    work = banded;
    const lbm_banded system = {kernels, n, count, work.own, work.next, work.second, work.right, work.scratch};
    return lbm_banded_solve(&system);
}

static void test_solutions(void) {
    check_random random;
    check_random_seed(&random, 5);
    for (int n = 1; n <= MOST_N; n += 3) {
        for (int count = 1; count <= MOST_COUNT; count++) {
            make_system(&random, n, count, 6);
            check_note("%d blocks of %d", count, n);
            REQUIRE(lbm_cholesky(n * count, dense) == 0);
            lbm_cholesky_solve(n * count, dense, wanted);
            for (int isa = 0; isa < LBM_ISA_COUNT; isa++) {
                const lbm_kernels *kernels = lbm_kernels_of((lbm_isa)isa);
                if (!kernels) {
                    continue;
                }
                CHECK_INT(solve(kernels, n, count), 0);
                for (int i = 0; i < n * count; i++) {
                    CHECK_NEAR(work.right[i / n * lbm_stride(n) + i % n], wanted[i], 1e-12);
                }
                if (isa > 0) {
                    CHECK(memcmp(work.right, before.right, sizeof work.right) == 0);
                }
                before = work;
            }
        }
    }
    check_note("%s", "");
}

/* Not positive definite in the last block alone: what the blocks before take off it makes it so. */
static void test_refusal(void) {
    const lbm_kernels *kernels = lbm_kernels_best();
    memset(&banded, 0, sizeof banded);
    for (int b = 0; b < 3; b++) {
        banded.own[b * 8] = 1;
    }
    banded.next[0] = banded.second[0] = 0.5;
    CHECK_INT(solve(kernels, 1, 3), 0);
    banded.second[0] = 1.1;
    CHECK_INT(solve(kernels, 1, 3), 1);
    CHECK_INT(solve(kernels, 1, 2), 0);
}

int main(void) {
    test_solutions();
    test_refusal();
    return check_done();
}
