/* Limbs: seven revolute joints, of which the first three axes meet in a point (the shoulder), and the last three (the
 * wrist). */
#ifndef LIMBER_CLOSED_LIMB_H
#define LIMBER_CLOSED_LIMB_H

#include "closed/set.h"

#define LBC_ELBOWS 2

/* One of the two elbows for a goal: rotation of the shoulder X = x[0] + x[1] cos psi + x[2] sin psi, of the wrist Y
 * likewise, where psi turns the limb about the line from shoulder to wrist. Matrices are row-major. */
typedef struct lbc_elbow {
    double q; /* of the elbow's joint */
    double x[3][9], y[3][9];
    double offset; /* swivel angle where psi is 0 */
} lbc_elbow;

typedef struct lbc_limb {
    double shoulder[3], wrist[3]; /* where the axes meet, joints at 0 */
    double elbow[3];              /* the point of the elbow's axis nearest to the shoulder */
    const double *lower, *upper;  /* [7], radians: of the chain */
    int is_degenerate;            /* the last goal has the wrist in the shoulder, or nearly, where nothing is proved; */
    int is_edge;                  /* or it is out of reach by so little that nothing is proved */
    int elbow_count;
    lbc_elbow elbows[LBC_ELBOWS]; /* for the last goal */
} lbc_limb;

/* Whether the arm is one. */
int lbc_limb_find(const lbc_arm *arm, lbc_limb *limb);
/* One solution for each interval of the swivel angle that the limits leave, that with the values nearest to near
 * [7]. */
void lbc_limb_solve(const lbc_arm *arm, lbc_limb *limb, const lbm_transform *goal, const double *near, lbc_set *set);
/* After lbc_limb_solve found nothing inside the limits: whether there is nothing, were they wider by this many radians,
 * and were lengths and angles of the arm and the goal a little different. */
int lbc_limb_is_clear(const lbc_arm *arm, lbc_limb *limb, const lbm_transform *goal, double wider);
/* The joints at a swivel angle, on the branch of a solution of the last goal. Returns 0 where there are none. */
int lbc_limb_at(const lbc_arm *arm, const lbc_limb *limb, const lbm_transform *goal, int branch, double swivel,
                double q[LBC_JOINTS]);

#endif
