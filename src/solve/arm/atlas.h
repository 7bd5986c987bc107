/* An atlas holds where random poses of an arm lead, so that the arm engine has starts near a goal.
 *
 * Two joints need not be sampled. The first joint turns the whole arm about an axis that does not move (a slide
 * along that axis may come before it). The last joint, if the end-effector's point is on its axis, only turns the
 * end-effector about that point. Of the six dimensions of a frame four are left: the distance from the first axis,
 * the height along it, and the direction of the last axis. So a few thousand poses lie close together. The values of
 * the two joints follow from the goal. */
#ifndef LIMBER_SOLVE_ATLAS_H
#define LIMBER_SOLVE_ATLAS_H

#include "solve/arm/arm_plan.h"

#define LBS_ATLAS_SIDE 8  /* sides: entries that are compared side by side; a search finds the best of each side */
#define LBS_ATLAS_LEAF 32 /* entries of a leaf */
#define LBS_ATLAS_KEY 9   /* numbers of a key at most */
#define LBS_ATLAS_SEED 7  /* of the random poses: entry i is start i of lbs_arm_random */

/* What a search finds: the best entry of each side, and the values of the two joints that follow from the goal. */
typedef struct lbs_atlas_found {
    int32_t
        rank[LBS_ATLAS_SIDE]; /* the order of the entries: by distance, then by side; large: the entry is of no use */
    int32_t entry[LBS_ATLAS_SIDE];
    float first[LBS_ATLAS_SIDE], last[LBS_ATLAS_SIDE];
} lbs_atlas_found;

/* Whether the atlas was made for this arm. */
int lbs_atlas_fits(const lb_atlas *atlas, const lbs_arm *arm);
/* Searches for starts near a goal, which is as lbs_arm_aim has it. */
void lbs_atlas_search(const lb_atlas *atlas, const lbs_arm *arm, const double goal[12], lbs_atlas_found *found);
/* Writes the next best start to q[i * stride], inside the joints' ranges. Returns 0 where there is none left. */
int lbs_atlas_next(const lb_atlas *atlas, const lbs_arm *arm, lbs_atlas_found *found, double *q, int stride);

/* --- Between atlas.c and the search of a leaf ------------------------------------------------------------------ */

typedef struct lbs_atlas_key {
    float part[LBS_ATLAS_KEY];
    float azimuth_x, azimuth_y; /* the goal's direction from the first axis */
    float sign, middle, half;   /* of the first joint: which way it turns, and its range */
    float x[3], y[3];           /* the goal's column x, and the vector at right angles to it and to the last axis */
    int has_last;               /* the last joint follows from the goal */
    float last_sign, last_middle, last_half;
} lbs_atlas_key;

/* Searches one leaf. A leaf has LBS_ATLAS_LEAF / LBS_ATLAS_SIDE blocks. A block has rows of LBS_ATLAS_SIDE numbers,
 * one for each entry: `count` rows of the keys, then LBS_ATLAS_MORE rows: the turn, column x, and the last joint's
 * value. `first` is the number of the leaf's first entry. */
#define LBS_ATLAS_MORE 5
typedef void lbs_atlas_leaf(const float *leaf, int first, int count, const lbs_atlas_key *key, lbs_atlas_found *found);
lbs_atlas_leaf lbs_atlas_leaf2, lbs_atlas_leaf4;

#endif
