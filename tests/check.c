#include "check.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

/* After this many failures the rest is counted, not printed. */
enum { MAX_PRINTED = 50 };

static int checks, failures;
static char note[256];

static int counted(int holds) {
    checks++;
    if (!holds) {
        failures++;
    }
    return holds;
}

/* Starts the message of a failure; 0 if enough has been printed. */
static int report(const char *expression, const char *file, int line) {
    if (failures > MAX_PRINTED) {
        return 0;
    }
    fprintf(stderr, "%s:%d: %s", file, line, expression);
    if (note[0]) {
        fprintf(stderr, " [%s]", note);
    }
    return 1;
}

int check_true(int holds, const char *expression, const char *file, int line) {
    if (!counted(holds) && report(expression, file, line)) {
        fprintf(stderr, " does not hold\n");
    }
    return holds;
}

int check_int(long long actual, long long expected, const char *expression, const char *file, int line) {
    int holds = counted(actual == expected);
    if (!holds && report(expression, file, line)) {
        fprintf(stderr, " is %lld, not %lld\n", actual, expected);
    }
    return holds;
}

int check_near(double actual, double expected, double tolerance, const char *expression, const char *file, int line) {
    int holds = counted(actual == expected || fabs(actual - expected) <= tolerance);
    if (!holds && report(expression, file, line)) {
        fprintf(stderr, " is %.17g, not %.17g (off by %.3g, allowed %.3g)\n", actual, expected, fabs(actual - expected),
                tolerance);
    }
    return holds;
}

static const char *shown(const char *text) { return text ? text : "(null)"; }

int check_text(const char *actual, const char *expected, const char *expression, const char *file, int line) {
    int holds = counted(actual && expected ? strcmp(actual, expected) == 0 : actual == expected);
    if (!holds && report(expression, file, line)) {
        fprintf(stderr, " is\n    %s\n  not\n    %s\n", shown(actual), shown(expected));
    }
    return holds;
}

int check_has(const char *actual, const char *part, const char *expression, const char *file, int line) {
    int holds = counted(actual && part && strstr(actual, part));
    if (!holds && report(expression, file, line)) {
        fprintf(stderr, " is\n    %s\n  which lacks\n    %s\n", shown(actual), shown(part));
    }
    return holds;
}

void check_note(const char *format, ...) {
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(note, sizeof note, format, arguments);
    va_end(arguments);
}

int check_done(void) {
    if (checks == 0) {
        fprintf(stderr, "nothing was checked\n");
        return 1;
    }
    if (failures > MAX_PRINTED) {
        fprintf(stderr, "... and %d more\n", failures - MAX_PRINTED);
    }
    printf("%d checks, %d failed\n", checks, failures);
    return failures ? 1 : 0;
}

void check_skip(const char *why) {
    printf("skipped: %s\n", why);
    exit(failures ? check_done() : 77);
}

/* Copies a path of two parts; one that is too long for the caller's array is a mistake in the test. */
static void join(const char *folder, const char *relative, char *path, size_t size) {
    int length = snprintf(path, size, "%s/%s", folder, relative);
    if (length < 0 || (size_t)length >= size) {
        fprintf(stderr, "path too long: %s/%s\n", folder, relative);
        exit(1);
    }
}

static int exists(const char *path) {
    struct stat info;
    return stat(path, &info) == 0;
}

int check_source(const char *relative, char *path, size_t size) {
    join(LIMBER_SOURCE_DIR, relative, path, size);
    return exists(path);
}

int check_shared(const char *relative, char *path, size_t size) {
    const char *folder = getenv("LIMBER_SHARED");
    join(folder && folder[0] ? folder : LIMBER_SOURCE_DIR "/../shared", relative, path, size);
    return exists(path);
}

void check_scratch(const char *name, char *path, size_t size) {
    const char *folder = getenv("LIMBER_SCRATCH");
    join(folder && folder[0] ? folder : ".", name, path, size);
}

char *check_read_file(const char *path, size_t *size) {
    FILE *file = fopen(path, "rb");
    char *data = NULL;
    size_t length = 0, capacity = 0;
    if (!file) {
        return NULL;
    }
    for (;;) {
        if (length + 1 >= capacity) {
            char *grown = realloc(data, capacity = 2 * capacity + 4096);
            if (!grown) {
                free(data);
                fclose(file);
                return NULL;
            }
            data = grown;
        }
        size_t got = fread(data + length, 1, capacity - length - 1, file);
        length += got;
        if (got == 0) {
            break;
        }
    }
    if (ferror(file)) {
        free(data);
        data = NULL;
    } else {
        data[length] = 0;
        if (size) {
            *size = length;
        }
    }
    fclose(file);
    return data;
}

int check_count(int usual, int longer) {
    const char *set = getenv("LIMBER_TEST_LONG");
    return set && strcmp(set, "1") == 0 ? longer : usual;
}

int check_is_sanitized(void) {
    const char *set = getenv("LIMBER_SANITIZE");
    return set && *set;
}

void check_random_seed(check_random *random, unsigned long long seed) {
    random->state = seed * 0x9E3779B97F4A7C15ull + 0x1234567ull;
}

/* SplitMix64 (Steele, Lea, Flood 2014): one addition and a mix, good enough to draw test cases with. */
unsigned long long check_random_bits(check_random *random) {
    unsigned long long z = random->state += 0x9E3779B97F4A7C15ull;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9ull;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBull;
    return z ^ (z >> 31);
}

double check_random_range(check_random *random, double low, double high) {
    return low + (high - low) * (double)(check_random_bits(random) >> 11) * 0x1p-53;
}

int check_random_index(check_random *random, int count) {
    return (int)(check_random_bits(random) % (unsigned long long)count);
}

/* --- Sanitizers ------------------------------------------------------------------------------------ */

/* fontconfig keeps what it knows of fonts until the end: not a leak of ours. */
#if defined(__SANITIZE_ADDRESS__)
#define HAS_LEAK_CHECK 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define HAS_LEAK_CHECK 1
#endif
#endif
#ifdef HAS_LEAK_CHECK
__attribute__((visibility("default"))) const char *__lsan_default_suppressions(void);
__attribute__((visibility("default"))) const char *__lsan_default_options(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig\n"; }
const char *__lsan_default_options(void) { return "print_suppressions=0"; }
#endif
