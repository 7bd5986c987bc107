#include "failing.h"

#include <stdlib.h>
#include <string.h>

/* In front of each block; 32 bytes, so that what follows is aligned for anything. */
typedef struct header {
    size_t size;
    size_t mark;
    size_t unused[2];
} header;

static const size_t live = 0x5AFEB10C, dead = 0xDEADB10C;

static void *failing_resize(void *context, void *block, size_t old_size, size_t new_size) {
    failing *f = context;
    header *old = block ? (header *)block - 1 : NULL;
    if (old ? old->mark != live || old->size != old_size : old_size != 0) {
        f->mistakes++;
    }
    if (new_size == 0) {
        if (old) {
            old->mark = dead;
            memset(block, 0xDD, old->size);
            free(old);
            f->blocks--;
        }
        return NULL;
    }
    long number = f->count++;
    if (f->fail_at >= 0 && (f->fail_after ? number >= f->fail_at : number == f->fail_at)) {
        f->failed++;
        return NULL;
    }
    /* Always a new place, so that a pointer kept to the old one is noticed. */
    header *fresh = malloc(sizeof *fresh + new_size);
    if (!fresh) {
        return NULL;
    }
    fresh->size = new_size;
    fresh->mark = live;
    memset(fresh + 1, 0xCC, new_size);
    f->blocks++;
    if (old) {
        memcpy(fresh + 1, block, old->size < new_size ? old->size : new_size);
        old->mark = dead;
        free(old);
        f->blocks--;
    }
    return fresh + 1;
}

void failing_init(failing *f, long fail_at, int fail_after) {
    memset(f, 0, sizeof *f);
    f->allocator.resize = failing_resize;
    f->allocator.context = f;
    f->fail_at = fail_at;
    f->fail_after = fail_after;
}
