/* Drags of bodies: a part of a person is moved by hand and the whole of it is posed anew, frame by frame, by the
 * solver's own idea of a body (docs/body.md): feet stay where they stand, the centre of mass stays over them, knees
 * bend, the idle arm hangs. Here is only what a hand adds to that.
 *
 * The pull is a goal below those of the problem. It is a carrot: a few centimetres ahead of the part, less far where it
 * is blocked. An answer counts only where the feet have stayed; solves track, that is start from the pose before and
 * make no choices. A hand that rests out of reach has the body choose: where it may step, it steps, and the frames that
 * follow show how. */
#include <string.h>

#include "math/rotation.h"
#include "math/trig.h"
#include "math/vec.h"
#include "solve/drag/drag.h"

#define CARROT 0.025   /* metres that the goal is ahead: of longer ones some led into poses that nobody would take, */
#define SHORTEST 0.002 /* and of shorter ones nothing comes */
#define CARROT_RAD 0.3
#define CHANGE 0.15       /* radians, or metres, that a variable changes in a solve at most, */
#define STILL 0.01        /* radians that a segment may turn in a frame whatever the step, */
#define RATE 16           /* and for each metre of it: 10 deg a centimetre; */
#define CAREFUL 0.4       /* of the change: where it goes over to another way to stand, if it can */
#define ITERATIONS 22     /* a frame's work */
#define AGAIN 14          /* a frame that took no more may go on */
#define SLID 1e-4         /* metres that a foot may be off */
#define IDLE 2            /* frames that bring nothing */
#define WORTH_A_STEP 0.03 /* metres out of reach */
#define GLIDE \
    0.12 /* radians that a segment turns in a frame where the body chooses another way to stand, in the mean */
#define SHIFT 0.03        /* and where its weight shifts */
#define MOST_TURN 0.19    /* radians: an answer that turns a segment further in a frame is asked for again, */
#define HALVINGS 3        /* so often, with half of the way and of the change each time */
#define ON_THE_FLOOR 0.01 /* metres */
#define OFF 0.001         /* metres out of balance, or deep in something, that a body is not let go with */

static lb_solve_options solve_options(int iterations) {
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.tracking = 1;
    o.max_iterations = iterations;
    return o;
}

/* --- Soles --------------------------------------------------------------------------------------------------------------- */

static void place(lb_drag *drag, const double *pose) {
    for (int f = 0; f < drag->problem->figure_count; f++) {
        lb_kinematics_update(drag->kinematics[f], pose + drag->problem->first_variables[f]);
    }
}

static void point_at(const lb_drag *drag, int figure, int segment, const double point[3], double at_w[3]) {
    lb_frame frame;
    lb_kinematics_segment(drag->kinematics[figure], segment, &frame);
    lbm_quaternion_rotate(frame.rotation, point, at_w);
    for (int i = 0; i < 3; i++) {
        at_w[i] = frame.position[i] + at_w[i];
    }
}

void lbs_drag_soles(lb_drag *drag, const double *pose, lbs_soles *soles) {
    soles->count = 0;
    place(drag, pose);
    for (int f = 0; f < drag->problem->figure_count; f++) {
        const lb_body_options *options = lb_problem_body(drag->problem, f);
        const lb_body *body = options ? lb_figure_body(drag->problem->figures[f]) : NULL;
        for (int i = 0; body && i < body->contact_count; i++) {
            const lb_body_contact *c = &body->contacts[i];
            lbs_stood *stood = &soles->list[soles->count];
            if (c->kind != LB_CONTACT_BALL && c->kind != LB_CONTACT_TOE) {
                continue;
            }
            if (c->limb >= 0 && (options->feet_modes[c->limb] == LB_FOOT_MODE_LIFTED ||
                                 options->feet_modes[c->limb] == LB_FOOT_MODE_STEP)) {
                continue;
            }
            *stood = (lbs_stood){.figure = f, .segment = c->segment};
            lbm_copy3(stood->point, c->point);
            point_at(drag, f, c->segment, c->point, stood->at_w);
            soles->count += stood->at_w[2] < options->floor + ON_THE_FLOOR;
        }
    }
}

double lbs_drag_slid(lb_drag *drag, const double *pose, const lbs_soles *soles) {
    double most = 0;
    place(drag, pose);
    for (int i = 0; i < soles->count; i++) {
        const lbs_stood *s = &soles->list[i];
        double at[3], way[3];
        point_at(drag, s->figure, s->segment, s->point, at);
        lbm_sub3(s->at_w, at, way);
        most = lbs_most(most, lbm_norm3(way));
    }
    return most;
}

