/* The step of a tick: goals, level by level, inside the box of speeds.
 *
 * On every level the rows r + J d, linear in the step d, are made small by least squares with a damping of its own for
 * each variable,
 *
 *     minimise |r + J d|^2 + sum of lambda_i d_i^2,   lambda_i = LBS_SERVO_DAMPING + |r| |J_i|,
 *
 * J_i being a column. |r| |J_i| bounds the curvature that Gauss-Newton leaves out (a joint that turns a point by its arm |J_i|
 * also pulls it in by that arm), so a goal beyond reach is approached without swinging through the singularity, and the
 * damping vanishes with the error.
 *
 * The rows are of two parts. What the goal moved by since the last tick is followed as it is: the step by which that is done
 * may change its speed from tick to tick by the acceleration limits only, so that a jump is not taken for speed. The rest, the
 * error that there was before, is chased: of each constraint the step to its end is known (d), and the tick goes so large a
 * part of it that every variable can still brake before the end of its own part (brake.h): all arrive together, none
 * overshoots. Where several constraints are chased at once, each has its share 1 / N of the accelerations: the sum over
 * them of sqrt(2 (a / N) d_k) is at most sqrt(2 a (sum of d_k)), by Cauchy and Schwarz.
 *
 * What the box of speeds cuts off is made up for by the other variables as well as can be: least squares in the box. Rows of
 * higher levels are kept by weight. */
#include <math.h>
#include <string.h>

#include "solve/servo/servo.h"

/* How much the fit in the box would rather leave a variable where it was wanted, in the units of the rows squared. As
 * 1 / FIT_DAMPING is below LARGE_WEIGHT (math/box.c), its Gram matrix is updated from round to round, which takes two fifths
 * off the instructions of a tick of a person; what the rows lose by it is 1e-6 of a tick's cut. */
#define FIT_DAMPING 2e-6

/* The rounds in the box end where this share of what the first one missed is left: a step of micrometres needs no more
 * digits, and the next tick corrects what is left. */
#define BOX_ACCURACY 1e-6

void lbs_servo_note(lb_servo *servo, lb_servo_hold hold, int variable, int is_upper, double amount) {
    if (amount > servo->blame.amount) {
        servo->blame = (lbs_servo_blame){hold, variable, is_upper, amount};
    }
}

/* The rows of the levels up to this one, those above it weighed. */
static lbm_matrix stack_rows(const lb_servo *servo, int first, int count) {
    const lbs_space *s = servo->space;
    const lbm_matrix own = lbs_matrix(s, 0, first + count);
    if (first == 0) {
        return own;
    }
    const size_t stride = (size_t)s->stride, above = (size_t)first * stride;
    for (size_t k = 0; k < above; k++) {
        servo->stack[k] = LBS_SERVO_STIFF * s->last.jacobian[k];
    }
    memcpy(servo->stack + above, s->last.jacobian + above, (size_t)count * stride * sizeof(double));
    return (lbm_matrix){first + count, s->stride, servo->stack, own.blocks};
}

/* The damping of every variable, and its inverse. */
static void damp(lb_servo *servo, int first, int count, double error) {
    const lbs_space *s = servo->space;
    memset(servo->inverse, 0, (size_t)s->stride * sizeof(double));
    for (int k = 0; k < s->n; k++) {
        double square = 0;
        for (int r = first; r < first + count; r++) {
            const double entry = lbs_jacobian_row(s, r)[k];
            square += entry * entry;
        }
        servo->inverse[k] = 1 / (LBS_SERVO_DAMPING + error * sqrt(square));
    }
}

/* step = the damped least-squares step for the right side in servo->rhs. */
static void solve_damped(lb_servo *servo, const lbm_matrix *rows) {
    const lbs_space *s = servo->space;
    s->kernels->factor_solve(rows->rows, servo->factor, servo->rhs);
    s->kernels->transpose_times(rows, servo->rhs, servo->step);
    for (int k = 0; k < s->n; k++) {
        servo->step[k] *= -servo->inverse[k];
    }
}

