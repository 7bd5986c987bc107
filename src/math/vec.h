/* Vectors of three, 3x3 rotations and rigid transforms, as small inline functions.
 *
 * A transform is four columns x, y, z, p of four doubles (the fourth is padding, kept 0), so that a column is one
 * SIMD register: world = x * v[0] + y * v[1] + z * v[2] + p. Every operation is spelled out in one order, so that all
 * compilers give the same bits. */
#ifndef LIMBER_MATH_VEC_H
#define LIMBER_MATH_VEC_H

#include <math.h>
#include <string.h>

#include "math/simd.h"
#include "math/strict.h"

static inline void lbm_copy3(double out[3], const double a[3]) {
    out[0] = a[0];
    out[1] = a[1];
    out[2] = a[2];
}

static inline void lbm_set3(double out[3], double x, double y, double z) {
    out[0] = x;
    out[1] = y;
    out[2] = z;
}

static inline double lbm_dot3(const double a[3], const double b[3]) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline void lbm_cross3(const double a[3], const double b[3], double out[3]) {
    double x = a[1] * b[2] - a[2] * b[1];
    double y = a[2] * b[0] - a[0] * b[2];
    double z = a[0] * b[1] - a[1] * b[0];
    lbm_set3(out, x, y, z);
}

static inline void lbm_sub3(const double a[3], const double b[3], double out[3]) {
    lbm_set3(out, a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

static inline void lbm_add_scaled3(double out[3], const double a[3], double scale) {
    out[0] += a[0] * scale;
    out[1] += a[1] * scale;
    out[2] += a[2] * scale;
}

static inline double lbm_norm3(const double a[3]) { return sqrt(lbm_dot3(a, a)); }

/* The length of any finite vector, without overflow or underflow on the way. */
static inline double lbm_safe_norm3(const double a[3]) {
    double largest = fabs(a[0]);
    if (fabs(a[1]) > largest) {
        largest = fabs(a[1]);
    }
    if (fabs(a[2]) > largest) {
        largest = fabs(a[2]);
    }
    if (largest == 0) {
        return 0;
    }
    double scaled[3] = {a[0] / largest, a[1] / largest, a[2] / largest};
    return largest * lbm_norm3(scaled);
}

static inline int lbm_is_finite(double value) { return value - value == 0; }

static inline int lbm_all_finite(const double *values, int count) {
    double off[4] = {0, 0, 0, 0}; /* or not a number, from the first one that is not finite on; four need not wait */
    int i = 0;
    for (; i + 4 <= count; i += 4) {
        for (int k = 0; k < 4; k++) {
            off[k] += values[i + k] - values[i + k];
        }
    }
    for (; i < count; i++) {
        off[0] += values[i] - values[i];
    }
    return off[0] + off[1] + off[2] + off[3] == 0;
}

typedef struct lbm_transform {
    double x[4], y[4], z[4], p[4];
} lbm_transform;

static inline void lbm_transform_identity(lbm_transform *t) {
    memset(t, 0, sizeof *t);
    t->x[0] = t->y[1] = t->z[2] = 1;
}

/* out = rotation of t applied to v. */
static inline void lbm_rotate(const lbm_transform *t, const double v[3], double out[3]) {
    double a = v[0], b = v[1], c = v[2];
    for (int i = 0; i < 3; i++) {
        out[i] = t->x[i] * a + t->y[i] * b + t->z[i] * c;
    }
}

static inline void lbm_apply(const lbm_transform *t, const double v[3], double out[3]) {
    double a = v[0], b = v[1], c = v[2];
    for (int i = 0; i < 3; i++) {
        out[i] = t->x[i] * a + t->y[i] * b + t->z[i] * c + t->p[i];
    }
}

/* x * v[0] + y * v[1] + z * v[2]. */
static inline lbm_v4 lbm_combine(lbm_v4 x, lbm_v4 y, lbm_v4 z, const double v[3]) {
    return lbm_add4(lbm_add4(lbm_scale4(x, v[0]), lbm_scale4(y, v[1])), lbm_scale4(z, v[2]));
}

/* out = a * b; out must not be a or b. */
static inline void lbm_transform_multiply(const lbm_transform *a, const lbm_transform *b, lbm_transform *out) {
    const lbm_v4 x = lbm_load4(a->x), y = lbm_load4(a->y), z = lbm_load4(a->z), p = lbm_load4(a->p);
    lbm_store4(out->x, lbm_combine(x, y, z, b->x));
    lbm_store4(out->y, lbm_combine(x, y, z, b->y));
    lbm_store4(out->z, lbm_combine(x, y, z, b->z));
    lbm_store4(out->p, lbm_add4(lbm_combine(x, y, z, b->p), p));
}

static inline void lbm_transform_invert(const lbm_transform *t, lbm_transform *out) {
    lbm_transform r;
    memset(&r, 0, sizeof r);
    for (int i = 0; i < 3; i++) {
        r.x[i] = i == 0 ? t->x[0] : i == 1 ? t->y[0] : t->z[0];
        r.y[i] = i == 0 ? t->x[1] : i == 1 ? t->y[1] : t->z[1];
        r.z[i] = i == 0 ? t->x[2] : i == 1 ? t->y[2] : t->z[2];
    }
    double p[3];
    lbm_rotate(&r, t->p, p);
    for (int i = 0; i < 3; i++) {
        r.p[i] = -p[i];
    }
    *out = r;
}

#endif
