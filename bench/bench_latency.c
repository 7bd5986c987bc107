/* Latency: the slowest of many single solves, by default and with a deadline of
 * 50 us, within and out of reach, for an arm of 7 dofs and a body of 70, alone
 * and with another program busy on the other cores.
 *
 * Every solve is timed once, as it comes, goals changing from one to the next.
 * With a deadline it takes turns with a loop that only reads the clock until 50
 * us have passed: what that shows is the machine's own. So that the two can be
 * told apart, solves in which the machine did something else are counted by
 * themselves: the system switched to another program (or did just before: then
 * the caches are that one's), or two looks at the clock are further apart than
 * any work between them takes. The same rule holds for the loop: if solves had
 * such pauses more often, they would be the solver's own, and all of them
 * count. */
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
#define PAUSE_US 15       /* between two looks at the clock: not the solver's */
#define FIRST_PAUSE_US 40 /* before the first: a first evaluation comes before it */

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
    for (int c = 0; c < (int)sysconf(_SC_NPROCESSORS_ONLN) && c < CPU_SETSIZE; c++) {
        if (!CPU_ISSET(c, &ours)) {
            CPU_SET(c, &others);
        }
    }
    if (CPU_COUNT(&others) == 0 || sched_setaffinity(0, sizeof others, &others)) {
        _exit(0);
    }
    for (uint64_t state = 1;;) {
        size_t at = (size_t)(bench_random(&state) % CELLS);
        for (int i = 0; i < 64; i++) {
            sum = sqrt(sum * 1.0001 + cells[(at + (size_t)i) % CELLS]);
        }
        cells[at] = sum;
    }
}

