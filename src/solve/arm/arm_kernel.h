/* The arm engine's arithmetic, for LBM_LANES lanes: included once by each of arm_kernel1.c to arm_kernel8.c,
 * which define LBM_LANES and KERNEL, the function's name; and, for what they share of it, by others.
 *
 * An iteration: forward kinematics, the pose error e (point and rotation vector, seen from the first joint's axis),
 * the Jacobian's columns K (twists), and the step K'(K K' + damping)^-1 e, cut at the joints' ranges. Joints that
 * sit at an end of their range with a gradient that points outward are left out of the step. The damping falls with
 * the error, so the end is Newton's. There are no branches on what a lane holds but one, around the work for joints
 * at their limits when no lane has any: it changes no result. */
#include "math/simd.h"
#include "math/trig.h"
#include "solve/arm/arm_plan.h"

#define DAMPING 0.1        /* times the error */
#define LEAST_DAMPING 1e-6 /* at least */

typedef struct frame_lanes {
    lbm_lanes x[3], y[3], n[3], p[3];
} frame_lanes;

typedef struct error_lanes {
    lbm_lanes point[3], rotation[3], point_square, rotation_square;
    lbm_truths is_small; /* the rotation is less than a third of a turn */
} error_lanes;

/* Below, `parts` is how many lbm_lanes a vector takes: three, where each lane has a chain of its own. */

LBM_INLINE void find_sines(const lbs_arm *c, lbs_arm_lanes *l) {
    for (int i = 0; i < c->n; i++) {
        lbm_lanes sine, cosine;
        lbm_sincos_lanes(lbm_load_lanes(l->q[i]) + c->joints[i].offset, &sine, &cosine);
        lbm_store_lanes(l->sine[i], sine);
        lbm_store_lanes(l->cosine[i], cosine);
    }
}

static inline void turn(frame_lanes *f, lbm_lanes sine, lbm_lanes cosine, int parts) {
    const lbm_lanes minus = -sine;
    for (int k = 0; k < parts; k++) {
        const lbm_lanes x = f->x[k] * cosine + f->y[k] * sine;
        f->y[k] = f->y[k] * cosine + f->x[k] * minus;
        f->x[k] = x;
    }
}

static inline void shift_and_twist(const lbs_arm_joint *j, frame_lanes *f, int parts) {
    if (j->shifts & 1) {
        for (int k = 0; k < parts; k++) {
            f->p[k] += f->x[k] * j->x;
        }
    }
    if (j->shifts & 2) {
        for (int k = 0; k < parts; k++) {
            f->p[k] += f->y[k] * j->y;
        }
    }
    if (j->shifts & 4) {
        for (int k = 0; k < parts; k++) {
            f->p[k] += f->n[k] * j->z;
        }
    }
    if (j->twist == LBS_ARM_TWIST_QUARTER) {
        for (int k = 0; k < parts; k++) {
            const lbm_lanes y = f->y[k];
            f->y[k] = f->n[k];
            f->n[k] = y;
        }
    } else if (j->twist == LBS_ARM_TWIST_ANY) {
        for (int k = 0; k < parts; k++) {
            const lbm_lanes y = f->y[k] * j->twist_cosine + f->n[k] * j->twist_sine;
            f->n[k] = f->n[k] * j->twist_cosine + f->y[k] * -j->twist_sine;
            f->y[k] = y;
        }
    }
}

/* Along the chain; the axes and points of the joints go to the columns, for now. */
LBM_INLINE void go_along(const lbs_arm *c, lbs_arm_lanes *l, frame_lanes *f) {
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
        const lbs_arm_joint *j = &c->joints[i];
        shift_and_twist(j, f, 3);
        for (int k = 0; k < 3; k++) {
            lbm_store_lanes(l->column[i][k], f->p[k]);
            lbm_store_lanes(l->column[i][3 + k], f->n[k]);
        }
        if (!j->slides) {
            turn(f, lbm_load_lanes(l->sine[i]), lbm_load_lanes(l->cosine[i]), 3);
            continue;
        }
        const lbm_lanes far = lbm_load_lanes(l->q[i]) * (j->flipped ? -c->unit : c->unit);
        for (int k = 0; k < 3; k++) {
            f->p[k] += f->n[k] * far;
        }
        if (j->turns) {
            turn(f, lbm_all_lanes(j->turn_sine), lbm_all_lanes(j->turn_cosine), 3);
        }
    }
    for (int k = 0; k < 3; k++) {
        f->p[k] += f->x[k] * c->end_x + f->n[k] * c->end_z;
    }
}

