/* Runs a property over many random cases. A failure names its case, and `test_property_NAME CASE` runs that one alone. */
#ifndef LIMBER_TESTS_PROPERTY_H
#define LIMBER_TESTS_PROPERTY_H

#include <stdint.h>

/* Something that every case is to keep. */
typedef struct property {
    const char *name;
    double
        share; /* of what was looked at that may be broken: 0, unless a method may end in another minimum by chance */
    long tried, failed; /* how often it was looked at; in how many cases it was broken */
    long first, last;   /* the first and the last case that broke it */
} property;

/* Counts, and tells the first few failures of each property. Returns `kept`. */
int property_expect(property *p, int kept, const char *format, ...) __attribute__((format(printf, 3, 4)));
/* Whether one case alone is being replayed, which may then say more. */
int property_is_replay(void);

/* Runs cases 0, 1, ... (`usual` of them, or `longer` in the long run; a tenth under a sanitizer), each with a seed of its
 * own, or the one in argv[1]; argv "from to" runs a range. What main returns: 0 if every property was kept. */
int property_main(int argc, char **argv, int usual, int longer, void (*run)(long number, uint64_t seed),
                  property *properties, int count);

#endif
