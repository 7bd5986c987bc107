/* A convex quadratic program by a dual active set: exact, and quick where the active set of the last program is a good
 * guess. */
#ifndef LIMBER_MATH_DENSE_QP_H
#define LIMBER_MATH_DENSE_QP_H

#include "math/arena.h"
#include "math/dense.h"

/* Minimise  d'M d / 2 + g . d + sum of weight / 2 max(0, a_k . d + c_k)^2  over  low <= d <= high. The first
 * `hard_count` conditions are not weighed: a_k . d + c_k <= 0 holds exactly, as bounds do. */
typedef struct lbm_qp {
    const lbm_kernels *kernels;
    int n, stride;
    const double *matrix, *gradient; /* M [n][stride], both triangles; g [stride] */
    const double *low, *high;        /* [n] */
    int condition_count, hard_count;
    const double *rows, *values; /* a [condition][stride], c [condition] */
    double weight;               /* of conditions */
    int most;                    /* active constraints that there is room for */
    int count, *active;          /* in: a guess; out: the active set */
    double *u;                   /* [count]: multipliers */
    double *d;                   /* [stride]: out, the minimum */
    /* [n][stride], [stride], [most + 1][stride], [most][most], [most], [most] */
    double *factor, *free_minimum, *solved, *schur, *rates, *products;
    unsigned char *is_active; /* [2 n + condition_count] */
    int changes;
    int is_factored; /* in: `factor` has that of M already */
    int is_solved; /* out: 1 where d is the minimum; 0 where the exchanges ended before, or nothing meets all constraints */
} lbm_qp;

/* Cuts what a program of n variables with so many conditions needs: all that it writes to but `d`. */
void lbm_qp_cut(lbm_qp *qp, int n, int condition_count, int most, lbm_arena *arena);

/* Returns 1 if M is not positive definite. */
int lbm_qp_solve(lbm_qp *qp);

#endif
