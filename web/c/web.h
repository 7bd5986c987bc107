/* What the page gives the module: the only imports it has. web/host.js implements them. */
#ifndef LIMBER_WEB_H
#define LIMBER_WEB_H

#include <limber/io.h>

#define LBW_IMPORT(name) __attribute__((import_module("limber"), import_name(#name)))

struct json_t;
struct json_error_t;
struct lbio_xml;

/* A tree by JSON.parse in one block from malloc (jansson.h); NULL and *error where the text is wrong. */
struct json_t *lbw_json_parse(const char *text, size_t size, size_t flags, struct json_error_t *error)
    LBW_IMPORT(json_parse);
/* The root of a tree by DOMParser, or of the one that came with the file of that name, in memory of the document; NULL
 * and *error (without file) where the text is wrong. */
struct lbio_xml *lbw_xml_parse(const char *name, const char *text, size_t size, int skipped_lines, void *document,
                               lb_error *error) LBW_IMPORT(xml_parse);

/* The table of files. */
int lbw_file_size(const char *path) LBW_IMPORT(file_size); /* -1: there is none */
void lbw_file_read(const char *path, void *data) LBW_IMPORT(file_read);
int lbw_file_write(const char *path, const void *data, size_t size) LBW_IMPORT(file_write); /* 0, or -1 */
/* The path in its normal form, from "/"; to at most size bytes with the closing 0. Returns its length. */
int lbw_file_real_path(const char *path, char *real, size_t size) LBW_IMPORT(file_real_path);

/* A decimal as the page's Number reads it; a number as printf's %g ('g') and %f ('f') have it, of which it returns the
 * length (below size). */
double lbw_number_read(const char *text) LBW_IMPORT(number_read);
int lbw_number_write(double value, int style, int precision, char *text, size_t size) LBW_IMPORT(number_write);

/* Callbacks: context is the number of a function of the page. */
void lbw_call_warn(void *context, const lb_error *warning) LBW_IMPORT(call_warn);
double lbw_call_now(void *context) LBW_IMPORT(call_now);
int lbw_call_iteration(void *context, const lb_progress *progress) LBW_IMPORT(call_iteration);
int lbw_call_progress(void *context, int done, int count) LBW_IMPORT(call_progress);
int lbw_call_frame(void *context, int frame) LBW_IMPORT(call_frame);
void lbw_call_clipped(void *context, double time, const char *message) LBW_IMPORT(call_clipped);
double lbw_call_potential(void *context, const double e[9], double gradient[9]) LBW_IMPORT(call_potential);

#endif
