/* The branch that follows the way.
 *
 * The first frame's solutions come from the closed form of the arm where there is one: all of them, with their
 * windings, and of arms of seven joints at several swivel angles; else from restarts. Each is followed from sample to
 * sample by a solve that begins where the last steps lead to. A step in which a variable moves by more than
 * LARGEST_STEP is divided, down to a 64th of a sample's distance; where it is that large even then, the way goes on in
 * another branch only. */
#include <math.h>
#include <string.h>

#include <limber/body.h>
#include <limber/closed.h>

#include "math/vec.h"
#include "motion/path/path_follow.h"
#include "problem/problem.h"

#define DEPTH 6    /* how often a sample's distance is halved */
#define SWIVELS 9  /* tried of each interval of swivel angles */
#define APART 0.05 /* radians: what makes two solutions distinct */
#define RESTARTS 200

static double *room(const lb_path *path, size_t rows) {
    return lbf_new(&path->allocator, rows * (size_t)(path->n ? path->n : 1), sizeof(double));
}

static lb_status no_memory(lb_error *error) {
    return lbf_refuse(error, LB_ERROR_MEMORY, lb_status_text(LB_ERROR_MEMORY));
}

/* --- Solves -------------------------------------------------------------------------------------------------------- */

lb_status lbt_solve_at(lbt_follower *f, const lb_frame *frame, double *pose) {
    const lb_status status = lb_problem_move_goal(f->problem, f->id, frame);
    return status ? status : lb_solver_solve(f->solver, &f->options, pose, &f->result);
}

int lbt_is_reached(const lbt_follower *f) { return lbt_is_reached_by(f, f->solver); }

int lbt_is_reached_by(const lbt_follower *f, const lb_solver *solver) {
    const lb_constraint_result *c =
        &f->result.constraints[f->result.constraint_count - 1]; /* the path's own is the last */
    if (!f->path->is_body) {
        return c->distance <= ENOUGH && c->angle_rad <= ENOUGH;
    }
    const lb_body_result *body = lb_solver_body(solver, 0);
    return c->distance <= ENOUGH_OF_BODIES && c->angle_rad <= ENOUGH_OF_BODIES && body->margin > 0 &&
           body->overlap <= OVERLAP && (f->result.outcome == LB_OUTCOME_SOLVED || f->result.constraint_count > 1);
}

/* The largest step of a variable between two poses. */
double lbt_step_of(const lbt_follower *f, const double *from, const double *to, int *variable) {
    double most = 0;
    for (int k = 0; k < f->path->n; k++) {
        if (fabs(to[k] - from[k]) > most) {
            most = fabs(to[k] - from[k]);
            *variable = k;
        }
    }
    return most;
}

static void note_end(const lbt_follower *f, lbt_outcome *o) {
    o->variable = -1;
    if (lbt_is_reached(f)) {
        o->end = LB_PATH_END_BRANCH;
    } else if (f->result.limit_count > 0) {
        const lb_active_limit *limit = &f->result.limits[0];
        o->end = limit->variable >= 0 ? LB_PATH_END_RANGE : LB_PATH_END_ROW;
        o->variable = limit->variable;
        o->is_upper = limit->is_upper;
    } else {
        o->end = LB_PATH_END_REACH;
    }
}

/* Whether f->other is a pose that can follow f->q. A solution that touches is replaced by one that keeps clear, if the
 * freedom of the arm has one. */
static lb_status look(lbt_follower *f, const lb_frame *frame, lbt_outcome *o, int *is_next, int *is_touching,
                      int *variable) {
    const lb_path *path = f->path;
    *is_next = lbt_is_reached(f) && lbt_step_of(f, f->q, f->other, variable) <= LARGEST_STEP;
    *is_touching = *is_next && path->judge && lbt_path_step_touches(f->path, f->q, f->other, &o->pair);
    if (!*is_touching || !f->is_yielding) {
        *is_next = *is_next && !*is_touching;
        return LB_OK;
    }
    lb_contact_pair still;
    int unused;
    memcpy(f->other, f->q, (size_t)path->n * sizeof(double));
    lb_status status = lb_problem_move_goal(f->clear, f->clear_id, frame);
    status = status ? status : lb_solver_solve(f->keeper, &f->options, f->other, &f->result);
    *is_next = !status && lbt_is_reached(f) && lbt_step_of(f, f->q, f->other, &unused) <= LARGEST_STEP &&
               !lbt_path_step_touches(f->path, f->q, f->other, &still);
    *is_touching = !*is_next;
    return status;
}

