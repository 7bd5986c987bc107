/* What the name of a human bone says by itself, before the rest of the skeleton is looked at. */
#ifndef LIMBER_IO_HUMAN_BONE_H
#define LIMBER_IO_HUMAN_BONE_H

#include "io/human/human.h"

typedef enum lbio_side { LBIO_NO_SIDE, LBIO_LEFT, LBIO_RIGHT } lbio_side;

typedef enum lbio_bone_kind {
    LBIO_KIND_NONE,
    LBIO_KIND_PELVIS,
    LBIO_KIND_HIP, /* with a side: the thigh's joint */
    LBIO_KIND_SPINE,
    LBIO_KIND_NECK,
    LBIO_KIND_HEAD,
    LBIO_KIND_JAW,
    LBIO_KIND_EYE,
    LBIO_KIND_CLAVICLE,
    LBIO_KIND_SHOULDER, /* clavicle or upper arm */
    LBIO_KIND_UPPER_ARM,
    LBIO_KIND_ARM, /* upper arm, or all of a chain */
    LBIO_KIND_FOREARM,
    LBIO_KIND_ELBOW,
    LBIO_KIND_HAND,
    LBIO_KIND_THIGH,
    LBIO_KIND_LEG, /* shank, or all of a chain */
    LBIO_KIND_SHANK,
    LBIO_KIND_FOOT,
    LBIO_KIND_TOES,
    LBIO_KIND_FINGER /* with the left part's number - LBIO_THUMB in the bits above */
} lbio_bone_kind;

typedef struct lbio_bone {
    lbio_bone_kind kind;
    lbio_side side;
    int finger; /* LBIO_THUMB ...: the left one's part */
    int number; /* 0: none */
    int digits; /* of the number */
} lbio_bone;

lbio_bone lbio_bone_of(const char *name);
/* The part that a bone is where no other says more; -1: none. */
int lbio_part_alone(const lbio_bone *bone);
/* The part of this name in Limber's own vocabulary; -1: none. */
int lbio_part_of_own_name(const char *name);

/* The part of a side, from the left one. */
static inline int lbio_sided(int left, lbio_side s) { return left + (s == LBIO_RIGHT); }

#endif
