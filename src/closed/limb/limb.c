/* Spherical, revolute, spherical, after D. Tolani, A. Goswami and N. Badler (Real-time inverse kinematics techniques
 * for anthropomorphic limbs, Graphical Models 62, 2000): the distance from shoulder to wrist gives the elbow, and what
 * is left free is the swivel angle about the line between them. Every limit of a shoulder or wrist joint is an equation
 * a cos psi + b sin psi
 * = d: with the rotation X = R(wa, qa) R(wb, qb) R(wc, qc)
 *
 *     qb = v:  wa.X wc = wa.R(wb, v) wc        qa = v:  (R(wa, v) wb).X wc = wb.wc        qc = v:  wa.X R(wc, -v) wb = wa.wb
 *
 * and where qb has a double root wa.X wc is at one of its extremes. Between two neighbours of all these angles nothing
 * changes, so that one test in the middle tells whether the limits hold on the whole interval. */
#include "closed/limb/limb.h"

#include <math.h>

#include "closed/limb/triple.h"
#include "math/trig.h"

#define MEETING 1e-9 /* arm lengths by which axes may miss the point where they meet */
#define CRITICAL 80  /* angles at which something changes, at most: 2 triples, 6 limits and 2 extremes, 2 roots each */
#define SAMPLES 9    /* of an interval, in search of the values nearest to the start, */
#define SECTIONS 24  /* and then steps of golden section */
#define GOLDEN 0.61803398874989484820
#define SAME_ANGLE 1e-12
#define END_SLACK 3e-8     /* radians that intervals are drawn in by */
#define AROUND 36          /* angles at which is looked for what breaks limits least */
#define BRANCHES 4         /* of an elbow: two of the shoulder, two of the wrist */
#define TOUCHED 5e-10      /* radians that limits are widened by for their angles: what they leave may be but a point */
#define IN_SHOULDER 1e-9   /* arm lengths from shoulder to wrist where nothing is found, */
#define NEAR_SHOULDER 1e-6 /* and where nothing is proved */
#define GIMBAL 1e-4        /* radians between axes on one line, nearly: the same */
#define DOUBT 1e-8         /* arm lengths by which a goal may be out of reach without a proof of it */

/* --- Which arms -------------------------------------------------------------------------------------------------------------- */

int lbc_limb_find(const lbc_arm *arm, lbc_limb *limb) {
    if (arm->n != 7) {
        return 0;
    }
    for (int i = 0; i < 7; i++) {
        if (arm->slides[i]) {
            return 0;
        }
    }
    if (!lbc_meet_at(arm, 0, limb->shoulder) || !lbc_meet_at(arm, 4, limb->wrist)) {
        return 0;
    }
    double way[3];
    lbm_sub3(limb->shoulder, arm->point[3], way);
    lbm_copy3(limb->elbow, arm->point[3]);
    lbm_add_scaled3(limb->elbow, arm->axis[3], lbm_dot3(arm->axis[3], way));
    return lbc_sine_between(arm->axis[3], way) > MEETING; /* else the elbow does not change the distance */
}

/* --- One goal ---------------------------------------------------------------------------------------------------------------- */

/* m[0] + m[1] cos + m[2] sin. */
static void at_angle(const double m[3][9], double psi, double out[9]) {
    double s, c;
    lbm_sincos(psi, &s, &c);
    for (int i = 0; i < 9; i++) {
        out[i] = m[0][i] + c * m[1][i] + s * m[2][i];
    }
}

