/* Long chains, two joints side by side: what every x86-64, ARM64 and WASM with SIMD has. */
#define LBM_LANES 2
#include "math/simd.h"

#if LBM_VECTORS

#define LONG_KERNEL lbs_chain_long2
LBM_TARGET_BEGIN
#include "solve/arm/chain_long.h"
LBM_TARGET_END

#endif
