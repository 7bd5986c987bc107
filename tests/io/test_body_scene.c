/* What bodies meet: the axes of surfaces, distances from boxes, swivels by name; and the derivatives of all rows against central
 * differences, around the answers of problems/surfaces. */
#include "check.h"

#include <limber/io.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "solve/body/body.h"

#define STEP 1e-5
#define CLOSE 3e-6
#define KINK 1e-3 /* second difference over STEP: there is no derivative */
#define DEEP 0.02 /* metres: an axis that goes through a thin board pushes to its nearer face, which is no derivative */

/* --- Parts ---------------------------------------------------------------------------------------------- */

static void test_axes(void) {
    lb_surface s = {.name = "a", .half_size = {1, 1}};
    lbp_surface_frame f;
    CHECK_INT(lbp_frame_surface(&s, &f), 0);
    CHECK(f.normal[2] == 1 && f.along[0] == 1 && f.across[1] == 1);
    s.normal[0] = -2; /* a wall before one who looks along x: along it is to the right, across it is up */
    CHECK_INT(lbp_frame_surface(&s, &f), 0);
    CHECK(f.normal[0] == -1 && f.along[1] == -1 && f.across[2] == 1);
    s.along[0] = 3;
    CHECK_INT(lbp_frame_surface(&s, &f), 1);
    s.along[2] = 3;
    CHECK_INT(lbp_frame_surface(&s, &f), 0);
    CHECK_NEAR(f.along[2], 1, 1e-15);
    s.normal[0] = NAN;
    CHECK_INT(lbp_frame_surface(&s, &f), 1);
}

/* The distance from a box is that of the nearest of many of its points; its gradient is a unit vector, and that of differences. */
static void test_box(void) {
    static const lbm_transform frame = {{0.6, 0.8, 0, 0}, {-0.8, 0.6, 0, 0}, {0, 0, 1, 0}, {0.1, -0.2, 0.3, 0}};
    static const double half[3] = {0.3, 0.2, 0.1};
    check_random r;
    check_random_seed(&r, 5);
    for (int k = 0; k < 300; k++) {
        double at[3], normal[3], other[3], nearest = INFINITY, least = INFINITY;
        for (int c = 0; c < 3; c++) {
            at[c] = check_random_range(&r, -0.6, 0.8);
        }
        const double distance = lbs_box_distance(&frame, half, at, normal);
        CHECK_NEAR(lbm_norm3(normal), 1, 1e-12);
        double off[3], q[3], outside = 0;
        lbm_sub3(at, frame.p, off);
        q[0] = lbm_dot3(frame.x, off), q[1] = lbm_dot3(frame.y, off), q[2] = lbm_dot3(frame.z, off);
        for (int c = 0; c < 3; c++) {
            const double beyond = fabs(q[c]) - half[c];
            outside = fmax(outside, beyond);
            least = fmin(least, -beyond);
        }
        for (int i = 0; i < 6 && outside > 0; i++) { /* by projection onto each face */
            double p[3], square = 0;
            for (int c = 0; c < 3; c++) {
                p[c] = c == i / 2 ? (i & 1 ? half[c] : -half[c]) : fmin(fmax(q[c], -half[c]), half[c]);
                square += (p[c] - q[c]) * (p[c] - q[c]);
            }
            nearest = fmin(nearest, sqrt(square));
        }
        CHECK_NEAR(distance, outside > 0 ? nearest : -least, 1e-12);
        for (int c = 0; c < 3; c++) {
            double moved[3] = {at[0], at[1], at[2]}, low, high;
            moved[c] = at[c] - 1e-6;
            low = lbs_box_distance(&frame, half, moved, other);
            moved[c] = at[c] + 1e-6;
            high = lbs_box_distance(&frame, half, moved, other);
            if (fabs(high + low - 2 * distance) < 1e-10) {
                CHECK_NEAR((high - low) / 2e-6, normal[c], 1e-4);
            }
        }
    }
}

static void test_swivels(const lb_figure *human) {
    static const double down[3] = {0, 0, -1}, none[3] = {0, 0, 0};
    lb_swivel s;
    CHECK_INT(lb_swivel_at(human, "right_elbow", down, &s), LB_OK);
    CHECK_INT(s.segment, -1);
    CHECK_INT(lb_swivel_at(human, "right_elbw", down, &s), LB_ERROR_NAME);
    CHECK_INT(lb_swivel_at(human, "right_wrist", down, &s), LB_ERROR_UNSUPPORTED);
    CHECK_INT(lb_swivel_at(human, "right_elbow", none, &s), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_swivel_side(human, "left_knee", LB_SIDE_OUT, &s), LB_OK);
    CHECK(s.direction[1] > 0);
    CHECK_INT(lb_swivel_side(human, "left_knee", LB_SIDE_IN, &s), LB_OK);
    CHECK(s.direction[1] < 0);
    CHECK_INT(lb_swivel_side(human, "left_knee", (lb_side)17, &s), LB_ERROR_ARGUMENT);
    CHECK_TEXT(lb_side_name(LB_SIDE_BACK), "back");
}

/* --- Derivatives ------------------------------------------------------------------------------------------ */

typedef struct rows {
    int counts[3];
    double *values[3]; /* wishes, rules, conditions */
} rows;

