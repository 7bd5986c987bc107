/* Eigenvalues of small real matrices that need not be symmetric. */
#ifndef LIMBER_MATH_EIGEN_H
#define LIMBER_MATH_EIGEN_H

#include "math/strict.h"

/* Writes the eigenvalues of a row-major n x n matrix, which is destroyed, as real[i] + i imaginary[i]; pairs stand side
 * by side. Returns 0 where the iteration does not converge, which no matrix of finite numbers was seen to do. */
int lbm_eigenvalues(int n, double *matrix, double *real, double *imaginary);

#endif
