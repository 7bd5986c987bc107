/* Changing figures in use: BAGS section 6's wishes. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "arm.h"

static void hand_is(const lb_figure *f, const double *pose, double x, double y) {
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_frame frame;
    REQUIRE(lb_kinematics_update(k, pose) == LB_OK);
    REQUIRE(lb_kinematics_site(k, lb_figure_find_site(f, "hand"), &frame) == LB_OK);
    CHECK_NEAR(frame.position[0], x, 1e-14);
    CHECK_NEAR(frame.position[1], y, 1e-14);
    lb_kinematics_destroy(k);
}

static void check_freeze_and_thaw(void) {
    lb_figure *f = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_builder *b = lb_builder_from(f, NULL);
    double pose[2] = {0.3, 0.5}, carried[2] = {9, 9};
    CHECK_INT(lb_builder_freeze_joint(b, 0, &pose[0]), LB_OK);
    CHECK_INT(lb_builder_freeze_joint(b, 7, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_freeze_joint(b, 1, (double[]){NAN}), LB_ERROR_ARGUMENT);
    lb_figure *frozen;
    REQUIRE(lb_builder_finish(b, &frozen) == LB_OK);
    CHECK_INT(lb_figure_variable_count(frozen), 1);
    CHECK_INT(lb_pose_carry(f, pose, frozen, carried), 1);
    CHECK_NEAR(carried[0], 0.5, 0);
    hand_is(frozen, carried, 0.3 * cos(0.3) + 0.2 * cos(0.8), 0.3 * sin(0.3) + 0.2 * sin(0.8));
    CHECK_INT(lb_builder_thaw_joint(b, 0), LB_OK);
    lb_figure *thawed;
    REQUIRE(lb_builder_finish(b, &thawed) == LB_OK);
    CHECK_INT(lb_figure_variable_count(thawed), 2);
    lb_figure_destroy(thawed);
    lb_figure_destroy(frozen);
    lb_builder_destroy(b);
    lb_figure_destroy(f);
}

static void check_retype(void) {
    lb_figure *f = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_builder *b = lb_builder_from(f, NULL);
    lb_joint joint = *lb_builder_joint(b, 1);
    lb_joint_type_parse("R(z)*R(x)*T(y)", &joint.type, NULL);
    memset(joint.dof_names, 0, sizeof joint.dof_names);
    CHECK_INT(lb_builder_change_joint(b, 1, &joint), LB_OK);
    lb_figure *g;
    REQUIRE(lb_builder_finish(b, &g) == LB_OK);
    CHECK_INT(lb_figure_variable_count(g), 4);
    double pose[2] = {0.3, 0.5}, carried[4] = {0, 0, 0, 0};
    CHECK_INT(lb_pose_carry(f, pose, g, carried), 2); /* elbow was elbow.rz, too, and still turns about z */
    CHECK_NEAR(carried[0], 0.3, 0);
    CHECK_NEAR(carried[1], 0.5, 0);
    CHECK_INT(lb_builder_change_joint(b, 5, &joint), LB_ERROR_ARGUMENT);
    joint.name = "shoulder";
    CHECK_INT(lb_builder_change_joint(b, 1, &joint), LB_ERROR_NAME);
    lb_figure_destroy(g);
    lb_figure_destroy(f);
    lb_builder_destroy(b);
}

