/* The distance of two convex solids by the algorithm of Gilbert, Johnson and Keerthi (IEEE J. Robotics and Automation
 * 4, 1988): the point of a - b that is nearest to the origin, found on simplices whose corners are support points. v is
 * that point of
 * the present simplex, w the support point along -v: |v| is at least the distance, v.w / |v| at most. The search ends where
 * both agree. A simplex that holds the origin means that the cores overlap; epa.c goes on from there. */
#include "math/convex/convex.h"

#define MOST_STEPS 96    /* cylinders and ellipsoids end by agreement after some 10 to 40 */
#define AGREE 1e-11      /* of the distance by which the bounds may differ, */
#define AGREE_SIZE 1e-13 /* or of the size of it all */
#define TOUCHING 1e-13   /* of that size: nearer cores touch */
#define FLAT 1e-14       /* of the product of its edges' lengths: a tetrahedron with less volume is none */

static double larger(double a, double b) { return a > b ? a : b; }

typedef struct simplex {
    int count;
    lbm_corner corners[4];
    double weights[4];
} simplex;

void lbm_couple_support(lbm_couple *couple, const double direction[3], lbm_corner *corner) {
    const lbm_transform *t = &couple->b_in_a;
    const double back[3] = {-lbm_dot3(t->x, direction), -lbm_dot3(t->y, direction), -lbm_dot3(t->z, direction)};
    double local[3];
    lbm_convex_support(couple->a, direction, &couple->hint_a, corner->a);
    lbm_convex_support(couple->b, back, &couple->hint_b, local);
    lbm_apply(t, local, corner->b);
    lbm_sub3(corner->a, corner->b, corner->w);
}

/* --- The nearest point of a simplex
 * ------------------------------------------------------------------------------------ */

/* A part of a simplex: which corners, their weights, and the square of the distance from the origin. */
typedef struct part {
    int count, corners[4];
    double weights[4], square;
} part;

static void weigh(const simplex *s, part *p) {
    double v[3] = {0, 0, 0};
    for (int i = 0; i < p->count; i++) {
        lbm_add_scaled3(v, s->corners[p->corners[i]].w, p->weights[i]);
    }
    p->square = lbm_dot3(v, v);
}

static void take_better(const part *p, part *best) {
    if (p->square < best->square) {
        *best = *p;
    }
}

static void try_corner(const simplex *s, int i, part *best) {
    part p = {1, {i}, {1}, 0};
    p.square = lbm_dot3(s->corners[i].w, s->corners[i].w);
    take_better(&p, best);
}

/* The inside of the edge from corner i to corner j, if the origin's foot lies there. */
static void try_edge(const simplex *s, int i, int j, part *best) {
    const double *a = s->corners[i].w, *b = s->corners[j].w;
    double edge[3];
    lbm_sub3(b, a, edge);
    const double whole = lbm_dot3(edge, edge), along = -lbm_dot3(a, edge);
    if (along > 0 && along < whole) {
        part p = {2, {i, j}, {1 - along / whole, along / whole}, 0};
        weigh(s, &p);
        take_better(&p, best);
    }
}

/* The inside of a triangle, if the origin's foot lies there. Returns whether it does. */
static int try_triangle(const simplex *s, int i, int j, int k, part *best) {
    const double *a = s->corners[i].w, *b = s->corners[j].w, *c = s->corners[k].w;
    double ab[3], ac[3], n[3], bc[3], ca[3], t[3];
    lbm_sub3(b, a, ab);
    lbm_sub3(c, a, ac);
    lbm_cross3(ab, ac, n);
    const double area = lbm_dot3(n, n);
    if (!(area > 0)) {
        return 0;
    }
    lbm_sub3(c, b, bc);
    lbm_sub3(a, c, ca);
    /* barycentric coordinates of the foot: the areas that the origin makes with the edges, seen along n */
    lbm_cross3(b, bc, t);
    const double wa = lbm_dot3(t, n);
    lbm_cross3(c, ca, t);
    const double wb = lbm_dot3(t, n);
    lbm_cross3(a, ab, t);
    const double wc = lbm_dot3(t, n);
    const double sum = wa + wb + wc;
    if (!(wa > 0 && wb > 0 && wc > 0)) {
        return 0;
    }
    part p = {3, {i, j, k}, {wa / sum, wb / sum, wc / sum}, 0};
    const double height = lbm_dot3(a, n);
    p.square = height * height / area; /* better than from the weights, which are the less certain the flatter it is */
    take_better(&p, best);
    return 1;
}

