/* The memory of bodies: one block, counted first and then cut. */
#include <string.h>

#include "math/arena.h"
#include "problem/apart.h"
#include "solve/body/body.h"

/* What the rows of a body are at most. */
typedef struct row_counts {
    size_t wishes, rules, goals, conditions;
    size_t near; /* conditions that have rows at a time */
} row_counts;

#define MOST_NEAR 300 /* conditions of obstacles that have rows at a time */

static void count_rows(const lb_problem *p, int figure, row_counts *rows) {
    const lb_body *b = p->figures[figure]->draft.body;
    const lb_body_options *o = lb_problem_body(p, figure);
    const size_t solids = (size_t)b->solid_count, contacts = (size_t)b->contact_count;
    rows->wishes += (size_t)b->ease_count + 2 * (size_t)b->strength_count + 6 * LBS_MAX_ARMS + 3 * LBS_MAX_FACES +
                    4 * (LBS_MAX_EYES + 1) + contacts + 6 * LBS_MAX_FEET +
                    (size_t)(o->swivel_count + lbs_grip_room(b, o)) + 20 + lbs_habit_rows(p, figure);
    rows->rules += 2 * contacts + 4 * LBS_MAX_FEET + 6;
    rows->goals += 3 * LBS_MAX_EYES;
    const size_t apart = 6 * contacts + 2 * (size_t)lbs_grip_room(b, o) + 2 * solids + solids * solids / 2 +
                         (size_t)b->strength_count,
                 obstacles = 3 * solids * lbs_count_obstacles(p, figure);
    rows->conditions += apart + obstacles;
    rows->near += apart + (obstacles < MOST_NEAR ? obstacles : MOST_NEAR);
}

static void cut_rows(lbs_rows *rows, size_t most, size_t stride, lbm_arena *arena) {
    rows->most = (int)most;
    rows->jacobian = lbm_cut_aligned(arena, most * stride);
}

static void cut_values(lbs_body_values *v, const row_counts *most, size_t stride, lbm_arena *arena) {
    v->wishes = lbm_cut_doubles(arena, most->wishes);
    v->rules = lbm_cut_doubles(arena, most->rules);
    v->goals = lbm_cut_doubles(arena, most->goals);
    v->conditions = lbm_cut_doubles(arena, most->conditions);
    v->half_gradient = lbm_cut_aligned(arena, stride);
    v->half_curvature = lbm_cut_aligned(arena, stride);
}

static void cut_task(lbs_bodies_task *t, const row_counts *most, size_t stride, lbm_arena *arena) {
    cut_rows(&t->wishes, most->wishes, stride, arena);
    cut_rows(&t->rules, most->rules, stride, arena);
    cut_rows(&t->goals, most->goals, stride, arena);
    cut_rows(&t->conditions.near, most->near, stride, arena);
    t->conditions.near.residuals = lbm_cut_doubles(arena, most->near);
    t->levels.held = lbm_cut_doubles(arena, most->goals);
    t->levels.residuals = lbm_cut_doubles(arena, most->goals);
    t->conditions.most = (int)most->conditions;
    t->conditions.rows = lbm_cut(arena, most->conditions, sizeof(int));
    t->conditions.ids = lbm_cut(arena, most->conditions, sizeof(int));
    cut_values(&t->iterate, most, stride, arena);
    cut_values(&t->trial, most, stride, arena);
}

