/* Curves: values and derivatives, continuity, the natural spline's defining properties, and ranges against sampling. */
#include "check.h"

#include "math/curve.h"

#include <math.h>
#include <string.h>

#define MOST_POINTS 12

typedef struct sample {
    lb_curve curve;
    double x[MOST_POINTS], y[MOST_POINTS], second[MOST_POINTS];
} sample;

static void make_random(check_random *random, lb_curve_kind kind, sample *s) {
    double scratch[MOST_POINTS];
    memset(s, 0, sizeof *s);
    s->curve.kind = kind;
    s->curve.offset = check_random_range(random, -2.0, 2.0);
    s->curve.slope = check_random_range(random, -2.0, 2.0);
    s->curve.count = 2 + check_random_index(random, MOST_POINTS - 1);
    double x = check_random_range(random, -3.0, 0.0);
    for (int i = 0; i < s->curve.count; i++) {
        s->x[i] = x;
        s->y[i] = check_random_range(random, -1.0, 1.0);
        x += check_random_range(random, 0.05, 1.0);
    }
    s->curve.x = s->x;
    s->curve.y = s->y;
    lbm_spline_prepare(s->curve.count, s->x, s->y, s->second, scratch);
}

static double value(const sample *s, double x) {
    double f, df, ddf;
    lbm_curve_eval(&s->curve, s->second, x, &f, &df, &ddf);
    return f;
}

static double slope(const sample *s, double x) {
    double f, df, ddf;
    lbm_curve_eval(&s->curve, s->second, x, &f, &df, &ddf);
    return df;
}

static double bend(const sample *s, double x) {
    double f, df, ddf;
    lbm_curve_eval(&s->curve, s->second, x, &f, &df, &ddf);
    return ddf;
}

static void test_linear(void) {
    lb_curve line = {LB_CURVE_LINEAR, 1.0, -2.0, 0, NULL, NULL};
    double f, df, ddf, min, max;
    lbm_curve_eval(&line, NULL, 3.0, &f, &df, &ddf);
    CHECK_NEAR(f, -5.0, 0.0);
    CHECK_NEAR(df, -2.0, 0.0);
    CHECK_NEAR(ddf, 0.0, 0.0);
    lbm_curve_range(&line, NULL, -1.0, INFINITY, &min, &max);
    CHECK_NEAR(min, -INFINITY, 0.0);
    CHECK_NEAR(max, 3.0, 0.0);
    line.slope = 0.0;
    lbm_curve_range(&line, NULL, -INFINITY, INFINITY, &min, &max);
    CHECK_NEAR(min, 1.0, 0.0);
    CHECK_NEAR(max, 1.0, 0.0);
}

static void test_polyline(void) {
    const double x[] = {0.0, 1.0, 3.0}, y[] = {0.0, 2.0, 2.0};
    const lb_curve curve = {LB_CURVE_POLYLINE, 0.0, 0.0, 3, x, y};
    const double at[][3] = {/* x, f, df */ {-1.0, -2.0, 2.0},
                            {0.0, 0.0, 2.0},
                            {0.5, 1.0, 2.0},
                            {1.0, 2.0, 0.0},
                            {2.0, 2.0, 0.0},
                            {3.0, 2.0, 0.0},
                            {9.0, 2.0, 0.0}};
    double f, df, ddf, min, max;
    for (size_t i = 0; i < sizeof at / sizeof *at; i++) {
        lbm_curve_eval(&curve, NULL, at[i][0], &f, &df, &ddf);
        CHECK_NEAR(f, at[i][1], 0.0);
        CHECK_NEAR(df, at[i][2], 0.0);
        CHECK_NEAR(ddf, 0.0, 0.0);
    }
    lbm_curve_range(&curve, NULL, 0.5, INFINITY, &min, &max);
    CHECK_NEAR(min, 1.0, 0.0);
    CHECK_NEAR(max, 2.0, 0.0);
    lbm_curve_range(&curve, NULL, -INFINITY, 0.5, &min, &max);
    CHECK_NEAR(min, -INFINITY, 0.0);
    CHECK_NEAR(max, 1.0, 0.0);
}

/* Three points by hand: 0, 1, 0 at -1, 0, 1 give m[1] = -3, f = 1 - 3/2 x^2 + |x|^3/2, end slopes +-3/2. */
static void test_spline_by_hand(void) {
    sample s;
    double scratch[3], min, max;
    memset(&s, 0, sizeof s);
    const double x[] = {-1.0, 0.0, 1.0}, y[] = {0.0, 1.0, 0.0};
    memcpy(s.x, x, sizeof x);
    memcpy(s.y, y, sizeof y);
    s.curve = (lb_curve){LB_CURVE_SPLINE, 0.0, 0.0, 3, s.x, s.y};
    lbm_spline_prepare(3, s.x, s.y, s.second, scratch);
    CHECK_NEAR(s.second[1], -3.0, 1e-15);
    for (double at = -1.0; at <= 1.0; at += 0.125) {
        CHECK_NEAR(value(&s, at), 1.0 - 1.5 * at * at + 0.5 * fabs(at * at * at), 1e-15);
    }
    CHECK_NEAR(slope(&s, -5.0), 1.5, 1e-15);
    CHECK_NEAR(value(&s, 3.0), -3.0, 1e-15);
    lbm_curve_range(&s.curve, s.second, -0.5, 0.7, &min, &max);
    CHECK_NEAR(max, 1.0, 1e-15);
    CHECK_NEAR(min, value(&s, 0.7), 0.0);
    /* Two points make a line. */
    lbm_spline_prepare(2, s.x, s.y, s.second, scratch);
    s.curve.count = 2;
    CHECK_NEAR(value(&s, 0.25), 1.25, 1e-15);
    CHECK_NEAR(value(&s, -0.75), 0.25, 1e-15);
}

