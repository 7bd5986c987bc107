/* Second derivatives of rows, in closed form.
 *
 * A row r(e) of e = (point, x, y) bends in two ways: e bends with the coordinates, and r with e.
 *
 * The first is linear in the derivatives w of the rows by e, weighted and summed. A vector v of e moves with coordinate
 * j (axis u_j through c_j) as u_j x (v - c_j), c_j only for the point, and this with a coordinate i nearer the root as
 * u_i x (u_j x v); so with K = sum of (v - c_j) w' over the three vectors of all effectors beyond j
 *     w . (u_i x (u_j x v)) = u_i . t_j,    t_j = (K - trace K) u_j,
 * and for a shift t_j = u_j x f, f the sum of the points' w; a shift i turns nothing. K and f are summed once from the
 * tips to the root, whatever the number of effectors (R. Featherstone's recursions, for curvature); the centre of mass
 * is an effector at every lump of mass. Then from the root to the tips each coordinate meets the axes above it, summed
 * up by columns, all of them at once: a row of the matrix, on either side of its diagonal.
 *
 * A goal that moves with a segment is seen from there: a chain that begins at this segment, goes up to the root against
 * the sense of its coordinates and then down to the effector.
 *
 * Two coordinates of one rotation vector turn in no order: there it is u_j . t_i + (du_j/dq_i) . torque; against the
 * sense u_i . t_j - (du_j/dq_i) . torque.
 *
 * The second way, of goals that are not linear in e, is a small matrix B = sum of r_i d2r_i/de2, from differences of
 * the goal's own derivatives. */
#include "solve/eval/hessian.h"

#include <string.h>

#include "math/arena.h"
#include "math/rotation.h"
#include "solve/eval/hessian_parts.h"

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

/* Cuts all arrays, or counts them. */
static void cut_arrays(lbs_bending *b, const lb_problem *p, size_t stride, lbm_arena *arena) {
    size_t nodes, terms;
    largest_figure(p, &nodes, &terms);
    b->axes = lbm_cut_doubles(arena, 3 * stride);
    b->velocities = lbm_cut_doubles(arena, 9 * stride);
    b->bent = lbm_cut_doubles(arena, 9 * stride);
    b->loads = lbm_cut(arena, nodes, sizeof *b->loads);
    b->log = lbm_cut(arena, 2 * terms, sizeof *b->log);
    b->path = lbm_cut(arena, nodes + 1, sizeof *b->path);
    b->log_start = lbm_cut(arena, nodes + 1, sizeof *b->log_start);
}

size_t lbs_curvature_size(const lbs_space *s) {
    lbs_bending b;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_arrays(&b, s->problem, s->max.stride, &arena);
    return lbm_arena_doubles(&arena);
}

static void lay_out(lbs_bending *b, lbs_space *s, double *hessian, double *scratch) {
    lbm_arena arena = lbm_arena_on(scratch, LBM_ARENA_DOUBLE);
    cut_arrays(b, s->problem, (size_t)s->stride, &arena);
    b->s = s;
    b->hessian = hessian;
    b->log_count = b->path_count = 0;
    memset(b->axes, 0, 3 * (size_t)s->stride * sizeof *b->axes);
}

/* --- What loads ----------------------------------------------------------------------------------------------------- */

static void clear_loads(lbs_bending *b, int figure) {
    for (int i = 0; i < b->s->problem->figures[figure]->node_count; i++) {
        b->loads[i].touched = 0;
    }
}

static lbs_load *touch(lbs_bending *b, int node) {
    lbs_load *p = &b->loads[node];
    if (!p->touched) {
        memset(p, 0, sizeof *p);
    }
    p->touched = 1;
    return p;
}

static void add_load(lbs_load *p, const double v[3], const double w[3], double share) {
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
static void load_item(lbs_bending *b, const lbs_item *item, const double w[9]) {
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
            add_load(touch(b, i), moment, w, scale * lump->mass);
        }
        return;
    }
    int node = f->mounts[c->effector.segment].node;
    if (node < 0) {
        return;
    }
    lbs_load *p = touch(b, node);
    for (int part = 0; part < 3; part++) {
        add_load(p, item->e_w + 3 * part, w + 3 * part, part == 0);
    }
}

