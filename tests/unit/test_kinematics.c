/* Forward kinematics against values worked out by hand. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "arm.h"

static const double pi = 3.14159265358979323846;

static void hand_at(const lb_kinematics *k, double x, double y, double z) {
    lb_frame frame;
    REQUIRE(lb_kinematics_site(k, lb_figure_find_site(lb_kinematics_figure(k), "hand"), &frame) == LB_OK);
    CHECK_NEAR(frame.position[0], x, 1e-14);
    CHECK_NEAR(frame.position[1], y, 1e-14);
    CHECK_NEAR(frame.position[2], z, 1e-14);
}

static void check_planar_arm(void) {
    lb_figure *f = arm_finish(arm_builder("R(z)", "R(z)"));
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    hand_at(k, 0.5, 0, 0);
    lb_kinematics_update(k, (double[]){pi / 2, 0});
    hand_at(k, 0, 0.5, 0);
    lb_kinematics_update(k, (double[]){pi / 2, -pi / 2});
    hand_at(k, 0.2, 0.3, 0);
    double com[3], matrix[12];
    lb_kinematics_com(k, com); /* both masses sit at the segments' origins: 2 kg at 0, 1 kg at (0, 0.3) */
    CHECK_NEAR(com[1], 0.1, 1e-15);
    lb_kinematics_matrix(k, 1, matrix);
    CHECK_NEAR(matrix[0], 0, 1e-15);
    CHECK_NEAR(matrix[4], 1, 1e-15);
    CHECK_INT(lb_kinematics_update(k, (double[]){NAN, 0}), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_kinematics_update(k, (double[]){0, INFINITY}), LB_ERROR_ARGUMENT);
    hand_at(k, 0.2, 0.3, 0); /* nothing changed */
    CHECK_INT(lb_kinematics_site(k, 99, &(lb_frame){{0}, {0}}), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_kinematics_segment(k, -1, &(lb_frame){{0}, {0}}), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_kinematics_loop(k, 0, &(lb_frame){{0}, {0}}, &(lb_frame){{0}, {0}}), LB_ERROR_ARGUMENT);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
}

static void check_orders_and_translations(void) {
    lb_figure *f = arm_finish(arm_builder("R(z)*T(x)", "R(z)*R(x)"));
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_kinematics_update(k, (double[]){pi / 2, 0.1, pi / 2, 1.0}); /* turned first, so the shift goes along y */
    hand_at(k, -0.2, 0.4, 0);
    CHECK_NEAR(lb_kinematics_dof(k, 0, 1), 0.1, 0);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
    f = arm_finish(arm_builder("T(x)*R(z)", "fixed"));
    k = lb_kinematics_create(f, NULL);
    lb_kinematics_update(k, (double[]){0.1, pi / 2}); /* shifted first */
    hand_at(k, 0.1, 0.5, 0);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
}

/* The swing is a rotation vector, then the twist turns about the segment's own axis. */
static void check_swing_twist(void) {
    lb_figure *f = arm_finish(arm_builder("swing_twist(x)", "R(z)"));
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    CHECK_TEXT(lb_figure_variable(f, 0)->name, "shoulder.swy");
    CHECK_TEXT(lb_figure_variable(f, 1)->name, "shoulder.swz");
    CHECK_TEXT(lb_figure_variable(f, 2)->name, "shoulder.twx");
    lb_kinematics_update(k, (double[]){0, pi / 2, 0, 0}); /* swing about z: the arm points along y */
    hand_at(k, 0, 0.5, 0);
    lb_kinematics_update(k, (double[]){0, pi / 2, pi / 2, pi / 2}); /* twisted by 90 degrees the elbow bends upwards */
    hand_at(k, 0, 0.3, 0.2);
    lb_kinematics_update(k, (double[]){-pi / 2, 0, 1.234, 0}); /* a twist moves nothing on the axis */
    hand_at(k, 0, 0, 0.5);
    /* |swing| is the angle between the axis before and after, whatever the direction. */
    lb_kinematics_update(k, (double[]){0.6, -0.8, 0.3, 0});
    lb_frame frame;
    double matrix[9];
    lb_kinematics_segment(k, 1, &frame);
    lb_rotation_to_matrix(frame.rotation, matrix);
    CHECK_NEAR(matrix[0], cos(1.0), 1e-15);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
}

