/* Eight lanes: AVX-512 where it is x86. */
#define LBM_WIDTH 8
#define LBM_LANES 8
#include "math/simd.h"

#if LBM_WIDE

#define KERNEL lbs_arm_kernel8
LBM_TARGET_BEGIN
#include "solve/arm/kernels/arm_kernel.h"
LBM_TARGET_END

#endif
