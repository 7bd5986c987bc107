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
 * effector at every lump of mass. Then from the root to the tips each coordinate meets the axes above it, summed up by
 * columns, all of them at once: a row of the matrix, on either side of its diagonal.
 *
 * A goal that moves with a segment is seen from there: a chain that begins at this segment, goes up to the root against the
 * sense of its coordinates and then down to the effector.
 *
 * Two coordinates of one rotation vector turn in no order: there it is u_j . t_i + (du_j/dq_i) . torque; against the sense
 * u_i . t_j - (du_j/dq_i) . torque.
 *
 * The second way, of goals that are not linear in e, is a small matrix B = sum of r_i d2r_i/de2, from differences of the
 * goal's own derivatives. */
#include "solve/eval/hessian.h"

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
    int column;
} undo;

typedef struct bending {
    lbs_space *s;
    double *hessian;
    pull_at *pulls; /* [node of the largest figure] */
    double *axes;   /* [3][stride]: those above, summed by columns */
    undo *log;      /* [movers of the largest figure, twice] */
    int log_count;
    int *path, *log_start; /* [node]: nodes above, and where their log begins */
    int path_count;
    double *velocities, *bent; /* [9][stride]: de/dz of an item whose goal bends, and how that pulls */
} bending;

/* The largest figure's nodes, and how often its coordinates count: each with its terms. */
static void largest_figure(const lb_problem *p, size_t *nodes, size_t *terms) {
    *nodes = *terms = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        size_t most = (size_t)figure->coordinate_count + (size_t)figure->term_count;
        if ((size_t)figure->node_count > *nodes) {
            *nodes = (size_t)figure->node_count;
        }
        if (most > *terms) {
            *terms = most;
        }
    }
}

static size_t doubles(size_t count, size_t size) { return (count * size + sizeof(double) - 1) / sizeof(double); }

size_t lbs_curvature_size(const lbs_space *s) {
    size_t stride = (size_t)lbm_stride(lbs_max_n(s)), nodes, terms;
    largest_figure(s->problem, &nodes, &terms);
    return doubles(nodes, sizeof(pull_at)) + 21 * stride + doubles(2 * terms, sizeof(undo)) +
           2 * doubles(nodes + 1, sizeof(int));
}

static void lay_out(bending *b, lbs_space *s, double *hessian, double *scratch) {
    size_t stride = (size_t)s->stride, nodes, terms;
    largest_figure(s->problem, &nodes, &terms);
    b->s = s;
    b->hessian = hessian;
    b->axes = scratch;
    b->velocities = scratch + 3 * stride;
    b->bent = scratch + 12 * stride;
    scratch += 21 * stride;
    b->pulls = (pull_at *)scratch;
    scratch += doubles(nodes, sizeof(pull_at));
    b->log = (undo *)scratch;
    scratch += doubles(2 * terms, sizeof(undo));
    b->path = (int *)scratch;
    b->log_start = (int *)(scratch + doubles(nodes + 1, sizeof(int)));
    b->log_count = b->path_count = 0;
    memset(b->axes, 0, 3 * stride * sizeof *b->axes);
}

/* --- Pairs of coordinates ---------------------------------------------------------------------------------------- */

static inline double *row_of(const bending *b, int column) {
    return b->hessian + (size_t)column * (size_t)b->s->stride;
}

/* The movers of a node: the first, and how many. */
static const lbs_mover *movers_of(const bending *b, int figure, int node, int *count) {
    const lbs_space *s = b->s;
    int at = s->columns.first_nodes[figure] + node;
    *count = s->columns.mover_counts[at];
    return s->columns.movers + s->columns.first_movers[at];
}

/* Which of its node's coordinates a mover moves. */
static int coordinate_of(const lb_kinematics *k, const lbf_node *node, const lbs_mover *m) {
    return (int)((size_t)(m->axis - k->axes[node->coordinate]) / (sizeof *k->axes / sizeof **k->axes));
}

/* Adds three rows to a column's, on its diagonal twice: in both orders. */
static inline void add_row(const bending *b, int column, const double f[3], const double *rows) {
    double *row = row_of(b, column), own = row[column];
    b->s->kernels->add_three(b->s->stride, f, rows, row);
    row[column] += row[column] - own;
}

