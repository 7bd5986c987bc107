/* The curvature of a body's rows: what the second derivatives of all points and directions add to the Hessian of the
 * Lagrangian.
 *
 * A row pulls at a point p of a node by a force f (its multiplier times its derivative by p). For turns about the axes
 * u_i and u_j, j beyond i or the same, the second derivative of f . p is
 *
 *     f . (u_i x (u_j x r))  =  u_i' T u_j - (u_i . u_j) trace T,   T = r f',   r = p - c_j.
 *
 * Pulls add up, so one tensor for each node, summed from the tips to the root, has them all: T_j = P_j - c_j F_j'. A
 * direction pulls by a tensor alone. With v_j = T_j u_j - trace(T_j) u_j the part of j is the product of v_j with all
 * axes above it. */
#include <string.h>

#include "solve/body/body.h"

void lbs_pull_point(const lbs_body *b, int spot, const double at[3], const double force[3], double factor) {
    const int node = b->motion.spots[spot].node;
    if (node < 0 || factor == 0) {
        return;
    }
    lbs_pull *pull = &b->bend.pulls[node];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            pull->tensor[i][k] += factor * at[i] * force[k];
        }
        pull->force[i] += factor * force[i];
    }
}

void lbs_pull_direction(const lbs_body *b, int spot, const double direction[3], const double h[3], double factor) {
    const int node = b->motion.spots[spot].node;
    for (int i = 0; i < 3 && node >= 0 && factor != 0; i++) {
        for (int k = 0; k < 3; k++) {
            b->bend.pulls[node].tensor[i][k] += factor * direction[i] * h[k];
        }
    }
}

/* h[9]: the derivative of an item's rows, times their multipliers, by its effector e = (point, x, y), in the world. */
static void differentiate_goal(const lbs_bodies *all, const lbs_item *item, int first_row, double h[9]) {
    double folded[LBP_MAX_ROWS], y[LBP_MAX_ROWS], rows[LBP_MAX_ROWS], derivatives[LBP_MAX_ROWS][9];
    const int is_held = item->level < all->task.levels.first;
    for (int r = 0; r < item->row_count; r++) {
        const double multiplier = is_held            ? all->rule_multipliers[first_row + r]
                                  : all->elastic > 0 ? all->elastic * all->task.iterate.goals[first_row + r]
                                                     : all->goal_multipliers[first_row + r];
        folded[r] = multiplier * item->root_weight * lbs_goal_scale(item);
    }
    lbp_goal_unfold(&item->goal.goal, item->e, folded, y);
    lbp_goal_rows(&item->goal, item->e, rows, derivatives);
    const int count = lbp_goal_plain_count(&item->goal.goal);
    memset(h, 0, 9 * sizeof *h);
    for (int r = 0; r < count; r++) {
        for (int k = 0; k < 9; k++) {
            h[k] += y[r] * derivatives[r][k];
        }
    }
    for (int part = 0; part < 3 && item->constraint->goal.carrier_segment >= 0; part++) {
        lbm_rotate(&item->carrier, h + 3 * part, h + 3 * part);
    }
}

/* `sign` times the pull of an effector, whose point and directions are fixed to a node. */
static void pull_effector(lbs_pull *pull, const double e_w[9], const double h[9], double sign) {
    for (int part = 0; part < 3; part++) {
        for (int k = 0; k < 3; k++) {
            for (int c = 0; c < 3; c++) {
                pull->tensor[k][c] += sign * (e_w[3 * part + k] * h[3 * part + c]);
            }
        }
    }
    for (int k = 0; k < 3; k++) {
        pull->force[k] += sign * h[k];
    }
}

static int has_rows(const lbs_item *item) { return item->enabled && !item->is_gaze; }

/* The goals of the problem pull at their effectors, and those that a segment carries at that. */
static void pull_goals(lbs_bodies *all, const lbs_body *b) {
    const lbs_space *s = all->task.space;
    int next_rows[2] = {0, 0}; /* of the item's rows: among the goals', and among the rules where its level is held */
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        const lb_constraint *c = item->constraint;
        if (!has_rows(item) || item->level > all->task.levels.last) {
            continue;
        }
        int *next_row = &next_rows[item->level < all->task.levels.first];
        const int first_row = *next_row;
        *next_row += item->row_count;
        if (item->row_count > 0 && item->counted && item->node >= 0 && c->figure == b->number &&
            c->goal.kind != LB_GOAL_CUSTOM) {
            double h[9];
            differentiate_goal(all, item, first_row, h);
            pull_effector(&b->bend.pulls[item->node], item->e_w, h, 1);
            if (c->goal.carrier_segment >= 0 && c->goal.carrier_figure == b->number && item->carrier_node >= 0) {
                pull_effector(&b->bend.pulls[item->carrier_node], item->e_w, h, -1);
            }
        }
    }
}

