/* Records in shard files: see shard.h. */
#include "jobs/shard.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const unsigned char magic[8] = {0x93, 'L', 'B', 'J', 'O', 'B', '1', '\n'};

static void put_word(unsigned char *bytes, uint64_t word) {
    for (int k = 0; k < 8; k++) {
        bytes[k] = (unsigned char)(word >> (8 * k));
    }
}

static uint64_t get_word(const unsigned char *bytes) {
    uint64_t word = 0;
    for (int k = 0; k < 8; k++) {
        word |= (uint64_t)bytes[k] << (8 * k);
    }
    return word;
}

/* --- Writing ------------------------------------------------------------------------------------------------ */

static lb_status write_failed(const lbj_shard *shard, lb_error *error) {
    const char *why = strerror(errno);
    return lbio_error(
        error, LB_ERROR_FILE, shard->path, 0,
        errno == ENOSPC || errno == EDQUOT || errno == EFBIG
            ? "cannot be written: %s; nothing that was computed is lost: make room and go on with --resume"
            : "cannot be written: %s; what was computed is kept: go on with --resume",
        why);
}

lb_status lbj_shard_create(const char *path, lbj_shard *shard, lb_error *error) {
    shard->path = path;
    shard->offset = 0;
    shard->file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    return shard->file < 0 ? write_failed(shard, error) : LB_OK;
}

static int write_at(int file, const char *data, size_t size, uint64_t offset) {
    while (size > 0) {
        ssize_t wrote = pwrite(file, data, size, (off_t)offset);
        if (wrote < 0 && errno == EINTR) {
            continue;
        }
        if (wrote <= 0) {
            errno = wrote == 0 ? ENOSPC : errno;
            return -1;
        }
        data += wrote;
        size -= (size_t)wrote;
        offset += (uint64_t)wrote;
    }
    return 0;
}

lb_status lbj_shard_write(lbj_shard *shard, uint64_t identity, int64_t chunk, const lbio_text *content,
                          lbj_place *place, lb_error *error) {
    unsigned char head[LBJ_HEAD_SIZE];
    if (content->failed || content->size > LBJ_RECORD_MOST) {
        return lbio_error(error, LB_ERROR_MEMORY, shard->path, 0, "no memory for the record of a chunk");
    }
    memcpy(head, magic, 8);
    put_word(head + 8, identity);
    put_word(head + 16, (uint64_t)chunk);
    put_word(head + 24, content->size);
    put_word(head + 32, lbj_hash(0, content->data, content->size));
    put_word(head + 40, lbj_hash(0, head, 40));
    if (write_at(shard->file, (const char *)head, sizeof head, shard->offset) ||
        write_at(shard->file, content->data, content->size, shard->offset + sizeof head)) {
        lb_status status = write_failed(shard, error);
        /* What was written of the record is taken back; where that fails too, readers pass over it. */
        if (ftruncate(shard->file, (off_t)shard->offset)) {
            return status;
        }
        return status;
    }
    place->offset = shard->offset;
    place->length = (uint32_t)content->size;
    shard->offset += sizeof head + content->size;
    return LB_OK;
}

lb_status lbj_shard_flush(const lbj_shard *shard, lb_error *error) {
    return shard->file >= 0 && fdatasync(shard->file) && errno != EINVAL ? write_failed(shard, error) : LB_OK;
}

lb_status lbj_shard_close(lbj_shard *shard, lb_error *error) {
    if (shard->file < 0) {
        return LB_OK;
    }
    lb_status status = lbj_shard_flush(shard, error);
    if (close(shard->file) && !status) {
        status = write_failed(shard, error);
    }
    shard->file = -1;
    return status;
}

/* --- Reading ------------------------------------------------------------------------------------------------ */

static lb_status read_failed(const char *path, lb_error *error) {
    return lbio_error(error, LB_ERROR_FILE, path, 0, "cannot be read: %s", strerror(errno));
}

/* As many bytes as there are, up to size; -1 with errno where reading fails. */
static ssize_t read_at(int file, void *data, size_t size, uint64_t offset) {
    size_t got = 0;
    while (got < size) {
        ssize_t n = pread(file, (char *)data + got, size - got, (off_t)(offset + got));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return -1;
        }
        if (n == 0) {
            break;
        }
        got += (size_t)n;
    }
    return (ssize_t)got;
}

static int is_head(const unsigned char *head) {
    return memcmp(head, magic, sizeof magic) == 0 && get_word(head + 40) == lbj_hash(0, head, 40) &&
           get_word(head + 24) <= LBJ_RECORD_MOST;
}

