/* How deep two convex cores are in each other: the expanding polytope algorithm (van den Bergen, Proximity queries and
 * penetration depth computation on 3D game objects, 2001). A polytope inside a - b that holds the origin grows by
 * support points along the normal of its face nearest to the origin, until that face is one of a - b itself. The face's
 * distance is never more than the true depth, and the support point's height along its normal never less. */
#include "math/convex/convex.h"

#define MOST_CORNERS 128
#define MOST_FACES (2 * MOST_CORNERS)
#define MOST_EDGES (3 * MOST_CORNERS)
#define AGREE 1e-9    /* of the size: the bounds of the depth agree */
#define FLAT 1e-17    /* of the size squared: a triangle with less area has no normal */
#define THIN 1e-9     /* of the size: what is thinner in some direction has no inside */
#define VISIBLE 1e-14 /* of the size: a corner must be so far above a face to see it */

typedef struct face {
    int corners[3];
    double normal[3], distance;
} face;

typedef struct polytope {
    int corner_count, face_count;
    lbm_corner corners[MOST_CORNERS];
    face faces[MOST_FACES];
    double size;
} polytope;

/* --- A first tetrahedron
 * ------------------------------------------------------------------------------------------------ */

/* How far a corner is from the point, line or plane of the corners there are. */
static double height_of(const polytope *p, const double w[3]) {
    double u[3], v[3], d[3], n[3];
    lbm_sub3(w, p->corners[0].w, d);
    if (p->corner_count < 2) {
        return lbm_norm3(d);
    }
    lbm_sub3(p->corners[1].w, p->corners[0].w, u);
    if (p->corner_count < 3) {
        lbm_cross3(u, d, n);
        return lbm_norm3(n) / lbm_norm3(u);
    }
    lbm_sub3(p->corners[2].w, p->corners[0].w, v);
    lbm_cross3(u, v, n);
    return fabs(lbm_dot3(n, d)) / lbm_norm3(n);
}

/* The directions to look for the next corner of a flat simplex in: what is normal to it, and the axes. */
static int free_directions(const polytope *p, double directions[5][3]) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    double u[3] = {0, 0, 0}, v[3] = {0, 0, 0};
    int count = 0;
    if (p->corner_count > 1) {
        lbm_sub3(p->corners[1].w, p->corners[0].w, u);
    }
    if (p->corner_count > 2) {
        lbm_sub3(p->corners[2].w, p->corners[0].w, v);
        lbm_cross3(u, v, directions[count++]);
    } else if (p->corner_count == 2) {
        const int least = fabs(u[0]) <= fabs(u[1]) && fabs(u[0]) <= fabs(u[2]) ? 0 : fabs(u[1]) <= fabs(u[2]) ? 1 : 2;
        lbm_cross3(u, axes[least], directions[count++]);
        lbm_cross3(u, directions[0], directions[count++]);
    }
    for (int c = 0; c < 3; c++) {
        lbm_copy3(directions[count++], axes[c]);
    }
    return count;
}

/* Adds corners to a flat simplex until it is a tetrahedron. Returns 0 where a - b itself is flat; `normal` is normal to
 * it. */
static int inflate(lbm_couple *couple, polytope *p, double normal[3]) {
    while (p->corner_count < 4) {
        double directions[5][3], best = 0;
        lbm_corner taken = p->corners[0];
        const int count = free_directions(p, directions);
        lbm_copy3(normal, directions[0]);
        for (int i = 0; i < 2 * count; i++) {
            double *d = directions[i / 2];
            lbm_corner corner;
            lbm_couple_support(couple, d, &corner);
            const double height = height_of(p, corner.w);
            if (height > best) {
                best = height;
                taken = corner;
            }
            lbm_set3(d, -d[0], -d[1], -d[2]);
        }
        if (!(best > THIN * p->size)) {
            return 0;
        }
        p->corners[p->corner_count++] = taken;
    }
    return 1;
}

/* --- Faces --------------------------------------------------------------------------------------------------------------- */