static void check_free_root(void) {
    lb_builder *b = arm_builder("R(z)", "R(z)");
    lb_root root;
    lb_root_defaults(&root);
    root.segment = 1;
    root.site = 2; /* the elbow's side of the upper arm */
    root.is_free = 1;
    root.placement.position[2] = 1;
    REQUIRE(lb_builder_set_root(b, &root) == LB_OK);
    lb_figure *f = arm_finish(b);
    CHECK_INT(lb_figure_variable_count(f), 8);
    CHECK_TEXT(lb_figure_variable(f, 5)->name, "root.rz");
    CHECK_TEXT(lb_figure_variable(f, 6)->name, "shoulder");
    CHECK_INT(lb_figure_parent_segment(f, 0), 1);
    CHECK_INT(lb_figure_parent_joint(f, 2), 1);
    CHECK_INT(lb_figure_parent_joint(f, 1), -1);
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_kinematics_update(k, (double[]){0.1, 0.2, 0.3, 0, 0, pi / 2, 0, 0});
    hand_at(k, 0.1, 0.4, 1.3);
    lb_frame base;
    lb_kinematics_segment(k, 0, &base);
    CHECK_NEAR(base.position[1], -0.1, 1e-15);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
}

/* Puma 560 in Paul's and Lee's standard parameters: the position in the zero pose is known (KB82; Paul 1981). */
static void check_dh(void) {
    const double a[6] = {0, 0.4318, 0.0203, 0, 0, 0}, d[6] = {0, 0, 0.15005, 0.4318, 0, 0};
    const double alpha[6] = {pi / 2, 0, -pi / 2, pi / 2, -pi / 2, 0};
    lb_dh_row rows[6];
    for (int i = 0; i < 6; i++) {
        rows[i] = (lb_dh_row){NULL, a[i], alpha[i], d[i], 0, 0, -3, 3};
    }
    lb_builder *b = lb_builder_create(NULL, NULL);
    arm_segment(b, "base", 0);
    arm_site(b, 0, "mount", 0);
    CHECK_INT(lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, 6, rows), 6);
    lb_figure *f = arm_finish(b);
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_frame tool;
    lb_kinematics_segment(k, 6, &tool);
    CHECK_NEAR(tool.position[0], 0.4318 + 0.0203, 1e-15);
    CHECK_NEAR(tool.position[1], -0.15005, 1e-15);
    CHECK_NEAR(tool.position[2], 0.4318, 1e-15);
    lb_kinematics_update(k, (double[]){0, pi / 2, -pi / 2, 0, 0, 0}); /* the "ready" pose: straight up */
    lb_kinematics_segment(k, 6, &tool);
    CHECK_NEAR(tool.position[0], 0.0203, 1e-15);
    CHECK_NEAR(tool.position[2], 0.4318 + 0.4318, 1e-15);
    CHECK_TEXT(lb_figure_joint(f, 2)->name, "joint3");
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
    /* Both conventions say the same of a chain whose every row is one motion; prismatic rows slide along z. */
    lb_dh_row two[2] = {{"turn", 0.5, 0, 0, 0, 0, -3, 3}, {"slide", 0, pi / 2, 0, 0, 1, 0, 1}};
    for (int convention = 0; convention < 2; convention++) {
        b = lb_builder_create(NULL, NULL);
        arm_segment(b, "base", 0);
        arm_site(b, 0, "mount", 0);
        CHECK_INT(lb_builder_add_dh_chain(b, 0, (lb_dh_convention)convention, 2, two), 2);
        f = arm_finish(b);
        k = lb_kinematics_create(f, NULL);
        lb_kinematics_update(k, (double[]){pi / 2, 0.25});
        CHECK_INT(lb_kinematics_segment(k, lb_figure_find_segment(f, "slide_link"), &tool), LB_OK);
        if (convention == LB_DH_CONVENTION_STANDARD) { /* Rz(90) Tx(0.5), then up by 0.25 */
            CHECK_NEAR(tool.position[1], 0.5, 1e-15);
            CHECK_NEAR(tool.position[2], 0.25, 1e-15);
        } else { /* Tx(0.5), Rz(90), Rx(90): the slide goes along what is +x now */
            CHECK_NEAR(tool.position[0], 0.75, 1e-15);
            CHECK_NEAR(tool.position[1], 0, 1e-15);
        }
        lb_kinematics_destroy(k);
        lb_figure_destroy(f);
    }
    b = lb_builder_create(NULL, NULL);
    arm_segment(b, "base", 0);
    arm_site(b, 0, "mount", 0);
    rows[4].a = NAN;
    CHECK_INT(lb_builder_add_dh_chain(b, 0, LB_DH_CONVENTION_STANDARD, 6, rows), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_builder_segment_count(b), 1); /* nothing half done */
    CHECK_INT(lb_builder_find_segment(b, "link1"), -1);
    CHECK_INT(lb_builder_find_joint(b, "joint1"), -1);
    lb_builder_destroy(b);
}

