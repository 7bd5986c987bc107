/* The wish of retargeting: joints turned as the source's are. */
#include "figure/figure.h"
#include "math/rotation.h"
#include "motion/retarget.h"

/* How far up from pelvis to chest a segment of the spine is, 0 to 1; -1 where it is none. */
static double along_spine(const lbt_retarget *w, int segment) {
    int above = 0, below = 0, is_spine = 0;
    if (!w->has[LB_BODY_PART_CHEST]) {
        return -1;
    }
    for (int s = w->target.segments[LB_BODY_PART_CHEST]; s >= 0 && s != w->target.segments[LB_BODY_PART_PELVIS];
         s = lb_figure_parent_segment(w->target.figure, s)) {
        is_spine |= s == segment;
        if (is_spine) {
            below++;
        } else {
            above++;
        }
    }
    return is_spine ? (double)below / (above + below) : -1;
}

/* Turns of all segments: parts as wished, the spine between evenly, the rest as their parents at rest. */
void lbt_retarget_find_turns(lbt_retarget *w) {
    for (int k = 0; k < w->segments; k++) {
        int s = w->order[k], parent = lb_figure_parent_segment(w->target.figure, s), part = -1;
        double back[4], turn[4], along = along_spine(w, s);
        for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
            if (w->has[p] && w->target.segments[p] == s) {
                part = p;
            }
        }
        if (part >= 0) {
            memcpy(w->turns[s], w->turn_w[part], sizeof turn);
        } else if (along >= 0) {
            double change[2][4];
            for (int i = 0; i < 2; i++) {
                int end = i ? LB_BODY_PART_CHEST : LB_BODY_PART_PELVIS;
                lbt_turn_back(w->target.rest_turn_w[end], back);
                lb_rotation_multiply(w->turn_w[end], back, change[i]);
            }
            lbt_turn_between(change[0], change[1], along, turn);
            lb_rotation_multiply(turn, w->rest_turns[s], w->turns[s]);
        } else if (parent >= 0) {
            lbt_turn_back(w->rest_turns[parent], back);
            lb_rotation_multiply(w->turns[parent], back, turn);
            lb_rotation_multiply(turn, w->rest_turns[s], w->turns[s]);
        } else {
            memcpy(w->turns[s], w->rest_turns[s], sizeof turn);
        }
    }
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
        const lb_site *a = lb_figure_site(figure, joint->site_a), *b = lb_figure_site(figure, joint->site_b);
        int count = lb_joint_type_dof_count(&joint->type), known = count > 0;
        double dofs[LB_JOINT_MAX_DOFS], turn_a[4], turn_b[4];
        for (int d = 0; d < count; d++) {
            variables[d] = lb_figure_variable_of(figure, &(lb_dof_ref){.joint = j, .dof = d, .parameter = -1});
            known &= variables[d] >= 0;
            dofs[d] = variables[d] >= 0 ? w->wish[variables[d]] : 0;
        }
        if (!known) {
            continue; /* a group's: goals alone move it */
        }
        lb_rotation_multiply(w->turns[a->segment], a->frame.rotation, turn_a);
        lb_rotation_multiply(w->turns[b->segment], b->frame.rotation, turn_b);
        lbt_turn_back(turn_a, turn_a);
        lb_rotation_multiply(turn_a, turn_b, turn_a);
        if (lb_joint_type_dofs(&joint->type, turn_a, dofs)) {
            continue;
        }
        for (int d = 0; d < count; d++) {
            if (lb_joint_type_is_angle(&joint->type, d)) {
                w->wish[variables[d]] = dofs[d];
            }
        }
    }
}

/* What carries the whole figure is wished to stay where the frame before had it: the goals move it. */
void lbt_retarget_wish_place(lbt_retarget *w, const double *pose) {
    for (int v = 0; v < w->variables; v++) {
        const lb_variable *variable = lb_figure_variable(w->target.figure, v);
        int is_root = variable->ref.joint < 0 && variable->ref.parameter < 0;
        if (is_root || (!variable->is_angle && variable->ref.joint >= 0)) {
            w->wish[v] = pose[v];
        }
    }
}
