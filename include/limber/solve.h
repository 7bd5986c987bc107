/*
 * Limber's problems and solving: what is asked of a figure, and the pose that answers it.
 *
 * The six calls everyone needs (with lb_figure_load of limber/io.h before them):
 *
 *     lb_problem *problem = lb_problem_create(figure, NULL);
 *     lb_constraint reach;
 *     lb_constraint_at(figure, "right_palm", (double[]){0.4, 0.3, 1.2}, &reach);   hand to a point
 *     lb_problem_add(problem, &reach);
 *     lb_result_defaults(&result);                                                says what room the result has
 *     lb_solve(problem, NULL, pose, &result);                                     pose: start in, answer out
 *
 * A problem holds figures and constraints. Constraints persist until they are removed: the caller adds or moves one,
 * solves again, and the solve goes on from the present pose. The result says what happened: solved, a minimum (with
 * what blocks it), or out of budget. A figure with a free root, such as models/human.fig, moves to the goal as a whole,
 * unless its feet are pinned (lb_constraint_keep) or its root is held (lb_problem_set_root_active). The contract that
 * every method keeps is docs/contract.md, all goals are in docs/goals.md.
 */
#ifndef LIMBER_SOLVE_H
#define LIMBER_SOLVE_H

#include <limber/closed.h>
#include <limber/limber.h>
#include <limber/reach.h>
#include <limber/say.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------
 * Goals: where an end-effector e = (r, x, y) should be. Each is a potential P(e) >= 0, zero exactly where it is met.
 * ------------------------------------------------------------------------------------------------- */

typedef enum lb_goal_kind {
    LB_GOAL_POSITION,    /* r at `point` */
    LB_GOAL_ORIENTATION, /* the effector's x along `x`, its y along `y`; degrees_x or degrees_y 0: that one is free */
    LB_GOAL_FRAME,       /* position and orientation together; weight_position + weight_orientation = 1 */
    LB_GOAL_AIM,         /* the ray from r along the effector's x passes through `point` */
    LB_GOAL_LINE,        /* r on the line through `point`; `normal` is its direction */
    LB_GOAL_PLANE,       /* r on the plane through `point` that is normal to `normal` */
    LB_GOAL_HALF_SPACE,  /* r on the side of that plane that `normal` points to */
    LB_GOAL_BOX,         /* r in the box of half extents `size` about `point`, turned by `rotation` */
    LB_GOAL_SPHERE,      /* r in the ball of radius size[0] about `point` */
    LB_GOAL_CAPSULE,     /* r within size[0] of the line segment from -size[1] to size[1] along the z axis of the frame
                            (`point`, `rotation`) */
    LB_GOAL_CIRCLE,      /* r on the circle of radius size[0] about `point`, in the plane normal to z of `rotation` */
    LB_GOAL_DISC,        /* r on the disc that this circle bounds */
    LB_GOAL_POLYHEDRON,  /* r where the dot product of faces[i][0..2] and r is at most faces[i][3] for all i: a convex
                            region, which may be unbounded */
    LB_GOAL_CUSTOM,      /* where `potential`, a function of the caller, is zero */
    LB_GOAL_APART        /* two segments do not touch: made by lb_problem_set_collisions (limber/collisions.h) alone */
} lb_goal_kind;

/* A potential of the caller: returns P >= 0 and writes the gradient of P by e = (r, x, y), whose 9 values are 0 when
 * the function is called. e is in the world, or in the frame of the segment that carries the goal. P and the gradient
 * must be finite, and the same for the same e in any thread. The goal is met where P <= tolerance[0]^2. */
typedef double (*lb_potential)(void *context, const double e[9], double gradient[9]);

typedef struct lb_goal {
    lb_goal_kind kind;
    int outside;         /* 1: keep out of a box, sphere, capsule, disc or polyhedron; 0 (default): keep in */
    int carrier_figure;  /* number of the figure whose segment carries the goal; used where carrier_segment >= 0 */
    int carrier_segment; /* -1 (default): the goal is fixed in the world; else all fields below are in the frame of this
                            segment, and the goal moves with it */
    double point[3];     /* metres */
    double x[3], y[3];   /* unit vectors, at right angles; default the axes x and y */
    double normal[3];    /* unit vector; default the axis z */
    double rotation[4];  /* unit quaternion; default none */
    double size[3];      /* metres; the kind says what each number is */
    double degrees_x;    /* how many degrees of error of x count as much as one metre; default 180; 0: x is free */
    double degrees_y;    /* the same of y */
    double weight_position, weight_orientation; /* of LB_GOAL_FRAME; default 0.5 each */
    int face_count;                             /* of LB_GOAL_POLYHEDRON */
    const double (*faces)[4];                   /* [face_count]; copied when the constraint is added */
    lb_potential potential;                     /* of LB_GOAL_CUSTOM */
    void *context;                              /* given to `potential` */
} lb_goal;

