/* The parts of limber compare: what is measured (compare.c), and how it is told: tables and plots (compare_report.c),
 * CSV (compare_csv.c), and what follows from them (compare_words.c). */
#ifndef LIMBER_CLI_COMPARE_H
#define LIMBER_CLI_COMPARE_H

#include "cli/cli.h"
#include <limber/solve.h>

#define ITERATIONS 1000 /* at most, of every solve: no clock decides what is found */
#define CURVE_MOST (ITERATIONS + 1)
#define SIZES_MOST 8

/* Who is compared, in the order of the tables. */
enum {
    WHO_LM,
    WHO_BFGS,
    WHO_DFP,
    WHO_CCD_DOF,
    WHO_CCD_AXIS,
    WHO_TRANSPOSE,
    WHO_INVERSE,
    WHO_DAMPED,
    WHO_SVD,
    WHO_FABRIK,
    CONTESTANTS
};

typedef struct contestant {
    const char *name;
    lb_method method;
    lb_jacobian_variant variant;
    lb_bfgs_update update;
    lb_ccd_variant ccd;
    int is_dashed; /* in plots */
} contestant;

extern const contestant cli_contestants[CONTESTANTS];

/* One solve of one problem. */
typedef struct trial {
    int can; /* 0: the method cannot do this problem; `why` says so */
    char why[200];
    lb_outcome outcome;
    double value, us;
    int iterations;
    int rises; /* iterations that left G higher than before */
    int curve_count;
    double x[CURVE_MOST], y[CURVE_MOST]; /* G of each iteration's pose as it is; the first is the start */
} trial;

/* A problem that all are measured on. */
typedef struct match {
    const char *name, *what;
    const char *file; /* of its plot, without ending; its name in CSV, too */
    int is_unreachable;
    double optimum; /* distance that remains at best */
    double unit;    /* metres of what the report calls a unit */
    trial trials[CONTESTANTS];
} match;

enum { MATCH_OUT_OF_REACH, MATCH_IN_REACH, MATCH_ON_AXIS, MATCH_TREE, MATCH_HUMAN, MATCHES };

/* Chains of growing length, means over a few goals. */
typedef struct growth {
    const char *name; /* in CSV */
    double beyond;    /* metres: how far the goals are out of reach; 0: they are in reach */
    int joints[SIZES_MOST], count, goals;
    struct {
        int done, can;         /* solved, or out of reach, within 0.1 mm of the best there is */
        double iterations, us; /* until it is done; out of reach, until it ends */
        double us_per_iteration;
        double left; /* metres that remain, or out of reach, above the best there is */
    } cells[CONTESTANTS][SIZES_MOST];
} growth;

enum { GROWTH_TREE_IN, GROWTH_TREE_OUT, GROWTH_CHAINS, GROWTHS };

typedef struct comparison {
    match matches[MATCHES];
    growth growths[GROWTHS];
    double seconds;
} comparison;

/* Tables and words on standard output. */
void cli_compare_print(const comparison *c);
/* Makes the folder of the report, unless it is there: before anything is measured for nothing. */
int cli_compare_make_folder(const char *folder);
/* report.md with its plots and CSV files, in a folder that is there. */
int cli_compare_write(const comparison *c, const char *folder);
/* All numbers: summary.csv, curves.csv, growth.csv. */
int cli_compare_write_csv(const comparison *c, const char *folder);
/* Which of EN07's conclusions hold. */
void cli_compare_conclude(const comparison *c, lbio_text *out);
/* G after so many iterations: that of the last pose by then. */
double cli_compare_after(const trial *t, int iterations);

#endif
