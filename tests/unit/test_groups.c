/* Joint groups, mimic joints, and limits over several dofs. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "arm.h"

static int mimic(lb_builder *b, int joint, int source, double slope, double offset) {
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = joint;
    drive.source = (lb_dof_ref){source, 0, -1};
    drive.curve.slope = slope;
    drive.curve.offset = offset;
    return lb_builder_add_drive(b, &drive);
}

static void set_range(lb_builder *b, int joint, double lower, double upper) {
    lb_joint changed = *lb_builder_joint(b, joint);
    changed.lower[0] = lower;
    changed.upper[0] = upper;
    CHECK_INT(lb_builder_change_joint(b, joint, &changed), LB_OK);
}

/* base, upper, lower and a hand on a third joint */
static lb_builder *three_joints(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    arm_segment(b, "hand", 1);
    arm_site(b, 3, "base", 0);
    CHECK_INT(arm_joint(b, "wrist", 4, 5, "R(z)"), 2);
    return b;
}

static void check_mimics(void) {
    lb_builder *b = three_joints();
    mimic(b, 2, 1, -2, 0.1); /* the wrist follows the elbow, the elbow the shoulder */
    mimic(b, 1, 0, 0.5, 0.2);
    set_range(b, 0, -1, 1);
    set_range(b, 2, -0.9, 0.5); /* -2 (0.5 s + 0.2) + 0.1 in [-0.9, 0.5]: s in [-0.8, 0.6] */
    lb_figure *f = arm_finish(b);
    CHECK_INT(lb_figure_variable_count(f), 1);
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, -0.8, 1e-15);
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, 0.6, 1e-15);
    CHECK_INT(lb_figure_variable_of(f, &(lb_dof_ref){2, 0, -1}), -1);
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_kinematics_update(k, (double[]){0.4});
    CHECK_NEAR(lb_kinematics_dof(k, 1, 0), 0.4, 1e-16);
    CHECK_NEAR(lb_kinematics_dof(k, 2, 0), -0.7, 1e-15);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
    b = three_joints(); /* in a circle */
    mimic(b, 2, 1, 1, 0);
    mimic(b, 1, 2, 1, 0);
    CHECK_INT(lb_builder_finish(b, &f), LB_ERROR_FIGURE);
    CHECK_HAS(lb_builder_error(b)->message, "circle");
    lb_builder_destroy(b);
    b = three_joints();
    CHECK_INT(mimic(b, 1, 1, 1, 0), LB_ERROR_FIGURE);
    mimic(b, 2, 1, 3, 0);
    set_range(b, 1, 1, 2);
    set_range(b, 2, -1, 1); /* 3 e in [-1, 1] and e in [1, 2]: never */
    CHECK_INT(lb_builder_finish(b, &f), LB_ERROR_LIMIT);
    CHECK_HAS(lb_builder_error(b)->message, "wrist");
    lb_builder_destroy(b);
}

static int add_parameter(lb_builder *b, int group, const char *name, double lower, double upper) {
    lb_parameter p;
    lb_parameter_defaults(&p);
    p.group = group;
    p.name = name;
    p.lower = lower;
    p.upper = upper;
    return lb_builder_add_parameter(b, &p);
}

static void drive_by_curve(lb_builder *b, int joint, int parameter, lb_curve_kind kind) {
    static const double x[3] = {-1, 0, 1}, y[3] = {-0.5, 0, 1};
    lb_drive drive;
    lb_drive_defaults(&drive);
    drive.joint = joint;
    drive.source.parameter = parameter;
    drive.curve = (lb_curve){kind, 0, 0.25, 3, x, y};
    CHECK(lb_builder_add_drive(b, &drive) >= 0);
}

static void check_group(void) {
    lb_builder *b = three_joints();
    CHECK_INT(lb_builder_add_group(b, "spine"), 0);
    CHECK_INT(add_parameter(b, 0, "flexion", -1, 1), 0);
    CHECK_INT(add_parameter(b, 0, "bend", -1, 1), 1);
    CHECK_INT(add_parameter(b, 0, "bend", -1, 1), LB_ERROR_NAME);
    drive_by_curve(b, 0, 0, LB_CURVE_POLYLINE);
    drive_by_curve(b, 0, 1, LB_CURVE_LINEAR);
    drive_by_curve(b, 1, 0, LB_CURVE_SPLINE);
    lb_figure *f = arm_finish(b);
    CHECK_INT(lb_figure_variable_count(f), 3); /* wrist, flexion, bend */
    CHECK_INT(lb_figure_find_variable(f, "spine.flexion"), 1);
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_kinematics_update(k, (double[]){0.1, 0.5, 0.8});
    CHECK_NEAR(lb_kinematics_dof(k, 0, 0), 0.5 + 0.2, 1e-15);
    /* The natural spline through (-1,-0.5), (0,0), (1,1) has y'' = 0.75 at 0: y(0.5) = 0.5 - 0.75/16 */
    CHECK_NEAR(lb_kinematics_dof(k, 1, 0), 0.5 - 0.75 / 16, 1e-15);
    CHECK_NEAR(lb_kinematics_dof(k, 2, 0), 0.1, 0);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
    b = three_joints(); /* a curve that leaves the joint's limits is refused */
    lb_builder_add_group(b, "spine");
    add_parameter(b, 0, "flexion", -1, 1);
    drive_by_curve(b, 0, 0, LB_CURVE_POLYLINE);
    set_range(b, 0, -0.6, 0.9);
    CHECK_INT(lb_builder_finish(b, &f), LB_ERROR_LIMIT);
    CHECK_HAS(lb_builder_error(b)->message, "take it to 1, beyond its limit of 0.9");
    set_range(b, 0, -0.6, 1);
    CHECK_INT(lb_builder_finish(b, &f), LB_OK);
    lb_figure_destroy(f);
    drive_by_curve(b, 1, 0, LB_CURVE_LINEAR); /* a curve of what is driven by a curve */
    lb_drive chain;
    lb_drive_defaults(&chain);
    chain.joint = 2;
    chain.source = (lb_dof_ref){0, 0, -1};
    chain.curve = (lb_curve){LB_CURVE_POLYLINE, 0, 0, 2, (double[]){0, 1}, (double[]){0, 1}};
    CHECK(lb_builder_add_drive(b, &chain) >= 0);
    CHECK_INT(lb_builder_finish(b, &f), LB_ERROR_UNSUPPORTED);
    CHECK_HAS(lb_builder_error(b)->message, "directly");
    lb_builder_destroy(b);
}

