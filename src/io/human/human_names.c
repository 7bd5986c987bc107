/* Names of human bones: what Mixamo, motion capture (CMU, BVH, ASF), Rigify, VRM, Unreal, 3ds Max's Biped and MakeHuman
 * call them, in Limber's words. A name is cut into words; what says nothing (rig, bone, def) is dropped, what is no bone
 * (ik, twist, end) refused, and the rest looked up. In a whole skeleton the others help: a shoulder is the clavicle, or,
 * where there is a collar or an elbow, the upper arm. */
#include "io/human/human.h"

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

static int part_of_own_name(const char *name) {
    for (int i = 0; i < LBIO_PART_COUNT; i++) {
        if (strcmp(lbio_part_name(i), name) == 0) {
            return i;
        }
    }
    return -1;
}

/* ---------------------------------------------------------------------------------------------------
 * Words
 * ------------------------------------------------------------------------------------------------- */

#define MAX_WORDS 12
#define WORD_SIZE 24

typedef enum side { NO_SIDE, LEFT, RIGHT } side;

typedef struct words {
    char word[MAX_WORDS][WORD_SIZE];
    int count;
    char number[3][8];
    int number_count;
    side side;
} words;

static int is_lower(char c) { return c >= 'a' && c <= 'z'; }
static int is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_in(const char *word, const char *const *list) {
    for (; *list; list++) {
        if (strcmp(*list, word) == 0) {
            return 1;
        }
    }
    return 0;
}

/* "LeftForeArm", "mixamorig:LeftUpLeg", "LHipJoint", "upper_arm.L", "Bip01 L Finger02": words in lower case, numbers
 * as they are written. 0: too long or too many to be a bone. */
static int cut(const char *name, words *out) {
    memset(out, 0, sizeof *out);
    for (const char *at = name; *at; at++) {
        if ((*at == ':' || *at == '|') && at[1]) {
            name = at + 1; /* a namespace ends */
        }
    }
    for (const char *at = name; *at;) {
        if (is_digit(*at) && out->count > 0 && at > name && is_lower(at[-1]) &&
            strcmp(out->word[out->count - 1], "bip") == 0) {
            at++; /* "Bip01" is the skeleton's number */
            while (is_digit(*at)) {
                at++;
            }
        } else if (is_digit(*at)) {
            int length = 0;
            if (out->number_count == 3) {
                return 0;
            }
            for (; is_digit(*at); at++, length++) {
                if (length < 7) {
                    out->number[out->number_count][length] = *at;
                }
            }
            out->number_count++;
        } else if (is_lower(*at) || is_upper(*at)) {
            int length = 0;
            if (out->count == MAX_WORDS) {
                return 0;
            }
            const char *first = at;
            while (is_lower(*at) || is_upper(*at)) {
                /* a new word: "foreArm", and "LHip" before the H */
                if (at > first && is_upper(*at) && (is_lower(at[-1]) || (is_upper(at[-1]) && is_lower(at[1])))) {
                    break;
                }
                if (length == WORD_SIZE - 1) {
                    return 0;
                }
                out->word[out->count][length++] = is_upper(*at) ? (char)(*at - 'A' + 'a') : *at;
                at++;
            }
            out->count++;
        } else {
            at++;
        }
    }
    return out->count > 0;
}

static void drop_word(words *w, int at) {
    for (w->count--; at < w->count; at++) {
        memcpy(w->word[at], w->word[at + 1], WORD_SIZE);
    }
}

/* Takes out what says the side. "lfemur", as ASF files have it, is a side and a word. */
static int take_side(words *w) {
    static const char *const lefts[] = {"l", "left", "lft", "lt", NULL};
    static const char *const rights[] = {"r", "right", "rgt", "rt", NULL};
    static const char *const glued[] = {"femur",    "tibia",  "foot",   "toes",    "hipjoint", "clavicle",
                                        "humerus",  "radius", "wrist",  "hand",    "thumb",    "fingers",
                                        "shoulder", "elbow",  "hip",    "knee",    "ankle",    "thigh",
                                        "shin",     "shldr",  "collar", "forearm", "toe",      NULL};
    for (int i = 0; i < w->count;) {
        side found = is_in(w->word[i], lefts) ? LEFT : is_in(w->word[i], rights) ? RIGHT : NO_SIDE;
        if (!found && (w->word[i][0] == 'l' || w->word[i][0] == 'r') && is_in(w->word[i] + 1, glued)) {
            w->side = w->word[i][0] == 'l' ? LEFT : RIGHT;
            memmove(w->word[i], w->word[i] + 1, WORD_SIZE - 1);
        }
        if (found && w->side && found != w->side) {
            return 0;
        }
        if (found) {
            w->side = found;
            drop_word(w, i);
        } else {
            i++;
        }
    }
    return 1;
}

