/* The tasks that the benchmarks give to bodies and arms: those of problems/, and instances of them at random, the same
 * for everyone. */
#ifndef LIMBER_BENCH_TASKS_H
#define LIMBER_BENCH_TASKS_H

#include <limber/io.h>
#include <limber/solve.h>

typedef struct bench_task {
    char name[64];
    lb_problem_file *file;
    lb_problem *problem;
    lb_solver *solver;
    lb_solve_options options;
    int variables;
    const double *start;
    double *pose; /* [variables], for the answer */
} bench_task;

/* A problem of problems/ (its name, without the ending), with a solver of its own. Ends the program where it cannot. */
void bench_task_open(bench_task *task, const char *name);
void bench_task_close(bench_task *task);

/* The two tube tasks with the goals that a posture at random reaches: arms ahead, the spine bent and turned as one, all
 * inside the limits. push: the palms' goals are moved ahead by so many metres. */
void bench_task_tube(bench_task *task, uint64_t seed, double push);
/* The four goals, where arms at random have them: ahead, or (wide) anywhere in four fifths of their range. */
void bench_task_four_goals(bench_task *task, uint64_t seed, int is_wide);
/* The bar, somewhere out of reach. */
void bench_task_bar(bench_task *task, uint64_t seed);

/* Solves from the start pose. */
void bench_task_solve(bench_task *task, lb_method method, lb_result *result);

/* A chain with one end-effector whose last segment has to be where a pose at random has it. */
typedef struct bench_reach {
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_problem *problem;
    lb_solver *solver;
    lb_solve_options options;
    lb_effector effector;
    int variables, constraint;
    double *start, *goal, *pose; /* goal: the pose that is to be found */
} bench_reach;

/* path: of a model in models/ (its name), or "chain:N". The start is at mid-range. */
void bench_reach_open(bench_reach *reach, const char *model, int restarts);
void bench_reach_close(bench_reach *reach);
/* Where the pose `goal` has the effector, the goal is now. */
void bench_reach_aim(bench_reach *reach);

#endif
