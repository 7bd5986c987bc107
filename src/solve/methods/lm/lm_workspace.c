/* The workspace of lm: its own arrays, those of its step, and what truncated Newton steps and bfgs need. */
#include "math/box.h"
#include "solve/eval/hessian.h"
#include "solve/eval/level_tangent.h"
#include "solve/methods/lm/lm_state.h"
#include "solve/methods/lm/newton.h"
#include "solve/methods/methods.h"

#define MAX_MATRIX_VARIABLES 256 /* with more variables there is no whole matrix, unless there are more rows still */

/* Limits over several variables and guards that the active set may have. */
static size_t max_active(const lbs_space *s) {
    size_t limits = s->max.limits + s->max.guards;
    return limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE;
}

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

static void cut_step(lbs_step *p, const lbs_space *s, lbm_arena *arena) {
    size_t n = s->max.n, stride = s->max.stride, active = max_active(s);
    size_t all = s->max.rows + active, all_stride = (size_t)lbm_stride((int)all);
    int has_matrix = n <= MAX_MATRIX_VARIABLES || n < all, has_other_rows = lbs_may_have_levels(s) || active > 0;
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
    p->model.limit_multipliers = lbm_cut_doubles(arena, s->max.limits);
    p->dual.rows = lbm_cut_doubles(arena, has_other_rows ? all * stride : 0);
    p->whole_blocks =
        lbm_cut(arena, larger(all, has_matrix ? n : 0) * (size_t)lbm_block_words((int)stride), sizeof *p->whole_blocks);
    p->primal.matrix = lbm_cut_doubles(arena, has_matrix ? n * stride : 0);
    /* The same memory serves the curvature, while the matrix is filled, and then the solver of the step. */
    size_t dual = lbm_box_rows_size((int)n, (int)(has_matrix && all > n ? n : all));
    size_t primal = has_matrix ? larger(lbm_box_matrix_size((int)n), lbs_curvature_size(s)) : 0;
    p->box_scratch = p->curvature_scratch = lbm_cut_doubles(arena, larger(dual, primal));
    p->whole_stride = p->whole_count = 0;
    p->has_matrix = has_matrix;
    p->active.max = (int)active;
}

/* Rows that a restoration may have to take back: those of all levels but the lowest. */
static size_t restorable_rows(const lbs_space *s) { return lbs_may_have_levels(s) ? s->max.rows : 0; }

void lbs_lm_cut(lbs_lm *l, const lbs_space *s, lbm_arena *arena) {
    const size_t n = s->max.n, rows = restorable_rows(s), levels = s->max.levels;
    double **vectors[] = {&l->start,    &l->kept,      &l->trial,       &l->correction,        &l->corrected,
                          &l->gradient, &l->projected, &l->higher.step, &l->higher.frozen_step};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, n);
    }
    l->higher.is_frozen = lbm_cut(arena, n, sizeof *l->higher.is_frozen);
    l->higher.rhs = lbm_cut_doubles(arena, rows);
    l->higher.matrix = lbm_cut_doubles(arena, rows * rows);
    l->higher.most = lbm_cut_doubles(arena, levels);
    l->start_level_values = lbm_cut_doubles(arena, levels);
    cut_step(&l->step, s, arena);
    l->row_multipliers = lbm_cut_doubles(arena, lbs_row_multiplier_count(s));
    l->projection_scratch = lbm_cut_doubles(arena, lbs_level_tangent_size(s));
    /* Truncated Newton steps and bfgs have the rest. They share it: bfgs runs after all phases, which leave nothing
     * there. */
    l->newton_workspace = l->bfgs_workspace = lbm_cut_doubles(arena, 0);
}

size_t lbs_lm_size(const lbs_space *s) {
    lbs_lm l;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    lbs_lm_cut(&l, s, &arena);
    const size_t newton = lbs_newton_size(s), bfgs = s->max.n <= LBS_LM_MAX_HAND_OVER ? lbs_bfgs_size(s) : 0;
    lbm_cut_doubles(&arena, larger(newton, bfgs));
    return lbm_arena_doubles(&arena);
}
