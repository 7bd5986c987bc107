/* Symmetric positive definite systems whose blocks couple with the next two blocks alone, as those of a motion do, in
 * which a block is a frame and accelerations couple three frames: block-banded Cholesky factorisation, linear in the
 * number of blocks. */
#ifndef LIMBER_MATH_BANDED_H
#define LIMBER_MATH_BANDED_H

#include "math/dense.h"

/* A matrix of `count` x `count` blocks of n x n numbers. Arrays have rows of lbm_stride(n) doubles, 0 in the
 * padding. */
typedef struct lbm_banded {
    const lbm_kernels *kernels;
    int n, count;
    double *own;     /* [count][n][stride]: blocks on the diagonal, their upper triangles; becomes their factors */
    double *next;    /* [count][n][stride]: the block to the right of each */
    double *second;  /* [count][n][stride]: the block after that */
    double *right;   /* [count][stride]: the right side; becomes the solution */
    double *scratch; /* [2 n + 1][stride] */
} lbm_banded;

/* Solves the system. Returns 0, or 1 if the matrix is not positive definite; all arrays are overwritten in either
 * case. */
int lbm_banded_solve(const lbm_banded *system);

#endif
