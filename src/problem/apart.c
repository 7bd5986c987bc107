/* Collisions of a problem: which masses there are, what encloses them, and which pairs are looked at. */
#include "problem/apart.h"

#include <math.h>
#include <string.h>

#include "figure/figure.h"
#include "figure/hull/hull.h"
#include "figure/kinematics/kinematics.h"
#include "figure/sized.h"
#include "math/arena.h"
#include "math/rotation.h"
#include "math/rounding.h"
#include "problem/problem.h"

#define MOST_SAMPLES 1000000
#define ALWAYS 0.95      /* of the samples: pairs that touch in more of them are made to touch */
#define FAR_APART 0.02   /* metres: pairs that were never nearer are left out */
#define RESTING 2e-3     /* metres by which pairs may overlap that rest on each other */
#define MOST_PAIRS 16384 /* two people, what they carry and a robot are some 5,000 */
#define TOUCH 1e-5       /* metres of overlap from which on samples touch */

static const lbf_sized collisions_size = LBF_SIZED(lb_collisions, seed);

void lb_collisions_defaults_sized(lb_collisions *collisions, size_t struct_size) {
    static const lb_collisions defaults = {.self = 1, .samples = 2000, .seed = 1};
    lbf_default_sized(&collisions_size, &defaults, collisions, struct_size);
}

int lb_problem_pair_count(const lb_problem *p) { return p && p->apart ? p->apart->pair_count : 0; }

lb_status lb_problem_pair(const lb_problem *p, int pair, lb_contact_pair *found) {
    if (!found || pair < 0 || pair >= lb_problem_pair_count(p)) {
        return LB_ERROR_ARGUMENT;
    }
    const lbp_mass *a = p->apart->pairs[pair].a, *b = p->apart->pairs[pair].b;
    memset(found, 0, sizeof *found);
    found->figure_a = a->figure, found->segment_a = a->segment, found->name_a = a->name;
    found->figure_b = b->figure, found->segment_b = b->segment, found->name_b = b->name;
    return LB_OK;
}

const lb_collisions *lb_problem_collisions(const lb_problem *p) { return p && p->apart ? &p->apart->given : NULL; }

void lbp_free_apart(lb_problem *p) {
    if (p->apart) {
        lbf_delete(&p->allocator, p->apart, p->apart->size, 1);
        p->apart = NULL;
    }
}

/* --- Masses ------------------------------------------------------------------------------------------------------------- */

static int is_solid(const lb_shape *shape) { return shape->use != LB_SHAPE_USE_DRAWN; }

/* The ball around all solids of a mass. */
static void enclose_mass(lbp_mass *m) {
    double low[3], high[3];
    for (int c = 0; c < 3; c++) {
        low[c] = INFINITY, high[c] = -INFINITY;
        for (int i = 0; i < m->solid_count; i++) {
            const double at = m->solids[i].centre[c], reach = m->solids[i].reach;
            low[c] = at - reach < low[c] ? at - reach : low[c];
            high[c] = at + reach > high[c] ? at + reach : high[c];
        }
        m->centre[c] = m->solid_count == 1 ? m->solids[0].centre[c] : 0.5 * (low[c] + high[c]);
    }
    for (int i = 0; i < m->solid_count; i++) {
        double off[3];
        lbm_sub3(m->solids[i].centre, m->centre, off);
        const double reach = lbm_norm3(off) + m->solids[i].reach;
        m->reach = reach > m->reach ? reach : m->reach;
    }
}

static const char *cut_text(const char *text, lbm_arena *arena) {
    const size_t size = strlen(text) + 1;
    char *copy = lbm_cut(arena, size, 1);
    return arena->block ? memcpy(copy, text, size) : copy;
}

/* The hulls that solids of the world need: a caller's points as vertices with triangles. */
typedef struct world_hulls {
    lbf_hull *hulls; /* [solid_count]; empty where the solid is none */
    lb_shape *shapes;
} world_hulls;

