/* Registers of 32 bytes: AVX2. */
#if defined(__x86_64__) && defined(__GNUC__) && !defined(LBM_SCALAR)

#include <immintrin.h>
#if defined(__clang__)
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif

#define WIDTH 8
#define LEAF_SEARCH lbs_atlas_leaf4
#include "solve/arm/atlas_leaf.h"

#if defined(__clang__)
#pragma clang attribute pop
#endif

#endif
