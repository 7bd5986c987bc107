/* Goes through the functions; each has a process of its own, so that one that crashes does not end the test. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */

#include "driver.h"

#include <limits.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define FAILURES 7   /* what a process ends with that saw some and did not crash */
#define MOST_SAID 20 /* failures of one function that are printed */

static const double doubles[] = {NAN, INFINITY, -INFINITY, -1, 0, 1e308, -1e308, 1e-320};
static const int ints[] = {INT_MIN, INT_MAX, -1, -2, 0,  1,  2,  3,  4,  5,  6,  7,  8,  9,  10, 11, 12,   13,     14,
                           15,      16,      17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 64, 1000, 1000000};
static const int counts[] = {INT_MIN, -1, 0, 1}; /* not above what there is */
static const int enumerated[] = {INT_MIN, INT_MAX, -1, 100};
static const size_t sizes[] = {0, 1, SIZE_MAX};
static const size_t size_counts[] = {0, 1};
static const uint64_t longs[] = {0, UINT64_MAX};
static char long_text[2000];
static const char *const texts[] = {NULL, "", "no such", "/", "\xff\xfe", long_text};

#define LENGTH(array) ((int)(sizeof(array) / sizeof(array)[0]))
static const int value_counts[KINDS] = {[POINTER] = 1,
                                        [TEXT] = LENGTH(texts),
                                        [DOUBLE] = LENGTH(doubles),
                                        [INT] = LENGTH(ints),
                                        [COUNT] = LENGTH(counts),
                                        [SIZE] = LENGTH(sizes),
                                        [ENUM] = LENGTH(enumerated),
                                        [SIZE_COUNT] = LENGTH(size_counts),
                                        [LONG] = LENGTH(longs)};

/* --- One case ------------------------------------------------------------------------------------------------------- */

typedef struct change {
    int spot, leaf, value; /* spot -1: none */
} change;

/* The present case, where the parent of a process that crashed can see it. */
static struct shared {
    change changes[2];
    int cases;
} * shared;

static const function *now;
static int failures;
static double rooms[16][WORLD_ROOM];

double *room(int number) { return rooms[number]; }

static void put(char *at, kind kind, int value) {
    switch (kind) {
    case DOUBLE:
        memcpy(at, &doubles[value], sizeof doubles[value]);
        break;
    case INT:
        memcpy(at, &ints[value], sizeof ints[value]);
        break;
    case COUNT:
        memcpy(at, &counts[value], sizeof counts[value]);
        break;
    case ENUM:
        memcpy(at, &enumerated[value], sizeof enumerated[value]);
        break;
    case SIZE:
        memcpy(at, &sizes[value], sizeof sizes[value]);
        break;
    case SIZE_COUNT:
        memcpy(at, &size_counts[value], sizeof size_counts[value]);
        break;
    case LONG:
        memcpy(at, &longs[value], sizeof longs[value]);
        break;
    case TEXT:
        memcpy(at, &texts[value], sizeof texts[value]);
        break;
    default:
        memset(at, 0, sizeof(void *));
        break;
    }
}

void put_bad(void *const *bases, const spot *spots) {
    for (int i = 0; i < 2; i++) {
        if (shared->changes[i].spot >= 0) {
            const leaf *l = &spots[shared->changes[i].spot].leaves[shared->changes[i].leaf];
            put((char *)bases[shared->changes[i].spot] + l->offset, l->kind, shared->changes[i].value);
        }
    }
}

static void say_value(kind kind, int value, char *text, size_t size) {
    switch (kind) {
    case DOUBLE:
        snprintf(text, size, "%g", doubles[value]);
        break;
    case INT:
        snprintf(text, size, "%d", ints[value]);
        break;
    case COUNT:
        snprintf(text, size, "%d", counts[value]);
        break;
    case ENUM:
        snprintf(text, size, "%d", enumerated[value]);
        break;
    case SIZE:
        snprintf(text, size, "%zu", sizes[value]);
        break;
    case SIZE_COUNT:
        snprintf(text, size, "%zu", size_counts[value]);
        break;
    case TEXT:
        snprintf(text, size, "%.20s", texts[value] ? texts[value] : "NULL");
        break;
    default:
        snprintf(text, size, "%s", kind == LONG ? "a large number" : "NULL");
        break;
    }
}

static void say_case(FILE *to) {
    fprintf(to, "%s", now ? now->name : "no function");
    for (int i = 0; now && i < 2; i++) {
        if (shared->changes[i].spot >= 0) {
            char value[64];
            const spot *s = &now->spots[shared->changes[i].spot];
            const leaf *l = &s->leaves[shared->changes[i].leaf];
            say_value(l->kind, shared->changes[i].value, value, sizeof value);
            fprintf(to, "%s %s%s = %s", i ? "," : ":", s->label, l->name, value);
        }
    }
}

