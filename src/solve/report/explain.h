/* Trials of lb_solver_explain: what could be in the way of a goal is taken out of it, and the problem solved again. */
#ifndef LIMBER_SOLVE_EXPLAIN_H
#define LIMBER_SOLVE_EXPLAIN_H

#include "solve/solver.h"

/* How much a goal is missed. */
typedef struct lbs_miss {
    double root; /* of P */
    double distance, angle_rad;
    int met;
} lbs_miss;

typedef struct lbs_explainer {
    lb_solver *solver;
    lb_result *result;
    int item;        /* the unmet goal's */
    lbs_miss before; /* at solver->best, where every trial begins */
    int tries;
    int tried_all;
} lbs_explainer;

/* How much the unmet goal is missed where the space is. */
lbs_miss lbs_measure_miss(const lbs_explainer *x);
/* Solves again from solver->best to solver->z, as the space is now. */
lbs_miss lbs_solve_again(lbs_explainer *x);
lb_reason lbs_new_reason(lb_reason_kind kind, int figure, const char *name);
/* The gains of a trial into the reason; whether they are worth saying. */
int lbs_is_worth_saying(const lbs_explainer *x, const lbs_miss *after, lb_reason *reason);
/* Into the list of reasons, which is in order of their shares. */
void lbs_add_reason(lbs_explainer *x, const lb_reason *reason);
/* A trial ended at a better pose inside the limit that it was without: what was missing is a start that leads there. */
void lbs_add_start(lbs_explainer *x, const lb_reason *found);
/* The range of the i-th variable that may move, in radians or metres. */
void lbs_set_range(lbs_space *s, int i, double least, double most);
/* Whether there is budget for another trial. */
int lbs_may_try(lbs_explainer *x);

/* --- explain_limits.c --------------------------------------------------------------------------------------------------- */

/* Limits whose multiplier was listed. */
void lbs_try_listed_limits(lbs_explainer *x);
/* Limits that are touched, but were not listed: they hold nothing back to first order, or the multipliers are of
 * another level. */
void lbs_try_touched_limits(lbs_explainer *x);
/* What one joint or one group is limited by, all together, where the answer is in a corner of it. */
void lbs_try_regions(lbs_explainer *x);

/* --- body/body_explain.c: trials of figures that are posed as bodies
 * --------------------------------------------------- */

/* Keeps the bodies as the last answer has them. Returns 0 where there is none. */
int lbs_bodies_begin_trials(lb_solver *solver);
/* They are again as they were. */
void lbs_bodies_end_trials(lb_solver *solver);
/* Solves again from the space's start, to solver->z. */
void lbs_bodies_solve_again(lb_solver *solver);
/* Goes on from the answer with nothing changed. Returns whether that reaches the goal: then nothing else is in the
 * way. */
int lbs_try_going_on(lbs_explainer *x);
/* Tries the rules of the body: feet that stay, balance, limbs apart, the floor. */
void lbs_try_body_rules(lbs_explainer *x);

#endif
