/* The space that a method works in: the variables that may move, scaled by rigidity, their limits, and G with its
 * derivatives.
 *
 * z[i] = pose[index[i]] / scale[i], scale = 1 - rigidity (ZB94 section 11). All that a method sees is in terms of z.
 * Constraints are "items" here (loop closures are items too); rows of residuals are ordered by priority level, the
 * highest first. */
#ifndef LIMBER_SOLVE_SPACE_H
#define LIMBER_SOLVE_SPACE_H

#include "figure/kinematics.h"
#include "math/dense.h"
#include "problem/problem.h"

typedef struct lbs_item {
    const lb_constraint *constraint; /* the problem's, or closure below */
    lb_constraint closure;           /* of a loop */
    int index;                       /* in the problem's constraints; -1: a loop's closure */
    int level;
    int enabled;
    lbp_goal goal; /* a copy of the problem's, or another in its place, with this solver's scratch */
    double root_weight;
    int group; /* of alternatives (any_of within a level), or -1 */
    int first_row, row_count;
    int counted;                          /* at the last evaluation */
    double value;                         /* P there */
    double e_w[9];                        /* the effector there, in the world */
    double e[9];                          /* and in the goal's frame */
    int has_axes;                         /* the goal sees more of it than the point; else its axes stay 0 */
    int is_point;                         /* a point in the world is all there is to it */
    double rows[LBP_MAX_ROWS];            /* unweighted */
    int first_split, split_count;         /* columns that are its own */
    int node;                             /* that the effector is fixed to; -1: the world, or the centre of mass */
    double local[9];                      /* the effector in that node's frame */
    int carrier_node, carrier_moves;      /* the same of the goal's carrier */
    lbm_transform carrier_local, carrier; /* its frame in that node's, and in the world at the last evaluation */
} lbs_item;

#define LBS_MAX_ACTIVE 128
#define LBS_PIECES 8           /* of work, that are remembered */
#define LBS_WISH_PRIORITY 1001 /* below that of every constraint */

/* A coordinate and one of the variables that move it: its own, or one that drives it. `owner` is its figure, `part`
 * its node among the nodes of all figures. It is whole if all items that see anything of the column see it from here
 * to the root. */
typedef lbm_screw lbs_mover;

/* A column that an item sees more or less of than others do. */
typedef struct lbs_split {
    int column, mover, carrier_mover; /* the last ones of the effector's and of the carrier's chain, or -1 */
} lbs_split;

/* A face of a region that a higher level has an effector in, which a lower one's steps must not go beyond. */
typedef struct lbs_guard {
    int item;
    double value;          /* metres beyond it; < 0: on the near side */
    double derivatives[9]; /* by the effector, in the goal's frame */
} lbs_guard;

