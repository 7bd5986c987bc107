/* Posing a figure as a body.
 *
 * The unknowns are x = (z, forces): the variables that may move, and the share of the weight that each contact carries. Below
 * all rules and goals the terms of the body choose the pose:
 *
 *     minimise  the squares of the terms                     body_terms.c, and the squares of posture and comfort
 *     such that the rules are equal to zero                  body_rules.c: feet, supports, forces
 *     and       the goals are met                            the problem's constraints, by their priorities
 *     and       other rules are not above zero               body_apart.c: solids, heels; the limits of the figure
 *     and       lower <= x <= upper.
 *
 * body_run.c solves this by sequential quadratic programming from one start, body_step.c finds a step, body_solve.c makes the
 * choices that are not continuous: from which named start, which heels are up, which foot steps. */
#ifndef LIMBER_SOLVE_BODY_BODY_H
#define LIMBER_SOLVE_BODY_BODY_H

#include "figure/body.h"
#include "figure/habit.h"
#include "math/arena.h"
#include "solve/solver.h"

/* Rows of residuals, with their derivatives by x. */
typedef struct lbs_rows {
    int count, most;
    double *residuals; /* [most]: of the values that are looked at */
    double *jacobian;  /* [most][stride]: at the iterate */
} lbs_rows;

/* Conditions that are not to be above zero. All have a value; those that are near have a row of derivatives. */
typedef struct lbs_conditions {
    int count, most;
    double *values; /* [most] */
    int *rows;      /* [most]: the row of `near`, or -1 */
    lbs_rows near;
    int *ids; /* [near.most]: the condition of each row */
} lbs_conditions;

/* What an evaluation finds besides derivatives. There are two: one of the iterate, whose derivatives are there, and one of a
 * trial. */
typedef struct lbs_body_values {
    double *wishes, *rules, *goals, *conditions; /* residuals */
    double *half_gradient, *half_curvature;      /* [stride]: of the terms that concern one variable each */
    double own_value;                            /* of those terms */
    double terms[LB_BODY_TERM_COUNT];
} lbs_body_values;

/* Which levels of goals are asked for: those before `first` are held where they are, as rules; those after `last` wait. */
typedef struct lbs_body_levels {
    int first, last;
    int count;                /* rows of goals in the evaluation so far, those that wait included */
    double *residuals, *held; /* [row]: of the last evaluation, and those that held rows keep */
} lbs_body_levels;

/* The unknowns of all bodies of a problem, and the rows of the last evaluation. */
typedef struct lbs_bodies_task {
    lbs_space *space;
    int n;          /* variables that may move */
    int size;       /* n and the forces of all bodies */
    int stride;     /* lbm_stride(size) */
    int wants_rows; /* 1: derivatives are filled in, too */
    lbs_rows wishes, rules, goals;
    lbs_conditions conditions;
    lbs_body_values iterate, trial, *values; /* values: the one of the two that is looked at */
    int term;                                /* that rows are counted for */
    double pull;                             /* the multiplier of the last row */
    const double *rule_multipliers, *goal_multipliers, *condition_multipliers;
    double elastic;    /* as in lbs_bodies */
    double heel_force; /* weight of an open heel that carries above the ground, per metre and share of the weight */
    lbs_body_levels levels;
} lbs_bodies_task;

/* A place whose motion is needed: a node of the figure, with its twists by x. */
typedef struct lbs_spot {
    int node;      /* -1: the world */
    int above;     /* the nearest spot on the way to the root, or -1 */
    double *panel; /* [6][stride] */
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
    double world[3];     /* of the last evaluation */
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
    lbs_foot_state state, planned;
    lbs_heel_state heel_state;
    int heel_row;             /* the rule that keeps a heel down that is down */
    int is_free_to_step;      /* the caller lets it choose */
    int told;                 /* the surface that it stands on by the caller's wish, -1 the floor, or LBS_NOT_TOLD */
    int is_asked;             /* 1: it steps there unless it is there already; 0: its state is given */
    double middle[3], tip[3]; /* of the balls and of the toe, where it stood in the start pose */
    double ahead[3];          /* unit vector from middle to tip, horizontal */
    double rest_middle[3], rest_ahead[3]; /* in the rest pose */
    double ahead_in_toes[3], ahead_in_root[3];
} lbs_foot;

/* A piece of a plane that contacts stand on: body_surface.c. */
typedef struct lbs_plane {
    int surface; /* of the options; -1: the floor */
    double point[3], half_size[2];
    lbp_surface_frame axes;
} lbs_plane;

