/* The workers of a batch: each has the problem for itself, because weights and statures change it. See batch.h. */
#include "cli/batch/batch.h"

#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define STATURES 4 /* scaled problems that a worker keeps */

/* The problem for one stature, with a solver. */
typedef struct scaled {
    double stature; /* 0: the problem's own */
    lb_problem_file *file;
    batch_base base;
    lb_solver *solver;
    int64_t used; /* when it was used last */
} scaled;

typedef struct worker {
    const batch_task *task;
    scaled problems[STATURES + 1]; /* the first is the problem as it is */
    int64_t uses;
    batch_row *rows; /* [chunk_rows] */
    batch_numbers numbers;
    int *ids;           /* [goal_count] */
    double *poses;      /* [chunk_rows][variables] */
    lb_answer *answers; /* [chunk_rows] */
    lbio_text text;     /* of the chunk's rows */
    lbio_text bad;      /* list of its bad rows */
} worker;

lb_status batch_hash_figures(const lb_problem *problem, uint64_t *hash, lb_error *error) {
    lb_status status = LB_OK;
    lb_save_options options;
    lb_save_options_defaults(&options);
    options.format = LB_FORMAT_FIG;
    *hash = 0;
    for (int k = 0; k < lb_problem_figure_count(problem) && !status; k++) {
        char *text = NULL;
        size_t size = 0;
        status = lb_figure_save_memory(lb_problem_figure(problem, k), &options, &text, &size, error);
        *hash = status ? 0 : lbj_hash(*hash, text, size);
        lb_text_free(text);
    }
    return status;
}

static void unload(scaled *s) {
    lb_solver_destroy(s->solver);
    lb_problem_file_destroy(s->file);
    *s = (scaled){0};
}

/* Reads the problem for a stature; what is wrong was said when it was read first. */
static lb_status load(const batch_task *task, double stature, scaled *s, lb_error *error) {
    static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* the command line is read by one at a time */
    cli_manner manner = {.stature = stature, .is_quiet = 1};
    uint64_t figures = 0;
    pthread_mutex_lock(&mutex);
    int code = cli_solve_manner(task->command, task->arguments, &manner);
    manner.stature = stature, manner.is_quiet = 1;
    code = code ? code : cli_solve_load(task->command, task->arguments, &manner, &s->file);
    pthread_mutex_unlock(&mutex);
    if (code) {
        return lbio_error(error, LB_ERROR_FILE, NULL, 0, "the problem cannot be read any more");
    }
    s->stature = stature;
    s->base.problem = lb_problem_file_problem(s->file);
    s->base.start = lb_problem_file_start(s->file);
    s->base.variable_count = lb_problem_variable_count(s->base.problem);
    s->base.constraint_count = lb_problem_constraint_count(s->base.problem);
    s->solver = lb_solver_create(s->base.problem, error);
    if (stature == 0 && (batch_hash_figures(s->base.problem, &figures, error) || figures != task->figures)) {
        return lbio_error(error, LB_ERROR_FILE, NULL, 0, "the figure changed while rows were solved");
    }
    return s->solver ? LB_OK : error->status;
}

/* The problem for a stature: one that is kept, or else it takes the place of that used longest ago. */
static lb_status get_problem(worker *w, double stature, scaled **found, lb_error *error) {
    scaled *oldest = &w->problems[1];
    for (int k = 0; k <= STATURES; k++) {
        scaled *s = &w->problems[k];
        if (s->file && s->stature == stature) {
            s->used = ++w->uses;
            *found = s;
            return LB_OK;
        }
        oldest = k > 0 && s->used < oldest->used ? s : oldest;
    }
    unload(oldest);
    lb_status status = load(w->task, stature, oldest, error);
    if (status) {
        unload(oldest);
        return status;
    }
    oldest->used = ++w->uses;
    *found = oldest;
    return LB_OK;
}

void batch_worker_destroy(void *context, void *made) {
    worker *w = made;
    (void)context;
    for (int k = 0; k <= STATURES; k++) {
        unload(&w->problems[k]);
    }
    free(w->rows);
    free(w->numbers.goals);
    free(w->numbers.weights);
    free(w->numbers.starts);
    free(w->ids);
    free(w->poses);
    free(w->answers);
    lbio_text_free(&w->text);
    lbio_text_free(&w->bad);
    free(w);
}

