/* Closed forms: solutions that are known from elsewhere, limits, windings, singular poses, and what has no closed form. */
#include <limber/io.h>

#include "closed_case.h"

#define DEG (CLOSED_PI / 180)

static void solve_at(closed_case *c, const double *pose, const double *start, lb_frame *goal) {
    closed_goal(c, pose, goal);
    REQUIRE(lb_closed_solve(c->closed, goal, start, &c->result) == LB_OK);
}

/* Every expected solution is there, every solution is right, and there are no others. */
static void expect(closed_case *c, const double (*expected)[6], int count, const double *start, const lb_frame *goal) {
    CHECK_INT(c->result.all_count, count);
    for (int i = 0; i < count; i++) {
        check_note("solution %d", i);
        CHECK(closed_find(c, expected[i], 2e-9) >= 0);
    }
    for (int i = 0; i < c->result.all_count; i++) {
        check_note("solution %d", i);
        CHECK_NEAR(closed_miss(c, i, start, goal), 0, 1e-12);
    }
    check_note("%s", "");
}

static void test_puma(void) {
    static const double half[4][6] = {
        {.3, .4, -1, .7, .6, .2},
        {.3, .924114321, -2.047636821, .433131730, 1.048478311, .580748672},
        {2.993366556, 2.217478333, -1, .345359257, -.975644598, -2.068247801},
        {2.993366556, 2.741592654, -2.047636821, .617762790, -.505198742, -2.425491445},
    };
    double all[8][6], start[6] = {0};
    lb_frame goal;
    closed_case c;
    for (int i = 0; i < 4; i++) {
        memcpy(all[i], half[i], sizeof all[i]);
        memcpy(all[4 + i], half[i], sizeof all[i]);
        all[4 + i][3] += CLOSED_PI;
        all[4 + i][4] *= -1;
        all[4 + i][5] += CLOSED_PI;
    }
    closed_begin(&c, closed_load("models/puma560.fig"), "tool", NULL);
    CHECK_INT(lb_closed_kind_of(c.closed), LB_CLOSED_MEETING);
    CHECK_TEXT(lb_closed_kind_name(LB_CLOSED_MEETING), "meeting");
    CHECK_INT(lb_closed_variable_count(c.closed), 6);
    CHECK_INT(lb_closed_variable(c.closed, 0), 0);
    CHECK_INT(lb_closed_variable(c.closed, 6), -1);
    solve_at(&c, half[0], start, &goal);
    expect(&c, (const double(*)[6])all, 8, start, &goal);
    /* From the pose itself: it comes first. */
    solve_at(&c, half[0], half[0], &goal);
    CHECK_INT(closed_find(&c, half[0], 1e-9), 0);
    closed_end(&c);
}

static void test_ur5(void) {
    static const double all[8][6] = {
        {.3, -1, 1.2, .7, .9, .2},
        {.3, .145182332, -1.2, 1.954817668, .9, .2},
        {.3, -1.205811234, 1.848129003, -2.883910423, -.9, -2.941592654},
        {.3, .536270991, -1.848129003, -.929734641, -.9, -2.941592654},
        {-2.442648575, -1.975206932, -1.826694569, -.066443594, 1.964544641, -2.605825557},
        {-2.442648575, 2.585004436, 1.826694569, -1.996858794, 1.964544641, -2.605825557},
        {-2.442648575, -2.108061637, -1.222091325, 2.603400520, -1.964544641, .535767096},
        {-2.442648575, 3.009158577, 1.222091325, 1.325182963, -1.964544641, .535767096},
    };
    const double start[6] = {0};
    lb_frame goal;
    closed_case c;
    closed_begin(&c, closed_load("models/ur5.fig"), "tool", NULL);
    CHECK_INT(lb_closed_kind_of(c.closed), LB_CLOSED_PARALLEL);
    solve_at(&c, all[0], start, &goal);
    expect(&c, all, 8, start, &goal);
    CHECK_TEXT(c.result.explanation, "8 solutions");
    /* Every joint goes from -360 to 360 degrees: two windings each, all of them the same pose, the first the nearest. */
    lb_closed_solution s;
    lb_closed_solution_defaults(&s);
    REQUIRE(lb_closed_get(c.closed, 0, &s) == LB_OK);
    CHECK_INT(s.winding_count, 64);
    for (int w = 0; w < s.winding_count; w++) {
        double values[LB_CLOSED_MAX_JOINTS];
        REQUIRE(lb_closed_winding(c.closed, 0, w, values) == LB_OK);
        for (int i = 0; i < 6; i++) {
            CHECK_NEAR(closed_wrapped(values[i] - s.values[i]), 0, 1e-12);
            CHECK(fabs(values[i]) <= 2 * CLOSED_PI);
            CHECK(w > 0 || values[i] == s.values[i]);
        }
    }
    CHECK_INT(lb_closed_winding(c.closed, 0, 64, s.values), LB_ERROR_ARGUMENT);
    /* A start a whole turn away: the winding next to it. */
    const double wound[6] = {.3 - 2 * CLOSED_PI, -1, 1.2, .7, .9 - 2 * CLOSED_PI, .2};
    solve_at(&c, all[0], wound, &goal);
    REQUIRE(lb_closed_get(c.closed, 0, &s) == LB_OK);
    for (int i = 0; i < 6; i++) {
        CHECK_NEAR(s.values[i], wound[i], 1e-9);
    }
    /* Stretched: a singular pose says so, with its condition number. */
    solve_at(&c, start, start, &goal);
    CHECK(c.result.all_count >= 2);
    const int at = closed_find(&c, start, 1e-5);
    REQUIRE(at >= 0);
    REQUIRE(lb_closed_get(c.closed, at, &s) == LB_OK);
    CHECK(s.is_singular && s.condition > 1e6);
    for (int i = 0; i < c.result.all_count; i++) {
        CHECK_NEAR(closed_miss(&c, i, start, &goal), 0, 1e-12);
    }
    /* Far away. */
    goal.position[0] = 5;
    REQUIRE(lb_closed_solve(c.closed, &goal, start, &c.result) == LB_OK);
    CHECK_INT(c.result.all_count, 0);
    CHECK_INT(c.result.is_proved, 1);
    CHECK_TEXT(c.result.explanation, "no solution: the goal is out of the arm's reach");
    closed_end(&c);
}

