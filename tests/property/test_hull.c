/* Convex hulls: closed and convex, every point enclosed, and the way from neighbour to neighbour finds the farthest vertex. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "figure/hull/hull.h"
#include "figure/memory.h"

#define MOST 3000

static double points[MOST][3];

/* Clouds, balls, grids with many coplanar points, prisms, flat ones, lines, one point, huge and tiny ones, far from the origin. */
static int draw(check_random *random, int kind) {
    const int count = 1 + check_random_index(random, kind == 2 ? 400 : MOST);
    const double scale = kind == 7 ? 1e-5 : kind == 8 ? 1e5 : 1;
    for (int i = 0; i < count; i++) {
        double *p = points[i];
        for (int c = 0; c < 3; c++) {
            p[c] = check_random_range(random, -1, 1);
        }
        if (kind == 1) {
            const double length = lbm_norm3(p) + 1e-9;
            lbm_set3(p, p[0] / length, p[1] / length, p[2] / length);
        } else if (kind == 2) {
            lbm_set3(p, i % 7, i / 7 % 7, i / 49);
        } else if (kind == 3) {
            const double angle = 0.1 * (i / 2);
            lbm_set3(p, cos(angle), sin(angle), i % 2);
        } else if (kind == 4) {
            p[2] = 0.3 * p[0] - 0.2 * p[1];
        } else if (kind == 5) {
            lbm_set3(p, p[0], 2 * p[0], -p[0]);
        } else if (kind == 6) {
            lbm_set3(p, 0.1, 0.2, 0.3);
        } else if (kind == 9) {
            p[0] += 1000;
        }
        lbm_set3(p, scale * p[0], scale * p[1], scale * p[2]);
    }
    return count;
}

static double size_of(int count) {
    double size = 1e-6;
    for (int i = 0; i < count; i++) {
        double off[3];
        lbm_sub3(points[i], points[0], off);
        size = fmax(size, lbm_norm3(off));
    }
    return size;
}

static void check_surface(const lbf_hull *h) {
    int twice = 0;
    CHECK_INT(h->vertex_count - 3 * h->triangle_count / 2 + h->triangle_count, 2); /* Euler's formula */
    for (int i = 0; i < h->vertex_count; i++) {
        for (int k = h->first[i]; k < h->first[i + 1]; k++) { /* who has a neighbour is its neighbour */
            const int other = h->neighbours[k];
            int is_mutual = 0;
            for (int l = h->first[other]; l < h->first[other + 1]; l++) {
                is_mutual |= h->neighbours[l] == i;
            }
            twice += is_mutual;
        }
    }
    CHECK_INT(twice, 3 * h->triangle_count);
}

static void check_enclosed(const lbf_hull *h, int count, double size) {
    double worst = -INFINITY;
    for (int t = 0; t < h->triangle_count; t++) {
        const double *a = h->vertices[h->triangles[t][0]];
        double u[3], v[3], n[3];
        lbm_sub3(h->vertices[h->triangles[t][1]], a, u);
        lbm_sub3(h->vertices[h->triangles[t][2]], a, v);
        lbm_cross3(u, v, n);
        const double area = lbm_norm3(n);
        for (int i = 0; i < count; i++) {
            double off[3];
            lbm_sub3(points[i], a, off);
            worst = fmax(worst, lbm_dot3(off, n) / area - h->excess);
        }
    }
    CHECK(worst <= 1e-13 * (size + lbm_norm3(points[0])));
    CHECK(h->excess <= 1e-11 * (size + lbm_norm3(points[0])));
}

static void check_climbing(const lbf_hull *h, check_random *random, double size) {
    lbm_convex solid;
    int hint = 0;
    lbf_hull_solid(h, &solid);
    for (int i = 0; i < 50; i++) {
        double d[3], p[3], best = -INFINITY;
        for (int c = 0; c < 3; c++) {
            d[c] = check_random_range(random, -1, 1);
        }
        lbm_convex_support(&solid, d, &hint, p);
        for (int k = 0; k < h->vertex_count; k++) {
            best = fmax(best, lbm_dot3(h->vertices[k], d));
        }
        CHECK(best - lbm_dot3(p, d) <= 1e-12 * (size + lbm_norm3(p)));
    }
}

static void test_refusals(void) {
    const lb_allocator allocator = lbf_allocator(NULL);
    lbf_hull hull;
    const double bad[2][3] = {{0, 0, 0}, {0, NAN, 0}};
    CHECK_INT(lbf_hull_make(&allocator, 0, bad, &hull), LB_ERROR_ARGUMENT);
    CHECK_INT(lbf_hull_make(&allocator, 2, bad, &hull), LB_ERROR_ARGUMENT);
    CHECK_INT(lbf_hull_make(&allocator, 1, NULL, &hull), LB_ERROR_ARGUMENT);
    CHECK(!hull.vertices);
}

/* The N-th allocation fails, until none does; what was taken is given back. */
typedef struct meter {
    int left, blocks;
} meter;

static void *measured(void *context, void *block, size_t old_size, size_t new_size) {
    meter *m = context;
    (void)old_size;
    if (new_size == 0) {
        m->blocks -= block != NULL;
        free(block);
        return NULL;
    }
    if (m->left-- <= 0) {
        return NULL;
    }
    m->blocks += block == NULL;
    return realloc(block, new_size);
}

static void test_memory(void) {
    check_random random;
    check_random_seed(&random, 5);
    const int count = draw(&random, 1);
    for (int allowed = 0;; allowed++) {
        meter m = {allowed, 0};
        const lb_allocator allocator = {measured, &m};
        lbf_hull hull;
        const lb_status status = lbf_hull_make(&allocator, count, (const double(*)[3])points, &hull);
        if (!status) {
            CHECK(allowed > 5);
            lbf_hull_free(&allocator, &hull);
            CHECK_INT(m.blocks, 0);
            return;
        }
        CHECK_INT(status, LB_ERROR_MEMORY);
        CHECK_INT(m.blocks, 0);
    }
}

int main(void) {
    const lb_allocator allocator = lbf_allocator(NULL);
    check_random random;
    check_random_seed(&random, 4);
    for (int i = 0; i < check_count(200, 5000); i++) {
        const int kind = i % 10, count = draw(&random, kind);
        lbf_hull hull;
        check_note("set %d of kind %d, %d points", i, kind, count);
        REQUIRE(lbf_hull_make(&allocator, count, (const double(*)[3])points, &hull) == LB_OK);
        CHECK(hull.triangle_count >= 4);
        check_surface(&hull);
        check_enclosed(&hull, count, size_of(count));
        check_climbing(&hull, &random, size_of(count));
        lbf_hull_free(&allocator, &hull);
    }
    check_note("%s", "");
    test_refusals();
    test_memory();
    return check_done();
}
