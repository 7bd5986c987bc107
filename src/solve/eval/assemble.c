/* The assembler (ZB94 section 9): G, its gradient and the residuals' Jacobian from items along their chains.
 *
 * A row r(e) of an item moves with a coordinate as the power of a wrench does: with f = dr/d(point) and m = point x f +
 * x x dr/dx + y x dr/dy (world axes, about the origin), a turn about axis u through c changes it by u . m + (c x u) .
 * f, a shift along u by u . f. A goal that a segment carries sees the effector from there: its carrier's coordinates
 * count with the opposite sign, as if the effector were fixed to the carrier. So every row is six numbers, and so is
 * every column, whatever the chain; the Jacobian is their products, where an item has a column. The gradient needs no
 * rows: what pulls at the effectors is summed from the tips to the root. */
#include <string.h>

#include "math/rotation.h"
#include "solve/plan/space.h"

static void place_effector(lbs_space *s, lbs_item *item) {
    const lb_constraint *c = item->constraint;
    const lb_kinematics *k = s->kinematics[c->figure];
    if (c->effector.kind == LB_EFFECTOR_COM) {
        lb_kinematics_effector(k, &c->effector, item->e_w);
    } else if (item->has_axes || item->node < 0) {
        lbf_place_effector(k, item->node, item->local, item->e_w);
    } else {
        lbm_apply(&k->frames[item->node], item->local, item->e_w);
    }
    if (c->goal.carrier_segment < 0) {
        lbm_copy3(item->e, item->e_w);
        if (item->has_axes) {
            memcpy(item->e + 3, item->e_w + 3, 6 * sizeof *item->e);
        }
        return;
    }
    if (item->carrier_moves) {
        lbs_place_carrier(s, item);
    }
    const lbm_transform *carrier = &item->carrier;
    for (int part = 0; part < 3; part++) {
        double v[3];
        lbm_copy3(v, item->e_w + 3 * part);
        if (part == 0) {
            lbm_sub3(v, carrier->p, v);
        }
        lbm_set3(item->e + 3 * part, lbm_dot3(carrier->x, v), lbm_dot3(carrier->y, v), lbm_dot3(carrier->z, v));
    }
}

/* A point's goal, as lbp_goal_residuals has it, and its rows if it counts in any case. */
static void value_point(lbs_space *s, lbs_item *item) {
    const double *point = item->goal.goal.point, weight = item->root_weight;
    double e[3], off[3], *row = s->last.residuals + item->first_row;
    lbm_apply(&s->kinematics[item->constraint->figure]->frames[item->node], item->local, e);
    lbm_sub3(point, e, off);
    lbm_copy3(item->e, e);
    lbm_copy3(item->e_w, e);
    lbm_copy3(item->rows, off);
    item->value = lbm_dot3(off, off);
    if (item->group >= 0) {
        return;
    }
    lbm_set3(row, weight * off[0], weight * off[1], weight * off[2]);
    item->counted = 1;
    s->last.level_values[item->level] += item->constraint->weight * item->value;
}

/* An item's part of the rows and of its level's value. */
static inline void count_item(lbs_space *s, lbs_item *item, int counts) {
    double *row = s->last.residuals + item->first_row;
    item->counted = counts;
    for (int r = 0; r < item->row_count; r++) {
        row[r] = counts ? item->root_weight * item->rows[r] : 0;
    }
    if (counts) {
        s->last.level_values[item->level] += item->constraint->weight * item->value;
    }
}

/* Of alternatives the best counts. */
static void count_groups(lbs_space *s) {
    for (int g = 0; g < s->levels.group_count; g++) {
        s->last.group_best[g] = -1;
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || item->group < 0) {
            continue;
        }
        int best = s->last.group_best[item->group];
        if (best < 0 ||
            item->constraint->weight * item->value < s->items[best].constraint->weight * s->items[best].value) {
            s->last.group_best[item->group] = i;
        }
    }
    if (s->task.forced >= 0) {
        s->last.group_best[s->items[s->task.forced].group] = s->task.forced;
    }
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (item->enabled && item->group >= 0) {
            count_item(s, item, s->last.group_best[item->group] == i);
        }
    }
}

