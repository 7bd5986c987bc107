/* The arm engine's kernel for one start: the three components of a vector side by side in a register, and the sines
 * of several joints. arm_kernel_common.h says what an iteration is. Number by number the arithmetic is that of one
 * lane of arm_kernel.h, so that the bits are the same. It needs AVX2 (lbs_arm_lane_count). */
#define LBM_WIDTH 4
#include "math/simd.h"

#if LBM_X86

LBM_TARGET_BEGIN

#include "solve/arm/kernels/arm_kernel_common.h"

/* The joints of the start. Joints that do nothing fill the arrays up to a multiple of LBS_ARM_ONE_SIDE. */
typedef struct one_joints {
    double q[LBS_ARM_MAX], sine[LBS_ARM_MAX], cosine[LBS_ARM_MAX];
    double point[LBS_ARM_MAX][4];
    double column[LBS_ARM_MAX][8]; /* (x, y, z, 0) twice; of the rotation the axis, until it is one */
} one_joints;

typedef struct one_frame {
    lbm_quad x, y, n, p;
} one_frame;

static inline void one_sines(const lbs_arm *c, one_joints *o) {
    for (int i = 0; i < c->n; i += LBS_ARM_ONE_SIDE) {
        for (int k = i; k < i + LBS_ARM_ONE_SIDE; k++) {
            lbm_sincos_lanes(o->q[k] + c->one.offset[k], &o->sine[k], &o->cosine[k]);
        }
    }
}

static inline void one_turn(one_frame *f, double sine, double cosine) {
    const lbm_quad x = f->x * cosine + f->y * sine;
    f->y = f->y * cosine + f->x * -sine;
    f->x = x;
}

static inline void one_shift(const lbs_arm_joint *j, one_frame *f) {
    if (j->shifts & 1) {
        f->p += f->x * j->x;
    }
    if (j->shifts & 2) {
        f->p += f->y * j->y;
    }
    if (j->shifts & 4) {
        f->p += f->n * j->z;
    }
    const lbm_quad y = f->y;
    if (j->twist == LBS_ARM_TWIST_QUARTER) {
        f->y = f->n;
        f->n = y;
    } else if (j->twist == LBS_ARM_TWIST_ANY) {
        f->y = y * j->twist_cosine + f->n * j->twist_sine;
        f->n = f->n * j->twist_cosine + y * -j->twist_sine;
    }
}

static inline void one_along(const lbs_arm *c, one_joints *o, one_frame *f) {
    int i = 0;
    f->x = (lbm_quad){1, 0, 0, 0};
    f->y = (lbm_quad){0, 1, 0, 0};
    f->n = (lbm_quad){0, 0, 1, 0};
    f->p = (lbm_quad){0, 0, 0, 0};
    if (!c->joints[0].slides) {
        f->x = (lbm_quad){o->cosine[0], o->sine[0], 0, 0};
        f->y = (lbm_quad){-o->sine[0], o->cosine[0], 0, 0};
        i = 1;
    }
    for (; i < c->n; i++) {
        const lbs_arm_joint *j = &c->joints[i];
        one_shift(j, f);
        lbm_quad_store(o->point[i], f->p);
        lbm_quad_store(o->column[i] + 4, f->n);
        if (!j->slides) {
            one_turn(f, o->sine[i], o->cosine[i]);
            continue;
        }
        f->p += f->n * (o->q[i] * (j->flipped ? -c->unit : c->unit));
        if (j->turns) {
            one_turn(f, j->turn_sine, j->turn_cosine);
        }
    }
    f->p += f->x * c->end_x + f->n * c->end_z;
}

typedef struct one_error {
    lbm_quad point, rotation;
    error_sizes size;
} one_error;

/* What a run keeps in memory: the joints and the goal. */
typedef struct state {
    one_joints o;
    one_frame goal;
} state;

/* What an evaluation finds: the last frame and its error. */
typedef struct look {
    one_frame f;
    one_error e;
} look;

static inline void find_error(const one_frame *f, const one_frame *goal, goal_parts parts, one_error *e) {
    e->point = e->rotation = (lbm_quad){0, 0, 0, 0};
    e->size = (error_sizes){0, 0, 0};
    if (parts.point) {
        e->point = goal->p - f->p;
        e->size.point = lbm_quad_sum3(e->point * e->point);
    }
    if (!parts.rotation) {
        return;
    }
    const lbm_quad v = lbm_quad_cross(f->x, goal->x) + lbm_quad_cross(f->y, goal->y) + lbm_quad_cross(f->n, goal->n);
    const double trace = lbm_quad_sum3(f->x * goal->x) + lbm_quad_sum3(f->y * goal->y) + lbm_quad_sum3(f->n * goal->n);
    const double h = lbm_max_lanes(trace + 1.0, LEAST_TRACE), scale = 1.0 / sqrt(h);
    e->rotation = v * scale;
    e->size.rotation = lbm_quad_sum3(v * v) / h;
    e->size.is_small = lbm_less(0, trace);
}

