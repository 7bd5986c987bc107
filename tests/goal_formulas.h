/* The goals of docs/goals.md written down once more, straight from their formulas and without a line of the
 * library's own, for tests to hold the library against: values, natural units, what counts as met. */
#ifndef LIMBER_TESTS_GOAL_FORMULAS_H
#define LIMBER_TESTS_GOAL_FORMULAS_H

#include <limber/solve.h>
#include <math.h>

static inline double formula_dot(const double *a, const double *b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static inline double formula_apart(const double *a, const double *b) {
    double d[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return formula_dot(d, d);
}

/* c(d) = 360 / (2 pi d) */
static inline double formula_scale(double degrees) {
    return degrees > 0 ? 360 / (2 * 3.14159265358979323846 * degrees) : 0;
}

/* A point in the region's own axes. */
static inline void formula_local(const lb_goal *g, const double *r, double *out) {
    double m[9], to[3] = {r[0] - g->point[0], r[1] - g->point[1], r[2] - g->point[2]};
    lb_rotation_to_matrix(g->rotation, m);
    for (int i = 0; i < 3; i++) {
        out[i] = m[i] * to[0] + m[3 + i] * to[1] + m[6 + i] * to[2];
    }
}

/* Solves a 3 x 3 (or smaller) symmetric system by Cramer's rule; 0 if it is singular. */
static inline int formula_solve(int n, double a[3][3], const double *b, double *x) {
    if (n == 1) {
        if (fabs(a[0][0]) < 1e-12) {
            return 0;
        }
        x[0] = b[0] / a[0][0];
        return 1;
    }
    if (n == 2) {
        double det = a[0][0] * a[1][1] - a[0][1] * a[1][0];
        if (fabs(det) < 1e-9) {
            return 0;
        }
        x[0] = (b[0] * a[1][1] - a[0][1] * b[1]) / det;
        x[1] = (a[0][0] * b[1] - b[0] * a[1][0]) / det;
        return 1;
    }
    double c[3] = {a[1][1] * a[2][2] - a[1][2] * a[2][1], a[1][2] * a[2][0] - a[1][0] * a[2][2],
                   a[1][0] * a[2][1] - a[1][1] * a[2][0]};
    double det = formula_dot(a[0], c);
    if (fabs(det) < 1e-9) {
        return 0;
    }
    for (int k = 0; k < 3; k++) {
        double m[3][3];
        for (int i = 0; i < 3; i++) {
            for (int j = 0; j < 3; j++) {
                m[i][j] = j == k ? b[i] : a[i][j];
            }
        }
        x[k] = (m[0][0] * (m[1][1] * m[2][2] - m[1][2] * m[2][1]) - m[0][1] * (m[1][0] * m[2][2] - m[1][2] * m[2][0]) +
                m[0][2] * (m[1][0] * m[2][1] - m[1][1] * m[2][0])) /
               det;
    }
    return 1;
}

/* Moves the best so far if the foot of r on the planes of these faces is inside and nearer. */
static inline void formula_try_planes(const lb_goal *g, const double *r, int n, const int *faces, double *best) {
    double gram[3][3], off[3], x[3], foot[3] = {r[0], r[1], r[2]};
    for (int i = 0; i < n; i++) {
        off[i] = formula_dot(g->faces[faces[i]], r) - g->faces[faces[i]][3];
        for (int j = 0; j < n; j++) {
            gram[i][j] = formula_dot(g->faces[faces[i]], g->faces[faces[j]]);
        }
    }
    if (n && !formula_solve(n, gram, off, x)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < 3; k++) {
            foot[k] -= x[i] * g->faces[faces[i]][k];
        }
    }
    for (int i = 0; i < g->face_count; i++) {
        if (formula_dot(g->faces[i], foot) - g->faces[i][3] > 1e-10 * (1 + fabs(g->faces[i][3]))) {
            return;
        }
    }
    double square = formula_apart(r, foot);
    if (square < *best) {
        *best = square;
    }
}

/* The squared distance to a polyhedron: the nearest of all feet on faces, edges and corners that lie inside. */
static inline double formula_polyhedron(const lb_goal *g, const double *r) {
    double best = INFINITY;
    int f[3] = {0, 0, 0};
    formula_try_planes(g, r, 0, f, &best);
    for (f[0] = 0; f[0] < g->face_count && best > 0; f[0]++) {
        formula_try_planes(g, r, 1, f, &best);
        for (f[1] = f[0] + 1; f[1] < g->face_count; f[1]++) {
            formula_try_planes(g, r, 2, f, &best);
            for (f[2] = f[1] + 1; f[2] < g->face_count; f[2]++) {
                formula_try_planes(g, r, 3, f, &best);
            }
        }
    }
    return best;
}

/* The squared distance of a point from the stretch c + t v, |t| <= half. */
static inline double formula_point_stretch(const double *p, const double *c, const double *v, double half) {
    double to[3] = {p[0] - c[0], p[1] - c[1], p[2] - c[2]}, t = fmax(-half, fmin(half, formula_dot(to, v)));
    double foot[3] = {c[0] + t * v[0], c[1] + t * v[1], c[2] + t * v[2]};
    return formula_apart(p, foot);
}

/* The squared distance of two stretches: at an end of one of them, or where their lines are nearest if that lies on
 * both. */
static inline double formula_stretches(const double *p, const double *u, double a, const double *q, const double *v,
                                       double b) {
    double best = INFINITY, w[3] = {q[0] - p[0], q[1] - p[1], q[2] - p[2]};
    for (int sign = -1; sign <= 1; sign += 2) {
        double end_p[3], end_q[3];
        for (int k = 0; k < 3; k++) {
            end_p[k] = p[k] + sign * a * u[k], end_q[k] = q[k] + sign * b * v[k];
        }
        best = fmin(best, fmin(formula_point_stretch(end_p, q, v, b), formula_point_stretch(end_q, p, u, a)));
    }
    double uv = formula_dot(u, v), det = 1 - uv * uv;
    if (det < 1e-12) {
        return best;
    }
    double s = (formula_dot(w, u) - uv * formula_dot(w, v)) / det,
           t = (uv * formula_dot(w, u) - formula_dot(w, v)) / det;
    if (fabs(s) > a || fabs(t) > b) {
        return best;
    }
    double x[3], y[3];
    for (int k = 0; k < 3; k++) {
        x[k] = p[k] + s * u[k], y[k] = q[k] + t * v[k];
    }
    return fmin(best, formula_apart(x, y));
}

/* How far a ball or capsule reaches below the plane normal . x = bound. */
static inline double formula_depth(const lb_constraint *c, const double *e, const double *normal, double bound) {
    double deepest = -INFINITY;
    for (int sign = -1; sign <= 1; sign += 2) {
        double end[3];
        for (int k = 0; k < 3; k++) {
            end[k] = e[k] + sign * c->half_length * e[3 + k];
        }
        deepest = fmax(deepest, bound - formula_dot(normal, end) + c->radius);
    }
    return deepest;
}

static inline double formula_positive(double x) { return x > 0 ? x * x : 0; }

static inline double formula_out_of_faces(const lb_constraint *c, const double *e) {
    const lb_goal *g = &c->goal;
    double least = INFINITY, m[9];
    if (g->kind == LB_GOAL_POLYHEDRON) {
        for (int i = 0; i < g->face_count; i++) {
            least = fmin(least, formula_depth(c, e, g->faces[i], g->faces[i][3]));
        }
        return formula_positive(least);
    }
    lb_rotation_to_matrix(g->rotation, m);
    for (int i = 0; i < 6; i++) {
        double sign = i % 2 ? -1 : 1, n[3] = {sign * m[i / 2], sign * m[3 + i / 2], sign * m[6 + i / 2]};
        least = fmin(least, formula_depth(c, e, n, formula_dot(n, g->point) + g->size[i / 2]));
    }
    return formula_positive(least);
}

static inline double formula_region(const lb_constraint *c, const double *e) {
    const lb_goal *g = &c->goal;
    double at[3], m[9];
    formula_local(g, e, at);
    lb_rotation_to_matrix(g->rotation, m);
    double z[3] = {m[2], m[5], m[8]}, flat = sqrt(at[0] * at[0] + at[1] * at[1]), sum = 0;
    double half = g->kind == LB_GOAL_CAPSULE ? g->size[1] : 0;
    switch (g->kind) {
    case LB_GOAL_BOX:
        if (g->outside) {
            return formula_out_of_faces(c, e);
        }
        for (int i = 0; i < 3; i++) {
            sum += formula_positive(fabs(at[i]) - g->size[i]);
        }
        return sum;
    case LB_GOAL_SPHERE:
    case LB_GOAL_CAPSULE:
        if (!g->outside) {
            return formula_positive(sqrt(formula_point_stretch(e, g->point, z, half)) - g->size[0]);
        }
        return formula_positive(g->size[0] + c->radius -
                                sqrt(formula_stretches(e, e + 3, c->half_length, g->point, z, half)));
    case LB_GOAL_CIRCLE:
        return at[2] * at[2] + (flat - g->size[0]) * (flat - g->size[0]);
    case LB_GOAL_DISC:
        if (!g->outside) {
            return at[2] * at[2] + formula_positive(flat - g->size[0]);
        }
        return formula_positive(fmin(c->radius - fabs(at[2]), c->radius + g->size[0] - flat));
    default:
        return g->outside ? formula_out_of_faces(c, e) : formula_polyhedron(g, e);
    }
}

/* P(e), e in the goal's frame. */
static inline double formula_potential(const lb_constraint *c, const double e[9]) {
    const lb_goal *g = &c->goal;
    double to[3] = {g->point[0] - e[0], g->point[1] - e[1], g->point[2] - e[2]}, ray[3], gradient[9];
    double cx = formula_scale(g->degrees_x), cy = formula_scale(g->degrees_y), length = sqrt(formula_dot(to, to));
    double turned = cx * cx * formula_apart(g->x, e + 3) + cy * cy * formula_apart(g->y, e + 6),
           along = formula_dot(to, g->normal);
    switch (g->kind) {
    case LB_GOAL_POSITION:
        return length * length;
    case LB_GOAL_ORIENTATION:
        return turned;
    case LB_GOAL_FRAME:
        return g->weight_position * length * length + g->weight_orientation * turned;
    case LB_GOAL_AIM:
        for (int i = 0; i < 3; i++) {
            ray[i] = length < 1e-9 ? e[3 + i] : to[i] / length;
        }
        return cx * cx * formula_apart(ray, e + 3);
    case LB_GOAL_LINE:
        for (int i = 0; i < 3; i++) {
            to[i] -= along * g->normal[i];
        }
        return formula_dot(to, to);
    case LB_GOAL_PLANE:
        return along * along;
    case LB_GOAL_HALF_SPACE:
        return formula_positive(formula_depth(c, e, g->normal, formula_dot(g->normal, g->point)));
    case LB_GOAL_CUSTOM:
        return g->potential(g->context, e, gradient);
    default:
        return formula_region(c, e);
    }
}

static inline double formula_angle(const double *a, const double *b) {
    double c[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return atan2(sqrt(formula_dot(c, c)), formula_dot(a, b));
}

/* Whether e is within the constraint's tolerances, each made larger by `slack`. */
static inline int formula_met(const lb_constraint *c, const double e[9], double slack) {
    const lb_goal *g = &c->goal;
    double turn = c->tolerance_rad + slack, to[3] = {g->point[0] - e[0], g->point[1] - e[1], g->point[2] - e[2]};
    if (g->kind == LB_GOAL_POSITION || g->kind == LB_GOAL_FRAME) {
        for (int i = 0; i < 3; i++) {
            if (!(fabs(to[i]) <= c->tolerance[i] + slack)) {
                return 0;
            }
        }
    }
    if (g->kind == LB_GOAL_POSITION) {
        return 1;
    }
    if (g->kind == LB_GOAL_ORIENTATION || g->kind == LB_GOAL_FRAME) {
        return (g->degrees_x == 0 || formula_angle(g->x, e + 3) <= turn) &&
               (g->degrees_y == 0 || formula_angle(g->y, e + 6) <= turn);
    }
    if (g->kind == LB_GOAL_AIM) {
        return formula_dot(to, to) < 1e-18 || formula_angle(to, e + 3) <= turn;
    }
    return sqrt(formula_potential(c, e)) <= c->tolerance[0] + slack;
}

#endif
