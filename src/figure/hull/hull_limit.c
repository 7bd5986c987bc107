/* A hull of few vertices for many points: exact where they suffice, else the points that are farthest outside of it are
 * added until there are as many as may be, and what is still outside says how far the hull is to be rounded. */
#include <string.h>

#include "figure/hull/hull.h"
#include "figure/memory.h"

#define CHUNK 2048          /* points whose hull is made at once: the hull of hulls is that of all */
#define DIRECTIONS 14       /* along the axes and the diagonals between them: where the first vertices are found */
#define BATCH 8             /* vertices that are added between two hulls */
#define DISTANCE_ERROR 1e-8 /* of lbm_convex_distance, for solids of a metre */

/* Points on their way. */
typedef struct sifter {
    const lb_allocator *allocator;
    int count, room;
    double (*points)[3];
} sifter;

/* Replaces the points by the vertices of the hulls of chunks. Each pass leaves fewer points; it ends where a pass takes
 * off less than half, or one chunk is left. */
static lb_status sift(sifter *s) {
    while (s->count > CHUNK) {
        int kept = 0;
        for (int from = 0; from < s->count; from += CHUNK) {
            const int size = s->count - from < CHUNK ? s->count - from : CHUNK;
            lbf_hull hull;
            const lb_status status = lbf_hull_make(s->allocator, size, (const double(*)[3])s->points + from, &hull);
            if (status) {
                return status;
            }
            const int is_less = hull.vertex_count < size;
            memmove(s->points + kept, is_less ? hull.vertices : s->points + from,
                    (size_t)(is_less ? hull.vertex_count : size) * sizeof *s->points);
            kept += is_less ? hull.vertex_count : size;
            lbf_hull_free(s->allocator, &hull);
        }
        const int is_worth = kept < s->count / 2;
        s->count = kept;
        if (!is_worth) {
            break;
        }
    }
    return LB_OK;
}

/* Moves point `index` behind the first `chosen`. Returns the number of those that are chosen. */
static int choose(sifter *s, int index, int chosen) {
    double kept[3];
    if (index < chosen) {
        return chosen;
    }
    lbm_copy3(kept, s->points[chosen]);
    lbm_copy3(s->points[chosen], s->points[index]);
    lbm_copy3(s->points[index], kept);
    return chosen + 1;
}

/* The points that are farthest along each of the first directions come to the beginning. */
static int choose_first(sifter *s) {
    int chosen = 0;
    for (int k = 0; k < DIRECTIONS; k++) {
        double way[3] = {0, 0, 0}, most = -INFINITY;
        int best = 0;
        for (int c = 0; c < 3; c++) {
            way[c] = k >= 6 ? ((k - 6) >> c & 1 ? 1 : -1) : k / 2 == c ? (k % 2 ? 1 : -1) : 0;
        }
        for (int i = 0; i < s->count; i++) {
            const double along = lbm_dot3(way, s->points[i]);
            if (along > most) {
                most = along;
                best = i;
            }
        }
        chosen = choose(s, best, chosen);
    }
    return chosen;
}

/* How far a point is above the highest of the hull's faces; which one, in *face. */
static double height_above(const lbf_hull *hull, const double (*normals)[4], const double point[3], int *face) {
    double most = -INFINITY;
    for (int t = 0; t < hull->triangle_count; t++) {
        const double above = lbm_dot3(normals[t], point) - normals[t][3];
        if (above > most) {
            most = above;
            *face = t;
        }
    }
    return most;
}

/* Unit normals of the hull's faces, and the height of their planes. */
static void find_planes(const lbf_hull *hull, double (*planes)[4]) {
    for (int t = 0; t < hull->triangle_count; t++) {
        const int *corner = hull->triangles[t];
        double u[3], v[3];
        lbm_sub3(hull->vertices[corner[1]], hull->vertices[corner[0]], u);
        lbm_sub3(hull->vertices[corner[2]], hull->vertices[corner[0]], v);
        lbm_cross3(u, v, planes[t]);
        const double length = lbm_norm3(planes[t]);
        for (int c = 0; c < 3; c++) {
            planes[t][c] = length > 0 ? planes[t][c] / length : 0;
        }
        planes[t][3] = lbm_dot3(planes[t], hull->vertices[corner[0]]);
    }
}

