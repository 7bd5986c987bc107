/* The schedule of the arm engine: jobs, their starts, and the lanes that the starts run in. None of it changes an
 * answer. */
#ifndef LIMBER_SOLVE_ARM_SCHEDULE_H
#define LIMBER_SOLVE_ARM_SCHEDULE_H

#include "solve/arm/arm_lanes.h"

#define LBS_ARM_JOBS 12       /* jobs of a stream that are under way, at most: a few more than there are lanes */
#define LBS_ARM_ITERATIONS 15 /* evaluations of each of the first starts, at most (docs/methods.md, "The iteration") */

typedef enum lbs_arm_end { LBS_ARM_SOLVED, LBS_ARM_FAILED, LBS_ARM_STOPPED } lbs_arm_end;

/* One problem: its goal, its start, and what came of it. */
typedef struct lbs_arm_job {
    double goal[12 * LBS_ARM_GOALS]; /* by lbs_arm_aim, or lbs_tree_aim */
    const double *start;             /* [n], z of the space, inside its limits */
    double
        *answer; /* [n]: out, of the first start that solved; else of the one that came nearest. It may be `start`. */
    uint64_t seed;
    int first_start; /* the number of the first start; 0 is the caller's */
    int restarts;    /* the number of the last start */
    int max_iterations, max_evaluations;
    /* Only of a job that is solved alone. `watch` is called after every iteration with the present pose, which is in
     * watch_z [n], the number of the start, and the evaluations so far; it returns non-zero to stop. NULL: nobody
     * watches. It sees one start after the other, and the bits are the same with and without it. */
    int (*watch)(void *context, const double *z, int start, int evaluations);
    void *watch_context;
    double *watch_z;
    /* What came out. */
    lbs_arm_end end;
    int start_index;             /* the start that the answer comes from */
    int last_start;              /* the last start that ran to its end, where none solved */
    int iterations, evaluations; /* of the starts up to that one; of all where none solved */
    double first[12]; /* only of a job that is solved alone: the last frame at the start, as in lbs_arm_lanes */
} lbs_arm_job;

/* Writes the goal to the job, seen from the first joint's axis. Returns 0 where no frame can meet it, because its
 * directions are not at right angles. */
int lbs_arm_aim(const lbs_arm *arm, const lb_goal *goal, lbs_arm_job *job);

/* The value of an item's goal, times its weight, where the last frame is `frame`, as in lbs_arm_lanes. */
double lbs_arm_value(const lbs_arm *arm, const lbs_item *item, const double frame[12]);

/* Writes a random start to q[i * stride]. It depends on the seed and the number of the start alone. */
void lbs_arm_random(const lbs_arm *arm, uint64_t seed, int number, double *q, int stride);

/* Bytes of memory for a run. The memory is aligned to 64 bytes and zeroed before its first use. */
extern const size_t lbs_arm_memory_size;
/* Does all jobs; neither the order of the jobs nor the number of lanes changes an answer. `stop`, if not NULL, is
 * asked after each iteration of a single job, and after a few iterations of many. Where it returns non-zero, jobs
 * that are not done end as LBS_ARM_STOPPED. */
void lbs_arm_solve_jobs(const lbs_arm *arm, int count, lbs_arm_job *jobs, int (*stop)(void *context), void *context,
                        void *memory);

/* Where the jobs of a stream come from, and where they go to. */
typedef struct lbs_arm_feed {
    lbs_arm_job *(*next)(void *context);           /* NULL: no more for now; it is asked again when others are done */
    void (*done)(void *context, lbs_arm_job *job); /* the job is done, and free to be used again */
    int (*stop)(void *context);                    /* asked after a few iterations; may be NULL */
    void *context;
} lbs_arm_feed;

/* Does jobs as long as there are any, at most LBS_ARM_JOBS at a time, for arms of at most LBS_ARM_MAX joints. */
void lbs_arm_stream_jobs(const lbs_arm *arm, const lbs_arm_feed *feed, void *memory);

/* Where a slide is far longer than the arm: moves the joints q[i * stride] up to it so that the effector comes near the
 * goal's point; else the first steps, whose damping grows with the error, would be short for want of digits
 * (arm_far.c). */
void lbs_arm_approach(const lbs_arm *arm, const lbs_arm_job *job, double *q, int stride);

/* --- Between arm_schedule.c and arm_long.c --------------------------------------------------------------------- */

/* Shows the present pose of a start to whoever watches the job. Returns whether to stop. */
int lbs_arm_show(const lbs_arm *arm, const lbs_arm_job *job, const double *q, int stride, int start, int count);
/* A job of a long arm, one start after the other. */
void lbs_arm_solve_long(const lbs_arm *arm, lbs_arm_job *job, int (*stop)(void *context), void *context,
                        lbs_arm_lanes *lanes);

#endif