/* The joints at an end of their range, a bit each. */
static inline unsigned find_ends(const lbs_arm *c, const one_joints *o) {
    unsigned ends = 0;
    for (int i = 0; i < c->n; i += 4) {
        const lbm_quad q = lbm_quad_load(o->q + i);
        const unsigned low = lbm_quad_at_most(q, lbm_quad_load(c->one.lower + i)),
                       high = lbm_quad_at_most(lbm_quad_load(c->one.upper + i), q);
        ends |= (low | high) << i;
    }
    return ends;
}

/* Whether a joint at an end of its range is pushed outward. */
static inline int is_stuck(const lbs_arm_joint *j, double q, const one_error *e, lbm_quad v, lbm_quad w,
                           goal_parts parts) {
    double gradient = 0;
    if (parts.point) {
        gradient = lbm_quad_sum3(v * e->point);
    }
    if (parts.rotation) {
        gradient += lbm_quad_sum3(w * e->rotation);
    }
    if (j->flipped) {
        gradient = -gradient;
    }
    return (q <= j->lower && gradient < 0) || (q >= j->upper && gradient > 0);
}

/* K K', as rows. */
typedef struct one_sums {
    lbm_quad point[3], rotation[3], mixed[3]; /* mixed: a row of the rotation with the point's */
} one_sums;

static inline void one_begin(const lbs_arm *c, one_joints *o, const look *at, unsigned ends, goal_parts parts,
                             one_sums *m) {
    const lbm_quad p = at->f.p;
    const lbs_arm_joint *j = &c->joints[0];
    const lbm_quad zero = {0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        m->point[k] = m->rotation[k] = m->mixed[k] = zero;
    }
    if (j->slides) {
        return;
    }
    lbm_quad v = {-p[1], p[0], 0, 0}, w = {0, 0, 1, 0};
    if (j->scale != 1) {
        v = v * j->scale;
        w = w * j->scale;
    }
    if (ends & 1 && is_stuck(j, o->q[0], &at->e, v, w, parts)) {
        v = w = zero;
    }
    lbm_quad_store(o->column[0], v);
    lbm_quad_store(o->column[0] + 4, w);
    m->point[0] = v * v[0];
    m->point[1] = v * v[1];
    m->rotation[2] = w * w[2];
    m->mixed[2] = v * w[2];
}

static inline void one_joint(const lbs_arm *c, one_joints *o, const look *at, unsigned ends, int i, goal_parts parts,
                             one_sums *m) {
    const lbs_arm_joint *j = &c->joints[i];
    double *column = o->column[i];
    lbm_quad w = lbm_quad_load(column + 4), v;
    if (j->slides) {
        v = w * c->unit;
        w = (lbm_quad){0, 0, 0, 0};
    } else {
        v = lbm_quad_cross(w, at->f.p - lbm_quad_load(o->point[i]));
    }
    if (j->scale != 1) {
        v = v * j->scale;
        w = w * j->scale;
    }
    if (ends >> i & 1 && is_stuck(j, o->q[i], &at->e, v, w, parts)) {
        v = w = (lbm_quad){0, 0, 0, 0};
    }
    lbm_quad_store(column, v);
    lbm_quad_store(column + 4, w);
    for (int k = 0; k < 3; k++) {
        if (parts.point) {
            m->point[k] += v * column[k];
        }
        if (parts.rotation) {
            m->rotation[k] += w * column[4 + k];
        }
        if (parts.point && parts.rotation) {
            m->mixed[k] += v * column[4 + k];
        }
    }
}

/* The rows of a symmetric matrix's adjugate: cross products, which are the products that adjugate3 has. */
static inline double one_adjugate(const lbm_quad m[3], lbm_quad adjugate[3]) {
    adjugate[0] = lbm_quad_cross(m[1], m[2]);
    adjugate[1] = lbm_quad_cross(m[2], m[0]);
    adjugate[2] = lbm_quad_cross(m[0], m[1]);
    return 1.0 / lbm_quad_sum3(m[0] * adjugate[0]);
}

/* rows[0] a + rows[1] b + rows[2] c */
static inline lbm_quad one_combine(const lbm_quad rows[3], lbm_quad by) {
    return rows[0] * by[0] + rows[1] * by[1] + rows[2] * by[2];
}

/* As solve_both of arm_kernel_common.h. */
static inline void one_solve_both(one_sums *m, const one_error *e, lbm_quad *y_point, lbm_quad *y_rotation) {
    lbm_quad adjugate[3], w[3], w_columns[3], b_columns[3], d[3];
    const double over = one_adjugate(m->point, adjugate);
    for (int r = 0; r < 3; r++) {
        w[r] = one_combine(adjugate, m->mixed[r]);
    }
    lbm_quad_transpose3(m->mixed, b_columns);
    lbm_quad_transpose3(w, w_columns);
    for (int r = 0; r < 3; r++) {
        d[r] = m->rotation[r] - one_combine(b_columns, w[r]) * over;
    }
    lbm_quad_mirror3(d); /* rounding made both halves a little different: the upper one counts */
    const lbm_quad rest = e->rotation - one_combine(w_columns, e->point) * over;
    const lbm_quad solved = one_combine(adjugate, e->point);
    const double over_rest = one_adjugate(d, adjugate);
    *y_rotation = one_combine(adjugate, rest) * over_rest;
    *y_point = (solved - one_combine(w, *y_rotation)) * over;
}

