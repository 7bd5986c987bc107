/* Human bones by their names, in the words of many programs; and limits that a stranger's character gets by them. */
#include <limber/io.h>

#include "check.h"
#include "io/gltf/gltf.h"
#include <math.h>
#include <string.h>

typedef struct pair {
    const char *name, *is;
} pair;

static const pair mixamo[] = {{"mixamorig:Hips", "pelvis"},
                              {"mixamorig:Spine", "vertebra_L4"},
                              {"mixamorig:Spine1", "vertebra_L1"},
                              {"mixamorig:Spine2", "vertebra_T9"},
                              {"mixamorig:Neck", "neck"},
                              {"mixamorig:Head", "head"},
                              {"mixamorig:HeadTop_End", NULL},
                              {"mixamorig:LeftShoulder", "left_clavicle"},
                              {"mixamorig:LeftArm", "left_upper_arm"},
                              {"mixamorig:LeftForeArm", "left_forearm"},
                              {"mixamorig:LeftHand", "left_hand"},
                              {"mixamorig:LeftHandThumb1", "left_thumb"},
                              {"mixamorig:LeftHandThumb2", "left_thumb_middle"},
                              {"mixamorig:LeftHandThumb3", "left_thumb_tip"},
                              {"mixamorig:LeftHandThumb4", NULL},
                              {"mixamorig:LeftHandIndex1", "left_index"},
                              {"mixamorig:LeftHandIndex2", "left_index_tip"},
                              {"mixamorig:LeftHandIndex3", "left_index_end"},
                              {"mixamorig:RightHandPinky1", "right_little"},
                              {"mixamorig:RightUpLeg", "right_thigh"},
                              {"mixamorig:RightLeg", "right_shank"},
                              {"mixamorig:RightFoot", "right_foot"},
                              {"mixamorig:RightToeBase", "right_toes"},
                              {"mixamorig:RightToe_End", NULL},
                              {NULL, NULL}};
static const pair cmu[] = {{"Hips", "pelvis"},
                           {"LHipJoint", NULL},
                           {"LeftUpLeg", "left_thigh"},
                           {"LeftLeg", "left_shank"},
                           {"LeftFoot", "left_foot"},
                           {"LeftToeBase", "left_toes"},
                           {"LowerBack", "vertebra_L4"},
                           {"Neck", "neck"},
                           {"Head", "head"},
                           {"LeftShoulder", "left_clavicle"},
                           {"LeftArm", "left_upper_arm"},
                           {"LeftForeArm", "left_forearm"},
                           {"LeftHand", "left_hand"},
                           {"LeftFingerBase", NULL},
                           {"LThumb", "left_thumb"},
                           {"lfemur", "left_thigh"},
                           {"rtibia", "right_shank"},
                           {"lhipjoint", NULL},
                           {"rhumerus", "right_upper_arm"},
                           {"lradius", "left_forearm"},
                           {"lclavicle", "left_clavicle"},
                           {"rtoes", "right_toes"},
                           {"lowerneck", "neck"},
                           {"head", "head"},
                           {NULL, NULL}};
static const pair rigify[] = {{"DEF-upper_arm.L", "left_upper_arm"},
                              {"forearm.R", "right_forearm"},
                              {"hand.L", "left_hand"},
                              {"shoulder.R", "right_clavicle"},
                              {"thigh.L", "left_thigh"},
                              {"shin.L", "left_shank"},
                              {"foot.R", "right_foot"},
                              {"toe.R", "right_toes"},
                              {"f_index.01.L", "left_index"},
                              {"f_pinky.03.R", "right_little_end"},
                              {"thumb.02.L", "left_thumb_middle"},
                              {"spine.001", "vertebra_L4"},
                              {"pelvis.L", NULL},
                              {"heel.02.L", NULL},
                              {"breast.L", NULL},
                              {"hand_ik.L", NULL},
                              {"MCH-hand.L", NULL},
                              {NULL, NULL}};
