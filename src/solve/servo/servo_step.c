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
 * The rows are of two parts. What the goal moved by since the last tick is followed as it is: the step by which that is
 * done may change its speed from tick to tick by the acceleration limits only, so that a jump is not taken for speed.
 * The rest, the error that there was before, is chased: of each constraint the step to its end is known (d), and the
 * tick goes so large a part of it that every variable can still brake before the end of its own part (brake.h): all
 * arrive together, none overshoots. Where several constraints are chased at once, each has its share 1 / N of the
 * accelerations: the sum over them of sqrt(2 (a / N) d_k) is at most sqrt(2 a (sum of d_k)), by Cauchy and Schwarz.
 *
 * What the box of speeds cuts off is made up for by the other variables as well as can be: least squares in the box.
 * Rows of higher levels are kept by weight. */
#include <math.h>
#include <string.h>

#include "solve/servo/servo.h"

/* The rounds in the box end where this share of what the first one missed is left: a step of micrometres needs no more
 * digits, and the next tick corrects what is left. */
#define BOX_ACCURACY 1e-6

void lbs_servo_note(lb_servo *servo, lb_servo_hold hold, int variable, int is_upper, double amount) {
    if (amount > servo->blame.amount) {
        servo->blame = (lbs_servo_blame){hold, variable, is_upper, amount, servo->blame.pair};
    }
}

/* The rows that the step of a level is found with: those of the levels above it, weighed, and its own. */
typedef struct level_rows {
    lbm_matrix all;
    int above; /* how many of them, the first ones, are of levels above */
} level_rows;

static int is_empty(const lbs_space *s, int row) {
    const double *values = lbs_jacobian_row(s, row);
    int k = 0;
    while (k < s->n && values[k] == 0) {
        k++;
    }
    return k == s->n;
}

/* Rows that no variable changes, as those of regions that were not left, are not taken: a factor's cost grows with the
 * cube of their number, in steps of eight. work.place has where the others are. */
static level_rows stack_rows(lb_servo *servo, int first, int count) {
    const lbs_space *s = servo->space;
    const lbm_matrix own = lbs_matrix(s, 0, first + count);
    const size_t stride = (size_t)s->stride, words = (size_t)lbm_block_words(s->stride);
    level_rows rows = {own, 0};
    int taken = 0;
    for (int r = 0; r < first + count; r++) {
        servo->work.place[r] = is_empty(s, r) ? -1 : taken++;
        rows.above += r < first && servo->work.place[r] >= 0;
    }
    if (taken == 0) { /* nothing to be left out of */
        for (int r = 0; r < first + count; r++) {
            servo->work.place[r] = r;
        }
        rows.above = first;
        return rows;
    }
    if (first == 0 && taken == count) {
        return rows;
    }
    for (int r = 0; r < first + count; r++) {
        const size_t from = (size_t)r, to = (size_t)servo->work.place[r];
        const double weight = r < first ? LBS_SERVO_STIFF : 1;
        if (servo->work.place[r] < 0) {
            continue;
        }
        for (size_t k = 0; k < stride; k++) {
            servo->work.stack[to * stride + k] = weight * s->last.jacobian[from * stride + k];
        }
        memcpy(servo->work.blocks + to * words, own.blocks + from * words, words * sizeof *own.blocks);
    }
    rows.all = (lbm_matrix){taken, s->stride, servo->work.stack, servo->work.blocks};
    return rows;
}

/* Adds numbers of an item's rows to the right side. */
static void add_rows(lb_servo *servo, int item, const double *numbers) {
    const int *place = servo->work.place + servo->space->items[item].first_row;
    for (int r = 0; r < servo->space->items[item].row_count; r++) {
        if (place[r] >= 0) {
            servo->work.rhs[place[r]] += numbers[r];
        }
    }
}

/* The damping of every variable, and its inverse. */
static void damp(lb_servo *servo, int first, int count, double error) {
    const lbs_space *s = servo->space;
    double *inverse = servo->work.inverse;
    memset(inverse, 0, (size_t)s->stride * sizeof(double));
    for (int r = first; r < first + count; r++) {
        const double *row = lbs_jacobian_row(s, r);
        for (int k = 0; k < s->n; k++) {
            inverse[k] += row[k] * row[k];
        }
    }
    for (int k = 0; k < s->n; k++) {
        inverse[k] = 1 / (LBS_SERVO_DAMPING + error * sqrt(inverse[k]));
    }
}