/* The error of one item: which part of the step to its end a tick may go. */
static double share_of(lb_servo *servo, int chased) {
    const lbs_space *s = servo->space;
    double share = 1;
    int holder = -1, is_fast = 0;
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double way = fabs(servo->step[k]) * s->variables.scale[k];
        lbs_rate rate = servo->rates[v];
        rate.acceleration /= chased;
        const double speed = lbs_brake_speed(&rate, way);
        if (speed * rate.period < share * way) {
            share = speed * rate.period / way;
            holder = k, is_fast = speed >= rate.velocity;
        }
    }
    if (holder >= 0) {
        const int v = s->variables.index[holder];
        lbs_servo_note(servo, is_fast ? LB_SERVO_HOLD_VELOCITY : LB_SERVO_HOLD_ACCELERATION, v, servo->step[holder] > 0,
                       1e-6 * (1 - share));
    }
    return share;
}

/* What is chased on a level. */
static int is_chased(const lb_servo *servo, int index, int level) {
    const lbs_item *item = &servo->space->items[index];
    if (!item->enabled || !item->counted || item->level != level) {
        return 0;
    }
    for (int r = 0; r < item->row_count; r++) {
        if (fabs(servo->items[index].chase[r]) > 1e-12) {
            return 1;
        }
    }
    return 0;
}

static void chase(lb_servo *servo, const lbm_matrix *rows, int level, int chased) {
    const lbs_space *s = servo->space;
    const size_t room = (size_t)lbm_stride(rows->rows) * sizeof(double);
    for (int i = 0; i < s->item_count; i++) {
        if (!is_chased(servo, i, level)) {
            continue;
        }
        memset(servo->rhs, 0, room);
        memcpy(servo->rhs + s->items[i].first_row, servo->items[i].chase,
               (size_t)s->items[i].row_count * sizeof(double));
        solve_damped(servo, rows);
        const double share = share_of(servo, chased);
        for (int k = 0; k < s->n; k++) {
            servo->wanted[k] += share * servo->step[k];
        }
    }
}

/* The step that follows the goals of a level, and that makes up for what higher levels do. */
static void follow(lb_servo *servo, const lbm_matrix *rows, int level, int first, int count) {
    const lbs_space *s = servo->space;
    const double period = servo->options.period;
    double *speeds = servo->follow_speeds + (size_t)level * (size_t)servo->variable_count;
    memset(servo->rhs, 0, (size_t)lbm_stride(rows->rows) * sizeof(double));
    if (first > 0) {
        const lbm_matrix own = lbs_matrix(s, first, count);
        s->kernels->times(&own, servo->d, servo->rhs + first);
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        for (int r = 0; item->enabled && item->counted && item->level == level && r < item->row_count; r++) {
            servo->rhs[item->first_row + r] += servo->items[i].follow[r];
        }
    }
    solve_damped(servo, rows);
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double scale = s->variables.scale[k] / period;
        const double most = servo->rates[v].acceleration * period;
        const double speed = lbs_clamp(servo->step[k] * scale, speeds[v] - most, speeds[v] + most);
        speeds[v] = lbs_clamp(speed, -servo->rates[v].velocity, servo->rates[v].velocity);
        servo->wanted[k] += speeds[v] / scale;
    }
}

/* base = wanted, cut to the box. Returns how many variables were cut, which are noted. */
static int cut(lb_servo *servo) {
    const lbs_space *s = servo->space;
    const double period = servo->options.period;
    int count = 0;
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double unit = period / s->variables.scale[k], low = servo->low[v].speed * unit,
                     high = servo->high[v].speed * unit, x = servo->wanted[k];
        servo->base[k] = lbs_clamp(x, low, high);
        servo->low_d[k] = low - servo->base[k];
        servo->high_d[k] = high - servo->base[k];
        servo->active[k] = x < low || x > high;
        if (servo->active[k] > 0) {
            const double amount = fabs(x - servo->base[k]) / (unit * servo->rates[v].velocity);
            lbs_servo_note(servo, x > high ? servo->high[v].hold : servo->low[v].hold, v, x > high, amount);
            count++;
        }
    }
    return count;
}

