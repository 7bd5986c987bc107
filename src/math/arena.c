#include "math/arena.h"

/* Whether count * size, rounded up to a multiple of unit and added to used, is more than a size_t can count. */
static int is_too_much(size_t used, size_t count, size_t size, size_t unit) {
    const size_t most = SIZE_MAX - 2 * unit;
    if (used > most) {
        return 1;
    }
    const size_t small =
        (size_t)1 << (4 * sizeof(size_t)); /* two numbers below this have a product that can be counted */
    if (count < small && size < small) {
        return count * size > most - used;
    }
    return count > (most - used) / size;
}

void *lbm_cut(lbm_arena *arena, size_t count, size_t size) {
    const size_t at = arena->used, unit = arena->unit;
    if (is_too_much(at, count, size, unit)) {
        arena->used = SIZE_MAX;
        return NULL;
    }
    arena->used = at + ((count * size + unit - 1) & ~(unit - 1));
    return arena->block ? arena->block + at : NULL;
}

double *lbm_cut_aligned(lbm_arena *arena, size_t count) {
    const size_t spare = LBM_ARENA_LINE / sizeof(double);
    unsigned char *at = lbm_cut(arena, count > SIZE_MAX - spare ? SIZE_MAX : count + spare, sizeof(double));
    return at ? (double *)(void *)(at + (-(uintptr_t)at & (LBM_ARENA_LINE - 1))) : NULL;
}
