/* Eight lanes: AVX-512 where it is x86. */
#if defined(__GNUC__) && !defined(LBM_SCALAR)

#if defined(__x86_64__)
#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx512f,avx512vl,avx512dq"))), apply_to = function)
#else
#pragma GCC target("avx512f,avx512vl,avx512dq")
#endif
#endif

#define LBM_LANES 8
#define KERNEL lbs_chain_run8
#include "solve/arm/chain_kernel.h"

#if defined(__x86_64__) && defined(__clang__)
#pragma clang attribute pop
#endif

#endif
