/*
 * One component of a projection onto limits (project.h): a dual active-set method after D. Goldfarb and A. Idnani (A
 * numerically stable dual method for solving strictly convex quadratic programs, Mathematical Programming 27, 1983),
 * whose Hessian is the identity here.
 */
#ifndef LIMBER_MATH_ACTIVE_SET_H
#define LIMBER_MATH_ACTIVE_SET_H

#include "limber/limber.h"

/* A limit in force: normal . x = bound, normal = sign * (the row's coefficients, or the unit vector of a variable). */
typedef struct lbm_active {
    int row;      /* -1: a bound of a variable */
    int variable; /* which of the component's variables; for bounds */
    int is_equal; /* an equality: never dropped */
    double sign;  /* for a lower bound, or an equality approached from below: -1 */
} lbm_active;

typedef struct lbm_component {
    int count;            /* m: how many variables */
    const int *variables; /* [m] their indices in x, increasing */
    const int *place;     /* place[variables[i]] = i */
    const double *lower, *upper;
    const lb_limit_row *rows;
    int first_row; /* the component's rows: first_row, next_row[first_row], ..., -1 */
    const int *next_row;
    double *x; /* in: the start; out: the closest point */
    /* scratch */
    double *numbers;    /* [LBM_ACTIVE_SET_VECTORS * m + 2 m^2] */
    lbm_active *active; /* [m] */
    int *row_state;     /* as many as there are rows in all */
    int *bound_state;   /* [m] */
} lbm_component;

#define LBM_ACTIVE_SET_VECTORS 5

typedef enum lbm_active_set_result {
    LBM_ACTIVE_SET_DONE,
    LBM_ACTIVE_SET_CONTRADICTION, /* no point keeps these limits */
    LBM_ACTIVE_SET_GAVE_UP        /* rounding decides: limits that all but contradict, or going round in circles */
} lbm_active_set_result;

/* Moves x to the closest point. Bounds hold exactly afterwards; rows to about 1e-14 times the size of the start. */
lbm_active_set_result lbm_active_set_solve(const lbm_component *component);

/* sum coefficients[i] x[variables[i]] - bound; *size, if not NULL: 1 + |bound| + sum of the terms' sizes. */
double lbm_row_excess(const lb_limit_row *row, const double *x, double *size);

#endif
