/* Rotations that the public header has no function for. */
#include "io/rotation.h"

#include <math.h>

#include "math/trig.h"

void lbio_rotation_conjugate(const double rotation[4], double out[4]) {
    for (int i = 0; i < 4; i++) {
        out[i] = i < 3 ? -rotation[i] : rotation[i];
    }
}

void lbio_rotation_apply(const double rotation[4], const double v[3], double out[3]) {
    double m[9], w[3] = {v[0], v[1], v[2]};
    lb_rotation_to_matrix(rotation, m);
    for (int i = 0; i < 3; i++) {
        out[i] = m[3 * i] * w[0] + m[3 * i + 1] * w[1] + m[3 * i + 2] * w[2];
    }
}

void lbio_rotation_log(const double rotation[4], double v[3]) {
    double sign = rotation[3] < 0 ? -1 : 1;
    double sine = sqrt(rotation[0] * rotation[0] + rotation[1] * rotation[1] + rotation[2] * rotation[2]);
    double factor = sine > 1e-12 ? 2 * lbm_atan2(sine, sign * rotation[3]) / sine : 2;
    for (int i = 0; i < 3; i++) {
        v[i] = sign * factor * rotation[i];
    }
}

/* exp(a, b, 0) R(z, t) has z = cos(swing / 2) sin(t / 2), w = cos(swing / 2) cos(t / 2): so t, and what is left is the
 * swing. A swing of a half turn has no twist of its own; then it is 0. */
void lbio_rotation_swing_twist(const double rotation[4], double values[3]) {
    double length = sqrt(rotation[2] * rotation[2] + rotation[3] * rotation[3]), swing[4], v[3];
    double twist[4] = {0, 0, 0, 1};
    if (length > 1e-9) {
        double sign = rotation[3] < 0 ? -1 : 1;
        twist[2] = sign * rotation[2] / length;
        twist[3] = sign * rotation[3] / length;
    }
    double back[4];
    lbio_rotation_conjugate(twist, back);
    lb_rotation_multiply(rotation, back, swing);
    lbio_rotation_log(swing, v);
    values[0] = v[0];
    values[1] = v[1];
    values[2] = 2 * lbm_atan2(twist[2], twist[3]);
}

void lbio_rotation_least(const double from[3], const double to[3], double rotation[4]) {
    double axis[3] = {from[1] * to[2] - from[2] * to[1], from[2] * to[0] - from[0] * to[2],
                      from[0] * to[1] - from[1] * to[0]};
    double dot = from[0] * to[0] + from[1] * to[1] + from[2] * to[2];
    double sine = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    static const double ahead[3] = {1, 0, 0};
    /* arms straight up come down in the plane of the body */
    lb_rotation_about(sine > 1e-9 ? axis : ahead,
                      sine > 1e-9 ? lbm_atan2(sine, dot)
                      : dot > 0   ? 0
                                  : 3.14159265358979323846,
                      rotation);
}
