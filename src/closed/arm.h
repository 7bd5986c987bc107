/* An arm as the closed forms see it: a chain of axes, and a frame at its end.
 *
 * Joint i turns about (or slides along) the line through point[i] along axis[i], as it lies in the base frame where all
 * joints are 0; home is the end's frame there. With E_i the motion of joint i, the end's frame is E_1 E_2 ... E_n home.
 * Lengths are in units of `length`, the longest distance from one joint to the next, so that tolerances are plain
 * numbers. */
#ifndef LIMBER_CLOSED_ARM_H
#define LIMBER_CLOSED_ARM_H

#include "math/vec.h"

#define LBC_JOINTS 7 /* of an arm, at most */

typedef struct lbc_arm {
    int n;
    int slides[LBC_JOINTS];
    double axis[LBC_JOINTS][3];  /* unit vectors */
    double point[LBC_JOINTS][3]; /* points of the axes */
    double length;               /* metres: the unit of all lengths here */
    lbm_transform home, home_inverse;
    lbm_transform
        gap[LBC_JOINTS + 1]; /* from joint i - 1's frame, whose z is its axis, to joint i's; at last to the end */
} lbc_arm;

/* Forward kinematics: the frame of each joint after its motion, and the end's. */
typedef struct lbc_motion {
    lbm_transform frame[LBC_JOINTS], end;
} lbc_motion;

/* Completes an arm whose axes, points and home are known in metres: chooses the unit and fills the other fields. */
void lbc_arm_finish(lbc_arm *arm);
/* Moves all joints. The sine and cosine of joints that slide are not looked at. */
void lbc_arm_move(const lbc_arm *arm, const double *q, const double *sine, const double *cosine, lbc_motion *motion);
/* The same from the angles alone. */
void lbc_arm_forward(const lbc_arm *arm, const double *q, lbc_motion *motion);
/* How far the end is from a goal: the way in arm lengths, then the rotation vector. Returns the Euclidean norm of all
 * six. */
double lbc_arm_error(const lbm_transform *end, const lbm_transform *goal, double error[6]);
/* The Jacobian in the same units, row-major [6][n]. */
void lbc_arm_jacobian(const lbc_arm *arm, const lbc_motion *motion, double *jacobian);
/* The ratio of the largest to the smallest singular value of the Jacobian; INFINITY where that is 0. */
double lbc_arm_condition(const lbc_arm *arm, const double *q);
/* Whether the arm is singular in every pose, as random ones tell. */
int lbc_arm_is_singular(const lbc_arm *arm);
/* The same of a Jacobian [6][n], which is spoilt. */
double lbc_jacobian_condition(double *jacobian, int n);
/* Newton's method from q, damped where it must be. Returns the error that is left. */
double lbc_arm_polish(const lbc_arm *arm, const lbm_transform *goal, double *q, int iterations);

/* The angle in (-pi, pi] that differs from x by whole turns. */
double lbc_wrapped(double x);
/* out = v turned about the unit vector w by the angle of this cosine and sine. out may be v. */
static inline void lbc_turn(const double w[3], double c, double s, const double v[3], double out[3]) {
    const double along = (1 - c) * lbm_dot3(w, v);
    double side[3];
    lbm_cross3(w, v, side);
    lbm_set3(out, c * v[0] + along * w[0] + s * side[0], c * v[1] + along * w[1] + s * side[1],
             c * v[2] + along * w[2] + s * side[2]);
}
/* out = the point v turned about the line through p along w. out may be v. */
static inline void lbc_turn_about(const double w[3], const double p[3], const double cs[2], const double v[3],
                                  double out[3]) {
    double from[3];
    lbm_sub3(v, p, from);
    lbc_turn(w, cs[0], cs[1], from, out);
    lbm_add_scaled3(out, p, 1);
}
/* Any vector at right angles to the unit vector w, not too short. */
static inline void lbc_across(const double w[3], double out[3]) {
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0};
    lbm_cross3(w, fabs(w[0]) < 0.7 ? x : y, out);
}

#endif
