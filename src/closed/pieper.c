/* Two equations that are linear in cosine and sine of the joints next to the three (x1 of F_1, x3 of F_3):
 *
 *     meet in c:  F_3 carries a = G c on a circle, u = o3 + c3 e3 + s3 f3; inv(F_1) carries c, v = o1 + c1 e1 + s1 f1. F_2
 *                 turns u into v: both have the same height on its axis and the same distance from a point r2 of it:
 *                 w2.u = w2.v,  |u - r2|^2 = |v - r2|^2
 *     parallel:   the common direction w: u = R_3 R_G w, v = R_1' w. w2.u = w2.v, and the three do not move anything along w:
 *                 v.(r2 - r1) + u.(r3 - r2) = w.b - w.r1 - (R_G w).(G b - r3),  b any point of the first of their axes
 *
 * written A (c3, s3) + B (c1, s1) = g. Where A or B is singular (all industrial arms) this falls apart into two
 * equations of one angle; otherwise it is a trigonometric polynomial of degree 2. F_2 follows, then the three: a
 * spherical wrist or a planar arm of two links. */
#include "closed/pieper.h"
#include "closed/pieper_pair.h"

#include <math.h>

#include "math/trig.h"

#define PARALLEL 1e-9     /* the sine of the angle between axes that count as parallel */
#define MEETING 1e-9      /* arm lengths by which axes that count as meeting may miss each other */
#define NOT_PARALLEL 1e-6 /* the sine of the angle between neighbours that meet */
#define POLISH_STEPS 4
#define NEARLY_FREE 1e-6       /* arm lengths across an axis: what is turned by so little says little of the angle */
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

static int meet(const lbc_arm *arm, int first, double centre[3], double *off) {
    if (sine_between(arm->axis[first], arm->axis[first + 1]) < NOT_PARALLEL ||
        sine_between(arm->axis[first + 1], arm->axis[first + 2]) < NOT_PARALLEL || !nearest_point(arm, first, centre)) {
        return 0;
    }
    for (int t = first; t < first + 3; t++) {
        double way[3];
        lbm_sub3(centre, arm->point[t], way);
        const double by = sine_between(arm->axis[t], way);
        if (by > MEETING) {
            return 0;
        }
        *off = by > *off ? by : *off;
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
        const double one = sine_between(arm->axis[k], arm->axis[k + 1]),
                     other = sine_between(arm->axis[k + 1], arm->axis[k + 2]);
        const int is_parallel = one < PARALLEL && other < PARALLEL;
        pieper->off = is_parallel ? one + other : 0;
        if (!is_parallel && !meet(arm, k, pieper->centre, &pieper->off)) {
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

/* --- One goal ----------------------------------------------------------------------------------------------------------- */

static void set_meeting_equations(const lbc_asked *t, lbc_pair_equations *e) {
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

static void set_parallel_equations(const lbc_asked *t, const lbm_transform *g, lbc_pair_equations *e) {
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
                lbc_pair_equations *e) {
    lbm_transform g;
    double moved[3], side[3];
    const double *last = arm->axis[pieper->first + 2];
    t->arm = arm;
    t->three = &pieper->three;
    t->others = pieper->others;
    t->goal = goal;
    e->is_strict = 0;
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
static int take_pairs(const lbc_pair *pairs, int left, lbc_branches *b) {
    const int count = left < LBC_PAIRS ? left : LBC_PAIRS;
    for (int i = 0; i < LBC_PAIRS; i++) {
        const lbc_pair *p = &pairs[i < count ? i : count - 1];
        b->x1[0][i] = p->x1.c;
        b->x1[1][i] = p->x1.s;
        b->x3[0][i] = p->x3.c;
        b->x3[1][i] = p->x3.s;
    }
    return count;
}

void lbc_pieper_solve(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, lbc_set *set) {
    lbc_asked asked;
    lbc_pair_equations equations;
    lbc_pair pairs[LBC_PAIR_ROOTS];
    lbc_branches b;
    ask(arm, pieper, goal, &asked, &equations);
    const int count = lbc_solve_pair(&pieper->basis, &equations, pairs);
    for (int from = 0; from < count; from += LBC_PAIRS) {
        const int taken = take_pairs(pairs + from, count - from, &b);
        pieper->branch(&asked, 1, &b);
        for (int i = 0; i < 2 * taken; i++) { /* both choices of a pair, then the next pair */
            const int at = (i & 1) * LBC_PAIRS + i / 2;
            const lbc_pair *p = &pairs[from + i / 2];
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
    lbc_pair_equations equations;
    lbc_pair pairs[LBC_PAIR_ROOTS];
    lbc_branches b;
    int listed = 0;
    ask(arm, pieper, goal, &asked, &equations);
    const int count = lbc_solve_pair(&pieper->basis, &equations, pairs);
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
    lbc_pair_equations equations;
    lbc_pair pairs[LBC_PAIR_ROOTS];
    lbc_branches b;
    double nearest = INFINITY;
    ask(arm, pieper, goal, &asked, &equations);
    const int count = lbc_solve_pair(&pieper->basis, &equations, pairs);
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

/* How far a cos y + b sin y = d, which the three joints ask for, may be off for a pair of angles; INFINITY where the
 * joint between these may stand nearly anywhere. */
static double off_by(const lbc_asked *asked, const lbc_pair *p) {
    const lbc_circle *k = &asked->u;
    double u[3], across[3];
    for (int i = 0; i < 3; i++) {
        u[i] = k->o[i] + p->x3.c * k->e[i] + p->x3.s * k->f[i] - (asked->three->is_parallel ? 0 : asked->r[1][i]);
    }
    lbm_cross3(asked->w[1], u, across);
    const double radius = lbm_norm3(across), size = lbm_norm3(u) > 1 ? lbm_norm3(u) : 1;
    const double off = LBC_PAIR_DOUBT + p->off * size;
    return radius > NEARLY_FREE ? off + off / radius : INFINITY;
}

int lbc_pieper_is_clear(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, int found) {
    lbc_asked asked;
    lbc_pair_equations equations;
    lbc_pair pairs[LBC_PAIR_ROOTS];
    lbc_branches b;
    int offers = 0;
    ask(arm, pieper, goal, &asked, &equations);
    equations.is_strict = 1;
    const int count = lbc_solve_pair(&pieper->basis, &equations, pairs);
    const double r = sqrt(pieper->three.r2);
    for (int from = 0; from < count; from += LBC_PAIRS) {
        const int taken = take_pairs(pairs + from, count - from, &b);
        pieper->branch(&asked, 0, &b);
        for (int i = 0; i < taken; i++) { /* left is 1 - d^2 / r^2 */
            const double d = r * sqrt(b.left[i] < 1 ? 1 - b.left[i] : 0), size = d > 1 ? d : 1;
            const double noise = off_by(&asked, &pairs[from + i]) * (r > size ? r : size);
            equations.is_doubtful |= r < noise || (d > r && d < r + noise);
            offers += (b.are_there >> i & 1) + (b.are_there >> (LBC_PAIRS + i) & 1);
        }
    }
    return !equations.is_doubtful && offers == found;
}
