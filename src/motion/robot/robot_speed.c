/* Limits of speed over a whole clip.
 *
 * Of all curves that change by at most s a frame, (u + l) / 2 is the nearest to a curve q, by the largest distance,
 * where
 *     u(f) = min over g of q(g) + s |f - g|,   l(f) = max over g of q(g) - s |f - g|
 * (McShane's and Whitney's extensions). Two passes find each of them. A curve that keeps its limit stays as it is, to
 * the bit. What that moves of legs takes soles off the floor, so that legs and pelvis are solved once more, each frame
 * within what the one before allows. */
#include "motion/robot/robot.h"

#define WITHIN (1 - 1e-12) /* of a limit: for rounding */
#define SMOOTH_TIME 0.04   /* seconds before and after a frame that smoothing averages over */
#define MOST_SMOOTH 64     /* frames of these */

static double least(double a, double b) { return a < b ? a : b; }
static double larger(double a, double b) { return a > b ? a : b; }

/* A hinge over all frames; curves: 2 * count. Marks the frames that change. */
static void keep_speed(const lbt_robot *r, int chain, int i, double *curves, unsigned char *is_changed) {
    const int count = r->w->count;
    const double most = WITHIN * r->chains[chain].most[i];
    double *u = curves, *l = curves + count;
    if (!lbm_is_finite(most)) {
        return;
    }
    for (int f = 0; f < count; f++) {
        const double q = r->states[f].values[chain][i];
        u[f] = f ? least(q, u[f - 1] + most) : q;
        l[f] = f ? larger(q, l[f - 1] - most) : q;
    }
    for (int f = count - 2; f >= 0; f--) {
        u[f] = least(u[f], u[f + 1] + most);
        l[f] = larger(l[f], l[f + 1] - most);
    }
    for (int f = 0; f < count; f++) {
        double *q = &r->states[f].values[chain][i];
        if (u[f] != *q || l[f] != *q) {
            *q = 0.5 * (u[f] + l[f]);
            is_changed[f] = 1;
        }
    }
}

/* Every hinge is averaged over the frames around, the nearer ones more. */
static void smooth(const lbt_robot *r, int chain, int i, double *curves, unsigned char *is_changed) {
    (void)is_changed;
    const int count = r->w->count;
    const double frames = SMOOTH_TIME / r->frame_time;
    const int reach = frames < MOST_SMOOTH ? (int)frames : MOST_SMOOTH;
    for (int f = 0; f < count; f++) {
        double sum = 0, weights = 0;
        const int most = f < count - 1 - f ? f : count - 1 - f, around = reach < most ? reach : most;
        for (int k = -around; k <= around; k++) {
            const double weight = around + 1 - (k < 0 ? -k : k);
            sum += weight * r->states[f + k].values[chain][i];
            weights += weight;
        }
        curves[f] = sum / weights;
    }
    for (int f = 0; f < count; f++) {
        r->states[f].values[chain][i] = curves[f];
    }
}

int lbt_robot_is_too_far(const lbt_robot *r, int f) {
    for (int chain = 0; chain < LBT_CARRIER; chain++) {
        const lbt_chain *c = &r->chains[chain];
        for (int i = 0; i < c->count; i++) {
            if (c->variables[i] >= 0 &&
                fabs(r->states[f].values[chain][i] - r->states[f - 1].values[chain][i]) > c->most[i]) {
                return 1;
            }
        }
    }
    return 0;
}

void lbt_robot_solve_again(lbt_robot *r, int f) {
    const lbt_state wished = r->states[f];
    const lbt_goal *goal = &r->goals[r->w->first + f];
    r->before = f ? &r->states[f - 1] : NULL;
    r->wished = &wished;
    lbt_robot_solve_legs(r, goal, &r->states[f]);
    lbt_robot_part(r, goal, &r->states[f]);
    r->wished = NULL;
}

/* Calls a function for every hinge that moves. */
static void each_hinge(const lbt_robot *r, void (*change)(const lbt_robot *, int, int, double *, unsigned char *),
                       double *curves, unsigned char *is_changed) {
    for (int chain = 0; chain < LBT_CARRIER; chain++) {
        for (int i = 0; i < r->chains[chain].count; i++) {
            if (r->chains[chain].variables[i] >= 0) {
                change(r, chain, i, curves, is_changed);
            }
        }
    }
}

lb_status lbt_robot_keep_speeds(lbt_robot *r) {
    lbt_retarget *w = r->w;
    const size_t count = (size_t)w->count;
    double *curves = lbf_new(&w->allocator, 2 * count, sizeof *curves);
    unsigned char *is_changed = lbf_new(&w->allocator, count, sizeof *is_changed);
    lb_status status = curves && is_changed ? LB_OK : LB_ERROR_MEMORY;
    if (!status && w->options.smooth) {
        each_hinge(r, smooth, curves, is_changed);
        for (int f = 0; f < w->count; f++) {
            lbt_robot_solve_again(r, f);
        }
    }
    if (!status && w->options.keep_speeds) {
        each_hinge(r, keep_speed, curves, is_changed);
        r->is_bounded = 1;
        for (int f = 0; f < w->count; f++) {
            r->limited_frames += is_changed[f];
            if (is_changed[f] || (f && lbt_robot_is_too_far(r, f))) {
                lbt_robot_solve_again(r, f);
            }
        }
    }
    lbf_delete(&w->allocator, is_changed, count, sizeof *is_changed);
    lbf_delete(&w->allocator, curves, 2 * count, sizeof *curves);
    return status;
}
