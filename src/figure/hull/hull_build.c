/* Quickhull (Barber, Dobkin and Huhdanpaa, ACM Trans. Mathematical Software 22, 1996): a polyhedron grows by the point
 * that is farthest above one of its faces. The faces that the point sees go, and the point is joined to the rim of the
 * hole. A point whose rim is not one simple ring, or that would make a face without area, which rounding alone can do,
 * is left out; hull.c measures afterwards how far outside it is. */
#include "figure/hull/hull_build.h"

static double above(const lbf_hull_draft *d, const lbf_hull_face *face, int point) {
    return lbm_dot3(face->normal, d->points[point]) - face->height;
}

/* The plane through three points. Returns 0 where they have none. */
static int set_plane(const lbf_hull_draft *d, int i, int j, int k, lbf_hull_face *face) {
    double u[3], v[3];
    lbm_sub3(d->points[j], d->points[i], u);
    lbm_sub3(d->points[k], d->points[i], v);
    lbm_cross3(u, v, face->normal);
    const double area = lbm_norm3(face->normal);
    if (!(area > d->least * d->least)) {
        return 0;
    }
    for (int c = 0; c < 3; c++) {
        face->normal[c] /= area;
    }
    face->corners[0] = i, face->corners[1] = j, face->corners[2] = k;
    face->height = lbm_dot3(face->normal, d->points[i]);
    face->outside = -1;
    face->gone = face->seen = 0;
    return 1;
}

/* Hands a point to the first of the faces from `from` on that it is above; others are inside or on the hull. */
static void hand_out(lbf_hull_draft *d, int point, int from) {
    for (int f = from; f < d->face_count; f++) {
        if (above(d, &d->faces[f], point) > d->least) {
            d->next[point] = d->faces[f].outside;
            d->faces[f].outside = point;
            return;
        }
    }
}

/* Takes the farthest of the points above a face out of its list. */
static int take_farthest(lbf_hull_draft *d, lbf_hull_face *face) {
    int best = face->outside, before_best = -1;
    double height = above(d, face, best);
    for (int before = best, p = d->next[best]; p >= 0; before = p, p = d->next[p]) {
        const double its = above(d, face, p);
        if (its > height) {
            height = its;
            best = p;
            before_best = before;
        }
    }
    if (before_best < 0) {
        face->outside = d->next[best];
    } else {
        d->next[before_best] = d->next[best];
    }
    return best;
}

/* Finds the faces that a point sees, from one of them on, and the rim around them. Returns 0 if there is no memory. */
static int look_around(lbf_hull_draft *d, int from, int point) {
    d->visible_count = d->rim_count = 0;
    if (!lbf_grow(d->allocator, (void **)&d->visible, &d->visible_capacity, d->face_count, sizeof *d->visible) ||
        !lbf_grow(d->allocator, (void **)&d->rim, &d->rim_capacity, 3 * d->face_count, sizeof *d->rim)) {
        return 0;
    }
    d->visible[d->visible_count++] = from;
    d->faces[from].seen = 1;
    for (int i = 0; i < d->visible_count; i++) {
        for (int e = 0; e < 3; e++) {
            const int other = d->faces[d->visible[i]].beside[e];
            if (!d->faces[other].seen && above(d, &d->faces[other], point) > d->least) {
                d->faces[other].seen = 1;
                d->visible[d->visible_count++] = other;
            }
        }
    }
    for (int i = 0; i < d->visible_count; i++) {
        const lbf_hull_face *face = &d->faces[d->visible[i]];
        for (int e = 0; e < 3; e++) {
            if (!d->faces[face->beside[e]].seen) {
                int *edge = d->rim[d->rim_count++];
                edge[0] = face->corners[e], edge[1] = face->corners[(e + 1) % 3], edge[2] = face->beside[e];
            }
        }
    }
    return 1;
}

