/* Truncated Newton steps (R. Dembo and T. Steihaug, 1983): conjugate gradients on the Hessian, in the subspace that
 * the limits leave. They have the true curvature where Gauss-Newton crawls because the goals cannot be met, and a
 * way out of saddle points. Products with the Hessian are differences of gradients, so that goals, carriers, groups
 * and wishes are all in it. */
#include "solve/methods/lm/newton.h"

#include <string.h>

#include "math/arena.h"
#include "solve/eval/level_tangent.h"
#include "solve/methods/numeric.h"

#define MAX_BASIS_LIMITS 32 /* limits over several variables that are kept as equalities */
#define MAX_CG_STEPS 60     /* of conjugate gradients */
#define CG_ACCURACY 0.01    /* of the right-hand side; less where the gradient's norm is less */
#define NEAR_END 1e-8 /* the square of the gradient's norm: conjugate gradients may take three times as many steps */
#define CENTRAL_NORM 1e-2        /* of the gradient: below it products with the Hessian are central differences */
#define POLISH_NORM 1e-4         /* of the gradient: below it a step may be accepted by the gradient alone */
#define SHIFT 0.1                /* of the Hessian's diagonal, times the gradient's norm */
#define MAX_POOR 6               /* steps in a row that reduce neither the value nor the gradient by much */
#define LEAST_CURVATURE 1e-10    /* along a direction of conjugate gradients: less counts as negative */
#define SUFFICIENT 1e-4          /* of the decrease that the slope predicts */
#define SHORTEST_SEARCH 1e-9     /* of the direction: shorter steps are not tried */
#define VALUE_ROUNDING 1e-14     /* of the value: rounding errors */
#define DEPENDENT 1e-7           /* of its length: what is left of a vector in the span of the basis */
#define ESCAPE_ACCURACY 1e-6     /* of conjugate gradients that look for negative curvature */
#define SADDLE_CURVATURE (-1e-7) /* a direction of more curvature does not make a saddle */
#define SADDLE_NOISE 1e-13       /* of the value: rounding errors, whatever the unit of length */
#define IDLE 1e-9 /* of the largest component of a product with the Hessian: what is less is a rounding error */

typedef struct newton {
    lbs_space *s;
    int level;
    const lbs_restoration *restoration; /* of the higher levels; NULL at the highest */
    int is_central;                     /* products with the Hessian are central differences */
    double shift;                       /* what is added to the Hessian's diagonal */
    /* the iterate */
    double *gradient;          /* [n]: of the level's value, at lower levels of the Lagrangian */
    double *projected;         /* [n]: the projection of -gradient */
    double *bound_multipliers; /* [n]: > 0: the bound of this variable is active */
    double *limit_multipliers; /* [limit] */
    double *row_multipliers;   /* [m + guards]: of the higher levels' rows, which a step must not change, and guards */
    double *basis; /* [max_basis][n]: orthonormal, over the free variables: active limits, higher levels' rows */
    int basis_count;
    /* the step; all [n] */
    double *direction;                       /* of the search along a line */
    double *residual, *conjugate, *solution; /* of conjugate gradients */
    double *hessian_product;
    double *displaced, *displaced_gradient; /* for differences of gradients */
    double *trial, *trial_gradient, *trial_projected, *trial_bound_multipliers;
    double *trial_limit_multipliers; /* [limit] */
    double *projection_scratch;      /* of level_tangent.h */
} newton;

static int max_basis(const lbs_space *s) {
    int limits = (int)s->max.limits;
    return (limits < MAX_BASIS_LIMITS ? limits : MAX_BASIS_LIMITS) + (int)lbs_row_multiplier_count(s);
}

static void cut_workspace(newton *w, const lbs_space *s, lbm_arena *arena) {
    const size_t n = s->max.n, limits = s->max.limits;
    double **vectors[] = {&w->gradient,
                          &w->projected,
                          &w->bound_multipliers,
                          &w->direction,
                          &w->residual,
                          &w->conjugate,
                          &w->solution,
                          &w->hessian_product,
                          &w->displaced,
                          &w->displaced_gradient,
                          &w->trial,
                          &w->trial_gradient,
                          &w->trial_projected,
                          &w->trial_bound_multipliers};
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, n);
    }
    w->basis = lbm_cut_doubles(arena, n * (size_t)max_basis(s));
    w->limit_multipliers = lbm_cut_doubles(arena, limits);
    w->trial_limit_multipliers = lbm_cut_doubles(arena, limits);
    w->row_multipliers = lbm_cut_doubles(arena, lbs_row_multiplier_count(s));
    w->projection_scratch = lbm_cut_doubles(arena, lbs_level_tangent_size(s));
}