/* Where no solve leads on: whether the closed form does, to f->other. *o has what would touch there. */
static int goes_by_closed(lbt_follower *f, const lb_frame *frame, lbt_outcome *o) {
    if (lbt_is_reached(f) || f->is_yielding || !lbt_go_by_closed(f, frame)) {
        return 0;
    }
    if (f->path->judge && lbt_path_step_touches(f->path, f->q, f->other, &o->pair)) {
        o->end = LB_PATH_END_COLLISION;
    }
    return o->end != LB_PATH_END_COLLISION;
}

/* What ends a way before a place, as far as the last solve tells; `variable` made the largest step. */
static void note_last(const lbt_follower *f, lbt_outcome *o, double place, int variable) {
    if (o->end == LB_PATH_END_COLLISION) {
        o->variable = -1;
        return;
    }
    note_end(f, o);
    o->beyond = place;
    o->variable = o->end == LB_PATH_END_BRANCH ? variable : o->variable;
}

/* Goes from f->q, at the place `from`, to the place `to`, in steps that are small enough. Returns 0, and what ended it
 * in *o, where there is none. */
static lb_status advance(lbt_follower *f, double from, double to, const double *slope, lbt_outcome *o, int *is_there) {
    const int n = f->path->n;
    const double smallest = (to - from) / (1 << DEPTH);
    double at = from, step = to - from;
    *is_there = 1;
    while (at < to) {
        if (lbt_path_is_over(f->path)) {
            o->end = LB_PATH_END_CANCELLED;
            o->variable = -1;
            *is_there = 0;
            return LB_OK;
        }
        lb_frame frame;
        int variable = -1;
        const double next = at + step < to - 0.5 * smallest ? at + step : to;
        lbt_path_frame(f->path, next, &frame);
        for (int k = 0; k < n; k++) { /* the feet of a body stay where its start pose has them */
            f->other[k] = f->q[k] + (f->path->is_body ? 0 : (next - at) * slope[k]);
        }
        lb_status status = lbt_solve_at(f, &frame, f->other);
        if (!status && !f->path->is_body &&
            !(lbt_is_reached(f) && lbt_step_of(f, f->q, f->other, &variable) <= LARGEST_STEP)) {
            memcpy(f->other, f->q, (size_t)n * sizeof(double)); /* not where the last steps lead: from where it is */
            status = lbt_solve_at(f, &frame, f->other);
        }
        int is_next = 0, is_touching = 0;
        if (!status && f->path->is_body && lbt_is_reached(f)) {
            status = lbt_path_hold(f->path, &frame, f->other);
        }
        status = status ? status : look(f, &frame, o, &is_next, &is_touching, &variable);
        if (status) {
            return status;
        }
        if (is_next) {
            memcpy(f->q, f->other, (size_t)n * sizeof(double));
            at = next;
            o->place = at;
        } else if (is_touching) {
            o->end = LB_PATH_END_COLLISION;
            o->variable = -1;
            *is_there = 0;
            return LB_OK;
        } else if (step > 1.5 * smallest) {
            step *= 0.5;
        } else if (goes_by_closed(f, &frame, o)) {
            memcpy(f->q, f->other, (size_t)n * sizeof(double));
            at = next;
            o->place = at;
        } else {
            note_last(f, o, next, variable);
            *is_there = 0;
            return LB_OK;
        }
    }
    return LB_OK;
}

/* --- Ways ---------------------------------------------------------------------------------------------------------- */

/* The slope that the last two samples have; 0 behind the first. */
static void slope_at(const lbt_follower *f, int sample, double *slope) {
    const int n = f->path->n;
    for (int k = 0; k < n; k++) {
        slope[k] = 0;
        if (sample > 0) {
            const double *now = f->poses + (size_t)sample * (size_t)n, *before = now - n;
            slope[k] = (now[k] - before[k]) / (f->path->places[sample] - f->path->places[sample - 1]);
        }
    }
}

