/* Meshes: triangles in a tree of boxes of their own, in the shape's frame and unit, to which rays are taken. A corner's
 * normal is the mean of those of the triangles around its vertex that lie nearly in one plane with its own, so that
 * what is round looks round and what has edges keeps them. Triangles are seen from both sides. */
#include "io/render/render.h"

#include <stdlib.h>
#include <string.h>

#define LEAF 4
#define STACK 64
#define CREASE 0.8      /* cosine of the angle between triangles, 37 degrees, from which on they meet in an edge */
#define MOST_AROUND 100 /* triangles about a vertex; one with more has no mean normal */

struct lbio_mesh_tree {
    const lb_shape *shape;
    float (*normals)[3][3]; /* of the corners of each triangle */
    int *order;
    lbio_node *nodes;
    int node_count;
};

/* --- Normals -------------------------------------------------------------------------------------------------------------- */

static const double *corner(const lb_shape *shape, int triangle, int k) {
    return shape->vertices[shape->triangles[triangle][k]];
}

/* Of length 1; 0 0 0 where the triangle has no area. *area is twice its area. */
static void face_normal(const lb_shape *shape, int t, double n[3], double *area) {
    double u[3], v[3];
    lbio_along(corner(shape, t, 1), -1, corner(shape, t, 0), u);
    lbio_along(corner(shape, t, 2), -1, corner(shape, t, 0), v);
    lbio_cross(u, v, n);
    *area = lbio_normalize(n);
}

static void smooth_corner(const lb_shape *shape, const int *around, int count, int t, float out[3]) {
    double own[3], sum[3] = {0, 0, 0}, area;
    face_normal(shape, t, own, &area);
    for (int i = 0; i < count && count <= MOST_AROUND; i++) {
        double other[3];
        face_normal(shape, around[i], other, &area);
        if (lbio_dot(own, other) > CREASE) {
            lbio_along(sum, area, other, sum);
        }
    }
    const double *n = lbio_normalize(sum) > 0 ? sum : own;
    for (int i = 0; i < 3; i++) {
        out[i] = (float)n[i];
    }
}

static int make_normals(struct lbio_mesh_tree *tree) {
    const lb_shape *shape = tree->shape;
    int *first = calloc((size_t)shape->vertex_count + 2, sizeof *first);
    int *around = malloc(((size_t)shape->triangle_count * 3 + 1) * sizeof *around);
    tree->normals = malloc(((size_t)shape->triangle_count + 1) * sizeof *tree->normals);
    const int is_done = first && around && tree->normals;
    for (int t = 0; is_done && t < shape->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            first[shape->triangles[t][k] + 2]++;
        }
    }
    for (int v = 0; is_done && v < shape->vertex_count; v++) {
        first[v + 2] += first[v + 1];
    }
    for (int t = 0; is_done && t < shape->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            around[first[shape->triangles[t][k] + 1]++] = t;
        }
    }
    for (int t = 0; is_done && t < shape->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            const int v = shape->triangles[t][k];
            smooth_corner(shape, around + first[v], first[v + 1] - first[v], t, tree->normals[t][k]);
        }
    }
    free(first);
    free(around);
    return is_done;
}

/* --- The tree ------------------------------------------------------------------------------------------------------------- */

static void enclose(const struct lbio_mesh_tree *tree, int begin, int count, double low[3], double high[3]) {
    for (int i = 0; i < 3; i++) {
        low[i] = INFINITY, high[i] = -INFINITY;
    }
    for (int k = 0; k < 3 * count; k++) {
        const double *p = corner(tree->shape, tree->order[begin + k / 3], k % 3);
        for (int i = 0; i < 3; i++) {
            low[i] = fmin(low[i], p[i]);
            high[i] = fmax(high[i], p[i]);
        }
    }
}

static double centre(const struct lbio_mesh_tree *tree, int t, int axis) {
    return corner(tree->shape, t, 0)[axis] + corner(tree->shape, t, 1)[axis] + corner(tree->shape, t, 2)[axis];
}

/* Puts those before the middle of the box first; half of them where all are on one side. Returns how many. */
static int split(struct lbio_mesh_tree *tree, int begin, int count, const double low[3], const double high[3]) {
    int axis = 0, less = 0;
    for (int i = 1; i < 3; i++) {
        axis = high[i] - low[i] > high[axis] - low[axis] ? i : axis;
    }
    const double middle = 1.5 * (low[axis] + high[axis]); /* three corners */
    for (int k = 0; k < count; k++) {
        const int t = tree->order[begin + k];
        if (centre(tree, t, axis) < middle) {
            tree->order[begin + k] = tree->order[begin + less];
            tree->order[begin + less++] = t;
        }
    }
    return less && less < count ? less : count / 2;
}

/* Deeper than the stack of a ray, a leaf has as many as there are. */
static void build(struct lbio_mesh_tree *tree, int index, int begin, int count, int depth) {
    lbio_node *node = &tree->nodes[index];
    enclose(tree, begin, count, node->low, node->high);
    node->first = begin, node->count = count;
    if (count <= LEAF || depth >= STACK / 2) {
        return;
    }
    const int less = split(tree, begin, count, node->low, node->high), child = tree->node_count;
    tree->node_count += 2;
    node->first = child, node->count = 0;
    build(tree, child, begin, less, depth + 1);
    build(tree, child + 1, begin + less, count - less, depth + 1);
}

