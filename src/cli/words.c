/* Words and lists on the command line. A name that has blanks or commas stands in quotes: "Left Arm", 'a,b'; a
 * backslash takes the next letter as it is in there. A quote opens where a word or an item begins, so that names may
 * have one inside.
 */
#include "cli/cli.h"
#include <string.h>

static int is_blank(char letter) { return letter == ' ' || letter == '\t' || letter == '\n' || letter == '\r'; }

/* Behind the quote that closes the one at *text; NULL where nothing does. */
static char *after_quote(char *text) {
    char quote = *text++;
    for (; *text && *text != quote; text++) {
        text += *text == '\\' && text[1];
    }
    return *text ? text + 1 : NULL;
}

/* The end of what begins at text: a blank (where blanks end it), a comma (where commas do), or the end. */
static char *end_of(char *text, int at_blanks, int at_commas) {
    int is_start = 1;
    while (*text && !(at_blanks && is_blank(*text)) && !(at_commas && *text == ',')) {
        if (is_start && (*text == '"' || *text == '\'')) {
            text = after_quote(text);
            if (!text) {
                return NULL;
            }
            is_start = 0;
            continue;
        }
        is_start = *text == ',' || is_blank(*text);
        text++;
    }
    return text;
}

int cli_split_words(char *text, char **words, int most) {
    int count = 0;
    for (;;) {
        while (is_blank(*text)) {
            text++;
        }
        if (!*text) {
            return count;
        }
        if (count == most) {
            return -1;
        }
        words[count++] = text;
        text = end_of(text, 1, 0);
        if (!text) {
            return -2;
        }
        if (*text) {
            *text++ = 0;
        }
    }
}

char *cli_next_item(char **at) {
    char *item = *at;
    if (!item) {
        return NULL;
    }
    while (is_blank(*item)) {
        item++;
    }
    char *end = end_of(item, 0, 1);
    end = end ? end : item + strlen(item); /* a quote that is not closed is part of the name */
    *at = *end ? end + 1 : NULL;
    *end = 0;
    while (end > item && is_blank(end[-1])) {
        *--end = 0;
    }
    return item;
}

int cli_is_quoted(const char *word) {
    size_t length = strlen(word);
    return length >= 2 && (*word == '"' || *word == '\'') && word[length - 1] == *word;
}

char *cli_unquote(char *word) {
    if (!cli_is_quoted(word)) {
        return word;
    }
    char quote = *word, *out = word;
    for (char *from = word + 1; *from && !(*from == quote && !from[1]); from++) {
        from += *from == '\\' && from[1];
        *out++ = *from;
    }
    *out = 0;
    return word;
}
