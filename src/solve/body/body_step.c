/* One step of sequential quadratic programming: the terms linearised, with rules, goals and conditions as rows of large weight
 * that are shifted by their multipliers (the proximal method of multipliers), within bounds and trust radius.
 *
 * The weight makes rows as good as exact where they can be met; where they cannot, as when a goal is out of reach, the step is
 * the least-squares compromise, and nothing breaks down. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/box.h"
#include "solve/body/body.h"

#define RULE_WEIGHT 1e7
#define GOAL_WEIGHT 1e5
#define DAMPING 1e-6
#define MOST_RULE_MULTIPLIER 1000.0
#define MAX_ROUNDS 12 /* of finding the active conditions */

/* What a row adds to the gradient and the matrix of the model. */
static void add_row(const lbs_bodies_task *t, lbs_body_step *s, const double *row, double residual, double weight) {
    t->space->kernels->add_scaled(t->stride, weight * residual, row, s->gradient);
    t->space->kernels->squares(t->size, 1, row, row, weight, s->matrix);
}

/* The part of the model that does not depend on which conditions are active. */
static void fill_model(lbs_bodies *b, double damping, double bent) {
    const lbs_bodies_task *t = &b->task;
    const lbm_kernels *kernels = t->space->kernels;
    lbs_body_step *s = &b->step;
    const size_t stride = (size_t)t->stride;
    memset(s->matrix, 0, (size_t)t->size * stride * sizeof *s->matrix);
    kernels->squares(t->size, t->wishes.count, t->wishes.jacobian, t->wishes.jacobian, 1, s->matrix);
    kernels->squares(t->size, t->rules.count, t->rules.jacobian, t->rules.jacobian, RULE_WEIGHT, s->matrix);
    kernels->squares(t->size, t->goals.count, t->goals.jacobian, t->goals.jacobian, GOAL_WEIGHT, s->matrix);
    for (int i = 0; i < t->size; i++) {
        s->matrix[(size_t)i * stride + (size_t)i] += t->iterate.half_curvature[i] + DAMPING + (i < t->n ? damping : 0);
    }
    kernels->mirror(t->size, s->matrix);
    if (bent > 0) {
        kernels->add_scaled(t->size * t->stride, bent, s->curvature, s->matrix);
    }
    memcpy(s->fixed, s->matrix, (size_t)t->size * stride * sizeof *s->matrix);
}