/* A mover with all that is above it. */
static inline void meet_above(const bending *b, const lbs_mover *m, const double t[3]) {
    const double f = *m->slope * m->scale, scaled[3] = {f * t[0], f * t[1], f * t[2]};
    add_row(b, m->column, scaled, b->axes);
}

/* Two movers of one node, or one with itself. */
static void meet(const bending *b, const lbs_mover *p, const lbs_mover *q, double value) {
    double part = *p->slope * p->scale * (*q->slope * q->scale) * value;
    row_of(b, p->column)[q->column] += p != q && p->column == q->column ? 2 * part : part;
}

static void add_bend(const bending *b, const lb_kinematics *k, const lbs_mover *m, int coordinate, double gradient) {
    if (lbf_influence_of(k->figure, coordinate).first_term < 0) {
        return;
    }
    row_of(b, m->column)[m->column] += gradient * k->bends[m->slope - k->slopes] * m->scale * m->scale;
}

/* An axis joins what is above. */
static void push_axis(bending *b, const lbs_mover *m, double sign) {
    size_t stride = (size_t)b->s->stride;
    double f = sign * *m->slope * m->scale, *at = b->axes + m->column;
    undo *u = &b->log[b->log_count++];
    u->column = m->column;
    for (size_t c = 0; c < 3; c++) {
        u->axis[c] = at[c * stride];
        at[c * stride] += f * m->axis[c];
    }
}

static void pop_axes(bending *b, int start) {
    size_t stride = (size_t)b->s->stride;
    while (b->log_count > start) {
        const undo *u = &b->log[--b->log_count];
        for (size_t c = 0; c < 3; c++) {
            b->axes[c * stride + (size_t)u->column] = u->axis[c];
        }
    }
}

/* --- Nodes -------------------------------------------------------------------------------------------------------- */

/* The same of a node that turns about one axis. */
static inline void visit_axis(const bending *b, const lb_kinematics *k, const lbf_node *node, const pull_at *pull,
                              const double centre[3], double sign, const lbs_mover *movers, int count) {
    const double *u = k->axes[node->coordinate], along = lbm_dot3(pull->force, u);
    double trace = pull->k[0][0] + pull->k[1][1] + pull->k[2][2] - lbm_dot3(centre, pull->force), t[3];
    for (int r = 0; r < 3; r++) {
        t[r] = sign * (lbm_dot3(pull->k[r], u) - centre[r] * along - trace * u[r]);
    }
    double value = sign * lbm_dot3(u, t);
    for (int p = 0; p < count; p++) {
        meet_above(b, &movers[p], t);
        for (int q = p; q < count; q++) {
            meet(b, &movers[p], &movers[q], value);
        }
    }
    if (lbf_influence_of(k->figure, node->coordinate).first_term < 0) {
        return;
    }
    double torque[3],
        moment[3] = {pull->k[1][2] - pull->k[2][1], pull->k[2][0] - pull->k[0][2], pull->k[0][1] - pull->k[1][0]};
    lbm_cross3(centre, pull->force, torque);
    lbm_sub3(moment, torque, torque);
    for (int p = 0; p < count; p++) {
        add_bend(b, k, &movers[p], node->coordinate, sign * lbm_dot3(u, torque));
    }
}

/* A node's coordinates with what is above, with each other, and then as a part of what is above. sign -1: against the
 * sense. */
