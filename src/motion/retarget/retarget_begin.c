/* Where a motion begins: capture files begin with a pose that is no part of it. */
#include "figure/figure.h"
#include "math/rotation.h"
#include "math/vec.h"
#include "motion/retarget/retarget.h"

#define LEAP_LEAST 0.6 /* radians */
#define LEAP_TIMES 5   /* the largest turn of the frames that follow */
#define LEAP_FRAMES 10 /* that are looked at */

/* The largest turn of a segment from one frame to the next. kinematics: one for each. */
static lb_status find_turn(const lb_clip *clip, lb_kinematics *const kinematics[2], int frame, double *most) {
    lb_status status = LB_OK;
    for (int k = 0; k < 2 && !status; k++) {
        status = lb_kinematics_update(kinematics[k], lb_clip_const_pose(clip, frame + k));
    }
    for (int s = 0; s < lb_figure_segment_count(lb_clip_figure(clip)) && !status; s++) {
        lb_frame before, after;
        double back[4], way[4], turn[3];
        lb_kinematics_segment(kinematics[0], s, &before);
        lb_kinematics_segment(kinematics[1], s, &after);
        lbt_turn_back(before.rotation, back);
        lb_rotation_multiply(after.rotation, back, way);
        lbm_logarithm(way, turn);
        *most = lbm_norm3(turn) > *most ? lbm_norm3(turn) : *most;
    }
    return status;
}

int lb_clip_first_frame(const lb_clip *clip) {
    if (!clip) {
        return LB_ERROR_ARGUMENT;
    }
    const int frames = lb_clip_frame_count(clip);
    if (frames <= 3) {
        return 0;
    }
    lb_kinematics *const kinematics[2] = {lb_kinematics_create(lb_clip_figure(clip), NULL),
                                          lb_kinematics_create(lb_clip_figure(clip), NULL)};
    double leap = 0, others = 0;
    lb_status status = kinematics[0] && kinematics[1] ? LB_OK : LB_ERROR_MEMORY;
    status = status ? status : find_turn(clip, kinematics, 0, &leap);
    for (int f = 1; f + 1 < frames && f <= LEAP_FRAMES && leap > LEAP_LEAST && !status; f++) {
        status = find_turn(clip, kinematics, f, &others);
    }
    lb_kinematics_destroy(kinematics[0]);
    lb_kinematics_destroy(kinematics[1]);
    return status ? (int)status : leap > LEAP_LEAST && leap > LEAP_TIMES * others;
}

/* A pose to begin with is no frame of the motion, unless it is all that is asked for. */
lb_status lbt_retarget_leave_out_first(lbt_retarget *w) {
    if (w->options.keep_first_frame || (w->first == 0 && w->count == 1)) {
        return LB_OK;
    }
    const int lead = lb_clip_first_frame(w->clip);
    if (lead == (int)LB_ERROR_MEMORY) {
        return LB_ERROR_MEMORY;
    }
    if (lead == 1) { /* values that are not finite are told of later */
        w->lead = 1;
        w->frames--;
        w->count -= w->first == 0;
        w->first -= w->first > 0;
    }
    return LB_OK;
}
