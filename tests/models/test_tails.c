/* Goals out of reach end at a Kuhn-Tucker point after tens of iterations: no hundred-iteration tails. */
#include "model.h"

#include "check.h"

#include <math.h>

#define MOST_VARIABLES 128

int main(void) {
    model m = open_model("human-spine-free", NULL);
    int most = 0;
    for (int i = 0; i < 24; i++) {
        lb_problem *problem = lb_problem_create(m.figure, NULL);
        lb_constraint c;
        lb_result result;
        lb_result_defaults(&result);
        double pose[MOST_VARIABLES], right[3] = {0.9 + 0.05 * (i % 4), -0.6 + 0.1 * (i % 6), 0.7 + 0.09 * (i % 11)},
                                     left[3] = {right[0], right[1] + 0.4, right[2]};
        REQUIRE(problem && lb_problem_variable_count(problem) <= MOST_VARIABLES);
        REQUIRE(lb_problem_set_root_active(problem, 0, 0) == LB_OK);
        REQUIRE(lb_constraint_at(m.figure, "right_palm", right, &c) == LB_OK && lb_problem_add(problem, &c) >= 0);
        REQUIRE(lb_constraint_at(m.figure, "left_palm", left, &c) == LB_OK && lb_problem_add(problem, &c) >= 0);
        lb_figure_rest_pose(m.figure, pose);
        check_note("goal %d", i);
        REQUIRE(lb_solve(problem, NULL, pose, &result) == LB_OK);
        CHECK(result.outcome == LB_OUTCOME_MINIMUM || result.outcome == LB_OUTCOME_SOLVED);
        if (result.outcome == LB_OUTCOME_MINIMUM) {
            CHECK(result.gradient_norm <= 1e-9);
        }
        CHECK(lb_figure_violation(m.figure, pose) <= 1e-9);
        if (result.iterations > most) {
            most = result.iterations;
        }
        lb_problem_destroy(problem);
    }
    check_note("%s", "");
    printf("at most %d iterations\n", most);
    CHECK(most <= 100);
    close_model(&m);
    return check_done();
}
