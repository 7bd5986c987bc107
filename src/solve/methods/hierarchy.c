/* The reach hierarchy (J. Korein and N. Badler, "Techniques for generating the goal-directed motion of articulated
 * structures", 1982): from the base outwards each joint is turned only as far as brings the goal into the workspace of
 * what follows.
 *
 * What is out of the bounds of W[1] is given up: lm leads to the nearest pose. Otherwise lm finds a pose that meets the
 * goal; then the variables go back towards the start, those nearer to the root first, each (those that move one link
 * together) as far as the variables behind it can make up for. Whether they can is a question to W[i] where its bounds
 * prove that they cannot, and to lm over the variables that are left where they do not; between "can" and "cannot" the
 * least turn is found by bisection. */
#include <math.h>
#include <string.h>

#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "math/arena.h"
#include "math/outward.h"
#include "solve/bounds.h"
#include "solve/methods/hierarchy.h"

#define HALVINGS 14    /* of the way back to the start: to a tenth of a milliradian */
#define TRIES 12       /* starts at random of the variables that are left, before they count as unable */
#define LEFT 2         /* variables at the end of the chain, which the others determine */
#define OTHER_WAY 0.99 /* of a turn: the other way round is tried where it is shorter by as much */
#define STAYS 1e-9     /* radians or metres: a variable this near to its start has not moved */

typedef struct hierarchy {
    lbs_item *item;
    int figure; /* of the problem */
    lbs_bounds bounds;
    int *rank;  /* [n]: the first link that a variable moves */
    int *order; /* [n]: variables by rank */
    double *start, *low, *high, *trial, *found, *pose;
    double *lm; /* the memory of lm */
} hierarchy;

/* Cuts all arrays, or counts them. */
static void cut_arrays(hierarchy *h, const lbs_space *s, lbm_arena *arena) {
    double **const vectors[] = {&h->start, &h->low, &h->high, &h->trial, &h->found};
    h->lm = lbm_cut_doubles(arena, lbs_lm_size(s)); /* first: lm wants its memory as aligned as a method's is */
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, s->max.n);
    }
    h->pose = lbm_cut_doubles(arena, (size_t)s->problem->variable_count);
    lbs_bounds_cut(&h->bounds, s, arena);
    h->rank = lbm_cut(arena, s->max.n, sizeof *h->rank);
    h->order = lbm_cut(arena, s->max.n, sizeof *h->order);
}

size_t lbs_hierarchy_size(const lbs_space *s) {
    hierarchy h;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_arrays(&h, s, &arena);
    return lbm_arena_doubles(&arena);
}

/* --- What it cannot do ------------------------------------------------------------------------------------- */

static const char *goal_problem(const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    if (item->index < 0) {
        return "closes a loop";
    }
    if (c->effector.kind != LB_EFFECTOR_FRAME) {
        return "places the centre of mass";
    }
    if (c->goal.carrier_segment >= 0) {
        return "is carried by a segment";
    }
    if (c->goal.kind != LB_GOAL_POSITION && c->goal.kind != LB_GOAL_FRAME) {
        return "is neither a position nor a frame";
    }
    return NULL;
}

/* The one goal, or NULL with the reason. */
static lbs_item *only_goal(lbs_space *s, lb_error *error) {
    lbs_item *only = NULL;
    int count = 0;
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            only = &s->items[i];
            count++;
        }
    }
    if (count != 1) {
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "method hierarchy cannot do this: it needs one goal alone", (char *)0);
        return NULL;
    }
    const char *why = goal_problem(only);
    if (why) {
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "method hierarchy cannot do this: constraint '",
                 only->constraint->name ? only->constraint->name : "unnamed", "' ", why, (char *)0);
        return NULL;
    }
    return only;
}

/* --- Workspaces -------------------------------------------------------------------------------------------- */

/* W[i] of the links between root and end-effector. */
static void find_workspaces(hierarchy *h, lbs_space *s) {
    lbs_bounds_find(&h->bounds, s, h->item);
    if (s->last.is_valid) { /* what was evaluated stays so */
        lb_kinematics_update(s->kinematics[h->figure], s->last.pose + s->problem->first_variables[h->figure]);
    }
}

/* The memory of a run in `work`, with its workspaces. Returns 0, with the reason, where the method cannot do the
 * problem. */
static int prepare(hierarchy *h, lbs_space *s, double *work, lb_error *error) {
    memset(h, 0, sizeof *h);
    h->item = only_goal(s, error);
    if (!h->item) {
        return 0;
    }
    lbm_arena arena = lbm_arena_on(work, LBM_ARENA_DOUBLE);
    cut_arrays(h, s, &arena);
    h->figure = h->item->constraint->figure;
    find_workspaces(h, s);
    return 1;
}

double lbs_hierarchy_missing(lbs_space *s, double *work) {
    hierarchy h;
    lb_error ignored;
    return prepare(&h, s, work, &ignored) ? lbs_bounds_missing(&h.bounds, h.item) : 0;
}