size_t lbs_newton_size(const lbs_space *s) {
    newton w;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_workspace(&w, s, &arena);
    return lbm_arena_doubles(&arena);
}

static void begin(newton *w, lbs_space *s, double *workspace, int level, const lbs_restoration *restoration) {
    lbm_arena arena = lbm_arena_on(workspace, LBM_ARENA_DOUBLE);
    cut_workspace(w, s, &arena);
    w->s = s;
    w->level = level;
    w->restoration = level > 0 ? restoration : NULL;
    w->is_central = 1;
    w->shift = 0;
}

/* Projects v onto the directions that keep the active bounds and the basis as they are. */
static void project(const newton *w, double *v) {
    int n = w->s->n;
    for (int i = 0; i < n; i++) {
        if (w->bound_multipliers[i] > 0) {
            v[i] = 0;
        }
    }
    for (int k = 0; k < w->basis_count; k++) {
        const double *b = w->basis + (size_t)k * (size_t)n;
        double part = lbs_dot(n, b, v);
        for (int i = 0; i < n; i++) {
            v[i] -= part * b[i];
        }
    }
}

/* Orthonormalises b, which is in its place behind the basis, and adds it, unless it is in the span of the basis
 * already. */
static void add_to_basis(newton *w, double *b) {
    int n = w->s->n;
    double before = lbs_length(n, b);
    project(w, b);
    project(w, b); /* Orthogonalising twice is enough (Kahan). */
    double norm = lbs_length(n, b);
    if (!(norm > DEPENDENT * before)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        b[i] /= norm;
    }
    w->basis_count++;
}

/* Makes an orthonormal basis of the active limits, and of the rows and guards that a step must not change. */
static void make_basis(newton *w) {
    const lbs_space *s = w->s;
    int most = max_basis(s), limits = most - (int)lbs_row_multiplier_count(s);
    w->basis_count = 0;
    for (int k = 0; k < s->limits.count && w->basis_count < limits; k++) {
        if (w->limit_multipliers[k] == 0) {
            continue;
        }
        double *b = w->basis + (size_t)w->basis_count * (size_t)s->n;
        memset(b, 0, (size_t)s->n * sizeof *b);
        for (int j = 0; j < s->limits.rows[k].count; j++) {
            b[s->limits.rows[k].variables[j]] = s->limits.rows[k].coefficients[j];
        }
        add_to_basis(w, b);
    }
    for (int i = 0; w->restoration && i < s->levels.first_rows[w->level] && w->basis_count < most; i++) {
        double *b = w->basis + (size_t)w->basis_count * (size_t)s->n;
        memcpy(b, lbs_jacobian_row(s, i), (size_t)s->n * sizeof *b);
        add_to_basis(w, b);
    }
    for (int k = 0; w->restoration && k < s->last.guard_count && w->basis_count < most; k++) {
        if (w->row_multipliers[s->row_count + k] == 0) {
            continue;
        }
        double *b = w->basis + (size_t)w->basis_count * (size_t)s->n;
        memcpy(b, s->last.guard_rows + (size_t)k * (size_t)s->stride, (size_t)s->n * sizeof *b);
        add_to_basis(w, b);
    }
}

/* The gradient of the level's value; at a lower level that of the Lagrangian, so that differences of it have the
 * curvature of the higher levels' rows. Returns the level's value. */