static const pair unreal[] = {{"pelvis", "pelvis"},
                              {"spine_01", "vertebra_L4"},
                              {"spine_03", "vertebra_T9"},
                              {"clavicle_l", "left_clavicle"},
                              {"upperarm_r", "right_upper_arm"},
                              {"upperarm_twist_01_r", NULL},
                              {"lowerarm_l", "left_forearm"},
                              {"hand_l", "left_hand"},
                              {"ik_hand_l", NULL},
                              {"index_01_l", "left_index"},
                              {"pinky_03_r", "right_little_end"},
                              {"thumb_01_r", "right_thumb"},
                              {"index_metacarpal_l", NULL},
                              {"thigh_l", "left_thigh"},
                              {"calf_r", "right_shank"},
                              {"foot_l", "left_foot"},
                              {"ball_l", "left_toes"},
                              {"neck_01", "neck"},
                              {NULL, NULL}};
static const pair biped[] = {{"Bip01 Pelvis", "pelvis"},
                             {"Bip01", NULL},
                             {"Bip01 Spine", "vertebra_L4"},
                             {"Bip01 L Clavicle", "left_clavicle"},
                             {"Bip01 L UpperArm", "left_upper_arm"},
                             {"Bip01 R Forearm", "right_forearm"},
                             {"Bip001 R Hand", "right_hand"},
                             {"Bip01 L Thigh", "left_thigh"},
                             {"Bip01 L Calf", "left_shank"},
                             {"Bip01 L Toe0", "left_toes"},
                             {"Bip01 Head", "head"},
                             {"Bip01 HeadNub", NULL},
                             {"ValveBiped.Bip01_R_Foot", "right_foot"},
                             {NULL, NULL}};
static const pair makehuman[] = {{"upperarm01.L", "left_upper_arm"},
                                 {"upperarm02.L", NULL},
                                 {"lowerarm01.R", "right_forearm"},
                                 {"lowerarm02.R", "right_lower_forearm"},
                                 {"wrist.L", "left_hand"},
                                 {"finger1-1.L", "left_thumb"},
                                 {"finger2-1.L", "left_index"},
                                 {"finger5-3.R", "right_little_end"},
                                 {"clavicle.L", "left_clavicle"},
                                 {"upperleg01.L", "left_thigh"},
                                 {"lowerleg01.R", "right_shank"},
                                 {"foot.L", "left_foot"},
                                 {"neck01", "neck"},
                                 {"eye.R", "right_eyeball"},
                                 {"jaw", "jaw"},
                                 {NULL, NULL}};
static const pair vrm[] = {{"J_Bip_C_Hips", "pelvis"},
                           {"J_Bip_C_UpperChest", "vertebra_L4"},
                           {"J_Bip_L_UpperArm", "left_upper_arm"},
                           {"J_Bip_R_LowerLeg", "right_shank"},
                           {"J_Sec_Hair1_01", NULL},
                           {"leftIndexProximal", "left_index"},
                           {"rightLittleDistal", "right_little_end"},
                           {"rightUpperLeg", "right_thigh"},
                           {"leftToes", "left_toes"},
                           {NULL, NULL}};
static const pair no_bones[] = {
    {"", NULL},         {"Camera", NULL},       {"Cube.001", NULL},       {"left", NULL},       {"L", NULL},
    {"kneeIK.l", NULL}, {"PoleTarget.L", NULL}, {"left right arm", NULL}, {"handslot.l", NULL}, {"123", NULL},
    {NULL, NULL}};

static void check_names(const char *program, const pair *list) {
    for (int i = 0; list[i].name; i++) {
        check_note("%s: %s", program, list[i].name);
        CHECK_TEXT(lb_human_name(list[i].name), list[i].is);
    }
    check_note("%s", "");
}