static void cut_step(lbs_body_step *s, const row_counts *most, size_t size, size_t stride, lbm_arena *arena) {
    s->matrix = lbm_cut_aligned(arena, size * stride);
    s->curvature = lbm_cut_aligned(arena, size * stride);
    double **vectors[] = {&s->gradient, &s->d, &s->low, &s->high};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_aligned(arena, stride);
    }
    const size_t active = size + 32;
    s->condition_values = lbm_cut_doubles(arena, most->conditions);
    s->qp.most = (int)active;
    s->qp.active = lbm_cut(arena, active, sizeof *s->qp.active);
    s->held = lbm_cut(arena, active, sizeof *s->held);
    s->qp.is_active = lbm_cut(arena, 2 * size + most->conditions, sizeof *s->qp.is_active);
    s->qp.u = lbm_cut_doubles(arena, active);
    s->qp.rates = lbm_cut_doubles(arena, active);
    s->qp.products = lbm_cut_doubles(arena, active);
    s->qp.schur = lbm_cut_doubles(arena, active * active);
    s->qp.free_minimum = lbm_cut_aligned(arena, stride);
    s->qp.factor = lbm_cut_aligned(arena, size * stride);
    s->qp.solved = lbm_cut_aligned(arena, (active + 1) * stride);
    s->rule_shift = lbm_cut_doubles(arena, most->rules);
    s->goal_shift = lbm_cut_doubles(arena, most->goals);
    s->condition_shift = lbm_cut_doubles(arena, most->conditions);
}

/* Points that are placed, at most. */
static size_t count_places(const lb_body *body, const lb_body_options *options) {
    return 1 + (size_t)body->contact_count + 2 * (size_t)body->solid_count + (size_t)body->strength_count +
           4 * (size_t)LBS_MAX_ARMS + (size_t)LBS_MAX_EYES + 1 + (size_t)options->load_count +
           2 * (size_t)options->swivel_count;
}

static void cut_body(lbs_body *b, const lb_problem *p, int figure, size_t stride, lbm_arena *arena) {
    const lb_figure *f = p->figures[figure];
    const lb_body *body = f->draft.body;
    const lb_body_options *options = lb_problem_body(p, figure);
    const size_t nodes = (size_t)f->node_count, solids = (size_t)body->solid_count;
    lbs_spot *spots = lbm_cut(arena, nodes + 1, sizeof *spots);
    /* panels of the segments that a body names: at most so many */
    const size_t spot_count = 3 + solids + (size_t)body->contact_count + (size_t)body->strength_count +
                              4 * (size_t)body->arm_count + (size_t)body->eye_count + LBS_MAX_FACES +
                              (size_t)options->load_count + 4 * (size_t)options->swivel_count;
    const int moves_all = lb_problem_pair_count(p) > 0; /* any segment may be one of a pair */
    double *panels =
        lbm_cut_aligned(arena, (!moves_all && spot_count < nodes + 1 ? spot_count : nodes + 1) * 6 * stride);
    lbs_body_mover *movers = lbm_cut(arena, (size_t)f->coordinate_count + (size_t)f->term_count, sizeof *movers);
    int *ints = lbm_cut(arena, 3 * nodes, sizeof *ints);
    lbs_contact *contacts = lbm_cut(arena, (size_t)body->contact_count, sizeof *contacts);
    int *force_contacts = lbm_cut(arena, (size_t)body->contact_count, sizeof *force_contacts);
    lbs_solid *solid_list = lbm_cut(arena, solids, sizeof *solid_list);
    lbs_pair *pairs = lbm_cut(arena, solids * solids / 2, sizeof *pairs);
    lbs_lever *levers = lbm_cut(arena, (size_t)body->strength_count, sizeof *levers);
    int *below = lbm_cut(arena, (size_t)body->strength_count * nodes, sizeof *below);
    lbs_body_point *loads = lbm_cut(arena, (size_t)options->load_count, sizeof *loads);
    double *moments = lbm_cut_aligned(arena, 8 * nodes);
    double(*lever_moments)[2] = lbm_cut(arena, (size_t)body->strength_count, sizeof *lever_moments);
    double(*places)[3] = lbm_cut(arena, count_places(body, options), sizeof *places);
    lbs_pull *pulls = lbm_cut(arena, nodes, sizeof *pulls);
    double *axes = lbm_cut_aligned(arena, nodes * 3 * stride), **axes_of = lbm_cut(arena, nodes, sizeof *axes_of);
    lb_contact_result *contact_results = lbm_cut(arena, (size_t)body->contact_count, sizeof *contact_results);
    lb_effort_result *effort_results = lbm_cut(arena, (size_t)body->strength_count, sizeof *effort_results);
    lbs_body_report *report = lbm_cut(arena, 1, sizeof *report);
    const size_t obstacles = lbs_count_obstacles(p, figure);
    lbm_transform *frames = lbm_cut(arena, obstacles, sizeof *frames);
    double(*ends)[2][3] = lbm_cut(arena, obstacles, sizeof *ends);
    const lbs_body_scene scene = {.obstacles = lbm_cut(arena, obstacles, sizeof(lbs_obstacle)),
                                  .frames = frames,
                                  .ends = ends,
                                  .props = lbm_cut(arena, (size_t)p->figure_count, sizeof(lb_kinematics *)),
                                  .swivels = lbm_cut(arena, (size_t)options->swivel_count, sizeof(lbs_swivel)),
                                  .bent_pose = lbm_cut_doubles(arena, (size_t)f->variable_count)};
    lbs_habit habit;
    lbs_cut_habit(&habit, p, figure, stride, arena);
    if (!arena->block) {
        return;
    }
    *b = (lbs_body){.body = body,
                    .figure = f,
                    .number = figure,
                    .solids = solid_list,
                    .pairs = pairs,
                    .habit = habit,
                    .places = places,
                    .report = report};
    b->motion = (lbs_body_motion){.spots = spots,
                                  .panels = panels,
                                  .spot_of_node = ints + 2 * nodes,
                                  .movers = movers,
                                  .first_movers = ints,
                                  .mover_counts = ints + nodes};
    b->stand = (lbs_body_stand){.contacts = contacts, .force_contacts = force_contacts};
    b->weight = (lbs_body_weight){.loads = loads,
                                  .levers = levers,
                                  .moments = (double(*)[4])moments,
                                  .loaded = (double(*)[4])(moments + 4 * nodes)};
    b->scene = scene;
    b->bend = (lbs_body_bend){.pulls = pulls, .axes = axes, .axes_of = axes_of};
    *report = (lbs_body_report){.contacts = contact_results, .efforts = effort_results};
    for (int i = 0; i < body->strength_count; i++) {
        levers[i].below = below + (size_t)i * nodes;
        levers[i].moment = lever_moments[i];
    }
}