static void measure_margin(const lbt_follower *f, lbt_outcome *o) {
    const lb_path *path = f->path;
    o->margin = INFINITY, o->margin_variable = -1;
    for (int k = 0; k < path->n; k++) {
        const lb_variable *v = lb_figure_variable(path->figure, k);
        for (int i = 0; i < path->sample_count && f->moves[k]; i++) {
            const double q = f->poses[(size_t)i * (size_t)path->n + (size_t)k];
            const double near_low = q - v->lower, near_high = v->upper - q,
                         margin = near_low < near_high ? near_low : near_high;
            if (margin < o->margin) {
                o->margin = margin, o->margin_variable = k;
            }
        }
    }
}

static void note_moves(lbt_follower *f) {
    const int n = f->path->n;
    for (int k = 0; k < n; k++) {
        for (int i = 1; i < f->path->sample_count && !f->moves[k]; i++) {
            f->moves[k] = fabs(f->poses[(size_t)i * (size_t)n + (size_t)k] - f->poses[k]) > 1e-9;
        }
    }
}

static lb_status follow_way(lbt_follower *f, const double *first, double *slope, lbt_outcome *o, lb_error *error) {
    lb_path *path = f->path;
    const size_t size = (size_t)path->n * sizeof(double);
    memset(o, 0, sizeof *o);
    memcpy(f->q, first, size);
    memcpy(f->poses, first, size);
    const lb_status stood = path->is_body ? lbt_path_stand(path, first, error) : LB_OK;
    if (stood) {
        return stood;
    }
    if (path->judge && lbt_path_touches(path, first, &o->pair)) {
        o->end = LB_PATH_END_COLLISION;
        o->variable = -1;
        return LB_OK;
    }
    for (int i = 1; i < path->sample_count; i++) {
        int is_there;
        slope_at(f, i - 1, slope);
        const lb_status status = advance(f, path->places[i - 1], path->places[i], slope, o, &is_there);
        if (status || !is_there) {
            return status;
        }
        memcpy(f->poses + (size_t)i * (size_t)path->n, f->q, size);
    }
    note_moves(f);
    measure_margin(f, o);
    return LB_OK;
}

/* Whether one way is better than another: farther, then a larger margin. */
static int is_better(const lbt_outcome *a, const lbt_outcome *b) {
    if (a->end == LB_PATH_END_NONE || b->end == LB_PATH_END_NONE) {
        return b->end != LB_PATH_END_NONE || (a->end == LB_PATH_END_NONE && a->margin > b->margin);
    }
    return a->place > b->place;
}

static void note_result(lb_path *path, const lbt_outcome *o) {
    lb_path_result *r = &path->result;
    const double whole = path->places[path->sample_count - 1];
    const int piece = lbt_path_piece(path, o->place);
    r->end = o->end;
    r->fraction = o->end == LB_PATH_END_NONE ? 1 : o->place / whole;
    r->variable = o->end == LB_PATH_END_NONE ? -1 : o->variable;
    r->is_upper = o->is_upper;
    if (o->end == LB_PATH_END_COLLISION) {
        lbt_path_note_touch(path, &o->pair);
    }
    r->margin = o->margin, r->margin_variable = o->margin_variable;
    r->frame = o->end == LB_PATH_END_NONE ? r->frame : path->pieces[piece].frame;
}

static void keep_way(const lbt_follower *f) {
    const lb_path *path = f->path;
    memcpy(f->ended, f->q, (size_t)path->n * sizeof(double));
    memcpy(path->branch, f->poses, (size_t)path->sample_count * (size_t)path->n * sizeof(double));
}

