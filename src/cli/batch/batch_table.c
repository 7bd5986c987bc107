/* Where the chunks of a table's rows begin: see batch.h. A row is a line that is neither empty nor a comment (#). */
#include "cli/batch/batch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static lb_status cannot_read(const batch_table *table, lb_error *error) {
    return lbio_error(error, LB_ERROR_FILE, table->path, 0, "cannot be read: %s", strerror(errno));
}

static lb_status no_memory(const batch_table *table, lb_error *error) {
    return lbio_error(error, LB_ERROR_MEMORY, table->path, 0, "out of memory");
}

/* --- Lines ------------------------------------------------------------------------------------------------------- */

/* Whether a line says something: 0 where it is empty or a comment. */
static int is_row(const char *from, const char *to) {
    while (from < to && (*from == ' ' || *from == '\t' || *from == '\r' || *from == '\n')) {
        from++;
    }
    return from < to && *from != '#';
}

int batch_next_row(const char **at, const char *end, int64_t *line, const char **from, const char **to) {
    while (*at < end) {
        const char *stop = memchr(*at, '\n', (size_t)(end - *at));
        *from = *at;
        *to = stop ? stop : end;
        *at = stop ? stop + 1 : end;
        (*line)++;
        if (is_row(*from, *to)) {
            return 1;
        }
    }
    return 0;
}

/* --- The scan ------------------------------------------------------------------------------------------------------ */

typedef struct reader {
    batch_table *table;
    char *buffer; /* [2 * BATCH_LINE_MOST] */
    size_t from, to;
    uint64_t offset; /* of buffer[from] in the file */
    int is_end;
    int64_t line; /* number of the line before buffer[from] */
} reader;

/* The next line with its end; *size 0 at the end of the file. */
static lb_status next_line(reader *r, const char **text, size_t *size, lb_error *error) {
    for (;;) {
        char *stop = memchr(r->buffer + r->from, '\n', r->to - r->from);
        size_t length = stop ? (size_t)(stop + 1 - (r->buffer + r->from)) : r->to - r->from;
        if (stop || r->is_end) {
            *text = r->buffer + r->from;
            *size = length;
            r->from += length;
            r->line += length > 0;
            return LB_OK;
        }
        if (length > BATCH_LINE_MOST) {
            return lbio_error(error, LB_ERROR_TOO_LARGE, r->table->path, (int)(r->line + 1),
                              "a line of more than %zu bytes; is this a table of comma-separated values?",
                              BATCH_LINE_MOST);
        }
        memmove(r->buffer, r->buffer + r->from, length);
        r->from = 0, r->to = length;
        ssize_t got = read(r->table->file, r->buffer + length, 2 * BATCH_LINE_MOST - length);
        if (got < 0 && errno != EINTR) {
            return cannot_read(r->table, error);
        }
        r->to += got > 0 ? (size_t)got : 0;
        r->is_end = got == 0;
    }
}

static lb_status add_mark(batch_table *t, uint64_t offset, int64_t line, lb_error *error) {
    if (t->chunk_count + 1 >= t->mark_room) {
        int64_t room = 2 * t->mark_room + 64;
        batch_mark *marks = realloc(t->marks, (size_t)room * sizeof *marks);
        if (!marks) {
            return no_memory(t, error);
        }
        t->marks = marks;
        t->mark_room = room;
    }
    t->marks[t->chunk_count] = (batch_mark){offset, line, 0};
    return LB_OK;
}

/* The first line, with what tells a file of another kind. */
static lb_status take_header(batch_table *t, int64_t line, const char *text, size_t size, lb_error *error) {
    if (size >= 2 && (memcmp(text, "\xFF\xFE", 2) == 0 || memcmp(text, "\xFE\xFF", 2) == 0)) {
        return lbio_error(error, LB_ERROR_SYNTAX, t->path, 1, "is UTF-16; save the table as CSV in UTF-8");
    }
    if (size >= 4 && memcmp(text, "PK\003\004", 4) == 0) {
        return lbio_error(error, LB_ERROR_SYNTAX, t->path, 1, "is a spreadsheet or an archive; save the table as CSV");
    }
    if (memchr(text, 0, size)) {
        return lbio_error(error, LB_ERROR_SYNTAX, t->path, (int)line, "is no text; save the table as CSV");
    }
    const char *stop = memchr(text, '\r', size);
    if (stop && stop + 1 < text + size && stop[1] != '\n') {
        return lbio_error(error, LB_ERROR_SYNTAX, t->path, (int)line,
                          "lines end with carriage returns alone; save the table with line feeds");
    }
    t->header.size = 0;
    lbio_text_bytes(&t->header, text, size);
    t->header_line = line;
    return t->header.failed ? no_memory(t, error) : LB_OK;
}

static lb_status scan_lines(reader *r, lb_error *error) {
    batch_table *t = r->table;
    uint64_t offset = 0;
    for (;;) {
        const char *text = NULL;
        size_t size = 0;
        lb_status status = next_line(r, &text, &size, error);
        if (status || size == 0) {
            return status;
        }
        uint64_t begin = offset;
        offset += size;
        if (begin == 0 && size >= 3 && memcmp(text, "\xEF\xBB\xBF", 3) == 0) { /* a byte order mark */
            text += 3, size -= 3;
        }
        int is_one = is_row(text, text + size);
        if (is_one && t->header_line == 0) {
            status = take_header(t, r->line, text, size, error);
        } else if (is_one && t->row_count++ % t->chunk_rows == 0) {
            status = add_mark(t, begin, r->line, error);
            t->chunk_count += !status;
        }
        if (status) {
            return status;
        }
        if (t->chunk_count > 0) {
            batch_mark *mark = &t->marks[t->chunk_count - 1];
            mark->hash = lbj_hash(mark->hash, text, size);
        }
        t->marks[t->chunk_count] = (batch_mark){offset, r->line + 1, 0}; /* the end so far */
    }
}