/* Whether the rim is one ring that passes each corner once. d->start has the edge that begins at each corner, or -1. */
static int is_ring(lbf_hull_draft *d) {
    int is_simple = d->rim_count >= 3, steps = 0;
    for (int i = 0; i < d->rim_count; i++) {
        is_simple &= d->start[d->rim[i][0]] < 0;
        d->start[d->rim[i][0]] = i;
    }
    for (int edge = 0; is_simple && steps < d->rim_count; steps++) {
        edge = d->start[d->rim[edge][1]];
        is_simple = edge >= 0 && (edge > 0 || steps == d->rim_count - 1);
    }
    return is_simple;
}

/* Puts new faces between the rim and the point behind all others. Returns 0 where one has no area; there are none
 * then. */
static int add_fan(lbf_hull_draft *d, int point) {
    const int first = d->face_count;
    for (int i = 0; i < d->rim_count; i++) {
        if (!set_plane(d, d->rim[i][0], d->rim[i][1], point, &d->faces[first + i])) {
            return 0;
        }
    }
    for (int i = 0; i < d->rim_count; i++) {
        const int next = d->start[d->rim[i][1]];
        lbf_hull_face *stays = &d->faces[d->rim[i][2]];
        d->faces[first + i].beside[0] = d->rim[i][2];
        d->faces[first + i].beside[1] = first + next;
        d->faces[first + next].beside[2] = first + i;
        for (int e = 0; e < 3; e++) {
            if (stays->corners[e] == d->rim[i][1] && stays->corners[(e + 1) % 3] == d->rim[i][0]) {
                stays->beside[e] = first + i;
            }
        }
    }
    d->face_count += d->rim_count;
    return 1;
}

/* Adds a point above a face, or leaves it out. Returns 0 if there is no memory. */
static int add_point(lbf_hull_draft *d, int face, int point) {
    if (!look_around(d, face, point) || !lbf_grow(d->allocator, (void **)&d->faces, &d->face_capacity,
                                                  d->face_count + d->rim_count, sizeof *d->faces)) {
        return 0;
    }
    const int first = d->face_count, is_added = is_ring(d) && add_fan(d, point);
    for (int i = 0; i < d->rim_count; i++) {
        d->start[d->rim[i][0]] = -1;
    }
    for (int i = 0; i < d->visible_count; i++) {
        lbf_hull_face *seen = &d->faces[d->visible[i]];
        seen->seen = 0;
        seen->gone = (unsigned char)is_added;
        for (int p = is_added ? seen->outside : -1, after; p >= 0; p = after) {
            after = d->next[p];
            hand_out(d, p, first);
        }
    }
    return 1;
}

static int begin(lbf_hull_draft *d, const int c[4]) {
    static const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    static const int beside[4][3] = {{1, 3, 2}, {2, 3, 0}, {0, 3, 1}, {1, 2, 0}};
    int corners[4] = {c[0], c[1], c[2], c[3]};
    lbf_hull_face first;
    if (!lbf_grow(d->allocator, (void **)&d->faces, &d->face_capacity, 4, sizeof *d->faces)) {
        return 0;
    }
    if (set_plane(d, c[0], c[1], c[2], &first) && above(d, &first, c[3]) > 0) {
        corners[1] = c[2], corners[2] = c[1]; /* the last corner must be below the first face */
    }
    for (int f = 0; f < 4; f++) {
        if (!set_plane(d, corners[faces[f][0]], corners[faces[f][1]], corners[faces[f][2]], &d->faces[f])) {
            return 1; /* no tetrahedron: hull.c sees that there is no face */
        }
        for (int e = 0; e < 3; e++) {
            d->faces[f].beside[e] = beside[f][e];
        }
    }
    d->face_count = 4;
    return 1;
}

int lbf_hull_grow(lbf_hull_draft *d, const int corners[4]) {
    if (!begin(d, corners)) {
        return 0;
    }
    for (int p = 0; p < d->count; p++) {
        d->start[p] = -1;
        hand_out(d, p, 0);
    }
    for (int f = 0; f < d->face_count; f++) { /* points of faces that go are handed to faces behind them */
        while (!d->faces[f].gone && d->faces[f].outside >= 0) {
            if (!add_point(d, f, take_farthest(d, &d->faces[f]))) {
                return 0;
            }
        }
    }
    return 1;
}