/* An arm with freedom may get by: the way that came farthest once more, and it yields. */
static lb_status try_yielding(lbt_follower *f, int chosen, double *slope, lbt_outcome *best, lb_error *error) {
    lb_path *path = f->path;
    lbt_outcome now;
    if (best->end != LB_PATH_END_COLLISION || path->is_body || path->n <= (path->options.is_position ? 3 : 6)) {
        return LB_OK;
    }
    f->is_yielding = 1;
    const lb_status status = follow_way(f, f->ways + (size_t)chosen * (size_t)path->n, slope, &now, error);
    f->is_yielding = 0;
    if (!status && is_better(&now, best)) {
        *best = now;
        path->result.through_count += now.end == LB_PATH_END_NONE;
        path->result.touching_count -= now.end == LB_PATH_END_NONE;
        keep_way(f);
    }
    return status;
}

static lb_status try_ways(lbt_follower *f, lb_error *error) {
    lb_path *path = f->path;
    double *slope = room(path, 1);
    lbt_outcome best = {0}, now;
    int chosen = 0;
    lb_status status = slope ? LB_OK : no_memory(error);
    int is_enough = 0;
    const int first = path->stance.first_way;
    for (int i = first; i < f->way_count && !status && !is_enough; i++) {
        status = follow_way(f, f->ways + (size_t)i * (size_t)path->n, slope, &now, error);
        path->result.through_count += !status && now.end == LB_PATH_END_NONE;
        path->stance.first_way = path->is_body ? i + 1 : 0;
        is_enough = path->is_body && now.end == LB_PATH_END_NONE; /* the most natural comes first */
        path->result.touching_count += !status && now.end == LB_PATH_END_COLLISION;
        if (!status && (i == first || is_better(&now, &best))) {
            best = now;
            chosen = i;
            keep_way(f);
        }
    }
    status = status ? status : try_yielding(f, chosen, slope, &best, error);
    if (!status && f->way_count > first) {
        memcpy(f->q, f->ended, (size_t)path->n * sizeof(double));
        status = lbt_name_end(f, &best);
    }
    if (!status) {
        note_result(path, &best);
    }
    lbf_delete(&path->allocator, slope, (size_t)(path->n ? path->n : 1), sizeof(double));
    return status;
}

/* --- The first frame's solutions
 * ----------------------------------------------------------------------------------- */

void lbt_add_way(lbt_follower *f, const double *pose) {
    const lb_path *path = f->path;
    if (f->way_count < path->options.ways) {
        memcpy(f->ways + (size_t)f->way_count * (size_t)path->n, pose, (size_t)path->n * sizeof(double));
        f->way_count++;
    }
}

static void add_values(lbt_follower *f, const lb_closed *closed, const double *values) {
    memcpy(f->other, f->path->start, (size_t)f->path->n * sizeof(double));
    for (int k = 0; k < lb_closed_variable_count(closed); k++) {
        f->other[lb_closed_variable(closed, k)] = values[k];
    }
    if (lb_figure_violation(f->path->figure, f->other) <= 1e-9) {
        lbt_add_way(f, f->other);
    }
}

/* One solution of the closed form, with its windings or at several swivel angles. */
static void add_solution(lbt_follower *f, lb_closed *closed, int index) {
    lb_closed_solution solution;
    double values[LB_CLOSED_MAX_JOINTS];
    lb_closed_solution_defaults(&solution);
    if (lb_closed_get(closed, index, &solution) || !solution.is_inside) {
        return;
    }
    add_values(f, closed, solution.values);
    for (int w = 0; w < solution.winding_count && solution.winding_count > 1; w++) {
        if (!lb_closed_winding(closed, index, w, values) && memcmp(values, solution.values, sizeof values) != 0) {
            add_values(f, closed, values);
        }
    }
    const double low = solution.swivel_low_rad, high = solution.swivel_high_rad;
    for (int i = 0; i < SWIVELS && high > low; i++) {
        if (!lb_closed_swivel(closed, index, low + (high - low) * (i + 0.5) / SWIVELS, values)) {
            add_values(f, closed, values);
        }
    }
}

/* Returns whether there is a closed form. */
static int add_closed(lbt_follower *f, const lb_frame *first) {
    lb_path *path = f->path;
    lb_closed_options options;
    lb_closed_result result;
    lb_closed_options_defaults(&options);
    lb_closed_result_defaults(&result);
    options.pose = path->start;
    options.is_position = path->options.is_position;
    lb_closed *closed = lb_closed_create(path->figure, &path->effector, &options, NULL);
    const int is_solved = closed && !lb_closed_solve(closed, first, path->start, &result);
    for (int i = 0; i < result.all_count && is_solved; i++) {
        add_solution(f, closed, i);
    }
    lb_closed_destroy(closed);
    return is_solved;
}

