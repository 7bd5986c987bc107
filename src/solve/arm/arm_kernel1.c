/* One lane: plain doubles, on every machine. */
#define KERNEL lbs_arm_kernel1
#include "solve/arm/arm_kernel.h"

double lbs_arm_look(const lbs_arm *c, const double *q, lbs_arm_lanes *room, double frame[12]) {
    frame_lanes f;
    for (int i = 0; q && i < c->n; i++) {
        room->q[i][0] = q[i];
    }
    if (q) {
        find_sines(c, room);
        go_along(c, room, &f);
        memcpy(frame, &f, sizeof f);
    }
    error_lanes e;
    memcpy(&f, frame, sizeof f);
    memset(&e, 0, sizeof e);
    if (c->has_point) {
        point_error(room, &f, &e);
    }
    if (c->has_rotation) {
        rotation_error(room, &f, &e);
    }
    return half_square(&e, c->has_point, c->has_rotation);
}
