/* Arms at random, of the kinds that rounding is hard on: of 1 to 12 joints, turning and sliding, flat or tilted by 1e-12 to 1e-3 rad,
 * with offsets of 1e-12 to 1e-3 of their size, on bases that are moved and turned, from a micrometre to a thousand
 * kilometres. */
#ifndef LIMBER_TESTS_RANDOM_ARM_H
#define LIMBER_TESTS_RANDOM_ARM_H

#include <limber/limber.h>

#include "check.h"

#define RANDOM_ARM_JOINTS 12

/* Of 1 + number % RANDOM_ARM_JOINTS joints; its end-effector is the last segment, or a point of it. */
lb_figure *random_arm(check_random *source, int number, lb_effector *effector);

#endif
