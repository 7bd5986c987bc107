/* Arms, fast: one end-effector on one chain of joints with ranges, taken to a point, an orientation or a frame.
 *
 * A plan is made of the figure: what does not move is folded into constants, and the axes are aligned, so that a
 * joint costs a rotation of two columns. Starts run side by side in the lanes of vector registers: the starts of
 * one problem, or many problems. Every start is damped Gauss-Newton from its own pose and knows nothing of the
 * others, and the answer is that of the first start in order 0 (the caller's), 1, 2 ... (random, from the seed and
 * their number) that meets the tolerances. So it is the same, bit for bit, for every number of lanes. What fails
 * here is left to the general methods: this is a search for a root, not for a minimum.
 *
 * Chains of more than LBS_ARM_MAX joints run one start at a time, with joints side by side in the lanes. */
#ifndef LIMBER_SOLVE_ARM_PLAN_H
#define LIMBER_SOLVE_ARM_PLAN_H

#include <stdint.h>

#include "solve/plan/space.h"

#define LBS_ARM_MAX 32        /* joints of chains whose starts are side by side */
#define LBS_ARM_LANES 8       /* at most */
#define LBS_ARM_JOBS 12       /* of many that are under way, at most */
#define LBS_ARM_ONE_SIDE 8    /* joints of one start side by side */
#define LBS_ARM_LONG_LANES 4  /* joints side by side, and sums that go on side by side, of longer ones */
#define LBS_ARM_ITERATIONS 15 /* that the first starts may take */

typedef enum lbs_arm_twist { LBS_ARM_TWIST_NONE, LBS_ARM_TWIST_QUARTER, LBS_ARM_TWIST_ANY } lbs_arm_twist;

/* From one joint's frame to the next: a shift by (x, y, z), a turn about x ("twist"), then the joint's own motion.
 * Of the three columns of a frame the lanes have x, y and n, which is z or -z ("flipped"): so a quarter turn is
 * nothing but an exchange of y and n. Lengths are in units of the plan. */
typedef struct lbs_arm_joint {
    double x, y, z; /* z along n */
    double twist_sine, twist_cosine;
    lbs_arm_twist twist;
    int slides;  /* along its axis, instead of turning about it */
    int turns;   /* a joint that slides: whether there is a turn behind it */
    int shifts;  /* bit 0: x, 1: y, 2: z is not 0 */
    int flipped; /* n is -z */
    /* up to here a cache line, all that the way along a long chain needs */
    double offset;                 /* added to the angle */
    double turn_sine, turn_cosine; /* of a joint that slides: the turn about z behind it */
    double lower, upper, scale;
    double random_lower, random_upper; /* where random starts are */
    int is_idle;                       /* it does not move what the goal sees: random starts leave it where it was */
} lbs_arm_joint;

/* A long chain's numbers, an array of each, with joints that do nothing up to a multiple of LBS_ARM_LONG_LANES. */
typedef struct lbs_arm_long {
    double *offset, *lower, *upper;
    double *factor;                        /* scale, negative where n is -z */
    double *slide;                         /* the unit where it slides, else 0 */
    double *q, *sine, *cosine, *column[6]; /* of the start that runs */
    double *nearest;                       /* q of the start that came nearest */
} lbs_arm_long;

/* A short chain's numbers, an array of each, with joints that do nothing up to a multiple of LBS_ARM_ONE_SIDE. */
typedef struct lbs_arm_one {
    double offset[LBS_ARM_MAX], lower[LBS_ARM_MAX], upper[LBS_ARM_MAX];
    double factor[LBS_ARM_MAX]; /* scale, negative where n is -z */
} lbs_arm_one;

typedef struct lbs_arm {
    int item; /* of the space */
    int n;    /* joints, which are the space's variables in this order: */
    int *order;
    lbs_arm_joint *joints;
    double end_x, end_z; /* the effector's point in the last frame */
    int end_flipped;
    lbm_transform to_base, from_base; /* the world seen from the first joint's axis, and back */
    lbm_transform tool;               /* its rotation: from the last frame to the effector's axes x, y, x cross y */
    int has_point, has_rotation;
    int has_idle; /* some joint is idle */
    double unit;  /* lengths in the plan are metres times this */
    /* of the goal, less what the plan's rounding may hide: in the plan's unit, and as 2 sin(angle / 2) */
    double tolerance, tolerance_rad;
    int lanes;          /* 1, 2, 4 or 8 */
    uint64_t signature; /* of the joints and the point: what an atlas is made from */
    /* what the plan was made from besides the problem: variables on the way that do not move */
    int fixed_count;
    int *fixed;
    double *fixed_value;
    lbs_arm_one one;    /* where n is not more than LBS_ARM_MAX */
    lbs_arm_long along; /* where n is more than LBS_ARM_MAX; a run writes to it */
    /* while it is made */
    int room, path_room;
    lbm_transform *gaps; /* [room + 1] */
    int *variables;      /* [room] */
    int *path;           /* [path_room] */
} lbs_arm;

/* How many lanes pay on a machine with these vector instructions. */
int lbs_arm_lane_count(lbm_isa isa);

/* Gives a chain its arrays, in memory aligned to 64 bytes and zeroed, for so many variables and nodes of figures.
 * Returns how many bytes that are; memory may be NULL to ask for no more than this. */
size_t lbs_arm_place(lbs_arm *arm, int variables, int nodes, void *memory);

/* Makes a plan for the space as it is after lbs_begin, for so many lanes. Returns 0 where the engine does not apply. */
int lbs_arm_plan(lbs_space *space, int lanes, lbs_arm *arm);
/* Whether a plan made for this problem (unchanged since, but for goals moved) is still right for the space's start
 * pose. */
