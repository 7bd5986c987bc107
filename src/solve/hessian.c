/* Second derivatives of rows, in closed form.
 *
 * A row r(e) of e = (point, x, y) bends in two ways: e bends with the coordinates, and r with e.
 *
 * The first is linear in the derivatives w of the rows by e, weighted and summed. A vector v of e moves with coordinate j
 * (axis u_j through c_j) as u_j x (v - c_j), c_j only for the point, and this with a coordinate i nearer the root as
 * u_i x (u_j x v); so with K = sum of (v - c_j) w' over the three vectors of all effectors beyond j
 *     w . (u_i x (u_j x v)) = u_i . t_j,    t_j = (K - trace K) u_j,
 * and for a shift t_j = u_j x f, f the sum of the points' w; a shift i turns nothing. K and f are summed once from the tips
 * to the root, whatever the number of effectors (R. Featherstone's recursions, for curvature); the centre of mass is an
 * effector at every lump of mass. Then from the root to the tips each coordinate meets the axes above it, summed up by the
 * variables that drive them, so that a spine of 51 coordinates and 3 variables is 3 axes long.
 *
 * A goal that moves with a segment is seen from there: a chain that begins at this segment, goes up to the root against the
 * sense of its coordinates and then down to the effector.
 *
 * Two coordinates of one rotation vector turn in no order: there it is u_j . t_i + (du_j/dq_i) . torque; against the sense
 * u_i . t_j - (du_j/dq_i) . torque.
 *
 * The second way, of goals that are not linear in e, is a small matrix B = sum of r_i d2r_i/de2, from differences of the
 * goal's own derivatives. */
#include "solve/hessian.h"

#include <string.h>

#include "math/rotation.h"

/* What pulls at a node and at all beyond it. */
typedef struct pull_at {
    double force[3];
    double k[3][3]; /* sum of v w' */
    int touched;
} pull_at;

typedef struct undo {
    double axis[3];
    int column, was_new;
} undo;

typedef struct bending {
    lbs_space *s;
    double *hessian;
    pull_at *pulls;    /* [node of the largest figure] */
    double *x, *y, *z; /* [n]: the axes above, summed by variable, in the order of `seen` */
    double *values;    /* [n] */
    int *seen, *place; /* [n]: columns that are above; place[column] in `seen`, or -1 */
    int seen_count;
    undo *log; /* [coordinates and terms of the largest figure, twice] */
    int log_count;
    int *path, *log_start; /* [node]: nodes above, and where their log begins */
    int path_count;
    double *velocities; /* [9][n]: de/dz of an item whose goal bends */
} bending;

/* The largest figure's nodes, and how often its coordinates count: each with its terms. */
static void largest_figure(const lb_problem *p, size_t *nodes, size_t *terms) {
    *nodes = *terms = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        size_t most = (size_t)figure->coordinate_count + (size_t)figure->term_count;
        if ((size_t)figure->node_count > *nodes) *nodes = (size_t)figure->node_count;
        if (most > *terms) *terms = most;
    }
}

static size_t doubles(size_t count, size_t size) { return (count * size + sizeof(double) - 1) / sizeof(double); }

size_t lbs_curvature_size(const lbs_space *s) {
    size_t n = (size_t)lbs_max_n(s), nodes, terms;
    largest_figure(s->problem, &nodes, &terms);
    return doubles(nodes, sizeof(pull_at)) + 13 * n + 2 * doubles(n, sizeof(int)) + doubles(2 * terms, sizeof(undo)) +
           2 * doubles(nodes + 1, sizeof(int));
}

static void lay_out(bending *b, lbs_space *s, double *hessian, double *scratch) {
    size_t n = (size_t)lbs_max_n(s), nodes, terms;
    largest_figure(s->problem, &nodes, &terms);
    b->s = s;
    b->hessian = hessian;
    b->pulls = (pull_at *)scratch;
    scratch += doubles(nodes, sizeof(pull_at));
    b->log = (undo *)scratch;
    scratch += doubles(2 * terms, sizeof(undo));
    double **vectors[] = {&b->x, &b->y, &b->z, &b->values, &b->velocities};
    for (int i = 0; i < 5; i++) *vectors[i] = scratch + (size_t)i * n;
    scratch += 13 * n;
    b->seen = (int *)scratch;
    b->place = (int *)(scratch + doubles(n, sizeof(int)));
    scratch += 2 * doubles(n, sizeof(int));
    b->path = (int *)scratch;
    b->log_start = (int *)(scratch + doubles(nodes + 1, sizeof(int)));
    b->seen_count = b->log_count = b->path_count = 0;
    for (int i = 0; i < s->n; i++) b->place[i] = -1;
}

