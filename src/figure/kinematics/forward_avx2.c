#define LBM_WIDTH 4
#include "math/isa.h"

#if LBM_X86
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#define MOVE_NODES lbf_move_avx2
LBM_BEGIN_AVX2
#include "figure/kinematics/forward_kernels.h"
LBM_END_TARGET
#else
typedef int lbf_no_avx2; /* a file must have something in it */
#endif
