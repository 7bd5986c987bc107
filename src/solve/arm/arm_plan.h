/* The plan of the arm engine: an arm is one end-effector on one chain of joints with ranges, taken to a point, an
 * orientation or a frame.
 *
 * The plan is made of the figure: what does not move is folded into constants, and the axes are aligned, so that a
 * joint costs a rotation of two columns. Starts run side by side in the lanes of vector registers: the starts of one
 * problem, or many problems (arm_schedule.h). Every start is damped Gauss-Newton from its own pose
 * (arm_kernel_common.h) and knows nothing of the others. The answer is that of the first start that meets the
 * tolerances, in the order 0 (the caller's), 1, 2 and so on (random, from the seed and the number of the start). So
 * it is the same, bit for bit, for every number of lanes. What the engine does not solve is left to the general
 * methods: it searches for a root, not for a minimum.
 *
 * Arms of more than LBS_ARM_MAX joints run one start at a time, with joints side by side in the lanes. */
#ifndef LIMBER_SOLVE_ARM_PLAN_H
#define LIMBER_SOLVE_ARM_PLAN_H

#include <stdint.h>

#include "solve/plan/space.h"

#define LBS_ARM_MAX 32       /* joints of an arm whose starts run side by side; longer ones are long arms */
#define LBS_ARM_LANES 8      /* at most: AVX-512 has as many */
#define LBS_ARM_ONE_SIDE 8   /* joints whose sines one start computes side by side */
#define LBS_ARM_LONG_LANES 4 /* joints of a long arm side by side, and partial sums over them */
#define LBS_ARM_GOALS 4      /* goals of arms that share joints, at most (arm_tree.h) */

typedef enum lbs_arm_twist { LBS_ARM_TWIST_NONE, LBS_ARM_TWIST_QUARTER, LBS_ARM_TWIST_ANY } lbs_arm_twist;

/* The way from one joint's frame to the next: a shift by (x, y, z), a turn about x (the twist), then the joint's own
 * motion. Of the three columns of a frame the kernels keep x, y and n, which is z or, where `flipped`, -z: so a
 * quarter turn is an exchange of y and n. Lengths are in the plan's unit. */
typedef struct lbs_arm_joint {
    double x, y, z; /* z along n */
    double twist_sine, twist_cosine;
    lbs_arm_twist twist;
    int slides;  /* the joint moves along its axis, instead of turning about it */
    int turns;   /* of a joint that slides: a constant turn follows it */
    int shifts;  /* bit 0: x, 1: y, 2: z is not 0 */
    int flipped; /* n is -z */
    /* The fields up to here fill a cache line; they are all that the way along a long arm needs. */
    double offset;                 /* added to the angle */
    double turn_sine, turn_cosine; /* of a joint that slides: the constant turn about z that follows it */
    double lower, upper, scale;
    double random_lower, random_upper; /* the range of random starts */
    int is_idle; /* the joint does not move what the goal sees; random starts leave it where it was */
} lbs_arm_joint;

/* The numbers of a long arm, an array of each. Joints that do nothing fill them up to a multiple of
 * LBS_ARM_LONG_LANES. */
typedef struct lbs_arm_long {
    double *offset, *lower, *upper;
    double *factor;                        /* scale, negative where n is -z */
    double *slide;                         /* the plan's unit where the joint slides, else 0 */
    double *q, *sine, *cosine, *column[6]; /* of the present start */
    double *nearest;                       /* q of the start that came nearest to the goal */
} lbs_arm_long;

/* The numbers of a short arm, an array of each. Joints that do nothing fill them up to a multiple of
 * LBS_ARM_ONE_SIDE. */
typedef struct lbs_arm_one {
    double offset[LBS_ARM_MAX], lower[LBS_ARM_MAX], upper[LBS_ARM_MAX];
    double factor[LBS_ARM_MAX]; /* scale, negative where n is -z */
} lbs_arm_one;

/* Where an arm begins. */
typedef enum lbs_arm_base {
    LBS_ARM_OF_WORLD,
    LBS_ARM_OF_CARRIER, /* at the segment that carries the goal: what bends is on both ways */
    LBS_ARM_FOLLOWS     /* in the world: the segment that carries the goal is in its place when the arm is solved */
} lbs_arm_base;

typedef struct lbs_arm {
    int item; /* the number of the goal's item in the space */
    int n;    /* joints; joint i is the space's variable order[i] */
    int *order;
    lbs_arm_joint *joints;
    double end_x, end_z; /* the effector's point in the last frame */
    int end_flipped;
    lbm_transform to_base, from_base; /* the world seen from the first joint's axis, and back */
    lbm_transform tool;               /* its rotation: from the last frame to the effector's axes x, y, x cross y */
    int has_point, has_rotation;
    int has_idle; /* some joint is idle */
    double unit;  /* lengths in the plan are metres times this */
    /* The tolerances of the goal, less what the plan's rounding may hide: in the plan's unit, and as 2 sin(angle /
     * 2). */
    double tolerance, tolerance_rad;
    int lanes; /* 1, 2, 4 or 8 */
    /* Variables of the chain that do not move: the plan holds for these values. */
    int fixed_count;
    int *fixed;
    double *fixed_value;
    lbs_arm_one one;    /* used where n <= LBS_ARM_MAX */
    lbs_arm_long along; /* used where n > LBS_ARM_MAX; a run writes to it */
    /* Room to make the plan in. */
    int room, path_room;
    lbm_transform *gaps; /* [room + 1] */
    int *path;           /* [path_room] */
    lbs_arm_base base;
    int far;        /* joints up to a slide whose range is far longer than the arm; 0: there is none (arm_far.c) */
    int goal_count; /* 1, or those of the tree */
    struct lbs_tree *tree; /* NULL: one chain; else several goals, or joints that follow others (arm_tree.h) */
} lbs_arm;

/* How many lanes are fastest with these vector instructions. */
int lbs_arm_lane_count(lbm_isa isa);

/* Whether an item is one that the engine can have: a point, an orientation or a frame of an end-effector. */
int lbs_arm_goal_fits(const lbs_space *space, const lbs_item *item);
/* Makes a plan of an item for the space as it is after lbs_begin, in the arrays that workspace.c has given the arm.
 * follows: the segment that carries the goal will be in its place. Returns 0 where a joint does not fit. */
int lbs_arm_plan(lbs_space *space, const lbs_item *item, int follows, lbs_arm *arm);
/* Whether a plan of this problem still holds for the space's start pose. Since the plan was made, only goals may
 * have moved. */
int lbs_arm_fits(const lbs_arm *arm, const lbs_space *space);

/* Between arm_plan.c and arm_align.c: aligns the axes of an arm of this length in metres, whose gaps are known.
 * Twists may be rounded by `allowed` radians in all. */
void lbs_arm_align(lbs_arm *arm, double reach, double allowed);

/* Between arm_plan.c and arm_tree.c. */

/* Remembers the variables that a node which does not move depends on. Returns 0 where there is no room. */
int lbs_arm_remember_fixed(const lbs_space *space, int figure, const lbf_node *node, lbs_arm *arm);
/* The motion of a node that does not move, as the kinematics have it. */
void lbs_arm_motion(const lb_kinematics *kinematics, const lbf_node *node, lbm_transform *motion);
/* The range of a variable of the space, and that of its random starts. Returns 0 where angles would be too large for
 * the kernels' sine. */
int lbs_arm_set_range(const lbs_space *space, int variable, int slides, lbs_arm_joint *joint);

#endif
