/* What the builder refuses, part by part: each refusal says its reason and leaves the figure as it was. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "arm.h"

static void refused(const lb_builder *b, int actual, lb_status expected, const char *reason) {
    CHECK_INT(actual, expected);
    CHECK_HAS(lb_builder_error(b)->message, reason);
    CHECK_INT(lb_builder_error(b)->status, expected);
}

static void check_whole_figure(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    refused(b, lb_builder_set_name(b, ""), LB_ERROR_NAME, "name is empty");
    refused(b, lb_builder_set_name(b, NULL), LB_ERROR_NAME, "name is empty");
    refused(b, lb_builder_set_stature(b, -1), LB_ERROR_ARGUMENT, "stature");
    refused(b, lb_builder_set_stature(b, INFINITY), LB_ERROR_ARGUMENT, "stature");
    refused(b, lb_builder_finish(b, NULL), LB_ERROR_ARGUMENT, "no place");
    lb_root root;
    lb_root_defaults(&root);
    root.segment = -1;
    refused(b, lb_builder_set_root(b, &root), LB_ERROR_ARGUMENT, "segment number -1");
    root.segment = 0, root.site = 5;
    refused(b, lb_builder_set_root(b, &root), LB_ERROR_ARGUMENT, "not on the root's segment");
    root.site = -3, root.placement.position[0] = NAN;
    refused(b, lb_builder_set_root(b, &root), LB_ERROR_ARGUMENT, "position");
    root.placement.position[0] = 0;
    CHECK_INT(lb_builder_set_root(b, &root), LB_OK);
    lb_figure *figure = arm_finish(b);
    CHECK_INT(lb_figure_root(figure)->site, -1); /* any number below 0 is none */
    lb_figure_destroy(figure);
}

static void check_segments_and_shapes(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    refused(b, arm_segment(b, "heavy", INFINITY), LB_ERROR_ARGUMENT, "mass");
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.segment = 3;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "segment number 3");
    shape.segment = 1, shape.kind = (lb_shape_kind)(LB_SHAPE_MESH + 1);
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "no known kind");
    shape.kind = LB_SHAPE_HULL;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "has no points");
    double corners[3][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
    int triangle[1][3] = {{0, 1, 2}};
    shape.kind = LB_SHAPE_MESH, shape.use = LB_SHAPE_USE_DRAWN;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "a mesh of segment");
    shape.vertices = (const double(*)[3])corners, shape.vertex_count = 3;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "a mesh of segment");
    shape.triangles = (const int(*)[3])triangle, shape.triangle_count = 1;
    triangle[0][1] = 3;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "a mesh of segment");
    triangle[0][1] = 1, corners[2][0] = INFINITY;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "a mesh of segment");
    corners[2][0] = 0, shape.use = LB_SHAPE_USE_BOTH;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "to be drawn only");
    shape.vertex_count = shape.triangle_count = 0;
    shape.kind = (lb_shape_kind)-1;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "no known kind");
    shape.kind = LB_SHAPE_ELLIPSOID, shape.size[2] = NAN;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "not finite");
    shape.size[2] = 1, shape.frame.position[1] = INFINITY;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "position of a shape of segment 'upper'");
    lb_figure *figure = arm_finish(b);
    CHECK_INT(lb_figure_shape_count(figure), 0);
    lb_figure_destroy(figure);
}

static void check_joint_types(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.type.element_count = 7;
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_ARGUMENT, "element count");
    joint.type.element_count = -1;
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_ARGUMENT, "element count");
    joint.type.element_count = 1, joint.type.elements[0].kind = (lb_element_kind)-1;
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_ARGUMENT, "element of no known kind");
    joint.type.elements[0].kind = (lb_element_kind)(LB_ELEMENT_ROTATION + 1);
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_ARGUMENT, "element of no known kind");
    joint.type.elements[0].kind = LB_ELEMENT_ROTATE, joint.type.elements[0].axis[0] = NAN;
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_ARGUMENT, "unit vector");
    REQUIRE(lb_joint_type_parse("R(z)*R(x)*R(y)*R(z)", &joint.type, NULL) == LB_OK);
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_ARGUMENT, "more than 3 rotations");
    REQUIRE(lb_joint_type_parse("T(z)*T(x)*T(y)*T(z)", &joint.type, NULL) == LB_OK);
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_ARGUMENT, "3 translations");
    CHECK_INT(lb_joint_type_dof_count(&lb_builder_joint(b, 0)->type), 1);
    lb_builder_destroy(b);
}

