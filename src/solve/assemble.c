/* The assembler (ZB94 section 9): G, its gradient and the residuals' Jacobian from items along their chains.
 *
 * A row r(e) of an item moves with a coordinate as the power of a wrench does: with f = dr/d(point) and m = point x f +
 * x x dr/dx + y x dr/dy (world axes, about the origin), a turn about axis u through c changes it by u . m + (c x u) .
 * f, a shift along u by u . f. A goal that a segment carries sees the effector from there: its carrier's coordinates
 * count with the opposite sign, as if the effector were fixed to the carrier. So every row is six numbers, whatever the
 * chain, and every coordinate costs six products a row. */
#include <string.h>

#include "math/rotation.h"
#include "solve/space.h"

typedef struct wrench {
    double force[3], moment[3];
} wrench;

static void place_effector(lbs_space *s, lbs_item *item) {
    const lb_constraint *c = item->constraint;
    lb_kinematics_effector(s->kinematics[c->figure], &c->effector, item->e_w);
    if (c->goal.carrier_segment < 0) {
        memcpy(item->e, item->e_w, sizeof item->e);
        return;
    }
    lbm_transform carrier;
    lbf_segment_transform(s->kinematics[c->goal.carrier_figure], c->goal.carrier_segment, &carrier);
    for (int part = 0; part < 3; part++) {
        double v[3];
        lbm_copy3(v, item->e_w + 3 * part);
        if (part == 0) lbm_sub3(v, carrier.p, v);
        lbm_set3(item->e + 3 * part, lbm_dot3(carrier.x, v), lbm_dot3(carrier.y, v), lbm_dot3(carrier.z, v));
    }
}

/* Rows of all items at z, the best of each set of alternatives chosen; values by level. */
double lbs_value(lbs_space *s, const double *z) {
    const lb_problem *p = s->problem;
    lbs_to_pose(s, z, s->pose);
    for (int f = 0; f < p->figure_count; f++) lb_kinematics_update(s->kinematics[f], s->pose + p->first_variables[f]);
    s->evaluations++;
    for (int g = 0; g < s->group_count; g++) s->group_best[g] = -1;
    for (int l = 0; l < s->level_count; l++) s->level_value[l] = 0;
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (!item->enabled) continue;
        place_effector(s, item);
        item->value = lbp_goal_rows(&item->goal, item->e, item->rows, NULL);
        item->counted = item->group < 0;
        if (item->counted) continue;
        int best = s->group_best[item->group];
        if (best < 0 ||
            item->constraint->weight * item->value < s->items[best].constraint->weight * s->items[best].value)
            s->group_best[item->group] = i;
    }
    for (int g = 0; g < s->group_count; g++) s->items[s->group_best[g]].counted = 1;
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (!item->enabled) continue;
        for (int r = 0; r < item->row_count; r++)
            s->row[item->first_row + r] = item->counted ? item->root_weight * item->rows[r] : 0;
        if (item->counted) s->level_value[item->level] += item->constraint->weight * item->value;
    }
    double sum = 0;
    s->level_value[s->level_count - 1] += lbs_wishes(s, z, NULL, NULL);
    for (int l = 0; l < s->level_count; l++) sum += s->level_value[l];
    return sum;
}

/* The wrench of a weighted sum of an item's rows. */
static void wrench_of(const lbs_space *s, const lbs_item *item, const double derivative[9], wrench *w) {
    const lb_constraint *c = item->constraint;
    double world[9], part[3];
    if (c->goal.carrier_segment < 0) {
        memcpy(world, derivative, sizeof world);
    } else {
        lbm_transform carrier;
        lbf_segment_transform(s->kinematics[c->goal.carrier_figure], c->goal.carrier_segment, &carrier);
        for (int k = 0; k < 3; k++) lbm_rotate(&carrier, derivative + 3 * k, world + 3 * k);
    }
    lbm_copy3(w->force, world);
    lbm_cross3(item->e_w, world, w->moment);
    for (int k = 1; k < 3; k++) {
        lbm_cross3(item->e_w + 3 * k, world + 3 * k, part);
        lbm_add_scaled3(w->moment, part, 1);
    }
}

/* Adds what a chain's coordinates do to `count` rows, given as wrenches, to out[row][column] (row stride as the Jacobian's). */
typedef struct row_block {
    lbs_space *space;
    int figure, count;
    const wrench *wrenches;
    double sign;
    double *out;
} row_block;

static inline void add_coordinate(const row_block *b, int coordinate, const double *values) {
    const lbs_space *s = b->space;
    const lb_figure *f = s->problem->figures[b->figure];
    const lb_kinematics *k = s->kinematics[b->figure];
    int first = s->problem->first_variables[b->figure];
    lbf_influence in = lbf_influence_of(f, coordinate);
    for (int i = 0; i < in.count; i++) {
        int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + i].variable;
        int column = s->active_of[first + variable];
        if (column < 0) continue;
        double slope = (in.first_term < 0 ? 1 : k->slopes[in.first_term + i]) * s->scale[column] * b->sign;
        for (int r = 0; r < b->count; r++) b->out[(size_t)r * (size_t)s->stride + (size_t)column] += slope * values[r];
    }
}

static void add_node(const row_block *b, int index, const wrench *wrenches) {
    const lb_kinematics *k = b->space->kinematics[b->figure];
    const lbf_node *node = &k->figure->nodes[index];
    int last = node->coordinate + lbf_node_coordinates(node->kind);
    for (int c = node->coordinate; c < last; c++) {
        const double *u = k->axes[c];
        double values[LBP_MAX_ROWS], lever[3];
        lbm_cross3(k->frames[index].p, u, lever);
        for (int r = 0; r < b->count; r++)
            values[r] = node->kind == LBF_NODE_TRANSLATE
                            ? lbm_dot3(u, wrenches[r].force)
                            : lbm_dot3(u, wrenches[r].moment) + lbm_dot3(lever, wrenches[r].force);
        add_coordinate(b, c, values);
    }
}

