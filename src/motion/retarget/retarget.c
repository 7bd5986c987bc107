/* One figure's motion for another: goals for feet, hips, hands and head, turns of all parts, and feet that stand. */
#include "motion/retarget/retarget.h"
#include "figure/error.h"
#include "figure/figure.h"
#include "figure/sized.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/contact.h"
#include "motion/humanoid/humanoid.h"
#include "motion/robot/robot.h"

#define POSTURE_WEIGHT 1e-4
#define LEAST_HOLD 1e-15 /* of that weight, where hips are not held */
#define HOLD_WEIGHT 100.0
#define JOIN_WEIGHT 1e4 /* of a foot at the end of its shank, where it does not hang on it */

static const lbf_sized options_kind = LBF_SIZED(lb_retarget_options, on_frame_context);
static const lbf_sized report_kind = LBF_SIZED(lb_retarget_report, feet_off);

void lb_retarget_options_defaults_sized(lb_retarget_options *options, size_t struct_size) {
    static const lb_retarget_options defaults = {.hold_feet = 1,
                                                 .weight_feet = 20000,
                                                 .weight_hips = 1,
                                                 .weight_hands = 0.3,
                                                 .weight_head = 0.1,
                                                 .weight_turns = 0.1,
                                                 .weight_limbs = 10,
                                                 .smooth = 1,
                                                 .keep_apart = 1,
                                                 .keep_speeds = 1};
    lbf_default_sized(&options_kind, &defaults, options, struct_size);
}

void lb_retarget_report_defaults_sized(lb_retarget_report *report, size_t struct_size) {
    static const lb_retarget_report defaults = {0};
    lbf_default_sized(&report_kind, &defaults, report, struct_size);
}

lb_status lbt_retarget_take_report(const lb_retarget_report *given, lb_retarget_report *taken) {
    lb_retarget_report_defaults(taken);
    return lbf_take_sized(&report_kind, given, taken, NULL);
}

/* ---------------------------------------------------------------------------------------------------
 * Where everything should be
 * ------------------------------------------------------------------------------------------------- */

/* The source in a frame: where its parts are, and how the target's should be turned. */
lb_status lbt_retarget_read_source(lbt_retarget *w, int frame) {
    lb_status status = lb_kinematics_update(w->kinematics[0], lbt_source_pose(w, frame));
    for (int p = 0; p < LB_BODY_PART_COUNT && !status; p++) {
        double turn[4];
        if (w->source.segments[p] < 0) {
            continue;
        }
        status = lbt_body_part(&w->source, p, w->source_w[p], turn);
        if (w->has[p] && !status) {
            lb_rotation_multiply(turn, w->carry[p], w->turn_w[p]);
        }
    }
    return status ? lbf_fail(w->error, status, "the source has values that are not finite numbers", NULL) : LB_OK;
}

/* From the source's ground to the target's: lengths by the legs, heights above where ankles stand. */
void lbt_retarget_carry_point(const lbt_retarget *w, const double from[3], double level_from, double level_to,
                              double out[3]) {
    out[0] = w->leg_ratio * from[0];
    out[1] = w->leg_ratio * from[1];
    out[2] = level_to + w->leg_ratio * (from[2] - level_from);
}

static void middle(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = 0.5 * (a[i] + b[i]);
    }
}

void lbt_retarget_hips(const lbt_retarget *w, double point_w[3]) {
    double hips[3];
    middle(w->source_w[LB_BODY_PART_THIGH], w->source_w[LB_BODY_PART_THIGH + 1], hips);
    lbt_retarget_carry_point(
        w, hips, 0.5 * (w->level[0] + w->level[1]),
        0.5 * (w->target.rest_w[LB_BODY_PART_FOOT][2] + w->target.rest_w[LB_BODY_PART_FOOT + 1][2]), point_w);
}

/* Adds to a point the way between two places of the target at rest, turned with a part. */
void lbt_retarget_go_along(const lbt_retarget *w, const double from_rest[3], const double to_rest[3], int part,
                           const double turn_w[4], double point_w[3]) {
    double way[3], back[4];
    lbm_sub3(to_rest, from_rest, way);
    lbt_turn_back(w->target.rest_turn_w[part], back);
    lbm_quaternion_rotate(back, way, way);
    lbm_quaternion_rotate(turn_w, way, way);
    lbm_add_scaled3(point_w, way, 1);
}