/* --- Pairs of coordinates ---------------------------------------------------------------------------------------- */

static inline void add(const bending *b, int i, int j, double value) {
    size_t row = (size_t)(i < j ? i : j), column = (size_t)(i < j ? j : i);
    b->hessian[row * (size_t)b->s->stride + column] += value;
}

/* A coordinate's variables that may move: calls for each (column, slope). */
typedef struct drive {
    const lbs_space *s;
    int figure, coordinate;
    lbf_influence in;
} drive;

static drive drive_of(const lbs_space *s, int figure, int coordinate) {
    return (drive){s, figure, coordinate, lbf_influence_of(s->problem->figures[figure], coordinate)};
}

/* The column of the i-th variable, or -1; its slope, and the second derivative. */
static int drive_at(const drive *d, int i, double *slope, double *bend) {
    const lbs_space *s = d->s;
    const lb_kinematics *k = s->kinematics[d->figure];
    int variable = d->in.first_term < 0 ? d->in.own : k->figure->terms[d->in.first_term + i].variable;
    int column = s->active_of[s->problem->first_variables[d->figure] + variable];
    if (column < 0) return -1;
    double scale = s->scale[column];
    *slope = (d->in.first_term < 0 ? 1 : k->slopes[d->in.first_term + i]) * scale;
    *bend = d->in.first_term < 0 ? 0 : k->bends[d->in.first_term + i] * scale * scale;
    return column;
}

/* A coordinate with all that is above it. */
static void meet_above(bending *b, const drive *d, const double t[3]) {
    if (b->seen_count == 0) return;
    for (int k = 0; k < b->seen_count; k++) b->values[k] = b->x[k] * t[0] + b->y[k] * t[1] + b->z[k] * t[2];
    for (int i = 0; i < d->in.count; i++) {
        double slope, bend;
        int column = drive_at(d, i, &slope, &bend);
        if (column < 0) continue;
        for (int k = 0; k < b->seen_count; k++) add(b, column, b->seen[k], slope * b->values[k]);
        if (b->place[column] >= 0) add(b, column, column, slope * b->values[b->place[column]]); /* both orders */
    }
}

/* Two coordinates of one node, or one with itself. */
static void meet(const bending *b, const drive *p, const drive *q, double value) {
    for (int i = 0; i < p->in.count; i++) {
        double slope_p, slope_q, bend;
        int a = drive_at(p, i, &slope_p, &bend);
        if (a < 0) continue;
        for (int j = 0; j < q->in.count; j++) {
            int c = drive_at(q, j, &slope_q, &bend);
            if (c < 0) continue;
            double part = slope_p * slope_q * value;
            if (p->coordinate == q->coordinate) {
                if (j <= i) add(b, a, c, i != j && a == c ? 2 * part : part); /* i, j and j, i are one entry */
            } else {
                add(b, a, c, a == c ? 2 * part : part);
            }
        }
    }
}

static void add_bends(const bending *b, const drive *d, double gradient) {
    for (int i = 0; d->in.first_term >= 0 && i < d->in.count; i++) {
        double slope, bend;
        int column = drive_at(d, i, &slope, &bend);
        if (column >= 0) add(b, column, column, gradient * bend);
    }
}

/* An axis joins what is above. */
static void push_axis(bending *b, const drive *d, const double axis[3], double sign) {
    for (int i = 0; i < d->in.count; i++) {
        double slope, bend;
        int column = drive_at(d, i, &slope, &bend);
        if (column < 0) continue;
        undo *u = &b->log[b->log_count++];
        u->column = column;
        u->was_new = b->place[column] < 0;
        if (u->was_new) {
            b->place[column] = b->seen_count;
            b->seen[b->seen_count] = column;
            b->x[b->seen_count] = b->y[b->seen_count] = b->z[b->seen_count] = 0;
            b->seen_count++;
        }
        int at = b->place[column];
        lbm_set3(u->axis, b->x[at], b->y[at], b->z[at]);
        b->x[at] += sign * slope * axis[0];
        b->y[at] += sign * slope * axis[1];
        b->z[at] += sign * slope * axis[2];
    }
}

static void pop_axes(bending *b, int start) {
    while (b->log_count > start) {
        const undo *u = &b->log[--b->log_count];
        int at = b->place[u->column];
        b->x[at] = u->axis[0];
        b->y[at] = u->axis[1];
        b->z[at] = u->axis[2];
        if (!u->was_new) continue;
        b->seen_count--;
        b->place[u->column] = -1;
    }
}

