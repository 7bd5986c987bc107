/* Rotations and directions that are spread evenly, the same for every map with so many of them. */
#include "map/map.h"
#include "math/trig.h"
#include <math.h>

/* Super-Fibonacci spirals (M. Alexa, CVPR 2022): unit quaternions of low discrepancy for any count. The second constant
 * is the real root above 1 of x^4 = x + 4. */
#define SPIRAL_A 1.41421356237309504880
#define SPIRAL_B 1.53375116875520428812

static void spread_rotation(int i, int count, double q[4]) {
    const double s = i + 0.5, t = s / count, small = sqrt(t), large = sqrt(1 - t);
    const double a = LBM_TWO_PI * fmod(s / SPIRAL_A, 1), b = LBM_TWO_PI * fmod(s / SPIRAL_B, 1);
    q[0] = small * lbm_sin(a), q[1] = small * lbm_cos(a), q[2] = large * lbm_sin(b), q[3] = large * lbm_cos(b);
}

/* The shortest rotation that takes x to the direction number i of a Fibonacci lattice. */
static void spread_direction(int i, int count, double q[4]) {
    const double golden = 0.61803398874989484820, z = 1 - (2 * i + 1.0) / count, r = sqrt(1 - z * z);
    const double angle = LBM_TWO_PI * fmod((i + 0.5) * golden, 1);
    const double d[3] = {r * lbm_cos(angle), r * lbm_sin(angle), z};
    if (d[0] < -1 + 1e-12) {
        q[0] = q[1] = q[3] = 0, q[2] = 1;
        return;
    }
    const double w = sqrt((1 + d[0]) / 2); /* x cross d = (0, -d2, d1) */
    q[0] = 0, q[1] = -d[2] / (2 * w), q[2] = d[1] / (2 * w), q[3] = w;
}

void lbmap_spread(int count, int axis, double (*rotations)[4]) {
    for (int i = 0; i < count; i++) {
        if (axis >= 0) {
            spread_direction(i, count, rotations[i]);
        } else {
            spread_rotation(i, count, rotations[i]);
        }
    }
}
