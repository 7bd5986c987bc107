/* The variable metric of bfgs: what its matrices are, worked out anew after every change. */
#include "solve/methods/bfgs/metric.h"

#include <math.h>
#include <string.h>

#include "check.h"

#define N 7
#define ROWS 9

/* A space of N variables between -1 and 1 with ROWS limits through the point where the metric is: any set of them can
 * be active. */
typedef struct fixture {
    lbs_space space;
    double lower[N], upper[N], z[N], coefficients[ROWS][N], work[1000];
    int variables[ROWS][N];
    lb_limit_row rows[ROWS];
    lbs_metric metric;
} fixture;

static void make(fixture *f, check_random *random, double unit) {
    memset(f, 0, sizeof *f);
    for (int i = 0; i < N; i++) {
        f->lower[i] = -1;
        f->upper[i] = 1;
        f->z[i] = i % 3 == 0 ? 1 : i % 3 == 1 ? -1 : check_random_range(random, -0.5, 0.5);
    }
    for (int r = 0; r < ROWS; r++) {
        double square = 0, sum = 0;
        for (int i = 0; i < N; i++) {
            f->variables[r][i] = i;
            f->coefficients[r][i] =
                r == 8 ? f->coefficients[3][i] : check_random_range(random, -1, 1); /* the last is one twice */
            square += f->coefficients[r][i] * f->coefficients[r][i];
        }
        for (int i = 0; i < N; i++) {
            f->coefficients[r][i] /= sqrt(square);
        }
        for (int i = 0; i < N; i++) {
            sum += f->coefficients[r][i] * f->z[i];
        }
        lb_limit_row row = {"row", r == 0 ? LB_LIMIT_EQUAL : LB_LIMIT_AT_MOST, N, f->variables[r], f->coefficients[r],
                            sum};
        f->rows[r] = row;
    }
    f->space.n = N;
    f->space.variables.lower = f->lower;
    f->space.variables.upper = f->upper;
    f->space.limits.count = ROWS;
    f->space.limits.rows = f->rows;
    lbm_arena arena = lbm_arena_on(f->work, LBM_ARENA_DOUBLE);
    lbs_metric_cut(&f->metric, N, ROWS, &arena);
    REQUIRE(lbm_arena_doubles(&arena) <= sizeof f->work / sizeof *f->work);
    lbs_metric_reset(&f->metric, &f->space, f->z, unit);
}

static void normal_of(const fixture *f, int c, double *a) {
    memset(a, 0, N * sizeof *a);
    if (c < N) {
        a[c] = -1;
    } else if (c < 2 * N) {
        a[c - N] = 1;
    } else {
        memcpy(a, f->coefficients[c - 2 * N], N * sizeof *a);
    }
}

static double product(const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < N; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* N A'A = 1; H A = 0; H symmetric, and v'H v > 0 in the face; P v = v - A N A'v is orthogonal to A, and v - P v = A
 * alpha. */
static void check_matrices(const fixture *f, check_random *random) {
    const lbs_metric *m = &f->metric;
    double a[N][N], v[N], out[N], alpha[N], size = 0;
    for (int k = 0; k < m->q; k++) {
        normal_of(f, m->active[k], a[k]);
    }
    for (int i = 0; i < m->q; i++) {
        for (int j = 0; j < m->q; j++) {
            double sum = 0;
            for (int k = 0; k < m->q; k++) {
                sum += m->inverse[i * N + k] * product(a[k], a[j]);
            }
            CHECK_NEAR(sum, i == j, 1e-9);
        }
    }
    for (int i = 0; i < N * N; i++) {
        size = fmax(size, fabs(m->h[i]));
    }
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < i; j++) {
            CHECK_NEAR(m->h[i * N + j], m->h[j * N + i], 1e-12 * (1 + size));
        }
    }
    for (int k = 0; k < m->q; k++) {
        lbs_metric_times(m, a[k], out);
        for (int i = 0; i < N; i++) {
            CHECK_NEAR(out[i], 0, 1e-11 * (1 + size));
        }
    }
    for (int i = 0; i < N; i++) {
        v[i] = check_random_range(random, -1, 1);
    }
    lbs_metric_project(m, v, out, alpha);
    for (int k = 0; k < m->q; k++) {
        CHECK_NEAR(product(out, a[k]), 0, 1e-13);
    }
    for (int i = 0; i < N; i++) {
        double sum = out[i];
        for (int k = 0; k < m->q; k++) {
            sum += alpha[k] * a[k][i];
        }
        CHECK_NEAR(sum, v[i], 1e-9);
    }
    if (m->q < N) {
        double bent[N];
        lbs_metric_times(m, out, bent);
        CHECK(product(out, bent) > 0);
    }
}