/* step = the damped least-squares step for the right side in servo->work.rhs. */
static void solve_damped(lb_servo *servo, const lbm_matrix *rows) {
    const lbs_space *s = servo->space;
    s->kernels->factor_solve(rows->rows, servo->work.factor, servo->work.rhs);
    s->kernels->transpose_times(rows, servo->work.rhs, servo->work.step);
    for (int k = 0; k < s->n; k++) {
        servo->work.step[k] *= -servo->work.inverse[k];
    }
}

/* Whether a variable brakes in time on its way at this speed, by a bound of its way of braking (brake.h): D(v), with x
 * = v / (a T), joins the points of a T^2 (x^2 + x) / 2 at whole x, which it exceeds by a T^2 / 8 at most. May be 0
 * where it does. */
static int stops_surely(double velocity, double step, double period, double speed, double way) {
    return speed <= velocity &&
           (speed <= step || period * (0.5 * speed * (speed + step) + 0.125 * step * step) <= way * step);
}

/* The error of one item: which part of the step to its end a tick may go. */
double lbs_servo_share_of(lb_servo *servo, int chased) {
    const lbs_space *s = servo->space;
    const double per_second = 1 / servo->options.period, unit = servo->options.period / chased;
    double share = 1;
    int holder = -1, is_fast = 0;
    for (int k = 0; k < s->n; k++) {
        const double way = fabs(servo->work.step[k]) * s->variables.scale[k];
        lbs_rate rate = servo->drive.rates[s->variables.index[k]];
        if (stops_surely(rate.velocity, rate.acceleration * unit, rate.period, share * per_second * way, way)) {
            continue; /* most do not hold back */
        }
        rate.acceleration /= chased;
        const double speed = lbs_brake_speed(&rate, way);
        if (speed * rate.period < share * way) {
            share = speed * rate.period / way;
            holder = k, is_fast = speed >= rate.velocity;
        }
    }
    if (holder >= 0) {
        const int v = s->variables.index[holder];
        lbs_servo_note(servo, is_fast ? LB_SERVO_HOLD_VELOCITY : LB_SERVO_HOLD_ACCELERATION, v,
                       servo->work.step[holder] > 0, 1e-6 * (1 - share));
    }
    return share;
}

/* What is chased on a level. */
int lbs_servo_is_chased(const lb_servo *servo, int index, int level) {
    const lbs_item *item = &servo->space->items[index];
    if (!item->enabled || !item->counted || item->level != level) {
        return 0;
    }
    for (int r = 0; r < item->row_count; r++) {
        if (fabs(servo->work.items[index].chase[r]) > 1e-12) {
            return 1;
        }
    }
    return 0;
}

static void chase(lb_servo *servo, const lbm_matrix *rows, int level, int chased) {
    const lbs_space *s = servo->space;
    const size_t room = (size_t)lbm_stride(rows->rows) * sizeof(double);
    for (int i = 0; i < s->item_count; i++) {
        if (!lbs_servo_is_chased(servo, i, level)) {
            continue;
        }
        memset(servo->work.rhs, 0, room);
        add_rows(servo, i, servo->work.items[i].chase);
        solve_damped(servo, rows);
        const double share = lbs_servo_share_of(servo, chased);
        for (int k = 0; k < s->n; k++) {
            servo->work.wanted[k] += share * servo->work.step[k];
        }
    }
}

/* The step that follows the goals of a level, and that makes up for what higher levels do. */
static void follow(lb_servo *servo, const level_rows *rows, int level) {
    const lbs_space *s = servo->space;
    const lbm_matrix *all = &rows->all;
    const double period = servo->options.period;
    double *speeds = servo->work.follow_speeds + (size_t)level * (size_t)servo->variable_count;
    memset(servo->work.rhs, 0, (size_t)lbm_stride(all->rows) * sizeof(double));
    if (rows->above > 0) {
        const size_t above = (size_t)rows->above;
        const lbm_matrix own = {all->rows - rows->above, all->stride, all->values + above * (size_t)all->stride,
                                all->blocks + above * (size_t)lbm_block_words(all->stride)};
        s->kernels->times(&own, servo->work.d, servo->work.rhs + above);
    }
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled && s->items[i].counted && s->items[i].level == level) {
            add_rows(servo, i, servo->work.items[i].follow);
        }
    }
    solve_damped(servo, all);
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double scale = s->variables.scale[k] / period;
        const double most = servo->drive.rates[v].acceleration * period;
        const double speed = lbs_clamp(servo->work.step[k] * scale, speeds[v] - most, speeds[v] + most);
        speeds[v] = lbs_clamp(speed, -servo->drive.rates[v].velocity, servo->drive.rates[v].velocity);
        servo->work.wanted[k] += speeds[v] / scale;
    }
}

