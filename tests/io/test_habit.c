/* Habits: files read and written, every message; what a habit costs, and that solving finds where it costs least. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "limber/io.h"

#define MOST_VARIABLES 200

static const char SMALL[] = "# A habit of few features.\n"
                            "habit 1\n"
                            "source \"two clips, \\\"walk\\\" and run\" credit \"thanks\"\n"
                            "root_height 0.9\n"
                            "features 5\n"
                            "  variable right_elbow 0.5\n"
                            "  variable \"spine.flexion\" 0.25\n"
                            "  up x -0.125\n"
                            "  height 0.875\n"
                            "  contact right_heel 0.0625\n"
                            "factor\n"
                            "  4 1 0 0.5 0\n"
                            "    5 1 0 2\n"
                            "      8 0 1\n"
                            "        20 3\n"
                            "          30\n"
                            "starts 2  0.4 0.2 0 0.9 0  1 0.5 -0.25 0.5 0.125\n";

static lb_habit *read_text(const char *text, const lb_figure *figure, lb_error *error) {
    lb_habit *habit = NULL;
    lb_habit_load_memory(text, strlen(text), "test.habit", figure, NULL, &habit, error);
    return habit;
}

static lb_figure *load_human(void) {
    char path[4096];
    lb_figure *figure = NULL;
    lb_error error;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    return figure;
}

static void test_round_trip(void) {
    lb_error error;
    lb_habit *habit = read_text(SMALL, NULL, &error), *again = NULL;
    char *text = NULL, *twice = NULL;
    size_t size = 0, other = 0;
    REQUIRE(habit != NULL);
    const lb_habit_data *d = lb_habit_contents(habit);
    CHECK_INT(d->feature_count, 5);
    CHECK_INT(d->start_count, 2);
    CHECK_INT(d->features[2].kind, LB_HABIT_UP);
    CHECK_TEXT(d->features[1].name, "spine.flexion");
    CHECK_TEXT(d->source, "two clips, \"walk\" and run");
    CHECK_TEXT(d->credit, "thanks");
    CHECK(d->root_height == 0.9 && d->features[4].mean == 0.0625);
    CHECK(d->factor[0] == 4 && d->factor[5] == 5 && d->factor[14] == 30);
    CHECK(d->starts[5] == 1 && d->starts[9] == 0.125);
    REQUIRE(lb_habit_save_memory(habit, &text, &size, &error) == LB_OK);
    REQUIRE(lb_habit_load_memory(text, size, "again", NULL, NULL, &again, &error) == LB_OK);
    REQUIRE(lb_habit_save_memory(again, &twice, &other, &error) == LB_OK);
    CHECK_TEXT(twice, text);
    lb_text_free(text);
    lb_text_free(twice);
    lb_habit_destroy(again);
    lb_habit_destroy(habit);
}

static void refuse(const char *text, const lb_figure *figure, int line, lb_status status, const char *message) {
    lb_error error;
    lb_habit *habit = read_text(text, figure, &error);
    check_note("%s", message);
    CHECK(habit == NULL);
    CHECK_INT(error.status, status);
    CHECK_INT(error.line, line);
    CHECK_HAS(error.message, message);
    CHECK_TEXT(error.file, "test.habit");
    lb_habit_destroy(habit);
    check_note("%s", "");
}

static void test_messages(void) {
    lb_figure *human = load_human();
    refuse("", NULL, 1, LB_ERROR_SYNTAX, "begins with `habit 1`");
    refuse("figure x\n", NULL, 1, LB_ERROR_SYNTAX, "begins with `habit 1`");
    refuse("habit 2\n", NULL, 1, LB_ERROR_UNSUPPORTED, "version 1");
    refuse("habit 1\nfeatures 1\nvariable a 0\n", NULL, 4, LB_ERROR_SYNTAX, "has no factor");
    refuse("habit 1\n", NULL, 2, LB_ERROR_SYNTAX, "has no features");
    refuse("habit 1\nfeatures 1000\n", NULL, 2, LB_ERROR_TOO_LARGE, "from 1 to 128");
    refuse("habit 1\nfeatures 1.5\n", NULL, 2, LB_ERROR_TOO_LARGE, "from 1 to 128");
    refuse("habit 1\nfeatures 1\nvariable a nan\n", NULL, 3, LB_ERROR_SYNTAX, "a finite number was expected");
    refuse("habit 1\nfeatures 1\nvariable a 1e999\n", NULL, 3, LB_ERROR_SYNTAX, "a finite number was expected");
    refuse("habit 1\nfeatures 1\nangle a 0\n", NULL, 3, LB_ERROR_SYNTAX, "variable, up, height or contact");
    refuse("habit 1\nfeatures 1\nheight 0\nfactor\n", NULL, 5, LB_ERROR_SYNTAX, "the end of the file");
    refuse("habit 1\nfeatures 1\nheight 0\nfactor -1\n", NULL, 0, LB_ERROR_ARGUMENT, "diagonal");
    refuse("habit 1\nfeatures 1\nheight 0\nfactor 1\nstarts 65\n", NULL, 5, LB_ERROR_TOO_LARGE, "from 0 to 64");
    refuse("habit 1\nfactor 1\n", NULL, 2, LB_ERROR_SYNTAX, "behind the features");
    refuse("habit 1\nfetures 1\n", NULL, 2, LB_ERROR_SYNTAX, "did you mean `features`?");
    refuse("habit 1\nsource none\n", NULL, 2, LB_ERROR_SYNTAX, "a text in quotes");
    refuse("habit 1\nsource \"none\n", NULL, 2, LB_ERROR_SYNTAX, "ends on the line");
    refuse("habit 1\nsource \"none", NULL, 2, LB_ERROR_SYNTAX, "no closing quote");
    refuse("habit 1\nfeatures 1\nup w 0\nfactor 1\n", NULL, 3, LB_ERROR_NAME, "x, y and z");
    refuse("habit 1\nfeatures 1\nvariable right_elbo 0\nfactor 1\n", human, 3, LB_ERROR_NAME,
           "the figure has no variable `right_elbo`; did you mean `right_elbow`?");
    refuse("habit 1\nfeatures 1\ncontact left_hel 0\nfactor 1\n", human, 3, LB_ERROR_NAME, "no contact `left_hel`");
    lb_figure_destroy(human);
}

static void test_arguments(void) {
    lb_error error;
    lb_habit_data data;
    lb_habit_feature feature = {LB_HABIT_HEIGHT, NULL, 0};
    double factor[1] = {1}, start[1] = {INFINITY};
    lb_habit_data_defaults(&data);
    CHECK(lb_habit_create(&data, NULL, &error) == NULL && error.status == LB_ERROR_ARGUMENT);
    data.feature_count = 1;
    data.features = &feature;
    data.factor = factor;
    lb_habit *habit = lb_habit_create(&data, NULL, &error);
    CHECK(habit != NULL);
    lb_habit_destroy(habit);
    data.start_count = 1;
    data.starts = start;
    CHECK(lb_habit_create(&data, NULL, &error) == NULL);
    CHECK_HAS(error.message, "start");
    start[0] = 0;
    data.root_height = NAN;
    CHECK(lb_habit_create(&data, NULL, &error) == NULL);
    data.root_height = 0;
    factor[0] = NAN;
    CHECK(lb_habit_create(&data, NULL, &error) == NULL);
    factor[0] = 1;
    feature.kind = LB_HABIT_VARIABLE;
    CHECK(lb_habit_create(&data, NULL, &error) == NULL);
    CHECK_HAS(error.message, "name");
    lb_habit_destroy(NULL);
}

/* --- On a figure --------------------------------------------------------------------------------------- */

