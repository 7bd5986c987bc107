/* Distances of pairs: balls and capsules first, then the solids themselves. */
#include <string.h>

#include "problem/apart.h"

static double square_of(const double a[3], const double b[3]) {
    double off[3];
    lbm_sub3(a, b, off);
    return lbm_dot3(off, off);
}

static double clamp(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

/* The square of the distance of two line segments: Ericson, Real-Time Collision Detection, 5.1.9. */
static double segments_square(const double p[2][3], const double q[2][3]) {
    double d1[3], d2[3], r[3], c1[3], c2[3];
    lbm_sub3(p[1], p[0], d1);
    lbm_sub3(q[1], q[0], d2);
    lbm_sub3(p[0], q[0], r);
    const double a = lbm_dot3(d1, d1), e = lbm_dot3(d2, d2), f = lbm_dot3(d2, r), c = lbm_dot3(d1, r),
                 b = lbm_dot3(d1, d2), det = a * e - b * b;
    double s = det > 1e-12 * a * e ? clamp((b * f - c * e) / det) : 0;
    double t = e > 0 ? (b * s + f) / e : 0;
    if (t < 0 || t > 1 || !(e > 0)) { /* beyond an end, or q is a point: what of p is nearest to it */
        t = clamp(t);
        s = a > 0 ? clamp((b * t - c) / a) : 0;
    }
    for (int i = 0; i < 3; i++) {
        c1[i] = p[0][i] + s * d1[i];
        c2[i] = q[0][i] + t * d2[i];
    }
    return square_of(c1, c2);
}

/* Whether the balls around two masses are more than `least` apart. */
static int balls_are_apart(const lbp_pair *pair, const lbm_transform *frame_a, const lbm_transform *frame_b,
                           double least) {
    double a[3], b[3];
    lbm_apply(frame_a, pair->a->centre, a);
    lbm_apply(frame_b, pair->b->centre, b);
    const double room = pair->a->reach + pair->b->reach + least;
    return room < 0 || square_of(a, b) > room * room;
}

/* Whether the capsule around a is more than `least` above a half-space. */
static int cover_is_above(const lbp_solid *a, const lbp_solid *space, const lbm_transform *b_in_a, double least) {
    lbm_transform plane;
    lbm_transform_multiply(b_in_a, &space->frame, &plane);
    for (int i = 0; i < 2; i++) {
        double off[3];
        lbm_sub3(a->ends[i], plane.p, off);
        if (!(lbm_dot3(off, plane.z) > a->round + least)) {
            return 0;
        }
    }
    return 1;
}

/* Whether a itself is; the half-space's frame is given in that of a. */
static int is_above(const lbm_convex *a, const lbm_transform *plane, double least) {
    const double down[3] = {-plane->z[0], -plane->z[1], -plane->z[2]};
    double lowest[3], off[3];
    int hint = 0;
    lbm_convex_support(a, down, &hint, lowest);
    lbm_sub3(lowest, plane->p, off);
    return lbm_dot3(off, plane->z) > a->radius + least;
}

/* Whether balls or capsules around two solids are more than `least` apart. */
static int covers_are_apart(const lbp_solid *a, const lbp_solid *b, const lbm_transform *b_in_a, double least) {
    double centre[3], ends[2][3];
    if (b->convex.kind == LBM_CONVEX_HALF_SPACE) {
        return cover_is_above(a, b, b_in_a, least);
    }
    const double room = a->reach + b->reach + least, narrow = a->round + b->round + least;
    lbm_apply(b_in_a, b->centre, centre);
    if (room < 0 || narrow < 0 || square_of(a->centre, centre) > room * room) {
        return 1;
    }
    lbm_apply(b_in_a, b->ends[0], ends[0]);
    lbm_apply(b_in_a, b->ends[1], ends[1]);
    return segments_square((const double(*)[3])a->ends, (const double(*)[3])ends) > narrow * narrow;
}

static void place(const lbp_solid *solid, const lbm_transform *mass, lbm_transform *frame) {
    if (solid->is_placed) {
        lbm_transform_multiply(mass, &solid->frame, frame);
    } else {
        *frame = *mass;
    }
}

void lbp_pair_gap(const lbp_pair *pair, const lbm_transform *frame_a, const lbm_transform *frame_b, double enough,
                  lbm_gap *gap) {
    memset(gap, 0, sizeof *gap);
    gap->distance = enough;
    gap->is_bound = 1;
    if (balls_are_apart(pair, frame_a, frame_b, enough)) {
        return;
    }
    lbm_transform inverse, b_in_a;
    lbm_transform_invert(frame_a, &inverse);
    lbm_transform_multiply(&inverse, frame_b, &b_in_a);
    for (int i = 0; i < pair->a->solid_count; i++) {
        for (int j = 0; j < pair->b->solid_count; j++) {
            const lbp_solid *a = &pair->a->solids[i], *b = &pair->b->solids[j];
            lbm_transform at_a, at_b;
            lbm_gap its;
            if (covers_are_apart(a, b, &b_in_a, gap->distance)) {
                continue;
            }
            place(a, frame_a, &at_a);
            place(b, frame_b, &at_b);
            lbm_convex_distance(&a->convex, &at_a, &b->convex, &at_b, gap->distance, &its);
            if (!its.is_bound && its.distance < gap->distance) {
                *gap = its;
            }
        }
    }
}

int lbp_pair_is_apart(const lbp_pair *pair, const lbm_transform *frame_a, const lbm_transform *frame_b, double least,
                      lbp_memory *memory) {
    if (balls_are_apart(pair, frame_a, frame_b, least)) {
        return 1;
    }
    lbm_transform inverse, b_in_a;
    lbm_transform_invert(frame_a, &inverse);
    lbm_transform_multiply(&inverse, frame_b, &b_in_a);
    const int is_single = pair->a->solid_count == 1 && pair->b->solid_count == 1;
    for (int i = 0; i < pair->a->solid_count; i++) {
        for (int j = 0; j < pair->b->solid_count; j++) {
            const lbp_solid *a = &pair->a->solids[i], *b = &pair->b->solids[j];
            lbm_axis none = {{0, 0, 0}, 0, 0}, *axis = is_single ? &memory->axis : &none;
            if (covers_are_apart(a, b, &b_in_a, least)) {
                continue;
            }
            lbm_transform in_a = b_in_a, moved;
            if (b->is_placed) {
                lbm_transform_multiply(&b_in_a, &b->frame, &in_a);
            }
            if (a->is_placed) {
                lbm_transform_invert(&a->frame, &inverse);
                lbm_transform_multiply(&inverse, &in_a, &moved);
                in_a = moved;
            }
            if (b->convex.kind == LBM_CONVEX_HALF_SPACE
                    ? !is_above(&a->convex, &in_a, least)
                    : !lbm_convex_is_apart(&a->convex, &b->convex, &in_a, least, axis)) {
                return 0;
            }
        }
    }
    return 1;
}

double lbp_apart_row(const lbp_pair *pair, const double e[9], int is_signed, double *derivatives) {
    static const lbm_transform here = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {0, 0, 0}};
    lbm_transform a = here;
    lbm_gap gap;
    lbm_copy3(a.p, e);
    lbm_copy3(a.x, e + 3);
    lbm_copy3(a.y, e + 6);
    lbm_cross3(a.x, a.y, a.z);
    if (derivatives) {
        memset(derivatives, 0, 9 * sizeof *derivatives);
    }
    lbp_pair_gap(pair, &a, &here, pair->margin + (is_signed ? LBP_NEAR : 0), &gap);
    const double row = pair->margin - gap.distance;
    if (gap.is_bound || (row <= 0 && !is_signed)) {
        return is_signed ? row : 0;
    }
    /* The nearest point of a is p = r + l0 x + l1 y + l2 (x cross y); the distance grows by n . dp. */
    double off[3], cross[3];
    lbm_sub3(gap.at_a, a.p, off);
    const double l[3] = {lbm_dot3(off, a.x), lbm_dot3(off, a.y), lbm_dot3(off, a.z)}, *n = gap.normal;
    if (derivatives) {
        lbm_add_scaled3(derivatives, n, -1);
        lbm_add_scaled3(derivatives + 3, n, -l[0]);
        lbm_cross3(a.y, n, cross);
        lbm_add_scaled3(derivatives + 3, cross, -l[2]);
        lbm_add_scaled3(derivatives + 6, n, -l[1]);
        lbm_cross3(n, a.x, cross);
        lbm_add_scaled3(derivatives + 6, cross, -l[2]);
    }
    return row;
}
