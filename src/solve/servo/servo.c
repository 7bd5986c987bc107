/* The public calls of a servo, and its memory. */
#include "solve/servo/servo_body.h"

#include <string.h>

#include "figure/sized.h"
#include "math/arena.h"
#include "math/rounding.h"

static const lbf_sized options_kind = LBF_SIZED(lb_servo_options, manipulability);
static const lbf_sized state_kind = LBF_SIZED(lb_servo_state, pair);

static lb_servo_options default_options(void) {
    return (lb_servo_options){.struct_size = sizeof(lb_servo_options),
                              .period = 0.001,
                              .usual_velocity_rad = LBM_PI,
                              .usual_velocity_m = 1,
                              .rise_time = 0.25,
                              .speed = 1};
}

void lb_servo_options_defaults_sized(lb_servo_options *options, size_t struct_size) {
    const lb_servo_options made = default_options();
    lbf_default_sized(&options_kind, &made, options, struct_size);
}

static lb_servo_state default_state(void) {
    return (lb_servo_state){.struct_size = sizeof(lb_servo_state), .constraint = -1, .variable = -1, .pair = -1};
}

void lb_servo_state_defaults_sized(lb_servo_state *state, size_t struct_size) {
    const lb_servo_state made = default_state();
    lbf_default_sized(&state_kind, &made, state, struct_size);
}

const char *lb_servo_hold_name(lb_servo_hold hold) {
    static const char *const names[] = {"none",  "velocity",  "acceleration", "stop", "row",
                                        "reach", "collision", "balance",      "body"};
    return (int)hold >= 0 && hold <= LB_SERVO_HOLD_BODY ? names[hold] : "unknown";
}

/* --- Memory ------------------------------------------------------------------------------------------------------ */

static void cut_pose(lb_servo *servo, lbm_arena *arena) {
    const size_t n = (size_t)servo->variable_count;
    servo->drive.q = lbm_cut_doubles(arena, n);
    servo->drive.v = lbm_cut_doubles(arena, n);
    servo->drive.next = lbm_cut_doubles(arena, n);
    servo->drive.next_v = lbm_cut_doubles(arena, n);
    servo->drive.velocity = lbm_cut_doubles(arena, n);
    servo->drive.acceleration = lbm_cut_doubles(arena, n);
    servo->drive.slope = lbm_cut_doubles(arena, n);
    servo->drive.braking = lbm_cut_doubles(arena, n);
    servo->drive.rates = lbm_cut(arena, n, sizeof *servo->drive.rates);
    servo->drive.low = lbm_cut(arena, n, sizeof *servo->drive.low);
    servo->drive.high = lbm_cut(arena, n, sizeof *servo->drive.high);
}

/* The kernels' scratch, or the box's, whichever is larger. */
static size_t scratch_size(const lbs_sizes *z, size_t rows) {
    const size_t box = lbm_box_rows_size((int)z->n, (int)rows), gram = 4 * z->stride;
    return box > gram ? box : gram;
}

static void cut_shape(lb_servo *servo, const lbs_sizes *z, lbm_arena *arena) {
    const size_t rows = z->rows + (servo->problem->apart ? LBS_SERVO_PAIR_ROWS : 0), m = (size_t)lbm_stride((int)rows);
    double **const vectors[] = {&servo->work.d,      &servo->work.wanted, &servo->work.step,     &servo->work.base,
                                &servo->work.low_d,  &servo->work.high_d, &servo->work.diagonal, &servo->work.slope_d,
                                &servo->work.active, &servo->work.inverse};
    servo->work.items = lbm_cut(arena, z->items, sizeof *servo->work.items);
    servo->work.follow_speeds = lbm_cut_doubles(arena, z->levels * z->n);
    servo->work.z = lbm_cut_aligned(arena, z->stride);
    for (size_t i = 0; i < sizeof vectors / sizeof vectors[0]; i++) {
        *vectors[i] = lbm_cut_aligned(arena, z->stride);
    }
    servo->work.stack = lbm_cut_aligned(arena, rows * z->stride);
    servo->work.gram = lbm_cut_aligned(arena, m * m);
    servo->work.factor = lbm_cut_aligned(arena, m * m);
    servo->work.rhs = lbm_cut_aligned(arena, m);
    servo->work.multipliers = lbm_cut_aligned(arena, m);
    servo->work.last_multipliers = lbm_cut_doubles(arena, rows);
    servo->work.scratch = lbm_cut_aligned(arena, scratch_size(z, rows));
    servo->work.blocks = lbm_cut(arena, rows * (size_t)lbm_block_words((int)z->stride), sizeof *servo->work.blocks);
    servo->work.place = lbm_cut(arena, rows, sizeof *servo->work.place);
    lbm_qp_cut(&servo->work.qp, (int)z->n, 0, (int)z->n, arena);
    servo->work.qp_matrix = lbm_cut_aligned(arena, z->n * z->stride);
    servo->work.qp_gradient = lbm_cut_aligned(arena, z->stride);
}

