/* A job from its beginning to the records of all its chunks: see jobs.h. */
#include "jobs/crew.h"
#include "jobs/results.h"
#include "jobs/signals.h"
#include "jobs/world.h"

#define BEAT_MS 100      /* between two looks at the threads */
#define TELL_SECONDS 0.1 /* between two calls of on_progress */

static void tell_progress(const lbj_crew *crew, double began, int is_last) {
    const lbj_job *job = crew->job;
    lbj_progress progress = {crew->done, crew->folder->found, job->chunk_count, lbj_now() - began, is_last};
    if (job->on_progress) {
        job->on_progress(job->progress_context, &progress);
    }
}

/* Waits until all threads of all ranks have ended. */
static void watch(lbj_crew *crew, lbj_lead *lead) {
    double began = lbj_now(), flushed = began, told = began;
    pthread_mutex_lock(&crew->mutex);
    while (crew->at_work > 0 || lead->ranks_left > 0) {
        lbj_crew_wait(crew, lead->ranks_left > 0 ? 1 : BEAT_MS);
        lbj_crew_flush(crew, &flushed);
        crew->is_over |= lbj_is_interrupted();
        lbj_lead_serve(lead, crew);
        if (lbj_now() - told > TELL_SECONDS) {
            tell_progress(crew, began, 0);
            told = lbj_now();
        }
    }
    tell_progress(crew, began, 1);
    pthread_mutex_unlock(&crew->mutex);
}

static lb_status compute(const lbj_job *job, lbj_folder *folder, int *is_complete, lb_error *error) {
    lbj_crew crew = {.is_remote = 0};
    lbj_signals before;
    lbj_lead lead;
    lb_status status = lbj_lead_begin(&lead, folder, error);
    if (status) {
        return status;
    }
    lbj_signals_catch(&before);
    status = lbj_crew_begin(&crew, job, folder, lbj_folder_shard_path(folder, folder->run, 0), error);
    if (status) { /* the others are under way: they learn of it when they ask */
        pthread_mutex_lock(&crew.mutex);
        lbj_crew_fail(&crew, error);
        pthread_mutex_unlock(&crew.mutex);
    }
    watch(&crew, &lead);
    *is_complete = crew.done == job->chunk_count;
    status = lbj_crew_end(&crew, error);
    lbj_lead_end(&lead);
    lbj_signals_restore(&before);
    return status;
}

/* Whether a folder that this run made has no record of any chunk. */
static int is_new(const lbj_folder *folder) {
    int has_records = folder->lock < 0 || !folder->places;
    for (int64_t k = 0; !has_records && k < folder->chunk_count; k++) {
        has_records = folder->places[k].file >= 0;
    }
    return !has_records && folder->run == 1;
}

lbj_outcome lbj_run(const lbj_job *job, lbj_results **results, lb_error *error) {
    lbj_folder folder;
    int is_complete = 1;
    *results = NULL;
    if (lbj_rank() > 0) {
        return lbj_help(job, error);
    }
    lb_status status = lbj_folder_open(job, &folder, error);
    if (!status && folder.found < job->chunk_count) {
        status = compute(job, &folder, &is_complete, error);
    }
    if (!status && is_complete) {
        *results = lbj_results_create(&folder);
        status = *results ? LB_OK : lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory");
    }
    if (status && is_new(&folder)) { /* it has nothing to go on with */
        lb_error ignored;
        lbj_folder_remove(&folder, &ignored);
    }
    lbj_folder_close(&folder);
    return status ? LBJ_FAILED : is_complete ? LBJ_DONE : LBJ_INTERRUPTED;
}