static void sum_pulls(const lbs_body *b) {
    for (int i = b->figure->node_count - 1; i > 0; i--) {
        const int parent = b->figure->nodes[i].parent;
        if (parent < 0) {
            continue;
        }
        const double *from = &b->bend.pulls[i].tensor[0][0];
        double *to = &b->bend.pulls[parent].tensor[0][0];
        for (int k = 0; k < 12; k++) {
            to[k] += from[k];
        }
    }
}

/* A force on masses: on the tensor of a node, which is summed already, by its moments. */
static void pull_masses(lbs_pull *pull, const double moments[4], const double force[2]) {
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 3; i++) {
            pull->tensor[i][k] += moments[i] * force[k];
        }
        pull->force[k] += moments[3] * force[k];
    }
}

static void pull_levers(const lbs_body *b) {
    for (int i = 0; i < b->weight.lever_count; i++) {
        const lbs_lever *lever = &b->weight.levers[i];
        const double factor = b->options->effort * lever->scale, *moments = b->weight.loaded[lever->node],
                     *at = lever->joint.world;
        const double force[2] = {factor * lever->moment[0], factor * lever->moment[1]};
        double whole[4];
        for (int c = 0; c < 3; c++) {
            whole[c] = moments[c] - moments[3] * at[c];
        }
        whole[3] = 0;
        for (int node = lever->node; node >= 0; node = b->figure->nodes[node].parent) {
            pull_masses(&b->bend.pulls[node], whole, force);
        }
        for (int k = 0; k < lever->below_count; k++) {
            pull_masses(&b->bend.pulls[lever->below[k]], b->weight.loaded[lever->below[k]], force);
        }
    }
}

/* --- Into the matrix -------------------------------------------------------------------------------------------------------- */

/* The axes of all turns at a node and above it. */
static void find_axes(const lbs_body *b, int stride) {
    for (int node = 0; node < b->figure->node_count; node++) {
        const int parent = b->figure->nodes[node].parent;
        double *axes = b->bend.axes + (size_t)node * 3 * (size_t)stride;
        if (b->motion.mover_counts[node] == 0 && parent >= 0) {
            b->bend.axes_of[node] = b->bend.axes_of[parent];
            continue;
        }
        b->bend.axes_of[node] = axes;
        if (parent >= 0) {
            memcpy(axes, b->bend.axes_of[parent], 3 * (size_t)stride * sizeof *axes);
        } else {
            memset(axes, 0, 3 * (size_t)stride * sizeof *axes);
        }
        for (int i = 0; i < b->motion.mover_counts[node]; i++) {
            const lbs_body_mover *m = &b->motion.movers[b->motion.first_movers[node] + i];
            const double f = (m->term < 0 ? 1 : b->kinematics->slopes[m->term]) * m->scale;
            for (int c = 0; c < 3 && m->is_turn; c++) {
                axes[c * stride + m->column] += f * b->kinematics->axes[m->coordinate][c];
            }
        }
    }
}

typedef struct bent {
    double v[3], u[3], f;
} bent;

static bent bend_of(const lbs_body *b, const lbs_body_mover *m, const double tensor[3][3], const lbs_pull *pull) {
    const double *u = b->kinematics->axes[m->coordinate], trace = tensor[0][0] + tensor[1][1] + tensor[2][2];
    bent made = {.f = (m->term < 0 ? 1 : b->kinematics->slopes[m->term]) * m->scale};
    lbm_copy3(made.u, u);
    if (m->is_turn) {
        for (int c = 0; c < 3; c++) {
            made.v[c] = lbm_dot3(tensor[c], u) - trace * u[c];
        }
    } else {
        lbm_cross3(u, pull->force, made.v);
    }
    return made;
}

