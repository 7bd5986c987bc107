/* Many problems of one shape: figures, constraints and options the same, goals and start poses each its own.
 *
 * Blocks of problems are taken by the threads, one after the other, until none is left. Nothing of a problem depends on
 * its neighbours or on who solves it, so the answers are those of lb_solver_solve to the bit. What the arm engine can
 * do runs through its lanes, problems side by side: where one is done, the next takes its place. Memory is had before
 * the threads begin: an allocator need not know of them. */
#include <limits.h>
#include <string.h>

#include "figure/error.h"
#include "figure/sized.h"
#include "math/rounding.h"
#include "solve/solver.h"
#include "solve/threads.h"

#define BLOCK 64 /* problems at most: threads are done within one of each other */
#define HEAP 32  /* parts of problems that are made or finished together */
#define PARTS (2 * HEAP + LBS_ARM_JOBS)
#define OWN_LINES 128 /* bytes, so that what one thread writes is not beside what another reads */

typedef struct batch batch;

/* What a thread has for itself. Parts of problems are made and finished a heap at a time, in code that the engine's own
 * would have driven from the cache. */
typedef struct worker {
    batch *batch;
    lb_solver *solver;
    int next, end; /* problems that it has taken and not begun */
    int waiting;   /* one that is not to be begun before all others are done; -1: none */
    int finished;  /* problems since it last counted them */
    int tells;     /* it calls on_progress */
    int free_count;
    int ready_count, ready_next; /* made, and how many of them are begun */
    int done_count;
    lbs_part *free[PARTS], *ready[HEAP], *done[HEAP];
    lbs_part parts[PARTS];
    double *starts; /* [PARTS][variable]: theirs */
    char gap[OWN_LINES];
} worker;

struct batch {
    const lb_problem *problem;
    const lb_solve_options *options;
    const lb_many *many;
    double *poses;      /* [count][variable]: the answers */
    lb_answer *answers; /* [count], or NULL */
    int *items;         /* [goal_count] of the space */
    int block, worker_count;
    worker *workers;         /* [worker_count] */
    char gap[OWN_LINES];     /* around what all write */
    lbs_counter taken, done; /* problems */
    lbs_counter stopped;     /* 1: by on_progress */
};

static const lbf_sized many_kind = LBF_SIZED(lb_many, on_progress_context);

void lb_many_defaults_sized(lb_many *many, size_t struct_size) {
    static const lb_many defaults = {.threads = 1};
    lbf_default_sized(&many_kind, &defaults, many, struct_size);
}

/* --- One problem ------------------------------------------------------------------------------------------------ */

static const double *start_of(const lb_many *many, size_t n, int problem) {
    return many->starts + (many->one_start ? 0 : (size_t)problem * n);
}

