#include "closed/pieper_pair.h"

#include <math.h>
#include <string.h>

#include "math/trig.h"
#include "math/vec.h"

#define SINGULAR 1e-10 /* a singular value of A or B that counts as 0, relative to the largest */
#define VANISHES 1e-14 /* coefficients of an equation that does not say anything */
#define HOLDS 1e-10    /* the right side of such an equation */
#define BEYOND 1e-8    /* a cosine may be so much above 1: the verification decides */
#define ROOT_NOISE 1e-15
#define NEWTON_STEPS 8
#define LONGEST 0.3       /* radians: a step of Newton's method */
#define STRICT_NOISE 1e-7 /* of the polynomial's largest coefficient, where doubts are looked for */
#define WELL 1e-4         /* the ratio of singular values from which on a matrix may be divided by without doubts */

static const lbc_angle any_angle = {1, 0, 1};

/* a cos x + b sin x = d. Returns the number of solutions, at most 2. */
static int solve_linear(double a, double b, double d, lbc_angle out[2]) {
    const double r2 = a * a + b * b;
    if (r2 < VANISHES * VANISHES) {
        out[0] = any_angle;
        return fabs(d) < HOLDS;
    }
    double h2 = r2 - d * d;
    if (h2 <= 4e-16 * r2) {
        if (h2 < -2 * BEYOND * r2) {
            return 0;
        }
        const double r = d > 0 ? sqrt(r2) : -sqrt(r2);
        out[0] = (lbc_angle){a / r, b / r, 0};
        return 1;
    }
    /* Both coordinates by sums, then by differences: of a difference beside a sum gcc 12 makes one fused instruction,
     * whatever
     * -ffp-contract says. */
    const double h = sqrt(h2), across = -b * h, along = a * h;
    out[0] = (lbc_angle){(a * d + across) / r2, (b * d + along) / r2, 0};
    out[1] = (lbc_angle){(a * d - across) / r2, (b * d - along) / r2, 0};
    return 2;
}

/* The singular values of a 2 x 2 matrix, and the left singular vector of the larger. */
static void singular_values(const double m[2][2], double sigma[2], double left[2]) {
    const double p = m[0][0] * m[0][0] + m[0][1] * m[0][1], r = m[1][0] * m[1][0] + m[1][1] * m[1][1];
    const double q = m[0][0] * m[1][0] + m[0][1] * m[1][1], det = m[0][0] * m[1][1] - m[0][1] * m[1][0];
    const double apart = sqrt((p - r) * (p - r) + 4 * q * q);
    sigma[0] = sqrt((p + r + apart) / 2);
    sigma[1] = sigma[0] > 0 ? fabs(det) / sigma[0] : 0;
    double x = p >= r ? (p - r + apart) / 2 : q, y = p >= r ? q : (r - p + apart) / 2;
    const double norm = sqrt(x * x + y * y);
    left[0] = norm > 0 ? x / norm : 1;
    left[1] = norm > 0 ? y / norm : 0;
}

/* Remembers by how little a cos x + b sin x = d has no solution. Where doubts are looked for, also whether that is in
 * doubt, d being off by `off` and by what numbers are off anyway; returns by how many radians x may be off. */
static double note(double a, double b, double d, double off, lbc_pair_equations *e) {
    const double r2 = a * a + b * b, left = r2 > 0 ? (r2 - d * d) / r2 : 0, size = fabs(d) > 1 ? fabs(d) : 1;
    if (left < 0 && left > e->lack) {
        e->lack = left;
    }
    if (!e->is_strict) {
        return 0;
    }
    const double r = sqrt(r2), noise = off + LBC_PAIR_DOUBT * (r > size ? r : size);
    const double half = r > fabs(d) ? sqrt(r2 - d * d) : 0, least = sqrt(noise * r);
    e->is_doubtful |= fabs(d) > r ? fabs(d) < r + noise : r < noise;
    return r > 0 ? noise / (half > least ? half : least) : 0;
}

