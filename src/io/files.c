/* Whole files, read and written: see text.h. All that the io layer knows of a file system is here; a front without one
 * (web/c/files.c) brings its own. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "io/text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

int lbio_is_file(const char *path) {
    struct stat information;
    return stat(path, &information) == 0 && S_ISREG(information.st_mode);
}

char *lbio_real_path(const char *path) { return realpath(path, NULL); }

static lb_status read_stream(FILE *stream, const char *name, size_t max_bytes, lbio_text *text, lb_error *error) {
    char chunk[16384];
    size_t got;
    while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0) {
        if (got > max_bytes - text->size) {
            return lbio_error(error, LB_ERROR_TOO_LARGE, name, 0,
                              "larger than the allowed %zu bytes; is this a figure file?", max_bytes);
        }
        lbio_text_bytes(text, chunk, got);
        if (text->failed) {
            return lbio_error(error, LB_ERROR_MEMORY, name, 0, "out of memory");
        }
    }
    if (ferror(stream)) {
        return lbio_error(error, LB_ERROR_FILE, name, 0, "cannot be read: %s", strerror(errno));
    }
    lbio_text_bytes(text, "", 0); /* an empty file gives an empty text, not NULL */
    return text->failed ? lbio_error(error, LB_ERROR_MEMORY, name, 0, "out of memory") : LB_OK;
}

lb_status lbio_read_file(const char *path, size_t max_bytes, char **data, size_t *size, lb_error *error) {
    int is_stdin = strcmp(path, "-") == 0;
    const char *name = is_stdin ? "<stdin>" : path;
    struct stat information;
    if (!is_stdin && stat(path, &information) == 0 && S_ISDIR(information.st_mode)) {
        return lbio_error(error, LB_ERROR_FILE, name, 0, "is a folder; name a file inside it");
    }
    FILE *stream = is_stdin ? stdin : fopen(path, "rb");
    if (!stream) {
        return lbio_error(error, LB_ERROR_FILE, name, 0, "cannot be opened: %s", strerror(errno));
    }
    lbio_text text = {0};
    lb_status status = read_stream(stream, name, max_bytes, &text, error);
    if (!is_stdin) {
        fclose(stream);
    }
    if (status != LB_OK) {
        lbio_text_free(&text);
        return status;
    }
    *data = text.data;
    *size = text.size;
    return LB_OK;
}

static int write_all(int file, const char *data, size_t size) {
    while (size > 0) {
        ssize_t wrote = write(file, data, size);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            return -1;
        }
        data += wrote;
        size -= (size_t)wrote;
    }
    return 0;
}

static lb_status write_failed(lb_error *error, const char *path) {
    return lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be written: %s", strerror(errno));
}

/* Pipes and devices (/dev/stdout, /dev/null) cannot be replaced: they are written to. */
static lb_status write_in_place(const char *path, const void *data, size_t size, lb_error *error) {
    int file = open(path, O_WRONLY);
    if (file < 0) {
        return write_failed(error, path);
    }
    int failed = write_all(file, data, size);
    failed |= close(file);
    return failed ? write_failed(error, path) : LB_OK;
}

/* A new file beside the target takes its place only when it is complete, so that a failure leaves the old one. */
static lb_status write_and_rename(const char *path, const struct stat *old, const void *data, size_t size,
                                  lb_error *error) {
    lbio_text beside = {0};
    lbio_text_format(&beside, "%s.%ld.tmp", path, (long)getpid());
    if (beside.failed) {
        return lbio_error(error, LB_ERROR_MEMORY, path, 0, "out of memory");
    }
    int file = open(beside.data, O_WRONLY | O_CREAT | O_TRUNC, 0666);
    int failed = file < 0;
    if (!failed) {
        failed = write_all(file, data, size);
        if (old) {
            failed |= fchmod(file, old->st_mode & 07777);
        }
        failed |= close(file);
        failed = failed || rename(beside.data, path);
    }
    lb_status status = failed ? write_failed(error, path) : LB_OK;
    if (failed && file >= 0) {
        unlink(beside.data);
    }
    lbio_text_free(&beside);
    return status;
}

lb_status lbio_write_file(const char *path, const void *data, size_t size, lb_error *error) {
    if (strcmp(path, "-") == 0) {
        int failed = fwrite(data, 1, size, stdout) != size;
        failed |= fflush(stdout);
        return failed ? write_failed(error, "<stdout>") : LB_OK;
    }
    struct stat old;
    if (stat(path, &old) != 0) {
        return write_and_rename(path, NULL, data, size, error);
    }
    if (S_ISDIR(old.st_mode)) {
        return lbio_error(error, LB_ERROR_FILE, path, 0, "is a folder; name a file inside it");
    }
    if (!S_ISREG(old.st_mode)) {
        return write_in_place(path, data, size, error);
    }
    char *target = realpath(path, NULL); /* through symbolic links, which stay what they are */
    if (!target) {
        return write_failed(error, path);
    }
    lb_status status = write_and_rename(target, &old, data, size, error);
    free(target);
    return status;
}
