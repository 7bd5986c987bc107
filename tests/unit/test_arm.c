/* The arm engine: against the general kinematics, and against itself at every number of lanes. */
#include "arm_case.h"

#define JOBS 12

/* With the joints where the goal was made, the lanes see no error. */
static void check_kinematics(void) {
    static lbs_arm_lanes lanes;
    check_random random;
    uint64_t seed = 5;
    check_random_seed(&random, 1);
    for (int i = 0; i < 300; i++) {
        arm_case c;
        open_case(&random, LB_GOAL_FRAME, &c);
        c.constraint.tolerance[0] = 1e-11; /* little may be rounded away */
        REQUIRE(lb_problem_change(c.problem, c.id, &c.constraint) == LB_OK);
        lbs_arm chain = *plan_of(&c);
        lbs_arm_job job;
        double pose[MAX_JOINTS];
        unsigned met;
        lb_figure_random_pose(c.figure, &seed, pose);
        aim_at_pose(&c, pose);
        REQUIRE(lbs_arm_aim(&chain, goal_of(&c), &job));
        memset(&lanes, 0, sizeof lanes);
        for (int k = 0; k < 12; k++) {
            lanes.goal[k][0] = job.goal[k];
        }
        for (int k = 0; k < chain.n; k++) {
            lanes.q[k][0] = pose[chain.order[k]];
        }
        lanes.limit[0] = 5;
        lanes.left[0] = 1;
        lanes.mark[0] = 1e300;
        lbs_arm_kernel1(&chain, &lanes, 1, 1, &met);
        check_note("case %d", i);
        CHECK(sqrt(2 * lanes.error[0]) <= 1e-12 * 10);
        close_case(&c);
    }
    check_note("%s", "");
}

static void make_jobs(arm_case *c, const lbs_arm *chain, lbs_arm_job *jobs, double (*starts)[MAX_JOINTS],
                      double (*answers)[MAX_JOINTS], int restarts, int max_evaluations) {
    uint64_t seed = 99;
    for (int i = 0; i < JOBS; i++) {
        double pose[MAX_JOINTS], start[MAX_JOINTS];
        lb_figure_random_pose(c->figure, &seed, pose);
        lb_figure_random_pose(c->figure, &seed, start);
        aim_at_pose(c, pose);
        lb_frame far = {{9, 9, 9}, {0, 0, 0, 1}}; /* and some that cannot be reached */
        if (i % 6 == 5) {
            lb_problem_move_goal(c->problem, c->id, &far);
        }
        for (int k = 0; k < c->n; k++) {
            starts[i][k] = start[k] / c->solver->space->variables.scale[k];
        }
        jobs[i] = (lbs_arm_job){.start = starts[i], .answer = answers[i], .seed = 7 + (uint64_t)i};
        jobs[i].restarts = restarts;
        jobs[i].max_iterations = 300;
        jobs[i].max_evaluations = max_evaluations;
        REQUIRE(lbs_arm_aim(chain, goal_of(c), &jobs[i]));
    }
}

static void check_same(const lbs_arm_job *a, const lbs_arm_job *b, int n) {
    CHECK_INT(a->end, b->end);
    CHECK_INT(a->start_index, b->start_index);
    CHECK_INT(a->iterations, b->iterations);
    CHECK_INT(a->evaluations, b->evaluations);
    CHECK(memcmp(a->answer, b->answer, (size_t)n * sizeof(double)) == 0);
}

