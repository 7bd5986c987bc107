/* Feet in retargeting: their paths over the whole clip, and where they stand. */
#include "math/rotation.h"
#include "math/vec.h"
#include "motion/contact.h"
#include "motion/retarget/retarget.h"

#define EASE 0.4       /* the time constant of transitions, of the time that the rule has for them */
#define CALM_TIME 0.05 /* seconds before and after a frame that its mean is taken over */
#define MOST_CALM 1000 /* frames of these */
#define NEAR 0.5       /* of that time: toes and ankle that stand so soon one after the other fit together */

static double foot_length(const lbt_retarget *w, int side) {
    double foot[3];
    lbm_sub3(w->target.rest_w[LB_BODY_PART_TOES + side], w->target.rest_w[LB_BODY_PART_FOOT + side], foot);
    return lbm_norm3(foot);
}

/* How much farther aside a hip of the target is from the middle than the source's, by the ratio of the legs: to the
 * left. */
static double hip_aside(const lbt_retarget *w, int side) {
    const lbt_body *bodies[2] = {&w->source, &w->target};
    double aside[2];
    for (int k = 0; k < 2; k++) {
        const double(*at)[3] = bodies[k]->rest_w + LB_BODY_PART_THIGH;
        double left[3] = {0, 1, 0}, way[3];
        lbm_quaternion_rotate(bodies[k]->facing_w, left, left);
        lbm_sub3(at[side], at[1 - side], way);
        aside[k] = 0.5 * lbm_dot3(way, left);
    }
    return aside[1] - w->leg_ratio * aside[0];
}

/* To the left of the target's pelvis in the frame at hand, on the ground. */
static void pelvis_left(const lbt_retarget *w, double left[3]) {
    double back[4];
    lbm_set3(left, 0, 1, 0);
    lbm_quaternion_rotate(w->target.facing_w, left, left);
    lbt_turn_back(w->target.rest_turn_w[LB_BODY_PART_PELVIS], back);
    lbm_quaternion_rotate(back, left, left);
    lbm_quaternion_rotate(w->turn_w[LB_BODY_PART_PELVIS], left, left);
    left[2] = 0;
}

/* The source's paths become the target's: by the ratio of the legs, and as far aside as the hips are. */
static lb_status carry_feet(lbt_retarget *w) {
    for (int f = 0; f < w->frames; f++) {
        lb_status status = lbt_retarget_read_source(w, f);
        if (status) {
            return status;
        }
        lbt_retarget_hips(w, w->hips.path[f]);
        if (f) {
            double way[3];
            lbm_sub3(w->hips.path[f], w->hips.path[f - 1], way);
            w->hips.step = lbm_norm3(way) > w->hips.step ? lbm_norm3(way) : w->hips.step;
        }
        for (int side = 0; side < LBT_SIDES; side++) {
            int foot = LB_BODY_PART_FOOT + side;
            double left[3], *ankle = lbt_foot_path(w, LBT_SIDES + side)[f], *toes = lbt_foot_path(w, side)[f];
            lbt_retarget_carry_point(w, w->source_w[foot], w->level[side], w->target.rest_w[foot][2], ankle);
            pelvis_left(w, left);
            lbm_add_scaled3(ankle, left, hip_aside(w, side));
            lbm_copy3(toes, ankle);
            if (w->target.segments[LB_BODY_PART_TOES + side] >= 0) {
                lbt_retarget_go_along(w, w->target.rest_w[foot], w->target.rest_w[LB_BODY_PART_TOES + side], foot,
                                      w->turn_w[foot], toes);
            }
        }
    }
    return LB_OK;
}

static double firmness(double moved) { return moved / (1 - moved + 1e-9); }

/* Held one by one, toes and ankle come too near each other or too far apart by a little: the one that stands keeps its
 * place. */
static void keep_feet_rigid(const lbt_retarget *w, int side, const double *toes_held, const double *ankle_held) {
    double length = foot_length(w, side);
    for (int f = 0; f < w->frames; f++) {
        double *toes = lbt_foot_path(w, side)[f], *ankle = lbt_foot_path(w, LBT_SIDES + side)[f], way[3];
        double firm = firmness(toes_held[f]), other = firmness(ankle_held[f]);
        double share = firm / (firm + other + 1); /* continuous where holds come and go: else feet would leap */
        lbm_sub3(ankle, toes, way);
        double apart = lbm_norm3(way);
        if (!(apart > 0)) {
            continue;
        }
        double excess = (apart - length) / apart;
        lbm_add_scaled3(toes, way, (1 - share) * excess);
        lbm_add_scaled3(ankle, way, -share * excess);
    }
}

