/* Two equations that are linear in cosine and sine of the joints next to the three (x1 of F_1, x3 of F_3):
 *
 *     meet in c:  F_3 carries a = G c on a circle, u = o3 + c3 e3 + s3 f3; inv(F_1) carries c, v = o1 + c1 e1 + s1 f1. F_2
 *                 turns u into v: both have the same height on its axis and the same distance from a point r2 of it:
 *                 w2.u = w2.v,  |u - r2|^2 = |v - r2|^2
 *     parallel:   the common direction w: u = R_3 R_G w, v = R_1' w. w2.u = w2.v, and the three do not move anything along w:
 *                 v.(r2 - r1) + u.(r3 - r2) = w.b - w.r1 - (R_G w).(G b - r3),  b any point of the first of their axes
 *
 * written A (c3, s3) + B (c1, s1) = g. Where A or B is singular (all industrial arms) this falls apart into two equations of
 * one angle; otherwise it is a trigonometric polynomial of degree 2. F_2 follows, then the three: a spherical wrist or a
 * planar arm of two links. */
#include "closed/pieper.h"

#include <math.h>

#include "math/trig.h"

#define PARALLEL 1e-9     /* the sine of the angle between axes that count as parallel */
#define MEETING 1e-9      /* arm lengths by which axes that count as meeting may miss each other */
#define NOT_PARALLEL 1e-6 /* the sine of the angle between neighbours that meet */
#define SINGULAR 1e-10    /* a singular value of A or B that counts as 0, relative to the largest */
#define VANISHES 1e-14    /* coefficients of an equation that does not say anything */
#define HOLDS 1e-10       /* the right side of such an equation */
#define BEYOND 1e-8       /* a cosine may be so much above 1: the verification decides */
#define ROOT_NOISE 1e-15
#define NEWTON_STEPS 8
#define LONGEST 0.3 /* radians: a step of Newton's method */
#define PAIRS 16

/* --- Which arms -------------------------------------------------------------------------------------------------------- */

static double sine_between(const double a[3], const double b[3]) {
    double across[3];
    lbm_cross3(a, b, across);
    return lbm_norm3(across);
}

/* The point nearest to three lines in the sense of least squares: sum of (1 - w w')(c - p) = 0, by Cramer's rule. */
static int nearest_point(const lbc_arm *arm, int first, double centre[3]) {
    double m[3][3] = {{0}}, right[3] = {0}; /* columns */
    for (int t = first; t < first + 3; t++) {
        const double *w = arm->axis[t], along = lbm_dot3(w, arm->point[t]);
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                m[j][i] += (i == j) - w[i] * w[j];
            }
            right[i] += arm->point[t][i] - along * w[i];
        }
    }
    double across[3];
    lbm_cross3(m[1], m[2], across);
    const double determinant = lbm_dot3(m[0], across);
    if (determinant < 1e-9) {
        return 0;
    }
    centre[0] = lbm_dot3(right, across) / determinant;
    lbm_cross3(m[2], m[0], across);
    centre[1] = lbm_dot3(right, across) / determinant;
    lbm_cross3(m[0], m[1], across);
    centre[2] = lbm_dot3(right, across) / determinant;
    return 1;
}

static int meet(const lbc_arm *arm, int first, double centre[3]) {
    if (sine_between(arm->axis[first], arm->axis[first + 1]) < NOT_PARALLEL ||
        sine_between(arm->axis[first + 1], arm->axis[first + 2]) < NOT_PARALLEL || !nearest_point(arm, first, centre)) {
        return 0;
    }
    for (int t = first; t < first + 3; t++) {
        double way[3];
        lbm_sub3(centre, arm->point[t], way);
        if (sine_between(arm->axis[t], way) > MEETING) {
            return 0;
        }
    }
    return 1;
}

