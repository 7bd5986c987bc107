/* An allocator that fails on demand, and knows every block it gave out. */
#ifndef LIMBER_TESTS_FAILING_H
#define LIMBER_TESTS_FAILING_H

#include <limber/limber.h>

typedef struct failing {
    lb_allocator allocator;
    long count;     /* allocations asked for so far, growing ones included */
    long fail_at;   /* the number of the first that fails, from 0; negative: none */
    int fail_after; /* 1: all later ones fail too; 0: only that one */
    int failed;     /* how many failed */
    long blocks;    /* given out and not yet freed */
    long mistakes;  /* wrong old_size, blocks that are not ours, freed twice */
} failing;

void failing_init(failing *f, long fail_at, int fail_after);

#endif
