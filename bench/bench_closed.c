/* Closed forms: the time for all solutions of a pose, and whether the pose is among them. Of each pose the least of several
 * repeats counts. */
#include "bench.h"

#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define REPEATS 5
#define SAME 1e-5 /* radians */
#define TURN 6.28318530717958647692

typedef struct arm {
    const char *name, *model; /* model NULL: random axes */
    double bar_us;            /* for the median */
} arm;

static lb_figure *random_arm(uint64_t *state) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_dh_row rows[6];
    lb_figure *figure = NULL;
    lb_segment_defaults(&segment);
    segment.name = "base";
    lb_builder_add_segment(b, &segment);
    lb_site_defaults(&site);
    site.name = "out";
    lb_builder_add_site(b, &site);
    for (int i = 0; i < 6; i++) {
        rows[i] = (lb_dh_row){NULL,
                              bench_uniform(state, -0.5, 0.5),
                              bench_uniform(state, -3, 3),
                              bench_uniform(state, -0.5, 0.5),
                              0,
                              0,
                              -3,
                              3};
    }
    lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, 6, rows);
    if (lb_builder_finish(b, &figure)) {
        bench_stop("no random arm");
    }
    lb_builder_destroy(b);
    return figure;
}

static lb_figure *load(const arm *a, uint64_t *state) {
    char path[1024];
    lb_error error;
    lb_figure *figure = NULL;
    if (!a->model) {
        return random_arm(state);
    }
    bench_source_path(a->model, path);
    if (lb_figure_load(path, NULL, &figure, &error)) {
        bench_stop("%s", error.message);
    }
    return figure;
}

static int is_among(const lb_closed *closed, const lb_closed_result *result, const double *pose) {
    for (int i = 0; i < result->count; i++) {
        lb_closed_solution s;
        double most = 0;
        lb_closed_solution_defaults(&s);
        lb_closed_get(closed, i, &s);
        for (int k = 0; k < 6; k++) {
            most = fmax(most, fabs(remainder(s.values[k] - pose[k], TURN)));
        }
        if (most < SAME) {
            return 1;
        }
    }
    return 0;
}

/* So many poses of an arm: the times, and how many were found again. */
static int run(const lb_figure *figure, const char *name, int count, double *times, double *solutions) {
    lb_effector tool;
    lb_error error;
    lb_closed_result result;
    lb_frame goal;
    double pose[6], start[6];
    uint64_t seed = 7;
    int found = 0;
    if (lb_figure_find_effector(figure, name, &tool, &error)) {
        bench_stop("%s", error.message);
    }
    lb_closed *closed = lb_closed_create(figure, &tool, NULL, &error);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    if (!closed || !kinematics) {
        bench_stop("%s", error.message);
    }
    lb_closed_result_defaults(&result);
    for (int i = 0; i < count; i++) {
        double e[9];
        lb_figure_random_pose(figure, &seed, pose);
        lb_figure_random_pose(figure, &seed, start);
        lb_kinematics_update(kinematics, pose);
        lb_kinematics_effector(kinematics, &tool, e);
        const double matrix[9] = {e[3], e[6], e[4] * e[8] - e[5] * e[7], e[4], e[7], e[5] * e[6] - e[3] * e[8],
                                  e[5], e[8], e[3] * e[7] - e[4] * e[6]};
        memcpy(goal.position, e, sizeof goal.position);
        lb_rotation_from_matrix(matrix, goal.rotation);
        times[i] = INFINITY;
        for (int r = 0; r < REPEATS; r++) {
            const double began = bench_now_us();
            lb_closed_solve(closed, &goal, start, &result);
            const double time = bench_now_us() - began;
            times[i] = time < times[i] ? time : times[i];
        }
        found += is_among(closed, &result, pose);
        *solutions += (double)result.all_count / count;
    }
    lb_kinematics_destroy(kinematics);
    lb_closed_destroy(closed);
    return found;
}

int main(int argc, char **argv) {
    static const arm arms[] = {{"Puma 560", "models/puma560.fig", 6},
                               {"UR5", "models/ur5.fig", 6},
                               {"IRB 120", "models/irb120.fig", 6},
                               {"random axes", NULL, 60}};
    bench_table table;
    uint64_t state = 3;
    bench_begin("closed", argc, argv);
    bench_table_begin(&table, "closed", "arm|poses|found %|solutions|mean us|p50|p95|p99");
    const int count = bench_count(10000, 500);
    double *times = bench_alloc((size_t)count, sizeof *times);
    for (size_t a = 0; a < sizeof arms / sizeof *arms; a++) {
        const int figures = arms[a].model ? 1 : 50, each = count / figures;
        double solutions = 0;
        int found = 0;
        if (!bench_is_wanted(arms[a].name)) {
            continue;
        }
        for (int k = 0; k < figures; k++) {
            lb_figure *figure = load(&arms[a], &state);
            double mean = 0;
            found += run(figure, arms[a].model ? "tool" : "link6", each, times + k * each, &mean);
            solutions += mean / figures;
            lb_figure_destroy(figure);
        }
        const bench_stats s = bench_statistics(figures * each, times);
        bench_table_row(&table, "%s|%d|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f", arms[a].name, s.count, 100.0 * found / s.count,
                        solutions, s.mean, s.p50, s.p95, s.p99);
        char what[80];
        snprintf(what, sizeof what, "%s: all solutions of a pose, median", arms[a].name);
        bench_bar(what, s.p50, 0, arms[a].bar_us, "us");
        snprintf(what, sizeof what, "%s: poses found again", arms[a].name);
        bench_bar(what, 100.0 * found / s.count, 1, 100, "%");
    }
    bench_table_print(&table, 0);
    bench_table_end(&table);
    free(times);
    return bench_end();
}