static void test_random(lb_curve_kind kind, check_random *random) {
    sample s;
    make_random(random, kind, &s);
    const int last = s.curve.count - 1;
    for (int i = 0; kind != LB_CURVE_LINEAR && i <= last; i++) {
        CHECK(value(&s, s.x[i]) == s.y[i]);
        const double left = nextafter(s.x[i], -10.0);
        CHECK_NEAR(value(&s, left), s.y[i], 1e-13);
        if (kind == LB_CURVE_SPLINE) { /* twice continuously differentiable, also at the ends */
            CHECK_NEAR(slope(&s, left), slope(&s, s.x[i]), 1e-11);
            CHECK_NEAR(bend(&s, left), bend(&s, s.x[i]), 1e-9);
        }
    }
    if (kind == LB_CURVE_SPLINE) {
        CHECK_NEAR(bend(&s, s.x[0]), 0.0, 0.0);
        CHECK_NEAR(bend(&s, s.x[last] + 1.0), 0.0, 0.0);
    }
    for (int k = 0; k < 5; k++) {
        const double x = check_random_range(random, s.x[0] - 1.0, s.x[last] + 1.0), step = 1e-5;
        int is_near_point = 0;
        for (int i = 0; i <= last; i++) {
            is_near_point |= fabs(x - s.x[i]) < 2 * step;
        }
        if (!is_near_point) {
            CHECK_NEAR((value(&s, x + step) - value(&s, x - step)) / (2 * step), slope(&s, x), 1e-5);
            CHECK_NEAR((slope(&s, x + step) - slope(&s, x - step)) / (2 * step), bend(&s, x), 1e-4);
        }
    }
}

/* The range holds every sample, and is reached: by one of many, or at a bend, to second order. */
static void test_random_range(lb_curve_kind kind, check_random *random) {
    sample s;
    make_random(random, kind, &s);
    const double last = s.x[s.curve.count - 1];
    const double a = check_random_range(random, s.x[0] - 1.0, last + 1.0);
    const double b = check_random_range(random, s.x[0] - 1.0, last + 1.0);
    const double lower = a < b ? a : b, upper = a < b ? b : a;
    double min, max, seen_min = INFINITY, seen_max = -INFINITY;
    lbm_curve_range(&s.curve, s.second, lower, upper, &min, &max);
    for (int k = 0; k <= 4000; k++) {
        const double f = value(&s, k == 4000 ? upper : lower + (upper - lower) * k / 4000.0);
        seen_min = f < seen_min ? f : seen_min;
        seen_max = f > seen_max ? f : seen_max;
    }
    CHECK(seen_min >= min - 1e-14 && seen_max <= max + 1e-14);
    const double tolerance = kind == LB_CURVE_SPLINE ? 1e-3 : 0.1; /* a polyline's corners fall between samples */
    CHECK_NEAR(min, seen_min, tolerance);
    CHECK_NEAR(max, seen_max, tolerance);

    double min_all, max_all;
    lbm_curve_range(&s.curve, s.second, -INFINITY, INFINITY, &min_all, &max_all);
    CHECK(min_all <= min && max_all >= max);
    const double left = slope(&s, s.x[0] - 1.0), right = slope(&s, last + 1.0);
    CHECK((left > 0.0 || right < 0.0) == (min_all == -INFINITY));
    CHECK((left < 0.0 || right > 0.0) == (max_all == INFINITY));
    lbm_curve_range(&s.curve, s.second, a, a, &min, &max);
    CHECK(min == max && min == value(&s, a));
}

/* Pieces are the curve, to rounding; at the points to the bit, and slopes there those to the right. */
static void test_pieces(lb_curve_kind kind, check_random *random) {
    sample s;
    lbm_piece pieces[MOST_POINTS + 2];
    make_random(random, kind, &s);
    int count = lbm_curve_piece_count(&s.curve), last = s.curve.count - 1;
    lbm_curve_pieces(&s.curve, s.second, pieces);
    for (int i = 0; i < 40 + s.curve.count; i++) {
        double df, ddf, x = i < 40 ? check_random_range(random, s.x[0] - 1.0, s.x[last] + 1.0) : s.x[i - 40];
        const lbm_piece *piece = lbm_piece_find(pieces, count, x);
        double f = lbm_piece_eval(piece, x, &df, &ddf);
        CHECK(piece->from <= x && x < piece[1].from);
        CHECK_NEAR(f, value(&s, x), i < 40 || kind == LB_CURVE_LINEAR ? 1e-13 : 0.0);
        CHECK_NEAR(df, slope(&s, x), 1e-11);
        CHECK_NEAR(ddf, bend(&s, x), 1e-9);
    }
}

int main(void) {
    check_random random;
    check_random_seed(&random, 7);
    test_linear();
    test_polyline();
    test_spline_by_hand();
    for (int i = 0; i < 600; i++) {
        test_random((lb_curve_kind)(i % 3), &random);
        test_random_range((lb_curve_kind)(i % 3), &random);
        test_pieces((lb_curve_kind)(i % 3), &random);
    }
    return check_done();
}