/* One lane after the other, side by side, one problem or many: the same bits. */
static void check_lanes(void) {
    static const lb_goal_kind kinds[] = {LB_GOAL_FRAME, LB_GOAL_POSITION, LB_GOAL_ORIENTATION};
    static lbs_arm_job one[JOBS], other[JOBS];
    static double starts[JOBS][MAX_JOINTS], answers[JOBS][MAX_JOINTS], others[JOBS][MAX_JOINTS];
    check_random random;
    int solved = 0, restarted = 0, most = lbs_arm_lane_count(lbm_isa_best());
    check_random_seed(&random, 2);
    for (int i = 0; i < 60; i++) {
        arm_case c;
        open_case(&random, kinds[i % 3], &c);
        lbs_arm chain = *plan_of(&c);
        void *memory = c.solver->arm.run_memory;
        int restarts = i % 4 == 3 ? 0 : 40, evaluations = i % 5 == 4 ? 60 : i % 5 == 3 ? 400 : 100000;
        chain.lanes = 1;
        make_jobs(&c, &chain, one, starts, answers, restarts, evaluations);
        for (int k = 0; k < JOBS; k++) {
            lbs_arm_solve_jobs(&chain, 1, &one[k], NULL, NULL, memory);
        }
        for (int k = 0; k < JOBS; k++) {
            solved += one[k].end == LBS_ARM_SOLVED;
            restarted += one[k].end == LBS_ARM_SOLVED && one[k].start_index > 0;
            CHECK(one[k].evaluations <= evaluations);
            for (int v = 0; v < c.n; v++) {
                CHECK(answers[k][v] >= c.solver->space->variables.lower[v] &&
                      answers[k][v] <= c.solver->space->variables.upper[v]);
            }
        }
        for (chain.lanes = 1; chain.lanes <= most; chain.lanes *= 2) {
            check_note("case %d, %d lanes", i, chain.lanes);
            make_jobs(&c, &chain, other, starts, others, restarts, evaluations);
            lbs_arm_solve_jobs(&chain, JOBS, other, NULL, NULL, memory);
            for (int k = 0; k < JOBS; k++) {
                check_same(&one[k], &other[k], c.n);
            }
            make_jobs(&c, &chain, other, starts, others, restarts, evaluations);
            for (int k = 0; k < JOBS; k++) {
                lbs_arm_solve_jobs(&chain, 1, &other[k], NULL, NULL, memory);
                check_same(&one[k], &other[k], c.n);
            }
        }
        close_case(&c);
    }
    check_note("%s", "");
    CHECK(solved > 400 && restarted > 40);
}

/* What the engine calls solved is solved: the general evaluation says so, inside the limits. */
static void check_answers(void) {
    check_random random;
    uint64_t seed = 17;
    int solved = 0, by_restart = 0;
    check_random_seed(&random, 3);
    for (int i = 0; i < 400; i++) {
        arm_case c;
        double pose[MAX_JOINTS], again[MAX_JOINTS], start[MAX_JOINTS];
        lb_solve_options options;
        lb_result result;
        lb_result_defaults(&result);
        open_case(&random, i % 4 ? LB_GOAL_FRAME : LB_GOAL_POSITION, &c);
        lb_solve_options_defaults(&options);
        options.restarts = 300;
        lb_figure_random_pose(c.figure, &seed, pose);
        aim_at_pose(&c, pose);
        lb_figure_random_pose(c.figure, &seed, start);
        memcpy(pose, start, sizeof pose);
        memcpy(again, start, sizeof again);
        REQUIRE(lb_solver_solve(c.solver, &options, pose, &result) == LB_OK);
        CHECK(c.solver->arm.has_plan);
        CHECK(lb_figure_violation(c.figure, pose) <= 0);
        solved += result.outcome == LB_OUTCOME_SOLVED;
        by_restart += result.restarts > 0;
        if (result.outcome == LB_OUTCOME_SOLVED) {
            CHECK(result.constraints[0].met && result.value < 1e-9);
        }
        REQUIRE(lb_solver_solve(c.solver, &options, again, &result) == LB_OK);
        CHECK(memcmp(pose, again, (size_t)c.n * sizeof *pose) == 0);
        close_case(&c);
    }
    CHECK(solved >= 399);
    CHECK(by_restart > 20);
}

/* Too far away: a minimum, as without the engine. */
static void check_unreachable(void) {
    check_random random;
    check_random_seed(&random, 4);
    for (int i = 0; i < 40; i++) {
        arm_case c;
        double pose[MAX_JOINTS], general[MAX_JOINTS];
        lb_solve_options options;
        lb_result with, without;
        lb_result_defaults(&with);
        lb_result_defaults(&without);
        lb_frame far = {{range(&random, 3, 5), 1, -2}, {0, 0, 0, 1}};
        open_case(&random, LB_GOAL_FRAME, &c);
        REQUIRE(lb_problem_move_goal(c.problem, c.id, &far) == LB_OK);
        lb_figure_rest_pose(c.figure, pose);
        memcpy(general, pose, sizeof general);
        lb_solve_options_defaults(&options);
        REQUIRE(lb_solver_solve(c.solver, &options, pose, &with) == LB_OK);
        options.keep_going = 1; /* which the engine does not do */
        REQUIRE(lb_solver_solve(c.solver, &options, general, &without) == LB_OK);
        CHECK_INT(with.outcome, without.outcome);
        CHECK_NEAR(with.value, without.value, 1e-9 * (1 + without.value));
        CHECK(with.outcome != LB_OUTCOME_SOLVED && lb_figure_violation(c.figure, pose) <= 0);
        options.keep_going = 0;
        options.restarts = 20;
        REQUIRE(lb_solver_solve(c.solver, &options, pose, &with) == LB_OK);
        CHECK(with.value <= without.value * (1 + 1e-9));
        CHECK_INT(with.restarts, 20);
        close_case(&c);
    }
}

