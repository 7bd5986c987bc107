/* From one way to stand to another. Where a way to stand comes to its end, answers are as far from the pose before as
 * they may be: the body goes over to another one a bit in each frame, while the part follows the hand. Now and then it
 * asks itself how it would stand if it began anew. And a hand that comes back finds the body as it was: closed loops
 * end where they began. */
#include <string.h>

#include "math/vec.h"
#include "solve/drag/drag.h"

#define WAY 10          /* weight of another way to stand, against the terms of the body */
#define NEARER 0.9      /* of how far it was: that is on the way there */
#define EASIER 0.8      /* of the cost of the present way: that is worth the way */
#define TRIES 3         /* frames that bring it no nearer: it is there, or cannot be reached */
#define ANEW 60         /* iterations to find it, of each start, */
#define ANEW_OF_ALL 120 /* and evaluations of all */
#define RETHINK 0.05    /* metres that the part has moved when it is looked for again */
#define FLOWS 0.9       /* of the change: where one changes by so much, the body goes over to another way to stand */
#define NEARBY 0.012    /* metres: a pose that was taken so near is compared with the present one */
#define SLIGHT 0.02     /* radians that no segment has turned further: a pose is the same */
#define AS_EASY 0.02    /* costs of terms that differ by less are alike */
#define SLID 1e-4       /* metres that a foot may be off */
#define GLIDE 0.12      /* radians that a segment turns in a frame */

static double distance(const double a[3], const double b[3]) {
    double way[3];
    lbm_sub3(a, b, way);
    return lbm_norm3(way);
}

static void copy_pose(const lb_drag *drag, double *to, const double *from) {
    memcpy(to, from, (size_t)drag->variables * sizeof *to);
}

/* From here on the body prefers this pose to all else, below its goals. */
static void begin_way(lb_drag *drag, const double *pose) {
    lbs_drag_body *b = &drag->body;
    copy_pose(drag, drag->body.way, pose);
    b->has_way = 1;
    b->way_tries = 0;
    b->way_far = INFINITY;
    b->is_flowing = 0;
    b->is_careful = 1;
    lb_problem_set_posture(drag->problem, pose, WAY);
}

/* The body has arrived where it comes no nearer to the pose that it prefers. */
static void watch_arrival(lb_drag *drag, const double *pose) {
    lbs_drag_body *b = &drag->body;
    const double far = lbs_drag_far(drag, drag->body.way, pose);
    b->way_tries = far < NEARER * b->way_far ? 0 : b->way_tries + 1;
    b->way_far = lbs_least(b->way_far, far);
    if (b->way_tries >= TRIES) {
        b->has_way = 0;
        lb_problem_set_posture(drag->problem, drag->pose, 0);
    }
}

void lbs_drag_watch(lb_drag *drag, const double *trial, double change, int is_solved) {
    lbs_drag_body *b = &drag->body;
    const int was_flowing = b->is_flowing;
    b->is_flowing = !b->has_way && is_solved && lbs_drag_far(drag, drag->pose, trial) > FLOWS * change;
    b->glides += b->is_flowing && !was_flowing;
    b->has_ease = is_solved && !b->has_way;
    b->ease = b->has_ease ? lbs_drag_cost(drag) : 0;
    b->is_careful = b->has_way && is_solved;
    if (b->has_way) {
        watch_arrival(drag, is_solved ? trial : drag->pose);
    }
}

/* Feet that may step stay meanwhile, or (is_done) may step again. */
static void plant(lb_drag *drag, lb_foot_mode *modes, int is_done) {
    lb_problem *p = drag->problem;
    for (int f = 0; f < p->figure_count; f++) {
        for (int limb = 0; limb < LB_BODY_LIMBS && lb_problem_body(p, f); limb++) {
            lb_foot_mode *mode = &p->bodies[f].options.feet_modes[limb], *kept = &modes[f * LB_BODY_LIMBS + limb];
            if (is_done) {
                *mode = *kept;
                continue;
            }
            *kept = *mode;
            *mode = *mode == LB_FOOT_MODE_AUTO ? LB_FOOT_MODE_PLANTED : *mode;
        }
    }
    p->shape++;
    p->revision++;
}

