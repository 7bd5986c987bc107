/* A few doubles side by side, each computed as it would be alone: the lanes of a vector register, or one plain double.
 *
 * A file that wants lanes defines LBM_LANES (1, 2, 4 or 8) before it includes this one, and for 4 and 8 on x86 asks for
 * AVX2 or AVX-512 by a pragma before that. Sums, products and so on are the operators of C; what C has no operator for
 * is here. Nothing mixes lanes, so their number changes no bit of the results. */
#ifndef LIMBER_MATH_LANES_H
#define LIMBER_MATH_LANES_H

#include <math.h>
#include <stdint.h>
#include <string.h>

#include "math/strict.h"

#if defined(__x86_64__) && defined(__GNUC__) && !defined(LBM_SCALAR)
#define LBM_LANES_X86 1
#include <immintrin.h>
#endif

/* Whole loops that are compiled for each of their constants. */
#ifdef __GNUC__
#define LBM_INLINE static inline __attribute__((always_inline))
#else
#define LBM_INLINE static inline
#endif

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

/* Truths: a bit for each lane where the CPU has such registers, else all bits of a lane. Lesser and greater of two
 * as x86 has it: the second where they are equal or one is not a number. */
#if LBM_LANES == 8 && defined(LBM_LANES_X86)

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
#if LBM_LANES == 4 && defined(LBM_LANES_X86)
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

/* Sine and cosine for |x| < LBM_SINCOS_FAST, as lbm_sincos_fast but without its last bits: to 3e-16, absolutely. */
static inline void lbm_sincos_lanes(lbm_lanes x, lbm_lanes *sine, lbm_lanes *cosine) {
    const double s3 = -0x1.5555555555548p-3, s5 = 0x1.111111110f74dp-7, s7 = -0x1.a01a019beeebap-13,
                 s9 = 0x1.71de355b7da7ep-19, s11 = -0x1.ae5e513c6bb59p-26, s13 = 0x1.5d8d2c137bc2cp-33;
    const double c4 = 0x1.555555555554cp-5, c6 = -0x1.6c16c16c15215p-10, c8 = 0x1.a01a019cbd97p-16,
                 c10 = -0x1.27e4f810e87cbp-22, c12 = 0x1.1ee9efcb4ca28p-29, c14 = -0x1.8fb042d17d56fp-37;
    const double to_integer = 0x1.8p52;
    const lbm_lanes shifted = x * 0x1.45f306dc9c883p-1 + to_integer, n = shifted - to_integer;
    const lbm_lanes r = (x - n * 0x1.921fb54442p+0) - n * 0x1.a308d313198a3p-41;
    const lbm_lanes z = r * r, zz = z * z;
    const lbm_lanes s_high = (s5 + z * s7) + zz * ((s9 + z * s11) + zz * s13);
    const lbm_lanes c_high = (c4 + z * c6) + zz * ((c8 + z * c10) + zz * (c12 + z * c14));
    const lbm_lanes s = r + (z * r) * (s3 + z * s_high);
    const lbm_lanes c = (1.0 - 0.5 * z) + zz * c_high;
    const lbm_bit_lanes quadrant = lbm_bits_of(shifted), swap = 0 - (quadrant & 1);
    const lbm_bit_lanes bits_s = lbm_bits_of(s), bits_c = lbm_bits_of(c), mixed = (bits_s ^ bits_c) & swap;
    *sine = lbm_lanes_of(bits_s ^ mixed ^ ((quadrant & 2) << 62));
    *cosine = lbm_lanes_of(bits_c ^ mixed ^ (((quadrant + 1) & 2) << 62));
}

#endif
