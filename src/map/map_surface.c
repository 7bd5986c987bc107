/* The surface around what is reached: marching tetrahedra through the middles of cells, over a field that is smoothed
 * once. */
#include "map/surface.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Points of the field: the cells, and a layer of zeros around them, so that every surface is closed. */
typedef struct field {
    int size[3];
    double origin[3], spacing;
    float *values;
} field;

static float *at(const field *f, int x, int y, int z) {
    return f->values + x + (size_t)f->size[0] * ((size_t)y + (size_t)f->size[1] * (size_t)z);
}

/* Means of three neighbours along an axis. */
static int smooth(field *f, int axis) {
    const size_t count = (size_t)f->size[0] * (size_t)f->size[1] * (size_t)f->size[2];
    const size_t stride = axis == 0 ? 1 : axis == 1 ? (size_t)f->size[0] : (size_t)f->size[0] * (size_t)f->size[1];
    float *out = malloc(count * sizeof *out);
    if (!out) {
        return 0;
    }
    for (size_t i = 0; i < count; i++) {
        const float before = i >= stride ? f->values[i - stride] : 0,
                    after = i + stride < count ? f->values[i + stride] : 0;
        out[i] = (before + 2 * f->values[i] + after) / 4;
    }
    free(f->values);
    f->values = out;
    return 1;
}

static int make_field(const lb_map *map, field *f) {
    const lbmap_layout *l = &map->layout;
    for (int i = 0; i < 3; i++) {
        f->size[i] = (int)l->shape[i] + 4;
        f->origin[i] = l->origin[i] - 2 * l->spacing;
    }
    f->spacing = l->spacing;
    f->values = calloc((size_t)f->size[0] * (size_t)f->size[1] * (size_t)f->size[2], sizeof *f->values);
    for (int64_t c = 0; f->values && c < l->cell_count; c++) {
        const int64_t x = c % l->shape[0], y = c / l->shape[0] % l->shape[1], z = c / l->shape[0] / l->shape[1];
        *at(f, (int)x + 2, (int)y + 2, (int)z + 2) = map->states[c] == LB_MAP_STATE_REACHED;
    }
    /* a slice of one cell would vanish */
    return f->values && (l->shape[0] < 3 || smooth(f, 0)) && (l->shape[1] < 3 || smooth(f, 1)) &&
           (l->shape[2] < 3 || smooth(f, 2));
}

static int reserve(lbmap_surface *s) {
    if (s->count < s->room) {
        return 1;
    }
    const int room = s->room ? 2 * s->room : 4096;
    lbmap_triangle *triangles = realloc(s->triangles, (size_t)room * sizeof *triangles);
    if (triangles) {
        s->triangles = triangles, s->room = room;
    }
    return triangles != NULL;
}

typedef struct corner {
    double p[3];
    float value;
} corner;

#define LEVEL 0.497f /* a half, but no sum of 64ths: triangles of no area would leave holes */

static void cross_edge(const corner *a, const corner *b, double out[3]) {
    const double t = (LEVEL - a->value) / (double)(b->value - a->value);
    for (int i = 0; i < 3; i++) {
        out[i] = a->p[i] + t * (b->p[i] - a->p[i]);
    }
}

/* Adds a triangle whose normal points away from `inside`. */
static int add_triangle(lbmap_surface *s, const double a[3], const double b[3], const double c[3],
                        const double inside[3]) {
    double u[3], v[3], n[3], side = 0;
    if (!reserve(s)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        u[i] = b[i] - a[i], v[i] = c[i] - a[i];
    }
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        n[i] = u[j] * v[k] - u[k] * v[j];
        side += n[i] * (a[i] - inside[i]);
    }
    lbmap_triangle *t = &s->triangles[s->count];
    memcpy(t->p[0], a, sizeof t->p[0]);
    memcpy(t->p[1], side >= 0 ? b : c, sizeof t->p[1]);
    memcpy(t->p[2], side >= 0 ? c : b, sizeof t->p[2]);
    s->count += n[0] * n[0] + n[1] * n[1] + n[2] * n[2] > 0;
    return 1;
}

