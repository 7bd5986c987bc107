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
#define POLISH_STEPS 4
#define FARTHEST_POLISHED 1e-3 /* radians: what goes farther has become another solution */

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

/* --- The three ---------------------------------------------------------------------------------------------------------- */

/* A turn about the line through r along w, by an angle that counts with this sign, carries v on a circle. */
static void set_circle(const double w[3], const double r[3], double sign, const double v[3], lbc_circle *k) {
    double from[3];
    lbm_sub3(v, r, from);
    const double along = lbm_dot3(w, from);
    for (int i = 0; i < 3; i++) {
        k->o[i] = r[i] + along * w[i];
        k->e[i] = v[i] - k->o[i];
    }
    lbm_cross3(w, k->e, k->f);
    for (int i = 0; i < 3; i++) {
        k->f[i] *= sign;
    }
}

static const double zero[3] = {0, 0, 0};

/* The geometry of three axes that meet: wa . R(wb, y) wc = wa . (where wc is carried). */
static void set_wrist(const lbc_arm *arm, lbc_three *t) {
    const double *wa = arm->axis[t->first], *wb = arm->axis[t->first + 1], *wc = arm->axis[t->first + 2];
    double across[3];
    const double bc = lbm_dot3(wb, wc), ab = lbm_dot3(wa, wb);
    lbm_cross3(wb, wc, across);
    t->a = lbm_dot3(wa, wc) - bc * ab;
    t->b = lbm_dot3(wa, across);
    t->d = -(ab * bc);
    set_circle(wb, zero, 1, wc, &t->tip);
    lbc_across(wc, t->side);
    lbm_cross3(wc, t->side, t->other);
}

/* Of three parallel ones: |d1 + R(y) d2|^2 = |(where the last is carried) - (where the first is)|^2, in the plane. */
static void set_planar(const lbc_arm *arm, lbc_three *t) {
    const double *wa = arm->axis[t->first];
    double d1[3], d2[3];
    for (int k = 0; k < 3; k++) {
        t->sign[k] = lbm_dot3(wa, arm->axis[t->first + k]) > 0 ? 1 : -1;
    }
    lbm_sub3(arm->point[t->first + 1], arm->point[t->first], d1);
    lbm_sub3(arm->point[t->first + 2], arm->point[t->first + 1], d2);
    lbm_add_scaled3(d1, wa, -lbm_dot3(wa, d1));
    lbm_add_scaled3(d2, wa, -lbm_dot3(wa, d2));
    lbm_copy3(t->tip.o, d1);
    lbm_copy3(t->tip.e, d2);
    lbm_cross3(wa, d2, t->tip.f);
    t->a = 2 * lbm_dot3(d1, d2);
    t->b = 2 * lbm_dot3(d1, t->tip.f);
    t->d = -(lbm_dot3(d1, d1) + lbm_dot3(d2, d2));
    lbc_across(wa, t->side);
    lbm_cross3(wa, t->side, t->other);
}

static void set_three(const lbc_arm *arm, const lbc_pieper *pieper, lbc_three *t) {
    t->is_parallel = pieper->is_parallel;
    t->first = pieper->first;
    if (t->is_parallel) {
        set_planar(arm, t);
    } else {
        set_wrist(arm, t);
    }
    t->r2 = t->a * t->a + t->b * t->b;
}

/* Which kernels run. */
static void choose_kernels(lbm_isa isa, lbc_pieper *pieper) {
    pieper->branch = lbc_branch2;
    pieper->wind = lbc_wind2;
#if LBM_X86
    if (isa >= LBM_ISA_AVX2) {
        pieper->branch = lbc_branch4;
        pieper->wind = lbc_wind4;
    }
#endif
    (void)isa;
}