/* Chooses up to BATCH more points, each the farthest above another face of the hull of those chosen, and returns how
 * many are chosen then; as many as before where none is more than `enough` above. */
static int choose_more(sifter *s, const lbf_hull *hull, int chosen, int most, double enough) {
    double(*planes)[4] = lbf_new(s->allocator, (size_t)hull->triangle_count, sizeof *planes);
    if (!planes) {
        return -1;
    }
    find_planes(hull, planes);
    int best[BATCH], faces[BATCH], found = 0;
    double heights[BATCH];
    for (int i = chosen; i < s->count; i++) {
        int face = 0, at;
        const double height = height_above(hull, (const double(*)[4])planes, s->points[i], &face);
        for (at = 0; at < found && faces[at] != face; at++) {
        }
        if (!(height > enough) || (at < found && heights[at] >= height)) {
            continue;
        }
        if (at == found && found == BATCH) { /* takes the place of the lowest */
            at = 0;
            for (int k = 1; k < BATCH; k++) {
                at = heights[k] < heights[at] ? k : at;
            }
            if (heights[at] >= height) {
                continue;
            }
        }
        found += at == found;
        best[at] = i;
        faces[at] = face;
        heights[at] = height;
    }
    lbf_delete(s->allocator, planes, (size_t)hull->triangle_count, sizeof *planes);
    for (int k = 0; k < found && chosen < most; k++) {
        const int index = best[k];
        for (int other = k + 1; other < found; other++) { /* the point that goes to where `index` was */
            best[other] = best[other] == chosen ? index : best[other];
        }
        chosen = choose(s, index, chosen);
    }
    return chosen;
}

/* How far the farthest of the points is from the hull. */
static double farthest(const sifter *s, const lbf_hull *hull) {
    static const lbm_transform here = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    lbm_convex solid, point = {.kind = LBM_CONVEX_POINT};
    double most = 0, size = 1;
    lbf_hull_solid(hull, &solid);
    solid.radius = 0;
    for (int i = 0; i < s->count; i++) {
        lbm_transform at = here;
        lbm_gap gap;
        lbm_copy3(at.p, s->points[i]);
        lbm_convex_distance(&point, &at, &solid, &here, INFINITY, &gap);
        most = gap.distance > most ? gap.distance : most;
        size = lbm_norm3(s->points[i]) > size ? lbm_norm3(s->points[i]) : size;
    }
    return most > 0 ? most + DISTANCE_ERROR * size : 0;
}

static lb_status limit(sifter *s, int most, double enough, lbf_hull *hull, double *radius) {
    lb_status status = sift(s);
    if (!status) {
        status = lbf_hull_make(s->allocator, s->count, (const double(*)[3])s->points, hull);
    }
    if (status || hull->vertex_count <= most) {
        *radius = hull->excess;
        return status;
    }
    s->count = hull->vertex_count;
    memcpy(s->points, hull->vertices, (size_t)s->count * sizeof *s->points);
    for (int chosen = choose_first(s), before = 0; chosen > before && !status;) {
        lbf_hull_free(s->allocator, hull);
        status = lbf_hull_make(s->allocator, chosen, (const double(*)[3])s->points, hull);
        before = chosen;
        if (!status && chosen < most) {
            chosen = choose_more(s, hull, chosen, most, enough);
            status = chosen < 0 ? LB_ERROR_MEMORY : LB_OK;
        }
    }
    *radius = status ? 0 : farthest(s, hull);
    return status;
}

lb_status lbf_hull_limit(const lb_allocator *allocator, int count, const double (*points)[3], int most, double enough,
                         lbf_hull *hull, double *radius) {
    memset(hull, 0, sizeof *hull);
    *radius = 0;
    if (count < 1 || !points || most < LBF_HULL_FEWEST) {
        return LB_ERROR_ARGUMENT;
    }
    sifter s = {allocator, count, count, lbf_new(allocator, (size_t)count, sizeof *s.points)};
    if (!s.points) {
        return LB_ERROR_MEMORY;
    }
    memcpy(s.points, points, (size_t)count * sizeof *points);
    const lb_status status = limit(&s, most, enough, hull, radius);
    if (status) {
        lbf_hull_free(allocator, hull);
    }
    lbf_delete(allocator, s.points, (size_t)s.room, sizeof *s.points);
    return status;
}