typedef struct lb_constraint {
    const char *name; /* for messages; may be NULL; copied */
    int figure;       /* number of the figure in the problem; default 0 */
    lb_effector effector;
    /* The effector as a solid, for half-spaces and `outside` goals (obstacles) only. radius 0 (default): it is a point.
     * radius > 0: it is a ball of this radius in metres or, where half_length > 0, a capsule of this radius around the
     * line segment from point - half_length * x to point + half_length * x. */
    double radius, half_length;
    lb_goal goal;
    double weight; /* >= 0; default 1 */
    int priority; /* 0 (default) is the highest level; a lower level (a larger number) never makes a higher one worse */
    /* 0 (default): the constraint stands for itself. Of all constraints with the same positive number and the same
     * priority only the one with the least weight * P counts. */
    int any_of;
    int chain_start; /* index of a joint between the effector and the root: only joints from this one outwards move for
                        this constraint; -1 (default): all joints from the root on */
    /* What counts as met; it does not change P. Metres along x, y and z of the world, or of the segment that carries
     * the goal; goals that have a single distance use [0] alone. Default 1e-5 each. */
    double tolerance[3];
    double tolerance_rad; /* of each direction, radians; default 1e-5 */
    int disabled;         /* 1: the constraint does not count; default 0 */
} lb_constraint;

LB_API void lb_goal_defaults(lb_goal *goal);
LB_API void lb_constraint_defaults(lb_constraint *constraint);

/* Common constraints from the name of an end-effector: a site, a segment or "com", as lb_figure_find_effector
 * (limber.h) finds them. The constraint has the same name. LB_ERROR_NAME where there is no such end-effector:
 * lb_figure_find_effector gives the reason as a text, and so does lb_problem_error where the constraint is added all
 * the same. All other fields are as lb_constraint_defaults sets them and may be changed before the constraint is added:
 * another goal kind, tolerances, a priority. lb_constraint_at places the end-effector's origin at a point,
 * lb_constraint_frame its frame at a frame, and lb_constraint_aim aims its x axis at a point. */
LB_API lb_status lb_constraint_at(const lb_figure *figure, const char *effector, const double point[3],
                                  lb_constraint *constraint);
LB_API lb_status lb_constraint_frame(const lb_figure *figure, const char *effector, const lb_frame *frame,
                                     lb_constraint *constraint);
LB_API lb_status lb_constraint_aim(const lb_figure *figure, const char *effector, const double point[3],
                                   lb_constraint *constraint);
/* Holds a site or a segment where it is in a pose of the figure, position and orientation: animators call this a pin.
 */
LB_API lb_status lb_constraint_keep(const lb_figure *figure, const char *effector, const double *pose,
                                    lb_constraint *constraint);
/* Keeps the centre of mass over the convex hull of these points in the world, at least `margin` metres inside; the z of
 * each point is ignored. There are at most 64 points. The function writes the faces of the hull to faces[count], which
 * must live until the constraint is added. */
LB_API lb_status lb_constraint_balance(int count, const double (*points)[3], double margin, double (*faces)[4],
                                       lb_constraint *constraint);

/* ---------------------------------------------------------------------------------------------------
 * Problems
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_problem lb_problem;

/* Makes a problem with one figure, number 0. Its figures must outlive it. */
LB_API lb_problem *lb_problem_create(const lb_figure *figure, lb_error *error);
LB_API void lb_problem_destroy(lb_problem *problem);
/* Adds another figure and returns its number, or a negative lb_status. The problem's pose has the variables of all its
 * figures, one figure behind the other. */
LB_API int lb_problem_add_figure(lb_problem *problem, const lb_figure *figure);
LB_API int lb_problem_figure_count(const lb_problem *problem);
LB_API const lb_figure *lb_problem_figure(const lb_problem *problem, int figure);
LB_API int lb_problem_variable_count(const lb_problem *problem);
/* The index in the problem's pose at which the variables of a figure begin. */
LB_API int lb_problem_first_variable(const lb_problem *problem, int figure);
/* Writes the name of a variable of the problem's pose to text[size]: "elbow", or "1:elbow" for figure 1 where there are
 * several figures. 256 characters suffice. */