static int add_limit(lb_builder *b, lb_limit_kind kind, double a, double c, double bound) {
    lb_limit limit = {"reach", kind, 2, (lb_dof_ref[]){{0, 0, -1}, {1, 0, -1}}, (double[]){a, c}, bound};
    return lb_builder_add_limit(b, &limit);
}

static void check_rows(void) {
    lb_builder *b = three_joints();
    CHECK(add_limit(b, LB_LIMIT_AT_MOST, 3, 4, 5) >= 0);
    lb_figure *f = arm_finish(b);
    REQUIRE(lb_figure_row_count(f) == 1);
    const lb_limit_row *row = lb_figure_row(f, 0);
    CHECK_TEXT(row->name, "reach");
    CHECK_NEAR(row->coefficients[0], 0.6, 1e-16);
    CHECK_NEAR(row->bound, 1, 1e-16);
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    double pose[3] = {3, 4, 7};
    CHECK_NEAR(lb_figure_violation(f, pose), 4, 1e-15);
    CHECK_INT(lb_kinematics_project(k, pose), LB_OK); /* straight to the plane */
    CHECK_NEAR(pose[0], 0.6, 1e-15);
    CHECK_NEAR(pose[1], 0.8, 1e-15);
    CHECK_NEAR(pose[2], 7, 0);
    double nan_pose[3] = {NAN, 0, 0};
    CHECK_INT(lb_kinematics_project(k, nan_pose), LB_ERROR_ARGUMENT);
    CHECK(lb_figure_violation(f, nan_pose) == INFINITY);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
    b = three_joints();
    add_limit(b, LB_LIMIT_EQUAL, 1, 1, 3);
    set_range(b, 0, -1, 1);
    set_range(b, 1, -1, 1);
    CHECK_INT(lb_builder_finish(b, &f), LB_ERROR_LIMIT);
    CHECK_HAS(lb_builder_error(b)->message, "contradict");
    set_range(b, 1, -1, 5);
    REQUIRE(lb_builder_finish(b, &f) == LB_OK); /* the rest pose has moved into it: nearest to (0, 0) is (1, 2) */
    double rest[3];
    lb_figure_rest_pose(f, rest);
    CHECK_NEAR(rest[0], 1, 1e-12);
    CHECK_NEAR(rest[1], 2, 1e-12);
    CHECK_NEAR(lb_figure_violation(f, rest), 0, 1e-12);
    lb_figure_destroy(f);
    lb_builder_freeze_joint(b, 0,
                            (double[]){0.5}); /* what is frozen moves to the bound: one variable is left, a range */
    REQUIRE(lb_builder_finish(b, &f) == LB_OK);
    CHECK_INT(lb_figure_row_count(f), 0);
    CHECK_NEAR(lb_figure_variable(f, 0)->lower, 2.5, 1e-15);
    CHECK_NEAR(lb_figure_variable(f, 0)->upper, 2.5, 1e-15);
    lb_figure_destroy(f);
    lb_builder_destroy(b);
}

/* Random poses are inside all limits, and not all the same. */
static void check_random_poses(void) {
    lb_builder *b = arm_builder("swing_twist(z)", "R(z)");
    lb_joint joint = *lb_builder_joint(b, 0);
    double cone[24][2];
    lb_swing_cone(0.8, 24, cone);
    joint.swing_count = 24;
    joint.swing = (const double(*)[2])cone;
    joint.lower[2] = -0.2;
    joint.upper[2] = 0.3;
    CHECK_INT(lb_builder_change_joint(b, 0, &joint), LB_OK);
    lb_figure *f = arm_finish(b);
    CHECK_INT(lb_figure_row_count(f), 24);
    CHECK_TEXT(lb_figure_row(f, 0)->name, "shoulder swing");
    uint64_t seed = 1;
    double pose[4], widest = 0;
    for (int i = 0; i < 2000; i++) {
        lb_figure_random_pose(f, &seed, pose);
        double swing = sqrt(pose[0] * pose[0] + pose[1] * pose[1]);
        CHECK(lb_figure_violation(f, pose) <= 1e-12);
        CHECK(swing <= 0.8 + 1e-12);
        if (swing > widest) {
            widest = swing;
        }
    }
    CHECK(widest > 0.75);
    lb_figure_destroy(f);
}

int main(void) {
    check_mimics();
    check_group();
    check_rows();
    check_random_poses();
    return check_done();
}
