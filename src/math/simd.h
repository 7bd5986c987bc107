/* All vector code goes through this header: target instructions, blocks of doubles, lanes of doubles and of floats.
 *
 * A file may define these before it includes the header:
 *
 *     LBM_SCALAR   no vectors anywhere: the scalar twin, which computes the same operations in the same order;
 *     LBM_WIDTH    how many doubles a register has: 2 (the default) is a register of SSE2, NEON and WASM alike, 4 is
 *                  AVX2, 8 is AVX-512 (F, DQ and VL). Where the compiler cannot make 4 or 8, the width is 2; without
 *                  vectors it is 1;
 *     LBM_LANES    how many doubles lbm_lanes has: 1 (the default), 2, 4 or 8; without vectors it is 1.
 *
 * The text of a kernel is compiled for several widths by including it from one small file for each:
 *
 *     #define LBM_WIDTH 4
 *     #include "math/simd.h"
 *     #if LBM_X86
 *     LBM_TARGET_BEGIN
 *     #include "kernel_text.h"
 *     LBM_TARGET_END
 *     #endif
 *
 * Bits do not depend on the width: no operation mixes the elements of a vector, except for sums, whose order is
 * fixed here (lbm_sum8). */
#ifndef LIMBER_MATH_SIMD_H
#define LIMBER_MATH_SIMD_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/strict.h"

/* ---------------------------------------------------------------------------------------------------
 * Instructions: what the compiler can make, and what the CPU can run
 * ------------------------------------------------------------------------------------------------- */

/* LBM_VECTORS: the compiler knows vectors. LBM_X86: it can also compile single functions for AVX2 and AVX-512. */
#if defined(__GNUC__) && !defined(LBM_SCALAR)
#define LBM_VECTORS 1
#else
#define LBM_VECTORS 0
#endif
/* Not by GCC for 64-bit Windows, whose stack it cannot align to 32 bytes: spilled registers would fault (its bug
 * 54412). */
#if LBM_VECTORS && defined(__x86_64__) && !(defined(_WIN32) && !defined(__clang__))
#define LBM_X86 1
#else
#define LBM_X86 0
#endif

/* LBM_WIDE: vectors of more than two doubles are worth compiling: not for WebAssembly, whose registers hold two, and
 * not where an x86 would have to do without AVX. */
#if LBM_VECTORS && !defined(__wasm__) && (LBM_X86 || !defined(__x86_64__))
#define LBM_WIDE 1
#else
#define LBM_WIDE 0
#endif

#if !LBM_X86 || !defined(LBM_WIDTH)
#undef LBM_WIDTH
#if LBM_VECTORS
#define LBM_WIDTH 2
#else
#define LBM_WIDTH 1
#endif
#endif
#if !LBM_VECTORS || !defined(LBM_LANES) || (LBM_LANES > 2 && !LBM_WIDE)
#undef LBM_LANES
#define LBM_LANES 1
#endif

/* Functions between LBM_TARGET_BEGIN and LBM_TARGET_END are compiled for the instructions that LBM_WIDTH stands for.
 * The other two name the instructions, whatever LBM_WIDTH is; LBM_TARGET_END ends them, too. They exist where
 * LBM_X86 is 1. */
#if LBM_X86
#define LBM_PRAGMA(text) _Pragma(#text)
#ifdef __clang__
#define LBM_TARGET_OF(names) LBM_PRAGMA(clang attribute push(__attribute__((target(names))), apply_to = function))
#define LBM_TARGET_POP _Pragma("clang attribute pop")
#else
#define LBM_TARGET_OF(names) _Pragma("GCC push_options") LBM_PRAGMA(GCC target(names))
#define LBM_TARGET_POP _Pragma("GCC pop_options")
#endif
#define LBM_TARGET_AVX2_BEGIN LBM_TARGET_OF("avx2")
#define LBM_TARGET_AVX2_END LBM_TARGET_POP
#define LBM_TARGET_AVX512_BEGIN LBM_TARGET_OF("avx512f,avx512dq,avx512vl")
#define LBM_TARGET_AVX512_END LBM_TARGET_POP
#endif

