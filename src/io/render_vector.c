/* Silhouettes with gradients, back to front: small files that stay sharp at any size. The colours are those of the ray caster,
 * sampled where a gradient needs them, so shadows and creases are there too. */
#include "io/render.h"
#include <stdlib.h>
#include <string.h>

#define RING 32        /* points of a round outline */
#define ALONG 16       /* hits kept along one ray when sorting */
#define DENSE_MOST 1500 /* solids that are sorted pair by pair */
#define SHADOW_LAYERS 16

typedef struct sheet {
    const lbio_picture *picture;
    const lbio_pane *pane;
    const lbio_camera *camera;
    const lbio_scene *scene;
    lbio_light light;
    lbio_painter *painter;
} sheet;

static lbio_ink ink_from_linear(const double rgb[3], double alpha) {
    lbio_ink ink = {{lbio_from_linear(rgb[0]), lbio_from_linear(rgb[1]), lbio_from_linear(rgb[2])}, alpha};
    return ink;
}

/* --- Order: what hides what ---------------------------------------------------------------------- */

/* Rays over the view vote for each pair of solids on which is in front; votes[i * n + j] counts "i before j". */
static void vote(const sheet *s, int *votes, unsigned char *is_seen) {
    int n = s->scene->prim_count;
    double step = fmax(1.5, sqrt(s->pane->rect.w * s->pane->rect.h / 60000));
    for (double y = s->pane->rect.y; y < s->pane->rect.y + s->pane->rect.h; y += step) {
        for (double x = s->pane->rect.x; x < s->pane->rect.x + s->pane->rect.w; x += step) {
            lbio_hit hits[ALONG];
            lbio_ray ray;
            lbio_camera_ray(s->camera, x, y, &ray);
            int count = lbio_tree_all(s->scene, &ray, hits, ALONG);
            if (count) {
                is_seen[hits[0].prim] = 1;
            }
            for (int a = 0; a < count; a++) {
                for (int b = a + 1; b < count; b++) {
                    votes[(size_t)hits[a].prim * (size_t)n + (size_t)hits[b].prim] += a == 0 ? 4 : 1; /* the first is what is seen */
                }
            }
        }
    }
}

static double depth_of(const sheet *s, int k) {
    double xy[2];
    return lbio_camera_project(s->camera, s->scene->prims[k].p, xy);
}

typedef struct far_first {
    double depth;
    int prim;
} far_first;

static int by_depth(const void *a, const void *b) {
    const far_first *p = a, *q = b;
    return p->depth != q->depth ? (p->depth > q->depth ? -1 : 1) : p->prim - q->prim;
}

/* Draws next whatever hides least of what is yet to be drawn; in a tree of solids that is nearly always nothing. */
static void order_by_votes(int *order, const far_first *sorted, int n, const int *votes) {
    unsigned char *is_done = calloc((size_t)n, 1);
    long *cost = calloc((size_t)n, sizeof *cost);
    for (int i = 0; cost && is_done && i < n; i++) {
        for (int j = 0; j < n; j++) {
            long in_front = votes[(size_t)i * (size_t)n + (size_t)j] - votes[(size_t)j * (size_t)n + (size_t)i];
            cost[i] += in_front > 0 ? in_front : 0;
        }
    }
    for (int k = 0; k < n; k++) {
        int best = -1;
        for (int r = 0; cost && is_done && r < n; r++) {
            int i = sorted[r].prim;
            if (!is_done[i] && (best < 0 || cost[i] < cost[best])) {
                best = i;
            }
        }
        best = best < 0 ? sorted[k].prim : best; /* no memory: by depth */
        order[k] = best;
        for (int i = 0; cost && is_done && i < n; i++) {
            long in_front = votes[(size_t)i * (size_t)n + (size_t)best] - votes[(size_t)best * (size_t)n + (size_t)i];
            cost[i] -= in_front > 0 ? in_front : 0;
        }
        if (is_done) {
            is_done[best] = 1;
        }
    }
    free(is_done);
    free(cost);
}