int lbc_pieper_find(const lbc_arm *arm, lbc_pieper *pieper) {
    if (arm->n != 6) {
        return 0;
    }
    for (int i = 0; i < 6; i++) {
        if (arm->slides[i]) {
            return 0;
        }
    }
    for (int k = 3; k >= 0; k--) {
        const int is_parallel = sine_between(arm->axis[k], arm->axis[k + 1]) < PARALLEL &&
                                sine_between(arm->axis[k + 1], arm->axis[k + 2]) < PARALLEL;
        if (!is_parallel && !meet(arm, k, pieper->centre)) {
            continue;
        }
        pieper->is_parallel = is_parallel;
        pieper->first = k;
        int at = 0;
        for (int j = k - 1; j >= 0; j--) {
            pieper->is_after[at] = 0;
            pieper->others[at++] = j;
        }
        for (int j = 5; j > k + 2; j--) {
            pieper->is_after[at] = 1;
            pieper->others[at++] = j;
        }
        lbc_trig_prepare(2, &pieper->basis);
        return 1;
    }
    return 0;
}

/* --- Equations of angles ------------------------------------------------------------------------------------------------ */

typedef struct angle {
    double c, s;
    int is_free; /* any angle will do */
} angle;

static const angle any_angle = {1, 0, 1};

/* a cos x + b sin x = d. Returns the number of solutions, at most 2. */
static int solve_linear(double a, double b, double d, angle out[2]) {
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
        out[0] = (angle){a / r, b / r, 0};
        return 1;
    }
    /* Both coordinates by sums, then by differences: of a difference beside a sum gcc 12 makes one fused instruction, whatever
     * -ffp-contract says. */
    const double h = sqrt(h2), across = -b * h, along = a * h;
    out[0] = (angle){(a * d + across) / r2, (b * d + along) / r2, 0};
    out[1] = (angle){(a * d - across) / r2, (b * d - along) / r2, 0};
    return 2;
}

/* The angle that turns u into v about w, in the sense of least squares. */
static angle turn_between(const double w[3], const double u[3], const double v[3]) {
    double across[3];
    lbm_cross3(u, v, across);
    const double c = lbm_dot3(u, v) + -lbm_dot3(w, u) * lbm_dot3(w, v), s = lbm_dot3(w, across),
                 r = sqrt(c * c + s * s);
    return r < 1e-18 ? any_angle : (angle){c / r, s / r, 0};
}

/* A (c3, s3) + B (c1, s1) = g. */
typedef struct pair_equations {
    double a[2][2], b[2][2], g[2];
} pair_equations;

typedef struct pair {
    angle x1, x3;
} pair;

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

/* Where A is singular: its left null vector leaves an equation of x1 alone. Where swapped, A and B have changed places. */
static int solve_singular(const pair_equations *e, const double left[2], int swapped, pair *out) {
    const double null[2] = {-left[1], left[0]};
    angle first[2], second[2];
    int count = 0;
    const int firsts =
        solve_linear(null[0] * e->b[0][0] + null[1] * e->b[1][0], null[0] * e->b[0][1] + null[1] * e->b[1][1],
                     null[0] * e->g[0] + null[1] * e->g[1], first);
    for (int i = 0; i < firsts; i++) {
        double rest = 0;
        for (int k = 0; k < 2; k++) {
            rest += left[k] * (e->g[k] - e->b[k][0] * first[i].c - e->b[k][1] * first[i].s);
        }
        const int seconds = solve_linear(left[0] * e->a[0][0] + left[1] * e->a[1][0],
                                         left[0] * e->a[0][1] + left[1] * e->a[1][1], rest, second);
        for (int j = 0; j < seconds; j++) {
            out[count++] = swapped ? (pair){second[j], first[i]} : (pair){first[i], second[j]};
        }
    }
    return count;
}

