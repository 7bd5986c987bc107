/* Pairs of coordinates of a tree under its loads: see hessian.c. */
#include <string.h>

#include "math/rotation.h"
#include "solve/eval/hessian_parts.h"

/* --- Pairs of coordinates ---------------------------------------------------------------------------------------- */

/* The movers of a node: the first, and how many. */
static const lbs_mover *movers_of(const lbs_bending *b, int figure, int node, int *count) {
    const lbs_space *s = b->s;
    int at = s->columns.first_nodes[figure] + node;
    *count = s->columns.mover_counts[at];
    return s->columns.movers + s->columns.first_movers[at];
}

/* Which of its node's coordinates a mover moves. */
static int coordinate_of(const lb_kinematics *k, const lbf_node *node, const lbs_mover *m) {
    return (int)((size_t)(m->axis - k->axes[node->coordinate]) / (sizeof *k->axes / sizeof **k->axes));
}

/* A mover with all that is above it. */
static inline void meet_above(const lbs_bending *b, const lbs_mover *m, const double t[3]) {
    const double f = *m->slope * m->scale, scaled[3] = {f * t[0], f * t[1], f * t[2]};
    lbs_bend_row(b, m->column, scaled, b->axes);
}

/* Two movers of one node, or one with itself. */
static void meet(const lbs_bending *b, const lbs_mover *p, const lbs_mover *q, double value) {
    double part = *p->slope * p->scale * (*q->slope * q->scale) * value;
    lbs_bending_row(b, p->column)[q->column] += p != q && p->column == q->column ? 2 * part : part;
}

static void add_bend(const lbs_bending *b, const lb_kinematics *k, const lbs_mover *m, int coordinate,
                     double gradient) {
    if (lbf_influence_of(k->figure, coordinate).first_term < 0) {
        return;
    }
    lbs_bending_row(b, m->column)[m->column] += gradient * k->bends[m->slope - k->slopes] * m->scale * m->scale;
}

/* An axis joins what is above. */
static void push_axis(lbs_bending *b, const lbs_mover *m, double sign) {
    size_t stride = (size_t)b->s->stride;
    double f = sign * *m->slope * m->scale, *at = b->axes + m->column;
    lbs_undo *u = &b->log[b->log_count++];
    u->column = m->column;
    for (size_t c = 0; c < 3; c++) {
        u->axis[c] = at[c * stride];
        at[c * stride] += f * m->axis[c];
    }
}

void lbs_pop_axes(lbs_bending *b, int start) {
    size_t stride = (size_t)b->s->stride;
    while (b->log_count > start) {
        const lbs_undo *u = &b->log[--b->log_count];
        for (size_t c = 0; c < 3; c++) {
            b->axes[c * stride + (size_t)u->column] = u->axis[c];
        }
    }
}

/* --- Nodes -------------------------------------------------------------------------------------------------------- */

/* A node that turns about one axis. */
static inline void bend_axis(const lbs_bending *b, int figure, int index, const lbs_load *load, double sign,
                             const lbs_mover *movers, int count) {
    const lb_kinematics *k = b->s->kinematics[figure];
    const lbf_node *node = &k->figure->nodes[index];
    const double *centre = k->frames[index].p;
    const double *u = k->axes[node->coordinate], along = lbm_dot3(load->force, u);
    double trace = load->k[0][0] + load->k[1][1] + load->k[2][2] - lbm_dot3(centre, load->force), t[3];
    for (int r = 0; r < 3; r++) {
        t[r] = sign * (lbm_dot3(load->k[r], u) - centre[r] * along - trace * u[r]);
    }
    double value = sign * lbm_dot3(u, t);
    for (int p = 0; p < count; p++) {
        meet_above(b, &movers[p], t);
        for (int q = p; q < count; q++) {
            meet(b, &movers[p], &movers[q], value);
        }
    }
    if (lbf_influence_of(k->figure, node->coordinate).first_term < 0) {
        return;
    }
    double torque[3],
        moment[3] = {load->k[1][2] - load->k[2][1], load->k[2][0] - load->k[0][2], load->k[0][1] - load->k[1][0]};
    lbm_cross3(centre, load->force, torque);
    lbm_sub3(moment, torque, torque);
    for (int p = 0; p < count; p++) {
        add_bend(b, k, &movers[p], node->coordinate, sign * lbm_dot3(u, torque));
    }
}