double lbs_total(const lbs_space *s) {
    double sum = 0;
    for (int l = 0; l < s->levels.goal_count; l++) {
        sum += s->last.level_values[l];
    }
    return sum;
}

/* Rows of all items at z, the best of each set of alternatives chosen; values by level. */
double lbs_value(lbs_space *s, const double *z) {
    const lb_problem *p = s->problem;
    if (s->last.is_valid && memcmp(s->last.z, z, (size_t)s->n * sizeof *z) == 0) {
        return lbs_total(s);
    }
    memcpy(s->last.z, z, (size_t)s->n * sizeof *z);
    s->last.is_valid = 1;
    lbs_to_pose(s, z, s->last.pose);
    if (lbm_all_finite(z, s->n)) {
        for (int f = 0; f < p->figure_count; f++) {
            if (s->columns.moving[f].node_count) {
                lbf_update(s->kinematics[f], s->last.pose + p->first_variables[f], &s->columns.moving[f]);
            }
        }
    }
    s->budget.evaluations++;
    for (int l = 0; l < s->task.level_count; l++) {
        s->last.level_values[l] = 0;
    }
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (!item->enabled) {
            continue;
        }
        if (item->is_point) {
            value_point(s, item);
            continue;
        }
        place_effector(s, item);
        item->value = lbp_goal_residuals(&item->goal, item->e, item->rows);
        if (item->group < 0) {
            count_item(s, item, 1);
        }
    }
    if (s->levels.group_count) {
        count_groups(s);
    }
    s->last.level_values[s->task.level_count - 1] += lbs_wishes(s, z, NULL, NULL);
    return lbs_total(s);
}

/* --- Rows and columns -------------------------------------------------------------------------------------------- */

/* A wrench in the goal's frame as the world has it. */
static void turn_wrench(const lbs_item *item, double w[6]) {
    double moment[3];
    lbm_rotate(&item->carrier, w, w);
    lbm_rotate(&item->carrier, w + 3, w + 3);
    lbm_cross3(item->carrier.p, w, moment);
    lbm_add_scaled3(w + 3, moment, 1);
}

void lbs_item_wrenches(const lbs_item *item, double (*wrenches)[6]) {
    lbp_goal_wrenches(&item->goal, item->e, wrenches);
    if (item->constraint->goal.carrier_segment < 0) {
        return;
    }
    for (int r = 0; r < item->row_count; r++) {
        turn_wrench(item, wrenches[r]);
    }
}

/* What a unit of a column does by one coordinate. */
static inline void twist_of(const lbs_mover *m, double twist[6]) {
    double f = *m->slope * m->scale, u[3] = {f * m->axis[0], f * m->axis[1], f * m->axis[2]};
    if (m->centre) {
        lbm_cross3(m->centre, u, twist);
        lbm_copy3(twist + 3, u);
    } else {
        lbm_copy3(twist, u);
        lbm_set3(twist + 3, 0, 0, 0);
    }
}

static inline double power(const double wrench[6], const double twist[6]) {
    return lbm_dot3(wrench, twist) + lbm_dot3(wrench + 3, twist + 3);
}

/* The columns that are an item's own. */
static void fill_splits(lbs_space *s, const lbs_item *item) {
    static const double nothing[8];
    size_t stride = (size_t)s->stride;
    const lbs_split *split = s->columns.splits + item->first_split;
    for (int i = 0; i < item->split_count; i++, split++) {
        const double *a = split->mover < 0 ? nothing : s->last.twists[split->mover],
                     *b = split->carrier_mover < 0 ? nothing : s->last.twists[split->carrier_mover];
        double *to = s->last.panel + split->column;
        for (size_t k = 0; k < 3; k++) {
            to[k * stride] = a[k] - b[k];
        }
        for (size_t k = 0; k < 3; k++) {
            to[(3 + k) * stride] = a[4 + k] - b[4 + k];
        }
    }
}

