/* Solids of shapes, and the balls and capsules that enclose them. */
#include <math.h>
#include <string.h>

#include "figure/hull/hull.h"
#include "math/rotation.h"
#include "problem/apart.h"

/* A convex of a shape that is no hull. */
static void set_convex(const lb_shape *shape, lbm_convex *c) {
    static const lbm_convex_kind kinds[] = {LBM_CONVEX_POINT, LBM_CONVEX_SEGMENT, LBM_CONVEX_BOX, LBM_CONVEX_CYLINDER,
                                            LBM_CONVEX_ELLIPSOID};
    c->kind = shape->kind == LB_SHAPE_HALF_SPACE ? LBM_CONVEX_HALF_SPACE : kinds[shape->kind];
    memcpy(c->size, shape->size, sizeof c->size);
    if (shape->kind == LB_SHAPE_SPHERE) {
        c->radius = shape->size[0];
    } else if (shape->kind == LB_SHAPE_CAPSULE) {
        const int is_tapered = shape->size[0] != shape->size[2];
        c->kind = is_tapered ? LBM_CONVEX_TAPERED : LBM_CONVEX_SEGMENT;
        c->radius = is_tapered ? 0 : shape->size[0];
    }
}

/* A hull's vertices in the frame of its mass, and who is beside whom, in the arena. */
static void cut_hull(const lb_shape *shape, lbp_solid *solid, lbm_arena *arena) {
    const size_t count = (size_t)shape->vertex_count, triangles = (size_t)shape->triangle_count;
    double(*vertices)[3] = lbm_cut(arena, count, sizeof *vertices);
    int *first = lbm_cut(arena, count + 1, sizeof *first),
        *neighbours = lbm_cut(arena, 3 * triangles, sizeof *neighbours);
    if (!solid) {
        return;
    }
    for (size_t i = 0; i < count; i++) {
        lbm_apply(&solid->frame, shape->vertices[i], vertices[i]);
    }
    lbf_hull_connect(shape->vertex_count, shape->triangle_count, shape->triangles, first, neighbours);
    solid->convex = (lbm_convex){.kind = LBM_CONVEX_HULL,
                                 .radius = shape->size[0],
                                 .vertex_count = shape->vertex_count,
                                 .vertices = (const double(*)[3])vertices,
                                 .first = first,
                                 .neighbours = neighbours};
    lbm_transform_identity(&solid->frame);
    solid->is_placed = 0;
}

/* The capsule about an axis of direction `way` that encloses points, rounded by `radius`. Returns its volume without
 * its ends. */
static double fit_capsule(int count, const double (*points)[3], const double way[3], double ends[2][3], double *round) {
    double u[3], v[3], low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY}, widest = 0;
    const int small = fabs(way[0]) <= fabs(way[1]) && fabs(way[0]) <= fabs(way[2]) ? 0
                      : fabs(way[1]) <= fabs(way[2])                               ? 1
                                                                                   : 2;
    const double other[3] = {small == 0, small == 1, small == 2};
    lbm_cross3(way, other, u);
    const double length = lbm_norm3(u);
    lbm_set3(u, u[0] / length, u[1] / length, u[2] / length);
    lbm_cross3(way, u, v);
    for (int i = 0; i < count; i++) {
        const double at[2] = {lbm_dot3(u, points[i]), lbm_dot3(v, points[i])};
        for (int c = 0; c < 2; c++) {
            low[c] = at[c] < low[c] ? at[c] : low[c];
            high[c] = at[c] > high[c] ? at[c] : high[c];
        }
    }
    const double middle[2] = {0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1])};
    for (int i = 0; i < count; i++) {
        const double a = lbm_dot3(u, points[i]) - middle[0], b = lbm_dot3(v, points[i]) - middle[1];
        widest = a * a + b * b > widest ? a * a + b * b : widest;
    }
    double from = INFINITY, to = -INFINITY;
    for (int i = 0; i < count; i++) {
        const double a = lbm_dot3(u, points[i]) - middle[0], b = lbm_dot3(v, points[i]) - middle[1],
                     t = lbm_dot3(way, points[i]), rest = widest - a * a - b * b, cap = sqrt(rest > 0 ? rest : 0);
        from = t + cap < from ? t + cap : from;
        to = t - cap > to ? t - cap : to;
    }
    if (from > to) { /* a ball is enough */
        from = to = 0.5 * (from + to);
    }
    for (int c = 0; c < 3; c++) {
        const double centre = middle[0] * u[c] + middle[1] * v[c];
        ends[0][c] = centre + from * way[c];
        ends[1][c] = centre + to * way[c];
    }
    *round = sqrt(widest);
    return widest * (to - from + 4.0 / 3 * *round);
}

