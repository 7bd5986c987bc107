/* Solving, where the answer is known: closed forms, limits in the way, levels, alternatives, several answers, budgets. */
#include <limber/solve.h>
#include <math.h>
#include <string.h>

#include "arm.h"
#include "check.h"

#define DEGREES (M_PI / 180)

static lb_figure *planar_arm(void) { return arm_finish(arm_builder("R(z)", "R(z)")); }

/* The elbow bends from 0 to 142 degrees. */
static lb_figure *limited_arm(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_joint elbow = *lb_builder_joint(b, 1);
    elbow.lower[0] = 0;
    elbow.upper[0] = 142 * DEGREES;
    REQUIRE(lb_builder_change_joint(b, 1, &elbow) == LB_OK);
    return arm_finish(b);
}

static void hand(lb_constraint *c, double x, double y) {
    lb_constraint_defaults(c);
    c->name = "hand";
    c->effector.segment = 2;
    c->effector.point[0] = 0.2;
    c->goal.point[0] = x;
    c->goal.point[1] = y;
}

static lb_problem *reach(const lb_figure *figure, double x, double y) {
    lb_problem *p = lb_problem_create(figure);
    lb_constraint c;
    REQUIRE(p != NULL);
    hand(&c, x, y);
    REQUIRE(lb_problem_add(p, &c) == 1);
    return p;
}

static void position_of(const lb_figure *figure, const double *pose, const char *site, double at[3]) {
    lb_kinematics *k = lb_kinematics_create(figure);
    lb_frame frame;
    REQUIRE(k && lb_kinematics_update(k, pose) == LB_OK && lb_kinematics_site(k, lb_figure_find_site(figure, site), &frame) == LB_OK);
    memcpy(at, frame.position, sizeof frame.position);
    lb_kinematics_destroy(k);
}

/* --- Closed forms ----------------------------------------------------------------------------------------------------------- */

