/* Two or three revolute joints whose axes are parallel (KB82, equations 4 to 18), but for what a file's digits leave of
 * that: axes that are off by up to 1e-9 count, and the arm's solutions are those of its own axes. */
#ifndef LIMBER_CLOSED_PLANAR_H
#define LIMBER_CLOSED_PLANAR_H

#include "closed/set.h"

/* In the plane normal to the axes: the links as vectors along x and y of that plane, joints at 0. */
typedef struct lbc_planar {
    double x[3], y[3];   /* the plane's axes */
    double link[3][2];   /* from joint i to the next, at last to the end's point */
    double base[2];      /* of the first joint */
    double height;       /* of the end's point along the first axis */
    double sign[3];      /* -1 where the axis is opposite to the first */
    double inner, outer; /* of two links: the workspace is the annulus between these radii */
    double size;         /* all ways from joint to joint and to the end together */
    double tilt;         /* by so much the axes are off the first one's direction, sines together */
} lbc_planar;

/* Whether the arm is one: two joints for a position, three for a position and a turn in the plane. */
int lbc_planar_find(const lbc_arm *arm, int is_position, lbc_planar *planar);
/* Both elbows, for a goal in arm lengths. What can neither be found nor be ruled out counts as refused. */
void lbc_planar_solve(const lbc_arm *arm, const lbc_planar *planar, const lbm_transform *goal, lbc_set *set);

/* How far the joints move at most, radians, as the end's point moves by an arm length: without bound where the elbow is
 * straight or folded, or its links are short. */
double lbc_planar_condition(const lbc_planar *planar, const double *q);

#endif
