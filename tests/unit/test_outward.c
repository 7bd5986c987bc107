/* Arithmetic that errs on one side: bounds lie on their side of the true number, and close to it. */
#include <math.h>

#include "check.h"
#include "math/outward.h"

static check_random source;

static double any_number(void) {
    const double x = ldexp(check_random_range(&source, -1, 1), check_random_index(&source, 200) - 100);
    return check_random_index(&source, 20) ? x : 0;
}

static void floats(void) {
    static const double ends[] = {0, 1e-320, -1e-320, 1e-46,  -1e-46,   0x1p-149,
                                  1, -1,     1e300,   -1e300, INFINITY, -INFINITY};
    for (int i = 0; i < 20000; i++) {
        const int ends_count = (int)(sizeof ends / sizeof *ends);
        const double x = i < ends_count ? ends[i] : i % 3 ? any_number() : (double)(float)any_number();
        const float below = lbm_float_below(x), above = lbm_float_above(x);
        check_note("%a", x);
        CHECK((double)below <= x && x <= (double)above);
        CHECK(below == above ? (double)below == x : nextafterf(below, INFINITY) == above);
    }
    check_note("%s", "");
}

/* A leg of a triangle with a right angle, against long doubles, which have 11 bits more. */
static void legs(void) {
    for (int i = 0; i < 20000; i++) {
        const double d = fabs(any_number()), part = check_random_index(&source, 3)
                                                        ? check_random_range(&source, 0, 1)
                                                        : 1 - 0x1p-40 * check_random_range(&source, 0, 1);
        const double z = d * part;
        const long double leg = sqrtl(((long double)d - z) * ((long double)d + z));
        CHECK((long double)lbm_leg_below(d, z) <= leg && leg <= (long double)lbm_leg_above(d, z));
        CHECK_NEAR(lbm_leg_below(d, z), lbm_leg_above(d, z), 4e-15 * d);
    }
    CHECK(lbm_leg_above(1, 2) == 0 && lbm_leg_below(1, 1) == 0);
}

static void claims(void) {
    for (int i = 0; i < 20000; i++) {
        const double excess = any_number(), slack = fabs(any_number()), proved = lbm_proved(excess, slack);
        CHECK(proved >= 0 && (proved == 0 || (long double)proved + slack <= (long double)excess));
        const double r = fabs(any_number()), by = r * check_random_range(&source, 0, 1);
        CHECK(lbm_angle_within(by, r) >= asin(r > 0 ? by / r : 0));
    }
    CHECK(lbm_proved(NAN, 0) == 0 && lbm_proved(1, NAN) == 0 && lbm_proved(INFINITY, INFINITY) == 0);
    CHECK(lbm_angle_within(1, 0) > 3.15 && lbm_angle_within(0, 0) > 3.15 && lbm_angle_within(0, 1) == 0);
    double range[2] = {1, 2}, length[2] = {1e-9, 2};
    lbm_widen(range, 0.5);
    lbm_widen_length(length, 0.5);
    CHECK(range[0] == 0.5 && range[1] == 2.5 && length[0] == 0 && length[1] == 2.5);
}

int main(void) {
    check_random_seed(&source, 53);
    floats();
    legs();
    claims();
    return check_done();
}
