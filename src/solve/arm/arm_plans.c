#include "solve/arm/arm_plans.h"

#include <string.h>

/* The goals of a problem on their way to plans. */
typedef struct goals {
    lb_solver *solver;
    lbs_space *s;
    int count;
    int items[LBS_ARMS];    /* numbers of the space */
    int leaders[LBS_ARMS];  /* the goal that brings a goal's carrier into its place; -1: none does */
    int is_joint[LBS_ARMS]; /* it shares joints with another, or has joints that are no arm's */
    unsigned char *touched; /* [n]: bit i, that the variable moves goal i */
} goals;

static const lb_constraint *constraint_of(const goals *g, int i) { return g->s->items[g->items[i]].constraint; }

/* All goals that count; 0 where one is not for the engine, or something else is asked. */
static int collect(goals *g) {
    const lbs_space *s = g->s;
    g->count = 0;
    if (s->n < 1 || s->limits.count > 0 || s->task.level_count != 1 || lbp_are_wishes(&s->task.wishes)) {
        return 0;
    }
    for (int i = 0; i < s->item_count; i++) {
        if (!s->items[i].enabled) {
            continue;
        }
        if (g->count == g->solver->arm.room || !lbs_arm_goal_fits(s, &s->items[i])) {
            return 0;
        }
        g->items[g->count++] = i;
    }
    for (int i = 0; i < g->count && g->count > 1; i++) {
        if (constraint_of(g, i)->any_of > 0) {
            return 0;
        }
    }
    return g->count > 0;
}

/* --- Who shares joints with whom
 * ------------------------------------------------------------------------------------- */

/* The goal in the world that a whole frame of a goal's carrier has; -1: none. */
static int leader_of(const goals *g, int i) {
    const lb_goal *goal = &constraint_of(g, i)->goal;
    for (int k = 0; k < g->count && goal->carrier_segment >= 0; k++) {
        const lb_constraint *c = constraint_of(g, k);
        if (c->goal.kind == LB_GOAL_FRAME && c->goal.carrier_segment < 0 && c->figure == goal->carrier_figure &&
            c->effector.segment == goal->carrier_segment) {
            return k;
        }
    }
    return -1;
}

static void touch_node(const goals *g, int figure, int index, unsigned bit) {
    const lb_figure *f = g->s->problem->figures[figure];
    const lbf_node *node = &f->nodes[index];
    const int first = g->s->problem->first_variables[figure];
    for (int c = node->coordinate; c < node->coordinate + lbf_node_coordinates(node->kind); c++) {
        const lbf_influence in = lbf_influence_of(f, c);
        for (int k = 0; k < in.count; k++) {
            const int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + k].variable;
            const int active = g->s->variables.active_of[first + variable];
            if (active >= 0) {
                g->touched[active] = (unsigned char)(g->touched[active] | bit);
            }
        }
    }
}

/* Marks the variables that move a goal's effector and, where nobody brings that into its place, its carrier. */
static void touch(const goals *g, int i) {
    const lb_constraint *c = constraint_of(g, i);
    const lb_figure *f = g->s->problem->figures[c->figure];
    for (int node = f->mounts[c->effector.segment].node; node >= 0; node = f->nodes[node].parent) {
        touch_node(g, c->figure, node, 1u << i);
    }
    if (c->goal.carrier_segment < 0 || g->leaders[i] >= 0) {
        return;
    }
    f = g->s->problem->figures[c->goal.carrier_figure];
    for (int node = f->mounts[c->goal.carrier_segment].node; node >= 0; node = f->nodes[node].parent) {
        touch_node(g, c->goal.carrier_figure, node, 1u << i);
    }
}

static void find_shared(goals *g) {
    memset(g->touched, 0, (size_t)g->s->n * sizeof *g->touched);
    for (int i = 0; i < g->count; i++) {
        g->is_joint[i] = 0;
        g->leaders[i] = leader_of(g, i);
    }
    for (int i = 0; i < g->count; i++) {
        touch(g, i);
    }
    for (int v = 0; v < g->s->n; v++) {
        const unsigned mask = g->touched[v];
        for (int i = 0; i < g->count && (mask & (mask - 1)); i++) {
            g->is_joint[i] |= mask >> i & 1;
        }
    }
}

/* --- Plans ------------------------------------------------------------------------------------------------------------- */

/* Adds plans of the goals that are arms by themselves: those that follow others, or those that do not. */
static void add_arms(goals *g, int follow) {
    lbs_arm_engine *e = &g->solver->arm;
    for (int i = 0; i < g->count; i++) {
        if (g->is_joint[i] || (g->leaders[i] >= 0) != follow) {
            continue;
        }
        lbs_arm *arm = e->plans[e->count];
        if (lbs_arm_plan(g->s, &g->s->items[g->items[i]], follow, arm) && (arm->n <= LBS_ARM_MAX || g->count == 1)) {
            e->count++;
        } else {
            g->is_joint[i] = 1;
        }
    }
}

/* A goal that follows and is not an arm by itself is solved together with the one that it follows. */
static int count_joint(goals *g) {
    int count = 0;
    for (int i = 0; i < g->count; i++) {
        if (g->is_joint[i] && g->leaders[i] >= 0) {
            g->is_joint[g->leaders[i]] = 1;
        }
    }
    for (int i = 0; i < g->count; i++) {
        count += g->is_joint[i];
    }
    return count;
}

static int add_tree(const goals *g) {
    lbs_arm_engine *e = &g->solver->arm;
    int items[LBS_ARMS], leaders[LBS_ARMS], count = 0;
    for (int i = 0; i < g->count; i++) {
        if (g->is_joint[i]) {
            leaders[count] = g->leaders[i] < 0 ? -1 : g->items[g->leaders[i]];
            items[count++] = g->items[i];
        }
    }
    return lbs_tree_plan(g->s, count, items, leaders, e->tree, e->plans[e->count]) && ++e->count;
}

int lbs_arm_plan_all(lb_solver *solver) {
    goals g = {.solver = solver, .s = solver->space, .touched = solver->usable};
    lbs_arm_engine *e = &solver->arm;
    if (!collect(&g)) {
        return 0;
    }
    find_shared(&g);
    /* what turns out to be no arm joins the tree: then all is laid out anew */
    for (int joint = -1, now = count_joint(&g); now != joint; now = count_joint(&g)) {
        joint = now;
        e->count = 0;
        add_arms(&g, 0);
        if (count_joint(&g) > joint) {
            continue;
        }
        if (joint > 0 && !add_tree(&g)) {
            return 0;
        }
        add_arms(&g, 1);
    }
    return e->count > 0;
}
