/* From the angle of motion 2 to all joints: the null vector of the 12 equations has the half-angle tangents of motions
 * 3 and 4 as ratios; six invariants of motion 1 are linear in cosine and sine of motion 0; motion 1 and the last
 * follow. */
#include <math.h>

#include "closed/general/general.h"
#include "math/trig.h"

#define INVERSE_STEPS 2
#define TWO_NULL 1e-5 /* of the largest: a second singular value below this makes a null space of two dimensions */

typedef struct null_space {
    double v[2][LBC_ORDER];
    double size[2]; /* |M v| */
} null_space;

/* x = (a')^-1 x by the factors of lbc_factor. */
static void solve_transposed(lbc_square a, const int pivots[LBC_ORDER], double x[LBC_ORDER]) {
    for (int i = 0; i < LBC_ORDER; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= a[k][i] * x[k];
        }
        x[i] /= a[i][i];
    }
    for (int i = LBC_ORDER - 1; i >= 0; i--) {
        for (int k = i + 1; k < LBC_ORDER; k++) {
            x[i] -= a[k][i] * x[k];
        }
    }
    for (int c = LBC_ORDER - 1; c >= 0; c--) {
        const double swapped = x[c];
        x[c] = x[pivots[c]];
        x[pivots[c]] = swapped;
    }
}

/* Divides by the largest element, then by the norm: numbers may be as large as 1e300. Returns the norm before. */
static double normalise(double x[LBC_ORDER]) {
    double largest = 0, sum = 0;
    for (int i = 0; i < LBC_ORDER; i++) {
        largest = fabs(x[i]) > largest ? fabs(x[i]) : largest;
    }
    if (!(largest > 0) || !lbm_is_finite(largest)) {
        return 0;
    }
    for (int i = 0; i < LBC_ORDER; i++) {
        x[i] /= largest;
        sum += x[i] * x[i];
    }
    const double norm = sqrt(sum);
    for (int i = 0; i < LBC_ORDER; i++) {
        x[i] /= norm;
    }
    return norm * largest;
}

static void take_off(const double a[LBC_ORDER], double b[LBC_ORDER]) {
    double dot = 0;
    for (int i = 0; i < LBC_ORDER; i++) {
        dot += a[i] * b[i];
    }
    for (int i = 0; i < LBC_ORDER; i++) {
        b[i] -= dot * a[i];
    }
}

/* The two smallest right singular vectors, by inverse iteration with M'M; the second is kept clear of the first on both
 * sides of M, whose smallest singular value may be 0. Returns how many were found. */
static int find_null_space(lbc_square factors, const int pivots[LBC_ORDER], null_space *null) {
    double left[LBC_ORDER] = {0};
    for (int i = 0; i < LBC_ORDER; i++) {
        null->v[0][i] = 1 + 0.1 * i;
        null->v[1][i] = (i & 1 ? -1 : 1) * (1 - 0.03 * i);
    }
    null->size[0] = null->size[1] = INFINITY;
    for (int k = 0; k < 2; k++) {
        double *x = null->v[k];
        for (int it = 0; it < INVERSE_STEPS; it++) {
            solve_transposed(factors, pivots, x);
            if (k == 1) {
                take_off(left, x);
            }
            if (normalise(x) == 0) {
                return k;
            }
            if (k == 0) {
                memcpy(left, x, sizeof left);
            }
            lbc_solve_factored(factors, pivots, x);
            if (k == 1) {
                take_off(null->v[0], x);
            }
            const double grown = normalise(x);
            if (grown == 0) {
                return k;
            }
            null->size[k] = 1 / grown;
        }
        if (k == 0) {
            take_off(x, null->v[1]);
        }
    }
    return 2;
}

/* The angle (or shift) from two vectors that are 1 and x times the same. */
static double ratio(int slides, double aa, double ab, double bb) {
    if (slides) {
        return aa > 0 ? ab / aa : 0;
    }
    return aa >= bb ? 2 * lbm_atan2(ab, aa) : 2 * lbm_atan2(bb, ab);
}

