/* The plan of bodies: their memory, and all that depends on the problem alone. */
#include <math.h>
#include <string.h>

#include "math/arena.h"
#include "math/rotation.h"
#include "solve/body/body.h"

#define GRAVITY 9.81
#define TOUCHING 0.003     /* metres: solids that are this close at rest may be as close as there */
#define CLOSE_AT_REST 0.02 /* metres: what is closer, two joints apart, is flesh on flesh */
#define LIFTED 0.02        /* metres: a goal so much higher than where its foot stands lifts it */
#define HEAD_LOOK 0.22
#define EYE_LOOK 0.25

/* --- Memory ----------------------------------------------------------------------------------------------------------------- */

static int body_count(const lb_problem *p) {
    int count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        count += lb_problem_body(p, f) != NULL;
    }
    return count;
}

/* What the rows of a body are at most. */
typedef struct row_counts {
    size_t wishes, rules, goals, conditions;
} row_counts;

static void count_rows(const lb_problem *p, int figure, row_counts *rows) {
    const lb_body *b = p->figures[figure]->draft.body;
    const size_t solids = (size_t)b->solid_count, contacts = (size_t)b->contact_count;
    rows->wishes += (size_t)b->ease_count + 2 * (size_t)b->strength_count + 6 * LBS_MAX_ARMS + 3 * LBS_MAX_FACES +
                    3 * (LBS_MAX_EYES + 1) + contacts + 6 * LBS_MAX_FEET + 20;
    rows->rules += 2 * contacts + 4 * LBS_MAX_FEET + 4;
    rows->goals += 3 * LBS_MAX_EYES;
    rows->conditions += 6 * contacts + 2 * solids + solids * solids / 2;
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
    cut_rows(&t->conditions.near, most->conditions, stride, arena);
    t->conditions.near.residuals = lbm_cut_doubles(arena, most->conditions);
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

static void cut_body(lbs_body *b, const lb_problem *p, int figure, size_t stride, lbm_arena *arena) {
    const lb_figure *f = p->figures[figure];
    const lb_body *body = f->draft.body;
    const size_t nodes = (size_t)f->node_count, solids = (size_t)body->solid_count;
    lbs_spot *spots = lbm_cut(arena, nodes + 1, sizeof *spots);
    /* panels of the segments that a body names: at most so many */
    const size_t spot_count = 3 + solids + (size_t)body->contact_count + (size_t)body->strength_count +
                              4 * (size_t)body->arm_count + (size_t)body->eye_count + LBS_MAX_FACES +
                              (size_t)lb_problem_body(p, figure)->load_count;
    double *panels = lbm_cut_aligned(arena, (spot_count < nodes + 1 ? spot_count : nodes + 1) * 6 * stride);
    lbs_body_mover *movers = lbm_cut(arena, (size_t)f->coordinate_count + (size_t)f->term_count, sizeof *movers);
    int *ints = lbm_cut(arena, 3 * nodes, sizeof *ints);
    lbs_contact *contacts = lbm_cut(arena, (size_t)body->contact_count, sizeof *contacts);
    int *force_contacts = lbm_cut(arena, (size_t)body->contact_count, sizeof *force_contacts);
    lbs_solid *solid_list = lbm_cut(arena, solids, sizeof *solid_list);
    lbs_pair *pairs = lbm_cut(arena, solids * solids / 2, sizeof *pairs);
    lbs_lever *levers = lbm_cut(arena, (size_t)body->strength_count, sizeof *levers);
    int *below = lbm_cut(arena, (size_t)body->strength_count * nodes, sizeof *below);
    lbs_body_point *loads = lbm_cut(arena, (size_t)lb_problem_body(p, figure)->load_count, sizeof *loads);
    double *moments = lbm_cut_aligned(arena, 8 * nodes);
    lbs_pull *pulls = lbm_cut(arena, nodes, sizeof *pulls);
    double *axes = lbm_cut_aligned(arena, nodes * 3 * stride), **axes_of = lbm_cut(arena, nodes, sizeof *axes_of);
    lb_contact_result *contact_results = lbm_cut(arena, (size_t)body->contact_count, sizeof *contact_results);
    lb_effort_result *effort_results = lbm_cut(arena, (size_t)body->strength_count, sizeof *effort_results);
    if (!arena->block) {
        return;
    }
    *b = (lbs_body){.body = body,
                    .figure = f,
                    .number = figure,
                    .spots = spots,
                    .panels = panels,
                    .movers = movers,
                    .first_movers = ints,
                    .mover_counts = ints + nodes,
                    .spot_of_node = ints + 2 * nodes,
                    .contacts = contacts,
                    .force_contacts = force_contacts,
                    .solids = solid_list,
                    .pairs = pairs,
                    .levers = levers,
                    .loads = loads,
                    .moments = (double(*)[4])moments,
                    .loaded = (double(*)[4])(moments + 4 * nodes),
                    .pulls = pulls,
                    .axes = axes,
                    .axes_of = axes_of,
                    .contact_results = contact_results,
                    .effort_results = effort_results};
    for (int i = 0; i < body->strength_count; i++) {
        levers[i].below = below + (size_t)i * nodes;
    }
}

static void cut_everything(lbs_bodies *b, const lbs_space *s, lbm_arena *arena) {
    const lb_problem *p = s->problem;
    row_counts most = {0, s->max.limits, s->max.rows, s->max.limits + s->max.guards};
    size_t size = (size_t)p->variable_count;
    for (int f = 0; f < p->figure_count; f++) {
        if (lb_problem_body(p, f)) {
            count_rows(p, f, &most);
            size += (size_t)p->figures[f]->draft.body->contact_count;
        }
    }
    const size_t stride = (size_t)lbm_stride((int)size);
    lbs_body *bodies = lbm_cut(arena, (size_t)body_count(p), sizeof *bodies);
    lbs_body *kept = lbm_cut(arena, (size_t)body_count(p), sizeof *kept);
    int n = 0;
    for (int f = 0; f < p->figure_count; f++) {
        if (lb_problem_body(p, f)) {
            cut_body(arena->block ? &bodies[n++] : NULL, p, f, stride, arena);
        }
    }
    b->count = n;
    b->bodies = bodies;
    b->kept_bodies = kept;
    b->kept_answer = lbm_cut_aligned(arena, stride);
    cut_task(&b->task, &most, stride, arena);
    cut_step(&b->step, &most, size, stride, arena);
    double **vectors[] = {&b->x, &b->trial, &b->best, &b->kept, &b->work, &b->planted, &b->lower, &b->upper};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_aligned(arena, stride);
    }
    b->rule_multipliers = lbm_cut_doubles(arena, 2 * most.rules);
    b->goal_multipliers = lbm_cut_doubles(arena, 2 * most.goals);
    b->condition_multipliers = lbm_cut_doubles(arena, 2 * most.conditions);
    b->start_pose = lbm_cut_doubles(arena, (size_t)p->variable_count);
    if (arena->block) {
        b->next_rules = b->rule_multipliers + most.rules;
        b->next_goals = b->goal_multipliers + most.goals;
        b->next_conditions = b->condition_multipliers + most.conditions;
    }
}

