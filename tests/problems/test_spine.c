/* ZB94, figures 4 and 5: how the angles of the 17 joints of the spine are spread when the tube is looked into. Grouped,
 * they follow the shares of the group, a smooth curve; free, each goes where its own derivative and limits take it.
 *
 * Roughness of angles a_1 .. a_17 is the sum of squares of their second differences over the sum of their squares; 0 is
 * a straight line, 16 is a zigzag. */
#include "shipped.h"

#include "check.h"
#include "io/plot.h"

#include <math.h>
#include <string.h>

#define LEVELS 17

static const char *const levels[LEVELS] = {"T1",  "T2",  "T3",  "T4", "T5", "T6", "T7", "T8", "T9",
                                           "T10", "T11", "T12", "L1", "L2", "L3", "L4", "L5"};
static const char *const directions[3] = {"flexion", "lateral", "axial"};

static void spine_angles(const opened *o, double angles[3][LEVELS]) {
    const lb_figure *figure = lb_problem_figure(o->problem, 0);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    REQUIRE(kinematics && lb_kinematics_update(kinematics, o->pose) == LB_OK);
    for (int i = 0; i < LEVELS; i++) {
        int joint = lb_figure_find_joint(figure, levels[i]);
        REQUIRE(joint >= 0);
        for (int d = 0; d < 3; d++) {
            CHECK_TEXT(lb_figure_joint(figure, joint)->dof_names[d], directions[d]);
            angles[d][i] = lb_kinematics_dof(kinematics, joint, d) * 57.29577951308232;
        }
    }
    lb_kinematics_destroy(kinematics);
}

static double roughness(const double *a) {
    double bends = 0, all = 0;
    for (int i = 0; i < LEVELS; i++) {
        all += a[i] * a[i];
    }
    for (int i = 1; i + 1 < LEVELS; i++) {
        bends += (a[i - 1] - 2 * a[i] + a[i + 1]) * (a[i - 1] - 2 * a[i] + a[i + 1]);
    }
    return bends / all;
}

/* Figures 4 and 5 in one: docs/pictures/problems/spine.png is this. */
static void plot_angles(double angles[2][3][LEVELS]) {
    static const char *const names[6] = {"flexion, grouped", "lateral, grouped", "axial, grouped",
                                         "flexion, free",    "lateral, free",    "axial, free"};
    double x[LEVELS];
    lbio_series series[6];
    char path[1024];
    lb_error error;
    for (int i = 0; i < LEVELS; i++) {
        x[i] = i + 1;
    }
    for (int k = 0; k < 6; k++) {
        series[k] = (lbio_series){names[k], x, angles[k / 3][k % 3], LEVELS, k < 3};
    }
    lbio_plot plot = {"Angles of the spine looking down the tube (lm)",
                      "joint, from T1 (1) to L5 (17)",
                      "degrees",
                      0,
                      0,
                      0,
                      0,
                      series,
                      6};
    check_scratch("spine.png", path, sizeof path);
    CHECK_INT(lbio_plot_write(&plot, path, &error), LB_OK);
}

int main(void) {
    static const char *const names[2] = {"zb94-tube-grouped", "zb94-tube-free"};
    static const lb_method methods[2] = {LB_METHOD_LM, LB_METHOD_BFGS};
    for (int m = 0; m < 2; m++) {
        double angles[2][3][LEVELS], rough[2] = {0, 0};
        for (int p = 0; p < 2; p++) {
            opened o = open_shipped(names[p]);
            solve_shipped(&o, methods[m]);
            CHECK_INT(o.result.outcome, LB_OUTCOME_SOLVED);
            spine_angles(&o, angles[p]);
            close_shipped(&o);
            for (int d = 0; d < 3; d++) {
                printf("%-4s %-17s %-7s", lb_method_name(methods[m]), names[p], directions[d]);
                for (int i = 0; i < LEVELS; i++) {
                    printf(" %5.1f", angles[p][d][i]);
                }
                printf("  roughness %.3f\n", roughness(angles[p][d]));
                rough[p] += roughness(angles[p][d]);
            }
        }
        CHECK(4 * rough[0] < rough[1]);
        if (methods[m] == LB_METHOD_LM) {
            plot_angles(angles);
        }
    }
    return check_done();
}
