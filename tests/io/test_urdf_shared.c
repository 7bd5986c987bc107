/* The robots of the shared folder: each loads with the dofs it has, or is refused for what is wrong with it; and
 * written as URDF and read back, it moves the same. */
#include "check.h"
#include "urdf_load.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define REFUSED (-1)

static const struct {
    const char *path;
    int line; /* where it is refused */
    int variable_count;
    const char *says; /* part of the error, or of the warnings; "" for no check */
} robots[] = {
    {"arms/abb_irb120.urdf", 0, 6, ""},
    {"arms/abb_irb6640_mimic.urdf", 0, 6, ""},
    {"arms/fanuc_m430ia2f_5dof.urdf", 0, 5, ""},
    {"arms/frankie_mobile_panda.urdf", 0, 10, ""},
    {"arms/iiwa14.urdf", 0, 7, ""},
    {"arms/jaco_j2n6s300.urdf", 0, 9, "are continuous"},
    {"arms/jaco_j2s7s300.urdf", 0, 10, ""},
    {"arms/kinova_gen3_7dof.urdf", 0, 7, ""},
    {"arms/kuka_lwr.urdf", 0, 7, ""},
    {"arms/motoman_sia10d.urdf", 0, 7, ""},
    {"arms/panda.urdf", 0, 8, ""},
    {"arms/planar_2dof.urdf", 0, 2, ""},
    {"arms/puma560.urdf", 0, 6, ""},
    {"arms/schunk_lwa4d.urdf", 0, 7, ""},
    {"arms/so100.urdf", 0, 6, ""},
    {"arms/unitree_z1.urdf", 0, 6, ""},
    {"arms/ur10e.urdf", 0, 6, ""},
    {"arms/ur5_robot.urdf", 0, 6, ""},
    {"arms/widowx.urdf", 0, 7, ""},
    {"arms/xarm6.urdf", 0, 6, ""},
    {"dual_mobile/baxter.urdf", 0, 15, ""},
    {"dual_mobile/nextage_open.urdf", 0, 15, "34 elements of xacro"},
    {"dual_mobile/pr2_tracik.urdf", 0, 39, ""},
    {"dual_mobile/stretch_se3_sg3.urdf", 0, 14, ""},
    {"dual_mobile/yumi.urdf", 0, 16, ""},
    {"hands/allegro_right.urdf", 0, 16, ""},
    {"hands/barrett.urdf", 0, 8, ""},
    {"hands/robotiq_2f85_mimic.urdf", 0, 1, "2 joints (first: \"left_inner_finger_joint\") mimic"},
    {"hands/shadow_right.urdf", 0, 24, ""},
    {"humanoids/atlas_minimal_contact.urdf", 0, 30, ""},
    {"humanoids/nao_v40.urdf", 0, 25, ""},
    {"humanoids/pepper.urdf", 0, 17, ""},
    {"humanoids/robotis_op3.urdf", 0, 20, ""},
    {"humanoids/romeo.urdf", 0, 33, ""},
    {"humanoids/sigmaban_zero_limits.urdf", 0, 20,
     "20 joints (first: \"right_elbow\") have a <limit> without lower and upper"},
    {"humanoids/simple_humanoid.urdf", 0, 29, ""},
    {"humanoids/unitree_g1_29dof.urdf", 0, 29, ""},
    {"humanoids/unitree_h1.urdf", 0, 19, ""},
    {"legged/anymal_b.urdf", 0, 12, ""},
    {"legged/cassie_v4.urdf", 0, 16, ""},
    {"legged/go2.urdf", 0, 12, ""},
    {"legged/minitaur.urdf", 0, 16, "8 joints"},
    {"legged/triathlete.urdf", 0, 30, ""},
    {"parallel/5bar_linkage/robot.urdf", 0, 6, ""},
    {"parallel/cassie_like/robot.urdf", 0, 19, ""},
    {"parallel/digit_like_2legs/robot.urdf", 0, 30, ""},
    {"parallel/robot_delta/robot.urdf", 0, 14, "13 joints"},
    {"quirks/acrobot_unicode_world_parent.urdf", 0, 2, ""},
    {"quirks/base_2_lower_gt_upper.urdf", 61, REFUSED, "lower limit 1 above its upper limit 0"},
    {"quirks/curobo_simple_mimic.urdf", 0, 2, ""},
    {"quirks/denso_vs060_double_limit.urdf", 0, 6, "several <limit>s"},
    {"quirks/diff_ring.urdf", 0, 5, "blanks before the XML declaration"},
    {"quirks/double_pendulum_continuous.urdf", 0, 2, ""},
    {"quirks/drake_joint_parsing_test.urdf", 0, 8, "there are 6 root links"},
    {"quirks/eve_r3_robotiq_mimic_missing.urdf", 0, 39, "mimics \"finger_joint\", which does not exist"},
    {"quirks/eve_r3_xinclude.urdf", 20, REFUSED, "XInclude"},
    {"quirks/g1_inspire_ftp_left_hand.urdf", 0, 6, ""},
    {"quirks/hinge_spherical.urdf", 41, REFUSED, "type \"spherical\""},
    {"quirks/humanoid_nonunit_axes.urdf", 0, 21,
     "8 joints (first: \"right_ankle_x\") have axes that are not of length 1"},
    {"quirks/husky_optenv.urdf", 97, REFUSED, "unexpanded xacro expression, \"$(optenv HUSKY_IMU_XYZ"},
    {"quirks/klampt_human_hand_mismatched_tag.urdf", 347, REFUSED, "mismatched tag: <klampt> of line 344"},
    {"quirks/poppy_ergo_no_limits.urdf", 0, 6, "6 joints (first: \"m1\") have no <limit>"},
    {"quirks/pybullet_humanoid.urdf", 40, REFUSED, "type \"spherical\""},
    {"quirks/quadrotor_default_ns.urdf", 0, 0, ""},
    {"quirks/quadruped_zero_limits.urdf", 0, 8, "4 joints"},
    {"quirks/rethink_gripper_no_root.urdf", 145, REFUSED,
     "parent link \"left_hand\" of joint \"left_gripper_base\" is not defined"},
    {"quirks/robotiq_hand-e_bom.urdf", 0, 2, ""},
    {"quirks/spot_arm_no_root.urdf", 172, REFUSED, "parent link \"body\" of joint \"base_arm_joint\" is not defined"},
    {"quirks/t12_wrong_axes.urdf", 0, 36, ""},
};

