/* One lane: plain doubles, on every machine. */
#define KERNEL lbs_arm_kernel1
#include "solve/arm/kernels/arm_kernel.h"

void lbs_arm_go(const lbs_arm *c, lbs_arm_lanes *l, double frame[12]) {
    frame_lanes f;
    find_sines(c, l);
    go_along(c, l, &f);
    memcpy(frame, &f, sizeof f);
}

double lbs_arm_look(const lbs_arm *c, const double *q, lbs_arm_lanes *room, double frame[12]) {
    const goal_parts parts = {c->has_point, c->has_rotation};
    look at;
    for (int i = 0; q && i < c->n; i++) {
        room->q[i][0] = q[i];
    }
    if (q) {
        lbs_arm_go(c, room, frame);
    }
    memcpy(&at.f, frame, sizeof at.f);
    find_error(room, &at, parts);
    return half_square(&at.e.size, parts);
}
