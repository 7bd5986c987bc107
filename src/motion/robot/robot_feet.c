/* Soles: rigid plates that stand where the source's feet do, on a floor at height 0.
 *
 * A foot of the source has two points, toes and ankle, that come to stand each by itself. A robot's sole stands on its
 * front edge where the toes stand, on its rear edge where the ankle does, and flat where both do. */
#include "math/rotation.h"
#include "math/trig.h"
#include "motion/contact.h"
#include "motion/robot/robot.h"

#define NEAR 0.5 /* of the time of a transition: toes and heel that stand so soon one after the other fit together */
#define MOST_FLAT 0.9 /* rad: a foot that stands flat in the source points no steeper */

static int has_toes(const lbt_robot *r, int side) { return r->w->source.segments[LB_BODY_PART_TOES + side] >= 0; }

/* Contacts of the source, and the heights that its ankles stand at. */
static lb_status find_contacts(lbt_robot *r, const lbt_contact_rule *rule) {
    lbt_retarget *w = r->w;
    double *scratch = lbf_new(&w->allocator, (size_t)w->frames, sizeof *scratch);
    if (!scratch) {
        return LB_ERROR_MEMORY;
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        w->level[side] = lbt_lowest_level(w->frames, (const double(*)[3])lbt_foot_path(w, LBT_SIDES + side), scratch);
    }
    for (int p = 0; p < LBT_FOOT_POINTS && w->options.hold_feet; p++) {
        w->contacts.count +=
            lbt_find_contacts(rule, w->frames, (const double(*)[3])lbt_foot_path(w, p), p, scratch,
                              w->contacts.capacity - w->contacts.count, w->contacts.list + w->contacts.count);
    }
    lbf_delete(&w->allocator, scratch, (size_t)w->frames, sizeof *scratch);
    return LB_OK;
}

/* How steep the source's foot points from ankle to toes where it stands flat, on average; 0 where it never does. */
static double flat_slope(const lbt_robot *r, int side, int *is_known) {
    const lbt_retarget *w = r->w;
    double sum = 0;
    int count = 0;
    for (int a = 0; a < w->contacts.count; a++) {
        for (int b = 0; b < w->contacts.count; b++) {
            const lb_contact *toes = &w->contacts.list[a], *ankle = &w->contacts.list[b];
            const int first = toes->first > ankle->first ? toes->first : ankle->first,
                      last = toes->last < ankle->last ? toes->last : ankle->last;
            if (toes->point != side || ankle->point != LBT_SIDES + side) {
                continue;
            }
            for (int f = first; f <= last; f++) {
                double way[3];
                lbm_sub3(lbt_foot_path(w, side)[f], lbt_foot_path(w, LBT_SIDES + side)[f], way);
                if (lbt_unit(way)) {
                    sum += lbm_asin(way[2] > 1 ? 1 : way[2] < -1 ? -1 : way[2]);
                    count++;
                }
            }
        }
    }
    const double slope = count ? sum / count : 0;
    *is_known = count > 0 && fabs(slope) < MOST_FLAT;
    return slope;
}

/* Where feet point: as the source's from ankle to toes, level where those stand flat. */
static void aim_feet(lbt_robot *r, int side) {
    int is_known = 0;
    const double slope = has_toes(r, side) ? flat_slope(r, side, &is_known) : 0;
    for (int f = 0; f < r->w->frames; f++) {
        double *ahead = r->goals[f].aheads[side], *aside = r->goals[f].asides[side], way[3], turn[4];
        if (is_known) {
            lbm_sub3(lbt_foot_path(r->w, side)[f], lbt_foot_path(r->w, LBT_SIDES + side)[f], way);
            if (lbt_unit(way) && !lb_rotation_about(aside, slope, turn)) {
                lbm_quaternion_rotate(turn, way, ahead);
            }
        }
        lbm_add_scaled3(aside, ahead, -lbm_dot3(ahead, aside));
        if (!lbt_unit(aside)) {
            lbm_set3(aside, -ahead[1], ahead[0], 0);
            if (!lbt_unit(aside)) {
                lbm_set3(aside, 0, 1, 0);
            }
        }
    }
}

