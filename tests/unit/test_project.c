/*
 * Projection onto limits: against trying every set of active limits (small problems), against the optimality
 * conditions (thousands of random ones, many degenerate) and against Hildreth's method; what must be exact to the
 * bit; contradictions.
 */
#include "check.h"

#include "math/project.h"

#include <math.h>
#include <stdint.h>
#include <string.h>

#define MOST_VARIABLES 24
#define MOST_ROWS 40

typedef struct problem {
    int n, row_count;
    double lower[MOST_VARIABLES], upper[MOST_VARIABLES], start[MOST_VARIABLES];
    lb_limit_row rows[MOST_ROWS];
    int variables[MOST_ROWS][MOST_VARIABLES];
    double coefficients[MOST_ROWS][MOST_VARIABLES];
} problem;

static int project_by(int (*method)(int, const double *, const double *, int, const lb_limit_row *, double *, void *),
                      const problem *p, double *x) {
    const size_t size = lbm_project_scratch_size(p->n, p->lower, p->upper, p->row_count, p->rows);
    void *scratch = malloc(size ? size : 1); /* to the byte: the address sanitizer then sees a step beyond it */
    memset(scratch, 0xa5, size);
    const int result = method(p->n, p->lower, p->upper, p->row_count, p->rows, x, scratch);
    free(scratch);
    return result;
}

static int project(const problem *p, double *x) {
    memcpy(x, p->start, sizeof p->start);
    return project_by(lbm_project, p, x);
}

/* Adds a row over some variables, made a unit vector. */
static void add_row(problem *p, lb_limit_kind kind, const double *dense, double bound) {
    const int r = p->row_count++;
    double length = 0.0;
    int count = 0;
    for (int i = 0; i < p->n; i++) {
        length += dense[i] * dense[i];
    }
    length = sqrt(length);
    for (int i = 0; i < p->n; i++) {
        if (dense[i] != 0.0) {
            p->variables[r][count] = i;
            p->coefficients[r][count++] = dense[i] / length;
        }
    }
    p->rows[r] = (lb_limit_row){"row", kind, count, p->variables[r], p->coefficients[r], bound / length};
}

static double row_value(const lb_limit_row *row, const double *x) {
    double sum = 0.0;
    for (int i = 0; i < row->count; i++) {
        sum += row->coefficients[i] * x[row->variables[i]];
    }
    return sum;
}

static double violation(const problem *p, const double *x) {
    double worst = 0.0;
    for (int i = 0; i < p->n; i++) {
        worst = fmax(worst, fmax(p->lower[i] - x[i], x[i] - p->upper[i]));
    }
    for (int r = 0; r < p->row_count; r++) {
        const double excess = row_value(p->rows + r, x) - p->rows[r].bound;
        worst = fmax(worst, p->rows[r].kind == LB_LIMIT_EQUAL ? fabs(excess) : excess);
    }
    return worst;
}