/* What trembles in the source would tremble all the more in a foot that is held ever more firmly: as it comes to stand,
 * and where it stands, its path is the mean of the frames around. */
static void calm_path(const lbt_retarget *w, const double *held, const double (*path)[3], double (*calm)[3]) {
    const double reach_time = CALM_TIME / lb_clip_frame_time(w->clip);
    const int reach = reach_time < MOST_CALM ? (int)reach_time : MOST_CALM;
    for (int f = 0; f < w->frames; f++) {
        const int from = f - reach < 0 ? 0 : f - reach, to = f + reach < w->frames ? f + reach : w->frames - 1;
        double sum[3] = {0, 0, 0};
        lbm_copy3(calm[f], path[f]);
        if (!(held[f] > 0)) {
            continue;
        }
        for (int k = from; k <= to; k++) {
            lbm_add_scaled3(sum, path[k], 1.0 / (to - from + 1));
        }
        const double firm = held[f] * held[f] * held[f] / LBT_IN_AIR; /* its weight, over that in the air */
        for (int i = 0; i < 3; i++) {
            calm[f][i] += firm / (1 + firm) * (sum[i] - path[f][i]);
        }
    }
}

/* The path of a point of a foot, held in its contacts. */
static lb_status hold_point(lbt_retarget *w, const lbt_contact_rule *rule, int point) {
    const size_t frames = (size_t)w->frames, size = lbt_retarget_ease_size(w->frames);
    double(*path)[3] = lbt_foot_path(w, point);
    double(*from)[3] = lbf_new(&w->allocator, frames, sizeof *from);
    double(*own)[3] = lbf_new(&w->allocator, frames, sizeof *own);
    double *scratch = lbf_new(&w->allocator, size, sizeof *scratch);
    lb_status status = from && own && scratch ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        memcpy(own, path, frames * sizeof *own);
        lbt_hold_path(rule, w->contacts.count, w->contacts.list, point, w->frames, path, lbt_foot_held(w, point));
        if (w->options.smooth) {
            calm_path(w, lbt_foot_held(w, point), (const double(*)[3])own, from);
            lbt_retarget_ease_path(w->frames, lbt_foot_held(w, point), (const double(*)[3])from, EASE * rule->ease,
                                   path, scratch);
        }
    }
    lbf_delete(&w->allocator, scratch, size, sizeof *scratch);
    lbf_delete(&w->allocator, own, frames, sizeof *own);
    lbf_delete(&w->allocator, from, frames, sizeof *from);
    return status;
}

/* Where one of two points of a foot is to be at its distance from the other. */
static void keep_apart(const double fixed[3], double length, double moved[3]) {
    double way[3];
    lbm_sub3(moved, fixed, way);
    const double apart = lbm_norm3(way);
    if (apart > 0) {
        lbm_add_scaled3(moved, way, length / apart - 1);
    }
}

/* The same with transitions of least acceleration: while toes stand, the ankle goes round them, and what that moves it
 * by comes and goes as contacts do. In the air the toes follow the ankle. However the source's toes tremble, the ankle
 * does not. */
