/* More than one answer: over time, in whole turns, several of them, under budgets, from restarts; values, refusals,
 * names. */
#include "check.h"
#include "reach.h"

/* --- Over time, turns, several answers ----------------------------------------------------------- */

/* A goal goes round a circle: solved in every frame, and no joint jumps; the shoulder goes round with it, turn after
 * turn. */
static void tracking(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.35, 0);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    double pose[2] = {-0.5, 1}, start;
    lb_solve_options_defaults(&options);
    options.tracking = 1;
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    start = pose[0];
    for (int i = 1; i <= 400; i++) {
        double before[2] = {pose[0], pose[1]}, angle = 4 * M_PI * i / 400;
        lb_frame to;
        lb_frame_identity(&to);
        to.position[0] = 0.35 * cos(angle);
        to.position[1] = 0.35 * sin(angle);
        CHECK_INT(lb_problem_move_goal(p, 1, &to), LB_OK);
        CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        check_note("frame %d", i);
        CHECK(fabs(pose[0] - before[0]) < 0.1 && fabs(pose[1] - before[1]) < 0.1);
    }
    check_note("%s", "");
    CHECK_NEAR(pose[0] - start, 4 * M_PI, 1e-3);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* The answer is given in the turn of the start. */
static void unwrapped(void) {
    lb_figure *figure = planar_arm();
    const double starts[4] = {3, -3, 40, -200};
    for (int i = 0; i < 4; i++) {
        lb_problem *p = reach(figure, 0.5 * cos(3.3), 0.5 * sin(3.3));
        lb_constraint c = *lb_problem_constraint(p, 0);
        double pose[2] = {starts[i], 2};
        lb_result result;
        lb_result_defaults(&result);
        c.tolerance[0] = c.tolerance[1] = 1e-3;
        CHECK_INT(lb_problem_change(p, 1, &c), LB_OK);
        CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK(fabs(pose[0] - starts[i]) <= M_PI);
        lb_problem_destroy(p);
    }
    lb_figure_destroy(figure);
}

static double far_from(const double *a, const double *b, int n) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += (a[i] - b[i]) * (a[i] - b[i]);
    }
    return sqrt(sum);
}

