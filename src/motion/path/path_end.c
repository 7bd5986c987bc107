/* What ends a way, told apart by asking what there is behind its end.
 *
 * A solve that tracks stays on its branch, so that its failure alone says neither that the place is out of reach nor
 * that a limit is in the way. The closed form has all solutions there, inside the limits and outside: the nearest to
 * the last pose is where the branch goes on. Where no closed form covers the chain, or it proves nothing, restarts look
 * for another branch, and lb_solver_explain finds what would have to give way. */
#include <math.h>
#include <string.h>

#include "motion/path/path_follow.h"
#include "problem/problem.h"

#define RESTARTS 20 /* in search of another branch */
#define CREEPS 16   /* how often a step is halved more, in search of a way without a jump */
#define MOST_CREEPING 400

/* The closed form of the arm that follows, made when it is first asked for; NULL: there is none. */
static lb_closed *closed_of(lbt_follower *f) {
    if (!f->is_closed_tried && !f->path->is_body && f->path->base->constraint_count == 0) {
        lb_closed_options options;
        lb_closed_options_defaults(&options);
        options.pose = f->path->start;
        options.is_position = f->path->options.is_position;
        options.cancel = f->options.cancel;
        f->closed = lb_closed_create(f->path->figure, &f->path->effector, &options, NULL);
    }
    f->is_closed_tried = 1;
    return f->closed;
}

/* What the closed form has at a frame: the solution nearest to f->q by its largest step, of all and of those inside the
 * limits. */
typedef struct beyond {
    lb_closed_result result;
    int nearest, nearest_inside; /* -1: none */
    double step, step_inside;
    int variable_inside; /* that makes the largest step */
} beyond;

static int look_beyond(lbt_follower *f, const lb_frame *frame, beyond *b) {
    const size_t size = (size_t)f->path->n * sizeof(double);
    lb_closed *closed = closed_of(f);
    *b =
        (beyond){.nearest = -1, .nearest_inside = -1, .step = INFINITY, .step_inside = INFINITY, .variable_inside = -1};
    lb_closed_result_defaults(&b->result);
    if (!closed || lb_closed_solve(closed, frame, f->q, &b->result) || b->result.is_stopped) {
        return 0;
    }
    for (int i = 0; i < b->result.all_count; i++) {
        int variable = -1;
        memcpy(f->other, f->q, size);
        lb_closed_pose(closed, i, f->other);
        const double step = lbt_step_of(f, f->q, f->other, &variable);
        if (step < b->step) {
            b->step = step;
            b->nearest = i;
        }
        if (i < b->result.count && step < b->step_inside) {
            b->step_inside = step;
            b->nearest_inside = i;
            b->variable_inside = variable;
        }
    }
    return 1;
}

int lbt_go_by_closed(lbt_follower *f, const lb_frame *frame) {
    lb_closed *closed = closed_of(f);
    beyond b;
    if (!closed || lb_closed_kind_of(closed) == LB_CLOSED_SEVEN || lb_closed_kind_of(closed) == LB_CLOSED_GROUPED ||
        !look_beyond(f, frame, &b) || !(b.step_inside <= LARGEST_STEP)) {
        return 0;
    }
    memcpy(f->other, f->q, (size_t)f->path->n * sizeof(double));
    lb_closed_pose(closed, b.nearest_inside, f->other);
    return lb_figure_violation(f->path->figure, f->other) <= 1e-9;
}

/* Says which limit a solution breaks. */
static void note_limit(const lbt_follower *f, int index, lbt_outcome *o) {
    lb_closed_solution s;
    lb_closed_solution_defaults(&s);
    lb_closed_get(f->closed, index, &s);
    lb_closed_pose(f->closed, index, f->other);
    const lb_variable *v = lb_figure_variable(f->path->figure, s.worst_variable);
    const double value = f->other[s.worst_variable];
    const int is_range = value < v->lower || value > v->upper; /* else a limit over several variables */
    o->end = is_range ? LB_PATH_END_RANGE : LB_PATH_END_ROW;
    o->variable = is_range ? s.worst_variable : -1;
    o->is_upper = value > v->upper;
}

/* Whether the closed form has intervals inside the limits, where nothing outside is listed beside them. */
static int is_family(const lbt_follower *f) {
    const lb_closed_kind kind = lb_closed_kind_of(f->closed);
    return kind == LB_CLOSED_LIMB || kind == LB_CLOSED_SEVEN || kind == LB_CLOSED_GROUPED;
}

