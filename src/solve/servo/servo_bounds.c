/* What speeds a tick may have: boxes of single variables (brake.h), and limits over several variables.
 *
 * A limit a . q <= b over several variables is kept by a condition that braking keeps by itself. Let s = b - a . q be
 * what is left, and D_i the way (brake.h) that variable i goes from a tick at v_i until it stands. The condition is
 *
 *     sum over i of max(0, a_i D_i(v_i)) <= s.                                                              (1)
 *
 * One tick of braking later D_i has become D_i - v_i T, with the sign that it had, and s has become s - sum of a_i v_i
 * T. The left side has lost the sum of a_i v_i T over the variables that go outwards (a_i v_i > 0); the right side has
 * lost that too, less what the others, which go inwards, have given back. So (1) holds again; and where it holds, the
 * pose after the tick is inside, because sum of a_i v_i T <= sum of max(0, a_i D_i) <= s. The left side is convex in v
 * and braking satisfies (1), so on the way from braking to the speeds that are wanted there is one last place where it
 * holds: the speeds are taken back to it. Where some variables go outwards and others inwards this keeps more
 * distance than is needed. */
#include "solve/servo/servo.h"

static void tighten(lbs_servo_bound *bound, double speed, int is_upper, lb_servo_hold hold) {
    if (is_upper ? speed < bound->speed : speed > bound->speed) {
        *bound = (lbs_servo_bound){speed, hold};
    }
}

void lbs_servo_bound_speeds(lb_servo *servo) {
    const lb_problem *p = servo->problem;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int i = 0; i < figure->variable_count; i++) {
            const int k = p->first_variables[f] + i;
            const lbs_rate *rate = &servo->drive.rates[k];
            const double q = servo->drive.q[k], v = servo->drive.v[k];
            const double step = rate->acceleration / (1 - LBS_SERVO_RESERVE) * rate->period;
            lbs_servo_bound low = {-rate->velocity, LB_SERVO_HOLD_VELOCITY}, high = {rate->velocity, low.hold};
            tighten(&low, v - step, 0, LB_SERVO_HOLD_ACCELERATION);
            tighten(&high, v + step, 1, LB_SERVO_HOLD_ACCELERATION);
            tighten(&low, -lbs_brake_speed(rate, q - figure->lower[i]), 0, LB_SERVO_HOLD_STOP);
            tighten(&high, lbs_brake_speed(rate, figure->upper[i] - q), 1, LB_SERVO_HOLD_STOP);
            if (!(low.speed <= high.speed)) { /* by rounding alone: the box has shrunk to braking */
                low.speed = high.speed = lbs_brake(rate, v);
            }
            servo->drive.low[k] = low, servo->drive.high[k] = high;
        }
    }
}

/* The left side of (1) less its right side: not above 0 where the limit can be kept. */
static double excess(const lb_servo *servo, int figure, const lb_limit_row *row, const double *q, const double *v) {
    const int first = servo->problem->first_variables[figure];
    double left = 0, sum = 0;
    for (int i = 0; i < row->count; i++) {
        const int k = first + row->variables[i];
        const double way = row->coefficients[i] * lbs_brake_way(&servo->drive.rates[k], v[k]);
        left += way > 0 ? way : 0;
        sum += row->coefficients[i] * q[k];
    }
    return left - (row->bound - sum);
}

#define ROW_ROUNDING 1e-12 /* of limits over several variables, in their own units */

int lbs_servo_rows_viable(const lb_servo *servo, const double *q, const double *v) {
    const lb_problem *p = servo->problem;
    for (int f = 0; f < p->figure_count; f++) {
        for (int r = 0; r < p->figures[f]->row_count; r++) {
            if (excess(servo, f, &p->figures[f]->rows[r], q, v) > ROW_ROUNDING) {
                return 0;
            }
        }
    }
    return 1;
}

/* Takes the variables of one limit back towards braking, in proportion, until it can be kept. */
static void take_back(lb_servo *servo, int figure, const lb_limit_row *row) {
    const int first = servo->problem->first_variables[figure];
    double kept = 0, tried = 1;
    for (int round = 0; round < 24; round++) {
        const double middle = 0.5 * (kept + tried);
        double left = 0, sum = 0;
        for (int i = 0; i < row->count; i++) {
            const int k = first + row->variables[i];
            const double brake = lbs_brake(&servo->drive.rates[k], servo->drive.v[k]);
            const double v = brake + middle * (servo->drive.next_v[k] - brake);
            const double way = row->coefficients[i] * lbs_brake_way(&servo->drive.rates[k], v);
            left += way > 0 ? way : 0;
            sum += row->coefficients[i] * servo->drive.q[k];
        }
        if (left - (row->bound - sum) <= 0) {
            kept = middle;
        } else {
            tried = middle;
        }
    }
    for (int i = 0; i < row->count; i++) {
        const int k = first + row->variables[i];
        const double brake = lbs_brake(&servo->drive.rates[k], servo->drive.v[k]);
        servo->drive.next_v[k] = brake + kept * (servo->drive.next_v[k] - brake);
    }
}

int lbs_servo_keep_rows(lb_servo *servo) {
    const lb_problem *p = servo->problem;
    int count = 0, is_taken = 0;
    for (int f = 0; f < p->figure_count; f++) {
        count += p->figures[f]->row_count;
    }
    /* Taking one limit's variables back may spoil another, which variables that went inwards had helped: round after
     * round more of the speeds are those of braking, which keeps all. */
    for (int round = 0; round < 4 && count; round++) {
        int is_well = 1;
        for (int f = 0; f < p->figure_count; f++) {
            for (int r = 0; r < p->figures[f]->row_count; r++) {
                if (excess(servo, f, &p->figures[f]->rows[r], servo->drive.q, servo->drive.next_v) > 0) {
                    take_back(servo, f, &p->figures[f]->rows[r]);
                    is_well = 0, is_taken = 1;
                }
            }
        }
        if (is_well) {
            return is_taken;
        }
    }
    if (count && !lbs_servo_rows_viable(servo, servo->drive.q, servo->drive.next_v)) {
        for (int k = 0; k < servo->variable_count; k++) {
            servo->drive.next_v[k] = lbs_brake(&servo->drive.rates[k], servo->drive.v[k]);
        }
    }
    return is_taken;
}