/* With H as it starts, H = unit * P. */
static void check_start(const fixture *f, check_random *random) {
    double v[N], out[N], other[N], alpha[N];
    for (int i = 0; i < N; i++) {
        v[i] = check_random_range(random, -1, 1);
    }
    lbs_metric_project(&f->metric, v, out, alpha);
    lbs_metric_times(&f->metric, v, other);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(other[i] / f->metric.unit, out[i], 1e-9);
    }
}

/* The update as docs/methods.md has it; a fresh H is first scaled by sigma'y / y'H y. */
static void expected_update(const lbs_metric *m, const double *sigma, const double *y, double *out) {
    double h[N * N], hy[N], sigma_y = product(sigma, y), scale = 1;
    memcpy(h, m->h, sizeof h);
    for (int pass = 0; pass < 2; pass++) {
        for (int i = 0; i < N * N; i++) {
            h[i] *= scale;
        }
        for (int i = 0; i < N; i++) {
            hy[i] = product(h + i * N, y);
        }
        scale = m->is_fresh && pass == 0 ? sigma_y / product(y, hy) : 1;
    }
    double y_h_y = product(y, hy);
    int is_bfgs =
        m->choice == LB_BFGS_UPDATE_BFGS || (m->choice == LB_BFGS_UPDATE_SWITCH && (m->is_fresh || sigma_y >= y_h_y));
    for (int i = 0; i < N; i++) {
        for (int j = 0; j < N; j++) {
            double bfgs = ((1 + y_h_y / sigma_y) * sigma[i] * sigma[j] - sigma[i] * hy[j] - hy[i] * sigma[j]) / sigma_y;
            double dfp = sigma[i] * sigma[j] / sigma_y - hy[i] * hy[j] / y_h_y;
            out[i * N + j] = h[i * N + j] + (is_bfgs ? bfgs : dfp);
        }
    }
}

/* A step in the face on a quadratic of Hessian B: H y = sigma afterwards, by either update. */
static void check_update(fixture *f, check_random *random, double curvature) {
    double sigma[N], y[N], out[N], alpha[N], v[N];
    for (int i = 0; i < N; i++) {
        v[i] = check_random_range(random, -1, 1);
    }
    lbs_metric_project(&f->metric, v, sigma, alpha);
    for (int i = 0; i < N; i++) {
        y[i] = curvature * (1 + 0.3 * i) * sigma[i];
    }
    double expected[N * N], before[N * N];
    expected_update(&f->metric, sigma, y, expected);
    lbs_metric_update(&f->metric, sigma, y);
    CHECK_INT(f->metric.is_fresh, 0);
    for (int i = 0; i < N * N; i++) {
        CHECK_NEAR(f->metric.h[i], expected[i], 1e-10 * (1 + fabs(expected[i])));
    }
    lbs_metric_times(&f->metric, y, out);
    for (int i = 0; i < N; i++) {
        CHECK_NEAR(out[i], sigma[i], 1e-9);
    }
    check_matrices(f, random);
    for (int i = 0; i < N; i++) {
        y[i] = -y[i]; /* bent the wrong way: nothing is learned */
    }
    memcpy(before, f->metric.h, sizeof before);
    lbs_metric_update(&f->metric, sigma, y);
    CHECK(memcmp(before, f->metric.h, sizeof before) == 0);
}

static int place_of(const lbs_metric *m, int c) {
    for (int k = 0; k < m->q; k++) {
        if (m->active[k] == c) {
            return k;
        }
    }
    return -1;
}