void lbs_bodies_destroy(lbs_bodies *b) {
    if (!b) {
        return;
    }
    for (int i = 0; i < b->count; i++) {
        lb_kinematics_destroy(b->bodies[i].kinematics);
    }
    const lb_allocator a = b->allocator;
    lbf_delete(&a, b, b->size, 1);
}

lb_status lbs_bodies_create(const lbs_space *s, lbs_bodies **made) {
    const lb_problem *p = s->problem;
    lbs_bodies counted;
    *made = NULL;
    if (!body_count(p)) {
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
    for (int i = 0; i < b->count; i++) {
        b->bodies[i].kinematics = lb_kinematics_create(b->bodies[i].figure, NULL);
        if (!b->bodies[i].kinematics) {
            lbs_bodies_destroy(b);
            return LB_ERROR_MEMORY;
        }
    }
    *made = b;
    return LB_OK;
}

/* --- Spots and movers ------------------------------------------------------------------------------------------------------- */

static int node_of(const lbs_body *b, int segment) { return b->figure->mounts[segment].node; }

static void mark(lbs_body *b, int segment) {
    if (segment >= 0 && node_of(b, segment) >= 0) {
        b->spot_of_node[node_of(b, segment)] = 0;
    }
}

static void mark_segments(lbs_body *b, const lbs_space *s) {
    const lb_body *body = b->body;
    for (int i = 0; i < b->figure->node_count; i++) {
        b->spot_of_node[i] = -1;
    }
    mark(b, b->figure->draft.root.segment);
    mark(b, body->head);
    for (int i = 0; i < body->solid_count; i++) {
        mark(b, body->solids[i].segment);
    }
    for (int i = 0; i < body->contact_count; i++) {
        mark(b, body->contacts[i].segment);
    }
    for (int i = 0; i < body->strength_count; i++) {
        mark(b, body->strengths[i].segment);
    }
    for (int i = 0; i < body->arm_count; i++) {
        mark(b, body->arms[i].shoulder);
        mark(b, body->arms[i].hand);
        mark(b, body->arms[i].lap);
        mark(b, body->arms[i].palm >= 0 ? b->figure->draft.sites[body->arms[i].palm].segment : -1);
    }
    for (int i = 0; i < body->eye_count; i++) {
        mark(b, body->eyes[i]);
    }
    mark(b, body->gaze >= 0 ? b->figure->draft.sites[body->gaze].segment : -1);
    for (int i = 0; i < b->options->load_count; i++) {
        mark(b, b->options->loads[i].segment);
    }
    int faces = 0;
    for (int i = 0; i < s->item_count && faces < LBS_MAX_FACES; i++) {
        const lb_constraint *c = s->items[i].constraint;
        if (c->goal.carrier_segment >= 0 && c->goal.carrier_figure == b->number &&
            c->goal.carrier_segment < b->figure->draft.segment_count) {
            mark(b, c->goal.carrier_segment);
            faces++;
        }
    }
}

/* The spot 0 is the world. */
static void make_spots(lbs_body *b, const lbs_space *s, int stride) {
    mark_segments(b, s);
    b->spots[0] = (lbs_spot){-1, -1, b->panels};
    b->spot_count = 1;
    for (int node = 0; node < b->figure->node_count; node++) {
        if (b->spot_of_node[node] < 0) {
            continue;
        }
        int above = b->figure->nodes[node].parent;
        while (above >= 0 && b->spot_of_node[above] < 0) {
            above = b->figure->nodes[above].parent;
        }
        b->spot_of_node[node] = b->spot_count;
        b->spots[b->spot_count] = (lbs_spot){node, above < 0 ? -1 : b->spot_of_node[above],
                                             b->panels + (size_t)b->spot_count * 6 * (size_t)stride};
        b->spot_count++;
    }
}

static void make_movers(lbs_body *b, const lbs_space *s) {
    const lb_figure *f = b->figure;
    b->mover_count = 0;
    for (int node = 0; node < f->node_count; node++) {
        const lbf_node *n = &f->nodes[node];
        b->first_movers[node] = b->mover_count;
        for (int c = n->coordinate; c < n->coordinate + lbf_node_coordinates(n->kind); c++) {
            const lbf_influence in = lbf_influence_of(f, c);
            for (int i = 0; i < in.count; i++) {
                const int variable = in.first_term < 0 ? in.own : f->terms[in.first_term + i].variable;
                const int column = s->variables.active_of[b->first_variable + variable];
                if (column >= 0) {
                    b->movers[b->mover_count++] = (lbs_body_mover){node,
                                                                   c,
                                                                   column,
                                                                   in.first_term < 0 ? -1 : in.first_term + i,
                                                                   s->variables.scale[column],
                                                                   n->kind != LBF_NODE_TRANSLATE};
                }
            }
        }
        b->mover_counts[node] = b->mover_count - b->first_movers[node];
    }
}

static lbs_body_point point_of(const lbs_body *b, int segment, const double at[3]) {
    const lbf_mount *mount = &b->figure->mounts[segment];
    lbs_body_point point = {.spot = mount->node < 0 ? 0 : b->spot_of_node[mount->node], .mount = mount->offset};
    lbm_apply(&mount->offset, at, point.local);
    return point;
}

static const double origin[3] = {0, 0, 0}, ahead[3] = {1, 0, 0};

/* --- Parts ------------------------------------------------------------------------------------------------------------------ */

static lbs_foot *foot_of(lbs_body *b, int limb) {
    for (int i = 0; i < b->foot_count; i++) {
        if (b->feet[i].limb == limb) {
            return &b->feet[i];
        }
    }
    return NULL;
}

static void add_to_foot(lbs_body *b, int contact) {
    const lb_body_contact *c = &b->body->contacts[contact];
    lbs_foot *foot = foot_of(b, c->limb);
    if (!foot) {
        if (b->foot_count == LBS_MAX_FEET) {
            return;
        }
        foot = &b->feet[b->foot_count++];
        *foot = (lbs_foot){.limb = c->limb, .heel = -1, .toe = -1};
    }
    b->contacts[contact].foot = (int)(foot - b->feet);
    if (c->kind == LB_CONTACT_HEEL) {
        foot->heel = contact;
    } else if (c->kind == LB_CONTACT_TOE) {
        foot->toe = contact;
    } else if (foot->ball_count < LBS_MAX_BALLS) {
        foot->balls[foot->ball_count++] = contact;
    }
}

static void make_contacts(lbs_body *b, const lbs_space *s) {
    const lb_body *body = b->body;
    b->contact_count = body->contact_count;
    b->foot_count = b->force_count = b->is_seated = 0;
    for (int i = 0; i < body->contact_count; i++) {
        lbs_contact *contact = &b->contacts[i];
        const lb_contact_kind kind = body->contacts[i].kind;
        *contact = (lbs_contact){.point = point_of(b, body->contacts[i].segment, body->contacts[i].point),
                                 .force = -1,
                                 .foot = -1,
                                 .surface = {0, 0, b->options->floor},
                                 .half_size = {INFINITY, INFINITY}};
        if (kind == LB_CONTACT_HEEL || kind == LB_CONTACT_BALL || kind == LB_CONTACT_TOE) {
            add_to_foot(b, i);
        }
    }
    for (int i = 0; i < b->options->support_count; i++) {
        const lb_support *support = &b->options->supports[i];
        lbs_contact *contact = &b->contacts[support->contact];
        if (contact->foot >= 0) {
            continue; /* A foot stands by itself. */
        }
        contact->is_support = 1;
        b->is_seated |= body->contacts[support->contact].kind == LB_CONTACT_SEAT;
        if (support->surface >= 0) {
            const lb_surface *surface = &b->options->surfaces[support->surface];
            lbm_copy3(contact->surface, surface->point);
            contact->half_size[0] = surface->half_size[0];
            contact->half_size[1] = surface->half_size[1];
        }
    }
    const int balances = lbs_body_balances(b, s);
    for (int i = 0; i < b->contact_count && balances; i++) {
        if (b->contacts[i].foot >= 0 || b->contacts[i].is_support) {
            b->contacts[i].force = b->force_count;
            b->force_contacts[b->force_count++] = i;
        }
    }
}

static int is_in(const lb_figure *f, int segment, int limb) {
    while (segment >= 0 && segment != limb) {
        segment = segment < f->draft.segment_count ? lb_figure_parent_segment(f, segment) : -1;
    }
    return segment >= 0;
}

/* How a constraint on a foot moves it. */
static lbs_foot_state moved_foot(const lbs_body *b, const lb_constraint *c, double rest_height) {
    const int is_in_world = c->goal.carrier_segment < 0;
    const int has_point =
        c->goal.kind == LB_GOAL_POSITION || c->goal.kind == LB_GOAL_FRAME || c->goal.kind == LB_GOAL_PLANE;
    (void)b;
    return is_in_world && has_point && c->goal.point[2] > rest_height + LIFTED ? LBS_FOOT_LIFTED : LBS_FOOT_STEPS;
}

static void choose_feet(lbs_body *b, const lbs_space *s) {
    for (int i = 0; i < b->foot_count; i++) {
        lbs_foot *foot = &b->feet[i];
        const lb_foot_mode mode = foot->limb >= 0 ? b->options->feet_modes[foot->limb] : LB_FOOT_MODE_AUTO;
        foot->state = mode == LB_FOOT_MODE_STEP     ? LBS_FOOT_STEPS
                      : mode == LB_FOOT_MODE_LIFTED ? LBS_FOOT_LIFTED
                                                    : LBS_FOOT_PLANTED;
        foot->is_free_to_step = mode == LB_FOOT_MODE_AUTO;
        for (int k = 0; k < s->item_count && mode == LB_FOOT_MODE_AUTO; k++) {
            const lb_constraint *c = s->items[k].constraint;
            if (!s->items[k].enabled || c->figure != b->number || c->effector.kind != LB_EFFECTOR_FRAME) {
                continue;
            }
            const int heel = foot->heel >= 0 ? b->body->contacts[foot->heel].segment : -1;
            const int ball = foot->ball_count ? b->body->contacts[foot->balls[0]].segment : -1;
            if (c->effector.segment == heel || c->effector.segment == ball) {
                const lbs_body_point at = point_of(b, c->effector.segment, c->effector.point);
                double world[3];
                lbm_apply(lbs_body_frame(b, at.spot), at.local, world);
                foot->state = moved_foot(b, c, world[2]);
                foot->is_free_to_step = 0;
            }
        }
        for (int k = 0; k < b->contact_count && mode == LB_FOOT_MODE_AUTO; k++) {
            if (b->contacts[k].is_support && b->body->contacts[k].limb == foot->limb) {
                foot->state = LBS_FOOT_STEPS;
                foot->is_free_to_step = 0;
            }
        }
        foot->planned = foot->state;
    }
}

static int on_spine(const lbs_body *b, int segment) {
    return segment == b->figure->draft.root.segment || (b->body->head >= 0 && is_in(b->figure, b->body->head, segment));
}

/* How many solids are on the way from one solid to another; 0: none, they are neighbours. */
static int solids_between(const lbs_body *b, int first, int second) {
    const lb_figure *f = b->figure;
    const int a = b->body->solids[first].segment, z = b->body->solids[second].segment;
    int common = a, count = 0;
    while (common >= 0 && !is_in(f, z, common)) {
        common = lb_figure_parent_segment(f, common);
    }
    for (int i = 0; i < b->body->solid_count; i++) {
        const int segment = b->body->solids[i].segment;
        if (i == first || i == second || segment == a || segment == z) {
            continue;
        }
        count += segment == common || ((is_in(f, a, segment) != is_in(f, z, segment)));
    }
    return count;
}

static void make_solids(lbs_body *b) {
    const lb_body *body = b->body;
    b->solid_count = body->solid_count;
    b->pair_count = 0;
    for (int i = 0; i < body->solid_count; i++) {
        lbs_solid *solid = &b->solids[i];
        *solid = (lbs_solid){.from = point_of(b, body->solids[i].segment, body->solids[i].from),
                             .to = point_of(b, body->solids[i].segment, body->solids[i].to),
                             .radius = body->solids[i].radius};
        lbs_body_place_point(b, &solid->from);
        lbs_body_place_point(b, &solid->to);
        double axis[3];
        lbm_sub3(solid->to.world, solid->from.world, axis);
        solid->half_length = 0.5 * lbm_norm3(axis);
        const double below[2] = {solid->radius - solid->from.world[2], solid->radius - solid->to.world[2]};
        for (int k = 0; k < 2; k++) {
            solid->floor_slack[k] = below[k] > 0 ? below[k] : 0;
        }
    }
    for (int i = 0; i < body->solid_count; i++) {
        for (int k = i + 1; k < body->solid_count; k++) {
            double p[3], q[3], normal[3];
            const int first = body->solids[i].segment, second = body->solids[k].segment;
            if (first == second || (on_spine(b, first) && on_spine(b, second))) {
                continue;
            }
            const int between = solids_between(b, i, k);
            const double distance = lbs_solid_distance(&b->solids[i], &b->solids[k], p, q, normal);
            if (between == 0 || (between == 1 && distance < CLOSE_AT_REST)) {
                continue;
            }
            b->pairs[b->pair_count++] = (lbs_pair){i, k, distance - TOUCHING < 0 ? distance - TOUCHING : 0};
        }
    }
}

static void make_levers(lbs_body *b) {
    const lb_figure *f = b->figure;
    b->lever_count = 0;
    for (int i = 0; i < b->body->strength_count; i++) {
        const lb_body_strength *strength = &b->body->strengths[i];
        lbs_lever *lever = &b->levers[b->lever_count];
        int *below = lever->below;
        *lever = (lbs_lever){.joint = point_of(b, strength->segment, origin),
                             .node = node_of(b, strength->segment),
                             .scale = GRAVITY / strength->moment,
                             .below = below,
                             .strength = i};
        if (lever->node < 0) {
            continue;
        }
        for (int node = lever->node + 1; node < f->node_count; node++) {
            int above = f->nodes[node].parent;
            while (above > lever->node) {
                above = f->nodes[above].parent;
            }
            if (above == lever->node) {
                below[lever->below_count++] = node;
            }
        }
        b->lever_count++;
    }
}

static int is_busy(const lbs_body *b, const lbs_space *s, const lb_body_arm *arm) {
    for (int i = 0; i < s->item_count; i++) {
        const lb_constraint *c = s->items[i].constraint;
        if (s->items[i].enabled && c->figure == b->number && c->effector.kind == LB_EFFECTOR_FRAME &&
            is_in(b->figure, c->effector.segment, arm->shoulder)) {
            return 1;
        }
    }
    for (int i = 0; i < b->contact_count; i++) {
        if (b->contacts[i].is_support && is_in(b->figure, b->body->contacts[i].segment, arm->shoulder)) {
            return 1;
        }
    }
    return 0;
}

/* The x axis of a site in the frame of its node. */
static void site_axis(const lbs_body *b, int site, double axis[3]) {
    lbm_transform t;
    lbm_transform_from_frame(&b->figure->draft.sites[site].frame, &t);
    lbm_rotate(&b->figure->mounts[b->figure->draft.sites[site].segment].offset, t.x, axis);
}

static void make_arms(lbs_body *b, const lbs_space *s) {
    b->arm_count = b->body->arm_count < LBS_MAX_ARMS ? b->body->arm_count : LBS_MAX_ARMS;
    for (int i = 0; i < b->arm_count; i++) {
        const lb_body_arm *arm = &b->body->arms[i];
        lbs_arm_of_body *made = &b->arms[i];
        *made = (lbs_arm_of_body){.is_idle = !is_busy(b, s, arm),
                                  .shoulder = point_of(b, arm->shoulder, origin),
                                  .hand = point_of(b, arm->hand, origin)};
        made->palm = made->hand;
        if (arm->palm >= 0) {
            const lb_site *site = &b->figure->draft.sites[arm->palm];
            made->palm = point_of(b, site->segment, site->frame.position);
            site_axis(b, arm->palm, made->palm_axis);
        }
        made->lap = arm->lap >= 0 ? point_of(b, arm->lap, arm->lap_point) : made->hand;
        if (arm->lap >= 0) {
            lbm_rotate(&b->figure->mounts[arm->lap].offset, ahead, made->lap_axis);
        }
    }
}

/* The direction from a point towards the axis of the solid that it is nearest to, in the rest pose; both in the world. */
static int towards_body(const lbs_body *b, const double at[3], int except, double direction[3]) {
    double best = INFINITY;
    for (int i = 0; i < b->solid_count; i++) {
        if (is_in(b->figure, b->body->solids[i].segment, except)) {
            continue;
        }
        lbs_solid dot = {.radius = 0};
        double p[3], q[3], normal[3];
        lbm_copy3(dot.from.world, at);
        lbm_copy3(dot.to.world, at);
        const double distance = lbs_solid_distance(&dot, &b->solids[i], p, q, normal);
        if (distance < best) {
            best = distance;
            lbm_set3(direction, -normal[0], -normal[1], -normal[2]);
        }
    }
    return best < INFINITY;
}

static void rotate_back(const lbm_transform *t, const double v[3], double out[3]) {
    const double x = lbm_dot3(t->x, v), y = lbm_dot3(t->y, v), z = lbm_dot3(t->z, v);
    lbm_set3(out, x, y, z);
}

/* A palm that is to be at a place of the body itself faces it, one that carries weight faces down. */
static void make_faces(lbs_body *b, const lbs_space *s) {
    b->face_count = 0;
    for (int i = 0; i < b->arm_count; i++) {
        const lb_body_arm *arm = &b->body->arms[i];
        for (int k = 0; k < b->contact_count && arm->palm >= 0; k++) {
            if (b->contacts[k].is_support && b->body->contacts[k].kind == LB_CONTACT_PALM &&
                is_in(b->figure, b->body->contacts[k].segment, arm->shoulder) && b->face_count < LBS_MAX_FACES) {
                lbs_face *face = &b->faces[b->face_count++];
                *face = (lbs_face){.palm = b->arms[i].palm, .carrier = -1, .direction = {0, 0, 1}};
                lbm_copy3(face->axis, b->arms[i].palm_axis);
            }
        }
        for (int k = 0; k < s->item_count && arm->palm >= 0; k++) {
            const lb_constraint *c = s->items[k].constraint;
            const int carrier = c->goal.carrier_segment;
            if (!s->items[k].enabled || c->figure != b->number || c->goal.kind != LB_GOAL_POSITION || carrier < 0 ||
                carrier >= b->figure->draft.segment_count || c->goal.carrier_figure != b->number ||
                c->effector.kind != LB_EFFECTOR_FRAME || !is_in(b->figure, c->effector.segment, arm->hand) ||
                b->face_count == LBS_MAX_FACES) {
                continue;
            }
            const lbs_body_point at = point_of(b, carrier, c->goal.point);
            double world[3], direction[3], back[3];
            lbm_apply(lbs_body_frame(b, at.spot), at.local, world);
            if (towards_body(b, world, arm->shoulder, direction)) {
                lbs_face *face = &b->faces[b->face_count++];
                *face = (lbs_face){.palm = b->arms[i].palm, .carrier = at.spot};
                lbm_copy3(face->axis, b->arms[i].palm_axis);
                rotate_back(lbs_body_frame(b, at.spot), direction, back);
                lbm_set3(face->direction, -back[0], -back[1], -back[2]);
            }
        }
    }
}

/* --- Eyes ------------------------------------------------------------------------------------------------------------------- */

lbs_gaze lbs_gaze_of(const lb_problem *p, const lb_constraint *c) {
    const lb_body_options *o = lb_problem_body(p, c->figure);
    const lb_body *body = o ? p->figures[c->figure]->draft.body : NULL;
    if (!body || body->gaze < 0 || c->goal.kind != LB_GOAL_AIM || c->effector.kind != LB_EFFECTOR_FRAME) {
        return LBS_GAZE_NONE;
    }
    const lb_site *site = &p->figures[c->figure]->draft.sites[body->gaze];
    if (c->effector.segment != site->segment ||
        memcmp(c->effector.point, site->frame.position, 3 * sizeof(double)) != 0) {
        return LBS_GAZE_NONE;
    }
    return o->eyes && body->eye_count > 0 ? LBS_GAZE_EYES : LBS_GAZE_HEAD;
}

void lbs_redirect_gaze(const lb_problem *p, lb_constraint *c) {
    const lb_body *body = p->figures[c->figure]->draft.body;
    c->effector.segment = body->eyes[0];
    lbm_set3(c->effector.point, 0, 0, 0);
    lbm_set3(c->effector.x, 1, 0, 0);
    lbm_set3(c->effector.y, 0, 1, 0);
}

static void make_looks(lbs_body *b, const lbs_space *s) {
    const lb_body *body = b->body;
    const int eyes = b->options->eyes ? (body->eye_count < LBS_MAX_EYES ? body->eye_count : LBS_MAX_EYES) : 0;
    b->look_count = b->target_count = b->has_gaze = b->has_target = 0;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        if (item->enabled && item->index >= 0 && item->constraint->figure == b->number &&
            lbs_gaze_of(s->problem, &s->problem->constraints[item->index].constraint)) {
            b->has_gaze = 1;
            b->target_items[0] = i;
            b->target_count = 1;
        }
    }
    for (int i = 0; i < s->item_count && !b->has_gaze; i++) {
        const lb_constraint *c = s->items[i].constraint;
        if (!s->items[i].enabled || c->figure != b->number || c->effector.kind != LB_EFFECTOR_FRAME ||
            (c->goal.kind != LB_GOAL_POSITION && c->goal.kind != LB_GOAL_FRAME) || c->goal.carrier_segment >= 0) {
            continue;
        }
        for (int k = 0; k < body->arm_count; k++) {
            if (is_in(b->figure, c->effector.segment, body->arms[k].hand) && b->target_count < LBS_MAX_TARGETS) {
                b->target_items[b->target_count++] = i;
                b->has_target = 1;
                break;
            }
        }
    }
    if (!b->has_gaze && !b->has_target) {
        return;
    }
    if (!b->has_gaze && body->gaze >= 0) {
        const lb_site *site = &b->figure->draft.sites[body->gaze];
        lbs_look *look = &b->looks[b->look_count++];
        *look = (lbs_look){.eye = point_of(b, site->segment, site->frame.position), .weight = HEAD_LOOK};
        site_axis(b, body->gaze, look->axis);
    }
    for (int i = 0; i < eyes; i++) {
        lbs_look *look = &b->looks[b->look_count++];
        *look = (lbs_look){.eye = point_of(b, body->eyes[i], origin), .weight = EYE_LOOK, .is_goal = b->has_gaze};
        lbm_rotate(&b->figure->mounts[body->eyes[i]].offset, ahead, look->axis);
    }
}