/* --- Nodes -------------------------------------------------------------------------------------------------------- */

/* A node's coordinates with what is above, with each other, and then as a part of what is above. sign -1: against the
 * sense. */
static void visit_node(bending *b, int figure, int index, const pull_at *pull, double sign) {
    const lb_kinematics *k = b->s->kinematics[figure];
    const lbf_node *node = &k->figure->nodes[index];
    int first = node->coordinate, count = lbf_node_coordinates(node->kind);
    drive drives[3];
    double t[3][3];
    if (node->kind == LBF_NODE_TRANSLATE) {
        drives[0] = drive_of(b->s, figure, first);
        lbm_cross3(k->axes[first], pull->force, t[0]);
        for (int c = 0; c < 3; c++) t[0][c] *= sign;
        meet_above(b, &drives[0], t[0]);
        add_bends(b, &drives[0], sign * lbm_dot3(k->axes[first], pull->force));
        return;
    }
    double arm[3][3], torque[3];
    const double *centre = k->frames[index].p;
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) arm[r][c] = pull->k[r][c] - centre[r] * pull->force[c];
    double trace = arm[0][0] + arm[1][1] + arm[2][2];
    lbm_set3(torque, arm[1][2] - arm[2][1], arm[2][0] - arm[0][2], arm[0][1] - arm[1][0]);
    for (int i = 0; i < count; i++) {
        const double *u = k->axes[first + i];
        drives[i] = drive_of(b->s, figure, first + i);
        for (int r = 0; r < 3; r++) t[i][r] = sign * (lbm_dot3(arm[r], u) - trace * u[r]);
        meet_above(b, &drives[i], t[i]);
        add_bends(b, &drives[i], sign * lbm_dot3(u, torque));
    }
    for (int i = 0; i < count; i++)
        for (int j = i; j < count; j++) {
            double change[3];
            int near = sign > 0 ? j : i, far = sign > 0 ? i : j;
            double value = sign * lbm_dot3(k->axes[first + near], t[far]);
            if (node->kind != LBF_NODE_ROTATE) {
                lbf_axis_change(k, node, i, j, change);
                value += sign * lbm_dot3(change, torque);
            }
            meet(b, &drives[i], &drives[j], value);
        }
}

/* A node's axes join what is above; shifts turn nothing. */
static void push_node(bending *b, int figure, int index, double sign) {
    const lb_kinematics *k = b->s->kinematics[figure];
    const lbf_node *node = &k->figure->nodes[index];
    if (node->kind == LBF_NODE_TRANSLATE) return;
    for (int i = 0; i < lbf_node_coordinates(node->kind); i++) {
        drive d = drive_of(b->s, figure, node->coordinate + i);
        push_axis(b, &d, k->axes[node->coordinate + i], sign);
    }
}

/* Makes the path end above a node: what hangs elsewhere is taken off, what is missing put on. */
static void enter(bending *b, int figure, int node) {
    const lbf_node *nodes = b->s->problem->figures[figure]->nodes;
    int missing = 0, up = nodes[node].parent;
    while (b->path_count > 0) {
        int top = b->path[b->path_count - 1];
        for (up = nodes[node].parent, missing = 0; up > top; up = nodes[up].parent) missing++;
        if (up == top) break;
        pop_axes(b, b->log_start[--b->path_count]);
    }
    if (b->path_count == 0)
        for (up = nodes[node].parent, missing = 0; up >= 0; up = nodes[up].parent) missing++;
    up = nodes[node].parent;
    for (int i = missing - 1; i >= 0; i--, up = nodes[up].parent) b->path[b->path_count + i] = up;
    for (int i = 0; i < missing; i++, b->path_count++) {
        b->log_start[b->path_count] = b->log_count;
        push_node(b, figure, b->path[b->path_count], 1);
    }
}

/* All nodes at which something pulls, from the root to the tips; nodes come after their parents. */
static void visit_tree(bending *b, int figure) {
    const lb_figure *f = b->s->problem->figures[figure];
    int base = b->log_count;
    b->path_count = 0;
    for (int i = 0; i < f->node_count; i++) {
        if (!b->pulls[i].touched) continue;
        enter(b, figure, i);
        b->path[b->path_count] = i;
        b->log_start[b->path_count++] = b->log_count;
        visit_node(b, figure, i, &b->pulls[i], 1);
        push_node(b, figure, i, 1);
    }
    pop_axes(b, base);
}

