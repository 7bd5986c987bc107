#include "solve/plan/space.h"

#include <string.h>

#include "math/project.h"
#include "math/rotation.h"
#include "math/trig.h"
#include "solve/turns.h"

/* --- Memory: counted first, then cut from one block ---------------------------------------------------- */

typedef struct cutter {
    char *block; /* NULL: only count */
    size_t used;
} cutter;

static void *cut(cutter *c, size_t count, size_t size) {
    void *at = c->block ? c->block + c->used : NULL;
    c->used += (count * size + 63) & ~(size_t)63;
    return at;
}

/* Rows of doubles that begin on a cache line, wherever the block does. */
static double *cut_aligned(cutter *c, size_t count) {
    char *at = cut(c, count + 8, sizeof(double));
    return at ? (double *)(void *)(at + (-(uintptr_t)at & 63)) : NULL;
}

static int total_loops(const lb_problem *p) {
    int count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        count += lb_figure_loop_count(p->figures[f]);
    }
    return count;
}

int lbs_item_of(const lb_problem *p, int constraint) { return total_loops(p) + constraint; }

static int total_nodes(const lb_problem *p) {
    int count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        count += p->figures[f]->node_count;
    }
    return count;
}

/* Coordinates, and what drives them. */
static size_t total_movers(const lb_problem *p) {
    size_t count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        count += (size_t)p->figures[f]->coordinate_count + (size_t)p->figures[f]->term_count;
    }
    return count;
}

size_t lbs_max_limits(const lb_problem *p) {
    size_t count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        count += (size_t)p->figures[f]->row_count;
    }
    return count;
}

/* Each item's own, that of the wishes, and one where nothing is asked. */
size_t lbs_max_levels(const lb_problem *p) { return (size_t)p->constraint_count + (size_t)total_loops(p) + 2; }

size_t lbs_max_guards(const lb_problem *p) {
    size_t count = 0;
    for (int i = 0; i < p->constraint_count; i++) {
        count += (size_t)lbp_goal_guard_count(&p->constraints[i].constraint.goal);
    }
    return lbp_has_levels(p) ? count : 0;
}

/* The largest number of variables in a row, summed over rows: what all rows in z need. */
static size_t total_terms(const lb_problem *p) {
    size_t count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        for (int r = 0; r < p->figures[f]->row_count; r++) {
            count += (size_t)p->figures[f]->rows[r].count;
        }
    }
    return count;
}

static size_t face_scratch(const lb_constraint *c, const lb_limit_row *rows) {
    const double low[3] = {-INFINITY, -INFINITY, -INFINITY}, high[3] = {INFINITY, INFINITY, INFINITY};
    if (c->goal.kind != LB_GOAL_POLYHEDRON || c->goal.outside) {
        return 0;
    }
    return lbm_project_scratch_size(3, low, high, c->goal.face_count, rows);
}

/* Scratch for projecting all figures' limits at once: what each needs alone, and of one that has no rows what its
 * variables take. */
static size_t project_size(const lb_problem *p) {
    static const lb_limit_row nothing = {"", LB_LIMIT_AT_MOST, 0, NULL, NULL, 0};
    size_t size = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        size += figure->row_count
                    ? figure->project_size
                    : lbm_project_scratch_size(figure->variable_count, figure->lower, figure->upper, 1, &nothing);
    }
    return size;
}

