/* Eigenvalues of matrices whose eigenvalues are known. */
#include "math/eigen.h"

#include <math.h>
#include <string.h>

#include "check.h"

#define MOST 24

/* The distance from a + ib to the nearest eigenvalue that no other has taken. */
static double nearest(int n, double a, double b, const double *re, const double *im, int *taken) {
    double least = INFINITY;
    int at = 0;
    for (int i = 0; i < n; i++) {
        const double d = hypot(re[i] - a, im[i] - b);
        if (!taken[i] && d < least) {
            least = d;
            at = i;
        }
    }
    taken[at] = 1;
    return least;
}

/* Similar to a block-diagonal matrix with these eigenvalues: S D S^-1, S a product of shears, exactly inverted. */
static void make_similar(int n, double *m, check_random *random, double strength) {
    for (int k = 0; k < 4 * n; k++) {
        const int i = check_random_index(random, n), j = check_random_index(random, n);
        if (i == j) {
            continue;
        }
        const double f = check_random_range(random, -strength, strength);
        for (int c = 0; c < n; c++) {
            m[i * n + c] += f * m[j * n + c];
        }
        for (int r = 0; r < n; r++) {
            m[r * n + j] -= f * m[r * n + i];
        }
    }
}

int main(void) {
    check_random random;
    check_random_seed(&random, 5);
    for (int trial = 0; trial < check_count(200, 5000); trial++) {
        const int n = 1 + check_random_index(&random, MOST);
        double m[MOST * MOST] = {0}, re[MOST], im[MOST], a[MOST], b[MOST];
        int taken[MOST] = {0};
        check_note("trial %d, order %d", trial, n);
        for (int i = 0; i < n; i++) {
            a[i] = check_random_range(&random, -3, 3);
            b[i] = 0;
            if (i + 1 < n && check_random_index(&random, 2)) {
                const double turn = check_random_range(&random, 0.1, 2);
                m[i * n + i] = m[(i + 1) * n + i + 1] = a[i];
                m[i * n + i + 1] = turn;
                m[(i + 1) * n + i] = -turn;
                b[i] = turn;
                a[i + 1] = a[i];
                b[i + 1] = -turn;
                i++;
                continue;
            }
            m[i * n + i] = a[i];
        }
        make_similar(n, m, &random, 0.3);
        CHECK(lbm_eigenvalues(n, m, re, im) == 1);
        for (int i = 0; i < n; i++) {
            CHECK_NEAR(nearest(n, a[i], b[i], re, im, taken), 0, 1e-5);
        }
    }
    check_note("%s", "");
    /* A permutation: the roots of unity, which the plain QR iteration does not move. */
    double cycle[36] = {0}, re[6], im[6];
    int taken[6] = {0};
    for (int i = 0; i < 6; i++) {
        cycle[6 * i + (i + 1) % 6] = 1;
    }
    REQUIRE(lbm_eigenvalues(6, cycle, re, im));
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(nearest(6, cos(i * acos(-1) / 3), sin(i * acos(-1) / 3), re, im, taken), 0, 1e-12);
    }
    double zero[9] = {0};
    REQUIRE(lbm_eigenvalues(3, zero, re, im));
    CHECK_NEAR(re[0] * re[0] + re[1] * re[1] + re[2] * re[2], 0, 0);
    return check_done();
}
