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
#include <string.h>

#include "math/trig.h"
#include "solve/methods/classic.h"

#define PATIENCE 40 /* iterations without anything better */

typedef struct vertex {
    int parent; /* -1: it does not move */
    int node;   /* or -1: an item's end-effector */
    int item;
    int joint;        /* the first vertex, inwards, at the same place */
    int below;        /* links between it and the vertex that is turned now */
    double length;    /* to the parent; 0: at the same place */
    double weight;    /* of all goals that hang on it */
    double at[3];     /* where it is */
    double wanted[3]; /* where it should be */
    double sum[3];    /* of what its children ask for */
} vertex;

/* What joints are turned for: what they carry next, all that hangs on them, or the end-effectors' goals alone. */
typedef enum sake { FOR_NEXT, FOR_ALL, FOR_GOALS } sake;

typedef struct fabrik {
    lbs_space *s;
    double *z;
    lb_kinematics *kinematics;
    const lb_figure *figure;
    int count; /* of vertices, every parent before its children */
    vertex *vertices;
    int *vertex_of; /* [node] */
    int items;      /* with weight */
    sake sake;
    double *judge;
    lbs_best best;
    lbs_damping damping;
} fabrik;

static size_t doubles_for(size_t bytes) { return (bytes + sizeof(double) - 1) / sizeof(double); }

static size_t vertex_room(const lbs_space *s) {
    size_t nodes = 0;
    for (int f = 0; f < s->problem->figure_count; f++) {
        nodes += (size_t)s->problem->figures[f]->node_count;
    }
    return nodes + (size_t)s->item_count;
}

