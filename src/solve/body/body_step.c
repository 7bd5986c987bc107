/* One step of sequential quadratic programming: the terms linearised, with rules, goals and conditions as rows of large
 * weight that are shifted by their multipliers (the proximal method of multipliers), within bounds and trust radius.
 *
 * The weight makes rows as good as exact where they can be met; where they cannot, as when a goal is out of reach, the
 * step is the least-squares compromise, and nothing breaks down. */
#include <math.h>
#include <string.h>

#include "solve/body/body.h"

#define RULE_WEIGHT 1e7
#define GOAL_WEIGHT 1e5
#define HELD 30.0 /* weight of what is likely to be active, where the model is not convex */
#define DAMPING 1e-6
#define MOST_RULE_MULTIPLIER 1000.0

/* Goals are equalities, or terms of this weight. */
static double goal_weight(const lbs_bodies *b) { return b->elastic > 0 ? b->elastic : GOAL_WEIGHT; }

/* The Hessian of Gauss-Newton's model, without its conditions: the squares of the rows. */
static void fill_model(lbs_bodies *b, double damping) {
    const lbs_bodies_task *t = &b->task;
    const lbm_kernels *kernels = t->space->kernels;
    lbs_body_step *s = &b->step;
    const size_t stride = (size_t)t->stride;
    memset(s->matrix, 0, (size_t)t->size * stride * sizeof *s->matrix);
    kernels->squares(t->size, t->wishes.count, t->wishes.jacobian, t->wishes.jacobian, 1, s->matrix);
    kernels->squares(t->size, t->rules.count, t->rules.jacobian, t->rules.jacobian, RULE_WEIGHT, s->matrix);
    kernels->squares(t->size, t->goals.count, t->goals.jacobian, t->goals.jacobian, goal_weight(b), s->matrix);
    for (int i = 0; i < t->size; i++) {
        s->matrix[(size_t)i * stride + (size_t)i] += t->iterate.half_curvature[i] + DAMPING + (i < t->n ? damping : 0);
    }
    kernels->mirror(t->size, s->matrix);
}

/* Adds to the diagonal of the variables, not of the forces. */
static void shift_diagonal(lbs_bodies *b, double shift) {
    for (int i = 0; i < b->task.n; i++) {
        b->step.matrix[(size_t)i * (size_t)b->task.stride + (size_t)i] += shift;
    }
}

static void fill_gradient(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    const lbm_kernels *kernels = t->space->kernels;
    lbs_body_step *s = &b->step;
    memcpy(s->gradient, t->iterate.half_gradient, (size_t)t->stride * sizeof *s->gradient);
    for (int i = 0; i < t->wishes.count; i++) {
        kernels->add_scaled(t->stride, t->iterate.wishes[i], t->wishes.jacobian + (size_t)i * (size_t)t->stride,
                            s->gradient);
    }
    for (int i = 0; i < t->rules.count; i++) {
        kernels->add_scaled(t->stride, RULE_WEIGHT * s->rule_shift[i] + b->rule_multipliers[i],
                            t->rules.jacobian + (size_t)i * (size_t)t->stride, s->gradient);
    }
    for (int i = 0; i < t->goals.count; i++) {
        kernels->add_scaled(t->stride,
                            goal_weight(b) * s->goal_shift[i] + (b->elastic > 0 ? 0 : b->goal_multipliers[i]),
                            t->goals.jacobian + (size_t)i * (size_t)t->stride, s->gradient);
    }
}

static void bound(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    lbs_body_step *s = &b->step;
    for (int i = 0; i < t->size; i++) {
        const double most = 10;
        s->low[i] = b->lower[i] - b->x[i] > -most ? b->lower[i] - b->x[i] : -most;
        s->high[i] = b->upper[i] - b->x[i] < most ? b->upper[i] - b->x[i] : most;
        s->low[i] = s->low[i] < 0 ? s->low[i] : 0;
        s->high[i] = s->high[i] > 0 ? s->high[i] : 0;
    }
    for (int i = t->size; i < t->stride; i++) {
        s->low[i] = s->high[i] = 0;
    }
}