typedef struct lbs_contact {
    lbs_body_point point;
    int force;      /* its place among the forces of the body; -1: it carries nothing */
    int foot;       /* or -1 */
    int is_support; /* it rests on a surface by the caller's wish */
    lbs_plane plane;
    double radius; /* of the ball around the point that stands */
    double share;
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
    int is_box;          /* else `round` has it */
    int surface;         /* that it is the body of, in the options; -1: none */
    lbm_transform frame; /* of a box: its middle and axes */
    double half_size[3]; /* of a box; of a capsule that a figure carries [2] is half its axis */
    lbs_solid round;     /* a capsule in the world; a ball has an axis without length */
    int figure;          /* that carries it; -1: the world */
    int node;            /* of that figure; -1: the world */
    lbm_transform mount; /* of its frame in that node */
    lb_kinematics *prop; /* of that figure */
    int moves;           /* 1: variables of that figure may move */
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
    int *below;       /* nodes that hang on it */
    double scale;     /* g / strength */
    double moment[2]; /* newton metres over strength; of a drive the first alone */
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
    int is_tilted;                /* a surface that carries is not level: there is friction */
    int grip_room;                /* forces of friction in x, after contact_count others */
    int grip_count, *grips;       /* [grip]: contacts that two forces of friction act on */
    int foot_count;
    lbs_foot feet[LBS_MAX_FEET];
    int is_seated;
    int balance_row; /* the first of the rules that the forces hold up the centre of mass by: three, or six where it is tilted */
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
    double com[3];
} lbs_body_weight;

/* The head, and what is looked at. */
typedef struct lbs_body_gaze {
    int head_spot;
    lbm_transform head_mount;
    int look_count;
    lbs_look looks[LBS_MAX_EYES + 1];
    int has_gaze, has_target; /* a goal of the eyes; a goal of the hands, which the eyes follow */
    int target_count, target_items[LBS_MAX_TARGETS];
    double target[3]; /* what is looked at */
} lbs_body_gaze;

/* The root of the figure. */
typedef struct lbs_body_root {
    int is_free;  /* the first six variables of the figure move it as a whole */
    int is_plain; /* they are those of a root that is the body's own: where it is off its place at rest, and its turn */
    int segment;  /* that has the body's axes */
    lbs_body_point point;
    double rest_at[3], rest_axes[3][3];
    double heading[2];                      /* cosine and sine of the turn from rest to start */
    double wished_at[3], wished_axes[3][3]; /* where it is wished to be: as at rest, but over the feet */
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
    double *slacks; /* [obstacle][solid]: metres that they may be in each other */
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
    lbs_body_report report;
} lbs_body;

static inline double lbs_dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* A quadratic program: body_qp.c. */
typedef struct lbs_qp {
    const lbm_kernels *kernels;
    int n, stride;
    const double *matrix, *gradient; /* M [n][stride], both triangles; g [stride] */
    const double *low, *high;        /* [n] */
    int condition_count;
    const double *rows, *values; /* a [condition][stride], c [condition] */
    double weight;               /* of conditions */
    int most;                    /* active constraints that there is room for */
    int count, *active;          /* in: a guess; out: the active set */
    double *u;                   /* [count]: multipliers */
    double *d;                   /* [stride]: out, the minimum */
    double *factor, *free_minimum, *solved, *schur, *rates, *products;
    unsigned char *is_active; /* [2 n + condition_count] */
    int changes;
} lbs_qp;

/* Returns 1 if M is not positive definite. */
int lbs_qp_solve(lbs_qp *qp);

/* One step's system. */
typedef struct lbs_body_step {
    double *matrix, *curvature; /* [size][stride] */
    double *gradient, *d;
    double *low, *high;       /* [stride] */
    double *condition_values; /* [condition rows]: shifted by their multipliers */
    lbs_qp qp;
    int held_count, *held; /* [qp.most]: constraints that are squares of the model */
    int shift;             /* of the diagonal: the number of the one that made the last model convex */
    double *rule_shift, *goal_shift, *condition_shift; /* what is added to residuals by multipliers */
} lbs_body_step;

