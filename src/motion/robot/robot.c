/* A robot that moves as the source does: frame after frame, then limits of speed over the whole clip. */
#include "motion/robot/robot.h"

#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "math/rounding.h"
#include "motion/humanoid/humanoid.h"

/* --- What carries the whole
 * ---------------------------------------------------------------------------------------- */

/* How a floating joint, or the root, follows from where its node is. */
static lb_status measure_base(lbt_robot *r) {
    const lb_figure *f = r->figure;
    lbm_transform back, end;
    lb_frame frame;
    r->base_joint = -1;
    lbm_transform_invert(&r->kinematics->frames[r->base], &back);
    if (f->draft.root.is_free) {
        lb_status status = f->draft.root.site >= 0
                               ? lb_kinematics_site(r->kinematics, f->draft.root.site, &frame)
                               : lb_kinematics_segment(r->kinematics, f->draft.root.segment, &frame);
        lbm_transform_from_frame(&frame, &end);
        lbm_transform_multiply(&back, &end, &r->base_offset);
        return status;
    }
    for (int j = 0; j < lb_figure_joint_count(f); j++) {
        const lb_joint *joint = lb_figure_joint(f, j);
        const lb_joint_type *t = &joint->type;
        int is_straight = t->element_count == 4 && t->elements[3].kind == LB_ELEMENT_ROTATION;
        for (int i = 0; i < 3 && is_straight; i++) {
            is_straight = t->elements[i].kind == LB_ELEMENT_TRANSLATE && t->elements[i].axis[i] == 1;
        }
        if (is_straight && lb_figure_site(f, joint->site_a)->segment == f->draft.root.segment) {
            r->base_joint = j;
            lb_kinematics_site(r->kinematics, joint->site_a, &frame);
            lbm_transform_from_frame(&frame, &r->base_from);
            lb_kinematics_site(r->kinematics, joint->site_b, &frame);
            lbm_transform_from_frame(&frame, &end);
            lbm_transform_multiply(&back, &end, &r->base_offset);
            return LB_OK;
        }
    }
    return lbf_fail(r->w->error, LB_ERROR_UNSUPPORTED,
                    "what carries the target is no free root, nor a joint of three lengths and a rotation", NULL);
}

static void set_base(const lbt_robot *r, const lbm_transform *node, double *pose) {
    static const lb_joint_type rotation = {1, {{LB_ELEMENT_ROTATION, {0, 0, 0}}}};
    lbm_transform end, back, seen;
    lb_frame frame;
    lbm_transform_multiply(node, &r->base_offset, &end);
    if (r->base_joint < 0) {
        lbm_transform_to_frame(&end, &frame);
        lbt_root_values(r->figure, &frame, pose);
        return;
    }
    const int first = r->figure->coordinate_variable[r->figure->first_coordinate[r->base_joint]];
    lbm_transform_invert(&r->base_from, &back);
    lbm_transform_multiply(&back, &end, &seen);
    lbm_transform_to_frame(&seen, &frame);
    lbm_copy3(pose + first, frame.position);
    lb_joint_type_dofs(&rotation, frame.rotation, pose + first + 3);
}

/* Values of the base in pose are those that the new ones are to be near. */
void lbt_robot_pose(const lbt_robot *r, const lbt_state *state, double *pose) {
    static const lbm_transform here = {{1, 0, 0, 0}, {0, 1, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 0}};
    const lbt_chain *carrier = &r->chains[LBT_CARRIER];
    for (int chain = 0; chain < LBT_CARRIER; chain++) {
        for (int i = 0; i < r->chains[chain].count; i++) {
            if (r->chains[chain].variables[i] >= 0) {
                pose[r->chains[chain].variables[i]] = state->values[chain][i];
            }
        }
    }
    lbm_transform base = state->pelvis;
    if (carrier->count) {
        double values[LBT_HINGES];
        lbm_transform end, back;
        for (int i = 0; i < carrier->count; i++) {
            values[i] = carrier->variables[i] >= 0 ? pose[carrier->variables[i]] : carrier->rest[i];
        }
        lbt_chain_end(carrier, &here, values, &end);
        lbm_transform_invert(&end, &back);
        lbm_transform_multiply(&state->pelvis, &back, &base);
    }
    set_base(r, &base, pose);
}

/* --- All frames ------------------------------------------------------------------------------------------------------------ */

