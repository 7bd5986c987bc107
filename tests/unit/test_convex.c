/* The signed distance of convex solids: against formulas, against every separating axis of two polytopes, and its gradient
 * against central differences. */
#include "check.h"

#include <math.h>
#include <string.h>

#include "math/convex/convex.h"

static void random_frame(check_random *random, double reach, lbm_transform *t) {
    double q[4], norm = 0;
    for (int i = 0; i < 4; i++) {
        q[i] = check_random_range(random, -1, 1);
        norm += q[i] * q[i];
    }
    norm = sqrt(norm);
    const double x = q[0] / norm, y = q[1] / norm, z = q[2] / norm, w = q[3] / norm;
    lbm_transform_identity(t);
    lbm_set3(t->x, 1 - 2 * (y * y + z * z), 2 * (x * y + z * w), 2 * (x * z - y * w));
    lbm_set3(t->y, 2 * (x * y - z * w), 1 - 2 * (x * x + z * z), 2 * (y * z + x * w));
    lbm_set3(t->z, 2 * (x * z + y * w), 2 * (y * z - x * w), 1 - 2 * (x * x + y * y));
    for (int c = 0; c < 3; c++) {
        t->p[c] = check_random_range(random, -reach, reach);
    }
}

/* --- Spheres and planes: formulas ----------------------------------------------------------------------------------------- */

static void test_formulas(void) {
    check_random random;
    check_random_seed(&random, 1);
    for (int i = 0; i < 2000; i++) {
        lbm_transform fa, fb;
        lbm_gap gap;
        random_frame(&random, 1, &fa);
        random_frame(&random, 1, &fb);
        const lbm_convex a = {.kind = LBM_CONVEX_POINT, .radius = check_random_range(&random, 0.01, 0.5)};
        const lbm_convex b = {.kind = LBM_CONVEX_POINT, .radius = check_random_range(&random, 0.01, 0.5)};
        double off[3];
        lbm_sub3(fa.p, fb.p, off);
        lbm_convex_distance(&a, &fa, &b, &fb, INFINITY, &gap);
        CHECK_NEAR(gap.distance, lbm_norm3(off) - a.radius - b.radius, 1e-12);
        /* a box as an outside of six planes */
        const lbm_convex box = {.kind = LBM_CONVEX_BOX, .size = {0.1, 0.2, 0.3}};
        const lbm_convex floor_solid = {.kind = LBM_CONVEX_HALF_SPACE};
        double low = INFINITY;
        for (int corner = 0; corner < 8; corner++) {
            double at[3] = {corner & 1 ? 0.1 : -0.1, corner & 2 ? 0.2 : -0.2, corner & 4 ? 0.3 : -0.3};
            double w[3], d[3];
            lbm_apply(&fa, at, w);
            lbm_sub3(w, fb.p, d);
            low = fmin(low, lbm_dot3(d, fb.z));
        }
        lbm_convex_distance(&box, &fa, &floor_solid, &fb, INFINITY, &gap);
        CHECK_NEAR(gap.distance, low, 1e-12);
        lbm_convex_distance(&floor_solid, &fb, &box, &fa, INFINITY, &gap);
        CHECK_NEAR(gap.distance, low, 1e-12);
        CHECK_NEAR(-lbm_dot3(gap.normal, fb.z), 1, 1e-12);
    }
}

/* --- Polytopes: every separating axis -------------------------------------------------------------------------------------- */

#define MOST 8

/* The widest gap of two point sets along a unit direction and its opposite: most negative where they overlap. */
static double gap_along(const double (*a)[3], const double (*b)[3], const double n[3]) {
    double low_a = INFINITY, high_a = -INFINITY, low_b = INFINITY, high_b = -INFINITY;
    for (int i = 0; i < MOST; i++) {
        const double x = lbm_dot3(a[i], n), y = lbm_dot3(b[i], n);
        low_a = fmin(low_a, x), high_a = fmax(high_a, x);
        low_b = fmin(low_b, y), high_b = fmax(high_b, y);
    }
    return fmax(low_a - high_b, low_b - high_a);
}

/* The greatest of all gaps along normals of triangles and products of edges: minus the depth, where it is negative. */
static double every_axis(const double (*a)[3], const double (*b)[3]) {
    double best = -INFINITY;
    for (int kind = 0; kind < 3; kind++) {
        const double(*p)[3] = kind == 1 ? b : a, (*q)[3] = kind == 0 ? a : b;
        for (int i = 0; i < MOST; i++) {
            for (int j = i + 1; j < MOST; j++) {
                for (int k = 0; k < MOST; k++) {
                    for (int l = kind == 2 ? k + 1 : MOST - 1; l < MOST; l++) {
                        double u[3], v[3], n[3];
                        lbm_sub3(p[j], p[i], u);
                        lbm_sub3(q[kind == 2 ? l : k], q[kind == 2 ? k : i], v);
                        lbm_cross3(u, v, n);
                        const double length = lbm_norm3(n);
                        if (length > 1e-9) {
                            lbm_set3(n, n[0] / length, n[1] / length, n[2] / length);
                            best = fmax(best, gap_along(a, b, n));
                        }
                    }
                }
            }
        }
    }
    return best;
}

