#ifndef LIMBER_SOLVE_SOLVER_H
#define LIMBER_SOLVE_SOLVER_H

#include "solve/chain.h"
#include "solve/space.h"

#define LBS_METHODS 5

struct lb_solver {
    const lb_problem *problem;
    lb_allocator allocator;
    unsigned shape; /* of the problem when the space was made */
    lbs_space *space;
    size_t space_size;
    double *work; /* for the methods */
    size_t work_size;
    double *vectors; /* [6 n + 2 limits] */
    size_t vectors_size;
    double *z, *best, *gradient, *direction, *bounds, *limits;
    lb_constraint_result *constraints;
    lb_active_limit *active;
    int active_room;
    lbs_chain *chain;        /* the plan, where has_chain */
    unsigned chain_revision; /* of the problem when it was made */
    int chain_lanes, chain_tried, has_chain;
    void *chain_block, *chain_memory; /* of the engine; the latter is aligned */
};

/* Fills a result's lists, numbers and sentence for a pose. */
void lbs_report(lb_solver *solver, const double *pose, lb_result *result);
/* The sentence alone. */
void lbs_explain(lb_solver *solver, lb_result *result);

#endif
