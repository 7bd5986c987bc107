/* Whole turns: poses that differ by them are one pose. */
#ifndef LIMBER_SOLVE_TURNS_H
#define LIMBER_SOLVE_TURNS_H

#include "solve/plan/space.h"

/* Whether a whole turn of a figure's variable changes nothing: it turns one joint about an axis, and neither drives
 * another dof nor has a part in a limit over several variables. Its range may still not have room for a turn. */
int lbs_turns(const lb_figure *figure, int variable);
/* Takes whole turns off the pose, as far as ranges have room for them: towards what the wishes want, else towards the
 * start. Returns whether there were any: 2 where there were so many that the pose is no longer the same to rounding. */
int lbs_unwrap(const lbs_space *space, double *pose);
/* The largest difference of two poses in a variable (radians, metres); whole turns do not count, and of rotation
 * vectors the angle between the rotations does. */
double lbs_pose_difference(const lb_problem *problem, const double *a, const double *b);

#endif
