#include "solve/plan/space.h"

#include <string.h>

#include "math/arena.h"
#include "math/project.h"
#include "math/rotation.h"

/* --- Items ------------------------------------------------------------------------------------------------------------- */

static int total_loops(const lb_problem *p) {
    int count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        count += lb_figure_loop_count(p->figures[f]);
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

/* What a problem has at most. */
typedef struct sizes {
    size_t figures, variables, stride, items, rows, nodes, movers, guards, limits, limit_terms;
} sizes;

static sizes sizes_of(const lb_problem *p) {
    sizes z;
    z.figures = (size_t)p->figure_count;
    z.variables = (size_t)p->variable_count;
    z.stride = (size_t)lbm_stride(p->variable_count);
    z.items = (size_t)lbs_item_of(p, p->constraint_count);
    z.rows = (size_t)lbs_max_rows(p);
    z.nodes = (size_t)total_nodes(p);
    z.movers = total_movers(p);
    z.guards = lbs_max_guards(p);
    z.limits = lbs_max_limits(p);
    z.limit_terms = lbs_max_limit_terms(p);
    return z;
}

static void cut_variables(lbs_variables *v, const sizes *z, lbm_arena *arena) {
    v->index = lbm_cut(arena, z->variables, sizeof(int));
    v->active_of = lbm_cut(arena, z->variables, sizeof(int));
    v->scale = lbm_cut_doubles(arena, z->variables);
    v->lower = lbm_cut_doubles(arena, z->variables);
    v->upper = lbm_cut_doubles(arena, z->variables);
    v->pose_lower = lbm_cut_doubles(arena, z->variables);
    v->pose_upper = lbm_cut_doubles(arena, z->variables);
    v->turning = lbm_cut(arena, z->variables, sizeof(int));
}

static void cut_limits(lbs_limits *l, const sizes *z, const lb_problem *p, lbm_arena *arena) {
    l->rows = lbm_cut(arena, z->limits, sizeof *l->rows);
    l->figures = lbm_cut(arena, z->limits, sizeof(int));
    l->figure_rows = lbm_cut(arena, z->limits, sizeof(int));
    l->norms = lbm_cut_doubles(arena, z->limits);
    l->partial = lbm_cut(arena, z->limits, sizeof(int));
    l->variables = lbm_cut(arena, z->limit_terms, sizeof(int));
    l->coefficients = lbm_cut_doubles(arena, z->limit_terms);
    l->tangent_scratch = lbm_cut_doubles(arena, 2 * z->variables + LBS_MAX_ACTIVE * (LBS_MAX_ACTIVE + 4));
    l->project_scratch = lbm_cut(arena, lbs_project_size(p), 1);
}

static void cut_levels(lbs_levels *l, const sizes *z, lbm_arena *arena) {
    l->priorities = lbm_cut(arena, z->items + 2, sizeof(int));
    l->first_rows = lbm_cut(arena, z->items + 3, sizeof(int));
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

static void cut_columns(lbs_columns *c, const sizes *z, const lb_problem *p, lbm_arena *arena) {
    c->node_count = (int)z->nodes;
    c->first_nodes = lbm_cut(arena, z->figures, sizeof(int));
    c->marks = lbm_cut(arena, z->nodes, sizeof(int));
    c->still = lbm_cut(arena, z->figures, sizeof *c->still);
    c->moving = lbm_cut(arena, z->figures, sizeof *c->moving);
    c->carried = lbm_cut(arena, z->figures, sizeof *c->carried);
    c->tables = lbm_cut(arena, z->figures, sizeof *c->tables);
    c->placed = lbm_cut_doubles(arena, z->variables);
    c->movers = lbm_cut(arena, z->movers, sizeof *c->movers);
    c->first_movers = lbm_cut(arena, z->nodes, sizeof(int));
    c->mover_counts = lbm_cut(arena, z->nodes, sizeof(int));
    c->tips = lbm_cut(arena, z->variables, sizeof(int));
    c->carrier_tips = lbm_cut(arena, z->variables, sizeof(int));
    c->wholes = lbm_cut(arena, z->variables, sizeof(int));
    c->splits = lbm_cut(arena, z->items * z->variables, sizeof *c->splits);
    c->ones = lbm_cut_aligned(arena, z->stride);
    c->signs = lbm_cut_aligned(arena, z->items * z->stride);
    for (int f = 0; f < p->figure_count; f++) {
        cut_nodes(c, p, f, arena);
    }
}

static void cut_evaluation(lbs_evaluation *e, const sizes *z, lbm_arena *arena) {
    e->z = lbm_cut_doubles(arena, z->variables);
    e->pose = lbm_cut_doubles(arena, z->variables);
    e->level_values = lbm_cut_doubles(arena, z->items + 2);
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
static void cut_everything(lbs_space *s, const lb_problem *p, lbm_arena *arena) {
    const sizes z = sizes_of(p);
    s->kinematics = lbm_cut(arena, z.figures, sizeof *s->kinematics);
    s->items = lbm_cut(arena, z.items, sizeof *s->items);
    s->start = lbm_cut_doubles(arena, z.variables);
    cut_variables(&s->variables, &z, arena);
    cut_limits(&s->limits, &z, p, arena);
    cut_levels(&s->levels, &z, arena);
    cut_columns(&s->columns, &z, p, arena);
    cut_evaluation(&s->last, &z, arena);
}

lbs_space *lbs_space_create(const lb_problem *p, size_t *size) {
    lbs_space counted;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    lbm_cut(&arena, 1, sizeof counted);
    cut_everything(&counted, p, &arena);
    cut_face_scratch(NULL, p, &arena);
    *size = arena.used;
    char *block = lbf_new(&p->allocator, *size, 1);
    if (!block) {
        return NULL;
    }
    arena = lbm_arena_on(block, LBM_ARENA_LINE);
    lbs_space *s = lbm_cut(&arena, 1, sizeof *s);
    s->problem = p;
    s->allocator = p->allocator;
    s->figure_count = p->figure_count;
    s->kernels = p->figure_count > 0 ? p->figures[0]->kernels : lbm_kernels_best();
    cut_everything(s, p, &arena);
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

/* --- Planning ---------------------------------------------------------------------------------------------------------- */

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

/* The constraint of an item: the problem's, or where eyes look for it one of its own. */
static void take_constraint(lbs_space *s, lbs_item *item) {
    const lb_constraint *c = &s->problem->constraints[item->index].constraint;
    item->constraint = c;
    item->is_gaze = lbs_gaze_of(s->problem, c) == LBS_GAZE_EYES;
    if (item->is_gaze) {
        item->closure = *c;
        lbs_redirect_gaze(s->problem, &item->closure);
        item->constraint = &item->closure;
    }
}

static void copy_goals(lbs_space *s) {
    for (int i = 0; i < s->item_count; i++) {
        lbs_item *item = &s->items[i];
        if (item->index >= 0) {
            take_constraint(s, item);
        }
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
        if (item->index >= 0) {
            take_constraint(s, item);
        }
        item->enabled = !item->constraint->disabled;
        item->goal.radius = item->constraint->radius;
        item->goal.half_length = item->constraint->half_length;
        item->level = 0;
    }
    s->task.wishes = s->problem->wishes;
    s->length = total_length(s->problem);
    copy_goals(s);
    lbs_lay_out_levels(s);
    lb_status status = lbs_choose_variables(s, error);
    if (status) {
        return status;
    }
    lbs_bound_variables(s);
    lbs_scale_limits(s);
    lbs_lay_out_columns(s);
    s->columns.is_placed = 0;
    s->revision = s->problem->revision;
    return LB_OK;
}

/* --- Beginning a solve --------------------------------------------------------------------------------------------------- */

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
            part[i] = lbs_clamp(part[i], figure->lower[i], figure->upper[i]);
        }
    }
    memcpy(s->last.pose, s->start, (size_t)p->variable_count * sizeof *pose);
    return LB_OK;
}

static void begin_task(lbs_space *s, const lb_solve_options *options) {
    s->options = options;
    lbs_budget_begin(&s->budget);
    s->last.is_valid = s->task.guard_level = 0;
    s->task.forced = -1;
}

/* What does not move is placed as the start has it. */
static void place_start(lbs_space *s) {
    if (s->levels.has_wishes) {
        lbs_hide_wishes(s);
    }
    lbs_bind_limits(s);
    lbs_place_still(s);
}

lb_status lbs_begin(lbs_space *s, const lb_solve_options *options, const double *pose, lb_error *error) {
    begin_task(s, options);
    if (lbs_has_deadline(options)) {
        lbs_budget_start_clock(&s->budget, options);
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
    place_start(s);
    return LB_OK;
}

void lbs_resume(lbs_space *s, const lb_solve_options *options, const double *start) {
    size_t size = (size_t)s->problem->variable_count * sizeof *start;
    begin_task(s, options);
    memcpy(s->start, start, size);
    memcpy(s->last.pose, start, size);
    place_start(s);
}
