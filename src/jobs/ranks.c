/* What rank 0 and the others say to each other while a job runs: see world.h. */
#include "jobs/signals.h"
#include "jobs/world.h"

#include <stdlib.h>
#include <string.h>

#define AHEAD 2          /* chunks that a rank has or awaits for each of its threads */
#define TELL_SECONDS 0.5 /* between two messages of a rank that needs no chunks */
#define HANDED_MOST 4096 /* chunks in one answer */

/* --- Rank 0 ------------------------------------------------------------------------------------------------------- */

lb_status lbj_lead_begin(lbj_lead *lead, const lbj_folder *folder, lb_error *error) {
    int size = lbj_world_size();
    lbj_start start = {folder->identity, folder->run};
    *lead = (lbj_lead){.shards = malloc((size_t)size * sizeof *lead->shards)};
    if (!lead->shards) {
        return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory");
    }
    lbj_world_go();
    for (int rank = 1; rank < size; rank++) {
        lead->shards[rank] = -1;
        lead->ranks_left++;
        lbj_world_send(rank, LBJ_TAG_START, &start, sizeof start);
    }
    return LB_OK;
}

void lbj_lead_end(lbj_lead *lead) {
    free(lead->shards);
    lbio_text_free(&lead->message);
}

/* Keeps where the records are that a rank has written. */
static void note_places(lbj_lead *lead, lbj_crew *crew, int rank, const lbj_ask *ask, const char *list) {
    lbj_folder *folder = crew->folder;
    if (ask->made_count > 0 && lead->shards[rank] < 0) {
        lead->shards[rank] = lbj_folder_add_shard(folder, lbj_folder_shard_path(folder, folder->run, rank));
    }
    for (int64_t k = 0; k < ask->made_count && lead->shards[rank] >= 0; k++) {
        lbj_made made;
        memcpy(&made, list + (size_t)k * sizeof made, sizeof made);
        if (made.chunk >= 0 && made.chunk < folder->chunk_count && folder->places[made.chunk].file < 0) {
            folder->places[made.chunk] = (lbj_place){lead->shards[rank], (uint32_t)made.length, made.offset};
            crew->done++;
        }
    }
    if (ask->made_count > 0 && lead->shards[rank] < 0) {
        lbj_crew_fail(crew, &(lb_error){.status = LB_ERROR_MEMORY, .message = "out of memory"});
    }
}

/* Hands out chunks: as many as are wanted, but near the end no rank's fair share is exceeded. */
static void hand_out(lbj_crew *crew, int rank, int64_t wanted) {
    int64_t chunks[HANDED_MOST], left = crew->folder->chunk_count - crew->next;
    int64_t fair = left / (2 * lbj_world_size()), most = fair < 1 ? 1 : fair;
    int count = 0;
    most = most < wanted ? most : wanted;
    while (!crew->is_over && count < HANDED_MOST && count < most && (chunks[count] = lbj_crew_next(crew)) >= 0) {
        count++;
    }
    lbj_world_send(rank, LBJ_TAG_WORK, chunks, (size_t)count * sizeof *chunks);
}

void lbj_lead_serve(lbj_lead *lead, lbj_crew *crew) {
    int rank = 0;
    for (int tag; (tag = lbj_world_take(&rank, &lead->message));) {
        lbj_ask ask;
        if (tag != LBJ_TAG_ASK || lead->message.size < sizeof ask) {
            continue;
        }
        memcpy(&ask, lead->message.data, sizeof ask);
        note_places(lead, crew, rank, &ask, lead->message.data + sizeof ask);
        if (ask.has_failed) {
            lbj_crew_fail(crew, &ask.error);
        }
        lead->is_stopped |= ask.is_stopped != 0;
        crew->is_over |= ask.is_stopped != 0;
        lead->ranks_left -= ask.is_leaving != 0;
        if (ask.wanted > 0) {
            hand_out(crew, rank, ask.wanted);
        }
    }
}

/* --- The other ranks ------------------------------------------------------------------------------------------------ */

typedef struct helper {
    lbj_crew crew;
    int is_waiting; /* for an answer */
    double told;    /* second of the last message */
    lbio_text message;
} helper;

