/* The model of a step, the choice between primal and dual, and the reduction that the model predicts. */
#include "solve/methods/lm/step.h"

#include <string.h>

#include "solve/eval/hessian.h"
#include "solve/methods/lm/step_parts.h"

#define MAX_MATRIX_VARIABLES 256 /* with more variables there is no whole matrix, unless there are more rows still */
#define MAX_ACTIVE_ROUNDS 6 /* of adding limits to the active set; a trial is moved inside all limits in any case */

/* --- Workspace ------------------------------------------------------------------------------------------------ */

/* Limits over several variables and guards that the active set may have. */
static size_t max_active(const lbs_space *s) {
    size_t limits = lbs_max_limits(s->problem) + lbs_max_guards(s->problem);
    return limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

void lbs_step_cut(lbs_step *p, const lbs_space *s, lbm_arena *arena) {
    size_t n = (size_t)lbs_max_n(s), stride = (size_t)lbm_stride((int)n), active = max_active(s);
    size_t all = (size_t)lbs_max_m(s) + active, all_stride = (size_t)lbm_stride((int)all);
    int has_matrix = n <= MAX_MATRIX_VARIABLES || n < all, has_other_rows = lbp_has_levels(s->problem) || active > 0;
    double **vectors[] = {&p->model.wish_half_gradient,
                          &p->model.wish_half_curvature,
                          &p->model.half_gradient,
                          &p->model.lagrangian_half_gradient,
                          &p->model.bound_multipliers,
                          &p->model.low,
                          &p->model.high,
                          &p->d,
                          &p->dual.diagonal,
                          &p->primal.gradient,
                          &p->primal.free_step,
                          &p->primal.free_solved,
                          &p->matrix_products,
                          &p->correction_gradient};
    double **rows[] = {&p->model.residuals, &p->dual.rhs,       &p->dual.multipliers,
                       &p->row_products,    &p->correction_rhs, &p->weighted_errors};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, stride);
    }
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        *rows[i] = lbm_cut_doubles(arena, all_stride);
    }
    p->primal.states = lbm_cut(arena, stride, sizeof *p->primal.states);
    p->primal.newton_states = lbm_cut(arena, stride, sizeof *p->primal.newton_states);
    p->model.limit_multipliers = lbm_cut_doubles(arena, lbs_max_limits(s->problem));
    p->dual.rows = lbm_cut_doubles(arena, has_other_rows ? all * stride : 0);
    p->whole_blocks =
        lbm_cut(arena, larger(all, has_matrix ? n : 0) * (size_t)lbm_block_words((int)stride), sizeof *p->whole_blocks);
    p->primal.matrix = lbm_cut_doubles(arena, has_matrix ? n * stride : 0);
    /* The same memory serves the curvature, while the matrix is filled, and then the solver of the step. */
    size_t dual = lbm_box_rows_size((int)n, (int)(has_matrix && all > n ? n : all));
    size_t primal = has_matrix ? larger(lbm_box_matrix_size((int)n), lbs_curvature_size(s)) : 0;
    p->box_scratch = p->curvature_scratch = lbm_cut_doubles(arena, larger(dual, primal));
    p->has_matrix = has_matrix;
    p->active.max = (int)active;
}

void lbs_step_reset(lbs_step *p, lbs_space *s) {
    p->s = s;
    p->level = -1;
    p->primal.has_newton_states = 0;
    p->model.row_multipliers = NULL;
    p->whole_stride = p->whole_count = 0;
}

const uint64_t *lbs_step_whole_blocks(lbs_step *p, int count, int stride) {
    if (p->whole_stride != stride || p->whole_count < count) {
        lbm_all_blocks(count, stride, p->whole_blocks);
        p->whole_stride = stride;
        p->whole_count = count;
    }
    return p->whole_blocks;
}

/* Evaluations are not counted against the budget here, so that a clock that is far from its end changes nothing. */
static int is_late(void *space) {
    lbs_space *s = space;
    s->budget.late |= lbs_late(s);
    s->budget.stopped |= s->budget.late;
    return s->budget.late;
}

lbm_stop lbs_step_stop(const lbs_step *p) {
    const lb_solve_options *o = p->s->options;
    return (lbm_stop){(o->deadline_us > 0 && o->now_us) || o->cancel ? is_late : NULL, p->s};
}

/* --- The model ------------------------------------------------------------------------------------------------ */

