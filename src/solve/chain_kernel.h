/* The chain engine's arithmetic, for LBM_LANES lanes: included once by each of chain_kernel1.c to chain_kernel8.c, which
 * define LBM_LANES and KERNEL, the function's name.
 *
 * An iteration: forward kinematics, the pose error e (point and rotation vector, seen from the first joint's axis), the
 * Jacobian's columns K (twists), and the step K'(K K' + damping)^-1 e, cut at the joints' ranges. Joints that sit at an
 * end of their range with a gradient that points outward are left out of the step. The damping falls with the error, so
 * the end is Newton's. There are no branches on what a lane holds but one, around the work for joints at their limits
 * when no lane has any: it changes no result. */
#include "math/lanes.h"
#include "solve/chain.h"

#define DAMPING 0.1        /* times the error */
#define LEAST_DAMPING 1e-6 /* at least */

typedef struct frame_lanes {
    lbm_lanes x[3], y[3], n[3], p[3];
} frame_lanes;

typedef struct error_lanes {
    lbm_lanes point[3], rotation[3], point_square, rotation_square;
    lbm_truths is_small; /* the rotation is less than a third of a turn */
} error_lanes;

static inline void find_sines(const lbs_chain *c, lbs_lanes *l) {
    for (int i = 0; i < c->n; i++) {
        lbm_lanes sine, cosine;
        lbm_sincos_lanes(lbm_load_lanes(l->q[i]) + c->joints[i].offset, &sine, &cosine);
        lbm_store_lanes(l->sine[i], sine);
        lbm_store_lanes(l->cosine[i], cosine);
    }
}

static inline void turn(frame_lanes *f, lbm_lanes sine, lbm_lanes cosine) {
    const lbm_lanes minus = -sine;
    for (int k = 0; k < 3; k++) {
        const lbm_lanes x = f->x[k] * cosine + f->y[k] * sine;
        f->y[k] = f->y[k] * cosine + f->x[k] * minus;
        f->x[k] = x;
    }
}

static inline void shift_and_twist(const lbs_chain_joint *j, frame_lanes *f) {
    if (j->shifts & 1)
        for (int k = 0; k < 3; k++) f->p[k] += f->x[k] * j->x;
    if (j->shifts & 2)
        for (int k = 0; k < 3; k++) f->p[k] += f->y[k] * j->y;
    if (j->shifts & 4)
        for (int k = 0; k < 3; k++) f->p[k] += f->n[k] * j->z;
    if (j->twist == LBS_TWIST_QUARTER) {
        for (int k = 0; k < 3; k++) {
            const lbm_lanes y = f->y[k];
            f->y[k] = f->n[k];
            f->n[k] = y;
        }
    } else if (j->twist == LBS_TWIST_ANY) {
        for (int k = 0; k < 3; k++) {
            const lbm_lanes y = f->y[k] * j->twist_cosine + f->n[k] * j->twist_sine;
            f->n[k] = f->n[k] * j->twist_cosine + f->y[k] * -j->twist_sine;
            f->y[k] = y;
        }
    }
}

/* Along the chain; the axes and points of the joints go to the columns, for now. */
static inline void go_along(const lbs_chain *c, lbs_lanes *l, frame_lanes *f) {
    const lbm_lanes zero = lbm_all_lanes(0), one = lbm_all_lanes(1);
    *f = (frame_lanes){{one, zero, zero}, {zero, one, zero}, {zero, zero, one}, {zero, zero, zero}};
    int i = 0;
    if (!c->joints[0].slides) {
        f->x[0] = f->y[1] = lbm_load_lanes(l->cosine[0]);
        f->x[1] = lbm_load_lanes(l->sine[0]);
        f->y[0] = -f->x[1];
        i = 1;
    }
    for (; i < c->n; i++) {
        const lbs_chain_joint *j = &c->joints[i];
        shift_and_twist(j, f);
        for (int k = 0; k < 3; k++) {
            lbm_store_lanes(l->column[i][k], f->p[k]);
            lbm_store_lanes(l->column[i][3 + k], f->n[k]);
        }
        if (!j->slides) {
            turn(f, lbm_load_lanes(l->sine[i]), lbm_load_lanes(l->cosine[i]));
            continue;
        }
        const lbm_lanes far = lbm_load_lanes(l->q[i]) * (j->flipped ? -c->unit : c->unit);
        for (int k = 0; k < 3; k++) f->p[k] += f->n[k] * far;
        if (j->turns) turn(f, lbm_all_lanes(j->turn_sine), lbm_all_lanes(j->turn_cosine));
    }
    for (int k = 0; k < 3; k++) f->p[k] += f->x[k] * c->end_x + f->n[k] * c->end_z;
}

