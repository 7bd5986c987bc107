/* Keeping clear (limber/collisions.h): what a tick does about pairs that could touch.
 *
 * The invariant of a servo that keeps clear is that *braking is free*: if every variable brakes from now on as hard as
 * it may (brake.h), no pair comes nearer than it should at any tick until all stand. A tick takes new speeds only if
 * braking after it is free again; else it takes speeds back towards those of braking, which are free by what the tick
 * before has seen. So nothing touches that stands still, whatever the goals do; and where something came into the way,
 * the servo brakes as fast as its limits allow.
 *
 * Which pairs matter. With w_k the way of variable k in this tick and braking from the largest speed that it may have,
 * and L_k the lever of the pair (how fast a point of the one moves against the other, at most, as k moves), a pair that
 * is farther apart than the sum of w_k L_k cannot touch. Balls tell that of most pairs. Moving the joints of a chain
 * one after the other, the nearest to the root first, leaves the levers of the others as they were, so the sum holds
 * for hinges and slides as it is; SLACK is for joints that are neither, and for levers that are taken from another pose
 * of the way.
 *
 * Gliding. Of each pair that matters the speed of approach -n . (J_a - J_b) v is bounded by its distance over the time
 * in which the variables can stand: a velocity damper (Faverjon and Tournassoud, 1987) by which tangential motion goes
 * on. The speeds become the nearest ones, as shares of the velocity limits, in the box and behind these rows; braking
 * keeps them all.
 *
 * Whether braking is free is seen at some of its ticks: a pair that is apart by more than what it can move until the
 * ticks at both ends of an interval is apart at all of them; else both halves are looked at. */
#include <math.h>
#include <string.h>

#include "figure/kinematics/kinematics.h"
#include "figure/memory.h"
#include "math/arena.h"
#include "math/project.h"
#include "problem/apart.h"
#include "solve/servo/servo_apart.h"
#include "solve/servo/servo_body.h"

#define SLACK 1.25   /* of levers, along the way */
#define SWING 0.5    /* of the way of braking, variable by variable, that is kept: they do not stand at the same time */
#define RECOVER 0.05 /* seconds in which pairs that overlap are parted, as far as they can be */
#define KEPT (LBP_OVERLAP / 2) /* metres by which the way may be nearer than the margin */

/* --- Memory ------------------------------------------------------------------------------------------------------------ */

/* What lbm_project needs for rows of all variables. */
static size_t scratch_of(const lbs_servo_apart *a, lb_limit_row *rows, int *variables, double *numbers) {
    for (int k = 0; k < a->variable_count; k++) {
        variables[k] = k;
        numbers[k] = 1;
    }
    for (int r = 0; r < a->all->pair_count; r++) {
        rows[r] = (lb_limit_row){NULL, LB_LIMIT_AT_MOST, a->variable_count, variables, numbers, 1};
    }
    return lbm_project_scratch_size(a->variable_count, numbers, numbers, a->all->pair_count, rows);
}

static void cut(lbs_servo_apart *a, const lb_problem *p, size_t scratch, lbm_arena *arena) {
    const size_t n = (size_t)a->variable_count, pairs = (size_t)a->all->pair_count, masses = (size_t)a->all->mass_count;
    size_t twists = 0;
    for (int m = 0; m < a->all->mass_count; m++) {
        const int f = a->all->masses[m].figure;
        twists += f < 0 ? 0 : 6 * (size_t)p->figures[f]->variable_count;
    }
    a->kinematics = lbm_cut(arena, (size_t)a->figure_count, sizeof *a->kinematics);
    a->frames = lbm_cut(arena, masses, sizeof *a->frames);
    a->first_twists = lbm_cut(arena, masses, sizeof *a->first_twists);
    a->twists = lbm_cut_doubles(arena, twists);
    a->centres = lbm_cut(arena, masses, sizeof *a->centres);
    a->sweeps = lbm_cut_doubles(arena, masses);
    double **const vectors[] = {&a->ways, &a->pose, &a->x, &a->lower, &a->upper};
    for (int i = 0; i < 5; i++) {
        *vectors[i] = lbm_cut_doubles(arena, n);
    }
    a->memories = lbm_cut(arena, pairs, sizeof *a->memories);
    a->floors = lbm_cut_doubles(arena, pairs);
    a->near = lbm_cut(arena, pairs, sizeof *a->near);
    a->order = lbm_cut(arena, pairs, sizeof *a->order);
    a->levers = lbm_cut_doubles(arena, pairs * n);
    a->rows = lbm_cut(arena, pairs, sizeof *a->rows);
    a->coefficients = lbm_cut_doubles(arena, pairs * n);
    a->variables = lbm_cut(arena, pairs * n, sizeof *a->variables);
    a->scratch = lbm_cut(arena, scratch, 1);
}

