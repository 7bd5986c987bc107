/* How badly end-effectors can move: 1 / manipulability, and its exact gradient.
 *
 * With J the Jacobian of an effector (3 or 6 rows), A = J J' + a little, Yoshikawa's manipulability is m = sqrt(det A),
 * and
 *     d log m / dq_k = trace(A^-1 dJ/dq_k J'),
 * the sum over columns j of (A^-1 J)_j . dJ_j/dq_k. Columns are twists (v, w) at the effector's point. Along the chain
 * from the goal's carrier to the effector, a joint k turns all columns j behind it: dJ_j = (w_k x v_j, w_k x w_j); and
 * it moves the point, which those before it see: dJ_j = (w_j x v_k, 0). */
#include "solve/wish/manipulability.h"

#include <string.h>

#include "math/arena.h"

#define LITTLE 1e-8 /* added to A: the manipulability of an arm in a plane is that of the directions it has, then */

void lbs_climb_cut(lbs_climb *c, const lbs_space *s, lbm_arena *arena) {
    double **vectors[] = {&c->best, &c->here, &c->ahead, &c->gradient, &c->direction, &c->drift, &c->pose};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, s->max.n);
    }
    c->links = lbm_cut(arena, 2 * s->max.movers, sizeof *c->links);
}

/* --- The links of a chain
 * --------------------------------------------------------------------------------------------- */

/* Adds the movers of a node. Returns 0 where it is no joint of one axis. */
static int add_node(const lbs_space *s, int figure, int index, double side, const double point[3], lbs_link *links,
                    int *count) {
    const int node = s->columns.first_nodes[figure] + index;
    for (int i = 0; i < s->columns.mover_counts[node]; i++) {
        const lbs_mover *m = &s->columns.movers[s->columns.first_movers[node] + i];
        lbs_link *link = &links[(*count)++];
        double arm[3], axis[3] = {side * m->axis[0], side * m->axis[1], side * m->axis[2]};
        link->column = m->column;
        link->rate = *m->slope * m->scale;
        memset(link->angular, 0, sizeof link->angular);
        lbm_copy3(link->velocity, axis);
        if (m->centre) {
            lbm_sub3(point, m->centre, arm);
            lbm_cross3(axis, arm, link->velocity);
            lbm_copy3(link->angular, axis);
        }
    }
    const lbf_node *kind = &s->problem->figures[figure]->nodes[index];
    return s->columns.mover_counts[node] == 0 || lbf_node_coordinates(kind->kind) == 1;
}

/* All links, from the carrier to the effector. Returns 0 where one is no joint of one axis. */
static int find_links(const lbs_space *s, const lbs_item *item, lbs_link *links, int *count) {
    const lb_constraint *c = item->constraint;
    const int is_carried = c->goal.carrier_segment >= 0;
    int ok = 1, tail = 0;
    *count = 0;
    for (int node = is_carried ? item->carrier_node : -1; node >= 0;
         node = s->problem->figures[c->goal.carrier_figure]->nodes[node].parent) {
        ok &= add_node(s, c->goal.carrier_figure, node, -1, item->e_w, links, count);
    }
    tail = *count;
    for (int node = item->node; node >= 0; node = s->problem->figures[c->figure]->nodes[node].parent) {
        ok &= add_node(s, c->figure, node, 1, item->e_w, links, count);
    }
    for (int a = tail, b = *count - 1; a < b; a++, b--) { /* found from the tip on */
        const lbs_link link = links[a];
        links[a] = links[b];
        links[b] = link;
    }
    return ok;
}

/* --- One item ----------------------------------------------------------------------------------------------------------- */

typedef struct chain {
    const lbs_link *links;
    int count, rows, first; /* rows first .. first + rows - 1 of the twists count */
} chain;

