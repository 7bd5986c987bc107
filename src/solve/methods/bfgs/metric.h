/* The variable metric of bfgs.c: which constraints are active, the projection onto their face, and H, the estimate of
 * the inverse Hessian on it.
 *
 * Minimise G(z) subject to a_c . z <= b_c, or = b_c, all a_c unit vectors. A holds the q active normals as columns,
 * equalities first. Three matrices say everything: N = (A'A)^-1; the projection P = 1 - A N A' onto the face that the
 * active constraints leave; and H, with H A = 0 and positive definite on the face. A direction -H g keeps all active
 * constraints as they are, and goes down unless P g = 0. */
#ifndef LIMBER_SOLVE_METRIC_H
#define LIMBER_SOLVE_METRIC_H

#include "solve/plan/space.h"

typedef struct lbs_metric {
    const lbs_space *s;
    const double *z; /* [n]: where it is */
    int n, q, equalities;
    lb_bfgs_update choice;                                          /* which formula learns */
    double unit;                                                    /* H starts as this times the projection */
    int is_fresh;                                                   /* H has learned nothing since it started */
    double *h;                                                      /* [n][n], symmetric */
    double *inverse;                                                /* N: [q][q] in rows of n */
    int *active;                                                    /* [q]: numbers of constraints */
    unsigned char *is_active;                                       /* [constraints] */
    double *normal, *products, *coefficients, *projected, *weights; /* [n]: scratch */
} lbs_metric;

/* How many doubles of memory it takes, and cutting them up; nothing is active then, and H is not there. */
size_t lbs_metric_size(size_t n, size_t limits);
void lbs_metric_lay_out(lbs_metric *metric, const lbs_space *space, double *work, const double *z, double unit);

/* Constraint c < n is the lower bound of z[c], c < 2 n the upper one of z[c - n]; then come the limits over several
 * variables. */
int lbs_constraint_count(const lbs_metric *metric);
/* The variable whose bound it is, or -1. */
int lbs_bounded_variable(const lbs_metric *metric, int constraint);
/* a . v */
double lbs_normal_dot(const lbs_metric *metric, int constraint, const double *v);
/* b - a . z, and what its rounding errors are proportional to. */
double lbs_slack(const lbs_metric *metric, int constraint, double *size);
/* Whether z is on it, as lbs_tangent sees it. */
int lbs_is_on(const lbs_metric *metric, int constraint);

/* H = unit * the projection onto the face of all constraints that z is on - or, with lbs_tangent's multipliers, of
 * those that hold (and of equalities). */
void lbs_metric_start(lbs_metric *metric, const double *bound_multipliers, const double *limit_multipliers);
/* The same for the constraints that are active now. */
void lbs_metric_restart(lbs_metric *metric);
/* Adds a constraint. Returns 0, and does nothing, if its normal depends on the active ones'. */
int lbs_metric_add(lbs_metric *metric, int constraint);
/* Drops the k-th of the active ones. */
void lbs_metric_drop(lbs_metric *metric, int k);
/* out = P v; alpha[q] = N A'v. */
void lbs_metric_project(const lbs_metric *metric, const double *v, double *out, double *alpha);
/* out = H v */
void lbs_metric_times(const lbs_metric *metric, const double *v, double *out);
/* Learns from a step sigma within the face that changed the gradient by y. The first step that H learns from also scales
 * it, and the unit with it. */
void lbs_metric_update(lbs_metric *metric, const double *sigma, const double *y);

#endif