/* All masses: those of segments, then those of the world. masses NULL: they are counted. */
static int cut_masses(const lb_problem *p, const lb_collisions *o, const world_hulls *world, lbp_mass *masses,
                      lbm_arena *arena) {
    int count = 0;
    for (int f = 0; f < p->figure_count; f++) {
        const lbf_draft *d = &p->figures[f]->draft;
        for (int segment = 0; segment < d->segment_count; segment++) {
            int solids = 0;
            for (int i = 0; i < d->shape_count; i++) {
                solids += d->shapes[i].segment == segment && is_solid(&d->shapes[i]);
            }
            if (!solids) {
                continue;
            }
            lbp_solid *list = lbm_cut(arena, (size_t)solids, sizeof *list);
            const char *name = cut_text(d->segments[segment].name, arena);
            int n = 0;
            for (int i = 0; i < d->shape_count; i++) {
                if (d->shapes[i].segment == segment && is_solid(&d->shapes[i])) {
                    lbp_cut_solid(&d->shapes[i], masses ? &list[n++] : NULL, arena);
                }
            }
            if (masses) {
                masses[count] =
                    (lbp_mass){.figure = f, .segment = segment, .name = name, .solid_count = n, .solids = list};
                enclose_mass(&masses[count]);
            }
            count++;
        }
    }
    for (int i = 0; i < o->solid_count; i++, count++) {
        char number[24];
        lbp_solid *solid = lbm_cut(arena, 1, sizeof *solid);
        const char *name = cut_text(o->solids[i].name ? o->solids[i].name : lbf_integer_text(i + 1, number), arena);
        lbp_cut_solid(&world->shapes[i], masses ? solid : NULL, arena);
        if (masses) {
            masses[count] = (lbp_mass){.figure = -1, .segment = i, .name = name, .solid_count = 1, .solids = solid};
            enclose_mass(&masses[count]);
        }
    }
    return count;
}

/* --- Pairs -------------------------------------------------------------------------------------------------------------- */

/* The nearest segment towards the root that moves against its parent, or the root: all that hang on it rigidly are one
 * body. */
static int rigid_of(const lb_figure *f, int segment) {
    for (int joint; (joint = f->parent_joint[segment]) >= 0; segment = lb_figure_parent_segment(f, segment)) {
        const lb_joint *j = &f->draft.joints[joint];
        if (!j->frozen && lb_joint_type_dof_count(&j->type) > 0) {
            break;
        }
    }
    return segment;
}

/* Whether two segments of a figure are one body, or bodies that a joint connects. */
static int are_neighbours(const lb_figure *f, int a, int b) {
    const int body_a = rigid_of(f, a), body_b = rigid_of(f, b);
    if (body_a == body_b) {
        return 1;
    }
    const int above_a = f->parent_joint[body_a] >= 0 ? rigid_of(f, lb_figure_parent_segment(f, body_a)) : -1,
              above_b = f->parent_joint[body_b] >= 0 ? rigid_of(f, lb_figure_parent_segment(f, body_b)) : -1;
    return above_a == body_b || above_b == body_a;
}

static int may_touch(const lb_collisions *o, const lbp_mass *a, const lbp_mass *b) {
    for (int i = 0; i < o->touching_count; i++) {
        const lb_touching *t = &o->touching[i];
        const int same = t->figure_a == a->figure && t->segment_a == a->segment && t->figure_b == b->figure &&
                         t->segment_b == b->segment;
        const int other = t->figure_b == a->figure && t->segment_b == a->segment && t->figure_a == b->figure &&
                          t->segment_a == b->segment;
        if (same || other) {
            return 1;
        }
    }
    return 0;
}

/* Whether nothing that moves is between a mass and the world. */
static int is_still(const lb_problem *p, const lbp_mass *m) {
    const lb_figure *f = p->figures[m->figure];
    const int body = rigid_of(f, m->segment);
    return f->parent_joint[body] < 0 && !f->draft.root.is_free;
}

static int is_pair(const lb_problem *p, const lb_collisions *o, const lbp_mass *a, const lbp_mass *b) {
    if (a->figure < 0 || may_touch(o, a, b)) {
        return 0;
    }
    if (b->figure < 0) {
        return !is_still(p, a);
    }
    if (!o->self || (is_still(p, a) && is_still(p, b))) {
        return 0;
    }
    return a->figure != b->figure || !are_neighbours(p->figures[a->figure], a->segment, b->segment);
}

