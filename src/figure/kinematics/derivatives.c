/* First and second derivatives of end-effectors.
 *
 * A coordinate that turns with world axis u about point c moves a point r by u x (r - c) and a direction v by u x v;
 * one that shifts moves r by u and v not at all (docs/goals.md). An effector is a sum over "masses": a point has
 * mass 1, a direction mass 0, the centre of mass the masses of the segments over the whole. For node j let S be the
 * moment (sum of mass times position) of all of the effector that hangs on it, and M its mass; then the derivative by a
 * turn at j is u x (S - M c), by a shift M u. So one walk from the tip (or all leaves) to the root serves them all. */
#include <string.h>

#include "figure/kinematics/kinematics.h"
#include "math/rotation.h"

lb_status lb_effector_from_segment(const lb_figure *figure, int segment, lb_effector *effector) {
    if (!figure || !effector) {
        return LB_ERROR_ARGUMENT;
    }
    if (!lbf_segment_exists(figure, segment)) {
        return LB_ERROR_ARGUMENT;
    }
    *effector = (lb_effector){LB_EFFECTOR_FRAME, segment, {0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    return LB_OK;
}

lb_status lb_effector_from_site(const lb_figure *figure, int site, lb_effector *effector) {
    if (!figure || !effector) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_site *s = lb_figure_site(figure, site);
    if (!s) {
        return LB_ERROR_ARGUMENT;
    }
    lbm_transform t;
    lbm_transform_from_frame(&s->frame, &t);
    effector->kind = LB_EFFECTOR_FRAME;
    effector->segment = s->segment;
    lbm_copy3(effector->point, t.p);
    lbm_copy3(effector->x, t.x);
    lbm_copy3(effector->y, t.y);
    return LB_OK;
}

void lb_effector_from_com(lb_effector *effector) {
    if (!effector) {
        return;
    }
    memset(effector, 0, sizeof *effector);
    effector->kind = LB_EFFECTOR_COM;
    effector->segment = -1;
}

static lb_status check(const lb_figure *f, const lb_effector *effector) {
    if (effector->kind == LB_EFFECTOR_COM) {
        return LB_OK;
    }
    if (effector->kind != LB_EFFECTOR_FRAME || !lbf_segment_exists(f, effector->segment)) {
        return LB_ERROR_ARGUMENT;
    }
    if (!lbm_all_finite(effector->point, 3) || !lbm_all_finite(effector->x, 3) || !lbm_all_finite(effector->y, 3)) {
        return LB_ERROR_ARGUMENT;
    }
    return LB_OK;
}

int lbf_mount_effector(const lb_figure *f, const lb_effector *effector, double local[9]) {
    const lbf_mount *mount = &f->mounts[effector->segment];
    lbm_apply(&mount->offset, effector->point, local);
    lbm_rotate(&mount->offset, effector->x, local + 3);
    lbm_rotate(&mount->offset, effector->y, local + 6);
    return mount->node;
}

void lbf_place_effector(const lb_kinematics *k, int node, const double local[9], double e_w[9]) {
    if (node < 0) {
        memcpy(e_w, local, 9 * sizeof *e_w);
        return;
    }
    lbm_apply(&k->frames[node], local, e_w);
    lbm_rotate(&k->frames[node], local + 3, e_w + 3);
    lbm_rotate(&k->frames[node], local + 6, e_w + 6);
}

lb_status lb_kinematics_effector(const lb_kinematics *k, const lb_effector *effector, double e_w[9]) {
    if (!k || !effector || !e_w) {
        return LB_ERROR_ARGUMENT;
    }
    lb_status status = check(k->figure, effector);
    if (status) {
        return status;
    }
    if (effector->kind == LB_EFFECTOR_COM) {
        lb_kinematics_com(k, e_w);
        memset(e_w + 3, 0, 6 * sizeof *e_w);
        return LB_OK;
    }
    double local[9];
    lbf_place_effector(k, lbf_mount_effector(k->figure, effector, local), local, e_w);
    return LB_OK;
}

/* Adds a column of `rows` values (stride: the number of variables) for a coordinate to all variables that move it. */
static inline void add_column(const lb_kinematics *k, int coordinate, int rows, const double *column,
                              double *jacobian) {
    const lb_figure *f = k->figure;
    size_t n = (size_t)f->variable_count;
    int own = f->coordinate_variable[coordinate];
    if (own >= 0 && f->driven_count == 0) {
        for (int r = 0; r < rows; r++) {
            jacobian[(size_t)r * n + (size_t)own] = column[r];
        }
        return;
    }
    lbf_influence in = lbf_influence_of(f, coordinate);
    for (int i = 0; i < in.count; i++) {
        int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + i].variable;
        double slope = in.first_term < 0 ? 1 : k->slopes[in.first_term + i];
        for (int r = 0; r < rows; r++) {
            jacobian[(size_t)r * n + (size_t)variable] += slope * column[r];
        }
    }
}

void lbf_sum_moments(lb_kinematics *k) {
    const lb_figure *f = k->figure;
    double scale = f->mass > 0 ? 1 / f->mass : 0;
    for (int i = 0; i < f->node_count; i++) {
        double part[3];
        lbm_rotate(&k->frames[i], f->lumps[i].moment, part);
        for (int c = 0; c < 3; c++) {
            k->moments[i][c] = scale * (part[c] + f->lumps[i].mass * k->frames[i].p[c]);
        }
    }
    for (int i = f->node_count - 1; i >= 0; i--) {
        if (f->nodes[i].parent >= 0) {
            lbm_add_scaled3(k->moments[f->nodes[i].parent], k->moments[i], 1);
        }
    }
}

/* S - M c and M of the effector's point at a node. */
static inline void arm_at(const lb_kinematics *k, const lb_effector *effector, int node, const double point[3],
                          double arm[3], double *mass) {
    const double *centre = k->frames[node].p;
    if (effector->kind == LB_EFFECTOR_FRAME) {
        *mass = 1;
        lbm_sub3(point, centre, arm);
        return;
    }
    const lb_figure *f = k->figure;
    *mass = f->mass > 0 ? f->lumps[node].subtree_mass / f->mass : 0;
    for (int c = 0; c < 3; c++) {
        arm[c] = k->moments[node][c] - *mass * centre[c];
    }
}

/* The node to begin with, and the next one: up the chain for a frame, through all nodes for the centre of mass. */
static int first_node(const lb_figure *f, const lb_effector *effector) {
    return effector->kind == LB_EFFECTOR_COM ? f->node_count - 1 : f->mounts[effector->segment].node;
}

static int next_node(const lb_figure *f, const lb_effector *effector, int node) {
    return effector->kind == LB_EFFECTOR_COM ? node - 1 : f->nodes[node].parent;
}

lb_status lb_kinematics_jacobian(lb_kinematics *k, const lb_effector *effector, double *jacobian) {
    if (!k || !effector || !jacobian) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = k->figure;
    double e[9];
    lb_status status = lb_kinematics_effector(k, effector, e);
    if (status) {
        return status;
    }
    memset(jacobian, 0, 9 * (size_t)f->variable_count * sizeof *jacobian);
    if (effector->kind == LB_EFFECTOR_COM) {
        lbf_sum_moments(k);
    }
    int rows = effector->kind == LB_EFFECTOR_COM ? 3 : 9;
    for (int node = first_node(f, effector); node >= 0; node = next_node(f, effector, node)) {
        double arm[3], mass, column[9];
        arm_at(k, effector, node, e, arm, &mass);
        int first = f->nodes[node].coordinate, count = lbf_node_coordinates(f->nodes[node].kind);
        for (int c = first; c < first + count; c++) {
            const double *axis = k->axes[c];
            if (f->nodes[node].kind == LBF_NODE_TRANSLATE) {
                memset(column, 0, sizeof column);
                lbm_add_scaled3(column, axis, mass);
            } else {
                lbm_cross3(axis, arm, column);
                lbm_cross3(axis, e + 3, column + 3);
                lbm_cross3(axis, e + 6, column + 6);
            }
            add_column(k, c, rows, column, jacobian);
        }
    }
    return LB_OK;
}

lb_status lb_kinematics_twist(lb_kinematics *k, const lb_effector *effector, double *jacobian) {
    if (!k || !effector || !jacobian) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = k->figure;
    if (effector->kind != LB_EFFECTOR_FRAME || check(f, effector)) {
        return LB_ERROR_ARGUMENT;
    }
    lbm_transform t;
    double point[3];
    lbf_segment_transform(k, effector->segment, &t);
    lbm_apply(&t, effector->point, point);
    memset(jacobian, 0, 6 * (size_t)f->variable_count * sizeof *jacobian);
    for (int node = f->mounts[effector->segment].node; node >= 0; node = f->nodes[node].parent) {
        double arm[3], column[6];
        lbm_sub3(point, k->frames[node].p, arm);
        int first = f->nodes[node].coordinate, count = lbf_node_coordinates(f->nodes[node].kind);
        for (int c = first; c < first + count; c++) {
            const double *axis = k->axes[c];
            if (f->nodes[node].kind == LBF_NODE_TRANSLATE) {
                lbm_copy3(column, axis);
                lbm_set3(column + 3, 0, 0, 0);
            } else {
                lbm_cross3(axis, arm, column);
                lbm_copy3(column + 3, axis);
            }
            add_column(k, c, 6, column, jacobian);
        }
    }
    return LB_OK;
}

/* --- Second derivatives ----------------------------------------------------------------------------- */

/* Adds value to the Hessian at two coordinates, through whatever variables move them. Both orders, unless they are one.
 */
static void add_second(const lb_kinematics *k, int a, int b, double value, double *hessian) {
    const lb_figure *f = k->figure;
    size_t n = (size_t)f->variable_count;
    lbf_influence in_a = lbf_influence_of(f, a), in_b = lbf_influence_of(f, b);
    for (int i = 0; i < in_a.count; i++) {
        size_t va = (size_t)(in_a.first_term < 0 ? in_a.own : f->terms[in_a.first_term + i].variable);
        double slope_a = in_a.first_term < 0 ? 1 : k->slopes[in_a.first_term + i];
        for (int j = 0; j < in_b.count; j++) {
            size_t vb = (size_t)(in_b.first_term < 0 ? in_b.own : f->terms[in_b.first_term + j].variable);
            double slope_b = in_b.first_term < 0 ? 1 : k->slopes[in_b.first_term + j];
            double part = value * slope_a * slope_b;
            hessian[va * n + vb] += part;
            if (a != b) {
                hessian[vb * n + va] += part;
            }
        }
    }
}

/* The curvature of a driven coordinate's own curves: gradient times f''. */
static void add_bend(const lb_kinematics *k, int coordinate, double gradient, double *hessian) {
    const lb_figure *f = k->figure;
    lbf_influence in = lbf_influence_of(f, coordinate);
    if (in.first_term < 0) {
        return;
    }
    for (int i = 0; i < in.count; i++) {
        size_t v = (size_t)f->terms[in.first_term + i].variable;
        hessian[v * (size_t)f->variable_count + v] += gradient * k->bends[in.first_term + i];
    }
}

void lbf_axis_change(const lb_kinematics *k, const lbf_node *node, int i, int j, double out[3]) {
    double v[3] = {0, 0, 0}, local[3];
    int count = lbf_node_coordinates(node->kind);
    for (int c = 0; c < count; c++) {
        v[c] = node->sign * k->values[node->coordinate + c];
    }
    lbm_exponential e;
    lbm_exponential_at(v, &e);
    lbm_exponential_second(v, &e, i, j, local); /* sign enters twice */
    lbm_transform before;
    if (node->parent < 0) {
        before = node->constant;
    } else {
        lbm_transform_multiply(&k->frames[node->parent], &node->constant, &before);
    }
    lbm_rotate(&before, local, out);
}

/*
 * With weights w on (r, x, y), the second derivative by coordinates i (nearer the root) and j is
 *     w . (u_i x (u_j x arm_j)) = u_i . t_j,   t_j = (u_j x arm_j) x w_r + (u_j x x) x w_x + (u_j x y) x w_y,
 * (for a shift j: t_j = M u_j x w_r; for a shift i: 0). Two coordinates of one rotation vector do not compose in an
 * order: there it is u_j . t_i + (du_j/dq_i) . torque, torque = arm x w_r + x x w_x + y x w_y.
 */
typedef struct second_order {
    lb_kinematics *k;
    const double *e, *weights;
    double *hessian;
} second_order;

static void twist_of(const second_order *s, const double axis[3], const double arm[3], double t[3], double *gradient) {
    *gradient = 0;
    lbm_set3(t, 0, 0, 0);
    for (int part = 0; part < 3; part++) {
        double velocity[3], turned[3];
        lbm_cross3(axis, part == 0 ? arm : s->e + 3 * part, velocity);
        lbm_cross3(velocity, s->weights + 3 * part, turned);
        lbm_add_scaled3(t, turned, 1);
        *gradient += lbm_dot3(velocity, s->weights + 3 * part);
    }
}

static void add_ancestors(const second_order *s, int node, int coordinate, const double t[3]) {
    const lb_figure *f = s->k->figure;
    for (int up = f->nodes[node].parent; up >= 0; up = f->nodes[up].parent) {
        if (f->nodes[up].kind == LBF_NODE_TRANSLATE) {
            continue;
        }
        int first = f->nodes[up].coordinate, count = lbf_node_coordinates(f->nodes[up].kind);
        for (int c = first; c < first + count; c++) {
            add_second(s->k, c, coordinate, lbm_dot3(s->k->axes[c], t), s->hessian);
        }
    }
}

static void add_node(const second_order *s, int index, const double arm[3], double mass) {
    const lb_kinematics *k = s->k;
    const lbf_node *node = &k->figure->nodes[index];
    int first = node->coordinate, count = lbf_node_coordinates(node->kind);
    double t[3][3], gradient, torque[3], part[3];
    if (node->kind == LBF_NODE_TRANSLATE) {
        lbm_cross3(k->axes[first], s->weights, t[0]);
        for (int c = 0; c < 3; c++) {
            t[0][c] *= mass;
        }
        add_ancestors(s, index, first, t[0]);
        add_bend(k, first, mass * lbm_dot3(k->axes[first], s->weights), s->hessian);
        return;
    }
    lbm_cross3(arm, s->weights, torque);
    for (int i = 1; i < 3; i++) {
        lbm_cross3(s->e + 3 * i, s->weights + 3 * i, part);
        lbm_add_scaled3(torque, part, 1);
    }
    for (int i = 0; i < count; i++) {
        twist_of(s, k->axes[first + i], arm, t[i], &gradient);
        add_ancestors(s, index, first + i, t[i]);
        add_bend(k, first + i, gradient, s->hessian);
    }
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            double value = lbm_dot3(k->axes[first + j], t[i]);
            if (node->kind != LBF_NODE_ROTATE) {
                lbf_axis_change(k, node, i, j, part);
                value += lbm_dot3(part, torque);
            }
            add_second(k, first + i, first + j, value, s->hessian);
        }
    }
}

lb_status lb_kinematics_hessian(lb_kinematics *k, const lb_effector *effector, const double weights[9],
                                double *hessian) {
    if (!k || !effector || !weights || !hessian || !lbm_all_finite(weights, 9)) {
        return LB_ERROR_ARGUMENT;
    }
    const lb_figure *f = k->figure;
    double e[9];
    lb_status status = lb_kinematics_effector(k, effector, e);
    if (status) {
        return status;
    }
    size_t n = (size_t)f->variable_count;
    memset(hessian, 0, n * n * sizeof *hessian);
    if (effector->kind == LB_EFFECTOR_COM) {
        lbf_sum_moments(k);
    }
    second_order s = {k, e, weights, hessian};
    for (int node = first_node(f, effector); node >= 0; node = next_node(f, effector, node)) {
        double arm[3], mass;
        arm_at(k, effector, node, e, arm, &mass);
        add_node(&s, node, arm, mass);
    }
    return LB_OK;
}