static void cut_everything(lbs_space *s, cutter *c, const lb_problem *p, int rows) {
    size_t n = (size_t)p->variable_count, figures = (size_t)p->figure_count, limits = lbs_max_limits(p);
    size_t items = (size_t)p->constraint_count + (size_t)total_loops(p), m = (size_t)rows, terms = total_terms(p);
    size_t movers = total_movers(p);
    s->kinematics = cut(c, figures, sizeof *s->kinematics);
    s->pose = cut(c, n, sizeof(double));
    s->start = cut(c, n, sizeof(double));
    s->placed = cut(c, n, sizeof(double));
    s->here = cut(c, n, sizeof(double));
    s->items = cut(c, items, sizeof *s->items);
    s->group_best = cut(c, items, sizeof(int));
    s->level_rows = cut(c, items + 3, sizeof(int));
    s->levels = cut(c, items + 2, sizeof(int));
    s->level_value = cut(c, items + 2, sizeof(double));
    s->row = cut(c, m, sizeof(double));
    s->jacobian = cut_aligned(c, m * (size_t)lbm_stride((int)n));
    s->guards = cut(c, lbs_max_guards(p), sizeof *s->guards);
    s->guard_rows = cut_aligned(c, lbs_max_guards(p) * (size_t)lbm_stride((int)n));
    s->blocks = cut(c, m * (size_t)lbm_block_words(lbm_stride((int)n)), sizeof *s->blocks);
    s->first_nodes = cut(c, figures, sizeof(int));
    s->marks = cut(c, (size_t)s->node_count, sizeof(int));
    s->still = cut(c, figures, sizeof *s->still);
    s->moving = cut(c, figures, sizeof *s->moving);
    s->carried = cut(c, figures, sizeof *s->carried);
    s->tables = cut(c, figures, sizeof *s->tables);
    s->panel = cut_aligned(c, 6 * (size_t)lbm_stride((int)n));
    s->own_panel = cut_aligned(c, 6 * (size_t)lbm_stride((int)n));
    s->ones = cut_aligned(c, (size_t)lbm_stride((int)n));
    s->movers = cut(c, movers, sizeof *s->movers);
    s->sums = cut(c, movers, sizeof *s->sums);
    s->first_movers = cut(c, (size_t)s->node_count, sizeof(int));
    s->mover_counts = cut(c, (size_t)s->node_count, sizeof(int));
    s->tips = cut(c, n, sizeof(int));
    s->carrier_tips = cut(c, n, sizeof(int));
    s->wholes = cut(c, n, sizeof(int));
    s->splits = cut(c, items * n, sizeof *s->splits);
    s->signs = cut_aligned(c, items * (size_t)lbm_stride((int)n));
    s->pulls = cut(c, (size_t)s->node_count, sizeof *s->pulls);
    for (int f = 0, first = 0; f < p->figure_count; f++) {
        size_t nodes = (size_t)p->figures[f]->node_count, coordinates = (size_t)p->figures[f]->coordinate_count;
        int *lists[4];
        for (int i = 0; i < 4; i++) {
            lists[i] = cut(c, i < 2 ? nodes : coordinates, sizeof(int));
        }
        lbf_selection room = {0, 0, 0, 0, lists[0], lists[1], lists[2], lists[3], NULL};
        lbf_node *table = cut(c, nodes, sizeof *table);
        if (!c->block) {
            continue;
        }
        s->still[f] = room;
        s->tables[f] = table;
        s->first_nodes[f] = first;
        first += p->figures[f]->node_count;
    }
    s->index = cut(c, n, sizeof(int));
    s->active_of = cut(c, n, sizeof(int));
    s->scale = cut(c, n, sizeof(double));
    s->lower = cut(c, n, sizeof(double));
    s->upper = cut(c, n, sizeof(double));
    s->least = cut(c, n, sizeof(double));
    s->most = cut(c, n, sizeof(double));
    s->turning = cut(c, n, sizeof(int));
    s->limits = cut(c, limits, sizeof *s->limits);
    s->limit_figure = cut(c, limits, sizeof(int));
    s->limit_row = cut(c, limits, sizeof(int));
    s->limit_norm = cut(c, limits, sizeof(double));
    s->bent = cut(c, limits, sizeof(int));
    s->tangent_scratch = cut(c, 2 * n + LBS_MAX_ACTIVE * (LBS_MAX_ACTIVE + 4), sizeof(double));
    s->limit_variables = cut(c, terms, sizeof(int));
    s->limit_coefficients = cut(c, terms, sizeof(double));
    s->project_scratch = cut(c, project_size(p), 1);
}

/* --- Items and levels ------------------------------------------------------------------------------------ */

