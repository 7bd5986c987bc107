/* What the files of retargeting (retarget*.c) share: one figure's motion on its way to
 * another figure. */
#ifndef LIMBER_MOTION_RETARGET_H
#define LIMBER_MOTION_RETARGET_H

#include "motion/body.h"
#include "motion/motion.h"

#define LBT_SIDES 2
#define LBT_FOOT_POINTS 4      /* toes left, right; ankles left, right */
#define LBT_LEG_OF_PERSON 0.87 /* hip to ankle, 1.75 m tall, metres */

#define LBT_MOST_STEPS 1.5  /* of hips, over the largest in the source */
#define LBT_LEAST_SPEED 0.1 /* m/s of a person: hips that are slower in the source may move so fast all the same */
#define LBT_MOST_ROUNDS 4   /* in which hips are held ever more */

#define LBT_IN_AIR 0.0005 /* how much feet in the air count of what they count on the ground */

/* Goals of places, by number. */
enum { LBT_HIPS, LBT_HEAD, LBT_HANDS, LBT_FEET = LBT_HANDS + LBT_SIDES, LBT_PLACE_COUNT = LBT_FEET + LBT_FOOT_POINTS };

/* Goals in the problem, by number; -1: no such goal. */
typedef struct lbt_retarget_ids {
    int places[LBT_PLACE_COUNT];
    int turns[LB_BODY_PART_COUNT]; /* orientations of parts */
    int limbs[LB_BODY_PART_COUNT]; /* directions of limbs */
    int hold;                      /* of hips, where they are held */
} lbt_retarget_ids;

#define LBT_SPANS 2       /* pelvis to chest, neck to head */
#define LBT_SPAN_BONES 32 /* of the source that a span has at most; of more, its ends count */

/* The source's bones of a span, from below, the upper part's the last. */
typedef struct lbt_span {
    int count, segments[LBT_SPAN_BONES]; /* count: -1 where they are not known */
    double back_w[LBT_SPAN_BONES][4];    /* turns back from the pose that stands for rest */
} lbt_span;

/* Joint values that the source wishes in the frame at hand, and the turns that they come from. */
typedef struct lbt_wishes {
    double *wish;                         /* [variables] */
    int *is_wished;                       /* [variables]: the source tells the wish; else it is the rest pose's */
    double (*rest_turns)[4], (*turns)[4]; /* [segments] of the target */
    int *order;                           /* [segments] */
    unsigned char *is_finger;             /* [variables]: it moves fingers alone */
    lbt_span spans[LBT_SPANS];
} lbt_wishes;

/* The middle of the hips. */
typedef struct lbt_hips {
    double (*path)[3]; /* [frame]: where it should be */
    double step;       /* the largest from frame to frame */
    double (*hold)[3]; /* [frame]: where it is held; see retarget_hips.c */
    double *held;      /* [frame]: and how firmly, 0 to 1 */
    lb_effector effector;
} lbt_hips;

typedef struct lbt_contacts {
    int count, capacity;
    lb_contact *list;
} lbt_contacts;

typedef struct lbt_retarget {
    const lb_clip *clip;
    lb_retarget_options options;
    lb_error *error;
    lb_allocator allocator;
    lb_kinematics *kinematics[2]; /* source's, target's */
    lbt_body source, target;
    int has[LB_BODY_PART_COUNT]; /* in both */
    double carry[LB_BODY_PART_COUNT][4];
    double leg_ratio;
    int reference_frame; /* of the source, in place of its rest pose; -1: the rest pose */
    int frames, variables, segments;
    int lead;                /* frames of the source before `frames`, which are no part of the motion */
    int first, count;        /* the frames of the source that come out, counted behind those */
    double (*paths)[3];      /* [foot point][frame]: the source's, then where the target's are to be */
    double level[LBT_SIDES]; /* that the source's ankles stand at */
    double *held;            /* [foot point][frame]: 1 where it stands, less where that fades */
    lbt_hips hips;
    int has_point[LBT_FOOT_POINTS];
    lbt_contacts contacts;
    lb_problem *problem;
    lb_solver *solver;
    lbt_retarget_ids ids;
    lbt_wishes wishes;
    /* in the frame at hand */
    double source_w[LB_BODY_PART_COUNT][3], turn_w[LB_BODY_PART_COUNT][4]; /* the latter: as the target's should be */
    double limb_w[LB_BODY_PART_COUNT][3];                                  /* where the target's limbs should point */
} lbt_retarget;

/* The part of the body that a point of a foot is. */
static inline int lbt_foot_part(int point) {
    return (point < LBT_SIDES ? LB_BODY_PART_TOES : LB_BODY_PART_FOOT) + point % LBT_SIDES;
}
/* The path of a point of a foot, [frame]. */
static inline double (*lbt_foot_path(const lbt_retarget *w, int point))[3] {
    return w->paths + (size_t)point * (size_t)w->frames;
}
/* How firmly a point of a foot stands, [frame]. */
static inline double *lbt_foot_held(const lbt_retarget *w, int point) {
    return w->held + (size_t)point * (size_t)w->frames;
}

/* The source's pose in a frame. */
static inline const double *lbt_source_pose(const lbt_retarget *w, int frame) {
    return lb_clip_const_pose(w->clip, w->lead + frame);
}
/* The target, a person being 1. */
static inline double lbt_retarget_size(double leg) { return leg / LBT_LEG_OF_PERSON; }

