/* The circle in four quarters. With u = tan(t / 2) a quarter is an interval, f a polynomial of degree 2 d over (1 +
 * u^2)^d, and in Bernstein form the number of sign variations bounds the number of roots (Descartes; de Casteljau's
 * algorithm halves an interval). An interval with one variation has one root, which bisection and Newton's method
 * find. */
#include "closed/trig_roots.h"

#include <float.h>
#include <math.h>
#include <string.h>

#include "math/trig.h"

#define QUARTER_TANGENT 0.41421356237309504880 /* tan(22.5 degrees) */
#define NARROW 2e-3                            /* of a quarter: two variations in less may be a double root */
#define NARROWEST 1e-9
#define DEEPEST 34
#define REFINEMENTS 80
#define ROUNDED \
    2 /* of the sum of a coefficient's terms: what rounding, here and where intervals are halved, makes of it */

/* Multiplies a complex polynomial of this degree by 1 + i u, or 1 - i u, both in Bernstein form for |u| <= QUARTER_TANGENT: weighted
 * means of neighbours, which lose no digits as sums of powers would. */
static void times_turn(int degree, double sign, double *re, double *im) {
    const double tangent =
        sign * QUARTER_TANGENT; /* the factor is 1 - i tangent at one end, 1 + i tangent at the other */
    const int n = degree + 1;
    for (int i = n; i >= 0; i--) {
        const double left = i < n ? (double)(n - i) / n : 0, right = (double)i / n;
        const double r0 = i < n ? re[i] : 0, m0 = i < n ? im[i] : 0, r1 = i > 0 ? re[i - 1] : 0,
                     m1 = i > 0 ? im[i - 1] : 0;
        const double turned0 = m0 * tangent, turned1 = -m1 * tangent, across0 = -r0 * tangent, across1 = r1 * tangent;
        re[i] = left * (r0 + turned0) + right * (r1 + turned1);
        im[i] = left * (m0 + across0) + right * (m1 + across1);
    }
}

void lbc_trig_prepare(int degree, lbc_trig_basis *basis) {
    const int n = 2 * degree;
    memset(basis, 0, sizeof *basis);
    basis->degree = degree;
    for (int k = 0; k <= degree; k++) { /* e^{i k t} (1 + u^2)^d = (1 + i u)^{2k} (1 + u^2)^{d - k} */
        double re[LBC_TRIG_TERMS] = {1}, im[LBC_TRIG_TERMS] = {0};
        for (int now = 0; now < n; now++) {
            times_turn(now, now < 2 * k || now % 2 == 0 ? 1 : -1, re, im);
        }
        for (int i = 0; i <= n; i++) {
            basis->to_bernstein[i][k] = re[i];
        }
        for (int i = 0; i <= n && k > 0; i++) {
            basis->to_bernstein[i][degree + k] = im[i];
        }
    }
}

double lbc_trig_value(const lbc_trig *f, int degree, double t, double *slope) {
    double s1, c1, c = 1, s = 0, value = f->a[0], change = 0;
    lbm_sincos(t, &s1, &c1);
    for (int k = 1; k <= degree; k++) {
        const double next = c * c1 - s * s1;
        s = s * c1 + c * s1;
        c = next;
        value += f->a[k] * c + f->b[k] * s;
        change += k * (f->b[k] * c - f->a[k] * s);
    }
    *slope = change;
    return value;
}

/* A part of a quarter. */
typedef struct part {
    double low, high; /* of the quarter's 0 to 1 */
    double c[LBC_TRIG_TERMS];
    int depth;
} part;

typedef struct search {
    const lbc_trig *f;
    int degree;
    double middle; /* of the quarter, radians */
    double noise;  /* of the Bernstein coefficients: what that of f makes of them, or rounding */
    lbc_trig_found *found;
} search;

static double angle_at(const search *s, double at) {
    return s->middle + 2 * lbm_atan2(QUARTER_TANGENT * (2 * at - 1), 1);
}

static void add_root(lbc_trig_found *found, double t) {
    if (found->count < LBC_TRIG_ROOTS) {
        found->roots[found->count++] = t;
    }
}