/* A skeleton by names and parents: what each bone is. */
static void check_map(const char *program, int count, const char *const *names, const int *parents,
                      const char *const *wanted) {
    int parts[64], scratch[64];
    lbio_map_human(count, names, parents, parts, scratch);
    for (int i = 0; i < count; i++) {
        check_note("%s: %s", program, names[i]);
        CHECK_TEXT(lbio_part_name(parts[i]), wanted[i]);
    }
    check_note("%s", "");
}

/* Where the rest of the skeleton decides. */
static void check_context(void) {
    static const char *const joints[] = {"Hips",         "Chest",       "Neck",          "Head",      "LeftCollar",
                                         "LeftShoulder", "LeftElbow",   "LeftWrist",     "LeftHip",   "LeftKnee",
                                         "LeftAnkle",    "RightCollar", "RightShoulder", "RightElbow"};
    static const int joint_parents[] = {-1, 0, 1, 2, 1, 4, 5, 6, 0, 8, 9, 1, 11, 12};
    static const char *const are[] = {
        "pelvis",    "vertebra_L4", "neck",       "head",      "left_clavicle",  "left_upper_arm",  "left_forearm",
        "left_hand", "left_thigh",  "left_shank", "left_foot", "right_clavicle", "right_upper_arm", "right_forearm"};
    check_map("names of joints", 14, joints, joint_parents, are);

    static const char *const metarig[] = {"spine",       "spine.001", "spine.002",  "spine.003",   "spine.004",
                                          "spine.005",   "spine.006", "shoulder.L", "upper_arm.L", "shoulder.R",
                                          "upper_arm.R", "pelvis.L",  "thigh.L",    "thigh.R"};
    static const int metarig_parents[] = {-1, 0, 1, 2, 3, 4, 5, 3, 7, 3, 9, 0, 0, 0};
    static const char *const metarig_are[] = {
        "pelvis",        "vertebra_L4",    "vertebra_L1",    "vertebra_T9",     "neck", "neck_top",   "head",
        "left_clavicle", "left_upper_arm", "right_clavicle", "right_upper_arm", NULL,   "left_thigh", "right_thigh"};
    check_map("Rigify's metarig", 14, metarig, metarig_parents, metarig_are);

    static const char *const mass[] = {
        "root",   "spine05", "spine04",  "spine03",      "spine02",      "spine01",      "neck01",   "neck02",
        "neck03", "head",    "pelvis.L", "upperleg01.L", "upperleg02.L", "lowerleg01.L", "pelvis.R", "upperleg01.R"};
    static const int mass_parents[] = {-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 0, 10, 11, 12, 0, 14};
    static const char *const mass_are[] = {
        "pelvis", "vertebra_L4", "vertebra_L1", "vertebra_T9", "vertebra_T5", "vertebra_T1", "neck", "neck_top",
        NULL,     "head",        NULL,          "left_thigh",  NULL,          "left_shank",  NULL,   "right_thigh"};
    check_map("MakeHuman", 16, mass, mass_parents, mass_are);

    static const char *const fingers[] = {"Bip01 L Hand",       "Bip01 L Finger0",  "Bip01 L Finger01",
                                          "Bip01 L Finger02",   "Bip01 L Finger1",  "Bip01 L Finger11",
                                          "thumb_metacarpal_R", "thumb_proximal_R", "thumb_distal_R"};
    static const int finger_parents[] = {-1, 0, 1, 2, 0, 4, -1, 6, 7};
    static const char *const finger_are[] = {"left_hand",      "left_thumb",         "left_thumb_middle",
                                             "left_thumb_tip", "left_index",         "left_index_tip",
                                             "right_thumb",    "right_thumb_middle", "right_thumb_tip"};
    check_map("fingers", 9, fingers, finger_parents, finger_are);
}