/* retarget.c. A report as it was given, whatever its version. */
lb_status lbt_retarget_take_report(const lb_retarget_report *given, lb_retarget_report *taken);

/* retarget.c. The source in a frame: where its parts are, and how the target's should be turned. */
lb_status lbt_retarget_read_source(lbt_retarget *w, int frame);
/* A point from the source's ground to the target's: lengths by the legs, heights above where ankles stand. */
void lbt_retarget_carry_point(const lbt_retarget *w, const double from[3], double level_from, double level_to,
                              double out[3]);
/* Where the middle of the hips should be in the frame at hand. */
void lbt_retarget_hips(const lbt_retarget *w, double point_w[3]);
/* Adds to a point the way between two places of the target at rest, turned with a part. */
void lbt_retarget_go_along(const lbt_retarget *w, const double from_rest[3], const double to_rest[3], int part,
                           const double turn_w[4], double point_w[3]);

/* The goals and wishes of a frame, after on_frame was called. */
lb_status lbt_retarget_prepare_frame(lbt_retarget *w, int frame);
/* The pose of a frame alone, to begin with. */
lb_status lbt_retarget_solve_first(lbt_retarget *w, int frame, double *pose);

/* retarget_arms.c. Where limbs should point in the frame at hand, from the source's parts; turns of arms go with
 * that. */
void lbt_retarget_find_limbs(lbt_retarget *w);
/* Adds to a shoulder's place the way from there to the wrist. */
void lbt_retarget_add_arm(const lbt_retarget *w, int side, double point_w[3]);

/* retarget_smooth.c. All frames as one problem. */
lb_status lbt_retarget_solve_whole(lbt_retarget *w, lb_clip *out);
/* Frame after frame, each from the one before. */
lb_status lbt_retarget_solve_frames(lbt_retarget *w, lb_clip *out);

/* retarget_reference.c. Measures the source, at rest or in the frame in which it stands most upright. */
lb_status lbt_retarget_measure_source(lbt_retarget *w, const lb_body_map *map);

/* retarget_begin.c. A pose to begin with is no frame of the motion, unless it is all that is asked for. */
lb_status lbt_retarget_leave_out_first(lbt_retarget *w);

/* retarget_hips.c. The largest step of the hips that counts as the source's. */
double lbt_retarget_hips_room(const lbt_retarget *w, double leg);
/* Where hips are held so that they step no farther than the source's do, from their places in the frames that came out
 * in a round, 0 to LBT_MOST_ROUNDS - 1. Whether anything has to be held. */
lb_status lbt_retarget_calm_hips(lbt_retarget *w, double leg, const double (*places)[3], int round, int *is_changed);

/* The same of the poses of a body. */
lb_status lbt_retarget_hold_hips(lbt_retarget *w, const lb_clip *out, int round, int *is_changed);

/* retarget_report.c. What came of it, looked up in the answers themselves. */
lb_status lbt_retarget_look(lbt_retarget *w, const lb_clip *out, lb_retarget_report *report);

/* Of any figure: a report before anything was looked at. */
void lbt_retarget_begin_report(const lbt_retarget *w, lb_retarget_report *report);
/* The same for what a report says of all figures alike. turns: the largest from frame to frame of source and target;
 * hips: the target's largest step. */
void lbt_retarget_sum_up(const lbt_retarget *w, double leg, const double turns[2], double hips,
                         lb_retarget_report *report);
/* A step of a point in contact. */
void lbt_retarget_judge_slide(double slide, int part, int frame, lb_retarget_report *report);

/* retarget_feet.c. The source's paths, the levels they stand at, and contacts; then the target's. */
lb_status lbt_retarget_plan_feet(lbt_retarget *w);

/* retarget_paths.c. Moves a path where it is not held (held[f] < 1) by what it differs from another where it is, so
 * that the difference fades with the least acceleration over some `time`, in frames. scratch:
 * lbt_retarget_ease_size(count) doubles. */
size_t lbt_retarget_ease_size(int count);
void lbt_retarget_ease_path(int count, const double *held, const double (*from)[3], double time, double (*path)[3],
                            double *scratch);

/* retarget_spine.c. Measures the source's spine and neck, in the pose that stands for rest. */
lb_status lbt_retarget_measure_spans(lbt_retarget *w, const lb_body_map *map);
/* The wished turn of a segment of the target that is between two parts; 0 where it is none. */
int lbt_retarget_turn_between(lbt_retarget *w, int segment, double turn[4]);

/* retarget_fingers.c. Which variables move fingers alone. */
void lbt_retarget_find_fingers(lbt_retarget *w);
/* Wishes for those of them that are parameters of groups. */
void lbt_retarget_wish_fingers(lbt_retarget *w);

/* retarget_wishes.c. The turn of a joint of the target that the wished turns of its segments make. */
void lbt_retarget_joint_turn(const lbt_retarget *w, int joint, double turn[4]);
/* Turns of all segments: parts as wished, spine and neck as the source's, the rest as their parents at rest. */
void lbt_retarget_find_turns(lbt_retarget *w);
/* Joints' values that make these turns, nearest to those of the frame before. */
void lbt_retarget_wish_joints(lbt_retarget *w);
/* Rotation vectors without limits that have come round are made short again. */
void lbt_retarget_unwind(const lbt_retarget *w, double *pose);
/* What carries the whole figure is wished to stay where the frame before had it: the goals move it. */
void lbt_retarget_wish_place(lbt_retarget *w, const double *pose);

#endif