static double gradient_at(newton *w, const double *z, double *g) {
    lbs_space *s = w->s;
    if (!w->restoration) {
        return lbs_gradient(s, z, w->level, g);
    }
    lbs_jacobian(s, z);
    memset(g, 0, (size_t)s->n * sizeof *g);
    if (w->level == s->task.level_count - 1) {
        lbs_wishes(s, z, g, NULL);
    }
    for (int i = s->levels.first_rows[w->level]; i < s->levels.first_rows[w->level + 1]; i++) {
        for (int k = 0; k < s->n; k++) {
            g[k] += s->last.residuals[i] * lbs_jacobian_row(s, i)[k];
        }
    }
    for (int k = 0; k < s->n; k++) {
        g[k] *= 2;
    }
    for (int i = 0; i < s->levels.first_rows[w->level]; i++) {
        for (int k = 0; k < s->n; k++) {
            g[k] += w->row_multipliers[i] * lbs_jacobian_row(s, i)[k];
        }
    }
    for (int i = 0; i < s->last.guard_count; i++) {
        for (int k = 0; k < s->n; k++) {
            g[k] +=
                w->row_multipliers[s->row_count + i] * s->last.guard_rows[(size_t)i * (size_t)s->stride + (size_t)k];
        }
    }
    return s->last.level_values[w->level];
}

/* hv = (H + shift) v, by a difference of gradients: a forward one from the gradient at z, or a central one. The
 * error of a forward difference is of the order of its step. Near a minimum that is all but flat in some directions
 * (an arm that is stretched and may turn about itself) that would be as large as the curvature. */
static void hessian_times(newton *w, const double *z, const double *v, double *hv) {
    lbs_space *s = w->s;
    double size = lbs_length(s->n, v);
    if (size == 0) {
        memset(hv, 0, (size_t)s->n * sizeof *hv);
        return;
    }
    double step = (w->is_central ? 1e-5 : 1e-6) / size;
    const double *from = w->gradient;
    if (w->is_central) {
        for (int i = 0; i < s->n; i++) {
            w->displaced[i] = z[i] - step * v[i];
        }
        gradient_at(w, w->displaced, w->displaced_gradient);
        from = w->displaced_gradient;
    }
    for (int i = 0; i < s->n; i++) {
        w->displaced[i] = z[i] + step * v[i];
    }
    gradient_at(w, w->displaced, hv);
    double width = w->is_central ? 2 * step : step;
    for (int i = 0; i < s->n; i++) {
        hv[i] = (hv[i] - from[i]) / width + w->shift * v[i];
    }
    project(w, hv);
}

/* Solves H x = right by conjugate gradients; x is w->solution. Where they meet a direction of negative curvature,
 * they end with it in w->conjugate, and 1 is returned. *curvature is that of the last direction. */
static int conjugate_gradients(newton *w, const double *z, const double *right, double accuracy, double *curvature) {
    lbs_space *s = w->s;
    int n = s->n;
    memset(w->solution, 0, (size_t)n * sizeof *w->solution);
    memcpy(w->residual, right, (size_t)n * sizeof *w->residual);
    project(w, w->residual);
    memcpy(w->conjugate, w->residual, (size_t)n * sizeof *w->conjugate);
    double square = lbs_dot(n, w->residual, w->residual), goal = accuracy * accuracy * square;
    int steps = n < MAX_CG_STEPS ? n : MAX_CG_STEPS;
    if (square < NEAR_END) {
        steps *=
            3; /* All directions count there, also those that are all but flat; rounding errors make n steps too few. */
    }
    for (int i = 0; i < steps && square > goal; i++) {
        hessian_times(w, z, w->conjugate, w->hessian_product);
        double bend = lbs_dot(n, w->conjugate, w->hessian_product), length = lbs_dot(n, w->conjugate, w->conjugate);
        *curvature = bend / length;
        if (!(bend > LEAST_CURVATURE * length)) {
            return 1;
        }
        double alpha = square / bend, before = square;
        for (int k = 0; k < n; k++) {
            w->solution[k] += alpha * w->conjugate[k];
            w->residual[k] -= alpha * w->hessian_product[k];
        }
        square = lbs_dot(n, w->residual, w->residual);
        for (int k = 0; k < n; k++) {
            w->conjugate[k] = w->residual[k] + square / before * w->conjugate[k];
        }
        if (lbs_spent(s)) {
            break;
        }
    }
    return 0;
}