int lbc_pieper_find(const lbc_arm *arm, lbm_isa isa, lbc_pieper *pieper) {
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
        set_three(arm, pieper, &pieper->three);
        choose_kernels(isa, pieper);
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

/* A (c3, s3) + B (c1, s1) = g. */
typedef struct pair_equations {
    double a[2][2], b[2][2], g[2];
    double lack; /* out: of the roots that are missing, see lbc_pieper_list */
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

/* Remembers by how little a cos x + b sin x = d has no solution. */
static void note_lack(double a, double b, double d, double *lack) {
    const double r2 = a * a + b * b, left = r2 > 0 ? (r2 - d * d) / r2 : 0;
    if (left < 0 && left > *lack) {
        *lack = left;
    }
}

/* Where A is singular: its left null vector leaves an equation of x1 alone. Where swapped, A and B have changed places. */
static int solve_singular(pair_equations *e, const double left[2], int swapped, pair *out) {
    const double null[2] = {-left[1], left[0]};
    angle first[2], second[2];
    int count = 0;
    const double a = null[0] * e->b[0][0] + null[1] * e->b[1][0], b = null[0] * e->b[0][1] + null[1] * e->b[1][1],
                 d = null[0] * e->g[0] + null[1] * e->g[1];
    const double c = left[0] * e->a[0][0] + left[1] * e->a[1][0], s = left[0] * e->a[0][1] + left[1] * e->a[1][1];
    const int firsts = solve_linear(a, b, d, first);
    note_lack(a, b, d, &e->lack);
    for (int i = 0; i < firsts; i++) {
        double rest = 0;
        for (int k = 0; k < 2; k++) {
            rest += left[k] * (e->g[k] - e->b[k][0] * first[i].c - e->b[k][1] * first[i].s);
        }
        const int seconds = solve_linear(c, s, rest, second);
        note_lack(c, s, rest, &e->lack);
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

static int solve_pair(const lbc_trig_basis *basis, pair_equations *e, pair *out) {
    double sa[2], sb[2], la[2], lb[2];
    singular_values(e->a, sa, la);
    singular_values(e->b, sb, lb);
    const double scale = sa[0] > sb[0] ? sa[0] : sb[0];
    pair_equations swapped;
    memcpy(swapped.a, e->b, sizeof swapped.a);
    memcpy(swapped.b, e->a, sizeof swapped.b);
    memcpy(swapped.g, e->g, sizeof swapped.g);
    e->lack = swapped.lack = -INFINITY;
    if (sa[1] <= SINGULAR * scale) {
        return solve_singular(e, la, 0, out);
    }
    if (sb[1] <= SINGULAR * scale) {
        const int count = solve_singular(&swapped, lb, 1, out);
        e->lack = swapped.lack;
        return count;
    }
    e->lack = 0; /* that cannot be told here */
    return sa[1] * sb[0] < sb[1] * sa[0] ? solve_quartic(basis, &swapped, 1, out) : solve_quartic(basis, e, 0, out);
}

/* --- One goal ----------------------------------------------------------------------------------------------------------- */

static void set_meeting_equations(const lbc_asked *t, pair_equations *e) {
    const lbc_circle *u = &t->u, *v = &t->v;
    const double *w2 = t->w[1], *r2 = t->r[1];
    double from1[3], from3[3], way[3];
    lbm_sub3(v->o, r2, from1);
    lbm_sub3(u->o, r2, from3);
    lbm_sub3(v->o, u->o, way);
    e->a[0][0] = lbm_dot3(w2, u->e);
    e->a[0][1] = lbm_dot3(w2, u->f);
    e->a[1][0] = 2 * lbm_dot3(from3, u->e);
    e->a[1][1] = 2 * lbm_dot3(from3, u->f);
    e->b[0][0] = -lbm_dot3(w2, v->e);
    e->b[0][1] = -lbm_dot3(w2, v->f);
    e->b[1][0] = -2 * lbm_dot3(from1, v->e);
    e->b[1][1] = -2 * lbm_dot3(from1, v->f);
    e->g[0] = lbm_dot3(w2, way);
    e->g[1] = lbm_dot3(from1, from1) + lbm_dot3(v->e, v->e) - lbm_dot3(from3, from3) - lbm_dot3(u->e, u->e);
}

static void set_parallel_equations(const lbc_asked *t, const lbm_transform *g, pair_equations *e) {
    const lbc_circle *u = &t->u, *v = &t->v;
    const double *w2 = t->w[1], *w = t->arm->axis[t->three->first], *b = t->arm->point[t->three->first];
    double turned[3], moved[3], d21[3], d32[3], way[3], rest[3], first[3];
    lbm_rotate(g, w, turned);
    lbm_apply(g, b, moved);
    lbm_sub3(t->r[1], t->r[0], d21);
    lbm_sub3(t->r[2], t->r[1], d32);
    lbm_sub3(v->o, u->o, way);
    lbm_sub3(moved, t->r[2], rest);
    lbm_sub3(b, t->r[0], first);
    e->a[0][0] = lbm_dot3(w2, u->e);
    e->a[0][1] = lbm_dot3(w2, u->f);
    e->a[1][0] = lbm_dot3(d32, u->e);
    e->a[1][1] = lbm_dot3(d32, u->f);
    e->b[0][0] = -lbm_dot3(w2, v->e);
    e->b[0][1] = -lbm_dot3(w2, v->f);
    e->b[1][0] = lbm_dot3(d21, v->e);
    e->b[1][1] = lbm_dot3(d21, v->f);
    e->g[0] = lbm_dot3(w2, way);
    e->g[1] = lbm_dot3(w, first) - lbm_dot3(v->o, d21) - lbm_dot3(u->o, d32) - lbm_dot3(turned, rest);
}

/* What a goal asks for, and the equations of x1 and x3. */
static void ask(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, lbc_asked *t,
                pair_equations *e) {
    lbm_transform g;
    double moved[3], side[3];
    const double *last = arm->axis[pieper->first + 2];
    t->arm = arm;
    t->three = &pieper->three;
    t->others = pieper->others;
    t->goal = goal;
    lbm_transform_multiply(goal, &arm->home_inverse, &g);
    for (int k = 0; k < 3; k++) {
        const int joint = pieper->others[k];
        if (pieper->is_after[k]) {
            lbm_rotate(&g, arm->axis[joint], t->w[k]);
            lbm_apply(&g, arm->point[joint], t->r[k]);
        } else {
            lbm_copy3(t->w[k], arm->axis[joint]);
            lbm_copy3(t->r[k], arm->point[joint]);
        }
    }
    lbm_rotate(&g, pieper->three.side, side);
    set_circle(t->w[2], zero, 1, side, &t->side);
    if (pieper->is_parallel) {
        const double *w = arm->axis[pieper->first];
        lbm_rotate(&g, w, moved);
        set_circle(t->w[2], zero, 1, moved, &t->u);
        set_circle(t->w[0], zero, -1, w, &t->v);
        lbm_apply(&g, arm->point[pieper->first + 2], moved);
        set_circle(t->w[2], t->r[2], 1, moved, &t->target);
        set_parallel_equations(t, &g, e);
    } else {
        lbm_apply(&g, pieper->centre, moved);
        set_circle(t->w[2], t->r[2], 1, moved, &t->u);
        set_circle(t->w[0], t->r[0], -1, pieper->centre, &t->v);
        lbm_rotate(&g, last, moved);
        set_circle(t->w[2], zero, 1, moved, &t->target);
        set_meeting_equations(t, e);
    }
}

/* Some of the pairs side by side. Returns how many of the lanes have one of their own; the others repeat the last. */
static int take_pairs(const pair *pairs, int left, lbc_branches *b) {
    const int count = left < LBC_PAIRS ? left : LBC_PAIRS;
    for (int i = 0; i < LBC_PAIRS; i++) {
        const pair *p = &pairs[i < count ? i : count - 1];
        b->x1[0][i] = p->x1.c;
        b->x1[1][i] = p->x1.s;
        b->x3[0][i] = p->x3.c;
        b->x3[1][i] = p->x3.s;
    }
    return count;
}

void lbc_pieper_solve(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, lbc_set *set) {
    lbc_asked asked;
    pair_equations equations;
    pair pairs[PAIRS];
    lbc_branches b;
    ask(arm, pieper, goal, &asked, &equations);
    const int count = solve_pair(&pieper->basis, &equations, pairs);
    for (int from = 0; from < count; from += LBC_PAIRS) {
        const int taken = take_pairs(pairs + from, count - from, &b);
        pieper->branch(&asked, 1, &b);
        for (int i = 0; i < 2 * taken; i++) { /* both choices of a pair, then the next pair */
            const int at = (i & 1) * LBC_PAIRS + i / 2;
            const pair *p = &pairs[from + i / 2];
            double q[LBC_JOINTS];
            if (!(b.are_there >> at & 1)) {
                continue;
            }
            for (int k = 0; k < 6; k++) {
                q[k] = b.q[k][at];
            }
            lbc_set_offer(set, arm, goal, q, b.error[at], (b.are_free >> at & 1) | p->x1.is_free | p->x3.is_free);
        }
    }
}

int lbc_pieper_list(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, double (*q)[6],
                    double *lack) {
    lbc_asked asked;
    pair_equations equations;
    pair pairs[PAIRS];
    lbc_branches b;
    int listed = 0;
    ask(arm, pieper, goal, &asked, &equations);
    const int count = solve_pair(&pieper->basis, &equations, pairs);
    *lack = equations.lack;
    for (int from = 0; from < count; from += LBC_PAIRS) {
        const int taken = take_pairs(pairs + from, count - from, &b);
        pieper->branch(&asked, 0, &b);
        for (int i = 0; i < 2 * taken; i++) {
            const int at = (i & 1) * LBC_PAIRS + i / 2;
            if (b.left[i / 2] < 0 && b.left[i / 2] > *lack) {
                *lack = b.left[i / 2];
            }
            if (!(b.are_there >> at & 1) || listed == LBC_LISTED) {
                continue;
            }
            for (int k = 0; k < 6; k++) {
                q[listed][k] = b.q[k][at];
            }
            listed++;
        }
    }
    return listed;
}

int lbc_pieper_nearest(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal,
                       const lbc_wanted *wanted, double values[6]) {
    lbc_asked asked;
    pair_equations equations;
    pair pairs[PAIRS];
    lbc_branches b;
    double nearest = INFINITY;
    ask(arm, pieper, goal, &asked, &equations);
    const int count = solve_pair(&pieper->basis, &equations, pairs);
    for (int from = 0; from < count; from += LBC_PAIRS) {
        const int taken = take_pairs(pairs + from, count - from, &b);
        pieper->branch(&asked, 0, &b);
        pieper->wind(wanted, &b);
        if (b.are_free & b.are_there) {
            return 0;
        }
        for (int i = 0; i < 2 * taken; i++) {
            const int at = (i & 1) * LBC_PAIRS + i / 2;
            if (!(b.are_there & b.are_inside & 1u << at) || !(b.distance2[at] < nearest) ||
                pairs[from + i / 2].x1.is_free || pairs[from + i / 2].x3.is_free) {
                continue;
            }
            nearest = b.distance2[at];
            for (int k = 0; k < 6; k++) {
                values[k] = b.value[k][at];
            }
        }
    }
    return nearest < INFINITY;
}

int lbc_pieper_polish(const lbc_arm *arm, const lbm_transform *goal, const lbc_wanted *wanted, double values[6]) {
    double q[LBC_JOINTS];
    memcpy(q, values, 6 * sizeof *q);
    int is_well = lbc_arm_polish(arm, goal, q, POLISH_STEPS) <= LBC_VERIFIED;
    for (int k = 0; k < 6; k++) {
        is_well &= fabs(q[k] - values[k]) < FARTHEST_POLISHED && q[k] >= wanted->lower[k] - LBC_ON_LIMIT &&
                   q[k] <= wanted->upper[k] + LBC_ON_LIMIT;
        values[k] = q[k] < wanted->lower[k] ? wanted->lower[k] : q[k] > wanted->upper[k] ? wanted->upper[k] : q[k];
    }
    return is_well;
}