static void sum_loads(lbs_bending *b, int figure) {
    const lbf_selection *moving = &b->s->columns.moving[figure];
    for (int i = moving->node_count - 1; i >= 0; i--) {
        int parent = b->s->columns.tables[figure][moving->nodes[i]].parent;
        const lbs_load *load = &b->loads[moving->nodes[i]];
        if (!load->touched || parent < 0) {
            continue;
        }
        lbs_load *up = &b->loads[parent];
        if (!up->touched) {
            *up = *load;
            continue;
        }
        for (int r = 0; r < 3; r++) {
            up->force[r] += load->force[r];
            for (int c = 0; c < 3; c++) {
                up->k[r][c] += load->k[r][c];
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
static void find_multipliers(const lbs_item *item, int level, const double *row_multipliers, double *multipliers) {
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
    } else if (row_multipliers && item->level < level) {
        for (int r = 0; r < item->row_count; r++) {
            folded[r] = 0.5 * item->root_weight * row_multipliers[item->first_row + r];
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
static int add_guards(const lbs_space *s, int item, int level, const double *row_multipliers, double w[9]) {
    int any = 0;
    if (!row_multipliers || s->items[item].level >= level) {
        return 0;
    }
    for (int k = 0; k < s->last.guard_count; k++) {
        double multiplier = 0.5 * row_multipliers[s->row_count + k];
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
static void find_velocities(lbs_bending *b, const lbs_item *item, int numbers) {
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
static void add_goal(lbs_bending *b, const lbs_item *item, const double *multipliers) {
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
                lbs_bend_row(b, i, f, b->bent + (size_t)c * (size_t)s->stride);
            }
        }
    }
}

/* A goal that moves: from its carrier up to the root against the sense, then down to the effector. */
static void add_carried(lbs_bending *b, const lbs_item *item, const double w[9]) {
    const lb_constraint *c = item->constraint;
    const lb_figure *f = b->s->problem->figures[c->goal.carrier_figure];
    lbs_load all;
    memset(&all, 0, sizeof all);
    for (int part = 0; part < 3; part++) {
        add_load(&all, item->e_w + 3 * part, w + 3 * part, part == 0);
    }
    for (int i = f->mounts[c->goal.carrier_segment].node; i >= 0; i = f->nodes[i].parent) {
        lbs_bend_node(b, c->goal.carrier_figure, i, &all, -1);
        lbs_push_node(b, c->goal.carrier_figure, i, -1);
    }
    clear_loads(b, c->figure);
    load_item(b, item, w);
    sum_loads(b, c->figure);
    lbs_bend_tree(b, c->figure);
    lbs_pop_axes(b, 0);
}

void lbs_curvature(lbs_space *s, int level, const double *row_multipliers, double *hessian, double *scratch) {
    lbs_bending b;
    lay_out(&b, s, hessian, scratch);
    for (int f = 0; f < s->problem->figure_count; f++) {
        clear_loads(&b, f);
        for (int i = 0; i < s->item_count; i++) { /* those that stand together: one sum for all */
            const lbs_item *item = &s->items[i];
            double multipliers[LBP_MAX_ROWS], w[9];
            if (item->constraint->figure != f || is_carried(s, item->constraint)) {
                continue;
            }
            find_multipliers(item, level, row_multipliers, multipliers);
            if (!item->enabled) {
                continue;
            }
            if (!(weights_at(item, multipliers, item->e, w) | add_guards(s, i, level, row_multipliers, w))) {
                continue;
            }
            rotate_out(s, item->constraint, w);
            load_item(&b, item, w);
            add_goal(&b, item, multipliers);
        }
        sum_loads(&b, f);
        lbs_bend_tree(&b, f);
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        double multipliers[LBP_MAX_ROWS], w[9];
        if (!item->enabled || !is_carried(s, item->constraint)) {
            continue;
        }
        find_multipliers(item, level, row_multipliers, multipliers);
        if (!(weights_at(item, multipliers, item->e, w) | add_guards(s, i, level, row_multipliers, w))) {
            continue;
        }
        rotate_out(s, item->constraint, w);
        add_carried(&b, item, w);
        add_goal(&b, item, multipliers);
    }
}
