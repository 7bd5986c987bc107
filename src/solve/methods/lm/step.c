/* A step: the model, the active set, the step in the space of the variables, the choice between that and step_dual.c,
 * and the reduction that the model predicts. */
#include "solve/methods/lm/step.h"

#include <string.h>

#include "math/project.h"
#include "solve/eval/hessian.h"
#include "solve/methods/lm/step_parts.h"

#define CROSSED 1e-12       /* beyond a limit, relative to its bound: less is a rounding error */
#define MAX_ACTIVE_ROUNDS 6 /* of adding limits to the active set; a trial is moved inside all limits in any case */

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

/* Half the gradient of what the step minimises: of the level's value, or of the Lagrangian. */
static const double *half_gradient_of(const lbs_step *p) {
    return p->model.row_multipliers ? p->model.lagrangian_half_gradient : p->model.half_gradient;
}

/* --- The active set ------------------------------------------------------------------------------------------- */

/* Limits over several variables, and guards (faces of regions that a higher level has an effector in), which the step
 * keeps as equalities. Bounds of single variables are not in the active set: they are exact inside the step. */

/* Adds a limit or a guard, and its weighted row to those of the dual step. */
static void activate(lbs_step *p, int number, double slack) {
    const lbs_space *s = p->s;
    lbs_step_active *active = &p->active;
    size_t stride = (size_t)s->stride;
    double *row = p->dual.rows + (size_t)(lbs_step_own_rows(p) + lbs_step_first_row(p) + active->count) * stride;
    if (lbs_step_is_guard(p, number)) {
        const double *from = lbs_step_guard_row(p, number);
        for (size_t k = 0; k < stride; k++) {
            row[k] = LBS_EQUALITY_WEIGHT * from[k];
        }
    } else {
        const lb_limit_row *from = &s->limits.rows[number];
        memset(row, 0, stride * sizeof *row);
        for (int j = 0; j < from->count; j++) {
            row[from->variables[j]] = LBS_EQUALITY_WEIGHT * from->coefficients[j];
        }
    }
    active->slacks[active->count] = slack;
    active->numbers[active->count++] = number;
}

/* How far it is from z to a guard's face. From beyond the face the step may not go farther beyond. */
static double distance_to_face(const lbs_step *p, int guard) {
    double value = p->s->last.guards[guard].value;
    return value < 0 ? -value : 0;
}

static void activate_blocking(lbs_step *p) {
    const lbs_space *s = p->s;
    const double *multipliers = p->model.row_multipliers;
    p->active.count = 0;
    for (int k = 0; k < s->limits.count && p->active.count < LBS_MAX_ACTIVE; k++) {
        if (p->model.limit_multipliers[k] != 0) {
            activate(p, k, 0);
        }
    }
    for (int k = 0; multipliers && k < s->last.guard_count && p->active.count < LBS_MAX_ACTIVE; k++) {
        if (multipliers[s->row_count + k] > 0) {
            activate(p, s->limits.count + k, distance_to_face(p, k));
        }
    }
}

/* Whether a number is among the first `count` of the active set. */
static int is_active(const lbs_step *p, int number, int count) {
    for (int i = 0; i < count; i++) {
        if (p->active.numbers[i] == number) {
            return 1;
        }
    }
    return 0;
}

static void activate_crossed_guards(lbs_step *p, int before) {
    const lbs_space *s = p->s;
    for (int k = 0; k < s->last.guard_count && p->active.count < LBS_MAX_ACTIVE; k++) {
        const double *row = lbs_step_guard_row(p, s->limits.count + k);
        double change = 0;
        if (is_active(p, s->limits.count + k, before)) {
            continue;
        }
        for (int j = 0; j < s->n; j++) {
            change += row[j] * p->d[j];
        }
        if (change > distance_to_face(p, k) + CROSSED) {
            activate(p, s->limits.count + k, distance_to_face(p, k));
        }
    }
}

/* A limit that is added lets the step go as far as the limit allows. */
static int activate_crossed(lbs_step *p) {
    const lbs_space *s = p->s;
    int before = p->active.count;
    for (int k = 0; k < s->limits.count && p->active.count < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *limit = &s->limits.rows[k];
        if (is_active(p, k, before)) {
            continue;
        }
        double here = lbm_row_sum(limit, p->model.z), change = lbm_row_sum(limit, p->d);
        if (here + change <= limit->bound + CROSSED * (1 + fabs(limit->bound))) {
            continue;
        }
        activate(p, k, here < limit->bound ? limit->bound - here : 0);
    }
    if (p->model.row_multipliers) {
        activate_crossed_guards(p, before);
    }
    return p->active.count - before;
}

/* --- The matrix ----------------------------------------------------------------------------------------------- */

/* Half the Hessian of the model: J'J with the wishes and the squares of the weighted equalities and, for Newton's
 * steps, the curvature of the residuals. */

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

static int fill_matrix(lbs_step *p, const double *row_multipliers, lbs_step_matrix kind) {
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

int lbs_step_fill_hessian(lbs_step *p, const double *row_multipliers) {
    return fill_matrix(p, row_multipliers, LBS_MATRIX_NEWTON);
}

/* --- The step in the space of the variables ------------------------------------------------------------------- */

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
    memcpy(gradient, half_gradient_of(p), (size_t)s->n * sizeof *gradient);
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

static int solve_primal(lbs_step *p, double damping) {
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

/* --- The step ------------------------------------------------------------------------------------------------- */

/* Solves again as long as the step crosses limits that are not in the active set. */
static int solve_with_active_set(lbs_step *p, double damping, int (*solve)(lbs_step *, double)) {
    p->is_dual = solve == lbs_step_solve_dual;
    p->damping = damping;
    activate_blocking(p);
    for (int round = 0; round < MAX_ACTIVE_ROUNDS; round++) {
        if (solve(p, damping)) {
            return 1;
        }
        if (!activate_crossed(p)) {
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
    if (p->primal.kind != LBS_MATRIX_GAUSS_NEWTON && fill_matrix(p, NULL, LBS_MATRIX_GAUSS_NEWTON)) {
        return 1;
    }
    return solve_with_active_set(p, damping, solve_primal);
}

int lbs_step_newton(lbs_step *p, double damping) { return solve_with_active_set(p, damping, solve_primal); }

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
    activate_blocking(p);
    add_active(p, 1);
    lbm_box_matrix box = lbs_step_primal_box(p, least);
    int failed = lbm_box_matrix_factor(&box);
    add_active(p, -1);
    return !failed;
}

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
    const double *gradient = half_gradient_of(p), *curvature = p->model.wish_half_curvature, *d = p->d;
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
    const double *gradient = half_gradient_of(p), *d = p->d;
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
