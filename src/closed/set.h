/* Solutions as they are found: verified, polished, each once. */
#ifndef LIMBER_CLOSED_SET_H
#define LIMBER_CLOSED_SET_H

#include <math.h>

#include "closed/arm.h"
#include "math/trig.h"

#define LBC_SOLUTIONS 64   /* at most: six joints have 16; families of seven are sampled */
#define LBC_VERIFIED 1e-12 /* the error that a solution may have: radians and arm lengths */
#define LBC_GOOD 1e-13     /* an error that is not worth a step */

typedef struct lbc_solution {
    double q[LBC_JOINTS];      /* radians in (-pi, pi], or arm lengths */
    double error;              /* by forward kinematics: radians and arm lengths together */
    int is_free;               /* some joint may stand anywhere, and is at 0 or where its neighbour wants it */
    int branch;                /* of a limb */
    double anchor[LBC_JOINTS]; /* of seven.h: where its interval can be followed from */
    double swivel[3];          /* of a limb: the swivel angle, and the interval of it that the limits leave around it */
} lbc_solution;

typedef struct lbc_set {
    int count;
    int refused;    /* offers that could not be verified, */
    int merged;     /* and those that the set had */
    int is_outside; /* of a family nothing keeps the limits: the only one here is what breaks them least */
    lbc_solution list[LBC_SOLUTIONS];
} lbc_set;

/* The whole turns from 0 to a range of angles that is far from it; 0 where one or two turns reach it. */
static inline double lbc_far_turn(double lower, double upper) {
    const double near = lower > 2 * LBM_TWO_PI ? lower : upper < -2 * LBM_TWO_PI ? upper : 0;
    return near != 0 && lbm_is_finite(near) ? floor(near / LBM_TWO_PI + 0.5) : 0;
}

/* Takes in an offer with this error, polished first if need be, unless it cannot be verified or the set has it. */
void lbc_set_offer(lbc_set *set, const lbc_arm *arm, const lbm_transform *goal, const double *q, double error,
                   int is_free);
/* The same where the angles are known roughly. */
void lbc_set_offer_rough(lbc_set *set, const lbc_arm *arm, const lbm_transform *goal, const double *q);

#endif
