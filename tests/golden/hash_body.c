/*
 * Hashes (FNV-1a over the bits) what figures answer that are posed as bodies: the pose, the terms, contacts and efforts, the
 * counts and the sentence. Prints scene, outcome, iterations, the terms' sum and the hash a line.
 */
#include <limber/body.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../puppet.h"

static uint64_t hash;

static void hash_bits(const void *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        hash = (hash ^ ((const unsigned char *)data)[i]) * 0x100000001b3u;
    }
}

static void hash_body(const lb_body_result *b) {
    hash_bits(b->terms, sizeof b->terms);
    hash_bits(b->com, sizeof b->com);
    hash_bits(&b->overlap, sizeof b->overlap);
    if (isfinite(b->margin)) { /* what holds nothing up has a margin without end */
        hash_bits(&b->margin, sizeof b->margin);
    }
    for (int i = 0; i < b->contact_count; i++) {
        hash_bits(b->contacts[i].point, sizeof b->contacts[i].point);
        hash_bits(&b->contacts[i].share, sizeof b->contacts[i].share);
        hash_bits(&b->contacts[i].stands, sizeof b->contacts[i].stands);
    }
    for (int i = 0; i < b->effort_count; i++) {
        hash_bits(&b->efforts[i].share, sizeof b->efforts[i].share);
    }
    for (int i = 0; i < b->step_count; i++) {
        hash_bits(&b->steps[i].distance, sizeof b->steps[i].distance);
    }
}

/* Solves from this pose, which becomes the answer, and prints the line. */
static void solve(const char *scene, const lb_problem *p, const lb_solve_options *options, double *pose) {
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_result result;
    double terms = 0;
    lb_result_defaults(&result);
    puppet_require(solver ? 0 : -1, "solver");
    puppet_require(lb_solver_solve(solver, options, pose, &result), result.explanation);
    hash = 0xcbf29ce484222325u;
    hash_bits(pose, (size_t)lb_problem_variable_count(p) * sizeof *pose);
    hash_bits(&result.value_before, sizeof result.value_before);
    hash_bits(&result.value, sizeof result.value);
    hash_bits(&result.iterations, sizeof result.iterations);
    hash_bits(&result.evaluations, sizeof result.evaluations);
    hash_bits(result.explanation, strlen(result.explanation));
    for (int f = 0; f < lb_problem_figure_count(p); f++) {
        const lb_body_result *body = lb_solver_body(solver, f);
        if (body) {
            hash_body(body);
        }
        for (int t = 0; body && t < LB_BODY_TERM_COUNT; t++) {
            terms += body->terms[t];
        }
    }
    printf("%-18s %-8s %4d %.6e %016llx\n", scene, lb_outcome_name(result.outcome), result.iterations, terms,
           (unsigned long long)hash);
    lb_solver_destroy(solver);
}

static void add_at(lb_problem *p, int figure, const char *effector, double x, double y, double z) {
    const double point[3] = {x, y, z};
    lb_constraint c;
    puppet_require(lb_constraint_at(lb_problem_figure(p, figure), effector, point, &c), effector);
    c.figure = figure;
    puppet_require(lb_problem_add(p, &c), effector);
}

static void add_gaze(lb_problem *p, double x, double y, double z) {
    const double point[3] = {x, y, z};
    lb_constraint c;
    puppet_require(lb_constraint_aim(lb_problem_figure(p, 0), "gaze", point, &c), "gaze");
    puppet_require(lb_problem_add(p, &c), "gaze");
}

/* One palm, from the rest pose. */
static void reach(const char *scene, const lb_figure *figure, const lb_body_options *options, double x, double y,
                  double z) {
    double pose[PUPPET_VARIABLES];
    lb_problem *p = lb_problem_create(figure, NULL);
    add_at(p, 0, "right_palm", x, y, z);
    puppet_require(lb_problem_set_body(p, 0, options), "body");
    lb_figure_rest_pose(figure, pose);
    solve(scene, p, NULL, pose);
    lb_problem_destroy(p);
}

