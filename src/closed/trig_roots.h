/* Real roots of trigonometric polynomials f(t) = a_0 + sum of a_k cos k t + b_k sin k t. */
#ifndef LIMBER_CLOSED_TRIG_ROOTS_H
#define LIMBER_CLOSED_TRIG_ROOTS_H

#include "math/strict.h"

#define LBC_TRIG_DEGREE 8
#define LBC_TRIG_TERMS (2 * LBC_TRIG_DEGREE + 1)
#define LBC_TRIG_ROOTS 64

/* The matrix that takes a_0 .. a_d, b_1 .. b_d to the Bernstein coefficients of f(t) (1 + u^2)^d, u = tan(t / 2), for t
 * from
 * -45 to 45 degrees. */
typedef struct lbc_trig_basis {
    int degree;
    double to_bernstein[LBC_TRIG_TERMS][LBC_TRIG_TERMS];
} lbc_trig_basis;

typedef struct lbc_trig {
    double a[LBC_TRIG_DEGREE + 1], b[LBC_TRIG_DEGREE + 1];
    double noise; /* f is known to this */
} lbc_trig;

typedef struct lbc_trig_found {
    int count;
    int doubtful; /* of these roots: where f comes so near to 0 that noise may have swallowed two of them */
    double roots[LBC_TRIG_ROOTS]; /* double roots once or twice, and places where there may be one */
} lbc_trig_found;

void lbc_trig_prepare(int degree, lbc_trig_basis *basis);
double lbc_trig_value(const lbc_trig *f, int degree, double t, double *slope);
void lbc_trig_roots(const lbc_trig_basis *basis, const lbc_trig *f, lbc_trig_found *found);

#endif