/* The active set of the last step is the guess for this one; conditions are known by their ids. */
static void guess_active(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    lbm_qp *q = &b->step.qp;
    int kept = 0;
    for (int i = 0; i < q->count; i++) {
        if (q->active[i] < 2 * t->size) {
            q->active[kept++] = q->active[i];
        }
    }
    q->count = kept;
    for (int i = 0; i < t->conditions.near.count && q->count < q->most; i++) {
        if (b->condition_multipliers[t->conditions.ids[i]] > 0) {
            q->active[q->count++] = 2 * t->size + i;
        }
    }
}

/* Solves the quadratic program of the model. Returns 1 if its matrix is not positive definite. */
static int solve_step(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    lbs_body_step *s = &b->step;
    lbm_qp *q = &s->qp;
    for (int i = 0; i < t->conditions.near.count; i++) {
        s->condition_values[i] = s->condition_shift[i] + b->condition_multipliers[t->conditions.ids[i]] / RULE_WEIGHT;
    }
    q->kernels = t->space->kernels;
    q->n = t->size;
    q->stride = t->stride;
    q->matrix = s->matrix;
    q->gradient = s->gradient;
    q->low = s->low;
    q->high = s->high;
    q->condition_count = t->conditions.near.count;
    q->rows = t->conditions.near.jacobian;
    q->values = s->condition_values;
    q->weight = RULE_WEIGHT;
    q->hard_count = q->is_factored = 0;
    q->d = s->d;
    return lbm_qp_solve(q);
}

/* Where the model is not convex, the constraints that are likely to be active become squares, too, about where they
 * hold: that changes no step that they hold in, and takes directions that are blocked out of question. */
static void hold_active(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    lbs_body_step *s = &b->step;
    const size_t stride = (size_t)t->stride;
    for (int i = 0; i < s->held_count; i++) {
        const int constraint = s->held[i], variable = constraint >> 1;
        if (constraint < 2 * t->size) {
            s->matrix[(size_t)variable * stride + (size_t)variable] += HELD;
        } else {
            const double *row = t->conditions.near.jacobian + (size_t)(constraint - 2 * t->size) * stride;
            t->space->kernels->squares(t->size, 1, row, row, HELD, s->matrix);
        }
    }
    t->space->kernels->mirror(t->size, s->matrix);
}

static void pull_to_held(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    lbs_body_step *s = &b->step;
    for (int i = 0; i < s->held_count; i++) {
        const int constraint = s->held[i], variable = constraint >> 1, row = constraint - 2 * t->size;
        if (row < 0) {
            s->gradient[variable] -= HELD * (constraint & 1 ? s->high[variable] : s->low[variable]);
        } else {
            t->space->kernels->add_scaled(t->stride, HELD * s->condition_shift[row],
                                          t->conditions.near.jacobian + (size_t)row * (size_t)t->stride, s->gradient);
        }
    }
}

/* Shifts of the diagonal, one after the other until the model is convex. */
static const double shifts[] = {0, 0.03, 0.12, 0.5};
#define SHIFT_COUNT ((int)(sizeof shifts / sizeof *shifts))
#define FAR 0.3 /* metres that rules and goals are off, all together */

/* Far from the rules and goals multipliers are guesses, and the curvature that they make is worth nothing. */
static int is_far(const lbs_bodies *b) {
    double sum = 0;
    for (int i = 0; i < b->task.rules.count; i++) {
        sum += fabs(b->task.iterate.rules[i]);
    }
    for (int i = 0; i < b->task.goals.count && !(b->elastic > 0); i++) {
        sum += fabs(b->task.iterate.goals[i]);
    }
    return sum > FAR;
}