/* Newton's method on both equations, x and y the angles of a and b. Returns the error that is left. */
static double refine(const pair_equations *e, double *x, double *y) {
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
static int solve_quartic(const lbc_trig_basis *basis, const pair_equations *e, int swapped, pair *out) {
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
    f.noise = ROOT_NOISE * 10 * largest;
    lbc_trig_found found;
    lbc_trig_roots(basis, &f, &found);
    int count = 0;
    for (int i = 0; i < found.count && count < PAIRS; i++) {
        double y = found.roots[i], sy, cy, sx, cx;
        lbm_sincos(y, &sy, &cy);
        double x = lbm_atan2(m[1] - n[1][0] * cy - n[1][1] * sy, m[0] - n[0][0] * cy - n[0][1] * sy);
        if (refine(e, &x, &y) > 1e-7) {
            continue;
        }
        lbm_sincos(x, &sx, &cx);
        lbm_sincos(y, &sy, &cy);
        const angle first = {cy, sy, 0}, second = {cx, sx, 0};
        out[count++] = swapped ? (pair){second, first} : (pair){first, second};
    }
    return count;
}

static int solve_pair(const lbc_trig_basis *basis, const pair_equations *e, pair *out) {
    double sa[2], sb[2], la[2], lb[2];
    singular_values(e->a, sa, la);
    singular_values(e->b, sb, lb);
    const double scale = sa[0] > sb[0] ? sa[0] : sb[0];
    pair_equations swapped;
    memcpy(swapped.a, e->b, sizeof swapped.a);
    memcpy(swapped.b, e->a, sizeof swapped.b);
    memcpy(swapped.g, e->g, sizeof swapped.g);
    if (sa[1] <= SINGULAR * scale) {
        return solve_singular(e, la, 0, out);
    }
    if (sb[1] <= SINGULAR * scale) {
        return solve_singular(&swapped, lb, 1, out);
    }
    return sa[1] * sb[0] < sb[1] * sa[0] ? solve_quartic(basis, &swapped, 1, out) : solve_quartic(basis, e, 0, out);
}

/* --- One goal ----------------------------------------------------------------------------------------------------------- */

/* A line, and the circle that it carries something on: o + c e + s f. */
typedef struct carrier {
    double w[3], r[3];
    double o[3], e[3], f[3];
} carrier;

typedef struct task {
    const lbc_arm *arm;
    const lbc_pieper *pieper;
    const lbm_transform *goal;
    lbm_transform g; /* goal inv(home) */
    carrier f[3];
    lbc_set *set;
} task;

static void set_circle(carrier *k, const double v[3], const double r[3], double sign) {
    double from[3];
    lbm_sub3(v, r, from);
    const double along = lbm_dot3(k->w, from);
    for (int i = 0; i < 3; i++) {
        k->o[i] = r[i] + along * k->w[i];
        k->e[i] = v[i] - k->o[i];
    }
    lbm_cross3(k->w, k->e, k->f);
    for (int i = 0; i < 3; i++) {
        k->f[i] *= sign;
    }
}

static void on_circle(const carrier *k, const angle *x, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = k->o[i] + x->c * k->e[i] + x->s * k->f[i];
    }
}

static void set_meeting_equations(task *t, pair_equations *e) {
    carrier *f1 = &t->f[0], *f3 = &t->f[2];
    const double *w2 = t->f[1].w, *r2 = t->f[1].r, *centre = t->pieper->centre;
    double moved[3], from1[3], from3[3], way[3];
    lbm_apply(&t->g, centre, moved);
    set_circle(f3, moved, f3->r, 1);
    set_circle(f1, centre, f1->r, -1);
    lbm_sub3(f1->o, r2, from1);
    lbm_sub3(f3->o, r2, from3);
    lbm_sub3(f1->o, f3->o, way);
    e->a[0][0] = lbm_dot3(w2, f3->e);
    e->a[0][1] = lbm_dot3(w2, f3->f);
    e->a[1][0] = 2 * lbm_dot3(from3, f3->e);
    e->a[1][1] = 2 * lbm_dot3(from3, f3->f);
    e->b[0][0] = -lbm_dot3(w2, f1->e);
    e->b[0][1] = -lbm_dot3(w2, f1->f);
    e->b[1][0] = -2 * lbm_dot3(from1, f1->e);
    e->b[1][1] = -2 * lbm_dot3(from1, f1->f);
    e->g[0] = lbm_dot3(w2, way);
    e->g[1] = lbm_dot3(from1, from1) + lbm_dot3(f1->e, f1->e) - lbm_dot3(from3, from3) - lbm_dot3(f3->e, f3->e);
}