static void visit_node(const bending *b, int figure, int index, const pull_at *pull, double sign) {
    const lb_kinematics *k = b->s->kinematics[figure];
    const lbf_node *node = &k->figure->nodes[index];
    int first = node->coordinate, count = lbf_node_coordinates(node->kind), mover_count;
    const lbs_mover *movers = movers_of(b, figure, index, &mover_count);
    double t[3][3], value[3][3], arm[3][3], torque[3];
    if (mover_count == 0) {
        return;
    }
    if (node->kind == LBF_NODE_TRANSLATE) {
        lbm_cross3(k->axes[first], pull->force, t[0]);
        for (int c = 0; c < 3; c++) {
            t[0][c] *= sign;
        }
        for (int m = 0; m < mover_count; m++) {
            meet_above(b, &movers[m], t[0]);
            add_bend(b, k, &movers[m], first, sign * lbm_dot3(k->axes[first], pull->force));
        }
        return;
    }
    if (node->kind == LBF_NODE_ROTATE) {
        visit_axis(b, k, node, pull, k->frames[index].p, sign, movers, mover_count);
        return;
    }
    const double *centre = k->frames[index].p;
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            arm[r][c] = pull->k[r][c] - centre[r] * pull->force[c];
        }
    }
    double trace = arm[0][0] + arm[1][1] + arm[2][2];
    lbm_set3(torque, arm[1][2] - arm[2][1], arm[2][0] - arm[0][2], arm[0][1] - arm[1][0]);
    for (int i = 0; i < count; i++) {
        const double *u = k->axes[first + i];
        for (int r = 0; r < 3; r++) {
            t[i][r] = sign * (lbm_dot3(arm[r], u) - trace * u[r]);
        }
    }
    for (int i = 0; i < count; i++) {
        for (int j = i; j < count; j++) {
            double change[3];
            int near = sign > 0 ? j : i, far = sign > 0 ? i : j;
            lbf_axis_change(k, node, i, j, change);
            value[i][j] = sign * (lbm_dot3(k->axes[first + near], t[far]) + lbm_dot3(change, torque));
        }
    }
    for (int p = 0; p < mover_count; p++) {
        int i = coordinate_of(k, node, &movers[p]);
        meet_above(b, &movers[p], t[i]);
        add_bend(b, k, &movers[p], first + i, sign * lbm_dot3(k->axes[first + i], torque));
        for (int q = p; q < mover_count; q++) {
            meet(b, &movers[p], &movers[q], value[i][coordinate_of(k, node, &movers[q])]);
        }
    }
}

/* A node's axes join what is above; shifts turn nothing. */
static void push_node(bending *b, int figure, int index, double sign) {
    int count;
    const lbs_mover *movers = movers_of(b, figure, index, &count);
    for (int i = 0; i < count && movers[i].centre; i++) {
        push_axis(b, &movers[i], sign);
    }
}

/* Makes the path end above a node: what hangs elsewhere is taken off, what is missing put on. */
static void enter(bending *b, int figure, int node) {
    const lbf_node *nodes = b->s->columns.tables[figure];
    int missing = 0, up = nodes[node].parent;
    while (b->path_count > 0) {
        int top = b->path[b->path_count - 1];
        for (up = nodes[node].parent, missing = 0; up > top; up = nodes[up].parent) {
            missing++;
        }
        if (up == top) {
            break;
        }
        pop_axes(b, b->log_start[--b->path_count]);
    }
    if (b->path_count == 0) {
        for (up = nodes[node].parent, missing = 0; up >= 0; up = nodes[up].parent) {
            missing++;
        }
    }
    up = nodes[node].parent;
    for (int i = missing - 1; i >= 0; i--, up = nodes[up].parent) {
        b->path[b->path_count + i] = up;
    }
    for (int i = 0; i < missing; i++, b->path_count++) {
        b->log_start[b->path_count] = b->log_count;
        push_node(b, figure, b->path[b->path_count], 1);
    }
}

/* All nodes that move and at which something pulls, from the root to the tips; nodes come after their parents. */
static void visit_tree(bending *b, int figure) {
    const lbf_selection *moving = &b->s->columns.moving[figure];
    int base = b->log_count;
    b->path_count = 0;
    for (int i = 0; i < moving->node_count; i++) {
        int node = moving->nodes[i];
        if (!b->pulls[node].touched) {
            continue;
        }
        enter(b, figure, node);
        b->path[b->path_count] = node;
        b->log_start[b->path_count++] = b->log_count;
        visit_node(b, figure, node, &b->pulls[node], 1);
        push_node(b, figure, node, 1);
    }
    pop_axes(b, base);
}

/* --- What pulls ----------------------------------------------------------------------------------------------------- */

static void clear_pulls(bending *b, int figure) {
    for (int i = 0; i < b->s->problem->figures[figure]->node_count; i++) {
        b->pulls[i].touched = 0;
    }
}

