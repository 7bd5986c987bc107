/* Quaternions, frames and the exponential map. Public functions on frames (lb_frame_..., lb_rotation_...) are in
 * rotation.c too. */
#ifndef LIMBER_MATH_ROTATION_H
#define LIMBER_MATH_ROTATION_H

#include <limber/limber.h>

#include "math/vec.h"

void lbm_quaternion_multiply(const double a[4], const double b[4], double out[4]);
/* Unit length; leaves what is unit to rounding as it is, bit for bit. Returns 0 if the length is 0 or not finite. */
int lbm_quaternion_normalise(double q[4]);
/* out = v turned; out may be v. */
void lbm_quaternion_rotate(const double q[4], const double v[3], double out[3]);
void lbm_transform_from_frame(const lb_frame *frame, lbm_transform *t);
void lbm_transform_to_frame(const lbm_transform *t, lb_frame *frame);

/* What the exponential map of a rotation vector v needs, with theta = |v| (Taylor series near 0, no cancellation):
 * exp(v) = 1 + s [v] + a [v]^2; its left Jacobian 1 + a [v] + b [v]^2, where omega = J dv is the angular velocity. */
typedef struct lbm_exponential {
    double s;      /* sin theta / theta */
    double a;      /* (1 - cos theta) / theta^2 */
    double b;      /* (theta - sin theta) / theta^3 */
    double da, db; /* (da/dtheta) / theta, (db/dtheta) / theta */
} lbm_exponential;

void lbm_exponential_at(const double v[3], lbm_exponential *e);
/* The rotation exp(v), and the columns of its left Jacobian, both in the frame that v is given in. */
void lbm_exponential_columns(const double v[3], const lbm_exponential *e, double rotation[3][3], double jacobian[3][3]);
/* out = (dJ/dv_i) e_j. */
void lbm_exponential_second(const double v[3], const lbm_exponential *e, int i, int j, double out[3]);
/* exp(v) as a quaternion. */
void lbm_exponential_quaternion(const double v[3], double q[4]);
/* The rotation vector of a rotation, |v| <= pi. */
void lbm_logarithm(const double rotation[4], double v[3]);

#endif
