/* Sequential quadratic programming from one start: steps of body_step.c, accepted by an exact penalty function. */
#include <math.h>
#include <string.h>

#include "solve/body/body.h"

#define FIRST_RADIUS 0.5 /* rad or metres */
#define LARGEST_RADIUS 1.0
#define SMALLEST_RADIUS 1e-7
#define LEAST_PENALTY 2.0 /* per metre that a rule is off */
#define PENALTY_OVER 1.5  /* times the largest multiplier */
#define HARDER 3.0        /* rules over goals */
#define FOR_VALUE 0.7     /* of what the penalty falls by: so much the terms may rise */
#define SUFFICIENT 1e-4
#define FIRST_DAMPING 0.02
#define LEAST_DAMPING 1e-3
#define MOST_DAMPING 1e3
#define MORE_DAMPING 4.0
#define LESS_DAMPING 0.25
#define MAX_TRIALS 8
#define MAX_IDLE 8          /* steps in a row that bring goals no nearer: */
#define ENOUGH_PROGRESS 0.9 /* so much of the miss, at most, is progress */
#define NO_MISS 1e-3
#define STRIDE 0.3        /* metres, or what a goal's rows are in: a step asks for no more */
#define PENALTY_FALLS 0.3 /* to so much of it the penalty may fall in a step */
#define TINY 1e-11        /* of the penalty function: no progress that counts */

/* --- Evaluation ------------------------------------------------------------------------------------------------------------ */

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
            double *row = lbs_add_row(t, &t->goals, scale * s->last.residuals[r]);
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

static void find_target(const lbs_bodies *all, lbs_body *b) {
    const lbs_space *s = all->task.space;
    lbm_set3(b->target, 0, 0, 0);
    for (int i = 0; i < b->target_count; i++) {
        const lbs_item *item = &s->items[b->target_items[i]];
        double at[3];
        lbm_copy3(at, item->goal.goal.point);
        if (item->constraint->goal.carrier_segment >= 0) {
            lbm_apply(&item->carrier, at, at);
        }
        lbm_add_scaled3(b->target, at, 1.0 / b->target_count);
    }
}

void lbs_bodies_evaluate(lbs_bodies *b, const double *x, int wants_rows) {
    lbs_bodies_task *t = &b->task;
    lbs_space *s = t->space;
    t->wants_rows = wants_rows;
    t->wishes.count = t->rules.count = t->goals.count = t->conditions.count = 0;
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
    lbs_value(s, x);
    if (wants_rows) {
        s->task.guard_level = s->levels.goal_count;
        lbs_differentiate(s);
        s->task.guard_level = 0;
    }
    add_goal_rows(b);
    add_limits(b, x);
    for (int i = 0; i < b->count; i++) {
        lbs_body *body = &b->bodies[i];
        const double *forces = x + body->first_force;
        lbs_body_place(body, s->last.pose, forces);
        find_target(b, body);
        if (wants_rows) {
            lbs_body_panels(body, t);
            memset(body->pulls, 0, (size_t)body->figure->node_count * sizeof *body->pulls);
        }
        lbs_body_terms(body, t, s->last.pose, forces);
        lbs_body_rules(body, t, forces);
        lbs_body_apart(body, t);
    }
    add_guards(b);
}

/* --- The penalty function --------------------------------------------------------------------------------------------------- */

typedef struct merit {
    double value; /* half the terms */
    double rules; /* sum of the absolute values, and of conditions above zero */
    double goals; /* norm */
    double worst; /* the largest of rules and conditions */
} merit;

