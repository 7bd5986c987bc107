/* Long chains, two joints side by side: what every x86-64, ARM64 and WASM with SIMD has. */
#if defined(__GNUC__) && !defined(LBM_SCALAR)

#define LBM_LANES 2
#define LONG_KERNEL lbs_chain_long2
#include "solve/arm/chain_long.h"

#endif