static void set_parallel_equations(task *t, pair_equations *e) {
    static const double zero[3] = {0, 0, 0};
    carrier *f1 = &t->f[0], *f3 = &t->f[2];
    const double *w2 = t->f[1].w, *w = t->arm->axis[t->pieper->first], *b = t->arm->point[t->pieper->first];
    double turned[3], moved[3], d21[3], d32[3], way[3], rest[3], first[3];
    lbm_rotate(&t->g, w, turned);
    lbm_apply(&t->g, b, moved);
    set_circle(f3, turned, zero, 1);
    set_circle(f1, w, zero, -1);
    lbm_sub3(t->f[1].r, f1->r, d21);
    lbm_sub3(f3->r, t->f[1].r, d32);
    lbm_sub3(f1->o, f3->o, way);
    lbm_sub3(moved, f3->r, rest);
    lbm_sub3(b, f1->r, first);
    e->a[0][0] = lbm_dot3(w2, f3->e);
    e->a[0][1] = lbm_dot3(w2, f3->f);
    e->a[1][0] = lbm_dot3(d32, f3->e);
    e->a[1][1] = lbm_dot3(d32, f3->f);
    e->b[0][0] = -lbm_dot3(w2, f1->e);
    e->b[0][1] = -lbm_dot3(w2, f1->f);
    e->b[1][0] = lbm_dot3(d21, f1->e);
    e->b[1][1] = lbm_dot3(d21, f1->f);
    e->g[0] = lbm_dot3(w2, way);
    e->g[1] = lbm_dot3(w, first) - lbm_dot3(f1->o, d21) - lbm_dot3(f3->o, d32) - lbm_dot3(turned, rest);
}

static void set_joint(lbc_turned *to, int joint, const angle *x, double sign) {
    to->cosine[joint] = x->c;
    to->sine[joint] = sign * x->s;
    to->q[joint] = lbm_atan2(to->sine[joint], x->c);
    to->is_free |= x->is_free;
}

/* The vector (or point) v moved by F_1 F_2 F_3 G. */
static void carry(const task *t, const angle x[3], const double v[3], int is_point, double out[3]) {
    if (is_point) {
        lbm_apply(&t->g, v, out);
    } else {
        lbm_rotate(&t->g, v, out);
    }
    for (int k = 2; k >= 0; k--) {
        if (is_point) {
            lbc_turn_about(t->f[k].w, t->f[k].r, (const double[2]){x[k].c, x[k].s}, out, out);
        } else {
            lbc_turn(t->f[k].w, x[k].c, x[k].s, out, out);
        }
    }
}

/* The three that meet: R_a R_b R_c turns the axis of c, then everything, to where F_1 F_2 F_3 G does. */
static void finish_wrist(const task *t, const angle x[3], lbc_turned *offer) {
    const int k = t->pieper->first;
    const double *wa = t->arm->axis[k], *wb = t->arm->axis[k + 1], *wc = t->arm->axis[k + 2];
    double target[3], side[3], across[3], moved[3];
    const double bc = lbm_dot3(wb, wc), ab = lbm_dot3(wa, wb);
    carry(t, x, wc, 0, target);
    lbc_across(wc, side);
    carry(t, x, side, 0, moved);
    lbm_cross3(wb, wc, across);
    angle y[2];
    const int count = solve_linear(lbm_dot3(wa, wc) - bc * ab, lbm_dot3(wa, across), lbm_dot3(wa, target) - ab * bc, y);
    const int is_free = offer->is_free;
    for (int i = 0; i < count; i++) {
        double tilted[3], back[3];
        lbc_turn(wb, y[i].c, y[i].s, wc, tilted);
        angle first = turn_between(wa, tilted, target);
        if (sine_between(wa, target) < 1e-9) {
            first = any_angle;
        }
        lbc_turn(wa, first.c, -first.s, moved, back);
        lbc_turn(wb, y[i].c, -y[i].s, back, back);
        const angle last = turn_between(wc, side, back);
        offer->is_free = is_free;
        set_joint(offer, k, &first, 1);
        set_joint(offer, k + 1, &y[i], 1);
        set_joint(offer, k + 2, &last, 1);
        lbc_set_offer(t->set, t->arm, t->goal, offer);
    }
}

static void flatten(const double w[3], double v[3]) { lbm_add_scaled3(v, w, -lbm_dot3(w, v)); }