/* The closure of a loop: the frame that its closing joint carries, at site_b where the tree has it. */
static void make_closure(const lb_problem *p, int figure, int loop, lb_constraint *c) {
    const lb_figure *f = p->figures[figure];
    const lb_joint *joint = &f->draft.joints[f->loop_joints[loop]];
    lb_constraint_defaults(c);
    c->name = joint->name;
    c->figure = figure;
    c->effector.segment = f->draft.segment_count + loop;
    c->goal.kind = LB_GOAL_FRAME;
    c->goal.carrier_figure = figure;
    c->goal.carrier_segment = f->draft.sites[joint->site_b].segment;
    lbm_transform t;
    lbm_transform_from_frame(&f->draft.sites[joint->site_b].frame, &t);
    lbm_copy3(c->goal.point, t.p);
    lbm_copy3(c->goal.x, t.x);
    lbm_copy3(c->goal.y, t.y);
    c->priority = -1;
}

static int total_rows(const lb_problem *p) {
    int rows = 9 * total_loops(p);
    for (int i = 0; i < p->constraint_count; i++) {
        rows += lbp_goal_row_count(&p->constraints[i].constraint.goal);
    }
    return rows;
}

int lbs_max_m(const lbs_space *s) { return total_rows(s->problem); }

/* The length of all figures' segments, one behind the other; at most 1 m. */
static double total_length(const lb_problem *p) {
    double sum = 0;
    for (int f = 0; f < p->figure_count && sum < 1; f++) {
        for (int i = 0; i < p->figures[f]->node_count; i++) {
            sum += lbm_norm3(p->figures[f]->nodes[i].constant.p);
        }
        for (int i = 0; i < p->figures[f]->draft.segment_count; i++) {
            sum += lbm_norm3(p->figures[f]->mounts[i].offset.p);
        }
    }
    return sum < 1 ? sum : 1;
}

/* Sum over the rows of weight times the size of what they are differences of would be exact; G and the weights tell
 * enough. Where a level is about points alone, its value is of the order of lengths squared: a scene that is measured in
 * millimetres has a finer unit. */
double lbs_level_unit(const lbs_space *s, int level) {
    double weight = 1, scale = s->length * s->length;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || (level >= 0 && item->level != level)) {
            continue;
        }
        if (item->group >= 0 && !item->counted) {
            continue; /* an alternative that is not in the sum */
        }
        if (item->constraint->weight > weight) {
            weight = item->constraint->weight;
        }
        if (item->has_axes || item->constraint->goal.kind == LB_GOAL_CUSTOM) {
            scale = 1;
        }
    }
    if (level >= s->goal_level_count || (!s->has_wish_level && lbp_has_wishes(s->problem))) {
        scale = 1;
    }
    if (level >= s->goal_level_count) {
        const lbp_wishes *w = &s->wishes;
        const double most = w->posture_weight > w->stay_weight ? w->posture_weight : w->stay_weight;
        weight = most > weight ? most : weight;
        weight = w->margin_weight > weight ? w->margin_weight : weight;
    }
    return scale > 0 ? weight * scale : weight;
}

double lbs_gradient_unit(const lbs_space *s) { return lbs_level_unit(s, -1); }

static void fill_items(lbs_space *s, cutter *c) {
    const lb_problem *p = s->problem;
    int n = 0;
    for (int f = 0; f < p->figure_count; f++) {
        for (int l = 0; l < lb_figure_loop_count(p->figures[f]); l++) {
            lbs_item *item = &s->items[n++];
            make_closure(p, f, l, &item->closure);
            item->constraint = &item->closure;
            item->index = -1;
        }
    }
    for (int i = 0; i < p->constraint_count; i++) {
        lbs_item *item = &s->items[n++];
        item->index = i;
        item->constraint = &p->constraints[i].constraint;
        item->goal.face_rows = p->constraints[i].face_rows;
        item->goal.scratch = cut(c, face_scratch(item->constraint, item->goal.face_rows), 1);
    }
    s->item_count = n;
}

static size_t all_face_scratch(const lb_problem *p) {
    size_t size = 0;
    for (int i = 0; i < p->constraint_count; i++) {
        size += (face_scratch(&p->constraints[i].constraint, p->constraints[i].face_rows) + 63) & ~(size_t)63;
    }
    return size;
}

