/* The name a person probably meant. */
#include "io/text.h"

#include <string.h>

#define MAX_LENGTH 48

static int lower_case(char letter) { return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter; }

static int least(int a, int b) { return a < b ? a : b; }

/* Edits (insert, delete, replace, swap neighbours; Damerau's distance by the usual table of three rows) that turn a
 * into b; a change of case counts nothing. */
static int edit_distance(const char *a, int a_length, const char *b, int b_length) {
    int rows[3][MAX_LENGTH + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    for (int j = 0; j <= b_length; j++) {
        last[j] = j;
    }
    for (int i = 1; i <= a_length; i++) {
        row[0] = i;
        for (int j = 1; j <= b_length; j++) {
            int same = lower_case(a[i - 1]) == lower_case(b[j - 1]);
            int edits = least(last[j - 1] + !same, least(last[j], row[j - 1]) + 1);
            if (i > 1 && j > 1 && lower_case(a[i - 1]) == lower_case(b[j - 2]) &&
                lower_case(a[i - 2]) == lower_case(b[j - 1])) {
                edits = least(edits, before[j - 2] + 1);
            }
            row[j] = edits;
        }
        int *free_row = before;
        before = last;
        last = row;
        row = free_row;
    }
    return last[b_length];
}

const char *lbio_nearest(const char *name, const char *const *names, int count) {
    size_t length = strlen(name);
    if (length == 0 || length > MAX_LENGTH) {
        return NULL;
    }
    /* One edit in three letters is a slip; more is another word. */
    int best = (int)length <= 2 ? 1 : 1 + (int)length / 3;
    const char *nearest = NULL;
    best++;
    for (int i = 0; i < count; i++) {
        size_t other = strlen(names[i]);
        if (other == 0 || other > MAX_LENGTH || other > length + 8 || length > other + 8) {
            continue;
        }
        int edits = edit_distance(name, (int)length, names[i], (int)other);
        if (edits < best && edits < (int)other) {
            best = edits;
            nearest = names[i];
        }
    }
    return nearest;
}
