/* Poses: what does not move is placed as the start pose has it, and z is taken from a pose and put back into it. */
#include <string.h>

#include "math/rotation.h"
#include "solve/plan/space.h"

/* --- What does not move ------------------------------------------------------------------------------------------- */

void lbs_place_carrier(const lbs_space *s, lbs_item *item) {
    if (item->carrier_node < 0) {
        return;
    }
    const lb_kinematics *k = s->kinematics[item->constraint->goal.carrier_figure];
    lbm_transform_multiply(&k->frames[item->carrier_node], &item->carrier_local, &item->carrier);
}

/* What carried nodes do goes to the constants of those behind them. */
static void place_carried(lbs_space *s, int figure) {
    const lb_figure *f = s->problem->figures[figure];
    const lbf_selection *carried = &s->columns.carried[figure], *moving = &s->columns.moving[figure];
    lb_kinematics *k = s->kinematics[figure];
    if (carried->node_count == 0) {
        return;
    }
    lbf_update(k, s->start + s->problem->first_variables[figure], carried);
    for (int i = 0; i < moving->node_count; i++) {
        const lbf_node *node = &f->nodes[moving->nodes[i]];
        lbf_node *planned = &s->columns.tables[figure][moving->nodes[i]];
        lbm_transform constant;
        if (planned->parent == node->parent) {
            continue; /* it does not hang on a carried one */
        }
        lbm_transform_multiply(&k->frames[node->parent], &node->constant, &constant);
        lbf_change_constant(planned, &constant);
    }
}

/* Whether all that may not move is where it was when it was placed last. */
static int is_in_place(const lbs_space *s) {
    uint64_t change = 0;
    if (!s->columns.is_placed) {
        return 0;
    }
    if (s->n == s->problem->variable_count) {
        return 1;
    }
    for (int i = 0; i < s->problem->variable_count; i++) {
        if (s->variables.active_of[i] < 0) {
            change |= lbm_bits(s->start[i]) ^ lbm_bits(s->columns.placed[i]);
        }
    }
    return change == 0;
}

void lbs_place_still(lbs_space *s) {
    const lb_problem *p = s->problem;
    if (is_in_place(s)) {
        return;
    }
    memcpy(s->columns.placed, s->start, (size_t)p->variable_count * sizeof *s->columns.placed);
    s->columns.is_placed = 1;
    for (int f = 0; f < p->figure_count; f++) {
        if (s->columns.still[f].node_count) {
            lbf_update(s->kinematics[f], s->start + p->first_variables[f], &s->columns.still[f]);
        }
    }
    for (int f = 0; f < p->figure_count; f++) {
        place_carried(s, f);
    }
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            lbs_place_carrier(s, &s->items[i]);
        }
    }
}

void lbs_place_start(lbs_space *s) {
    if (s->levels.has_wishes) {
        lbs_hide_wishes(s);
    }
    if (s->limits.partial_count) {
        lbs_bind_limits(s);
    }
    lbs_place_still(s);
}

/* --- From the pose to z and back ---------------------------------------------------------------------------------- */

void lbs_from_pose(const lbs_space *s, const double *pose, double *z) {
    if (s->variables.is_scaled) {
        for (int i = 0; i < s->n; i++) {
            z[i] = pose[s->variables.index[i]] / s->variables.scale[i];
        }
    } else {
        for (int i = 0; i < s->n; i++) {
            z[i] = pose[s->variables.index[i]];
        }
    }
}

void lbs_to_pose(const lbs_space *s, const double *z, double *pose) {
    if (pose != s->last.pose) {
        memcpy(pose, s->start, (size_t)s->problem->variable_count * sizeof *pose);
    }
    /* a variable on its bound is that bound to the bit, whatever the scaling rounded */
    for (int i = 0; i < s->n; i++) {
        pose[s->variables.index[i]] =
            lbs_clamp(z[i] * s->variables.scale[i], s->variables.pose_lower[i], s->variables.pose_upper[i]);
    }
}
