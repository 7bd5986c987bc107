/* The chain engine for one start, with the registers' width across it: the three components of a vector side by
 * side, and the sines of several joints. Number by number the arithmetic is that of chain_kernel.h, so the bits are
 * too. Needs AVX2 (see lbs_chain_lanes). */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(LBM_SCALAR)

#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define LBM_LANES 1
#include "solve/chain_kernel.h"

typedef double vec4 __attribute__((vector_size(32))); /* x, y, z, 0 */

static inline vec4 yzx(vec4 v) { return _mm256_permute4x64_pd(v, 1 | 2 << 2 | 0 << 4 | 3 << 6); }
static inline vec4 zxy(vec4 v) { return _mm256_permute4x64_pd(v, 2 | 0 << 2 | 1 << 4 | 3 << 6); }
static inline vec4 cross(vec4 a, vec4 b) { return yzx(a) * zxy(b) - zxy(a) * yzx(b); }
static inline vec4 load4(const double *p) {
    vec4 v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void store4(double *p, vec4 v) { memcpy(p, &v, sizeof v); }
static inline double sum3(vec4 v) { return v[0] + v[1] + v[2]; }

typedef struct one {
    double q[LBS_CHAIN_MAX], offset[LBS_CHAIN_MAX], sine[LBS_CHAIN_MAX], cosine[LBS_CHAIN_MAX];
    double point[LBS_CHAIN_MAX][4];
    double column[LBS_CHAIN_MAX][8]; /* (x, y, z, 0) twice; of the rotation the axis, until it is one */
} one;

typedef struct one_frame {
    vec4 x, y, n, p;
} one_frame;

static inline void one_sines(int n, one *o) {
    for (int i = 0; i < n; i += 8)
        for (int k = i; k < i + 8; k++) lbm_sincos_lanes(o->q[k] + o->offset[k], &o->sine[k], &o->cosine[k]);
}

static inline void one_turn(one_frame *f, double sine, double cosine) {
    const vec4 x = f->x * cosine + f->y * sine;
    f->y = f->y * cosine + f->x * -sine;
    f->x = x;
}

static inline void one_shift(const lbs_chain_joint *j, one_frame *f) {
    if (j->shifts & 1) f->p += f->x * j->x;
    if (j->shifts & 2) f->p += f->y * j->y;
    if (j->shifts & 4) f->p += f->n * j->z;
    const vec4 y = f->y;
    if (j->twist == LBS_TWIST_QUARTER) {
        f->y = f->n;
        f->n = y;
    } else if (j->twist == LBS_TWIST_ANY) {
        f->y = y * j->twist_cosine + f->n * j->twist_sine;
        f->n = f->n * j->twist_cosine + y * -j->twist_sine;
    }
}

static inline void one_along(const lbs_chain *c, one *o, one_frame *f) {
    int i = 0;
    f->x = (vec4){1, 0, 0, 0};
    f->y = (vec4){0, 1, 0, 0};
    f->n = (vec4){0, 0, 1, 0};
    f->p = (vec4){0, 0, 0, 0};
    if (!c->joints[0].slides) {
        f->x = (vec4){o->cosine[0], o->sine[0], 0, 0};
        f->y = (vec4){-o->sine[0], o->cosine[0], 0, 0};
        i = 1;
    }
    for (; i < c->n; i++) {
        const lbs_chain_joint *j = &c->joints[i];
        one_shift(j, f);
        store4(o->point[i], f->p);
        store4(o->column[i] + 4, f->n);
        if (!j->slides) {
            one_turn(f, o->sine[i], o->cosine[i]);
            continue;
        }
        f->p += f->n * (o->q[i] * (j->flipped ? -c->unit : c->unit));
        if (j->turns) one_turn(f, j->turn_sine, j->turn_cosine);
    }
    f->p += f->x * c->end_x + f->n * c->end_z;
}

static inline void keep3(double to[3], vec4 v) {
    for (int k = 0; k < 3; k++) to[k] = v[k];
}

static inline void one_error(const one_frame *f, const one_frame *goal, int has_point, int has_rotation,
                             error_lanes *e) {
    memset(e, 0, sizeof *e); /* what it has no part in */
    if (has_point) {
        const vec4 d = goal->p - f->p;
        keep3(e->point, d);
        e->point_square = sum3(d * d);
    }
    if (!has_rotation) return;
    const vec4 v = cross(f->x, goal->x) + cross(f->y, goal->y) + cross(f->n, goal->n);
    const double trace = sum3(f->x * goal->x) + sum3(f->y * goal->y) + sum3(f->n * goal->n);
    const double h = sqrt(lbm_max_lanes(trace + 1.0, 1e-7)) * 0.5, scale = 0.5 / h;
    const vec4 rotation = v * scale;
    keep3(e->rotation, rotation);
    e->rotation_square = sum3(rotation * rotation);
    e->is_small = lbm_less(0, trace);
}

/* Returns whether it may have changed the column. */
static inline int one_hold(const lbs_chain_joint *j, double q, const error_lanes *e, double column[8], int has_point,
                           int has_rotation) {
    if (q > j->lower && q < j->upper) return 0;
    double six[6] = {column[0], column[1], column[2], column[4], column[5], column[6]};
    hold(j, q, e, six, has_point, has_rotation);
    memcpy(column, six, 3 * sizeof *six);
    memcpy(column + 4, six + 3, 3 * sizeof *six);
    return 1;
}

typedef struct one_sums {
    vec4 point[3], rotation[3], mixed[3];
} one_sums;

static inline void one_begin(const lbs_chain *c, one *o, vec4 p, const error_lanes *e, int has_point, int has_rotation,
                             one_sums *m) {
    const lbs_chain_joint *j = &c->joints[0];
    double *column = o->column[0];
    const vec4 zero = {0, 0, 0, 0};
    for (int k = 0; k < 3; k++) m->point[k] = m->rotation[k] = m->mixed[k] = zero;
    if (j->slides) return;
    store4(column, (vec4){-p[1], p[0], 0, 0});
    store4(column + 4, (vec4){0, 0, 1, 0});
    if (j->scale != 1)
        for (int k = 0; k < 8; k++) column[k] = column[k] * j->scale;
    one_hold(j, o->q[0], e, column, has_point, has_rotation);
    const double x = column[0], y = column[1], w = column[6];
    m->point[0] = (vec4){x * x, x * y, 0, 0};
    m->point[1] = (vec4){x * y, y * y, 0, 0};
    m->rotation[2] = (vec4){0, 0, w * w, 0};
    m->mixed[2] = (vec4){w * x, w * y, 0, 0};
}

static inline void one_joint(const lbs_chain *c, one *o, vec4 p, const error_lanes *e, int i, int has_point,
                             int has_rotation, one_sums *m) {
    const lbs_chain_joint *j = &c->joints[i];
    double *column = o->column[i];
    vec4 w = load4(column + 4), v;
    if (j->slides) {
        v = w * c->unit;
        w = (vec4){0, 0, 0, 0};
    } else {
        v = cross(w, p - load4(o->point[i]));
    }
    if (j->scale != 1) {
        v = v * j->scale;
        w = w * j->scale;
    }
    store4(column, v);
    store4(column + 4, w);
    if (one_hold(j, o->q[i], e, column, has_point, has_rotation)) {
        v = load4(column);
        w = load4(column + 4);
    }
    for (int k = 0; k < 3; k++) {
        if (has_point) m->point[k] += v * column[k];
        if (has_rotation) m->rotation[k] += w * column[4 + k];
        if (has_point && has_rotation) m->mixed[k] += v * column[4 + k];
    }
}

static inline void one_symmetric(const vec4 rows[3], double m[6]) {
    m[0] = rows[0][0];
    m[1] = rows[0][1];
    m[2] = rows[0][2];
    m[3] = rows[1][1];
    m[4] = rows[1][2];
    m[5] = rows[2][2];
}

static inline void one_improve(const lbs_chain *c, one *o, vec4 p, const error_lanes *e, double damping, int has_point,
                               int has_rotation) {
    one_sums sums;
    normal_lanes m;
    double y[6];
    one_begin(c, o, p, e, has_point, has_rotation, &sums);
    for (int i = !c->joints[0].slides; i < c->n; i++) one_joint(c, o, p, e, i, has_point, has_rotation, &sums);
    one_symmetric(sums.point, m.point);
    one_symmetric(sums.rotation, m.rotation);
    for (int k = 0; k < 9; k++) m.mixed[k] = sums.mixed[k / 3][k % 3];
    damp(&m, damping);
    solve(&m, e, has_point, has_rotation, y);
    for (int i = 0; i < c->n; i++) {
        const lbs_chain_joint *j = &c->joints[i];
        const double *column = o->column[i];
        double by = 0;
        if (has_point) by = column[0] * y[0] + column[1] * y[1] + column[2] * y[2];
        if (has_rotation) by += column[4] * y[3] + column[5] * y[4] + column[6] * y[5];
        o->q[i] = moved(j, o->q[i], by);
    }
}

static inline unsigned run_one(const lbs_chain *c, lbs_lanes *l, int iterations, unsigned *met, int has_point,
                               int has_rotation) {
    one o;
    lbm_truths in = 0, done = 0;
    for (int i = 0; i < (c->n + 7) / 8 * 8; i++) {
        o.q[i] = i < c->n ? l->q[i][0] : 0;
        o.offset[i] = i < c->n ? c->joints[i].offset : 0;
    }
    const one_frame goal = {(vec4){l->goal[0][0], l->goal[1][0], l->goal[2][0], 0},
                            (vec4){l->goal[3][0], l->goal[4][0], l->goal[5][0], 0},
                            (vec4){l->goal[6][0], l->goal[7][0], l->goal[8][0], 0},
                            (vec4){l->goal[9][0], l->goal[10][0], l->goal[11][0], 0}};
    for (int i = 0; i < iterations; i++) {
        error_lanes e;
        one_frame f;
        one_sines(c->n, &o);
        one_along(c, &o, &f);
        one_error(&f, &goal, has_point, has_rotation, &e);
        const double error = half_square(&e, has_point, has_rotation);
        done = judge(c, l, &e, error, has_point, has_rotation, &in) & 1;
        if (done) break;
        one_improve(c, &o, f.p, &e, error * DAMPING + LEAST_DAMPING, has_point, has_rotation);
    }
    for (int i = 0; i < c->n; i++) l->q[i][0] = o.q[i];
    *met = (unsigned)in & 1;
    return (unsigned)done;
}

unsigned lbs_chain_one(const lbs_chain *c, lbs_lanes *l, unsigned live, int iterations, unsigned *met) {
    (void)live; /* the one lane there is */
    if (!c->has_rotation) return run_one(c, l, iterations, met, 1, 0);
    return c->has_point ? run_one(c, l, iterations, met, 1, 1) : run_one(c, l, iterations, met, 0, 1);
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
