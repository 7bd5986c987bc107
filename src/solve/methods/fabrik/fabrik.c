/* FABRIK, forward and backward reaching (Aristidou & Lasenby 2011): works on the positions of joints, not on angles.
 *
 * The vertices are the centres of the turning nodes and the end-effectors' points; each is at a fixed distance from the
 * vertex that carries it. From the tips inwards, every end-effector is put on its goal and each vertex is drawn after
 * its child, at its distance, along the line to where it was; where several children draw, the mean of what they ask
 * for is taken, weighted. From the root outwards, the root goes back to its place and each vertex is drawn after its
 * parent. A single goal out of reach has the chain stretched straight at it.
 *
 * Then angles from positions: from the root to the tips each joint is turned, axis by axis, to bring what it carries
 * nearest to where the reaching wants it (the closed form of one turn: theta = atan2(sum w u . (a x b), sum w (a . b -
 * (a . u)(b . u)))), within its limits. Limits and hinges do not let all positions come true: the next reaching begins
 * from those that did. An iteration that gains nothing is followed by one whose joints turn for all that hangs on them,
 * then by one for the end-effectors alone. Translations stay as they are.
 *
 * Rigidity and preferred angles (lbs_damping) shorten the turns; what a stiff joint leaves undone the joints beyond it
 * make up for, since each turns from where it has come to. A damped variable turns once an iteration. */
#include "solve/methods/fabrik/fabrik.h"

#include <string.h>

#include "math/arena.h"

#define PATIENCE 40     /* iterations without anything better */
#define MOST_ATTEMPTS 4 /* from saddles that were left */

/* Cuts all arrays, or counts them. */
static void cut_arrays(lbs_fabrik *f, const lbs_space *s, lbm_arena *arena) {
    const size_t vertices = (size_t)s->columns.node_count + (size_t)s->item_count;
    f->vertices = lbm_cut(arena, vertices, sizeof *f->vertices);
    f->vertex_of = lbm_cut(arena, vertices, sizeof *f->vertex_of);
    f->best.z = lbm_cut_doubles(arena, s->max.n);
    f->judge = lbm_cut_doubles(arena, lbs_judge_size(s));
}

size_t lbs_fabrik_size(const lbs_space *s) {
    lbs_fabrik f;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_arrays(&f, s, &arena);
    return lbm_arena_doubles(&arena);
}

/* --- What it cannot do --------------------------------------------------------------------------------------- */

static const char *goal_problem(const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    if (item->index < 0) {
        return "closes a loop";
    }
    if (c->goal.kind != LB_GOAL_POSITION) {
        return "is no position goal";
    }
    if (c->effector.kind != LB_EFFECTOR_FRAME) {
        return "places the centre of mass";
    }
    if (c->goal.carrier_segment >= 0 && c->goal.carrier_figure == 0) {
        return "has a goal that a segment carries";
    }
    if (item->group >= 0) {
        return "is one of several alternatives";
    }
    return NULL;
}

/* The name of a variable that may move and drives another joint; NULL if there is none. */
static const char *driving_variable(const lbs_space *s) {
    const lb_figure *f = s->problem->figures[0];
    for (int t = 0; t < f->term_count; t++) {
        if (s->variables.active_of[f->terms[t].variable] >= 0) {
            return f->variables[f->terms[t].variable].name;
        }
    }
    return NULL;
}

/* Figures beside the first may be there as things that stand: a table, a ball that is the goal. */
static int others_move(const lbs_space *s) {
    const lb_problem *p = s->problem;
    for (int i = 0; i < s->item_count; i++) {
        if (s->items[i].enabled && s->items[i].constraint->figure != 0) {
            return 1;
        }
    }
    for (int v = p->figures[0]->variable_count; v < p->variable_count; v++) {
        if (s->variables.active_of[v] >= 0) {
            return 1;
        }
    }
    return 0;
}

static int cannot(const lbs_space *s, lb_error *error) {
    const char *why = NULL, *name = "";
    if (others_move(s)) {
        why = "it moves one figure only";
    }
    if (!why && s->problem->figures[0]->loop_count > 0) {
        why = "the figure has loops";
    }
    if (!why && s->task.level_count > 1) {
        why = "it knows no priorities";
    }
    for (int i = 0; i < s->item_count && !why; i++) {
        if (!s->items[i].enabled || !goal_problem(&s->items[i])) {
            continue;
        }
        const char *given = s->items[i].constraint->name;
        lbf_fail(error, LB_ERROR_UNSUPPORTED, "fabrik cannot do this problem: constraint '", given ? given : "", "' ",
                 goal_problem(&s->items[i]), ", and it knows position goals fixed in the world only; use lm",
                 (char *)0);
        return 1;
    }
    if (!why && (name = driving_variable(s))) {
        why = " drives joints, and it turns each by itself";
    }
    if (!why) {
        return 0;
    }
    lbf_fail(error, LB_ERROR_UNSUPPORTED, "fabrik cannot do this problem: ", name ? name : "", why, "; use lm",
             (char *)0);
    return 1;
}

