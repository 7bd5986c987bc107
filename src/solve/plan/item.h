/* An item is a constraint as methods see it: one of the problem's, or the closure of a figure's loop. */
#ifndef LIMBER_SOLVE_PLAN_ITEM_H
#define LIMBER_SOLVE_PLAN_ITEM_H

#include <stdint.h>

#include "math/vec.h"
#include "problem/problem.h"

typedef struct lbs_item {
    const lb_constraint *constraint; /* the problem's, or closure below */
    lb_constraint closure;           /* of a loop */
    int index;                       /* in the problem's constraints; -1: the item is a loop's closure */
    int level;
    int enabled;
    int is_gaze;   /* the eyes of a body look for it */
    lbp_goal goal; /* a copy of the problem's, or another in its place, with this solver's scratch */
    double root_weight;
    int group; /* of alternatives (any_of within a level), or -1 */
    int first_row, row_count;
    int node;                        /* that the effector is fixed to; -1: the world, or the centre of mass */
    double local[9];                 /* the effector in that node's frame */
    int has_axes;                    /* the goal sees more of the effector than its point; else the axes stay 0 */
    int is_point;                    /* the goal is a point in the world and nothing else */
    int carrier_node, carrier_moves; /* of the segment that carries the goal */
    lbm_transform carrier_local;     /* the carrier's frame in its node's */
    int first_split, split_count;    /* columns that are the item's own: lbs_columns.splits */
    double *signs;                   /* [stride]: what each column counts by, in lbs_columns.signs */
    double *jacobian;                /* [row_count][stride]: the item's rows, in lbs_evaluation.jacobian */
    uint64_t *blocks;                /* [row_count][words]: which blocks of them may be other than 0 */
    /* of the last evaluation: */
    int counted;               /* whether the item is in its level's sum */
    double value;              /* P */
    double e_w[9];             /* the effector in the world: its point, its x axis, its y axis */
    double e[9];               /* the effector in the goal's frame */
    double rows[LBP_MAX_ROWS]; /* residuals without their weight */
    lbm_transform carrier;     /* the carrier's frame in the world */
} lbs_item;

/* The item of a constraint, by its place in the problem's list: loops come first. */
int lbs_item_of(const lb_problem *problem, int constraint);
/* Who follows a constraint that aims by the gaze of a body. */
typedef enum lbs_gaze {
    LBS_GAZE_NONE, /* it is another constraint */
    LBS_GAZE_HEAD,
    LBS_GAZE_EYES
} lbs_gaze;

lbs_gaze lbs_gaze_of(const lb_problem *problem, const lb_constraint *constraint);
/* Makes the first eye the effector of such a constraint. */
void lbs_redirect_gaze(const lb_problem *problem, lb_constraint *constraint);
/* Whether an item is within its tolerance at the last evaluation. */
int lbs_met_itself(const lbs_item *item);

#endif