static heard said;

static double worst_difference(lb_kinematics *one, lb_kinematics *two) {
    const lb_figure *figure = lb_kinematics_figure(one), *other = lb_kinematics_figure(two);
    double worst = 0.0;
    for (int i = 0; i < lb_figure_segment_count(figure); ++i) {
        double m[12], n[12], size = 1.0;
        int segment = lb_figure_find_segment(other, lb_figure_segment(figure, i)->name);
        if (lb_kinematics_matrix(one, i, m) != LB_OK || lb_kinematics_matrix(two, segment, n) != LB_OK) {
            return INFINITY;
        }
        for (int k = 3; k < 12; k += 4) {
            size = fmax(size, fabs(m[k]));
        }
        for (int k = 0; k < 12; ++k) {
            worst = fmax(worst, fabs(m[k] - n[k]) / size);
        }
    }
    return worst;
}

static void check_round_trip(const lb_figure *figure) {
    char *text = urdf_save_text(figure, &said);
    REQUIRE(text);
    lb_figure *back = urdf_load_text(text, &said);
    lb_text_free(text);
    if (!CHECK(back != NULL)) {
        fprintf(stderr, "%s\n", said.error.message);
        return;
    }
    int count = lb_figure_variable_count(figure);
    CHECK_INT(lb_figure_variable_count(back), count);
    CHECK(lb_figure_joint_count(back) >= lb_figure_joint_count(figure)); /* sites of their own become links */
    CHECK_NEAR(lb_figure_mass(back), lb_figure_mass(figure), 1e-12 * fmax(1.0, lb_figure_mass(figure)));
    double *pose = calloc((size_t)count + 1, sizeof *pose), *carried = calloc((size_t)count + 1, sizeof *carried);
    lb_kinematics *one = lb_kinematics_create(figure, NULL), *two = lb_kinematics_create(back, NULL);
    REQUIRE(pose && carried && one && two);
    uint64_t seed = 1;
    for (int i = 0; i < 20; ++i) {
        lb_figure_random_pose(figure, &seed, pose);
        CHECK_INT(lb_pose_carry(figure, pose, back, carried), count);
        CHECK_INT(lb_kinematics_update(one, pose), LB_OK);
        CHECK_INT(lb_kinematics_update(two, carried), LB_OK);
        CHECK_NEAR(worst_difference(one, two), 0.0, 1e-12);
    }
    for (int i = 0; i < count; ++i) { /* limits are kept, also those that mimics give */
        const lb_variable *variable = lb_figure_variable(figure, i);
        const lb_variable *same = lb_figure_variable(back, lb_figure_find_variable(back, variable->name));
        int is_slide = !variable->is_angle && isinf(variable->upper); /* written as 1000 m */
        CHECK(same && (is_slide || (same->lower == variable->lower && same->upper == variable->upper)));
    }
    lb_kinematics_destroy(one);
    lb_kinematics_destroy(two);
    lb_figure_destroy(back);
    free(pose);
    free(carried);
}

int main(void) {
    char path[4096];
    int found = 0;
    for (size_t i = 0; i < sizeof robots / sizeof robots[0]; ++i) {
        char relative[256];
        snprintf(relative, sizeof relative, "data/urdf/%s", robots[i].path);
        if (!check_shared(relative, path, sizeof path)) {
            continue;
        }
        ++found;
        check_note("%s", robots[i].path);
        lb_figure *figure = urdf_load_file(path, &said);
        if (robots[i].variable_count == REFUSED) {
            CHECK(figure == NULL);
            CHECK_INT(said.error.line, robots[i].line);
            CHECK_HAS(said.error.message, robots[i].says);
            lb_figure_destroy(figure);
            continue;
        }
        if (!CHECK(figure != NULL)) {
            fprintf(stderr, "%s:%d: %s\n", path, said.error.line, said.error.message);
            continue;
        }
        CHECK_INT(lb_figure_variable_count(figure), robots[i].variable_count);
        CHECK_HAS(said.text, robots[i].says);
        check_round_trip(figure);
        lb_figure_destroy(figure);
    }
    if (!found) {
        SKIP("the shared robots are not here");
    }
    return check_done();
}
