/* Support functions of convex cores. */
#include "math/convex/convex.h"

static double larger(double a, double b) { return a > b ? a : b; }
static double sign_of(double value, double size) { return value < 0 ? -size : size; }

/* The point of a disc of this radius, or the ball, that is farthest along a direction of `count` coordinates. */
static void support_ball(const double direction[3], int count, double radius, double point[3]) {
    double flat[3] = {direction[0], direction[1], count > 2 ? direction[2] : 0};
    const double length = lbm_safe_norm3(flat);
    for (int i = 0; i < count; i++) {
        point[i] = length > 0 ? flat[i] / length * radius : i == 0 ? radius : 0;
    }
}

static void support_ellipsoid(const double size[3], const double direction[3], double point[3]) {
    double scaled[3] = {size[0] * direction[0], size[1] * direction[1], size[2] * direction[2]};
    const double length = lbm_safe_norm3(scaled);
    for (int i = 0; i < 3; i++) {
        point[i] = length > 0 ? size[i] * (scaled[i] / length) : i == 0 ? size[0] : 0;
    }
}

static void support_tapered(const double size[3], const double direction[3], double point[3]) {
    double low[3], high[3];
    support_ball(direction, 3, size[0], low);
    support_ball(direction, 3, size[2], high);
    low[2] -= size[1];
    high[2] += size[1];
    lbm_copy3(point, lbm_dot3(low, direction) > lbm_dot3(high, direction) ? low : high);
}

/* A linear function has no maximum on a convex polyhedron's graph but its greatest: from neighbour to neighbour
 * upwards. */
static int climb(const lbm_convex *hull, const double direction[3], int at) {
    double best = lbm_dot3(hull->vertices[at], direction);
    for (int moved = 1; moved;) {
        const int from = at;
        moved = 0;
        for (int k = hull->first[from]; k < hull->first[from + 1]; k++) {
            const double value = lbm_dot3(hull->vertices[hull->neighbours[k]], direction);
            if (value > best) {
                best = value;
                at = hull->neighbours[k];
                moved = 1;
            }
        }
    }
    return at;
}

static int look_through(const lbm_convex *hull, const double direction[3]) {
    int at = 0;
    double best = lbm_dot3(hull->vertices[0], direction);
    for (int i = 1; i < hull->vertex_count; i++) {
        const double value = lbm_dot3(hull->vertices[i], direction);
        if (value > best) {
            best = value;
            at = i;
        }
    }
    return at;
}

void lbm_convex_support(const lbm_convex *solid, const double direction[3], int *hint, double point[3]) {
    const double *size = solid->size;
    switch (solid->kind) {
    case LBM_CONVEX_SEGMENT:
        lbm_set3(point, 0, 0, sign_of(direction[2], size[1]));
        return;
    case LBM_CONVEX_BOX:
        lbm_set3(point, sign_of(direction[0], size[0]), sign_of(direction[1], size[1]), sign_of(direction[2], size[2]));
        return;
    case LBM_CONVEX_CYLINDER:
        support_ball(direction, 2, size[0], point);
        point[2] = sign_of(direction[2], size[1]);
        return;
    case LBM_CONVEX_ELLIPSOID:
        support_ellipsoid(size, direction, point);
        return;
    case LBM_CONVEX_TAPERED:
        support_tapered(size, direction, point);
        return;
    case LBM_CONVEX_HULL:
        *hint = solid->first ? climb(solid, direction, *hint) : look_through(solid, direction);
        lbm_copy3(point, solid->vertices[*hint]);
        return;
    default:
        lbm_set3(point, 0, 0, 0);
    }
}

double lbm_convex_reach(const lbm_convex *solid) {
    const double *size = solid->size;
    double reach = 0;
    switch (solid->kind) {
    case LBM_CONVEX_SEGMENT:
        reach = size[1];
        break;
    case LBM_CONVEX_BOX:
        reach = lbm_norm3(size);
        break;
    case LBM_CONVEX_CYLINDER:
        reach = sqrt(size[0] * size[0] + size[1] * size[1]);
        break;
    case LBM_CONVEX_ELLIPSOID:
        reach = larger(size[0], larger(size[1], size[2]));
        break;
    case LBM_CONVEX_TAPERED:
        reach = size[1] + larger(size[0], size[2]);
        break;
    case LBM_CONVEX_HULL:
        for (int i = 0; i < solid->vertex_count; i++) {
            reach = larger(reach, lbm_norm3(solid->vertices[i]));
        }
        break;
    case LBM_CONVEX_HALF_SPACE:
        return INFINITY;
    default:
        break;
    }
    return reach + solid->radius;
}