size_t lbs_fabrik_size(const lbs_space *s) {
    size_t room = vertex_room(s);
    return doubles_for(room * sizeof(vertex)) + doubles_for(room * sizeof(int)) + (size_t)lbs_max_n(s) +
           lbs_judge_size(s);
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
static void goal_of(const fabrik *f, int item, double point_w[3]) {
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

static int is_turning(const fabrik *f, int node) {
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

/* Where every vertex is at z. */
static void place(fabrik *f) {
    lbs_to_pose(f->s, f->z, f->s->last.pose);
    lb_kinematics_update(f->kinematics, f->s->last.pose);
    f->s->last.is_valid = 0;
    for (int i = 0; i < f->count; i++) {
        vertex *v = &f->vertices[i];
        if (v->node >= 0) {
            lbm_copy3(v->at, f->kinematics->frames[v->node].p);
            continue;
        }
        double e[9];
        lb_kinematics_effector(f->kinematics, &f->s->items[v->item].constraint->effector, e);
        lbm_copy3(v->at, e);
    }
}

static void add_vertex(fabrik *f, int node, int item, int carrier) {
    vertex *v = &f->vertices[f->count];
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

static void list_vertices(fabrik *f) {
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
    place(f);
    for (int i = f->count - 1; i >= 0; i--) {
        vertex *v = &f->vertices[i];
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
        vertex *v = &f->vertices[i];
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

static void reach_inwards(fabrik *f) {
    for (int i = 0; i < f->count; i++) {
        memset(f->vertices[i].sum, 0, sizeof f->vertices[i].sum);
    }
    for (int i = f->count - 1; i >= 0; i--) {
        vertex *v = &f->vertices[i];
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
        vertex *p = &f->vertices[v->parent];
        double asked[3], spare[3];
        lbm_sub3(p->at, v->at, spare);
        draw(v->wanted, p->at, v->length, spare, asked);
        for (int k = 0; k < 3; k++) {
            p->sum[k] += v->weight * asked[k];
        }
    }
}

static void reach_outwards(fabrik *f) {
    for (int i = 0; i < f->count; i++) {
        vertex *v = &f->vertices[i];
        if (!(v->weight > 0)) {
            continue;
        }
        if (v->parent < 0) {
            lbm_copy3(v->wanted, v->at);
            continue;
        }
        const vertex *p = &f->vertices[v->parent];
        double spare[3], to[3];
        lbm_sub3(v->at, p->at, spare);
        lbm_copy3(to, v->wanted);
        draw(p->wanted, to, v->length, spare, v->wanted);
    }
}

/* A single goal farther away than the chain is long: 1 if so, with the chain drawn straight towards it. */
static int stretch(fabrik *f) {
    if (f->items != 1) {
        return 0;
    }
    double length = 0, way[3], goal[3];
    const double *base = NULL;
    int found = 0;
    for (int i = f->count - 1; i >= 0; i--) {
        const vertex *v = &f->vertices[i];
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
        vertex *v = &f->vertices[i];
        if (v->weight > 0 && v->parent >= 0) {
            lbm_copy3(v->wanted, goal);
        }
    }
    reach_outwards(f);
    return 1;
}

/* --- Angles from positions ----------------------------------------------------------------------------------- */

/* How many links lie between a vertex and each that hangs on it, into their `below`; those of no length do not count.
 * -1: it does not hang on it, or no goal hangs on that. */
static void count_links(fabrik *f, int top) {
    f->vertices[top].below = 0;
    for (int i = top + 1; i < f->count; i++) {
        vertex *v = &f->vertices[i];
        int above = v->parent >= top ? f->vertices[v->parent].below : -1;
        v->below = above < 0 || !(v->weight > 0) ? -1 : above + (v->length > 0);
    }
}

/* Whether a turn is made for the sake of a vertex: so many links below, or, with 0 links, as f->sake says. */
static int counts(const fabrik *f, const vertex *v, int links) {
    if (links > 0) {
        return v->below == links;
    }
    return v->below > 0 && (f->sake == FOR_ALL || v->node < 0);
}

/* The turn about an axis through a vertex that brings what hangs on it, so many links below, nearest to where it is
 * wanted. *moves is 0 if it goes through all of them. */
static double turn_for(const fabrik *f, int top, int links, const double u[3], int *moves) {
    double across = 0, along = 0, lever = 0, size = 0;
    for (int i = top + 1; i < f->count; i++) {
        const vertex *v = &f->vertices[i];
        if (!counts(f, v, links)) {
            continue;
        }
        double a[3], b[3], normal[3];
        lbm_sub3(v->at, f->vertices[top].at, a);
        lbm_sub3(v->wanted, f->vertices[top].at, b);
        lbm_cross3(a, b, normal);
        double au = lbm_dot3(a, u), aa = lbm_dot3(a, a);
        across += v->weight * lbm_dot3(u, normal);
        along += v->weight * (lbm_dot3(a, b) - au * lbm_dot3(b, u));
        lever += v->weight * (aa - au * au);
        size += v->weight * aa;
    }
    *moves = lever > 1e-6 * size;
    return across == 0 && along >= 0 ? 0 : lbm_atan2(across, along);
}

/* For what is next; but a twist, which does not move that, for what comes after: so an upper arm turns the elbow's
 * hinge to the hand. */
static double best_turn(const fabrik *f, int top, int coordinate, int *links) {
    const double *axis = f->kinematics->axes[coordinate];
    double size = lbm_norm3(axis), u[3], theta = 0;
    if (!(size > 0)) {
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        u[i] = axis[i] / size;
    }
    int moves = 0;
    if (f->sake != FOR_NEXT) {
        *links = 0;
        theta = turn_for(f, top, 0, u, &moves);
        return moves ? theta / size : 0;
    }
    for (*links = 1; *links <= 3 && !moves; ++*links) {
        theta = turn_for(f, top, *links, u, &moves);
    }
    --*links;
    return moves ? theta / size : 0;
}

static double miss(const fabrik *f, int top, int links) {
    double sum = 0;
    for (int i = top + 1; i < f->count; i++) {
        const vertex *v = &f->vertices[i];
        if (!counts(f, v, links)) {
            continue;
        }
        double off[3];
        lbm_sub3(v->at, v->wanted, off);
        sum += v->weight * lbm_dot3(off, off);
    }
    return sum;
}

/* What hangs on a vertex, turned about one of its axes: positions and axes still to come, without the whole figure. */
static void swing_around(fabrik *f, int top, const double axis[3], double theta) {
    double u[3], sine, cosine;
    lbm_copy3(u, axis);
    lbm_sincos(theta, &sine, &cosine);
    for (int i = top + 1; i < f->count; i++) {
        vertex *v = &f->vertices[i];
        if (v->below < 0) {
            continue;
        }
        double from[3];
        lbm_sub3(v->at, f->vertices[top].at, from);
        lbs_turn_vector(u, sine, cosine, from);
        for (int k = 0; k < 3; k++) {
            v->at[k] = f->vertices[top].at[k] + from[k];
        }
        const lbf_node *node = v->node < 0 ? NULL : &f->figure->nodes[v->node];
        for (int k = 0; node && k < lbf_node_coordinates(node->kind); k++) {
            lbs_turn_vector(u, sine, cosine, f->kinematics->axes[node->coordinate + k]);
        }
    }
}

/* A coordinate of a rotation vector turns about its axis for small steps only: halved until it helps. */
static double turn_carefully(fabrik *f, int top, int i, double t, int links) {
    lbs_space *s = f->s;
    double before = miss(f, top, links), keep = f->z[i];
    for (int attempt = 0; attempt < 6 && t != 0; attempt++, t *= 0.5) {
        double next = keep + t;
        f->z[i] = next < s->variables.lower[i]   ? s->variables.lower[i]
                  : next > s->variables.upper[i] ? s->variables.upper[i]
                                                 : next;
        place(f);
        if (miss(f, top, links) < before) {
            return fabs(f->z[i] - keep);
        }
    }
    f->z[i] = keep;
    place(f);
    return 0;
}

/* Turns one coordinate of a vertex's node, in the given round of a joint's; returns by how much. */
static double turn(fabrik *f, int top, int coordinate, int round) {
    lbs_space *s = f->s;
    int own = f->figure->coordinate_variable[coordinate], i = own < 0 ? -1 : s->variables.active_of[own], links = 1;
    if (i < 0 || (round > 0 && lbs_is_damped(&f->damping, s, i))) {
        return 0;
    }
    count_links(f, top);
    double down, up, keep = f->z[i], t = best_turn(f, top, coordinate, &links) / s->variables.scale[i];
    lbs_room(s, f->z, i, &down, &up);
    t = t < down ? down : t > up ? up : t;
    t = lbs_damp(&f->damping, s, f->z, i, t);
    if (t == 0 || !lbm_is_finite(t)) {
        return 0;
    }
    if (f->figure->nodes[f->vertices[top].node].kind != LBF_NODE_ROTATE) {
        return turn_carefully(f, top, i, t, links);
    }
    double next = keep + t;
    f->z[i] = next < s->variables.lower[i]   ? s->variables.lower[i]
              : next > s->variables.upper[i] ? s->variables.upper[i]
                                             : next;
    swing_around(f, top, f->kinematics->axes[coordinate], (f->z[i] - keep) * s->variables.scale[i]);
    return fabs(f->z[i] - keep);
}

/* A joint of several axes - nodes at one place - round and round until they agree. */
static void fit_joint(fabrik *f, int top) {
    for (int round = 0; round < 6; round++) {
        double moved = 0;
        int coordinates = 0;
        for (int i = top; i < f->count; i++) {
            const vertex *v = &f->vertices[i];
            if (v->joint != top || v->node < 0 || !(v->weight > 0)) {
                continue;
            }
            const lbf_node *node = &f->figure->nodes[v->node];
            for (int k = 0; k < lbf_node_coordinates(node->kind); k++, coordinates++) {
                moved += turn(f, i, node->coordinate + k, round);
            }
        }
        if (coordinates < 2 || moved < 1e-6) {
            return;
        }
    }
}

static void fit(fabrik *f) {
    for (int i = 0; i < f->count; i++) {
        if (f->vertices[i].joint == i && f->vertices[i].node >= 0 && f->vertices[i].weight > 0) {
            fit_joint(f, i);
        }
    }
}

/* --- Iterating ----------------------------------------------------------------------------------------------- */

static void aim_at_goals(fabrik *f) {
    for (int i = 0; i < f->count; i++) {
        vertex *v = &f->vertices[i];
        if (v->node < 0) {
            goal_of(f, v->item, v->wanted);
        }
    }
}

/* Whether the projected gradient of the best so far is zero: there is nowhere to go. */
static int is_flat(fabrik *f) {
    lbs_space *s = f->s;
    size_t n = (size_t)lbs_max_n(s);
    double *work = f->judge;
    lbs_gradient(s, f->best.z, -1, work);
    double norm = lbs_tangent(s, f->best.z, work, work + n, work + 2 * n, work + 3 * n);
    return norm <= s->options->gradient_tolerance * lbs_gradient_unit(s);
}

static lbs_end iterate(fabrik *f, int *iteration) {
    lbs_space *s = f->s;
    int without = 0;
    for (; *iteration < s->options->max_iterations; ++*iteration) {
        place(f);
        if (without > 0 || !stretch(f)) { /* straight at it failed: limits, or hinges */
            reach_inwards(f);
            reach_outwards(f);
        }
        f->sake = (sake)(without % 3);
        if (f->sake == FOR_GOALS) {
            aim_at_goals(f);
        }
        fit(f);
        double value = lbs_value(s, f->z);
        int done = lbs_done(s, f->z);
        double part = lbs_best_keep(&f->best, s, f->z, value);
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
    fabrik f;
    if (cannot(s, error)) {
        return LBS_CANNOT;
    }
    memset(&f, 0, sizeof f);
    f.s = s;
    f.z = z;
    f.kinematics = s->kinematics[0];
    f.figure = s->problem->figures[0];
    f.vertices = (vertex *)work;
    f.vertex_of = (int *)(work += doubles_for(vertex_room(s) * sizeof(vertex)));
    f.best.z = work += doubles_for(vertex_room(s) * sizeof(int));
    f.judge = work + lbs_max_n(s);
    lbs_best_begin(&f.best, s, z);
    lbs_damping_begin(&f.damping, s);
    if (lbs_done(s, z)) {
        return LBS_MET;
    }
    list_vertices(&f);
    lbs_end end = LBS_OUT;
    for (int attempt = 0, iteration = 0; attempt < 4 && !s->budget.stopped; attempt++) {
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
        lbs_best_keep(&f.best, s, z, lbs_value(s, z));
    }
    return end;
}