/* Adds a face whose normal points away from the inside. Returns 0 where it is too flat, or there is no room. */
static int add_face(polytope *p, int i, int j, int k) {
    if (p->face_count == MOST_FACES) {
        return 0;
    }
    face *f = &p->faces[p->face_count];
    double u[3], v[3];
    lbm_sub3(p->corners[j].w, p->corners[i].w, u);
    lbm_sub3(p->corners[k].w, p->corners[i].w, v);
    lbm_cross3(u, v, f->normal);
    const double area = lbm_norm3(f->normal);
    if (!(area > FLAT * p->size * p->size)) {
        return 0;
    }
    for (int c = 0; c < 3; c++) {
        f->normal[c] /= area;
    }
    f->distance = lbm_dot3(f->normal, p->corners[i].w);
    f->corners[0] = i, f->corners[1] = j, f->corners[2] = k;
    p->face_count++;
    return 1;
}

static int nearest_face(const polytope *p) {
    int best = 0;
    for (int i = 1; i < p->face_count; i++) {
        best = p->faces[i].distance < p->faces[best].distance ? i : best;
    }
    return best;
}

/* An edge of the hole: met twice, it lies between two faces that go. Returns 0 where there is no room. */
static int toggle_edge(int (*edges)[2], int *count, int from, int to) {
    for (int i = 0; i < *count; i++) {
        if (edges[i][0] == to && edges[i][1] == from) {
            --*count;
            edges[i][0] = edges[*count][0], edges[i][1] = edges[*count][1];
            return 1;
        }
    }
    if (*count == MOST_EDGES) {
        return 0;
    }
    edges[*count][0] = from, edges[*count][1] = to;
    ++*count;
    return 1;
}

/* Takes out the faces that see the newest corner and joins it to the edges of the hole. Returns 0 where that fails; the
 * polytope is of no more use then. */
static int grow(polytope *p) {
    int edges[MOST_EDGES][2], edge_count = 0;
    const int newest = p->corner_count - 1;
    const double *w = p->corners[newest].w;
    for (int i = 0; i < p->face_count;) {
        const face *f = &p->faces[i];
        if (lbm_dot3(f->normal, w) - f->distance <= VISIBLE * p->size) {
            i++;
            continue;
        }
        for (int e = 0; e < 3; e++) {
            if (!toggle_edge(edges, &edge_count, f->corners[e], f->corners[(e + 1) % 3])) {
                return 0;
            }
        }
        p->faces[i] = p->faces[--p->face_count];
    }
    for (int i = 0; i < edge_count; i++) {
        if (!add_face(p, edges[i][0], edges[i][1], newest)) {
            return 0;
        }
    }
    return edge_count > 0;
}

/* --- The answer ---------------------------------------------------------------------------------------------------------- */

/* Weights of a face's corners at the origin's foot on its plane, not normalised; the least of them, which is negative
 * where the foot is outside of the face. */
static double weigh_foot(const polytope *p, const face *f, double weights[3]) {
    const double foot[3] = {f->normal[0] * f->distance, f->normal[1] * f->distance, f->normal[2] * f->distance};
    double least = INFINITY;
    for (int i = 0; i < 3; i++) {
        double u[3], v[3], n[3];
        lbm_sub3(p->corners[f->corners[(i + 1) % 3]].w, foot, u);
        lbm_sub3(p->corners[f->corners[(i + 2) % 3]].w, foot, v);
        lbm_cross3(u, v, n);
        weights[i] = lbm_dot3(n, f->normal);
        least = weights[i] < least ? weights[i] : least;
    }
    return least;
}

/* The points of both cores at the origin's foot. Faces of a - b have many sides: of the triangles in the plane of the
 * nearest face, it is the one that the foot is in. */
