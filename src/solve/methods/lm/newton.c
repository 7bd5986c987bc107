/* Truncated Newton steps (conjugate gradients on the Hessian) in the subspace that the limits leave: true curvature,
 * where Gauss-Newton crawls because the goals cannot be met, and a way out of saddle points. Products with the Hessian
 * are differences of gradients, so that goals, carriers, groups and wishes are all in it. */
#include "solve/methods/lm/lm.h"

#include <string.h>

#include "solve/methods/lm/held.h"

#define MOST_HELD 32 /* limits over several variables held as equalities */
#define MOST_STEPS 60
#define IDLE 1e-9 /* of the largest component of a product with the Hessian: what is less is rounding */

typedef struct newton {
    lbs_space *s;
    int level, held;
    double *g, *direction, *bounds, *limits, *p, *r, *v, *hv, *x, *trial, *back;
    double *basis; /* [held_room][n]: orthonormal, over free variables: limits in force, and the higher levels' rows */
    double *pull;  /* multipliers of the higher levels' rows, which a step must not change, and of their guards */
    double *look;  /* lbs_held_look's */
    const lbs_hold *hold; /* keeps the higher levels; NULL at the highest */
    int careful;          /* products with the Hessian by central differences */
    double shift;         /* added to the Hessian's diagonal */
} newton;

static int held_room(const lbs_space *s) {
    int limits = (int)lbs_max_limits(s->problem);
    return (limits < MOST_HELD ? limits : MOST_HELD) + (int)lbs_pull_size(s);
}

size_t lbs_newton_size(const lbs_space *s) {
    return (size_t)lbs_max_n(s) * (10 + (size_t)held_room(s)) + lbs_max_limits(s->problem) + lbs_pull_size(s) +
           lbs_held_size(s);
}

static void lay_out(newton *w, lbs_space *s, double *work, int level, const lbs_hold *hold) {
    size_t n = (size_t)lbs_max_n(s);
    double **vectors[] = {&w->g, &w->direction, &w->bounds, &w->p, &w->r, &w->v, &w->hv, &w->x, &w->trial, &w->back};
    for (size_t i = 0; i < 10; i++) {
        *vectors[i] = work + i * n;
    }
    w->basis = work + 10 * n;
    w->limits = w->basis + n * (size_t)held_room(s);
    w->pull = w->limits + lbs_max_limits(s->problem);
    w->look = w->pull + lbs_pull_size(s);
    w->s = s;
    w->level = level;
    w->hold = level > 0 ? hold : NULL;
    w->careful = 1;
    w->shift = 0;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Takes off what would leave the bounds and limits in force. */
static void keep(const newton *w, double *v) {
    int n = w->s->n;
    for (int i = 0; i < n; i++) {
        if (w->bounds[i] > 0) {
            v[i] = 0;
        }
    }
    for (int k = 0; k < w->held; k++) {
        const double *b = w->basis + (size_t)k * (size_t)n;
        double part = dot(n, b, v);
        for (int i = 0; i < n; i++) {
            v[i] -= part * b[i];
        }
    }
}

/* Adds a vector to the orthonormal basis, unless it is in its span already. */
static void add_to_basis(newton *w, double *b) {
    int n = w->s->n;
    double before = sqrt(dot(n, b, b));
    keep(w, b);
    keep(w, b); /* twice is enough (Kahan) */
    double norm = sqrt(dot(n, b, b));
    if (!(norm > 1e-7 * before)) {
        return;
    }
    for (int i = 0; i < n; i++) {
        b[i] /= norm;
    }
    w->held++;
}

/* An orthonormal basis of the limits that push back, and of the rows to hold. */
static void make_basis(newton *w) {
    const lbs_space *s = w->s;
    int room = held_room(s), limits = room - (int)lbs_pull_size(s);
    w->held = 0;
    for (int k = 0; k < s->limits.count && w->held < limits; k++) {
        if (w->limits[k] == 0) {
            continue;
        }
        double *b = w->basis + (size_t)w->held * (size_t)s->n;
        memset(b, 0, (size_t)s->n * sizeof *b);
        for (int j = 0; j < s->limits.rows[k].count; j++) {
            b[s->limits.rows[k].variables[j]] = s->limits.rows[k].coefficients[j];
        }
        add_to_basis(w, b);
    }
    for (int i = 0; w->hold && i < s->levels.first_rows[w->level] && w->held < room; i++) {
        double *b = w->basis + (size_t)w->held * (size_t)s->n;
        memcpy(b, lbs_jacobian_row(s, i), (size_t)s->n * sizeof *b);
        add_to_basis(w, b);
    }
    for (int k = 0; w->hold && k < s->last.guard_count && w->held < room; k++) {
        if (w->pull[s->row_count + k] == 0) {
            continue;
        }
        double *b = w->basis + (size_t)w->held * (size_t)s->n;
        memcpy(b, s->last.guard_rows + (size_t)k * (size_t)s->stride, (size_t)s->n * sizeof *b);
        add_to_basis(w, b);
    }
}

/* The gradient of the level's value; at a lower level of its Lagrangian, so that the held rows' own curvature is in its
 * differences. */
static double gradient_at(newton *w, const double *z, double *g) {
    lbs_space *s = w->s;
    if (!w->hold) {
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
            g[k] += w->pull[i] * lbs_jacobian_row(s, i)[k];
        }
    }
    for (int i = 0; i < s->last.guard_count; i++) {
        for (int k = 0; k < s->n; k++) {
            g[k] += w->pull[s->row_count + i] * s->last.guard_rows[(size_t)i * (size_t)s->stride + (size_t)k];
        }
    }
    return s->last.level_values[w->level];
}

