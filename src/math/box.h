/* Least squares and quadratic functions over a box. Both are solved by an active set; active_set.h says what they
 * share with the other active sets. */
#ifndef LIMBER_MATH_BOX_H
#define LIMBER_MATH_BOX_H

#include "math/dense.h"
#include "math/stop.h"

/* Minimise |right + A d|^2 + sum of diagonal_i d_i^2 + 2 slope . d over low <= d <= high, with diagonal > 0 and low
 * <= 0 <= high. For few rows and many variables. Vectors [n] have A's stride, vectors [m] have lbm_stride(m), with
 * zeros in the padding. */
typedef struct lbm_box_rows {
    const lbm_kernels *kernels;
    int n;                                       /* variables */
    lbm_matrix rows;                             /* A, m rows */
    const double *right;                         /* [m] */
    const double *diagonal, *slope, *low, *high; /* [n] */
    const double *active; /* [n]: a guess of the active set: variable i ends on a bound where active[i] > 0 */
    double accuracy; /* the method ends when the residual is this share of the first one; 0: it goes on to the end */
    double *d;       /* [n]: out, the minimum */
    double *multipliers; /* [m]: out, right + A d; in, if has_guess: a guess of it */
    double *scratch;     /* lbm_box_rows_size(n, m) doubles */
    lbm_stop stop;
    int has_guess;    /* of the multipliers: `active` is then not looked at */
    int *is_unsolved; /* out: 1 where the rounds ended before the minimum; NULL: nobody asks */
} lbm_box_rows;

size_t lbm_box_rows_size(int n, int m);
/* Returns 0, or 1 if a number was not finite, a matrix was not positive definite, or the solver was stopped. */
int lbm_box_rows_solve(const lbm_box_rows *box);
/* After lbm_box_rows_solve: minimises |right + A d|^2 + sum of diagonal_i d_i^2 for another right side, over the
 * variables that the last solution has strictly between their bounds. The other variables stay at 0, and no bound
 * limits the result. It costs one solution by the factor that there is. */
void lbm_box_rows_again(const lbm_box_rows *box, const double *right, double *d);

/* Minimise g . d + d'(H + shift) d / 2 over low <= d <= high. H is symmetric and has both triangles, row by row,
 * with zeros in the padding to the stride, a multiple of 8. d has as many doubles as a row. */
typedef struct lbm_box_matrix {
    const lbm_kernels *kernels;
    int n, stride;
    const double *matrix, *gradient;
    double shift;
    const double *low, *high;
    signed char *state; /* [n]: in: a guess, out: where the variable is: -1 at low, 1 at high, 0 between */
    double *d;          /* [n]: out, the minimum */
    double *scratch;    /* lbm_box_matrix_size(n) doubles */
    lbm_stop stop;
} lbm_box_matrix;

size_t lbm_box_matrix_size(int n);
/* Returns 0, or 1 if H + shift, restricted to the variables between their bounds, is not positive definite, or if
 * the solver was stopped. *lack is then a lower bound of what the shift lacks for these variables, else 0. */
int lbm_box_matrix_solve(const lbm_box_matrix *box, double *lack);
/* Returns 1 if H + shift, restricted to the variables that `state` has between their bounds, is not positive
 * definite. */
int lbm_box_matrix_factor(const lbm_box_matrix *box);
/* After lbm_box_matrix_solve or lbm_box_matrix_factor: minimises for another gradient over the variables that
 * `state` has between their bounds. The other variables stay at 0, and no bound limits the result. */
void lbm_box_matrix_again(const lbm_box_matrix *box, const double *gradient, double *d);

#endif
