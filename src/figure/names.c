#include "figure/names.h"

#include <string.h>

/* FNV-1a over the text, started from the scope. */
static uint64_t hash(int scope, const char *text) {
    uint64_t h = 14695981039346656037ull ^ (uint64_t)(uint32_t)scope * 0x9E3779B97F4A7C15ull;
    for (; *text; text++) {
        h = (h ^ (unsigned char)*text) * 1099511628211ull;
    }
    return h ^ h >> 29;
}

static lbf_name_slot *slot_of(const lbf_names *names, int scope, const char *text) {
    unsigned mask = (unsigned)names->capacity - 1;
    for (unsigned at = (unsigned)hash(scope, text) & mask;; at = (at + 1) & mask) {
        lbf_name_slot *slot = &names->slots[at];
        if (!slot->text || (slot->scope == scope && strcmp(slot->text, text) == 0)) {
            return slot;
        }
    }
}

int lbf_names_find(const lbf_names *names, int scope, const char *text) {
    if (!names->capacity) {
        return -1;
    }
    const lbf_name_slot *slot = slot_of(names, scope, text);
    return slot->text ? slot->value : -1;
}

int lbf_names_reserve(lbf_names *names, const lb_allocator *allocator, int count) {
    if (count <= names->capacity / 2) {
        return 1;
    }
    int capacity = names->capacity ? names->capacity : 16;
    while (count > capacity / 2) {
        if (capacity > 1 << 28) {
            return 0;
        }
        capacity *= 2;
    }
    lbf_names grown = {lbf_new(allocator, (size_t)capacity, sizeof(lbf_name_slot)), capacity, names->count};
    if (!grown.slots) {
        return 0;
    }
    for (int i = 0; i < names->capacity; i++) {
        if (names->slots[i].text) {
            *slot_of(&grown, names->slots[i].scope, names->slots[i].text) = names->slots[i];
        }
    }
    lbf_names_free(names, allocator);
    *names = grown;
    return 1;
}

int lbf_names_set(lbf_names *names, const lb_allocator *allocator, int scope, const char *text, int value) {
    if (!lbf_names_reserve(names, allocator, names->count + 1)) {
        return 0;
    }
    lbf_name_slot *slot = slot_of(names, scope, text);
    if (!slot->text) {
        names->count++;
    }
    slot->text = text;
    slot->scope = scope;
    slot->value = value;
    return 1;
}

void lbf_names_clear(lbf_names *names) {
    if (names->slots) {
        memset(names->slots, 0, (size_t)names->capacity * sizeof *names->slots);
    }
    names->count = 0;
}

void lbf_names_free(lbf_names *names, const lb_allocator *allocator) {
    lbf_delete(allocator, names->slots, (size_t)names->capacity, sizeof *names->slots);
    names->slots = NULL;
    names->capacity = names->count = 0;
}
