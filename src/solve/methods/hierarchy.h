/* What a solve asks the method hierarchy besides running it. */
#ifndef LIMBER_SOLVE_METHODS_HIERARCHY_H
#define LIMBER_SOLVE_METHODS_HIERARCHY_H

#include "solve/methods/methods.h"

/* Metres by which the one goal of a problem is proved to be out of reach, whatever the pose; 0: nothing is proved.
 * `work` is the method's memory. */
double lbs_hierarchy_missing(lbs_space *space, double *work);

#endif
