/* What holds a lower level back: bounds, limits, the rows of higher levels and the faces of their regions, all at
 * once. */
#ifndef LIMBER_SOLVE_EVAL_LEVEL_TANGENT_H
#define LIMBER_SOLVE_EVAL_LEVEL_TANGENT_H

#include "solve/plan/space.h"

/* The gradient of a level's value and its projection. */
typedef struct lbs_projection {
    double *gradient;          /* [n]: in: of the level's value; out: of the Lagrangian of rows and guards */
    double *direction;         /* [n]: out: the projection of -gradient */
    double *row_multipliers;   /* [lbs_row_multiplier_count]: out: of the m rows; from m on, of the guards (>= 0) */
    double *bound_multipliers; /* [n]: out, as lbs_tangent has them */
    double *limit_multipliers; /* [limits.count]: out, as lbs_tangent has them */
} lbs_projection;

/* Doubles of scratch, and the length of row_multipliers. */
size_t lbs_level_tangent_size(const lbs_space *space);
size_t lbs_row_multiplier_count(const lbs_space *space);
/* Projects the gradient of a level's value at z onto the directions that keep the limits, the rows of higher levels and
 * their guards. z is the point of the last evaluation and of the Jacobian with the guards of that level. Returns the
 * norm of the projection. */
double lbs_level_tangent(const lbs_space *space, double *scratch, const double *z, int level,
                         const lbs_projection *projection);

#endif
