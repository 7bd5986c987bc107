/* A drag while it lasts: what is pulled, where the figure is, and what came of the last frame. */
#ifndef LIMBER_SOLVE_DRAG_H
#define LIMBER_SOLVE_DRAG_H

#include <limber/drag.h>

#include "problem/problem.h"

#define LBS_DRAG_NEAR 1e-4  /* metres (and radians) that count as there */
#define LBS_DRAG_POSES 200  /* that a body remembers at most */
#define LBS_DRAG_PER_TURN 6 /* radians of turn that count as much as a metre */

static inline double lbs_least(double a, double b) { return a < b ? a : b; }
static inline double lbs_most(double a, double b) { return a > b ? a : b; }

/* How far what is pulled is from its target. */
typedef struct lbs_miss {
    double distance, angle;
} lbs_miss;

/* What a solve found, kept beside the solver, whose lists are those of its last solve. */
typedef struct lbs_found {
    int is_there;
    lb_result result;
    lb_constraint_result *constraints;
    lb_active_limit *limits;
    lb_body_result *bodies; /* [figure]; contact_count 0 and no contacts: none */
    unsigned char *has_body;
    lb_contact_result **contacts; /* [figure] */
    lb_effort_result **efforts;
    lb_step_result **steps;
} lbs_found;

/* A point of a sole on the ground, and where. */
typedef struct lbs_stood {
    int figure, segment;
    double point[3], at_w[3];
} lbs_stood;

typedef struct lbs_soles {
    int count;
    lbs_stood *list;
} lbs_soles;

/* A constraint as it was before the drag. */
typedef struct lbs_before {
    int id;
    int disabled;
    int holds;
    int is_off; /* it does not count during the drag */
    double weight, tolerance[3], tolerance_rad;
} lbs_before;

/* What only figures without a body need. */
typedef struct lbs_drag_plain {
    double posture, stay;
    double offset[3]; /* added to the goal, so that what the wishes cost is met in the end */
    double last_miss;
} lbs_drag_plain;

/* Poses that were taken on the way. */
typedef struct lbs_drag_known {
    int count;
    double *poses;   /* [LBS_DRAG_POSES][variables] */
    double (*at)[3]; /* where the part was, */
    double *cost;    /* and what the pose cost */
} lbs_drag_known;

/* What only bodies need. */
typedef struct lbs_drag_body {
    double carrot;
    int idle;   /* frames that brought nothing */
    int lifted; /* the limb whose foot is pulled; -1: none */
    int is_shift_due, has_rested;
    int is_flowing;   /* the way to stand has come to its end */
    int is_careful;   /* the next frame changes less */
    int is_think_due; /* whether another way to stand is to be looked for */
    int has_ease;     /* what the present way to stand costs is known: */
    double ease;
    int has_way;   /* the body goes over to the pose `way`, while the part follows the hand */
    int way_tries; /* frames that brought it no nearer */
    double way_far;
    int has_asked; /* where the part was when the body last asked itself how to stand */
    double asked_w[3];
    int glides;
    int is_step_kept; /* the step that counts is not the last solve's: `stepped` has what it found */
    int is_gliding, glide_is_end;
    double glide_done, glide_step;
    double *way, *glide_from, *glide_to; /* [variables] each */
    unsigned char *is_eye;               /* [segment]: eyes are quick */
    lbs_soles stood;
    lbs_found glide, stepped;
    lbs_drag_known known;
    char steps[sizeof((lb_drag_state *)0)->steps];
} lbs_drag_body;

/* What the problem was before the drag. */
typedef struct lbs_drag_was {
    int count;
    lbs_before *constraints; /* [count] */
    lb_wish_level level;
    double posture, stay;
    double *preferred;  /* [variables] */
    lb_foot_mode *feet; /* [figure][LB_BODY_LIMBS] */
} lbs_drag_was;

/* Poses and other things that only a frame needs. */
typedef struct lbs_drag_room {
    double *frame_begin, *trial, *other, *step; /* [variables] each */
    double *matrices, *other_matrices;          /* [segment][12] */
    lb_foot_mode *feet;                         /* [figure][LB_BODY_LIMBS] */
    lbs_soles soles;
} lbs_drag_room;

