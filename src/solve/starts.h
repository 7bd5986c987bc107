/* Where a solve starts from: the caller's pose, each alternative of a disjunction, random poses. */
#ifndef LIMBER_SOLVE_STARTS_H
#define LIMBER_SOLVE_STARTS_H

#include "solve/solver.h"

/* All starts of a solve, one after the other. */
typedef struct lbs_starts {
    lb_solver *solver;
    const lb_solve_options *options;
    int restarts;    /* random ones */
    int number;      /* of the last one that was made, random ones from 1 on; -1: none yet */
    int alternative; /* the item that the last one was to be met by; -1: none */
    int has_usable;  /* solver->usable is known */
    lb_outcome best; /* of the best so far, which is in solver->best */
} lbs_starts;

void lbs_starts_begin(lbs_starts *starts, lb_solver *solver, const lb_solve_options *options, int restarts);
/* Puts the next start into solver->z. Returns 0 when there are no more, or the budget is spent. After the first one has
 * run, solver->first must hold where it ended: random starts differ from the caller's in what goals that are not met
 * there can use; all else stays where it was. */
int lbs_starts_next(lbs_starts *starts);
/* Runs the method from there; keeps solver->first, and the best of all starts. */
lb_outcome lbs_starts_run(lbs_starts *starts, lb_error *error);

/* Runs the method from start to start until one solves. If none does, every start has been taken to its end, and the
 * best of all is in solver->best. Where bounds prove that none can solve, nothing is searched for first. is_searched:
 * another engine has looked for a start that solves already. */
lb_outcome lbs_run_starts(lb_solver *solver, const lb_solve_options *options, int is_searched, lb_error *error);

/* Keeps z, the point of the last evaluation, as the best so far. */
void lbs_keep_best(lb_solver *solver);
/* Whether z, the point of the last evaluation, is better than the best so far: level by level, the highest first.
 * Levels that are met are as good as each other; so are values that differ by rounding. */
int lbs_is_better(const lb_solver *solver);

#endif
