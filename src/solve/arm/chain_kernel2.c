/* Two lanes: what every x86-64, ARM64 and WASM with SIMD has. */
#if defined(__GNUC__) && !defined(LBM_SCALAR)

#define LBM_LANES 2
#define KERNEL lbs_chain_run2
#include "solve/arm/chain_kernel.h"

#endif
