/* Tracks: keys are met, curves are as smooth as they say, rotations go on the group, rates are derivatives. */
#include <limber/motion.h>
#include <math.h>
#include <string.h>

#include "check.h"

enum { KEYS = 7 };

static void random_rotation(check_random *random, double q[4]) {
    double square;
    do {
        square = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = check_random_range(random, -1, 1);
            square += q[i] * q[i];
        }
    } while (square > 1 || square < 0.01);
    for (int i = 0; i < 4; i++) {
        q[i] /= sqrt(square);
    }
}

/* Keys at uneven times; the last is the first again where the track is periodic. `wild`: rotations up to a half turn
 * apart, else some 60 degrees. */
static lb_track *random_track(lb_track_kind kind, lb_interpolation how, lb_track_ends ends, int seed, int wild,
                              const double *turn) {
    check_random random;
    check_random_seed(&random, (unsigned)seed);
    lb_track *track = lb_track_create(kind, 2, NULL, NULL);
    REQUIRE(track != NULL);
    CHECK_INT(lb_track_set_ends(track, ends), LB_OK);
    double time = -0.7, value[7], first[7], q[4] = {0, 0, 0, 1};
    int at = kind == LB_TRACK_FRAME ? 3 : 0, turns = kind != LB_TRACK_VALUES;
    for (int i = 0; i < KEYS; i++) {
        for (int k = 0; k < 3; k++) {
            value[k] = check_random_range(&random, -2, 2);
        }
        if (turns) {
            double axis[3], step[4];
            for (int k = 0; k < 3; k++) {
                axis[k] = check_random_range(&random, -1, 1);
            }
            if (wild) {
                random_rotation(&random, q);
            } else {
                lb_rotation_about(axis, 1.1, step);
                lb_rotation_multiply(q, step, q);
            }
            memcpy(value + at, q, sizeof q);
            if (turn) {
                lb_rotation_multiply(turn, value + at, value + at);
            }
        }
        if (i == 0) {
            memcpy(first, value, sizeof value);
        }
        if (i == KEYS - 1 && ends == LB_TRACK_ENDS_PERIODIC) {
            memcpy(value, first, sizeof value);
        }
        CHECK_INT(lb_track_set(track, time, value, how), LB_OK);
        time += check_random_range(&random, 0.2, 1.1);
    }
    return track;
}

static double dot4(const double a[4], const double b[4]) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3];
}

static double rotation_apart(const double a[4], const double b[4]) {
    double inverse[4] = {-a[0], -a[1], -a[2], a[3]}, between[4];
    lb_rotation_multiply(inverse, b, between);
    return 2 * sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
}

