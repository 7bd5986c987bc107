/* What the two parts of the BVH writer share. */
#ifndef LIMBER_IO_BVH_OUT_H
#define LIMBER_IO_BVH_OUT_H

#include "io/bvh/bvh.h"

/* A segment with the joint that carries it, as BVH has it. Metres and radians, BVH's axes. */
typedef struct lbio_bvh_node {
    int first_child, next_sibling; /* segments, -1: none */
    int first_end;                 /* a site that is an End Site, -1: none; further ones by next_end */
    double offset[3];
    int channel_count;
    lbio_bvh_channel channels[LB_JOINT_MAX_DOFS];
    int dofs[LB_JOINT_MAX_DOFS];      /* which dof of the joint a channel is */
    double values[LB_JOINT_MAX_DOFS]; /* in the frame that is being written */
    int axes[3], axis_count;          /* the joint's own rotations, if along BVH's axes; -1: not (bvh_express.c) */
    int has_tip;                      /* an End Site that is no site */
    double tip[3];
} lbio_bvh_node;

typedef struct lbio_bvh_out {
    const lb_figure *figure;
    const lb_save_options *options;
    lb_kinematics *kinematics; /* in the pose to be written */
    const double *posed;       /* that pose */
    double *pose;              /* the rest pose */
    lbio_bvh_node *nodes;      /* [segments] */
    int *carried;              /* [joints] the segment that a joint carries; -1: it closes a loop */
    int *next_end;             /* [sites] */
    char *is_joint_site;       /* [sites] */
    int skips_root;            /* the root segment is only the ground; what it carries are BVH's ROOTs */
    int is_too_deep;
    int is_all_in_frame; /* bvh_express.c: offsets are 0, as the first frame asked for */
    int *order;          /* [segments] as they are written */
    int order_count;
    lbio_text *text;
} lbio_bvh_out;

void lbio_bvh_out_warn(const lbio_bvh_out *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* bvh_express.c: any figure, in the kinematics' pose; a later frame keeps channels and offsets, and angles near those
 * of the frame before. Returns 0 if there is no memory. */
int lbio_bvh_express(lbio_bvh_out *out, int is_later_frame);

#endif
