/* Writing JSON: a few calls that put commas and line breaks where they belong. */
#ifndef LIMBER_IO_JSON_WRITE_H
#define LIMBER_IO_JSON_WRITE_H

#include "io/text.h"

typedef struct lbio_json {
    lbio_text text;
    int depth;
    int is_first;  /* nothing yet inside the innermost brackets */
    int is_inline; /* > 0: no line breaks */
} lbio_json;

/* key NULL: an element of an array. */
void lbio_json_open(lbio_json *json, const char *key, char bracket);        /* '{' or '[' */
void lbio_json_close(lbio_json *json, char bracket);                        /* '}' or ']' */
void lbio_json_string(lbio_json *json, const char *key, const char *value); /* NULL: null */
void lbio_json_number(lbio_json *json, const char *key, double value);      /* not finite: null */
void lbio_json_count(lbio_json *json, const char *key, int value);
void lbio_json_truth(lbio_json *json, const char *key, int value);
void lbio_json_numbers(lbio_json *json, const char *key, const double *values, int count);

#endif
