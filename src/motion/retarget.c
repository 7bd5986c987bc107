/* One figure's motion for another: goals for feet, hips, hands and head, turns of all parts, and feet that stand. */
#include "figure/error.h"
#include "figure/figure.h"
#include "figure/sized.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/body.h"
#include "motion/contact.h"
#include "motion/motion.h"

#define SIDES 2
#define FOOT_POINTS 4 /* toes left, right; ankles left, right */
#define POSTURE_WEIGHT 1e-4
#define STAY_WEIGHT 2e-3   /* from frame to frame: where limits leave no way but another pose, it is not gone at once */
#define IN_AIR 0.03        /* how much feet in the air count of what they count on the ground */
#define FIRST_ROUNDS 20    /* solves of the first frame, so that what the next would still change has settled */
#define UNWIND_FROM 4.0    /* radians */
#define LEG_OF_PERSON 0.87 /* hip to ankle, 1.75 m tall */

enum { HIPS, HEAD, HANDS, FEET = HANDS + SIDES, PLACE_COUNT = FEET + FOOT_POINTS };

typedef struct work {
    const lb_clip *clip;
    lb_retarget_options options;
    lb_error *error;
    lb_allocator allocator;
    lb_kinematics *kinematics[2]; /* source's, target's */
    lbt_body source, target;
    int has[LB_BODY_PART_COUNT]; /* in both */
    double carry[LB_BODY_PART_COUNT][4];
    double leg_ratio;
    int frames, variables, segments;
    double (*paths)[3];  /* [foot point][frame]: the source's, then where the target's are to be */
    double level[SIDES]; /* that the source's ankles stand at */
    double *held;        /* [foot point][frame]: 1 where it stands, less where that fades */
    int has_point[FOOT_POINTS];
    int contact_count, contact_capacity;
    lb_contact *contacts;
    lb_problem *problem;
    lb_solver *solver;
    int place_ids[PLACE_COUNT], turn_ids[LB_BODY_PART_COUNT]; /* -1: no such goal */
    double *wish;                                             /* [variables] */
    double (*rest_turns)[4], (*turns)[4];                     /* [segments] of the target */
    int *order;                                               /* [segments] */
    /* in the frame at hand */
    double source_w[LB_BODY_PART_COUNT][3], turn_w[LB_BODY_PART_COUNT][4]; /* the latter: as the target's should be */
} work;

static const lbf_sized options_kind = LBF_SIZED(lb_retarget_options, on_frame_context);
static const lbf_sized report_kind = LBF_SIZED(lb_retarget_report, feet_off);

void lb_retarget_options_defaults_sized(lb_retarget_options *options, size_t struct_size) {
    const lb_retarget_options defaults = {.hold_feet = 1,
                                          .weight_feet = 1000,
                                          .weight_hips = 1,
                                          .weight_hands = 0.3,
                                          .weight_head = 0.1,
                                          .weight_turns = 0.1};
    lbf_default_sized(&options_kind, &defaults, options, struct_size);
}

void lb_retarget_report_defaults_sized(lb_retarget_report *report, size_t struct_size) {
    const lb_retarget_report defaults = {0};
    lbf_default_sized(&report_kind, &defaults, report, struct_size);
}

static int foot_part(int point) { return (point < SIDES ? LB_BODY_PART_TOES : LB_BODY_PART_FOOT) + point % SIDES; }

static double (*path_of(const work *w, int point))[3] { return w->paths + (size_t)point * (size_t)w->frames; }

/* ---------------------------------------------------------------------------------------------------
 * Where everything should be
 * ------------------------------------------------------------------------------------------------- */

