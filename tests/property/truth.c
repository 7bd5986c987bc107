/* G of random problems by levels, worked out anew from forward kinematics and the goals' formulas. */
#include "truth.h"

#include <math.h>
#include <string.h>

#include "goal_formulas.h"

int truth_level(const truth *t, int priority) {
    for (int i = 0; i < t->level_count; i++) {
        if (t->priority[i] == priority) {
            return i;
        }
    }
    return -1;
}

static void add_level(truth *t, int priority) {
    if (truth_level(t, priority) >= 0) {
        return;
    }
    int at = t->level_count++;
    while (at > 0 && t->priority[at - 1] > priority) {
        t->priority[at] = t->priority[at - 1];
        at--;
    }
    t->priority[at] = priority;
}

void truth_seen(const random_problem *p, const lb_constraint *c, double e[9]) {
    double e_w[9], m[12];
    lb_kinematics_effector(p->kinematics[c->figure], &c->effector, e_w);
    memcpy(e, e_w, sizeof e_w);
    if (c->goal.carrier_segment < 0) {
        return;
    }
    lb_kinematics_matrix(p->kinematics[c->goal.carrier_figure], c->goal.carrier_segment, m);
    for (int part = 0; part < 3; part++) {
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int i = 0; i < 3; i++) {
                sum += m[4 * i + k] * (e_w[3 * part + i] - (part ? 0 : m[4 * i + 3]));
            }
            e[3 * part + k] = sum;
        }
    }
}

/* An alternative that is met meets its disjunction. */
static int is_met(const random_problem *p, const lb_constraint *c, const double (*e)[9], int at, double slack) {
    if (formula_met(c, e[at], slack)) {
        return 1;
    }
    for (int i = 0; c->any_of > 0 && i < lb_problem_constraint_count(p->problem); i++) {
        const lb_constraint *other = lb_problem_constraint(p->problem, i);
        if (!other->disabled && other->any_of == c->any_of && other->priority == c->priority &&
            formula_met(other, e[i], slack)) {
            return 1;
        }
    }
    return 0;
}

static void note_met(const random_problem *p, truth *t, int level, const lb_constraint *c, const double (*e)[9],
                     int at) {
    if (!is_met(p, c, e, at, 1e-9)) {
        t->met = t->level_met[level] = 0;
    }
    if (is_met(p, c, e, at, -1e-9)) {
        return;
    }
    t->met_well = 0;
    if (level < t->first_unmet) {
        t->first_unmet = level;
    }
}

/* The closure of a loop: docs/figure.md; of the highest level. */
static void add_loop(const random_problem *p, int figure, int loop, truth *t) {
    lb_constraint c;
    lb_frame carried, tree, inverse, seen;
    double e[9], m[9];
    lb_constraint_defaults(&c);
    c.goal.kind = LB_GOAL_FRAME;
    lb_kinematics_loop(p->kinematics[figure], loop, &carried, &tree);
    lb_frame_invert(&tree, &inverse);
    lb_frame_multiply(&inverse, &carried, &seen);
    lb_rotation_to_matrix(seen.rotation, m);
    for (int i = 0; i < 3; i++) {
        e[i] = seen.position[i];
        e[3 + i] = m[3 * i];
        e[6 + i] = m[3 * i + 1];
    }
    t->level[0] += formula_potential(&c, e);
    /* the tolerance is along the carrier's axes, which are not site_b's: the distance is at most so much more */
    if (!formula_met(&c, e, 1e-5)) {
        t->met = t->level_met[0] = 0;
    }
    double length = sqrt(formula_dot(e, e));
    if (length > 0.99e-5 || formula_angle(c.goal.x, e + 3) > 0.99e-5 || formula_angle(c.goal.y, e + 6) > 0.99e-5) {
        t->met_well = 0, t->first_unmet = 0;
    }
}

/* The levels there are, the largest weight, and the loops' part of the highest level. */
static void begin_levels(const random_problem *p, const double *pose, truth *t) {
    memset(t, 0, sizeof *t);
    t->unit = 1;
    t->met = t->met_well = 1;
    for (int i = 0; i < MOST_LEVELS; i++) {
        t->level_met[i] = 1;
    }
    for (int f = 0; f < p->figure_count; f++) {
        lb_kinematics_update(p->kinematics[f], pose + lb_problem_first_variable(p->problem, f));
        if (lb_figure_loop_count(p->figures[f])) {
            add_level(t, -1);
        }
    }
    for (int i = 0; i < lb_problem_constraint_count(p->problem); i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        if (!c->disabled) {
            add_level(t, c->priority);
            t->unit = fmax(t->unit, c->weight);
        }
    }
    if (t->level_count == 0) {
        add_level(t, 0);
    }
    t->slack = 1e-16 * t->unit * p->scale * p->scale;
    t->first_unmet = t->level_count - 1;
    for (int f = 0; f < p->figure_count; f++) {
        for (int l = 0; l < lb_figure_loop_count(p->figures[f]); l++) {
            add_loop(p, f, l, t);
        }
    }
}

/* Of alternatives the nearest counts, the earlier of equals. */
static int is_counted(const lb_problem *problem, const double *value, int i) {
    const lb_constraint *a = lb_problem_constraint(problem, i);
    for (int k = 0; k < lb_problem_constraint_count(problem) && a->any_of > 0; k++) {
        const lb_constraint *b = lb_problem_constraint(problem, k);
        int is_other = i != k && !b->disabled && a->any_of == b->any_of && a->priority == b->priority;
        if (is_other && (value[k] < value[i] || (value[k] == value[i] && k < i))) {
            return 0;
        }
    }
    return !a->disabled;
}

void truth_at(const random_problem *p, const double *pose, truth *t) {
    int count = lb_problem_constraint_count(p->problem);
    double value[RANDOM_MOST_CONSTRAINTS] = {0}, e[RANDOM_MOST_CONSTRAINTS][9];
    begin_levels(p, pose, t);
    for (int i = 0; i < count; i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        truth_seen(p, c, e[i]);
        value[i] = c->disabled ? 0 : c->weight * formula_potential(c, e[i]);
    }
    for (int i = 0; i < count; i++) {
        const lb_constraint *c = lb_problem_constraint(p->problem, i);
        if (is_counted(p->problem, value, i)) {
            int level = truth_level(t, c->priority);
            t->level[level] += value[i];
            note_met(p, t, level, c, (const double(*)[9])e, i);
        }
    }
}

double truth_sum(const truth *t) {
    double sum = 0;
    for (int i = 0; i < t->level_count; i++) {
        sum += t->level[i];
    }
    return sum;
}

int truth_worse(const truth *after, const truth *before, int levels) {
    for (int i = 0; i < levels; i++) {
        double was = before->level[i], is = after->level[i];
        if (before->level_met[i] && after->level_met[i]) {
            continue;
        }
        if (is > was * (1 + 1e-9) + before->slack) {
            return 1;
        }
        if (is < was * (1 - 1e-14)) {
            return 0;
        }
    }
    return 0;
}

double truth_violation(const random_problem *p, const double *pose) {
    double most = 0;
    for (int f = 0; f < p->figure_count; f++) {
        most = fmax(most, lb_figure_violation(p->figures[f], pose + lb_problem_first_variable(p->problem, f)));
    }
    return most;
}
