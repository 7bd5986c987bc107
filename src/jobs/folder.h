/* The folder of a job, `output.part`: a file `job` that says whose it is, a lock, the shards, and the output while it
 * is written. */
#ifndef LIMBER_JOBS_FOLDER_H
#define LIMBER_JOBS_FOLDER_H

#include "jobs/shard.h"

typedef struct lbj_folder {
    lbio_text path;   /* of the folder */
    lbio_text output; /* of the file that the job makes */
    lbio_text merged; /* of that file while it is written */
    uint64_t identity;
    int64_t chunk_count;
    int lock;          /* descriptor of the locked file; -1: none */
    int run;           /* number of this run: shards are named after it */
    int shard_count;   /* shards that places refer to */
    char **shards;     /* [shard_count]: their paths */
    lbj_place *places; /* [chunk_count] */
    int64_t found;     /* number of chunks whose records earlier runs left */
    int64_t damaged;   /* number of damaged places in their shards */
} lbj_folder;

/* Makes or takes over the folder of a job, locks it, and finds the records that are there. */
lb_status lbj_folder_open(const lbj_job *job, lbj_folder *folder, lb_error *error);
/* The path of the shard that a rank writes in this run, to be freed; NULL: no memory. */
char *lbj_folder_shard_path(const lbj_folder *folder, int run, int rank);
/* Has places refer to a shard: takes the path over, and returns the shard's number, or -1 without memory. */
int lbj_folder_add_shard(lbj_folder *folder, char *path);
/* Removes what jobs put into a folder, and the folder. */
lb_status lbj_folder_remove(lbj_folder *folder, lb_error *error);
/* Frees the memory and lets go of the lock. */
void lbj_folder_close(lbj_folder *folder);
/* Sets the paths alone. */
lb_status lbj_folder_name(const lbj_job *job, lbj_folder *folder, lb_error *error);

#endif
