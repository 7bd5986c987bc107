/*
 * The test harness: plain C, one executable a test file.
 *
 *     #include "check.h"
 *     int main(void) {
 *         CHECK_NEAR(lb_kinematics_dof(k, 0, 0), 0.5, 1e-12);
 *         return check_done();
 *     }
 *
 * A failed check prints file, line and values, and the test goes on; check_done() turns failures into exit code 1.
 * A test in which nothing was checked fails too: it could never have said no.
 */
#ifndef LIMBER_TESTS_CHECK_H
#define LIMBER_TESTS_CHECK_H

#include <stdio.h>
#include <stdlib.h>

#ifdef __cplusplus
extern "C" {
#endif

#define CHECK(condition) check_true((condition) ? 1 : 0, #condition, __FILE__, __LINE__)
#define CHECK_INT(actual, expected) check_int((long long)(actual), (long long)(expected), #actual, __FILE__, __LINE__)
/* Within tolerance, absolutely; equal infinities agree, nan never does. */
#define CHECK_NEAR(actual, expected, tolerance) \
    check_near((actual), (expected), (tolerance), #actual, __FILE__, __LINE__)
/* Equal strings; NULL equals only NULL. */
#define CHECK_TEXT(actual, expected) check_text((actual), (expected), #actual, __FILE__, __LINE__)
/* The text holds this part. */
#define CHECK_HAS(actual, part) check_has((actual), (part), #actual, __FILE__, __LINE__)
/* Like CHECK, but the test ends here if it fails: for what all the rest depends on. */
#define REQUIRE(condition)       \
    do {                         \
        if (!CHECK(condition)) { \
            exit(check_done());  \
        }                        \
    } while (0)
/* Ends the test as skipped - or as failed, if a check failed before. */
#define SKIP(why) check_skip((why))

/* Each returns 1 if the check holds, 0 if not. */
int check_true(int holds, const char *expression, const char *file, int line);
int check_int(long long actual, long long expected, const char *expression, const char *file, int line);
int check_near(double actual, double expected, double tolerance, const char *expression, const char *file, int line);
int check_text(const char *actual, const char *expected, const char *expression, const char *file, int line);
int check_has(const char *actual, const char *part, const char *expression, const char *file, int line);

/* Said with the failures that follow, so that one in a loop tells its case; printf-like, "" for none. */
void check_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Prints the sum; what main returns. */
int check_done(void);
__attribute__((noreturn)) void check_skip(const char *why);

/* The path of a file in the source tree. Returns 1 if it exists. */
int check_source(const char *relative, char *path, size_t size);
/* The path of a file in the folder of large test data (LIMBER_SHARED, else ../shared beside the source tree). Returns
 * 0 if it is not there: then the test skips what needs it and says so. */
int check_shared(const char *relative, char *path, size_t size);
/* A path for a file that the test writes, in a folder of the build tree that belongs to this test
 * (where ctest runs it; else the current folder). */
void check_scratch(const char *name, char *path, size_t size);
/* A whole file, NUL-terminated, to be freed by the caller; NULL if it cannot be read. size may be NULL. */
char *check_read_file(const char *path, size_t *size);

/* How many random cases a test runs: usual, or longer where LIMBER_TEST_LONG is 1, as ./dev test --long sets it. Draw the
 * first ones alike for both (case i from seed i, or one sequence), so that the usual count is a share of the long one. */
int check_count(int usual, int longer);
/* Whether the sanitizers watch: a share of the random cases shows them every path, and what comes out is the release
 * build's to judge. */
int check_is_sanitized(void);

/* Random numbers for property tests: the same sequence everywhere for one seed. */
typedef struct check_random {
    unsigned long long state;
} check_random;

void check_random_seed(check_random *random, unsigned long long seed);
unsigned long long check_random_bits(check_random *random);
/* Uniform in [low, high). */
double check_random_range(check_random *random, double low, double high);
/* Uniform in 0 .. count - 1. */
int check_random_index(check_random *random, int count);

#ifdef __cplusplus
}
#endif

#endif
