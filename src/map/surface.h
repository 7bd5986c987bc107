/* The surface of a map, and the colours of its cells. */
#ifndef LIMBER_MAP_SURFACE_H
#define LIMBER_MAP_SURFACE_H

#include "map/map.h"

typedef struct lbmap_triangle {
    double p[3][3]; /* counter-clockwise, seen from outside */
} lbmap_triangle;

typedef struct lbmap_surface {
    lbmap_triangle *triangles;
    int count, room;
} lbmap_surface;

/* The surface around all cells that are reached. */
lb_status lbmap_surface_make(const lb_map *map, lbmap_surface *surface, lb_error *error);
void lbmap_surface_free(lbmap_surface *surface);
/* The same with corners that triangles share. */
typedef struct lbmap_vertex {
    double p[3], normal[3];
} lbmap_vertex;

typedef struct lbmap_mesh {
    int vertex_count, triangle_count;
    lbmap_vertex *vertices;
    int *index; /* [triangle][3] */
} lbmap_mesh;

lb_status lbmap_weld(const lbmap_surface *surface, lbmap_mesh *mesh, lb_error *error);
void lbmap_mesh_free(lbmap_mesh *mesh);

/* What the colour of a cell shows, 0 to 1: the share of its orientations that are reached; of maps of positions the
 * margin. */
double lbmap_share(const lb_map *map, int64_t cell);
/* The colour of a share, sRGB. */
void lbmap_color(double share, double rgb[3]);

#endif
