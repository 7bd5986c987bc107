#include "math/curve.h"

#include <float.h>
#include <math.h>

/*
 * Between points i and i + 1, with h their distance and second derivatives m, a cubic spline's second derivative is
 * linear. Integrating twice and asking the slopes from both sides to agree gives, for every inner point,
 *
 *     h[i-1]/6 m[i-1] + (h[i-1] + h[i])/3 m[i] + h[i]/6 m[i+1] = rise[i] - rise[i-1],
 *
 * where rise[i] = (y[i+1] - y[i]) / h[i], and m = 0 at both ends. The matrix is diagonally dominant: elimination
 * without pivoting is stable. (C. de Boor, A Practical Guide to Splines, chapter IV.)
 */
void lbm_spline_prepare(int count, const double *x, const double *y, double *second, double *scratch) {
    const int last = count - 1;
    second[0] = second[last] = 0.0;
    scratch[0] = 0.0; /* scratch[i]: the factor of m[i + 1] once m[i - 1] is eliminated */
    for (int i = 1; i < last; i++) {
        const double before = x[i] - x[i - 1], after = x[i + 1] - x[i];
        const double bend = (y[i + 1] - y[i]) / after - (y[i] - y[i - 1]) / before;
        const double pivot = (before + after) / 3.0 - before / 6.0 * scratch[i - 1];
        scratch[i] = after / 6.0 / pivot;
        second[i] = (bend - before / 6.0 * second[i - 1]) / pivot;
    }
    for (int i = last - 1; i > 0; i--) {
        second[i] -= scratch[i] * second[i + 1];
    }
}

/* The greatest i with x[i] <= at; -1 if there is none. */
static int find_point(int count, const double *x, double at) {
    int low = -1, high = count;
    while (high - low > 1) {
        const int middle = low + (high - low) / 2;
        if (x[middle] <= at) {
            low = middle;
        } else {
            high = middle;
        }
    }
    return low;
}

/* The mean slope between points i and i + 1. */
static double rise(const lb_curve *curve, int i) {
    return (curve->y[i + 1] - curve->y[i]) / (curve->x[i + 1] - curve->x[i]);
}

/* The slopes with which a curve goes on beyond its first and its last point. */
static double slope_before(const lb_curve *curve, const double *second) {
    if (curve->kind == LB_CURVE_LINEAR) {
        return curve->slope;
    }
    const double bend = curve->kind == LB_CURVE_SPLINE ? second[1] * (curve->x[1] - curve->x[0]) / 6.0 : 0.0;
    return rise(curve, 0) - bend;
}

static double slope_after(const lb_curve *curve, const double *second) {
    if (curve->kind == LB_CURVE_LINEAR) {
        return curve->slope;
    }
    const int i = curve->count - 2;
    const double bend = curve->kind == LB_CURVE_SPLINE ? second[i] * (curve->x[i + 1] - curve->x[i]) / 6.0 : 0.0;
    return rise(curve, i) + bend;
}

/* A line through point i. */
static void eval_line(const lb_curve *curve, int i, double slope, double x, double *f, double *df, double *ddf) {
    *f = curve->y[i] + slope * (x - curve->x[i]);
    *df = slope;
    *ddf = 0.0;
}

/* The cubic between points i and i + 1, as a mean a y[i] + b y[i+1], a + b = 1, and what bends it. */
static void eval_cubic(const lb_curve *curve, const double *second, int i, double x, double *f, double *df,
                       double *ddf) {
    const double h = curve->x[i + 1] - curve->x[i], a = (curve->x[i + 1] - x) / h, b = (x - curve->x[i]) / h;
    const double m0 = second[i], m1 = second[i + 1];
    *f = a * curve->y[i] + b * curve->y[i + 1] + ((a * a * a - a) * m0 + (b * b * b - b) * m1) * (h * h / 6.0);
    *df = rise(curve, i) + ((3.0 * b * b - 1.0) * m1 - (3.0 * a * a - 1.0) * m0) * (h / 6.0);
    *ddf = a * m0 + b * m1;
}