/* Seeds decide which starts there are; cancelled is cancelled. */
static void check_seeds_and_stops(void) {
    check_random random;
    uint64_t seed = 3;
    int differ = 0;
    lb_cancel cancel = {0};
    lb_cancel_request(&cancel);
    check_random_seed(&random, 5);
    for (int i = 0; i < 40; i++) {
        arm_case c;
        double start[MAX_JOINTS], a[MAX_JOINTS], b[MAX_JOINTS];
        lb_solve_options options;
        lb_result result;
        lb_result_defaults(&result);
        open_case(&random, LB_GOAL_FRAME, &c);
        lb_figure_random_pose(c.figure, &seed, start);
        aim_at_pose(&c, start);
        lb_figure_random_pose(c.figure, &seed, start);
        lb_solve_options_defaults(&options);
        options.restarts = 200;
        memcpy(a, start, sizeof a);
        memcpy(b, start, sizeof b);
        REQUIRE(lb_solver_solve(c.solver, &options, a, &result) == LB_OK);
        options.seed = 2;
        REQUIRE(lb_solver_solve(c.solver, &options, b, &result) == LB_OK);
        differ += memcmp(a, b, (size_t)c.n * sizeof *a) != 0;
        options.cancel = &cancel;
        memcpy(b, start, sizeof b);
        REQUIRE(lb_solver_solve(c.solver, &options, b, &result) == LB_OK);
        CHECK(result.outcome == LB_OUTCOME_BUDGET || result.outcome == LB_OUTCOME_SOLVED);
        CHECK(result.value <= result.value_before && result.iterations <= LBS_ARM_LANES);
        close_case(&c);
    }
    CHECK(differ > 5);
}

static int is_planned(const lb_problem *p) {
    lb_solver *solver = lb_solver_create(p, NULL);
    double pose[64] = {0};
    lb_result result;
    lb_result_defaults(&result);
    REQUIRE(solver && lb_solver_solve(solver, NULL, pose, &result) == LB_OK);
    int planned = solver->arm.has_plan;
    lb_solver_destroy(solver);
    return planned;
}

/* What is more than points and frames on simple joints is not for the engine. */
static void check_what_fits(void) {
    lb_figure *figure = planar_arm(), *ball = arm_finish(arm_builder("swing_twist(x)", "R(z)"));
    lb_constraint c;
    lb_problem *p = reach(figure, 0.3, 0.2);
    CHECK(is_planned(p));
    hand(&c, 0.2, 0.1);
    REQUIRE(lb_problem_add(p, &c) == 2);
    CHECK(is_planned(p)); /* two */
    c.priority = 1;
    REQUIRE(lb_problem_change(p, 2, &c) == LB_OK);
    CHECK(!is_planned(p)); /* two levels */
    c.priority = 0;
    c.any_of = 1;
    REQUIRE(lb_problem_change(p, 2, &c) == LB_OK);
    CHECK(!is_planned(p)); /* an alternative */
    c.any_of = 0;
    REQUIRE(lb_problem_enable(p, 2, 0) == LB_OK);
    CHECK(is_planned(p));
    REQUIRE(lb_problem_set_stay(p, 0.1) == LB_OK);
    CHECK(is_planned(p)); /* a wish comes after the goal */
    REQUIRE(lb_problem_set_wish_level(p, LB_WISH_LEVEL_GOALS) == LB_OK);
    CHECK(!is_planned(p)); /* unless it is in its sum */
    REQUIRE(lb_problem_set_stay(p, 0) == LB_OK);
    c.goal.kind = LB_GOAL_SPHERE;
    c.goal.size[0] = 0.1;
    REQUIRE(lb_problem_change(p, 1, &c) == LB_OK);
    CHECK(!is_planned(p)); /* a region */
    c.goal.kind = LB_GOAL_FRAME;
    c.goal.degrees_y = 0;
    REQUIRE(lb_problem_change(p, 1, &c) == LB_OK);
    CHECK(!is_planned(p)); /* one direction free */
    lb_problem_destroy(p);
    p = reach(ball, 0.3, 0.2);
    CHECK(!is_planned(p)); /* a ball joint */
    REQUIRE(lb_problem_set_joint_active(p, 0, 0, 0) == LB_OK);
    CHECK(is_planned(p)); /* what does not move is no matter */
    lb_problem_destroy(p);
    lb_figure_destroy(ball);
    lb_figure_destroy(figure);
}

