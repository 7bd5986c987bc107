/* The part of a solve that the arm engine (arm_plan.h) does: arms with one goal. */
#ifndef LIMBER_SOLVE_ARM_H
#define LIMBER_SOLVE_ARM_H

#include "solve/solver.h"

/* What the engine has done for a solve. */
typedef struct lbs_arm_work {
    int applies;            /* the engine has a plan for the problem */
    const lbs_arm_job *did; /* the job that it ran; NULL: none */
    const double *answer;   /* of the start that solved the job; else of the one that came nearest */
    int is_quick;           /* the engine solved the job in a way that needs no evaluation of the start */
} lbs_arm_work;

/* Whether the engine can do this problem with these options. Makes the plan where there is none yet. */
int lbs_arm_applies(lb_solver *solver, const lb_solve_options *options);
/* Runs starts `first` to `last` until one solves the problem. Start 0 is the caller's, which is solver->z; the
 * others are random. Returns the job, or NULL where the engine cannot do it; the answer goes to `answer`.
 * lbs_arm_count adds its evaluations to the space. */
const lbs_arm_job *lbs_arm_run(lb_solver *solver, const lb_solve_options *options, int first, int last,
                               lbs_arm_job *job, double *answer);
/* What the engine does for this solve or, where `part` is not NULL, has done for it as a part of many. */
lbs_arm_work lbs_arm_ask(lb_solver *solver, const lb_solve_options *options, const lbs_part *part, lbs_arm_job *job);
/* Adds the job's iterations, evaluations and restarts to the space's numbers. */
void lbs_arm_count(lb_solver *solver, const lb_solve_options *options, const lbs_arm_job *did);
/* Takes over the answer of a job that was solved, if the general evaluation agrees that it meets the goal: to
 * solver->z, which is evaluated then, and to the pose. Returns whether it does. */
int lbs_arm_accept(lb_solver *solver, const lb_solve_options *options, const lbs_arm_work *work, double *pose);

#endif
