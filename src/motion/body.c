/* Bodies: what retargeting needs to know of two figures that are people, or nearly. */
#include "motion/body.h"

#include "figure/error.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"

void lbt_turn_back(const double turn[4], double back[4]) {
    for (int i = 0; i < 3; i++) {
        back[i] = -turn[i];
    }
    back[3] = turn[3];
}

void lbt_turn_between(const double a[4], const double b[4], double t, double out[4]) {
    double back[4], way[4], v[3];
    lbt_turn_back(a, back);
    lb_rotation_multiply(b, back, way);
    lbm_logarithm(way, v);
    for (int i = 0; i < 3; i++) {
        v[i] *= t;
    }
    lbm_exponential_quaternion(v, way);
    lb_rotation_multiply(way, a, out);
}

int lbt_unit(double v[3]) {
    double length = lbm_norm3(v);
    for (int i = 0; i < 3 && length > 1e-12; i++) {
        v[i] /= length;
    }
    return length > 1e-12;
}

void lbt_turn_from_to(const double from[3], const double to[3], double turn[4]) {
    double axis[3], sine, cosine = lbm_dot3(from, to);
    lbm_cross3(from, to, axis);
    sine = lbm_norm3(axis);
    if (sine < 1e-12) { /* the same, or opposite: then any way round */
        int least = fabs(from[0]) < fabs(from[1]) ? 0 : 1;
        double other[3] = {least == 0, least == 1, 0};
        lbm_cross3(from, other, axis);
    }
    if (lb_rotation_about(axis, lbm_atan2(sine, cosine), turn)) {
        lbm_set3(turn, 0, 0, 0), turn[3] = 1;
    }
}

/* Where a segment hangs on its parent: the joint's site on it. */
static void find_joint(const lb_figure *figure, int segment, lb_effector *effector) {
    int joint = lb_figure_parent_joint(figure, segment);
    lb_effector_from_segment(figure, segment, effector);
    if (joint < 0) {
        return;
    }
    const lb_site *a = lb_figure_site(figure, lb_figure_joint(figure, joint)->site_a);
    const lb_site *b = lb_figure_site(figure, lb_figure_joint(figure, joint)->site_b);
    lbm_copy3(effector->point, (b->segment == segment ? b : a)->frame.position);
}

lb_status lbt_body_part(const lbt_body *body, int part, double point_w[3], double turn_w[4]) {
    double e[9];
    lb_frame frame;
    lb_status status = lb_kinematics_effector(body->kinematics, &body->joints[part], e);
    if (!status) {
        status = lb_kinematics_segment(body->kinematics, body->segments[part], &frame);
    }
    if (status) {
        return status;
    }
    lbm_copy3(point_w, e);
    memcpy(turn_w, frame.rotation, sizeof frame.rotation);
    return LB_OK;
}

static double distance(const lbt_body *body, int a, int b) {
    double apart[3];
    if (body->segments[a] < 0 || body->segments[b] < 0) {
        return 0;
    }
    lbm_sub3(body->rest_w[a], body->rest_w[b], apart);
    return lbm_norm3(apart);
}

/* Ahead, from the hips: left to up. */
static int find_facing(lbt_body *body) {
    double left[3], length;
    lbm_sub3(body->rest_w[LB_BODY_PART_THIGH], body->rest_w[LB_BODY_PART_THIGH + 1], left);
    length = sqrt(left[0] * left[0] + left[1] * left[1]);
    if (!(length > 1e-9)) {
        return 0;
    }
    const double up[3] = {0, 0, 1};
    return !lb_rotation_about(up, lbm_atan2(-left[0], left[1]), body->facing_w);
}

lb_status lbt_body_measure(const lb_figure *figure, lb_kinematics *kinematics, const int *segments, const char *which,
                           lbt_body *body, lb_error *error) {
    static const int needed[] = {LB_BODY_PART_PELVIS,    LB_BODY_PART_THIGH, LB_BODY_PART_THIGH + 1, LB_BODY_PART_SHANK,
                                 LB_BODY_PART_SHANK + 1, LB_BODY_PART_FOOT,  LB_BODY_PART_FOOT + 1};
    static const char *const names[] = {"pelvis",      "left thigh", "right thigh", "left shank",
                                        "right shank", "left foot",  "right foot"};
    memset(body, 0, sizeof *body);
    body->figure = figure, body->kinematics = kinematics, body->segments = segments;
    for (int i = 0; i < 7; i++) {
        if (segments[needed[i]] < 0) {
            return lbf_fail(error, LB_ERROR_FIGURE, "the ", which, " has no ", names[i],
                            " that is known; say which segment it is", NULL);
        }
    }
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        if (segments[p] < 0) {
            continue;
        }
        if (segments[p] >= lb_figure_segment_count(figure)) {
            return lbf_fail(error, LB_ERROR_ARGUMENT, "no such segment", NULL);
        }
        find_joint(figure, segments[p], &body->joints[p]);
        if (lbt_body_part(body, p, body->rest_w[p], body->rest_turn_w[p])) {
            return lbf_fail(error, LB_ERROR_FIGURE, "the ", which, " cannot be put at rest", NULL);
        }
    }
    body->leg = 0.5 * (distance(body, LB_BODY_PART_THIGH, LB_BODY_PART_SHANK) +
                       distance(body, LB_BODY_PART_SHANK, LB_BODY_PART_FOOT) +
                       distance(body, LB_BODY_PART_THIGH + 1, LB_BODY_PART_SHANK + 1) +
                       distance(body, LB_BODY_PART_SHANK + 1, LB_BODY_PART_FOOT + 1));
    for (int side = 0; side < 2; side++) {
        double upper = distance(body, LB_BODY_PART_UPPER_ARM + side, LB_BODY_PART_FOREARM + side);
        double lower = distance(body, LB_BODY_PART_FOREARM + side, LB_BODY_PART_HAND + side);
        body->arm[side] = upper > 0 && lower > 0 ? upper + lower : 0;
    }
    if (!(body->leg > 1e-9) || !find_facing(body)) {
        return lbf_fail(error, LB_ERROR_FIGURE, "the ", which, "'s legs have no length, or no place of their own",
                        NULL);
    }
    lbt_body_measure_hands(body);
    return LB_OK;
}

