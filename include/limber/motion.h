/*
 * Limber's motion: figures over time.
 *
 *     lb_track *path = lb_track_create(LB_TRACK_FRAME, 0, NULL, NULL);
 *     lb_track_set(path, 0, here, LB_INTERPOLATION_CUBIC);
 *     lb_track_set(path, 2, there, LB_INTERPOLATION_CUBIC);
 *     lb_motion *motion = lb_motion_create(problem, start, NULL);
 *     lb_motion_drive(motion, LB_DRIVE_TARGET_GOAL, goal_id, path);          the goal moves, the figure follows
 *     lb_player *player = lb_player_create(motion, NULL, NULL);
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
    LB_INTERPOLATION_STEP,        /* constant: the key's value until the next key */
    LB_INTERPOLATION_LINEAR,      /* straight; rotations along the shortest arc, at constant angular velocity */
    LB_INTERPOLATION_CATMULL_ROM, /* smooth through the keys (C1): slopes follow from the neighbouring keys alone */
    LB_INTERPOLATION_CUBIC /* C2: velocities and accelerations without jumps, also of rotations; C1 where times are
                                     so uneven (more than some 300 to 1), and rotations so large, that no such curve
                                     exists */
} lb_interpolation;

typedef enum lb_track_kind {
    LB_TRACK_VALUES,   /* `width` numbers, each interpolated by itself */
    LB_TRACK_ROTATION, /* a unit quaternion (4 numbers), interpolated on the group of rotations */
    LB_TRACK_FRAME     /* position (3) and quaternion (4), as in lb_frame */
} lb_track_kind;

typedef enum lb_track_ends {
    LB_TRACK_ENDS_NATURAL, /* cubic: no acceleration at the first and last key; the default */
    LB_TRACK_ENDS_CLAMPED, /* cubic and Catmull-Rom: no velocity at the first and last key */
    LB_TRACK_ENDS_PERIODIC /* the last key takes the first key's value, and the track repeats in both directions */
} lb_track_ends;

typedef struct lb_track lb_track;

/* Makes a track without keys. width is the number of values of LB_TRACK_VALUES, at least 1; other kinds ignore it.
 * allocator NULL: the C library's. */
LB_API lb_track *lb_track_create(lb_track_kind kind, int width, const lb_allocator *allocator, lb_error *error);
LB_API void lb_track_destroy(lb_track *track);
LB_API lb_status lb_track_set_ends(lb_track *track, lb_track_ends ends); /* of its spline; natural unless told */
/* Sets the key at a time, in seconds, and replaces a key that is there. value has the track's width. The interpolation
 * is that of the stretch from this key to the next. A run of neighbouring cubic stretches is one spline, which has no
 * acceleration where it meets a stretch of another kind. */
LB_API lb_status lb_track_set(lb_track *track, double time, const double *value, lb_interpolation interpolation);
LB_API lb_status lb_track_remove(lb_track *track, int key);    /* a key, by its index */
LB_API lb_track_kind lb_track_get_kind(const lb_track *track); /* what its keys are */
LB_API lb_track_ends lb_track_get_ends(const lb_track *track); /* as lb_track_set_ends set them */
LB_API int lb_track_width(const lb_track *track);              /* the number of values of a key */
/* The number of values of a rate: the width, or 3 for a rotation, 6 for a frame. */
LB_API int lb_track_rate_width(const lb_track *track);
LB_API int lb_track_key_count(const lb_track *track); /* how many keys it has */
/* Reads a key; keys are numbered in the order of their times. Each of the three pointers may be NULL. */
LB_API lb_status lb_track_key(const lb_track *track, int key, double *time, double *value,
                              lb_interpolation *interpolation);
/* The value [width] at a time and, where the pointers are not NULL, its rate and its acceleration [rate width]. The
 * rate of a rotation is the angular velocity in the world (radians per second); the rate of a frame is velocity, then
 * angular velocity. Before the first and after the last key the value stays the same. A track without keys cannot be
 * sampled. LB_ERROR_TOO_LARGE where keys are so far apart, or so close in time, that a value between them overflows. */
LB_API lb_status lb_track_sample(lb_track *track, double time, double *value, double *rate, double *acceleration);
/* Computes the splines. Otherwise the first sampling after a change does this, and may fail for want of memory. After
 * this call any number of threads may sample the track. */
