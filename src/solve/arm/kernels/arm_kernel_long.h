/* The arm engine's kernel for a long arm, one start at a time: included by arm_kernel_long1.c to arm_kernel_long4.c,
 * which define LBM_LANES and KERNEL, the function's name. arm_kernel_common.h says what an iteration is.
 *
 * What is done for the whole arm has the same numbers in all lanes. What is done for each joint by itself (sines,
 * columns, the step) has joints side by side in the lanes. The way along the arm, where each joint waits for the one
 * before, has a vector's components side by side. A sum over the joints is made of LBS_ARM_LONG_LANES partial sums
 * for every number of lanes, so that the bits do not depend on it. */
#include "solve/arm/kernels/arm_kernel_common.h"

typedef struct look {
    frame_lanes f;
    error_lanes e;
} look;

#define VECTOR ((LBM_LANES + 2) / LBM_LANES)    /* of three components */
#define GROUPS (LBS_ARM_LONG_LANES / LBM_LANES) /* lbm_lanes that hold LBS_ARM_LONG_LANES joints */
#define DAMPING_SHARE \
    0.1 /* of the damping, for each joint: the sums grow with the number of joints, and the damping with them */

static inline void long_sines(int n, const lbs_arm_long *g) {
    for (int i = 0; i < n; i += LBM_LANES) {
        lbm_lanes sine, cosine;
        lbm_sincos_lanes(lbm_load_lanes(g->q + i) + lbm_load_lanes(g->offset + i), &sine, &cosine);
        lbm_store_lanes(g->sine + i, sine);
        lbm_store_lanes(g->cosine + i, cosine);
    }
}

static inline void take_apart(const lbm_lanes v[VECTOR], double to[VECTOR * LBM_LANES]) {
    for (int k = 0; k < VECTOR; k++) {
        lbm_store_lanes(to + k * LBM_LANES, v[k]);
    }
}

static inline void spread(const lbm_lanes v[VECTOR], lbm_lanes to[3]) {
    double all[VECTOR * LBM_LANES];
    take_apart(v, all);
    for (int k = 0; k < 3; k++) {
        to[k] = lbm_all_lanes(all[k]);
    }
}

/* Goes along the arm to the last frame. The joints' points and axes are kept where their columns will be. */
static inline void long_along(const lbs_arm *c, frame_lanes *end) {
    const double axes[4][VECTOR * LBM_LANES] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0}};
    const lbs_arm_long g = c->along;
    frame_lanes f;
    for (int k = 0; k < VECTOR; k++) {
        f.x[k] = lbm_load_lanes(axes[0] + k * LBM_LANES);
        f.y[k] = lbm_load_lanes(axes[1] + k * LBM_LANES);
        f.n[k] = lbm_load_lanes(axes[2] + k * LBM_LANES);
        f.p[k] = lbm_load_lanes(axes[3] + k * LBM_LANES);
    }
    for (int i = 0; i < c->n; i++) {
        const lbs_arm_joint *j = &c->joints[i];
        double p[VECTOR * LBM_LANES], n[VECTOR * LBM_LANES];
        shift_and_twist(j, &f, VECTOR);
        take_apart(f.p, p);
        take_apart(f.n, n);
        for (int k = 0; k < 3; k++) {
            g.column[k][i] = p[k];
            g.column[3 + k][i] = n[k];
        }
        if (!j->slides) {
            turn(&f, lbm_all_lanes(g.sine[i]), lbm_all_lanes(g.cosine[i]), VECTOR);
            continue;
        }
        const double far = g.q[i] * (j->flipped ? -c->unit : c->unit);
        for (int k = 0; k < VECTOR; k++) {
            f.p[k] += f.n[k] * far;
        }
        if (j->turns) {
            turn(&f, lbm_all_lanes(j->turn_sine), lbm_all_lanes(j->turn_cosine), VECTOR);
        }
    }
    for (int k = 0; k < VECTOR; k++) {
        f.p[k] += f.x[k] * c->end_x + f.n[k] * c->end_z;
    }
    spread(f.x, end->x);
    spread(f.y, end->y);
    spread(f.n, end->n);
    spread(f.p, end->p);
}

