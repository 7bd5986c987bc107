/* The crew of a process: the threads that compute chunks, and what they share. */
#ifndef LIMBER_JOBS_CREW_H
#define LIMBER_JOBS_CREW_H

#include "jobs/folder.h"
#include <pthread.h>

/* A chunk that is computed, as one rank tells another. */
typedef struct lbj_made {
    int64_t chunk;
    uint64_t offset, length; /* of its record in the rank's shard */
} lbj_made;

typedef struct lbj_crew {
    const lbj_job *job;
    lbj_folder *folder;
    int is_remote; /* 1: chunks come from rank 0 by todo, and go back by made; 0: they come from the folder's places */
    lbj_shard shard;
    int shard_number;      /* among the folder's shards */
    pthread_mutex_t mutex; /* guards all below, and the shard */
    pthread_cond_t changed;
    int64_t next; /* chunks before this one are computed or under way */
    int64_t done; /* chunks that are computed */
    int at_work;  /* threads that have not ended */
    int is_over;  /* no more chunks are begun: all are handed out, or the run is stopped */
    int has_failed;
    lb_error error; /* of the first failure */
    int64_t *todo;  /* [todo_room]: chunks to begin, the last first */
    int todo_count, todo_room;
    lbj_made *made; /* [made_room]: chunks computed that rank 0 has not been told of */
    int made_count, made_room;
    pthread_t *threads; /* [thread_count] */
    int thread_count;
} lbj_crew;

/* Makes the shard `path`, which is taken over, and starts the threads. Call lbj_crew_end also where it fails. */
lb_status lbj_crew_begin(lbj_crew *crew, const lbj_job *job, lbj_folder *folder, char *path, lb_error *error);
/* The next chunk of the folder's places that nobody works on; -1: none. The mutex must be held. */
int64_t lbj_crew_next(lbj_crew *crew);
/* Keeps the first failure and stops the crew. The mutex must be held. */
void lbj_crew_fail(lbj_crew *crew, const lb_error *error);
/* Waits until the threads' state may have changed, some milliseconds at most. The mutex must be held. */
void lbj_crew_wait(lbj_crew *crew, int milliseconds);
/* Flushes the shard where *flushed, the second of the last time, is a while ago; the threads go on meanwhile. The mutex
 * must be held; it is let go of in between. */
void lbj_crew_flush(lbj_crew *crew, double *flushed);
/* Seconds of a clock that never goes back. */
double lbj_now(void);
/* Waits for the threads, closes the shard, and frees the memory. Returns the first failure. */
lb_status lbj_crew_end(lbj_crew *crew, lb_error *error);

#endif
