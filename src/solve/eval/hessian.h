/* The curvature that Gauss-Newton leaves out: where goals cannot be met, it decides how fast the end is reached. */
#ifndef LIMBER_SOLVE_HESSIAN_H
#define LIMBER_SOLVE_HESSIAN_H

#include "solve/plan/space.h"

/* Doubles of scratch. */
size_t lbs_curvature_size(const lbs_space *space);
/* Adds sum over rows i of multiplier_i d2(row i)/dz2 at the point of the last evaluation and of the Jacobian to
 * hessian[n][stride], on either side of its diagonal: what is on both sides adds up. These are the rows of `level` with what they are (so that with J'J it is half the Hessian of the level's value), those of higher
 * levels with half of pull[row] (NULL: none). */
void lbs_curvature(lbs_space *space, int level, const double *pull, double *hessian, double *scratch);

#endif