LB_API void lb_problem_variable_name(const lb_problem *problem, int variable, char *text, size_t size);

/* The reason why the last call that changes this problem failed. */
LB_API const lb_error *lb_problem_error(const lb_problem *problem);

/* Adds a constraint and returns its id, or a negative lb_status. An id is never used again, also after the constraint
 * is removed. */
LB_API int lb_problem_add(lb_problem *problem, const lb_constraint *constraint);
/* Replaces everything of a constraint but its id. */
LB_API lb_status lb_problem_change(lb_problem *problem, int id, const lb_constraint *constraint);
LB_API lb_status lb_problem_remove(lb_problem *problem, int id); /* takes a constraint out of the problem */
/* The next three functions change a constraint without allocating memory, for goals that move every frame. */
/* Moves a goal to a frame: its point, its rotation and its x and y become those of the frame, its normal becomes the
 * frame's z. The faces of a polyhedron and the potential of a custom goal stay as they are. */
LB_API lb_status lb_problem_move_goal(lb_problem *problem, int id, const lb_frame *frame);
LB_API lb_status lb_problem_set_weight(lb_problem *problem, int id, double weight); /* how much it counts */
LB_API lb_status lb_problem_enable(lb_problem *problem, int id, int enabled);       /* 0: as if it were not there */
/* The constraints in the order in which they were added; the index goes from 0 to count - 1. */
LB_API int lb_problem_constraint_count(const lb_problem *problem);
LB_API const lb_constraint *lb_problem_constraint(const lb_problem *problem, int index);
LB_API int lb_problem_constraint_id(const lb_problem *problem, int index);

/* Switches a variable of the pose off, so that it keeps its value, or on again. */
LB_API lb_status lb_problem_set_active(lb_problem *problem, int variable, int active);
/* Replaces the rigidity that the figure has for a variable: 0 (free) to 1 (does not move). */
LB_API lb_status lb_problem_set_rigidity(lb_problem *problem, int variable, double rigidity);
/* Switches all variables of a joint off or on, or all variables that drive the joint. */
LB_API lb_status lb_problem_set_joint_active(lb_problem *problem, int figure, int joint, int active);
/* Switches the six variables of a free root off, so that the root stays where the start pose has it, or on again. The
 * call does nothing where the root is fixed. */
LB_API lb_status lb_problem_set_root_active(lb_problem *problem, int figure, int active);

/* Wishes are softer than goals. The value of a wish is weight * the sum of the squares of all variables' differences
 * from what is wished. The wishes are a level of their own below all goals: the goals come first, as if there were no
 * wishes; then, of all poses nearby that meet the goals as well, the solve chooses the pose where the value of the
 * wishes is least (Korein and Badler's Lagrangian). A weight of 0 takes the wish back. */
/* Wishes that the answer is near this pose; NULL: near the rest pose. */
LB_API lb_status lb_problem_set_posture(lb_problem *problem, const double *pose, double weight);
/* Wishes that the answer is near the start pose. */
LB_API lb_status lb_problem_set_stay(lb_problem *problem, double weight);
/* Wishes that all variables are at least `margin` (radians or metres) away from the ends of their ranges. */
LB_API lb_status lb_problem_set_margin(lb_problem *problem, double margin, double weight);
/* Wishes that all variables are in the middle of their ranges. Here the differences are shares of half the range: 1 at
 * its ends (Liegeois). Variables without a range do not count. */
LB_API lb_status lb_problem_set_middle(lb_problem *problem, double weight);
/* Wishes that end-effectors can move well: weight times the sum over all goals of 1 / manipulability (Yoshikawa's, as
 * in lb_measure). It stands below all goals, whatever the level of the other wishes, and is served once all goals are
 * met: of the poses that meet them, those are searched that self-motion leads to and, with restarts, those of other
 * starts. While a pose is tracked it only moves on to better ones nearby. Bodies (lb_problem_set_body) do not look at
 * it. Default 0: none. */
LB_API lb_status lb_problem_set_manipulability(lb_problem *problem, double weight);

typedef enum lb_wish_level {
    LB_WISH_LEVEL_OWN,  /* the wishes are a level below all goals; the default */
    LB_WISH_LEVEL_GOALS /* the wishes are added to the sum of the lowest priority's goals and compete with them */
} lb_wish_level;

LB_API lb_status lb_problem_set_wish_level(lb_problem *problem, lb_wish_level level); /* all wishes of a problem */