/* Tells rank 0 what was made, and asks for chunks. The mutex is held where threads are at work. */
static void ask_for(helper *h, int64_t wanted, int is_leaving) {
    lbj_crew *crew = &h->crew;
    lbj_ask ask;
    memset(&ask, 0, sizeof ask);
    ask.wanted = wanted, ask.is_leaving = is_leaving;
    ask.is_stopped = lbj_is_interrupted();
    ask.has_failed = crew->has_failed;
    ask.made_count = crew->made_count;
    ask.error = crew->error;
    h->message.size = 0;
    lbio_text_bytes(&h->message, (const char *)&ask, sizeof ask);
    lbio_text_bytes(&h->message, (const char *)crew->made, (size_t)crew->made_count * sizeof *crew->made);
    if (h->message.failed) { /* what was made is in the shard: --resume finds it */
        lbj_crew_fail(crew, &(lb_error){.status = LB_ERROR_MEMORY, .message = "out of memory"});
        return;
    }
    lbj_world_send(0, LBJ_TAG_ASK, h->message.data, h->message.size);
    crew->made_count = 0;
    h->is_waiting = wanted > 0;
    h->told = lbj_now();
}

/* Takes what rank 0 says: chunks, or that there are no more. */
static void listen(helper *h) {
    lbj_crew *crew = &h->crew;
    int from = 0, tag = lbj_world_take(&from, &h->message);
    size_t count = h->message.size / sizeof *crew->todo;
    if (tag != LBJ_TAG_WORK) {
        return;
    }
    h->is_waiting = 0;
    int64_t *todo = realloc(crew->todo, ((size_t)crew->todo_count + count + 1) * sizeof *todo);
    if (!todo) {
        lbj_crew_fail(crew, &(lb_error){.status = LB_ERROR_MEMORY, .message = "out of memory"});
        return;
    }
    crew->todo = todo;
    memcpy(todo + crew->todo_count, h->message.data, count * sizeof *todo);
    crew->todo_count += (int)count;
    crew->is_over |= count == 0;
    pthread_cond_broadcast(&crew->changed);
}

/* Keeps the threads supplied until there are no more chunks. */
static void supply(helper *h) {
    lbj_crew *crew = &h->crew;
    double flushed = lbj_now();
    pthread_mutex_lock(&crew->mutex);
    while (crew->at_work > 0) {
        int64_t wanted = (int64_t)AHEAD * crew->thread_count - crew->todo_count;
        if (lbj_is_interrupted() || crew->has_failed) {
            crew->is_over = 1, crew->todo_count = 0;
            pthread_cond_broadcast(&crew->changed);
        }
        if (!h->is_waiting && !crew->is_over && crew->todo_count < crew->thread_count) {
            ask_for(h, wanted, 0);
        } else if (crew->made_count > 0 && lbj_now() - h->told > TELL_SECONDS) {
            int is_waiting = h->is_waiting;
            ask_for(h, 0, 0);
            h->is_waiting = is_waiting;
        }
        listen(h);
        lbj_crew_flush(crew, &flushed);
        lbj_crew_wait(crew, 1);
    }
    while (h->is_waiting) { /* for what was asked for and is not needed any more */
        pthread_mutex_unlock(&crew->mutex);
        int tag = lbj_world_await(&h->message);
        pthread_mutex_lock(&crew->mutex);
        h->is_waiting = tag != LBJ_TAG_WORK && tag != LBJ_TAG_QUIT;
    }
    pthread_mutex_unlock(&crew->mutex);
}

/* The folder as another rank sees it, when rank 0 has opened it. */
static lb_status join(const lbj_job *job, helper *h, lbj_folder *folder, lb_error *error) {
    lbj_start start;
    memcpy(&start, h->message.data, sizeof start);
    if (start.identity != job->identity) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0,
                          "rank %d has another job than rank 0: do all nodes see the same files and the same program?",
                          lbj_rank());
    }
    folder->run = (int)start.run;
    return lbj_crew_begin(&h->crew, job, folder, lbj_folder_shard_path(folder, folder->run, lbj_rank()), error);
}

lbj_outcome lbj_help(const lbj_job *job, lb_error *error) {
    helper h = {.crew = {.is_remote = 1}};
    lbj_folder folder;
    lbj_signals before;
    lb_status status = lbj_folder_name(job, &folder, error);
    int tag = lbj_world_await(&h.message);
    if (tag != LBJ_TAG_START || h.message.size < sizeof(lbj_start)) {
        lbio_text_free(&h.message);
        lbj_folder_close(&folder);
        return LBJ_HELPED; /* rank 0 has said why */
    }
    lbj_signals_catch(&before);
    status = status ? status : join(job, &h, &folder, error);
    if (!status) {
        supply(&h);
        status = lbj_shard_close(&h.crew.shard, error);
    }
    if (status) {
        h.crew.has_failed = 1;
        h.crew.error = *error;
    }
    ask_for(&h, 0, 1);
    lbj_signals_restore(&before);
    if (h.crew.folder) {
        lbj_crew_end(&h.crew, NULL);
    }
    lbio_text_free(&h.message);
    lbj_folder_close(&folder);
    return LBJ_HELPED;
}
