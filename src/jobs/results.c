/* The records of a finished job in the order of chunks, and the file that is made of them. */
#include "jobs/results.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define OPEN_MOST 128 /* shards that are open at a time */

struct lbj_results {
    lbj_folder folder;
    int *files;     /* [folder.shard_count]: descriptors; -1: not open */
    int open_count; /* how many are open */
};

lbj_results *lbj_results_create(lbj_folder *folder) {
    lbj_results *results = calloc(1, sizeof *results);
    int *files = malloc(((size_t)folder->shard_count + 1) * sizeof *files);
    if (!results || !files) {
        free(results);
        free(files);
        return NULL;
    }
    for (int k = 0; k < folder->shard_count; k++) {
        files[k] = -1;
    }
    results->folder = *folder;
    results->files = files;
    *folder = (lbj_folder){.lock = -1};
    unlink(results->folder.merged.data); /* what a killed run may have left */
    return results;
}

static void close_files(lbj_results *results) {
    for (int k = 0; results->open_count > 0 && k < results->folder.shard_count; k++) {
        if (results->files[k] >= 0) {
            close(results->files[k]);
            results->files[k] = -1;
            results->open_count--;
        }
    }
}

lb_status lbj_results_read(lbj_results *results, int64_t chunk, lbio_text *record, lb_error *error) {
    const lbj_folder *folder = &results->folder;
    if (chunk < 0 || chunk >= folder->chunk_count || folder->places[chunk].file < 0) {
        return lbio_error(error, LB_ERROR_ARGUMENT, folder->path.data, 0, "there is no chunk %lld", (long long)chunk);
    }
    const lbj_place *place = &folder->places[chunk];
    const char *path = folder->shards[place->file];
    if (results->files[place->file] < 0) {
        if (results->open_count == OPEN_MOST) {
            close_files(results);
        }
        results->files[place->file] = open(path, O_RDONLY | O_CLOEXEC);
        if (results->files[place->file] < 0) {
            return lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be read: %s", strerror(errno));
        }
        results->open_count++;
    }
    return lbj_shard_read(results->files[place->file], path, folder->identity, chunk, place, record, error);
}

const char *lbj_results_path(const lbj_results *results) { return results->folder.merged.data; }

/* Has the disk take a file, or the names in a folder; file systems that cannot are let be. */
static int flush_path(const char *path, int flags) {
    int file = open(path, flags | O_CLOEXEC);
    int failed = file < 0 || (fsync(file) && errno != EINVAL && errno != EBADF && errno != EROFS);
    int why = errno;
    if (file >= 0) {
        close(file);
    }
    errno = why;
    return failed ? -1 : 0;
}

lb_status lbj_results_commit(lbj_results *results, lb_error *error) {
    lbj_folder *folder = &results->folder;
    close_files(results);
    if (flush_path(folder->merged.data, O_RDONLY) || rename(folder->merged.data, folder->output.data)) {
        return lbio_error(error, LB_ERROR_FILE, folder->output.data, 0,
                          "cannot be written: %s; what was computed is kept: go on with --resume", strerror(errno));
    }
    lbio_text parent = {0};
    lbio_text_format(&parent, "%s/..", folder->path.data);
    if (!parent.failed) {
        flush_path(parent.data,
                   O_RDONLY | O_DIRECTORY); /* the new name; where this fails the file is whole all the same */
    }
    lbio_text_free(&parent);
    return lbj_folder_remove(folder, error);
}

void lbj_results_close(lbj_results *results) {
    if (results) {
        close_files(results);
        lbj_folder_close(&results->folder);
        free(results->files);
        free(results);
    }
}
