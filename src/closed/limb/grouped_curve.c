/* With the group's two variables at x the elbow is at E(x), and the forearm reaches the wrist W where h(x) = |E - W|^2 - l^2 is 0:
 * curves in the plane of the two, around the limb's swivel. They are found on a grid by the signs of h, from edge to
 * edge of its cells; a loop smaller than a cell by the extremes of h between points of one sign. */
#include <math.h>

#include "closed/limb/grouped.h"
#include "math/trig.h"

#define CELL 0.0872664625997164788 /* 5 degrees */
#define LOOP_POINTS 24
#define EDGE_STEPS 60
#define POINT_STEPS 16
#define ON_CURVE 1e-14 /* of h: arm lengths, squared */
#define EXTREME_STEPS 16

/* --- h ----------------------------------------------------------------------------------------------------------------------- */

double lbc_grouped_angle(const lbc_grouped *g, int joint, const double x[2], double rate[2]) {
    const lbc_group_joint *j = &g->joints[joint];
    rate[0] = rate[1] = 0;
    if (j->own >= 0) {
        const int which = j->own == g->variables[1];
        rate[which] = 1;
        return x[which];
    }
    double sum = j->driven->constant;
    for (int t = 0; t < j->driven->term_count; t++) {
        const lbf_term *term = &g->figure->terms[j->driven->first_term + t];
        const int which = term->variable == g->variables[1];
        double slope, bend;
        sum += lbm_piece_eval(lbm_piece_find(term->pieces, term->piece_count, x[which]), x[which], &slope, &bend);
        rate[which] += slope;
    }
    return sum;
}

/* h, and its derivatives where gradient is not NULL. */
static double height(const lbc_grouped *g, const double x[2], double *gradient) {
    double p[3], d[2][3] = {{0}}, off[3];
    lbm_copy3(p, g->elbow);
    for (int i = g->joint_count - 1; i >= 0; i--) {
        const lbc_group_joint *j = &g->joints[i];
        double rate[2], s, c, way[3], side[3];
        lbm_sincos(lbc_grouped_angle(g, i, x, rate) - j->zero, &s, &c);
        lbc_turn_about(j->axis, j->point, (const double[2]){c, s}, p, p);
        if (gradient) {
            lbm_sub3(p, j->point, way);
            lbm_cross3(j->axis, way, side);
            for (int k = 0; k < 2; k++) {
                lbc_turn(j->axis, c, s, d[k], d[k]);
                lbm_add_scaled3(d[k], side, rate[k]);
            }
        }
    }
    lbm_sub3(p, g->goal_wrist, off);
    if (gradient) {
        gradient[0] = 2 * lbm_dot3(off, d[0]);
        gradient[1] = 2 * lbm_dot3(off, d[1]);
    }
    return lbm_dot3(off, off) - g->forearm * g->forearm;
}

void lbc_grouped_move(const lbc_grouped *g, int count, const double x[2], lbm_transform *motion) {
    static const double origin[3] = {0, 0, 0};
    lbm_transform_identity(motion);
    for (int i = 0; i < count; i++) {
        const lbc_group_joint *j = &g->joints[i];
        lbm_transform turn, before = *motion;
        double rate[2], s, c;
        lbm_sincos(lbc_grouped_angle(g, i, x, rate) - j->zero, &s, &c);
        lbm_transform_identity(&turn);
        lbc_turn(j->axis, c, s, turn.x, turn.x);
        lbc_turn(j->axis, c, s, turn.y, turn.y);
        lbm_cross3(turn.x, turn.y, turn.z);
        lbc_turn_about(j->axis, j->point, (const double[2]){c, s}, origin, turn.p);
        lbm_transform_multiply(&before, &turn, motion);
    }
}

/* --- Points ------------------------------------------------------------------------------------------------------------------ */

/* Between two points at which h has different signs: where it is 0, by false position (the Illinois way). */
static void find_between(const lbc_grouped *g, const double a[2], const double b[2], double out[2]) {
    double low = 0, high = 1, at_low = height(g, a, NULL), at_high = height(g, b, NULL);
    int side = 0;
    out[0] = a[0];
    out[1] = a[1];
    for (int k = 0; k < EDGE_STEPS && at_low != at_high; k++) {
        const double f = k % 8 == 7 ? (low + high) / 2 : (low * at_high - high * at_low) / (at_high - at_low);
        for (int i = 0; i < 2; i++) {
            out[i] = a[i] + f * (b[i] - a[i]);
        }
        const double h = height(g, out, NULL);
        if (fabs(h) < ON_CURVE / 10 || high - low < 1e-15) {
            return;
        }
        if ((h < 0) == (at_high < 0)) {
            at_low *= side == 1 ? 0.5 : 1;
            high = f;
            at_high = h;
            side = 1;
        } else {
            at_high *= side == 2 ? 0.5 : 1;
            low = f;
            at_low = h;
            side = 2;
        }
    }
}

