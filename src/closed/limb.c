/* Spherical, revolute, spherical, after D. Tolani, A. Goswami and N. Badler (Real-time inverse kinematics techniques for
 * anthropomorphic limbs, Graphical Models 62, 2000): the distance from shoulder to wrist gives the elbow, and what is left free
 * is the swivel angle about the line between them. Every limit of a shoulder or wrist joint is an equation a cos psi + b sin psi
 * = d: with the rotation X = R(wa, qa) R(wb, qb) R(wc, qc)
 *
 *     qb = v:  wa.X wc = wa.R(wb, v) wc        qa = v:  (R(wa, v) wb).X wc = wb.wc        qc = v:  wa.X R(wc, -v) wb = wa.wb
 *
 * and where qb has a double root wa.X wc is at one of its extremes. Between two neighbours of all these angles nothing
 * changes, so that one test in the middle tells whether the limits hold on the whole interval. */
#include "closed/limb.h"

#include <math.h>

#include "math/trig.h"

#define MEETING 1e-9      /* arm lengths by which axes may miss the point where they meet */
#define NOT_PARALLEL 1e-6 /* the sine of the angle between neighbours */
#define CRITICAL 80   /* angles at which something changes, at most: 2 triples, 6 limits and 2 extremes, 2 roots each */
#define ON_LIMIT 1e-9 /* radians */
#define SAMPLES 9     /* of an interval, in search of the values nearest to the start, */
#define SECTIONS 24   /* and then steps of golden section */
#define GOLDEN 0.61803398874989484820
#define SAME_ANGLE 1e-12
#define END_SLACK 3e-8 /* radians that intervals are drawn in by */
#define BRANCHES 4     /* of an elbow: two of the shoulder, two of the wrist */

/* --- Which arms -------------------------------------------------------------------------------------------------------------- */

static double sine_between(const double a[3], const double b[3]) {
    double across[3];
    lbm_cross3(a, b, across);
    return lbm_norm3(across);
}

/* The point of line b nearest to line a, which is not parallel to it. */
static void nearest_on(const double a[3], const double p[3], const double b[3], const double q[3], double out[3]) {
    double way[3], normal[3], u[3];
    lbm_sub3(q, p, way);
    lbm_cross3(a, b, normal);
    lbm_cross3(way, a, u);
    lbm_copy3(out, q);
    lbm_add_scaled3(out, b, lbm_dot3(u, normal) / lbm_dot3(normal, normal));
}

static int meet_at(const lbc_arm *arm, int first, double centre[3]) {
    if (sine_between(arm->axis[first], arm->axis[first + 1]) < NOT_PARALLEL ||
        sine_between(arm->axis[first + 1], arm->axis[first + 2]) < NOT_PARALLEL) {
        return 0;
    }
    nearest_on(arm->axis[first], arm->point[first], arm->axis[first + 1], arm->point[first + 1], centre);
    for (int i = first; i < first + 3; i++) {
        double way[3];
        lbm_sub3(centre, arm->point[i], way);
        if (sine_between(arm->axis[i], way) > MEETING) {
            return 0;
        }
    }
    return 1;
}

int lbc_limb_find(const lbc_arm *arm, lbc_limb *limb) {
    if (arm->n != 7) {
        return 0;
    }
    for (int i = 0; i < 7; i++) {
        if (arm->slides[i]) {
            return 0;
        }
    }
    if (!meet_at(arm, 0, limb->shoulder) || !meet_at(arm, 4, limb->wrist)) {
        return 0;
    }
    double way[3];
    lbm_sub3(limb->shoulder, arm->point[3], way);
    lbm_copy3(limb->elbow, arm->point[3]);
    lbm_add_scaled3(limb->elbow, arm->axis[3], lbm_dot3(arm->axis[3], way));
    return sine_between(arm->axis[3], way) > MEETING; /* else the elbow does not change the distance */
}

/* --- Rotations --------------------------------------------------------------------------------------------------------------- */

