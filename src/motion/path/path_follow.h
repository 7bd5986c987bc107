/* What follows the way of a path: solves from place to place, by an arm's branches (path_follow.c) or as a body
 * (path_body.c). */
#ifndef LIMBER_MOTION_PATH_PATH_FOLLOW_H
#define LIMBER_MOTION_PATH_PATH_FOLLOW_H

#include <limber/body.h>
#include <limber/closed.h>

#include "motion/path/path.h"

#define LARGEST_STEP 0.2        /* radians or metres of a variable from one solve to the next */
#define ACCURACY 1e-10          /* metres and radians that a solve goes for, so that speeds are smooth */
#define ENOUGH 1e-6             /* and what counts as reached */
#define ACCURACY_OF_BODIES 1e-6 /* the same where a body balances meanwhile */
#define ENOUGH_OF_BODIES 1e-5
#define SPARE 1e-3   /* metres that a body keeps beyond what it must: between its places poses are a spline */
#define OVERLAP 1e-4 /* metres: solids of a body that are deeper in something are not where they may be */

typedef struct lbt_follower {
    lb_path *path;
    lb_problem *problem;
    lb_solver *solver;
    lb_problem *
        clear; /* the same that keeps pairs apart, and its solver: asked where a solution touches; NULL: nothing is kept apart. Of a
                      body: whose feet may step, where those of `problem` stay */
    lb_solver *keeper;
    int clear_id;
    int is_yielding; /* where a solution touches, the keeper is asked for another */
    lb_solve_options options;
    lb_result result;
    int id;
    double *ways;      /* [way][n]: solutions of the first frame */
    double *poses;     /* [sample][n]: the way that is being followed */
    double *q, *other; /* [n] */
    char *moves;       /* [n]: variables that differ between solutions or samples */
    int way_count;
    double *ended;     /* [n]: the last pose of the way that came farthest */
    lb_closed *closed; /* of path_end.c: the closed form of the arm, once it was asked for */
    int is_closed_tried;
} lbt_follower;

/* What became of one way. */
typedef struct lbt_outcome {
    lb_path_end end;
    double place;  /* how far it came */
    double beyond; /* the nearest place behind it that it did not come to */
    int variable, is_upper;
    double margin;
    int margin_variable;
    lb_contact_pair pair; /* of LB_PATH_END_COLLISION */
} lbt_outcome;

lb_status lbt_solve_at(lbt_follower *f, const lb_frame *frame, double *pose);
/* Whether the last solve reached its frame, a body on its feet. */
int lbt_is_reached(const lbt_follower *f);
/* The same of the last solve of a solver. */
int lbt_is_reached_by(const lbt_follower *f, const lb_solver *solver);
/* The largest step of a variable between two poses. */
double lbt_step_of(const lbt_follower *f, const double *from, const double *to, int *variable);
void lbt_add_way(lbt_follower *f, const double *pose);

/* What is asked of the end-effector; its frame is not set. */
void lbt_path_goal(const lb_path *path, lb_constraint *c);
/* The constraint's effector in a frame, which is not set; or above a height. */
void lbt_path_keep(lb_constraint *c);
void lbt_path_keep_above(lb_constraint *c, double height);
/* path_end.c: where solves fail, the solution of the closed form at a frame that is near to f->q, into f->other.
 * Returns 0 where there is none, or it takes long. */
int lbt_go_by_closed(lbt_follower *f, const lb_frame *frame);
/* What ends a way whose last pose is f->q. */
lb_status lbt_name_end(lbt_follower *f, lbt_outcome *o);

/* path_body.c: the first poses that a body may begin with, the most natural first. */
lb_status lbt_body_ways(lbt_follower *f);

#endif
