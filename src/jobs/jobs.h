/* Jobs: long computations cut into chunks that threads and MPI ranks work on, that can be interrupted at any moment,
 * and that end with the same bytes for any number of workers.
 *
 * A job makes one file, `output`. While it runs, the results of its chunks are records in shard files in the folder
 * `output.part`, each with checksums; every process appends to a shard of its own. lbj_run computes the chunks whose
 * records are missing. Then the caller reads all records in the order of chunks, writes the file at lbj_results_path,
 * and lbj_results_commit renames it to `output` and removes the folder: what was interrupted never looks finished.
 *
 *     lbj_job job = {.output = path, .identity = hash, .chunk_count = n, .threads = 2, .run_chunk = mine, ...};
 *     lbj_results *results;
 *     switch (lbj_run(&job, &results, &error)) {
 *     case LBJ_DONE:         read, write, lbj_results_commit, lbj_results_close
 *     case LBJ_HELPED:       another rank has the results: there is nothing more to do
 *     case LBJ_INTERRUPTED:  by SIGINT or SIGTERM: --resume goes on
 *     case LBJ_FAILED:       error says why
 *     }
 *
 * Under mpirun every rank runs the same program from its beginning. Ranks other than 0 begin when rank 0 has come to
 * lbj_run, so that what is wrong with the input is said once; what is for people (stdout, notes) only rank 0 prints. */
#ifndef LIMBER_JOBS_JOBS_H
#define LIMBER_JOBS_JOBS_H

#include "io/text.h"
#include <stdint.h>

/* A 64-bit hash of bytes, the same on every machine. seed is 0, or the hash of what came before. */
uint64_t lbj_hash(uint64_t seed, const void *data, size_t size);
uint64_t lbj_hash_text(uint64_t seed, const char *text); /* with its end; NULL differs from "" */
uint64_t lbj_hash_number(uint64_t seed, double value);
uint64_t lbj_hash_count(uint64_t seed, int64_t value);

typedef struct lbj_progress {
    int64_t done;        /* number of chunks that are computed, those of earlier runs included */
    int64_t before;      /* of these, chunks that earlier runs computed */
    int64_t chunk_count; /* all */
    double seconds;      /* since this run began */
    int is_last;         /* 1: the last call, whether all is done or not */
} lbj_progress;

typedef struct lbj_job {
    const char *output;      /* path of the file that the job makes */
    const char *description; /* a line for people that says what is computed; shown where a folder is of another job */
    uint64_t identity; /* hash of all that decides the bytes of the records: figure, options, version, chunk size */
    int64_t chunk_count;
    int threads;    /* of this process; less than 1: one */
    int is_resumed; /* 1: go on with what the folder has, or begin where there is none */
    int is_forced;  /* 1: an existing output is replaced; without is_resumed an existing folder is begun anew */
    void *context;  /* given to the functions below */
    /* What one thread works with, made and destroyed by that thread; NULL: it fails with *error. May be NULL: none. */
    void *(*worker_create)(void *context, lb_error *error);
    void (*worker_destroy)(void *context, void *worker);
    /* Appends the record of a chunk, which must not depend on anything but the chunk's number and the job's identity,
     * to `record`, which is empty. A failure ends the job. A chunk should take between 0.01 and 1 s: an interrupted run
     * ends after the chunks under way, and loses at most these where it is killed. Called from all threads. */
    lb_status (*run_chunk)(void *context, void *worker, int64_t chunk, lbio_text *record, lb_error *error);
    /* Called some times a second by the thread that called lbj_run, on rank 0 alone; may be NULL. */
    void (*on_progress)(void *context, const lbj_progress *progress);
    void *progress_context; /* given to on_progress */
} lbj_job;

typedef enum lbj_outcome { LBJ_DONE, LBJ_HELPED, LBJ_INTERRUPTED, LBJ_FAILED } lbj_outcome;

/* The records of a job whose chunks are all computed. */
typedef struct lbj_results lbj_results;

/* Computes what is missing. *results is made where the outcome is LBJ_DONE, else NULL. */
lbj_outcome lbj_run(const lbj_job *job, lbj_results **results, lb_error *error);
/* Replaces `record` by the record of a chunk. Records are read one at a time, so memory does not grow with the job. */
lb_status lbj_results_read(lbj_results *results, int64_t chunk, lbio_text *record, lb_error *error);
/* Where the caller writes the file: a path in the job's folder, at which there is nothing yet. */
const char *lbj_results_path(const lbj_results *results);
/* Flushes that file to the disk, renames it to the job's output, and removes the folder. */
lb_status lbj_results_commit(lbj_results *results, lb_error *error);
/* Frees the memory; without lbj_results_commit before it the folder stays, and --resume can write the file again. */
void lbj_results_close(lbj_results *results);

/* --- Several processes: what main and fronts see of them ------------------------------------------------------- */

/* Joins the other processes where mpirun started this one. On ranks other than 0 it waits until rank 0 is at lbj_run or
 * lbj_share; *is_needed 0: rank 0 ended before, and so should this one. */
lb_status lbj_world_begin(int *is_needed, lb_error *error);
/* Leaves them; code is what the process will end with. On ranks other than 0 it waits for rank 0, or, where code is not
 * 0, ends all. */
void lbj_world_end(int code);
/* Whether the module of MPI is there. */
int lbj_world_has_mpi(void);
/* Gives bytes of rank 0 to all other ranks, which all must call it in the same place, before lbj_run. */
lb_status lbj_share(lbio_text *bytes, lb_error *error);
/* Number of processes that work together; 1 where mpirun did not start this one. */
int lbj_world_size(void);
/* Number of this process among those that mpirun started together; 0 where it did not. */
int lbj_rank(void);

/* Whether the output, or a folder of a run that was interrupted, is in the way of a job: what lbj_run checks first, for
 * callers that have long to prepare. */
lb_status lbj_check_output(const lbj_job *job, lb_error *error);

#endif
