/* Limits over several variables: the rows of the figures, as unit vectors over z. */
#ifndef LIMBER_SOLVE_PLAN_LIMITS_H
#define LIMBER_SOLVE_PLAN_LIMITS_H

#include "problem/problem.h"

typedef struct lbs_space lbs_space;

#define LBS_MAX_ACTIVE 128 /* limits over several variables that an active set may hold */

typedef struct lbs_limits {
    int count;
    lb_limit_row *rows;         /* [count], unit vectors */
    int *variables;             /* [terms of all rows] */
    double *coefficients;       /* [terms of all rows] */
    int *figures, *figure_rows; /* [count]: where each comes from */
    double *norms;              /* [count]: the length of each before it was made a unit vector */
    int partial_count; /* limits in which variables that may not move have a part: their bounds follow the start */
    int *partial;      /* [partial_count] */
    void *project_scratch;
    double *tangent_scratch; /* [2 n + LBS_MAX_ACTIVE (LBS_MAX_ACTIVE + 4)] */
} lbs_limits;

/* Puts the figures' rows into terms of z. */
void lbs_scale_limits(lbs_space *space);
/* Sets the bounds of partial limits by the start pose. */
void lbs_bind_limits(lbs_space *space);
/* Sets one of them to what the figure has, by the start pose. */
void lbs_bind_limit(lbs_space *space, int limit);
/* Moves z to the closest point inside all limits. Returns other than 0 if the limits contradict each other. */
int lbs_project(const lbs_space *space, double *z);

#endif