double lbs_drag_cost(const lb_drag *drag) {
    double sum = 0;
    for (int f = 0; f < drag->problem->figure_count; f++) {
        const lb_body_result *body = lb_solver_body(drag->solver, f);
        double all = 0;
        for (int t = 0; body && t < LB_BODY_TERM_COUNT; t++) {
            all += body->terms[t];
        }
        sum += all;
    }
    return sum;
}

static void read_matrices(lb_drag *drag, const double *pose, double *matrices) {
    place(drag, pose);
    for (int f = 0; f < drag->problem->figure_count; f++) {
        for (int s = 0; s < lb_figure_segment_count(drag->problem->figures[f]); s++, matrices += 12) {
            lb_kinematics_matrix(drag->kinematics[f], s, matrices);
        }
    }
}

double lbs_drag_turn(lb_drag *drag, const double *from, const double *to, int without_eyes) {
    double least = 3; /* trace of a rotation by the angle a: 1 + 2 cos a */
    read_matrices(drag, from, drag->room.matrices);
    read_matrices(drag, to, drag->room.other_matrices);
    for (int s = 0; s < drag->segment_count; s++) {
        const double *a = drag->room.matrices + 12 * (ptrdiff_t)s, *b = drag->room.other_matrices + 12 * (ptrdiff_t)s;
        double trace = 0;
        for (int row = 0; row < 12; row += 4) {
            trace += a[row] * b[row] + a[row + 1] * b[row + 1] + a[row + 2] * b[row + 2];
        }
        if (!without_eyes || !drag->body.is_eye[s]) {
            least = lbs_least(least, trace);
        }
    }
    return lbm_acos(lbs_most(-1, lbs_least(1, (least - 1) / 2)));
}

/* --- Taking hold --------------------------------------------------------------------------------------------------------- */

/* The limb whose foot a segment belongs to: that of a heel, a ball or a toe; -1 where it is of none. */
static int foot_of(const lb_drag *drag, int figure, int segment) {
    const lb_body *body = lb_figure_body(drag->problem->figures[figure]);
    for (int i = 0; body && i < body->contact_count; i++) {
        const lb_body_contact *c = &body->contacts[i];
        if (c->segment == segment && c->limb >= 0 && c->kind <= LB_CONTACT_TOE) {
            return c->limb;
        }
    }
    return -1;
}

/* How a foot may move from now on. */
static void set_foot(lb_problem *p, int figure, int limb, lb_foot_mode mode) {
    p->bodies[figure].options.feet_modes[limb] = mode;
    p->shape++;
    p->revision++;
}

lb_status lbs_drag_prepare_body(lb_drag *drag) {
    lbs_drag_body *b = &drag->body;
    lb_drag_options *o = &drag->options;
    o->carrot = o->carrot > 0 ? o->carrot : CARROT;
    o->carrot_rad = o->carrot_rad > 0 ? o->carrot_rad : CARROT_RAD;
    o->max_change = o->max_change > 0 ? o->max_change : CHANGE;
    o->max_turn = o->max_turn > 0 ? o->max_turn : MOST_TURN;
    o->max_iterations = o->max_iterations > 0 ? o->max_iterations : ITERATIONS;
    b->carrot = o->carrot;
    b->lifted =
        drag->is_own && lb_problem_body(drag->problem, o->figure) ? foot_of(drag, o->figure, drag->segment) : -1;
    if (b->lifted >= 0) {
        set_foot(drag->problem, o->figure, b->lifted, LB_FOOT_MODE_LIFTED); /* a foot that is pulled carries nothing */
    }
    b->is_shift_due = b->lifted >= 0;
    b->way_far = INFINITY;
    lbs_drag_soles(drag, drag->pose, &b->stood);
    return LB_OK;
}

void lbs_drag_renew_body(lb_drag *drag) {
    lbs_drag_body *b = &drag->body;
    b->idle = 0;
    b->is_gliding &= !b->glide_is_end;
    b->carrot = lbs_most(b->carrot, 5 * SHORTEST);
    b->has_rested = 0;
}

/* --- From pose to pose
 * ----------------------------------------------------------------------------------------------------- */

