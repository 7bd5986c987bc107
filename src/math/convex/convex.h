/* Convex solids and their distance.
 *
 * A solid is a core, known by its support function (the farthest point of the core in a direction), and a radius by
 * which the core is rounded: a sphere is a point and a radius, a capsule a line segment and a radius. Distances are
 * signed: where two solids overlap, the distance is minus the shortest translation that parts them. Nothing here
 * allocates memory. */
#ifndef LIMBER_MATH_CONVEX_H
#define LIMBER_MATH_CONVEX_H

#include "math/vec.h"

typedef enum lbm_convex_kind {
    LBM_CONVEX_POINT,
    LBM_CONVEX_SEGMENT,   /* from -size[1] to size[1] along z */
    LBM_CONVEX_BOX,       /* half extents size[0..2] */
    LBM_CONVEX_CYLINDER,  /* along z: radius size[0], half length size[1] */
    LBM_CONVEX_ELLIPSOID, /* semi-axes size[0..2] */
    LBM_CONVEX_TAPERED,   /* hull of two balls on z: radius size[0] at -size[1], size[2] at size[1] */
    LBM_CONVEX_HULL,      /* of the vertices */
    LBM_CONVEX_HALF_SPACE /* all points whose z is at most 0 */
} lbm_convex_kind;

typedef struct lbm_convex {
    lbm_convex_kind kind;
    double size[3];
    double radius; /* by which the core is rounded, >= 0 */
    int vertex_count;
    const double (*vertices)[3]; /* [vertex_count] of a hull */
    /* The neighbours of vertex i are neighbours[first[i]] to neighbours[first[i + 1] - 1]. NULL: every vertex is looked
     * at. */
    const int *first, *neighbours;
} lbm_convex;

/* How two solids lie to each other. */
typedef struct lbm_gap {
    double distance;  /* < 0: the solids overlap */
    double normal[3]; /* unit, from b to a: moving a along it adds to the distance */
    double
        at_a[3]; /* the nearest points of the two solids; where they overlap, the two points that are deepest in the */
    double at_b[3]; /* other along the normal */
    int is_bound;   /* 1: the distance is at least `enough`, and no more than that was found out */
} lbm_gap;

/* The distance of solid a, whose frame is frame_a, and b. Points and the normal are in the frame that frame_a and
 * frame_b are given in. The search ends with is_bound as soon as the distance is known to be more than `enough`
 * (INFINITY: never); the distance is then a lower bound, and normal and points are not set. Two half-spaces have no
 * distance: INFINITY. For solids of about a metre the distance is within 1e-8, but within 1e-5 where the core of a
 * cylinder, an ellipsoid or a tapered capsule overlaps another core; it is then a translation that parts them, if
 * perhaps not quite the shortest. */
void lbm_convex_distance(const lbm_convex *a, const lbm_transform *frame_a, const lbm_convex *b,
                         const lbm_transform *frame_b, double enough, lbm_gap *gap);

/* A direction along which two solids were seen to be apart, and the vertices that were farthest along it. Zeroed:
 * none. */
typedef struct lbm_axis {
    double way[3]; /* in the frame of a, from b to a; not unit */
    int hint_a, hint_b;
} lbm_axis;

/* Whether two solids, b's frame given in that of a, are more than `least` apart, which may be negative: then it is
 * asked whether they overlap by less. Where `axis` still parts them, the answer takes two support points; else it is
 * found anew. Neither may be a half-space. */
int lbm_convex_is_apart(const lbm_convex *a, const lbm_convex *b, const lbm_transform *b_in_a, double least,
                        lbm_axis *axis);

/* The point of the core that is farthest along `direction`, which need not be unit. *hint is the vertex of a hull to
 * begin with, and then the vertex found. */
void lbm_convex_support(const lbm_convex *solid, const double direction[3], int *hint, double point[3]);

/* The radius of the ball about the frame's origin that encloses the solid. */
double lbm_convex_reach(const lbm_convex *solid);

/* --- Between gjk.c and epa.c
 * ------------------------------------------------------------------------------------------- */

/* A point of the Minkowski difference a - b, and the points of both that it is the difference of; in the frame of a. */
typedef struct lbm_corner {
    double w[3], a[3], b[3];
} lbm_corner;

/* Two solids on their way through gjk.c and epa.c. */
typedef struct lbm_couple {
    const lbm_convex *a, *b;
    lbm_transform b_in_a;
    int hint_a, hint_b;
    double size; /* a length that the solids are about as large as, or as far from each other */
    double
        deep; /* an overlap of the cores that is known to be deeper need not be known better; INFINITY: it is always wanted */
} lbm_couple;

void lbm_couple_support(lbm_couple *couple, const double direction[3], lbm_corner *corner);
/* Where the cores overlap: the nearest point of the boundary of a - b to the origin, from a simplex of `count` corners
 * that holds the origin. Writes distance, normal and points of the cores, in the frame of a. */
void lbm_expand(lbm_couple *couple, const lbm_corner *corners, int count, lbm_gap *gap);

#endif