/* From a point of the sole to another, of a foot that points ahead and aside. */
static void go_along(const lbt_sole *s, const double from[3], const double to[3], const double ahead[3],
                     const double aside[3], double point[3]) {
    double way[3], high[3];
    lbm_sub3(to, from, way);
    lbm_cross3(ahead, aside, high);
    lbm_add_scaled3(point, ahead, lbm_dot3(way, s->axes[0]));
    lbm_add_scaled3(point, aside, lbm_dot3(way, s->axes[1]));
    lbm_add_scaled3(point, high, lbm_dot3(way, s->axes[2]));
}

/* The source's paths become those of toes and heel of the sole: by the ratio of the legs, as far aside as the robot
 * stands. */
static void carry_feet(lbt_robot *r) {
    const lbt_body *source = &r->w->source;
    double way[3], left[3] = {0, 1, 0};
    lbm_sub3(source->rest_w[LB_BODY_PART_THIGH], source->rest_w[LB_BODY_PART_THIGH + 1], way);
    lbm_quaternion_rotate(source->facing_w, left, left);
    const double wider = r->half_width - r->ratio * 0.5 * lbm_dot3(way, left);
    for (int f = 0; f < r->w->frames; f++) {
        lbt_goal *goal = &r->goals[f];
        double lateral[3] = {0, 1, 0}, turn[4];
        lb_frame rest;
        lbm_transform_to_frame(&r->rest_pelvis, &rest);
        lbt_turn_back(rest.rotation, turn);
        lb_rotation_multiply(goal->turns[0], turn, turn);
        lbm_quaternion_rotate(r->facing, lateral, lateral);
        lbm_quaternion_rotate(turn, lateral, lateral);
        lateral[2] = 0;
        for (int side = 0; side < LBT_SIDES; side++) {
            const lbt_sole *s = &r->soles[side];
            double ankle[3];
            lbt_robot_carry(r, lbt_foot_path(r->w, LBT_SIDES + side)[f], r->w->level[side], ankle);
            lbm_add_scaled3(ankle, lateral, side ? -wider : wider);
            for (int k = 0; k < 2; k++) {
                double *point = lbt_foot_path(r->w, LBT_SIDES * k + side)[f];
                lbm_copy3(point, ankle);
                go_along(s, s->ankle, s->points[k], goal->aheads[side], goal->asides[side], point);
            }
        }
        double hips[3];
        lbt_robot_carry(r, goal->hips, 0.5 * (r->w->level[0] + r->w->level[1]), hips);
        lbm_copy3(goal->hips, hips);
    }
}

static double firmness(double held) { return held / (1 - held + 1e-9); }

/* The sole of a frame from its two points: they keep their distance, the one that stands its place; where it stands it
 * is level from side to side, and nothing of it is below the floor. */
static void settle_sole(const lbt_robot *r, int frame, int side) {
    lbt_goal *goal = &r->goals[frame];
    const lbt_sole *s = &r->soles[side];
    double way[3], *points[2] = {goal->points[side][0], goal->points[side][1]}, low = 0;
    for (int k = 0; k < 2; k++) {
        lbm_copy3(points[k], lbt_foot_path(r->w, LBT_SIDES * k + side)[frame]);
        points[k][2] = points[k][2] > 0 ? points[k][2] : 0;
        goal->held[side][k] = r->w->options.hold_feet ? lbt_foot_held(r->w, LBT_SIDES * k + side)[frame] : 0;
    }
    lbm_sub3(s->points[0], s->points[1], way);
    const double length = lbm_norm3(way), toes = firmness(goal->held[side][0]), heel = firmness(goal->held[side][1]);
    const double share = (toes + 0.5) / (toes + heel + 1); /* how much the toes keep their place */
    lbm_sub3(points[1], points[0], way);
    const double apart = lbm_norm3(way);
    if (apart > 0) {
        const double excess = (apart - length) / apart;
        lbm_add_scaled3(points[0], way, (1 - share) * excess);
        lbm_add_scaled3(points[1], way, -share * excess);
        lbm_set3(goal->aheads[side], -way[0] / apart, -way[1] / apart, -way[2] / apart);
    }
    const double *ahead = goal->aheads[side],
                 firm = goal->held[side][0] > goal->held[side][1] ? goal->held[side][0] : goal->held[side][1];
    double level[3] = {-ahead[1], ahead[0], 0}, *aside = goal->asides[side];
    if (lbt_unit(level)) {
        for (int i = 0; i < 3; i++) {
            aside[i] += firm * (level[i] - aside[i]);
        }
    }
    lbm_add_scaled3(aside, ahead, -lbm_dot3(ahead, aside));
    lbt_unit(aside);
    for (int k = 0; k < 4; k++) {
        double corner[3];
        lbm_copy3(corner, points[0]);
        go_along(s, s->points[0], s->corners[k], ahead, aside, corner);
        low = corner[2] < low ? corner[2] : low;
    }
    points[0][2] -= low;
    points[1][2] -= low;
}