/* Sixteen real solutions (R. Manseur and K. Doty, A robot manipulator with 16 real inverse kinematic solution sets, 1989), and
 * an arm with two. */
static void test_general(void) {
    static const double manseur[6][3] = {{.3, 90 * DEG, 0}, {1, 1 * DEG, 0},  {0, 90 * DEG, .2},
                                         {1.5, 1 * DEG, 0}, {0, 90 * DEG, 0}, {0, 0, 0}};
    static const double half[8][6] = {
        {-3.1375, 1.8801, .5673, -3.0204, -.2674, -.0003},
        {-2.107222582, 3.027613111, .011743250, 2.594368371, -.591933410, -.655505392},
        {-1.680721992, -.093614690, -.002919520, 2.469922619, 2.235299328, 2.453704645},
        {-.220920922, -1.835152180, 1.136108770, 3.092514873, 3.029400620, 1.755230779},
        {.016795729, 1.881797350, 1.958303922, -.162781781, .000035453, -.000730215},
        {1.547839487, -3.093542799, .052687489, -2.037682848, .386627367, -.689516539},
        {1.986831256, .080334993, .037027911, -2.165402880, -2.030693662, 2.391674347},
        {2.941309043, -1.814275271, -.582889624, -2.843441586, -.158856738, -1.427640139},
    };
    static const double g1[6][3] = {{.2, 80 * DEG, .1}, {.5, 10 * DEG, .3},  {.3, -70 * DEG, -.2},
                                    {.1, 60 * DEG, .4}, {.2, -85 * DEG, .1}, {.1, 30 * DEG, .2}};
    static const double two[2][6] = {{.1, .2, .3, .4, .5, .6},
                                     {-.030705259, 1.257718757, -1.675048763, .105463540, 1.560880293, .718567720}};
    double all[16][6];
    const double start[6] = {0};
    lb_frame goal;
    closed_case c;
    for (int i = 0; i < 8; i++) {
        memcpy(all[i], half[i], sizeof all[i]);
        memcpy(all[8 + i], half[i], sizeof all[i]);
        all[8 + i][2] += CLOSED_PI;
        all[8 + i][3] = CLOSED_PI - all[i][3];
        all[8 + i][4] = CLOSED_PI - all[i][4];
        all[8 + i][5] += CLOSED_PI;
    }
    closed_begin(&c, closed_dh(manseur, 6, 2 * CLOSED_PI, -1), "link6", NULL);
    solve_at(&c, half[0], start, &goal);
    expect(&c, (const double(*)[6])all, 16, start, &goal);
    closed_end(&c);
    closed_begin(&c, closed_dh(g1, 6, 2 * CLOSED_PI, -1), "link6", NULL);
    CHECK_INT(lb_closed_kind_of(c.closed), LB_CLOSED_GENERAL);
    solve_at(&c, two[0], start, &goal);
    expect(&c, two, 2, start, &goal);
    closed_end(&c);
}