/* Where A is singular: its left null vector leaves an equation of x1 alone. Where swapped, A and B have changed
 * places. */
static int solve_singular(lbc_pair_equations *e, const double left[2], int swapped, lbc_pair *out) {
    const double null[2] = {-left[1], left[0]};
    lbc_angle first[2], second[2];
    int count = 0;
    const double a = null[0] * e->b[0][0] + null[1] * e->b[1][0], b = null[0] * e->b[0][1] + null[1] * e->b[1][1],
                 d = null[0] * e->g[0] + null[1] * e->g[1];
    const double c = left[0] * e->a[0][0] + left[1] * e->a[1][0], s = left[0] * e->a[0][1] + left[1] * e->a[1][1];
    double size = 0;
    for (int k = 0; k < 2; k++) {
        size += fabs(e->b[k][0]) + fabs(e->b[k][1]);
    }
    const int firsts = solve_linear(a, b, d, first);
    const double off = note(a, b, d, 0, e);
    for (int i = 0; i < firsts; i++) {
        double rest = 0;
        for (int k = 0; k < 2; k++) {
            rest += left[k] * (e->g[k] - e->b[k][0] * first[i].c - e->b[k][1] * first[i].s);
        }
        const int seconds = solve_linear(c, s, rest, second);
        const double off_too = note(c, s, rest, off * size, e);
        for (int j = 0; j < seconds; j++) {
            out[count++] = swapped ? (lbc_pair){second[j], first[i], off + off_too}
                                   : (lbc_pair){first[i], second[j], off + off_too};
        }
    }
    return count;
}

/* Newton's method on both equations, x and y the angles of a and b. Returns the error that is left. */
static double refine(const lbc_pair_equations *e, double *x, double *y) {
    double error = INFINITY;
    for (int it = 0; it <= NEWTON_STEPS; it++) {
        double sx, cx, sy, cy, f[2], jx[2], jy[2];
        lbm_sincos(*x, &sx, &cx);
        lbm_sincos(*y, &sy, &cy);
        for (int k = 0; k < 2; k++) {
            f[k] = e->g[k] - e->a[k][0] * cx - e->a[k][1] * sx - e->b[k][0] * cy - e->b[k][1] * sy;
            jx[k] = e->a[k][1] * cx - e->a[k][0] * sx;
            jy[k] = e->b[k][1] * cy - e->b[k][0] * sy;
        }
        error = sqrt(f[0] * f[0] + f[1] * f[1]);
        /* Least squares with the slightest damping: at a double root the matrix is singular. */
        const double p = jx[0] * jx[0] + jx[1] * jx[1], r = jy[0] * jy[0] + jy[1] * jy[1];
        const double q = jx[0] * jy[0] + jx[1] * jy[1], damping = 1e-14 * (p + r) + 1e-300;
        const double u = jx[0] * f[0] + jx[1] * f[1], v = jy[0] * f[0] + jy[1] * f[1];
        const double det = (p + damping) * (r + damping) - q * q;
        double dx = ((r + damping) * u - q * v) / det, dy = ((p + damping) * v - q * u) / det;
        const double step = sqrt(dx * dx + dy * dy);
        if (step < 1e-14 || it == NEWTON_STEPS) {
            break;
        }
        const double factor = step > LONGEST ? LONGEST / step : 1;
        *x += factor * dx;
        *y += factor * dy;
    }
    return error;
}

