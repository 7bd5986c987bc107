/* The step in the space of the variables, by the whole matrix of the model: J'J with the wishes, the squares of the
 * weighted equalities and, for Newton's steps, the curvature of the residuals. */
#include <string.h>

#include "solve/eval/hessian.h"
#include "solve/methods/lm/step_parts.h"

/* --- The matrix ----------------------------------------------------------------------------------------------- */

/* J'J of the level's own rows and of the higher levels' weighted rows, with the wishes' curvature. */
static void fill_squares(lbs_step *p) {
    lbs_space *s = p->s;
    double *matrix = p->primal.matrix;
    size_t stride = (size_t)s->stride;
    int n = s->n, first = lbs_step_first_row(p), own = lbs_step_own_rows(p);
    memset(matrix, 0, (size_t)n * stride * sizeof *matrix); /* with the padding, which the kernels multiply, too */
    if (first) {
        s->kernels->squares(n, first, s->last.jacobian, s->last.jacobian, LBS_EQUALITY_WEIGHT * LBS_EQUALITY_WEIGHT,
                            matrix);
    }
    s->kernels->squares(n, own, lbs_jacobian_row(s, first), lbs_jacobian_row(s, first), 1, matrix);
    for (size_t a = 0; a < (size_t)n; a++) {
        matrix[a * stride + a] += p->model.wish_half_curvature[a];
    }
}

/* lbs_curvature adds to both sides of the diagonal. The blocks on the diagonal have numbers on its left, which are
 * cleared before; folding adds what is on the left to what is on the right, and makes the matrix symmetric. */
static int add_curvature(lbs_step *p, const double *row_multipliers) {
    lbs_space *s = p->s;
    size_t stride = (size_t)s->stride, n = (size_t)s->n;
    const lbm_stop stop = lbs_step_stop(p);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a & ~(size_t)7; b < a; b++) {
            p->primal.matrix[a * stride + b] = 0;
        }
    }
    if (stop.is_late && stop.is_late(s)) {
        return 1;
    }
    lbs_curvature(s, p->level, row_multipliers, p->primal.matrix, p->curvature_scratch);
    if (stop.is_late && stop.is_late(s)) {
        return 1;
    }
    s->kernels->fold(s->n, p->primal.matrix);
    return 0;
}

int lbs_step_fill_matrix(lbs_step *p, const double *row_multipliers, lbs_step_matrix kind) {
    fill_squares(p);
    if (kind == LBS_MATRIX_NEWTON) {
        if (add_curvature(p, row_multipliers)) {
            return 1;
        }
    } else {
        p->s->kernels->mirror(p->s->n, p->primal.matrix);
    }
    p->primal.kind = kind;
    return 0;
}

/* Adds the squares of the active set's weighted rows to the matrix (sign 1), or takes them off (sign -1). */
static void add_active(const lbs_step *p, double sign) {
    const lbs_space *s = p->s;
    double *matrix = p->primal.matrix;
    for (int i = 0; i < p->active.count; i++) {
        int number = p->active.numbers[i];
        if (lbs_step_is_guard(p, number)) {
            const double *row = lbs_step_guard_row(p, number);
            for (int a = 0; a < s->n; a++) {
                double part = sign * LBS_EQUALITY_WEIGHT * LBS_EQUALITY_WEIGHT * row[a];
                if (part != 0) {
                    s->kernels->add_scaled(s->stride, part, row, matrix + (size_t)a * (size_t)s->stride);
                }
            }
            continue;
        }
        const lb_limit_row *limit = &s->limits.rows[number];
        for (int a = 0; a < limit->count; a++) {
            for (int b = 0; b < limit->count; b++) {
                matrix[(size_t)limit->variables[a] * (size_t)s->stride + (size_t)limit->variables[b]] +=
                    sign * LBS_EQUALITY_WEIGHT * LBS_EQUALITY_WEIGHT * limit->coefficients[a] * limit->coefficients[b];
            }
        }
    }
}

/* --- The step ------------------------------------------------------------------------------------------------- */

lbm_box_matrix lbs_step_primal_box(lbs_step *p, double damping) {
    const lbs_space *s = p->s;
    return (lbm_box_matrix){s->kernels,         s->n,    s->stride,      p->primal.matrix,
                            p->primal.gradient, damping, p->model.low,   p->model.high,
                            p->primal.states,   p->d,    p->box_scratch, lbs_step_stop(p)};
}

/* The state of a variable whose bound blocks the gradient; 0 of all others. */
static int blocked_state(const lbs_step *p, int k) {
    return !(p->model.bound_multipliers[k] > 0) ? 0 : p->model.low[k] == 0 ? -1 : 1;
}