/* Motions 3 and 4 of a null vector, which is (1, x, x^2, x^3) times (1, y, y^2). */
static void motions_of(const lbc_loop *loop, const double v[LBC_ORDER], double *x3, double *x4) {
    double aa = 0, ab = 0, bb = 0;
    for (int i = 0; i < 9; i++) {
        aa += v[i] * v[i];
        ab += v[i] * v[i + 3];
        bb += v[i + 3] * v[i + 3];
    }
    *x3 = ratio(loop->slides[3], aa, ab, bb);
    aa = ab = bb = 0;
    for (int i = 0; i < LBC_ORDER; i++) {
        if (i % 3 < 2) {
            aa += v[i] * v[i];
            ab += v[i] * v[i + 1];
            bb += v[i + 1] * v[i + 1];
        }
    }
    *x4 = ratio(loop->slides[4], aa, ab, bb);
}

/* Six numbers of a line that motion 1 does not change. */
static void invariants_of(const lbc_loop *loop, const double point[3], const double l[3], double out[6]) {
    const double *w = loop->w[1];
    double p[3], rows[LBC_ROWS];
    lbm_sub3(point, loop->p[1], p);
    if (loop->slides[1]) {
        lbm_copy3(out, l);
        lbm_copy3(out + 3, p);
        lbm_add_scaled3(out + 3, w, -lbm_dot3(w, p));
        return;
    }
    lbc_line_rows(p, l, rows, 1);
    out[0] = lbm_dot3(w, l);
    out[1] = lbm_dot3(w, p);
    out[2] = rows[6];
    out[3] = rows[7];
    out[4] = lbm_dot3(w, rows + 8);
    out[5] = lbm_dot3(w, rows + 11);
}

/* Motion 0, by least squares. */
static double motion_0(const lbc_loop *loop, const double p[3], const double l[3]) {
    double samples[3][6], wanted[6], aa = 0, ab = 0, bb = 0, ra = 0, rb = 0;
    for (int k = 0; k < 3; k++) {
        double point[3], axis[3];
        lbm_copy3(point, loop->line_point);
        lbm_copy3(axis, loop->line_axis);
        lbc_loop_sample(loop, 0, k, 1, point, axis);
        invariants_of(loop, point, axis, samples[k]);
    }
    invariants_of(loop, p, l, wanted);
    for (int i = 0; i < 6; i++) {
        lbc_loop_fit(loop->slides[0], &samples[0][i], 6);
        const double a = samples[1][i], b = samples[2][i], d = wanted[i] - samples[0][i];
        aa += a * a;
        ab += a * b;
        bb += b * b;
        ra += a * d;
        rb += b * d;
    }
    const double det = aa * bb - ab * ab;
    if (loop->slides[0]) {
        return det > 1e-12 * aa * bb ? (bb * ra - ab * rb) / det : aa > 0 ? ra / aa : 0;
    }
    return lbm_atan2(aa * rb - ab * ra, bb * ra - ab * rb);
}

static double turn_of(const double w[3], const double u[3], const double v[3], double *cosine) {
    double across[3];
    lbm_cross3(u, v, across);
    *cosine += lbm_dot3(u, v) - lbm_dot3(w, u) * lbm_dot3(w, v);
    return lbm_dot3(w, across);
}

/* Motion 1 takes the line (p, l) to (y, m). */
static double motion_1(const lbc_loop *loop, const double p[3], const double l[3], const double y[3],
                       const double m[3]) {
    double u[3], v[3], cosine = 0;
    if (loop->slides[1]) {
        lbm_sub3(y, p, u);
        return lbm_dot3(loop->w[1], u);
    }
    lbm_sub3(p, loop->p[1], u);
    lbm_sub3(y, loop->p[1], v);
    double sine = turn_of(loop->w[1], u, v, &cosine);
    sine += turn_of(loop->w[1], l, m, &cosine);
    return lbm_atan2(sine, cosine);
}

