/*
 * Limber's paths: an end-effector follows a list of frames, on one branch of solutions, within limits of speed.
 *
 *     lb_path *path = lb_path_create(figure, &effector, 2, frames, NULL, NULL);     a straight line
 *     lb_path_get(path, &result);                                                   whether, how long, what holds it back
 *     for (int i = 0; i < result.pose_count; i++) {
 *         lb_path_pose(path, i, pose);                                              the pose at time i * period
 *     }
 *     lb_path_destroy(path);
 *
 * Between two frames the position goes straight and the rotation turns about one axis at a steady rate. Every solution
 * of the first frame is tried (all of a closed form where there is one), and each is followed to the end without a
 * change of the branch; of those that come through, the one that keeps farthest from the ends of the joints' ranges is
 * taken. It is then run through as fast as the velocity and acceleration limits of the joints allow, which the
 * differences of the poses keep. Where no branch comes through, the result says where the best one ends, and which
 * limit ends it. docs/paths.md says how.
 */
#ifndef LIMBER_PATH_H
#define LIMBER_PATH_H

#include <limber/collisions.h>
#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct lb_path lb_path;

typedef struct lb_path_options {
    size_t struct_size; /* set by lb_path_options_defaults */
    const double
        *start; /* [variables]: what does not move with the end-effector stays so, and solutions near it are tried
                            first; NULL (default): the rest pose */
    int is_from_start;  /* 1: the path begins in this very pose, which must be at the first frame; default 0 */
    int is_position;    /* 1: rotations of the frames do not count; default 0 */
    int ways;           /* at most so many solutions of the first frame are tried, 1 to 4096; default 64 */
    uint64_t seed;      /* of the search for solutions where there is no closed form; default 1 */
    double spacing;     /* metres between the places that are solved for; default 0.005 */
    double spacing_rad; /* radians between them; default 0.02 */
    double
        corner_rad; /* where the way turns by more than this at a frame, the path stops there for an instant; where it
                          turns by less it is rounded off, by less than `spacing`; default 0.35. See docs/paths.md */
    double period;  /* seconds between the poses; default 0.01 */
    double speed, speed_rad; /* the largest speed of the end-effector, metres and radians a second; default INFINITY */
    /* [variables]: limits of speed as in lb_servo_options; NULL (default): those of the figure. */
    const double *velocity, *acceleration;
    double usual_velocity_rad, usual_velocity_m; /* where there is no limit; defaults pi rad/s and 1 m/s */
    double rise_time; /* variables without an acceleration limit reach their speed in this time; default 0.25 s */
    /* What the figure is kept apart from, as for lb_problem_set_collisions; its solids' names count. NULL (default):
     * nothing. Read by lb_path_create only. */
    const lb_collisions *collisions;
    /* What else holds on the way: the constraints of this problem - each by its priority; the path itself is of the
     * highest - its body and habit, wishes, what may move, and what it keeps apart, where `collisions` says nothing.
     * Its only figure is the path's. NULL (default): nothing, and a figure that has a body is posed as one, with
     * default options. Read by lb_path_create only. */
    const lb_problem *problem;
    /* lb_cancel_request on it, by another thread, ends the path where it is (LB_PATH_END_CANCELLED); NULL (default):
     * none. */
    const lb_cancel *cancel;
    double
        deadline_us; /* the same so many microseconds after lb_path_create is called; 0 (default): none; needs now_us */
    double (*now_us)(void *context); /* the caller's clock, in microseconds; NULL (default): none */
    void *now_context;               /* given to now_us */
} lb_path_options;

LB_API void lb_path_options_defaults_sized(lb_path_options *options, size_t struct_size);
static inline void lb_path_options_defaults(lb_path_options *options) {
    lb_path_options_defaults_sized(options, sizeof *options);
}

/* What ends a path. */
typedef enum lb_path_end {
    LB_PATH_END_NONE,      /* nothing: it was followed to the end */
    LB_PATH_END_RANGE,     /* an end of a variable's range */
    LB_PATH_END_ROW,       /* a limit over several variables */
    LB_PATH_END_REACH,     /* the frame is out of reach, whatever the limits */
    LB_PATH_END_BRANCH,    /* only another branch goes on: a joint would have to jump, at a singularity */
    LB_PATH_END_COLLISION, /* something would touch that is kept apart */
    LB_PATH_END_BALANCE,   /* a body would fall: its centre of mass is not above its feet there */
    LB_PATH_END_CANCELLED, /* it was cancelled, or the deadline was past */
    LB_PATH_END_SPEED /* a variable would have to move by more than 0.2 in next to no time, near a singularity; the branch goes on */
} lb_path_end;

LB_API const char *lb_path_end_name(
    lb_path_end end); /* "none", "range", "row", "reach", "branch", "collision", "balance", "cancelled", "speed" */

typedef struct lb_path_result {
    size_t struct_size; /* set by lb_path_result_defaults */
    lb_path_end end;    /* what ends it */
    double fraction;    /* of the way's length that was followed: 1 where nothing ends it */
    int variable;       /* whose range ends it, or which would have to jump; -1: none */
    int is_upper;       /* of a range: 1 the upper end, 0 the lower */
    int frame;          /* number of the last frame that was reached; -1: not even the first one */
    int has_closed;     /* 1: the solutions of the first frame are those of a closed form */
    int way_count;      /* solutions of the first frame that were tried */
    int through_count;  /* those of them that come through */
    double
        margin; /* radians or metres: the least distance of a variable that moves to an end of its range; INFINITY: none
                      has one */
    int margin_variable;                     /* that variable; -1 */
    double length, length_rad;               /* of the whole way */
    double duration;                         /* seconds */
    int pose_count;                          /* duration / period + 1; 0 where it does not come through */
    double load_velocity, load_acceleration; /* the largest share of a limit that the differences of the poses use */
    int pace_variable; /* whose limit sets the pace for most of the time; -1: the end-effector's speed does, or none */
    int is_pace_velocity;            /* 1: its velocity; 0: its acceleration */
    double deviation, deviation_rad; /* how far a pose is from its place on the way, at most */
    char explanation[512];           /* a sentence for a person */
    char name_a[64], name_b[64];     /* of LB_PATH_END_COLLISION: the two that would touch; else empty */
    int touching_count; /* solutions of the first frame, of those that were tried, whose way something ends that would touch */
} lb_path_result;

LB_API void lb_path_result_defaults_sized(lb_path_result *result, size_t struct_size);
static inline void lb_path_result_defaults(lb_path_result *result) {
    lb_path_result_defaults_sized(result, sizeof *result);
}

/* Follows frames[count] (2 to 100000, in the world) with an end-effector, and times what it found. A path that does not
 * come through is no failure: lb_path_get says where it ends. NULL where a frame is not finite, two are all there are
 * and the same, the options are out of range, the start is not at the first frame, or memory is short: *error says
 * which. The figure must outlive the path. options may be NULL. */
LB_API lb_path *lb_path_create(const lb_figure *figure, const lb_effector *effector, int count, const lb_frame *frames,
                               const lb_path_options *options, lb_error *error);
LB_API void lb_path_destroy(lb_path *path);                                /* NULL is fine */
LB_API lb_status lb_path_get(const lb_path *path, lb_path_result *result); /* how far it went, and why not on */
/* The pose at the time index * period, and where on the way it is (0 to 1; fraction may be NULL). */
LB_API lb_status lb_path_pose(const lb_path *path, int index, double *pose, double *fraction);

#ifdef __cplusplus
}
#endif

#endif