/* The variables by the first link that they move. */
static void order_variables(hierarchy *h, const lbs_space *s) {
    const lb_figure *f = s->problem->figures[h->figure];
    const int first = s->problem->first_variables[h->figure];
    for (int i = 0; i < s->n; i++) {
        h->rank[i] = h->bounds.chain.count;
        h->order[i] = i;
    }
    for (int l = h->bounds.chain.count - 1; l >= 0; l--) {
        const lbf_node *node = &f->nodes[h->bounds.chain.links[l].node];
        for (int c = node->coordinate; c < node->coordinate + lbf_node_coordinates(node->kind); c++) {
            const lbf_influence in = lbf_influence_of(f, c);
            for (int t = 0; t < in.count; t++) {
                const int v = in.first_term < 0 ? in.own : f->terms[in.first_term + t].variable;
                const int at = s->variables.active_of[first + v];
                if (at >= 0) {
                    h->rank[at] = l;
                }
            }
        }
    }
    for (int i = 1; i < s->n; i++) { /* by insertion: there are few */
        const int moved = h->order[i];
        int to = i;
        for (; to > 0 && h->rank[h->order[to - 1]] > h->rank[moved]; to--) {
            h->order[to] = h->order[to - 1];
        }
        h->order[to] = moved;
    }
}

/* Whether it is proved that the goal cannot be met while the first `count` variables of the order stay as in z: it is
 * outside the workspace of the links that others move. */
static int is_out_of_reach(hierarchy *h, lbs_space *s, const double *z, int count) {
    const int link = count < s->n ? h->rank[h->order[count]] : h->bounds.chain.count;
    if (link >= h->bounds.chain.count) {
        return 0;
    }
    const int first = s->problem->first_variables[h->figure];
    lb_kinematics *k = s->kinematics[h->figure];
    const lbf_node *node = &k->figure->nodes[h->bounds.chain.links[link].node];
    lbm_transform here = node->constant, back;
    double point[3];
    memcpy(h->pose, s->start, (size_t)s->problem->variable_count * sizeof *h->pose);
    lbs_to_pose(s, z, h->pose);
    lb_kinematics_update(k, h->pose + first);
    if (node->parent >= 0) {
        lbm_transform_multiply(&k->frames[node->parent], &node->constant, &here);
    }
    lbm_transform_invert(&here, &back);
    lbm_apply(&back, h->item->goal.goal.point, point);
    s->last.is_valid = 0;
    const double excess = lbr_zone_missing(&h->bounds.zones[link], point) - h->item->constraint->tolerance[0];
    return lbm_proved(excess, lbr_slack_at(&h->bounds.chain, h->item->goal.goal.point) +
                                  lbm_motion_slack(2, lbm_norm3(here.p))) > 0;
}

/* --- From the base outwards -------------------------------------------------------------------------------- */

/* Whether lm meets the goal from h->trial, in which the first `count` variables of the order are held. Then z is the
 * answer. */
static int can_follow(hierarchy *h, lbs_space *s, int count, double *z) {
    if (lbs_spent(s) || is_out_of_reach(h, s, h->trial, count)) {
        return 0;
    }
    for (int i = 0; i < count; i++) {
        const int v = h->order[i];
        s->variables.lower[v] = s->variables.upper[v] = h->trial[v];
    }
    lb_error ignored;
    const int gave_up = s->budget.gives_up;
    s->budget.gives_up = 1;
    int is_met = lbs_project(s, h->trial) == 0;
    if (is_met) {
        lbs_run_lm(s, h->lm, h->trial, &ignored);
        lbs_value(s, h->trial);
        is_met = lbs_met(s, s->task.level_count - 1);
    }
    s->budget.gives_up = gave_up;
    for (int i = 0; i < count; i++) {
        const int v = h->order[i];
        s->variables.lower[v] = h->low[v];
        s->variables.upper[v] = h->high[v];
    }
    if (is_met) {
        memcpy(z, h->trial, (size_t)s->n * sizeof *z);
    }
    return is_met;
}

/* Variables of the order that move the same link first, from number `first` to before `end`: those of a ball, or of a
 * group that drives several joints. They go back together, so that none of them has to make up for another. */
typedef struct rank_block {
    int first, end;
    int only; /* the number that is taken back while the others of the block stay; -1: all of them */
} rank_block;

/* Puts the block's variables into h->trial at a part of the way from the start to where they were found. */
static void place_block(hierarchy *h, const rank_block *b, double part, const double *z) {
    for (int i = b->first; i < b->end; i++) {
        const int v = h->order[i];
        h->trial[v] = b->only >= 0 && i != b->only ? z[v] : h->start[v] + part * (h->found[v] - h->start[v]);
    }
}

