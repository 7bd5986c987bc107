#include "people.h"

#include <math.h>
#include <string.h>

#include <limber/io.h>

#include "body/points.h"

#define PI 3.14159265358979323846
#define USUAL_STATURE 1.75

/* --- Problems ------------------------------------------------------------------------------------------------------- */

int people_add(people *p, const lb_constraint *constraint) {
    int id = lb_problem_add(p->problem, constraint);
    if (id < 0) {
        printf("%s\n", lb_problem_error(p->problem)->message);
    }
    REQUIRE(id >= 0);
    return id;
}

void people_point(people *p, double point[3]) {
    const double angle = check_random_range(&p->random, -PI, PI);
    const double radius = 1.2 * p->size * sqrt(check_random_range(&p->random, 0, 1));
    point[0] = radius * cos(angle);
    point[1] = radius * sin(angle);
    point[2] = check_random_range(&p->random, 0, 2.1 * p->size);
}

static void add_at(people *p, const char *effector, const double point[3]) {
    lb_constraint c;
    REQUIRE(lb_constraint_at(p->figure, effector, point, &c) == LB_OK);
    people_add(p, &c);
}

static void add_gaze(people *p) {
    lb_constraint c;
    double point[3];
    people_point(p, point);
    REQUIRE(lb_constraint_aim(p->figure, "gaze", point, &c) == LB_OK);
    people_add(p, &c);
}

/* A plane that the pelvis is lowered to. */
static void add_low_pelvis(people *p, double height) {
    lb_constraint c;
    const double point[3] = {0, 0, height * p->size};
    REQUIRE(lb_constraint_at(p->figure, "pelvis.base", point, &c) == LB_OK);
    c.goal.kind = LB_GOAL_PLANE;
    c.goal.normal[0] = c.goal.normal[1] = 0;
    c.goal.normal[2] = 1;
    people_add(p, &c);
}

/* Returns whether all feet may stay where they are. */
static int add_goals(people *p) {
    static const char *const names[] = {"right palm", "left palm",  "both palms", "gaze",
                                        "palm, gaze", "low pelvis", "foot",       "head"};
    const int kind = check_random_index(&p->random, 8);
    double point[3];
    people_point(p, point);
    snprintf(p->text, sizeof p->text, "%.2f m, %s", p->size * USUAL_STATURE, names[kind]);
    if (kind == 0 || kind == 2 || kind == 4) {
        add_at(p, "right_palm", point);
    }
    if (kind == 1 || kind == 2) {
        point[1] += 0.3;
        add_at(p, "left_palm", point);
    }
    if (kind == 3 || kind == 4) {
        add_gaze(p);
    }
    if (kind == 5) {
        add_low_pelvis(p, check_random_range(&p->random, 0.45, 0.95));
    }
    if (kind == 6) {
        const double toe[3] = {0.5 * point[0], -fabs(0.3 * point[1]) - 0.1, 0.3 * point[2]};
        add_at(p, "right_toe", toe);
    }
    if (kind == 7) {
        const double eyes[3] = {0.3 * point[0], 0.3 * point[1], (0.8 + 0.4 * point[2]) * p->size};
        add_at(p, "viewpoint", eyes);
    }
    return kind != 6;
}

/* Some terms off, weak or strong; some rules off; loads; feet that are told what to do. */
static void draw_options(people *p, lb_body_options *o, lb_load *load) {
    check_random *r = &p->random;
    double *const factors[] = {&o->posture, &o->comfort, &o->effort, &o->hang, &o->head, &o->look, &o->feet, &o->habit};
    int *const switches[] = {&o->balance, &o->above_floor, &o->apart, &o->eyes};
    static const double values[] = {0, 0.3, 3};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        *factors[i] = check_random_index(r, 4) ? 1 : values[check_random_index(r, 3)];
    }
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        *switches[i] = check_random_index(r, 8) > 0;
    }
    if (check_random_index(r, 4) == 0) {
        o->feet_modes[check_random_index(r, 2)] = (lb_foot_mode)check_random_index(r, 4);
        p->is_standing = 0;
    }
    if (check_random_index(r, 4) == 0) {
        *load = (lb_load){lb_figure_find_segment(p->figure, "right_hand"), {0, 0, 0}, check_random_range(r, 0, 20)};
        REQUIRE(load->segment >= 0);
        o->load_count = 1;
        o->loads = load;
        p->is_standing = 0;
    }
}

