/* Writing JSON: a few calls that put commas and line breaks where they belong. */
#ifndef LIMBER_CLI_JSON_H
#define LIMBER_CLI_JSON_H

#include "io/text.h"

typedef struct cli_json {
    lbio_text text;
    int depth;
    int is_first;  /* nothing yet inside the innermost brackets */
    int is_inline; /* > 0: no line breaks */
} cli_json;

/* key NULL: an element of an array. */
void cli_json_open(cli_json *json, const char *key, char bracket);        /* '{' or '[' */
void cli_json_close(cli_json *json, char bracket);                        /* '}' or ']' */
void cli_json_string(cli_json *json, const char *key, const char *value); /* NULL: null */
void cli_json_number(cli_json *json, const char *key, double value);      /* not finite: null */
void cli_json_count(cli_json *json, const char *key, int value);
void cli_json_truth(cli_json *json, const char *key, int value);
void cli_json_numbers(cli_json *json, const char *key, const double *values, int count);

#endif
