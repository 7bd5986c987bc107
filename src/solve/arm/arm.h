/* What the arm engine (arm_plan.h) does of a solve: arms with one goal. */
#ifndef LIMBER_SOLVE_ARM_H
#define LIMBER_SOLVE_ARM_H

#include "solve/solver.h"

/* What it has done. */
typedef struct lbs_arm_work {
    int applies;
    const lbs_arm_job *did; /* NULL: nothing */
    const double *answer;   /* solved, stopped (the nearest so far), or failed (the start that came nearest) */
} lbs_arm_work;

/* Whether the engine has a plan for this problem and these options; makes the plan where there is none yet. */
int lbs_arm_applies(lb_solver *solver, const lb_solve_options *options);
/* Runs starts `first` to `last` (0: the caller's, which is solver->z; else random) until one solves. Returns the job, or
 * NULL where the engine cannot do it; the answer goes to `answer`. Evaluations are not yet counted in the space. */
const lbs_arm_job *lbs_arm_run(lb_solver *solver, const lb_solve_options *options, int first, int last,
                               lbs_arm_job *job, double *answer);
/* Adds what the engine did to the space's numbers. */
void lbs_arm_count(lb_solver *solver, const lb_solve_options *options, const lbs_arm_job *did);
/* Takes over what the engine solved, if the general evaluation agrees: to z, which is evaluated, and the pose. */
int lbs_arm_accept(lb_solver *solver, const lb_solve_options *options, const lbs_arm_work *work, double *pose);

#endif