/* --- All of it -------------------------------------------------------------------------------------------------------------- */

static void plan_body(lbs_bodies *all, lbs_body *b, lbs_space *s) {
    const lb_problem *p = s->problem;
    b->options = lb_problem_body(p, b->number);
    b->first_variable = p->first_variables[b->number];
    b->has_root = b->figure->root_coordinates == 6;
    b->mass = b->figure->mass;
    make_spots(b, s, all->task.stride);
    make_movers(b, s);
    b->load_count = b->options->load_count;
    for (int i = 0; i < b->load_count; i++) {
        b->loads[i] = point_of(b, b->options->loads[i].segment, b->options->loads[i].point);
        b->mass += b->options->loads[i].mass;
    }
    lbf_update(b->kinematics, b->figure->rest, &b->figure->every_node);
    b->root = point_of(b, b->figure->draft.root.segment, origin);
    lbs_body_place_point(b, &b->root);
    b->head_spot =
        b->body->head >= 0 && node_of(b, b->body->head) >= 0 ? b->spot_of_node[node_of(b, b->body->head)] : -1;
    if (b->head_spot >= 0) {
        b->head_mount = b->figure->mounts[b->body->head].offset;
    }
    make_contacts(b, s);
    choose_feet(b, s);
    make_solids(b);
    make_levers(b);
    make_arms(b, s);
    make_faces(b, s);
    make_looks(b, s);
}