static void put_answer(const batch *b, int problem, lb_status status, const lb_result *result) {
    if (!b->answers) {
        return;
    }
    b->answers[problem] = (lb_answer){.status = status,
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

/* part: what the arm engine did of it, or NULL. */
static void solve_problem(const batch *b, lb_solver *solver, int problem, const lbs_part *part) {
    size_t n = (size_t)b->problem->variable_count;
    double *pose = b->poses + (size_t)problem * n;
    const lbs_goals goals = goals_of(b, problem);
    lb_result result;
    lb_error error;
    memmove(pose, start_of(b->many, n, problem), n * sizeof *pose);
    lb_status status = lbs_solve(solver, b->options, &goals, part, pose, &result, &error);
    put_answer(b, problem, status, &result);
}

/* One that is given up. */
static void leave_problem(const batch *b, int problem) {
    size_t n = (size_t)b->problem->variable_count;
    lb_result result = {.outcome = LB_OUTCOME_BUDGET, .value = NAN};
    memmove(b->poses + (size_t)problem * n, start_of(b->many, n, problem), n * sizeof(double));
    put_answer(b, problem, LB_OK, &result);
}

/* --- A thread's way through them
 * ----------------------------------------------------------------------------------- */

static int is_stopped(const batch *b) {
    return atomic_load(&b->stopped.value) || lb_cancel_is_requested(b->options->cancel);
}

static void tell(batch *b, int done) {
    const lb_many *many = b->many;
    if (!many->on_progress || is_stopped(b)) {
        return;
    }
    if (many->on_progress(many->on_progress_context, done, many->count)) {
        lbs_count(&b->stopped, 1);
    }
}

/* Problems are counted a block at a time: threads would wait for each other's counting. */
static void count_finished(worker *w) {
    if (!w->finished) {
        return;
    }
    int done = lbs_count(&w->batch->done, w->finished);
    w->finished = 0;
    if (w->tells) {
        tell(w->batch, done);
    }
}

static void finish_problem(worker *w) {
    if (++w->finished >= w->batch->block) {
        count_finished(w);
    }
}

/* The next problem; -1 where there is none. */
static int take_problem(worker *w) {
    batch *b = w->batch;
    if (w->next == w->end) {
        w->end = lbs_count(&b->taken, b->block);
        w->next = w->end - b->block;
        if (w->end > b->many->count) {
            w->end = b->many->count;
        }
        if (w->next >= w->end) {
            w->next = w->end = 0;
            return -1;
        }
    }
    return w->next++;
}

/* The arm engine's part of a problem. Returns 0 where there is none. others: parts are under way. */
static int add_part(worker *w, int problem, int others) {
    const batch *b = w->batch;
    const lbs_goals goals = goals_of(b, problem);
    const double *start = start_of(b->many, (size_t)b->problem->variable_count, problem);
    lbs_part *part = w->free[w->free_count - 1];
    if (!lbs_offer(w->solver, b->options, &goals, start, others, part)) {
        return 0;
    }
    part->problem = problem;
    w->free_count--;
    w->ready[w->ready_count++] = part;
    return 1;
}

/* Some more of them, up to the first problem that cannot be done beside the others: the plan may have to be another. */
static void make_ready(worker *w) {
    w->ready_count = w->ready_next = 0;
    while (w->ready_count < HEAP && w->free_count > 0 && w->waiting < 0 && !is_stopped(w->batch)) {
        int problem = take_problem(w);
        if (problem < 0) {
            return;
        }
        if (!add_part(w, problem, 1)) {
            w->waiting = problem;
        }
    }
}

static lbs_arm_job *next_job(void *context) {
    worker *w = context;
    if (w->ready_next == w->ready_count) {
        make_ready(w);
    }
    return w->ready_next < w->ready_count ? &w->ready[w->ready_next++]->job : NULL;
}

static void finish_parts(worker *w) {
    for (int i = 0; i < w->done_count; i++) {
        lbs_part *part = w->done[i];
        if (part->job.end == LBS_ARM_STOPPED) {
            leave_problem(w->batch, part->problem);
        } else {
            solve_problem(w->batch, w->solver, part->problem, part);
        }
        w->free[w->free_count++] = part;
        finish_problem(w);
    }
    w->done_count = 0;
}

static void job_done(void *context, lbs_arm_job *job) {
    worker *w = context;
    w->done[w->done_count++] = (lbs_part *)job;
    if (w->done_count == HEAP) {
        finish_parts(w);
    }
}

static int must_stop(void *context) { return is_stopped(((worker *)context)->batch); }

static void leave(worker *w, int problem) {
    leave_problem(w->batch, problem);
    finish_problem(w);
}

/* A problem, and all after it that can be done beside it. */
static void begin_with(worker *w, int problem) {
    const batch *b = w->batch;
    const lbs_arm_feed feed = {next_job, job_done, must_stop, w};
    int is_timed = b->options->deadline_us > 0; /* which is each problem's own: one after the other then */
    w->ready_count = w->ready_next = 0;
    if (is_stopped(b)) {
        leave(w, problem);
    } else if (!is_timed && add_part(w, problem, 0)) {
        lbs_arm_stream_jobs(w->solver->arm.plan, &feed, w->solver->arm.run_memory);
        finish_parts(w);
        while (w->ready_next < w->ready_count) { /* stopped */
            lbs_part *part = w->ready[w->ready_next++];
            leave(w, part->problem);
            w->free[w->free_count++] = part;
        }
    } else {
        solve_problem(b, w->solver, problem, NULL);
        finish_problem(w);
    }
}

static void work(void *context, int number) {
    LBM_ROUND_TO_NEAREST(rounding);
    worker *w = &((batch *)context)->workers[number];
    for (;;) {
        int problem = w->waiting >= 0 ? w->waiting : take_problem(w);
        w->waiting = -1;
        if (problem < 0) {
            break;
        }
        begin_with(w, problem);
    }
    count_finished(w);
}

/* Whether the batch makes sense; poses is where the answers go. */
static lb_status check(const lb_solve_options *options, const lb_many *many, const double *poses, lb_error *error) {
    if (many->count < 0 || many->goal_count < 0 || many->threads < 0) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "a count of problems, goals or threads is negative");
    }
    if (options->on_iteration) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "many problems cannot call on_iteration: use on_progress");
    }
    if (many->count > INT_MAX - BLOCK * LBS_MOST_THREADS) {
        return lbf_refuse(error, LB_ERROR_TOO_LARGE, "there are too many problems");
    }
    if (many->count > 0 && (!many->starts || !poses)) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "there are no start poses, or no place for the answers");
    }
    if (many->goal_count > 0 && (!many->ids || (many->count > 0 && !many->goals))) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "there are no ids of constraints, or no goals for them");
    }
    return lbs_check_options(options, error);
}

