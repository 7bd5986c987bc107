/* The circle in four quarters. With u = tan(t / 2) a quarter is an interval, f a polynomial of degree 2 d over (1 + u^2)^d,
 * and in Bernstein form the number of sign variations bounds the number of roots (Descartes; de Casteljau's algorithm halves
 * an interval). An interval with one variation has one root, which bisection and Newton's method find. */
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

/* Multiplies a complex polynomial of this degree by (1 + i u). */
static void times_turn(int degree, double *re, double *im) {
    for (int i = degree + 1; i >= 1; i--) {
        const double r = re[i] - im[i - 1], m = im[i] + re[i - 1];
        re[i] = r;
        im[i] = m;
    }
}

/* Turns coefficients of powers of u, |u| <= QUARTER_TANGENT, into Bernstein coefficients on that interval. */
static void to_bernstein(int n, const double *power, double binomial[][LBC_TRIG_TERMS], double *out) {
    double scaled = 1, of_s[LBC_TRIG_TERMS] = {0};
    for (int i = 0; i <= n; i++, scaled *= QUARTER_TANGENT) {
        double two = 1; /* (2 s - 1)^i by the binomial theorem */
        for (int j = 0; j <= i; j++, two *= 2) {
            of_s[j] += power[i] * scaled * binomial[i][j] * two * ((i - j) & 1 ? -1 : 1);
        }
    }
    for (int i = 0; i <= n; i++) {
        out[i] = 0;
        for (int j = 0; j <= i; j++) {
            out[i] += binomial[i][j] / binomial[n][j] * of_s[j];
        }
    }
}

void lbc_trig_prepare(int degree, lbc_trig_basis *basis) {
    const int n = 2 * degree;
    double binomial[LBC_TRIG_TERMS][LBC_TRIG_TERMS] = {{0}}, column[LBC_TRIG_TERMS];
    for (int i = 0; i <= n; i++) {
        binomial[i][0] = 1;
        for (int j = 1; j <= i; j++) {
            binomial[i][j] = binomial[i - 1][j - 1] + (j < i ? binomial[i - 1][j] : 0);
        }
    }
    memset(basis, 0, sizeof *basis);
    basis->degree = degree;
    for (int k = 0; k <= degree; k++) { /* e^{i k t} (1 + u^2)^d = (1 + i u)^{2k} (1 + u^2)^{d - k} */
        double re[LBC_TRIG_TERMS + 2] = {1}, im[LBC_TRIG_TERMS + 2] = {0};
        int now = 0;
        for (; now < 2 * k; now++) {
            times_turn(now, re, im);
        }
        for (; now < n; now += 2) {
            for (int i = now + 2; i >= 2; i--) {
                re[i] += re[i - 2];
                im[i] += im[i - 2];
            }
        }
        to_bernstein(n, re, binomial, column);
        for (int i = 0; i <= n; i++) {
            basis->to_bernstein[i][k] = column[i];
        }
        to_bernstein(n, im, binomial, column);
        for (int i = 0; i <= n && k > 0; i++) {
            basis->to_bernstein[i][degree + k] = column[i];
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
    double noise;  /* of f, and of the Bernstein coefficients by rounding */
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
        rounded *= 2 * DBL_EPSILON;
        const search s = {f, d, quarter * LBM_HALF_PI, f->noise > rounded ? f->noise : rounded, found};
        if (fabs(whole.c[0]) <= s.noise) {
            add_root(found, angle_at(&s, 0));
        }
        search_part(&s, &whole);
    }
}
