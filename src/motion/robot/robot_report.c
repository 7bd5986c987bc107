/* What came of a robot's motion: measured in the poses that came out. */
#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "motion/robot/robot.h"

#define AT_LIMIT 1e-6
#define OVERLAP 1e-3 /* metres: what overlaps less is not counted */

static const int uppers[LBT_LIMBS] = {LB_BODY_PART_THIGH, LB_BODY_PART_THIGH + 1, LB_BODY_PART_UPPER_ARM,
                                      LB_BODY_PART_UPPER_ARM + 1};

/* A frame as it came out. */
typedef struct sight {
    double ways[LBT_LIMBS][2][3];
    double points[LBT_SIDES][2][3];
    lbm_transform trunk[2]; /* pelvis and chest */
} sight;

typedef struct tally {
    double limb_sum, wrist_sum, ankle_sum, limited, at_limit;
    double turns[2]; /* of source and target */
    double hips;     /* the target's largest step */
    int limbs, wrists, ankles;
} tally;

static double larger(double a, double b) { return a > b ? a : b; }

static double angle(const double a[3], const double b[3]) {
    double across[3];
    lbm_cross3(a, b, across);
    return lbm_atan2(lbm_norm3(across), lbm_dot3(a, b));
}

static const lbm_transform *frame_of(const lbt_robot *r, const lbt_chain *c, int i) {
    return &r->kinematics->frames[c->nodes[i]];
}

static void see(const lbt_robot *r, sight *seen) {
    for (int limb = 0; limb < LBT_LIMBS; limb++) {
        const lbt_chain *c = &r->chains[limb];
        for (int k = 0; k < 2 && c->count; k++) {
            lbm_rotate(frame_of(r, c, c->middle - 1 + k), c->ways[k], seen->ways[limb][k]);
        }
    }
    for (int side = 0; side < LBT_SIDES; side++) {
        const lbt_chain *c = &r->chains[LBT_LEGS + side];
        for (int k = 0; k < 2; k++) {
            lbm_apply(frame_of(r, c, c->count - 1), r->soles[side].points[k], seen->points[side][k]);
        }
    }
    seen->trunk[0] = r->kinematics->frames[r->pelvis];
    seen->trunk[1] = r->kinematics->frames[r->chest];
}

/* How far the end of a limb is from the source's, in lengths of the limb. shares: of the upper part, of source and
 * target. */
static double end_off(const double is[2][3], const double should[2][3], double source_share, double target_share) {
    double way[3];
    for (int i = 0; i < 3; i++) {
        way[i] = target_share * is[0][i] + (1 - target_share) * is[1][i] - source_share * should[0][i] -
                 (1 - source_share) * should[1][i];
    }
    return lbm_norm3(way);
}

/* The share of the upper part in a limb of the source. */
static double share_of_source(const lbt_robot *r, int limb) {
    const lbt_body *b = &r->w->source;
    double ways[2][3];
    for (int k = 0; k < 2; k++) {
        lbm_sub3(b->rest_w[uppers[limb] + LBT_SIDES * (k + 1)], b->rest_w[uppers[limb] + LBT_SIDES * k], ways[k]);
    }
    const double upper = lbm_norm3(ways[0]), lower = lbm_norm3(ways[1]);
    return upper + lower > 0 ? upper / (upper + lower) : 0.5;
}

static double share_of_target(const lbt_chain *c) {
    double way[3];
    lbm_sub3(c->ends[2], c->ends[1], way);
    return 1 - lbm_norm3(way) / c->length;
}

