/* Four or eight doubles at a time, in registers of LBM_WIDTH doubles: 2 is a register of SSE2, NEON and WASM alike and
 * what a file gets that says nothing; 4 and 8 are for files that isa.h compiles for AVX2 and AVX-512. The scalar twin (1:
 * LBM_SCALAR, or a compiler without vectors) is the same arithmetic, operation by operation, so that the bits agree. */
#ifndef LIMBER_MATH_SIMD_H
#define LIMBER_MATH_SIMD_H

#include <stdint.h>

#ifndef LBM_WIDTH
#if defined(__GNUC__) && !defined(LBM_SCALAR)
#define LBM_WIDTH 2
#else
#define LBM_WIDTH 1
#endif
#endif

/* word4 and word8: the registers that four and eight doubles are made of. PARTS: their names, and where each begins. */
#if LBM_WIDTH == 1
typedef double lbm_word4;
typedef double lbm_word8;
#define LBM_PARTS4(X) X(a, 0), X(b, 1), X(c, 2), X(d, 3)
#define LBM_PARTS8(X) X(a, 0), X(b, 1), X(c, 2), X(d, 3), X(e, 4), X(f, 5), X(g, 6), X(h, 7)
#elif LBM_WIDTH == 2
typedef double lbm_word4 __attribute__((vector_size(16), aligned(8), may_alias));
typedef lbm_word4 lbm_word8;
#define LBM_PARTS4(X) X(a, 0), X(b, 2)
#define LBM_PARTS8(X) X(a, 0), X(b, 2), X(c, 4), X(d, 6)
#elif LBM_WIDTH == 4
typedef double lbm_word4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef lbm_word4 lbm_word8;
#define LBM_PARTS4(X) X(a, 0)
#define LBM_PARTS8(X) X(a, 0), X(b, 4)
#else
typedef double lbm_word4 __attribute__((vector_size(32), aligned(8), may_alias));
typedef double lbm_word8 __attribute__((vector_size(64), aligned(8), may_alias));
#define LBM_PARTS4(X) X(a, 0)
#define LBM_PARTS8(X) X(a, 0)
#endif

typedef struct lbm_v4 {
#if LBM_WIDTH == 1
    lbm_word4 a, b, c, d;
#elif LBM_WIDTH == 2
    lbm_word4 a, b;
#else
    lbm_word4 a;
#endif
} lbm_v4;

typedef struct lbm_v8 {
#if LBM_WIDTH == 1
    lbm_word8 a, b, c, d, e, f, g, h;
#elif LBM_WIDTH == 2
    lbm_word8 a, b, c, d;
#elif LBM_WIDTH == 4
    lbm_word8 a, b;
#else
    lbm_word8 a;
#endif
} lbm_v8;

#define LBM_LOAD4(part, at) *(const lbm_word4 *)(p + (at))
#define LBM_LOAD8(part, at) *(const lbm_word8 *)(p + (at))
#define LBM_STORE4(part, at) *(lbm_word4 *)(p + (at)) = v.part
#define LBM_STORE8(part, at) *(lbm_word8 *)(p + (at)) = v.part
#define LBM_SCALE(part, at) v.part *s
#define LBM_ADD(part, at) v.part + w.part
#define LBM_SUB(part, at) v.part - w.part
#define LBM_MUL(part, at) v.part *w.part
#define LBM_INVERSE(part, at) 1 / v.part
#if LBM_WIDTH == 1
#define LBM_PICK(part, at) v.part < w.part ? x.part : y.part
#else
typedef int64_t lbm_bits8 __attribute__((vector_size(sizeof(lbm_word8))));
#define LBM_PICK(part, at)                                           \
    (lbm_word8)(((lbm_bits8)x.part & (lbm_bits8)(v.part < w.part)) | \
                ((lbm_bits8)y.part & ~(lbm_bits8)(v.part < w.part)))
#endif

