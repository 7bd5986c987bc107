/* Whole files, read and written: see text.h. All that the io layer knows of a file system is here; a front without one
 * (web/c/files.c) brings its own. */
#define _XOPEN_SOURCE 700 /* realpath */

#include "io/text.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The one piece of state here that outlives a call: see text.h. */
static const lbio_watch *watcher;

void lbio_watch_files(const lbio_watch *watch) { watcher = watch; }

void lbio_name_file(const char *path) {
    if (watcher) {
        watcher->on_input(watcher->context, path);
    }
}

lb_status lbio_may_write(const char *path, lb_error *error) {
    return watcher ? watcher->may_write(watcher->context, path, error) : LB_OK;
}

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
                              "larger than the allowed %zu bytes; is this the right file?", max_bytes);
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

/* What a path names that is no file and no folder. */
static const char *kind_name(mode_t mode) {
    return S_ISFIFO(mode) ? "a pipe" : S_ISSOCK(mode) ? "a socket" : "a device";
}

static lb_status refuse_kind(const char *path, mode_t mode, lb_error *error) {
    if (S_ISDIR(mode)) {
        return lbio_error(error, LB_ERROR_FILE, path, 0, "is a folder; name a file inside it");
    }
    return lbio_error(error, LB_ERROR_FILE, path, 0, "is %s, not a file; %s", kind_name(mode),
                      S_ISFIFO(mode) ? "read it as standard input (`-`), or write it to a file first" : "name a file");
}

/* Opens a regular file; anything else is refused without being opened, or, where it took the file's place in between,
 * without waiting for it. Returns NULL with the reason in *error. */
static FILE *open_regular(const char *path, lb_error *error) {
    struct stat information;
    if (stat(path, &information) == 0 && !S_ISREG(information.st_mode)) {
        refuse_kind(path, information.st_mode, error);
        return NULL;
    }
    int file = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY);
    if (file >= 0 && fstat(file, &information) == 0 && !S_ISREG(information.st_mode)) {
        refuse_kind(path, information.st_mode, error);
        close(file);
        return NULL;
    }
    FILE *stream = file < 0 ? NULL : fdopen(file, "rb");
    if (!stream) {
        lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be opened: %s", strerror(errno));
        if (file >= 0) {
            close(file);
        }
    }
    return stream;
}

/* Such a pipe is open already, and the one who started the process meant it. */
int lbio_is_handed_over(const char *path) {
    return strcmp(path, "/dev/stdin") == 0 || strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0 ||
           strncmp(path, "/dev/fd/", 8) == 0 || strncmp(path, "/proc/self/fd/", 14) == 0;
}

static FILE *open_handed_over(const char *path, lb_error *error) {
    struct stat information;
    if (stat(path, &information) == 0 && S_ISDIR(information.st_mode)) {
        refuse_kind(path, information.st_mode, error);
        return NULL;
    }
    FILE *stream = fopen(path, "rb");
    if (!stream) {
        lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be opened: %s", strerror(errno));
    }
    return stream;
}