static void take(const lbs_bodies_task *t, rows *r) {
    const double *const from[3] = {t->values->wishes, t->values->rules, t->values->conditions};
    const int counts[3] = {t->wishes.count, t->rules.count, t->conditions.count};
    for (int k = 0; k < 3; k++) {
        r->counts[k] = counts[k];
        memcpy(r->values[k], from[k], (size_t)counts[k] * sizeof(double));
    }
}

static rows make_rows(const lbs_bodies_task *t) {
    rows r;
    const int most[3] = {t->wishes.most, t->rules.most, t->conditions.most};
    for (int k = 0; k < 3; k++) {
        r.values[k] = malloc((size_t)most[k] * sizeof(double) + 1);
        REQUIRE(r.values[k]);
    }
    return r;
}

static void free_rows(rows *r) {
    for (int k = 0; k < 3; k++) {
        free(r->values[k]);
    }
}

static const double *row_of(const lbs_bodies_task *t, int kind, int index) {
    const size_t stride = (size_t)t->stride;
    if (kind == 2) {
        const int row = t->conditions.rows[index];
        return row < 0 ? NULL : t->conditions.near.jacobian + (size_t)row * stride;
    }
    return (kind ? t->rules.jacobian : t->wishes.jacobian) + (size_t)index * stride;
}

/* At a place near the answer. Returns how many derivatives were compared. */
static long compare(lbs_bodies *all, double *x) {
    const lbs_bodies_task *t = &all->task;
    rows low = make_rows(t), middle = make_rows(t), high = make_rows(t);
    long count = 0;
    lbs_bodies_evaluate(all, x, 1);
    take(t, &middle);
    for (int v = 0; v < t->size; v++) {
        const double kept = x[v];
        x[v] = kept - STEP;
        lbs_bodies_evaluate(all, x, 0);
        take(t, &low);
        x[v] = kept + STEP;
        lbs_bodies_evaluate(all, x, 0);
        take(t, &high);
        x[v] = kept;
        for (int kind = 0; kind < 3; kind++) {
            for (int i = 0; i < middle.counts[kind]; i++) {
                const double *row = row_of(t, kind, i), a = low.values[kind][i], b = middle.values[kind][i],
                             c = high.values[kind][i];
                const double slope = (c - a) / (2 * STEP), bend = fabs(a + c - 2 * b) / STEP;
                if (row && bend < KINK && (kind < 2 || b < DEEP) && (a != 0 || b != 0 || c != 0)) {
                    count++;
                    if (!CHECK(fabs(row[v] - slope) <= CLOSE * fmax(1, fabs(slope)) + bend)) {
                        printf("  kind %d, row %d, variable %d: %.9g, differences have %.9g\n", kind, i, v, row[v],
                               slope);
                    }
                }
            }
        }
    }
    free_rows(&low);
    free_rows(&middle);
    free_rows(&high);
    return count;
}

static void test_derivatives(const char *name) {
    char relative[200], path[1024], models[1024];
    lb_problem_file *file = NULL;
    lb_load_options options;
    lb_result result;
    lb_error error;
    check_random r;
    check_note("%s", name);
    check_random_seed(&r, 11);
    lb_load_options_defaults(&options);
    lb_result_defaults(&result);
    snprintf(relative, sizeof relative, "problems/surfaces/%s.json", name);
    REQUIRE(check_source(relative, path, sizeof path) && check_source("models", models, sizeof models));
    options.models = models;
    REQUIRE(lb_problem_load(path, &options, &file, &error) == LB_OK);
    const lb_problem *problem = lb_problem_file_problem(file);
    lb_solver *solver = lb_solver_create(problem, NULL);
    double *pose = malloc((size_t)lb_problem_variable_count(problem) * sizeof *pose);
    REQUIRE(solver && pose);
    memcpy(pose, lb_problem_file_start(file), (size_t)lb_problem_variable_count(problem) * sizeof *pose);
    REQUIRE(lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
    lbs_bodies *all = solver->bodies;
    const lbs_bodies_task *t = &all->task;
    double *x = calloc((size_t)t->stride, sizeof *x);
    REQUIRE(x);
    lbs_from_pose(t->space, pose, x);
    for (int v = 0; v < t->size; v++) {
        x[v] += v < t->n ? check_random_range(&r, -0.05, 0.05) : check_random_range(&r, 0, 0.3);
        if (v < t->n) {
            x[v] = fmin(fmax(x[v], t->space->variables.lower[v] + 1e-3), t->space->variables.upper[v] - 1e-3);
        }
    }
    CHECK(compare(all, x) > 1000);
    free(x);
    free(pose);
    lb_solver_destroy(solver);
    lb_problem_file_destroy(file);
    check_note("%s", "");
}

int main(void) {
    char path[1024];
    lb_figure *human = NULL;
    REQUIRE(check_source("models/human.fig", path, sizeof path) && lb_figure_load(path, NULL, &human, NULL) == LB_OK);
    test_axes();
    test_box();
    test_swivels(human);
    test_derivatives("s02_lean_on_wall");
    test_derivatives("s03_foot_on_step");
    test_derivatives("s05_sit_and_lean");
    test_derivatives("s09_around_a_post");
    test_derivatives("s11_box_and_step");
    test_derivatives("s14_knees_out");
    lb_figure_destroy(human);
    return check_done();
}