/* One number of the first dof is wrong. */
static void check_range(double lower, double upper, double rest, lb_status status, const char *reason) {
    lb_builder *b = arm_builder("R(z)*R(x)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.lower[1] = lower, joint.upper[1] = upper, joint.rest[1] = rest;
    refused(b, lb_builder_change_joint(b, 0, &joint), status, reason);
    CHECK_HAS(lb_builder_error(b)->message, "'shoulder.rx'");
    CHECK_NEAR(lb_builder_joint(b, 0)->rest[1], 0, 0);
    lb_builder_destroy(b);
}

static void check_joints(void) {
    lb_builder *b = arm_builder("R(z)*R(x)", "R(z)");
    refused(b, arm_joint(b, "gone", -1, 1, "R(z)"), LB_ERROR_ARGUMENT, "site that does not exist");
    refused(b, arm_joint(b, "gone", 5, 1, "R(z)"), LB_ERROR_ARGUMENT, "site that does not exist");
    refused(b, arm_joint(b, "gone", 0, -1, "R(z)"), LB_ERROR_ARGUMENT, "site that does not exist");
    lb_joint joint = *lb_builder_joint(b, 0);
    refused(b, lb_builder_change_joint(b, -1, &joint), LB_ERROR_ARGUMENT, "no joint of that number");
    joint.name = NULL;
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_NAME, "without a name");
    joint.name = "arm.shoulder";
    CHECK_INT(lb_builder_change_joint(b, 0, &joint), LB_OK);
    joint.dof_names[0] = "";
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_NAME, "empty name");
    joint.dof_names[0] = joint.dof_names[1] = "lift";
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_NAME, "two dofs named 'lift'");
    CHECK_TEXT(lb_builder_joint(b, 0)->dof_names[0], "rz");
    lb_builder_destroy(b);
    check_range(INFINITY, INFINITY, 0, LB_ERROR_LIMIT, "can be reached");
    check_range(-INFINITY, -INFINITY, 0, LB_ERROR_LIMIT, "can be reached");
    check_range(0, NAN, 0, LB_ERROR_LIMIT, "not a number");
    check_range(0, 1, INFINITY, LB_ERROR_ARGUMENT, "rest value");
}

static void check_swing_polygons(void) {
    lb_builder *b = arm_builder("swing_twist(z)", "R(z)");
    static double many[1001][2];
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.swing_count = 1001, joint.swing = (const double(*)[2])many;
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_LIMIT, "3 to 1000");
    joint.swing_count = 3, joint.swing = NULL;
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_LIMIT, "3 to 1000");
    joint.swing = (const double[][2]){{1, 0}, {0, NAN}, {-1, 0}};
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_LIMIT, "not finite");
    joint.swing = (const double[][2]){{1, 0}, {0, 0}, {-1, 0}};
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_LIMIT, "no area");
    CHECK_INT(lb_builder_joint(b, 0)->swing_count, 0);
    lb_builder_destroy(b);
}

/* The arm with a group "both" of one parameter "both.bend". */
static lb_builder *grouped_arm(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_parameter bend;
    lb_parameter_defaults(&bend);
    bend.name = "bend";
    REQUIRE(lb_builder_add_group(b, "both") == 0 && lb_builder_add_parameter(b, &bend) == 0);
    return b;
}

