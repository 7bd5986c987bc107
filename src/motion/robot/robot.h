/* Motion for humanoid robots: hinges in series, with ranges and limits of speed.
 *
 *     robot_chain.c   limbs as chains of hinges; forward kinematics of a chain
 *     robot_small.c   least squares over a box for a few hinges
 *     robot_measure.c the robot at rest: limbs from the map, hips, soles
 *     robot_goals.c   what the source wants of each frame
 *     robot_feet.c    where soles stand
 *     robot_legs.c    one frame: pelvis and legs
 *     robot_frame.c   one frame: all of it, then waist, neck and arms
 *     robot_pairs.c   segments that are kept apart
 *     robot_apart.c   limbs pushed out of what they overlap
 *     robot_ease.c    what arms are pushed by comes and goes slowly
 *     robot_speed.c   limits of speed over the whole clip
 *     robot_hips.c    hips that step no farther than the source's
 *     robot_report.c  what came of it
 *     robot.c         all of it, frame after frame
 */
#ifndef LIMBER_MOTION_ROBOT_H
#define LIMBER_MOTION_ROBOT_H

#include "figure/figure.h"
#include "math/vec.h"
#include "motion/retarget/retarget.h"
#include "problem/apart.h"

#define LBT_HINGES 12                     /* of a chain, at most */
#define LBT_UNKNOWNS (6 + 2 * LBT_HINGES) /* of the pelvis with both legs, at most */

/* Chains of a robot, by number; of limbs the left one, then the right one. */
enum {
    LBT_LEGS,
    LBT_ARMS = LBT_LEGS + LBT_SIDES,
    LBT_LIMBS = LBT_ARMS + LBT_SIDES,
    LBT_NECK = LBT_LIMBS,
    LBT_WAIST,      /* from where pelvis and chest part, to the chest */
    LBT_WAIST_DOWN, /* from there to the pelvis: where the chest is nearer to the root */
    LBT_CARRIER,    /* from what moves the whole figure to the pelvis */
    LBT_CHAINS
};

/* Hinges in series. Those without a variable, or whose variable moves others too, stay at rest. */
typedef struct lbt_chain {
    int count;                 /* 0: there is none, or nothing of it moves */
    int base;                  /* the node that it hangs on; -1: the world */
    int nodes[LBT_HINGES];     /* of the figure */
    int variables[LBT_HINGES]; /* -1: it stays at rest */
    double rest[LBT_HINGES];
    double low[LBT_HINGES], high[LBT_HINGES]; /* ranges; both are rest where it stays */
    double most[LBT_HINGES];                  /* largest change from frame to frame */
    const lbf_node *table;                    /* the figure's nodes */
    /* Of a limb: */
    int middle;        /* the number of its knee or elbow */
    double ways[2][3]; /* where its upper and lower part point, unit: in the frames of nodes middle - 1 and middle */
    double ends[3][3]; /* hip, knee and ankle, or shoulder, elbow and wrist: in the frames of base, middle, middle */
    double length;     /* of both parts */
} lbt_chain;

/* A foot, in the frame of the last hinge of its leg. */
typedef struct lbt_sole {
    double points[2][3]; /* toes and heel: the middle of the front edge and of the rear edge of the sole */
    double ankle[3];
    double axes[3][3];    /* ahead, left, up, where the foot stands */
    double corners[4][3]; /* of the sole */
} lbt_sole;

/* What a frame should be. */
typedef struct lbt_goal {
    double hips[3], turns[3][4];                       /* pelvis, chest, head */
    double lean[4];                                    /* of a chest that cannot bend against the pelvis */
    double ways[LBT_LIMBS][2][3];                      /* of upper and lower part of each limb; 0: not known */
    double bends[LBT_SIDES][4];                        /* of hands, beyond where forearms take them, in the world */
    double points[LBT_SIDES][2][3];                    /* toes and heel of each sole */
    double aheads[LBT_SIDES][3], asides[LBT_SIDES][3]; /* where each foot points, and its left */
    double held[LBT_SIDES][2];                         /* how firmly toes and heel stand */
    double hold[3], hips_held;                         /* where hips are held, and how firmly: see robot_hips.c */
} lbt_goal;

/* A frame as it is solved. */
typedef struct lbt_state {
    lbm_transform pelvis, chest; /* of their nodes, in the world */
    double values[LBT_CHAINS][LBT_HINGES];
} lbt_state;

