/* Arms of six revolute joints, three consecutive axes of which meet in a point or are parallel (D. Pieper, The
 * kinematics of manipulators under computer control, 1968). */
#ifndef LIMBER_CLOSED_PIEPER_H
#define LIMBER_CLOSED_PIEPER_H

#include "closed/branches.h"
#include "closed/set.h"
#include "closed/trig_roots.h"

/* The three axes are those of joints first, first + 1 and first + 2. Of the other joints the ways E, in the order first
 * - 1 .. 1, 6 .. first + 3, are taken to the other side: E_k E_k+1 E_k+2 = F_1 F_2 F_3 G, each F turned by minus the
 * joint's angle. */
typedef struct lbc_pieper {
    int is_parallel; /* else they meet */
    int first;
    double centre[3];     /* where they meet */
    double off;           /* arm lengths or radians by which they miss each other, or are not parallel */
    int others[3];        /* the joints of F_1, F_2, F_3 */
    int is_after[3];      /* the joint is behind the three: the goal moves its axis */
    lbc_trig_basis basis; /* of degree 2 */
    lbc_three three;
    lbc_branch *branch; /* for the vector instructions at hand */
    lbc_wind *wind;
} lbc_pieper;

/* Whether the arm is one. Fills *pieper then, for a processor with these vector instructions. */
int lbc_pieper_find(const lbc_arm *arm, lbm_isa isa, lbc_pieper *pieper);
/* All solutions for a goal, in arm lengths. */
void lbc_pieper_solve(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, lbc_set *set);
#define LBC_LISTED 32 /* branches, at most */
/* All branches as algebra has them, not verified; *lack is what roots that are missing lack at least: the square of a
 * sine, negative, and -INFINITY where none is missing. Returns how many there are. */
int lbc_pieper_list(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, double (*q)[6],
                    double *lack);
/* The solution inside the limits that is nearest to a pose, as algebra has it: not verified. Returns 0 where there is
 * none, and where a joint may stand anywhere. */
int lbc_pieper_nearest(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal,
                       const lbc_wanted *wanted, double values[6]);
/* Newton's method for what that found, where it is not good to LBC_GOOD. Returns whether it is a solution then. */
int lbc_pieper_polish(const lbc_arm *arm, const lbm_transform *goal, const lbc_wanted *wanted, double values[6]);

/* Whether there are no more solutions than those `found` for a goal: each equation is farther from having another root
 * than what the arm's numbers, and axes that nearly meet or are nearly parallel, can be off by. */
int lbc_pieper_is_clear(const lbc_arm *arm, const lbc_pieper *pieper, const lbm_transform *goal, int found);

#endif
