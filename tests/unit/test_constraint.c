/* Constraints by name: what lb_constraint_at, _aim, _frame, _keep and _balance put into a constraint, and what they
 * refuse. */
#include <limber/solve.h>
#include <math.h>
#include <string.h>

#include "arm.h"

/* An arm in the plane: x ahead, joints about z; upper 0.3 m (2 kg), lower 0.2 m (1 kg). */
static lb_figure *planar_arm(void) { return arm_finish(arm_builder("R(z)", "R(z)")); }

static void check_defaults(void) {
    lb_constraint c;
    memset(&c, 0x5a, sizeof c);
    lb_constraint_defaults(&c);
    CHECK(c.name == NULL);
    CHECK_INT(c.figure, 0);
    CHECK_INT(c.effector.kind, LB_EFFECTOR_FRAME);
    CHECK_INT(c.goal.kind, LB_GOAL_POSITION);
    CHECK_INT(c.goal.carrier_segment, -1);
    CHECK_INT(c.goal.outside, 0);
    CHECK_INT(c.priority, 0);
    CHECK_INT(c.any_of, 0);
    CHECK_INT(c.chain_start, -1);
    CHECK_INT(c.disabled, 0);
    CHECK(c.weight == 1 && c.radius == 0 && c.half_length == 0);
    for (int i = 0; i < 3; i++) {
        CHECK(c.tolerance[i] == 1e-5);
    }
    CHECK(c.tolerance_rad == 1e-5);
    CHECK(c.goal.degrees_x == 180 && c.goal.degrees_y == 180);
    CHECK(c.goal.weight_position == 0.5 && c.goal.weight_orientation == 0.5);
    CHECK(c.goal.rotation[3] == 1 && c.goal.rotation[0] == 0);
    CHECK(c.goal.x[0] == 1 && c.goal.y[1] == 1 && c.goal.normal[2] == 1);
    CHECK(c.goal.faces == NULL && c.goal.potential == NULL);
}

