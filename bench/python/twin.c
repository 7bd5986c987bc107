/* What bench/python/run.py does in Python, in C: the same Panda, the same places, the same options. Prints numbers by name.
 *
 *     twin MODEL COUNT THREADS ROUNDS */
#define _XOPEN_SOURCE 700
#include <limber/io.h>
#include <limber/solve.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(clockid_t clock) {
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

typedef struct bench {
    lb_figure *figure;
    lb_problem *problem;
    lb_solver *solver;
    lb_solve_options options;
    lb_frame *goals; /* [count] */
    double *poses;   /* [count][n] */
    int id, n, count;
} bench;

static int open_bench(bench *b, const char *model, int count) {
    lb_constraint c;
    lb_frame identity;
    uint64_t seed = 1;
    lb_frame_identity(&identity);
    if (lb_figure_load(model, NULL, &b->figure, NULL)) {
        return -1;
    }
    b->problem = lb_problem_create(b->figure, NULL);
    if (!b->problem || lb_constraint_frame(b->figure, "link7", &identity, &c)) {
        return -1;
    }
    b->id = lb_problem_add(b->problem, &c);
    b->solver = lb_solver_create(b->problem, NULL);
    b->n = lb_figure_variable_count(b->figure);
    b->count = count;
    b->goals = calloc((size_t)count, sizeof *b->goals);
    b->poses = calloc((size_t)count * (size_t)b->n, sizeof *b->poses);
    lb_kinematics *k = lb_kinematics_create(b->figure, NULL);
    if (!b->solver || !b->goals || !b->poses || !k) {
        return -1;
    }
    lb_solve_options_defaults(&b->options);
    for (int i = 0; i < count; i++) {
        lb_figure_random_pose(b->figure, &seed, b->poses);
        lb_kinematics_update(k, b->poses);
        lb_kinematics_segment(k, lb_figure_find_segment(b->figure, "link7"), &b->goals[i]);
    }
    lb_kinematics_destroy(k);
    return 0;
}

/* Microseconds a solve, one by one from the rest pose, of the first places. */
static double one_by_one(bench *b, int count) {
    lb_result result;
    lb_result_defaults(&result);
    b->options.restarts = 50; /* as limber.solve has it */
    double begin = now(CLOCK_THREAD_CPUTIME_ID);
    for (int i = 0; i < count; i++) {
        lb_problem_move_goal(b->problem, b->id, &b->goals[i]);
        lb_figure_rest_pose(b->figure, b->poses);
        lb_solver_solve(b->solver, &b->options, b->poses, &result);
    }
    return (now(CLOCK_THREAD_CPUTIME_ID) - begin) / count * 1e6;
}

/* Seconds of a batch: of the clock, and of all threads' processors. */
static void batch(bench *b, int threads, double *wall, double *cpu) {
    double rest[64];
    lb_many many;
    lb_many_defaults(&many);
    lb_figure_rest_pose(b->figure, rest);
    many.count = b->count;
    many.goal_count = 1;
    many.ids = &b->id;
    many.goals = b->goals;
    many.starts = rest;
    many.one_start = 1;
    many.threads = threads;
    b->options.restarts = 100;
    double begin = now(CLOCK_MONOTONIC), begin_cpu = now(CLOCK_PROCESS_CPUTIME_ID);
    lb_solve_many(b->problem, &b->options, &many, b->poses, NULL, NULL);
    *wall = now(CLOCK_MONOTONIC) - begin;
    *cpu = now(CLOCK_PROCESS_CPUTIME_ID) - begin_cpu;
}

int main(int argc, char **argv) {
    bench b;
    if (argc != 5 || open_bench(&b, argv[1], atoi(argv[2]))) {
        fprintf(stderr, "usage: twin MODEL COUNT THREADS ROUNDS\n");
        return 2;
    }
    double least_us = 1e9, best = 0, best_cpu = 0;
    for (int r = 0; r < atoi(argv[4]); r++) {
        double us = one_by_one(&b, b.count < 2000 ? b.count : 2000), wall, cpu;
        batch(&b, atoi(argv[3]), &wall, &cpu);
        least_us = us < least_us ? us : least_us;
        best = b.count / wall > best ? b.count / wall : best;
        best_cpu = b.count / cpu > best_cpu ? b.count / cpu : best_cpu;
    }
    printf("{\"kept_us\": %.3f, \"rate\": %.0f, \"cpu_rate\": %.0f}\n", least_us, best, best_cpu);
    lb_solver_destroy(b.solver);
    lb_problem_destroy(b.problem);
    lb_figure_destroy(b.figure);
    free(b.goals);
    free(b.poses);
    return 0;
}