/* Somewhere on the floor; else each joint is away from rest, too. */
static void draw_start(people *p, int is_standing) {
    lb_kinematics *kinematics = lb_kinematics_create(p->figure, NULL);
    REQUIRE(kinematics);
    memcpy(p->start, p->rest, sizeof p->start);
    if (check_random_index(&p->random, 2)) {
        p->start[0] += check_random_range(&p->random, -0.5, 0.5);
        p->start[1] += check_random_range(&p->random, -0.5, 0.5);
        p->start[5] += check_random_range(&p->random, -3, 3);
    }
    for (int i = 0; i < p->variables && !is_standing; i++) {
        p->start[i] += check_random_range(&p->random, -0.3, 0.3);
    }
    REQUIRE(lb_kinematics_project(kinematics, p->start) == LB_OK);
    lb_kinematics_destroy(kinematics);
}

void people_make(people *p, uint64_t seed, unsigned flags) {
    lb_body_options options;
    lb_load load;
    memset(p, 0, sizeof *p);
    check_random_seed(&p->random, seed);
    const double stature = check_random_index(&p->random, 3) ? check_random_range(&p->random, 1.40, 2.05) : 0;
    p->count = 1;
    p->figure = load_human(stature);
    p->size = lb_figure_stature(p->figure) / USUAL_STATURE;
    p->variables = lb_figure_variable_count(p->figure);
    REQUIRE(p->variables <= PEOPLE_VARIABLES);
    lb_figure_rest_pose(p->figure, p->rest);
    p->problem = lb_problem_create(p->figure, NULL);
    REQUIRE(p->problem);
    const int feet_stay = add_goals(p);
    p->is_standing = (flags & PEOPLE_STANDING) || check_random_index(&p->random, 2);
    draw_start(p, p->is_standing);
    p->is_standing &= feet_stay;
    lb_body_options_defaults(&options);
    if (!(flags & PEOPLE_PLAIN) && check_random_index(&p->random, 2)) {
        draw_options(p, &options, &load);
    }
    REQUIRE(lb_problem_set_body(p->problem, 0, &options) == LB_OK);
}

/* --- More of them --------------------------------------------------------------------------------------------------- */

/* What surfaces are drawn from: where they are for a person of the usual size, and who rests on them. */
typedef struct place {
    const char *name, *contacts[2];
    double point[3], half_size[2], normal[3], thickness;
} place;

static const place places[] = {
    {"seat", {"right_sit_bone", "left_sit_bone"}, {-0.3, 0, 0.45}, {0.2, 0.2}, {0, 0, 1}, 0.05},
    {"bench", {"left_sit_bone", "right_sit_bone"}, {-0.2, 0, 0.5}, {0.25, INFINITY}, {0, 0, 1}, 0},
    {"table", {"left_palm", NULL}, {0.8, 0, 0.77}, {0.4, 0.6}, {0, 0, 1}, 0.03},
    {"wall", {"left_palm", NULL}, {0.6, 0, 1}, {INFINITY, INFINITY}, {-1, 0, 0}, 0},
    {"step", {"right_ball_inside", NULL}, {0.25, -0.1, 0.2}, {0.2, 0.3}, {0, 0, 1}, 0.2},
    {"slope", {"left_ball_inside", NULL}, {0, 0.1, 0}, {0.5, 0.2}, {-0.2, 0, 1}, 0},
    {"mat", {"right_knee", NULL}, {0, 0, 0.02}, {0.5, 0.5}, {0, 0, 1}, 0},
    {"wardrobe", {NULL, NULL}, {0.5, 0.6, 1}, {0.4, 0.9}, {0, -1, 0}, 0.6},
};
#define PLACES ((int)(sizeof places / sizeof *places))

static int find_contact(const people *p, const char *name) {
    const lb_body *body = lb_figure_body(p->figure);
    for (int i = 0; i < body->contact_count; i++) {
        if (strcmp(body->contacts[i].name, name) == 0) {
            return i;
        }
    }
    return -1;
}

static void add_words(people *p, const char *words) {
    const size_t length = strlen(p->text);
    snprintf(p->text + length, sizeof p->text - length, ", %s", words);
}

/* A surface, and the contacts that rest on it. */
static void draw_surface(people *p, lb_body_options *o, lb_surface *surface, lb_support supports[2]) {
    const place *at = &places[check_random_index(&p->random, PLACES)];
    *surface = (lb_surface){.name = at->name, .thickness = at->thickness};
    for (int c = 0; c < 3; c++) {
        surface->point[c] = p->size * (at->point[c] + check_random_range(&p->random, -0.05, 0.05));
        surface->normal[c] = at->normal[c];
    }
    memcpy(surface->half_size, at->half_size, sizeof surface->half_size);
    o->surfaces = surface;
    o->surface_count = 1;
    o->supports = supports;
    for (int i = 0; i < 2 && at->contacts[i]; i++) {
        supports[o->support_count++] = (lb_support){find_contact(p, at->contacts[i]), 0};
    }
    add_words(p, at->name);
}