static void test_limits(void) {
    static const double g1[6][3] = {{.2, 80 * DEG, .1}, {.5, 10 * DEG, .3},  {.3, -70 * DEG, -.2},
                                    {.1, 60 * DEG, .4}, {.2, -85 * DEG, .1}, {.1, 30 * DEG, .2}};
    const double pose[6] = {.1, .2, .3, .4, .5, .6}, start[6] = {0};
    lb_frame goal;
    closed_case c;
    lb_closed_solution s;
    lb_closed_solution_defaults(&s);
    closed_begin(&c, closed_dh(g1, 6, 1.5, -1), "link6", NULL);
    solve_at(&c, pose, start, &goal);
    CHECK_INT(c.result.count, 1);
    CHECK_INT(c.result.all_count, 2);
    CHECK_TEXT(c.result.explanation, "1 solution inside the limits, of 2");
    REQUIRE(lb_closed_get(c.closed, 1, &s) == LB_OK);
    CHECK(!s.is_inside);
    CHECK_INT(s.worst_variable, 2);
    CHECK_NEAR(s.outside, 1.675048763 - 1.5, 1e-8);
    CHECK_INT(s.winding_count, 0);
    CHECK_INT(lb_closed_winding(c.closed, 1, 0, s.values), LB_ERROR_ARGUMENT);
    closed_end(&c);
    closed_begin(&c, closed_dh(g1, 6, .55, -1), "link6", NULL);
    solve_at(&c, pose, start, &goal);
    CHECK_INT(c.result.count, 0);
    CHECK_INT(c.result.worst_variable, 5);
    CHECK_NEAR(c.result.outside, .05, 1e-9);
    CHECK_TEXT(c.result.explanation,
               "no solution: both are outside the limits; the nearest breaks joint6 by 2.865 deg");
    closed_end(&c);
}

/* One joint slides, wherever it is. */
static void test_prismatic(void) {
    static const double rows[6][3] = {{.2, 80 * DEG, .1}, {.5, 10 * DEG, .3},  {.3, -70 * DEG, -.2},
                                      {.1, 60 * DEG, .4}, {.2, -85 * DEG, .1}, {.1, 30 * DEG, .2}};
    const double start[6] = {0};
    check_random random;
    check_random_seed(&random, 11);
    for (int sliding = 0; sliding < 6; sliding++) {
        closed_case c;
        closed_begin(&c, closed_dh(rows, 6, 2 * CLOSED_PI, sliding), "link6", NULL);
        for (int trial = 0; trial < check_count(20, 1000); trial++) {
            double pose[6];
            lb_frame goal;
            for (int i = 0; i < 6; i++) {
                pose[i] = check_random_range(&random, i == sliding ? -.5 : -3, i == sliding ? .5 : 3);
            }
            check_note("joint %d slides, trial %d", sliding, trial);
            solve_at(&c, pose, start, &goal);
            CHECK(closed_find(&c, pose, 1e-7) >= 0);
            for (int i = 0; i < c.result.all_count; i++) {
                CHECK_NEAR(closed_miss(&c, i, start, &goal), 0, 1e-11);
            }
        }
        closed_end(&c);
    }
    check_note("%s", "");
}

