/* Figures as they are asked: parts by number, limits that leave nothing, poses, other roots, and what goes wrong. */
#include <limber/limber.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "arm.h"
#include "figure/error.h"

static void check_statuses(void) {
    for (int status = LB_OK; status >= LB_ERROR_STRUCT; status--) {
        CHECK(strcmp(lb_status_text((lb_status)status), "unknown status") != 0);
        for (int other = LB_OK; other > status; other--) {
            CHECK(strcmp(lb_status_text((lb_status)status), lb_status_text((lb_status)other)) != 0);
        }
    }
    CHECK_TEXT(lb_status_text((lb_status)1), "unknown status");
    CHECK_TEXT(lb_status_text((lb_status)(LB_ERROR_STRUCT - 1)), "unknown status");
}

static void decimal_is(double value, const char *expected) {
    char text[32];
    CHECK_TEXT(lbf_decimal_text(value, text), expected);
}

static void check_numbers_as_text(void) {
    char text[24];
    decimal_is(0, "0");
    decimal_is(-1.5, "-1.5");
    decimal_is(12.3456, "12.346");
    decimal_is(-0.0001, "0"); /* no sign before nothing */
    decimal_is(INFINITY, "infinity");
    decimal_is(-INFINITY, "-infinity");
    decimal_is(NAN, "not a number");
    decimal_is(2e15, "over 1e15");
    decimal_is(-2e15, "below -1e15");
    CHECK_TEXT(lbf_integer_text(INT64_MIN, text), "-9223372036854775808");
}

/* A message that is too long is cut, but not inside a character of several bytes. */
static void check_long_messages(void) {
    lb_error error;
    char name[LB_ERROR_MESSAGE_SIZE + 8];
    for (int shift = 0; shift < 3; shift++) {
        memset(name, 'a', sizeof name);
        for (size_t i = (size_t)shift; i + 3 < sizeof name; i += 3) {
            memcpy(name + i, "\xe2\x82\xac", 3); /* the euro sign */
        }
        name[sizeof name - 1] = 0;
        CHECK_INT(lbf_fail(&error, LB_ERROR_NAME, name, (char *)0), LB_ERROR_NAME);
        size_t length = strlen(error.message);
        CHECK(length < LB_ERROR_MESSAGE_SIZE && length + 3 >= LB_ERROR_MESSAGE_SIZE);
        CHECK_INT((length - (size_t)shift) % 3, 0);
    }
    CHECK_INT(lbf_fail(NULL, LB_ERROR_NAME, "nobody reads this", (char *)0), LB_ERROR_NAME);
}

/* The arm with a group, a parameter, a drive, a limit and a shape: one of each kind of part. */
static lb_figure *one_of_each(void) {
    lb_builder *b = arm_builder("R(z)*R(x)", "R(z)");
    lb_parameter bend;
    lb_parameter_defaults(&bend);
    bend.name = "bend";
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = 1, drive.source.parameter = 0;
    const lb_dof_ref terms[2] = {{0, 0, -1}, {0, 1, -1}};
    const double coefficients[2] = {1, 1};
    const lb_limit limit = {"sum", LB_LIMIT_AT_MOST, 2, terms, coefficients, 1};
    lb_shape shape;
    lb_shape_defaults(&shape);
    REQUIRE(lb_builder_add_group(b, "group") == 0 && lb_builder_add_parameter(b, &bend) == 0);
    REQUIRE(lb_builder_add_drive(b, &drive) == 0 && lb_builder_add_limit(b, &limit) == 0);
    REQUIRE(lb_builder_add_shape(b, &shape) == 0);
    lb_root root;
    lb_root_defaults(&root);
    root.is_free = 1;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    return arm_finish(b);
}

#define ONLY(get, count)                  \
    do {                                  \
        CHECK(get(f, -1) == NULL);        \
        CHECK(get(f, (count)) == NULL);   \
        CHECK(get(f, (count)-1) != NULL); \
    } while (0)

