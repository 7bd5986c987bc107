/* limber batch: one problem over a table of goals, start poses, weights and statures, of any length.
 *
 * The table is read twice: once to find where each chunk of rows begins, and then chunk by chunk by the workers of a
 * job (jobs/jobs.h). A row that cannot be understood is a row of the output too, with the reason. */
#ifndef LIMBER_CLI_BATCH_H
#define LIMBER_CLI_BATCH_H

#include "cli/cli.h"
#include "jobs/jobs.h"
#include <limber/solve.h>

#define BATCH_COLUMNS_MOST 1024
#define BATCH_PLACES 7        /* of a goal: x y z qx qy qz qw */
#define BATCH_REASON_SIZE 160 /* bytes of the reason why a row is bad, with its end */
#define BATCH_LINE_MOST ((size_t)1 << 20)

typedef enum batch_kind { BATCH_GOAL, BATCH_WEIGHT, BATCH_START, BATCH_STATURE, BATCH_IGNORED } batch_kind;

/* What a column of the table is for. */
typedef struct batch_column {
    batch_kind kind;
    int index; /* BATCH_GOAL: which of `goals`; BATCH_WEIGHT: index of the constraint; BATCH_START: of the variable */
    int place; /* BATCH_GOAL: which of its numbers */
    char name[80];
} batch_column;

/* What the columns say of the problem. */
typedef struct batch_columns {
    int count;
    batch_column each[BATCH_COLUMNS_MOST];
    int goal_count;
    int goals[BATCH_COLUMNS_MOST]; /* indices of the constraints whose goals move */
    int has_weights, has_starts, has_statures;
    const char *ignored; /* names with commas between them; NULL: none */
} batch_columns;

/* Where a chunk of rows begins. */
typedef struct batch_mark {
    uint64_t offset; /* of its first row in the file */
    int64_t line;    /* of its first row, counted from 1 */
    uint64_t hash;   /* of its lines */
} batch_mark;

typedef struct batch_table {
    const char *path;
    int file; /* descriptor */
    int64_t row_count, chunk_rows, chunk_count;
    batch_mark *marks; /* [chunk_count + 1]; the last is the end */
    int64_t mark_room;
    uint64_t hash; /* of all of it */
    batch_columns columns;
    lbio_text header; /* the line that names the columns */
    int64_t header_line;
} batch_table;

/* A row as it was read. */
typedef struct batch_row {
    int64_t line;
    double stature;                 /* 0: the problem's own */
    int is_bad;                     /* 1: `reason` says why */
    char reason[BATCH_REASON_SIZE]; /* one line, without quotes */
} batch_row;

/* Arrays that the numbers of rows go to; row k has the k-th entry of each. */
typedef struct batch_numbers {
    lb_frame *goals; /* [rows][goal_count] */
    double *weights; /* [rows][constraints], where the table has weights */
    double *starts;  /* [rows][variables] */
} batch_numbers;

/* What does not change from row to row. */
typedef struct batch_base {
    lb_problem *problem;
    const double *start; /* [variables] */
    int variable_count, constraint_count;
} batch_base;

/* A row with its answer, as the output has it. */
typedef struct batch_answer {
    int64_t line;
    lb_outcome outcome; /* LB_OUTCOME_INVALID: the row is bad */
    double value;
    int iterations, restarts;
    const char *reason; /* "" where the row is not bad */
    const double *pose; /* [variables] */
} batch_answer;

/* What one run is asked. */
typedef struct batch_task {
    const cli_command *command;
    const cli_arguments *arguments;
    const char *output;
    int is_hdf5, is_quiet;
    int share, share_count; /* from 1 on; share_count 0: all of it */
    batch_table table;
    batch_base base;
    uint64_t figures; /* hash of the figures */
    lb_solve_options options;
    int64_t first_chunk; /* of the share */
} batch_task;

/* --- batch_table.c: where chunks of rows begin ------------------------------------------------------------------ */

