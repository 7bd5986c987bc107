/* Points and frames for maps, from CSV. */
#include "cli/reach/reach.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define MOST_BYTES ((size_t)4 << 30)
#define FIELDS 7
#define MOST_COLUMNS 64

static const char *const field_names[FIELDS] = {"x", "y", "z", "qx", "qy", "qz", "qw"};

typedef struct table {
    const char *path;
    int columns[FIELDS]; /* [field]: its column; -1: none */
    int column_count;    /* 0: not known yet */
    lb_frame *frames;
    int64_t count, room;
} table;

/* Whether a cell of the first line is a word, blanks and quotes aside. */
static int is_word(const char *text, size_t length, const char *word) {
    while (length && strchr(" \t\"", *text)) {
        text++, length--;
    }
    while (length && strchr(" \t\"\r", text[length - 1])) {
        length--;
    }
    return strlen(word) == length && strncmp(text, word, length) == 0;
}

/* A first line that names columns. 0: it is no such line. */
static int read_names(table *t, const char *line, const char *end) {
    int found = 0, column = 0;
    for (const char *at = line; at <= end; column++) {
        const char *comma = memchr(at, ',', (size_t)(end - at));
        const size_t length = (size_t)((comma ? comma : end) - at);
        for (int k = 0; k < FIELDS; k++) {
            if (is_word(at, length, field_names[k])) {
                t->columns[k] = column;
                found++;
            }
        }
        at += length + 1;
    }
    t->column_count = found ? column : 0;
    return found;
}

static int bad_line(const table *t, int line, const char *what) {
    return cli_fail(CLI_BAD_INPUT, "%s:%d: %s", t->path, line, what);
}

static int add_frame(table *t, const double *values, int line) {
    if (t->count == t->room) {
        const int64_t room = t->room ? 2 * t->room : 1024;
        lb_frame *frames = realloc(t->frames, (size_t)room * sizeof *frames);
        if (!frames) {
            return cli_fail(CLI_BAD_INPUT, "%s: no memory for the points", t->path);
        }
        t->frames = frames, t->room = room;
    }
    lb_frame *frame = &t->frames[t->count];
    double norm = 0;
    lb_frame_identity(frame);
    for (int k = 0; k < 3; k++) {
        frame->position[k] = values[t->columns[k]];
    }
    for (int k = 0; t->columns[3] >= 0 && k < 4; k++) {
        frame->rotation[k] = values[t->columns[3 + k]];
        norm += frame->rotation[k] * frame->rotation[k];
    }
    if (t->columns[3] >= 0 && !(norm > 1e-12)) {
        return bad_line(t, line, "the rotation is zero");
    }
    for (int k = 0; t->columns[3] >= 0 && k < 4; k++) {
        frame->rotation[k] /= sqrt(norm);
    }
    t->count++;
    return CLI_OK;
}

/* Numbers with commas between them. Returns how many, -1 where it is something else. */
static int read_values(const char *text, const char *end, double values[MOST_COLUMNS]) {
    int count = 0;
    while (count < MOST_COLUMNS) {
        text += strspn(text, " \t");
        text = text < end ? lbio_number(text, end, &values[count]) : NULL;
        if (!text) {
            return -1;
        }
        count++;
        text += strspn(text, " \t\r");
        if (text >= end) {
            return count;
        }
        if (*text++ != ',') {
            return -1;
        }
    }
    return -1;
}

static int read_line(table *t, const char *text, const char *end, int line) {
    double values[MOST_COLUMNS];
    const int count = read_values(text, end, values);
    if (count < 0) {
        return bad_line(t, line, "is no line of numbers with commas between them");
    }
    if (!t->column_count) {
        if (count != 3 && count != FIELDS) {
            return bad_line(t, line, "needs three numbers (x, y, z) or seven (and a quaternion x, y, z, w)");
        }
        t->column_count = count;
        for (int k = 0; k < FIELDS; k++) {
            t->columns[k] = k < count ? k : -1;
        }
    }
    return count == t->column_count ? add_frame(t, values, line)
                                    : bad_line(t, line, "has another number of columns than the lines above");
}

static int check_names(const table *t) {
    for (int k = 0; k < FIELDS; k++) {
        const int is_needed =
            k < 3 || t->columns[3] >= 0 || t->columns[4] >= 0 || t->columns[5] >= 0 || t->columns[6] >= 0;
        if (is_needed && t->columns[k] < 0) {
            return cli_fail(CLI_BAD_INPUT, "%s: has no column `%s`; a point has x,y,z, a frame also qx,qy,qz,qw",
                            t->path, field_names[k]);
        }
    }
    return CLI_OK;
}

int cli_reach_frames(const char *path, lb_frame **frames, int64_t *count, int *has_rotations) {
    table t = {.path = path, .columns = {-1, -1, -1, -1, -1, -1, -1}};
    char *data;
    size_t size;
    lb_error error;
    int code = CLI_OK, line = 0;
    if (lbio_read_file(path, MOST_BYTES, &data, &size, &error)) {
        return cli_report(CLI_BAD_INPUT, &error);
    }
    for (const char *at = data; !code && at < data + size;) {
        const char *end = memchr(at, '\n', (size_t)(data + size - at));
        end = end ? end : data + size;
        const char *first = at + strspn(at, " \t\r");
        line++;
        if (first < end && *first != '#') {
            const int is_head = !t.column_count && read_names(&t, at, end);
            code = is_head ? check_names(&t) : read_line(&t, at, end, line);
        }
        at = end + 1;
    }
    free(data);
    code = code || t.count ? code : cli_fail(CLI_BAD_INPUT, "%s: has no points", path);
    if (code) {
        free(t.frames);
        return code;
    }
    *frames = t.frames, *count = t.count, *has_rotations = t.columns[3] >= 0;
    return CLI_OK;
}
