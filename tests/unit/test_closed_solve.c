/* Closed forms inside a solve: answers where starts find none, all answers, and the proof that there is none. */
#include <limber/io.h>

#include "closed_case.h"

typedef struct asked {
    lb_problem *problem;
    lb_solver *solver;
    int id;
} asked;

static void ask(asked *a, const lb_figure *figure, const lb_effector *effector) {
    lb_constraint c;
    a->problem = lb_problem_create(figure, NULL);
    lb_constraint_defaults(&c);
    c.effector = *effector;
    c.goal.kind = LB_GOAL_FRAME;
    a->id = lb_problem_add(a->problem, &c);
    a->solver = lb_solver_create(a->problem, NULL);
    REQUIRE(a->id > 0 && a->solver != NULL);
}

static void end(asked *a) {
    lb_solver_destroy(a->solver);
    lb_problem_destroy(a->problem);
}

/* A closed form's answer is the first of all solutions, exact, and costs no iteration. */
static void check_nearest(closed_case *c, const lb_frame *goal, const double *start, const double *answer,
                          const lb_result *result) {
    lb_closed_solution nearest;
    if (result->engine != LB_ENGINE_CLOSED) {
        return;
    }
    CHECK_INT(result->iterations, 0);
    CHECK_INT(result->restarts, 0);
    CHECK(result->evaluations >= 2 && result->evaluations <= 3);
    CHECK(result->value < 1e-24 && result->value < result->value_before);
    REQUIRE(lb_closed_solve(c->closed, goal, start, &c->result) == LB_OK);
    lb_closed_solution_defaults(&nearest);
    REQUIRE(lb_closed_get(c->closed, 0, &nearest) == LB_OK);
    for (int k = 0; k < 6; k++) {
        CHECK_NEAR(answer[k], nearest.values[k], 1e-9);
    }
}

/* The same of an arm whose last three axes meet, and whose limits leave no room for whole turns; a start that meets the goal
 * stays as it is. */
