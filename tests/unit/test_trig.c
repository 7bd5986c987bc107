/*
 * Trigonometry against a reference of 200 bits (MPFR), or long doubles where MPFR is missing: at most 1 ulp
 * everywhere, the special values, and the symmetries bit for bit. Prints the largest error of each function.
 */
#include "check.h"

#ifdef LIMBER_HAVE_MPFR
#include <mpfr.h>
#endif

#include "math/trig.h"

#include <float.h>
#include <math.h>

typedef enum function { SIN, COS, ATAN2, ASIN, ACOS, FUNCTION_COUNT } function;

static const char *const names[FUNCTION_COUNT] = {"sin", "cos", "atan2", "asin", "acos"};
static double worst[FUNCTION_COUNT], worst_at[FUNCTION_COUNT];
static long tried[FUNCTION_COUNT];

/* The true value, as high + low. */
typedef struct reference {
    double high, low;
} reference;

#ifdef LIMBER_HAVE_MPFR

static mpfr_t mp_x, mp_y, mp_result;

static void reference_open(void) { mpfr_inits2(200, mp_x, mp_y, mp_result, (mpfr_ptr)0); }

static void reference_close(void) {
    mpfr_clears(mp_x, mp_y, mp_result, (mpfr_ptr)0);
    mpfr_free_cache();
}

static reference reference_of(function f, double y, double x) {
    mpfr_set_d(mp_x, x, MPFR_RNDN);
    mpfr_set_d(mp_y, y, MPFR_RNDN);
    switch (f) {
    case SIN:
        mpfr_sin(mp_result, mp_x, MPFR_RNDN);
        break;
    case COS:
        mpfr_cos(mp_result, mp_x, MPFR_RNDN);
        break;
    case ATAN2:
        mpfr_atan2(mp_result, mp_y, mp_x, MPFR_RNDN);
        break;
    case ASIN:
        mpfr_asin(mp_result, mp_x, MPFR_RNDN);
        break;
    default:
        mpfr_acos(mp_result, mp_x, MPFR_RNDN);
        break;
    }
    reference r = {mpfr_get_d(mp_result, MPFR_RNDN), 0.0};
    mpfr_sub_d(mp_result, mp_result, r.high, MPFR_RNDN);
    r.low = mpfr_get_d(mp_result, MPFR_RNDN);
    return r;
}

#else

static void reference_open(void) {
    if (LDBL_MANT_DIG < 64) {
        SKIP("no MPFR, and long double is no longer than double: nothing to compare with");
    }
}

static void reference_close(void) {}

static reference reference_of(function f, double y, double x) {
    long double v;
    switch (f) {
    case SIN:
        v = sinl(x);
        break;
    case COS:
        v = cosl(x);
        break;
    case ATAN2:
        v = atan2l(y, x);
        break;
    case ASIN:
        v = asinl(x);
        break;
    default:
        v = acosl(x);
        break;
    }
    reference r = {(double)v, 0.0};
    r.low = (double)(v - r.high);
    return r;
}

#endif

static double value_of(function f, double y, double x) {
    switch (f) {
    case SIN:
        return lbm_sin(x);
    case COS:
        return lbm_cos(x);
    case ATAN2:
        return lbm_atan2(y, x);
    case ASIN:
        return lbm_asin(x);
    default:
        return lbm_acos(x);
    }
}

/* One ulp of the true value: the spacing of the doubles around it (2^-1074 among the subnormals). */
static double ulp_of(double value) {
    int exponent;
    frexp(value, &exponent);
    return ldexp(1.0, exponent < -1021 ? -1074 : exponent - 53);
}

static void try_at(function f, double y, double x) {
    const reference r = reference_of(f, y, x);
    const double value = value_of(f, y, x), error = fabs(((value - r.high) - r.low) / ulp_of(r.high));
    tried[f]++;
    if (!(error <= worst[f])) {
        worst[f] = error;
        worst_at[f] = x;
    }
    if (!(error <= 1.0)) {
        check_note("%s(%a, %a)", names[f], y, x);
        CHECK_NEAR(error, 0.0, 1.0);
        check_note("%s", "");
    }
}

static void try_angle(double x) {
    try_at(SIN, 0.0, x);
    try_at(COS, 0.0, x);
}

static void try_ratio(double x) {
    try_at(ASIN, 0.0, x);
    try_at(ACOS, 0.0, x);
}