lbs_space *lbs_space_create(const lb_problem *p, size_t *size) {
    lbs_space counted;
    int rows = total_rows(p);
    cutter c = {NULL, 0};
    counted.node_count = total_nodes(p);
    cut(&c, 1, sizeof counted);
    cut_everything(&counted, &c, p, rows);
    *size = c.used + all_face_scratch(p);
    char *block = lbf_new(&p->allocator, *size, 1);
    if (!block) {
        return NULL;
    }
    c = (cutter){block, 0};
    lbs_space *s = cut(&c, 1, sizeof *s);
    s->problem = p;
    s->allocator = p->allocator;
    s->figure_count = p->figure_count;
    s->kernels = p->figure_count > 0 ? p->figures[0]->kernels : lbm_kernels_best();
    s->node_count = total_nodes(p);
    cut_everything(s, &c, p, rows);
    fill_items(s, &c);
    for (int f = 0; f < p->figure_count; f++) {
        s->kinematics[f] = lb_kinematics_create(p->figures[f], NULL);
        if (s->kinematics[f]) {
            continue;
        }
        lbs_space_destroy(s, *size);
        return NULL;
    }
    return s;
}

void lbs_space_destroy(lbs_space *s, size_t size) {
    if (!s) {
        return;
    }
    lb_allocator a = s->allocator;
    for (int f = 0; s->kinematics && f < s->figure_count; f++) {
        lb_kinematics_destroy(s->kinematics[f]);
    }
    lbf_delete(&a, s, size, 1);
}

/* Levels in order of priority, rows level by level; alternatives share their rows. */
static void lay_out_rows(lbs_space *s) {
    s->level_count = s->group_count = s->row_count = s->has_wish_level = 0;
    for (int last = -2;;) {
        int next = 1001;
        for (int i = 0; i < s->item_count; i++) {
            int priority = s->items[i].constraint->priority;
            if (s->items[i].enabled && priority > last && priority < next) {
                next = priority;
            }
        }
        if (next > 1000) {
            break;
        }
        s->level_rows[s->level_count] = s->row_count;
        s->levels[s->level_count] = next;
        for (int i = 0; i < s->item_count; i++) {
            lbs_item *item = &s->items[i];
            if (!item->enabled || item->constraint->priority != next) {
                continue;
            }
            item->level = s->level_count;
            item->row_count = lbp_goal_row_count(&item->goal.goal);
            item->group = -1;
            item->first_row = s->row_count;
            s->row_count += item->row_count;
            if (item->constraint->any_of <= 0) {
                continue;
            }
            for (int k = 0; k < i && item->group < 0; k++) {
                const lbs_item *other = &s->items[k];
                if (other->enabled && other->level == item->level && other->constraint->priority == next &&
                    other->constraint->any_of == item->constraint->any_of) {
                    item->group = other->group;
                }
            }
            if (item->group < 0) {
                item->group = s->group_count++;
            }
        }
        s->level_count++;
        last = next;
    }
    if (s->level_count == 0) { /* nothing asked: one empty level */
        s->levels[0] = 0;
        s->level_rows[0] = 0;
        s->level_count = 1;
    }
    s->goal_level_count = s->level_count;
    s->level_rows[s->level_count] = s->row_count;
    if (lbp_has_wish_level(s->problem)) {
        s->has_wish_level = 1;
        s->levels[s->level_count++] = LBS_WISH_PRIORITY;
        s->level_rows[s->level_count] = s->row_count;
    }
}

void lbs_hide_wishes(lbs_space *s) {
    s->level_count = s->goal_level_count;
    s->wishes.posture_weight = s->wishes.stay_weight = s->wishes.margin_weight = 0;
    s->is_here = 0;
}

void lbs_show_wishes(lbs_space *s) {
    s->level_count = s->goal_level_count + 1;
    s->wishes = s->problem->wishes;
    s->is_here = 0;
}

/* --- Beginning -------------------------------------------------------------------------------------------- */