static void free_shape(lb_servo *servo) {
    if (servo->space) {
        lbs_space_destroy(servo->space, servo->space_size);
    }
    lbs_servo_apart_destroy(&servo->allocator, servo->apart);
    lbs_servo_body_destroy(&servo->allocator, servo->body);
    lbf_delete(&servo->allocator, servo->work.block, servo->work.size, 1);
    servo->space = NULL, servo->work.block = NULL, servo->apart = NULL, servo->body = NULL;
}

/* What the old items remember goes to those of the same constraints. */
static void carry_items(lb_servo *to, const lb_servo *from) {
    for (int i = 0; i < to->space->item_count; i++) {
        const int index = to->space->items[i].index;
        to->work.items[i].id = index < 0 ? -1 : to->problem->constraints[index].id;
        for (int j = 0; from->space && j < from->space->item_count; j++) {
            if (to->work.items[i].id >= 0 && from->work.items[j].id == to->work.items[i].id) {
                to->work.items[i] = from->work.items[j];
                to->work.items[i].has_last = 0;
            }
        }
    }
}

/* Makes the memory that the problem's present shape needs. On failure the servo is as it was. */
static lb_status fit_shape(lb_servo *servo) {
    lb_servo made = *servo;
    made.space = lbs_space_create(servo->problem, 0, &made.space_size);
    if (!made.space) {
        return LB_ERROR_MEMORY;
    }
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_shape(&made, &made.space->max, &arena);
    made.work.size = arena.used;
    made.work.block = arena.used < SIZE_MAX ? lbf_new(&servo->allocator, arena.used, 1) : NULL;
    made.apart = NULL, made.body = NULL;
    if (!made.work.block || lbs_servo_apart_create(&made, &made.apart) || lbs_servo_body_create(&made, &made.body)) {
        free_shape(&made);
        return LB_ERROR_MEMORY;
    }
    arena = lbm_arena_on(made.work.block, LBM_ARENA_LINE);
    cut_shape(&made, &made.space->max, &arena);
    made.work.has_last_multipliers = 0;
    carry_items(&made, servo);
    lbs_servo_body_carry(&made, made.body, servo->body);
    free_shape(servo);
    *servo = made;
    servo->shape = servo->problem->shape;
    return LB_OK;
}

/* --- Limits ------------------------------------------------------------------------------------------------------ */

static lb_status check_options(const lb_servo_options *o, lb_error *error) {
    const double positive[] = {o->period, o->usual_velocity_rad, o->usual_velocity_m, o->rise_time, o->speed};
    for (int i = 0; i < 5; i++) {
        if (!(positive[i] > 0) || !lbm_is_finite(positive[i])) {
            return lbf_refuse(error, LB_ERROR_ARGUMENT, "a period, speed or time of the servo is not above 0");
        }
    }
    if (o->speed > 1) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the servo's share of speed is above 1");
    }
    if (!(o->middle >= 0) || !(o->manipulability >= 0) || !lbm_is_finite(o->middle) ||
        !lbm_is_finite(o->manipulability)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the weight of a wish of the servo is negative or not finite");
    }
    return LB_OK;
}

#define ROUNDING 2.2e-16 /* of a number, relative to it */
#define FAR 64.0         /* radians or metres: as far as variables without ends are taken to go */

