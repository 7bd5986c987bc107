#include "math/dense.h"

#define KERNELS lbm_kernels_base
#define KERNELS_ISA LBM_ISA_BASE
#include "math/dense/dense_kernels.h"

static const lbm_kernels *kernels_of(lbm_isa isa) {
#if LBM_X86
    if (isa == LBM_ISA_AVX512) {
        return &lbm_kernels_avx512;
    }
    if (isa == LBM_ISA_AVX2) {
        return &lbm_kernels_avx2;
    }
#endif
    (void)isa;
    return &lbm_kernels_base;
}

const lbm_kernels *lbm_kernels_of(lbm_isa isa) { return isa > lbm_isa_best() ? NULL : kernels_of(isa); }

const lbm_kernels *lbm_kernels_best(void) { return kernels_of(lbm_isa_best()); }