/* Marks the variables that move a joint's coordinates. */
static void mark_joint(lbs_space *s, int figure, int joint) {
    const lb_figure *f = s->problem->figures[figure];
    int first = s->problem->first_variables[figure], dofs = lb_joint_type_dof_count(&f->draft.joints[joint].type);
    for (int i = 0; i < dofs; i++) {
        lbf_influence in = lbf_influence_of(f, lbf_coordinate(f, joint, i));
        for (int k = 0; k < in.count; k++) {
            s->active_of[first + (in.first_term < 0 ? in.own : f->terms[in.first_term + k].variable)] = 0;
        }
    }
}

/* From a segment towards the root, as far as the joint that starts the chain. Returns 0 if that is not on the way. */
static int mark_chain(lbs_space *s, int figure, int segment, int chain_start) {
    const lb_figure *f = s->problem->figures[figure];
    if (segment >= f->draft.segment_count) { /* what a loop's closing joint carries */
        int joint = f->loop_joints[segment - f->draft.segment_count];
        mark_joint(s, figure, joint);
        segment = f->draft.sites[f->draft.joints[joint].site_a].segment;
    }
    for (; f->parent_joint[segment] >= 0; segment = lb_figure_parent_segment(f, segment)) {
        mark_joint(s, figure, f->parent_joint[segment]);
        if (f->parent_joint[segment] == chain_start) {
            return 1;
        }
    }
    for (int i = 0; i < f->root_coordinates; i++) {
        s->active_of[s->problem->first_variables[figure] + i] = 0;
    }
    return chain_start < 0;
}

static int mark_item(lbs_space *s, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    const lb_figure *f = s->problem->figures[c->figure];
    int ok = 1;
    if (c->effector.kind == LB_EFFECTOR_FRAME) {
        ok = mark_chain(s, c->figure, c->effector.segment, c->chain_start);
    } else {
        for (int i = 0; i < f->variable_count; i++) {
            s->active_of[s->problem->first_variables[c->figure] + i] = 0;
        }
    }
    if (c->goal.carrier_segment >= 0) {
        mark_chain(s, c->goal.carrier_figure, c->goal.carrier_segment, -1);
    }
    return ok;
}

void lbs_find_used(lbs_space *s, int *used) {
    int *active_of = s->active_of;
    memset(used, -1, (size_t)s->problem->variable_count * sizeof *used);
    s->active_of = used; /* marks are 0 there */
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled) {
            mark_item(s, &s->items[i]);
        }
    }
    s->active_of = active_of;
    for (int i = 0; i < s->problem->variable_count; i++) {
        used[i] = used[i] == 0;
    }
}

static void number_variable(lbs_space *s, int variable) {
    if (s->active_of[variable] >= -1) {
        return;
    }
    s->active_of[variable] = s->n;
    s->index[s->n] = variable;
    s->scale[s->n++] = 1 - s->problem->rigidity[variable];
    s->is_scaled |= s->problem->rigidity[variable] != 0;
}

/* Numbers for the variables that may move (those marked by -2), in the order of the nodes that they move: those of a limb
 * come together, so that the rows of other limbs have blocks of zeros. */
static void number_variables(lbs_space *s) {
    const lb_problem *p = s->problem;
    s->n = s->is_scaled = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int i = 0; i < figure->node_count; i++) {
            const lbf_node *node = &figure->nodes[i];
            for (int c = node->coordinate; c < node->coordinate + lbf_node_coordinates(node->kind); c++) {
                lbf_influence in = lbf_influence_of(figure, c);
                for (int t = 0; t < in.count; t++) {
                    number_variable(s, p->first_variables[f] +
                                           (in.first_term < 0 ? in.own : figure->terms[in.first_term + t].variable));
                }
            }
        }
    }
    for (int i = 0; i < p->variable_count; i++) {
        number_variable(s, i);
    }
    s->stride = lbm_stride(s->n);
}