/* --- What pulls ----------------------------------------------------------------------------------------------------- */

static void clear_pulls(bending *b, int figure) {
    for (int i = 0; i < b->s->problem->figures[figure]->node_count; i++) b->pulls[i].touched = 0;
}

static pull_at *touch(bending *b, int node) {
    pull_at *p = &b->pulls[node];
    if (!p->touched) memset(p, 0, sizeof *p);
    p->touched = 1;
    return p;
}

static void add_pull(pull_at *p, const double v[3], const double w[3], double share) {
    for (int c = 0; c < 3; c++) p->force[c] += share * w[c];
    for (int r = 0; r < 3; r++)
        for (int c = 0; c < 3; c++) p->k[r][c] += v[r] * w[c];
}

/* An item's pull where its effector is: the weights w (world) on its point, x and y. */
static void pull_item(bending *b, const lbs_item *item, const double w[9]) {
    const lb_constraint *c = item->constraint;
    lb_kinematics *k = b->s->kinematics[c->figure];
    const lb_figure *f = k->figure;
    if (c->effector.kind == LB_EFFECTOR_COM) {
        double scale = f->mass > 0 ? 1 / f->mass : 0;
        for (int i = 0; i < f->node_count; i++) {
            double moment[3];
            const lbf_lump *lump = &f->lumps[i];
            if (lump->mass == 0) continue;
            lbm_rotate(&k->frames[i], lump->moment, moment);
            for (int r = 0; r < 3; r++) moment[r] = scale * (moment[r] + lump->mass * k->frames[i].p[r]);
            add_pull(touch(b, i), moment, w, scale * lump->mass);
        }
        return;
    }
    int node = f->mounts[c->effector.segment].node;
    if (node < 0) return;
    pull_at *p = touch(b, node);
    for (int part = 0; part < 3; part++) add_pull(p, item->e_w + 3 * part, w + 3 * part, part == 0);
}

static void sum_pulls(bending *b, int figure) {
    const lb_figure *f = b->s->problem->figures[figure];
    for (int i = f->node_count - 1; i >= 0; i--) {
        if (!b->pulls[i].touched || f->nodes[i].parent < 0) continue;
        pull_at *up = touch(b, f->nodes[i].parent);
        for (int r = 0; r < 3; r++) {
            up->force[r] += b->pulls[i].force[r];
            for (int c = 0; c < 3; c++) up->k[r][c] += b->pulls[i].k[r][c];
        }
    }
}

/* --- Items ------------------------------------------------------------------------------------------------------------ */

/* Whether a goal moves with the variables. */
static int is_carried(const lbs_space *s, const lb_constraint *c) {
    if (c->goal.carrier_segment < 0) return 0;
    const lb_figure *f = s->problem->figures[c->goal.carrier_figure];
    int first = s->problem->first_variables[c->goal.carrier_figure];
    for (int i = 0; i < f->variable_count; i++)
        if (s->active_of[first + i] >= 0) return 1;
    return 0;
}

/* The multipliers of the goal's rows, not folded; 0 for rows that do not count. */
static void find_multipliers(const lbs_item *item, int level, const double *pull, double *multipliers) {
    double folded[LBP_MAX_ROWS];
    memset(multipliers, 0, LBP_MAX_ROWS * sizeof *multipliers);
    if (!item->enabled || !item->counted) return;
    if (item->level == level) {
        lbp_goal_rows(&item->goal, item->e, multipliers, NULL);
        for (int r = 0; r < LBP_MAX_ROWS; r++) multipliers[r] *= item->constraint->weight;
    } else if (pull && item->level < level) {
        for (int r = 0; r < item->row_count; r++) folded[r] = 0.5 * item->root_weight * pull[item->first_row + r];
        lbp_goal_unfold(&item->goal.goal, item->e, folded, multipliers);
    }
}

/* The sum of multiplier times derivative by e, e where it is or elsewhere. Returns 0 if all multipliers are. */
static int weights_at(const lbs_item *item, const double *multipliers, const double e[9], double w[9]) {
    double rows[LBP_MAX_ROWS], derivatives[LBP_MAX_ROWS][9];
    int any = 0;
    memset(w, 0, 9 * sizeof *w);
    lbp_goal_rows(&item->goal, e, rows, derivatives);
    for (int i = 0; i < lbp_goal_plain_count(&item->goal.goal); i++) {
        if (multipliers[i] == 0) continue;
        any = 1;
        for (int k = 0; k < 9; k++) w[k] += multipliers[i] * derivatives[i][k];
    }
    return any;
}