/* ---------------------------------------------------------------------------------------------------
 * Solving
 * ------------------------------------------------------------------------------------------------- */

typedef enum lb_method {
    LB_METHOD_LM,       /* Levenberg-Marquardt under linear constraints; the default */
    LB_METHOD_BFGS,     /* Zhao and Badler's variable metric with gradient projection */
    LB_METHOD_CCD,      /* cyclic coordinate descent */
    LB_METHOD_JACOBIAN, /* Jacobian transpose, pseudo-inverse, damped or SVD-damped: see lb_jacobian_variant */
    LB_METHOD_FABRIK,   /* forward and backward reaching */
    LB_METHOD_CLOSED,   /* by algebra: the solution of one goal that is nearest to the start (docs/closed.md) */
    LB_METHOD_HIERARCHY /* Korein and Badler's: joints nearer to the root move only as far as they must (docs/reach.md) */
} lb_method;

typedef enum lb_jacobian_variant {
    LB_JACOBIAN_VARIANT_TRANSPOSE,
    LB_JACOBIAN_VARIANT_PSEUDO_INVERSE,
    LB_JACOBIAN_VARIANT_DAMPED, /* default */
    LB_JACOBIAN_VARIANT_SVD_DAMPED
} lb_jacobian_variant;

/* The formula by which method bfgs updates its inverse Hessian after a step. */
typedef enum lb_bfgs_update {
    LB_BFGS_UPDATE_SWITCH, /* Fletcher's switch between the two formulas below, as Zhao and Badler use it; default */
    LB_BFGS_UPDATE_BFGS,   /* the formula of Broyden, Fletcher, Goldfarb and Shanno alone */
    LB_BFGS_UPDATE_DFP     /* the formula of Davidon, Fletcher and Powell alone */
} lb_bfgs_update;

/* What method ccd moves at a time. */
typedef enum lb_ccd_variant {
    LB_CCD_VARIANT_DOF, /* one variable after the other, each to where G is least; default */
    LB_CCD_VARIANT_AXIS /* a joint with several dofs of rotation turns about the one axis that brings its end-effector
                           to the goal (EN07 2.2), where the joint serves a single position goal; else as by dof */
} lb_ccd_variant;

typedef enum lb_outcome {
    LB_OUTCOME_INVALID, /* not solved at all: a number that is not finite, a method that cannot do this problem */
    LB_OUTCOME_SOLVED,  /* every constraint within its tolerance */
    LB_OUTCOME_MINIMUM, /* a Kuhn-Tucker point: nearby there is no better pose inside the limits */
    LB_OUTCOME_BUDGET /* out of iterations, evaluations or time, cancelled, or no further headway; the pose is the best
                           so far */
} lb_outcome;

/* What lb_solve_options.on_iteration is told. The library may add fields at the end. */
typedef struct lb_progress {
    int iteration, evaluations, restart; /* numbers so far */
    double value;                        /* G of the present pose: the sum of all goals' weight * P */
    const double *pose;                  /* the present pose, inside its limits; valid during the call */
} lb_progress;

typedef struct lb_solve_options {
    size_t struct_size;           /* set by lb_solve_options_defaults */
    lb_method method;             /* default LB_METHOD_LM */
    lb_jacobian_variant jacobian; /* of method jacobian; default LB_JACOBIAN_VARIANT_DAMPED */
    int subgoals;                 /* of method jacobian: a goal is approached in this many straight steps; default 1 */
    /* How much preferred angles count; default 0. They are those of lb_problem_set_posture, or else of the rest pose.
     * Method jacobian pulls towards them in the null space. Methods ccd and fabrik damp what moves away from them, by
     * the factor 1 / (1 + preferred * distance in radians or metres). */
    double preferred;
    int max_iterations;        /* of each start; default 300 (of method ccd: sweeps) */
    int max_evaluations;       /* of all starts together; default 100000 */
    double gradient_tolerance; /* a projected gradient of this norm (per scaled unit) counts as zero; default 1e-9 */
    double deadline_us;        /* microseconds after the solve begins; 0 (default): no deadline; needs now_us */
    double (*now_us)(void *context); /* the caller's clock, in microseconds; NULL (default): none */
    void *now_context;               /* given to now_us */
    const lb_cancel *cancel; /* lb_cancel_request on it, by another thread, stops the solve; NULL (default): none */
    /* Called at every iteration; returns non-zero to stop the solve; NULL (default): none. */
    int (*on_iteration)(void *context, const lb_progress *progress);
    void *on_iteration_context; /* given to on_iteration */
    int restarts;               /* number of further starts, at random, while the problem is not solved; default 0 */
    uint64_t seed;              /* of the random starts; default 1 */
    /* 1: the goal moves a little from solve to solve, so the answer stays on the branch of the start pose, and there
     * are no restarts; default 0 */
    int tracking;
    int keep_going;             /* 1: goes on to the minimum although all tolerances are met; default 0 */
    lb_bfgs_update bfgs_update; /* of method bfgs; default LB_BFGS_UPDATE_SWITCH */
    lb_ccd_variant ccd;         /* of method ccd; default LB_CCD_VARIANT_DOF */
    /* Of problems with bodies, while tracking: no variable leaves the start pose by more than this, in radians or
     * metres. Where a way to stand comes to its end, the body then goes over to the next one in several solves, instead
     * of in one. 0 (default): no bound. Other problems refuse it: LB_ERROR_UNSUPPORTED. */
    double max_change;
} lb_solve_options;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_solve_options_defaults calls it. */
LB_API void lb_solve_options_defaults_sized(lb_solve_options *options, size_t struct_size);
static inline void lb_solve_options_defaults(lb_solve_options *options) {
    lb_solve_options_defaults_sized(options, sizeof *options);
}