/* Room for size bytes in a text, whose size it becomes. */
static int make_room(lbio_text *text, size_t size) {
    if (size + 1 > text->capacity) {
        char *data = realloc(text->data, size + 1);
        if (!data) {
            return 0;
        }
        text->data = data;
        text->capacity = size + 1;
    }
    text->size = size;
    text->data[size] = 0;
    return 1;
}

/* The content that belongs to a head at an offset: 1 good, 0 torn or damaged, -1 an error of reading with errno. */
static int read_content(int file, const unsigned char *head, uint64_t offset, lbio_text *content) {
    size_t length = (size_t)get_word(head + 24);
    if (!make_room(content, length)) {
        errno = ENOMEM;
        return -1;
    }
    ssize_t got = read_at(file, content->data, length, offset + LBJ_HEAD_SIZE);
    if (got < 0) {
        return -1;
    }
    return (size_t)got == length && lbj_hash(0, content->data, length) == get_word(head + 32);
}

/* The offset of the next head from `from` on, or -1 where there is no more; -2: an error of reading with errno. */
static int64_t find_head(int file, uint64_t from) {
    unsigned char window[65536];
    for (;;) {
        ssize_t got = read_at(file, window, sizeof window, from);
        if (got < 0) {
            return -2;
        }
        for (ssize_t k = 0; k + LBJ_HEAD_SIZE <= got; k++) {
            if (window[k] == magic[0] && is_head(window + k)) {
                return (int64_t)(from + (uint64_t)k);
            }
        }
        if (got < (ssize_t)sizeof window) {
            return -1;
        }
        from += sizeof window - LBJ_HEAD_SIZE + 1;
    }
}

/* Takes a good record in. */
static void note_record(lbj_scan *scan, const unsigned char *head, uint64_t offset) {
    uint64_t chunk = get_word(head + 16);
    if (chunk >= (uint64_t)scan->chunk_count) {
        scan->damaged++;
        return;
    }
    lbj_place *place = &scan->places[chunk];
    if (place->file < 0) {
        *place = (lbj_place){scan->number, (uint32_t)get_word(head + 24), offset};
        scan->found++;
    }
}

static lb_status scan_file(int file, const char *path, lbj_scan *scan, lbio_text *content, lb_error *error) {
    uint64_t offset = 0;
    for (;;) {
        unsigned char head[LBJ_HEAD_SIZE];
        ssize_t got = read_at(file, head, sizeof head, offset);
        if (got == 0) {
            return LB_OK;
        }
        int is_good = got == LBJ_HEAD_SIZE && is_head(head);
        if (is_good && get_word(head + 8) != scan->identity) {
            return lbio_error(error, LB_ERROR_ARGUMENT, path, 0,
                              "holds records of another job; remove the file, or begin anew with --force");
        }
        if (is_good) {
            is_good = read_content(file, head, offset, content);
        }
        if (got < 0 || is_good < 0) {
            return read_failed(path, error);
        }
        if (is_good) {
            note_record(scan, head, offset);
            offset += LBJ_HEAD_SIZE + content->size;
            continue;
        }
        scan->damaged++;
        int64_t next = find_head(file, offset + 1);
        if (next < 0) {
            return next == -1 ? LB_OK : read_failed(path, error);
        }
        offset = (uint64_t)next;
    }
}

lb_status lbj_shard_scan(const char *path, lbj_scan *scan, lb_error *error) {
    int file = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    if (file < 0) {
        return read_failed(path, error);
    }
    lbio_text content = {0};
    lb_status status = scan_file(file, path, scan, &content, error);
    lbio_text_free(&content);
    close(file);
    return status;
}

lb_status lbj_shard_read(int file, const char *path, uint64_t identity, int64_t chunk, const lbj_place *place,
                         lbio_text *content, lb_error *error) {
    unsigned char head[LBJ_HEAD_SIZE];
    ssize_t got = read_at(file, head, sizeof head, place->offset);
    int is_good = got == LBJ_HEAD_SIZE && is_head(head) && get_word(head + 8) == identity &&
                  get_word(head + 16) == (uint64_t)chunk && get_word(head + 24) == place->length;
    if (is_good) {
        is_good = read_content(file, head, place->offset, content);
    }
    if (got < 0 || is_good < 0) {
        return read_failed(path, error);
    }
    return is_good ? LB_OK
                   : lbio_error(error, LB_ERROR_FILE, path, 0,
                                "the record of chunk %lld is damaged; --resume computes it again", (long long)chunk);
}