/* The same of the faces that an item must not go beyond. */
static int add_guards(const lbs_space *s, int item, int level, const double *pull, double w[9]) {
    int any = 0;
    if (!pull || s->items[item].level >= level) return 0;
    for (int k = 0; k < s->guard_count; k++) {
        double multiplier = 0.5 * pull[s->row_count + k];
        if (s->guards[k].item != item || multiplier == 0) continue;
        any = 1;
        for (int i = 0; i < 9; i++) w[i] += multiplier * s->guards[k].derivatives[i];
    }
    return any;
}

static void rotate_out(const lbs_space *s, const lb_constraint *c, double v[9]) {
    if (c->goal.carrier_segment < 0) return;
    lbm_transform carrier;
    lbf_segment_transform(s->kinematics[c->goal.carrier_figure], c->goal.carrier_segment, &carrier);
    for (int part = 0; part < 3; part++) lbm_rotate(&carrier, v + 3 * part, v + 3 * part);
}

/* By how many of e's numbers a goal's rows bend: 0, the point's 3, with x's 6, all 9. */
static int bending_numbers(const lbp_goal *g) {
    switch (g->goal.kind) {
    case LB_GOAL_CUSTOM:
        return 9;
    case LB_GOAL_SPHERE:
    case LB_GOAL_CAPSULE:
        return g->goal.outside && g->half_length > 0 ? 6 : 3;
    case LB_GOAL_AIM:
    case LB_GOAL_CIRCLE:
    case LB_GOAL_DISC:
        return 3;
    case LB_GOAL_POLYHEDRON:
        return g->goal.outside ? 0 : 3;
    default:
        return 0;
    }
}

