/* What threads may do at the same time, under ThreadSanitizer: solve one problem with a solver each, solve many at once,
 * cancel from outside. The solves that are cancelled would go on for hours; what is checked does not depend on when the
 * request comes. */
#include <limber/solve.h>
#include <limits.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define JOINTS 7
#define SOLVERS 4
#define PROBLEMS 64

static void require(int holds, const char *what) {
    if (!holds) {
        printf("WRONG: %s\n", what);
        exit(1);
    }
}

/* --- An arm and a goal --------------------------------------------------------------------------------------------- */

static lb_figure *make_arm(void) {
    lb_dh_row rows[JOINTS] = {{0}};
    lb_segment base;
    lb_site site;
    lb_figure *figure = NULL;
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_segment_defaults(&base);
    base.name = "base";
    lb_site_defaults(&site);
    site.name = "top";
    site.segment = lb_builder_add_segment(b, &base);
    int top = lb_builder_add_site(b, &site);
    for (int i = 0; i < JOINTS; i++) {
        rows[i] = (lb_dh_row){.a = 0.1, .alpha = i % 2 ? 1.5 : -1.5, .d = 0.2, .lower = -2.5, .upper = 2.5};
    }
    require(lb_builder_add_dh_chain(b, top, LB_DH_CONVENTION_STANDARD, JOINTS, rows) > 0, "the arm's chain");
    require(lb_builder_finish(b, &figure) == LB_OK, "the arm");
    lb_builder_destroy(b);
    return figure;
}

static lb_problem *make_problem(const lb_figure *figure, double away, int *id) {
    lb_constraint c;
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint_defaults(&c);
    require(lb_effector_from_segment(figure, JOINTS, &c.effector) == LB_OK, "the end-effector");
    c.goal.kind = LB_GOAL_FRAME;
    c.goal.point[0] = away;
    c.goal.point[2] = 0.4;
    *id = lb_problem_add(p, &c);
    require(*id > 0, "the constraint");
    return p;
}

/* --- One solve, cancelled from another thread ------------------------------------------------------------------------ */

typedef struct cancelling {
    lb_cancel cancel;
    atomic_int begun;
    int message; /* plain: written before the request, read after the solve that saw it */
} cancelling;

static int note_begun(void *context, const lb_progress *progress) {
    (void)progress;
    atomic_store(&((cancelling *)context)->begun, 1);
    return 0;
}

static void *cancel_when_begun(void *argument) {
    cancelling *c = argument;
    while (!atomic_load(&c->begun)) {
    }
    c->message = 42;
    lb_cancel_request(&c->cancel);
    return NULL;
}

static void endless(lb_solve_options *options) {
    lb_solve_options_defaults(options);
    options->restarts = INT_MAX - 1;
    options->max_evaluations = INT_MAX;
}

static void check_cancelled(const lb_problem *problem, lb_method method) {
    cancelling c = {{0}, 0, 0};
    double pose[JOINTS] = {0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7};
    lb_solve_options options;
    lb_result result;
    pthread_t thread;
    lb_result_defaults(&result);
    endless(&options);
    options.method = method;
    options.cancel = &c.cancel;
    options.on_iteration = note_begun;
    options.on_iteration_context = &c;
    require(pthread_create(&thread, NULL, cancel_when_begun, &c) == 0, "a thread");
    require(lb_solve(problem, &options, pose, &result) == LB_OK, "the solve that is cancelled");
    require(result.outcome == LB_OUTCOME_BUDGET, "cancelled is out of budget");
    require(result.value <= result.value_before, "cancelled is no worse");
    require(c.message == 42, "what was written before the request can be read after it was seen");
    require(lb_cancel_is_requested(&c.cancel), "the request stays");
    pthread_join(thread, NULL);
}

/* --- Many, cancelled -------------------------------------------------------------------------------------------------- */

static double tick(void *context) {
    atomic_store(&((cancelling *)context)->begun, 1);
    return 0;
}

typedef struct batch {
    lb_frame goals[PROBLEMS];
    double starts[JOINTS], poses[PROBLEMS][JOINTS];
    lb_answer answers[PROBLEMS];
} batch;

