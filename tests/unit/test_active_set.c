/* Active sets: when a point is on a limit, and projections onto cones, whose Kuhn-Tucker conditions are checked. */
#include "math/active_set.h"

#include <math.h>
#include <string.h>

#include "check.h"

#define N 5
#define ROWS 4

static void sides(void) {
    CHECK_INT(lbm_side_of(0.5, 0, 1), 0);
    CHECK_INT(lbm_side_of(0, 0, 1), -1);
    CHECK_INT(lbm_side_of(1, 0, 1), 1);
    CHECK_INT(lbm_side_of(1, 1, 1), 2);
    CHECK_INT(lbm_side_of(1e-11, 0, 1), -1);
    CHECK_INT(lbm_side_of(1e-9, 0, 1), 0);
    CHECK_INT(lbm_side_of(1000 - 1e-8, 0, 1000), 1); /* the tolerance grows with the numbers */
    CHECK_INT(lbm_side_of(-5, -INFINITY, INFINITY), 0);
}

static void rows_that_a_point_is_on(void) {
    static const double x[2] = {3, 4};
    static const int variables[2] = {0, 1};
    static const double coefficients[2] = {0.6, 0.8};
    lb_limit_row row = {.count = 2, .variables = variables, .coefficients = coefficients, .kind = LB_LIMIT_AT_MOST};
    double size;
    row.bound = 5;
    CHECK_NEAR(lbm_row_excess(&row, x, &size), 0, 1e-15);
    CHECK_NEAR(size, 1 + 5 + 1.8 + 3.2, 1e-15);
    CHECK(lbm_row_is_on(&row, x));
    row.bound = 5 + 1e-8;
    CHECK(!lbm_row_is_on(&row, x));
    row.bound = 4; /* beyond it */
    CHECK(lbm_row_is_on(&row, x));
    row.bound = 6;
    row.kind = LB_LIMIT_EQUAL;
    CHECK(lbm_row_is_on(&row, x));
}

/* A cone with dense rows; the system is solved by elimination. */
typedef struct sample {
    double g[N], a[ROWS][N], d[N], multipliers[ROWS], free[N];
    signed char side[N];
    unsigned char is_equality[ROWS], used[ROWS];
} sample;

static double dot(const double *v, const double *w) {
    double sum = 0;
    for (int k = 0; k < N; k++) {
        sum += v[k] * w[k];
    }
    return sum;
}

/* a a' multipliers = -a g over the free variables. A row that depends on others gets the multiplier 0. */
static int solve(void *context) {
    sample *s = context;
    double m[ROWS][ROWS + 1];
    memset(m, 0, sizeof m);
    for (int i = 0; i < ROWS; i++) {
        for (int j = 0; s->used[i] && j < ROWS; j++) {
            for (int k = 0; s->used[j] && k < N; k++) {
                m[i][j] += s->free[k] * s->a[i][k] * s->a[j][k];
            }
        }
        for (int k = 0; s->used[i] && k < N; k++) {
            m[i][ROWS] -= s->free[k] * s->a[i][k] * s->g[k];
        }
    }
    for (int p = 0; p < ROWS; p++) {
        for (int i = 0; m[p][p] > 1e-12 && i < ROWS; i++) {
            const double share = i == p ? 0 : m[i][p] / m[p][p];
            for (int j = 0; j <= ROWS; j++) {
                m[i][j] -= share * m[p][j];
            }
        }
    }
    for (int i = 0; i < ROWS; i++) {
        s->multipliers[i] = m[i][i] > 1e-12 ? m[i][ROWS] / m[i][i] : 0;
    }
    for (int k = 0; k < N; k++) {
        double sum = s->g[k];
        for (int i = 0; i < ROWS; i++) {
            sum += s->multipliers[i] * s->a[i][k];
        }
        s->d[k] = s->free[k] != 0 ? -sum : 0;
    }
    return 0;
}

static double along(void *context, int row) {
    const sample *s = context;
    return dot(s->a[row], s->d);
}

