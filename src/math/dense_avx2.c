#define LBM_WIDTH 4
#include "math/isa.h"

#if LBM_X86
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define KERNELS lbm_kernels_avx2
#define KERNELS_ISA LBM_ISA_AVX2
LBM_BEGIN_AVX2
#include "math/dense_kernels.h"
LBM_END_TARGET
#else
typedef int lbm_no_avx2; /* a file must have something in it */
#endif