/* Fills order far to near, without the solids that no ray saw; returns how many, or -1. */
static int sort_prims(const sheet *s, int *order) {
    int n = s->scene->prim_count, kept = 0;
    far_first *sorted = malloc((size_t)n * sizeof *sorted);
    unsigned char *is_seen = calloc((size_t)n, 1);
    int *votes = n <= DENSE_MOST ? calloc((size_t)n * (size_t)n, sizeof *votes) : NULL;
    if (sorted && is_seen) {
        for (int k = 0; k < n; k++) {
            sorted[k].depth = depth_of(s, k), sorted[k].prim = k;
        }
        qsort(sorted, (size_t)n, sizeof *sorted, by_depth);
        for (int k = 0; k < n; k++) {
            order[k] = sorted[k].prim;
        }
        if (votes) {
            vote(s, votes, is_seen);
            order_by_votes(order, sorted, n, votes);
        }
        for (int k = 0; k < n; k++) {
            const lbio_prim *prim = &s->scene->prims[order[k]];
            /* Solids thinner than the rays' spacing may have been missed: they are kept. */
            double thin = (prim->kind == LB_SHAPE_BOX ? fmin(prim->size[0], fmin(prim->size[1], prim->size[2])) : prim->size[0]);
            int is_thin = thin * s->camera->pixels_per_unit < 3;
            if (!votes || is_seen[order[k]] || is_thin) {
                order[kept++] = order[k];
            }
        }
    }
    kept = sorted && is_seen ? kept : -1;
    free(sorted);
    free(is_seen);
    free(votes);
    return kept;
}

/* --- Outlines ------------------------------------------------------------------------------------ */

/* The outline of the unit ball seen from `eye` (perspective) or along `back`: a circle of points, in the ball's space. */
static void ball_ring(const double eye[3], const double back[3], int is_perspective, double (*ring)[3]) {
    double axis[3], a[3], b[3], height = 0, radius = 1;
    memcpy(axis, is_perspective ? eye : back, sizeof axis);
    double length = lbio_normalize(axis);
    if (is_perspective && length > 1) { /* the points x with x . eye = 1 */
        height = 1 / length;
        radius = sqrt(1 - height * height);
    }
    lbio_basis(axis, a, b);
    for (int k = 0; k < RING; k++) {
        double turn = 2 * LBIO_PI * k / RING;
        for (int i = 0; i < 3; i++) {
            ring[k][i] = height * axis[i] + radius * (cos(turn) * a[i] + sin(turn) * b[i]);
        }
    }
}

/* Ring of a ball or ellipsoid at local height z of a solid, in the scene. */
static void round_ring(const sheet *s, const lbio_prim *prim, double z, const double size[3], double (*ring)[3]) {
    double from[3], eye[3], back[3];
    lbio_along(s->camera->eye, -1, prim->p, from);
    lbio_unrotate(prim->r, from, eye);
    lbio_unrotate(prim->r, s->camera->back, back);
    eye[2] -= z;
    for (int i = 0; i < 3; i++) {
        eye[i] /= size[i], back[i] /= size[i];
    }
    ball_ring(eye, back, s->camera->is_perspective, ring);
    for (int k = 0; k < RING; k++) {
        double local[3] = {ring[k][0] * size[0], ring[k][1] * size[1], ring[k][2] * size[2] + z}, turned[3];
        lbio_rotate(prim->r, local, turned);
        lbio_along(prim->p, 1, turned, ring[k]);
    }
}

/* Points of the scene whose hull on the picture is the solid's silhouette. */
static int silhouette_points(const sheet *s, const lbio_prim *prim, double (*points)[3]) {
    const double *size = prim->size;
    if (prim->kind == LB_SHAPE_BOX) {
        return lbio_prim_span(prim, points);
    }
    if (prim->kind == LB_SHAPE_CYLINDER) {
        for (int k = 0; k < 2 * RING; k++) {
            double turn = 2 * LBIO_PI * (k % RING) / RING, turned[3];
            double local[3] = {size[0] * cos(turn), size[0] * sin(turn), k < RING ? -size[1] : size[1]};
            lbio_rotate(prim->r, local, turned);
            lbio_along(prim->p, 1, turned, points[k]);
        }
        return 2 * RING;
    }
    if (prim->kind == LB_SHAPE_CAPSULE) {
        double low[3] = {size[0], size[0], size[0]}, high[3] = {size[2], size[2], size[2]};
        round_ring(s, prim, -size[1], low, points);
        round_ring(s, prim, size[1], high, points + RING);
        return 2 * RING;
    }
    double same[3] = {size[0], size[0], size[0]};
    round_ring(s, prim, 0, prim->kind == LB_SHAPE_ELLIPSOID ? size : same, points);
    return RING;
}

