/* Wishes of a servo: what it does with the freedom that the goals leave. */
#include <string.h>

#include "solve/servo/servo.h"

#define LOOK 1e-4       /* radians or metres: how far a variable is moved to see how the manipulability changes */
#define WISH_SPEED 0.5  /* the share of velocity and acceleration limits that wishes use */
#define MANIPULABLE 1.0 /* speed a second for a slope of 1 of the logarithm of the manipulability squared */

/* The speed at which a variable would go by its wishes alone. */
static double wish_of(const lb_servo *servo, int k, double half_gradient, double half_curvature) {
    const lbs_space *s = servo->space;
    const int v = s->variables.index[k];
    const double lower = s->variables.pose_lower[k], upper = s->variables.pose_upper[k];
    double pull = -half_gradient / s->variables.scale[k], stiffness = half_curvature;
    if (servo->options.middle > 0 && lower > -INFINITY && upper < INFINITY) {
        pull += servo->options.middle * (0.5 * (lower + upper) - servo->drive.q[v]);
        stiffness += servo->options.middle;
    }
    lbs_rate rate = servo->drive.rates[v];
    rate.velocity *= WISH_SPEED;
    rate.acceleration *= WISH_SPEED;
    const double weight = stiffness + servo->options.manipulability, off = stiffness > 0 ? pull / stiffness : 0;
    const double speed = lbs_brake_speed(&rate, fabs(off));
    double wish = weight > 0 ? (stiffness * (off < 0 ? -speed : speed) +
                                servo->options.manipulability * MANIPULABLE * servo->drive.slope[v]) /
                                   weight
                             : 0;
    return lbs_clamp(wish, -rate.velocity, rate.velocity);
}

static int has_wishes(const lb_servo *servo) {
    const lbp_wishes *w = &servo->problem->wishes;
    return servo->options.middle > 0 || servo->options.manipulability > 0 || w->posture_weight > 0 ||
           w->stay_weight > 0 || w->margin_weight > 0 || w->middle_weight > 0;
}

void lbs_servo_wish(lb_servo *servo) {
    lbs_space *s = servo->space;
    const double period = servo->options.period;
    if (!has_wishes(servo) || s->n == 0) {
        return;
    }
    memset(servo->work.slope_d, 0, (size_t)s->stride * sizeof(double));
    memset(servo->work.diagonal, 0, (size_t)s->stride * sizeof(double));
    s->task.wishes = s->problem->wishes; /* which a solve hides while it goes for the goals */
    lbs_wishes(s, servo->work.z, servo->work.slope_d, servo->work.diagonal);
    memset(&s->task.wishes, 0, sizeof s->task.wishes);
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double unit = period / s->variables.scale[k];
        const double wish = unit * wish_of(servo, k, servo->work.slope_d[k], servo->work.diagonal[k]);
        const double low = servo->drive.low[v].speed * unit, high = servo->drive.high[v].speed * unit;
        servo->work.base[k] = lbs_clamp(servo->work.d[k], low, high);
        servo->work.low_d[k] = low - servo->work.base[k];
        servo->work.high_d[k] = high - servo->work.base[k];
        servo->work.active[k] = 0;
        servo->work.diagonal[k] = 1;
        servo->work.slope_d[k] = servo->work.base[k] - wish;
    }
    for (size_t k = 0; k < (size_t)s->row_count * (size_t)s->stride; k++) {
        servo->work.stack[k] = LBS_SERVO_STIFF * s->last.jacobian[k];
    }
    if (s->row_count == 0) {
        for (int k = 0; k < s->n; k++) {
            servo->work.d[k] =
                servo->work.base[k] + lbs_clamp(-servo->work.slope_d[k], servo->work.low_d[k], servo->work.high_d[k]);
        }
        return;
    }
    lbm_matrix rows = lbs_matrix(s, 0, s->row_count);
    rows.values = servo->work.stack;
    memset(servo->work.rhs, 0, (size_t)lbm_stride(s->row_count) * sizeof(double));
    lbs_servo_solve_box(servo, &rows);
}

/* The determinant of J J', but for a factor that is the same in every pose; 0 where it has none. */
static double determinant(lb_servo *servo) {
    lbs_space *s = servo->space;
    const lbm_matrix rows = lbs_matrix(s, 0, s->row_count);
    const int stride = lbm_stride(s->row_count);
    for (int k = 0; k < s->stride; k++) {
        servo->work.inverse[k] = k < s->n;
    }
    s->kernels->gram(&rows, servo->work.inverse, servo->work.scratch, servo->work.gram);
    if (s->kernels->factor(s->row_count, servo->work.gram, LBS_SERVO_DAMPING, servo->work.factor)) {
        return 0;
    }
    double product = 1;
    for (int r = 0; r < s->row_count; r++) { /* the factor has the pivots' inverses on its diagonal */
        product /= servo->work.factor[(size_t)r * (size_t)stride + (size_t)r];
    }
    return product;
}

void lbs_servo_look_around(lb_servo *servo) {
    lbs_space *s = servo->space;
    if (!(servo->options.manipulability > 0) || s->n == 0 || s->row_count == 0) {
        return;
    }
    const int k = servo->drive.looked_at % s->n;
    servo->drive.looked_at = (k + 1) % s->n;
    lbs_jacobian(s, servo->work.z);
    const double here = determinant(servo);
    const double value = servo->work.z[k];
    servo->work.z[k] = value + LOOK / s->variables.scale[k] < s->variables.upper[k]
                           ? value + LOOK / s->variables.scale[k]
                           : value - LOOK / s->variables.scale[k];
    const double way = (servo->work.z[k] - value) * s->variables.scale[k];
    lbs_jacobian(s, servo->work.z);
    const double there = determinant(servo);
    servo->work.z[k] = value;
    servo->drive.slope[s->variables.index[k]] = here > 0 ? lbs_clamp((there / here - 1) / way, -100, 100) : 0;
}
