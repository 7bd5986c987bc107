#define LBM_WIDTH 4
#include "math/simd.h"

#if LBM_X86
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#define MOVE_NODES lbf_move_avx2
LBM_TARGET_BEGIN
#include "figure/kinematics/forward_kernels.h"
LBM_TARGET_END
#endif