static void add_point(lbc_grouped *g, lbc_curve *c, const double x[2]) {
    if (g->point_count == LBC_CURVE_POINTS) {
        g->is_cut = 1;
        return;
    }
    g->points[g->point_count][0] = x[0];
    g->points[g->point_count++][1] = x[1];
    c->count++;
}

static lbc_curve *add_curve(lbc_grouped *g, int is_closed) {
    if (g->curve_count == LBC_CURVES) {
        g->is_cut = 1;
        return NULL;
    }
    lbc_curve *c = &g->curves[g->curve_count++];
    *c = (lbc_curve){g->point_count, 0, is_closed};
    return c;
}

int lbc_grouped_point(const lbc_grouped *g, const lbc_curve *c, double s, double x[2]) {
    const int segments = c->is_closed ? c->count : c->count - 1;
    s -= c->is_closed ? segments * floor(s / segments) : 0;
    int at = (int)s;
    at = at < 0 ? 0 : at >= segments ? segments - 1 : at;
    const double *a = g->points[c->first + at], *b = g->points[c->first + (at + 1) % c->count];
    const double way[2] = {b[0] - a[0], b[1] - a[1]}, length2 = way[0] * way[0] + way[1] * way[1];
    double off = 0, h = 0;
    for (int k = 0; k < POINT_STEPS; k++) { /* across the chord */
        double gradient[2];
        x[0] = a[0] + (s - at) * way[0] - off * way[1];
        x[1] = a[1] + (s - at) * way[1] + off * way[0];
        h = height(g, x, gradient);
        const double slope = gradient[1] * way[0] - gradient[0] * way[1];
        if (fabs(h) < ON_CURVE / 100 || !(fabs(slope) > 0) || length2 == 0) {
            break;
        }
        double step = h / slope;
        step = step > 0.5 ? 0.5 : step < -0.5 ? -0.5 : step;
        off -= step;
    }
    return fabs(h) < ON_CURVE && fabs(off) < 2;
}

/* --- The grid ---------------------------------------------------------------------------------------------------------------- */

/* The edge of one kind (along the first variable 0, along the second 1) that begins at a point of the grid. */
typedef struct edge {
    int kind, i, j;
} edge;

static void grid_point(const lbc_grouped_work *w, int i, int j, double x[2]) {
    x[0] = w->from[0] + i * w->cell[0];
    x[1] = w->from[1] + j * w->cell[1];
}

static int is_high(const lbc_grouped_work *w, int i, int j) { return w->height[i][j] >= 0; }

static int is_crossed(const lbc_grouped_work *w, edge e) {
    return is_high(w, e.i, e.j) != is_high(w, e.i + (e.kind == 0), e.j + (e.kind == 1));
}

static int is_same(edge a, edge b) { return a.kind == b.kind && a.i == b.i && a.j == b.j; }

/* The edge through which the curve leaves a cell that it enters through another one. */
static edge find_exit(const lbc_grouped *g, const lbc_grouped_work *w, int i, int j, edge entry) {
    const edge edges[4] = {{0, i, j}, {1, i + 1, j}, {0, i, j + 1}, {1, i, j}}; /* round the cell */
    int at = 0, count = 0, other = 0;
    for (int k = 0; k < 4; k++) {
        at = is_same(edges[k], entry) ? k : at;
        count += is_crossed(w, edges[k]);
    }
    for (int k = 0; k < 4; k++) {
        other = k != at && is_crossed(w, edges[k]) ? k : other;
    }
    if (count == 4) { /* the corner whose sign is not that of the middle is cut off */
        double middle[2];
        const int corners[4][2] = {{i, j}, {i + 1, j}, {i + 1, j + 1}, {i, j + 1}}; /* edge k goes from k to k + 1 */
        grid_point(w, i, j, middle);
        middle[0] += w->cell[0] / 2;
        middle[1] += w->cell[1] / 2;
        const int is_middle_high = height(g, middle, NULL) >= 0;
        const int is_first_cut = is_high(w, corners[at][0], corners[at][1]) != is_middle_high;
        other = (at + (is_first_cut ? 3 : 1)) % 4;
    }
    return edges[other];
}