static void multiply(const double a[9], const double b[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = a[3 * i] * b[j] + a[3 * i + 1] * b[3 + j] + a[3 * i + 2] * b[6 + j];
        }
    }
}

static void transpose(const double a[9], double out[9]) {
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 3; j++) {
            out[3 * i + j] = a[3 * j + i];
        }
    }
}

static void apply(const double a[9], const double v[3], double out[3]) {
    lbm_set3(out, lbm_dot3(a, v), lbm_dot3(a + 3, v), lbm_dot3(a + 6, v));
}

static void about(const double w[3], double c, double s, double out[9]) {
    for (int j = 0; j < 3; j++) {
        double column[3] = {j == 0, j == 1, j == 2};
        lbc_turn(w, c, s, column, column);
        for (int i = 0; i < 3; i++) {
            out[3 * i + j] = column[i];
        }
    }
}

/* Some rotation that takes the unit vector m to n. */
static void between(const double m[3], const double n[3], double out[9]) {
    double axis[3];
    lbm_cross3(m, n, axis);
    double sine = lbm_norm3(axis);
    const double cosine = lbm_dot3(m, n);
    if (sine < 1e-12) {
        lbc_across(m, axis);
        sine = lbm_norm3(axis);
        for (int k = 0; k < 3; k++) {
            axis[k] /= sine;
        }
        about(axis, cosine > 0 ? 1 : -1, 0, out);
        return;
    }
    for (int k = 0; k < 3; k++) {
        axis[k] /= sine;
    }
    about(axis, cosine, sine, out);
}

/* m[0] + m[1] cos + m[2] sin. */
static void at_angle(const double m[3][9], double psi, double out[9]) {
    double s, c;
    lbm_sincos(psi, &s, &c);
    for (int i = 0; i < 9; i++) {
        out[i] = m[0][i] + c * m[1][i] + s * m[2][i];
    }
}

/* a cos x + b sin x = d: the middle of the two roots and half their distance. Returns 0 where there are none. */
static int solve_linear(double a, double b, double d, double *middle, double *half) {
    const double r = sqrt(a * a + b * b);
    if (r < 1e-14 || fabs(d) > r * (1 + 1e-12)) {
        return 0;
    }
    const double ratio = d / r;
    *middle = lbm_atan2(b, a);
    *half = lbm_acos(ratio > 1 ? 1 : ratio < -1 ? -1 : ratio);
    return 1;
}

/* The angles of three axes that make a rotation; sign chooses one of the two. Returns 0 where there are none. */
static int decompose(const double (*w)[3], const double x[9], int sign, double q[3]) {
    double target[3], across[3], side[3], moved[3], tilted[3], middle, half;
    const double ab = lbm_dot3(w[0], w[1]), bc = lbm_dot3(w[1], w[2]);
    apply(x, w[2], target);
    lbm_cross3(w[1], w[2], across);
    double a = lbm_dot3(w[0], w[2]) - ab * bc, b = lbm_dot3(w[0], across), d = lbm_dot3(w[0], target) - ab * bc;
    const double r = sqrt(a * a + b * b);
    d = d > r && d < r * (1 + 1e-9) ? r : d < -r && d > -r * (1 + 1e-9) ? -r : d; /* rounding at an extreme */
    if (!solve_linear(a, b, d, &middle, &half)) {
        return 0;
    }
    double s, c;
    q[1] = middle + (sign ? -half : half);
    lbm_sincos(q[1], &s, &c);
    lbc_turn(w[1], c, s, w[2], tilted);
    lbm_cross3(tilted, target, across);
    const double sine = lbm_dot3(w[0], across);
    const double cosine = lbm_dot3(tilted, target) - lbm_dot3(w[0], tilted) * lbm_dot3(w[0], target);
    q[0] = sine * sine + cosine * cosine < 1e-24 ? 0 : lbm_atan2(sine, cosine);
    lbc_across(w[2], side);
    apply(x, side, moved);
    double s0, c0;
    lbm_sincos(q[0], &s0, &c0);
    lbc_turn(w[0], c0, -s0, moved, moved);
    lbc_turn(w[1], c, -s, moved, moved);
    lbm_cross3(side, moved, across);
    q[2] = lbm_atan2(lbm_dot3(w[2], across), lbm_dot3(side, moved) - lbm_dot3(w[2], side) * lbm_dot3(w[2], moved));
    return 1;
}