int lbt_body_rest_direction(const lbt_body *body, int part, double direction[3]) {
    int is_limb = (part >= LB_BODY_PART_UPPER_ARM && part < LB_BODY_PART_HAND) ||
                  (part >= LB_BODY_PART_THIGH && part < LB_BODY_PART_FOOT);
    double back[4];
    if (!is_limb || body->segments[part + 2] < 0) {
        return 0;
    }
    lbm_sub3(body->rest_w[part + 2], body->rest_w[part], direction);
    double length = lbm_norm3(direction);
    if (!(length > 1e-9)) {
        return 0;
    }
    lbt_turn_back(body->facing_w, back);
    lbm_quaternion_rotate(back, direction, direction);
    for (int i = 0; i < 3; i++) {
        direction[i] /= length;
    }
    return 1;
}

int lbt_turn_of_axes(const double along[3], const double aside[3], double turn[4]) {
    double across[3], third[3], matrix[9];
    lbm_copy3(across, aside);
    lbm_add_scaled3(across, along, -lbm_dot3(across, along));
    double length = lbm_norm3(across);
    if (!(length > 1e-6)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        across[i] /= length;
    }
    lbm_cross3(along, across, third);
    for (int i = 0; i < 3; i++) {
        matrix[3 * i] = along[i];
        matrix[3 * i + 1] = across[i];
        matrix[3 * i + 2] = third[i];
    }
    lb_rotation_from_matrix(matrix, turn);
    return 1;
}

/* The turn from a target's limb at rest to the source's, by where they point and how they bend: knees bend backward
 * about the left, elbows forward about the right, from limbs that hang. 0 where that is not known of the source. */
static int turn_by_hinge(const lbt_body *source, int part, const double target_way[3], const double source_way[3],
                         double turn[4]) {
    static const double down[3] = {0, 0, -1};
    int is_arm = part < LB_BODY_PART_THIGH;
    double axis[3] = {0, is_arm ? -1 : 1, 0}, own[3], swing[4], back[4], frames[2][4];
    if (!source->has_hinge[part]) {
        return 0;
    }
    lbt_turn_from_to(down, target_way, swing);
    lbm_quaternion_rotate(swing, axis, axis);
    lbt_turn_back(source->facing_w, back);
    lbm_quaternion_rotate(back, source->hinge_w[part], own);
    double length = lbm_norm3(own);
    for (int i = 0; i < 3; i++) {
        own[i] /= length;
    }
    if (!lbt_turn_of_axes(target_way, axis, frames[0]) || !lbt_turn_of_axes(source_way, own, frames[1])) {
        return 0;
    }
    lbt_turn_back(frames[0], back);
    lb_rotation_multiply(frames[1], back, turn);
    return 1;
}

/* The turn from a target's part at rest to the source's, ahead, left, up of the bodies. */
static void turn_at_rest(const lbt_body *source, const lbt_body *target, int part, double turn[4]) {
    /* Hands are held as knuckles or thumbs say, or go on from where forearms point; feet, trunk and head are level at
     * rest whatever their bones are. */
    const int is_finger = part >= LB_BODY_PART_THUMB, side = (part - LB_BODY_PART_HAND) % 2;
    const int is_hand = is_finger || part == LB_BODY_PART_HAND || part == LB_BODY_PART_HAND + 1;
    const int like = is_hand ? LB_BODY_PART_FOREARM + side : part;
    double from[3], to[3];
    lbm_set3(turn, 0, 0, 0), turn[3] = 1;
    if (!(is_hand && lbt_body_turn_hand(source, target, side, turn)) && lbt_body_rest_direction(target, like, from) &&
        lbt_body_rest_direction(source, like, to) && !turn_by_hinge(source, like, from, to, turn)) {
        lbt_turn_from_to(from, to, turn);
    }
    if (is_finger) {
        lbt_body_turn_finger(source, target, part, turn);
    }
}

void lbt_body_carry(const lbt_body *source, const lbt_body *target, int part, double carry[4]) {
    double turn[4], back[4];
    turn_at_rest(source, target, part, turn);
    lbt_turn_back(source->rest_turn_w[part], back);
    lb_rotation_multiply(back, source->facing_w, carry);
    lb_rotation_multiply(carry, turn, carry);
    lbt_turn_back(target->facing_w, back);
    lb_rotation_multiply(carry, back, carry);
    lb_rotation_multiply(carry, target->rest_turn_w[part], carry);
}
