/* What a solve found, in numbers. */
#include <string.h>

#include "solve/methods/lm/lm.h"
#include "solve/report/sentence.h"
#include "solve/solver.h"

/* Whether an item counts: of alternatives the one in the sum, or the first that is met where that one is not. */
static int counts(const lbs_space *s, const lbs_item *item) {
    if (item->group < 0 || lbs_met_itself(&s->items[s->last.group_best[item->group]])) {
        return item->counted;
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *other = &s->items[i];
        if (other->enabled && other->group == item->group && lbs_met_itself(other)) {
            return other == item;
        }
    }
    return item->counted;
}

static void report_constraints(lb_solver *solver, lb_result *result) {
    const lbs_space *s = solver->space;
    int count = 0;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (item->index < 0) {
            continue;
        }
        lb_constraint_result *r = &solver->lists.constraints[count++];
        memset(r, 0, sizeof *r);
        r->id = solver->problem->constraints[item->index].id;
        if (!item->enabled) {
            continue;
        }
        lbp_miss miss;
        lbp_goal_miss(&item->goal, item->e, &miss);
        r->counted = counts(s, item);
        r->value = item->value;
        r->distance = miss.distance;
        r->angle_rad = miss.angle_rad[0] > miss.angle_rad[1] ? miss.angle_rad[0] : miss.angle_rad[1];
        r->met = lbp_goal_met(&item->goal, &miss, item->constraint->tolerance, item->constraint->tolerance_rad);
    }
    result->constraint_count = count;
    result->constraints = solver->lists.constraints;
}

static void add_limit(lb_solver *solver, lb_result *result, const lb_active_limit *limit) {
    int at = result->limit_count++;
    while (at > 0 && solver->lists.limits[at - 1].multiplier < limit->multiplier) {
        solver->lists.limits[at] = solver->lists.limits[at - 1];
        at--;
    }
    solver->lists.limits[at] = *limit;
}

/* Which end of its range holds a variable: where both do, the one that the gradient pushes against. */
static int is_at_upper(const lb_solver *solver, int i) {
    const lbs_space *s = solver->space;
    double above = s->variables.upper[i] - solver->z[i], below = solver->z[i] - s->variables.lower[i];
    return above < below || (above == below && solver->kkt.gradient[i] < 0);
}

/* Multipliers are found in terms of z, and listed in terms of the pose: a variable of the pose that gives way by 1 is a
 * z that gives way by 1/scale. A multiplier that is not larger than the projected gradient at the answer is zero but
 * for rounding, and is not listed. */
static void report_limits(lb_solver *solver, lb_result *result) {
    const lbs_space *s = solver->space;
    const lb_problem *p = solver->problem;
    const double zero = s->options->gradient_tolerance + result->gradient_norm;
    for (int i = 0; i < s->n; i++) {
        if (!(solver->kkt.bound_multipliers[i] > zero)) {
            continue;
        }
        int v = s->variables.index[i], f = lbp_figure_of(p, v);
        const lb_variable *variable = &p->figures[f]->variables[v - p->first_variables[f]];
        int upper = is_at_upper(solver, i);
        lb_active_limit limit = {v,
                                 f,
                                 -1,
                                 upper,
                                 upper ? variable->upper : variable->lower,
                                 solver->kkt.bound_multipliers[i] / s->variables.scale[i],
                                 variable->name};
        add_limit(solver, result, &limit);
    }
    for (int k = 0; k < s->limits.count; k++) {
        if (!(fabs(solver->kkt.limit_multipliers[k]) > zero)) {
            continue;
        }
        const lb_limit_row *row = &p->figures[s->limits.figures[k]]->rows[s->limits.figure_rows[k]];
        lb_active_limit limit = {-1,       s->limits.figures[k], s->limits.figure_rows[k],
                                 1,        row->bound,           solver->kkt.limit_multipliers[k] / s->limits.norms[k],
                                 row->name};
        add_limit(solver, result, &limit);
    }
}

/* The multipliers of goals, where wishes would have them elsewhere. */
static void report_forces(lb_solver *solver) {
    const lbs_space *s = solver->space;
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].index >= 0) {
            lbs_find_forces(solver, &s->items[i], &solver->lists.constraints[s->items[i].index]);
        }
    }
}

/* The gradient of the first level that is not met (of the last, where all are), and the limits that hold it back. */
static void report_gradient(lb_solver *solver, lb_result *result) {
    int of_wishes = lbs_reported_level(solver->space) >= solver->space->levels.goal_count;
    if (!solver->kkt.is_known || of_wishes) {
        lbs_find_norms(solver);
    }
    if (of_wishes) {
        report_forces(solver);
    }
    result->gradient_norm = solver->kkt.norms[lbs_reported_level(solver->space)];
    report_limits(solver, result);
}

static void report_levels(lb_solver *solver, lb_result *result) {
    const lbs_space *s = solver->space;
    for (int l = 0; l < s->task.level_count; l++) {
        const int is_wishes = l >= s->levels.goal_count;
        solver->lists.levels[l] = (lb_level_result){.priority = is_wishes ? 0 : s->levels.priorities[l],
                                                    .is_wishes = is_wishes,
                                                    .met = result->outcome == LB_OUTCOME_SOLVED || lbs_met(s, l),
                                                    .value = s->last.level_values[l],
                                                    .gradient_norm = solver->kkt.is_known ? solver->kkt.norms[l] : 0};
    }
    result->level_count = s->task.level_count;
    result->levels = solver->lists.levels;
}

/* Whether all is met and nothing further was asked: what is left of G is within the tolerances, and where it would fall
 * says nothing. */
static int is_settled(const lbs_space *s, const lb_result *result) {
    const lbp_wishes *w = &s->problem->wishes;
    return result->outcome == LB_OUTCOME_SOLVED && !s->options->keep_going && !lbp_are_wishes(w);
}

/* The worst constraint that counts and is not met, by weighted value, of the highest level that has any; -1 if all are
 * met. */
static int worst_unmet(const lb_solver *solver, const lb_result *result) {
    int worst = -1, level = 0;
    double most = -1;
    for (int i = 0; i < result->constraint_count; i++) {
        const lb_constraint_result *r = &result->constraints[i];
        const lb_constraint *c = &solver->problem->constraints[i].constraint;
        if (!r->counted || r->met || (worst >= 0 && c->priority > level)) {
            continue;
        }
        if (worst >= 0 && c->priority == level && c->weight * r->value <= most) {
            continue;
        }
        most = c->weight * r->value;
        level = c->priority;
        worst = i;
    }
    return worst;
}

/* Whether iterations, evaluations or time ended it, rather than a method that found no way on. */
static int ran_out(const lb_solver *solver) {
    const lbs_space *s = solver->space;
    return s->budget.stopped || (!solver->bodies && s->budget.iterations >= s->options->max_iterations);
}

void lbs_report(lb_solver *solver, lb_result *result) {
    solver->ran_out = ran_out(solver);
    lbs_report_lists(solver, result);
    report_levels(solver, result);
    lbs_write_explanation(solver, result, 0);
}

void lbs_report_lists(lb_solver *solver, lb_result *result) {
    report_constraints(solver, result);
    result->limits = solver->lists.limits;
    result->limit_count = 0;
    result->unmet = result->outcome == LB_OUTCOME_SOLVED ? -1 : worst_unmet(solver, result);
    if (!solver->space->budget.late && !is_settled(solver->space, result)) {
        report_gradient(solver, result);
    }
}
