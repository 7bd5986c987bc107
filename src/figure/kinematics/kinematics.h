#ifndef LIMBER_FIGURE_KINEMATICS_H
#define LIMBER_FIGURE_KINEMATICS_H

#include "figure/figure.h"
#include "math/dense.h"

/* One thread's view of a figure in a pose; everything in one block. */
struct lb_kinematics {
    const lb_figure *figure;
    size_t size;           /* of the block */
    lbm_transform *frames; /* [node]: world frame after the node's motion */
    double (*axes)[4]; /* [coordinate]: world axis of the turn or shift, per unit of the coordinate (not unit length for
                               rotation vectors), and padding */
    double *values;    /* [coordinate] */
    double *angles, *sines, *cosines; /* of the nodes that turn about z, as a selection has them */
    const lbm_kernels *kernels;
    void (*move_nodes)(struct lb_kinematics *kinematics, const lbf_selection *nodes); /* forward.h */
    const lbm_piece **places; /* [term]: the piece of its curve where that was last */
    double *slopes, *bends;   /* [term]: first and second derivative of the coordinate by the variable */
    double (*moments)[3];     /* [node]: scratch: world moments of subtrees */
    void *project_scratch;
};

static inline int lbf_node_coordinates(lbf_node_kind kind) {
    return kind == LBF_NODE_ROTATION ? 3 : kind == LBF_NODE_SWING ? 2 : 1;
}

/* Moves the selected nodes to a finite pose; those that they hang on are there already, or selected too. */
void lbf_update(lb_kinematics *k, const double *pose, const lbf_selection *nodes);

/* World frame of a segment, or of what a loop's closing joint carries (segment_count + loop). */
void lbf_segment_transform(const lb_kinematics *k, int segment, lbm_transform *t);
/* An effector of kind FRAME in the frame of the node that it is fixed to, which is returned (-1: the world). */
int lbf_mount_effector(const lb_figure *f, const lb_effector *effector, double local[9]);
/* And from there where it is: the same bits as lb_kinematics_effector. */
void lbf_place_effector(const lb_kinematics *k, int node, const double local[9], double e_w[9]);
int lbf_segment_exists(const lb_figure *f, int segment);
/* k->moments: world moments of all that hangs on each node, for the centre of mass; divided by the figure's mass. */
void lbf_sum_moments(lb_kinematics *k);
/* How the axis of coordinate j of a rotation-vector node changes with coordinate i of the same node, in the world. */
void lbf_axis_change(const lb_kinematics *k, const lbf_node *node, int i, int j, double out[3]);

#endif
