/* Long chains, a joint after the other: on every machine. */
#define LONG_KERNEL lbs_arm_kernel_long1
#include "solve/arm/arm_kernel_long.h"
