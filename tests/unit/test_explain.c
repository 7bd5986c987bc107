/* Reasons where they are known: closed forms of a small arm, goals that pull, an obstacle; and the freedom that goals leave,
 * on the examples of Korein and Badler (1982). */
#include "check.h"
#include "reach.h"

static lb_result explain(lb_solver *solver, double *pose) {
    lb_result result;
    lb_result_defaults(&result);
    REQUIRE(lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
    CHECK_INT(result.reason_count, 0);
    CHECK_INT(result.freedom.determinacy, LB_DETERMINACY_UNKNOWN);
    REQUIRE(lb_solver_explain(solver, NULL, pose, &result) == LB_OK);
    return result;
}

/* A goal too near the shoulder for the elbow: the law of cosines tells by how much the elbow has to give way. */
static void a_limit(void) {
    lb_figure *figure = limited_arm();
    double limit = 142 * DEGREES, r = sqrt(0.09 + 0.04 + 0.12 * cos(limit)), d = r - 0.031, pose[2] = {0, 1};
    lb_problem *p = reach(figure, d, 0);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_result result = explain(solver, pose);
    double wanted = acos((d * d - 0.09 - 0.04) / 0.12) - limit;
    CHECK_INT(result.unmet, 0);
    CHECK_INT(result.reason_count, 1);
    const lb_reason *reason = &result.reasons[0];
    CHECK_INT(reason->kind, LB_REASON_LIMIT);
    CHECK(reason->variable == 1 && reason->is_upper == 1 && reason->constraint == -1 && reason->row == -1);
    CHECK_TEXT(reason->name, "elbow");
    CHECK_NEAR(reason->give, wanted, 1e-3);
    CHECK(reason->reached && reason->share == 1);
    CHECK_NEAR(reason->gain, 0.031, 1e-5);
    CHECK_HAS(result.explanation, "hand 3.1 cm short; elbow at its upper limit (142 deg): ");
    CHECK_HAS(result.explanation, "deg more would reach it");
    CHECK_INT(result.freedom.determinacy, LB_DETERMINACY_OVER);
    CHECK(result.freedom.freedoms == 1 && result.freedom.variables == 2 && result.freedom.equations == 2);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static void beyond_the_arm(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 3, 4);
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[2] = {0.1, 1};
    lb_result result = explain(solver, pose);
    CHECK_INT(result.reason_count, 1);
    CHECK_INT(result.reasons[0].kind, LB_REASON_DISTANCE);
    CHECK_NEAR(result.reasons[0].give, 4.5, 1e-9);
    CHECK(result.reasons[0].reached);
    CHECK_HAS(result.explanation, "hand 4.5 m short; 4.5 m of it beyond the arm's length");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* A goal in the hole of the ring that a 0.3 and a 0.2 link reach: nothing alone would help, and it is said. */
static void in_the_hole(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.04, 0.03);
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[2] = {0.1, 2};
    lb_result result = explain(solver, pose);
    CHECK_INT(result.reason_count, 0);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_HAS(result.explanation, "no limit in the way: hand 5 cm short");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* Two goals for one hand, of equal weight: each is what keeps the other from it. The first is named. */
static void another_goal(int priority) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.3, 0.2);
    lb_constraint other;
    hand(&other, 0.3, -0.2);
    other.name = "other";
    other.priority = 1 - priority;
    lb_constraint first = *lb_problem_constraint(p, 0);
    first.priority = 1;
    REQUIRE(lb_problem_change(p, 1, &first) == LB_OK && lb_problem_add(p, &other) == 2);
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[2] = {0.2, 1};
    lb_result result = explain(solver, pose);
    CHECK_INT(result.unmet, priority ? 0 : result.unmet);
    CHECK(result.unmet >= 0 && result.reason_count >= 1);
    const lb_reason *reason = &result.reasons[0];
    CHECK_INT(reason->kind, LB_REASON_GOAL);
    CHECK_INT(reason->constraint, 1 - result.unmet);
    CHECK(reason->reached);
    CHECK_HAS(result.explanation, "goal pulls the other way: being without it would reach it");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* The goal lies in a ball that the hand has to keep out of, a wall that weighs much more. */
static void an_obstacle(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.35, 0.1);
    lb_constraint ball;
    hand(&ball, 0.35, 0.12);
    ball.name = "ball";
    ball.goal.kind = LB_GOAL_SPHERE;
    ball.goal.outside = 1;
    ball.goal.size[0] = 0.1;
    ball.weight = 100;
    REQUIRE(lb_problem_add(p, &ball) == 2);
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[2] = {-0.3, 0.8};
    lb_result result = explain(solver, pose);
    CHECK_INT(result.unmet, 0);
    REQUIRE(result.reason_count >= 1);
    CHECK_INT(result.reasons[0].kind, LB_REASON_OBSTACLE);
    CHECK_INT(result.reasons[0].constraint, 1);
    CHECK(result.reasons[0].reached);
    CHECK_NEAR(result.reasons[0].give, 0.08, 1e-4); /* metres inside */
    CHECK_HAS(result.explanation, "ball is in the way: being without it would reach it");
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Freedom -------------------------------------------------------------------------------------------------------- */

/* KB82's planar chain of so many links, in a plane that is tilted. */
static lb_figure *chain(int links) {
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
    lb_root root;
    lb_root_defaults(&root);
    root.placement.rotation[0] = 0.3;
    root.placement.rotation[1] = 0.4;
    root.placement.rotation[2] = 0.1;
    root.placement.rotation[3] = sqrt(1 - 0.26);
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    return arm_finish(b);
}

static void planar_chains(void) {
    static const struct {
        int links, equations, rank, redundancy;
        lb_determinacy determinacy;
    } wanted[] = {{1, 2, 1, 0, LB_DETERMINACY_OVER},
                  {2, 2, 2, 0, LB_DETERMINACY_PERFECT},
                  {3, 2, 2, 1, LB_DETERMINACY_UNDER},
                  {6, 2, 2, 4, LB_DETERMINACY_UNDER}};
    for (int i = 0; i < 4; i++) {
        int links = wanted[i].links;
        lb_figure *figure = chain(links);
        lb_problem *p = lb_problem_create(figure, NULL);
        lb_kinematics *k = lb_kinematics_create(figure, NULL);
        double there[6] = {0.3, 0.5, -0.4, 0.6, 0.2, -0.3}, pose[6] = {0.2, 0.3, 0.1, 0.2, 0.1, 0.2};
        lb_constraint c;
        lb_constraint_defaults(&c);
        c.effector.segment = links;
        c.effector.point[0] = 0.2;
        double e[9];
        lb_kinematics_update(k, there);
        lb_kinematics_effector(k, &c.effector, e);
        memcpy(c.goal.point, e, sizeof c.goal.point);
        REQUIRE(lb_problem_add(p, &c) == 1);
        lb_solver *solver = lb_solver_create(p, NULL);
        lb_result result = explain(solver, pose);
        check_note("%d links", links);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK_INT(result.freedom.variables, links);
        CHECK_INT(result.freedom.freedoms, links);
        CHECK_INT(result.freedom.equations, wanted[i].equations);
        CHECK_INT(result.freedom.rank, wanted[i].rank);
        CHECK_INT(result.freedom.redundancy, wanted[i].redundancy);
        CHECK_INT(result.freedom.determinacy, wanted[i].determinacy);
        CHECK_TEXT(lb_determinacy_name(result.freedom.determinacy), lb_determinacy_name(wanted[i].determinacy));
        lb_solver_destroy(solver);
        lb_kinematics_destroy(k);
        lb_problem_destroy(p);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* --- Manners -------------------------------------------------------------------------------------------------------- */

static double ticks(void *context) { return *(double *)context += 1; }

/* Explaining changes neither the pose nor the next solve, keeps its deadline, and says what is wrong with its arguments. */
static void manners(void) {
    lb_figure *figure = limited_arm();
    lb_problem *p = reach(figure, 0.1, 0.02);
    lb_solver *solver = lb_solver_create(p, NULL), *fresh = lb_solver_create(p, NULL);
    double pose[2] = {0, 1}, kept[2], again[2] = {0.5, 0.3}, other[2] = {0.5, 0.3}, bad[2] = {NAN, 0}, now = 0;
    lb_result result, first, second;
    lb_solve_options options;
    lb_result_defaults(&result);
    lb_result_defaults(&first);
    lb_result_defaults(&second);
    REQUIRE(lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
    memcpy(kept, pose, sizeof pose);
    CHECK_INT(lb_solver_explain(solver, NULL, pose, &result), LB_OK);
    CHECK(memcmp(kept, pose, sizeof pose) == 0);
    CHECK(result.reason_count > 0);
    CHECK_INT(lb_solver_solve(solver, NULL, again, &first), LB_OK);
    CHECK_INT(lb_solver_solve(fresh, NULL, other, &second), LB_OK);
    CHECK(memcmp(again, other, sizeof again) == 0 && first.value == second.value);
    CHECK(first.evaluations == second.evaluations && first.iterations == second.iterations);
    lb_solve_options_defaults(&options);
    options.deadline_us = 1;
    options.now_us = ticks;
    options.now_context = &now;
    CHECK_INT(lb_solver_explain(solver, &options, pose, &result), LB_OK); /* late at once: nothing is tried */
    CHECK_INT(result.reason_count, 0);
    CHECK_HAS(result.explanation, "hand");
    CHECK_INT(lb_solver_explain(NULL, NULL, pose, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_explain(solver, NULL, NULL, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_explain(solver, NULL, pose, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_explain(solver, NULL, bad, &result), LB_ERROR_ARGUMENT);
    CHECK_TEXT(lb_reason_name(LB_REASON_OBSTACLE), "obstacle");
    CHECK_TEXT(lb_reason_name((lb_reason_kind)99), "unknown");
    CHECK_TEXT(lb_determinacy_name((lb_determinacy)-1), "unknown");
    lb_solver_destroy(fresh);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

int main(void) {
    a_limit();
    beyond_the_arm();
    in_the_hole();
    another_goal(0);
    another_goal(1);
    an_obstacle();
    planar_chains();
    manners();
    return check_done();
}
