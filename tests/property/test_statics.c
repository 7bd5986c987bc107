/* What holds a pose (lb_statics), judged by sums over masses and contacts that share nothing with the solver: forces that press,
 * hold the centre of mass up and are of what touches; the moments at joints; and that nothing else changes. */
#include "check.h"
#include <limber/body.h>
#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define GRAVITY 9.81
#define TOUCHES 5e-3

typedef struct model {
    lb_figure *figure;
    lb_problem *problem;
    lb_solver *solver;
    lb_kinematics *kinematics;
    lb_body_options options;
    double *pose;
    int variables;
} model;

static void place_point(const model *m, int segment, const double at[3], double world[3]) {
    lb_frame frame, point = {{at[0], at[1], at[2]}, {0, 0, 0, 1}}, placed;
    lb_kinematics_segment(m->kinematics, segment, &frame);
    lb_frame_multiply(&frame, &point, &placed);
    memcpy(world, placed.position, sizeof placed.position);
}

static int is_below(const lb_figure *figure, int segment, int above) {
    while (segment >= 0 && segment != above) {
        segment = lb_figure_parent_segment(figure, segment);
    }
    return segment >= 0;
}

/* The mass and its moment of what hangs on a segment, with the loads. Returns the mass. */
static double weigh(const model *m, int above, double moment[3]) {
    double mass = 0;
    memset(moment, 0, 3 * sizeof *moment);
    for (int s = 0; s < lb_figure_segment_count(m->figure); s++) {
        const lb_segment *segment = lb_figure_segment(m->figure, s);
        double at[3];
        if (segment->mass > 0 && is_below(m->figure, s, above)) {
            place_point(m, s, segment->com, at);
            mass += segment->mass;
            for (int c = 0; c < 3; c++) {
                moment[c] += segment->mass * at[c];
            }
        }
    }
    for (int k = 0; k < m->options.load_count; k++) {
        const lb_load *load = &m->options.loads[k];
        double at[3];
        if (is_below(m->figure, load->segment, above)) {
            place_point(m, load->segment, load->point, at);
            mass += load->mass;
            for (int c = 0; c < 3; c++) {
                moment[c] += load->mass * at[c];
            }
        }
    }
    return mass;
}

/* The forces: of what touches, pressing, and holding the centre of mass up where that is inside of what they stand on. */
static void check_forces(const model *m, const lb_body_result *r) {
    const lb_body *body = lb_figure_body(m->figure);
    double com[3], sum = 0, middle[2] = {0, 0};
    const double mass = weigh(m, lb_figure_root(m->figure)->segment, com);
    for (int c = 0; c < 3; c++) {
        CHECK_NEAR(r->com[c], com[c] / mass, 1e-9);
    }
    for (int k = 0; k < r->contact_count; k++) {
        const lb_contact_result *c = &r->contacts[k];
        double at[3];
        place_point(m, body->contacts[c->contact].segment, body->contacts[c->contact].point, at);
        CHECK_NEAR(hypot(hypot(at[0] - c->point[0], at[1] - c->point[1]), at[2] - c->point[2]), 0, 1e-9);
        CHECK(c->share >= 0 && c->share <= 1 + 1e-9);
        CHECK(c->share == 0 || at[2] - m->options.floor <= TOUCHES + 1e-12);
        CHECK(c->share == 0 || c->stands);
        CHECK(!c->stands || at[2] - m->options.floor <= TOUCHES + 1e-12);
        sum += c->share;
        middle[0] += c->share * at[0], middle[1] += c->share * at[1];
    }
    const double off = fmax(fabs(sum - 1), fmax(fabs(middle[0] - com[0] / mass), fabs(middle[1] - com[1] / mass)));
    CHECK(r->margin < 0 || off < 1e-6);
    CHECK(r->margin < 0 || r->imbalance < 1e-6);
    CHECK(r->imbalance >= 1e-6 || off < 2e-6);
    CHECK(!(r->margin < -1e-3) || r->imbalance > 1e-5); /* outside: nothing holds it */
}

