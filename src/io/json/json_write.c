/* Writing JSON. Numbers are the shortest decimals that read back as the same double. */
#include "io/json/json_write.h"
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Bytes of the UTF-8 character at s; 0 where what stands there is none. */
static int character_length(const unsigned char *s) {
    int length = *s < 0x80                 ? 1
                 : *s >= 0xc2 && *s < 0xe0 ? 2
                 : (*s & 0xf0) == 0xe0     ? 3
                 : *s >= 0xf0 && *s < 0xf5 ? 4
                                           : 0;
    for (int i = 1; i < length; i++) {
        length = (s[i] & 0xc0) == 0x80 ? length : 0;
    }
    if (length > 2 && ((*s == 0xe0 && s[1] < 0xa0) || (*s == 0xed && s[1] > 0x9f) || (*s == 0xf0 && s[1] < 0x90) ||
                       (*s == 0xf4 && s[1] > 0x8f))) {
        return 0;
    }
    return length;
}

/* Whole UTF-8 characters pass; a byte that belongs to none becomes the replacement character. */
static void add_string(lbio_text *text, const char *value) {
    char piece[16];
    lbio_text_add(text, "\"");
    for (const unsigned char *s = (const unsigned char *)value; *s; s++) {
        int length = character_length(s);
        if (length == 0) {
            lbio_text_add(text, "\\ufffd");
        } else if (*s == '"' || *s == '\\') {
            snprintf(piece, sizeof piece, "\\%c", *s);
            lbio_text_add(text, piece);
        } else if (*s < 0x20 || *s == 0x7f) {
            snprintf(piece, sizeof piece, "\\u%04x", *s);
            lbio_text_add(text, piece);
        } else {
            lbio_text_bytes(text, (const char *)s, (size_t)length);
        }
        s += length > 1 ? length - 1 : 0;
    }
    lbio_text_add(text, "\"");
}

static void begin(lbio_json *json, const char *key) {
    if (json->depth > 0) {
        lbio_text_add(&json->text, json->is_first ? "" : ",");
        if (json->is_inline) {
            lbio_text_add(&json->text, json->is_first ? "" : " ");
        } else {
            lbio_text_format(&json->text, "\n%*s", 2 * json->depth, "");
        }
    }
    json->is_first = 0;
    if (key) {
        add_string(&json->text, key);
        lbio_text_add(&json->text, ": ");
    }
}

void lbio_json_open(lbio_json *json, const char *key, char bracket) {
    char text[2] = {bracket, 0};
    begin(json, key);
    lbio_text_add(&json->text, text);
    json->depth++;
    json->is_first = 1;
}

void lbio_json_close(lbio_json *json, char bracket) {
    char text[2] = {bracket, 0};
    json->depth--;
    if (!json->is_first && !json->is_inline) {
        lbio_text_format(&json->text, "\n%*s", 2 * json->depth, "");
    }
    lbio_text_add(&json->text, text);
    json->is_first = 0;
}

void lbio_json_string(lbio_json *json, const char *key, const char *value) {
    begin(json, key);
    if (value) {
        add_string(&json->text, value);
    } else {
        lbio_text_add(&json->text, "null");
    }
}

void lbio_json_number(lbio_json *json, const char *key, double value) {
    begin(json, key);
    if (isfinite(value)) {
        lbio_text_number(&json->text, value);
    } else {
        lbio_text_add(&json->text, "null");
    }
}

void lbio_json_count(lbio_json *json, const char *key, int value) {
    begin(json, key);
    lbio_text_format(&json->text, "%d", value);
}

void lbio_json_truth(lbio_json *json, const char *key, int value) {
    begin(json, key);
    lbio_text_add(&json->text, value ? "true" : "false");
}

void lbio_json_numbers(lbio_json *json, const char *key, const double *values, int count) {
    lbio_json_open(json, key, '[');
    json->is_inline++;
    for (int k = 0; k < count; k++) {
        lbio_json_number(json, NULL, values[k]);
    }
    lbio_json_close(json, ']');
    json->is_inline--;
}
