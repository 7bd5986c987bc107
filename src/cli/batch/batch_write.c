/* Rows of a batch as text and as bytes, and the output that is made of the records: see batch.h. */
#include "cli/batch/batch.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SHOWN_MOST 10 /* bad rows that are named on stderr */

void batch_csv_header(const lb_problem *problem, lbio_text *csv) {
    lbio_text_add(csv, "line,status,reason,value,iterations,restarts");
    for (int k = 0; k < lb_problem_variable_count(problem); k++) {
        char name[300];
        lb_problem_variable_name(problem, k, name, sizeof name);
        lbio_text_add(csv, ",");
        cli_csv_name(csv, name);
    }
    lbio_text_add(csv, "\n");
}

void batch_csv_row(const batch_answer *a, int variables, lbio_text *csv) {
    if (a->outcome == LB_OUTCOME_INVALID) {
        lbio_text_format(csv, "%lld,bad,\"%s\",,,", (long long)a->line, a->reason);
    } else {
        lbio_text_format(csv, "%lld,%s,,", (long long)a->line, lb_outcome_name(a->outcome));
        lbio_text_number(csv, a->value);
        lbio_text_format(csv, ",%d,%d", a->iterations, a->restarts);
    }
    for (int k = 0; k < variables; k++) {
        lbio_text_add(csv, ",");
        if (a->outcome != LB_OUTCOME_INVALID) {
            lbio_text_number(csv, a->pose[k]);
        }
    }
    lbio_text_add(csv, "\n");
}

/* The fixed part of a row in binary; the reason and the pose come behind it. */
typedef struct packed {
    int64_t line;
    double value;
    int32_t outcome, iterations, restarts, reason_size;
} packed;

void batch_pack_row(const batch_answer *a, int variables, lbio_text *record) {
    packed p = {a->line,       a->value,    (int32_t)a->outcome,
                a->iterations, a->restarts, a->outcome == LB_OUTCOME_INVALID ? (int32_t)strlen(a->reason) : 0};
    lbio_text_bytes(record, (const char *)&p, sizeof p);
    lbio_text_bytes(record, a->reason, (size_t)p.reason_size);
    if (a->outcome != LB_OUTCOME_INVALID) {
        lbio_text_bytes(record, (const char *)a->pose, (size_t)variables * sizeof *a->pose);
    }
}

size_t batch_unpack_row(const char *data, size_t size, int variables, batch_answer *a, double *pose) {
    static _Thread_local char reason[BATCH_REASON_SIZE];
    packed p;
    if (size < sizeof p) {
        return 0;
    }
    memcpy(&p, data, sizeof p);
    size_t room = p.outcome == LB_OUTCOME_INVALID ? 0 : (size_t)variables * sizeof *pose;
    if (p.reason_size < 0 || p.reason_size >= BATCH_REASON_SIZE || size - sizeof p < (size_t)p.reason_size + room) {
        return 0;
    }
    memcpy(reason, data + sizeof p, (size_t)p.reason_size);
    reason[p.reason_size] = 0;
    memcpy(pose, data + sizeof p + p.reason_size, room);
    *a = (batch_answer){p.line, (lb_outcome)p.outcome, p.value, p.iterations, p.restarts, reason, pose};
    return sizeof p + (size_t)p.reason_size + room;
}

/* --- What a job is ------------------------------------------------------------------------------------------------- */

/* Options that do not change what is computed. */
static int is_manner(const char *name) {
    static const char *const names[] = {"output", "threads", "resume", "force", "quiet", "table", "share", "chunk"};
    for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
        if (strcmp(name, names[k]) == 0) {
            return 1;
        }
    }
    return 0;
}

