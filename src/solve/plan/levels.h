/* Priority levels: the rows of residuals are ordered by level, the highest first. */
#ifndef LIMBER_SOLVE_PLAN_LEVELS_H
#define LIMBER_SOLVE_PLAN_LEVELS_H

#include "problem/problem.h"

typedef struct lbs_space lbs_space;

#define LBS_LOOP_PRIORITY (-1) /* above that of every constraint */
#define LBS_LAST_PRIORITY 1000 /* of constraints */
#define LBS_WISH_PRIORITY 1001 /* below that of every constraint */

typedef struct lbs_levels {
    int goal_count;  /* levels of goals; that of the wishes comes behind them where has_wishes */
    int has_wishes;  /* wishes have a level of their own, hidden or not */
    int *priorities; /* [level] */
    int *first_rows; /* [level + 1]: rows of level l are first_rows[l] .. first_rows[l + 1] - 1 */
    int group_count; /* groups of alternatives */
} lbs_levels;

/* Levels in order of priority, and the rows of each item. */
void lbs_lay_out_levels(lbs_space *space);
/* A projected gradient of a level (-1: of G) that is at most the tolerance times this unit counts as zero. */
double lbs_level_unit(const lbs_space *space, int level);
double lbs_gradient_unit(const lbs_space *space);

/* Hides wishes that are a level of their own from methods that go for the goals, and shows them again. */
void lbs_hide_wishes(lbs_space *space);
void lbs_show_wishes(lbs_space *space);

#endif
