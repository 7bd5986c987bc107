/* Words of SCEFO: names, numbers, texts in quotes, marks; C's comments. */
#include "io/scefo/scefo.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct lbio_scefo_block {
    lbio_scefo_block *next;
    size_t size, used; /* of the bytes that follow */
};

#define BLOCK_SIZE 65536
#define HEADER ((sizeof(lbio_scefo_block) + 15) & ~(size_t)15)

void *lbio_scefo_take(lbio_scefo *s, size_t size) {
    size = (size + 15) & ~(size_t)15;
    if (!s->blocks || s->blocks->size - s->blocks->used < size) {
        size_t bytes = size > BLOCK_SIZE ? size : BLOCK_SIZE;
        lbio_scefo_block *block = malloc(HEADER + bytes);
        if (!block) {
            s->status = s->status ? s->status : lbio_fail(s->source, LB_ERROR_MEMORY, 0, "out of memory");
            return NULL;
        }
        *block = (lbio_scefo_block){s->blocks, bytes, 0};
        s->blocks = block;
    }
    char *taken = (char *)s->blocks + HEADER + s->blocks->used;
    s->blocks->used += size;
    return memset(taken, 0, size);
}

void lbio_scefo_free(lbio_scefo *s) {
    while (s->blocks) {
        lbio_scefo_block *block = s->blocks;
        s->blocks = block->next;
        free(block);
    }
    free(s->objects);
}

lb_status lbio_scefo_fail(lbio_scefo *s, const char *file, int line, const char *format, ...) {
    if (s->status == LB_OK) {
        char message[LB_ERROR_MESSAGE_SIZE + 8];
        va_list arguments;
        va_start(arguments, format);
        vsnprintf(message, sizeof message, format, arguments);
        va_end(arguments);
        s->status = lbio_error(s->source->error, LB_ERROR_SYNTAX, file, line, "%s", message);
    }
    return s->status;
}

void lbio_scefo_warn(const lbio_scefo *s, const char *file, int line, const char *format, ...) {
    char message[LB_ERROR_MESSAGE_SIZE + 8];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    lbio_source where = *s->source; /* an included file warns under its own name */
    where.name = file;
    lbio_warn(&where, line, "%s", message);
}

static int is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static void skip_blanks(lbio_scefo *s) {
    while (s->at < s->end) {
        if (*s->at == '\n') {
            s->line++;
            s->at++;
        } else if (*s->at == ' ' || *s->at == '\t' || *s->at == '\r') {
            s->at++;
        } else if (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '/') {
            while (s->at < s->end && *s->at != '\n') {
                s->at++;
            }
        } else if (s->end - s->at >= 2 && s->at[0] == '/' && s->at[1] == '*') {
            int began = s->line;
            const char *close = s->at + 2;
            while (close + 1 < s->end && !(close[0] == '*' && close[1] == '/')) {
                s->line += *close++ == '\n';
            }
            if (close + 1 >= s->end) {
                lbio_scefo_fail(s, s->file, began, "this comment is never closed; end it with */");
                s->at = s->end;
                return;
            }
            s->at = close + 2;
        } else {
            return;
        }
    }
}

static const char *keep(lbio_scefo *s, const char *text, size_t length) {
    char *copy = lbio_scefo_take(s, length + 1);
    if (copy) {
        memcpy(copy, text, length);
    }
    return copy ? copy : "";
}

static lbio_scefo_word read_text(lbio_scefo *s) {
    lbio_scefo_word word = {SCEFO_TEXT, "", 0, 0, s->line};
    const char *start = ++s->at;
    while (s->at < s->end && *s->at != '"' && *s->at != '\n') {
        s->at++;
    }
    if (s->at >= s->end || *s->at != '"') {
        lbio_scefo_fail(s, s->file, word.line, "this text is never closed; end it with \"");
        word.kind = SCEFO_END;
        return word;
    }
    word.text = keep(s, start, (size_t)(s->at++ - start));
    return word;
}

static lbio_scefo_word read_number(lbio_scefo *s) {
    lbio_scefo_word word = {SCEFO_VALUE, "", 0, 0, s->line};
    const char *after = lbio_number(s->at, s->end, &word.number);
    if (!after) {
        lbio_scefo_fail(s, s->file, s->line, "this number cannot be read, or is too large");
        word.kind = SCEFO_END;
        after = s->end;
    }
    s->at = after;
    return word;
}

static lbio_scefo_word read_name(lbio_scefo *s) {
    const char *start = s->at;
    lbio_scefo_word word = {SCEFO_WORD, "", 0, 0, s->line};
    while (s->at < s->end && (is_letter(*s->at) || is_digit(*s->at) || *s->at == '.' || *s->at == '-')) {
        s->at++;
    }
    word.text = keep(s, start, (size_t)(s->at - start));
    return word;
}

lbio_scefo_word lbio_scefo_next(lbio_scefo *s) {
    skip_blanks(s);
    lbio_scefo_word word = {SCEFO_END, "", 0, 0, s->line};
    if (s->status || s->at >= s->end) {
        return word;
    }
    char c = *s->at, next = s->at + 1 < s->end ? s->at[1] : 0;
    if (c == '"') {
        return read_text(s);
    }
    if (is_digit(c) || ((c == '-' || c == '+' || c == '.') && (is_digit(next) || next == '.'))) {
        return read_number(s);
    }
    if (is_letter(c)) {
        return read_name(s);
    }
    if (!strchr("(){}<>,;:#", c) || c == 0) {
        lbio_scefo_fail(s, s->file, s->line,
                        (unsigned char)c > 0x20 && (unsigned char)c < 0x7f
                            ? "`%c` does not belong here"
                            : "a character of code %d does not belong here",
                        (unsigned char)c);
        return word;
    }
    word.kind = SCEFO_MARK;
    word.mark = c;
    s->at++;
    return word;
}

lbio_scefo_word lbio_scefo_peek(lbio_scefo *s) {
    const char *at = s->at;
    int line = s->line;
    lbio_scefo_word word = lbio_scefo_next(s);
    s->at = at;
    s->line = line;
    return word;
}
