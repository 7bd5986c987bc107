/* The last evaluation: G, its rows of residuals and their derivatives at a point z. */
#ifndef LIMBER_SOLVE_EVAL_EVALUATION_H
#define LIMBER_SOLVE_EVAL_EVALUATION_H

#include <stdint.h>

#include "solve/plan/item.h"

typedef struct lbs_space lbs_space;

/* A face of a region that a higher level has an effector in, which the steps of a lower level must not go beyond. */
typedef struct lbs_guard {
    int item;
    double value;          /* metres beyond the face; < 0: on the near side */
    double derivatives[9]; /* by the effector, in the goal's frame */
} lbs_guard;

typedef struct lbs_evaluation {
    int is_valid;         /* 0: what follows belongs to no point of this solve */
    double *z;            /* [n]: the point */
    double *pose;         /* [variable of the pose]: the same point */
    double *level_values; /* [level]: the sum of squares there; wishes without a level of their own are in the last */
    double *residuals;    /* [m], weighted */
    int *group_best;      /* [group]: the item of each group of alternatives that counts */
    double *jacobian;     /* [m][stride]: of the last lbs_differentiate; rows begin on a cache line, 0 beyond n */
    uint64_t *blocks;     /* [m][lbm_block_words(stride)]: which blocks of a row may be other than 0 */
    int guard_count;      /* faces of regions above task.guard_level */
    lbs_guard *guards;    /* [guard_count] */
    double *guard_rows;   /* [guard_count][stride]: their Jacobian; where there are guards the items' own rows are 0 */
    double (*twists)[8]; /* [mover]: how a unit of the column moves all beyond: velocity of the point at the origin, and
                              angular velocity, each with a padding */
    double *panel;       /* [6][stride]: the twists by columns; split columns as the last item that has them */
    double *own_panel;   /* [6][stride]: the columns of a centre of mass */
    double (*wrenches)[6]; /* [node]: scratch of the gradient: force and moment on all that hangs on the node */
} lbs_evaluation;

/* --- G and its derivatives
 * -------------------------------------------------------------------------------------------- */

/* G, the sum of all levels of goals: an evaluation, unless the last one was at z, too. */
double lbs_value(lbs_space *space, const double *z);
/* G of the last evaluation. */
double lbs_total(const lbs_space *space);
/* Value and gradient [n] of one level (-1: of G). */
double lbs_gradient(lbs_space *space, const double *z, int level, double *gradient);
/* The gradient alone, at z, where the last evaluation was. */
void lbs_gradient_here(lbs_space *space, const double *z, int level, double *gradient);
/* Fills the Jacobian at the point of the last evaluation, which is not made again. Wishes are not rows: lbs_wishes adds
 * them. */
void lbs_differentiate(lbs_space *space);
/* Evaluates and differentiates. */
double lbs_jacobian(lbs_space *space, const double *z);
/* The wrenches of an item's rows in the world, without their weight, at the last evaluation: LBP_MAX_ROWS of them. */
void lbs_item_wrenches(const lbs_item *item, double (*wrenches)[6]);
/* The rows [count][stride] that wrenches in the world have by an item's columns at the last evaluation. */
void lbs_item_rows(lbs_space *space, const lbs_item *item, int count, const double (*wrenches)[6], double *out);
/* How far the effector is beyond a guard's face at the last evaluation, in metres. */
double lbs_guard_value(const lbs_space *space, int guard);
/* The wishes' value at z. Half their gradient [n] and half their curvature [n] are added where the pointers are not
 * NULL. */
double lbs_wishes(const lbs_space *space, const double *z, double *half_gradient, double *half_curvature);

/* --- What is met ------------------------------------------------------------------------------------------------------- */

/* Whether an item, or an alternative to it, is within its tolerance at the last evaluation. */
int lbs_item_met(const lbs_space *space, const lbs_item *item);
/* Whether every enabled item of the levels up to `level` is met at the last evaluation. */
int lbs_met(const lbs_space *space, int level);
/* The level whose gradient is reported: the highest that is not met at the last evaluation; the last, where all are. */
int lbs_reported_level(const lbs_space *space);
/* Whether nothing is left to do on a level at z, the point of the last evaluation: the items of the level and of those
 * above it are met, and there are no wishes on it, or they are fulfilled. */
int lbs_is_content(const lbs_space *space, const double *z, int level);

/* --- Kuhn-Tucker points
 * -------------------------------------------------------------------------------------------------- */

/* The projection of -gradient onto the directions that keep the limits at z. Its norm, which is returned, is 0 at a
 * Kuhn-Tucker point. What the projection takes off are the multipliers: of bounds [n] (>= 0, of the bound that blocks)
 * and of limits [limits.count]. At most LBS_MAX_ACTIVE limits over several variables are looked at. */
double lbs_tangent(const lbs_space *space, const double *z, const double *gradient, double *direction,
                   double *bound_multipliers, double *limit_multipliers);

#endif
