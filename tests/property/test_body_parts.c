/* Bodies that lack parts - a free root, contacts, named starts, eyes, arms, solids, strengths, weights - in all 256 combinations, with
 * goals and options at random: whatever a body has, limits hold, numbers are finite, the same gives the same bits, and nothing is
 * worse than before where there is nothing to stand on. One, or two in one problem. */
#include <math.h>
#include <string.h>

#include "check.h"
#include "property.h"
#include "puppet.h"

static property properties[] = {{.name = "limits hold"},
                                {.name = "what comes out is finite"},
                                {.name = "there is an answer and a sentence"},
                                {.name = "a reused solver answers as a fresh one"},
                                {.name = "what a hand can reach is reached", .share = 0.02},
                                {.name = "contacts carry what there is, where it stands"}};
enum { LIMITS, FINITE, ANSWERED, REUSED, REACHED, CARRIED };

#define MOST (2 * PUPPET_VARIABLES)

typedef struct scene {
    lb_figure *figure;
    lb_problem *problem;
    check_random random;
    unsigned parts;
    int count, variables; /* figures, variables of all */
    double start[MOST];
    int is_easy; /* a hand that reaches a point before the chest, from a start that stands */
} scene;

static void add_point(scene *s, int figure, const char *effector, const double point[3]) {
    lb_constraint c;
    REQUIRE(lb_constraint_at(s->figure, effector, point, &c) == LB_OK);
    c.figure = figure;
    REQUIRE(lb_problem_add(s->problem, &c) >= 0);
}

static void add_goals(scene *s, int figure) {
    check_random *r = &s->random;
    double point[3];
    lb_constraint c;
    for (int k = 0; k < 3; k++) {
        point[k] = check_random_range(r, k == 2 ? 0 : -0.8, k == 2 ? 1.9 : 0.8);
    }
    if (s->is_easy) {
        point[0] = check_random_range(r, 0.25, 0.4);
        point[1] = check_random_range(r, -0.35, -0.15);
        point[2] = check_random_range(r, 1, 1.4);
        add_point(s, figure, "right_palm", point);
        return;
    }
    const int kind = check_random_index(r, 5);
    if (kind < 3) {
        add_point(s, figure, kind == 0 ? "right_palm" : kind == 1 ? "left_palm" : "pelvis.base", point);
    } else if (kind == 3) {
        REQUIRE(lb_constraint_aim(s->figure, "gaze", point, &c) == LB_OK);
        c.figure = figure;
        REQUIRE(lb_problem_add(s->problem, &c) >= 0);
    } /* else: nothing is asked */
}

static void draw_options(scene *s, lb_body_options *o, lb_surface *surface, lb_support *support, lb_load *load) {
    check_random *r = &s->random;
    double *const factors[] = {&o->posture, &o->comfort, &o->effort, &o->hang, &o->head, &o->look, &o->feet, &o->habit};
    int *const switches[] = {&o->balance, &o->above_floor, &o->apart, &o->eyes};
    for (size_t i = 0; i < sizeof factors / sizeof *factors; i++) {
        *factors[i] = check_random_index(r, 4) ? 1 : check_random_range(r, 0, 5);
    }
    for (size_t i = 0; i < sizeof switches / sizeof *switches; i++) {
        *switches[i] = check_random_index(r, 5) > 0;
    }
    for (int limb = 0; limb < 2; limb++) {
        o->feet_modes[limb] = check_random_index(r, 3) ? LB_FOOT_MODE_AUTO : (lb_foot_mode)check_random_index(r, 4);
    }
    if (check_random_index(r, 4) == 0) {
        *load = (lb_load){check_random_index(r, PUPPET_SEGMENTS), {0.1, 0, 0}, check_random_range(r, 0, 30)};
        o->loads = load;
        o->load_count = 1;
    }
    if ((s->parts & PUPPET_CONTACTS) && check_random_index(r, 4) == 0) {
        *surface = (lb_surface){
            .name = "table", .point = {0.1, 0, check_random_range(r, 0.2, 1.1)}, .half_size = {0.6, INFINITY}};
        *support = (lb_support){8 + check_random_index(r, 4), 0};
        o->surfaces = surface;
        o->supports = support;
        o->surface_count = o->support_count = 1;
    }
}