LB_API lb_status lb_track_prepare(lb_track *track);

/* ---------------------------------------------------------------------------------------------------
 * Clips: a figure's poses at even times, as motion capture has them
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_clip lb_clip;

/* Makes a clip whose poses are all the rest pose. frame_time is the time between two frames, > 0 seconds. The figure
 * must outlive the clip. */
LB_API lb_clip *lb_clip_create(const lb_figure *figure, int frame_count, double frame_time, lb_error *error);
LB_API void lb_clip_destroy(lb_clip *clip);
LB_API const lb_figure *lb_clip_figure(const lb_clip *clip); /* whose poses they are */
LB_API int lb_clip_frame_count(const lb_clip *clip);         /* how many poses it has */
LB_API double lb_clip_frame_time(const lb_clip *clip);       /* seconds from one pose to the next */
LB_API double lb_clip_duration(const lb_clip *clip);         /* (frame_count - 1) * frame_time */
/* The pose [variables of the figure] of a frame, to read and to write; it need not be inside the limits. */
LB_API double *lb_clip_pose(lb_clip *clip, int frame);
LB_API const double *lb_clip_const_pose(const lb_clip *clip, int frame);
/* The pose [variables] at any time and, where the pointers are not NULL, the rate of its variables per second and their
 * acceleration per second squared. Rotations of joints with three dofs of rotation, and of free roots, are interpolated
 * on the group of rotations: their dof values are those that make the rotation and are nearest to the frame before.
 * Before the first and after the last frame the pose stays the same. */
LB_API lb_status lb_clip_sample(const lb_clip *clip, double time, lb_interpolation interpolation, double *pose,
                                double *rate, double *acceleration);
/* Makes another clip of the same motion with another time between frames. */
LB_API lb_clip *lb_clip_resample(const lb_clip *clip, double frame_time, lb_interpolation interpolation,
                                 lb_error *error);

/* ---------------------------------------------------------------------------------------------------
 * Motions: a problem whose figures, goals, weights, pins and limits change over time
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_motion lb_motion;

typedef enum lb_drive_target {
    LB_DRIVE_TARGET_VARIABLE, /* index: a variable of the problem's pose; width 1. The solver does not move it */
    LB_DRIVE_TARGET_JOINT,    /* index: from lb_motion_joint_index; a rotation track for the rotation of the joint */
    LB_DRIVE_TARGET_ROOT,     /* index: a figure with a free root; a frame track with the root's frame in the world */
    LB_DRIVE_TARGET_GOAL,     /* index: a constraint's id; a frame track, as lb_problem_move_goal takes it */
    LB_DRIVE_TARGET_WEIGHT,   /* index: a constraint's id; width 1: its weight */
    LB_DRIVE_TARGET_ENABLED,  /* index: a constraint's id; width 1: enabled where the value is >= 0.5. So a pin
                                 (lb_constraint_keep) can come and go */
    LB_DRIVE_TARGET_ACTIVE,   /* index: a variable; width 1: the solver may move it where the value is >= 0.5 */
    LB_DRIVE_TARGET_LIMITS,   /* index: a variable; width 2: its range, never wider than the figure's own */
    LB_DRIVE_TARGET_FOOT, /* index: figure * LB_BODY_LIMBS + limb, of a figure that is posed as a body (limber/body.h);
                                 width 1: an lb_foot_mode, planted, stepping, lifted */
    LB_DRIVE_TARGET_SUPPORT, /* index: figure * LB_BODY_PARTS + contact, of such a figure; width 1: the contact carries weight
                                 where the value is >= 0.5, on the surface that the body's options give it, or the floor */
    LB_DRIVE_TARGET_ROOT_ONWARD /* as LB_DRIVE_TARGET_ROOT, but on from where the figure is when the stage begins: it shifts
                                 and turns by as much as the track does from then on. For what breaks off, and falls */
} lb_drive_target;

/* Makes a motion of a problem that changes nothing yet. start is the pose before the first solve, at time 0; it is
 * copied. The problem and its figures must outlive the motion, and must not change while it plays. */
