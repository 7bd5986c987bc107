/* Rotations that the public header has no function for: quaternions are x, y, z, w. */
#ifndef LIMBER_IO_ROTATION_H
#define LIMBER_IO_ROTATION_H

#include <limber/limber.h>

/* The rotation vector of a quaternion. */
void lbio_rotation_log(const double rotation[4], double v[3]);
/* Swing (a, b) and twist about z: exp(a, b, 0) * R(z, t). */
void lbio_rotation_swing_twist(const double rotation[4], double values[3]);
void lbio_rotation_conjugate(const double rotation[4], double out[4]);
void lbio_rotation_apply(const double rotation[4], const double v[3], double out[3]);
/* The turn that takes one unit vector to another by the shortest way; of opposite ones a half turn about x. */
void lbio_rotation_least(const double from[3], const double to[3], double rotation[4]);

#endif
