/* Hands and fingers of bodies: how they are held at rest, and how those of one body turn when those of another do. */
#include "math/rotation.h"
#include "math/vec.h"
#include "motion/body.h"

#define PHALANXES 3 /* of a finger: base, middle, tip */
#define ACROSS 0.2 /* of its length: what of a direction is across the hand, at least, to tell how the hand is rolled */
#define SHORTEST 1e-9 /* metres */

static double distance(const double a[3], const double b[3]) {
    double way[3];
    lbm_sub3(a, b, way);
    return lbm_norm3(way);
}

/* The point of a segment's sites that is the farthest from a place, where one is farther than `least`. */
static int find_end(const lbt_body *body, int segment, const double from_w[3], double least, double end_w[3]) {
    int is_found = 0;
    for (int i = 0; i < lb_figure_site_count(body->figure); i++) {
        lb_frame frame;
        if (lb_figure_site(body->figure, i)->segment != segment) {
            continue;
        }
        lb_kinematics_site(body->kinematics, i, &frame);
        const double apart = distance(frame.position, from_w);
        if (apart > least) {
            least = apart;
            lbm_copy3(end_w, frame.position);
            is_found = 1;
        }
    }
    return is_found;
}

/* Where a finger's bone ends at rest: at the next bone's joint, or where the bone itself goes. */
static int find_bone_end(const lbt_body *body, int part, double end_w[3]) {
    const int level = (part - LB_BODY_PART_THUMB) / 2 % PHALANXES;
    for (int i = 1; level + i < PHALANXES; i++) {
        if (body->segments[part + 2 * i] >= 0) {
            lbm_copy3(end_w, body->rest_w[part + 2 * i]);
            return distance(end_w, body->rest_w[part]) > SHORTEST;
        }
    }
    return find_end(body, body->segments[part], body->rest_w[part], SHORTEST, end_w);
}

void lbt_body_measure_hands(lbt_body *body) {
    for (int part = LB_BODY_PART_THUMB; part < LB_BODY_PART_COUNT; part++) {
        double end[3], back[4];
        body->has_bone[part] = body->segments[part] >= 0 && find_bone_end(body, part, end);
        if (body->has_bone[part]) {
            lbt_turn_back(body->facing_w, back);
            lbm_sub3(end, body->rest_w[part], body->bone[part]);
            lbm_quaternion_rotate(back, body->bone[part], body->bone[part]);
            body->has_bone[part] = lbt_unit(body->bone[part]);
        }
    }
    for (int side = 0; side < 2; side++) {
        const int thumb = LB_BODY_PART_THUMB + side, hand = LB_BODY_PART_HAND + side;
        if (body->segments[hand] >= 0 && body->segments[thumb] >= 0) { /* capture often has its joint at the wrist's */
            lbm_copy3(body->thumb_w[side], body->rest_w[thumb]);
            find_end(body, body->segments[thumb], body->rest_w[hand], distance(body->rest_w[thumb], body->rest_w[hand]),
                     body->thumb_w[side]);
        }
    }
}

/* A direction across the hand at rest, towards the thumb: by the knuckles, or by the thumb itself. 0: not known. */
static int across_hand(const lbt_body *body, int side, int by_thumb, double way_w[3]) {
    const int hand = LB_BODY_PART_HAND + side, thumb = LB_BODY_PART_THUMB + side, index = LB_BODY_PART_INDEX + side,
              little = LB_BODY_PART_LITTLE + side;
    if (by_thumb && body->segments[hand] >= 0 && body->segments[thumb] >= 0) {
        lbm_sub3(body->thumb_w[side], body->rest_w[hand], way_w);
    } else if (!by_thumb && body->segments[index] >= 0 && body->segments[little] >= 0) {
        lbm_sub3(body->rest_w[index], body->rest_w[little], way_w);
    } else {
        return 0;
    }
    return lbm_norm3(way_w) > SHORTEST;
}

/* How a hand is held at rest: along the forearm, and across. */
static int rest_hand(const lbt_body *body, int side, int by_thumb, double turn[4]) {
    double along[3], across[3], back[4];
    if (!lbt_body_rest_direction(body, LB_BODY_PART_FOREARM + side, along) ||
        !across_hand(body, side, by_thumb, across)) {
        return 0;
    }
    lbt_turn_back(body->facing_w, back);
    lbm_quaternion_rotate(back, across, across);
    double length = lbm_norm3(across);
    lbm_add_scaled3(across, along, -lbm_dot3(across, along));
    if (!(lbm_norm3(across) > ACROSS * length)) {
        return 0; /* it points along the hand */
    }
    return lbt_turn_of_axes(along, across, turn);
}

int lbt_body_turn_hand(const lbt_body *source, const lbt_body *target, int side, double turn[4]) {
    double held[2][4], back[4];
    for (int by_thumb = 0; by_thumb < 2; by_thumb++) {
        if (rest_hand(target, side, by_thumb, held[0]) && rest_hand(source, side, by_thumb, held[1])) {
            lbt_turn_back(held[0], back);
            lb_rotation_multiply(held[1], back, turn);
            return 1;
        }
    }
    return 0;
}

/* From the hand's turn on to where the source's finger points: fingers that are bent at rest and straight ones
 * agree. */
void lbt_body_turn_finger(const lbt_body *source, const lbt_body *target, int part, double turn[4]) {
    double from[3], swing[4];
    if (source->has_bone[part] && target->has_bone[part]) {
        lbm_quaternion_rotate(turn, target->bone[part], from);
        lbt_turn_from_to(from, source->bone[part], swing);
        lb_rotation_multiply(swing, turn, turn);
    }
}