/* The source in a frame: where its parts are, and how the target's should be turned. */
static lb_status read_source(work *w, int frame) {
    lb_status status = lb_kinematics_update(w->kinematics[0], lb_clip_const_pose(w->clip, frame));
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
static void carry_point(const work *w, const double from[3], double level_from, double level_to, double out[3]) {
    out[0] = w->leg_ratio * from[0];
    out[1] = w->leg_ratio * from[1];
    out[2] = level_to + w->leg_ratio * (from[2] - level_from);
}

static void middle(const double a[3], const double b[3], double out[3]) {
    for (int i = 0; i < 3; i++) {
        out[i] = 0.5 * (a[i] + b[i]);
    }
}

static void hips_goal(const work *w, double point_w[3]) {
    double hips[3];
    middle(w->source_w[LB_BODY_PART_THIGH], w->source_w[LB_BODY_PART_THIGH + 1], hips);
    carry_point(w, hips, 0.5 * (w->level[0] + w->level[1]),
                0.5 * (w->target.rest_w[LB_BODY_PART_FOOT][2] + w->target.rest_w[LB_BODY_PART_FOOT + 1][2]), point_w);
}

/* Adds to a point the way between two places of the target at rest, turned with a part. */
static void go_along(const work *w, const double from_rest[3], const double to_rest[3], int part,
                     const double turn_w[4], double point_w[3]) {
    double way[3], back[4];
    lbm_sub3(to_rest, from_rest, way);
    lbt_turn_back(w->target.rest_turn_w[part], back);
    lbm_quaternion_rotate(back, way, way);
    lbm_quaternion_rotate(turn_w, way, way);
    lbm_add_scaled3(point_w, way, 1);
}

/* The chest's joint above the hips; the spine between them bends evenly. */
static void chest_goal(const work *w, const double hips_w[3], double point_w[3]) {
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
    go_along(w, hips_rest, w->target.rest_w[LB_BODY_PART_CHEST], LB_BODY_PART_PELVIS, turn, point_w);
}

/* From the chest to a part by way of another, where there is that. */
static void above_chest(const work *w, const double chest_w[3], int by, int part, double point_w[3]) {
    int from = w->has[LB_BODY_PART_CHEST] ? LB_BODY_PART_CHEST : LB_BODY_PART_PELVIS;
    double rest[3];
    lbm_copy3(point_w, chest_w);
    if (from == LB_BODY_PART_CHEST) {
        lbm_copy3(rest, w->target.rest_w[from]);
    } else {
        middle(w->target.rest_w[LB_BODY_PART_THIGH], w->target.rest_w[LB_BODY_PART_THIGH + 1], rest);
    }
    if (w->has[by]) {
        go_along(w, rest, w->target.rest_w[by], from, w->turn_w[from], point_w);
        go_along(w, w->target.rest_w[by], w->target.rest_w[part], by, w->turn_w[by], point_w);
    } else {
        go_along(w, rest, w->target.rest_w[part], from, w->turn_w[from], point_w);
    }
}

static void hand_goal(const work *w, const double chest_w[3], int side, double point_w[3]) {
    double reach[3];
    above_chest(w, chest_w, LB_BODY_PART_CLAVICLE + side, LB_BODY_PART_UPPER_ARM + side, point_w);
    lbm_sub3(w->source_w[LB_BODY_PART_HAND + side], w->source_w[LB_BODY_PART_UPPER_ARM + side], reach);
    lbm_add_scaled3(point_w, reach, w->target.arm[side] / w->source.arm[side]);
}

/* ---------------------------------------------------------------------------------------------------
 * Feet: their paths over the whole clip
 * ------------------------------------------------------------------------------------------------- */

static double foot_length(const work *w, int side) {
    double foot[3];
    lbm_sub3(w->target.rest_w[LB_BODY_PART_TOES + side], w->target.rest_w[LB_BODY_PART_FOOT + side], foot);
    return lbm_norm3(foot);
}

/* The source's paths become the target's. */
static lb_status carry_feet(work *w) {
    for (int f = 0; f < w->frames; f++) {
        lb_status status = read_source(w, f);
        if (status) {
            return status;
        }
        for (int side = 0; side < SIDES; side++) {
            int foot = LB_BODY_PART_FOOT + side;
            double *ankle = path_of(w, SIDES + side)[f], *toes = path_of(w, side)[f];
            carry_point(w, w->source_w[foot], w->level[side], w->target.rest_w[foot][2], ankle);
            lbm_copy3(toes, ankle);
            if (w->target.segments[LB_BODY_PART_TOES + side] >= 0) {
                go_along(w, w->target.rest_w[foot], w->target.rest_w[LB_BODY_PART_TOES + side], foot, w->turn_w[foot],
                         toes);
            }
        }
    }
    return LB_OK;
}

static double firmness(double moved) { return moved / (1 - moved + 1e-9); }

/* Held one by one, toes and ankle come too near each other or too far apart by a little: the one that stands keeps its
 * place. */
static void keep_feet_rigid(const work *w, int side, const double *toes_held, const double *ankle_held) {
    double length = foot_length(w, side);
    for (int f = 0; f < w->frames; f++) {
        double *toes = path_of(w, side)[f], *ankle = path_of(w, SIDES + side)[f], way[3];
        double firm = firmness(toes_held[f]), other = firmness(ankle_held[f]);
        double share = firm + other > 0 ? firm / (firm + other) : 0;
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

static double *held_of(const work *w, int point) { return w->held + (size_t)point * (size_t)w->frames; }

static void hold_feet(work *w, const lbt_contact_rule *rule) {
    static const int rigid[FOOT_POINTS] = {0, 1, 0, 1};
    lbt_place_contacts(w->contact_count, w->contacts, rigid, w->frames, (const double(*)[3])w->paths);
    for (int p = 0; p < FOOT_POINTS; p++) {
        lbt_hold_path(rule, w->contact_count, w->contacts, p, w->frames, path_of(w, p), held_of(w, p));
    }
    for (int side = 0; side < SIDES; side++) {
        if (w->has_point[side]) {
            keep_feet_rigid(w, side, held_of(w, side), held_of(w, SIDES + side));
        }
    }
}

/* The source's paths, the levels they stand at, and contacts; then the target's. */
static lb_status plan_feet(work *w) {
    lb_status status = LB_OK;
    lbt_contact_rule rule;
    for (int f = 0; f < w->frames && !status; f++) {
        status = read_source(w, f);
        for (int p = 0; p < FOOT_POINTS; p++) {
            if (w->source.segments[foot_part(p)] >= 0) {
                lbm_copy3(path_of(w, p)[f], w->source_w[foot_part(p)]);
            }
        }
    }
    if (status) {
        return status;
    }
    status = lbt_contact_rule_from(w->options.contacts, w->source.leg / LEG_OF_PERSON, lb_clip_frame_time(w->clip),
                                   &rule, w->error);
    if (status) {
        return status;
    }
    double *scratch = lbf_new(&w->allocator, (size_t)w->frames, sizeof *scratch);
    if (!scratch) {
        return LB_ERROR_MEMORY;
    }
    for (int side = 0; side < SIDES; side++) {
        w->level[side] = lbt_lowest_level(w->frames, (const double(*)[3])path_of(w, SIDES + side), scratch);
    }
    for (int p = 0; p < FOOT_POINTS && w->options.hold_feet; p++) {
        if (w->has[foot_part(p)]) {
            w->contact_count +=
                lbt_find_contacts(&rule, w->frames, (const double(*)[3])path_of(w, p), p, scratch,
                                  w->contact_capacity - w->contact_count, w->contacts + w->contact_count);
        }
    }
    lbf_delete(&w->allocator, scratch, (size_t)w->frames, sizeof *scratch);
    status = carry_feet(w);
    if (!status) {
        hold_feet(w, &rule);
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * Goals
 * ------------------------------------------------------------------------------------------------- */

static int add_goal(work *w, lb_goal_kind kind, const lb_effector *effector, double weight, lb_status *status) {
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

static lb_status add_goals(work *w) {
    const lbt_body *t = &w->target;
    const lb_retarget_options *o = &w->options;
    lb_status status = LB_OK;
    lb_effector hips = t->joints[LB_BODY_PART_PELVIS];
    double middle_w[3], back[4];
    for (int i = 0; i < PLACE_COUNT; i++) {
        w->place_ids[i] = -1;
    }
    /* half-way between the hip joints, on the pelvis */
    lb_frame pelvis;
    lb_kinematics_segment(w->kinematics[1], t->segments[LB_BODY_PART_PELVIS], &pelvis);
    middle(t->rest_w[LB_BODY_PART_THIGH], t->rest_w[LB_BODY_PART_THIGH + 1], middle_w);
    lbm_sub3(middle_w, pelvis.position, hips.point);
    lbt_turn_back(pelvis.rotation, back);
    lbm_quaternion_rotate(back, hips.point, hips.point);
    w->place_ids[HIPS] = add_goal(w, LB_GOAL_POSITION, &hips, o->weight_hips, &status);
    if (w->has[LB_BODY_PART_HEAD]) {
        w->place_ids[HEAD] = add_goal(w, LB_GOAL_POSITION, &t->joints[LB_BODY_PART_HEAD], o->weight_head, &status);
    }
    for (int side = 0; side < SIDES; side++) {
        if (w->source.arm[side] > 0 && t->arm[side] > 0) {
            w->place_ids[HANDS + side] =
                add_goal(w, LB_GOAL_POSITION, &t->joints[LB_BODY_PART_HAND + side], o->weight_hands, &status);
        }
    }
    for (int p = 0; p < FOOT_POINTS; p++) {
        if (w->has_point[p]) {
            w->place_ids[FEET + p] = add_goal(w, LB_GOAL_POSITION, &t->joints[foot_part(p)], o->weight_feet, &status);
        }
    }
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        /* trunk, head and hands say more than limbs, whose ends have goals */
        int is_hand = p == LB_BODY_PART_HAND || p == LB_BODY_PART_HAND + 1;
        double weight = p < LB_BODY_PART_CLAVICLE || is_hand ? o->weight_turns : 0.3 * o->weight_turns;
        w->turn_ids[p] = w->has[p] ? add_goal(w, LB_GOAL_ORIENTATION, &t->joints[p], weight, &status) : -1;
    }
    return status;
}

static void move_place(work *w, int place, const double point_w[3]) {
    lb_frame frame;
    if (w->place_ids[place] < 0) {
        return;
    }
    lb_frame_identity(&frame);
    lbm_copy3(frame.position, point_w);
    lb_problem_move_goal(w->problem, w->place_ids[place], &frame);
}

static void move_goals(work *w, int f) {
    double hips[3], chest[3], point[3];
    hips_goal(w, hips);
    chest_goal(w, hips, chest);
    move_place(w, HIPS, hips);
    if (w->has[LB_BODY_PART_HEAD]) {
        above_chest(w, chest, LB_BODY_PART_NECK, LB_BODY_PART_HEAD, point);
        move_place(w, HEAD, point);
    }
    for (int side = 0; side < SIDES; side++) {
        if (w->place_ids[HANDS + side] >= 0) {
            hand_goal(w, chest, side, point);
            move_place(w, HANDS + side, point);
        }
    }
    for (int p = 0; p < FOOT_POINTS; p++) {
        if (w->place_ids[FEET + p] < 0) {
            continue;
        }
        double held = held_of(w, p)[f];
        move_place(w, FEET + p, path_of(w, p)[f]);
        lb_problem_set_weight(w->problem, w->place_ids[FEET + p],
                              w->options.weight_feet * (IN_AIR + (1 - IN_AIR) * held));
    }
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        lb_frame frame;
        if (w->turn_ids[p] < 0) {
            continue;
        }
        lb_frame_identity(&frame);
        memcpy(frame.rotation, w->turn_w[p], sizeof frame.rotation);
        lb_problem_move_goal(w->problem, w->turn_ids[p], &frame);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * The wish: joints turned as the source's
 * ------------------------------------------------------------------------------------------------- */

/* How far up from pelvis to chest a segment of the spine is, 0 to 1; -1 where it is none. */
static double along_spine(const work *w, int segment) {
    int above = 0, below = 0, is_spine = 0;
    if (!w->has[LB_BODY_PART_CHEST]) {
        return -1;
    }
    for (int s = w->target.segments[LB_BODY_PART_CHEST]; s >= 0 && s != w->target.segments[LB_BODY_PART_PELVIS];
         s = lb_figure_parent_segment(w->target.figure, s)) {
        is_spine |= s == segment;
        if (is_spine) {
            below++;
        } else {
            above++;
        }
    }
    return is_spine ? (double)below / (above + below) : -1;
}

/* Turns of all segments: parts as wished, the spine between evenly, the rest as their parents at rest. */
static void find_turns(work *w) {
    for (int k = 0; k < w->segments; k++) {
        int s = w->order[k], parent = lb_figure_parent_segment(w->target.figure, s), part = -1;
        double back[4], turn[4], along = along_spine(w, s);
        for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
            if (w->has[p] && w->target.segments[p] == s) {
                part = p;
            }
        }
        if (part >= 0) {
            memcpy(w->turns[s], w->turn_w[part], sizeof turn);
        } else if (along >= 0) {
            double change[2][4];
            for (int i = 0; i < 2; i++) {
                int end = i ? LB_BODY_PART_CHEST : LB_BODY_PART_PELVIS;
                lbt_turn_back(w->target.rest_turn_w[end], back);
                lb_rotation_multiply(w->turn_w[end], back, change[i]);
            }
            lbt_turn_between(change[0], change[1], along, turn);
            lb_rotation_multiply(turn, w->rest_turns[s], w->turns[s]);
        } else if (parent >= 0) {
            lbt_turn_back(w->rest_turns[parent], back);
            lb_rotation_multiply(w->turns[parent], back, turn);
            lb_rotation_multiply(turn, w->rest_turns[s], w->turns[s]);
        } else {
            memcpy(w->turns[s], w->rest_turns[s], sizeof turn);
        }
    }
}

/* Joints' values that make these turns, nearest to those of the frame before. */
static void wish_joints(work *w) {
    const lb_figure *figure = w->target.figure;
    for (int s = 0; s < w->segments; s++) {
        int j = lb_figure_parent_joint(figure, s), variables[LB_JOINT_MAX_DOFS];
        if (j < 0) {
            continue;
        }
        const lb_joint *joint = lb_figure_joint(figure, j);
        const lb_site *a = lb_figure_site(figure, joint->site_a), *b = lb_figure_site(figure, joint->site_b);
        int count = lb_joint_type_dof_count(&joint->type), known = count > 0;
        double dofs[LB_JOINT_MAX_DOFS], turn_a[4], turn_b[4];
        for (int d = 0; d < count; d++) {
            variables[d] = lb_figure_variable_of(figure, &(lb_dof_ref){.joint = j, .dof = d, .parameter = -1});
            known &= variables[d] >= 0;
            dofs[d] = variables[d] >= 0 ? w->wish[variables[d]] : 0;
        }
        if (!known) {
            continue; /* a group's: goals alone move it */
        }
        lb_rotation_multiply(w->turns[a->segment], a->frame.rotation, turn_a);
        lb_rotation_multiply(w->turns[b->segment], b->frame.rotation, turn_b);
        lbt_turn_back(turn_a, turn_a);
        lb_rotation_multiply(turn_a, turn_b, turn_a);
        if (lb_joint_type_dofs(&joint->type, turn_a, dofs)) {
            continue;
        }
        for (int d = 0; d < count; d++) {
            if (lb_joint_type_is_angle(&joint->type, d)) {
                w->wish[variables[d]] = dofs[d];
            }
        }
    }
}

/* What carries the whole figure is wished to stay where the frame before had it: the goals move it. */
static void wish_place(work *w, const double *pose) {
    for (int v = 0; v < w->variables; v++) {
        const lb_variable *variable = lb_figure_variable(w->target.figure, v);
        int is_root = variable->ref.joint < 0 && variable->ref.parameter < 0;
        if (is_root || (!variable->is_angle && variable->ref.joint >= 0)) {
            w->wish[v] = pose[v];
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Frames
 * ------------------------------------------------------------------------------------------------- */

/* A rotation vector that has come round says the same by less than half a turn, far from where it is singular. */
static void unwind(const int variables[3], double *pose) {
    double v[3];
    for (int i = 0; i < 3; i++) {
        v[i] = pose[variables[i]];
    }
    double angle = lbm_norm3(v);
    for (int i = 0; i < 3 && angle > UNWIND_FROM; i++) {
        pose[variables[i]] = v[i] * (1 - LBM_TWO_PI / angle);
    }
}

static void unwind_all(const work *w, double *pose) {
    const lb_figure *figure = w->target.figure;
    if (lb_figure_root(figure)->is_free) {
        unwind((const int[3]){3, 4, 5}, pose);
    }
    for (int j = 0; j < lb_figure_joint_count(figure); j++) {
        const lb_joint_type *type = &lb_figure_joint(figure, j)->type;
        for (int e = 0, dof = 0; e < type->element_count; e++) {
            int is_vector = type->elements[e].kind == LB_ELEMENT_ROTATION, is_free = is_vector, variables[3];
            for (int i = 0; i < 3 && is_vector; i++) {
                variables[i] =
                    lb_figure_variable_of(figure, &(lb_dof_ref){.joint = j, .dof = dof + i, .parameter = -1});
                const lb_variable *variable = lb_figure_variable(figure, variables[i]);
                is_free = is_free && variable && !lbm_is_finite(variable->lower) && !lbm_is_finite(variable->upper);
            }
            if (is_free) {
                unwind(variables, pose);
            }
            dof += is_vector || type->elements[e].kind == LB_ELEMENT_SWING_TWIST ? 3 : 1;
        }
    }
}

/* The first frame's start: joints as wished, a free root where the pelvis should be. */
static void first_start(work *w, double *pose) {
    const lb_figure *figure = w->target.figure;
    const lb_root *root = lb_figure_root(figure);
    memcpy(pose, w->wish, (size_t)w->variables * sizeof *pose);
    if (root->is_free) {
        double back[4], goal[3], rest[3], way[3];
        lb_frame frame = root->placement;
        hips_goal(w, goal);
        middle(w->target.rest_w[LB_BODY_PART_THIGH], w->target.rest_w[LB_BODY_PART_THIGH + 1], rest);
        lbt_turn_back(w->target.rest_turn_w[LB_BODY_PART_PELVIS], back);
        lb_rotation_multiply(w->turn_w[LB_BODY_PART_PELVIS], back, back); /* the turn from rest */
        lb_rotation_multiply(back, frame.rotation, frame.rotation);
        lbm_sub3(root->placement.position, rest, way);
        lbm_quaternion_rotate(back, way, way);
        for (int i = 0; i < 3; i++) {
            frame.position[i] = goal[i] + way[i];
        }
        lbt_root_values(figure, &frame, pose);
    }
}

static lb_status solve_frames(work *w, lb_clip *out) {
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.keep_going = 1;
    if (lb_problem_set_stay(w->problem, STAY_WEIGHT)) {
        return LB_ERROR_MEMORY;
    }
    for (int f = 0; f < w->frames; f++) {
        double *pose = lb_clip_pose(out, f);
        if (w->options.on_frame && w->options.on_frame(w->options.on_frame_context, f)) {
            return lbf_fail(w->error, LB_ERROR_UNSUPPORTED, "stopped", NULL);
        }
        lb_status status = read_source(w, f);
        if (status) {
            return status;
        }
        move_goals(w, f);
        find_turns(w);
        wish_joints(w);
        if (f == 0) {
            first_start(w, pose);
        } else {
            memcpy(pose, lb_clip_pose(out, f - 1), (size_t)w->variables * sizeof *pose);
        }
        unwind_all(w, pose);
        for (int round = 0; round < (f == 0 ? FIRST_ROUNDS : 1) && !status; round++) {
            wish_place(w, pose);
            options.tracking = f > 0 || round > 0;
            status = lb_problem_set_posture(w->problem, w->wish, POSTURE_WEIGHT);
            if (!status) {
                status = lb_solver_solve(w->solver, &options, pose, &result);
            }
        }
        if (status) {
            return lbf_fail(w->error, status, "a frame cannot be solved", NULL);
        }
    }
    return LB_OK;
}

/* What came of it, looked up in the answers themselves. */
static lb_status look_at_feet(work *w, const lb_clip *out, lb_retarget_report *report) {
    double before[FOOT_POINTS][3], now[FOOT_POINTS][3], way[3], e[9];
    lb_retarget_report_defaults(report);
    report->contact_count = w->contact_count;
    for (int f = 0; f < w->frames; f++) {
        lb_status status = lb_kinematics_update(w->kinematics[1], lb_clip_const_pose(out, f));
        for (int p = 0; p < FOOT_POINTS && !status; p++) {
            if (!w->has_point[p]) {
                continue;
            }
            status = lb_kinematics_effector(w->kinematics[1], &w->target.joints[foot_part(p)], e);
            lbm_copy3(now[p], e);
            lbm_sub3(e, path_of(w, p)[f], way);
            double off = lbm_norm3(way);
            if (off > report->feet_off) {
                report->feet_off = off;
            }
        }
        if (status) {
            return status;
        }
        for (int k = 0; k < w->contact_count; k++) {
            const lb_contact *contact = &w->contacts[k];
            if (f <= contact->first || f > contact->last) {
                continue;
            }
            lbm_sub3(now[contact->point], before[contact->point], way);
            double slide = lbm_norm3(way);
            if (slide > report->slide) {
                report->slide = slide;
            }
        }
        memcpy(before, now, sizeof before);
    }
    return LB_OK;
}

static lb_status measure(work *w, const lb_clip *source, const lb_figure *target, const lb_body_map *map) {
    lb_status status =
        lbt_body_measure(lb_clip_figure(source), w->kinematics[0], map->source, "source", &w->source, w->error);
    if (!status) {
        status = lbt_body_measure(target, w->kinematics[1], map->target, "target", &w->target, w->error);
    }
    if (status) {
        return status;
    }
    for (int p = 0; p < LB_BODY_PART_COUNT; p++) {
        w->has[p] = p < LB_BODY_PART_THUMB && map->source[p] >= 0 && map->target[p] >= 0;
        if (w->has[p]) {
            lbt_body_carry(&w->source, &w->target, p, w->carry[p]);
        }
    }
    for (int p = 0; p < FOOT_POINTS; p++) {
        w->has_point[p] = map->target[foot_part(p)] >= 0;
    }
    w->leg_ratio = w->target.leg / w->source.leg;
    for (int s = 0; s < w->segments; s++) {
        lb_frame frame;
        lb_kinematics_segment(w->kinematics[1], s, &frame);
        memcpy(w->rest_turns[s], frame.rotation, sizeof frame.rotation);
    }
    lb_figure_tree_order(target, w->order);
    lb_figure_rest_pose(target, w->wish);
    return LB_OK;
}

static lb_status make_room(work *w, const lb_figure *target) {
    size_t cells = (size_t)FOOT_POINTS * (size_t)w->frames, segments = (size_t)w->segments;
    w->contact_capacity = FOOT_POINTS * (w->frames / 2 + 1); /* with a frame between any two */
    w->contacts = lbf_new(&w->allocator, (size_t)w->contact_capacity, sizeof *w->contacts);
    w->paths = lbf_new(&w->allocator, cells, sizeof *w->paths);
    w->held = lbf_new(&w->allocator, cells, sizeof *w->held);
    w->wish = lbf_new(&w->allocator, (size_t)w->variables + 1, sizeof *w->wish);
    w->rest_turns = lbf_new(&w->allocator, segments, sizeof *w->rest_turns);
    w->turns = lbf_new(&w->allocator, segments, sizeof *w->turns);
    w->order = lbf_new(&w->allocator, segments, sizeof *w->order);
    w->kinematics[0] = lb_kinematics_create(lb_clip_figure(w->clip), NULL);
    w->kinematics[1] = lb_kinematics_create(target, NULL);
    w->problem = lb_problem_create(target, NULL);
    return w->contacts && w->paths && w->held && w->wish && w->rest_turns && w->turns && w->order && w->kinematics[0] &&
                   w->kinematics[1] && w->problem
               ? LB_OK
               : LB_ERROR_MEMORY;
}

static void free_room(work *w) {
    size_t cells = (size_t)FOOT_POINTS * (size_t)w->frames, segments = (size_t)w->segments;
    lb_solver_destroy(w->solver);
    lb_problem_destroy(w->problem);
    for (int i = 0; i < 2; i++) {
        lb_kinematics_destroy(w->kinematics[i]);
    }
    lbf_delete(&w->allocator, w->contacts, (size_t)w->contact_capacity, sizeof *w->contacts);
    lbf_delete(&w->allocator, w->paths, cells, sizeof *w->paths);
    lbf_delete(&w->allocator, w->held, cells, sizeof *w->held);
    lbf_delete(&w->allocator, w->wish, (size_t)w->variables + 1, sizeof *w->wish);
    lbf_delete(&w->allocator, w->rest_turns, segments, sizeof *w->rest_turns);
    lbf_delete(&w->allocator, w->turns, segments, sizeof *w->turns);
    lbf_delete(&w->allocator, w->order, segments, sizeof *w->order);
}

lb_clip *lb_retarget(const lb_clip *source, const lb_figure *target, const lb_body_map *map,
                     const lb_retarget_options *options, lb_retarget_report *report, lb_error *error) {
    work w;
    memset(&w, 0, sizeof w);
    w.error = error;
    lb_retarget_options_defaults(&w.options);
    if (lbf_take_sized(&options_kind, options, &w.options, error) ||
        (report && lbf_check_sized(&report_kind, report, error))) {
        return NULL;
    }
    if (!source || !target || !map) {
        lbf_fail(w.error, LB_ERROR_ARGUMENT, "no source, target or map", NULL);
        return NULL;
    }
    const double weights[] = {w.options.weight_feet, w.options.weight_hips, w.options.weight_hands,
                              w.options.weight_head, w.options.weight_turns};
    if (!lbm_all_finite(weights, 5)) {
        lbf_fail(w.error, LB_ERROR_ARGUMENT, "a weight is not finite", NULL);
        return NULL;
    }
    w.clip = source;
    w.allocator = target->draft.allocator;
    w.frames = lb_clip_frame_count(source);
    w.variables = lb_figure_variable_count(target);
    w.segments = lb_figure_segment_count(target);
    lb_clip *out = lb_clip_create(target, w.frames, lb_clip_frame_time(source), NULL);
    lbf_clear(w.error);
    lb_status status = out ? make_room(&w, target) : LB_ERROR_MEMORY;
    if (!status) {
        status = measure(&w, source, target, map);
    }
    if (!status) {
        status = add_goals(&w);
    }
    if (!status && !(w.solver = lb_solver_create(w.problem, NULL))) {
        status = LB_ERROR_MEMORY;
    }
    if (!status) {
        status = plan_feet(&w);
    }
    if (!status) {
        status = solve_frames(&w, out);
    }
    lb_retarget_report found;
    if (!status && report) {
        status = look_at_feet(&w, out, &found);
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
