/* Whole skeletons in the words of many programs: each part is found, and the motion goes over to the human. A VRM's own map
 * counts where its names say nothing. */
#include "check.h"
#include "person.h"
#include <string.h>

typedef struct rig {
    const char *program;
    const char *names[PERSON_BONES];
} rig;

static const rig rigs[] = {
    {"Rigify",
     {"DEF-spine",      "DEF-spine.001",   "DEF-spine.003",   "DEF-spine.004", "DEF-spine.006", "DEF-shoulder.L",
      "DEF-shoulder.R", "DEF-upper_arm.L", "DEF-upper_arm.R", "DEF-forearm.L", "DEF-forearm.R", "DEF-hand.L",
      "DEF-hand.R",     "DEF-thigh.L",     "DEF-thigh.R",     "DEF-shin.L",    "DEF-shin.R",    "DEF-foot.L",
      "DEF-foot.R",     "DEF-toe.L",       "DEF-toe.R"}},
    {"Unreal", {"pelvis",     "spine_01",   "spine_03",   "neck_01",    "head",   "clavicle_l", "clavicle_r",
                "upperarm_l", "upperarm_r", "lowerarm_l", "lowerarm_r", "hand_l", "hand_r",     "thigh_l",
                "thigh_r",    "calf_l",     "calf_r",     "foot_l",     "foot_r", "ball_l",     "ball_r"}},
    {"VRoid", {"J_Bip_C_Hips",     "J_Bip_C_Spine",    "J_Bip_C_UpperChest", "J_Bip_C_Neck",     "J_Bip_C_Head",
               "J_Bip_L_Shoulder", "J_Bip_R_Shoulder", "J_Bip_L_UpperArm",   "J_Bip_R_UpperArm", "J_Bip_L_LowerArm",
               "J_Bip_R_LowerArm", "J_Bip_L_Hand",     "J_Bip_R_Hand",       "J_Bip_L_UpperLeg", "J_Bip_R_UpperLeg",
               "J_Bip_L_LowerLeg", "J_Bip_R_LowerLeg", "J_Bip_L_Foot",       "J_Bip_R_Foot",     "J_Bip_L_ToeBase",
               "J_Bip_R_ToeBase"}},
    {"Biped", {"Bip01 Pelvis",     "Bip01 Spine",      "Bip01 Spine2",     "Bip01 Neck",       "Bip01 Head",
               "Bip01 L Clavicle", "Bip01 R Clavicle", "Bip01 L UpperArm", "Bip01 R UpperArm", "Bip01 L Forearm",
               "Bip01 R Forearm",  "Bip01 L Hand",     "Bip01 R Hand",     "Bip01 L Thigh",    "Bip01 R Thigh",
               "Bip01 L Calf",     "Bip01 R Calf",     "Bip01 L Foot",     "Bip01 R Foot",     "Bip01 L Toe0",
               "Bip01 R Toe0"}},
    {"MakeHuman",
     {"root",         "spine05",      "spine01",      "neck01",       "head",    "clavicle.L", "clavicle.R",
      "upperarm01.L", "upperarm01.R", "lowerarm01.L", "lowerarm01.R", "wrist.L", "wrist.R",    "upperleg01.L",
      "upperleg01.R", "lowerleg01.L", "lowerleg01.R", "foot.L",       "foot.R",  "toe1-1.L",   "toe1-1.R"}},
    {"Daz Genesis 8", {"hip",        "abdomenLower", "chestUpper",   "neckLower",    "head",  "lCollar", "rCollar",
                       "lShldrBend", "rShldrBend",   "lForearmBend", "rForearmBend", "lHand", "rHand",   "lThighBend",
                       "rThighBend", "lShin",        "rShin",        "lFoot",        "rFoot", "lToe",    "rToe"}},
    {"Daz Genesis 9", {"hip",        "spine1",     "spine4",    "neck1",     "head",   "l_shoulder", "r_shoulder",
                       "l_upperarm", "r_upperarm", "l_forearm", "r_forearm", "l_hand", "r_hand",     "l_thigh",
                       "r_thigh",    "l_shin",     "r_shin",    "l_foot",    "r_foot", "l_toes",     "r_toes"}},
    {"SMPL", {"Pelvis",     "Spine1",     "Spine3",  "Neck",    "Head",    "L_Collar", "R_Collar",
              "L_Shoulder", "R_Shoulder", "L_Elbow", "R_Elbow", "L_Wrist", "R_Wrist",  "L_Hip",
              "R_Hip",      "L_Knee",     "R_Knee",  "L_Ankle", "R_Ankle", "L_Foot",   "R_Foot"}},
    {"SMPL-X",
     {"pelvis",        "spine1",         "spine3",     "neck",        "head",        "left_collar", "right_collar",
      "left_shoulder", "right_shoulder", "left_elbow", "right_elbow", "left_wrist",  "right_wrist", "left_hip",
      "right_hip",     "left_knee",      "right_knee", "left_ankle",  "right_ankle", "left_foot",   "right_foot"}},
    {"CMU, ASF", {"root",     "lowerback", "thorax",  "lowerneck", "head",  "lclavicle", "rclavicle",
                  "lhumerus", "rhumerus",  "lradius", "rradius",   "lhand", "rhand",     "lfemur",
                  "rfemur",   "ltibia",    "rtibia",  "lfoot",     "rfoot", "ltoes",     "rtoes"}},
    {"Xsens",
     {"Pelvis",
      "L5",
      "T8",
      "Neck",
      "Head",
      "LeftShoulder",
      "RightShoulder",
      "LeftUpperArm",
      "RightUpperArm",
      "LeftForeArm",
      "RightForeArm",
      "LeftHand",
      "RightHand",
      "LeftUpperLeg",
      "RightUpperLeg",
      "LeftLowerLeg",
      "RightLowerLeg",
      "LeftFoot",
      "RightFoot",
      "LeftToe",
      "RightToe"}},
};