#if LBM_WIDTH == 8
#define LBM_TARGET_BEGIN LBM_TARGET_AVX512_BEGIN
#define LBM_TARGET_END LBM_TARGET_AVX512_END
#elif LBM_WIDTH == 4
#define LBM_TARGET_BEGIN LBM_TARGET_AVX2_BEGIN
#define LBM_TARGET_END LBM_TARGET_AVX2_END
#else
#define LBM_TARGET_BEGIN
#define LBM_TARGET_END
#endif

#if LBM_WIDTH >= 4
#include <immintrin.h>
#endif

/* LBM_INLINE: a function that is compiled once for each value of a constant argument. LBM_APART: one that is never
 * inlined. */
#ifdef __GNUC__
#define LBM_INLINE static inline __attribute__((always_inline))
#define LBM_APART static __attribute__((noinline))
#else
#define LBM_INLINE static inline
#define LBM_APART static
#endif

typedef enum lbm_isa {
    LBM_ISA_BASE, /* what every CPU of the family has, or plain C */
    LBM_ISA_AVX2,
    LBM_ISA_AVX512, /* F, DQ and VL */
    LBM_ISA_COUNT
} lbm_isa;

/* The best instructions that this CPU and its operating system have. Asking takes a microsecond or more in a virtual
 * machine, so callers keep the answer. */
lbm_isa lbm_isa_best(void);

/* Asks the memory for what is at an address, so that it arrives while other work is done. */
static inline void lbm_prefetch(const void *at) {
#ifdef __GNUC__
    __builtin_prefetch(at);
#else
    (void)at;
#endif
}

/* The place of the lowest bit that is set. At least one bit must be set. */
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

LBM_TARGET_BEGIN

/* ---------------------------------------------------------------------------------------------------
 * Blocks: 4, 8 or 16 consecutive doubles, in as many registers as that takes
 * ------------------------------------------------------------------------------------------------- */

/* lbm_word4 and lbm_word8 are the registers that a block of four and of eight consists of. LBM_PARTS4(X) and
 * LBM_PARTS8(X) list X(name of a part, place of its first double). */
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
typedef int64_t lbm_masks8 __attribute__((vector_size(sizeof(lbm_word8))));
typedef uint64_t lbm_bits8 __attribute__((vector_size(sizeof(lbm_word8))));
#define LBM_PICK(part, at)                                             \
    (lbm_word8)(((lbm_masks8)x.part & (lbm_masks8)(v.part < w.part)) | \
                ((lbm_masks8)y.part & ~(lbm_masks8)(v.part < w.part)))
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
/* Transposes a matrix of four rows of four. */
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
/* The cross product of the first three elements; the fourth becomes v[3] w[3] - v[3] w[3]. */
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
/* The first four of eight. */
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
/* Element by element: x where v < w, else y. */
static inline lbm_v8 lbm_pick8(lbm_v8 v, lbm_v8 w, lbm_v8 x, lbm_v8 y) { return (lbm_v8){LBM_PARTS8(LBM_PICK)}; }
static inline lbm_v8 lbm_zero8(void) {
    static const double zeros[8];
    return lbm_load8(zeros);
}

/* Blocks of sixteen, for AVX-512, which has registers enough. */
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
/* The sum of the upper four and the lower four. */
static inline __m256d lbm_fold8(lbm_v8 v) {
#if LBM_WIDTH == 4
    return v.a + v.b;
#else
    return _mm512_castpd512_pd256(v.a) + _mm512_extractf64x4_pd(v.a, 1);
#endif
}
#endif

/* The sum of all eight: the upper half is added to the lower half, three times. */
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

/* Four times lbm_sum8, at once. */
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

/* Bit i is set where element i of v differs from element i of w. */
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

/* ---------------------------------------------------------------------------------------------------
 * Lanes: LBM_LANES doubles side by side, each computed as it would be alone
 *
 * Sums, differences, products and quotients are the operators of C. What C has no operator for is here.
 * ------------------------------------------------------------------------------------------------- */

#if LBM_LANES == 1

typedef double lbm_lanes;
typedef uint64_t lbm_bit_lanes;

