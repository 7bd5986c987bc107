/* What is proved to be within reach: balls about poses, by a bound of the inverse function theorem.
 *
 * Where the Jacobian at q has the least singular value s, and changes by at most K |dq|, the poses within R of q reach all
 * points within (s - K R) R of that of q (L. M. Graves, "Some mapping theorems", Duke Math. J. 17, 1950). The best R is
 * s / 2K, or the margin to the limits where that is smaller. Turning the first joint sweeps the ball about its axis:
 * what is kept are cells of the half-plane (r, z) that lie in a ball's disc as a whole, with the turns that the first
 * joint leaves. */
#ifndef LIMBER_REACH_INNER_H
#define LIMBER_REACH_INNER_H

#include "reach/grid.h"

typedef struct lbr_inner {
    lbr_grid grid;
    float *depth; /* [cell]: metres from the cell's middle to a cell that is not taken, at least */
} lbr_inner;

/* Makes it over the cells of an outer grid; *made stays NULL where nothing of the kind can be proved: links that a
 * group drives, that rotate by a vector, or whose first does not turn. `zones` are those of the chain's links. */
lb_status lbr_inner_make(lbr_inner **made, const lbr_chain *chain, const double local[3], const lbr_zone *zones,
                         const lbr_grid *outer);
void lbr_inner_free(lbr_inner *inner, const lb_allocator *allocator);
/* Whether a point where the first link moves is within reach; how far it is from where that is not known. */
int lbr_inner_has(const lbr_inner *inner, const double point[3], double *depth);

#endif
