/* What the benchmark programs share: options, pinning, clock, statistics, tables and CSV files, bars, random numbers,
 * races between contestants, and forward kinematics of its own to verify answers with. Errors end the program. */
#ifndef LIMBER_BENCH_H
#define LIMBER_BENCH_H

#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- The program ------------------------------------------------------------------------------------------ */

typedef struct bench_options {
    int is_quick;       /* --quick: a smaller sample, seconds instead of minutes */
    int count;          /* --count N: so many instances instead of the program's own number; 0: not given */
    int with_peers;     /* --peers: other libraries too, as far as they were built in */
    int is_ablation;    /* --ablate: each part switched off in turn, where the program has parts */
    const char *solver; /* --solver FILE: one's own beside Limber, where the program has contestants; NULL: none */
    const char *only;   /* --only TEXT: cases whose name contains it; NULL: all */
    const char *folder; /* --out FOLDER: where CSV files and plots go; default out/bench */
} bench_options;

extern bench_options bench;

/* Reads the options and pins the program to one core where it can (BENCH_CORE, or the last one). */
void bench_begin(const char *name, int argc, char **argv);
/* Prints the bars, writes them to NAME-bars.csv, and returns main's result. */
int bench_end(void);
/* Lets the program run on all cores again, for what uses threads. */
void bench_unpin(void);
void bench_stop(const char *format, ...);
/* --count, or the quick or the full number. */
int bench_count(int full, int quick);
int bench_is_wanted(const char *case_name); /* by --only */
void *bench_alloc(size_t count, size_t size);

double bench_now_us(void);
double bench_cpu_us(void);         /* of this thread alone: what others do meanwhile does not count; slower to ask */
double bench_clock(void *context); /* the clock on the wall, as lb_solve_options.now_us */
double bench_cpu_clock(void *context); /* CPU time of this thread, the same way */

/* A path in the source tree, and one in the folder for results. */
void bench_source_path(const char *relative, char path[1024]);
void bench_out_path(const char *name, char path[1024]);

/* --- Random numbers: the same everywhere ------------------------------------------------------------------ */

uint64_t bench_random(uint64_t *state); /* splitmix64 */
double bench_uniform(uint64_t *state, double lower, double upper);
double bench_normal(uint64_t *state); /* mean 0, standard deviation 1 */

/* --- Statistics ------------------------------------------------------------------------------------------- */

typedef struct bench_stats {
    int count;
    double mean, min, p50, p95, p99, p999, max;
} bench_stats;

/* Values that are NaN (not run) do not count. p99 is the least value that at least 99% do not exceed. */
bench_stats bench_statistics(int count, const double *values);

/* --- Tables ----------------------------------------------------------------------------------------------- */

typedef struct bench_table {
    const char *name; /* NAME.csv */
    int columns, rows, room;
    char **cells; /* [1 + rows][columns]; row 0 has the headings */
} bench_table;

/* Cells are divided by '|': bench_table_begin(&t, "arms", "arm|dofs|mean us"), bench_table_row(&t, "%s|%d|%.2f", ...) */
void bench_table_begin(bench_table *table, const char *name, const char *headings);
void bench_table_row(bench_table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Prints rows from `first` on (0: the first), in columns; CSV has all. */
void bench_table_print(const bench_table *table, int first);
/* Writes NAME.csv (beside, then renamed) and frees the table. */
void bench_table_end(bench_table *table);

/* A bar and whether it was met; NaN: not measured in this run. is_at_least 1: measured >= bar, else measured <= bar. */
void bench_bar(const char *what, double measured, int is_at_least, double bar, const char *unit);

/* --- Races ------------------------------------------------------------------------------------------------ */

/* What a contestant says of one solve. Whether it is true is for the race's own verification. */
typedef struct bench_outcome {
    int is_solved, iterations, restarts;
    double
        us; /* where it has a clock of its own: what that says (NaN: it did not solve this one); 0: the race's clock counts */
} bench_outcome;

typedef struct bench_contestant {
    const char *name;
    void *context;
    /* Solves instance `instance`; pose: the start in, the answer out. All of it is timed. */
    void (*solve)(void *context, int instance, double *pose, bench_outcome *outcome);
    int count;   /* solves instances 0 to count - 1; 0: all */
    int repeats; /* the least time of so many; 0: the race's own number */
    /* What came out, [instances of the race]: */
    double *us;       /* NaN where it was not run */
    char *is_right;   /* the answer was verified, whatever it claims */
    char *is_claimed; /* it says that it is solved */
    double *poses;    /* the answers, [instance][variables] */
    int *iterations;  /* all starts together */
    int *restarts;
    int false_claims; /* instances said to be solved, but not verified */
} bench_contestant;

typedef struct bench_race {
    int instances, variables, repeats;
    int has_cpu_times;    /* CPU time of the thread: for solves so long that other programs come between */
    const double *starts; /* [instance][variables] */
    void *context;
    int (*verify)(void *context, int instance, const double *pose);
} bench_race;

/* Blocks of instances in turn by each contestant, so that noise of the machine hits all alike; each solve is timed by
 * itself and the least time of the repeats is kept. An instance comes again only after its block, so that no predictor
 * remembers it. */
void bench_race_run(const bench_race *race, int contestant_count, bench_contestant *contestants);
/* Room for what comes out, where a contestant is run by other means. */
void bench_race_prepare(const bench_race *race, bench_contestant *contestant);
void bench_race_free(int contestant_count, bench_contestant *contestants);
/* Percent of the instances that it ran, of which the answer is right. */
double bench_right_percent(const bench_race *race, const bench_contestant *contestant);
/* Mean of the numbers where it ran. */
double bench_mean_int(const bench_race *race, const bench_contestant *contestant, const int *values);

/* --- Verification ----------------------------------------------------------------------------------------- */

/* Frame of an effector in a pose, by forward kinematics that share nothing with the library's, in long double:
 * e = r, x, y. For figures without loops whose drives are linear. */
void bench_effector(const lb_figure *figure, const double *pose, const lb_effector *effector, long double e[9]);
/* Inside the limits, |r - target r| < 1e-5 m, and the angle between the frames < 1e-5 rad. */
int bench_is_at(const lb_figure *figure, const double *pose, const lb_effector *effector, const double target[9]);

#ifdef __cplusplus
}
#endif

#endif
