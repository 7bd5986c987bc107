/* The hull of points: a first tetrahedron, the growing (hull_build.c), the finished hull and how far points are outside
 * of it. */
#include "figure/hull/hull.h"

#include "figure/hull/hull_build.h"

#define THIN 1e-6      /* of their size: how thick points in a plane are made */
#define LEAST 1e-12    /* of their size: a point that is less above a face is on it */
#define SMALLEST 1e-6  /* metres: the size that points at one place are given */
#define ROUNDING 1e-15 /* of how far out the points are: what an excess may be wrong by */
#define BOX_ROUNDING 1e-14
#define BLOCK 32 /* points that are looked at together */
#define EXTRA 6  /* points that make flat ones thick */

/* The farthest point from the first `found` of corners: from the point, the line or the plane through them. */
static int farthest(const lbf_hull_draft *d, const int *corners, int found, double *distance) {
    double u[3] = {0, 0, 0}, v[3] = {0, 0, 0}, n[3] = {0, 0, 0};
    const double *origin = d->points[corners[0]];
    int best = corners[0];
    *distance = 0;
    if (found > 1) {
        lbm_sub3(d->points[corners[1]], origin, u);
    }
    if (found > 2) {
        lbm_sub3(d->points[corners[2]], origin, v);
        lbm_cross3(u, v, n);
    }
    const double length = found == 2 ? lbm_norm3(u) : lbm_norm3(n);
    for (int i = 0; i < d->count; i++) {
        double off[3], t[3], its;
        lbm_sub3(d->points[i], origin, off);
        lbm_cross3(u, off, t);
        its = found == 1 ? lbm_norm3(off) : found == 2 ? lbm_norm3(t) / length : fabs(lbm_dot3(n, off)) / length;
        if (its > *distance) {
            *distance = its;
            best = i;
        }
    }
    return best;
}

/* Four points far apart. Returns 0 where no four are `thin` away from a plane. */
static int find_tetrahedron(const lbf_hull_draft *d, double thin, int corners[4]) {
    corners[0] = 0;
    for (int found = 1; found < 4; found++) {
        double distance;
        corners[found] = farthest(d, corners, found, &distance);
        if (!(distance > thin)) {
            return 0;
        }
    }
    return 1;
}

static void measure(int count, const double (*points)[3], double *size, double centre[3], double *reach) {
    double low[3], high[3];
    lbm_copy3(low, points[0]);
    lbm_copy3(high, points[0]);
    *reach = 0;
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            low[c] = points[i][c] < low[c] ? points[i][c] : low[c];
            high[c] = points[i][c] > high[c] ? points[i][c] : high[c];
            *reach = fabs(points[i][c]) > *reach ? fabs(points[i][c]) : *reach;
        }
    }
    double extent[3];
    lbm_sub3(high, low, extent);
    *size = lbm_norm3(extent);
    for (int c = 0; c < 3; c++) {
        centre[c] = low[c] + 0.5 * extent[c];
    }
}

void lbf_hull_connect(int vertex_count, int triangle_count, const int (*triangles)[3], int *first, int *neighbours) {
    memset(first, 0, ((size_t)vertex_count + 1) * sizeof *first);
    for (int t = 0; t < triangle_count; t++) {
        for (int e = 0; e < 3; e++) {
            first[triangles[t][e] + 1]++; /* on a closed surface each vertex begins one edge to each neighbour */
        }
    }
    for (int i = 0; i < vertex_count; i++) {
        first[i + 1] += first[i];
    }
    for (int t = triangle_count - 1; t >= 0; t--) { /* counts down from each end, then first is the beginning again */
        for (int e = 0; e < 3; e++) {
            neighbours[--first[triangles[t][e] + 1]] = triangles[t][(e + 1) % 3];
        }
    }
    for (int i = 0; i < vertex_count; i++) {
        first[i] = first[i + 1];
    }
    first[vertex_count] = 3 * triangle_count;
}

/* Vertices, triangles and neighbours of a finished draft; renumber [point]. Returns 0 if there is no memory. */
static int finish(const lbf_hull_draft *d, int *renumber, lbf_hull *h) {
    for (int i = 0; i < d->count; i++) {
        renumber[i] = -1;
    }
    for (int f = 0; f < d->face_count; f++) {
        h->triangle_count += !d->faces[f].gone;
        for (int e = 0; e < 3 && !d->faces[f].gone; e++) {
            int *number = &renumber[d->faces[f].corners[e]];
            *number = *number < 0 ? h->vertex_count++ : *number;
        }
    }
    h->vertices = lbf_new(d->allocator, (size_t)h->vertex_count, sizeof *h->vertices);
    h->triangles = lbf_new(d->allocator, (size_t)h->triangle_count, sizeof *h->triangles);
    h->first = lbf_new(d->allocator, (size_t)h->vertex_count + 1, sizeof *h->first);
    h->neighbours = lbf_new(d->allocator, 3 * (size_t)h->triangle_count, sizeof *h->neighbours);
    if (!h->vertices || !h->triangles || !h->first || !h->neighbours) {
        return 0;
    }
    for (int f = 0, t = 0; f < d->face_count; f++) {
        for (int e = 0; e < 3 && !d->faces[f].gone; e++) {
            const int vertex = renumber[d->faces[f].corners[e]];
            h->triangles[t][e] = vertex;
            lbm_copy3(h->vertices[vertex], d->points[d->faces[f].corners[e]]);
        }
        t += !d->faces[f].gone;
    }
    lbf_hull_connect(h->vertex_count, h->triangle_count, (const int(*)[3])h->triangles, h->first, h->neighbours);
    return 1;
}