static int by_x(const void *a, const void *b) {
    const double *p = a, *q = b;
    return p[0] != q[0] ? (p[0] < q[0] ? -1 : 1) : p[1] != q[1] ? (p[1] < q[1] ? -1 : 1) : 0;
}

static double turn2(const double a[2], const double b[2], const double c[2]) {
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]);
}

/* The convex hull of `count` points (Andrew's monotone chain); hull needs room for count + 1. */
static int hull_of(double (*xy)[2], int count, double (*hull)[2]) {
    int size = 0;
    qsort(xy, (size_t)count, sizeof *xy, by_x);
    for (int pass = 0; pass < 2; pass++) {
        int floor_size = size + 1;
        for (int k = 0; k < count; k++) {
            const double *p = xy[pass ? count - 1 - k : k];
            while (size > floor_size && turn2(hull[size - 2], hull[size - 1], p) <= 1e-9) {
                size--;
            }
            hull[size][0] = p[0], hull[size][1] = p[1];
            size++;
        }
        size--; /* the last is the first of the other half */
    }
    return size;
}

static int project_hull(const sheet *s, double (*points)[3], int count, double (*hull)[2]) {
    double xy[2 * RING][2];
    for (int k = 0; k < count; k++) {
        if (lbio_camera_project(s->camera, points[k], xy[k]) < 0.02) {
            return 0;
        }
    }
    return hull_of(xy, count, hull);
}

/* --- Colours ------------------------------------------------------------------------------------- */

/* What the ray caster makes of a solid at a pixel; 0 where the solid is not there. */
static int color_at(const sheet *s, const lbio_prim *prim, double x, double y, double rgb[3]) {
    lbio_ray ray;
    lbio_hit hit = {.t = INFINITY};
    double p[3];
    lbio_camera_ray(s->camera, x, y, &ray);
    if (!lbio_prim_hit(prim, &ray, 0, &hit)) {
        return 0;
    }
    lbio_along(ray.o, hit.t, ray.d, p);
    /* A point that another solid hides, or swallows, would stain what is seen beside it: it is taken as open. */
    lbio_hit first = {.t = INFINITY, .prim = -1};
    lbio_arrival arrival = {1, 0.9};
    if (lbio_tree_hit(s->scene, &ray, 0, &first) && first.t > hit.t - 1e-6) {
        arrival = lbio_light_arrival(&s->light, p, hit.n);
    }
    lbio_light_surface(&s->light, prim->color, p, hit.n, ray.d, arrival, rgb);
    return 1;
}

static lbio_style edge_style(const lbio_prim *prim) {
    double dark[3];
    for (int i = 0; i < 3; i++) {
        dark[i] = 0.22 * prim->color[i];
    }
    lbio_style style = {.stroke = ink_from_linear(dark, 0.55), .width = 0.6};
    return style;
}

/* The middle of a silhouette and its half lengths along two directions of the picture. */
static void measure(const double (*hull)[2], int count, const double along[2], double middle[2], double half[2]) {
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < count; k++) {
        double at[2] = {hull[k][0] * along[0] + hull[k][1] * along[1], -hull[k][0] * along[1] + hull[k][1] * along[0]};
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], at[i]);
            high[i] = fmax(high[i], at[i]);
        }
    }
    double a = (low[0] + high[0]) / 2, b = (low[1] + high[1]) / 2;
    middle[0] = a * along[0] - b * along[1], middle[1] = a * along[1] + b * along[0];
    half[0] = fmax((high[0] - low[0]) / 2, 1e-3), half[1] = fmax((high[1] - low[1]) / 2, 1e-3);
}