typedef struct lbs_space {
    const lb_problem *problem;
    const lb_solve_options *options;
    unsigned revision, moves; /* of the problem when it was planned, and when its goals were copied */
    lb_allocator allocator;
    int figure_count; /* of the problem when the space was made: it may have more by the time this is put away */
    lb_kinematics **kinematics; /* [figure] */
    double *pose;               /* [variable]: the pose last evaluated */
    double *here;               /* [n]: where that was */
    int is_here;                /* 0: all that an evaluation leaves behind is of something else */
    double *start;              /* [variable]: the start pose, inside its limits */
    double *placed;             /* [variable]: the one that what does not move was placed by, if it was */
    int is_placed;
    int item_count;
    int level_count; /* of goals, and behind them that of the wishes where they have one and are not hidden */
    int goal_level_count;
    int has_wish_level; /* hidden or not */
    lbp_wishes wishes;  /* the problem's; all weights are 0 while they are hidden */
    lbs_item *items;
    int group_count;
    int *group_best;    /* [group] */
    int forced;         /* the item that counts in its group of alternatives, whatever its value; -1: the best does */
    int row_count;      /* m */
    int *level_rows;    /* [level_count + 1]: rows of level l are level_rows[l] .. level_rows[l + 1] - 1 */
    int *levels;        /* [level]: its priority; -1 is that of loops */
    double *row;        /* [m]: weighted residuals of the last evaluation */
    double *jacobian;   /* [m][stride]: of the last lbs_differentiate; rows begin on a cache line, 0 beyond n */
    uint64_t *blocks;   /* [m][lbm_block_words(stride)]: which blocks of a row of it may be other than 0 */
    int guard_level;    /* lbs_differentiate finds the faces of regions above this level; 0: none */
    int guard_count;    /* ... so many, */
    lbs_guard *guards;  /* [lbs_max_guards], */
    double *guard_rows; /* [those][stride]: with their Jacobian; the items' own rows in it are 0 then */
    const lbm_kernels *kernels;
    int node_count;                /* of all figures */
    int *first_nodes;              /* [figure]: of its nodes among those of all */
    int *marks;                    /* [node]: columns.c's */
    lbf_selection *still, *moving; /* [figure]: nodes that items see: placed once for a start pose, and for each pose */
    lbf_selection *carried;        /* [figure]: nodes between moving ones that do not move themselves: once, too */
    lbf_node **tables;             /* [figure]: its nodes, with what carried ones do in the constants of those behind */
    int mover_count;
    lbs_mover *movers;                 /* [coordinate and term], those of a node one behind the other */
    int *first_movers, *mover_counts;  /* [node] */
    int *tips, *carrier_tips, *wholes; /* [n]: columns.c's */
    lbs_split *splits;                 /* [item][n], at most */
    double (*sums)[8];  /* [mover]: how a unit of the column moves all beyond: the point at the origin; the turn; each
                          with a padding */
    double *panel;      /* [6][stride]: the same by columns; split ones as the last item that has them */
    double *own_panel;  /* [6][stride]: the columns of a centre of mass */
    double *ones;       /* [stride] */
    double *signs;      /* [item][stride]: 1 if a column moves its effector, -1 its carrier; 0 if neither, or both */
    double (*pulls)[6]; /* [node]: the gradient's scratch: force and moment on all that hangs on the node */
    double length;      /* of the figures, in metres; at most 1 */
    int n;              /* variables that may move */
    int stride;         /* n rounded up to a multiple of 8 */
    int *index;         /* [n] -> variable */
    int *active_of;     /* [variable] -> i, or -1 */
    double *scale;      /* [n] */
    int is_scaled;      /* some of it is not 1 */
    double *lower, *upper; /* [n] */
    double *least, *most;  /* [n]: the same in the pose */
    int turning_count;     /* variables whose whole turns change nothing, and which have room for one (turns.h), */
    int *turning;          /* [n] */
    int limit_count;
    lb_limit_row *limits; /* rows over several z, unit vectors */
    int *limit_variables; /* [terms of all rows]: theirs */
    double *limit_coefficients;
    int *limit_figure, *limit_row; /* where each comes from */
    double *limit_norm;            /* of each before it was made a unit vector */
    int bent_count; /* limits that variables which may not move have a part in: their bounds follow the */
    int *bent;      /* start pose */
    void *project_scratch;
    double *level_value;     /* [level]: sum of squares there; wishes belong to the last */
    double *tangent_scratch; /* [2 n + LBS_MAX_ACTIVE (LBS_MAX_ACTIVE + 4)] */
    /* budget */
    int give_up; /* 1: there are further starts, so one that makes little headway is not worth its iterations */
    int evaluations, iterations, restarts, stopped;
    int late;                     /* stopped by the clock, or cancelled: nothing may take long any more */
    double began_us, looked_us;   /* by the clock: when it began, and when it was last looked at */
    int look_count;               /* how often it was */
    double pieces_us[LBS_PIECES]; /* what the last few pieces of work between two looks took */
} lbs_space;

/* The item of a constraint, by its place in the problem's list: loops come first. */
int lbs_item_of(const lb_problem *problem, int constraint);
/* Memory for the problem's present shape, in one block; NULL if there is none. */
lbs_space *lbs_space_create(const lb_problem *problem, size_t *size);
void lbs_space_destroy(lbs_space *space, size_t size);

