/*
 * Limber's motion: figures over time.
 *
 *     lb_track *path = lb_track_create(LB_TRACK_FRAME, 0, NULL);
 *     lb_track_set(path, 0, here, LB_INTERPOLATION_CUBIC);
 *     lb_track_set(path, 2, there, LB_INTERPOLATION_CUBIC);
 *     lb_motion *motion = lb_motion_create(problem, start);
 *     lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, goal_id, path);          the goal moves, the figure follows
 *     lb_player *player = lb_player_create(motion, NULL);
 *     lb_player_pose(player, 1.25, pose, NULL);                       at any time, in any order
 *
 * Times are seconds. The pose at a time depends on the motion alone, never on which times were asked before.
 */
#ifndef LIMBER_MOTION_H
#define LIMBER_MOTION_H

#include <limber/limber.h>
#include <limber/solve.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------
 * Tracks: a value with keys over time
 * ------------------------------------------------------------------------------------------------- */

typedef enum lb_interpolation {
    LB_INTERPOLATION_STEP,   /* the key's value until the next key */
    LB_INTERPOLATION_LINEAR, /* straight; rotations along the shortest turn, at constant angular velocity */
    LB_INTERPOLATION_CATMULL_ROM, /* smooth through the keys (C1), each slope from the neighbours alone; times may be uneven */
    LB_INTERPOLATION_CUBIC /* C2: velocities and accelerations without jumps, rotations' too (C1 where times are so uneven, more
                       than some 300 to 1, and turns so large that there is no such curve) */
} lb_interpolation;

typedef enum lb_track_kind {
    LB_TRACK_VALUES,   /* `width` numbers */
    LB_TRACK_ROTATION, /* a unit quaternion (4), interpolated on the group */
    LB_TRACK_FRAME     /* position (3) and quaternion (4), as in lb_frame */
} lb_track_kind;

typedef enum lb_track_ends {
    LB_TRACK_ENDS_NATURAL, /* cubic: no acceleration at the first and last key (default) */
    LB_TRACK_ENDS_CLAMPED, /* cubic and Catmull-Rom: no velocity there */
    LB_TRACK_ENDS_PERIODIC /* the last key's value is taken to be the first's; goes on for ever in both directions */
} lb_track_ends;

typedef struct lb_track lb_track;

/* width: for LB_TRACK_VALUES, how many numbers; allocator NULL: the C library's. NULL if there is no memory or no such
 * kind. */
LB_API lb_track *lb_track_create(lb_track_kind kind, int width, const lb_allocator *allocator);
LB_API void lb_track_destroy(lb_track *track);
LB_API lb_status lb_track_set_ends(lb_track *track, lb_track_ends ends);
/* Sets the key at a time (replacing one there). The interpolation is that of the stretch that begins there; a run of
 * neighbouring LB_INTERPOLATION_CUBIC stretches is one spline, with no acceleration where it meets another kind. */
LB_API lb_status lb_track_set(lb_track *track, double time, const double *value, lb_interpolation interpolation);
LB_API lb_status lb_track_remove(lb_track *track, int key);
LB_API lb_track_kind lb_track_get_kind(const lb_track *track);
LB_API lb_track_ends lb_track_get_ends(const lb_track *track);
LB_API int lb_track_width(const lb_track *track); /* numbers a key has */
LB_API int
lb_track_rate_width(const lb_track *track); /* numbers a rate has: width, or 3 for a rotation, 6 for a frame */
LB_API int lb_track_key_count(const lb_track *track);
/* Keys in order of time; each pointer may be NULL. */
LB_API lb_status lb_track_key(const lb_track *track, int key, double *time, double *value,
                              lb_interpolation *interpolation);
/* Value [width], and rate and acceleration [rate width] where not NULL. Rotations' are angular velocity and
 * acceleration in the world, so a frame's rate is velocity, angular velocity. Before the first and after the last key
 * the value stays. A track without keys cannot be sampled; where keys are so far apart, or so close in time, that no
 * number holds what is between, LB_ERROR_TOO_LARGE. */
LB_API lb_status lb_track_sample(lb_track *track, double time, double *value, double *rate, double *acceleration);
/* The first sampling after a change computes the splines, and may fail for want of memory; this does it now, so that
 * any number of threads may sample from then on. */
LB_API lb_status lb_track_prepare(lb_track *track);

