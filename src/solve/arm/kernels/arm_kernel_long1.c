/* Long arms, a joint after the other: on every machine. */
#define KERNEL lbs_arm_kernel_long1
#include "solve/arm/kernels/arm_kernel_long.h"
