/* A run in which an allocation fails: for good, or once, and then the call that wanted it is made again. */
#ifndef LIMBER_TESTS_RETRY_H
#define LIMBER_TESTS_RETRY_H

#include <stdint.h>

#include "check.h"
#include "failing.h"

typedef struct run {
    failing memory;
    int may_retry, stopped;
    uint64_t hash;
} run;

/* Whether a call that ran out of memory is to be made again; notes that it failed for good otherwise. */
static inline int again(run *r, int out_of_memory) {
    if (!out_of_memory) {
        return 0;
    }
    CHECK(r->memory.failed > 0);
    if (r->may_retry && r->memory.failed == 1) {
        r->may_retry = 0;
        return 1;
    }
    r->stopped = 1;
    return 0;
}

#define TRY(r, call)                                \
    do {                                            \
        int try_status;                             \
        do                                          \
            try_status = (call);                    \
        while (again(r, try_status < 0));           \
        if ((r)->stopped) {                         \
            CHECK_INT(try_status, LB_ERROR_MEMORY); \
            return;                                 \
        }                                           \
    } while (0)

#define TRY_NEW(r, pointer, call)     \
    do {                              \
        do                            \
            (pointer) = (call);       \
        while (again(r, !(pointer))); \
        if ((r)->stopped)             \
            return;                   \
    } while (0)

static inline void hash_doubles(run *r, const double *values, int count) {
    const unsigned char *bytes = (const unsigned char *)values;
    for (size_t i = 0; i < (size_t)count * sizeof *values; i++) {
        r->hash = (r->hash ^ bytes[i]) * 0x100000001b3ull;
    }
}

#endif