/* The shares of strengths, by the moments of what hangs on each joint less what contacts below it carry. */
static void check_efforts(const model *m, const lb_body_result *r) {
    const lb_body *body = lb_figure_body(m->figure);
    double unused[3];
    const double whole = weigh(m, lb_figure_root(m->figure)->segment, unused);
    for (int k = 0; k < r->effort_count; k++) {
        const lb_body_strength *strength = &body->strengths[r->efforts[k].strength];
        double joint[3], moment[3], about[2];
        const double origin[3] = {0, 0, 0}, mass = weigh(m, strength->segment, moment);
        place_point(m, strength->segment, origin, joint);
        for (int c = 0; c < 2; c++) {
            about[c] = moment[c] - mass * joint[c];
        }
        for (int i = 0; i < r->contact_count; i++) {
            const lb_contact_result *contact = &r->contacts[i];
            if (is_below(m->figure, body->contacts[contact->contact].segment, strength->segment)) {
                about[0] -= whole * contact->share * (contact->point[0] - joint[0]);
                about[1] -= whole * contact->share * (contact->point[1] - joint[1]);
            }
        }
        check_note("%s", strength->name);
        CHECK_NEAR(r->efforts[k].share, GRAVITY * hypot(about[0], about[1]) / strength->moment, 1e-6);
        CHECK(k == 0 || r->efforts[k].share <= r->efforts[k - 1].share);
    }
    check_note("%s", "");
}

static const lb_body_result *hold(const model *m, const double *pose) {
    lb_error error = {0};
    double *kept = malloc((size_t)m->variables * sizeof *kept);
    memcpy(kept, pose, (size_t)m->variables * sizeof *kept);
    CHECK_INT(lb_statics(m->solver, pose, &error), LB_OK);
    CHECK(memcmp(kept, pose, (size_t)m->variables * sizeof *kept) == 0);
    free(kept);
    lb_kinematics_update(m->kinematics, pose);
    return lb_solver_body(m->solver, 0);
}

/* A pose with the feet where they are: arms, head and trunk anywhere, the body a little higher or lower. */
static void disturb(const model *m, check_random *random) {
    static const char *const legs[] = {"hip", "knee", "ankle", "toe", "root"};
    lb_figure_rest_pose(m->figure, m->pose);
    for (int v = 0; v < m->variables; v++) {
        const lb_variable *variable = lb_figure_variable(m->figure, v);
        int is_leg = 0;
        for (int k = 0; k < 5; k++) {
            is_leg |= strstr(variable->name, legs[k]) != NULL;
        }
        if (!is_leg && variable->rigidity < 1) {
            const double low = fmax(variable->lower, m->pose[v] - 1.2), high = fmin(variable->upper, m->pose[v] + 1.2);
            m->pose[v] = check_random_range(random, low, high);
        }
    }
    m->pose[2] += check_random_range(random, -0.002, 0.004) + m->options.floor;
    m->pose[0] += check_random_range(random, -3, 3);
}