/* The chest's joint above the hips; the spine between them bends evenly. */
static void chest_goal(const lbt_retarget *w, const double hips_w[3], double point_w[3]) {
    double hips_rest[3], change[2][4], back[4], turn[4];
    lbm_copy3(point_w, hips_w);
    if (!w->has[LB_BODY_PART_CHEST]) {
        return;
    }
    middle(w->target.rest_w[LB_BODY_PART_THIGH], w->target.rest_w[LB_BODY_PART_THIGH + 1], hips_rest);
    for (int i = 0; i < 2; i++) {
        int part = i ? LB_BODY_PART_CHEST : LB_BODY_PART_PELVIS;
        lbt_turn_back(w->target.rest_turn_w[part], back);
        lb_rotation_multiply(w->turn_w[part], back, change[i]);
    }
    lbt_turn_between(change[0], change[1], 0.5, turn);
    lb_rotation_multiply(turn, w->target.rest_turn_w[LB_BODY_PART_PELVIS], turn);
    lbt_retarget_go_along(w, hips_rest, w->target.rest_w[LB_BODY_PART_CHEST], LB_BODY_PART_PELVIS, turn, point_w);
}

/* From the chest to a part by way of another, where there is that. */
static void above_chest(const lbt_retarget *w, const double chest_w[3], int by, int part, double point_w[3]) {
    int from = w->has[LB_BODY_PART_CHEST] ? LB_BODY_PART_CHEST : LB_BODY_PART_PELVIS;
    double rest[3];
    lbm_copy3(point_w, chest_w);
    if (from == LB_BODY_PART_CHEST) {
        lbm_copy3(rest, w->target.rest_w[from]);
    } else {
        middle(w->target.rest_w[LB_BODY_PART_THIGH], w->target.rest_w[LB_BODY_PART_THIGH + 1], rest);
    }
    if (w->has[by]) {
        lbt_retarget_go_along(w, rest, w->target.rest_w[by], from, w->turn_w[from], point_w);
        lbt_retarget_go_along(w, w->target.rest_w[by], w->target.rest_w[part], by, w->turn_w[by], point_w);
    } else {
        lbt_retarget_go_along(w, rest, w->target.rest_w[part], from, w->turn_w[from], point_w);
    }
}

static void hand_goal(const lbt_retarget *w, const double chest_w[3], int side, double point_w[3]) {
    above_chest(w, chest_w, LB_BODY_PART_CLAVICLE + side, LB_BODY_PART_UPPER_ARM + side, point_w);
    lbt_retarget_add_arm(w, side, point_w);
}

/* ---------------------------------------------------------------------------------------------------
 * Goals
 * ------------------------------------------------------------------------------------------------- */

/* Whether a part is a limb whose direction both figures know. */
static int is_limb(const lbt_retarget *w, int part) {
    int is_upper = (part >= LB_BODY_PART_UPPER_ARM && part < LB_BODY_PART_HAND) ||
                   (part >= LB_BODY_PART_THIGH && part < LB_BODY_PART_FOOT);
    return is_upper && w->has[part] && w->has[part + LBT_SIDES];
}

/* An effector whose x points along a limb of the target; 0 where it has no length. */
static int limb_effector(const lbt_retarget *w, int part, lb_effector *effector) {
    double back[4];
    int least = 0;
    *effector = w->target.joints[part];
    lbm_sub3(w->target.rest_w[part + LBT_SIDES], w->target.rest_w[part], effector->x);
    lbt_turn_back(w->target.rest_turn_w[part], back);
    lbm_quaternion_rotate(back, effector->x, effector->x);
    if (!lbt_unit(effector->x)) {
        return 0;
    }
    for (int i = 1; i < 3; i++) {
        least = fabs(effector->x[i]) < fabs(effector->x[least]) ? i : least;
    }
    double helper[3] = {least == 0, least == 1, least == 2};
    lbm_cross3(effector->x, helper, effector->y);
    return lbt_unit(effector->y);
}

