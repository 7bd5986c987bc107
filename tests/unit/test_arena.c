/* Memory that is counted first and then cut: pieces do not overlap, fill what was counted, and begin where they
 * should. */
#include "math/arena.h"

#include <string.h>

#include "check.h"

typedef struct pieces {
    char *bytes;    /* [3] */
    double *vector; /* [5] */
    double *rows;   /* [16], on a cache line */
    int *none;      /* [0] */
    short *last;    /* [7] */
} pieces;

static void cut_pieces(pieces *p, lbm_arena *arena) {
    p->bytes = lbm_cut(arena, 3, 1);
    p->vector = lbm_cut_doubles(arena, 5);
    p->rows = lbm_cut_aligned(arena, 16);
    p->none = lbm_cut(arena, 0, sizeof(int));
    p->last = lbm_cut(arena, 7, sizeof(short));
}

static size_t offset(const void *piece, const void *block) {
    return (size_t)((const unsigned char *)piece - (const unsigned char *)block);
}

static void counting_cuts_nothing(void) {
    pieces p;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_pieces(&p, &arena);
    CHECK(!p.bytes && !p.vector && !p.rows && !p.none && !p.last);
    CHECK(arena.used == 64 + 64 + 192 + 0 + 64);
    arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_pieces(&p, &arena);
    CHECK(arena.used == 8 + 40 + 192 + 0 + 16);
    CHECK(lbm_arena_doubles(&arena) == 32);
}

static void pieces_fill_what_was_counted(size_t unit) {
    static double memory[64];
    for (size_t shift = 0; shift < 8; shift++) { /* the block begins anywhere on a cache line */
        pieces p;
        unsigned char *block = (unsigned char *)(memory + shift);
        lbm_arena count = lbm_arena_on(NULL, unit), arena = lbm_arena_on(block, unit);
        cut_pieces(&p, &count);
        cut_pieces(&p, &arena);
        CHECK(arena.used == count.used);
        CHECK(offset(p.bytes, block) == 0);
        CHECK(offset(p.vector, block) >= 3 && offset(p.vector, block) % unit == 0);
        CHECK((unsigned char *)p.rows >= (unsigned char *)(p.vector + 5));
        CHECK((uintptr_t)p.rows % 64 == 0);
        CHECK((unsigned char *)p.none >= (unsigned char *)(p.rows + 16));
        CHECK((void *)p.none == (void *)p.last);
        CHECK(offset(p.last + 7, block) <= arena.used);
    }
}

/* A size that no memory has stays recognisable, also after further pieces. */
static void too_much_is_the_largest_size(void) {
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    lbm_cut(&arena, SIZE_MAX / 8, 8);
    CHECK(arena.used == SIZE_MAX);
    lbm_cut(&arena, 1, 1);
    CHECK(arena.used == SIZE_MAX);
    arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    lbm_cut(&arena, SIZE_MAX, SIZE_MAX);
    CHECK(arena.used == SIZE_MAX);
    arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    lbm_cut_aligned(&arena, SIZE_MAX);
    CHECK(arena.used == SIZE_MAX);
}

int main(void) {
    counting_cuts_nothing();
    pieces_fill_what_was_counted(LBM_ARENA_LINE);
    pieces_fill_what_was_counted(LBM_ARENA_DOUBLE);
    too_much_is_the_largest_size();
    return check_done();
}