void lbs_drag_glide(lb_drag *drag, const double *pose, int is_end, double pace) {
    lbs_drag_body *b = &drag->body;
    const size_t size = (size_t)drag->variables * sizeof *pose;
    memcpy(drag->body.glide_from, drag->pose, size);
    memcpy(drag->body.glide_to, pose, size);
    lbs_drag_keep(drag, &drag->body.glide);
    b->glide_step = lbs_least(1, pace / lbs_most(lbs_drag_turn(drag, drag->pose, pose, 0), 1e-9));
    b->is_gliding = 1;
    b->glide_is_end = is_end;
    b->glide_done = 0;
    b->glides++;
    drag->settled = 0;
    if (!drag->now.is_there) {
        lbs_drag_keep(drag, &drag->now);
    }
}

/* The way to where the body has stepped, or stands on one foot. */
static void glide_on(lb_drag *drag) {
    lbs_drag_body *b = &drag->body;
    b->glide_done = lbs_least(1, b->glide_done + b->glide_step);
    const double part = b->glide_done * b->glide_done * (3 - 2 * b->glide_done);
    for (int v = 0; v < drag->variables; v++) {
        drag->pose[v] = drag->body.glide_from[v] + (drag->body.glide_to[v] - drag->body.glide_from[v]) * part;
    }
    if (b->glide_done < 1) {
        return;
    }
    memcpy(drag->pose, drag->body.glide_to, (size_t)drag->variables * sizeof *drag->pose);
    lbs_drag_copy_found(drag, &drag->now, &drag->body.glide);
    b->is_gliding = 0;
    drag->settled = b->glide_is_end;
    lbs_drag_soles(drag, drag->pose, &b->stood);
}

static int is_solved(const lb_drag *drag) { return drag->solved.outcome == LB_OUTCOME_SOLVED; }

/* The weight goes over the other foot before this one leaves the ground: the frames that follow show it. */
static void shift(lb_drag *drag) {
    const lb_solve_options o = solve_options(4 * drag->options.max_iterations);
    const lb_frame here = lbs_drag_here(drag, drag->pose);
    drag->body.is_shift_due = 0;
    memcpy(drag->room.trial, drag->pose, (size_t)drag->variables * sizeof *drag->pose);
    lbs_drag_move_goal(drag, &here);
    lbs_drag_solve(drag, &o, drag->room.trial);
    if (is_solved(drag) && lbs_drag_slid(drag, drag->room.trial, &drag->body.stood) <= SLID) {
        lbs_drag_glide(drag, drag->room.trial, 0, SHIFT);
    }
}

/* The goal itself is where it should be: for goals that are no place to bring a point to. */
static void direct(lb_drag *drag) {
    const lb_solve_options o = solve_options(drag->options.max_iterations);
    lbs_drag_move_goal(drag, &drag->target);
    memcpy(drag->room.other, drag->pose, (size_t)drag->variables * sizeof *drag->room.other);
    lbs_drag_solve(drag, &o, drag->pose);
    lbs_drag_keep(drag, &drag->now);
    drag->settled =
        drag->solved.outcome != LB_OUTCOME_BUDGET || lbs_drag_far(drag, drag->pose, drag->room.other) < 1e-6;
}

/* One solve towards where the goal is, of which no variable changes by more than `change`. */
static void step(lb_drag *drag, double change, int max_iterations, double *trial) {
    lb_solve_options o = solve_options(max_iterations);
    o.max_change = change;
    memcpy(trial, drag->pose, (size_t)drag->variables * sizeof *trial);
    lbs_drag_solve(drag, &o, trial);
}

/* A step: how much change it was allowed, and what came of it. */
typedef struct taken {
    double change;
    int iterations, is_solved;
} taken;

static taken take(lb_drag *drag, double change, int max_iterations, double *trial) {
    step(drag, change, max_iterations, trial);
    drag->body.is_step_kept = 0;
    return (taken){change, drag->solved.iterations, is_solved(drag)};
}

/* Tries another step than the one in drag->room.trial, of which is kept what it found. The other one is in
 * drag->room.step. */
static taken try_another(lb_drag *drag, double change, int max_iterations) {
    if (!drag->body.is_step_kept) {
        lbs_drag_keep(drag, &drag->body.stepped);
    }
    const taken other = take(drag, change, max_iterations, drag->room.step);
    drag->body.is_step_kept = 1;
    return other;
}

