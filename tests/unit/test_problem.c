/* Problems: what is refused and why, constraints that persist, several figures, which variables move, chains, loops,
 * wishes. */
#include <limber/solve.h>
#include <math.h>
#include <string.h>

#include "arm.h"
#include "check.h"

static lb_figure *planar_arm(void) { return arm_finish(arm_builder("R(z)", "R(z)")); }

static void hand(lb_constraint *c, double x, double y) {
    lb_constraint_defaults(c);
    c->name = "hand";
    c->effector.segment = 2;
    c->effector.point[0] = 0.2;
    c->goal.point[0] = x;
    c->goal.point[1] = y;
}

/* --- Refusals ------------------------------------------------------------------------------------ */

static void refused(lb_problem *p, const lb_constraint *c, lb_status status, const char *why) {
    int before = lb_problem_constraint_count(p);
    check_note("%s", why);
    CHECK_INT(lb_problem_add(p, c), status);
    CHECK_INT(lb_problem_error(p)->status, status);
    CHECK_HAS(lb_problem_error(p)->message, why);
    CHECK_INT(lb_problem_constraint_count(p), before);
    check_note("%s", "");
}

#define REFUSED(status, why, ...)    \
    do {                             \
        lb_constraint c;             \
        hand(&c, 0.1, 0.1);          \
        __VA_ARGS__;                 \
        refused(p, &c, status, why); \
    } while (0)

static void bad_effectors(lb_problem *p) {
    REFUSED(LB_ERROR_ARGUMENT, "figure is not in the problem", c.figure = 1);
    REFUSED(LB_ERROR_ARGUMENT, "figure is not in the problem", c.figure = -1);
    REFUSED(LB_ERROR_ARGUMENT, "segment does not exist", c.effector.segment = 3);
    REFUSED(LB_ERROR_ARGUMENT, "segment does not exist", c.effector.segment = -1);
    REFUSED(LB_ERROR_ARGUMENT, "segment does not exist", c.effector.kind = (lb_effector_kind)7);
    REFUSED(LB_ERROR_ARGUMENT, "two unit vectors at right angles", c.effector.point[1] = NAN);
    REFUSED(LB_ERROR_ARGUMENT, "two unit vectors at right angles", c.effector.x[0] = 2);
    REFUSED(LB_ERROR_ARGUMENT, "two unit vectors at right angles", c.effector.y[0] = 1, c.effector.y[1] = 0);
    REFUSED(LB_ERROR_ARGUMENT, "a joint that does not exist", c.chain_start = 2);
    REFUSED(LB_ERROR_ARGUMENT, "not on the way from the end-effector", c.effector.segment = 1, c.chain_start = 1);
    REFUSED(LB_ERROR_ARGUMENT, "not on the way from the end-effector", c.effector.segment = 0, c.chain_start = 0);
    REFUSED(LB_ERROR_UNSUPPORTED, "no direction to turn", lb_effector_from_com(&c.effector), c.goal.kind = LB_GOAL_AIM);
    REFUSED(LB_ERROR_UNSUPPORTED, "no direction to turn", lb_effector_from_com(&c.effector),
            c.goal.kind = LB_GOAL_FRAME);
    REFUSED(LB_ERROR_UNSUPPORTED, "no direction to turn", lb_effector_from_com(&c.effector),
            c.goal.kind = LB_GOAL_ORIENTATION);
}

static void bad_numbers(lb_problem *p) {
    REFUSED(LB_ERROR_ARGUMENT, "weight is negative or not finite", c.weight = -1);
    REFUSED(LB_ERROR_ARGUMENT, "weight is negative or not finite", c.weight = INFINITY);
    REFUSED(LB_ERROR_ARGUMENT, "weight is negative or not finite", c.weight = NAN);
    for (int i = 0; i < 3; i++) {
        REFUSED(LB_ERROR_ARGUMENT, "tolerance is negative", c.tolerance[i] = -1e-9);
    }
    REFUSED(LB_ERROR_ARGUMENT, "tolerance is negative", c.tolerance_rad = NAN);
    REFUSED(LB_ERROR_ARGUMENT, "priority is not 0 to 1000", c.priority = -1);
    REFUSED(LB_ERROR_ARGUMENT, "priority is not 0 to 1000", c.priority = 1001);
    REFUSED(LB_ERROR_ARGUMENT, "any_of number is negative", c.any_of = -1);
    REFUSED(LB_ERROR_ARGUMENT, "radius or half length is negative", c.radius = -1);
    REFUSED(LB_ERROR_ARGUMENT, "radius or half length is negative", c.half_length = NAN);
    REFUSED(LB_ERROR_UNSUPPORTED, "for half-spaces and goals to keep out of only", c.radius = 0.1);
    REFUSED(LB_ERROR_UNSUPPORTED, "use a flat box instead", c.half_length = 0.1, c.goal.kind = LB_GOAL_DISC,
            c.goal.outside = 1, c.goal.size[0] = 1);
}

