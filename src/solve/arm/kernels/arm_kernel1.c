/* One lane: plain doubles, on every machine. */
#define KERNEL lbs_arm_kernel1
#include "solve/arm/kernels/arm_kernel.h"

void lbs_arm_go(const lbs_arm *c, lbs_arm_lanes *l, double frame[12]) {
    frame_lanes f;
    find_sines(c, l);
    go_along(c, l, &f);
    memcpy(frame, &f, sizeof f);
}