/* U and the sum of squares once more, written out. */
static double cost_by_hand(const double *f) {
    const double mean[5] = {0.5, 0.25, -0.125, 0.875, 0.0625};
    const double u[5][5] = {{4, 1, 0, 0.5, 0}, {0, 5, 1, 0, 2}, {0, 0, 8, 0, 1}, {0, 0, 0, 20, 3}, {0, 0, 0, 0, 30}};
    double sum = 0;
    for (int i = 0; i < 5; i++) {
        double r = 0;
        for (int k = 0; k < 5; k++) {
            r += u[i][k] * (f[k] - mean[k]);
        }
        sum += r * r;
    }
    return sum / 2;
}

static void test_measure(void) {
    lb_figure *human = load_human();
    lb_kinematics *k = lb_kinematics_create(human, NULL);
    lb_error error;
    lb_habit *habit = read_text(SMALL, human, &error);
    double pose[MOST_VARIABLES], f[5], g[5], m[12];
    REQUIRE(habit && k && lb_figure_variable_count(human) <= MOST_VARIABLES);
    lb_figure_rest_pose(human, pose);
    pose[2] = -0.1;
    pose[4] = 0.3; /* the pelvis leans forward */
    REQUIRE(lb_habit_measure(habit, k, pose, 0, f, &error) == LB_OK);
    lb_kinematics_matrix(k, lb_figure_find_segment(human, "pelvis"), m);
    CHECK_NEAR(f[2], m[8], 1e-12);
    CHECK(fabs(f[2]) > 0.2);
    CHECK_NEAR(lb_habit_cost(habit, f), cost_by_hand(f), 1e-9);
    /* Heights are those of a figure whose root is at 0.9 m: this one's are scaled. */
    REQUIRE(lb_habit_measure(habit, k, pose, 0.05, g, &error) == LB_OK);
    CHECK(f[3] - g[3] < 0.05 && f[3] - g[3] > 0.045);
    CHECK_NEAR(f[3] / f[4], m[11] / (f[4] * m[11] / f[3]), 1e-9);
    lb_habit_destroy(habit);
    lb_kinematics_destroy(k);
    lb_figure_destroy(human);
}