static void find_foot(lbs_body *b, lbs_foot *foot, double middle[3], double tip[3], double along[3]) {
    lbm_set3(middle, 0, 0, 0);
    for (int i = 0; i < foot->ball_count; i++) {
        lbs_body_place_point(b, &b->contacts[foot->balls[i]].point);
        lbm_add_scaled3(middle, b->contacts[foot->balls[i]].point.world, 1.0 / foot->ball_count);
    }
    lbm_copy3(tip, middle);
    lbm_copy3(along, ahead);
    if (foot->toe >= 0) {
        lbs_body_place_point(b, &b->contacts[foot->toe].point);
        lbm_copy3(tip, b->contacts[foot->toe].point.world);
        lbm_sub3(tip, middle, along);
        along[2] = 0;
        const double length = lbm_norm3(along);
        for (int c = 0; c < 3; c++) {
            along[c] = length > 0 ? along[c] / length : ahead[c];
        }
    }
}

/* Where the feet are in the rest pose, and how they point there as toes and root see it. */
static void find_rest(lbs_body *b) {
    lbf_update(b->kinematics, b->figure->rest, &b->figure->every_node);
    for (int i = 0; i < b->foot_count; i++) {
        lbs_foot *foot = &b->feet[i];
        double tip[3];
        find_foot(b, foot, foot->rest_middle, tip, foot->rest_ahead);
        if (foot->ball_count) {
            rotate_back(lbs_body_frame(b, b->contacts[foot->balls[0]].point.spot), foot->rest_ahead,
                        foot->ahead_in_toes);
        }
        rotate_back(lbs_body_frame(b, b->root.spot), foot->rest_ahead, foot->ahead_in_root);
    }
    lbs_body_place_point(b, &b->root);
    lbm_copy3(b->rest_root, b->root.world);
    lbm_transform placed;
    lbm_transform_multiply(lbs_body_frame(b, b->root.spot), &b->root.mount, &placed);
    lbm_copy3(b->rest_axes[0], placed.x);
    lbm_copy3(b->rest_axes[1], placed.y);
    lbm_copy3(b->rest_axes[2], placed.z);
}