/* The limits of one variable, less what the rounding of poses may add to their differences. */
static lb_status set_rate(lb_servo *servo, int k, const lb_variable *variable, lb_error *error) {
    const lb_servo_options *o = &servo->options;
    double velocity = o->velocity ? o->velocity[k] : variable->velocity;
    double acceleration = o->acceleration ? o->acceleration[k] : variable->acceleration;
    if (!(velocity > 0) || !(acceleration > 0)) {
        return lbf_fail(error, LB_ERROR_LIMIT, "the largest ", velocity > 0 ? "acceleration" : "velocity", " of '",
                        variable->name, "' is not above 0", (char *)0);
    }
    if (velocity == INFINITY) {
        velocity = variable->is_angle ? o->usual_velocity_rad : o->usual_velocity_m;
    }
    if (acceleration == INFINITY) {
        acceleration = velocity / o->rise_time;
    }
    velocity *= o->speed;
    double far = FAR;
    if (variable->lower > -INFINITY && variable->upper < INFINITY) {
        far = fabs(variable->lower) > fabs(variable->upper) ? fabs(variable->lower) : fabs(variable->upper);
        far = far < 1 ? 1 : far;
    }
    const double unit = 8 * ROUNDING * far / o->period;
    servo->drive.velocity[k] = velocity, servo->drive.acceleration[k] = acceleration;
    servo->drive.rates[k] =
        (lbs_rate){velocity - unit, (acceleration - unit / o->period) * (1 - LBS_SERVO_RESERVE), o->period};
    if (!(servo->drive.rates[k].velocity > 0.5 * velocity) ||
        !(servo->drive.rates[k].acceleration > 0.5 * acceleration)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "the servo's period is too short for the limits of '", variable->name,
                        "': the rounding of poses would exceed them", (char *)0);
    }
    return LB_OK;
}

static lb_status set_rates(lb_servo *servo, lb_error *error) {
    const lb_problem *p = servo->problem;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int r = 0; r < figure->row_count; r++) {
            if (figure->rows[r].kind == LB_LIMIT_EQUAL) {
                return lbf_fail(
                    error, LB_ERROR_UNSUPPORTED, "'", figure->rows[r].name ? figure->rows[r].name : "limit",
                    "' is an equality over several variables, which a servo does not keep; drive one by the "
                    "other (mimic)",
                    (char *)0);
            }
        }
        for (int i = 0; i < figure->variable_count; i++) {
            lb_status status = set_rate(servo, p->first_variables[f] + i, &figure->variables[i], error);
            if (status) {
                return status;
            }
        }
    }
    return LB_OK;
}

static lb_status make(lb_servo *servo, lb_error *error) {
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_pose(servo, &arena);
    servo->drive.size = arena.used;
    servo->drive.block = lbf_new(&servo->allocator, arena.used, 1);
    if (!servo->drive.block) {
        return lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    arena = lbm_arena_on(servo->drive.block, LBM_ARENA_LINE);
    cut_pose(servo, &arena);
    lb_status status = lbs_servo_body_check(servo->problem, &servo->options, error);
    status = status ? status : set_rates(servo, error);
    servo->options.velocity = servo->options.acceleration = NULL;
    if (!status && fit_shape(servo)) {
        status = lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    return status;
}

lb_servo *lb_servo_create(const lb_problem *problem, const lb_servo_options *options, lb_error *error) {
    lbf_clear(error);
    if (!problem) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "there is no problem");
    }
    lb_servo_options taken = default_options();
    if (lbf_take_sized(&options_kind, options, &taken, error) || check_options(&taken, error)) {
        return NULL;
    }
    lb_servo *servo = lbf_new(&problem->allocator, 1, sizeof *servo);
    if (!servo) {
        return lbf_none(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
    }
    servo->problem = problem;
    servo->allocator = problem->allocator;
    servo->options = taken;
    servo->variable_count = problem->variable_count;
    lb_solve_options_defaults(&servo->solve_options);
    if (make(servo, error)) {
        lb_servo_destroy(servo);
        return NULL;
    }
    return servo;
}

void lb_servo_destroy(lb_servo *servo) {
    if (!servo) {
        return;
    }
    const lb_allocator allocator = servo->allocator;
    free_shape(servo);
    lbf_delete(&allocator, servo->drive.block, servo->drive.size, 1);
    lbf_delete(&allocator, servo, 1, sizeof *servo);
}

/* Fits the servo to the problem, if that has changed, with a sentence where this fails. */
static lb_status fit_problem(lb_servo *servo, lb_error *error) {
    if (servo->shape == servo->problem->shape) {
        return LB_OK;
    }
    lb_status status = lbs_servo_body_check(servo->problem, &servo->options, error);
    return status             ? status
           : fit_shape(servo) ? lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY))
                              : LB_OK;
}

