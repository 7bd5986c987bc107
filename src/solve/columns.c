/* What a solve needs to look at, found when it is planned: the nodes that constraints see and that move, the columns that
 * their coordinates have in the Jacobian, and which of these are any item's. */
#include <string.h>

#include "math/rotation.h"
#include "solve/space.h"

enum { UNSEEN, STILL, MOVING }; /* marks of nodes */

static int *marks_of(const lbs_space *s, int figure) { return s->marks + s->first_nodes[figure]; }

static void mark_chain(lbs_space *s, int figure, int segment) {
    const lb_figure *f = s->problem->figures[figure];
    int *marks = marks_of(s, figure);
    for (int i = f->mounts[segment].node; i >= 0 && marks[i] == UNSEEN; i = f->nodes[i].parent) marks[i] = STILL;
}

static void mark_item(lbs_space *s, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    if (c->effector.kind == LB_EFFECTOR_FRAME) mark_chain(s, c->figure, c->effector.segment);
    else
        for (int i = 0; i < s->problem->figures[c->figure]->node_count; i++) marks_of(s, c->figure)[i] = STILL;
    if (c->goal.carrier_segment >= 0) mark_chain(s, c->goal.carrier_figure, c->goal.carrier_segment);
}

int lbs_column_of(const lbs_space *s, int figure, lbf_influence in, int i) {
    const lb_figure *f = s->problem->figures[figure];
    int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + i].variable;
    return s->active_of[s->problem->first_variables[figure] + variable];
}

/* Whether variables that may move do move a node by itself. */
static int moves(const lbs_space *s, int figure, int node) {
    const lb_figure *f = s->problem->figures[figure];
    int first = f->nodes[node].coordinate, count = lbf_node_coordinates(f->nodes[node].kind);
    for (int c = first; c < first + count; c++) {
        lbf_influence in = lbf_influence_of(f, c);
        for (int i = 0; i < in.count; i++)
            if (lbs_column_of(s, figure, in, i) >= 0) return 1;
    }
    return 0;
}

/* Nodes that do not move come first, so that one array has room for both kinds. */
static void select_nodes(lbs_space *s, int figure) {
    const lb_figure *f = s->problem->figures[figure];
    int *marks = marks_of(s, figure);
    lbf_selection *still = &s->still[figure], *moving = &s->moving[figure];
    for (int i = 0; i < f->node_count; i++) {
        int parent = f->nodes[i].parent;
        if (marks[i] && ((parent >= 0 && marks[parent] == MOVING) || moves(s, figure, i))) marks[i] = MOVING;
    }
    still->node_count = still->turn_count = still->coordinate_count = 0;
    for (int i = 0; i < f->node_count; i++)
        if (marks[i] == STILL) lbf_select(f, i, still);
    *moving = (lbf_selection){0,
                              0,
                              0,
                              still->nodes + still->node_count,
                              still->turns + still->turn_count,
                              still->coordinates + still->coordinate_count};
    for (int i = 0; i < f->node_count; i++)
        if (marks[i] == MOVING) lbf_select(f, i, moving);
}

/* Coordinates that are variables, and those that variables drive. */
static void list_coordinates(lbs_space *s, int figure, int *part_count) {
    const lb_figure *f = s->problem->figures[figure];
    int *first_drive = s->first_drives + s->first_nodes[figure], *drives = s->drive_counts + s->first_nodes[figure];
    for (int i = 0; i < s->moving[figure].node_count; i++) {
        int node = s->moving[figure].nodes[i], first = f->nodes[node].coordinate;
        int is_shift = f->nodes[node].kind == LBF_NODE_TRANSLATE;
        first_drive[node] = s->drive_count;
        for (int c = first; c < first + lbf_node_coordinates(f->nodes[node].kind); c++) {
            lbf_influence in = lbf_influence_of(f, c);
            if (in.first_term >= 0) {
                lbs_drive *drive = &s->drives[s->drive_count++];
                *drive = (lbs_drive){figure, node, c, is_shift, *part_count, 0, {0}};
                for (int k = 0; k < in.count; k++) {
                    int column = lbs_column_of(s, figure, in, k);
                    if (column < 0) continue;
                    s->parts[(*part_count)++] = (lbs_drive_part){column, in.first_term + k, s->scale[column]};
                    drive->part_count++;
                }
                drives[node]++;
            } else if (in.count && lbs_column_of(s, figure, in, 0) >= 0) {
                s->columns[s->column_count++] =
                    (lbs_column){figure, node, c, lbs_column_of(s, figure, in, 0), is_shift};
            }
        }
    }
}

static void set_block(uint64_t *blocks, int column) { blocks[column / 512] |= (uint64_t)1 << (column / 8 % 64); }

/* A node's columns, as an item has them. */
static void add_node(lbs_space *s, lbs_item *item, int figure, int node, double sign, double *signs, uint64_t *blocks) {
    const lb_figure *f = s->problem->figures[figure];
    int first = f->nodes[node].coordinate, count = lbf_node_coordinates(f->nodes[node].kind);
    for (int c = first; c < first + count; c++) {
        lbf_influence in = lbf_influence_of(f, c);
        for (int i = 0; i < in.count; i++) {
            int column = lbs_column_of(s, figure, in, i);
            if (column < 0) continue;
            set_block(blocks, column);
            if (in.first_term < 0) signs[column] += sign;
            else item->is_driven = 1;
        }
    }
}

