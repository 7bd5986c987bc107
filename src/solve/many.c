/* Many problems of one shape: figures, constraints and options the same, goals and start poses each its own.
 *
 * Blocks of problems are taken by the threads, one after the other, until none is left. Nothing of a problem depends on
 * its neighbours or on who solves it, so the answers are those of lb_solver_solve to the bit. What the chain engine does
 * of them it does for a whole block, problems side by side in its lanes. Memory is had before the threads begin: an
 * allocator need not know of them. */
#include <limits.h>
#include <string.h>

#include "solve/solver.h"
#include "solve/threads.h"

#define BLOCK 256 /* problems at most: threads are done within one of each other */

/* What a thread has for itself. */
typedef struct worker {
    lb_solver *solver;
    int part_count;
    int *problems; /* [part_count]: whose parts they are */
    lbs_part *parts;
    lbs_chain_job *jobs; /* theirs */
} worker;

typedef struct batch {
    const lb_problem *problem;
    const lb_solve_options *options;
    const lb_many *many;
    int *items; /* [goal_count] of the space */
    int block, worker_count;
    worker workers[LBS_MOST_THREADS]; /* [worker_count] */
    lbs_counter taken, done;          /* problems */
    lbs_counter stopped;              /* 1: by on_progress */
} batch;

void lb_many_defaults(lb_many *many) {
    memset(many, 0, sizeof *many);
    many->threads = 1;
}

/* --- One problem ------------------------------------------------------------------------------------------------ */

static const double *start_of(const lb_many *many, size_t n, int problem) {
    return many->starts + (many->one_start ? 0 : (size_t)problem * n);
}

static void put_answer(const lb_many *many, int problem, lb_status status, const lb_result *result) {
    if (!many->answers) return;
    many->answers[problem] = (lb_answer){.status = status,
                                         .outcome = result->outcome,
                                         .value = status ? NAN : result->value,
                                         .iterations = result->iterations,
                                         .evaluations = result->evaluations,
                                         .restarts = result->restarts};
}

static lbs_goals goals_of(const batch *b, int problem) {
    const lb_many *many = b->many;
    return (lbs_goals){many->goal_count, b->items, many->goals + (size_t)problem * (size_t)many->goal_count};
}

/* part: what the chain engine did of it, or NULL. */
static void solve_problem(const batch *b, lb_solver *solver, int problem, const lbs_part *part) {
    size_t n = (size_t)b->problem->variable_count;
    double *pose = b->many->poses + (size_t)problem * n;
    const lbs_goals goals = goals_of(b, problem);
    lb_result result;
    lb_error error;
    memmove(pose, start_of(b->many, n, problem), n * sizeof *pose);
    lb_status status = lbs_solve(solver, b->options, &goals, part, pose, &result, &error);
    put_answer(b->many, problem, status, &result);
}

/* One that is given up. */
static void leave_problem(const batch *b, int problem) {
    size_t n = (size_t)b->problem->variable_count;
    lb_result result = {.outcome = LB_OUTCOME_BUDGET, .value = NAN};
    memmove(b->many->poses + (size_t)problem * n, start_of(b->many, n, problem), n * sizeof(double));
    put_answer(b->many, problem, LB_OK, &result);
}

/* --- All of them -------------------------------------------------------------------------------------------------- */

static int is_stopped(const batch *b) {
    return atomic_load(&b->stopped.value) || (b->options->cancel && *b->options->cancel);
}

static int must_stop(void *context) { return is_stopped(context); }

/* The parts that are waiting, and what is left to do of their problems. */
static void do_parts(batch *b, worker *w) {
    if (w->part_count == 0) return;
    lbs_chain_solve(w->solver->chain, w->part_count, w->jobs, must_stop, b, w->solver->chain_memory);
    for (int i = 0; i < w->part_count; i++) {
        if (w->jobs[i].end == LBS_CHAIN_STOPPED) leave_problem(b, w->problems[i]);
        else solve_problem(b, w->solver, w->problems[i], &w->parts[i]);
    }
    w->part_count = 0;
}

/* Puts the chain engine's part of a problem to the others. Returns 0 where there is none. */
static int add_part(const batch *b, worker *w, int problem) {
    int at = w->part_count;
    const lbs_goals goals = goals_of(b, problem);
    const double *start = start_of(b->many, (size_t)b->problem->variable_count, problem);
    w->parts[at].job = &w->jobs[at];
    if (!lbs_offer(w->solver, b->options, &goals, start, at > 0, &w->parts[at])) return 0;
    w->problems[at] = problem;
    w->part_count++;
    return 1;
}

