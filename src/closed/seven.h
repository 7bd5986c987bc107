/* Seven joints of which one, where it stands, leaves six that pieper.h or general.h solves: intervals of that one's angle. */
#ifndef LIMBER_CLOSED_SEVEN_H
#define LIMBER_CLOSED_SEVEN_H

#include "closed/general/general.h"
#include "closed/pieper.h"
#include "math/stop.h"

/* Memory for one goal of six joints as they come. */
typedef struct lbc_seven_work {
    lbc_general_work general;
    lbc_set set;
} lbc_seven_work;

typedef struct lbc_seven {
    int joint;      /* the free one: the first or the last */
    lbc_arm six;    /* the others */
    int is_general; /* they are of general.h, else of pieper.h */
    union {
        lbc_pieper pieper;
        lbc_general general;
    } by;
    const double *lower, *upper; /* [7], radians: of the chain */
    lbc_seven_work *work;        /* of general ones */
    lbm_transform goal;          /* the last one, in arm lengths */
    int sample_count;            /* angles that were looked at for the last goal */
    const lbm_stop *stop;        /* asked at each of them */
    int is_stopped;              /* the last goal's were not all looked at: there may be other solutions */
} lbc_seven;

/* Whether the arm is one, for a processor with these vector instructions. */
int lbc_seven_find(const lbc_arm *arm, lbm_isa isa, lbc_seven *seven, lbc_seven_work *work);
/* One solution for each interval of the free joint's angle on which all limits hold, that with the values nearest to near [7]. */
void lbc_seven_solve(const lbc_arm *arm, lbc_seven *seven, const lbm_transform *goal, const double *near, lbc_set *set);
/* Goes along the interval of a solution of the last goal, from its anchor q, to another angle of the free joint; q becomes what is there. Returns 0 where the
 * interval ends on the way. */
int lbc_seven_at(const lbc_arm *arm, const lbc_seven *seven, double angle, double q[7]);

#endif
