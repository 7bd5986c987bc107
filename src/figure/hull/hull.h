/* The convex hull of points, such as the vertices of a mesh: a closed surface of triangles. */
#ifndef LIMBER_FIGURE_HULL_H
#define LIMBER_FIGURE_HULL_H

#include <limber/limber.h>

#include "math/convex/convex.h"

typedef struct lbf_hull {
    int vertex_count, triangle_count;
    double (*vertices)[3];
    int (*triangles)[3]; /* counter-clockwise, seen from outside */
    int *first;          /* [vertex_count + 1] */
    int *neighbours;     /* those of vertex i: from first[i] to first[i + 1] - 1 */
    double excess; /* metres: no point is farther outside of a triangle's plane; the hull rounded by it has them all */
} lbf_hull;

/* Writes who is beside whom: first [vertex_count + 1] and neighbours [3 * triangle_count], as lbf_hull has them. */
void lbf_hull_connect(int vertex_count, int triangle_count, const int (*triangles)[3], int *first, int *neighbours);
/* Makes the hull of `count` finite points. Where they lie in a plane, on a line or at one point, the hull is given a
 * thickness of THIN of their size (hull.c). LB_ERROR_ARGUMENT without points or with one that is not finite,
 * LB_ERROR_MEMORY; the hull is empty then. */
lb_status lbf_hull_make(const lb_allocator *allocator, int count, const double (*points)[3], lbf_hull *hull);
void lbf_hull_free(const lb_allocator *allocator, lbf_hull *hull);
/* Chooses at most `most` of the points, at least LBF_HULL_FEWEST, so that their hull is nearly that of all: no point is
 * farther than *radius from it, and it lies inside the hull of all. It ends with fewer where *radius is below `enough`.
 * Writes their hull, whose vertices they are. `count`, `points` and errors are those of lbf_hull_make. */
#define LBF_HULL_FEWEST 16
lb_status lbf_hull_limit(const lb_allocator *allocator, int count, const double (*points)[3], int most, double enough,
                         lbf_hull *hull, double *radius);
/* The hull as a solid, rounded by its excess. It points into the hull. */
void lbf_hull_solid(const lbf_hull *hull, lbm_convex *solid);

#endif
