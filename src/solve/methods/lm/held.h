/* What holds a lower level back: bounds, limits, the higher levels' rows and the faces of their regions, all at once. */
#ifndef LIMBER_SOLVE_HELD_H
#define LIMBER_SOLVE_HELD_H

#include "solve/plan/space.h"

/* Doubles of scratch, and the length of `pull` below. */
size_t lbs_held_size(const lbs_space *space);
size_t lbs_pull_size(const lbs_space *space);
/* The norm of the projection of -gradient (of the level's value, at z, the point of the last evaluation and of the Jacobian
 * with the guards of that level) onto the directions that keep the limits, the rows of higher levels and their guards; also
 * that direction (may be the scratch's own: NULL). gradient is that of the Lagrangian of rows and guards on return; pull has
 * the multipliers of the m rows and, from row_count on, of the guards (>= 0); bounds and limits are as lbs_tangent has them. */
double lbs_held_look(const lbs_space *space, double *scratch, const double *z, int level, double *gradient,
                     double *direction, double *pull, double *bounds, double *limits);

#endif
