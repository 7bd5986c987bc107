/* Long arms, two joints side by side: what every x86-64, ARM64 and WASM with SIMD has. */
#define LBM_LANES 2
#include "math/simd.h"

#if LBM_VECTORS

#define KERNEL lbs_arm_kernel_long2
LBM_TARGET_BEGIN
#include "solve/arm/kernels/arm_kernel_long.h"
LBM_TARGET_END

#endif