static void draw_obstacle(people *p, lb_body_options *o, lb_obstacle *obstacle) {
    static const lb_shape_kind kinds[] = {LB_SHAPE_SPHERE, LB_SHAPE_CAPSULE, LB_SHAPE_BOX};
    check_random *r = &p->random;
    *obstacle = (lb_obstacle){.kind = kinds[check_random_index(r, 3)], .radius = check_random_range(r, 0.02, 0.2)};
    people_point(p, obstacle->point);
    people_point(p, obstacle->to);
    for (int c = 0; c < 3; c++) {
        obstacle->half_size[c] = check_random_index(r, 6) ? check_random_range(r, 0.02, 0.4) : INFINITY;
    }
    o->obstacles = obstacle;
    o->obstacle_count = 1;
    add_words(p, "obstacle");
}

/* The root does not move: where it is, or hung up. */
static void hold_root(people *p) {
    static const double heights[] = {0, 0.01, 0.03, 0.1, 0.5};
    const double up = heights[check_random_index(&p->random, 5)];
    p->start[2] += up;
    p->is_standing = 0;
    if (check_random_index(&p->random, 3)) {
        REQUIRE(lb_problem_set_root_active(p->problem, 0, 0) == LB_OK);
    } else { /* it may turn */
        for (int i = 0; i < 3; i++) {
            REQUIRE(lb_problem_set_active(p->problem, i, 0) == LB_OK);
        }
    }
    add_words(p, up > 0 ? "hung up" : "held");
}

static void add_habit(people *p) {
    char path[1024];
    REQUIRE(check_source("models/human.habit", path, sizeof path));
    REQUIRE(lb_habit_load(path, p->figure, NULL, &p->habit, NULL) == LB_OK);
    REQUIRE(lb_problem_set_habit(p->problem, 0, p->habit) == LB_OK);
    add_words(p, "habit");
}

/* Beside the first one, with a goal of its own. */
static void add_person(people *p) {
    lb_body_options options;
    lb_constraint c;
    double point[3];
    REQUIRE(lb_problem_add_figure(p->problem, p->figure) == 1);
    p->count = 2;
    p->variables = lb_problem_variable_count(p->problem);
    REQUIRE(p->variables <= PEOPLE_VARIABLES);
    const int first = lb_problem_first_variable(p->problem, 1);
    memcpy(p->rest + first, p->rest, (size_t)first * sizeof *p->rest);
    memcpy(p->start + first, p->rest, (size_t)first * sizeof *p->rest);
    p->start[first + 1] += 0.9;
    lb_body_options_defaults(&options);
    options.effort = check_random_index(&p->random, 2);
    REQUIRE(lb_problem_set_body(p->problem, 1, &options) == LB_OK);
    people_point(p, point);
    REQUIRE(lb_constraint_at(p->figure, "left_palm", point, &c) == LB_OK);
    c.figure = 1;
    people_add(p, &c);
    if (check_random_index(&p->random, 2)) {
        REQUIRE(lb_problem_set_root_active(p->problem, 1, 0) == LB_OK);
        p->start[first + 2] += check_random_index(&p->random, 2) ? 0.1 : 0;
    }
    p->is_standing = 0;
    add_words(p, "two people");
}

void people_widen(people *p) {
    check_random *r = &p->random;
    lb_body_options options = *lb_problem_body(p->problem, 0);
    lb_surface surface;
    lb_support supports[2];
    lb_obstacle obstacle;
    lb_swivel swivel;
    lb_load load;
    if (options.load_count) {
        load = options.loads[0];
        options.loads = &load;
    }
    if (check_random_index(r, 2)) {
        draw_surface(p, &options, &surface, supports);
        p->is_standing = 0;
    }
    if (check_random_index(r, 3) == 0) {
        draw_obstacle(p, &options, &obstacle);
        p->is_standing = 0;
    }
    if (check_random_index(r, 6) == 0) {
        const double down[3] = {0, 0, -1};
        REQUIRE(lb_swivel_at(p->figure, "right_elbow", down, &swivel) == LB_OK);
        options.swivels = &swivel;
        options.swivel_count = 1;
    }
    REQUIRE(lb_problem_set_body(p->problem, 0, &options) == LB_OK);
    if (check_random_index(r, 2)) {
        hold_root(p);
    }
    if (check_random_index(r, 5) == 0) {
        add_habit(p);
    }
    if (check_random_index(r, 8) == 0) {
        add_person(p);
    }
}

void people_free(people *p) {
    lb_problem_destroy(p->problem);
    lb_habit_destroy(p->habit);
    lb_figure_destroy(p->figure);
}

/* --- Answers -------------------------------------------------------------------------------------------------------- */