static double push(void *context, int variable) {
    const sample *s = context;
    double sum = -s->g[variable];
    for (int i = 0; i < ROWS; i++) {
        sum -= s->multipliers[i] * s->a[i][variable];
    }
    return sum;
}

static lbm_cone cone_of(sample *s, int all_at_once, int bounds_last) {
    return (lbm_cone){.n = N,
                      .row_count = ROWS,
                      .side = s->side,
                      .is_equality = s->is_equality,
                      .d = s->d,
                      .multipliers = s->multipliers,
                      .free = s->free,
                      .used = s->used,
                      .solve = solve,
                      .along = along,
                      .push = push,
                      .context = s,
                      .tiny = 1e-13,
                      .passes = 200,
                      .all_at_once = all_at_once,
                      .bounds_last = bounds_last};
}

static void make_sample(check_random *random, sample *s) {
    memset(s, 0, sizeof *s);
    for (int k = 0; k < N; k++) {
        s->g[k] = check_random_range(random, -1, 1);
        s->side[k] = (signed char)(check_random_index(random, 4) - 1);
        s->free[k] = s->side[k] != 2;
        for (int i = 0; i < ROWS; i++) {
            s->a[i][k] = check_random_range(random, -1, 1);
        }
    }
    for (int i = 0; i < ROWS; i++) {
        s->is_equality[i] = s->used[i] = i == 0 && check_random_index(random, 2);
    }
}

static void check_kuhn_tucker(sample *s) {
    for (int i = 0; i < ROWS; i++) {
        const double out = dot(s->a[i], s->d);
        CHECK(s->is_equality[i] ? fabs(out) < 1e-9 : out < 1e-9);
        CHECK(s->is_equality[i] || s->multipliers[i] > -1e-9);
        CHECK(fabs(s->multipliers[i] * out) < 1e-9);
    }
    for (int k = 0; k < N; k++) {
        const double d = s->d[k], left = push(s, k) - d; /* what the bound pushes */
        CHECK(s->side[k] == 2 ? d == 0 : s->side[k] * d < 1e-9);
        CHECK(s->side[k] == 2 || left * s->side[k] > -1e-9);
        CHECK(s->side[k] != 0 || fabs(left) < 1e-9);
        CHECK(fabs(left * d) < 1e-9);
    }
}

/* The minimum is unique: all ways to exchange members lead to it, where they end. */
static void cones(void) {
    check_random random;
    check_random_seed(&random, 5);
    int moving = 0, spent = 0;
    for (int i = 0; i < 2000; i++) {
        sample first, second;
        make_sample(&random, &first);
        second = first;
        const lbm_cone one = cone_of(&first, 0, 0), all = cone_of(&second, 12, 1);
        const lbm_cone_end end = lbm_cone_project(&one), other_end = lbm_cone_project(&all);
        check_note("cone %d", i);
        if (end == LBM_CONE_DONE) {
            check_kuhn_tucker(&first);
        }
        if (other_end == LBM_CONE_DONE) {
            check_kuhn_tucker(&second);
        }
        for (int k = 0; end == LBM_CONE_DONE && other_end == LBM_CONE_DONE && k < N; k++) {
            CHECK_NEAR(second.d[k], first.d[k], 1e-9);
        }
        CHECK(end != LBM_CONE_FAILED && other_end != LBM_CONE_FAILED);
        spent += (end == LBM_CONE_SPENT) + (other_end == LBM_CONE_SPENT);
        moving += dot(first.d, first.d) > 1e-6;
    }
    check_note("%s", "");
    printf("%d of 4000 go in circles, %d of 2000 can move\n", spent, moving);
    CHECK(moving > 300);
    CHECK(spent < 40);
}

static int give_up(void *context) {
    (void)context;
    return 1;
}

static void giving_up(void) {
    sample s;
    memset(&s, 0, sizeof s);
    lbm_cone cone = cone_of(&s, 0, 0);
    cone.solve = give_up;
    CHECK_INT(lbm_cone_project(&cone), LBM_CONE_FAILED);
}

int main(void) {
    sides();
    rows_that_a_point_is_on();
    cones();
    giving_up();
    return check_done();
}
