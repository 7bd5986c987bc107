/* Solving, where the answer is known: closed forms, limits in the way, levels, alternatives, goals that figures carry.
 */
#include "check.h"
#include "reach.h"

/* --- Closed forms -------------------------------------------------------------------------------- */

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
        lb_result_defaults(&result);
        check_note("goal %d", i);
        for (int k = 0; k < 3; k++) {
            c.tolerance[k] = 1e-9;
        }
        CHECK_INT(lb_problem_change(p, 1, &c), LB_OK);
        lb_solve_options_defaults(&options);
        options.gradient_tolerance = 1e-12; /* so near the gradient is as small as the tolerance */
        CHECK_INT(lb_solve(p, &options, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK_NEAR(fabs(pose[1]), fabs(elbow), 1e-8); /* bent either way */
        if (pose[1] * elbow < 0) {
            shoulder = 2 * atan2(g[1], g[0]) - shoulder;
        }
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
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[2] = {0.1, 1};
    lb_result result;
    lb_result_defaults(&result);
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
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[2] = {0, 1};
    lb_result result;
    lb_result_defaults(&result);
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
    CHECK_HAS(result.explanation, "limit (142 deg)");
    CHECK_HAS(result.explanation, "hand 3.1 cm short");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* A straight chain whose goal lies on its own axis: the gradient is zero, but it is not stuck. */
static void on_the_axis(void) {
    for (int links = 2; links <= 6; links++) {
        lb_builder *b = lb_builder_create(NULL, NULL);
        int last = -1;
        for (int i = 0; i <= links; i++) {
            char name[16], joint[16];
            snprintf(name, sizeof name, "link%d", i);
            snprintf(joint, sizeof joint, "joint%d", i);
            int segment = arm_segment(b, name, 1), base = arm_site(b, segment, "base", 0),
                tip = arm_site(b, segment, "tip", i ? 0.2 : 0);
            if (i) {
                arm_joint(b, joint, last, base, "R(z)");
            }
            last = tip;
        }
        lb_figure *figure = arm_finish(b);
        for (int inward = 0; inward < 2; inward++) {
            lb_problem *p = lb_problem_create(figure, NULL);
            lb_constraint c;
            lb_result result;
            lb_result_defaults(&result);
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

/* --- Several goals ------------------------------------------------------------------------------- */

/* The hand first, the elbow as near as that lets it: on a ball joint the elbow goes round a circle about the line from
 * the shoulder to the hand; the nearest of it to the elbow's goal is known. */
static void levels(void) {
    lb_figure *figure = arm_finish(arm_builder("ball", "R(z)"));
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
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
        double x = check_random_range(&random, -0.8, 0.8), y = check_random_range(&random, -0.8, 0.8),
               start[2] = {0.3, 0.7};
        lb_problem *p = reach(figure, x, y);
        lb_solver *solver = lb_solver_create(p, NULL);
        lb_constraint c;
        lb_result result;
        lb_result_defaults(&result);
        double alone[2] = {start[0], start[1]}, both[2] = {start[0], start[1]};
        CHECK_INT(lb_solver_solve(solver, NULL, alone, &result), LB_OK);
        double value = result.constraints[0].value;
        hand(&c, check_random_range(&random, -1, 1), check_random_range(&random, -1, 1));
        c.priority = 5;
        c.weight = 1000;
        REQUIRE(lb_problem_add(p, &c) > 0);
        CHECK_INT(lb_solver_solve(solver, NULL, both, &result), LB_OK);
        check_note("case %d", i);
        /* what is met may be anywhere in its tolerance: 1e-5 along each axis */
        CHECK(result.constraints[0].value <= value * (1 + 1e-9) + 3e-10);
        lb_solver_destroy(solver);
        lb_problem_destroy(p);
    }
    check_note("%s", "");
    lb_figure_destroy(figure);
}

static void either_handle(void) {
    lb_figure *figure = planar_arm();
    for (int side = 0; side < 2; side++) {
        lb_problem *p = lb_problem_create(figure, NULL);
        lb_solver *solver = lb_solver_create(p, NULL);
        lb_constraint c;
        lb_result result;
        lb_result_defaults(&result);
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
    for (int i = 0; i < 9; i++) {
        gradient[i] = 0;
    }
    gradient[0] = -4 * off * e[0];
    gradient[1] = 2 * off;
    return off * off;
}

static void custom_goal(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
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

/* --- Relative goals, several figures ------------------------------------------------------------- */

/* A figure of one segment whose root is free. */
static lb_figure *free_box(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
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
    lb_problem *p = lb_problem_create(left, NULL);
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
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
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(at[i], end[i], 2e-5);
    }
    position_of(right, pose + 4, "hand", at);
    position_of(box, pose + 8, "right", end);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(at[i], end[i], 2e-5);
    }
    CHECK_NEAR(end[0], 0.15, 3e-5);
    lb_problem_destroy(p);
    lb_figure_destroy(left);
    lb_figure_destroy(right);
    lb_figure_destroy(box);
}

/* Two arms shake hands: both move. */
static void shaking_hands(void) {
    lb_figure *one = placed_arm(0), *other = placed_arm(0.7);
    lb_problem *p = lb_problem_create(one, NULL);
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
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
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(at[i], there[i], 2e-5);
    }
    CHECK(memcmp(pose, before, 4 * sizeof *pose) != 0 && memcmp(pose + 4, before + 4, 4 * sizeof *pose) != 0);
    lb_problem_destroy(p);
    lb_figure_destroy(one);
    lb_figure_destroy(other);
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
    return check_done();
}