/* Where an item's goal is in the world; what carries it does not move. */
static void goal_of(const lbs_fabrik *f, int item, double point_w[3]) {
    const lb_goal *goal = &f->s->items[item].goal.goal;
    lbm_copy3(point_w, goal->point);
    if (goal->carrier_segment < 0) {
        return;
    }
    lbm_transform carrier;
    lbf_segment_transform(f->s->kinematics[goal->carrier_figure], goal->carrier_segment, &carrier);
    lbm_apply(&carrier, goal->point, point_w);
}

/* --- Vertices ------------------------------------------------------------------------------------------------ */

static int is_turning(const lbs_fabrik *f, int node) {
    const lbf_node *n = &f->figure->nodes[node];
    if (n->kind == LBF_NODE_TRANSLATE) {
        return 0;
    }
    for (int k = 0; k < lbf_node_coordinates(n->kind); k++) {
        int own = f->figure->coordinate_variable[n->coordinate + k];
        if (own >= 0 && f->s->variables.active_of[own] >= 0) {
            return 1;
        }
    }
    return 0;
}

void lbs_fabrik_place(lbs_fabrik *f) {
    lbs_to_pose(f->s, f->z, f->s->last.pose);
    lb_kinematics_update(f->kinematics, f->s->last.pose);
    f->s->last.is_valid = 0;
    for (int i = 0; i < f->count; i++) {
        lbs_vertex *v = &f->vertices[i];
        if (v->node >= 0) {
            lbm_copy3(v->at, f->kinematics->frames[v->node].p);
            continue;
        }
        double e[9];
        lb_kinematics_effector(f->kinematics, &f->s->items[v->item].constraint->effector, e);
        lbm_copy3(v->at, e);
    }
}

static void add_vertex(lbs_fabrik *f, int node, int item, int carrier) {
    lbs_vertex *v = &f->vertices[f->count];
    memset(v, 0, sizeof *v);
    while (carrier >= 0 && f->vertex_of[carrier] < 0) {
        carrier = f->figure->nodes[carrier].parent;
    }
    v->parent = carrier < 0 ? -1 : f->vertex_of[carrier];
    v->node = node;
    v->item = item;
    if (node >= 0) {
        f->vertex_of[node] = f->count;
    }
    f->count++;
}

static void list_vertices(lbs_fabrik *f) {
    const lbs_space *s = f->s;
    f->count = 0;
    for (int i = 0; i < f->figure->node_count; i++) {
        f->vertex_of[i] = -1;
        if (is_turning(f, i)) {
            add_vertex(f, i, -1, f->figure->nodes[i].parent);
        }
    }
    for (int i = 0; i < s->item_count; i++) {
        const lb_constraint *c = s->items[i].constraint;
        if (!s->items[i].enabled || !(c->weight > 0)) {
            continue;
        }
        add_vertex(f, -1, i, f->figure->mounts[c->effector.segment].node);
        f->vertices[f->count - 1].weight = c->weight;
        f->items++;
    }
    lbs_fabrik_place(f);
    for (int i = f->count - 1; i >= 0; i--) {
        lbs_vertex *v = &f->vertices[i];
        if (v->parent < 0) {
            continue;
        }
        double to[3];
        lbm_sub3(v->at, f->vertices[v->parent].at, to);
        v->length = lbm_safe_norm3(to);
        if (v->length < 1e-12) {
            v->length = 0;
        }
        f->vertices[v->parent].weight += v->weight;
    }
    for (int i = 0; i < f->count; i++) {
        lbs_vertex *v = &f->vertices[i];
        v->joint = v->parent >= 0 && v->length == 0 ? f->vertices[v->parent].joint : i;
    }
}

/* --- Reaching ------------------------------------------------------------------------------------------------ */

/* out: at `length` from `from` towards `to`; along `spare` where those two are one. */
static void draw(const double from[3], const double to[3], double length, const double spare[3], double out[3]) {
    double way[3];
    lbm_sub3(to, from, way);
    double distance = lbm_safe_norm3(way);
    if (!(distance > 0)) {
        lbm_copy3(way, spare);
        distance = lbm_safe_norm3(way);
    }
    double part = distance > 0 ? length / distance : 0;
    for (int i = 0; i < 3; i++) {
        out[i] = from[i] + part * way[i];
    }
}

static void reach_inwards(lbs_fabrik *f) {
    for (int i = 0; i < f->count; i++) {
        memset(f->vertices[i].sum, 0, sizeof f->vertices[i].sum);
    }
    for (int i = f->count - 1; i >= 0; i--) {
        lbs_vertex *v = &f->vertices[i];
        if (!(v->weight > 0)) {
            continue;
        }
        if (v->node < 0) {
            goal_of(f, v->item, v->wanted);
        } else {
            for (int k = 0; k < 3; k++) {
                v->wanted[k] = v->sum[k] / v->weight;
            }
        }
        if (v->parent < 0) {
            continue;
        }
        lbs_vertex *p = &f->vertices[v->parent];
        double asked[3], spare[3];
        lbm_sub3(p->at, v->at, spare);
        draw(v->wanted, p->at, v->length, spare, asked);
        for (int k = 0; k < 3; k++) {
            p->sum[k] += v->weight * asked[k];
        }
    }
}