static void test_planar(void) {
    static const double rows[3][3] = {{.4, 0, 0}, {.3, 0, 0}, {.1, 0, 0}};
    lb_closed_options options;
    lb_frame goal;
    closed_case c;
    const double start[3] = {0};
    check_random random;
    check_random_seed(&random, 12);
    lb_closed_options_defaults(&options);
    options.is_position = 1;
    closed_begin(&c, closed_dh(rows, 2, CLOSED_PI, -1), "link2", &options);
    CHECK_INT(lb_closed_kind_of(c.closed), LB_CLOSED_PLANAR);
    for (int trial = 0; trial < check_count(500, 20000); trial++) { /* the workspace is the annulus, exactly */
        lb_frame_identity(&goal);
        goal.position[0] = check_random_range(&random, -.8, .8);
        goal.position[1] = check_random_range(&random, -.8, .8);
        const double r = hypot(goal.position[0], goal.position[1]);
        check_note("radius %.17g", r);
        REQUIRE(lb_closed_solve(c.closed, &goal, start, &c.result) == LB_OK);
        CHECK_INT(c.result.all_count, r >= .1 && r <= .7 ? 2 : 0);
        for (int i = 0; i < c.result.all_count; i++) {
            double pose[2];
            lb_frame at;
            lb_closed_pose(c.closed, i, pose);
            closed_goal(&c, pose, &at);
            CHECK_NEAR(hypot(at.position[0] - goal.position[0], at.position[1] - goal.position[1]), 0, 1e-14);
        }
    }
    check_note("%s", "");
    lb_frame_identity(&goal);
    goal.position[0] = .7; /* stretched: both elbows are one */
    REQUIRE(lb_closed_solve(c.closed, &goal, start, &c.result) == LB_OK);
    CHECK_INT(c.result.all_count, 1);
    CHECK_INT(c.result.singular_count, 1);
    goal.position[2] = .01; /* off the plane */
    REQUIRE(lb_closed_solve(c.closed, &goal, start, &c.result) == LB_OK);
    CHECK_INT(c.result.all_count, 0);
    closed_end(&c);
    closed_begin(&c, closed_dh(rows, 3, CLOSED_PI, -1), "link3", NULL);
    for (int trial = 0; trial < check_count(200, 10000); trial++) {
        double pose[3];
        for (int i = 0; i < 3; i++) {
            pose[i] = check_random_range(&random, -3, 3);
        }
        check_note("trial %d", trial);
        solve_at(&c, pose, start, &goal);
        CHECK_INT(c.result.all_count, 2);
        CHECK(closed_find(&c, pose, 1e-7) >= 0);
        for (int i = 0; i < c.result.all_count; i++) {
            CHECK_NEAR(closed_miss(&c, i, start, &goal), 0, 1e-14);
        }
    }
    check_note("%s", "");
    closed_end(&c);
}

/* Limbs: an interval of the swivel angle for every pose, all of which meets the goal inside the limits; and just outside of
 * it, and between the intervals, a limit is broken. */
static void test_limb(const char *model, const char *effector) {
    closed_case c;
    uint64_t seed = 21;
    int narrow = 0;
    check_note("%s", model);
    closed_begin(&c, closed_load(model), effector, NULL);
    CHECK_INT(lb_closed_kind_of(c.closed), LB_CLOSED_LIMB);
    for (int trial = 0; trial < check_count(60, 300); trial++) {
        double pose[7], start[7], values[LB_CLOSED_MAX_JOINTS];
        lb_frame goal;
        int is_covered = 0;
        check_note("%s, trial %d", model, trial);
        lb_figure_random_pose(c.figure, &seed, pose);
        lb_figure_random_pose(c.figure, &seed, start);
        solve_at(&c, pose, start, &goal);
        CHECK(c.result.count > 0 && c.result.count == c.result.all_count);
        for (int i = 0; i < c.result.count; i++) {
            lb_closed_solution s;
            lb_closed_solution_defaults(&s);
            REQUIRE(lb_closed_get(c.closed, i, &s) == LB_OK);
            CHECK_NEAR(closed_miss(&c, i, start, &goal), 0, 1e-11);
            CHECK(s.is_inside && s.swivel_low_rad <= s.swivel_rad && s.swivel_rad <= s.swivel_high_rad);
            const double width = s.swivel_high_rad - s.swivel_low_rad;
            narrow += width < 2 * CLOSED_PI - 1e-6;
            for (int k = 0; k <= 20; k++) { /* all of the interval, and whether the pose is on its branch */
                double whole[CLOSED_VARIABLES];
                lb_frame at;
                REQUIRE(lb_closed_swivel(c.closed, i, s.swivel_low_rad + width * k / 20, values) == LB_OK);
                memcpy(whole, values, sizeof values);
                closed_goal(&c, whole, &at);
                for (int j = 0; j < 3; j++) {
                    CHECK_NEAR(at.position[j], goal.position[j], 1e-10);
                }
                CHECK(lb_figure_violation(c.figure, whole) < 1e-8);
            }
            for (int k = 0; k < 2000 && !is_covered; k++) { /* the pose that the goal was made of */
                if (lb_closed_swivel(c.closed, i, s.swivel_low_rad + width * (k + .5) / 2000, values) == LB_OK) {
                    double most = 0;
                    for (int j = 0; j < 7; j++) {
                        most = fmax(most, fabs(closed_wrapped(values[j] - pose[j])));
                    }
                    is_covered = most < 0.2;
                }
            }
            if (width < 2 * CLOSED_PI - 1e-6) {
                CHECK_INT(lb_closed_swivel(c.closed, i, s.swivel_high_rad + 1e-6, values), LB_ERROR_LIMIT);
                CHECK_INT(lb_closed_swivel(c.closed, i, s.swivel_low_rad - 1e-6, values), LB_ERROR_LIMIT);
            }
        }
        CHECK(is_covered);
    }
    CHECK(narrow > 0);
    check_note("%s", "");
    closed_end(&c);
}