static void solve_block(batch *b, worker *w, int first, int last) {
    int timed = b->options->deadline_us > 0; /* which is each problem's own: one after the other then */
    for (int i = first; i < last; i++) {
        if (is_stopped(b)) {
            leave_problem(b, i);
            continue;
        }
        if (!timed && add_part(b, w, i)) continue;
        do_parts(b, w); /* the plan may have to be another */
        if (timed || !add_part(b, w, i)) solve_problem(b, w->solver, i, NULL);
    }
    do_parts(b, w);
}

static void work(void *context, int number) {
    batch *b = context;
    const lb_many *many = b->many;
    for (;;) {
        int last = lbs_count(&b->taken, b->block), first = last - b->block;
        if (first >= many->count) return;
        if (last > many->count) last = many->count;
        solve_block(b, &b->workers[number], first, last);
        int done = lbs_count(&b->done, last - first);
        if (number || !many->on_progress || is_stopped(b)) continue;
        if (many->on_progress(many->on_progress_context, done, many->count)) lbs_count(&b->stopped, 1);
    }
}

static lb_status check(const lb_problem *problem, const lb_solve_options *options, const lb_many *many) {
    if (!problem || !many || many->count < 0 || many->goal_count < 0 || many->threads < 0) return LB_ERROR_ARGUMENT;
    if (options && options->on_iteration) return LB_ERROR_ARGUMENT;
    if (many->count > INT_MAX - BLOCK * LBS_MOST_THREADS) return LB_ERROR_TOO_LARGE;
    if (many->count > 0 && (!many->starts || !many->poses)) return LB_ERROR_ARGUMENT;
    if (many->goal_count > 0 && (!many->ids || (many->count > 0 && !many->goals))) return LB_ERROR_ARGUMENT;
    return LB_OK;
}

static lb_status find_items(batch *b) {
    const lb_many *many = b->many;
    for (int i = 0; i < many->goal_count; i++) {
        int index = lbp_index_of(b->problem, many->ids[i]);
        if (index < 0) return LB_ERROR_ARGUMENT;
        b->items[i] = lbs_item_of(b->problem, index);
    }
    return LB_OK;
}

static lb_status make_workers(batch *b) {
    const lb_allocator *a = &b->problem->allocator;
    for (int i = 0; i < b->worker_count; i++) {
        worker *w = &b->workers[i];
        w->problems = lbf_new(a, (size_t)b->block, sizeof *w->problems);
        w->parts = lbf_new(a, (size_t)b->block, sizeof *w->parts);
        w->jobs = lbf_new(a, (size_t)b->block, sizeof *w->jobs);
        w->solver = lb_solver_create(b->problem);
        if (!w->problems || !w->parts || !w->jobs || !w->solver) return LB_ERROR_MEMORY;
        lb_status status = lb_solver_prepare(w->solver, b->options->method);
        if (status) return status;
    }
    return LB_OK;
}

static void free_workers(batch *b) {
    const lb_allocator *a = &b->problem->allocator;
    for (int i = 0; i < b->worker_count; i++) {
        worker *w = &b->workers[i];
        lb_solver_destroy(w->solver);
        lbf_delete(a, w->problems, (size_t)b->block, sizeof *w->problems);
        lbf_delete(a, w->parts, (size_t)b->block, sizeof *w->parts);
        lbf_delete(a, w->jobs, (size_t)b->block, sizeof *w->jobs);
    }
}

/* As many as there is work for, in blocks that leave each some. */
static void share_out(batch *b) {
    int threads = b->many->threads < 1 ? 1 : b->many->threads, most = lbs_most_threads();
    if (threads > most) threads = most;
    b->block = b->many->count / (8 * threads);
    b->block = b->block < 1 ? 1 : b->block > BLOCK ? BLOCK : b->block;
    int blocks = (b->many->count + b->block - 1) / b->block;
    b->worker_count = threads < blocks ? threads : blocks;
}

lb_status lb_solve_many(const lb_problem *problem, const lb_solve_options *options, const lb_many *many) {
    lb_solve_options defaults;
    lb_status status = check(problem, options, many);
    if (status || many->count == 0) return status;
    lb_solve_options_defaults(&defaults);
    batch b = {.problem = problem, .options = options ? options : &defaults, .many = many};
    size_t goals = (size_t)many->goal_count;
    b.items = lbf_new(&problem->allocator, goals, sizeof *b.items);
    if (!b.items) return LB_ERROR_MEMORY;
    share_out(&b);
    status = find_items(&b);
    if (!status) status = make_workers(&b);
    if (!status) lbs_work(b.worker_count, work, &b);
    free_workers(&b);
    lbf_delete(&problem->allocator, b.items, goals, sizeof *b.items);
    return status;
}
