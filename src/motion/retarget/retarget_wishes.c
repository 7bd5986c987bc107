/* The wish of retargeting: joints turned as the source's are. */
#include "figure/figure.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/retarget/retarget.h"

#define UNWIND_FROM 4.0 /* radians */

/* Turns of all segments: parts as wished, spine and neck as the source's, the rest as their parents at rest. */
void lbt_retarget_find_turns(lbt_retarget *w) {
    for (int k = 0; k < w->segments; k++) {
        int s = w->wishes.order[k], parent = lb_figure_parent_segment(w->target.figure, s), part = -1;
        double back[4], turn[4];
        for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
            if (w->has[p] && w->target.segments[p] == s) {
                part = p;
            }
        }
        if (part >= 0) {
            memcpy(w->wishes.turns[s], w->turn_w[part], sizeof turn);
        } else if (lbt_retarget_turn_between(w, s, turn)) {
            memcpy(w->wishes.turns[s], turn, sizeof turn);
        } else if (parent >= 0) {
            lbt_turn_back(w->wishes.rest_turns[parent], back);
            lb_rotation_multiply(w->wishes.turns[parent], back, turn);
            lb_rotation_multiply(turn, w->wishes.rest_turns[s], w->wishes.turns[s]);
        } else {
            memcpy(w->wishes.turns[s], w->wishes.rest_turns[s], sizeof turn);
        }
    }
}

void lbt_retarget_joint_turn(const lbt_retarget *w, int j, double turn[4]) {
    const lb_figure *figure = w->target.figure;
    const lb_joint *joint = lb_figure_joint(figure, j);
    const lb_site *a = lb_figure_site(figure, joint->site_a), *b = lb_figure_site(figure, joint->site_b);
    double turn_a[4], turn_b[4];
    lb_rotation_multiply(w->wishes.turns[a->segment], a->frame.rotation, turn_a);
    lb_rotation_multiply(w->wishes.turns[b->segment], b->frame.rotation, turn_b);
    lbt_turn_back(turn_a, turn_a);
    lb_rotation_multiply(turn_a, turn_b, turn);
}

/* Joints' values that make these turns, nearest to those of the frame before. */
void lbt_retarget_wish_joints(lbt_retarget *w) {
    const lb_figure *figure = w->target.figure;
    for (int s = 0; s < w->segments; s++) {
        int j = lb_figure_parent_joint(figure, s), variables[LB_JOINT_MAX_DOFS];
        if (j < 0) {
            continue;
        }
        const lb_joint *joint = lb_figure_joint(figure, j);
        int count = lb_joint_type_dof_count(&joint->type), known = count > 0;
        double dofs[LB_JOINT_MAX_DOFS], turn[4];
        for (int d = 0; d < count; d++) {
            variables[d] = lb_figure_variable_of(figure, &(lb_dof_ref){.joint = j, .dof = d, .parameter = -1});
            known &= variables[d] >= 0;
            dofs[d] = variables[d] >= 0 ? w->wishes.wish[variables[d]] : 0;
        }
        if (!known) {
            continue; /* a group's: goals alone move it */
        }
        lbt_retarget_joint_turn(w, j, turn);
        if (lb_joint_type_dofs(&joint->type, turn, dofs)) {
            continue;
        }
        for (int d = 0; d < count; d++) {
            if (lb_joint_type_is_angle(&joint->type, d)) {
                w->wishes.wish[variables[d]] = dofs[d];
                w->wishes.is_wished[variables[d]] = 1;
            }
        }
    }
    lbt_retarget_wish_fingers(w);
}

/* What carries the whole figure is wished to stay where the frame before had it: the goals move it. */
void lbt_retarget_wish_place(lbt_retarget *w, const double *pose) {
    for (int v = 0; v < w->variables; v++) {
        const lb_variable *variable = lb_figure_variable(w->target.figure, v);
        int is_root = variable->ref.joint < 0 && variable->ref.parameter < 0;
        if (is_root || (!variable->is_angle && variable->ref.joint >= 0)) {
            w->wishes.wish[v] = pose[v];
        }
    }
}

/* A rotation vector that has come round says the same by less than half a turn, far from where it is singular. */
static void unwind(const int variables[3], double *pose) {
    double v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = pose[variables[i]];
    }
    double angle = lbm_norm3(v);
    for (int i = 0; i < 3 && angle > UNWIND_FROM; i++) {
        pose[variables[i]] = v[i] * (1 - LBM_TWO_PI / angle);
    }
}

void lbt_retarget_unwind(const lbt_retarget *w, double *pose) {
    const lb_figure *figure = w->target.figure;
    if (lb_figure_root(figure)->is_free) {
        unwind((const int[3]){3, 4, 5}, pose);
    }
    for (int j = 0; j < lb_figure_joint_count(figure); j++) {
        const lb_joint_type *type = &lb_figure_joint(figure, j)->type;
        for (int e = 0, dof = 0; e < type->element_count; e++) {
            int is_vector = type->elements[e].kind == LB_ELEMENT_ROTATION, is_free = is_vector, variables[3];
            for (int i = 0; i < 3 && is_vector; i++) {
                variables[i] =
                    lb_figure_variable_of(figure, &(lb_dof_ref){.joint = j, .dof = dof + i, .parameter = -1});
                const lb_variable *variable = lb_figure_variable(figure, variables[i]);
                is_free = is_free && variable && !lbm_is_finite(variable->lower) && !lbm_is_finite(variable->upper);
            }
            if (is_free) {
                unwind(variables, pose);
            }
            dof += is_vector || type->elements[e].kind == LB_ELEMENT_SWING_TWIST ? 3 : 1;
        }
    }
}
