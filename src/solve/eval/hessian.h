/* The curvature that Gauss-Newton leaves out: where goals cannot be met, it decides how fast the end is reached. */
#ifndef LIMBER_SOLVE_HESSIAN_H
#define LIMBER_SOLVE_HESSIAN_H

#include "solve/plan/space.h"

/* Doubles of scratch. */
size_t lbs_curvature_size(const lbs_space *space);
/* Adds the sum of multiplier_i d2(row i)/dz2 at the point of the last evaluation and of the Jacobian to
 * hessian[n][stride]. A pair of variables gets its part on one side of the diagonal or the other: the sum of both sides
 * counts. The multipliers of the rows of `level` are the residuals, so that with J'J this is half the Hessian of the
 * level's value; those of higher levels are half of row_multipliers[row], and of their guards half of row_multipliers[m
 * + guard] (NULL: none). */
void lbs_curvature(lbs_space *space, int level, const double *row_multipliers, double *hessian, double *scratch);

#endif
