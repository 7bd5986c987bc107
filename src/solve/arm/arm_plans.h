/* Which parts of a problem the arm engine solves by themselves. */
#ifndef LIMBER_SOLVE_ARM_PLANS_H
#define LIMBER_SOLVE_ARM_PLANS_H

#include "solve/solver.h"

/* Makes the plans of a problem: one for each goal whose joints no other goal has, in the world or seen from what
 * carries it; one (a tree) for all goals that share joints or have joints that follow others; then one for each goal
 * whose carrier another goal brings into its place. Returns 0 where the engine cannot do the problem. */
int lbs_arm_plan_all(lb_solver *solver);

#endif
