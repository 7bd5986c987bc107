/* What a problem keeps apart: masses, which are all solids of one segment or one solid of the world, and pairs of
 * them. */
#ifndef LIMBER_PROBLEM_APART_H
#define LIMBER_PROBLEM_APART_H

#include <limber/collisions.h>

#include "math/arena.h"
#include "math/convex/convex.h"
#include "math/vec.h"
#include "problem/goal.h"

#define LBP_OVERLAP 1e-4 /* metres by which a pair may overlap in an answer */
#define LBP_NEAR 0.1     /* metres: pairs that are farther apart have no face that a step could cross */

/* A convex solid in the frame of its segment, or the world; and what encloses it: a ball, and a capsule. */
typedef struct lbp_solid {
    lbm_convex convex;
    int is_placed;       /* frame is not the identity */
    lbm_transform frame; /* of the solid in its mass's frame */
    double centre[3], reach;
    double ends[2][3], round;
} lbp_solid;

typedef struct lbp_mass {
    int figure, segment; /* figure -1: a solid of the world, whose number is `segment` */
    const char *name;
    int solid_count;
    lbp_solid *solids;       /* [solid_count] */
    double centre[3], reach; /* of a ball around all, in the mass's frame */
} lbp_mass;

typedef struct lbp_pair {
    const lbp_mass *a, *b; /* a is a figure's */
    double margin;
} lbp_pair;

typedef struct lbp_apart {
    size_t size; /* bytes of the block that all of it is in */
    int mass_count, pair_count;
    lbp_mass *masses;
    lbp_pair *pairs; /* those of figures with figures come first */
    double margin;
    lb_collisions given; /* as it was taken, in the same block */
} lbp_apart;

/* How the masses of a pair lie to each other; frames of both in the same frame, which points and normal are in, too.
 * The search ends with is_bound as soon as the distance is known to be more than `enough`. */
void lbp_pair_gap(const lbp_pair *pair, const lbm_transform *frame_a, const lbm_transform *frame_b, double enough,
                  lbm_gap *gap);
/* What is remembered of a pair of masses: where the solids were seen to be apart. Zeroed before its first use. */
typedef struct lbp_memory {
    lbm_axis axis; /* of the pair of solids that was looked at last */
} lbp_memory;
/* Whether all solids are known to be more than `least` apart. What is remembered changes how long it takes, not the
 * answer. */
int lbp_pair_is_apart(const lbp_pair *pair, const lbm_transform *frame_a, const lbm_transform *frame_b, double least,
                      lbp_memory *memory);

/* The row of LB_GOAL_APART: margin - distance where that is positive, else 0; signed, where it is asked for. Its
 * derivatives [9] by e, the frame of mass a seen from that of b, where the pointer is not NULL. */
double lbp_apart_row(const lbp_pair *pair, const double e[9], int is_signed, double *derivatives);
/* Sets the constraint that keeps a pair apart, above all others. */
void lbp_pair_constraint(const lbp_pair *pair, lb_constraint *constraint);

void lbp_free_apart(lb_problem *problem);
/* Lists the pairs anew, where a figure has become a body, or is none any more: a body keeps its own limbs apart by
 * itself. */
lb_status lbp_renew_pairs(lb_problem *problem);
/* apart_solids.c: fills a solid, or, where it is NULL, counts what it needs from the arena. */
void lbp_cut_solid(const lb_shape *shape, lbp_solid *solid, lbm_arena *arena);

#endif
