/* Samples of an arm of seven joints over its free joint's angle. */
#ifndef LIMBER_CLOSED_SEVEN_SAMPLE_H
#define LIMBER_CLOSED_SEVEN_SAMPLE_H

#include "closed/seven/seven.h"

typedef struct lbc_sample {
    double t;
    int count;
    double q[LBC_LISTED][6];
    double margin[LBC_LISTED]; /* radians and arm lengths inside the limits, negative outside */
    double lack;               /* what roots that are missing lack at least: below 0 */
} lbc_sample;

/* All solutions of the six joints where the free one is at t. */
void lbc_seven_sample(const lbc_arm *arm, const lbc_seven *seven, const lbm_transform *goal, double t, lbc_sample *out);
/* Newton's method from q, which is a solution near to t. Returns whether it leads to one at t. */
int lbc_seven_newton(const lbc_arm *arm, const lbc_seven *seven, const lbm_transform *goal, double t, double q[6]);
/* How far the six joints are inside their limits, radians and arm lengths; negative outside. */
double lbc_seven_margin(const lbc_seven *seven, const double q[6]);
/* The largest difference of two solutions, whole turns of angles apart. */
double lbc_seven_apart(const lbc_seven *seven, const double a[6], const double b[6]);
/* The values of all seven joints: radians and arm lengths. */
void lbc_seven_whole(const lbc_seven *seven, double t, const double six[6], double q[7]);

#endif