void lbio_mesh_tree_free(struct lbio_mesh_tree *tree) {
    if (tree) {
        free(tree->normals);
        free(tree->order);
        free(tree->nodes);
        free(tree);
    }
}

void lbio_prim_set_mesh(lbio_scene *scene, lbio_prim *prim, const lb_shape *shape) {
    const size_t count = (size_t)shape->triangle_count;
    struct lbio_mesh_tree *tree = calloc(1, sizeof *tree);
    prim->hull = shape;
    prim->unit = 1;
    prim->mesh = tree;
    scene->triangle_count += shape->triangle_count;
    if (tree) {
        tree->shape = shape;
        tree->order = malloc((count + 1) * sizeof *tree->order);
        tree->nodes = malloc((2 * count + 1) * sizeof *tree->nodes);
    }
    if (!tree || !tree->order || !tree->nodes || !make_normals(tree)) {
        scene->has_failed = 1;
        return;
    }
    for (int t = 0; t < shape->triangle_count; t++) {
        tree->order[t] = t;
    }
    tree->node_count = 1;
    build(tree, 0, 0, shape->triangle_count, 0);
}

/* --- Rays ----------------------------------------------------------------------------------------------------------------- */

static int is_crossed(const lbio_node *node, const double o[3], const double inverse[3], double t_min, double t_max) {
    for (int i = 0; i < 3; i++) {
        const double a = (node->low[i] - o[i]) * inverse[i], b = (node->high[i] - o[i]) * inverse[i];
        const double low = a < b ? a : b, high = a < b ? b : a; /* NaN, a ray in a side: nothing changes */
        t_min = low > t_min ? low : t_min;
        t_max = high < t_max ? high : t_max;
    }
    return t_min <= t_max;
}

typedef struct crossing {
    double t, u, v;
    int triangle;
} crossing;

/* Moeller and Trumbore, Fast, minimum storage ray/triangle intersection, 1997. */
static void cross_triangle(const lb_shape *shape, int t, const double o[3], const double d[3], double t_min,
                           crossing *best) {
    double e[3], f[3], p[3], s[3], q[3];
    lbio_along(corner(shape, t, 1), -1, corner(shape, t, 0), e);
    lbio_along(corner(shape, t, 2), -1, corner(shape, t, 0), f);
    lbio_cross(d, f, p);
    const double det = lbio_dot(e, p);
    if (det == 0) {
        return;
    }
    lbio_along(o, -1, corner(shape, t, 0), s);
    lbio_cross(s, e, q);
    const double u = lbio_dot(s, p) / det, v = lbio_dot(d, q) / det, at = lbio_dot(f, q) / det;
    if (u >= 0 && v >= 0 && u + v <= 1 && at > t_min && at < best->t) {
        *best = (crossing){at, u, v, t};
    }
}

/* The normal that light sees: the corners' mean, unless that faces away; on the side that the ray comes from. */
static void set_normal(const struct lbio_mesh_tree *tree, const crossing *best, const double d[3], lbio_hit *hit) {
    const float(*normals)[3] = (const float(*)[3])tree->normals[best->triangle];
    double flat[3], mean[3], area;
    face_normal(tree->shape, best->triangle, flat, &area);
    for (int i = 0; i < 3; i++) {
        mean[i] = (double)normals[0][i] * (1 - best->u - best->v) + (double)normals[1][i] * best->u +
                  (double)normals[2][i] * best->v;
    }
    lbio_normalize(mean);
    const double side = lbio_dot(flat, d) > 0 ? -1 : 1;
    const double *n = lbio_dot(mean, d) * side < 0 && lbio_length(mean) > 0 ? mean : flat;
    int axis = 0;
    for (int i = 0; i < 3; i++) {
        hit->n[i] = side * n[i];
        axis = fabs(flat[i]) > fabs(flat[axis]) ? i : axis;
    }
    hit->face = 2 * axis + (side * flat[axis] > 0); /* sides that meet in edges */
}

int lbio_mesh_hit(const lbio_prim *prim, const double o[3], const double d[3], double t_min, lbio_hit *hit) {
    const struct lbio_mesh_tree *tree = prim->mesh;
    const double from[3] = {o[0] * prim->unit, o[1] * prim->unit, o[2] * prim->unit};
    const double inverse[3] = {1 / d[0], 1 / d[1], 1 / d[2]};
    crossing best = {.t = hit->t * prim->unit, .triangle = -1};
    int stack[STACK], depth = 0;
    stack[depth++] = 0;
    while (depth) {
        const lbio_node *node = &tree->nodes[stack[--depth]];
        if (!is_crossed(node, from, inverse, t_min * prim->unit, best.t)) {
            continue;
        }
        for (int k = 0; k < node->count; k++) {
            cross_triangle(tree->shape, tree->order[node->first + k], from, d, t_min * prim->unit, &best);
        }
        if (!node->count) {
            stack[depth++] = node->first + 1;
            stack[depth++] = node->first;
        }
    }
    if (best.triangle < 0) {
        return 0;
    }
    hit->t = best.t / prim->unit;
    set_normal(tree, &best, d, hit);
    return 1;
}
