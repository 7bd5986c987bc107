/* The robots in models/ move as published poses, and as the same robots' URDFs, say. */
#include "check.h"
#include "model.h"

#include <math.h>
#include <string.h>

/* Positions of the wrist that Corke's Robotics Toolbox documents for its Puma 560, from the shoulder. */
static void test_puma(void) {
    static const char *const names[6] = {"waist", "shoulder", "elbow", "wrist1", "wrist2", "wrist3"};
    static const double poses[3][6] = {{0, 0, 0, 0, 0, 0},             /* qz */
                                       {0, PI / 2, -PI / 2, 0, 0, 0},  /* qr */
                                       {0, PI / 4, PI, 0, PI / 4, 0}}; /* qn */
    static const double wrists[3][3] = {
        {0.4521, -0.15005, 0.4318}, {0.0203, -0.15005, 0.8636}, {0.5963, -0.15005, -0.0144}};
    model m = open_model("puma560", NULL);
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 6; k++) {
            set(&m, names[k], poses[i][k]);
        }
        lb_kinematics_update(m.kinematics, m.pose);
        lb_frame wrist = site_frame(&m, "wrist"), shoulder = site_frame(&m, "stand.shoulder");
        for (int k = 0; k < 3; k++) {
            CHECK_NEAR(wrist.position[k] - shoulder.position[k], wrists[i][k], 5.1e-5); /* as printed: 4 digits */
        }
    }
    close_model(&m);
}

/* fetch8 with its torso down is fetch7; stretched out, the arm is as long as its parts. */
static void test_fetch(void) {
    model seven = open_model("fetch7", NULL), eight = open_model("fetch8", NULL);
    uint64_t seed = 11;
    for (int i = 0; i < 20; i++) {
        lb_figure_random_pose(seven.figure, &seed, seven.pose);
        CHECK_INT(lb_pose_carry(seven.figure, seven.pose, eight.figure, eight.pose), 7);
        set(&eight, "torso_lift", 0);
        lb_kinematics_update(seven.kinematics, seven.pose);
        lb_kinematics_update(eight.kinematics, eight.pose);
        lb_frame a = site_frame(&seven, "tool"), b = site_frame(&eight, "tool");
        CHECK(distance(a.position, b.position) < 1e-12 && turn_between(a.rotation, b.rotation) < 1e-12);
    }
    memset(eight.pose, 0, sizeof eight.pose);
    set(&eight, "torso_lift", 0.3);
    lb_kinematics_update(eight.kinematics, eight.pose);
    lb_frame tool = site_frame(&eight, "tool");
    CHECK_NEAR(tool.position[0], 1.1281, 1e-12);
    CHECK_NEAR(tool.position[2], 0.78601 + 0.3, 1e-12);
    close_model(&seven);
    close_model(&eight);
}

/* A model, a URDF of the same robot, and what in them is the same. */
typedef struct twin {
    const char *model, *urdf;
    const char *base, *tool;   /* sites of the model */
    const char *link0, *link1; /* links of the URDF */
    int count;
    const char *joints[7], *urdf_joints[7];
    double tolerance;   /* of frames: the URDFs write angles with 9 to 16 digits */
    unsigned different; /* bits: joints whose ranges differ, because the URDF's is not the manufacturer's */
} twin;

/* clang-format off */
static const twin TWINS[] = {
    {"panda", "data/urdf/arms/panda.urdf", "link0.base", "flange", "panda_link0", "panda_link8", 7,
     {"joint1", "joint2", "joint3", "joint4", "joint5", "joint6", "joint7"},
     {"panda_joint1", "panda_joint2", "panda_joint3", "panda_joint4", "panda_joint5", "panda_joint6", "panda_joint7"},
     1e-12, 0},
    {"panda", "data/urdf/arms/panda.urdf", "link0.base", "tool", "panda_link0", "panda_hand_tcp", 7,
     {"joint1", "joint2", "joint3", "joint4", "joint5", "joint6", "joint7"},
     {"panda_joint1", "panda_joint2", "panda_joint3", "panda_joint4", "panda_joint5", "panda_joint6", "panda_joint7"},
     1e-12, 0},
    {"iiwa14", "data/urdf/arms/iiwa14.urdf", "base.floor", "flange", "iiwa_link_0", "iiwa_link_ee_kuka", 7,
     {"a1", "a2", "a3", "a4", "a5", "a6", "a7"},
     {"iiwa_joint_1", "iiwa_joint_2", "iiwa_joint_3", "iiwa_joint_4", "iiwa_joint_5", "iiwa_joint_6", "iiwa_joint_7"},
     1e-12, 0},
    {"ur5", "data/urdf/arms/ur5_robot.urdf", "base.floor", "flange", "base_link", "tool0", 6,
     {"shoulder_pan", "shoulder_lift", "elbow", "wrist1", "wrist2", "wrist3"},
     {"shoulder_pan_joint", "shoulder_lift_joint", "elbow_joint", "wrist_1_joint", "wrist_2_joint", "wrist_3_joint"},
     1e-9, 1u << 2},
    {"irb120", "data/urdf/arms/abb_irb120.urdf", "base.floor", "flange", "base_link", "tool0", 6,
     {"axis1", "axis2", "axis3", "axis4", "axis5", "axis6"},
     {"joint_1", "joint_2", "joint_3", "joint_4", "joint_5", "joint_6"},
     1e-12, 0},
    {"pr2_arm", "data/urdf/dual_mobile/pr2_tracik.urdf", "torso.base", "flange", "torso_lift_link",
     "r_wrist_roll_link", 7,
     {"shoulder_pan", "shoulder_lift", "upper_arm_roll", "elbow_flex", "forearm_roll", "wrist_flex", "wrist_roll"},
     {"r_shoulder_pan_joint", "r_shoulder_lift_joint", "r_upper_arm_roll_joint", "r_elbow_flex_joint",
      "r_forearm_roll_joint", "r_wrist_flex_joint", "r_wrist_roll_joint"},
     1e-12, 0},
    {"baxter_arm", "data/urdf/dual_mobile/baxter.urdf", "torso.base", "tool", "torso", "right_gripper", 7,
     {"s0", "s1", "e0", "e1", "w0", "w1", "w2"},
     {"right_s0", "right_s1", "right_e0", "right_e1", "right_w0", "right_w1", "right_w2"},
     1e-9, 0},
};
/* clang-format on */

