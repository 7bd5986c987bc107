/* What a solve found, in numbers and in a sentence. */
#include <string.h>

#include "figure/error.h"
#include "math/trig.h"
#include "solve/lm.h"
#include "solve/solver.h"

/* Whether an item counts: of alternatives the one in the sum, or the first that is met where that one is not. */
static int counts(const lbs_space *s, const lbs_item *item) {
    if (item->group < 0 || lbs_met_itself(&s->items[s->group_best[item->group]])) return item->counted;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *other = &s->items[i];
        if (other->enabled && other->group == item->group && lbs_met_itself(other)) return other == item;
    }
    return item->counted;
}

static void report_constraints(lb_solver *solver, lb_result *result) {
    const lbs_space *s = solver->space;
    int count = 0;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (item->index < 0) continue;
        lb_constraint_result *r = &solver->constraints[count++];
        memset(r, 0, sizeof *r);
        r->id = solver->problem->constraints[item->index].id;
        if (!item->enabled) continue;
        lbp_miss miss;
        lbp_goal_miss(&item->goal, item->e, &miss);
        r->counted = counts(s, item);
        r->value = item->value;
        r->distance = miss.distance;
        r->angle_rad = miss.angle_rad[0] > miss.angle_rad[1] ? miss.angle_rad[0] : miss.angle_rad[1];
        r->met = lbp_goal_met(&item->goal, &miss, item->constraint->tolerance, item->constraint->tolerance_rad);
    }
    result->constraint_count = count;
    result->constraints = solver->constraints;
}

static void add_limit(lb_solver *solver, lb_result *result, const lb_active_limit *limit) {
    int at = result->limit_count++;
    while (at > 0 && solver->active[at - 1].multiplier < limit->multiplier) {
        solver->active[at] = solver->active[at - 1];
        at--;
    }
    solver->active[at] = *limit;
}

/* Multipliers are of z; a limit of a scaled variable gives way by 1/scale in z for 1 in the pose. */
static void report_limits(lb_solver *solver, lb_result *result) {
    const lbs_space *s = solver->space;
    const lb_problem *p = solver->problem;
    for (int i = 0; i < s->n; i++) {
        if (!(solver->bounds[i] > 0)) continue;
        int v = s->index[i], f = lbp_figure_of(p, v);
        const lb_variable *variable = &p->figures[f]->variables[v - p->first_variables[f]];
        int upper = s->upper[i] - solver->z[i] < solver->z[i] - s->lower[i];
        lb_active_limit limit = {v,
                                 f,
                                 -1,
                                 upper,
                                 upper ? variable->upper : variable->lower,
                                 solver->bounds[i] / s->scale[i],
                                 variable->name};
        add_limit(solver, result, &limit);
    }
    for (int k = 0; k < s->limit_count; k++) {
        if (solver->limits[k] == 0) continue;
        const lb_limit_row *row = &p->figures[s->limit_figure[k]]->rows[s->limit_row[k]];
        lb_active_limit limit = {
            -1, s->limit_figure[k], s->limit_row[k], 1, row->bound, solver->limits[k] / s->limit_norm[k], row->name};
        add_limit(solver, result, &limit);
    }
}

/* The gradient of the first level that is not met (of the last, where all are), and the limits that hold it back. */
static void report_gradient(lb_solver *solver, lb_result *result) {
    if (!solver->has_norms) lbs_find_norms(solver);
    result->gradient_norm = solver->norms[lbs_reported_level(solver->space)];
    report_limits(solver, result);
}

static void report_levels(lb_solver *solver, lb_result *result) {
    const lbs_space *s = solver->space;
    for (int l = 0; l < s->level_count; l++) {
        const int is_wishes = l >= s->goal_level_count;
        solver->levels[l] = (lb_level_result){.priority = is_wishes ? 0 : s->levels[l],
                                              .is_wishes = is_wishes,
                                              .met = lbs_met(s, l),
                                              .value = s->level_value[l],
                                              .gradient_norm = solver->has_norms ? solver->norms[l] : 0};
    }
    result->level_count = s->level_count;
    result->levels = solver->levels;
}

/* Whether all is met and nothing further was asked: what is left of G is within the tolerances, and where it would fall
 * says nothing. */
static int is_settled(const lbs_space *s, const lb_result *result) {
    return result->outcome == LB_OUTCOME_SOLVED && !s->options->keep_going && !lbp_has_wishes(s->problem);
}

void lbs_report(lb_solver *solver, lb_result *result) {
    report_constraints(solver, result);
    result->limits = solver->active;
    if (!solver->space->late && !is_settled(solver->space, result)) report_gradient(solver, result);
    report_levels(solver, result);
    lbs_explain(solver, result);
}

/* --- The sentence -------------------------------------------------------------------------------- */

