/* Curves through keys, for numbers and for rotations alike.
 *
 * A lane is what goes from key to key: one number (dim 1), or a rotation (dim 3). Between two keys, `turn` leads from
 * the one to the other: the difference of the numbers, or the rotation vector phi with next = key * exp(phi). On the
 * way the value is key + r(s), or key * exp(r(s)), with r a cubic from 0 to turn. Slopes belong to keys: the velocity,
 * or the angular velocity in the key's own frame. All of it turns with the keys, whatever the world is turned by. */
#ifndef LIMBER_MOTION_SPLINE_H
#define LIMBER_MOTION_SPLINE_H

#include <stddef.h>

enum { LBT_CLAMP_FIRST = 1, LBT_CLAMP_LAST = 2, LBT_PERIODIC = 4 };

/* Slopes [count + 1][dim] of the C2 spline over `count` stretches of these lengths and turns [count][dim]; ends: flags
 * above, else no acceleration there. Periodic: the last key is the first again. scratch: lbt_spline_room doubles. */
size_t lbt_spline_room(int dim, int count);
void lbt_spline_slopes(int dim, int count, const double *lengths, const double *turns, int ends, double *slopes,
                       double *scratch);

/* The slope at a key of the parabola through it and its neighbours (Catmull-Rom for uneven times). */
void lbt_parabola_slope(int dim, double length_before, const double *turn_before, double length_after,
                        const double *turn_after, double *slope);

/* At s in 0..1 of a stretch: value, rate and acceleration of a number. */
void lbt_number_at(double key, double turn, double length, double s, double slope_before, double slope_after,
                   double out[3]);
/* A stretch from one key of a rotation to the next. */
typedef struct lbt_rotation_stretch {
    const double *key;                        /* [4]: the rotation at its beginning */
    const double *turn;                       /* [3]: the rotation vector that leads to its end */
    double length;                            /* seconds */
    const double *slope_before, *slope_after; /* [3]: angular velocities at its ends */
} lbt_rotation_stretch;

/* At s in 0..1 of a stretch: a rotation, with its angular velocity and the rate of that, in the frame that the key is
 * given in (the world); either may be NULL. */
void lbt_rotation_at(const lbt_rotation_stretch *stretch, double s, double rotation[4], double *rate,
                     double *acceleration);
/* The rotation vector that leads from a to b the short way. */
void lbt_turn(const double a[4], const double b[4], double turn[3]);

/* Solves a small system for `columns` right sides, each `dim` long; the matrix (row-major) is used up. */
void lbt_solve_small(int dim, double *matrix, double *right, int columns);

#endif
