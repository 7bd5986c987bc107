/*
 * Collisions: segments that must not touch each other, nor what stands around them. docs/collisions.md says what counts
 * as solid, which pairs are looked at, and how a solve keeps them apart.
 *
 *     lb_collisions apart;
 *     lb_collisions_defaults(&apart);
 *     lb_problem_set_collisions(problem, &apart);          the figure's own segments, for instance
 */
#ifndef LIMBER_COLLISIONS_H
#define LIMBER_COLLISIONS_H

#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What stands around: a shape in the world. Its vertices, if it is a hull, and its name are copied. */
typedef struct lb_solid {
    const char *name; /* for people; NULL: its number */
    lb_shape shape;   /* frame: in the world; segment, color and use are not looked at */
} lb_solid;

/* Two segments that may touch. */
typedef struct lb_touching {
    int figure_a, segment_a;
    int figure_b, segment_b;
} lb_touching;

typedef struct lb_collisions {
    size_t struct_size; /* set by lb_collisions_defaults */
    int self;           /* 1 (default): the segments of the problem's figures are kept apart from each other */
    int solid_count;
    const lb_solid *solids; /* [solid_count]: what segments are kept apart from; default none */
    int touching_count;
    const lb_touching *touching; /* [touching_count]: pairs that are not looked at; default none */
    double margin;               /* metres that are to stay between; default 0 */
    int samples;   /* random poses by which pairs that always or never touch are found; 0: neighbours alone
                                    are left out. Default 2000, at most 1000000 */
    uint64_t seed; /* of these poses; default 1 */
} lb_collisions;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_collisions_defaults calls it. */
LB_API void lb_collisions_defaults_sized(lb_collisions *collisions, size_t struct_size);
static inline void lb_collisions_defaults(lb_collisions *collisions) {
    lb_collisions_defaults_sized(collisions, sizeof *collisions);
}

/* Keeps segments apart in every solve from now on: an answer in which a pair overlaps by more than 0.1 mm is not
 * `solved`, and is given only where none without was found. Shapes of the figures that are solid count (lb_shape.use).
 * NULL: nothing is kept apart. A figure that is added later is not looked at. Neighbours are left out, as are pairs
 * that touch in 19 of 20 random poses, rest on each other in the rest pose (closed fingers: an overlap of up to 2 mm),
 * or are more than 2 cm apart in all poses. A figure that is posed as a body (limber/body.h) keeps its own limbs apart
 * by the rules of bodies, and clear of other figures and of solids by these pairs. */
LB_API lb_status lb_problem_set_collisions(lb_problem *problem, const lb_collisions *collisions);
/* What was set, as it was taken: solids of no name have their number, hulls their triangles. It belongs to the problem
 * until collisions are set again. NULL: nothing is kept apart. */
LB_API const lb_collisions *lb_problem_collisions(const lb_problem *problem);
/* How many pairs are looked at: of two segments, or of a segment and a solid. */
LB_API int lb_problem_pair_count(const lb_problem *problem);

/* One such pair at a pose. */
typedef struct lb_contact_pair {
    int figure_a, segment_a;
    int figure_b, segment_b; /* -1, and the solid's number, where it is what stands around */
    const char *name_a, *name_b;
    double distance;   /* metres; < 0: they overlap */
    double point_a[3]; /* of each, the point that is nearest to the other, in the world */
    double point_b[3];
    double normal[3]; /* unit, from b to a */
} lb_contact_pair;

/* Who a pair is, 0 to lb_problem_pair_count - 1; what it says of a pose is 0. */
LB_API lb_status lb_problem_pair(const lb_problem *problem, int pair, lb_contact_pair *found);
/* The distance of a pair, 0 to lb_problem_pair_count - 1, at a pose of the problem. The solver's own memory is used for
 * it. */
LB_API lb_status lb_solver_pair(lb_solver *solver, const double *pose, int pair, lb_contact_pair *found);
/* Lists the pairs that are less than `within` apart at a pose, the nearest first: at most `most`, to pairs. Returns how
 * many there are, or a negative lb_status. */
LB_API int lb_solver_near_pairs(lb_solver *solver, const double *pose, double within, int most, lb_contact_pair *pairs);

#ifdef __cplusplus
}
#endif

#endif
