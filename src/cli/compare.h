/* The parts of limber compare: what is measured (compare.c), and how it is told (compare_report.c). */
#ifndef LIMBER_CLI_COMPARE_H
#define LIMBER_CLI_COMPARE_H

#include "cli/cli.h"
#include <limber/solve.h>

#define CONTESTANTS 8
#define SIZES_MOST 8
#define CURVE_MOST 301

typedef struct contestant {
    const char *name;
    lb_method method;
    lb_jacobian_variant variant;
} contestant;

extern const contestant cli_contestants[CONTESTANTS];

/* One solve of one problem. */
typedef struct trial {
    int can; /* 0: the method cannot do this problem; `why` says so */
    char why[200];
    lb_outcome outcome;
    double value, us;
    int iterations;
    int curve_count;
    double x[CURVE_MOST], y[CURVE_MOST]; /* best G so far, from before the first iteration on */
} trial;

/* A problem that all are measured on. */
typedef struct match {
    const char *name, *what;
    int is_unreachable;
    double optimum; /* distance that remains at best, where it is known; else -1 */
    double unit;    /* metres of what the report calls a unit */
    trial trials[CONTESTANTS];
} match;

#define MATCHES 5

/* Chains of growing length, averages over a few goals. */
typedef struct growth {
    int joints[SIZES_MOST], count, goals;
    struct {
        int solved, can;
        double iterations, us, us_per_iteration;
    } cells[CONTESTANTS][SIZES_MOST];
} growth;

typedef struct comparison {
    match matches[MATCHES];
    growth growth;
    double seconds;
} comparison;

/* Tables on standard output. */
void cli_compare_print(const comparison *c);
/* report.md with its plots, in a folder that is made if needed. */
int cli_compare_write(const comparison *c, const char *folder);

#endif
