/* What a path is made of: the way of the end-effector (path_way.c), the branch that follows it (path_follow.c), and the
 * time at which it is run through (path_time.c). */
#ifndef LIMBER_MOTION_PATH_PATH_H
#define LIMBER_MOTION_PATH_PATH_H

#include <limber/path.h>

#include "figure/error.h"
#include "figure/figure.h"
#include "figure/memory.h"

/* How many metres a radian counts as where lengths of the way are measured. */
#define LBT_PATH_ARM 0.2

/* One straight piece from a frame to the next. */
typedef struct lbt_piece {
    double from[3], way[3];      /* position, and what it goes by */
    double rotation[4], turn[3]; /* rotation, and the rotation vector that it turns by, in the world */
    double length, length_rad;
    double s, size; /* where it begins on the way, and how long it counts */
    int first;      /* its first sample */
    int samples;    /* it has so many, the last one is the next piece's first */
    int frame;      /* number of the frame that it begins at */
    int is_corner;  /* the path stops where it begins */
} lbt_piece;

/* How a body stands on its way. */
typedef struct lbt_stance {
    lb_problem
        *problem; /* the end-effector at its frame, and the feet where they stand, by the same plain solve for all */
    lb_solver *solver;
    int id; /* of the end-effector's constraint */
    lb_kinematics *kinematics;
    double *guess; /* [n] */
    int is_timed;  /* places came through */
    int first_way; /* what it began with before did not do */
} lbt_stance;

struct lb_path {
    const lb_figure *figure;
    lb_allocator allocator;
    lb_path_options options;
    lb_effector effector;
    lb_path_result result;
    double began_us; /* by the clock of the options */
    int n;           /* variables of the figure */
    lbt_piece *pieces;
    int piece_count, frame_count; /* there is memory for frame_count pieces */
    int sample_count;
    double *places;                  /* [sample]: where it is on the way, in metres */
    double *branch;                  /* [sample][n]: the poses of the branch that was chosen */
    double *start;                   /* [n] */
    double *velocity, *acceleration; /* [n] */
    double *poses;                   /* [pose][n], timed */
    double *fractions;               /* [pose] */
    int pose_room;
    lb_problem *base; /* what holds on the way besides: a body, its habit, constraints, what may move */
    int is_body;      /* the figure is posed as a body */
    lb_problem *
        held; /* of a body: the end-effector at its frame, and the feet where they stand, by the same solver for all; */
    lbt_stance stance;          /* of a body */
    const lb_collisions *apart; /* what is kept apart, while lb_path_create runs; NULL: nothing */
    lb_problem *judged;         /* what is kept apart; NULL: nothing */
    lb_solver *judge;           /* of it */
    double *between;            /* [n]: a pose that it looks at */
    double roughness; /* metres or radians: the largest deviation of a pose, those beside rounded corners left out */
};

/* path.c: whether it is cancelled, or the deadline is past. */
int lbt_path_is_over(const lb_path *path);
/* path_way.c: pieces between frames, and where their samples are. */
lb_status lbt_path_lay_out(lb_path *path, int count, const lb_frame *frames, lb_error *error);
/* Twice as many places, and more where the branch that was found moves far from one to the next; the branch is
 * forgotten. */
lb_status lbt_path_divide(lb_path *path, lb_error *error);
/* The frame at a place of the way. */
void lbt_path_frame(const lb_path *path, double place, lb_frame *frame);
/* The piece that a place is on. */
int lbt_path_piece(const lb_path *path, double place);

/* path_follow.c: fills branch and the result's end, margin and numbers. */
lb_status lbt_path_follow(lb_path *path, lb_error *error);
/* The problem that the end-effector is at a frame, whose constraint is the last and has the id *id; NULL: *error says
 * why. */
lb_problem *lbt_path_problem(const lb_path *path, int *id, int feet_stay, lb_error *error);
/* path_body.c: has feet stay where they are, where nothing else is said of them. */
lb_status lbt_plant_feet(const lb_figure *figure, lb_problem *problem);
/* path_body.c: remembers the feet that stand in a pose: from there on lbt_path_hold brings them back to where they are
 * now. */
lb_status lbt_path_stand(lb_path *path, const double *pose, lb_error *error);
/* Brings a pose to a frame of the way, feet where they stand, by a small step; else the pose stays. */
lb_status lbt_path_hold(lb_path *path, const lb_frame *frame, double *pose);
/* More places for a body's branch, where poses between two of them would be off: then a spline through them is near
 * enough. */
lb_status lbt_path_densify(lb_path *path, lb_error *error);
/* Whether a timed pose of a body would fall: the path then ends there. */
void lbt_path_check_balance(lb_path *path);
/* Whether a place is beside a frame where the way turns a little: that is rounded off on purpose (path_sentence.c). */
int lbt_path_is_rounded(const lb_path *path, double place);

/* path_time.c: fills poses and fractions, and the result's duration, loads and pace. */
lb_status lbt_path_time(lb_path *path, lb_error *error);
/* The same; every pose is then solved for its place, where the spline is not near enough to it. */
lb_status lbt_path_time_exactly(lb_path *path, lb_error *error);
/* path_sentence.c: how far the poses are from the way. */
lb_status lbt_path_deviate(lb_path *path, lb_error *error);

/* path_apart.c: the judge of what touches. */
lb_status lbt_path_watch(lb_path *path, lb_error *error);
/* The pair that touches most at a pose, with its names in *pair; 0: none does. */
int lbt_path_touches(const lb_path *path, const double *pose, lb_contact_pair *pair);
/* The same of poses on the straight way between two, both included. */
int lbt_path_step_touches(lb_path *path, const double *from, const double *to, lb_contact_pair *pair);
void lbt_path_note_touch(lb_path *path, const lb_contact_pair *pair);
/* Whether a timed pose touches: the path then ends there. */
void lbt_path_check_poses(lb_path *path);

/* The explanation. */
void lbt_path_explain(lb_path *path);

#endif
