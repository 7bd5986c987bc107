/* Changes to a JSON text that leave the rest of it as it is, to the byte: values are found by walking the text, which
 * is known to be well-formed, and replaced or added where they stand. */
#include "io/gltf/gltf.h"

#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Finding
 * ------------------------------------------------------------------------------------------------- */

static int is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static size_t skip_blanks(const char *text, size_t size, size_t at) {
    while (at < size && is_blank(text[at])) {
        at++;
    }
    return at;
}

/* Past a string that begins at `at`. */
static size_t skip_string(const char *text, size_t size, size_t at) {
    for (at++; at < size && text[at] != '"'; at++) {
        at += text[at] == '\\';
    }
    return at < size ? at + 1 : size;
}

static size_t skip_value(const char *text, size_t size, size_t at) {
    int depth = 0;
    do {
        char c = at < size ? text[at] : ']';
        if (c == '"') {
            at = skip_string(text, size, at);
        } else if (c == '{' || c == '[') {
            depth++;
            at++;
        } else if (c == '}' || c == ']') {
            depth--;
            at++;
        } else if (depth > 0) {
            at++;
        } else { /* a number or a word */
            while (at < size && !is_blank(text[at]) && text[at] != ',' && text[at] != ']' && text[at] != '}') {
                at++;
            }
        }
    } while (depth > 0 && at < size);
    return at;
}

/* Whether the string at `at` says this; an escape in it is undone first. */
static int is_key(const char *text, size_t size, size_t at, const char *key) {
    size_t end = skip_string(text, size, at), length = strlen(key);
    if (!memchr(text + at, '\\', end - at)) {
        return end - at == length + 2 && memcmp(text + at + 1, key, length) == 0;
    }
    json_t *string = json_loadb(text + at, end - at, JSON_DECODE_ANY, NULL);
    int is_same = json_is_string(string) && strcmp(json_string_value(string), key) == 0;
    json_decref(string);
    return is_same;
}

lbio_span lbio_json_root_span(const char *text, size_t size) {
    size_t begin = skip_blanks(text, size, 0);
    return (lbio_span){begin, skip_value(text, size, begin)};
}

int lbio_json_member_span(const char *text, size_t size, lbio_span object, const char *key, lbio_span *value,
                          lbio_span *whole) {
    size_t at = skip_blanks(text, size, object.begin + 1);
    while (at < object.end && text[at] == '"') {
        size_t start = at, colon = skip_blanks(text, size, skip_string(text, size, at));
        size_t begin = skip_blanks(text, size, colon + 1), end = skip_value(text, size, begin);
        if (is_key(text, size, start, key)) {
            *value = (lbio_span){begin, end};
            if (whole) {
                *whole = (lbio_span){start, end};
            }
            return 1;
        }
        at = skip_blanks(text, size, end);
        at = skip_blanks(text, size, at + (at < size && text[at] == ','));
    }
    return 0;
}

int lbio_json_item_span(const char *text, size_t size, lbio_span list, int index, lbio_span *value) {
    size_t at = skip_blanks(text, size, list.begin + 1);
    for (int i = 0; at < list.end && text[at] != ']'; i++) {
        size_t end = skip_value(text, size, at);
        if (i == index) {
            *value = (lbio_span){at, end};
            return 1;
        }
        at = skip_blanks(text, size, end);
        at = skip_blanks(text, size, at + (at < size && text[at] == ','));
    }
    return 0;
}

/* ---------------------------------------------------------------------------------------------------
 * Changing
 * ------------------------------------------------------------------------------------------------- */

static void add_edit(lbio_edits *edits, size_t at, size_t removed, const lbio_text *text) {
    lbio_edit *items = lbio_grow(NULL, edits->items, &edits->capacity, edits->count, sizeof *items);
    char *copy = text->failed ? NULL : malloc(text->size + 1);
    edits->items = items ? items : edits->items;
    if (!items || !copy) {
        free(copy);
        edits->failed = 1;
        return;
    }
    memcpy(copy, text->data ? text->data : "", text->size);
    items[edits->count] = (lbio_edit){at, removed, copy, text->size, edits->count};
    edits->count++;
}