/* By the closed form. Returns 0 where it does not tell. */
static int name_by_closed(lbt_follower *f, const lb_frame *frame, lbt_outcome *o) {
    beyond b;
    if (!look_beyond(f, frame, &b)) {
        return 0;
    }
    if (b.nearest < 0) {
        o->end = LB_PATH_END_REACH;
        o->variable = -1;
        return b.result.is_proved;
    }
    if (is_family(f) && b.nearest_inside >= 0 && o->end != LB_PATH_END_REACH) {
        return 1; /* what is outside is not listed: the limit that the last solve met is what ends this one */
    }
    if (b.nearest_inside != b.nearest && (b.step <= LARGEST_STEP || b.nearest_inside < 0)) {
        note_limit(f, b.step <= LARGEST_STEP ? b.nearest : 0, o);
    } else {
        o->end = LB_PATH_END_BRANCH;
        o->variable = b.variable_inside;
    }
    return 1;
}

/* By the first reason that there is. */
static lb_status name_by_reasons(lbt_follower *f, const lb_frame *frame, lbt_outcome *o) {
    memcpy(f->other, f->q, (size_t)f->path->n * sizeof(double));
    lb_status status = lbt_solve_at(f, frame, f->other);
    status = status ? status : lb_solver_explain(f->solver, &f->options, f->other, &f->result);
    if (status || f->result.reason_count == 0) {
        return status;
    }
    const lb_reason *r = &f->result.reasons[0];
    o->variable = -1;
    if (r->kind == LB_REASON_LIMIT || r->kind == LB_REASON_REGION) {
        o->end = LB_PATH_END_RANGE;
        o->variable = r->variable;
        o->is_upper = r->is_upper;
    } else {
        o->end = r->kind == LB_REASON_ROW     ? LB_PATH_END_ROW
                 : r->kind == LB_REASON_START ? LB_PATH_END_BRANCH
                                              : LB_PATH_END_REACH;
    }
    return LB_OK;
}

/* Whether restarts find a pose at a frame: then o is the end of a branch. */
static lb_status search_branch(lbt_follower *f, const lb_frame *frame, lbt_outcome *o, int *is_found) {
    lb_solve_options options = f->options;
    options.tracking = 0;
    options.restarts = RESTARTS;
    options.seed = f->path->options.seed;
    memcpy(f->other, f->q, (size_t)f->path->n * sizeof(double));
    lb_status status = lb_problem_move_goal(f->problem, f->id, frame);
    status = status ? status : lb_solver_solve(f->solver, &options, f->other, &f->result);
    *is_found = !status && lbt_is_reached(f);
    if (*is_found) {
        o->end = LB_PATH_END_BRANCH;
        lbt_step_of(f, f->q, f->other, &o->variable);
    }
    return status;
}

/* Whether ever smaller steps come from f->q, at o->place, to o->beyond without a jump: then it is but the speed that
 * ends it. */
static lb_status creep(lbt_follower *f, lbt_outcome *o) {
    const size_t size = (size_t)f->path->n * sizeof(double);
    double at = o->place, step = (o->beyond - o->place) / 2;
    const double smallest = (o->beyond - o->place) / (1 << CREEPS);
    for (int i = 0; i < MOST_CREEPING && at < o->beyond && step >= smallest; i++) {
        const double next = at + step < o->beyond ? at + step : o->beyond;
        lb_frame frame;
        int unused;
        lbt_path_frame(f->path, next, &frame);
        memcpy(f->other, f->q, size);
        const lb_status status = lbt_solve_at(f, &frame, f->other);
        if (status) {
            return status;
        }
        if (lbt_is_reached(f) && lbt_step_of(f, f->q, f->other, &unused) <= LARGEST_STEP) {
            memcpy(f->q, f->other, size);
            at = next;
            step *= 2;
        } else {
            step /= 2;
        }
    }
    o->end = at >= o->beyond ? LB_PATH_END_SPEED : o->end;
    return LB_OK;
}

lb_status lbt_name_end(lbt_follower *f, lbt_outcome *o) {
    lb_frame frame;
    int is_found = 0;
    const int is_told =
        o->end == LB_PATH_END_NONE || o->end == LB_PATH_END_COLLISION || o->end == LB_PATH_END_CANCELLED;
    if (f->path->is_body || is_told) {
        return LB_OK;
    }
    lbt_path_frame(f->path, o->beyond, &frame);
    if (o->end == LB_PATH_END_BRANCH) { /* solved, but far away */
        return creep(f, o);
    }
    if (name_by_closed(f, &frame, o)) {
        return LB_OK;
    }
    const lb_status status = search_branch(f, &frame, o, &is_found);
    return status || is_found ? status : name_by_reasons(f, &frame, o);
}
