/* What a motion is made of; stage.c, scene.c and player.c read it. */
#ifndef LIMBER_MOTION_MOTION_H
#define LIMBER_MOTION_MOTION_H

#include <limber/motion.h>

#include "figure/error.h"
#include "figure/figure.h"
#include "problem/problem.h"

/* Times are counted in ticks, of which all usual frame rates have a whole number a frame (24, 25, 30, 48, 50, 60, 90,
 * 100, 120, 1000 and their like, audio rates too). So one time is one number, however it was computed. */
#define LBT_TICKS 705600000.0
#define LBT_NEAR (0.75 / LBT_TICKS) /* times this near are one */
#define LBT_NEVER INT64_MAX
#define LBT_MAX_TIME 1e8 /* seconds, three years */

static inline int64_t lbt_ticks(double time) { return (int64_t)floor(time * LBT_TICKS + 0.5); }
static inline double lbt_seconds(int64_t ticks) { return (double)ticks / LBT_TICKS; }

typedef struct lbt_drive {
    lb_drive_target target;
    int index;
    int figure, joint; /* of LB_DRIVE_TARGET_JOINT */
    lb_track *track;
} lbt_drive;

typedef struct lbt_clip_drive {
    int figure;
    const lb_clip *clip;
    double from;
    lb_interpolation interpolation;
} lbt_clip_drive;

typedef struct lbt_carry {
    int object, carrier, segment;
    int64_t from, to;
} lbt_carry;

typedef struct lbt_follow {
    int id, figure, site;
    lb_track *weight;
} lbt_follow;

typedef struct lbt_stage {
    int64_t from;
    const lb_problem *problem;
    int has_method; /* of its own: `method`; else it is the player's */
    lb_method method;
    int drive_count, drive_capacity;
    lbt_drive *drives;
    int clip_count, clip_capacity;
    lbt_clip_drive *clips;
    int carry_count, carry_capacity;
    lbt_carry *carries;
    int follow_count, follow_capacity;
    lbt_follow *follows;
} lbt_stage;

struct lb_motion {
    lb_allocator allocator;
    lb_error error;
    int stage_count, stage_capacity;
    lbt_stage *stages;
    double *start; /* [start_count]: of the first stage's problem */
    int start_count;
};

/* The frame of a figure's root site as values of its six root variables, near those given; and back. */
void lbt_root_values(const lb_figure *figure, const lb_frame *frame_w, double values[6]);
void lbt_root_frame(const lb_figure *figure, const double values[6], lb_frame *frame_w);

/* The pose of one problem from that of another by names, so that nothing moves that is in both. `to` is filled. Returns
 * 0 if there is no memory. */
int lbt_carry_over(const lb_problem *from, const double *pose_from, const lb_problem *to, double *pose_to);

#endif
