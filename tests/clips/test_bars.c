/* Clips onto characters, judged by code that shares nothing with retargeting but the public functions: joints by the names
 * below, places by forward kinematics, contacts by a rule of its own. Prints the table of docs/retarget.md. Whole clips:
 * all of them with --long, else a few. What misses a bar is listed with the reason that is known for it. */
#include "check.h"
#include "person.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

/* The joints of limbs, left, right: shoulder, elbow, wrist, hip, knee, ankle, ball of the foot. */
enum { SHOULDER, ELBOW = 2, WRIST = 4, HIP = 6, KNEE = 8, ANKLE = 10, BALL = 12, JOINTS = 14 };

typedef struct rig {
    const char *names[JOINTS]; /* NULL: none */
} rig;

static const rig capture = {{"LeftArm", "RightArm", "LeftForeArm", "RightForeArm", "LeftHand", "RightHand", "LeftUpLeg",
                             "RightUpLeg", "LeftLeg", "RightLeg", "LeftFoot", "RightFoot", "LeftToeBase",
                             "RightToeBase"}};
static const rig makehuman = {{"UpArm_L", "UpArm_R", "LoArm_L", "LoArm_R", "Hand_L", "Hand_R", "UpLeg_L", "UpLeg_R",
                               "LoLeg_L", "LoLeg_R", "Foot_L", "Foot_R", "Toe_L", "Toe_R"}};
static const rig limber = {{"left_upper_arm", "right_upper_arm", "left_forearm", "right_forearm", "left_hand",
                            "right_hand", "left_thigh", "right_thigh", "left_shank", "right_shank", "left_foot",
                            "right_foot", "left_toes", "right_toes"}};
static const rig cesium = {{"Skeleton_arm_joint_L__4_", "Skeleton_arm_joint_R", "Skeleton_arm_joint_L__3_",
                            "Skeleton_arm_joint_R__2_", "Skeleton_arm_joint_L__2_", "Skeleton_arm_joint_R__3_",
                            "leg_joint_L_1", "leg_joint_R_1", "leg_joint_L_2", "leg_joint_R_2", "leg_joint_L_3",
                            "leg_joint_R_3", "leg_joint_L_5", "leg_joint_R_5"}};
static const rig robot = {{"UpperArm.L", "UpperArm.R", "LowerArm.L", "LowerArm.R", "Palm2.L", "Palm2.R", "UpperLeg.L",
                           "UpperLeg.R", "LowerLeg.L", "LowerLeg.R", "Foot.L", "Foot.R", NULL, NULL}};
static const rig godette = {{"upper_arm.l_Armature", "upper_arm.r_Armature", "lowerarm.l_Armature",
                             "lowerarm.r_Armature", "hand.l_Armature", "hand.r_Armature", "thigh.l_Armature",
                             "thigh.r_Armature", "shin.l_Armature", "shin.r_Armature", "foot.l_Armature",
                             "foot.r_Armature", "toes.l_Armature", "toes.r_Armature"}};
static const rig mixamo = {
    {"mixamorig:LeftArm", "mixamorig:RightArm", "mixamorig:LeftForeArm", "mixamorig:RightForeArm", "mixamorig:LeftHand",
     "mixamorig:RightHand", "mixamorig:LeftUpLeg", "mixamorig:RightUpLeg", "mixamorig:LeftLeg", "mixamorig:RightLeg",
     "mixamorig:LeftFoot", "mixamorig:RightFoot", "mixamorig:LeftToeBase", "mixamorig:RightToeBase"}};

/* --- Places ------------------------------------------------------------------------------------------- */

/* Where the joints of a clip are in all frames. */
typedef struct places {
    int frames, has[JOINTS];
    double frame_time;
    double (*at)[JOINTS][3]; /* [frames] */
} places;

static int site_of_joint(const lb_figure *figure, const char *name) {
    int segment = lb_figure_find_segment(figure, name);
    if (segment < 0) {
        check_note("no segment %s", name);
    }
    REQUIRE(segment >= 0);
    const lb_joint *joint = lb_figure_joint(figure, lb_figure_parent_joint(figure, segment));
    return lb_figure_site(figure, joint->site_b)->segment == segment ? joint->site_b : joint->site_a;
}