void lbs_bend_node(const lbs_bending *b, int figure, int index, const lbs_load *load, double sign) {
    const lb_kinematics *k = b->s->kinematics[figure];
    const lbf_node *node = &k->figure->nodes[index];
    int first = node->coordinate, count = lbf_node_coordinates(node->kind), mover_count;
    const lbs_mover *movers = movers_of(b, figure, index, &mover_count);
    double t[3][3], value[3][3], arm[3][3], torque[3];
    if (mover_count == 0) {
        return;
    }
    if (node->kind == LBF_NODE_TRANSLATE) {
        lbm_cross3(k->axes[first], load->force, t[0]);
        for (int c = 0; c < 3; c++) {
            t[0][c] *= sign;
        }
        for (int m = 0; m < mover_count; m++) {
            meet_above(b, &movers[m], t[0]);
            add_bend(b, k, &movers[m], first, sign * lbm_dot3(k->axes[first], load->force));
        }
        return;
    }
    if (node->kind == LBF_NODE_ROTATE) {
        bend_axis(b, figure, index, load, sign, movers, mover_count);
        return;
    }
    const double *centre = k->frames[index].p;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            arm[r][c] = load->k[r][c] - centre[r] * load->force[c];
        }
    }
    double trace = arm[0][0] + arm[1][1] + arm[2][2];
    lbm_set3(torque, arm[1][2] - arm[2][1], arm[2][0] - arm[0][2], arm[0][1] - arm[1][0]);
    for (int i = 0; i < count; i++) {
        const double *u = k->axes[first + i];
        for (int r = 0; r < 3; r++) {
            t[i][r] = sign * (lbm_dot3(arm[r], u) - trace * u[r]);
        }
    }
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            double change[3];
            int near = sign > 0 ? j : i, far = sign > 0 ? i : j;
            lbf_axis_change(k, node, i, j, change);
            value[i][j] = sign * (lbm_dot3(k->axes[first + near], t[far]) + lbm_dot3(change, torque));
        }
    }
    for (int p = 0; p < mover_count; p++) {
        int i = coordinate_of(k, node, &movers[p]);
        meet_above(b, &movers[p], t[i]);
        add_bend(b, k, &movers[p], first + i, sign * lbm_dot3(k->axes[first + i], torque));
        for (int q = p; q < mover_count; q++) {
            meet(b, &movers[p], &movers[q], value[i][coordinate_of(k, node, &movers[q])]);
        }
    }
}

void lbs_push_node(lbs_bending *b, int figure, int index, double sign) {
    int count;
    const lbs_mover *movers = movers_of(b, figure, index, &count);
    for (int i = 0; i < count && movers[i].centre; i++) {
        push_axis(b, &movers[i], sign);
    }
}

/* Makes the path end above a node: what hangs elsewhere is taken off, what is missing put on. */
static void enter(lbs_bending *b, int figure, int node) {
    const lbf_node *nodes = b->s->columns.tables[figure];
    int missing = 0, up = nodes[node].parent;
    while (b->path_count > 0) {
        int top = b->path[b->path_count - 1];
        for (up = nodes[node].parent, missing = 0; up > top; up = nodes[up].parent) {
            missing++;
        }
        if (up == top) {
            break;
        }
        lbs_pop_axes(b, b->log_start[--b->path_count]);
    }
    if (b->path_count == 0) {
        for (up = nodes[node].parent, missing = 0; up >= 0; up = nodes[up].parent) {
            missing++;
        }
    }
    up = nodes[node].parent;
    for (int i = missing - 1; i >= 0; i--, up = nodes[up].parent) {
        b->path[b->path_count + i] = up;
    }
    for (int i = 0; i < missing; i++, b->path_count++) {
        b->log_start[b->path_count] = b->log_count;
        lbs_push_node(b, figure, b->path[b->path_count], 1);
    }
}

/* All nodes that move and at which something loads, from the root to the tips; nodes come after their parents. */
void lbs_bend_tree(lbs_bending *b, int figure) {
    const lbf_selection *moving = &b->s->columns.moving[figure];
    int base = b->log_count;
    b->path_count = 0;
    for (int i = 0; i < moving->node_count; i++) {
        int node = moving->nodes[i];
        if (!b->loads[node].touched) {
            continue;
        }
        enter(b, figure, node);
        b->path[b->path_count] = node;
        b->log_start[b->path_count++] = b->log_count;
        lbs_bend_node(b, figure, node, &b->loads[node], 1);
        lbs_push_node(b, figure, node, 1);
    }
    lbs_pop_axes(b, base);
}