static void check_parts(void) {
    lb_figure *f = one_of_each();
    ONLY(lb_figure_segment, 3);
    ONLY(lb_figure_site, 5);
    ONLY(lb_figure_joint, 2);
    ONLY(lb_figure_shape, 1);
    ONLY(lb_figure_group, 1);
    ONLY(lb_figure_parameter, 1);
    ONLY(lb_figure_drive, 1);
    ONLY(lb_figure_limit, 1);
    ONLY(lb_figure_row, 1);
    ONLY(lb_figure_variable, 9);
    CHECK_INT(lb_figure_loop_joint(f, 0), -1);
    CHECK_INT(lb_figure_loop_joint(f, -1), -1);
    CHECK_INT(lb_figure_parent_joint(f, 1), 0);
    CHECK_INT(lb_figure_parent_joint(f, 3), -1);
    CHECK_INT(lb_figure_parent_joint(f, -1), -1);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){0, 1, -1}), 7);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){0, 2, -1}), -1);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){0, -1, -1}), -1);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){2, 0, -1}), -1);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){-1, 0, 0}), 8);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){-1, 0, 1}), -1);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){-1, 5, -1}), 5);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){-1, 6, -1}), -1);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){-1, -1, -1}), -1);
    char name[400];
    memset(name, 'a', sizeof name);
    name[300] = '.', name[sizeof name - 1] = 0;
    CHECK(lb_figure_find_site(f, name) < 0); /* longer than any segment's name that is looked for */
    lb_figure_destroy(f);
}

static void check_places(void) {
    lb_figure *f = one_of_each();
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    double pose[9], matrix[12];
    lb_frame frame, other;
    lb_figure_rest_pose(f, pose);
    REQUIRE(k && lb_kinematics_update(k, pose) == LB_OK);
    for (int i = -1; i <= 3; i += 4) {
        CHECK_INT(lb_kinematics_segment(k, i, &frame), LB_ERROR_ARGUMENT);
        CHECK_INT(lb_kinematics_matrix(k, i, matrix), LB_ERROR_ARGUMENT);
    }
    CHECK_INT(lb_kinematics_site(k, -1, &frame), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_kinematics_site(k, 5, &frame), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_kinematics_loop(k, -1, &frame, &other), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_kinematics_loop(k, 0, &frame, &other), LB_ERROR_ARGUMENT);
    pose[7] = 0.25;
    REQUIRE(lb_kinematics_update(k, pose) == LB_OK);
    CHECK_NEAR(lb_kinematics_dof(k, 0, 1), 0.25, 0);
    CHECK_NEAR(lb_kinematics_dof(k, 0, 2), 0, 0);
    CHECK_NEAR(lb_kinematics_dof(k, 0, -1), 0, 0);
    CHECK_NEAR(lb_kinematics_dof(k, 9, 0), 0, 0);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
}

/* Nothing has mass: then the centre of mass is the origin, and it does not move. */
static void check_without_mass(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    REQUIRE(lb_builder_scale(b, 1, 0) == LB_OK);
    lb_figure *f = arm_finish(b);
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    double com[3] = {9, 9, 9};
    CHECK_NEAR(lb_figure_mass(f), 0, 0);
    REQUIRE(k && lb_kinematics_update(k, (double[]){1, 1}) == LB_OK);
    lb_kinematics_com(k, com);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(com[i], 0, 0);
    }
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
}

/* The arm, its shoulder frozen or not, with one limit. */
static lb_status limited(int freeze, lb_limit_kind kind, const double coefficients[2], double bound, lb_error *error) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    const lb_dof_ref terms[2] = {{0, 0, -1}, {1, 0, -1}};
    const lb_limit limit = {"both", kind, 2, terms, coefficients, bound};
    lb_figure *figure = NULL;
    for (int i = 0; i < freeze; i++) {
        REQUIRE(lb_builder_freeze_joint(b, i, NULL) == LB_OK);
    }
    REQUIRE(lb_builder_add_limit(b, &limit) == 0);
    lb_status status = lb_builder_finish(b, &figure);
    *error = *lb_builder_error(b);
    lb_figure_destroy(figure);
    lb_builder_destroy(b);
    return status;
}