/* hv = (H + shift) v, by a difference of gradients: forward from g at z, or central when `careful`. Near a minimum that
 * is all but flat in some directions (an arm that is stretched and may turn about itself) the forward one's error, of
 * the order of its step, would be as large as the curvature there. */
static void hessian_times(newton *w, const double *z, const double *v, double *hv) {
    lbs_space *s = w->s;
    double size = sqrt(dot(s->n, v, v));
    if (size == 0) {
        memset(hv, 0, (size_t)s->n * sizeof *hv);
        return;
    }
    double step = (w->careful ? 1e-5 : 1e-6) / size;
    const double *from = w->g;
    if (w->careful) {
        for (int i = 0; i < s->n; i++) {
            w->trial[i] = z[i] - step * v[i];
        }
        gradient_at(w, w->trial, w->back);
        from = w->back;
    }
    for (int i = 0; i < s->n; i++) {
        w->trial[i] = z[i] + step * v[i];
    }
    gradient_at(w, w->trial, hv);
    double width = w->careful ? 2 * step : step;
    for (int i = 0; i < s->n; i++) {
        hv[i] = (hv[i] - from[i]) / width + w->shift * v[i];
    }
    keep(w, hv);
}

/* Conjugate gradients for H x = right; x in w->x. Returns 1 with a direction of negative curvature in w->v if it meets
 * one. */
static int conjugate_gradients(newton *w, const double *z, const double *right, double accuracy, double *curvature) {
    lbs_space *s = w->s;
    int n = s->n;
    memset(w->x, 0, (size_t)n * sizeof *w->x);
    memcpy(w->r, right, (size_t)n * sizeof *w->r);
    keep(w, w->r);
    memcpy(w->v, w->r, (size_t)n * sizeof *w->v);
    double square = dot(n, w->r, w->r), goal = accuracy * accuracy * square;
    int steps = n < MOST_STEPS ? n : MOST_STEPS;
    if (square < 1e-8) {
        steps *= 3; /* near the end all directions count, also those that are all but flat; rounding makes n too few */
    }
    for (int i = 0; i < steps && square > goal; i++) {
        hessian_times(w, z, w->v, w->hv);
        double bend = dot(n, w->v, w->hv), length = dot(n, w->v, w->v);
        *curvature = bend / length;
        if (!(bend > 1e-10 * length)) {
            return 1;
        }
        double alpha = square / bend, before = square;
        for (int k = 0; k < n; k++) {
            w->x[k] += alpha * w->v[k];
            w->r[k] -= alpha * w->hv[k];
        }
        square = dot(n, w->r, w->r);
        for (int k = 0; k < n; k++) {
            w->v[k] = w->r[k] + square / before * w->v[k];
        }
        if (lbs_spent(s)) {
            break;
        }
    }
    return 0;
}

