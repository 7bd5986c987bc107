/* The processes that work on one job together, as ranks under mpirun: how they begin, talk and end.
 *
 * Rank 0 leads. It opens the job's folder, hands out chunks and keeps where their records are; other ranks ask it for
 * chunks and tell it what they made. Every rank has threads that compute, rank 0 too; only main threads talk. */
#ifndef LIMBER_JOBS_WORLD_H
#define LIMBER_JOBS_WORLD_H

#include "jobs/crew.h"

/* What messages are about. */
typedef enum lbj_tag {
    LBJ_TAG_GO = 1, /* from rank 0: begin */
    LBJ_TAG_QUIT,   /* from rank 0: it ends, and so do all */
    LBJ_TAG_SHARE,  /* from rank 0: bytes of lbj_share */
    LBJ_TAG_START,  /* from rank 0: lbj_start */
    LBJ_TAG_ASK,    /* to rank 0: an lbj_ask and its list of lbj_made */
    LBJ_TAG_WORK    /* from rank 0: a list of chunks; an empty one: there are no more */
} lbj_tag;

/* What other ranks learn of a job when rank 0 has opened its folder. */
typedef struct lbj_start {
    uint64_t identity;
    int64_t run; /* number of the run; 0: there is none, because rank 0 failed */
} lbj_start;

/* What a rank tells and asks. */
typedef struct lbj_ask {
    int64_t wanted;     /* number of chunks that it can use now; 0: none, and no answer is awaited */
    int64_t is_leaving; /* 1: its threads have ended and its shard is closed */
    int64_t is_stopped; /* 1: it was interrupted */
    int64_t has_failed; /* 1: `error` says how */
    int64_t made_count; /* entries behind the struct */
    lb_error error;
} lbj_ask;

/* Sends a message; a failure ends all ranks, as MPI itself does. */
void lbj_world_send(int to, lbj_tag tag, const void *data, size_t size);
/* Takes the next message, if one is there: returns its tag or 0. */
int lbj_world_take(int *from, lbio_text *message);
/* On other ranks: waits for a message of rank 0. Returns its tag. */
int lbj_world_await(lbio_text *message);
/* On rank 0: what it keeps of the others while a crew works. */
typedef struct lbj_lead {
    int *shards;    /* [size]: the numbers of the ranks' shards; -1: none so far */
    int ranks_left; /* other ranks that are at work */
    int is_stopped; /* one was interrupted */
    lbio_text message;
} lbj_lead;
/* Tells the other ranks to start. */
lb_status lbj_lead_begin(lbj_lead *lead, const lbj_folder *folder, lb_error *error);
/* Answers all messages that are there. The crew's mutex must be held. */
void lbj_lead_serve(lbj_lead *lead, lbj_crew *crew);
void lbj_lead_end(lbj_lead *lead);
/* On other ranks: all of lbj_run. */
lbj_outcome lbj_help(const lbj_job *job, lb_error *error);
/* On rank 0: has the other ranks go on, if they still wait. */
void lbj_world_go(void);

#endif