/* The rotation vector from frame to goal. With the cosine h of half its angle t, from the trace, and v = 2 sin t times
 * the axis from the columns' cross products, it is v t / (2 sin t) = v (t/2 / sin t/2) / (2 h), and the fraction is a
 * polynomial in 1 - h (a Chebyshev fit, to 4e-7; exact at 0). Half a turn, where v is 0, is taken for a little less. */
static inline void rotation_error(const lbs_lanes *l, const frame_lanes *f, error_lanes *e) {
    lbm_lanes g[9], v[3];
    for (int i = 0; i < 9; i++) g[i] = lbm_load_lanes(l->goal[i]);
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        v[k] = (f->x[a] * g[b] - f->x[b] * g[a]) + (f->y[a] * g[3 + b] - f->y[b] * g[3 + a]) +
               (f->n[a] * g[6 + b] - f->n[b] * g[6 + a]);
    }
    const lbm_lanes trace = (f->x[0] * g[0] + f->x[1] * g[1] + f->x[2] * g[2]) +
                            (f->y[0] * g[3] + f->y[1] * g[4] + f->y[2] * g[5]) +
                            (f->n[0] * g[6] + f->n[1] * g[7] + f->n[2] * g[8]);
    const lbm_lanes h = lbm_sqrt_lanes(lbm_max_lanes(trace + 1.0, lbm_all_lanes(1e-7))) * 0.5;
    const lbm_lanes u = lbm_max_lanes(1.0 - h, lbm_all_lanes(0)), uu = u * u;
    const lbm_lanes low = (0x1.555548d6530c2p-2 + u * 0x1.111d840cdb52ep-3) +
                          uu * (0x1.d01b8adc2465bp-5 + u * 0x1.ddd9cb565eeb5p-6);
    const lbm_lanes high = (-0x1.371d26cb5d4b1p-9 + u * 0x1.07b8d38cb00e9p-5) +
                           uu * (-0x1.8d691d83146fbp-6 + u * 0x1.a0eab68aace00p-7);
    const lbm_lanes scale = 0.5 * (1.0 + u * (low + (uu * uu) * high)) / h;
    for (int k = 0; k < 3; k++) e->rotation[k] = scale * v[k];
    e->rotation_square =
        e->rotation[0] * e->rotation[0] + e->rotation[1] * e->rotation[1] + e->rotation[2] * e->rotation[2];
    e->is_small = lbm_less(lbm_all_lanes(0), trace);
}

static inline void point_error(const lbs_lanes *l, const frame_lanes *f, error_lanes *e) {
    for (int k = 0; k < 3; k++) e->point[k] = lbm_load_lanes(l->goal[9 + k]) - f->p[k];
    e->point_square = e->point[0] * e->point[0] + e->point[1] * e->point[1] + e->point[2] * e->point[2];
}

/* Column i from the joint's point and axis; joints that push against their range get 0. */
static inline void make_column(const lbs_chain *c, lbs_lanes *l, const frame_lanes *f, const error_lanes *e, int i,
                               int has_point, int has_rotation) {
    const lbs_chain_joint *j = &c->joints[i];
    lbm_lanes column[6];
    for (int k = 0; k < 3; k++) column[3 + k] = lbm_load_lanes(l->column[i][3 + k]);
    if (j->slides) {
        for (int k = 0; k < 3; k++) {
            column[k] = column[3 + k] * c->unit;
            column[3 + k] = lbm_all_lanes(0);
        }
    } else if (has_point) {
        lbm_lanes r[3];
        for (int k = 0; k < 3; k++) r[k] = f->p[k] - lbm_load_lanes(l->column[i][k]);
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            column[k] = column[3 + a] * r[b] - column[3 + b] * r[a];
        }
    }
    if (j->scale != 1)
        for (int k = 0; k < 6; k++) column[k] = column[k] * j->scale;
    const lbm_lanes q = lbm_load_lanes(l->q[i]);
    const lbm_truths low = lbm_at_most(q, lbm_all_lanes(j->lower)), high = lbm_at_most(lbm_all_lanes(j->upper), q);
    if (lbm_truth_bits(low | high)) {
        lbm_lanes gradient = lbm_all_lanes(0), zero = lbm_all_lanes(0);
        if (has_point) gradient += column[0] * e->point[0] + column[1] * e->point[1] + column[2] * e->point[2];
        if (has_rotation)
            gradient += column[3] * e->rotation[0] + column[4] * e->rotation[1] + column[5] * e->rotation[2];
        if (j->flipped) gradient = -gradient;
        const lbm_truths stuck = (low & lbm_less(gradient, zero)) | (high & lbm_less(zero, gradient));
        for (int k = 0; k < 6; k++) column[k] = lbm_choose(stuck, zero, column[k]);
    }
    for (int k = has_point ? 0 : 3; k < (has_rotation ? 6 : 3); k++) lbm_store_lanes(l->column[i][k], column[k]);
}