/* The names of models/human.fig are their own. */
static void check_model(void) {
    char path[512];
    lb_figure *figure = NULL;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    const char **names = calloc((size_t)lb_figure_segment_count(figure), sizeof *names);
    int found = lb_figure_human_names(figure, names);
    CHECK(found >= 40);
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        if (names[i]) {
            CHECK_TEXT(names[i], lb_figure_segment(figure, i)->name);
        }
    }
    /* every part but these is a segment of the model */
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        const char *name = lbio_part_name(part);
        int is_extra = strstr(name, "_end") || strstr(name, "thumb_middle") || strcmp(name, "neck_top") == 0 ||
                       strcmp(name, "jaw") == 0;
        check_note("%s", name);
        CHECK_INT(lb_figure_find_segment(figure, name) >= 0, !is_extra);
    }
    check_note("%s", "");
    CHECK_INT(lb_figure_human_names(NULL, names), LB_ERROR_ARGUMENT);
    free(names);
    lb_figure_destroy(figure);
}

/* Whether a swing is inside a polygon of either orientation. */
static int is_inside(const lbio_part_limits *limits, double a, double b, double tolerance) {
    int left = 0, right = 0;
    for (int i = 0; i < limits->swing_count; i++) {
        const double *p = limits->swing[i], *q = limits->swing[(i + 1) % limits->swing_count];
        double length = hypot(q[0] - p[0], q[1] - p[1]);
        double side = ((q[0] - p[0]) * (b - p[1]) - (q[1] - p[1]) * (a - p[0])) / length;
        left |= side > tolerance;
        right |= side < -tolerance;
    }
    return !(left && right);
}

/* What the model's joints do at random lies inside the limits that strangers get; the shoulder's as a whole. */
static void check_ranges(void) {
    static const struct {
        const char *parent, *segment;
        int part;
        double share; /* of the poses */
    } bones[] = {{"pelvis", "right_thigh", LBIO_THIGH + 1, 0.95},
                 {"pelvis", "left_thigh", LBIO_THIGH, 0.95},
                 {"left_thigh", "left_shank", LBIO_SHANK, 1},
                 {"right_shank", "right_foot", LBIO_FOOT + 1, 0.99},
                 {"vertebra_T1", "right_upper_arm", LBIO_UPPER_ARM + 1, 0.98},
                 {"vertebra_T1", "left_upper_arm", LBIO_UPPER_ARM, 0.98},
                 {"right_upper_arm", "right_forearm", LBIO_FOREARM + 1, 1},
                 {"left_upper_arm", "left_forearm", LBIO_FOREARM, 1},
                 {"right_lower_forearm", "right_hand", LBIO_HAND + 1, 0.99},
                 {"left_hand", "left_index", LBIO_INDEX, 1},
                 {"right_index", "right_index_tip", LBIO_INDEX + 3, 1}};
    char path[512];
    lb_figure *figure = NULL;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    lb_kinematics *neutral = lb_kinematics_create(figure, NULL), *kinematics = lb_kinematics_create(figure, NULL);
    double *pose = calloc((size_t)lb_figure_variable_count(figure), sizeof *pose);
    unsigned char has[LBIO_PART_COUNT];
    memset(has, 1, sizeof has);
    lb_kinematics_update(neutral, pose);
    for (size_t i = 0; i < sizeof bones / sizeof bones[0]; i++) {
        int ends[2] = {lb_figure_find_segment(figure, bones[i].parent),
                       lb_figure_find_segment(figure, bones[i].segment)};
        lbio_part_limits limits;
        int inside = 0, count = 2000;
        uint64_t seed = 5;
        REQUIRE(lbio_part_limits_of(bones[i].part, has, 5, &limits));
        for (int n = 0; n < count; n++) {
            double turned[2][4], back[4], swing[3];
            lb_figure_random_pose(figure, &seed, pose);
            lb_kinematics_update(kinematics, pose);
            for (int k = 0; k < 2; k++) {
                lb_frame now, before;
                lb_kinematics_segment(kinematics, ends[k], &now);
                lb_kinematics_segment(neutral, ends[k], &before);
                lbio_rotation_conjugate(before.rotation, back);
                lb_rotation_multiply(now.rotation, back, turned[k]);
            }
            lb_rotation_multiply(turned[0], limits.zero, turned[0]);
            lbio_rotation_conjugate(turned[0], back);
            lb_rotation_multiply(back, turned[1], turned[1]);
            lbio_rotation_swing_twist(turned[1], swing);
            inside += is_inside(&limits, swing[0], swing[1], 1e-6) && swing[2] >= limits.twist[0] - 1e-6 &&
                      swing[2] <= limits.twist[1] + 1e-6;
        }
        check_note("%s: %d of %d", bones[i].segment, inside, count);
        CHECK(inside >= bones[i].share * count);
    }
    check_note("%s", "");
    free(pose);
    lb_kinematics_destroy(neutral);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
}

