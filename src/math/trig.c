/*
 * Trigonometry beyond the inline fast path: reduction of large arguments, and the inverse functions.
 *
 * Everything here works on unevaluated sums of two doubles, high + low with |low| <= ulp(high)/2 ("pairs"): about 106
 * bits. The operations are Dekker's and Knuth's (T. J. Dekker, A floating-point technique for extending the available
 * precision, 1971; D. E. Knuth, The Art of Computer Programming 2, 4.2.2), without fused multiply-add.
 */
#include "math/trig.h"

#include <math.h>

typedef struct pair {
    double high, low;
} pair;

/* a + b exactly. */
static inline pair sum_exact(double a, double b) {
    const double s = a + b, b_part = s - a;
    return (pair){s, (a - (s - b_part)) + (b - b_part)};
}

/* a + b exactly, for |a| >= |b| or a = 0. */
static inline pair sum_ordered(double a, double b) {
    const double s = a + b;
    return (pair){s, b - (s - a)};
}

/* a * b exactly, if nothing over- or underflows: |a|, |b| < 2^995, |a b| > 2^-968. */
static inline pair product_exact(double a, double b) {
    const double splitter = 0x1p27 + 1.0;
    const double a_scaled = a * splitter, a_high = a_scaled - (a_scaled - a), a_low = a - a_high;
    const double b_scaled = b * splitter, b_high = b_scaled - (b_scaled - b), b_low = b - b_high;
    const double p = a * b;
    return (pair){p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low};
}

static inline pair pair_add(pair a, pair b) {
    const pair s = sum_exact(a.high, b.high);
    return sum_ordered(s.high, s.low + (a.low + b.low));
}

static inline pair pair_negate(pair a) { return (pair){-a.high, -a.low}; }

static inline pair pair_scale(pair a, double factor) {
    const pair p = product_exact(a.high, factor);
    return sum_ordered(p.high, p.low + a.low * factor);
}

static inline pair pair_divide(pair a, pair b) {
    const double q = a.high / b.high;
    const pair back = product_exact(q, b.high);
    const double rest = ((a.high - back.high) - back.low) + (a.low - q * b.low);
    return sum_ordered(q, rest / b.high);
}

/* Always the same NaN: what 0/0 gives has another sign in a compiler than in an x86 CPU. */
static inline double not_a_number(void) { return lbm_from_bits(0x7ff8000000000000u); }

static const pair half_pi = {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};
static const pair whole_pi = {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53};

/* ---------------------------------------------------------------------------------------------------
 * Large arguments
 * ------------------------------------------------------------------------------------------------- */

/* The binary digits of 2/pi behind the point, preceded by 64 zeros; made with mpmath at 2000 bits. */
static const uint32_t two_over_pi[40] = {
    0x00000000, 0x00000000, 0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041,
    0xfe5163ab, 0xdebbc561, 0xb7246e3a, 0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e,
    0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41, 0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b,
    0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf, 0x27cb09b7, 0x4f463f66, 0x9e5fea2d,
    0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08, 0x56033046, 0xfc7b6bab};

#define WINDOW 6 /* words of 32 bits */

/*
 * mantissa * 2^exponent * (2/pi) modulo 4, as a fixed-point number: word[0] highest, its two highest bits before the
 * point. After M. Payne and R. Hanek (Radian reduction for trigonometric functions, 1983): digit i of 2/pi counts
 * mantissa * 2^(exponent - i), which is a multiple of 4 for i <= exponent - 2, so only a window from i = exponent - 1
 * on is multiplied. Its 192 digits leave 190 behind the point, the last 53 of them spoilt by what follows the window.
 */
static void quarter_turns(uint64_t mantissa, int exponent, uint32_t word[WINDOW]) {
    const int first = exponent - 2 + 64, shift = first & 31;
    const uint32_t *digits = two_over_pi + (first >> 5);
    const uint64_t low = mantissa & 0xffffffffu, high = mantissa >> 32;
    uint64_t carry = 0, window_below = 0;
    for (int i = WINDOW - 1; i >= 0; i--) {
        const uint64_t window = ((((uint64_t)digits[i] << 32) | digits[i + 1]) >> (32 - shift)) & 0xffffffffu;
        /* Two products and a carry: below 3 * 2^64, so the sum is kept in two halves. */
        const uint64_t a = window * low, b = window_below * high;
        const uint64_t sum = (a & 0xffffffffu) + (b & 0xffffffffu) + (carry & 0xffffffffu);
        word[i] = (uint32_t)sum;
        carry = (sum >> 32) + (a >> 32) + (b >> 32) + (carry >> 32);
        window_below = window;
    }
}