static void test_wrist(void) {
    closed_case c;
    asked a;
    lb_result result;
    uint64_t seed = 8;
    int by_closed = 0;
    const int trials = check_count(200, 3000);
    closed_begin(&c, closed_load("models/irb120.fig"), "tool", NULL);
    ask(&a, c.figure, &c.effector);
    lb_result_defaults(&result);
    for (int trial = 0; trial < trials; trial++) {
        double pose[6], start[6], answer[6];
        lb_frame goal;
        check_note("wrist, trial %d", trial);
        lb_figure_random_pose(c.figure, &seed, pose);
        lb_figure_random_pose(c.figure, &seed, start);
        closed_goal(&c, pose, &goal);
        REQUIRE(lb_problem_move_goal(a.problem, a.id, &goal) == LB_OK);
        memcpy(answer, start, sizeof answer);
        REQUIRE(lb_solver_solve(a.solver, NULL, answer, &result) == LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK(lb_figure_violation(c.figure, answer) == 0);
        by_closed += result.engine == LB_ENGINE_CLOSED;
        check_nearest(&c, &goal, start, answer, &result);
        memcpy(answer, pose, sizeof answer);
        REQUIRE(lb_solver_solve(a.solver, NULL, answer, &result) == LB_OK);
        CHECK(memcmp(answer, pose, sizeof answer) == 0);
    }
    check_note("%s", "");
    CHECK(by_closed > trials * 9 / 10);
    end(&a);
    closed_end(&c);
}

/* Method closed: the nearest solution, the proof that there is none, and the reason where no closed form covers the chain. */
static void test_method(void) {
    closed_case c;
    asked a;
    lb_result result;
    lb_solve_options options;
    uint64_t seed = 5;
    closed_begin(&c, closed_load("models/ur5.fig"), "tool", NULL);
    ask(&a, c.figure, &c.effector);
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.method = LB_METHOD_CLOSED;
    CHECK_TEXT(lb_method_name(LB_METHOD_CLOSED), "closed");
    for (int trial = 0; trial < 50; trial++) {
        double pose[6], start[6], answer[6];
        lb_frame goal;
        lb_figure_random_pose(c.figure, &seed, pose);
        lb_figure_random_pose(c.figure, &seed, start);
        closed_goal(&c, pose, &goal);
        REQUIRE(lb_problem_move_goal(a.problem, a.id, &goal) == LB_OK);
        memcpy(answer, start, sizeof answer);
        REQUIRE(lb_solver_solve(a.solver, &options, answer, &result) == LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK_INT(result.engine, LB_ENGINE_CLOSED);
        check_nearest(&c, &goal, start, answer, &result);
        if (trial == 0) { /* out of reach: nothing moves, and why is said, after reasons were asked for, too */
            goal.position[2] += 3;
            REQUIRE(lb_problem_move_goal(a.problem, a.id, &goal) == LB_OK);
            memcpy(answer, start, sizeof answer);
            REQUIRE(lb_solver_solve(a.solver, &options, answer, &result) == LB_OK);
            CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
            CHECK(memcmp(answer, start, sizeof answer) == 0);
            CHECK_HAS(result.explanation, "no solution, whatever the limits; ");
            REQUIRE(lb_solver_explain(a.solver, &options, answer, &result) == LB_OK);
            CHECK_HAS(result.explanation, "no solution, whatever the limits; ");
        }
    }
    lb_constraint other;
    REQUIRE(lb_constraint_at(c.figure, "tool", (const double[3]){0.3, 0.3, 0.3}, &other) == LB_OK);
    double start[6] = {0};
    REQUIRE(lb_problem_add(a.problem, &other) > 0);
    CHECK_INT(lb_solver_solve(a.solver, &options, start, &result), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(result.explanation, "method closed answers one goal alone; this problem has 2");
    REQUIRE(lb_problem_remove(a.problem, a.id) == LB_OK);
    CHECK_INT(lb_solver_solve(a.solver, &options, start, &result), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(result.explanation, "of a position alone only a planar arm of two links has finitely many solutions");
    end(&a);
    closed_end(&c);
}

/* A planar arm of three links, and of two for a position, through the same method. */
static void test_planar_method(void) {
    static const double rows[3][3] = {{.5, 0, 0}, {.4, 0, 0}, {.2, 0, 0}};
    for (int links = 2; links <= 3; links++) {
        closed_case c;
        asked a;
        lb_result result;
        lb_solve_options options;
        lb_closed_options position;
        lb_closed_options_defaults(&position);
        position.is_position = links == 2;
        double pose[3] = {.4, -.9, .7}, answer[3] = {0};
        lb_frame goal;
        closed_begin(&c, closed_dh(rows, links, 3, -1), links == 2 ? "link2" : "link3", &position);
        ask(&a, c.figure, &c.effector);
        if (links == 2) {
            lb_constraint point;
            lb_problem_remove(a.problem, a.id);
            lb_constraint_defaults(&point);
            point.effector = c.effector;
            a.id = lb_problem_add(a.problem, &point);
        }
        closed_goal(&c, pose, &goal);
        REQUIRE(lb_problem_move_goal(a.problem, a.id, &goal) == LB_OK);
        lb_result_defaults(&result);
        lb_solve_options_defaults(&options);
        options.method = LB_METHOD_CLOSED;
        REQUIRE(lb_solver_solve(a.solver, &options, answer, &result) == LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK(result.value < 1e-24);
        end(&a);
        closed_end(&c);
    }
}

/* A clock that goes on by a microsecond whenever it is looked at. */
static double count_looks(void *context) { return (double)++*(int *)context; }

/* Seven joints take tens of milliseconds where nothing is reached: the clock is looked at on the way, and the deadline kept. */
static void test_deadline(void) {
    closed_case c;
    asked a;
    lb_result result;
    lb_solve_options options;
    const lb_frame far = {{3, 0, 3}, {0, 0, 0, 1}};
    int looks = 0;
    closed_begin(&c, closed_load("models/fetch7.fig"), "tool", NULL);
    ask(&a, c.figure, &c.effector);
    lb_problem_move_goal(a.problem, a.id, &far);
    lb_solve_options_defaults(&options);
    options.now_us = count_looks;
    options.now_context = &looks;
    for (int round = 0; round < 3; round++) { /* all of it; ended in the middle; by a method of its own */
        double pose[7] = {0};
        lb_result_defaults(&result);
        looks = 0;
        options.deadline_us = round == 0 ? 1e9 : 80;
        options.method = round == 2 ? LB_METHOD_CLOSED : LB_METHOD_LM;
        REQUIRE(lb_solver_solve(a.solver, &options, pose, &result) == LB_OK);
        CHECK(result.outcome != LB_OUTCOME_SOLVED);
        CHECK(round == 0 ? looks > 1000 : looks > 50 && looks < 120);
        CHECK(round == 0 || result.outcome == LB_OUTCOME_BUDGET);
    }
    end(&a);
    closed_end(&c);
}

int main(void) {
    closed_case c;
    asked a;
    lb_result result;
    lb_solve_options options;
    int by_closed = 0;
    uint64_t seed = 3;
    closed_begin(&c, closed_load("models/ur5.fig"), "tool", NULL);
    ask(&a, c.figure, &c.effector);
    lb_result_defaults(&result);
    lb_solve_options_defaults(&options);
    options.restarts = 0;
    for (int trial = 0; trial < check_count(300, 3000); trial++) {
        double pose[6], answer[6], start[6];
        lb_frame goal;
        check_note("trial %d", trial);
        lb_figure_random_pose(c.figure, &seed, pose);
        lb_figure_random_pose(c.figure, &seed, start);
        closed_goal(&c, pose, &goal);
        REQUIRE(lb_problem_move_goal(a.problem, a.id, &goal) == LB_OK);
        memcpy(answer, start, sizeof answer);
        REQUIRE(lb_solver_solve(a.solver, &options, answer, &result) == LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED); /* whatever the start: 100%, without restarts */
        CHECK(lb_figure_violation(c.figure, answer) == 0);
        by_closed += result.engine == LB_ENGINE_CLOSED;
        check_nearest(&c, &goal, start, answer, &result);
        if (trial < 40) { /* all of them, as lb_closed_solve has them */
            double poses[16 * 6];
            REQUIRE(lb_solver_solve_all(a.solver, NULL, start, 1e-5, 16, poses, &result) == LB_OK);
            REQUIRE(lb_closed_solve(c.closed, &goal, start, &c.result) == LB_OK);
            CHECK_INT(result.answer_count, c.result.count);
            for (int i = 0; i < result.answer_count; i++) {
                CHECK(closed_find(&c, poses + 6 * i, 1e-9) >= 0);
            }
        }
    }
    check_note("%s", "");
    CHECK(by_closed > check_count(300, 3000) * 9 / 10);
    CHECK_TEXT(lb_engine_name(LB_ENGINE_CLOSED), "closed");
    end(&a);
    closed_end(&c);

    /* A goal that limits forbid, and one beyond all reach: proved, and said. */
    static const double g1[6][3] = {{.2, 1.4, .1},  {.5, .17, .3},  {.3, -1.2, -.2},
                                    {.1, 1.05, .4}, {.2, -1.5, .1}, {.1, .5, .2}};
    const double pose[6] = {.1, .2, .3, .4, .5, .6};
    double answer[6] = {0};
    lb_frame goal;
    closed_begin(&c, closed_dh(g1, 6, .55, -1), "link6", NULL);
    ask(&a, c.figure, &c.effector);
    closed_goal(&c, pose, &goal);
    REQUIRE(lb_problem_move_goal(a.problem, a.id, &goal) == LB_OK);
    REQUIRE(lb_solver_solve(a.solver, NULL, answer, &result) == LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM);
    CHECK_HAS(result.explanation, "outside the limits; the nearest breaks joint6 by 2.86 deg; as near as it gets");
    goal.position[0] += 3;
    REQUIRE(lb_problem_move_goal(a.problem, a.id, &goal) == LB_OK);
    REQUIRE(lb_solver_solve(a.solver, NULL, answer, &result) == LB_OK);
    CHECK_HAS(result.explanation, "no solution, whatever the limits; ");
    memset(answer, 0, sizeof answer);
    closed_goal(&c, answer, &goal);
    REQUIRE(lb_problem_move_goal(a.problem, a.id, &goal) == LB_OK);
    REQUIRE(lb_solver_solve(a.solver, NULL, answer, &result) == LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    end(&a);
    closed_end(&c);
    test_wrist();
    test_method();
    test_planar_method();
    test_deadline();
    return check_done();
}
