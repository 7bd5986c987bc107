/* Memory: the one allocation function, growing arrays, and an arena for names and other small things. */
#ifndef LIMBER_FIGURE_MEMORY_H
#define LIMBER_FIGURE_MEMORY_H

#include <limber/limber.h>

/* allocator NULL: the C library's. */
lb_allocator lbf_allocator(const lb_allocator *allocator);
/* Zeroed; NULL if there is none, or if count * size overflows. A count of 0 gives a block all the same. */
void *lbf_new(const lb_allocator *allocator, size_t count, size_t size);
void lbf_delete(const lb_allocator *allocator, void *block, size_t count, size_t size);

/* Makes room for `count` elements of `size` bytes. Returns 0 if there is no memory; the array is then as before. */
int lbf_grow(const lb_allocator *allocator, void **array, int *capacity, int count, size_t size);

/* Blocks that are only freed together. */
typedef struct lbf_arena_block lbf_arena_block;
typedef struct lbf_arena {
    lbf_arena_block *first;
} lbf_arena;

void *lbf_arena_take(lbf_arena *arena, const lb_allocator *allocator, size_t size);
/* A copy of memory, or NULL. */
void *lbf_arena_copy(lbf_arena *arena, const lb_allocator *allocator, const void *data, size_t size);
/* A copy of the texts one behind the other (any may be NULL), or NULL. */
char *lbf_arena_text(lbf_arena *arena, const lb_allocator *allocator, const char *a, const char *b, const char *c);
void lbf_arena_free(lbf_arena *arena, const lb_allocator *allocator);

#endif