/* X and Y for an elbow at this angle; x is the way from shoulder to wrist, n its direction. */
static void set_elbow(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *g, const double x[3],
                      lbc_elbow *e) {
    double l[3], n[3], upper[3], r0[9], nn[9], rest[9], cross[9], r3[9], rg[9], back[9], flipped[9], s, c;
    const double distance = lbm_norm3(x);
    lbm_sincos(e->q, &s, &c);
    lbc_turn_about(arm->axis[3], arm->point[3], (const double[2]){c, s}, limb->wrist, l);
    lbm_sub3(l, limb->shoulder, l);
    const double length = lbm_norm3(l);
    for (int k = 0; k < 3; k++) {
        n[k] = x[k] / distance;
        l[k] /= length;
    }
    lbc_between9(l, n, r0);
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            nn[3 * i + j] = n[i] * n[j];
            rest[3 * i + j] = (i == j) - n[i] * n[j];
        }
        rg[3 * i] = g->x[i];
        rg[3 * i + 1] = g->y[i];
        rg[3 * i + 2] = g->z[i];
    }
    const double skew[9] = {0, -n[2], n[1], n[2], 0, -n[0], -n[1], n[0], 0};
    memcpy(cross, skew, sizeof cross);
    lbc_multiply9(nn, r0, e->x[0]);
    lbc_multiply9(rest, r0, e->x[1]);
    lbc_multiply9(cross, r0, e->x[2]);
    lbc_about9(arm->axis[3], c, -s, r3);
    for (int k = 0; k < 3; k++) { /* Y = R3' X' Rg */
        lbc_transpose9(e->x[k], flipped);
        lbc_multiply9(flipped, rg, back);
        lbc_multiply9(r3, back, e->y[k]);
    }
    lbm_sub3(limb->elbow, limb->shoulder, l);
    lbc_apply9(r0, l, upper);
    e->offset = lbc_swivel_of(n, upper); /* where psi is 0 */
}

static int find_elbows(const lbc_arm *arm, lbc_limb *limb, const lbm_transform *g) {
    double x[3], wrist[3], centre[3], from[3], across[3], middle, half;
    limb->elbow_count = 0;
    lbm_apply(g, limb->wrist, wrist);
    lbm_sub3(wrist, limb->shoulder, x);
    const double distance = lbm_norm3(x);
    limb->is_degenerate = distance < NEAR_SHOULDER;
    limb->is_edge = 0;
    if (distance < IN_SHOULDER) {
        return 0;
    }
    /* |c + R(q) f| with c from the shoulder to the elbow's centre, f from there to the wrist, both across the axis. */
    lbm_sub3(limb->wrist, limb->elbow, from);
    const double along = lbm_dot3(arm->axis[3], from);
    lbm_add_scaled3(from, arm->axis[3], -along);
    lbm_sub3(limb->elbow, limb->shoulder, centre);
    lbm_add_scaled3(centre, arm->axis[3], along);
    lbm_cross3(arm->axis[3], from, across);
    const double d = lbm_dot3(x, x) - lbm_dot3(centre, centre) - lbm_dot3(from, from);
    const double a = 2 * lbm_dot3(centre, from), b = 2 * lbm_dot3(centre, across), r = sqrt(a * a + b * b);
    limb->is_edge = r < DOUBT || (fabs(d) > r && fabs(d) < r + DOUBT * (1 + fabs(d)));
    if (!lbc_solve_linear(a, b, d, &middle, &half)) {
        return 0;
    }
    for (int k = 0; k < (half > 1e-8 && half < LBM_PI - 1e-8 ? 2 : 1); k++) {
        lbc_elbow *e = &limb->elbows[limb->elbow_count++];
        e->q = lbc_wrapped(middle + (k ? -half : half));
        set_elbow(arm, limb, g, x, e);
    }
    return limb->elbow_count;
}

static int joints_at(const lbc_arm *arm, const lbc_elbow *e, int signs, double psi, double q[LBC_JOINTS]) {
    double x[9], y[9];
    at_angle((const double(*)[9])e->x, psi, x);
    at_angle((const double(*)[9])e->y, psi, y);
    q[3] = e->q;
    return lbc_decompose((const double(*)[3])arm->axis, x, signs & 1, q) &&
           lbc_decompose((const double(*)[3])arm->axis + 4, y, signs >> 1, q + 4);
}

/* The squared distance of the joints at psi from `near`; INFINITY where a limit is broken. */
static double distance_at(const lbc_arm *arm, const lbc_limb *limb, int branch, double psi, const double *near) {
    double q[LBC_JOINTS], sum = 0;
    if (!joints_at(arm, &limb->elbows[branch / BRANCHES], branch % BRANCHES, psi, q)) {
        return INFINITY;
    }
    for (int i = 0; i < 7; i++) {
        double wound = 0;
        if (!lbc_nearest_turn(q[i], limb->lower[i], limb->upper[i], near[i], &wound)) {
            return INFINITY;
        }
        sum += (wound - near[i]) * (wound - near[i]);
    }
    return sum;
}

/* --- Intervals --------------------------------------------------------------------------------------------------------------- */

typedef struct angles {
    int count;
    double list[CRITICAL + 1]; /* increasing, from 0 to 2 pi */
} angles;

