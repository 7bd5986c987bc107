/* What lm.c has from newton.c: second-order steps where Gauss-Newton crawls. */
#ifndef LIMBER_SOLVE_LM_H
#define LIMBER_SOLVE_LM_H

#include "solve/space.h"

size_t lbs_newton_size(const lbs_space *space);
/* Newton steps on a level's value from z until its projected gradient is zero or nothing gets better; counts into *iteration. */
void lbs_newton(lbs_space *space, double *work, double *z, int level, int *iteration);
/* At a point where the gradient vanishes: along a direction of negative curvature, if there is one, to a better point. Returns 1 then. */
int lbs_newton_escape(lbs_space *space, double *work, double *z, int level);

#endif
