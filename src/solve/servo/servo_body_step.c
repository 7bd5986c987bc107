/* The step of a tick where figures are posed as bodies: a quadratic program a level (servo_body.h). */
#include <math.h>
#include <string.h>

#include "solve/servo/servo_body.h"

#define GOAL_WEIGHT 1e4   /* against the terms of the body */
#define LEAST_COLUMN 0.3  /* metres: what damping takes a variable for that does not move the goals */
#define FAR 1e-3          /* metres: goals that are farther away are gone to damped */
#define TERMS_TIME 0.25   /* seconds in which the terms' step is taken */
#define RETURN 0.2        /* of what rules are off, in a tick, */
#define RETURN_SPEED 0.3  /* but not faster than this, metres a second, */
#define RETURN_BRAKE 2.0  /* nor than can be braked with this, metres a second squared */
#define PARTING 0.05      /* seconds in which conditions that are broken are mended */
#define AHEAD 1.5         /* ways that conditions may be from zero, as they have changed of late, to count as near */
#define ROOM 0.03         /* metres: what is nearer counts as near in any case */
#define FAR_PER_SPEED 8.0 /* how much farther conditions have rows, a metre a second that the body's points move at */
#define NOTED 1e6         /* of what is kept, against what shares of the way note (servo_step.c) */
#define SPREAD 0.2        /* metres that contacts are apart, about */
#define EDGE 0.03         /* metres inside of what stands: from here on the edge is far */
#define LEAST_KEPT 1e-9
#define STILL 1e-7 /* radians or metres a second: what is slower stands */

static int min_int(int a, int b) { return a < b ? a : b; }

/* --- The rows ---------------------------------------------------------------------------------------------------------- */

/* How far what is off by r goes back in a tick. */
static double back(double r, double period) {
    const double off = fabs(r), brake = period * sqrt(2 * RETURN_BRAKE * off);
    double way = RETURN * off < brake ? RETURN * off : brake;
    way = way < RETURN_SPEED * period ? way : RETURN_SPEED * period;
    return r < 0 ? -way : way;
}

/* Rows that say something of forces say it of the end of the way, which is k steps away: of one step they say the k-th
 * part. */
static void scale_forces(const lbs_bodies_task *t, double *row, double share) {
    for (int i = t->n; i < t->size; i++) {
        row[i] *= share;
    }
}

/* The rows that balance a body are those of the end of the way; the others are of this tick. */
static void read_rules(lb_servo *servo, double share) {
    const lbs_bodies *all = servo->body->bodies;
    const lbs_bodies_task *t = &all->task;
    int next = 0;
    for (int i = 0; i < t->rules.count; i++) {
        while (next < all->count &&
               (!all->bodies[next].stand.force_count ||
                i >= all->bodies[next].state->balance_row + (all->bodies[next].state->is_tilted ? 6 : 3))) {
            next++;
        }
        const int is_balance = next < all->count && i >= all->bodies[next].state->balance_row;
        double *residual = &t->rules.residuals[i];
        if (is_balance) {
            scale_forces(t, t->rules.jacobian + (size_t)i * (size_t)t->stride, share);
            *residual *= share;
        } else {
            *residual = back(*residual, servo->options.period);
        }
    }
}

static void read_conditions(lb_servo *servo, int limits, double share) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    lbs_servo_rows *rows = &b->rows;
    const size_t stride = (size_t)t->stride;
    rows->count = t->conditions.near.count;
    rows->hard = limits;
    memcpy(rows->rows, t->conditions.near.jacobian, (size_t)rows->count * stride * sizeof(double));
    for (int i = 0; i < rows->count; i++) {
        const double value = t->conditions.values[t->conditions.ids[i]];
        scale_forces(t, rows->rows + (size_t)i * stride, share);
        rows->values[i] = i < limits  ? (value + LBS_SERVO_LIMIT_ROOM) * share
                          : value > 0 ? value * servo->options.period / PARTING
                                      : value * share;
        rows->keys[i] = t->conditions.ids[i];
    }
    if (servo->apart) {
        rows->count += lbs_servo_pair_rows(servo, rows->most - rows->count, rows->rows + (size_t)rows->count * stride,
                                           rows->values + rows->count, rows->keys + rows->count);
    }
}

/* How fast the fastest variable turns or goes; points of a body move about so many metres a second. */
static double fastest(const lb_servo *servo) {
    double most = 0;
    for (int k = 0; k < servo->variable_count; k++) {
        most = fabs(servo->drive.v[k]) > most ? fabs(servo->drive.v[k]) : most;
    }
    return most;
}