static lb_status find_items(batch *b) {
    const lb_many *many = b->many;
    for (int i = 0; i < many->goal_count; i++) {
        int index = lbp_index_of(b->problem, many->ids[i]);
        if (index < 0) {
            return LB_ERROR_ARGUMENT;
        }
        b->items[i] = lbs_item_of(b->problem, index);
    }
    return LB_OK;
}

static lb_status make_workers(batch *b) {
    const lb_allocator *a = &b->problem->allocator;
    b->workers = lbf_new(a, (size_t)b->worker_count, sizeof *b->workers);
    if (!b->workers) {
        return LB_ERROR_MEMORY;
    }
    for (int i = 0; i < b->worker_count; i++) {
        worker *w = &b->workers[i];
        w->batch = b;
        w->waiting = -1;
        w->tells = i == 0;
        w->starts = lbf_new(a, (size_t)b->problem->variable_count, PARTS * sizeof *w->starts);
        w->solver = lb_solver_create(b->problem, NULL);
        if (!w->starts || !w->solver) {
            return LB_ERROR_MEMORY;
        }
        for (int k = 0; k < PARTS; k++) {
            w->parts[k].start = w->starts + (size_t)k * (size_t)b->problem->variable_count;
            w->free[w->free_count++] = &w->parts[k];
        }
        lb_status status = lbs_prepare(w->solver, b->options->method);
        if (status) {
            return status;
        }
    }
    return LB_OK;
}

static void free_workers(batch *b) {
    const lb_allocator *a = &b->problem->allocator;
    for (int i = 0; b->workers && i < b->worker_count; i++) {
        worker *w = &b->workers[i];
        lb_solver_destroy(w->solver);
        lbf_delete(a, w->starts, (size_t)b->problem->variable_count, PARTS * sizeof *w->starts);
    }
    lbf_delete(a, b->workers, (size_t)b->worker_count, sizeof *b->workers);
}

/* As many as there is work for, in blocks that leave each some. */
static void share_out(batch *b) {
    int threads = b->many->threads < 1 ? 1 : b->many->threads, most = lbs_most_threads();
    if (threads > most) {
        threads = most;
    }
    b->block = b->many->count / (8 * threads);
    b->block = b->block < 1 ? 1 : b->block > BLOCK ? BLOCK : b->block;
    int blocks = (b->many->count + b->block - 1) / b->block;
    b->worker_count = threads < blocks ? threads : blocks;
}

/* Solves the batch, which is checked. */
static lb_status solve_batch(batch *b) {
    const lb_allocator *a = &b->problem->allocator;
    size_t goals = (size_t)b->many->goal_count;
    b->items = lbf_new(a, goals, sizeof *b->items);
    if (!b->items) {
        return LB_ERROR_MEMORY;
    }
    share_out(b);
    lb_status status = find_items(b);
    if (!status) {
        status = make_workers(b);
    }
    if (!status) {
        lbs_work(b->worker_count, work, b);
    }
    free_workers(b);
    lbf_delete(a, b->items, goals, sizeof *b->items);
    return status;
}

lb_status lb_solve_many(const lb_problem *problem, const lb_solve_options *given_options, const lb_many *given,
                        double *poses, lb_answer *answers, lb_error *error) {
    lb_solve_options options;
    lb_many many;
    if (!problem || !given) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "many problems need an lb_problem and an lb_many");
    }
    LBM_ROUND_TO_NEAREST(rounding);
    if (!rounding.is_nearest) {
        return lbf_refuse(error, LB_ERROR_UNSUPPORTED, LBM_NOT_NEAREST);
    }
    lb_many_defaults(&many);
    lb_status status = lbf_take_sized(&many_kind, given, &many, error);
    status = status ? status : lbs_take_options(given_options, &options, error);
    status = status ? status : check(&options, &many, poses, error);
    if (status) {
        return status;
    }
    lbf_clear(error);
    if (many.count == 0) {
        return LB_OK;
    }
    batch b = {.problem = problem, .options = &options, .many = &many, .poses = poses, .answers = answers};
    status = solve_batch(&b);
    if (status) {
        lbf_fail(error, status,
                 status == LB_ERROR_ARGUMENT ? "the problem has no constraint of an id that is given"
                                             : lb_status_text(status),
                 (char *)0);
    }
    return status;
}