/* The same answer from a solver that told the statics of poses before as from a fresh one. */
static void check_memory(const model *m, check_random *random) {
    double *fresh = malloc(2 * (size_t)m->variables * sizeof *fresh), *used = fresh + m->variables;
    lb_result result;
    lb_constraint reach;
    const double at[3] = {check_random_range(random, 0.2, 0.6), check_random_range(random, -0.5, 0.1),
                          check_random_range(random, 0.4, 1.6) + m->options.floor};
    lb_result_defaults(&result);
    lb_constraint_at(m->figure, "right_palm", at, &reach);
    const int id = lb_problem_add(m->problem, &reach);
    lb_solver *other = lb_solver_create(m->problem, NULL);
    hold(m, m->pose);
    lb_figure_rest_pose(m->figure, fresh), lb_figure_rest_pose(m->figure, used);
    fresh[2] += m->options.floor, used[2] += m->options.floor;
    CHECK_INT(lb_solver_solve(other, NULL, fresh, &result), LB_OK);
    const lb_outcome outcome = result.outcome;
    CHECK_INT(lb_solver_solve(m->solver, NULL, used, &result), LB_OK);
    CHECK(result.outcome == outcome && memcmp(fresh, used, (size_t)m->variables * sizeof *used) == 0);
    /* The answer's own report is that of its statics, where no share of it is at the least that a solve lets things carry. */
    const lb_body_result *solved = lb_solver_body(other, 0), *held = hold(m, used);
    double least = 1;
    for (int k = 0; k < solved->contact_count; k++) {
        least = solved->contacts[k].share > 1e-9 ? fmin(least, solved->contacts[k].share) : least;
    }
    CHECK_NEAR(held->margin, solved->margin, 1e-6);
    for (int k = 0; k < solved->contact_count && least > 0.02 && outcome == LB_OUTCOME_SOLVED; k++) {
        CHECK_NEAR(held->contacts[k].share, solved->contacts[k].share, 2e-3);
    }
    check_forces(m, held);
    check_efforts(m, held);
    lb_solver_destroy(other);
    lb_problem_remove(m->problem, id);
    free(fresh);
}

static void check_person(int number) {
    model m = {0};
    char path[1024], note[100];
    check_random random;
    check_random_seed(&random, (unsigned long long)number);
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.stature = check_random_range(&random, 1.45, 2);
    REQUIRE(lb_figure_load(path, &options, &m.figure, NULL) == LB_OK);
    m.variables = lb_figure_variable_count(m.figure);
    m.pose = malloc((size_t)m.variables * sizeof *m.pose);
    m.kinematics = lb_kinematics_create(m.figure, NULL);
    m.problem = lb_problem_create(m.figure, NULL);
    const lb_load load = {
        lb_figure_find_segment(m.figure, "right_hand"), {0, 0, -0.05}, check_random_range(&random, 0, 8)};
    lb_body_options_defaults(&m.options);
    m.options.floor = number % 3 ? 0 : check_random_range(&random, -1, 1);
    m.options.load_count = number % 2, m.options.loads = &load;
    REQUIRE(lb_problem_set_body(m.problem, 0, &m.options) == LB_OK);
    m.solver = lb_solver_create(m.problem, NULL);
    for (int k = 0; k < 4; k++) {
        snprintf(note, sizeof note, "person %d, pose %d", number, k);
        check_note("%s", note);
        disturb(&m, &random);
        const lb_body_result *r = hold(&m, m.pose);
        check_forces(&m, r);
        check_efforts(&m, r);
    }
    m.pose[2] += 0.3; /* in the air */
    const lb_body_result *r = hold(&m, m.pose);
    CHECK_NEAR(r->imbalance, 1, 1e-9);
    for (int k = 0; k < r->contact_count; k++) {
        CHECK(!r->contacts[k].stands && r->contacts[k].share == 0);
    }
    lb_figure_rest_pose(m.figure, m.pose);
    m.pose[2] += m.options.floor;
    check_memory(&m, &random);
    lb_solver_destroy(m.solver);
    lb_problem_destroy(m.problem);
    lb_kinematics_destroy(m.kinematics);
    lb_figure_destroy(m.figure);
    free(m.pose);
}