void lbm_curve_eval(const lb_curve *curve, const double *second, double x, double *f, double *df, double *ddf) {
    if (curve->kind == LB_CURVE_LINEAR) {
        *f = curve->offset + curve->slope * x;
        *df = curve->slope;
        *ddf = 0.0;
        return;
    }
    const int last = curve->count - 1, i = find_point(curve->count, curve->x, x);
    if (i < 0) {
        eval_line(curve, 0, slope_before(curve, second), x, f, df, ddf);
    } else if (i == last) {
        eval_line(curve, last, slope_after(curve, second), x, f, df, ddf);
    } else if (curve->kind == LB_CURVE_POLYLINE) {
        eval_line(curve, i, rise(curve, i), x, f, df, ddf);
    } else {
        eval_cubic(curve, second, i, x, f, df, ddf);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Pieces
 * ------------------------------------------------------------------------------------------------- */

int lbm_curve_piece_count(const lb_curve *curve) { return curve->kind == LB_CURVE_LINEAR ? 1 : curve->count + 1; }

/* With a = 1 - b, b = t / h, what eval_cubic has, by powers of t. */
static lbm_piece cubic_piece(const lb_curve *curve, const double *second, int i) {
    const double h = curve->x[i + 1] - curve->x[i], m0 = second[i], m1 = second[i + 1];
    return (lbm_piece){curve->x[i],
                       curve->x[i],
                       {curve->y[i], rise(curve, i) - (2.0 * m0 + m1) * (h / 6.0), 0.5 * m0, (m1 - m0) / (6.0 * h)}};
}

void lbm_curve_pieces(const lb_curve *curve, const double *second, lbm_piece *pieces) {
    pieces[lbm_curve_piece_count(curve)] = (lbm_piece){HUGE_VAL, 0.0, {0.0, 0.0, 0.0, 0.0}};
    if (curve->kind == LB_CURVE_LINEAR) {
        pieces[0] = (lbm_piece){-HUGE_VAL, 0.0, {curve->offset, curve->slope, 0.0, 0.0}};
        return;
    }
    const int last = curve->count - 1;
    pieces[0] = (lbm_piece){-HUGE_VAL, curve->x[0], {curve->y[0], slope_before(curve, second), 0.0, 0.0}};
    for (int i = 0; i < last; i++) {
        pieces[i + 1] = curve->kind == LB_CURVE_SPLINE
                            ? cubic_piece(curve, second, i)
                            : (lbm_piece){curve->x[i], curve->x[i], {curve->y[i], rise(curve, i), 0.0, 0.0}};
    }
    pieces[last + 1] =
        (lbm_piece){curve->x[last], curve->x[last], {curve->y[last], slope_after(curve, second), 0.0, 0.0}};
}

/* ---------------------------------------------------------------------------------------------------
 * Range
 * ------------------------------------------------------------------------------------------------- */

typedef struct range {
    double lower, upper; /* of the argument */
    double min, max;     /* of the value, so far */
} range;

static void include_value(range *r, double value) {
    r->min = value < r->min ? value : r->min;
    r->max = value > r->max ? value : r->max;
}

static void include_point(range *r, const lb_curve *curve, const double *second, double x) {
    if (x >= r->lower && x <= r->upper) {
        double f, df, ddf;
        lbm_curve_eval(curve, second, x, &f, &df, &ddf);
        include_value(r, f);
    }
}

/* An end of the interval: at infinity the curve has gone to an infinity too, unless it is level there - then some
 * finite point has its value, or, if the interval is but that infinity, the last point. */
static void include_end(range *r, const lb_curve *curve, const double *second, double x) {
    if (fabs(x) <= DBL_MAX) {
        include_point(r, curve, second, x);
        return;
    }
    const double slope = x > 0.0 ? slope_after(curve, second) : slope_before(curve, second);
    if (slope != 0.0) {
        include_value(r, (slope > 0.0) == (x > 0.0) ? HUGE_VAL : -HUGE_VAL);
    } else if (curve->kind == LB_CURVE_LINEAR) {
        include_value(r, curve->offset);
    } else {
        include_value(r, curve->y[x > 0.0 ? curve->count - 1 : 0]);
    }
}

/*
 * Where the cubic between points i and i + 1 is level: its slope, in b = (x - x[i]) / h, is the quadratic
 *     h (m1 - m0)/2 b^2 + h m0 b + (rise - h (2 m0 + m1)/6),
 * solved without cancellation.
 */
static void include_level_points(range *r, const lb_curve *curve, const double *second, int i) {
    const double h = curve->x[i + 1] - curve->x[i], m0 = second[i], m1 = second[i + 1];
    const double qa = 0.5 * h * (m1 - m0), qb = h * m0, qc = rise(curve, i) - h * (2.0 * m0 + m1) / 6.0;
    const double discriminant = qb * qb - 4.0 * qa * qc;
    if (!(discriminant >= 0.0)) {
        return;
    }
    const double q = -0.5 * (qb + (qb < 0.0 ? -sqrt(discriminant) : sqrt(discriminant)));
    const double roots[2] = {q / qa, qc / q}; /* infinite or NaN where there is none: not in (0, 1) */
    for (int k = 0; k < 2; k++) {
        if (roots[k] > 0.0 && roots[k] < 1.0) {
            include_point(r, curve, second, curve->x[i] + roots[k] * h);
        }
    }
}

void lbm_curve_range(const lb_curve *curve, const double *second, double lower, double upper, double *min,
                     double *max) {
    range r = {lower, upper, HUGE_VAL, -HUGE_VAL};
    include_end(&r, curve, second, lower);
    include_end(&r, curve, second, upper);
    if (curve->kind != LB_CURVE_LINEAR) {
        for (int i = 0; i < curve->count; i++) {
            include_point(&r, curve, second, curve->x[i]);
        }
    }
    if (curve->kind == LB_CURVE_SPLINE) {
        for (int i = 0; i + 1 < curve->count; i++) {
            include_level_points(&r, curve, second, i);
        }
    }
    *min = r.min;
    *max = r.max;
}
