/* A person who stands: both feet kept and the centre of mass over them, above all; a hand that follows what it cannot reach. Each
 * step ends at a Kuhn-Tucker point after a few iterations, with feet and balance kept. */
#include "model.h"

#include "check.h"

#include <math.h>
#include <string.h>

#define MOST_VARIABLES 128

static void keep_standing(const model *m, lb_problem *problem, const double *rest) {
    static const char *const soles[4] = {"right_heel", "right_toe", "left_toe", "left_heel"};
    double corners[4][3], faces[4][4];
    lb_constraint c;
    lb_kinematics *kinematics = lb_kinematics_create(m->figure, NULL);
    REQUIRE(kinematics);
    lb_kinematics_update(kinematics, rest);
    for (int i = 0; i < 4; i++) {
        lb_frame frame;
        lb_kinematics_site(kinematics, lb_figure_find_site(m->figure, soles[i]), &frame);
        memcpy(corners[i], frame.position, sizeof corners[i]);
    }
    lb_kinematics_destroy(kinematics);
    REQUIRE(lb_constraint_keep(m->figure, "right_heel", rest, &c) == LB_OK && lb_problem_add(problem, &c) >= 0);
    REQUIRE(lb_constraint_keep(m->figure, "left_heel", rest, &c) == LB_OK && lb_problem_add(problem, &c) >= 0);
    REQUIRE(lb_constraint_balance(4, (const double(*)[3])corners, 0.01, faces, &c) == LB_OK);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
}

/* What holds is met, and what was asked of the hand has come as near as it may. */
static void check_step(const model *m, const lb_result *result, const double *pose, int hand) {
    CHECK(result->outcome == LB_OUTCOME_MINIMUM || result->outcome == LB_OUTCOME_SOLVED);
    CHECK(lb_figure_violation(m->figure, pose) <= 1e-9);
    CHECK(result->gradient_norm <= 1e-8);
    for (int i = 0; i < result->constraint_count; i++) {
        if (result->constraints[i].id == hand) {
            continue;
        }
        CHECK(result->constraints[i].met);
        CHECK(result->constraints[i].distance <= 1e-8);
    }
}

/* G where a solve of its own, without tracking, comes to from a pose. */
static double value_from(lb_problem *problem, const double *start, double *pose) {
    lb_result result;
    lb_result_defaults(&result);
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    options.keep_going = 1;
    REQUIRE(solver);
    memcpy(pose, start, MOST_VARIABLES * sizeof *pose);
    REQUIRE(lb_solver_solve(solver, &options, pose, &result) == LB_OK);
    lb_solver_destroy(solver);
    return result.value;
}

int main(void) {
    model m = open_model("human", NULL);
    lb_problem *problem = lb_problem_create(m.figure, NULL);
    double rest[MOST_VARIABLES] = {0}, pose[MOST_VARIABLES] = {0}, again[MOST_VARIABLES];
    lb_solve_options options;
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    int most = 0, minima = 0;
    REQUIRE(problem && lb_problem_variable_count(problem) <= MOST_VARIABLES);
    lb_figure_rest_pose(m.figure, rest);
    keep_standing(&m, problem, rest);
    REQUIRE(lb_constraint_at(m.figure, "right_palm", (double[]){0, 0, 0}, &c) == LB_OK);
    c.priority = 1;
    int hand = lb_problem_add(problem, &c);
    REQUIRE(hand >= 0);
    lb_solver *solver = lb_solver_create(problem, NULL);
    REQUIRE(solver);
    lb_solve_options_defaults(&options);
    options.tracking = 1;
    memcpy(pose, rest, sizeof pose);
    for (int i = 0; i < 150; i++) { /* ahead, and out of reach from about the hundredth on */
        lb_frame frame = {{0.2 + 0.01 * i, -0.25, 0.9 + 0.004 * i}, {0, 0, 0, 1}};
        check_note("step %d", i);
        REQUIRE(lb_problem_move_goal(problem, hand, &frame) == LB_OK);
        REQUIRE(lb_solver_solve(solver, &options, pose, &result) == LB_OK);
        check_step(&m, &result, pose, hand);
        minima += result.outcome == LB_OUTCOME_MINIMUM;
        if (i > 0 && result.iterations > most) {
            most = result.iterations;
        }
        if (i == 149) {
            CHECK_NEAR(value_from(problem, pose, again), result.value, 1e-8 * result.value);
        }
    }
    check_note("%s", "");
    printf("%d out of reach, at most %d iterations\n", minima, most);
    CHECK(minima > 30);
    CHECK(most <= 30);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    close_model(&m);
    return check_done();
}
