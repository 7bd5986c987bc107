/* What the source wants of each frame: where pelvis and limbs should be and point. */
#include "figure/error.h"
#include "math/rotation.h"
#include "motion/robot/robot.h"

void lbt_robot_carry(const lbt_robot *r, const double from[3], double level, double out[3]) {
    out[0] = r->ratio * from[0];
    out[1] = r->ratio * from[1];
    out[2] = r->ankle_height + r->ratio * (from[2] - level);
}

/* The source's parts in a frame. */
typedef struct sight {
    double at[LB_BODY_PART_COUNT][3];
    double turned[LB_BODY_PART_COUNT][4]; /* from rest, in the world */
} sight;

static lb_status see(const lbt_robot *r, int frame, sight *seen) {
    const lbt_body *source = &r->w->source;
    lb_status status = lb_kinematics_update(r->w->kinematics[0], lbt_source_pose(r->w, frame));
    for (int p = 0; p < LB_BODY_PART_THUMB && !status; p++) {
        double turn[4], back[4];
        if (source->segments[p] >= 0) {
            status = lbt_body_part(source, p, seen->at[p], turn);
            lbt_turn_back(source->rest_turn_w[p], back);
            lb_rotation_multiply(turn, back, seen->turned[p]);
        }
    }
    return status ? lbf_fail(r->w->error, status, "the source has values that are not finite numbers", NULL) : LB_OK;
}

/* The turn of a node of the target that was turned as the source's part was, from rest. */
static void carry_turn(const lbt_robot *r, const sight *seen, int part, const lbm_transform *rest, double turn[4]) {
    double back[4];
    lb_frame frame;
    lbm_transform_to_frame(rest, &frame);
    lb_rotation_multiply(seen->turned[part], r->w->source.facing_w, turn);
    lbt_turn_back(r->facing, back);
    lb_rotation_multiply(turn, back, turn);
    lb_rotation_multiply(turn, frame.rotation, turn);
}

static int has(const lbt_robot *r, int part) { return r->w->source.segments[part] >= 0; }

static void set_ways(const lbt_robot *r, const sight *seen, lbt_goal *goal) {
    static const int uppers[] = {LB_BODY_PART_THIGH, LB_BODY_PART_THIGH + 1, LB_BODY_PART_UPPER_ARM,
                                 LB_BODY_PART_UPPER_ARM + 1};
    for (int limb = 0; limb < LBT_LIMBS; limb++) {
        for (int k = 0; k < 2; k++) {
            const int from = uppers[limb] + LBT_SIDES * k, to = from + LBT_SIDES;
            double *way = goal->ways[limb][k];
            lbm_set3(way, 0, 0, 0);
            if (has(r, from) && has(r, to)) {
                lbm_sub3(seen->at[to], seen->at[from], way);
                if (!lbt_unit(way)) {
                    lbm_set3(way, 0, 0, 0);
                }
            }
        }
    }
}

/* From the hips to the shoulders; 0 where the source has no arms. */
static int trunk_way(const lbt_robot *r, const double (*at)[3], double way[3]) {
    lbm_set3(way, 0, 0, 0);
    for (int side = 0; side < LBT_SIDES; side++) {
        if (!has(r, LB_BODY_PART_UPPER_ARM + side)) {
            return 0;
        }
        lbm_add_scaled3(way, at[LB_BODY_PART_UPPER_ARM + side], 0.5);
        lbm_add_scaled3(way, at[LB_BODY_PART_THIGH + side], -0.5);
    }
    return lbt_unit(way);
}

/* The turn of a trunk of one piece: the chest's, swung so that it points from the hips to the shoulders. */
static void set_lean(const lbt_robot *r, const sight *seen, int chest, lbt_goal *goal) {
    double rest[3], way[3], swing[4];
    memcpy(goal->lean, goal->turns[1], sizeof goal->lean);
    if (trunk_way(r, r->w->source.rest_w, rest) && trunk_way(r, seen->at, way)) {
        lbm_quaternion_rotate(seen->turned[chest], rest, rest);
        lbt_turn_from_to(rest, way, swing);
        lb_rotation_multiply(swing, goal->turns[1], goal->lean);
    }
}

static void set_trunk(const lbt_robot *r, const sight *seen, lbt_goal *goal) {
    const int chest = has(r, LB_BODY_PART_CHEST) ? LB_BODY_PART_CHEST : LB_BODY_PART_PELVIS;
    carry_turn(r, seen, LB_BODY_PART_PELVIS, &r->rest_pelvis, goal->turns[0]);
    carry_turn(r, seen, chest, &r->rest_chest, goal->turns[1]);
    carry_turn(r, seen, has(r, LB_BODY_PART_HEAD) ? LB_BODY_PART_HEAD : chest, &r->rest_head, goal->turns[2]);
    set_lean(r, seen, chest, goal);
    for (int i = 0; i < 3; i++) {
        goal->hips[i] = 0.5 * (seen->at[LB_BODY_PART_THIGH][i] + seen->at[LB_BODY_PART_THIGH + 1][i]);
    }
}

static void set_ends(const lbt_robot *r, int frame, const sight *seen, lbt_goal *goal) {
    for (int side = 0; side < LBT_SIDES; side++) {
        const int hand = LB_BODY_PART_HAND + side, fore = LB_BODY_PART_FOREARM + side, foot = LB_BODY_PART_FOOT + side,
                  toes = LB_BODY_PART_TOES + side;
        double back[4], ahead[3] = {1, 0, 0}, left[3] = {0, 1, 0};
        lbm_set3(goal->bends[side], 0, 0, 0), goal->bends[side][3] = 1;
        if (has(r, hand) && has(r, fore)) {
            lbt_turn_back(seen->turned[fore], back);
            lb_rotation_multiply(seen->turned[hand], back, goal->bends[side]);
        }
        lbm_quaternion_rotate(r->w->source.facing_w, ahead, ahead);
        lbm_quaternion_rotate(seen->turned[foot], ahead, goal->aheads[side]);
        lbm_quaternion_rotate(r->w->source.facing_w, left, left);
        lbm_quaternion_rotate(seen->turned[foot], left, goal->asides[side]);
        lbm_copy3(lbt_foot_path(r->w, LBT_SIDES + side)[frame], seen->at[foot]);
        lbm_copy3(lbt_foot_path(r->w, side)[frame], seen->at[has(r, toes) ? toes : foot]);
    }
}

lb_status lbt_robot_set_goals(lbt_robot *r) {
    sight seen;
    memset(&seen, 0, sizeof seen);
    for (int f = 0; f < r->w->frames; f++) {
        lb_status status = see(r, f, &seen);
        if (status) {
            return status;
        }
        set_trunk(r, &seen, &r->goals[f]);
        set_ways(r, &seen, &r->goals[f]);
        set_ends(r, f, &seen, &r->goals[f]);
    }
    return LB_OK;
}
