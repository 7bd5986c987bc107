/* What a body consists of: its plan, and the state of a solve.
 *
 * An lbs_body is a plan. It follows from the problem alone, and a solve sees it through pointers to const. What a solve
 * decides or finds is in the lbs_body_state that the plan points to, which each solve begins by clearing
 * (lbs_bodies_begin): so that no solve can see what another one left. Numbers of one evaluation (places, panels,
 * moments) lie in memory that the plan points to, too; each evaluation writes them before it reads them. */
#ifndef LIMBER_SOLVE_BODY_BODY_PARTS_H
#define LIMBER_SOLVE_BODY_BODY_PARTS_H

#include "figure/body.h"
#include "figure/habit.h"
#include "solve/solver.h"

/* A place whose motion is needed: a node of the figure, with its twists by x. */
typedef struct lbs_spot {
    int node;      /* -1: the world */
    int above;     /* the nearest spot on the way to the root, or -1 */
    double *panel; /* [6][stride], */
    int is_made;   /* where a row of this evaluation has asked for it: lbs_body_panel */
} lbs_spot;

/* A coordinate with one of the variables that move it. */
typedef struct lbs_body_mover {
    int node, coordinate, column;
    int term;     /* whose slope it has; -1: 1 */
    double scale; /* of the column */
    int is_turn;
} lbs_body_mover;

/* A point of a segment. */
typedef struct lbs_body_point {
    int spot;
    lbm_transform mount; /* of its segment in the spot's node */
    double local[3];     /* in the node's frame */
    double *world;       /* [3]: of the last evaluation; NULL: the point is not placed */
} lbs_body_point;

/* What the rows pull at a node by: see body_curvature.c. */
typedef struct lbs_pull {
    double tensor[3][3], force[3];
} lbs_pull;

typedef enum lbs_foot_state { LBS_FOOT_PLANTED, LBS_FOOT_STEPS, LBS_FOOT_LIFTED } lbs_foot_state;
typedef enum lbs_heel_state {
    LBS_HEEL_OPEN, /* it may rise, and carries the less the higher it is */
    LBS_HEEL_DOWN,
    LBS_HEEL_UP /* it carries nothing */
} lbs_heel_state;

#define LBS_MAX_BALLS 4
#define LBS_NOT_TOLD (-2)

typedef struct lbs_foot {
    int limb;
    int heel, toe; /* contacts; -1: none */
    int ball_count, balls[LBS_MAX_BALLS];
    lbs_foot_state planned;
    int is_free_to_step; /* the caller lets it choose */
    int told;            /* the surface that it stands on by the caller's wish, -1 the floor, or LBS_NOT_TOLD */
    int is_asked;        /* 1: it steps there unless it is there already; 0: its state is given */
    double rest_middle[3], rest_ahead[3]; /* in the rest pose */
    double ahead_in_toes[3], ahead_in_root[3];
} lbs_foot;

/* A foot in a solve. */
typedef struct lbs_foothold {
    lbs_foot_state state, first; /* now; as the solve began, from which it may choose */
    lbs_heel_state heel_state;
    int heel_row;             /* the rule that keeps a heel down that is down */
    int may_step;             /* where it is planted at first */
    double middle[3], tip[3]; /* of the balls and of the toe, where it stood in the start pose */
    double ahead[3];          /* unit vector from middle to tip, horizontal */
} lbs_foothold;

/* A piece of a plane that contacts stand on: body_surface.c. */
typedef struct lbs_plane {
    int surface; /* of the options; -1: the floor */
    double point[3], half_size[2];
    lbp_surface_frame axes;
} lbs_plane;

typedef struct lbs_contact {
    lbs_body_point point;
    int force;        /* its place among the forces of the body; -1: it carries nothing */
    int foot;         /* or -1 */
    int is_support;   /* it rests on a surface by the caller's wish */
    int surface;      /* on which one, in the options; -1: the floor */
    double radius;    /* of the ball around the point that stands */
    lbs_plane *plane; /* that it stands on in this solve: of the state */
} lbs_contact;

/* One of the forces on a body. */
typedef struct lbs_push {
    int contact;             /* that it acts on */
    int force;               /* its place after first_force in x */
    const double *direction; /* unit */
} lbs_push;

typedef struct lbs_solid {
    lbs_body_point from, to;
    double radius, half_length;
    double floor_slack[2]; /* metres that its ends may be below the floor: as far as at rest */
} lbs_solid;

