/* Hips that no source moves so: a stance that cannot be reached gives way.
 *
 * Where feet stand farther from the hips' goal than legs reach, or limits of ankles let a stance be met by one pose
 * here and by another there, hips follow at once, for nothing else holds them. What they are off their goal by is a
 * curve c over the frames. If hips step farther in a frame than LBT_MOST_STEPS of the source's largest, each coordinate
 * of c becomes (u + l) / 2, where
 *     u(f) = min over g of c(g) + s |f - g|,   l(f) = max over g of c(g) - s |f - g|
 * (McShane's and Whitney's extensions): of all curves that change by at most s a frame the nearest to c, by the largest
 * distance. Hips are held there, more firmly than feet, and frames are solved again: then feet give way, slowly, as s
 * is a part of the source's largest step. Where hips step no farther nothing changes. */
#include "figure/memory.h"
#include "math/vec.h"
#include "motion/retarget/retarget.h"

#define ROOM 0.95      /* of what is left beside the source's own step */
#define LEAST_OFF 1e-3 /* metres of a person: where c changes by more, hips are held */
#define FADE_TIME 0.2  /* seconds in which that comes and goes */

double lbt_retarget_hips_room(const lbt_retarget *w, double leg) {
    const double least = LBT_LEAST_SPEED * lbt_retarget_size(leg) * lb_clip_frame_time(w->clip);
    return w->hips.step > least ? w->hips.step : least;
}

/* The nearest curve that changes from frame f - 1 to f by at most most[f], in place, of every third number. curves: 2 *
 * count. */
static void limit_steps(int count, const double *most, double *c, double *curves) {
    double *u = curves, *l = curves + count;
    for (int f = 0; f < count; f++) {
        u[f] = f && u[f - 1] + most[f] < c[3 * f] ? u[f - 1] + most[f] : c[3 * f];
        l[f] = f && l[f - 1] - most[f] > c[3 * f] ? l[f - 1] - most[f] : c[3 * f];
    }
    for (int f = count - 2; f >= 0; f--) {
        u[f] = u[f + 1] + most[f + 1] < u[f] ? u[f + 1] + most[f + 1] : u[f];
        l[f] = l[f + 1] - most[f + 1] > l[f] ? l[f + 1] - most[f + 1] : l[f];
    }
    for (int f = 0; f < count; f++) {
        c[3 * f] = u[f] == l[f] ? c[3 * f] : 0.5 * (u[f] + l[f]);
    }
}

/* Around frames in which hips are held they are held less and less. */
static void fade(int count, int frames, double *held) {
    const double step = 1.0 / (frames + 1);
    for (int f = 1; f < count; f++) {
        held[f] = held[f] > held[f - 1] - step ? held[f] : held[f - 1] - step;
    }
    for (int f = count - 2; f >= 0; f--) {
        held[f] = held[f] > held[f + 1] - step ? held[f] : held[f + 1] - step;
    }
}

lb_status lbt_retarget_calm_hips(lbt_retarget *w, double leg, const double (*places)[3], int round, int *is_changed) {
    /* of a step that is bounded along each axis: hips that pop mostly go one way */
    static const double shares[LBT_MOST_ROUNDS] = {1, 0.8, 0.57, 0.4};
    const size_t count = (size_t)w->count;
    const double step = lbt_retarget_hips_room(w, leg), fade_frames = FADE_TIME / lb_clip_frame_time(w->clip);
    double largest = 0;
    *is_changed = 0;
    for (int f = 1; f < w->count; f++) {
        double way[3];
        lbm_sub3(places[f], places[f - 1], way);
        largest = lbm_norm3(way) > largest ? lbm_norm3(way) : largest;
    }
    if (largest <= LBT_MOST_STEPS * step) {
        return LB_OK;
    }
    double(*c)[3] = lbf_new(&w->allocator, count, sizeof *c);
    double *curves = lbf_new(&w->allocator, 3 * count, sizeof *curves); /* the first: how far c may change */
    lb_status status = c && curves ? LB_OK : LB_ERROR_MEMORY;
    for (int f = 0; f < w->count && !status; f++) {
        double way[3] = {0, 0, 0};
        lbm_sub3(places[f], w->hips.path[w->first + f], c[f]);
        if (f) {
            lbm_sub3(w->hips.path[w->first + f], w->hips.path[w->first + f - 1], way);
        }
        curves[f] = ROOM * shares[round] * (LBT_MOST_STEPS * step - lbm_norm3(way));
    }
    for (int i = 0; i < 3 && !status; i++) {
        limit_steps(w->count, curves, &c[0][i], curves + count);
    }
    for (int f = 0; f < w->count && !status; f++) {
        double *hold = w->hips.hold[w->first + f], way[3];
        lbm_copy3(hold, w->hips.path[w->first + f]);
        lbm_add_scaled3(hold, c[f], 1);
        lbm_sub3(hold, places[f], way);
        if (lbm_norm3(way) > LEAST_OFF * lbt_retarget_size(leg)) {
            w->hips.held[w->first + f] = 1;
            *is_changed = 1;
        }
    }
    if (!status) {
        fade(w->count, fade_frames < 1000 ? (int)fade_frames : 1000, w->hips.held + w->first);
    }
    lbf_delete(&w->allocator, curves, 3 * count, sizeof *curves);
    lbf_delete(&w->allocator, c, count, sizeof *c);
    return status;
}

lb_status lbt_retarget_hold_hips(lbt_retarget *w, const lb_clip *out, int round, int *is_changed) {
    double(*places)[3] = lbf_new(&w->allocator, (size_t)w->count, sizeof *places);
    lb_status status = places ? LB_OK : LB_ERROR_MEMORY;
    for (int f = 0; f < w->count && !status; f++) {
        status = lb_kinematics_update(w->kinematics[1], lb_clip_const_pose(out, f));
        lbm_set3(places[f], 0, 0, 0);
        for (int side = 0; side < LBT_SIDES && !status; side++) {
            double place[3], turn[4];
            status = lbt_body_part(&w->target, LB_BODY_PART_THIGH + side, place, turn);
            lbm_add_scaled3(places[f], place, 0.5);
        }
    }
    status = status ? status : lbt_retarget_calm_hips(w, w->target.leg, (const double(*)[3])places, round, is_changed);
    lbf_delete(&w->allocator, places, (size_t)w->count, sizeof *places);
    return status;
}