/* Nothing but the habit. */
static void habit_alone(lb_body_options *o) {
    lb_body_options_defaults(o);
    o->posture = o->comfort = o->effort = o->hang = o->head = o->look = o->feet = 0;
    o->balance = o->apart = o->eyes = o->above_floor = 0;
    for (int i = 0; i < LB_BODY_LIMBS; i++) {
        o->feet_modes[i] = LB_FOOT_MODE_LIFTED;
    }
}

static double cost_of(const lb_habit *habit, lb_kinematics *k, const double *pose) {
    double f[LB_HABIT_FEATURES];
    REQUIRE(lb_habit_measure(habit, k, pose, 0, f, NULL) == LB_OK);
    return lb_habit_cost(habit, f);
}

/* Where the goals leave variables free, the cost of the answer has no slope: closed-form derivatives lead there. */
static void test_solve(void) {
    lb_figure *human = load_human();
    lb_kinematics *k = lb_kinematics_create(human, NULL);
    lb_problem *problem = lb_problem_create(human, NULL);
    lb_error error;
    lb_habit *habit = read_text(SMALL, human, &error);
    lb_constraint c;
    lb_result result;
    lb_body_options options;
    double pose[MOST_VARIABLES], point[3] = {0.3, -0.2, 1.4};
    REQUIRE(habit && problem && k);
    REQUIRE(lb_constraint_at(human, "left_palm", point, &c) == LB_OK);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    habit_alone(&options);
    REQUIRE(lb_problem_set_body(problem, 0, &options) == LB_OK);
    REQUIRE(lb_problem_set_habit(problem, 0, habit) == LB_OK);
    CHECK(lb_problem_habit(problem, 0) != NULL && lb_problem_habit(problem, 0) != habit);
    REQUIRE(lb_problem_set_body(problem, 0, &options) == LB_OK); /* other options leave it there */
    CHECK(lb_problem_habit(problem, 0) != NULL);
    lb_result_defaults(&result);
    lb_figure_rest_pose(human, pose);
    REQUIRE(lb_solve(problem, NULL, pose, &result) == LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    const double least = cost_of(habit, k, pose);
    CHECK(least < 1e-6); /* a palm leaves enough freedom for all five features */
    lb_figure_rest_pose(human, pose);
    CHECK(cost_of(habit, k, pose) > 1);
    REQUIRE(lb_problem_set_habit(problem, 0, NULL) == LB_OK);
    CHECK(lb_problem_habit(problem, 0) == NULL);
    lb_problem_destroy(problem);
    lb_habit_destroy(habit);
    lb_kinematics_destroy(k);
    lb_figure_destroy(human);
}

/* With features that the goals contradict, the answer is where no move of the free variables costs less. */
static void test_stationary(void) {
    static const char text[] = "habit 1 features 6 variable right_elbow 1.5 variable right_shoulder.elevation 0.2\n"
                               "variable spine.flexion 0.3 up x -0.3 height 0.7 contact right_toe 0.3\n"
                               "factor 4 1 0 1 0 0  5 1 0 2 1  8 0 1 0  6 3 1  9 2  7\n";
    static const char *const fixed[] = {"root.x", "root.y", "root.z", "root.rx", "root.ry", "root.rz"};
    lb_figure *human = load_human();
    lb_kinematics *k = lb_kinematics_create(human, NULL);
    lb_problem *problem = lb_problem_create(human, NULL);
    lb_error error;
    lb_habit *habit = read_text(text, human, &error);
    lb_constraint c;
    lb_result result;
    lb_body_options options;
    double pose[MOST_VARIABLES], point[3] = {0, 0, 1.0};
    REQUIRE(habit && problem && k);
    /* The pelvis is held, so that the legs' and arms' variables are free and all features pull at once. */
    lb_constraint_defaults(&c);
    REQUIRE(lb_effector_from_segment(human, lb_figure_find_segment(human, "pelvis"), &c.effector) == LB_OK);
    c.goal.kind = LB_GOAL_POSITION;
    memcpy(c.goal.point, point, sizeof point);
    REQUIRE(lb_problem_add(problem, &c) >= 0);
    habit_alone(&options);
    REQUIRE(lb_problem_set_body(problem, 0, &options) == LB_OK && lb_problem_set_habit(problem, 0, habit) == LB_OK);
    lb_result_defaults(&result);
    lb_figure_rest_pose(human, pose);
    REQUIRE(lb_solve(problem, NULL, pose, &result) == LB_OK);
    CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
    const double cost = cost_of(habit, k, pose), step = 1e-5;
    CHECK(cost > 0.1);
    int free_count = 0;
    for (int i = 0; i < lb_figure_variable_count(human); i++) {
        const lb_variable *v = lb_figure_variable(human, i);
        const double kept = pose[i];
        int is_fixed = kept < v->lower + 1e-6 || kept > v->upper - 1e-6;
        for (int r = 0; r < 3; r++) { /* the place of the root is that of the goal; its turn is free */
            is_fixed |= strcmp(v->name, fixed[r]) == 0;
        }
        if (is_fixed) {
            continue;
        }
        pose[i] = kept + step;
        const double more = cost_of(habit, k, pose);
        pose[i] = kept - step;
        const double less = cost_of(habit, k, pose);
        pose[i] = kept;
        check_note("%s", v->name);
        CHECK_NEAR((more - less) / (2 * step), 0, 1e-3);
        free_count += fabs(more + less - 2 * cost) > 1e-12;
    }
    CHECK(free_count >= 5);
    lb_problem_destroy(problem);
    lb_habit_destroy(habit);
    lb_kinematics_destroy(k);
    lb_figure_destroy(human);
}

static void test_refusals(void) {
    lb_figure *human = load_human();
    lb_problem *problem = lb_problem_create(human, NULL);
    lb_error error;
    lb_habit *habit = read_text("habit 1 features 1 variable tail 0 factor 1", NULL, &error);
    REQUIRE(habit && problem);
    CHECK_INT(lb_problem_set_habit(problem, 0, habit), LB_ERROR_NAME);
    CHECK_HAS(lb_problem_error(problem)->message, "no variable `tail`");
    CHECK_INT(lb_problem_set_habit(problem, 1, habit), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_problem_set_habit(NULL, 0, habit), LB_ERROR_ARGUMENT);
    CHECK(lb_problem_habit(problem, 0) == NULL);
    lb_habit_destroy(habit);
    lb_problem_destroy(problem);
    lb_figure_destroy(human);
}

int main(void) {
    test_round_trip();
    test_messages();
    test_arguments();
    test_measure();
    test_solve();
    test_stationary();
    test_refusals();
    return check_done();
}
