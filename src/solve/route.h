/* Which engine a solve is routed to, and one run of it. */
#ifndef LIMBER_SOLVE_ROUTE_H
#define LIMBER_SOLVE_ROUTE_H

#include "solve/solver.h"

/* Runs the method once from solver->z, which it moves. The last evaluation is at the end of it. on_iteration is called
 * at least once. */
lb_outcome lbs_run(lb_solver *solver, const lb_solve_options *options, lb_error *error);

#endif
