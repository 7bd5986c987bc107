/* A hull on its way: hull_build.c grows it, hull.c makes a finished one of it. */
#ifndef LIMBER_FIGURE_HULL_BUILD_H
#define LIMBER_FIGURE_HULL_BUILD_H

#include "figure/memory.h"
#include "math/vec.h"

typedef struct lbf_hull_face {
    int corners[3];   /* counter-clockwise, seen from outside */
    int beside[3];    /* the face across the edge from corner i to corner i + 1 */
    double normal[3]; /* unit, outwards */
    double height;    /* normal . x of its plane */
    int outside;      /* the first of the points above it, -1: none */
    unsigned char gone;
    unsigned char seen; /* by the point that is being added */
} lbf_hull_face;

typedef struct lbf_hull_draft {
    const lb_allocator *allocator;
    int count;                 /* points */
    const double (*points)[3]; /* [count] */
    double least;              /* metres: a point that is less above a face is on it */
    int face_count, face_capacity;
    lbf_hull_face *faces;
    int *next;  /* [count]: of the points above the same face */
    int *start; /* [count]: the new face whose outer edge begins at this point, -1: none */
    int visible_count, visible_capacity;
    int *visible;
    int rim_count, rim_capacity;
    int (*rim)[3]; /* edges around the visible faces: from, to, the face that stays */
} lbf_hull_draft;

/* Grows the hull from four corners of a tetrahedron, by indices of points. Returns 0 if there is no memory. */
int lbf_hull_grow(lbf_hull_draft *draft, const int corners[4]);

#endif
