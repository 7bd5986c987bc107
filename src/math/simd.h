/* Four doubles at a time, as two pairs: a pair is a register of SSE2, NEON and WASM alike. The scalar twin (LBM_SCALAR,
 * or a compiler without vectors) is the same arithmetic, operation by operation, so that the bits agree. */
#ifndef LIMBER_MATH_SIMD_H
#define LIMBER_MATH_SIMD_H

#if defined(__GNUC__) && !defined(LBM_SCALAR)

typedef double lbm_v2 __attribute__((vector_size(16), aligned(8)));

#else

typedef struct lbm_v2 {
    double e[2];
} lbm_v2;

#endif

typedef struct lbm_v4 {
    lbm_v2 low, high;
} lbm_v4;

#if defined(__GNUC__) && !defined(LBM_SCALAR)

static inline lbm_v4 lbm_load4(const double *p) { return (lbm_v4){*(const lbm_v2 *)p, *(const lbm_v2 *)(p + 2)}; }
static inline void lbm_store4(double *p, lbm_v4 v) {
    *(lbm_v2 *)p = v.low;
    *(lbm_v2 *)(p + 2) = v.high;
}
static inline lbm_v4 lbm_scale4(lbm_v4 v, double s) { return (lbm_v4){v.low * s, v.high * s}; }
static inline lbm_v4 lbm_add4(lbm_v4 a, lbm_v4 b) { return (lbm_v4){a.low + b.low, a.high + b.high}; }
static inline lbm_v4 lbm_sub4(lbm_v4 a, lbm_v4 b) { return (lbm_v4){a.low - b.low, a.high - b.high}; }

#else

static inline lbm_v4 lbm_load4(const double *p) { return (lbm_v4){{{p[0], p[1]}}, {{p[2], p[3]}}}; }
static inline void lbm_store4(double *p, lbm_v4 v) {
    p[0] = v.low.e[0];
    p[1] = v.low.e[1];
    p[2] = v.high.e[0];
    p[3] = v.high.e[1];
}
static inline lbm_v4 lbm_scale4(lbm_v4 v, double s) {
    return (lbm_v4){{{v.low.e[0] * s, v.low.e[1] * s}}, {{v.high.e[0] * s, v.high.e[1] * s}}};
}
static inline lbm_v4 lbm_add4(lbm_v4 a, lbm_v4 b) {
    return (lbm_v4){{{a.low.e[0] + b.low.e[0], a.low.e[1] + b.low.e[1]}},
                    {{a.high.e[0] + b.high.e[0], a.high.e[1] + b.high.e[1]}}};
}
static inline lbm_v4 lbm_sub4(lbm_v4 a, lbm_v4 b) {
    return (lbm_v4){{{a.low.e[0] - b.low.e[0], a.low.e[1] - b.low.e[1]}},
                    {{a.high.e[0] - b.high.e[0], a.high.e[1] - b.high.e[1]}}};
}

#endif

#endif
