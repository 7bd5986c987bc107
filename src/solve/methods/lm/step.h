/* One step of lm from a point z: a quadratic model of a level's value, and the step d that minimises it within the
 * limits.
 *
 * The model linearises the residuals, |r + J d|^2, and adds the wishes; for Newton's steps it also has the curvature
 * of the residuals. Bounds are exact inside the step. The rows of higher levels, and those limits over several
 * variables and faces of regions that are in the active set, are equalities of a large weight with known multipliers
 * (an augmented Lagrangian).
 *     step.c          the model, the active set of limits over several variables and of guards, the step in the space of
 *                     the variables (primal) by the whole matrix of the model, the predicted reduction
 *     step_dual.c     the step in the space of the rows, where there are fewer rows than variables
 *     step_correct.c  corrections by the factor of the step: second order, and restoration of higher levels */
#ifndef LIMBER_SOLVE_STEP_H
#define LIMBER_SOLVE_STEP_H

#include "math/arena.h"
#include "solve/plan/space.h"

/* The point where a step begins, and the first-order model there. The multipliers of rows and guards are those of
 * level_tangent.h. */
typedef struct lbs_step_model {
    const double *z;                                  /* [n]: the point */
    double *residuals;                                /* [m] */
    double *wish_half_gradient, *wish_half_curvature; /* [n] */
    double *half_gradient;                            /* [n]: of the level's value, wishes included */
    double *lagrangian_half_gradient; /* [n]: half_gradient with the terms of the higher levels' rows and guards */
    double *bound_multipliers;        /* [n]: > 0: the bound of this variable blocks the gradient */
    double *limit_multipliers;        /* [limit]: of limits over several variables */
    const double *row_multipliers; /* [m + guards]: of the higher levels' rows and guards; NULL at the highest level */
    double *low, *high;            /* [n]: how far the bounds let each variable move: low <= 0 <= high */
} lbs_step_model;

/* Limits over several variables (numbers below limits.count) and guards (numbers from limits.count on) that the step
 * keeps as equalities: row . d = slack. */
typedef struct lbs_step_active {
    int max; /* how many there is memory for */
    int count;
    int numbers[LBS_MAX_ACTIVE];
    double slacks[LBS_MAX_ACTIVE];
} lbs_step_active;

/* The step in the space of the rows. */
typedef struct lbs_step_dual {
    double
        *rows; /* [m + active.max][stride]: the level's own rows; weighted: the higher levels' rows, the active set */
    int has_rows;        /* the own and the higher levels' rows are in `rows` */
    double *rhs;         /* [m + active.max]: what the model adds to rows . d */
    double *diagonal;    /* [n]: the damping and the wishes' curvature */
    double *multipliers; /* [m + active.max]: rhs + rows . d at the minimum of the model */
} lbs_step_dual;

/* What the matrix of the primal step holds. */
typedef enum lbs_step_matrix { LBS_MATRIX_NONE, LBS_MATRIX_GAUSS_NEWTON, LBS_MATRIX_NEWTON } lbs_step_matrix;

/* The step in the space of the variables. */
typedef struct lbs_step_primal {
    double *matrix; /* [n][stride]: half the Hessian of the model, with the squares of the weighted rows */
    lbs_step_matrix kind;
    double *gradient;           /* [n]: half the gradient of the model at d = 0 */
    signed char *states;        /* [n]: -1: d is at low, 1: at high, 0: between */
    int has_states;             /* `states` is where the last step from this point ended */
    signed char *newton_states; /* [n]: the states at the end of the last Newton step of this level */
    int has_newton_states;
    double lack; /* after a failure: how much more damping is needed at least; 0: not known */
    double *free_step,
        *free_solved; /* [n]: lbs_step_secular's: d over the free variables, and (H + damping)^-1 of that */
} lbs_step_primal;

typedef struct lbs_step {
    lbs_space *s;
    int level;
    int has_matrix; /* there is memory for the matrix of the primal step */
    lbs_step_model model;
    lbs_step_active active;
    lbs_step_dual dual;
    lbs_step_primal primal;
    double *d;                                    /* [n]: the step */
    int is_dual;                                  /* the last step was found in the space of the rows */
    double damping;                               /* of the last step */
    double *row_products, *matrix_products;       /* [m], [n]: the Jacobian times d, the matrix times d */
    double *correction_rhs, *correction_gradient; /* [m + active.max], [n]: the right-hand side of a correction */
    double *weighted_errors;                      /* [m]: of the higher levels' rows */
    uint64_t *whole_blocks;                  /* the pattern of dense rows: every block of them may be other than 0 */
    int whole_stride, whole_count;           /* the pattern is filled in for so many rows of this stride */
    double *box_scratch, *curvature_scratch; /* of math/box.h; of hessian.h */
} lbs_step;

/* Begins at z, which must be the point of the last evaluation and of the Jacobian: residuals, wishes, half_gradient,
 * low and high. The caller fills in the multipliers and, at lower levels, lagrangian_half_gradient. */
void lbs_step_begin(lbs_step *step, const double *z, int level);
/* Fills the matrix with the Hessian of the level's value or, with the multipliers of higher levels' rows (NULL:
 * none), of the Lagrangian, for lbs_step_newton. The call must follow lbs_step_begin before anything else is
 * evaluated. Returns 1 if time ran out meanwhile. */
int lbs_step_fill_hessian(lbs_step *step, const double *row_multipliers);
/* Finds the step for a damping, in d. Returns 1 if there is none. */
int lbs_step_gauss_newton(lbs_step *step, double damping);
int lbs_step_newton(lbs_step *step, double damping);
/* |d|^2 / d'(H + damping)^-1 d after lbs_step_newton. Newton's method on the secular equation of a trust region,
 * 1/|d| = 1/radius, adds this times (|d| - radius) / radius to the damping. */
double lbs_step_secular(lbs_step *step);
/* The second-order correction after a step and an evaluation at z + d: what to add to d so that the residuals, which
 * their curvature took elsewhere, become what the linear model says. */
void lbs_step_second_order(lbs_step *step, double *correction);
/* The restoration step (a chord, or simplified Newton, step) of a level below the highest, at the last evaluation:
 * it brings the higher levels' rows, and the guards of the active set, back to what they should be, by the factor of
 * the step. is_met: the higher levels' goals are met, so that their rows should be 0; otherwise they should be what
 * they were at z. */
void lbs_step_chord(lbs_step *step, int is_met, double *correction);
/* The largest distance of a guard of the active set from its face at the last evaluation, in metres. */
double lbs_step_face_error(const lbs_step *step);
/* Whether no direction that the limits leave has a curvature below -`least`. The matrix must hold the Hessian. */
int lbs_step_is_convex(lbs_step *step, double least);
/* The Lagrangian's terms at the last evaluation, less those at z: the higher levels' rows and guards times their
 * multipliers. To first order this is what the level's value gained by the change of those rows. */
double lbs_step_lagrangian_terms(const lbs_step *step);
/* The reduction of the level's value (at lower levels: of the Lagrangian) that the model predicts for d. */
double lbs_step_predicted(lbs_step *step);

#endif
