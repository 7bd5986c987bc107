/* What a solve knows of reach before it looks for a pose: bounds of the workspaces of a goal's chain (reach/zone.h).
 *
 * They take microseconds and no memory but what the solver has, so that a solve makes them itself, where it would go on
 * to further starts. The finer workspaces of lb_reach take a tenth of a second and more: no solve pays for that. */
#ifndef LIMBER_SOLVE_BOUNDS_H
#define LIMBER_SOLVE_BOUNDS_H

#include "math/arena.h"
#include "reach/zone.h"
#include "solve/plan/space.h"

typedef struct lbs_bounds {
    lbr_chain chain;      /* from the root to the end-effector, of what the solve may move */
    lbr_zone *zones;      /* [link]: W[i] */
    int *way;             /* [node]: scratch */
    unsigned char *moves; /* [variable of the figure]: scratch */
} lbs_bounds;

/* Cuts all arrays, or counts them: room for any chain of the problem. */
void lbs_bounds_cut(lbs_bounds *bounds, const lbs_space *space, lbm_arena *arena);
/* Finds the chain of an item's end-effector and its workspaces, what stands as in the start pose. The figure's
 * kinematics are those of the start afterwards. */
void lbs_bounds_find(lbs_bounds *bounds, lbs_space *space, const lbs_item *item);
/* Metres by which the item's goal, a position or a frame in the world, is out of W[0] at least, beyond its tolerance:
 * whatever the pose, it is farther off. 0: nothing is proved. */
double lbs_bounds_missing(const lbs_bounds *bounds, const lbs_item *item);
/* Whether one of the goals that all must be met is proved to be out of reach, so that no start can solve. z is the
 * point of the last evaluation, and stays it. */
int lbs_bounds_prove(lbs_bounds *bounds, lbs_space *space, const double *z);

#endif