/* The direction that points spread along most, by powers of their covariance. */
static void find_spread(int count, const double (*points)[3], double way[3]) {
    double mean[3] = {0, 0, 0}, m[9] = {0};
    for (int i = 0; i < count; i++) {
        lbm_add_scaled3(mean, points[i], 1.0 / count);
    }
    for (int i = 0; i < count; i++) {
        double off[3];
        lbm_sub3(points[i], mean, off);
        for (int k = 0; k < 9; k++) {
            m[k] += off[k / 3] * off[k % 3];
        }
    }
    lbm_set3(way, 1, 0.9, 0.8);
    for (int step = 0; step < 50; step++) {
        double next[3] = {lbm_dot3(m, way), lbm_dot3(m + 3, way), lbm_dot3(m + 6, way)};
        const double length = lbm_norm3(next);
        if (!(length > 0)) {
            break;
        }
        lbm_set3(way, next[0] / length, next[1] / length, next[2] / length);
    }
    const double length = lbm_norm3(way);
    lbm_set3(way, way[0] / length, way[1] / length, way[2] / length);
}

static void enclose_points(int count, const double (*points)[3], double radius, lbp_solid *s) {
    double ways[4][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}, least = INFINITY, low[3], high[3];
    find_spread(count, points, ways[3]);
    for (int k = 0; k < 4; k++) {
        double ends[2][3], round;
        const double volume = fit_capsule(count, points, ways[k], ends, &round);
        if (volume < least) {
            least = volume;
            memcpy(s->ends, ends, sizeof ends);
            s->round = round + radius;
        }
    }
    lbm_copy3(low, points[0]);
    lbm_copy3(high, points[0]);
    for (int i = 0; i < count; i++) {
        for (int c = 0; c < 3; c++) {
            low[c] = points[i][c] < low[c] ? points[i][c] : low[c];
            high[c] = points[i][c] > high[c] ? points[i][c] : high[c];
        }
    }
    for (int c = 0; c < 3; c++) {
        s->centre[c] = 0.5 * (low[c] + high[c]);
    }
    s->reach = 0;
    for (int i = 0; i < count; i++) {
        double off[3];
        lbm_sub3(points[i], s->centre, off);
        const double away = lbm_norm3(off);
        s->reach = away > s->reach ? away : s->reach;
    }
    s->reach += radius;
    s->reach *= 1 + 1e-12; /* rounding */
    s->round = s->round * (1 + 1e-12) + 1e-12 * s->reach;
}

static void enclose(lbp_solid *s) {
    const lbm_convex *c = &s->convex;
    double corners[8][3];
    if (c->kind == LBM_CONVEX_HULL) {
        enclose_points(c->vertex_count, c->vertices, c->radius, s);
        return;
    }
    if (c->kind == LBM_CONVEX_BOX) {
        for (int i = 0; i < 8; i++) {
            const double at[3] = {i & 1 ? c->size[0] : -c->size[0], i & 2 ? c->size[1] : -c->size[1],
                                  i & 4 ? c->size[2] : -c->size[2]};
            lbm_apply(&s->frame, at, corners[i]);
        }
        enclose_points(8, (const double(*)[3])corners, c->radius, s);
        return;
    }
    if (c->kind == LBM_CONVEX_HALF_SPACE) { /* nothing encloses it */
        lbm_copy3(s->centre, s->frame.p);
        lbm_copy3(s->ends[0], s->frame.p);
        lbm_copy3(s->ends[1], s->frame.p);
        s->reach = s->round = INFINITY;
        return;
    }
    const int is_long = c->kind == LBM_CONVEX_SEGMENT || c->kind == LBM_CONVEX_CYLINDER;
    const double up[3] = {0, 0, is_long ? c->size[1] : 0}, down[3] = {0, 0, -up[2]};
    lbm_copy3(s->centre, s->frame.p);
    s->reach = lbm_convex_reach(c) * (1 + 1e-12);
    s->round = is_long ? (c->kind == LBM_CONVEX_CYLINDER ? c->size[0] : 0) + c->radius : s->reach;
    lbm_apply(&s->frame, down, s->ends[0]);
    lbm_apply(&s->frame, up, s->ends[1]);
}

void lbp_cut_solid(const lb_shape *shape, lbp_solid *solid, lbm_arena *arena) {
    if (solid) {
        lbm_transform_from_frame(&shape->frame, &solid->frame);
        solid->is_placed = 1;
    }
    if (shape->kind == LB_SHAPE_HULL) {
        cut_hull(shape, solid, arena);
    } else if (solid) {
        set_convex(shape, &solid->convex);
    }
    if (solid) {
        enclose(solid);
    }
}
