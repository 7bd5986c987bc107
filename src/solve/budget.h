/* Iterations, evaluations and time: what a solve has spent, and when it stops. */
#ifndef LIMBER_SOLVE_BUDGET_H
#define LIMBER_SOLVE_BUDGET_H

#include <limber/solve.h>

typedef struct lbs_space lbs_space;

#define LBS_PIECES 8 /* pieces of work whose times are remembered */

typedef struct lbs_budget {
    int evaluations, iterations, restarts;
    int stopped;      /* by the budget, the clock, a cancel or the caller's on_iteration */
    int late;         /* stopped by the clock or a cancel: nothing may take long any more */
    int gives_up;     /* there are further starts: one that makes little headway is not worth its iterations */
    double began_us;  /* the clock when the solve began */
    double looked_us; /* the clock when it was last looked at */
    int look_count;   /* how often it was looked at */
    double pieces_us[LBS_PIECES]; /* what the last few pieces of work between two looks took */
} lbs_budget;

static inline int lbs_has_deadline(const lb_solve_options *options) {
    return options->deadline_us > 0 && options->now_us;
}
static inline void lbs_budget_begin(lbs_budget *b) {
    b->evaluations = b->iterations = b->restarts = b->stopped = b->late = b->gives_up = 0;
}
/* Reads the clock for the first time. */
void lbs_budget_start_clock(lbs_budget *budget, const lb_solve_options *options);

/* Whether the deadline is past, or would be when the next piece of work is done, or the solve was cancelled. */
int lbs_late(lbs_space *space);
/* Half of the time that is left, in microseconds since the solve began; INFINITY where there is no deadline. */
double lbs_half_time(const lbs_space *space);
/* Whether so many microseconds have passed since the solve began, or it was cancelled. */
int lbs_is_past(const lbs_space *space, double us);
/* Whether evaluations or time are spent, or the solve was cancelled: asked wherever an iteration may take long. */
int lbs_spent(lbs_space *space);
/* Calls the caller's on_iteration, which may stop the solve. */
void lbs_tell(lbs_space *space, const double *z, double value);
/* After each iteration: counts it, calls back, and tells whether to stop. */
int lbs_stop(lbs_space *space, const double *z, double value);

#endif