void lbm_sincos_large(double x, double *sine, double *cosine) {
    const uint64_t bits = lbm_bits(x), sign = bits & 0x8000000000000000u;
    const int exponent = (int)((bits >> 52) & 0x7ff) - 1075;
    if (exponent == 0x7ff - 1075) {
        *sine = *cosine = not_a_number();
        return;
    }
    uint32_t word[WINDOW];
    quarter_turns((bits & 0xfffffffffffffu) | 0x10000000000000u, exponent, word);

    /* Round to the nearest quarter turn: what is left is in [-1/2, 1/2), a sign and a magnitude. */
    uint64_t quadrant = word[0] >> 30;
    const uint32_t above_half = (word[0] >> 29) & 1, flip = 0u - above_half;
    quadrant += above_half;
    word[0] &= 0x3fffffffu;
    uint64_t carry = above_half; /* 1 - fraction = complement + 1 */
    for (int i = WINDOW - 1; i > 0; i--) {
        carry += word[i] ^ flip;
        word[i] = (uint32_t)carry;
        carry >>= 32;
    }
    word[0] = (uint32_t)(((word[0] ^ flip) + carry) & 0x3fffffffu);

    /* No double comes nearer to a multiple of pi/2 than 2^-62 or so, relatively: five words give 75 bits and more. */
    pair fraction = {word[0] * 0x1p-30, 0.0};
    double weight = 0x1p-62;
    for (int i = 1; i < 5; i++) {
        fraction = pair_add(fraction, (pair){word[i] * weight, 0.0});
        weight *= 0x1p-32;
    }
    pair r = pair_scale(fraction, half_pi.high);
    r = sum_ordered(r.high, r.low + fraction.high * half_pi.low);
    if (above_half) {
        r = pair_negate(r);
    }
    lbm_sincos_reduced(r.high, r.low, quadrant, sign, sine, cosine);
}

double lbm_sin(double x) {
    double sine, cosine;
    lbm_sincos(x, &sine, &cosine);
    return sine;
}

double lbm_cos(double x) {
    double sine, cosine;
    lbm_sincos(x, &sine, &cosine);
    return cosine;
}

/* ---------------------------------------------------------------------------------------------------
 * Many at once
 * ------------------------------------------------------------------------------------------------- */

#define BLOCK 4

/* A loop of fixed length without branches: compilers make vector instructions of it, whose lanes round as scalars do.
 * */
static void sincos_block(const double *restrict x, double *restrict sine, double *restrict cosine) {
    for (int i = 0; i < BLOCK; i++) {
        lbm_sincos_fast(x[i], sine + i, cosine + i);
    }
}

static int block_is_fast(const double *x) {
    int is_fast = 1;
    for (int i = 0; i < BLOCK; i++) {
        is_fast &= (x[i] < LBM_SINCOS_FAST) & (x[i] > -LBM_SINCOS_FAST);
    }
    return is_fast;
}

