/* Angles from positions. */
#include "math/trig.h"
#include "solve/methods/fabrik/fabrik.h"

/* How many links lie between a vertex and each that hangs on it, into their `below`; those of no length do not count.
 * -1: it does not hang on it, or no goal hangs on that. */
static void count_links(lbs_fabrik *f, int top) {
    f->vertices[top].below = 0;
    for (int i = top + 1; i < f->count; i++) {
        lbs_vertex *v = &f->vertices[i];
        int above = v->parent >= top ? f->vertices[v->parent].below : -1;
        v->below = above < 0 || !(v->weight > 0) ? -1 : above + (v->length > 0);
    }
}

/* Whether a turn is made for the sake of a vertex: so many links below, or, with 0 links, as f->sake says. */
static int counts(const lbs_fabrik *f, const lbs_vertex *v, int links) {
    if (links > 0) {
        return v->below == links;
    }
    return v->below > 0 && (f->sake == LBS_FOR_ALL || v->node < 0);
}

/* The turn about an axis through a vertex that brings what hangs on it, so many links below, nearest to where it is
 * wanted. *moves is 0 if it goes through all of them. */
static double turn_for(const lbs_fabrik *f, int top, int links, const double u[3], int *moves) {
    double across = 0, along = 0, lever = 0, size = 0;
    for (int i = top + 1; i < f->count; i++) {
        const lbs_vertex *v = &f->vertices[i];
        if (!counts(f, v, links)) {
            continue;
        }
        double a[3], b[3], normal[3];
        lbm_sub3(v->at, f->vertices[top].at, a);
        lbm_sub3(v->wanted, f->vertices[top].at, b);
        lbm_cross3(a, b, normal);
        double au = lbm_dot3(a, u), aa = lbm_dot3(a, a);
        across += v->weight * lbm_dot3(u, normal);
        along += v->weight * (lbm_dot3(a, b) - au * lbm_dot3(b, u));
        lever += v->weight * (aa - au * au);
        size += v->weight * aa;
    }
    *moves = lever > 1e-6 * size;
    return across == 0 && along >= 0 ? 0 : lbm_atan2(across, along);
}

/* For what is next; but a twist, which does not move that, for what comes after: so an upper arm turns the elbow's
 * hinge to the hand. */
static double best_turn(const lbs_fabrik *f, int top, int coordinate, int *links) {
    const double *axis = f->kinematics->axes[coordinate];
    double size = lbm_norm3(axis), u[3], theta = 0;
    if (!(size > 0)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        u[i] = axis[i] / size;
    }
    int moves = 0;
    if (f->sake != LBS_FOR_NEXT) {
        *links = 0;
        theta = turn_for(f, top, 0, u, &moves);
        return moves ? theta / size : 0;
    }
    for (*links = 1; *links <= 3 && !moves; ++*links) {
        theta = turn_for(f, top, *links, u, &moves);
    }
    --*links;
    return moves ? theta / size : 0;
}

static double miss(const lbs_fabrik *f, int top, int links) {
    double sum = 0;
    for (int i = top + 1; i < f->count; i++) {
        const lbs_vertex *v = &f->vertices[i];
        if (!counts(f, v, links)) {
            continue;
        }
        double off[3];
        lbm_sub3(v->at, v->wanted, off);
        sum += v->weight * lbm_dot3(off, off);
    }
    return sum;
}

/* What hangs on a vertex, turned about one of its axes: positions and axes still to come, without the whole figure. */
static void swing_around(lbs_fabrik *f, int top, const double axis[3], double theta) {
    double u[3], sine, cosine;
    lbm_copy3(u, axis);
    lbm_sincos(theta, &sine, &cosine);
    for (int i = top + 1; i < f->count; i++) {
        lbs_vertex *v = &f->vertices[i];
        if (v->below < 0) {
            continue;
        }
        double from[3];
        lbm_sub3(v->at, f->vertices[top].at, from);
        lbs_turn_vector(u, sine, cosine, from);
        for (int k = 0; k < 3; k++) {
            v->at[k] = f->vertices[top].at[k] + from[k];
        }
        const lbf_node *node = v->node < 0 ? NULL : &f->figure->nodes[v->node];
        for (int k = 0; node && k < lbf_node_coordinates(node->kind); k++) {
            lbs_turn_vector(u, sine, cosine, f->kinematics->axes[node->coordinate + k]);
        }
    }
}

/* A coordinate of a rotation vector turns about its axis for small steps only: halved until it helps. */
static double turn_carefully(lbs_fabrik *f, int top, int i, double t, int links) {
    lbs_space *s = f->s;
    double before = miss(f, top, links), keep = f->z[i];
    for (int attempt = 0; attempt < 6 && t != 0; attempt++, t *= 0.5) {
        double next = keep + t;
        f->z[i] = lbs_clamp(next, s->variables.lower[i], s->variables.upper[i]);
        lbs_fabrik_place(f);
        if (miss(f, top, links) < before) {
            return fabs(f->z[i] - keep);
        }
    }
    f->z[i] = keep;
    lbs_fabrik_place(f);
    return 0;
}

/* Turns one coordinate of a vertex's node, in the given round of a joint's; returns by how much. */
static double turn(lbs_fabrik *f, int top, int coordinate, int round) {
    lbs_space *s = f->s;
    int own = f->figure->coordinate_variable[coordinate], i = own < 0 ? -1 : s->variables.active_of[own], links = 1;
    if (i < 0 || (round > 0 && lbs_is_damped(&f->damping, s, i))) {
        return 0;
    }
    count_links(f, top);
    double down, up, keep = f->z[i], t = best_turn(f, top, coordinate, &links) / s->variables.scale[i];
    lbs_room(s, f->z, i, &down, &up);
    t = t < down ? down : t > up ? up : t;
    t = lbs_damp(&f->damping, s, f->z, i, t);
    if (t == 0 || !lbm_is_finite(t)) {
        return 0;
    }
    if (f->figure->nodes[f->vertices[top].node].kind != LBF_NODE_ROTATE) {
        return turn_carefully(f, top, i, t, links);
    }
    double next = keep + t;
    f->z[i] = lbs_clamp(next, s->variables.lower[i], s->variables.upper[i]);
    swing_around(f, top, f->kinematics->axes[coordinate], (f->z[i] - keep) * s->variables.scale[i]);
    return fabs(f->z[i] - keep);
}

/* A joint of several axes - nodes at one place - round and round until they agree. */
static void fit_joint(lbs_fabrik *f, int top) {
    for (int round = 0; round < 6; round++) {
        double moved = 0;
        int coordinates = 0;
        for (int i = top; i < f->count; i++) {
            const lbs_vertex *v = &f->vertices[i];
            if (v->joint != top || v->node < 0 || !(v->weight > 0)) {
                continue;
            }
            const lbf_node *node = &f->figure->nodes[v->node];
            for (int k = 0; k < lbf_node_coordinates(node->kind); k++, coordinates++) {
                moved += turn(f, i, node->coordinate + k, round);
            }
        }
        if (coordinates < 2 || moved < 1e-6) {
            return;
        }
    }
}

void lbs_fabrik_fit(lbs_fabrik *f) {
    for (int i = 0; i < f->count; i++) {
        if (f->vertices[i].joint == i && f->vertices[i].node >= 0 && f->vertices[i].weight > 0) {
            fit_joint(f, i);
        }
    }
}