LB_API lb_motion *lb_motion_create(const lb_problem *problem, const double *start, lb_error *error);
LB_API void lb_motion_destroy(lb_motion *motion);
/* The reason why the last call on this motion failed. */
LB_API const lb_error *lb_motion_error(const lb_motion *motion);
/* Lets a track drive something. The track is copied; a second track for the same thing replaces the first. What a track
 * asks of a figure is clipped at the figure's limits, and lb_player_options.warn is told. Drives, clips, carries and
 * follows belong to the stage that was added last. */
LB_API lb_status lb_motion_drive(lb_motion *motion, lb_drive_target target, int index, const lb_track *track);
LB_API int lb_motion_joint_index(const lb_motion *motion, int figure, int joint); /* -1 where there is none */
/* Lets a clip drive a figure from a time on. Before that time the figure has the pose of the clip's first frame, after
 * the clip's end that of the last. The clip must outlive the motion. Goals of the figure are met over the clip: as much
 * as their weight is of the constraint's own, what is on their chains - the root only where LB_DRIVE_TARGET_ACTIVE says
 * so - leaves the clip's pose as little as they need. */
LB_API lb_status lb_motion_drive_clip(lb_motion *motion, int figure, const lb_clip *clip, double from,
                                      lb_interpolation interpolation);
/* From the time `from` to the time `to` (INFINITY: for good) the segment of one figure, the carrier, holds another
 * figure with a free root, the object, in the position relative to the segment that it has at `from`. After `to` the
 * object stays where it was put down. While it is held it is part of the carrier: goals for the object, or on it, move
 * the carrier, and its mass counts in the balance. A track that drives the object's root holds until it is first taken
 * up. */
LB_API lb_status lb_motion_carry(lb_motion *motion, int object, int carrier, int segment, double from, double to);
/* Moves a constraint's goal over to a site of a figure. Where the weight is 0 the goal is where its own track, or the
 * constraint, has it; where the weight is 1 it is at the site; in between it is on the way. The site is taken where it
 * is before the solve: for what is driven or carried that is exact, for what the solver moves it is the last step's. A
 * goal that is always at a site is better carried by the segment: lb_goal.carrier_segment. */
LB_API lb_status lb_motion_follow(lb_motion *motion, int constraint, int figure, int site, const lb_track *weight);
/* Adds a stage: from a time on the motion goes on with another problem, because joints are added, removed or frozen, or
 * figures joined or broken apart. The pose is carried over by names, so that nothing jumps: a joint keeps its values; a
 * joint that is new or has another type, and a free root, take the values that leave what they connect where it was.
 * Parts are looked for in the figure of the same name first, then in any other. A part "arm" of a figure "robot" is
 * also found as "robot.arm", with any one character between, as lb_builder_attach's prefix makes it. Returns the number
 * of the stage (the first problem's is 0), or a negative lb_status. */
LB_API int lb_motion_stage(lb_motion *motion, double from, const lb_problem *problem);
/* The method that the stage which was added last is solved by, instead of the player's own. */
LB_API lb_status lb_motion_set_method(lb_motion *motion, lb_method method);
LB_API int lb_motion_stage_count(const lb_motion *motion);                      /* the first one included */
LB_API const lb_problem *lb_motion_problem(const lb_motion *motion, int stage); /* of a stage; NULL: there is none */
LB_API double lb_motion_end(const lb_motion *motion); /* the last time at which something changes */

typedef struct lb_player_options {
    size_t struct_size;              /* set by lb_player_options_defaults */
    double step;                     /* time between two solves, 1e-6 to 1e6 seconds; default 1/120 */
    const lb_solve_options *options; /* of the solves; NULL (default): defaults with tracking and keep_going */
    /* Told when a limit begins to clip a variable that is driven, when a goal begins to be missed since all that could
     * move for it is driven, and when one over a clip is, although its weight is full; NULL (default): none. */
    void (*warn)(void *context, double time, const char *message);
    void *warn_context; /* given to warn */
} lb_player_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_player_options_defaults calls it. */
LB_API void lb_player_options_defaults_sized(lb_player_options *options, size_t struct_size);
static inline void lb_player_options_defaults(lb_player_options *options) {
    lb_player_options_defaults_sized(options, sizeof *options);
}