/* A triangle with its edges and corners; corner k is the newest, without which nothing can be nearest. */
static void nearest_on_triangle(const simplex *s, int i, int j, int k, part *best) {
    if (!try_triangle(s, i, j, k, best)) {
        try_edge(s, i, k, best);
        try_edge(s, j, k, best);
    }
}

/* Whether the origin is on the other side of a face than the corner that is not on it. */
static int is_beyond(const simplex *s, int i, int j, int k, int other) {
    const double *a = s->corners[k].w;
    double u[3], v[3], d[3], n[3];
    lbm_sub3(s->corners[i].w, a, u);
    lbm_sub3(s->corners[j].w, a, v);
    lbm_sub3(s->corners[other].w, a, d);
    lbm_cross3(u, v, n);
    const double inside = lbm_dot3(n, d), origin = -lbm_dot3(n, a);
    const double least = FLAT * sqrt(lbm_dot3(u, u) * lbm_dot3(v, v) * lbm_dot3(d, d));
    return fabs(inside) <= least || (inside > 0 ? origin < 0 : origin > 0);
}

/* Finds the part of the simplex that is nearest to the origin. Returns 1 where the origin is inside. */
static int find_nearest(const simplex *s, part *best) {
    best->square = INFINITY;
    best->count = 0;
    const int newest = s->count - 1;
    try_corner(s, newest, best);
    if (s->count == 2) {
        try_edge(s, 0, 1, best);
    } else if (s->count == 3) {
        nearest_on_triangle(s, 0, 1, 2, best);
    } else if (s->count == 4) {
        static const int faces[3][3] = {{0, 1, 2}, {1, 2, 0}, {2, 0, 1}};
        int beyond = 0;
        for (int f = 0; f < 3; f++) {
            if (is_beyond(s, faces[f][0], faces[f][1], 3, faces[f][2])) {
                nearest_on_triangle(s, faces[f][0], faces[f][1], 3, best);
                beyond = 1;
            }
        }
        return !beyond;
    }
    return 0;
}

static void reduce(simplex *s, const part *p) {
    simplex reduced;
    reduced.count = p->count;
    for (int i = 0; i < p->count; i++) {
        reduced.corners[i] = s->corners[p->corners[i]];
        reduced.weights[i] = p->weights[i];
    }
    *s = reduced;
}

static void point_of(const simplex *s, double v[3]) {
    lbm_set3(v, 0, 0, 0);
    for (int i = 0; i < s->count; i++) {
        lbm_add_scaled3(v, s->corners[i].w, s->weights[i]);
    }
    if (s->count == 3) { /* the foot on the plane, exactly normal to it */
        double ab[3], ac[3], n[3];
        lbm_sub3(s->corners[1].w, s->corners[0].w, ab);
        lbm_sub3(s->corners[2].w, s->corners[0].w, ac);
        lbm_cross3(ab, ac, n);
        const double scale = lbm_dot3(n, s->corners[0].w) / lbm_dot3(n, n);
        lbm_set3(v, n[0] * scale, n[1] * scale, n[2] * scale);
    }
}

/* --- The search -------------------------------------------------------------------------------------------------------- */

static int is_known(const simplex *s, const lbm_corner *corner) {
    for (int i = 0; i < s->count; i++) {
        if (memcmp(s->corners[i].w, corner->w, sizeof corner->w) == 0) {
            return 1;
        }
    }
    return 0;
}

/* Normal, points and distance of the cores where they are apart: v is the nearest point of a - b. */
static void set_apart(const simplex *s, const double v[3], lbm_gap *gap) {
    gap->distance = lbm_norm3(v);
    lbm_set3(gap->at_a, 0, 0, 0);
    lbm_set3(gap->at_b, 0, 0, 0);
    for (int i = 0; i < s->count; i++) {
        lbm_add_scaled3(gap->at_a, s->corners[i].a, s->weights[i]);
        lbm_add_scaled3(gap->at_b, s->corners[i].b, s->weights[i]);
    }
    for (int c = 0; c < 3; c++) {
        gap->normal[c] = v[c] / gap->distance;
    }
}