/* The centre of mass: by the share of mass that hangs on the node, about where that is. */
static void add_masses(const lbs_space *s, const lbs_mover *m, double *panel) {
    const lb_kinematics *k = s->kinematics[m->owner];
    int node = m->part - s->columns.first_nodes[m->owner];
    double share = k->figure->lumps[node].subtree_mass / k->figure->mass, f = *m->slope * m->scale, arm[3], way[3];
    for (int c = 0; c < 3; c++) {
        way[c] = share * m->axis[c];
    }
    if (m->centre) {
        for (int c = 0; c < 3; c++) {
            arm[c] = k->moments[node][c] - share * m->centre[c];
        }
        lbm_cross3(m->axis, arm, way);
    }
    for (int c = 0; c < 3; c++) {
        panel[(size_t)c * (size_t)s->stride + (size_t)m->column] += f * way[c];
    }
}

/* How an item's centre of mass moves, as its carrier, which turns it, sees it. */
static void fill_own_panel(lbs_space *s, const lbs_item *item) {
    int figure = item->constraint->figure;
    size_t stride = (size_t)s->stride;
    const lbs_split *split = s->columns.splits + item->first_split;
    lbf_sum_moments(s->kinematics[figure]);
    memset(s->last.own_panel, 0, 6 * stride * sizeof *s->last.own_panel);
    for (int i = 0; i < s->columns.mover_count; i++) {
        if (s->columns.movers[i].owner == figure) {
            add_masses(s, &s->columns.movers[i], s->last.own_panel);
        }
    }
    for (int i = 0; i < item->split_count; i++, split++) {
        const double *sum = s->last.twists[split->carrier_mover];
        double *to = s->last.own_panel + split->column;
        for (size_t k = 0; k < 3; k++) {
            to[k * stride] -= sum[k];
        }
        for (size_t k = 0; k < 3; k++) {
            to[(3 + k) * stride] -= sum[4 + k];
        }
    }
}

#define BEYOND 1e-4 /* metres: what is farther outside is no longer held by faces */

/* A lower level must not leave the region that the item is in: its faces, in place of its row, which has no derivative
 * inside. */
static void fill_guards(lbs_space *s, const lbs_item *item, const double *panel, const double *signs,
                        const uint64_t *blocks) {
    double values[LBP_MAX_GUARDS], derivatives[LBP_MAX_GUARDS][9], wrenches[LBP_MAX_GUARDS][6];
    int count = item->group < 0 ? lbp_goal_guards(&item->goal, item->e, values, derivatives) : 0;
    if (count == 0) {
        return;
    }
    for (int i = 0; i < count; i++) {
        if (values[i] > item->constraint->tolerance[0] + BEYOND) {
            return;
        }
        lbp_wrench(item->e, derivatives[i], wrenches[i]);
        if (item->constraint->goal.carrier_segment >= 0) {
            turn_wrench(item, wrenches[i]);
        }
    }
    for (int i = 0; i < count; i++) {
        lbs_guard *guard = &s->last.guards[s->last.guard_count + i];
        guard->item = (int)(item - s->items);
        guard->value = values[i];
        memcpy(guard->derivatives, derivatives[i], sizeof guard->derivatives);
    }
    double *rows = s->last.guard_rows + (size_t)s->last.guard_count * (size_t)s->stride;
    memset(rows, 0, (size_t)count * (size_t)s->stride * sizeof *rows);
    s->kernels->wrench_rows(count, (const double(*)[6])wrenches, panel, signs, blocks, s->stride, rows);
    s->last.guard_count += count;
    memset(item->jacobian, 0, (size_t)item->row_count * (size_t)s->stride * sizeof *s->last.jacobian);
}

double lbs_guard_value(const lbs_space *s, int guard) {
    double values[LBP_MAX_GUARDS], derivatives[LBP_MAX_GUARDS][9];
    const lbs_item *item = &s->items[s->last.guards[guard].item];
    int first = guard;
    while (first > 0 && s->last.guards[first - 1].item == s->last.guards[guard].item) {
        first--;
    }
    lbp_goal_guards(&item->goal, item->e, values, derivatives);
    return values[guard - first];
}

/* An item's columns, and what each counts by. */
typedef struct item_columns {
    const double *panel, *signs;
    const uint64_t *blocks;
} item_columns;