/* ---------------------------------------------------------------------------------------------------
 * Clips: a figure's poses at even times, as motion capture has them
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_clip lb_clip;

/* All poses at rest. The figure must outlive the clip. frame_time > 0. NULL if there is no memory or on bad numbers. */
LB_API lb_clip *lb_clip_create(const lb_figure *figure, int frame_count, double frame_time);
LB_API void lb_clip_destroy(lb_clip *clip);
LB_API const lb_figure *lb_clip_figure(const lb_clip *clip);
LB_API int lb_clip_frame_count(const lb_clip *clip);
LB_API double lb_clip_frame_time(const lb_clip *clip);
LB_API double lb_clip_duration(const lb_clip *clip); /* of the frames but one */
/* [variables of the figure]: to read and to write. They need not be inside the limits. */
LB_API double *lb_clip_pose(lb_clip *clip, int frame);
LB_API const double *lb_clip_const_pose(const lb_clip *clip, int frame);
/* The pose at any time, and how fast its variables change, per second and per second squared, in rate and acceleration
 * [variables] where not NULL. Rotations of joints that turn about three axes, and of free roots, are interpolated on
 * the group: their dofs are those that make the rotation, nearest to the frame before. Before the first and after the
 * last frame the pose stays. */
LB_API lb_status lb_clip_sample(const lb_clip *clip, double time, lb_interpolation interpolation, double *pose,
                                double *rate, double *acceleration);
/* Another clip of the same motion at other times; NULL if there is no memory or on bad numbers. */
LB_API lb_clip *lb_clip_resample(const lb_clip *clip, double frame_time, lb_interpolation interpolation);

/* ---------------------------------------------------------------------------------------------------
 * Motions: a problem whose figures, goals, weights, pins and limits change over time
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_motion lb_motion;

typedef enum lb_drive_target {
    LB_DRIVE_TARGET_VARIABLE, /* index: a variable of the problem's pose; width 1. The solver does not move it */
    LB_DRIVE_TARGET_JOINT,    /* index: lb_motion_joint_index; a rotation track for what of a joint turns */
    LB_DRIVE_TARGET_ROOT,     /* index: a figure with a free root; a frame track: where its root is in the world */
    LB_DRIVE_TARGET_GOAL,     /* index: a constraint's id; a frame track, as lb_problem_move_goal takes it */
    LB_DRIVE_TARGET_WEIGHT,   /* index: a constraint's id; width 1 */
    LB_DRIVE_TARGET_ENABLED,  /* index: a constraint's id; width 1: on where >= 0.5. A pin is a constraint that keeps */
    LB_DRIVE_TARGET_ACTIVE,   /* index: a variable; width 1: the solver may move it where >= 0.5 */
    LB_DRIVE_TARGET_LIMITS    /* index: a variable; width 2: lower and upper, never beyond the figure's own */
} lb_drive_target;

/* The problem (with its figures) must outlive the motion and not change while it plays. start: its pose before the
 * first solve, at time 0; copied. NULL if there is no memory or start is not finite. */
LB_API lb_motion *lb_motion_create(const lb_problem *problem, const double *start);
LB_API void lb_motion_destroy(lb_motion *motion);
/* Why the last call failed. */
LB_API const lb_error *lb_motion_error(const lb_motion *motion);
/* Copies the track. A second one for the same thing replaces the first. What a track asks of a figure is clipped at its
 * limits (lb_player_options.warn hears of it). Drives, clips, carries and follows belong to the stage added last. */
LB_API lb_status lb_motion_drive(lb_motion *motion, lb_drive_target target, int index, const lb_track *track);
LB_API int lb_motion_joint_index(const lb_motion *motion, int figure, int joint); /* -1 where there is none */
/* A figure does what a clip of it does, from a time on; until then it stands as in the first frame, afterwards as in
 * the last. The clip must outlive the motion. */
LB_API lb_status lb_motion_drive_clip(lb_motion *motion, int figure, const lb_clip *clip, double from,
                                      lb_interpolation interpolation);
/* From `from` to `to` (INFINITY: for good) a figure with a free root is held by a segment of another, as it lies there
 * when it is taken up; afterwards it stays where it was put down. While it is held it is part of what holds it: goals
 * for it, or on it, move who carries it, and its mass counts in the balance. Its root's track holds until it is first
 * taken up. */
