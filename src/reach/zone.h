/* Bounds of a workspace about one axis: a region that has all points of it, as plain ranges.
 *
 * In cylindrical coordinates about the z axis of a link's frame: distance r from the axis, height z, turn about it; and
 * the distance d from the origin. A turn about z changes the turn alone, so that it loses nothing; going on to the next
 * axis takes the extremes of the ranges over the region, which are exact for parallel axes that turn fully (annuli),
 * and for links that turn about a point (shells). */
#ifndef LIMBER_REACH_ZONE_H
#define LIMBER_REACH_ZONE_H

#include "reach/chain.h"

/* What is known of the shape of a workspace. */
typedef enum lbr_shape {
    LBR_SHAPE_POINT, /* r, z and turn have one value each */
    LBR_SHAPE_ARC,   /* r and z have one value each: exactly this turn about the axis */
    LBR_SHAPE_RING,  /* z has one value, the turn is full: exactly this annulus */
    LBR_SHAPE_SHELL, /* exactly the points of this d */
    LBR_SHAPE_ASIDE, /* an arc or an annulus about another axis: connected, d takes exactly this range; where z has one
                        value, r does too */
    LBR_SHAPE_OTHER  /* some of the region */
} lbr_shape;

typedef struct lbr_zone {
    double r[2], z[2], d[2];
    double turn, half; /* radians: the middle of the turn's range, and half its width; full from a half turn on */
    lbr_shape shape;
    int is_all;   /* no bounds at all: something slides without limits */
    int is_flat;  /* of LBR_SHAPE_ASIDE: about a parallel axis, so that all of it is at one z */
    double slack; /* metres: by how much bounds are moved outwards at each step, at least what rounding does */
} lbr_zone;

/* The point at the end of a chain, in the frame of the last link; `slack` is the chain's. Of shapes that are known
 * exactly the ranges are the nearest doubles, and rounding counts where a question is asked; others have all points
 * of the workspace of the chain as it is stored. */
void lbr_zone_point(lbr_zone *zone, const double point[3], double slack);
/* The motion of a link: from its frame to where it moves. */
void lbr_zone_sweep(lbr_zone *zone, const lbr_link *link);
/* The same points in the frame that `t` leads from. */
void lbr_zone_carry(lbr_zone *zone, const lbm_transform *t);

/* The bounds of W[i] for all links of a chain whose last one carries a point: zones[count], or one for a point that
 * stands. */
void lbr_zones_of(const lbr_chain *chain, const double point[3], lbr_zone *zones);

/* A lower bound of the distance from a point to the workspace, 0 where none is proved, the distance itself of shapes
 * that are known exactly: but for rounding, which the caller takes off (lbr_slack_at). */
double lbr_zone_missing(const lbr_zone *zone, const double point[3]);
/* How far inside a point of an annulus or a shell is, which is known to be there. */
double lbr_zone_depth(const lbr_zone *zone, const double point[3]);
static inline int lbr_zone_is_exact(const lbr_zone *zone) { return !zone->is_all && zone->shape < LBR_SHAPE_ASIDE; }
/* A box about it, in the frame that `t` leads from. */
void lbr_zone_box(const lbr_zone *zone, const lbm_transform *t, double low[3], double high[3]);

#endif