static item_columns columns_of(lbs_space *s, const lbs_item *item) {
    if (item->constraint->effector.kind == LB_EFFECTOR_COM) {
        fill_own_panel(s, item);
        return (item_columns){s->last.own_panel, s->columns.ones, item->blocks};
    }
    if (item->split_count) {
        fill_splits(s, item);
    }
    return (item_columns){s->last.panel, item->signs, item->blocks};
}

void lbs_item_rows(lbs_space *s, const lbs_item *item, int count, const double (*wrenches)[6], double *out) {
    const item_columns c = columns_of(s, item);
    memset(out, 0, (size_t)count * (size_t)s->stride * sizeof *out);
    s->kernels->wrench_rows(count, wrenches, c.panel, c.signs, c.blocks, s->stride, out);
}

static void fill_rows(lbs_space *s, const lbs_item *item) {
    double wrenches[LBP_MAX_ROWS][6], *out = item->jacobian;
    const item_columns c = columns_of(s, item);
    lbs_item_wrenches(item, wrenches);
    for (int r = 0; r < item->row_count && item->root_weight != 1; r++) {
        for (int k = 0; k < 6; k++) {
            wrenches[r][k] *= item->root_weight;
        }
    }
    s->kernels->wrench_rows(item->row_count, (const double(*)[6])wrenches, c.panel, c.signs, c.blocks, s->stride, out);
    if (item->level < s->task.guard_level) {
        fill_guards(s, item, c.panel, c.signs, c.blocks);
    }
}

void lbs_differentiate(lbs_space *s) {
    s->last.guard_count = 0;
    s->kernels->twists(s->columns.mover_count, s->columns.movers, s->last.twists, s->last.panel, s->stride);
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || item->row_count == 0) {
            continue;
        }
        if (item->counted && item->root_weight > 0) {
            fill_rows(s, item);
        } else {
            memset(item->jacobian, 0, (size_t)item->row_count * (size_t)s->stride * sizeof *s->last.jacobian);
        }
    }
}

double lbs_jacobian(lbs_space *s, const double *z) {
    double value = lbs_value(s, z);
    lbs_differentiate(s);
    return value;
}

/* --- The gradient ------------------------------------------------------------------------------------------------ */

static void pull_node(lbs_space *s, int figure, int node, const double wrench[6], double sign) {
    if (node < 0) {
        return;
    }
    double *pull = s->last.wrenches[s->columns.first_nodes[figure] + node];
    for (int k = 0; k < 6; k++) {
        pull[k] += sign * wrench[k];
    }
}

/* A force on the centre of mass pulls at every mass, by its share. */
static void pull_masses(lbs_space *s, int figure, const double force[3]) {
    const lb_kinematics *k = s->kinematics[figure];
    const lb_figure *f = k->figure;
    double scale = 1 / f->mass;
    for (int i = 0; i < f->node_count; i++) {
        const lbf_lump *lump = &f->lumps[i];
        if (lump->mass == 0) {
            continue;
        }
        double wrench[6], centre[3];
        lbm_rotate(&k->frames[i], lump->moment, centre);
        for (int c = 0; c < 3; c++) {
            centre[c] = scale * (centre[c] + lump->mass * k->frames[i].p[c]);
            wrench[c] = scale * lump->mass * force[c];
        }
        lbm_cross3(centre, force, wrench + 3);
        pull_node(s, figure, i, wrench, 1);
    }
}

static void pull_item(lbs_space *s, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    double wrenches[LBP_MAX_ROWS][6], sum[6] = {0, 0, 0, 0, 0, 0};
    lbs_item_wrenches(item, wrenches);
    for (int r = 0; r < item->row_count; r++) {
        for (int k = 0; k < 6; k++) {
            sum[k] += c->weight * item->rows[r] * wrenches[r][k];
        }
    }
    if (c->effector.kind == LB_EFFECTOR_COM) {
        pull_masses(s, c->figure, sum);
    } else {
        pull_node(s, c->figure, item->node, sum, 1);
    }
    pull_node(s, c->goal.carrier_figure, item->carrier_node, sum, -1);
}

