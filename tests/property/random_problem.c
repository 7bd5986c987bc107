#include "random_problem.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "random_figure.h"

/* --- Memory ---------------------------------------------------------------------------------------------------- */

static void *trap_resize(void *context, void *block, size_t old_size, size_t new_size) {
    trap *t = context;
    (void)old_size;
    t->trapped += t->closed;
    t->blocks += (new_size > 0) - (block != NULL);
    if (new_size) {
        return realloc(block, new_size);
    }
    free(block);
    return NULL;
}

void trap_init(trap *t) {
    memset(t, 0, sizeof *t);
    t->allocator.resize = trap_resize;
    t->allocator.context = t;
}

/* --- Chains ----------------------------------------------------------------------------------------------------- */

static void chain_type(const random_chain *c, int link, uint64_t *seed, lb_joint_type *type) {
    static const char *const names[4][2] = {
        {"R(z)", "R(z)"}, {"R(z)", "R(y)"}, {"ball", "ball"}, {"swing_twist(x)", "swing_twist(x)"}};
    if (c->type < 4) {
        REQUIRE(lb_joint_type_parse(names[c->type][link % 2], type, NULL) == LB_OK);
        return;
    }
    double q[4], m[9];
    random_rotation(seed, q);
    lb_rotation_to_matrix(q, m);
    type->element_count = 1;
    type->elements[0].kind = random_below(seed, 5) ? LB_ELEMENT_ROTATE : LB_ELEMENT_TRANSLATE;
    double flip = type->elements[0].kind == LB_ELEMENT_ROTATE ? -1 : 1; /* a turn is an axial vector */
    double axis[3] = {m[0], m[3], m[6]};
    if (c->mirrored) {
        axis[0] = -axis[0];
    }
    for (int i = 0; i < 3; i++) {
        type->elements[0].axis[i] = c->mirrored ? flip * axis[i] : axis[i];
    }
}

static void chain_joint(lb_builder *b, const random_chain *c, int link, uint64_t *seed, int from, int to) {
    char name[32];
    double polygon[8][2];
    lb_joint joint;
    lb_joint_defaults(&joint);
    snprintf(name, sizeof name, "joint%d", link);
    joint.name = name;
    joint.site_a = from;
    joint.site_b = to;
    chain_type(c, link, seed, &joint.type);
    int dofs = lb_joint_type_dof_count(&joint.type);
    for (int i = 0; i < dofs; i++) {
        double wide = random_between(seed, 0.1, 2), low = random_between(seed, 0, wide);
        if (c->limits == CHAIN_FREE || (c->type == 3 && i < 2)) {
            continue;
        }
        joint.lower[i] = -low;
        joint.upper[i] = wide - low;
        if (c->limits == CHAIN_ZERO_WIDTH && link % 2 == 0) {
            joint.lower[i] = joint.upper[i] = 0;
        }
    }
    if (c->type == 3) {
        lb_swing_cone(random_between(seed, 0.2, 1.5), 8, polygon);
        joint.swing_count = 8;
        joint.swing = (const double(*)[2])polygon;
    }
    REQUIRE(lb_builder_add_joint(b, &joint) == link);
}

/* Neighbours are coupled: at most so much in sum, and the last two alike. */
static void couple(lb_builder *b, const random_chain *c, uint64_t *seed) {
    for (int i = 0; i + 1 < c->links; i++) {
        lb_limit limit;
        lb_dof_ref terms[2] = {{i, 0, -1}, {i + 1, 0, -1}};
        double coefficients[2] = {1, random_between(seed, -1, 1)};
        lb_limit_defaults(&limit);
        limit.name = "coupling";
        limit.kind = i + 2 == c->links && c->links > 2 ? LB_LIMIT_EQUAL : LB_LIMIT_AT_MOST;
        limit.count = 2;
        limit.terms = terms;
        limit.coefficients = coefficients;
        limit.bound = limit.kind == LB_LIMIT_EQUAL ? 0 : random_between(seed, 0, 0.5);
        REQUIRE(lb_builder_add_limit(b, &limit) >= 0);
    }
}

