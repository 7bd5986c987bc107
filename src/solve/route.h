/* Which engine a solve is routed to, and one run of it. */
#ifndef LIMBER_SOLVE_ROUTE_H
#define LIMBER_SOLVE_ROUTE_H

#include "solve/solver.h"

int lbs_is_method(lb_method method);
/* Doubles of work that a method needs, its wishes and the report included. */
size_t lbs_work_size(const lbs_space *space, lb_method method);
/* Runs the method once from solver->z, which it moves. The last evaluation is at the end of it. on_iteration is called at
 * least once. */
lb_outcome lbs_run(lb_solver *solver, const lb_solve_options *options, lb_error *error);

#endif
