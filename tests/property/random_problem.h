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
#define RANDOM_MOST_FIGURES 3
#define RANDOM_MOST_VARIABLES 256

/* What problems are drawn from, as bits. Without any of them: unit scale, no limits over several dofs but couplings of
 * neighbours, at most two figures, one set of alternatives. */
typedef enum random_mix {
    RANDOM_WIDE = 1,            /* all there is: see random_problem.c */
    RANDOM_SCALED = 2,          /* a third of the scenes is scaled: lengths from 1e-6 to 1e6 times as long */
    RANDOM_NO_WISHES = 4,       /* no posture, stay or margin */
    RANDOM_NO_ALTERNATIVES = 8, /* no any_of */
    RANDOM_ONE_LEVEL = 16,      /* all of priority 0; no loops, which are a level of their own */
    RANDOM_SMOOTH = 32, /* points, directions, frames, aims, lines and planes only, no kinks in groups' curves */
    RANDOM_ALWAYS_WISHES = 64,
    RANDOM_WITHIN_REACH = 128, /* goals come from a pose; what may not move is as there at the start */
    RANDOM_NO_LOOPS = 512,
    RANDOM_NO_CARRIERS = 1024,
    RANDOM_LARGE = 2048, /* figures of many limbs, with limits over several dofs */
    RANDOM_ARM = 256     /* a chain of 4 to 8 joints of one dof each with one goal, as the arm engine takes them */
} random_mix;
#define RANDOM_ALL (RANDOM_WIDE | RANDOM_SCALED)

/* A custom goal: (|r - centre|^2 - radius^2)^2. */
typedef struct random_shell {
    double centre[3], radius;
} random_shell;

typedef struct random_problem {
    int figure_count;
    lb_figure *figures[RANDOM_MOST_FIGURES];
    lb_kinematics *kinematics[RANDOM_MOST_FIGURES]; /* for whoever checks */
    lb_problem *problem;
    double *start, *target; /* [variable_count]: where to begin; a pose that a reachable problem's goals come from */
    int reachable;          /* all goals are met at the target, and all variables may move */
    int smooth;   /* no regions, alternatives, custom goals or curves with kinks: G has derivatives everywhere */
    double scale; /* of its lengths */
    double stay, posture, margin, margin_weight; /* its wishes */
    int wishes;
    double *preferred; /* [variable_count]: the pose that `posture` is about */
    double *rigidity;  /* [variable_count]: 1 where it may not move */
    random_shell shells[RANDOM_MOST_CONSTRAINTS];
} random_problem;

/* The problem of this seed, with all its memory from the trap. */
void random_problem_make(random_problem *p, uint64_t seed, trap *memory);
void random_problem_mix(random_problem *p, uint64_t seed, trap *memory, unsigned mix);
/* Switches its wishes on or off. */
void random_problem_wish(const random_problem *p, int wanted);
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
    double scale; /* of all lengths; 0: 1 */
} random_chain;

lb_figure *random_chain_make(const random_chain *chain, const lb_allocator *allocator);

#endif
