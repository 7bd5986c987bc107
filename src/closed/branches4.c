/* Four lanes: AVX2. */
#define LBM_WIDTH 4
#define LBM_LANES 4
#include "math/simd.h"

#if LBM_X86

#define BRANCH lbc_branch4
#define WIND lbc_wind4
LBM_TARGET_BEGIN
#include "closed/branches_kernel.h"
LBM_TARGET_END

#endif
