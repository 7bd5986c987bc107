/* Posing a figure as a body.
 *
 * The unknowns are x = (z, forces): the variables that may move, and the share of the weight that each contact carries.
 * Below all rules and goals the terms of the body choose the pose:
 *
 *     minimise  the squares of the terms                     body_terms.c, and the squares of posture and comfort
 *     such that the rules are equal to zero                  body_rules.c: feet, supports, forces
 *     and       the goals are met                            the problem's constraints, by their priorities
 *     and       other rules are not above zero               body_apart.c: solids, heels; the limits of the figure
 *     and       lower <= x <= upper.
 *
 * body_run.c solves this by sequential quadratic programming from one start, body_step.c finds a step, body_solve.c
 * makes the choices that are not continuous: from which named start, which heels are up, which foot steps.
 *
 * body_parts.h has what a body consists of. */
#ifndef LIMBER_SOLVE_BODY_BODY_H
#define LIMBER_SOLVE_BODY_BODY_H

#include "math/arena.h"
#include "math/dense/qp.h"
#include "solve/body/body_parts.h"
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
    /* [most]: values of the tick before, NULL in solves: what stays below -room if it changes `ahead` times as much
     * again is not near */
    const double *before;
    double ahead, room;
    int turn; /* of the tick: what was far is looked at once in LBS_REST of them */
} lbs_conditions;

#define LBS_REST 8

/* What an evaluation finds besides derivatives. There are two: one of the iterate, whose derivatives are there, and one
 * of a trial. */
typedef struct lbs_body_values {
    double *wishes, *rules, *goals, *conditions; /* residuals */
    double *half_gradient, *half_curvature;      /* [stride]: of the terms that concern one variable each */
    double own_value;                            /* of those terms */
    double terms[LB_BODY_TERM_COUNT];
} lbs_body_values;

/* Which levels of goals are asked for: those before `first` are held where they are, as rules; those after `last`
 * wait. */
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
    double far; /* times as far as usual: how near conditions are that have rows; 1 in solves */
} lbs_bodies_task;

static inline double lbs_dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* One step's system. */
typedef struct lbs_body_step {
    double *matrix, *curvature; /* [size][stride] */
    double *gradient, *d;
    double *low, *high;       /* [stride] */
    double *condition_values; /* [condition rows]: shifted by their multipliers */
    lbm_qp qp;
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
    int keeps_clear;     /* 1: pairs of the problem have rows */
} lbs_body_search;

struct lbs_bodies {
    size_t size; /* of the block */
    lb_allocator allocator;
    int count;
    const lbs_body *bodies; /* [count] */
    lbs_body *plans;        /* the same, for whoever plans: body_plan.c, and the trials of body_explain.c */
    lbs_body_state *states; /* [count], followed by the arrays that they point to: */
    size_t state_size;      /* bytes of all of it */
    lbs_bodies_task task;
    lbs_body_step step;
    double *x, *trial, *best, *kept, *work, *first, *planted, *spare, *lower, *upper; /* [stride] */
    double *rule_multipliers, *goal_multipliers, *condition_multipliers;              /* by rule, goal row, condition */
    struct {
        double *rules, *goals, *conditions;
    } next;             /* those after the step */
    double *start_pose; /* [variable]: of the start that is tried */
    struct {
        lbs_body *plans;
        void *states;
        double *answer;    /* [stride] */
        const char *start; /* that led there */
    } saved;               /* body_explain.c: plans, states and the answer, while trials are made */
    unsigned revision;
    double elastic; /* weight of goals that cannot be met, as terms; 0: they are equalities */
    lbs_body_search search;
    const char *start_name;
    struct lbs_apart *apart; /* the solver's: the pairs that the problem keeps apart; NULL: there are none */
};

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
/* Whether a pose keeps the rules of all bodies with their feet where the start pose has them, whatever the forces of x
 * are. */
int lbs_bodies_stand(lbs_bodies *bodies, const double *x);

/* Whether the place of the root is held, as by something that the body hangs on. */
int lbs_body_is_held(const lbs_body *b, const lbs_space *s);
/* Whether the contacts have to hold the body up: not where its root is held, nor where a constraint keeps its
 * balance. */
int lbs_body_balances(const lbs_body *b, const lbs_space *s);
/* What the feet begin with: as planned, but where the root is held those that are in the air in the start pose are
 * lifted, and none steps. */
void lbs_body_begin_feet(const lbs_body *b, const lbs_space *s);

/* --- body_place.c --- */
/* Places the body by a pose of the problem. */
void lbs_body_place(const lbs_body *b, const double *pose, const double *forces);
/* Says that panels are those of another pose: each is made when a row asks for it. */
void lbs_body_panels(const lbs_body *b);
void lbs_body_place_point(const lbs_body *b, const lbs_body_point *point);
const lbm_transform *lbs_body_frame(const lbs_body *b, int spot);

/* --- rows --- */
/* Adds the row of a goal of this level: among the goals, among the rules where the level is held, or nowhere where it
 * waits. */