LB_API lb_status lb_motion_carry(lb_motion *motion, int object, int carrier, int segment, double from, double to);
/* A constraint's goal goes over to a site of a figure: it is where its own track (or it itself) has it where the weight
 * is 0, at the site where it is 1, in between on the way. (A goal that is always at a site is better carried by it:
 * lb_goal.carrier_segment.) The site is taken where it is before the solve: exact for what is driven or carried, the
 * last step's for what the solver moves. */
LB_API lb_status lb_motion_follow(lb_motion *motion, int constraint, int figure, int site, const lb_track *weight);
/* From a time on, another problem: joints added, removed, frozen, figures joined or broken apart. The pose is carried
 * over by names, so that nothing jumps: a joint keeps its values, a new one, or one of another type, takes those that
 * leave what it connects where it was, and so does a free root. Parts are looked for in the figure of the same name
 * first, then in any; a part "arm" of a figure "robot" is also "robot.arm" (with any one character between, as
 * lb_builder_attach's prefix makes it). Returns the stage's number (0: the first problem's), or a
 * negative lb_status. */
LB_API int lb_motion_stage(lb_motion *motion, double from, const lb_problem *problem);
LB_API int lb_motion_stage_count(const lb_motion *motion);
LB_API const lb_problem *lb_motion_problem(const lb_motion *motion, int stage);
LB_API double lb_motion_end(const lb_motion *motion); /* the last time at which something changes */

typedef struct lb_player_options {
    double step;                     /* between solves inside; default 1/120 s */
    const lb_solve_options *options; /* NULL: defaults, with tracking and keep_going */
    /* hears of driven variables that a limit clips, when that begins; NULL (default): nobody */
    void (*warn)(void *context, double time, const char *message);
    void *warn_context;
} lb_player_options;

LB_API void lb_player_options_defaults(lb_player_options *options);

/* Plays a motion: solves at multiples of the step, each from the pose before, and keeps those poses; a time in between
 * is solved from the last of them. So any times may be asked for, in any order. The motion must outlive it and not
 * change. Belongs to one thread. NULL if there is no memory or the step is not 1e-6 to 1e6 s. */
typedef struct lb_player lb_player;
LB_API lb_player *lb_player_create(const lb_motion *motion, const lb_player_options *options);
LB_API void lb_player_destroy(lb_player *player);
LB_API const lb_error *lb_player_error(const lb_player *player);
/* The stage at a time, whose problem's pose it is. */
LB_API int lb_player_stage(const lb_player *player, double time);
/* Times before 0 are 0. result may be NULL; its lists live until the next call. */
LB_API lb_status lb_player_pose(lb_player *player, double time, double *pose, lb_result *result);
/* Rates and accelerations of the pose [variables], by differences over a step; either may be NULL. */
LB_API lb_status lb_player_rates(lb_player *player, double time, double *rate, double *acceleration);
/* A site of a figure: where it is, velocity and angular velocity [6] in the world, and both accelerations [6]; each may
 * be NULL. */
LB_API lb_status lb_player_site(lb_player *player, double time, int figure, int site, lb_frame *frame_w,
                                double *velocity_w, double *acceleration_w);
/* What a figure does during a stage, as a clip that begins with it, to be destroyed by the caller; NULL on failure. */
LB_API lb_clip *lb_player_clip(lb_player *player, int stage, int figure, double frame_time);

/* How an effector (not the centre of mass) moves in a pose whose variables have these rates and accelerations
 * [variables]: velocity and angular velocity in the world, and their rates where acceleration_w [6] is not NULL. The
 * kinematics is left in that pose. */
LB_API lb_status lb_effector_motion(lb_kinematics *kinematics, const lb_effector *effector, const double *pose,
                                    const double *rate, const double *acceleration, double velocity_w[6],
                                    double *acceleration_w);

/* ---------------------------------------------------------------------------------------------------
 * Clean-up: contacts, and one figure's motion for another (docs/retarget.md)
 * ------------------------------------------------------------------------------------------------- */

/* When a point stands: it is low (near the lowest level that it comes back to) and slow. Lengths are those of a person
 * 1.75 m tall; `scale` makes them the figure's. */
typedef struct lb_contact_options {
    double scale;   /* what such a person's metre is in the figure; 0 (default): from its height at rest */
    double height;  /* above its lowest level; default 0.03 m */
    double speed;   /* default 0.25 m/s */
    double release; /* a contact goes on up to so many times height and speed; default 1.5 */
    double least;   /* seconds that a contact lasts at least; default 0.1 */
    double ease;    /* seconds over which a held point goes over to the contact's place and back; default 0.15 */
} lb_contact_options;