static inline lbm_v4 lbm_load4(const double *p) { return (lbm_v4){LBM_PARTS4(LBM_LOAD4)}; }
static inline void lbm_store4(double *p, lbm_v4 v) { LBM_PARTS4(LBM_STORE4); }
static inline lbm_v4 lbm_scale4(lbm_v4 v, double s) { return (lbm_v4){LBM_PARTS4(LBM_SCALE)}; }
static inline lbm_v4 lbm_add4(lbm_v4 v, lbm_v4 w) { return (lbm_v4){LBM_PARTS4(LBM_ADD)}; }
static inline lbm_v4 lbm_zero4(void) {
    static const double zeros[4];
    return lbm_load4(zeros);
}
static inline lbm_v4 lbm_of4(double a, double b, double c, double d) {
#if LBM_WIDTH == 1
    return (lbm_v4){a, b, c, d};
#elif LBM_WIDTH == 2
    return (lbm_v4){{a, b}, {c, d}};
#else
    return (lbm_v4){{a, b, c, d}};
#endif
}
/* Four fours as a matrix, transposed. */
static inline void lbm_turn4(lbm_v4 m[4]) {
    const lbm_v4 v = m[0], w = m[1], x = m[2], y = m[3];
#if LBM_WIDTH == 1
    m[0] = (lbm_v4){v.a, w.a, x.a, y.a};
    m[1] = (lbm_v4){v.b, w.b, x.b, y.b};
    m[2] = (lbm_v4){v.c, w.c, x.c, y.c};
    m[3] = (lbm_v4){v.d, w.d, x.d, y.d};
#elif LBM_WIDTH == 2
    m[0] = (lbm_v4){{v.a[0], w.a[0]}, {x.a[0], y.a[0]}};
    m[1] = (lbm_v4){{v.a[1], w.a[1]}, {x.a[1], y.a[1]}};
    m[2] = (lbm_v4){{v.b[0], w.b[0]}, {x.b[0], y.b[0]}};
    m[3] = (lbm_v4){{v.b[1], w.b[1]}, {x.b[1], y.b[1]}};
#else
    const __m256d even = _mm256_unpacklo_pd(v.a, w.a), odd = _mm256_unpackhi_pd(v.a, w.a),
                  even2 = _mm256_unpacklo_pd(x.a, y.a), odd2 = _mm256_unpackhi_pd(x.a, y.a);
    m[0].a = _mm256_permute2f128_pd(even, even2, 0x20);
    m[1].a = _mm256_permute2f128_pd(odd, odd2, 0x20);
    m[2].a = _mm256_permute2f128_pd(even, even2, 0x31);
    m[3].a = _mm256_permute2f128_pd(odd, odd2, 0x31);
#endif
}
static inline lbm_v4 lbm_sub4(lbm_v4 v, lbm_v4 w) { return (lbm_v4){LBM_PARTS4(LBM_SUB)}; }

static inline lbm_v4 lbm_mul4(lbm_v4 v, lbm_v4 w) { return (lbm_v4){LBM_PARTS4(LBM_MUL)}; }
/* (y, z, x, w) of (x, y, z, w). */
static inline lbm_v4 lbm_yzx4(lbm_v4 v) {
#if LBM_WIDTH == 1
    return (lbm_v4){v.b, v.c, v.a, v.d};
#elif LBM_WIDTH == 2
    return (lbm_v4){{v.a[1], v.b[0]}, {v.a[0], v.b[1]}};
#else
    return (lbm_v4){_mm256_permute4x64_pd(v.a, 0xc9)};
#endif
}
/* The cross product of the first three. */
static inline lbm_v4 lbm_cross4(lbm_v4 v, lbm_v4 w) {
    return lbm_yzx4(lbm_sub4(lbm_mul4(v, lbm_yzx4(w)), lbm_mul4(lbm_yzx4(v), w)));
}

static inline lbm_v8 lbm_load8(const double *p) { return (lbm_v8){LBM_PARTS8(LBM_LOAD8)}; }
static inline void lbm_store8(double *p, lbm_v8 v) { LBM_PARTS8(LBM_STORE8); }
static inline lbm_v8 lbm_scale8(lbm_v8 v, double s) { return (lbm_v8){LBM_PARTS8(LBM_SCALE)}; }
static inline lbm_v8 lbm_add8(lbm_v8 v, lbm_v8 w) { return (lbm_v8){LBM_PARTS8(LBM_ADD)}; }
static inline lbm_v8 lbm_sub8(lbm_v8 v, lbm_v8 w) { return (lbm_v8){LBM_PARTS8(LBM_SUB)}; }
static inline lbm_v8 lbm_mul8(lbm_v8 v, lbm_v8 w) { return (lbm_v8){LBM_PARTS8(LBM_MUL)}; }
static inline lbm_v8 lbm_inverse8(lbm_v8 v) { return (lbm_v8){LBM_PARTS8(LBM_INVERSE)}; }
/* The first four. */
static inline lbm_v4 lbm_lower4(lbm_v8 v) {
#if LBM_WIDTH == 1
    return (lbm_v4){v.a, v.b, v.c, v.d};
#elif LBM_WIDTH == 2
    return (lbm_v4){v.a, v.b};
#elif LBM_WIDTH == 4
    return (lbm_v4){v.a};
#else
    return (lbm_v4){_mm512_castpd512_pd256(v.a)};
#endif
}
/* x where v < w, else y. */
static inline lbm_v8 lbm_pick8(lbm_v8 v, lbm_v8 w, lbm_v8 x, lbm_v8 y) { return (lbm_v8){LBM_PARTS8(LBM_PICK)}; }
static inline lbm_v8 lbm_zero8(void) {
    static const double zeros[8];
    return lbm_load8(zeros);
}