/* Whether two masses are limbs of one body, which keeps them apart by its own rules: flesh touches flesh. */
static int is_own_of_body(const lb_problem *p, const lbp_mass *a, const lbp_mass *b) {
    return a->figure == b->figure && lb_problem_body(p, a->figure);
}

/* Writes all pairs, or, where pairs is NULL, counts them. */
static int list_pairs(const lb_problem *p, const lb_collisions *o, int count, const lbp_mass *masses, lbp_pair *pairs) {
    int n = 0;
    for (int i = 0; i < count; i++) {
        for (int k = i + 1; k < count; k++) {
            if (is_pair(p, o, &masses[i], &masses[k]) && !is_own_of_body(p, &masses[i], &masses[k])) {
                if (pairs) {
                    pairs[n] = (lbp_pair){&masses[i], &masses[k], o->margin};
                }
                n++;
            }
        }
    }
    return n;
}

/* --- Pairs that always, or never, touch
 * ------------------------------------------------------------------------------------ */

typedef struct sampler {
    const lb_problem *p;
    lb_kinematics **kinematics; /* [figure] */
    double *pose;               /* [variable] */
    lbm_transform *frames;      /* [mass] */
    int *touches;               /* [pair] */
    unsigned char *near_once;   /* [pair] */
} sampler;

static void place_masses(const sampler *s, const lbp_apart *apart) {
    for (int f = 0; f < s->p->figure_count; f++) {
        lb_kinematics_update(s->kinematics[f], s->pose + s->p->first_variables[f]);
    }
    for (int m = 0; m < apart->mass_count; m++) {
        const lbp_mass *mass = &apart->masses[m];
        if (mass->figure < 0) {
            lbm_transform_identity(&s->frames[m]);
        } else {
            lbf_segment_transform(s->kinematics[mass->figure], mass->segment, &s->frames[m]);
        }
    }
}

static int is_apart(const sampler *s, const lbp_apart *apart, int pair, double least) {
    const lbp_pair *p = &apart->pairs[pair];
    lbp_memory memory = {{{0, 0, 0}, 0, 0}};
    return lbp_pair_is_apart(p, &s->frames[p->a - apart->masses], &s->frames[p->b - apart->masses], least, &memory);
}

/* Whether a figure goes anywhere - by a free root, or by a joint that moves it without end, as that of a character is
 * -: random poses say nothing of what it comes near to. */
static int goes_anywhere(const lb_problem *p, const lbp_mass *m) {
    const lb_figure *f = m->figure >= 0 ? p->figures[m->figure] : NULL;
    int anywhere = f && f->draft.root.is_free;
    for (int i = 0; f && i < f->variable_count && !anywhere; i++) {
        anywhere = !f->variables[i].is_angle && (f->lower[i] == -INFINITY || f->upper[i] == INFINITY);
    }
    return anywhere;
}

/* Whether random poses decide if a pair is looked at. A figure that goes anywhere may meet all that is not its own. */
static int is_for_samples(const lb_problem *p, const lbp_pair *pair) {
    return pair->a->figure == pair->b->figure || !(goes_anywhere(p, pair->a) || goes_anywhere(p, pair->b));
}

/* One of `samples` random poses. A pair of which both is known - it comes near, and is no pair that always touches - is
 * not looked at any more. */
static void sample(const sampler *s, const lbp_apart *apart, int number, int samples, uint64_t *seed) {
    for (int f = 0; f < s->p->figure_count; f++) {
        lb_figure_random_pose(s->p->figures[f], seed, s->pose + s->p->first_variables[f]);
    }
    place_masses(s, apart);
    for (int i = 0; i < apart->pair_count; i++) {
        const int is_known = s->near_once[i] && number - s->touches[i] > (1 - ALWAYS) * samples;
        if (is_known || !is_for_samples(s->p, &apart->pairs[i])) {
            continue;
        }
        if (!is_apart(s, apart, i, apart->margin + FAR_APART)) {
            s->near_once[i] = 1;
            s->touches[i] += !is_apart(s, apart, i, -TOUCH);
        }
    }
}

/* Pairs that touch at rest, and overlap hardly, rest on each other, as the fingers of a closed gripper do: they touch
 * always. */