/* The movers of a node with those above, and with each other. */
static void bend_node(const lbs_bodies_task *t, const lbs_body *b, int node, double *matrix) {
    const lbs_pull *pull = &b->bend.pulls[node];
    const double *at = b->kinematics->frames[node].p;
    const int parent = b->figure->nodes[node].parent, count = b->motion.mover_counts[node];
    double tensor[3][3];
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 3; k++) {
            tensor[i][k] = pull->tensor[i][k] - at[i] * pull->force[k];
        }
    }
    for (int i = 0; i < count; i++) {
        const lbs_body_mover *m = &b->motion.movers[b->motion.first_movers[node] + i];
        const bent one = bend_of(b, m, (const double(*)[3])tensor, pull);
        double *row = matrix + (size_t)m->column * (size_t)t->stride;
        if (parent >= 0) {
            const double scaled[3] = {one.f * one.v[0], one.f * one.v[1], one.f * one.v[2]};
            t->space->kernels->add_three(t->stride, scaled, b->bend.axes_of[parent], row);
        }
        if (!m->is_turn) {
            continue;
        }
        row[m->column] += 0.5 * one.f * one.f * lbm_dot3(one.u, one.v);
        for (int k = 0; k < i; k++) {
            const lbs_body_mover *other = &b->motion.movers[b->motion.first_movers[node] + k];
            const bent two = bend_of(b, other, (const double(*)[3])tensor, pull);
            row[other->column] += 0.5 * one.f * two.f * (lbm_dot3(one.u, two.v) + lbm_dot3(two.u, one.v));
        }
        if (m->term >= 0) {
            const double torque[3] = {tensor[1][2] - tensor[2][1], tensor[2][0] - tensor[0][2],
                                      tensor[0][1] - tensor[1][0]};
            row[m->column] += 0.5 * lbm_dot3(one.u, torque) * b->kinematics->bends[m->term] * m->scale * m->scale;
        }
    }
}

/* Forces with what moves their points: of the balance, whose moment pulls at a force f at p as moment . (p x f), and of
 * efforts. */
static void cross_forces(const lbs_bodies_task *t, const lbs_body *b, const double moment[3], double *matrix) {
    for (int i = 0; i < lbs_push_count(b); i++) {
        const lbs_push push = lbs_push_of(b, i);
        const lbs_body_point *point = &b->stand.contacts[push.contact].point;
        double *row = matrix + (size_t)(b->stand.first_force + push.force) * (size_t)t->stride;
        double force[3];
        lbm_cross3(push.direction, moment, force);
        for (int k = 0; k < b->weight.lever_count; k++) {
            const lbs_lever *lever = &b->weight.levers[k];
            int node = b->motion.spots[point->spot].node;
            while (node > lever->node) {
                node = b->figure->nodes[node].parent;
            }
            if (node != lever->node) {
                continue;
            }
            const double factor = b->options->effort * lever->scale * b->weight.mass * push.direction[2];
            const double pull[3] = {factor * lever->moment[0], factor * lever->moment[1], 0};
            force[0] -= pull[0];
            force[1] -= pull[1];
            lbs_add_force(b, t, row, &lever->joint, pull);
        }
        lbs_add_force(b, t, row, point, force);
    }
}

void lbs_bodies_curvature(lbs_bodies *all, double *matrix) {
    const lbs_bodies_task *t = &all->task;
    const size_t stride = (size_t)t->stride;
    memset(matrix, 0, (size_t)t->size * stride * sizeof *matrix);
    for (int i = 0; i < all->count; i++) {
        const lbs_body *b = &all->bodies[i];
        double balance[3] = {0, 0, 0}; /* pulls at com x up as at the moments of the forces */
        pull_goals(all, b);
        sum_pulls(b);
        pull_levers(b);
        if (b->stand.force_count) {
            lbs_balance_moment(b, all->rule_multipliers, balance);
            const double force[2] = {balance[1] / b->weight.mass, -balance[0] / b->weight.mass};
            for (int node = 0; node < b->figure->node_count; node++) {
                pull_masses(&b->bend.pulls[node], b->weight.moments[node], force);
            }
        }
        find_axes(b, t->stride);
        for (int node = 0; node < b->figure->node_count; node++) {
            bend_node(t, b, node, matrix);
        }
        cross_forces(t, b, balance, matrix);
    }
    for (int i = 0; i < t->size; i++) {
        matrix[(size_t)i * stride + (size_t)i] *= 2;
    }
    t->space->kernels->fold(t->size, matrix);
}