static double random_of_any_size(check_random *random, int exponent_low, int exponent_high) {
    const double mantissa = check_random_range(random, 1.0, 2.0);
    const double x = ldexp(mantissa, exponent_low + check_random_index(random, exponent_high - exponent_low + 1));
    return check_random_bits(random) & 1 ? -x : x;
}

static void test_sweeps(void) {
    check_random random;
    check_random_seed(&random, 1);
    for (int i = -16000; i <= 16000; i++) {
        try_angle(i * (1.0 / 2048.0) + check_random_range(&random, 0.0, 1.0 / 2048.0)); /* dense over 2.5 turns */
    }
    for (int i = 0; i < 20000; i++) {
        try_angle(check_random_range(&random, -LBM_SINCOS_FAST * 1.01, LBM_SINCOS_FAST * 1.01));
        try_angle(random_of_any_size(&random, -1074, 1023));
        try_angle(random_of_any_size(&random, 10, 60));
    }
    for (int i = -20000; i <= 20000; i++) {
        try_ratio(i / 20000.0);
    }
    for (int i = 0; i < 10000; i++) {
        try_ratio(random_of_any_size(&random, -1074, -1));
        const double near_one = 1.0 - fabs(random_of_any_size(&random, -53, -1)) / 2.0;
        try_ratio(near_one);
        try_ratio(-near_one);
    }
}

/* Doubles next to multiples of pi/2, where the reduction cancels most. */
static void test_near_quarter_turns(void) {
    check_random random;
    check_random_seed(&random, 2);
    for (int i = 0; i < 14000; i++) {
        const double n = i < 8300 ? i : floor(ldexp(check_random_range(&random, 1.0, 2.0), i % 50));
        const double x = n * LBM_HALF_PI;
        try_angle(nextafter(x, 0.0));
        try_angle(-x);
        try_angle(nextafter(x, DBL_MAX));
    }
    /* The double nearest to any multiple of pi/2, relatively, and close runners-up over the whole range of exponents.
     * */
    try_angle(6381956970095103.0 * 0x1p797);
    try_angle(0x1.6ac5b262ca1ffp849);
    try_angle(29 * LBM_HALF_PI);
    try_angle(DBL_MAX);
    try_angle(-DBL_MAX);
    try_angle(LBM_SINCOS_FAST);
    try_angle(nextafter(LBM_SINCOS_FAST, 0.0));
}

static void test_atan2(void) {
    check_random random;
    check_random_seed(&random, 3);
    for (int i = 0; i < 12000; i++) {
        const double turn = i * (LBM_TWO_PI / 12000.0), size = check_random_range(&random, 0.5, 2.0);
        try_at(ATAN2, size * lbm_sin(turn), size * lbm_cos(turn));
        try_at(ATAN2, random_of_any_size(&random, -5, 5), random_of_any_size(&random, -5, 5));
        try_at(ATAN2, random_of_any_size(&random, -80, 80), random_of_any_size(&random, -80, 80));
        try_at(ATAN2, random_of_any_size(&random, 940, 1023), random_of_any_size(&random, 940, 1023));
        try_at(ATAN2, random_of_any_size(&random, -1074, -1000), random_of_any_size(&random, -1074, -1000));
        try_at(ATAN2, random_of_any_size(&random, -1074, -900), random_of_any_size(&random, -100, 100));
    }
    for (int k = 0; k <= 32; k++) { /* around the breakpoints of the reduction */
        for (int step = -3; step <= 3; step++) {
            try_at(ATAN2, k / 32.0 + step * DBL_EPSILON / 4, 1.0);
            try_at(ATAN2, -1.0, k / 32.0 + step * DBL_EPSILON / 4);
        }
    }
}

static int same_bits(double a, double b) { return lbm_bits(a) == lbm_bits(b); }