/* Where neither is singular: (c3, s3) = m - N (c1, s1) by the better one, and c3^2 + s3^2 = 1. */
static int solve_quartic(const lbc_trig_basis *basis, lbc_pair_equations *e, int swapped, lbc_pair *out) {
    const double det = e->a[0][0] * e->a[1][1] - e->a[0][1] * e->a[1][0];
    double m[2], n[2][2];
    m[0] = (e->a[1][1] * e->g[0] - e->a[0][1] * e->g[1]) / det;
    m[1] = (e->a[0][0] * e->g[1] - e->a[1][0] * e->g[0]) / det;
    for (int k = 0; k < 2; k++) {
        n[0][k] = (e->a[1][1] * e->b[0][k] - e->a[0][1] * e->b[1][k]) / det;
        n[1][k] = (e->a[0][0] * e->b[1][k] - e->a[1][0] * e->b[0][k]) / det;
    }
    const double qcc = n[0][0] * n[0][0] + n[1][0] * n[1][0], qss = n[0][1] * n[0][1] + n[1][1] * n[1][1];
    const double qcs = n[0][0] * n[0][1] + n[1][0] * n[1][1];
    lbc_trig f = {
        {m[0] * m[0] + m[1] * m[1] - 1 + (qcc + qss) / 2, -2 * (m[0] * n[0][0] + m[1] * n[1][0]), (qcc - qss) / 2},
        {0, -2 * (m[0] * n[0][1] + m[1] * n[1][1]), qcs},
        0};
    double largest = 0;
    for (int k = 0; k <= 2; k++) {
        largest = fabs(f.a[k]) > largest ? fabs(f.a[k]) : largest;
        largest = fabs(f.b[k]) > largest ? fabs(f.b[k]) : largest;
    }
    f.noise = (e->is_strict ? STRICT_NOISE : ROOT_NOISE * 10) * largest;
    lbc_trig_found found;
    lbc_trig_roots(basis, &f, &found);
    e->is_doubtful |= found.doubtful > 0;
    int count = 0;
    for (int i = 0; i < found.count && count < LBC_PAIR_ROOTS; i++) {
        double y = found.roots[i], sy, cy, sx, cx, slope;
        lbm_sincos(y, &sy, &cy);
        double x = lbm_atan2(m[1] - n[1][0] * cy - n[1][1] * sy, m[0] - n[0][0] * cy - n[0][1] * sy);
        if (refine(e, &x, &y) > 1e-7) {
            e->is_doubtful = 1;
            continue;
        }
        lbm_sincos(x, &sx, &cx);
        lbm_sincos(y, &sy, &cy);
        lbc_trig_value(&f, 2, y, &slope);
        const double off = 10 * f.noise / (fabs(slope) + sqrt(f.noise * largest));
        const lbc_angle first = {cy, sy, 0}, second = {cx, sx, 0};
        out[count++] = swapped ? (lbc_pair){second, first, off} : (lbc_pair){first, second, off};
    }
    return count;
}

int lbc_solve_pair(const lbc_trig_basis *basis, lbc_pair_equations *e, lbc_pair *out) {
    double sa[2], sb[2], la[2], lb[2];
    singular_values(e->a, sa, la);
    singular_values(e->b, sb, lb);
    const double scale = sa[0] > sb[0] ? sa[0] : sb[0];
    e->lack = -INFINITY;
    e->is_doubtful = 0;
    if (sa[1] <= SINGULAR * scale) {
        return solve_singular(e, la, 0, out);
    }
    lbc_pair_equations swapped;
    memcpy(swapped.a, e->b, sizeof swapped.a);
    memcpy(swapped.b, e->a, sizeof swapped.b);
    memcpy(swapped.g, e->g, sizeof swapped.g);
    swapped.is_strict = e->is_strict;
    swapped.is_doubtful = 0;
    swapped.lack = -INFINITY;
    int count;
    if (sb[1] <= SINGULAR * scale) {
        count = solve_singular(&swapped, lb, 1, out);
        e->lack = swapped.lack;
        e->is_doubtful = swapped.is_doubtful;
        return count;
    }
    e->lack = 0; /* that cannot be told here */
    const int is_swapped = sa[1] * sb[0] < sb[1] * sa[0];
    count = is_swapped ? solve_quartic(basis, &swapped, 1, out) : solve_quartic(basis, e, 0, out);
    e->is_doubtful |= (is_swapped && swapped.is_doubtful) || (sa[1] < WELL * sa[0] && sb[1] < WELL * sb[0]);
    return count;
}