static lb_status open_table(batch_table *t, lb_error *error) {
    struct stat information;
    if (strcmp(t->path, "-") == 0) {
        return lbio_error(error, LB_ERROR_FILE, "<stdin>", 0,
                          "a table is read more than once; write it to a file first");
    }
    t->file = open(t->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (t->file < 0 || fstat(t->file, &information)) {
        return lbio_error(error, LB_ERROR_FILE, t->path, 0, "cannot be opened: %s", strerror(errno));
    }
    if (!S_ISREG(information.st_mode)) {
        return lbio_error(error, LB_ERROR_FILE, t->path, 0, "%s",
                          S_ISDIR(information.st_mode)
                              ? "is a folder; name a file inside it"
                              : "is no plain file; a table is read more than once: write it to a file first");
    }
    return LB_OK;
}

lb_status batch_table_scan(batch_table *t, lb_error *error) {
    reader r = {.table = t, .buffer = malloc(2 * BATCH_LINE_MOST)};
    lb_status status = open_table(t, error);
    status = status ? status : r.buffer ? add_mark(t, 0, 1, error) : no_memory(t, error);
    status = status ? status : scan_lines(&r, error);
    free(r.buffer);
    if (!status && t->header_line == 0) {
        status = lbio_error(error, LB_ERROR_SYNTAX, t->path, 1,
                            "the table is empty: its first line names the columns, as in x,y,z or reach.x,reach.y");
    }
    t->hash = lbj_hash_text(lbj_hash_count(0, t->row_count), t->header.data);
    for (int64_t k = 0; !status && k < t->chunk_count; k++) {
        t->hash = lbj_hash_count(t->hash, (int64_t)t->marks[k].hash);
    }
    return status;
}

/* --- From rank to rank ------------------------------------------------------------------------------------------- */

void batch_table_give(const batch_table *t, lbio_text *bytes) {
    int64_t numbers[5] = {t->row_count, t->chunk_rows, t->chunk_count, t->header_line, (int64_t)t->hash};
    lbio_text_bytes(bytes, (const char *)numbers, sizeof numbers);
    lbio_text_bytes(bytes, (const char *)t->marks, ((size_t)t->chunk_count + 1) * sizeof *t->marks);
    lbio_text_bytes(bytes, t->header.data, t->header.size);
}

lb_status batch_table_take(batch_table *t, const lbio_text *bytes, lb_error *error) {
    int64_t numbers[5];
    lb_status status = open_table(t, error);
    if (status) {
        return status;
    }
    memcpy(numbers, bytes->data, sizeof numbers);
    t->row_count = numbers[0], t->chunk_rows = numbers[1], t->chunk_count = numbers[2];
    t->header_line = numbers[3], t->hash = (uint64_t)numbers[4];
    size_t size = ((size_t)t->chunk_count + 1) * sizeof *t->marks;
    t->marks = malloc(size);
    if (!t->marks) {
        return no_memory(t, error);
    }
    memcpy(t->marks, bytes->data + sizeof numbers, size);
    lbio_text_bytes(&t->header, bytes->data + sizeof numbers + size, bytes->size - sizeof numbers - size);
    return t->header.failed ? no_memory(t, error) : LB_OK;
}

void batch_table_close(batch_table *t) {
    if (t->file >= 0) {
        close(t->file);
    }
    free(t->marks);
    lbio_text_free(&t->header);
}

/* --- Rows of a chunk ------------------------------------------------------------------------------------------------ */

/* The hash that the scan found, of lines one by one. */
static uint64_t hash_lines(const char *at, const char *end) {
    uint64_t hash = 0;
    while (at < end) {
        const char *stop = memchr(at, '\n', (size_t)(end - at));
        const char *to = stop ? stop + 1 : end;
        hash = lbj_hash(hash, at, (size_t)(to - at));
        at = to;
    }
    return hash;
}

lb_status batch_table_read(const batch_table *t, int64_t chunk, lbio_text *text, lb_error *error) {
    const batch_mark *mark = &t->marks[chunk];
    size_t size = (size_t)(mark[1].offset - mark->offset), got = 0;
    if (size + 1 > text->capacity) {
        char *data = realloc(text->data, size + 1);
        if (!data) {
            return no_memory(t, error);
        }
        text->data = data, text->capacity = size + 1;
    }
    while (got < size) {
        ssize_t n = pread(t->file, text->data + got, size - got, (off_t)(mark->offset + got));
        if (n < 0 && errno == EINTR) {
            continue;
        }
        if (n < 0) {
            return cannot_read(t, error);
        }
        if (n == 0) {
            break;
        }
        got += (size_t)n;
    }
    text->size = got;
    text->data[got] = 0;
    if (got != size || hash_lines(text->data, text->data + size) != mark->hash) {
        return lbio_error(error, LB_ERROR_FILE, t->path, (int)mark->line, "the table changed while it was solved");
    }
    return LB_OK;
}