/* --- The start --------------------------------------------------------------------------------------------------- */

/* Whether one variable can begin so. */
static lb_status check_start(const lb_servo *servo, int k, const lb_variable *variable, lb_error *error) {
    const lbs_rate *rate = &servo->drive.rates[k];
    const double q = servo->drive.next[k], v = servo->drive.next_v[k], way = lbs_brake_way(rate, lbs_brake(rate, v));
    char a[32], b[32];
    if (!(q >= variable->lower && q <= variable->upper)) {
        return lbf_fail(error, LB_ERROR_LIMIT, "'", variable->name, "' starts at ", lbf_decimal_text(q, a),
                        ", outside of its range, which ends at ",
                        lbf_decimal_text(q < variable->lower ? variable->lower : variable->upper, b), (char *)0);
    }
    if (fabs(v) > servo->drive.velocity[k]) {
        return lbf_fail(error, LB_ERROR_LIMIT, "'", variable->name, "' starts with speed ", lbf_decimal_text(v, a),
                        ", above its limit of ", lbf_decimal_text(servo->drive.velocity[k], b), (char *)0);
    }
    if (q + way > variable->upper || q + way < variable->lower) {
        return lbf_fail(
            error, LB_ERROR_LIMIT, "'", variable->name, "' starts so fast that it would brake only ",
            lbf_decimal_text(q + way > variable->upper ? q + way - variable->upper : variable->lower - q - way, a),
            " beyond its stop at ", lbf_decimal_text(q + way > variable->upper ? variable->upper : variable->lower, b),
            (char *)0);
    }
    return LB_OK;
}

/* Whether the servo may go on from a pose with these velocities (NULL: none), which are then in drive.next and
 * next_v. */
static lb_status check_state(lb_servo *servo, const double *pose, const double *velocity, lb_error *error) {
    const lb_problem *p = servo->problem;
    const int n = servo->variable_count;
    if (p->variable_count != n) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the problem has got another figure: make a new servo");
    }
    if (!lbm_all_finite(pose, n) || (velocity && !lbm_all_finite(velocity, n))) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "a value of the servo's start is not finite");
    }
    memcpy(servo->drive.next, pose, (size_t)n * sizeof *pose);
    for (int k = 0; k < n; k++) {
        servo->drive.next_v[k] = velocity ? velocity[k] : 0;
    }
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; i < p->figures[f]->variable_count; i++) {
            lb_status status = check_start(servo, p->first_variables[f] + i, &p->figures[f]->variables[i], error);
            if (status) {
                return status;
            }
        }
    }
    for (int k = 0; k < n; k++) {
        servo->drive.braking[k] = lbs_brake(&servo->drive.rates[k], servo->drive.next_v[k]);
    }
    if (!lbs_servo_rows_viable(servo, servo->drive.next, servo->drive.braking)) {
        return lbf_refuse(error, LB_ERROR_LIMIT,
                          "the start is beyond a limit over several variables, or too fast for it");
    }
    return LB_OK;
}

static void take_state(lb_servo *servo) {
    const size_t size = (size_t)servo->variable_count * sizeof(double);
    memcpy(servo->drive.q, servo->drive.next, size);
    memcpy(servo->drive.v, servo->drive.next_v, size);
    servo->work.has_last_multipliers = servo->work.exact_rows = 0;
    lbs_servo_apart_begin(servo);
}

lb_status lb_servo_start(lb_servo *servo, const double *pose, const double *velocity, lb_error *error) {
    lbf_clear(error);
    if (!servo || !pose) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "there is no servo, or no pose");
    }
    lb_status status = check_state(servo, pose, velocity, error);
    status = status ? status : fit_problem(servo, error);
    status = status || !servo->body ? status : lbs_servo_body_start(servo, pose, error);
    if (status) {
        return status;
    }
    take_state(servo);
    memset(servo->drive.slope, 0, (size_t)servo->variable_count * sizeof(double));
    memset(servo->work.follow_speeds, 0, servo->space->max.levels * servo->space->max.n * sizeof(double));
    for (int i = 0; i < servo->space->item_count; i++) {
        servo->work.items[i].has_last = 0;
    }
    servo->tick = 0, servo->drive.looked_at = 0, servo->is_started = 1;
    return LB_OK;
}

