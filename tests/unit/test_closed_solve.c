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
    CHECK(by_closed > 0);
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
    return check_done();
}