static void set_points(const polytope *p, const face *nearest, lbm_gap *gap) {
    const face *f = nearest;
    double weights[3], least = weigh_foot(p, f, weights), sum = 0;
    for (int i = 0; i < p->face_count && least < 0; i++) {
        const face *other = &p->faces[i];
        double its[3];
        if (other->distance - nearest->distance > AGREE * p->size) {
            continue;
        }
        const double inside = weigh_foot(p, other, its);
        if (inside > least) {
            least = inside;
            f = other;
            lbm_copy3(weights, its);
        }
    }
    for (int i = 0; i < 3; i++) {
        weights[i] = weights[i] > 0 ? weights[i] : 0;
        sum += weights[i];
    }
    lbm_set3(gap->at_a, 0, 0, 0);
    lbm_set3(gap->at_b, 0, 0, 0);
    for (int i = 0; i < 3; i++) {
        const double weight = sum > 0 ? weights[i] / sum : i == 0;
        lbm_add_scaled3(gap->at_a, p->corners[f->corners[i]].a, weight);
        lbm_add_scaled3(gap->at_b, p->corners[f->corners[i]].b, weight);
    }
}

static void set_flat(const polytope *p, const double direction[3], lbm_gap *gap) {
    const double length = lbm_norm3(direction);
    gap->distance = 0;
    for (int c = 0; c < 3; c++) {
        gap->normal[c] = length > 0 ? direction[c] / length : c == 2;
    }
    lbm_copy3(gap->at_a, p->corners[0].a);
    lbm_copy3(gap->at_b, p->corners[0].b);
}

static int begin(polytope *p) {
    static const int faces[4][3] = {{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}};
    double u[3], v[3], d[3], n[3];
    lbm_sub3(p->corners[1].w, p->corners[0].w, u);
    lbm_sub3(p->corners[2].w, p->corners[0].w, v);
    lbm_sub3(p->corners[3].w, p->corners[0].w, d);
    lbm_cross3(u, v, n);
    if (lbm_dot3(n, d) > 0) { /* the last corner must be below the first face */
        lbm_corner kept = p->corners[1];
        p->corners[1] = p->corners[2];
        p->corners[2] = kept;
    }
    for (int f = 0; f < 4; f++) {
        if (!add_face(p, faces[f][0], faces[f][1], faces[f][2])) {
            return 0;
        }
    }
    return 1;
}

void lbm_expand(lbm_couple *couple, const lbm_corner *corners, int count, lbm_gap *gap) {
    polytope p;
    double direction[3] = {0, 0, 1};
    p.corner_count = count;
    p.face_count = 0;
    p.size = couple->size;
    memcpy(p.corners, corners, (size_t)count * sizeof *corners);
    if (!inflate(couple, &p, direction) || !begin(&p)) {
        set_flat(&p, direction, gap);
        return;
    }
    face nearest = p.faces[nearest_face(&p)];
    lbm_corner least = p.corners[0]; /* the support point of least height, and the direction that it was found in */
    double least_height = INFINITY, least_normal[3] = {0, 0, 1};
    int is_done = 0;
    while (!is_done && p.corner_count < MOST_CORNERS) {
        lbm_corner *corner = &p.corners[p.corner_count];
        lbm_couple_support(couple, nearest.normal, corner);
        const double height = lbm_dot3(corner->w, nearest.normal);
        if (height < least_height) {
            least_height = height;
            least = *corner;
            lbm_copy3(least_normal, nearest.normal);
        }
        is_done = height - nearest.distance <= AGREE * p.size;
        if (!is_done) {
            p.corner_count++;
            if (!grow(&p)) {
                break;
            }
            nearest = p.faces[nearest_face(&p)];
            is_done = nearest.distance > couple->deep; /* the polytope is inside of a - b, whose boundary is farther */
        }
    }
    if (is_done) {
        gap->distance = -nearest.distance;
        lbm_set3(gap->normal, -nearest.normal[0], -nearest.normal[1], -nearest.normal[2]);
        set_points(&p, &nearest, gap);
    } else { /* round solids, deep in each other: a translation that parts them, if perhaps not quite the shortest */
        gap->distance = -least_height;
        lbm_set3(gap->normal, -least_normal[0], -least_normal[1], -least_normal[2]);
        lbm_copy3(gap->at_a, least.a);
        lbm_copy3(gap->at_b, least.b);
    }
}
