/* Shapes made of a mesh: the hull around it, and the triangles that are drawn. */
#include "io/mesh/mesh.h"

#include <stdlib.h>
#include <string.h>

#include "figure/hull/hull.h"
#include "figure/memory.h"

#define MOST_VERTICES \
    96              /* of a hull. More made no difference to how often arms in a box touch it (docs/collisions.md) */
#define ENOUGH 1e-4 /* metres: a hull that is nearer to all points needs no more vertices */

int lbio_mesh_hull(const lbio_cloud *cloud, lb_shape *shape) {
    const lb_allocator allocator = lbf_allocator(NULL);
    lbf_hull hull;
    double radius;
    const lb_status status = lbf_hull_limit(&allocator, cloud->count, (const double(*)[3])cloud->points, MOST_VERTICES,
                                            ENOUGH, &hull, &radius);
    if (status) {
        return 0;
    }
    double(*vertices)[3] = malloc((size_t)hull.vertex_count * sizeof *vertices);
    if (vertices) {
        memcpy(vertices, hull.vertices, (size_t)hull.vertex_count * sizeof *vertices);
        shape->kind = LB_SHAPE_HULL;
        shape->size[0] = radius;
        shape->vertex_count = hull.vertex_count;
        shape->vertices = (const double(*)[3])vertices;
    }
    lbf_hull_free(&allocator, &hull);
    return vertices != NULL;
}

/* --- Triangles ---------------------------------------------------------------------------------------------------------- */

/* The colours of the triangles, in the order of the file; what comes after the last that has room is like the last. */
static int list_paints(const lbio_cloud *cloud, int paints[LBIO_MESH_MAX_COLORS]) {
    int count = 0;
    for (int t = 0; t < cloud->triangle_count && count < LBIO_MESH_MAX_COLORS; t++) {
        int k = 0;
        while (k < count && paints[k] != cloud->triangles[t].paint) {
            k++;
        }
        if (k == count) {
            paints[count++] = cloud->triangles[t].paint;
        }
    }
    return count;
}

static int paint_of(const lbio_corners *corners, const int *paints, int count) {
    int k = 0;
    while (k + 1 < count && paints[k] != corners->paint) {
        k++;
    }
    return k;
}

/* The triangles of one colour, and the points that they have. place [cloud->count] is scratch. Returns 0 if there is no
 * memory. */
static int take_part(const lbio_cloud *cloud, const int *paints, int paint_count, int part, int *place,
                     lb_shape *shape) {
    int vertices = 0, triangles = 0;
    memset(place, 0, (size_t)cloud->count * sizeof *place);
    for (int t = 0; t < cloud->triangle_count; t++) {
        if (paint_of(&cloud->triangles[t], paints, paint_count) == part) {
            triangles++;
            for (int k = 0; k < 3; k++) {
                int *at = &place[cloud->triangles[t].at[k]];
                *at = *at ? *at : ++vertices;
            }
        }
    }
    double(*points)[3] = malloc((size_t)vertices * sizeof *points);
    int(*corners)[3] = malloc((size_t)triangles * sizeof *corners);
    if (!points || !corners) {
        free(points);
        free(corners);
        return 0;
    }
    for (int i = 0; i < cloud->count; i++) {
        if (place[i]) {
            memcpy(points[place[i] - 1], cloud->points[i], sizeof *points);
        }
    }
    int filled = 0;
    for (int t = 0; t < cloud->triangle_count; t++) {
        if (paint_of(&cloud->triangles[t], paints, paint_count) == part) {
            for (int k = 0; k < 3; k++) {
                corners[filled][k] = place[cloud->triangles[t].at[k]] - 1;
            }
            filled++;
        }
    }
    shape->vertices = (const double(*)[3])points;
    shape->vertex_count = vertices;
    shape->triangles = (const int(*)[3])corners;
    shape->triangle_count = triangles;
    return 1;
}

int lbio_mesh_shapes(const lbio_cloud *cloud, lb_shape shapes[LBIO_MESH_MAX_COLORS]) {
    int paints[LBIO_MESH_MAX_COLORS];
    const int count = list_paints(cloud, paints);
    lb_shape pattern = shapes[0];
    pattern.kind = LB_SHAPE_MESH;
    pattern.use = LB_SHAPE_USE_DRAWN;
    int *place = malloc(((size_t)cloud->count + 1) * sizeof *place), made = 0;
    while (place && made < count) {
        shapes[made] = pattern;
        shapes[made].color = paints[made] ? paints[made] - 1 : pattern.color;
        if (!take_part(cloud, paints, count, made, place, &shapes[made])) {
            break;
        }
        made++;
    }
    free(place);
    for (int i = 0; made < count && i < made; i++) {
        lbio_mesh_release(&shapes[i]);
    }
    return made < count ? -1 : made;
}

void lbio_mesh_release(lb_shape *shape) {
    if (shape->kind == LB_SHAPE_MESH || shape->kind == LB_SHAPE_HULL) {
        free((void *)shape->vertices);
        free((void *)shape->triangles);
    }
    shape->vertices = NULL;
    shape->triangles = NULL;
    shape->vertex_count = shape->triangle_count = 0;
}