static void fill(batch *b, int *id, double away, lb_many *many) {
    memset(b, 0, sizeof *b);
    for (int i = 0; i < PROBLEMS; i++) {
        lb_frame_identity(&b->goals[i]);
        b->goals[i].position[0] = away + 0.002 * i;
        b->goals[i].position[2] = 0.4;
    }
    lb_many_defaults(many);
    many->count = PROBLEMS;
    many->goal_count = 1;
    many->ids = id;
    many->goals = b->goals;
    many->starts = b->starts;
    many->one_start = 1;
    many->threads = SOLVERS;
}

/* With a clock problems go one by one in each thread, without one side by side; that one is cancelled at any moment,
 * before it begins at the earliest. */
static void check_many_cancelled(const lb_problem *problem, int id, int has_clock) {
    static batch b;
    cancelling c = {{0}, !has_clock, 0};
    lb_many many;
    lb_solve_options options;
    pthread_t thread;
    fill(&b, &id, 9, &many);
    endless(&options);
    options.cancel = &c.cancel;
    if (has_clock) {
        options.deadline_us = 1e15;
        options.now_us = tick;
        options.now_context = &c;
    }
    require(pthread_create(&thread, NULL, cancel_when_begun, &c) == 0, "a thread");
    require(lb_solve_many(problem, &options, &many, b.poses[0], b.answers, NULL) == LB_OK,
            "the batch that is cancelled");
    for (int i = 0; i < PROBLEMS; i++) {
        require(b.answers[i].status == LB_OK && b.answers[i].outcome == LB_OUTCOME_BUDGET, "all end by the request");
    }
    pthread_join(thread, NULL);
}

/* --- Sharing ------------------------------------------------------------------------------------------------------------ */

typedef struct sharing {
    const lb_problem *problem;
    double pose[JOINTS];
    lb_outcome outcome;
} sharing;

static void *solve_shared(void *argument) {
    sharing *s = argument;
    lb_result result;
    lb_result_defaults(&result);
    lb_solver *solver = lb_solver_create(s->problem, NULL);
    require(solver != NULL, "a solver");
    for (int i = 0; i < 3; i++) {
        memset(s->pose, 0, sizeof s->pose);
        require(lb_solver_solve(solver, NULL, s->pose, &result) == LB_OK, "a shared problem");
    }
    s->outcome = result.outcome;
    lb_solver_destroy(solver);
    return NULL;
}

static void check_shared_problem(const lb_problem *problem) {
    sharing shared[SOLVERS];
    pthread_t threads[SOLVERS];
    for (int i = 0; i < SOLVERS; i++) {
        shared[i].problem = problem;
        require(pthread_create(&threads[i], NULL, solve_shared, &shared[i]) == 0, "a thread");
    }
    for (int i = 0; i < SOLVERS; i++) {
        pthread_join(threads[i], NULL);
        require(memcmp(shared[i].pose, shared[0].pose, sizeof shared[i].pose) == 0, "the same bits in every thread");
        require(shared[i].outcome == shared[0].outcome, "the same outcome in every thread");
    }
}

static void check_many_same(const lb_problem *problem, int id) {
    static batch one, several;
    lb_many many;
    lb_solve_options options;
    lb_solve_options_defaults(&options);
    options.restarts = 3;
    fill(&one, &id, 0.2, &many);
    many.threads = 1;
    require(lb_solve_many(problem, &options, &many, one.poses[0], one.answers, NULL) == LB_OK, "a batch in one thread");
    fill(&several, &id, 0.2, &many);
    require(lb_solve_many(problem, &options, &many, several.poses[0], several.answers, NULL) == LB_OK,
            "a batch in several threads");
    require(memcmp(one.poses, several.poses, sizeof one.poses) == 0, "the same bits for any number of threads");
}

int main(void) {
    static const lb_method methods[] = {LB_METHOD_LM, LB_METHOD_BFGS, LB_METHOD_CCD, LB_METHOD_JACOBIAN};
    int id, far_id;
    lb_figure *figure = make_arm();
    lb_problem *problem = make_problem(figure, 0.3, &id), *far_away = make_problem(figure, 9, &far_id);
    for (size_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
        check_cancelled(far_away, methods[i]);
    }
    check_many_cancelled(far_away, far_id, 1);
    check_many_cancelled(far_away, far_id, 0);
    check_shared_problem(problem);
    check_many_same(problem, id);
    lb_problem_destroy(problem);
    lb_problem_destroy(far_away);
    lb_figure_destroy(figure);
    printf("no race\n");
    return 0;
}
