/* What counts as natural, and how much of it is asked for. These numbers were fixed before anything was measured against
 * them; a change is a change of what Limber promises. */
#ifndef LIMBER_TESTS_BODY_THRESHOLDS_H
#define LIMBER_TESTS_BODY_THRESHOLDS_H

/* An answer is clean where all of these hold. */
#define BODY_GOAL_M 1e-5    /* goals: distance */
#define BODY_GOAL_RAD 2e-5  /* goals: each direction, the gaze of each eye */
#define BODY_STANDS_M 1e-3  /* a contact point stands where it is no higher above its surface */
#define BODY_SUPPORT_M 1e-3 /* what is told to rest on a surface: its distance from it */
#define BODY_SPINE_DEG 20   /* tasks that the arm alone can do: flexion, lateral and axial bend together */
#define BODY_LATERAL_DEG 25 /* lateral bend of the spine */
#define BODY_IDLE_DEG 35    /* an arm without a task, from hanging straight down; not where the person sits */
#define BODY_FLOOR_M 1e-3   /* the deepest that anything is in the floor */
#define BODY_SELF_M 1e-3    /* the deepest that limbs are in each other, beyond what they are at rest */
#define BODY_NEAR_LIMITS \
    0.15                     /* share of the variables in the outer 5% of their ranges, and more than 3 deg from rest */
#define BODY_HEAD_DEG 40     /* the head from upright, where nothing is looked at */
#define BODY_HEAD_LOW_DEG 75 /* the same, where the task is low */
#define BODY_LOW_KNEE_DEG 25 /* low tasks: the knee that bends more bends at least so far */
#define BODY_SYMMETRY_DEG 4  /* symmetric tasks: mean difference of right and left */

/* How many answers have to be clean. */
#define BODY_PANEL_CLEAN 40     /* of 41, also mirrored */
#define BODY_STATURE_CLEAN 37   /* of 41, at each stature */
#define BODY_RANDOM_CLEAN 0.99  /* share of the random points that the arm alone reaches */
#define BODY_RANDOM_SPINE_DEG 7 /* their median bend of the spine */

#endif
