#include "figure/kinematics/forward.h"

#include "math/rotation.h"

#define MOVE_NODES lbf_move_base
#include "figure/kinematics/forward_kernels.h"

/* A rotation vector: the axes are the columns of the left Jacobian, in the frame before the motion. */
static void turn_by_vector(lb_kinematics *k, const lbf_node *node, lbm_transform *frame) {
    double v[3] = {0, 0, 0}, rotation[3][3], jacobian[3][3], columns[3][3];
    int count = lbf_node_coordinates(node->kind);
    for (int i = 0; i < count; i++) {
        v[i] = node->sign * k->values[node->coordinate + i];
    }
    lbm_exponential e;
    lbm_exponential_at(v, &e);
    lbm_exponential_columns(v, &e, rotation, jacobian);
    for (int i = 0; i < count; i++) {
        double *axis = k->axes[node->coordinate + i];
        lbm_rotate(frame, jacobian[i], axis);
        for (int c = 0; c < 3; c++) {
            axis[c] *= node->sign;
        }
    }
    for (int i = 0; i < 3; i++) {
        lbm_rotate(frame, rotation[i], columns[i]);
    }
    lbm_copy3(frame->x, columns[0]);
    lbm_copy3(frame->y, columns[1]);
    lbm_copy3(frame->z, columns[2]);
}

void lbf_move_other(lb_kinematics *k, const lbf_node *node, const lbm_transform *parent, lbm_transform *frame) {
    lbm_transform_multiply(parent, &node->constant, frame);
    if (node->kind == LBF_NODE_TRANSLATE) {
        double shift = node->sign * k->values[node->coordinate];
        for (int i = 0; i < 4; i++) {
            frame->p[i] += frame->z[i] * shift;
        }
        for (int i = 0; i < 3; i++) {
            k->axes[node->coordinate][i] = node->sign * frame->z[i];
        }
    } else {
        turn_by_vector(k, node, frame);
    }
}