/* --- One goal ---------------------------------------------------------------------------------------------------------------- */

/* The swivel angle where psi is 0: of the elbow from straight down (or from x, where the limb hangs down), about n. */
static double offset_of(const lbc_limb *limb, const double n[3], const double r0[9]) {
    const double down[3] = {0, 0, -1}, ahead[3] = {1, 0, 0};
    double from[3], to[3], way[3], across[3];
    lbm_copy3(from, sine_between(n, down) > 1e-6 ? down : ahead);
    lbm_sub3(limb->elbow, limb->shoulder, way);
    apply(r0, way, to);
    lbm_add_scaled3(from, n, -lbm_dot3(n, from));
    lbm_add_scaled3(to, n, -lbm_dot3(n, to));
    lbm_cross3(from, to, across);
    return lbm_atan2(lbm_dot3(n, across), lbm_dot3(from, to));
}

/* X and Y for an elbow at this angle; x is the way from shoulder to wrist, n its direction. */
static void set_elbow(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *g, const double x[3],
                      lbc_elbow *e) {
    double l[3], n[3], r0[9], nn[9], rest[9], cross[9], r3[9], rg[9], back[9], flipped[9], s, c;
    const double distance = lbm_norm3(x);
    lbm_sincos(e->q, &s, &c);
    lbc_turn_about(arm->axis[3], arm->point[3], (const double[2]){c, s}, limb->wrist, l);
    lbm_sub3(l, limb->shoulder, l);
    const double length = lbm_norm3(l);
    for (int k = 0; k < 3; k++) {
        n[k] = x[k] / distance;
        l[k] /= length;
    }
    between(l, n, r0);
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
    multiply(nn, r0, e->x[0]);
    multiply(rest, r0, e->x[1]);
    multiply(cross, r0, e->x[2]);
    about(arm->axis[3], c, -s, r3);
    for (int k = 0; k < 3; k++) { /* Y = R3' X' Rg */
        transpose(e->x[k], flipped);
        multiply(flipped, rg, back);
        multiply(r3, back, e->y[k]);
    }
    e->offset = offset_of(limb, n, r0);
}

