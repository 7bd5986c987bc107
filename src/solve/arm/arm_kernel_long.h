/* The arm engine for a long chain, one start at a time: included by arm_kernel_long1.c to arm_kernel_long4.c, which define
 * LBM_LANES and LONG_KERNEL, the function's name.
 *
 * The iteration is that of arm_kernel.h, from which all comes that is not done for each joint; there it has the same
 * numbers in all lanes. What is done for each joint by itself - sines, columns, steps - has joints side by side in the
 * lanes. The way along the chain, where each joint waits for the one before, has a vector's components side by side.
 * Sums over the joints go on as LBS_ARM_LONG_LANES sums and are added up at the end, for every number of lanes. */
#include "solve/arm/arm_kernel.h"

#define PARTS ((LBM_LANES + 2) / LBM_LANES)     /* of three components */
#define GROUPS (LBS_ARM_LONG_LANES / LBM_LANES) /* of joints or sums */
#define DAMPING_SHARE 0.1 /* of the damping, for each joint: the sums grow with their number, and so does it */

static inline void long_sines(int n, const lbs_arm_long *g) {
    for (int i = 0; i < n; i += LBM_LANES) {
        lbm_lanes sine, cosine;
        lbm_sincos_lanes(lbm_load_lanes(g->q + i) + lbm_load_lanes(g->offset + i), &sine, &cosine);
        lbm_store_lanes(g->sine + i, sine);
        lbm_store_lanes(g->cosine + i, cosine);
    }
}

static inline void take_apart(const lbm_lanes v[PARTS], double to[PARTS * LBM_LANES]) {
    for (int k = 0; k < PARTS; k++) {
        lbm_store_lanes(to + k * LBM_LANES, v[k]);
    }
}

static inline void spread(const lbm_lanes v[PARTS], lbm_lanes to[3]) {
    double all[PARTS * LBM_LANES];
    take_apart(v, all);
    for (int k = 0; k < 3; k++) {
        to[k] = lbm_all_lanes(all[k]);
    }
}

/* Along the chain; the points and axes of the joints go to the columns, for now. */
static inline void long_along(const lbs_arm *c, frame_lanes *end) {
    const double axes[4][PARTS * LBM_LANES] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0}};
    const lbs_arm_long g = c->along;
    frame_lanes f;
    for (int k = 0; k < PARTS; k++) {
        f.x[k] = lbm_load_lanes(axes[0] + k * LBM_LANES);
        f.y[k] = lbm_load_lanes(axes[1] + k * LBM_LANES);
        f.n[k] = lbm_load_lanes(axes[2] + k * LBM_LANES);
        f.p[k] = lbm_load_lanes(axes[3] + k * LBM_LANES);
    }
    for (int i = 0; i < c->n; i++) {
        const lbs_arm_joint *j = &c->joints[i];
        double p[PARTS * LBM_LANES], n[PARTS * LBM_LANES];
        shift_and_twist(j, &f, PARTS);
        take_apart(f.p, p);
        take_apart(f.n, n);
        for (int k = 0; k < 3; k++) {
            g.column[k][i] = p[k];
            g.column[3 + k][i] = n[k];
        }
        if (!j->slides) {
            turn(&f, lbm_all_lanes(g.sine[i]), lbm_all_lanes(g.cosine[i]), PARTS);
            continue;
        }
        const double far = g.q[i] * (j->flipped ? -c->unit : c->unit);
        for (int k = 0; k < PARTS; k++) {
            f.p[k] += f.n[k] * far;
        }
        if (j->turns) {
            turn(&f, lbm_all_lanes(j->turn_sine), lbm_all_lanes(j->turn_cosine), PARTS);
        }
    }
    for (int k = 0; k < PARTS; k++) {
        f.p[k] += f.x[k] * c->end_x + f.n[k] * c->end_z;
    }
    spread(f.x, end->x);
    spread(f.y, end->y);
    spread(f.n, end->n);
    spread(f.p, end->p);
}

/* Joints that sit at an end of their range stay where the gradient points outward. */
static inline void long_hold(const lbs_arm_long *g, int i, const error_lanes *e, lbm_lanes column[6], int has_point,
                             int has_rotation) {
    const lbm_lanes q = lbm_load_lanes(g->q + i), zero = lbm_all_lanes(0);
    const lbm_truths low = lbm_at_most(q, lbm_load_lanes(g->lower + i));
    const lbm_truths high = lbm_at_most(lbm_load_lanes(g->upper + i), q);
    if (!lbm_truth_bits(low | high)) {
        return;
    }
    lbm_lanes gradient = zero;
    if (has_point) {
        gradient = column[0] * e->point[0] + column[1] * e->point[1] + column[2] * e->point[2];
    }
    if (has_rotation) {
        gradient += column[3] * e->rotation[0] + column[4] * e->rotation[1] + column[5] * e->rotation[2];
    }
    const lbm_truths stuck = (low & lbm_less(gradient, zero)) | (high & lbm_less(zero, gradient));
    for (int k = 0; k < 6; k++) {
        column[k] = lbm_choose(stuck, zero, column[k]);
    }
}