static void check_range(const twin *t, int joint, const lb_variable *ours, const lb_variable *theirs) {
    check_note("%s: range of %s", t->urdf, t->joints[joint]);
    int same = (ours->lower == theirs->lower || fabs(ours->lower - theirs->lower) < 1e-3) &&
               (ours->upper == theirs->upper || fabs(ours->upper - theirs->upper) < 1e-3);
    CHECK_INT(same, !((t->different >> joint) & 1u));
    check_note("%s", "");
}

/* link1 as link0 sees it */
static lb_frame relative(const lb_frame *base, const lb_frame *tool) {
    lb_frame out;
    lb_frame_invert(base, &out);
    lb_frame_multiply(&out, tool, &out);
    return out;
}

static void check_twin(const twin *t, const char *path) {
    static double poses[2048];
    uint64_t seed = 5;
    lb_figure *urdf = NULL;
    lb_error error;
    model m = open_model(t->model, NULL);
    check_note("%s", t->urdf);
    REQUIRE(lb_figure_load(path, NULL, &urdf, &error) == LB_OK);
    REQUIRE(lb_figure_variable_count(urdf) < 2048);
    lb_kinematics *kinematics = lb_kinematics_create(urdf, NULL);
    REQUIRE(kinematics);
    lb_figure_rest_pose(urdf, poses);
    int link0 = lb_figure_find_segment(urdf, t->link0), link1 = lb_figure_find_segment(urdf, t->link1);
    double worst = 0;
    for (int round = 0; round < 200; round++) {
        lb_frame base, tool;
        lb_figure_random_pose(m.figure, &seed, m.pose);
        for (int i = 0; i < t->count; i++) {
            int ours = lb_figure_find_variable(m.figure, t->joints[i]);
            int theirs = lb_figure_find_variable(urdf, t->urdf_joints[i]);
            REQUIRE(ours >= 0 && theirs >= 0);
            poses[theirs] = m.pose[ours];
            if (round == 0) {
                check_range(t, i, lb_figure_variable(m.figure, ours), lb_figure_variable(urdf, theirs));
            }
        }
        lb_kinematics_update(m.kinematics, m.pose);
        lb_kinematics_update(kinematics, poses);
        lb_frame base_w = site_frame(&m, t->base), tool_w = site_frame(&m, t->tool);
        REQUIRE(lb_kinematics_segment(kinematics, link0, &base) == LB_OK);
        REQUIRE(lb_kinematics_segment(kinematics, link1, &tool) == LB_OK);
        lb_frame ours = relative(&base_w, &tool_w), theirs = relative(&base, &tool);
        worst = fmax(worst, distance(ours.position, theirs.position));
        worst = fmax(worst, turn_between(ours.rotation, theirs.rotation));
    }
    check_note("%s against %s", t->model, t->urdf);
    CHECK_NEAR(worst, 0, t->tolerance);
    check_note("%s", "");
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(urdf);
    close_model(&m);
}

/* Not the Puma: the shared URDF has the elbow's 20.3 mm on the other side of joint 3, which is another arm. */
static int test_twins(void) {
    int compared = 0;
    for (int i = 0; i < (int)(sizeof TWINS / sizeof TWINS[0]); i++) {
        char path[1024];
        if (check_shared(TWINS[i].urdf, path, sizeof path)) {
            check_twin(&TWINS[i], path);
            compared++;
        }
    }
    return compared;
}

int main(void) {
    test_puma();
    test_fetch();
    if (test_twins() == 0) {
        printf("no URDFs in ../shared: the robots were not compared with them\n");
    }
    return check_done();
}
