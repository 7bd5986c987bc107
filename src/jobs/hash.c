/* The hash of records and identities: 64 bits, eight bytes at a time, the same for any byte order. Multiplication by an
 * odd constant and a shift mix a word into the state; two states that differ stay different under every step. It guards
 * against accidents, not against people. */
#include "jobs/jobs.h"

#include <string.h>

#define MULTIPLIER 0x9fb21c651e98df25u
#define BEGIN 0x6c62272e07bb0142u

static uint64_t mix(uint64_t state, uint64_t word) {
    state = (state ^ word) * MULTIPLIER;
    return state ^ (state >> 29);
}

static uint64_t get_word(const unsigned char *b) {
    return (uint64_t)b[0] | (uint64_t)b[1] << 8 | (uint64_t)b[2] << 16 | (uint64_t)b[3] << 24 | (uint64_t)b[4] << 32 |
           (uint64_t)b[5] << 40 | (uint64_t)b[6] << 48 | (uint64_t)b[7] << 56;
}

uint64_t lbj_hash(uint64_t seed, const void *data, size_t size) {
    const unsigned char *bytes = data;
    uint64_t state = mix(BEGIN ^ seed, (uint64_t)size);
    for (; size >= 8; size -= 8, bytes += 8) {
        state = mix(state, get_word(bytes));
    }
    if (size > 0) {
        unsigned char rest[8] = {0};
        memcpy(rest, bytes, size);
        state = mix(state, get_word(rest));
    }
    return mix(state, state >> 32);
}

uint64_t lbj_hash_text(uint64_t seed, const char *text) {
    return text ? lbj_hash(seed, text, strlen(text) + 1) : lbj_hash(seed, "", 0);
}

uint64_t lbj_hash_count(uint64_t seed, int64_t value) {
    unsigned char bytes[8];
    for (int k = 0; k < 8; k++) {
        bytes[k] = (unsigned char)((uint64_t)value >> (8 * k));
    }
    return lbj_hash(seed, bytes, sizeof bytes);
}

uint64_t lbj_hash_number(uint64_t seed, double value) {
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return lbj_hash_count(seed, (int64_t)bits);
}