static void fail(const char *what) {
    if (failures++ < MOST_SAID) {
        printf("WRONG: ");
        say_case(stdout);
        printf(": %s\n", what);
        fflush(stdout);
    }
}

/* Whether a value is a mistake whatever it stands for: then it is refused. */
static int is_mistake(const change *c) {
    if (c->spot < 0) {
        return 0;
    }
    const leaf *l = &now->spots[c->spot].leaves[c->leaf];
    switch (l->kind) {
    case POINTER:
    case ENUM:
        return !l->welcome;
    case TEXT:
        return !l->welcome && texts[c->value] == NULL;
    case DOUBLE:
        return !l->welcome && isnan(doubles[c->value]);
    case INT:
        return c->value < 2 && !(l->welcome >> c->value & 1);
    default:
        return 0;
    }
}

static void run_case(change first, change second) {
    outcome out = {0, 0};
    shared->changes[0] = first;
    shared->changes[1] = second;
    shared->cases++;
    world_begin();
    now->run(&out);
    if (first.spot < 0 && out.can_refuse && out.refused) {
        fail("refused, though nothing is wrong");
    }
    if ((is_mistake(&first) || is_mistake(&second)) && out.can_refuse && !out.refused) {
        fail("taken, though it is a mistake");
    }
    const char *wrong = now->changes ? world_aftermath() : NULL;
    if (wrong) {
        fail(wrong);
    }
    world_end();
}

/* --- All cases of a function -------------------------------------------------------------------------------------------- */

static void run_singles(void) {
    const change none = {-1, 0, 0};
    for (int s = 0; s < now->spot_count; s++) {
        for (int l = 0; l < now->spots[s].count; l++) {
            for (int v = 0; v < value_counts[now->spots[s].leaves[l].kind]; v++) {
                run_case((change){s, l, v}, none);
            }
        }
    }
}

/* Of whole arguments; the first three values of each. */
static void run_pairs(void) {
    for (int s = 0; s < now->spot_count; s++) {
        for (int t = s + 1; t < now->spot_count; t++) {
            const spot *a = &now->spots[s], *b = &now->spots[t];
            if (a->count != 1 || b->count != 1 || a->argument == b->argument) {
                continue;
            }
            for (int v = 0; v < 3 && v < value_counts[a->leaves[0].kind]; v++) {
                for (int u = 0; u < 3 && u < value_counts[b->leaves[0].kind]; u++) {
                    run_case((change){s, 0, v}, (change){t, 0, u});
                }
            }
        }
    }
}

static void run_function(const function *f) {
    const change none = {-1, 0, 0};
    now = f;
    alarm(3600); /* against hanging only */
    run_case(none, none);
    run_singles();
    run_pairs();
    if (failures > MOST_SAID) {
        printf("... and %d more of %s\n", failures - MOST_SAID, f->name);
    }
}

/* Returns 1 where something was wrong; adds to *total what was tried. */
static int try_function(const function *f, long *total) {
    int status = 0;
    fflush(stdout);
    shared->cases = 0;
    pid_t child = fork();
    if (child == 0) {
        run_function(f);
        fflush(stdout);
        exit(failures > 0 ? FAILURES : 0); /* not _exit: counts of branches are written on the way out */
    }
    if (child < 0 || waitpid(child, &status, 0) != child) {
        return 1;
    }
    *total += shared->cases;
    if (WIFEXITED(status) && (WEXITSTATUS(status) == 0 || WEXITSTATUS(status) == FAILURES)) {
        return WEXITSTATUS(status) != 0;
    }
    now = f;
    printf("CRASH: ");
    say_case(stdout);
    printf("\n");
    return 1;
}

static void write_text(const char *path, const char *kind) {
    size_t size;
    const void *text = world_data(kind, &size);
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text, 1, size, file) != size || fclose(file)) {
        printf("%s cannot be written\n", path);
        exit(1);
    }
}

int main(int count, char **arguments) {
    long total = 0;
    int failed = 0;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED) {
        printf("no memory to share\n");
        return 1;
    }
    memset(long_text, 'x', sizeof long_text - 1);
    write_text("problem.json", "problem");
    write_text("script.scefo", "script");
    write_text("some.habit", "habit");
    world_gltf();
    for (int i = 0; i < function_count; i++) {
        if (count < 2 || strcmp(arguments[1], functions[i].name) == 0) {
            failed += try_function(&functions[i], &total);
        }
    }
    printf("%d functions, %ld calls, %d functions failed\n", function_count, total, failed);
    return failed > 0 || total == 0;
}