/* Newton's steps end on many more bounds than block the gradient. So they begin with the bounds on which the last
 * Newton step of the level ended, or, at the first one, with all bounds that z is on. */
static void guess_states(lbs_step *p) {
    for (int k = 0; k < p->s->n; k++) {
        int state = blocked_state(p, k), at = p->model.low[k] == 0 ? -1 : p->model.high[k] == 0 ? 1 : 0;
        int guess = p->primal.has_newton_states ? p->primal.newton_states[k] : at;
        p->primal.states[k] = (signed char)(state != 0 ? state : guess);
    }
}

/* Solves from the states of the last step from this point, or, for a Newton step, from a guess. Where that fails, it
 * solves from the bounds alone that block the gradient, unless these leave more variables free than the guess did:
 * with fewer free variables the matrix had negative curvature already. */
static int solve_from_guess(lbs_step *p, const lbm_box_matrix *box) {
    int n = p->s->n, is_newton = p->primal.kind == LBS_MATRIX_NEWTON, frees_more = 1;
    if (!p->primal.has_states && is_newton) {
        guess_states(p);
    }
    if (p->primal.has_states || is_newton) {
        if (!lbm_box_matrix_solve(box, &p->primal.lack)) {
            return 0;
        }
        for (int k = 0; k < n; k++) {
            frees_more &= p->primal.states[k] != 0 || blocked_state(p, k) == 0;
        }
        if (frees_more) {
            return 1;
        }
    }
    for (int k = 0; k < n; k++) {
        p->primal.states[k] = (signed char)blocked_state(p, k);
    }
    return lbm_box_matrix_solve(box, &p->primal.lack);
}

/* Half the gradient of the model at d = 0. */
static void fill_gradient(lbs_step *p) {
    const lbs_space *s = p->s;
    double *gradient = p->primal.gradient;
    memcpy(gradient, lbs_step_half_gradient(p), (size_t)s->n * sizeof *gradient);
    for (int i = 0; i < p->active.count; i++) {
        int number = p->active.numbers[i];
        double slack = p->active.slacks[i];
        if (lbs_step_is_guard(p, number)) {
            const double *row = lbs_step_guard_row(p, number);
            for (int k = 0; k < s->n; k++) {
                gradient[k] -= LBS_EQUALITY_WEIGHT * LBS_EQUALITY_WEIGHT * slack * row[k];
            }
            continue;
        }
        const lb_limit_row *limit = &s->limits.rows[number];
        for (int j = 0; j < limit->count; j++) {
            gradient[limit->variables[j]] -= LBS_EQUALITY_WEIGHT * LBS_EQUALITY_WEIGHT * slack * limit->coefficients[j];
        }
    }
}

int lbs_step_solve_primal(lbs_step *p, double damping) {
    fill_gradient(p);
    add_active(p, 1);
    lbm_box_matrix box = lbs_step_primal_box(p, damping);
    int failed = solve_from_guess(p, &box);
    if (!failed && p->primal.kind == LBS_MATRIX_NEWTON) {
        memcpy(p->primal.newton_states, p->primal.states, (size_t)p->s->n);
        p->primal.has_newton_states = 1;
    }
    p->primal.has_states = !failed;
    add_active(p, -1);
    return failed;
}

/* --- The matrix of the last step ------------------------------------------------------------------------------ */

double lbs_step_secular(lbs_step *p) {
    int n = p->s->n;
    double square = 0, bent = 0, *free_step = p->primal.free_step, *free_solved = p->primal.free_solved;
    for (int k = 0; k < n; k++) {
        free_step[k] = p->primal.states[k] == 0 ? p->d[k] : 0;
    }
    lbm_box_matrix box = lbs_step_primal_box(p, p->damping);
    lbm_box_matrix_again(&box, free_step, free_solved);
    for (int k = 0; k < n; k++) {
        square += p->d[k] * p->d[k];
        bent -= free_step[k] * free_solved[k];
    }
    return bent > 0 ? square / bent : 0;
}

/* Variables whose bounds block the gradient stay where they are; all others are free. */
int lbs_step_is_convex(lbs_step *p, double least) {
    for (int k = 0; k < p->s->n; k++) {
        p->primal.states[k] = (signed char)(p->model.bound_multipliers[k] > 0 ? 1 : 0);
    }
    p->primal.has_states = 0;
    lbs_step_activate_blocking(p);
    add_active(p, 1);
    lbm_box_matrix box = lbs_step_primal_box(p, least);
    int failed = lbm_box_matrix_factor(&box);
    add_active(p, -1);
    return !failed;
}
