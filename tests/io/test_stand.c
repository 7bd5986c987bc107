/* Legged figures and bases in files: options of reading, problem files and what is written of them, refusals and their words; round
 * feet and drives in .fig; bases that drive. */
#include <limber/io.h>
#include <limber/solve.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "io/same_figure.h"

/* A dog of boxes and balls: hips, knees, and a head that turns. */
static char *dog(const char *root_link, double effort) {
    static char text[16000];
    static const char *const legs[4] = {"one", "two", "three", "four"};
    size_t used = (size_t)snprintf(text, sizeof text, "<robot name=\"dog\">%s", root_link);
    used += (size_t)snprintf(text + used, sizeof text - used,
                             "<link name=\"trunk\"><inertial><mass value=\"10\"/></inertial></link>"
                             "<link name=\"head\"><inertial><mass value=\"0.5\"/></inertial></link>"
                             "<joint name=\"neck\" type=\"revolute\"><parent link=\"trunk\"/><child link=\"head\"/>"
                             "<origin xyz=\"0.4 0 0.1\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1\" upper=\"1\" "
                             "effort=\"20\" velocity=\"1\"/></joint>");
    for (int i = 0; i < 4; i++) {
        used += (size_t)snprintf(
            text + used, sizeof text - used,
            "<link name=\"%s_a\"><inertial><origin xyz=\"0 0 -0.1\"/><mass value=\"0.5\"/></inertial></link>"
            "<link name=\"%s_b\"><inertial><origin xyz=\"0 0 -0.1\"/><mass value=\"0.3\"/></inertial>"
            "<collision><origin xyz=\"0 0 -0.2\"/><geometry><sphere radius=\"0.02\"/></geometry></collision></link>"
            "<joint name=\"%s_hip\" type=\"revolute\"><parent link=\"trunk\"/><child link=\"%s_a\"/>"
            "<origin xyz=\"%g %g 0\"/><axis xyz=\"0 1 0\"/><limit lower=\"-1.5\" upper=\"1.5\" effort=\"%g\" "
            "velocity=\"1\"/></joint>"
            "<joint name=\"%s_knee\" type=\"revolute\"><parent link=\"%s_a\"/><child link=\"%s_b\"/>"
            "<origin xyz=\"0 0 -0.2\"/><axis xyz=\"0 1 0\"/><limit lower=\"-2.2\" upper=\"0\" effort=\"%g\" "
            "velocity=\"1\"/></joint>",
            legs[i], legs[i], legs[i], legs[i], i < 2 ? 0.25 : -0.25, i % 2 ? -0.1 : 0.1, effort, legs[i], legs[i],
            legs[i], effort);
    }
    snprintf(text + used, sizeof text - used, "</robot>");
    return text;
}

static lb_status load(const char *text, int stand, lb_figure **figure, lb_error *error) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.stand = stand;
    return lb_figure_load_memory(text, strlen(text), "dog.urdf", &options, figure, error);
}

