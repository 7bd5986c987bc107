/* What the files of a step share. */
#ifndef LIMBER_SOLVE_STEP_PARTS_H
#define LIMBER_SOLVE_STEP_PARTS_H

#include "math/box.h"
#include "solve/methods/lm/step.h"

#define LBS_EQUALITY_WEIGHT 1e3 /* of rows that a step must not change */

static inline int lbs_step_first_row(const lbs_step *p) { return p->s->levels.first_rows[p->level]; }
static inline int lbs_step_own_rows(const lbs_step *p) {
    return p->s->levels.first_rows[p->level + 1] - lbs_step_first_row(p);
}

/* Whether a number of the active set is that of a guard, and its row. */
static inline int lbs_step_is_guard(const lbs_step *p, int number) { return number >= p->s->limits.count; }
static inline const double *lbs_step_guard_row(const lbs_step *p, int number) {
    return p->s->last.guard_rows + (size_t)(number - p->s->limits.count) * (size_t)p->s->stride;
}

/* The clock for the solvers of math/box.h; without a deadline and without a cancel it is never looked at. */
lbm_stop lbs_step_stop(const lbs_step *step);
/* The pattern of `count` dense rows. */
const uint64_t *lbs_step_whole_blocks(lbs_step *step, int count, int stride);
/* Half the gradient of what the step minimises: of the level's value, or of the Lagrangian. */
static inline const double *lbs_step_half_gradient(const lbs_step *p) {
    return p->model.row_multipliers ? p->model.lagrangian_half_gradient : p->model.half_gradient;
}

/* step_active.c: the active set becomes those limits and guards whose multipliers say that they block. */
void lbs_step_activate_blocking(lbs_step *step);
/* Adds the limits and guards that d would cross; returns how many. */
int lbs_step_activate_crossed(lbs_step *step);

/* step_dual.c and step_primal.c: the step for the active set as it is. Both return 1 if there is none. */
int lbs_step_solve_dual(lbs_step *step, double damping);
int lbs_step_solve_primal(lbs_step *step, double damping);
/* Fills the matrix; returns 1 if time ran out. */
int lbs_step_fill_matrix(lbs_step *step, const double *row_multipliers, lbs_step_matrix kind);
/* The problems that these steps solve, for further solutions by the factors that are left in the scratch. */
lbm_box_rows lbs_step_dual_box(lbs_step *step);
lbm_box_matrix lbs_step_primal_box(lbs_step *step, double damping);

#endif