static void reach_all(const lb_figure *figure) {
    lb_body_options o;
    const lb_load load = {PUPPET_RIGHT_FOREARM, {0, 0, -0.33}, 6};
    reach("reach", figure, NULL, 0.4, -0.2, 1.2);
    reach("overhead", figure, NULL, 0.2, -0.1, 1.9);
    reach("floor", figure, NULL, 0.4, -0.1, 0.1);
    reach("far", figure, NULL, 0.9, 0.2, 1);
    reach("away", figure, NULL, 2, -1, 1.1);
    reach("sky", figure, NULL, 0.3, 0, 3);
    lb_body_options_defaults(&o);
    o.loads = &load;
    o.load_count = 1;
    reach("load", figure, &o, 0.5, -0.2, 1.1);
    o.load_count = 0;
    o.feet_modes[0] = LB_FOOT_MODE_LIFTED;
    reach("one foot", figure, &o, 0.4, 0.1, 1.2);
    o.feet_modes[0] = o.feet_modes[1] = LB_FOOT_MODE_PLANTED;
    reach("planted", figure, &o, 0.9, 0.1, 1);
    lb_body_options_defaults(&o);
    o.balance = o.apart = o.above_floor = o.eyes = 0;
    reach("no rules", figure, &o, 0.4, 0.2, 0.2);
}

static void look(const lb_figure *figure) {
    double pose[PUPPET_VARIABLES];
    lb_problem *p = lb_problem_create(figure, NULL);
    add_gaze(p, -0.5, 1.5, 1.2);
    puppet_require(lb_problem_set_body(p, 0, NULL), "body");
    lb_figure_rest_pose(figure, pose);
    solve("look", p, NULL, pose);
    lb_problem_destroy(p);
}

static void sit(const lb_figure *figure) {
    double pose[PUPPET_VARIABLES];
    const lb_surface seat = {.name = "seat", .point = {-0.25, 0, 0.45}, .half_size = {0.2, 0.3}};
    const lb_support supports[2] = {{8, 0}, {9, 0}};
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_body_options o;
    lb_body_options_defaults(&o);
    o.surfaces = &seat;
    o.surface_count = 1;
    o.supports = supports;
    o.support_count = 2;
    puppet_require(lb_problem_set_body(p, 0, &o), "body");
    lb_figure_rest_pose(figure, pose);
    solve("sit", p, NULL, pose);
    lb_problem_destroy(p);
}

/* Frames of a drag. */
static void drag(const lb_figure *figure) {
    double pose[PUPPET_VARIABLES];
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    add_at(p, 0, "right_palm", 0.4, -0.2, 1.2);
    puppet_require(lb_problem_set_body(p, 0, NULL), "body");
    lb_figure_rest_pose(figure, pose);
    solve("drag 0", p, &options, pose);
    options.tracking = 1;
    for (int i = 1; i <= 8; i++) {
        char name[16];
        lb_frame frame = {{0.4, -0.2 + 0.01 * i, 1.2 - 0.02 * i}, {0, 0, 0, 1}};
        snprintf(name, sizeof name, "drag %d", i);
        puppet_require(lb_problem_move_goal(p, lb_problem_constraint_id(p, 0), &frame), "move");
        solve(name, p, &options, pose);
    }
    lb_problem_destroy(p);
}

/* Two of them, face to face, whose hands meet at a place of the world. */
static void two(const lb_figure *figure) {
    double pose[2 * PUPPET_VARIABLES];
    lb_problem *p = lb_problem_create(figure, NULL);
    puppet_require(lb_problem_add_figure(p, figure), "second");
    add_at(p, 0, "right_palm", 0.45, 0, 1.05);
    add_at(p, 1, "right_palm", 0.45, 0, 1.05);
    puppet_require(lb_problem_set_body(p, 0, NULL), "body");
    puppet_require(lb_problem_set_body(p, 1, NULL), "body");
    lb_figure_rest_pose(figure, pose);
    lb_figure_rest_pose(figure, pose + PUPPET_VARIABLES);
    pose[PUPPET_VARIABLES] = 0.9;
    pose[PUPPET_VARIABLES + 5] = 3.1;
    solve("two", p, NULL, pose);
    lb_problem_destroy(p);
}

int main(void) {
    lb_figure *whole = puppet_make(PUPPET_WHOLE), *fixed = puppet_make(PUPPET_WHOLE & ~PUPPET_ROOT),
              *bare = puppet_make(PUPPET_ROOT);
    reach_all(whole);
    look(whole);
    sit(whole);
    drag(whole);
    two(whole);
    reach("fixed root", fixed, NULL, 0.4, -0.2, 1.2);
    reach("bare body", bare, NULL, 0.4, -0.2, 1.2);
    lb_figure_destroy(whole);
    lb_figure_destroy(fixed);
    lb_figure_destroy(bare);
    return 0;
}