/* Speeds of which a tick later every variable can still stop in time. */
static void cut_speeds(lb_servo *servo) {
    const lb_problem *p = servo->problem;
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; i < p->figures[f]->variable_count; i++) {
            const int k = p->first_variables[f] + i;
            const lbs_rate *rate = &servo->drive.rates[k];
            const double q = servo->drive.next[k], step = rate->acceleration * rate->period;
            const double up = lbs_brake_speed(rate, p->figures[f]->upper[i] - q) + step,
                         down = lbs_brake_speed(rate, q - p->figures[f]->lower[i]) + step;
            servo->drive.next_v[k] = lbs_clamp(servo->drive.next_v[k], down < rate->velocity ? -down : -rate->velocity,
                                               up < rate->velocity ? up : rate->velocity);
        }
    }
    for (int round = 0; round < 32; round++) {
        for (int k = 0; k < servo->variable_count; k++) {
            servo->drive.braking[k] = lbs_brake(&servo->drive.rates[k], servo->drive.next_v[k]);
        }
        if (lbs_servo_rows_viable(servo, servo->drive.next, servo->drive.braking)) {
            return;
        }
        for (int k = 0; k < servo->variable_count; k++) {
            servo->drive.next_v[k] *= round < 31 ? 0.5 : 0;
        }
    }
}

lb_status lb_servo_correct(lb_servo *servo, const double *pose, const double *velocity, lb_error *error) {
    lbf_clear(error);
    if (!servo || !pose || !servo->is_started) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "there is no servo that was started, or no pose");
    }
    const int n = servo->variable_count;
    if (servo->problem->variable_count != n) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the problem has got another figure: make a new servo");
    }
    if (!lbm_all_finite(pose, n) || (velocity && !lbm_all_finite(velocity, n))) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "a value of what was measured is not finite");
    }
    lb_status status = fit_problem(servo, error);
    status = status ? status : lbs_begin(servo->space, &servo->solve_options, pose, error);
    if (status) {
        return status;
    }
    memcpy(servo->drive.next, servo->space->start, (size_t)n * sizeof *pose);
    for (int k = 0; k < n; k++) {
        servo->drive.next_v[k] = velocity ? velocity[k] : 0;
    }
    cut_speeds(servo);
    take_state(servo);
    return LB_OK;
}

lb_status lb_servo_set_twist(lb_servo *servo, int id, const double twist[6]) {
    if (!servo || (twist && !lbm_all_finite(twist, 6))) {
        return LB_ERROR_ARGUMENT;
    }
    const int index = lbp_index_of(servo->problem, id);
    if (index < 0 || servo->problem->variable_count != servo->variable_count) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_goal_kind kind = servo->problem->constraints[index].constraint.goal.kind;
    if (twist && kind != LB_GOAL_POSITION && kind != LB_GOAL_ORIENTATION && kind != LB_GOAL_FRAME) {
        return LB_ERROR_UNSUPPORTED;
    }
    if (servo->shape != servo->problem->shape && fit_shape(servo)) {
        return LB_ERROR_MEMORY;
    }
    lbs_servo_item *item = &servo->work.items[lbs_item_of(servo->problem, index)];
    item->has_twist = twist != NULL;
    item->has_last = 0;
    if (twist) {
        memcpy(item->twist, twist, sizeof item->twist);
    }
    servo->space->moves = servo->problem->moves - 1; /* its own goal is taken again */
    return LB_OK;
}

/* --- The tick ---------------------------------------------------------------------------------------------------- */

/* Speeds of all variables: those of the step; what no goal moves brakes. */
static void take_speeds(lb_servo *servo) {
    const lbs_space *s = servo->space;
    for (int k = 0; k < servo->variable_count; k++) {
        const int at = s->variables.active_of[k];
        double v = at < 0 ? lbs_brake(&servo->drive.rates[k], servo->drive.v[k])
                          : servo->work.d[at] * s->variables.scale[at] / servo->options.period;
        if (!lbm_is_finite(v)) {
            v = lbs_brake(&servo->drive.rates[k], servo->drive.v[k]);
        }
        servo->drive.next_v[k] = lbs_clamp(v, servo->drive.low[k].speed, servo->drive.high[k].speed);
    }
    if (!servo->body) {
        lbs_servo_limit_approach(servo);
    }
    if (servo->body ? lbs_servo_body_keep_rows(servo) : lbs_servo_keep_rows(servo)) {
        lbs_servo_note(servo, LB_SERVO_HOLD_ROW, -1, 0, 1e-3);
    }
    lbs_servo_keep_apart(servo);
}

