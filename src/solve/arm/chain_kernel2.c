/* Two lanes: what every x86-64, ARM64 and WASM with SIMD has. */
#define LBM_LANES 2
#include "math/simd.h"

#if LBM_VECTORS

#define KERNEL lbs_chain_run2
LBM_TARGET_BEGIN
#include "solve/arm/chain_kernel.h"
LBM_TARGET_END

#endif
