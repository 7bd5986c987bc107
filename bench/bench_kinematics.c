/* Forward kinematics and Jacobians: a 7-dof arm, and how the cost grows along chains of 10 to 10,000 joints.
 *
 * Every figure is measured in turn, over and over (interleaved), and the median of the rounds is printed, so that noise
 * from other programs hits all alike. */
#include "bench.h"

#include <limber/limber.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define ROUNDS 61
#define CASES 5

typedef struct bench_case {
    const char *name;
    lb_figure *figure;
    lb_kinematics *kinematics;
    lb_effector effector;
    int joints, poses, repeats;
    double *pose, *jacobian;                            /* pose[poses][joints] */
    double update[ROUNDS], twist[ROUNDS], full[ROUNDS]; /* nanoseconds each */
} bench_case;

static int add_base(lb_builder *b) {
    lb_segment segment;
    lb_site site;
    lb_segment_defaults(&segment);
    segment.name = "base";
    lb_site_defaults(&site);
    site.name = "mount";
    if (lb_builder_add_segment(b, &segment) < 0) {
        bench_stop("no memory");
    }
    return lb_builder_add_site(b, &site);
}

/* Franka's published parameters of the Panda (modified Denavit-Hartenberg). */
static lb_figure *make_panda(void) {
    const double half = 1.5707963267948966;
    const double a[7] = {0, 0, 0, 0.0825, -0.0825, 0, 0.088}, alpha[7] = {0, -half, half, half, -half, half, half},
                 d[7] = {0.333, 0, 0.316, 0, 0.384, 0, 0};
    lb_dh_row rows[7];
    for (int i = 0; i < 7; i++) {
        rows[i] = (lb_dh_row){NULL, a[i], alpha[i], d[i], 0, 0, -2.8, 2.8};
    }
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_figure *figure = NULL;
    if (lb_builder_add_dh_chain(b, add_base(b), LB_DH_CONVENTION_MODIFIED, 7, rows) < 0 ||
        lb_builder_finish(b, &figure)) {
        bench_stop("%s", lb_builder_error(b)->message);
    }
    lb_builder_destroy(b);
    return figure;
}

/* A chain of links of 0.1 m that turn about y and x in turn. */
static lb_figure *make_chain(int joints) {
    lb_dh_row *rows = calloc((size_t)joints, sizeof *rows);
    for (int i = 0; i < joints; i++) {
        rows[i] = (lb_dh_row){NULL, 0.1, i % 2 ? 1.5707963267948966 : -1.5707963267948966, 0, 0, 0, -1, 1};
    }
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_figure *figure = NULL;
    if (lb_builder_add_dh_chain(b, add_base(b), LB_DH_CONVENTION_STANDARD, joints, rows) < 0 ||
        lb_builder_finish(b, &figure)) {
        bench_stop("%s", lb_builder_error(b)->message);
    }
    lb_builder_destroy(b);
    free(rows);
    return figure;
}

static void prepare(bench_case *c, const char *name, lb_figure *figure) {
    c->name = name;
    c->figure = figure;
    c->joints = lb_figure_variable_count(figure);
    c->poses = c->joints > 1000 ? 4 : 64;
    c->repeats = 200000 / c->joints / c->poses + 1;
    c->kinematics = lb_kinematics_create(figure, NULL);
    c->pose = malloc((size_t)c->poses * (size_t)c->joints * sizeof *c->pose);
    c->jacobian = malloc(9 * (size_t)c->joints * sizeof *c->jacobian);
    uint64_t seed = 7;
    for (int i = 0; i < c->poses; i++) {
        lb_figure_random_pose(figure, &seed, c->pose + (size_t)i * (size_t)c->joints);
    }
    lb_effector_from_segment(figure, lb_figure_segment_count(figure) - 1, &c->effector);
}

static volatile double sink;

/* what 0: forward kinematics; 1: and the 6-row Jacobian; 2: and the 9-row one. Nanoseconds a call. */
static double measure(bench_case *c, int what) {
    double start = bench_now_us();
    for (int r = 0; r < c->repeats; r++) {
        for (int i = 0; i < c->poses; i++) {
            lb_kinematics_update(c->kinematics, c->pose + (size_t)i * (size_t)c->joints);
            if (what == 0) {
                double e[9];
                lb_kinematics_effector(c->kinematics, &c->effector, e);
                sink = e[0];
            } else if (what == 1) {
                lb_kinematics_twist(c->kinematics, &c->effector, c->jacobian);
                sink = c->jacobian[0];
            } else {
                lb_kinematics_jacobian(c->kinematics, &c->effector, c->jacobian);
                sink = c->jacobian[0];
            }
        }
    }
    return 1e3 * (bench_now_us() - start) / c->repeats / c->poses;
}

static int by_value(const void *a, const void *b) {
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median(double *values) {
    qsort(values, ROUNDS, sizeof *values, by_value);
    return values[ROUNDS / 2];
}

int main(int argc, char **argv) {
    bench_begin("kinematics", argc, argv);
    static bench_case cases[CASES];
    prepare(&cases[0], "Panda, 7 dofs", make_panda());
    prepare(&cases[1], "chain of 10", make_chain(10));
    prepare(&cases[2], "chain of 100", make_chain(100));
    prepare(&cases[3], "chain of 1000", make_chain(1000));
    prepare(&cases[4], "chain of 10000", make_chain(10000));
    for (int r = 0; r < ROUNDS; r++) {
        for (int i = 0; i < CASES; i++) {
            cases[i].update[r] = measure(&cases[i], 0);
            cases[i].twist[r] = measure(&cases[i], 1);
            cases[i].full[r] = measure(&cases[i], 2);
        }
    }
    printf("%-16s %12s %20s %20s %16s\n", "figure", "FK (ns)", "FK + 6-row J (ns)", "FK + 9-row J (ns)",
           "ns per joint");
    for (int i = 0; i < CASES; i++) {
        double twist = median(cases[i].twist);
        printf("%-16s %12.0f %20.0f %20.0f %16.1f\n", cases[i].name, median(cases[i].update), twist,
               median(cases[i].full), twist / cases[i].joints);
        lb_kinematics_destroy(cases[i].kinematics);
        lb_figure_destroy(cases[i].figure);
        free(cases[i].pose);
        free(cases[i].jacobian);
    }
    printf("\nns per joint is of FK + 6-row J: flat means that the cost grows linearly with the joints. The bar: at "
           "most 250 ns for the "
           "Panda.\n");
    return bench_end();
}
