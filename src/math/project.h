/*
 * The closest point that keeps all limits: minimise |x - x0|^2 subject to lower <= x <= upper and to rows, each a
 * sparse linear inequality or equality whose coefficients are a unit vector (lb_limit_row).
 *
 * Variables that appear in no row are clamped. The others form components, which are connected by rows. A component
 * in which a row is violated is solved by a dual active-set method (active_set.h), exactly up to rounding: rows hold
 * to 1e-12 times the size of their terms, and a variable at its bound has the bits of the bound. A point that
 * already keeps its limits (rows to this accuracy, bounds exactly) is returned as it is, bit for bit. The result is
 * deterministic, and nothing is allocated.
 */
#ifndef LIMBER_MATH_PROJECT_H
#define LIMBER_MATH_PROJECT_H

#include "limber/limber.h"

/* Bytes of scratch, aligned as for a double, that lbm_project needs; SIZE_MAX if that is more than can be addressed. */
size_t lbm_project_scratch_size(int n, const double *lower, const double *upper, int row_count,
                                const lb_limit_row *rows);

/* Moves x[n] to the closest point that keeps the limits. x must be finite; bounds may be infinite. Returns 0, or 1
 * if the limits contradict each other by more than 1e-9: then x is unchanged. */
int lbm_project(int n, const double *lower, const double *upper, int row_count, const lb_limit_row *rows, double *x,
                void *scratch);

/* The same by Hildreth's method, which projects onto one row after the other, over and over. It is simple, but slow,
 * and its rows hold to about 1e-9 only. Returns 1 if it did not converge. lbm_project falls back on it where the
 * active-set method fails because of rounding; tests compare the two. */
int lbm_project_slowly(int n, const double *lower, const double *upper, int row_count, const lb_limit_row *rows,
                       double *x, void *scratch);

/* The sum of coefficient times variable of a row at x. */
static inline double lbm_row_sum(const lb_limit_row *row, const double *x) {
    const double *c = row->coefficients;
    const int *at = row->variables;
    if (row->count == 2) { /* as most have */
        return c[0] * x[at[0]] + c[1] * x[at[1]];
    }
    double sum = 0.0;
    for (int i = 0; i < row->count; i++) {
        sum += c[i] * x[at[i]];
    }
    return sum;
}

#endif
