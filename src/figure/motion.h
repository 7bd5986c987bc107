/* Nodes moved to where their coordinates are: the inner loop of forward kinematics, for each width of registers. */
#ifndef LIMBER_FIGURE_MOTION_H
#define LIMBER_FIGURE_MOTION_H

#include "figure/kinematics.h"

typedef void (*lbf_motion)(lb_kinematics *k, const lbf_selection *nodes);

/* The quickest for a CPU. */
lbf_motion lbf_motion_of(lbm_isa isa);

void lbf_move_base(lb_kinematics *k, const lbf_selection *nodes);
void lbf_move_avx2(lb_kinematics *k, const lbf_selection *nodes);

/* A node that does not turn about z. */
void lbf_move_other(lb_kinematics *k, const lbf_node *node, const lbm_transform *parent, lbm_transform *frame);

#endif