/* The rotation from frame to goal as a vector along its axis, of length 2 sin t/2 for an angle t: half of v = 2 sin
 * t times the axis, from the columns' cross products, over the cosine of t/2; h is four times the square of that, from
 * the trace. It grows all the way to half a turn, where v is 0: that is taken for a little less. */
LBM_INLINE void rotation_error(const lbs_arm_lanes *l, const frame_lanes *f, error_lanes *e) {
    lbm_lanes g[9], v[3];
    for (int i = 0; i < 9; i++) {
        g[i] = lbm_load_lanes(l->goal[i]);
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        v[k] = (f->x[a] * g[b] - f->x[b] * g[a]) + (f->y[a] * g[3 + b] - f->y[b] * g[3 + a]) +
               (f->n[a] * g[6 + b] - f->n[b] * g[6 + a]);
    }
    const lbm_lanes trace = (f->x[0] * g[0] + f->x[1] * g[1] + f->x[2] * g[2]) +
                            (f->y[0] * g[3] + f->y[1] * g[4] + f->y[2] * g[5]) +
                            (f->n[0] * g[6] + f->n[1] * g[7] + f->n[2] * g[8]);
    const lbm_lanes h = lbm_max_lanes(trace + 1.0, lbm_all_lanes(1e-7)), scale = 1.0 / lbm_sqrt_lanes(h);
    for (int k = 0; k < 3; k++) {
        e->rotation[k] = scale * v[k];
    }
    e->rotation_square = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / h; /* does not wait for the root */
    e->is_small = lbm_less(lbm_all_lanes(0), trace);
}

LBM_INLINE void point_error(const lbs_arm_lanes *l, const frame_lanes *f, error_lanes *e) {
    for (int k = 0; k < 3; k++) {
        e->point[k] = lbm_load_lanes(l->goal[9 + k]) - f->p[k];
    }
    e->point_square = e->point[0] * e->point[0] + e->point[1] * e->point[1] + e->point[2] * e->point[2];
}

/* K K' + damping, as symmetric blocks aa, ab, ac, bb, bc, cc of the point's rows and of the rotation's, and
 * mixed[3 r + s] of rotation row r and point row s. */
typedef struct normal_lanes {
    lbm_lanes point[6], rotation[6], mixed[9];
} normal_lanes;

/* Where a joint sits at an end of its range and the gradient points outward, it stays. */
LBM_INLINE void hold(const lbs_arm_joint *j, lbm_lanes q, const error_lanes *e, lbm_lanes column[6], int has_point,
                     int has_rotation) {
    const lbm_truths low = lbm_at_most(q, lbm_all_lanes(j->lower)), high = lbm_at_most(lbm_all_lanes(j->upper), q);
    if (!lbm_truth_bits(low | high)) {
        return;
    }
    const lbm_lanes zero = lbm_all_lanes(0);
    lbm_lanes gradient = zero;
    if (has_point) {
        gradient = column[0] * e->point[0] + column[1] * e->point[1] + column[2] * e->point[2];
    }
    if (has_rotation) {
        gradient += column[3] * e->rotation[0] + column[4] * e->rotation[1] + column[5] * e->rotation[2];
    }
    if (j->flipped) {
        gradient = -gradient;
    }
    const lbm_truths stuck = (low & lbm_less(gradient, zero)) | (high & lbm_less(zero, gradient));
    for (int k = 0; k < 6; k++) {
        column[k] = lbm_choose(stuck, zero, column[k]);
    }
}

static inline void store_column(lbs_arm_lanes *l, int i, const lbm_lanes column[6], int has_point, int has_rotation) {
    for (int k = has_point ? 0 : 3; k < (has_rotation ? 6 : 3); k++) {
        lbm_store_lanes(l->column[i][k], column[k]);
    }
}