/* The one root of a part, at whose beginning f has this sign. */
static double refine(const search *s, const part *p, int is_positive) {
    double low = angle_at(s, p->low), high = angle_at(s, p->high), t = (low + high) / 2;
    for (int i = 0; i < REFINEMENTS; i++) {
        double slope;
        const double value = lbc_trig_value(s->f, s->degree, t, &slope);
        if ((value > 0) == is_positive) {
            low = t;
        } else {
            high = t;
        }
        double next = slope != 0 ? t - value / slope : t;
        if (!(next > low && next < high)) {
            next = (low + high) / 2;
        }
        const double step = fabs(next - t);
        t = next;
        if (step < 1e-14) {
            break;
        }
    }
    return t;
}

/* Sign variations of the coefficients, and the smallest of them. */
static int variations(const part *p, int n, double *least) {
    int count = 0, sign = 0;
    *least = fabs(p->c[0]);
    for (int i = 0; i <= n; i++) {
        const int now = (p->c[i] > 0) - (p->c[i] < 0);
        if (now && sign && now != sign) {
            count++;
        }
        sign = now ? now : sign;
        *least = fabs(p->c[i]) < *least ? fabs(p->c[i]) : *least;
    }
    return count;
}

static void search_part(const search *s, const part *p) {
    const int n = 2 * s->degree;
    double least;
    const int count = variations(p, n, &least), is_near_zero = least <= s->noise && count != 1;
    const double width = p->high - p->low;
    if ((count == 0 && !is_near_zero) || s->found->count >= LBC_TRIG_ROOTS) {
        return;
    }
    if (count == 1) {
        add_root(s->found, refine(s, p, p->c[0] > 0));
        return;
    }
    if (width < NARROW && (count == 2 || is_near_zero)) { /* perhaps a double root: whoever asked finds out */
        add_root(s->found, angle_at(s, (p->low + p->high) / 2));
        s->found->doubtful += is_near_zero;
        if (is_near_zero) {
            return;
        }
    }
    if (width < NARROWEST || p->depth > DEEPEST) {
        add_root(s->found, angle_at(s, (p->low + p->high) / 2));
        return;
    }
    part left = {p->low, (p->low + p->high) / 2, {0}, p->depth + 1}, right = *p;
    right.low = left.high;
    right.depth++;
    left.c[0] = right.c[0];
    for (int k = 1; k <= n; k++) {
        for (int i = 0; i <= n - k; i++) {
            right.c[i] = 0.5 * (right.c[i] + right.c[i + 1]);
        }
        left.c[k] = right.c[0];
    }
    if (fabs(left.c[n]) <= s->noise) { /* a root between the two, which neither would count */
        add_root(s->found, angle_at(s, left.high));
    }
    search_part(s, &left);
    search_part(s, &right);
}

void lbc_trig_roots(const lbc_trig_basis *basis, const lbc_trig *f, lbc_trig_found *found) {
    static const int cosines[4] = {1, 0, -1, 0}, sines[4] = {0, 1, 0, -1};
    const int d = basis->degree;
    double grown = 1; /* (1 + u^2)^d, by which f is multiplied */
    for (int i = 0; i < d; i++) {
        grown *= 1 + QUARTER_TANGENT * QUARTER_TANGENT;
    }
    found->count = found->doubtful = 0;
    for (int quarter = 0; quarter < 4; quarter++) {
        double turned[LBC_TRIG_TERMS], rounded = 0;
        part whole = {0, 1, {0}, 0};
        turned[0] = f->a[0];
        for (int k = 1; k <= d; k++) { /* f(t + quarter) */
            const int c = cosines[k * quarter & 3], s = sines[k * quarter & 3];
            turned[k] = f->a[k] * c + f->b[k] * s;
            turned[d + k] = f->b[k] * c - f->a[k] * s;
        }
        for (int i = 0; i <= 2 * d; i++) {
            double size = 0;
            for (int k = 0; k <= 2 * d; k++) {
                const double term = basis->to_bernstein[i][k] * turned[k];
                whole.c[i] += term;
                size += fabs(term);
            }
            rounded = size > rounded ? size : rounded;
        }
        rounded *= ROUNDED * DBL_EPSILON;
        const double noise = f->noise * grown;
        const search s = {f, d, quarter * LBM_HALF_PI, noise > rounded ? noise : rounded, found};
        if (fabs(whole.c[0]) <= s.noise) {
            add_root(found, angle_at(&s, 0));
        }
        search_part(&s, &whole);
    }
}