static double distance(const problem *p, const double *a, const double *b) {
    double sum = 0.0;
    for (int i = 0; i < p->n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

/* A random problem around a point that keeps all its limits. `shape` chooses what is degenerate about it. */
static void make_random(check_random *random, int most_variables, int most_rows, problem *p) {
    double inside[MOST_VARIABLES], dense[MOST_VARIABLES];
    const int is_gridded = check_random_index(random, 3) == 0; /* small integers: ties, right angles, duplicates */
    memset(p, 0, sizeof *p);
    p->n = 1 + check_random_index(random, most_variables);
    for (int i = 0; i < p->n; i++) {
        inside[i] = is_gridded ? check_random_index(random, 3) - 1 : check_random_range(random, -1.0, 1.0);
        p->start[i] = is_gridded ? check_random_index(random, 9) - 4 : check_random_range(random, -3.0, 3.0);
        const int kind = check_random_index(random, 6);
        const double room = is_gridded ? check_random_index(random, 3) : check_random_range(random, 0.0, 1.5);
        p->lower[i] = kind == 0 || kind == 1 ? -INFINITY : kind == 2 ? inside[i] : inside[i] - room;
        p->upper[i] = kind == 0 || kind == 3 ? INFINITY : kind == 2 ? inside[i] : inside[i] + room * 0.5;
    }
    const int rows = check_random_index(random, most_rows + 1);
    while (p->row_count < rows) {
        const int kind = check_random_index(random, 8);
        int is_empty = 1;
        double value = 0.0, scale = kind == 7 ? check_random_range(random, 0.1, 10.0) : 1.0;
        if (p->row_count > 0 && kind >= 6) { /* the last one again: the same, scaled, or nearly parallel */
            memset(dense, 0, sizeof dense);
            const lb_limit_row *last = p->rows + p->row_count - 1;
            for (int i = 0; i < last->count; i++) {
                dense[last->variables[i]] = last->coefficients[i] * scale;
            }
        } else {
            for (int i = 0; i < p->n; i++) {
                const double c = is_gridded ? check_random_index(random, 3) - 1 : check_random_range(random, -1.0, 1.0);
                dense[i] = check_random_index(random, 3) ? 0.0 : c;
            }
        }
        for (int i = 0; i < p->n; i++) {
            is_empty &= dense[i] == 0.0;
            value += dense[i] * inside[i];
        }
        if (is_empty) {
            dense[0] = 1.0;
            value = inside[0];
        }
        const int is_equal = check_random_index(random, 6) == 0;
        const double room =
            is_gridded || check_random_index(random, 3) == 0 ? 0.0 : check_random_range(random, 0.0, 1.0);
        add_row(p, is_equal ? LB_LIMIT_EQUAL : LB_LIMIT_AT_MOST, dense, value + (is_equal ? 0.0 : room));
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Brute force: every set of at most n limits taken as equalities
 * ------------------------------------------------------------------------------------------------- */

#define MOST_LIMITS 14

typedef struct plain_limit {
    double normal[MOST_VARIABLES], bound;
} plain_limit;

static int list_limits(const problem *p, plain_limit *limits) {
    int count = 0;
    for (int r = 0; r < p->row_count; r++) {
        memset(&limits[count], 0, sizeof limits[count]);
        for (int i = 0; i < p->rows[r].count; i++) {
            limits[count].normal[p->rows[r].variables[i]] = p->rows[r].coefficients[i];
        }
        limits[count++].bound = p->rows[r].bound;
    }
    for (int i = 0; i < p->n; i++) {
        for (int side = 0; side < 2; side++) {
            const double bound = side ? p->upper[i] : p->lower[i];
            if (isfinite(bound)) {
                memset(&limits[count], 0, sizeof limits[count]);
                limits[count].normal[i] = 1.0;
                limits[count++].bound = bound;
            }
        }
    }
    return count;
}

/* x = start - N (N'N)^-1 (N'start - b), by elimination; 0 if the normals are dependent. */
static int meet_all(const problem *p, const plain_limit *const *chosen, int count, double *x) {
    double a[MOST_VARIABLES][MOST_VARIABLES + 1];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= count; j++) {
            a[i][j] = j < count ? 0.0 : -chosen[i]->bound;
            for (int k = 0; k < p->n; k++) {
                a[i][j] += chosen[i]->normal[k] * (j < count ? chosen[j]->normal[k] : p->start[k]);
            }
        }
    }
    for (int k = 0; k < count; k++) {
        int pivot = k;
        for (int i = k + 1; i < count; i++) {
            pivot = fabs(a[i][k]) > fabs(a[pivot][k]) ? i : pivot;
        }
        if (fabs(a[pivot][k]) < 1e-9) {
            return 0;
        }
        for (int j = 0; j <= count; j++) {
            const double swap = a[k][j];
            a[k][j] = a[pivot][j];
            a[pivot][j] = swap;
        }
        for (int i = 0; i < count; i++) {
            const double factor = i == k ? 0.0 : a[i][k] / a[k][k];
            for (int j = k; j <= count; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    memcpy(x, p->start, sizeof p->start);
    for (int k = 0; k < count; k++) {
        for (int i = 0; i < p->n; i++) {
            x[i] -= a[k][count] / a[k][k] * chosen[k]->normal[i];
        }
    }
    return 1;
}

static int brute_force(const problem *p, double *best) {
    plain_limit limits[MOST_LIMITS];
    const int count = list_limits(p, limits);
    double best_distance = INFINITY;
    for (unsigned set = 0; set < 1u << count; set++) {
        const plain_limit *chosen[MOST_LIMITS];
        double x[MOST_VARIABLES];
        int size = 0;
        for (int i = 0; i < count; i++) {
            if (set >> i & 1) {
                chosen[size++] = limits + i;
            }
        }
        if (size <= p->n && meet_all(p, chosen, size, x) && violation(p, x) < 1e-9 &&
            distance(p, x, p->start) < best_distance) {
            best_distance = distance(p, x, p->start);
            memcpy(best, x, sizeof x);
        }
    }
    return best_distance < INFINITY;
}

static void test_against_brute_force(void) {
    check_random random;
    check_random_seed(&random, 11);
    int solvable = 0, contradictory = 0;
    for (int k = 0; k < 3000; k++) {
        problem p;
        double x[MOST_VARIABLES], best[MOST_VARIABLES];
        make_random(&random, 4, 6, &p);
        if (k % 4 == 0 && p.row_count > 0) { /* break the promise that a point inside exists */
            p.rows[check_random_index(&random, p.row_count)].bound -= check_random_range(&random, 0.0, 2.0);
        }
        check_note("brute force, problem %d", k);
        const int is_solvable = brute_force(&p, best), result = project(&p, x);
        CHECK_INT(result, !is_solvable);
        if (is_solvable && result == 0) {
            solvable++;
            CHECK_NEAR(distance(&p, x, best), 0.0, 1e-8);
            CHECK(violation(&p, x) <= 1e-11);
        } else {
            contradictory++;
            CHECK(memcmp(x, p.start, (size_t)p.n * sizeof *x) == 0);
        }
    }
    check_note("%s", "");
    printf("brute force: %d problems agree, %d contradictory ones found\n", solvable, contradictory);
    CHECK(solvable > 2000 && contradictory > 100);
}

/* ---------------------------------------------------------------------------------------------------
 * Optimality: start - x is a combination of the normals of limits that x is at, none of them pulling inward
 * ------------------------------------------------------------------------------------------------- */

/* Solves the least-squares problem in the chosen columns through its normal equations, into `factors`. */
static void least_squares(int n, double (*columns)[MOST_VARIABLES], const int *chosen, int count, const double *target,
                          double *factors) {
    double a[MOST_VARIABLES][MOST_VARIABLES + 1];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j <= count; j++) {
            const double *other = j < count ? columns[chosen[j]] : target;
            a[i][j] = 0.0;
            for (int k = 0; k < n; k++) {
                a[i][j] += columns[chosen[i]][k] * other[k];
            }
        }
    }
    for (int k = 0; k < count; k++) { /* positive definite: no pivoting */
        for (int i = k + 1; i < count; i++) {
            const double factor = a[i][k] / a[k][k];
            for (int j = k; j <= count; j++) {
                a[i][j] -= factor * a[k][j];
            }
        }
    }
    for (int i = count - 1; i >= 0; i--) {
        factors[i] = a[i][count];
        for (int j = i + 1; j < count; j++) {
            factors[i] -= a[i][j] * factors[j];
        }
        factors[i] /= a[i][i];
    }
}

/* The normal equations square the condition number; solving for what is left, twice, makes up for it. */
static void refined_least_squares(int n, double (*columns)[MOST_VARIABLES], const int *chosen, int count,
                                  const double *target, double *factors) {
    double left[MOST_VARIABLES], more[MOST_VARIABLES];
    memset(factors, 0, (size_t)count * sizeof *factors);
    for (int pass = 0; pass < 3; pass++) {
        for (int i = 0; i < n; i++) {
            left[i] = target[i];
            for (int j = 0; j < count; j++) {
                left[i] -= factors[j] * columns[chosen[j]][i];
            }
        }
        least_squares(n, columns, chosen, count, left, more);
        for (int j = 0; j < count; j++) {
            factors[j] += more[j];
        }
    }
}

/* The size of target less the best combination of the columns with factors >= 0 (C. Lawson and R. Hanson, Solving Least
 * Squares Problems, chapter 23). */
static double left_over(int n, double (*columns)[MOST_VARIABLES], int column_count, const double *target) {
    int chosen[MOST_VARIABLES], count = 0;
    double factors[MOST_VARIABLES] = {0.0}, left[MOST_VARIABLES], size = 0.0;
    for (int round = 0; round < 300; round++) {
        size = 0.0;
        for (int i = 0; i < n; i++) {
            left[i] = target[i];
            for (int j = 0; j < count; j++) {
                left[i] -= factors[j] * columns[chosen[j]][i];
            }
            size += left[i] * left[i];
        }
        int best = -1;
        double best_gain = 1e-10;
        for (int j = 0; j < column_count; j++) {
            double gain = 0.0;
            for (int i = 0; i < n; i++) {
                gain += columns[j][i] * left[i];
            }
            if (gain > best_gain) {
                best_gain = gain;
                best = j;
            }
        }
        if (best < 0 || count == n) {
            break;
        }
        factors[count] = 0.0;
        chosen[count++] = best;
        for (;;) {
            double wanted[MOST_VARIABLES], part = 1.0;
            int first = -1;
            refined_least_squares(n, columns, chosen, count, target, wanted);
            for (int j = 0; j < count; j++) {
                if (wanted[j] <= 0.0 && factors[j] / (factors[j] - wanted[j]) < part) {
                    part = factors[j] / (factors[j] - wanted[j]);
                    first = j;
                }
            }
            for (int j = 0; j < count; j++) {
                factors[j] += part * (wanted[j] - factors[j]);
            }
            if (first < 0) {
                break;
            }
            count--;
            for (int j = first; j < count; j++) {
                factors[j] = factors[j + 1];
                chosen[j] = chosen[j + 1];
            }
        }
    }
    return sqrt(size);
}

static double unexplained(const problem *p, const double *x) {
    static double columns[2 * (MOST_ROWS + MOST_VARIABLES)][MOST_VARIABLES];
    double target[MOST_VARIABLES];
    int count = 0;
    memset(columns, 0, sizeof columns);
    for (int r = 0; r < p->row_count; r++) {
        const lb_limit_row *row = p->rows + r;
        const int is_met = row_value(row, x) > row->bound - 1e-10;
        for (int side = 0; side < 2; side++) {
            if (row->kind == LB_LIMIT_EQUAL || (side == 0 && is_met)) {
                for (int i = 0; i < row->count; i++) {
                    columns[count][row->variables[i]] = side ? -row->coefficients[i] : row->coefficients[i];
                }
                count++;
            }
        }
    }
    for (int i = 0; i < p->n; i++) {
        target[i] = p->start[i] - x[i];
        if (x[i] <= p->lower[i] + 1e-12) {
            columns[count++][i] = -1.0;
        }
        if (x[i] >= p->upper[i] - 1e-12) {
            columns[count++][i] = 1.0;
        }
    }
    return left_over(p->n, columns, count, target);
}

static void check_bounds_are_exact(const problem *p, const double *x) {
    for (int i = 0; i < p->n; i++) {
        CHECK(x[i] >= p->lower[i] && x[i] <= p->upper[i]);
        CHECK(x[i] == p->lower[i] || x[i] - p->lower[i] > 1e-14);
        CHECK(x[i] == p->upper[i] || p->upper[i] - x[i] > 1e-14);
    }
}

static void test_optimality(void) {
    check_random random;
    check_random_seed(&random, 12);
    for (int k = 0; k < 6000; k++) {
        problem p;
        double x[MOST_VARIABLES], again[MOST_VARIABLES];
        make_random(&random, 2 + k % (MOST_VARIABLES - 1), k % (MOST_ROWS + 1), &p);
        check_note("optimality, problem %d: %d variables, %d rows", k, p.n, p.row_count);
        if (!CHECK_INT(project(&p, x), 0)) {
            continue;
        }
        CHECK(violation(&p, x) <= 1e-12 * 20);
        CHECK_NEAR(unexplained(&p, x), 0.0, 1e-8);
        check_bounds_are_exact(&p, x);
        memcpy(again, x, sizeof x);
        CHECK_INT(project_by(lbm_project, &p, again), 0);
        CHECK(memcmp(again, x, (size_t)p.n * sizeof *x) == 0);
    }
    check_note("%s", "");
}

static void test_against_slow_method(void) {
    check_random random;
    check_random_seed(&random, 13);
    int compared = 0;
    for (int k = 0; k < 300; k++) {
        problem p;
        double x[MOST_VARIABLES], slow[MOST_VARIABLES];
        make_random(&random, 8, 8, &p);
        CHECK_INT(project(&p, x), 0);
        memcpy(slow, p.start, sizeof slow);
        if (project_by(lbm_project_slowly, &p, slow) == 0) {
            compared++;
            CHECK_NEAR(distance(&p, p.start, slow), distance(&p, p.start, x), 1e-5);
        }
    }
    CHECK(compared > 250);
}

/* ---------------------------------------------------------------------------------------------------
 * By hand
 * ------------------------------------------------------------------------------------------------- */

static problem empty_problem(int n) {
    problem p;
    memset(&p, 0, sizeof p);
    p.n = n;
    for (int i = 0; i < n; i++) {
        p.lower[i] = -INFINITY;
        p.upper[i] = INFINITY;
    }
    return p;
}

static void test_by_hand(void) {
    double x[MOST_VARIABLES];
    problem p = empty_problem(3);
    p.start[0] = 5.0, p.start[1] = -0.0, p.start[2] = 0.1;
    p.upper[0] = 0.3, p.lower[2] = 0.2;
    CHECK_INT(project(&p, x), 0); /* a box alone */
    CHECK(x[0] == 0.3 && x[1] == 0.0 && signbit(x[1]) && x[2] == 0.2);
    p.lower[0] = 0.4;
    CHECK_INT(project(&p, x), 1); /* an empty box */
    CHECK(x[0] == 5.0 && x[2] == 0.1);

    p = empty_problem(2); /* x + y <= 1 from (1, 1): the middle; then x <= 0.2: the corner */
    p.start[0] = p.start[1] = 1.0;
    add_row(&p, LB_LIMIT_AT_MOST, (const double[]){1.0, 1.0}, 1.0);
    CHECK_INT(project(&p, x), 0);
    CHECK_NEAR(x[0], 0.5, 1e-15);
    CHECK_NEAR(x[1], 0.5, 1e-15);
    p.upper[0] = 0.2;
    CHECK_INT(project(&p, x), 0);
    CHECK(x[0] == 0.2);
    CHECK_NEAR(x[1], 0.8, 1e-15);
    add_row(&p, LB_LIMIT_AT_MOST, (const double[]){-1.0, -1.0}, -1.1); /* x + y >= 1.1 */
    CHECK_INT(project(&p, x), 1);
    CHECK(x[0] == 1.0 && x[1] == 1.0);
    p.rows[1].bound = -p.rows[0].bound; /* x + y >= 1: as good as an equality */
    CHECK_INT(project(&p, x), 0);
    CHECK_NEAR(x[0] + x[1], 1.0, 1e-14);

    p = empty_problem(2); /* two equalities leave one point, however far the start */
    p.start[0] = 1e8, p.start[1] = -3e7;
    add_row(&p, LB_LIMIT_EQUAL, (const double[]){1.0, 2.0}, 3.0);
    add_row(&p, LB_LIMIT_EQUAL, (const double[]){1.0, -1.0}, 0.0);
    CHECK_INT(project(&p, x), 0);
    CHECK_NEAR(x[0], 1.0, 1e-12);
    CHECK_NEAR(x[1], 1.0, 1e-12);
    add_row(&p, LB_LIMIT_EQUAL, (const double[]){1.0, 0.0}, 1.0 + 1e-6);
    CHECK_INT(project(&p, x), 1);
}

/* Rows that are parallel but for 1e-4 to 1e-15, all through one point: the worst that a file can ask for. */
static void test_nearly_parallel(void) {
    check_random random;
    check_random_seed(&random, 15);
    double worst = 0.0;
    for (int k = 0; k < 4000; k++) {
        double x[MOST_VARIABLES], dense[MOST_VARIABLES], tilted[MOST_VARIABLES], value[MOST_VARIABLES] = {0.0};
        problem p = empty_problem(2 + k % 4);
        for (int i = 0; i < p.n; i++) {
            value[i] = check_random_range(&random, -1.0, 1.0);
            p.start[i] = check_random_range(&random, -3.0, 3.0);
            p.lower[i] = value[i] - (i % 2 ? 0.1 : 2.0);
            dense[i] = check_random_range(&random, -1.0, 1.0);
        }
        for (int r = 0; r < 4; r++) {
            const double tilt = pow(10.0, -check_random_range(&random, 4.0, 15.0));
            double bound = 0.0;
            for (int i = 0; i < p.n; i++) {
                tilted[i] = dense[i] + tilt * check_random_range(&random, -1.0, 1.0);
                tilted[i] *= r == 3 && k % 3 == 0 ? -1.0 : 1.0;
                bound += tilted[i] * value[i];
            }
            add_row(&p, check_random_index(&random, 3) ? LB_LIMIT_AT_MOST : LB_LIMIT_EQUAL, tilted, bound);
        }
        check_note("nearly parallel, problem %d", k);
        if (CHECK_INT(project(&p, x), 0)) {
            worst = fmax(worst, violation(&p, x));
            CHECK(violation(&p, x) <= 1e-9);
        }
    }
    check_note("%s", "");
    printf("nearly parallel rows: violated by at most %.1e\n", worst);
}

/* A point inside, or on the border to rounding, must not move by a bit; variables that no row touches are clamped
 * only. */
static void test_untouched_bits(void) {
    check_random random;
    check_random_seed(&random, 14);
    for (int k = 0; k < 500; k++) {
        double x[MOST_VARIABLES];
        problem p = empty_problem(4); /* a regular polygon of 3 to 34 sides in the variables 1 and 2 */
        const int sides = 3 + k % 32;
        for (int s = 0; s < sides; s++) {
            const double angle = 6.283185307179586 * s / sides;
            add_row(&p, LB_LIMIT_AT_MOST, (const double[]){0.0, cos(angle), sin(angle), 0.0}, 1.0);
        }
        const double size = k % 2 ? 0.9 * cos(3.141592653589793 / sides) : 3.0;
        const double turn = check_random_range(&random, 0.0, 6.3);
        p.upper[3] = 0.7;
        p.start[0] = 0.1, p.start[1] = size * cos(turn), p.start[2] = size * sin(turn), p.start[3] = 0.9;
        CHECK_INT(project(&p, x), 0);
        CHECK(x[0] == 0.1 && x[3] == 0.7);
        const int is_inside = violation(&p, (const double[]){0.1, p.start[1], p.start[2], 0.7}) <= 0.0;
        CHECK(!is_inside || (x[1] == p.start[1] && x[2] == p.start[2]));
        CHECK(is_inside || distance(&p, x, p.start) > 0.2);
        CHECK(violation(&p, x) <= 1e-14);
    }
}

/* Over 4096 variables the size of the scratch is an estimate from above: the sanitizer checks that it suffices. */
static void test_long_chain(void) {
    enum { N = 10000 };
    double *lower = malloc(3 * N * sizeof *lower), *upper = lower + N, *x = upper + N;
    lb_limit_row *rows = malloc(N * sizeof *rows);
    int(*variables)[2] = malloc(N * sizeof *variables);
    static const double coefficients[2] = {0.6, 0.8};
    int count = 0;
    for (int i = 0; i < N; i++) {
        lower[i] = -1.0;
        upper[i] = 1.0;
        x[i] = 2.0;
        if (i % 5 == 0) {
            variables[count][0] = i;
            variables[count][1] = i + (i % 2 ? 3 : 1);
            rows[count] = (lb_limit_row){"pair", LB_LIMIT_AT_MOST, 2, variables[count], coefficients, 0.5};
            count++;
        }
    }
    const size_t size = lbm_project_scratch_size(N, lower, upper, count, rows);
    CHECK(size < 4u << 20);
    void *scratch = malloc(size);
    CHECK_INT(lbm_project(N, lower, upper, count, rows, x, scratch), 0);
    double worst = 0.0;
    for (int r = 0; r < count; r++) {
        worst = fmax(worst, fabs(row_value(rows + r, x) - 0.5));
    }
    CHECK_NEAR(worst, 0.0, 1e-14);
    CHECK(x[2] == 1.0);
    free(scratch);
    free(variables);
    free(rows);
    free(lower);
}

int main(void) {
    test_by_hand();
    test_nearly_parallel();
    test_untouched_bits();
    test_against_brute_force();
    test_optimality();
    test_against_slow_method();
    test_long_chain();
    return check_done();
}