/* Words that say that it is no bone of the body. */
static const char *const no_bones[] = {
    "ik",     "fk",     "pole",   "target", "control", "ctrl",     "ctl",     "twist",  "roll",     "end",    "nub",
    "slot",   "helper", "eff",    "site",   "handle",  "adjust",   "hair",    "skirt",  "cloth",    "sleeve", "weapon",
    "prop",   "attach", "socket", "ribbon", "tail",    "wing",     "brow",    "lid",    "lip",      "lips",   "mouth",
    "tongue", "breast", "bust",   "tip",    "mch",     "effector", "palmtip", "carpal", "backpack", "gun",    "sword",
    "cape",   "ear",    "nose",   "cheek",  "muscle",  "heel",     "locator", "null",   "mesh",     "geo",    NULL};

/* Words that say nothing. */
static const char *const fillers[] = {
    "mixamorig", "bip",   "biped",    "valve", "j",  "def",       "org",  "armature", "rig",   "b",    "jnt",   "joint",
    "bone",      "bones", "skeleton", "skel",  "sk", "character", "char", "hik",      "cc",    "base", "human", "c",
    "center",    "f",     "bind",     "jt",    "m",  "mid",       "fbx",  "avatar",   "dummy", NULL};

static void drop_fillers(words *w) {
    for (int i = 0; i < w->count;) {
        if (w->count > 1 && is_in(w->word[i], fillers)) {
            drop_word(w, i);
        } else {
            i++;
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Kinds of bones, before the rest of the skeleton is looked at
 * ------------------------------------------------------------------------------------------------- */

typedef enum kind {
    KIND_NONE,
    KIND_PELVIS,
    KIND_HIP, /* with a side: the thigh's joint */
    KIND_SPINE,
    KIND_NECK,
    KIND_HEAD,
    KIND_JAW,
    KIND_EYE,
    KIND_CLAVICLE,
    KIND_SHOULDER, /* clavicle or upper arm */
    KIND_UPPER_ARM,
    KIND_ARM, /* upper arm, or all of a chain */
    KIND_FOREARM,
    KIND_ELBOW,
    KIND_HAND,
    KIND_THIGH,
    KIND_LEG, /* shank, or all of a chain */
    KIND_SHANK,
    KIND_FOOT,
    KIND_TOES,
    KIND_FINGER /* with the left part's number - LBIO_THUMB in the bits above */
} kind;

static const struct {
    const char *key;
    kind kind;
    int sided;
} keys[] = {
    {"hips", KIND_PELVIS, 0},
    {"hip", KIND_PELVIS, 0},
    {"pelvis", KIND_PELVIS, 0},
    {"hip", KIND_HIP, 1},
    {"spine", KIND_SPINE, 0},
    {"lowerback", KIND_SPINE, 0},
    {"upperback", KIND_SPINE, 0},
    {"back", KIND_SPINE, 0},
    {"thorax", KIND_SPINE, 0},
    {"chest", KIND_SPINE, 0},
    {"upperchest", KIND_SPINE, 0},
    {"chestlower", KIND_SPINE, 0},
    {"chestupper", KIND_SPINE, 0},
    {"abdomen", KIND_SPINE, 0},
    {"abdomenlower", KIND_SPINE, 0},
    {"abdomenupper", KIND_SPINE, 0},
    {"waist", KIND_SPINE, 0},
    {"stomach", KIND_SPINE, 0},
    {"tummy", KIND_SPINE, 0},
    {"torso", KIND_SPINE, 0},
    {"ribs", KIND_SPINE, 0},
    {"ribcage", KIND_SPINE, 0},
    {"neck", KIND_NECK, 0},
    {"lowerneck", KIND_NECK, 0},
    {"upperneck", KIND_NECK, 0},
    {"necklower", KIND_NECK, 0},
    {"neckupper", KIND_NECK, 0},
    {"head", KIND_HEAD, 0},
    {"skull", KIND_HEAD, 0},
    {"jaw", KIND_JAW, 0},
    {"eye", KIND_EYE, 1},
    {"eyeball", KIND_EYE, 1},
    {"clavicle", KIND_CLAVICLE, 1},
    {"collar", KIND_CLAVICLE, 1},
    {"collarbone", KIND_CLAVICLE, 1},
    {"shoulder", KIND_SHOULDER, 1},
    {"upperarm", KIND_UPPER_ARM, 1},
    {"uparm", KIND_UPPER_ARM, 1},
    {"armupper", KIND_UPPER_ARM, 1},
    {"humerus", KIND_UPPER_ARM, 1},
    {"shldr", KIND_UPPER_ARM, 1},
    {"shldrbend", KIND_UPPER_ARM, 1},
    {"arm", KIND_ARM, 1},
    {"forearm", KIND_FOREARM, 1},
    {"lowerarm", KIND_FOREARM, 1},
    {"lowarm", KIND_FOREARM, 1},
    {"loarm", KIND_FOREARM, 1},
    {"loleg", KIND_SHANK, 1},
    {"armlower", KIND_FOREARM, 1},
    {"radius", KIND_FOREARM, 1},
    {"forearmbend", KIND_FOREARM, 1},
    {"elbow", KIND_ELBOW, 1},
    {"hand", KIND_HAND, 1},
    {"wrist", KIND_HAND, 1},
    {"palm", KIND_HAND, 1},
    {"thigh", KIND_THIGH, 1},
    {"thighbend", KIND_THIGH, 1},
    {"upleg", KIND_THIGH, 1},
    {"upperleg", KIND_THIGH, 1},
    {"legupper", KIND_THIGH, 1},
    {"femur", KIND_THIGH, 1},
    {"leg", KIND_LEG, 1},
    {"shin", KIND_SHANK, 1},
    {"calf", KIND_SHANK, 1},
    {"lowerleg", KIND_SHANK, 1},
    {"lowleg", KIND_SHANK, 1},
    {"leglower", KIND_SHANK, 1},
    {"tibia", KIND_SHANK, 1},
    {"knee", KIND_SHANK, 1},
    {"shank", KIND_SHANK, 1},
    {"foot", KIND_FOOT, 1},
    {"ankle", KIND_FOOT, 1},
    {"toe", KIND_TOES, 1},
    {"toes", KIND_TOES, 1},
    {"toebase", KIND_TOES, 1},
    {"ball", KIND_TOES, 1},
};

typedef struct bone {
    kind kind;
    side side;
    int finger; /* LBIO_THUMB ...: the left one's part */
    int number; /* 0: none */
    int digits; /* of the number */
} bone;

static int number_of(const char *text) { return *text ? atoi(text) : 0; }

/* Fingers: by name and phalanx or number; Biped numbers fingers from 0 and joints behind them, MakeHuman from 1. */
static int finger_of(const words *w, bone *out) {
    static const struct {
        const char *name;
        int part;
    } fingers[] = {{"thumb", LBIO_THUMB}, {"index", LBIO_INDEX},   {"middle", LBIO_MIDDLE},
                   {"ring", LBIO_RING},   {"little", LBIO_LITTLE}, {"pinky", LBIO_LITTLE}};
    static const int in_order[] = {LBIO_THUMB, LBIO_INDEX, LBIO_MIDDLE, LBIO_RING, LBIO_LITTLE};
    int level = -1, part = -1, has_finger = 0, is_metacarpal = 0;
    for (int i = 0; i < w->count; i++) {
        const char *word = w->word[i];
        for (size_t k = 0; k < sizeof fingers / sizeof fingers[0]; k++) {
            part = strcmp(word, fingers[k].name) == 0 ? fingers[k].part : part;
        }
        has_finger |= strcmp(word, "finger") == 0;
        is_metacarpal |= strcmp(word, "metacarpal") == 0 || strcmp(word, "meta") == 0;
        level = strncmp(word, "prox", 4) == 0                                ? 0
                : strncmp(word, "inter", 5) == 0 || strcmp(word, "int") == 0 ? 1
                : strncmp(word, "dist", 4) == 0                              ? 2
                                                                             : level;
    }
    if (part < 0 && has_finger && w->number_count == 1 && strlen(w->number[0]) <= 2) {
        int finger = w->number[0][0] - '0';
        part = finger < 5 ? in_order[finger] : -1;
        level = w->number[0][1] ? w->number[0][1] - '0' : 0;
    } else if (part < 0 && has_finger && w->number_count == 2) {
        int finger = number_of(w->number[0]);
        part = finger >= 1 && finger <= 5 ? in_order[finger - 1] : -1;
        level = number_of(w->number[1]) - 1;
    } else if (level < 0 && w->number_count > 0) {
        level = number_of(w->number[0]) - 1;
    }
    if (part < 0 || (is_metacarpal && part != LBIO_THUMB)) {
        return 0;
    }
    level = is_metacarpal || (level < 0 && w->number_count == 0) ? 0 : level;
    if (level < 0 || level > 2) {
        return 0;
    }
    out->kind = KIND_FINGER;
    out->finger = part + 2 * level;
    return 1;
}

static bone bone_of(const char *name) {
    words w;
    bone found = {KIND_NONE, NO_SIDE, 0, 0, 0};
    if (strncmp(name, "__", 2) == 0 || !cut(name, &w) || !take_side(&w) || w.count == 0) { /* __: a helper's name */
        return found;
    }
    for (int i = 0; i < w.count; i++) {
        if (is_in(w.word[i], no_bones)) {
            return found;
        }
    }
    found.side = w.side;
    /* CMU's hip joints are between pelvis and thigh, and no bones of the body. */
    if (w.side && ((w.count == 2 && strcmp(w.word[0], "hip") == 0 && strcmp(w.word[1], "joint") == 0) ||
                   strcmp(w.word[0], "hipjoint") == 0)) {
        return found;
    }
    drop_fillers(&w);
    if (w.side && finger_of(&w, &found)) {
        return found;
    }
    char key[MAX_WORDS * WORD_SIZE] = "";
    for (int i = 0; i < w.count; i++) {
        strcat(key, w.word[i]);
    }
    for (size_t i = 0; i < sizeof keys / sizeof keys[0]; i++) {
        if (strcmp(keys[i].key, key) == 0 && keys[i].sided == (w.side != NO_SIDE)) {
            found.kind = keys[i].kind;
        }
    }
    /* a number in front belongs to the program ("Bip01"): the last one is the bone's */
    int last = w.number_count - 1;
    if (last >= 0) {
        found.number = number_of(w.number[last]);
        found.digits = (int)strlen(w.number[last]);
    }
    return found;
}

/* ---------------------------------------------------------------------------------------------------
 * A name by itself
 * ------------------------------------------------------------------------------------------------- */

static int sided(int left, side s) { return left + (s == RIGHT); }

static int part_alone(const bone *b) {
    switch (b->kind) {
    case KIND_PELVIS:
        return LBIO_PELVIS;
    case KIND_HIP:
    case KIND_THIGH:
        return sided(LBIO_THIGH, b->side);
    case KIND_SPINE: { /* "Spine", "Spine1" count from 0; "spine_01" from 1 */
        int level = b->digits >= 2 ? b->number - 1 : b->number;
        return level >= 0 && level < 5 ? LBIO_SPINE_1 + level : LBIO_SPINE_5;
    }
    case KIND_NECK:
        return b->number > 1 ? LBIO_NECK_2 : LBIO_NECK;
    case KIND_HEAD:
        return LBIO_HEAD;
    case KIND_JAW:
        return LBIO_JAW;
    case KIND_EYE:
        return sided(LBIO_EYE, b->side);
    case KIND_CLAVICLE:
    case KIND_SHOULDER:
        return sided(LBIO_CLAVICLE, b->side);
    case KIND_ARM:
    case KIND_UPPER_ARM:
        return b->number > 1 && b->kind == KIND_UPPER_ARM ? -1 : sided(LBIO_UPPER_ARM, b->side);
    case KIND_FOREARM:
    case KIND_ELBOW:
        return sided(b->number == 2 ? LBIO_LOWER_FOREARM : LBIO_FOREARM, b->side);
    case KIND_HAND:
        return sided(LBIO_HAND, b->side);
    case KIND_LEG:
    case KIND_SHANK:
        return sided(LBIO_SHANK, b->side);
    case KIND_FOOT:
        return sided(LBIO_FOOT, b->side);
    case KIND_TOES:
        return sided(LBIO_TOES, b->side);
    case KIND_FINGER:
        return sided(b->finger, b->side);
    default:
        return -1;
    }
}

int lbio_part_of_name(const char *name) {
    int own = part_of_own_name(name);
    if (own >= 0) {
        return own;
    }
    bone b = bone_of(name);
    return part_alone(&b);
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

/* ---------------------------------------------------------------------------------------------------
 * A whole skeleton
 * ------------------------------------------------------------------------------------------------- */

/* What is known while parts are given out: holder[part] is the bone that has it. */
typedef struct skeleton {
    int count;
    const char *const *names;
    const int *parents;
    int *parts;
    int *kinds; /* kind, side << 8 */
    int holder[LBIO_PART_COUNT];
} skeleton;

static int kind_at(const skeleton *s, int i) { return s->kinds[i] & 0xFF; }
static side side_at(const skeleton *s, int i) { return (side)(s->kinds[i] >> 8); }

static void give(skeleton *s, int i, int part) {
    if (part >= 0 && s->holder[part] < 0 && s->parts[i] < 0) {
        s->parts[i] = part;
        s->holder[part] = i;
    }
}

static int is_below(const skeleton *s, int i, int above) {
    for (; i >= 0; i = s->parents[i]) {
        if (i == above) {
            return 1;
        }
    }
    return 0;
}

static int has_kind(const skeleton *s, kind k, side which) {
    for (int i = 0; i < s->count; i++) {
        if (kind_at(s, i) == (int)k && side_at(s, i) == which) {
            return 1;
        }
    }
    return 0;
}

/* A chain of bones of one kind ("arm_joint_L_1", _2, _3), each below the one before: these parts, in order. */
static void give_chain(skeleton *s, kind k, side which, const int *lefts, int count) {
    int last = -1;
    for (int i = 0, given = 0; i < s->count && given < count; i++) {
        if (kind_at(s, i) == (int)k && side_at(s, i) == which && s->parts[i] < 0 &&
            (last < 0 || is_below(s, i, last))) {
            give(s, i, sided(lefts[given++], which));
            last = i;
        }
    }
}

static int chain_length(const skeleton *s, kind k, side which) {
    int last = -1, length = 0;
    for (int i = 0; i < s->count; i++) {
        if (kind_at(s, i) == (int)k && side_at(s, i) == which && (last < 0 || is_below(s, i, last))) {
            last = i;
            length++;
        }
    }
    return length;
}

static void give_limbs(skeleton *s, side which) {
    static const int arm[] = {LBIO_UPPER_ARM, LBIO_FOREARM, LBIO_HAND};
    static const int leg[] = {LBIO_THIGH, LBIO_SHANK, LBIO_FOOT, LBIO_TOES};
    int has_forearm = has_kind(s, KIND_FOREARM, which) || has_kind(s, KIND_ELBOW, which);
    int has_thigh = has_kind(s, KIND_THIGH, which);
    /* Names of joints instead of bones: shoulder, elbow, wrist; also where nothing else is the upper arm. */
    int by_joints = has_kind(s, KIND_ELBOW, which) || has_kind(s, KIND_CLAVICLE, which) ||
                    (!has_kind(s, KIND_UPPER_ARM, which) && !has_kind(s, KIND_ARM, which));
    if (!has_forearm && chain_length(s, KIND_ARM, which) > 1) {
        give_chain(s, KIND_ARM, which, arm, 3);
    }
    if (!has_thigh && !has_kind(s, KIND_HIP, which) && chain_length(s, KIND_LEG, which) > 1) {
        give_chain(s, KIND_LEG, which, leg, 4);
    }
    for (int i = 0; i < s->count; i++) {
        if (side_at(s, i) != which || s->parts[i] >= 0) {
            continue;
        }
        if (kind_at(s, i) == KIND_SHOULDER && by_joints && !has_kind(s, KIND_UPPER_ARM, which) &&
            !has_kind(s, KIND_ARM, which)) {
            give(s, i, sided(LBIO_UPPER_ARM, which));
        } else if (kind_at(s, i) == KIND_HIP && has_thigh) {
            continue; /* the bone above the thigh */
        } else if (kind_at(s, i) >= KIND_EYE) {
            bone b = bone_of(s->names[i]);
            int part = part_alone(&b);
            /* A finger whose name says what a bone above it is already: the next phalanx. */
            while (kind_at(s, i) == KIND_FINGER && part >= 0 && s->holder[part] >= 0 &&
                   is_below(s, i, s->holder[part]) && (part - LBIO_THUMB) % 6 < 4) {
                part += 2;
            }
            give(s, i, part);
        } else if (kind_at(s, i) == KIND_HIP) {
            give(s, i, sided(LBIO_THIGH, which));
        }
    }
}

/* The nearest bone above both; -1: none. */
static int common(const skeleton *s, int a, int b) {
    for (; a >= 0 && b >= 0; a = s->parents[a]) {
        if (a != b && is_below(s, b, a)) {
            return a;
        }
    }
    return -1;
}

static int arm_root(const skeleton *s, side which) {
    int clavicle = s->holder[sided(LBIO_CLAVICLE, which)];
    return clavicle >= 0 ? clavicle : s->holder[sided(LBIO_UPPER_ARM, which)];
}

/* Pelvis, spine, neck and head: a bone that says spine may be any of them. */
static void give_trunk(skeleton *s) {
    for (int i = 0; i < s->count; i++) {
        int k = kind_at(s, i);
        give(s, i, k == KIND_PELVIS ? LBIO_PELVIS : k == KIND_HEAD ? LBIO_HEAD : k == KIND_JAW ? LBIO_JAW : -1);
    }
    if (s->holder[LBIO_PELVIS] < 0) {
        int between = common(s, s->holder[LBIO_THIGH], s->holder[LBIO_THIGH + 1]);
        if (between >= 0) {
            give(s, between, LBIO_PELVIS);
        }
    }
    int chest = common(s, arm_root(s, LEFT), arm_root(s, RIGHT));
    int level = 0, necks = 0, last_neck = -1;
    for (int i = 0; i < s->count; i++) {
        int k = kind_at(s, i), is_above = chest >= 0 && i != chest && is_below(s, i, chest);
        if (s->parts[i] >= 0 || side_at(s, i) != NO_SIDE || (k != KIND_SPINE && k != KIND_NECK)) {
            continue;
        }
        int head = s->holder[LBIO_HEAD];
        if (k == KIND_NECK || is_above) {
            if ((head < 0 || is_below(s, head, i)) && necks < 2) {
                give(s, i, LBIO_NECK + necks++);
            } else if (head < 0 && last_neck >= 0 && is_below(s, i, last_neck)) {
                give(s, i, LBIO_HEAD);
            }
            last_neck = s->parts[i] >= 0 ? i : last_neck;
        } else if (level < 5 && (head < 0 || is_below(s, head, i))) {
            give(s, i, LBIO_SPINE_1 + level++);
        }
    }
    /* Without a head by name, the last bone of the neck is it. */
    if (s->holder[LBIO_HEAD] < 0 && necks == 2) {
        int last = s->holder[LBIO_NECK_2];
        s->holder[LBIO_NECK_2] = s->parts[last] = -1;
        give(s, last, LBIO_HEAD);
    }
}

int lbio_map_human(int count, const char *const *names, const int *parents, int *parts, int *scratch) {
    skeleton s = {count, names, parents, parts, scratch, {0}};
    int found = 0;
    for (int part = 0; part < LBIO_PART_COUNT; part++) {
        s.holder[part] = -1;
    }
    for (int i = 0; i < count; i++) {
        bone b = bone_of(names[i]);
        parts[i] = -1;
        scratch[i] = (int)b.kind | (int)b.side << 8;
    }
    for (int i = 0; i < count; i++) {
        give(&s, i, part_of_own_name(names[i])); /* models/human.fig and its kin */
    }
    give_limbs(&s, LEFT);
    give_limbs(&s, RIGHT);
    give_trunk(&s);
    for (int i = 0; i < count; i++) {
        found += parts[i] >= 0;
    }
    return found;
}

int lb_figure_human_names(const lb_figure *figure, const char **names) {
    int count = figure ? lb_figure_segment_count(figure) : 0, found = 0;
    int *numbers = malloc((size_t)(count + 1) * 5 * sizeof *numbers);
    const char **given = malloc((size_t)(count + 1) * sizeof *given);
    if (!figure || !names || !numbers || !given) {
        free(numbers);
        free(given);
        return figure && names ? LB_ERROR_MEMORY : LB_ERROR_ARGUMENT;
    }
    int *order = numbers, *place = order + count, *parents = place + count, *parts = parents + count;
    lb_figure_tree_order(figure, order);
    for (int k = 0; k < count; k++) {
        int above = lb_figure_parent_segment(figure, order[k]);
        place[order[k]] = k;
        given[k] = lb_figure_segment(figure, order[k])->name;
        parents[k] = above < 0 ? -1 : place[above];
    }
    found = lbio_map_human(count, given, parents, parts, parts + count);
    for (int k = 0; k < count; k++) {
        names[order[k]] = lbio_part_name(parts[k]);
    }
    free(numbers);
    free(given);
    return found;
}
