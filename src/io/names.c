/* Names of a file's parts, and arrays that grow: see names.h. A hash table with open addressing (FNV-1a, linear
 * probing). */
#include "io/names.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *lbio_resize(const lb_allocator *allocator, void *block, size_t old_size, size_t new_size) {
    if (allocator) {
        return allocator->resize(allocator->context, block, old_size, new_size);
    }
    if (new_size == 0) {
        free(block);
        return NULL;
    }
    return realloc(block, new_size);
}

void *lbio_grow(const lb_allocator *allocator, void *items, int *capacity, int count, size_t item_size) {
    if (count < *capacity) {
        return items;
    }
    if (*capacity > INT_MAX / 4) {
        return NULL;
    }
    int larger = *capacity ? *capacity * 2 : 16;
    void *grown = lbio_resize(allocator, items, (size_t)*capacity * item_size, (size_t)larger * item_size);
    if (grown) {
        *capacity = larger;
    }
    return grown;
}

void lbio_release(const lb_allocator *allocator, void *items, int capacity, size_t item_size) {
    if (items) {
        lbio_resize(allocator, items, (size_t)capacity * item_size, 0);
    }
}

/* Where a name is, or where it would go. */
static int place_of(const lbio_names *names, const char *text) {
    uint32_t hash = 2166136261u;
    for (const char *at = text; *at; at++) {
        hash = (hash ^ (unsigned char)*at) * 16777619u;
    }
    int place = (int)(hash & (uint32_t)(names->capacity - 1));
    while (names->places[place].text && strcmp(names->places[place].text, text) != 0) {
        place = (place + 1) & (names->capacity - 1);
    }
    return place;
}

int lbio_names_find(const lbio_names *names, const char *text) {
    if (names->count == 0) {
        return -1;
    }
    const lbio_name *name = &names->places[place_of(names, text)];
    return name->text ? name->value : -1;
}

static int reserve(lbio_names *names) {
    if (names->count * 2 < names->capacity) {
        return 1;
    }
    if (names->capacity > INT_MAX / 4) {
        return 0;
    }
    lbio_names larger = {names->allocator, NULL, names->capacity ? names->capacity * 2 : 64, names->count};
    larger.places = lbio_resize(names->allocator, NULL, 0, (size_t)larger.capacity * sizeof *larger.places);
    if (!larger.places) {
        return 0;
    }
    memset(larger.places, 0, (size_t)larger.capacity * sizeof *larger.places);
    for (int i = 0; i < names->capacity; i++) {
        if (names->places[i].text) {
            larger.places[place_of(&larger, names->places[i].text)] = names->places[i];
        }
    }
    lbio_release(names->allocator, names->places, names->capacity, sizeof *names->places);
    *names = larger;
    return 1;
}

const char *lbio_names_add(lbio_names *names, const char *text, int value) {
    if (!reserve(names)) {
        return NULL;
    }
    size_t size = strlen(text) + 1;
    char *copy = lbio_resize(names->allocator, NULL, 0, size);
    if (!copy) {
        return NULL;
    }
    memcpy(copy, text, size);
    names->places[place_of(names, text)] = (lbio_name){copy, value, 2};
    names->count++;
    return copy;
}

const char *lbio_names_unique(lbio_names *names, const char *text, int value) {
    if (lbio_names_find(names, text) < 0) {
        return lbio_names_add(names, text, value);
    }
    size_t size = strlen(text) + 16;
    char *numbered = lbio_resize(names->allocator, NULL, 0, size);
    if (!numbered) {
        return NULL;
    }
    /* The number last tried is kept with the name, so that a thousand equal names cost a thousand tries. */
    int number = names->places[place_of(names, text)].next_number;
    do {
        snprintf(numbered, size, "%s_%d", text, number++);
    } while (lbio_names_find(names, numbered) >= 0);
    names->places[place_of(names, text)].next_number = number;
    const char *added = lbio_names_add(names, numbered, value);
    lbio_resize(names->allocator, numbered, size, 0);
    return added;
}

void lbio_names_free(lbio_names *names) {
    for (int i = 0; i < names->capacity; i++) {
        char *text = names->places[i].text;
        if (text) {
            lbio_resize(names->allocator, text, strlen(text) + 1, 0);
        }
    }
    lbio_release(names->allocator, names->places, names->capacity, sizeof *names->places);
    names->places = NULL;
    names->capacity = names->count = 0;
}