static void both_elbows(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.3, 0.2);
    lb_solver *solver = lb_solver_create(p, NULL);
    double start[2] = {0.1, 0.4}, poses[5][2];
    lb_result result;
    lb_result_defaults(&result);
    CHECK_INT(lb_solver_solve_all(solver, NULL, start, 0.01, 5, poses[0], &result), LB_OK);
    CHECK_INT(result.answer_count, 2);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK_NEAR(fabs(poses[0][1]), M_PI / 2, 1e-3);
    CHECK_NEAR(poses[0][1] + poses[1][1], 0, 1e-3);
    CHECK(far_from(poses[0], start, 2) <= far_from(poses[1], start, 2));
    CHECK_INT(lb_solver_solve_all(solver, NULL, start, 0.01, 1, poses[0], &result), LB_OK); /* the nearest alone */
    CHECK_INT(result.answer_count, 1);
    CHECK(poses[0][1] > 0);
    CHECK_INT(lb_solver_solve_all(solver, NULL, start, 0.01, 0, poses[0], &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve_all(solver, NULL, start, -1, 1, poses[0], &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve(solver, NULL, poses[0], &result), LB_OK); /* which finds one pose and counts none */
    CHECK_INT(result.answer_count, 0);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* Six revolute joints, the last three through one point: eight answers (Pieper), each found and each true. */
static void six_joints(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    const lb_dh_row rows[6] = {
        {NULL, 0, M_PI / 2, 0.4, 0, 0, -INFINITY, INFINITY},     {NULL, 0.4, 0, 0, 0, 0, -INFINITY, INFINITY},
        {NULL, 0.05, -M_PI / 2, 0.1, 0, 0, -INFINITY, INFINITY}, {NULL, 0, M_PI / 2, 0.4, 0, 0, -INFINITY, INFINITY},
        {NULL, 0, -M_PI / 2, 0, 0, 0, -INFINITY, INFINITY},      {NULL, 0, 0, 0.1, 0, 0, -INFINITY, INFINITY}};
    int base = arm_segment(b, "base", 0), site = arm_site(b, base, "mount", 0),
        last = lb_builder_add_dh_chain(b, site, LB_DH_CONVENTION_STANDARD, 6, rows);
    REQUIRE(last > 0);
    lb_figure *figure = arm_finish(b);
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    lb_solve_options options;
    lb_constraint c;
    lb_result result;
    lb_effector tool;
    lb_result_defaults(&result);
    double target[6] = {0.4, 0.7, -0.6, 0.5, 0.9, -0.3}, start[6] = {0.3, 0.6, -0.5, 0.4, 0.8, -0.2}, poses[12][6],
           e[9], there[9];
    REQUIRE(lb_effector_from_segment(figure, last, &tool) == LB_OK && lb_kinematics_update(k, target) == LB_OK);
    REQUIRE(lb_kinematics_effector(k, &tool, e) == LB_OK);
    lb_constraint_defaults(&c);
    c.effector = tool;
    c.goal.kind = LB_GOAL_FRAME;
    memcpy(c.goal.point, e, sizeof c.goal.point);
    memcpy(c.goal.x, e + 3, sizeof c.goal.x);
    memcpy(c.goal.y, e + 6, sizeof c.goal.y);
    REQUIRE(lb_problem_add(p, &c) > 0);
    lb_solve_options_defaults(&options);
    options.restarts = 400;
    options.max_evaluations = 1000000;
    CHECK_INT(lb_solver_solve_all(solver, &options, start, 0.01, 12, poses[0], &result), LB_OK);
    CHECK_INT(result.answer_count, 8);
    for (int i = 0; i < result.answer_count; i++) {
        CHECK_INT(lb_kinematics_update(k, poses[i]), LB_OK);
        CHECK_INT(lb_kinematics_effector(k, &tool, there), LB_OK);
        for (int j = 0; j < 9; j++) {
            CHECK_NEAR(there[j], e[j], 3e-5);
        }
        for (int j = 0; j < 6; j++) {
            CHECK(fabs(poses[i][j] - start[j]) <= M_PI + 1e-12);
        }
        if (i) {
            CHECK(far_from(poses[i - 1], start, 6) <= far_from(poses[i], start, 6));
        }
    }
    CHECK_NEAR(far_from(poses[0], target, 6), 0, 1e-3); /* the one that it was made from is the nearest */
    lb_kinematics_destroy(k);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Budgets ------------------------------------------------------------------------------------- */

typedef struct counter {
    int calls, stop_at;
    double value, step_us, now;
} counter;

static int count_down(void *context, const lb_progress *progress) {
    counter *c = context;
    CHECK_INT(progress->iteration, c->calls + 1);
    CHECK(progress->pose && progress->evaluations > 0 && progress->value >= 0);
    c->value = progress->value;
    return ++c->calls >= c->stop_at;
}

static double fake_clock(void *context) {
    counter *c = context;
    c->calls++;
    return c->now += c->step_us;
}

/* Two goals that cannot both be met, and a clock that goes on with every evaluation. */
static double two_places(void *context, const double e[9], double gradient[9]) {
    double value = 0, *now = context;
    const double places[2][2] = {{0.4, 0.1}, {-0.3, 0.35}};
    *now += 1;
    for (int k = 0; k < 2; k++) {
        for (int i = 0; i < 2; i++) {
            value += (e[i] - places[k][i]) * (e[i] - places[k][i]);
            gradient[i] += 2 * (e[i] - places[k][i]);
        }
    }
    return value;
}

static double evaluation_clock(void *context) { return *(double *)context; }

/* When the time is up little more is done, wherever a method was; and what was found by then is kept. */
static void late(void) {
    lb_figure *figure = limited_arm();
    lb_problem *p = reach(figure, 0.3, 0.1);
    lb_constraint c = *lb_problem_constraint(p, 0);
    double now = 0, before = INFINITY;
    c.goal.kind = LB_GOAL_CUSTOM;
    c.goal.potential = two_places;
    c.goal.context = &now;
    CHECK_INT(lb_problem_change(p, 1, &c), LB_OK);
    for (int method = LB_METHOD_LM; method <= LB_METHOD_JACOBIAN; method++) {
        lb_solver *solver = lb_solver_create(p, NULL);
        for (int deadline = 3; deadline < 24; deadline++) {
            lb_solve_options options;
            lb_result result;
            lb_result_defaults(&result);
            double pose[2] = {0.5, 0.1};
            lb_solve_options_defaults(&options);
            options.method = (lb_method)method;
            options.now_us = evaluation_clock;
            options.now_context = &now;
            options.deadline_us = deadline;
            options.gradient_tolerance = 0; /* never there */
            now = 0;
            if (lb_solver_solve(solver, &options, pose, &result) == LB_ERROR_UNSUPPORTED) {
                continue;
            }
            check_note("%s, deadline %d, %g evaluations", lb_method_name(options.method), deadline, now);
            /* a goal's own curvature is had from 18 of its values, the least along a variable from 20 */
            CHECK(result.outcome != LB_OUTCOME_BUDGET || now <= deadline + 24);
            CHECK(result.value <= result.value_before);
            if (method == LB_METHOD_LM) {
                CHECK(result.value <= before);
            }
            if (method == LB_METHOD_LM) {
                before = result.value;
            }
        }
        lb_solver_destroy(solver);
    }
    check_note("%s", "");
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static void budgets(void) {
    lb_figure *figure = limited_arm();
    lb_problem *p = reach(figure, -0.3, -0.25);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_solve_options options;
    lb_result result, whole;
    lb_result_defaults(&result);
    lb_result_defaults(&whole);
    double start[2] = {0.5, 0.1}, pose[2];
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &whole), LB_OK);
    CHECK_INT(whole.outcome, LB_OUTCOME_SOLVED);
    REQUIRE(whole.iterations > 3);

    lb_solve_options_defaults(&options);
    options.max_iterations = 2;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK(result.iterations <= 2 && result.value < result.value_before);
    CHECK_HAS(result.explanation, "out of budget");

    lb_solve_options_defaults(&options);
    options.max_evaluations = 3;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK(result.evaluations < 3 + 40 && result.value <= result.value_before);

    counter c = {0, 2, 0, 0, 0};
    lb_solve_options_defaults(&options);
    options.on_iteration = count_down;
    options.on_iteration_context = &c;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(c.calls, 2);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK_NEAR(result.value, c.value, 1e-12);

    counter time = {0, 0, 0, 1000, 5e6}; /* each look at the clock takes a millisecond */
    lb_solve_options_defaults(&options);
    options.now_us = fake_clock;
    options.now_context = &time;
    options.deadline_us = 2500;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK(result.iterations <= 3 && time.calls >= 3);
    options.deadline_us = 1e9;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);

    late();

    lb_cancel cancel = {0};
    lb_cancel_request(&cancel);
    lb_solve_options_defaults(&options);
    options.cancel = &cancel;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_BUDGET);
    CHECK(result.iterations <= 1 && result.value <= result.value_before);
    lb_cancel_clear(&cancel);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* A start between two ranges' ends leads nowhere; restarts find the answer, the same for the same seed. */
static void restarts(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.lower[0] = -3;
    joint.upper[0] = 3; /* the way round the back is shut */
    REQUIRE(lb_builder_change_joint(b, 0, &joint) == LB_OK);
    lb_figure *figure = arm_finish(b);
    lb_problem *p = reach(figure, 0.5 * cos(-2.9), 0.5 * sin(-2.9));
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_solve_options options;
    lb_result result;
    lb_result_defaults(&result);
    double start[2] = {2.95, 0}, pose[2], again[2];
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_MINIMUM); /* stuck at the upper limit */
    CHECK_NEAR(pose[0], 3, 0);
    double stuck = result.value;
    lb_solve_options_defaults(&options);
    options.restarts = 20;
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK(result.restarts > 0 && result.value < 0.1 * stuck);
    memcpy(again, start, sizeof again);
    CHECK_INT(lb_solver_solve(solver, &options, again, &result), LB_OK);
    CHECK(memcmp(pose, again, sizeof pose) == 0);
    options.tracking = 1; /* stays on its branch: no restarts */
    memcpy(pose, start, sizeof pose);
    CHECK_INT(lb_solver_solve(solver, &options, pose, &result), LB_OK);
    CHECK_INT(result.restarts, 0);
    CHECK_NEAR(result.value, stuck, 1e-12);
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

/* --- Values, refusals, names --------------------------------------------------------------------- */

static void value_and_gradient(void) {
    lb_figure *figure = arm_finish(arm_builder("ball", "R(z)*T(x)"));
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_constraint c;
    check_random random;
    check_random_seed(&random, 11);
    const lb_goal_kind kinds[] = {LB_GOAL_POSITION, LB_GOAL_ORIENTATION, LB_GOAL_FRAME,
                                  LB_GOAL_AIM,      LB_GOAL_LINE,        LB_GOAL_PLANE};
    for (int i = 0; i < 6; i++) {
        hand(&c, 0.2, 0.1 * i);
        c.goal.kind = kinds[i];
        c.weight = 1 + i;
        c.priority = i % 3;
        if (i == 3) {
            c.effector.segment = 1;
        }
        if (i == 4) {
            c.goal.carrier_segment = 1;
        }
        REQUIRE(lb_problem_add(p, &c) > 0);
    }
    hand(&c, 0, 0);
    lb_effector_from_com(&c.effector);
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_problem_set_posture(p, NULL, 0.3), LB_OK);
    CHECK_INT(lb_problem_set_rigidity(p, 1, 0.4), LB_OK); /* the pose's gradient does not know of scaling */
    lb_solver *solver = lb_solver_create(p, NULL);
    for (int i = 0; i < 50; i++) {
        double pose[5], gradient[5], value, low, high;
        for (int k = 0; k < 5; k++) {
            pose[k] = check_random_range(&random, -1, 1);
        }
        CHECK_INT(lb_solver_value(solver, pose, &value, gradient), LB_OK);
        for (int k = 0; k < 5; k++) {
            double at = pose[k];
            pose[k] = at + 1e-5;
            CHECK_INT(lb_solver_value(solver, pose, &high, NULL), LB_OK);
            pose[k] = at - 1e-5;
            CHECK_INT(lb_solver_value(solver, pose, &low, NULL), LB_OK);
            pose[k] = at;
            CHECK_NEAR(gradient[k], (high - low) / 2e-5, 1e-7 * (1 + fabs(gradient[k])));
        }
    }
    lb_solver_destroy(solver);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static double never_a_number(void *context, const double e[9], double gradient[9]) {
    (void)context;
    for (int i = 0; i < 9; i++) {
        gradient[i] = e[i];
    }
    return NAN;
}

static void refusals(void) {
    lb_figure *figure = planar_arm();
    lb_problem *p = reach(figure, 0.3, 0.2);
    lb_solver *solver = lb_solver_create(p, NULL);
    lb_solve_options options;
    lb_constraint c;
    lb_result result;
    lb_result_defaults(&result);
    double pose[2] = {NAN, 0.5}, good[2] = {0.1, 0.5}, value;
    CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(result.outcome, LB_OUTCOME_INVALID);
    CHECK_HAS(result.explanation, "start pose has a value that is not finite");
    CHECK(pose[1] == 0.5);
    CHECK_INT(lb_solver_value(solver, pose, &value, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve(NULL, NULL, good, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve(solver, NULL, NULL, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_solve(solver, NULL, good, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solve(NULL, NULL, good, &result), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_solver_prepare(solver, (lb_method)99), LB_ERROR_ARGUMENT);
    lb_solve_options_defaults(&options);
    options.method = (lb_method)99;
    CHECK_INT(lb_solver_solve(solver, &options, good, &result), LB_ERROR_ARGUMENT);
    CHECK(good[0] == 0.1 && good[1] == 0.5);
    hand(&c, 0, 0);
    c.goal.kind = LB_GOAL_CUSTOM;
    c.goal.potential = never_a_number;
    REQUIRE(lb_problem_add(p, &c) > 0);
    CHECK_INT(lb_solver_solve(solver, NULL, good, &result), LB_ERROR_ARGUMENT);
    CHECK_HAS(result.explanation, "not finite at the start pose");
    CHECK(good[0] == 0.1 && good[1] == 0.5);
    lb_solver_destroy(solver);
    lb_solver_destroy(NULL);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

static void names(void) {
    CHECK_TEXT(lb_method_name(LB_METHOD_LM), "lm");
    CHECK_TEXT(lb_method_name(LB_METHOD_FABRIK), "fabrik");
    CHECK_TEXT(lb_method_name((lb_method)77), "unknown");
    for (int i = LB_METHOD_LM; i <= LB_METHOD_FABRIK; i++) {
        CHECK_INT(lb_method_find(lb_method_name((lb_method)i)), i);
    }
    CHECK(lb_method_find("newton") < 0 && lb_method_find(NULL) < 0);
    CHECK_TEXT(lb_outcome_name(LB_OUTCOME_INVALID), "invalid");
    CHECK_TEXT(lb_outcome_name(LB_OUTCOME_SOLVED), "solved");
    CHECK_TEXT(lb_outcome_name(LB_OUTCOME_MINIMUM), "minimum");
    CHECK_TEXT(lb_outcome_name(LB_OUTCOME_BUDGET), "budget");
    CHECK_TEXT(lb_outcome_name((lb_outcome)9), "unknown");
}

/* A start outside its limits is moved in first; nothing asked leaves it there. */
static void start_outside(void) {
    lb_figure *figure = limited_arm();
    lb_problem *p = lb_problem_create(figure, NULL);
    lb_result result;
    lb_result_defaults(&result);
    double pose[2] = {0.3, -0.5};
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    CHECK(pose[0] == 0.3 && pose[1] == 0);
    lb_problem_destroy(p);
    p = reach(figure, 0.3, 0.2);
    pose[1] = 9;
    CHECK_INT(lb_solve(p, NULL, pose, &result), LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    /* value_before is that of the pose moved in, not of the one given */
    double at[3], inside[2] = {0.3, 142 * DEGREES};
    position_of(figure, inside, "hand", at);
    CHECK_NEAR(result.value_before, (at[0] - 0.3) * (at[0] - 0.3) + (at[1] - 0.2) * (at[1] - 0.2), 1e-12);
    lb_problem_destroy(p);
    lb_figure_destroy(figure);
}

int main(void) {
    tracking();
    unwrapped();
    both_elbows();
    six_joints();
    budgets();
    restarts();
    value_and_gradient();
    refusals();
    names();
    start_outside();
    return check_done();
}