int lbs_servo_solve_box(lb_servo *servo, const lbm_matrix *rows) {
    const lbs_space *s = servo->space;
    const lbm_box_rows box = {.kernels = s->kernels,
                              .n = s->n,
                              .rows = *rows,
                              .right = servo->rhs,
                              .diagonal = servo->diagonal,
                              .slope = servo->slope_d,
                              .low = servo->low_d,
                              .high = servo->high_d,
                              .active = servo->active,
                              .accuracy = BOX_ACCURACY,
                              .d = servo->step,
                              .multipliers = servo->multipliers,
                              .scratch = servo->scratch};
    if (lbm_box_rows_solve(&box)) {
        return 0;
    }
    for (int k = 0; k < s->n; k++) {
        servo->d[k] = servo->base[k] + lbs_clamp(servo->step[k], servo->low_d[k], servo->high_d[k]);
    }
    return 1;
}

/* The step in the box that comes nearest to the wanted one, as the rows see it; the rows above see no change. */
static void fit(lb_servo *servo, const lbm_matrix *rows, int first) {
    const lbs_space *s = servo->space;
    for (int k = 0; k < s->n; k++) {
        servo->diagonal[k] = FIT_DAMPING;
        servo->slope_d[k] = FIT_DAMPING * (servo->base[k] - servo->wanted[k]);
        servo->step[k] = servo->base[k] - servo->wanted[k];
    }
    memset(servo->rhs, 0, (size_t)lbm_stride(rows->rows) * sizeof(double));
    s->kernels->times(rows, servo->step, servo->rhs);
    if (first > 0) {
        const lbm_matrix above = {first, rows->stride, rows->values, rows->blocks};
        for (int k = 0; k < s->n; k++) {
            servo->step[k] = servo->base[k] - servo->d[k];
        }
        s->kernels->times(&above, servo->step, servo->rhs);
    }
    if (!lbs_servo_solve_box(servo, rows)) {
        memcpy(servo->d, servo->base, (size_t)s->n * sizeof(double));
    }
}

static void step_level(lb_servo *servo, int level) {
    lbs_space *s = servo->space;
    const int first = s->levels.first_rows[level], count = s->levels.first_rows[level + 1] - first;
    double square = 0;
    int chased = 0;
    if (count <= 0) {
        return;
    }
    for (int i = 0; i < s->item_count; i++) {
        if (!is_chased(servo, i, level)) {
            continue;
        }
        chased++;
        for (int r = 0; r < s->items[i].row_count; r++) {
            square += servo->items[i].chase[r] * servo->items[i].chase[r];
        }
    }
    const lbm_matrix rows = stack_rows(servo, first, count);
    damp(servo, first, count, sqrt(square));
    s->kernels->gram(&rows, servo->inverse, servo->scratch, servo->gram);
    if (s->kernels->factor(rows.rows, servo->gram, 1, servo->factor)) {
        return;
    }
    memcpy(servo->wanted, servo->d, (size_t)s->n * sizeof(double));
    follow(servo, &rows, level, first, count);
    chase(servo, &rows, level, chased);
    if (cut(servo)) {
        fit(servo, &rows, first);
    } else {
        memcpy(servo->d, servo->wanted, (size_t)s->n * sizeof(double));
    }
}

void lbs_servo_step(lb_servo *servo) {
    const lbs_space *s = servo->space;
    memset(servo->d, 0, (size_t)s->stride * sizeof(double));
    memset(servo->wanted, 0, (size_t)s->stride * sizeof(double));
    cut(servo);
    memcpy(servo->d, servo->base, (size_t)s->n * sizeof(double)); /* without goals: as near to rest as may be */
    servo->blame = (lbs_servo_blame){LB_SERVO_HOLD_NONE, -1, 0, 0};
    if (s->levels.goal_count > 0 && s->row_count > 0) {
        memset(servo->d, 0, (size_t)s->n * sizeof(double));
        for (int l = 0; l < s->levels.goal_count; l++) {
            step_level(servo, l);
        }
    }
}