typedef struct lbs_pair {
    int a, b;
    double slack; /* metres that they may overlap: as far as at rest */
} lbs_pair;

/* Something that solids stay out of: body_obstacle.c. */
typedef struct lbs_obstacle {
    int is_box;           /* else `round` has it */
    int surface;          /* that it is the body of, in the options; -1: none */
    double half_size[3];  /* of a box; of a capsule that a figure carries [2] is half its axis */
    double ends[2][3];    /* of a capsule or ball that is fixed in the world */
    int figure;           /* that carries it; -1: the world */
    int node;             /* of that figure; -1: the world */
    lbm_transform mount;  /* of its frame in that node */
    lbm_transform *frame; /* of a box: its middle and axes in the world, as it was placed last */
    lbs_solid round;      /* a capsule, where it was placed last; a ball has an axis without length */
    lb_kinematics *prop;  /* of that figure */
    int moves;            /* 1: variables of that figure may move */
} lbs_obstacle;

/* Where an elbow or knee points: body_swivel.c. */
typedef struct lbs_swivel {
    lbs_body_point upper, lower; /* the joints above and below */
    int spot;                    /* of the upper segment */
    double pole[3];              /* in its node: the side that the middle joint bends out to, square to the segment */
    int frame;                   /* the spot that the direction is fixed to; 0: the world */
    double direction[3];         /* unit, in the frame of that spot's node */
} lbs_swivel;

typedef struct lbs_lever {
    lbs_body_point joint;
    int node;
    int strength;
    int is_drive; /* what counts is the part about the joint's axis, or along it */
    int below_count;
    int *below;     /* nodes that hang on it */
    double scale;   /* g / strength */
    double *moment; /* [2]: newton metres over strength, of the last evaluation; of a drive the first alone */
} lbs_lever;

typedef struct lbs_arm_of_body {
    int is_idle;
    lbs_body_point shoulder, hand, palm, lap;
    lbm_transform palm_frame; /* in its node */
    double palm_axis[3], lap_axis[3];
} lbs_arm_of_body;

/* A direction of a segment that is wished to look at a point. */
typedef struct lbs_look {
    lbs_body_point eye;
    double axis[3]; /* in the node's frame */
    double weight;
    int is_goal; /* it is to be met, as a constraint of the caller is */
    int constraint;
} lbs_look;

/* A palm that is wished to face what it touches. */
typedef struct lbs_face {
    lbs_body_point palm;
    double axis[3];
    int carrier; /* spot; -1: the world */
    double direction[3];
} lbs_face;

#define LBS_MAX_FEET 8
#define LBS_MAX_ARMS 8
#define LBS_MAX_EYES 8
#define LBS_MAX_FACES 16
#define LBS_MAX_TARGETS 8
#define LBS_ENDLESS 1e3         /* metres: half the depth of what has no end */
#define LBS_LEVEL_SCALE 0.1     /* of the rows of a level against those of the level above it */
#define LBS_MOST_MULTIPLIER 100 /* of a goal: more would be asked of one that is out of reach */

/* How the parts of a body move. */
typedef struct lbs_body_motion {
    int spot_count;
    lbs_spot *spots;   /* the spot 0 is the world; the others are in order of nodes */
    double *panels;    /* [spot][6][stride] */
    int *spot_of_node; /* [node], or -1 */
    int mover_count;
    lbs_body_mover *movers;           /* in order of nodes */
    int *first_movers, *mover_counts; /* [node] */
} lbs_body_motion;

/* What a body stands on. */
typedef struct lbs_body_stand {
    int contact_count;
    lbs_contact *contacts;
    int first_force, force_count; /* in x */
    int *force_contacts;          /* [force]: along the normals of their surfaces */
    int grip_room;                /* forces of friction in x, after contact_count others */
    int foot_count;
    lbs_foot feet[LBS_MAX_FEET];
    int is_seated;
} lbs_body_stand;

/* Masses, and the moments of their weight at the joints. */
typedef struct lbs_body_weight {
    double mass; /* of all, loads included */
    int load_count;
    lbs_body_point *loads; /* of the options' */
    int lever_count;
    lbs_lever *levers;
    double (*moments)[4]; /* [node]: of all that hangs on it: mass times place, mass; of the last evaluation */
    double (*loaded)[4];  /* the same less what contacts carry */
} lbs_body_weight;

