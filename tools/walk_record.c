/* Linked to a program whose libraries, but not itself, were compiled with -finstrument-functions: records which function
 * of theirs calls which, and writes it at the end to the file that LIMBER_WALK names. A line is one pair of caller and
 * callee below one call of the program's, in order of first call: the addresses of the function that the program called,
 * of the caller (0: the program) and of the callee, and how often. */
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define QUIET __attribute__((no_instrument_function))

enum { MAX_DEPTH = 10000, MAX_CALLS = 1 << 16, TABLE_BITS = 17 };

typedef struct call {
    uintptr_t entry, caller, callee;
    unsigned long long count;
} call;

static call calls[MAX_CALLS];
static int call_count, is_full;
static int table[1 << TABLE_BITS]; /* by hash: 1 + index into calls, 0 where there is none */
static atomic_flag lock = ATOMIC_FLAG_INIT;
static _Thread_local uintptr_t *stack; /* [MAX_DEPTH]: the functions that are running, the program's call first */
static _Thread_local int depth;

void __cyg_profile_func_enter(void *function, void *site) QUIET;
void __cyg_profile_func_exit(void *function, void *site) QUIET;

static QUIET void write_calls(void) {
    const char *path = getenv("LIMBER_WALK");
    FILE *file = path ? fopen(path, "w") : NULL;
    if (!file) {
        return;
    }
    for (int i = 0; i < call_count; i++) {
        fprintf(file, "0x%jx 0x%jx 0x%jx %llu\n", (uintmax_t)calls[i].entry, (uintmax_t)calls[i].caller,
                (uintmax_t)calls[i].callee, calls[i].count);
    }
    fprintf(file, is_full ? "full\n" : "end\n");
    fclose(file);
}

static QUIET void count_call(uintptr_t entry, uintptr_t caller, uintptr_t callee) {
    uint64_t mixed = ((uint64_t)entry * 31 + caller) * 31 + callee;
    size_t slot = (size_t)(mixed * 11400714819323198485u >> (64 - TABLE_BITS));
    for (; table[slot]; slot = (slot + 1) % (1 << TABLE_BITS)) {
        call *known = &calls[table[slot] - 1];
        if (known->entry == entry && known->caller == caller && known->callee == callee) {
            known->count++;
            return;
        }
    }
    if (call_count == MAX_CALLS) {
        is_full = 1;
        return;
    }
    if (call_count == 0) {
        atexit(write_calls);
    }
    calls[call_count] = (call){entry, caller, callee, 1};
    table[slot] = ++call_count;
}

void __cyg_profile_func_enter(void *function, void *site) {
    (void)site;
    if (!stack && !(stack = malloc(MAX_DEPTH * sizeof *stack))) {
        abort();
    }
    if (depth >= MAX_DEPTH) {
        abort();
    }
    stack[depth++] = (uintptr_t)function;
    while (atomic_flag_test_and_set_explicit(&lock, memory_order_acquire)) {
    }
    count_call(stack[0], depth > 1 ? stack[depth - 2] : 0, (uintptr_t)function);
    atomic_flag_clear_explicit(&lock, memory_order_release);
}

void __cyg_profile_func_exit(void *function, void *site) {
    (void)function;
    (void)site;
    if (--depth == 0) {
        free(stack);
        stack = NULL;
    }
}
