/* Drags of figures that are not posed as bodies: robots, mechanisms, the bare problem.
 *
 * What holds - pins, balance, obstacles - outweighs the pull three hundredfold, and what the pull still costs it is
 * taken back by a second solve without the pull, so that it stays within a hundredth of a millimetre however far out of
 * reach one pulls. Strict priority levels would say the same, but take ten times as long where the pull is out of reach
 * (they restore the higher rows after each step); a problem with levels of its own keeps them.
 *
 * So that nothing pops, the pull is a carrot: its goal is at most a few centimetres from where the part is now, which
 * has the same resting places as the far goal but never a large step; there is a wish to stay, and no variable moves by
 * more than a third of a radian a frame. Rounds follow until the part is there, is blocked, or the frame's budget of
 * work is spent. */
#include <string.h>

#include "math/vec.h"
#include "solve/drag/drag.h"

#define HOLD 300       /* how much more what holds counts */
#define CARROT 0.05    /* metres that the goal is ahead at most */
#define CARROT_RAD 0.3 /* radians */
#define STAY 3e-3      /* the wish to stay where the pull is blocked, */
#define REST 3e-4      /* and where it is not: nothing swims that the pull does not need */
#define ROUNDS 8
#define EVALUATIONS 30 /* a frame's work */
#define MOVE 0.3       /* radians or metres that a variable moves in a frame at most, or nearly so */
#define CREEP 1e-5     /* radians or metres that are no move */
#define CLOSE 0.005    /* metres from the target: what is missing is what the wishes cost */
#define EXACT 1e-5     /* metres that what holds may be off */
#define POSTURE 2e-5   /* how much every variable would rather be where it was when the pull began */
#define ITERATIONS 12
#define CLEAN_ITERATIONS 20

static lb_solve_options solve_options(int iterations) {
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.tracking = 1;
    o.max_iterations = iterations;
    o.gradient_tolerance = 1e-7;
    return o;
}

/* Weighs what holds heavily, and wants it back to a hundredth of a millimetre, whatever counts as met. */
static void hold(lb_constraint *c) {
    c->weight *= HOLD;
    for (int i = 0; i < 3; i++) {
        c->tolerance[i] = lbs_least(c->tolerance[i], EXACT);
    }
    c->tolerance_rad = lbs_least(c->tolerance_rad, 5 * EXACT);
}

/* Whether a constraint is one that holds, or another one that counts (is_other): not what is pulled. */
static int is_of(const lb_drag *drag, int index, int is_other) {
    const lbs_before *b = &drag->was.constraints[index];
    const int at = lbp_index_of(drag->problem, b->id);
    return at >= 0 && b->id != drag->id && !b->is_off && (b->holds != 0) != (is_other != 0);
}

void lbs_drag_set_stay(lb_drag *drag, double weight) {
    const double wanted = lbs_most(weight, drag->was.stay);
    if (wanted != drag->plain.stay) {
        lb_problem_set_stay(drag->problem, wanted);
    }
    drag->plain.stay = wanted;
}

lb_status lbs_drag_prepare_plain(lb_drag *drag) {
    lb_problem *p = drag->problem;
    lb_drag_options *o = &drag->options;
    o->carrot = o->carrot > 0 ? o->carrot : CARROT;
    o->carrot_rad = o->carrot_rad > 0 ? o->carrot_rad : CARROT_RAD;
    o->max_change = o->max_change > 0 ? o->max_change : MOVE;
    o->max_iterations = o->max_iterations > 0 ? o->max_iterations : ITERATIONS;
    for (int i = 0; i < drag->was.count; i++) {
        const int index = lbp_index_of(p, drag->was.constraints[i].id);
        drag->was.constraints[i].is_off = p->constraints[index].constraint.disabled;
        if (is_of(drag, i, 0)) {
            hold(&p->constraints[index].constraint);
        }
    }
    p->revision++;
    drag->plain.stay = -1;
    drag->plain.posture = drag->segment < 0 ? 0 : POSTURE; /* a goal that is no place would not be quite met */
    lb_problem_set_wish_level(p, LB_WISH_LEVEL_GOALS);     /* the part gives way to them, so that it does not twitch */
    lb_status status = lb_problem_set_posture(p, drag->begin, drag->plain.posture);
    lbs_drag_set_stay(drag, 0);
    return status;
}

/* --- A frame ------------------------------------------------------------------------------------------------------------- */

/* The goal itself is where it should be: for goals that are no place to bring a point to. */
static void direct(lb_drag *drag) {
    const lb_solve_options o = solve_options(drag->options.max_iterations);
    int work = 0;
    lbs_drag_move_goal(drag, &drag->target);
    lbs_drag_set_stay(drag, REST);
    for (int round = 0; round < ROUNDS && work < EVALUATIONS && !drag->settled && !drag->status; round++) {
        memcpy(drag->room.other, drag->pose, (size_t)drag->variables * sizeof *drag->room.other);
        lbs_drag_solve(drag, &o, drag->pose);
        work += drag->solved.evaluations;
        drag->settled = 1;
        for (int i = 0; i < drag->solved.constraint_count; i++) {
            drag->settled &= drag->solved.constraints[i].met || !drag->solved.constraints[i].counted;
        }
        drag->settled |= lbs_drag_far(drag, drag->pose, drag->room.other) < CREEP;
    }
}

/* What the wishes cost near the target is added to the goal, so that it is met in the end (the method of
 * multipliers). */
static void lead(lb_drag *drag, const lb_frame *here) {
    for (int i = 0; i < 3; i++) {
        drag->plain.offset[i] = drag->plain.offset[i] + (drag->target.position[i] - here->position[i]);
    }
}