/* How far apart two values of a track are. */
static double value_apart(const lb_track *track, const double *a, const double *b) {
    double most = 0;
    int kind = (int)lb_track_get_kind(track), at = kind == LB_TRACK_FRAME ? 3 : 0;
    int numbers = kind == LB_TRACK_VALUES ? lb_track_width(track) : at;
    for (int i = 0; i < numbers; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return kind == LB_TRACK_VALUES ? most : fmax(most, rotation_apart(a + at, b + at));
}

static double apart(const double *a, const double *b, int count) {
    double most = 0;
    for (int i = 0; i < count; i++) {
        most = fmax(most, fabs(a[i] - b[i]));
    }
    return most;
}

/* --- Keys are met, and joins are as smooth as promised -------------------------------------------- */

static void check_joins(lb_track *track, lb_interpolation how, lb_track_ends ends) {
    double time, key[7], value[7], rate[6], acceleration[6], before[7], rate_before[6], acceleration_before[6];
    int width = lb_track_rate_width(track), count = lb_track_key_count(track);
    const double h = 1e-9;
    for (int i = 0; i < count; i++) {
        check_note("interpolation %d, ends %d, key %d", (int)how, (int)ends, i);
        CHECK_INT(lb_track_key(track, i, &time, key, NULL), LB_OK);
        CHECK_INT(lb_track_sample(track, time, value, rate, acceleration), LB_OK);
        CHECK_NEAR(value_apart(track, key, value), 0, 1e-15);
        if ((i == 0 || i == count - 1) && ends != LB_TRACK_ENDS_PERIODIC) {
            continue;
        }
        lb_track_sample(track, time - h, before, rate_before, acceleration_before);
        if (how != LB_INTERPOLATION_STEP) {
            CHECK(value_apart(track, before, value) < 1e-6);
        }
        if (how == LB_INTERPOLATION_CATMULL_ROM || how == LB_INTERPOLATION_CUBIC) {
            CHECK_NEAR(apart(rate, rate_before, width), 0, 1e-5);
        }
        if (how == LB_INTERPOLATION_CUBIC) {
            CHECK_NEAR(apart(acceleration, acceleration_before, width), 0, 1e-4);
        }
        /* quaternions go on in sign, too */
        if (lb_track_get_kind(track) == LB_TRACK_ROTATION && how != LB_INTERPOLATION_STEP) {
            CHECK(dot4(before, value) > 0);
        }
    }
    check_note("%s", "");
}

static void check_ends(lb_track *track, lb_track_ends ends) {
    double begin, end, value[7], rate[6], acceleration[6];
    int width = lb_track_rate_width(track);
    static const double zeros[6];
    lb_track_key(track, 0, &begin, NULL, NULL);
    lb_track_key(track, lb_track_key_count(track) - 1, &end, NULL, NULL);
    for (int i = 0; i < 2; i++) {
        lb_track_sample(track, i ? end : begin, value, rate, acceleration);
        if (ends == LB_TRACK_ENDS_NATURAL) {
            CHECK_NEAR(apart(acceleration, zeros, width), 0, 1e-10);
        }
        if (ends == LB_TRACK_ENDS_CLAMPED) {
            CHECK_NEAR(apart(rate, zeros, width), 0, 1e-12);
        }
    }
    if (ends != LB_TRACK_ENDS_PERIODIC) {
        return;
    }
    double later[7];
    for (int i = -3; i <= 3; i++) {
        lb_track_sample(track, begin + 0.3, value, NULL, NULL);
        lb_track_sample(track, begin + 0.3 + i * (end - begin), later, NULL, NULL);
        CHECK_NEAR(value_apart(track, value, later), 0, 1e-12);
    }
}

/* --- Rates are derivatives ------------------------------------------------------------------------ */

static void difference(lb_track *track, double time, double h, double *rate) {
    double a[7], b[7];
    int kind = (int)lb_track_get_kind(track), at = kind == LB_TRACK_FRAME ? 3 : 0;
    lb_track_sample(track, time - h, a, NULL, NULL);
    lb_track_sample(track, time + h, b, NULL, NULL);
    int numbers = kind == LB_TRACK_VALUES ? lb_track_width(track) : at;
    for (int i = 0; i < numbers; i++) {
        rate[i] = (b[i] - a[i]) / (2 * h);
    }
    if (kind == LB_TRACK_VALUES) {
        return;
    }
    double inverse[4] = {-a[at], -a[at + 1], -a[at + 2], a[at + 3]}, between[4];
    lb_rotation_multiply(b + at, inverse, between); /* in the world */
    double sign = between[3] < 0 ? -1 : 1;
    for (int i = 0; i < 3; i++) {
        rate[at + i] = sign * between[i] / h;
    }
}

static void check_rates(lb_track *track, check_random *random) {
    double begin, end, value[7], rate[6], acceleration[6], expected[6], left[6], right[6];
    const double h = 1e-5;
    int width = lb_track_rate_width(track);
    lb_track_key(track, 0, &begin, NULL, NULL);
    lb_track_key(track, lb_track_key_count(track) - 1, &end, NULL, NULL);
    for (int i = 0; i < 60; i++) {
        double time = check_random_range(random, begin, end), key;
        int near = 0;
        for (int k = 0; k < lb_track_key_count(track); k++) {
            lb_track_key(track, k, &key, NULL, NULL);
            near |= fabs(key - time) < 3 * h;
        }
        if (near) {
            continue;
        }
        lb_track_sample(track, time, value, rate, acceleration);
        difference(track, time, h, expected);
        CHECK_NEAR(apart(rate, expected, width), 0, 3e-6);
        lb_track_sample(track, time - h, value, left, NULL);
        lb_track_sample(track, time + h, value, right, NULL);
        for (int k = 0; k < width; k++) {
            CHECK_NEAR((right[k] - left[k]) / (2 * h), acceleration[k], 2e-4);
        }
    }
}

static void all_kinds(void) {
    static const lb_interpolation hows[] = {LB_INTERPOLATION_STEP, LB_INTERPOLATION_LINEAR,
                                            LB_INTERPOLATION_CATMULL_ROM, LB_INTERPOLATION_CUBIC};
    check_random random;
    check_random_seed(&random, 99);
    for (int kind = LB_TRACK_VALUES; kind <= LB_TRACK_FRAME; kind++) {
        for (int how = 0; how < 4; how++) {
            for (int ends = LB_TRACK_ENDS_NATURAL; ends <= LB_TRACK_ENDS_PERIODIC; ends++) {
                for (int seed = 1; seed <= 4; seed++) {
                    lb_track *track = random_track((lb_track_kind)kind, hows[how], (lb_track_ends)ends, seed, 0, NULL);
                    check_joins(track, hows[how], (lb_track_ends)ends);
                    if (hows[how] == LB_INTERPOLATION_CUBIC) {
                        check_ends(track, (lb_track_ends)ends);
                    }
                    check_rates(track, &random);
                    lb_track_destroy(track);
                }
            }
        }
    }
}

/* Keys at random all over the group, up to a half turn apart: still C2. */
static void wild_rotations(void) {
    for (int seed = 1; seed <= 300; seed++) {
        for (int ends = LB_TRACK_ENDS_NATURAL; ends <= LB_TRACK_ENDS_PERIODIC; ends++) {
            lb_track *track =
                random_track(LB_TRACK_ROTATION, LB_INTERPOLATION_CUBIC, (lb_track_ends)ends, seed, 1, NULL);
            double time, value[4], rate[3], a[3], b[3];
            for (int i = 1; i + 1 < KEYS; i++) {
                check_note("seed %d, ends %d, key %d", seed, ends, i);
                lb_track_key(track, i, &time, NULL, NULL);
                lb_track_sample(track, time, value, rate, a);
                lb_track_sample(track, time - 1e-10, value, rate, b);
                CHECK_NEAR(apart(a, b, 3), 0, 1e-4);
            }
            lb_track_destroy(track);
        }
    }
    check_note("%s", "");
}

/* Times of up to 100 to 1, keys anywhere, half turns among them: still C2. */
static void uneven_times(void) {
    check_random random;
    check_random_seed(&random, 8);
    for (int round = 0; round < 300; round++) {
        lb_track *track = lb_track_create(LB_TRACK_ROTATION, 0, NULL, NULL);
        int count = 3 + check_random_index(&random, 20);
        double time = 0, value[4], rate[3], a[3], b[3];
        lb_track_set_ends(track, (lb_track_ends)(round % 3));
        for (int i = 0; i < count; i++) {
            random_rotation(&random, value);
            if (round % 4 == 0) {
                value[3] = 0;
            }
            CHECK_INT(lb_track_set(track, time, value, LB_INTERPOLATION_CUBIC), LB_OK);
            time += pow(10, -check_random_range(&random, 0, 2));
        }
        for (int i = 1; i + 1 < count; i++) {
            double before;
            check_note("round %d, key %d", round, i);
            lb_track_key(track, i - 1, &before, NULL, NULL);
            lb_track_key(track, i, &time, NULL, NULL);
            lb_track_sample(track, time, value, rate, a);
            double size = fmax(apart(a, (double[3]){0}, 3), apart(rate, (double[3]){0}, 3) / (time - before));
            lb_track_sample(track, time - 1e-9 * (time - before), value, rate, b);
            CHECK_NEAR(apart(a, b, 3) / size, 0, 1e-5);
        }
        lb_track_destroy(track);
    }
    check_note("%s", "");
}

/* Turned keys give the turned curve. */
static void invariant(void) {
    check_random random;
    check_random_seed(&random, 5);
    for (int how = LB_INTERPOLATION_LINEAR; how <= LB_INTERPOLATION_CUBIC; how++) {
        double turn[4], time = 0;
        random_rotation(&random, turn);
        lb_track *plain = random_track(LB_TRACK_ROTATION, (lb_interpolation)how, LB_TRACK_ENDS_NATURAL, 3, 1, NULL);
        lb_track *turned = random_track(LB_TRACK_ROTATION, (lb_interpolation)how, LB_TRACK_ENDS_NATURAL, 3, 1, turn);
        for (int i = 0; i < 100; i++, time += 0.03) {
            double a[4], b[4];
            lb_track_sample(plain, time, a, NULL, NULL);
            lb_track_sample(turned, time, b, NULL, NULL);
            lb_rotation_multiply(turn, a, a);
            CHECK_NEAR(rotation_apart(a, b), 0, 1e-12);
        }
        lb_track_destroy(plain);
        lb_track_destroy(turned);
    }
}

/* About one axis rotations are numbers, and go as numbers do. */
static void one_axis(void) {
    static const double angles[] = {0.1, 1.2, 0.7, -1.1, -2.0}, times[] = {0, 0.5, 1.7, 2.0, 3.1};
    const double axis[3] = {0.48, 0.6, 0.64};
    for (int how = LB_INTERPOLATION_LINEAR; how <= LB_INTERPOLATION_CUBIC; how++) {
        for (int ends = LB_TRACK_ENDS_NATURAL; ends <= LB_TRACK_ENDS_CLAMPED; ends++) {
            lb_track *number = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
            lb_track *rotation = lb_track_create(LB_TRACK_ROTATION, 0, NULL, NULL);
            lb_track_set_ends(number, (lb_track_ends)ends);
            lb_track_set_ends(rotation, (lb_track_ends)ends);
            for (int i = 0; i < 5; i++) {
                double q[4];
                lb_rotation_about(axis, angles[i], q);
                lb_track_set(number, times[i], &angles[i], (lb_interpolation)how);
                lb_track_set(rotation, times[i], q, (lb_interpolation)how);
            }
            for (double t = 0; t < 3.1; t += 0.01) {
                double x, dx, ddx, q[4], w[3], dw[3], expected[4];
                lb_track_sample(number, t, &x, &dx, &ddx);
                lb_track_sample(rotation, t, q, w, dw);
                lb_rotation_about(axis, x, expected);
                CHECK_NEAR(rotation_apart(q, expected), 0, 1e-13);
                for (int k = 0; k < 3; k++) {
                    CHECK_NEAR(w[k], axis[k] * dx, 1e-11);
                    CHECK_NEAR(dw[k], axis[k] * ddx, 1e-10);
                }
            }
            lb_track_destroy(number);
            lb_track_destroy(rotation);
        }
    }
}

/* The natural spline through points of a cubic with straight ends is that cubic's well-known cousin: against the
 * textbook's system, solved here in another way (second derivatives). */
static void textbook_spline(void) {
    static const double x[] = {0, 1, 2.5, 3, 5}, y[] = {1, -1, 0.5, 2, 0};
    double m[5] = {0};
    for (int sweep = 0; sweep < 200; sweep++) { /* Gauss-Seidel: diagonally dominant */
        for (int i = 1; i < 4; i++) {
            double a = x[i] - x[i - 1], b = x[i + 1] - x[i];
            double right = 6 * ((y[i + 1] - y[i]) / b - (y[i] - y[i - 1]) / a);
            m[i] = (right - a * m[i - 1] - b * m[i + 1]) / (2 * (a + b));
        }
    }
    lb_track *track = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    for (int i = 4; i >= 0; i--) {
        CHECK_INT(lb_track_set(track, x[i], &y[i], LB_INTERPOLATION_CUBIC), LB_OK);
    }
    for (int i = 0; i < 5; i++) {
        double value, rate, acceleration;
        lb_track_sample(track, x[i], &value, &rate, &acceleration);
        CHECK_NEAR(value, y[i], 0);
        CHECK_NEAR(acceleration, m[i], 1e-13);
    }
    lb_track_destroy(track);
}

/* Different ways on one track, also across the seam of a periodic one. */
static void mixed(void) {
    lb_track *track = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    static const double values[] = {0, 1, 3, 2, 5, 0};
    static const lb_interpolation hows[] = {LB_INTERPOLATION_CUBIC, LB_INTERPOLATION_STEP,  LB_INTERPOLATION_LINEAR,
                                            LB_INTERPOLATION_CUBIC, LB_INTERPOLATION_CUBIC, LB_INTERPOLATION_STEP};
    for (int i = 0; i < 6; i++) {
        lb_track_set(track, i, &values[i], hows[i]);
    }
    lb_track_set_ends(track, LB_TRACK_ENDS_PERIODIC);
    double value, rate, before, rate_before, acceleration, acceleration_before;
    lb_track_sample(track, 1.9, &value, &rate, NULL);
    CHECK_NEAR(value, 1, 0);
    CHECK_NEAR(rate, 0, 0);
    lb_track_sample(track, 2.25, &value, &rate, NULL);
    CHECK_NEAR(value, 2.75, 1e-15);
    CHECK_NEAR(rate, -1, 1e-14);
    lb_track_sample(track, 0, &value, &rate, &acceleration); /* the run of 3, 4, 0 goes through */
    lb_track_sample(track, 5 - 1e-9, &before, &rate_before, &acceleration_before);
    CHECK_NEAR(rate, rate_before, 1e-6);
    CHECK_NEAR(acceleration, acceleration_before, 1e-6);
    lb_track_destroy(track);
}

static void keys(void) {
    lb_track *track = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
    double value = 1, time, out, rate;
    CHECK_INT(lb_track_sample(track, 0, &out, NULL, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set(track, 1, &value, LB_INTERPOLATION_LINEAR), LB_OK);
    CHECK_INT(lb_track_sample(track, -7, &out, &rate, NULL), LB_OK);
    CHECK_NEAR(out, 1, 0);
    CHECK_NEAR(rate, 0, 0);
    value = 3;
    lb_track_set(track, 2, &value, LB_INTERPOLATION_LINEAR);
    value = 2;
    lb_track_set(track, 1, &value, LB_INTERPOLATION_LINEAR); /* in the place of the first */
    CHECK_INT(lb_track_key_count(track), 2);
    lb_track_sample(track, 1.5, &out, NULL, NULL);
    CHECK_NEAR(out, 2.5, 1e-15);
    lb_track_sample(track, 9, &out, &rate, NULL);
    CHECK_NEAR(out, 3, 0);
    CHECK_NEAR(rate, 0, 0);
    CHECK_INT(lb_track_remove(track, 0), LB_OK);
    CHECK_INT(lb_track_remove(track, 1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_key(track, 0, &time, &out, NULL), LB_OK);
    CHECK_NEAR(time, 2, 0);
    value = NAN;
    CHECK_INT(lb_track_set(track, 1, &value, LB_INTERPOLATION_LINEAR), LB_ERROR_ARGUMENT);
    value = 0;
    CHECK_INT(lb_track_set(track, INFINITY, &value, LB_INTERPOLATION_LINEAR), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set(track, 1, &value, (lb_interpolation)9), LB_ERROR_ARGUMENT);
    const double huge[2] = {1e308, -1e308};
    lb_track_set(track, 11, &huge[0], LB_INTERPOLATION_CUBIC);
    lb_track_set(track, 12, &huge[1], LB_INTERPOLATION_CUBIC);
    CHECK_INT(lb_track_sample(track, 11.5, &out, &rate, NULL), LB_ERROR_TOO_LARGE);
    CHECK(isfinite(out));
    CHECK_INT(lb_track_sample(track, NAN, &out, NULL, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set_ends(track, (lb_track_ends)4), LB_ERROR_ARGUMENT);
    CHECK(lb_track_create(LB_TRACK_VALUES, 0, NULL, NULL) == NULL);
    lb_track_destroy(track);
    lb_track_destroy(NULL);
    track = lb_track_create(LB_TRACK_ROTATION, 0, NULL, NULL);
    double zero[4] = {0, 0, 0, 0}, twice[4] = {0, 0, 0, 2};
    CHECK_INT(lb_track_set(track, 0, zero, LB_INTERPOLATION_LINEAR), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_track_set(track, 0, twice, LB_INTERPOLATION_LINEAR), LB_OK);
    lb_track_sample(track, 0, zero, NULL, NULL);
    CHECK_NEAR(zero[3], 1, 0);
    lb_track_destroy(track);
}

int main(void) {
    all_kinds();
    wild_rotations();
    uneven_times();
    invariant();
    one_axis();
    textbook_spline();
    mixed();
    keys();
    return check_done();
}
