/* The Hessian in its parts: the tree (hessian_tree.c) and the items that load it (hessian.c, which has the
 * derivation). */
#ifndef LIMBER_SOLVE_EVAL_HESSIAN_PARTS_H
#define LIMBER_SOLVE_EVAL_HESSIAN_PARTS_H

#include "solve/plan/space.h"

/* What loads at a node and at all beyond it. */
typedef struct lbs_load {
    double force[3];
    double k[3][3]; /* sum of v w' */
    int touched;
} lbs_load;

typedef struct lbs_undo {
    double axis[3];
    int column;
} lbs_undo;

typedef struct lbs_bending {
    lbs_space *s;
    double *hessian;
    lbs_load *loads; /* [node of the largest figure] */
    double *axes;    /* [3][stride]: those above, summed by columns */
    lbs_undo *log;   /* [movers of the largest figure, twice] */
    int log_count;
    int *path, *log_start; /* [node]: nodes above, and where their log begins */
    int path_count;
    double *velocities, *bent; /* [9][stride]: de/dz of an item whose goal bends, and how that loads */
} lbs_bending;

static inline double *lbs_bending_row(const lbs_bending *b, int column) {
    return b->hessian + (size_t)column * (size_t)b->s->stride;
}

/* Adds three rows to a column's, on its diagonal twice: in both orders. */
static inline void lbs_bend_row(const lbs_bending *b, int column, const double f[3], const double *rows) {
    double *row = lbs_bending_row(b, column), own = row[column];
    b->s->kernels->add_three(b->s->stride, f, rows, row);
    row[column] += row[column] - own;
}

/* All nodes that move and that have a load, from the root to the tips. */
void lbs_bend_tree(lbs_bending *b, int figure);
/* A node's coordinates with the axes above and with each other. sign -1: against the sense of its coordinates. */
void lbs_bend_node(const lbs_bending *b, int figure, int index, const lbs_load *load, double sign);
/* A node's axes join those above; shifts turn nothing. lbs_pop_axes takes all axes off that joined after the log had
 * `start` entries. */
void lbs_push_node(lbs_bending *b, int figure, int index, double sign);
void lbs_pop_axes(lbs_bending *b, int start);

#endif