static void check_groups(void) {
    lb_builder *b = grouped_arm();
    refused(b, lb_builder_add_group(b, "both"), LB_ERROR_NAME, "two groups named 'both'");
    lb_parameter bend;
    lb_parameter_defaults(&bend);
    bend.name = "bend";
    refused(b, lb_builder_add_parameter(b, &bend), LB_ERROR_NAME, "two parameters named 'bend'");
    bend.name = "twist", bend.group = 1;
    refused(b, lb_builder_add_parameter(b, &bend), LB_ERROR_ARGUMENT, "group that does not exist");
    bend.group = -1;
    refused(b, lb_builder_add_parameter(b, &bend), LB_ERROR_ARGUMENT, "group that does not exist");
    bend.group = 0, bend.rigidity = -0.5;
    refused(b, lb_builder_add_parameter(b, &bend), LB_ERROR_ARGUMENT, "rigidity of 'both.twist'");
    lb_dof_ref ref = {7, 7, 7};
    CHECK_INT(lb_builder_find_dof(b, "both.bend", &ref), LB_OK);
    CHECK(ref.joint == -1 && ref.parameter == 0);
    CHECK_INT(lb_builder_find_dof(b, "both.twist", &ref), LB_ERROR_NAME);
    char name[400]; /* longer than any name that is looked for in parts */
    memset(name, 'a', sizeof name);
    name[300] = '.', name[sizeof name - 1] = 0;
    CHECK_INT(lb_builder_find_dof(b, name, &ref), LB_ERROR_NAME);
    CHECK_INT(lb_builder_find_parameter(b, 0, "bend"), 0);
    CHECK_INT(lb_builder_find_parameter(b, 1, "bend"), LB_ERROR_ARGUMENT);
    lb_builder_destroy(b);
}

static void check_drives(void) {
    lb_builder *b = grouped_arm();
    double x[2] = {0, 1}, y[2] = {0, 1};
    lb_drive drive;
    lb_drive_defaults(&drive);
    const lb_drive good = {.joint = 0, .dof = 0, .source = {1, 0, -1}, .curve = drive.curve};
    const struct {
        int joint, dof;
        lb_dof_ref source;
    } gone[] = {{-1, 0, {1, 0, -1}}, {0, -1, {1, 0, -1}}, {0, 1, {1, 0, -1}},
                {0, 0, {2, 0, -1}},  {0, 0, {-1, 0, 1}},  {0, 0, {-1, 0, -1}}};
    for (int i = 0; i < (int)(sizeof gone / sizeof *gone); i++) {
        drive.joint = gone[i].joint, drive.dof = gone[i].dof, drive.source = gone[i].source;
        check_note("drive %d", i);
        refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "does not exist");
    }
    check_note("%s", "");
    drive = good, drive.source.joint = 0;
    refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_FIGURE, "'shoulder' drives itself");
    drive = good, drive.curve.offset = NAN;
    refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "offset or slope");
    drive = good, drive.curve.slope = INFINITY;
    refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "offset or slope");
    drive = good, drive.curve.kind = (lb_curve_kind)99;
    refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "no known kind");
    const lb_curve bad[] = {{.count = 1, .x = x, .y = y},
                            {.count = 100001, .x = x, .y = y},
                            {.count = 2, .x = NULL, .y = y},
                            {.count = 2, .x = x, .y = NULL}};
    for (int i = 0; i < 4; i++) {
        drive = good, drive.curve = bad[i], drive.curve.kind = LB_CURVE_POLYLINE;
        refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "2 to 100000 points");
    }
    drive = good, drive.curve = (lb_curve){.kind = LB_CURVE_SPLINE, .count = 2, .x = x, .y = y};
    y[1] = NAN;
    refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "curve is not finite");
    y[1] = 1, x[0] = -INFINITY;
    refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "curve is not finite");
    lb_figure *figure = arm_finish(b);
    CHECK_INT(lb_figure_drive_count(figure), 0);
    lb_figure_destroy(figure);
}