static inline void one_solve(one_sums *m, const one_error *e, double damping, goal_parts parts, lbm_quad *y_point,
                             lbm_quad *y_rotation) {
    lbm_quad adjugate[3];
    if (parts.point) {
        lbm_quad_add_diagonal(m->point, damping);
    }
    if (parts.rotation) {
        lbm_quad_add_diagonal(m->rotation, damping);
    }
    if (parts.point && parts.rotation) {
        one_solve_both(m, e, y_point, y_rotation);
    } else if (parts.point) {
        const double over = one_adjugate(m->point, adjugate);
        *y_point = one_combine(adjugate, e->point) * over;
    } else {
        const double over = one_adjugate(m->rotation, adjugate);
        *y_rotation = one_combine(adjugate, e->rotation) * over;
    }
}

/* A half of four joints' columns times y, the columns beside each other. */
static inline lbm_quad one_times(double (*column)[8], int half, lbm_quad y) {
    const lbm_quad rows[4] = {lbm_quad_load(column[0] + half), lbm_quad_load(column[1] + half),
                              lbm_quad_load(column[2] + half), lbm_quad_load(column[3] + half)};
    lbm_quad columns[3];
    lbm_quad_transpose4(rows, columns);
    return columns[0] * y[0] + columns[1] * y[1] + columns[2] * y[2];
}

static inline void one_step(const lbs_arm *c, one_joints *o, lbm_quad y_point, lbm_quad y_rotation, goal_parts parts) {
    for (int i = 0; i < c->n; i += 4) {
        lbm_quad by = {0, 0, 0, 0};
        if (parts.point) {
            by = one_times(o->column + i, 0, y_point);
        }
        if (parts.rotation) {
            by += one_times(o->column + i, 4, y_rotation);
        }
        const lbm_quad to = lbm_quad_load(o->q + i) + by * lbm_quad_load(c->one.factor + i);
        lbm_quad_store(
            o->q + i, lbm_quad_max(lbm_quad_min(to, lbm_quad_load(c->one.upper + i)), lbm_quad_load(c->one.lower + i)));
    }
}

static inline void keep_first(const look *at, double to[12]) {
    double all[16]; /* each quad overlaps the one before it by an element */
    lbm_quad_store(all, at->f.x);
    lbm_quad_store(all + 3, at->f.y);
    lbm_quad_store(all + 6, at->f.n);
    lbm_quad_store(all + 9, at->f.p);
    memcpy(to, all, 12 * sizeof *to);
}

LBM_INLINE void begin(const lbs_arm *c, lbs_arm_lanes *l, state *s) {
    const int padded = (c->n + LBS_ARM_ONE_SIDE - 1) / LBS_ARM_ONE_SIDE * LBS_ARM_ONE_SIDE;
    for (int i = 0; i < c->n; i++) {
        s->o.q[i] = l->q[i][0];
    }
    for (int i = c->n; i < padded; i++) {
        s->o.q[i] = 0;
        memset(s->o.column[i], 0, sizeof s->o.column[i]);
    }
    s->goal = (one_frame){(lbm_quad){l->goal[0][0], l->goal[1][0], l->goal[2][0], 0},
                          (lbm_quad){l->goal[3][0], l->goal[4][0], l->goal[5][0], 0},
                          (lbm_quad){l->goal[6][0], l->goal[7][0], l->goal[8][0], 0},
                          (lbm_quad){l->goal[9][0], l->goal[10][0], l->goal[11][0], 0}};
}

LBM_INLINE void finish(const lbs_arm *c, lbs_arm_lanes *l, const state *s) {
    for (int i = 0; i < c->n; i++) {
        l->q[i][0] = s->o.q[i];
    }
}

LBM_INLINE void evaluate(const lbs_arm *c, lbs_arm_lanes *l, state *s, goal_parts parts, look *at) {
    (void)l;
    one_sines(c, &s->o);
    one_along(c, &s->o, &at->f);
    find_error(&at->f, &s->goal, parts, &at->e);
}

LBM_INLINE void improve(const lbs_arm *c, lbs_arm_lanes *l, state *s, const look *at, double error, int done,
                        goal_parts parts) {
    (void)l, (void)done; /* the one start there is goes on */
    one_sums m;
    lbm_quad y_point = {0, 0, 0, 0}, y_rotation = y_point;
    const unsigned ends = find_ends(c, &s->o);
    one_begin(c, &s->o, at, ends, parts, &m);
    for (int i = !c->joints[0].slides; i < c->n; i++) {
        one_joint(c, &s->o, at, ends, i, parts, &m);
    }
    one_solve(&m, &at->e, error * DAMPING + LEAST_DAMPING, parts, &y_point, &y_rotation);
    one_step(c, &s->o, y_point, y_rotation, parts);
}

#define KERNEL lbs_arm_kernel_one
#include "solve/arm/kernels/arm_iteration.h"

LBM_TARGET_END

#endif
