/* All rows of the bodies of a problem at some x: terms, rules, goals and conditions, with their derivatives where these
 * are wanted. */
#include <math.h>
#include <string.h>

#include "solve/body/body.h"

static void look_at(lbs_bodies_task *t, lbs_body_values *values) {
    t->values = values;
    t->wishes.residuals = values->wishes;
    t->rules.residuals = values->rules;
    t->goals.residuals = values->goals;
    t->conditions.values = values->conditions;
}

double lbs_goal_scale(const lbs_item *item) {
    double scale = 1;
    for (int level = item->level; level > 0; level--) {
        scale *= LBS_LEVEL_SCALE;
    }
    return scale;
}

/* The rows of the problem's goals. What the eyes look for has rows in body_terms.c. */
static void add_goal_rows(lbs_bodies *b) {
    lbs_bodies_task *t = &b->task;
    const lbs_space *s = t->space;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || item->is_gaze) {
            continue;
        }
        const double scale = lbs_goal_scale(item);
        for (int r = item->first_row; r < item->first_row + item->row_count; r++) {
            double *row = lbs_add_goal(t, item->level, scale * s->last.residuals[r]);
            for (int k = 0; row && k < t->n; k++) {
                row[k] = scale * lbs_jacobian_row(s, r)[k];
            }
        }
    }
}

/* The limits of the figures over several variables. */
static void add_limits(lbs_bodies *b, const double *x) {
    lbs_bodies_task *t = &b->task;
    const lbs_space *s = t->space;
    for (int i = 0; i < s->limits.count; i++) {
        const lb_limit_row *limit = &s->limits.rows[i];
        double sum = -limit->bound;
        for (int k = 0; k < limit->count; k++) {
            sum += limit->coefficients[k] * x[limit->variables[k]];
        }
        double *row = limit->kind == LB_LIMIT_EQUAL ? lbs_add_row(t, &t->rules, sum) : lbs_add_condition(t, sum, 1);
        for (int k = 0; row && k < limit->count; k++) {
            row[limit->variables[k]] = limit->coefficients[k];
        }
    }
}

/* The faces of regions that effectors are in. */
static void add_guards(lbs_bodies *b) {
    lbs_bodies_task *t = &b->task;
    const lbs_space *s = t->space;
    for (int i = 0; i < s->last.guard_count; i++) {
        double *row = lbs_add_condition(t, lbs_guard_value(s, i), INFINITY);
        if (row) {
            memcpy(row, s->last.guard_rows + (size_t)i * (size_t)s->stride, (size_t)t->n * sizeof *row);
        }
    }
}

static void find_target(const lbs_bodies *all, const lbs_body *b) {
    const lbs_space *s = all->task.space;
    lbm_set3(b->state->target, 0, 0, 0);
    for (int i = 0; i < b->gaze.target_count; i++) {
        const lbs_item *item = &s->items[b->gaze.target_items[i]];
        double at[3];
        lbm_copy3(at, item->goal.goal.point);
        if (item->constraint->goal.carrier_segment >= 0) {
            lbm_apply(&item->carrier, at, at);
        }
        lbm_add_scaled3(b->state->target, at, 1.0 / b->gaze.target_count);
    }
}

/* Begins the rows of an evaluation. */
static void begin_rows(lbs_bodies *b, int wants_rows) {
    lbs_bodies_task *t = &b->task;
    t->wants_rows = wants_rows;
    t->wishes.count = t->rules.count = t->goals.count = t->conditions.count = t->levels.count = 0;
    if (wants_rows) {
        t->conditions.near.count = 0;
    }
    t->rule_multipliers = b->rule_multipliers;
    t->goal_multipliers = b->goal_multipliers;
    t->condition_multipliers = b->condition_multipliers;
    t->elastic = b->elastic;
    look_at(t, wants_rows ? &t->iterate : &t->trial);
    t->values->own_value = 0;
    memset(t->values->terms, 0, sizeof t->values->terms);
    memset(t->values->half_gradient, 0, (size_t)t->stride * sizeof(double));
    memset(t->values->half_curvature, 0, (size_t)t->stride * sizeof(double));
}

/* The drives of a body have their conditions beside their terms. */
static void add_drives(const lbs_body *b, lbs_bodies_task *t) {
    for (int i = 0; i < b->weight.lever_count; i++) {
        if (b->weight.levers[i].is_drive) {
            lbs_body_drive(b, t, &b->weight.levers[i]);
        }
    }
}

/* The rows of one body at the space's pose. */
static void add_body(lbs_bodies *all, const lbs_body *body, const double *x, int with_terms) {
    lbs_bodies_task *t = &all->task;
    const lbs_space *s = t->space;
    const double *forces = x + body->stand.first_force;
    lbs_body_place(body, s->last.pose, forces);
    lbs_body_place_obstacles(body, s, s->last.pose, 0);
    find_target(all, body);
    if (t->wants_rows) {
        lbs_body_panels(body);
        memset(body->bend.pulls, 0, (size_t)body->figure->node_count * sizeof *body->bend.pulls);
    }
    if (with_terms) {
        lbs_body_terms(body, t, s->last.pose, forces);
    } else {
        add_drives(body, t);
    }
    lbs_body_rules(body, t, forces);
    lbs_body_apart(body, t, forces);
}

void lbs_bodies_evaluate(lbs_bodies *b, const double *x, int wants_rows) {
    lbs_space *s = b->task.space;
    begin_rows(b, wants_rows);
    lbs_value(s, x);
    if (wants_rows) {
        s->task.guard_level = s->levels.goal_count;
        lbs_differentiate(s);
        s->task.guard_level = 0;
    }
    add_goal_rows(b);
    add_limits(b, x);
    for (int i = 0; i < b->count; i++) {
        add_body(b, &b->bodies[i], x, 1);
    }
    add_guards(b);
    lbs_bodies_pairs(b);
}

int lbs_bodies_look(lbs_bodies *b, const double *x, int with_terms) {
    begin_rows(b, 1);
    add_limits(b, x);
    const int limits = b->task.conditions.near.count;
    for (int i = 0; i < b->count; i++) {
        add_body(b, &b->bodies[i], x, with_terms);
    }
    add_guards(b);
    return limits;
}
