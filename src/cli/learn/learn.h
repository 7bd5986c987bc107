/* limber learn: a habit from recorded motion. */
#ifndef LIMBER_CLI_LEARN_H
#define LIMBER_CLI_LEARN_H

#include "cli/cli.h"
#include <limber/body.h>

#define LEARN_TRUNK (-1) /* the part of a feature that is of no arm */

/* What is seen of a pose of the figure that is learned on. */
typedef struct learn_view {
    const lb_figure *figure;
    lb_kinematics *kinematics;
    lb_habit *plain; /* the features alone, without what is learned: for lb_habit_measure */
    double root_height;
    int count; /* features */
    lb_habit_feature features[LB_HABIT_FEATURES];
    int mirrors[LB_HABIT_FEATURES];  /* the feature of the other side, or itself */
    double signs[LB_HABIT_FEATURES]; /* of the mirrored value */
    int parts[LB_HABIT_FEATURES];    /* the arm that it is of, or LEARN_TRUNK */
    double noise[LB_HABIT_FEATURES]; /* standard deviation that is added: less is not known of a pose */
    int part_count;                  /* arms */
} learn_view;

/* Features of frames, one behind the other. */
typedef struct learn_frames {
    double *values; /* [count][features] */
    int count, capacity;
} learn_frames;

/* Why a clip is left out. */
typedef enum learn_verdict { LEARN_TAKEN, LEARN_JUMPS, LEARN_NO_FLOOR, LEARN_NO_MEMORY } learn_verdict;

/* --- learn_view.c --- */
/* Returns a sentence on why the figure cannot be learned on, or NULL. */
const char *learn_open(learn_view *view, const lb_figure *figure);
void learn_close(learn_view *view);
/* Adds the frames of a clip of the figure, above the floor that its feet are on most of the time. */
learn_verdict learn_add(learn_view *view, const lb_clip *clip, learn_frames *frames);

/* --- learn_fit.c --- */
typedef struct learn_fit {
    double mean[LB_HABIT_FEATURES];
    double deviation[LB_HABIT_FEATURES];
    double factor[LB_HABIT_FEATURES * (LB_HABIT_FEATURES + 1) / 2];
    int start_count;
    double *starts; /* [start_count][count]; to be freed */
} learn_fit;

/* The Gaussian of the frames and of their mirror images, and starts. Returns 0, or -1 where there is no memory or the
 * frames are too few. */
int learn_gaussian(const learn_view *view, const learn_frames *frames, learn_fit *fit);
int learn_starts(const learn_view *view, const learn_frames *frames, int count, learn_fit *fit);

#endif