static lb_status choose_variables(lbs_space *s, lb_error *error) {
    const lb_problem *p = s->problem;
    int asked = 0; /* where nothing is, wishes alone may move everything */
    for (int i = 0; i < s->item_count; i++) {
        asked |= s->items[i].enabled;
    }
    for (int i = 0; i < p->variable_count; i++) {
        s->active_of[i] = asked ? -1 : 0;
    }
    for (int i = 0; i < s->item_count; i++) {
        if (!s->items[i].enabled || mark_item(s, &s->items[i])) {
            continue;
        }
        const char *name = s->items[i].constraint->name;
        return lbf_fail(error, LB_ERROR_ARGUMENT, "the chain of constraint '", name ? name : "",
                        "' starts at a joint that is not between its end-effector and the root", (char *)0);
    }
    for (int i = 0; i < p->variable_count; i++) {
        s->active_of[i] = s->active_of[i] == 0 && p->active[i] && p->rigidity[i] < 1 ? -2 : -1;
    }
    number_variables(s);
    return LB_OK;
}

/* A row of a figure over the variables that may move, in their order, as a unit vector; its bound is bind's. Returns 0 if
 * none of them is in it. */
static int scale_limit(lbs_space *s, int figure, const lb_limit_row *from, int k) {
    lb_limit_row *to = &s->limits[k];
    int *variables = (int *)to->variables, count = 0;
    double *coefficients = (double *)to->coefficients, square = 0;
    for (int t = 0; t < from->count; t++) {
        int a = s->active_of[s->problem->first_variables[figure] + from->variables[t]];
        if (a < 0) {
            continue;
        }
        double c = from->coefficients[t] * s->scale[a];
        int at = count++;
        for (; at > 0 && variables[at - 1] > a; at--) {
            variables[at] = variables[at - 1];
            coefficients[at] = coefficients[at - 1];
        }
        variables[at] = a;
        coefficients[at] = c;
        square += c * c;
    }
    if (count == 0) {
        return 0;
    }
    s->limit_norm[k] = sqrt(square);
    for (int t = 0; t < count; t++) {
        coefficients[t] /= s->limit_norm[k];
    }
    to->name = from->name;
    to->kind = from->kind;
    to->count = count;
    to->bound = from->bound / s->limit_norm[k];
    if (count < from->count) {
        s->bent[s->bent_count++] = k;
    }
    return 1;
}

/* Variables that do not move go to the bound. */
static void bind(lbs_space *s, int k) {
    const lb_problem *p = s->problem;
    int f = s->limit_figure[k];
    const lb_limit_row *from = &p->figures[f]->rows[s->limit_row[k]];
    double bound = from->bound;
    for (int t = 0; t < from->count; t++) {
        int v = p->first_variables[f] + from->variables[t];
        if (s->active_of[v] < 0) {
            bound -= from->coefficients[t] * s->start[v];
        }
    }
    s->limits[k].bound = bound / s->limit_norm[k];
}

/* The figures' limits, in z. */
static void scale_limits(lbs_space *s) {
    const lb_problem *p = s->problem;
    s->limit_count = s->bent_count = s->turning_count = 0;
    size_t at = 0; /* where a row's terms go: there is room for all of every row */
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        for (int i = 0; i < figure->variable_count; i++) {
            int a = s->active_of[p->first_variables[f] + i];
            if (a < 0) {
                continue;
            }
            s->least[a] = figure->lower[i];
            s->most[a] = figure->upper[i];
            s->lower[a] = s->least[a] / s->scale[a];
            s->upper[a] = s->most[a] / s->scale[a];
            if (s->most[a] - s->least[a] >= LBM_TWO_PI && lbs_turns(figure, i)) {
                s->turning[s->turning_count++] = a;
            }
        }
        for (int r = 0; r < figure->row_count; at += (size_t)figure->rows[r++].count) {
            int k = s->limit_count;
            s->limits[k].variables = s->limit_variables + at;
            s->limits[k].coefficients = s->limit_coefficients + at;
            s->limit_figure[k] = f;
            s->limit_row[k] = r;
            s->limit_count += scale_limit(s, f, &figure->rows[r], k);
        }
    }
}

static double clamp(double value, double least, double most) {
    double above = value < least ? least : value; /* in two steps: without a branch */
    return above > most ? most : above;
}

