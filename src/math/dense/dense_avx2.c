#define LBM_WIDTH 4
#include "math/simd.h"

#if LBM_X86

#define KERNELS lbm_kernels_avx2
#define KERNELS_ISA LBM_ISA_AVX2
LBM_TARGET_BEGIN
#include "math/dense/dense_kernels.h"
LBM_TARGET_END

#endif