/* The value and the gradient at z, the norm of its projection, and the multipliers of what blocks it. */
static double look(newton *w, const double *z, double *norm) {
    lbs_space *s = w->s;
    if (!w->restoration) {
        double value = lbs_gradient(s, z, w->level, w->gradient);
        *norm = lbs_tangent(s, z, w->gradient, w->projected, w->bound_multipliers, w->limit_multipliers);
        return value;
    }
    memset(w->row_multipliers, 0, lbs_row_multiplier_count(s) * sizeof *w->row_multipliers);
    double value = gradient_at(w, z, w->gradient);
    const lbs_projection projection = {w->gradient, w->projected, w->row_multipliers, w->bound_multipliers,
                                       w->limit_multipliers};
    *norm = lbs_level_tangent(s, w->projection_scratch, z, w->level, &projection);
    return value;
}

/* The value of the level at the trial, the higher levels restored; NaN if they cannot be. */
static double value_at_trial(newton *w) {
    lbs_space *s = w->s;
    if (lbs_project(s, w->trial)) {
        return NAN;
    }
    lbs_value(s, w->trial);
    if (w->restoration && !w->restoration->restore(w->restoration->context, w->trial)) {
        return NAN;
    }
    return s->last.level_values[w->level];
}

/* Searches along the direction from z, with steps that are halved until one is better. Returns 1 if z has moved. */
static int search(newton *w, double *z, double value) {
    lbs_space *s = w->s;
    double slope = lbs_dot(s->n, w->gradient, w->direction);
    for (double t = 1; t > SHORTEST_SEARCH; t *= t > 0.2 ? 0.5 : 0.1) {
        for (int i = 0; i < s->n; i++) {
            w->trial[i] = z[i] + t * w->direction[i];
        }
        double trial = value_at_trial(w);
        if (trial < value && trial <= value + SUFFICIENT * t * (slope < 0 ? slope : 0)) {
            memcpy(z, w->trial, (size_t)s->n * sizeof *z);
            return 1;
        }
        if (lbs_spent(s)) {
            return 0;
        }
    }
    return 0;
}

/* Where the value is too flat to tell better from worse, the gradient still can: the whole step is taken if the
 * value is the same to rounding and the projected gradient half as long (after W. Hager and H. Zhang's approximate
 * Wolfe conditions, 2005). Returns 1 if z has moved. */
static int polish(newton *w, double *z, double value, double norm) {
    lbs_space *s = w->s;
    for (int i = 0; i < s->n; i++) {
        w->trial[i] = z[i] + w->direction[i];
    }
    if (w->restoration || lbs_project(s, w->trial)) {
        return 0;
    }
    double trial = lbs_gradient(s, w->trial, w->level, w->trial_gradient);
    if (!(trial <= value * (1 + VALUE_ROUNDING))) {
        return 0;
    }
    double trial_norm = lbs_tangent(s, w->trial, w->trial_gradient, w->trial_projected, w->trial_bound_multipliers,
                                    w->trial_limit_multipliers);
    if (!(trial_norm <= 0.5 * norm)) {
        return 0;
    }
    memcpy(z, w->trial, (size_t)s->n * sizeof *z);
    return 1;
}

/* Finds the direction of the next step. Returns 1 if conjugate gradients met negative curvature, and ended there. */
static int find_direction(newton *w, const double *z, double norm) {
    const int n = w->s->n;
    double curvature;
    w->is_central = norm < CENTRAL_NORM;
    /* The shift vanishes with the gradient, so that steps stay short along directions without curvature and
     * convergence is superlinear (D.-H. Li, M. Fukushima, L. Qi, N. Yamashita, "Regularized Newton methods for
     * convex minimization problems with singular solutions", 2004). */
    w->shift = SHIFT * norm;
    int is_bent = conjugate_gradients(w, z, w->projected, norm < CG_ACCURACY ? norm : CG_ACCURACY, &curvature);
    memcpy(w->direction, w->solution, (size_t)n * sizeof *w->direction);
    if (is_bent && lbs_dot(n, w->direction, w->direction) == 0) {
        memcpy(w->direction, w->projected, (size_t)n * sizeof *w->direction);
    }
    return is_bent;
}

