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
    const char *name, *model; /* model NULL: made of rows of Denavit and Hartenberg */
    double bar_us;            /* for the median */
    double off;               /* of made ones: a Puma 560 whose lengths and angles are off by so much; 0: random rows */
} arm;

/* A Puma 560 that was measured, not drawn: no three axes meet, by so little that digits are lost. */
static void off_puma(double off, uint64_t *state, lb_dh_row rows[6]) {
    static const double table[6][3] = {{0, 90, 0},     {.4318, 0, 0}, {.0203, -90, .15005},
                                       {0, 90, .4318}, {0, -90, 0},   {0, 0, 0}};
    for (int i = 0; i < 6; i++) {
        rows[i] = (lb_dh_row){NULL,
                              table[i][0] + bench_uniform(state, -off, off),
                              table[i][1] * (TURN / 360) + bench_uniform(state, -off, off),
                              table[i][2] + bench_uniform(state, -off, off),
                              0,
                              0,
                              -3,
                              3};
    }
}

static lb_figure *made_arm(double off, uint64_t *state) {
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
    for (int i = 0; i < 6 && off == 0; i++) {
        rows[i] = (lb_dh_row){NULL,
                              bench_uniform(state, -0.5, 0.5),
                              bench_uniform(state, -3, 3),
                              bench_uniform(state, -0.5, 0.5),
                              0,
                              0,
                              -3,
                              3};
    }
    if (off > 0) {
        off_puma(off, state, rows);
    }
    lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, 6, rows);
    if (lb_builder_finish(b, &figure)) {
        bench_stop("no arm could be made");
    }
    lb_builder_destroy(b);
    return figure;
}

static lb_figure *load(const arm *a, uint64_t *state) {
    char path[1024];
    lb_error error;
    lb_figure *figure = NULL;
    if (!a->model) {
        return made_arm(a->off, state);
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

/* --- EAIK, which runs in Python ------------------------------------------------------------------------------------------------ */

#define PEER_POSES 1000

/* A frame as rotation by rows and position. */
static void write_frame(FILE *file, const double e[9]) {
    const double z[3] = {e[4] * e[8] - e[5] * e[7], e[5] * e[6] - e[3] * e[8], e[3] * e[7] - e[4] * e[6]};
    for (int i = 0; i < 3; i++) {
        fprintf(file, "%.17g %.17g %.17g ", e[3 + i], e[6 + i], z[i]);
    }
    fprintf(file, "%.17g %.17g %.17g\n", e[0], e[1], e[2]);
}

/* The axis of a joint where all joints are 0, and a point of it: of the turn that a right angle of the joint makes of the tool's
 * frame R, p to R', p' the axis is that of R' R^T, and the point c has p' - c = (R' R^T) (p - c). */
static void find_axis(lb_kinematics *k, const lb_effector *tool, int joint, double axis[3], double point[3]) {
    double pose[6] = {0}, a[12], b[12], turn[3][3], off[3];
    lb_kinematics_update(k, pose);
    lb_kinematics_effector(k, tool, a);
    pose[joint] = 1.57079632679489661923;
    lb_kinematics_update(k, pose);
    lb_kinematics_effector(k, tool, b);
    for (int i = 0; i < 3; i++) { /* z behind x and y */
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        a[9 + i] = a[3 + j] * a[6 + l] - a[3 + l] * a[6 + j];
        b[9 + i] = b[3 + j] * b[6 + l] - b[3 + l] * b[6 + j];
    }
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            turn[i][j] = b[3 + i] * a[3 + j] + b[6 + i] * a[6 + j] + b[9 + i] * a[9 + j];
        }
    }
    axis[0] = (turn[2][1] - turn[1][2]) / 2;
    axis[1] = (turn[0][2] - turn[2][0]) / 2;
    axis[2] = (turn[1][0] - turn[0][1]) / 2;
    /* A right angle: c = (p + p' + w x (p' - p)) / 2, but for what is along w. */
    for (int i = 0; i < 3; i++) {
        off[i] = b[i] - a[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, l = (i + 2) % 3;
        point[i] = (a[i] + b[i] + axis[j] * off[l] - axis[l] * off[j]) / 2;
    }
}

static int write_task(const char *path, const lb_figure *figure) {
    lb_effector tool;
    double pose[6] = {0}, e[9];
    uint64_t seed = 7;
    FILE *file = fopen(path, "w");
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    if (!file || !k || lb_figure_find_effector(figure, "tool", &tool, NULL)) {
        bench_stop("%s cannot be written", path);
    }
    for (int i = 0; i < 6; i++) {
        double axis[3], point[3];
        find_axis(k, &tool, i, axis, point);
        fprintf(file, "%.17g %.17g %.17g %.17g %.17g %.17g\n", axis[0], axis[1], axis[2], point[0], point[1], point[2]);
    }
    lb_kinematics_update(k, pose);
    lb_kinematics_effector(k, &tool, e);
    write_frame(file, e);
    const int count = bench_count(PEER_POSES, 200);
    for (int i = 0; i < count; i++) {
        lb_figure_random_pose(figure, &seed, pose);
        lb_kinematics_update(k, pose);
        lb_kinematics_effector(k, &tool, e);
        write_frame(file, e);
    }
    lb_kinematics_destroy(k);
    return fclose(file) ? 0 : count;
}

static void run_eaik(const arm *a, bench_table *table) {
    char python[1024], program[1024], task[1024], answers[1024], command[4400];
    uint64_t state = 0;
    double us, error, solutions = 0, *times;
    int count = 0, here, found = 0;
    bench_source_path("build/peers/python/bin/python3", python);
    bench_source_path("bench/peer_eaik.py", program);
    bench_out_path("eaik-task.txt", task);
    bench_out_path("eaik-answers.txt", answers);
    snprintf(command, sizeof command, "'%s' -c 'import eaik' 2>/dev/null", python);
    if (system(command) != 0) {
        printf("EAIK is left out of %s: build/peers/python has none (./dev bench closed --with-peers installs it).\n",
               a->name);
        return;
    }
    lb_figure *figure = load(a, &state);
    const int poses = write_task(task, figure);
    lb_figure_destroy(figure);
    snprintf(command, sizeof command, "'%s' '%s' '%s' '%s'", python, program, task, answers);
    FILE *file = system(command) == 0 ? fopen(answers, "r") : NULL;
    times = bench_alloc((size_t)poses, sizeof *times);
    while (file && count < poses && fscanf(file, "%lf %d %lf", &us, &here, &error) == 3) {
        times[count++] = us;
        solutions += here;
        found += error < 1e-6;
    }
    if (count) {
        const bench_stats s = bench_statistics(count, times);
        bench_table_row(table, "%s, EAIK|%d|%.2f|%.2f|%.2f|%.2f|%.2f|%.2f", a->name, count, 100.0 * found / count,
                        solutions / count, s.mean, s.p50, s.p95, s.p99);
    }
    if (file) {
        fclose(file);
    }
    free(times);
}

int main(int argc, char **argv) {
    static const arm arms[] = {{"Puma 560", "models/puma560.fig", 6, 0}, {"UR5", "models/ur5.fig", 6, 0},
                               {"IRB 120", "models/irb120.fig", 6, 0},   {"random axes", NULL, 60, 0},
                               {"Puma off by 1e-4", NULL, 300, 1e-4},    {"Puma off by 1e-6", NULL, 300, 1e-6},
                               {"Puma off by 1e-8", NULL, 300, 1e-8}};
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
        if (bench.with_peers && arms[a].model) {
            run_eaik(&arms[a], &table);
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
