/* Random ways of solving, ways of being stopped, and answers that can be compared bit by bit. */
#ifndef LIMBER_TESTS_SOLVING_H
#define LIMBER_TESTS_SOLVING_H

#include "random_problem.h"

/* Every method with its variants, named for messages. */
#define SOLVING_METHODS 8
const char *solving_method(int which, lb_solve_options *options);

/* Options at random for this method: restarts, tracking, keep_going, budgets small and large, a seed. */
void solving_options(uint64_t *seed, int which, lb_solve_options *options);

/* What ends a solve early, by a clock or a counter of the test's own. */
typedef enum stop_kind {
    STOP_NOT,
    STOP_DEADLINE,        /* the clock reaches the deadline at look number `at` */
    STOP_CANCEL_BY_CLOCK, /* the clock sets the flag at look number `at` */
    STOP_CANCEL_BY_CALL,  /* the callback sets the flag at iteration number `at` */
    STOP_BY_CALL,         /* the callback returns non-zero at iteration number `at` */
    STOPS
} stop_kind;

typedef struct stop {
    stop_kind kind;
    int at;
    int looks, calls; /* how often the clock was looked at, and the callback was called */
    lb_cancel cancel;
} stop;

void stop_random(uint64_t *seed, stop *s);
/* Starts its counts anew and puts it into the options. */
void stop_set(stop *s, lb_solve_options *options);

/* All that a solve gives. */
typedef struct answer {
    lb_status status;
    int variables, constraint_count, limit_count;
    double pose[RANDOM_MOST_VARIABLES];
    lb_result result; /* without the lists */
    lb_constraint_result constraints[RANDOM_MOST_CONSTRAINTS];
    lb_active_limit limits[2 * RANDOM_MOST_VARIABLES];
} answer;

void answer_solve(lb_solver *solver, const lb_solve_options *options, const double *start, int variables, answer *a);
/* What differs first, as text; NULL where all is the same to the bit. */
const char *answer_differs(const answer *a, const answer *b);
/* The same for a result without its lists, as lb_solve gives it. */
const char *answer_numbers_differ(const answer *a, const answer *b);

/* The start pose moved into its limits, as a solve begins. */
void start_inside(const random_problem *p, const double *start, double *inside);

#endif
