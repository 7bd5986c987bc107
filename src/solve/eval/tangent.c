/* Where the limits let -gradient go: the projection onto the tangent cone, and the multipliers of what holds it back.
 */
#include <string.h>

#include "math/project.h"
#include "solve/plan/space.h"

/* An active-set method for: minimise |d + g|^2 subject to d_i >= 0 at lower bounds, <= 0 at upper ones, a . d <= 0 (=
 * 0) for limits in force. Bounds are handled by freezing variables, limits by their Gram matrix over the free ones. */
typedef struct tangent {
    const lbs_space *s;
    const double *g;
    double *d;             /* [n] */
    double *bound;         /* [n]: multipliers; > 0 only where frozen */
    signed char *side;     /* [n]: -1 at lower, 1 at upper, 2 at both, 0 inside */
    unsigned char *frozen; /* [n] */
    int count;             /* limits in force */
    int limit[LBS_MAX_ACTIVE];
    unsigned char used[LBS_MAX_ACTIVE];
    double alpha[LBS_MAX_ACTIVE];
    double *gram; /* [count][count] */
} tangent;

/* -1 at the lower bound, 1 at the upper, 2 at both, 0 inside. */
static inline int side_of(const lbs_space *s, const double *z, int i) {
    double near = 1e-10 * (1 + fabs(z[i])), below = z[i] - s->variables.lower[i], above = s->variables.upper[i] - z[i];
    if (below > near && above > near) {
        return 0;
    }
    return below > near ? 1 : above > near ? -1 : 2;
}

static inline int goes_out(int side, double direction) { return side == 2 ? direction != 0 : side * direction > 0; }

/* The limits that z is on. */
static void find_active(tangent *t, const double *z) {
    const lbs_space *s = t->s;
    double all = 0; /* more than any unit vector makes of z */
    t->count = 0;
    for (int i = 0; i < s->n && s->limits.count; i++) {
        all += fabs(z[i]);
    }
    for (int k = 0; k < s->limits.count && t->count < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *row = &s->limits.rows[k];
        double room = row->bound - lbm_row_sum(row, z), near = 1 + fabs(row->bound);
        int is_equal = row->kind == LB_LIMIT_EQUAL;
        if (!is_equal && room > 1e-10 * (near + all)) {
            continue; /* by far, as most often */
        }
        for (int j = 0; j < row->count; j++) {
            near += fabs(row->coefficients[j] * z[row->variables[j]]);
        }
        if (is_equal || !(room > 1e-10 * near)) {
            t->limit[t->count++] = k;
        }
    }
}

/* Where there are but bounds: -g, without what goes out. Returns its square. */
static double stop_at_bounds(const lbs_space *s, const double *z, const double *g, double *d, double *bounds) {
    double square = 0;
    for (int i = 0; i < s->n; i++) {
        int side = side_of(s, z, i);
        d[i] = -g[i];
        bounds[i] = 0;
        if (side && goes_out(side, d[i])) {
            d[i] = 0;
            bounds[i] = fabs(g[i]);
        }
        square += d[i] * d[i];
    }
    return square;
}

static double along(const tangent *t, int k, const double *v) {
    const lb_limit_row *row = &t->s->limits.rows[t->limit[k]];
    return lbm_row_sum(row, v);
}

/* The product of two limits' normals over the free variables; their variables are in increasing order. */
static double gram_entry(const tangent *t, int a, int b) {
    const lb_limit_row *p = &t->s->limits.rows[t->limit[a]], *q = &t->s->limits.rows[t->limit[b]];
    double sum = 0;
    for (int i = 0, j = 0; i < p->count && j < q->count;) {
        if (p->variables[i] < q->variables[j]) {
            i++;
        } else if (p->variables[i] > q->variables[j]) {
            j++;
        } else {
            if (!t->frozen[p->variables[i]]) {
                sum += p->coefficients[i] * q->coefficients[j];
            }
            i++;
            j++;
        }
    }
    return sum;
}

/* d = -g over the free variables, less its part along the limits in use. A limit that depends on others (a tiny pivot)
 * is left out. */