/* The search for the best choice: body_solve.c. */
typedef struct lbs_body_search {
    int may_choose;   /* 1: the start pose may be left for another one, and steps may be taken */
    int is_best_last; /* the best pose is where the last run ended, so that its multipliers are those of the best pose */
    double enough;    /* value of the terms: a run that cannot get below it ends; INFINITY: all run to their end */
    double enough_gain; /* half the terms: a step that gains less, with rules and goals kept, is the last; 0: none is */
    double max_change;  /* no variable leaves `first` by more, in radians or metres; INFINITY: no bound */
    int iterations;     /* of all starts */
    int first_iteration; /* how many there were when the present start began; each has the caller's number of iterations */
} lbs_body_search;

struct lbs_bodies {
    size_t size; /* of the block */
    lb_allocator allocator;
    int count;
    lbs_body *bodies;
    lbs_bodies_task task;
    lbs_body_step step;
    double *x, *trial, *best, *kept, *work, *first, *planted, *lower, *upper; /* [stride] */
    double *rule_multipliers, *goal_multipliers, *condition_multipliers;      /* by rule, goal row, condition */
    double *next_rules, *next_goals, *next_conditions;                        /* those after the step */
    double *start_pose;    /* [variable]: of the start that is tried */
    lbs_body *kept_bodies; /* body_explain.c: the bodies as they are at the answer, */
    double *kept_answer;   /* [stride]: and the answer, while trials are made */
    unsigned revision;
    double elastic; /* weight of goals that cannot be met, as terms; 0: they are equalities */
    lbs_body_search search;
    const char *start_name;
};

lb_status lbs_bodies_create(const lbs_space *space, lbs_bodies **made); /* body_memory.c */
void lbs_bodies_destroy(lbs_bodies *bodies);

/* body_plan.c: plans anew where the problem has changed. The start pose says where feet stand. */
void lbs_bodies_begin(lbs_bodies *bodies, lbs_space *space, const double *start);

/* --- body_stand.c --- */
void lbs_set_heels(lbs_bodies *all, lbs_heel_state state);
/* Heels are up that the last evaluation has higher than this. */
void lbs_choose_heels(lbs_bodies *all, double height);
/* The bounds of x: limits, how far the search may leave its first pose, and all that stands carries a little. */
void lbs_bound_forces(lbs_bodies *bodies);
void lbs_share_evenly(const lbs_bodies *bodies, double *x);
/* As evenly as holds up the centre of mass of the last evaluation. */
void lbs_share_to_balance(const lbs_bodies *bodies, double *x);
/* Whether a pose keeps the rules of all bodies with their feet where the start pose has them, whatever the forces of x are. */
int lbs_bodies_stand(lbs_bodies *bodies, const double *x);

/* Whether the place of the root is held, as by something that the body hangs on. */
int lbs_body_is_held(const lbs_body *b, const lbs_space *s);
/* Whether the contacts have to hold the body up: not where its root is held, nor where a constraint keeps its balance. */
int lbs_body_balances(const lbs_body *b, const lbs_space *s);
/* Feet stay as they are where the root is held: those that are in the air in the start pose are lifted, and none steps. */
void lbs_body_leave_feet(lbs_body *b, const lbs_space *s);

/* --- body_place.c --- */
/* Places the body by a pose of the problem. */
void lbs_body_place(lbs_body *b, const double *pose, const double *forces);
void lbs_body_panels(lbs_body *b, const lbs_bodies_task *t);
void lbs_body_place_point(const lbs_body *b, lbs_body_point *point);
const lbm_transform *lbs_body_frame(const lbs_body *b, int spot);

/* --- rows --- */
/* Adds the row of a goal of this level: among the goals, among the rules where the level is held, or nowhere where it waits. */
double *lbs_add_goal(lbs_bodies_task *t, int level, double residual);
/* Adds a row with this residual, all derivatives 0. Returns its derivatives, or NULL where they are not wanted. */
double *lbs_add_row(lbs_bodies_task *t, lbs_rows *rows, double residual);
/* The same as a force on a point. */
void lbs_add_force(const lbs_body *b, const lbs_bodies_task *t, double *row, const lbs_body_point *point,
                   const double force[3]);
/* `sign` times a force on a point of a spot; its curvature is counted, too. */
void lbs_add_at(lbs_body *b, const lbs_bodies_task *t, double *row, int spot, const double at[3], const double force[3],
                double sign);
void lbs_add_point(lbs_body *b, const lbs_bodies_task *t, double *row, const lbs_body_point *point,
                   const double force[3], double sign);
/* h . (change of a world direction that is fixed to a spot). */
void lbs_add_direction(lbs_body *b, const lbs_bodies_task *t, double *row, int spot, const double direction[3],
                       const double h[3], double sign);
