/* What the builder accepts, refuses, and says. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "arm.h"

static void refused(const lb_builder *b, int actual, lb_status expected, const char *reason) {
    CHECK_INT(actual, expected);
    CHECK_HAS(lb_builder_error(b)->message, reason);
    CHECK_INT(lb_builder_error(b)->status, expected);
}

static void check_names(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)*R(x)");
    refused(b, arm_segment(b, "upper", 0), LB_ERROR_NAME, "two segments named 'upper'");
    refused(b, arm_segment(b, "", 0), LB_ERROR_NAME, "without a name");
    refused(b, arm_segment(b, NULL, 0), LB_ERROR_NAME, "without a name");
    refused(b, arm_segment(b, "a\nb", 0), LB_ERROR_NAME, "control character");
    refused(b, arm_site(b, 1, "tip", 0), LB_ERROR_NAME, "two sites named 'tip'");
    CHECK_INT(arm_site(b, 0, "tip", 0), 5); /* on another segment it is fine */
    refused(b, arm_site(b, 7, "tip", 0), LB_ERROR_ARGUMENT, "segment number 7");
    refused(b, arm_joint(b, "elbow", 0, 3, "R(z)"), LB_ERROR_NAME, "two joints named 'elbow'");
    refused(b, arm_joint(b, "self", 1, 2, "R(z)"), LB_ERROR_FIGURE, "connects segment 'upper' to itself");
    refused(b, arm_joint(b, "gone", 1, 99, "R(z)"), LB_ERROR_ARGUMENT, "site that does not exist");
    CHECK_INT(arm_segment(b, "elbow", 0), 3); /* segments and joints have names of their own */
    CHECK_INT(lb_builder_find_segment(b, "lower"), 2);
    CHECK_INT(lb_builder_find_segment(b, "elbow"), 3);
    CHECK_INT(lb_builder_find_joint(b, "elbow"), 1);
    CHECK_INT(lb_builder_find_joint(b, "upper"), -1);
    CHECK_INT(lb_builder_find_site(b, 2, "hand"), 4);
    lb_dof_ref ref;
    CHECK_INT(lb_builder_find_dof(b, "shoulder", &ref), LB_OK);
    CHECK_INT(ref.joint, 0);
    CHECK_INT(lb_builder_find_dof(b, "elbow.rx", &ref), LB_OK);
    CHECK_INT(ref.dof, 1);
    CHECK_INT(lb_builder_find_dof(b, "elbow", &ref), LB_ERROR_NAME); /* two dofs: which? */
    CHECK_INT(lb_builder_find_dof(b, "elbow.ry", &ref), LB_ERROR_NAME);
    lb_figure *figure;
    refused(b, lb_builder_finish(b, &figure), LB_ERROR_FIGURE, "segment 'elbow' is not connected");
    lb_builder_destroy(b);
    b = lb_builder_create(NULL, NULL);
    refused(b, lb_builder_finish(b, &figure), LB_ERROR_FIGURE, "no segments");
    lb_builder_destroy(b);
}

static void check_numbers(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_segment segment = {"heavy", -1, {0, 0, 0}};
    refused(b, lb_builder_add_segment(b, &segment), LB_ERROR_ARGUMENT, "mass");
    segment.mass = 1;
    segment.com[1] = NAN;
    refused(b, lb_builder_add_segment(b, &segment), LB_ERROR_ARGUMENT, "centre of mass");
    lb_site site;
    lb_site_defaults(&site);
    site.name = "odd";
    site.frame.rotation[3] = 0;
    refused(b, lb_builder_add_site(b, &site), LB_ERROR_ARGUMENT, "rotation");
    site.frame.rotation[0] = 3; /* any length is made one */
    CHECK_INT(lb_builder_add_site(b, &site), 5);
    CHECK_NEAR(lb_builder_site(b, 5)->frame.rotation[0], 1, 0);
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.size[0] = -1;
    refused(b, lb_builder_add_shape(b, &shape), LB_ERROR_ARGUMENT, "negative size");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.name = "limited";
    joint.lower[0] = 1;
    joint.upper[0] = 0;
    refused(b, lb_builder_add_joint(b, &joint), LB_ERROR_LIMIT, "lower limit of 'limited' is above");
    joint.lower[0] = NAN;
    refused(b, lb_builder_add_joint(b, &joint), LB_ERROR_LIMIT, "not a number");
    joint.lower[0] = -1;
    joint.rigidity[0] = 1.5;
    refused(b, lb_builder_add_joint(b, &joint), LB_ERROR_ARGUMENT, "rigidity");
    joint.rigidity[0] = 0;
    joint.type.elements[0].axis[2] = 2;
    refused(b, lb_builder_add_joint(b, &joint), LB_ERROR_ARGUMENT, "unit vector");
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = 9;
    refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "does not exist");
    drive.joint = 0;
    drive.source.joint = 1;
    drive.curve.kind = LB_CURVE_SPLINE;
    drive.curve.count = 2;
    drive.curve.x = (double[]){1, 1};
    drive.curve.y = (double[]){0, 1};
    refused(b, lb_builder_add_drive(b, &drive), LB_ERROR_ARGUMENT, "increasing");
    lb_root root;
    lb_root_defaults(&root);
    root.site = 4;
    refused(b, lb_builder_set_root(b, &root), LB_ERROR_ARGUMENT, "not on the root's segment");
    lb_builder_destroy(b);
}