/* Sixteen, where there are registers enough. */
typedef struct lbm_v16 {
    lbm_v8 a, b;
} lbm_v16;

static inline lbm_v16 lbm_load16(const double *p) { return (lbm_v16){lbm_load8(p), lbm_load8(p + 8)}; }
static inline void lbm_store16(double *p, lbm_v16 v) {
    lbm_store8(p, v.a);
    lbm_store8(p + 8, v.b);
}
static inline lbm_v16 lbm_scale16(lbm_v16 v, double s) { return (lbm_v16){lbm_scale8(v.a, s), lbm_scale8(v.b, s)}; }
static inline lbm_v16 lbm_add16(lbm_v16 v, lbm_v16 w) { return (lbm_v16){lbm_add8(v.a, w.a), lbm_add8(v.b, w.b)}; }
static inline lbm_v16 lbm_sub16(lbm_v16 v, lbm_v16 w) { return (lbm_v16){lbm_sub8(v.a, w.a), lbm_sub8(v.b, w.b)}; }
static inline lbm_v16 lbm_zero16(void) { return (lbm_v16){lbm_zero8(), lbm_zero8()}; }

#if LBM_WIDTH >= 4
/* The upper half onto the lower. */
static inline __m256d lbm_fold8(lbm_v8 v) {
#if LBM_WIDTH == 4
    return v.a + v.b;
#else
    return _mm512_castpd512_pd256(v.a) + _mm512_extractf64x4_pd(v.a, 1);
#endif
}
#endif

/* The sum of all eight: halves onto each other, three times. */
static inline double lbm_sum8(lbm_v8 v) {
#if LBM_WIDTH == 1
    const double a = v.a + v.e, b = v.b + v.f, c = v.c + v.g, d = v.d + v.h;
    return (a + c) + (b + d);
#elif LBM_WIDTH == 2
    const lbm_word8 pair = (v.a + v.c) + (v.b + v.d);
    return pair[0] + pair[1];
#else
    const __m256d four = lbm_fold8(v);
    const __m128d pair = _mm256_castpd256_pd128(four) + _mm256_extractf128_pd(four, 1);
    return pair[0] + pair[1];
#endif
}

/* lbm_sum8 of four at once. */
static inline void lbm_sums8(lbm_v8 v, lbm_v8 w, lbm_v8 x, lbm_v8 y, double out[4]) {
#if LBM_WIDTH < 4
    out[0] = lbm_sum8(v);
    out[1] = lbm_sum8(w);
    out[2] = lbm_sum8(x);
    out[3] = lbm_sum8(y);
#else
    const __m256d a = lbm_fold8(v), b = lbm_fold8(w), c = lbm_fold8(x), d = lbm_fold8(y);
    const __m256d ab = _mm256_permute2f128_pd(a, b, 0x20) + _mm256_permute2f128_pd(a, b, 0x31),
                  cd = _mm256_permute2f128_pd(c, d, 0x20) + _mm256_permute2f128_pd(c, d, 0x31),
                  acbd = _mm256_unpacklo_pd(ab, cd) + _mm256_unpackhi_pd(ab, cd);
    _mm256_storeu_pd(out, _mm256_permute4x64_pd(acbd, 0xd8));
#endif
}

/* A bit for each of eight that is another in v than in w. */
static inline unsigned lbm_differ8(lbm_v8 v, lbm_v8 w) {
#if LBM_WIDTH == 8
    return _mm512_cmp_pd_mask(v.a, w.a, _CMP_NEQ_UQ);
#elif LBM_WIDTH == 4
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(v.a, w.a, _CMP_NEQ_UQ)) |
           (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(v.b, w.b, _CMP_NEQ_UQ)) << 4;
#else
    double a[8], b[8];
    unsigned bits = 0;
    lbm_store8(a, v);
    lbm_store8(b, w);
    for (int i = 0; i < 8; i++) {
        bits |= (unsigned)(a[i] != b[i]) << i;
    }
    return bits;
#endif
}

/* The place of the lowest bit that is set; there is one. */
static inline int lbm_lowest_bit(uint64_t bits) {
#ifdef __GNUC__
    return __builtin_ctzll(bits);
#else
    int place = 0;
    for (; !(bits & 1); bits >>= 1) {
        place++;
    }
    return place;
#endif
}

#endif