uint64_t batch_identity(const batch_task *task, int is_whole) {
    const cli_arguments *arguments = task->arguments;
    uint64_t hash = lbj_hash_text(lbj_hash_text(0, "batch 1"), lb_version());
    char *text = NULL;
    size_t size = 0;
    lb_error error;
    for (int k = 0; k < arguments->given_count; k++) {
        const char *name = task->command->options[arguments->given[k].option].name;
        if (!is_manner(name)) {
            hash = lbj_hash_text(lbj_hash_text(hash, name), arguments->given[k].value);
        }
    }
    if (!lbio_read_reference(arguments->operands[0], (size_t)1 << 26, &text, &size, &error)) {
        hash = lbj_hash(hash, text, size);
        free(text);
    } else {
        hash = lbj_hash_text(hash, arguments->operands[0]);
    }
    hash = lbj_hash_count(hash, (int64_t)task->figures);
    hash = lbj_hash_count(hash, (int64_t)task->table.hash);
    if (is_whole) {
        hash = lbj_hash_count(lbj_hash_count(hash, task->share), task->share_count);
        hash = lbj_hash_count(lbj_hash_count(hash, task->table.chunk_rows), task->is_hdf5);
    }
    return hash;
}

int64_t batch_share_rows(const batch_task *task, int64_t *chunks) {
    const batch_table *t = &task->table;
    int64_t count = task->share_count > 0 ? task->share_count : 1, number = task->share_count > 0 ? task->share : 1;
    int64_t first = t->chunk_count * (number - 1) / count, end = t->chunk_count * number / count;
    *chunks = end - first;
    int64_t last_row = end * t->chunk_rows < t->row_count ? end * t->chunk_rows : t->row_count;
    return end > first ? last_row - first * t->chunk_rows : 0;
}

void batch_share_line(const batch_task *task, uint64_t identity, int64_t rows, lbio_text *text) {
    lbio_text_format(text, "# limber batch share %d/%d of job %016llx in chunks of %lld with %lld rows\n", task->share,
                     task->share_count, (unsigned long long)identity, (long long)task->table.chunk_rows,
                     (long long)rows);
}

/* --- The output ------------------------------------------------------------------------------------------------------ */

typedef struct output {
    const batch_task *task;
    FILE *csv;
    batch_hdf5 *hdf5;
    double *pose; /* [variables]: of the row that is unpacked */
    batch_head sum;
    int shown; /* bad rows that were named */
} output;

static void show_bad(output *o, const char *list, size_t size) {
    const char *end = list + size;
    while (list < end && o->shown < SHOWN_MOST) {
        const char *stop = memchr(list, '\n', (size_t)(end - list)), *blank = memchr(list, ' ', (size_t)(end - list));
        if (!stop || !blank || blank > stop) {
            return;
        }
        cli_note("%s:%.*s: skipped: %.*s", o->task->table.path, (int)(blank - list), list, (int)(stop - blank - 1),
                 blank + 1);
        o->shown++;
        list = stop + 1;
    }
}

static lb_status put_record(output *o, const lbio_text *record, const char *path, lb_error *error) {
    batch_head head;
    if (record->size < sizeof head) {
        return lbio_error(error, LB_ERROR_SYNTAX, path, 0, "a record is no batch's");
    }
    memcpy(&head, record->data, sizeof head);
    if (head.bad_size > record->size - sizeof head) {
        return lbio_error(error, LB_ERROR_SYNTAX, path, 0, "a record is no batch's");
    }
    show_bad(o, record->data + sizeof head, (size_t)head.bad_size);
    o->sum.rows += head.rows, o->sum.solved += head.solved, o->sum.bad += head.bad;
    const char *at = record->data + sizeof head + head.bad_size, *end = record->data + record->size;
    if (o->csv) {
        return fwrite(at, 1, (size_t)(end - at), o->csv) == (size_t)(end - at)
                   ? LB_OK
                   : lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be written: %s", strerror(errno));
    }
    lb_status status = LB_OK;
    for (batch_answer answer; at < end && !status;) {
        size_t size = batch_unpack_row(at, (size_t)(end - at), o->task->base.variable_count, &answer, o->pose);
        if (size == 0) {
            return lbio_error(error, LB_ERROR_SYNTAX, path, 0, "a record is no batch's");
        }
        status = batch_hdf5_put(o->hdf5, &answer, error);
        at += size;
    }
    return status;
}

