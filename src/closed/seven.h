/* Seven revolute joints of which one, where it stands, leaves six that pieper.h solves: intervals of that one's angle. */
#ifndef LIMBER_CLOSED_SEVEN_H
#define LIMBER_CLOSED_SEVEN_H

#include "closed/pieper.h"

typedef struct lbc_seven {
    int joint;                   /* the free one: the first or the last */
    lbc_arm six;                 /* the others */
    lbc_pieper pieper;           /* of them */
    const double *lower, *upper; /* [7], radians: of the chain */
    lbm_transform goal;          /* the last one, in arm lengths */
    int sample_count;            /* angles that were looked at for the last goal */
} lbc_seven;

/* Whether the arm is one, for a processor with these vector instructions. */
int lbc_seven_find(const lbc_arm *arm, lbm_isa isa, lbc_seven *seven);
/* One solution for each interval of the free joint's angle on which all limits hold, that with the values nearest to near [7]. */
void lbc_seven_solve(const lbc_arm *arm, lbc_seven *seven, const lbm_transform *goal, const double *near, lbc_set *set);
/* Goes along the interval of a solution of the last goal, from its anchor q, to another angle of the free joint; q becomes what is there. Returns 0 where the
 * interval ends on the way. */
int lbc_seven_at(const lbc_arm *arm, const lbc_seven *seven, double angle, double q[7]);

#endif