static void look(lb_servo *servo, double share) {
    struct lbs_servo_body *b = servo->body;
    lbs_bodies_task *t = &b->bodies->task;
    memcpy(b->x, servo->work.z, (size_t)t->n * sizeof *b->x);
    lbs_servo_body_terms(servo);
    t->far = 1 + FAR_PER_SPEED * fastest(servo);
    t->conditions.before = b->before;
    t->conditions.ahead = AHEAD / share;
    t->conditions.room = ROOM;
    t->conditions.turn = (int)(servo->tick % LBS_REST);
    const int limits = lbs_bodies_look(b->bodies, b->x, 0);
    lbs_servo_body_hold(servo);
    memcpy(b->before, t->conditions.values, (size_t)t->conditions.count * sizeof *b->before);
    read_rules(servo, share);
    read_conditions(servo, limits, share);
}

/* --- The program --------------------------------------------------------------------------------------------------------- */

/* What a factor is made from: the upper triangle, with the blocks on the diagonal. */
static void copy_upper(const lbs_bodies_task *t, const double *from, double *to) {
    for (int i = 0; i < t->size && from != to; i++) {
        const size_t first = (size_t)i * (size_t)t->stride + (size_t)(i & ~7);
        memcpy(to + first, from + first, (size_t)(t->stride - (i & ~7)) * sizeof(double));
    }
}

/* Terms and rules: the part of the matrix that all levels share. */
static void fill_base(lb_servo *servo) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    copy_upper(t, b->terms.matrix, b->base);
    t->space->kernels->squares(t->size, t->rules.count, t->rules.jacobian, t->rules.jacobian, LBS_SERVO_RULE_WEIGHT,
                               b->base);
}

/* Bounds of the unknowns, as the step has them. */
static void bound(lb_servo *servo) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    const lbs_space *s = servo->space;
    const double period = servo->options.period;
    for (int k = 0; k < t->n; k++) {
        const int v = s->variables.index[k];
        const double unit = period / s->variables.scale[k];
        b->low[k] = servo->drive.low[v].speed * unit;
        b->high[k] = servo->drive.high[v].speed * unit;
    }
    for (int k = t->n; k < t->size; k++) {
        b->low[k] = b->bodies->lower[k] - b->x[k];
        b->high[k] = b->bodies->upper[k] - b->x[k];
        b->low[k] = b->low[k] < b->high[k] ? b->low[k] : b->high[k];
    }
}

static void guess(lb_servo *servo, int level) {
    struct lbs_servo_body *b = servo->body;
    const int bounds = 2 * b->bodies->task.size, *guesses = b->guesses + (size_t)level * (size_t)b->most;
    b->qp.count = 0;
    for (int i = 0; i < b->guess_counts[level]; i++) {
        int found = guesses[i] < bounds ? guesses[i] : -1;
        for (int r = 0; r < b->rows.count && found < 0; r++) {
            found = b->rows.keys[r] == guesses[i] - bounds ? bounds + r : -1;
        }
        if (found >= 0) {
            b->qp.active[b->qp.count++] = found;
        }
    }
}

static void remember(lb_servo *servo, int level) {
    struct lbs_servo_body *b = servo->body;
    const int bounds = 2 * b->bodies->task.size;
    int *guesses = b->guesses + (size_t)level * (size_t)b->most;
    b->guess_counts[level] = b->qp.count;
    for (int i = 0; i < b->qp.count; i++) {
        const int active = b->qp.active[i];
        guesses[i] = active < bounds ? active : bounds + b->rows.keys[active - bounds];
    }
}

/* Minimises the program of a level: its matrix has been factored. Returns 0 where there is no step. */
static int solve_program(lb_servo *servo, int level) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    lbm_qp *q = &b->qp;
    q->kernels = t->space->kernels;
    q->n = t->size;
    q->stride = t->stride;
    q->matrix = b->matrix;
    q->gradient = b->gradient;
    q->low = b->low;
    q->high = b->high;
    q->condition_count = b->rows.count;
    q->hard_count = b->rows.hard;
    q->rows = b->rows.rows;
    q->values = b->rows.values;
    q->weight = LBS_SERVO_RULE_WEIGHT;
    q->d = b->d;
    q->is_factored = 1;
    guess(servo, level);
    servo->counts.boxes++;
    if (lbm_qp_solve(q) || !lbm_all_finite(b->d, t->size)) {
        return 0;
    }
    servo->counts.unsolved += !q->is_solved;
    remember(servo, level);
    return 1;
}