static lb_status begin_csv(output *o, const char *path, uint64_t identity, int64_t rows, lb_error *error) {
    lbio_text text = {0};
    o->csv = fopen(path, "wb");
    if (o->task->share_count > 0) {
        batch_share_line(o->task, identity, rows, &text);
    }
    batch_csv_header(o->task->base.problem, &text);
    int failed = !o->csv || text.failed || fwrite(text.data, 1, text.size, o->csv) != text.size;
    lbio_text_free(&text);
    return failed ? lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be written: %s", strerror(errno)) : LB_OK;
}

/* The options that decide the answers, as they were given. */
static void say_options(const batch_task *task, lbio_text *text) {
    for (int k = 0; k < task->arguments->given_count; k++) {
        const char *name = task->command->options[task->arguments->given[k].option].name;
        if (!is_manner(name)) {
            lbio_text_format(text, "%s--%s %s", text->size ? " " : "", name, task->arguments->given[k].value);
        }
    }
    lbio_text_add(text, "");
}

static lb_status begin_hdf5(output *o, const char *path, uint64_t identity, int64_t rows, lb_error *error) {
    const batch_task *task = o->task;
    int n = task->base.variable_count;
    lbio_text options = {0};
    say_options(task, &options);
    char **names = calloc((size_t)n + 1, sizeof *names);
    o->pose = malloc(((size_t)n + 1) * sizeof *o->pose);
    int failed = !names || !o->pose || options.failed;
    for (int k = 0; k < n && !failed; k++) {
        names[k] = malloc(300);
        failed = !names[k];
        if (!failed) {
            lb_problem_variable_name(task->base.problem, k, names[k], 300);
        }
    }
    if (failed) {
        lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory");
    } else {
        batch_about about = {
            lb_version(),      task->arguments->operands[0], options.data ? options.data : "", identity, task->share,
            task->share_count, (int)task->table.chunk_rows};
        o->hdf5 = batch_hdf5_create(path, &about, rows, n, (const char *const *)names, error);
    }
    for (int k = 0; names && k < n; k++) {
        free(names[k]);
    }
    free(names);
    lbio_text_free(&options);
    return o->hdf5 ? LB_OK : error->status;
}

static lb_status write_output(output *o, lbj_results *results, lb_error *error) {
    const char *path = lbj_results_path(results);
    lbio_text record = {0};
    int64_t chunks = 0, rows = batch_share_rows(o->task, &chunks);
    uint64_t identity = batch_identity(o->task, 0);
    lb_status status =
        o->task->is_hdf5 ? begin_hdf5(o, path, identity, rows, error) : begin_csv(o, path, identity, rows, error);
    for (int64_t k = 0; k < chunks && !status; k++) {
        status = lbj_results_read(results, k, &record, error);
        status = status ? status : put_record(o, &record, path, error);
    }
    if (o->csv && fclose(o->csv) && !status) {
        status =
            lbio_error(error, LB_ERROR_FILE, path, 0,
                       "cannot be written: %s; nothing that was computed is lost: make room and go on with --resume",
                       strerror(errno));
    }
    if (o->hdf5) {
        lb_error closing;
        lb_status closed = batch_hdf5_close(o->hdf5, &closing);
        if (!status && closed) {
            *error = closing, status = closed;
        }
    }
    free(o->pose);
    lbio_text_free(&record);
    return status;
}

int batch_finish(const batch_task *task, lbj_results *results, double seconds) {
    output o = {.task = task};
    lb_error error = {0};
    lb_status status = write_output(&o, results, &error);
    status = status ? status : lbj_results_commit(results, &error);
    if (status) {
        return cli_report(CLI_CANNOT_WRITE, &error);
    }
    if (o.sum.bad > o.shown) {
        cli_note("and %lld more rows were skipped; the output says why", (long long)(o.sum.bad - o.shown));
    }
    if (!task->is_quiet) {
        printf("%lld of %lld rows solved", (long long)o.sum.solved, (long long)o.sum.rows);
        if (o.sum.bad > 0) {
            printf(", %lld could not be read", (long long)o.sum.bad);
        }
        char time[32];
        cli_print_time(seconds * 1e6, time);
        printf("; %s: %s.\n", task->output, time);
    }
    return o.sum.solved == o.sum.rows ? CLI_OK : CLI_NOT_SOLVED;
}
