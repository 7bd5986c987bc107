/* The small arm with its hand to place: what the tests of solving begin with. */
#ifndef LIMBER_TESTS_REACH_H
#define LIMBER_TESTS_REACH_H

#include <limber/solve.h>
#include <math.h>
#include <string.h>

#include "arm.h"

#define DEGREES (M_PI / 180)

static inline lb_figure *planar_arm(void) { return arm_finish(arm_builder("R(z)", "R(z)")); }

/* The elbow bends from 0 to 142 degrees. */
static inline lb_figure *limited_arm(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_joint elbow = *lb_builder_joint(b, 1);
    elbow.lower[0] = 0;
    elbow.upper[0] = 142 * DEGREES;
    REQUIRE(lb_builder_change_joint(b, 1, &elbow) == LB_OK);
    return arm_finish(b);
}

static inline void hand(lb_constraint *c, double x, double y) {
    lb_constraint_defaults(c);
    c->name = "hand";
    c->effector.segment = 2;
    c->effector.point[0] = 0.2;
    c->goal.point[0] = x;
    c->goal.point[1] = y;
}

static inline lb_problem *reach(const lb_figure *figure, double x, double y) {
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    REQUIRE(p != NULL);
    hand(&c, x, y);
    REQUIRE(lb_problem_add(p, &c) == 1);
    return p;
}

static inline void position_of(const lb_figure *figure, const double *pose, const char *site, double at[3]) {
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    lb_frame frame;
    REQUIRE(k && lb_kinematics_update(k, pose) == LB_OK &&
            lb_kinematics_site(k, lb_figure_find_site(figure, site), &frame) == LB_OK);
    memcpy(at, frame.position, sizeof frame.position);
    lb_kinematics_destroy(k);
}

#endif
