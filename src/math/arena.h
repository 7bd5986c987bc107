/* One way to lay memory out: the same function first counts how much memory its arrays need, then cuts them from one
 * block.
 *
 *     static void cut_everything(work *w, int n, lbm_arena *arena) {
 *         w->x = lbm_cut_doubles(arena, (size_t)n);
 *         w->order = lbm_cut(arena, (size_t)n, sizeof *w->order);
 *     }
 *     lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
 *     cut_everything(&w, n, &arena);                       counts: every pointer is NULL
 *     void *block = allocate(arena.used);
 *     arena = lbm_arena_on(block, LBM_ARENA_LINE);
 *     cut_everything(&w, n, &arena);                       cuts
 *
 * An arena owns nothing: whoever made the block frees it. The block must be aligned as its most demanding array is. */
#ifndef LIMBER_MATH_ARENA_H
#define LIMBER_MATH_ARENA_H

#include <stddef.h>
#include <stdint.h>

/* Units that the pieces of an arena are made of, in bytes. */
#define LBM_ARENA_LINE 64               /* a cache line: threads that share no array share no line */
#define LBM_ARENA_DOUBLE sizeof(double) /* for scratch that is measured in doubles */

typedef struct lbm_arena {
    unsigned char *block; /* NULL while the arena only counts */
    size_t used; /* bytes cut so far, a multiple of unit; SIZE_MAX once they were more than a size_t can count */
    size_t unit; /* bytes, a power of two; the length of each piece is rounded up to a multiple of it */
} lbm_arena;

/* An arena on a block; without a block (NULL) it only counts. */
static inline lbm_arena lbm_arena_on(void *block, size_t unit) { return (lbm_arena){(unsigned char *)block, 0, unit}; }

#ifdef __wasm__ /* is sent to browsers: shorter code counts more than quicker code here */
#define LBM_ARENA_INLINE __attribute__((noinline, unused)) static
#else
#define LBM_ARENA_INLINE static inline
#endif

/* Counts a piece of `count` elements of `size` bytes each, without overflow. */
void lbm_arena_count(lbm_arena *arena, size_t count, size_t size);

/* The next `count` elements of `size` bytes each (size > 0). NULL while the arena only counts. What is cut has been
 * counted before, so that it fits. */
LBM_ARENA_INLINE void *lbm_cut(lbm_arena *arena, size_t count, size_t size) {
    if (!arena->block) {
        lbm_arena_count(arena, count, size);
        return NULL;
    }
    unsigned char *at = arena->block + arena->used;
    arena->used += (count * size + arena->unit - 1) & ~(arena->unit - 1);
    return at;
}

static inline double *lbm_cut_doubles(lbm_arena *arena, size_t count) {
    return (double *)lbm_cut(arena, count, sizeof(double));
}

/* The first address in a block that is a multiple of LBM_ARENA_LINE: the block has so many bytes to spare. */
static inline void *lbm_align(void *block) {
    return (unsigned char *)block + (-(uintptr_t)block & (LBM_ARENA_LINE - 1));
}

/* The next `count` doubles, from an address that is a multiple of LBM_ARENA_LINE wherever the block begins. */
double *lbm_cut_aligned(lbm_arena *arena, size_t count);

/* How many doubles hold the bytes cut so far. */
static inline size_t lbm_arena_doubles(const lbm_arena *arena) {
    return arena->used / sizeof(double) + (arena->used % sizeof(double) != 0);
}

#endif
