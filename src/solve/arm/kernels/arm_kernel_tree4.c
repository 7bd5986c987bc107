/* Four starts of a tree side by side: AVX2 where it is x86. */
#define LBM_WIDTH 4
#define LBM_LANES 4
#include "math/simd.h"

#if LBM_WIDE

#define KERNEL lbs_arm_kernel_tree4
LBM_TARGET_BEGIN
#include "solve/arm/kernels/arm_kernel_tree.h"
LBM_TARGET_END

#endif
