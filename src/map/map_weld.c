/* Corners that triangles share are one: a third of the size, and shading without edges. */
#include "map/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct loose_corner {
    double p[3];
    int at; /* 3 * triangle + corner */
} loose_corner;

static int compare_places(const double a[3], const double b[3]) {
    for (int i = 0; i < 3; i++) {
        if (a[i] != b[i]) {
            return a[i] < b[i] ? -1 : 1;
        }
    }
    return 0;
}

/* By place, then by number, so that the order does not depend on the sort. */
static int compare(const void *a, const void *b) {
    const loose_corner *x = a, *y = b;
    const int by_place = compare_places(x->p, y->p);
    return by_place ? by_place : x->at < y->at ? -1 : x->at > y->at;
}

/* Adds the triangle's normal, as long as twice its area, to those of its corners. */
static void add_normal(const lbmap_triangle *t, const int corners[3], lbmap_vertex *vertices) {
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        const double n = (t->p[1][j] - t->p[0][j]) * (t->p[2][k] - t->p[0][k]) -
                         (t->p[1][k] - t->p[0][k]) * (t->p[2][j] - t->p[0][j]);
        for (int c = 0; c < 3; c++) {
            vertices[corners[c]].normal[i] += n;
        }
    }
}

static void make_unit(double v[3]) {
    const double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int i = 0; i < 3; i++) {
        v[i] = length > 0 ? v[i] / length : i == 2;
    }
}

lb_status lbmap_weld(const lbmap_surface *s, lbmap_mesh *mesh, lb_error *error) {
    const size_t count = 3 * (size_t)s->count;
    loose_corner *loose = malloc((count + 1) * sizeof *loose);
    *mesh = (lbmap_mesh){.triangle_count = s->count};
    mesh->index = malloc((count + 1) * sizeof *mesh->index);
    mesh->vertices = calloc(count + 1, sizeof *mesh->vertices);
    if (!loose || !mesh->index || !mesh->vertices) {
        free(loose);
        lbmap_mesh_free(mesh);
        return lbio_error(error, LB_ERROR_MEMORY, NULL, 0, "no memory for the surface");
    }
    for (size_t i = 0; i < count; i++) {
        memcpy(loose[i].p, s->triangles[i / 3].p[i % 3], sizeof loose[i].p);
        loose[i].at = (int)i;
    }
    qsort(loose, count, sizeof *loose, compare);
    for (size_t i = 0; i < count; i++) {
        if (i == 0 || compare_places(loose[i].p, loose[i - 1].p) != 0) {
            memcpy(mesh->vertices[mesh->vertex_count++].p, loose[i].p, sizeof loose[i].p);
        }
        mesh->index[loose[i].at] = mesh->vertex_count - 1;
    }
    for (int t = 0; t < s->count; t++) {
        add_normal(&s->triangles[t], mesh->index + 3 * t, mesh->vertices);
    }
    for (int v = 0; v < mesh->vertex_count; v++) {
        make_unit(mesh->vertices[v].normal);
    }
    free(loose);
    return LB_OK;
}

void lbmap_mesh_free(lbmap_mesh *mesh) {
    free(mesh->index);
    free(mesh->vertices);
    *mesh = (lbmap_mesh){0};
}