/* A player plays a motion: it solves at multiples of the step, each time from the pose of the step before, and keeps
 * these poses; a time in between is solved from the step before it. So any times may be asked for, in any order. A
 * player belongs to one thread. The motion must outlive it and must not change. */
typedef struct lb_player lb_player;
LB_API lb_player *lb_player_create(const lb_motion *motion, const lb_player_options *options, lb_error *error);
LB_API void lb_player_destroy(lb_player *player);
/* The reason why the last call on this player failed. */
LB_API const lb_error *lb_player_error(const lb_player *player);
/* The number of the stage at a time; the pose at that time is one of this stage's problem. */
LB_API int lb_player_stage(const lb_player *player, double time);
/* The pose at a time; a time before 0 counts as 0. result, which lb_result_defaults has filled, may be NULL; its lists
 * stay valid until the next call. */
LB_API lb_status lb_player_pose(lb_player *player, double time, double *pose, lb_result *result);
/* The rates and accelerations of the pose [variables] at a time, by differences over a step; either may be NULL. */
LB_API lb_status lb_player_rates(lb_player *player, double time, double *rate, double *acceleration);
/* How a site of a figure moves at a time: its frame, its velocity and angular velocity [6], and both accelerations [6],
 * all in the world. Each of the three may be NULL. */
LB_API lb_status lb_player_site(lb_player *player, double time, int figure, int site, lb_frame *frame_w,
                                double *velocity_w, double *acceleration_w);
/* The motion of a figure during a stage as a clip that begins where the stage begins; the caller destroys it. NULL on
 * failure: lb_player_error has the reason. */
LB_API lb_clip *lb_player_clip(lb_player *player, int stage, int figure, double frame_time);

/* How an end-effector (not the centre of mass) moves in a pose whose variables have these rates and accelerations
 * [variables]: its velocity and angular velocity in the world and, where acceleration_w [6] is not NULL, the rates of
 * both. The kinematics is left in that pose. */
LB_API lb_status lb_effector_motion(lb_kinematics *kinematics, const lb_effector *effector, const double *pose,
                                    const double *rate, const double *acceleration, double velocity_w[6],
                                    double *acceleration_w);

/* ---------------------------------------------------------------------------------------------------
 * Clean-up: contacts, and one figure's motion for another (docs/retarget.md)
 * ------------------------------------------------------------------------------------------------- */

/* What counts as a contact: a point is in contact with the ground where it is low (near the lowest level that it comes
 * back to) and slow. Lengths are those of a person 1.75 m tall; `scale` makes them the figure's. */
typedef struct lb_contact_options {
    size_t struct_size; /* set by lb_contact_options_defaults */
    double scale;       /* metres of the figure for each metre of such a person; 0 (default): from its height at rest */
    double height;      /* largest height above the point's lowest level; default 0.03 m */
    double speed;       /* largest speed; default 0.25 m/s */
    double release;     /* a contact lasts while height and speed are below this many times their limits; default 1.5 */
    double least;       /* shortest duration of a contact; default 0.1 s */
    double ease; /* time in which a point moves to the contact's place before it, and away after it; default 0.15 s */
} lb_contact_options;

typedef struct lb_contact {
    int point;         /* index of the point */
    int first, last;   /* first and last frame of the contact */
    double place_w[3]; /* where the point is to be held, in the world: its mean over these frames */
} lb_contact;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_contact_options_defaults calls it. */
LB_API void lb_contact_options_defaults_sized(lb_contact_options *options, size_t struct_size);
static inline void lb_contact_options_defaults(lb_contact_options *options) {
    lb_contact_options_defaults_sized(options, sizeof *options);
}
/* Finds the contacts of points of the figure (lb_effector_from_site, lb_effector_from_segment), in the order of the
 * points, then of time. Points of one segment that are in contact at the same time keep their distance. Returns the
 * number of contacts, of which the first `most` are written to `contacts`, or a negative lb_status. options NULL:
 * defaults. */
LB_API int lb_clip_contacts(const lb_clip *clip, int point_count, const lb_effector *points,
                            const lb_contact_options *options, int most, lb_contact *contacts);
/* Changes a clip so that points stay at the places of their contacts, with a transition before and after each. Every
 * pose changes as little as possible and stays inside the limits. The contacts of one point are in the order of time
 * and do not overlap. options NULL: defaults. */
