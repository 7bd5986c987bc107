/* Four lanes: AVX2 where it is x86. */
#if defined(__GNUC__) && !defined(LBM_SCALAR)

#if defined(__x86_64__)
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#endif

#define LBM_LANES 4
#define KERNEL lbs_chain_run4
#include "solve/arm/chain_kernel.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif

#endif
