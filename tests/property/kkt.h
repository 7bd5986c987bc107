/* Kuhn-Tucker conditions of smooth random problems, worked out without a line of the solver's own: which variables may
 * move, residual rows and their derivatives by forward kinematics, multipliers by least squares. */
#ifndef LIMBER_TESTS_KKT_H
#define LIMBER_TESTS_KKT_H

#include "random_problem.h"

/* Marks what may move: variables in the chain of an enabled constraint (or all, without any) that are not held. The
 * problem has no loops. */
void kkt_may_move(const random_problem *p, unsigned char *moves);

#define KKT_MOST_ROWS (9 * RANDOM_MOST_CONSTRAINTS)

/* The rows of one priority's constraints at a pose (P = sum of squares of its rows, weighted), [rows][variables]. */
typedef struct kkt_rows {
    int count;
    double row[KKT_MOST_ROWS];
    double jacobian[KKT_MOST_ROWS][RANDOM_MOST_VARIABLES];
    double weight[KKT_MOST_ROWS]; /* of its constraint */
    double noise;                 /* of the gradient: what rounding may leave of it */
    int is_smooth;                /* 0: an aim at the very point where it is */
} kkt_rows;

/* Adds the rows of constraints of this priority: of kinds up to LB_GOAL_PLANE, without carriers or alternatives. */
void kkt_add_rows(const random_problem *p, const double *pose, int priority, kkt_rows *rows);
/* Adds 2 sum weight * row * jacobian. */
void kkt_add_gradient(const kkt_rows *rows, int variables, double *gradient);
/* Adds the gradient of the wishes; `inside` is the start that stay is about. Returns their value. */
double kkt_add_wishes(const random_problem *p, const double *pose, const double *inside, const unsigned char *moves,
                      double *gradient);

/* How much of a gradient [variables of the pose] neither limits nor higher levels' rows (NULL: none) hold back, in units
 * scaled by rigidity: the norm of what is left by the best multipliers, those of inequalities at least 0. Limits within
 * `near` of the size of their variables count. What is left goes to direction [variables of the pose] (may be NULL): the
 * way down that nothing holds back to first order. */
double kkt_left(const random_problem *p, const double *pose, const unsigned char *moves, const double *gradient,
                const kkt_rows *held, double near, double *direction);
/* Goes from a pose by `step`, into the limits, and back to where the rows of all priorities below `priority` have the
 * values that they have in the pose. Returns 0 if that cannot be had. */
int kkt_walk(const random_problem *p, const double *pose, const unsigned char *moves, int priority, const double *step,
             double *there);

#endif