/* Makes the columns of LBM_LANES joints from their points and axes, in their place. */
static inline void long_columns(const lbs_arm_long *g, int i, const look *at, goal_parts parts, lbm_lanes column[6]) {
    const lbm_lanes factor = lbm_load_lanes(g->factor + i), slide = lbm_load_lanes(g->slide + i);
    const lbm_lanes zero = lbm_all_lanes(0);
    const lbm_truths slides = lbm_less(zero, slide);
    lbm_lanes n[3], r[3];
    for (int k = 0; k < 3; k++) {
        n[k] = lbm_load_lanes(g->column[3 + k] + i);
        r[k] = at->f.p[k] - lbm_load_lanes(g->column[k] + i);
    }
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        column[k] = lbm_choose(slides, n[k] * slide, n[a] * r[b] - n[b] * r[a]) * factor;
        column[3 + k] = lbm_choose(slides, zero, n[k]) * factor;
    }
    hold(lbm_load_lanes(g->lower + i), lbm_load_lanes(g->upper + i), lbm_load_lanes(g->q + i), 0, &at->e, column,
         parts);
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

static inline void long_step(int n, const lbs_arm_long *g, const lbm_lanes y[6], goal_parts parts) {
    for (int i = 0; i < n; i += LBM_LANES) {
        const lbm_lanes factor = lbm_load_lanes(g->factor + i);
        lbm_lanes column[6];
        for (int k = 0; k < 6; k++) {
            column[k] = lbm_load_lanes(g->column[k] + i);
        }
        const lbm_lanes by = column_times(column, y, y + 3, parts);
        const lbm_lanes to = lbm_load_lanes(g->q + i) + by * lbm_max_lanes(factor, -factor);
        lbm_store_lanes(g->q + i,
                        lbm_max_lanes(lbm_min_lanes(to, lbm_load_lanes(g->upper + i)), lbm_load_lanes(g->lower + i)));
    }
}

/* The joints stay in the arm. */
typedef struct state {
    int none;
} state;

static inline void begin(const lbs_arm *c, lbs_arm_lanes *l, state *s) { (void)c, (void)l, (void)s; }
static inline void finish(const lbs_arm *c, lbs_arm_lanes *l, const state *s) { (void)c, (void)l, (void)s; }

#if LBM_LANES == 1
static inline void keep_first(const look *at, double to[12]) { (void)at, (void)to; }
#endif

static inline void evaluate(const lbs_arm *c, lbs_arm_lanes *l, state *s, goal_parts parts, look *at) {
    (void)s;
    long_sines(c->n, &c->along);
    long_along(c, &at->f);
    memset(&at->e, 0, sizeof at->e);
    if (parts.point) {
        point_error(l, &at->f, &at->e);
    }
    if (parts.rotation) {
        rotation_error(l, &at->f, &at->e);
    }
}

static inline void improve(const lbs_arm *c, lbs_arm_lanes *l, state *s, const look *at, lbm_lanes error,
                           lbm_truths done, goal_parts parts) {
    const lbs_arm_long g = c->along;
    normal_lanes sums[GROUPS], m;
    lbm_lanes y[6];
    (void)l, (void)s, (void)done; /* the one start there is goes on */
    memset(sums, 0, sizeof sums);
    for (int i = 0; i < c->n; i += LBS_ARM_LONG_LANES) {
        for (int k = 0; k < GROUPS; k++) {
            lbm_lanes column[6];
            long_columns(&g, i + k * LBM_LANES, at, parts, column);
            add_column(column, parts, &sums[k]);
        }
    }
    add_all_up(sums, &m);
    damp(&m, (error * DAMPING + LEAST_DAMPING) * (DAMPING_SHARE * c->n));
    solve(&m, &at->e, parts, y);
    long_step(c->n, &g, y, parts);
}

#include "solve/arm/kernels/arm_iteration.h"
