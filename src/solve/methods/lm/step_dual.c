/* The step in the space of the rows: the level's own rows, the higher levels' rows and the active set. There are few
 * rows and many variables where a goal is at the end of a long chain. */
#include <string.h>

#include "solve/methods/lm/step_parts.h"

/* How exactly math/box.h solves for the bounds, as a share of the first residual. A step that is only near the
 * minimum of its model is as good a trial, and near the end of a solve the active bounds stay the same, so that the
 * step is exact. Rows of a large weight need more, for a small error in d is a large one in them. */
#define ACCURACY 0.1
#define ACCURACY_WITH_HIGHER 0.001

/* Copies the level's own rows and the weighted rows of higher levels; those of the active set follow them. */
static void copy_rows(lbs_step *p) {
    const lbs_space *s = p->s;
    size_t stride = (size_t)s->stride;
    int first = lbs_step_first_row(p), own = lbs_step_own_rows(p);
    if (p->dual.has_rows) {
        return;
    }
    memcpy(p->dual.rows, lbs_jacobian_row(s, first), (size_t)own * stride * sizeof *p->dual.rows);
    double *out = p->dual.rows + (size_t)own * stride;
    for (size_t k = 0; k < (size_t)first * stride; k++) {
        out[k] = LBS_EQUALITY_WEIGHT * s->last.jacobian[k];
    }
    p->dual.has_rows = 1;
}

lbm_box_rows lbs_step_dual_box(lbs_step *p) {
    const lbs_space *s = p->s;
    const lbs_step_model *model = &p->model;
    int first = lbs_step_first_row(p), own = lbs_step_own_rows(p), all = own + first + p->active.count;
    lbm_matrix rows = lbs_matrix(s, first, own);
    if (all > own) {
        copy_rows(p);
        rows = (lbm_matrix){all, s->stride, p->dual.rows, lbs_step_whole_blocks(p, all, s->stride)};
    }
    return (lbm_box_rows){s->kernels,
                          s->n,
                          rows,
                          p->dual.rhs,
                          p->dual.diagonal,
                          model->wish_half_gradient,
                          model->low,
                          model->high,
                          model->bound_multipliers,
                          p->level > 0 ? ACCURACY_WITH_HIGHER : ACCURACY,
                          p->d,
                          p->dual.multipliers,
                          p->box_scratch,
                          lbs_step_stop(p),
                          0,
                          NULL};
}

/* The multiplier of a member of the active set: known of guards, 0 of limits, whose multipliers are not in the
 * model. */
static double active_multiplier(const lbs_step *p, int number) {
    return p->model.row_multipliers && lbs_step_is_guard(p, number)
               ? p->model.row_multipliers[p->s->row_count + number - p->s->limits.count]
               : 0;
}

/* With known multipliers the weight of the equalities may be finite: the error that the weight leaves is
 * proportional to the change of the multipliers alone (M. Hestenes, "Multiplier and gradient methods", 1969). */
static void fill_rhs(lbs_step *p) {
    const double *multipliers = p->model.row_multipliers;
    double *rhs = p->dual.rhs;
    int first = lbs_step_first_row(p), own = lbs_step_own_rows(p), all = own + first + p->active.count;
    for (int i = 0; i < own; i++) {
        rhs[i] = p->model.residuals[first + i];
    }
    for (int i = 0; i < first; i++) {
        rhs[own + i] = multipliers ? 0.5 * multipliers[i] / LBS_EQUALITY_WEIGHT : 0;
    }
    for (int i = 0; i < p->active.count; i++) {
        rhs[own + first + i] = -LBS_EQUALITY_WEIGHT * p->active.slacks[i] +
                               0.5 * active_multiplier(p, p->active.numbers[i]) / LBS_EQUALITY_WEIGHT;
    }
    for (int i = all; i < lbm_stride(all); i++) {
        rhs[i] = 0;
    }
}

int lbs_step_solve_dual(lbs_step *p, double damping) {
    const lbs_space *s = p->s;
    fill_rhs(p);
    for (int k = 0; k < s->n; k++) {
        p->dual.diagonal[k] = damping + p->model.wish_half_curvature[k];
    }
    for (int k = s->n; k < s->stride; k++) {
        p->dual.diagonal[k] = p->model.wish_half_gradient[k] = p->model.bound_multipliers[k] = 0;
    }
    lbm_box_rows box = lbs_step_dual_box(p);
    return lbm_box_rows_solve(&box);
}
