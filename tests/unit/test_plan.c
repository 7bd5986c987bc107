/* A solver plans once and follows whatever changes in its problem: it answers as one that was made for the change, to
 * the bit. */
#include "check.h"
#include "reach.h"

/* Three turns about z, the first two limited together, on a root that is free to move. */
static lb_figure *three_turns(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_limit limit = {"both", LB_LIMIT_AT_MOST, 2, (lb_dof_ref[]){{0, 0, -1}, {1, 0, -1}}, (double[]){1, 0.5}, 1.1};
    lb_root root;
    REQUIRE(arm_segment(b, "hand", 1) == 3 && arm_site(b, 3, "base", 0) == 5 && arm_site(b, 3, "tip", 0.1) == 6);
    REQUIRE(arm_joint(b, "wrist", 4, 5, "R(z)") == 2);
    REQUIRE(lb_builder_add_limit(b, &limit) >= 0);
    lb_root_defaults(&root);
    root.is_free = 1;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    return arm_finish(b);
}

/* The kept solver against a fresh one. */
static void same(lb_problem *p, lb_solver *kept, const double *start, const char *after) {
    double mine[9], fresh[9];
    lb_result a, b;
    lb_result_defaults(&a);
    lb_result_defaults(&b);
    lb_solver *solver = lb_solver_create(p, NULL);
    REQUIRE(solver && lb_problem_variable_count(p) == 9);
    memcpy(mine, start, sizeof mine);
    memcpy(fresh, start, sizeof fresh);
    check_note("after %s", after);
    CHECK_INT(lb_solver_solve(kept, NULL, mine, &a), lb_solver_solve(solver, NULL, fresh, &b));
    CHECK(memcmp(mine, fresh, sizeof mine) == 0);
    CHECK_INT(a.outcome, b.outcome);
    CHECK(a.value == b.value && a.value_before == b.value_before && a.gradient_norm == b.gradient_norm);
    CHECK_INT(a.iterations, b.iterations);
    CHECK_INT(a.limit_count, b.limit_count);
    CHECK_INT(a.constraint_count, b.constraint_count);
    lb_solver_destroy(solver);
}

int main(void) {
    lb_figure *figure = three_turns();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solver *kept = lb_solver_create(p, NULL);
    lb_constraint tip, elbow;
    lb_frame to;
    double start[9] = {0}, posture[9] = {0, 0, 0, 0, 0, 0, 0.3, 0.2, 0.1};
    REQUIRE(p && kept);
    start[6] = 0.3, start[7] = 0.4, start[8] = -0.2;
    same(p, kept, start, "nothing");
    REQUIRE(lb_constraint_at(figure, "hand.tip", (double[]){0.2, 0.4, 0}, &tip) == LB_OK);
    int first = lb_problem_add(p, &tip);
    same(p, kept, start, "a goal");
    CHECK_INT(lb_problem_set_root_active(p, 0, 0), LB_OK);
    same(p, kept, start, "the root held");
    lb_frame_identity(&to);
    for (int i = 0; i < 8; i++) {
        to.position[0] = 0.1 + 0.08 * i;
        to.position[1] = 0.4 - 0.05 * i;
        CHECK_INT(lb_problem_move_goal(p, first, &to), LB_OK);
        same(p, kept, start, "a move");
    }
    REQUIRE(lb_constraint_at(figure, "lower.hand", (double[]){0.3, 0.2, 0}, &elbow) == LB_OK);
    int second = lb_problem_add(p, &elbow);
    same(p, kept, start, "another goal");
    CHECK_INT(lb_problem_set_weight(p, second, 7), LB_OK);
    same(p, kept, start, "a weight");
    CHECK_INT(lb_problem_set_active(p, 6, 0), LB_OK);
    same(p, kept, start, "a variable held that a limit is over");
    for (int i = 0; i < 6; i++) { /* what is held bends the limit of what is not, each time elsewhere */
        start[6] = -0.6 + 0.3 * i;
        same(p, kept, start, "another start of it");
    }
    CHECK_INT(lb_problem_set_rigidity(p, 7, 0.5), LB_OK);
    same(p, kept, start, "a rigidity");
    CHECK_INT(lb_problem_enable(p, second, 0), LB_OK);
    same(p, kept, start, "one off");
    CHECK_INT(lb_problem_enable(p, second, 1), LB_OK);
    same(p, kept, start, "it on again");
    CHECK_INT(lb_problem_set_active(p, 6, 1), LB_OK);
    same(p, kept, start, "the variable free again");
    CHECK_INT(lb_problem_set_joint_active(p, 0, 2, 0), LB_OK);
    same(p, kept, start, "a joint held");
    CHECK_INT(lb_problem_set_posture(p, posture, 1e-3), LB_OK);
    same(p, kept, start, "a posture");
    CHECK_INT(lb_problem_set_stay(p, 1e-3), LB_OK);
    same(p, kept, start, "a wish to stay");
    CHECK_INT(lb_problem_set_margin(p, 0.1, 1e-3), LB_OK);
    same(p, kept, start, "a margin");
    elbow.priority = 1;
    CHECK_INT(lb_problem_change(p, second, &elbow), LB_OK);
    same(p, kept, start, "another priority");
    elbow.chain_start = 2;
    CHECK_INT(lb_problem_change(p, second, &elbow), LB_ERROR_ARGUMENT);
    same(p, kept, start, "a chain that cannot be");
    elbow.chain_start = 1;
    CHECK_INT(lb_problem_change(p, second, &elbow), LB_OK);
    same(p, kept, start, "a chain that can");
    same(p, kept, start, "the same again");
    CHECK_INT(lb_problem_remove(p, second), LB_OK);
    same(p, kept, start, "its end");
    lb_solver_destroy(kept);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
    return check_done();
}
