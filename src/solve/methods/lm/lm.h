/* What lm.c has from newton.c: second-order steps where Gauss-Newton crawls. */
#ifndef LIMBER_SOLVE_LM_H
#define LIMBER_SOLVE_LM_H

#include "solve/methods/methods.h"

/* Minimises wishes that are a level of their own from z, where some method has done what it can for the goals: these stay
 * as they are. For the work of lbs_run_lm. */
lbs_end lbs_lm_wishes(lbs_space *space, double *work, double *z);

/* Brings the higher levels back to what they may be from a trial point, which it moves. Returns 0 if it cannot. */
typedef struct lbs_hold {
    int (*keep)(void *context, double *z);
    void *context;
} lbs_hold;

size_t lbs_newton_size(const lbs_space *space);
/* Newton steps on a level's value from z until its projected gradient is zero or nothing gets better; counts into
 * *iteration. hold: for levels below the highest. */
void lbs_newton(lbs_space *space, double *work, double *z, int level, const lbs_hold *hold, int *iteration);
/* The norm of a level's gradient, less what limits and the higher levels' rows hold back; and that gradient, less the
 * rows' share (may be NULL). *multipliers (may be NULL): of the higher levels' rows, in the work memory. */
double lbs_newton_norm(lbs_space *space, double *work, const double *z, int level, double *gradient,
                       const double **multipliers);
/* At a point where the gradient vanishes: along a direction of negative curvature, if there is one, to a better point.
 * Returns 1 then. */
int lbs_newton_escape(lbs_space *space, double *work, double *z, int level);

#endif
