/* Batches: Panda solves a second, one by one and by lb_solve_many on 1 and 2 threads; cold (from mid-range)
 * and warm (within 0.1 rad of the answer). They take turns; the best and the median round are shown. Every answer is verified by
 * forward kinematics that share nothing with the library's, and compared with those of one by one to the bit. */
#include "bench.h"
#include "tasks.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define MAX_ROUNDS 15
#define WAYS 3 /* threads 0: one by one */

typedef enum batch_kind { COLD, WARM } batch_kind;
static const char *const kind_names[] = {"cold", "warm"};

typedef struct batch {
    bench_reach arm;
    int count;
    double *starts, *poses[WAYS]; /* [count][variables] */
    lb_frame *goals;
    double (*targets)[9];
    double rates[WAYS][MAX_ROUNDS];     /* solves a second */
    double cpu_rates[WAYS][MAX_ROUNDS]; /* solves a second of CPU time, all threads' together */
} batch;

static void open_batch(batch *b, batch_kind kind, int count) {
    uint64_t seed = 31, jitter = 32;
    int is_warm = kind == WARM;
    bench_reach_open(&b->arm, "panda", 1000);
    size_t n = (size_t)b->arm.variables;
    b->count = count;
    b->starts = bench_alloc((size_t)count * n, sizeof(double));
    for (int w = 0; w < WAYS; w++) {
        b->poses[w] = bench_alloc((size_t)count * n, sizeof(double));
    }
    b->goals = bench_alloc((size_t)count, sizeof *b->goals);
    b->targets = bench_alloc((size_t)count, sizeof *b->targets);
    for (int i = 0; i < count; i++) {
        double *start = b->starts + (size_t)i * n;
        lb_figure_random_pose(b->arm.figure, &seed, b->arm.goal);
        lb_kinematics_update(b->arm.kinematics, b->arm.goal);
        lb_kinematics_segment(b->arm.kinematics, b->arm.effector.segment, &b->goals[i]);
        lb_kinematics_effector(b->arm.kinematics, &b->arm.effector, b->targets[i]);
        memcpy(start, b->arm.start, n * sizeof(double));
        for (size_t k = 0; is_warm && k < n; k++) {
            start[k] = b->arm.goal[k] + bench_uniform(&jitter, -0.1, 0.1);
        }
        if (is_warm) {
            lb_kinematics_project(b->arm.kinematics, start);
        }
    }
}

static void close_batch(batch *b) {
    bench_reach_close(&b->arm);
    free(b->starts);
    for (int w = 0; w < WAYS; w++) {
        free(b->poses[w]);
    }
    free(b->goals);
    free(b->targets);
}

static void one_by_one(batch *b, double *poses) {
    lb_result result;
    lb_result_defaults(&result);
    size_t n = (size_t)b->arm.variables;
    memcpy(poses, b->starts, (size_t)b->count * n * sizeof *poses);
    for (int i = 0; i < b->count; i++) {
        lb_problem_move_goal(b->arm.problem, b->arm.constraint, &b->goals[i]);
        if (lb_solver_solve(b->arm.solver, &b->arm.options, poses + (size_t)i * n, &result)) {
            bench_stop("a problem could not be solved");
        }
    }
}

static void all_at_once(batch *b, int threads, double *poses) {
    lb_many many;
    lb_many_defaults(&many);
    many.count = b->count;
    many.goal_count = 1;
    many.ids = &b->arm.constraint;
    many.goals = b->goals;
    many.starts = b->starts;
    many.threads = threads;
    if (lb_solve_many(b->arm.problem, &b->arm.options, &many, poses, NULL, NULL)) {
        bench_stop("a batch could not be solved");
    }
}

static int count_right(const batch *b, const double *poses) {
    int right = 0;
    for (int i = 0; i < b->count; i++) {
        right +=
            bench_is_at(b->arm.figure, poses + (size_t)i * (size_t)b->arm.variables, &b->arm.effector, b->targets[i]);
    }
    return right;
}

static double run(batch_kind kind, bench_table *table) {
    batch *b = bench_alloc(1, sizeof *b);
    double best[WAYS] = {0, 0, 0}, right = 0;
    int rounds = bench.is_quick ? 5 : MAX_ROUNDS;
    open_batch(b, kind, bench_count(100000, 20000));
    size_t size = (size_t)b->count * (size_t)b->arm.variables * sizeof(double);
    for (int r = 0; r < rounds; r++) {
        for (int w = 0; w < WAYS; w++) {
            double begin = bench_now_us();
            clock_t cpu = clock();
            if (w == 0) {
                one_by_one(b, b->poses[w]);
            } else {
                all_at_once(b, w, b->poses[w]);
            }
            b->rates[w][r] = 1e6 * b->count / (bench_now_us() - begin);
            b->cpu_rates[w][r] = (double)b->count * CLOCKS_PER_SEC / (double)(clock() - cpu);
        }
    }
    for (int w = 0; w < WAYS; w++) {
        bench_stats s = bench_statistics(rounds, b->rates[w]);
        char way[32] = "one by one";
        if (w > 0) {
            snprintf(way, sizeof way, "%d thread%s", w, w > 1 ? "s" : "");
        }
        best[w] = s.max;
        right = 100.0 * count_right(b, b->poses[w]) / b->count;
        bench_table_row(table, "%s|%s|%d|%.3f|%.0f|%.0f|%.0f|%.3f|%.2f|%s", kind_names[kind], way, b->count, right,
                        s.max, s.p50, bench_statistics(rounds, b->cpu_rates[w]).max, 1e6 / s.max, s.max / best[0],
                        memcmp(b->poses[w], b->poses[0], size) ? "NO" : "yes");
    }
    if (kind == COLD) {
        bench_bar("Panda batch, 2 threads: solved", right, 1, 100, "%");
    }
    close_batch(b);
    free(b);
    return best[2];
}

int main(int argc, char **argv) {
    bench_table table;
    bench_begin("batches", argc, argv);
    bench_unpin();
    bench_table_begin(&table, "batches",
                      "start|way|solves|right %|best a second|median a second|best a CPU second|us each|x one by one|"
                      "same bits");
    double cold = bench_is_wanted("cold") ? run(COLD, &table) : NAN;
    if (bench_is_wanted("warm")) {
        run(WARM, &table);
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    bench_bar("Panda batch, 2 threads: solves a second", cold, 1, 1500000, "");
    return bench_end();
}
