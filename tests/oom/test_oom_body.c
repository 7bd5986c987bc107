/*
 * Out of memory while figures get bodies, and are posed as bodies: the N-th allocation fails, for N = 0, 1, 2, ... until none is
 * left to fail. As in test_oom.c each N is run in two ways: from the N-th on all fail, or only the N-th, and the call is made
 * again.
 */
#include <limber/body.h>
#include <string.h>

#include "puppet.h"
#include "retry.h"

static void solve(run *r, lb_solver *solver, int variables) {
    double pose[2 * PUPPET_VARIABLES] = {0};
    lb_result result;
    int status;
    lb_result_defaults(&result);
    do {
        memset(pose, 0, sizeof pose);
        status = lb_solver_solve(solver, NULL, pose, &result);
    } while (again(r, status == LB_ERROR_MEMORY));
    if (r->stopped) {
        return;
    }
    CHECK_INT(status, LB_OK);
    hash_doubles(r, pose, variables);
    do {
        status = lb_solver_explain(solver, NULL, pose, &result);
    } while (again(r, status == LB_ERROR_MEMORY));
}

static void add_reach(run *r, lb_problem *p, int number, const lb_figure *figure) {
    const double point[3] = {0.4, -0.2, 1.2 - 0.2 * number};
    lb_constraint c;
    REQUIRE(lb_constraint_at(figure, "right_palm", point, &c) == LB_OK);
    c.figure = number;
    TRY(r, lb_problem_add(p, &c));
}

/* A seat that somebody sits on with something in his hand; then a second figure, on which the solver follows. */
static void with_solver(run *r, lb_problem *p, lb_solver *solver, const lb_figure *figure) {
    const lb_surface seat = {
        .name = "a name that has to be copied", .point = {-0.25, 0, 0.45}, .half_size = {0.2, 0.3}};
    const lb_support supports[2] = {{8, 0}, {9, 0}};
    const lb_load load = {PUPPET_RIGHT_FOREARM, {0, 0, -0.33}, 2};
    lb_body_options o;
    solve(r, solver, PUPPET_VARIABLES);
    if (r->stopped) {
        return;
    }
    lb_body_options_defaults(&o);
    o.surfaces = &seat;
    o.supports = supports;
    o.loads = &load;
    o.surface_count = o.load_count = 1;
    o.support_count = 2;
    const lb_body_options *before = lb_problem_body(p, 0);
    do {
        CHECK(lb_problem_body(p, 0) == before && before->surface_count == 0);
    } while (again(r, lb_problem_set_body(p, 0, &o) == LB_ERROR_MEMORY));
    if (r->stopped) {
        return;
    }
    solve(r, solver, PUPPET_VARIABLES);
    if (r->stopped) {
        return;
    }
    TRY(r, lb_problem_add_figure(p, figure));
    add_reach(r, p, 1, figure);
    if (r->stopped) {
        return;
    }
    TRY(r, lb_problem_set_body(p, 1, NULL));
    solve(r, solver, 2 * PUPPET_VARIABLES);
    if (r->stopped) {
        return;
    }
    TRY(r, lb_problem_clear_body(p, 1));
    solve(r, solver, 2 * PUPPET_VARIABLES);
}

static void with_problem(run *r, lb_problem *p, const lb_figure *figure) {
    lb_solver *solver = NULL;
    add_reach(r, p, 0, figure);
    if (r->stopped) {
        return;
    }
    TRY(r, lb_problem_set_body(p, 0, NULL));
    TRY_NEW(r, solver, lb_solver_create(p, NULL));
    with_solver(r, p, solver, figure);
    lb_solver_destroy(solver);
}

static void scenario(run *r, lb_figure *figure, int gaze, const int palms[2]) {
    lb_problem *p = NULL;
    lb_error error;
    int status;
    do {
        CHECK(lb_figure_body(figure) == NULL); /* also after a failure */
        status = puppet_set_body(figure, PUPPET_WHOLE, gaze, palms, &error);
    } while (again(r, status == LB_ERROR_MEMORY));
    if (r->stopped) {
        return;
    }
    CHECK_INT(status, LB_OK);
    TRY_NEW(r, p, lb_problem_create(figure, NULL));
    with_problem(r, p, figure);
    lb_problem_destroy(p);
}

/* Runs it with the N-th allocation after the figure's own failing; returns whether there was an N-th. */
static int run_with(run *r, long fail_at, int fail_after) {
    int gaze, palms[2];
    failing_init(&r->memory, -1, fail_after);
    lb_figure *figure = puppet_figure(&r->memory.allocator, PUPPET_WHOLE, &gaze, palms);
    r->memory.fail_at = fail_at < 0 ? -1 : r->memory.count + fail_at;
    r->may_retry = !fail_after;
    r->stopped = 0;
    r->hash = 0xcbf29ce484222325ull;
    check_note("allocation %ld, %s", fail_at, fail_after ? "stop" : "retry");
    scenario(r, figure, gaze, palms);
    lb_figure_destroy(figure);
    CHECK_INT(r->memory.blocks, 0);
    CHECK_INT(r->memory.mistakes, 0);
    return r->memory.failed > 0;
}

int main(void) {
    static run r; /* the figure's allocator stays where it is */
    CHECK(!run_with(&r, -1, 0));
    uint64_t expected = r.hash;
    long n = 0;
    for (; run_with(&r, n, 1); n++) {
        CHECK(r.stopped);
    }
    CHECK(n > 20);
    printf("%ld allocations, each failed in two ways\n", n);
    for (n = 0; run_with(&r, n, 0); n++) {
        CHECK(!r.stopped);
        CHECK(r.hash == expected);
    }
    check_note("%s", "");
    return check_done();
}
