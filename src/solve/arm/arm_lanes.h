/* What the schedule of the arm engine and its kernels share: the state of the lanes. */
#ifndef LIMBER_SOLVE_ARM_LANES_H
#define LIMBER_SOLVE_ARM_LANES_H

#include "solve/arm/arm_plan.h"

/* The state of the lanes. Of each array of LBS_ARM_LANES the first elements are in use, one for each lane. */
typedef struct lbs_arm_lanes {
    /* Of each goal: columns x, y, n and the point, seen from the first joint's axis; a tree has z for n, and all as the
     * goal's carrier sees them. */
    double goal[12 * LBS_ARM_GOALS][LBS_ARM_LANES];
    double q[LBS_ARM_MAX][LBS_ARM_LANES];
    double goal_error[LBS_ARM_GOALS][LBS_ARM_LANES]; /* of a tree: the square of each goal's error */
    double error[LBS_ARM_LANES];                     /* half the square of the error, at the last evaluation */
    double patience[LBS_ARM_LANES];                  /* the error must halve every so many evaluations */
    double mark[LBS_ARM_LANES];                      /* the error when it was last compared */
    double left[LBS_ARM_LANES];                      /* evaluations until it is compared again */
    double count[LBS_ARM_LANES];                     /* evaluations so far */
    double limit[LBS_ARM_LANES];                     /* evaluations, at most */
    double column[LBS_ARM_MAX][6][LBS_ARM_LANES];
    double sine[LBS_ARM_MAX][LBS_ARM_LANES], cosine[LBS_ARM_MAX][LBS_ARM_LANES];
    double first[12]; /* of a single lane: columns x, y, n and the point of the last frame, at its first evaluation */
} lbs_arm_lanes;

/* A kernel evaluates and steps until a lane of `live` is done, at most `iterations` times. It returns the lanes that
 * are done, and in *met those that are done because they met the tolerances; the latter have not moved since. */
typedef unsigned lbs_arm_kernel(const lbs_arm *arm, lbs_arm_lanes *lanes, unsigned live, int iterations, unsigned *met);
/* So many lanes. */
lbs_arm_kernel lbs_arm_kernel1, lbs_arm_kernel2, lbs_arm_kernel4, lbs_arm_kernel8;
/* One lane, with the width of the registers across it: for x86 with AVX2. */
lbs_arm_kernel lbs_arm_kernel_one;
/* The one start of a long arm, whose joints are in arm->along.q, so many side by side; `live` is 1. What `lanes`
 * holds is the same in all lanes; its q and columns are not used. */
lbs_arm_kernel lbs_arm_kernel_long1, lbs_arm_kernel_long2, lbs_arm_kernel_long4;

/* The same for a tree (arm_tree.h), in one lane or four. */
lbs_arm_kernel lbs_arm_kernel_tree1, lbs_arm_kernel_tree4;

/* Forward kinematics of lane 0 of a short arm, with the bits of the kernels: the last frame, columns x, y, n and the
 * point. The joints' points and axes are left in the lane's columns. */
void lbs_arm_go(const lbs_arm *arm, lbs_arm_lanes *lanes, double frame[12]);

#endif
