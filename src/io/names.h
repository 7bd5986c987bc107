/* A table of names for readers: owns its copies, finds them quickly, makes new ones that are not taken yet. */
#ifndef LIMBER_IO_NAMES_H
#define LIMBER_IO_NAMES_H

#include <limber/limber.h>

typedef struct lbio_name {
    char *text; /* NULL: an empty place */
    int value;
    int next_number; /* the number that lbio_names_unique tries next for this name */
} lbio_name;

typedef struct lbio_names {
    const lb_allocator *allocator; /* NULL: the C library's */
    lbio_name *places;
    int capacity, count; /* capacity: a power of two, or 0 */
} lbio_names;

/* The value of a name, or -1. */
int lbio_names_find(const lbio_names *names, const char *text);
/* Adds a name that is not there yet and returns the table's copy; NULL if there is no memory. */
const char *lbio_names_add(lbio_names *names, const char *text, int value);
/* The same with text, or, where that is taken, text_2, text_3, ... */
const char *lbio_names_unique(lbio_names *names, const char *text, int value);
void lbio_names_free(lbio_names *names);

/* The allocator's resize, or the C library's for NULL. */
void *lbio_resize(const lb_allocator *allocator, void *block, size_t old_size, size_t new_size);
/* Makes room for one more item of item_size bytes in an array that has `count`: returns the array, moved perhaps,
 * or NULL if there is no memory (then the old one stays). */
void *lbio_grow(const lb_allocator *allocator, void *items, int *capacity, int count, size_t item_size);
void lbio_release(const lb_allocator *allocator, void *items, int capacity, size_t item_size);

#endif
