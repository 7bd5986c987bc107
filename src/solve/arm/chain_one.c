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
#include "solve/arm/chain_kernel.h"

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

/* Of a start, with joints that do nothing up to a multiple of LBS_ONE_SIDE. */
typedef struct one {
    double q[LBS_CHAIN_MAX], sine[LBS_CHAIN_MAX], cosine[LBS_CHAIN_MAX];
    double point[LBS_CHAIN_MAX][4];
    double column[LBS_CHAIN_MAX][8]; /* (x, y, z, 0) twice; of the rotation the axis, until it is one */
} one;

typedef struct one_frame {
    vec4 x, y, n, p;
} one_frame;

static inline void one_sines(const lbs_chain *c, one *o) {
    for (int i = 0; i < c->n; i += LBS_ONE_SIDE) {
        for (int k = i; k < i + LBS_ONE_SIDE; k++) {
            lbm_sincos_lanes(o->q[k] + c->one.offset[k], &o->sine[k], &o->cosine[k]);
        }
    }
}

static inline void one_turn(one_frame *f, double sine, double cosine) {
    const vec4 x = f->x * cosine + f->y * sine;
    f->y = f->y * cosine + f->x * -sine;
    f->x = x;
}

static inline void one_shift(const lbs_chain_joint *j, one_frame *f) {
    if (j->shifts & 1) {
        f->p += f->x * j->x;
    }
    if (j->shifts & 2) {
        f->p += f->y * j->y;
    }
    if (j->shifts & 4) {
        f->p += f->n * j->z;
    }
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
        if (j->turns) {
            one_turn(f, j->turn_sine, j->turn_cosine);
        }
    }
    f->p += f->x * c->end_x + f->n * c->end_z;
}

typedef struct one_error {
    vec4 point, rotation;
    double point_square, rotation_square;
    int is_small;
} one_error;

static inline void find_error(const one_frame *f, const one_frame *goal, int has_point, int has_rotation,
                              one_error *e) {
    e->point = e->rotation = (vec4){0, 0, 0, 0};
    e->point_square = e->rotation_square = 0;
    if (has_point) {
        e->point = goal->p - f->p;
        e->point_square = sum3(e->point * e->point);
    }
    if (!has_rotation) {
        return;
    }
    const vec4 v = cross(f->x, goal->x) + cross(f->y, goal->y) + cross(f->n, goal->n);
    const double trace = sum3(f->x * goal->x) + sum3(f->y * goal->y) + sum3(f->n * goal->n);
    const double h = lbm_max_lanes(trace + 1.0, 1e-7), scale = 1.0 / sqrt(h);
    e->rotation = v * scale;
    e->rotation_square = sum3(v * v) / h;
    e->is_small = lbm_less(0, trace);
}

/* The joints at an end of their range, a bit each. */
static inline unsigned find_ends(const lbs_chain *c, const one *o) {
    unsigned ends = 0;
    for (int i = 0; i < c->n; i += 4) {
        const vec4 q = load4(o->q + i);
        const __m256d low = _mm256_cmp_pd(q, load4(c->one.lower + i), _CMP_LE_OS);
        const __m256d high = _mm256_cmp_pd(load4(c->one.upper + i), q, _CMP_LE_OS);
        ends |= (unsigned)_mm256_movemask_pd(_mm256_or_pd(low, high)) << i;
    }
    return ends;
}

/* Whether a joint at an end of its range is pushed outward. */
static inline int is_stuck(const lbs_chain_joint *j, double q, const one_error *e, vec4 v, vec4 w, int has_point,
                           int has_rotation) {
    double gradient = 0;
    if (has_point) {
        gradient = sum3(v * e->point);
    }
    if (has_rotation) {
        gradient += sum3(w * e->rotation);
    }
    if (j->flipped) {
        gradient = -gradient;
    }
    return (q <= j->lower && gradient < 0) || (q >= j->upper && gradient > 0);
}

/* K K', as rows. */
typedef struct one_sums {
    vec4 point[3], rotation[3], mixed[3]; /* mixed: a row of the rotation with the point's */
} one_sums;

static inline void one_begin(const lbs_chain *c, one *o, vec4 p, const one_error *e, unsigned ends, int has_point,
                             int has_rotation, one_sums *m) {
    const lbs_chain_joint *j = &c->joints[0];
    const vec4 zero = {0, 0, 0, 0};
    for (int k = 0; k < 3; k++) {
        m->point[k] = m->rotation[k] = m->mixed[k] = zero;
    }
    if (j->slides) {
        return;
    }
    vec4 v = {-p[1], p[0], 0, 0}, w = {0, 0, 1, 0};
    if (j->scale != 1) {
        v = v * j->scale;
        w = w * j->scale;
    }
    if (ends & 1 && is_stuck(j, o->q[0], e, v, w, has_point, has_rotation)) {
        v = w = zero;
    }
    store4(o->column[0], v);
    store4(o->column[0] + 4, w);
    m->point[0] = v * v[0];
    m->point[1] = v * v[1];
    m->rotation[2] = w * w[2];
    m->mixed[2] = v * w[2];
}