/* How the body would stand if it had not moved yet, with its feet where they are. Returns whether that costs less. */
static int stand_anew(lb_drag *drag, double cost, double *trial) {
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.max_iterations = ANEW;
    o.max_evaluations = ANEW_OF_ALL;
    plant(drag, drag->room.feet, 0);
    copy_pose(drag, trial, drag->begin);
    lbs_drag_solve(drag, &o, trial);
    const int is_better = drag->solved.outcome == LB_OUTCOME_SOLVED && lbs_drag_cost(drag) < EASIER * cost;
    plant(drag, drag->room.feet, 1);
    return is_better && lbs_drag_slid(drag, trial, &drag->body.stood) <= SLID;
}

void lbs_drag_think_body(lb_drag *drag) {
    lbs_drag_body *b = &drag->body;
    if (!b->is_think_due) {
        return;
    }
    b->is_think_due = 0;
    const lb_frame here = lbs_drag_here(drag, drag->pose);
    lbm_copy3(b->asked_w, here.position);
    b->has_asked = 1;
    lbs_drag_aim(drag, &here, lbs_drag_miss(drag, &here), b->carrot);
    if (stand_anew(drag, b->ease, drag->room.trial)) {
        b->glides++;
        begin_way(drag, drag->room.trial);
    }
}

void lbs_drag_note_thought(lb_drag *drag) {
    lbs_drag_body *b = &drag->body;
    const lb_frame here = lbs_drag_here(drag, drag->pose);
    if (!b->has_asked) {
        lbm_copy3(b->asked_w, here.position);
        b->has_asked = 1;
    }
    b->is_think_due = !b->has_way && b->lifted < 0 && b->has_ease && distance(b->asked_w, here.position) > RETHINK;
    drag->settled &= !b->is_think_due;
}

/* --- What was before ------------------------------------------------------------------------------------------------------- */

/* The way back to what was easier, where that meets the goal, too, and costs less than a limit. Feet that have stepped
 * since step back. */
static int go_back(lb_drag *drag, const double *pose, double limit) {
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.tracking = 1;
    o.max_iterations = drag->options.max_iterations;
    copy_pose(drag, drag->room.trial, pose);
    lbs_drag_soles(drag, pose, &drag->room.soles);
    const lb_frame here = lbs_drag_here(drag, drag->pose);
    lbs_drag_aim(drag, &here, lbs_drag_miss(drag, &here), drag->options.carrot);
    lbs_drag_solve(drag, &o, drag->room.trial);
    if (drag->solved.outcome != LB_OUTCOME_SOLVED || lbs_drag_slid(drag, drag->room.trial, &drag->room.soles) > SLID ||
        lbs_drag_cost(drag) >= limit) {
        return 0;
    }
    lbs_drag_glide(drag, drag->room.trial, 1, GLIDE);
    return 1;
}

/* Poses on the way are remembered, and where one near here was easier than the present one, the body goes back to it.
 * Returns whether the body is under way. */
int lbs_drag_remember(lb_drag *drag) {
    lbs_drag_body *b = &drag->body;
    if (drag->options.turns) {
        return 0;
    }
    const lb_frame here = lbs_drag_here(drag, drag->pose);
    const double cost = lbs_drag_cost(drag);
    double far = INFINITY;
    int near = -1;
    for (int i = 0; i < b->known.count; i++) {
        const double to = distance(drag->body.known.at[i], here.position);
        if (to < far) {
            far = to;
            near = i;
        }
    }
    if (!(far < NEARBY)) {
        if (b->known.count < LBS_DRAG_POSES) {
            lbm_copy3(drag->body.known.at[b->known.count], here.position);
            drag->body.known.cost[b->known.count] = cost;
            copy_pose(drag, drag->body.known.poses + (ptrdiff_t)b->known.count * drag->variables, drag->pose);
            b->known.count++;
        }
        return 0;
    }
    double *pose = drag->body.known.poses + (ptrdiff_t)near * drag->variables;
    const int is_here = far < LBS_DRAG_NEAR;
    if (is_here && drag->body.known.cost[near] > cost + AS_EASY) {
        drag->body.known.cost[near] = cost;
        copy_pose(drag, pose, drag->pose);
    }
    const double limit = is_here ? cost + AS_EASY : 0.9 * cost - AS_EASY;
    return drag->body.known.cost[near] < limit && lbs_drag_turn(drag, drag->pose, pose, 0) > SLIGHT &&
           go_back(drag, pose, limit);
}
