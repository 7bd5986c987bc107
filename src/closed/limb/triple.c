#include "closed/limb/triple.h"

#include <math.h>

#include "math/trig.h"

#define MEETING 1e-9      /* arm lengths by which axes may miss the point where they meet */
#define NOT_PARALLEL 1e-6 /* the sine of the angle between neighbours */
#define ON_LIMIT 1e-9     /* radians */

double lbc_sine_between(const double a[3], const double b[3]) {
    double across[3];
    lbm_cross3(a, b, across);
    return lbm_norm3(across);
}

/* The point of line b nearest to line a, which is not parallel to it. */
static void nearest_on(const double a[3], const double p[3], const double b[3], const double q[3], double out[3]) {
    double way[3], normal[3], u[3];
    lbm_sub3(q, p, way);
    lbm_cross3(a, b, normal);
    lbm_cross3(way, a, u);
    lbm_copy3(out, q);
    lbm_add_scaled3(out, b, lbm_dot3(u, normal) / lbm_dot3(normal, normal));
}

int lbc_meet_at(const lbc_arm *arm, int first, double centre[3]) {
    if (lbc_sine_between(arm->axis[first], arm->axis[first + 1]) < NOT_PARALLEL ||
        lbc_sine_between(arm->axis[first + 1], arm->axis[first + 2]) < NOT_PARALLEL) {
        return 0;
    }
    nearest_on(arm->axis[first], arm->point[first], arm->axis[first + 1], arm->point[first + 1], centre);
    for (int i = first; i < first + 3; i++) {
        double way[3];
        lbm_sub3(centre, arm->point[i], way);
        if (lbc_sine_between(arm->axis[i], way) > MEETING) {
            return 0;
        }
    }
    return 1;
}

void lbc_multiply9(const double a[9], const double b[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

void lbc_transpose9(const double a[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = a[3 * j + i];
        }
    }
}

void lbc_apply9(const double a[9], const double v[3], double out[3]) {
    lbm_set3(out, lbm_dot3(a, v), lbm_dot3(a + 3, v), lbm_dot3(a + 6, v));
}

void lbc_about9(const double w[3], double c, double s, double out[9]) {
    for (int j = 0; j < 3; j++) {
        double column[3] = {j == 0, j == 1, j == 2};
        lbc_turn(w, c, s, column, column);
        for (int i = 0; i < 3; i++) {
            out[3 * i + j] = column[i];
        }
    }
}

void lbc_between9(const double m[3], const double n[3], double out[9]) {
    double axis[3];
    lbm_cross3(m, n, axis);
    double sine = lbm_norm3(axis);
    const double cosine = lbm_dot3(m, n);
    if (sine < 1e-12) {
        lbc_across(m, axis);
        sine = lbm_norm3(axis);
        for (int k = 0; k < 3; k++) {
            axis[k] /= sine;
        }
        lbc_about9(axis, cosine > 0 ? 1 : -1, 0, out);
        return;
    }
    for (int k = 0; k < 3; k++) {
        axis[k] /= sine;
    }
    lbc_about9(axis, cosine, sine, out);
}

int lbc_solve_linear(double a, double b, double d, double *middle, double *half) {
    const double r = sqrt(a * a + b * b);
    if (r < 1e-14 || fabs(d) > r * (1 + 1e-12)) {
        return 0;
    }
    const double ratio = d / r;
    *middle = lbm_atan2(b, a);
    *half = lbm_acos(ratio > 1 ? 1 : ratio < -1 ? -1 : ratio);
    return 1;
}

int lbc_decompose(const double (*w)[3], const double x[9], int sign, double q[3]) {
    double target[3], across[3], side[3], moved[3], tilted[3], middle, half;
    const double ab = lbm_dot3(w[0], w[1]), bc = lbm_dot3(w[1], w[2]);
    lbc_apply9(x, w[2], target);
    lbm_cross3(w[1], w[2], across);
    double a = lbm_dot3(w[0], w[2]) - ab * bc, b = lbm_dot3(w[0], across), d = lbm_dot3(w[0], target) - ab * bc;
    const double r = sqrt(a * a + b * b);
    d = d > r && d < r * (1 + 1e-9) ? r : d < -r && d > -r * (1 + 1e-9) ? -r : d; /* rounding at an extreme */
    if (!lbc_solve_linear(a, b, d, &middle, &half)) {
        return 0;
    }
    double s, c;
    q[1] = middle + (sign ? -half : half);
    lbm_sincos(q[1], &s, &c);
    lbc_turn(w[1], c, s, w[2], tilted);
    lbm_cross3(tilted, target, across);
    const double sine = lbm_dot3(w[0], across);
    const double cosine = lbm_dot3(tilted, target) - lbm_dot3(w[0], tilted) * lbm_dot3(w[0], target);
    q[0] = sine * sine + cosine * cosine < 1e-24 ? 0 : lbm_atan2(sine, cosine);
    lbc_across(w[2], side);
    lbc_apply9(x, side, moved);
    double s0, c0;
    lbm_sincos(q[0], &s0, &c0);
    lbc_turn(w[0], c0, -s0, moved, moved);
    lbc_turn(w[1], c, -s, moved, moved);
    lbm_cross3(side, moved, across);
    q[2] = lbm_atan2(lbm_dot3(w[2], across), lbm_dot3(side, moved) - lbm_dot3(w[2], side) * lbm_dot3(w[2], moved));
    return 1;
}

int lbc_nearest_turn(double q, double lower, double upper, double near, double *wound) {
    const double about = lbc_far_turn(lower, upper);
    double best = INFINITY;
    for (int turn = -2; turn <= 2; turn++) {
        const double value = lbc_wrapped(q) + (about + turn) * LBM_TWO_PI;
        if (value >= lower - ON_LIMIT && value <= upper + ON_LIMIT && fabs(value - near) < best) {
            best = fabs(value - near);
            *wound = value;
        }
    }
    return best < INFINITY;
}

double lbc_swivel_of(const double n[3], const double way[3]) {
    const double down[3] = {0, 0, -1}, ahead[3] = {1, 0, 0};
    double from[3], to[3], across[3];
    lbm_copy3(from, lbc_sine_between(n, down) > 1e-6 ? down : ahead);
    lbm_copy3(to, way);
    lbm_add_scaled3(from, n, -lbm_dot3(n, from));
    lbm_add_scaled3(to, n, -lbm_dot3(n, to));
    lbm_cross3(from, to, across);
    return lbm_atan2(lbm_dot3(n, across), lbm_dot3(from, to));
}

double lbc_margin(double q, double lower, double upper) {
    const double about = lbc_far_turn(lower, upper);
    double most = -INFINITY;
    for (int turn = about != 0 ? -2 : -1; turn <= 1 || (about != 0 && turn <= 2); turn++) {
        const double value = q + (about + turn) * LBM_TWO_PI, below = value - lower, above = upper - value;
        const double margin = below < above ? below : above;
        most = margin > most ? margin : most;
    }
    return most;
}