static lb_status move_into_limits(lbs_space *s, const double *pose, lb_error *error) {
    const lb_problem *p = s->problem;
    if (!lbm_all_finite(pose, p->variable_count)) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "the start pose has a value that is not finite", (char *)0);
    }
    memcpy(s->start, pose, (size_t)p->variable_count * sizeof *pose);
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        double *part = s->start + p->first_variables[f];
        if (figure->row_count && lb_kinematics_project(s->kinematics[f], part)) {
            return lbf_fail(error, LB_ERROR_LIMIT, "the limits of a figure contradict each other", (char *)0);
        }
        for (int i = 0; i < figure->variable_count; i++) {
            part[i] = clamp(part[i], figure->lower[i], figure->upper[i]);
        }
    }
    memcpy(s->pose, s->start, (size_t)p->variable_count * sizeof *pose);
    return LB_OK;
}

static void copy_goals(lbs_space *s) {
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        item->goal.goal = item->constraint->goal;
        lbp_goal_scale(&item->goal);
        item->root_weight = sqrt(item->constraint->weight);
    }
    s->moves = s->problem->moves;
}

/* All that depends on the problem alone. */
static lb_status plan(lbs_space *s, lb_error *error) {
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        item->enabled = !item->constraint->disabled;
        item->goal.radius = item->constraint->radius;
        item->goal.half_length = item->constraint->half_length;
        item->level = 0;
    }
    s->wishes = s->problem->wishes;
    s->length = total_length(s->problem);
    copy_goals(s);
    lay_out_rows(s);
    lb_status status = choose_variables(s, error);
    if (status) {
        return status;
    }
    scale_limits(s);
    lbs_lay_out_columns(s);
    s->is_placed = 0;
    s->revision = s->problem->revision;
    return LB_OK;
}

static void clear_counts(lbs_space *s, const lb_solve_options *options) {
    s->options = options;
    s->evaluations = s->iterations = s->restarts = s->stopped = s->late = s->give_up = s->is_here = s->guard_level = 0;
    s->forced = -1;
}

/* The longest of the last few but one, in which the machine may have done something else. */
static double second_longest(const double pieces[LBS_PIECES]) {
    double longest = 0, second = 0;
    for (int i = 0; i < LBS_PIECES; i++) {
        const double piece = pieces[i], lesser = piece < longest ? piece : longest;
        second = lesser > second ? lesser : second;
        longest = piece > longest ? piece : longest;
    }
    return second;
}

static void start_clock(lbs_space *s) {
    const lb_solve_options *o = s->options;
    s->began_us = o->now_us(o->now_context);
    s->look_count = 0;
    memset(s->pieces_us, 0, sizeof s->pieces_us);
}

/* What does not move, as the start has it. */
static void settle(lbs_space *s) {
    for (int i = 0; i < s->bent_count; i++) {
        bind(s, s->bent[i]);
    }
    lbs_place_still(s);
}

lb_status lbs_begin(lbs_space *s, const lb_solve_options *options, const double *pose, lb_error *error) {
    clear_counts(s, options);
    if (options->deadline_us > 0 && options->now_us) {
        start_clock(s);
    }
    lb_status status = move_into_limits(s, pose, error);
    if (!status && s->revision != s->problem->revision) {
        status = plan(s, error);
    }
    if (status) {
        return status;
    }
    if (s->moves != s->problem->moves) {
        copy_goals(s);
    }
    if (s->has_wish_level) {
        lbs_hide_wishes(s);
    }
    settle(s);
    return LB_OK;
}

void lbs_resume(lbs_space *s, const lb_solve_options *options, const double *start) {
    size_t size = (size_t)s->problem->variable_count * sizeof *start;
    clear_counts(s, options);
    memcpy(s->start, start, size);
    memcpy(s->pose, start, size);
    if (s->has_wish_level) {
        lbs_hide_wishes(s);
    }
    settle(s);
}

void lbs_from_pose(const lbs_space *s, const double *pose, double *z) {
    if (s->is_scaled) {
        for (int i = 0; i < s->n; i++) {
            z[i] = pose[s->index[i]] / s->scale[i];
        }
    } else {
        for (int i = 0; i < s->n; i++) {
            z[i] = pose[s->index[i]];
        }
    }
}

