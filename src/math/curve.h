/*
 * Functions of one variable behind lb_curve: how a group's parameter drives a joint. A curve is linear, piecewise
 * linear, or a natural cubic spline. Beyond its points it is continued by straight lines: the polyline by its first
 * and last line, the spline by its end tangents. A natural spline has no curvature at its ends, so that it is twice
 * continuously differentiable everywhere.
 */
#ifndef LIMBER_MATH_CURVE_H
#define LIMBER_MATH_CURVE_H

#include "limber/limber.h"

/* Computes second[count], the second derivatives of the natural cubic spline at its points. x increases strictly;
 * scratch[count]. */
void lbm_spline_prepare(int count, const double *x, const double *y, double *second, double *scratch);

/* Value, slope and second derivative at x, which is finite. `second` is what lbm_spline_prepare computed; the other
 * kinds do not use it. At a corner of a polyline the slope is the one to the right. At the points of a curve the
 * value has the bits of their y. */
void lbm_curve_eval(const lb_curve *curve, const double *second, double x, double *f, double *df, double *ddf);

/* A piece of a curve as a cubic polynomial: from `from` to the beginning of the next piece the curve is
 * c[0] + t (c[1] + t (c[2] + t c[3])), with t = x - at. */
typedef struct lbm_piece {
    double from, at, c[4];
} lbm_piece;

/* How many pieces a curve has, and the pieces themselves: one more than that, the last of which only ends the
 * others. */
int lbm_curve_piece_count(const lb_curve *curve);
void lbm_curve_pieces(const lb_curve *curve, const double *second, lbm_piece *pieces);

/* Finds the piece that x is in, of `count` pieces. */
static inline const lbm_piece *lbm_piece_find(const lbm_piece *p, int count, double x) {
    while (count > 1) {
        const int half = count / 2;
        p += p[half].from <= x ? half : 0;
        count -= half;
    }
    return p;
}

/* Evaluates the curve in the piece that x is in: quicker than lbm_curve_eval, and equal to it up to rounding. */
static inline double lbm_piece_eval(const lbm_piece *p, double x, double *df, double *ddf) {
    const double t = x - p->at, bend = 3.0 * p->c[3] * t;
    *df = p->c[1] + t * (2.0 * p->c[2] + bend);
    *ddf = 2.0 * (p->c[2] + bend);
    return p->c[0] + t * (p->c[1] + t * (p->c[2] + t * p->c[3]));
}

/* The least and the greatest value over [lower, upper], lower <= upper, either of which may be infinite. */
void lbm_curve_range(const lb_curve *curve, const double *second, double lower, double upper, double *min, double *max);

#endif
