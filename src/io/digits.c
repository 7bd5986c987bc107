/* The shortest decimal that reads back as the same double, by exact arithmetic in 128 bits.
 *
 * A double is m * 2^e with a whole m < 2^53. Its first 17 digits are the whole part of m * 2^e * 10^k, where k = 16 - x
 * and 10^x <= m * 2^e < 10^(x + 1). That product is (2 m 5^k) / 2^s with s = 1 - e - k. With 1 <= k <= 27 the numerator
 * has at most 117 bits and s lies between 0 and 63, so nothing is rounded. Half the distance to the next double is 5^k
 * in units of the numerator, which tells whether a shorter decimal reads back, without reading it.
 */
#include "io/digits.h"

#include <stdint.h>
#include <string.h>

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 wide;

#define LEAST_POWER_OF_2 -36 /* of the leading bit: k is 27 there, and 5^27 the last power of five below 2^63 */
#define MOST_POWER_OF_2 52   /* k is 1 there, and s is 0 */
#define LEADING_BIT (UINT64_C(1) << 52)
#define LOG10_OF_2 0.30102999566398120

static const uint64_t powers_of_5[] = {UINT64_C(1),
                                       UINT64_C(5),
                                       UINT64_C(25),
                                       UINT64_C(125),
                                       UINT64_C(625),
                                       UINT64_C(3125),
                                       UINT64_C(15625),
                                       UINT64_C(78125),
                                       UINT64_C(390625),
                                       UINT64_C(1953125),
                                       UINT64_C(9765625),
                                       UINT64_C(48828125),
                                       UINT64_C(244140625),
                                       UINT64_C(1220703125),
                                       UINT64_C(6103515625),
                                       UINT64_C(30517578125),
                                       UINT64_C(152587890625),
                                       UINT64_C(762939453125),
                                       UINT64_C(3814697265625),
                                       UINT64_C(19073486328125),
                                       UINT64_C(95367431640625),
                                       UINT64_C(476837158203125),
                                       UINT64_C(2384185791015625),
                                       UINT64_C(11920928955078125),
                                       UINT64_C(59604644775390625),
                                       UINT64_C(298023223876953125),
                                       UINT64_C(1490116119384765625),
                                       UINT64_C(7450580596923828125)};

/* A double times a power of ten: value * 10^k = numerator / 2^shift. */
typedef struct scaled {
    uint64_t mantissa, five; /* five: 5^k */
    wide numerator;
    int shift;
} scaled;

static void scale(uint64_t mantissa, int e, int k, scaled *s) {
    s->mantissa = mantissa;
    s->five = powers_of_5[k];
    s->numerator = (wide)(2 * mantissa) * s->five;
    s->shift = 1 - e - k;
}

/* The value without its last digits, of which drop is the power of ten, rounded to nearest, halves to even as printf
 * does. Returns whether that reads back as the same double. */
static int round_off(const scaled *s, uint64_t drop, uint64_t *rounded) {
    const uint64_t whole = (uint64_t)(s->numerator >> s->shift);
    const wide step = (wide)drop << s->shift;
    const wide rest = s->numerator - ((wide)(whole / drop) * drop << s->shift);
    const int is_up = 2 * rest > step || (2 * rest == step && (whole / drop) % 2);
    const wide error = is_up ? step - rest : rest;
    /* Below a power of two doubles are half as far apart. */
    const wide bound = s->mantissa == LEADING_BIT && !is_up ? s->five : 2 * (wide)s->five;
    *rounded = whole / drop + (uint64_t)is_up;
    return 2 * error < bound || (2 * error == bound && s->mantissa % 2 == 0);
}

/* Digits as %g has them: exponent is the power of ten of the first one, precision how many were asked for. */
static void write_digits(uint64_t digits, int count, int exponent, int precision, char *at) {
    char plain[20];
    while (count > 1 && digits % 10 == 0) {
        digits /= 10;
        count--;
    }
    for (int i = count; i > 0; i--) {
        plain[i - 1] = (char)('0' + digits % 10);
        digits /= 10;
    }
    const int is_scientific = exponent < -4 || exponent >= precision;
    const int before = is_scientific ? 1 : exponent + 1; /* digits before the point; at most 0: zeros after it */
    if (before <= 0) {
        memcpy(at, "0.000", (size_t)(2 - before));
        at += 2 - before;
    }
    for (int i = 0; i < count || i < before; i++) {
        if (i == before && before > 0) {
            *at++ = '.';
        }
        *at++ = i < count ? plain[i] : '0';
    }
    if (is_scientific) {
        const int size = exponent < 0 ? -exponent : exponent;
        *at++ = 'e';
        *at++ = exponent < 0 ? '-' : '+';
        *at++ = (char)('0' + size / 10);
        *at++ = (char)('0' + size % 10);
    }
    *at = 0;
}

int lbio_print_digits(double value, char text[32]) {
    uint64_t bits, rounded;
    scaled s;
    memcpy(&bits, &value, sizeof bits);
    const int power = (int)(bits >> 52 & 2047) - 1023, e = power - 52;
    if (power < LEAST_POWER_OF_2 || power > MOST_POWER_OF_2) {
        return 0;
    }
    const uint64_t mantissa = (bits & (LEADING_BIT - 1)) | LEADING_BIT;
    int exponent = (int)(power * LOG10_OF_2 + 64) - 64; /* the floor; the mantissa may make it one more */
    scale(mantissa, e, 16 - exponent, &s);
    if (s.numerator >> s.shift >= UINT64_C(100000000000000000)) {
        scale(mantissa, e, 16 - ++exponent, &s);
    }
    uint64_t drop = 100, end = UINT64_C(1000000000000000); /* 10^precision */
    int precision = 15;
    while (!round_off(&s, drop, &rounded)) {
        drop /= 10, end *= 10, precision++;
    }
    if (rounded == end) {
        rounded /= 10, exponent++;
    }
    *text = '-';
    write_digits(rounded, precision, exponent, precision, text + (value < 0));
    return 1;
}

#else

int lbio_print_digits(double value, char text[32]) {
    (void)value, (void)text;
    return 0;
}

#endif
