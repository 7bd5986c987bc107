/* The arm engine's kernel for starts side by side, one in each lane: included by arm_kernel1.c to arm_kernel8.c,
 * which define LBM_LANES and KERNEL, the function's name. arm_kernel_common.h says what an iteration is. */
#include "solve/arm/kernels/arm_kernel_common.h"

typedef struct look {
    frame_lanes f;
    error_lanes e;
} look;

LBM_INLINE void find_sines(const lbs_arm *c, lbs_arm_lanes *l) {
    for (int i = 0; i < c->n; i++) {
        lbm_lanes sine, cosine;
        lbm_sincos_lanes(lbm_load_lanes(l->q[i]) + c->joints[i].offset, &sine, &cosine);
        lbm_store_lanes(l->sine[i], sine);
        lbm_store_lanes(l->cosine[i], cosine);
    }
}

/* Goes along the chain of joints to the last frame. The joints' points and axes are kept where their columns will
 * be. */
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

static inline void find_error(const lbs_arm_lanes *l, look *at, goal_parts parts) {
    const lbm_lanes zero = lbm_all_lanes(0);
    at->e = (error_lanes){{zero, zero, zero}, {zero, zero, zero}, {zero, zero, lbm_no_truths()}};
    if (parts.point) {
        point_error(l, &at->f, &at->e);
    }
    if (parts.rotation) {
        rotation_error(l, &at->f, &at->e);
    }
}

static inline void store_column(lbs_arm_lanes *l, int i, const lbm_lanes column[6], goal_parts parts) {
    for (int k = parts.point ? 0 : 3; k < (parts.rotation ? 6 : 3); k++) {
        lbm_store_lanes(l->column[i][k], column[k]);
    }
}

LBM_INLINE void hold_joint(const lbs_arm_joint *j, lbm_lanes q, const error_lanes *e, lbm_lanes column[6],
                           goal_parts parts) {
    hold(lbm_all_lanes(j->lower), lbm_all_lanes(j->upper), q, j->flipped, e, column, parts);
}

/* The first joint's column, if it turns: about (0, 0, 1) at (0, 0, 0), so that half of it is 0. */
LBM_INLINE void begin_sums(const lbs_arm *c, lbs_arm_lanes *l, const look *at, goal_parts parts, normal_lanes *m) {
    const lbs_arm_joint *j = &c->joints[0];
    const lbm_lanes zero = lbm_all_lanes(0);
    lbm_lanes column[6] = {-at->f.p[1], at->f.p[0], zero, zero, zero, lbm_all_lanes(1)};
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
    hold_joint(j, lbm_load_lanes(l->q[0]), &at->e, column, parts);
    store_column(l, 0, column, parts);
    if (parts.point) {
        m->point[0] = column[0] * column[0];
        m->point[1] = column[0] * column[1];
        m->point[3] = column[1] * column[1];
    }
    if (parts.rotation) {
        m->rotation[5] = column[5] * column[5];
    }
    if (parts.point && parts.rotation) {
        m->mixed[6] = column[5] * column[0];
        m->mixed[7] = column[5] * column[1];
    }
}

/* Makes column i of the joint's point and axis, and adds its products to the sums. */
LBM_INLINE void add_joint(const lbs_arm *c, lbs_arm_lanes *l, const look *at, int i, goal_parts parts,
                          normal_lanes *m) {
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
            r[k] = at->f.p[k] - lbm_load_lanes(l->column[i][k]);
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
    hold_joint(j, lbm_load_lanes(l->q[i]), &at->e, column, parts);
    store_column(l, i, column, parts);
    add_column(column, parts, m);
}

/* A joint's value after a step, cut at its range. */
static inline lbm_lanes moved(const lbs_arm_joint *j, lbm_lanes q, lbm_lanes by) {
    if (j->scale != 1) {
        by = by * j->scale;
    }
    const lbm_lanes to = j->flipped ? q - by : q + by;
    return lbm_max_lanes(lbm_min_lanes(to, lbm_all_lanes(j->upper)), lbm_all_lanes(j->lower));
}

LBM_INLINE void step(const lbs_arm *c, lbs_arm_lanes *l, const lbm_lanes y[6], lbm_truths done, goal_parts parts) {
    for (int i = 0; i < c->n; i++) {
        const lbs_arm_joint *j = &c->joints[i];
        const lbm_lanes q = lbm_load_lanes(l->q[i]);
        lbm_lanes column[6];
        for (int k = 0; k < 6; k++) {
            column[k] = lbm_load_lanes(l->column[i][k]);
        }
        const lbm_lanes by = column_times(column, y, y + 3, parts);
        lbm_store_lanes(l->q[i], lbm_choose(done, q, moved(j, q, by)));
    }
}

#ifdef KERNEL

/* The joints stay in the lanes. */
typedef struct state {
    int none;
} state;

LBM_INLINE void begin(const lbs_arm *c, lbs_arm_lanes *l, state *s) { (void)c, (void)l, (void)s; }
LBM_INLINE void finish(const lbs_arm *c, lbs_arm_lanes *l, const state *s) { (void)c, (void)l, (void)s; }

#if LBM_LANES == 1
static inline void keep_first(const look *at, double to[12]) { memcpy(to, &at->f, sizeof at->f); }
#endif

LBM_INLINE void evaluate(const lbs_arm *c, lbs_arm_lanes *l, state *s, goal_parts parts, look *at) {
    (void)s;
    find_sines(c, l);
    go_along(c, l, &at->f);
    find_error(l, at, parts);
}

LBM_INLINE void improve(const lbs_arm *c, lbs_arm_lanes *l, state *s, const look *at, lbm_lanes error, lbm_truths done,
                        goal_parts parts) {
    normal_lanes m;
    lbm_lanes y[6];
    (void)s;
    begin_sums(c, l, at, parts, &m);
    for (int i = !c->joints[0].slides; i < c->n; i++) {
        add_joint(c, l, at, i, parts, &m);
    }
    damp(&m, error * DAMPING + LEAST_DAMPING); /* last: it waits for the error */
    solve(&m, &at->e, parts, y);
    step(c, l, y, done, parts);
}

#include "solve/arm/kernels/arm_iteration.h"

#endif