static void solve_equalities(tangent *t) {
    int n = t->s->n, order[LBS_MAX_ACTIVE], m = 0;
    for (int i = 0; i < n; i++) {
        t->d[i] = t->frozen[i] ? 0 : -t->g[i];
    }
    for (int k = 0; k < t->count; k++) {
        t->alpha[k] = 0;
        if (t->used[k]) {
            order[m++] = k;
        }
    }
    double rhs[LBS_MAX_ACTIVE];
    unsigned char dead[LBS_MAX_ACTIVE];
    for (int i = 0; i < m; i++) { /* Cholesky, row by row */
        rhs[i] = along(t, order[i], t->d);
        for (int j = 0; j <= i; j++) {
            double sum = gram_entry(t, order[i], order[j]);
            for (int k = 0; k < j; k++) {
                sum -= t->gram[i * m + k] * t->gram[j * m + k];
            }
            if (j < i) {
                t->gram[i * m + j] = dead[j] ? 0 : sum / t->gram[j * m + j];
            } else {
                dead[i] = sum < 1e-12;
                t->gram[i * m + i] = dead[i] ? 1 : sqrt(sum);
            }
        }
        if (dead[i]) {
            for (int j = 0; j < i; j++) {
                t->gram[i * m + j] = 0;
            }
        }
    }
    for (int i = 0; i < m; i++) {
        if (dead[i]) {
            rhs[i] = 0;
        }
        for (int k = 0; k < i; k++) {
            rhs[i] -= t->gram[i * m + k] * rhs[k];
        }
        rhs[i] /= t->gram[i * m + i];
        if (dead[i]) {
            rhs[i] = 0;
        }
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++) {
            rhs[i] -= t->gram[k * m + i] * rhs[k];
        }
        rhs[i] = dead[i] ? 0 : rhs[i] / t->gram[i * m + i];
        t->alpha[order[i]] = rhs[i];
        const lb_limit_row *row = &t->s->limits.rows[t->limit[order[i]]];
        for (int j = 0; j < row->count; j++) {
            if (!t->frozen[row->variables[j]]) {
                t->d[row->variables[j]] -= rhs[i] * row->coefficients[j];
            }
        }
    }
}

/* What pushes a variable: -g less the limits' share. */
static double push_on(const tangent *t, int variable) {
    double push = -t->g[variable];
    for (int k = 0; k < t->count; k++) {
        if (t->alpha[k] == 0) {
            continue;
        }
        const lb_limit_row *row = &t->s->limits.rows[t->limit[k]];
        for (int j = 0; j < row->count; j++) {
            if (row->variables[j] == variable) {
                push -= t->alpha[k] * row->coefficients[j];
            }
        }
    }
    return push;
}

/* One change of the active set; 0 when there is nothing to change. */
static int improve(tangent *t, double tiny) {
    const lbs_space *s = t->s;
    int changed = 0;
    for (int k = 0; k < t->count; k++) { /* limits that pull instead of push are let go */
        if (!t->used[k] || s->limits.rows[t->limit[k]].kind == LB_LIMIT_EQUAL || t->alpha[k] >= -tiny) {
            continue;
        }
        t->used[k] = 0;
        changed = 1;
    }
    for (int i = 0; i < s->n && !changed; i++) {
        if (!t->frozen[i] || t->side[i] == 2) {
            continue;
        }
        if (push_on(t, i) * t->side[i] >= -tiny) {
            continue;
        }
        t->frozen[i] = 0;
        changed = 1;
    }
    if (changed) {
        return 1;
    }
    for (int i = 0; i < s->n; i++) {
        if (!t->frozen[i] && (t->side[i] == 2 ? t->d[i] != 0 : t->side[i] * t->d[i] > tiny)) {
            t->frozen[i] = 1, changed = 1; /* by more than rounding: it would be let go again */
        }
    }
    for (int k = 0; k < t->count; k++) {
        if (!t->used[k] && along(t, k, t->d) > tiny) {
            t->used[k] = 1, changed = 1;
        }
    }
    return changed;
}

/* The same with limits in force. */
static double stop_at_limits(tangent *t, const double *z) {
    const lbs_space *s = t->s;
    double size = 0, square = 0;
    for (int i = 0; i < s->n; i++) {
        t->side[i] = (signed char)side_of(s, z, i);
        t->frozen[i] = t->side[i] && goes_out(t->side[i], -t->g[i]);
        if (fabs(t->g[i]) > size) {
            size = fabs(t->g[i]);
        }
    }
    for (int k = 0; k < t->count; k++) {
        t->used[k] = s->limits.rows[t->limit[k]].kind == LB_LIMIT_EQUAL;
    }
    for (int pass = 0; pass < 4 * (t->count + 10); pass++) {
        solve_equalities(t);
        if (!improve(t, 1e-15 * size)) {
            break;
        }
    }
    for (int i = 0; i < s->n; i++) {
        square += t->d[i] * t->d[i];
        t->bound[i] = t->frozen[i] ? fabs(push_on(t, i)) : 0;
    }
    return square;
}

double lbs_tangent(const lbs_space *s, const double *z, const double *gradient, double *direction,
                   double *bound_multipliers, double *limit_multipliers) {
    tangent t;
    t.s = s;
    t.g = gradient;
    t.d = direction;
    t.bound = bound_multipliers;
    t.side = (signed char *)s->limits.tangent_scratch;
    t.frozen = (unsigned char *)(s->limits.tangent_scratch + s->n);
    t.gram = s->limits.tangent_scratch + 2 * (size_t)s->n;
    find_active(&t, z);
    for (int k = 0; k < s->limits.count; k++) {
        limit_multipliers[k] = 0;
    }
    if (t.count == 0) {
        return sqrt(stop_at_bounds(s, z, gradient, direction, bound_multipliers));
    }
    double square = stop_at_limits(&t, z);
    for (int k = 0; k < t.count; k++) {
        if (t.used[k]) {
            limit_multipliers[t.limit[k]] = t.alpha[k];
        }
    }
    return sqrt(square);
}