/* Round solids: bright at a focus towards the light, dark at the rim. */
static void radial_gradient(const sheet *s, const lbio_prim *prim, const double along[2], const double middle[2],
                            const double half[2], lbio_gradient *g) {
    double brightest = -1, rgb[3];
    memset(g, 0, sizeof *g);
    g->is_radial = 1, g->count = 6;
    g->matrix[0] = half[0] * along[0], g->matrix[1] = half[0] * along[1];
    g->matrix[2] = -half[1] * along[1], g->matrix[3] = half[1] * along[0];
    g->matrix[4] = middle[0], g->matrix[5] = middle[1];
    for (int k = 0; k < 17; k++) {
        double r = k ? (k <= 8 ? 0.3 : 0.55) : 0, u = r * cos(k * LBIO_PI / 4), v = r * sin(k * LBIO_PI / 4);
        double x = middle[0] + u * g->matrix[0] + v * g->matrix[2], y = middle[1] + u * g->matrix[1] + v * g->matrix[3];
        if (color_at(s, prim, x, y, rgb) && rgb[0] + rgb[1] + rgb[2] > brightest) {
            brightest = rgb[0] + rgb[1] + rgb[2];
            g->focus[0] = u, g->focus[1] = v;
        }
    }
    for (int k = 0; k < g->count; k++) {
        double f = (double)k / (g->count - 1), sum[3] = {0, 0, 0}, reach = fmin(f, 0.97);
        int found = 0;
        for (int turn = 0; turn < 10; turn++) {
            double cu = cos(turn * LBIO_PI / 5), cv = sin(turn * LBIO_PI / 5);
            double u = g->focus[0] + (cu - g->focus[0]) * reach, v = g->focus[1] + (cv - g->focus[1]) * reach;
            if (color_at(s, prim, middle[0] + u * g->matrix[0] + v * g->matrix[2],
                         middle[1] + u * g->matrix[1] + v * g->matrix[3], rgb)) {
                found++;
                lbio_along(sum, 1, rgb, sum);
            }
        }
        for (int i = 0; i < 3; i++) {
            rgb[i] = found ? sum[i] / found : prim->color[i];
        }
        g->offset[k] = f;
        g->stop[k] = ink_from_linear(rgb, 1);
    }
}

/* Long solids: across their axis. Averages three places along it. */
static void across_gradient(const sheet *s, const lbio_prim *prim, const double along[2], const double middle[2],
                            const double half[2], lbio_gradient *g) {
    memset(g, 0, sizeof *g);
    g->count = LBIO_STOPS;
    g->matrix[0] = -2 * half[1] * along[1], g->matrix[1] = 2 * half[1] * along[0];
    g->matrix[2] = -g->matrix[1], g->matrix[3] = g->matrix[0];
    g->matrix[4] = middle[0] - g->matrix[0] / 2, g->matrix[5] = middle[1] - g->matrix[1] / 2;
    for (int k = 0; k < g->count; k++) {
        double f = (double)k / (g->count - 1), sum[3] = {0, 0, 0}, rgb[3];
        int found = 0;
        for (int place = -1; place <= 1; place++) {
            double shift = 0.4 * place * half[0], in = lbio_clamp(f, 0.03, 0.97);
            for (int try = 0; try < 6; try++, in += (0.5 - in) * 0.25) { /* tapered: the rim may lie further in */
                if (color_at(s, prim, g->matrix[4] + in * g->matrix[0] + shift * along[0],
                             g->matrix[5] + in * g->matrix[1] + shift * along[1], rgb)) {
                    found++;
                    lbio_along(sum, 1, rgb, sum);
                    break;
                }
            }
        }
        for (int i = 0; i < 3; i++) {
            rgb[i] = found ? sum[i] / found : prim->color[i];
        }
        g->offset[k] = f;
        g->stop[k] = ink_from_linear(rgb, 1);
    }
}

