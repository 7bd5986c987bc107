/* Two lanes: what every x86-64, ARM64 and WASM with SIMD has; one without vectors. */
#define LBM_LANES 2
#include "math/simd.h"

#define BRANCH lbc_branch2
#define WIND lbc_wind2
LBM_TARGET_BEGIN
#include "closed/branches_kernel.h"
LBM_TARGET_END
