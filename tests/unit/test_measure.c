/* How well an end-effector can move: manipulability, condition, distances to singularities and limits, against the Jacobian of
 * lb_kinematics_twist and what is known of a simple arm; and the wish for the middle of the ranges. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "math/eigen.h"
#include <limber/solve.h>

#define PI 3.14159265358979323846

/* An elbow manipulator: it turns about z, then bends twice; links of 0.5 m and 0.4 m. With `more` four further joints. */
static lb_figure *arm(int more) {
    static const lb_dh_row rows[] = {
        {"turn", 0, PI / 2, 0, 0, 0, -3, 3},        {"upper", 0.5, 0, 0, 0, 0, -2, 1.5},
        {"lower", 0.4, 0, 0, 0, 0, -2.5, 2.5},      {"wrist1", 0.1, PI / 2, 0.05, 0, 0, -2, 2.2},
        {"wrist2", 0, -PI / 2, 0.1, 0, 0, -2.5, 2}, {"wrist3", 0.05, PI / 2, 0.07, 0, 0, -3, 1},
        {"wrist4", 0.02, 0, 0.1, 0, 0, -1, 3}};
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment base;
    lb_site site;
    lb_figure *figure = NULL;
    REQUIRE(b);
    lb_segment_defaults(&base);
    base.name = "base";
    lb_site_defaults(&site);
    site.name = "mount";
    site.segment = lb_builder_add_segment(b, &base);
    int mount = lb_builder_add_site(b, &site);
    REQUIRE(lb_builder_add_dh_chain(b, mount, LB_DH_CONVENTION_STANDARD, more ? 7 : 3, rows) > 0);
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

static lb_measure measured(lb_solver *solver, const double *pose) {
    lb_result result;
    lb_result_defaults(&result);
    REQUIRE(lb_solver_measure(solver, pose, &result) == LB_OK);
    REQUIRE(result.measure_count == 1 && result.measures);
    return result.measures[0];
}

/* |det J| of the elbow manipulator is l1 l2 |sin q3| (l1 cos q2 + l2 cos (q2 + q3)). */
static void test_elbow_manipulator(void) {
    lb_figure *f = arm(0);
    lb_problem *p = lb_problem_create(f, NULL);
    lb_constraint c;
    uint64_t seed = 5;
    REQUIRE(p && lb_constraint_at(f, "lower_link", (double[]){0.5, 0, 0.3}, &c) == LB_OK);
    REQUIRE(lb_problem_add(p, &c) > 0);
    lb_solver *solver = lb_solver_create(p, NULL);
    REQUIRE(solver);
    for (int k = 0; k < 100; k++) {
        double q[3];
        lb_figure_random_pose(f, &seed, q);
        q[2] = k == 0 ? 0 : q[2]; /* stretched: singular */
        const lb_measure m = measured(solver, q);
        const double known = fabs(0.5 * 0.4 * sin(q[2]) * (0.5 * cos(q[1]) + 0.4 * cos(q[1] + q[2])));
        double room = INFINITY;
        for (int i = 0; i < 3; i++) {
            const lb_variable *v = lb_figure_variable(f, i);
            room = fmin(room, fmin(q[i] - v->lower, v->upper - q[i]));
        }
        check_note("pose %d", k);
        CHECK_INT(m.rows, 3);
        CHECK_NEAR(m.manipulability, known, 1e-12);
        CHECK_NEAR(m.limit, room, 1e-12);
        CHECK(m.limit_variable >= 0 && m.limit_variable < 3);
        CHECK(k > 0 || (m.singularity < 1e-12 && m.condition > 1e12));
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(f);
}

/* Singular values of six rows of seven numbers, from the eigenvalues of J J'. */
static void singular_values(const double *j, int n, double least_most[2], double *product) {
    double a[36], real[6], imaginary[6];
    for (int r = 0; r < 6; r++) {
        for (int c = 0; c < 6; c++) {
            a[6 * r + c] = 0;
            for (int i = 0; i < n; i++) {
                a[6 * r + c] += j[r * n + i] * j[c * n + i];
            }
        }
    }
    REQUIRE(lbm_eigenvalues(6, a, real, imaginary));
    least_most[0] = INFINITY, least_most[1] = 0, *product = 1;
    for (int r = 0; r < 6; r++) {
        const double value = sqrt(fmax(real[r], 0));
        least_most[0] = fmin(least_most[0], value);
        least_most[1] = fmax(least_most[1], value);
        *product *= value;
    }
}

static void test_frames(void) {
    lb_figure *f = arm(1);
    lb_problem *p = lb_problem_create(f, NULL);
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_frame frame;
    lb_constraint c;
    uint64_t seed = 6;
    lb_frame_identity(&frame);
    REQUIRE(p && k && lb_constraint_frame(f, "wrist4_link", &frame, &c) == LB_OK);
    const int id = lb_problem_add(p, &c);
    lb_solver *solver = lb_solver_create(p, NULL);
    REQUIRE(id > 0 && solver);
    for (int i = 0; i < 100; i++) {
        double q[7], j[6 * 7], least_most[2], product;
        lb_figure_random_pose(f, &seed, q);
        /* A variable that moves half as readily moves the effector as far. */
        REQUIRE(lb_problem_set_rigidity(p, 2, i % 2 ? 0.5 : 0) == LB_OK);
        REQUIRE(lb_kinematics_update(k, q) == LB_OK && lb_kinematics_twist(k, &c.effector, j) == LB_OK);
        singular_values(j, 7, least_most, &product);
        const lb_measure m = measured(solver, q);
        check_note("pose %d", i);
        CHECK_INT(m.rows, 6);
        CHECK_NEAR(m.manipulability, product, 1e-9);
        CHECK_NEAR(m.singularity, least_most[0], 1e-7);
        CHECK_NEAR(m.condition * m.singularity, least_most[1], 1e-9);
    }
    /* Relative to the segment before it, only the last joint moves the hand: singular, and the limit is that joint's. */
    c.goal.carrier_figure = 0;
    c.goal.carrier_segment = lb_figure_find_segment(f, "wrist3_link");
    REQUIRE(lb_problem_change(p, id, &c) == LB_OK);
    const double q[7] = {0, 0, 0, 0, 0, 0, 2.9};
    const lb_measure m = measured(solver, q);
    CHECK_NEAR(m.manipulability, 0, 1e-12);
    CHECK_INT(m.limit_variable, 6);
    CHECK_NEAR(m.limit, 0.1, 1e-12);
    lb_solver_destroy(solver);
    lb_kinematics_destroy(k);
    lb_problem_destroy(p);
    lb_figure_destroy(f);
}

/* A solve alone measures nothing; explaining its answer does, and so does asking. */
static void test_results(void) {
    lb_figure *f = arm(1);
    lb_problem *p = lb_problem_create(f, NULL);
    lb_constraint c;
    lb_result result;
    double q[7];
    REQUIRE(p && lb_constraint_at(f, "wrist4_link", (double[]){0.5, 0.2, 0.3}, &c) == LB_OK);
    REQUIRE(lb_problem_add(p, &c) > 0);
    c.disabled = 1;
    REQUIRE(lb_problem_add(p, &c) > 0);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_result_defaults(&result);
    lb_figure_rest_pose(f, q);
    CHECK_INT(lb_solver_solve(solver, NULL, q, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_INT(result.measure_count, 0);
    CHECK_INT(lb_solver_explain(solver, NULL, q, &result), LB_OK);
    REQUIRE(result.measure_count == 2);
    const lb_measure first = result.measures[0];
    CHECK_INT(first.rows, 3);
    CHECK_INT(result.measures[1].rows, 0);
    CHECK_INT(lb_solver_measure(solver, q, &result), LB_OK);
    CHECK_INT(memcmp(&first, &result.measures[0], sizeof first), 0);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_INT(lb_solver_solve(solver, NULL, q, &result), LB_OK);
    CHECK_INT(result.measure_count, 0);
    q[0] = NAN;
    CHECK(lb_solver_measure(solver, q, &result) != LB_OK);
    CHECK_INT(lb_solver_measure(NULL, q, &result), LB_ERROR_ARGUMENT);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(f);
}

/* The wish for the middle: its gradient against central differences, where it leads, and that goals do not pay for it. */
static void test_middle(void) {
    lb_figure *f = arm(1);
    lb_problem *p = lb_problem_create(f, NULL);
    lb_constraint c;
    lb_result result;
    lb_solve_options options;
    double q[7], gradient[7], value, before;
    uint64_t seed = 7;
    REQUIRE(p && lb_problem_set_middle(p, 0.3) == LB_OK);
    CHECK_INT(lb_problem_set_middle(p, -1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_middle(p, NAN), LB_ERROR_ARGUMENT);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_result_defaults(&result);
    lb_figure_random_pose(f, &seed, q);
    CHECK_INT(lb_solver_solve(solver, NULL, q, &result), LB_OK);
    for (int i = 0; i < 7; i++) {
        const lb_variable *v = lb_figure_variable(f, i);
        CHECK_NEAR(q[i], 0.5 * (v->lower + v->upper), 1e-6);
    }
    /* With a goal: met all the same, and the wish has less value than without. */
    REQUIRE(lb_constraint_at(f, "wrist4_link", (double[]){0.5, 0.2, 0.3}, &c) == LB_OK && lb_problem_add(p, &c) > 0);
    lb_figure_random_pose(f, &seed, q);
    lb_solve_options_defaults(&options);
    options.restarts = 20; /* the first start ends at limits */
    CHECK_INT(lb_solver_solve(solver, &options, q, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK(result.wish_value > 0 && result.gradient_norm < 1e-5);
    before = 0;
    for (int i = 0; i < 7; i++) {
        const lb_variable *v = lb_figure_variable(f, i);
        const double share = (2 * q[i] - v->lower - v->upper) / (v->upper - v->lower);
        before += 0.3 * share * share;
    }
    CHECK_NEAR(result.wish_value, before, 1e-9);
    REQUIRE(lb_problem_set_wish_level(p, LB_WISH_LEVEL_GOALS) == LB_OK);
    lb_figure_random_pose(f, &seed, q);
    CHECK_INT(lb_solver_value(solver, q, &value, gradient), LB_OK);
    for (int i = 0; i < 7; i++) {
        const double kept = q[i], step = 1e-6;
        double above, below;
        q[i] = kept + step;
        CHECK_INT(lb_solver_value(solver, q, &above, NULL), LB_OK);
        q[i] = kept - step;
        CHECK_INT(lb_solver_value(solver, q, &below, NULL), LB_OK);
        q[i] = kept;
        CHECK_NEAR(gradient[i], (above - below) / (2 * step), 1e-7);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(f);
}

int main(void) {
    test_elbow_manipulator();
    test_frames();
    test_results();
    test_middle();
    return check_done();
}