static int add_goal(lbt_retarget *w, lb_goal_kind kind, const lb_effector *effector, double weight, lb_status *status) {
    lb_constraint constraint;
    if (*status || !(weight > 0)) {
        return -1;
    }
    lb_constraint_defaults(&constraint);
    constraint.effector = *effector;
    constraint.goal.kind = kind;
    constraint.weight = weight;
    int id = lb_problem_add(w->problem, &constraint);
    if (id < 0) {
        *status = (lb_status)id;
    }
    return id;
}

/* Where a foot does not hang on its shank, as in rigs whose feet follow targets, it is to be at the shank's end. */
static lb_status join_feet(lbt_retarget *w) {
    const lbt_body *t = &w->target;
    for (int side = 0; side < LBT_SIDES; side++) {
        int foot = LB_BODY_PART_FOOT + side, shank = LB_BODY_PART_SHANK + side, at = t->segments[foot];
        lb_constraint constraint;
        lb_frame frame;
        double back[4];
        while (at >= 0 && at != t->segments[shank]) {
            at = lb_figure_parent_segment(t->figure, at);
        }
        if (at >= 0) {
            continue;
        }
        lb_constraint_defaults(&constraint);
        lb_kinematics_segment(w->kinematics[1], t->segments[shank], &frame);
        constraint.effector = t->joints[foot];
        constraint.goal.kind = LB_GOAL_POSITION;
        constraint.goal.carrier_segment = t->segments[shank];
        lbm_sub3(t->rest_w[foot], frame.position, constraint.goal.point);
        lbt_turn_back(frame.rotation, back);
        lbm_quaternion_rotate(back, constraint.goal.point, constraint.goal.point);
        constraint.weight = JOIN_WEIGHT;
        int id = lb_problem_add(w->problem, &constraint);
        if (id < 0) {
            return (lb_status)id;
        }
    }
    return LB_OK;
}

/* Goals for where limbs point, however they are rolled. */
static lb_status add_directions(lbt_retarget *w) {
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        lb_constraint constraint;
        w->ids.limbs[p] = -1;
        lb_constraint_defaults(&constraint);
        if (!is_limb(w, p) || !(w->options.weight_limbs > 0) || !limb_effector(w, p, &constraint.effector)) {
            continue;
        }
        constraint.goal.kind = LB_GOAL_ORIENTATION;
        constraint.goal.degrees_y = 0;
        constraint.weight = w->options.weight_limbs;
        w->ids.limbs[p] = lb_problem_add(w->problem, &constraint);
        if (w->ids.limbs[p] < 0) {
            return (lb_status)w->ids.limbs[p];
        }
    }
    return LB_OK;
}

static lb_status add_goals(lbt_retarget *w) {
    const lbt_body *t = &w->target;
    const lb_retarget_options *o = &w->options;
    lb_status status = LB_OK;
    lb_effector hips = t->joints[LB_BODY_PART_PELVIS];
    double middle_w[3], back[4];
    for (int i = 0; i < LBT_PLACE_COUNT; i++) {
        w->ids.places[i] = -1;
    }
    /* half-way between the hip joints, on the pelvis */
    lb_frame pelvis;
    lb_kinematics_segment(w->kinematics[1], t->segments[LB_BODY_PART_PELVIS], &pelvis);
    middle(t->rest_w[LB_BODY_PART_THIGH], t->rest_w[LB_BODY_PART_THIGH + 1], middle_w);
    lbm_sub3(middle_w, pelvis.position, hips.point);
    lbt_turn_back(pelvis.rotation, back);
    lbm_quaternion_rotate(back, hips.point, hips.point);
    w->ids.places[LBT_HIPS] = add_goal(w, LB_GOAL_POSITION, &hips, o->weight_hips, &status);
    w->ids.hold = -1;
    w->hips.effector = hips;
    if (w->has[LB_BODY_PART_HEAD]) {
        w->ids.places[LBT_HEAD] = add_goal(w, LB_GOAL_POSITION, &t->joints[LB_BODY_PART_HEAD], o->weight_head, &status);
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        if (w->source.arm[side] > 0 && t->arm[side] > 0) {
            w->ids.places[LBT_HANDS + side] =
                add_goal(w, LB_GOAL_POSITION, &t->joints[LB_BODY_PART_HAND + side], o->weight_hands, &status);
        }
    }
    for (int p = 0; p < LBT_FOOT_POINTS; p++) {
        if (w->has_point[p]) {
            w->ids.places[LBT_FEET + p] =
                add_goal(w, LB_GOAL_POSITION, &t->joints[lbt_foot_part(p)], o->weight_feet, &status);
        }
    }
    for (int p = 0; p < LB_BODY_PART_THUMB; p++) {
        /* trunk, head and hands say more than limbs, whose ends have goals */
        int is_hand = p == LB_BODY_PART_HAND || p == LB_BODY_PART_HAND + 1;
        double weight = p < LB_BODY_PART_CLAVICLE || is_hand ? o->weight_turns : 0.3 * o->weight_turns;
        w->ids.turns[p] = w->has[p] ? add_goal(w, LB_GOAL_ORIENTATION, &t->joints[p], weight, &status) : -1;
    }
    status = status ? status : join_feet(w);
    return status ? status : add_directions(w);
}