/* ---------------------------------------------------------------------------------------------------
 * Characters
 * ------------------------------------------------------------------------------------------------- */

typedef struct character {
    lb_figure *figure;
    lb_kinematics *kinematics;
    double *pose;
    const char **names;
} character;

static int bone(const character *c, const char *name) {
    for (int i = 0; i < lb_figure_segment_count(c->figure); i++) {
        if (c->names[i] && strcmp(c->names[i], name) == 0) {
            return i;
        }
    }
    return -1;
}

static void set(character *c, int segment, int dof, double value) {
    int joint = lb_figure_parent_joint(c->figure, segment);
    dof += lb_joint_type_dof_count(&lb_figure_joint(c->figure, joint)->type) - 3; /* those that shift come first */
    int variable = lb_figure_variable_of(c->figure, &(lb_dof_ref){joint, dof, -1});
    REQUIRE(variable >= 0);
    c->pose[variable] = value;
}

static void place(const character *c, int segment, double at[3]) {
    lb_frame frame;
    lb_kinematics_update(c->kinematics, c->pose);
    lb_kinematics_segment(c->kinematics, segment, &frame);
    memcpy(at, frame.position, 3 * sizeof *at);
}

/* A knee bends backward, an elbow forward, once the arm hangs; and the swing that lets the arm hang is allowed. */
static void check_bends(character *c, const char *side) {
    char name[5][32];
    static const char *const parts[5] = {"upper_arm", "forearm", "hand", "shank", "foot"};
    int bones[5];
    double elbow[3], hand[3], shoulder[3], knee[3], foot[3];
    for (int i = 0; i < 5; i++) {
        snprintf(name[i], sizeof name[i], "%s_%s", side, parts[i]);
        bones[i] = bone(c, name[i]);
        if (bones[i] < 0) {
            return; /* not every character has them all */
        }
    }
    if (lb_figure_parent_segment(c->figure, bones[4]) != bones[3]) {
        return; /* feet that hang on nothing, for inverse kinematics elsewhere */
    }
    lb_figure_rest_pose(c->figure, c->pose);
    for (int dof = 0; dof < 3; dof++) {
        set(c, bones[3], dof, dof == 1 ? 1.5 : 0);
    }
    CHECK_NEAR(lb_figure_violation(c->figure, c->pose), 0, 1e-9);
    place(c, bones[3], knee);
    place(c, bones[4], foot);
    CHECK(knee[0] - foot[0] > 0.8 * fabs(knee[2] - foot[2]));

    /* the zero of the arm's swing points ahead and outward: from there back by 70 degrees, it hangs */
    double sign = side[0] == 'r' ? 1 : -1, turn = 70 * 3.14159265358979323846 / 180;
    set(c, bones[0], 0, sign * 0.5 * turn);
    set(c, bones[0], 1, 0.86602540378443865 * turn);
    set(c, bones[0], 2, 0);
    for (int dof = 0; dof < 3; dof++) {
        set(c, bones[1], dof, 0);
    }
    CHECK_NEAR(lb_figure_violation(c->figure, c->pose), 0, 1e-9);
    place(c, bones[0], shoulder);
    place(c, bones[1], elbow);
    place(c, bones[2], hand);
    double length = shoulder[2] - elbow[2];
    CHECK(length > 0 && fabs(shoulder[0] - elbow[0]) < 0.3 * length && fabs(shoulder[1] - elbow[1]) < 0.3 * length);
    CHECK(elbow[2] - hand[2] > 0 && fabs(elbow[0] - hand[0]) < 0.3 * (elbow[2] - hand[2]));
    set(c, bones[1], 1, -1.5);
    CHECK_NEAR(lb_figure_violation(c->figure, c->pose), 0, 1e-9);
    place(c, bones[2], hand);
    CHECK(hand[0] - elbow[0] > 0.8 * fabs(hand[2] - elbow[2]) && hand[0] - elbow[0] > 0.5 * fabs(hand[1] - elbow[1]));
}