static void add_chain(const row_block *b, int segment) {
    const lb_figure *f = b->space->problem->figures[b->figure];
    for (int node = f->mounts[segment].node; node >= 0; node = f->nodes[node].parent) add_node(b, node, b->wrenches);
}

/* The centre of mass: at each node the force counts with the share of mass that hangs on it, about where that is. */
static void add_whole_body(const row_block *b) {
    lb_kinematics *k = b->space->kinematics[b->figure];
    const lb_figure *f = k->figure;
    double scale = 1 / f->mass;
    lbf_sum_moments(k);
    for (int i = f->node_count - 1; i >= 0; i--) {
        wrench shared[LBP_MAX_ROWS];
        for (int r = 0; r < b->count; r++) {
            lbm_cross3(k->moments[i], b->wrenches[r].force, shared[r].moment);
            for (int c = 0; c < 3; c++) shared[r].force[c] = f->lumps[i].subtree_mass * scale * b->wrenches[r].force[c];
        }
        add_node(b, i, shared);
    }
}

static void add_item(lbs_space *s, const lbs_item *item, int count, const wrench *wrenches, double *out) {
    const lb_constraint *c = item->constraint;
    row_block b = {s, c->figure, count, wrenches, 1, out};
    if (c->effector.kind == LB_EFFECTOR_COM) add_whole_body(&b);
    else add_chain(&b, c->effector.segment);
    if (c->goal.carrier_segment < 0) return;
    b.figure = c->goal.carrier_figure;
    b.sign = -1;
    add_chain(&b, c->goal.carrier_segment);
}

/* The derivatives of an item's rows where it was evaluated last. */
static void differentiate_goal(lbs_item *item) {
    double rows[LBP_MAX_ROWS];
    lbp_goal_rows(&item->goal, item->e, rows, item->derivatives);
}

void lbs_differentiate(lbs_space *s) {
    memset(s->jacobian, 0, (size_t)s->row_count * (size_t)s->stride * sizeof *s->jacobian);
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (!item->enabled || !item->counted || item->root_weight == 0) continue;
        differentiate_goal(item);
        wrench wrenches[LBP_MAX_ROWS];
        for (int r = 0; r < item->row_count; r++) {
            double weighted[9];
            for (int k = 0; k < 9; k++) weighted[k] = item->root_weight * item->derivatives[r][k];
            wrench_of(s, item, weighted, &wrenches[r]);
        }
        add_item(s, item, item->row_count, wrenches, lbs_jacobian_row(s, item->first_row));
    }
}

double lbs_jacobian(lbs_space *s, const double *z) {
    double value = lbs_value(s, z);
    lbs_differentiate(s);
    return value;
}

double lbs_gradient(lbs_space *s, const double *z, int level, double *gradient) {
    double value = lbs_value(s, z);
    lbs_gradient_here(s, z, level, gradient);
    return level < 0 ? value : s->level_value[level];
}

void lbs_gradient_here(lbs_space *s, const double *z, int level, double *gradient) {
    memset(gradient, 0, (size_t)s->n * sizeof *gradient);
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (!item->enabled || !item->counted || item->value == 0 || (level >= 0 && item->level != level)) continue;
        double sum[9] = {0, 0, 0, 0, 0, 0, 0, 0, 0};
        differentiate_goal(item);
        for (int r = 0; r < item->row_count; r++)
            for (int k = 0; k < 9; k++) sum[k] += item->constraint->weight * item->rows[r] * item->derivatives[r][k];
        wrench w;
        wrench_of(s, item, sum, &w);
        add_item(s, item, 1, &w, gradient);
    }
    if (level < 0 || level == s->level_count - 1) lbs_wishes(s, z, gradient, NULL);
    for (int i = 0; i < s->n; i++) gradient[i] *= 2;
}

/* weight (q - wanted)^2, or weight (margin - (q - limit))^2 where that is positive. */
double lbs_wishes(const lbs_space *s, const double *z, double *half_gradient, double *half_curvature) {
    const lb_problem *p = s->problem;
    const lbp_wishes *w = &p->wishes;
    if (w->posture_weight == 0 && w->stay_weight == 0 && w->margin_weight == 0) return 0;
    double value = 0;
    for (int i = 0; i < s->n; i++) {
        int v = s->index[i];
        double scale = s->scale[i], q = z[i] * scale, slope = 0, curvature = 0;
        double off[4] = {q - p->posture[v], q - s->start[v], 0, 0};
        double weight[4] = {w->posture_weight, w->stay_weight, w->margin_weight, w->margin_weight};
        double room = 0.5 * (s->upper[i] - s->lower[i]) * scale, margin = w->margin < room ? w->margin : room;
        off[2] = q - (s->lower[i] * scale + margin);
        off[3] = q - (s->upper[i] * scale - margin);
        if (!(off[2] < 0)) weight[2] = 0;
        if (!(off[3] > 0)) weight[3] = 0;
        for (int k = 0; k < 4; k++) {
            if (weight[k] == 0) continue;
            value += weight[k] * off[k] * off[k];
            slope += weight[k] * off[k] * scale;
            curvature += weight[k] * scale * scale;
        }
        if (half_gradient) half_gradient[i] += slope;
        if (half_curvature) half_curvature[i] += curvature;
    }
    return value;
}