void lbs_step_begin(lbs_step *p, const double *z, int level) {
    lbs_space *s = p->s;
    lbs_step_model *model = &p->model;
    int n = s->n;
    if (p->level != level) {
        p->primal.has_newton_states = 0;
    }
    p->level = level;
    p->primal.kind = LBS_MATRIX_NONE;
    p->dual.has_rows = p->primal.has_states = 0;
    model->z = z;
    memcpy(model->residuals, s->last.residuals, (size_t)s->row_count * sizeof *model->residuals);
    memset(model->wish_half_gradient, 0, (size_t)n * sizeof *model->wish_half_gradient);
    memset(model->wish_half_curvature, 0, (size_t)n * sizeof *model->wish_half_curvature);
    if (level == s->task.level_count - 1) {
        lbs_wishes(s, z, model->wish_half_gradient, model->wish_half_curvature);
    }
    const lbm_matrix own = lbs_matrix(s, lbs_step_first_row(p), lbs_step_own_rows(p));
    s->kernels->transpose_times(&own, model->residuals + lbs_step_first_row(p), model->half_gradient);
    for (int k = 0; k < n; k++) {
        model->half_gradient[k] += model->wish_half_gradient[k];
        model->low[k] = s->variables.lower[k] < z[k] ? s->variables.lower[k] - z[k] : 0;
        model->high[k] = s->variables.upper[k] > z[k] ? s->variables.upper[k] - z[k] : 0;
    }
    for (int k = n; k < s->stride; k++) {
        model->low[k] = model->high[k] = 0;
    }
}

int lbs_step_fill_hessian(lbs_step *p, const double *row_multipliers) {
    return lbs_step_fill_matrix(p, row_multipliers, LBS_MATRIX_NEWTON);
}

/* --- The step ------------------------------------------------------------------------------------------------- */

/* Solves again as long as the step crosses limits that are not in the active set. */
static int solve_with_active_set(lbs_step *p, double damping, int (*solve)(lbs_step *, double)) {
    p->is_dual = solve == lbs_step_solve_dual;
    p->damping = damping;
    lbs_step_activate_blocking(p);
    for (int round = 0; round < MAX_ACTIVE_ROUNDS; round++) {
        if (solve(p, damping)) {
            return 1;
        }
        if (!lbs_step_activate_crossed(p)) {
            break;
        }
    }
    return 0;
}

/* The step is found in the smaller of the two spaces. */
int lbs_step_gauss_newton(lbs_step *p, double damping) {
    if (!p->has_matrix || p->s->n > p->s->row_count + p->active.max) {
        return solve_with_active_set(p, damping, lbs_step_solve_dual);
    }
    if (p->primal.kind != LBS_MATRIX_GAUSS_NEWTON && lbs_step_fill_matrix(p, NULL, LBS_MATRIX_GAUSS_NEWTON)) {
        return 1;
    }
    return solve_with_active_set(p, damping, lbs_step_solve_primal);
}

int lbs_step_newton(lbs_step *p, double damping) { return solve_with_active_set(p, damping, lbs_step_solve_primal); }

/* --- What a step gains ---------------------------------------------------------------------------------------- */

double lbs_step_lagrangian_terms(const lbs_step *p) {
    const lbs_space *s = p->s;
    const double *multipliers = p->model.row_multipliers;
    double sum = 0;
    for (int i = 0; i < lbs_step_first_row(p); i++) {
        sum += multipliers[i] * (s->last.residuals[i] - p->model.residuals[i]);
    }
    for (int k = 0; k < s->last.guard_count; k++) {
        if (multipliers[s->row_count + k] != 0) {
            sum += multipliers[s->row_count + k] * (lbs_guard_value(s, k) - s->last.guards[k].value);
        }
    }
    return sum;
}

static double predicted_by_rows(lbs_step *p) {
    const lbs_space *s = p->s;
    const double *gradient = lbs_step_half_gradient(p), *curvature = p->model.wish_half_curvature, *d = p->d;
    const int own = lbs_step_own_rows(p);
    const lbm_matrix rows = lbs_matrix(s, lbs_step_first_row(p), own);
    double sum = 0;
    s->kernels->times(&rows, d, p->row_products);
    for (int k = 0; k < s->n; k++) {
        sum -= 2 * gradient[k] * d[k] + curvature[k] * d[k] * d[k];
    }
    for (int i = 0; i < own; i++) {
        sum -= p->row_products[i] * p->row_products[i];
    }
    return sum;
}

/* The matrix has the squares of the higher levels' weighted rows, too, which are no part of the level's value. */
static double predicted_by_hessian(lbs_step *p) {
    const lbs_space *s = p->s;
    const double *gradient = lbs_step_half_gradient(p), *d = p->d;
    const int n = s->n, first = lbs_step_first_row(p);
    const lbm_matrix matrix = {n, s->stride, p->primal.matrix, lbs_step_whole_blocks(p, n, s->stride)};
    double sum = 0;
    s->kernels->times(&matrix, d, p->matrix_products);
    for (int k = 0; k < n; k++) {
        sum -= (2 * gradient[k] + p->matrix_products[k]) * d[k];
    }
    const lbm_matrix higher = lbs_matrix(s, 0, first);
    s->kernels->times(&higher, d, p->row_products);
    for (int i = 0; i < first; i++) {
        sum += LBS_EQUALITY_WEIGHT * LBS_EQUALITY_WEIGHT * p->row_products[i] * p->row_products[i];
    }
    return sum;
}

double lbs_step_predicted(lbs_step *p) {
    return p->primal.kind == LBS_MATRIX_NEWTON ? predicted_by_hessian(p) : predicted_by_rows(p);
}
