#include "math/strict.h"

#include <stddef.h>

#include "math/simd.h"

/* (1 + 2^-30) (1 - 2^-30) = 1 - 2^-60 rounds to 1, so that the sum with -1 is 0; fused it is -2^-60. The numbers are
 * volatile: what the compiler works out itself it does not fuse. */

static int fuses(const volatile double numbers[3]) {
    double x = numbers[0], y = numbers[1], z = numbers[2];
    return x * y + z != 0;
}

#if LBM_X86

/* The kernels of wider registers are compiled for other instructions than the rest. */
LBM_TARGET_AVX2_BEGIN
static int fuses_avx2(const volatile double numbers[3]) {
    double x = numbers[0], y = numbers[1], z = numbers[2];
    return x * y + z != 0;
}
LBM_TARGET_AVX2_END
LBM_TARGET_AVX512_BEGIN
static int fuses_avx512(const volatile double numbers[3]) {
    double x = numbers[0], y = numbers[1], z = numbers[2];
    return x * y + z != 0;
}
LBM_TARGET_AVX512_END

static int any_fuses(const volatile double numbers[3]) {
    lbm_isa isa = lbm_isa_best();
    return fuses(numbers) || (isa >= LBM_ISA_AVX2 && fuses_avx2(numbers)) ||
           (isa >= LBM_ISA_AVX512 && fuses_avx512(numbers));
}

#else

static int any_fuses(const volatile double numbers[3]) { return fuses(numbers); }

#endif

/* (2^60 + 1) - 2^60 is 0; in another order it is 1. */
static int reorders(const volatile double numbers[2]) {
    double large = numbers[0], small = numbers[1];
    return large + small - large != 0;
}

const char *lbm_strict(void) {
    const volatile double product[3] = {1 + 0x1p-30, 1 - 0x1p-30, -1}, sum[2] = {0x1p60, 1};
    if (any_fuses(product)) {
        return "this build of Limber fuses multiplications with additions, so that its results are not those of other "
               "machines: compile it with -ffp-contract=off";
    }
    if (reorders(sum)) {
        return "this build of Limber adds in another order than written, so that its results are not those of other "
               "machines: compile it without -fassociative-math";
    }
    return NULL;
}