/* Follows the curve through an edge into a cell, to its end or back to where it began. */
static void follow(lbc_grouped *g, lbc_grouped_work *w, edge start, int i, int j) {
    lbc_curve *c = add_curve(g, 0);
    edge e = start;
    double x[2], a[2], b[2];
    while (c) {
        w->is_seen[e.kind][e.i][e.j] = 1;
        grid_point(w, e.i, e.j, a);
        grid_point(w, e.i + (e.kind == 0), e.j + (e.kind == 1), b);
        find_between(g, a, b, x);
        add_point(g, c, x);
        if (i < 0 || j < 0 || i >= w->n[0] - 1 || j >= w->n[1] - 1) {
            return; /* out of the grid */
        }
        e = find_exit(g, w, i, j, e);
        if (is_same(e, start)) {
            c->is_closed = 1;
            return;
        }
        if (w->is_seen[e.kind][e.i][e.j]) {
            return;
        }
        if (e.kind == 0) {
            j = e.j == j ? j - 1 : j + 1;
        } else {
            i = e.i == i ? i - 1 : i + 1;
        }
    }
}

/* Begins at every edge that no curve went through so far; at the grid's own ends, or inside. */
static void follow_from(lbc_grouped *g, lbc_grouped_work *w, int at_ends) {
    for (int kind = 0; kind < 2; kind++) {
        for (int i = 0; i < w->n[0] - (kind == 0); i++) {
            for (int j = 0; j < w->n[1] - (kind == 1); j++) {
                const edge e = {kind, i, j};
                const int across = kind == 0 ? j : i, last = w->n[kind == 0] - 1;
                if ((across == 0 || across == last) == at_ends && is_crossed(w, e) && !w->is_seen[kind][i][j]) {
                    const int back = across == last;
                    follow(g, w, e, i - (kind == 1 && back), j - (kind == 0 && back));
                }
            }
        }
    }
}

/* --- Loops smaller than a cell
 * ----------------------------------------------------------------------------------------------- */

/* The derivatives of the gradient: xx, xy, yy. */
static void second(const lbc_grouped *g, const double x[2], double out[3]) {
    const double step = 1e-5;
    double a[2], b[2];
    height(g, (const double[2]){x[0] - step, x[1]}, a);
    height(g, (const double[2]){x[0] + step, x[1]}, b);
    out[0] = (b[0] - a[0]) / (2 * step);
    out[1] = (b[1] - a[1]) / (2 * step);
    height(g, (const double[2]){x[0], x[1] - step}, a);
    height(g, (const double[2]){x[0], x[1] + step}, b);
    out[2] = (b[1] - a[1]) / (2 * step);
}

/* The extreme of h near x, by Newton's method. Returns whether h has the other sign there. */
static int find_extreme(const lbc_grouped *g, const lbc_grouped_work *w, double x[2], double curved[3]) {
    const double begun[2] = {x[0], x[1]};
    const int is_positive = height(g, x, NULL) >= 0;
    for (int k = 0; k < EXTREME_STEPS; k++) {
        double gradient[2], step[2];
        height(g, x, gradient);
        second(g, x, curved);
        const double det = curved[0] * curved[2] - curved[1] * curved[1];
        if (!(det > 0) || (curved[0] > 0) != is_positive) {
            return 0;
        }
        step[0] = -(curved[2] * gradient[0] - curved[1] * gradient[1]) / det;
        step[1] = -(curved[0] * gradient[1] - curved[1] * gradient[0]) / det;
        for (int i = 0; i < 2; i++) {
            x[i] += step[i];
            if (fabs(x[i] - begun[i]) > 2 * w->cell[i]) {
                return 0;
            }
        }
        if (fabs(step[0]) + fabs(step[1]) < 1e-9) {
            break;
        }
    }
    const double h = height(g, x, NULL);
    return fabs(h) > ON_CURVE && (h >= 0) != is_positive;
}

/* The loop around an extreme: points along rays. */
static void add_loop(lbc_grouped *g, const lbc_grouped_work *w, const double middle[2], const double curved[3]) {
    lbc_curve *c = add_curve(g, 1);
    const double h = height(g, middle, NULL);
    for (int k = 0; c && k < LOOP_POINTS; k++) {
        double d[2], far[2], x[2];
        lbm_sincos(LBM_TWO_PI * k / LOOP_POINTS, &d[1], &d[0]);
        const double bend = fabs(curved[0] * d[0] * d[0] + 2 * curved[1] * d[0] * d[1] + curved[2] * d[1] * d[1]);
        double r = 1.3 * sqrt(2 * fabs(h) / bend);
        for (int grown = 0; grown < 12; grown++, r *= 1.4) {
            far[0] = middle[0] + r * d[0];
            far[1] = middle[1] + r * d[1];
            if ((height(g, far, NULL) >= 0) != (h >= 0)) {
                break;
            }
        }
        if (!(r < 4 * (w->cell[0] + w->cell[1]))) { /* no loop after all */
            g->curve_count--;
            g->point_count = c->first;
            return;
        }
        find_between(g, middle, far, x);
        add_point(g, c, x);
    }
}

