#ifndef LIMBER_SOLVE_SOLVER_H
#define LIMBER_SOLVE_SOLVER_H

#include "solve/arm/arm_schedule.h"
#include "solve/arm/arm_tree.h"
#include "solve/bounds.h"
#include "solve/call.h"
#include "solve/plan/space.h"
#include "solve/wish/climb_memory.h"

#define LBS_MOST_REASONS 52 /* what lb_solver_explain tries at most, and those it need not try */

/* The best start so far. */
typedef struct lbs_best_start {
    double *z;      /* [n] */
    double *levels; /* [level]: the values there */
    int met;        /* so many of the levels, the highest first, are met */
} lbs_best_start;

/* The Kuhn-Tucker conditions at an answer (outcome.c). */
typedef struct lbs_kkt {
    int is_known;                  /* norms are those of the answer */
    double *norms;                 /* [level]: of the projected gradient */
    double *gradient, *direction;  /* [n]: of the level that is reported, and its projection */
    double *bound_multipliers;     /* [n]: of that level */
    double *limit_multipliers;     /* [limit] */
    const double *row_multipliers; /* of the rows of goals, where the level that is reported is that of the wishes */
} lbs_kkt;

/* Memory of what lb_result points to. */
typedef struct lbs_lists {
    lb_constraint_result *constraints;
    lb_active_limit *limits;
    lb_level_result *levels;
    lb_measure *measures;
    lb_reason reasons[LBS_MOST_REASONS];
} lbs_lists;

/* Scratch of freedom.c. */
typedef struct lbs_freedom_scratch {
    double *limit_rows;   /* [limits, at most LBS_MAX_ACTIVE][n]: limits in force */
    double *goal_rows;    /* [m][n]: a copy of the Jacobian */
    double *spans;        /* [item][LBP_MAX_ROWS][LBP_MAX_ROWS] */
    double *sample;       /* [n]: another place than the answer */
    double *measure_rows; /* [6][stride]: of measure.c */
} lbs_freedom_scratch;

#define LBS_ARMS 8 /* plans of a solver at most: goals on chains of their own, and a tree for those that share joints */

/* The arm engine of a solver (arm/). */
typedef struct lbs_arm_engine {
    lbs_arm *plan;            /* the first of the plans */
    lbs_arm *plans[LBS_ARMS]; /* [room]; where has_plan, `count` of them are in use, solved one after the other */
    int room, count;
    lbs_tree *tree; /* what a plan of several goals, or of joints that follow others, has besides; NULL: none can be */
    unsigned revision; /* of the problem when the plan was tried */
    int is_tried;      /* planning was tried for this revision */
    int has_plan;      /* and there is one */
    unsigned made;     /* how many plans were made */
    void *run_block;   /* memory of a run */
    void *run_memory;  /* the same, aligned */
    void *plan_block;  /* memory of the plan's arrays */
    size_t plan_block_size;
    double *answer;  /* [n]: where the engine came to */
    double *watched; /* [n]: where the engine is, for who watches */
} lbs_arm_engine;

/* Whether the plan is one chain of joints with one goal; and whether that is in the world. */
static inline int lbs_arm_is_single(const lbs_arm_engine *arm) { return arm->count == 1 && !arm->plan->tree; }
static inline int lbs_arm_is_plain(const lbs_arm_engine *arm) {
    return lbs_arm_is_single(arm) && arm->plan->base == LBS_ARM_OF_WORLD;
}

struct lb_solver {
    const lb_problem *problem;
    lb_allocator allocator;
    unsigned shape; /* of the problem when the space was made */
    lbs_space *space;
    size_t space_size;
    double *work; /* of the methods: one at a time */
    size_t work_size;
    unsigned ready; /* a bit for each method that there is memory for */
    void *block;    /* all arrays below, but for the arm's */
    size_t block_size;
    double *z;             /* [n]: where the solve is */
    double *first;         /* [n]: where the first start ended */
    double *caller_start;  /* [n]: where the first start began */
    double *answer;        /* [variable of the pose]: a pose of lb_solver_solve_all */
    unsigned char *usable; /* [n]: whether random starts move the variable */
    int *used;             /* [variable of the pose]: explain.c's */
    lb_engine engine;      /* that answers */
    int ran_out;           /* the last solve ended for want of iterations, evaluations or time */
    lbs_best_start best;
    lbs_kkt kkt;
    lbs_lists lists;
    lbs_freedom_scratch freedom;
    lbs_bounds bounds; /* of the goal that was last asked about */
    lbs_arm_engine arm;
    lbs_climb climb;           /* scratch of the wish for manipulability */
    struct lbs_closed *closed; /* NULL: no closed form can apply (arm/arm_closed.h) */
    struct lbs_bodies *bodies; /* NULL: no figure is posed as a body */
    struct lbs_apart *apart;   /* NULL: nothing is kept apart, or this solver is the one that does it (apart/apart.h) */
    int sees_pairs;            /* pairs that are kept apart are items of the space */
};

typedef struct lbs_bodies lbs_bodies;
/* Figures that are posed as bodies (body/): memory for them, and the part of lbs_solve between its beginning and its
 * report. */
lb_status lbs_bodies_create(const lbs_space *space, struct lbs_apart *apart, lbs_bodies **made);
void lbs_bodies_destroy(lbs_bodies *bodies);
lb_status lbs_bodies_solve(lb_solver *solver, const lb_solve_options *options, double *pose, lb_result *result,
                           lb_error *error);

