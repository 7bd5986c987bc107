/* People, and random points for their right hand: the same ones in tests and benchmarks. */
#ifndef LIMBER_TESTS_BODY_POINTS_H
#define LIMBER_TESTS_BODY_POINTS_H

#include "judge.h"

/* models/human.fig at a stature; 0: its own. */
lb_figure *load_human(double stature);

/* A task of the right hand alone. */
void reach_task(const char *name, const double point[3], task *t);
/* Where the palm is in a random pose of the right arm, all else at rest, that keeps 2 cm away from the rest of the body
 * (but for the upper arm). The first state is 7. */
void draw_reach(person *p, unsigned long long *state, double point[3]);
/* A point within 1.2 m of the middle of the body, from the floor to 2.1 m. */
void draw_anywhere(unsigned long long number, double point[3]);

#endif
