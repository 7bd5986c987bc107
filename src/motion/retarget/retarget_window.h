/* A window of frames that are solved at once: what retarget_smooth.c and retarget_limits.c share. */
#ifndef LIMBER_MOTION_RETARGET_WINDOW_H
#define LIMBER_MOTION_RETARGET_WINDOW_H

#include "math/dense/banded.h"
#include "motion/retarget/retarget.h"
#include "solve/solver.h"

/* Scratch of steps that limits stop. */
typedef struct lbt_stopped {
    double *blocks;            /* [slot][n][stride]: the blocks on the diagonal, before they are factored */
    double *rights;            /* [slot][stride]: the right sides */
    double *couplings;         /* [2][slot][stride]: the diagonals of the blocks beside, which are 0 elsewhere */
    double *corrected;         /* [n][stride] */
    double *box;               /* [5][stride], and scratch of a slot's problem in its bounds */
    signed char *state;        /* [n] */
    unsigned char *is_stopped; /* [slot]: limits are in the way of its step */
} lbt_stopped;

typedef struct lbt_window {
    lbt_retarget *w;
    lbs_space *space;
    int n, stride, goal_count;
    int capacity, count;           /* slots for frames, and those in use */
    int fixed;                     /* slots at the beginning whose poses are done */
    int first;                     /* the frame of the clip that slot 0 has */
    double velocity, acceleration; /* weights */
    int is_single;                 /* frame after frame: velocities of all variables count, accelerations do not */
    lb_goal *goals;                /* [slot][goal] */
    double *root_weights;          /* [slot][goal] */
    double *wishes;                /* [slot][variable of the pose] */
    double *wish;                  /* [slot][stride]: the same in terms of z */
    double *z, *kept;              /* [slot][stride] */
    double *dampings;              /* [slot] */
    double *values, *kept_values;  /* [slot]: what a frame's own goals and wishes are off by */
    unsigned char *is_broken;      /* [slot][n]: the wish's representation changed since the slot before */
    unsigned char *is_wished;      /* [n] */
    double size;                   /* of the target, in those of a person: lengths count by it */
    double *unit;                  /* [n]: 1 of an angle, the size of a length */
    int *joint_of;                 /* [n]: variables whose representations change together have the same number */
    lbm_banded system;
    lbt_stopped stopped;
    void *block;
    size_t block_size;
} lbt_window;

static inline double *lbt_window_row(const lbt_window *s, double *rows, int slot) {
    return rows + (size_t)slot * (size_t)s->stride;
}

/* retarget_limits.c. Holds what is at a limit and is pushed outward in the system of the slots from `from` to `to`,
 * which is remembered as it was. */
void lbt_window_hold_limits(lbt_window *s, int from, int to);
/* After the system was solved: steps of slots that limits stop are found again, forward and backward in time. */
void lbt_window_correct_steps(lbt_window *s, int from, int to);

#endif