static void add_chain(lbs_space *s, lbs_item *item, int figure, int segment, double sign, double *signs,
                      uint64_t *blocks) {
    const lb_figure *f = s->problem->figures[figure];
    for (int i = f->mounts[segment].node; i >= 0; i = f->nodes[i].parent)
        add_node(s, item, figure, i, sign, signs, blocks);
}

static void lay_out_item(lbs_space *s, lbs_item *item) {
    const lb_constraint *c = item->constraint;
    const lb_figure *f = s->problem->figures[c->figure];
    int words = lbm_block_words(s->stride);
    double *signs = lbs_signs(s, item);
    uint64_t *blocks = s->blocks + (size_t)item->first_row * (size_t)words;
    item->is_driven = 0;
    memset(signs, 0, (size_t)s->stride * sizeof *signs);
    if (item->row_count == 0) return;
    memset(blocks, 0, (size_t)item->row_count * (size_t)words * sizeof *blocks);
    if (c->effector.kind == LB_EFFECTOR_FRAME) add_chain(s, item, c->figure, c->effector.segment, 1, signs, blocks);
    else
        for (int i = 0; i < f->node_count; i++) add_node(s, item, c->figure, i, 1, signs, blocks);
    if (c->goal.carrier_segment >= 0)
        add_chain(s, item, c->goal.carrier_figure, c->goal.carrier_segment, -1, signs, blocks);
    for (int r = 1; r < item->row_count; r++) memcpy(blocks + r * words, blocks, (size_t)words * sizeof *blocks);
}

/* Where the effector and the goal's carrier are in their nodes' frames. */
static void mount_item(const lbs_space *s, lbs_item *item) {
    const lb_constraint *c = item->constraint;
    item->node = item->carrier_node = -1;
    lbm_transform_identity(&item->carrier);
    if (c->effector.kind == LB_EFFECTOR_FRAME)
        item->node = lbf_mount_effector(s->problem->figures[c->figure], &c->effector, item->local);
    if (c->goal.carrier_segment < 0) return;
    const lbf_mount *mount = &s->problem->figures[c->goal.carrier_figure]->mounts[c->goal.carrier_segment];
    item->carrier_node = mount->node;
    item->carrier_local = mount->offset;
    item->carrier = mount->offset;
    item->carrier_moves = mount->node >= 0 && marks_of(s, c->goal.carrier_figure)[mount->node] == MOVING;
}

static int is_on_chain(const lb_figure *f, int node, int tip) {
    while (tip > node) tip = f->nodes[tip].parent;
    return tip == node;
}

/* Where an item's chain meets those of others: what drives from there on to the root is summed up once for all. */
static void find_shared(const lbs_space *s, lbs_item *item) {
    int figure = item->constraint->figure;
    const lb_figure *f = s->problem->figures[figure];
    item->shared_node = -1;
    if (item->constraint->effector.kind != LB_EFFECTOR_FRAME || !item->is_driven) return;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *other = &s->items[i];
        if (other == item || !other->enabled || !other->is_driven || other->constraint->figure != figure) continue;
        if (other->constraint->effector.kind != LB_EFFECTOR_FRAME) continue;
        int node = item->node;
        while (node >= 0 && !is_on_chain(f, node, other->node)) node = f->nodes[node].parent;
        /* of several the one nearest to the root: others have that in common, too */
        if (node >= 0 && (item->shared_node < 0 || node < item->shared_node)) item->shared_node = node;
    }
}

void lbs_lay_out_columns(lbs_space *s) {
    const lb_problem *p = s->problem;
    int part_count = 0;
    s->column_count = s->drive_count = 0;
    memset(s->marks, 0, (size_t)s->node_count * sizeof *s->marks);
    memset(s->drive_counts, 0, (size_t)s->node_count * sizeof *s->drive_counts);
    for (int i = 0; i < s->item_count; i++)
        if (s->items[i].enabled) mark_item(s, &s->items[i]);
    for (int f = 0; f < p->figure_count; f++) {
        select_nodes(s, f);
        list_coordinates(s, f, &part_count);
    }
    memset(s->panel, 0, 6 * (size_t)s->stride * sizeof *s->panel);
    for (int i = 0; i < s->stride; i++) s->ones[i] = 1;
    for (int i = 0; i < s->item_count; i++) {
        if (!s->items[i].enabled) continue;
        mount_item(s, &s->items[i]);
        lay_out_item(s, &s->items[i]);
    }
    for (int i = 0; i < s->item_count; i++)
        if (s->items[i].enabled) find_shared(s, &s->items[i]);
}

void lbs_place_carrier(const lbs_space *s, lbs_item *item) {
    if (item->carrier_node < 0) return;
    const lb_kinematics *k = s->kinematics[item->constraint->goal.carrier_figure];
    lbm_transform_multiply(&k->frames[item->carrier_node], &item->carrier_local, &item->carrier);
}

void lbs_place_still(lbs_space *s) {
    const lb_problem *p = s->problem;
    for (int f = 0; f < p->figure_count; f++)
        if (s->still[f].node_count) lbf_update(s->kinematics[f], s->start + p->first_variables[f], &s->still[f]);
    for (int i = 0; i < s->item_count; i++)
        if (s->items[i].enabled) lbs_place_carrier(s, &s->items[i]);
}