static void mark_resting(const sampler *s, const lbp_apart *apart, int always) {
    for (int f = 0; f < s->p->figure_count; f++) {
        lb_figure_rest_pose(s->p->figures[f], s->pose + s->p->first_variables[f]);
    }
    place_masses(s, apart);
    for (int i = 0; i < apart->pair_count; i++) {
        if (!is_apart(s, apart, i, -TOUCH) && is_apart(s, apart, i, -RESTING)) {
            s->touches[i] = always;
        }
    }
}

static int count_for_samples(const lb_problem *p, const lbp_apart *apart) {
    int count = 0;
    for (int i = 0; i < apart->pair_count; i++) {
        count += is_for_samples(p, &apart->pairs[i]);
    }
    return count;
}

/* Whether a pair is looked at, by what the poses have shown. */
static int is_kept(const sampler *s, const lb_collisions *o, const lbp_apart *apart, int i) {
    const lbp_pair *pair = &apart->pairs[i];
    const int may_meet = s->near_once[i] || !is_for_samples(s->p, pair);
    return may_meet && !(pair->b->figure == pair->a->figure && s->touches[i] > ALWAYS * o->samples);
}

/* Leaves out pairs of segments that always touch, and pairs that never come near each other. */
static lb_status sift_pairs(const lb_problem *p, const lb_collisions *o, lbp_apart *apart) {
    const lb_allocator *al = &p->allocator;
    const size_t figures = (size_t)p->figure_count, pairs = (size_t)apart->pair_count,
                 masses = (size_t)apart->mass_count;
    sampler s = {p,
                 lbf_new(al, figures, sizeof *s.kinematics),
                 lbf_new(al, (size_t)p->variable_count, sizeof *s.pose),
                 lbf_new(al, masses, sizeof *s.frames),
                 lbf_new(al, pairs, sizeof *s.touches),
                 lbf_new(al, pairs, 1)};
    int is_well = s.kinematics && s.pose && s.frames && s.touches && s.near_once;
    for (int f = 0; is_well && f < p->figure_count; f++) {
        s.kinematics[f] = lb_kinematics_create(p->figures[f], NULL);
        is_well = s.kinematics[f] != NULL;
    }
    uint64_t seed = o->seed;
    const int asked = count_for_samples(p, apart);
    for (int i = 0; is_well && asked > 0 && i < o->samples; i++) {
        sample(&s, apart, i, o->samples, &seed);
    }
    if (is_well && asked > 0) {
        mark_resting(&s, apart, o->samples);
    }
    int kept = 0;
    for (int i = 0; is_well && i < apart->pair_count; i++) {
        if (is_kept(&s, o, apart, i)) {
            apart->pairs[kept++] = apart->pairs[i];
        }
    }
    apart->pair_count = is_well ? kept : apart->pair_count;
    for (int f = 0; s.kinematics && f < p->figure_count; f++) {
        lb_kinematics_destroy(s.kinematics[f]);
    }
    lbf_delete(al, s.kinematics, figures, sizeof *s.kinematics);
    lbf_delete(al, s.pose, (size_t)p->variable_count, sizeof *s.pose);
    lbf_delete(al, s.frames, masses, sizeof *s.frames);
    lbf_delete(al, s.touches, pairs, sizeof *s.touches);
    lbf_delete(al, s.near_once, pairs, 1);
    return is_well ? LB_OK : LB_ERROR_MEMORY;
}

/* --- Setting them -------------------------------------------------------------------------------------------------------- */

static const char *wrong_with(const lb_collisions *o) {
    if (o->self < 0 || o->self > 1 || o->solid_count < 0 || o->touching_count < 0 || (o->solid_count && !o->solids) ||
        (o->touching_count && !o->touching)) {
        return "collisions: a count or a list is missing";
    }
    if (!(o->margin >= 0 && o->margin < 1e6) || o->samples < 0 || o->samples > MOST_SAMPLES) {
        return "collisions: a margin below 0, or too many samples";
    }
    return NULL;
}

static int is_shape_sound(const lb_shape *s) {
    static const int sizes[] = {1, 3, 3, 2, 3, 1, 0};
    if ((int)s->kind < 0 || s->kind > LB_SHAPE_HALF_SPACE || !lbm_all_finite(s->frame.position, 3) ||
        !lbm_all_finite(s->frame.rotation, 4)) {
        return 0;
    }
    for (int i = 0; i < sizes[s->kind]; i++) {
        if (!(s->size[i] >= 0 && lbm_is_finite(s->size[i]))) {
            return 0;
        }
    }
    return 1;
}

