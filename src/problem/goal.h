/* Goals as residuals: P(e) = sum of squares of smooth rows. Nothing here knows of figures (ZB94 section 5.2). */
#ifndef LIMBER_PROBLEM_GOAL_H
#define LIMBER_PROBLEM_GOAL_H

#include <limber/solve.h>

#include "math/trig.h"

#define LBP_MAX_ROWS 9
#define LBP_HERE 1e-9 /* metres: what is nearer than that to where it aims has no direction to aim in */

/* Weights of angles in radians, so that `degrees` count as much as one metre; 0 where angles do not count. */
static inline double lbp_angle_scale(double degrees) { return degrees > 0 ? 360 / (LBM_TWO_PI * degrees) : 0; }

/* What a goal's weights come to for the rows that solvers see. */
typedef struct lbp_scales {
    double position;              /* of a frame's point */
    double weights[2];            /* of the directions x and y in P */
    double sizes[3], inverses[3]; /* of the turns about the effector's axes; 0: no row */
} lbp_scales;

/* A goal with what it needs to be evaluated without allocation. */
typedef struct lbp_goal {
    lb_goal goal;
    lbp_scales scales;          /* lbp_goal_scale's, once the goal has its kind and weights */
    double radius, half_length; /* of the effector, if it is a ball or capsule */
    lb_limit_row *face_rows;    /* [goal.face_count]: the polyhedron's faces, unit normals */
    void *scratch;              /* for projecting onto the polyhedron; one solver's own */
} lbp_goal;

/* Rows r and their derivatives by e (9 each; may be NULL), e in the goal's frame. Returns P, the sum of squares. */
double lbp_goal_rows(const lbp_goal *goal, const double e[9], double *rows, double (*derivatives)[9]);

/* How many those are. */
int lbp_goal_plain_count(const lb_goal *goal);

/* What solvers see of a goal: as few rows as there are ways to move. Directions, which have three rows each, but which
 * only three turns change, are folded to the rows of those: the sum of products with their derivatives is the same,
 * that of squares is what can be had of P by turning. */
int lbp_goal_row_count(const lb_goal *goal);
void lbp_goal_scale(lbp_goal *goal);
/* Those rows; returns P. */
double lbp_goal_residuals(const lbp_goal *goal, const double e[9], double *rows);
/* Their derivatives by a shift of the effector, and by a turn about the origin of the goal's frame. */
void lbp_goal_wrenches(const lbp_goal *goal, const double e[9], double (*wrenches)[6]);
/* That of one row, from its derivatives by e. */
void lbp_wrench(const double e[9], const double derivatives[9], double wrench[6]);
/* Multipliers of those rows as such of lbp_goal_rows: the sums of products with the rows' derivatives agree. */
void lbp_goal_unfold(const lb_goal *goal, const double e[9], const double *folded, double *plain);

/* Of goals that are regions: how far e is beyond each of their faces (< 0: on the near side), with the derivatives by
 * e, for those who have to stay inside. Returns how many; 0 where the goal is no region. */
#define LBP_MAX_GUARDS 64
int lbp_goal_guards(const lbp_goal *goal, const double e[9], double *values, double (*derivatives)[9]);
/* How many those are at most. */
int lbp_goal_guard_count(const lb_goal *goal);

/* Whether a goal is a point, and nothing else. */
int lbp_goal_is_point(const lb_goal *goal);

/* How far from met, in natural units. */
typedef struct lbp_miss {
    double offset[3];    /* metres along the goal's axes; where only a distance is defined it is offset[0] */
    double distance;     /* metres */
    double angle_rad[2]; /* of x and y */
    double potential;    /* custom: P */
} lbp_miss;

void lbp_goal_miss(const lbp_goal *goal, const double e[9], lbp_miss *miss);
int lbp_goal_met(const lbp_goal *goal, const lbp_miss *miss, const double tolerance[3], double tolerance_rad);
/* Both at once: quick where it is not met by far. */
int lbp_goal_met_at(const lbp_goal *goal, const double e[9], const double tolerance[3], double tolerance_rad);

#endif
