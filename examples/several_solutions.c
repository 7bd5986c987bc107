/*
 * All the ways to do it: a six-joint arm reaches a pose of its tool with the shoulder to the left or right, the elbow
 * up or down, the wrist flipped or not. lb_solver_solve_all looks for distinct answers from random starts (from a seed:
 * the same each time) and hands them out nearest to the start first.
 */
#include <limber/io.h>
#include <limber/solve.h>
#include <math.h>
#include <stdio.h>

enum { WANTED = 16, JOINTS = 6 };

int main(void) {
    double start[JOINTS], poses[WANTED][JOINTS], before = 0;
    int wrong = 0;
    lb_figure *puma;
    lb_frame frame;
    lb_constraint tool;
    lb_result result;
    lb_solve_options options;
    lb_result_defaults(&result);
    if (lb_figure_load("models/puma560.fig", NULL, &puma, NULL) || lb_figure_variable_count(puma) != JOINTS) {
        return 1;
    }

    lb_kinematics *kinematics = lb_kinematics_create(puma, NULL);
    const double known[JOINTS] = {0.3, 0.4, 0.3, 0.4, 0.7, -0.5}; /* a goal that can surely be reached */
    lb_kinematics_update(kinematics, known);
    lb_kinematics_site(kinematics, lb_figure_find_site(puma, "tool"), &frame);

    lb_problem *problem = lb_problem_create(puma, NULL);
    lb_constraint_frame(puma, "tool", &frame, &tool);
    if (lb_problem_add(problem, &tool) < 0) {
        return 1;
    }
    lb_solver *solver = lb_solver_create(problem, NULL);
    lb_solve_options_defaults(&options);
    options.restarts = 400;
    lb_figure_rest_pose(puma, start);
    if (lb_solver_solve_all(solver, &options, start, 0.01, WANTED, poses[0], &result)) {
        return 1;
    }

    const int found = result.answer_count;
    printf("%d distinct answers from %d starts\n", found, result.restarts + 1);
    for (int i = 0; i < found; i++) {
        double distance = 0, value;
        for (int k = 0; k < JOINTS; k++) {
            distance += (poses[i][k] - start[k]) * (poses[i][k] - start[k]);
        }
        wrong += distance < before; /* nearest first */
        before = distance;
        if (lb_solver_value(solver, poses[i], &value, NULL) || value > 1e-8) {
            wrong++;
        }
        printf("%2d: %.2f rad away:", i + 1, sqrt(distance));
        for (int k = 0; k < JOINTS; k++) {
            printf(" %7.1f", poses[i][k] * 57.29578);
        }
        printf(" deg\n");
    }
    lb_kinematics_destroy(kinematics);
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_figure_destroy(puma);
    return wrong || found < 2;
}