/* The other one counts. */
static taken prefer(lb_drag *drag, taken other) {
    memcpy(drag->room.trial, drag->room.step, (size_t)drag->variables * sizeof *drag->room.trial);
    drag->body.is_step_kept = 0;
    return other;
}

/* A step that turns a segment no further than a frame may: a hand about its wrist, as small steps of its palm can. */
static taken slowed(lb_drag *drag, taken slower, lbs_miss miss, int max_iterations) {
    double carrot = lbs_least(drag->body.carrot, miss.distance);
    for (int k = 0; k < HALVINGS && lbs_drag_turn(drag, drag->pose, drag->room.trial, 1) > drag->options.max_turn;
         k++) {
        const lb_frame here = lbs_drag_here(drag, drag->pose);
        lbs_drag_aim(drag, &here, miss, carrot /= 2);
        const taken next = try_another(drag, slower.change / 2, max_iterations);
        if (!next.is_solved || lbs_drag_slid(drag, drag->room.step, &drag->body.stood) > SLID) {
            return slower;
        }
        slower = prefer(drag, next);
    }
    return slower;
}

/* A step with as much change as a frame may have; where that turns a segment far for a short step, with less. */
static taken smooth_step(lb_drag *drag, lbs_miss miss, int max_iterations) {
    const lbs_drag_body *b = &drag->body;
    const double change = drag->options.max_change;
    const taken first = take(drag, b->is_careful ? CAREFUL * change : change, max_iterations, drag->room.trial);
    if (!drag->is_free) {
        return first;
    }
    const double moved =
        lbs_least(b->carrot, miss.distance) + lbs_least(miss.angle, drag->options.carrot_rad) / LBS_DRAG_PER_TURN;
    const double turn = lbs_drag_turn(drag, drag->pose, drag->room.trial, 0);
    if (b->is_careful || turn < STILL + RATE * moved) {
        return turn > drag->options.max_turn ? slowed(drag, first, miss, max_iterations) : first;
    }
    const taken careful = try_another(drag, CAREFUL * change, max_iterations);
    return slowed(drag, careful.is_solved ? prefer(drag, careful) : first, miss, max_iterations);
}

/* --- Following ------------------------------------------------------------------------------------------------------------- */

int lbs_drag_is_under_way(const lb_drag *drag) { return drag->body.is_flowing || drag->body.has_way; }

static void shorten(lb_drag *drag) {
    lbs_drag_body *b = &drag->body;
    b->carrot /= 3;
    if (b->carrot >= SHORTEST) {
        return;
    }
    b->carrot = SHORTEST;
    drag->settled = ++b->idle >= IDLE;
}

static void judge_progress(lb_drag *drag, lbs_miss before, lbs_miss after, int is_met) {
    lbs_drag_body *b = &drag->body;
    const double gain = lbs_most(before.distance - after.distance, (before.angle - after.angle) / LBS_DRAG_PER_TURN);
    const int is_under_way = lbs_drag_is_under_way(drag);
    drag->blocked = !is_met;
    b->carrot = is_met ? lbs_least(drag->options.carrot, 1.5 * b->carrot) : lbs_most(5 * SHORTEST, b->carrot / 2);
    b->idle = gain < 2 * LBS_DRAG_NEAR && !is_under_way ? b->idle + 1 : 0;
    drag->settled =
        !is_under_way && ((after.distance < LBS_DRAG_NEAR && after.angle < LBS_DRAG_NEAR) || b->idle >= IDLE);
}

static void keep_step(lb_drag *drag) {
    if (drag->body.is_step_kept) {
        lbs_drag_copy_found(drag, &drag->now, &drag->body.stepped);
    } else {
        lbs_drag_keep(drag, &drag->now);
    }
}

/* One step after the hand. Returns the iterations it took. */
static int chase_on(lb_drag *drag, int max_iterations) {
    lb_frame here = lbs_drag_here(drag, drag->pose);
    const lbs_miss before = lbs_drag_miss(drag, &here);
    lbs_drag_aim(drag, &here, before, drag->body.carrot);
    const taken s = smooth_step(drag, before, max_iterations);
    if (drag->is_free) {
        lbs_drag_watch(drag, drag->room.trial, s.change, s.is_solved);
    }
    if (lbs_drag_slid(drag, drag->room.trial, &drag->body.stood) > SLID) {
        shorten(drag);
        if (!drag->now.is_there) {
            keep_step(drag);
        }
        return s.iterations;
    }
    memcpy(drag->pose, drag->room.trial, (size_t)drag->variables * sizeof *drag->pose);
    keep_step(drag);
    here = lbs_drag_here(drag, drag->pose);
    judge_progress(drag, before, lbs_drag_miss(drag, &here), s.is_solved);
    return s.iterations;
}

