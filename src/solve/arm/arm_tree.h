/* Arms that share joints, and joints that follow others: what a plan of the arm engine has where one chain is not
 * enough.
 *
 * Two hands on one torso, a hand that is asked for in the world and seen from the other, a gripper whose fingers mimic
 * each other: the joints are a tree, each driven by one variable with a factor and an offset, and there are several
 * goals. The rows of all goals are solved together (kernels/arm_kernel_tree.h). To the schedule a tree is an arm whose
 * joints are the tree's variables. */
#ifndef LIMBER_SOLVE_ARM_TREE_H
#define LIMBER_SOLVE_ARM_TREE_H

#include "solve/arm/arm_schedule.h"

#define LBS_TREE_JOINTS 48
#define LBS_TREE_ROWS (6 * LBS_ARM_GOALS)
#define LBS_TREE_LANES 4 /* at most */
/* Doubles that a run works in: the joints' frames, and the columns of the variables. */
#define LBS_TREE_WORK ((size_t)LBS_TREE_LANES * (12 * LBS_TREE_JOINTS + LBS_ARM_MAX * LBS_TREE_ROWS))

typedef struct lbs_tree_joint {
    lbm_transform
        gap;    /* from behind the parent (or from the world) to where the joint turns about z, or slides along it */
    int parent; /* a smaller number, or -1 */
    int slides;
    int variable;          /* of the plan: what the joint follows, */
    double factor, offset; /* by factor * variable + offset */
    int is_alone;          /* no other joint follows that variable */
    int figure, node;      /* which it is */
    /* What makes it quick: the gap's axes are those of the parent, in another order and perhaps reversed. */
    int is_permuted;
    int from[3];     /* then: where those that x, y, z are begin in a frame, */
    double signs[3]; /* and 1 or -1 */
} lbs_tree_joint;

/* A frame behind a joint (-1: in the world). */
typedef struct lbs_tree_mount {
    int joint;
    lbm_transform frame;
} lbs_tree_mount;

typedef struct lbs_tree_goal {
    int item; /* of the space */
    int leader; /* the item in the world whose goal has the whole frame of the carrier: the goal is in the world, too; -1 */
    lbs_tree_mount effector, carrier;
    int has_point, has_rotation;
    signed char side[LBS_TREE_JOINTS]; /* 1: the joint moves the effector, -1: its carrier, 0: both or none */
} lbs_tree_goal;

typedef struct lbs_tree {
    int joint_count, goal_count;
    lbs_tree_joint joints[LBS_TREE_JOINTS];
    lbs_tree_goal goals[LBS_ARM_GOALS];
    unsigned moves[LBS_ARM_MAX]; /* [variable]: bit g, that it moves goal g */
    /* Variables that move goals a and b <= a: lists[a][b][..counts[a][b]]. */
    unsigned char counts[LBS_ARM_GOALS][LBS_ARM_GOALS], lists[LBS_ARM_GOALS][LBS_ARM_GOALS][LBS_ARM_MAX];
    double *work; /* [LBS_TREE_WORK]; a run writes to it */
} lbs_tree;

/* Makes a plan of several items (items[count], numbers of the space; leaders[count], as in lbs_tree_goal). Returns 0
 * where they do not fit. */
int lbs_tree_plan(lbs_space *space, int count, const int *items, const int *leaders, lbs_tree *tree, lbs_arm *arm);
/* Writes the goals to the job. Returns 0 where no frame can meet one. */
int lbs_tree_aim(const lbs_arm *arm, const lbs_space *space, lbs_arm_job *job);

#endif