/* Two links a, b and a goal at distance d: cos(elbow) = (d^2 - a^2 - b^2) / (2 a b). */
static void two_links(void) {
    lb_figure *figure = planar_arm();
    const double goals[4][2] = {{0.3, 0.2}, {-0.1, 0.35}, {0.2, -0.4}, {-0.3, -0.05}};
    for (int i = 0; i < 8; i++) {
        const double *g = goals[i / 2];
        double sign = i % 2 ? -1 : 1, pose[2] = {0, sign * 0.5}, square = g[0] * g[0] + g[1] * g[1];
        double elbow = sign * acos((square - 0.09 - 0.04) / 0.12);
        double shoulder = atan2(g[1], g[0]) - atan2(0.2 * sin(elbow), 0.3 + 0.2 * cos(elbow));
        lb_problem *p = reach(figure, g[0], g[1]);
        lb_constraint c = *lb_problem_constraint(p, 0);
        lb_solve_options options;
        lb_result result;
        check_note("goal %d", i);
        for (int k = 0; k < 3; k++) c.tolerance[k] = 1e-9;
        CHECK_INT(lb_problem_change(p, 1, &c), LB_OK);
        lb_solve_options_defaults(&options);
        options.gradient_tolerance = 1e-12; /* so near the gradient is as small as the tolerance */
        CHECK_INT(lb_solve(p, &options, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK_NEAR(fabs(pose[1]), fabs(elbow), 1e-8); /* bent either way */
        if (pose[1] * elbow < 0) shoulder = 2 * atan2(g[1], g[0]) - shoulder;
        CHECK_NEAR(remainder(pose[0] - shoulder, 2 * M_PI), 0, 1e-8);
        lb_problem_destroy(p);
    }
    check_note("%s", "");
    lb_figure_destroy(figure);
}

/* Out of reach the arm points straight at the goal. */
static void out_of_reach(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 3, 4);
    lb_solver *solver = lb_solver_create(p);
    double pose[2] = {0.1, 1};
    lb_result result;
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_NEAR(pose[0], atan2(4, 3), 1e-8);
    CHECK_NEAR(pose[1], 0, 1e-8);
    CHECK_NEAR(result.value, 4.5 * 4.5, 1e-12);
    CHECK(result.gradient_norm <= 1e-9);
    CHECK_INT(result.limit_count, 0);
    CHECK_INT(result.constraint_count, 1);
    CHECK(result.constraints[0].id == 1 && !result.constraints[0].met && result.constraints[0].counted);
    CHECK_NEAR(result.constraints[0].distance, 4.5, 1e-12);
    CHECK_NEAR(result.constraints[0].value, 20.25, 1e-12);
    CHECK_HAS(result.explanation, "no limit in the way");
    CHECK_HAS(result.explanation, "hand 4.5 m short");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* A goal too near the shoulder for an elbow of 142 degrees: r = |hand| there, G = (r - d)^2, and the multiplier is
 * -dG/dlimit = 2 (r - d) a b sin(limit) / r. */
static void a_limit_blocks(void) {
    lb_figure *figure = limited_arm();
    double limit = 142 * DEGREES, r = sqrt(0.09 + 0.04 + 0.12 * cos(limit)), d = r - 0.031;
    lb_problem *p = reach(figure, d, 0);
    lb_solver *solver = lb_solver_create(p);
    double pose[2] = {0, 1};
    lb_result result;
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_NEAR(pose[1], limit, 0);
    CHECK_NEAR(result.value, 0.031 * 0.031, 1e-12);
    CHECK_INT(result.limit_count, 1);
    const lb_active_limit *a = &result.limits[0];
    CHECK_TEXT(a->name, "elbow");
    CHECK(a->variable == 1 && a->figure == 0 && a->is_upper == 1 && a->value == limit);
    CHECK_NEAR(a->multiplier, 2 * 0.031 * 0.06 * sin(limit) / r, 1e-8);
    CHECK_HAS(result.explanation, "elbow at its");
    CHECK_HAS(result.explanation, "limit (142 deg) keeps");
    CHECK_HAS(result.explanation, "hand 3.1 cm short");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* A straight chain whose goal lies on its own axis: the gradient is zero, but it is not stuck. */
static void on_the_axis(void) {
    for (int links = 2; links <= 6; links++) {
        lb_builder *b = lb_builder_create(NULL);
        int last = -1;
        for (int i = 0; i <= links; i++) {
            char name[16], joint[16];
            snprintf(name, sizeof name, "link%d", i);
            snprintf(joint, sizeof joint, "joint%d", i);
            int segment = arm_segment(b, name, 1), base = arm_site(b, segment, "base", 0), tip = arm_site(b, segment, "tip", i ? 0.2 : 0);
            if (i) arm_joint(b, joint, last, base, "R(z)");
            last = tip;
        }
        lb_figure *figure = arm_finish(b);
        for (int inward = 0; inward < 2; inward++) {
            lb_problem *p = lb_problem_create(figure);
            lb_constraint c;
            lb_result result;
            double pose[6] = {0};
            lb_constraint_defaults(&c);
            c.effector.segment = links;
            c.effector.point[0] = 0.2;
            c.goal.point[0] = inward ? 0.1 * links : -0.15 * links;
            REQUIRE(lb_problem_add(p, &c) > 0);
            check_note("%d links, %s", links, inward ? "half way in" : "behind");
            CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
            CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
            lb_problem_destroy(p);
        }
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* --- Several goals ------------------------------------------------------------------------------------------------------------- */

/* The hand first, the elbow as near as that lets it: on a ball joint the elbow goes round a circle about the line from the shoulder to the
 * hand; the nearest of it to the elbow's goal is known. */
static void levels(void) {
    lb_figure *figure = arm_finish(arm_builder("ball", "R(z)"));
    lb_problem *p = lb_problem_create(figure);
    lb_solver *solver = lb_solver_create(p);
    lb_constraint c;
    lb_result result;
    double pose[4] = {0.2, -0.3, 0.4, 0.9}, at[3];
    hand(&c, 0.4, 0);
    REQUIRE(lb_problem_add(p, &c) > 0);
    hand(&c, 0.1, 0);
    c.goal.point[2] = 0.5;
    c.name = "elbow";
    c.effector.segment = 1;
    c.effector.point[0] = 0.3;
    c.priority = 1;
    c.weight = 1e6; /* however much it weighs */
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK(result.constraints[0].met && !result.constraints[1].met);
    /* along the line: (d^2 + a^2 - b^2) / (2 d); off it: the rest of a; upwards, where the goal is */
    double along = (0.16 + 0.09 - 0.04) / 0.8, off = sqrt(0.09 - along * along);
    position_of(figure, pose, "upper.tip", at);
    CHECK_NEAR(at[0], along, 1e-4);
    CHECK_NEAR(at[1], 0, 1e-4);
    CHECK_NEAR(at[2], off, 1e-4);

    CHECK_INT(lb_problem_remove(p, 2), LB_OK); /* in one level the heavier wins instead */
    c.priority = 0;
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK(!result.constraints[0].met);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* Levels that contradict each other: the lower costs the higher nothing, over many goals. */
static void lower_never_costs(void) {
    lb_figure *figure = limited_arm();
    check_random random;
    check_random_seed(&random, 3);
    for (int i = 0; i < 200; i++) {
        double x = check_random_range(&random, -0.8, 0.8), y = check_random_range(&random, -0.8, 0.8), start[2] = {0.3, 0.7};
        lb_problem *p = reach(figure, x, y);
        lb_solver *solver = lb_solver_create(p);
        lb_constraint c;
        lb_result result;
        double alone[2] = {start[0], start[1]}, both[2] = {start[0], start[1]};
        CHECK_INT(lb_solver_solve(solver, NULL, alone, &result), LB_OK);
        double value = result.constraints[0].value;
        hand(&c, check_random_range(&random, -1, 1), check_random_range(&random, -1, 1));
        c.priority = 5;
        c.weight = 1000;
        REQUIRE(lb_problem_add(p, &c) > 0);
        CHECK_INT(lb_solver_solve(solver, NULL, both, &result), LB_OK);
        check_note("case %d", i);
        CHECK(result.constraints[0].value <= value * (1 + 1e-9) + 1e-10);
        lb_solver_destroy(solver);
        lb_problem_destroy(p);
    }
    check_note("%s", "");
    lb_figure_destroy(figure);
}

static void either_handle(void) {
    lb_figure *figure = planar_arm();
    for (int side = 0; side < 2; side++) {
        lb_problem *p = lb_problem_create(figure);
        lb_solver *solver = lb_solver_create(p);
        lb_constraint c;
        lb_result result;
        double pose[2] = {side ? 1.5 : 0.1, 0.3}, at[3];
        hand(&c, 0.4, 0.1);
        c.any_of = 1;
        REQUIRE(lb_problem_add(p, &c) > 0);
        hand(&c, 0.0, 0.45);
        c.any_of = 1;
        REQUIRE(lb_problem_add(p, &c) > 0);
        CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        position_of(figure, pose, "hand", at);
        CHECK_NEAR(at[0], side ? 0.0 : 0.4, 2e-5);
        CHECK_INT(result.constraints[side].counted, 1);
        CHECK_INT(result.constraints[1 - side].counted, 0);
        lb_solver_destroy(solver);
        lb_problem_destroy(p);
    }
    lb_figure_destroy(figure);
}

/* On a parabola y = x^2: nothing that the library knows. */
static double parabola(void *context, const double e[9], double gradient[9]) {
    double off = e[1] - e[0] * e[0];
    ++*(int *)context;
    for (int i = 0; i < 9; i++) gradient[i] = 0;
    gradient[0] = -4 * off * e[0];
    gradient[1] = 2 * off;
    return off * off;
}

static void custom_goal(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = lb_problem_create(figure);
    lb_constraint c;
    lb_result result;
    int calls = 0;
    double pose[2] = {1.2, 0.3}, at[3];
    hand(&c, 0, 0);
    c.goal.kind = LB_GOAL_CUSTOM;
    c.goal.potential = parabola;
    c.goal.context = &calls;
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    position_of(figure, pose, "hand", at);
    CHECK_NEAR(at[1], at[0] * at[0], 2e-5);
    CHECK(calls > 0);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Relative goals, several figures ------------------------------------------------------------------------------------------------ */

/* A figure of one segment whose root is free. */
static lb_figure *free_box(void) {
    lb_builder *b = lb_builder_create(NULL);
    lb_root root;
    REQUIRE(arm_segment(b, "box", 1) == 0 && arm_site(b, 0, "left", -0.1) == 0 && arm_site(b, 0, "right", 0.1) == 1);
    lb_root_defaults(&root);
    root.is_free = 1;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    return arm_finish(b);
}

/* An arm whose shoulder is at (x, 0, 0). */
static lb_figure *placed_arm(double x) {
    lb_builder *b = arm_builder("ball", "R(z)");
    lb_root root;
    lb_root_defaults(&root);
    root.placement.position[0] = x;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    return arm_finish(b);
}

/* Two arms hold one box by its ends and bring it to a place, level: the hands' goals are carried by the box. */
static void two_hands_on_a_box(void) {
    lb_figure *left = placed_arm(-0.2), *right = placed_arm(0.2), *box = free_box();
    lb_problem *p = lb_problem_create(left);
    lb_constraint c;
    lb_result result;
    CHECK_INT(lb_problem_add_figure(p, right), 1);
    CHECK_INT(lb_problem_add_figure(p, box), 2);
    double pose[14] = {0, 0, 1, 0.5, 0, 0, 2, -0.5, 0, 0.2, 0, 0, 0, 0}, at[3], end[3];
    CHECK_INT(lb_problem_variable_count(p), 14);
    for (int side = 0; side < 2; side++) {
        hand(&c, side ? 0.1 : -0.1, 0);
        c.figure = side;
        c.goal.carrier_figure = 2;
        c.goal.carrier_segment = 0;
        REQUIRE(lb_problem_add(p, &c) > 0);
    }
    lb_constraint_defaults(&c);
    c.figure = 2;
    c.goal.kind = LB_GOAL_FRAME;
    c.goal.point[0] = 0.05;
    c.goal.point[1] = 0.3;
    c.goal.point[2] = 0.1;
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    position_of(left, pose, "hand", at);
    position_of(box, pose + 8, "left", end);
    for (int i = 0; i < 3; i++) CHECK_NEAR(at[i], end[i], 2e-5);
    position_of(right, pose + 4, "hand", at);
    position_of(box, pose + 8, "right", end);
    for (int i = 0; i < 3; i++) CHECK_NEAR(at[i], end[i], 2e-5);
    CHECK_NEAR(end[0], 0.15, 3e-5);
    lb_problem_destroy(p);
    lb_figure_destroy(left);
    lb_figure_destroy(right);
    lb_figure_destroy(box);
}

/* Two arms shake hands: both move. */
static void shaking_hands(void) {
    lb_figure *one = placed_arm(0), *other = placed_arm(0.7);
    lb_problem *p = lb_problem_create(one);
    lb_constraint c;
    lb_result result;
    double pose[8] = {0, 0, 0.8, 0.8, 0, 0, 2.5, -0.8}, before[8], at[3], there[3];
    CHECK_INT(lb_problem_add_figure(p, other), 1);
    memcpy(before, pose, sizeof pose);
    hand(&c, 0.2, 0);
    c.goal.carrier_figure = 1;
    c.goal.carrier_segment = 2; /* at the other's hand */
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    position_of(one, pose, "hand", at);
    position_of(other, pose + 4, "hand", there);
    for (int i = 0; i < 3; i++) CHECK_NEAR(at[i], there[i], 2e-5);
    CHECK(memcmp(pose, before, 4 * sizeof *pose) != 0 && memcmp(pose + 4, before + 4, 4 * sizeof *pose) != 0);
    lb_problem_destroy(p);
    lb_figure_destroy(one);
    lb_figure_destroy(other);
}

/* --- Over time, turns, several answers ------------------------------------------------------------------------------------------------- */

/* A goal goes round a circle: solved in every frame, and no joint jumps; the shoulder goes round with it, turn after turn. */
static void tracking(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.35, 0);
    lb_solver *solver = lb_solver_create(p);
    lb_solve_options options;
    lb_result result;
    double pose[2] = {-0.5, 1}, start;
    lb_solve_options_defaults(&options);
    options.tracking = 1;
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    start = pose[0];
    for (int i = 1; i <= 400; i++) {
        double before[2] = {pose[0], pose[1]}, angle = 4 * M_PI * i / 400;
        lb_frame to;
        lb_frame_identity(&to);
        to.position[0] = 0.35 * cos(angle);
        to.position[1] = 0.35 * sin(angle);
        CHECK_INT(lb_problem_move_goal(p, 1, &to), LB_OK);
        CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        check_note("frame %d", i);
        CHECK(fabs(pose[0] - before[0]) < 0.1 && fabs(pose[1] - before[1]) < 0.1);
    }
    check_note("%s", "");
    CHECK_NEAR(pose[0] - start, 4 * M_PI, 1e-3);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* The answer is given in the turn of the start. */
static void unwrapped(void) {
    lb_figure *figure = planar_arm();
    const double starts[4] = {3, -3, 40, -200};
    for (int i = 0; i < 4; i++) {
        lb_problem *p = reach(figure, 0.5 * cos(3.3), 0.5 * sin(3.3));
        lb_constraint c = *lb_problem_constraint(p, 0);
        double pose[2] = {starts[i], 2};
        lb_result result;
        c.tolerance[0] = c.tolerance[1] = 1e-3;
        CHECK_INT(lb_problem_change(p, 1, &c), LB_OK);
        CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK(fabs(pose[0] - starts[i]) <= M_PI);
        lb_problem_destroy(p);
    }
    lb_figure_destroy(figure);
}

static double far_from(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) sum += (a[i] - b[i]) * (a[i] - b[i]);
    return sqrt(sum);
}

static void both_elbows(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.3, 0.2);
    lb_solver *solver = lb_solver_create(p);
    double start[2] = {0.1, 0.4}, poses[5][2];
    int found;
    lb_result result;
    CHECK_INT(lb_solver_solve_all(solver, NULL, start, 0.01, 5, poses[0], &found, &result), LB_OK);
    CHECK_INT(found, 2);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_NEAR(fabs(poses[0][1]), M_PI / 2, 1e-3);
    CHECK_NEAR(poses[0][1] + poses[1][1], 0, 1e-3);
    CHECK(far_from(poses[0], start, 2) <= far_from(poses[1], start, 2));
    CHECK_INT(lb_solver_solve_all(solver, NULL, start, 0.01, 1, poses[0], &found, &result), LB_OK); /* the nearest alone */
    CHECK_INT(found, 1);
    CHECK(poses[0][1] > 0);
    CHECK_INT(lb_solver_solve_all(solver, NULL, start, 0.01, 0, poses[0], &found, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve_all(solver, NULL, start, -1, 1, poses[0], &found, &result), LB_ERROR_ARGUMENT);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* Six revolute joints, the last three through one point: eight answers (Pieper), each found and each true. */
static void six_joints(void) {
    lb_builder *b = lb_builder_create(NULL);
    const lb_dh_row rows[6] = {{NULL, 0, M_PI / 2, 0.4, 0, 0, -INFINITY, INFINITY},    {NULL, 0.4, 0, 0, 0, 0, -INFINITY, INFINITY},
                               {NULL, 0.05, -M_PI / 2, 0.1, 0, 0, -INFINITY, INFINITY}, {NULL, 0, M_PI / 2, 0.4, 0, 0, -INFINITY, INFINITY},
                               {NULL, 0, -M_PI / 2, 0, 0, 0, -INFINITY, INFINITY},      {NULL, 0, 0, 0.1, 0, 0, -INFINITY, INFINITY}};
    int base = arm_segment(b, "base", 0), site = arm_site(b, base, "mount", 0), last = lb_builder_add_dh_chain(b, site, LB_DH_STANDARD, 6, rows);
    REQUIRE(last > 0);
    lb_figure *figure = arm_finish(b);
    lb_problem *p = lb_problem_create(figure);
    lb_solver *solver = lb_solver_create(p);
    lb_kinematics *k = lb_kinematics_create(figure);
    lb_solve_options options;
    lb_constraint c;
    lb_result result;
    lb_effector tool;
    double target[6] = {0.4, 0.7, -0.6, 0.5, 0.9, -0.3}, start[6] = {0.3, 0.6, -0.5, 0.4, 0.8, -0.2}, poses[12][6], e[9], there[9];
    int found;
    REQUIRE(lb_effector_from_segment(figure, last, &tool) == LB_OK && lb_kinematics_update(k, target) == LB_OK);
    REQUIRE(lb_kinematics_effector(k, &tool, e) == LB_OK);
    lb_constraint_defaults(&c);
    c.effector = tool;
    c.goal.kind = LB_GOAL_FRAME;
    memcpy(c.goal.point, e, sizeof c.goal.point);
    memcpy(c.goal.x, e + 3, sizeof c.goal.x);
    memcpy(c.goal.y, e + 6, sizeof c.goal.y);
    REQUIRE(lb_problem_add(p, &c) > 0);
    lb_solve_options_defaults(&options);
    options.restarts = 400;
    options.max_evaluations = 1000000;
    CHECK_INT(lb_solver_solve_all(solver, &options, start, 0.01, 12, poses[0], &found, &result), LB_OK);
    CHECK_INT(found, 8);
    for (int i = 0; i < found; i++) {
        CHECK_INT(lb_kinematics_update(k, poses[i]), LB_OK);
        CHECK_INT(lb_kinematics_effector(k, &tool, there), LB_OK);
        for (int j = 0; j < 9; j++) CHECK_NEAR(there[j], e[j], 3e-5);
        for (int j = 0; j < 6; j++) CHECK(fabs(poses[i][j] - start[j]) <= M_PI + 1e-12);
        if (i) CHECK(far_from(poses[i - 1], start, 6) <= far_from(poses[i], start, 6));
    }
    CHECK_NEAR(far_from(poses[0], target, 6), 0, 1e-3); /* the one that it was made from is the nearest */
    lb_kinematics_destroy(k);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Budgets ------------------------------------------------------------------------------------------------------------------------------ */

typedef struct counter {
    int calls, stop_at;
    double value, step_us, now;
} counter;

static int count_down(void *context, const lb_progress *progress) {
    counter *c = context;
    CHECK_INT(progress->iteration, c->calls + 1);
    CHECK(progress->pose && progress->evaluations > 0 && progress->value >= 0);
    c->value = progress->value;
    return ++c->calls >= c->stop_at;
}

static double fake_clock(void *context) {
    counter *c = context;
    c->calls++;
    return c->now += c->step_us;
}

static void budgets(void) {
    lb_figure *figure = limited_arm();
    lb_problem *p = reach(figure, -0.3, -0.25);
    lb_solver *solver = lb_solver_create(p);
    lb_solve_options options;
    lb_result result, whole;
    double start[2] = {0.5, 0.1}, pose[2];
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &whole), LB_OK);
    CHECK_INT(whole.outcome, LB_OUTCOME_SOLVED);
    REQUIRE(whole.iterations > 3);

    lb_solve_options_defaults(&options);
    options.max_iterations = 2;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK(result.iterations <= 2 && result.value < result.value_before);
    CHECK_HAS(result.explanation, "out of budget");

    lb_solve_options_defaults(&options);
    options.max_evaluations = 3;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK(result.evaluations < 3 + 40 && result.value <= result.value_before);

    counter c = {0, 2, 0, 0, 0};
    lb_solve_options_defaults(&options);
    options.on_iteration = count_down;
    options.on_iteration_context = &c;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(c.calls, 2);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK_NEAR(result.value, c.value, 1e-12);

    counter time = {0, 0, 0, 1000, 5e6}; /* each look at the clock takes a millisecond */
    lb_solve_options_defaults(&options);
    options.now_us = fake_clock;
    options.now_context = &time;
    options.deadline_us = 2500;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK(result.iterations <= 3 && time.calls >= 3);
    options.deadline_us = 1e9;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);

    volatile int cancel = 1;
    lb_solve_options_defaults(&options);
    options.cancel = &cancel;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK(result.iterations <= 1 && result.value <= result.value_before);
    cancel = 0;
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* A start between two ranges' ends leads nowhere; restarts find the answer, the same for the same seed. */
static void restarts(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.lower[0] = -3;
    joint.upper[0] = 3; /* the way round the back is shut */
    REQUIRE(lb_builder_change_joint(b, 0, &joint) == LB_OK);
    lb_figure *figure = arm_finish(b);
    lb_problem *p = reach(figure, 0.5 * cos(-2.9), 0.5 * sin(-2.9));
    lb_solver *solver = lb_solver_create(p);
    lb_solve_options options;
    lb_result result;
    double start[2] = {2.95, 0}, pose[2], again[2];
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM); /* stuck at the upper limit */
    CHECK_NEAR(pose[0], 3, 0);
    double stuck = result.value;
    lb_solve_options_defaults(&options);
    options.restarts = 20;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK(result.restarts > 0 && result.value < 0.1 * stuck);
    memcpy(again, start, sizeof again);
    CHECK_INT(lb_solver_solve(solver, &options, again, &result), LB_OK);
    CHECK(memcmp(pose, again, sizeof pose) == 0);
    options.tracking = 1; /* stays on its branch: no restarts */
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.restarts, 0);
    CHECK_NEAR(result.value, stuck, 1e-12);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Values, refusals, names ------------------------------------------------------------------------------------------------------------------ */

static void value_and_gradient(void) {
    lb_figure *figure = arm_finish(arm_builder("ball", "R(z)*T(x)"));
    lb_problem *p = lb_problem_create(figure);
    lb_constraint c;
    check_random random;
    check_random_seed(&random, 11);
    const lb_goal_kind kinds[] = {LB_GOAL_POSITION, LB_GOAL_ORIENTATION, LB_GOAL_FRAME, LB_GOAL_AIM, LB_GOAL_LINE, LB_GOAL_PLANE};
    for (int i = 0; i < 6; i++) {
        hand(&c, 0.2, 0.1 * i);
        c.goal.kind = kinds[i];
        c.weight = 1 + i;
        c.priority = i % 3;
        if (i == 3) c.effector.segment = 1;
        if (i == 4) c.goal.carrier_segment = 1;
        REQUIRE(lb_problem_add(p, &c) > 0);
    }
    hand(&c, 0, 0);
    lb_effector_from_com(&c.effector);
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_problem_set_posture(p, NULL, 0.3), LB_OK);
    CHECK_INT(lb_problem_set_rigidity(p, 1, 0.4), LB_OK); /* the pose's gradient does not know of scaling */
    lb_solver *solver = lb_solver_create(p);
    for (int i = 0; i < 50; i++) {
        double pose[5], gradient[5], value, low, high;
        for (int k = 0; k < 5; k++) pose[k] = check_random_range(&random, -1, 1);
        CHECK_INT(lb_solver_value(solver, pose, &value, gradient), LB_OK);
        for (int k = 0; k < 5; k++) {
            double at = pose[k];
            pose[k] = at + 1e-5;
            CHECK_INT(lb_solver_value(solver, pose, &high, NULL), LB_OK);
            pose[k] = at - 1e-5;
            CHECK_INT(lb_solver_value(solver, pose, &low, NULL), LB_OK);
            pose[k] = at;
            CHECK_NEAR(gradient[k], (high - low) / 2e-5, 1e-7 * (1 + fabs(gradient[k])));
        }
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static double never_a_number(void *context, const double e[9], double gradient[9]) {
    (void)context;
    for (int i = 0; i < 9; i++) gradient[i] = e[i];
    return NAN;
}

static void refusals(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.3, 0.2);
    lb_solver *solver = lb_solver_create(p);
    lb_solve_options options;
    lb_constraint c;
    lb_result result;
    double pose[2] = {NAN, 0.5}, good[2] = {0.1, 0.5}, value;
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(result.outcome, LB_OUTCOME_INVALID);
    CHECK_HAS(result.explanation, "start pose has a value that is not finite");
    CHECK(pose[1] == 0.5);
    CHECK_INT(lb_solver_value(solver, pose, &value, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve(NULL, NULL, good, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve(solver, NULL, NULL, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve(solver, NULL, good, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solve(NULL, NULL, good, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_prepare(solver, (lb_method)99), LB_ERROR_ARGUMENT);
    lb_solve_options_defaults(&options);
    options.method = (lb_method)99;
    CHECK_INT(lb_solver_solve(solver, &options, good, &result), LB_ERROR_ARGUMENT);
    CHECK(good[0] == 0.1 && good[1] == 0.5);
    hand(&c, 0, 0);
    c.goal.kind = LB_GOAL_CUSTOM;
    c.goal.potential = never_a_number;
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solver_solve(solver, NULL, good, &result), LB_ERROR_ARGUMENT);
    CHECK_HAS(result.explanation, "not finite at the start pose");
    CHECK(good[0] == 0.1 && good[1] == 0.5);
    lb_solver_destroy(solver);
    lb_solver_destroy(NULL);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static void names(void) {
    CHECK_TEXT(lb_method_name(LB_METHOD_LM), "lm");
    CHECK_TEXT(lb_method_name(LB_METHOD_FABRIK), "fabrik");
    CHECK_TEXT(lb_method_name((lb_method)77), "unknown");
    for (int i = LB_METHOD_LM; i <= LB_METHOD_FABRIK; i++) CHECK_INT(lb_method_find(lb_method_name((lb_method)i)), i);
    CHECK(lb_method_find("newton") < 0 && lb_method_find(NULL) < 0);
    CHECK_TEXT(lb_outcome_name(LB_OUTCOME_INVALID), "invalid");
    CHECK_TEXT(lb_outcome_name(LB_OUTCOME_SOLVED), "solved");
    CHECK_TEXT(lb_outcome_name(LB_OUTCOME_MINIMUM), "minimum");
    CHECK_TEXT(lb_outcome_name(LB_OUTCOME_BUDGET), "budget");
    CHECK_TEXT(lb_outcome_name((lb_outcome)9), "unknown");
}

/* A start outside its limits is moved in first; nothing asked leaves it there. */
static void start_outside(void) {
    lb_figure *figure = limited_arm();
    lb_problem *p = lb_problem_create(figure);
    lb_result result;
    double pose[2] = {0.3, -0.5};
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK(pose[0] == 0.3 && pose[1] == 0);
    lb_problem_destroy(p);
    p = reach(figure, 0.3, 0.2);
    pose[1] = 9;
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    /* value_before is that of the pose moved in, not of the one given */
    double at[3], inside[2] = {0.3, 142 * DEGREES};
    position_of(figure, inside, "hand", at);
    CHECK_NEAR(result.value_before, (at[0] - 0.3) * (at[0] - 0.3) + (at[1] - 0.2) * (at[1] - 0.2), 1e-12);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

int main(void) {
    two_links();
    out_of_reach();
    a_limit_blocks();
    on_the_axis();
    levels();
    lower_never_costs();
    either_handle();
    custom_goal();
    two_hands_on_a_box();
    shaking_hands();
    tracking();
    unwrapped();
    both_elbows();
    six_joints();
    budgets();
    restarts();
    value_and_gradient();
    refusals();
    names();
    start_outside();
    return check_done();
}