static pull_at *touch(bending *b, int node) {
    pull_at *p = &b->pulls[node];
    if (!p->touched) {
        memset(p, 0, sizeof *p);
    }
    p->touched = 1;
    return p;
}

static void add_pull(pull_at *p, const double v[3], const double w[3], double share) {
    for (int c = 0; c < 3; c++) {
        p->force[c] += share * w[c];
    }
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 3; c++) {
            p->k[r][c] += v[r] * w[c];
        }
    }
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
            if (lump->mass == 0) {
                continue;
            }
            lbm_rotate(&k->frames[i], lump->moment, moment);
            for (int r = 0; r < 3; r++) {
                moment[r] = scale * (moment[r] + lump->mass * k->frames[i].p[r]);
            }
            add_pull(touch(b, i), moment, w, scale * lump->mass);
        }
        return;
    }
    int node = f->mounts[c->effector.segment].node;
    if (node < 0) {
        return;
    }
    pull_at *p = touch(b, node);
    for (int part = 0; part < 3; part++) {
        add_pull(p, item->e_w + 3 * part, w + 3 * part, part == 0);
    }
}

static void sum_pulls(bending *b, int figure) {
    const lbf_selection *moving = &b->s->columns.moving[figure];
    for (int i = moving->node_count - 1; i >= 0; i--) {
        int parent = b->s->columns.tables[figure][moving->nodes[i]].parent;
        const pull_at *pull = &b->pulls[moving->nodes[i]];
        if (!pull->touched || parent < 0) {
            continue;
        }
        pull_at *up = &b->pulls[parent];
        if (!up->touched) {
            *up = *pull;
            continue;
        }
        for (int r = 0; r < 3; r++) {
            up->force[r] += pull->force[r];
            for (int c = 0; c < 3; c++) {
                up->k[r][c] += pull->k[r][c];
            }
        }
    }
}

/* --- Items ------------------------------------------------------------------------------------------------------------ */

/* Whether a goal moves with the variables. */
static int is_carried(const lbs_space *s, const lb_constraint *c) {
    if (c->goal.carrier_segment < 0) {
        return 0;
    }
    const lb_figure *f = s->problem->figures[c->goal.carrier_figure];
    int first = s->problem->first_variables[c->goal.carrier_figure];
    for (int i = 0; i < f->variable_count; i++) {
        if (s->variables.active_of[first + i] >= 0) {
            return 1;
        }
    }
    return 0;
}

/* The multipliers of the goal's rows, not folded; 0 for rows that do not count. */
static void find_multipliers(const lbs_item *item, int level, const double *pull, double *multipliers) {
    double folded[LBP_MAX_ROWS];
    memset(multipliers, 0, LBP_MAX_ROWS * sizeof *multipliers);
    if (!item->enabled || !item->counted) {
        return;
    }
    if (item->level == level) {
        lbp_goal_rows(&item->goal, item->e, multipliers, NULL);
        for (int r = 0; r < LBP_MAX_ROWS; r++) {
            multipliers[r] *= item->constraint->weight;
        }
    } else if (pull && item->level < level) {
        for (int r = 0; r < item->row_count; r++) {
            folded[r] = 0.5 * item->root_weight * pull[item->first_row + r];
        }
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
        if (multipliers[i] == 0) {
            continue;
        }
        any = 1;
        for (int k = 0; k < 9; k++) {
            w[k] += multipliers[i] * derivatives[i][k];
        }
    }
    return any;
}

/* The same of the faces that an item must not go beyond. */
static int add_guards(const lbs_space *s, int item, int level, const double *pull, double w[9]) {
    int any = 0;
    if (!pull || s->items[item].level >= level) {
        return 0;
    }
    for (int k = 0; k < s->last.guard_count; k++) {
        double multiplier = 0.5 * pull[s->row_count + k];
        if (s->last.guards[k].item != item || multiplier == 0) {
            continue;
        }
        any = 1;
        for (int i = 0; i < 9; i++) {
            w[i] += multiplier * s->last.guards[k].derivatives[i];
        }
    }
    return any;
}