/* base = wanted, cut to the box. Returns how many variables were cut, which are noted. */
static int cut(lb_servo *servo) {
    const lbs_space *s = servo->space;
    const double period = servo->options.period;
    int count = 0;
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double unit = period / s->variables.scale[k], low = servo->drive.low[v].speed * unit,
                     high = servo->drive.high[v].speed * unit, x = servo->work.wanted[k];
        servo->work.base[k] = lbs_clamp(x, low, high);
        servo->work.low_d[k] = low - servo->work.base[k];
        servo->work.high_d[k] = high - servo->work.base[k];
        servo->work.active[k] = x < low || x > high;
        if (servo->work.active[k] > 0) {
            const double amount = fabs(x - servo->work.base[k]) / (unit * servo->drive.rates[v].velocity);
            lbs_servo_note(servo, x > high ? servo->drive.high[v].hold : servo->drive.low[v].hold, v, x > high, amount);
            count++;
        }
    }
    return count;
}

/* The box's minimum by a method that always finds it: with feet above hands a fifth of the boxes need it, one level
 * hardly ever. The multipliers of the box are then right + A d, as its own method has them. Returns 0, or 1 where there
 * is none. */
static int solve_exactly(lb_servo *servo, const lbm_box_rows *box) {
    lbs_servo_work *w = &servo->work;
    lbm_qp *q = &w->qp;
    const size_t stride = (size_t)box->rows.stride;
    memset(w->qp_matrix, 0, (size_t)box->n * stride * sizeof(double));
    box->kernels->squares(box->n, box->rows.rows, box->rows.values, box->rows.values, 1, w->qp_matrix);
    for (int i = 0; i < box->n; i++) {
        w->qp_matrix[(size_t)i * stride + (size_t)i] += box->diagonal[i];
    }
    box->kernels->mirror(box->n, w->qp_matrix);
    box->kernels->transpose_times(&box->rows, box->right, w->qp_gradient);
    box->kernels->add_scaled(box->rows.stride, 1, box->slope, w->qp_gradient);
    q->kernels = box->kernels;
    q->n = box->n;
    q->stride = box->rows.stride;
    q->matrix = w->qp_matrix;
    q->gradient = w->qp_gradient;
    q->low = box->low;
    q->high = box->high;
    q->d = box->d;
    const int is_warm = w->exact_tick + 1 >= servo->tick && w->exact_rows == box->rows.rows;
    q->condition_count = q->hard_count = q->is_factored = 0;
    q->count = is_warm ? q->count : 0;
    w->exact_tick = servo->tick, w->exact_rows = box->rows.rows;
    for (int i = 0; i < box->n && !is_warm; i++) { /* what the rounds left on a bound is a good guess */
        if (box->d[i] <= box->low[i] || box->d[i] >= box->high[i]) {
            q->active[q->count++] = 2 * i + (box->d[i] >= box->high[i]);
        }
    }
    if (lbm_qp_solve(q)) {
        return 1;
    }
    memset(box->multipliers, 0, (size_t)lbm_stride(box->rows.rows) * sizeof(double));
    box->kernels->times(&box->rows, box->d, box->multipliers);
    for (int r = 0; r < box->rows.rows; r++) {
        box->multipliers[r] += box->right[r];
    }
    return 0;
}

static int solve_box(lb_servo *servo, const lbm_matrix *rows, int has_guess) {
    const lbs_space *s = servo->space;
    int is_unsolved = 0;
    const lbm_box_rows box = {.kernels = s->kernels,
                              .n = s->n,
                              .rows = *rows,
                              .right = servo->work.rhs,
                              .diagonal = servo->work.diagonal,
                              .slope = servo->work.slope_d,
                              .low = servo->work.low_d,
                              .high = servo->work.high_d,
                              .active = servo->work.active,
                              .accuracy = BOX_ACCURACY,
                              .d = servo->work.step,
                              .multipliers = servo->work.multipliers,
                              .scratch = servo->work.scratch,
                              .has_guess = has_guess,
                              .is_unsolved = &is_unsolved};
    if (lbm_box_rows_solve(&box)) {
        return 0;
    }
    servo->counts.boxes++;
    if (is_unsolved) {
        servo->counts.exact++;
        if (solve_exactly(servo, &box)) {
            return 0;
        }
        servo->counts.unsolved += !servo->work.qp.is_solved;
    }
    for (int k = 0; k < s->n; k++) {
        servo->work.d[k] =
            servo->work.base[k] + lbs_clamp(servo->work.step[k], servo->work.low_d[k], servo->work.high_d[k]);
    }
    return 1;
}

