/* A tree in one lane: plain doubles, on every machine. */
#define KERNEL lbs_arm_kernel_tree1
#include "solve/arm/kernels/arm_kernel_tree.h"
