/* Humanoid robots by their structure: which hinges are legs, arms and trunk, wherever they are named.
 *
 * A body here is what moves as one: all segments that are mounted on one node of the figure (figure/figure.h). */
#ifndef LIMBER_MOTION_HUMANOID_H
#define LIMBER_MOTION_HUMANOID_H

#include <limber/motion.h>

#include "figure/figure.h"

#define LBT_LEAST_LEG 3 /* hinges */

/* Whether every joint is a hinge, a slide or fixed, but for one that carries the whole figure and may be floating. */
int lbt_is_hinged(const lb_figure *figure);
/* The node that moves the whole figure: the last of a free root's, or of a floating joint's at the root. -1: it is
 * fixed. */
int lbt_base_node(const lb_figure *figure);
/* Whether motions are carried over to it as to a robot (motion/robot), and its tables have its root's place and
 * quaternion. */
int lbt_is_robot(const lb_figure *figure);
/* How far what is fixed to a node reaches along a direction of the world, in the pose that the kinematics has: its
 * solid or drawn shapes, and the origins of its segments and sites. -INFINITY where there is nothing. */
double lbt_node_reach(const lb_kinematics *kinematics, int node, const double direction_w[3]);
/* The same of its shapes alone. */
double lbt_node_shapes_reach(const lb_kinematics *kinematics, int node, const double direction_w[3]);
/* The middle of what is fixed to a node: of its shapes; where it has none, of its mass; else of its segments and
 * sites. */
void lbt_node_middle(const lb_kinematics *kinematics, int node, double point_w[3]);

#endif
