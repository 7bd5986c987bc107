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

/* The least and the greatest value over [lower, upper], lower <= upper, either of which may be infinite. */
void lbm_curve_range(const lb_curve *curve, const double *second, double lower, double upper, double *min, double *max);

#endif
