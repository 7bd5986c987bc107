/* What tests of the closed forms share: arms by Denavit-Hartenberg tables, goals, and looking solutions up. */
#ifndef LIMBER_TESTS_UNIT_CLOSED_CASE_H
#define LIMBER_TESTS_UNIT_CLOSED_CASE_H

#include <limber/io.h>
#include <math.h>
#include <string.h>

#include "check.h"

#define CLOSED_PI 3.14159265358979323846
#define CLOSED_VARIABLES 128

typedef struct closed_case {
    lb_figure *figure;
    lb_effector effector;
    lb_closed *closed;
    lb_kinematics *kinematics;
    int n; /* variables of the figure */
    lb_closed_result result;
} closed_case;

static inline void closed_begin(closed_case *c, lb_figure *figure, const char *effector,
                                const lb_closed_options *options) {
    lb_error error;
    REQUIRE(figure != NULL);
    c->figure = figure;
    c->n = lb_figure_variable_count(figure);
    REQUIRE(c->n <= CLOSED_VARIABLES);
    REQUIRE(lb_figure_find_effector(figure, effector, &c->effector, &error) == LB_OK);
    c->closed = lb_closed_create(figure, &c->effector, options, &error);
    if (!c->closed) {
        check_note("%s", error.message);
    }
    REQUIRE(c->closed != NULL);
    c->kinematics = lb_kinematics_create(figure, NULL);
    REQUIRE(c->kinematics != NULL);
    lb_closed_result_defaults(&c->result);
}

static inline void closed_end(closed_case *c) {
    lb_kinematics_destroy(c->kinematics);
    lb_closed_destroy(c->closed);
    lb_figure_destroy(c->figure);
}

static inline lb_figure *closed_load(const char *name) {
    char path[4096];
    lb_figure *figure = NULL;
    lb_error error;
    REQUIRE(check_source(name, path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    return figure;
}

/* An arm by rows of a, alpha, d of standard parameters; prismatic: the number of the joint that slides, or -1. */
static inline lb_figure *closed_dh(const double (*rows)[3], int count, double range, int prismatic) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment segment;
    lb_site site;
    lb_dh_row dh[8];
    lb_figure *figure = NULL;
    REQUIRE(b != NULL);
    lb_segment_defaults(&segment);
    segment.name = "base";
    lb_builder_add_segment(b, &segment);
    lb_site_defaults(&site);
    site.name = "out";
    site.segment = 0;
    lb_builder_add_site(b, &site);
    memset(dh, 0, sizeof dh);
    for (int i = 0; i < count; i++) {
        dh[i].a = rows[i][0];
        dh[i].alpha = rows[i][1];
        dh[i].d = rows[i][2];
        dh[i].is_prismatic = i == prismatic;
        dh[i].lower = -range;
        dh[i].upper = range;
    }
    REQUIRE(lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, count, dh) >= 0);
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

/* Where the effector is in a pose. */
static inline void closed_goal(closed_case *c, const double *pose, lb_frame *goal) {
    double e[9], z[3];
    lb_kinematics_update(c->kinematics, pose);
    lb_kinematics_effector(c->kinematics, &c->effector, e);
    z[0] = e[4] * e[8] - e[5] * e[7];
    z[1] = e[5] * e[6] - e[3] * e[8];
    z[2] = e[3] * e[7] - e[4] * e[6];
    const double matrix[9] = {e[3], e[6], z[0], e[4], e[7], z[1], e[5], e[8], z[2]};
    memcpy(goal->position, e, sizeof goal->position);
    lb_rotation_from_matrix(matrix, goal->rotation);
}

static inline double closed_wrapped(double x) { return remainder(x, 2 * CLOSED_PI); }

/* The number of the solution that has these values, whole turns of angles apart, or -1. */
static inline int closed_find(const closed_case *c, const double *values, double tolerance) {
    for (int i = 0; i < c->result.all_count; i++) {
        lb_closed_solution s;
        double most = 0;
        lb_closed_solution_defaults(&s);
        lb_closed_get(c->closed, i, &s);
        for (int k = 0; k < lb_closed_variable_count(c->closed); k++) {
            const int is_angle = lb_figure_variable(c->figure, lb_closed_variable(c->closed, k))->is_angle;
            const double by = s.values[k] - values[k];
            most = fmax(most, fabs(is_angle ? closed_wrapped(by) : by));
        }
        if (most <= tolerance) {
            return i;
        }
    }
    return -1;
}

/* The largest difference between where the effector is in solution i and where it should be: metres, or of unit vectors. */
static inline double closed_miss(closed_case *c, int i, const double *start, const lb_frame *goal) {
    double pose[CLOSED_VARIABLES], most = 0;
    lb_frame at;
    memcpy(pose, start, (size_t)c->n * sizeof *pose);
    lb_closed_pose(c->closed, i, pose);
    closed_goal(c, pose, &at);
    const double sign = at.rotation[0] * goal->rotation[0] + at.rotation[1] * goal->rotation[1] +
                                    at.rotation[2] * goal->rotation[2] + at.rotation[3] * goal->rotation[3] <
                                0
                            ? -1
                            : 1;
    for (int k = 0; k < 3; k++) {
        most = fmax(most, fabs(at.position[k] - goal->position[k]));
    }
    for (int k = 0; k < 4; k++) {
        most = fmax(most, fabs(sign * at.rotation[k] - goal->rotation[k]));
    }
    return most;
}

#endif
