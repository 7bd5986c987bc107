/* Hulls: convex solids of triangles. Planes are kept in the shape's own frame and unit, to which rays are taken. */
#include "io/render/render.h"

#include <stdlib.h>
#include <string.h>

void lbio_prim_set_hull(lbio_scene *scene, lbio_prim *prim, const lb_shape *shape) {
    prim->hull = shape;
    prim->unit = 1;
    prim->planes = malloc(((size_t)shape->triangle_count + 1) * sizeof *prim->planes);
    scene->has_failed |= !prim->planes;
    for (int t = 0; prim->planes && t < shape->triangle_count; t++) {
        const double *a = shape->vertices[shape->triangles[t][0]], *b = shape->vertices[shape->triangles[t][1]],
                     *c = shape->vertices[shape->triangles[t][2]];
        double u[3], v[3], *plane = prim->planes[t];
        lbio_along(b, -1, a, u);
        lbio_along(c, -1, a, v);
        lbio_cross(u, v, plane);
        lbio_normalize(plane);
        plane[3] = lbio_dot(plane, a) + shape->size[0]; /* rounded: a little farther out */
    }
}

void lbio_hull_extent(lbio_prim *prim) {
    for (int i = 0; i < 3; i++) {
        prim->low[i] = INFINITY, prim->high[i] = -INFINITY;
    }
    for (int k = 0; k < prim->hull->vertex_count; k++) {
        double at[3];
        lbio_rotate(prim->r, prim->hull->vertices[k], at);
        for (int i = 0; i < 3; i++) {
            const double x = prim->p[i] + at[i] / prim->unit, round = prim->hull->size[0] / prim->unit;
            prim->low[i] = fmin(prim->low[i], x - round);
            prim->high[i] = fmax(prim->high[i], x + round);
        }
    }
}

int lbio_hull_hit(const lbio_prim *prim, const double o[3], const double d[3], double t_min, lbio_hit *hit) {
    double near_t = -INFINITY, far_t = INFINITY, from[3] = {o[0] * prim->unit, o[1] * prim->unit, o[2] * prim->unit};
    int near_face = -1, far_face = -1;
    for (int t = 0; t < prim->hull->triangle_count; t++) {
        const double *plane = prim->planes[t], slope = lbio_dot(plane, d), room = plane[3] - lbio_dot(plane, from);
        if (fabs(slope) < 1e-14) {
            if (room < 0) {
                return 0;
            }
        } else if (slope < 0 && room / slope > near_t) {
            near_t = room / slope, near_face = t;
        } else if (slope > 0 && room / slope < far_t) {
            far_t = room / slope, far_face = t;
        }
        if (near_t > far_t) {
            return 0;
        }
    }
    const int is_near = near_t / prim->unit > t_min, face = is_near ? near_face : far_face;
    const double t = (is_near ? near_t : far_t) / prim->unit;
    if (face < 0 || !(t > t_min && t < hit->t)) {
        return 0;
    }
    hit->t = t, hit->face = 0;
    memcpy(hit->n, prim->planes[face], sizeof hit->n);
    return 1;
}

int lbio_hull_span(const lbio_prim *prim, double (*points)[3]) {
    int count = 0;
    for (int k = 0; k < 27; k++) { /* the farthest vertex in each of 26 directions */
        const double way[3] = {k % 3 - 1, k / 3 % 3 - 1, k / 9 - 1};
        double most = -INFINITY, at[3];
        int best = 0;
        for (int i = 0; i < prim->hull->vertex_count && k != 13; i++) {
            const double along = lbio_dot(way, prim->hull->vertices[i]);
            if (along > most) {
                most = along, best = i;
            }
        }
        lbio_rotate(prim->r, prim->hull->vertices[best], at);
        lbio_along(prim->p, 1 / prim->unit, at, points[count++]);
    }
    return count;
}
