/* What a solve needs to look at, found when it is planned: the nodes that constraints see and that move, the columns
 * that their coordinates have in the Jacobian, and which of these are any item's. */
#include <string.h>

#include "math/rotation.h"
#include "math/trig.h"
#include "solve/plan/space.h"

/* Marks of nodes; needed: where it is counts, not only what it does to those behind. */
enum { UNSEEN, STILL, CARRIED, MOVING, NEEDED = 8 };

static int *marks_of(const lbs_space *s, int figure) { return s->columns.marks + s->columns.first_nodes[figure]; }

static void mark_chain(lbs_space *s, int figure, int segment) {
    const lb_figure *f = s->problem->figures[figure];
    int *marks = marks_of(s, figure);
    for (int i = f->mounts[segment].node; i >= 0 && marks[i] == UNSEEN; i = f->nodes[i].parent) {
        marks[i] = STILL;
    }
}

static void mark_item(lbs_space *s, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    if (c->effector.kind == LB_EFFECTOR_FRAME) {
        mark_chain(s, c->figure, c->effector.segment);
    } else {
        for (int i = 0; i < s->problem->figures[c->figure]->node_count; i++) {
            marks_of(s, c->figure)[i] = STILL;
        }
    }
    if (c->goal.carrier_segment >= 0) {
        mark_chain(s, c->goal.carrier_figure, c->goal.carrier_segment);
    }
}

int lbs_column_of(const lbs_space *s, int figure, lbf_influence in, int i) {
    const lb_figure *f = s->problem->figures[figure];
    int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + i].variable;
    return s->variables.active_of[s->problem->first_variables[figure] + variable];
}

/* Whether variables that may move do move a node by itself. */
static int moves(const lbs_space *s, int figure, int node) {
    const lb_figure *f = s->problem->figures[figure];
    int first = f->nodes[node].coordinate, count = lbf_node_coordinates(f->nodes[node].kind);
    for (int c = first; c < first + count; c++) {
        lbf_influence in = lbf_influence_of(f, c);
        for (int i = 0; i < in.count; i++) {
            if (lbs_column_of(s, figure, in, i) >= 0) {
                return 1;
            }
        }
    }
    return 0;
}

static void need(lbs_space *s, int figure, int node) {
    if (node >= 0) {
        marks_of(s, figure)[node] |= NEEDED;
    }
}

static void need_of_item(lbs_space *s, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    const lb_figure *f = s->problem->figures[c->figure];
    if (c->effector.kind == LB_EFFECTOR_FRAME) {
        need(s, c->figure, f->mounts[c->effector.segment].node);
    } else {
        for (int i = 0; i < f->node_count; i++) {
            need(s, c->figure, i);
        }
    }
    if (c->goal.carrier_segment >= 0) {
        need(s, c->goal.carrier_figure,
             s->problem->figures[c->goal.carrier_figure]->mounts[c->goal.carrier_segment].node);
    }
}

/* Which of the nodes that move do so only because those before them do. What does more than turn about an axis needs
 * the node before it. */
static void mark_carried(lbs_space *s, int figure) {
    const lb_figure *f = s->problem->figures[figure];
    int *marks = marks_of(s, figure);
    for (int i = f->node_count - 1; i >= 0; i--) {
        int is_needed = marks[i] & NEEDED;
        marks[i] &= ~NEEDED;
        if (marks[i] != MOVING) {
            continue;
        }
        if (!is_needed && !moves(s, figure, i)) {
            marks[i] = CARRIED;
        } else if (f->nodes[i].kind != LBF_NODE_ROTATE) {
            need(s, figure, f->nodes[i].parent);
        }
    }
}

static void select_marked(const lbs_space *s, int figure, int mark, lbf_selection *selection) {
    const lb_figure *f = s->problem->figures[figure];
    for (int i = 0; i < f->node_count; i++) {
        if (marks_of(s, figure)[i] == mark) {
            lbf_select(f, i, selection);
        }
    }
}

/* An empty selection in the room behind another. */
static lbf_selection behind(const lbf_selection *s, const lbf_node *table) {
    return (lbf_selection){0,
                           0,
                           0,
                           0,
                           s->nodes + s->node_count,
                           s->turns + s->turn_count,
                           s->owns + s->own_count,
                           s->driven + s->driven_count,
                           table};
}

/* Nodes that move hang on the nearest ones that do; carried ones are placed in the frame of the nearest. */
static void lay_out_table(lbs_space *s, int figure) {
    const lb_figure *f = s->problem->figures[figure];
    const int *marks = marks_of(s, figure);
    for (int i = 0; i < f->node_count; i++) {
        lbf_node *node = &s->columns.tables[figure][i];
        *node = f->nodes[i];
        if (marks[i] == CARRIED && marks[node->parent] != CARRIED) {
            node->parent = -1;
        }
        while (marks[i] == MOVING && node->parent >= 0 && marks[node->parent] == CARRIED) {
            node->parent = f->nodes[node->parent].parent;
        }
    }
}