/* What restarts find. */
static lb_status search_ways(lbt_follower *f, const lb_frame *first) {
    const lb_path *path = f->path;
    lb_solver *solver = f->keeper ? f->keeper : f->solver;
    lb_solve_options options = f->options;
    options.tracking = 0;
    options.restarts = RESTARTS;
    options.seed = path->options.seed;
    lb_status status = f->keeper ? lb_problem_move_goal(f->clear, f->clear_id, first) : LB_OK;
    status = status
                 ? status
                 : lb_solver_solve_all(solver, &options, path->start, APART, path->options.ways, f->ways, &f->result);
    f->way_count = f->result.answer_count;
    if (!status && f->way_count == 0 && path->base->constraint_count > 0) { /* lower levels may be missed */
        memcpy(f->q, path->start, (size_t)path->n * sizeof(double));
        status = lb_solver_solve(solver, &options, f->q, &f->result);
        if (!status && lbt_is_reached(f)) {
            lbt_add_way(f, f->q);
        }
    }
    return status;
}

/* All solutions that there are, or that restarts find. */
static lb_status find_ways(lbt_follower *f, lb_error *error) {
    lb_path *path = f->path;
    lb_frame first;
    lbt_path_frame(path, 0, &first);
    lb_status status = lb_problem_move_goal(f->problem, f->id, &first);
    if (path->options.is_from_start) {
        memcpy(f->q, path->start, (size_t)path->n * sizeof(double));
        status = status ? status : lb_solver_solve(f->solver, &f->options, f->q, &f->result);
        if (!status && (!lbt_is_reached(f) || lbt_step_of(f, f->q, path->start, &(int){0}) > 1e-3)) {
            return lbf_refuse(
                error, LB_ERROR_ARGUMENT,
                path->is_body
                    ? "the start pose is not how the body stands at the first frame of the path: let it begin "
                      "where it will, or solve for the first frame before"
                    : "the start pose is not at the first frame of the path");
        }
        lbt_add_way(f, f->q);
        return status;
    }
    if (status || lbt_path_is_over(path)) {
        return status;
    }
    if (path->is_body) {
        return lbt_body_ways(f);
    }
    path->result.has_closed = path->base->constraint_count == 0 && add_closed(f, &first);
    if (f->way_count > 0 || status) {
        return status;
    }
    return search_ways(f, &first);
}

/* Not even the first frame is reached: why. */
static lb_status note_no_way(lbt_follower *f) {
    lbt_outcome o = {.end = LB_PATH_END_REACH, .variable = -1, .margin_variable = -1};
    lb_frame first;
    if (lbt_path_is_over(f->path)) {
        o.end = LB_PATH_END_CANCELLED;
        note_result(f->path, &o);
        f->path->result.frame = -1;
        return LB_OK;
    }
    lbt_path_frame(f->path, 0, &first);
    memcpy(f->q, f->path->start, (size_t)f->path->n * sizeof(double));
    lb_status status = lbt_solve_at(f, &first, f->q);
    if (!status) {
        note_end(f, &o);
        memcpy(f->q, f->path->start, (size_t)f->path->n * sizeof(double));
        o.end = o.end == LB_PATH_END_BRANCH ? LB_PATH_END_REACH : o.end; /* there is no way yet that could jump */
        status = lbt_name_end(f, &o);
        note_result(f->path, &o);
        f->path->result.frame = -1;
    }
    return status;
}

void lbt_path_goal(const lb_path *path, lb_constraint *c) {
    lb_constraint_defaults(c);
    c->effector = path->effector;
    c->goal.kind = path->options.is_position ? LB_GOAL_POSITION : LB_GOAL_FRAME;
}

void lbt_path_keep(lb_constraint *c) { c->goal.kind = LB_GOAL_FRAME; }