/* A constraint at the answer. */
typedef struct lb_constraint_result {
    int id;           /* as lb_problem_add returned it */
    int met;          /* 1: within its tolerances */
    int counted;      /* 0: the constraint is disabled, or another one of its any_of counts */
    double value;     /* P of its goal, without the weight */
    double distance;  /* error in metres; 0 where the goal has no position */
    double angle_rad; /* error in radians, the larger of its two directions; 0 where the goal has no direction */
    /* Multipliers of the goal: how fast the wishes' value rises as the goal is moved along x, y, z of the world (force,
     * per metre), or turned about these axes through the end-effector's point (moment, per radian). Moving the goal the
     * other way lowers the value as fast. They are 0 unless all goals are met and the wishes are a level below them. */
    double force[3], moment[3];
} lb_constraint_result;

/* A limit in force at the answer. */
typedef struct lb_active_limit {
    int variable;      /* of the problem's pose; -1: the limit is a row */
    int figure, row;   /* the figure, and its row over several variables (lb_figure_row); row is -1 for a variable */
    int is_upper;      /* 1: the upper end of the range; 0: the lower */
    double value;      /* of the limit, in the unit of the variable or row */
    double multiplier; /* how fast G would fall if the limit gave way, per radian or metre; >= 0 unless the limit is an
                          equality. Limits whose multiplier is zero but for rounding are not listed */
    const char *name;  /* of the variable or row; memory of the figure */
} lb_active_limit;

/* A priority level at the answer. */
typedef struct lb_level_result {
    int priority;         /* of its constraints; -1: the level of the loops, which must close */
    int is_wishes;        /* 1: the level of the wishes, below all others */
    int met;              /* 1: its constraints and those of all levels above it are within their tolerances */
    double value;         /* sum of weight * P over its constraints */
    double gradient_norm; /* norm of the gradient of `value` (per scaled unit), projected onto what limits and higher
                             levels leave free. 0 where the level is met and nothing more was asked of it, or where the
                             deadline is past */
} lb_level_result;

/* What found the answer. */
typedef enum lb_engine {
    LB_ENGINE_NONE,
    LB_ENGINE_ARM, /* the part of method lm for one goal on a chain of joints with ranges (docs/methods.md) */
    LB_ENGINE_LM,
    LB_ENGINE_BFGS,
    LB_ENGINE_CCD,
    LB_ENGINE_JACOBIAN,
    LB_ENGINE_FABRIK,
    LB_ENGINE_CLOSED, /* a closed form, of method lm as of method closed (docs/closed.md) */
    LB_ENGINE_HIERARCHY
} lb_engine;

LB_API const char *
lb_engine_name(lb_engine engine); /* "none", "arm", "lm", "bfgs", "ccd", "jacobian", "fabrik", "closed",
                                                        "hierarchy" */

