/* Truncated Newton steps, which need no whole Hessian: where there are too many variables for one, where steps with
 * one do not get on, and to leave saddle points. Also the Kuhn-Tucker conditions of a level. */
#ifndef LIMBER_SOLVE_NEWTON_H
#define LIMBER_SOLVE_NEWTON_H

#include "solve/plan/space.h"

/* Feasibility restoration for a level below the highest: `restore` moves the trial point z, at which the last
 * evaluation was, to where the higher levels are no worse than they may be, and evaluates there. It returns 0 if it
 * cannot. */
typedef struct lbs_restoration {
    int (*restore)(void *context, double *z);
    void *context;
} lbs_restoration;

/* The workspace of the functions below, in doubles. */
size_t lbs_newton_size(const lbs_space *space);
/* Takes Newton steps on a level's value from z until its projected gradient is zero or nothing gets better, and
 * counts them in *iteration. `restoration` is used at levels below the highest. */
void lbs_truncated_newton(lbs_space *space, double *workspace, double *z, int level, const lbs_restoration *restoration,
                          int *iteration);
/* The norm of a level's projected gradient: limits and the higher levels' rows and guards take their part off. The
 * gradient of the Lagrangian, with the terms of those rows and guards, goes to `gradient` [n] (may be NULL); their
 * multipliers go to *row_multipliers (may be NULL), in the workspace. */
double lbs_newton_norm(lbs_space *space, double *workspace, const double *z, int level, double *gradient,
                       const double **row_multipliers);
/* At a point where the projected gradient vanishes: moves z along a direction of negative curvature, if there is
 * one, to a better point. Returns 1 if z has moved. */
int lbs_newton_escape(lbs_space *space, double *workspace, double *z, int level);

#endif
