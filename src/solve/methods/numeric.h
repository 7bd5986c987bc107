/* What the methods compute with vectors and values. */
#ifndef LIMBER_SOLVE_METHODS_NUMERIC_H
#define LIMBER_SOLVE_METHODS_NUMERIC_H

#include <math.h>

#define LBS_RELATIVE_ROUNDING 1e-12 /* of a level's value */
#define LBS_ABSOLUTE_ROUNDING 1e-18

/* The sum of products, in the order of the elements. */
static inline double lbs_dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

static inline double lbs_length(int n, const double *v) { return sqrt(lbs_dot(n, v, v)); }

/* The largest magnitude of an element. */
static inline double lbs_largest(int n, const double *v) {
    double most = 0;
    for (int i = 0; i < n; i++) {
        if (fabs(v[i]) > most) {
            most = fabs(v[i]);
        }
    }
    return most;
}

/* What a level's value may be without being worse than `value`: it may have grown by rounding errors. */
static inline double lbs_not_worse_than(double value) {
    return value * (1 + LBS_RELATIVE_ROUNDING) + LBS_ABSOLUTE_ROUNDING;
}

#endif
