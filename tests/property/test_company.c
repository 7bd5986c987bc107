/* What one ability promises alone it promises in company: people among things, beside each other and beside a robot, whose goals have
 * levels and are carried by others, with loads, seats, habits and held roots, all drawn at random (people_make, people_widen, and what is
 * added here). The judges share nothing with the solve: forward kinematics, and the distances of a problem without bodies. */
#include <math.h>
#include <string.h>

#include <limber/collisions.h>
#include <limber/io.h>

#include "people/people.h"
#include "property.h"

static property properties[] = {{.name = "limits hold"},
                                {.name = "what comes out is finite"},
                                {.name = "what is called solved is where its goals are"},
                                {.name = "what is called solved overlaps nowhere"},
                                {.name = "what is called solved stands"},
                                {.name = "the same again gives the same bits"},
                                {.name = "a fresh solver gives the same bits"},
                                {.name = "watching changes nothing"},
                                {.name = "a cancelled solve leaves a sound pose"},
                                {.name = "a lower goal costs a higher one nothing"}};
enum { LIMITS, FINITE, GOALS, OVERLAP, STANDS, AGAIN, FRESH, WATCHED, CANCELLED, LEVELS, PROPERTIES };

#define MOST_OVERLAP 1e-4 /* metres: what docs/collisions.md lets a solved answer overlap by */
#define MOST_SOLIDS 3

typedef struct company {
    people p;
    lb_figure *arm; /* NULL: no robot */
    int arm_figure; /* its number in the problem */
    lb_solid solids[MOST_SOLIDS];
    lb_collisions all;
    int keeps_clear; /* whether collisions are set */
    int lower;       /* id of a goal of a lower level; 0: none */
} company;

/* --- What is added -------------------------------------------------------------------------------------------------------- */

static void say(company *c, const char *words) {
    const size_t length = strlen(c->p.text);
    snprintf(c->p.text + length, sizeof c->p.text - length, ", %s", words);
}

/* A post, a ball or a slab, at least half a metre from where the first person stands. */
static void draw_solid(check_random *r, const double start[2], lb_solid *solid) {
    static const lb_shape_kind kinds[] = {LB_SHAPE_CYLINDER, LB_SHAPE_SPHERE, LB_SHAPE_BOX};
    const double angle = check_random_range(r, -3.14, 3.14), away = check_random_range(r, 0.5, 0.9);
    solid->name = NULL;
    lb_shape_defaults(&solid->shape);
    lb_frame_identity(&solid->shape.frame);
    solid->shape.kind = kinds[check_random_index(r, 3)];
    solid->shape.size[0] = check_random_range(r, 0.03, 0.12);
    solid->shape.size[1] = check_random_range(r, 0.03, 0.5);
    solid->shape.size[2] = check_random_range(r, 0.03, 0.4);
    solid->shape.frame.position[0] = start[0] + away * cos(angle);
    solid->shape.frame.position[1] = start[1] + away * sin(angle);
    solid->shape.frame.position[2] = check_random_range(r, 0.3, 1.6);
}