/* Opens the table, reads its first line, and finds the chunks. */
lb_status batch_table_scan(batch_table *table, lb_error *error);
/* Opens it and takes over what rank 0 has found, and the other way round. */
lb_status batch_table_take(batch_table *table, const lbio_text *bytes, lb_error *error);
void batch_table_give(const batch_table *table, lbio_text *bytes);
void batch_table_close(batch_table *table);
/* The text of a chunk's rows, which must be what it was. */
lb_status batch_table_read(const batch_table *table, int64_t chunk, lbio_text *text, lb_error *error);
/* The next line of a text that is a row, from *at on, and its number; 0 where there is none. */
int batch_next_row(const char **at, const char *end, int64_t *line, const char **from, const char **to);

/* --- batch_columns.c: names of columns, and rows ------------------------------------------------------------------ */

lb_status batch_columns_read(batch_table *table, const batch_base *base, lb_error *error);
/* Reads row number k; what is wrong with it goes to row->reason. */
void batch_row_read(const batch_table *table, const batch_base *base, const char *from, const char *to, int k,
                    batch_row *row, batch_numbers *numbers);

/* --- batch_solve.c: the workers
 * ------------------------------------------------------------------------------------ */

void *batch_worker_create(void *task, lb_error *error);
void batch_worker_destroy(void *task, void *worker);
lb_status batch_run_chunk(void *task, void *worker, int64_t chunk, lbio_text *record, lb_error *error);
/* A hash of all figures of a problem. */
lb_status batch_hash_figures(const lb_problem *problem, uint64_t *hash, lb_error *error);

/* --- batch_write.c: records and the output
 * ------------------------------------------------------------------------- */

/* What a record begins with. */
typedef struct batch_head {
    int64_t rows, solved, bad;
    uint64_t bad_size; /* bytes of the list of bad rows behind the head: "line reason\n" each */
} batch_head;

void batch_csv_header(const lb_problem *problem, lbio_text *csv);
void batch_csv_row(const batch_answer *answer, int variables, lbio_text *csv);
/* A row in binary, and back: returns the bytes that it has, or 0 where they are no row. The pose is copied. */
void batch_pack_row(const batch_answer *answer, int variables, lbio_text *record);
size_t batch_unpack_row(const char *data, size_t size, int variables, batch_answer *answer, double *pose);
/* Writes the output of all records, and says what came of them. */
int batch_finish(const batch_task *task, lbj_results *results, double seconds);
/* The first line of a share: what it is a share of. */
void batch_share_line(const batch_task *task, uint64_t identity, int64_t rows, lbio_text *text);
/* A hash of all that decides the rows; is_whole: also of what decides the records (share, chunk, kind of output). */
uint64_t batch_identity(const batch_task *task, int is_whole);
int64_t batch_share_rows(const batch_task *task, int64_t *chunks);

/* --- batch_merge.c ---------------------------------------------------------------------------------------------------- */

int batch_merge(const cli_command *command, const cli_arguments *arguments);

/* --- batch_hdf5.c: the output as HDF5, where there is the library
 * --------------------------------------------------- */

typedef struct batch_hdf5 batch_hdf5;

/* What the file says of itself. */
typedef struct batch_about {
    const char *version, *problem, *options; /* of Limber; the problem's path; the options that were given */
    uint64_t identity;
    int share, share_count, share_chunk; /* 0: no share; rows of a chunk */
} batch_about;

int batch_has_hdf5(void);
batch_hdf5 *batch_hdf5_create(const char *path, const batch_about *about, int64_t rows, int variables,
                              const char *const *names, lb_error *error);
lb_status batch_hdf5_put(batch_hdf5 *file, const batch_answer *answer, lb_error *error);
/* Puts shares together: the operands of `merge`. */
int batch_hdf5_merge(const cli_arguments *arguments, const char *beside, const char *output);
/* Writes what is left and closes the file; also after a failure, whose status it returns then. */
lb_status batch_hdf5_close(batch_hdf5 *file, lb_error *error);

#endif