static places find_places(const lb_clip *clip, const rig *names) {
    const lb_figure *figure = lb_clip_figure(clip);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    places p = {.frames = lb_clip_frame_count(clip), .frame_time = lb_clip_frame_time(clip)};
    int sites[JOINTS];
    p.at = malloc((size_t)p.frames * sizeof *p.at);
    REQUIRE(p.at && kinematics);
    for (int j = 0; j < JOINTS; j++) {
        p.has[j] = names->names[j] != NULL;
        sites[j] = p.has[j] ? site_of_joint(figure, names->names[j]) : -1;
    }
    for (int f = 0; f < p.frames; f++) {
        REQUIRE(lb_kinematics_update(kinematics, lb_clip_const_pose(clip, f)) == LB_OK);
        for (int j = 0; j < JOINTS; j++) {
            lb_frame frame;
            if (p.has[j]) {
                REQUIRE(lb_kinematics_site(kinematics, sites[j], &frame) == LB_OK);
                memcpy(p.at[f][j], frame.position, sizeof frame.position);
            }
        }
    }
    lb_kinematics_destroy(kinematics);
    return p;
}

static void way_of(const double from[3], const double to[3], double way[3]) {
    for (int i = 0; i < 3; i++) {
        way[i] = to[i] - from[i];
    }
}

static double length(const double v[3]) { return sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]); }

static double apart(const double a[3], const double b[3]) {
    double way[3];
    way_of(a, b, way);
    return length(way);
}