static void add_arm(company *c) {
    people *p = &c->p;
    char path[1024];
    double point[3];
    lb_constraint reach;
    REQUIRE(check_source("models/ur5.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &c->arm, NULL) == LB_OK);
    c->arm_figure = lb_problem_add_figure(p->problem, c->arm);
    REQUIRE(c->arm_figure == p->count);
    const int first = lb_problem_first_variable(p->problem, c->arm_figure);
    p->variables = lb_problem_variable_count(p->problem);
    REQUIRE(p->variables <= PEOPLE_VARIABLES);
    lb_figure_rest_pose(c->arm, p->rest + first);
    lb_figure_rest_pose(c->arm, p->start + first);
    for (int i = first; i < p->variables; i++) {
        p->start[i] += check_random_range(&p->random, -0.5, 0.5);
    }
    for (int i = 0; i < 3; i++) {
        point[i] = check_random_range(&p->random, -0.5, 0.5);
    }
    point[2] += 0.6;
    REQUIRE(lb_constraint_at(c->arm, "tool", point, &reach) == LB_OK);
    reach.figure = c->arm_figure;
    people_add(p, &reach);
    p->is_standing = 0;
    say(c, "arm");
}

/* The left palm of the first person is at the second one's hand, or at the robot's tool, wherever they go. */
static void add_carried(company *c) {
    people *p = &c->p;
    lb_constraint held;
    lb_effector carrier;
    const int by = c->arm ? c->arm_figure : 1;
    const double off[3] = {0.05, 0.02, 0.1};
    REQUIRE(lb_figure_find_effector(lb_problem_figure(p->problem, by), c->arm ? "tool" : "right_hand", &carrier,
                                    NULL) == LB_OK);
    REQUIRE(lb_constraint_at(p->figure, "left_palm", off, &held) == LB_OK);
    held.goal.carrier_figure = by;
    held.goal.carrier_segment = carrier.segment;
    people_add(p, &held);
    say(c, "carried");
}

static void add_lower(company *c) {
    people *p = &c->p;
    static const char *const hands[] = {"left_palm", "right_palm"};
    double point[3];
    people_point(p, point);
    c->lower = people_reach(p, hands[check_random_index(&p->random, 2)], point[0] / p->size, point[1] / p->size,
                            point[2] / p->size, 1);
    say(c, "a lower goal");
}

static void keep_clear(company *c) {
    check_random *r = &c->p.random;
    lb_collisions_defaults(&c->all);
    c->all.samples = 50;
    c->all.self = c->p.count > 1 || c->arm ? 1 : check_random_index(r, 2);
    c->all.solid_count = check_random_index(r, MOST_SOLIDS + 1);
    c->all.solids = c->solids;
    c->all.margin = check_random_index(r, 4) ? 0 : 0.01;
    for (int i = 0; i < c->all.solid_count; i++) {
        draw_solid(r, c->p.start, &c->solids[i]);
    }
    if (lb_problem_set_collisions(c->p.problem, &c->all) != LB_OK) {
        printf("%s\n", lb_problem_error(c->p.problem)->message);
        REQUIRE(0);
    }
    c->keeps_clear = 1;
    say(c, "clear");
}

static void company_make(company *c, uint64_t seed) {
    memset(c, 0, sizeof *c);
    people *p = &c->p;
    people_make(p, seed, 0);
    if (check_random_index(&p->random, 3)) {
        people_widen(p);
    }
    if (check_random_index(&p->random, 3) == 0) {
        add_arm(c);
    }
    if ((c->arm || p->count > 1) && check_random_index(&p->random, 2)) {
        add_carried(c);
    }
    if (check_random_index(&p->random, 3) == 0) {
        add_lower(c);
    }
    if (check_random_index(&p->random, 4)) {
        keep_clear(c);
    }
}

static void company_free(company *c) {
    people_free(&c->p);
    lb_figure_destroy(c->arm);
}

/* --- Judges ----------------------------------------------------------------------------------------------------------------- */

static const lb_figure *figure_of(const company *c, int number) { return lb_problem_figure(c->p.problem, number); }

static double outside(const company *c, const double *pose) {
    double worst = 0, most = 1;
    for (int i = 0; i < c->p.variables; i++) {
        most = fmax(most, fabs(pose[i]));
    }
    for (int f = 0; f < lb_problem_figure_count(c->p.problem); f++) {
        const double *at = pose + lb_problem_first_variable(c->p.problem, f);
        worst = fmax(worst, lb_figure_violation(figure_of(c, f), at));
    }
    return worst / most;
}

/* How far a goal at a point is missed, its carrier where the pose has it; 0 for other kinds. */
static double missed(const company *c, const lb_constraint *goal, const double *pose) {
    double e[9], at[3], m[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, sum = 0;
    if (goal->goal.kind != LB_GOAL_POSITION) {
        return 0;
    }
    lb_kinematics *k = lb_kinematics_create(figure_of(c, goal->figure), NULL);
    REQUIRE(k && lb_kinematics_update(k, pose + lb_problem_first_variable(c->p.problem, goal->figure)) == LB_OK);
    REQUIRE(lb_kinematics_effector(k, &goal->effector, e) == LB_OK);
    lb_kinematics_destroy(k);
    if (goal->goal.carrier_segment >= 0) {
        const int by = goal->goal.carrier_figure;
        k = lb_kinematics_create(figure_of(c, by), NULL);
        REQUIRE(k && lb_kinematics_update(k, pose + lb_problem_first_variable(c->p.problem, by)) == LB_OK);
        REQUIRE(lb_kinematics_matrix(k, goal->goal.carrier_segment, m) == LB_OK);
        lb_kinematics_destroy(k);
    }
    for (int i = 0; i < 3; i++) {
        at[i] = m[4 * i + 3];
        for (int j = 0; j < 3; j++) {
            at[i] += m[4 * i + j] * goal->goal.point[j];
        }
        sum += (e[i] - at[i]) * (e[i] - at[i]);
    }
    return sqrt(sum);
}

static double worst_goal(const company *c, const double *pose) {
    double worst = 0;
    for (int i = 0; i < lb_problem_constraint_count(c->p.problem); i++) {
        worst = fmax(worst, missed(c, lb_problem_constraint(c->p.problem, i), pose));
    }
    return worst;
}

/* The deepest overlap of different figures, or of a figure and a solid. */
static double deepest(const company *c, const double *pose) {
    lb_problem *judged = lb_problem_create(c->p.figure, NULL);
    lb_contact_pair near[64];
    double depth = 0;
    for (int f = 1; f < lb_problem_figure_count(c->p.problem); f++) {
        REQUIRE(lb_problem_add_figure(judged, figure_of(c, f)) == f);
    }
    REQUIRE(lb_problem_set_collisions(judged, &c->all) == LB_OK);
    lb_solver *judge = lb_solver_create(judged, NULL);
    REQUIRE(judge);
    const int count = lb_solver_near_pairs(judge, pose, 0, 64, near);
    for (int i = 0; i < count && i < 64; i++) {
        if (near[i].figure_a != near[i].figure_b) {
            depth = fmax(depth, -near[i].distance);
        }
    }
    lb_solver_destroy(judge);
    lb_problem_destroy(judged);
    return depth;
}

/* Whether the centre of mass is to be over what stands: not of whoever hangs, leans on a slope or wall, or need not balance. */
static int must_stand(const company *c) {
    const lb_body_options *o = lb_problem_body(c->p.problem, 0);
    if (!o->balance || c->p.count > 1 || strstr(c->p.text, ", held") || strstr(c->p.text, ", hung up")) {
        return 0;
    }
    for (int i = 0; i < o->surface_count; i++) {
        if (o->surfaces[i].normal[0] != 0 || o->surfaces[i].normal[1] != 0) {
            return 0;
        }
    }
    return 1;
}

static void check_sound(const company *c, const people_answer *a) {
    const int is_solved = a->result.outcome == LB_OUTCOME_SOLVED;
    const char *text = c->p.text;
    property_expect(&properties[LIMITS], outside(c, a->pose) <= 1e-9, "%s: by %g", text, outside(c, a->pose));
    property_expect(&properties[FINITE], a->status == LB_OK && people_are_finite(a), "%s: status %d", text, a->status);
    if (!is_solved) {
        return;
    }
    const double miss = worst_goal(c, a->pose);
    property_expect(&properties[GOALS], miss <= 1.8e-5, "%s: missed by %g, \"%s\"", text, miss, a->result.explanation);
    if (c->keeps_clear) {
        const double depth = deepest(c, a->pose);
        property_expect(&properties[OVERLAP], depth <= MOST_OVERLAP, "%s: by %g, \"%s\"", text, depth,
                        a->result.explanation);
    }
    if (must_stand(c)) {
        property_expect(&properties[STANDS], a->body.margin >= -1e-6, "%s: %g outside, \"%s\"", text, -a->body.margin,
                        a->result.explanation);
    }
}

/* --- Ways of solving -------------------------------------------------------------------------------------------------------- */

static void expect_same(const company *c, int which, const people_answer *a, const people_answer *b) {
    const char *what = people_differ(a, b);
    property_expect(&properties[which], !what, "%s: %s differs, %s and %s", c->p.text, what,
                    lb_outcome_name(a->result.outcome), lb_outcome_name(b->result.outcome));
}

static int count_call(void *context, const lb_progress *progress) {
    *(int *)context += progress->iteration >= 0;
    return 0;
}

/* By the clock's so manieth look. */
static double cancel_by_clock(void *context) {
    int *left = context;
    return --*left < 0 ? 1e9 : 0;
}

static void check_ways(company *c, lb_solver *solver, const people_answer *first) {
    static people_answer other;
    lb_solve_options o;
    int calls = 0, looks = check_random_index(&c->p.random, 40);
    lb_solve_options_defaults(&o);
    o.now_us = cancel_by_clock;
    o.now_context = &looks;
    o.deadline_us = 1e3;
    people_solve(&c->p, solver, &o, c->p.start, &other);
    property_expect(&properties[CANCELLED],
                    other.status == LB_OK && people_are_finite(&other) && outside(c, other.pose) <= 1e-9,
                    "%s: status %d, outside by %g", c->p.text, other.status, outside(c, other.pose));
    people_solve(&c->p, solver, NULL, c->p.start, &other);
    expect_same(c, AGAIN, &other, first);
    people_solve_afresh(&c->p, NULL, c->p.start, &other);
    expect_same(c, FRESH, &other, first);
    lb_solve_options_defaults(&o);
    o.on_iteration = count_call;
    o.on_iteration_context = &calls;
    people_solve_afresh(&c->p, &o, c->p.start, &other);
    expect_same(c, WATCHED, &other, first);
}

/* Without its lower goal the problem was solved: then its higher goals are met with it, too. */
static void check_levels(company *c, const people_answer *both) {
    static people_answer alone;
    if (!c->lower) {
        return;
    }
    REQUIRE(lb_problem_enable(c->p.problem, c->lower, 0) == LB_OK);
    people_solve_afresh(&c->p, NULL, c->p.start, &alone);
    REQUIRE(lb_problem_enable(c->p.problem, c->lower, 1) == LB_OK);
    if (alone.result.outcome != LB_OUTCOME_SOLVED) {
        return;
    }
    int kept = 1;
    for (int i = 0; i < both->constraint_count; i++) {
        kept &= both->constraints[i].met || both->constraints[i].id == c->lower;
    }
    property_expect(&properties[LEVELS], kept, "%s: alone \"%s\", then \"%s\"", c->p.text, alone.result.explanation,
                    both->result.explanation);
}

static void run(long number, uint64_t seed) {
    static people_answer first;
    company c;
    (void)number;
    company_make(&c, seed);
    lb_solver *solver = lb_solver_create(c.p.problem, NULL);
    people_solve(&c.p, solver, NULL, c.p.start, &first);
    check_sound(&c, &first);
    check_ways(&c, solver, &first);
    check_levels(&c, &first);
    if (property_is_replay()) {
        printf("%s: %s, \"%s\"\n", c.p.text, lb_outcome_name(first.result.outcome), first.result.explanation);
    }
    lb_solver_destroy(solver);
    company_free(&c);
}

int main(int argc, char **argv) { return property_main(argc, argv, 60, 20000, run, properties, PROPERTIES); }