void lbs_to_pose(const lbs_space *s, const double *z, double *pose) {
    if (pose != s->pose) {
        memcpy(pose, s->start, (size_t)s->problem->variable_count * sizeof *pose);
    }
    /* a variable on its bound is that bound to the bit, whatever the scaling rounded */
    for (int i = 0; i < s->n; i++) {
        pose[s->index[i]] = clamp(z[i] * s->scale[i], s->least[i], s->most[i]);
    }
}

/* Whether z is clearly inside all limits over several variables. */
static int keeps_limits(const lbs_space *s, const double *z) {
    for (const lb_limit_row *row = s->limits, *end = row + s->limit_count; row < end; row++) {
        if (row->kind == LB_LIMIT_EQUAL || !(lbm_row_sum(row, z) <= row->bound)) {
            return 0;
        }
    }
    return 1;
}

int lbs_project(const lbs_space *s, double *z) {
    double *inside = s->limit_count ? s->project_scratch : z; /* most often bounds are all that is in the way */
    for (int i = 0; i < s->n; i++) {
        inside[i] = clamp(z[i], s->lower[i], s->upper[i]);
    }
    if (!keeps_limits(s, inside)) {
        return lbm_project(s->n, s->lower, s->upper, s->limit_count, s->limits, z, s->project_scratch);
    }
    if (inside != z) {
        memcpy(z, inside, (size_t)s->n * sizeof *z);
    }
    return 0;
}

int lbs_met_itself(const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    return lbp_goal_met_at(&item->goal, item->e, c->tolerance, c->tolerance_rad);
}

int lbs_item_met(const lbs_space *s, const lbs_item *item) {
    if (lbs_met_itself(item)) {
        return 1;
    }
    for (int i = 0; i < s->item_count && item->group >= 0; i++) {
        const lbs_item *other = &s->items[i];
        if (other->enabled && other->group == item->group && lbs_met_itself(other)) {
            return 1;
        }
    }
    return 0;
}

int lbs_met(const lbs_space *s, int level) {
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (!item->enabled || !item->counted || item->level > level) {
            continue;
        }
        const lb_constraint *c = item->constraint;
        if (lbp_goal_met_at(&item->goal, item->e, c->tolerance, c->tolerance_rad)) {
            continue;
        }
        if (item->group < 0 || !lbs_item_met(s, item)) {
            return 0;
        }
    }
    return 1;
}

int lbs_reported_level(const lbs_space *s) {
    int level = 0;
    while (level < s->level_count - 1 && lbs_met(s, level)) {
        level++;
    }
    return level;
}

int lbs_is_content(const lbs_space *s, const double *z, int level) {
    return lbs_met(s, level) && (level < s->level_count - 1 || lbs_wishes(s, z, NULL, NULL) == 0);
}

int lbs_late(lbs_space *s) {
    const lb_solve_options *o = s->options;
    if (lb_cancel_is_requested(o->cancel)) {
        return 1;
    }
    if (!(o->deadline_us > 0) || !o->now_us) {
        return 0;
    }
    double now = o->now_us(o->now_context);
    if (s->look_count > 0) {
        s->pieces_us[s->look_count % LBS_PIECES] = now - s->looked_us;
    }
    s->looked_us = now;
    s->look_count++;
    return now - s->began_us + second_longest(s->pieces_us) >= o->deadline_us;
}

int lbs_spent(lbs_space *s) {
    const lb_solve_options *o = s->options;
    s->late |= lbs_late(s);
    s->stopped |= s->late || s->evaluations >= o->max_evaluations;
    return s->stopped;
}

void lbs_tell(lbs_space *s, const double *z, double value) {
    const lb_solve_options *o = s->options;
    if (o->on_iteration) {
        lbs_to_pose(s, z, s->pose);
        lb_progress progress = {s->iterations, s->evaluations, s->restarts, value, s->pose};
        if (o->on_iteration(o->on_iteration_context, &progress)) {
            s->stopped = 1;
        }
    }
}

int lbs_stop(lbs_space *s, const double *z, double value) {
    s->iterations++;
    lbs_tell(s, z, value);
    return lbs_spent(s);
}