static lb_status fill(const lb_servo *servo, lbs_servo_apart *a) {
    const lb_problem *p = servo->problem;
    int at = 0;
    for (int i = 0; i < a->all->pair_count; i++) {
        a->floors[i] = -INFINITY;
    }
    for (int m = 0; m < a->all->mass_count; m++) {
        const int f = a->all->masses[m].figure;
        a->first_twists[m] = f < 0 ? -1 : at;
        at += f < 0 ? 0 : 6 * p->figures[f]->variable_count;
    }
    for (int f = 0; f < p->figure_count; f++) {
        a->kinematics[f] = lb_kinematics_create(p->figures[f], NULL);
        if (!a->kinematics[f]) {
            return LB_ERROR_MEMORY;
        }
    }
    return LB_OK;
}

/* How much lbm_project needs, with memory of its own to find out. */
static lb_status measure_scratch(const lb_servo *servo, const lbs_servo_apart *a, size_t *size) {
    const size_t pairs = (size_t)a->all->pair_count, n = (size_t)a->variable_count;
    lb_limit_row *rows = lbf_new(&servo->allocator, pairs, sizeof *rows);
    int *variables = lbf_new(&servo->allocator, n, sizeof *variables);
    double *numbers = lbf_new(&servo->allocator, n, sizeof *numbers);
    const int is_well = rows && variables && numbers;
    *size = is_well ? scratch_of(a, rows, variables, numbers) : 0;
    lbf_delete(&servo->allocator, rows, pairs, sizeof *rows);
    lbf_delete(&servo->allocator, variables, n, sizeof *variables);
    lbf_delete(&servo->allocator, numbers, n, sizeof *numbers);
    return is_well && *size < SIZE_MAX ? LB_OK : LB_ERROR_MEMORY;
}

lb_status lbs_servo_apart_create(const lb_servo *servo, lbs_servo_apart **made) {
    const lb_problem *p = servo->problem;
    *made = NULL;
    if (!p->apart || !p->apart->pair_count || !p->variable_count) {
        return LB_OK;
    }
    lbs_servo_apart sizes = {.all = p->apart, .figure_count = p->figure_count, .variable_count = p->variable_count},
                    *a = NULL;
    size_t scratch;
    if (measure_scratch(servo, &sizes, &scratch)) {
        return LB_ERROR_MEMORY;
    }
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    a = lbm_cut(&arena, 1, sizeof *a);
    cut(&sizes, p, scratch, &arena);
    sizes.size = arena.used;
    void *block = arena.used < SIZE_MAX ? lbf_new(&servo->allocator, arena.used, 1) : NULL;
    if (!block) {
        return LB_ERROR_MEMORY;
    }
    arena = lbm_arena_on(block, LBM_ARENA_LINE);
    a = lbm_cut(&arena, 1, sizeof *a);
    *a = sizes;
    cut(a, p, scratch, &arena);
    if (fill(servo, a)) {
        lbs_servo_apart_destroy(&servo->allocator, a);
        return LB_ERROR_MEMORY;
    }
    *made = a;
    return LB_OK;
}

void lbs_servo_apart_destroy(const lb_allocator *allocator, lbs_servo_apart *a) {
    if (!a) {
        return;
    }
    for (int f = 0; f < a->figure_count; f++) {
        lb_kinematics_destroy(a->kinematics[f]);
    }
    lbf_delete(allocator, a, a->size, 1);
}

void lbs_servo_apart_begin(lb_servo *servo) {
    for (int i = 0; servo->apart && i < servo->apart->all->pair_count; i++) {
        servo->apart->floors[i] = -INFINITY;
    }
}