/* A wish: its square is counted for the term that is set. */
double *lbs_add_wish(lbs_bodies_task *t, double residual);
/* A condition: returns its row where it is near or above zero and rows are wanted. */
double *lbs_add_condition(lbs_bodies_task *t, double value, double near);

void lbs_body_terms(lbs_body *b, lbs_bodies_task *t, const double *pose, const double *forces); /* body_terms.c */
void lbs_body_posture(lbs_body *b, lbs_bodies_task *t, const double *pose);                     /* body_posture.c */
void lbs_body_drive(lbs_body *b, lbs_bodies_task *t, lbs_lever *lever);                         /* body_drive.c */
void lbs_body_rules(lbs_body *b, lbs_bodies_task *t, const double *forces);                     /* body_rules.c */
void lbs_body_apart(lbs_body *b, lbs_bodies_task *t, const double *forces);                     /* body_apart.c */
void lbs_body_swivels(lbs_body *b, lbs_bodies_task *t);                                         /* body_swivel.c */
/* The distance of two solids less their radii, the closest points of their axes and the unit vector between them. */
double lbs_solid_distance(const lbs_solid *a, const lbs_solid *b, double at_a[3], double at_b[3], double normal[3]);

void lbs_add_com(const lbs_body *b, double *row, int axis,
                 double sign); /* how the centre of mass moves along an axis */

/* --- body_surface.c --- */
lbs_plane lbs_plane_of(const lbs_body *b, int surface);
/* Metres that a point is above a plane, along its normal. */
double lbs_plane_height(const lbs_plane *plane, const double at[3]);
double lbs_contact_height(const lbs_contact *contact);
/* Where a contact touches its surface. */
void lbs_contact_place(const lbs_contact *contact, double at[3]);
/* The contact that says which way a foot points: its toe, or of a sole without toes a corner; -1: it is a point. */
int lbs_foot_tip(const lbs_foot *foot);
/* The lowest height that a foot stands at. */
double lbs_body_lowest(const lbs_body *b);
/* How many unknowns of friction a body may have. */
int lbs_grip_room(const lb_body *body, const lb_body_options *options);
/* All forces: those along normals, and where it is tilted those of friction. */
int lbs_push_count(const lbs_body *b);
lbs_push lbs_push_of(const lbs_body *b, int index);
/* The balance where it is tilted: six rules. */
void lbs_add_statics(lbs_body *b, lbs_bodies_task *t, const double *forces);
/* What the multipliers of the balance pull at the moment of each force by: as m . (p x force). */
void lbs_balance_moment(const lbs_body *b, const double *multipliers, double moment[3]);
/* Conditions: friction, and contacts within the ends of their surfaces. */
void lbs_body_cones(lbs_body *b, lbs_bodies_task *t, const double *forces);
void lbs_body_edges(lbs_body *b, lbs_bodies_task *t);

/* --- body_obstacle.c --- */
/* Whether a figure's shapes are obstacles to the body of another. */
int lbs_is_prop(const lb_problem *problem, int body, int figure);
size_t lbs_count_obstacles(const lb_problem *problem, int figure);
/* The distance of a point from a box, negative inside, and the unit vector that leads away. */
double lbs_box_distance(const lbm_transform *frame, const double half[3], const double at[3], double normal[3]);
/* Conditions: no solid in an obstacle. */
void lbs_body_obstacles(lbs_body *b, lbs_bodies_task *t);
/* Places those that other figures carry, by a pose of the problem; all: also those that do not move. */
void lbs_body_place_obstacles(lbs_body *b, const lbs_space *s, const double *pose, int all);

/* --- body_habit.c --- */
/* How many rows the habit of a problem's figure has. */
size_t lbs_habit_rows(const lb_problem *problem, int figure);
void lbs_cut_habit(lbs_habit *habit, const lb_problem *problem, int figure, size_t stride, lbm_arena *arena);
/* Needs the options of the body. The body's kinematics is left in the rest pose. */
void lbs_plan_habit(lbs_body *body, const lb_problem *problem);
void lbs_body_habit(lbs_body *body, lbs_bodies_task *task, const double *pose);
/* Writes a start of the habit to the pose [variable] of the body's figure. The root stays where the pose has it, and turned
 * as there about the vertical; its height and its tilt are those of the start. */