/* Why a goal is not met: what would have to give way, and what that would gain. See lb_solver_explain. */
typedef enum lb_reason_kind {
    LB_REASON_LIMIT,    /* one end of a variable's range */
    LB_REASON_ROW,      /* a limit over several variables of a figure */
    LB_REASON_GOAL,     /* another constraint, which pulls the other way */
    LB_REASON_OBSTACLE, /* another constraint, whose goal is to keep out, with all that have the same obstacle; or what a
                           body stays out of: an obstacle or a surface of its options, a figure */
    LB_REASON_DISTANCE, /* the goal is farther away than the chain is long */
    LB_REASON_BUDGET,   /* the solve ended before it came to a minimum */
    LB_REASON_START,    /* the answer is one minimum of several: another start, such as restarts make, leads to a better
                           one inside all limits */
    /* rules of a figure that is posed as a body (limber/body.h): each was left out, and the problem solved again */
    LB_REASON_STEP,    /* a foot may not step */
    LB_REASON_BALANCE, /* the body would fall */
    LB_REASON_APART,   /* limbs may not go through each other */
    LB_REASON_FLOOR,   /* nothing may go through the floor */
    LB_REASON_REGION /* all limits of a joint, or of a group, together: the cone or polygon of a swing, the corner of a
                          joint's ranges, the region of a shoulder */
} lb_reason_kind;

typedef struct lb_reason {
    lb_reason_kind kind;
    int variable;    /* LB_REASON_LIMIT: index in the problem's pose; LB_REASON_REGION: that of the first; else -1 */
    int figure, row; /* the figure of a limit or row, and the row's number; row is -1 for other kinds */
    int is_upper;    /* of a limit: 1 the upper end, 0 the lower */
    int constraint; /* LB_REASON_GOAL, LB_REASON_OBSTACLE: index in the problem's list; else, and where it is an obstacle
                        of a body, -1 */
    /* How far the reason gives way.
     * Limits and rows: by how much the limit is loosened, in the units of its variables (of an equality the sign says
     * in which direction); INFINITY where only taking the limit away helps. Regions: the same on every side.
     * Goals and obstacles: how far that goal would then be missed, in metres, or in radians where it has no position;
     * how deep the body would be in its obstacle.
     * Distance: a lower bound on the metres by which the goal is beyond the length of the chain.
     * Step: metres that the foot would step. Balance: metres by which the centre of mass would be outside of what
     * stands. Budget, start, and the other rules of a body: 0. */
    double give;
    double gain;     /* metres by which the error of the unmet goal would then shrink; < 0: it would grow */
    double gain_rad; /* the same in radians */
    double share;    /* of the error, as the square root of P: 0.1 to 1 */
    int reached;     /* 1: the goal would then be met */
    /* Of the variable, row, region, constraint or obstacle; of a step the foot's heel; of balance where the body would
     * fall: "forward", "backward", "to the left" or "to the right". It is memory of the figure or problem, and may be
     * NULL. */
    const char *name;
} lb_reason;

/* Whether the goals over-, perfectly or under-constrain the figure (Korein and Badler 1982). */
typedef enum lb_determinacy {
    LB_DETERMINACY_UNKNOWN, /* not determined */
    LB_DETERMINACY_UNDER,   /* more degrees of freedom than equations: the figure is redundant */
    LB_DETERMINACY_PERFECT, /* as many */
    LB_DETERMINACY_OVER     /* equations that the degrees of freedom cannot meet independently of each other */
} lb_determinacy;

typedef struct lb_freedom {
    lb_determinacy determinacy;
    int variables;  /* number of variables that may move */
    int freedoms;   /* degrees of freedom: `variables` less the number of limits in force */
    int equations;  /* number of equations that the goals and loops impose */
    int rank;       /* number of independent equations: the rank of their Jacobian at the answer */
    int redundancy; /* degree of redundancy: freedoms - rank */
} lb_freedom;

/* How well a pose lets the end-effector of a constraint move (docs/goals.md). Singular values are those of the Jacobian
 * that turns velocities of the variables that may move, in radians or metres a second, into the velocity of the
 * effector's point (metres a second) and its angular velocity (radians a second), relative to what carries the goal. */
typedef struct lb_measure {
    int rows; /* of that Jacobian: 3 where the goal speaks of the point or of directions alone, 6 where it speaks of both;
                 0: nothing is measured, as the constraint is disabled or has a potential of the caller's */
    double manipulability; /* Yoshikawa's: the product of the singular values; 0 at a singularity */
    double condition;      /* largest over least singular value; INFINITY at a singularity */
    double singularity;    /* distance to a singularity: the least singular value */
    double limit; /* distance to a limit: the least that a variable which moves the effector is away from an end of
                              its range, radians or metres; INFINITY: none has a range */
    int limit_variable; /* that variable, in the problem's pose; -1: none */
} lb_measure;

/* What a solve found. The caller allocates it and calls lb_result_defaults once, before the first solve that fills it.
 */