static void check_swing_polygons(void) {
    lb_builder *b = arm_builder("swing_twist(z)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.swing_count = 4;
    joint.swing = (const double[][2]){{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    CHECK_INT(lb_builder_change_joint(b, 0, &joint), LB_OK);
    joint.swing = (const double[][2]){{1, 0}, {0, -1}, {-1, 0}, {0, 1}}; /* clockwise: turned round */
    CHECK_INT(lb_builder_change_joint(b, 0, &joint), LB_OK);
    CHECK_NEAR(lb_builder_joint(b, 0)->swing[0][1], 1, 0);
    joint.swing = (const double[][2]){{1, 0}, {-1, 0}, {0, 1}, {0.5, -1}};
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_LIMIT, "convex");
    joint.swing = (const double[][2]){{1, 0}, {0, 1}, {-1, 0}, {0, 0.5}};
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_LIMIT, "convex");
    joint.swing_count = 5; /* a pentagram turns the same way at every corner */
    joint.swing = (const double[][2]){{0, 1}, {-0.6, -0.8}, {0.95, 0.3}, {-0.95, 0.3}, {0.6, -0.8}};
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_LIMIT, "convex");
    joint.swing_count = 2;
    refused(b, lb_builder_change_joint(b, 0, &joint), LB_ERROR_LIMIT, "3 to 1000");
    lb_joint pin = *lb_builder_joint(b, 1);
    pin.swing_count = 4;
    pin.swing = (const double[][2]){{1, 0}, {0, 1}, {-1, 0}, {0, -1}};
    refused(b, lb_builder_change_joint(b, 1, &pin), LB_ERROR_LIMIT, "no swing_twist");
    lb_builder_destroy(b);
}

static void check_look_ups(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)*R(x)*R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.dof_names[0] = "lift";
    CHECK_INT(lb_builder_change_joint(b, 0, &joint), LB_OK);
    CHECK_INT(lb_builder_set_name(b, "arm"), LB_OK);
    lb_figure *f = arm_finish(b);
    CHECK_TEXT(lb_figure_name(f), "arm");
    CHECK_INT(lb_figure_variable_count(f), 4);
    CHECK_TEXT(lb_figure_variable(f, 0)->name, "shoulder");
    CHECK_TEXT(lb_figure_variable(f, 1)->name, "elbow.rz");
    CHECK_TEXT(lb_figure_variable(f, 3)->name, "elbow.rz2");
    CHECK_INT(lb_figure_find_variable(f, "shoulder.lift"), 0);
    CHECK_INT(lb_figure_find_variable(f, "elbow.rx"), 2);
    CHECK_INT(lb_figure_find_variable(f, "wrist"), -1);
    CHECK_INT(lb_figure_find_site(f, "upper.base"), 1);
    CHECK_INT(lb_figure_find_site(f, "hand"), 4);
    CHECK(lb_figure_find_site(f, "base") < 0); /* two segments have one */
    CHECK_INT(lb_figure_find_segment(f, "base"), 0);
    CHECK(lb_figure_segment(f, 3) == NULL);
    CHECK(lb_figure_segment(f, -1) == NULL);
    CHECK_NEAR(lb_figure_mass(f), 3, 0);
    lb_figure_destroy(f);
    /* Two names that would make one variable */
    b = arm_builder("R(z)", "R(z)*R(x)");
    arm_segment(b, "third", 0);
    arm_site(b, 3, "base", 0);
    arm_joint(b, "elbow.rx", 4, 5, "R(z)");
    refused(b, lb_builder_finish(b, &f), LB_ERROR_NAME, "two variables would be named 'elbow.rx'");
    lb_builder_destroy(b);
}

int main(void) {
    check_names();
    check_numbers();
    check_swing_polygons();
    check_look_ups();
    CHECK_TEXT(lb_version(), LB_VERSION_TEXT);
    CHECK_HAS(lb_status_text(LB_ERROR_LIMIT), "limits");
    lb_figure_destroy(NULL);
    lb_kinematics_destroy(NULL);
    lb_builder_destroy(NULL);
    return check_done();
}