static void cut_state(lbs_body_state *state, const lb_problem *p, int figure, lbm_arena *arena) {
    const lb_body *body = p->figures[figure]->draft.body;
    const size_t contacts = (size_t)body->contact_count;
    lbs_plane *planes = lbm_cut(arena, contacts, sizeof *planes);
    int *grips = lbm_cut(arena, contacts, sizeof *grips);
    double *slacks = lbm_cut_doubles(arena, lbs_count_obstacles(p, figure) * (size_t)body->solid_count);
    if (arena->block) {
        *state = (lbs_body_state){.planes = planes, .grips = grips, .slacks = slacks};
    }
}

/* The states of all bodies lie behind each other, and can be kept as one. */
static void cut_states(lbs_bodies *b, const lb_problem *p, lbm_arena *arena) {
    const size_t before = arena->used;
    lbs_body_state *states = lbm_cut(arena, (size_t)p->body_count, sizeof *states);
    for (int f = 0, n = 0; f < p->figure_count; f++) {
        if (lb_problem_body(p, f)) {
            cut_state(arena->block ? &states[n] : NULL, p, f, arena);
            if (arena->block) {
                b->plans[n].state = &states[n];
            }
            n++;
        }
    }
    b->state_size = arena->used - before;
    b->states = states;
    b->saved.states = lbm_cut(arena, b->state_size, 1);
}

