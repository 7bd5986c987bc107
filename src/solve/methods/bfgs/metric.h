/* The variable metric of bfgs.c: which constraints are active, the projection onto their face, and H, the estimate of
 * the inverse Hessian on it.
 *
 * Minimise G(z) subject to a_c . z <= b_c, or = b_c, all a_c unit vectors. A holds the q active normals as columns,
 * equalities first. Three matrices say everything: N = (A'A)^-1; the projection P = 1 - A N A' onto the face that the
 * active constraints leave; and H, with H A = 0 and positive definite on the face. A direction -H g keeps all active
 * constraints as they are, and goes down unless P g = 0. */
#ifndef LIMBER_SOLVE_METRIC_H
#define LIMBER_SOLVE_METRIC_H

#include "math/arena.h"
#include "solve/plan/space.h"

typedef struct lbs_metric {
    const lbs_space *s;
    const double *z;                                /* [n]: the iterate */
    int n, q;                                       /* variables, active constraints */
    int equalities;                                 /* the first of the active constraints, which are never dropped */
    lb_bfgs_update choice;                          /* which formula updates H */
    double unit;                                    /* H starts as this times the projection */
    int is_fresh;                                   /* H has learned nothing since it started */
    double *h;                                      /* [n][n], symmetric */
    double *inverse;                                /* N: [q][q] in rows of n */
    int *active;                                    /* [q]: numbers of constraints */
    unsigned char *is_active;                       /* [constraints] */
    double *normal;                                 /* [n]: a, of the constraint that is added or dropped */
    double *normal_products, *normal_solved;        /* [q]: A'a, and N A'a */
    double *projected_normal, *dropped_multipliers; /* [n], [q]: P a, and N A'a, of a constraint that is dropped */
    double *h_normal;                               /* [n]: H a */
    double *h_y;                                    /* [n]: H y, of an update */
    double *rest_products, *rest_solved;            /* [q]: of a projection: A'v, and N A'v */
} lbs_metric;

/* Cuts the arrays for at most n variables and so many limits over several variables from an arena. */
void lbs_metric_cut(lbs_metric *metric, size_t n, size_t limits, lbm_arena *arena);
/* Makes a metric whose arrays have been cut ready for lbs_metric_start: nothing is active, and H is not there yet. */
void lbs_metric_reset(lbs_metric *metric, const lbs_space *space, const double *z, double unit);

/* Constraint c < n is the lower bound of z[c], c < 2 n the upper one of z[c - n]; then come the limits over several
 * variables. */
int lbs_constraint_count(const lbs_metric *metric);
/* The variable whose bound a constraint is, or -1. */
int lbs_bounded_variable(const lbs_metric *metric, int constraint);
/* a . v */
double lbs_normal_dot(const lbs_metric *metric, int constraint, const double *v);
/* b - a . z; the rounding errors of it are proportional to *size. */
double lbs_slack(const lbs_metric *metric, int constraint, double *size);
/* Whether z is on a constraint, as lbs_tangent sees it. */
int lbs_is_on(const lbs_metric *metric, int constraint);

/* The active set becomes all constraints that z is on; or, with lbs_tangent's multipliers, equalities and those
 * constraints that have a multiplier. H = unit * the projection onto their face. */
void lbs_metric_start(lbs_metric *metric, const double *bound_multipliers, const double *limit_multipliers);
/* H = unit * the projection onto the face of the constraints that are active now. */
void lbs_metric_restart(lbs_metric *metric);
/* Adds a constraint to the active set. Returns 0, and does nothing, if its normal depends on those of the active
 * set. */
int lbs_metric_add(lbs_metric *metric, int constraint);
/* Drops the k-th constraint of the active set. */
void lbs_metric_drop(lbs_metric *metric, int k);
/* out = P v; alpha[q] = N A'v. */
void lbs_metric_project(const lbs_metric *metric, const double *v, double *out, double *alpha);
/* out = H v */
void lbs_metric_times(const lbs_metric *metric, const double *v, double *out);
/* Updates H by a step sigma within the face that changed the gradient by y. The first update also scales H, and the
 * unit. */
void lbs_metric_update(lbs_metric *metric, const double *sigma, const double *y);

#endif