/* Reads all of a stream and closes it, standard input apart. NULL: it could not be opened, *error has the reason. */
static lb_status read_and_close(FILE *stream, const char *name, size_t max_bytes, char **data, size_t *size,
                                lb_error *error) {
    if (!stream) {
        return LB_ERROR_FILE;
    }
    lbio_text text = {0};
    lb_status status = read_stream(stream, name, max_bytes, &text, error);
    if (stream != stdin) {
        lbio_name_file(name);
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

lb_status lbio_read_file(const char *path, size_t max_bytes, char **data, size_t *size, lb_error *error) {
    if (strcmp(path, "-") == 0) {
        return read_and_close(stdin, "<stdin>", max_bytes, data, size, error);
    }
    FILE *stream = lbio_is_handed_over(path) ? open_handed_over(path, error) : open_regular(path, error);
    return read_and_close(stream, path, max_bytes, data, size, error);
}

lb_status lbio_read_reference(const char *path, size_t max_bytes, char **data, size_t *size, lb_error *error) {
    return read_and_close(open_regular(path, error), path, max_bytes, data, size, error);
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

/* What the process was started with is written to where it stands: behind what is there, if that is a file. */
static lb_status write_handed_over(const char *path, const void *data, size_t size, lb_error *error) {
    const char *number = strrchr(path, '/') + 1;
    int file = strcmp(number, "stdout") == 0 ? STDOUT_FILENO : strcmp(number, "stderr") == 0 ? STDERR_FILENO : 0;
    for (const char *at = number; !file && *at; at++) {
        if (*at < '0' || *at > '9' || strlen(number) > 4) {
            return lbio_error(error, LB_ERROR_FILE, path, 0, "is nothing that can be written to");
        }
    }
    file = file ? file : (int)strtol(number, NULL, 10);
    fflush(stdout);
    return write_all(file, data, size) ? write_failed(error, path) : LB_OK;
}

/* Pipes and devices (/dev/null) cannot be replaced: they are written to. */
static lb_status write_in_place(const char *path, const void *data, size_t size, lb_error *error) {
    int file = open(path, O_WRONLY);
    if (file < 0) {
        return write_failed(error, path);
    }
    int failed = write_all(file, data, size);
    failed |= close(file);
    return failed ? write_failed(error, path) : LB_OK;
}

/* --- Files beside the target ---------------------------------------------------------------------------------------
 *
 * A writer writes into "target.PROCESS.NUMBER.tmp" and holds a lock on it until it is renamed. A writer that was killed
 * has let go of its lock: so a file of such a name whose lock can be had is left over, and the next writer of the same
 * target removes it. One whose lock is held belongs to another writer at work, in this process or another. */

#define MOST_TRIES 1000 /* names that are taken, one after the other, before it is given up */

/* Past digits and a full stop; NULL where there are none. */
static const char *skip_number(const char *at) {
    size_t digits = strspn(at, "0123456789");
    return digits > 0 && at[digits] == '.' ? at + digits + 1 : NULL;
}

/* Whether a name is that of a file beside `target`: target.PROCESS.NUMBER.tmp, or target.PROCESS.tmp of version 0.1. */
static int is_beside(const char *name, const char *target) {
    size_t length = strlen(target);
    if (strncmp(name, target, length) != 0 || name[length] != '.') {
        return 0;
    }
    const char *at = skip_number(name + length + 1), *next = at ? skip_number(at) : NULL;
    return at && strcmp(next ? next : at, "tmp") == 0;
}

/* Removes what a killed writer left: a plain file whose lock nobody holds. */
static void remove_stray(const char *path) {
    struct stat information;
    int file = open(path, O_RDWR | O_NONBLOCK | O_NOFOLLOW | O_NOCTTY);
    if (file < 0) {
        return;
    }
    if (fstat(file, &information) == 0 && S_ISREG(information.st_mode) && flock(file, LOCK_EX | LOCK_NB) == 0) {
        unlink(path);
    }
    close(file);
}

static void remove_strays(const char *path) {
    const char *slash = strrchr(path, '/'), *target = slash ? slash + 1 : path;
    lbio_text folder = {0};
    lbio_text_bytes(&folder, slash ? path : "./", slash ? (size_t)(slash + 1 - path) : 2);
    DIR *listing = folder.failed ? NULL : opendir(folder.data);
    for (struct dirent *entry; listing && (entry = readdir(listing));) {
        if (is_beside(entry->d_name, target)) {
            lbio_text stray = {0};
            lbio_text_format(&stray, "%s%s", folder.data, entry->d_name);
            if (!stray.failed) {
                remove_stray(stray.data);
            }
            lbio_text_free(&stray);
        }
    }
    if (listing) {
        closedir(listing);
    }
    lbio_text_free(&folder);
}

/* Takes the lock of a file just made. 0 where another writer took it for a stray in between and removes it; file
 * systems without locks have no such writers. */
static int keep_own(int file) {
    struct stat information;
    if (flock(file, LOCK_EX | LOCK_NB) != 0) {
        return errno != EWOULDBLOCK;
    }
    return fstat(file, &information) == 0 && information.st_nlink > 0;
}

/* Makes a file beside the target that is this writer's alone; its name goes to *beside. -1 with errno where it
 * cannot. */
static int make_beside(const char *path, lbio_text *beside) {
    for (int number = 0; number < MOST_TRIES; number++) {
        beside->size = 0;
        lbio_text_format(beside, "%s.%ld.%d.tmp", path, (long)getpid(), number);
        if (beside->failed) {
            errno = ENOMEM;
            return -1;
        }
        int file = open(beside->data, O_WRONLY | O_CREAT | O_EXCL, 0666);
        if (file >= 0 && keep_own(file)) {
            return file;
        }
        if (file >= 0) {
            close(file);
        } else if (errno != EEXIST) {
            return -1;
        }
    }
    return -1;
}

/* What a file system puts off is reported when a descriptor is closed: one of two, so that the lock is kept. */
static int flush_file(int file) {
    int second = dup(file);
    return second < 0 ? -1 : close(second);
}

/* A new file beside the target takes its place only when it is complete, so that a failure leaves the old one. */
static lb_status write_and_rename(const char *path, const struct stat *old, const void *data, size_t size,
                                  lb_error *error) {
    lbio_text beside = {0};
    remove_strays(path);
    int file = make_beside(path, &beside), failed = file < 0;
    if (!failed) {
        failed = write_all(file, data, size);
        if (old) {
            failed |= fchmod(file, old->st_mode & 07777);
        }
        failed |= flush_file(file);
        failed = failed || rename(beside.data, path);
    }
    lb_status status = failed ? write_failed(error, path) : LB_OK;
    if (failed && file >= 0) {
        unlink(beside.data);
    }
    if (file >= 0) {
        close(file);
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
    if (lbio_is_handed_over(path)) {
        return write_handed_over(path, data, size, error);
    }
    struct stat old;
    lb_status allowed = lbio_may_write(path, error);
    if (allowed) {
        return allowed;
    }
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