static lb_status settle_foot(lbt_retarget *w, const lbt_contact_rule *rule, int side, const double (*from)[3]) {
    const size_t frames = (size_t)w->frames, size = lbt_retarget_ease_size(w->frames);
    const double length = foot_length(w, side), *toes_held = lbt_foot_held(w, side),
                 *ankle_held = lbt_foot_held(w, LBT_SIDES + side);
    double(*toes)[3] = lbt_foot_path(w, side), (*ankle)[3] = lbt_foot_path(w, LBT_SIDES + side);
    double *is_known = lbf_new(&w->allocator, frames, sizeof *is_known);
    double *scratch = lbf_new(&w->allocator, size, sizeof *scratch);
    lb_status status = is_known && scratch ? LB_OK : LB_ERROR_MEMORY;
    for (int f = 0; f < w->frames && !status; f++) {
        is_known[f] = toes_held[f] >= 1 || ankle_held[f] >= 1;
        if (toes_held[f] >= 1 && ankle_held[f] < 1) {
            keep_apart(toes[f], length, ankle[f]);
        }
    }
    if (!status) {
        lbt_retarget_ease_path(w->frames, is_known, from, EASE * rule->ease, ankle, scratch);
    }
    for (int f = 0; f < w->frames && !status; f++) {
        if (toes_held[f] < 1) {
            keep_apart(ankle[f], length, toes[f]);
        }
    }
    lbf_delete(&w->allocator, scratch, size, sizeof *scratch);
    lbf_delete(&w->allocator, is_known, frames, sizeof *is_known);
    return status;
}

/* Toes and ankle of a foot, held in their contacts. */
static lb_status hold_foot(lbt_retarget *w, const lbt_contact_rule *rule, int side) {
    const size_t frames = (size_t)w->frames;
    double(*from)[3] = lbf_new(&w->allocator, frames, sizeof *from);
    lb_status status = from ? LB_OK : LB_ERROR_MEMORY;
    if (!status) {
        memcpy(from, lbt_foot_path(w, LBT_SIDES + side), frames * sizeof *from);
        status = hold_point(w, rule, side);
    }
    status = status ? status : hold_point(w, rule, LBT_SIDES + side);
    if (!status && w->has_point[side] && w->options.smooth) {
        status = settle_foot(w, rule, side, (const double(*)[3])from);
    }
    if (!status && w->has_point[side]) { /* of toes and ankle that stand, and do not fit, each gives way */
        keep_feet_rigid(w, side, lbt_foot_held(w, side), lbt_foot_held(w, LBT_SIDES + side));
    }
    lbf_delete(&w->allocator, from, frames, sizeof *from);
    return status;
}

static lb_status hold_feet(lbt_retarget *w, const lbt_contact_rule *rule) {
    static const int rigid[LBT_FOOT_POINTS] = {0, 1, 0, 1};
    lb_status status = LB_OK;
    lbt_place_contacts(w->contacts.count, w->contacts.list, rigid, (int)(NEAR * rule->ease), w->frames,
                       (const double(*)[3])w->paths);
    for (int side = 0; side < LBT_SIDES && !status; side++) {
        status = hold_foot(w, rule, side);
    }
    return status;
}

/* The source's paths, the levels they stand at, and contacts; then the target's. */
lb_status lbt_retarget_plan_feet(lbt_retarget *w) {
    lb_status status = LB_OK;
    lbt_contact_rule rule;
    for (int f = 0; f < w->frames && !status; f++) {
        status = lbt_retarget_read_source(w, f);
        for (int p = 0; p < LBT_FOOT_POINTS; p++) {
            if (w->source.segments[lbt_foot_part(p)] >= 0) {
                lbm_copy3(lbt_foot_path(w, p)[f], w->source_w[lbt_foot_part(p)]);
            }
        }
    }
    if (status) {
        return status;
    }
    status = lbt_contact_rule_from(w->options.contacts, w->source.leg / LBT_LEG_OF_PERSON, lb_clip_frame_time(w->clip),
                                   &rule, w->error);
    if (status) {
        return status;
    }
    double *scratch = lbf_new(&w->allocator, (size_t)w->frames, sizeof *scratch);
    if (!scratch) {
        return LB_ERROR_MEMORY;
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        w->level[side] = lbt_lowest_level(w->frames, (const double(*)[3])lbt_foot_path(w, LBT_SIDES + side), scratch);
    }
    for (int p = 0; p < LBT_FOOT_POINTS && w->options.hold_feet; p++) {
        if (w->has[lbt_foot_part(p)]) {
            w->contacts.count +=
                lbt_find_contacts(&rule, w->frames, (const double(*)[3])lbt_foot_path(w, p), p, scratch,
                                  w->contacts.capacity - w->contacts.count, w->contacts.list + w->contacts.count);
        }
    }
    lbf_delete(&w->allocator, scratch, (size_t)w->frames, sizeof *scratch);
    status = carry_feet(w);
    return status ? status : hold_feet(w, &rule);
}
