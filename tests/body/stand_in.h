/* A body for models/human.fig, whatever that file has: for tests of the judge. */
#ifndef LIMBER_TESTS_BODY_STAND_IN_H
#define LIMBER_TESTS_BODY_STAND_IN_H

#include <limber/body.h>

/* The upper arms are thicker by so many metres. */
void stand_in_body(lb_figure *figure, double thicker_arms);

#endif