void *batch_worker_create(void *context, lb_error *error) {
    const batch_task *task = context;
    const batch_columns *c = &task->table.columns;
    size_t rows = (size_t)task->table.chunk_rows, n = (size_t)task->base.variable_count;
    worker *w = calloc(1, sizeof *w);
    lb_status status = w ? load(task, 0, &w->problems[0], error) : LB_ERROR_MEMORY;
    if (w) {
        w->task = task;
        w->rows = malloc(rows * sizeof *w->rows);
        w->numbers.goals = malloc((rows * (size_t)c->goal_count + 1) * sizeof *w->numbers.goals);
        w->numbers.starts = malloc((rows * n + 1) * sizeof *w->numbers.starts);
        w->numbers.weights =
            c->has_weights ? malloc(rows * (size_t)task->base.constraint_count * sizeof *w->numbers.weights) : NULL;
        w->ids = malloc(((size_t)c->goal_count + 1) * sizeof *w->ids);
        w->poses = malloc((rows * n + 1) * sizeof *w->poses);
        w->answers = malloc(rows * sizeof *w->answers);
    }
    if (status || !w->rows || !w->numbers.goals || !w->numbers.starts || (c->has_weights && !w->numbers.weights) ||
        !w->ids || !w->poses || !w->answers) {
        if (w) {
            batch_worker_destroy(context, w);
        }
        return NULL;
    }
    for (int k = 0; k < c->goal_count; k++) {
        w->ids[k] = lb_problem_constraint_id(w->problems[0].base.problem, c->goals[k]);
    }
    return w;
}

/* --- Solving -------------------------------------------------------------------------------------------------------- */

/* All good rows of a chunk at once: problems that differ in their goals and starts alone. */
static lb_status solve_together(worker *w, int count, lb_error *error) {
    const batch_task *task = w->task;
    size_t n = (size_t)task->base.variable_count, g = (size_t)task->table.columns.goal_count;
    lb_many many;
    int good = 0;
    for (int k = 0; k < count; k++) { /* good rows move up; row k is never before its place among them */
        if (!w->rows[k].is_bad) {
            memmove(w->numbers.goals + (size_t)good * g, w->numbers.goals + (size_t)k * g,
                    g * sizeof *w->numbers.goals);
            memmove(w->numbers.starts + (size_t)good * n, w->numbers.starts + (size_t)k * n,
                    n * sizeof *w->numbers.starts);
            good++;
        }
    }
    lb_many_defaults(&many);
    many.count = good;
    many.goal_count = (int)g, many.ids = w->ids, many.goals = w->numbers.goals;
    many.starts = w->numbers.starts;
    return good > 0 ? lb_solve_many(w->problems[0].base.problem, &task->options, &many, w->poses, w->answers, error)
                    : LB_OK;
}

/* Row k, whose answer is number `at`. */
static lb_status solve_row(worker *w, const char *from, const char *to, int k, int at, lb_error *error) {
    const batch_task *task = w->task;
    const batch_columns *c = &task->table.columns;
    scaled *s = &w->problems[0];
    lb_status status = LB_OK;
    if (w->rows[k].stature > 0) {
        status = get_problem(w, w->rows[k].stature, &s, error);
        if (status) {
            return status;
        }
        batch_row_read(&task->table, &s->base, from, to, k, &w->rows[k], &w->numbers);
    }
    size_t n = (size_t)s->base.variable_count;
    double *pose = w->poses + (size_t)at * n;
    lb_result result;
    lb_result_defaults(&result);
    memcpy(pose, w->numbers.starts + (size_t)k * n, n * sizeof *pose);
    for (int g = 0; g < c->goal_count && !status; g++) {
        status = lb_problem_move_goal(s->base.problem, w->ids[g],
                                      &w->numbers.goals[(size_t)k * (size_t)c->goal_count + (size_t)g]);
    }
    for (int i = 0; i < s->base.constraint_count && c->has_weights && !status; i++) {
        status = lb_problem_set_weight(s->base.problem, lb_problem_constraint_id(s->base.problem, i),
                                       w->numbers.weights[(size_t)k * (size_t)s->base.constraint_count + (size_t)i]);
    }
    status = status ? status : lb_solver_solve(s->solver, &task->options, pose, &result);
    if (status == LB_ERROR_MEMORY) {
        return lbio_error(error, status, NULL, 0, "out of memory");
    }
    w->answers[at] = (lb_answer){.status = status,
                                 .outcome = status ? LB_OUTCOME_INVALID : result.outcome,
                                 .value = status ? NAN : result.value,
                                 .iterations = result.iterations,
                                 .evaluations = result.evaluations,
                                 .restarts = result.restarts};
    return LB_OK;
}