/* Adds a node's part of de/dz, in the world: sign times how its coordinates move the effector. */
static void add_velocity(bending *b, const lbs_item *item, int figure, int index, double sign, int numbers) {
    lbs_space *s = b->s;
    const lb_kinematics *k = s->kinematics[figure];
    const lbf_node *node = &k->figure->nodes[index];
    double share = 1, arm[3];
    if (sign > 0 && item->constraint->effector.kind == LB_EFFECTOR_COM) {
        share = k->figure->lumps[index].subtree_mass / k->figure->mass;
        for (int c = 0; c < 3; c++) arm[c] = k->moments[index][c] - share * k->frames[index].p[c];
    } else {
        lbm_sub3(item->e_w, k->frames[index].p, arm);
    }
    for (int i = 0; i < lbf_node_coordinates(node->kind); i++) {
        double velocity[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
        const double *u = k->axes[node->coordinate + i];
        if (node->kind == LBF_NODE_TRANSLATE) {
            lbm_add_scaled3(velocity, u, share);
        } else {
            lbm_cross3(u, arm, velocity);
            lbm_cross3(u, item->e_w + 3, velocity + 3);
            lbm_cross3(u, item->e_w + 6, velocity + 6);
        }
        drive d = drive_of(s, figure, node->coordinate + i);
        for (int j = 0; j < d.in.count; j++) {
            double slope, bend;
            int column = drive_at(&d, j, &slope, &bend);
            for (int c = 0; column >= 0 && c < numbers; c++)
                b->velocities[(size_t)c * (size_t)s->n + (size_t)column] += sign * slope * velocity[c];
        }
    }
}

static void find_velocities(bending *b, const lbs_item *item, int numbers) {
    lbs_space *s = b->s;
    const lb_constraint *c = item->constraint;
    const lb_figure *f = s->problem->figures[c->figure];
    memset(b->velocities, 0, (size_t)numbers * (size_t)s->n * sizeof *b->velocities);
    if (c->effector.kind == LB_EFFECTOR_COM) {
        lbf_sum_moments(s->kinematics[c->figure]);
        for (int i = 0; i < f->node_count; i++) add_velocity(b, item, c->figure, i, 1, numbers);
    } else {
        for (int i = f->mounts[c->effector.segment].node; i >= 0; i = f->nodes[i].parent)
            add_velocity(b, item, c->figure, i, 1, numbers);
    }
    if (c->goal.carrier_segment < 0) return;
    f = s->problem->figures[c->goal.carrier_figure];
    for (int i = f->mounts[c->goal.carrier_segment].node; i >= 0; i = f->nodes[i].parent)
        add_velocity(b, item, c->goal.carrier_figure, i, -1, numbers);
}

/* Rows that bend with e: velocities' B velocities, B by central differences of the goal's derivatives. */
static void add_goal(bending *b, const lbs_item *item, const double *multipliers) {
    lbs_space *s = b->s;
    int numbers = bending_numbers(&item->goal);
    double curvature[9][9];
    if (numbers == 0) return;
    for (int i = 0; i < numbers; i++) {
        double e[9], ahead[9], behind[9];
        const double step = 1e-5;
        for (int side = 0; side < 2; side++) { /* along the world's axes, seen from where the goal is */
            double direction[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
            direction[i] = side ? -step : step;
            if (item->constraint->goal.carrier_segment >= 0) {
                lbm_transform t;
                const lb_goal *goal = &item->constraint->goal;
                lbf_segment_transform(s->kinematics[goal->carrier_figure], goal->carrier_segment, &t);
                double *part = direction + i / 3 * 3;
                double v[3] = {part[0], part[1], part[2]};
                lbm_set3(part, lbm_dot3(t.x, v), lbm_dot3(t.y, v), lbm_dot3(t.z, v));
            }
            for (int c = 0; c < 9; c++) e[c] = item->e[c] + direction[c];
            weights_at(item, multipliers, e, side ? behind : ahead);
        }
        rotate_out(s, item->constraint, ahead);
        rotate_out(s, item->constraint, behind);
        for (int c = 0; c < numbers; c++) curvature[i][c] = (ahead[c] - behind[c]) / (2 * step);
    }
    find_velocities(b, item, numbers);
    size_t n = (size_t)s->n;
    for (size_t i = 0; i < n; i++) {
        double along[9];
        int moves = 0;
        for (int c = 0; c < numbers; c++) {
            along[c] = 0;
            for (int r = 0; r < numbers; r++) {
                double velocity = b->velocities[(size_t)r * n + i];
                moves |= velocity != 0;
                along[c] += 0.5 * (curvature[r][c] + curvature[c][r]) * velocity;
            }
        }
        if (!moves) continue;
        double *row = b->hessian + i * (size_t)s->stride;
        for (int c = 0; c < numbers; c++)
            for (size_t j = i; j < n; j++) row[j] += along[c] * b->velocities[(size_t)c * n + j];
    }
}

/* A goal that moves: from its carrier up to the root against the sense, then down to the effector. */
static void add_carried(bending *b, const lbs_item *item, const double w[9]) {
    const lb_constraint *c = item->constraint;
    const lb_figure *f = b->s->problem->figures[c->goal.carrier_figure];
    pull_at all;
    memset(&all, 0, sizeof all);
    for (int part = 0; part < 3; part++) add_pull(&all, item->e_w + 3 * part, w + 3 * part, part == 0);
    for (int i = f->mounts[c->goal.carrier_segment].node; i >= 0; i = f->nodes[i].parent) {
        visit_node(b, c->goal.carrier_figure, i, &all, -1);
        push_node(b, c->goal.carrier_figure, i, -1);
    }
    clear_pulls(b, c->figure);
    pull_item(b, item, w);
    sum_pulls(b, c->figure);
    visit_tree(b, c->figure);
    pop_axes(b, 0);
}

void lbs_curvature(lbs_space *s, int level, const double *pull, double *hessian, double *scratch) {
    bending b;
    lay_out(&b, s, hessian, scratch);
    for (int f = 0; f < s->problem->figure_count; f++) {
        clear_pulls(&b, f);
        for (int i = 0; i < s->item_count; i++) { /* those that stand together: one sum for all */
            const lbs_item *item = &s->items[i];
            double multipliers[LBP_MAX_ROWS], w[9];
            if (item->constraint->figure != f || is_carried(s, item->constraint)) continue;
            find_multipliers(item, level, pull, multipliers);
            if (!item->enabled) continue;
            if (!(weights_at(item, multipliers, item->e, w) | add_guards(s, i, level, pull, w))) continue;
            rotate_out(s, item->constraint, w);
            pull_item(&b, item, w);
            add_goal(&b, item, multipliers);
        }
        sum_pulls(&b, f);
        visit_tree(&b, f);
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        double multipliers[LBP_MAX_ROWS], w[9];
        if (!item->enabled || !is_carried(s, item->constraint)) continue;
        find_multipliers(item, level, pull, multipliers);
        if (!(weights_at(item, multipliers, item->e, w) | add_guards(s, i, level, pull, w))) continue;
        rotate_out(s, item->constraint, w);
        add_carried(&b, item, w);
        add_goal(&b, item, multipliers);
    }
}