static pid_t start_load(void) {
    pid_t child = fork();
    if (child < 0) {
        bench_stop("no other program could be started");
    }
    if (child == 0) {
        keep_busy();
    }
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

enum { ARM, BODY };

typedef struct latency_case {
    const char *name;
    int what, is_reachable;
} latency_case;

static const latency_case cases[] = {{"Panda", ARM, 1},
                                     {"Panda, out of reach", ARM, 0},
                                     {"tube, 70 dofs", BODY, 1},
                                     {"tube, 70 dofs, out of reach", BODY, 0}};

static bench_reach arm;
static bench_task bodies[2][BODIES]; /* out of reach, within */
static lb_frame arm_goals[2][ARM_GOALS];

static void open_all(void) {
    uint64_t seed = 21;
    bench_reach_open(&arm, "panda", 100);
    for (int i = 0; i < ARM_GOALS; i++) {
        for (int within = 0; within < 2; within++) {
            lb_frame *frame = &arm_goals[within][i];
            lb_figure_random_pose(arm.figure, &seed, arm.goal);
            lb_kinematics_update(arm.kinematics, arm.goal);
            lb_kinematics_segment(arm.kinematics, arm.effector.segment, frame);
            /* 1.3 m from the shoulder: half a metre too far */
            double length = sqrt(pow(frame->position[0], 2) + pow(frame->position[1], 2) + pow(frame->position[2], 2));
            for (int k = 0; k < 3 && !within; k++) {
                frame->position[k] *= 1.3 / length;
            }
            if (!within) {
                frame->position[2] += 0.333;
            }
        }
    }
    for (int within = 0; within < 2; within++) {
        for (int i = 0; i < BODIES; i++) {
            bench_task_open(&bodies[within][i], "zb94-tube-free");
            bench_task_tube(&bodies[within][i], (uint64_t)i + 1, within ? 0 : 0.45);
        }
    }
}

static void close_all(void) {
    bench_reach_close(&arm);
    for (int within = 0; within < 2; within++) {
        for (int i = 0; i < BODIES; i++) {
            bench_task_close(&bodies[within][i]);
        }
    }
}

/* A clock that remembers the longest pause between two looks. */
typedef struct watch {
    double last_us, pause_us;
    int looks;
} watch;

static double look(void *context) {
    watch *w = context;
    double now = bench_now_us(), pause = now - w->last_us;
    if (w->looks++ == 1) {
        pause *= (double)PAUSE_US / FIRST_PAUSE_US;
    }
    w->pause_us = fmax(w->pause_us, pause);
    w->last_us = now;
    return now;
}

static void begin_watch(watch *w) { *w = (watch){.last_us = bench_now_us()}; }

/* No solve: the clock alone. */
static double wait_once(watch *w) {
    begin_watch(w);
    double begin = w->last_us;
    while (look(w) - begin < DEADLINE_US) {
    }
    return look(w) - begin;
}

/* One solve, in microseconds; *is_done: not cut short. */
static double solve_once(const latency_case *c, int turn, double deadline_us, watch *w, int *is_done) {
    lb_result result;
    lb_result_defaults(&result);
    result.outcome = LB_OUTCOME_SOLVED;
    lb_solver *solver = arm.solver;
    lb_solve_options options = arm.options;
    double *pose = arm.pose;
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
    options.now_us = look;
    options.now_context = w;
    begin_watch(w);
    double begin = w->last_us;
    if (lb_solver_solve(solver, &options, pose, &result)) {
        bench_stop("a problem could not be solved");
    }
    double us = (deadline_us > 0 ? look(w) : bench_now_us()) - begin;
    *is_done = result.outcome == (c->is_reachable ? LB_OUTCOME_SOLVED : LB_OUTCOME_MINIMUM);
    return us;
}

static long switches(void) {
    struct rusage usage;
    return getrusage(RUSAGE_THREAD, &usage) ? 0 : usage.ru_nivcsw;
}

/* Times of solves, or of the loop: all of them, and those that nothing interrupted (the others are NaN). */
typedef struct times {
    double *all, *free;
    int count, interrupted, paused; /* paused: what the watch saw of it */
} times;

static void note(times *t, double us, int is_switched, int is_paused) {
    t->all[t->count] = us;
    t->free[t->count++] = is_switched || is_paused ? NAN : us;
    t->interrupted += is_switched || is_paused;
    t->paused += is_paused;
}

static double percentage(int part, int whole) { return whole ? 100.0 * part / whole : 0; }

/* Whether the solves had no more pauses than the machine gives the loop, which ran as often, and some by chance. */
static int is_like(const times *solves, const times *waits) {
    return solves->paused <= 2 * waits->paused + waits->count / 50 + 3;
}

static double over(int count, double *us, double deadline_us) {
    return fmax(0, bench_statistics(count, us).p99 - deadline_us);
}

static void wait_between(times *t) {
    watch w;
    long before = switches();
    double us = wait_once(&w);
    note(t, us, switches() != before, w.pause_us > PAUSE_US);
}

/* Returns the overshoot of the deadline at p99 (0 where there is none). */
static double run(const latency_case *c, const char *load, double deadline_us, bench_table *table) {
    int count = c->what == BODY ? bench_count(2000, 200) : bench_count(20000, 2000), done = 0;
    size_t size = (size_t)count;
    times solves = {bench_alloc(size, sizeof(double)), bench_alloc(size, sizeof(double)), 0, 0, 0};
    times waits = {bench_alloc(size, sizeof(double)), bench_alloc(size, sizeof(double)), 0, 0, 0};
    double counted = 0;
    watch w;
    for (int i = 0; i < BODIES; i++) {
        solve_once(c, i, deadline_us, &w, &(int){0});
    }
    double limit = bench_now_us() + (bench.is_quick ? 1e6 : 20e6);
    for (int i = 0; i < count && bench_now_us() < limit; i++) {
        int is_done = 1;
        long before = switches(); /* just before it counts, too: the caches are another program's then */
        if (deadline_us > 0) {
            wait_between(&waits);
        }
        double us = solve_once(c, i, deadline_us, &w, &is_done);
        note(&solves, us, switches() != before, deadline_us > 0 && w.pause_us > PAUSE_US);
        done += is_done;
    }
    bench_stats s = bench_statistics(solves.count, solves.free);
    char deadline[32] = "none", overs[128] = "||||";
    if (deadline_us > 0) {
        double free = over(solves.count, solves.free, deadline_us), all = over(solves.count, solves.all, deadline_us);
        counted = is_like(&solves, &waits) ? free : all;
        snprintf(deadline, sizeof deadline, "%g us", deadline_us);
        snprintf(overs, sizeof overs, "%.1f|%.1f|%.1f|%.1f|%.2f", free, all, over(waits.count, waits.free, deadline_us),
                 over(waits.count, waits.all, deadline_us), percentage(waits.interrupted, waits.count));
    }
    bench_table_row(table, "%s|%s|%s|%d|%.1f|%.1f|%.1f|%.1f|%.1f|%.1f|%.2f|%.1f|%s", c->name, load, deadline,
                    solves.count, 100.0 * done / solves.count, s.mean, s.p50, s.p99, s.p999, s.max,
                    percentage(solves.interrupted, solves.count), bench_statistics(solves.count, solves.all).max,
                    overs);
    free(solves.all);
    free(solves.free);
    free(waits.all);
    free(waits.free);
    return counted;
}

int main(int argc, char **argv) {
    double worst[2] = {0, 0};
    bench_table table;
    bench_begin("latency", argc, argv);
    open_all();
    bench_table_begin(&table, "latency",
                      "what|other cores|deadline|solves|done %|mean us|median us|p99 us|p99.9 us|max us|interrupted %|"
                      "worst of all us|p99 over us|of all|clock alone|of all|interrupted %");
    for (int loaded = 0; loaded < 2; loaded++) {
        pid_t child = loaded ? start_load() : 0;
        const char *load = loaded ? "busy" : "as they are";
        for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
            if (!bench_is_wanted(cases[i].name)) {
                continue;
            }
            run(&cases[i], load, 0, &table);
            worst[loaded] = fmax(worst[loaded], run(&cases[i], load, DEADLINE_US, &table));
        }
        if (child) {
            stop_load(child);
        }
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    bench_bar("over a deadline of 50 us at p99, not interrupted", worst[0], 0, 10, "us");
    bench_bar("the same, other cores busy", worst[1], 0, 10, "us");
    close_all();
    return bench_end();
}