static void cut_everything(lbs_bodies *b, const lbs_space *s, lbm_arena *arena) {
    const lb_problem *p = s->problem;
    const size_t given = s->max.limits + s->max.guards + (size_t)lb_problem_pair_count(p);
    row_counts most = {0, s->max.limits, s->max.rows, given, given};
    size_t size = (size_t)p->variable_count;
    for (int f = 0; f < p->figure_count; f++) {
        if (lb_problem_body(p, f)) {
            count_rows(p, f, &most);
            const lb_body *body = p->figures[f]->draft.body;
            size += (size_t)(body->contact_count + lbs_grip_room(body, lb_problem_body(p, f)));
        }
    }
    most.rules += most.goals; /* levels that are held */
    const size_t stride = (size_t)lbm_stride((int)size);
    lbs_body *bodies = lbm_cut(arena, (size_t)p->body_count, sizeof *bodies);
    lbs_body *kept = lbm_cut(arena, (size_t)p->body_count, sizeof *kept);
    int n = 0;
    for (int f = 0; f < p->figure_count; f++) {
        if (lb_problem_body(p, f)) {
            cut_body(arena->block ? &bodies[n++] : NULL, p, f, stride, arena);
        }
    }
    b->count = n;
    b->bodies = b->plans = bodies;
    b->saved.plans = kept;
    cut_states(b, p, arena);
    b->saved.answer = lbm_cut_aligned(arena, stride);
    cut_task(&b->task, &most, stride, arena);
    cut_step(&b->step, &most, size, stride, arena);
    double **vectors[] = {&b->x, &b->trial, &b->best, &b->kept, &b->work, &b->first, &b->planted, &b->spare, &b->lower, &b->upper};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_aligned(arena, stride);
    }
    b->rule_multipliers = lbm_cut_doubles(arena, 2 * most.rules);
    b->goal_multipliers = lbm_cut_doubles(arena, 2 * most.goals);
    b->condition_multipliers = lbm_cut_doubles(arena, 2 * most.conditions);
    b->start_pose = lbm_cut_doubles(arena, (size_t)p->variable_count);
    if (arena->block) {
        b->next.rules = b->rule_multipliers + most.rules;
        b->next.goals = b->goal_multipliers + most.goals;
        b->next.conditions = b->condition_multipliers + most.conditions;
    }
}

void lbs_bodies_destroy(lbs_bodies *b) {
    if (!b) {
        return;
    }
    for (int i = 0; i < b->count; i++) {
        lb_kinematics_destroy(b->bodies[i].kinematics);
        for (int f = 0; f < b->bodies[i].scene.prop_count; f++) {
            lb_kinematics_destroy(b->bodies[i].scene.props[f]);
        }
    }
    const lb_allocator a = b->allocator;
    lbf_delete(&a, b, b->size, 1);
}

/* The kinematics of a body and of the figures that are in its way. Returns 0 where there is no memory. */
static int make_kinematics(lbs_body *b, const lb_problem *p) {
    b->kinematics = lb_kinematics_create(b->figure, NULL);
    int is_made = b->kinematics != NULL;
    for (int f = 0; f < p->figure_count; f++) {
        const int is_prop = is_made && lbs_is_prop(p, b->number, f) && lb_figure_shape_count(p->figures[f]) > 0;
        b->scene.props[f] = is_prop ? lb_kinematics_create(p->figures[f], NULL) : NULL;
        is_made = is_made && (!is_prop || b->scene.props[f]);
    }
    b->scene.prop_count = p->figure_count;
    return is_made;
}

lb_status lbs_bodies_create(const lbs_space *s, struct lbs_apart *apart, lbs_bodies **made) {
    const lb_problem *p = s->problem;
    lbs_bodies counted;
    *made = NULL;
    if (p->body_count == 0) {
        return LB_OK;
    }
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    lbm_cut(&arena, 1, sizeof counted);
    cut_everything(&counted, s, &arena);
    const size_t size = arena.used;
    char *block = lbf_new(&p->allocator, size, 1);
    if (!block) {
        return LB_ERROR_MEMORY;
    }
    arena = lbm_arena_on(block, LBM_ARENA_LINE);
    lbs_bodies *b = lbm_cut(&arena, 1, sizeof *b);
    cut_everything(b, s, &arena);
    b->allocator = p->allocator;
    b->size = size;
    b->apart = apart;
    b->task.far = 1;
    for (int i = 0; i < b->count; i++) {
        if (!make_kinematics(&b->plans[i], p)) {
            lbs_bodies_destroy(b);
            return LB_ERROR_MEMORY;
        }
    }
    *made = b;
    return LB_OK;
}
