/* Both hands on a bar that is out of reach: there are many minima, some of them poor. Restarts, and the try that ends them, leave
 * the poor ones; following a target that moves, there are none, so that nothing pops. */
#include "model.h"

#include "check.h"

#include <math.h>
#include <string.h>

#define MOST_VARIABLES 128

static lb_problem *bar(const model *m, int instance) {
    lb_problem *problem = lb_problem_create(m->figure, NULL);
    int from = lb_figure_find_joint(m->figure, "L5");
    REQUIRE(problem && from >= 0 && lb_problem_variable_count(problem) <= MOST_VARIABLES);
    for (int v = 0; v < lb_problem_variable_count(problem); v++) {
        if (lb_figure_variable(m->figure, v)->name[0] == 'T') {
            REQUIRE(lb_problem_set_active(problem, v, 0) == LB_OK);
        }
    }
    for (int side = -1; side <= 1; side += 2) {
        lb_constraint c;
        const double at[3] = {1.0 + 0.03 * (instance % 8), 0.22 * side + 0.05 * (instance % 5 - 2),
                              0.55 + 0.05 * (instance % 13)};
        REQUIRE(lb_constraint_at(m->figure, side < 0 ? "right_fingertip" : "left_fingertip", at, &c) == LB_OK);
        c.chain_start = from;
        REQUIRE(lb_problem_add(problem, &c) >= 0);
    }
    return problem;
}

static double solve(const model *m, lb_problem *problem, lb_method method, int restarts, int tracking, double *pose) {
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.method = method;
    options.tracking = tracking;
    options.restarts = restarts;
    lb_figure_rest_pose(m->figure, pose);
    REQUIRE(solver && lb_solver_solve(solver, &options, pose, &result) == LB_OK);
    CHECK(result.outcome == LB_OUTCOME_MINIMUM);
    CHECK(result.gradient_norm <= 1e-9);
    CHECK(lb_figure_violation(m->figure, pose) <= 1e-9);
    lb_solver_destroy(solver);
    return sqrt(result.value);
}

int main(void) {
    model m = open_model("human-spine-free", NULL);
    double pose[MOST_VARIABLES], again[MOST_VARIABLES], above = 0, above_once = 0;
    int better = 0;
    for (int i = 0; i < 24; i++) {
        lb_problem *problem = bar(&m, i);
        check_note("bar %d", i);
        double twice = solve(&m, problem, LB_METHOD_LM, 3, 0, pose),
               once = solve(&m, problem, LB_METHOD_LM, 0, 0, again);
        CHECK(solve(&m, problem, LB_METHOD_LM, 3, 1, again) == once);
        double other = solve(&m, problem, LB_METHOD_BFGS, 0, 0, again);
        better += twice < once - 1e-5;
        above = fmax(above, twice - other);
        above_once = fmax(above_once, once - other);
        CHECK(solve(&m, problem, LB_METHOD_LM, 3, 0, again) == twice); /* the same every time */
        CHECK(memcmp(pose, again, (size_t)lb_problem_variable_count(problem) * sizeof *pose) == 0);
        lb_problem_destroy(problem);
    }
    check_note("%s", "");
    printf("%d of 24 better; above bfgs by at most %.3f mm, %.3f mm without\n", better, 1e3 * above, 1e3 * above_once);
    CHECK(better > 8);
    CHECK(above < 3e-3);
    close_model(&m);
    return check_done();
}
