/* A tree of boxes over the solids, so that a ray looks at few of them. */
#include "io/render/render.h"
#include <stdlib.h>
#include <string.h>

#define LEAF 3
#define STACK 128

/* Sorting by one coordinate of the centre; equal ones by index, so that the order is one. */
typedef struct centre {
    double at[3];
    int prim;
} centre;

static int less(const centre *a, const centre *b, int axis) {
    return a->at[axis] != b->at[axis] ? a->at[axis] < b->at[axis] : a->prim < b->prim;
}

/* Puts the k smallest first (quickselect with the middle element as pivot). */
static void select_first(centre *c, int count, int k, int axis) {
    int low = 0, high = count - 1;
    while (low < high) {
        centre pivot = c[low + (high - low) / 2];
        int i = low, j = high;
        while (i <= j) {
            while (less(&c[i], &pivot, axis)) {
                i++;
            }
            while (less(&pivot, &c[j], axis)) {
                j--;
            }
            if (i <= j) {
                centre swap = c[i];
                c[i++] = c[j];
                c[j--] = swap;
            }
        }
        if (k <= j) {
            high = j;
        } else if (k >= i) {
            low = i;
        } else {
            return;
        }
    }
}

static void build(lbio_scene *scene, centre *c, int node_index, int first, int count) {
    lbio_node *node = &scene->nodes[node_index];
    double low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    for (int i = 0; i < 3; i++) {
        node->low[i] = INFINITY, node->high[i] = -INFINITY;
        for (int k = 0; k < count; k++) {
            const lbio_prim *prim = &scene->prims[c[k].prim];
            node->low[i] = fmin(node->low[i], prim->low[i]);
            node->high[i] = fmax(node->high[i], prim->high[i]);
            low[i] = fmin(low[i], c[k].at[i]);
            high[i] = fmax(high[i], c[k].at[i]);
        }
    }
    node->first = first, node->count = count;
    if (count <= LEAF) {
        for (int k = 0; k < count; k++) {
            scene->order[first + k] = c[k].prim;
        }
        return;
    }
    int axis = 0;
    for (int i = 1; i < 3; i++) {
        axis = high[i] - low[i] > high[axis] - low[axis] ? i : axis;
    }
    int half = count / 2, child = scene->node_count;
    select_first(c, count, half, axis);
    scene->node_count += 2;
    node->first = child, node->count = 0;
    build(scene, c, child, first, half);
    build(scene, c + half, child + 1, first + half, count - half);
}

lb_status lbio_tree_build(lbio_scene *scene) {
    int count = scene->prim_count;
    scene->node_count = 0;
    if (!count) {
        return LB_OK;
    }
    centre *c = malloc((size_t)count * sizeof *c);
    scene->nodes = malloc((size_t)count * 2 * sizeof *scene->nodes);
    scene->order = malloc((size_t)count * sizeof *scene->order);
    if (!c || !scene->nodes || !scene->order) {
        free(c);
        return LB_ERROR_MEMORY;
    }
    for (int k = 0; k < count; k++) {
        c[k].prim = k;
        for (int i = 0; i < 3; i++) {
            c[k].at[i] = (scene->prims[k].low[i] + scene->prims[k].high[i]) / 2;
        }
    }
    scene->node_count = 1;
    build(scene, c, 0, 0, count);
    free(c);
    return LB_OK;
}

/* Where a ray enters a box, or INFINITY. inverse holds 1/d (signed infinities where d is 0). */
static double enter(const lbio_node *node, const double o[3], const double inverse[3], double t_min, double t_max) {
    for (int i = 0; i < 3; i++) {
        double a = (node->low[i] - o[i]) * inverse[i], b = (node->high[i] - o[i]) * inverse[i];
        /* 0 * infinity (a ray in the plane of a side) is NaN: these comparisons then leave t_min and t_max. */
        double low = a < b ? a : b, high = a < b ? b : a;
        t_min = low > t_min ? low : t_min;
        t_max = high < t_max ? high : t_max;
    }
    return t_min <= t_max ? t_min : INFINITY;
}

static int find(const lbio_scene *scene, const lbio_ray *ray, double t_min, int is_any, lbio_hit *hit) {
    int stack[STACK], depth = 0, found = 0;
    double inverse[3] = {1 / ray->d[0], 1 / ray->d[1], 1 / ray->d[2]};
    if (!scene->node_count) {
        return 0;
    }
    stack[depth++] = 0;
    while (depth) {
        const lbio_node *node = &scene->nodes[stack[--depth]];
        if (enter(node, ray->o, inverse, t_min, hit->t) == INFINITY) {
            continue;
        }
        for (int k = 0; k < node->count; k++) {
            int prim = scene->order[node->first + k];
            if (!scene->prims[prim].is_clear && lbio_prim_hit(&scene->prims[prim], ray, t_min, hit)) {
                hit->prim = prim;
                found = 1;
                if (is_any) {
                    return 1;
                }
            }
        }
        if (!node->count && depth + 2 <= STACK) {
            double a = enter(&scene->nodes[node->first], ray->o, inverse, t_min, hit->t);
            double b = enter(&scene->nodes[node->first + 1], ray->o, inverse, t_min, hit->t);
            stack[depth++] = a < b ? node->first + 1 : node->first;
            stack[depth++] = a < b ? node->first : node->first + 1;
        }
    }
    return found;
}

int lbio_tree_hit(const lbio_scene *scene, const lbio_ray *ray, double t_min, lbio_hit *hit) {
    return find(scene, ray, t_min, 0, hit);
}

int lbio_tree_blocked(const lbio_scene *scene, const lbio_ray *ray) {
    lbio_hit hit = {.t = INFINITY, .prim = -1};
    return find(scene, ray, 0, 1, &hit);
}

/* Puts a translucent solid that a ray enters among those found, the nearest first. Returns how many they are then. */
static int add_clear(const lbio_scene *scene, int prim, const lbio_ray *ray, double t_most, lbio_hit *hits, int count) {
    lbio_hit hit = {.t = t_most, .prim = -1};
    if (!lbio_prim_hit(&scene->prims[prim], ray, 0, &hit) || lbio_dot(hit.n, ray->d) > 0) {
        return count; /* or it is left, not entered: the camera is inside */
    }
    int at = count;
    hit.prim = prim;
    while (at > 0 && (hits[at - 1].t > hit.t || (hits[at - 1].t == hit.t && hits[at - 1].prim > prim))) {
        at--;
    }
    if (at < LBIO_CLEAR_LAYERS) {
        count += count < LBIO_CLEAR_LAYERS;
        memmove(hits + at + 1, hits + at, (size_t)(count - 1 - at) * sizeof *hits);
        hits[at] = hit;
    }
    return count;
}

int lbio_clear_hits(const lbio_scene *scene, const lbio_ray *ray, double t_most, lbio_hit *hits) {
    int stack[STACK], depth = 0, count = 0;
    const double inverse[3] = {1 / ray->d[0], 1 / ray->d[1], 1 / ray->d[2]};
    if (scene->clear_count && scene->node_count) {
        stack[depth++] = 0;
    }
    while (depth) {
        const lbio_node *node = &scene->nodes[stack[--depth]];
        if (enter(node, ray->o, inverse, 0, t_most) == INFINITY) {
            continue;
        }
        for (int k = 0; k < node->count; k++) {
            const int prim = scene->order[node->first + k];
            count = scene->prims[prim].is_clear ? add_clear(scene, prim, ray, t_most, hits, count) : count;
        }
        if (!node->count && depth + 2 <= STACK) {
            stack[depth++] = node->first;
            stack[depth++] = node->first + 1;
        }
    }
    return count;
}
