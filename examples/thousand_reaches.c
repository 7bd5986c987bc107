/*
 * A thousand reaches in one call: the same arm and the same constraint, a thousand places for its tool to go. The
 * answers are the same bits for any number of threads.
 */
#include <limber/io.h>
#include <limber/solve.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { COUNT = 1000, MOST = 16 };

int main(void) {
    static lb_frame goals[COUNT];
    static double poses[COUNT * MOST], again[COUNT * MOST];
    static lb_answer answers[COUNT];
    double start[MOST];
    lb_figure *panda;
    lb_constraint reach;
    lb_solve_options options;
    lb_many many;
    if (lb_figure_load("models/panda.fig", NULL, &panda, NULL)) {
        return EXIT_FAILURE;
    }
    size_t size = COUNT * (size_t)lb_figure_variable_count(panda) * sizeof *poses;
    lb_problem *problem = lb_problem_create(panda, NULL);
    if (!problem || size > sizeof poses || lb_constraint_at(panda, "tool", (double[]){0.4, 0, 0.4}, &reach)) {
        return EXIT_FAILURE;
    }
    int id = lb_problem_add(problem, &reach);
    lb_figure_rest_pose(panda, start);

    for (int i = 0; i < COUNT; i++) { /* ten layers of ten by ten, in front of the arm */
        lb_frame_identity(&goals[i]);
        goals[i].position[0] = 0.25 + 0.06 * (i % 10);
        goals[i].position[1] = -0.45 + 0.1 * (i / 10 % 10);
        goals[i].position[2] = 0.05 + 0.09 * (i / 100);
    }
    lb_solve_options_defaults(&options);
    options.restarts = 20;
    lb_many_defaults(&many);
    many.count = COUNT;
    many.goal_count = 1;
    many.ids = &id;
    many.goals = goals;
    many.starts = start;
    many.one_start = 1;
    many.threads = 2;
    if (lb_solve_many(problem, &options, &many, poses, answers, NULL)) {
        return EXIT_FAILURE;
    }

    int solved = 0;
    for (int i = 0; i < COUNT; i++) {
        solved += answers[i].outcome == LB_OUTCOME_SOLVED;
    }
    many.threads = 1;
    int failed = lb_solve_many(problem, &options, &many, again, NULL, NULL) != LB_OK;
    int same = memcmp(poses, again, size) == 0;
    printf("%d of %d places can be reached; with one thread: %s\n", solved, COUNT,
           same ? "the same bits" : "DIFFERENT ANSWERS");
    lb_problem_destroy(problem);
    lb_figure_destroy(panda);
    return failed || !same ? EXIT_FAILURE : EXIT_SUCCESS;
}
