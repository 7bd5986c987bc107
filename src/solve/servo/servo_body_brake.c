/* How bodies on a servo brake as a whole (servo_body.h): the box of speeds that this needs, and speeds between braking
 * and those that are wanted. */
#include <math.h>
#include <string.h>

#include "solve/servo/servo_body.h"

/* An end of the box no farther out than this, but no nearer than `least`; speeds are counted in the direction of the
 * end. */
static void tighten(lbs_servo_bound *bound, double speed, double least, int sign, lb_servo_hold hold) {
    speed = speed > least ? speed : least;
    if (sign * bound->speed > speed) {
        *bound = (lbs_servo_bound){sign * speed, hold};
    }
}

void lbs_servo_body_bound(lb_servo *servo) {
    const lb_problem *p = servo->problem;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int i = 0; i < figure->variable_count; i++) {
            const int k = p->first_variables[f] + i;
            lbs_servo_bound *low = &servo->drive.low[k], *high = &servo->drive.high[k];
            const double most = LBS_SERVO_SHARE * servo->drive.rates[k].acceleration * LBS_SERVO_HORIZON;
            const double least = low->speed, largest = high->speed; /* braking harder than these is not possible */
            tighten(high, most, least, 1, LB_SERVO_HOLD_VELOCITY);
            tighten(high, (figure->upper[i] - servo->drive.q[k]) / LBS_SERVO_HORIZON, least, 1, LB_SERVO_HOLD_STOP);
            tighten(low, most, -largest, -1, LB_SERVO_HOLD_VELOCITY);
            tighten(low, (servo->drive.q[k] - figure->lower[i]) / LBS_SERVO_HORIZON, -largest, -1, LB_SERVO_HOLD_STOP);
        }
    }
}

/* The speeds of braking as a whole: those of the last tick less their share, as near as the rules, which bend, let them
 * be. */
static void find_brake(const lb_servo *servo) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    const lbs_space *s = servo->space;
    const lbm_kernels *kernels = s->kernels;
    const size_t stride = (size_t)t->stride;
    const double period = servo->options.period, share = 1 - period / LBS_SERVO_HORIZON;
    b->has_brake = 1;
    memset(b->damped, 0, (size_t)t->size * stride * sizeof(double));
    memset(b->solved, 0, stride * sizeof(double));
    kernels->squares(t->size, t->rules.count, t->rules.jacobian, t->rules.jacobian, LBS_SERVO_RULE_WEIGHT, b->damped);
    for (int k = 0; k < t->size; k++) {
        b->damped[(size_t)k * stride + (size_t)k] += k < t->n ? 1 : LBS_SERVO_FORCE_DAMPING;
    }
    for (int k = 0; k < t->n; k++) {
        b->solved[k] = share * servo->drive.v[s->variables.index[k]] * period / s->variables.scale[k];
    }
    for (int i = 0; i < t->rules.count; i++) {
        kernels->add_scaled(t->stride, -LBS_SERVO_RULE_WEIGHT * t->rules.residuals[i],
                            t->rules.jacobian + (size_t)i * stride, b->solved);
    }
    const int is_failed = kernels->factor(t->size, b->damped, 0, b->qp.factor);
    if (!is_failed) {
        kernels->factor_solve(t->size, b->qp.factor, b->solved);
    }
    for (int v = 0; v < servo->variable_count; v++) {
        const int k = s->variables.active_of[v];
        const double speed = k >= 0 && !is_failed && lbm_is_finite(b->solved[k])
                                 ? b->solved[k] * s->variables.scale[k] / period
                                 : share * servo->drive.v[v];
        servo->drive.braking[v] = lbs_clamp(speed, servo->drive.low[v].speed, servo->drive.high[v].speed);
    }
}

double lbs_servo_body_brake(const lb_servo *servo, int k) {
    if (!servo->body->has_brake) {
        find_brake(servo);
    }
    return servo->drive.braking[k];
}

/* What a limit over several variables is exceeded by at the end of the way, for speeds between braking (0) and those
 * that are wanted. */
static double excess(const lb_servo *servo, int figure, const lb_limit_row *row, int is_wanted) {
    const int first = servo->problem->first_variables[figure];
    double sum = -row->bound;
    for (int i = 0; i < row->count; i++) {
        const int k = first + row->variables[i];
        const double v = is_wanted ? servo->drive.next_v[k] : lbs_servo_body_brake(servo, k);
        sum += row->coefficients[i] * (servo->drive.q[k] + LBS_SERVO_HORIZON * v);
    }
    return sum;
}

int lbs_servo_body_keep_rows(lb_servo *servo) {
    const lb_problem *p = servo->problem;
    double share = 1;
    for (int f = 0; f < p->figure_count; f++) {
        for (int r = 0; r < p->figures[f]->row_count; r++) {
            const lb_limit_row *row = &p->figures[f]->rows[r];
            const double wanted = excess(servo, f, row, 1), braked = wanted > 0 ? excess(servo, f, row, 0) : 0;
            if (wanted > 0 && braked > LBS_SERVO_LIMIT_ROOM) { /* as after a start that was too fast for it */
                return lbs_servo_keep_rows(servo);
            }
            if (wanted > 0 && wanted > braked) {
                const double most = braked < 0 ? braked / (braked - wanted) : 0;
                share = most < share ? most : share;
            }
        }
    }
    for (int k = 0; k < servo->variable_count && share < 1; k++) {
        const double brake = lbs_servo_body_brake(servo, k);
        servo->drive.next_v[k] = brake + share * (servo->drive.next_v[k] - brake);
    }
    return share < 1;
}