/* A four-bar: three joints make the tree, the fourth closes the loop. */
static void check_loop(void) {
    lb_builder *b = lb_builder_create(NULL, NULL);
    for (int i = 0; i < 4; i++) {
        arm_segment(b, (const char *[]){"ground", "crank", "coupler", "rocker"}[i], 1);
    }
    for (int i = 0; i < 4; i++) {
        arm_site(b, i, "start", 0);
        arm_site(b, i, "end", 1);
    }
    arm_joint(b, "a", 0, 2, "R(z)");
    arm_joint(b, "b", 3, 4, "R(z)");
    arm_joint(b, "c", 5, 6, "R(z)");
    arm_joint(b, "d", 1, 7, "R(z)");
    lb_figure *f = arm_finish(b);
    REQUIRE(lb_figure_loop_count(f) == 1);
    CHECK_TEXT(lb_figure_joint(f, lb_figure_loop_joint(f, 0))->name, "d");
    CHECK_INT(lb_figure_variable_count(f), 4);
    lb_kinematics *k = lb_kinematics_create(f, NULL);
    lb_frame carried, tree;
    /* A rhombus with angle 60: up, along, down, and back. */
    lb_kinematics_update(k, (double[]){pi / 3, -pi / 3, -2 * pi / 3, -2 * pi / 3});
    REQUIRE(lb_kinematics_loop(k, 0, &carried, &tree) == LB_OK);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(carried.position[i], tree.position[i], 1e-15);
    }
    CHECK_NEAR(carried.position[0], 1, 1e-15);
    double dot = 0;
    for (int i = 0; i < 4; i++) {
        dot += carried.rotation[i] * tree.rotation[i];
    }
    CHECK_NEAR(fabs(dot), 1, 1e-15);
    lb_kinematics_update(k, (double[]){0.1, 0, 0, 0});
    lb_kinematics_loop(k, 0, &carried, &tree);
    CHECK(fabs(carried.position[0] - tree.position[0]) > 1);
    lb_effector effector;
    CHECK_INT(lb_effector_from_segment(f, 4, &effector), LB_OK); /* segment_count + loop */
    CHECK_INT(lb_effector_from_segment(f, 5, &effector), LB_ERROR_ARGUMENT);
    lb_kinematics_destroy(k);
    lb_figure_destroy(f);
}

int main(void) {
    check_planar_arm();
    check_orders_and_translations();
    check_swing_twist();
    check_free_root();
    check_dh();
    check_loop();
    return check_done();
}