static void judge_limbs(const lbt_robot *r, int frame, const sight *seen, tally *t, lb_retarget_report *report) {
    const lbt_goal *goal = &r->goals[frame];
    for (int limb = 0; limb < LBT_LIMBS; limb++) {
        const lbt_chain *c = &r->chains[limb];
        int known = 0;
        for (int k = 0; k < 2 && c->count; k++) {
            if (!(lbm_dot3(goal->ways[limb][k], goal->ways[limb][k]) > 0)) {
                continue;
            }
            const double off = angle(seen->ways[limb][k], goal->ways[limb][k]);
            known++;
            t->limb_sum += off;
            t->limbs++;
            if (report->worst_part < 0 || off > report->limb_worst) {
                report->limb_worst = off;
                report->worst_part = uppers[limb] + LBT_SIDES * k;
                report->worst_frame = frame - r->w->first;
            }
        }
        if (known == 2) {
            const double off =
                end_off(seen->ways[limb], goal->ways[limb], share_of_source(r, limb), share_of_target(c));
            const int is_leg = limb < LBT_ARMS;
            *(is_leg ? &t->ankle_sum : &t->wrist_sum) += off;
            *(is_leg ? &t->ankles : &t->wrists) += 1;
            double *worst = is_leg ? &report->ankle_worst : &report->wrist_worst;
            *worst = larger(*worst, off);
        }
    }
}

static void judge_feet(const lbt_robot *r, int frame, const sight *seen, const sight *before,
                       lb_retarget_report *report) {
    const lbt_goal *goal = &r->goals[frame], *last = frame > r->w->first ? &r->goals[frame - 1] : NULL;
    for (int side = 0; side < LBT_SIDES; side++) {
        const lbt_chain *c = &r->chains[LBT_LEGS + side];
        const lbm_transform *foot = frame_of(r, c, c->count - 1);
        for (int k = 0; k < 2; k++) {
            double way[3];
            lbm_sub3(seen->points[side][k], goal->points[side][k], way);
            report->feet_off = larger(report->feet_off, lbm_norm3(way));
            if (last && goal->held[side][k] >= 1 && last->held[side][k] >= 1) {
                lbm_sub3(seen->points[side][k], before->points[side][k], way);
                lbt_retarget_judge_slide(lbm_norm3(way), (k ? LB_BODY_PART_FOOT : LB_BODY_PART_TOES) + side,
                                         frame - r->w->first, report);
            }
        }
        if (goal->held[side][0] >= 1 && goal->held[side][1] >= 1) {
            static const double up[3] = {0, 0, 1};
            double normal[3];
            lbm_rotate(foot, r->soles[side].axes[2], normal);
            report->tilt = larger(report->tilt, angle(normal, up));
        }
        for (int k = 0; k < 4; k++) {
            double corner[3];
            lbm_apply(foot, r->soles[side].corners[k], corner);
            report->below = larger(report->below, -corner[2]);
        }
    }
}

static double turn_of(const lbm_transform *a, const lbm_transform *b) {
    const double trace = lbm_dot3(a->x, b->x) + lbm_dot3(a->y, b->y) + lbm_dot3(a->z, b->z);
    return lbm_acos(larger(-1, trace > 3 ? 1 : 0.5 * (trace - 1)));
}

static void judge_turns(const lbt_robot *r, int frame, const sight *seen, const sight *before, tally *t) {
    const lbt_goal *goals[2] = {&r->goals[frame - 1], &r->goals[frame]};
    for (int limb = 0; limb < LBT_LIMBS; limb++) {
        for (int k = 0; k < 2 && r->chains[limb].count; k++) {
            if (lbm_dot3(goals[1]->ways[limb][k], goals[1]->ways[limb][k]) > 0) {
                t->turns[0] = larger(t->turns[0], angle(goals[0]->ways[limb][k], goals[1]->ways[limb][k]));
                t->turns[1] = larger(t->turns[1], angle(before->ways[limb][k], seen->ways[limb][k]));
            }
        }
    }
    for (int k = 0; k < 2; k++) {
        double back[4], way[4], v[3];
        lbt_turn_back(goals[0]->turns[k], back);
        lb_rotation_multiply(goals[1]->turns[k], back, way);
        lbm_logarithm(way, v);
        t->turns[0] = larger(t->turns[0], lbm_norm3(v));
        t->turns[1] = larger(t->turns[1], turn_of(&before->trunk[k], &seen->trunk[k]));
    }
}