static void check_character(const char *relative, int least) {
    char path[512];
    lb_load_options options;
    character c;
    lb_error error;
    if (!check_shared(relative, path, sizeof path)) {
        return;
    }
    lb_load_options_defaults(&options);
    options.anatomical_limits = 1;
    REQUIRE(lb_figure_load(path, &options, &c.figure, &error) == LB_OK);
    c.kinematics = lb_kinematics_create(c.figure, NULL);
    c.pose = calloc((size_t)lb_figure_variable_count(c.figure) + 1, sizeof *c.pose);
    c.names = calloc((size_t)lb_figure_segment_count(c.figure) + 1, sizeof *c.names);
    int found = lb_figure_human_names(c.figure, c.names);
    check_note("%s: %d bones", relative, found);
    CHECK(found >= least);
    static const char *const always[] = {"pelvis",     "head",        "left_upper_arm", "right_upper_arm",
                                         "left_thigh", "right_thigh", "left_shank",     "right_shank"};
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        check_note("%s: %s", relative, always[i]);
        CHECK(bone(&c, always[i]) >= 0);
    }
    check_note("%s", relative);
    /* as it came, it is inside its limits, and where it was without them */
    lb_figure *plain = NULL;
    REQUIRE(lb_figure_load(path, NULL, &plain, &error) == LB_OK);
    lb_kinematics *other = lb_kinematics_create(plain, NULL);
    lb_figure_rest_pose(c.figure, c.pose);
    CHECK_NEAR(lb_figure_violation(c.figure, c.pose), 0, 1e-9);
    for (int i = 0; i < lb_figure_segment_count(plain); i++) {
        lb_frame a, b;
        lb_kinematics_segment(other, i, &a);
        lb_kinematics_segment(c.kinematics, i, &b);
        CHECK_NEAR(
            hypot(hypot(a.position[0] - b.position[0], a.position[1] - b.position[1]), a.position[2] - b.position[2]),
            0, 1e-9);
    }
    CHECK(lb_figure_row_count(c.figure) > 0);
    check_bends(&c, "left");
    check_bends(&c, "right");
    check_note("%s", "");
    lb_kinematics_destroy(other);
    lb_figure_destroy(plain);
    lb_kinematics_destroy(c.kinematics);
    lb_figure_destroy(c.figure);
    free(c.pose);
    free(c.names);
}

/* Motion capture: every limb is found. */
static void check_capture(const char *relative) {
    static const char *const always[] = {
        "pelvis",     "head",       "left_upper_arm", "right_upper_arm", "left_forearm", "right_forearm", "left_hand",
        "right_hand", "left_thigh", "right_thigh",    "left_shank",      "right_shank",  "left_foot",     "right_foot"};
    char path[512];
    lb_figure *figure = NULL;
    if (!check_shared(relative, path, sizeof path)) {
        return;
    }
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    character c = {figure, NULL, NULL, calloc((size_t)lb_figure_segment_count(figure), sizeof(char *))};
    CHECK(lb_figure_human_names(figure, c.names) >= 18);
    for (size_t i = 0; i < sizeof always / sizeof always[0]; i++) {
        check_note("%s: %s", relative, always[i]);
        CHECK(bone(&c, always[i]) >= 0);
    }
    check_note("%s", "");
    free(c.names);
    lb_figure_destroy(figure);
}

