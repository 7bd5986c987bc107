/* Closed forms as a part of a solve: the nearest answer where algebra has it in a microsecond, the answer where the arm
 * engine found none, all answers, and the proof that there is none. */
#ifndef LIMBER_SOLVE_ARM_CLOSED_H
#define LIMBER_SOLVE_ARM_CLOSED_H

#include "closed/closed.h"
#include "solve/solver.h"

/* What a solver keeps: made with it where the problem has so few variables. */
typedef struct lbs_closed {
    lbc_form form;
    lbc_chain chain;
    lbc_ranking ranking;
    lbc_wanted wanted; /* the limits, where is_pieper */
    unsigned planned;  /* the number of the arm engine's plan that the form was chosen for; 0: none yet */
    int is_pieper;     /* the form is one of pieper.h */
    int is_chosen;     /* the form was looked for among all others, too */
    int has_form;
    int has_proof;   /* of the present solve: there is no solution */
    double until_us; /* since the solve began: when looking for solutions ends */
    double *pose;    /* [variable of the pose]: scratch */
    size_t size;     /* of the block */
} lbs_closed;

/* Memory for a problem of so many variables; NULL without an error where no closed form can apply. */
lb_status lbs_closed_create(const lbs_space *space, lbs_closed **made);
void lbs_closed_destroy(const lb_solver *solver);

/* At the beginning of a solve nothing is proved. */
static inline void lbs_closed_forget(lb_solver *solver) {
    if (solver->closed) {
        solver->closed->has_proof = 0;
    }
}
/* Whether lbs_closed_first applies to this problem with these options: an arm of pieper.h with one goal, a frame. Makes
 * the arm engine's plan where there is none. */
int lbs_closed_is_first(lb_solver *solver, const lb_solve_options *options);
/* The solution that is nearest to the start, which is z: where there is one that the general evaluation agrees with, it
 * goes to z, evaluated, and to the pose. Returns whether there is; where the start meets the goal already there is none
 * better. */
int lbs_closed_first(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result);
/* Whether a closed form covers the one goal that the arm engine has a plan for: solver->closed has it. */
int lbs_closed_covers(lb_solver *solver);
/* Finds all solutions of that goal. Returns 0 where no closed form covers it; else solver->closed has them ranked by
 * their distance from the start. Half of the time that is left before a deadline is the most that it takes: then
 * solver->closed has what was found. */
int lbs_closed_find(lb_solver *solver);
/* Whether what was found proves that there is no solution inside the limits. */
int lbs_closed_proves(lbs_closed *closed);
/* Puts number i of those inside their limits into z, and evaluates it. Returns whether it meets the goal. */
int lbs_closed_take(lb_solver *solver, int i);
/* The same for the nearest one, in place of starts. Where there is none, that is remembered as proved. */
int lbs_closed_answer(lb_solver *solver, const lb_solve_options *options);

#endif
