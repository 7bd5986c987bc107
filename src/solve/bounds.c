#include "solve/bounds.h"

#include "math/outward.h"

/* The most that a figure of the problem needs. */
static void most_of(const lb_problem *p, size_t *variables, size_t *nodes) {
    *variables = *nodes = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const size_t v = (size_t)p->figures[f]->variable_count, n = (size_t)p->figures[f]->node_count;
        *variables = v > *variables ? v : *variables;
        *nodes = n > *nodes ? n : *nodes;
    }
}

void lbs_bounds_cut(lbs_bounds *b, const lbs_space *s, lbm_arena *arena) {
    size_t variables, nodes;
    most_of(s->problem, &variables, &nodes);
    b->chain.links = lbm_cut(arena, nodes, sizeof *b->chain.links);
    b->zones = lbm_cut(arena, nodes + 1, sizeof *b->zones);
    b->way = lbm_cut(arena, nodes, sizeof *b->way);
    b->moves = lbm_cut(arena, variables, 1);
}

void lbs_bounds_find(lbs_bounds *b, lbs_space *s, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    const int first = s->problem->first_variables[c->figure];
    lb_kinematics *k = s->kinematics[c->figure];
    const lb_figure *f = k->figure;
    for (int i = 0; i < f->variable_count; i++) {
        b->moves[i] = s->variables.active_of[first + i] >= 0;
    }
    lb_kinematics_update(k, s->start + first);
    const lbr_request request = {f, &c->effector, -1, b->moves, s->start + first};
    if (!lbr_chain_fill(&b->chain, &request, k, s->start + first, b->way)) {
        b->chain.count = 0;
    }
    lbr_zones_of(&b->chain, b->chain.tip.p, b->zones);
}

double lbs_bounds_missing(const lbs_bounds *b, const lbs_item *item) {
    double point[3];
    const double slack = lbr_slack_at(&b->chain, item->goal.goal.point);
    lbm_copy3(point, item->goal.goal.point);
    if (b->chain.count) {
        lbm_transform back;
        lbm_transform_invert(&b->chain.links[0].constant, &back);
        lbm_apply(&back, point, point);
    }
    const double missing = lbm_proved(lbr_zone_missing(&b->zones[0], point), slack);
    return missing > lbm_norm3(item->constraint->tolerance) ? missing : 0;
}

/* Whether a goal is a point in the world that the end-effector's point must be at. */
static int is_place(const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    return item->index >= 0 && item->enabled && item->group < 0 && c->weight > 0 &&
           c->effector.kind == LB_EFFECTOR_FRAME && c->goal.carrier_segment < 0 &&
           (c->goal.kind == LB_GOAL_POSITION || c->goal.kind == LB_GOAL_FRAME);
}

int lbs_bounds_prove(lbs_bounds *b, lbs_space *s, const double *z) {
    int is_proved = 0, has_moved = 0;
    for (int i = 0; i < s->item_count && !is_proved; i++) {
        if (is_place(&s->items[i])) {
            lbs_bounds_find(b, s, &s->items[i]);
            is_proved = lbs_bounds_missing(b, &s->items[i]) > 0;
            has_moved = 1;
        }
    }
    if (has_moved) { /* all nodes were moved, also those that a solve has in other frames */
        const int was_valid = s->last.is_valid, evaluations = s->budget.evaluations;
        s->columns.is_placed = s->last.is_valid = 0;
        lbs_place_still(s);
        if (was_valid) {
            lbs_value(s, z);
        }
        s->budget.evaluations = evaluations;
    }
    return is_proved;
}