static void stands(void) {
    lb_figure *lying = NULL, *standing = NULL, *again = NULL, *read = NULL;
    lb_error error;
    lb_save_options save;
    char *fig = NULL;
    size_t size;
    REQUIRE(load(dog("", 100), 0, &lying, &error) == LB_OK && load(dog("", 100), 1, &standing, &error) == LB_OK);
    CHECK_INT(lb_figure_legs(lying), 4);
    CHECK(!lb_figure_root(lying)->is_free && lb_figure_root(standing)->is_free);
    CHECK_INT(lb_figure_variable_count(standing), lb_figure_variable_count(lying) + 6);
    CHECK_TEXT(lb_figure_variable(standing, 6)->name, lb_figure_variable(lying, 0)->name);
    const lb_body *body = lb_figure_body(standing);
    REQUIRE(body != NULL);
    CHECK_INT(body->contact_count, 4);
    CHECK_INT(body->strength_count, 9);
    for (int i = 0; i < 4; i++) {
        CHECK_NEAR(body->contacts[i].radius, 0.02, 1e-12);
        CHECK_INT(body->contacts[i].kind, LB_CONTACT_BALL);
    }
    CHECK(body->strengths[0].by_axis && lb_figure_root(standing)->placement.position[2] < 0.419);
    /* it stands already, and is left as it is */
    CHECK_INT(lb_figure_stand(standing, &again, &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "has a body already");
    /* .fig has all of it */
    lb_save_options_defaults(&save);
    save.format = LB_FORMAT_FIG;
    REQUIRE(lb_figure_save_memory(standing, &save, &fig, &size, &error) == LB_OK);
    CHECK_HAS(fig, "by axis;");
    CHECK_HAS(fig, ", 2cm) limb");
    REQUIRE(lb_figure_load_memory(fig, size, "dog.fig", NULL, &read, &error) == LB_OK);
    CHECK(same_figure(standing, read));
    lb_text_free(fig);
    lb_figure_destroy(read);
    lb_figure_destroy(standing);
    lb_figure_destroy(lying);
}

static void refuses(void) {
    lb_figure *figure = NULL;
    lb_error error;
    const char *held = "<link name=\"world\"/><joint name=\"weld\" type=\"fixed\"><parent link=\"world\"/><child "
                       "link=\"trunk\"/></joint>";
    CHECK_INT(load(dog(held, 100), 1, &figure, &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "its root is `world`, which holds it");
    CHECK_TEXT(error.file, "dog.urdf");
    CHECK_INT(lb_figure_stand(NULL, &figure, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_legs(NULL), LB_ERROR_ARGUMENT);
    REQUIRE(lb_figure_load("chain:5", NULL, &figure, NULL) == LB_OK);
    lb_figure *none = NULL;
    CHECK_INT(lb_figure_legs(figure), 0);
    CHECK_INT(lb_figure_stand(figure, &none, &error), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "no legs to stand on");
    CHECK(none == NULL);
    lb_figure_destroy(figure);
}

/* Efforts that could not hold the stance are placeholders. */
static void leaves_out_placeholders(void) {
    lb_figure *figure = NULL;
    lb_error error;
    REQUIRE(load(dog("", 0.001), 1, &figure, &error) == LB_OK);
    CHECK(lb_figure_body(figure)->strength_count < 9);
    CHECK_TEXT(lb_figure_body(figure)->strengths[0].name, "neck");
    lb_figure_destroy(figure);
}

/* A rule: a base that is asked to come down does so as far as the motors can hold it, and farther without the rule. */
static void drives_hold(void) {
    lb_figure *figure = NULL;
    lb_error error;
    double shares[2], heights[2];
    REQUIRE(load(dog("", 4), 1, &figure, &error) == LB_OK);
    for (int is_free = 0; is_free < 2; is_free++) {
        lb_problem *problem = lb_problem_create(figure, NULL);
        lb_body_options options;
        lb_constraint low;
        lb_result result;
        double pose[32];
        lb_frame at;
        lb_body_options_defaults(&options);
        lb_result_defaults(&result);
        options.drives = !is_free;
        REQUIRE(lb_constraint_at(figure, "trunk", (double[]){0, 0, 0.2}, &low) == LB_OK);
        low.goal.kind = LB_GOAL_PLANE;
        REQUIRE(lb_problem_set_body(problem, 0, &options) == LB_OK && lb_problem_add(problem, &low) >= 0);
        lb_solver *solver = lb_solver_create(problem, NULL);
        lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
        lb_figure_rest_pose(figure, pose);
        CHECK_INT(lb_solver_solve(solver, NULL, pose, &result), LB_OK);
        lb_kinematics_update(kinematics, pose);
        lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, "trunk"), &at);
        heights[is_free] = at.position[2];
        shares[is_free] = lb_solver_body(solver, 0)->efforts[0].share;
        lb_kinematics_destroy(kinematics);
        lb_solver_destroy(solver);
        lb_problem_destroy(problem);
    }
    CHECK(shares[0] <= 1 + 1e-4 && shares[1] > 1.05);
    CHECK_NEAR(heights[1], 0.2, 1e-4);
    CHECK(heights[0] > 0.205);
    lb_figure_destroy(figure);
}

/* "stand" and "base" of problem files, beside the figure and in its entry; written again they say the same. */
static void in_problems(void) {
    static const char *const problems[] = {
        "{\"figure\": \"dog.urdf\", \"stand\": true, \"body\": {\"drives\": false, \"foot\": {\"three\": \"lifted\"}}}",
        "{\"figures\": [{\"file\": \"dog.urdf\", \"stand\": true, \"body\": {}}]}",
        "{\"figure\": \"dog.urdf\", \"base\": \"planar\"}",
        "{\"figures\": [{\"file\": \"dog.urdf\", \"base\": [2, \"50cm\", \"90deg\"]}]}"};
    char folder[4096], path[4096], again[4096];
    lb_error error;
    check_scratch("dog.urdf", path, sizeof path);
    FILE *out = fopen(path, "w");
    REQUIRE(out && fputs(dog("", 100), out) >= 0 && fclose(out) == 0);
    for (size_t i = 0; i < sizeof problems / sizeof *problems; i++) {
        lb_problem_file *file = NULL, *copy = NULL;
        check_note("%s", problems[i]);
        check_scratch("dog.json", folder, sizeof folder);
        check_scratch("dog_again.json", again, sizeof again);
        out = fopen(folder, "w");
        REQUIRE(out && fputs(problems[i], out) >= 0 && fclose(out) == 0);
        if (!CHECK_INT(lb_problem_load(folder, NULL, &file, &error), LB_OK)) {
            check_note("%s", error.message);
            CHECK_TEXT(error.message, "");
            continue;
        }
        CHECK_INT(lb_problem_save(file, NULL, NULL, again, &error), LB_OK);
        REQUIRE(lb_problem_load(again, NULL, &copy, &error) == LB_OK);
        const lb_figure *figure = lb_problem_figure(lb_problem_file_problem(file), 0);
        CHECK(same_figure(figure, lb_problem_figure(lb_problem_file_problem(copy), 0)));
        if (i < 2) {
            const lb_body_options *options = lb_problem_body(lb_problem_file_problem(copy), 0);
            REQUIRE(options && lb_figure_body(figure));
            CHECK_INT(options->drives, i == 1);
            CHECK_INT(options->feet_modes[2], i == 0 ? LB_FOOT_MODE_LIFTED : LB_FOOT_MODE_AUTO);
        } else {
            const int x = lb_figure_find_variable(figure, "base.x"), yaw = lb_figure_find_variable(figure, "base.yaw");
            REQUIRE(x >= 0 && yaw >= 0);
            CHECK(i == 2 ? isinf(lb_figure_variable(figure, x)->upper) : lb_figure_variable(figure, x)->upper == 2);
            CHECK(i == 2 || fabs(lb_figure_variable(figure, yaw)->lower + 1.5707963267948966) < 1e-12);
        }
        lb_problem_file_destroy(file);
        lb_problem_file_destroy(copy);
    }
    check_note("%s", "");
    lb_problem_file *file = NULL;
    static const char wrong[] = "{\"figure\": \"chain:3\", \"base\": \"round\"}";
    CHECK_INT(lb_problem_load_memory(wrong, strlen(wrong), "wrong", NULL, &file, &error), LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "`base` is \"planar\"");
}

/* A base takes the arm where it could not reach, stays within its ends, and goes along only a little where it could. */
static void drives_there(void) {
    char path[4096];
    lb_figure *arm = NULL, *moving = NULL;
    lb_error error;
    const double half[3] = {3, 1, 0};
    REQUIRE(check_source("models/panda.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &arm, &error) == LB_OK);
    CHECK_INT(lb_figure_on_plane(arm, (double[]){-1, 0, 0}, &moving, &error), LB_ERROR_ARGUMENT);
    REQUIRE(lb_figure_on_plane(arm, half, &moving, &error) == LB_OK);
    const int first = lb_figure_find_variable(moving, "base.x");
    const double goals[3][3] = {{2.5, 0.8, 0.5}, {-3.2, -0.9, 0.3}, {0.45, 0.1, 0.5}};
    for (int i = 0; i < 3; i++) {
        lb_problem *problem = lb_problem_create(moving, NULL);
        lb_constraint there;
        lb_result result;
        double pose[32];
        lb_result_defaults(&result);
        lb_figure_rest_pose(moving, pose);
        REQUIRE(lb_constraint_at(moving, "tool", goals[i], &there) == LB_OK && lb_problem_add(problem, &there) >= 0);
        CHECK_INT(lb_solve(problem, NULL, pose, &result), LB_OK);
        CHECK_INT(result.outcome, LB_OUTCOME_SOLVED);
        CHECK(fabs(pose[first]) <= 3 && fabs(pose[first + 1]) <= 1);
        CHECK(i < 2 ? fabs(pose[first]) > 1 : fabs(pose[first]) < 0.1 && fabs(pose[first + 1]) < 0.1);
        lb_problem_destroy(problem);
    }
    lb_figure_destroy(moving);
    lb_figure_destroy(arm);
}

/* The base of a figure that is placed aslant drives along the floor all the same, from where it is. */
static void drives_level(void) {
    char path[4096];
    lb_figure *arm = NULL, *placed = NULL, *moving = NULL;
    REQUIRE(check_source("models/ur5.fig", path, sizeof path) && lb_figure_load(path, NULL, &arm, NULL) == LB_OK);
    lb_builder *builder = lb_builder_from(arm, NULL);
    lb_root root = *lb_figure_root(arm);
    const double tilt[3] = {0.5, -0.3, 1};
    lb_rotation_from_rpy(tilt, root.placement.rotation);
    root.placement.position[0] = 0.7, root.placement.position[2] = 0.4;
    REQUIRE(lb_builder_set_root(builder, &root) == LB_OK && lb_builder_finish(builder, &placed) == LB_OK);
    lb_builder_destroy(builder);
    REQUIRE(lb_figure_on_plane(placed, NULL, &moving, NULL) == LB_OK);
    lb_kinematics *was = lb_kinematics_create(placed, NULL), *is = lb_kinematics_create(moving, NULL);
    double pose[32];
    lb_figure_rest_pose(moving, pose);
    const int x = lb_figure_find_variable(moving, "base.x");
    pose[x] = 0.3, pose[x + 1] = -0.2;
    lb_kinematics_update(is, pose);
    for (int i = 0; i < lb_figure_segment_count(placed); i++) {
        lb_frame a, b;
        lb_kinematics_segment(was, i, &a);
        lb_kinematics_segment(is, i, &b);
        CHECK_NEAR(b.position[0], a.position[0] + 0.3, 1e-12);
        CHECK_NEAR(b.position[1], a.position[1] - 0.2, 1e-12);
        CHECK_NEAR(b.position[2], a.position[2], 1e-12);
    }
    lb_kinematics_destroy(was);
    lb_kinematics_destroy(is);
    lb_figure_destroy(moving);
    lb_figure_destroy(placed);
    lb_figure_destroy(arm);
}

int main(void) {
    stands();
    refuses();
    leaves_out_placeholders();
    drives_hold();
    in_problems();
    drives_there();
    drives_level();
    return check_done();
}