/* Value and gradient at z, its projection and what holds it. */
static double look(newton *w, const double *z, double *norm) {
    lbs_space *s = w->s;
    if (!w->hold) {
        double value = lbs_gradient(s, z, w->level, w->g);
        *norm = lbs_tangent(s, z, w->g, w->direction, w->bounds, w->limits);
        return value;
    }
    memset(w->pull, 0, lbs_pull_size(s) * sizeof *w->pull);
    double value = gradient_at(w, z, w->g);
    *norm = lbs_held_look(s, w->look, z, w->level, w->g, w->direction, w->pull, w->bounds, w->limits);
    return value;
}

/* The value of the level at trial, the higher levels kept; NaN if they cannot be. */
static double value_at_trial(newton *w) {
    lbs_space *s = w->s;
    if (lbs_project(s, w->trial)) {
        return NAN;
    }
    lbs_value(s, w->trial);
    if (w->hold && !w->hold->keep(w->hold->context, w->trial)) {
        return NAN;
    }
    return s->last.level_values[w->level];
}

/* Along p from z, halving until it is better; moves z. Returns 1 if it was. */
static int search(newton *w, double *z, const double *p, double value) {
    lbs_space *s = w->s;
    double slope = dot(s->n, w->g, p);
    for (double t = 1; t > 1e-9; t *= t > 0.2 ? 0.5 : 0.1) {
        for (int i = 0; i < s->n; i++) {
            w->trial[i] = z[i] + t * p[i];
        }
        double trial = value_at_trial(w);
        if (trial < value && trial <= value + 1e-4 * t * (slope < 0 ? slope : 0)) {
            memcpy(z, w->trial, (size_t)s->n * sizeof *z);
            return 1;
        }
        if (lbs_spent(s)) {
            return 0;
        }
    }
    return 0;
}

/* Where G is too flat for its values to tell better from worse, the gradient still can: the whole step is taken if G is
 * the same to rounding and the projected gradient half as long (after Hager and Zhang's approximate Wolfe conditions,
 * 2005). */
static int polish(newton *w, double *z, double value, double norm) {
    lbs_space *s = w->s;
    for (int i = 0; i < s->n; i++) {
        w->trial[i] = z[i] + w->p[i];
    }
    if (w->hold || lbs_project(s, w->trial)) {
        return 0;
    }
    double trial = lbs_gradient(s, w->trial, w->level, w->hv);
    if (!(trial <= value * (1 + 1e-14))) {
        return 0;
    }
    if (!(lbs_tangent(s, w->trial, w->hv, w->x, w->bounds, w->limits) <= 0.5 * norm)) {
        return 0;
    }
    memcpy(z, w->trial, (size_t)s->n * sizeof *z);
    return 1;
}

