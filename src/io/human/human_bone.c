/* What the name of a human bone says by itself: it is cut into words; what says nothing (rig, bone, def) is dropped,
 * what is no bone (ik, twist, end) refused, and the rest looked up. */
#include "io/human/human_bone.h"

#include <stdlib.h>
#include <string.h>

#define MAX_WORDS 12
#define WORD_SIZE 24

typedef struct words {
    char word[MAX_WORDS][WORD_SIZE];
    int count;
    char number[3][8];
    int number_count;
    lbio_side side;
} words;

static int is_lower(char c) { return c >= 'a' && c <= 'z'; }
static int is_upper(char c) { return c >= 'A' && c <= 'Z'; }
static int is_letter(char c) { return is_lower(c) || is_upper(c); }
static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_in(const char *word, const char *const *list) {
    for (; *list; list++) {
        if (strcmp(*list, word) == 0) {
            return 1;
        }
    }
    return 0;
}

/* What comes after the last namespace: "mixamorig:LeftUpLeg". */
static const char *without_namespace(const char *name) {
    for (const char *at = name; *at; at++) {
        if ((*at == ':' || *at == '|') && at[1]) {
            name = at + 1;
        }
    }
    return name;
}

/* Takes a number as it is written, or as much of it as there is room for. NULL: one too many. */
static const char *cut_number(const char *at, words *out) {
    if (out->number_count == 3) {
        return NULL;
    }
    for (int length = 0; is_digit(*at); at++, length++) {
        if (length < 7) {
            out->number[out->number_count][length] = *at;
        }
    }
    out->number_count++;
    return at;
}

/* Whether a word begins at a capital inside letters: "foreArm", and "LHip" before the H. */
static int begins_word(const char *at) {
    return is_upper(*at) && (is_lower(at[-1]) || (is_upper(at[-1]) && is_lower(at[1])));
}

/* Takes a word, in lower case. NULL: too long, or one too many. */
static const char *cut_word(const char *at, words *out) {
    int length = 0;
    if (out->count == MAX_WORDS) {
        return NULL;
    }
    for (const char *first = at; is_letter(*at) && !(at > first && begins_word(at)); at++) {
        if (length == WORD_SIZE - 1) {
            return NULL;
        }
        out->word[out->count][length++] = is_upper(*at) ? (char)(*at - 'A' + 'a') : *at;
    }
    out->count++;
    return at;
}

/* Whether the number at a place is the skeleton's: "Bip01". */
static int is_biped_number(const char *name, const char *at, const words *w) {
    return is_digit(*at) && w->count > 0 && at > name && is_lower(at[-1]) && strcmp(w->word[w->count - 1], "bip") == 0;
}

/* "LeftForeArm", "mixamorig:LeftUpLeg", "LHipJoint", "upper_arm.L", "Bip01 L Finger02": words in lower case, numbers
 * as they are written. 0: too long or too many to be a bone. */