typedef struct sentence {
    char *text;
    size_t size, used;
} sentence;

static void say(sentence *s, const char *text) {
    for (; *text && s->used + 1 < s->size; text++) s->text[s->used++] = *text;
    s->text[s->used] = 0;
}

static void say_number(sentence *s, double value, const char *unit) {
    char text[32];
    say(s, lbf_decimal_text(value, text));
    say(s, unit);
}

static void say_distance(sentence *s, double metres) {
    if (metres >= 1) say_number(s, floor(metres * 100 + 0.5) / 100, " m");
    else if (metres >= 0.01) say_number(s, floor(metres * 1000 + 0.5) / 10, " cm");
    else if (metres >= 1e-5) say_number(s, floor(metres * 100000 + 0.5) / 100, " mm");
    else say(s, "less than 0.01 mm");
}

static void say_angle(sentence *s, double radians) {
    say_number(s, floor(radians * 180 / LBM_PI * 100 + 0.5) / 100, " deg");
}

/* right_elbow.flexion -> right elbow flexion */
static void say_name(sentence *s, const char *name) {
    char letter[2] = {0, 0};
    for (; name && *name; name++) {
        letter[0] = *name == '_' || *name == '.' ? ' ' : *name;
        say(s, letter);
    }
}

static void say_limit(sentence *s, const lb_solver *solver, const lb_active_limit *limit) {
    say_name(s, limit->name);
    if (limit->variable < 0) {
        say(s, " at its limit");
        return;
    }
    const lb_problem *p = solver->problem;
    const lb_variable *v = &p->figures[limit->figure]->variables[limit->variable - p->first_variables[limit->figure]];
    say(s, limit->is_upper ? " at its upper limit (" : " at its lower limit (");
    if (v->is_angle) say_number(s, floor(limit->value * 180 / LBM_PI * 10 + 0.5) / 10, " deg)");
    else say_distance(s, limit->value), say(s, ")");
}

/* The worst of the constraints that count and are not met, by weighted value; -1 if all are. */
static int worst_unmet(const lb_solver *solver, const lb_result *result) {
    int worst = -1;
    double most = -1;
    for (int i = 0; i < result->constraint_count; i++) {
        const lb_constraint_result *r = &result->constraints[i];
        const lb_constraint *c = &solver->problem->constraints[i].constraint;
        if (!r->counted || r->met || c->weight * r->value <= most) continue;
        most = c->weight * r->value;
        worst = i;
    }
    return worst;
}

static void say_miss(sentence *s, const lb_constraint *c, const lb_constraint_result *r) {
    say_name(s, c->name ? c->name : "an unnamed constraint");
    if (r->distance > c->tolerance[0]) {
        say(s, " ");
        say_distance(s, r->distance);
        say(s, c->goal.outside ? " inside what it should avoid" : " short");
    }
    if (r->angle_rad > c->tolerance_rad) {
        say(s, r->distance > c->tolerance[0] ? " and " : " ");
        say_angle(s, r->angle_rad);
        say(s, " off");
    }
    if (r->distance <= c->tolerance[0] && r->angle_rad <= c->tolerance_rad) say(s, " unmet");
}

/* Whether iterations, evaluations or time ended it, rather than a method that found no way on. */
static int ran_out(const lb_solver *solver) {
    const lbs_space *s = solver->space;
    return s->stopped || s->iterations >= s->options->max_iterations;
}

void lbs_explain(lb_solver *solver, lb_result *result) {
    sentence s = {result->explanation, sizeof result->explanation, 0};
    if (result->outcome == LB_OUTCOME_SOLVED) {
        static const char solved[] = "solved: every constraint is within its tolerance";
        memcpy(s.text, solved, sizeof solved);
        return;
    }
    int worst = worst_unmet(solver, result);
    if (worst < 0) {
        say(&s, result->outcome == LB_OUTCOME_BUDGET ? "out of budget before the end"
                                                     : "a minimum; every goal is met, but a loop is not closed");
        return;
    }
    const lb_constraint *c = &solver->problem->constraints[worst].constraint;
    const lb_constraint_result *r = &result->constraints[worst];
    int shown = result->limit_count < 3 ? result->limit_count : 3;
    if (result->outcome == LB_OUTCOME_BUDGET) say(&s, ran_out(solver) ? "out of budget: " : "no further headway: ");
    else if (shown == 0) say(&s, "as near as it gets, no limit in the way: ");
    for (int i = 0; i < shown && result->outcome == LB_OUTCOME_MINIMUM; i++) {
        if (i) say(&s, i == shown - 1 ? " and " : ", ");
        say_limit(&s, solver, &result->limits[i]);
    }
    if (shown && result->outcome == LB_OUTCOME_MINIMUM) say(&s, shown > 1 ? " keep " : " keeps ");
    say_miss(&s, c, r);
}
