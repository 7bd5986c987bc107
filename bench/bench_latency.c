/* Latency: the slowest of many single solves, by default and with a deadline of
 * 50 us, within and out of reach, for an arm of 7 dofs and a body of 70, alone
 * and with another program busy on the other cores.
 *
 * Every solve is timed once, as it comes, goals changing from one to the next:
 * what the machine does in between is part of it. How much that is shows the
 * first row of each half: no solver at all, only a clock read until 50 us have
 * passed. */
#define _GNU_SOURCE /* sched_setaffinity */
#include "bench.h"
#include "tasks.h"

#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define DEADLINE_US 50
#define BODIES 32
#define ARM_GOALS 512

/* ---------------------------------------------------------------------------------------------------
 * The other program
 * -------------------------------------------------------------------------------------------------
 */

/* Computes and walks through memory for ever, on every core but ours. */
static void keep_busy(void) {
    enum { CELLS = 4 << 20 };
    cpu_set_t ours, others;
    double *cells = bench_alloc(CELLS, sizeof *cells), sum = 1;
    CPU_ZERO(&others);
    sched_getaffinity(0, sizeof ours, &ours);
    for (int c = 0; c < (int)sysconf(_SC_NPROCESSORS_ONLN) && c < CPU_SETSIZE; c++)
        if (!CPU_ISSET(c, &ours)) CPU_SET(c, &others);
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others)) _exit(0);
    for (uint64_t state = 1;;) {
        size_t at = (size_t)(bench_random(&state) % CELLS);
        for (int i = 0; i < 64; i++) sum = sqrt(sum * 1.0001 + cells[(at + (size_t)i) % CELLS]);
        cells[at] = sum;
    }
}

static pid_t start_load(void) {
    pid_t child = fork();
    if (child < 0) bench_stop("no other program could be started");
    if (child == 0) keep_busy();
    return child;
}

static void stop_load(pid_t child) {
    kill(child, SIGKILL);
    waitpid(child, NULL, 0);
}

/* ---------------------------------------------------------------------------------------------------
 * What is solved
 * -------------------------------------------------------------------------------------------------
 */

enum { CLOCK, ARM, BODY };

typedef struct latency_case {
    const char *name;
    int what, is_reachable;
} latency_case;

static const latency_case cases[] = {{"the clock alone", CLOCK, 1},
                                     {"Panda", ARM, 1},
                                     {"Panda, out of reach", ARM, 0},
                                     {"tube, 70 dofs", BODY, 1},
                                     {"tube, 70 dofs, out of reach", BODY, 0}};

static bench_reach arm;
static bench_task bodies[2][BODIES]; /* out of reach, within */
static lb_frame arm_goals[2][ARM_GOALS];

static void open_all(void) {
    uint64_t seed = 21;
    bench_reach_open(&arm, "panda", 100);
    for (int i = 0; i < ARM_GOALS; i++)
        for (int within = 0; within < 2; within++) {
            lb_frame *frame = &arm_goals[within][i];
            lb_figure_random_pose(arm.figure, &seed, arm.goal);
            lb_kinematics_update(arm.kinematics, arm.goal);
            lb_kinematics_segment(arm.kinematics, arm.effector.segment, frame);
            /* 1.3 m from the shoulder: half a metre too far */
            double length = sqrt(pow(frame->position[0], 2) + pow(frame->position[1], 2) + pow(frame->position[2], 2));
            for (int k = 0; k < 3 && !within; k++) frame->position[k] *= 1.3 / length;
            if (!within) frame->position[2] += 0.333;
        }
    for (int within = 0; within < 2; within++)
        for (int i = 0; i < BODIES; i++) {
            bench_task_open(&bodies[within][i], "zb94-tube-free");
            bench_task_tube(&bodies[within][i], (uint64_t)i + 1, within ? 0 : 0.45);
        }
}

static void close_all(void) {
    bench_reach_close(&arm);
    for (int within = 0; within < 2; within++)
        for (int i = 0; i < BODIES; i++) bench_task_close(&bodies[within][i]);
}