/* Removing takes along what named the joint; groups that drive nothing any more go too. */
static void check_remove(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)*R(x)");
    lb_builder_add_group(b, "both");
    lb_builder_add_group(b, "elbow_only");
    lb_parameter p;
    lb_parameter_defaults(&p);
    p.name = "bend";
    lb_builder_add_parameter(b, &p);
    p.group = 1;
    lb_builder_add_parameter(b, &p);
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = 0;
    drive.source.parameter = 0;
    lb_builder_add_drive(b, &drive);
    drive.joint = 1;
    lb_builder_add_drive(b, &drive);
    drive.dof = 1;
    drive.source.parameter = 1;
    lb_builder_add_drive(b, &drive);
    lb_limit limit = {"sum", LB_LIMIT_AT_MOST, 2, (lb_dof_ref[]){{0, 0, -1}, {1, 1, -1}}, (double[]){1, 1}, 1};
    lb_builder_add_limit(b, &limit);
    lb_shape shape;
    lb_shape_defaults(&shape);
    shape.segment = 2;
    shape.size[0] = 1;
    lb_builder_add_shape(b, &shape);
    shape.segment = 1;
    lb_builder_add_shape(b, &shape);
    lb_figure *f;
    REQUIRE(lb_builder_finish(b, &f) == LB_OK);
    CHECK_INT(lb_figure_variable_count(f), 2);
    CHECK_INT(lb_figure_row_count(f), 1);
    lb_figure_destroy(f);
    CHECK_INT(lb_builder_remove_segment(b, 2), LB_OK); /* takes the elbow along */
    REQUIRE(lb_builder_finish(b, &f) == LB_OK);
    CHECK_INT(lb_figure_segment_count(f), 2);
    CHECK_INT(lb_figure_joint_count(f), 1);
    CHECK_INT(lb_figure_site_count(f), 3);
    CHECK_INT(lb_figure_shape_count(f), 1);
    CHECK_INT(lb_figure_drive_count(f), 1);
    CHECK_INT(lb_figure_limit_count(f), 0);
    CHECK_INT(lb_figure_group_count(f), 1);
    CHECK_INT(lb_figure_variable_count(f), 1);
    CHECK_TEXT(lb_figure_variable(f, 0)->name, "both.bend");
    CHECK_INT(lb_builder_find_segment(b, "lower"), -1);
    CHECK_INT(arm_segment(b, "lower", 0), 2); /* its name is free again */
    lb_figure_destroy(f);
    CHECK_INT(lb_builder_remove_joint(b, 3), LB_ERROR_ARGUMENT);
    lb_root root;
    lb_root_defaults(&root);
    root.segment = 1;
    lb_builder_set_root(b, &root);
    CHECK_INT(lb_builder_remove_segment(b, 1), LB_ERROR_FIGURE);
    CHECK_HAS(lb_builder_error(b)->message, "root");
    lb_builder_destroy(b);
}

/* One robot takes another by the hand: two figures joined, then one dragged by the other. */
static void check_attach(void) {
    lb_figure *f = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_builder *b = lb_builder_from(f, NULL);
    CHECK_INT(lb_builder_attach(b, f, ""), LB_ERROR_NAME); /* the same names twice: nothing happens */
    CHECK_INT(lb_builder_segment_count(b), 3);
    CHECK_INT(lb_builder_joint_count(b), 2);
    int first = lb_builder_attach(b, f, "other_");
    CHECK_INT(first, 3);
    int hand = lb_builder_find_site(b, 2, "hand");
    int base = lb_builder_find_site(b, lb_builder_find_segment(b, "other_base"), "shoulder");
    CHECK_INT(arm_joint(b, "grasp", hand, base, "R(z)"), 4);
    lb_figure *both = arm_finish(b);
    CHECK_INT(lb_figure_variable_count(both), 5);
    double pose[5] = {0, 0, 0, 0, 0}, arm_pose[2] = {0.4, -0.2};
    CHECK_INT(lb_pose_carry(f, arm_pose, both, pose), 2);
    lb_kinematics *k = lb_kinematics_create(both, NULL);
    lb_kinematics_update(k, pose);
    lb_frame frame;
    lb_kinematics_site(k, lb_figure_find_site(both, "other_lower.hand"), &frame);
    CHECK_NEAR(frame.position[0], 0.3 * cos(0.4) + 0.7 * cos(0.2), 1e-14);
    CHECK_NEAR(frame.position[1], 0.3 * sin(0.4) + 0.7 * sin(0.2), 1e-14);
    lb_kinematics_destroy(k);
    lb_figure_destroy(both);
    lb_figure_destroy(f);
}

static void check_scale(void) {
    lb_builder *b = arm_builder("R(z)*T(x)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    joint.upper[1] = 0.1;
    joint.lower[0] = -1;
    lb_builder_change_joint(b, 0, &joint);
    lb_builder_set_stature(b, 1.5);
    lb_limit limit = {"mixed", LB_LIMIT_AT_MOST, 2, (lb_dof_ref[]){{0, 0, -1}, {0, 1, -1}}, (double[]){1, 10}, 1};
    lb_builder_add_limit(b, &limit);
    CHECK_INT(lb_builder_scale(b, 0, 1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_scale(b, NAN, 1), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_scale(b, 2, 4), LB_OK);
    lb_figure *f = arm_finish(b);
    CHECK_NEAR(lb_figure_stature(f), 3, 0);
    CHECK_NEAR(lb_figure_mass(f), 12, 1e-14);
    CHECK_NEAR(lb_figure_variable(f, 1)->upper, 0.2, 0);
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, -1, 0);
    hand_is(f, (double[]){0, 0.2, 0}, 1.2, 0);
    const lb_limit_row *row = lb_figure_row(f, 0); /* angle + 5 length <= 1 */
    CHECK_NEAR(row->coefficients[1] / row->coefficients[0], 5, 1e-14);
    lb_figure_destroy(f);
}

int main(void) {
    check_freeze_and_thaw();
    check_retype();
    check_remove();
    check_attach();
    check_scale();
    return check_done();
}
