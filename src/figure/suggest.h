/* Names like one that was not found: a slip or two away, beginning with it or holding it, in capitals or not. */
#ifndef LIMBER_FIGURE_SUGGEST_H
#define LIMBER_FIGURE_SUGGEST_H

#include <stddef.h>

#define LBF_SUGGESTIONS_MOST 4
#define LBF_SUGGESTION_SIZE 128
#define LBF_SUGGESTION_TEXT 640

typedef struct lbf_suggestions {
    const char *wanted;
    int count;
    int scores[LBF_SUGGESTIONS_MOST]; /* increasing: the nearest name is the first */
    char names[LBF_SUGGESTIONS_MOST][LBF_SUGGESTION_SIZE];
} lbf_suggestions;

/* Insertions, deletions, replacements and swaps of neighbours that turn a into b; a change of case counts nothing. -1
 * where one of them is longer than 64 bytes. */
int lbf_edit_distance(const char *a, const char *b);

/* wanted has to live as long as the suggestions. */
void lbf_suggest_begin(lbf_suggestions *suggestions, const char *wanted);
/* Compares what was wanted with `name`; where it is near, `shown` is what is suggested. */
void lbf_suggest_offer(lbf_suggestions *suggestions, const char *name, const char *shown);
/* "did you mean `a`, `b` or `c`?", the nearest first; "" where nothing is near. */
const char *lbf_suggest_text(const lbf_suggestions *suggestions, char text[LBF_SUGGESTION_TEXT]);

#endif