/* The place of a contact: on the floor, where its point is on average, at the length of the foot from the other point
 * of the sole where that stands when it begins, or did shortly before. */
static void place_contact(lbt_robot *r, lb_contact *c, const lb_contact *other) {
    const int side = c->point % LBT_SIDES;
    double sum[3] = {0, 0, 0}, way[3];
    for (int f = c->first; f <= c->last; f++) {
        lbm_add_scaled3(sum, lbt_foot_path(r->w, c->point)[f], 1.0 / (c->last - c->first + 1));
    }
    lbm_set3(c->place_w, sum[0], sum[1], 0);
    if (!other) {
        return;
    }
    lbm_sub3(r->soles[side].points[0], r->soles[side].points[1], way);
    const double length = lbm_norm3(way);
    lbm_sub3(c->place_w, other->place_w, way);
    if (lbt_unit(way)) {
        lbm_copy3(c->place_w, other->place_w);
        lbm_add_scaled3(c->place_w, way, length);
    }
}

/* Contacts of a foot in the order of time, so that each fits to the one that is there already. */
static void place_contacts(lbt_robot *r, int side, int margin) {
    lbt_retarget *w = r->w;
    int done = -1, point = -1; /* of the last that was placed: where it begins, and its point */
    for (;;) {
        lb_contact *next = NULL, *other = NULL;
        for (int i = 0; i < w->contacts.count; i++) {
            lb_contact *c = &w->contacts.list[i];
            const int is_later = c->first > done || (c->first == done && c->point > point);
            if (c->point % LBT_SIDES == side && is_later && (!next || c->first < next->first)) {
                next = c; /* of two that begin together the toes come first, as in the list */
            }
        }
        if (!next) {
            return;
        }
        for (int i = 0; i < w->contacts.count; i++) {
            lb_contact *c = &w->contacts.list[i];
            const int is_earlier = c->first < next->first || (c->first == next->first && c->point < next->point);
            if (c->point % LBT_SIDES == side && c->point != next->point && is_earlier &&
                c->last + margin >= next->first) {
                other = c; /* the last of them */
            }
        }
        place_contact(r, next, other);
        done = next->first;
        point = next->point;
    }
}

static void hold_feet(lbt_robot *r, const lbt_contact_rule *rule) {
    lbt_retarget *w = r->w;
    for (int side = 0; side < LBT_SIDES; side++) {
        place_contacts(r, side, 0);
    }
    for (int p = 0; p < LBT_FOOT_POINTS; p++) {
        lbt_hold_path(rule, w->contacts.count, w->contacts.list, p, w->frames, lbt_foot_path(w, p),
                      lbt_foot_held(w, p));
    }
}

lb_status lbt_robot_plan_feet(lbt_robot *r) {
    lbt_contact_rule rule;
    lbt_retarget *w = r->w;
    lb_status status = lbt_contact_rule_from(w->options.contacts, w->source.leg / LBT_LEG_OF_PERSON,
                                             lb_clip_frame_time(w->clip), &rule, w->error);
    status = status ? status : find_contacts(r, &rule);
    if (status) {
        return status;
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        aim_feet(r, side);
    }
    carry_feet(r);
    if (w->options.hold_feet) {
        hold_feet(r, &rule);
    }
    for (int f = 0; f < w->frames; f++) {
        for (int side = 0; side < LBT_SIDES; side++) {
            settle_sole(r, f, side);
        }
    }
    return LB_OK;
}
