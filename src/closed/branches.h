/* From pairs of angles to solutions: the second half of pieper.c, for several pairs side by side.
 *
 * Where x1 of F_1 and x3 of F_3 are known, x2 of F_2 follows, and the three joints that meet or are parallel have two
 * choices: a wrist, or a planar arm of two links. All of it is arithmetic without branches, and runs in the lanes of
 * vector registers; bits do not depend on their number. */
#ifndef LIMBER_CLOSED_BRANCHES_H
#define LIMBER_CLOSED_BRANCHES_H

#include "closed/arm.h"

#define LBC_PAIRS 4    /* pairs side by side */
#define LBC_BRANCHES 8 /* of so many pairs: branch b is choice b / LBC_PAIRS of pair b % LBC_PAIRS */

/* The circle o + c e + s f, on which a turn by the angle of cosine c and sine s carries a point or vector. */
typedef struct lbc_circle {
    double o[3], e[3], f[3];
} lbc_circle;

/* What the three joints' own geometry says, made once for each arm: of the middle one the angle y is between their
 * ends. */
typedef struct lbc_three {
    int is_parallel;    /* else their axes meet */
    int first;          /* the first of them */
    double sign[3];     /* parallel: of each axis, against the first */
    double a, b, r2, d; /* a cos y + b sin y = (what the pair asks for) + d, a^2 + b^2 = r2 */
    lbc_circle tip;     /* meet: the last axis, turned by y; parallel: the last joint's place seen from the first */
    double side[3];     /* at right angles to the last axis, and */
    double other[3];    /* the last axis cross side */
} lbc_three;

/* A pose to be found, as the goal G = goal inv(home) leaves it. */
typedef struct lbc_asked {
    const lbc_arm *arm;
    const lbc_three *three;
    const int *others;         /* [3]: the joints of F_1, F_2, F_3 */
    const lbm_transform *goal; /* of the end, in arm lengths */
    double w[3][3], r[3][3];   /* axes of F_1, F_2, F_3, and points of them */
    lbc_circle u, v;           /* F_2 turns u, which F_3 carries, into v, which inv(F_1) carries */
    lbc_circle target, side;   /* carried by F_3: the last axis (parallel: a point of it), and the side */
} lbc_asked;

typedef struct lbc_branches {
    double x1[2][LBC_PAIRS], x3[2][LBC_PAIRS]; /* in: cosines and sines of the pairs; all lanes have some */
    double cosine[6][LBC_BRANCHES], sine[6][LBC_BRANCHES];
    double q[6][LBC_BRANCHES];  /* radians */
    double error[LBC_BRANCHES]; /* by forward kinematics: arm lengths and radians together */
    double left[LBC_PAIRS]; /* of each pair: the square of the sine between its choices, negative where there is none */
    unsigned are_there;     /* bit b: branch b exists */
    unsigned are_free;      /* some joint of it may stand anywhere, and is at 0 */
    double value[6][LBC_BRANCHES]; /* of the windings inside the limits the nearest one */
    double distance2[LBC_BRANCHES];
    unsigned are_inside;
} lbc_branches;

/* Where a branch should be near to, and the limits. */
typedef struct lbc_wanted {
    double near[6], lower[6], upper[6];
} lbc_wanted;

/* Fills all of a block of branches down to are_free. with_errors: also the errors. */
typedef void lbc_branch(const lbc_asked *asked, int with_errors, lbc_branches *branches);
/* Fills the rest. */
typedef void lbc_wind(const lbc_wanted *wanted, lbc_branches *branches);

lbc_branch lbc_branch2, lbc_branch4;
lbc_wind lbc_wind2, lbc_wind4;

#define LBC_ON_LIMIT \
    1e-9 /* radians or metres by which a value may be outside by rounding; it is moved onto the limit then */

#endif