/* --- Which pairs are near
 * ------------------------------------------------------------------------------------------------ */

void lbs_servo_place_masses(lbs_servo_apart *a, const lb_problem *p, const double *pose) {
    for (int f = 0; f < a->figure_count; f++) {
        lb_kinematics_update(a->kinematics[f], pose + p->first_variables[f]);
    }
    for (int m = 0; m < a->all->mass_count; m++) {
        const lbp_mass *mass = &a->all->masses[m];
        if (mass->figure < 0) {
            lbm_transform_identity(&a->frames[m]);
        } else {
            lbf_segment_transform(a->kinematics[mass->figure], mass->segment, &a->frames[m]);
        }
    }
}

/* A mass as variable k moves: the velocity of its middle, and its angular velocity. 0 where k is another figure's. */
static void twist_of(const lbs_servo_apart *a, const lb_problem *p, int mass, int k, double v[3], double w[3]) {
    const int f = a->all->masses[mass].figure;
    const int n = f < 0 ? 0 : p->figures[f]->variable_count, i = f < 0 ? 0 : k - p->first_variables[f];
    if (i < 0 || i >= n) {
        lbm_set3(v, 0, 0, 0);
        lbm_set3(w, 0, 0, 0);
        return;
    }
    const double *t = a->twists + a->first_twists[mass] + i;
    lbm_set3(v, t[0], t[n], t[2 * n]);
    lbm_set3(w, t[3 * n], t[4 * n], t[5 * n]);
}

