/* Long chains, a joint after the other: on every machine. */
#define LONG_KERNEL lbs_chain_long1
#include "solve/arm/chain_long.h"
