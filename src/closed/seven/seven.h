/* Seven joints of which one, where it stands, leaves six that pieper.h or general.h solves: intervals of that one's
 * angle. */
#ifndef LIMBER_CLOSED_SEVEN_H
#define LIMBER_CLOSED_SEVEN_H

#include "closed/budget.h"
#include "closed/general/general.h"
#include "closed/pieper.h"

/* Memory for one goal of six joints as they come. */
typedef struct lbc_seven_work {
    lbc_general_work general;
    lbc_set set;
} lbc_seven_work;

typedef struct lbc_seven {
    int joint;   /* the free one: the first or the last */
    lbc_arm six; /* the others; the values of one that slides are in its own unit of length until they are handed out */
    int is_general; /* they are of general.h, else of pieper.h */
    union {
        lbc_pieper pieper;
        lbc_general general;
    } by;
    double lower[LBC_JOINTS], upper[LBC_JOINTS]; /* radians and arm lengths: of the chain */
    double metres[LBC_JOINTS];                   /* of one of these; 1: radians */
    lbc_seven_work *work;                        /* of general ones */
    lbm_transform goal;                          /* the last one, in arm lengths */
    int sample_count;                            /* angles that were looked at for the last goal */
    lbc_budget *budget;                          /* asked at each of them, and at each step between */
} lbc_seven;

/* Whether the arm is one, for a processor with these vector instructions. */
int lbc_seven_find(const lbc_arm *arm, lbm_isa isa, lbc_seven *seven, lbc_seven_work *work);
/* One solution for each interval of the free joint's angle on which all limits hold, that with the values nearest to
 * near [7], radians and arm lengths. */
void lbc_seven_solve(const lbc_arm *arm, lbc_seven *seven, const lbm_transform *goal, const double *near, lbc_set *set);
/* Goes along the interval of a solution of the last goal, from its anchor q, to another angle of the free joint; q
 * becomes what is there. Returns 0 where the interval ends on the way. */
int lbc_seven_at(const lbc_arm *arm, const lbc_seven *seven, double angle, double q[7]);

#endif