/* Creases and shadows along the axis, as a darkness laid over; returns 0 where there is none to speak of. */
static int along_gradient(const sheet *s, const lbio_prim *prim, const double along[2], const double middle[2],
                          const double half[2], lbio_gradient *g) {
    double light[LBIO_STOPS], sorted[LBIO_STOPS], rgb[3];
    memset(g, 0, sizeof *g);
    g->count = LBIO_STOPS;
    for (int k = 0; k < g->count; k++) {
        double shift = (2.0 * k / (g->count - 1) - 1) * 0.94 * half[0];
        light[k] = color_at(s, prim, middle[0] + shift * along[0], middle[1] + shift * along[1], rgb)
                       ? rgb[0] + rgb[1] + rgb[2]
                       : -1;
        g->offset[k] = (double)k / (g->count - 1);
    }
    memcpy(sorted, light, sizeof sorted);
    for (int a = 1; a < LBIO_STOPS; a++) {
        for (int b = a; b > 0 && sorted[b - 1] > sorted[b]; b--) {
            double swap = sorted[b];
            sorted[b] = sorted[b - 1], sorted[b - 1] = swap;
        }
    }
    double usual = fmax(sorted[LBIO_STOPS / 2 + 1], 1e-6), deepest = 0;
    for (int k = 0; k < g->count; k++) {
        g->stop[k].rgb[2] = 0.06;
        g->stop[k].alpha = light[k] < 0 ? 0 : lbio_clamp(1 - sqrt(light[k] / usual), 0, 0.5);
        deepest = fmax(deepest, g->stop[k].alpha);
    }
    g->matrix[0] = 2 * half[0] * along[0], g->matrix[1] = 2 * half[0] * along[1];
    g->matrix[2] = -g->matrix[1], g->matrix[3] = g->matrix[0];
    g->matrix[4] = middle[0] - g->matrix[0] / 2, g->matrix[5] = middle[1] - g->matrix[1] / 2;
    return deepest > 0.05;
}

/* --- Solids -------------------------------------------------------------------------------------- */

/* A flat polygon of the solid: darker towards one side where the light says so. */
static void paint_face(const sheet *s, const lbio_prim *prim, double (*xy)[2], int count) {
    lbio_gradient g = {.count = 2, .offset = {0, 1}};
    double middle[2] = {0, 0}, rgb[2][2][3], best = -1;
    for (int k = 0; k < count; k++) {
        middle[0] += xy[k][0] / count, middle[1] += xy[k][1] / count;
    }
    int quarter = count / 4;
    for (int axis = 0; axis < 2; axis++) { /* two ways across: take the one with more change */
        double ends[2][2];
        for (int end = 0; end < 2; end++) {
            int a = (axis * quarter + end * 2 * quarter) % count, b = (a + quarter) % count;
            for (int i = 0; i < 2; i++) {
                ends[end][i] = middle[i] + 0.9 * ((xy[a][i] + xy[b][i]) / 2 - middle[i]);
            }
            if (!color_at(s, prim, ends[end][0], ends[end][1], rgb[axis][end])) {
                memcpy(rgb[axis][end], prim->color, sizeof rgb[axis][end]);
            }
        }
        double change = 0;
        for (int i = 0; i < 3; i++) {
            change += fabs(rgb[axis][0][i] - rgb[axis][1][i]);
        }
        if (change > best) {
            best = change;
            g.matrix[0] = ends[1][0] - ends[0][0], g.matrix[1] = ends[1][1] - ends[0][1];
            g.matrix[2] = -g.matrix[1], g.matrix[3] = g.matrix[0];
            g.matrix[4] = ends[0][0], g.matrix[5] = ends[0][1];
            g.stop[0] = ink_from_linear(rgb[axis][0], 1), g.stop[1] = ink_from_linear(rgb[axis][1], 1);
        }
    }
    lbio_style style = edge_style(prim);
    style.gradient = &g;
    if (fabs(g.matrix[0]) + fabs(g.matrix[1]) < 0.05) { /* edge-on: nothing to see */
        style.gradient = NULL, style.fill = g.stop[0];
    }
    lbio_paint_path(s->painter, (const double(*)[2])xy, NULL, count, 1, &style);
}

/* Whether a face with this outward normal (scene) through this point looks at the camera. */
static int is_facing(const sheet *s, const double p[3], const double n[3]) {
    double toward[3];
    lbio_along(s->camera->eye, -1, p, toward);
    return lbio_dot(s->camera->is_perspective ? toward : s->camera->back, n) > 0;
}

static void paint_box(const sheet *s, const lbio_prim *prim) {
    for (int axis = 0; axis < 3; axis++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            int u = (axis + 1) % 3, v = (axis + 2) % 3;
            double n[3] = {0, 0, 0}, p[3], turned[3], xy[4][2];
            n[axis] = sign;
            lbio_rotate(prim->r, n, n);
            lbio_along(prim->p, prim->size[axis], n, p);
            if (!is_facing(s, p, n)) {
                continue;
            }
            int is_seen = 1;
            for (int k = 0; k < 4; k++) {
                double local[3], corner[3];
                local[axis] = sign * prim->size[axis];
                local[u] = (k == 1 || k == 2 ? 1 : -1) * prim->size[u];
                local[v] = (k >= 2 ? 1 : -1) * prim->size[v];
                lbio_rotate(prim->r, local, turned);
                lbio_along(prim->p, 1, turned, corner);
                is_seen &= lbio_camera_project(s->camera, corner, xy[k]) > 0.02;
            }
            if (is_seen) {
                paint_face(s, prim, xy, 4);
            }
        }
    }
}

