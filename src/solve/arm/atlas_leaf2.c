/* Registers of 16 bytes, which every machine with vectors has; or none. */
#include "math/simd.h"

#define LEAF_SEARCH lbs_atlas_leaf2
#include "solve/arm/atlas_leaf.h"
