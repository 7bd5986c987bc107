/*
 * Out of memory while a problem is made and solved: the N-th allocation fails, for N = 0, 1, 2, ... until none is left
 * to fail.
 *
 * As in test_oom.c each N is run in two ways. "Stop": from the N-th on all fail; the call must say so, nothing may be
 * left behind. "Retry": only the N-th fails; the call is made again, and all results must be the same as without a
 * failure.
 */
#include <limber/solve.h>
#include <string.h>

#include "retry.h"

/* Three links, the second a true ball in a swing polygon, so that there are rows; made before anything fails. */
static lb_figure *make_figure(const lb_allocator *allocator) {
    static const char *const types[3] = {"R(z)", "swing_twist(x)", "R(y)"};
    lb_builder *b = lb_builder_create(allocator, NULL);
    double cone[6][2];
    int last = -1;
    REQUIRE(b != NULL);
    for (int i = 0; i < 4; i++) {
        char name[16], joint_name[16];
        lb_segment segment;
        lb_site site;
        lb_segment_defaults(&segment);
        snprintf(name, sizeof name, "link%d", i);
        segment.name = name;
        segment.mass = 1;
        int index = lb_builder_add_segment(b, &segment);
        lb_site_defaults(&site);
        site.segment = index;
        site.name = "base";
        int base = lb_builder_add_site(b, &site);
        site.name = "tip";
        site.frame.position[0] = i ? 0.3 : 0;
        int tip = lb_builder_add_site(b, &site);
        if (i) {
            lb_joint joint;
            lb_joint_defaults(&joint);
            snprintf(joint_name, sizeof joint_name, "joint%d", i);
            joint.name = joint_name;
            joint.site_a = last;
            joint.site_b = base;
            REQUIRE(lb_joint_type_parse(types[i - 1], &joint.type, NULL) == LB_OK);
            lb_swing_cone(0.7, 6, cone);
            joint.swing_count = i == 2 ? 6 : 0;
            joint.swing = (const double(*)[2])cone;
            REQUIRE(lb_builder_add_joint(b, &joint) >= 0);
        }
        last = tip;
    }
    lb_figure *figure = NULL;
    REQUIRE(lb_builder_finish(b, &figure) == LB_OK);
    lb_builder_destroy(b);
    return figure;
}

static void point_goal(lb_constraint *c, int figure, double x, double y) {
    lb_constraint_defaults(c);
    c->name = "a name that has to be copied";
    c->figure = figure;
    c->effector.segment = 3;
    c->effector.point[0] = 0.3;
    c->goal.point[0] = x;
    c->goal.point[1] = y;
}

/* By every method in turn. */
static void solve(run *r, lb_solver *solver, int variables) {
    for (int method = LB_METHOD_LM; method <= LB_METHOD_FABRIK; method++) {
        lb_solve_options options;
        lb_result result;
        lb_result_defaults(&result);
        double pose[16] = {0.1, 0.2, 0.1, -0.1, 0.3, 0.2, 0.1, 0.2, 0.3, 0.1};
        int status;
        lb_solve_options_defaults(&options);
        options.method = (lb_method)method;
        options.restarts = 2;
        do {
            status = lb_solver_solve(solver, &options, pose, &result);
        } while (again(r, status == LB_ERROR_MEMORY));
        if (r->stopped) {
            return;
        }
        CHECK(status == LB_OK || status == LB_ERROR_UNSUPPORTED);
        hash_doubles(r, pose, variables);
    }
}

/* Three threads: what they need is had before they begin. */
static void solve_many(run *r, lb_problem *p, const double *start) {
    static const int ids[1] = {1};
    lb_frame goals[9];
    double poses[9][10];
    lb_many many;
    for (int i = 0; i < 9; i++) {
        lb_frame_identity(&goals[i]);
        goals[i].position[0] = 0.3 + 0.03 * i;
        goals[i].position[1] = 0.2;
    }
    lb_many_defaults(&many);
    many.count = 9;
    many.goal_count = 1;
    many.ids = ids;
    many.goals = goals;
    many.starts = start;
    many.one_start = 1;
    many.threads = 3;
    TRY(r, lb_solve_many(p, NULL, &many, poses[0], NULL, NULL));
    hash_doubles(r, poses[0], 90);
}