static int is_least(const lbc_grouped_work *w, int i, int j) {
    const double mine = fabs(w->height[i][j]);
    for (int a = -1; a <= 1; a++) {
        for (int b = -1; b <= 1; b++) {
            const double other = fabs(w->height[i + a][j + b]);
            const int is_before = a < 0 || (a == 0 && b < 0);
            if ((a || b) &&
                (is_high(w, i, j) != is_high(w, i + a, j + b) || other < mine || (is_before && other == mine))) {
                return 0;
            }
        }
    }
    return 1;
}

static void find_loops(lbc_grouped *g, const lbc_grouped_work *w) {
    for (int i = 1; i + 1 < w->n[0]; i++) {
        for (int j = 1; j + 1 < w->n[1]; j++) {
            double x[2], curved[3];
            grid_point(w, i, j, x);
            if (is_least(w, i, j) && find_extreme(g, w, x, curved)) {
                add_loop(g, w, x, curved);
            }
        }
    }
}

/* --- All of them ------------------------------------------------------------------------------------------------------------- */

/* Points half-way between those of each curve, so that neighbours are near enough to see limits come and go. */
static void halve_steps(lbc_grouped *g) {
    for (int k = g->curve_count - 1; k >= 0; k--) { /* the last first: points move up */
        lbc_curve *c = &g->curves[k];
        const int more = c->is_closed ? c->count : c->count - 1;
        if (g->point_count + more > LBC_CURVE_POINTS || c->count < 2) {
            continue;
        }
        memmove(g->points + c->first + c->count + more, g->points + c->first + c->count,
                (size_t)(g->point_count - c->first - c->count) * sizeof *g->points);
        for (int i = k + 1; i < g->curve_count; i++) {
            g->curves[i].first += more;
        }
        g->point_count += more;
        /* from the end: point i goes to 2 i, and what is half-way after it to 2 i + 1 */
        double first[2] = {g->points[c->first][0], g->points[c->first][1]}, next[2] = {first[0], first[1]};
        for (int i = c->count - 1; i >= 0; i--) {
            const double *p = g->points[c->first + i];
            const double here[2] = {p[0], p[1]};
            if (i < c->count - 1 || c->is_closed) {
                double *to = g->points[c->first + 2 * i + 1];
                to[0] = (here[0] + next[0]) / 2;
                to[1] = (here[1] + next[1]) / 2;
            }
            g->points[c->first + 2 * i][0] = here[0];
            g->points[c->first + 2 * i][1] = here[1];
            next[0] = here[0];
            next[1] = here[1];
        }
        c->count += more;
    }
}

/* Brings the points half-way onto their curves. */
static void settle_halves(lbc_grouped *g) {
    for (int k = 0; k < g->curve_count; k++) {
        const lbc_curve *c = &g->curves[k];
        for (int i = 1; i < c->count; i += 2) {
            double *p = g->points[c->first + i];
            for (int step = 0; step < POINT_STEPS; step++) {
                double gradient[2];
                const double h = height(g, p, gradient);
                const double square = gradient[0] * gradient[0] + gradient[1] * gradient[1];
                if (fabs(h) < ON_CURVE / 10 || square == 0) {
                    break;
                }
                p[0] -= h * gradient[0] / square;
                p[1] -= h * gradient[1] / square;
            }
        }
    }
}

void lbc_grouped_trace(lbc_grouped *g, lbc_grouped_work *w) {
    g->curve_count = g->point_count = g->is_cut = 0;
    for (int k = 0; k < 2; k++) {
        const double range = g->upper[k] - g->lower[k];
        const int cells = -(int)floor(-range / CELL), most = LBC_GROUP_GRID - 3;
        w->n[k] = (cells < 1 ? 1 : cells < most ? cells : most) + 3; /* and one more at either end */
        w->cell[k] = range > 0 ? range / (w->n[k] - 3) : CELL;
        w->from[k] = g->lower[k] - w->cell[k];
    }
    memset(w->is_seen, 0, sizeof w->is_seen);
    for (int i = 0; i < w->n[0]; i++) {
        for (int j = 0; j < w->n[1]; j++) {
            double x[2];
            grid_point(w, i, j, x);
            w->height[i][j] = height(g, x, NULL);
        }
    }
    follow_from(g, w, 1);
    follow_from(g, w, 0);
    find_loops(g, w);
    halve_steps(g);
    settle_halves(g);
}
