/* The human body as the models have it (models/human.fig): names of its bones in other programs' words, and limits. */
#ifndef LIMBER_IO_HUMAN_H
#define LIMBER_IO_HUMAN_H

#include <limber/limber.h>

/* Bones. Those with two sides come as left, right: the right one is the left one's number plus 1. */
typedef enum lbio_part {
    LBIO_PELVIS,
    LBIO_SPINE_1, /* from below */
    LBIO_SPINE_2,
    LBIO_SPINE_3,
    LBIO_SPINE_4,
    LBIO_SPINE_5,
    LBIO_NECK,
    LBIO_NECK_2,
    LBIO_HEAD,
    LBIO_JAW,
    LBIO_EYE, /* from here on: left; right */
    LBIO_CLAVICLE = LBIO_EYE + 2,
    LBIO_UPPER_ARM = LBIO_CLAVICLE + 2,
    LBIO_FOREARM = LBIO_UPPER_ARM + 2,
    LBIO_LOWER_FOREARM = LBIO_FOREARM + 2,
    LBIO_HAND = LBIO_LOWER_FOREARM + 2,
    LBIO_THUMB = LBIO_HAND + 2, /* each finger: base, middle, tip */
    LBIO_INDEX = LBIO_THUMB + 6,
    LBIO_MIDDLE = LBIO_INDEX + 6,
    LBIO_RING = LBIO_MIDDLE + 6,
    LBIO_LITTLE = LBIO_RING + 6,
    LBIO_THIGH = LBIO_LITTLE + 6,
    LBIO_SHANK = LBIO_THIGH + 2,
    LBIO_FOOT = LBIO_SHANK + 2,
    LBIO_TOES = LBIO_FOOT + 2,
    LBIO_PART_COUNT = LBIO_TOES + 2
} lbio_part;

/* The name in Limber's vocabulary: "left_thigh". */
const char *lbio_part_name(int part);
/* The part a bone's name says by itself; -1: none. */
int lbio_part_of_name(const char *name);
/* The part of a VRM bone, as "leftUpperArm"; is_vrm0: the thumb's bones are called otherwise. -1: none. */
int lbio_part_of_vrm(const char *bone, int is_vrm0);
/* Parts of a whole skeleton, each given once: what a name means follows from the others and from the tree. parents[i]
 * is an index below count, or -1. parts[i] is -1 for what is no bone of the body. Returns how many are. Needs memory
 * for count numbers in scratch. */
int lbio_map_human(int count, const char *const *names, const int *parents, int *parts, int *scratch);

/* A site of this name, followed by a part's, says which part its segment is, whatever the segment's name. */
#define LBIO_PART_SITE "humanoid_"

/* --- human_unit.c --------------------------------------------------------------------------------- */

/* Metres per unit of a file in which a person's leg, hip to ankle, is so long (0: there is none): the usual unit, or
 * another one that the leg tells, which is then named in *name, else left alone. */
double lbio_unit_of_leg(double leg, double usual, const char **name);

/* --- human_limits.c ------------------------------------------------------------------------------- */

/* What a joint may do, in the body's axes (x ahead, y left, z up) as the body stands upright with hanging arms: a swing
 * about x and y and a twist about z, from `zero`, the turn of the bone where both are 0. */
typedef struct lbio_part_limits {
    double zero[4];
    int swing_count;
    double swing[24][2];
    double twist[2];
} lbio_part_limits;

/* has[part]: which parts there are; trunk_bones: how many share the ranges of the spine. 0 where the part has no
 * limits. */
int lbio_part_limits_of(int part, const unsigned char *has, int trunk_bones, lbio_part_limits *limits);
/* Of what lies between two bones: a share of the spine's, or in a limb (trunk_bones 0) a twist and hardly any swing. */
void lbio_between_limits(int trunk_bones, lbio_part_limits *limits);
/* Where a bone points when the body stands upright with hanging arms; 0 where it stays as it is at rest. */
int lbio_part_direction(int part, double direction[3]);
/* The bone that one points to; -1: none. */
int lbio_part_next(int part, const unsigned char *has);
/* Adds a point to a polygon of swings: its convex hull. */
void lbio_swing_include(lbio_part_limits *limits, double a, double b);

#endif