static void paint_cap(const sheet *s, const lbio_prim *prim) {
    for (int sign = -1; sign <= 1; sign += 2) {
        double n[3] = {0, 0, sign}, p[3], xy[RING][2];
        lbio_rotate(prim->r, n, n);
        lbio_along(prim->p, prim->size[1], n, p);
        if (!is_facing(s, p, n)) {
            continue;
        }
        for (int k = 0; k < RING; k++) {
            double turn = 2 * LBIO_PI * k / RING, turned[3], point[3];
            double local[3] = {prim->size[0] * cos(turn), prim->size[0] * sin(turn), sign * prim->size[1]};
            lbio_rotate(prim->r, local, turned);
            lbio_along(prim->p, 1, turned, point);
            lbio_camera_project(s->camera, point, xy[k]);
        }
        paint_face(s, prim, xy, RING);
    }
}

/* The axis of a long solid on the picture; returns its length in pixels. */
static double axis_on_picture(const sheet *s, const lbio_prim *prim, double along[2]) {
    double axis[3] = {prim->r[2], prim->r[5], prim->r[8]}, ends[2][3], xy[2][2];
    double half = prim->kind == LB_SHAPE_CAPSULE || prim->kind == LB_SHAPE_CYLINDER ? prim->size[1] : prim->size[2];
    if (prim->kind == LB_SHAPE_ELLIPSOID) { /* its longest semi-axis */
        int longest = prim->size[0] > prim->size[1] ? 0 : 1;
        longest = prim->size[2] > prim->size[longest] ? 2 : longest;
        half = prim->size[longest];
        axis[0] = prim->r[longest], axis[1] = prim->r[3 + longest], axis[2] = prim->r[6 + longest];
    }
    lbio_along(prim->p, -half, axis, ends[0]);
    lbio_along(prim->p, half, axis, ends[1]);
    lbio_camera_project(s->camera, ends[0], xy[0]);
    lbio_camera_project(s->camera, ends[1], xy[1]);
    along[0] = xy[1][0] - xy[0][0], along[1] = xy[1][1] - xy[0][1];
    double length = hypot(along[0], along[1]);
    if (length < 1e-6) {
        along[0] = 1, along[1] = 0;
        return 0;
    }
    along[0] /= length, along[1] /= length;
    return length;
}

static void paint_prim(const sheet *s, const lbio_prim *prim) {
    double points[2 * RING][3], hull[2 * RING + 2][2], along[2], middle[2], half[2];
    lbio_gradient g;
    if (prim->kind == LB_SHAPE_BOX) {
        paint_box(s, prim);
        return;
    }
    int count = project_hull(s, points, silhouette_points(s, prim, points), hull);
    if (count < 3) {
        return;
    }
    double length = axis_on_picture(s, prim, along);
    measure((const double(*)[2])hull, count, along, middle, half);
    int is_long = prim->kind == LB_SHAPE_CYLINDER || (prim->kind == LB_SHAPE_CAPSULE && length > 0.9 * half[1]);
    if (is_long) {
        across_gradient(s, prim, along, middle, half, &g);
    } else {
        radial_gradient(s, prim, along, middle, half, &g);
    }
    lbio_style style = edge_style(prim);
    style.gradient = &g;
    lbio_paint_path(s->painter, (const double(*)[2])hull, NULL, count, 1, &style);
    lbio_style shade = {.gradient = &g};
    if (is_long && along_gradient(s, prim, along, middle, half, &g)) {
        lbio_paint_path(s->painter, (const double(*)[2])hull, NULL, count, 1, &shade);
    }
    if (prim->kind == LB_SHAPE_CYLINDER) {
        paint_cap(s, prim);
    }
}

/* --- Backdrop ------------------------------------------------------------------------------------ */

