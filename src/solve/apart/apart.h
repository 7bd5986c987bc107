/* Solves that keep pairs apart (limber/collisions.h).
 *
 * The solver of such a problem solves it as if nothing were in the way, and looks whether its answer touches. Where it
 * does, the other solutions that closed forms, or further starts of the arm engine, give are looked at. Where all of
 * them touch, a second solver takes over, whose space has the pairs as items above all goals: rows where they overlap,
 * and faces that steps of goals do not cross. */
#ifndef LIMBER_SOLVE_APART_H
#define LIMBER_SOLVE_APART_H

#include "problem/apart.h"
#include "solve/solver.h"

typedef struct lbs_apart {
    lb_solver *keeper; /* whose space has the pairs; NULL where figures are posed as bodies, whose rows have them */
    int is_answered_by_keeper;  /* the last answer is the keeper's: it reports */
    lb_kinematics **kinematics; /* [figure] */
    lbm_transform *frames;      /* [mass] */
    double (*centres)[3];       /* [mass]: of the balls around them, in the world */
    lbp_memory *memories;       /* [pair] */
    int last_touching;          /* the pair that was last seen to touch is looked at first */
    double *start, *pose;       /* [variable] */
    double *answer;             /* [variable]: of lb_solver_solve_all */
    void *block;
    size_t block_size;
    int figure_count;
} lbs_apart;

lb_status lbs_apart_create(const lb_solver *solver, lbs_apart **made);
void lbs_apart_destroy(const lb_solver *solver);
/* Places all masses at a pose of the problem. */
void lbs_place_masses(lbs_apart *apart, const lb_problem *problem, const double *pose);
/* How a pair lies as the masses are placed; a bound, where it is more than `enough` apart. */
void lbs_find_gap(lbs_apart *apart, const lbp_apart *all, int pair, double enough, lbm_gap *gap);
/* The answer of a solve that keeps pairs apart; its arguments are those of lbs_solve. */
lb_status lbs_solve_apart(lb_solver *solver, const lb_solve_options *options, const lbs_goals *goals, double *pose,
                          lb_result *result, lb_error *error);
/* Whether no pair overlaps at a pose by more than a hundredth of a millimetre. */
int lbs_is_free(lbs_apart *apart, const lb_problem *problem, const double *pose);
/* The solver that has to report on the last answer. */
lb_solver *lbs_reporter(lb_solver *solver);
/* What is in the way, behind the sentence of a result: at solver->z of the keeper, or of a solver of bodies. */
void lbs_say_pairs(const lb_solver *solver, lb_result *result);

#endif