/* Goals in place of the problem's own. */
typedef struct lbs_goals {
    int count;
    const int *items;       /* [count], of the space */
    const lb_frame *frames; /* [count] */
} lbs_goals;

/* The part of a solve that the arm engine does. */
typedef struct lbs_part {
    lbs_arm_job job;       /* first, so that who has the job has the part */
    double z[LBS_ARM_MAX]; /* the start, then the answer */
    lb_goal goal;          /* the only one that counts */
    double *start;         /* [variable]: the start pose, inside its limits; memory of the caller's */
    int problem;           /* the caller's */
} lbs_part;

/* Makes memory for the problem as it is now and a method, where there is none yet. */
lb_status lbs_prepare(lb_solver *solver, lb_method method);
/* lb_solver_create; sees_pairs as in lbs_space_create. */
lb_solver *lbs_solver_create(const lb_problem *problem, int sees_pairs, lb_error *error);
/* All of a solve but what lbs_report adds: the pose, and in result its outcome and numbers. Where it fails the error
 * says why, and the pose is as it was. goals may be NULL; after others the solver is to be thrown away. part, where it
 * is not NULL, is lbs_offer's, done (goals are not looked at then); value_before is only there where it did not
 * solve. */
lb_status lbs_solve(lb_solver *solver, const lb_solve_options *options, const lbs_goals *goals, const lbs_part *part,
                    double *pose, lb_result *result, lb_error *error);

/* The same where nothing is kept apart. */
lb_status lbs_solve_plainly(lb_solver *solver, const lb_solve_options *options, const lbs_goals *goals,
                            const lbs_part *part, double *pose, lb_result *result, lb_error *error);

/* Checks the options, makes memory where it is needed, and begins a task: the first step of every public call. */
lb_status lbs_begin_solver(lb_solver *solver, const lb_solve_options *options, const double *pose, lb_result *result,
                           lb_error *error);
/* The same; the start goes to z, inside its limits. */
lb_status lbs_open(lb_solver *solver, const lb_solve_options *options, const double *pose, lb_result *result,
                   lb_error *error);
/* Refuses a solve in a thread that rounds otherwise than to nearest, where that cannot be changed. */
lb_status lbs_refuse_rounding(lb_result *result);
/* Shows wishes that are a level of their own, and moves a pose, where goals are done, to where they are least. */
void lbs_grant_wishes(lb_solver *solver, double *pose, int are_goals_done);
/* The outcome alone (outcome.c), and the numbers of an answer, which is z and the point of the last evaluation. */
void lbs_decide_outcome(lb_solver *solver, double *pose, lb_result *result);
void lbs_finish(lb_solver *solver, lb_result *result);
/* The outcome and the numbers of a pose that is to be the answer, which is z from then on, evaluated. The outcome is
 * that of the pose as it is given, whatever a method made of it: `solved` if all is met there, and `minimum`, if it was
 * one, only where the Kuhn-Tucker conditions hold on every level. A pose that is worse than the start is replaced by
 * it. */
void lbs_decide(lb_solver *solver, double *pose, lb_result *result);
/* Whether every level has a Kuhn-Tucker point at z, the point of the last evaluation. */
int lbs_is_minimum(lb_solver *solver);
/* The norms of all levels' projected gradients at z, the point of the last evaluation, into solver->norms; and in
 * solver->gradient, direction, bounds, limits that of the highest level that is not met (the last, where all are). */
void lbs_find_norms(lb_solver *solver);
/* How fast the wishes' value rises as a goal moves and turns, right after lbs_find_norms where the wishes are
 * reported. */
void lbs_find_forces(lb_solver *solver, const lbs_item *item, lb_constraint_result *result);
/* Puts goals in place of the problem's own. */
lb_status lbs_place_goals(lbs_space *space, const lbs_goals *goals, lb_error *error);

/* The arm engine's part of a solve, to be done together with others. Returns 0 where it has none. `others`: some of the
 * plan as it is are under way, so only one that it fits will do. */
int lbs_offer(lb_solver *solver, const lb_solve_options *options, const lbs_goals *goals, const double *pose,
              int others, lbs_part *part);

/* Makes the arm engine's plan of the problem, what does not move as in the pose (NULL: at rest). LB_ERROR_UNSUPPORTED
 * where there is none. */
lb_status lbs_arm_prepare(lb_solver *solver, const double *pose);

/* Adds a result's lists, its gradient's norm and the sentence to what lbs_solve left: the answer is solver->z,
 * evaluated. */
void lbs_report(lb_solver *solver, lb_result *result);
/* The lists and the gradient's norm alone. */
void lbs_report_lists(lb_solver *solver, lb_result *result);
/* How much freedom the goals leave at solver->z, evaluated; the multipliers of limits in force are in solver->bounds
 * and solver->limits if has_multipliers. The last evaluation is at z again afterwards. */
void lbs_count_freedom(lb_solver *solver, int has_multipliers, lb_freedom *freedom);
/* Measures how well the effectors of all constraints can move at solver->z, which is evaluated and differentiated for
 * it. */
void lbs_measure(lb_solver *solver, lb_result *result);
/* How far the goal of an item is at least from all that its effector's point can reach, whatever the angles: metres
 * beyond the length of its chain; 0 where that says nothing. Leaves the space to be evaluated anew. */
double lbs_beyond(lbs_space *space, const lbs_item *item);

#endif
