/* A stage as the player solves it: a problem of its own, in which what is carried is part of what carries it. */
#ifndef LIMBER_MOTION_SCENE_H
#define LIMBER_MOTION_SCENE_H

#include "motion/motion.h"

/* Something taken up, and how it lies: the frame of its root segment, seen from the segment that carries it. */
typedef struct lbt_hold {
    const lbt_carry *carry;
    lb_frame relative;
} lbt_hold;

/* Where a figure of the stage's problem is in the scene's. */
typedef struct lbt_place {
    int figure, first_segment, first_joint, first_parameter, first_loop;
    int held; /* it is carried */
} lbt_place;

#define LBT_DRIVEN_BY_CLIP 2

typedef struct lbt_over lbt_over;

typedef struct lbt_scene {
    lb_allocator allocator;
    const lbt_stage *stage;
    int figure_count;    /* of the stage's problem */
    lbt_place *places;   /* [figure_count] */
    lb_figure **figures; /* [figure_count]: own ones, of the scene's problem, or NULL where it uses the stage's */
    lb_problem *problem;
    lb_solver *solver;
    lb_kinematics **kinematics; /* [figure_count], of the scene's problem */
    int *variables;             /* [stage's variable] -> scene's; -1: of the root of what is carried */
    int *ids;                   /* [constraint] -> id in the scene's problem */
    unsigned char *driven;      /* [stage's variable]: by a track 1, by a clip alone LBT_DRIVEN_BY_CLIP */
    unsigned char *clipped;     /* [stage's variable]: at the last solve, by a limit */
    unsigned char *warned;      /* [stage's variable]: that has been said */
    unsigned char *said;        /* [constraint]: that it is missed has been */
    double *wanted;             /* [stage's variable]: what the drives ask for */
    double *pose;               /* [scene's variable] */
    /* How it goes on from the scene before, from its begin on: where each figure's root was then, and what of each
     * constraint is late; `lag_begin`: since when. */
    int64_t begin, lag_begin;
    lb_frame *onward;     /* [figure_count] */
    struct lbt_lag *lags; /* [constraint] */
    lbt_over *over;       /* goals of figures that clips drive; NULL: none */
    int has_bodies;       /* a figure is posed as a body */
} lbt_scene;

/* A figure of the stage's own problem. */
static inline const lb_figure *lbt_stage_figure(const lbt_scene *scene, int figure) {
    return scene->stage->problem->figures[figure];
}

/* NULL if there is no memory or the figures cannot be joined (then *error says why). */
lbt_scene *lbt_scene_create(const lbt_stage *stage, int hold_count, const lbt_hold *holds,
                            const lb_allocator *allocator, lb_error *error);

/* scene_begin.c: how a scene (NULL: nothing) goes on from the one before (NULL: from none), from the pose of its
 * stage's problem at its begin. A goal that the scene before asked for, too, and missed, as a joint held it back that
 * is there no longer, would be met at once: it begins where its effector is instead, and goes to its own place in
 * LBT_LAG seconds. */
#define LBT_LAG 0.25
typedef struct lbt_lag {
    int is_new;  /* it may be late: that is found at the begin */
    int is_late; /* it is, by: */
    double by[3];
} lbt_lag;
void lbt_scene_begin(lbt_scene *scene, int64_t begin, const double *entry, const lbt_scene *before);
/* A root that goes on from where it was, as far as its track has gone since, in the world. */
lb_status lbt_scene_drive_onward(const lbt_scene *scene, const lbt_drive *drive, const double value[7], double *pose);
/* Moves goals that are late back by what is left of that. */
lb_status lbt_scene_lag_goals(lbt_scene *scene, int64_t time);
/* The figures as they stand in the scene's pose. */
lb_status lbt_scene_look(lbt_scene *scene);
void lbt_scene_destroy(lbt_scene *scene);

/* When a pose is asked for. */
typedef struct lbt_moment {
    int64_t time;
    int closing;  /* the scene ends with it, and what switches at that time belongs to the next */
    double since; /* seconds since the pose before, for rates; 0: they do not count */
} lbt_moment;

/* The pose at a time, from one shortly before, which may be the same memory only where since is 0; both are poses of
 * the stage's problem. */
lb_status lbt_scene_solve(lbt_scene *scene, const lbt_moment *moment, const lb_solve_options *options,
                          const double *before, double *pose, lb_result *result);
/* Which segment of the scene's figure a segment of the stage's problem is. */
int lbt_scene_segment_of(const lbt_scene *scene, int figure, int segment);
/* World frame of a segment of the stage's problem in the pose solved last. */
void lbt_scene_segment(const lbt_scene *scene, int figure, int segment, lb_frame *frame_w);

/* scene_over.c: goals of figures that clips drive. LB_ERROR_MEMORY is without a sentence. */
lb_status lbt_scene_make_over(lbt_scene *scene);
void lbt_scene_destroy_over(lbt_scene *scene);
/* Moves the scene's pose from the clips' to one that these goals ask for now; their places and weights are the
 * problem's. result is scratch. */
lb_status lbt_scene_solve_over(lbt_scene *scene, const lbt_moment *moment, const lb_solve_options *options,
                               lb_result *result);
/* Whether a constraint is one of them; and how much of its weight it has now, of its own weight: 0 to 1, eased. */
int lbt_scene_is_over(const lbt_scene *scene, int constraint);
double lbt_scene_share(const lbt_scene *scene, int constraint);
/* Whether a scene's variable may move at the time solved last. */
int lbt_scene_may_move(const lbt_scene *scene, int variable);

/* scene_warn.c: tells options->warn what begins with the last solve: that a limit clips a variable which is driven;
 * that a goal has nothing that may move for it, since all is driven; that one over a clip is missed although its weight
 * is full. */
void lbt_scene_warn(lbt_scene *scene, int64_t time, const lb_player_options *options, const lb_result *result);

/* scene_figures.c: fills places and figures. LB_ERROR_MEMORY is without a sentence. */
lb_status lbt_scene_make_figures(lbt_scene *scene, int hold_count, const lbt_hold *holds, lb_error *error);

/* scene_body.c: how fast a body's variables may change, so that one way to stand goes over into another, as a stoop
 * into a squat, by a movement that a person could make: radians and metres a second. */
#define LBT_BODY_TURN 12.0
#define LBT_BODY_SPEED 4.0
#define LBT_SUPPORTS_MOST 64 /* that tracks may change */
/* The stage's bodies, in the scene's problem. LB_ERROR_MEMORY is without a sentence. */
lb_status lbt_scene_make_bodies(lbt_scene *scene, lb_error *error);
/* scene_apart.c: what the problem of the stage keeps apart; its bodies are known. */
lb_status lbt_scene_keep_apart(lbt_scene *scene, int hold_count, const lbt_hold *holds, lb_error *error);
/* Feet and supports as tracks have them at a time. */
lb_status lbt_scene_drive_bodies(lbt_scene *scene, int64_t time, int closing);
/* Shortens the way from one pose of the stage's problem to another, so that bodies keep their rates. */
void lbt_scene_hold_rates(lbt_scene *scene, const double *before, double seconds, double *pose);

#endif
