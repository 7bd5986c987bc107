/* Time of one sine and cosine: Limber's against the C library's. Rounds alternate between the two; medians are shown.
 * */
#include "bench.h"
#include "math/trig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#define ANGLES 4096
#define ROUNDS 301

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static double median_ns(double *times) {
    qsort(times, ROUNDS, sizeof *times, compare);
    return times[ROUNDS / 2] / ANGLES * 1e9;
}

static void run_ours(const double *angles, double *sums) {
    for (int i = 0; i < ANGLES; i++) {
        double s, c;
        lbm_sincos(angles[i], &s, &c);
        sums[0] += s, sums[1] += c;
    }
}

static void run_many(const double *angles, double *sums) {
    static double s[ANGLES], c[ANGLES];
    lbm_sincos_many(ANGLES, angles, s, c);
    for (int i = 0; i < ANGLES; i++) {
        sums[0] += s[i], sums[1] += c[i];
    }
}

static void run_library(const double *angles, double *sums) {
    for (int i = 0; i < ANGLES; i++) {
        sums[0] += sin(angles[i]), sums[1] += cos(angles[i]);
    }
}

static void run_atan2(const double *angles, double *sums) {
    for (int i = 1; i < ANGLES; i++) {
        sums[0] += lbm_atan2(angles[i - 1], angles[i]);
    }
}

static void run_library_atan2(const double *angles, double *sums) {
    for (int i = 1; i < ANGLES; i++) {
        sums[0] += atan2(angles[i - 1], angles[i]);
    }
}

static double timed(void (*run)(const double *, double *), const double *angles, double *sums) {
    const double start = bench_now_us();
    run(angles, sums);
    return 1e-6 * (bench_now_us() - start);
}

static void compare_both(const char *what, void (*ours)(const double *, double *),
                         void (*library)(const double *, double *), const double *angles) {
    double times_ours[ROUNDS], times_library[ROUNDS], sums[2] = {0.0, 0.0}, sums_library[2] = {0.0, 0.0};
    for (int round = 0; round < ROUNDS; round++) {
        times_ours[round] = timed(ours, angles, sums);
        times_library[round] = timed(library, angles, sums_library);
    }
    printf("%-24s limber %6.1f ns   C library %6.1f ns   (sums differ by %.1e)\n", what, median_ns(times_ours),
           median_ns(times_library), fabs(sums[0] - sums_library[0]) + fabs(sums[1] - sums_library[1]));
}

int main(int argc, char **argv) {
    bench_begin("trig", argc, argv);
    static const struct {
        const char *name;
        double reach;
    } sweeps[] = {{"sincos |x| < pi", LBM_PI}, {"sincos |x| < 100", 100.0}, {"sincos |x| < 1e15", 1e15}};
    static double angles[ANGLES];
    uint64_t state = 1;
    for (size_t sweep = 0; sweep < sizeof sweeps / sizeof *sweeps; sweep++) {
        for (int i = 0; i < ANGLES; i++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            angles[i] = ((double)(state >> 11) * 0x1p-52 - 1.0) * sweeps[sweep].reach;
        }
        compare_both(sweeps[sweep].name, run_ours, run_library, angles);
    }
    for (int i = 0; i < ANGLES; i++) {
        angles[i] *= LBM_PI * 1e-15;
    }
    compare_both("sincos, many at once", run_many, run_library, angles);
    compare_both("atan2", run_atan2, run_library_atan2, angles);
    return bench_end();
}
