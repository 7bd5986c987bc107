/* Dofs to rotations and back. */
#include <limber/limber.h>
#include <math.h>
#include <string.h>

#include "arm.h"
#include "check.h"

static lb_joint_type type_of(const char *text) {
    lb_joint_type type;
    check_note("%s", text);
    REQUIRE(lb_joint_type_parse(text, &type, NULL) == LB_OK);
    return type;
}

/* 1 - |a . b|, a measure of the angle between two rotations. */
static double apart(const double a[4], const double b[4]) {
    double inverse[4] = {-a[0], -a[1], -a[2], a[3]}, between[4];
    lb_rotation_multiply(inverse, b, between);
    return sqrt(between[0] * between[0] + between[1] * between[1] + between[2] * between[2]);
}

static void random_rotation(check_random *random, double q[4]) {
    double square = 0;
    do {
        square = 0;
        for (int i = 0; i < 4; i++) {
            q[i] = check_random_range(random, -1, 1);
            square += q[i] * q[i];
        }
    } while (square > 1 || square < 0.01);
    for (int i = 0; i < 4; i++) {
        q[i] /= sqrt(square);
    }
}

/* The joint itself says what its rotation is. */
static void same_as_kinematics(const char *text) {
    lb_joint_type type = type_of(text);
    lb_figure *figure = arm_finish(arm_builder(text, "R(z)"));
    lb_kinematics *k = lb_kinematics_create(figure, NULL);
    check_random random;
    check_random_seed(&random, 3);
    double pose[8] = {0}, q[4];
    lb_frame a, b;
    int count = lb_joint_type_dof_count(&type);
    const lb_joint *joint = lb_figure_joint(figure, 0);
    for (int i = 0; i < 50; i++) {
        for (int d = 0; d < count; d++) {
            pose[d] = check_random_range(&random, -2, 2);
        }
        REQUIRE(lb_kinematics_update(k, pose) == LB_OK);
        lb_kinematics_site(k, joint->site_a, &a);
        lb_kinematics_site(k, joint->site_b, &b);
        lb_frame_invert(&a, &a);
        lb_frame_multiply(&a, &b, &a);
        CHECK_INT(lb_joint_type_rotation(&type, pose, q), LB_OK);
        CHECK_NEAR(apart(q, a.rotation), 0, 1e-14);
    }
    lb_kinematics_destroy(k);
    lb_figure_destroy(figure);
}

/* Any rotation, from any values: met exactly, and small changes of the rotation change the dofs little. */
static void any_rotation(const char *text, double tolerance) {
    lb_joint_type type = type_of(text);
    check_random random;
    check_random_seed(&random, 7);
    int count = lb_joint_type_dof_count(&type);
    for (int i = 0; i < 2000; i++) {
        double dofs[6], q[4], back[4];
        for (int d = 0; d < count; d++) {
            dofs[d] = check_random_range(&random, -9, 9);
        }
        random_rotation(&random, q);
        double shift = dofs[count - 1];
        CHECK_INT(lb_joint_type_dofs(&type, q, dofs), LB_OK);
        lb_joint_type_rotation(&type, dofs, back);
        CHECK_NEAR(apart(q, back), 0, tolerance);
        if (!lb_joint_type_is_angle(&type, count - 1)) {
            CHECK_NEAR(dofs[count - 1], shift, 0);
        }
    }
}

/* From nearby values the same dofs come back, also beyond a whole turn and on the far branch. */
static void round_trip(const char *text, double reach, double tolerance) {
    lb_joint_type type = type_of(text);
    check_random random;
    check_random_seed(&random, 11);
    int count = lb_joint_type_dof_count(&type), near = 0;
    for (int i = 0; i < 2000; i++) {
        double dofs[6], found[6], q[4];
        for (int d = 0; d < count; d++) {
            dofs[d] = check_random_range(&random, -reach, reach);
            found[d] = dofs[d] + check_random_range(&random, -0.01, 0.01);
        }
        lb_joint_type_rotation(&type, dofs, q);
        if (i % 2) {
            for (int c = 0; c < 4; c++) {
                q[c] = -q[c];
            }
        }
        lb_joint_type_dofs(&type, q, found);
        double worst = 0;
        for (int d = 0; d < count; d++) {
            if (lb_joint_type_is_angle(&type, d) && fabs(found[d] - dofs[d]) > worst) {
                worst = fabs(found[d] - dofs[d]);
            }
        }
        near += worst < tolerance;
    }
    CHECK(near > 1960); /* the rest lie near a singular place, where another answer may be nearer */
}

static void gimbal_lock(void) {
    lb_joint_type type = type_of("R(z)*R(y)*R(x)");
    for (int i = -3; i <= 3; i++) {
        double dofs[3] = {0.4, 1.5707963267948966 + 1e-9 * i, -0.3}, q[4], back[4];
        lb_joint_type_rotation(&type, dofs, q);
        dofs[0] = 0.5;
        dofs[2] = -0.2;
        lb_joint_type_dofs(&type, q, dofs);
        lb_joint_type_rotation(&type, dofs, back);
        CHECK_NEAR(apart(q, back), 0, 1e-14);
    }
}

