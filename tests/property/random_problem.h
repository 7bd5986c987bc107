/* Random problems over random figures, from a seed: reachable, unreachable, conflicting, degenerate. */
#ifndef LIMBER_TESTS_RANDOM_PROBLEM_H
#define LIMBER_TESTS_RANDOM_PROBLEM_H

#include <limber/solve.h>

/* An allocator that can be closed: what asks it for memory then gets it, but is counted. */
typedef struct trap {
    lb_allocator allocator;
    int closed;
    long trapped, blocks;
} trap;

void trap_init(trap *trap);

#define RANDOM_MOST_CONSTRAINTS 6

/* A custom goal: (|r - centre|^2 - radius^2)^2. */
typedef struct random_shell {
    double centre[3], radius;
} random_shell;

typedef struct random_problem {
    int figure_count;
    lb_figure *figures[2];
    lb_kinematics *kinematics[2]; /* for whoever checks */
    lb_problem *problem;
    double *start, *target; /* [variable_count]: where to begin; a pose that a reachable problem's goals come from */
    int reachable;          /* all goals are met at the target, and all variables may move */
    int smooth; /* no regions, alternatives, custom goals or curves with kinks: G has derivatives everywhere */
    double stay, posture, margin, margin_weight; /* its wishes */
    int wishes;
    random_shell shells[RANDOM_MOST_CONSTRAINTS];
} random_problem;

void random_problem_make(random_problem *p, uint64_t seed, trap *memory);
void random_problem_free(random_problem *p);

/* A chain of `links` along x. */
typedef enum random_chain_limits { CHAIN_FREE, CHAIN_RANGES, CHAIN_ZERO_WIDTH, CHAIN_COUPLED } random_chain_limits;

typedef struct random_chain {
    int links;
    int type; /* 0: pins about z; 1: pins about z and y by turns; 2: balls; 3: true balls in a swing polygon; 4: pins
                 about random axes, and slides; none of them has drives or loops */
    random_chain_limits limits;
    int zero_length;    /* 1: every second link has no length */
    int mirrored;       /* 1: as in a mirror across x = 0 (type 4 only) */
    lb_frame placement; /* of the base */
    uint64_t seed;
} random_chain;

lb_figure *random_chain_make(const random_chain *chain, const lb_allocator *allocator);

#endif
