/* Registers of 32 bytes: AVX2. */
#define LBM_WIDTH 4
#include "math/simd.h"

#if LBM_X86

#define LEAF_SEARCH lbs_atlas_leaf4
LBM_TARGET_BEGIN
#include "solve/arm/atlas_leaf.h"
LBM_TARGET_END

#endif