static void open_scene(scene *s, long number, uint64_t seed) {
    memset(s, 0, sizeof *s);
    check_random_seed(&s->random, seed);
    s->parts = (unsigned)number & PUPPET_WHOLE;
    s->is_easy = number % 3 == 0;
    s->count = number % 5 == 4 ? 2 : 1;
    s->figure = puppet_make(s->parts);
    s->problem = lb_problem_create(s->figure, NULL);
    REQUIRE(s->problem && (s->count < 2 || lb_problem_add_figure(s->problem, s->figure) == 1));
    const int own = lb_figure_variable_count(s->figure);
    s->variables = lb_problem_variable_count(s->problem);
    REQUIRE(s->variables <= MOST);
    for (int f = 0; f < s->count; f++) {
        lb_body_options options;
        lb_surface surface;
        lb_support support;
        lb_load load;
        lb_body_options_defaults(&options);
        if (!s->is_easy) {
            draw_options(s, &options, &surface, &support, &load);
        }
        REQUIRE(lb_problem_set_body(s->problem, f, &options) == LB_OK);
        add_goals(s, f);
        lb_figure_rest_pose(s->figure, s->start + f * own);
        for (int i = 0; i < own && !s->is_easy && number % 2; i++) {
            s->start[f * own + i] += check_random_range(&s->random, -0.2, 0.2);
        }
    }
}

static int is_finite_body(const lb_body_result *b) {
    double sum = b->overlap + b->com[0] + b->com[1] + b->com[2];
    for (int i = 0; i < LB_BODY_TERM_COUNT; i++) {
        sum += b->terms[i];
    }
    for (int i = 0; i < b->contact_count; i++) {
        sum += b->contacts[i].share + b->contacts[i].point[2];
    }
    for (int i = 0; i < b->effort_count; i++) {
        sum += b->efforts[i].share;
    }
    return isfinite(sum) && !isnan(b->margin);
}

/* Each share is between 0 and 1, and what is in the air carries nothing. */
static int is_carried(const lb_body_result *b) {
    for (int i = 0; i < b->contact_count; i++) {
        const lb_contact_result *c = &b->contacts[i];
        if (!(c->share >= -1e-9 && c->share <= 1 + 1e-6) || (!c->stands && c->share > 1e-3)) {
            return 0;
        }
    }
    return 1;
}

static void check_answer(const scene *s, const lb_solver *solver, const double *pose, const lb_result *result) {
    double sum = 0;
    for (int i = 0; i < s->variables; i++) {
        sum += fabs(pose[i]);
    }
    property_expect(&properties[FINITE], isfinite(sum) && isfinite(result->value), "parts %x", s->parts);
    for (int f = 0; f < s->count; f++) {
        const double off = lb_figure_violation(s->figure, pose + lb_problem_first_variable(s->problem, f));
        const lb_body_result *body = lb_solver_body(solver, f);
        property_expect(&properties[LIMITS], off <= 1e-9 * (1 + sum), "parts %x, figure %d: outside by %g", s->parts, f,
                        off);
        property_expect(&properties[FINITE], body && is_finite_body(body), "parts %x, figure %d", s->parts, f);
        property_expect(&properties[CARRIED], !body || result->outcome != LB_OUTCOME_SOLVED || is_carried(body),
                        "parts %x, figure %d", s->parts, f);
    }
    if (s->is_easy) {
        property_expect(&properties[REACHED], result->outcome == LB_OUTCOME_SOLVED, "parts %x: %s, \"%s\"", s->parts,
                        lb_outcome_name(result->outcome), result->explanation);
    }
}

static void run(long number, uint64_t seed) {
    double pose[MOST], again[MOST];
    lb_result result;
    scene s;
    open_scene(&s, number, seed);
    lb_solver *solver = lb_solver_create(s.problem, NULL);
    REQUIRE(solver);
    lb_result_defaults(&result);
    memcpy(pose, s.start, sizeof pose);
    lb_status status = lb_solver_solve(solver, NULL, pose, &result);
    property_expect(&properties[ANSWERED], status == LB_OK && result.explanation[0], "parts %x: status %d, \"%s\"",
                    s.parts, status, result.explanation);
    if (status == LB_OK) {
        check_answer(&s, solver, pose, &result);
        lb_result_defaults(&result);
        memcpy(again, s.start, sizeof again);
        status = lb_solver_solve(solver, NULL, again, &result);
        property_expect(&properties[REUSED],
                        status == LB_OK && memcmp(pose, again, (size_t)s.variables * sizeof *pose) == 0, "parts %x",
                        s.parts);
        property_expect(&properties[ANSWERED], lb_solver_explain(solver, NULL, pose, &result) == LB_OK,
                        "parts %x: not explained", s.parts);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(s.problem);
    lb_figure_destroy(s.figure);
}

int main(int argc, char **argv) { return property_main(argc, argv, 256, 5120, run, properties, 6); }