/* The first joint's column, if it turns: about (0, 0, 1) at (0, 0, 0), so that half of it is 0. */
LBM_INLINE void begin_sums(const lbs_arm *c, lbs_arm_lanes *l, const frame_lanes *f, const error_lanes *e,
                           int has_point, int has_rotation, normal_lanes *m) {
    const lbs_arm_joint *j = &c->joints[0];
    const lbm_lanes zero = lbm_all_lanes(0);
    lbm_lanes column[6] = {-f->p[1], f->p[0], zero, zero, zero, lbm_all_lanes(1)};
    for (int k = 0; k < 6; k++) {
        m->point[k] = m->rotation[k] = zero;
    }
    for (int k = 0; k < 9; k++) {
        m->mixed[k] = zero;
    }
    if (j->slides) {
        return;
    }
    if (j->scale != 1) {
        for (int k = 0; k < 6; k++) {
            column[k] = column[k] * j->scale;
        }
    }
    hold(j, lbm_load_lanes(l->q[0]), e, column, has_point, has_rotation);
    store_column(l, 0, column, has_point, has_rotation);
    if (has_point) {
        m->point[0] = column[0] * column[0];
        m->point[1] = column[0] * column[1];
        m->point[3] = column[1] * column[1];
    }
    if (has_rotation) {
        m->rotation[5] = column[5] * column[5];
    }
    if (has_point && has_rotation) {
        m->mixed[6] = column[5] * column[0];
        m->mixed[7] = column[5] * column[1];
    }
}

static inline void add_products(const lbm_lanes v[3], lbm_lanes m[6]) {
    m[0] += v[0] * v[0];
    m[1] += v[0] * v[1];
    m[2] += v[0] * v[2];
    m[3] += v[1] * v[1];
    m[4] += v[1] * v[2];
    m[5] += v[2] * v[2];
}

static inline void add_column(const lbm_lanes column[6], int has_point, int has_rotation, normal_lanes *m) {
    if (has_point) {
        add_products(column, m->point);
    }
    if (has_rotation) {
        add_products(column + 3, m->rotation);
    }
    if (has_point && has_rotation) {
        for (int k = 0; k < 9; k++) {
            m->mixed[k] += column[3 + k / 3] * column[k % 3];
        }
    }
}

static inline void damp(normal_lanes *m, lbm_lanes damping) {
    m->point[0] += damping;
    m->point[3] += damping;
    m->point[5] += damping;
    m->rotation[0] += damping;
    m->rotation[3] += damping;
    m->rotation[5] += damping;
}

/* Column i from the joint's point and axis. */
LBM_INLINE void add_joint(const lbs_arm *c, lbs_arm_lanes *l, const frame_lanes *f, const error_lanes *e, int i,
                          int has_point, int has_rotation, normal_lanes *m) {
    const lbs_arm_joint *j = &c->joints[i];
    lbm_lanes column[6], r[3];
    for (int k = 0; k < 3; k++) {
        column[3 + k] = lbm_load_lanes(l->column[i][3 + k]);
    }
    if (j->slides) {
        for (int k = 0; k < 3; k++) {
            column[k] = column[3 + k] * c->unit;
            column[3 + k] = lbm_all_lanes(0);
        }
    } else {
        for (int k = 0; k < 3; k++) {
            r[k] = f->p[k] - lbm_load_lanes(l->column[i][k]);
        }
        for (int k = 0; k < 3; k++) {
            const int a = (k + 1) % 3, b = (k + 2) % 3;
            column[k] = column[3 + a] * r[b] - column[3 + b] * r[a];
        }
    }
    if (j->scale != 1) {
        for (int k = 0; k < 6; k++) {
            column[k] = column[k] * j->scale;
        }
    }
    hold(j, lbm_load_lanes(l->q[i]), e, column, has_point, has_rotation);
    store_column(l, i, column, has_point, has_rotation);
    add_column(column, has_point, has_rotation, m);
}

/* A symmetric matrix's inverse is its adjugate over its determinant; returns 1 over that. What is multiplied by the
 * adjugate need not wait for the division. */
static inline lbm_lanes adjugate3(const lbm_lanes m[6], lbm_lanes a[6]) {
    a[0] = m[3] * m[5] - m[4] * m[4];
    a[1] = m[2] * m[4] - m[1] * m[5];
    a[2] = m[1] * m[4] - m[2] * m[3];
    a[3] = m[0] * m[5] - m[2] * m[2];
    a[4] = m[1] * m[2] - m[0] * m[4];
    a[5] = m[0] * m[3] - m[1] * m[1];
    return 1.0 / (m[0] * a[0] + m[1] * a[1] + m[2] * a[2]);
}