/* Constraints come and go at random, updates between them. */
static void check_changes(check_random *random, lb_bfgs_update choice) {
    fixture f;
    make(&f, random, 0.5);
    lbs_metric *m = &f.metric;
    CHECK_INT(m->choice, LB_BFGS_UPDATE_SWITCH);
    m->choice = choice;
    lbs_metric_start(m, (double[N]){0}, (double[ROWS]){0}); /* none holds: only the equality */
    CHECK_INT(m->q, 1);
    CHECK_INT(m->equalities, 1);
    CHECK_INT(m->active[0], 2 * N);
    check_start(&f, random);
    for (int change = 0; change < 60; change++) {
        int c = check_random_index(random, 2 * N + ROWS), k = place_of(m, c), before = m->q;
        check_note("change %d, constraint %d", change, c);
        if (k >= m->equalities) {
            lbs_metric_drop(m, k);
            CHECK_INT(m->q, before - 1);
            CHECK_INT(m->is_active[c], 0);
        } else if (k < 0 && m->q < N - 1) {
            int twin = c < N && m->is_active[c + N] ? 1 : c >= N && c < 2 * N && m->is_active[c - N];
            twin = twin || (c == 2 * N + 8 && m->is_active[2 * N + 3]) || (c == 2 * N + 3 && m->is_active[2 * N + 8]);
            CHECK_INT(lbs_metric_add(m, c),
                      !twin); /* the other end of a range, or a row again, depend on what is there */
            CHECK_INT(m->q, before + !twin);
            CHECK_INT(m->is_active[c], !twin);
        }
        check_matrices(&f, random);
        if (change % 4 == 3) {
            check_update(&f, random, change % 8 == 3 ? 0.01 : 50); /* BFGS, then DFP */
        }
    }
    lbs_metric_restart(m);
    check_start(&f, random);
    check_matrices(&f, random);
    check_note("%s", "");
}

/* The first step makes H, and the unit that restarts begin with, of the size that the curvature asks for: on a quadratic
 * of Hessian c, 1 / c, whatever they were before. Later ones do not. */
static void check_scaling(check_random *random, double unit, double curvature) {
    fixture f;
    make(&f, random, unit);
    lbs_metric *m = &f.metric;
    double v[N], sigma[N], y[N], alpha[N];
    lbs_metric_start(m, (double[N]){0}, (double[ROWS]){0});
    for (int step = 0; step < 2; step++) {
        for (int i = 0; i < N; i++) {
            v[i] = check_random_range(random, -1, 1);
        }
        lbs_metric_project(m, v, sigma, alpha);
        for (int i = 0; i < N; i++) {
            y[i] = (step ? 7 : 1) * curvature * sigma[i];
        }
        lbs_metric_update(m, sigma, y);
        CHECK_NEAR(m->unit * curvature, 1, 1e-12);
        if (step == 0) {
            check_start(&f, random);
        }
    }
    lbs_metric_restart(m);
    CHECK_INT(m->is_fresh, 1);
    check_start(&f, random);
}

/* Step 0 with all that z is on: more than can be active at once. */
static void check_vertex(check_random *random) {
    fixture f;
    make(&f, random, 1);
    lbs_metric_start(&f.metric, NULL, NULL);
    CHECK_INT(f.metric.q, N);
    CHECK_INT(f.metric.active[0], 2 * N);
    for (int i = 0; i < N * N; i++) {
        CHECK_NEAR(f.metric.h[i], 0, 1e-9);
    }
    CHECK_INT(lbs_is_on(&f.metric, N), 1); /* z[0] = 1 */
    CHECK_INT(lbs_is_on(&f.metric, 0), 0);
    CHECK_INT(lbs_is_on(&f.metric, 1), 1); /* z[1] = -1 */
}

/* A range of no width is an equality, and stays when all else goes. */
static void check_no_width(check_random *random) {
    fixture f;
    make(&f, random, 1);
    f.lower[2] = f.upper[2] = f.z[2];
    lbs_metric_start(&f.metric, (double[N]){0}, (double[ROWS]){0});
    CHECK_INT(f.metric.q, 2);
    CHECK_INT(f.metric.equalities, 2);
    CHECK_INT(f.metric.active[0], N + 2);
    CHECK_INT(f.metric.is_active[2], 1);
    for (int i = 0; i < N; i++) {
        CHECK(f.metric.h[2 * N + i] == 0 && f.metric.h[i * N + 2] == 0);
    }
}

int main(void) {
    check_random random;
    check_random_seed(&random, 11);
    for (int i = 0; i < 20; i++) {
        check_changes(&random, (lb_bfgs_update)(i % 3));
    }
    for (int i = -6; i <= 6; i += 3) {
        check_scaling(&random, pow(10, -i), 3 * pow(10, 2 * i));
    }
    check_vertex(&random);
    check_no_width(&random);
    return check_done();
}