LB_API lb_status lb_clip_hold_contacts(lb_clip *clip, int point_count, const lb_effector *points,
                                       const lb_contact_options *options, int contact_count,
                                       const lb_contact *contacts);

/* The parts of a body by which a motion is carried over. Of a part with two sides the constant is the left side, and
 * the constant + 1 the right side. */
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
    /* Fingers have six each: the left base (the first bone outside the palm), the right base, both middles, both
     * tips. */
    LB_BODY_PART_THUMB = LB_BODY_PART_TOES + 2,
    LB_BODY_PART_INDEX = LB_BODY_PART_THUMB + 6,
    LB_BODY_PART_MIDDLE = LB_BODY_PART_INDEX + 6,
    LB_BODY_PART_RING = LB_BODY_PART_MIDDLE + 6,
    LB_BODY_PART_LITTLE = LB_BODY_PART_RING + 6,
    LB_BODY_PART_COUNT = LB_BODY_PART_LITTLE + 6
} lb_body_part;

/* The segments that are these parts in the source and in the target; -1: there is none. Pelvis, thighs, shanks and feet
 * are needed; what else is missing in one of the figures stays at rest. Bones between pelvis and chest and between neck
 * and head need no entry. lb_body_map_human (limber/io.h) finds the parts by the names of the segments. */
typedef struct lb_body_map {
    int source[LB_BODY_PART_COUNT], target[LB_BODY_PART_COUNT];
} lb_body_map;

/* Finds the parts of a humanoid robot by the structure of its hinges, not by names: two legs that are alike, below all
 * else, a knee in the middle of each, arms above; it looks to where knees do not bend the shanks. Writes
 * segments[LB_BODY_PART_COUNT], -1 for parts that it lacks: of a thigh the segment that carries the knee, of a foot or
 * hand that behind the last hinge. LB_ERROR_FIGURE where the figure is not made of hinges, or no humanoid. */
LB_API lb_status lb_humanoid_find(const lb_figure *figure, int *segments, lb_error *error);
/* The same figure with a free root, as a motion that goes somewhere needs it: indices of its parts stay, and six
 * variables come first. A figure that a floating joint carries, or whose root is free, is copied as it is. The caller
 * destroys it. NULL on failure: LB_ERROR_FIGURE where the figure is not made of hinges. */
LB_API lb_figure *lb_humanoid_free_root(const lb_figure *figure, lb_error *error);

/* What came of a retargeting. The caller allocates it and calls lb_retarget_report_defaults. */
typedef struct lb_retarget_report {
    size_t struct_size; /* set by lb_retarget_report_defaults: the room that the caller has */
    int contact_count;  /* number of contacts of toes and ankles */
    double slide;       /* largest distance that a point in contact moves from one frame to the next, metres */
    double feet_off;    /* largest distance of a foot from where it should be, metres */
    /* Measured in what came out, against the source. Limbs are upper arms, forearms, thighs and shanks. */
    double limb_mean;  /* mean angle between a limb and the source's, radians */
    double limb_worst; /* the largest of these angles */
    double
        wrist_mean; /* mean distance of a wrist, as seen from its shoulder in lengths of the arm, from the source's */
    double wrist_worst;    /* the largest of these */
    double ankle_mean;     /* the same of ankles, from the hips in lengths of the leg */
    double ankle_worst;    /* the largest of these */
    double jump;           /* largest turn of a part from one frame to the next, over the largest in the source; 0 where
                               nothing turns there */
    double at_limits;      /* share of the values of limited variables, in all frames, that are at a limit: 0 to 1 */
    int reference_frame;   /* the frame in which the source stands most upright, where it does not at rest; -1: rest */
    int is_target_upright; /* 1: the target stands upright at rest */
    /* Where limb_worst is: the limb (an lb_body_part) and the frame of the clip that came out; -1: no limb is known. */
    int worst_part, worst_frame;
    /* Of robots, that is figures of hinges (docs/retarget.md); 0 for all others. */
    int is_robot;             /* 1: hinges were solved as those of a robot */
    int limited_frames;       /* frames in which a limit of speed holds a joint back */
    double speed;             /* largest speed of a joint over its limit: at most 1 */
    double penetration;       /* deepest overlap of two segments that may not touch, metres */
    double below;             /* how far a sole gets below the floor at most, metres */
    double tilt;              /* largest angle between a sole that stands flat in the source and the floor, radians */
    int overlapping_frames;   /* frames in which segments overlap by more than 1 mm */
    int overlap_a, overlap_b; /* the two segments of the deepest overlap, and its frame; -1: none */
    int overlap_frame;
    /* Of all again. Frames are those of the clip that came out, to which something has happened since the one before;
     * -1: none. */
    double size;        /* of the target, a person 1.75 m tall being 1, by its legs */
    double slide_speed; /* the largest speed of a point in contact, metres a second: slide over the time of a frame */
    /* Largest step of the middle of the hips from one frame to the next, over the largest in the whole source. Lengths
     * are by the legs, and the source's counts as 0.1 m/s of a person at least. */
    double hips_step;
    int slide_part, slide_frame; /* of `slide`: toes or foot (an lb_body_part) */
    int jump_frame, hips_frame;  /* of the target's largest turn and of its hips' largest step */
    int first_frame; /* the frame of the source that came out first: see lb_retarget_options.keep_first_frame */
} lb_retarget_report;

