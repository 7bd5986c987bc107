/*
 * Limber's problems and solving: what is asked of a figure, and the pose that answers it.
 *
 * The five calls everyone needs (with lb_figure_load of limber/io.h before them):
 *
 *     lb_problem *problem = lb_problem_create(figure);
 *     lb_constraint reach;
 *     lb_constraint_at(figure, "right_palm", (double[]){0.4, 0.3, 1.2}, &reach);   hand to a point
 *     lb_problem_add(problem, &reach);
 *     lb_solve(problem, NULL, pose, &result);                                     pose: start in, answer out
 *
 * A problem holds figures and constraints; constraints persist until they are removed, so that adding or moving one and
 * solving again goes on from the present pose. The result says what happened: solved, a minimum (with what blocks it),
 * out of budget. A figure whose root is free (as models/human.fig's) comes along as a whole: pin its feet
 * (lb_constraint_keep), or hold its root (lb_problem_set_root_active). The contract that every method
 * keeps is docs/contract.md, all goals are in docs/goals.md.
 */
#ifndef LIMBER_SOLVE_H
#define LIMBER_SOLVE_H

#include <limber/limber.h>

#ifdef __cplusplus
extern "C" {
#endif

/* ---------------------------------------------------------------------------------------------------
 * Goals: where an end-effector e = (r, x, y) should be. Each is a potential P(e) >= 0, zero exactly where it is met.
 * ------------------------------------------------------------------------------------------------- */

typedef enum lb_goal_kind {
    LB_GOAL_POSITION,    /* r at `point` */
    LB_GOAL_ORIENTATION, /* the effector's x along `x`, its y along `y`; degrees_x or degrees_y 0: that one is free */
    LB_GOAL_FRAME,       /* both; weight_position + weight_orientation = 1 */
    LB_GOAL_AIM,         /* the ray from r along the effector's x passes through `point` */
    LB_GOAL_LINE,        /* r on the line through `point`; `normal` is its direction */
    LB_GOAL_PLANE,       /* r on the plane through `point` with this `normal` */
    LB_GOAL_HALF_SPACE,  /* r on the side of the plane that `normal` points to */
    LB_GOAL_BOX,         /* r in the box of half extents `size` about `point`, turned by `rotation` */
    LB_GOAL_SPHERE,      /* ... in the ball of radius size[0] about `point` */
    LB_GOAL_CAPSULE, /* ... within size[0] of the stretch from -size[1] to size[1] along z of (`point`, `rotation`) */
    LB_GOAL_CIRCLE,  /* ... on the circle of radius size[0] about `point` in the plane normal to z of `rotation` */
    LB_GOAL_DISC,    /* ... on that circle's disc */
    LB_GOAL_POLYHEDRON, /* ... where faces[i][0..2] . r <= faces[i][3] for all i (convex, may be unbounded) */
    LB_GOAL_CUSTOM      /* potential(e) and its gradient */
} lb_goal_kind;

/* P >= 0 and its gradient by e = (r, x, y), 9 values that are 0 when it is called. e is in the world, or in the frame
 * of the segment that carries the goal. Must be finite, and pure: the same for the same e, in any thread. Met where P
 * <= tolerance[0]^2. */
typedef double (*lb_potential)(void *context, const double e[9], double gradient[9]);

typedef struct lb_goal {
    lb_goal_kind kind;
    int outside;         /* box, sphere, capsule, disc, polyhedron: keep out instead of in */
    int carrier_figure;  /* whose segment carries the goal; used where carrier_segment >= 0 */
    int carrier_segment; /* -1 (default): fixed in the world; else all below is in that segment's frame */
    double point[3];
    double x[3], y[3];  /* unit */
    double normal[3];   /* unit */
    double rotation[4]; /* quaternion */
    double size[3];
    double degrees_x,
        degrees_y; /* how many degrees count as much as one metre; default 180, 0: that direction is free */
    double weight_position, weight_orientation; /* of LB_GOAL_FRAME; default 0.5 each */
    int face_count;
    const double (*faces)[4]; /* copied when the constraint is added */
    lb_potential potential;
    void *context;
} lb_goal;

typedef struct lb_constraint {
    const char *name; /* for messages; may be NULL; copied */
    int figure;       /* index of the figure in the problem; default 0 */
    lb_effector effector;
    /* > 0: the effector is a ball, or with half_length a capsule from point - half_length x to point + half_length x,
       of this radius; for half-spaces and `outside` goals (obstacles) only */
    double radius, half_length;
    lb_goal goal;
    double weight; /* >= 0, default 1 */
    int priority;  /* 0 (default) is the highest; a lower level (a larger number) never costs a higher one anything */
    /* 0 (default): none; of the constraints with the same positive number (and priority) only the one with the least
     * weight * P counts */
    int any_of;
    int chain_start; /* a joint between the effector and the root: only joints from there outwards are used for it;
                        -1 (default): from the root */
    /* What counts as met; it does not change P. Positions: metres along x, y, z of the world, or of the segment that
       carries the goal; goals that have a distance only use [0]; default 1e-5 */
    double tolerance[3];
    double tolerance_rad; /* of each direction; default 1e-5 */
    int disabled;
} lb_constraint;

LB_API void lb_goal_defaults(lb_goal *goal);
LB_API void lb_constraint_defaults(lb_constraint *constraint);

/* Common constraints from an end-effector's name, which is the constraint's too: a site, a segment, "com", as
 * lb_figure_find_effector (limber.h) finds them. LB_ERROR_NAME where there is none: that function has the reason as a
 * text, and so has lb_problem_error where the constraint is added all the same. All else is as lb_constraint_defaults
 * has it and may be changed before adding: another goal kind, tolerances, priority. In order: its origin at a point;
 * its frame at a frame; its x axis aimed at a point. */
LB_API lb_status lb_constraint_at(const lb_figure *figure, const char *effector, const double point[3],
                                  lb_constraint *constraint);
LB_API lb_status lb_constraint_frame(const lb_figure *figure, const char *effector, const lb_frame *frame,
                                     lb_constraint *constraint);
LB_API lb_status lb_constraint_aim(const lb_figure *figure, const char *effector, const double point[3],
                                   lb_constraint *constraint);
/* Holds a site or a segment where it is in a pose of the figure (position and orientation): what animators call a
 * pin. */
LB_API lb_status lb_constraint_keep(const lb_figure *figure, const char *effector, const double *pose,
                                    lb_constraint *constraint);
/* The centre of mass over the convex hull of these points (x, y; z is ignored), at least `margin` inside. At most 64
 * points; the faces (4 doubles each, at most count of them) go into `faces`, which must live until the constraint is
 * added. */
LB_API lb_status lb_constraint_balance(int count, const double (*points)[3], double margin, double (*faces)[4],
                                       lb_constraint *constraint);

/* ---------------------------------------------------------------------------------------------------
 * Problems
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_problem lb_problem;

/* A problem with one figure, number 0. Figures must outlive it. NULL if there is no memory. */
LB_API lb_problem *lb_problem_create(const lb_figure *figure);
LB_API void lb_problem_destroy(lb_problem *problem);
/* Another figure; returns its number. The problem's pose is that of all its figures, one behind the other. */
LB_API int lb_problem_add_figure(lb_problem *problem, const lb_figure *figure);
LB_API int lb_problem_figure_count(const lb_problem *problem);
LB_API const lb_figure *lb_problem_figure(const lb_problem *problem, int figure);
LB_API int lb_problem_variable_count(const lb_problem *problem);
/* Where a figure's variables begin in the pose. */
LB_API int lb_problem_first_variable(const lb_problem *problem, int figure);
/* "elbow", or "1:elbow" for figure 1 where there are several; to text of at least 256 characters. */
LB_API void lb_problem_variable_name(const lb_problem *problem, int variable, char *text, size_t size);

/* Why the last call failed. */
LB_API const lb_error *lb_problem_error(const lb_problem *problem);

/* Adds a constraint and returns its id (never used again, also after removal), or a negative lb_status. */
LB_API int lb_problem_add(lb_problem *problem, const lb_constraint *constraint);
/* Changes all of a constraint: its goal moved, its weight, disabled or enabled. */
LB_API lb_status lb_problem_change(lb_problem *problem, int id, const lb_constraint *constraint);
LB_API lb_status lb_problem_remove(lb_problem *problem, int id);
/* The quick ways, without allocation: for goals that move every frame. */
/* Sets the goal's point and rotation, x and y to the frame's, normal to its z. A polyhedron's faces and a custom goal
 * stay. */
LB_API lb_status lb_problem_move_goal(lb_problem *problem, int id, const lb_frame *frame);
LB_API lb_status lb_problem_set_weight(lb_problem *problem, int id, double weight);
LB_API lb_status lb_problem_enable(lb_problem *problem, int id, int enabled);
/* Constraints in order of adding: 0 to count - 1. */
LB_API int lb_problem_constraint_count(const lb_problem *problem);
LB_API const lb_constraint *lb_problem_constraint(const lb_problem *problem, int index);
LB_API int lb_problem_constraint_id(const lb_problem *problem, int index);

/* Switches a variable of the pose off (it keeps its value) or on; rigidity 0 (free) to 1 (fixed) replaces the figure's
 * own. */
LB_API lb_status lb_problem_set_active(lb_problem *problem, int variable, int active);
LB_API lb_status lb_problem_set_rigidity(lb_problem *problem, int variable, double rigidity);
/* All variables of a joint (or all that drive it). */
LB_API lb_status lb_problem_set_joint_active(lb_problem *problem, int figure, int joint, int active);
/* The six variables of a free root: off, it stays where the start pose has it. Nothing happens where the root is fixed.
 */
LB_API lb_status lb_problem_set_root_active(lb_problem *problem, int figure, int active);

/* Softer wishes: weight * sum of squares of all variables' differences. They are a level of their own below all goals:
 * goals first, as if there were no wishes; then, of all poses that meet the goals as well, the one nearby that the wishes
 * like best (Korein and Badler's Lagrangian). */
LB_API lb_status lb_problem_set_posture(lb_problem *problem, const double *pose,
                                        double weight);                   /* near this pose; NULL: rest */
LB_API lb_status lb_problem_set_stay(lb_problem *problem, double weight); /* near the start pose */
LB_API lb_status lb_problem_set_margin(lb_problem *problem, double margin,
                                       double weight); /* this far (rad, m) from limits */

typedef enum lb_wish_level {
    LB_WISH_LEVEL_OWN,  /* below all goals; the default */
    LB_WISH_LEVEL_GOALS /* added to the sum of the lowest priority's goals, so that each costs the other something */
} lb_wish_level;

LB_API lb_status lb_problem_set_wish_level(lb_problem *problem, lb_wish_level level);

/* ---------------------------------------------------------------------------------------------------
 * Solving
 * ------------------------------------------------------------------------------------------------- */

typedef enum lb_method {
    LB_METHOD_LM,       /* Levenberg-Marquardt under linear constraints; the default */
    LB_METHOD_BFGS,     /* Zhao and Badler's variable metric with gradient projection */
    LB_METHOD_CCD,      /* cyclic coordinate descent */
    LB_METHOD_JACOBIAN, /* Jacobian transpose, pseudo-inverse, damped, SVD-damped */
    LB_METHOD_FABRIK
} lb_method;

typedef enum lb_jacobian_variant {
    LB_JACOBIAN_VARIANT_TRANSPOSE,
    LB_JACOBIAN_VARIANT_PSEUDO_INVERSE,
    LB_JACOBIAN_VARIANT_DAMPED, /* default */
    LB_JACOBIAN_VARIANT_SVD_DAMPED
} lb_jacobian_variant;

/* How bfgs learns the curvature of G from a step. */
typedef enum lb_bfgs_update {
    LB_BFGS_UPDATE_SWITCH, /* Fletcher's switch between the two, as Zhao and Badler have it; default */
    LB_BFGS_UPDATE_BFGS,   /* Broyden, Fletcher, Goldfarb and Shanno's formula alone */
    LB_BFGS_UPDATE_DFP     /* Davidon, Fletcher and Powell's alone */
} lb_bfgs_update;

/* What ccd turns at a time. */
typedef enum lb_ccd_variant {
    LB_CCD_VARIANT_DOF, /* one variable after the other, each to where G is least; default */
    LB_CCD_VARIANT_AXIS /* a joint of several turns about the one axis that takes its end-effector to the goal (EN07 2.2), where
                   a single position goal hangs on it; everything else by dof */
} lb_ccd_variant;

typedef enum lb_outcome {
    LB_OUTCOME_INVALID, /* not solved at all: a number that is not finite, a method that cannot do this problem */
    LB_OUTCOME_SOLVED,  /* every constraint within its tolerance */
    LB_OUTCOME_MINIMUM, /* a Kuhn-Tucker point: the best there is nearby */
    LB_OUTCOME_BUDGET   /* out of iterations, evaluations or time, cancelled, or no further headway; the best so far */
} lb_outcome;

typedef struct lb_progress {
    int iteration, evaluations, restart;
    double value;       /* G of the present pose */
    const double *pose; /* inside its limits */
} lb_progress;

typedef struct lb_atlas lb_atlas; /* see lb_atlas_create */

/* A request to stop that one thread makes and others see. Touch it by the functions below only: they are atomic, so any
 * thread may call them at any time, signal handlers included. It begins cleared, by lb_cancel_clear or as
 * `lb_cancel cancel = {0}`, and has to live as long as a solve looks at it. One may stop any number of solves. */
typedef struct lb_cancel {
    int requested;
} lb_cancel;

/* NULL is fine: nothing happens, nothing is requested. */
LB_API void lb_cancel_clear(lb_cancel *cancel);
LB_API void lb_cancel_request(lb_cancel *cancel);
LB_API int lb_cancel_is_requested(const lb_cancel *cancel); /* 1 or 0 */

typedef struct lb_solve_options {
    lb_method method;
    lb_jacobian_variant jacobian;
    int subgoals;                    /* jacobian: straight-line subgoals on the way; default 1: none */
    double preferred;                /* preferred angles: those of lb_problem_set_posture, or at rest. jacobian: a pull
                                        towards them in the null space. ccd, fabrik: turning away from them is damped, by
                                        1 / (1 + preferred * distance in rad or m). default 0 */
    int max_iterations;              /* of each start; default 300 (ccd: sweeps) */
    int max_evaluations;             /* in all; default 100000 */
    double gradient_tolerance;       /* projected gradient (of G, per scaled unit) that counts as zero; default 1e-9 */
    double deadline_us;              /* 0 (default): none; needs now_us */
    double (*now_us)(void *context); /* a clock */
    void *now_context;
    const lb_cancel *cancel; /* another thread stops the solve by lb_cancel_request; NULL (default): none */
    int (*on_iteration)(void *context, const lb_progress *progress); /* returns non-zero to stop; NULL: none */
    void *on_iteration_context;
    int restarts;          /* further starts at random while not solved; default 0 */
    uint64_t seed;         /* for them; default 1 */
    int tracking;          /* 1: the goal moves a little each time: stay on the branch of the start pose, no restarts */
    int keep_going;        /* 1: go on to the minimum although all tolerances are met; default 0 */
    const lb_atlas *atlas; /* of this arm, where restarts begin (lb_atlas_create); NULL (default): none */
    lb_bfgs_update bfgs_update; /* bfgs: which formula learns; default LB_BFGS_UPDATE_SWITCH */
    lb_ccd_variant ccd;         /* ccd: what turns at a time; default LB_CCD_VARIANT_DOF */
} lb_solve_options;

LB_API void lb_solve_options_defaults(lb_solve_options *options);

typedef struct lb_constraint_result {
    int id;
    int met;
    int counted;      /* 0: disabled, or another member of its any_of counts */
    double value;     /* its P, without the weight */
    double distance;  /* metres; 0 where the goal has no position */
    double angle_rad; /* the larger of its directions' errors */
    /* Multipliers of the goal, where all goals are met and wishes are a level below them: how fast the wishes' value rises
     * as the goal is moved along x, y, z of the world (per metre), or turned about them through the end-effector's point
     * (per radian). Moving it the other way saves as much. Else 0. */
    double force[3], moment[3];
} lb_constraint_result;

typedef struct lb_active_limit {
    int variable;    /* of the pose; -1: a row */
    int figure, row; /* a row over several variables of that figure */
    int is_upper;    /* which end of the range */
    double value;    /* of the limit */
    double
        multiplier;   /* how fast G would fall if it gave way: >= 0 for inequalities; never one that is 0 to rounding */
    const char *name; /* of the variable or row; the figure's memory */
} lb_active_limit;

/* A priority level at the answer. */
typedef struct lb_level_result {
    int priority;         /* of its constraints; -1: the closing of loops */
    int is_wishes;        /* 1: the level of the wishes, below all others */
    int met;              /* its constraints and those of all levels above it are within their tolerances */
    double value;         /* its sum of squares */
    double gradient_norm; /* of the projected gradient (per scaled unit): less what limits hold back, and higher levels.
                             0 where the level is met and nothing more was asked of it, or the deadline is past */
} lb_level_result;

/* What answered. */
typedef enum lb_engine {
    LB_ENGINE_NONE,
    LB_ENGINE_ARM, /* of method lm, for one goal on a chain of joints with ranges (docs/methods.md) */
    LB_ENGINE_LM,
    LB_ENGINE_BFGS,
    LB_ENGINE_CCD,
    LB_ENGINE_JACOBIAN,
    LB_ENGINE_FABRIK
} lb_engine;

LB_API const char *lb_engine_name(lb_engine engine); /* "arm", "lm", ... */

/* Why a goal is not met: what would have to give way, and what that would gain. See lb_solver_explain. */
typedef enum lb_reason_kind {
    LB_REASON_LIMIT,    /* one end of a variable's range */
    LB_REASON_ROW,      /* a limit over several variables of a figure */
    LB_REASON_GOAL,     /* another constraint, which pulls the other way */
    LB_REASON_OBSTACLE, /* another constraint, whose goal is to keep out (every constraint with the same obstacle) */
    LB_REASON_DISTANCE, /* the goal is farther away than the chain is long */
    LB_REASON_BUDGET,   /* the solve ended before it came to a minimum */
    LB_REASON_START /* a minimum among others: another start, as by restarts, leads to a better one within all limits */
} lb_reason_kind;

typedef struct lb_reason {
    lb_reason_kind kind;
    int variable;    /* LB_REASON_LIMIT: of the pose; else -1 */
    int figure, row; /* of a limit or row; row is -1 for other kinds */
    int is_upper;    /* of a limit: which end */
    int constraint;  /* LB_REASON_GOAL, LB_REASON_OBSTACLE: its place in the problem's list; else -1 */
    /* How far it gives way. Limits and rows: in the units of the variables, away from the range (of an equality the sign says
     * which way); INFINITY: only taking it away altogether helps. Goals and obstacles: how far that one would then be missed (metres, or radians where it has no position).
     * Distance: metres that the goal is beyond the chain's length, a bound from below. Budget and start: 0. */
    double give;
    /* What the unmet goal then gains: metres and radians that its miss shrinks by (< 0: grows). */
    double gain, gain_rad;
    double share;     /* of its miss, the root of its P: 0.1 to 1 */
    int reached;      /* 1: it would be met */
    const char *name; /* of the variable, row or constraint; the figure's or problem's memory; may be NULL */
} lb_reason;

/* Whether the goals over-, perfectly or under-constrain the figure (Korein and Badler 1982). */
typedef enum lb_determinacy {
    LB_DETERMINACY_UNKNOWN, /* not looked at */
    LB_DETERMINACY_UNDER,   /* more degrees of freedom than constraints: "redundant" */
    LB_DETERMINACY_PERFECT,
    LB_DETERMINACY_OVER /* constraints that the degrees of freedom cannot meet independently of each other */
} lb_determinacy;

typedef struct lb_freedom {
    lb_determinacy determinacy;
    int variables;  /* that may move */
    int freedoms;   /* of these, less those that limits hold: the degrees of freedom that are left */
    int equations;  /* that the goals (and loops) impose */
    int rank;       /* of these, independent by the degrees of freedom at the answer */
    int redundancy; /* freedoms - rank: the degree of redundancy */
} lb_freedom;

typedef struct lb_result {
    lb_outcome outcome;
    lb_engine engine;
    double value_before, value; /* G of the start pose moved into its limits, and of the answer: all goals' sum, and the
                                   wishes' where they are not a level of their own */
    double wish_value;          /* of the wishes, where they are */
    double gradient_norm; /* of the projected gradient (per scaled unit) at the answer, of the highest level that is not
                             met (or has wishes, or was to be taken to its minimum); 0 where there is none, or
                             the deadline is past */
    int iterations, evaluations, restarts;
    int constraint_count;
    const lb_constraint_result *constraints; /* in the problem's order; the solver's memory, until its next solve */
    int level_count;
    const lb_level_result *levels; /* the highest first */
    int limit_count;
    const lb_active_limit
        *limits; /* that hold that gradient back, largest multiplier first; none where there is none */
    /* What lb_solver_explain adds; empty after a solve alone. */
    int unmet; /* the constraint that the reasons are about, its place in the problem's list; -1: none */
    int reason_count;
    const lb_reason *reasons; /* largest share first; the solver's memory, until its next solve */
    lb_freedom freedom;
    char explanation[512]; /* a sentence for a person: what happened, and what blocks an unmet goal */
} lb_result;

/* Memory for one thread to solve a problem with; it follows the problem's changes by itself (and only then allocates).
 * Several threads may solve one problem, each with its own solver, while nobody changes it. */
typedef struct lb_solver lb_solver;
LB_API lb_solver *lb_solver_create(const lb_problem *problem);
LB_API void lb_solver_destroy(lb_solver *solver);
/* Makes room to solve the problem as it is now by a method, so that solving allocates nothing. lb_solver_solve does it
 * itself if it was forgotten: only a problem with more in it, or a method not used before, needs memory. */
LB_API lb_status lb_solver_prepare(lb_solver *solver, lb_method method);
/* pose: the start in, the answer out. The status says whether the call worked, the result what was found. options NULL:
 * defaults. */
LB_API lb_status lb_solver_solve(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result);
/* Several distinct answers, nearest to the start first: poses[wanted][variable_count]. *found of them; each solved. Two
 * are distinct when some variable differs by more than `apart` (radians, metres; whole turns do not count, and of rotation
 * vectors the angle between them does). */
LB_API lb_status lb_solver_solve_all(lb_solver *solver, const lb_solve_options *options, const double *start,
                                     double apart, int wanted, double *poses, int *found, lb_result *result);
/* Why an answer does not meet its goals, and how much freedom it leaves: fills `unmet`, `reasons`, `freedom` and the sentence
 * of the result that lb_solver_solve gave with this pose. The reasons concern the constraint that the sentence names. Each was
 * tried: the limit loosened by `give`, or the other constraint left out, and solved again from the pose; one that gains
 * less than a tenth of the miss is not named. Allocates nothing, and changes neither the pose nor what the next solve gives.
 * options NULL: defaults; of them max_iterations, max_evaluations (in all), gradient_tolerance, the deadline (counted from
 * this call) and cancel are used: what is not tried by then is not named. Needs a method's memory (lb_solver_prepare)
 * as any solve does. */
LB_API lb_status lb_solver_explain(lb_solver *solver, const lb_solve_options *options, const double *pose,
                                   lb_result *result);
/* Value of the problem's G, and optionally its gradient [variable_count], in any pose inside its limits: all goals'
 * sum, and the wishes' where they are in it. The gradient is 0 for variables that may not move. */
LB_API lb_status lb_solver_value(lb_solver *solver, const double *pose, double *value, double *gradient);

/* All in one, with a solver made for it and thrown away; where it is not solved, and there is no deadline, explained too.
 * The lists in result are empty then, its numbers and sentence are there. */
LB_API lb_status lb_solve(const lb_problem *problem, const lb_solve_options *options, double *pose, lb_result *result);

/* ---------------------------------------------------------------------------------------------------
 * Atlases: an arm's poses, tabled
 * ------------------------------------------------------------------------------------------------- */

/* Where some thousand random poses of an arm lead: with it in lb_solve_options restarts begin near the goal, which halves the
 * time of solves whose start is far from it (docs/batches.md). It is made once, never changes, and threads share it; it has
 * to live as long as it is used. It belongs to a chain of joints, their ranges and the end-effector's point: it serves all
 * problems and goals that have these, wherever the arm stands, and is passed over in others, without restarts, and where
 * the start is near the goal.
 *
 * For a problem with one frame as its only constraint, as the chain engine can do it (docs/methods.md): else
 * LB_ERROR_UNSUPPORTED. pose: what does not move, stands as it has it; NULL: the rest pose. count: how many poses, 256
 * to 1048576, up to the next power of two; 0: 8192, which take a few milliseconds and about 0.6 MB. */
LB_API lb_status lb_atlas_create(const lb_problem *problem, const double *pose, int count, lb_atlas **atlas);
LB_API void lb_atlas_destroy(lb_atlas *atlas);
LB_API size_t lb_atlas_memory(const lb_atlas *atlas); /* bytes */
LB_API int lb_atlas_count(const lb_atlas *atlas);     /* poses */

/* ---------------------------------------------------------------------------------------------------
 * Many problems at once: the same figures, constraints and options, each with goals and a start pose of its own
 * (docs/batches.md). Every pose and number is the one that lb_problem_move_goal and lb_solver_solve would give, to the
 * bit, for any number of threads.
 * ------------------------------------------------------------------------------------------------- */

typedef struct lb_answer {
    lb_status status;   /* what lb_solver_solve would have returned */
    lb_outcome outcome; /* LB_OUTCOME_INVALID where the status is not LB_OK, as for a goal that is not finite */
    double value;       /* G at the answer; NaN where it was not solved at all */
    int iterations, evaluations, restarts;
} lb_answer;

typedef struct lb_many {
    int count;      /* problems */
    int goal_count; /* constraints whose goals differ from problem to problem; the others are the problem's own */
    const int *ids; /* [goal_count]: which */
    const lb_frame *goals; /* [count][goal_count]: as lb_problem_move_goal takes them */
    const double *starts;  /* [count][variables], or [variables] with one_start */
    int one_start;         /* 1: one start pose for all */
    double *poses;         /* [count][variables]: the answers; may be `starts` itself (not with one_start). Where a
                              problem's status is not LB_OK, its start */
    lb_answer *answers;    /* [count]; may be NULL */
    int threads;           /* at most this many; 0 or 1 (default): only the one that calls; a library built without
                              threads has no others */
    int (*on_progress)(void *context, int done, int count); /* now and then, from the thread that called; returns
                                                               non-zero to stop; NULL: none */
    void *on_progress_context;
} lb_many;

LB_API void lb_many_defaults(lb_many *many);
/* Solves them all. options NULL: defaults; its deadline is each problem's own, its clock is called from all threads, and
 * on_iteration must not be set (LB_ERROR_ARGUMENT). The status says whether the call worked: it makes its solvers, one a
 * thread, before it begins, and fails with LB_ERROR_MEMORY, nothing touched, where they cannot be had. When it is
 * cancelled or on_progress stops it, problems that are not done keep their start as their pose, with LB_OUTCOME_BUDGET. */
LB_API lb_status lb_solve_many(const lb_problem *problem, const lb_solve_options *options, const lb_many *many);

LB_API const char *lb_method_name(lb_method method);    /* "lm", ... */
LB_API int lb_method_find(const char *name);            /* negative where there is none */
LB_API const char *lb_outcome_name(lb_outcome outcome); /* "solved", "minimum", "budget", "invalid" */
/* "limit", "row", "goal", "obstacle", "distance", "budget", "start" */
LB_API const char *lb_reason_name(lb_reason_kind kind);
/* "under-constrained", "perfectly constrained", "over-constrained", "unknown" */
LB_API const char *lb_determinacy_name(lb_determinacy determinacy);

#ifdef __cplusplus
}
#endif

#endif