/* The first joint's, whose axis is (0, 0, 1) at (0, 0, 0), as any other. */
static inline void place_first(lbs_lanes *l) {
    const lbm_lanes zero = lbm_all_lanes(0);
    for (int k = 0; k < 5; k++) lbm_store_lanes(l->column[0][k], zero);
    lbm_store_lanes(l->column[0][5], lbm_all_lanes(1));
}

/* Symmetric 3 x 3 matrices as aa, ab, ac, bb, bc, cc. */
static inline void sum_products(const lbs_chain *c, const lbs_lanes *l, int first, lbm_lanes damping, lbm_lanes m[6]) {
    lbm_lanes aa = damping, ab = lbm_all_lanes(0), ac = ab, bb = damping, bc = ab, cc = damping;
    for (int i = 0; i < c->n; i++) {
        const lbm_lanes a = lbm_load_lanes(l->column[i][first]), b = lbm_load_lanes(l->column[i][first + 1]),
                        d = lbm_load_lanes(l->column[i][first + 2]);
        aa += a * a;
        ab += a * b;
        ac += a * d;
        bb += b * b;
        bc += b * d;
        cc += d * d;
    }
    m[0] = aa;
    m[1] = ab;
    m[2] = ac;
    m[3] = bb;
    m[4] = bc;
    m[5] = cc;
}

/* m[3 r + s]: rotation row r by point row s. */
static inline void sum_mixed(const lbs_chain *c, const lbs_lanes *l, lbm_lanes m[9]) {
    for (int k = 0; k < 9; k++) m[k] = lbm_all_lanes(0);
    for (int i = 0; i < c->n; i++)
        for (int r = 0; r < 3; r++) {
            const lbm_lanes w = lbm_load_lanes(l->column[i][3 + r]);
            for (int s = 0; s < 3; s++) m[3 * r + s] += w * lbm_load_lanes(l->column[i][s]);
        }
}

static inline void invert3(const lbm_lanes m[6], lbm_lanes inverse[6]) {
    const lbm_lanes aa = m[3] * m[5] - m[4] * m[4], ab = m[2] * m[4] - m[1] * m[5], ac = m[1] * m[4] - m[2] * m[3];
    const lbm_lanes bb = m[0] * m[5] - m[2] * m[2], bc = m[1] * m[2] - m[0] * m[4], cc = m[0] * m[3] - m[1] * m[1];
    const lbm_lanes over = 1.0 / (m[0] * aa + m[1] * ab + m[2] * ac);
    inverse[0] = aa * over;
    inverse[1] = ab * over;
    inverse[2] = ac * over;
    inverse[3] = bb * over;
    inverse[4] = bc * over;
    inverse[5] = cc * over;
}

static inline void multiply3(const lbm_lanes m[6], const lbm_lanes v[3], lbm_lanes out[3]) {
    const lbm_lanes a = v[0], b = v[1], c = v[2];
    out[0] = m[0] * a + m[1] * b + m[2] * c;
    out[1] = m[1] * a + m[3] * b + m[4] * c;
    out[2] = m[2] * a + m[4] * b + m[5] * c;
}

/* y = (K K' + damping)^-1 e, by blocks: A the point's, C the rotation's, B the mixed one. Damped, they are positive
 * definite, and nothing need be exchanged. */
static inline void solve_both(const lbs_chain *c, const lbs_lanes *l, const error_lanes *e, lbm_lanes damping,
                              lbm_lanes y[6]) {
    lbm_lanes a[6], b[9], d[6], inverse[6], w[9], rest[3], solved[3];
    sum_products(c, l, 0, damping, a);
    sum_mixed(c, l, b);
    sum_products(c, l, 3, damping, d);
    invert3(a, inverse);
    for (int r = 0; r < 3; r++) multiply3(inverse, b + 3 * r, w + 3 * r);
    for (int r = 0, k = 0; r < 3; r++)
        for (int s = r; s < 3; s++, k++)
            d[k] -= w[3 * r] * b[3 * s] + w[3 * r + 1] * b[3 * s + 1] + w[3 * r + 2] * b[3 * s + 2];
    for (int r = 0; r < 3; r++)
        rest[r] = e->rotation[r] -
                  (w[3 * r] * e->point[0] + w[3 * r + 1] * e->point[1] + w[3 * r + 2] * e->point[2]);
    multiply3(inverse, e->point, solved);
    invert3(d, a);
    multiply3(a, rest, y + 3);
    for (int s = 0; s < 3; s++) y[s] = solved[s] - (w[s] * y[3] + w[3 + s] * y[4] + w[6 + s] * y[5]);
}