void people_solve(const people *p, lb_solver *solver, const lb_solve_options *options, const double *start,
                  people_answer *a) {
    memset(a, 0, sizeof *a);
    a->variables = p->variables;
    memcpy(a->pose, start, (size_t)p->variables * sizeof *start);
    lb_result_defaults(&a->result);
    REQUIRE(solver);
    a->status = lb_solver_solve(solver, options, a->pose, &a->result);
    a->constraint_count = a->result.constraint_count < PEOPLE_GOALS ? a->result.constraint_count : PEOPLE_GOALS;
    for (int i = 0; i < a->constraint_count; i++) {
        a->constraints[i] = a->result.constraints[i];
    }
    const lb_body_result *body = a->status == LB_OK ? lb_solver_body(solver, p->count - 1) : NULL;
    if (body) {
        a->body = *body;
        a->contact_count = body->contact_count < PEOPLE_CONTACTS ? body->contact_count : PEOPLE_CONTACTS;
        for (int i = 0; i < a->contact_count; i++) {
            a->contacts[i] = body->contacts[i];
        }
    }
}

void people_solve_afresh(const people *p, const lb_solve_options *options, const double *start, people_answer *a) {
    lb_solver *solver = lb_solver_create(p->problem, NULL);
    people_solve(p, solver, options, start, a);
    lb_solver_destroy(solver);
}

const char *people_differ(const people_answer *a, const people_answer *b) {
    const lb_result *r = &a->result, *q = &b->result;
    if (a->status != b->status || r->outcome != q->outcome) {
        return "the outcome";
    }
    if (memcmp(a->pose, b->pose, sizeof a->pose) != 0) {
        return "the pose";
    }
    if (r->iterations != q->iterations || r->evaluations != q->evaluations || r->restarts != q->restarts) {
        return "a count";
    }
    if (memcmp(&r->value, &q->value, sizeof r->value) != 0 ||
        memcmp(&r->value_before, &q->value_before, sizeof r->value_before) != 0) {
        return "the value";
    }
    for (int i = 0; i < a->constraint_count; i++) {
        if (a->constraints[i].met != b->constraints[i].met ||
            memcmp(&a->constraints[i].distance, &b->constraints[i].distance, sizeof(double)) != 0) {
            return "a constraint";
        }
    }
    if (memcmp(a->body.terms, b->body.terms, sizeof a->body.terms) != 0 ||
        memcmp(a->body.com, b->body.com, sizeof a->body.com) != 0 || a->body.step_count != b->body.step_count) {
        return "the body's report";
    }
    for (int i = 0; i < a->contact_count; i++) {
        if (a->contacts[i].stands != b->contacts[i].stands ||
            memcmp(&a->contacts[i].share, &b->contacts[i].share, sizeof(double)) != 0) {
            return "a contact";
        }
    }
    return strcmp(r->explanation, q->explanation) != 0 ? "the sentence" : NULL;
}

int people_are_finite(const people_answer *a) {
    double sum = a->result.value + a->result.value_before + a->body.overlap;
    for (int i = 0; i < a->variables; i++) {
        sum += fabs(a->pose[i]);
    }
    for (int i = 0; i < LB_BODY_TERM_COUNT; i++) {
        sum += a->body.terms[i];
    }
    for (int i = 0; i < a->contact_count; i++) {
        sum += a->contacts[i].share + a->contacts[i].point[2];
    }
    return isfinite(sum) != 0;
}

double people_outside(const people *p, const double *pose) {
    double most = 1;
    for (int i = 0; i < p->variables; i++) {
        most = fmax(most, fabs(pose[i]));
    }
    double worst = 0;
    for (int i = 0; i < p->count; i++) {
        worst = fmax(worst, lb_figure_violation(p->figure, pose + lb_problem_first_variable(p->problem, i)));
    }
    return worst / most;
}

int people_no_worse(const people_answer *a) {
    return a->result.outcome == LB_OUTCOME_SOLVED || a->result.value <= a->result.value_before * (1 + 1e-9) + 1e-12;
}

void people_stand(people *p, uint64_t seed) {
    people_make(p, seed, PEOPLE_STANDING | PEOPLE_PLAIN);
    while (lb_problem_constraint_count(p->problem) > 0) {
        REQUIRE(lb_problem_remove(p->problem, lb_problem_constraint_id(p->problem, 0)) == LB_OK);
    }
    memcpy(p->start, p->rest, sizeof p->start);
}

int people_reach(people *p, const char *effector, double x, double y, double z, int priority) {
    const double point[3] = {x * p->size, y * p->size, z * p->size};
    lb_constraint c;
    REQUIRE(lb_constraint_at(p->figure, effector, point, &c) == LB_OK);
    c.priority = priority;
    return people_add(p, &c);
}

double people_missed(const people_answer *a, int id) {
    for (int i = 0; i < a->constraint_count; i++) {
        if (a->constraints[i].id == id) {
            return a->constraints[i].distance;
        }
    }
    return INFINITY;
}