typedef struct lb_contact {
    int point;         /* which of the points */
    int first, last;   /* frames */
    double place_w[3]; /* where it is to be: the mean over these frames */
} lb_contact;

LB_API void lb_contact_options_defaults(lb_contact_options *options);
/* When points of the figure (lb_effector_from_site, ..._from_segment) stand, in order of points, then of time. Points
 * of one segment that stand at the same time keep their distance. Returns how many contacts there are, of which the
 * first `most` are in `contacts`, or a negative lb_status. options NULL: defaults. */
LB_API int lb_clip_contacts(const lb_clip *clip, int point_count, const lb_effector *points,
                            const lb_contact_options *options, int most, lb_contact *contacts);
/* Holds points where contacts have them, and fades that in and out before and after, as little of each pose changed as
 * can be, inside the limits. Contacts of one point are in order of time and do not overlap. */
LB_API lb_status lb_clip_hold_contacts(lb_clip *clip, int point_count, const lb_effector *points,
                                       const lb_contact_options *options, int contact_count,
                                       const lb_contact *contacts);

/* Parts of a body that a motion is carried over by; those with two sides as left, right. */
typedef enum lb_body_part {
    LB_BODY_PART_PELVIS,
    LB_BODY_PART_CHEST, /* the topmost part of the spine */
    LB_BODY_PART_NECK,
    LB_BODY_PART_HEAD,
    LB_BODY_PART_CLAVICLE,
    LB_BODY_PART_UPPER_ARM = LB_BODY_PART_CLAVICLE + 2,
    LB_BODY_PART_FOREARM = LB_BODY_PART_UPPER_ARM + 2,
    LB_BODY_PART_HAND = LB_BODY_PART_FOREARM + 2,
    LB_BODY_PART_THIGH = LB_BODY_PART_HAND + 2,
    LB_BODY_PART_SHANK = LB_BODY_PART_THIGH + 2,
    LB_BODY_PART_FOOT = LB_BODY_PART_SHANK + 2,
    LB_BODY_PART_TOES = LB_BODY_PART_FOOT + 2,
    LB_BODY_PART_THUMB = LB_BODY_PART_TOES + 2, /* tells how hands are held at rest, palms down or forward; no more */
    LB_BODY_PART_COUNT = LB_BODY_PART_THUMB + 2
} lb_body_part;

/* Which segments are these parts, in either figure; -1: none. Pelvis, thighs, shanks and feet are needed, what else is
 * missing in one of them stays at rest. lb_body_map_human (limber/io.h) fills one by names. */
typedef struct lb_body_map {
    int source[LB_BODY_PART_COUNT], target[LB_BODY_PART_COUNT];
} lb_body_map;

typedef struct lb_retarget_report {
    int contact_count; /* of toes and ankles */
    double slide;      /* metres that a point that stands moves from one frame to the next at most */
    double feet_off;   /* metres that feet are from where they should be at most */
} lb_retarget_report;

typedef struct lb_retarget_options {
    int hold_feet; /* 1 (default): feet that stand in the source stand */
    lb_contact_options contacts;
    /* How much goals count: positions of feet that stand (in the air less), hips, hands and head; turns of all parts */
    double weight_feet, weight_hips, weight_hands, weight_head, weight_turns;
    int (*on_frame)(void *context, int frame); /* before each; returns non-zero to stop; NULL: none */
    void *context;
    lb_retarget_report *report; /* what came of it; NULL: not wanted */
    lb_error *error;            /* why it failed; NULL: not wanted */
} lb_retarget_options;

LB_API void lb_retarget_options_defaults(lb_retarget_options *options);
/* The source's motion for another figure, of other proportions and with another rest pose; both stand upright at rest.
 * Lengths go by those of the legs, those of hands by the arms; each part turns as in the source, from where it would
 * point there at rest. The figure keeps its limits and follows from frame to frame without jumps. NULL on failure. To
 * be destroyed by the caller. options NULL: defaults. */
LB_API lb_clip *lb_retarget(const lb_clip *source, const lb_figure *target, const lb_body_map *map,
                            const lb_retarget_options *options);

#ifdef __cplusplus
}
#endif

#endif