/* One array has room for all kinds. */
static void select_nodes(lbs_space *s, int figure) {
    const lb_figure *f = s->problem->figures[figure];
    int *marks = marks_of(s, figure);
    lbf_selection *still = &s->columns.still[figure];
    for (int i = 0; i < f->node_count; i++) {
        int parent = f->nodes[i].parent;
        int is_carried = parent >= 0 && (marks[parent] & ~NEEDED) == MOVING;
        if ((marks[i] & ~NEEDED) && (is_carried || moves(s, figure, i))) {
            marks[i] = MOVING | (marks[i] & NEEDED);
        }
    }
    mark_carried(s, figure);
    lay_out_table(s, figure);
    still->node_count = still->turn_count = still->own_count = still->driven_count = 0;
    select_marked(s, figure, STILL, still);
    s->columns.carried[figure] = behind(still, s->columns.tables[figure]);
    select_marked(s, figure, CARRIED, &s->columns.carried[figure]);
    s->columns.moving[figure] = behind(&s->columns.carried[figure], s->columns.tables[figure]);
    select_marked(s, figure, MOVING, &s->columns.moving[figure]);
}

static int is_on_chain(const lb_figure *f, int node, int tip) {
    while (tip > node) {
        tip = f->nodes[tip].parent;
    }
    return tip == node;
}

/* The nearest mover on a node's way to the root that has the column of mover `last`, the one of that column that was
 * listed last; -1 where there is none. */
static int find_above(const lbs_space *s, int figure, int node, int last) {
    const lb_figure *f = s->problem->figures[figure];
    int column = last < 0 ? -1 : s->columns.movers[last].column;
    for (; last >= 0; last--) {
        if (s->columns.movers[last].column == column &&
            is_on_chain(f, s->columns.movers[last].part - s->columns.first_nodes[figure], node)) {
            return last;
        }
    }
    return -1;
}

/* Lists a mover for each coordinate of a moving node and each variable that moves the coordinate. */
static void list_movers(lbs_space *s, int figure) {
    static const double one = 1;
    const lb_figure *f = s->problem->figures[figure];
    const lb_kinematics *k = s->kinematics[figure];
    for (int i = 0; i < s->columns.moving[figure].node_count; i++) {
        int node = s->columns.moving[figure].nodes[i], first = f->nodes[node].coordinate,
            at = s->columns.first_nodes[figure] + node;
        const double *centre = f->nodes[node].kind == LBF_NODE_TRANSLATE ? NULL : k->frames[node].p;
        s->columns.first_movers[at] = s->columns.mover_count;
        for (int c = first; c < first + lbf_node_coordinates(f->nodes[node].kind); c++) {
            lbf_influence in = lbf_influence_of(f, c);
            for (int t = 0; t < in.count; t++) {
                int column = lbs_column_of(s, figure, in, t);
                if (column < 0) {
                    continue;
                }
                const double *slope = in.first_term < 0 ? &one : &k->slopes[in.first_term + t];
                int above = find_above(s, figure, node, s->columns.tips[column]);
                s->columns.tips[column] = s->columns.mover_count;
                s->columns.movers[s->columns.mover_count++] =
                    (lbs_mover){k->axes[c], centre, slope, s->variables.scale[column], figure, at, column, above, 0};
            }
        }
        s->columns.mover_counts[at] = s->columns.mover_count - s->columns.first_movers[at];
    }
}

static void set_block(uint64_t *blocks, int column) { blocks[column / 512] |= (uint64_t)1 << (column / 8 % 64); }

/* The last mover of each column on the way from a node to the root. */
static void find_tips(const lbs_space *s, int figure, int node, int *tips) {
    const lb_figure *f = s->problem->figures[figure];
    for (int i = 0; i < s->n; i++) {
        tips[i] = -1;
    }
    for (; node >= 0; node = f->nodes[node].parent) {
        int at = s->columns.first_nodes[figure] + node;
        for (int m = s->columns.first_movers[at] + s->columns.mover_counts[at] - 1; m >= s->columns.first_movers[at];
             m--) {
            if (tips[s->columns.movers[m].column] < 0) {
                tips[s->columns.movers[m].column] = m;
            }
        }
    }
}

static void find_item_tips(lbs_space *s, const lbs_item *item) {
    find_tips(s, item->constraint->figure, item->node, s->columns.tips);
    find_tips(s, item->constraint->goal.carrier_figure, item->carrier_node, s->columns.carrier_tips);
}

/* Columns of which all items that see them see the same: wholes[column] is their last mover, -1 where there is none, -2
 * where they differ. */
static void find_wholes(lbs_space *s) {
    for (int i = 0; i < s->n; i++) {
        s->columns.wholes[i] = -1;
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || item->row_count == 0 || item->constraint->effector.kind == LB_EFFECTOR_COM) {
            continue;
        }
        find_item_tips(s, item);
        for (int c = 0; c < s->n; c++) {
            int a = s->columns.tips[c], b = s->columns.carrier_tips[c], seen = b < 0 ? a : a < 0 ? b : -2;
            if (a == b) {
                continue;
            }
            s->columns.wholes[c] = s->columns.wholes[c] == -1 || s->columns.wholes[c] == seen ? seen : -2;
        }
    }
    for (int c = 0; c < s->n; c++) {
        if (s->columns.wholes[c] >= 0) {
            s->columns.movers[s->columns.wholes[c]].is_whole = 1;
        }
    }
}