static int warned;
static void count_warning(void *context, const lb_error *warning) {
    (void)context;
    warned += strstr(warning->message, "stands upright") != NULL;
}

static void check_characters(void) {
    char path[512];
    lb_load_options options;
    lb_figure *figure = NULL;
    if (!check_shared("data/gltf/Fox.glb", path, sizeof path)) {
        printf("the characters were not checked: ../shared/data/gltf is not there\n");
        return;
    }
    check_character("data/gltf/CesiumMan.glb", 18);
    check_character("data/gltf/RiggedFigure.glb", 18);
    check_character("data/gltf/KayKit_Knight.glb", 18);
    check_character("data/gltf/RobotExpressive.glb", 14);
    check_character("data/vrm/Example_vrm1.vrm", 50);
    check_character("data/vrm/Godette_vrm0.vrm", 15);
    check_character("data/vrm/basic_armature_vrm0.vrm", 50);
    check_character("data/vrm/basic_armature_vrm1.vrm", 50);
    check_character("data/vrm/multi_root_armature_vrm1.vrm", 17);
    check_character("data/vrm/test.vrma", 50);
    check_capture("data/bvh/cmu/02_01_walk.bvh");
    check_capture("data/bvh/other/fair1_jumping.bvh");
    check_capture("data/bvh/other/mh_walk1.bvh");
    check_capture("data/bvh/other/pymo_8walk_meredith.bvh");
    check_capture("data/bvh/other/rokoko_jesse_dance.bvh");
    check_capture("data/bvh/quirks/mh_tpose_6ch.bvh");
    check_capture("data/bvh/quirks/boxing_toes_extra_row.bvh");
    check_capture("data/bvh/quirks/geno_stance_6ch_exp.bvh");
    check_capture("data/bvh/quirks/four_rotation_orders.bvh");
    /* a fox is no person */
    lb_load_options_defaults(&options);
    options.anatomical_limits = 1;
    options.warn = count_warning;
    REQUIRE(check_shared("data/gltf/Fox.glb", path, sizeof path));
    REQUIRE(lb_figure_load(path, &options, &figure, NULL) == LB_OK);
    CHECK_INT(warned, 1);
    CHECK_INT(lb_figure_row_count(figure), 0);
    lb_figure_destroy(figure);
}

/* The model itself as a character: all joints of its body are limited, also those that have no part. */
static void check_whole(void) {
    char path[512], out[512];
    lb_figure *figure = NULL, *again = NULL;
    lb_load_options options;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    check_scratch("human.glb", out, sizeof out);
    REQUIRE(lb_figure_save(figure, out, NULL, NULL) == LB_OK);
    lb_load_options_defaults(&options);
    options.anatomical_limits = 1;
    REQUIRE(lb_figure_load(out, &options, &again, NULL) == LB_OK);
    int limited = 0;
    for (int i = 0; i < lb_figure_joint_count(again); i++) {
        const lb_joint *joint = lb_figure_joint(again, i);
        limited += joint->swing_count > 0;
        check_note("%s", joint->name);
        CHECK(joint->swing_count > 0 || strcmp(joint->name, "human") == 0 || strcmp(joint->name, "pelvis") == 0);
    }
    check_note("%s", "");
    CHECK(limited > 50);
    lb_figure_destroy(figure);
    lb_figure_destroy(again);
}

int main(void) {
    check_names("Mixamo", mixamo);
    check_names("CMU", cmu);
    check_names("Rigify", rigify);
    check_names("Unreal", unreal);
    check_names("Biped", biped);
    check_names("MakeHuman", makehuman);
    check_names("VRM", vrm);
    check_names("none", no_bones);
    CHECK(lb_human_name(NULL) == NULL);
    check_context();
    check_model();
    check_ranges();
    check_whole();
    check_characters();
    return check_done();
}