static inline lbm_lanes lbm_all_lanes(double x) { return x; }
static inline lbm_lanes lbm_lanes_of(lbm_bit_lanes bits) {
    lbm_lanes x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline lbm_bit_lanes lbm_bits_of(lbm_lanes x) {
    lbm_bit_lanes bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

#else

typedef double lbm_lanes __attribute__((vector_size(8 * LBM_LANES)));
typedef uint64_t lbm_bit_lanes __attribute__((vector_size(8 * LBM_LANES)));

static inline lbm_lanes lbm_all_lanes(double x) { return (lbm_lanes){0} + x; }
static inline lbm_lanes lbm_lanes_of(lbm_bit_lanes bits) { return (lbm_lanes)bits; }
static inline lbm_bit_lanes lbm_bits_of(lbm_lanes x) { return (lbm_bit_lanes)x; }

#endif

static inline lbm_lanes lbm_load_lanes(const double *p) {
    lbm_lanes x;
    memcpy(&x, p, sizeof x);
    return x;
}
static inline void lbm_store_lanes(double *p, lbm_lanes x) { memcpy(p, &x, sizeof x); }

/* Truths hold one bit for each lane where the CPU has registers for that (AVX-512), else all bits of each lane. The
 * minimum and the maximum are those of x86: they are the second argument where both are equal, or where one is not a
 * number. */
#if LBM_LANES == 8 && LBM_WIDTH == 8

typedef __mmask8 lbm_truths;
static inline lbm_truths lbm_less(lbm_lanes a, lbm_lanes b) { return _mm512_cmp_pd_mask(a, b, _CMP_LT_OQ); }
static inline lbm_truths lbm_at_most(lbm_lanes a, lbm_lanes b) { return _mm512_cmp_pd_mask(a, b, _CMP_LE_OQ); }
static inline lbm_truths lbm_no_truths(void) { return 0; }
static inline unsigned lbm_truth_bits(lbm_truths t) { return t; }
static inline lbm_lanes lbm_choose(lbm_truths t, lbm_lanes yes, lbm_lanes no) {
    return _mm512_mask_blend_pd(t, no, yes);
}
static inline lbm_lanes lbm_min_lanes(lbm_lanes a, lbm_lanes b) { return _mm512_min_pd(a, b); }
static inline lbm_lanes lbm_max_lanes(lbm_lanes a, lbm_lanes b) { return _mm512_max_pd(a, b); }
static inline lbm_lanes lbm_sqrt_lanes(lbm_lanes a) { return _mm512_sqrt_pd(a); }

#elif LBM_LANES == 1

typedef int lbm_truths;
static inline lbm_truths lbm_less(lbm_lanes a, lbm_lanes b) { return a < b; }
static inline lbm_truths lbm_at_most(lbm_lanes a, lbm_lanes b) { return a <= b; }
static inline lbm_truths lbm_no_truths(void) { return 0; }
static inline unsigned lbm_truth_bits(lbm_truths t) { return (unsigned)t & 1; }
static inline lbm_lanes lbm_choose(lbm_truths t, lbm_lanes yes, lbm_lanes no) { return t & 1 ? yes : no; }
static inline lbm_lanes lbm_min_lanes(lbm_lanes a, lbm_lanes b) { return a < b ? a : b; }
static inline lbm_lanes lbm_max_lanes(lbm_lanes a, lbm_lanes b) { return a > b ? a : b; }
static inline lbm_lanes lbm_sqrt_lanes(lbm_lanes a) { return sqrt(a); }

#else

typedef lbm_bit_lanes lbm_truths;
static inline lbm_truths lbm_less(lbm_lanes a, lbm_lanes b) { return (lbm_truths)(a < b); }
static inline lbm_truths lbm_at_most(lbm_lanes a, lbm_lanes b) { return (lbm_truths)(a <= b); }
static inline lbm_truths lbm_no_truths(void) { return (lbm_truths){0}; }
#if LBM_LANES == 4 && LBM_WIDTH >= 4
static inline unsigned lbm_truth_bits(lbm_truths t) { return (unsigned)_mm256_movemask_pd((__m256d)t); }
static inline lbm_lanes lbm_choose(lbm_truths t, lbm_lanes yes, lbm_lanes no) {
    return _mm256_blendv_pd(no, yes, (__m256d)t);
}
static inline lbm_lanes lbm_min_lanes(lbm_lanes a, lbm_lanes b) { return _mm256_min_pd(a, b); }
static inline lbm_lanes lbm_max_lanes(lbm_lanes a, lbm_lanes b) { return _mm256_max_pd(a, b); }
static inline lbm_lanes lbm_sqrt_lanes(lbm_lanes a) { return _mm256_sqrt_pd(a); }
#else
static inline unsigned lbm_truth_bits(lbm_truths t) {
    unsigned bits = 0;
    for (unsigned i = 0; i < LBM_LANES; i++) {
        bits |= (unsigned)(t[i] & 1) << i;
    }
    return bits;
}
static inline lbm_lanes lbm_choose(lbm_truths t, lbm_lanes yes, lbm_lanes no) {
    return lbm_lanes_of((lbm_bits_of(yes) & t) | (lbm_bits_of(no) & ~t));
}
static inline lbm_lanes lbm_min_lanes(lbm_lanes a, lbm_lanes b) { return lbm_choose(lbm_less(a, b), a, b); }
static inline lbm_lanes lbm_max_lanes(lbm_lanes a, lbm_lanes b) { return lbm_choose(lbm_less(b, a), a, b); }
static inline lbm_lanes lbm_sqrt_lanes(lbm_lanes a) {
    for (int i = 0; i < LBM_LANES; i++) {
        a[i] = sqrt(a[i]);
    }
    return a;
}
#endif

#endif

/* ---------------------------------------------------------------------------------------------------
 * Lanes of floats: LBM_FLOATS of them in one register, or one alone
 * ------------------------------------------------------------------------------------------------- */

#if LBM_WIDTH == 1

#define LBM_FLOATS 1
typedef float lbm_floats;
typedef int32_t lbm_ints;

static inline lbm_floats lbm_all_floats(float x) { return x; }
static inline lbm_ints lbm_all_ints(int32_t x) { return x; }
static inline lbm_floats lbm_floats_of(lbm_ints bits) {
    lbm_floats x;
    memcpy(&x, &bits, sizeof x);
    return x;
}
static inline lbm_ints lbm_ints_of(lbm_floats x) {
    lbm_ints bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}
static inline lbm_ints lbm_less_floats(lbm_floats a, lbm_floats b) { return -(a < b); }

#else

#define LBM_FLOATS (LBM_WIDTH == 2 ? 4 : 8)
typedef float lbm_floats __attribute__((vector_size(LBM_WIDTH == 2 ? 16 : 32)));
typedef int32_t lbm_ints __attribute__((vector_size(LBM_WIDTH == 2 ? 16 : 32)));

static inline lbm_floats lbm_all_floats(float x) { return (lbm_floats){0} + x; }
static inline lbm_ints lbm_all_ints(int32_t x) { return (lbm_ints){0} + x; }
static inline lbm_floats lbm_floats_of(lbm_ints bits) { return (lbm_floats)bits; }
static inline lbm_ints lbm_ints_of(lbm_floats x) { return (lbm_ints)x; }
/* All bits of a lane are set where a < b, else none. */
static inline lbm_ints lbm_less_floats(lbm_floats a, lbm_floats b) { return (lbm_ints)(a < b); }

#endif

static inline lbm_floats lbm_load_floats(const float *p) {
    lbm_floats x;
    memcpy(&x, p, sizeof x);
    return x;
}
static inline void lbm_store_floats(float *p, lbm_floats x) { memcpy(p, &x, sizeof x); }
static inline lbm_ints lbm_choose_ints(lbm_ints t, lbm_ints yes, lbm_ints no) { return (t & yes) | (~t & no); }
static inline lbm_floats lbm_choose_floats(lbm_ints t, lbm_floats yes, lbm_floats no) {
    return lbm_floats_of(lbm_choose_ints(t, lbm_ints_of(yes), lbm_ints_of(no)));
}
static inline lbm_floats lbm_abs_floats(lbm_floats x) { return lbm_floats_of(lbm_ints_of(x) & 0x7fffffff); }

/* ---------------------------------------------------------------------------------------------------
 * Quads: (x, y, z, anything) in one register of AVX2, for arithmetic on single vectors of space
 *
 * Sums, differences and products are the operators of C. The scalar twin of code that uses quads is the same code in
 * one lane (lbm_lanes) for each component.
 * ------------------------------------------------------------------------------------------------- */

#if LBM_WIDTH >= 4

typedef double lbm_quad __attribute__((vector_size(32)));

static inline lbm_quad lbm_quad_load(const double *p) {
    lbm_quad v;
    memcpy(&v, p, sizeof v);
    return v;
}
static inline void lbm_quad_store(double *p, lbm_quad v) { memcpy(p, &v, sizeof v); }
static inline lbm_quad lbm_quad_min(lbm_quad v, lbm_quad w) { return _mm256_min_pd(v, w); }
static inline lbm_quad lbm_quad_max(lbm_quad v, lbm_quad w) { return _mm256_max_pd(v, w); }
/* Bit i is set where element i of v is at most that of w. */
static inline unsigned lbm_quad_at_most(lbm_quad v, lbm_quad w) {
    return (unsigned)_mm256_movemask_pd(_mm256_cmp_pd(v, w, _CMP_LE_OS));
}
static inline lbm_quad lbm_quad_yzx(lbm_quad v) { return _mm256_permute4x64_pd(v, 1 | 2 << 2 | 0 << 4 | 3 << 6); }
static inline lbm_quad lbm_quad_zxy(lbm_quad v) { return _mm256_permute4x64_pd(v, 2 | 0 << 2 | 1 << 4 | 3 << 6); }
static inline lbm_quad lbm_quad_cross(lbm_quad v, lbm_quad w) {
    return lbm_quad_yzx(v) * lbm_quad_zxy(w) - lbm_quad_zxy(v) * lbm_quad_yzx(w);
}
/* x + y + z, in this order. */
static inline double lbm_quad_sum3(lbm_quad v) { return v[0] + v[1] + v[2]; }
/* Adds a number to the diagonal of a matrix of three rows. */
static inline void lbm_quad_add_diagonal(lbm_quad rows[3], double number) {
    const lbm_quad all = _mm256_set1_pd(number), zero = {0, 0, 0, 0};
    rows[0] += _mm256_blend_pd(zero, all, 1);
    rows[1] += _mm256_blend_pd(zero, all, 2);
    rows[2] += _mm256_blend_pd(zero, all, 4);
}
/* Transposes a matrix of three rows; the fourth elements are anything. */
static inline void lbm_quad_transpose3(const lbm_quad rows[3], lbm_quad columns[3]) {
    const lbm_quad low = _mm256_unpacklo_pd(rows[0], rows[1]),
                   high = _mm256_unpackhi_pd(rows[0], rows[1]); /* 00 10 02 12 */
    const lbm_quad last = rows[2], up = _mm256_permute_pd(last, 5);
    columns[0] = _mm256_permute2f128_pd(low, last, 0x20);
    columns[1] = _mm256_permute2f128_pd(high, up, 0x20);
    columns[2] = _mm256_permute2f128_pd(low, last, 0x31);
}
/* The x, y and z of four vectors, side by side. */
static inline void lbm_quad_transpose4(const lbm_quad rows[4], lbm_quad columns[3]) {
    const lbm_quad ab = _mm256_unpacklo_pd(rows[0], rows[1]), cd = _mm256_unpacklo_pd(rows[2], rows[3]);
    columns[1] =
        _mm256_permute2f128_pd(_mm256_unpackhi_pd(rows[0], rows[1]), _mm256_unpackhi_pd(rows[2], rows[3]), 0x20);
    columns[0] = _mm256_permute2f128_pd(ab, cd, 0x20);
    columns[2] = _mm256_permute2f128_pd(ab, cd, 0x31);
}
/* Copies the upper triangle of a matrix of three rows onto the lower one. */
static inline void lbm_quad_mirror3(lbm_quad rows[3]) {
    const lbm_quad across = _mm256_permute2f128_pd(rows[0], rows[1], 0x31); /* 02, ., 12, . */
    rows[1] = _mm256_blend_pd(rows[1], _mm256_permute_pd(rows[0], 5), 1);
    rows[2] = _mm256_blend_pd(_mm256_permute4x64_pd(across, 0 | 2 << 2 | 3 << 4 | 3 << 6), rows[2], 4);
}

#endif

LBM_TARGET_END

#endif
