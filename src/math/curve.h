/*
 * Functions of one variable behind lb_curve: how a group's parameter drives a joint. Linear, piecewise linear, or
 * natural cubic splines; beyond their points both go on straight, the spline along its end tangents. A natural spline
 * has no curvature at its ends, so that it is twice continuously differentiable everywhere.
 */
#ifndef LIMBER_MATH_CURVE_H
#define LIMBER_MATH_CURVE_H

#include "limber/limber.h"

/* The second derivatives of the natural cubic spline at its points: second[count], scratch[count]. x strictly
 * increasing. */
void lbm_spline_prepare(int count, const double *x, const double *y, double *second, double *scratch);

/* Value, slope and second derivative at x (finite). `second` is what lbm_spline_prepare made; unused for the other
 * kinds. At a corner of a polyline the slope is that to its right. At the points the value is their y to the bit. */
void lbm_curve_eval(const lb_curve *curve, const double *second, double x, double *f, double *df, double *ddf);

/* A curve as cubics: from `from` to the next piece it is c[0] + t (c[1] + t (c[2] + t c[3])), t = x - at. */
typedef struct lbm_piece {
    double from, at, c[4];
} lbm_piece;

/* How many a curve has; and the pieces themselves, with one more that only ends them. */
int lbm_curve_piece_count(const lb_curve *curve);
void lbm_curve_pieces(const lb_curve *curve, const double *second, lbm_piece *pieces);

/* The piece that x is in. */
static inline const lbm_piece *lbm_piece_find(const lbm_piece *p, int count, double x) {
    while (count > 1) {
        const int half = count / 2;
        p += p[half].from <= x ? half : 0;
        count -= half;
    }
    return p;
}

/* As lbm_curve_eval, to rounding, and quicker, in the piece that x is in. */
static inline double lbm_piece_eval(const lbm_piece *p, double x, double *df, double *ddf) {
    const double t = x - p->at, bend = 3.0 * p->c[3] * t;
    *df = p->c[1] + t * (2.0 * p->c[2] + bend);
    *ddf = 2.0 * (p->c[2] + bend);
    return p->c[0] + t * (p->c[1] + t * (p->c[2] + t * p->c[3]));
}

/* The least and the greatest value over [lower, upper], lower <= upper, either of which may be infinite. */
void lbm_curve_range(const lb_curve *curve, const double *second, double lower, double upper, double *min, double *max);

#endif