struct lb_drag {
    lb_problem *problem;
    lb_solver *solver;
    lb_allocator allocator;
    void *block;
    size_t size;
    lb_drag_options options;
    int variables, is_body, is_free;
    int id, is_own; /* the constraint that is pulled; whether it was made for it */
    int segment;    /* -1: the goal alone says where, there is no carrot */
    double point[3], rotation[4];
    lb_kinematics **kinematics; /* [figure] */
    int segment_count;          /* of all figures */
    lbs_drag_was was;
    lbs_drag_room room;
    double *pose, *begin; /* [variables]: now, and when the part was taken hold of */
    lb_frame target;
    int has_target, settled, blocked;
    lbs_found now;
    lb_result solved; /* of the solver's last solve */
    lb_status status;
    lbs_drag_plain plain;
    lbs_drag_body body;
};

/* --- drag.c: what both need
 * ------------------------------------------------------------------------------------------ */

lb_frame lbs_drag_here(lb_drag *drag, const double *pose);
lbs_miss lbs_drag_miss(const lb_drag *drag, const lb_frame *here);
/* The carrot: the target, or as far on the way to it as a step should go. Returns the share of the way. */
double lbs_drag_aim(lb_drag *drag, const lb_frame *here, lbs_miss miss, double carrot);
void lbs_drag_move_goal(lb_drag *drag, const lb_frame *frame);
/* Solves from a pose; drag->solved says what came of it. */
void lbs_drag_solve(lb_drag *drag, const lb_solve_options *options, double *pose);
/* Keeps what the last solve found. */
void lbs_drag_keep(lb_drag *drag, lbs_found *found);
void lbs_drag_copy_found(const lb_drag *drag, lbs_found *to, const lbs_found *from);
double lbs_drag_far(const lb_drag *drag, const double *a, const double *b);

/* --- drag_hold.c ------------------------------------------------------------------------------------------------------- */

lb_status lbs_drag_check_options(const lb_problem *problem, const lb_drag_options *options, lb_error *error);
/* Memory for a drag of a problem; nothing is taken hold of. */
lb_drag *lbs_drag_allocate(lb_problem *problem, const lb_drag_options *options, lb_error *error);
void lbs_drag_note_problem(lb_drag *drag);
lb_status lbs_drag_take_hold(lb_drag *drag, const double *pose, lb_error *error);
void lbs_drag_put_back(lb_drag *drag);

/* --- drag_plain.c ------------------------------------------------------------------------------------------------------ */

lb_status lbs_drag_prepare_plain(lb_drag *drag);
void lbs_drag_follow_plain(lb_drag *drag);
/* The wish to stay, at least as strong as the problem's own. */
void lbs_drag_set_stay(lb_drag *drag, double weight);

/* --- drag_body.c, drag_way.c
 * ------------------------------------------------------------------------------------------- */

lb_status lbs_drag_prepare_body(lb_drag *drag);
void lbs_drag_follow_body(lb_drag *drag);
/* Towards a new target all may be tried again. */
void lbs_drag_renew_body(lb_drag *drag);
void lbs_drag_end_body(lb_drag *drag);
/* Points of soles that are on the ground in a pose. */
void lbs_drag_soles(lb_drag *drag, const double *pose, lbs_soles *soles);
/* How far soles are from where they stood, in a pose. */
double lbs_drag_slid(lb_drag *drag, const double *pose, const lbs_soles *soles);
/* What the terms of the bodies cost at the last answer. */
double lbs_drag_cost(const lb_drag *drag);
/* The widest turn of a segment between two poses; but for eyes, where asked. */
double lbs_drag_turn(lb_drag *drag, const double *from, const double *to, int without_eyes);
/* Goes to a pose, which the last solve found, in frames of which none is a jump. */
void lbs_drag_glide(lb_drag *drag, const double *pose, int is_end, double pace);
int lbs_drag_is_under_way(const lb_drag *drag);
void lbs_drag_think_body(lb_drag *drag);
void lbs_drag_note_thought(lb_drag *drag);
void lbs_drag_watch(lb_drag *drag, const double *trial, double change, int is_solved);
int lbs_drag_remember(lb_drag *drag);

#endif
