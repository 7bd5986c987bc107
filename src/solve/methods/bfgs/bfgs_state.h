/* The state of bfgs, and what its files do with it:
 *
 *     bfgs.c         the method: iterations, saddles, several levels
 *     direction.c    steps 1 to 3 of the papers: the direction of search, and how far it leads
 *     line_search.c  step 3: a step along the direction
 *     last_digits.c  the end near a minimum, where G is too flat for its values to tell better from worse
 *     metric.h       the active set, the projection and H */
#ifndef LIMBER_SOLVE_BFGS_STATE_H
#define LIMBER_SOLVE_BFGS_STATE_H

#include "solve/methods/bfgs/metric.h"

#define LBS_BFGS_FLATTER 0.5 /* Powell's d2: of the slope, what a good step leaves at most */

/* Vectors are [n]. */
typedef struct lbs_bfgs {
    lbs_space *s;
    int n;
    lbs_metric metric;
    /* the iterate */
    double *z, *gradient, value;
    double *multipliers; /* [q]: of the active set: N A'gradient */
    /* the direction of search */
    double *step;               /* -H gradient */
    int blocking;               /* the constraint that ends the step, or -1 */
    double reach;               /* how far it is to that constraint, in multiples of step */
    double *projected_gradient; /* P gradient */
    double *unprojected_step;   /* H P gradient, which rounding errors take out of the face */
    double *drift_multipliers;  /* [q]: what the projection of that takes off */
    /* the trial */
    double *trial, *trial_gradient, trial_value;
    double *sigma, *y; /* of the last step: how z and the gradient changed */
    /* lbs_tangent's */
    double *tangent, *bound_multipliers, *limit_multipliers; /* [n], [n], [limit] */
    /* several levels */
    double *caller_start;       /* where the solve began */
    double *start_level_values; /* [level]: the values of the levels there */
    /* the last digits */
    double *flat_start; /* where the last digits began */
    int is_flat;        /* the last step changed G by no more than rounding errors do */
    int flat_tries;     /* how often the last digits were tried */
    double lever;       /* the largest |gradient| / (2 sqrt G) so far: how far residuals move for a unit of z */
    double *newton_workspace;
} lbs_bfgs;

/* A point along the step: z + t step. */
typedef struct lbs_line_point {
    double t, value, slope;
} lbs_line_point;

/* Finds a direction that goes down and is not blocked at once: step, blocking and reach. Returns 0 if there is none,
 * or if constraints that depend on each other are dropped and added in circles. */
int lbs_bfgs_find_direction(lbs_bfgs *bfgs);

/* Evaluates G and its gradient at z + t step, as the trial. A step as far as the blocking constraint ends on it. */
void lbs_bfgs_evaluate(lbs_bfgs *bfgs, lbs_line_point *point);
/* Finds a step that meets Powell's conditions; the point is the trial. Returns 0 if there is none; *is_blocked:
 * whether the trial is on the blocking constraint. */
int lbs_bfgs_line_search(lbs_bfgs *bfgs, int *is_blocked);
/* Makes the trial the iterate: steps 4 and 5. */
void lbs_bfgs_accept(lbs_bfgs *bfgs, int is_blocked);
/* How much rounding errors can change G. */
double lbs_bfgs_noise(const lbs_bfgs *bfgs);
void lbs_bfgs_measure_lever(lbs_bfgs *bfgs);

/* The norm of the projected gradient, and the multipliers. */
double lbs_bfgs_tangent_norm(const lbs_bfgs *bfgs, const double *z, const double *gradient);
/* Returns 1 at a Kuhn-Tucker point where G is not worse; else 0, and z is where it was. */
int lbs_bfgs_last_digits(lbs_bfgs *bfgs, double zero_norm);

#endif