static void bad_goals(lb_problem *p) {
    double faces[4][4] = {{1, 0, 0, -1}, {-1, 0, 0, -1}, {0, 0, 0, 1}, {NAN, 0, 0, 1}};
    REFUSED(LB_ERROR_ARGUMENT, "a goal of no known kind", c.goal.kind = (lb_goal_kind)(LB_GOAL_CUSTOM + 1));
    REFUSED(LB_ERROR_ARGUMENT, "a goal of no known kind", c.goal.kind = (lb_goal_kind)-1);
    REFUSED(LB_ERROR_ARGUMENT, "point is not finite", c.goal.point[2] = INFINITY);
    REFUSED(LB_ERROR_ARGUMENT, "segment that carries a goal does not exist", c.goal.carrier_segment = 3);
    REFUSED(LB_ERROR_ARGUMENT, "segment that carries a goal does not exist", c.goal.carrier_segment = 0,
            c.goal.carrier_figure = 1);
    REFUSED(LB_ERROR_ARGUMENT, "directions are not unit vectors", c.goal.kind = LB_GOAL_FRAME, c.goal.x[0] = 3);
    REFUSED(LB_ERROR_ARGUMENT, "directions are not unit vectors", c.goal.kind = LB_GOAL_ORIENTATION, c.goal.y[1] = NAN);
    REFUSED(LB_ERROR_ARGUMENT, "normal is not a unit vector", c.goal.kind = LB_GOAL_LINE, c.goal.normal[2] = 0);
    REFUSED(LB_ERROR_ARGUMENT, "normal is not a unit vector", c.goal.kind = LB_GOAL_PLANE, c.goal.normal[0] = 1);
    REFUSED(LB_ERROR_ARGUMENT, "normal is not a unit vector", c.goal.kind = LB_GOAL_HALF_SPACE, c.goal.normal[0] = NAN);
    REFUSED(LB_ERROR_ARGUMENT, "degrees per metre are negative", c.goal.degrees_x = -1);
    REFUSED(LB_ERROR_ARGUMENT, "degrees per metre are negative", c.goal.degrees_y = INFINITY);
    REFUSED(LB_ERROR_ARGUMENT, "weights of position and orientation", c.goal.kind = LB_GOAL_FRAME,
            c.goal.weight_position = -1);
    REFUSED(LB_ERROR_ARGUMENT, "a custom goal without its potential", c.goal.kind = LB_GOAL_CUSTOM);
    REFUSED(LB_ERROR_ARGUMENT, "though its kind does not use it", c.goal.normal[1] = NAN);
    REFUSED(LB_ERROR_ARGUMENT, "though its kind does not use it", c.goal.weight_position = INFINITY);
    REFUSED(LB_ERROR_ARGUMENT, "size of a goal's region", c.goal.kind = LB_GOAL_BOX, c.goal.size[2] = -1);
    REFUSED(LB_ERROR_ARGUMENT, "size of a goal's region", c.goal.kind = LB_GOAL_SPHERE, c.goal.size[0] = NAN);
    REFUSED(LB_ERROR_ARGUMENT, "size of a goal's region", c.goal.kind = LB_GOAL_CAPSULE, c.goal.size[1] = -1);
    REFUSED(LB_ERROR_UNSUPPORTED, "have an outside to keep to", c.goal.kind = LB_GOAL_CIRCLE, c.goal.outside = 1);
    REFUSED(LB_ERROR_UNSUPPORTED, "have an outside to keep to", c.goal.outside = 1);
    REFUSED(LB_ERROR_ARGUMENT, "rotation is not finite or zero", c.goal.rotation[3] = 0);
    REFUSED(LB_ERROR_ARGUMENT, "1 to 10000 faces", c.goal.kind = LB_GOAL_POLYHEDRON);
    REFUSED(LB_ERROR_ARGUMENT, "faces contradict each other", c.goal.kind = LB_GOAL_POLYHEDRON, c.goal.face_count = 2,
            c.goal.faces = (const double(*)[4])faces);
    REFUSED(LB_ERROR_ARGUMENT, "face has no direction", c.goal.kind = LB_GOAL_POLYHEDRON, c.goal.face_count = 1,
            c.goal.faces = (const double(*)[4])(faces + 2));
    REFUSED(LB_ERROR_ARGUMENT, "face has no direction", c.goal.kind = LB_GOAL_POLYHEDRON, c.goal.face_count = 1,
            c.goal.faces = (const double(*)[4])(faces + 3));
}

