/*
 * Deterministic trigonometry: the same bits from every compiler, at every optimisation level, on every CPU.
 *
 * The C library's sin differs between systems, and glibc's own even between CPUs. These functions use nothing but
 * double additions, multiplications, divisions and square roots, which IEEE 754 rounds in one way only, in an order
 * that is written down; the build forbids contraction to fused multiply-adds (-ffp-contract=off). Rounding must be to
 * nearest. The errors stay below 0.8 ulp (tests/unit/test_trig.c measures them), and all functions keep the
 * symmetries bit for bit: lbm_sin(-x) == -lbm_sin(x), lbm_cos(-x) == lbm_cos(x), lbm_asin(-x) == -lbm_asin(x), ...
 * NaN in gives NaN out; so do sine and cosine of an infinity, arc sine and arc cosine outside [-1, 1].
 */
#ifndef LIMBER_MATH_TRIG_H
#define LIMBER_MATH_TRIG_H

#include <float.h>
#include <stdint.h>
#include <string.h>

#include "math/simd.h"
#include "math/strict.h"

#if FLT_EVAL_METHOD != 0
#error "Limber needs doubles that are computed as doubles; on 32-bit x86 compile with -msse2 -mfpmath=sse"
#endif

#define LBM_PI 3.14159265358979323846
#define LBM_HALF_PI 1.57079632679489661923
#define LBM_TWO_PI 6.28318530717958647692

double lbm_sin(double x);
double lbm_cos(double x);
/* The angle of the point (x, y), in [-pi, pi]; signed zeros and infinities as in C's atan2 (Annex F). */
double lbm_atan2(double y, double x);
double lbm_acos(double x);
double lbm_asin(double x);

/* sine[i], cosine[i] of x[i], the same bits as one by one, but two to four at a time: half the time or less. The
 * arrays do not overlap. */
void lbm_sincos_many(int count, const double *restrict x, double *restrict sine, double *restrict cosine);

/* The part of lbm_sincos for |x| >= LBM_SINCOS_FAST, infinities and NaN. */
void lbm_sincos_large(double x, double *sine, double *cosine);

/* Up to here the argument is reduced inline: 8192 quarter turns, and a little less. */
#define LBM_SINCOS_FAST 12800.0