/* Whether the variables behind a block can follow it to a part of the way: from where they are, or from the start. */
static int can_follow_to(hierarchy *h, lbs_space *s, const rank_block *b, double part, double *z) {
    memcpy(h->trial, z, (size_t)s->n * sizeof *z);
    place_block(h, b, part, z);
    if (can_follow(h, s, b->end, z)) {
        return 1;
    }
    memcpy(h->trial, h->start, (size_t)s->n * sizeof *z);
    for (int i = 0; i < b->first; i++) {
        h->trial[h->order[i]] = z[h->order[i]];
    }
    place_block(h, b, part, z);
    return can_follow(h, s, b->end, z);
}

/* The same from poses at random of the variables behind the block, which is at its start. */
static int can_follow_from_elsewhere(hierarchy *h, lbs_space *s, const rank_block *b, double *z) {
    uint64_t state = 1982 + (uint64_t)b->first;
    for (int t = 0; t < TRIES; t++) {
        for (int i = 0; i < s->n; i++) {
            const int v = h->order[i];
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            const double u = (double)(state >> 11) * 0x1p-53;
            const int is_bounded = h->high[v] - h->low[v] < 1e6;
            const double low = is_bounded ? h->low[v] : h->start[v] - 3,
                         high = is_bounded ? h->high[v] : h->start[v] + 3;
            h->trial[v] = i < b->first ? z[v] : low + u * (high - low);
        }
        place_block(h, b, 0, z);
        if (can_follow(h, s, b->end, z)) {
            return 1;
        }
        if (s->budget.stopped || is_out_of_reach(h, s, h->trial, b->end)) {
            return 0;
        }
    }
    return 0;
}

/* Takes a block back as far as the variables behind it can follow, which they cannot all the way. */
static void halve(hierarchy *h, lbs_space *s, const rank_block *b, double *z) {
    double cannot = 0, can = 1; /* of the way from the start */
    memcpy(h->found, z, (size_t)s->n * sizeof *z);
    for (int i = 0; i < HALVINGS && !s->budget.stopped; i++) {
        const double middle = 0.5 * (cannot + can);
        if (can_follow_to(h, s, b, middle, z)) {
            can = middle;
        } else {
            cannot = middle;
        }
    }
}

static int has_moved(const hierarchy *h, const rank_block *b, const double *z) {
    for (int i = b->first; i < b->end; i++) {
        if ((b->only < 0 || i == b->only) && fabs(z[h->order[i]] - h->start[h->order[i]]) >= STAYS) {
            return 1;
        }
    }
    return 0;
}

/* Takes a block back to its start, or as near to it as the variables behind it allow. */
static void take_back(hierarchy *h, lbs_space *s, const rank_block *b, double *z) {
    memcpy(h->found, z, (size_t)s->n * sizeof *z);
    if (!has_moved(h, b, z) || can_follow_to(h, s, b, 0, z) || can_follow_from_elsewhere(h, s, b, z)) {
        return;
    }
    halve(h, s, b, z);
    /* The other way round may be shorter. */
    const int v = h->order[b->first];
    const double other = h->start[v] - OTHER_WAY * (z[v] - h->start[v]);
    memcpy(h->found, z, (size_t)s->n * sizeof *z);
    if (b->end == b->first + 1 && other >= h->low[v] && other <= h->high[v] && can_follow_to(h, s, b, -OTHER_WAY, z)) {
        halve(h, s, b, z);
    }
}

/* The same with each variable of a block by itself, which the others of the block need not make up for. */
static void take_back_each(hierarchy *h, lbs_space *s, const rank_block *block, double *z) {
    for (int i = block->first; i < block->end && block->end > block->first + 1 && !s->budget.stopped; i++) {
        const rank_block one = {block->first, block->end, i};
        memcpy(h->found, z, (size_t)s->n * sizeof *z);
        if (has_moved(h, &one, z) && !can_follow_to(h, s, &one, 0, z)) {
            halve(h, s, &one, z);
        }
    }
}

lbs_end lbs_run_hierarchy(lbs_space *s, double *work, double *z, lb_error *error) {
    hierarchy h;
    if (!prepare(&h, s, work, error)) {
        return LBS_CANNOT;
    }
    const size_t size = (size_t)s->n * sizeof *z;
    order_variables(&h, s);
    lbs_from_pose(s, s->start, h.start);
    memcpy(h.low, s->variables.lower, size);
    memcpy(h.high, s->variables.upper, size);
    const lbs_end end = lbs_run_lm(s, h.lm, z, error);
    lbs_value(s, z);
    if (!lbs_met(s, s->task.level_count - 1)) {
        return end;
    }
    for (int i = 0, next; i + LEFT < s->n && !s->budget.stopped; i = next) {
        for (next = i + 1; next + LEFT < s->n && h.rank[h.order[next]] == h.rank[h.order[i]]; next++) {
        }
        const rank_block block = {i, next, -1};
        take_back(&h, s, &block, z);
        take_back_each(&h, s, &block, z);
    }
    lbs_value(s, z);
    return LBS_MET;
}