static void judge_hips(const lbt_robot *r, int frame, const sight *seen, const sight *before, tally *t,
                       lb_retarget_report *report) {
    double way[3], from[3], to[3];
    lbm_apply(&before->trunk[0], r->hips, from);
    lbm_apply(&seen->trunk[0], r->hips, to);
    lbm_sub3(to, from, way);
    if (lbm_norm3(way) > t->hips) {
        t->hips = lbm_norm3(way);
        report->hips_frame = frame - r->w->first;
    }
}

static void judge_values(const lbt_robot *r, const double *pose, const double *before, tally *t,
                         lb_retarget_report *report) {
    for (int v = 0; v < r->w->variables; v++) {
        const lb_variable *variable = lb_figure_variable(r->figure, v);
        if (variable->rigidity < 1 && (lbm_is_finite(variable->lower) || lbm_is_finite(variable->upper)) &&
            variable->lower < variable->upper) {
            t->limited += 1;
            t->at_limit += pose[v] <= variable->lower + AT_LIMIT || pose[v] >= variable->upper - AT_LIMIT;
        }
        if (before && lbm_is_finite(variable->velocity)) {
            report->speed = larger(report->speed, fabs(pose[v] - before[v]) / (variable->velocity * r->frame_time));
        }
    }
}

static int is_upright(const lbt_robot *r) {
    for (int side = 0; side < LBT_SIDES; side++) {
        const lbt_chain *c = &r->chains[LBT_LEGS + side];
        double hip[3], ankle[3], way[3];
        lbm_apply(&r->kinematics->frames[r->pelvis], c->ends[0], hip);
        lbm_apply(frame_of(r, c, c->middle), c->ends[2], ankle);
        lbm_sub3(ankle, hip, way);
        if (!(way[2] < -0.7 * lbm_norm3(way))) {
            return 0;
        }
    }
    return 1;
}

lb_status lbt_robot_look(lbt_robot *r, const lb_clip *out, lb_retarget_report *report) {
    sight seen[2];
    tally t;
    memset(&t, 0, sizeof t);
    memset(seen, 0, sizeof seen);
    lbt_retarget_begin_report(r->w, report);
    report->is_robot = 1;
    report->limited_frames = r->limited_frames;
    lb_status status = lb_kinematics_update(r->kinematics, r->rest_pose);
    report->is_target_upright = is_upright(r);
    for (int f = 0; f < r->w->count && !status; f++) {
        sight *now = &seen[f % 2];
        const sight *before = &seen[(f + 1) % 2];
        const double *pose = lb_clip_const_pose(out, f);
        int segments[2];
        status = lb_kinematics_update(r->kinematics, pose);
        see(r, now);
        judge_limbs(r, r->w->first + f, now, &t, report);
        judge_feet(r, r->w->first + f, now, before, report);
        judge_values(r, pose, f ? lb_clip_const_pose(out, f - 1) : NULL, &t, report);
        if (f) {
            const double turn = t.turns[1];
            judge_turns(r, r->w->first + f, now, before, &t);
            report->jump_frame = t.turns[1] > turn ? f : report->jump_frame;
            judge_hips(r, r->w->first + f, now, before, &t, report);
        }
        const double deep = lbt_robot_overlap(r, segments);
        report->overlapping_frames += deep > OVERLAP;
        if (deep > report->penetration) {
            report->penetration = deep;
            report->overlap_a = segments[0], report->overlap_b = segments[1], report->overlap_frame = f;
        }
    }
    report->limb_mean = t.limbs ? t.limb_sum / t.limbs : 0;
    report->wrist_mean = t.wrists ? t.wrist_sum / t.wrists : 0;
    report->ankle_mean = t.ankles ? t.ankle_sum / t.ankles : 0;
    lbt_retarget_sum_up(r->w, r->leg, t.turns, t.hips, report);
    report->at_limits = t.limited > 0 ? t.at_limit / t.limited : 0;
    return status;
}
