/* People made for tests: one motion, written as BVH by skeletons that rest in different ways, with any program's names. */
#ifndef LIMBER_TESTS_CLIPS_PERSON_H
#define LIMBER_TESTS_CLIPS_PERSON_H

#include <limber/io.h>

/* How the skeleton is at rest: with hanging arms; arms aside; between these; every bone along the file's z axis, which is
 * Limber's x; all joints in one place, so that position channels of the motion have all lengths. */
typedef enum person_rest {
    PERSON_HANGING,
    PERSON_T,
    PERSON_A,
    PERSON_ALONG,
    PERSON_ZERO,
    PERSON_REST_COUNT
} person_rest;

enum {
    PERSON_HIPS,
    PERSON_SPINE,
    PERSON_CHEST,
    PERSON_NECK,
    PERSON_HEAD,
    PERSON_CLAVICLE, /* from here on: left; right */
    PERSON_UPPER_ARM = PERSON_CLAVICLE + 2,
    PERSON_FOREARM = PERSON_UPPER_ARM + 2,
    PERSON_HAND = PERSON_FOREARM + 2,
    PERSON_THIGH = PERSON_HAND + 2,
    PERSON_SHANK = PERSON_THIGH + 2,
    PERSON_FOOT = PERSON_SHANK + 2,
    PERSON_TOES = PERSON_FOOT + 2,
    PERSON_BONES = PERSON_TOES + 2
};

typedef struct person_style {
    person_rest rest;
    const char *const *names; /* [PERSON_BONES]; NULL: Mixamo's */
    int is_z_up;
    double unit;    /* metres per unit of the file */
    double stretch; /* > 0: every bone has position channels, and its length comes and goes by this share */
    int frames;
} person_style;

#define PERSON_FRAME_TIME (1.0 / 30)

extern const char *const person_mixamo[PERSON_BONES];

/* The text of a BVH file, to be freed. */
char *person_bvh(const person_style *style);
/* Loads it; unit and up are left to the reader where has_hints is 0. The clip may be NULL. */
void person_load(const person_style *style, int has_hints, lb_figure **figure, lb_clip **clip);
/* Where joint `bone` truly is in frame f, in Limber's world. */
void person_place(int bone, int frame, int frames, double place_w[3]);

#endif
