#include "math/arena.h"

void lbm_arena_count(lbm_arena *arena, size_t count, size_t size) {
    const size_t most = SIZE_MAX / 4;
    if (arena->used > most || count > most / size) {
        arena->used = SIZE_MAX;
    } else {
        arena->used += (count * size + arena->unit - 1) & ~(arena->unit - 1);
    }
}

double *lbm_cut_aligned(lbm_arena *arena, size_t count) {
    const size_t spare = LBM_ARENA_LINE / sizeof(double);
    void *at = lbm_cut(arena, count > SIZE_MAX - spare ? SIZE_MAX : count + spare, sizeof(double));
    return at ? (double *)lbm_align(at) : NULL;
}
