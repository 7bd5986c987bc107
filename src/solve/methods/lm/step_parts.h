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

/* step_dual.c: the step in the space of the rows for the active set as it is. Returns 1 if there is none. */
int lbs_step_solve_dual(lbs_step *step, double damping);
/* The problems that the dual and the primal step solve, for further solutions by the factors that are left in the
 * scratch. */
lbm_box_rows lbs_step_dual_box(lbs_step *step);
lbm_box_matrix lbs_step_primal_box(lbs_step *step, double damping);

#endif
