/* Levenberg-Marquardt under linear constraints, the default method. methods.h declares lbs_run_lm and lbs_lm_size,
 * as it does for every method. */
#ifndef LIMBER_SOLVE_LM_H
#define LIMBER_SOLVE_LM_H

#include "solve/methods/methods.h"

/* Minimises wishes that are a level of their own from z, where some method has done what it can for the goals, which
 * stay as they are. The workspace is that of lbs_run_lm. */
lbs_end lbs_lm_wishes(lbs_space *space, double *workspace, double *z);

#endif
