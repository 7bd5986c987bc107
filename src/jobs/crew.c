/* Threads that compute chunks: see crew.h. */
#include "jobs/crew.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#define FLUSH_SECONDS 1.0 /* between two flushes of a shard to the disk */

int64_t lbj_crew_next(lbj_crew *crew) {
    const lbj_folder *folder = crew->folder;
    while (crew->next < folder->chunk_count && folder->places[crew->next].file >= 0) {
        crew->next++;
    }
    return crew->next < folder->chunk_count ? crew->next++ : -1;
}

void lbj_crew_fail(lbj_crew *crew, const lb_error *error) {
    if (!crew->has_failed) {
        crew->has_failed = 1;
        crew->error = *error;
    }
    crew->is_over = 1;
    pthread_cond_broadcast(&crew->changed);
}

/* The chunk that a thread computes next, or -1. */
static int64_t take(lbj_crew *crew) {
    int64_t chunk = -1;
    pthread_mutex_lock(&crew->mutex);
    if (crew->is_remote) {
        while (crew->todo_count == 0 && !crew->is_over) {
            pthread_cond_wait(&crew->changed, &crew->mutex);
        }
        if (crew->todo_count > 0 && !crew->has_failed) {
            chunk = crew->todo[--crew->todo_count];
        }
    } else if (!crew->is_over) {
        chunk = lbj_crew_next(crew);
    }
    pthread_mutex_unlock(&crew->mutex);
    return chunk;
}

/* Keeps what rank 0 is to be told. 0: no memory. */
static int note_made(lbj_crew *crew, int64_t chunk, const lbj_place *place) {
    if (crew->made_count == crew->made_room) {
        int room = 2 * crew->made_room + 64;
        lbj_made *made = realloc(crew->made, (size_t)room * sizeof *made);
        if (!made) {
            return 0;
        }
        crew->made = made;
        crew->made_room = room;
    }
    crew->made[crew->made_count++] = (lbj_made){chunk, place->offset, place->length};
    return 1;
}

/* Writes the record of a chunk, or keeps why there is none. */
static void hand_in(lbj_crew *crew, int64_t chunk, const lbio_text *record, lb_status status, lb_error *error) {
    pthread_mutex_lock(&crew->mutex);
    lbj_place place = {crew->shard_number, 0, 0};
    if (!status) {
        status = lbj_shard_write(&crew->shard, crew->job->identity, chunk, record, &place, error);
    }
    if (!status && crew->is_remote && !note_made(crew, chunk, &place)) {
        status = lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory");
    }
    if (status) {
        lbj_crew_fail(crew, error);
    } else {
        crew->done++;
        if (!crew->is_remote) {
            crew->folder->places[chunk] = place;
        }
    }
    pthread_mutex_unlock(&crew->mutex);
}

static void work(lbj_crew *crew, void *worker) {
    const lbj_job *job = crew->job;
    lbio_text record = {0};
    for (int64_t chunk; (chunk = take(crew)) >= 0;) {
        lb_error error = {.message = "a chunk could not be computed"};
        record.size = 0;
        lb_status status = job->run_chunk(job->context, worker, chunk, &record, &error);
        hand_in(crew, chunk, &record, status, &error);
    }
    lbio_text_free(&record);
}

static void *run_thread(void *context) {
    lbj_crew *crew = context;
    const lbj_job *job = crew->job;
    lb_error error = {.message = "out of memory"};
    void *worker = job->worker_create ? job->worker_create(job->context, &error) : NULL;
    if (!job->worker_create || worker) {
        work(crew, worker);
    }
    if (worker && job->worker_destroy) {
        job->worker_destroy(job->context, worker);
    }
    pthread_mutex_lock(&crew->mutex);
    if (job->worker_create && !worker) {
        lbj_crew_fail(crew, &error);
    }
    crew->at_work--;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
    return NULL;
}

lb_status lbj_crew_begin(lbj_crew *crew, const lbj_job *job, lbj_folder *folder, char *path, lb_error *error) {
    int threads = job->threads < 1 ? 1 : job->threads, is_remote = crew->is_remote;
    pthread_condattr_t attributes;
    *crew = (lbj_crew){.job = job, .folder = folder, .is_remote = is_remote, .shard = {.file = -1}};
    pthread_mutex_init(&crew->mutex, NULL);
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&crew->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    crew->done = folder->found;
    crew->shard_number = lbj_folder_add_shard(folder, path);
    crew->threads = calloc((size_t)threads, sizeof *crew->threads);
    if (crew->shard_number < 0 || !crew->threads) {
        return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory");
    }
    lb_status status = lbj_shard_create(folder->shards[crew->shard_number], &crew->shard, error);
    for (int k = 0; k < threads && !status; k++) {
        pthread_mutex_lock(&crew->mutex);
        if (pthread_create(&crew->threads[k], NULL, run_thread, crew) == 0) {
            crew->thread_count++;
            crew->at_work++;
        } else if (k == 0) {
            status = lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no thread can be started");
        } else {
            threads = k; /* as many as there can be */
        }
        pthread_mutex_unlock(&crew->mutex);
    }
    return status;
}

void lbj_crew_wait(lbj_crew *crew, int milliseconds) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += (long)milliseconds * 1000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    pthread_cond_timedwait(&crew->changed, &crew->mutex, &until);
}

double lbj_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void lbj_crew_flush(lbj_crew *crew, double *flushed) {
    lb_error error = {0};
    if (lbj_now() - *flushed < FLUSH_SECONDS) {
        return;
    }
    pthread_mutex_unlock(&crew->mutex);
    lb_status status = lbj_shard_flush(&crew->shard, &error);
    *flushed = lbj_now();
    pthread_mutex_lock(&crew->mutex);
    if (status) {
        lbj_crew_fail(crew, &error);
    }
}

lb_status lbj_crew_end(lbj_crew *crew, lb_error *error) {
    pthread_mutex_lock(&crew->mutex);
    crew->is_over = 1;
    pthread_cond_broadcast(&crew->changed);
    pthread_mutex_unlock(&crew->mutex);
    for (int k = 0; k < crew->thread_count; k++) {
        pthread_join(crew->threads[k], NULL);
    }
    lb_error flush_error = {0};
    lb_status status = lbj_shard_close(&crew->shard, &flush_error);
    if (status) {
        lbj_crew_fail(crew, &flush_error);
    }
    if (crew->has_failed && error) {
        *error = crew->error;
    }
    status = crew->has_failed ? crew->error.status : LB_OK;
    pthread_cond_destroy(&crew->changed);
    pthread_mutex_destroy(&crew->mutex);
    free(crew->threads);
    free(crew->todo);
    free(crew->made);
    return crew->has_failed && !status ? LB_ERROR_MEMORY : status;
}
