/* The workspaces of one point that a chain carries: W[i] of the links from i on, in the frame where link i moves
 * (KB82). */
#ifndef LIMBER_REACH_SPACE_H
#define LIMBER_REACH_SPACE_H

#include <limber/reach.h>

#include "reach/grid.h"
#include "reach/inner.h"

typedef struct lbr_space {
    int count;              /* links that move the point */
    lbm_transform to_first; /* from the world to where the first link moves */
    lbm_transform from_first;
    double point[3];  /* in the end-effector's frame */
    lbr_zone *zones;  /* [count], or one for a point that stands */
    lbr_grid *grids;  /* [count], without cells where bounds alone are known */
    lbr_inner *inner; /* of the first: what is proved to be within reach; NULL: nothing */
} lbr_space;

/* How much is to be known. */
typedef struct lbr_detail {
    double spacing; /* metres, 0: by size; negative: no grids */
    size_t memory;  /* bytes for grids */
    int with_inner;
} lbr_detail;

/* Finds the workspaces of a point of the frame of link `count` - 1 (the world, where that is 0). */
lb_status lbr_space_make(lbr_space *space, const lbr_chain *chain, int count, const double local[3],
                         const lbr_detail *detail);
void lbr_space_free(lbr_space *space, const lb_allocator *allocator);

/* A lower bound of the distance from a point of the frame where link i moves to W[i]; 0 where none is proved. */
double lbr_space_missing(const lbr_space *space, int i, const double point[3]);
/* What is known of a point in the world. */
void lbr_space_ask(const lbr_space *space, double slack, const double point_w[3], lb_reach_answer *answer);

#endif