static void fill_gradient(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    const lbm_kernels *kernels = t->space->kernels;
    lbs_body_step *s = &b->step;
    memcpy(s->gradient, t->iterate.half_gradient, (size_t)t->stride * sizeof *s->gradient);
    for (int i = 0; i < t->wishes.count; i++) {
        kernels->add_scaled(t->stride, t->iterate.wishes[i], t->wishes.jacobian + (size_t)i * (size_t)t->stride, s->gradient);
    }
    for (int i = 0; i < t->rules.count; i++) {
        kernels->add_scaled(t->stride, RULE_WEIGHT * s->rule_shift[i] + b->rule_multipliers[i],
                            t->rules.jacobian + (size_t)i * (size_t)t->stride, s->gradient);
    }
    for (int i = 0; i < t->goals.count; i++) {
        kernels->add_scaled(t->stride, GOAL_WEIGHT * s->goal_shift[i] + b->goal_multipliers[i],
                            t->goals.jacobian + (size_t)i * (size_t)t->stride, s->gradient);
    }
    memcpy(s->fixed_gradient, s->gradient, (size_t)t->stride * sizeof *s->gradient);
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The value of a condition after the step, shifted by its multiplier. */
static double shifted(const lbs_bodies *b, int row) {
    const lbs_bodies_task *t = &b->task;
    return b->step.condition_shift[row] + b->condition_multipliers[t->conditions.ids[row]] / RULE_WEIGHT +
           dot(t->size, t->conditions.near.jacobian + (size_t)row * (size_t)t->stride, b->step.d);
}

static void fill_active(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    lbs_body_step *s = &b->step;
    memcpy(s->matrix, s->fixed, (size_t)t->size * (size_t)t->stride * sizeof *s->matrix);
    memcpy(s->gradient, s->fixed_gradient, (size_t)t->stride * sizeof *s->gradient);
    int any = 0;
    for (int i = 0; i < t->conditions.near.count; i++) {
        if (s->active[i]) {
            const double at = s->condition_shift[i] + b->condition_multipliers[t->conditions.ids[i]] / RULE_WEIGHT;
            add_row(t, s, t->conditions.near.jacobian + (size_t)i * (size_t)t->stride, at, RULE_WEIGHT);
            any = 1;
        }
    }
    if (any) {
        t->space->kernels->mirror(t->size, s->matrix);
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

/* Whether the step of this round agrees with its guess of the active conditions; otherwise the guess is changed. */
static int settle(lbs_bodies *b, int may_release) {
    const lbs_bodies_task *t = &b->task;
    int changed = 0;
    for (int i = 0; i < t->conditions.near.count; i++) {
        const int is_active = shifted(b, i) > 0;
        if (is_active != b->step.active[i] && (is_active || may_release)) {
            b->step.active[i] = (unsigned char)is_active;
            changed = 1;
        }
    }
    return !changed;
}

/* The step, with this share of the curvature. Returns 1 if the matrix is not positive definite. */
static int solve_step(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    lbs_body_step *s = &b->step;
    for (int round = 0; round < MAX_ROUNDS; round++) {
        fill_active(b);
        const lbm_box_matrix box = {.kernels = t->space->kernels,
                                    .n = t->size,
                                    .stride = t->stride,
                                    .matrix = s->matrix,
                                    .gradient = s->gradient,
                                    .low = s->low,
                                    .high = s->high,
                                    .state = s->state,
                                    .d = s->d,
                                    .scratch = s->scratch};
        double lack;
        if (lbm_box_matrix_solve(&box, &lack)) {
            return 1;
        }
        if (settle(b, round < MAX_ROUNDS / 2)) {
            break;
        }
    }
    return 0;
}

static void guess_active(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    for (int i = 0; i < t->conditions.near.count; i++) {
        const double y = b->condition_multipliers[t->conditions.ids[i]];
        b->step.active[i] = b->step.condition_shift[i] + y / RULE_WEIGHT > 0;
    }
}

int lbs_bodies_step(lbs_bodies *b, double damping, int again) {
    static const double shares[] = {1, 0.3, 0};
    bound(b);
    if (again) {
        fill_gradient(b);
        return solve_step(b);
    }
    fill_gradient(b);
    lbs_bodies_curvature(b, b->step.curvature);
    for (size_t i = 0; i < sizeof shares / sizeof *shares; i++) {
        fill_model(b, damping, shares[i]);
        guess_active(b);
        if (!solve_step(b)) {
            if (getenv("BODY_TRACE")) fprintf(stderr, "curvature %g\n", shares[i]);
            return 0;
        }
    }
    return 1;
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
        const double left = s->rule_shift[i] + dot(t->size, t->rules.jacobian + (size_t)i * stride, s->d);
        b->next_rules[i] = clip(b->rule_multipliers[i] + RULE_WEIGHT * left, MOST_RULE_MULTIPLIER);
        if (fabs(left) < FULFILLED && fabs(b->next_rules[i]) > *most_rule) {
            *most_rule = fabs(b->next_rules[i]);
        }
    }
    for (int i = 0; i < t->goals.count; i++) {
        const double left = s->goal_shift[i] + dot(t->size, t->goals.jacobian + (size_t)i * stride, s->d);
        b->next_goals[i] = clip(b->goal_multipliers[i] + GOAL_WEIGHT * left, LBS_MOST_MULTIPLIER);
        square += fabs(left) < FULFILLED ? b->next_goals[i] * b->next_goals[i] : 0;
    }
    for (int i = 0; i < t->conditions.count; i++) {
        const int row = t->conditions.rows[i];
        const double y = row >= 0 && s->active[row] ? RULE_WEIGHT * shifted(b, row) : 0;
        b->next_conditions[i] = y > 0 ? clip(y, MOST_RULE_MULTIPLIER) : 0;
        if (y < FULFILLED * RULE_WEIGHT + b->condition_multipliers[i] && b->next_conditions[i] > *most_rule) {
            *most_rule = b->next_conditions[i];
        }
    }
    *goal_norm = sqrt(square);
}
