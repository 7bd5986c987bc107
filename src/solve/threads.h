/* Several threads at one job. threads.c is the only file of the core that knows of threads. */
#ifndef LIMBER_SOLVE_THREADS_H
#define LIMBER_SOLVE_THREADS_H

#include <stdatomic.h>

#define LBS_MOST_THREADS 256

/* How many threads lbs_work can have: 1 in a build without them. */
int lbs_most_threads(void);
/* Calls work(context, number) for numbers 0 to count - 1 at the same time, number 0 in this thread, and comes back when
 * all have. Where a thread cannot be had its number is left out: so work is to be taken from a shared heap, not dealt
 * out by numbers. */
void lbs_work(int count, void (*work)(void *context, int number), void *context);

/* A number that threads count up together. */
typedef struct lbs_counter {
    atomic_int value;
} lbs_counter;

/* Adds, and returns what it is then: no other thread is told the same. */
static inline int lbs_count(lbs_counter *counter, int more) { return atomic_fetch_add(&counter->value, more) + more; }

#endif
