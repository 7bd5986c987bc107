/* The public calls. */
#include "reach/reach.h"

#include <math.h>
#include <string.h>

#include "figure/error.h"
#include "figure/kinematics/kinematics.h"
#include "figure/sized.h"
#include "math/rotation.h"
#include "math/rounding.h"

#define MEMORY ((size_t)32 << 20)
#define MEETING 1e-12     /* of the chain's length: from an axis to a point that lies on it */
#define NOT_PARALLEL 1e-6 /* the squared sine of an angle between axes that have a common normal worth looking for */

static const lbf_sized options_kind = LBF_SIZED(lb_reach_options, has_frames);
static const lbf_sized answer_kind = LBF_SIZED(lb_reach_answer, is_exact);

static const lb_reach_options option_defaults = {sizeof(lb_reach_options), -1, NULL, NULL, 0, 0, 1};
static const lb_reach_answer answer_defaults = {sizeof(lb_reach_answer), LB_REACH_UNKNOWN, 0, 0};

void lb_reach_options_defaults_sized(lb_reach_options *options, size_t struct_size) {
    lbf_default_sized(&options_kind, &option_defaults, options, struct_size);
}

void lb_reach_answer_defaults_sized(lb_reach_answer *answer, size_t struct_size) {
    lbf_default_sized(&answer_kind, &answer_defaults, answer, struct_size);
}

const char *lb_reach_kind_name(lb_reach_kind kind) {
    static const char *const names[] = {"unknown", "inside", "outside"};
    return (int)kind >= 0 && (size_t)kind < sizeof names / sizeof *names ? names[kind] : "unknown";
}

/* --- Making one -------------------------------------------------------------------------------------------- */

static lb_status check_arguments(const lb_figure *f, const lb_effector *e, const lb_reach_options *o, lb_error *error) {
    if (e->kind != LB_EFFECTOR_FRAME) {
        return lbf_refuse(error, LB_ERROR_UNSUPPORTED, "no workspace: the centre of mass is not carried by one chain");
    }
    if (!lbf_segment_exists(f, e->segment)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the end-effector's segment is out of range");
    }
    if (o->base_segment < -1 || o->base_segment >= f->draft.segment_count) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the base segment is out of range");
    }
    const double off = lbm_dot3(e->x, e->y);
    if (!lbm_all_finite(e->point, 3) || !(fabs(lbm_dot3(e->x, e->x) - 1) < 1e-9) ||
        !(fabs(lbm_dot3(e->y, e->y) - 1) < 1e-9) || !(fabs(off) < 1e-9)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT,
                          "the end-effector's x and y must be unit vectors at right angles, and its point finite");
    }
    if (o->pose && !lbm_all_finite(o->pose, f->variable_count)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the pose has a number that is not finite");
    }
    if (!lbm_is_finite(o->spacing)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "the spacing is not finite");
    }
    return LB_OK;
}

/* The point where the last axes meet, in the frame of the last link; how many links are left that move it. Of two axes
 * that do not meet it is a point of the last one, where it is nearest to the one before. */
static int find_wrist(const lbr_chain *chain, double point[3], double *slack) {
    int left = chain->count;
    const double near = MEETING * chain->length;
    lbm_set3(point, 0, 0, 0);
    if (!left || chain->links[left - 1].kind == LBF_NODE_TRANSLATE) {
        return left;
    }
    /* `at` is the point in the frame of link `left`, `point` in that of the last link, which turns about it. */
    double at[3] = {0, 0, 0};
    left--;
    if (chain->links[left].kind == LBF_NODE_ROTATE && left && chain->links[left - 1].kind != LBF_NODE_TRANSLATE) {
        const lbm_transform *t =
            &chain->links[left].constant; /* the axis of the link before is z of where t leads from */
        const double rise = t->z[2], tilt2 = 1 - rise * rise;
        if (chain->links[left - 1].kind == LBF_NODE_ROTATE) {
            /* p + s u is nearest to the z axis where its part across z is at right angles to that of u. */
            point[2] = tilt2 > NOT_PARALLEL ? -(t->p[0] * t->z[0] + t->p[1] * t->z[1]) / tilt2 : 0;
        } else {
            point[2] = -lbm_dot3(t->p, t->z);
        }
    }
    lbm_copy3(at, point);
    for (; left > 0; left--) {
        const lbr_link *before = &chain->links[left - 1];
        lbm_apply(&chain->links[left].constant, at, at);
        const double off = before->kind == LBF_NODE_ROTATE ? sqrt(at[0] * at[0] + at[1] * at[1]) : lbm_norm3(at);
        if (before->kind == LBF_NODE_TRANSLATE || off > near) {
            break;
        }
        *slack += off;
    }
    return left;
}

/* The workspace of the point that a frame settles. */
static lb_status make_wrist(lb_reach *reach, const lbr_detail *detail) {
    const lbr_chain *chain = &reach->chain;
    double point[3], at[3];
    reach->wrist_slack = chain->slack;
    const int left = find_wrist(chain, point, &reach->wrist_slack);
    lbm_transform inverse;
    lbm_transform_invert(&chain->tip, &inverse);
    lbm_apply(&inverse, point, reach->wrist.point);
    reach->wrist_slack +=
        chain->turn_slack * 2 * lbm_norm3(reach->wrist.point); /* it may be far from the axes' links */
    lbm_copy3(at, point);
    for (int i = chain->count - 1; i >= left; i--) { /* to the frame of the last link that moves it */
        lbm_apply(&chain->links[i].constant, at, at);
    }
    return lbr_space_make(&reach->wrist, chain, left, at, detail);
}