static inline void step(const lbs_chain *c, lbs_lanes *l, const error_lanes *e, lbm_lanes damping, lbm_truths done,
                        int has_point, int has_rotation) {
    lbm_lanes y[6], a[6], inverse[6];
    if (has_point && has_rotation) {
        solve_both(c, l, e, damping, y);
    } else {
        sum_products(c, l, has_point ? 0 : 3, damping, a);
        invert3(a, inverse);
        if (has_point) multiply3(inverse, e->point, y);
        else multiply3(inverse, e->rotation, y + 3);
    }
    for (int i = 0; i < c->n; i++) {
        const lbs_chain_joint *j = &c->joints[i];
        lbm_lanes by = lbm_all_lanes(0), q = lbm_load_lanes(l->q[i]);
        if (has_point)
            by = lbm_load_lanes(l->column[i][0]) * y[0] + lbm_load_lanes(l->column[i][1]) * y[1] +
                 lbm_load_lanes(l->column[i][2]) * y[2];
        if (has_rotation)
            by += lbm_load_lanes(l->column[i][3]) * y[3] + lbm_load_lanes(l->column[i][4]) * y[4] +
                  lbm_load_lanes(l->column[i][5]) * y[5];
        if (j->scale != 1) by = by * j->scale;
        lbm_lanes to = j->flipped ? q - by : q + by;
        to = lbm_max_lanes(lbm_min_lanes(to, lbm_all_lanes(j->upper)), lbm_all_lanes(j->lower));
        lbm_store_lanes(l->q[i], lbm_choose(done, q, to));
    }
}

/* Which lanes met the tolerances, and which are not worth going on with: their error did not halve in time, or they had
 * all their evaluations. */
static inline lbm_truths judge(const lbs_chain *c, lbs_lanes *l, const error_lanes *e, lbm_lanes error, int has_point,
                               int has_rotation, lbm_truths *met) {
    const lbm_lanes one = lbm_all_lanes(1), count = lbm_load_lanes(l->count) + one;
    lbm_lanes left = lbm_load_lanes(l->left) - one, mark = lbm_load_lanes(l->mark);
    lbm_truths in = lbm_at_most(lbm_all_lanes(0), one);
    if (has_point) in = in & lbm_at_most(e->point_square, lbm_all_lanes(c->tolerance * c->tolerance));
    if (has_rotation)
        in = in & e->is_small & lbm_at_most(e->rotation_square, lbm_all_lanes(c->tolerance_rad * c->tolerance_rad));
    const lbm_truths due = lbm_less(left, one), spent = lbm_at_most(lbm_load_lanes(l->limit), count);
    const lbm_truths going = lbm_at_most(error, 0.5 * mark) & ~spent;
    lbm_store_lanes(l->error, error);
    lbm_store_lanes(l->count, count);
    lbm_store_lanes(l->mark, lbm_choose(due, error, mark));
    lbm_store_lanes(l->left, lbm_choose(due, lbm_load_lanes(l->patience), left));
    *met = in;
    return in | (due & ~going) | spent;
}

static inline unsigned run(const lbs_chain *c, lbs_lanes *l, unsigned live, int iterations, unsigned *met,
                           int has_point, int has_rotation) {
    unsigned ended = 0;
    for (int i = 0; i < iterations && !ended; i++) {
        frame_lanes f;
        error_lanes e;
        lbm_lanes error = lbm_all_lanes(0);
        lbm_truths in;
        find_sines(c, l);
        go_along(c, l, &f);
        if (has_point) {
            point_error(l, &f, &e);
            error = e.point_square;
        }
        if (has_rotation) {
            rotation_error(l, &f, &e);
            error = has_point ? error + e.rotation_square : e.rotation_square;
        }
        error = error * 0.5;
        const lbm_truths done = judge(c, l, &e, error, has_point, has_rotation, &in);
        *met = lbm_truth_bits(in) & live;
        ended = lbm_truth_bits(done) & live;
        if (ended == live) break;
        if (!c->joints[0].slides) place_first(l);
        for (int k = 0; k < c->n; k++) make_column(c, l, &f, &e, k, has_point, has_rotation);
        step(c, l, &e, error * DAMPING + LEAST_DAMPING, done, has_point, has_rotation);
    }
    return ended;
}

unsigned KERNEL(const lbs_chain *c, lbs_lanes *l, unsigned live, int iterations, unsigned *met) {
    if (!c->has_rotation) return run(c, l, live, iterations, met, 1, 0);
    return c->has_point ? run(c, l, live, iterations, met, 1, 1) : run(c, l, live, iterations, met, 0, 1);
}
