/* Goals that are just opposite to where an effector points - an aim, a direction, a rotation by half a turn - are stationary points that
 * are maxima: they are left, by every method and by bodies, always the same way. */
#include <limber/body.h>
#include <limber/io.h>
#include <limber/solve.h>
#include <math.h>
#include <string.h>

#include "check.h"

#define MOST 512

static lb_figure *load(const char *name) {
    char path[4096];
    lb_figure *figure = NULL;
    lb_error error;
    REQUIRE(check_source(name, path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    return figure;
}

/* A person looks at what is straight behind, and nearly so. */
static void look_behind(const lb_figure *human, const double at[3]) {
    lb_constraint c;
    lb_error error;
    lb_result result;
    double pose[MOST], again[MOST];
    const size_t n = (size_t)lb_figure_variable_count(human);
    lb_problem *problem = lb_problem_create(human, NULL);
    lb_constraint_defaults(&c);
    REQUIRE(lb_figure_find_effector(human, "gaze", &c.effector, &error) == LB_OK);
    c.goal.kind = LB_GOAL_AIM;
    memcpy(c.goal.point, at, sizeof c.goal.point);
    REQUIRE(lb_problem_add(problem, &c) > 0 && lb_problem_set_body(problem, 0, NULL) == LB_OK);
    for (int round = 0; round < 2; round++) {
        lb_result_defaults(&result);
        lb_figure_rest_pose(human, pose);
        REQUIRE(lb_solve(problem, NULL, pose, &result) == LB_OK);
        check_note("%g %g %g: %s", at[0], at[1], at[2], result.explanation);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK(round == 0 || memcmp(pose, again, n * sizeof *pose) == 0);
        memcpy(again, pose, n * sizeof *pose);
    }
    check_note("%s", "");
    lb_problem_destroy(problem);
}

/* An arm's tool is to point to where its back is, or to be turned by half a turn about an axis of its own. */
static void turn_back(const lb_figure *arm, const char *name, lb_method method, const double *start, int kind,
                      int axis) {
    lb_constraint c;
    lb_error error;
    lb_result result;
    lb_solve_options options;
    double pose[MOST], e[9], z[3];
    lb_problem *problem = lb_problem_create(arm, NULL);
    lb_kinematics *k = lb_kinematics_create(arm, NULL);
    lb_constraint_defaults(&c);
    REQUIRE(lb_figure_find_effector(arm, name, &c.effector, &error) == LB_OK);
    lb_kinematics_update(k, start);
    lb_kinematics_effector(k, &c.effector, e);
    z[0] = e[4] * e[8] - e[5] * e[7], z[1] = e[5] * e[6] - e[3] * e[8], z[2] = e[3] * e[7] - e[4] * e[6];
    c.goal.kind = kind == 0 ? LB_GOAL_AIM : LB_GOAL_ORIENTATION;
    const double *turned = axis == 0 ? e + 3 : axis == 1 ? e + 6 : z;
    for (int i = 0; i < 3; i++) {
        c.goal.point[i] = e[i] - e[3 + i];
        c.goal.x[i] = 2 * (axis == 0 ? 1 : 0) * turned[i] - e[3 + i]; /* half a turn about the axis */
        c.goal.y[i] = 2 * (axis == 1 ? 1 : 0) * turned[i] - e[6 + i];
    }
    REQUIRE(lb_problem_add(problem, &c) > 0);
    lb_solve_options_defaults(&options);
    lb_result_defaults(&result);
    options.method = method;
    memcpy(pose, start, (size_t)lb_figure_variable_count(arm) * sizeof *pose);
    lb_solver *solver = lb_solver_create(problem, &error);
    const lb_status status = lb_solver_solve(solver, &options, pose, &result);
    check_note("%s, kind %d, axis %d: %s", lb_method_name(method), kind, axis, result.explanation);
    CHECK(status == LB_ERROR_UNSUPPORTED || (status == LB_OK && result.constraints[0].angle_rad < 2.8));
    check_note("%s", "");
    lb_solver_destroy(solver);
    lb_kinematics_destroy(k);
    lb_problem_destroy(problem);
}

int main(void) {
    static const double sides[] = {0, 1e-12, -1e-6, 0.001, -0.01, 0.03, -0.05, 0.1, -0.2};
    check_random source;
    lb_figure *human = load("models/human.fig"), *arm = load("models/panda.fig");
    check_random_seed(&source, 1800001);
    for (size_t i = 0; i < sizeof sides / sizeof *sides; i++) {
        look_behind(human, (const double[3]){-3, sides[i], 1.6});
    }
    for (int i = 0; i < check_count(2, 40); i++) {
        double start[MOST];
        uint64_t seed = check_random_bits(&source);
        lb_figure_random_pose(arm, &seed, start);
        for (int method = LB_METHOD_LM; method <= LB_METHOD_HIERARCHY; method++) {
            for (int turn = 0; turn < 4; turn++) {
                turn_back(arm, "tool", (lb_method)method, start, turn > 0, turn > 0 ? turn - 1 : 0);
            }
        }
    }
    lb_figure_destroy(human);
    lb_figure_destroy(arm);
    return check_done();
}