void lbs_newton(lbs_space *s, double *work, double *z, int level, const lbs_hold *hold, int *iteration) {
    newton w;
    lay_out(&w, s, work, level, hold);
    double least = INFINITY, last = INFINITY;
    for (int poor = 0; *iteration < s->options->max_iterations && poor < 6; ++*iteration) {
        double norm, value = look(&w, z, &norm), curvature;
        make_basis(&w);
        poor = value > 0.99 * last && norm > 0.5 * least ? poor + 1
                                                         : 0; /* neither value nor gradient: nothing for Newton */
        if (norm < least) {
            least = norm;
        }
        last = value;
        if (norm <= s->options->gradient_tolerance * lbs_level_unit(s, level)) {
            return;
        }
        if (!s->options->keep_going && lbs_is_content(s, z, level)) {
            return;
        }
        double accuracy = norm < 0.01 ? norm : 0.01;
        w.careful = norm < 1e-2;
        /* It vanishes with the gradient, so that steps stay short along directions without curvature and convergence
         * superlinear (D.-H. Li, M. Fukushima, L. Qi, N. Yamashita, "Regularized Newton methods for convex minimization
         * problems with singular solutions", 2004). */
        w.shift = 0.1 * norm;
        int bent = conjugate_gradients(&w, z, w.direction, accuracy, &curvature);
        memcpy(w.p, w.x, (size_t)s->n * sizeof *w.p);
        if (bent && dot(s->n, w.p, w.p) == 0) {
            memcpy(w.p, w.direction, (size_t)s->n * sizeof *w.p);
        }
        if (!bent && norm < 1e-4 && polish(&w, z, value, norm)) {
            if (lbs_stop(s, z, lbs_total(s))) {
                return;
            }
            continue;
        }
        if (!search(&w, z, w.p, value)) {
            /* not down that way: the projected gradient's own */
            for (int i = 0; i < s->n; i++) {
                w.p[i] = (w.hold ? w.direction[i] : -w.g[i]) / (1 + norm);
            }
            if (!search(&w, z, w.p, value)) {
                return;
            }
        }
        if (lbs_stop(s, z, lbs_total(s))) {
            return;
        }
    }
}

static int never(void *context, double *z) {
    (void)context;
    (void)z;
    return 0;
}

double lbs_newton_norm(lbs_space *s, double *work, const double *z, int level, double *gradient,
                       const double **multipliers) {
    newton w;
    double norm;
    const lbs_hold hold = {never, NULL}; /* only its being there counts: nothing moves */
    lay_out(&w, s, work, level, &hold);
    s->task.guard_level = level;
    look(&w, z, &norm);
    s->task.guard_level = 0;
    if (gradient) {
        memcpy(gradient, w.g, (size_t)s->n * sizeof *gradient);
    }
    if (multipliers) {
        *multipliers = w.pull;
    }
    return norm;
}

/* Takes variables without any curvature out of a direction: they are of no use for a way down, and are to stay. */
static void leave_idle(newton *w, const double *z, double *p) {
    const int n = w->s->n;
    double most = 0;
    hessian_times(w, z, p, w->hv);
    for (int i = 0; i < n; i++) {
        most = fabs(w->hv[i]) > most ? fabs(w->hv[i]) : most;
    }
    for (int i = 0; i < n; i++) {
        p[i] = fabs(w->hv[i]) > IDLE * most ? p[i] : 0;
    }
}

int lbs_newton_escape(lbs_space *s, double *work, double *z, int level) {
    newton w;
    double norm, curvature;
    uint64_t seed = 88172645463325252ull;
    lay_out(&w, s, work, level, NULL);
    double value = look(&w, z, &norm);
    make_basis(&w);
    for (int i = 0; i < s->n; i++) { /* Marsaglia's xorshift: any vector will do, but always the same */
        seed ^= seed << 13;
        seed ^= seed >> 7;
        seed ^= seed << 17;
        w.p[i] = (double)(seed >> 11) * 0x1p-53 - 0.5;
    }
    keep(&w, w.p);
    leave_idle(&w, z, w.p);
    if (dot(s->n, w.p, w.p) == 0) {
        return 0;
    }
    if (!conjugate_gradients(&w, z, w.p, 1e-6, &curvature) || curvature > -1e-7) {
        return 0;
    }
    memcpy(w.p, w.v, (size_t)s->n * sizeof *w.p);
    double size = sqrt(dot(s->n, w.p, w.p)), noise = 1e-13 * value; /* of G, whatever the unit of length */
    for (double t = 0.5; t > 1e-4; t *= 0.3) {
        for (int sign = -1; sign <= 1; sign += 2) {
            for (int i = 0; i < s->n; i++) {
                w.trial[i] = z[i] + sign * t / size * w.p[i];
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