/* Twists of all masses, and how far each can move until all stands. */
static void sweep_masses(const lb_servo *servo, lbs_servo_apart *a) {
    const lb_problem *p = servo->problem;
    for (int k = 0; k < a->variable_count; k++) {
        const double low = fabs(servo->drive.low[k].speed), high = fabs(servo->drive.high[k].speed);
        const double most = low > high ? low : high;
        a->ways[k] = servo->body ? LBS_SERVO_HORIZON * most : lbs_brake_way(&servo->drive.rates[k], most);
    }
    for (int m = 0; m < a->all->mass_count; m++) {
        const lbp_mass *mass = &a->all->masses[m];
        lbm_apply(&a->frames[m], mass->centre, a->centres[m]);
        a->sweeps[m] = 0;
        if (mass->figure < 0) {
            continue;
        }
        lb_effector effector = {LB_EFFECTOR_FRAME, mass->segment, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
        lbm_copy3(effector.point, mass->centre);
        lb_kinematics_twist(a->kinematics[mass->figure], &effector, a->twists + a->first_twists[m]);
        const int first = p->first_variables[mass->figure], count = p->figures[mass->figure]->variable_count;
        for (int k = first; k < first + count; k++) {
            double v[3], w[3];
            twist_of(a, p, m, k, v, w);
            a->sweeps[m] += SLACK * a->ways[k] * (lbm_norm3(v) + lbm_norm3(w) * mass->reach);
        }
    }
}

/* The levers of a pair; returns how much it can move until all stands. */
static double find_levers(const lbs_servo_apart *a, const lb_problem *p, int one, int other, double *levers) {
    double off[3], sum = 0;
    lbm_sub3(a->centres[one], a->centres[other], off);
    for (int k = 0; k < a->variable_count; k++) {
        double v[3], w[3], v_other[3], w_other[3], turned[3];
        twist_of(a, p, one, k, v, w);
        twist_of(a, p, other, k, v_other, w_other);
        lbm_cross3(w_other, off, turned);
        for (int c = 0; c < 3; c++) {
            v[c] -= v_other[c] + turned[c];
            w[c] -= w_other[c];
        }
        levers[k] = SLACK * (lbm_norm3(v) + lbm_norm3(w) * a->all->masses[one].reach);
        sum += a->ways[k] * levers[k];
    }
    return sum;
}

static int balls_are_apart(const lbs_servo_apart *a, int one, int other, double least) {
    double off[3];
    lbm_sub3(a->centres[one], a->centres[other], off);
    const double room = a->all->masses[one].reach + a->all->masses[other].reach + least;
    return lbm_dot3(off, off) > room * room;
}

/* Notes that a pair could touch. What overlaps already, at the start or because it came into the way, may do so, but
 * comes no nearer. */
static void note_near(lbs_servo_apart *a, int pair, near_pair *near) {
    const double margin = a->all->pairs[pair].margin;
    near->pair = pair;
    near->distance = near->gap.distance - margin;
    if (near->distance >= -KEPT || a->floors[pair] == -INFINITY) {
        a->floors[pair] = near->distance < -KEPT ? near->distance : -KEPT;
    }
    near->least = margin + (near->distance < a->floors[pair] ? near->distance : a->floors[pair]);
    a->order[a->near_count] = a->near_count;
    a->near_count++;
}

static void find_near(const lb_servo *servo, lbs_servo_apart *a) {
    const lb_problem *p = servo->problem;
    a->near_count = 0;
    lbs_servo_place_masses(a, p, servo->drive.q);
    sweep_masses(servo, a);
    for (int i = 0; i < a->all->pair_count; i++) {
        const lbp_pair *pair = &a->all->pairs[i];
        const int one = (int)(pair->a - a->all->masses), other = (int)(pair->b - a->all->masses);
        near_pair *near = &a->near[a->near_count];
        if (balls_are_apart(a, one, other, pair->margin + a->sweeps[one] + a->sweeps[other])) {
            a->floors[i] = -KEPT;
            continue;
        }
        near->levers = a->levers + (size_t)a->near_count * (size_t)a->variable_count;
        const double enough = pair->margin + find_levers(a, p, one, other, near->levers);
        if (lbp_pair_is_apart(pair, &a->frames[one], &a->frames[other], enough, &a->memories[i])) {
            a->floors[i] = -KEPT;
            continue;
        }
        lbp_pair_gap(pair, &a->frames[one], &a->frames[other], enough, &near->gap);
        if (!near->gap.is_bound) {
            note_near(a, i, near);
        }
    }
}

/* --- Gliding ------------------------------------------------------------------------------------------------------------- */

/* How fast the distance of a pair grows as variable k moves. */
static double slope_of(const lbs_servo_apart *a, const lb_problem *p, const near_pair *near, int k) {
    const lbp_pair *pair = &a->all->pairs[near->pair];
    const int masses[2] = {(int)(pair->a - a->all->masses), (int)(pair->b - a->all->masses)};
    double slope = 0;
    for (int side = 0; side < 2; side++) {
        double v[3], w[3], arm[3], turned[3];
        twist_of(a, p, masses[side], k, v, w);
        lbm_sub3(side ? near->gap.at_b : near->gap.at_a, a->centres[masses[side]], arm);
        lbm_cross3(w, arm, turned);
        const double along = lbm_dot3(near->gap.normal, v) + lbm_dot3(near->gap.normal, turned);
        slope += side ? -along : along;
    }
    return slope;
}

/* The row that bounds the speed of approach, in shares of the velocity limits. Returns 0 where nothing moves the
 * pair. */
static int make_row(const lb_servo *servo, const lbs_servo_apart *a, const near_pair *near, int r, int is_parting) {
    const size_t first = (size_t)r * (size_t)a->variable_count;
    double *coefficients = a->coefficients + first, square = 0, time = servo->options.period, braking = 0, best = 0,
           swing = 0;
    int *variables = a->variables + first, count = 0;
    for (int k = 0; k < a->variable_count; k++) {
        const lbs_rate *rate = &servo->drive.rates[k];
        const double c = -slope_of(a, servo->problem, near, k) * rate->velocity;
        if (fabs(c) > 1e-9) {
            const double stop = fabs(servo->drive.v[k]) / rate->acceleration + rate->period;
            time = stop > time ? stop : time;
            braking += c * lbs_brake(rate, servo->drive.v[k]) / rate->velocity;
            swing += fabs(c / rate->velocity * lbs_brake_way(rate, servo->drive.v[k]));
            best += c * (c > 0 ? a->lower[k] : a->upper[k]);
            square += c * c;
            variables[count] = k;
            coefficients[count++] = c;
        }
    }
    const double norm = sqrt(square);
    if (!(norm > 1e-9)) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        coefficients[i] /= norm;
    }
    /* Pairs that overlap are to be parted: up to half of what the box allows, which pairs against each other may not
     * let be. */
    const double distance = near->distance - KEPT, room = distance - SWING * swing,
                 speed = distance < 0 ? distance / RECOVER
                         : room > 0   ? room / time
                                      : 0,
                 half = 0.5 * (best + braking), least = is_parting ? half : braking;
    a->rows[r] =
        (lb_limit_row){NULL, LB_LIMIT_AT_MOST, count, variables, coefficients, (speed > least ? speed : least) / norm};
    return 1;
}