static inline void one_joint(const lbs_chain *c, one *o, vec4 p, const one_error *e, unsigned ends, int i,
                             int has_point, int has_rotation, one_sums *m) {
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
    if (ends >> i & 1 && is_stuck(j, o->q[i], e, v, w, has_point, has_rotation)) {
        v = w = (vec4){0, 0, 0, 0};
    }
    store4(column, v);
    store4(column + 4, w);
    for (int k = 0; k < 3; k++) {
        if (has_point) {
            m->point[k] += v * column[k];
        }
        if (has_rotation) {
            m->rotation[k] += w * column[4 + k];
        }
        if (has_point && has_rotation) {
            m->mixed[k] += v * column[4 + k];
        }
    }
}

static inline void one_damp(vec4 rows[3], double damping) {
    const vec4 all = _mm256_set1_pd(damping), zero = {0, 0, 0, 0};
    rows[0] += _mm256_blend_pd(zero, all, 1);
    rows[1] += _mm256_blend_pd(zero, all, 2);
    rows[2] += _mm256_blend_pd(zero, all, 4);
}

/* The rows of a symmetric matrix's adjugate: cross products, which are the products that adjugate3 has. */
static inline double one_adjugate(const vec4 m[3], vec4 adjugate[3]) {
    adjugate[0] = cross(m[1], m[2]);
    adjugate[1] = cross(m[2], m[0]);
    adjugate[2] = cross(m[0], m[1]);
    return 1.0 / sum3(m[0] * adjugate[0]);
}

/* rows[0] a + rows[1] b + rows[2] c */
static inline vec4 one_combine(const vec4 rows[3], vec4 by) {
    return rows[0] * by[0] + rows[1] * by[1] + rows[2] * by[2];
}

static inline void one_transpose(const vec4 rows[3], vec4 columns[3]) {
    const vec4 low = _mm256_unpacklo_pd(rows[0], rows[1]),
               high = _mm256_unpackhi_pd(rows[0], rows[1]); /* 00 10 02 12 */
    const vec4 last = rows[2], up = _mm256_permute_pd(last, 5);
    columns[0] = _mm256_permute2f128_pd(low, last, 0x20);
    columns[1] = _mm256_permute2f128_pd(high, up, 0x20);
    columns[2] = _mm256_permute2f128_pd(low, last, 0x31);
}

/* As solve_both of chain_kernel.h. */
static inline void one_solve_both(one_sums *m, const one_error *e, vec4 *y_point, vec4 *y_rotation) {
    vec4 adjugate[3], w[3], w_columns[3], b_columns[3], d[3];
    const double over = one_adjugate(m->point, adjugate);
    for (int r = 0; r < 3; r++) {
        w[r] = one_combine(adjugate, m->mixed[r]);
    }
    one_transpose(m->mixed, b_columns);
    one_transpose(w, w_columns);
    for (int r = 0; r < 3; r++) {
        d[r] = m->rotation[r] - one_combine(b_columns, w[r]) * over;
    }
    /* its upper half counts */
    const vec4 across = _mm256_permute2f128_pd(d[0], d[1], 0x31); /* d02, ., d12, . */
    d[1] = _mm256_blend_pd(d[1], _mm256_permute_pd(d[0], 5), 1);
    d[2] = _mm256_blend_pd(_mm256_permute4x64_pd(across, 0 | 2 << 2 | 3 << 4 | 3 << 6), d[2], 4);
    const vec4 rest = e->rotation - one_combine(w_columns, e->point) * over;
    const vec4 solved = one_combine(adjugate, e->point);
    const double over_rest = one_adjugate(d, adjugate);
    *y_rotation = one_combine(adjugate, rest) * over_rest;
    *y_point = (solved - one_combine(w, *y_rotation)) * over;
}

static inline void one_solve(one_sums *m, const one_error *e, double damping, int has_point, int has_rotation,
                             vec4 *y_point, vec4 *y_rotation) {
    vec4 adjugate[3];
    if (has_point) {
        one_damp(m->point, damping);
    }
    if (has_rotation) {
        one_damp(m->rotation, damping);
    }
    if (has_point && has_rotation) {
        one_solve_both(m, e, y_point, y_rotation);
    } else if (has_point) {
        const double over = one_adjugate(m->point, adjugate);
        *y_point = one_combine(adjugate, e->point) * over;
    } else {
        const double over = one_adjugate(m->rotation, adjugate);
        *y_rotation = one_combine(adjugate, e->rotation) * over;
    }
}

