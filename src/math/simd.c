#include "math/simd.h"

#if LBM_X86

static void ask(uint32_t leaf, uint32_t out[4]) {
    __asm__("cpuid" : "=a"(out[0]), "=b"(out[1]), "=c"(out[2]), "=d"(out[3]) : "a"(leaf), "c"(0));
}

/* The registers that the operating system saves: extended control register 0. */
static uint32_t saved_registers(void) {
    uint32_t low, high;
    __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
    return low;
}

lbm_isa lbm_isa_best(void) {
    const uint32_t avx2 = 1u << 5, avx512 = 1u << 16 | 1u << 17 | 1u << 31; /* F, DQ, VL: bits of EBX of leaf 7 */
    const uint32_t xsave_and_avx = 1u << 27 | 1u << 28, ymm = 0x6, zmm = 0xe6;
    uint32_t out[4];
    ask(0, out);
    if (out[0] < 7) {
        return LBM_ISA_BASE;
    }
    ask(1, out);
    if ((out[2] & xsave_and_avx) != xsave_and_avx) {
        return LBM_ISA_BASE;
    }
    uint32_t saved = saved_registers();
    ask(7, out);
    if ((saved & ymm) != ymm || !(out[1] & avx2)) {
        return LBM_ISA_BASE;
    }
    return (saved & zmm) == zmm && (out[1] & avx512) == avx512 ? LBM_ISA_AVX512 : LBM_ISA_AVX2;
}

#else

lbm_isa lbm_isa_best(void) { return LBM_ISA_BASE; }

#endif