/* The distance of the cores, in the frame of a. */
static void search(lbm_couple *couple, double enough, lbm_gap *gap) {
    simplex s = {0};
    double v[3], back[3];
    lbm_copy3(back, couple->b_in_a.p); /* from a to b */
    if (lbm_dot3(back, back) == 0) {
        back[0] = 1;
    }
    lbm_couple_support(couple, back, &s.corners[0]);
    s.weights[0] = s.count = 1;
    lbm_copy3(v, s.corners[0].w);
    double square = lbm_dot3(v, v);
    const double touching = TOUCHING * couple->size;
    for (int step = 0; step < MOST_STEPS && square > touching * touching; step++) {
        lbm_corner corner;
        part best;
        lbm_set3(back, -v[0], -v[1], -v[2]);
        lbm_couple_support(couple, back, &corner);
        const double along = lbm_dot3(v, corner.w), length = sqrt(square);
        if (along > 0 && along > enough * length) {
            gap->is_bound = 1;
            gap->distance = along / length;
            return;
        }
        if (square - along <= AGREE * square + AGREE_SIZE * couple->size * length || is_known(&s, &corner)) {
            set_apart(&s, v, gap);
            return;
        }
        s.corners[s.count++] = corner;
        if (find_nearest(&s, &best)) {
            lbm_expand(couple, s.corners, s.count, gap);
            return;
        }
        if (!(best.square < square)) { /* no further headway: rounding */
            s.count--;
            set_apart(&s, v, gap);
            return;
        }
        reduce(&s, &best);
        point_of(&s, v);
        square = lbm_dot3(v, v);
    }
    if (square > touching * touching) {
        set_apart(&s, v, gap);
    } else {
        lbm_expand(couple, s.corners, s.count, gap);
    }
}

/* --- Whether they are apart
 * --------------------------------------------------------------------------------------------- */

/* Sets what the search needs to know of two solids: only the order of size counts, one support point each gives it. */
static void set_couple(const lbm_convex *a, const lbm_convex *b, lbm_couple *couple) {
    double reach = 0;
    couple->a = a;
    couple->b = b;
    couple->hint_a = couple->hint_b = 0;
    for (int i = 0; i < 2; i++) {
        const lbm_convex *solid = i ? b : a;
        double point[3];
        int hint = 0;
        lbm_convex_support(solid, (const double[3]){1, 1, 1}, &hint, point);
        reach = larger(reach, lbm_norm3(point));
    }
    couple->size = reach + lbm_norm3(couple->b_in_a.p);
    couple->deep = INFINITY;
}

/* Cores whose rounding reaches farther than asked are looked at as far as they overlap, until that is known to be too
 * deep. */
static int is_apart_by_depth(const lbm_convex *a, const lbm_convex *b, const lbm_transform *b_in_a, double least) {
    const double enough = least + a->radius + b->radius;
    lbm_couple couple = {.b_in_a = *b_in_a};
    lbm_gap gap = {0};
    set_couple(a, b, &couple);
    couple.deep = -enough;
    search(&couple, enough, &gap);
    return gap.is_bound || gap.distance > enough;
}