void lbio_edits_replace(lbio_edits *edits, lbio_span span, const char *text) {
    lbio_text copy = {0};
    lbio_text_add(&copy, text);
    add_edit(edits, span.begin, span.end - span.begin, &copy);
    lbio_text_free(&copy);
}

/* Adds to the beginning of an object or the end of a list, with the comma that this needs. */
static void insert(lbio_edits *edits, size_t at, int is_empty, int comma_first, const char *text) {
    lbio_text added = {0};
    int had_one = 0;
    for (int i = 0; i < edits->count && is_empty; i++) {
        had_one |= edits->items[i].at == at && edits->items[i].removed == 0;
    }
    lbio_text_add(&added, (is_empty ? had_one : comma_first) ? "," : "");
    lbio_text_add(&added, text);
    lbio_text_add(&added, !is_empty && !comma_first ? "," : "");
    add_edit(edits, at, 0, &added);
    lbio_text_free(&added);
}

static void add_member(lbio_edits *edits, lbio_span object, const char *key, const char *before, const char *value,
                       const char *after) {
    lbio_text text = {0};
    lbio_text_format(&text, "\"%s\":%s%s%s", key, before, value, after);
    size_t inside = skip_blanks(edits->text, edits->size, object.begin + 1);
    int is_empty = inside < edits->size && edits->text[inside] == '}';
    edits->failed |= text.failed;
    if (!text.failed) {
        insert(edits, object.begin + 1, is_empty, 0, text.data);
    }
    lbio_text_free(&text);
}

void lbio_edits_set(lbio_edits *edits, lbio_span object, const char *key, const char *value) {
    lbio_span span;
    if (lbio_json_member_span(edits->text, edits->size, object, key, &span, NULL)) {
        lbio_edits_replace(edits, span, value);
    } else {
        add_member(edits, object, key, "", value, "");
    }
}

void lbio_edits_append(lbio_edits *edits, lbio_span object, const char *key, const char *items) {
    lbio_span list;
    if (!lbio_json_member_span(edits->text, edits->size, object, key, &list, NULL)) {
        add_member(edits, object, key, "[", items, "]");
        return;
    }
    size_t inside = skip_blanks(edits->text, edits->size, list.begin + 1);
    size_t last = list.end - 1; /* behind the last item, so that what closes the list keeps its place */
    while (last > list.begin + 1 && is_blank(edits->text[last - 1])) {
        last--;
    }
    insert(edits, last, inside == list.end - 1, 1, items);
}

static int by_place(const void *a, const void *b) {
    const lbio_edit *x = a, *y = b;
    if (x->at != y->at) {
        return x->at < y->at ? -1 : 1;
    }
    return x->number - y->number;
}

void lbio_edits_apply(lbio_edits *edits, lbio_text *out) {
    size_t at = 0;
    if (edits->count > 0) {
        qsort(edits->items, (size_t)edits->count, sizeof *edits->items, by_place);
    }
    for (int i = 0; i < edits->count; i++) {
        const lbio_edit *edit = &edits->items[i];
        lbio_text_bytes(out, edits->text + at, edit->at - at);
        lbio_text_bytes(out, edit->text, edit->size);
        at = edit->at + edit->removed;
    }
    lbio_text_bytes(out, edits->text + at, edits->size - at);
    out->failed |= edits->failed;
}

void lbio_edits_free(lbio_edits *edits) {
    for (int i = 0; i < edits->count; i++) {
        free(edits->items[i].text);
    }
    lbio_release(NULL, edits->items, edits->capacity, sizeof *edits->items);
    memset(edits, 0, sizeof *edits);
}