/* What may come of a retargeting without a warning: the largest value of each measure. INFINITY: none is too large.
 * Lengths and speeds are those of a person 1.75 m tall, and go with the target (lb_retarget_report.size). The defaults
 * are what the clips and figures the project is tested with keep, with room (docs/retarget.md). */
typedef struct lb_retarget_bounds {
    size_t struct_size; /* set by lb_retarget_bounds_defaults */
    double limb_mean;   /* radians; default: 10 degrees */
    double limb_worst;  /* radians; default: 75 degrees */
    double wrist_mean;  /* in lengths of the arm; default 0.4: upper arm and forearm share it differently */
    double ankle_mean;  /* in lengths of the leg; default 0.1 */
    double slide_speed; /* metres a second; default 0.1 */
    double jump;        /* times the source's; default 2.5 */
    double hips_step;   /* times the source's; default 1.5 */
    double at_limits;   /* share of the values; default 0.25 */
    double overlap;     /* metres; default 0.005 */
    int upright;        /* 1 (default): the target has to stand upright at rest */
} lb_retarget_bounds;

/* What of a report a bound is about. */
typedef enum lb_retarget_measure {
    LB_RETARGET_MEASURE_LIMB_MEAN,
    LB_RETARGET_MEASURE_LIMB_WORST,
    LB_RETARGET_MEASURE_WRIST_MEAN,
    LB_RETARGET_MEASURE_ANKLE_MEAN,
    LB_RETARGET_MEASURE_SLIDE_SPEED,
    LB_RETARGET_MEASURE_JUMP,
    LB_RETARGET_MEASURE_HIPS_STEP,
    LB_RETARGET_MEASURE_AT_LIMITS,
    LB_RETARGET_MEASURE_OVERLAP,
    LB_RETARGET_MEASURE_UPRIGHT,
    LB_RETARGET_MEASURE_COUNT
} lb_retarget_measure;

/* Something that is over its bound. */
typedef struct lb_retarget_finding {
    lb_retarget_measure measure;
    int frame;           /* of the clip that came out: where; -1: no one frame */
    double value, bound; /* in SI units, of the target; 0 and 1 of LB_RETARGET_MEASURE_UPRIGHT */
} lb_retarget_finding;

#define LB_RETARGET_FINDINGS 16 /* at most */
#define LB_RETARGET_EXPLANATION_SIZE 1536

/* What is to be said of a retargeting. */
typedef struct lb_retarget_verdict {
    size_t struct_size; /* set by lb_retarget_verdict_defaults */
    int count;          /* of the findings; 0: nothing is over its bound */
    lb_retarget_finding findings[LB_RETARGET_FINDINGS];
    char explanation[LB_RETARGET_EXPLANATION_SIZE]; /* the findings as a sentence; empty where there are none */
} lb_retarget_verdict;