void lbt_path_keep_above(lb_constraint *c, double height) {
    c->goal.kind = LB_GOAL_HALF_SPACE;
    c->goal.point[2] = height;
}

lb_problem *lbt_path_problem(const lb_path *path, int *id, int feet_stay, lb_error *error) {
    const double accuracy = path->is_body ? ACCURACY_OF_BODIES : ACCURACY;
    lb_constraint c;
    lbt_path_goal(path, &c);
    for (int k = 0; k < 3; k++) {
        c.tolerance[k] = accuracy;
    }
    c.tolerance_rad = accuracy;
    lb_problem *problem = lbp_copy_problem(path->base, error);
    *id = problem ? lb_problem_add(problem, &c) : -1;
    const int is_stuck = problem && path->is_body && feet_stay && lbt_plant_feet(path->figure, problem);
    lb_collisions apart;
    lb_collisions_defaults(&apart);
    if (path->apart) {
        apart = *path->apart;
        apart.margin += SPARE;
    }
    if (problem &&
        (*id < 0 || is_stuck || (path->is_body && path->apart && lb_problem_set_collisions(problem, &apart)))) {
        *error = *lb_problem_error(problem);
        lb_problem_destroy(problem);
        return NULL;
    }
    return problem;
}

static lb_status open_keeper(lbt_follower *f, lb_error *error) {
    f->clear = lbt_path_problem(f->path, &f->clear_id, 0, error);
    if (!f->clear) {
        return error->status;
    }
    const lb_status status =
        f->path->is_body ? LB_OK : lb_problem_set_collisions(f->clear, lb_problem_collisions(f->path->judged));
    if (status) {
        *error = *lb_problem_error(f->clear);
        return status;
    }
    f->keeper = lb_solver_create(f->clear, error);
    return f->keeper ? LB_OK : error->status;
}

static lb_status open(lbt_follower *f, lb_error *error) {
    lb_path *path = f->path;
    const size_t ways = (size_t)path->options.ways;
    lb_solve_options_defaults(&f->options);
    lb_result_defaults(&f->result);
    f->options.tracking = 1;
    f->problem = lbt_path_problem(path, &f->id, 1, error);
    if (!f->problem) {
        return error->status;
    }
    const lb_status status = path->judge || path->is_body ? open_keeper(f, error) : LB_OK;
    if (status) {
        return status;
    }
    f->solver = lb_solver_create(f->problem, error);
    f->ways = room(path, ways);
    f->poses = room(path, (size_t)path->sample_count);
    f->q = room(path, 1), f->other = room(path, 1), f->ended = room(path, 1);
    f->moves = lbf_new(&path->allocator, (size_t)path->n + 1, 1);
    return f->solver && f->ways && f->poses && f->q && f->other && f->ended && f->moves ? LB_OK : no_memory(error);
}

static void close(lbt_follower *f) {
    const lb_path *path = f->path;
    const size_t n = (size_t)(path->n ? path->n : 1);
    lb_solver_destroy(f->solver);
    lb_problem_destroy(f->problem);
    lb_solver_destroy(f->keeper);
    lb_problem_destroy(f->clear);
    lbf_delete(&path->allocator, f->ways, (size_t)path->options.ways * n, sizeof(double));
    lbf_delete(&path->allocator, f->poses, (size_t)path->sample_count * n, sizeof(double));
    lbf_delete(&path->allocator, f->q, n, sizeof(double));
    lbf_delete(&path->allocator, f->other, n, sizeof(double));
    lbf_delete(&path->allocator, f->ended, n, sizeof(double));
    lb_closed_destroy(f->closed);
    lbf_delete(&path->allocator, f->moves, (size_t)path->n + 1, 1);
}

lb_status lbt_path_follow(lb_path *path, lb_error *error) {
    lbt_follower f = {.path = path};
    lb_status status = open(&f, error);
    status = status ? status : find_ways(&f, error);
    if (!status) {
        path->result.way_count = f.way_count;
        status = f.way_count > 0 ? try_ways(&f, error) : note_no_way(&f);
    }
    if (status && error && !error->message[0]) {
        lbf_refuse(error, status, lb_status_text(status));
    }
    close(&f);
    return status;
}