/* What pulls at a node pulls at all that it hangs on. */
static void sum_pulls(lbs_space *s, int figure) {
    const lbf_node *nodes = s->columns.tables[figure];
    const lbf_selection *moving = &s->columns.moving[figure];
    double(*pulls)[6] = s->last.wrenches + s->columns.first_nodes[figure];
    for (int i = moving->node_count - 1; i >= 0; i--) {
        int node = moving->nodes[i], parent = nodes[node].parent;
        if (parent < 0) {
            continue;
        }
        for (int k = 0; k < 6; k++) {
            pulls[parent][k] += pulls[node][k];
        }
    }
}

static void collect_pulls(lbs_space *s, double *gradient) {
    double twist[6];
    for (int i = 0; i < s->columns.mover_count; i++) {
        const lbs_mover *m = &s->columns.movers[i];
        twist_of(m, twist);
        gradient[m->column] += power(s->last.wrenches[m->part], twist);
    }
}

double lbs_gradient(lbs_space *s, const double *z, int level, double *gradient) {
    double value = lbs_value(s, z);
    lbs_gradient_here(s, z, level, gradient);
    return level < 0 ? value : s->last.level_values[level];
}

void lbs_gradient_here(lbs_space *s, const double *z, int level, double *gradient) {
    memset(gradient, 0, (size_t)s->n * sizeof *gradient);
    memset(s->last.wrenches, 0, (size_t)s->columns.node_count * sizeof *s->last.wrenches);
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || !item->counted || item->value == 0 || (level >= 0 && item->level != level)) {
            continue;
        }
        pull_item(s, item);
    }
    for (int f = 0; f < s->problem->figure_count; f++) {
        sum_pulls(s, f);
    }
    collect_pulls(s, gradient);
    if (level == s->task.level_count - 1 || (level < 0 && !lbs_shows_wish_level(s))) {
        lbs_wishes(s, z, gradient, NULL);
    }
    for (int i = 0; i < s->n; i++) {
        gradient[i] *= 2;
    }
}

/* weight (q - middle)^2 / half^2 of a variable with a range, where half is half of it. */
static double wish_middle(const lbs_space *s, int i, double z, double *half_slope, double *half_curvature) {
    const double middle = 0.5 * (s->variables.lower[i] + s->variables.upper[i]),
                 half = 0.5 * (s->variables.upper[i] - s->variables.lower[i]), weight = s->task.wishes.middle_weight;
    if (!(half > 0 && half < INFINITY)) {
        return 0;
    }
    const double share = (z - middle) / half;
    *half_slope += weight * share / half;
    *half_curvature += weight / (half * half);
    return weight * share * share;
}

/* weight (q - wanted)^2, or weight (margin - (q - limit))^2 where that is positive. */
double lbs_wishes(const lbs_space *s, const double *z, double *half_gradient, double *half_curvature) {
    const lb_problem *p = s->problem;
    const lbp_wishes *w = &s->task.wishes;
    if (!lbp_are_wishes(w)) {
        return 0;
    }
    double value = 0;
    for (int i = 0; i < s->n; i++) {
        int v = s->variables.index[i];
        double scale = s->variables.scale[i], q = z[i] * scale, slope = 0, curvature = 0;
        double off[4] = {q - p->posture[v], q - s->start[v], 0, 0};
        double weight[4] = {w->posture_weight, w->stay_weight, w->margin_weight, w->margin_weight};
        double room = 0.5 * (s->variables.upper[i] - s->variables.lower[i]) * scale,
               margin = w->margin < room ? w->margin : room;
        off[2] = q - (s->variables.lower[i] * scale + margin);
        off[3] = q - (s->variables.upper[i] * scale - margin);
        if (!(off[2] < 0)) {
            weight[2] = 0;
        }
        if (!(off[3] > 0)) {
            weight[3] = 0;
        }
        for (int k = 0; k < 4; k++) {
            if (weight[k] == 0) {
                continue;
            }
            value += weight[k] * off[k] * off[k];
            slope += weight[k] * off[k] * scale;
            curvature += weight[k] * scale * scale;
        }
        if (w->middle_weight > 0) {
            value += wish_middle(s, i, z[i], &slope, &curvature);
        }
        if (half_gradient) {
            half_gradient[i] += slope;
        }
        if (half_curvature) {
            half_curvature[i] += curvature;
        }
    }
    return value;
}