/* The head, and what is looked at. */
typedef struct lbs_body_gaze {
    int head_spot;
    lbm_transform head_mount;
    int look_count;
    lbs_look looks[LBS_MAX_EYES + 1];
    int has_gaze, has_target; /* a goal of the eyes; a goal of the hands, which the eyes follow */
    int target_count, target_items[LBS_MAX_TARGETS];
} lbs_body_gaze;

/* The root of the figure. */
typedef struct lbs_body_root {
    int is_free;  /* the first six variables of the figure move it as a whole */
    int is_plain; /* they are those of a root that is the body's own: where it is off its place at rest, and its turn */
    int segment;  /* that has the body's axes */
    lbs_body_point point;
    double rest_at[3], rest_axes[3][3];
} lbs_body_root;

/* What the curvature of the rows is made of: body_curvature.c. */
typedef struct lbs_body_bend {
    lbs_pull *pulls;         /* [node] */
    double *axes, **axes_of; /* [node][3][stride]: of all turns at a node and above it; where they are */
} lbs_body_bend;

/* What a body meets. */
typedef struct lbs_body_scene {
    int obstacle_count;
    lbs_obstacle *obstacles;
    lbm_transform *frames; /* [obstacle]: where boxes were placed last, */
    double (*ends)[2][3];  /* [obstacle]: and the ends of capsules */
    int left_out; /* 1 + the number of an obstacle that keeps nobody out, nor do others of its figure; 0: all do */
    int prop_count;
    lb_kinematics **props; /* [prop_count], by figure: of those whose shapes are obstacles; else NULL */
    int swivel_count;
    lbs_swivel *swivels;
    double *bent_pose; /* [variable]: in which body_swivel.c sees where limbs bend */
} lbs_body_scene;

typedef struct lbs_body_report {
    lb_body_result result;
    lb_contact_result *contacts;
    lb_effort_result *efforts;
    lb_step_result steps[LBS_MAX_FEET];
} lbs_body_report;

/* A Gaussian over features of the pose: body_habit.c. */
typedef struct lbs_habit {
    const lb_habit_data *data; /* NULL: the body has no habit, or it weighs nothing */
    int *indices;              /* [feature]: lbf_find_habit */
    double scale;              /* lbf_habit_scale */
    double *off;               /* [feature]: value less mean, of the last evaluation */
    double *slopes;            /* [feature][stride]: derivatives of the features that are not variables */
} lbs_habit;

/* What a solve decides and finds of a body. Each solve begins by clearing it. */
typedef struct lbs_body_state {
    lbs_foothold feet[LBS_MAX_FEET];
    lbs_plane *planes;      /* [contact]: that it stands on */
    int is_tilted;          /* a surface that carries is not level: there is friction */
    int grip_count, *grips; /* [grip]: contacts that two forces of friction act on */
    int balance_row; /* the first of the rules that the forces hold up the centre of mass by: three, or six where it is tilted */
    double heading[2];                      /* cosine and sine of the turn from rest to start */
    double wished_at[3], wished_axes[3][3]; /* where the root is wished to be: as at rest, but over the feet */
    double *slacks;                         /* [obstacle][solid]: metres that they may be in each other */
    double com[3];                          /* of the last evaluation */
    double target[3];                       /* what is looked at, of the last evaluation */
} lbs_body_state;

/* A body as it is planned. */
typedef struct lbs_body {
    const lb_body *body;
    const lb_body_options *options;
    const lb_figure *figure;
    int number; /* of the figure in the problem */
    int first_variable;
    lb_kinematics *kinematics;
    lbs_body_motion motion;
    lbs_body_root root;
    lbs_body_stand stand;
    lbs_body_weight weight;
    lbs_body_gaze gaze;
    int solid_count;
    lbs_solid *solids;
    int pair_count;
    lbs_pair *pairs;
    int arm_count;
    lbs_arm_of_body arms[LBS_MAX_ARMS];
    int face_count;
    lbs_face faces[LBS_MAX_FACES];
    lbs_body_scene scene;
    lbs_habit habit;
    lbs_body_bend bend;
    int place_count; /* of points that are placed, so far */
    double (*places)[3];
    lbs_body_state *state;
    lbs_body_report *report;
} lbs_body;

/* A foot in the present solve. */
static inline lbs_foothold *lbs_foothold_of(const lbs_body *b, const lbs_foot *foot) {
    return &b->state->feet[foot - b->stand.feet];
}

#endif