static lb_status make_room(lbt_robot *r) {
    lbt_retarget *w = r->w;
    r->goals = lbf_new(&w->allocator, (size_t)w->frames, sizeof *r->goals);
    r->states = lbf_new(&w->allocator, (size_t)w->count, sizeof *r->states);
    r->pose = lbf_new(&w->allocator, (size_t)w->variables, sizeof *r->pose);
    r->rest_pose = lbf_new(&w->allocator, (size_t)w->variables, sizeof *r->rest_pose);
    r->pairs.free_arms = lbf_new(&w->allocator, (size_t)w->count, sizeof *r->pairs.free_arms);
    return r->goals && r->states && r->pose && r->rest_pose && r->pairs.free_arms ? LB_OK : LB_ERROR_MEMORY;
}

static void free_room(lbt_robot *r) {
    lbt_retarget *w = r->w;
    lbt_robot_free_pairs(r);
    lbf_delete(&w->allocator, r->goals, (size_t)w->frames, sizeof *r->goals);
    lbf_delete(&w->allocator, r->states, (size_t)w->count, sizeof *r->states);
    lbf_delete(&w->allocator, r->pairs.free_arms, (size_t)w->count, sizeof *r->pairs.free_arms);
    lbf_delete(&w->allocator, r->pose, (size_t)w->variables, sizeof *r->pose);
    lbf_delete(&w->allocator, r->rest_pose, (size_t)w->variables, sizeof *r->rest_pose);
}

/* All hinges at rest. */
static void put_at_rest(const lbt_robot *r, lbt_state *state) {
    for (int chain = 0; chain < LBT_CHAINS; chain++) {
        memcpy(state->values[chain], r->chains[chain].rest, sizeof state->values[chain]);
    }
    state->pelvis = r->rest_pelvis;
    state->chest = r->rest_chest;
}

static lb_status solve_frames(lbt_robot *r) {
    lbt_retarget *w = r->w;
    int is_pushed = 0;
    for (int f = 0; f < w->count; f++) {
        lbt_goal *goal = &r->goals[w->first + f];
        if (w->options.on_frame && w->options.on_frame(w->options.on_frame_context, w->lead + w->first + f)) {
            return lbf_fail(w->error, LB_ERROR_UNSUPPORTED, "stopped", NULL);
        }
        if (f == 0) {
            put_at_rest(r, &r->states[0]);
            lbt_robot_lean(r, goal, &r->states[0]);
            lbt_robot_solve_first(r, goal, &r->states[0]);
        } else {
            r->before = &r->states[f - 1];
            r->states[f] = r->states[f - 1];
            memcpy(r->states[f].values[LBT_ARMS], r->pairs.free_arms[f - 1], sizeof r->pairs.free_arms[f - 1]);
            lbt_robot_lean(r, goal, &r->states[f]);
            lbt_robot_solve(r, goal, &r->states[f]);
        }
        memcpy(r->pairs.free_arms[f], r->states[f].values[LBT_ARMS], sizeof r->pairs.free_arms[f]);
        is_pushed |= lbt_robot_part(r, goal, &r->states[f]);
    }
    return is_pushed ? lbt_robot_ease(r) : LB_OK;
}

/* Writes the poses. */
static void write_poses(const lbt_robot *r, lb_clip *out) {
    const double *before = r->rest_pose;
    for (int f = 0; f < r->w->count; f++) {
        double *pose = lb_clip_pose(out, f);
        memcpy(pose, before, (size_t)r->w->variables * sizeof *pose);
        lbt_robot_pose(r, &r->states[f], pose);
        before = pose;
    }
}

lb_status lbt_robot_retarget(lbt_retarget *w, const lb_figure *target, const lb_body_map *map, lb_clip *out,
                             lb_retarget_report *report) {
    lbt_robot r;
    memset(&r, 0, sizeof r);
    LBM_ROUND_TO_NEAREST(rounding);
    r.w = w, r.figure = target, r.kinematics = w->kinematics[1];
    r.frame_time = lb_clip_frame_time(w->clip);
    lb_status status = make_room(&r);
    if (!status) {
        lb_figure_rest_pose(target, r.rest_pose);
        memcpy(r.pose, r.rest_pose, (size_t)w->variables * sizeof *r.pose);
        status = lbt_retarget_measure_source(w, map);
    }
    status = status ? status : lbt_robot_measure(&r, map);
    status = status ? status : measure_base(&r);
    status = status ? status : lbt_robot_find_pairs(&r);
    status = status ? status : lbt_robot_set_goals(&r);
    status = status ? status : lbt_robot_plan_feet(&r);
    status = status ? status : solve_frames(&r);
    status = status ? status : lbt_robot_keep_speeds(&r);
    status = status ? status : lbt_robot_calm_hips(&r);
    status = status ? status : lbt_robot_lift(&r);
    if (!status) {
        write_poses(&r, out);
    }
    if (!status && report) {
        status = lbt_robot_look(&r, out, report);
    }
    free_room(&r);
    return status;
}
