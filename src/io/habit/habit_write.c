/* Writing habits, so that reading gives them back. */
#include "io/text.h"
#include <limber/body.h>
#include <string.h>

#define LINE 116 /* bytes of a line of numbers, at most */

/* In quotes; what would end a text or a line is escaped or a space. */
static void put_text(lbio_text *text, const char *string) {
    lbio_text_add(text, "\"");
    for (; *string; string++) {
        const char byte = (unsigned char)*string < 0x20 ? ' ' : *string;
        lbio_text_add(text, byte == '"' || byte == '\\' ? "\\" : "");
        lbio_text_bytes(text, &byte, 1);
    }
    lbio_text_add(text, "\"");
}

/* A name, in quotes where it is not a plain word. */
static void put_name(lbio_text *text, const char *name) {
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
    if (name[strspn(name, plain)]) {
        put_text(text, name);
    } else {
        lbio_text_add(text, name);
    }
}

/* Numbers in lines. */
static void put_numbers(lbio_text *text, const double *values, int count) {
    int length = 0;
    for (int i = 0; i < count; i++) {
        char number[32];
        lbio_print_number(values[i], number);
        const int size = (int)strlen(number) + 1;
        if (length > 0 && length + size > LINE) {
            lbio_text_add(text, "\n");
            length = 0;
        }
        lbio_text_add(text, length ? " " : "");
        lbio_text_add(text, number);
        length += size;
    }
    lbio_text_add(text, count > 0 ? "\n" : "");
}

static void put_habit(lbio_text *text, const lb_habit_data *d) {
    const double *row = d->factor;
    lbio_text_add(text, "habit 1\n");
    if (*d->source) {
        lbio_text_add(text, "source ");
        put_text(text, d->source);
        lbio_text_add(text, "\n");
    }
    if (*d->credit) {
        lbio_text_add(text, "credit ");
        put_text(text, d->credit);
        lbio_text_add(text, "\n");
    }
    lbio_text_add(text, "root_height ");
    lbio_text_number(text, d->root_height);
    lbio_text_format(text, "\nfeatures %d\n", d->feature_count);
    for (int i = 0; i < d->feature_count; i++) {
        lbio_text_format(text, "%s ", lb_habit_kind_name(d->features[i].kind));
        if (d->features[i].kind != LB_HABIT_HEIGHT) {
            put_name(text, d->features[i].name);
            lbio_text_add(text, " ");
        }
        lbio_text_number(text, d->features[i].mean);
        lbio_text_add(text, "\n");
    }
    lbio_text_add(text, "factor\n");
    for (int i = 0; i < d->feature_count; row += d->feature_count - i, i++) {
        put_numbers(text, row, d->feature_count - i);
    }
    lbio_text_format(text, "starts %d\n", d->start_count);
    for (int i = 0; i < d->start_count; i++) {
        put_numbers(text, d->starts + (size_t)i * (size_t)d->feature_count, d->feature_count);
    }
}

lb_status lb_habit_save_memory(const lb_habit *habit, char **text, size_t *size, lb_error *error) {
    lbio_text made = {0};
    lb_error unseen;
    error = error ? error : &unseen;
    if (!habit || !text || !size) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "no habit or no place for the text was given");
    }
    put_habit(&made, lb_habit_contents(habit));
    if (made.failed) {
        lbio_text_free(&made);
        return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "out of memory");
    }
    *text = made.data;
    *size = made.size;
    *error = (lb_error){.status = LB_OK};
    return LB_OK;
}

lb_status lb_habit_save(const lb_habit *habit, const char *path, lb_error *error) {
    char *text = NULL;
    size_t size = 0;
    lb_error unseen;
    error = error ? error : &unseen;
    if (!path) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "no path was given");
    }
    lb_status status = lb_habit_save_memory(habit, &text, &size, error);
    status = status ? status : lbio_write_file(path, text, size, error);
    lb_text_free(text);
    return status;
}