/* The surface in one tetrahedron: none, a triangle, or four corners. */
static int march(lbmap_surface *s, const corner c[4]) {
    int in[4], out[4], ins = 0, outs = 0;
    double p[4][3];
    for (int i = 0; i < 4; i++) {
        if (c[i].value >= LEVEL) {
            in[ins++] = i;
        } else {
            out[outs++] = i;
        }
    }
    if (!ins || !outs) {
        return 1;
    }
    if (ins == 2) {
        cross_edge(&c[in[0]], &c[out[0]], p[0]), cross_edge(&c[in[0]], &c[out[1]], p[1]);
        cross_edge(&c[in[1]], &c[out[1]], p[2]), cross_edge(&c[in[1]], &c[out[0]], p[3]);
        return add_triangle(s, p[0], p[1], p[2], c[in[0]].p) && add_triangle(s, p[0], p[2], p[3], c[in[0]].p);
    }
    for (int i = 0; i < 3; i++) {
        cross_edge(&c[ins == 1 ? in[0] : in[i]], &c[ins == 1 ? out[i] : out[0]], p[i]);
    }
    return add_triangle(s, p[0], p[1], p[2], c[in[0]].p);
}

/* Six tetrahedra around the diagonal of a cube. */
static int march_cube(lbmap_surface *s, const field *f, int x, int y, int z) {
    static const int paths[6][2] = {{1, 3}, {1, 5}, {2, 3}, {2, 6}, {4, 5}, {4, 6}};
    corner c[8];
    for (int i = 0; i < 8; i++) {
        const int place[3] = {x + (i & 1), y + (i >> 1 & 1), z + (i >> 2)};
        c[i].value = *at(f, place[0], place[1], place[2]);
        for (int k = 0; k < 3; k++) {
            c[i].p[k] = f->origin[k] + place[k] * f->spacing;
        }
    }
    for (int i = 0; i < 6; i++) {
        const corner four[4] = {c[0], c[paths[i][0]], c[paths[i][1]], c[7]};
        if (!march(s, four)) {
            return 0;
        }
    }
    return 1;
}

lb_status lbmap_surface_make(const lb_map *map, lbmap_surface *s, lb_error *error) {
    field f = {0};
    memset(s, 0, sizeof *s);
    if (!map->layout.is_grid || map->layout.cell_count > (int64_t)1 << 28) {
        return lbio_error(error, LB_ERROR_UNSUPPORTED, map->path, 0,
                          map->layout.is_grid ? "has too many cells for a surface"
                                              : "is a list of points; a surface needs a grid");
    }
    int is_well = make_field(map, &f);
    for (int z = 0; is_well && z + 1 < f.size[2]; z++) {
        for (int y = 0; is_well && y + 1 < f.size[1]; y++) {
            for (int x = 0; is_well && x + 1 < f.size[0]; x++) {
                is_well = march_cube(s, &f, x, y, z);
            }
        }
    }
    free(f.values);
    if (!is_well) {
        lbmap_surface_free(s);
        return lbio_error(error, LB_ERROR_MEMORY, map->path, 0, "no memory for the surface");
    }
    return LB_OK;
}

void lbmap_surface_free(lbmap_surface *s) {
    free(s->triangles);
    memset(s, 0, sizeof *s);
}

void lbmap_color(double share, double rgb[3]) {
    /* nine colours of viridis, which also people who confuse red and green can tell apart */
    static const double table[9][3] = {{0.267, 0.005, 0.329}, {0.278, 0.176, 0.482}, {0.231, 0.318, 0.545},
                                       {0.173, 0.443, 0.557}, {0.129, 0.565, 0.549}, {0.153, 0.678, 0.502},
                                       {0.361, 0.784, 0.388}, {0.667, 0.863, 0.196}, {0.993, 0.906, 0.144}};
    const double place = 8 * fmin(fmax(share, 0), 1);
    const int low = place < 8 ? (int)place : 7;
    for (int i = 0; i < 3; i++) {
        rgb[i] = table[low][i] + (place - low) * (table[low + 1][i] - table[low][i]);
    }
}

double lbmap_share(const lb_map *map, int64_t cell) {
    if (map->layout.orientation_count > 1) {
        int counts[4];
        lbmap_cell_state(map->frames + cell * map->layout.orientation_count, map->layout.orientation_count, counts);
        return (double)counts[LB_MAP_STATE_REACHED] / map->layout.orientation_count;
    }
    const double margin = map->fields[(int64_t)LBMAP_FIELD_MARGIN * map->layout.cell_count + cell];
    return isfinite(margin) ? margin : 0;
}
