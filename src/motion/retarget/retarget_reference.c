/* The pose in which retargeting knows how the parts of the source are turned. Most skeletons stand upright at rest,
 * arms aside, hanging or between. Where one does not (bones along an axis, all joints in one place), the frame of the
 * motion in which the body stands most upright takes the place of the rest pose, and the axes about which knees and
 * elbows bend over the whole motion tell how limbs are rolled. */
#include "figure/error.h"
#include "math/rotation.h"
#include "math/vec.h"
#include "motion/retarget/retarget.h"

#define STANDS 0.7      /* cosine of the angle between trunk or legs and the vertical, at least */
#define LEVEL 0.5       /* sine of the angle between hips and the ground, at most */
#define CANDIDATES 500  /* frames that are looked at, at most */
#define LEAST_BEND 0.05 /* mean sine of the bend of a knee or elbow from which its axis is known */
#define LEAST_AGREEMENT \
    0.7 /* length of the mean axis over the mean of lengths: below, the bends contradict each other */
#define SHORTEST_LIMB 1e-6 /* of the leg */

/* The unit vector from one part's joint to another's; 0 where either is missing or they coincide. */
static int way_between(const lbt_body *body, int from, int to, double way[3]) {
    if (body->segments[from] < 0 || body->segments[to] < 0) {
        return 0;
    }
    lbm_sub3(body->rest_w[to], body->rest_w[from], way);
    double length = lbm_norm3(way);
    for (int i = 0; i < 3 && length > 0; i++) {
        way[i] /= length;
    }
    return length > SHORTEST_LIMB * body->leg;
}

/* What is upmost of the trunk. */
static int top_of(const lbt_body *body) {
    return body->segments[LB_BODY_PART_HEAD] >= 0   ? LB_BODY_PART_HEAD
           : body->segments[LB_BODY_PART_NECK] >= 0 ? LB_BODY_PART_NECK
                                                    : LB_BODY_PART_CHEST;
}

int lbt_body_stands(const lbt_body *body) {
    double way[3];
    if (!(body->leg > 0) || (way_between(body, LB_BODY_PART_PELVIS, top_of(body), way) && !(way[2] > STANDS))) {
        return 0;
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        if (!way_between(body, LB_BODY_PART_THIGH + side, LB_BODY_PART_FOOT + side, way) || !(way[2] < -STANDS)) {
            return 0;
        }
    }
    return way_between(body, LB_BODY_PART_THIGH + 1, LB_BODY_PART_THIGH, way) && fabs(way[2]) < LEVEL;
}

/* How upright the body is: trunk, thighs and shanks vertical, hips level, shoulders as the hips, toes ahead. */
static double uprightness(const lbt_body *body) {
    double way[3], hips[3], shoulders[3], sum = 0;
    if (way_between(body, LB_BODY_PART_PELVIS, top_of(body), way)) {
        sum += way[2];
    }
    int has_hips = way_between(body, LB_BODY_PART_THIGH + 1, LB_BODY_PART_THIGH, hips);
    sum -= has_hips ? fabs(hips[2]) : 1;
    if (has_hips && way_between(body, LB_BODY_PART_UPPER_ARM + 1, LB_BODY_PART_UPPER_ARM, shoulders)) {
        sum += lbm_dot3(hips, shoulders);
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        for (int part = LB_BODY_PART_THIGH; part <= LB_BODY_PART_SHANK; part += LBT_SIDES) {
            if (way_between(body, part + side, part + side + LBT_SIDES, way)) {
                sum -= way[2];
            }
        }
        if (has_hips && way_between(body, LB_BODY_PART_FOOT + side, LB_BODY_PART_TOES + side, way)) {
            sum += 0.5 * (hips[1] * way[0] - hips[0] * way[1]); /* along left x up */
        }
    }
    return sum;
}

