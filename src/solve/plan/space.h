/* The space that a method works in: the plan of a problem, the last evaluation, and the budget.
 *
 * The plan (variables, limits, levels, columns) is constant until the problem changes; the evaluation belongs to a
 * point z; the task and the budget belong to the solve that is under way. */
#ifndef LIMBER_SOLVE_PLAN_SPACE_H
#define LIMBER_SOLVE_PLAN_SPACE_H

#include "solve/budget.h"
#include "solve/eval/evaluation.h"
#include "solve/plan/columns.h"
#include "solve/plan/levels.h"
#include "solve/plan/limits.h"
#include "solve/plan/variables.h"

/* What of the problem methods look at now. */
typedef struct lbs_task {
    int level_count;   /* levels.goal_count, and one more while wishes with a level of their own are shown */
    lbp_wishes wishes; /* the problem's; all weights are 0 while they are hidden */
    int forced;        /* the item that counts in its group of alternatives, whatever its value; -1: the best does */
    int guard_level;   /* lbs_differentiate finds the faces of regions above this level; 0: none */
} lbs_task;

/* What a problem of this shape has at most: the space, and the workspaces of methods, have memory for so many. */
typedef struct lbs_sizes {
    size_t figures, nodes;
    size_t movers; /* coordinates, and what drives them */
    size_t n;      /* variables of the pose: all may move */
    size_t stride; /* n rounded up to a multiple of 8 */
    size_t items, levels;
    size_t rows;                /* of residuals: m */
    size_t guards;              /* faces of regions; 0 where all constraints are of one level */
    size_t limits, limit_terms; /* limits over several variables, and the variables of all of them */
} lbs_sizes;

struct lbs_space {
    const lb_problem *problem;
    const lb_solve_options *options;
    lb_allocator allocator;
    const lbm_kernels *kernels;
    int figure_count; /* of the problem when the space was made: it may have more by the time the space is destroyed */
    lb_kinematics **kinematics; /* [figure] */
    lbs_sizes max;
    /* the plan */
    unsigned revision, moves; /* of the problem when it was planned, and when its goals were copied */
    int n;                    /* variables that may move */
    int stride;               /* n rounded up to a multiple of 8 */
    int row_count;            /* m */
    int pair_count;           /* of the items, the last ones: pairs that are kept apart */
    int item_count;
    lbs_item *items;
    lbs_variables variables;
    lbs_limits limits;
    lbs_levels levels;
    lbs_columns columns;
    double length; /* of the figures, in metres; at most 1 */
    /* the solve that is under way */
    double *start; /* [variable of the pose]: the start pose, inside its limits */
    lbs_task task;
    lbs_evaluation last;
    lbs_budget budget;
};

/* Memory for the problem's present shape, in one block; NULL if there is none. sees_pairs: what the problem keeps apart
 * are items, too, above all others. */
lbs_space *lbs_space_create(const lb_problem *problem, int sees_pairs, size_t *size);
/* Whether there may be more than one level. */
int lbs_may_have_levels(const lbs_space *space);
void lbs_space_destroy(lbs_space *space, size_t size);

/* Gets ready to solve from a pose, which is moved into its limits. What depends on the problem alone is planned anew
 * when the problem has changed. Fails (LB_ERROR_ARGUMENT, with *error) on numbers that are not finite or a chain that
 * does not start on the way to the root. */
lb_status lbs_begin(lbs_space *space, const lb_solve_options *options, const double *pose, lb_error *error);
/* The same for a start that lbs_begin left in the space, of this problem unchanged: nothing is looked at again. */
void lbs_resume(lbs_space *space, const lb_solve_options *options, const double *start);

/* Places nodes and carriers that do not move, by the start pose (pose.c). */
void lbs_place_still(lbs_space *space);
/* The same, with the bounds of partial limits. Wishes that are a level of their own are hidden. */
void lbs_place_start(lbs_space *space);
/* Places the segment that carries an item's goal, by the pose that is evaluated. */
void lbs_place_carrier(const lbs_space *space, lbs_item *item);

static inline double *lbs_jacobian_row(const lbs_space *space, int row) {
    return space->last.jacobian + (size_t)row * (size_t)space->stride;
}
/* Rows first .. first + count - 1 of the Jacobian, for the kernels. */
static inline lbm_matrix lbs_matrix(const lbs_space *space, int first, int count) {
    const uint64_t *blocks = space->last.blocks + (size_t)first * (size_t)lbm_block_words(space->stride);
    return (lbm_matrix){count, space->stride, lbs_jacobian_row(space, first), blocks};
}
static inline int lbs_shows_wish_level(const lbs_space *space) {
    return space->task.level_count > space->levels.goal_count;
}

#endif