static void free_world(const lb_problem *p, int count, world_hulls *w) {
    for (int i = 0; w->hulls && i < count; i++) {
        lbf_hull_free(&p->allocator, &w->hulls[i]);
    }
    lbf_delete(&p->allocator, w->hulls, (size_t)count, sizeof *w->hulls);
    lbf_delete(&p->allocator, w->shapes, (size_t)count, sizeof *w->shapes);
}

/* The world's shapes, with unit rotations and the hulls of hulls. */
static lb_status take_world(lb_problem *p, const lb_collisions *o, world_hulls *w) {
    w->hulls = lbf_new(&p->allocator, (size_t)o->solid_count, sizeof *w->hulls);
    w->shapes = lbf_new(&p->allocator, (size_t)o->solid_count, sizeof *w->shapes);
    if (!w->hulls || !w->shapes) {
        return LBP_FAIL(p, LB_ERROR_MEMORY, "out of memory");
    }
    for (int i = 0; i < o->solid_count; i++) {
        lb_shape *shape = &w->shapes[i];
        *shape = o->solids[i].shape;
        if (!is_shape_sound(shape) || !lbm_quaternion_normalise(shape->frame.rotation)) {
            return LBP_FAIL(p, LB_ERROR_ARGUMENT,
                            "collisions: a solid is of no known kind, or has a number that is none");
        }
        if (shape->kind != LB_SHAPE_HULL) {
            continue;
        }
        lb_status status = lbf_hull_make(&p->allocator, shape->vertex_count, shape->vertices, &w->hulls[i]);
        if (status) {
            return LBP_FAIL(p, status,
                            "collisions: a hull has no points, or one that is not finite, or there is no memory");
        }
        shape->vertex_count = w->hulls[i].vertex_count;
        shape->vertices = (const double(*)[3])w->hulls[i].vertices;
        shape->triangle_count = w->hulls[i].triangle_count;
        shape->triangles = (const int(*)[3])w->hulls[i].triangles;
    }
    return LB_OK;
}

/* What the caller gave, copied into an arena. The masses of the world are the last ones, and have its solids' names. */
static void cut_given(const lb_collisions *o, const world_hulls *w, const lbp_mass *masses, lb_collisions *given,
                      lbm_arena *arena) {
    lb_solid *solids = lbm_cut(arena, (size_t)o->solid_count, sizeof *solids);
    lb_touching *touching = lbm_cut(arena, (size_t)o->touching_count, sizeof *touching);
    for (int i = 0; i < o->solid_count; i++) {
        const lb_shape *shape = &w->shapes[i];
        const size_t vertices = shape->kind == LB_SHAPE_HULL ? (size_t)shape->vertex_count : 0,
                     triangles = shape->kind == LB_SHAPE_HULL ? (size_t)shape->triangle_count : 0;
        double(*points)[3] = lbm_cut(arena, vertices, sizeof *points);
        int(*corners)[3] = lbm_cut(arena, triangles, sizeof *corners);
        if (!arena->block) {
            continue;
        }
        solids[i] = (lb_solid){masses[i].name, *shape};
        solids[i].shape.vertex_count = (int)vertices, solids[i].shape.triangle_count = (int)triangles;
        solids[i].shape.vertices = NULL, solids[i].shape.triangles = NULL;
        if (vertices) {
            memcpy(points, shape->vertices, vertices * sizeof *points);
            memcpy(corners, shape->triangles, triangles * sizeof *corners);
            solids[i].shape.vertices = (const double(*)[3])points;
            solids[i].shape.triangles = (const int(*)[3])corners;
        }
    }
    if (arena->block) {
        *given = *o;
        given->solids = solids;
        given->touching = touching;
        if (o->touching_count) {
            memcpy(touching, o->touching, (size_t)o->touching_count * sizeof *touching);
        }
    }
}

