/* Look-up of names: a hash table from (scope, text) to an index. The texts belong to others and must outlive it. */
#ifndef LIMBER_FIGURE_NAMES_H
#define LIMBER_FIGURE_NAMES_H

#include "figure/memory.h"

typedef struct lbf_name_slot {
    const char *text; /* NULL: empty */
    int scope, value;
} lbf_name_slot;

typedef struct lbf_names {
    lbf_name_slot *slots;
    int capacity; /* a power of two, or 0 */
    int count;
} lbf_names;

/* The value, or -1. */
int lbf_names_find(const lbf_names *names, int scope, const char *text);
/* Replaces the value of a name that is there. Returns 0 if there is no memory. */
int lbf_names_set(lbf_names *names, const lb_allocator *allocator, int scope, const char *text, int value);
/* Room for `count` names, so that setting them cannot fail. */
int lbf_names_reserve(lbf_names *names, const lb_allocator *allocator, int count);
void lbf_names_clear(lbf_names *names);
void lbf_names_free(lbf_names *names, const lb_allocator *allocator);

#endif
