/* Convex solids of src/math/convex for tests in C++, which cannot include its header. */
#ifndef LIMBER_TESTS_SOLIDS_H
#define LIMBER_TESTS_SOLIDS_H

#ifdef __cplusplus
extern "C" {
#endif

enum { SOLID_SPHERE, SOLID_CAPSULE, SOLID_BOX, SOLID_CYLINDER, SOLID_ELLIPSOID, SOLID_HULL, SOLID_KINDS };

typedef struct solid_shape {
    int kind;
    double size[3]; /* radius; radius and half length; half extents; radius and half length; semi-axes; unused */
    int vertex_count;
    const double *vertices; /* [3 * vertex_count] of a hull */
    double matrix[9];       /* row-major rotation */
    double position[3];
} solid_shape;

double solid_distance(const solid_shape *a, const solid_shape *b);

#ifdef __cplusplus
}
#endif

#endif