static void move_place(lbt_retarget *w, int place, const double point_w[3]) {
    lb_frame frame;
    if (w->ids.places[place] < 0) {
        return;
    }
    lb_frame_identity(&frame);
    lbm_copy3(frame.position, point_w);
    lb_problem_move_goal(w->problem, w->ids.places[place], &frame);
}

static void move_directions(lbt_retarget *w) {
    static const double ahead[3] = {1, 0, 0};
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        lb_frame frame;
        if (w->ids.limbs[p] >= 0) {
            lb_frame_identity(&frame);
            lbt_turn_from_to(ahead, w->limb_w[p], frame.rotation);
            lb_problem_move_goal(w->problem, w->ids.limbs[p], &frame);
        }
    }
}

static void move_goals(lbt_retarget *w, int f) {
    double hips[3], chest[3], point[3];
    move_directions(w);
    lbm_copy3(hips, w->hips.path[f]);
    chest_goal(w, hips, chest);
    move_place(w, LBT_HIPS, hips);
    if (w->ids.hold >= 0) {
        const double held = w->hips.held[f];
        lb_frame frame;
        lb_frame_identity(&frame);
        lbm_copy3(frame.position, w->hips.hold[f]);
        lb_problem_move_goal(w->problem, w->ids.hold, &frame);
        lb_problem_set_weight(w->problem, w->ids.hold,
                              HOLD_WEIGHT * w->options.weight_feet * (held * held * held + LEAST_HOLD));
    }
    if (w->has[LB_BODY_PART_HEAD]) {
        above_chest(w, chest, LB_BODY_PART_NECK, LB_BODY_PART_HEAD, point);
        move_place(w, LBT_HEAD, point);
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        if (w->ids.places[LBT_HANDS + side] >= 0) {
            hand_goal(w, chest, side, point);
            move_place(w, LBT_HANDS + side, point);
        }
    }
    for (int p = 0; p < LBT_FOOT_POINTS; p++) {
        if (w->ids.places[LBT_FEET + p] < 0) {
            continue;
        }
        /* cubed: a weight that spans four orders of magnitude comes and goes by about the same factor a frame */
        double held = lbt_foot_held(w, p)[f];
        move_place(w, LBT_FEET + p, lbt_foot_path(w, p)[f]);
        lb_problem_set_weight(w->problem, w->ids.places[LBT_FEET + p],
                              w->options.weight_feet * (LBT_IN_AIR + (1 - LBT_IN_AIR) * held * held * held));
    }
    for (int p = 0; p < LB_BODY_PART_THUMB; p++) {
        lb_frame frame;
        if (w->ids.turns[p] < 0) {
            continue;
        }
        lb_frame_identity(&frame);
        memcpy(frame.rotation, w->turn_w[p], sizeof frame.rotation);
        lb_problem_move_goal(w->problem, w->ids.turns[p], &frame);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Frames
 * ------------------------------------------------------------------------------------------------- */

/* A free root is wished where the pelvis should be. */
static void wish_root(lbt_retarget *w, int f) {
    const lb_figure *figure = w->target.figure;
    const lb_root *root = lb_figure_root(figure);
    if (root->is_free) {
        double back[4], goal[3], rest[3], way[3];
        lb_frame frame = root->placement;
        lbm_copy3(goal, w->hips.path[f]);
        middle(w->target.rest_w[LB_BODY_PART_THIGH], w->target.rest_w[LB_BODY_PART_THIGH + 1], rest);
        lbt_turn_back(w->target.rest_turn_w[LB_BODY_PART_PELVIS], back);
        lb_rotation_multiply(w->turn_w[LB_BODY_PART_PELVIS], back, back); /* the turn from rest */
        lb_rotation_multiply(back, frame.rotation, frame.rotation);
        lbm_sub3(root->placement.position, rest, way);
        lbm_quaternion_rotate(back, way, way);
        for (int i = 0; i < 3; i++) {
            frame.position[i] = goal[i] + way[i];
        }
        double place[3];
        lbm_copy3(place, w->wishes.wish);
        lbt_root_values(figure, &frame, w->wishes.wish);
        if (w->wishes.is_wished[3] &&
            !(w->options.weight_hips > 0)) { /* where hips do not count the first frame's place stays */
            lbm_copy3(w->wishes.wish, place);
        }
        for (int i = 0; i < 6; i++) {
            w->wishes.is_wished[i] = i > 2 || w->options.weight_hips > 0;
        }
    }
}

lb_status lbt_retarget_prepare_frame(lbt_retarget *w, int frame) {
    if (w->options.on_frame && w->options.on_frame(w->options.on_frame_context, w->lead + frame)) {
        return lbf_fail(w->error, LB_ERROR_UNSUPPORTED, "stopped", NULL);
    }
    lb_status status = lbt_retarget_read_source(w, frame);
    if (status) {
        return status;
    }
    lbt_retarget_find_limbs(w);
    move_goals(w, frame);
    lbt_retarget_find_turns(w);
    lbt_retarget_wish_joints(w);
    wish_root(w, frame);
    lbt_retarget_unwind(w, w->wishes.wish);
    return LB_OK;
}

/* A frame alone, from its pose. */
static lb_status solve_frame(lbt_retarget *w, double *pose) {
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.keep_going = 1;
    lbt_retarget_wish_place(w, pose);
    lb_status status = lb_problem_set_posture(w->problem, w->wishes.wish, POSTURE_WEIGHT);
    status = status ? status : lb_solver_solve(w->solver, &options, pose, &result);
    return status ? lbf_fail(w->error, status, "a frame cannot be solved", NULL) : LB_OK;
}

/* The solve begins with the joints as they are wished. */
lb_status lbt_retarget_solve_first(lbt_retarget *w, int frame, double *pose) {
    lb_status status = lbt_retarget_prepare_frame(w, frame);
    if (status) {
        return status;
    }
    memcpy(pose, w->wishes.wish, (size_t)w->variables * sizeof *pose);
    return solve_frame(w, pose);
}

static lb_status measure(lbt_retarget *w, const lb_figure *target, const lb_body_map *map) {
    lb_status status = lbt_retarget_measure_source(w, map);
    status = status ? status : lbt_retarget_measure_spans(w, map);
    if (!status) {
        status = lbt_body_measure(target, w->kinematics[1], map->target, "target", &w->target, w->error);
    }
    if (status) {
        return status;
    }
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        const int hand = LB_BODY_PART_HAND + p % LBT_SIDES;
        w->has[p] = map->source[p] >= 0 && map->target[p] >= 0 && (p < LB_BODY_PART_THUMB || w->has[hand]);
        if (w->has[p]) {
            lbt_body_carry(&w->source, &w->target, p, w->carry[p]);
        }
    }
    for (int p = 0; p < LBT_FOOT_POINTS; p++) {
        w->has_point[p] = map->target[lbt_foot_part(p)] >= 0;
    }
    w->leg_ratio = w->target.leg / w->source.leg;
    for (int s = 0; s < w->segments; s++) {
        lb_frame frame;
        lb_kinematics_segment(w->kinematics[1], s, &frame);
        memcpy(w->wishes.rest_turns[s], frame.rotation, sizeof frame.rotation);
    }
    lb_figure_tree_order(target, w->wishes.order);
    lb_figure_rest_pose(target, w->wishes.wish);
    lbt_retarget_find_fingers(w);
    return LB_OK;
}

static lb_status make_room(lbt_retarget *w, const lb_figure *target) {
    size_t cells = (size_t)LBT_FOOT_POINTS * (size_t)w->frames, segments = (size_t)w->segments;
    w->contacts.capacity = LBT_FOOT_POINTS * (w->frames / 2 + 1); /* with a frame between any two */
    w->contacts.list = lbf_new(&w->allocator, (size_t)w->contacts.capacity, sizeof *w->contacts.list);
    w->paths = lbf_new(&w->allocator, cells, sizeof *w->paths);
    w->held = lbf_new(&w->allocator, cells, sizeof *w->held);
    w->hips.path = lbf_new(&w->allocator, (size_t)w->frames, sizeof *w->hips.path);
    w->hips.hold = lbf_new(&w->allocator, (size_t)w->frames, sizeof *w->hips.hold);
    w->hips.held = lbf_new(&w->allocator, (size_t)w->frames, sizeof *w->hips.held);
    w->wishes.wish = lbf_new(&w->allocator, (size_t)w->variables + 1, sizeof *w->wishes.wish);
    w->wishes.is_wished = lbf_new(&w->allocator, (size_t)w->variables + 1, sizeof *w->wishes.is_wished);
    w->wishes.rest_turns = lbf_new(&w->allocator, segments, sizeof *w->wishes.rest_turns);
    w->wishes.turns = lbf_new(&w->allocator, segments, sizeof *w->wishes.turns);
    w->wishes.order = lbf_new(&w->allocator, segments, sizeof *w->wishes.order);
    w->wishes.is_finger = lbf_new(&w->allocator, (size_t)w->variables + 1, sizeof *w->wishes.is_finger);
    w->kinematics[0] = lb_kinematics_create(lb_clip_figure(w->clip), NULL);
    w->kinematics[1] = lb_kinematics_create(target, NULL);
    w->problem = lb_problem_create(target, NULL);
    return w->contacts.list && w->paths && w->held && w->hips.path && w->hips.hold && w->hips.held && w->wishes.wish &&
                   w->wishes.is_wished && w->wishes.rest_turns && w->wishes.turns && w->wishes.order &&
                   w->wishes.is_finger && w->kinematics[0] && w->kinematics[1] && w->problem
               ? LB_OK
               : LB_ERROR_MEMORY;
}

static void free_room(lbt_retarget *w) {
    size_t cells = (size_t)LBT_FOOT_POINTS * (size_t)w->frames, segments = (size_t)w->segments;
    lb_solver_destroy(w->solver);
    lb_problem_destroy(w->problem);
    for (int i = 0; i < 2; i++) {
        lb_kinematics_destroy(w->kinematics[i]);
    }
    lbf_delete(&w->allocator, w->contacts.list, (size_t)w->contacts.capacity, sizeof *w->contacts.list);
    lbf_delete(&w->allocator, w->paths, cells, sizeof *w->paths);
    lbf_delete(&w->allocator, w->held, cells, sizeof *w->held);
    lbf_delete(&w->allocator, w->hips.path, (size_t)w->frames, sizeof *w->hips.path);
    lbf_delete(&w->allocator, w->hips.hold, (size_t)w->frames, sizeof *w->hips.hold);
    lbf_delete(&w->allocator, w->hips.held, (size_t)w->frames, sizeof *w->hips.held);
    lbf_delete(&w->allocator, w->wishes.wish, (size_t)w->variables + 1, sizeof *w->wishes.wish);
    lbf_delete(&w->allocator, w->wishes.is_wished, (size_t)w->variables + 1, sizeof *w->wishes.is_wished);
    lbf_delete(&w->allocator, w->wishes.rest_turns, segments, sizeof *w->wishes.rest_turns);
    lbf_delete(&w->allocator, w->wishes.turns, segments, sizeof *w->wishes.turns);
    lbf_delete(&w->allocator, w->wishes.order, segments, sizeof *w->wishes.order);
    lbf_delete(&w->allocator, w->wishes.is_finger, (size_t)w->variables + 1, sizeof *w->wishes.is_finger);
}

/* Takes what the caller gives, and refuses what makes no sense. */
static lb_status take_arguments(lbt_retarget *w, const lb_clip *source, const lb_figure *target,
                                const lb_retarget_options *options) {
    lb_retarget_options *o = &w->options;
    lb_retarget_options_defaults(o);
    if (lbf_take_sized(&options_kind, options, o, w->error)) {
        return LB_ERROR_STRUCT;
    }
    const double weights[] = {o->weight_feet, o->weight_hips,  o->weight_hands,
                              o->weight_head, o->weight_turns, o->weight_limbs};
    if (!lbm_all_finite(weights, 6)) {
        return lbf_fail(w->error, LB_ERROR_ARGUMENT, "a weight is not finite", NULL);
    }
    w->clip = source;
    w->allocator = target->draft.allocator;
    w->frames = lb_clip_frame_count(source);
    w->variables = lb_figure_variable_count(target);
    w->segments = lb_figure_segment_count(target);
    w->first = o->first_frame;
    const int has_first = w->first >= 0 && w->first < w->frames;
    w->count = o->frame_count || !has_first ? o->frame_count : w->frames - w->first;
    if (!has_first || w->count < 1 || w->count > w->frames - w->first) {
        return lbf_fail(w->error, LB_ERROR_ARGUMENT, "the source has no such frames", NULL);
    }
    return lbt_retarget_leave_out_first(w);
}

/* Holds hips where they step too far, by a goal that is not there until then. */
static lb_status calm_hips(lbt_retarget *w, const lb_clip *out, int round, int *is_again) {
    lb_status status = lbt_retarget_hold_hips(w, out, round, is_again);
    if (!status && *is_again && w->ids.hold < 0) {
        w->ids.hold = add_goal(w, LB_GOAL_POSITION, &w->hips.effector, HOLD_WEIGHT * w->options.weight_feet, &status);
    }
    return status;
}

/* All frames; once more where hips would step farther than the source's. */
static lb_status solve(lbt_retarget *w, lb_clip *out) {
    const int can_hold = w->ids.places[LBT_HIPS] >= 0 && w->options.weight_feet > 0;
    for (int round = 0, is_again = 1; is_again; round++) {
        lb_figure_rest_pose(w->target.figure, w->wishes.wish); /* wishes follow those of the frame before */
        memset(w->wishes.is_wished, 0, (size_t)w->variables * sizeof *w->wishes.is_wished);
        lb_status status = w->options.smooth ? lbt_retarget_solve_whole(w, out) : lbt_retarget_solve_frames(w, out);
        is_again = 0;
        if (!status && can_hold && round < LBT_MOST_ROUNDS) {
            status = calm_hips(w, out, round, &is_again);
        }
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

/* A target that is posed by goals. */
static lb_status retarget_body(lbt_retarget *w, const lb_body_map *map, lb_clip *out, lb_retarget_report *report) {
    lb_status status = measure(w, lb_clip_figure(out), map);
    status = status ? status : add_goals(w);
    if (!status && !(w->solver = lb_solver_create(w->problem, NULL))) {
        status = LB_ERROR_MEMORY;
    }
    status = status ? status : lbt_retarget_plan_feet(w);
    status = status ? status : solve(w, out);
    return status || !report ? status : lbt_retarget_look(w, out, report);
}

lb_clip *lb_retarget(const lb_clip *source, const lb_figure *target, const lb_body_map *map,
                     const lb_retarget_options *options, lb_retarget_report *report, lb_error *error) {
    lbt_retarget w;
    memset(&w, 0, sizeof w);
    w.error = error;
    if (!source || !target || !map) {
        lbf_fail(w.error, LB_ERROR_ARGUMENT, "no source, target or map", NULL);
        return NULL;
    }
    if (take_arguments(&w, source, target, options) || (report && lbf_check_sized(&report_kind, report, error))) {
        return NULL;
    }
    lb_clip *out = lb_clip_create(target, w.count, lb_clip_frame_time(source), NULL);
    lbf_clear(w.error);
    lb_retarget_report found;
    lb_status status = out ? make_room(&w, target) : LB_ERROR_MEMORY;
    if (!status) {
        status = lbt_is_robot(target) ? lbt_robot_retarget(&w, target, map, out, report ? &found : NULL)
                                      : retarget_body(&w, map, out, report ? &found : NULL);
    }
    if (status == LB_ERROR_MEMORY) {
        lbf_fail(w.error, status, "no memory", NULL);
    }
    free_room(&w);
    if (!status) {
        if (report) {
            lbf_give_sized(&report_kind, &found, report);
        }
        return out;
    }
    lb_clip_destroy(out);
    return NULL;
}
