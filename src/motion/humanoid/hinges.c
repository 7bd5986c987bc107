/* What is made of hinges, and what of that goes where a motion goes. The writers of tables ask, too: a shared limber_io
 * brings this file (CMakeLists.txt), so it calls nothing that the core does not export. */
#include "motion/humanoid/humanoid.h"

/* Whether the joint may carry the whole figure: three lengths and a rotation. */
static int is_floating(const lb_joint_type *type) {
    int turns = 0;
    for (int i = 0; i < type->element_count; i++) {
        turns += type->elements[i].kind == LB_ELEMENT_ROTATION;
    }
    return type->element_count == 4 && turns == 1 && type->elements[3].kind == LB_ELEMENT_ROTATION;
}

int lbt_is_hinged(const lb_figure *f) {
    int hinges = 0;
    for (int j = 0; j < lb_figure_joint_count(f); j++) {
        const lb_joint *joint = lb_figure_joint(f, j);
        const int count = lb_joint_type_dof_count(&joint->type);
        const int ends[2] = {lb_figure_site(f, joint->site_a)->segment, lb_figure_site(f, joint->site_b)->segment};
        const int is_at_root = ends[0] == f->draft.root.segment || ends[1] == f->draft.root.segment;
        if (count > 1 && !(is_at_root && is_floating(&joint->type))) {
            return 0;
        }
        hinges += count == 1 && joint->type.elements[0].kind == LB_ELEMENT_ROTATE;
    }
    return hinges >= 2 * LBT_LEAST_LEG && f->loop_count == 0;
}

int lbt_base_node(const lb_figure *f) {
    for (int n = 0; n < f->node_count; n++) {
        if (f->nodes[n].kind == LBF_NODE_ROTATION) {
            int above = f->nodes[n].parent;
            while (above >= 0 && f->nodes[above].kind == LBF_NODE_TRANSLATE) {
                above = f->nodes[above].parent;
            }
            return above < 0 ? n : -1;
        }
    }
    return -1;
}

int lbt_is_robot(const lb_figure *figure) { return lbt_is_hinged(figure) && lbt_base_node(figure) >= 0; }