static int cut(const char *name, words *out) {
    memset(out, 0, sizeof *out);
    name = without_namespace(name);
    for (const char *at = name; *at;) {
        if (is_biped_number(name, at, out)) {
            while (is_digit(*at)) {
                at++;
            }
        } else if (is_digit(*at)) {
            at = cut_number(at, out);
        } else if (is_letter(*at)) {
            at = cut_word(at, out);
        } else {
            at++;
        }
        if (!at) {
            return 0;
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
        lbio_side found = is_in(w->word[i], lefts) ? LBIO_LEFT : is_in(w->word[i], rights) ? LBIO_RIGHT : LBIO_NO_SIDE;
        if (!found && (w->word[i][0] == 'l' || w->word[i][0] == 'r') && is_in(w->word[i] + 1, glued)) {
            w->side = w->word[i][0] == 'l' ? LBIO_LEFT : LBIO_RIGHT;
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

static const struct {
    const char *key;
    lbio_bone_kind kind;
    int sided;
} keys[] = {
    {"hips", LBIO_KIND_PELVIS, 0},
    {"hip", LBIO_KIND_PELVIS, 0},
    {"pelvis", LBIO_KIND_PELVIS, 0},
    {"hip", LBIO_KIND_HIP, 1},
    {"spine", LBIO_KIND_SPINE, 0},
    {"lowerback", LBIO_KIND_SPINE, 0},
    {"upperback", LBIO_KIND_SPINE, 0},
    {"back", LBIO_KIND_SPINE, 0},
    {"thorax", LBIO_KIND_SPINE, 0},
    {"chest", LBIO_KIND_SPINE, 0},
    {"upperchest", LBIO_KIND_SPINE, 0},
    {"chestlower", LBIO_KIND_SPINE, 0},
    {"chestupper", LBIO_KIND_SPINE, 0},
    {"abdomen", LBIO_KIND_SPINE, 0},
    {"abdomenlower", LBIO_KIND_SPINE, 0},
    {"abdomenupper", LBIO_KIND_SPINE, 0},
    {"waist", LBIO_KIND_SPINE, 0},
    {"stomach", LBIO_KIND_SPINE, 0},
    {"tummy", LBIO_KIND_SPINE, 0},
    {"torso", LBIO_KIND_SPINE, 0},
    {"ribs", LBIO_KIND_SPINE, 0},
    {"ribcage", LBIO_KIND_SPINE, 0},
    {"neck", LBIO_KIND_NECK, 0},
    {"lowerneck", LBIO_KIND_NECK, 0},
    {"upperneck", LBIO_KIND_NECK, 0},
    {"necklower", LBIO_KIND_NECK, 0},
    {"neckupper", LBIO_KIND_NECK, 0},
    {"head", LBIO_KIND_HEAD, 0},
    {"skull", LBIO_KIND_HEAD, 0},
    {"jaw", LBIO_KIND_JAW, 0},
    {"eye", LBIO_KIND_EYE, 1},
    {"eyeball", LBIO_KIND_EYE, 1},
    {"clavicle", LBIO_KIND_CLAVICLE, 1},
    {"collar", LBIO_KIND_CLAVICLE, 1},
    {"collarbone", LBIO_KIND_CLAVICLE, 1},
    {"shoulder", LBIO_KIND_SHOULDER, 1},
    {"upperarm", LBIO_KIND_UPPER_ARM, 1},
    {"uparm", LBIO_KIND_UPPER_ARM, 1},
    {"armupper", LBIO_KIND_UPPER_ARM, 1},
    {"humerus", LBIO_KIND_UPPER_ARM, 1},
    {"shldr", LBIO_KIND_UPPER_ARM, 1},
    {"shldrbend", LBIO_KIND_UPPER_ARM, 1},
    {"arm", LBIO_KIND_ARM, 1},
    {"forearm", LBIO_KIND_FOREARM, 1},
    {"lowerarm", LBIO_KIND_FOREARM, 1},
    {"lowarm", LBIO_KIND_FOREARM, 1},
    {"loarm", LBIO_KIND_FOREARM, 1},
    {"loleg", LBIO_KIND_SHANK, 1},
    {"armlower", LBIO_KIND_FOREARM, 1},
    {"radius", LBIO_KIND_FOREARM, 1},
    {"forearmbend", LBIO_KIND_FOREARM, 1},
    {"elbow", LBIO_KIND_ELBOW, 1},
    {"hand", LBIO_KIND_HAND, 1},
    {"wrist", LBIO_KIND_HAND, 1},
    {"palm", LBIO_KIND_HAND, 1},
    {"thigh", LBIO_KIND_THIGH, 1},
    {"thighbend", LBIO_KIND_THIGH, 1},
    {"upleg", LBIO_KIND_THIGH, 1},
    {"upperleg", LBIO_KIND_THIGH, 1},
    {"legupper", LBIO_KIND_THIGH, 1},
    {"femur", LBIO_KIND_THIGH, 1},
    {"leg", LBIO_KIND_LEG, 1},
    {"shin", LBIO_KIND_SHANK, 1},
    {"calf", LBIO_KIND_SHANK, 1},
    {"lowerleg", LBIO_KIND_SHANK, 1},
    {"lowleg", LBIO_KIND_SHANK, 1},
    {"leglower", LBIO_KIND_SHANK, 1},
    {"tibia", LBIO_KIND_SHANK, 1},
    {"knee", LBIO_KIND_SHANK, 1},
    {"shank", LBIO_KIND_SHANK, 1},
    {"foot", LBIO_KIND_FOOT, 1},
    {"ankle", LBIO_KIND_FOOT, 1},
    {"toe", LBIO_KIND_TOES, 1},
    {"toes", LBIO_KIND_TOES, 1},
    {"toebase", LBIO_KIND_TOES, 1},
    {"ball", LBIO_KIND_TOES, 1},
};

static int number_of(const char *text) { return *text ? atoi(text) : 0; }

/* What the words and numbers of a name say of a finger. */
typedef struct finger_words {
    int part;  /* the left one's base; -1: not said */
    int level; /* of the phalanx, from 0; -1: not said */
    int has_finger, is_metacarpal;
} finger_words;

static int phalanx_of(const char *word, int otherwise) {
    if (strncmp(word, "prox", 4) == 0) {
        return 0;
    }
    if (strncmp(word, "inter", 5) == 0 || strcmp(word, "int") == 0) {
        return 1;
    }
    return strncmp(word, "dist", 4) == 0 ? 2 : otherwise;
}

static finger_words read_finger_words(const words *w) {
    static const struct {
        const char *name;
        int part;
    } fingers[] = {{"thumb", LBIO_THUMB}, {"index", LBIO_INDEX},   {"middle", LBIO_MIDDLE},
                   {"ring", LBIO_RING},   {"little", LBIO_LITTLE}, {"pinky", LBIO_LITTLE}};
    finger_words found = {-1, -1, 0, 0};
    for (int i = 0; i < w->count; i++) {
        const char *word = w->word[i];
        for (size_t k = 0; k < sizeof fingers / sizeof fingers[0]; k++) {
            found.part = strcmp(word, fingers[k].name) == 0 ? fingers[k].part : found.part;
        }
        found.has_finger |= strcmp(word, "finger") == 0;
        found.is_metacarpal |= strcmp(word, "metacarpal") == 0 || strcmp(word, "meta") == 0;
        found.level = phalanx_of(word, found.level);
    }
    return found;
}

/* Biped numbers fingers from 0 and joints behind them, MakeHuman from 1. */
static void read_finger_numbers(const words *w, finger_words *found) {
    static const int in_order[] = {LBIO_THUMB, LBIO_INDEX, LBIO_MIDDLE, LBIO_RING, LBIO_LITTLE};
    int is_numbered = found->part < 0 && found->has_finger;
    if (is_numbered && w->number_count == 1 && strlen(w->number[0]) <= 2) {
        int finger = w->number[0][0] - '0';
        found->part = finger < 5 ? in_order[finger] : -1;
        found->level = w->number[0][1] ? w->number[0][1] - '0' : 0;
    } else if (is_numbered && w->number_count == 2) {
        int finger = number_of(w->number[0]);
        found->part = finger >= 1 && finger <= 5 ? in_order[finger - 1] : -1;
        found->level = number_of(w->number[1]) - 1;
    } else if (found->level < 0 && w->number_count > 0) {
        found->level = number_of(w->number[0]) - 1;
    }
}

/* Fingers: by name and phalanx or number. */
static int finger_of(const words *w, lbio_bone *out) {
    finger_words found = read_finger_words(w);
    read_finger_numbers(w, &found);
    if (found.part < 0 || (found.is_metacarpal && found.part != LBIO_THUMB)) {
        return 0;
    }
    int level = found.is_metacarpal || (found.level < 0 && w->number_count == 0) ? 0 : found.level;
    if (level < 0 || level > 2) {
        return 0;
    }
    out->kind = LBIO_KIND_FINGER;
    out->finger = found.part + 2 * level;
    return 1;
}

/* A vertebra by its number, as "L5" and "T8" (Xsens); those of the neck are "C7". */
static lbio_bone_kind vertebra_of(const char *name) {
    name = without_namespace(name);
    int digits = (int)strspn(name + (*name != 0), "0123456789");
    int is_vertebra = (*name == 'L' || *name == 'T' || *name == 'C') && digits >= 1 && digits <= 2 && !name[1 + digits];
    return !is_vertebra ? LBIO_KIND_NONE : *name == 'C' ? LBIO_KIND_NECK : LBIO_KIND_SPINE;
}

lbio_bone lbio_bone_of(const char *name) {
    words w;
    lbio_bone found = {vertebra_of(name), LBIO_NO_SIDE, 0, 0, 0};
    if (found.kind != LBIO_KIND_NONE) {
        return found;
    }
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
        if (strcmp(keys[i].key, key) == 0 && keys[i].sided == (w.side != LBIO_NO_SIDE)) {
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