/* The step of the model of the Lagrangian, with the least shift that makes it convex. The search begins a little below
 * the shift of the last iteration. Returns 1 if there is none. */
static int solve_convex(lbs_bodies *b) {
    lbs_body_step *s = &b->step;
    const int first = s->shift > 0 ? s->shift - 1 : 0;
    double shifted = 0;
    if (first == 0 && !solve_step(b)) {
        s->shift = 0;
        return 0;
    }
    s->held_count = s->qp.count;
    memcpy(s->held, s->qp.active, (size_t)s->qp.count * sizeof *s->held);
    hold_active(b);
    pull_to_held(b);
    for (s->shift = first; s->shift < SHIFT_COUNT; s->shift++) {
        shift_diagonal(b, shifts[s->shift] - shifted);
        shifted = shifts[s->shift];
        if (!solve_step(b)) {
            return 0;
        }
    }
    shift_diagonal(b, -shifted);
    return 1;
}

int lbs_bodies_step(lbs_bodies *b, double damping, int again) {
    const lbs_bodies_task *t = &b->task;
    lbs_body_step *s = &b->step;
    bound(b);
    fill_gradient(b);
    if (again) {
        pull_to_held(b);
        return solve_step(b);
    }
    s->held_count = 0;
    guess_active(b);
    fill_model(b, damping);
    if (is_far(b)) {
        return solve_step(b);
    }
    lbs_bodies_curvature(b, s->curvature);
    t->space->kernels->add_scaled(t->size * t->stride, 1, s->curvature, s->matrix);
    if (!solve_convex(b)) {
        return 0;
    }
    t->space->kernels->add_scaled(t->size * t->stride, -1, s->curvature, s->matrix);
    return solve_step(b);
}

#define FULFILLED 1e-6 /* metres: what a step leaves of a row that it fulfils */

static double clip(double value, double most) { return value > most ? most : value < -most ? -most : value; }

void lbs_bodies_multipliers(lbs_bodies *b, double *most_rule, double *goal_norm) {
    const lbs_bodies_task *t = &b->task;
    const lbs_body_step *s = &b->step;
    const size_t stride = (size_t)t->stride;
    double square = 0;
    *most_rule = 0;
    for (int i = 0; i < t->rules.count; i++) {
        const double left = s->rule_shift[i] + lbs_dot(t->size, t->rules.jacobian + (size_t)i * stride, s->d);
        b->next.rules[i] = clip(b->rule_multipliers[i] + RULE_WEIGHT * left, MOST_RULE_MULTIPLIER);
        if (fabs(left) < FULFILLED && fabs(b->next.rules[i]) > *most_rule) {
            *most_rule = fabs(b->next.rules[i]);
        }
    }
    for (int i = 0; i < t->goals.count; i++) {
        const double left = s->goal_shift[i] + lbs_dot(t->size, t->goals.jacobian + (size_t)i * stride, s->d);
        b->next.goals[i] = clip(b->goal_multipliers[i] + GOAL_WEIGHT * left, LBS_MOST_MULTIPLIER);
        square += fabs(left) < FULFILLED && !(b->elastic > 0) ? b->next.goals[i] * b->next.goals[i] : 0;
    }
    for (int i = 0; i < t->conditions.count; i++) {
        b->next.conditions[i] = 0;
    }
    for (int i = 0; i < s->qp.count; i++) {
        if (s->qp.active[i] < 2 * t->size) {
            continue;
        }
        const int id = t->conditions.ids[s->qp.active[i] - 2 * t->size];
        b->next.conditions[id] = clip(s->qp.u[i], MOST_RULE_MULTIPLIER);
        if (s->qp.u[i] < FULFILLED * RULE_WEIGHT + b->condition_multipliers[id] &&
            b->next.conditions[id] > *most_rule) {
            *most_rule = b->next.conditions[id];
        }
    }
    *goal_norm = sqrt(square);
}
