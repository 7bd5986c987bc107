/* Arms whose halves share the length otherwise than the source's: they cannot both point as there and end where the
 * source's do. Between the two there is a compromise, the same in every pose. */
#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/retarget/retarget.h"

/* How far from the source's directions (0) to those that bring the wrist to its place (1). Chosen so that over all
 * clips and characters of docs/retarget.md the angles of limbs and the distances of wrists keep their bounds. */
#define COMPROMISE 0.7
#define MOST_SWING 0.26 /* radians, 15 degrees, that a half is turned by for it: very short halves stay as they point */

static double distance(const double a[3], const double b[3]) {
    double way[3];
    lbm_sub3(a, b, way);
    return lbm_norm3(way);
}

/* Where the elbow of an arm of length 1 is whose wrist is at `reach`: on the side where `aside` points. 0 where there
 * is no telling. `share` is the upper arm's part of the length. */
static int bend_arm(double share, const double aside[3], double reach[3], double elbow[3]) {
    double across[3], length = lbm_norm3(reach), fold = fabs(2 * share - 1);
    if (!(length > 1e-6)) {
        return 0;
    }
    const double kept = length < fold ? fold : length > 1 ? 1 : length;
    for (int i = 0; i < 3; i++) {
        reach[i] *= kept / length;
        across[i] = aside[i];
    }
    lbm_add_scaled3(across, reach, -lbm_dot3(across, reach) / (kept * kept));
    const double along = (2 * share - 1 + kept * kept) / (2 * kept), square = share * share - along * along;
    lbm_copy3(elbow, reach);
    for (int i = 0; i < 3; i++) {
        elbow[i] *= along / kept;
    }
    if (square > 0 && lbt_unit(across)) {
        lbm_add_scaled3(elbow, across, sqrt(square));
    }
    return 1;
}

/* A direction, `share` of the way from one to another. */
static int blend(const double from[3], const double to[3], double share, double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = (1 - share) * from[i] + share * to[i];
    }
    return lbt_unit(out);
}

/* The directions of an arm's halves, and how the parts are turned. */
static void compromise(lbt_retarget *w, int side) {
    const int upper = LB_BODY_PART_UPPER_ARM + side, lower = upper + LBT_SIDES, hand = lower + LBT_SIDES;
    const double *shoulder = w->source_w[upper], *elbow = w->source_w[lower], *wrist = w->source_w[hand];
    const double share = distance(w->target.rest_w[upper], w->target.rest_w[lower]) / w->target.arm[side];
    double reach[3], aside[3], bent[3], exact[2][3], turn[4];
    lbm_sub3(wrist, shoulder, reach);
    lbm_sub3(elbow, shoulder, aside);
    for (int i = 0; i < 3; i++) {
        reach[i] /= w->source.arm[side];
    }
    if (!bend_arm(share, aside, reach, bent)) {
        return;
    }
    lbm_copy3(exact[0], bent);
    lbm_sub3(reach, bent, exact[1]);
    for (int k = 0; k < 2; k++) {
        const int part = upper + LBT_SIDES * k;
        double way[3], across[3];
        if (!lbt_unit(exact[k])) {
            continue;
        }
        lbm_cross3(w->limb_w[part], exact[k], across);
        const double angle = lbm_atan2(lbm_norm3(across), lbm_dot3(w->limb_w[part], exact[k]));
        const double most = COMPROMISE * angle > MOST_SWING ? MOST_SWING / angle : COMPROMISE;
        if (!blend(w->limb_w[part], exact[k], most, way)) {
            continue;
        }
        lbt_turn_from_to(w->limb_w[part], way, turn);
        lb_rotation_multiply(turn, w->turn_w[part], w->turn_w[part]);
        lbm_copy3(w->limb_w[part], way);
    }
}

void lbt_retarget_find_limbs(lbt_retarget *w) {
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        const int is_upper = (p >= LB_BODY_PART_UPPER_ARM && p < LB_BODY_PART_HAND) ||
                             (p >= LB_BODY_PART_THIGH && p < LB_BODY_PART_FOOT);
        double way[3];
        if (!is_upper || !w->has[p] || !w->has[p + LBT_SIDES]) {
            continue;
        }
        lbm_sub3(w->source_w[p + LBT_SIDES], w->source_w[p], way);
        if (lbt_unit(way)) { /* else as it was */
            lbm_copy3(w->limb_w[p], way);
        }
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        const int upper = LB_BODY_PART_UPPER_ARM + side;
        if (w->has[upper] && w->has[upper + LBT_SIDES] && w->has[upper + 2 * LBT_SIDES] && w->source.arm[side] > 0 &&
            w->target.arm[side] > 0) {
            compromise(w, side);
        }
    }
}

void lbt_retarget_add_arm(const lbt_retarget *w, int side, double point_w[3]) {
    const int upper = LB_BODY_PART_UPPER_ARM + side, lower = upper + LBT_SIDES, hand = lower + LBT_SIDES;
    lbm_add_scaled3(point_w, w->limb_w[upper], distance(w->target.rest_w[upper], w->target.rest_w[lower]));
    lbm_add_scaled3(point_w, w->limb_w[lower], distance(w->target.rest_w[lower], w->target.rest_w[hand]));
}