/* Fewer dofs than a rotation has: no neighbour is nearer. */
static void nearest(const char *text) {
    lb_joint_type type = type_of(text);
    check_random random;
    check_random_seed(&random, 13);
    int count = lb_joint_type_dof_count(&type);
    for (int i = 0; i < 500; i++) {
        double dofs[6] = {0}, q[4], back[4];
        random_rotation(&random, q);
        lb_joint_type_dofs(&type, q, dofs);
        lb_joint_type_rotation(&type, dofs, back);
        double least = apart(q, back);
        for (int k = 0; k < 20; k++) {
            double other[6];
            for (int d = 0; d < count; d++) {
                other[d] = dofs[d] + check_random_range(&random, -1, 1) * (k < 10 ? 0.01 : 3);
            }
            lb_joint_type_rotation(&type, other, back);
            CHECK(apart(q, back) >= least - 1e-12);
        }
    }
}

/* Axes that coincide, or that are not at right angles, and types that do not turn. */
static void odd_axes(void) {
    static const char *const same[] = {"R(z)*R(z)", "R(z)*R(-z)", "R(z)*R(z)*R(z)"};
    for (int i = 0; i < 3; i++) {
        lb_joint_type type = type_of(same[i]);
        double dofs[3] = {0.1, 0.2, 0.3}, q[4] = {0, 0, sin(0.35), cos(0.35)}, back[4];
        CHECK_INT(lb_joint_type_dofs(&type, q, dofs), LB_OK);
        lb_joint_type_rotation(&type, dofs, back);
        CHECK_NEAR(apart(q, back), 0, 1e-14);
        CHECK_NEAR(dofs[1], 0.2, i == 2 ? 0 : 1); /* the first and the last do it */
    }
    /* 2 asin(0.6) is as far from z as the last axis of this one can be turned; asked for is half a turn. */
    lb_joint_type type = type_of("R(z)*R(0.6,0,0.8)*R(z)");
    double dofs[3] = {0, 0, 0}, q[4] = {1, 0, 0, 0};
    CHECK_INT(lb_joint_type_dofs(&type, q, dofs), LB_OK);
    lb_joint_type_rotation(&type, dofs, q);
    double cosine = 1 - 2 * (q[0] * q[0] + q[1] * q[1]); /* of up and what it is turned to */
    CHECK_NEAR(cosine, 0.8 * 0.8 - 0.6 * 0.6, 1e-12);
    type = type_of("T(x)*T(y)");
    CHECK_INT(lb_joint_type_dofs(&type, (double[]){0, 0, 0, 1}, dofs), LB_OK);
    type = type_of("fixed");
    CHECK_INT(lb_joint_type_rotation(&type, dofs, q), LB_OK);
    CHECK_NEAR(q[3], 1, 0);
    /* Half a turn across the twist's axis leaves the twist open: it stays. */
    type = type_of("swing_twist(z)");
    double swing[3] = {3.14159265358979, 0, 0.25};
    CHECK_INT(lb_joint_type_dofs(&type, (double[]){1, 0, 0, 0}, swing), LB_OK);
    lb_joint_type_rotation(&type, swing, q);
    CHECK_NEAR(apart(q, (double[]){1, 0, 0, 0}), 0, 1e-9);
}

static void refusals(void) {
    lb_joint_type type = type_of("ball");
    double dofs[3] = {0, 0, 0}, q[4] = {0, 0, 0, 0}, bad[3] = {0, NAN, 0};
    CHECK_INT(lb_joint_type_dofs(&type, q, dofs), LB_ERROR_ARGUMENT);
    q[3] = 1;
    CHECK_INT(lb_joint_type_dofs(&type, q, bad), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_joint_type_rotation(&type, bad, q), LB_ERROR_ARGUMENT);
    type = type_of("swing_twist(z)*R(x)");
    double more[4] = {0, 0, 0, 0};
    CHECK_INT(lb_joint_type_dofs(&type, q, more), LB_ERROR_UNSUPPORTED);
}

int main(void) {
    static const char *const three[] = {"R(z)*R(x)*R(y)",   "R(z)*R(x)*R(z)", "R(x)*R(y)*R(z)",
                                        "R(-y)*R(x)*R(-z)", "swing_twist(z)", "swing_twist(x)",
                                        "swing_twist(-y)",  "rotation",       "R(0.6,0,0.8)*R(y)*R(x)",
                                        "floating",         "ball",           "swing_twist(0.6,0,0.8)*T(y)"};
    for (size_t i = 0; i < sizeof three / sizeof *three; i++) {
        if (strcmp(three[i], "floating") != 0) {
            same_as_kinematics(three[i]);
        }
        any_rotation(three[i], 2e-14);
        round_trip(three[i], 1.5, 1e-9);
    }
    round_trip("R(z)*R(x)*R(y)", 20, 1e-9);
    gimbal_lock();
    nearest("R(x)");
    nearest("R(x)*R(z)");
    nearest("R(x)*T(y)*R(0.6,0,0.8)");
    odd_axes();
    refusals();
    return check_done();
}
