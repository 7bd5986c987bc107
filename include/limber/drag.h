/*
 * Limber's drag: a part of a figure, or a goal, is moved by hand, and the figure follows, frame by frame.
 *
 *     lb_drag_options options;
 *     lb_drag_options_defaults(&options);
 *     lb_figure_find_effector(figure, "right_hand", &options.effector, NULL);
 *     lb_drag *drag = lb_drag_create(problem, pose, &options, NULL);    takes hold: nothing moves
 *     while (...) lb_drag_move(drag, &target, pose, &state);            a frame each; pose: what to show
 *     lb_drag_end(drag, pose);                                          lets go
 *     lb_drag_destroy(drag);                                            the problem is as it was
 *
 * What the problem asks for holds meanwhile: pins, balance, obstacles, limits. Where a figure is posed as a body
 * (limber/body.h) its feet stay where they stand, it keeps its balance, and where a hand rests out of reach it steps.
 * Nothing pops: a frame changes little, and where there is more to do the next frames go on, with the same target
 * (`settled` 0).
 *
 * A frame's work is bounded by iterations, never by time: the same targets give the same poses, to the bit, on every
 * machine, however long a frame takes.
 */
#ifndef LIMBER_DRAG_H
#define LIMBER_DRAG_H

#include <limber/body.h>
#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lb_drag lb_drag;

typedef struct lb_drag_options {
    size_t struct_size; /* set by lb_drag_options_defaults */
    int constraint;     /* id of the constraint whose goal follows; -1 (default): the effector does */
    int figure;         /* of the effector; default 0 */
    /* What is taken hold of: a frame of a segment; default: the origin of segment 0. Goals of the same segment that are
     * no obstacles do not count while it is dragged. */
    lb_effector effector;
    int turns; /* 1: targets have rotations; 0 (default): they are places, and the part turns as it likes */
    /* Of figures that are not posed as bodies: ids of the constraints that hold, against which the hand does not pull;
     * hold_count -1 (default): all of the problem's. */
    int hold_count;
    const int *holds; /* copied */
    /* 1 (default): a body may step, and go over to another way to stand; 0: it moves as the hand pulls, no more. It is
     * 0 too where a constraint has a chain_start. */
    int is_free;
    /* Bounds of a frame. 0 (default): see the numbers, which are for bodies and for other figures. */
    double carrot;      /* metres that the part is drawn ahead at a time; 0.025, 0.05 */
    double carrot_rad;  /* radians; 0.3 */
    double max_change;  /* radians or metres that a variable changes in a solve (bodies), or a frame; 0.15, 0.3 */
    double max_turn;    /* radians that a segment of a body turns in a frame; 0.19 */
    int max_iterations; /* of a frame (bodies) or of each of its solves; 22, 12 */
} lb_drag_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_drag_options_defaults calls it. */
LB_API void lb_drag_options_defaults_sized(lb_drag_options *options, size_t struct_size);
static inline void lb_drag_options_defaults(lb_drag_options *options) {
    lb_drag_options_defaults_sized(options, sizeof *options);
}

/* What a frame came to. The caller allocates it and calls lb_drag_state_defaults once. */
typedef struct lb_drag_state {
    size_t struct_size;    /* set by lb_drag_state_defaults */
    int settled;           /* 1: the same target again gives the same pose; 0: call again, and it goes on */
    int is_there;          /* 1: the part is within a millimetre and 0.3 degrees of the target */
    int blocked;           /* 1: something keeps it away */
    double miss, miss_rad; /* how far the part is from the target, metres and radians; 0 where the goal is no place */
    lb_frame at;           /* where the part is, in the world */
    int gliding;           /* 1: the body is under way to another way to stand */
    int glides;            /* how often it has chosen one */
    char steps[128];       /* what feet have done since the part was taken hold of, in words; "" where nothing */
} lb_drag_state;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_drag_state_defaults calls it. */
LB_API void lb_drag_state_defaults_sized(lb_drag_state *state, size_t struct_size);
static inline void lb_drag_state_defaults(lb_drag_state *state) { lb_drag_state_defaults_sized(state, sizeof *state); }

/* Takes hold in a pose [variables of the problem] and changes the problem to what a drag needs; lb_drag_destroy puts it
 * back. Meanwhile the caller may move its goals, but not add or remove constraints, nor drag something else. options
 * NULL: defaults. The problem must outlive the drag. */
LB_API lb_drag *lb_drag_create(lb_problem *problem, const double *pose, const lb_drag_options *options,
                               lb_error *error);
LB_API void lb_drag_destroy(lb_drag *drag); /* NULL is fine */

/* One frame towards a target in the world (of a goal that a segment carries, in its frame). pose is where the figure is
 * then: it is written only. state may be NULL. LB_ERROR_MEMORY where there is none: the frame is then lost, and the
 * next one goes on. */
LB_API lb_status lb_drag_move(lb_drag *drag, const lb_frame *target, double *pose, lb_drag_state *state);

/* Does what the next frame would begin with, between frames; whether it is called changes no pose. */
LB_API lb_status lb_drag_think(lb_drag *drag);

/* Lets go: a body that is under way to another way to stand arrives there, and stands. pose [variables] is written. */
LB_API lb_status lb_drag_end(lb_drag *drag, double *pose);

/* What the solve found whose pose the figure is in: in its goals, limits and words. The lists belong to the drag and
 * are valid until its next frame. NULL before the first frame. */
LB_API const lb_result *lb_drag_result(const lb_drag *drag);
/* The body of a figure in that pose; NULL where there is none. */
LB_API const lb_body_result *lb_drag_body(const lb_drag *drag, int figure);
/* Why the part is no nearer to its target: the result says it in words and parts, its lists are valid until the next
 * call. */
LB_API lb_status lb_drag_explain(lb_drag *drag, lb_result *result);

#ifdef __cplusplus
}
#endif

#endif
