/* The active set of a step: limits over several variables, and guards (faces of regions that a higher level has an
 * effector in), which the step keeps as equalities. Bounds of single variables are not in it: they are exact inside
 * the step. */
#include <string.h>

#include "math/project.h"
#include "solve/methods/lm/step_parts.h"

#define CROSSED 1e-12 /* beyond a limit, relative to its bound: less is a rounding error */

/* Adds a limit or a guard, and its weighted row to those of the dual step. */
static void activate(lbs_step *p, int number, double slack) {
    const lbs_space *s = p->s;
    lbs_step_active *active = &p->active;
    size_t stride = (size_t)s->stride;
    double *row = p->dual.rows + (size_t)(lbs_step_own_rows(p) + lbs_step_first_row(p) + active->count) * stride;
    if (lbs_step_is_guard(p, number)) {
        const double *from = lbs_step_guard_row(p, number);
        for (size_t k = 0; k < stride; k++) {
            row[k] = LBS_EQUALITY_WEIGHT * from[k];
        }
    } else {
        const lb_limit_row *from = &s->limits.rows[number];
        memset(row, 0, stride * sizeof *row);
        for (int j = 0; j < from->count; j++) {
            row[from->variables[j]] = LBS_EQUALITY_WEIGHT * from->coefficients[j];
        }
    }
    active->slacks[active->count] = slack;
    active->numbers[active->count++] = number;
}

/* How far it is from z to a guard's face. From beyond the face the step may not go farther beyond. */
static double distance_to_face(const lbs_step *p, int guard) {
    double value = p->s->last.guards[guard].value;
    return value < 0 ? -value : 0;
}

void lbs_step_activate_blocking(lbs_step *p) {
    const lbs_space *s = p->s;
    const double *multipliers = p->model.row_multipliers;
    p->active.count = 0;
    for (int k = 0; k < s->limits.count && p->active.count < LBS_MAX_ACTIVE; k++) {
        if (p->model.limit_multipliers[k] != 0) {
            activate(p, k, 0);
        }
    }
    for (int k = 0; multipliers && k < s->last.guard_count && p->active.count < LBS_MAX_ACTIVE; k++) {
        if (multipliers[s->row_count + k] > 0) {
            activate(p, s->limits.count + k, distance_to_face(p, k));
        }
    }
}

/* Whether a number is among the first `count` of the active set. */
static int is_active(const lbs_step *p, int number, int count) {
    for (int i = 0; i < count; i++) {
        if (p->active.numbers[i] == number) {
            return 1;
        }
    }
    return 0;
}

static void activate_crossed_guards(lbs_step *p, int before) {
    const lbs_space *s = p->s;
    for (int k = 0; k < s->last.guard_count && p->active.count < LBS_MAX_ACTIVE; k++) {
        const double *row = lbs_step_guard_row(p, s->limits.count + k);
        double change = 0;
        if (is_active(p, s->limits.count + k, before)) {
            continue;
        }
        for (int j = 0; j < s->n; j++) {
            change += row[j] * p->d[j];
        }
        if (change > distance_to_face(p, k) + CROSSED) {
            activate(p, s->limits.count + k, distance_to_face(p, k));
        }
    }
}

/* A limit that is added lets the step go as far as the limit allows. */
int lbs_step_activate_crossed(lbs_step *p) {
    const lbs_space *s = p->s;
    int before = p->active.count;
    for (int k = 0; k < s->limits.count && p->active.count < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *limit = &s->limits.rows[k];
        if (is_active(p, k, before)) {
            continue;
        }
        double here = lbm_row_sum(limit, p->model.z), change = lbm_row_sum(limit, p->d);
        if (here + change <= limit->bound + CROSSED * (1 + fabs(limit->bound))) {
            continue;
        }
        activate(p, k, here < limit->bound ? limit->bound - here : 0);
    }
    if (p->model.row_multipliers) {
        activate_crossed_guards(p, before);
    }
    return p->active.count - before;
}
