/* Frames and rotations. */
#include "math/rotation.h"

#include <limber/limber.h>
#include <math.h>

#include "check.h"

static uint64_t state = 3;

static double next(double low, double high) {
    state = state * 6364136223846793005ull + 1442695040888963407ull;
    return low + (high - low) * (double)(state >> 11) * 0x1p-53;
}

static void same_rotation(const double a[4], const double b[4], double tolerance) {
    double dot = 0;
    for (int i = 0; i < 4; i++) {
        dot += a[i] * b[i];
    }
    double worst = 0;
    for (int i = 0; i < 4; i++) {
        worst = fmax(worst, fabs(a[i] - (dot < 0 ? -b[i] : b[i])));
    }
    CHECK_NEAR(worst, 0, tolerance);
}

static void check_round_trips(void) {
    for (int i = 0; i < 2000; i++) {
        double rpy[3] = {next(-3.1, 3.1), next(-1.57079, 1.57079), next(-3.1, 3.1)}, back[3], q[4], q2[4], m[9];
        if (i % 10 == 0) {
            rpy[1] = i % 20 ? 1.5707963267948966 : -1.5707963267948966; /* straight up and down */
        }
        lb_rotation_from_rpy(rpy, q);
        lb_rotation_to_rpy(q, back);
        lb_rotation_from_rpy(back, q2);
        same_rotation(q, q2, 2e-15);
        if (i % 10) {
            for (int k = 0; k < 3; k++) {
                CHECK_NEAR(back[k], rpy[k], 1e-15 / cos(rpy[1]));
            }
        }
        lb_rotation_to_matrix(q, m);
        lb_rotation_from_matrix(m, q2);
        same_rotation(q, q2, 1e-15);
        double v[3];
        lbm_logarithm(q, v);
        CHECK(lb_rotation_about(v, lbm_norm3(v), q2) == LB_OK);
        same_rotation(q, q2, 1e-15);
    }
}

/* The series and the direct forms meet where they change over, and agree with the definitions. */
static void check_exponential(void) {
    const double lengths[] = {1e-9, 1e-3, 0.4999, 0.5, 0.5001, 2, 3.1, 6};
    for (int i = 0; i < 8; i++) {
        long double t = (long double)lengths[i];
        double v[3] = {0, lengths[i], 0};
        lbm_exponential e;
        lbm_exponential_at(v, &e);
        CHECK_NEAR(e.s, (double)(sinl(t) / t), 2e-16);
        if (lengths[i] < 0.01) {
            continue; /* the definitions cancel there */
        }
        CHECK_NEAR(e.a, (double)((1 - cosl(t)) / (t * t)), 5e-16);
        CHECK_NEAR(e.b, (double)((t - sinl(t)) / (t * t * t)), 1e-15);
        CHECK_NEAR(e.da, (double)((sinl(t) / t - 2 * (1 - cosl(t)) / (t * t)) / (t * t)), 1e-14);
        CHECK_NEAR(e.db, (double)(((1 - cosl(t)) / (t * t) - 3 * (t - sinl(t)) / (t * t * t)) / (t * t)), 1e-14);
    }
}

int main(void) {
    check_round_trips();
    check_exponential();
    double q[4];
    const double none[3] = {0, 0, 0}, huge[3] = {0, 1e200, 0};
    CHECK_INT(lb_rotation_about(none, 1, q), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_rotation_about(huge, 1, q), LB_OK);
    CHECK_NEAR(q[1], sin(0.5), 1e-15);
    CHECK_INT(lb_rotation_about(huge, NAN, q), LB_ERROR_ARGUMENT);
    lb_frame a = {{1, 2, 3}, {0, 0, 0, 1}}, inverse, product;
    lb_rotation_from_rpy((double[]){0.3, -0.4, 0.5}, a.rotation);
    lb_frame_invert(&a, &inverse);
    lb_frame_multiply(&a, &inverse, &product);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(product.position[i], 0, 1e-15);
    }
    CHECK_NEAR(product.rotation[3], 1, 1e-15);
    return check_done();
}
