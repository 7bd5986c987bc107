/* Rotations, three axes that meet, and what else the forms of limbs share. Matrices are row-major. */
#ifndef LIMBER_CLOSED_TRIPLE_H
#define LIMBER_CLOSED_TRIPLE_H

#include "closed/set.h"

double lbc_sine_between(const double a[3], const double b[3]);
/* Whether three axes meet from joint `first` on, and where. */
int lbc_meet_at(const lbc_arm *arm, int first, double centre[3]);

void lbc_multiply9(const double a[9], const double b[9], double out[9]);
void lbc_transpose9(const double a[9], double out[9]);
void lbc_apply9(const double a[9], const double v[3], double out[3]);
/* The turn about the unit vector w by the angle of this cosine and sine. */
void lbc_about9(const double w[3], double c, double s, double out[9]);
/* Some rotation that takes the unit vector m to n. */
void lbc_between9(const double m[3], const double n[3], double out[9]);

/* a cos x + b sin x = d: the middle of the two roots and half their distance. Returns 0 where there are none. */
int lbc_solve_linear(double a, double b, double d, double *middle, double *half);
/* The angles of three axes that make a rotation; sign chooses one of the two. Returns 0 where there are none. */
int lbc_decompose(const double (*w)[3], const double x[9], int sign, double q[3]);
/* The winding of an angle that is nearest to `near` inside a range. Returns 0 where there is none. */
int lbc_nearest_turn(double q, double lower, double upper, double near, double *wound);
/* How far the best winding of an angle is inside a range; negative: outside. */
double lbc_margin(double q, double lower, double upper);
/* The swivel angle of a limb whose upper part goes along `way`, about the unit vector n from shoulder to wrist: from
 * straight down, or from x where the limb hangs down. */
double lbc_swivel_of(const double n[3], const double way[3]);

#endif