/* The column of a variable: the sum of its links'. */
static void find_column(const chain *c, int variable, double column[6]) {
    memset(column, 0, 6 * sizeof *column);
    for (int i = 0; i < c->count; i++) {
        if (c->links[i].column == variable) {
            lbm_add_scaled3(column, c->links[i].velocity, c->links[i].rate);
            lbm_add_scaled3(column + 3, c->links[i].angular, c->links[i].rate);
        }
    }
}

/* A = L L', in place; returns the product of the diagonal of L, which is sqrt(det A). */
static double factor(int n, double a[6][6]) {
    double product = 1;
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = a[i][j];
            for (int k = 0; k < j; k++) {
                sum -= a[i][k] * a[j][k];
            }
            a[i][j] = i == j ? sqrt(sum > LITTLE * LITTLE ? sum : LITTLE * LITTLE) : sum / a[j][j];
        }
        product *= a[i][i];
    }
    return product;
}

static void solve(int n, double l[6][6], double x[6]) {
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= l[i][k] * x[k];
        }
        x[i] /= l[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            x[i] -= l[k][i] * x[k];
        }
        x[i] /= l[i][i];
    }
}

/* How column j changes as link k moves. */
static void bend(const lbs_link *j, const lbs_link *k, int is_behind, double change[6]) {
    memset(change, 0, 6 * sizeof *change);
    if (is_behind) {
        lbm_cross3(k->angular, j->velocity, change);
        lbm_cross3(k->angular, j->angular, change + 3);
    } else {
        lbm_cross3(j->angular, k->velocity, change);
    }
}

/* 1 / m of a chain, and its gradient, which is added. */
static double value_of(const lbs_space *s, const chain *c, double *gradient) {
    double a[6][6], column[6], change[6];
    memset(a, 0, sizeof a);
    for (int v = 0; v < s->n; v++) {
        find_column(c, v, column);
        const double scale = s->variables.scale[v]; /* by the variables themselves, whatever their rigidity */
        for (int i = 0; i < c->rows; i++) {
            for (int j = 0; j <= i; j++) {
                a[i][j] += column[c->first + i] * column[c->first + j] / (scale * scale);
            }
        }
    }
    for (int i = 0; i < c->rows; i++) {
        a[i][i] += LITTLE;
    }
    const double value = 1 / factor(c->rows, a);
    for (int j = 0; j < c->count && gradient; j++) {
        const lbs_link *link = &c->links[j];
        const double scale = s->variables.scale[link->column];
        double weight[6];
        find_column(c, link->column, column);
        memcpy(weight, column + c->first, (size_t)c->rows * sizeof *weight);
        solve(c->rows, a, weight);
        for (int k = 0; k < c->count; k++) {
            double sum = 0;
            bend(link, &c->links[k], k <= j, change);
            for (int i = 0; i < c->rows; i++) {
                sum += weight[i] * change[c->first + i];
            }
            gradient[c->links[k].column] -= value * sum * link->rate * c->links[k].rate / (scale * scale);
        }
    }
    return value;
}

int lbs_stiffness(lb_solver *solver, double *value, double *gradient) {
    lbs_space *s = solver->space;
    int is_exact = 1;
    *value = 0;
    if (gradient) {
        memset(gradient, 0, (size_t)s->n * sizeof *gradient);
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        const lb_goal_kind kind = item->constraint->goal.kind;
        if (!item->enabled || item->index < 0 || item->constraint->effector.kind != LB_EFFECTOR_FRAME ||
            kind == LB_GOAL_CUSTOM || kind == LB_GOAL_APART || !(item->constraint->weight > 0)) {
            continue;
        }
        const int has_point = kind != LB_GOAL_ORIENTATION;
        const int has_directions = kind == LB_GOAL_ORIENTATION || kind == LB_GOAL_FRAME || kind == LB_GOAL_AIM;
        chain c = {solver->climb.links, 0, 3 * (has_point + has_directions), has_point ? 0 : 3};
        is_exact &= find_links(s, item, solver->climb.links, &c.count);
        if (c.count) {
            *value += value_of(s, &c, gradient);
        }
    }
    return is_exact;
}
