/* Arms on a base that goes far: a start is brought near its goal, one joint of the base after the other. */
#include "math/trig.h"
#include "solve/arm/arm_start.h"

#define SWEEPS 3 /* of the joints up to the slide that goes far */

/* Where a joint is, and where the effector is: as in the kernels, seen from the first joint's axis in the plan's
 * unit. */
typedef struct place {
    double point[3], axis[3], end[3];
} place;

static void shift(double p[3], const double axis[3], double by) { lbm_add_scaled3(p, axis, by); }

static void turn(double x[3], double y[3], double sine, double cosine) {
    for (int k = 0; k < 3; k++) {
        const double a = x[k], b = y[k];
        x[k] = a * cosine + b * sine;
        y[k] = b * cosine - a * sine;
    }
}

/* Goes along the arm to its end; the place of joint `at` is kept. */
static void go_along(const lbs_arm *c, const double *q, int stride, int at, place *to) {
    double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, n[3] = {0, 0, 1}, p[3] = {0, 0, 0};
    for (int i = 0; i < c->n; i++) {
        const lbs_arm_joint *j = &c->joints[i];
        const double value = q[i * stride], twist = j->twist == LBS_ARM_TWIST_QUARTER ? 1 : j->twist_sine;
        shift(p, x, j->x);
        shift(p, y, j->y);
        shift(p, n, j->z);
        if (j->twist == LBS_ARM_TWIST_QUARTER) { /* y and n are exchanged */
            for (int k = 0; k < 3; k++) {
                const double kept = y[k];
                y[k] = n[k];
                n[k] = kept;
            }
        } else if (j->twist == LBS_ARM_TWIST_ANY) {
            turn(y, n, twist, j->twist_cosine);
        }
        if (i == at) {
            lbm_copy3(to->point, p);
            lbm_copy3(to->axis, n);
        }
        double sine = j->turn_sine, cosine = j->turn_cosine;
        if (j->slides) {
            shift(p, n, value * (j->flipped ? -c->unit : c->unit));
        } else {
            lbm_sincos(value + j->offset, &sine, &cosine);
        }
        if (!j->slides || j->turns) {
            turn(x, y, sine, cosine);
        }
    }
    shift(p, x, c->end_x);
    shift(p, n, c->end_z);
    lbm_copy3(to->end, p);
}

/* What the joint has to move by, so that the end comes as near to the goal as it can. */
static double best_motion(const lbs_arm *c, const lbs_arm_joint *j, const place *at, const double goal[3]) {
    const double sign = j->flipped ? -1 : 1;
    double end[3], aim[3], across[3];
    if (j->slides) {
        lbm_sub3(goal, at->end, aim);
        return sign * lbm_dot3(at->axis, aim) / c->unit;
    }
    lbm_sub3(at->end, at->point, end);
    lbm_sub3(goal, at->point, aim);
    lbm_cross3(at->axis, end, across);
    const double along = lbm_dot3(end, aim) - lbm_dot3(at->axis, end) * lbm_dot3(at->axis, aim);
    return sign * lbm_atan2(lbm_dot3(across, aim), along);
}

void lbs_arm_approach(const lbs_arm *c, const lbs_arm_job *job, double *q, int stride) {
    for (int sweep = 0; sweep < SWEEPS && c->has_point; sweep++) {
        for (int i = c->far - 1; i >= 0; i--) {
            const lbs_arm_joint *j = &c->joints[i];
            place at = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
            go_along(c, q, stride, i, &at);
            q[i * stride] = lbs_arm_inside(j, q[i * stride] + best_motion(c, j, &at, job->goal + 9));
        }
    }
}
