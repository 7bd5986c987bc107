/* The layout of a batch's HDF5 file, for its writer and its reader (docs/cluster.md). */
#ifndef LIMBER_CLI_BATCH_HDF5_H
#define LIMBER_CLI_BATCH_HDF5_H

#include "cli/batch/batch.h"
#include <hdf5.h>

#define BATCH_FORMAT "limber batch"
#define BATCH_BLOCK 4096      /* rows that are written at a time, and of a chunk of the file */
#define BATCH_TEXT_MOST 32768 /* bytes of a text that is an attribute */
#define BATCH_NAME_SIZE 96    /* bytes of a variable's name */
#define BATCH_VARIABLES_MOST 8192
#define BATCH_BAD 3 /* the status of a bad row; the others: 0 solved, 1 minimum, 2 budget */

/* The columns of all rows but the pose; `pose` has a row of variables each. */
typedef enum batch_part {
    BATCH_PART_LINE,
    BATCH_PART_STATUS,
    BATCH_PART_VALUE,
    BATCH_PART_ITERATIONS,
    BATCH_PART_RESTARTS,
    BATCH_PART_REASON,
    BATCH_PART_POSE,
    BATCH_PARTS
} batch_part;

extern const char *const batch_part_names[BATCH_PARTS];
/* The type of a part in memory; a new one, to be closed. */
hid_t batch_part_type(batch_part part);

/* Rows in memory. */
typedef struct batch_block {
    int count;
    int64_t line[BATCH_BLOCK];
    uint8_t status[BATCH_BLOCK]; /* 0 solved, 1 minimum, 2 budget, BATCH_BAD */
    double value[BATCH_BLOCK];
    int32_t iterations[BATCH_BLOCK], restarts[BATCH_BLOCK];
    char reason[BATCH_BLOCK][BATCH_REASON_SIZE];
    double *pose; /* [BATCH_BLOCK][variables] */
} batch_block;

/* Where a part's values are. */
void *batch_block_part(batch_block *block, batch_part part);

#endif