/* Goals that a family of solutions meets, but none inside the limits: the one that breaks them least stands for it, meets the goal
 * and names what it breaks. */
static void test_outside(const char *model, const char *sentence) {
    closed_case c;
    uint64_t seed = 4;
    int outside = 0;
    closed_begin(&c, closed_load(model), "tool", NULL);
    for (int trial = 0; trial < (check_is_sanitized() ? 100 : 400); trial++) {
        double pose[CLOSED_VARIABLES], start[CLOSED_VARIABLES];
        lb_frame goal;
        check_note("%s, trial %d", model, trial);
        lb_figure_random_pose(c.figure, &seed, pose);
        lb_figure_rest_pose(c.figure, start);
        closed_goal(&c, pose, &goal);
        for (int k = 0; k < 4; k++) { /* the same place, another rotation */
            goal.rotation[k] = k == trial % 4 ? 1 : 0.1 * (k + trial % 7) * (trial % 3 - 1);
        }
        REQUIRE(lb_closed_solve(c.closed, &goal, start, &c.result) == LB_OK);
        if (c.result.count > 0 || c.result.all_count == 0) {
            continue;
        }
        lb_closed_solution s;
        lb_closed_solution_defaults(&s);
        outside++;
        REQUIRE(lb_closed_get(c.closed, 0, &s) == LB_OK);
        CHECK_INT(c.result.all_count, 1);
        CHECK(!s.is_inside && s.outside > 0 && s.worst_variable == c.result.worst_variable);
        CHECK_NEAR(s.swivel_high_rad - s.swivel_low_rad, 0, 0);
        CHECK_HAS(c.result.explanation, sentence);
        double whole[CLOSED_VARIABLES], length = 0;
        lb_frame at;
        memcpy(whole, start, sizeof whole);
        REQUIRE(lb_closed_pose(c.closed, 0, whole) == LB_OK);
        closed_goal(&c, whole, &at);
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(at.position[k], goal.position[k], 1e-11);
        }
        double dot = 0;
        for (int k = 0; k < 4; k++) {
            dot += at.rotation[k] * goal.rotation[k];
            length += goal.rotation[k] * goal.rotation[k];
        }
        CHECK_NEAR(fabs(dot), sqrt(length), 1e-11);
    }
    printf("%s: %d goals that no pose inside the limits meets\n", model, outside);
    CHECK(outside > 0);
    check_note("%s", "");
    closed_end(&c);
}

static void refuse(lb_figure *figure, const char *effector, int is_position, const char *reason) {
    lb_effector e;
    lb_error error;
    lb_closed_options options;
    lb_closed_options_defaults(&options);
    options.is_position = is_position;
    REQUIRE(lb_figure_find_effector(figure, effector, &e, &error) == LB_OK);
    CHECK(lb_closed_create(figure, &e, &options, &error) == NULL);
    CHECK_INT(error.status, LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, reason);
    lb_figure_destroy(figure);
}

/* What no closed form covers is named. */
static void test_refusals(void) {
    static const double rows[6][3] = {{.2, 80 * DEG, .1}, {.5, 10 * DEG, .3},  {.3, -70 * DEG, -.2},
                                      {.1, 60 * DEG, .4}, {.2, -85 * DEG, .1}, {.1, 30 * DEG, .2}};
    static const double coaxial[6][3] = {{.2, 80 * DEG, .1}, {0, 0, .3},          {.3, -70 * DEG, -.2},
                                         {.1, 60 * DEG, .4}, {.2, -85 * DEG, .1}, {.1, 30 * DEG, .2}};
    refuse(closed_dh(rows, 5, 3, -1), "link5", 0, "the chain has 5 joints");
    refuse(closed_dh(rows, 3, 3, -1), "link3", 0, "must have parallel axes");
    refuse(closed_dh(rows, 6, 3, -1), "link6", 1, "of a position alone");
    refuse(closed_dh(coaxial, 6, 3, -1), "link6", 0, "'joint2' and 'joint3' move along one axis");
    refuse(closed_load("models/human.fig"), "right_palm", 0, "is driven by a group");
    refuse(closed_load("models/human.fig"), "com", 0, "centre of mass");
}

int main(void) {
    test_puma();
    test_ur5();
    test_general();
    test_limits();
    test_prismatic();
    test_planar();
    test_limb("models/iiwa14.fig", "tool");
    test_outside("models/iiwa14.fig", "no swivel angle keeps all limits; the nearest breaks ");
    test_outside("models/panda.fig", "no solution was found inside the limits; the nearest breaks ");
    test_refusals();
    return check_done();
}