static void check_at_and_aim(const lb_figure *arm) {
    lb_constraint c;
    const double point[3] = {0.1, 0.2, 0.3};
    CHECK_INT(lb_constraint_at(arm, "lower.hand", point, &c), LB_OK);
    CHECK_INT(c.goal.kind, LB_GOAL_POSITION);
    CHECK_INT(c.effector.segment, lb_figure_find_segment(arm, "lower"));
    CHECK_NEAR(c.effector.point[0], 0.2, 0);
    for (int i = 0; i < 3; i++) {
        CHECK(c.goal.point[i] == point[i]);
    }
    CHECK_TEXT(c.name, "lower.hand");
    CHECK_INT(lb_constraint_at(arm, "hand", point, &c), LB_OK); /* only one segment has a hand */
    CHECK_INT(c.effector.segment, lb_figure_find_segment(arm, "lower"));

    CHECK_INT(lb_constraint_aim(arm, "hand", point, &c), LB_OK);
    CHECK_INT(c.goal.kind, LB_GOAL_AIM);
    for (int i = 0; i < 3; i++) {
        CHECK(c.goal.point[i] == point[i]);
    }
    CHECK_NEAR(c.effector.x[0], 1, 0);

    CHECK_INT(lb_constraint_at(arm, "foot", point, &c), LB_ERROR_NAME);
    CHECK_INT(lb_constraint_at(arm, "", point, &c), LB_ERROR_NAME);
    CHECK_INT(lb_constraint_at(arm, "shoulder", point, &c), LB_OK); /* a site at a joint, and no segment of that name */
    CHECK_INT(c.effector.segment, 0);
    CHECK_INT(lb_constraint_at(arm, "base", point, &c), LB_OK); /* upper.base or lower.base? no: the segment */
    CHECK_INT(c.effector.segment, lb_figure_find_segment(arm, "base"));
    CHECK_INT(lb_constraint_at(arm, "lower", point, &c), LB_OK); /* a segment's own frame */
    CHECK_INT(c.effector.segment, lb_figure_find_segment(arm, "lower"));
    CHECK(c.effector.point[0] == 0 && c.effector.x[0] == 1 && c.effector.y[1] == 1);
    CHECK_TEXT(c.name, "lower");
    CHECK_INT(lb_constraint_at(arm, "com", point, &c), LB_OK);
    CHECK_INT(c.effector.kind, LB_EFFECTOR_COM);
    CHECK_INT(lb_constraint_at(NULL, "hand", point, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_at(arm, NULL, point, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_aim(arm, "foot", point, &c), LB_ERROR_NAME);
}

static void check_frame(const lb_figure *arm) {
    lb_constraint c;
    /* a quarter turn about z, in a quaternion twice as long as it should be */
    lb_frame frame = {{1, 2, 3}, {0, 0, 2 * 0.70710678118654757, 2 * 0.70710678118654757}};
    CHECK_INT(lb_constraint_frame(arm, "hand", &frame, &c), LB_OK);
    CHECK_INT(c.goal.kind, LB_GOAL_FRAME);
    const double x[3] = {0, 1, 0}, y[3] = {-1, 0, 0};
    for (int i = 0; i < 3; i++) {
        CHECK(c.goal.point[i] == i + 1);
        CHECK_NEAR(c.goal.x[i], x[i], 1e-15);
        CHECK_NEAR(c.goal.y[i], y[i], 1e-15);
    }
    CHECK(frame.rotation[2] > 1); /* the caller's frame is not touched */
    lb_frame none = {{0, 0, 0}, {0, 0, 0, 0}};
    CHECK_INT(lb_constraint_frame(arm, "hand", &none, &c), LB_ERROR_ARGUMENT);
    none.rotation[0] = NAN;
    CHECK_INT(lb_constraint_frame(arm, "hand", &none, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_frame(arm, "foot", &frame, &c), LB_ERROR_NAME);
}

/* A pin: met in the pose it was made from, by position and both directions, and in no other. */
static void check_keep(const lb_figure *arm) {
    lb_constraint c;
    const double pose[2] = {0.5, -0.8}, elsewhere[2] = {0.5, -0.7};
    CHECK_INT(lb_constraint_keep(arm, "hand", pose, &c), LB_OK);
    CHECK_INT(c.goal.kind, LB_GOAL_FRAME);
    CHECK_NEAR(c.goal.point[0], 0.3 * cos(0.5) + 0.2 * cos(-0.3), 1e-15);
    CHECK_NEAR(c.goal.point[1], 0.3 * sin(0.5) + 0.2 * sin(-0.3), 1e-15);
    CHECK_NEAR(c.goal.x[0], cos(-0.3), 1e-15);
    CHECK_NEAR(c.goal.x[1], sin(-0.3), 1e-15);
    CHECK_NEAR(c.goal.y[0], -sin(-0.3), 1e-15);

    lb_problem *problem = lb_problem_create(arm, NULL);
    REQUIRE(problem && lb_problem_add(problem, &c) > 0);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver != NULL);
    double value;
    CHECK_INT(lb_solver_value(solver, pose, &value, NULL), LB_OK);
    CHECK_NEAR(value, 0, 1e-30);
    CHECK_INT(lb_solver_value(solver, elsewhere, &value, NULL), LB_OK);
    CHECK(value > 1e-4);
    double start[2] = {0.4, -0.6};
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(lb_solver_solve(solver, NULL, start, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_NEAR(start[0], 0.5, 1e-4);
    CHECK_NEAR(start[1], -0.8, 1e-4);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);

    const double bad[2] = {0.5, INFINITY};
    CHECK_INT(lb_constraint_keep(arm, "hand", bad, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_keep(arm, "foot", pose, &c), LB_ERROR_NAME);
}

/* How far outside the faces a point is: the largest of n . p - bound. */
static double outside(const lb_constraint *c, double x, double y) {
    double most = -INFINITY;
    for (int i = 0; i < c->goal.face_count; i++) {
        const double *f = c->goal.faces[i];
        double over = f[0] * x + f[1] * y + f[2] * 123 - f[3];
        if (over > most) {
            most = over;
        }
    }
    return most;
}

static void check_balance_square(void) {
    /* the unit square, out of order, with its centre, a point on an edge, and a corner twice; heights do not matter */
    const double points[7][3] = {{1, 1, 0}, {0, 0, 5}, {0.5, 0.5, 0}, {1, 0, -1}, {0.5, 0, 0}, {0, 1, 0}, {1, 1, 9}};
    double faces[7][4];
    lb_constraint c;
    CHECK_INT(lb_constraint_balance(7, points, 0.1, faces, &c), LB_OK);
    CHECK_TEXT(c.name, "balance");
    CHECK_INT(c.effector.kind, LB_EFFECTOR_COM);
    CHECK_INT(c.goal.kind, LB_GOAL_POLYHEDRON);
    CHECK_INT(c.goal.outside, 0);
    CHECK_INT(c.goal.face_count, 4);
    CHECK(c.goal.faces == (const double(*)[4])faces);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(faces[i][0] * faces[i][0] + faces[i][1] * faces[i][1], 1, 1e-15);
        CHECK(faces[i][2] == 0);
    }
    CHECK_NEAR(outside(&c, 0.5, 0.5), -0.4, 1e-15); /* 0.5 from the edges, 0.1 of it the margin */
    CHECK_NEAR(outside(&c, 0.1, 0.5), 0, 1e-15);
    CHECK_NEAR(outside(&c, 0.5, 1.2), 0.3, 1e-15);
    CHECK_NEAR(outside(&c, 1.5, 0.5), 0.6, 1e-15);
}

/* Random points: every one of them is inside the hull (margin 0), and every face touches two. */
static void check_balance_random(void) {
    check_random random;
    check_random_seed(&random, 20240607);
    for (int round = 0; round < 200; round++) {
        double points[64][3], faces[64][4];
        lb_constraint c;
        int count = 3 + check_random_index(&random, 62);
        for (int i = 0; i < count; i++) {
            for (int k = 0; k < 3; k++) {
                points[i][k] = check_random_range(&random, -1, 1);
                if (round % 2) {
                    points[i][k] = floor(points[i][k] * 3); /* many coincide, many lie on a line */
                }
            }
        }
        lb_status status = lb_constraint_balance(count, (const double(*)[3])points, 0, faces, &c);
        if (status == LB_ERROR_ARGUMENT && round % 2) {
            continue; /* all on one line, perhaps */
        }
        check_note("round %d, %d points", round, count);
        CHECK_INT(status, LB_OK);
        if (status) {
            continue;
        }
        for (int i = 0; i < count; i++) {
            CHECK(outside(&c, points[i][0], points[i][1]) < 1e-14);
        }
        for (int f = 0; f < c.goal.face_count; f++) {
            int touching = 0;
            for (int i = 0; i < count; i++) {
                touching += fabs(faces[f][0] * points[i][0] + faces[f][1] * points[i][1] - faces[f][3]) < 1e-13;
            }
            CHECK(touching >= 2);
        }
    }
    check_note("%s", "");
}

static void check_balance_refuses(void) {
    double faces[64][4];
    lb_constraint c;
    const double line[4][3] = {{0, 0, 0}, {1, 1, 0}, {2, 2, 0}, {-1, -1, 7}};
    const double good[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    double bad[3][3] = {{0, 0, 0}, {1, NAN, 0}, {0, 1, 0}}, many[65][3];
    for (int i = 0; i < 65; i++) {
        many[i][0] = i, many[i][1] = i * i, many[i][2] = 0;
    }
    CHECK_INT(lb_constraint_balance(4, line, 0, faces, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_balance(2, good, 0, faces, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_balance(3, (const double(*)[3])bad, 0, faces, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_balance(3, good, -0.1, faces, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_balance(3, good, NAN, faces, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_balance(65, (const double(*)[3])many, 0, faces, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_balance(64, (const double(*)[3])many, 0, faces, &c), LB_OK);
    CHECK_INT(lb_constraint_balance(3, NULL, 0, faces, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_constraint_balance(3, good, 0, NULL, &c), LB_ERROR_ARGUMENT);
}

/* The arm's centre of mass, 0.1 m from the shoulder, is brought over a support; with a margin wider than the support
 * there is nothing to be over. */
static void check_balance_solved(const lb_figure *arm) {
    const double support[4][3] = {{0.02, 0.04, 0}, {0.12, 0.04, 0}, {0.12, 0.14, 0}, {0.02, 0.14, 0}};
    double faces[4][4], pose[2] = {0, 0.3}, com[3];
    lb_constraint c;
    REQUIRE(lb_constraint_balance(4, support, 0.01, faces, &c) == LB_OK);
    lb_problem *problem = lb_problem_create(arm, NULL);
    REQUIRE(problem && lb_problem_add(problem, &c) > 0);
    memset(faces, 0, sizeof faces); /* adding has copied them */
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(lb_solve(problem, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    lb_kinematics *k = lb_kinematics_create(arm, NULL);
    REQUIRE(k && lb_kinematics_update(k, pose) == LB_OK);
    lb_kinematics_com(k, com);
    CHECK(com[0] > 0.03 - 1.1e-5 && com[0] < 0.11 + 1.1e-5 && com[1] > 0.05 - 1.1e-5 && com[1] < 0.13 + 1.1e-5);
    lb_kinematics_destroy(k);

    REQUIRE(lb_constraint_balance(4, support, 0.06, faces, &c) == LB_OK);
    CHECK_INT(lb_problem_add(problem, &c), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(problem)->message, "contradict");
    lb_problem_destroy(problem);
}

int main(void) {
    lb_figure *arm = planar_arm();
    check_defaults();
    check_at_and_aim(arm);
    check_frame(arm);
    check_keep(arm);
    check_balance_square();
    check_balance_random();
    check_balance_refuses();
    check_balance_solved(arm);
    lb_figure_destroy(arm);
    return check_done();
}