/* All columns of a figure count for its centre of mass. */
static void set_mass_blocks(const lbs_space *s, int figure, uint64_t *blocks) {
    for (int i = 0; i < s->columns.mover_count; i++) {
        if (s->columns.movers[i].owner == figure) {
            set_block(blocks, s->columns.movers[i].column);
        }
    }
}

static void lay_out_item(lbs_space *s, lbs_item *item, int *split_count) {
    int words = lbm_block_words(s->stride), is_com = item->constraint->effector.kind == LB_EFFECTOR_COM;
    double *signs = s->columns.signs + (size_t)(item - s->items) * (size_t)s->stride;
    uint64_t *blocks = s->last.blocks + (size_t)item->first_row * (size_t)words;
    item->signs = signs;
    item->jacobian = s->last.jacobian + (size_t)item->first_row * (size_t)s->stride;
    item->blocks = blocks;
    item->first_split = *split_count;
    item->split_count = 0;
    memset(signs, 0, (size_t)s->stride * sizeof *signs);
    if (item->row_count == 0) {
        return;
    }
    memset(blocks, 0, (size_t)item->row_count * (size_t)words * sizeof *blocks);
    find_item_tips(s, item);
    for (int c = 0; c < s->n; c++) {
        if (s->columns.tips[c] == s->columns.carrier_tips[c]) {
            continue;
        }
        set_block(blocks, c);
        signs[c] = s->columns.wholes[c] >= 0 && s->columns.tips[c] < 0 ? -1 : 1;
        if (s->columns.wholes[c] < 0 || is_com) {
            s->columns.splits[(*split_count)++] = (lbs_split){c, s->columns.tips[c], s->columns.carrier_tips[c]};
        }
    }
    item->split_count = *split_count - item->first_split;
    if (is_com) {
        set_mass_blocks(s, item->constraint->figure, blocks);
    }
    for (int r = 1; r < item->row_count; r++) {
        memcpy(blocks + r * words, blocks, (size_t)words * sizeof *blocks);
    }
}

/* Where the effector and the goal's carrier are in their nodes' frames. */
static void mount_item(const lbs_space *s, lbs_item *item) {
    const lb_constraint *c = item->constraint;
    int kind = c->goal.kind;
    item->node = item->carrier_node = -1;
    item->has_axes =
        c->goal.carrier_segment >= 0 || !(kind == LB_GOAL_POSITION || kind == LB_GOAL_PLANE || kind == LB_GOAL_LINE);
    memset(item->e_w, 0, sizeof item->e_w);
    memset(item->e, 0, sizeof item->e);
    lbm_transform_identity(&item->carrier);
    if (c->effector.kind == LB_EFFECTOR_FRAME) {
        item->node = lbf_mount_effector(s->problem->figures[c->figure], &c->effector, item->local);
    }
    item->is_point = kind == LB_GOAL_POSITION && c->goal.carrier_segment < 0 && item->node >= 0;
    if (c->goal.carrier_segment < 0) {
        return;
    }
    const lbf_mount *mount = &s->problem->figures[c->goal.carrier_figure]->mounts[c->goal.carrier_segment];
    item->carrier_node = mount->node;
    item->carrier_local = mount->offset;
    item->carrier = mount->offset;
    item->carrier_moves = mount->node >= 0 && marks_of(s, c->goal.carrier_figure)[mount->node] == MOVING;
}

void lbs_lay_out_columns(lbs_space *s) {
    const lb_problem *p = s->problem;
    int split_count = 0;
    s->columns.mover_count = 0;
    memset(s->columns.marks, 0, (size_t)s->columns.node_count * sizeof *s->columns.marks);
    memset(s->columns.mover_counts, 0, (size_t)s->columns.node_count * sizeof *s->columns.mover_counts);
    memset(s->columns.first_movers, 0, (size_t)s->columns.node_count * sizeof *s->columns.first_movers);
    for (int i = 0; i < s->n; i++) {
        s->columns.tips[i] = -1;
    }
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            mark_item(s, &s->items[i]);
        }
    }
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            need_of_item(s, &s->items[i]);
        }
    }
    for (int f = 0; f < p->figure_count; f++) {
        select_nodes(s, f);
        list_movers(s, f);
    }
    memset(s->last.panel, 0, 6 * (size_t)s->stride * sizeof *s->last.panel);
    memset(s->last.jacobian, 0, (size_t)s->row_count * (size_t)s->stride * sizeof *s->last.jacobian);
    for (int i = 0; i < s->stride; i++) {
        s->columns.ones[i] = 1;
    }
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            mount_item(s, &s->items[i]);
        }
    }
    find_wholes(s);
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            lay_out_item(s, &s->items[i], &split_count);
        }
    }
}
