/* One lane: plain doubles, on every machine. */
#define LBM_LANES 1
#define KERNEL lbs_chain_run1
#include "solve/chain_kernel.h"