/* A half of four joints' columns times y, the columns beside each other. */
static inline vec4 one_times(double (*column)[8], int half, vec4 y) {
    const vec4 a = load4(column[0] + half), b = load4(column[1] + half);
    const vec4 c = load4(column[2] + half), d = load4(column[3] + half);
    const vec4 ab = _mm256_unpacklo_pd(a, b), cd = _mm256_unpacklo_pd(c, d);
    const vec4 y_of = _mm256_permute2f128_pd(_mm256_unpackhi_pd(a, b), _mm256_unpackhi_pd(c, d), 0x20);
    const vec4 x_of = _mm256_permute2f128_pd(ab, cd, 0x20), z_of = _mm256_permute2f128_pd(ab, cd, 0x31);
    return x_of * y[0] + y_of * y[1] + z_of * y[2];
}

static inline void one_step(const lbs_chain *c, one *o, vec4 y_point, vec4 y_rotation, int has_point,
                            int has_rotation) {
    for (int i = 0; i < c->n; i += 4) {
        vec4 by = {0, 0, 0, 0};
        if (has_point) {
            by = one_times(o->column + i, 0, y_point);
        }
        if (has_rotation) {
            by += one_times(o->column + i, 4, y_rotation);
        }
        const vec4 to = load4(o->q + i) + by * load4(c->one.factor + i);
        store4(o->q + i, _mm256_max_pd(_mm256_min_pd(to, load4(c->one.upper + i)), load4(c->one.lower + i)));
    }
}

static inline void one_improve(const lbs_chain *c, one *o, vec4 p, const one_error *e, double damping, int has_point,
                               int has_rotation) {
    one_sums m;
    vec4 y_point = {0, 0, 0, 0}, y_rotation = y_point;
    const unsigned ends = find_ends(c, o);
    one_begin(c, o, p, e, ends, has_point, has_rotation, &m);
    for (int i = !c->joints[0].slides; i < c->n; i++) {
        one_joint(c, o, p, e, ends, i, has_point, has_rotation, &m);
    }
    one_solve(&m, e, damping, has_point, has_rotation, &y_point, &y_rotation);
    one_step(c, o, y_point, y_rotation, has_point, has_rotation);
}

static inline void keep_first(const one_frame *f, double to[12]) {
    double room[16]; /* each a little over the one before it */
    store4(room, f->x);
    store4(room + 3, f->y);
    store4(room + 6, f->n);
    store4(room + 9, f->p);
    memcpy(to, room, 12 * sizeof *to);
}

static inline unsigned run_one(const lbs_chain *c, lbs_lanes *l, int iterations, unsigned *met, int has_point,
                               int has_rotation) {
    one o;
    const int padded = (c->n + LBS_ONE_SIDE - 1) / LBS_ONE_SIDE * LBS_ONE_SIDE;
    const double most = c->tolerance * c->tolerance, most_rad = c->tolerance_rad * c->tolerance_rad;
    double error = 0, mark = l->mark[0], left = l->left[0], count = l->count[0];
    int in = 0, done = 0;
    for (int i = 0; i < c->n; i++) {
        o.q[i] = l->q[i][0];
    }
    for (int i = c->n; i < padded; i++) {
        o.q[i] = 0;
        memset(o.column[i], 0, sizeof o.column[i]);
    }
    const one_frame goal = {(vec4){l->goal[0][0], l->goal[1][0], l->goal[2][0], 0},
                            (vec4){l->goal[3][0], l->goal[4][0], l->goal[5][0], 0},
                            (vec4){l->goal[6][0], l->goal[7][0], l->goal[8][0], 0},
                            (vec4){l->goal[9][0], l->goal[10][0], l->goal[11][0], 0}};
    for (int i = 0; i < iterations; i++) {
        one_error e;
        one_frame f;
        one_sines(c, &o);
        one_along(c, &o, &f);
        if (count == 0) {
            keep_first(&f, l->first);
        }
        find_error(&f, &goal, has_point, has_rotation, &e);
        /* as judge of chain_kernel.h */
        error = (has_point && has_rotation ? e.point_square + e.rotation_square
                 : has_point               ? e.point_square
                                           : e.rotation_square) *
                0.5;
        in = (!has_point || e.point_square <= most) && (!has_rotation || (e.is_small && e.rotation_square <= most_rad));
        count += 1;
        left -= 1;
        done = in || l->limit[0] <= count;
        if (left < 1) {
            done |= !(error <= 0.5 * mark);
            mark = error;
            left = l->patience[0];
        }
        if (done) {
            break;
        }
        one_improve(c, &o, f.p, &e, error * DAMPING + LEAST_DAMPING, has_point, has_rotation);
    }
    for (int i = 0; i < c->n; i++) {
        l->q[i][0] = o.q[i];
    }
    l->error[0] = error;
    l->mark[0] = mark;
    l->left[0] = left;
    l->count[0] = count;
    *met = (unsigned)in;
    return (unsigned)done;
}

unsigned lbs_chain_one(const lbs_chain *c, lbs_lanes *l, unsigned live, int iterations, unsigned *met) {
    (void)live; /* the one lane there is */
    if (!c->has_rotation) {
        return run_one(c, l, iterations, met, 1, 0);
    }
    return c->has_point ? run_one(c, l, iterations, met, 1, 1) : run_one(c, l, iterations, met, 0, 1);
}

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
