/* What a solver keeps for the wish for manipulability. */
#ifndef LIMBER_SOLVE_WISH_CLIMB_MEMORY_H
#define LIMBER_SOLVE_WISH_CLIMB_MEMORY_H

#include "math/arena.h"
#include "solve/plan/space.h"

/* A coordinate on the way of an effector, or of its goal's carrier, together with the variable that moves it. */
typedef struct lbs_link {
    int column;                     /* the variable, of the space */
    double rate;                    /* of the coordinate with z */
    double velocity[3], angular[3]; /* of the effector for a unit of the coordinate's speed, as seen from the carrier */
} lbs_link;

/* Scratch of a solver for this wish. */
typedef struct lbs_climb {
    double *best, *here, *ahead;          /* [n] */
    double *gradient, *direction, *drift; /* [n] */
    double *pose;                         /* [variable of the pose] */
    lbs_link *links;                      /* [movers] */
    double value;                         /* of the wish, at the answer; 0 where it was not asked for */
} lbs_climb;

/* Cuts its arrays, or counts them. */
void lbs_climb_cut(lbs_climb *climb, const lbs_space *space, lbm_arena *arena);

#endif
