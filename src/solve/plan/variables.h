/* The variables that may move.
 *
 * z[i] = pose[index[i]] / scale[i] with scale = 1 - rigidity (ZB94 section 11). All that a method sees is in terms of
 * z. */
#ifndef LIMBER_SOLVE_PLAN_VARIABLES_H
#define LIMBER_SOLVE_PLAN_VARIABLES_H

#include "problem/problem.h"

typedef struct lbs_space lbs_space;

typedef struct lbs_variables {
    int *index;                      /* [n]: the variable of the pose */
    int *active_of;                  /* [variable of the pose]: the place in z, or -1 */
    double *scale;                   /* [n] */
    int is_scaled;                   /* some scale is not 1 */
    double *lower, *upper;           /* [n]: bounds of z */
    double *pose_lower, *pose_upper; /* [n]: bounds of the same variables in the pose */
    int turning_count; /* variables whose whole turns change nothing and fit between their bounds: turns.h */
    int *turning;      /* [turning_count]: their places in z */
} lbs_variables;

/* Chooses and numbers the variables that may move. Fails where the chain of a constraint does not start between its
 * end-effector and the root. */
lb_status lbs_choose_variables(lbs_space *space, lb_error *error);
/* used[variable of the pose]: whether the chain of an item that is enabled now has it. */
void lbs_find_used(const lbs_space *space, int *used);
/* The bounds of the chosen variables, and which of them turn. */
void lbs_bound_variables(lbs_space *space);

/* pose.c */
void lbs_from_pose(const lbs_space *space, const double *pose, double *z);
/* Variables that may not move get the start's value. In space->last.pose they always have it, so nothing is copied
 * there. */
void lbs_to_pose(const lbs_space *space, const double *z, double *pose);

static inline double lbs_clamp(double value, double least, double most) {
    const double above = value < least ? least : value; /* in two steps: without a branch */
    return above > most ? most : above;
}

#endif