static void reach_outwards(lbs_fabrik *f) {
    for (int i = 0; i < f->count; i++) {
        lbs_vertex *v = &f->vertices[i];
        if (!(v->weight > 0)) {
            continue;
        }
        if (v->parent < 0) {
            lbm_copy3(v->wanted, v->at);
            continue;
        }
        const lbs_vertex *p = &f->vertices[v->parent];
        double spare[3], to[3];
        lbm_sub3(v->at, p->at, spare);
        lbm_copy3(to, v->wanted);
        draw(p->wanted, to, v->length, spare, v->wanted);
    }
}

/* A single goal farther away than the chain is long: 1 if so, with the chain drawn straight towards it. */
static int stretch(lbs_fabrik *f) {
    if (f->items != 1) {
        return 0;
    }
    double length = 0, way[3], goal[3];
    const double *base = NULL;
    int found = 0;
    for (int i = f->count - 1; i >= 0; i--) {
        const lbs_vertex *v = &f->vertices[i];
        if (!(v->weight > 0)) {
            continue;
        }
        if (v->node < 0) {
            goal_of(f, v->item, goal), found = 1;
        }
        if (v->parent < 0) {
            base = v->at;
        }
        length += v->length;
    }
    if (!found || !base) {
        return 0;
    }
    lbm_sub3(goal, base, way);
    if (!(lbm_safe_norm3(way) > length)) {
        return 0;
    }
    for (int i = 0; i < f->count; i++) {
        lbs_vertex *v = &f->vertices[i];
        if (v->weight > 0 && v->parent >= 0) {
            lbm_copy3(v->wanted, goal);
        }
    }
    reach_outwards(f);
    return 1;
}

/* --- Iterating ----------------------------------------------------------------------------------------------- */

static void aim_at_goals(lbs_fabrik *f) {
    for (int i = 0; i < f->count; i++) {
        lbs_vertex *v = &f->vertices[i];
        if (v->node < 0) {
            goal_of(f, v->item, v->wanted);
        }
    }
}

/* Whether the projected gradient of the best so far is zero: there is nowhere to go. */
static int is_flat(lbs_fabrik *f) {
    lbs_space *s = f->s;
    size_t n = s->max.n;
    double *work = f->judge;
    lbs_gradient(s, f->best.z, -1, work);
    double norm = lbs_tangent(s, f->best.z, work, work + n, work + 2 * n, work + 3 * n);
    return norm <= s->options->gradient_tolerance * lbs_gradient_unit(s);
}

static lbs_end iterate(lbs_fabrik *f, int *iteration) {
    lbs_space *s = f->s;
    int without = 0;
    for (; *iteration < s->options->max_iterations; ++*iteration) {
        lbs_fabrik_place(f);
        if (without > 0 || !stretch(f)) { /* straight at it failed: limits, or hinges */
            reach_inwards(f);
            reach_outwards(f);
        }
        f->sake = (lbs_sake)(without % 3);
        if (f->sake == LBS_FOR_GOALS) {
            aim_at_goals(f);
        }
        lbs_fabrik_fit(f);
        double value = lbs_value(s, f->z);
        int done = lbs_done(s, f->z);
        double part = lbs_incumbent_keep(&f->best, s, f->z, value);
        lbs_damping_yield(&f->damping, part);
        if (lbs_stop(s, f->z, value)) {
            return LBS_OUT;
        }
        if (done && part > 0) {
            return LBS_MET;
        }
        without = part > 1e-12 ? 0 : without + 1;
        if (without >= PATIENCE || f->best.value == 0) {
            return LBS_OUT;
        }
        if (without == 1 && is_flat(f)) {
            return LBS_OUT;
        }
    }
    return LBS_OUT;
}

lbs_end lbs_run_fabrik(lbs_space *s, double *work, double *z, lb_error *error) {
    lbs_fabrik f;
    if (cannot(s, error)) {
        return LBS_CANNOT;
    }
    memset(&f, 0, sizeof f);
    f.s = s;
    f.z = z;
    f.kinematics = s->kinematics[0];
    f.figure = s->problem->figures[0];
    lbm_arena arena = lbm_arena_on(work, LBM_ARENA_DOUBLE);
    cut_arrays(&f, s, &arena);
    lbs_incumbent_begin(&f.best, s, z);
    lbs_damping_begin(&f.damping, s);
    if (lbs_done(s, z)) {
        return LBS_MET;
    }
    list_vertices(&f);
    lbs_end end = LBS_OUT;
    for (int attempt = 0, iteration = 0; attempt < MOST_ATTEMPTS && !s->budget.stopped; attempt++) {
        int escaped;
        end = iterate(&f, &iteration);
        memcpy(z, f.best.z, (size_t)s->n * sizeof *z);
        if (end == LBS_MET || s->budget.stopped) {
            break;
        }
        end = lbs_judge(s, f.judge, z, &escaped);
        if (!escaped) {
            break;
        }
        lbs_incumbent_keep(&f.best, s, z, lbs_value(s, z));
    }
    return end;
}