/* Least squares with few unknowns: matrix and slope of the sum of squares, and the box that a step stays in. */
typedef struct lbt_small {
    int count;
    double matrix[LBT_UNKNOWNS][LBT_UNKNOWNS]; /* lower triangle */
    double slope[LBT_UNKNOWNS], low[LBT_UNKNOWNS], high[LBT_UNKNOWNS], step[LBT_UNKNOWNS];
    double cost;
    unsigned below, touching; /* corners of soles, a bit each: below the floor; to be on it, whatever they are */
} lbt_small;

/* A point of an arm that is pushed. */
typedef struct lbt_push {
    int hinge; /* the point is fixed to what this hinge of the arm moves */
    double at_w[3], way_w[3], depth;
} lbt_push;

/* Two points, of legs or of the pelvis, the first of which is to be `least` ahead of the second, seen along way_w. */
typedef struct lbt_leg_push {
    int sides[2], hinges[2]; /* side -1: the point is fixed to the pelvis */
    double points[2][3];     /* in the frames of those hinges, or of the pelvis */
    double way_w[3], least;
} lbt_leg_push;

/* Segments that are kept apart. */
typedef struct lbt_robot_pairs {
    lb_problem *problem;            /* which knows masses and pairs; NULL: nothing is looked at */
    lbp_memory *memories;           /* [pair] */
    unsigned char *is_pair;         /* [pair]: it is looked at */
    lbm_transform *frames;          /* [mass] */
    double (*centres)[3];           /* [mass]: of the balls around them, in the world */
    short *mass_limbs;              /* [mass]: the chain of the limb that it is on; -1: none */
    short *mass_hinges;             /* [mass]: and the hinge of that limb which moves it */
    lbm_transform turned;           /* how the chest is turned from rest in the frame at hand */
    const lbt_leg_push *leg_pushes; /* [leg_push_count]: in the frame at hand */
    int leg_push_count;
    double (*free_arms)[LBT_SIDES][LBT_HINGES]; /* [w->count]: values of arms before they were pushed */
} lbt_robot_pairs;

typedef struct lbt_robot {
    lbt_retarget *w; /* the source: its body, paths and contacts */
    const lb_figure *figure;
    lb_kinematics *kinematics;
    double frame_time;
    lbt_chain chains[LBT_CHAINS];
    int pelvis, chest, base; /* nodes */
    lbt_sole soles[LBT_SIDES];
    lbm_transform rest_pelvis, rest_chest, rest_head; /* of nodes, at rest */
    double hips[3];                                   /* between the hip joints, in the pelvis's frame */
    double facing[4], leg, ankle_height, half_width;  /* half_width: of the hips */
    double ratio;                                     /* of the legs: target's over source's */
    lbt_goal *goals;                                  /* [w->frames] */
    lbt_state *states;                                /* [w->count] */
    double *pose, *rest_pose; /* [variables]: of the frame at hand; at rest, for all that does not move */
    int base_joint;           /* the floating joint that carries the figure; -1: its root is free */
    lbm_transform base_from,
        base_offset;         /* where that joint begins in the world; where it ends, or the root's site, on its node */
    int is_bounded;          /* steps are bounded by limits of speed */
    const lbt_state *before; /* the frame before; NULL: there is none */
    const lbt_state *wished; /* joint values that the frame at hand is to be near; NULL: the frame before's */
    lbt_robot_pairs pairs;
    int limited_frames;
} lbt_robot;

/* robot_chain.c */
/* The hinges from a node (not in the chain) down to another; 0 where the second does not hang on the first, or by too
 * many. */
int lbt_chain_make(lbt_robot *r, int from, int to, lbt_chain *chain);
/* Frames [count] of the nodes at these values, in the frame that `base` is given in. */
void lbt_chain_move(const lbt_chain *chain, const lbm_transform *base, const double *values, lbm_transform *frames);
/* The frame of the last node; of the base where there is none. */
void lbt_chain_end(const lbt_chain *chain, const lbm_transform *base, const double *values, lbm_transform *end);

/* How a point, or with at NULL a direction, goes with a hinge of a chain whose frames are these. */
void lbt_chain_column(const lbt_chain *chain, const lbm_transform *frames, int hinge, const double *at,
                      const double *way, double column[3]);
/* What a frame differs by in its turn from another: axis times sine. */
void lbt_turn_error(const lbm_transform *is, const lbm_transform *should, double error[3]);
/* The transform of a turn, at the origin. */
void lbt_turn_transform(const double turn[4], lbm_transform *t);

/* robot_small.c */
void lbt_small_begin(lbt_small *s, int count);
/* Adds weight * |value + sum of columns[i] * d[index[i]]|^2 / 2: three rows. */
void lbt_small_add(lbt_small *s, int count, const int *index, const double (*columns)[3], const double value[3],
                   double weight);