/* Which nodes and columns count, once the variables that may move are chosen. */
void lbs_lay_out_columns(lbs_space *space);
/* Places what does not move, by the start pose. */
void lbs_place_still(lbs_space *space);
void lbs_place_carrier(const lbs_space *space, lbs_item *item);
/* The column of the i-th variable that moves a coordinate; -1 if it may not. */
int lbs_column_of(const lbs_space *space, int figure, lbf_influence influence, int i);
static inline double *lbs_signs(const lbs_space *space, const lbs_item *item) {
    return space->signs + (size_t)(item - space->items) * (size_t)space->stride;
}

/* Gets ready to solve from a pose, which is moved into its limits. What only depends on the problem (which variables
 * may move, limits, rows, weights) is planned when the problem has changed. Fails (LB_ERROR_ARGUMENT, with *error) on
 * numbers that are not finite or a chain that does not start on the way to the root. */
lb_status lbs_begin(lbs_space *space, const lb_solve_options *options, const double *pose, lb_error *error);
/* The same for a start that lbs_begin left in the space, of this problem unchanged: nothing is looked at again. */
void lbs_resume(lbs_space *space, const lb_solve_options *options, const double *start);
/* used[variable of the pose]: whether the chain of an item that is enabled now has it. */
void lbs_find_used(lbs_space *space, int *used);
void lbs_from_pose(const lbs_space *space, const double *pose, double *z);
/* Variables that may not move have the start's value. They always have it in the space's own pose, which is where this
 * is quick. */
void lbs_to_pose(const lbs_space *space, const double *z, double *pose);

/* G, the sum of all levels of goals; an evaluation, unless the last one was at z, too. */
double lbs_value(lbs_space *space, const double *z);
/* Value and gradient [n] of one level (-1: of G). */
double lbs_gradient(lbs_space *space, const double *z, int level, double *gradient);
/* The gradient alone, at z, where the last evaluation was. */
void lbs_gradient_here(lbs_space *space, const double *z, int level, double *gradient);
/* Fills jacobian[] at the point of the last evaluation, which is not made again; wishes are not rows: lbs_wishes adds
 * them. */
void lbs_differentiate(lbs_space *space);
/* The wrenches of an item's rows, without their weight, where it was evaluated last, in the world: LBP_MAX_ROWS of
 * them. */
void lbs_item_wrenches(const lbs_item *item, double (*wrenches)[6]);
/* The rows that wrenches in the world have by an item's columns there, [count][stride]. */
void lbs_item_rows(lbs_space *space, const lbs_item *item, int count, const double (*wrenches)[6], double *out);
/* Evaluates and differentiates. */
double lbs_jacobian(lbs_space *space, const double *z);
static inline double *lbs_jacobian_row(const lbs_space *space, int row) {
    return space->jacobian + (size_t)row * (size_t)space->stride;
}
/* Rows first .. first + count - 1 of it, for the kernels. */
static inline lbm_matrix lbs_matrix(const lbs_space *space, int first, int count) {
    const uint64_t *blocks = space->blocks + (size_t)first * (size_t)lbm_block_words(space->stride);
    return (lbm_matrix){count, space->stride, lbs_jacobian_row(space, first), blocks};
}
/* Hides wishes that are a level of their own from those who go for the goals, and shows them again. */
void lbs_hide_wishes(lbs_space *space);
void lbs_show_wishes(lbs_space *space);
static inline int lbs_shows_wish_level(const lbs_space *space) { return space->level_count > space->goal_level_count; }
/* The wishes' part: half the gradient [n] and the curvature [n] (both half of that of G), added; returns their value.
 * NULL to skip. */