/* The new pose, and its speeds as its difference from the old one has them. */
static void advance(lb_servo *servo, lb_servo_state *state) {
    const lb_problem *p = servo->problem;
    const double period = servo->options.period;
    state->is_at_rest = 1;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int i = 0; i < figure->variable_count; i++) {
            const int k = p->first_variables[f] + i;
            servo->drive.next[k] =
                lbs_clamp(servo->drive.q[k] + servo->drive.next_v[k] * period, figure->lower[i], figure->upper[i]);
            servo->drive.next_v[k] = (servo->drive.next[k] - servo->drive.q[k]) / period;
            const double load = fabs(servo->drive.next_v[k]) / servo->drive.velocity[k];
            state->load = load > state->load ? load : state->load;
            state->is_at_rest &= servo->drive.next[k] == servo->drive.q[k];
        }
    }
}

static void blame(const lb_servo *servo, lb_servo_state *state) {
    if (servo->blame.pair >= 0) {
        state->hold = LB_SERVO_HOLD_COLLISION;
        state->pair = servo->blame.pair;
        return;
    }
    if (state->constraint < 0) {
        return;
    }
    state->hold = servo->blame.amount > 0 ? servo->blame.hold : LB_SERVO_HOLD_REACH;
    state->variable = servo->blame.amount > 0 ? servo->blame.variable : -1;
    state->is_upper = servo->blame.amount > 0 && servo->blame.is_upper;
}

static lb_status tick(lb_servo *servo, lb_servo_state *state) {
    lb_error error;
    lb_status status = fit_problem(servo, &error);
    status = status ? status : lbs_begin(servo->space, &servo->solve_options, servo->drive.q, &error);
    if (status) {
        return status;
    }
    lbs_from_pose(servo->space, servo->drive.q, servo->work.z);
    lbs_servo_bound_speeds(servo);
    if (servo->body) {
        lbs_servo_body_plan(servo, servo->drive.q);
        lbs_servo_body_bound(servo);
    }
    lbs_servo_read_goals(servo);
    if (servo->body) {
        lbs_servo_body_step(servo);
    } else {
        lbs_servo_step(servo);
        lbs_servo_wish(servo);
    }
    take_speeds(servo);
    advance(servo, state);
    lbs_servo_measure(servo, state);
    blame(servo, state);
    lbs_servo_look_around(servo);
    memcpy(servo->drive.q, servo->drive.next, (size_t)servo->variable_count * sizeof(double));
    memcpy(servo->drive.v, servo->drive.next_v, (size_t)servo->variable_count * sizeof(double));
    state->tick = ++servo->tick;
    return LB_OK;
}

lb_status lb_servo_tick(lb_servo *servo, double *pose, lb_servo_state *state) {
    if (!servo || !pose || !servo->is_started || servo->problem->variable_count != servo->variable_count) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = state ? lbf_check_sized(&state_kind, state, NULL) : LB_OK;
    if (status) {
        return status;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lb_servo_state found = default_state();
    status = tick(servo, &found);
    if (status) {
        return status;
    }
    memcpy(pose, servo->drive.q, (size_t)servo->variable_count * sizeof *pose);
    if (state) {
        lbf_give_sized(&state_kind, &found, state);
    }
    return LB_OK;
}

lb_status lb_servo_velocity(const lb_servo *servo, double *velocity) {
    if (!servo || !velocity || !servo->is_started) {
        return LB_ERROR_ARGUMENT;
    }
    memcpy(velocity, servo->drive.v, (size_t)servo->variable_count * sizeof *velocity);
    return LB_OK;
}

lb_status lb_servo_limits(const lb_servo *servo, double *velocity, double *acceleration) {
    if (!servo || !velocity || !acceleration) {
        return LB_ERROR_ARGUMENT;
    }
    memcpy(velocity, servo->drive.velocity, (size_t)servo->variable_count * sizeof *velocity);
    memcpy(acceleration, servo->drive.acceleration, (size_t)servo->variable_count * sizeof *acceleration);
    return LB_OK;
}