/* Where the root is wished to be: as at rest, but over the feet as they stand now. */
static void begin_body(lbs_body *b, const double *start) {
    double from[2] = {0, 0}, to[2] = {0, 0}, cosine = 0, sine = 0;
    lbf_update(b->kinematics, start + b->first_variable, &b->figure->every_node);
    for (int i = 0; i < b->foot_count; i++) {
        lbs_foot *foot = &b->feet[i];
        foot->state = foot->planned;
        find_foot(b, foot, foot->middle, foot->tip, foot->ahead);
        for (int c = 0; c < 2; c++) {
            from[c] += foot->rest_middle[c] / b->foot_count;
            to[c] += foot->middle[c] / b->foot_count;
        }
        cosine += foot->rest_ahead[0] * foot->ahead[0] + foot->rest_ahead[1] * foot->ahead[1];
        sine += foot->rest_ahead[0] * foot->ahead[1] - foot->rest_ahead[1] * foot->ahead[0];
    }
    if (!b->foot_count) {
        lbs_body_place_point(b, &b->root);
        lbm_copy3(b->root_at, b->root.world);
        memcpy(b->root_axes, b->rest_axes, sizeof b->root_axes);
        b->heading[0] = 1;
        b->heading[1] = 0;
        return;
    }
    const double length = sqrt(cosine * cosine + sine * sine);
    cosine = length > 0 ? cosine / length : 1;
    sine = length > 0 ? sine / length : 0;
    b->heading[0] = cosine;
    b->heading[1] = sine;
    const double off[2] = {b->rest_root[0] - from[0], b->rest_root[1] - from[1]};
    lbm_set3(b->root_at, to[0] + cosine * off[0] - sine * off[1], to[1] + sine * off[0] + cosine * off[1],
             b->rest_root[2]);
    for (int i = 0; i < 3; i++) {
        const double *axis = b->rest_axes[i];
        lbm_set3(b->root_axes[i], cosine * axis[0] - sine * axis[1], sine * axis[0] + cosine * axis[1], axis[2]);
    }
}

void lbs_bodies_begin(lbs_bodies *all, lbs_space *s, const double *start) {
    if (all->revision != s->revision || all->task.space != s) {
        all->task.space = s;
        all->task.n = s->n;
        int size = s->n;
        for (int i = 0; i < all->count; i++) {
            all->bodies[i].first_force = size;
            size += all->bodies[i].body->contact_count;
        }
        all->task.size = size;
        all->task.stride = lbm_stride(size);
        for (int i = 0; i < all->count; i++) {
            plan_body(all, &all->bodies[i], s);
            find_rest(&all->bodies[i]);
        }
        all->revision = s->revision;
    }
    for (int i = 0; i < all->count; i++) {
        begin_body(&all->bodies[i], start);
        lbs_body_leave_feet(&all->bodies[i], s);
    }
}
