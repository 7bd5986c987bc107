/* A workspace about an axis as a profile: cells of the half-plane (r, z), each with the turns about the axis that
 * belong to it.
 *
 * Turning about the axis widens the turns and nothing else, so that it loses nothing. Outer grids have every point of
 * the workspace: each cell has a box that bounds what lies in it, and up to two intervals of turns. */
#ifndef LIMBER_REACH_GRID_H
#define LIMBER_REACH_GRID_H

#include "reach/zone.h"

#define LBR_TURNS 2 /* intervals of a cell */

typedef struct lbr_cell {
    float r[2], z[2];          /* what of the cell is taken, rounded outwards: nothing where r[0] > r[1] */
    float turns[LBR_TURNS][2]; /* radians: from -pi to pi, and a whole turn on; none where the first is larger */
} lbr_cell;

typedef struct lbr_grid {
    double r, z, step; /* metres: the corner of the first cell, and the side of all */
    int columns, rows; /* along r and along z */
    lbr_cell *cells;   /* [row][column]; NULL: there is no grid */
} lbr_grid;

static inline size_t lbr_grid_cells(const lbr_grid *grid) { return (size_t)grid->columns * (size_t)grid->rows; }

/* Lays a grid of nearly this spacing over a zone; its cells are to have room for lbr_grid_cells. At most `most`
 * cells. */
void lbr_grid_lay(lbr_grid *grid, const lbr_zone *zone, double spacing, size_t most);
/* Empties all cells. */
void lbr_grid_clear(lbr_grid *grid);

/* Points to be added: a box of the half-plane and an interval of turns, which is full from a whole turn on. */
typedef struct lbr_patch {
    double r[2], z[2], turn[2];
} lbr_patch;

void lbr_grid_add(lbr_grid *grid, const lbr_patch *patch);
/* Whether a turn is in one of a cell's intervals. */
int lbr_cell_has_turn(const lbr_cell *cell, double turn);

/* A lower bound of the distance from a point, given by r, z and turn, to what is in the grid: 0 where the point is in
 * it, and at most the distance to the edge of the cells about the point. Rounding is for the caller to take off. */
double lbr_grid_missing(const lbr_grid *grid, double r, double z, double turn);

/* Where a grid is made from: the workspace of the links behind, as a grid or, without cells, as an arc or a ring. */
typedef struct lbr_source {
    const lbr_grid *grid;
    const lbr_zone *zone;
} lbr_source;

/* Fills a grid with all points that a source reaches when it is carried by t and then moved by a link; what lies
 * outside `bounds` is left out. */
void lbr_grid_sweep(lbr_grid *grid, const lbr_source *source, const lbm_transform *t, const lbr_link *link,
                    const lbr_zone *bounds);
/* Draws a zone in to what is in the grid. Returns 0 where there is nothing, which says that the grid is none. */
int lbr_grid_tighten(const lbr_grid *grid, lbr_zone *zone);

#endif