/* One solve, in microseconds; *is_done: not cut short. */
static double solve_once(const latency_case *c, int turn, double deadline_us, int *is_done) {
    lb_result result = {.outcome = LB_OUTCOME_SOLVED};
    lb_solver *solver = arm.solver;
    lb_solve_options options = arm.options;
    double *pose = arm.pose;
    if (c->what == CLOCK) {
        double begin = bench_now_us(), now = begin;
        while (now - begin < DEADLINE_US) now = bench_now_us();
        return bench_now_us() - begin;
    }
    if (c->what == ARM) {
        lb_problem_move_goal(arm.problem, arm.constraint, &arm_goals[c->is_reachable][turn % ARM_GOALS]);
        memcpy(pose, arm.start, (size_t)arm.variables * sizeof *pose);
    } else {
        bench_task *task = &bodies[c->is_reachable][turn % BODIES];
        solver = task->solver;
        options = task->options;
        pose = task->pose;
        memcpy(pose, task->start, (size_t)task->variables * sizeof *pose);
    }
    options.deadline_us = deadline_us;
    options.now_us = bench_clock;
    double begin = bench_now_us();
    if (lb_solver_solve(solver, &options, pose, &result)) bench_stop("a problem could not be solved");
    double us = bench_now_us() - begin;
    *is_done = result.outcome == (c->is_reachable ? LB_OUTCOME_SOLVED : LB_OUTCOME_MINIMUM);
    return us;
}

static long switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

/* Returns the overshoot of the deadline at p99 (0 where there is none). */
static double run(const latency_case *c, const char *load, double deadline_us, bench_table *table) {
    int count = c->what == BODY ? bench_count(2000, 200) : bench_count(20000, 2000), done = 0, ran = 0;
    double *us = bench_alloc((size_t)count, sizeof *us), worst = 0;
    for (int i = 0; i < BODIES; i++) solve_once(c, i, deadline_us, &(int){0});
    double limit = bench_now_us() + (bench.is_quick ? 1e6 : 20e6);
    for (int i = 0; i < count; i++) {
        int is_done = 1;
        us[i] = NAN;
        if (bench_now_us() > limit) continue;
        long before = switches();
        double time = solve_once(c, i, deadline_us, &is_done);
        if (switches() == before) us[i] = time;
        worst = fmax(worst, time);
        done += is_done;
        ran++;
    }
    bench_stats s = bench_statistics(count, us);
    char deadline[32] = "none", overshoot[32] = "";
    if (deadline_us > 0) snprintf(deadline, sizeof deadline, "%g us", deadline_us);
    if (deadline_us > 0) snprintf(overshoot, sizeof overshoot, "%.1f", fmax(0, s.p99 - deadline_us));
    bench_table_row(table, "%s|%s|%s|%d|%.1f|%.1f|%.1f|%.1f|%.1f|%.1f|%s|%d|%.1f", c->name, load, deadline, ran,
                    100.0 * done / ran, s.mean, s.p50, s.p99, s.p999, s.max, overshoot, ran - s.count, worst);
    free(us);
    return deadline_us > 0 ? fmax(0, s.p99 - deadline_us) : 0;
}

int main(int argc, char **argv) {
    double worst[2] = {0, 0};
    bench_table table;
    bench_begin("latency", argc, argv);
    open_all();
    bench_table_begin(&table, "latency",
                      "what|other cores|deadline|solves|done %|mean us|median "
                      "us|p99 us|p99.9 us|max us|p99 over us|"
                      "interrupted|worst of all us");
    for (int loaded = 0; loaded < 2; loaded++) {
        pid_t child = loaded ? start_load() : 0;
        const char *load = loaded ? "busy" : "as they are";
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!bench_is_wanted(cases[i].name)) continue;
            if (cases[i].what != CLOCK) run(&cases[i], load, 0, &table);
            double over = run(&cases[i], load, DEADLINE_US, &table);
            if (cases[i].what != CLOCK) worst[loaded] = fmax(worst[loaded], over);
        }
        if (child) stop_load(child);
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    bench_bar("over a deadline of 50 us at p99, worst case", worst[0], 0, 10, "us");
    bench_bar("the same, other cores busy", worst[1], 0, 10, "us");
    close_all();
    return bench_end();
}