double *lbs_add_goal(lbs_bodies_task *t, int level, double residual);
/* Adds a row with this residual, all derivatives 0. Returns its derivatives, or NULL where they are not wanted. */
double *lbs_add_row(lbs_bodies_task *t, lbs_rows *rows, double residual);
/* The same as a force on a point. */
void lbs_add_force(const lbs_body *b, const lbs_bodies_task *t, double *row, const lbs_body_point *point,
                   const double force[3]);
/* `sign` times a force on a point of a spot; its curvature is counted, too. */
void lbs_add_at(const lbs_body *b, const lbs_bodies_task *t, double *row, int spot, const double at[3],
                const double force[3], double sign);
void lbs_add_point(const lbs_body *b, const lbs_bodies_task *t, double *row, const lbs_body_point *point,
                   const double force[3], double sign);
/* h . (change of a world direction that is fixed to a spot). */
void lbs_add_direction(const lbs_body *b, const lbs_bodies_task *t, double *row, int spot, const double direction[3],
                       const double h[3], double sign);
/* A wish: its square is counted for the term that is set. */
double *lbs_add_wish(lbs_bodies_task *t, double residual);
/* A condition: returns its row where it is near or above zero and rows are wanted. */
double *lbs_add_condition(lbs_bodies_task *t, double value, double near);

void lbs_body_terms(const lbs_body *b, lbs_bodies_task *t, const double *pose, const double *forces); /* body_terms.c */
void lbs_body_posture(const lbs_body *b, lbs_bodies_task *t, const double *pose);   /* body_posture.c */
void lbs_body_drive(const lbs_body *b, lbs_bodies_task *t, const lbs_lever *lever); /* body_drive.c */
void lbs_body_rules(const lbs_body *b, lbs_bodies_task *t, const double *forces);   /* body_rules.c */
void lbs_body_apart(const lbs_body *b, lbs_bodies_task *t, const double *forces);   /* body_apart.c */
void lbs_body_swivels(const lbs_body *b, lbs_bodies_task *t);                       /* body_swivel.c */
/* A point as a solid without radius; place: where it is kept. */
lbs_solid lbs_solid_at(const double at[3], double place[3]);
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
void lbs_add_statics(const lbs_body *b, lbs_bodies_task *t, const double *forces);
/* What the multipliers of the balance pull at the moment of each force by: as m . (p x force). */
void lbs_balance_moment(const lbs_body *b, const double *multipliers, double moment[3]);
/* Conditions: friction, and contacts within the ends of their surfaces. */
void lbs_body_cones(const lbs_body *b, lbs_bodies_task *t, const double *forces);
void lbs_body_edges(const lbs_body *b, lbs_bodies_task *t);

/* --- body_obstacle.c --- */
/* Whether a figure's shapes are obstacles to the body of another. */
int lbs_is_prop(const lb_problem *problem, int body, int figure);
size_t lbs_count_obstacles(const lb_problem *problem, int figure);
/* The distance of a point from a box, negative inside, and the unit vector that leads away. */
double lbs_box_distance(const lbm_transform *frame, const double half[3], const double at[3], double normal[3]);
/* Whether what is left out is this obstacle, or another shape of the figure that has it. */
int lbs_is_left_out(const lbs_body *b, int obstacle);
/* Metres that some solid of the body is in an obstacle, as both are placed; negative: so far is the nearest one from
 * it. */
double lbs_obstacle_depth(const lbs_body *b, int obstacle);
/* The name of what an obstacle is: of the caller's, of a surface, of a figure; or NULL. */
const char *lbs_obstacle_name(const lbs_body *b, const lbs_space *s, int obstacle);
/* Conditions: no solid in an obstacle. */
void lbs_body_obstacles(const lbs_body *b, lbs_bodies_task *t);
/* Places those that other figures carry, by a pose of the problem; all: also those that do not move. */
void lbs_body_place_obstacles(const lbs_body *b, const lbs_space *s, const double *pose, int all);

/* A node of a figure that is no body. */
typedef struct lbs_other {
    int figure, node;
    const lb_kinematics *kinematics; /* of the figure */
} lbs_other;

/* Adds to a row how `sign` times normal . (a point of a figure that is no body) changes; the point is on a node of the
 * figure, and the kinematics are those of its pose. */
void lbs_add_other(const lbs_bodies_task *t, const lbs_other *other, double *row, const double at[3],
                   const double normal[3], double sign);

/* --- body_pairs.c --- */
/* Marks what pairs of the problem need the motion of: mark is called for each segment of the body. */
void lbs_mark_pairs(lbs_body *b, const lb_problem *problem, void (*mark)(lbs_body *b, int segment));
/* Conditions: no pair of the problem nearer than its margin. Bodies are placed, and where rows are wanted have their
 * panels. */
void lbs_bodies_pairs(lbs_bodies *bodies);
/* Whether no pair overlaps at a pose of the problem. */
int lbs_bodies_are_clear(lbs_bodies *bodies, const double *pose);