/* Columns from the joints' points and axes, in their place. */
static inline void long_columns(const lbs_arm_long *g, int i, const frame_lanes *f, const error_lanes *e, int has_point,
                                int has_rotation, lbm_lanes column[6]) {
    const lbm_lanes factor = lbm_load_lanes(g->factor + i), slide = lbm_load_lanes(g->slide + i);
    const lbm_lanes zero = lbm_all_lanes(0);
    const lbm_truths slides = lbm_less(zero, slide);
    lbm_lanes n[3], r[3];
    for (int k = 0; k < 3; k++) {
        n[k] = lbm_load_lanes(g->column[3 + k] + i);
        r[k] = f->p[k] - lbm_load_lanes(g->column[k] + i);
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        column[k] = lbm_choose(slides, n[k] * slide, n[a] * r[b] - n[b] * r[a]) * factor;
        column[3 + k] = lbm_choose(slides, zero, n[k]) * factor;
    }
    long_hold(g, i, e, column, has_point, has_rotation);
    for (int k = 0; k < 6; k++) {
        lbm_store_lanes(g->column[k] + i, column[k]);
    }
}

static inline lbm_lanes add_up(const lbm_lanes *const sums[GROUPS]) {
    double all[LBS_ARM_LONG_LANES];
    for (int k = 0; k < GROUPS; k++) {
        lbm_store_lanes(all + k * LBM_LANES, *sums[k]);
    }
    return lbm_all_lanes((all[0] + all[1]) + (all[2] + all[3]));
}

static inline void add_all_up(const normal_lanes sums[GROUPS], normal_lanes *m) {
    const lbm_lanes *at[GROUPS];
    for (int i = 0; i < 21; i++) {
        for (int k = 0; k < GROUPS; k++) {
            at[k] = i < 6 ? &sums[k].point[i] : i < 12 ? &sums[k].rotation[i - 6] : &sums[k].mixed[i - 12];
        }
        const lbm_lanes sum = add_up(at);
        if (i < 6) {
            m->point[i] = sum;
        } else if (i < 12) {
            m->rotation[i - 6] = sum;
        } else {
            m->mixed[i - 12] = sum;
        }
    }
}

static inline void long_step(int n, const lbs_arm_long *g, const lbm_lanes y[6], int has_point, int has_rotation) {
    for (int i = 0; i < n; i += LBM_LANES) {
        const lbm_lanes factor = lbm_load_lanes(g->factor + i);
        lbm_lanes by = lbm_all_lanes(0), column[6];
        for (int k = 0; k < 6; k++) {
            column[k] = lbm_load_lanes(g->column[k] + i);
        }
        if (has_point) {
            by = column[0] * y[0] + column[1] * y[1] + column[2] * y[2];
        }
        if (has_rotation) {
            by += column[3] * y[3] + column[4] * y[4] + column[5] * y[5];
        }
        const lbm_lanes to = lbm_load_lanes(g->q + i) + by * lbm_max_lanes(factor, -factor);
        lbm_store_lanes(g->q + i,
                        lbm_max_lanes(lbm_min_lanes(to, lbm_load_lanes(g->upper + i)), lbm_load_lanes(g->lower + i)));
    }
}

static inline void long_improve(const lbs_arm *c, const frame_lanes *f, const error_lanes *e, lbm_lanes damping,
                                int has_point, int has_rotation) {
    const lbs_arm_long g = c->along;
    normal_lanes sums[GROUPS], m;
    lbm_lanes y[6];
    memset(sums, 0, sizeof sums);
    for (int i = 0; i < c->n; i += LBS_ARM_LONG_LANES) {
        for (int k = 0; k < GROUPS; k++) {
            lbm_lanes column[6];
            long_columns(&g, i + k * LBM_LANES, f, e, has_point, has_rotation, column);
            add_column(column, has_point, has_rotation, &sums[k]);
        }
    }
    add_all_up(sums, &m);
    damp(&m, damping);
    solve(&m, e, has_point, has_rotation, y);
    long_step(c->n, &g, y, has_point, has_rotation);
}

static inline unsigned long_run(const lbs_arm *c, lbs_arm_lanes *l, int iterations, unsigned *met, int has_point,
                                int has_rotation) {
    const double share = DAMPING_SHARE * c->n;
    for (int i = 0; i < iterations; i++) {
        frame_lanes f;
        error_lanes e;
        lbm_truths in;
        long_sines(c->n, &c->along);
        long_along(c, &f);
        memset(&e, 0, sizeof e); /* what it has no part in */
        if (has_point) {
            point_error(l, &f, &e);
        }
        if (has_rotation) {
            rotation_error(l, &f, &e);
        }
        const lbm_lanes error = half_square(&e, has_point, has_rotation);
        const lbm_truths done = judge(c, l, &e, error, has_point, has_rotation, &in);
        *met = lbm_truth_bits(in) & 1;
        if (lbm_truth_bits(done) & 1) {
            return 1;
        }
        long_improve(c, &f, &e, (error * DAMPING + LEAST_DAMPING) * share, has_point, has_rotation);
    }
    return 0;
}

unsigned LONG_KERNEL(const lbs_arm *c, lbs_arm_lanes *l, int iterations, unsigned *met) {
    if (!c->has_rotation) {
        return long_run(c, l, iterations, met, 1, 0);
    }
    return c->has_point ? long_run(c, l, iterations, met, 1, 1) : long_run(c, l, iterations, met, 0, 1);
}