/* Takes one step from z; where Newton's does not lead down, along the projected gradient. Returns 1 if z has moved. */
static int take_step(newton *w, double *z, double value, double norm) {
    int is_bent = find_direction(w, z, norm);
    if (!is_bent && norm < POLISH_NORM && polish(w, z, value, norm)) {
        return 1;
    }
    if (search(w, z, value)) {
        return 1;
    }
    for (int i = 0; i < w->s->n; i++) {
        w->direction[i] = (w->restoration ? w->projected[i] : -w->gradient[i]) / (1 + norm);
    }
    return search(w, z, value);
}

void lbs_truncated_newton(lbs_space *s, double *workspace, double *z, int level, const lbs_restoration *restoration,
                          int *iteration) {
    newton w;
    double least_norm = INFINITY, last_value = INFINITY;
    begin(&w, s, workspace, level, restoration);
    for (int poor = 0; *iteration < s->options->max_iterations && poor < MAX_POOR; ++*iteration) {
        double norm, value = look(&w, z, &norm);
        make_basis(&w);
        poor = value > 0.99 * last_value && norm > 0.5 * least_norm ? poor + 1 : 0;
        least_norm = norm < least_norm ? norm : least_norm;
        last_value = value;
        if (norm <= s->options->gradient_tolerance * lbs_level_unit(s, level)) {
            return;
        }
        if (!s->options->keep_going && lbs_is_content(s, z, level)) {
            return;
        }
        if (!take_step(&w, z, value, norm) || lbs_stop(s, z, lbs_total(s))) {
            return;
        }
    }
}

static int never(void *context, double *z) {
    (void)context;
    (void)z;
    return 0;
}

double lbs_newton_norm(lbs_space *s, double *workspace, const double *z, int level, double *gradient,
                       const double **row_multipliers) {
    newton w;
    double norm;
    const lbs_restoration restoration = {
        never, NULL}; /* Nothing moves, so it is never called: it only says that there are higher levels. */
    begin(&w, s, workspace, level, &restoration);
    s->task.guard_level = level;
    look(&w, z, &norm);
    s->task.guard_level = 0;
    if (gradient) {
        memcpy(gradient, w.gradient, (size_t)s->n * sizeof *gradient);
    }
    if (row_multipliers) {
        *row_multipliers = w.row_multipliers;
    }
    return norm;
}

/* Takes variables without any curvature out of a direction: they do not help to leave a saddle, and are to stay. */
static void drop_idle(newton *w, const double *z, double *v) {
    const int n = w->s->n;
    double most = 0;
    hessian_times(w, z, v, w->hessian_product);
    for (int i = 0; i < n; i++) {
        most = fabs(w->hessian_product[i]) > most ? fabs(w->hessian_product[i]) : most;
    }
    for (int i = 0; i < n; i++) {
        v[i] = fabs(w->hessian_product[i]) > IDLE * most ? v[i] : 0;
    }
}

int lbs_newton_escape(lbs_space *s, double *workspace, double *z, int level) {
    newton w;
    double norm, curvature;
    uint64_t seed = 88172645463325252ull;
    begin(&w, s, workspace, level, NULL);
    double value = look(&w, z, &norm);
    make_basis(&w);
    for (int i = 0; i < s->n; i++) { /* G. Marsaglia's xorshift: any vector will do, if it is always the same. */
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        w.direction[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
    project(&w, w.direction);
    drop_idle(&w, z, w.direction);
    if (lbs_dot(s->n, w.direction, w.direction) == 0) {
        return 0;
    }
    if (!conjugate_gradients(&w, z, w.direction, ESCAPE_ACCURACY, &curvature) || curvature > SADDLE_CURVATURE) {
        return 0;
    }
    memcpy(w.direction, w.conjugate, (size_t)s->n * sizeof *w.direction);
    double size = lbs_length(s->n, w.direction), noise = SADDLE_NOISE * value;
    for (double t = 0.5; t > 1e-4; t *= 0.3) {
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < s->n; i++) {
                w.trial[i] = z[i] + sign * t / size * w.direction[i];
            }
            if (lbs_spent(s) || lbs_project(s, w.trial)) {
                return 0;
            }
            lbs_value(s, w.trial);
            if (s->last.level_values[level] < value - 1e-3 * t * t * -curvature * 0.01 - noise) {
                memcpy(z, w.trial, (size_t)s->n * sizeof *z);
                return 1;
            }
        }
    }
    return 0;
}
