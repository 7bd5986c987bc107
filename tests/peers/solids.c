#include "solids.h"

#include "math/convex/convex.h"

static void convert(const solid_shape *shape, lbm_convex *convex, lbm_transform *frame) {
    static const lbm_convex_kind kinds[SOLID_KINDS] = {LBM_CONVEX_POINT,    LBM_CONVEX_SEGMENT,   LBM_CONVEX_BOX,
                                                       LBM_CONVEX_CYLINDER, LBM_CONVEX_ELLIPSOID, LBM_CONVEX_HULL};
    memset(convex, 0, sizeof *convex);
    convex->kind = kinds[shape->kind];
    lbm_copy3(convex->size, shape->size);
    convex->radius = shape->kind == SOLID_SPHERE || shape->kind == SOLID_CAPSULE ? shape->size[0] : 0;
    convex->vertex_count = shape->vertex_count;
    convex->vertices = (const double(*)[3])(const void *)shape->vertices;
    lbm_transform_identity(frame);
    for (int r = 0; r < 3; r++) {
        frame->x[r] = shape->matrix[3 * r];
        frame->y[r] = shape->matrix[3 * r + 1];
        frame->z[r] = shape->matrix[3 * r + 2];
        frame->p[r] = shape->position[r];
    }
}

double solid_distance(const solid_shape *a, const solid_shape *b) {
    lbm_convex first, second;
    lbm_transform at_first, at_second;
    lbm_gap gap;
    convert(a, &first, &at_first);
    convert(b, &second, &at_second);
    lbm_convex_distance(&first, &at_first, &second, &at_second, INFINITY, &gap);
    return gap.distance;
}
