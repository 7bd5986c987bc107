/*
 * The closest point that keeps all limits: minimise |x - x0|^2 subject to lower <= x <= upper and to rows, each a
 * sparse linear inequality or equality whose coefficients are a unit vector (lb_limit_row).
 *
 * Variables that no row touches are clamped. The others fall into components that rows connect; each of them that a
 * row is broken in is solved by a dual active-set method (active_set.h), exactly up to rounding: rows hold to 1e-12
 * times the size of their terms, and a variable at its bound is that bound to the bit. A point that already keeps its
 * limits (rows to this accuracy, bounds exactly) is returned as it is, bit for bit. Deterministic; allocates nothing.
 */
#ifndef LIMBER_MATH_PROJECT_H
#define LIMBER_MATH_PROJECT_H

#include "limber/limber.h"

/* Bytes of scratch, aligned as for a double, that lbm_project needs; SIZE_MAX if that is more than can be addressed. */
size_t lbm_project_scratch_size(int n, const double *lower, const double *upper, int row_count,
                                const lb_limit_row *rows);

/* x[n], finite: in x0, out the closest point. Bounds may be infinite. Returns 0, or 1 if the limits contradict each
 * other (by more than 1e-9): then x is unchanged. */
int lbm_project(int n, const double *lower, const double *upper, int row_count, const lb_limit_row *rows, double *x,
                void *scratch);

/* The same by Hildreth's method: row after row, over and over; simple, but slow, and good to about 1e-9 only. Returns
 * 1 if it did not get there. What lbm_project falls back on where rounding errors get the better of the active-set
 * method; tests compare the two. */
int lbm_project_slowly(int n, const double *lower, const double *upper, int row_count, const lb_limit_row *rows,
                       double *x, void *scratch);

/* The sum of a row at x. */
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
