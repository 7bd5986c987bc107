#include "figure/memory.h"

#include <stdlib.h>
#include <string.h>

static void *library_resize(void *context, void *block, size_t old_size, size_t new_size) {
    (void)context;
    (void)old_size;
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

lb_allocator lbf_allocator(const lb_allocator *allocator) {
    lb_allocator library = {library_resize, NULL};
    return allocator && allocator->resize ? *allocator : library;
}

static size_t block_size(size_t count, size_t size) { return count == 0 ? 1 : count * size; }

void *lbf_new(const lb_allocator *allocator, size_t count, size_t size) {
    if (size != 0 && count > (size_t)-1 / 2 / size) {
        return NULL;
    }
    void *block = allocator->resize(allocator->context, NULL, 0, block_size(count, size));
    if (block) {
        memset(block, 0, block_size(count, size));
    }
    return block;
}

void lbf_delete(const lb_allocator *allocator, void *block, size_t count, size_t size) {
    if (block) {
        allocator->resize(allocator->context, block, block_size(count, size), 0);
    }
}

int lbf_grow(const lb_allocator *allocator, void **array, int *capacity, int count, size_t size) {
    if (count <= *capacity) {
        return 1;
    }
    int wanted = *capacity < 8 ? 8 : *capacity + *capacity / 2;
    if (wanted < count) {
        wanted = count;
    }
    void *grown = allocator->resize(allocator->context, *array, (size_t)*capacity * size, (size_t)wanted * size);
    if (!grown) {
        return 0;
    }
    *array = grown;
    *capacity = wanted;
    return 1;
}

struct lbf_arena_block {
    lbf_arena_block *next;
    size_t size, used; /* of the bytes behind this header */
};

#define ARENA_BLOCK_SIZE 4000

void *lbf_arena_take(lbf_arena *arena, const lb_allocator *allocator, size_t size) {
    size = (size + 15) & ~(size_t)15;
    lbf_arena_block *block = arena->first;
    if (!block || block->size - block->used < size) {
        size_t room = size > ARENA_BLOCK_SIZE ? size : ARENA_BLOCK_SIZE;
        if (room > (size_t)-1 / 2) {
            return NULL;
        }
        block = allocator->resize(allocator->context, NULL, 0, sizeof *block + room);
        if (!block) {
            return NULL;
        }
        block->next = arena->first;
        block->size = room;
        block->used = 0;
        arena->first = block;
    }
    void *taken = (char *)(block + 1) + block->used;
    block->used += size;
    return taken;
}

void *lbf_arena_copy(lbf_arena *arena, const lb_allocator *allocator, const void *data, size_t size) {
    void *copy = lbf_arena_take(arena, allocator, size ? size : 1);
    if (copy && size) {
        memcpy(copy, data, size);
    }
    return copy;
}

char *lbf_arena_text(lbf_arena *arena, const lb_allocator *allocator, const char *a, const char *b, const char *c) {
    size_t size_a = a ? strlen(a) : 0, size_b = b ? strlen(b) : 0, size_c = c ? strlen(c) : 0;
    char *text = lbf_arena_take(arena, allocator, size_a + size_b + size_c + 1);
    if (!text) {
        return NULL;
    }
    if (a) {
        memcpy(text, a, size_a);
    }
    if (b) {
        memcpy(text + size_a, b, size_b);
    }
    if (c) {
        memcpy(text + size_a + size_b, c, size_c);
    }
    text[size_a + size_b + size_c] = 0;
    return text;
}

void lbf_arena_free(lbf_arena *arena, const lb_allocator *allocator) {
    while (arena->first) {
        lbf_arena_block *block = arena->first;
        arena->first = block->next;
        allocator->resize(allocator->context, block, sizeof *block + block->size, 0);
    }
}