/* --- A level --------------------------------------------------------------------------------------------------------------- */

static double *goal_row(const struct lbs_servo_body *b, int row) {
    return b->goals + (size_t)row * (size_t)b->bodies->task.stride;
}

/* The rows of goals, as wide as x. */
static void widen_goals(lb_servo *servo) {
    const struct lbs_servo_body *b = servo->body;
    const lbs_space *s = servo->space;
    for (int r = 0; r < s->row_count; r++) {
        memset(goal_row(b, r), 0, (size_t)b->bodies->task.stride * sizeof(double));
        memcpy(goal_row(b, r), lbs_jacobian_row(s, r), (size_t)s->n * sizeof(double));
    }
}

/* Steps to goals that are far are damped as in servo_step.c, each variable by the error times its column, and of legs
 * as if they moved the goals, too. They leave the terms aside: a head that would go on looking at a hand half a metre
 * away turns by many radians. All this is about where the goals' rows go; how the whole gets there the program chooses.
 * Returns 0 where there is no factor. */
static int damp(lb_servo *servo, int first, int end, double error) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    copy_upper(t, b->matrix, b->damped);
    t->space->kernels->add_scaled(t->size * t->stride, -1, b->terms.matrix, b->damped);
    for (int k = t->n; k < t->size; k++) {
        b->damped[(size_t)k * (size_t)t->stride + (size_t)k] += LBS_SERVO_FORCE_DAMPING;
    }
    for (int k = 0; k < t->n; k++) {
        double square = 0;
        for (int r = first; r < end; r++) {
            square += goal_row(b, r)[k] * goal_row(b, r)[k];
        }
        const double column = sqrt(square);
        b->damped[(size_t)k * (size_t)t->stride + (size_t)k] +=
            GOAL_WEIGHT * error * (column > LEAST_COLUMN ? column : LEAST_COLUMN);
    }
    return !t->space->kernels->factor(t->size, b->damped, LBS_SERVO_BODY_DAMPING, b->qp.factor);
}

/* Adds these numbers of an item's rows to a right side. */
static void add_item(const lb_servo *servo, int item, const double *numbers, double *right) {
    const lbs_bodies_task *t = &servo->body->bodies->task;
    const lbs_item *of = &servo->space->items[item];
    for (int r = 0; r < of->row_count; r++) {
        t->space->kernels->add_scaled(t->stride, -GOAL_WEIGHT * numbers[r], goal_row(servo->body, of->first_row + r),
                                      right);
    }
}

/* solved = the step of the program without bounds and conditions for this right side. */
static void solve_right(const lb_servo *servo) {
    const lbs_bodies_task *t = &servo->body->bodies->task;
    t->space->kernels->factor_solve(t->size, servo->body->qp.factor, servo->body->solved);
}

/* What goals of the level moved by is followed at once, but for what accelerations do not let be. */
static void follow(lb_servo *servo, int level) {
    struct lbs_servo_body *b = servo->body;
    const lbs_space *s = servo->space;
    const double period = servo->options.period;
    double *speeds = servo->work.follow_speeds + (size_t)level * (size_t)servo->variable_count;
    memset(b->solved, 0, (size_t)b->bodies->task.stride * sizeof(double));
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled && s->items[i].counted && s->items[i].level == level) {
            add_item(servo, i, servo->work.items[i].follow, b->solved);
        }
    }
    solve_right(servo);
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double scale = s->variables.scale[k] / period, most = servo->drive.rates[v].acceleration * period;
        const double speed = lbs_clamp(b->solved[k] * scale, speeds[v] - most, speeds[v] + most);
        speeds[v] = lbs_clamp(speed, -servo->drive.rates[v].velocity, servo->drive.rates[v].velocity);
        b->wanted[k] += speeds[v] / scale;
    }
}

static void chase(lb_servo *servo, int level, int chased) {
    struct lbs_servo_body *b = servo->body;
    const lbs_space *s = servo->space;
    for (int i = 0; i < s->item_count; i++) {
        if (lbs_servo_is_chased(servo, i, level)) {
            memset(b->solved, 0, (size_t)b->bodies->task.stride * sizeof(double));
            add_item(servo, i, servo->work.items[i].chase, b->solved);
            solve_right(servo);
            memcpy(servo->work.step, b->solved, (size_t)s->n * sizeof(double));
            s->kernels->add_scaled(s->n, lbs_servo_share_of(servo, chased), b->solved, b->wanted);
        }
    }
}

