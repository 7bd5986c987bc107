/* What is true of a random problem in a pose: worked out from the library's forward kinematics and the formulas of
 * tests/goal_formulas.h, without a line of the solver's own. */
#ifndef LIMBER_TESTS_TRUTH_H
#define LIMBER_TESTS_TRUTH_H

#include "random_problem.h"

#define MOST_LEVELS 8

typedef struct truth {
    int level_count, priority[MOST_LEVELS];
    double level[MOST_LEVELS], unit; /* unit: the largest weight, at least 1 */
    double slack;                    /* what rounding may add to a level's value */
    int level_met[MOST_LEVELS];      /* within tolerances a little larger than asked for */
    int met;                         /* within tolerances a little larger than asked for */
    int met_well;                    /* within tolerances a little smaller */
    int first_unmet;                 /* level of the first that is not met_well */
} truth;

/* Evaluates the goals, wishes apart, and leaves the problem's kinematics in the pose. */
void truth_at(const random_problem *p, const double *pose, truth *t);
double truth_sum(const truth *t);
/* The level of a priority; -1 where there is none. */
int truth_level(const truth *t, int priority);
/* In the order of levels, the first `levels` of them: a lower one may only get worse if a higher one got better. Levels
 * that are met before and after are as good as each other. */
int truth_worse(const truth *after, const truth *before, int levels);
/* What a constraint's goal sees of its effector, as the kinematics stand. */
void truth_seen(const random_problem *p, const lb_constraint *c, double e[9]);
/* The largest violation of a limit. */
double truth_violation(const random_problem *p, const double *pose);

#endif
