/* The text of forward.h's loops: the file that includes it defines LBM_WIDTH and calls it MOVE_NODES. */
#include "figure/kinematics/forward.h"

/* frame = parent * constant, turned about z, for a constant whose axes are the parent's: no products but those of the
 * turn. */
static inline void turn_permuted(const lbm_transform *parent, const lbf_node *node, double s, double c,
                                 lbm_transform *frame) {
    const double *columns = parent->x; /* x, y, z one behind the other */
    const lbm_v4 x = lbm_load4(columns + node->order[0]), y = lbm_load4(columns + node->order[1]),
                 z = lbm_load4(columns + node->order[2]);
    lbm_store4(frame->x, lbm_add4(lbm_scale4(x, c), lbm_scale4(y, s)));
    lbm_store4(frame->y, lbm_sub4(lbm_scale4(y, c), lbm_scale4(x, s)));
    lbm_store4(frame->z, z);
}

static inline void turn_any(const lbm_transform *parent, const lbf_node *node, double s, double c,
                            lbm_transform *frame) {
    const lbm_v4 px = lbm_load4(parent->x), py = lbm_load4(parent->y), pz = lbm_load4(parent->z);
    const lbm_v4 x = lbm_combine(px, py, pz, node->constant.x), y = lbm_combine(px, py, pz, node->constant.y);
    lbm_store4(frame->x, lbm_add4(lbm_scale4(x, c), lbm_scale4(y, s)));
    lbm_store4(frame->y, lbm_sub4(lbm_scale4(y, c), lbm_scale4(x, s)));
    lbm_store4(frame->z, lbm_combine(px, py, pz, node->constant.z));
}

static inline void place(const lbm_transform *parent, const lbf_node *node, lbm_transform *frame) {
    lbm_v4 p = lbm_load4(parent->p);
    if (node->offset_count == 1) {
        const double *columns = parent->x;
        p = lbm_add4(lbm_scale4(lbm_load4(columns + node->offset_axis), node->offset), p);
    } else if (node->offset_count) {
        const lbm_v4 x = lbm_load4(parent->x), y = lbm_load4(parent->y), z = lbm_load4(parent->z);
        p = lbm_add4(lbm_combine(x, y, z, node->constant.p), p);
    }
    lbm_store4(frame->p, p);
}

void MOVE_NODES(lb_kinematics *k, const lbf_selection *selection) {
    static const lbm_transform world = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};
    const lbf_node *nodes = selection->table ? selection->table : k->figure->nodes;
    const double *sine = k->sines, *cosine = k->cosines;
    const int *selected = selection->nodes, *end = selected + selection->node_count;
    lbm_transform *frames = k->frames;
    double(*axes)[4] = k->axes;
    for (; selected < end; selected++) {
        const lbf_node *node = &nodes[*selected];
        const lbm_transform *parent = node->parent < 0 ? &world : &frames[node->parent];
        lbm_transform *frame = &frames[*selected];
        if (node->kind != LBF_NODE_ROTATE) {
            lbf_move_other(k, node, parent, frame);
            continue;
        }
        const double s = node->sign * *sine++, c = *cosine++;
        if (node->is_permutation) {
            turn_permuted(parent, node, s, c, frame);
        } else {
            turn_any(parent, node, s, c, frame);
        }
        place(parent, node, frame);
        lbm_store4(axes[node->coordinate], lbm_scale4(lbm_load4(frame->z), node->sign));
    }
}