/* Whether a body that moves as it likes has turned about as far in this frame as it may. */
static int has_turned_far(lb_drag *drag) {
    return drag->is_free && lbs_drag_turn(drag, drag->pose, drag->room.frame_begin, 1) >= drag->options.max_turn / 3;
}

/* What the feet do, of the last answer, in words. */
static void note_steps(lb_drag *drag) {
    drag->body.steps[0] = 0;
    for (int i = 0; i < drag->solved.said_count && !drag->body.steps[0]; i++) {
        const lb_say *part = &drag->solved.said[i];
        if (part->kind == LB_SAY_STEP && part->length < (int)sizeof drag->body.steps) {
            memcpy(drag->body.steps, drag->solved.explanation + part->begin, (size_t)part->length);
            drag->body.steps[part->length] = 0;
        }
    }
    if (drag->body.steps[0] >= 'A' && drag->body.steps[0] <= 'Z') {
        drag->body.steps[0] = (char)(drag->body.steps[0] - 'A' + 'a');
    }
}

/* A hand rests out of reach: the body may step to what it cannot reach where it stands. */
static void rest(lb_drag *drag) {
    lbs_drag_body *b = &drag->body;
    const lb_frame here = lbs_drag_here(drag, drag->pose);
    if (b->lifted >= 0 || !drag->is_free || b->has_rested || lbs_drag_miss(drag, &here).distance < WORTH_A_STEP) {
        return;
    }
    b->has_rested = 1;
    memcpy(drag->room.trial, drag->pose, (size_t)drag->variables * sizeof *drag->pose);
    lbs_drag_move_goal(drag, &drag->target);
    lbs_drag_solve(drag, NULL, drag->room.trial);
    if (is_solved(drag)) {
        note_steps(drag);
        lbs_drag_glide(drag, drag->room.trial, 1, GLIDE);
    }
}

static void chase(lb_drag *drag) {
    int work = 0;
    memcpy(drag->room.frame_begin, drag->pose, (size_t)drag->variables * sizeof *drag->pose);
    do {
        work += chase_on(drag, drag->options.max_iterations - work);
    } while (work <= AGAIN && work < drag->options.max_iterations && !drag->settled && !drag->status &&
             !lbs_drag_is_under_way(drag) && !has_turned_far(drag));
    if (drag->is_free) {
        lbs_drag_note_thought(drag);
    }
    if (drag->settled && !drag->status && !(drag->is_free && lbs_drag_remember(drag))) {
        rest(drag);
    }
}

void lbs_drag_follow_body(lb_drag *drag) {
    if (drag->body.is_shift_due) {
        shift(drag);
    }
    if (drag->body.is_gliding) {
        glide_on(drag);
    } else if (drag->segment < 0) {
        direct(drag);
    } else {
        chase(drag);
    }
}

/* --- Letting go -------------------------------------------------------------------------------------------------------------- */

/* Whether a body of the present pose is out of balance, or goes through something. */
static int is_off(const lb_drag *drag) {
    for (int f = 0; f < drag->problem->figure_count; f++) {
        const lb_body_result *body = lb_drag_body(drag, f);
        if (body && (body->margin < -OFF || body->overlap > OFF)) {
            return 1;
        }
    }
    return 0;
}

void lbs_drag_end_body(lb_drag *drag) {
    if (drag->body.is_gliding) {
        drag->body.glide_done = 1;
        glide_on(drag);
    }
    if (drag->segment < 0 || !is_off(drag)) {
        return;
    }
    const lb_frame here = lbs_drag_here(drag, drag->pose);
    lb_solve_options o;
    lb_solve_options_defaults(&o);
    o.tracking = 1;
    memcpy(drag->room.trial, drag->pose, (size_t)drag->variables * sizeof *drag->pose);
    lbs_drag_move_goal(drag, &here);
    lbs_drag_solve(drag, &o, drag->room.trial);
    if (!drag->status && lbs_drag_slid(drag, drag->room.trial, &drag->body.stood) <= SLID) {
        memcpy(drag->pose, drag->room.trial, (size_t)drag->variables * sizeof *drag->pose);
        lbs_drag_keep(drag, &drag->now);
    }
}
