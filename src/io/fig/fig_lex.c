/* Words of .fig files: names, numbers with units, marks; comments are #, // to the end of the line, and C's. */
#include "io/fig/fig.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Memory and failures
 * ------------------------------------------------------------------------------------------------- */

struct fig_block {
    fig_block *next;
    size_t size, used; /* of the bytes that follow */
};

#define BLOCK_SIZE 65536

static void *resize(const fig_reader *reader, void *block, size_t old_size, size_t new_size) {
    if (reader->allocator.resize) {
        return reader->allocator.resize(reader->allocator.context, block, old_size, new_size);
    }
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

void *lbio_fig_take(fig_reader *reader, size_t size) {
    const size_t header = (sizeof(fig_block) + 15) & ~(size_t)15;
    size = (size + 15) & ~(size_t)15;
    if (!reader->blocks || reader->blocks->size - reader->blocks->used < size) {
        size_t bytes = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        fig_block *block = resize(reader, NULL, 0, header + bytes);
        if (!block) {
            lbio_fig_fail_status(reader, LB_ERROR_MEMORY, 0, "out of memory");
            return NULL;
        }
        *block = (fig_block){reader->blocks, bytes, 0};
        reader->blocks = block;
    }
    char *taken = (char *)reader->blocks + header + reader->blocks->used;
    reader->blocks->used += size;
    return memset(taken, 0, size);
}

void lbio_fig_reader_free(fig_reader *reader) {
    const size_t header = (sizeof(fig_block) + 15) & ~(size_t)15;
    while (reader->blocks) {
        fig_block *block = reader->blocks;
        reader->blocks = block->next;
        resize(reader, block, header + block->size, 0);
    }
}

static int note_failure(fig_reader *reader, lb_status status, int line, const char *format, va_list arguments) {
    if (reader->status == LB_OK) {
        char message[LB_ERROR_MESSAGE_SIZE + 8]; /* longer than fits, so that what cuts it sees that it must */
        vsnprintf(message, sizeof message, format, arguments);
        reader->status = lbio_fail(reader->source, status, line, "%s", message);
    }
    return 0;
}

int lbio_fig_fail_status(fig_reader *reader, lb_status status, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note_failure(reader, status, line, format, arguments);
    va_end(arguments);
    return 0;
}

int lbio_fig_fail(fig_reader *reader, int line, const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    note_failure(reader, LB_ERROR_SYNTAX, line, format, arguments);
    va_end(arguments);
    return 0;
}

int lbio_fig_unexpected(fig_reader *reader, const char *expected) {
    if (reader->word == FIG_END) {
        return lbio_fig_fail(reader, reader->word_line, "expected %s, found the end of the file", expected);
    }
    int length = reader->length < 60 ? reader->length : 60;
    return lbio_fig_fail(reader, reader->word_line, "expected %s, found `%.*s%s`", expected, length, reader->start,
                         length < reader->length ? "..." : "");
}

/* ---------------------------------------------------------------------------------------------------
 * Words
 * ------------------------------------------------------------------------------------------------- */

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int starts(const fig_reader *reader, const char *text) {
    size_t length = strlen(text);
    return (size_t)(reader->end - reader->at) >= length && memcmp(reader->at, text, length) == 0;
}

static void skip_line(fig_reader *reader) {
    while (reader->at < reader->end && *reader->at != '\n') {
        reader->at++;
    }
}

static int skip_comment(fig_reader *reader) {
    int line = reader->line;
    reader->at += 2;
    while (reader->at < reader->end && !starts(reader, "*/")) {
        reader->line += *reader->at == '\n';
        reader->at++;
    }
    if (reader->at >= reader->end) {
        return lbio_fig_fail(reader, line, "this comment is never closed; end it with */");
    }
    reader->at += 2;
    return 1;
}

static int skip_blanks(fig_reader *reader, int comments) {
    while (reader->at < reader->end) {
        char c = *reader->at;
        if (c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '\f' || c == '\v') {
            reader->line += c == '\n';
            reader->at++;
        } else if (comments && (c == '#' || starts(reader, "//"))) {
            skip_line(reader);
        } else if (comments && starts(reader, "/*")) {
            if (!skip_comment(reader)) {
                return 0;
            }
        } else {
            break;
        }
    }
    return 1;
}

static int set_word(fig_reader *reader, fig_word word, const char *end) {
    reader->word = word;
    reader->start = reader->at;
    reader->length = (int)(end - reader->at);
    reader->word_line = reader->line;
    reader->at = end;
    return 1;
}

/* A minus belongs to the name (`left-hand`, `toe-2`) unless it ends it (`base->location`, `a - b`) or begins a number
 * with a point (`a-0.5`). */
static int is_hyphen(const char *at, const char *end) {
    if (*at != '-' || at + 1 >= end || !(is_letter(at[1]) || is_digit(at[1]) || at[1] == '-')) {
        return 0;
    }
    const char *digit = at + 1;
    while (digit < end && is_digit(*digit)) {
        digit++;
    }
    return digit == at + 1 || end - digit < 2 || *digit != '.' || !is_digit(digit[1]);
}

static int next_name(fig_reader *reader) {
    const char *at = reader->at;
    while (at < reader->end && (is_letter(*at) || is_digit(*at) || is_hyphen(at, reader->end))) {
        at++;
    }
    return set_word(reader, FIG_NAME, at);
}

static int next_quoted(fig_reader *reader) {
    const char *at = reader->at + 1;
    while (at < reader->end && *at != '"' && *at != '\n') {
        at += *at == '\\' && at + 1 < reader->end && at[1] != '\n' ? 2 : 1;
    }
    if (at >= reader->end || *at != '"') {
        return lbio_fig_fail(reader, reader->line, "this quoted name is never closed; end it with \" on the same line");
    }
    return set_word(reader, FIG_QUOTED, at + 1);
}

static int next_number(fig_reader *reader) {
    const char *end = lbio_number(reader->at, reader->end, &reader->number);
    if (!end) {
        return lbio_fig_fail(reader, reader->line, "this number is too large; the largest is about 1.8e308");
    }
    return set_word(reader, FIG_NUMBER, end);
}

static int next_mark(fig_reader *reader) {
    static const char *const pairs[] = {"->", "<=", ">=", "+="};
    for (int i = 0; i < 4; i++) {
        if (starts(reader, pairs[i])) {
            return set_word(reader, FIG_MARK, reader->at + 2);
        }
    }
    char c = *reader->at;
    if (c && strchr("{}()[];:,.*+-/=<>", c)) {
        return set_word(reader, FIG_MARK, reader->at + 1);
    }
    if (c > 0x20 && c < 0x7F) {
        return lbio_fig_fail(reader, reader->line,
                             "unexpected `%c`; names with other than letters, digits, _ and - are "
                             "written in quotes",
                             c);
    }
    if ((unsigned char)c >= 0x80) {
        return lbio_fig_fail(reader, reader->line, "unexpected letter outside ASCII; write such names in quotes");
    }
    return lbio_fig_fail(reader, reader->line, "unexpected byte 0x%02x; is this a text file?",
                         (unsigned)(unsigned char)c);
}

int lbio_fig_next(fig_reader *reader) {
    if (reader->status != LB_OK || !skip_blanks(reader, 1)) {
        return 0;
    }
    if (reader->at >= reader->end) {
        return set_word(reader, FIG_END, reader->at);
    }
    char c = *reader->at;
    if (is_letter(c)) {
        return next_name(reader);
    }
    if (is_digit(c) || (c == '.' && reader->at + 1 < reader->end && is_digit(reader->at[1]))) {
        return next_number(reader);
    }
    return c == '"' ? next_quoted(reader) : next_mark(reader);
}

static int hex_digit(char c) {
    if (is_digit(c)) {
        return c - '0';
    }
    if (c >= 'a' && c <= 'f') {
        return c - 'a' + 10;
    }
    return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Where a color is due, # begins it rather than a comment. */
int lbio_fig_next_color(fig_reader *reader) {
    if (reader->status != LB_OK || !skip_blanks(reader, 0)) {
        return 0;
    }
    const char *at = reader->at;
    int color = 0, digits = 0;
    if (at < reader->end && *at == '#') {
        for (at++; at < reader->end && hex_digit(*at) >= 0 && digits < 7; at++, digits++) {
            color = color * 16 + hex_digit(*at);
        }
    }
    if (digits != 6) {
        return lbio_fig_fail(reader, reader->line, "expected a color of six hexadecimal digits, e.g. #c08060");
    }
    reader->color = color;
    return set_word(reader, FIG_COLOR, at);
}

int lbio_fig_start(fig_reader *reader) {
    reader->at = reader->source->text;
    reader->end = reader->at + reader->source->size;
    reader->line = 1;
    if (starts(reader, "\xEF\xBB\xBF")) {
        reader->at += 3;
    }
    return lbio_fig_next(reader);
}

int lbio_fig_is(const fig_reader *reader, const char *word) {
    size_t length = strlen(word);
    return (reader->word == FIG_MARK || reader->word == FIG_NAME) && (size_t)reader->length == length &&
           memcmp(reader->start, word, length) == 0;
}

int lbio_fig_accept(fig_reader *reader, const char *word) {
    return reader->status == LB_OK && lbio_fig_is(reader, word) && lbio_fig_next(reader);
}

int lbio_fig_expect(fig_reader *reader, const char *word) {
    if (reader->status != LB_OK) {
        return 0;
    }
    if (!lbio_fig_is(reader, word)) {
        char expected[40];
        snprintf(expected, sizeof expected, "`%s`", word);
        return lbio_fig_unexpected(reader, expected);
    }
    return lbio_fig_next(reader);
}

int lbio_fig_expect_end(fig_reader *reader, const char *what) {
    if (reader->status == LB_OK && !lbio_fig_is(reader, ";")) {
        char expected[80];
        snprintf(expected, sizeof expected, "`;` after %s", what);
        return lbio_fig_unexpected(reader, expected);
    }
    return lbio_fig_expect(reader, ";");
}

/* ---------------------------------------------------------------------------------------------------
 * Names
 * ------------------------------------------------------------------------------------------------- */

/* Overlong forms and surrogates are none. */
int lbio_fig_utf8_length(const char *at, const char *end) {
    const unsigned char *c = (const unsigned char *)at;
    int length = c[0] < 0x80 ? 1 : c[0] < 0xC2 ? 0 : c[0] < 0xE0 ? 2 : c[0] < 0xF0 ? 3 : c[0] < 0xF5 ? 4 : 0;
    if (length == 0 || end - at < length) {
        return 0;
    }
    for (int i = 1; i < length; i++) {
        if ((c[i] & 0xC0) != 0x80) {
            return 0;
        }
    }
    int bad = (c[0] == 0xE0 && c[1] < 0xA0) || (c[0] == 0xED && c[1] > 0x9F) || (c[0] == 0xF0 && c[1] < 0x90) ||
              (c[0] == 0xF4 && c[1] > 0x8F);
    return bad ? 0 : length;
}

/* One character or escape of a quoted name; returns the position after it, or NULL. */
static const char *unquote_one(fig_reader *reader, const char *at, const char *end, char **out) {
    if (*at != '\\') {
        int length = lbio_fig_utf8_length(at, end);
        if (length == 0 || *at == 0) {
            lbio_fig_fail(reader, reader->word_line,
                          "this name holds a byte that is not UTF-8 text; save the file as UTF-8");
            return NULL;
        }
        memcpy(*out, at, (size_t)length);
        *out += length;
        return at + length;
    }
    char kind = at[1]; /* there is one: a quote follows at the latest */
    if (kind == 'x' && end - at >= 4 && hex_digit(at[2]) >= 0 && hex_digit(at[3]) >= 0 &&
        (at[2] != '0' || at[3] != '0')) {
        *(*out)++ = (char)(hex_digit(at[2]) * 16 + hex_digit(at[3]));
        return at + 4;
    }
    char plain = kind == 'n' ? '\n' : kind == 't' ? '\t' : kind == '"' || kind == '\\' ? kind : 0;
    if (!plain) {
        lbio_fig_fail(reader, reader->word_line, "unknown escape in a quoted name; there are \\\" \\\\ \\n \\t \\xHH");
        return NULL;
    }
    *(*out)++ = plain;
    return at + 2;
}

int lbio_fig_name(fig_reader *reader, const char *what, const char **name) {
    if (reader->status != LB_OK) {
        return 0;
    }
    if (reader->word != FIG_NAME && reader->word != FIG_QUOTED) {
        return lbio_fig_unexpected(reader, what);
    }
    char *text = lbio_fig_take(reader, (size_t)reader->length + 1);
    if (!text) {
        return 0;
    }
    *name = text;
    if (reader->word == FIG_NAME) {
        memcpy(text, reader->start, (size_t)reader->length);
        return lbio_fig_next(reader);
    }
    const char *at = reader->start + 1, *end = reader->start + reader->length - 1;
    if (at == end) {
        return lbio_fig_fail(reader, reader->word_line, "an empty name; write something between the quotes");
    }
    while (at < end) {
        at = unquote_one(reader, at, end, &text);
        if (!at) {
            return 0;
        }
    }
    return lbio_fig_next(reader);
}

/* ---------------------------------------------------------------------------------------------------
 * Numbers with units
 * ------------------------------------------------------------------------------------------------- */

/* degrees * pi / 180, with pi / 180 to twice the precision, so that 90deg is the double nearest to pi / 2. */
double lbio_fig_degrees(double degrees) {
    const double high = 0.017453292519943295, low = 2.9486522708701687e-19;
    return fma(degrees, high, degrees * low);
}

typedef struct unit_name {
    const char *name;
    fig_unit unit;
    int power; /* of ten, to SI */
} unit_name;

enum { DEGREES = 100, INCHES }; /* powers that are none */

static const unit_name UNITS[] = {
    {"deg", FIG_ANGLE, DEGREES},  {"rad", FIG_ANGLE, 0},  {"m", FIG_LENGTH, 0},
    {"cm", FIG_LENGTH, -2},       {"mm", FIG_LENGTH, -3}, {"in", FIG_LENGTH, INCHES},
    {"inch", FIG_LENGTH, INCHES}, {"kg", FIG_MASS, 0},    {"g", FIG_MASS, -3},
};
#define UNIT_COUNT ((int)(sizeof UNITS / sizeof UNITS[0]))

/* The value, in SI units, of a number with a unit; powers of ten go into the digits, so that there is one rounding. */
static double to_si(const fig_value *value, const unit_name *unit) {
    const char *end = value->text + value->length;
    double number = value->number;
    if (unit->power == DEGREES) {
        return lbio_fig_degrees(number);
    }
    if (unit->power == INCHES) {
        return number * 254 / 10000;
    }
    lbio_number_scaled(value->digits, end, unit->power, &number);
    return signbit(value->number) ? -number : number;
}

/* The unit that the present word names; NULL if it is none. */
static const unit_name *find_unit(const fig_reader *reader) {
    for (int i = 0; i < UNIT_COUNT && reader->word == FIG_NAME; i++) {
        if (lbio_fig_is(reader, UNITS[i].name)) {
            return &UNITS[i];
        }
    }
    return NULL;
}

static int take_unit(fig_reader *reader, const unit_name *unit, fig_value *value) {
    value->unit = unit->unit;
    value->number = to_si(value, unit);
    if (value->number - value->number != 0) {
        return lbio_fig_fail(reader, value->line, "this number is too large; the largest is about 1.8e308");
    }
    value->length = (int)(reader->start + reader->length - value->text);
    return lbio_fig_next(reader);
}

static int no_such_unit(fig_reader *reader) {
    char name[32] = "";
    const char *names[UNIT_COUNT];
    memcpy(name, reader->start, (size_t)(reader->length < 31 ? reader->length : 31));
    for (int i = 0; i < UNIT_COUNT; i++) {
        names[i] = UNITS[i].name;
    }
    const char *near = lbio_nearest(name, names, UNIT_COUNT);
    if (near) {
        return lbio_fig_fail(reader, reader->word_line, "`%s` is no unit; did you mean `%s`?", name, near);
    }
    return lbio_fig_fail(reader, reader->word_line, "`%s` is no unit; there are deg rad, m cm mm in, kg g", name);
}

static int read_number(fig_reader *reader, const char *what, fig_value *value) {
    memset(value, 0, sizeof *value); /* gcc -O3 does not see that a failure is never looked at */
    if (reader->status != LB_OK) {
        return 0;
    }
    value->line = reader->word_line;
    value->text = reader->start;
    value->unit = FIG_PLAIN;
    int negative = lbio_fig_is(reader, "-");
    if ((negative || lbio_fig_is(reader, "+")) && !lbio_fig_next(reader)) {
        return 0;
    }
    if (reader->word != FIG_NUMBER) {
        return lbio_fig_unexpected(reader, what);
    }
    value->digits = reader->start;
    value->number = negative ? -reader->number : reader->number;
    value->length = (int)(reader->start + reader->length - value->text);
    return lbio_fig_next(reader);
}

int lbio_fig_read_value(fig_reader *reader, const char *what, fig_value *value) {
    if (!read_number(reader, what, value)) {
        return 0;
    }
    const unit_name *unit = find_unit(reader);
    return unit ? take_unit(reader, unit, value) : reader->word == FIG_NAME ? no_such_unit(reader) : 1;
}

int lbio_fig_read_leading(fig_reader *reader, const char *what, fig_value *value) {
    if (!read_number(reader, what, value)) {
        return 0;
    }
    const unit_name *unit = find_unit(reader);
    return unit ? take_unit(reader, unit, value) : 1;
}

int lbio_fig_read_plain(fig_reader *reader, const char *what, double *number) {
    fig_value value = {0};
    if (!lbio_fig_read_value(reader, what, &value) || !lbio_fig_check_unit(reader, &value, FIG_PLAIN, what)) {
        return 0;
    }
    *number = value.number;
    return 1;
}

int lbio_fig_check_unit(fig_reader *reader, const fig_value *value, fig_unit unit, const char *what) {
    static const char *const kinds[] = {"a plain number", "an angle", "a length", "a mass", "none"};
    static const char *const wants[] = {"a number without a unit, e.g. 0.5", "an angle, e.g. 30deg",
                                        "a length, e.g. 30cm", "a mass, e.g. 2.1kg", ""};
    if (value->unit == unit || value->unit == FIG_PLAIN) {
        return 1;
    }
    int length = value->length < 40 ? value->length : 40;
    return lbio_fig_fail(reader, value->line, "%.*s is %s; %s wants %s", length, value->text, kinds[value->unit], what,
                         wants[unit]);
}

int lbio_fig_read_unit(fig_reader *reader, fig_unit unit, const char *what, double *number) {
    fig_value value = {0};
    if (!lbio_fig_read_value(reader, what, &value) || !lbio_fig_check_unit(reader, &value, unit, what)) {
        return 0;
    }
    *number = value.number;
    return 1;
}