static void rotate_out(const lbs_space *s, const lb_constraint *c, double v[9]) {
    if (c->goal.carrier_segment < 0) {
        return;
    }
    lbm_transform carrier;
    lbf_segment_transform(s->kinematics[c->goal.carrier_figure], c->goal.carrier_segment, &carrier);
    for (int part = 0; part < 3; part++) {
        lbm_rotate(&carrier, v + 3 * part, v + 3 * part);
    }
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

/* How the columns move e's numbers, in the world, as the carrier sees them. */
static void find_velocities(bending *b, const lbs_item *item, int numbers) {
    double wrenches[9][6];
    for (int i = 0; i < numbers; i++) {
        double *force = wrenches[i], *moment = wrenches[i] + 3, unit[3] = {i % 3 == 0, i % 3 == 1, i % 3 == 2};
        lbm_cross3(item->e_w + i / 3 * 3, unit, moment);
        for (int c = 0; c < 3; c++) {
            force[c] = i < 3 ? unit[c] : 0;
        }
    }
    lbs_item_rows(b->s, item, numbers, (const double(*)[6])wrenches, b->velocities);
}

/* Rows that bend with e: velocities' B velocities, B by central differences of the goal's derivatives. */
static void add_goal(bending *b, const lbs_item *item, const double *multipliers) {
    lbs_space *s = b->s;
    int numbers = bending_numbers(&item->goal);
    double curvature[9][9];
    if (numbers == 0) {
        return;
    }
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
            for (int c = 0; c < 9; c++) {
                e[c] = item->e[c] + direction[c];
            }
            weights_at(item, multipliers, e, side ? behind : ahead);
        }
        rotate_out(s, item->constraint, ahead);
        rotate_out(s, item->constraint, behind);
        for (int c = 0; c < numbers; c++) {
            curvature[i][c] = (ahead[c] - behind[c]) / (2 * step);
        }
    }
    find_velocities(b, item, numbers);
    for (int i = 0; i < numbers; i += 3) { /* B velocities, half of them: each pair comes from both sides */
        for (int c = i; c < i + 3; c++) {
            double *row = b->bent + (size_t)c * (size_t)s->stride;
            memset(row, 0, (size_t)s->stride * sizeof *row);
            for (int r = 0; r < numbers; r += 3) {
                double f[3];
                for (int k = 0; k < 3; k++) {
                    f[k] = 0.25 * (curvature[r + k][c] + curvature[c][r + k]);
                }
                s->kernels->add_three(s->stride, f, b->velocities + (size_t)r * (size_t)s->stride, row);
            }
        }
    }
    for (int i = 0; i < s->n; i++) {
        for (int c = 0; c < numbers; c += 3) {
            const double *v = b->velocities + (size_t)c * (size_t)s->stride + i;
            const double f[3] = {v[0], v[s->stride], v[2 * s->stride]};
            if (f[0] != 0 || f[1] != 0 || f[2] != 0) {
                add_row(b, i, f, b->bent + (size_t)c * (size_t)s->stride);
            }
        }
    }
}

/* A goal that moves: from its carrier up to the root against the sense, then down to the effector. */
static void add_carried(bending *b, const lbs_item *item, const double w[9]) {
    const lb_constraint *c = item->constraint;
    const lb_figure *f = b->s->problem->figures[c->goal.carrier_figure];
    pull_at all;
    memset(&all, 0, sizeof all);
    for (int part = 0; part < 3; part++) {
        add_pull(&all, item->e_w + 3 * part, w + 3 * part, part == 0);
    }
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
            if (item->constraint->figure != f || is_carried(s, item->constraint)) {
                continue;
            }
            find_multipliers(item, level, pull, multipliers);
            if (!item->enabled) {
                continue;
            }
            if (!(weights_at(item, multipliers, item->e, w) | add_guards(s, i, level, pull, w))) {
                continue;
            }
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
        if (!item->enabled || !is_carried(s, item->constraint)) {
            continue;
        }
        find_multipliers(item, level, pull, multipliers);
        if (!(weights_at(item, multipliers, item->e, w) | add_guards(s, i, level, pull, w))) {
            continue;
        }
        rotate_out(s, item->constraint, w);
        add_carried(&b, item, w);
        add_goal(&b, item, multipliers);
    }
}
