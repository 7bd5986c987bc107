/*
 * Limber's workspaces: is this point, or this frame, within reach? Prepared once, answered in under a microsecond.
 *
 *     lb_reach *reach = lb_reach_create(figure, &effector, NULL, &error);
 *     lb_reach_answer answer;
 *     lb_reach_answer_defaults(&answer);
 *     lb_reach_point(reach, point, &answer);
 *     if (answer.verdict == LB_REACH_OUTSIDE) ...                  proved: no pose gets nearer than answer.distance
 *
 * There are three answers, which are never mixed up: proved to be inside, proved to be outside, not known. What is
 * proved holds of the arm, whatever was rounded; docs/contract.md has the tolerance of each claim, docs/reach.md the
 * formulas and the proofs. An lb_reach never changes once it is made, so that any number of threads may ask it.
 */
#ifndef LIMBER_REACH_H
#define LIMBER_REACH_H

#include <limber/limber.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum lb_reach_kind {
    LB_REACH_UNKNOWN, /* neither is proved */
    LB_REACH_INSIDE,  /* proved: a pose inside the limits is there */
    LB_REACH_OUTSIDE  /* proved: no pose inside the limits is there */
} lb_reach_kind;

/* "unknown", "inside", "outside"; never NULL. */
LB_API const char *lb_reach_kind_name(lb_reach_kind kind);

typedef struct lb_reach_options {
    size_t struct_size; /* set by lb_reach_options_defaults */
    int base_segment;   /* the chain begins at this segment; -1 (default): at the root, which stands as in pose */
    const double *pose; /* values of the variables that stay; NULL (default): the rest pose. It is copied */
    const unsigned char
        *moves;     /* [variable]: 1 where it may move; NULL (default): all may, but those whose rigidity is 1 */
    double spacing; /* metres between the lines of the grids; 0 (default): chosen by the figure's size and by memory;
                       negative: no grids, bounds alone, which take microseconds to make */
    size_t memory;  /* bytes for grids, at most; 0 (default): 32 MiB */
    int has_frames; /* 1 (default): frames are asked for as well; 0: points alone, in half the time and memory */
} lb_reach_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_reach_options_defaults calls it. */
LB_API void lb_reach_options_defaults_sized(lb_reach_options *options, size_t struct_size);
static inline void lb_reach_options_defaults(lb_reach_options *options) {
    lb_reach_options_defaults_sized(options, sizeof *options);
}

typedef struct lb_reach lb_reach;

/* Prepares the workspace of an end-effector, with memory from the figure's allocator. The figure may be destroyed
 * before it. Every chain of every figure has one; the centre of mass has none (LB_ERROR_UNSUPPORTED). options may be
 * NULL. */
LB_API lb_reach *lb_reach_create(const lb_figure *figure, const lb_effector *effector, const lb_reach_options *options,
                                 lb_error *error);
LB_API void lb_reach_destroy(lb_reach *reach);

typedef struct lb_reach_answer {
    size_t struct_size; /* set by lb_reach_answer_defaults */
    lb_reach_kind verdict;
    double distance; /* metres, >= 0. Outside: no pose brings the point (the frame, turned as it is) nearer than this.
                        Inside: all points up to here are inside too; of a workspace that lies in a plane or on a surface,
                        those of the plane or surface. Unknown: 0 */
    int is_exact; /* 1: the workspace is known exactly, so that the verdict is never unknown, and distance is no mere bound
                   */
} lb_reach_answer;

LB_API void lb_reach_answer_defaults_sized(lb_reach_answer *answer, size_t struct_size);
static inline void lb_reach_answer_defaults(lb_reach_answer *answer) {
    lb_reach_answer_defaults_sized(answer, sizeof *answer);
}

/* Whether the end-effector's point can be there, in the world. */
LB_API lb_status lb_reach_point(const lb_reach *reach, const double point_w[3], lb_reach_answer *answer);
/* Whether the end-effector (its point, x, y and x cross y) can be there, in the world. LB_ERROR_UNSUPPORTED where the
 * workspace was made without frames. */
LB_API lb_status lb_reach_frame(const lb_reach *reach, const lb_frame *frame_w, lb_reach_answer *answer);
/* A box in the world that has all points within reach; infinite where a joint slides without limits. */
LB_API lb_status lb_reach_box(const lb_reach *reach, double low_w[3], double high_w[3]);

#ifdef __cplusplus
}
#endif

#endif