static void paint_sky(const sheet *s) {
    lbio_gradient g = {.count = LBIO_STOPS, .matrix = {0, s->pane->rect.h, -1, 0, s->pane->rect.x, s->pane->rect.y}};
    lbio_style style = {.gradient = &g};
    lbio_light sky = s->light;
    sky.has_ground = 0;
    for (int k = 0; k < g.count; k++) {
        double rgb[3], f = (double)k / (g.count - 1);
        lbio_ray ray;
        lbio_camera_ray(s->camera, s->pane->rect.x, s->pane->rect.y, &ray);
        lbio_light_backdrop(&sky, s->camera, &ray, f, rgb);
        g.offset[k] = f;
        g.stop[k] = ink_from_linear(rgb, 1);
    }
    lbio_paint_rect(s->painter, s->pane->rect, &style);
}

/* Where the ground is plain: a disc that melts into the sky. */
static void paint_disc(const sheet *s) {
    const lbio_scene *scene = s->scene;
    double middle[3] = {(scene->low[0] + scene->high[0]) / 2, (scene->low[1] + scene->high[1]) / 2, scene->ground};
    double xy[64][2], radius = s->light.fade_out, center[2];
    lbio_gradient g = {.is_radial = 1, .count = 6};
    lbio_camera_project(s->camera, middle, center);
    for (int k = 0; k < 64; k++) {
        double turn = k * LBIO_PI / 32;
        double p[3] = {middle[0] + radius * cos(turn), middle[1] + radius * sin(turn), middle[2]};
        if (lbio_camera_project(s->camera, p, xy[k]) < 0.1) {
            return; /* around the camera: the sky alone serves */
        }
    }
    double low[2] = {INFINITY, INFINITY}, high[2] = {-INFINITY, -INFINITY};
    for (int k = 0; k < 64; k++) {
        for (int i = 0; i < 2; i++) {
            low[i] = fmin(low[i], xy[k][i]), high[i] = fmax(high[i], xy[k][i]);
        }
    }
    g.matrix[0] = (high[0] - low[0]) / 2, g.matrix[3] = fmax((high[1] - low[1]) / 2, 0.01);
    g.matrix[4] = (low[0] + high[0]) / 2, g.matrix[5] = (low[1] + high[1]) / 2;
    g.focus[1] = lbio_clamp((center[1] - g.matrix[5]) / g.matrix[3], -0.8, 0.8);
    double flat = lbio_smooth(0.0, 0.06, s->camera->back[2]);
    for (int k = 0; k < g.count; k++) {
        double f = (double)k / (g.count - 1);
        g.offset[k] = f;
        g.stop[k] = ink_from_linear(s->light.theme->ground,
                                    flat * (1 - lbio_smooth(s->light.fade_in, s->light.fade_out, f * radius)));
    }
    lbio_style style = {.gradient = &g};
    lbio_paint_path(s->painter, (const double(*)[2])xy, NULL, 64, 1, &style);
}

#define GRID_LEVELS 6
#define GRID_LINES 40

/* The grid, cut into pieces that fade; pieces of like strength share one path. */
static lb_status paint_grid(const sheet *s) {
    double step = s->light.grid_step, reach = s->light.fade_out;
    double(*xy)[2] = malloc(sizeof *xy * 2 * (2 * GRID_LINES + 1) * (2 * GRID_LINES + 1));
    int *counts = malloc(sizeof *counts * (2 * GRID_LINES + 1) * (2 * GRID_LINES + 1));
    if (!xy || !counts) {
        free(xy);
        free(counts);
        return LB_ERROR_MEMORY;
    }
    for (int level = 1; level <= GRID_LEVELS; level++) {
        for (int axis = 0; axis < 2; axis++) {
            int pieces = 0;
            for (int a = -GRID_LINES; a <= GRID_LINES; a++) {
                for (int b = -GRID_LINES; b < GRID_LINES; b++) {
                    double ends[2][3];
                    for (int end = 0; end < 2; end++) {
                        ends[end][axis] = s->light.grid_origin[axis] + a * step;
                        ends[end][1 - axis] = s->light.grid_origin[1 - axis] + (b + end) * step;
                        ends[end][2] = s->scene->ground;
                    }
                    double middle[3] = {(ends[0][0] + ends[1][0]) / 2, (ends[0][1] + ends[1][1]) / 2, 0};
                    if (fabs(a * step) > reach || fabs(b * step) > reach ||
                        (int)ceil(lbio_light_ground_fade(&s->light, middle) * GRID_LEVELS - 0.3) != level) {
                        continue;
                    }
                    if (lbio_camera_project(s->camera, ends[0], xy[2 * pieces]) > 0.05 &&
                        lbio_camera_project(s->camera, ends[1], xy[2 * pieces + 1]) > 0.05) {
                        counts[pieces++] = 2;
                    }
                }
            }
            lbio_style style = {.stroke = ink_from_linear(s->light.theme->grid, 0.85 * level / GRID_LEVELS), .width = 0.8};
            if (pieces) {
                lbio_paint_path(s->painter, (const double(*)[2])xy, counts, pieces, 0, &style);
            }
        }
    }
    free(xy);
    free(counts);
    return LB_OK;
}

