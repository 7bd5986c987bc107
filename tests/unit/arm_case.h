/* Random chains of joints with one end-effector to place: what the tests of the arm engine begin with. */
#ifndef LIMBER_TESTS_CHAIN_CASE_H
#define LIMBER_TESTS_CHAIN_CASE_H

#include <limber/solve.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "math/rotation.h"
#include "reach.h"
#include "solve/arm/arm_plan.h"
#include "solve/solver.h"

#define MAX_JOINTS 9

/* A chain of `count` joints that turn or slide, some with ranges and rigidity, at places that are odd or at right
 * angles, the last joint some backwards. */
typedef struct arm_case {
    lb_figure *figure;
    lb_problem *problem;
    lb_solver *solver;
    lb_constraint constraint;
    int id, n;
} arm_case;

static inline double range(check_random *r, double low, double high) { return check_random_range(r, low, high); }

static inline void random_frame(check_random *r, int odd, lb_frame *frame) {
    static const double quarters[4] = {0, 0.5, -0.5, 1};
    lb_frame_identity(frame);
    for (int k = 0; k < 3; k++) {
        frame->position[k] = check_random_index(r, 3) == 0 ? 0 : range(r, -0.4, 0.4);
    }
    double axis[3] = {0, 0, 0};
    axis[check_random_index(r, 3)] = 1;
    if (odd) {
        lbm_set3(axis, range(r, -1, 1), range(r, -1, 1), range(r, 0.1, 1));
    }
    double angle = odd ? range(r, -3, 3) : M_PI * quarters[check_random_index(r, 4)];
    if (check_random_index(r, 6) == 0) {
        angle += 1e-7; /* nearly aligned is not aligned */
    }
    lb_rotation_about(axis, angle, frame->rotation);
}

static inline lb_figure *random_chain(check_random *r, int count) {
    static const char *const types[] = {"R(z)", "R(x)", "R(y)", "R(z)", "T(x)"};
    lb_builder *b = lb_builder_create(NULL, NULL);
    REQUIRE(b != NULL && arm_segment(b, "base", 0) == 0);
    for (int i = 0; i < count; i++) {
        char name[16], joint_name[16];
        snprintf(name, sizeof name, "s%d", i);
        snprintf(joint_name, sizeof joint_name, "j%d", i);
        lb_site site;
        lb_site_defaults(&site);
        site.name = "out";
        site.segment = i;
        random_frame(r, check_random_index(r, 3) == 0, &site.frame);
        int from = lb_builder_add_site(b, &site);
        int segment = arm_segment(b, name, 0);
        lb_site_defaults(&site);
        site.name = "in";
        site.segment = segment;
        random_frame(r, check_random_index(r, 4) == 0, &site.frame);
        int to = lb_builder_add_site(b, &site);
        lb_joint joint;
        lb_joint_defaults(&joint);
        joint.name = joint_name;
        int backwards = check_random_index(r, 4) == 0;
        joint.site_a = backwards ? to : from;
        joint.site_b = backwards ? from : to;
        int slides = check_random_index(r, 5) == 0;
        REQUIRE(lb_joint_type_parse(types[slides ? 4 : check_random_index(r, 4)], &joint.type, NULL) == LB_OK);
        if (slides || check_random_index(r, 4)) {
            joint.lower[0] = slides ? -0.2 : range(r, -2.5, -0.5);
            joint.upper[0] = slides ? 0.3 : range(r, 0.5, 2.5);
        }
        if (check_random_index(r, 4) == 0) {
            joint.rigidity[0] = 0.5;
        }
        REQUIRE(lb_builder_add_joint(b, &joint) >= 0);
    }
    return arm_finish(b);
}

static inline void open_case_of(check_random *r, lb_goal_kind kind, int n, arm_case *c) {
    c->n = n;
    c->figure = random_chain(r, c->n);
    c->problem = lb_problem_create(c->figure, NULL);
    lb_constraint_defaults(&c->constraint);
    c->constraint.effector.segment = c->n;
    lbm_set3(c->constraint.effector.point, 0.1, -0.05, 0.2);
    c->constraint.goal.kind = kind;
    c->id = lb_problem_add(c->problem, &c->constraint);
    REQUIRE(c->id > 0);
    c->solver = lb_solver_create(c->problem, NULL);
    REQUIRE(c->solver != NULL);
}

static inline void open_case(check_random *r, lb_goal_kind kind, arm_case *c) {
    open_case_of(r, kind, 4 + check_random_index(r, MAX_JOINTS - 3), c);
}

static inline void close_case(arm_case *c) {
    lb_solver_destroy(c->solver);
    lb_problem_destroy(c->problem);
    lb_figure_destroy(c->figure);
}

/* Moves the goal to where the effector is in a pose. */
static inline void aim_at_pose(arm_case *c, const double *pose) {
    lb_kinematics *k = lb_kinematics_create(c->figure, NULL);
    double e[9], z[3];
    lb_frame frame;
    REQUIRE(k && lb_kinematics_update(k, pose) == LB_OK);
    lb_kinematics_effector(k, &c->constraint.effector, e);
    lbm_cross3(e + 3, e + 6, z);
    double m[9] = {e[3], e[6], z[0], e[4], e[7], z[1], e[5], e[8], z[2]};
    lbm_copy3(frame.position, e);
    lb_rotation_from_matrix(m, frame.rotation);
    REQUIRE(lb_problem_move_goal(c->problem, c->id, &frame) == LB_OK);
    lb_kinematics_destroy(k);
}

/* A plan, by way of a solve that makes the solver's. */
static inline const lbs_arm *plan_of(arm_case *c) {
    double pose[MAX_JOINTS] = {0};
    lb_result result;
    lb_result_defaults(&result);
    lb_figure_rest_pose(c->figure, pose);
    REQUIRE(lb_solver_solve(c->solver, NULL, pose, &result) == LB_OK);
    REQUIRE(c->solver->arm.has_plan);
    return c->solver->arm.plan;
}

static inline const lb_goal *goal_of(const arm_case *c) { return &lb_problem_constraint(c->problem, 0)->goal; }

#endif
