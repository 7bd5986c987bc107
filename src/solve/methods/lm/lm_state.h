/* The state of lm, and what its files do with it:
 *
 *     lm.c            the levels, and the phases of one level
 *     lm_point.c      what is known at the iterate: value, Jacobian, projected gradient, multipliers
 *     lm_trial.c      trial steps: how long they are, and which are accepted
 *     lm_trust.c      the Newton step of a trust region
 *     lm_restore.c    the higher levels: what they may be, and the restoration of trial points that cost them something
 *     lm_workspace.c  the memory of lm and of its step
 *     step.h          the model of a step and its minimum
 *     newton.h        truncated Newton steps */
#ifndef LIMBER_SOLVE_LM_STATE_H
#define LIMBER_SOLVE_LM_STATE_H

#include "solve/methods/lm/step.h"

/* What the space's last evaluation is of. */
typedef enum lbs_lm_at {
    LBS_AT_OTHER_POINT,     /* another point than the iterate */
    LBS_AT_ITERATE,         /* the iterate */
    LBS_AT_ITERATE_JACOBIAN /* the iterate, and so is the Jacobian */
} lbs_lm_at;

/* The damping of Gauss-Newton steps (H. B. Nielsen, "Damping parameter in Marquardt's method", 1999). */
typedef struct lbs_lm_damping {
    double lambda; /* the damping is this times the level's value */
    double growth; /* what the next refused step multiplies lambda by */
} lbs_lm_damping;

/* The trust region of Newton steps. */
typedef struct lbs_lm_trust {
    double radius; /* the length that steps may have */
    double shift;  /* what the last step added to the diagonal of the Hessian */
} lbs_lm_trust;

/* The levels above the one that is being minimised. */
typedef struct lbs_lm_higher {
    double *most;        /* [level]: values that they may not exceed */
    int is_met;          /* their goals were met when the level began */
    double *step;        /* [n]: a restoration step */
    double *frozen_step; /* [n]: the part of that step of variables that would cross a bound: as far as the bound */
    unsigned char *is_frozen; /* [n]: marks those variables */
    double *matrix, *rhs;     /* [rows][rows], [rows]: the normal equations of a restoration step */
} lbs_lm_higher;

/* How far the level has come: what the phases of lm.c depend on. */
typedef struct lbs_lm_progress {
    int iteration;         /* the number of the iteration; the first is 0 */
    double value;          /* of the level at the iterate, when the iteration began */
    double norm;           /* of the projected gradient there */
    double zero_norm;      /* a norm that is not more than this is zero */
    double better;         /* the value after the last accepted step */
    double last_reduction; /* of the value by the last accepted step */
    int slow_steps;        /* accepted steps in a row that reduced the value by little */
    int saddle_count;      /* Kuhn-Tucker points that were met */
    int truncated_count;   /* how often truncated Newton steps were tried */
    int is_convex;         /* the last step was a tiny one from a point without negative curvature */
} lbs_lm_progress;

typedef struct lbs_lm {
    lbs_space *s;
    int level;
    double *z;                  /* [n]: the iterate */
    double *start;              /* [n]: where lm began */
    double *start_level_values; /* [level]: the values there */
    double *kept;               /* [n]: the iterate before the levels are gone through again */
    double *trial;              /* [n] */
    double *correction;         /* [n]: of a trial */
    double *corrected;          /* [n]: the trial after its second-order correction */
    double *gradient;           /* [n]: of the level's value at the iterate; at lower levels of the Lagrangian */
    double *projected;          /* [n]: the projection of -gradient onto what limits and higher levels leave */
    double *row_multipliers;    /* [m + guards]: of the higher levels' rows and guards */
    double *projection_scratch; /* of level_tangent.h */
    lbs_lm_at at;
    int has_moved_jacobian; /* a restoration has left the Jacobian of another point in the space */
    lbs_step step;
    lbs_lm_progress progress;
    lbs_lm_damping damping;
    lbs_lm_trust trust;
    lbs_lm_higher higher;
    double *newton_workspace, *bfgs_workspace;
} lbs_lm;

/* Variables up to which lm may hand over to bfgs, whose matrices are dense. */
#define LBS_LM_MAX_HAND_OVER 300

/* --- lm_workspace.c --- */

/* Cuts all arrays of lm and of its step, or counts them. */
void lbs_lm_cut(lbs_lm *lm, const lbs_space *space, lbm_arena *arena);

/* Evaluates at the iterate, unless the last evaluation was there. */
static inline void lbs_lm_evaluate(lbs_lm *lm) {
    if (lm->at == LBS_AT_OTHER_POINT) {
        lbs_value(lm->s, lm->z);
        lm->at = LBS_AT_ITERATE;
    }
}

/* --- lm_point.c --- */

/* Sees to the Jacobian of the iterate, too. */
void lbs_lm_differentiate(lbs_lm *lm);
/* Begins a step at z, the point of the last evaluation and of the Jacobian. Returns the norm of the level's
 * projected gradient there; the multipliers of what blocks it are those of the step. */
double lbs_lm_look(lbs_lm *lm, const double *z);

/* --- lm_trial.c --- */

#define LBS_LM_FIRST_GROWTH 2 /* of the damping: what the first refused step multiplies lambda by */

typedef enum lbs_lm_outcome {
    LBS_STEP_BETTER,  /* the value is lower: progress.better */
    LBS_STEP_FLATTER, /* the value is the same to rounding, and the projected gradient shorter */
    LBS_STEP_NONE     /* no step was accepted: z stays */
} lbs_lm_outcome;

/* Tries steps from z, where lbs_lm_look was, until one is accepted. */
lbs_lm_outcome lbs_lm_take_step(lbs_lm *lm, int is_newton);

/* --- lm_trust.c --- */

/* A shift up to this much is none. */
#define LBS_LEAST_SHIFT 1e-13
/* Finds the Newton step of about the trust radius, or a shorter one that leads to the minimum of the model. Returns
 * 1 if there is none. */
int lbs_lm_trust_region_step(lbs_lm *lm);

/* --- lm_restore.c --- */

/* From now on the levels up to `last` may not exceed their values at the last evaluation. */
void lbs_lm_hold_levels(lbs_lm *lm, int last);
/* Whether the higher levels are no worse than they may be at the last evaluation, and met if they were. */
int lbs_lm_higher_hold(const lbs_lm *lm);
/* Moves the trial, at which the last evaluation was, to where the higher levels hold. Returns 0 if it cannot. */
int lbs_lm_restore_trial(lbs_lm *lm);
/* The same for a point z, by the Jacobians of the points on the way alone. */
int lbs_lm_restore(lbs_lm *lm, double *z);

#endif