/* Cuts all of it from an arena; `pairs` is how many there may be. */
static lbp_apart *cut_apart(const lb_problem *p, const lb_collisions *o, const world_hulls *w, int masses, int pairs,
                            lbm_arena *arena) {
    lbp_apart *apart = lbm_cut(arena, 1, sizeof *apart);
    lbp_mass *list = lbm_cut(arena, (size_t)masses, sizeof *list);
    lbp_pair *pair_list = lbm_cut(arena, (size_t)pairs, sizeof *pair_list);
    cut_masses(p, o, w, arena->block ? list : NULL, arena);
    cut_given(o, w, arena->block ? list + masses - o->solid_count : NULL, arena->block ? &apart->given : NULL, arena);
    if (arena->block) {
        apart->masses = list;
        apart->mass_count = masses;
        apart->pairs = pair_list;
        apart->margin = o->margin;
    }
    return apart;
}

static lb_status make_apart(lb_problem *p, const lb_collisions *o, const world_hulls *w, lbp_apart **made) {
    lbm_arena nothing = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    const int masses = cut_masses(p, o, w, NULL, &nothing);
    if (masses == o->solid_count) {
        return LBP_FAIL(
            p, LB_ERROR_UNSUPPORTED,
            "no segment of the figures has a solid shape, so there is nothing to keep apart; a robot's shapes "
            "may be meshes, which are read where `packages` or `meshes` ask for them");
    }
    const long long all = (long long)masses * (masses - 1) / 2;
    if (all > (long long)MOST_PAIRS * 64) {
        return LBP_FAIL(p, LB_ERROR_TOO_LARGE, "collisions: too many solids");
    }
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_LINE);
    cut_apart(p, o, w, masses, (int)all, &arena);
    const size_t size = arena.used + LBM_ARENA_LINE;
    void *block = lbf_new(&p->allocator, size, 1);
    if (!block) {
        return LBP_FAIL(p, LB_ERROR_MEMORY, "out of memory");
    }
    arena = lbm_arena_on(block, LBM_ARENA_LINE);
    lbp_apart *apart = cut_apart(p, o, w, masses, (int)all, &arena);
    apart->size = size;
    apart->pair_count = list_pairs(p, o, masses, apart->masses, apart->pairs);
    lb_status status = o->samples > 0 ? sift_pairs(p, o, apart) : LB_OK;
    if (status || apart->pair_count > MOST_PAIRS) {
        lbf_delete(&p->allocator, block, size, 1);
        return status ? LBP_FAIL(p, status, "out of memory")
                      : LBP_FAIL(p, LB_ERROR_TOO_LARGE, "collisions: too many pairs that may touch");
    }
    *made = apart;
    return LB_OK;
}

lb_status lb_problem_set_collisions(lb_problem *p, const lb_collisions *collisions) {
    if (!p) {
        return LB_ERROR_ARGUMENT;
    }
    LBM_ROUND_TO_NEAREST(rounding);
    lbp_apart *made = NULL;
    if (collisions) {
        lb_collisions taken;
        lb_collisions_defaults(&taken);
        lb_status status = lbf_take_sized(&collisions_size, collisions, &taken, &p->error);
        if (status) {
            return status;
        }
        const char *wrong = wrong_with(&taken);
        if (wrong) {
            return LBP_FAIL(p, LB_ERROR_ARGUMENT, wrong);
        }
        world_hulls world = {NULL, NULL};
        status = take_world(p, &taken, &world);
        status = status ? status : make_apart(p, &taken, &world, &made);
        free_world(p, taken.solid_count, &world);
        if (status) {
            return status;
        }
    }
    lbp_free_apart(p);
    p->apart = made;
    p->shape++;
    p->revision++;
    return LB_OK;
}

lb_status lbp_renew_pairs(lb_problem *p) { return p->apart ? lb_problem_set_collisions(p, &p->apart->given) : LB_OK; }

void lbp_pair_constraint(const lbp_pair *pair, lb_constraint *c) {
    lb_constraint_defaults(c);
    c->figure = pair->a->figure;
    c->effector.segment = pair->a->segment;
    c->goal.kind = LB_GOAL_APART;
    c->goal.context = (void *)pair;
    if (pair->b->figure >= 0) {
        c->goal.carrier_figure = pair->b->figure;
        c->goal.carrier_segment = pair->b->segment;
    }
    for (int i = 0; i < 3; i++) {
        c->tolerance[i] = LBP_OVERLAP / 2;
    }
}