/* What braking of variables that no goal moves adds to a row, and the row in steps of z, both times `weight`. Returns
 * the right side. */
static double step_row(const lb_servo *servo, const lb_limit_row *row, double weight, double *values) {
    const lbs_space *s = servo->space;
    double right = row->bound;
    memset(values, 0, (size_t)s->stride * sizeof *values);
    for (int i = 0; i < row->count; i++) {
        const int k = row->variables[i], at = s->variables.active_of[k];
        const double limit = servo->drive.rates[k].velocity;
        if (at < 0) {
            right -= row->coefficients[i] * servo->drive.next_v[k] / limit;
        } else {
            values[at] = weight * row->coefficients[i] * s->variables.scale[at] / (servo->options.period * limit);
        }
    }
    return weight * right;
}

int lbs_servo_pair_rows(lb_servo *servo, int most, double *rows, double *values, int *keys) {
    lbs_servo_apart *a = servo->apart;
    const lbs_space *s = servo->space;
    const lbs_bodies_task *t = &servo->body->bodies->task;
    const double period = servo->options.period, share = period / LBS_SERVO_HORIZON;
    int count = 0;
    find_near(servo, a);
    for (int i = 0; i < a->near_count && count < most; i++) {
        const near_pair *near = &a->near[i];
        const double room = near->distance - KEPT;
        double *row = rows + (size_t)count * (size_t)t->stride, braking = 0, square = 0;
        memset(row, 0, (size_t)t->stride * sizeof *row);
        for (int k = 0; k < a->variable_count; k++) {
            const int at = s->variables.active_of[k];
            const double slope = -slope_of(a, servo->problem, near, k);
            if (at >= 0) {
                row[at] = slope * s->variables.scale[at];
                square += row[at] * row[at];
            } else {
                braking += slope * period * lbs_servo_body_brake(servo, k);
            }
        }
        if (square > 1e-18) {
            values[count] = braking - (room < 0 ? room * period / RECOVER : room * share);
            keys[count++] = t->conditions.most + near->pair;
        }
    }
    return count;
}

#define ROUNDS 4
#define ROW_WEIGHT 0.1 /* a share of a velocity limit, in metres of a tick's step: far above what goals have */

/* The step that comes nearest to the wanted one, as the goals see it, in the box and behind the rows that it would
 * cross: those are taken in as stiff equations, and let go where the step would rather leave them. Afterwards
 * drive.next_v has it. */