static inline void multiply3(const lbm_lanes m[6], const lbm_lanes v[3], lbm_lanes out[3]) {
    const lbm_lanes a = v[0], b = v[1], c = v[2];
    out[0] = m[0] * a + m[1] * b + m[2] * c;
    out[1] = m[1] * a + m[3] * b + m[4] * c;
    out[2] = m[2] * a + m[4] * b + m[5] * c;
}

/* y = (K K' + damping)^-1 e by blocks: damped they are positive definite, and nothing need be exchanged. */
LBM_INLINE void solve_both(const normal_lanes *m, const error_lanes *e, lbm_lanes y[6]) {
    const lbm_lanes *b = m->mixed;
    lbm_lanes d[6], adjugate[6], w[9], rest[3], solved[3];
    const lbm_lanes over = adjugate3(m->point, adjugate);
    for (int r = 0; r < 3; r++) {
        multiply3(adjugate, b + 3 * r, w + 3 * r);
    }
    for (int r = 0, k = 0; r < 3; r++) {
        for (int s = r; s < 3; s++, k++) {
            d[k] = m->rotation[k] -
                   (w[3 * r] * b[3 * s] + w[3 * r + 1] * b[3 * s + 1] + w[3 * r + 2] * b[3 * s + 2]) * over;
        }
    }
    for (int r = 0; r < 3; r++) {
        rest[r] =
            e->rotation[r] - (w[3 * r] * e->point[0] + w[3 * r + 1] * e->point[1] + w[3 * r + 2] * e->point[2]) * over;
    }
    multiply3(adjugate, e->point, solved);
    const lbm_lanes over_rest = adjugate3(d, adjugate);
    multiply3(adjugate, rest, y + 3);
    for (int s = 3; s < 6; s++) {
        y[s] = y[s] * over_rest;
    }
    for (int s = 0; s < 3; s++) {
        y[s] = (solved[s] - (w[s] * y[3] + w[3 + s] * y[4] + w[6 + s] * y[5])) * over;
    }
}

LBM_INLINE void solve(const normal_lanes *m, const error_lanes *e, int has_point, int has_rotation, lbm_lanes y[6]) {
    lbm_lanes adjugate[6];
    if (has_point && has_rotation) {
        solve_both(m, e, y);
        return;
    }
    for (int k = 0; k < 6; k++) {
        y[k] = lbm_all_lanes(0);
    }
    const lbm_lanes over = adjugate3(has_point ? m->point : m->rotation, adjugate);
    multiply3(adjugate, has_point ? e->point : e->rotation, y + (has_point ? 0 : 3));
    for (int k = 0; k < 6; k++) {
        y[k] = y[k] * over;
    }
}

/* A joint's value after a step, in its range. */
static inline lbm_lanes moved(const lbs_arm_joint *j, lbm_lanes q, lbm_lanes by) {
    if (j->scale != 1) {
        by = by * j->scale;
    }
    const lbm_lanes to = j->flipped ? q - by : q + by;
    return lbm_max_lanes(lbm_min_lanes(to, lbm_all_lanes(j->upper)), lbm_all_lanes(j->lower));
}

LBM_INLINE void step(const lbs_arm *c, lbs_arm_lanes *l, const lbm_lanes y[6], lbm_truths done, int has_point,
                     int has_rotation) {
    for (int i = 0; i < c->n; i++) {
        const lbs_arm_joint *j = &c->joints[i];
        const lbm_lanes q = lbm_load_lanes(l->q[i]);
        lbm_lanes by = lbm_all_lanes(0);
        if (has_point) {
            by = lbm_load_lanes(l->column[i][0]) * y[0] + lbm_load_lanes(l->column[i][1]) * y[1] +
                 lbm_load_lanes(l->column[i][2]) * y[2];
        }
        if (has_rotation) {
            by += lbm_load_lanes(l->column[i][3]) * y[3] + lbm_load_lanes(l->column[i][4]) * y[4] +
                  lbm_load_lanes(l->column[i][5]) * y[5];
        }
        lbm_store_lanes(l->q[i], lbm_choose(done, q, moved(j, q, by)));
    }
}