double lbs_wishes(const lbs_space *space, const double *z, double *half_gradient, double *half_curvature);
/* The closest point inside the limits. */
int lbs_project(const lbs_space *space, double *z);
/* Whether an item is within its tolerance at the last evaluation. */
int lbs_met_itself(const lbs_item *item);
/* The same, or an alternative to it. */
int lbs_item_met(const lbs_space *space, const lbs_item *item);
/* Whether every enabled item (of the levels up to `level`; all: level_count - 1) is met at the last evaluation. */
int lbs_met(const lbs_space *space, int level);
/* The level whose gradient is reported: the highest that is not met at the last evaluation; the last, where all are. */
int lbs_reported_level(const lbs_space *space);
/* Whether nothing is left to do on a level at z, the point of the last evaluation: its items and those above are
 * met, and there are no wishes on it, or they are fulfilled. */
int lbs_is_content(const lbs_space *space, const double *z, int level);
/* G of the last evaluation: the sum of all levels of goals. */
static inline double lbs_total(const lbs_space *space) {
    double sum = 0;
    for (int l = 0; l < space->goal_level_count; l++) {
        sum += space->level_value[l];
    }
    return sum;
}
/* Whether the deadline is past, or would be when the next piece of work is done, or it was cancelled. */
int lbs_late(lbs_space *space);
/* Whether evaluations or time are spent, or it was cancelled: asked wherever an iteration may take long. */
int lbs_spent(lbs_space *space);
/* Calls back, if somebody watches: he may stop it. */
void lbs_tell(lbs_space *space, const double *z, double value);
/* After each iteration: counts it, calls back, and tells whether to stop (budget, time, cancelled). */
int lbs_stop(lbs_space *space, const double *z, double value);

/* The projection of -gradient onto the directions that keep the limits at z; its norm, returned, is 0 at a Kuhn-Tucker
 * point. What is taken off is bound_multipliers[n] (>= 0; of the bound that blocks) and limit_multipliers[limit_count].
 * At most LBS_MAX_ACTIVE limits over several variables are looked at. */
double lbs_tangent(const lbs_space *space, const double *z, const double *gradient, double *direction,
                   double *bound_multipliers, double *limit_multipliers);

/* How a method ended. */
typedef enum lbs_end {
    LBS_MET,     /* every item is within its tolerance */
    LBS_MINIMUM, /* a Kuhn-Tucker point */
    LBS_OUT,     /* out of budget, or no further progress */
    LBS_CANNOT   /* the method cannot do this problem: says why in the error */
} lbs_end;

/* A method: z is inside its limits, in and out; never worse at the end. `work` has lbs_..._size(space) doubles (for the
 * largest n and m that the space can have). */
typedef lbs_end (*lbs_method)(lbs_space *space, double *work, double *z, lb_error *error);
size_t lbs_lm_size(const lbs_space *space);
lbs_end lbs_lm(lbs_space *space, double *work, double *z, lb_error *error);
size_t lbs_bfgs_size(const lbs_space *space);
lbs_end lbs_bfgs(lbs_space *space, double *work, double *z, lb_error *error);
size_t lbs_ccd_size(const lbs_space *space);
lbs_end lbs_ccd(lbs_space *space, double *work, double *z, lb_error *error);
size_t lbs_jacobian_size(const lbs_space *space);
lbs_end lbs_jacobian_method(lbs_space *space, double *work, double *z, lb_error *error);
size_t lbs_fabrik_size(const lbs_space *space);
lbs_end lbs_fabrik(lbs_space *space, double *work, double *z, lb_error *error);

/* The gradient's rounding-aware unit: a projected gradient of at most tolerance * this counts as zero. */
double lbs_gradient_unit(const lbs_space *space);
/* The same of one level, which weights of other levels do not make any coarser. */
double lbs_level_unit(const lbs_space *space, int level);
/* Levels, at most. */
size_t lbs_max_levels(const lb_problem *problem);
/* Largest n and m that the space has memory for. */
static inline int lbs_max_n(const lbs_space *space) { return space->problem->variable_count; }
int lbs_max_m(const lbs_space *space);
/* Limits over several variables, at most. */
size_t lbs_max_limits(const lb_problem *problem);
/* Faces of regions, at most; 0 where all constraints are of one level. */
size_t lbs_max_guards(const lb_problem *problem);
/* How far the effector is beyond a guard's face at the last evaluation. */
double lbs_guard_value(const lbs_space *space, int guard);

#endif