static void bad_settings(lb_problem *p, int id) {
    lb_frame frame;
    lb_constraint c;
    double pose[2] = {0, NAN};
    hand(&c, 0, 0);
    lb_frame_identity(&frame);
    CHECK_INT(lb_problem_move_goal(p, 999, &frame), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "no constraint with id 999");
    CHECK_INT(lb_problem_change(p, 0, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_remove(p, -1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_enable(p, 999, 1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_weight(p, 999, 1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_weight(p, id, -1), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "negative or not finite");
    frame.rotation[3] = 0;
    CHECK_INT(lb_problem_move_goal(p, id, &frame), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "not finite, or its rotation is zero");
    CHECK_INT(lb_problem_set_active(p, 2, 0), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "no variable number 2");
    CHECK_INT(lb_problem_set_rigidity(p, -1, 0), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_rigidity(p, 0, 1.5), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "not between 0 and 1");
    CHECK_INT(lb_problem_set_rigidity(p, 0, NAN), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_joint_active(p, 0, 5, 1), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "no such joint");
    CHECK_INT(lb_problem_set_joint_active(p, 1, 0, 1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_posture(p, NULL, -1), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "wish's weight");
    CHECK_INT(lb_problem_set_posture(p, pose, 1), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "posture is not finite");
    CHECK_INT(lb_problem_set_stay(p, NAN), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_margin(p, -0.1, 1), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "margin that is negative");
    CHECK_INT(lb_problem_set_margin(p, 0.1, INFINITY), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_add_figure(p, NULL), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message, "no figure");
}

static void refusals(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    REQUIRE(p != NULL);
    CHECK(lb_problem_create(NULL, NULL) == NULL);
    hand(&c, 0.3, 0.1);
    int id = lb_problem_add(p, &c);
    CHECK(id > 0);
    bad_effectors(p);
    bad_numbers(p);
    bad_goals(p);
    bad_settings(p, id);
    /* a change that is refused changes nothing */
    c.weight = -1;
    CHECK_INT(lb_problem_change(p, id, &c), LB_ERROR_ARGUMENT);
    CHECK_NEAR(lb_problem_constraint(p, 0)->weight, 1, 0);
    CHECK_NEAR(lb_problem_constraint(p, 0)->goal.point[0], 0.3, 0);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
    lb_problem_destroy(NULL);
}

/* A figure without mass has no centre of mass to place. */
static void massless(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    REQUIRE(arm_segment(b, "only", 0) == 0);
    lb_figure *figure = arm_finish(b);
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    lb_constraint_defaults(&c);
    lb_effector_from_com(&c.effector);
    refused(p, &c, LB_ERROR_UNSUPPORTED, "no mass");
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Persistence --------------------------------------------------------------------------------- */

/* Solves from the pose and asks where the hand is. */
static void expect_hand(lb_solver *solver, const lb_figure *figure, double *pose, double x, double y, int line) {
    lb_result result;
    lb_result_defaults(&result);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    lb_frame frame;
    check_note("called in line %d", line);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(lb_kinematics_update(k, pose), LB_OK);
    CHECK_INT(lb_kinematics_site(k, lb_figure_find_site(figure, "hand"), &frame), LB_OK);
    CHECK_NEAR(frame.position[0], x, 2e-5);
    CHECK_NEAR(frame.position[1], y, 2e-5);
    check_note("%s", "");
    lb_kinematics_destroy(k);
}

static void persistence(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    double pose[2] = {0.3, 0.4};
    char name[] = "the hand";
    hand(&c, 0.3, 0.2);
    c.name = name;
    int first = lb_problem_add(p, &c);
    name[0] = 'X'; /* its own copy is kept */
    CHECK_TEXT(lb_problem_constraint(p, 0)->name, "the hand");
    lb_solver *solver = lb_solver_create(p, NULL);
    REQUIRE(first > 0 && solver);
    expect_hand(solver, figure, pose, 0.3, 0.2, __LINE__);

    lb_frame to;
    lb_frame_identity(&to);
    to.position[0] = 0.1;
    to.position[1] = 0.3;
    CHECK_INT(lb_problem_move_goal(p, first, &to), LB_OK);
    expect_hand(solver, figure, pose, 0.1, 0.3, __LINE__);

    hand(&c, 0.3, -0.1); /* a second one, heavier by far */
    c.weight = 1e8;
    c.name = NULL;
    int second = lb_problem_add(p, &c);
    CHECK(second > first);
    CHECK_INT(lb_problem_constraint_count(p), 2);
    CHECK_INT(lb_problem_constraint_id(p, 0), first);
    CHECK_INT(lb_problem_constraint_id(p, 1), second);
    CHECK_INT(lb_problem_constraint_id(p, 2), -1);
    CHECK(lb_problem_constraint(p, 2) == NULL && lb_problem_constraint(p, -1) == NULL);
    expect_hand(solver, figure, pose, 0.3, -0.1, __LINE__);
    CHECK_INT(lb_problem_set_weight(p, second, 0), LB_OK);
    expect_hand(solver, figure, pose, 0.1, 0.3, __LINE__);
    CHECK_INT(lb_problem_set_weight(p, second, 1e8), LB_OK);
    CHECK_INT(lb_problem_enable(p, second, 0), LB_OK);
    CHECK_INT(lb_problem_constraint(p, 1)->disabled, 1);
    expect_hand(solver, figure, pose, 0.1, 0.3, __LINE__);
    CHECK_INT(lb_problem_enable(p, second, 1), LB_OK);
    CHECK_INT(lb_problem_enable(p, first, 0), LB_OK);
    expect_hand(solver, figure, pose, 0.3, -0.1, __LINE__);

    CHECK_INT(lb_problem_remove(p, first), LB_OK);
    CHECK_INT(lb_problem_remove(p, first), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_constraint_count(p), 1);
    CHECK_INT(lb_problem_constraint_id(p, 0), second);
    hand(&c, 0.2, 0.2);
    int third = lb_problem_add(p, &c);
    CHECK(third > second); /* numbers are not used again */
    CHECK_INT(lb_problem_remove(p, second), LB_OK);
    expect_hand(solver, figure, pose, 0.2, 0.2, __LINE__);
    hand(&c, -0.2, 0.2);
    CHECK_INT(lb_problem_change(p, third, &c), LB_OK);
    CHECK_INT(lb_problem_constraint_id(p, 0), third);
    expect_hand(solver, figure, pose, -0.2, 0.2, __LINE__);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* Moving a goal sets all that a frame says: point, directions, normal, rotation. */
static void moving_a_frame(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    lb_frame to = {{1, 2, 3}, {0, 0, 0, 0}};
    hand(&c, 0, 0);
    int id = lb_problem_add(p, &c);
    REQUIRE(lb_rotation_about((double[]){1, 0, 0}, M_PI / 2, to.rotation) == LB_OK); /* z to -y, y to z */
    CHECK_INT(lb_problem_move_goal(p, id, &to), LB_OK);
    const lb_goal *g = &lb_problem_constraint(p, 0)->goal;
    CHECK_NEAR(g->point[2], 3, 0);
    CHECK_NEAR(g->x[0], 1, 1e-15);
    CHECK_NEAR(g->y[2], 1, 1e-15);
    CHECK_NEAR(g->normal[1], -1, 1e-15);
    CHECK_NEAR(g->rotation[0], to.rotation[0], 1e-15);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Figures and variables ----------------------------------------------------------------------- */

static void several_figures(void) {
    lb_figure *arm = planar_arm(), *other = arm_finish(arm_builder("ball", "R(y)"));
    lb_problem *p = lb_problem_create(arm, NULL);
    char name[256];
    CHECK_INT(lb_problem_figure_count(p), 1);
    lb_problem_variable_name(p, 1, name, sizeof name);
    CHECK_TEXT(name, "elbow");
    CHECK_INT(lb_problem_add_figure(p, other), 1);
    CHECK_INT(lb_problem_add_figure(p, arm), 2); /* the same twice */
    CHECK_INT(lb_problem_figure_count(p), 3);
    CHECK(lb_problem_figure(p, 1) == other && lb_problem_figure(p, 2) == arm && lb_problem_figure(p, 3) == NULL);
    CHECK_INT(lb_problem_variable_count(p), 2 + 4 + 2);
    CHECK_INT(lb_problem_first_variable(p, 0), 0);
    CHECK_INT(lb_problem_first_variable(p, 1), 2);
    CHECK_INT(lb_problem_first_variable(p, 2), 6);
    CHECK_INT(lb_problem_first_variable(p, 3), -1);
    lb_problem_variable_name(p, 1, name, sizeof name);
    CHECK_TEXT(name, "0:elbow");
    lb_problem_variable_name(p, 2, name, sizeof name);
    CHECK(name[0] == '1' && name[1] == ':');
    CHECK_TEXT(name + 2, lb_figure_variable(other, 0)->name);
    lb_problem_variable_name(p, 7, name, sizeof name);
    CHECK_TEXT(name, "2:elbow");
    lb_problem_variable_name(p, 7, name, 4); /* cut to fit */
    CHECK_TEXT(name, "2:e");
    lb_problem_variable_name(p, 8, name, sizeof name);
    CHECK_TEXT(name, "");
    lb_problem_destroy(p);
    lb_figure_destroy(other);
    lb_figure_destroy(arm);
}

/* A solver made before most of the figures were added follows. */
static void a_crowd(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[40];
    lb_result result;
    lb_result_defaults(&result);
    for (int i = 1; i < 20; i++) {
        CHECK_INT(lb_problem_add_figure(p, figure), i);
    }
    for (int i = 0; i < 20; i++) {
        lb_constraint c;
        hand(&c, 0.3, 0.2);
        c.figure = i;
        CHECK(lb_problem_add(p, &c) > 0);
        pose[2 * i] = 0.1;
        pose[2 * i + 1] = 0.5;
    }
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    for (int i = 1; i < 20; i++) {
        CHECK_NEAR(pose[2 * i], pose[0], 1e-6);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static void what_moves(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    hand(&c, -0.1, 0.4);
    REQUIRE(lb_problem_add(p, &c) > 0);
    double pose[2] = {0.3, 0.4};
    CHECK_INT(lb_problem_set_active(p, 0, 0), LB_OK);
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK(pose[0] == 0.3 && pose[1] != 0.4);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_INT(lb_problem_set_active(p, 0, 1), LB_OK);
    CHECK_INT(lb_problem_set_rigidity(p, 1, 1), LB_OK);
    double elbow = pose[1];
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK(pose[1] == elbow && pose[0] != 0.3);
    CHECK_INT(lb_problem_set_rigidity(p, 1, 0.5), LB_OK);
    CHECK_INT(lb_problem_set_joint_active(p, 0, 0, 0), LB_OK);
    CHECK_INT(lb_problem_set_joint_active(p, 0, 1, 0), LB_OK);
    double before[2] = {pose[0], pose[1]};
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK); /* nothing may move at all */
    CHECK(memcmp(pose, before, sizeof before) == 0);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_INT(lb_problem_set_joint_active(p, 0, 0, 1), LB_OK);
    CHECK_INT(lb_problem_set_joint_active(p, 0, 1, 1), LB_OK);
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* A rigid joint moves less than a free one, both from the middle (ZB94 section 11). */
static void rigidity_shares(void) {
    lb_figure *figure = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    double free_pose[2] = {0.5, 0.5}, stiff_pose[2] = {0.5, 0.5};
    hand(&c, 0, 0);
    c.goal.kind = LB_GOAL_PLANE; /* one thing asked of two joints: a choice */
    c.goal.normal[0] = 1, c.goal.normal[2] = 0;
    c.goal.point[0] = 0.25;
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solve(p, NULL, free_pose, &result), LB_OK);
    CHECK_INT(lb_problem_set_rigidity(p, 0, 0.9), LB_OK);
    CHECK_INT(lb_solve(p, NULL, stiff_pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK(fabs(stiff_pose[0] - 0.5) < 0.2 * fabs(free_pose[0] - 0.5));
    CHECK(fabs(stiff_pose[1] - 0.5) > fabs(free_pose[1] - 0.5));
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Chains -------------------------------------------------------------------------------------- */

/* A constraint that starts at the elbow leaves the shoulder alone; another that moves the shoulder makes it part of the
 * first one's chain as well: the shoulder's share in the first is then seen, and both are met (ZB94 section 10). */
static void chains(void) {
    lb_figure *figure = arm_finish(arm_builder("ball", "R(z)"));
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_constraint c, elbow;
    lb_result result;
    lb_result_defaults(&result);
    double pose[4] = {0, 0, 0, 0.5}, value, gradient[4];
    hand(&c, 0.3, 0.2);
    c.chain_start = lb_figure_find_joint(figure, "elbow");
    int id = lb_problem_add(p, &c);
    REQUIRE(id > 0);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK(pose[0] == 0 && pose[1] == 0 && pose[2] == 0);
    CHECK_NEAR(pose[3], M_PI / 2, 1e-4);

    hand(&elbow, 0, 0.3); /* the elbow, at upper.tip, straight up the y axis */
    elbow.effector.segment = 1;
    elbow.effector.point[0] = 0.3;
    REQUIRE(lb_problem_add(p, &elbow) > 0);
    hand(&c, 0, 0.5);
    c.chain_start = lb_figure_find_joint(figure, "elbow");
    CHECK_INT(lb_problem_change(p, id, &c), LB_OK);
    CHECK_INT(lb_solver_value(solver, (double[]){0.1, 0.2, 0.3, 0.4}, &value, gradient), LB_OK);
    CHECK(fabs(gradient[0]) + fabs(gradient[1]) + fabs(gradient[2]) > 0.01 && gradient[3] != 0);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_INT(result.constraints[0].met && result.constraints[1].met, 1);

    hand(&c, 0, 0.5); /* a start that is not on the way to the root */
    c.effector.segment = 1;
    c.name = "upper";
    c.chain_start = lb_figure_find_joint(figure, "elbow");
    CHECK_INT(lb_problem_change(p, id, &c), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_problem_error(p)->message,
              "the joint elbow, which is not on the way from the end-effector to the root");
    CHECK_INT(lb_problem_add(p, &c), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_constraint_count(p), 2);
    CHECK_INT(lb_problem_constraint(p, 0)->effector.segment, 2); /* as it was */
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Loops, wishes ------------------------------------------------------------------------------- */

/* A four-bar linkage: a parallelogram of 1 x 0.5. Driving one crank takes the others along, without a word about the
 * loop. */
static void loops(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    int ground = arm_segment(b, "ground", 0), left = arm_segment(b, "left", 1), bar = arm_segment(b, "bar", 1),
        right = arm_segment(b, "right", 1);
    int sites[8] = {arm_site(b, ground, "a", 0),    arm_site(b, ground, "b", 1),    arm_site(b, left, "foot", 0),
                    arm_site(b, left, "head", 0.5), arm_site(b, bar, "from", 0),    arm_site(b, bar, "to", 1),
                    arm_site(b, right, "foot", 0),  arm_site(b, right, "head", 0.5)};
    arm_joint(b, "j1", sites[0], sites[2], "R(z)");
    arm_joint(b, "j2", sites[3], sites[4], "R(z)");
    arm_joint(b, "j3", sites[5], sites[7], "R(z)");
    arm_joint(b, "j4", sites[1], sites[6], "R(z)");
    lb_figure *figure = arm_finish(b);
    CHECK_INT(lb_figure_loop_count(figure), 1);
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(p, NULL);
    int n = lb_problem_variable_count(p);
    double pose[8] = {0}, value;
    lb_constraint c;
    lb_result result;
    lb_frame carried, tree;
    lb_result_defaults(&result);
    REQUIRE(n <= 8);
    /* closed: the cranks up, the bar level. Joint angles: left +90, bar -90, right 90 about its own foot */
    int j1 = lb_figure_find_variable(figure, "j1"), j2 = lb_figure_find_variable(figure, "j2");
    int j3 = lb_figure_find_variable(figure, "j3"), j4 = lb_figure_find_variable(figure, "j4");
    pose[j1] = M_PI / 2, pose[j2] = -M_PI / 2, pose[j3] = M_PI / 2, pose[j4] = M_PI / 2;
    CHECK_INT(lb_solver_value(solver, pose, &value, NULL), LB_OK);
    CHECK_NEAR(value, 0, 1e-20);
    pose[j4] += 0.5;
    CHECK_INT(lb_solver_value(solver, pose, &value, NULL), LB_OK);
    CHECK(value > 1e-3); /* open */
    pose[j4] -= 0.5;
    lb_constraint_defaults(&c);
    c.effector.segment = bar; /* its middle: on a circle of the cranks' length about (0.5, 0) */
    c.effector.point[0] = 0.5;
    c.goal.point[0] = 0.5 + 0.5 * cos(1.0);
    c.goal.point[1] = 0.5 * sin(1.0);
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_NEAR(pose[j1], 1, 1e-3);
    CHECK_NEAR(pose[j4], 1, 1e-3);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    CHECK_INT(lb_kinematics_update(k, pose), LB_OK);
    CHECK_INT(lb_kinematics_loop(k, 0, &carried, &tree), LB_OK);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(carried.position[i], tree.position[i], 1e-5);
    }
    lb_kinematics_destroy(k);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* Wishes alone: each has its minimum where it is said. */
static void wishes(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_joint elbow = *lb_builder_joint(b, 1);
    elbow.lower[0] = 0, elbow.upper[0] = 2, elbow.rest[0] = 0.25;
    REQUIRE(lb_builder_change_joint(b, 1, &elbow) == LB_OK);
    lb_figure *figure = arm_finish(b);
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    double pose[2] = {1, 1}, wanted[2] = {0.5, 1.5};
    CHECK_INT(lb_problem_set_posture(p, wanted, 1), LB_OK); /* with nothing else asked */
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_NEAR(pose[0], 0.5, 1e-8);
    CHECK_NEAR(pose[1], 1.5, 1e-8);
    pose[0] = pose[1] = 1;
    hand(&c, 0, 0);
    c.goal.kind = LB_GOAL_PLANE; /* always met: the wishes have both joints to themselves */
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_problem_set_posture(p, wanted, 1), LB_OK);
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_NEAR(pose[0], 0.5, 1e-8);
    CHECK_NEAR(pose[1], 1.5, 1e-8);
    CHECK_INT(lb_problem_set_posture(p, NULL, 1), LB_OK); /* to the rest pose */
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_NEAR(pose[0], 0, 1e-8);
    CHECK_NEAR(pose[1], 0.25, 1e-8);
    CHECK_INT(lb_problem_set_stay(p, 3),
              LB_OK); /* a quarter of the way from where it starts: (1 * 0.25 + 3 * 1.25) / 4 */
    pose[1] = 1.25;
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_NEAR(pose[1], 1, 1e-8);
    CHECK_INT(lb_problem_set_posture(p, NULL, 0), LB_OK);
    CHECK_INT(lb_problem_set_stay(p, 0), LB_OK);
    CHECK_INT(lb_problem_set_margin(p, 0.3, 1), LB_OK);
    pose[1] = 0.1;
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_NEAR(pose[1], 0.3, 1e-8);
    pose[1] = 1.95;
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_NEAR(pose[1], 1.7, 1e-8);
    pose[1] = 1.2;
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_NEAR(pose[1], 1.2, 0); /* far enough from both */
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* The centre of mass over a support: kept inside with its margin. */
static void balance(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    const double points[5][3] = {{-0.1, -0.1, 0}, {0.1, -0.1, 5}, {0.1, 0.1, 0}, {-0.1, 0.1, 0}, {0, 0, 0}};
    double faces[5][4], pose[2] = {0.2, 0.1}, com[3];
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(lb_constraint_balance(5, points, 0.02, faces, &c), LB_OK);
    CHECK_INT(c.goal.face_count, 4); /* the point in the middle is no corner */
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(faces[i][3], 0.08, 1e-15);
    }
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_INT(lb_kinematics_update(k, pose), LB_OK);
    lb_kinematics_com(k, com);
    CHECK(fabs(com[0]) <= 0.08 + 1e-5 && fabs(com[1]) <= 0.08 + 1e-5);
    lb_kinematics_destroy(k);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

int main(void) {
    refusals();
    massless();
    persistence();
    moving_a_frame();
    several_figures();
    a_crowd();
    what_moves();
    rigidity_shares();
    chains();
    loops();
    wishes();
    balance();
    return check_done();
}
