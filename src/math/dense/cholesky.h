/* Small dense symmetric systems, row-major. */
#ifndef LIMBER_MATH_CHOLESKY_H
#define LIMBER_MATH_CHOLESKY_H

/* Factors the lower triangle of a[n][n] in place: a = L L'. Returns 0, or 1 if it is not positive definite. */
int lbm_cholesky(int n, double *a);
/* Solves L L' x = b in place. */
void lbm_cholesky_solve(int n, const double *l, double *b);

#endif
