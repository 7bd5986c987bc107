/* Least squares and quadratic functions over a box. */
#ifndef LIMBER_MATH_BOX_H
#define LIMBER_MATH_BOX_H

#include "math/dense.h"

/* Asked between rounds, where `is_late` is not NULL: whether to give up. */
typedef struct lbm_stop {
    int (*is_late)(void *context);
    void *context;
} lbm_stop;

/* Minimise |right + A d|^2 + sum of diagonal_i d_i^2 + 2 slope . d over low <= d <= high; diagonal > 0, low <= 0 <= high.
 * For few rows and many variables. Vectors [n] are of A's stride, vectors [m] of lbm_stride(m), with zeros in the padding. */
typedef struct lbm_box_rows {
    const lbm_kernels *kernels;
    int n;
    lbm_matrix rows;
    const double *right;                         /* [m] */
    const double *diagonal, *slope, *low, *high; /* [n] */
    const double *held;                          /* [n]: > 0: a guess that it stays on its bound */
    double accuracy;                             /* 0: exact; else at which share of the first residual to end */
    double *d;                                   /* [n]: out */
    double *multipliers;                         /* [m]: out: right + A d */
    double *scratch;                             /* lbm_box_rows_size */
    lbm_stop stop;
} lbm_box_rows;

size_t lbm_box_rows_size(int n, int m);
/* Returns 0; 1 if the numbers do not allow it, or it was stopped. */
int lbm_box_rows_solve(const lbm_box_rows *box);
/* After that: the same for another right, without slope, by the variables that were between their bounds alone, which are
 * not kept. */
void lbm_box_rows_again(const lbm_box_rows *box, const double *right, double *d);

/* Minimise g . d + d'(H + shift) d / 2 over low <= d <= high, H symmetric, whole, row by row, with zeros in the padding to the
 * stride, a multiple of 8, which d has room for. */
typedef struct lbm_box_matrix {
    const lbm_kernels *kernels;
    int n, stride;
    const double *matrix, *gradient;
    double shift;
    const double *low, *high;
    signed char *state; /* [n]: in: a guess (-1: at low, 1: at high, 0: between), out: where it ends */
    double *d;          /* [n]: out */
    double *scratch;    /* lbm_box_matrix_size */
    lbm_stop stop;
} lbm_box_matrix;

size_t lbm_box_matrix_size(int n);
/* Returns 0; 1 if the matrix, less the variables at their bounds, is not positive definite, or it was stopped. *lack: by how much
 * at least the shift is too small for those that were free. */
int lbm_box_matrix_solve(const lbm_box_matrix *box, double *lack);
/* Whether it is, with the variables at bounds that `state` says: 1 if not. */
int lbm_box_matrix_factor(const lbm_box_matrix *box);
/* After that: the same for another gradient, by the variables that were between their bounds alone, which are not kept. */
void lbm_box_matrix_again(const lbm_box_matrix *box, const double *gradient, double *d);

#endif