/* Sums up, frame by frame, the axis about which a limb bends, in the frames of its upper and lower part. */
static lb_status add_hinges(lbt_retarget *w, double (*sums)[3], double *weights) {
    static const int uppers[] = {LB_BODY_PART_UPPER_ARM, LB_BODY_PART_THIGH};
    for (int k = 0; k < 2 * LBT_SIDES; k++) {
        int upper = uppers[k / LBT_SIDES] + k % LBT_SIDES, lower = upper + LBT_SIDES, end = lower + LBT_SIDES;
        double at[3][3], turns[3][4], along[2][3], axis[3], own[3], back[4];
        if (w->source.segments[upper] < 0 || w->source.segments[lower] < 0 || w->source.segments[end] < 0) {
            continue;
        }
        for (int i = 0; i < 3; i++) {
            lb_status status = lbt_body_part(&w->source, upper + LBT_SIDES * i, at[i], turns[i]);
            if (status) {
                return status;
            }
        }
        lbm_sub3(at[1], at[0], along[0]);
        lbm_sub3(at[2], at[1], along[1]);
        double size = lbm_norm3(along[0]) * lbm_norm3(along[1]);
        lbm_cross3(along[0], along[1], axis);
        for (int i = 0; i < 2 && size > 0; i++) {
            lbt_turn_back(turns[i], back);
            lbm_quaternion_rotate(back, axis, own);
            lbm_add_scaled3(sums[upper + LBT_SIDES * i], own, 1 / size);
            weights[upper + LBT_SIDES * i] += lbm_norm3(axis) / size;
        }
    }
    return LB_OK;
}

/* The axes of knees and elbows as they are in the reference pose, from all frames. */
static lb_status find_hinges(lbt_retarget *w, int step) {
    double sums[LB_BODY_PART_COUNT][3] = {{0}}, weights[LB_BODY_PART_COUNT] = {0};
    int count = 0;
    for (int f = 0; f < w->frames; f += step, count++) {
        lb_status status = lb_kinematics_update(w->kinematics[0], lbt_source_pose(w, f));
        status = status ? status : add_hinges(w, sums, weights);
        if (status) {
            return status;
        }
    }
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        double length = lbm_norm3(sums[p]);
        w->source.has_hinge[p] = weights[p] > LEAST_BEND * count && length > LEAST_AGREEMENT * weights[p];
        if (w->source.has_hinge[p]) {
            lbm_quaternion_rotate(w->source.rest_turn_w[p], sums[p], w->source.hinge_w[p]);
        }
    }
    return LB_OK;
}

/* Measures the source in a frame of its motion. */
static lb_status measure_in(lbt_retarget *w, const lb_body_map *map, int frame) {
    lb_status status = lb_kinematics_update(w->kinematics[0], lbt_source_pose(w, frame));
    if (status) {
        return lbf_fail(w->error, status, "the source has values that are not finite numbers", NULL);
    }
    return lbt_body_measure(lb_clip_figure(w->clip), w->kinematics[0], map->source, "source", &w->source, w->error);
}

lb_status lbt_retarget_measure_source(lbt_retarget *w, const lb_body_map *map) {
    const lb_figure *figure = lb_clip_figure(w->clip);
    int step = (w->frames + CANDIDATES - 1) / CANDIDATES, best = -1;
    double most = 0;
    w->reference_frame = -1;
    lb_status status = lbt_body_measure(figure, w->kinematics[0], map->source, "source", &w->source, w->error);
    if ((status && status != LB_ERROR_FIGURE) || (!status && lbt_body_stands(&w->source))) {
        return status;
    }
    lb_status at_rest = status;
    lb_error why;
    if (status && w->error) {
        why = *w->error;
    }
    for (int f = 0; f < w->frames; f += step) {
        status = measure_in(w, map, f);
        if (status && status != LB_ERROR_FIGURE) {
            return status;
        }
        double upright = status ? 0 : uprightness(&w->source);
        if (!status && (best < 0 || upright > most)) {
            best = f;
            most = upright;
        }
    }
    if (best < 0) { /* no frame is better: a part is missing, or has no length */
        if (at_rest && w->error) {
            *w->error = why;
        }
        return at_rest ? at_rest : status;
    }
    if (w->error) {
        lbf_clear(w->error);
    }
    w->reference_frame = best;
    status = measure_in(w, map, best);
    return status ? status : find_hinges(w, step);
}
