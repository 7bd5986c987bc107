/* The wish for manipulability: of all poses that meet the goals, one from which the end-effectors can move well. */
#ifndef LIMBER_SOLVE_WISH_MANIPULABILITY_H
#define LIMBER_SOLVE_WISH_MANIPULABILITY_H

#include "solve/solver.h"

/* The sum over all goals that end-effectors have a Jacobian for of 1 / (manipulability + a little), at z, the point of
 * the last evaluation, which is differentiated; its gradient [n] by z where that is not NULL: exact for joints that
 * turn about or slide along an axis, driven along straight lines or not; 0 is returned where other joints move an
 * effector. */
int lbs_stiffness(lb_solver *solver, double *value, double *gradient);

/* Moves a pose that meets all goals to one that meets them and has more manipulability, other wishes considered by
 * their weight. The pose is z, evaluated; it is the answer then. */
void lbs_climb_to_manipulability(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result);

#endif