void lbm_sincos_many(int count, const double *restrict x, double *restrict sine, double *restrict cosine) {
    int i = 0;
    for (; i + BLOCK <= count; i += BLOCK) {
        if (block_is_fast(x + i)) {
            sincos_block(x + i, sine + i, cosine + i);
        } else {
            for (int j = i; j < i + BLOCK; j++) {
                lbm_sincos(x[j], sine + j, cosine + j);
            }
        }
    }
    if (i < count) { /* the rest, filled up to a block */
        const size_t size = (size_t)(count - i) * sizeof *x;
        double angles[BLOCK] = {0.0}, sines[BLOCK], cosines[BLOCK];
        memcpy(angles, x + i, size);
        lbm_sincos_many(BLOCK, angles, sines, cosines);
        memcpy(sine + i, sines, size);
        memcpy(cosine + i, cosines, size);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Inverse functions
 * ------------------------------------------------------------------------------------------------- */

/* atan(k/16), made with mpmath. */
static const pair arc_of_sixteenths[17] = {{0.0, 0.0},
                                           {0x1.ff55bb72cfdeap-5, -0x1.c934d86d23f1dp-60},
                                           {0x1.fd5ba9aac2f6ep-4, -0x1.cd37686760c17p-59},
                                           {0x1.7b97b4bce5b02p-3, 0x1.347b0b4f881cap-58},
                                           {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
                                           {0x1.362773707ebccp-2, -0x1.963a544b672d8p-57},
                                           {0x1.6f61941e4def1p-2, -0x1.c63aae6f6e918p-56},
                                           {0x1.a64eec3cc23fdp-2, -0x1.24dec1b50b7ffp-56},
                                           {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                           {0x1.0657e94db30d0p-1, -0x1.d5b495f6349e6p-56},
                                           {0x1.1e00babdefeb4p-1, -0x1.928df287a668fp-58},
                                           {0x1.345f01cce37bbp-1, 0x1.1021137c71102p-55},
                                           {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
                                           {0x1.5d58987169b18p-1, 0x1.0028e4bc5e7cap-57},
                                           {0x1.700a7c5784634p-1, -0x1.8c34d25aadef6p-56},
                                           {0x1.819d0b7158a4dp-1, -0x1.bf76229d3b917p-56},
                                           {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/*
 * atan(a/b) for 0 <= a <= b, b > 0, a/b > 2^-70 or so, as a pair. With c = k/16 next to a/b,
 *
 *     atan(a/b) = atan(c) + atan(t),   t = (a - c b) / (b + c a),   |t| <= 1/32,
 *
 * and c = 0, |t| <= 1/8 for small angles, which thus keep their relative accuracy. t is a pair; the series
 * atan t = t + t^3 A(t^2) needs its low part in the first term only. A is from Sollya's fpminimax on [2^-20, 1/8 (1 +
 * 2^-10)], leading term fixed, coefficients doubles: relative error 2^-66.8. Where it counts, t^3 A is below t/192.
 */
static pair arc_of_ratio(pair a, pair b) {
    const double a3 = -0x1.5555555555555p-2, a5 = 0x1.99999999993e7p-3, a7 = -0x1.24924923b2a22p-3,
                 a9 = 0x1.c71c6fdacbf58p-4, a11 = -0x1.745bfc9594e1ep-4, a13 = 0x1.3abb8ccac00b4p-4,
                 a15 = -0x1.02de51bddd423p-4;
    const double ratio = a.high / b.high;
    const int k = ratio < 0.125 ? 0 : (int)(ratio * 16.0 + 0.5);
    if (k > 0) {
        const double c = k * 0.0625;
        const pair numerator = pair_add(a, pair_scale(b, -c));
        b = pair_add(b, pair_scale(a, c));
        a = numerator;
    }
    const pair t = pair_divide(a, b);
    const double z = t.high * t.high, zz = z * z;
    const double series = (a3 + z * a5) + zz * ((a7 + z * a9) + zz * ((a11 + z * a13) + zz * a15));
    const pair first = sum_ordered(arc_of_sixteenths[k].high, t.high);
    return sum_ordered(first.high, first.low + (t.low + (arc_of_sixteenths[k].low + t.high * z * series)));
}

/* The angle of the point (x, y) for y >= 0, both finite, not both 0. */
static double arc_of_point(pair x, pair y) {
    const int is_left = x.high < 0.0;
    if (is_left) {
        x = pair_negate(x);
    }
    const int is_steep = y.high > x.high;
    pair a = is_steep ? x : y, b = is_steep ? y : x, arc;
    if (a.high < b.high * 0x1p-70) {
        /* atan q = q far beyond a double's accuracy. The quotient alone may be subnormal: it is rounded once, here. */
        const double q = a.high / b.high;
        if (!is_steep && !is_left) {
            return q;
        }
        arc = (pair){q, 0.0};
    } else {
        /* Keep the exact products clear of over- and underflow. Neither loses bits: a is at most 2^70 smaller. */
        const double scale = b.high > 0x1p500 ? 0x1p-600 : b.high < 0x1p-400 ? 0x1p600 : 1.0;
        a.high *= scale, a.low *= scale, b.high *= scale, b.low *= scale;
        arc = arc_of_ratio(a, b);
    }
    if (is_steep) {
        arc = pair_add(half_pi, is_left ? arc : pair_negate(arc));
    } else if (is_left) {
        arc = pair_add(whole_pi, pair_negate(arc));
    }
    return arc.high;
}

double lbm_atan2(double y, double x) {
    if (x != x || y != y) {
        return not_a_number();
    }
    const uint64_t sign = lbm_bits(y) & 0x8000000000000000u, x_is_negative = lbm_bits(x) >> 63;
    double arc;
    y = fabs(y);
    if (y == 0.0) {
        arc = x_is_negative ? LBM_PI : 0.0;
    } else if (fabs(x) > DBL_MAX) {
        arc = x_is_negative ? (y > DBL_MAX ? 0x1.2d97c7f3321d2p+1 : LBM_PI) : (y > DBL_MAX ? LBM_HALF_PI / 2 : 0.0);
    } else if (y > DBL_MAX) {
        arc = LBM_HALF_PI;
    } else {
        arc = arc_of_point((pair){x, 0.0}, (pair){y, 0.0});
    }
    return lbm_from_bits(lbm_bits(arc) ^ sign);
}

/* sqrt(1 - x^2) for |x| <= 1. 1 - x^2 is exact but for bits below 2^-100 of it. */
static pair other_leg(double x) {
    const pair square = product_exact(x, x), difference = sum_exact(1.0, -square.high);
    const pair rest = sum_exact(difference.high, difference.low - square.low);
    if (rest.high <= 0.0) {
        return (pair){0.0, 0.0};
    }
    const double root = sqrt(rest.high);
    const pair back = product_exact(root, root);
    return sum_ordered(root, (((rest.high - back.high) - back.low) + rest.low) / (2.0 * root));
}

double lbm_acos(double x) {
    if (!(fabs(x) <= 1.0)) {
        return not_a_number();
    }
    return arc_of_point((pair){x, 0.0}, other_leg(x));
}

double lbm_asin(double x) {
    if (!(fabs(x) <= 1.0)) {
        return not_a_number();
    }
    const uint64_t sign = lbm_bits(x) & 0x8000000000000000u;
    return lbm_from_bits(lbm_bits(arc_of_point(other_leg(x), (pair){fabs(x), 0.0})) ^ sign);
}
