/* Names of human bones: what Mixamo, motion capture (CMU, BVH, ASF), Rigify, VRM, Unreal, 3ds Max's Biped and MakeHuman
 * call them, in Limber's words. */
#include "io/human/human_bone.h"

#include <limber/io.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Names of parts
 * ------------------------------------------------------------------------------------------------- */

const char *lbio_part_name(int part) {
    /* Where models/human.fig has no such segment (the third joint of a finger, a second bone of the neck, the jaw), a
     * name in its manner. Five bones of a spine stand at these levels. */
    static const char *const names[LBIO_PART_COUNT] = {
        "pelvis",
        "vertebra_L4",
        "vertebra_L1",
        "vertebra_T9",
        "vertebra_T5",
        "vertebra_T1",
        "neck",
        "neck_top",
        "head",
        "jaw",
        "left_eyeball",
        "right_eyeball",
        "left_clavicle",
        "right_clavicle",
        "left_upper_arm",
        "right_upper_arm",
        "left_forearm",
        "right_forearm",
        "left_lower_forearm",
        "right_lower_forearm",
        "left_hand",
        "right_hand",
        "left_thumb",
        "right_thumb",
        "left_thumb_middle",
        "right_thumb_middle",
        "left_thumb_tip",
        "right_thumb_tip",
        "left_index",
        "right_index",
        "left_index_tip",
        "right_index_tip",
        "left_index_end",
        "right_index_end",
        "left_middle",
        "right_middle",
        "left_middle_tip",
        "right_middle_tip",
        "left_middle_end",
        "right_middle_end",
        "left_ring",
        "right_ring",
        "left_ring_tip",
        "right_ring_tip",
        "left_ring_end",
        "right_ring_end",
        "left_little",
        "right_little",
        "left_little_tip",
        "right_little_tip",
        "left_little_end",
        "right_little_end",
        "left_thigh",
        "right_thigh",
        "left_shank",
        "right_shank",
        "left_foot",
        "right_foot",
        "left_toes",
        "right_toes",
    };
    return part >= 0 && part < LBIO_PART_COUNT ? names[part] : NULL;
}