/* The gradient at d = 0, halved as the matrix is: terms that are followed slowly, rules that go back, goals that would
 * have the step `wanted`, rows of higher levels that would have the step `above`. */
static void fill_gradient(lb_servo *servo, int first, int end) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    const lbm_kernels *kernels = t->space->kernels;
    const size_t stride = (size_t)t->stride;
    const double share = servo->options.period / TERMS_TIME;
    memset(b->gradient, 0, stride * sizeof(double));
    kernels->add_scaled(t->stride, share, b->terms.gradient, b->gradient);
    for (int i = 0; i < t->size; i++) {
        kernels->add_scaled(t->stride, share * (b->x[i] - b->terms.x[i]), b->terms.matrix + (size_t)i * stride,
                            b->gradient);
    }
    for (int i = 0; i < t->rules.count; i++) {
        kernels->add_scaled(t->stride, LBS_SERVO_RULE_WEIGHT * t->rules.residuals[i],
                            t->rules.jacobian + (size_t)i * stride, b->gradient);
    }
    for (int r = 0; r < end; r++) {
        const double *row = goal_row(b, r);
        const double weight = r < first ? LBS_SERVO_RULE_WEIGHT : GOAL_WEIGHT;
        const double along = lbs_dot(t->n, row, r < first ? b->above : b->wanted);
        kernels->add_scaled(t->stride, -weight * along, row, b->gradient);
    }
}

/* The chased items of a level, and how far they are from their goals, all together. */
static int count_chased(const lb_servo *servo, int level, double *error) {
    const lbs_space *s = servo->space;
    int count = 0;
    double square = 0;
    for (int i = 0; i < s->item_count; i++) {
        const int is_chased = lbs_servo_is_chased(servo, i, level);
        count += is_chased;
        for (int r = 0; r < s->items[i].row_count && is_chased; r++) {
            square += servo->work.items[i].chase[r] * servo->work.items[i].chase[r];
        }
    }
    *error = sqrt(square);
    return count;
}

/* The step of a level; of what is above it it changes nothing. Returns 0 where there is none. */
static int step_level(lb_servo *servo, int level, int first, int end) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    const lbm_kernels *kernels = t->space->kernels;
    double error = 0;
    const int chased = end > first ? count_chased(servo, level, &error) : 0;
    b->error = error;
    copy_upper(t, b->base, b->matrix);
    kernels->squares(t->size, first, b->goals, b->goals, LBS_SERVO_RULE_WEIGHT, b->matrix);
    kernels->squares(t->size, end - first, goal_row(b, first), goal_row(b, first), GOAL_WEIGHT, b->matrix);
    memset(b->wanted, 0, (size_t)t->stride * sizeof(double));
    if (error > FAR) {
        if (!damp(servo, first, end, error)) {
            return 0;
        }
        follow(servo, level);
        chase(servo, level, chased);
    }
    if (kernels->factor(t->size, b->matrix, 0, b->qp.factor)) {
        return 0;
    }
    if (error <= FAR && end > first) {
        follow(servo, level);
        chase(servo, level, chased);
    }
    fill_gradient(servo, first, end);
    if (!solve_program(servo, min_int(level, b->levels - 1))) {
        return 0;
    }
    memcpy(b->above, b->d, (size_t)t->stride * sizeof(double));
    return 1;
}

/* --- What holds back ------------------------------------------------------------------------------------------------------- */

/* What a constraint keeps the goals from is its multiplier times what it cuts off the step that they would have: by so
 * much the goals' squares would be less without it. The largest is what holds back. */

/* Whether the centre of mass could go on at the end of the way: where it is well inside of what stands there. */
static int is_well_inside(const lb_servo *servo, const lbs_body *body) {
    const struct lbs_servo_body *b = servo->body;
    double at[3] = {0, 0, 0};
    for (int i = 0; i < body->stand.force_count; i++) {
        const int k = body->stand.first_force + i;
        lbm_add_scaled3(at, body->stand.contacts[body->stand.force_contacts[i]].point.world, b->x[k] + b->d[k]);
    }
    return !body->state->is_tilted && lbs_servo_body_inside(b->bodies, body, at) > EDGE;
}

/* By how much forces at a contact would have to change for the centres of mass to go where the goals would have
 * them. */