static void test_special_values(void) {
    const double infinite = INFINITY, tiny = 0x1p-1074;
    CHECK(same_bits(lbm_sin(0.0), 0.0));
    CHECK(same_bits(lbm_sin(-0.0), -0.0));
    CHECK(same_bits(lbm_cos(0.0), 1.0));
    CHECK(same_bits(lbm_cos(-0.0), 1.0));
    CHECK(same_bits(lbm_sin(tiny), tiny));
    CHECK(same_bits(lbm_sin(-tiny), -tiny));
    CHECK(isnan(lbm_sin(infinite)) && isnan(lbm_sin(-infinite)) && isnan(lbm_sin(NAN)));
    CHECK(isnan(lbm_cos(infinite)) && isnan(lbm_cos(-infinite)) && isnan(lbm_cos(NAN)));

    CHECK(same_bits(lbm_asin(0.0), 0.0));
    CHECK(same_bits(lbm_asin(-0.0), -0.0));
    CHECK(same_bits(lbm_asin(tiny), tiny));
    CHECK(same_bits(lbm_asin(1.0), LBM_HALF_PI));
    CHECK(same_bits(lbm_asin(-1.0), -LBM_HALF_PI));
    CHECK(same_bits(lbm_acos(1.0), 0.0));
    CHECK(same_bits(lbm_acos(-1.0), LBM_PI));
    CHECK(same_bits(lbm_acos(0.0), LBM_HALF_PI));
    CHECK(same_bits(lbm_acos(-0.0), LBM_HALF_PI));
    CHECK(isnan(lbm_asin(nextafter(1.0, 2.0))) && isnan(lbm_asin(-2.0)) && isnan(lbm_asin(NAN)));
    CHECK(isnan(lbm_acos(nextafter(1.0, 2.0))) && isnan(lbm_acos(infinite)) && isnan(lbm_acos(NAN)));
    CHECK(isnan(lbm_atan2(NAN, 1.0)) && isnan(lbm_atan2(1.0, NAN)) && isnan(lbm_atan2(NAN, NAN)));

    /* C11 F.10.1.4: every pairing of these must be what the C library's atan2 says. */
    const double values[] = {0.0, -0.0, 1.0, -1.0, tiny, -tiny, DBL_MAX, -DBL_MAX, infinite, -infinite};
    const int count = sizeof values / sizeof *values;
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            check_note("atan2(%g, %g)", values[i], values[j]);
            CHECK_NEAR(lbm_atan2(values[i], values[j]), atan2(values[i], values[j]), 5e-16);
            CHECK(!signbit(lbm_atan2(values[i], values[j])) == !signbit(values[i]));
        }
    }
    check_note("%s", "");
}

static void test_symmetry_and_many(void) {
    check_random random;
    check_random_seed(&random, 4);
    for (int round = 0; round < 2000; round++) {
        double x[11], s[11], c[11];
        const int count = check_random_index(&random, 12);
        for (int i = 0; i < count; i++) {
            x[i] = round % 4 ? check_random_range(&random, -10.0, 10.0) : random_of_any_size(&random, -1074, 1023);
        }
        lbm_sincos_many(count, x, s, c);
        for (int i = 0; i < count; i++) {
            CHECK(same_bits(s[i], lbm_sin(x[i])) && same_bits(c[i], lbm_cos(x[i])));
            CHECK(same_bits(lbm_sin(-x[i]), -s[i]) && same_bits(lbm_cos(-x[i]), c[i]));
            CHECK(same_bits(lbm_asin(-s[i]), -lbm_asin(s[i])));
            CHECK(same_bits(lbm_atan2(-s[i], c[i]), -lbm_atan2(s[i], c[i])));
        }
    }
}

/* Without its last digits, but without branches: the angles of points of a circle, of any size. */
static void test_atan2_lanes(void) {
    check_random random;
    check_random_seed(&random, 4);
    double most = 0;
    for (int i = 0; i < check_count(200000, 5000000); i++) {
        const double angle = check_random_range(&random, -3.14159265358979, 3.14159265358979);
        const double radius = i % 3 == 0 ? 1 : check_random_range(&random, 1e-6, 100), y = radius * lbm_sin(angle),
                     x = radius * lbm_cos(angle);
        const double got = lbm_atan2_lanes(y, x); /* one lane here */
        most = fmax(most, fabs(got - lbm_atan2(y, x)));
    }
    CHECK(most < 6e-16);
    const double ends[][3] = {
        {0, 1, 0}, {0, -1, LBM_PI}, {1, 0, LBM_HALF_PI}, {-1, 0, -LBM_HALF_PI}, {-1, -1, -2.356194490192345}};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++) {
        CHECK_NEAR(lbm_atan2_lanes(ends[i][0], ends[i][1]), ends[i][2], 6e-16);
    }
}

int main(void) {
    reference_open();
    test_sweeps();
    test_near_quarter_turns();
    test_atan2();
    test_atan2_lanes();
    test_special_values();
    test_symmetry_and_many();
    for (int f = 0; f < FUNCTION_COUNT; f++) {
        printf("%-6s at most %.4f ulp over %ld arguments (at x = %a)\n", names[f], worst[f], tried[f], worst_at[f]);
        CHECK(tried[f] > 10000);
        CHECK(worst[f] <= 1.0);
        CHECK(worst[f] > 0.45); /* a reference that echoed our own values would show here */
    }
    reference_close();
    return check_done();
}