static double angle_between(const double a[3], const double b[3]) {
    const double cross[3] = {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
    return atan2(length(cross), a[0] * b[0] + a[1] * b[1] + a[2] * b[2]);
}

/* --- Judging -------------------------------------------------------------------------------------------- */

typedef struct verdict {
    double limb_mean, limb_worst; /* degrees */
    double wrist_mean;            /* of the arm */
    double slide;                 /* metres a frame */
    double jump;                  /* times the source's */
    double hips;                  /* largest step of the middle of the hips in lengths of the leg, times the source's */
    double jerk; /* largest second difference of an ankle in lengths of the leg, times the source's: measured
                                   * so that it does not grow, there is no bar for it elsewhere */
} verdict;

static const int limbs[] = {SHOULDER, SHOULDER + 1, ELBOW, ELBOW + 1, HIP, HIP + 1, KNEE, KNEE + 1};
#define LIMBS (int)(sizeof limbs / sizeof limbs[0])

/* The lengths of both halves of a limb, in a frame. */
static double limb_length(const places *p, int first) {
    return apart(p->at[0][first], p->at[0][first + 2]) + apart(p->at[0][first + 2], p->at[0][first + 4]);
}

static void judge_limbs(const places *source, const places *target, verdict *v) {
    double sum = 0, wrists = 0, turns[2] = {0, 0};
    const places *both[2] = {source, target};
    for (int f = 0; f < source->frames; f++) {
        for (int k = 0; k < LIMBS; k++) {
            double ways[2][3];
            for (int c = 0; c < 2; c++) {
                way_of(both[c]->at[f][limbs[k]], both[c]->at[f][limbs[k] + 2], ways[c]);
                if (f > 0) {
                    double before[3];
                    way_of(both[c]->at[f - 1][limbs[k]], both[c]->at[f - 1][limbs[k] + 2], before);
                    turns[c] = fmax(turns[c], angle_between(ways[c], before));
                }
            }
            const double angle = angle_between(ways[0], ways[1]);
            sum += angle;
            v->limb_worst = fmax(v->limb_worst, angle / DEGREE);
        }
        for (int side = 0; side < 2; side++) {
            double off[3], ways[2][3];
            for (int c = 0; c < 2; c++) {
                way_of(both[c]->at[f][SHOULDER + side], both[c]->at[f][WRIST + side], ways[c]);
            }
            for (int i = 0; i < 3; i++) {
                off[i] = ways[1][i] / limb_length(target, SHOULDER + side) -
                         ways[0][i] / limb_length(source, SHOULDER + side);
            }
            wrists += length(off);
        }
    }
    v->limb_mean = sum / (LIMBS * source->frames) / DEGREE;
    v->wrist_mean = wrists / (2 * source->frames);
    v->jump = turns[1] / turns[0];
}

static int compare(const void *a, const void *b) {
    const double x = *(const double *)a, y = *(const double *)b;
    return x < y ? -1 : x > y;
}

/* The height that a fiftieth of the frames are below. */
static double ground_of(const places *p, int joint) {
    double *heights = malloc((size_t)p->frames * sizeof *heights);
    REQUIRE(heights != NULL);
    for (int f = 0; f < p->frames; f++) {
        heights[f] = p->at[f][joint][2];
    }
    qsort(heights, (size_t)p->frames, sizeof *heights, compare);
    const double level = heights[p->frames / 50];
    free(heights);
    return level;
}

#define LEG 0.87 /* of a person, metres: whoever is smaller stands lower and slower */

/* A point of a foot stands where the source's is lower than 3 cm and slower than 0.15 m/s for 0.1 s. */
static void judge_feet(const places *source, const places *target, verdict *v) {
    const int least = (int)ceil(0.1 / source->frame_time);
    for (int joint = ANKLE; joint < JOINTS; joint++) {
        if (!source->has[joint] || !target->has[joint]) {
            continue;
        }
        const double ground = ground_of(source, joint), scale = limb_length(source, HIP) / LEG;
        int stands = 0;
        for (int f = 1; f < source->frames; f++) {
            const double speed = apart(source->at[f][joint], source->at[f - 1][joint]) / source->frame_time;
            stands = source->at[f][joint][2] < ground + 0.03 * scale && speed < 0.15 * scale ? stands + 1 : 0;
            for (int k = f - stands + 2; stands >= least && k <= f; k++) { /* once it has lasted: all of it */
                if (stands == least || k == f) {
                    v->slide = fmax(v->slide, apart(target->at[k][joint], target->at[k - 1][joint]));
                }
            }
        }
    }
}

/* Whoever is slower than 0.1 m/s may step as far as that all the same. */
static void judge_hips(const places *source, const places *target, verdict *v) {
    const places *both[2] = {source, target};
    double most[2] = {0.1 * source->frame_time / LEG, 0};
    for (int c = 0; c < 2; c++) {
        const double leg = 0.5 * (limb_length(both[c], HIP) + limb_length(both[c], HIP + 1));
        for (int f = 1; f < source->frames; f++) {
            double way[3];
            for (int i = 0; i < 3; i++) {
                way[i] = 0.5 * (both[c]->at[f][HIP][i] + both[c]->at[f][HIP + 1][i] - both[c]->at[f - 1][HIP][i] -
                                both[c]->at[f - 1][HIP + 1][i]);
            }
            most[c] = fmax(most[c], length(way) / leg);
        }
    }
    v->hips = most[1] / most[0];
}

static void judge_ankles(const places *source, const places *target, verdict *v) {
    const places *both[2] = {source, target};
    double most[2] = {0, 0};
    for (int c = 0; c < 2; c++) {
        for (int f = 1; f + 1 < source->frames; f++) {
            for (int side = 0; side < 2; side++) {
                double bend[3];
                for (int i = 0; i < 3; i++) {
                    bend[i] = both[c]->at[f - 1][ANKLE + side][i] - 2 * both[c]->at[f][ANKLE + side][i] +
                              both[c]->at[f + 1][ANKLE + side][i];
                }
                most[c] = fmax(most[c], length(bend) / limb_length(both[c], HIP + side));
            }
        }
    }
    v->jerk = most[1] / most[0];
}

/* --- Clips and characters --------------------------------------------------------------------------------- */

static const struct {
    const char *path;
    const rig *names;
    int is_long, begins_with_pose;
} clips[] = {
    {"data/bvh/cmu/02_01_walk.bvh", &capture, 0, 1},
    {"data/bvh/cmu/09_01_run.bvh", &capture, 0, 1},
    {"data/bvh/cmu/88_01_backflip.bvh", &capture, 0, 1},
    {"data/bvh/other/mh_walk1.bvh", &makehuman, 0, 0},
    {"data/bvh/cmu/02_04_jump.bvh", &capture, 1, 1},
    {"data/bvh/cmu/05_02_dance.bvh", &capture, 1, 1},
    {"data/bvh/cmu/115_01_pick_up_box.bvh", &capture, 1, 1},
    {"data/bvh/cmu/140_01_get_up_from_lying_face_down.bvh", &capture, 1, 1},
    {"data/bvh/cmu/143_18_sit_down_and_get_up.bvh", &capture, 1, 1},
    {"data/bvh/cmu/69_70_walk.bvh", &capture, 1, 1},
    {"data/bvh/cmu/79_01_chopping_wood.bvh", &capture, 1, 1},
    {"data/bvh/other/fair1_jumping.bvh", &capture, 1, 0},
    {"data/bvh/other/pymo_8walk_meredith.bvh", &capture, 1, 0},
    {"data/bvh/other/rokoko_jesse_dance.bvh", &capture, 1, 0},
};
#define CLIPS (int)(sizeof clips / sizeof clips[0])

static const struct {
    const char *name, *shared; /* NULL: made here */
    const rig *names;
} characters[] = {
    {"models/human.fig", NULL, &limber},
    {"CesiumMan", "data/gltf/CesiumMan.glb", &cesium},
    {"RobotExpressive", "data/gltf/RobotExpressive.glb", &robot},
    {"Godette (VRM)", "data/vrm/Godette_vrm0.vrm", &godette},
    {"a Mixamo skeleton", NULL, &mixamo},
};
#define CHARACTERS (int)(sizeof characters / sizeof characters[0])

static lb_figure *load_character(int k) {
    const person_style style = {.rest = PERSON_A, .unit = 0.01, .frames = 1};
    lb_figure *figure = NULL;
    char path[1024];
    lb_error error;
    if (characters[k].names == &mixamo) {
        person_load(&style, 1, &figure, NULL);
        return figure;
    }
    if (!(characters[k].shared ? check_shared(characters[k].shared, path, sizeof path)
                               : check_source(characters[k].name, path, sizeof path))) {
        return NULL;
    }
    if (lb_figure_load(path, NULL, &figure, &error)) {
        check_note("%s", error.message);
    }
    REQUIRE(figure != NULL);
    return figure;
}

/* A clip without the pose that capture begins with. */
static lb_clip *load_clip(int k, lb_figure **figure) {
    lb_clip *clip = NULL;
    char path[1024];
    lb_error error;
    if (!check_shared(clips[k].path, path, sizeof path)) {
        return NULL;
    }
    if (lb_clip_load(path, NULL, figure, &clip, &error)) {
        check_note("%s", error.message);
    }
    REQUIRE(clip != NULL);
    const int frames = lb_clip_frame_count(clip) - clips[k].begins_with_pose;
    lb_clip *cut = lb_clip_create(*figure, frames, lb_clip_frame_time(clip), NULL);
    REQUIRE(cut != NULL);
    for (int f = 0; f < frames; f++) {
        memcpy(lb_clip_pose(cut, f), lb_clip_const_pose(clip, f + clips[k].begins_with_pose),
               (size_t)lb_figure_variable_count(*figure) * sizeof(double));
    }
    lb_clip_destroy(clip);
    return cut;
}

static verdict judge(const lb_clip *source, const rig *source_names, const lb_figure *target, const rig *names) {
    lb_body_map map;
    lb_error error;
    verdict v = {0};
    REQUIRE(lb_body_map_human(lb_clip_figure(source), target, &map) == LB_OK);
    lb_clip *out = lb_retarget(source, target, &map, NULL, NULL, &error);
    if (!out) {
        check_note("%s", error.message);
    }
    REQUIRE(out != NULL);
    for (int f = 0; f < lb_clip_frame_count(out); f++) {
        CHECK(lb_figure_violation(target, lb_clip_const_pose(out, f)) < 1e-9);
    }
    places p = find_places(source, source_names), q = find_places(out, names);
    judge_limbs(&p, &q, &v);
    judge_feet(&p, &q, &v);
    judge_ankles(&p, &q, &v);
    judge_hips(&p, &q, &v);
    free(p.at);
    free(q.at);
    lb_clip_destroy(out);
    return v;
}

/* --- Bars ----------------------------------------------------------------------------------------------- */

static const verdict bars = {
    .limb_mean = 5, .limb_worst = 20, .wrist_mean = 0.05, .slide = 1e-3, .jump = 1.2, .jerk = 1.8};

#define MOST_HIPS 1.5

/* What a character cannot: measured, with a little room, and why. */
static const struct {
    const char *clip, *character; /* parts of their names; "" is any */
    verdict bars;
    const char *why;
} exceptions[] = {
    {"79_01_chopping_wood",
     "human",
     {.limb_mean = 6.3, .limb_worst = 24, .wrist_mean = 0.05, .slide = 1e-3, .jump = 1.2, .jerk = 1.8},
     "its knees end at 0 degrees; those of the capture bend backward by up to 20"},
    {"69_70_walk",
     "human",
     {.limb_mean = 5, .limb_worst = 35, .wrist_mean = 0.05, .slide = 1e-3, .jump = 1.8, .jerk = 1.8},
     "a squat on feet that turn: hip.abduction, hip.twist and ankle.inversion end before"},
    {"",
     "RobotExpressive",
     {.limb_mean = 7.8, .limb_worst = 20, .wrist_mean = 0.3, .slide = 1e-3, .jump = 1.2, .jerk = 2.4},
     "its upper arm is 0.33 of the arm, where captures have 0.45 to 0.61; its thigh 0.40 of the leg, not 0.49 to 0.52"},
};

static verdict bars_of(const char *clip, const char *character) {
    for (size_t i = 0; i < sizeof exceptions / sizeof exceptions[0]; i++) {
        if (strstr(clip, exceptions[i].clip) && strstr(character, exceptions[i].character)) {
            printf("    %s\n", exceptions[i].why);
            return exceptions[i].bars;
        }
    }
    return bars;
}

static void check_bars(const char *clip, const char *character, const verdict *v) {
    const verdict most = bars_of(clip, character);
    check_note("%s onto %s", clip, character);
    CHECK(v->limb_mean <= most.limb_mean);
    CHECK(v->limb_worst <= most.limb_worst);
    CHECK(v->wrist_mean <= most.wrist_mean);
    CHECK(v->slide <= most.slide);
    CHECK(v->jump <= most.jump);
    CHECK(v->jerk <= most.jerk);
    CHECK(v->hips <= MOST_HIPS); /* whoever it is */
    check_note("%s", "");
}

static void add(verdict *sum, const verdict *v) {
    sum->limb_mean = fmax(sum->limb_mean, v->limb_mean);
    sum->limb_worst = fmax(sum->limb_worst, v->limb_worst);
    sum->wrist_mean = fmax(sum->wrist_mean, v->wrist_mean);
    sum->slide = fmax(sum->slide, v->slide);
    sum->jump = fmax(sum->jump, v->jump);
    sum->jerk = fmax(sum->jerk, v->jerk);
    sum->hips = fmax(sum->hips, v->hips);
}

static void print(const char *clip, const char *character, const verdict *v) {
    printf("%-28.28s %-18s limbs %5.2f deg, worst %5.1f; wrists %5.1f%%; slide %5.2f mm; jump %4.2f; jerk %4.2f; hips "
           "%4.2f\n",
           clip, character, v->limb_mean, v->limb_worst, 100 * v->wrist_mean, 1000 * v->slide, v->jump, v->jerk,
           v->hips);
}

int main(void) {
    verdict worst[CHARACTERS] = {{0}};
    const int last = check_count(0, 1);
    int seen = 0;
    for (int c = 0; c < CHARACTERS; c++) {
        lb_figure *target = load_character(c);
        const char *only = getenv("LIMBER_BARS"); /* a part of a character's or clip's name: while one works on it */
        for (int k = 0; k < CLIPS && target; k++) {
            const char *slash = strrchr(clips[k].path, '/');
            lb_figure *figure = NULL;
            if (clips[k].is_long > last ||
                (only && !strstr(characters[c].name, only) && !strstr(clips[k].path, only))) {
                continue;
            }
            lb_clip *source = load_clip(k, &figure);
            if (!source) {
                continue;
            }
            const verdict v = judge(source, clips[k].names, target, characters[c].names);
            print(slash + 1, characters[c].name, &v);
            check_bars(clips[k].path, characters[c].name, &v);
            add(&worst[c], &v);
            seen++;
            lb_clip_destroy(source);
            lb_figure_destroy(figure);
        }
        lb_figure_destroy(target);
    }
    for (int c = 0; c < CHARACTERS && seen; c++) {
        print("worst of all clips", characters[c].name, &worst[c]);
    }
    if (!seen) {
        printf("no shared clips here\n");
        return 77;
    }
    return check_done();
}