static double missing_force(const lb_servo *servo) {
    const struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    double most = 0;
    for (int i = 0; i < b->bodies->count; i++) {
        const lbs_body *body = &b->bodies->bodies[i];
        const int is_free = !body->stand.force_count || is_well_inside(servo, body), rows = is_free ? 0
                                                                                            : body->state->is_tilted
                                                                                                ? 6
                                                                                                : 3;
        for (int r = body->state->balance_row; r < body->state->balance_row + rows; r++) {
            const double *row = t->rules.jacobian + (size_t)r * (size_t)t->stride;
            const double off = fabs(lbs_dot(t->n, row, b->wanted) - lbs_dot(t->n, row, b->d));
            most = off > most ? off : most;
        }
    }
    return most * LBS_SERVO_HORIZON / servo->options.period / SPREAD;
}

static void note_condition(lb_servo *servo, int row, double u) {
    const struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    const double along = lbs_dot(t->n, b->rows.rows + (size_t)row * (size_t)t->stride, b->wanted);
    const double kept = NOTED * u * (along + b->rows.values[row]);
    const int pair = b->rows.keys[row] - t->conditions.most;
    if (pair >= 0 && kept > NOTED * LEAST_KEPT) {
        servo->blame.pair = servo->blame.pair < 0 ? pair : servo->blame.pair;
    } else if (pair < 0) {
        lbs_servo_note(servo, row < b->rows.hard ? LB_SERVO_HOLD_ROW : LB_SERVO_HOLD_BODY, -1, 0, kept);
    }
}

static void note(lb_servo *servo) {
    const struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    double pressed = 0;
    for (int i = 0; i < b->qp.count; i++) {
        const int active = b->qp.active[i], k = active >> 1, is_upper = active & 1;
        if (active >= 2 * t->size) {
            note_condition(servo, active - 2 * t->size, b->qp.u[i]);
        } else if (k >= t->n) {
            pressed += b->qp.u[i];
        } else {
            const int v = servo->space->variables.index[k];
            const double cut = (is_upper ? 1 : -1) * (b->wanted[k] - b->d[k]);
            const lb_servo_hold hold = is_upper ? servo->drive.high[v].hold : servo->drive.low[v].hold;
            lbs_servo_note(servo, hold, v, is_upper, NOTED * b->qp.u[i] * cut);
        }
    }
    if (pressed > 0 && b->error > FAR) {
        lbs_servo_note(servo, LB_SERVO_HOLD_BALANCE, -1, 0, NOTED * pressed * missing_force(servo));
    }
}

/* --- The tick -------------------------------------------------------------------------------------------------------------- */

void lbs_servo_body_step(lb_servo *servo) {
    struct lbs_servo_body *b = servo->body;
    const lbs_bodies_task *t = &b->bodies->task;
    lbs_space *s = servo->space;
    int is_solved = 1;
    servo->blame = (lbs_servo_blame){LB_SERVO_HOLD_NONE, -1, 0, 0, -1};
    b->has_brake = 0;
    look(servo, servo->options.period / LBS_SERVO_HORIZON);
    widen_goals(servo);
    const int levels = s->row_count > 0 ? s->levels.goal_count : 0;
    double *base = b->base;
    b->base = levels > 1 ? base : b->matrix; /* which one level need not keep */
    fill_base(servo);
    bound(servo);
    memset(b->above, 0, (size_t)t->stride * sizeof(double));
    for (int l = 0; l < levels && is_solved; l++) {
        if (s->levels.first_rows[l + 1] > s->levels.first_rows[l]) {
            is_solved = step_level(servo, l, s->levels.first_rows[l], s->levels.first_rows[l + 1]);
        }
    }
    if (levels == 0) {
        is_solved = step_level(servo, 0, 0, 0);
    }
    b->base = base;
    note(servo);
    double most = 0;
    for (int k = 0; k < s->n; k++) {
        const double speed = fabs(b->above[k]) * s->variables.scale[k] / servo->options.period;
        most = speed > most ? speed : most;
    }
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double speed = most < STILL ? 0 : b->above[k] * s->variables.scale[k] / servo->options.period;
        servo->work.d[k] =
            (is_solved ? speed : lbs_servo_body_brake(servo, v)) * servo->options.period / s->variables.scale[k];
    }
    for (int k = t->n; k < t->size && is_solved; k++) {
        b->x[k] = lbs_clamp(b->x[k] + b->above[k], b->bodies->lower[k], b->bodies->upper[k]);
    }
}