typedef struct lb_retarget_options {
    size_t struct_size; /* set by lb_retarget_options_defaults */
    int hold_feet;      /* 1 (default): feet that are in contact with the ground in the source are held in place */
    const lb_contact_options *contacts; /* what counts as a contact; NULL (default): defaults */
    /* Weights of the goals: positions of feet in contact (of feet in the air less), of hips, hands and head; and
     * rotations of all parts. Default 20000, 1, 0.3, 0.1 and 0.1. */
    double weight_feet, weight_hips, weight_hands, weight_head, weight_turns;
    /* Called before each frame; returns non-zero to stop; NULL (default): none. */
    int (*on_frame)(void *context, int frame);
    void *on_frame_context; /* given to on_frame */
    double weight_limbs;    /* of where upper arms, forearms, thighs and shanks point; default 10 */
    /* 1 (default): the poses of all frames are one problem, in which what the target's motion differs by from the
     * source's comes and goes smoothly; 0: each frame is solved from the one before. */
    int smooth;
    /* The frames of the source that are carried over: frame_count of them from first_frame on; 0 (default): all from
     * there on. Contacts, heights and how the source stands are those of the whole source, and where `smooth` is set
     * some frames before and after take part: the frames are nearly those that carrying over all of them gives. */
    int first_frame, frame_count;
    /* Of robots. 1 (default): segments that would overlap are kept apart as far as arms can; 0: they are not looked
     * at. */
    int keep_apart;
    int keep_speeds; /* of robots, 1 (default): limits of speed are kept; 0: they are not looked at */
    /* 0 (default): where the source's first frame is a pose to begin with (lb_clip_first_frame), it is no part of the
     * motion, and the clip that comes out begins with the next. 1: it is a frame like any other. */
    int keep_first_frame;
} lb_retarget_options;

/* Each fills the first struct_size bytes, those that the caller's header knows of. */
LB_API void lb_retarget_report_defaults_sized(lb_retarget_report *report, size_t struct_size);
static inline void lb_retarget_report_defaults(lb_retarget_report *report) {
    lb_retarget_report_defaults_sized(report, sizeof *report);
}
LB_API void lb_retarget_options_defaults_sized(lb_retarget_options *options, size_t struct_size);
static inline void lb_retarget_options_defaults(lb_retarget_options *options) {
    lb_retarget_options_defaults_sized(options, sizeof *options);
}
LB_API void lb_retarget_bounds_defaults_sized(lb_retarget_bounds *bounds, size_t struct_size);
static inline void lb_retarget_bounds_defaults(lb_retarget_bounds *bounds) {
    lb_retarget_bounds_defaults_sized(bounds, sizeof *bounds);
}
LB_API void lb_retarget_verdict_defaults_sized(lb_retarget_verdict *verdict, size_t struct_size);
static inline void lb_retarget_verdict_defaults(lb_retarget_verdict *verdict) {
    lb_retarget_verdict_defaults_sized(verdict, sizeof *verdict);
}
/* The frame that a clip's motion begins with: 1 where frame 0 is far from the next and those that follow are near each
 * other, as in capture that begins with a T-pose; else 0. A negative lb_status on failure. */
LB_API int lb_clip_first_frame(const lb_clip *clip);
/* Makes a clip in which another figure, the target, with other proportions and another rest pose, moves as the source
 * does; both stand upright at rest. Lengths are scaled by those of the legs, and of hands by those of the arms; every
 * part turns as in the source, relative to how it would be directed there at rest. The target keeps its limits and
 * moves from frame to frame without jumps. The caller destroys the clip. options NULL: defaults. report may be NULL.
 * A target made of hinges, with a free root or a floating joint, is a robot: limits of speed are kept, too, soles stay
 * on the floor, at height 0, and segments apart; weights of the options are not used. lb_humanoid_find finds its
 * parts. */
LB_API lb_clip *lb_retarget(const lb_clip *source, const lb_figure *target, const lb_body_map *map,
                            const lb_retarget_options *options, lb_retarget_report *report, lb_error *error);
/* Judges what came of a retargeting: what of the report is over its bound, as a list and as a sentence. bounds NULL:
 * defaults. */
LB_API lb_status lb_retarget_judge(const lb_retarget_report *report, const lb_retarget_bounds *bounds,
                                   lb_retarget_verdict *verdict);

#ifdef __cplusplus
}
#endif

#endif