/* Joints that do not move are where each start pose has them. */
static void check_fixed_joints(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0, 0);
    lb_result result;
    lb_result_defaults(&result);
    REQUIRE(lb_problem_set_active(p, 1, 0) == LB_OK);
    lb_solver *solver = lb_solver_create(p, NULL);
    for (int i = 0; i < 20; i++) {
        double elbow = 0.1 * i - 1, at = 0.2 * i, pose[2] = {0, elbow};
        lb_frame frame;
        lb_frame_identity(&frame);
        frame.position[0] = 0.3 * cos(at) + 0.2 * cos(at + elbow);
        frame.position[1] = 0.3 * sin(at) + 0.2 * sin(at + elbow);
        REQUIRE(lb_problem_move_goal(p, 1, &frame) == LB_OK);
        CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
        CHECK(solver->arm.has_plan && result.outcome == LB_OUTCOME_SOLVED && pose[1] == elbow);
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* Beyond what the lanes have room for: the same plan, one start at a time. */
#define LONG 300

static void check_long(void) {
    static const lb_goal_kind kinds[] = {LB_GOAL_FRAME, LB_GOAL_POSITION, LB_GOAL_ORIENTATION};
    static const int lengths[] = {33, 40, 63, 64, 129, LONG};
    static double pose[LONG], start[LONG], again[LONG], starts[LONG], answers[3][LONG];
    check_random random;
    uint64_t seed = 23;
    int solved = 0, count = 0, most = lbs_arm_lane_count(lbm_isa_best()) < 4 ? lbs_arm_lane_count(lbm_isa_best()) : 4;
    check_random_seed(&random, 6);
    for (int i = 0; i < 36; i++, count++) {
        arm_case c;
        lb_result result;
        lb_solve_options options;
        lb_result_defaults(&result);
        open_case_of(&random, kinds[i % 3], lengths[i % 6], &c);
        check_note("case %d of %d joints", i, c.n);
        lb_solve_options_defaults(&options);
        options.restarts = 3;
        lb_figure_random_pose(c.figure, &seed, pose);
        lb_figure_random_pose(c.figure, &seed, start);
        aim_at_pose(&c, pose);
        memcpy(again, start, sizeof again);
        REQUIRE(lb_solver_solve(c.solver, &options, start, &result) == LB_OK);
        CHECK(c.solver->arm.has_plan);
        CHECK(lb_figure_violation(c.figure, start) <= 0);
        if (result.outcome == LB_OUTCOME_SOLVED) {
            CHECK(result.constraints[0].met && result.value < 1e-9);
        }
        solved += result.outcome == LB_OUTCOME_SOLVED;
        lbs_arm chain = *c.solver->arm.plan; /* every width: the same bits */
        lbs_arm_job jobs[3];
        for (int k = 0; k < c.n; k++) {
            starts[k] = again[k] / c.solver->space->variables.scale[k];
        }
        for (int w = 0; 1 << w <= most; w++) {
            jobs[w] = (lbs_arm_job){.start = starts, .answer = answers[w], .seed = 1, .restarts = 3};
            jobs[w].max_iterations = 300;
            jobs[w].max_evaluations = 100000;
            chain.lanes = 1 << w;
            REQUIRE(lbs_arm_aim(&chain, goal_of(&c), &jobs[w]));
            lbs_arm_solve_jobs(&chain, 1, &jobs[w], NULL, NULL, c.solver->arm.run_memory);
            check_same(&jobs[0], &jobs[w], c.n);
        }
        lb_frame far = {{1e4, 0, 0}, {0, 0, 0, 1}}; /* what cannot be reached goes on to the general method */
        if (kinds[i % 3] == LB_GOAL_POSITION && c.n < 100) {
            lb_problem_move_goal(c.problem, c.id, &far);
            options.max_iterations = 40;
            REQUIRE(lb_solver_solve(c.solver, &options, again, &result) == LB_OK);
            CHECK(result.outcome != LB_OUTCOME_SOLVED && result.value < result.value_before);
            CHECK(lb_figure_violation(c.figure, again) <= 0);
        }
        close_case(&c);
    }
    check_note("%s", "");
    CHECK(solved == count);
}

int main(void) {
    check_long();
    check_kinematics();
    check_lanes();
    check_answers();
    check_unreachable();
    check_seeds_and_stops();
    check_what_fits();
    check_fixed_joints();
    return check_done();
}