static const int parts[PERSON_BONES] = {LB_BODY_PART_PELVIS,        -1, /* any part of the spine */
                                        LB_BODY_PART_CHEST,         LB_BODY_PART_NECK,
                                        LB_BODY_PART_HEAD,          LB_BODY_PART_CLAVICLE,
                                        LB_BODY_PART_CLAVICLE + 1,  LB_BODY_PART_UPPER_ARM,
                                        LB_BODY_PART_UPPER_ARM + 1, LB_BODY_PART_FOREARM,
                                        LB_BODY_PART_FOREARM + 1,   LB_BODY_PART_HAND,
                                        LB_BODY_PART_HAND + 1,      LB_BODY_PART_THIGH,
                                        LB_BODY_PART_THIGH + 1,     LB_BODY_PART_SHANK,
                                        LB_BODY_PART_SHANK + 1,     LB_BODY_PART_FOOT,
                                        LB_BODY_PART_FOOT + 1,      LB_BODY_PART_TOES,
                                        LB_BODY_PART_TOES + 1};

static void check_map(const lb_figure *figure, const lb_figure *human, const char *const *names, const char *program) {
    lb_body_map map;
    REQUIRE(lb_body_map_human(figure, human, &map) == LB_OK);
    for (int bone = 0; bone < PERSON_BONES; bone++) {
        if (parts[bone] >= 0) {
            int segment = map.source[parts[bone]];
            check_note("%s: %s", program, names[bone]);
            CHECK_TEXT(segment >= 0 ? lb_figure_segment(figure, segment)->name : "nobody", names[bone]);
        }
    }
    check_note("%s", "");
}

/* A humanoid as VRM files have it, with names that say nothing, as a VRM 1.0 and as a VRM 0.x. */
static void check_vrm(const lb_figure *human) {
    static const char *const bones[PERSON_BONES] = {
        "hips",          "spine",        "chest",         "neck",         "head",          "leftShoulder",
        "rightShoulder", "leftUpperArm", "rightUpperArm", "leftLowerArm", "rightLowerArm", "leftHand",
        "rightHand",     "leftUpperLeg", "rightUpperLeg", "leftLowerLeg", "rightLowerLeg", "leftFoot",
        "rightFoot",     "leftToes",     "rightToes"};
    static const int parents[PERSON_BONES] = {-1, 0, 1, 2, 3, 2, 2, 5, 6, 7, 8, 9, 10, 0, 0, 13, 14, 15, 16, 17, 18};
    char names[PERSON_BONES][16];
    const char *given[PERSON_BONES];
    for (int version = 0; version < 2; version++) {
        char *text = malloc(1 << 16);
        size_t size = 0;
        lb_figure *figure = NULL;
        lb_load_options options;
        lb_error error;
        REQUIRE(text != NULL);
        size += (size_t)sprintf(text, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
        for (int b = 0; b < PERSON_BONES; b++) {
            double at[3], above[3] = {0, 0, 0};
            person_place(b, 0, 1, at);
            if (parents[b] >= 0) {
                person_place(parents[b], 0, 1, above);
            }
            double sign = version ? 1 : -1; /* VRM 0.x faces back */
            sprintf(names[b], "avatar_%c%d", 'a' + (b * 7) % 26, b);
            given[b] = names[b];
            size += (size_t)sprintf(text + size, "%s{\"name\":\"%s\",\"translation\":[%.9g,%.9g,%.9g]", b ? "," : "",
                                    names[b], sign * (at[1] - above[1]), at[2] - above[2], sign * (at[0] - above[0]));
            int is_first = 1;
            for (int k = 0; k < PERSON_BONES; k++) {
                if (parents[k] == b) {
                    size += (size_t)sprintf(text + size, "%s%d", is_first ? ",\"children\":[" : ",", k);
                    is_first = 0;
                }
            }
            size += (size_t)sprintf(text + size, "%s}", is_first ? "" : "]");
        }
        size += (size_t)sprintf(text + size, "],\"extensions\":{\"%s\":{\"humanoid\":{\"humanBones\":%s",
                                version ? "VRMC_vrm" : "VRM", version ? "{" : "[");
        for (int b = 0; b < PERSON_BONES; b++) {
            size += (size_t)sprintf(text + size, version ? "%s\"%s\":{\"node\":%d}" : "%s{\"bone\":\"%s\",\"node\":%d}",
                                    b ? "," : "", bones[b], b);
        }
        sprintf(text + size, "%s}}}}", version ? "}" : "]");
        lb_load_options_defaults(&options);
        options.format = LB_FORMAT_GLTF;
        if (lb_figure_load_memory(text, strlen(text), "avatar.vrm", &options, &figure, &error)) {
            check_note("%s", error.message);
        }
        REQUIRE(figure != NULL);
        check_map(figure, human, given, version ? "VRM 1.0" : "VRM 0.x");
        lb_figure_destroy(figure);
        free(text);
    }
}

int main(void) {
    char path[1024];
    lb_figure *human = NULL;
    REQUIRE(check_source("models/human.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &human, NULL) == LB_OK);
    for (size_t i = 0; i < sizeof rigs / sizeof rigs[0]; i++) {
        const person_style style = {.rest = PERSON_T, .unit = 0.01, .frames = 1, .names = rigs[i].names};
        lb_figure *figure;
        person_load(&style, 1, &figure, NULL);
        check_map(figure, human, rigs[i].names, rigs[i].program);
        lb_figure_destroy(figure);
    }
    check_vrm(human);
    lb_figure_destroy(human);
    return check_done();
}
