/* What a person probably meant: see suggest.h. */
#include "figure/suggest.h"

#include <string.h>

#define LENGTH_MOST 64

/* A slip costs SLIP; a name that begins with what was wanted, or the other way round, costs BEGINNING; a name that
 * holds it costs PART. Names that cost less than SPREAD more than the nearest one are suggested beside it. */
enum { SLIP = 3, BEGINNING = 4, PART = 6, SPREAD = 3 };

static int lower_case(char letter) { return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter; }

static int least(int a, int b) { return a < b ? a : b; }

/* Damerau's distance by the usual table, of which three rows are kept. */
int lbf_edit_distance(const char *a, const char *b) {
    int rows[3][LENGTH_MOST + 1];
    int *before = rows[0], *last = rows[1], *row = rows[2];
    size_t a_length = strlen(a), b_length = strlen(b);
    if (a_length > LENGTH_MOST || b_length > LENGTH_MOST) {
        return -1;
    }
    for (size_t j = 0; j <= b_length; j++) {
        last[j] = (int)j;
    }
    for (size_t i = 1; i <= a_length; i++) {
        row[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
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

static int is_separator(char letter) { return letter && strchr("_-. :/", letter) != NULL; }

/* Without regard to case and to what separates words: wrist3 is the beginning of wrist_3_link. */
static int begins_with(const char *text, const char *start) {
    for (;;) {
        while (is_separator(*start)) {
            start++;
        }
        while (is_separator(*text)) {
            text++;
        }
        if (!*start || lower_case(*text) != lower_case(*start)) {
            return !*start;
        }
        text++, start++;
    }
}

static int holds(const char *text, const char *part) {
    for (; *text; text++) {
        if (begins_with(text, part)) {
            return 1;
        }
    }
    return 0;
}

/* How far a name is from what was wanted; -1: too far to be meant. */
static int score_of(const char *wanted, const char *name) {
    size_t length = strlen(wanted), other = strlen(name);
    int score = -1;
    if (length == 0 || other == 0 || begins_with("", wanted) || begins_with("", name)) {
        return -1; /* nothing but separators */
    }
    /* One edit in three letters is a slip; more is another word. */
    int most = length <= 2 ? 1 : 1 + (int)length / 3;
    int is_alike = length <= other + (size_t)most && other <= length + (size_t)most;
    int edits = is_alike ? lbf_edit_distance(wanted, name) : -1;
    if (edits >= 0 && edits <= most && edits < (int)other) {
        score = SLIP * edits;
    }
    int kinship = (length >= 2 && begins_with(name, wanted)) || (other >= 3 && begins_with(wanted, name)) ? BEGINNING
                  : length >= 3 && holds(name, wanted)                                                    ? PART
                                                                                                          : -1;
    return score < 0 || (kinship >= 0 && kinship < score) ? kinship : score;
}

void lbf_suggest_begin(lbf_suggestions *s, const char *wanted) {
    s->wanted = wanted;
    s->count = 0;
}

void lbf_suggest_offer(lbf_suggestions *s, const char *name, const char *shown) {
    int score = score_of(s->wanted, name), at = s->count;
    size_t size = strlen(shown) + 1;
    if (score < 0 || size > LBF_SUGGESTION_SIZE) {
        return;
    }
    for (int k = 0; k < s->count; k++) {
        if (strcmp(s->names[k], shown) == 0) {
            return;
        }
    }
    while (at > 0 && s->scores[at - 1] > score) {
        at--;
    }
    if (at == LBF_SUGGESTIONS_MOST) {
        return;
    }
    int moved = s->count < LBF_SUGGESTIONS_MOST ? s->count - at : s->count - 1 - at;
    memmove(s->names[at + 1], s->names[at], (size_t)moved * LBF_SUGGESTION_SIZE);
    memmove(&s->scores[at + 1], &s->scores[at], (size_t)moved * sizeof s->scores[0]);
    memcpy(s->names[at], shown, size);
    s->scores[at] = score;
    s->count += s->count < LBF_SUGGESTIONS_MOST;
}

static void append(char *text, const char *piece) {
    size_t used = strlen(text), size = strlen(piece);
    if (used + size < LBF_SUGGESTION_TEXT) {
        memcpy(text + used, piece, size + 1);
    }
}

const char *lbf_suggest_text(const lbf_suggestions *s, char text[LBF_SUGGESTION_TEXT]) {
    int count = s->count;
    while (count > 1 && s->scores[count - 1] >= s->scores[0] + SPREAD) {
        count--;
    }
    text[0] = 0;
    for (int k = 0; k < count; k++) {
        append(text, k == 0 ? "did you mean `" : k == count - 1 ? " or `" : ", `");
        append(text, s->names[k]);
        append(text, "`");
    }
    append(text, count ? "?" : "");
    return text;
}