typedef struct lb_result {
    size_t struct_size; /* set by lb_result_defaults: the room that the caller has */
    lb_outcome outcome;
    lb_engine engine;
    /* G, the sum of all goals' weight * P and of the wishes where they are not a level of their own: at the start
     * pose moved into its limits, and at the answer. */
    double value_before, value;
    double wish_value; /* the value of the wishes at the answer, where they are a level of their own; else 0 */
    /* The norm of the projected gradient (per scaled unit) at the answer, of the highest level that is not met, or that
     * has wishes, or that was to be taken to its minimum; 0 where there is no such level, or the deadline is past. */
    double gradient_norm;
    int iterations, evaluations, restarts; /* numbers in all */
    int answer_count;                      /* poses that lb_solver_solve_all found; 0 after other solves */
    /* The lists belong to the solver and stay valid until its next solve. */
    int constraint_count;
    const lb_constraint_result *constraints; /* in the problem's order */
    int level_count;
    const lb_level_result *levels; /* the highest level first */
    int limit_count;
    const lb_active_limit
        *limits; /* limits that hold back the gradient of gradient_norm, the largest multiplier first */
    /* What lb_solver_explain adds; empty after a solve alone. */
    int unmet; /* index in the problem's list of the constraint that the reasons are about; -1: none */
    int reason_count;
    const lb_reason *reasons; /* the largest share first */
    lb_freedom freedom;
    /* What lb_solver_measure and lb_solver_explain add; empty after a solve alone. */
    int measure_count;
    const lb_measure *measures; /* in the problem's order of constraints */
    char explanation
        [512]; /* a sentence for a person: what happened, what blocks an unmet goal, or why the call failed */
    /* The parts of that sentence in its order, as data; none where the call failed. */
    int said_count;
    lb_say said[24];
} lb_result;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_result_defaults calls it. */
LB_API void lb_result_defaults_sized(lb_result *result, size_t struct_size);
static inline void lb_result_defaults(lb_result *result) { lb_result_defaults_sized(result, sizeof *result); }

/* One thread's workspace to solve a problem with. It follows changes of the problem by itself, and allocates memory
 * only then. Several threads may solve one problem at the same time, each with its own solver, while no thread changes
 * the problem, which must outlive its solvers. */
typedef struct lb_solver lb_solver;
LB_API lb_solver *lb_solver_create(const lb_problem *problem, lb_error *error); /* or NULL, and error says why */
LB_API void lb_solver_destroy(lb_solver *solver);
/* Allocates what solving the problem as it is now by a method needs, so that the next solve allocates nothing.
 * lb_solver_solve calls it where it is needed: after the problem has grown, or for a method that was not used before.
 */
LB_API lb_status lb_solver_prepare(lb_solver *solver, lb_method method);
/* Solves the problem. pose has the start pose on entry and the answer on return. The status says whether the call
 * worked, the result says what was found; where the call failed, result->explanation says why. options NULL: defaults.
 */
LB_API lb_status lb_solver_solve(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result);
/* Finds several distinct answers that solve the problem and writes them, the nearest to the start first, to
 * poses[wanted][variable_count]; result->answer_count is their number. Two answers are distinct when some variable
 * differs by more than `apart` (radians or metres; whole turns do not count, and rotation vectors differ by the angle
 * between the rotations). */
LB_API lb_status lb_solver_solve_all(lb_solver *solver, const lb_solve_options *options, const double *start,
                                     double apart, int wanted, double *poses, lb_result *result);
/* Says why an answer does not meet its goals, and how much freedom it leaves. The function fills `unmet`, `reasons`,
 * `freedom`, `measures` and the sentence of a result; result and pose must be those that lb_solver_solve returned. The
 * reasons concern the constraint that the sentence names. Every reason was tried: the limit was loosened by `give`, or
 * the other constraint left out, and the problem solved again from the pose. What gains less than a tenth of the error
 * is not listed. The function changes neither the pose nor the result of the next solve; it allocates no memory unless
 * lb_solver_prepare with LB_METHOD_LM would. Of the options (NULL: defaults) it uses max_iterations, max_evaluations
 * (of all trials together), gradient_tolerance, the deadline (counted from this call) and cancel; reasons that were not
 * tried when one of these ends the call are not listed. */
LB_API lb_status lb_solver_explain(lb_solver *solver, const lb_solve_options *options, const double *pose,
                                   lb_result *result);
/* Measures how well a pose, such as an answer, lets each end-effector move, and fills `measures` of a result, which
 * belong to the solver. The pose is moved into its limits first. Nothing else of the result changes. It allocates no
 * memory unless lb_solver_prepare with LB_METHOD_LM would. */