static void test_depth(void) {
    check_random random;
    check_random_seed(&random, 2);
    int deep = 0;
    for (int i = 0; i < check_count(300, 5000); i++) {
        double a[MOST][3], b[MOST][3], wa[MOST][3], wb[MOST][3];
        lbm_transform fa, fb;
        lbm_gap gap;
        random_frame(&random, 0.2, &fa);
        random_frame(&random, 0.2, &fb);
        for (int k = 0; k < MOST; k++) {
            for (int c = 0; c < 3; c++) {
                a[k][c] = check_random_range(&random, -0.3, 0.3);
                b[k][c] = i % 3 == 0 ? (k >> c & 1 ? 0.2 : -0.2) : check_random_range(&random, -0.3, 0.3);
            }
            lbm_apply(&fa, a[k], wa[k]);
            lbm_apply(&fb, b[k], wb[k]);
        }
        const lbm_convex one = {.kind = LBM_CONVEX_HULL, .vertex_count = MOST, .vertices = (const double(*)[3])a};
        const lbm_convex box = {.kind = LBM_CONVEX_BOX, .size = {0.2, 0.2, 0.2}};
        const lbm_convex hull = {.kind = LBM_CONVEX_HULL, .vertex_count = MOST, .vertices = (const double(*)[3])b};
        lbm_convex_distance(&one, &fa, i % 3 == 0 ? &box : &hull, &fb, INFINITY, &gap);
        const double expected = every_axis((const double(*)[3])wa, (const double(*)[3])wb);
        check_note("pair %d", i);
        if (expected < -1e-9) {
            CHECK_NEAR(gap.distance, expected, 1e-8);
            deep++;
        } else {
            CHECK(gap.distance >= expected - 1e-9); /* a gap along any direction is at most the distance */
        }
        double off[3];
        lbm_sub3(gap.at_a, gap.at_b, off);
        CHECK_NEAR(lbm_dot3(off, gap.normal), gap.distance, 1e-8);
        CHECK_NEAR(lbm_norm3(off), fabs(gap.distance), 1e-7);
    }
    CHECK(deep > 100);
    check_note("%s", "");
}

/* --- The gradient ---------------------------------------------------------------------------------------------------------- */

static lbm_convex random_solid(check_random *random, double (*vertices)[3]) {
    lbm_convex s = {.kind = (lbm_convex_kind)(check_random_bits(random) % 7)};
    for (int c = 0; c < 3; c++) {
        s.size[c] = check_random_range(random, 0.05, 0.3);
    }
    if (s.kind == LBM_CONVEX_POINT || s.kind == LBM_CONVEX_SEGMENT) {
        s.radius = check_random_range(random, 0.05, 0.2);
    }
    for (int k = 0; k < MOST; k++) {
        for (int c = 0; c < 3; c++) {
            vertices[k][c] = check_random_range(random, -0.3, 0.3);
        }
    }
    if (s.kind == LBM_CONVEX_HULL) {
        s.vertex_count = MOST;
        s.vertices = (const double(*)[3])vertices;
    }
    return s;
}

/* What convex.h says of the accuracy. */
static double accuracy(const lbm_convex *a, const lbm_convex *b, double distance) {
    const int round = (a->kind >= LBM_CONVEX_CYLINDER && a->kind <= LBM_CONVEX_TAPERED) ||
                      (b->kind >= LBM_CONVEX_CYLINDER && b->kind <= LBM_CONVEX_TAPERED);
    return round && distance + a->radius + b->radius < 0 ? 1e-5 : 1e-8;
}

/* Moving a along the normal is the quickest way out, and bounds hold: so the distance at a moved place is within the
 * second-order rest of what the normal says. Solids with corners have kinks, where no derivative exists: most must agree. */
static void test_gradient(void) {
    check_random random;
    check_random_seed(&random, 3);
    int agreed = 0, count = check_count(3000, 100000);
    for (int i = 0; i < count; i++) {
        double va[MOST][3], vb[MOST][3];
        lbm_transform fa, fb;
        lbm_gap gap, low, high;
        const lbm_convex a = random_solid(&random, va), b = random_solid(&random, vb);
        random_frame(&random, 0.5, &fa);
        random_frame(&random, 0.5, &fb);
        lbm_convex_distance(&a, &fa, &b, &fb, INFINITY, &gap);
        check_note("pair %d: %d and %d, distance %g", i, a.kind, b.kind, gap.distance);
        CHECK_NEAR(lbm_norm3(gap.normal), 1, 1e-9);
        const double off = 2 * accuracy(&a, &b, gap.distance);
        double d[3], h = 1e-5;
        for (int c = 0; c < 3; c++) {
            d[c] = check_random_range(&random, -1, 1);
        }
        const double slope = lbm_dot3(gap.normal, d);
        lbm_add_scaled3(fa.p, d, h);
        lbm_convex_distance(&a, &fa, &b, &fb, INFINITY, &high);
        lbm_add_scaled3(fa.p, d, -2 * h);
        lbm_convex_distance(&a, &fa, &b, &fb, INFINITY, &low);
        agreed += fabs((high.distance - low.distance) / (2 * h) - slope) < 1e-3;
        CHECK(fabs(high.distance - low.distance) <= 2 * h * lbm_norm3(d) + off);
        /* the other way round it is the same distance, and a bound that is less ends the search */
        lbm_add_scaled3(fa.p, d, h);
        lbm_convex_distance(&b, &fb, &a, &fa, INFINITY, &high);
        CHECK_NEAR(high.distance, gap.distance, off);
        lbm_convex_distance(&a, &fa, &b, &fb, 0.01, &low);
        CHECK(low.is_bound ? low.distance >= 0.01 && low.distance <= gap.distance + 1e-9
                           : fabs(low.distance - gap.distance) <= off);
    }
    check_note("%s", "");
    CHECK(agreed >= count * 99 / 100);
    printf("%d of %d slopes agree\n", agreed, count);
}

int main(void) {
    test_formulas();
    test_depth();
    test_gradient();
    return check_done();
}