static inline uint64_t lbm_bits(double x) {
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double lbm_from_bits(uint64_t bits) {
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* The coefficients of the polynomials S = s3 + s5 z + s7 z^2 and so on, and C = c4 + c6 z and so on, of
 * lbm_sincos_reduced. */
#define LBM_SINCOS_COEFFICIENTS                                                                         \
    const double s3 = -0x1.5555555555548p-3, s5 = 0x1.111111110f74dp-7, s7 = -0x1.a01a019beeebap-13,    \
                 s9 = 0x1.71de355b7da7ep-19, s11 = -0x1.ae5e513c6bb59p-26, s13 = 0x1.5d8d2c137bc2cp-33; \
    const double c4 = 0x1.555555555554cp-5, c6 = -0x1.6c16c16c15215p-10, c8 = 0x1.a01a019cbd97p-16,     \
                 c10 = -0x1.27e4f810e87cbp-22, c12 = 0x1.1ee9efcb4ca28p-29, c14 = -0x1.8fb042d17d56fp-37

/*
 * Sine and cosine of quadrant * pi/2 + (r + tail), |r| <= pi/4 and a little, |tail| <= 2^-6 |r|, 2^-53; the sine is
 * then given the sign bit `sign`. Without branches: both series are needed anyway, the quadrant only swaps them and
 * flips signs, and that is bit arithmetic, so that the calls of several joints overlap in the pipeline.
 *
 * With z = r^2, to first order in the tail (its square is below 2^-106):
 *
 *     sin(r + tail) = r + (r^3 S(z) + tail cos r),   cos r here to 1 - z/2
 *     cos(r + tail) = 1 - z/2 + (z^2 C(z) - tail r)
 *
 * S and C are minimax polynomials from Sollya's fpminimax on [2^-20, pi/4 (1 + 2^-10)] with coefficients that are
 * doubles and the leading terms (x; 1 - x^2/2) held fixed: relative error of sin 2^-57.9, of cos 2^-63.6. What is in
 * brackets is small against the first term, so its rounding errors hardly count; 1 - z/2 is corrected by its exact
 * rounding error.
 */
static inline void lbm_sincos_reduced(double r, double tail, uint64_t quadrant, uint64_t sign, double *sine,
                                      double *cosine) {
    LBM_SINCOS_COEFFICIENTS;
    const double z = r * r, zz = z * z, half = 0.5 * z, one_less = 1.0 - half;
    const double s_high = s5 + z * s7 + zz * ((s9 + z * s11) + zz * s13);
    const double c_high = c4 + z * c6 + zz * ((c8 + z * c10) + zz * (c12 + z * c14));
    const double s = r + ((z * r) * (s3 + z * s_high) + tail * one_less);
    const double c = one_less + (((1.0 - one_less) - half) + (zz * c_high - r * tail));

    const uint64_t swap = 0 - (quadrant & 1), bits_s = lbm_bits(s), bits_c = lbm_bits(c);
    const uint64_t mixed = (bits_s ^ bits_c) & swap;
    *sine = lbm_from_bits(bits_s ^ mixed ^ ((quadrant & 2) << 62) ^ sign);
    *cosine = lbm_from_bits(bits_c ^ mixed ^ (((quadrant + 1) & 2) << 62));
}

/*
 * Both for |x| < LBM_SINCOS_FAST. The argument is reduced after Cody and Waite: pi/2 is split into two parts of 40
 * bits, whose products with the number of quarter turns n <= 2^13 are exact, and a third of 53 bits; what is left out
 * is below 2^-120. No double in this range but 0 comes nearer to a multiple of pi/2 than 2^-60.5 (29 pi/2), so r +
 * tail has 59 good bits always. Subtracting the first part is exact: both sides are multiples of 2^-53 and the
 * difference is below 1. The second difference loses `lost`, exactly: either |r0| >= |p2|, where this is Dekker's
 * sum, or the result is below 2^-26 and a multiple of 2^-80, and there is nothing to lose.
 */
static inline void lbm_sincos_fast(double x, double *sine, double *cosine) {
    const uint64_t sign = lbm_bits(x) & 0x8000000000000000u;
    const double magnitude = lbm_from_bits(lbm_bits(x) ^ sign);
    const double to_integer = 0x1.8p52; /* adding it rounds to an integer, which is then in the lowest bits */
    const double shifted = magnitude * 0x1.45f306dc9c883p-1 + to_integer, n = shifted - to_integer;
    const double p2 = n * 0x1.a308d31318p-41;
    const double r0 = magnitude - n * 0x1.921fb54442p+0, r1 = r0 - p2, lost = (r0 - r1) - p2;
    lbm_sincos_reduced(r1, lost - n * 0x1.8a2e03707344ap-81, lbm_bits(shifted), sign, sine, cosine);
}

/* Both at once, for any x. */
static inline void lbm_sincos(double x, double *sine, double *cosine) {
    if (x < LBM_SINCOS_FAST && x > -LBM_SINCOS_FAST) {
        lbm_sincos_fast(x, sine, cosine);
    } else {
        lbm_sincos_large(x, sine, cosine);
    }
}

/* Sine and cosine of each lane for |x| < LBM_SINCOS_FAST. The series are those of lbm_sincos_reduced, but nothing
 * corrects the last bits: the absolute error is at most 3e-16. */
static inline void lbm_sincos_lanes(lbm_lanes x, lbm_lanes *sine, lbm_lanes *cosine) {
    LBM_SINCOS_COEFFICIENTS;
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

/* The angle of the point (x, y) in each lane, in [-pi, pi]; not both may be 0, and their squares must not over- or
 * underflow. The absolute error is at most 6e-16. With a <= b the magnitudes, atan(a/b) = pi/4 + atan((a - b) / (a +
 * b)) where a/b is
 * above tan(pi/8), so that |t| <= tan(pi/8) and atan t = t + t^3 A(t^2). A is interpolated in Chebyshev's points of [0,
 * 0.1717], made with mpmath: t^2 times its error is below 7e-18. */
static inline lbm_lanes lbm_atan2_lanes(lbm_lanes y, lbm_lanes x) {
    const double a0 = -0x1.5555555555555p-2, a1 = 0x1.9999999999342p-3, a2 = -0x1.2492492435a01p-3,
                 a3 = 0x1.c71c7184ed121p-4, a4 = -0x1.745d0b1be5027p-4, a5 = 0x1.3b1261ddf2464p-4,
                 a6 = -0x1.10fa676470923p-4, a7 = 0x1.dfe52e5ce18ddp-5, a8 = -0x1.a093d3402ea9ap-5,
                 a9 = 0x1.41520aa20730dp-5, a10 = -0x1.3a08c8068a14fp-6;
    const lbm_bit_lanes sign = lbm_bits_of(y) & 0x8000000000000000u;
    const lbm_lanes zero = lbm_all_lanes(0), across = lbm_lanes_of(lbm_bits_of(x) & 0x7fffffffffffffffu),
                    up = lbm_lanes_of(lbm_bits_of(y) & 0x7fffffffffffffffu);
    const lbm_lanes a = lbm_min_lanes(across, up), b = lbm_max_lanes(across, up);
    const lbm_truths is_wide = lbm_less(b * 0.41421356237309503, a), is_steep = lbm_less(across, up);
    const lbm_lanes t = lbm_choose(is_wide, a - b, a) / lbm_choose(is_wide, a + b, b), z = t * t, zz = z * z,
                    z4 = zz * zz;
    const lbm_lanes low = (a0 + z * a1) + zz * (a2 + z * a3), middle = (a4 + z * a5) + zz * (a6 + z * a7),
                    high = (a8 + z * a9) + zz * a10;
    const lbm_lanes arc = t + (t * z) * (low + z4 * (middle + z4 * high));
    const lbm_lanes lower = arc + lbm_choose(is_wide, lbm_all_lanes(LBM_PI / 4), zero);
    const lbm_lanes first = lbm_choose(is_steep, LBM_HALF_PI - lower, lower);
    const lbm_lanes angle = lbm_choose(lbm_less(x, zero), LBM_PI - first, first);
    return lbm_lanes_of(lbm_bits_of(angle) | sign);
}

#endif
