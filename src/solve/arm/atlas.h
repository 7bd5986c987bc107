/* Atlases: where random poses of an arm lead, so that the arm engine has starts near a goal.
 *
 * Two joints need not be sampled, for they only turn all the rest: the first one about an axis that stands (a slide
 * along that axis may come before it), and the last one if the end-effector's point is on its axis. What is left of a
 * frame with six dimensions then has four: the distance from the standing axis, the height, and the direction of the
 * last axis. So a few thousand poses are close together. Both joints' values follow from the goal. */
#ifndef LIMBER_SOLVE_ATLAS_H
#define LIMBER_SOLVE_ATLAS_H

#include "solve/arm/arm_plan.h"

#define LBS_ATLAS_SIDE 8  /* entries that are looked at side by side; a search finds as many */
#define LBS_ATLAS_LEAF 32 /* entries of a leaf */
#define LBS_ATLAS_KEY 9   /* numbers of a key at most */
#define LBS_ATLAS_SEED 7  /* of the poses: entry i is lbs_arm_random's number i */

/* A search's state: the best entry of each side, and the values of the two joints that follow from the goal. */
typedef struct lbs_atlas_found {
    int32_t rank[LBS_ATLAS_SIDE]; /* what orders them: the distance, and for ties the side; large: of no use */
    int32_t entry[LBS_ATLAS_SIDE];
    float first[LBS_ATLAS_SIDE], last[LBS_ATLAS_SIDE];
} lbs_atlas_found;

/* Whether the atlas was made for such a chain. */
int lbs_atlas_fits(const lb_atlas *atlas, const lbs_arm *arm);
/* Looks for starts near a job's goal. */
void lbs_atlas_search(const lb_atlas *atlas, const lbs_arm *arm, const double goal[12], lbs_atlas_found *found);
/* The next best of them, inside the joints' ranges, to q[i * stride]. Returns 0 where there is none left. */
int lbs_atlas_next(const lb_atlas *atlas, const lbs_arm *arm, lbs_atlas_found *found, double *q, int stride);

/* --- Between atlas.c and the search of a leaf ------------------------------------------------------------------------ */

typedef struct lbs_atlas_key {
    float part[LBS_ATLAS_KEY];
    float azimuth_x, azimuth_y; /* the goal's from the standing axis */
    float sign, middle, half;   /* of that joint: which way it turns, and its range */
    float x[3], y[3];           /* the goal's column x, and what is at right angles to it and the last axis */
    int has_last;               /* the last joint is to follow: */
    float last_sign, last_middle, last_half;
} lbs_atlas_key;

/* A leaf is LBS_ATLAS_LEAF / LBS_ATLAS_SIDE blocks of rows of LBS_ATLAS_SIDE numbers, an entry's below each other: `count`
 * of its key, and LBS_ATLAS_MORE: its turn, column x, the last joint's value. `first` is the number of its first entry. */
#define LBS_ATLAS_MORE 5
typedef void lbs_atlas_leaf(const float *leaf, int first, int count, const lbs_atlas_key *key, lbs_atlas_found *found);
lbs_atlas_leaf lbs_atlas_leaf2, lbs_atlas_leaf4;

#endif