static void check_limits_that_leave_nothing(void) {
    const double ones[2] = {1, 1}, huge[2] = {1e200, 1e200}, tiny[2] = {1e-200, 1e-200};
    lb_error error;
    CHECK_INT(limited(2, LB_LIMIT_AT_MOST, ones, 0.5, &error), LB_OK);
    CHECK_INT(limited(2, LB_LIMIT_EQUAL, ones, 0, &error), LB_OK);
    CHECK_INT(limited(2, LB_LIMIT_EQUAL, ones, 0.5, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "'both' can never hold");
    CHECK_INT(limited(2, LB_LIMIT_AT_MOST, ones, -0.5, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "'both' can never hold");
    CHECK_INT(limited(1, LB_LIMIT_EQUAL, ones, 0.5, &error), LB_OK);
    CHECK_INT(limited(0, LB_LIMIT_AT_MOST, huge, 1, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "too large or too small");
    CHECK_INT(limited(0, LB_LIMIT_AT_MOST, tiny, 1, &error), LB_ERROR_LIMIT);
    CHECK_HAS(error.message, "too large or too small");
}

/* Each joint follows the next one, and the last is free. */
static lb_status mimics(int count, lb_error *error) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    lb_figure *figure = NULL;
    char name[16];
    REQUIRE(b && arm_segment(b, "s0", 0) == 0 && arm_site(b, 0, "a", 0) == 0);
    for (int i = 1; i <= count; i++) {
        lb_drive drive;
        lb_drive_defaults(&drive);
        snprintf(name, sizeof name, "s%d", i);
        REQUIRE(arm_segment(b, name, 0) == i && arm_site(b, i, "a", 0) == i);
        REQUIRE(arm_joint(b, name, i - 1, i, "R(z)") == i - 1);
        drive.joint = i - 2, drive.source = (lb_dof_ref){i - 1, 0, -1};
        REQUIRE(i == 1 || lb_builder_add_drive(b, &drive) == i - 2);
    }
    lb_status status = lb_builder_finish(b, &figure);
    CHECK(status || lb_figure_variable_count(figure) == 1);
    *error = *lb_builder_error(b);
    lb_figure_destroy(figure);
    lb_builder_destroy(b);
    return status;
}

static void check_long_chains_of_mimics(void) {
    lb_error error;
    CHECK_INT(mimics(1002, &error), LB_OK);
    CHECK_INT(mimics(1003, &error), LB_ERROR_TOO_LARGE);
    CHECK_HAS(error.message, "more than 1000 mimic joints");
}

/* The range that random poses are drawn from where one end of it is open. */
static void check_random_poses(void) {
    lb_builder *b = arm_builder("R(z)*T(x)", "R(z)*T(x)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.lower[0] = 1, joint.upper[1] = -1;
    REQUIRE(lb_builder_change_joint(b, 0, &joint) == LB_OK);
    lb_figure *f = arm_finish(b);
    uint64_t seed = 7;
    for (int i = 0; i < 200; i++) {
        double p[4];
        lb_figure_random_pose(f, &seed, p);
        CHECK(p[0] >= 1 && p[0] <= 1 + 6.2831853071795865);
        CHECK(p[1] <= -1 && p[1] >= -3);
        CHECK(fabs(p[2]) <= 3.1415926535897932 && fabs(p[3]) <= 1);
        CHECK_NEAR(lb_figure_violation(f, p), 0, 0);
    }
    CHECK_NEAR(lb_figure_violation(f, (double[]){0.5, -1.25, 0, 0}), 0.5, 0);
    CHECK_NEAR(lb_figure_violation(f, (double[]){1, 1, 0, 0}), 2, 0);
    CHECK(lb_figure_violation(f, (double[]){1, NAN, 0, 0}) == INFINITY);
    lb_figure_destroy(f);
}

/* A root whose placement, which re-rooting does not look at, is no frame. */
#define ROOT(segment, site, is_free) ((const lb_root){segment, site, is_free, {{NAN, NAN, NAN}, {0, 0, 0, 0}}})

static void check_other_roots(void) {
    lb_figure *f = one_of_each(), *out = NULL, *far = NULL;
    double pose[9], moved[9];
    lb_error error;
    lb_figure_rest_pose(f, pose);
    CHECK_INT(lb_figure_reroot(f, pose, NULL, &out, moved, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_reroot(f, pose, &ROOT(-1, -1, 0), &out, moved, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_reroot(f, pose, &ROOT(3, -1, 0), &out, moved, &error), LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "no such segment");
    CHECK_INT(lb_figure_reroot(f, pose, &ROOT(2, 5, 0), &out, moved, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_reroot(f, pose, &ROOT(2, 1, 0), &out, moved, &error), LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "not on the segment");
    CHECK_INT(lb_figure_split(f, pose, -1, &out, &far, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_figure_split(f, pose, 2, &out, &far, &error), LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "no such joint");
    pose[0] = NAN;
    CHECK_INT(lb_figure_reroot(f, pose, &ROOT(2, 4, 0), &out, moved, &error), LB_ERROR_ARGUMENT);
    CHECK_HAS(error.message, "not finite");
    CHECK_INT(lb_figure_split(f, pose, 0, &out, &far, NULL), LB_ERROR_ARGUMENT);
    CHECK(out == NULL && far == NULL);
    lb_figure_destroy(f);
}

/* A root that was changed goes back to itself only where nothing differs: not to another site, nor fixed for free. */
static void check_roots_that_go_back(void) {
    lb_figure *f = one_of_each(), *hand = NULL, *back = NULL;
    double pose[9] = {0.1, 0.2, 0.3, 0, 0, 0, 0.4, 0.1, 0.2}, at_hand[9], again[9];
    REQUIRE(lb_figure_reroot(f, pose, &ROOT(2, 4, 1), &hand, at_hand, NULL) == LB_OK);
    for (int i = 0; i < 4; i++) {
        int site = i == 1 ? 0 : -1, is_free = i != 2, count = is_free ? 6 : 0;
        double start[9];
        memcpy(start, at_hand, sizeof start);
        start[0] += i == 3 ? 1e-3 : 0;
        check_note("case %d", i);
        REQUIRE(lb_figure_reroot(hand, start, &ROOT(0, site, is_free), &back, again, NULL) == LB_OK);
        for (int v = 0; v < count; v++) {
            CHECK_NEAR(again[v], i == 0 ? pose[v] : 0, 0);
        }
        CHECK_INT(lb_figure_variable_count(back), 3 + count);
        lb_figure_destroy(back);
    }
    check_note("%s", "");
    lb_figure_destroy(hand);
    lb_figure_destroy(f);
}

static void check_edits(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    CHECK_INT(lb_builder_remove_joint(b, -1), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_builder_error(b)->message, "no joint number -1");
    CHECK_INT(lb_builder_thaw_joint(b, 2), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_freeze_joint(b, 0, (double[]){-1e101}), LB_ERROR_TOO_LARGE);
    CHECK_INT(lb_builder_joint(b, 0)->frozen, 0);
    for (int i = -1; i <= 3; i += 4) {
        CHECK_INT(lb_builder_remove_segment(b, i), LB_ERROR_ARGUMENT);
        CHECK_INT(lb_builder_keep_connected(b, i), LB_ERROR_ARGUMENT);
        CHECK_HAS(lb_builder_error(b)->message, "no such segment");
    }
    CHECK_INT(lb_builder_scale(b, 1, -1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_scale(b, 1, NAN), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_segment_count(b), 3);
    lb_builder_destroy(b);
}

/* What drives lengths is scaled with them: metres of the driven by metres or radians of the source. */
static void check_scaled_drives(void) {
    static const char *const types[4][2] = {{"T(x)", "T(x)"}, {"R(z)", "T(x)"}, {"T(x)", "R(z)"}, {"R(z)", "R(z)"}};
    static const double slopes[4] = {3, 6, 1.5, 3}, offsets[4] = {2, 2, 1, 1};
    for (int i = 0; i < 4; i++) {
        lb_builder *b = arm_builder(types[i][0], types[i][1]);
        lb_drive drive;
        lb_drive_defaults(&drive);
        drive.joint = 1, drive.source = (lb_dof_ref){0, 0, -1}, drive.curve.slope = 3, drive.curve.offset = 1;
        REQUIRE(lb_builder_add_drive(b, &drive) == 0 && lb_builder_scale(b, 2, 1) == LB_OK);
        lb_figure *f = arm_finish(b);
        check_note("%s drives %s", types[i][0], types[i][1]);
        CHECK_NEAR(lb_figure_drive(f, 0)->curve.slope, slopes[i], 1e-15);
        CHECK_NEAR(lb_figure_drive(f, 0)->curve.offset, offsets[i], 1e-15);
        lb_figure_destroy(f);
    }
    check_note("%s", "");
}

static void check_dh_chains(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_dh_row rows[2] = {{.a = 0.3, .lower = -1, .upper = 1}, {.a = 0.2, .lower = -1, .upper = 1}};
    CHECK_INT(lb_builder_add_dh_chain(b, 9, LB_DH_CONVENTION_STANDARD, 2, rows), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_add_dh_chain(b, 4, LB_DH_CONVENTION_STANDARD, 0, rows), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_add_dh_chain(b, 4, LB_DH_CONVENTION_STANDARD, 2, NULL), LB_ERROR_ARGUMENT);
    CHECK_HAS(lb_builder_error(b)->message, "at least one row");
    CHECK_INT(lb_builder_add_dh_chain(b, 4, (lb_dh_convention)9, 2, rows), LB_ERROR_ARGUMENT);
    rows[1].alpha = NAN;
    CHECK_INT(lb_builder_add_dh_chain(b, 4, LB_DH_CONVENTION_MODIFIED, 2, rows), LB_ERROR_ARGUMENT);
    rows[1].alpha = 0, rows[1].name = "hand"; /* whose site is there already, on the segment it would hang on */
    CHECK_INT(lb_builder_add_dh_chain(b, 4, LB_DH_CONVENTION_MODIFIED, 1, rows + 1), LB_ERROR_NAME);
    rows[1].name = "elbow"; /* a joint that is there already */
    CHECK_INT(lb_builder_add_dh_chain(b, 4, LB_DH_CONVENTION_MODIFIED, 2, rows), LB_ERROR_NAME);
    CHECK_INT(lb_builder_segment_count(b), 3);
    CHECK_INT(lb_builder_site_count(b), 5);
    CHECK_INT(lb_builder_find_segment(b, "link1"), -1); /* nothing is half done */
    rows[1].name = NULL;
    CHECK_INT(lb_builder_add_dh_chain(b, 4, LB_DH_CONVENTION_MODIFIED, 2, rows), 4);
    lb_builder_destroy(b);
}

int main(void) {
    check_statuses();
    check_numbers_as_text();
    check_long_messages();
    check_parts();
    check_places();
    check_without_mass();
    check_limits_that_leave_nothing();
    check_long_chains_of_mimics();
    check_random_poses();
    check_other_roots();
    check_roots_that_go_back();
    check_edits();
    check_scaled_drives();
    check_dh_chains();
    return check_done();
}
