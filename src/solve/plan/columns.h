/* Columns of the Jacobian: which nodes of the figures constraints see, which of these move, and by which variables.
 *
 * A mover is a coordinate together with one of the variables that move it: its own, or one that drives it. All movers
 * of a variable make its column. A column is whole for an item that sees all of its movers on the way to the root;
 * otherwise the item has the column as a split of its own. */
#ifndef LIMBER_SOLVE_PLAN_COLUMNS_H
#define LIMBER_SOLVE_PLAN_COLUMNS_H

#include "figure/kinematics/kinematics.h"
#include "math/dense.h"
#include "solve/plan/item.h"

typedef struct lbs_space lbs_space;

/* owner: the figure; part: the node among the nodes of all figures; is_whole: all items that see anything of the column
 * see it from here to the root. */
typedef lbm_screw lbs_mover;

/* A column that an item sees more or less of than others do. */
typedef struct lbs_split {
    int column, mover, carrier_mover; /* the last movers of the effector's and of the carrier's chain, or -1 */
} lbs_split;

typedef struct lbs_columns {
    int node_count;         /* of all figures */
    int *first_nodes;       /* [figure]: the number of its first node among those of all */
    int *marks;             /* [node]: what planning found about it */
    lbf_selection *still;   /* [figure]: nodes that items see and that do not move: placed once a start pose */
    lbf_selection *carried; /* [figure]: nodes between moving ones that do not move themselves: placed once */
    lbf_selection *moving;  /* [figure]: nodes that are placed for each pose */
    lbf_node **tables;      /* [figure]: its nodes, with carried ones folded into the constants behind them */
    double *placed;         /* [variable of the pose]: the pose that still nodes were placed by */
    int is_placed;          /* there is such a pose */
    int mover_count;
    lbs_mover *movers;                 /* [mover_count], those of a node one behind the other */
    int *first_movers, *mover_counts;  /* [node] */
    int *tips, *carrier_tips, *wholes; /* [n]: scratch of planning */
    lbs_split *splits;                 /* [item][n], at most */
    double *ones;                      /* [stride] */
    double *signs; /* [item][stride]: 1 if a column moves its effector, -1 its carrier; 0 if neither, or both */
} lbs_columns;

/* Finds the nodes and columns that count, once the variables that may move are chosen. */
void lbs_lay_out_columns(lbs_space *space);
/* The column of the i-th variable that moves a coordinate; -1 if that variable may not move. */
int lbs_column_of(const lbs_space *space, int figure, lbf_influence influence, int i);

#endif