static void add_angle(angles *a, double x) {
    x -= LBM_TWO_PI * floor(x / LBM_TWO_PI);
    int at = a->count < CRITICAL ? a->count++ : CRITICAL - 1;
    for (; at > 0 && a->list[at - 1] > x; at--) {
        a->list[at] = a->list[at - 1];
    }
    a->list[at] = x;
}

/* The angles at which u.M v = value. */
static void add_equation(const double m[3][9], const double u[3], const double v[3], double value, angles *a) {
    double part[3], moved[3], middle, half;
    for (int k = 0; k < 3; k++) {
        lbc_apply9(m[k], v, moved);
        part[k] = lbm_dot3(u, moved);
    }
    if (lbc_solve_linear(part[1], part[2], value - part[0], &middle, &half)) {
        add_angle(a, middle + half);
        add_angle(a, middle - half);
    }
}

static void add_triple(const double (*w)[3], const double m[3][9], const double *lower, const double *upper,
                       angles *a) {
    const double ab = lbm_dot3(w[0], w[1]), bc = lbm_dot3(w[1], w[2]);
    double across[3], turned[3], s, c;
    lbm_cross3(w[1], w[2], across);
    const double p = lbm_dot3(w[0], w[2]) - ab * bc, q = lbm_dot3(w[0], across), r = sqrt(p * p + q * q);
    add_equation(m, w[0], w[2], ab * bc + r, a);
    add_equation(m, w[0], w[2], ab * bc - r, a);
    for (int end = 0; end < 2; end++) {
        const double *limit = end ? upper : lower, slack = end ? TOUCHED : -TOUCHED;
        if (fabs(limit[0]) < INFINITY) {
            lbm_sincos(limit[0] + slack, &s, &c);
            lbc_turn(w[0], c, s, w[1], turned);
            add_equation(m, turned, w[2], bc, a);
        }
        if (fabs(limit[1]) < INFINITY) {
            lbm_sincos(limit[1] + slack, &s, &c);
            lbc_turn(w[1], c, s, w[2], turned);
            add_equation(m, w[0], w[2], lbm_dot3(w[0], turned), a);
        }
        if (fabs(limit[2]) < INFINITY) {
            lbm_sincos(limit[2] + slack, &s, &c);
            lbc_turn(w[2], c, -s, w[1], turned);
            add_equation(m, w[0], turned, ab, a);
        }
    }
}

/* All angles at which something changes, for an elbow. */
static void find_angles(const lbc_arm *arm, const lbc_limb *limb, const lbc_elbow *e, angles *a) {
    a->count = 0;
    add_angle(a, 0);
    add_triple((const double(*)[3])arm->axis, (const double(*)[9])e->x, limb->lower, limb->upper, a);
    add_triple((const double(*)[3])arm->axis + 4, (const double(*)[9])e->y, limb->lower + 4, limb->upper + 4, a);
}

/* The psi of an interval that is nearest to the start: the best of a few samples, then golden section around it. */
static double nearest_psi(const lbc_arm *arm, const lbc_limb *limb, int branch, const double ends[2],
                          const double *near) {
    const double width = ends[1] - ends[0];
    double best = (ends[0] + ends[1]) / 2, least = INFINITY, low, high;
    for (int i = 0; i < SAMPLES; i++) {
        const double psi = ends[0] + width * (i + 0.5) / SAMPLES, d = distance_at(arm, limb, branch, psi, near);
        if (d < least) {
            least = d;
            best = psi;
        }
    }
    low = best - width / SAMPLES > ends[0] ? best - width / SAMPLES : ends[0];
    high = best + width / SAMPLES < ends[1] ? best + width / SAMPLES : ends[1];
    double u = high - GOLDEN * (high - low), v = low + GOLDEN * (high - low);
    double du = distance_at(arm, limb, branch, u, near), dv = distance_at(arm, limb, branch, v, near);
    for (int i = 0; i < SECTIONS; i++) {
        if (du <= dv) {
            high = v;
            v = u;
            dv = du;
            u = high - GOLDEN * (high - low);
            du = distance_at(arm, limb, branch, u, near);
        } else {
            low = u;
            u = v;
            du = dv;
            v = low + GOLDEN * (high - low);
            dv = distance_at(arm, limb, branch, v, near);
        }
    }
    return du < least && du <= dv ? u : dv < least ? v : best;
}