/* --- body_habit.c --- */
/* How many rows the habit of a problem's figure has. */
size_t lbs_habit_rows(const lb_problem *problem, int figure);
void lbs_cut_habit(lbs_habit *habit, const lb_problem *problem, int figure, size_t stride, lbm_arena *arena);
/* Needs the options of the body. The body's kinematics is left in the rest pose. */
void lbs_plan_habit(lbs_body *body, const lb_problem *problem);
void lbs_body_habit(const lbs_body *body, lbs_bodies_task *task, const double *pose);
/* Writes a start of the habit to the pose [variable] of the body's figure. The root stays where the pose has it, and
 * turned as there about the vertical; its height and its tilt are those of the start. */
void lbs_habit_start(const lbs_body *body, int start, double *pose);
/* Moves the pose of a problem in the plane of the floor, and turns it about the vertical, so that the effectors of the
 * body come as near to their goals as that brings them. z is room for the variables of the space. */
void lbs_habit_align(const lbs_body *body, lbs_space *space, double *z, double *pose);

/* --- body_curvature.c --- */
void lbs_pull_point(const lbs_body *b, int spot, const double at[3], const double force[3], double factor);
void lbs_pull_direction(const lbs_body *b, int spot, const double direction[3], const double h[3], double factor);
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
/* The same with derivatives, at the point that the space has evaluated and differentiated already, without goals and
 * pairs of the problem, and where terms are not wanted without these. Returns how many of the near conditions, the
 * first ones, are limits of the figures. */
int lbs_bodies_look(lbs_bodies *bodies, const double *x, int with_terms);
/* From x to a minimum, in no more iterations than that and than are left of this start's. `accuracy`: where steps are
 * shorter the run ends. */
lbs_body_end lbs_bodies_run(lbs_bodies *bodies, double *x, int max_iterations, double accuracy);
/* Whether the budget is spent: asked before each iteration and start; once it is so, the clock is not looked at
 * again. */
int lbs_bodies_are_over(lbs_bodies *bodies);
/* The scale of an item's rows among the goals'. */
double lbs_goal_scale(const lbs_item *item);
/* Multipliers of an earlier run are those of other rows. */
void lbs_bodies_forget(lbs_bodies *bodies);
/* Finds the step; returns 1 if there is none. again: for other residuals, by the model that there is. */
int lbs_bodies_step(lbs_bodies *bodies, double damping, int again);
/* The multipliers after the step, into next_...; and the largest of rules and conditions, and the norm of the goals',
 * of those that the step fulfils. */
void lbs_bodies_multipliers(lbs_bodies *bodies, double *most_rule, double *goal_norm);

/* --- body_solve.c, body_report.c --- */
lb_status lbs_bodies_solve(lb_solver *solver, const lb_solve_options *o, double *pose, lb_result *result,
                           lb_error *error);
#define LBS_STANDS 1e-4 /* metres above its surface: a contact of an answer that is not higher stands */
void lbs_bodies_report(lbs_bodies *bodies, const double *x, double stands);
/* How many rules hold the body up by the forces of its contacts. */
int lbs_balance_count(const lbs_body *b);

/* --- The parts of a plan (body_plan.c), each made by a function of its own --- */
static const double lbs_origin[3] = {0, 0, 0};

/* The node that a segment is mounted on; -1: the world. */
int lbs_body_node(const lbs_body *b, int segment);
/* A point of a segment, given in the segment's frame; it is not placed. */
lbs_body_point lbs_body_point_of(const lbs_body *b, int segment, const double at[3]);
/* The same, with room for its place: a part of the plan. */
lbs_body_point lbs_plan_point(lbs_body *b, int segment, const double at[3]);
/* Whether a segment is `limb` or hangs on it. */
int lbs_is_in(const lb_figure *f, int segment, int limb);
/* Whether a node is `above` or hangs on it. */
int lbs_hangs_on(const lb_figure *f, int node, int above);
/* A vector of the world as the frame t has it. */
void lbs_rotate_back(const lbm_transform *t, const double v[3], double out[3]);
void lbs_plan_contacts(lbs_body *b, const lbs_space *s); /* body_contacts.c */
void lbs_plan_feet(lbs_body *b, const lbs_space *s);
void lbs_plan_root(lbs_body *b);
/* The first six values of a start say where the body is off its place at rest, and its turn from there, in the world;
 * they become those of the figure. */
void lbs_settle_root(const lbs_body *b, double *pose);
void lbs_plan_solids(lbs_body *b);                   /* body_apart.c */
void lbs_plan_levers(lbs_body *b);                   /* body_drive.c */
void lbs_plan_arms(lbs_body *b, const lbs_space *s); /* body_limbs.c */
void lbs_plan_faces(lbs_body *b, const lbs_space *s);
void lbs_plan_looks(lbs_body *b, const lbs_space *s);
void lbs_plan_obstacles(lbs_body *b, const lbs_space *s); /* body_obstacle.c */
/* How deep solids may be in obstacles: as deep as goals and supports ask. Leaves the body in the rest pose. */
void lbs_body_allow(const lbs_body *b, const lbs_space *s);
void lbs_plan_swivels(lbs_body *b); /* body_swivel.c */
/* What each foot stands on as the body is placed, and which forces there are. */
void lbs_body_choose_planes(const lbs_body *b); /* body_surface.c */

#endif