/* Adds weight * (value + d[index])^2 / 2. */
void lbt_small_stay(lbt_small *s, int index, double value, double weight);
/* s->step: the minimum inside the box, with damping; the predicted decrease is returned. */
double lbt_small_solve(lbt_small *s, double damping);

/* robot_measure.c */
lb_status lbt_robot_measure(lbt_robot *r, const lb_body_map *map);

/* robot_goals.c: all frames, but for where feet stand; the source's paths of toes and ankles. */
lb_status lbt_robot_set_goals(lbt_robot *r);
/* A point of the source on the robot's ground: lengths by the legs, heights above where ankles stand. */
void lbt_robot_carry(const lbt_robot *r, const double from[3], double level, double out[3]);
/* robot_feet.c: contacts, and the places of soles. */
lb_status lbt_robot_plan_feet(lbt_robot *r);

/* robot_legs.c: the problem of pelvis and legs in a state, and a step of its solution. */
void lbt_robot_set_legs(const lbt_robot *r, const lbt_goal *goal, const lbt_state *state, lbt_small *s);
void lbt_robot_step_legs(const lbt_robot *r, const lbt_small *s, lbt_state *state);

/* robot_frame.c: adds that a hinge stays near where it was, or is wished, and the bounds of its step. */
void lbt_robot_stay(const lbt_robot *r, lbt_small *s, int chain, int hinge, int index, const lbt_state *state);
/* Solves a frame, from its state. */
void lbt_robot_solve(lbt_robot *r, const lbt_goal *goal, lbt_state *state);
void lbt_robot_solve_first(lbt_robot *r, const lbt_goal *goal, lbt_state *state);
/* Changes the pelvis's goal where the waist lacks hinges. */
void lbt_robot_lean(lbt_robot *r, lbt_goal *goal, const lbt_state *near_state);
/* Pelvis and legs alone; all else stays as near to its values as limits of speed allow. */
void lbt_robot_solve_legs(lbt_robot *r, const lbt_goal *goal, lbt_state *state);
/* A step of an arm alone, with `count` of its points pushed along unit vectors by lengths. */
typedef struct lbt_pushes {
    int side, count;
    double weight;
    const lbt_push *pushes;
} lbt_pushes;
void lbt_robot_push_arm(lbt_robot *r, const lbt_goal *goal, const lbt_pushes *pushes, lbt_state *state);
/* Pelvis and legs with r->pairs.leg_pushes; then all above them follows, but for values that are wished. */
void lbt_robot_push_legs(lbt_robot *r, const lbt_goal *goal, lbt_state *state);

/* robot_pairs.c */
lb_status lbt_robot_find_pairs(lbt_robot *r);
void lbt_robot_free_pairs(lbt_robot *r);
/* Places the segments as the kinematics has them. */
void lbt_robot_place_masses(lbt_robot *r);
/* Whether a pair is more than `least` apart. */
int lbt_robot_is_apart(lbt_robot *r, int pair, double least);
/* The deepest overlap in the pose that the kinematics has, metres, and its two segments; 0 and -1 where there is
 * none. */
double lbt_robot_overlap(lbt_robot *r, int segments[2]);

/* robot_apart.c: pushes limbs of a frame out of what they are in. Returns whether there was anything to push. */
int lbt_robot_part(lbt_robot *r, const lbt_goal *goal, lbt_state *state);
/* Arms alone. */
int lbt_robot_part_arms(lbt_robot *r, const lbt_goal *goal, lbt_state *state);

/* robot_ease.c: all frames. */
lb_status lbt_robot_ease(lbt_robot *r);

/* robot_speed.c */
lb_status lbt_robot_keep_speeds(lbt_robot *r);
/* Legs and pelvis of a frame anew, near the values that it has, and arms pushed out of what they are in. */
void lbt_robot_solve_again(lbt_robot *r, int f);
/* Whether a frame is too far from the one before. */
int lbt_robot_is_too_far(const lbt_robot *r, int f);

/* robot_hips.c */
lb_status lbt_robot_calm_hips(lbt_robot *r);
/* Lifts what would be below the floor. */
lb_status lbt_robot_lift(lbt_robot *r);

/* robot.c: the pose of a state. */
void lbt_robot_pose(const lbt_robot *r, const lbt_state *state, double *pose);
/* Of a target that is a robot (lbt_is_robot). */
lb_status lbt_robot_retarget(lbt_retarget *w, const lb_figure *target, const lb_body_map *map, lb_clip *out,
                             lb_retarget_report *report);

/* robot_report.c */
lb_status lbt_robot_look(lbt_robot *r, const lb_clip *out, lb_retarget_report *report);

#endif
