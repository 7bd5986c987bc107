/* Arithmetic that errs on one side, of which all is made that is called proved: out of reach, no solution, inside.
 *
 * A computed number is off the true one by rounding. A proof must hold of the true one. So each bound is moved away
 * from what it bounds by at least what rounding may have done, and a claim is made only where it still holds:
 *
 *     lbm_widen(range, slack);                                        a range that has all true values
 *     const double missing = lbm_proved(distance - allowed, slack);   > 0: so much of it is proved, whatever was rounded
 *
 * Where the slack comes from. u = 2^-53 is the most that one operation is off, of its result. A point p in a frame
 * goes to R p + t by three products and three sums a coordinate, off by 4 u (|R p| + |t|) at most. The entries of R
 * are products of rotations, each off by no more than 8 u (the sine, the cosine, two products and a sum; a quaternion
 * that was normalised). So one motion of a chain turns what follows by up to 16 u too much or too little, and shifts
 * it by up to 16 u of the lengths that are gone through. n motions, lengths L in all: 16 n u L. Each of two sides has
 * that (the figure's kinematics, which say where the goal is reached, and the chain that the proof is about), and the
 * way back from the world as much again: 64 n u L is more than all three. */
#ifndef LIMBER_MATH_OUTWARD_H
#define LIMBER_MATH_OUTWARD_H

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define LBM_MOTION_SLACK 0x1p-47 /* 64 u, of the lengths, for each motion */
#define LBM_ANGLE_SLACK 0x1p-49  /* 16 u: of an angle, and of a full turn, that a few sums made */

/* What rounding may add up to over a chain of so many motions, whose lengths add up to `lengths`. */
static inline double lbm_motion_slack(double motions, double lengths) { return LBM_MOTION_SLACK * motions * lengths; }

/* How much of an excess is proved where it may be off by `slack`; 0 where nothing is, as of what is not a number. */
static inline double lbm_proved(double excess, double slack) {
    const double left = excess - slack;
    return left > 0 ? left * (1 - 0x1p-50) : 0;
}

static inline void lbm_widen(double range[2], double by) {
    range[0] -= by;
    range[1] += by;
}

/* The same of lengths, which are not below 0. */
static inline void lbm_widen_length(double range[2], double by) {
    range[0] = range[0] > by ? range[0] - by : 0;
    range[1] += by;
}

/* The greatest angle, about an axis, between what is at least `r` away from it and what is within `by` of that; more
 * than a half turn where it may be any. */
static inline double lbm_angle_within(double by, double r) {
    return by < 0.5 * r ? 1.1 * (by / r) : 4; /* asin x <= x pi / 3 up to a half */
}

/* Bounds of sqrt(d d - z z), 0 where that is not above 0. As a product nothing of it cancels but what is given. */
static inline double lbm_leg_below(double d, double z) { return d > z ? sqrt((d - z) * (d + z)) * (1 - 0x1p-50) : 0; }
static inline double lbm_leg_above(double d, double z) { return d > z ? sqrt((d - z) * (d + z)) * (1 + 0x1p-50) : 0; }

/* The next float towards -infinity, and towards infinity. */
static inline float lbm_step_float(float x, int up) {
    int32_t bits;
    memcpy(&bits, &x, sizeof bits);
    if (x == 0) {
        bits = up ? 1 : INT32_MIN + 1;
    } else {
        bits += (x > 0) == (up != 0) ? 1 : -1;
    }
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The greatest float that is not above x, and the least that is not below it. */
static inline float lbm_float_below(double x) {
    const float near = x > FLT_MAX ? FLT_MAX : x < -FLT_MAX ? -INFINITY : (float)x;
    return (double)near > x ? lbm_step_float(near, 0) : near;
}
static inline float lbm_float_above(double x) {
    const float near = x > FLT_MAX ? INFINITY : x < -FLT_MAX ? -FLT_MAX : (float)x;
    return (double)near < x ? lbm_step_float(near, 1) : near;
}

#endif
