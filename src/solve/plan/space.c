/* The space: its items, and its memory. */
#include "solve/plan/space.h"

#include <string.h>

#include "math/arena.h"
#include "math/project.h"
#include "math/rotation.h"
#include "problem/apart.h"

/* --- Items ------------------------------------------------------------------------------------------------------------- */

static int total_loops(const lb_problem *p) {
    int count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        count += p->figures[f]->loop_count;
    }
    return count;
}

int lbs_item_of(const lb_problem *p, int constraint) { return total_loops(p) + constraint; }

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
    c->priority = LBS_LOOP_PRIORITY;
}

static size_t face_scratch(const lb_constraint *c, const lb_limit_row *rows) {
    const double low[3] = {-INFINITY, -INFINITY, -INFINITY}, high[3] = {INFINITY, INFINITY, INFINITY};
    if (c->goal.kind != LB_GOAL_POLYHEDRON || c->goal.outside) {
        return 0;
    }
    return lbm_project_scratch_size(3, low, high, c->goal.face_count, rows);
}

static void fill_items(lbs_space *s) {
    const lb_problem *p = s->problem;
    int n = 0;
    for (int f = 0; f < p->figure_count; f++) {
        for (int l = 0; l < p->figures[f]->loop_count; l++) {
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
    }
    for (int i = 0; i < s->pair_count; i++) {
        lbs_item *item = &s->items[n++];
        lbp_pair_constraint(&p->apart->pairs[i], &item->closure);
        item->closure.priority = LBS_LOOP_PRIORITY;
        item->constraint = &item->closure;
        item->index = -1;
    }
    s->item_count = n;
}

/* Scratch of goals that are polyhedra. */
static void cut_face_scratch(lbs_item *items, const lb_problem *p, lbm_arena *arena) {
    for (int i = 0; i < p->constraint_count; i++) {
        void *scratch = lbm_cut(arena, face_scratch(&p->constraints[i].constraint, p->constraints[i].face_rows), 1);
        if (items) {
            items[lbs_item_of(p, i)].goal.scratch = scratch;
        }
    }
}

/* --- Memory ------------------------------------------------------------------------------------------------------------ */

static void count_figures(const lb_problem *p, lbs_sizes *z) {
    z->figures = (size_t)p->figure_count;
    for (int f = 0; f < p->figure_count; f++) {
        const lb_figure *figure = p->figures[f];
        z->nodes += (size_t)figure->node_count;
        z->movers += (size_t)figure->coordinate_count + (size_t)figure->term_count;
        z->limits += (size_t)figure->row_count;
        for (int r = 0; r < figure->row_count; r++) {
            z->limit_terms += (size_t)figure->rows[r].count;
        }
    }
}

static void count_rows(const lb_problem *p, size_t pairs, lbs_sizes *z) {
    z->rows = 9 * (size_t)total_loops(p) + pairs;
    z->guards = pairs;
    for (int i = 0; i < p->constraint_count; i++) {
        const lb_goal *goal = &p->constraints[i].constraint.goal;
        z->rows += (size_t)lbp_goal_row_count(goal);
        z->guards += (size_t)lbp_goal_guard_count(goal);
    }
    if (!lbp_has_levels(p) && p->body_count == 0 && pairs == 0) {
        z->guards = 0;
    }
}

static lbs_sizes sizes_of(const lb_problem *p, size_t pairs) {
    lbs_sizes z = {0};
    z.n = (size_t)p->variable_count;
    z.stride = (size_t)lbm_stride(p->variable_count);
    z.items = (size_t)lbs_item_of(p, p->constraint_count) + pairs;
    z.levels = z.items + 2; /* that of the wishes, and one where nothing is asked */
    count_figures(p, &z);
    count_rows(p, pairs, &z);
    return z;
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

static void cut_variables(lbs_variables *v, const lbs_sizes *z, lbm_arena *arena) {
    v->index = lbm_cut(arena, z->n, sizeof(int));
    v->active_of = lbm_cut(arena, z->n, sizeof(int));
    v->scale = lbm_cut_doubles(arena, z->n);
    v->lower = lbm_cut_doubles(arena, z->n);
    v->upper = lbm_cut_doubles(arena, z->n);
    v->pose_lower = lbm_cut_doubles(arena, z->n);
    v->pose_upper = lbm_cut_doubles(arena, z->n);
    v->turning = lbm_cut(arena, z->n, sizeof(int));
}

static void cut_limits(lbs_limits *l, const lbs_sizes *z, const lb_problem *p, lbm_arena *arena) {
    l->rows = lbm_cut(arena, z->limits, sizeof *l->rows);
    l->figures = lbm_cut(arena, z->limits, sizeof(int));
    l->figure_rows = lbm_cut(arena, z->limits, sizeof(int));
    l->norms = lbm_cut_doubles(arena, z->limits);
    l->partial = lbm_cut(arena, z->limits, sizeof(int));
    l->variables = lbm_cut(arena, z->limit_terms, sizeof(int));
    l->coefficients = lbm_cut_doubles(arena, z->limit_terms);
    l->tangent_scratch = lbm_cut_doubles(arena, 2 * z->n + LBS_MAX_ACTIVE * (LBS_MAX_ACTIVE + 4));
    l->project_scratch = lbm_cut(arena, project_size(p), 1);
}

static void cut_levels(lbs_levels *l, const lbs_sizes *z, lbm_arena *arena) {
    l->priorities = lbm_cut(arena, z->levels, sizeof(int));
    l->first_rows = lbm_cut(arena, z->levels + 1, sizeof(int));
}

/* A figure's nodes: lists of them, and their table. */
static void cut_nodes(lbs_columns *c, const lb_problem *p, int f, lbm_arena *arena) {
    const size_t nodes = (size_t)p->figures[f]->node_count, coordinates = (size_t)p->figures[f]->coordinate_count;
    int *lists[4];
    for (int i = 0; i < 4; i++) {
        lists[i] = lbm_cut(arena, i < 2 ? nodes : coordinates, sizeof(int));
    }
    lbf_node *table = lbm_cut(arena, nodes, sizeof *table);
    if (arena->block) {
        c->still[f] = (lbf_selection){0, 0, 0, 0, lists[0], lists[1], lists[2], lists[3], NULL};
        c->tables[f] = table;
        c->first_nodes[f] = f > 0 ? c->first_nodes[f - 1] + p->figures[f - 1]->node_count : 0;
    }
}

static void cut_columns(lbs_columns *c, const lbs_sizes *z, const lb_problem *p, lbm_arena *arena) {
    c->node_count = (int)z->nodes;
    c->first_nodes = lbm_cut(arena, z->figures, sizeof(int));
    c->marks = lbm_cut(arena, z->nodes, sizeof(int));
    c->still = lbm_cut(arena, z->figures, sizeof *c->still);
    c->moving = lbm_cut(arena, z->figures, sizeof *c->moving);
    c->carried = lbm_cut(arena, z->figures, sizeof *c->carried);
    c->tables = lbm_cut(arena, z->figures, sizeof *c->tables);
    c->placed = lbm_cut_doubles(arena, z->n);
    c->movers = lbm_cut(arena, z->movers, sizeof *c->movers);
    c->first_movers = lbm_cut(arena, z->nodes, sizeof(int));
    c->mover_counts = lbm_cut(arena, z->nodes, sizeof(int));
    c->tips = lbm_cut(arena, z->n, sizeof(int));
    c->carrier_tips = lbm_cut(arena, z->n, sizeof(int));
    c->wholes = lbm_cut(arena, z->n, sizeof(int));
    c->splits = lbm_cut(arena, z->items * z->n, sizeof *c->splits);
    c->ones = lbm_cut_aligned(arena, z->stride);
    c->signs = lbm_cut_aligned(arena, z->items * z->stride);
    for (int f = 0; f < p->figure_count; f++) {
        cut_nodes(c, p, f, arena);
    }
}

static void cut_evaluation(lbs_evaluation *e, const lbs_sizes *z, lbm_arena *arena) {
    e->z = lbm_cut_doubles(arena, z->n);
    e->pose = lbm_cut_doubles(arena, z->n);
    e->level_values = lbm_cut_doubles(arena, z->levels);
    e->residuals = lbm_cut_doubles(arena, z->rows);
    e->group_best = lbm_cut(arena, z->items, sizeof(int));
    e->jacobian = lbm_cut_aligned(arena, z->rows * z->stride);
    e->blocks = lbm_cut(arena, z->rows * (size_t)lbm_block_words((int)z->stride), sizeof *e->blocks);
    e->guards = lbm_cut(arena, z->guards, sizeof *e->guards);
    e->guard_rows = lbm_cut_aligned(arena, z->guards * z->stride);
    e->twists = lbm_cut(arena, z->movers, sizeof *e->twists);
    e->panel = lbm_cut_aligned(arena, 6 * z->stride);
    e->own_panel = lbm_cut_aligned(arena, 6 * z->stride);
    e->wrenches = lbm_cut(arena, z->nodes, sizeof *e->wrenches);
}

/* Cuts all arrays of a space, or counts them. */
static void cut_everything(lbs_space *s, const lbs_sizes *z, const lb_problem *p, lbm_arena *arena) {
    s->kinematics = lbm_cut(arena, z->figures, sizeof *s->kinematics);
    s->items = lbm_cut(arena, z->items, sizeof *s->items);
    s->start = lbm_cut_doubles(arena, z->n);
    cut_variables(&s->variables, z, arena);
    cut_limits(&s->limits, z, p, arena);
    cut_levels(&s->levels, z, arena);
    cut_columns(&s->columns, z, p, arena);
    cut_evaluation(&s->last, z, arena);
}

int lbs_may_have_levels(const lbs_space *s) { return s->pair_count > 0 || lbp_has_levels(s->problem); }

lbs_space *lbs_space_create(const lb_problem *p, int sees_pairs, size_t *size) {
    const int pair_count = sees_pairs ? lb_problem_pair_count(p) : 0;
    const lbs_sizes max = sizes_of(p, (size_t)pair_count);
    lbs_space counted;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    lbm_cut(&arena, 1, sizeof counted);
    cut_everything(&counted, &max, p, &arena);
    cut_face_scratch(NULL, p, &arena);
    *size = arena.used;
    char *block = lbf_new(&p->allocator, *size, 1);
    if (!block) {
        return NULL;
    }
    arena = lbm_arena_on(block, LBM_ARENA_LINE);
    lbs_space *s = lbm_cut(&arena, 1, sizeof *s);
    s->problem = p;
    s->max = max;
    s->pair_count = pair_count;
    s->allocator = p->allocator;
    s->figure_count = p->figure_count;
    s->kernels = p->figure_count > 0 ? p->figures[0]->kernels : lbm_kernels_best();
    cut_everything(s, &max, p, &arena);
    fill_items(s);
    cut_face_scratch(s->items, p, &arena);
    for (int f = 0; f < p->figure_count; f++) {
        s->kinematics[f] = lb_kinematics_create(p->figures[f], NULL);
        if (!s->kinematics[f]) {
            lbs_space_destroy(s, *size);
            return NULL;
        }
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
