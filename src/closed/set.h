/* Solutions as they are found: verified, polished, each once. */
#ifndef LIMBER_CLOSED_SET_H
#define LIMBER_CLOSED_SET_H

#include "closed/arm.h"

#define LBC_SOLUTIONS 64   /* at most: six joints have 16; families of seven are sampled */
#define LBC_VERIFIED 1e-12 /* the error that a solution may have: radians and arm lengths */

typedef struct lbc_solution {
    double q[LBC_JOINTS]; /* radians in (-pi, pi], or arm lengths */
    double error;         /* by forward kinematics: radians and arm lengths together */
    int is_free;          /* some joint may stand anywhere, and is at 0 or where its neighbour wants it */
    int branch;           /* of a limb */
    double swivel[3];     /* of a limb: the swivel angle, and the interval of it that the limits leave around it */
} lbc_solution;

typedef struct lbc_set {
    int count;
    int refused; /* offers that could not be verified */
    lbc_solution list[LBC_SOLUTIONS];
} lbc_set;

/* A joint's value with its cosine and sine, as algebra has them. */
typedef struct lbc_turned {
    double q[LBC_JOINTS], sine[LBC_JOINTS], cosine[LBC_JOINTS];
    int is_free;
} lbc_turned;

/* Verifies an offer, polishes it if need be, and takes it in unless the set has it. */
void lbc_set_offer(lbc_set *set, const lbc_arm *arm, const lbm_transform *goal, const lbc_turned *offer);
/* The same where only angles are known, and those roughly. */
void lbc_set_offer_rough(lbc_set *set, const lbc_arm *arm, const lbm_transform *goal, const double *q);

#endif