int lbs_arm_fits(const lbs_arm *arm, const lbs_space *space);

typedef enum lbs_arm_end { LBS_ARM_SOLVED, LBS_ARM_FAILED, LBS_ARM_STOPPED } lbs_arm_end;

/* One problem: goal, start, what came out. */
typedef struct lbs_arm_job {
    double goal[12];     /* by lbs_arm_aim */
    const double *start; /* [n], z of the space, inside its limits */
    double *answer;      /* [n]: of the first start that solved; else of the one that came nearest. May be `start`. */
    uint64_t seed;
    const lb_atlas *atlas; /* that fits, to begin restarts with; or NULL */
    int first_start;       /* 0: the caller's */
    int restarts;          /* the last start's number: so many are further ones */
    int max_iterations, max_evaluations;
    /* of a job alone: called after every iteration with where the start is, in watch_z [n], its number, and the evaluations
     * so far; returns non-zero to stop. NULL: nobody watches. It sees one start after the other, to the same bits. */
    int (*watch)(void *context, const double *z, int start, int evaluations);
    void *watch_context;
    double *watch_z;
    /* out */
    lbs_arm_end end;
    int start_index;             /* whose answer it is */
    int last_start;              /* the last one that was run to its end, where none solved */
    int iterations, evaluations; /* of the starts up to it; of all where none solved */
    double first[12];            /* of a job alone: the last frame at the start, as in lbs_arm_lanes */
} lbs_arm_job;

/* The goal as the lanes want it. Returns 0 where it cannot be met: directions that are not at right angles. */
int lbs_arm_aim(const lbs_arm *arm, const lb_goal *goal, lbs_arm_job *job);

/* What an item's goal counts, the weight with it, where the last frame is as in lbs_arm_lanes. */
double lbs_arm_value(const lbs_arm *arm, const lbs_item *item, const double frame[12]);

/* A random start, which depends on seed and number alone, to q[i * stride]. */
void lbs_arm_random(const lbs_arm *arm, uint64_t seed, int number, double *q, int stride);

/* Bytes of memory for a run, aligned to 64 and zeroed before the first; longer chains have their own besides. */
size_t lbs_arm_memory_size(void);
/* Does all jobs; the order of jobs and the lanes change nothing. `stop`, if there is one, is asked after each
 * iteration, of many jobs after a few; where it says so, jobs that are not done end as LBS_ARM_STOPPED. */
void lbs_arm_solve_jobs(const lbs_arm *arm, int count, lbs_arm_job *jobs, int (*stop)(void *context), void *context,
                        void *memory);

/* Where many jobs come from, and where they go to. */
typedef struct lbs_arm_feed {
    lbs_arm_job *(*next)(void *context);           /* NULL: no more for now; asked again when others are done */
    void (*done)(void *context, lbs_arm_job *job); /* which is free again */
    int (*stop)(void *context);                    /* asked after a few iterations; or NULL */
    void *context;
} lbs_arm_feed;

/* Does jobs as long as there are any, at most LBS_ARM_JOBS at a time; for chains of at most LBS_ARM_MAX joints. */
void lbs_arm_stream_jobs(const lbs_arm *arm, const lbs_arm_feed *feed, void *memory);

/* --- Between chain.c and the kernels ----------------------------------------------------------------------------- */

/* The lanes' state; of each array of LBS_ARM_LANES the first few are in use. */
typedef struct lbs_arm_lanes {
    double goal[12][LBS_ARM_LANES]; /* columns x, y, n, point */
    double q[LBS_ARM_MAX][LBS_ARM_LANES];
    double error[LBS_ARM_LANES];    /* half the square, at the last evaluation */
    double mark[LBS_ARM_LANES];     /* the error must be below half of it ... */
    double left[LBS_ARM_LANES];     /* ... in so many evaluations ... */
    double patience[LBS_ARM_LANES]; /* ... and so on, every so many */
    double count[LBS_ARM_LANES];    /* evaluations so far */
    double limit[LBS_ARM_LANES];    /* at most */
    double column[LBS_ARM_MAX][6][LBS_ARM_LANES];
    double sine[LBS_ARM_MAX][LBS_ARM_LANES], cosine[LBS_ARM_MAX][LBS_ARM_LANES];
    double first[12]; /* of one lane alone: columns x, y, n and the point at its first evaluation */
} lbs_arm_lanes;

/* Evaluates and steps until a lane of `live` is done, at most `iterations` times. Returns the lanes that are done,
 * and in *met those that are so because they met the tolerances; these have not moved since. */
typedef unsigned lbs_arm_kernel(const lbs_arm *arm, lbs_arm_lanes *lanes, unsigned live, int iterations, unsigned *met);
lbs_arm_kernel lbs_arm_kernel1, lbs_arm_kernel2, lbs_arm_kernel4, lbs_arm_kernel8;
/* One lane across wide registers: where there are four lanes or more, and it is x86. */
lbs_arm_kernel lbs_arm_kernel_one;

/* Half the square of the error in a pose, and the frame there, as a kernel has them, to the bit; where q is NULL, of the
 * frame that is given. The goal is room's, lane 0. */
double lbs_arm_look(const lbs_arm *arm, const double *q, lbs_arm_lanes *room, double frame[12]);

/* The same for a long chain's one start, in chain->along.q; what `lanes` holds is the same in all lanes, and its q and
 * columns are not used. Returns whether it is done. */
typedef unsigned lbs_arm_long_kernel(const lbs_arm *arm, lbs_arm_lanes *lanes, int iterations, unsigned *met);
lbs_arm_long_kernel lbs_arm_kernel_long1, lbs_arm_kernel_long2, lbs_arm_kernel_long4;

#endif