static lb_status prepare(lb_reach *reach, const lbr_request *request, const lb_reach_options *o, lb_error *error) {
    lbr_chain *chain = &reach->chain;
    lb_status status = lbr_chain_make(chain, request, error);
    if (status) {
        return status;
    }
    const size_t memory = o->memory ? o->memory : MEMORY;
    lbr_detail detail = {o->spacing, memory / (reach->has_frames ? 2 : 1), 1};
    status = lbr_space_make(&reach->tip, chain, chain->count, chain->tip.p, &detail);
    detail.with_inner = 0;
    if (!status && reach->has_frames) {
        status = make_wrist(reach, &detail);
    }
    return status ? lbf_refuse(error, status, "out of memory") : LB_OK;
}

lb_reach *lb_reach_create(const lb_figure *f, const lb_effector *effector, const lb_reach_options *options,
                          lb_error *error) {
    lb_reach_options o = option_defaults;
    if (!f || !effector) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "a figure and an end-effector are needed");
    }
    if (lbf_take_sized(&options_kind, options, &o, error) || check_arguments(f, effector, &o, error)) {
        return NULL;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbf_none(error, LB_ERROR_UNSUPPORTED, LBM_NOT_NEAREST);
    }
    lb_reach *reach = lbf_new(&f->draft.allocator, 1, sizeof *reach);
    if (!reach) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    reach->allocator = f->draft.allocator;
    reach->chain.allocator = &reach->allocator;
    reach->has_frames = o.has_frames != 0;
    const lbr_request request = {f, effector, o.base_segment >= 0 ? o.base_segment : f->draft.root.segment, o.moves,
                                 o.pose};
    if (prepare(reach, &request, &o, error)) {
        lb_reach_destroy(reach);
        return NULL;
    }
    lbf_clear(error);
    return reach;
}

void lb_reach_destroy(lb_reach *reach) {
    if (!reach) {
        return;
    }
    const lb_allocator allocator = reach->allocator;
    lbr_space_free(&reach->tip, &allocator);
    lbr_space_free(&reach->wrist, &allocator);
    lbr_chain_free(&reach->chain);
    lbf_delete(&allocator, reach, 1, sizeof *reach);
}

/* --- Questions --------------------------------------------------------------------------------------------- */

static lb_status check_question(const lb_reach *reach, const double *position, const lb_reach_answer *answer) {
    if (!reach || !position || !answer || !lbm_all_finite(position, 3)) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_check_sized(&answer_kind, answer, NULL) ? LB_ERROR_STRUCT : LB_OK;
}

lb_status lb_reach_point(const lb_reach *reach, const double point_w[3], lb_reach_answer *answer) {
    const lb_status status = check_question(reach, point_w, answer);
    if (status) {
        return status;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lb_reach_answer made = answer_defaults;
    lbr_space_ask(&reach->tip, reach->chain.slack, point_w, &made);
    lbf_give_sized(&answer_kind, &made, answer);
    return LB_OK;
}

lb_status lb_reach_frame(const lb_reach *reach, const lb_frame *frame_w, lb_reach_answer *answer) {
    const lb_status status = check_question(reach, frame_w ? frame_w->position : NULL, answer);
    if (status) {
        return status;
    }
    lb_frame unit = *frame_w;
    if (!lbm_quaternion_normalise(unit.rotation)) {
        return LB_ERROR_ARGUMENT;
    }
    if (!reach->has_frames) {
        return LB_ERROR_UNSUPPORTED;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lb_reach_answer made = answer_defaults, other = answer_defaults;
    lbm_transform goal;
    double wrist_w[3];
    lbm_transform_from_frame(&unit, &goal);
    lbm_apply(&goal, reach->wrist.point, wrist_w);
    lbr_space_ask(&reach->tip, reach->chain.slack, unit.position, &made);
    lbr_space_ask(&reach->wrist, reach->wrist_slack, wrist_w, &other);
    if (other.verdict == LB_REACH_OUTSIDE && (made.verdict != LB_REACH_OUTSIDE || other.distance > made.distance)) {
        made = other;
    }
    if (made.verdict != LB_REACH_OUTSIDE) { /* the point is within reach, or may be: the rotation is not looked at */
        made = answer_defaults;
    }
    made.is_exact = 0;
    lbf_give_sized(&answer_kind, &made, answer);
    return LB_OK;
}

lb_status lb_reach_box(const lb_reach *reach, double low_w[3], double high_w[3]) {
    if (!reach || !low_w || !high_w) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return LB_ERROR_UNSUPPORTED;
    }
    lbr_zone_box(&reach->tip.zones[0], &reach->tip.from_first, low_w, high_w);
    for (int i = 0; i < 3; i++) {
        low_w[i] -= reach->chain.slack;
        high_w[i] += reach->chain.slack;
    }
    return LB_OK;
}
