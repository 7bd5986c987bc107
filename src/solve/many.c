/* Many problems of one shape: figures, constraints and options the same, goals and start poses each its own.
 *
 * Blocks of problems are taken by the threads, one after the other, until none is left. Nothing of a problem depends on
 * its neighbours or on who solves it, so the answers are those of lb_solver_solve to the bit. Memory is had before the
 * threads begin: an allocator need not know of them. */
#include <limits.h>
#include <string.h>

#include "solve/solver.h"
#include "solve/threads.h"

#define BLOCK 64 /* problems at most: threads are done within one of each other */

typedef struct batch {
    const lb_problem *problem;
    const lb_solve_options *options;
    const lb_many *many;
    int *items; /* [goal_count] of the space */
    int block, worker_count;
    lb_solver *solvers[LBS_MOST_THREADS]; /* [worker_count] */
    lbs_counter taken, done;              /* problems */
    lbs_counter stopped;                  /* 1: by on_progress */
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

static void solve_problem(const batch *b, lb_solver *solver, int problem) {
    const lb_many *many = b->many;
    size_t n = (size_t)b->problem->variable_count;
    double *pose = many->poses + (size_t)problem * n;
    const lbs_goals goals = {many->goal_count, b->items, many->goals + (size_t)problem * (size_t)many->goal_count};
    lb_result result;
    lb_error error;
    memmove(pose, start_of(many, n, problem), n * sizeof *pose);
    lb_status status = lbs_solve(solver, b->options, &goals, pose, &result, &error);
    put_answer(many, problem, status, &result);
}

/* One that is not begun any more. */
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

static void work(void *context, int number) {
    batch *b = context;
    const lb_many *many = b->many;
    for (;;) {
        int last = lbs_count(&b->taken, b->block), first = last - b->block;
        if (first >= many->count) return;
        if (last > many->count) last = many->count;
        for (int i = first; i < last; i++) {
            if (is_stopped(b)) leave_problem(b, i);
            else solve_problem(b, b->solvers[number], i);
        }
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

static lb_status make_solvers(batch *b) {
    for (int i = 0; i < b->worker_count; i++) {
        b->solvers[i] = lb_solver_create(b->problem);
        if (!b->solvers[i]) return LB_ERROR_MEMORY;
        lb_status status = lb_solver_prepare(b->solvers[i], b->options->method);
        if (status) return status;
    }
    return LB_OK;
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
    if (!status) status = make_solvers(&b);
    if (!status) lbs_work(b.worker_count, work, &b);
    for (int i = 0; i < b.worker_count; i++) lb_solver_destroy(b.solvers[i]);
    lbf_delete(&problem->allocator, b.items, goals, sizeof *b.items);
    return status;
}
