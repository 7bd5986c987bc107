/* Hips of a robot that step no farther than the source's: what motion/retarget/retarget_hips.c says, frame after
 * frame. */
#include "motion/robot/robot.h"

#define LIFT_STEP \
    0.3 /* of the source's largest step of the hips: so much a frame at most a lift changes by, where it made hips pop */

static lb_status hold(lbt_robot *r, double (*places)[3], int round, int *is_again) {
    lbt_retarget *w = r->w;
    for (int f = 0; f < w->count; f++) {
        lbm_apply(&r->states[f].pelvis, r->hips, places[f]);
    }
    lb_status status = lbt_retarget_calm_hips(w, r->leg, (const double(*)[3])places, round, is_again);
    for (int f = 0; f < w->count && !status && *is_again; f++) {
        lbt_goal *goal = &r->goals[w->first + f];
        lbm_copy3(goal->hold, w->hips.hold[w->first + f]);
        goal->hips_held = w->hips.held[w->first + f];
        if (goal->hips_held > 0 || (f && lbt_robot_is_too_far(r, f))) {
            lbt_robot_solve_again(r, f);
        }
    }
    return status;
}

lb_status lbt_robot_calm_hips(lbt_robot *r) {
    lbt_retarget *w = r->w;
    lb_status status = LB_OK;
    for (int f = 0; f < w->frames; f++) {
        double way[3];
        lbm_copy3(w->hips.path[f], r->goals[f].hips);
        lbm_sub3(w->hips.path[f], w->hips.path[f ? f - 1 : 0], way);
        w->hips.step = lbm_norm3(way) > w->hips.step ? lbm_norm3(way) : w->hips.step;
    }
    double(*places)[3] = lbf_new(&w->allocator, (size_t)w->count, sizeof *places);
    for (int round = 0, is_again = 1; places && is_again && !status && round < LBT_MOST_ROUNDS; round++) {
        status = hold(r, places, round, &is_again);
    }
    lbf_delete(&w->allocator, places, (size_t)w->count, sizeof *places);
    return places ? status : LB_ERROR_MEMORY;
}

/* How far soles are below the floor in a frame. */
static double depth_of(const lbt_robot *r, const lbt_state *state) {
    double low = 0;
    for (int side = 0; side < LBT_SIDES; side++) {
        lbm_transform foot;
        lbt_chain_end(&r->chains[LBT_LEGS + side], &state->pelvis, state->values[LBT_LEGS + side], &foot);
        for (int k = 0; k < 4; k++) {
            double corner[3];
            lbm_apply(&foot, r->soles[side].corners[k], corner);
            low = corner[2] < low ? corner[2] : low;
        }
    }
    return -low;
}

static double largest_step(const lbt_robot *r, const double *lifts) {
    double before[3] = {0, 0, 0}, most = 0;
    for (int f = 0; f < r->w->count; f++) {
        double place[3], way[3];
        lbm_apply(&r->states[f].pelvis, r->hips, place);
        place[2] += lifts[f];
        lbm_sub3(place, before, way);
        most = f && lbm_norm3(way) > most ? lbm_norm3(way) : most;
        lbm_copy3(before, place);
    }
    return most;
}

/* Where that makes hips pop, lifts come sooner and go later. */
lb_status lbt_robot_lift(lbt_robot *r) {
    const int count = r->w->count;
    const double step = lbt_retarget_hips_room(r->w, r->leg);
    double *lifts = lbf_new(&r->w->allocator, (size_t)count, sizeof *lifts);
    if (!lifts) {
        return LB_ERROR_MEMORY;
    }
    for (int f = 0; f < count; f++) {
        lifts[f] = depth_of(r, &r->states[f]);
    }
    if (largest_step(r, lifts) > LBT_MOST_STEPS * step) {
        for (int f = 1; f < count; f++) {
            lifts[f] = lifts[f - 1] - LIFT_STEP * step > lifts[f] ? lifts[f - 1] - LIFT_STEP * step : lifts[f];
        }
        for (int f = count - 2; f >= 0; f--) {
            lifts[f] = lifts[f + 1] - LIFT_STEP * step > lifts[f] ? lifts[f + 1] - LIFT_STEP * step : lifts[f];
        }
    }
    for (int f = 0; f < count; f++) {
        r->states[f].pelvis.p[2] += lifts[f];
    }
    lbf_delete(&r->w->allocator, lifts, (size_t)count, sizeof *lifts);
    return LB_OK;
}