int lbs_servo_solve_box(lb_servo *servo, const lbm_matrix *rows) { return solve_box(servo, rows, 0); }

/* The same from the multipliers of the last tick, which are good guesses of a level that has none above it: what its
 * rows miss changes little from tick to tick. */
static int solve_from_last(lb_servo *servo, const level_rows *rows, int count) {
    double *last = servo->work.last_multipliers;
    if (rows->above > 0) {
        return solve_box(servo, &rows->all, 0);
    }
    memset(servo->work.multipliers, 0, (size_t)lbm_stride(rows->all.rows) * sizeof(double));
    for (int r = 0; r < count; r++) {
        if (servo->work.place[r] >= 0) {
            servo->work.multipliers[servo->work.place[r]] = last[r];
        }
    }
    const int is_solved = solve_box(servo, &rows->all, servo->work.has_last_multipliers);
    for (int r = 0; r < count; r++) {
        last[r] = servo->work.place[r] >= 0 ? servo->work.multipliers[servo->work.place[r]] : 0;
    }
    servo->work.has_last_multipliers = is_solved;
    return is_solved;
}

/* The step in the box that comes nearest to the wanted one, as the rows see it; the rows above see no change. */
static void fit(lb_servo *servo, const level_rows *level, int count) {
    const lbs_space *s = servo->space;
    const lbm_matrix *rows = &level->all;
    for (int k = 0; k < s->n; k++) {
        servo->work.diagonal[k] = LBS_SERVO_FIT_DAMPING;
        servo->work.slope_d[k] = LBS_SERVO_FIT_DAMPING * (servo->work.base[k] - servo->work.wanted[k]);
        servo->work.step[k] = servo->work.base[k] - servo->work.wanted[k];
    }
    memset(servo->work.rhs, 0, (size_t)lbm_stride(rows->rows) * sizeof(double));
    s->kernels->times(rows, servo->work.step, servo->work.rhs);
    if (level->above > 0) {
        const lbm_matrix above = {level->above, rows->stride, rows->values, rows->blocks};
        for (int k = 0; k < s->n; k++) {
            servo->work.step[k] = servo->work.base[k] - servo->work.d[k];
        }
        s->kernels->times(&above, servo->work.step, servo->work.rhs);
    }
    if (!solve_from_last(servo, level, count)) {
        memcpy(servo->work.d, servo->work.base, (size_t)s->n * sizeof(double));
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
        if (!lbs_servo_is_chased(servo, i, level)) {
            continue;
        }
        chased++;
        for (int r = 0; r < s->items[i].row_count; r++) {
            square += servo->work.items[i].chase[r] * servo->work.items[i].chase[r];
        }
    }
    const level_rows rows = stack_rows(servo, first, count);
    damp(servo, first, count, sqrt(square));
    s->kernels->gram(&rows.all, servo->work.inverse, servo->work.scratch, servo->work.gram);
    if (s->kernels->factor(rows.all.rows, servo->work.gram, 1, servo->work.factor)) {
        return;
    }
    memcpy(servo->work.wanted, servo->work.d, (size_t)s->n * sizeof(double));
    follow(servo, &rows, level);
    chase(servo, &rows.all, level, chased);
    if (cut(servo)) {
        fit(servo, &rows, count);
    } else {
        servo->work.has_last_multipliers &= first > 0;
        memcpy(servo->work.d, servo->work.wanted, (size_t)s->n * sizeof(double));
    }
}

void lbs_servo_step(lb_servo *servo) {
    const lbs_space *s = servo->space;
    memset(servo->work.d, 0, (size_t)s->stride * sizeof(double));
    memset(servo->work.wanted, 0, (size_t)s->stride * sizeof(double));
    cut(servo);
    memcpy(servo->work.d, servo->work.base,
           (size_t)s->n * sizeof(double)); /* without goals: as near to rest as may be */
    servo->blame = (lbs_servo_blame){LB_SERVO_HOLD_NONE, -1, 0, 0, -1};
    if (s->levels.goal_count > 0 && s->row_count > 0) {
        memset(servo->work.d, 0, (size_t)s->n * sizeof(double));
        for (int l = 0; l < s->levels.goal_count; l++) {
            step_level(servo, l);
        }
    }
}
