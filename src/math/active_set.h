/* Active sets: which limits hold as equalities at the solution of a problem with inequalities.
 *
 * All active sets of Limber go through the same cycle: solve the problem with the present set as equalities; free
 * the members whose multiplier has the wrong sign (they pull instead of pushing); take in the limits that the
 * solution violates; stop when nothing changes. They share what is in this header: when a point is on a limit, and
 * the cycle of exchanges. They differ in the linear algebra of the first step, and in how many members are exchanged
 * at once:
 *
 *     where                    problem                                   exchanges            linear algebra
 *     lbm_active_set_solve     closest point in a polyhedron             one a step (dual)    Q R of the normals,
 *                                                                                             updated
 *     lbm_cone_project         projection of a direction onto the
 *                              directions that limits allow
 *       solve/eval/tangent.c     below no other rows                     all rows, one bound  sparse Gram matrix,
 *                                                                                             dependent rows left out
 *       solve/eval/level_tangent.c below rows of higher priority           all, later one       dense Gram matrix, damped
 *     lbm_box_rows (box.h)     least squares in a box, few rows          all (dual Newton)    Gram matrix, updated
 *     lbm_box_matrix (box.h)   quadratic function in a box               all; later none is   Cholesky factor,
 *                                                                        freed                computed anew
 *     lbm_qp (qp.h)            quadratic function in a box, and rows     one a step (dual)    Cholesky factors, of M and of
 *                                                                                             the active rows
 *     solve/methods/lm/step.c  rows that a step in a box would violate   all; none is freed   stiff rows of the box
 *     solve/methods/bfgs/      the face of a quasi-Newton method, kept   one a step           inverse of N'N, updated
 *       metric.c               from step to step                                              with the metric H
 *
 * The last two keep their sets over several calls, together with what their method knows, and so are not of this
 * file. */
#ifndef LIMBER_MATH_ACTIVE_SET_H
#define LIMBER_MATH_ACTIVE_SET_H

#include <math.h>

#include "limber/limber.h"

/* ---------------------------------------------------------------------------------------------------
 * When a point is on a limit
 * ------------------------------------------------------------------------------------------------- */

/* A point counts as on a limit if it is no farther from it than this times the size of the numbers compared. */
#define LBM_ON_LIMIT 1e-10

/* Which bounds x is on: -1 the lower one, 1 the upper one, 2 both, 0 none. */
static inline int lbm_side_of(double x, double lower, double upper) {
    const double near = LBM_ON_LIMIT * (1 + fabs(x)), below = x - lower, above = upper - x;
    if (below > near && above > near) {
        return 0;
    }
    return below > near ? 1 : above > near ? -1 : 2;
}

/* sum coefficients[i] x[variables[i]] - bound. *size, if not NULL, becomes 1 + |bound| + the sum of the terms'
 * sizes. */
double lbm_row_excess(const lb_limit_row *row, const double *x, double *size);

/* Whether x is on a row, or beyond it. Every x is on an equality. */
int lbm_row_is_on(const lb_limit_row *row, const double *x);

/* ---------------------------------------------------------------------------------------------------
 * The projection of a direction onto the cone that active limits allow
 *
 * Minimise |d + g|^2 over the directions d with
 *
 *     a_i . d <= 0 for rows in force, = 0 for equalities,
 *     d_k >= 0 at a lower bound, <= 0 at an upper one, = 0 at both.
 *
 * At the minimum d = -(g + sum of multipliers_i a_i) over the free variables: the multipliers are those of the
 * Kuhn-Tucker conditions, and d = 0 says that they hold. Bounds are active by fixing variables, rows by their
 * multipliers.
 * ------------------------------------------------------------------------------------------------- */

typedef struct lbm_cone {
    int n, row_count;
    const signed char *side;          /* [n]: lbm_side_of; a variable on no bound is 0 */
    const unsigned char *is_equality; /* [row_count] */
    const double *d;                  /* [n]: as `solve` has left it */
    const double *multipliers;        /* [row_count]: as `solve` has left them */
    /* the active set: in: a guess, out: that of the minimum, or of the last pass */
    double *free;        /* [n]: 1: the variable moves; 0: its bound is active */
    unsigned char *used; /* [row_count]: whether the row is active */
    /* The arithmetic of the caller's rows. */
    int (*solve)(void *context);                 /* d and multipliers for the present set; non-zero: give up */
    double (*along)(void *context, int row);     /* a_row . d */
    double (*push)(void *context, int variable); /* -(g + sum of multipliers_i a_i) of a fixed variable */
    void *context;
    /* How the set changes. */
    double tiny;     /* multipliers and violations up to this are rounding */
    int passes;      /* at most */
    int all_at_once; /* passes in which all members are exchanged at once; after them it is one at a time */
    int bounds_last; /* bounds are freed one at a time, and only where no row is */
} lbm_cone;

typedef enum lbm_cone_end {
    LBM_CONE_DONE,  /* nothing is left to exchange */
    LBM_CONE_SPENT, /* the passes were not enough: members are exchanged in circles, as can happen */
    LBM_CONE_FAILED /* `solve` gave up */
} lbm_cone_end;

/* The answer is in the cone's arrays and in the caller's d and multipliers. */
lbm_cone_end lbm_cone_project(const lbm_cone *cone);

/* ---------------------------------------------------------------------------------------------------
 * One component of a projection onto limits (project.h): a dual active-set method after D. Goldfarb and A. Idnani (A
 * numerically stable dual method for solving strictly convex quadratic programs, Mathematical Programming 27, 1983),
 * whose Hessian is the identity here
 * ------------------------------------------------------------------------------------------------- */

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
    int first_row; /* the component's rows are a list: first_row, next_row[first_row] and so on, up to -1 */
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

#endif