static int find_elbows(const lbc_arm *arm, lbc_limb *limb, const lbm_transform *g) {
    double x[3], wrist[3], centre[3], from[3], across[3], middle, half;
    limb->elbow_count = 0;
    lbm_apply(g, limb->wrist, wrist);
    lbm_sub3(wrist, limb->shoulder, x);
    limb->is_degenerate = lbm_norm3(x) < 1e-9;
    if (limb->is_degenerate) {
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
    if (!solve_linear(2 * lbm_dot3(centre, from), 2 * lbm_dot3(centre, across), d, &middle, &half)) {
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
    return decompose((const double(*)[3])arm->axis, x, signs & 1, q) &&
           decompose((const double(*)[3])arm->axis + 4, y, signs >> 1, q + 4);
}

/* The winding of an angle that is nearest to `near` inside a range. Returns 0 where there is none. */
static int wind(double q, double lower, double upper, double near, double *wound) {
    double best = INFINITY;
    for (int turn = -2; turn <= 2; turn++) {
        const double value = lbc_wrapped(q) + turn * LBM_TWO_PI;
        if (value >= lower - ON_LIMIT && value <= upper + ON_LIMIT && fabs(value - near) < best) {
            best = fabs(value - near);
            *wound = value;
        }
    }
    return best < INFINITY;
}

/* The squared distance of the joints at psi from `near`; INFINITY where a limit is broken. */
static double distance_at(const lbc_arm *arm, const lbc_limb *limb, int branch, double psi, const double *near) {
    double q[LBC_JOINTS], sum = 0;
    if (!joints_at(arm, &limb->elbows[branch / BRANCHES], branch % BRANCHES, psi, q)) {
        return INFINITY;
    }
    for (int i = 0; i < 7; i++) {
        double wound = 0;
        if (!wind(q[i], limb->lower[i], limb->upper[i], near[i], &wound)) {
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
        apply(m[k], v, moved);
        part[k] = lbm_dot3(u, moved);
    }
    if (solve_linear(part[1], part[2], value - part[0], &middle, &half)) {
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
        const double *limit = end ? upper : lower;
        if (fabs(limit[0]) < INFINITY) {
            lbm_sincos(limit[0], &s, &c);
            lbc_turn(w[0], c, s, w[1], turned);
            add_equation(m, turned, w[2], bc, a);
        }
        if (fabs(limit[1]) < INFINITY) {
            lbm_sincos(limit[1], &s, &c);
            lbc_turn(w[1], c, s, w[2], turned);
            add_equation(m, w[0], w[2], lbm_dot3(w[0], turned), a);
        }
        if (fabs(limit[2]) < INFINITY) {
            lbm_sincos(limit[2], &s, &c);
            lbc_turn(w[2], c, -s, w[1], turned);
            add_equation(m, w[0], turned, ab, a);
        }
    }
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

static void insert(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *goal, const double ends[2],
                   int branch, const double *near, lbc_set *set) {
    lbc_motion motion;
    double e[6];
    const double psi = nearest_psi(arm, limb, branch, ends, near), offset = limb->elbows[branch / BRANCHES].offset;
    lbc_solution *s = &set->list[set->count];
    if (set->count == LBC_SOLUTIONS ||
        !joints_at(arm, &limb->elbows[branch / BRANCHES], branch % BRANCHES, psi, s->q)) {
        return;
    }
    lbc_arm_forward(arm, s->q, &motion);
    s->error = lbc_arm_error(&motion.end, goal, e);
    if (s->error > LBC_VERIFIED / 10) {
        s->error = lbc_arm_polish(arm, goal, s->q, 8);
    }
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
    s->swivel[1] = s->swivel[0] + (ends[0] - psi);
    s->swivel[2] = s->swivel[0] + (ends[1] - psi);
    set->count++;
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

void lbc_limb_solve(const lbc_arm *arm, lbc_limb *limb, const lbm_transform *goal, const double *near, lbc_set *set) {
    lbm_transform g;
    lbm_transform_multiply(goal, &arm->home_inverse, &g);
    find_elbows(arm, limb, &g);
    for (int k = 0; k < limb->elbow_count; k++) {
        const lbc_elbow *e = &limb->elbows[k];
        angles a = {0, {0}};
        double wound = 0;
        if (!wind(e->q, limb->lower[3], limb->upper[3], near[3], &wound)) {
            continue;
        }
        add_angle(&a, 0);
        add_triple((const double(*)[3])arm->axis, (const double(*)[9])e->x, limb->lower, limb->upper, &a);
        add_triple((const double(*)[3])arm->axis + 4, (const double(*)[9])e->y, limb->lower + 4, limb->upper + 4, &a);
        for (int signs = 0; signs < BRANCHES; signs++) {
            find_intervals(arm, limb, goal, &a, BRANCHES * k + signs, near, set);
        }
    }
}

int lbc_limb_at(const lbc_arm *arm, const lbc_limb *limb, int branch, double swivel, double q[LBC_JOINTS]) {
    if (branch < 0 || branch >= BRANCHES * limb->elbow_count) {
        return 0;
    }
    const lbc_elbow *e = &limb->elbows[branch / BRANCHES];
    return joints_at(arm, e, branch % BRANCHES, swivel - e->offset, q);
}