int lbm_convex_is_apart(const lbm_convex *a, const lbm_convex *b, const lbm_transform *b_in_a, double least,
                        lbm_axis *axis) {
    const double enough = least + a->radius + b->radius;
    lbm_couple couple = {.a = a, .b = b, .b_in_a = *b_in_a, .hint_a = axis->hint_a, .hint_b = axis->hint_b};
    simplex s = {0};
    double v[3], back[3];
    lbm_copy3(v, axis->way);
    if (lbm_dot3(v, v) == 0) {
        lbm_set3(v, -b_in_a->p[0], -b_in_a->p[1], -b_in_a->p[2]);
    }
    if (lbm_dot3(v, v) == 0) {
        v[0] = 1;
    }
    for (int step = 0; step < MOST_STEPS; step++) {
        lbm_corner corner;
        part best;
        lbm_set3(back, -v[0], -v[1], -v[2]);
        lbm_couple_support(&couple, back, &corner);
        const double along = lbm_dot3(v, corner.w), square = lbm_dot3(v, v);
        if (along > enough * sqrt(square)) {
            *axis = (lbm_axis){{v[0], v[1], v[2]}, couple.hint_a, couple.hint_b};
            return 1;
        }
        if (s.count && (square <= enough * (enough > 0 ? enough : 0) || is_known(&s, &corner))) {
            break; /* as near as that, or no nearer */
        }
        s.corners[s.count++] = corner;
        if (s.count == 1) {
            s.weights[0] = 1;
        } else if (find_nearest(&s, &best)) {
            break;
        } else {
            reduce(&s, &best);
        }
        point_of(&s, v);
        if (lbm_dot3(v, v) == 0) {
            break;
        }
    }
    return enough > 0 ? 0 : is_apart_by_depth(a, b, b_in_a, least);
}

/* --- Half-spaces ------------------------------------------------------------------------------------------------------- */

/* a, in the frame of a half-space b. */
static void above_plane(const lbm_convex *a, const lbm_transform *frame_a, const lbm_transform *plane, lbm_gap *gap) {
    const double *up = plane->z;
    const double down[3] = {-lbm_dot3(frame_a->x, up), -lbm_dot3(frame_a->y, up), -lbm_dot3(frame_a->z, up)};
    double local[3], off[3];
    int hint = 0;
    lbm_convex_support(a, down, &hint, local);
    lbm_apply(frame_a, local, gap->at_a);
    lbm_sub3(gap->at_a, plane->p, off);
    gap->distance = lbm_dot3(off, up);
    lbm_copy3(gap->normal, up);
    lbm_copy3(gap->at_b, gap->at_a);
    lbm_add_scaled3(gap->at_b, up, -gap->distance);
}

static void swap_sides(lbm_gap *gap) {
    double kept[3];
    lbm_copy3(kept, gap->at_a);
    lbm_copy3(gap->at_a, gap->at_b);
    lbm_copy3(gap->at_b, kept);
    lbm_set3(gap->normal, -gap->normal[0], -gap->normal[1], -gap->normal[2]);
}

static void round_off(const lbm_convex *a, const lbm_convex *b, lbm_gap *gap) {
    gap->distance -= a->radius + b->radius;
    if (!gap->is_bound) {
        lbm_add_scaled3(gap->at_a, gap->normal, -a->radius);
        lbm_add_scaled3(gap->at_b, gap->normal, b->radius);
    }
}

void lbm_convex_distance(const lbm_convex *a, const lbm_transform *frame_a, const lbm_convex *b,
                         const lbm_transform *frame_b, double enough, lbm_gap *gap) {
    memset(gap, 0, sizeof *gap);
    const int is_plane_a = a->kind == LBM_CONVEX_HALF_SPACE, is_plane_b = b->kind == LBM_CONVEX_HALF_SPACE;
    if (is_plane_a && is_plane_b) {
        gap->distance = INFINITY;
        gap->is_bound = 1;
        return;
    }
    if (is_plane_a || is_plane_b) {
        above_plane(is_plane_b ? a : b, is_plane_b ? frame_a : frame_b, is_plane_b ? frame_b : frame_a, gap);
        if (is_plane_a) {
            swap_sides(gap);
        }
        round_off(a, b, gap);
        return;
    }
    lbm_couple couple;
    lbm_transform inverse;
    lbm_transform_invert(frame_a, &inverse);
    lbm_transform_multiply(&inverse, frame_b, &couple.b_in_a);
    set_couple(a, b, &couple);
    search(&couple, enough + a->radius + b->radius, gap);
    if (!gap->is_bound) {
        double local[3];
        lbm_copy3(local, gap->at_a);
        lbm_apply(frame_a, local, gap->at_a);
        lbm_copy3(local, gap->at_b);
        lbm_apply(frame_a, local, gap->at_b);
        lbm_copy3(local, gap->normal);
        lbm_rotate(frame_a, local, gap->normal);
    }
    round_off(a, b, gap);
}