static angle less(const angle *a, const angle *b) {
    return (angle){a->c * b->c + a->s * b->s, a->s * b->c - a->c * b->s, a->is_free || b->is_free};
}

/* The three that are parallel: an arm of two links in the plane, |d1 + R(y) d2| = |target|, and the whole turn. */
static void finish_planar(const task *t, const angle x[3], lbc_turned *offer) {
    const int k = t->pieper->first;
    const lbc_arm *arm = t->arm;
    const double *wa = arm->axis[k];
    const double sign_b = lbm_dot3(wa, arm->axis[k + 1]) > 0 ? 1 : -1,
                 sign_c = lbm_dot3(wa, arm->axis[k + 2]) > 0 ? 1 : -1;
    double target[3], d1[3], d2[3], across[3], side[3], moved[3];
    carry(t, x, arm->point[k + 2], 1, target);
    lbm_sub3(target, arm->point[k], target);
    lbm_sub3(arm->point[k + 1], arm->point[k], d1);
    lbm_sub3(arm->point[k + 2], arm->point[k + 1], d2);
    flatten(wa, target);
    flatten(wa, d1);
    flatten(wa, d2);
    lbc_across(wa, side);
    carry(t, x, side, 0, moved);
    const angle whole = turn_between(wa, side, moved);
    lbm_cross3(wa, d2, across);
    angle y[2];
    const int count = solve_linear(2 * lbm_dot3(d1, d2), 2 * lbm_dot3(d1, across),
                                   lbm_dot3(target, target) - lbm_dot3(d1, d1) - lbm_dot3(d2, d2), y);
    const int is_free = offer->is_free;
    for (int i = 0; i < count; i++) {
        double reach[3];
        lbc_turn(wa, y[i].c, y[i].s, d2, reach);
        lbm_add_scaled3(reach, d1, 1);
        angle first = turn_between(wa, reach, target);
        if (lbm_dot3(target, target) < 1e-18) {
            first = any_angle;
        }
        const angle rest = less(&whole, &first), last = less(&rest, &y[i]);
        offer->is_free = is_free;
        set_joint(offer, k, &first, 1);
        set_joint(offer, k + 1, &y[i], sign_b);
        set_joint(offer, k + 2, &last, sign_c);
        lbc_set_offer(t->set, arm, t->goal, offer);
    }
}

void lbc_pieper_solve(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, lbc_set *set) {
    task t = {arm, pieper, goal, {{0}, {0}, {0}, {0}}, {{{0}, {0}, {0}, {0}, {0}}}, set};
    pair_equations equations;
    pair pairs[PAIRS];
    lbm_transform_multiply(goal, &arm->home_inverse, &t.g);
    for (int k = 0; k < 3; k++) {
        const int joint = pieper->others[k];
        if (pieper->is_after[k]) {
            lbm_rotate(&t.g, arm->axis[joint], t.f[k].w);
            lbm_apply(&t.g, arm->point[joint], t.f[k].r);
        } else {
            lbm_copy3(t.f[k].w, arm->axis[joint]);
            lbm_copy3(t.f[k].r, arm->point[joint]);
        }
    }
    if (pieper->is_parallel) {
        set_parallel_equations(&t, &equations);
    } else {
        set_meeting_equations(&t, &equations);
    }
    const int count = solve_pair(&pieper->basis, &equations, pairs);
    for (int i = 0; i < count; i++) {
        double u[3], v[3];
        on_circle(&t.f[2], &pairs[i].x3, u);
        on_circle(&t.f[0], &pairs[i].x1, v);
        if (!pieper->is_parallel) {
            lbm_sub3(u, t.f[1].r, u);
            lbm_sub3(v, t.f[1].r, v);
        }
        lbc_turned offer = {{0}, {0}, {0}, 0};
        const angle x[3] = {pairs[i].x1, turn_between(t.f[1].w, u, v), pairs[i].x3};
        for (int k = 0; k < 3; k++) {
            set_joint(&offer, pieper->others[k], &x[k], -1);
        }
        if (pieper->is_parallel) {
            finish_planar(&t, x, &offer);
        } else {
            finish_wrist(&t, x, &offer);
        }
    }
}
