/* What came of a retargeting: measured in the poses that came out, against those of the source, whatever the goals
 * were. */
#include "figure/figure.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"
#include "motion/retarget/retarget.h"

#define AT_LIMIT 1e-6   /* radians, or metres */
#define LEAST_TURN 1e-3 /* radians a frame: what turns less does not turn */

/* Both bodies in one frame. */
typedef struct sight {
    double at_w[2][LB_BODY_PART_COUNT][3], turn_w[2][LB_BODY_PART_COUNT][4];
} sight;

/* Sums and extremes so far. */
typedef struct tally {
    double limb_sum, wrist_sum, ankle_sum;
    int limbs, wrists, ankles;
    double turn[2]; /* largest from frame to frame: source's, target's */
    double hips;    /* largest step of the middle of the target's hips */
    double limited, at_limit;
} tally;

static double larger(double a, double b) { return a > b ? a : b; }

static lb_status see(lbt_retarget *w, const lb_clip *out, int frame, sight *seen) {
    const double *const poses[2] = {lbt_source_pose(w, frame), lb_clip_const_pose(out, frame - w->first)};
    const lbt_body *bodies[2] = {&w->source, &w->target};
    for (int k = 0; k < 2; k++) {
        lb_status status = lb_kinematics_update(w->kinematics[k], poses[k]);
        for (int p = 0; p < LB_BODY_PART_COUNT && !status; p++) {
            if (bodies[k]->segments[p] >= 0) {
                status = lbt_body_part(bodies[k], p, seen->at_w[k][p], seen->turn_w[k][p]);
            }
        }
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

static int has_both(const lbt_retarget *w, int part) {
    return w->source.segments[part] >= 0 && w->target.segments[part] >= 0;
}

/* The angle between a limb and the source's; -1 where either has no length. */
static double limb_angle(const sight *seen, int part) {
    double ways[2][3], across[3];
    for (int k = 0; k < 2; k++) {
        lbm_sub3(seen->at_w[k][part + LBT_SIDES], seen->at_w[k][part], ways[k]);
        if (!(lbm_norm3(ways[k]) > 0)) {
            return -1;
        }
    }
    lbm_cross3(ways[0], ways[1], across);
    return lbm_atan2(lbm_norm3(across), lbm_dot3(ways[0], ways[1]));
}

/* How far the end of a limb is from where the source has it, seen from the limb's beginning in lengths of the limb. */
static double end_off(const sight *seen, int first, int last, double source_length, double target_length) {
    double way[3], other[3];
    lbm_sub3(seen->at_w[0][last], seen->at_w[0][first], way);
    lbm_sub3(seen->at_w[1][last], seen->at_w[1][first], other);
    for (int i = 0; i < 3; i++) {
        way[i] = other[i] / target_length - way[i] / source_length;
    }
    return lbm_norm3(way);
}

static void judge_limbs(const lbt_retarget *w, int frame, const sight *seen, tally *t, lb_retarget_report *report) {
    static const int limbs[] = {LB_BODY_PART_UPPER_ARM, LB_BODY_PART_FOREARM, LB_BODY_PART_THIGH, LB_BODY_PART_SHANK};
    for (int k = 0; k < 4 * LBT_SIDES; k++) {
        int part = limbs[k / LBT_SIDES] + k % LBT_SIDES;
        double angle = has_both(w, part) && has_both(w, part + LBT_SIDES) ? limb_angle(seen, part) : -1;
        if (angle >= 0) {
            t->limb_sum += angle;
            t->limbs++;
            if (report->worst_part < 0 || angle > report->limb_worst) {
                report->limb_worst = angle;
                report->worst_part = part;
                report->worst_frame = frame - w->first;
            }
        }
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        int hand = LB_BODY_PART_HAND + side, shoulder = LB_BODY_PART_UPPER_ARM + side;
        if (has_both(w, hand) && has_both(w, shoulder) && w->source.arm[side] > 0 && w->target.arm[side] > 0) {
            double off = end_off(seen, shoulder, hand, w->source.arm[side], w->target.arm[side]);
            t->wrist_sum += off;
            t->wrists++;
            report->wrist_worst = larger(report->wrist_worst, off);
        }
        double off = end_off(seen, LB_BODY_PART_THIGH + side, LB_BODY_PART_FOOT + side, w->source.leg, w->target.leg);
        t->ankle_sum += off;
        t->ankles++;
        report->ankle_worst = larger(report->ankle_worst, off);
    }
}

static void judge_turns(const lbt_retarget *w, int frame, const sight *seen, const sight *before, tally *t,
                        lb_retarget_report *report) {
    for (int p = 0; p < LB_BODY_PART_THUMB; p++) {
        for (int k = 0; k < 2 && w->has[p]; k++) {
            double back[4], way[4], v[3];
            lbt_turn_back(before->turn_w[k][p], back);
            lb_rotation_multiply(seen->turn_w[k][p], back, way);
            lbm_logarithm(way, v);
            if (lbm_norm3(v) > t->turn[k]) {
                t->turn[k] = lbm_norm3(v);
                report->jump_frame = k ? frame - w->first : report->jump_frame;
            }
        }
    }
}

static void judge_hips(const lbt_retarget *w, int frame, const sight *seen, const sight *before, tally *t,
                       lb_retarget_report *report) {
    double way[3] = {0, 0, 0};
    for (int side = 0; side < LBT_SIDES; side++) {
        lbm_add_scaled3(way, seen->at_w[1][LB_BODY_PART_THIGH + side], 0.5);
        lbm_add_scaled3(way, before->at_w[1][LB_BODY_PART_THIGH + side], -0.5);
    }
    if (lbm_norm3(way) > t->hips) {
        t->hips = lbm_norm3(way);
        report->hips_frame = frame - w->first;
    }
}

static void judge_limits(const lbt_retarget *w, const double *pose, tally *t) {
    for (int v = 0; v < w->variables; v++) {
        const lb_variable *variable = lb_figure_variable(w->target.figure, v);
        if (variable->rigidity < 1 && (lbm_is_finite(variable->lower) || lbm_is_finite(variable->upper)) &&
            variable->lower < variable->upper) {
            t->limited += 1;
            t->at_limit += pose[v] <= variable->lower + AT_LIMIT || pose[v] >= variable->upper - AT_LIMIT;
        }
    }
}

/* Feet: how far they are from their paths, and how far those in contact slide. */
static void judge_feet(const lbt_retarget *w, int frame, const sight *seen, const sight *before,
                       lb_retarget_report *report) {
    double way[3];
    for (int p = 0; p < LBT_FOOT_POINTS; p++) {
        if (w->has_point[p]) {
            lbm_sub3(seen->at_w[1][lbt_foot_part(p)], lbt_foot_path(w, p)[frame], way);
            report->feet_off = larger(report->feet_off, lbm_norm3(way));
        }
    }
    for (int p = 0; p < LBT_FOOT_POINTS && frame > w->first; p++) {
        const double *held = lbt_foot_held(w, p);
        if (w->has[lbt_foot_part(p)] && held[frame] >= 1 &&
            held[frame - 1] >= 1) { /* of one contact: others are apart */
            lbm_sub3(seen->at_w[1][lbt_foot_part(p)], before->at_w[1][lbt_foot_part(p)], way);
            lbt_retarget_judge_slide(lbm_norm3(way), lbt_foot_part(p), frame - w->first, report);
        }
    }
}

void lbt_retarget_begin_report(const lbt_retarget *w, lb_retarget_report *report) {
    lb_retarget_report_defaults(report);
    report->contact_count = w->contacts.count;
    report->reference_frame = w->reference_frame < 0 ? -1 : w->lead + w->reference_frame;
    report->first_frame = w->lead + w->first;
    report->worst_part = report->worst_frame = report->overlap_a = report->overlap_b = report->overlap_frame = -1;
    report->slide_part = report->slide_frame = report->jump_frame = report->hips_frame = -1;
}

void lbt_retarget_judge_slide(double slide, int part, int frame, lb_retarget_report *report) {
    if (slide > report->slide) {
        report->slide = slide;
        report->slide_part = part;
        report->slide_frame = frame;
    }
}

void lbt_retarget_sum_up(const lbt_retarget *w, double leg, const double turns[2], double hips,
                         lb_retarget_report *report) {
    const double frame_time = lb_clip_frame_time(w->clip);
    report->size = lbt_retarget_size(leg);
    report->slide_speed = report->slide / frame_time;
    report->jump = turns[0] > LEAST_TURN ? turns[1] / turns[0] : 0;
    report->hips_step = hips / lbt_retarget_hips_room(w, leg);
}

lb_status lbt_retarget_look(lbt_retarget *w, const lb_clip *out, lb_retarget_report *report) {
    sight seen[2];
    tally t = {0};
    lbt_retarget_begin_report(w, report);
    report->is_target_upright = lbt_body_stands(&w->target);
    for (int f = w->first; f < w->first + w->count; f++) {
        sight *now = &seen[f % 2];
        const sight *before = &seen[(f + 1) % 2];
        lb_status status = see(w, out, f, now);
        if (status) {
            return status;
        }
        judge_feet(w, f, now, before, report);
        judge_limbs(w, f, now, &t, report);
        judge_limits(w, lb_clip_const_pose(out, f - w->first), &t);
        if (f > w->first) {
            judge_turns(w, f, now, before, &t, report);
            judge_hips(w, f, now, before, &t, report);
        }
    }
    report->limb_mean = t.limbs ? t.limb_sum / t.limbs : 0;
    report->wrist_mean = t.wrists ? t.wrist_sum / t.wrists : 0;
    report->ankle_mean = t.ankles ? t.ankle_sum / t.ankles : 0;
    lbt_retarget_sum_up(w, w->target.leg, t.turn, t.hips, report);
    report->at_limits = t.limited > 0 ? t.at_limit / t.limited : 0;
    return LB_OK;
}