static void with_solver(run *r, lb_problem *p, lb_solver *solver, const lb_figure *figure) {
    static const double faces[2][4] = {{1, 0, 0, 0.5}, {0, 1, 0, 0.4}};
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    double pose[16] = {0.1, 0.2, 0.1, -0.1, 0.3, 0.2, 0.1, 0.2, 0.3, 0.1}, poses[2][16];
    int status;
    solve(r, solver, 5);
    if (r->stopped) {
        return;
    }
    TRY(r, lb_problem_add_figure(p, figure)); /* the solver follows */
    point_goal(&c, 1, 0.4, 0.3);
    c.goal.kind = LB_GOAL_POLYHEDRON;
    c.goal.face_count = 2;
    c.goal.faces = faces;
    TRY(r, lb_problem_add(p, &c));
    TRY(r, lb_solver_prepare(solver, LB_METHOD_BFGS));
    solve(r, solver, 10);
    if (r->stopped) {
        return;
    }
    c.goal.outside = 1;
    TRY(r, lb_problem_change(p, 2, &c));
    do {
        status = lb_solver_solve_all(solver, NULL, pose, 0.01, 2, poses[0], &result);
    } while (again(r, status == LB_ERROR_MEMORY));
    if (r->stopped) {
        return;
    }
    CHECK_INT(status, LB_OK);
    hash_doubles(r, poses[0], 10 * (result.answer_count > 0));
    TRY(r, lb_solve(p, NULL, pose, &result));
    hash_doubles(r, pose, 10);
    solve_many(r, p, pose);
}

static void scenario(run *r, const lb_figure *figure) {
    lb_problem *p;
    lb_constraint c;
    TRY_NEW(r, p, lb_problem_create(figure, NULL));
    point_goal(&c, 0, 0.5, 0.3);
    int status;
    do {
        status = lb_problem_add(p, &c);
    } while (again(r, status < 0));
    lb_solver *solver = NULL;
    while (!r->stopped && !solver) {
        solver = lb_solver_create(p, NULL);
        if (!solver && !again(r, 1)) {
            break;
        }
    }
    if (solver) {
        with_solver(r, p, solver, figure);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
}

/* Runs it with the N-th allocation from here failing; returns whether there was an N-th. */
static int run_with(run *r, lb_figure *figure, long fail_at, int fail_after) {
    long blocks = r->memory.blocks;
    r->memory.fail_at = fail_at < 0 ? -1 : r->memory.count + fail_at;
    r->memory.fail_after = fail_after;
    r->memory.failed = 0;
    r->may_retry = !fail_after;
    r->stopped = 0;
    r->hash = 0xcbf29ce484222325ull;
    scenario(r, figure);
    check_note("allocation %ld, %s", fail_at, fail_after ? "stop" : "retry");
    CHECK_INT(r->memory.blocks, blocks);
    CHECK_INT(r->memory.mistakes, 0);
    r->memory.fail_at = -1;
    return r->memory.failed > 0;
}

int main(void) {
    static run r; /* the figure's allocator stays where it is */
    failing_init(&r.memory, -1, 0);
    lb_figure *figure = make_figure(&r.memory.allocator);
    CHECK(!run_with(&r, figure, -1, 0));
    uint64_t expected = r.hash;
    long n = 0;
    for (; run_with(&r, figure, n, 1); n++) {
        CHECK(r.stopped);
    }
    CHECK(n > 20);
    printf("%ld allocations, each failed in two ways\n", n);
    for (n = 0; run_with(&r, figure, n, 0); n++) {
        CHECK(!r.stopped);
        CHECK(r.hash == expected);
    }
    lb_figure_destroy(figure);
    check_note("%s", "");
    CHECK_INT(r.memory.blocks, 0);
    return check_done();
}