/* How far the points of a box can be above a face, at most. */
static double box_above(const lbf_hull_face *face, const double low[3], const double high[3]) {
    double above = -face->height;
    for (int c = 0; c < 3; c++) {
        above += face->normal[c] * (face->normal[c] > 0 ? high[c] : low[c]);
    }
    return above;
}

/* How far points are outside. Most of a mesh is inside of most faces: neighbours in the list, which mostly are near
 * each other, are looked at one by one only where the box around them is not below a face. slack: what rounding takes
 * from that box. */
static double excess_of(const lbf_hull_draft *d, double slack) {
    double excess = 0;
    for (int from = 0; from < d->count; from += BLOCK) {
        const int to = from + BLOCK < d->count ? from + BLOCK : d->count;
        double low[3], high[3];
        lbm_copy3(low, d->points[from]);
        lbm_copy3(high, d->points[from]);
        for (int i = from; i < to; i++) {
            for (int c = 0; c < 3; c++) {
                low[c] = d->points[i][c] < low[c] ? d->points[i][c] : low[c];
                high[c] = d->points[i][c] > high[c] ? d->points[i][c] : high[c];
            }
        }
        for (int f = 0; f < d->face_count; f++) {
            const lbf_hull_face *face = &d->faces[f];
            if (face->gone || box_above(face, low, high) + slack < excess) {
                continue;
            }
            for (int i = from; i < to; i++) {
                const double above = lbm_dot3(face->normal, d->points[i]) - face->height;
                excess = above > excess ? above : excess;
            }
        }
    }
    return excess;
}

static void free_draft(lbf_hull_draft *d, double (*copy)[3], int room) {
    lbf_delete(d->allocator, d->faces, (size_t)d->face_capacity, sizeof *d->faces);
    lbf_delete(d->allocator, d->visible, (size_t)d->visible_capacity, sizeof *d->visible);
    lbf_delete(d->allocator, d->rim, (size_t)d->rim_capacity, sizeof *d->rim);
    lbf_delete(d->allocator, d->next, (size_t)room, sizeof *d->next);
    lbf_delete(d->allocator, d->start, (size_t)room, sizeof *d->start);
    lbf_delete(d->allocator, copy, (size_t)room, sizeof *copy);
}

lb_status lbf_hull_make(const lb_allocator *allocator, int count, const double (*points)[3], lbf_hull *hull) {
    memset(hull, 0, sizeof *hull);
    if (count < 1 || count > INT32_MAX - EXTRA || !points || !lbm_all_finite(points[0], 3)) {
        return LB_ERROR_ARGUMENT;
    }
    for (int i = 0; i < count; i++) {
        if (!lbm_all_finite(points[i], 3)) {
            return LB_ERROR_ARGUMENT;
        }
    }
    const int room = count + EXTRA;
    lbf_hull_draft d = {.allocator = allocator, .count = count};
    double(*copy)[3] = lbf_new(allocator, (size_t)room, sizeof *copy), size, centre[3], reach;
    int corners[4], is_well;
    d.next = lbf_new(allocator, (size_t)room, sizeof *d.next);
    d.start = lbf_new(allocator, (size_t)room, sizeof *d.start);
    is_well = copy && d.next && d.start;
    if (is_well) {
        memcpy(copy, points, (size_t)count * sizeof *copy);
        d.points = (const double(*)[3])copy;
        measure(count, points, &size, centre, &reach);
        const double whole = size > SMALLEST ? size : SMALLEST, thin = THIN * whole;
        d.least = LEAST * (whole + reach);
        if (!find_tetrahedron(&d, 0.1 * thin, corners)) {
            for (int i = 0; i < EXTRA; i++) {
                lbm_copy3(copy[count + i], centre);
                copy[count + i][i / 2] += i % 2 ? thin : -thin;
            }
            d.count = room;
            find_tetrahedron(&d, 0, corners);
        }
        is_well = lbf_hull_grow(&d, corners) && finish(&d, d.next, hull);
    }
    if (is_well) {
        hull->excess = excess_of(&d, BOX_ROUNDING * reach) + ROUNDING * reach;
    } else {
        lbf_hull_free(allocator, hull);
    }
    free_draft(&d, copy, room);
    return is_well ? LB_OK : LB_ERROR_MEMORY;
}

void lbf_hull_free(const lb_allocator *allocator, lbf_hull *h) {
    lbf_delete(allocator, h->vertices, (size_t)h->vertex_count, sizeof *h->vertices);
    lbf_delete(allocator, h->triangles, (size_t)h->triangle_count, sizeof *h->triangles);
    lbf_delete(allocator, h->first, (size_t)h->vertex_count + 1, sizeof *h->first);
    lbf_delete(allocator, h->neighbours, 3 * (size_t)h->triangle_count, sizeof *h->neighbours);
    memset(h, 0, sizeof *h);
}

void lbf_hull_solid(const lbf_hull *hull, lbm_convex *solid) {
    memset(solid, 0, sizeof *solid);
    solid->kind = LBM_CONVEX_HULL;
    solid->radius = hull->excess;
    solid->vertex_count = hull->vertex_count;
    solid->vertices = (const double(*)[3])hull->vertices;
    solid->first = hull->first;
    solid->neighbours = hull->neighbours;
}