static void check_limits(void) {
    lb_builder *b = grouped_arm();
    lb_dof_ref terms[2] = {{0, 0, -1}, {-1, 0, 0}};
    double coefficients[2] = {1, 1};
    const lb_limit good = {NULL, LB_LIMIT_AT_MOST, 2, terms, coefficients, 1};
    lb_limit bad[4] = {good, good, good, good};
    bad[0].count = 0, bad[1].count = 10001, bad[2].terms = NULL, bad[3].coefficients = NULL;
    for (int i = 0; i < 4; i++) {
        refused(b, lb_builder_add_limit(b, &bad[i]), LB_ERROR_ARGUMENT, "1 to 10000 terms");
    }
    lb_limit limit = good;
    limit.kind = (lb_limit_kind)99;
    refused(b, lb_builder_add_limit(b, &limit), LB_ERROR_ARGUMENT, "no known kind");
    limit = good, limit.bound = INFINITY;
    refused(b, lb_builder_add_limit(b, &limit), LB_ERROR_ARGUMENT, "not finite");
    coefficients[1] = NAN;
    refused(b, lb_builder_add_limit(b, &good), LB_ERROR_ARGUMENT, "not finite");
    coefficients[1] = 1, terms[1].parameter = 1;
    refused(b, lb_builder_add_limit(b, &good), LB_ERROR_ARGUMENT, "dof that does not exist");
    terms[1].parameter = 0;
    CHECK_INT(lb_builder_add_limit(b, &good), 0); /* a limit needs no name */
    lb_builder_destroy(b);
}

static void check_numbers_of_parts(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    CHECK(lb_builder_segment(b, -1) == NULL && lb_builder_segment(b, 3) == NULL);
    CHECK(lb_builder_site(b, -1) == NULL && lb_builder_site(b, 5) == NULL);
    CHECK(lb_builder_joint(b, -1) == NULL && lb_builder_joint(b, 2) == NULL);
    CHECK_TEXT(lb_builder_segment(b, 2)->name, "lower");
    CHECK_INT(lb_builder_find_site(b, -1, "hand"), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_find_site(b, 3, "hand"), LB_ERROR_ARGUMENT);
    lb_builder_destroy(b);
}

/* A dof without a name does not take the name that another dof was given. */
static void check_given_names(void) {
    lb_builder *b = arm_builder("R(z)*R(x)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.dof_names[0] = NULL, joint.dof_names[1] = "rz";
    CHECK_INT(lb_builder_change_joint(b, 0, &joint), LB_OK);
    CHECK_TEXT(lb_builder_joint(b, 0)->dof_names[1], "rz");
    CHECK_TEXT(lb_builder_joint(b, 0)->dof_names[0], "rz2");
    lb_figure_destroy(arm_finish(b));
}

/* Where a limit's coefficient is so small that its bound overflows, no value is left: 1e-320 shoulder = 1. */
static void check_overflow(void) {
    const double bounds[2] = {1, -1};
    for (int i = 0; i < 2; i++) {
        lb_builder *b = arm_builder("R(z)", "R(z)");
        const lb_limit limit = {
            "tiny", i ? LB_LIMIT_AT_MOST : LB_LIMIT_EQUAL, 1, &(lb_dof_ref){0, 0, -1}, &(double){1e-320}, bounds[i]};
        lb_figure *figure = NULL;
        CHECK_INT(lb_builder_add_limit(b, &limit), 0);
        refused(b, lb_builder_finish(b, &figure), LB_ERROR_LIMIT, "'tiny' is too small");
        CHECK(figure == NULL);
        lb_builder_destroy(b);
    }
}

int main(void) {
    check_whole_figure();
    check_segments_and_shapes();
    check_joint_types();
    check_joints();
    check_swing_polygons();
    check_groups();
    check_drives();
    check_limits();
    check_numbers_of_parts();
    check_given_names();
    check_overflow();
    return check_done();
}