static merit measure(const lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    merit m = {t->values->own_value, 0, 0, 0};
    for (int i = 0; i < t->wishes.count; i++) {
        m.value += t->wishes.residuals[i] * t->wishes.residuals[i];
    }
    for (int i = 0; i < t->rules.count; i++) {
        const double off = fabs(t->rules.residuals[i]);
        m.rules += off;
        m.worst = off > m.worst ? off : m.worst;
    }
    for (int i = 0; i < t->conditions.count; i++) {
        const double off = t->conditions.values[i] > 0 ? t->conditions.values[i] : 0;
        m.rules += off;
        m.worst = off > m.worst ? off : m.worst;
    }
    for (int i = 0; i < t->goals.count; i++) {
        m.goals += t->goals.residuals[i] * t->goals.residuals[i];
    }
    m.value = (m.value + b->elastic * m.goals) / 2;
    m.goals = sqrt(m.goals);
    return m;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The same after the step, as the model has it. Needs the rows of x. */
static merit predict(const lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    const double *d = b->step.d;
    const size_t stride = (size_t)t->stride;
    merit m = {t->iterate.own_value, 0, 0, 0};
    for (int i = 0; i < t->wishes.count; i++) {
        const double r = t->iterate.wishes[i] + dot(t->size, t->wishes.jacobian + (size_t)i * stride, d);
        m.value += r * r;
    }
    for (int i = 0; i < t->size; i++) {
        m.value += (2 * t->iterate.half_gradient[i] + t->iterate.half_curvature[i] * d[i]) * d[i];
    }
    for (int i = 0; i < t->rules.count; i++) {
        m.rules += fabs(t->iterate.rules[i] + dot(t->size, t->rules.jacobian + (size_t)i * stride, d));
    }
    for (int i = 0; i < t->conditions.count; i++) {
        const int row = t->conditions.rows[i];
        const double off = t->iterate.conditions[i] +
                           (row < 0 ? 0 : dot(t->size, t->conditions.near.jacobian + (size_t)row * stride, d));
        m.rules += off > 0 ? off : 0;
    }
    for (int i = 0; i < t->goals.count; i++) {
        const double r = t->iterate.goals[i] + dot(t->size, t->goals.jacobian + (size_t)i * stride, d);
        m.goals += r * r;
    }
    m.value = (m.value + b->elastic * m.goals) / 2;
    m.goals = sqrt(m.goals);
    return m;
}

/* What the penalty is for. Goals that are terms are none of it. */
static double violation(const lbs_bodies *b, const merit *m) {
    return HARDER * m->rules + (b->elastic > 0 ? 0 : m->goals);
}

static double total(const lbs_bodies *b, const merit *m, double penalty) {
    return m->value + penalty * violation(b, m);
}

/* A penalty above the multipliers makes the penalty function exact; and it is so large that the step gets better by it. */
static double raise_penalty(const lbs_bodies *b, const merit *here, const merit *then, double penalty, double most_rule,
                            double goal_norm) {
    const double least = most_rule / HARDER > goal_norm ? most_rule / HARDER : goal_norm;
    const double less = violation(b, here) - violation(b, then);
    penalty *= PENALTY_FALLS;
    penalty = penalty > LEAST_PENALTY ? penalty : LEAST_PENALTY;
    if (PENALTY_OVER * least > penalty) {
        penalty = PENALTY_OVER * least;
    }
    if (less > 0 && then->value - here->value > FOR_VALUE * penalty * less) {
        penalty = (then->value - here->value) / (FOR_VALUE * less);
    }
    return penalty;
}

/* --- Steps ------------------------------------------------------------------------------------------------------------------ */

static void take_residuals(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    memcpy(b->step.rule_shift, t->iterate.rules, (size_t)t->rules.count * sizeof(double));
    double most = 0;
    for (int i = 0; i < t->goals.count; i++) {
        most = fabs(t->iterate.goals[i]) > most ? fabs(t->iterate.goals[i]) : most;
    }
    for (int i = 0; i < t->goals.count; i++) {
        b->step.goal_shift[i] = t->iterate.goals[i] * (most > STRIDE ? STRIDE / most : 1);
    }
    memcpy(b->step.condition_shift, t->conditions.near.residuals, (size_t)t->conditions.near.count * sizeof(double));
}

/* The trial: so much of the step. Returns the largest change of a variable. */
static double move(lbs_bodies *b, double share) {
    const lbs_bodies_task *t = &b->task;
    double longest = 0;
    for (int i = 0; i < t->size; i++) {
        const double to = b->x[i] + share * b->step.d[i];
        b->trial[i] = to < b->lower[i] ? b->lower[i] : to > b->upper[i] ? b->upper[i] : to;
        if (i < t->n && fabs(b->trial[i] - b->x[i]) > longest) {
            longest = fabs(b->trial[i] - b->x[i]);
        }
    }
    return longest;
}

static double longest(const lbs_bodies *b) {
    double most = 0;
    for (int i = 0; i < b->task.n; i++) {
        most = fabs(b->step.d[i]) > most ? fabs(b->step.d[i]) : most;
    }
    return most;
}

/* The residuals of the trial, seen from x: what is left of them that the step did not foresee is to be corrected. */
static void take_correction(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    const size_t stride = (size_t)t->stride;
    const double *d = b->step.d;
    for (int i = 0; i < t->rules.count; i++) {
        b->step.rule_shift[i] = t->trial.rules[i] - dot(t->size, t->rules.jacobian + (size_t)i * stride, d);
    }
    for (int i = 0; i < t->goals.count; i++) {
        b->step.goal_shift[i] = t->trial.goals[i] - dot(t->size, t->goals.jacobian + (size_t)i * stride, d);
    }
    for (int i = 0; i < t->conditions.near.count; i++) {
        b->step.condition_shift[i] = t->trial.conditions[t->conditions.ids[i]] -
                                     dot(t->size, t->conditions.near.jacobian + (size_t)i * stride, d);
    }
}

void lbs_bodies_forget(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    memset(b->rule_multipliers, 0, (size_t)t->rules.most * sizeof(double));
    memset(b->goal_multipliers, 0, (size_t)t->goals.most * sizeof(double));
    memset(b->condition_multipliers, 0, (size_t)t->conditions.most * sizeof(double));
}

static void keep_multipliers(lbs_bodies *b) {
    const lbs_bodies_task *t = &b->task;
    memcpy(b->rule_multipliers, b->next_rules, (size_t)t->rules.count * sizeof(double));
    memcpy(b->goal_multipliers, b->next_goals, (size_t)t->goals.count * sizeof(double));
    memcpy(b->condition_multipliers, b->next_conditions, (size_t)t->conditions.count * sizeof(double));
}

/* Steps that had to be shortened are damped more, steps that went through less. */
static double next_damping(double damping, int trials) {
    if (trials > 2) {
        damping *= MORE_DAMPING;
        return damping > FIRST_DAMPING ? damping : FIRST_DAMPING;
    }
    damping *= trials > 1 ? 1 : LESS_DAMPING;
    return damping > LEAST_DAMPING ? damping : 0;
}

lbs_body_end lbs_bodies_run(lbs_bodies *b, double *x, int max_iterations, double accuracy) {
    lbs_bodies_task *t = &b->task;
    lbs_space *s = t->space;
    double p = LEAST_PENALTY;
    double radius = FIRST_RADIUS, damping = 0;
    lbs_body_end end = {0, 0, 0, 0};
    double least_miss = INFINITY;
    int idle = 0;
    memcpy(b->x, x, (size_t)t->size * sizeof *x);
    lbs_bodies_evaluate(b, b->x, 1);
    merit here = measure(b);
    for (int it = 0; it < max_iterations && !lbs_spent(s) && !end.converged; it++) {
        b->iterations++;
        int accepted = 0;
        take_residuals(b);
        if (lbs_bodies_step(b, damping, 0)) {
            break;
        }
        double most_rule, goal_norm;
        lbs_bodies_multipliers(b, &most_rule, &goal_norm);
        const merit then = predict(b);
        p = raise_penalty(b, &here, &then, p, most_rule, goal_norm);
        const double predicted = total(b, &here, p) - total(b, &then, p), most = longest(b);
        double share = most > radius ? radius / most : 1;
        int trial = 0;
        for (; trial < MAX_TRIALS && !accepted; trial++) {
            double length = move(b, share);
            lbs_bodies_evaluate(b, b->trial, 0);
            merit there = measure(b);
            double gained = total(b, &here, p) - total(b, &there, p);
            accepted = gained > SUFFICIENT * share * predicted || length < accuracy;
            if (!accepted && trial == 0 && there.rules + there.goals > here.rules + here.goals) {
                /* second-order correction */
                memcpy(b->kept, b->step.d, (size_t)t->size * sizeof *b->kept);
                for (int i = 0; i < t->size; i++) {
                    b->step.d[i] = b->trial[i] - b->x[i];
                }
                take_correction(b);
                if (!lbs_bodies_step(b, damping, 1)) {
                    length = move(b, 1);
                    lbs_bodies_evaluate(b, b->trial, 0);
                    there = measure(b);
                    gained = total(b, &here, p) - total(b, &there, p);
                    accepted = gained > SUFFICIENT * share * predicted;
                }
                memcpy(b->step.d, b->kept, (size_t)t->size * sizeof *b->kept);
            }
            if (!accepted) {
                share *= 0.4;
            } else if (trial == 0 && share < 1 && gained > 0.5 * share * predicted) {
                radius = radius * 2 < LARGEST_RADIUS ? radius * 2 : LARGEST_RADIUS;
            }
            if (accepted && length < accuracy && here.worst < (accuracy > 1e-5 ? 1e-3 : 1e-8)) {
                end.converged = 1;
            }
        }
        damping = next_damping(damping, trial);
        if (!accepted) {
            if (damping > MOST_DAMPING) {
                break;
            }
            lbs_bodies_evaluate(b, b->x, 1);
            continue;
        }
        keep_multipliers(b);
        if (here.goals < ENOUGH_PROGRESS * least_miss || here.goals < NO_MISS || b->elastic > 0) {
            least_miss = here.goals;
            idle = 0;
        } else if (++idle > MAX_IDLE) {
            max_iterations = it; /* The goals are out of reach, or another start is better. */
        }
        memcpy(b->x, b->trial, (size_t)t->size * sizeof *b->x);
        lbs_bodies_evaluate(b, b->x, 1);
        here = measure(b);
    }
    memcpy(x, b->x, (size_t)t->size * sizeof *x);
    end.value = 2 * here.value - b->elastic * here.goals * here.goals;
    end.violation = here.worst;
    end.miss = here.goals;
    return end;
}