/* What is refused, and a person who leans on a wall: friction and six equations. */
static void check_others(void) {
    char path[1024];
    lb_figure *figure = NULL;
    lb_error error = {0};
    REQUIRE(check_source("models/human.fig", path, sizeof path) && lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    lb_problem *problem = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(problem, NULL);
    double *pose = malloc((size_t)lb_figure_variable_count(figure) * sizeof *pose);
    lb_figure_rest_pose(figure, pose);
    CHECK_INT(lb_statics(solver, pose, &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "posed as a body");
    CHECK_INT(lb_statics(solver, NULL, NULL), LB_ERROR_ARGUMENT);
    lb_solver_destroy(solver);
    lb_body_options options;
    lb_result result;
    lb_body_options_defaults(&options);
    lb_result_defaults(&result);
    const lb_surface wall = {.name = "wall", .point = {0.6, 0, 1.2}, .half_size = {1, 1}, .normal = {-1, 0, 0}};
    int palm = 0;
    while (strcmp(lb_figure_body(figure)->contacts[palm].name, "right_palm") != 0) {
        palm++;
    }
    const lb_support support = {palm, 0};
    options.surfaces = &wall, options.surface_count = 1, options.supports = &support, options.support_count = 1;
    REQUIRE(lb_problem_set_body(problem, 0, &options) == LB_OK);
    solver = lb_solver_create(problem, NULL);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_INT(lb_statics(solver, pose, &error), LB_OK);
    const lb_body_result *r = lb_solver_body(solver, 0);
    double force[3] = {0, 0, -1}, moment[3] = {0, 0, 0};
    CHECK(r->imbalance < 1e-6);
    for (int k = 0; k < r->contact_count; k++) {
        const double *f = r->contacts[k].force, *p = r->contacts[k].point;
        const double d[3] = {p[0] - r->com[0], p[1] - r->com[1], p[2] - r->com[2]};
        for (int c = 0; c < 3; c++) {
            force[c] += f[c];
            moment[c] += d[(c + 1) % 3] * f[(c + 2) % 3] - d[(c + 2) % 3] * f[(c + 1) % 3];
        }
        if (k == palm) {
            CHECK(f[0] <= 1e-9 &&
                  hypot(f[1], f[2]) <= -f[0] * options.friction * sqrt(2) + 1e-6); /* a pyramid's cone */
        }
    }
    for (int c = 0; c < 3; c++) {
        CHECK_NEAR(force[c], 0, 1e-5);
        CHECK_NEAR(moment[c], 0,
                   0.05); /* a foot's friction acts at its ball: its points share it, which turns it a little */
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(problem);
    lb_figure_destroy(figure);
    free(pose);
}

/* Boxes that have no end in one or two directions are as deep as they are; one that is everywhere is none. */
static void check_endless(void) {
    char path[1024];
    lb_figure *figure = NULL;
    REQUIRE(check_source("models/human.fig", path, sizeof path) && lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    double *pose = malloc((size_t)lb_figure_variable_count(figure) * sizeof *pose);
    lb_figure_rest_pose(figure, pose);
    for (int endless = 0; endless < 8; endless++) {
        lb_problem *problem = lb_problem_create(figure, NULL);
        lb_obstacle box = {.kind = LB_SHAPE_BOX, .point = {0, 0, 1}, .half_size = {0.3, 0.3, 0.3}};
        lb_body_options options;
        lb_body_options_defaults(&options);
        for (int c = 0; c < 3; c++) {
            box.half_size[c] = endless >> c & 1 ? INFINITY : box.half_size[c];
        }
        options.obstacles = &box, options.obstacle_count = 1;
        check_note("a box without end in directions %d", endless);
        CHECK_INT(lb_problem_set_body(problem, 0, &options), endless == 7 ? LB_ERROR_ARGUMENT : LB_OK);
        lb_solver *solver = lb_solver_create(problem, NULL);
        if (endless < 7) {
            CHECK_INT(lb_statics(solver, pose, NULL), LB_OK);
            CHECK(lb_solver_body(solver, 0)->overlap > 0.1 && lb_solver_body(solver, 0)->overlap < 1);
        }
        lb_solver_destroy(solver);
        lb_problem_destroy(problem);
    }
    check_note("%s", "");
    lb_figure_destroy(figure);
    free(pose);
}

int main(void) {
    for (int k = 0; k < check_count(6, 200); k++) {
        check_person(k);
    }
    check_note("%s", "");
    check_others();
    check_endless();
    return check_done();
}