/* Columns, their products, and the step. */
LBM_INLINE void improve(const lbs_arm *c, lbs_arm_lanes *l, const frame_lanes *f, const error_lanes *e,
                        lbm_lanes damping, lbm_truths done, int has_point, int has_rotation) {
    normal_lanes m;
    lbm_lanes y[6];
    begin_sums(c, l, f, e, has_point, has_rotation, &m);
    for (int i = !c->joints[0].slides; i < c->n; i++) {
        add_joint(c, l, f, e, i, has_point, has_rotation, &m);
    }
    damp(&m, damping); /* last: it waits for the error */
    solve(&m, e, has_point, has_rotation, y);
    step(c, l, y, done, has_point, has_rotation);
}

/* Which lanes met the tolerances, and which are not worth going on with: their error did not halve in time, or they had
 * all their evaluations. */
LBM_INLINE lbm_truths judge(const lbs_arm *c, lbs_arm_lanes *l, const error_lanes *e, lbm_lanes error, int has_point,
                            int has_rotation, lbm_truths *met) {
    const lbm_lanes one = lbm_all_lanes(1), count = lbm_load_lanes(l->count) + one;
    lbm_lanes left = lbm_load_lanes(l->left) - one, mark = lbm_load_lanes(l->mark);
    lbm_truths in = lbm_at_most(lbm_all_lanes(0), one);
    if (has_point) {
        in = in & lbm_at_most(e->point_square, lbm_all_lanes(c->tolerance * c->tolerance));
    }
    if (has_rotation) {
        in = in & e->is_small & lbm_at_most(e->rotation_square, lbm_all_lanes(c->tolerance_rad * c->tolerance_rad));
    }
    const lbm_truths due = lbm_less(left, one), spent = lbm_at_most(lbm_load_lanes(l->limit), count);
    const lbm_truths halved = lbm_at_most(error, 0.5 * mark);
    lbm_store_lanes(l->error, error);
    lbm_store_lanes(l->count, count);
    lbm_store_lanes(l->mark, lbm_choose(due, error, mark));
    lbm_store_lanes(l->left, lbm_choose(due, lbm_load_lanes(l->patience), left));
    *met = in;
    return in | spent | (due & ~halved);
}

static inline lbm_lanes half_square(const error_lanes *e, int has_point, int has_rotation) {
    if (!has_rotation) {
        return e->point_square * 0.5;
    }
    return (has_point ? e->point_square + e->rotation_square : e->rotation_square) * 0.5;
}

#ifdef KERNEL

LBM_INLINE unsigned run(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met, int has_point,
                        int has_rotation) {
    unsigned ended = 0;
    for (int i = 0; i < iterations && !ended; i++) {
        const lbm_lanes zero = lbm_all_lanes(0); /* what it has no part in */
        error_lanes e = {{zero, zero, zero}, {zero, zero, zero}, zero, zero, lbm_no_truths()};
        frame_lanes f;
        lbm_truths in;
        find_sines(c, l);
        go_along(c, l, &f);
#if LBM_LANES == 1
        if (l->count[0] == 0) {
            memcpy(l->first, &f, sizeof f);
        }
#endif
        if (has_point) {
            point_error(l, &f, &e);
        }
        if (has_rotation) {
            rotation_error(l, &f, &e);
        }
        const lbm_lanes error = half_square(&e, has_point, has_rotation);
        const lbm_truths done = judge(c, l, &e, error, has_point, has_rotation, &in);
        *met = lbm_truth_bits(in) & live;
        ended = lbm_truth_bits(done) & live;
        if (ended == live) {
            break;
        }
        improve(c, l, &f, &e, error * DAMPING + LEAST_DAMPING, done, has_point, has_rotation);
    }
    return ended;
}

unsigned KERNEL(const lbs_arm *c, lbs_arm_lanes *l, unsigned live, int iterations, unsigned *met) {
    if (!c->has_rotation) {
        return run(c, l, live, iterations, met, 1, 0);
    }
    return c->has_point ? run(c, l, live, iterations, met, 1, 1) : run(c, l, live, iterations, met, 0, 1);
}

#endif