int lbio_part_of_own_name(const char *name) {
    for (int i = 0; i < LBIO_PART_COUNT; i++) {
        if (strcmp(lbio_part_name(i), name) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---------------------------------------------------------------------------------------------------
 * A name by itself
 * ------------------------------------------------------------------------------------------------- */

int lbio_part_alone(const lbio_bone *b) {
    /* Of kinds that are one part on each side: the left one; 0: the kind is none of them. */
    static const int lefts[LBIO_KIND_FINGER + 1] = {
        [LBIO_KIND_HIP] = LBIO_THIGH,         [LBIO_KIND_THIGH] = LBIO_THIGH,         [LBIO_KIND_EYE] = LBIO_EYE,
        [LBIO_KIND_CLAVICLE] = LBIO_CLAVICLE, [LBIO_KIND_SHOULDER] = LBIO_CLAVICLE,   [LBIO_KIND_ARM] = LBIO_UPPER_ARM,
        [LBIO_KIND_HAND] = LBIO_HAND,         [LBIO_KIND_UPPER_ARM] = LBIO_UPPER_ARM, [LBIO_KIND_LEG] = LBIO_SHANK,
        [LBIO_KIND_SHANK] = LBIO_SHANK,       [LBIO_KIND_FOOT] = LBIO_FOOT,           [LBIO_KIND_TOES] = LBIO_TOES};
    switch (b->kind) {
    case LBIO_KIND_PELVIS:
        return LBIO_PELVIS;
    case LBIO_KIND_SPINE: { /* "Spine", "Spine1" count from 0; "spine_01" from 1 */
        int level = b->digits >= 2 ? b->number - 1 : b->number;
        return level >= 0 && level < 5 ? LBIO_SPINE_1 + level : LBIO_SPINE_5;
    }
    case LBIO_KIND_NECK:
        return b->number > 1 ? LBIO_NECK_2 : LBIO_NECK;
    case LBIO_KIND_HEAD:
        return LBIO_HEAD;
    case LBIO_KIND_JAW:
        return LBIO_JAW;
    case LBIO_KIND_FOREARM:
    case LBIO_KIND_ELBOW:
        return lbio_sided(b->number == 2 ? LBIO_LOWER_FOREARM : LBIO_FOREARM, b->side);
    case LBIO_KIND_FINGER:
        return lbio_sided(b->finger, b->side);
    default:
        if (b->kind == LBIO_KIND_UPPER_ARM && b->number > 1) {
            return -1;
        }
        return lefts[b->kind] ? lbio_sided(lefts[b->kind], b->side) : -1;
    }
}

int lbio_part_of_name(const char *name) {
    int own = lbio_part_of_own_name(name);
    if (own >= 0) {
        return own;
    }
    lbio_bone b = lbio_bone_of(name);
    return lbio_part_alone(&b);
}

const char *lb_human_name(const char *name) { return name ? lbio_part_name(lbio_part_of_name(name)) : NULL; }

/* ---------------------------------------------------------------------------------------------------
 * VRM
 * ------------------------------------------------------------------------------------------------- */

int lbio_part_of_vrm(const char *bone_name, int is_vrm0) {
    static const struct {
        const char *name;
        int part;
    } middles[] = {
        {"hips", LBIO_PELVIS}, {"spine", LBIO_SPINE_1}, {"chest", LBIO_SPINE_2}, {"upperChest", LBIO_SPINE_3},
        {"neck", LBIO_NECK},   {"head", LBIO_HEAD},     {"jaw", LBIO_JAW}};
    static const struct {
        const char *name;
        int part;
    } pairs[] = {{"Eye", LBIO_EYE},
                 {"Shoulder", LBIO_CLAVICLE},
                 {"UpperArm", LBIO_UPPER_ARM},
                 {"LowerArm", LBIO_FOREARM},
                 {"Hand", LBIO_HAND},
                 {"UpperLeg", LBIO_THIGH},
                 {"LowerLeg", LBIO_SHANK},
                 {"Foot", LBIO_FOOT},
                 {"Toes", LBIO_TOES},
                 {"ThumbMetacarpal", LBIO_THUMB},
                 {"ThumbProximal", LBIO_THUMB + 2}, /* VRM 0.x: the first */
                 {"ThumbIntermediate", LBIO_THUMB + 2},
                 {"ThumbDistal", LBIO_THUMB + 4},
                 {"IndexProximal", LBIO_INDEX},
                 {"IndexIntermediate", LBIO_INDEX + 2},
                 {"IndexDistal", LBIO_INDEX + 4},
                 {"MiddleProximal", LBIO_MIDDLE},
                 {"MiddleIntermediate", LBIO_MIDDLE + 2},
                 {"MiddleDistal", LBIO_MIDDLE + 4},
                 {"RingProximal", LBIO_RING},
                 {"RingIntermediate", LBIO_RING + 2},
                 {"RingDistal", LBIO_RING + 4},
                 {"LittleProximal", LBIO_LITTLE},
                 {"LittleIntermediate", LBIO_LITTLE + 2},
                 {"LittleDistal", LBIO_LITTLE + 4}};
    for (size_t i = 0; i < sizeof middles / sizeof middles[0]; i++) {
        if (strcmp(middles[i].name, bone_name) == 0) {
            return middles[i].part;
        }
    }
    int is_left = strncmp(bone_name, "left", 4) == 0, is_right = strncmp(bone_name, "right", 5) == 0;
    const char *rest = bone_name + (is_left ? 4 : is_right ? 5 : 0);
    if (is_vrm0 && strcmp(rest, "ThumbProximal") == 0) {
        rest = "ThumbMetacarpal";
    }
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0] && (is_left || is_right); i++) {
        if (strcmp(pairs[i].name, rest) == 0) {
            return pairs[i].part + is_right;
        }
    }
    return -1;
}