/* Whether rows can be solved together: where nothing but goals and starts differs, and no body is posed. */
static int are_alike(const worker *w) {
    const batch_columns *c = &w->task->table.columns;
    const lb_problem *problem = w->problems[0].base.problem;
    for (int k = 0; k < lb_problem_figure_count(problem); k++) {
        if (lb_problem_body(problem, k)) {
            return 0;
        }
    }
    return !c->has_weights && !c->has_statures;
}

/* Reads the rows of a chunk, and where they are not solved together also solves them. */
static lb_status take_rows(worker *w, int64_t chunk, int is_together, int *count, lb_error *error) {
    const batch_table *t = &w->task->table;
    const char *at = w->text.data, *end = at + w->text.size, *from, *to;
    int64_t line = t->marks[chunk].line - 1;
    lb_status status = LB_OK;
    int good = 0;
    for (*count = 0; *count < t->chunk_rows && !status && batch_next_row(&at, end, &line, &from, &to); (*count)++) {
        batch_row *row = &w->rows[*count];
        batch_row_read(t, &w->problems[0].base, from, to, *count, row, &w->numbers);
        row->line = line;
        if (!is_together && !row->is_bad) {
            status = solve_row(w, from, to, *count, good++, error);
        }
    }
    return status;
}

/* The answer of row k; `good` rows before it are not bad. */
static void make_answer(const worker *w, int k, int good, batch_answer *answer) {
    const batch_row *row = &w->rows[k];
    const lb_answer *found = &w->answers[good];
    *answer = (batch_answer){.line = row->line, .outcome = LB_OUTCOME_INVALID, .value = NAN, .reason = row->reason};
    if (row->is_bad) {
        return;
    }
    if (found->status) {
        answer->reason = lb_status_text(found->status);
        return;
    }
    answer->outcome = found->outcome, answer->value = found->value;
    answer->iterations = found->iterations, answer->restarts = found->restarts;
    answer->pose = w->poses + (size_t)good * (size_t)w->task->base.variable_count;
}

/* The record: its head, the list of bad rows, and all rows as the output has them. */
static void write_record(worker *w, int count, lbio_text *record) {
    int n = w->task->base.variable_count, good = 0;
    batch_head head = {.rows = count};
    batch_answer answer;
    w->bad.size = 0;
    for (int k = 0; k < count; good += !w->rows[k++].is_bad) {
        make_answer(w, k, good, &answer);
        head.solved += answer.outcome == LB_OUTCOME_SOLVED;
        if (answer.outcome == LB_OUTCOME_INVALID) {
            head.bad++;
            lbio_text_format(&w->bad, "%lld %s\n", (long long)answer.line, answer.reason);
        }
    }
    head.bad_size = w->bad.size;
    lbio_text_bytes(record, (const char *)&head, sizeof head);
    lbio_text_bytes(record, w->bad.data, w->bad.size);
    good = 0;
    for (int k = 0; k < count; good += !w->rows[k++].is_bad) {
        make_answer(w, k, good, &answer);
        if (w->task->is_hdf5) {
            batch_pack_row(&answer, n, record);
        } else {
            batch_csv_row(&answer, n, record);
        }
    }
    record->failed |= w->bad.failed;
}

lb_status batch_run_chunk(void *context, void *made, int64_t chunk, lbio_text *record, lb_error *error) {
    const batch_task *task = context;
    worker *w = made;
    int count = 0, is_together = are_alike(w);
    lb_status status = batch_table_read(&task->table, task->first_chunk + chunk, &w->text, error);
    status = status ? status : take_rows(w, task->first_chunk + chunk, is_together, &count, error);
    status = status ? status : is_together ? solve_together(w, count, error) : LB_OK;
    if (!status) {
        write_record(w, count, record);
    }
    return status;
}