/* The error of a solution, after some steps of Newton's method where it is not small. */
static double polish(const lbc_arm *arm, const lbm_transform *goal, double q[LBC_JOINTS]) {
    lbc_motion motion;
    double e[6];
    lbc_arm_forward(arm, q, &motion);
    const double error = lbc_arm_error(&motion.end, goal, e);
    return error > LBC_VERIFIED / 10 ? lbc_arm_polish(arm, goal, q, 8) : error;
}

/* The solution at at[0], which stands for the interval from at[1] to at[2]. */
static void insert_at(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *goal, const double at[3],
                      int branch, lbc_set *set) {
    const double psi = at[0], offset = limb->elbows[branch / BRANCHES].offset;
    lbc_solution *s = &set->list[set->count];
    if (set->count == LBC_SOLUTIONS ||
        !joints_at(arm, &limb->elbows[branch / BRANCHES], branch % BRANCHES, psi, s->q)) {
        return;
    }
    s->error = polish(arm, goal, s->q);
    if (s->error > LBC_VERIFIED) {
        set->refused++;
        return;
    }
    for (int i = 0; i < 7; i++) {
        s->q[i] = lbc_wrapped(s->q[i]);
    }
    s->is_free = 0;
    s->branch = branch;
    s->swivel[0] = lbc_wrapped(psi + offset);
    s->swivel[1] = s->swivel[0] + (at[1] - psi);
    s->swivel[2] = s->swivel[0] + (at[2] - psi);
    set->count++;
}

static void insert(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *goal, const double ends[2],
                   int branch, const double *near, lbc_set *set) {
    const double psi = nearest_psi(arm, limb, branch, ends, near);
    insert_at(arm, limb, goal, (const double[3]){psi, ends[0], ends[1]}, branch, set);
}

/* Where a limit is only touched, the angle is good to half the digits. */
static void draw_in(double ends[2]) {
    const double by = ends[1] - ends[0] > 4 * END_SLACK ? END_SLACK : (ends[1] - ends[0]) / 4;
    ends[0] += by;
    ends[1] -= by;
}

/* The intervals of one branch: neighbours that both hold are one, also across 2 pi. */
static void find_intervals(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *goal, const angles *a,
                           int branch, const double *near, lbc_set *set) {
    unsigned char holds[CRITICAL + 1];
    int first_gap = -1;
    for (int i = 0; i < a->count; i++) {
        const double low = a->list[i], high = i + 1 < a->count ? a->list[i + 1] : a->list[0] + LBM_TWO_PI;
        holds[i] = high - low > SAME_ANGLE ? distance_at(arm, limb, branch, (low + high) / 2, near) < INFINITY : 2;
        first_gap = first_gap < 0 && !holds[i] ? i : first_gap;
    }
    if (first_gap < 0) {
        insert(arm, limb, goal, (const double[2]){a->list[0], a->list[0] + LBM_TWO_PI}, branch, near, set);
        return;
    }
    double ends[2];
    int is_open = 0;
    for (int k = 1; k <= a->count; k++) { /* from behind a gap, once round */
        const int i = (first_gap + k) % a->count;
        const double low = a->list[i] + (i <= first_gap ? LBM_TWO_PI : 0);
        if (holds[i] == 1 && !is_open) {
            ends[0] = low;
            is_open = 1;
        } else if (!holds[i] && is_open) {
            ends[1] = low;
            draw_in(ends);
            insert(arm, limb, goal, ends, branch, near, set);
            is_open = 0;
        }
    }
}

/* --- Where no angle keeps the limits
 * ------------------------------------------------------------------------------------------- */

/* How far the joints at psi are inside their limits: negative, outside; -INFINITY where there are none. */
static double margin_at(const lbc_arm *arm, const lbc_limb *limb, int branch, double psi, double q[LBC_JOINTS]) {
    double least = INFINITY;
    if (!joints_at(arm, &limb->elbows[branch / BRANCHES], branch % BRANCHES, psi, q)) {
        return -INFINITY;
    }
    for (int i = 0; i < 7; i++) {
        const double margin = lbc_margin(lbc_wrapped(q[i]), limb->lower[i], limb->upper[i]);
        least = margin < least ? margin : least;
    }
    return least;
}

/* The pose that breaks its limits least, of all branches: the best of many angles, then ever smaller steps from
 * there. */
