/* Registers of 16 bytes, which every machine with vectors has; or none. */
#if defined(__GNUC__) && !defined(LBM_SCALAR)
#define WIDTH 4
#else
#define WIDTH 1
#endif
#define LEAF_SEARCH lbs_atlas_leaf2
#include "solve/arm/atlas_leaf.h"
