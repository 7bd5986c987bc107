/*
 * One figure, many threads. A figure never changes, so all threads share it; what changes - a problem whose goals move,
 * a solver - belongs to one thread. Nothing is locked, and the answers are the same bits for any number of threads:
 * each is compared with the one that a single thread found.
 *
 * (A problem that nobody changes may be shared too: solvers only read it.)
 */
#include <limber/io.h>
#include <limber/solve.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { THREADS = 4, GOALS = 240, MOST = 16 };

typedef struct job {
    const lb_figure *figure;
    int first, step; /* goals first, first + step, ... are this thread's */
    double (*poses)[MOST];
    int solved, failed;
} job;

/* Goal number i on a grid in front of the robot. */
static void goal_point(int i, double point[3]) {
    point[0] = 0.30 + 0.05 * (i % 6);
    point[1] = -0.35 + 0.1 * (i / 6 % 8);
    point[2] = 0.20 + 0.15 * (i / 48);
}

static void *work(void *argument) {
    job *j = argument;
    lb_constraint reach;
    lb_result result;
    lb_result_defaults(&result);
    lb_problem *problem = lb_problem_create(j->figure, NULL);
    j->failed = !problem || lb_constraint_at(j->figure, "tool", (double[]){0, 0, 0}, &reach) != LB_OK;
    int id = j->failed ? -1 : lb_problem_add(problem, &reach);
    lb_solver *solver = id < 0 ? NULL : lb_solver_create(problem, NULL);
    j->failed |= !solver;
    for (int i = j->first; i < GOALS && !j->failed; i += j->step) {
        lb_frame goal = {{0, 0, 0}, {0, 0, 0, 1}};
        goal_point(i, goal.position);
        lb_figure_rest_pose(j->figure, j->poses[i]);
        j->failed |= lb_problem_move_goal(problem, id, &goal) || lb_solver_solve(solver, NULL, j->poses[i], &result);
        j->solved += !j->failed && result.outcome == LB_OUTCOME_SOLVED;
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    return NULL;
}

int main(void) {
    static double alone[GOALS][MOST], together[GOALS][MOST];
    pthread_t threads[THREADS];
    job jobs[THREADS];
    lb_figure *panda;
    if (lb_figure_load("models/panda.fig", NULL, &panda, NULL)) {
        return 1;
    }

    job one = {panda, 0, 1, alone, 0, 0};
    work(&one);
    int solved = 0, failed = one.failed;
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){panda, i, THREADS, together, 0, 0};
        if (pthread_create(&threads[i], NULL, work, &jobs[i])) {
            return 1;
        }
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        solved += jobs[i].solved;
        failed |= jobs[i].failed;
    }
    int same = memcmp(alone, together, sizeof alone) == 0;
    printf("%d of %d goals solved by %d threads, %d by one; %s\n", solved, GOALS, THREADS, one.solved,
           same ? "the same bits" : "DIFFERENT ANSWERS");
    lb_figure_destroy(panda);
    return failed || !same ? EXIT_FAILURE : EXIT_SUCCESS;
}