static void insert_nearest(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *goal, lbc_set *set) {
    double q[LBC_JOINTS], best = -INFINITY, psi = 0;
    int branch = 0;
    for (int b = 0; b < BRANCHES * limb->elbow_count; b++) {
        for (int k = 0; k < AROUND; k++) {
            const double margin = margin_at(arm, limb, b, LBM_TWO_PI * k / AROUND, q);
            if (margin > best) {
                best = margin;
                psi = LBM_TWO_PI * k / AROUND;
                branch = b;
            }
        }
    }
    for (double step = LBM_PI / AROUND; step > 1e-9; step /= 2) {
        for (int side = -1; side <= 1; side += 2) {
            const double margin = margin_at(arm, limb, branch, psi + side * step, q);
            if (margin > best) {
                best = margin;
                psi += side * step;
            }
        }
    }
    if (best == -INFINITY) {
        return;
    }
    const int before = set->count;
    insert_at(arm, limb, goal, (const double[3]){psi, psi, psi}, branch, set);
    set->is_outside = set->count > before;
}

void lbc_limb_solve(const lbc_arm *arm, lbc_limb *limb, const lbm_transform *goal, const double *near, lbc_set *set) {
    lbm_transform g;
    lbm_transform_multiply(goal, &arm->home_inverse, &g);
    find_elbows(arm, limb, &g);
    for (int k = 0; k < limb->elbow_count; k++) {
        const lbc_elbow *e = &limb->elbows[k];
        angles a;
        double wound = 0;
        if (!lbc_nearest_turn(e->q, limb->lower[3], limb->upper[3], near[3], &wound)) {
            continue;
        }
        find_angles(arm, limb, e, &a);
        for (int signs = 0; signs < BRANCHES; signs++) {
            find_intervals(arm, limb, goal, &a, BRANCHES * k + signs, near, set);
        }
    }
    if (set->count == 0) {
        insert_nearest(arm, limb, goal, set);
    }
}

/* Whether some swivel angle has the outer two of three axes so nearly on one line that their joints turn by much while
 * it turns by little. */
static int is_gimbal(const double (*w)[3], const double m[3][9]) {
    double part[3], moved[3];
    for (int k = 0; k < 3; k++) {
        lbc_apply9(m[k], w[2], moved);
        part[k] = lbm_dot3(w[0], moved);
    }
    return fabs(part[0]) + sqrt(part[1] * part[1] + part[2] * part[2]) > 1 - GIMBAL * GIMBAL / 2;
}

/* Whether some angle keeps the limits that the limb has now, or may keep them. */
static int holds_somewhere(const lbc_arm *arm, const lbc_limb *limb, const double near[7]) {
    for (int k = 0; k < limb->elbow_count; k++) {
        const lbc_elbow *e = &limb->elbows[k];
        angles a;
        if (is_gimbal((const double(*)[3])arm->axis, (const double(*)[9])e->x) ||
            is_gimbal((const double(*)[3])arm->axis + 4, (const double(*)[9])e->y)) {
            return 1;
        }
        find_angles(arm, limb, e, &a);
        for (int i = 0; i < a.count * BRANCHES; i++) {
            const int at = i / BRANCHES;
            const double low = a.list[at], high = at + 1 < a.count ? a.list[at + 1] : a.list[0] + LBM_TWO_PI;
            if (distance_at(arm, limb, BRANCHES * k + i % BRANCHES, (low + high) / 2, near) < INFINITY) {
                return 1;
            }
        }
    }
    return 0;
}

int lbc_limb_is_clear(const lbc_arm *arm, lbc_limb *limb, const lbm_transform *goal, double wider) {
    lbm_transform g;
    double lower[7], upper[7];
    const double near[7] = {0}, *const lowers = limb->lower, *const uppers = limb->upper;
    lbm_transform_multiply(goal, &arm->home_inverse, &g);
    for (int i = 0; i < 7; i++) {
        lower[i] = lowers[i] - wider;
        upper[i] = uppers[i] + wider;
    }
    limb->lower = lower;
    limb->upper = upper;
    find_elbows(arm, limb, &g);
    const int is_clear = !limb->is_degenerate && !limb->is_edge && !holds_somewhere(arm, limb, near);
    limb->lower = lowers;
    limb->upper = uppers;
    return is_clear;
}

int lbc_limb_at(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *goal, int branch, double swivel,
                double q[LBC_JOINTS]) {
    if (branch < 0 || branch >= BRANCHES * limb->elbow_count) {
        return 0;
    }
    const lbc_elbow *e = &limb->elbows[branch / BRANCHES];
    return joints_at(arm, e, branch % BRANCHES, swivel - e->offset, q) && polish(arm, goal, q) <= LBC_VERIFIED;
}
