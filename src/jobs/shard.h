/* Shards: files of records, written by one process each.
 *
 * A record is a head of 48 bytes and its content. The head, little-endian: 8 bytes of magic, the job's identity, the
 * chunk's number, the content's length, the content's hash, and the hash of the 40 bytes before. Reading trusts none of
 * it: a record that is torn or damaged is passed over, and the next one is found by its head. */
#ifndef LIMBER_JOBS_SHARD_H
#define LIMBER_JOBS_SHARD_H

#include "jobs/jobs.h"

#define LBJ_HEAD_SIZE 48
#define LBJ_RECORD_MOST ((uint64_t)1 << 30) /* bytes of one record */

/* Where the record of a chunk is. */
typedef struct lbj_place {
    int file;        /* number of the shard; -1: nowhere */
    uint32_t length; /* of the content */
    uint64_t offset; /* of the head */
} lbj_place;

/* A shard that is written. */
typedef struct lbj_shard {
    int file;        /* descriptor; -1: none */
    uint64_t offset; /* where the next record goes */
    const char *path;
} lbj_shard;

/* Makes a shard, at whose path nothing may be. */
lb_status lbj_shard_create(const char *path, lbj_shard *shard, lb_error *error);
/* Appends a record. On failure the shard is as it was. */
lb_status lbj_shard_write(lbj_shard *shard, uint64_t identity, int64_t chunk, const lbio_text *content,
                          lbj_place *place, lb_error *error);
/* Has the disk take what was written. */
lb_status lbj_shard_flush(const lbj_shard *shard, lb_error *error);
lb_status lbj_shard_close(lbj_shard *shard, lb_error *error);

/* What a scan found in a shard besides good records. */
typedef struct lbj_scan {
    uint64_t identity;
    int64_t chunk_count;
    int number;        /* of the shard, for places */
    lbj_place *places; /* [chunk_count]: those without a record so far get one */
    int64_t found;     /* how many got one */
    int64_t damaged;   /* number of places in files where something is no record */
} lbj_scan;

/* Reads a whole shard and checks every record. */
lb_status lbj_shard_scan(const char *path, lbj_scan *scan, lb_error *error);
/* Reads the content of one record, and checks it. */
lb_status lbj_shard_read(int file, const char *path, uint64_t identity, int64_t chunk, const lbj_place *place,
                         lbio_text *content, lb_error *error);

#endif
