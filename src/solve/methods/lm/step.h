/* A step of lm from a point: the model of a level's value there, and where it is least within the limits. */
#ifndef LIMBER_SOLVE_STEP_H
#define LIMBER_SOLVE_STEP_H

#include "solve/plan/space.h"

typedef struct lbs_step {
    lbs_space *s;
    int level;
    int dense;             /* there is room for the whole matrix */
    int most_held;         /* limits and guards that there is room for */
    const double *z;       /* [n]: where it begins */
    double *row;           /* [m]: the rows there */
    double *slope, *bend;  /* [n]: the wishes' half gradient and curvature there */
    double *half_gradient; /* [n]: of the level's value there, wishes included */
    double *lagrange;      /* [n]: the same with the share of what the higher levels hold */
    double *bounds;        /* [n]: multipliers of bounds there, > 0: the variable is held */
    double *limits;        /* [limit]: multipliers of limits over several variables */
    const double *pull;    /* multipliers of higher levels' rows and guards (held.h), at a lower level; else NULL */
    double *low, *high;    /* [n]: how far the bounds let it go */
    double *d;             /* [n]: the step */
    /* limits over several variables, and guards (from limit_count on), that are held: a . d = slack */
    int held_count;
    int held[LBS_MAX_ACTIVE];
    double slack[LBS_MAX_ACTIVE];
    signed char *state;          /* [n]: where the last step by the matrix ended, ... */
    int is_warm;                 /* ... if there was one from here */
    signed char *kept;           /* [n]: where Newton's last step at this level did, ... */
    int has_kept;                /* ... if there was one */
    double *diagonal, *gradient; /* [n] */
    double *right, *multipliers; /* [m + held] */
    double *gathered;            /* [m + held][stride]: this level's rows; higher levels' and held limits', with HOLD */
    int is_gathered;             /* the first two are there */
    uint64_t *all;               /* says of rows that all of them counts, ... */
    int all_stride, all_count;   /* ... so many of this stride */
    double *matrix;              /* [n][stride]: of the whole model */
    int with_curvature;          /* what the matrix has */
    double *products;            /* [m] */
    double *scratch;
    int by_rows;    /* the last step was found in the dual */
    double damping; /* its own */
    double lack;    /* where there was no step: by how much at least that was too little; 0: not known */
} lbs_step;

size_t lbs_step_size(const lbs_space *space);
void lbs_step_lay_out(lbs_step *step, lbs_space *space, double *work);
/* Begins at z, which must be the point of the last evaluation and of the Jacobian: rows, wishes, half gradient and room.
 * Multipliers, and at lower levels pull and lagrange, are the caller's to fill in. */
void lbs_step_begin(lbs_step *step, const double *z, int level);
/* The second derivatives there (of the Lagrangian with the higher levels' pull, or NULL), for lbs_step_newton. Must follow
 * lbs_step_begin before anything else is evaluated. Returns 1 if time ran out meanwhile. */
int lbs_step_bend(lbs_step *step, const double *pull);
/* The step for a damping, in d; returns 1 if there is none. */
int lbs_step_gauss_newton(lbs_step *step, double damping);
int lbs_step_newton(lbs_step *step, double damping);
/* After lbs_step_newton: |d|^2 / d'(H + damping)^-1 d, by which the damping grows to shorten d (the secular equation's
 * Newton step). */
double lbs_step_secular(lbs_step *step);
/* After one of these, and an evaluation at z + d: what to add to d so that the rows, whose curvature took them elsewhere than
 * the linear model has them, come back there. */
void lbs_step_correct(lbs_step *step, const double *d, double *correction);
/* The same at a level below the highest, at a point to which a step has led: brings the higher levels' rows, and the guards
 * that were held, back to what they should be. is_met: the higher levels have nothing left to meet. */
void lbs_step_restore(lbs_step *step, int is_met, double *correction);
/* How far the guards that were held are from their faces at the last evaluation, at most. */
double lbs_step_off(const lbs_step *step);
/* Whether no direction that the limits leave bends down by more than `least`. */
int lbs_step_is_convex(lbs_step *step, double least);
/* What the higher levels' rows and guards, where the last evaluation was, are off from where the step began: times their
 * multipliers, to first order what the level's value gained by that. */
double lbs_step_owed(const lbs_step *step);
/* The decrease that the model of the last step foretells for d. */
double lbs_step_promise(lbs_step *step, const double *d);

#endif