/* Shadow of one solid on the ground for light from `toward`, as a hull of the picture. */
static int shadow_hull(const sheet *s, const lbio_prim *prim, const double toward[3], double (*hull)[2]) {
    double points[LBIO_SPAN_POINTS][3], xy[LBIO_SPAN_POINTS][2];
    int count = lbio_prim_span(prim, points);
    for (int k = 0; k < count; k++) {
        double t = (points[k][2] - s->scene->ground) / toward[2];
        lbio_along(points[k], -fmax(t, 0), toward, points[k]);
        points[k][2] = s->scene->ground;
        if (lbio_camera_project(s->camera, points[k], xy[k]) < 0.05) {
            return 0;
        }
    }
    return hull_of(xy, count, hull);
}

/* Soft shadows: a few faint ones from points of the light's disc. Each layer is one path whose pieces turn the same way, so
 * that solids do not darken the ground twice. */
static lb_status paint_shadows(const sheet *s) {
    int n = s->scene->prim_count;
    double(*xy)[2] = malloc(sizeof *xy * (size_t)n * (LBIO_SPAN_POINTS + 1));
    int *counts = malloc(sizeof *counts * (size_t)n);
    if (!xy || !counts) {
        free(xy);
        free(counts);
        return LB_ERROR_MEMORY;
    }
    static const double dark[3] = {0.01, 0.013, 0.02};
    double alpha = s->light.theme->shadow_strength * 0.5 / SHADOW_LAYERS;
    for (int layer = 0; layer < SHADOW_LAYERS; layer++) {
        const double *toward = layer ? s->light.key_samples[(layer * 2 + 7) % LBIO_KEY_SAMPLES] : s->light.key;
        int pieces = 0, at = 0;
        for (int k = 0; k < n; k++) {
            double hull[LBIO_SPAN_POINTS + 2][2];
            int count = shadow_hull(s, &s->scene->prims[k], toward, hull);
            if (count >= 3) {
                memcpy(xy + at, hull, sizeof *xy * (size_t)count);
                at += count;
                counts[pieces++] = count;
            }
        }
        lbio_style style = {.fill = ink_from_linear(dark, alpha)};
        if (pieces) {
            lbio_paint_path(s->painter, (const double(*)[2])xy, counts, pieces, 1, &style);
        }
    }
    free(xy);
    free(counts);
    return LB_OK;
}

lb_status lbio_vector_pane(const lbio_picture *picture, const lbio_pane *pane, lbio_painter *painter) {
    sheet s = {picture, pane, &pane->camera, picture->scene, {0}, painter};
    int n = s.scene->prim_count, has_ground = picture->options->show_ground && pane->camera.back[2] > 0;
    lb_status status = lbio_light_build(&s.light, s.scene, &picture->theme, s.camera, has_ground, 0);
    int *order = malloc(((size_t)n + 1) * sizeof *order);
    if (status || !order) {
        free(order);
        return status ? status : LB_ERROR_MEMORY;
    }
    lbio_paint_clip(painter, pane->rect);
    paint_sky(&s);
    if (has_ground) {
        paint_disc(&s);
        status = paint_grid(&s);
        status = status ? status : paint_shadows(&s);
    }
    int count = status || !n ? 0 : sort_prims(&s, order);
    for (int k = 0; k < count; k++) {
        paint_prim(&s, &s.scene->prims[order[k]]);
    }
    lbio_paint_unclip(painter);
    free(order);
    lbio_light_free(&s.light);
    return status ? status : count < 0 ? LB_ERROR_MEMORY : LB_OK;
}