static void fit_rows(lb_servo *servo, const lbs_servo_apart *a, int count) {
    lbs_space *s = servo->space;
    lbs_servo_work *w = &servo->work;
    const int goals = s->row_count;
    const size_t stride = (size_t)s->stride;
    int used[LBS_SERVO_PAIR_ROWS], used_count = 0;
    const double period = servo->options.period;
    lbm_all_blocks(goals + LBS_SERVO_PAIR_ROWS, s->stride, w->blocks);
    for (int k = 0; k < s->n; k++) {
        const int v = s->variables.index[k];
        const double unit = period / s->variables.scale[k];
        w->base[k] = servo->drive.next_v[v] * unit;
        w->low_d[k] = servo->drive.low[v].speed * unit - w->base[k];
        w->high_d[k] = servo->drive.high[v].speed * unit - w->base[k];
    }
    for (int round = 0; round < ROUNDS; round++) {
        int is_changed = 0;
        for (int r = 0; r < count && used_count < LBS_SERVO_PAIR_ROWS; r++) {
            int is_used = 0;
            for (int i = 0; i < used_count; i++) {
                is_used |= used[i] == r;
            }
            if (!is_used && lbm_row_sum(&a->rows[r], a->x) - a->rows[r].bound > 1e-9) {
                used[used_count++] = r;
                is_changed = 1;
            }
        }
        if (!is_changed) {
            return;
        }
        memset(w->rhs, 0, (size_t)lbm_stride(goals + used_count) * sizeof(double));
        for (int r = 0; r < goals; r++) {
            const double weight = r < s->levels.first_rows[s->levels.goal_count - 1] ? LBS_SERVO_STIFF : 1;
            for (size_t k = 0; k < stride; k++) {
                w->stack[(size_t)r * stride + k] = weight * s->last.jacobian[(size_t)r * stride + k];
            }
        }
        for (int i = 0; i < used_count; i++) {
            double *values = w->stack + (size_t)(goals + i) * stride, sum = 0;
            const double right = step_row(servo, &a->rows[used[i]], ROW_WEIGHT, values);
            for (int k = 0; k < s->n; k++) {
                sum += values[k] * w->base[k];
            }
            w->rhs[goals + i] = sum - right;
        }
        for (int k = 0; k < s->n; k++) {
            w->diagonal[k] = LBS_SERVO_FIT_DAMPING;
            w->slope_d[k] = 0;
            w->active[k] = 0;
        }
        const lbm_matrix rows = {goals + used_count, s->stride, w->stack, w->blocks};
        if (!lbs_servo_solve_box(servo, &rows)) {
            return;
        }
        for (int k = 0; k < s->n; k++) {
            const int v = s->variables.index[k];
            servo->drive.next_v[v] = lbs_clamp(w->d[k] * s->variables.scale[k] / period, servo->drive.low[v].speed,
                                               servo->drive.high[v].speed);
            a->x[v] = servo->drive.next_v[v] / servo->drive.rates[v].velocity;
        }
        for (int i = 0; i < used_count; i++) { /* those that pull instead of pushing */
            if (lbm_row_sum(&a->rows[used[i]], a->x) < a->rows[used[i]].bound - 1e-9) {
                used[i--] = used[--used_count];
            }
        }
    }
}

/* Rows of all near pairs, from the wanted speeds in x; *worst is the pair that these go into the most, -1: into none.
 * Returns how many. */
static int make_rows(const lb_servo *servo, const lbs_servo_apart *a, int is_parting, int *worst) {
    double most = 1e-9;
    int count = 0;
    *worst = -1;
    for (int i = 0; i < a->near_count; i++) {
        if (make_row(servo, a, &a->near[i], count, is_parting)) {
            const double excess = lbm_row_sum(&a->rows[count], a->x) - a->rows[count].bound;
            if (excess > most) {
                most = excess;
                *worst = a->near[i].pair;
            }
            count++;
        }
    }
    return count;
}

void lbs_servo_limit_approach(lb_servo *servo) {
    lbs_servo_apart *a = servo->apart;
    const lbs_servo_drive *drive = &servo->drive;
    int is_failed = 1, worst = -1;
    if (!a) {
        return;
    }
    find_near(servo, a);
    for (int k = 0; k < a->variable_count; k++) {
        const double limit = drive->rates[k].velocity;
        a->x[k] = drive->next_v[k] / limit;
        a->lower[k] = drive->low[k].speed / limit;
        a->upper[k] = drive->high[k].speed / limit;
    }
    for (int is_parting = 1; is_failed && is_parting >= 0;
         is_parting--) { /* braking keeps the rows of the second round */
        const int count = make_rows(servo, a, is_parting, &worst);
        if (worst < 0) {
            return;
        }
        servo->blame.pair = worst;
        if (is_parting && servo->space->row_count > 0 && servo->space->levels.goal_count > 0) {
            fit_rows(servo, a, count);
        }
        is_failed = lbm_project(a->variable_count, a->lower, a->upper, count, a->rows, a->x, a->scratch);
    }
    for (int k = 0; k < a->variable_count && !is_failed; k++) {
        drive->next_v[k] = lbs_clamp(a->x[k] * drive->rates[k].velocity, drive->low[k].speed, drive->high[k].speed);
    }
}
