/* Nodes moved to where their coordinates are: the inner loop of forward kinematics, for each width of registers. */
#ifndef LIMBER_FIGURE_FORWARD_H
#define LIMBER_FIGURE_FORWARD_H

#include "figure/kinematics/kinematics.h"

typedef void (*lbf_forward)(lb_kinematics *k, const lbf_selection *nodes);

/* The quickest for a CPU. */
lbf_forward lbf_forward_of(lbm_isa isa);

void lbf_move_base(lb_kinematics *k, const lbf_selection *nodes);
void lbf_move_avx2(lb_kinematics *k, const lbf_selection *nodes);

/* A node that does not turn about z. */
void lbf_move_other(lb_kinematics *k, const lbf_node *node, const lbm_transform *parent, lbm_transform *frame);

#endif