LB_API lb_status lb_solver_measure(lb_solver *solver, const double *pose, lb_result *result);
/* The value of G in a pose inside its limits: the sum of all goals' weight * P, and of the wishes where they are not a
 * level of their own. gradient [variable_count] may be NULL; it is 0 for variables that may not move. */
LB_API lb_status lb_solver_value(lb_solver *solver, const double *pose, double *value, double *gradient);

/* Solves a problem once: makes a solver, solves, and destroys the solver. Where the outcome is a minimum, or the goals
 * of a body are not met, and there is no deadline, the answer is explained too (lb_solver_explain). The lists of the
 * result are empty, because they belong to the solver; its numbers and its sentence are there. */
LB_API lb_status lb_solve(const lb_problem *problem, const lb_solve_options *options, double *pose, lb_result *result);

/* ---------------------------------------------------------------------------------------------------
 * Many problems at once: the same figures, constraints and options, each with goals and a start pose of its own
 * (docs/batches.md). Every pose and number is the one that lb_problem_move_goal and lb_solver_solve would give, to the
 * bit, for any number of threads.
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_answer {
    lb_status status;   /* what lb_solver_solve would have returned */
    lb_outcome outcome; /* LB_OUTCOME_INVALID where the status is not LB_OK, as for a goal that is not finite */
    double value;       /* G at the answer; NaN where the problem was not solved at all */
    int iterations, evaluations, restarts;
} lb_answer;

typedef struct lb_many {
    size_t struct_size; /* set by lb_many_defaults */
    int count;          /* number of problems */
    int goal_count;     /* number of constraints whose goals differ from problem to problem; all other goals are those
                              of the lb_problem */
    const int *ids;     /* [goal_count]: the ids of these constraints */
    const lb_frame *goals; /* [count][goal_count]: their goals, as lb_problem_move_goal takes them */
    const double *starts;  /* [count][variables]: the start poses; with one_start [variables] */
    int one_start;         /* 1: all problems have the same start pose; default 0 */
    int threads; /* largest number of threads; 0 or 1 (default): only the thread that calls. A library that was
                              built without threads always uses that thread alone */
    /* Called now and then by the thread that called lb_solve_many; returns non-zero to stop; NULL (default): none. */
    int (*on_progress)(void *context, int done, int count);
    void *on_progress_context; /* given to on_progress */
} lb_many;

/* Fills the first struct_size bytes, those that the caller's header knows of; lb_many_defaults calls it. */
LB_API void lb_many_defaults_sized(lb_many *many, size_t struct_size);
static inline void lb_many_defaults(lb_many *many) { lb_many_defaults_sized(many, sizeof *many); }
/* Solves all problems. The answers go to poses[count][variables], which may be many->starts itself unless one_start is
 * set, and to answers[count], which may be NULL; where the status of an answer is not LB_OK, its pose is its start
 * pose. options NULL: defaults. The deadline of the options is that of each single problem, now_us is called from all
 * threads, and on_iteration must not be set (LB_ERROR_ARGUMENT). The function makes one solver for each thread before
 * it begins, and fails with LB_ERROR_MEMORY, nothing changed, where it cannot. When it is cancelled or on_progress
 * stops it, problems that are not done have their start pose as the answer and LB_OUTCOME_BUDGET. */
LB_API lb_status lb_solve_many(const lb_problem *problem, const lb_solve_options *options, const lb_many *many,
                               double *poses, lb_answer *answers, lb_error *error);

LB_API const char *lb_method_name(lb_method method);    /* "lm", "bfgs", "ccd", "jacobian", "fabrik" */
LB_API int lb_method_find(const char *name);            /* an lb_method; negative where there is none of that name */
LB_API const char *lb_outcome_name(lb_outcome outcome); /* "solved", "minimum", "budget", "invalid" */
/* "limit", "row", "goal", "obstacle", "distance", "budget", "start", "step", "balance", "apart", "floor", "region" */
LB_API const char *lb_reason_name(lb_reason_kind kind);
/* "reached", "outcome", "proof", "missed", "limit", "blocked", "going-on", "no-reason", "figure", "step", "support",
 * "balance", "effort", "overlap" */
LB_API const char *lb_say_name(lb_say_kind kind);
/* "under-constrained", "perfectly constrained", "over-constrained", "unknown" */
LB_API const char *lb_determinacy_name(lb_determinacy determinacy);

#ifdef __cplusplus
}
#endif

#endif