void lbs_habit_start(const lbs_body *body, int start, double *pose);
/* Moves the pose of a problem in the plane of the floor, and turns it about the vertical, so that the effectors of the body
 * come as near to their goals as that brings them. z is room for the variables of the space. */
void lbs_habit_align(const lbs_body *body, lbs_space *space, double *z, double *pose);

/* --- body_curvature.c --- */
void lbs_pull_point(lbs_body *b, int spot, const double at[3], const double force[3], double factor);
void lbs_pull_direction(lbs_body *b, int spot, const double direction[3], const double h[3], double factor);
/* Fills the matrix [size][stride] with what the curvature of the rows of the iterate adds to half the Hessian. */
void lbs_bodies_curvature(lbs_bodies *bodies, double *matrix);

/* --- body_run.c --- */
typedef struct lbs_body_end {
    double value;     /* of the terms */
    double violation; /* of rules and conditions: the largest */
    double miss;      /* of goals: the norm of their rows */
    int converged;
    int is_rough; /* of a run that chooses, not of one that finishes */
} lbs_body_end;

/* Evaluates all rows at x. */
void lbs_bodies_evaluate(lbs_bodies *bodies, const double *x, int wants_rows);
/* From x to a minimum, in no more iterations than that and than are left of this start's. `accuracy`: where steps are shorter the run ends. */
lbs_body_end lbs_bodies_run(lbs_bodies *bodies, double *x, int max_iterations, double accuracy);
/* Whether the budget is spent: asked before each iteration and start; once it is so, the clock is not looked at again. */
int lbs_bodies_are_over(lbs_bodies *bodies);
/* The scale of an item's rows among the goals'. */
double lbs_goal_scale(const lbs_item *item);
/* Multipliers of an earlier run are those of other rows. */
void lbs_bodies_forget(lbs_bodies *bodies);
/* Finds the step; returns 1 if there is none. again: for other residuals, by the model that there is. */
int lbs_bodies_step(lbs_bodies *bodies, double damping, int again);
/* The multipliers after the step, into next_...; and the largest of rules and conditions, and the norm of the goals', of those
 * that the step fulfils. */
void lbs_bodies_multipliers(lbs_bodies *bodies, double *most_rule, double *goal_norm);

/* --- body_solve.c, body_report.c --- */
lb_status lbs_bodies_solve(lb_solver *solver, const lb_solve_options *o, double *pose, lb_result *result,
                           lb_error *error);
void lbs_bodies_report(lbs_bodies *bodies, const double *x);

/* --- The parts of a plan (body_plan.c), each made by a function of its own --- */
static const double lbs_origin[3] = {0, 0, 0};

/* The node that a segment is mounted on; -1: the world. */
int lbs_body_node(const lbs_body *b, int segment);
/* A point of a segment, given in the segment's frame. */
lbs_body_point lbs_body_point_of(const lbs_body *b, int segment, const double at[3]);
/* Whether a segment is `limb` or hangs on it. */
int lbs_is_in(const lb_figure *f, int segment, int limb);
/* Whether a node is `above` or hangs on it. */
int lbs_hangs_on(const lb_figure *f, int node, int above);
/* A vector of the world as the frame t has it. */
void lbs_rotate_back(const lbm_transform *t, const double v[3], double out[3]);
void lbs_plan_contacts(lbs_body *b, const lbs_space *s); /* body_contacts.c */
void lbs_plan_feet(lbs_body *b, const lbs_space *s);
void lbs_plan_root(lbs_body *b);
/* The first six values of a start say where the body is off its place at rest, and its turn from there, in the world; they become
 * those of the figure. */
void lbs_settle_root(lbs_body *b, double *pose);
void lbs_plan_solids(lbs_body *b); /* body_solids.c */
void lbs_plan_levers(lbs_body *b);
void lbs_plan_arms(lbs_body *b, const lbs_space *s); /* body_limbs.c */
void lbs_plan_faces(lbs_body *b, const lbs_space *s);
void lbs_plan_looks(lbs_body *b, const lbs_space *s);
void lbs_plan_obstacles(lbs_body *b, const lbs_space *s); /* body_obstacle.c */
/* How deep solids may be in obstacles: as deep as goals and supports ask. Leaves the body in the rest pose. */
void lbs_body_allow(lbs_body *b, const lbs_space *s);
void lbs_plan_swivels(lbs_body *b); /* body_swivel.c */
/* What each foot stands on as the body is placed, and which forces there are. */
void lbs_body_choose_planes(lbs_body *b); /* body_surface.c */

#endif