/* One round towards the carrot. Returns 1 where the frame is done. */
static int chase_on(lb_drag *drag, lb_frame *here, lbs_miss *miss, int *work) {
    const lb_solve_options o = solve_options(drag->options.max_iterations);
    const lbs_miss was = *miss;
    lbs_drag_set_stay(drag, drag->blocked ? STAY : REST);
    const int is_aimed = lbs_drag_aim(drag, here, was, drag->options.carrot) == 1;
    lbs_drag_solve(drag, &o, drag->pose);
    *work += drag->solved.evaluations;
    *here = lbs_drag_here(drag, drag->pose);
    *miss = lbs_drag_miss(drag, here);
    const double gain = lbs_most(was.distance - miss->distance, (was.angle - miss->angle) / LBS_DRAG_PER_TURN);
    const double asked = lbs_most(lbs_least(was.distance, drag->options.carrot),
                                  lbs_least(was.angle, drag->options.carrot_rad) / LBS_DRAG_PER_TURN);
    const int is_slow = miss->distance > 0.1 * was.distance, is_close = is_aimed && miss->distance < CLOSE;
    drag->blocked = !is_close && gain < 0.3 * asked;
    if ((miss->distance < LBS_DRAG_NEAR && miss->angle < LBS_DRAG_NEAR) || (!is_close && gain < 2 * LBS_DRAG_NEAR)) {
        drag->settled = 1;
        return 1;
    }
    if (!is_close) {
        for (int i = 0; i < 3; i++) {
            drag->plain.offset[i] *= 0.5;
        }
    } else if (is_slow) {
        lead(drag, here);
    }
    return 0;
}

static void chase(lb_drag *drag) {
    int work = 0;
    lb_frame here = lbs_drag_here(drag, drag->pose);
    lbs_miss miss = lbs_drag_miss(drag, &here);
    for (int round = 0; round < ROUNDS && work < EVALUATIONS && !drag->status &&
                        lbs_drag_far(drag, drag->pose, drag->room.frame_begin) < drag->options.max_change / 2;
         round++) {
        if (chase_on(drag, &here, &miss, &work)) {
            return;
        }
    }
}

/* Shortens a frame's move that would be a jump; the next frames make up for it. */
static int slow_down(lb_drag *drag) {
    const double most = lbs_drag_far(drag, drag->pose, drag->room.frame_begin);
    if (most <= drag->options.max_change) {
        return 0;
    }
    for (int v = 0; v < drag->variables; v++) {
        const double from = drag->room.frame_begin[v];
        drag->pose[v] = from + (drag->pose[v] - from) * drag->options.max_change / most;
    }
    drag->settled = 0;
    return 1;
}

/* Switches all that does not hold off, or on again. */
static void switch_others(lb_drag *drag, int is_on) {
    for (int i = 0; i < drag->was.count; i++) {
        if (is_of(drag, i, 1)) {
            lb_problem_enable(drag->problem, drag->was.constraints[i].id, is_on);
        }
    }
    lb_problem_enable(drag->problem, drag->id, is_on);
}

static int is_hold_missed(const lb_drag *drag) {
    for (int i = 0; i < drag->solved.constraint_count; i++) {
        const lb_constraint_result *r = &drag->solved.constraints[i];
        for (int k = 0; k < drag->was.count && r->counted && !r->met; k++) {
            if (drag->was.constraints[k].id == r->id && is_of(drag, k, 0)) {
                return 1;
            }
        }
    }
    return 0;
}

/* What holds goes back to where it was, if the pull has cost it anything; what the drag tells is then seen anew. */
static void clean_up(lb_drag *drag, int is_needed) {
    if (!is_needed && !is_hold_missed(drag)) {
        lbs_drag_keep(drag, &drag->now);
        return;
    }
    lb_solve_options o = solve_options(CLEAN_ITERATIONS);
    lbs_drag_keep(drag, &drag->now);
    const int limit_count = drag->now.result.limit_count, iterations = drag->now.result.iterations;
    switch_others(drag, 0);
    lb_problem_set_posture(drag->problem, drag->begin, 0);
    lbs_drag_set_stay(drag, 0);
    lbs_drag_solve(drag, &o, drag->pose);
    lb_problem_set_posture(drag->problem, drag->begin, drag->plain.posture);
    switch_others(drag, 1);
    o.max_iterations = 0;
    memcpy(drag->room.other, drag->pose, (size_t)drag->variables * sizeof *drag->room.other);
    lb_solve_options look;
    lb_solve_options_defaults(&look);
    look.max_iterations = 0;
    lbs_drag_solve(drag, &look, drag->room.other);
    drag->solved.limit_count = 0; /* the limits are those that the pull ran into */
    lbs_drag_keep(drag, &drag->now);
    drag->now.result.limit_count = limit_count;
    drag->now.result.iterations = iterations;
}

/* Whether a whole frame, with what holds back in its place, has brought nothing. */
static int is_stuck(lb_drag *drag) {
    if (drag->segment < 0) {
        return 0;
    }
    const lb_frame here = lbs_drag_here(drag, drag->pose);
    const lbs_miss m = lbs_drag_miss(drag, &here);
    const double miss = m.distance + m.angle / LBS_DRAG_PER_TURN;
    const int is = miss > drag->plain.last_miss - LBS_DRAG_NEAR / 10;
    drag->plain.last_miss = miss;
    return is;
}

void lbs_drag_follow_plain(lb_drag *drag) {
    memcpy(drag->room.frame_begin, drag->pose, (size_t)drag->variables * sizeof *drag->pose);
    if (drag->segment < 0) {
        direct(drag);
    } else {
        chase(drag);
    }
    if (drag->status) {
        return;
    }
    clean_up(drag, slow_down(drag));
    drag->settled |= is_stuck(drag);
}
