/* How a scene goes on from the one before: roots from where they were, and goals without a jump. */
#include <string.h>

#include "math/rotation.h"
#include "motion/scene.h"
#include "motion/track.h"

#define LATE 1e-9 /* metres: what is nearer to its goal is not late */

/* Whether a reach of the scene before goes on: the same one by its place and name, which both ask for. */
static int goes_on(const lbt_scene *s, const lbt_scene *before, int i) {
    const lb_problem *was = before->problem, *is = s->problem;
    if (was->constraint_count != is->constraint_count) {
        return 0;
    }
    const lb_constraint *a = &was->constraints[i].constraint, *b = &is->constraints[i].constraint;
    return lbp_goal_is_point(&b->goal) && b->effector.kind == LB_EFFECTOR_FRAME && b->goal.carrier_segment < 0 &&
           a->goal.kind == b->goal.kind && a->name && b->name && strcmp(a->name, b->name) == 0 && !a->disabled &&
           !b->disabled;
}

void lbt_scene_begin(lbt_scene *s, int64_t begin, const double *entry, const lbt_scene *before) {
    if (!s) {
        return;
    }
    const lb_problem *p = s->stage->problem;
    const int is_same = before && before->stage == s->stage;
    s->begin = begin;
    s->lag_begin = is_same ? before->lag_begin : begin;
    for (int f = 0; f < s->figure_count; f++) {
        if (p->figures[f]->root_coordinates) {
            lbt_root_frame(p->figures[f], entry + p->first_variables[f], &s->onward[f]);
        }
    }
    if (is_same) {
        memcpy(s->warned, before->warned, (size_t)p->variable_count);
        memcpy(s->said, before->said, (size_t)p->constraint_count);
    }
    for (int i = 0; before && i < p->constraint_count; i++) {
        if (is_same) {
            s->lags[i] = before->lags[i];
        } else {
            s->lags[i].is_new = goes_on(s, before, i);
        }
    }
}

lb_status lbt_scene_drive_onward(const lbt_scene *s, const lbt_drive *d, const double value[7], double *pose) {
    double then[7], back[4];
    lb_frame frame = s->onward[d->index];
    lb_status status = lbt_track_at(d->track, lbt_seconds(s->begin), LBT_NEAR, 0, then);
    if (status) {
        return status;
    }
    for (int i = 0; i < 3; i++) {
        frame.position[i] += value[i] - then[i];
        back[i] = -then[3 + i];
    }
    back[3] = then[6];
    lb_rotation_multiply(value + 3, back, back);
    lb_rotation_multiply(back, frame.rotation, frame.rotation);
    lbt_root_values(lbt_stage_figure(s, d->index), &frame, pose + s->stage->problem->first_variables[d->index]);
    return LB_OK;
}

/* By how much an effector misses its goal in the scene's pose. */
static void find_lag(const lbt_scene *s, int i, lbt_lag *lag) {
    const lb_constraint *c = &s->problem->constraints[i].constraint;
    lb_frame frame;
    double at[3];
    lb_kinematics_segment(s->kinematics[c->figure], c->effector.segment, &frame);
    lbm_quaternion_rotate(frame.rotation, c->effector.point, at);
    lbm_add_scaled3(at, frame.position, 1);
    lbm_sub3(at, c->goal.point, lag->by);
    lag->is_late = !(fabs(lag->by[0]) < LATE && fabs(lag->by[1]) < LATE && fabs(lag->by[2]) < LATE);
    lag->is_new = 0;
}

lb_status lbt_scene_lag_goals(lbt_scene *s, int64_t time) {
    const double part = lbt_seconds(time - s->lag_begin) / LBT_LAG;
    const double left = part >= 1 ? 0 : 1 - part * part * part * (10 + part * (6 * part - 15));
    lb_status status = LB_OK;
    int has_new = 0;
    for (int i = 0; i < s->problem->constraint_count; i++) {
        has_new |= s->lags[i].is_new;
    }
    if (has_new) {
        status = lbt_scene_look(s);
    }
    for (int i = 0; i < s->problem->constraint_count && !status; i++) {
        lbt_lag *lag = &s->lags[i];
        lb_goal *goal = &s->problem->constraints[i].constraint.goal;
        if (lag->is_new) {
            find_lag(s, i, lag);
        }
        if (lag->is_late && left > 0) {
            lbm_add_scaled3(goal->point, lag->by, left);
            s->problem->moves++;
        }
    }
    return status;
}