lb_figure *random_chain_make(const random_chain *c, const lb_allocator *allocator) {
    lb_builder *b = lb_builder_create(allocator, NULL);
    lb_figure *figure = NULL;
    uint64_t seed = c->seed;
    REQUIRE(b != NULL);
    for (int i = 0, last = -1; i <= c->links; i++) {
        char name[32];
        lb_segment segment;
        lb_segment_defaults(&segment);
        snprintf(name, sizeof name, "link%d", i);
        segment.name = name;
        segment.mass = i ? 1 : 0;
        segment.com[0] = c->mirrored ? -0.1 : 0.1;
        REQUIRE(lb_builder_add_segment(b, &segment) == i);
        lb_site site;
        lb_site_defaults(&site);
        site.segment = i;
        site.name = "base";
        int base = lb_builder_add_site(b, &site);
        double length = c->zero_length && i % 2 ? 0 : random_between(&seed, 0.1, 0.4);
        site.name = "tip";
        site.frame.position[0] = i == 0 ? 0 : c->mirrored ? -length : length;
        int tip = lb_builder_add_site(b, &site);
        REQUIRE(base >= 0 && tip >= 0);
        if (i > 0) {
            chain_joint(b, c, i - 1, &seed, last, base);
        }
        last = tip;
    }
    if (c->limits == CHAIN_COUPLED && c->type != 3) {
        couple(b, c, &seed);
    }
    lb_root root;
    lb_root_defaults(&root);
    root.placement = c->placement;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    if (c->scale > 0) {
        REQUIRE(lb_builder_scale(b, c->scale, 1) == LB_OK);
    }
    lb_status status = lb_builder_finish(b, &figure);
    if (status) {
        check_note("%s", lb_builder_error(b)->message);
    }
    REQUIRE(status == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

/* --- Goals -------------------------------------------------------------------------------------------------------- */

static double shell_potential(void *context, const double e[9], double gradient[9]) {
    const random_shell *shell = context;
    double to[3], square = -shell->radius * shell->radius;
    for (int i = 0; i < 3; i++) {
        to[i] = e[i] - shell->centre[i];
        square += to[i] * to[i];
    }
    for (int i = 0; i < 9; i++) {
        gradient[i] = i < 3 ? 4 * square * to[i] : 0;
    }
    return square * square;
}

static void random_unit(uint64_t *seed, double v[3]) {
    double q[4], m[9];
    random_rotation(seed, q);
    lb_rotation_to_matrix(q, m);
    double norm = sqrt(m[0] * m[0] + m[3] * m[3] + m[6] * m[6]);
    for (int i = 0; i < 3; i++) {
        v[i] = m[3 * i] / norm;
    }
}

/* e of a constraint's effector, as its goal's carrier sees it in the target pose. */
static void effector_at_target(const random_problem *p, const lb_constraint *c, double e[9]) {
    double e_w[9], m[12];
    REQUIRE(lb_kinematics_effector(p->kinematics[c->figure], &c->effector, e_w) == LB_OK);
    memcpy(e, e_w, sizeof e_w);
    if (c->goal.carrier_segment < 0) {
        return;
    }
    REQUIRE(lb_kinematics_matrix(p->kinematics[c->goal.carrier_figure], c->goal.carrier_segment, m) == LB_OK);
    for (int part = 0; part < 3; part++) {
        for (int k = 0; k < 3; k++) {
            double sum = 0;
            for (int i = 0; i < 3; i++) {
                sum += m[4 * i + k] * (e_w[3 * part + i] - (part ? 0 : m[4 * i + 3]));
            }
            e[3 * part + k] = sum;
        }
    }
}

/* The goal's point, moved by distance * direction away from r. */
static void point_off(lb_goal *g, const double *r, const double *direction, double distance) {
    for (int i = 0; i < 3; i++) {
        g->point[i] = r[i] + distance * direction[i];
    }
}

static void random_faces(uint64_t *seed, lb_goal *g, const double *r, double reach, double scale, double (*faces)[4]) {
    double n[3];
    g->face_count = 4 + random_below(seed, 3);
    g->faces = (const double(*)[4])faces;
    random_unit(seed, n);
    for (int k = 0; k < 3; k++) {
        g->point[k] = r[k] + (g->outside ? (0.25 * scale + reach) * n[k] : 0);
    }
    for (int i = 0; i < g->face_count; i++) {
        if (i) {
            random_unit(seed, faces[i]);
        } else {
            for (int k = 0; k < 3; k++) {
                faces[i][k] = -n[k];
            }
        }
        faces[i][3] = scale * random_between(seed, 0.05, 0.2);
        for (int k = 0; k < 3; k++) {
            faces[i][3] += faces[i][k] * g->point[k];
        }
    }
}

/* A goal of this kind that e meets. */
static void goal_about(uint64_t *seed, lb_constraint *c, const double e[9], double scale, double (*faces)[4],
                       random_shell *shell) {
    lb_goal *g = &c->goal;
    double n[3], reach = c->radius + c->half_length, some = scale * random_between(seed, 0.05, 0.3);
    random_unit(seed, n);
    random_rotation(seed, g->rotation);
    memcpy(g->point, e, sizeof g->point);
    memcpy(g->x, e + 3, sizeof g->x);
    memcpy(g->y, e + 6, sizeof g->y);
    memcpy(g->normal, n, sizeof g->normal);
    for (int i = 0; i < 3; i++) {
        g->size[i] = scale * random_between(seed, 0.02, 0.3);
    }
    switch (g->kind) {
    case LB_GOAL_AIM:
        point_off(g, e, e + 3, 2 * some);
        break;
    case LB_GOAL_LINE:
        point_off(g, e, n, some);
        break;
    case LB_GOAL_HALF_SPACE:
        point_off(g, e, n, -some - reach);
        break;
    case LB_GOAL_BOX:
    case LB_GOAL_SPHERE:
    case LB_GOAL_CAPSULE:
    case LB_GOAL_DISC:
        if (g->outside) {
            point_off(g, e, n, scale + reach);
        }
        break;
    case LB_GOAL_CIRCLE: {
        double m[9];
        lb_rotation_to_matrix(g->rotation, m);
        for (int i = 0; i < 3; i++) {
            g->point[i] = e[i] - g->size[0] * m[3 * i];
        }
        break;
    }
    case LB_GOAL_POLYHEDRON:
        random_faces(seed, g, e, reach, scale, faces);
        break;
    case LB_GOAL_CUSTOM:
        g->potential = shell_potential;
        g->context = shell;
        shell->radius = some;
        for (int i = 0; i < 3; i++) {
            shell->centre[i] = e[i] + some * n[i];
        }
        break;
    default:
        break;
    }
}

static void move_goal(lb_goal *g, const double by[3], double (*faces)[4], random_shell *shell) {
    for (int i = 0; i < 3; i++) {
        g->point[i] += by[i];
        shell->centre[i] += by[i];
        for (int f = 0; g->kind == LB_GOAL_POLYHEDRON && f < g->face_count; f++) {
            faces[f][3] += faces[f][i] * by[i];
        }
    }
}

static double random_weight(uint64_t *seed, unsigned mix) {
    int kind = random_below(seed, 20);
    if ((mix & RANDOM_WIDE) && kind > 16) {
        return pow(10, random_between(seed, -4, 4));
    }
    return kind == 0 ? 0 : kind == 1 ? 1e12 : kind < 8 ? random_between(seed, 0.01, 10) : 1;
}

static void random_effector(const random_problem *p, uint64_t *seed, lb_constraint *c) {
    c->figure = random_below(seed, p->figure_count);
    const lb_figure *f = p->figures[c->figure];
    int count = lb_problem_constraint_count(p->problem);
    double q[4], m[9];
    c->effector.segment = random_below(seed, lb_figure_segment_count(f));
    if (random_below(seed, 2)) {
        c->effector.segment = lb_figure_segment_count(f) - 1;
    }
    random_rotation(seed, q);
    lb_rotation_to_matrix(q, m);
    double nx = sqrt(m[0] * m[0] + m[3] * m[3] + m[6] * m[6]), ny = sqrt(m[1] * m[1] + m[4] * m[4] + m[7] * m[7]);
    for (int i = 0; i < 3; i++) {
        c->effector.point[i] = p->scale * random_between(seed, -0.2, 0.2);
        c->effector.x[i] = m[3 * i] / nx;
        c->effector.y[i] = m[3 * i + 1] / ny;
    }
    if (count && random_below(seed, 6) == 0) { /* the same place as another's */
        const lb_constraint *other = lb_problem_constraint(p->problem, random_below(seed, count));
        if (other->effector.kind == LB_EFFECTOR_FRAME) {
            c->figure = other->figure;
            c->effector = other->effector;
        }
    }
    f = p->figures[c->figure];
    int segment = c->effector.segment;
    if (random_below(seed, 8)) {
        return;
    }
    while (lb_figure_parent_joint(f, segment) >= 0) { /* a chain that starts somewhere on the way */
        c->chain_start = lb_figure_parent_joint(f, segment);
        if (random_below(seed, 3) == 0) {
            break;
        }
        segment = lb_figure_parent_segment(f, segment);
    }
}

typedef enum mood { REACHABLE, CONFLICTING, UNREACHABLE, AT_THE_BASE, ON_THE_AXIS, MOODS } mood;

/* How the constraints of a problem are drawn. */
typedef struct asking {
    unsigned mix;
    mood how;
    int plain; /* positions alone */
} asking;

static lb_goal_kind random_kind(uint64_t *seed, const asking *a) {
    if (a->plain) {
        return LB_GOAL_POSITION;
    }
    if (a->mix & RANDOM_ARM) {
        return random_below(seed, 4) ? LB_GOAL_FRAME : (lb_goal_kind)random_below(seed, LB_GOAL_FRAME + 1);
    }
    return (lb_goal_kind)random_below(seed, (a->mix & RANDOM_SMOOTH ? LB_GOAL_PLANE : LB_GOAL_CUSTOM) + 1);
}

/* Radius and length of what is kept out of a region, directions that are free, what carries the goal. */
static void random_goal_details(random_problem *p, uint64_t *seed, const asking *a, lb_constraint *c) {
    lb_goal *g = &c->goal;
    if (g->kind >= LB_GOAL_BOX && g->kind != LB_GOAL_CIRCLE && g->kind != LB_GOAL_CUSTOM) {
        g->outside = random_below(seed, 2);
    }
    if ((g->outside || g->kind == LB_GOAL_HALF_SPACE) && random_below(seed, 2)) {
        c->radius = p->scale * random_between(seed, 0, 0.1);
        if (g->kind != LB_GOAL_DISC && random_below(seed, 2)) {
            c->half_length = p->scale * random_between(seed, 0, 0.2);
        }
    }
    int turns = g->kind == LB_GOAL_ORIENTATION || g->kind == LB_GOAL_FRAME || g->kind == LB_GOAL_AIM;
    if (!turns && c->half_length == 0 && lb_figure_mass(p->figures[c->figure]) > 0 && !(a->mix & RANDOM_ARM) &&
        random_below(seed, 10) == 0) {
        lb_effector_from_com(&c->effector);
        c->chain_start = -1;
    }
    if (turns && random_below(seed, 3) == 0) {
        g->degrees_x = random_below(seed, 2) ? 30 : 0;
    }
    if (turns && random_below(seed, 3) == 0) {
        g->degrees_y = random_below(seed, 2) ? 400 : 0;
    }
    if (g->kind == LB_GOAL_FRAME) {
        g->weight_orientation = 1 - (g->weight_position = random_between(seed, 0, 1));
    }
    if (a->mix & (RANDOM_ARM | RANDOM_NO_CARRIERS)) {
        return;
    }
    if (!a->plain && random_below(seed, 8) == 0) {
        g->carrier_figure = random_below(seed, p->figure_count);
        g->carrier_segment = random_below(seed, lb_figure_segment_count(p->figures[g->carrier_figure]));
    }
}

/* By how much a goal is moved from where the target pose meets it. */
static void random_shift(const random_problem *p, uint64_t *seed, mood how, const double *point, double by[3]) {
    for (int i = 0; i < 3; i++) {
        double far = how == CONFLICTING ? 0.5 : how == UNREACHABLE ? 8 : 0;
        by[i] = far ? p->scale * random_between(seed, -far, far) : 0;
        if (how == AT_THE_BASE) {
            by[i] = -point[i];
        }
        if (how == ON_THE_AXIS) {
            by[i] = (i == 0 ? p->scale * random_between(seed, -1, 3) : 0) - point[i];
        }
    }
}

/* Weight, priority, alternatives, tolerances, disabled or not. */
static void random_terms(random_problem *p, uint64_t *seed, const asking *a, lb_constraint *c) {
    c->weight = random_weight(seed, a->mix);
    if (random_below(seed, a->mix & RANDOM_WIDE ? 4 : 8) == 0) {
        c->priority = random_below(seed, 3);
    }
    if (a->mix & RANDOM_ONE_LEVEL) {
        c->priority = 0;
    }
    if (!a->plain && !(a->mix & (RANDOM_NO_ALTERNATIVES | RANDOM_ARM)) && random_below(seed, 6) == 0) {
        c->any_of = 1 + (a->mix & RANDOM_WIDE ? random_below(seed, 2) : 0);
        p->smooth = 0;
    }
    if (p->scale != 1 && random_below(seed, 4)) {
        for (int i = 0; i < 3; i++) {
            c->tolerance[i] *= p->scale;
        }
    }
    if (random_below(seed, 6) == 0) {
        for (int i = 0; i < 3; i++) {
            c->tolerance_rad = random_between(seed, 0, 0.02);
            c->tolerance[i] = p->scale * c->tolerance_rad;
        }
    }
    c->disabled = random_below(seed, 30) == 0;
    if ((a->mix & RANDOM_WITHIN_REACH) && c->weight == 0) {
        c->weight = 1;
    }
}

static void add_constraint(random_problem *p, uint64_t *seed, int number, const asking *a) {
    lb_constraint c;
    double e[9], faces[8][4], by[3];
    random_shell *shell = &p->shells[number];
    lb_constraint_defaults(&c);
    c.name = "goal";
    memset(shell, 0, sizeof *shell);
    random_effector(p, seed, &c);
    if (a->mix & RANDOM_ARM) {
        c.effector.segment = lb_figure_segment_count(p->figures[c.figure]) - 1;
        c.chain_start = -1;
    }
    c.goal.kind = random_kind(seed, a);
    if (c.goal.kind >= LB_GOAL_HALF_SPACE) {
        p->smooth = 0;
    }
    random_goal_details(p, seed, a, &c);
    effector_at_target(p, &c, e);
    goal_about(seed, &c, e, p->scale, faces, shell);
    random_shift(p, seed, a->how, c.goal.point, by);
    move_goal(&c.goal, by, faces, shell);
    random_terms(p, seed, a, &c);
    if (a->mix & RANDOM_WITHIN_REACH) {
        c.chain_start = -1;
    }
    if (c.chain_start >= 0) {
        p->reachable = 0;
    }
    int id = lb_problem_add(p->problem, &c);
    if (id < 0) {
        check_note("%s", lb_problem_error(p->problem)->message);
    }
    REQUIRE(id > 0);
}

/* --- Wishes, and what may not move --------------------------------------------------------------------------------- */

static double wish_weight(uint64_t *seed, unsigned mix, double usual) {
    if (!random_below(seed, 2)) {
        return 0;
    }
    return mix & RANDOM_WIDE ? pow(10, random_between(seed, -6, 1)) : usual;
}

void random_problem_wish(const random_problem *p, int wanted) {
    REQUIRE(lb_problem_set_posture(p->problem, p->preferred, wanted ? p->posture : 0) == LB_OK);
    REQUIRE(lb_problem_set_stay(p->problem, wanted ? p->stay : 0) == LB_OK);
    REQUIRE(lb_problem_set_margin(p->problem, p->margin, wanted ? p->margin_weight : 0) == LB_OK);
}

static void random_wishes(random_problem *p, uint64_t *seed, unsigned mix) {
    double weight = random_between(seed, 0, 0.1);
    p->wishes = 1;
    if (!(mix & RANDOM_WITHIN_REACH)) {
        p->reachable = 0;
    }
    p->posture = wish_weight(seed, mix, weight);
    p->stay = wish_weight(seed, mix, weight);
    p->margin_weight = wish_weight(seed, mix, weight);
    p->margin = random_between(seed, 0, 0.5);
    int at_random = (mix & RANDOM_WIDE) && random_below(seed, 2);
    for (int f = 0; f < p->figure_count; f++) {
        double *part = p->preferred + lb_problem_first_variable(p->problem, f);
        if (at_random) {
            lb_figure_random_pose(p->figures[f], seed, part);
        } else {
            lb_figure_rest_pose(p->figures[f], part);
        }
    }
    random_problem_wish(p, 1);
}

static void hold(random_problem *p, uint64_t *seed, int variable, unsigned mix) {
    double rigidity = 1;
    if (random_below(seed, 2)) {
        REQUIRE(lb_problem_set_active(p->problem, variable, 0) == LB_OK);
    } else {
        rigidity = random_between(seed, 0, 1);
        if ((mix & RANDOM_WIDE) && random_below(seed, 4) == 0) {
            rigidity = 1;
        }
        REQUIRE(lb_problem_set_rigidity(p->problem, variable, rigidity) == LB_OK);
    }
    if (p->rigidity[variable] < 1) {
        p->rigidity[variable] = rigidity;
    }
    if (rigidity == 1 && (mix & RANDOM_WITHIN_REACH)) {
        p->start[variable] = p->target[variable];
    } else {
        p->reachable = 0;
    }
}

static void hold_some(random_problem *p, uint64_t *seed, unsigned mix) {
    int n = lb_problem_variable_count(p->problem);
    for (int f = 0; f < p->figure_count; f++) {
        for (int i = 0; i < lb_figure_variable_count(p->figures[f]); i++) {
            p->rigidity[lb_problem_first_variable(p->problem, f) + i] = lb_figure_variable(p->figures[f], i)->rigidity;
        }
    }
    for (int i = 0; i < n && random_below(seed, 8) == 0; i++) {
        hold(p, seed, random_below(seed, n), mix);
    }
    if (!(mix & RANDOM_WIDE) || random_below(seed, 6)) {
        return;
    }
    int figure = random_below(seed, p->figure_count), first = lb_problem_first_variable(p->problem, figure);
    REQUIRE(lb_problem_set_root_active(p->problem, figure, 0) == LB_OK);
    if (!lb_figure_root(p->figures[figure])->is_free) {
        return;
    }
    for (int i = first; i < first + 6; i++) {
        p->rigidity[i] = 1;
        if (mix & RANDOM_WITHIN_REACH) {
            p->start[i] = p->target[i];
        } else {
            p->reachable = 0;
        }
    }
}

/* --- Figures and poses ---------------------------------------------------------------------------------------------- */

static lb_figure *any_figure(random_problem *p, uint64_t *seed, const lb_allocator *allocator, unsigned mix,
                             int *straight) {
    *straight = (random_below(seed, 2) && !(mix & RANDOM_LARGE)) || (mix & RANDOM_ARM);
    if (*straight) {
        random_chain chain = {1 + random_below(seed, 8),
                              random_below(seed, 5),
                              (random_chain_limits)random_below(seed, 4),
                              random_below(seed, 4) == 0,
                              0,
                              {{0, 0, 0}, {0, 0, 0, 1}},
                              *seed,
                              p->scale};
        if (mix & RANDOM_ARM) {
            chain.links = 4 + random_below(seed, 5);
            chain.type = random_below(seed, 2) ? 4 : random_below(seed, 2);
            chain.limits = (random_chain_limits)random_below(seed, 2);
        }
        return random_chain_make(&chain, allocator);
    }
    random_options options = {2 + random_below(seed, 4),
                              random_below(seed, 8) == 0,
                              random_below(seed, 4) == 0,
                              random_below(seed, 4) == 0,
                              random_below(seed, 4) != 0,
                              random_below(seed, RANDOM_KINDS),
                              allocator,
                              0,
                              0,
                              p->scale};
    if (mix & RANDOM_WIDE) {
        options.with_rows = random_below(seed, 2);
        options.with_rigidity = random_below(seed, 6) == 0;
    }
    if (mix & RANDOM_LARGE) {
        options.segments += 4;
        options.with_rows = 1;
    }
    if (mix & (RANDOM_ONE_LEVEL | RANDOM_WITHIN_REACH | RANDOM_NO_LOOPS)) {
        options.with_loops = 0;
    }
    if (mix & RANDOM_SMOOTH) {
        options.with_groups = 0;
    }
    if (options.with_groups) {
        p->smooth = 0;
    }
    if (options.with_loops) {
        p->reachable = 0;
    }
    return random_figure(seed, &options);
}

/* A pose at random inside the limits; lengths without any are as long as the scene. */
static void scaled_pose(const random_problem *p, int figure, uint64_t *seed, double *pose) {
    const lb_figure *f = p->figures[figure];
    lb_figure_random_pose(f, seed, pose);
    for (int i = 0; p->scale != 1 && i < lb_figure_variable_count(f); i++) {
        const lb_variable *v = lb_figure_variable(f, i);
        if (!v->is_angle && v->lower == -INFINITY && v->upper == INFINITY) {
            pose[i] *= p->scale;
        }
    }
    if (p->scale != 1) {
        REQUIRE(lb_kinematics_project(p->kinematics[figure], pose) == LB_OK);
    }
}

static double *numbers(int count) {
    double *of = calloc((size_t)count + 1, sizeof *of);
    REQUIRE(of != NULL);
    return of;
}

/* Figures, their kinematics, and the poses; the kinematics stand in the target. Returns whether the last is a chain. */
static int make_figures(random_problem *p, uint64_t *seed, trap *memory, unsigned mix) {
    int straight = 0;
    p->figure_count = mix & RANDOM_ARM ? 1 : 1 + (random_below(seed, 10) == 0);
    if ((mix & RANDOM_WIDE) && p->figure_count == 2) {
        p->figure_count += random_below(seed, 3) == 0;
    }
    for (int f = 0; f < p->figure_count; f++) {
        p->figures[f] = any_figure(p, seed, &memory->allocator, mix, &straight);
        if (f == 0) {
            p->problem = lb_problem_create(p->figures[f], NULL);
        } else {
            REQUIRE(lb_problem_add_figure(p->problem, p->figures[f]) == f);
        }
        p->kinematics[f] = lb_kinematics_create(p->figures[f], NULL);
        REQUIRE(p->problem && p->kinematics[f]);
    }
    int n = lb_problem_variable_count(p->problem);
    REQUIRE(n <= RANDOM_MOST_VARIABLES);
    double **poses[4] = {&p->start, &p->target, &p->preferred, &p->rigidity};
    for (int i = 0; i < 4; i++) {
        *poses[i] = numbers(n);
    }
    return straight;
}

static void make_poses(random_problem *p, uint64_t *seed, int straight) {
    int n = lb_problem_variable_count(p->problem), from_rest = straight && random_below(seed, 2);
    for (int f = 0; f < p->figure_count; f++) {
        int first = lb_problem_first_variable(p->problem, f);
        scaled_pose(p, f, seed, p->target + first);
        if (from_rest) {
            lb_figure_rest_pose(p->figures[f], p->start + first);
        } else {
            scaled_pose(p, f, seed, p->start + first);
        }
        REQUIRE(lb_kinematics_update(p->kinematics[f], p->target + first) == LB_OK);
    }
    if (random_below(seed, 10) == 0) { /* a start outside its limits */
        for (int i = 0; i < n; i++) {
            p->start[i] += random_between(seed, -1, 1);
        }
    }
}

void random_problem_mix(random_problem *p, uint64_t seed, trap *memory, unsigned mix) {
    memset(p, 0, sizeof *p);
    p->reachable = p->smooth = 1;
    p->scale = 1;
    if ((mix & RANDOM_SCALED) && random_below(&seed, 3) == 0) {
        p->scale = pow(10, random_between(&seed, -6, 6));
    }
    int straight = make_figures(p, &seed, memory, mix);
    make_poses(p, &seed, straight);
    mood how = (mood)random_below(&seed, straight ? MOODS : UNREACHABLE + 1);
    if (random_below(&seed, 3) == 0) {
        how = REACHABLE;
    }
    if (mix & RANDOM_WITHIN_REACH) {
        how = REACHABLE;
    }
    if (how != REACHABLE) {
        p->reachable = 0;
    }
    int count = 1 + (random_below(&seed, 2) ? random_below(&seed, RANDOM_MOST_CONSTRAINTS) : 0),
        plain = random_below(&seed, 3) == 0;
    if (mix & RANDOM_ARM) {
        count = 1;
    }
    const asking a = {mix, how, plain};
    for (int i = 0; i < count; i++) {
        add_constraint(p, &seed, i, &a);
    }
    int wishes = random_below(&seed, mix & RANDOM_WIDE ? 3 : 8) == 0 || (mix & RANDOM_ALWAYS_WISHES);
    if (wishes && !(mix & RANDOM_NO_WISHES)) {
        random_wishes(p, &seed, mix);
    }
    hold_some(p, &seed, mix);
}

void random_problem_make(random_problem *p, uint64_t seed, trap *memory) { random_problem_mix(p, seed, memory, 0); }

void random_problem_free(random_problem *p) {
    lb_problem_destroy(p->problem);
    for (int f = 0; f < p->figure_count; f++) {
        lb_kinematics_destroy(p->kinematics[f]);
        lb_figure_destroy(p->figures[f]);
    }
    free(p->start);
    free(p->target);
    free(p->preferred);
    free(p->rigidity);
}