/* All motions from those of 2, 3 and 4: x has them. */
static void complete(const lbc_loop *loop, double x[6]) {
    double p[3], l[3], y[3], m[3], side[3], moved[3], none[3] = {0, 0, 0}, cosine = 0;
    lbm_copy3(p, loop->p[5]);
    lbm_copy3(l, loop->w[5]);
    for (int i = 4; i >= 2; i--) {
        lbc_loop_move(loop, i, x[i], p, l);
    }
    x[0] = motion_0(loop, p, l);
    lbm_copy3(y, loop->line_point);
    lbm_copy3(m, loop->line_axis);
    lbc_loop_move(loop, 0, -x[0], y, m);
    x[1] = motion_1(loop, p, l, y, m);
    lbc_across(loop->w[5], side);
    lbm_rotate(&loop->goal, side, moved);
    for (int i = 0; i < 5; i++) {
        lbc_loop_move(loop, i, -x[i], none, moved);
    }
    const double sine = turn_of(loop->w[5], side, moved, &cosine);
    x[5] = lbm_atan2(sine, cosine);
}

/* Two solutions share the angle: in the null space V the shifted blocks obey b V y = x a V y, a problem of eigenvalues
 * of order two, by least squares. Writes the vectors and returns how many. */
static int split(const null_space *null, double out[2][LBC_ORDER]) {
    double aa[3] = {0}, ab[2][2] = {{0}};
    for (int i = 0; i < 9; i++) {
        for (int r = 0; r < 2; r++) {
            aa[2 * r] += null->v[r][i] * null->v[r][i];
            for (int c = 0; c < 2; c++) {
                ab[r][c] += null->v[r][i] * null->v[c][i + 3];
            }
        }
        aa[1] += null->v[0][i] * null->v[1][i];
    }
    const double det = aa[0] * aa[2] - aa[1] * aa[1];
    if (!(fabs(det) > 1e-30)) {
        return 0;
    }
    double x[2][2];
    for (int c = 0; c < 2; c++) {
        x[0][c] = (aa[2] * ab[0][c] - aa[1] * ab[1][c]) / det;
        x[1][c] = (aa[0] * ab[1][c] - aa[1] * ab[0][c]) / det;
    }
    const double half = (x[0][0] - x[1][1]) / 2, square = half * half + x[0][1] * x[1][0];
    const double root = square > 0 ? sqrt(square) : 0;
    for (int k = 0; k < 2; k++) {
        const double value = (x[0][0] + x[1][1]) / 2 + (k ? -root : root);
        double y[2] = {x[0][1], value - x[0][0]};
        if (fabs(value - x[1][1]) + fabs(x[1][0]) > fabs(y[0]) + fabs(y[1])) {
            y[0] = value - x[1][1];
            y[1] = x[1][0];
        }
        if (y[0] == 0 && y[1] == 0) {
            y[k] = 1;
        }
        for (int i = 0; i < LBC_ORDER; i++) {
            out[k][i] = y[0] * null->v[0][i] + y[1] * null->v[1][i];
        }
    }
    return 2;
}

static void offer(const lbc_arm *arm, const lbc_loop *loop, double angle, const double *v, const lbm_transform *goal,
                  lbc_set *set) {
    double x[6], q[LBC_JOINTS] = {0};
    x[2] = angle;
    motions_of(loop, v, &x[3], &x[4]);
    complete(loop, x);
    for (int i = 0; i < 6; i++) {
        q[loop->joint[i]] = x[i];
    }
    if (lbm_all_finite(q, 6)) {
        lbc_set_offer_rough(set, arm, goal, q);
    }
}

void lbc_loop_back(const lbc_arm *arm, const lbc_loop *loop, double angle, const lbm_transform *goal, lbc_set *set,
                   lbc_general_work *work) {
    double s, c, apart[2][LBC_ORDER], largest = 0;
    int pivots[LBC_ORDER];
    null_space null;
    lbm_sincos(angle, &s, &c);
    lbc_loop_matrix(loop, c, s, work->matrix);
    for (int i = 0; i < LBC_ORDER * LBC_ORDER; i++) {
        const double size = fabs((&work->matrix[0][0])[i]);
        largest = size > largest ? size : largest;
    }
    lbc_factor(work->matrix, pivots);
    const int found = find_null_space(work->matrix, pivots, &null);
    if (!found) {
        return;
    }
    offer(arm, loop, angle, null.v[0], goal, set);
    if (found == 2 && null.size[1] < TWO_NULL * largest) {
        const int count = split(&null, apart);
        for (int k = 0; k < count; k++) {
            offer(arm, loop, angle, apart[k], goal, set);
        }
    }
}
