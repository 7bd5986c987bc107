/* Where the limits let -gradient go: the projection onto the tangent cone, and the multipliers of what holds it back.
 */
#include <string.h>

#include "math/active_set.h"
#include "math/arena.h"
#include "math/project.h"
#include "solve/plan/space.h"

#define ROUNDING 1e-15  /* of the largest element of the gradient */
#define DEPENDENT 1e-12 /* the pivot of a unit normal below which it depends on the others */

/* The cone (math/active_set.h) of limits in force. Its rows are sparse; rows that depend on others are left out. */
typedef struct tangent {
    const lbs_space *s;
    const double *g;
    double *d;         /* [n] */
    double *bound;     /* [n]: multipliers; > 0 only where a bound is active */
    signed char *side; /* [n]: lbm_side_of */
    double *free;      /* [n]: 1, or 0 where a bound is active */
    int count;         /* limits in force */
    int limit[LBS_MAX_ACTIVE];
    unsigned char is_equal[LBS_MAX_ACTIVE], used[LBS_MAX_ACTIVE];
    double alpha[LBS_MAX_ACTIVE]; /* multipliers */
    double *gram;                 /* [count][count] */
} tangent;

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
        const double slack = row->bound - lbm_row_sum(row, z);
        const int is_equal = row->kind == LB_LIMIT_EQUAL;
        if (!is_equal && slack > LBM_ON_LIMIT * (1 + fabs(row->bound) + all)) {
            continue; /* by far not, as most often */
        }
        if (lbm_row_is_on(row, z)) {
            t->is_equal[t->count] = t->used[t->count] = (unsigned char)is_equal;
            t->limit[t->count++] = k;
        }
    }
}

/* The projection where only bounds are in force: -g, without what goes out. Returns its square. */
static double stop_at_bounds(const lbs_space *s, const double *z, const double *g, double *d, double *bounds) {
    double square = 0;
    for (int i = 0; i < s->n; i++) {
        int side = lbm_side_of(z[i], s->variables.lower[i], s->variables.upper[i]);
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

static double along(void *context, int k) {
    const tangent *t = context;
    const lb_limit_row *row = &t->s->limits.rows[t->limit[k]];
    return lbm_row_sum(row, t->d);
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
            if (t->free[p->variables[i]] != 0) {
                sum += p->coefficients[i] * q->coefficients[j];
            }
            i++;
            j++;
        }
    }
    return sum;
}

/* The limits in use, and their Gram matrix: a Cholesky factor by rows of `count`. */
typedef struct gram_factor {
    int count;
    int order[LBS_MAX_ACTIVE];                  /* their numbers among the limits in force */
    unsigned char is_dependent[LBS_MAX_ACTIVE]; /* a limit that depends on others before it is left out */
    double *values;
} gram_factor;

/* Row i of the factor. */
static void factor_row(const tangent *t, gram_factor *f, int i) {
    const int m = f->count;
    double *row = f->values + i * m;
    for (int j = 0; j <= i; j++) {
        const double *other = f->values + j * m;
        double sum = gram_entry(t, f->order[i], f->order[j]);
        for (int k = 0; k < j; k++) {
            sum -= row[k] * other[k];
        }
        if (j < i) {
            row[j] = f->is_dependent[j] ? 0 : sum / other[j];
        } else {
            f->is_dependent[i] = sum < DEPENDENT;
            row[i] = f->is_dependent[i] ? 1 : sqrt(sum);
        }
    }
    for (int j = 0; j < i && f->is_dependent[i]; j++) {
        row[j] = 0;
    }
}

/* Replaces x by the solution of the system; 0 where a limit is dependent. */
static void solve_factor(const gram_factor *f, double *x) {
    const int m = f->count;
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= f->values[i * m + k] * x[k];
        }
        x[i] = f->is_dependent[i] ? 0 : x[i] / f->values[i * m + i];
    }
    for (int i = m - 1; i >= 0; i--) {
        for (int k = i + 1; k < m; k++) {
            x[i] -= f->values[k * m + i] * x[k];
        }
        x[i] = f->is_dependent[i] ? 0 : x[i] / f->values[i * m + i];
    }
}

/* d = -g over the free variables, less its part along the limits in use. A limit that depends on others is left out. */
static int solve_equalities(void *context) {
    tangent *t = context;
    gram_factor f;
    double x[LBS_MAX_ACTIVE];
    f.count = 0;
    f.values = t->gram;
    for (int i = 0; i < t->s->n; i++) {
        t->d[i] = t->free[i] != 0 ? -t->g[i] : 0;
    }
    for (int k = 0; k < t->count; k++) {
        t->alpha[k] = 0;
        if (t->used[k]) {
            f.order[f.count++] = k;
        }
    }
    for (int i = 0; i < f.count; i++) {
        x[i] = along(t, f.order[i]);
        factor_row(t, &f, i);
    }
    solve_factor(&f, x);
    for (int i = f.count - 1; i >= 0; i--) {
        const lb_limit_row *row = &t->s->limits.rows[t->limit[f.order[i]]];
        t->alpha[f.order[i]] = x[i];
        for (int j = 0; j < row->count; j++) {
            if (t->free[row->variables[j]] != 0) {
                t->d[row->variables[j]] -= x[i] * row->coefficients[j];
            }
        }
    }
    return 0;
}

/* What pushes a variable: -g less the limits' share. */
static double push_on(void *context, int variable) {
    const tangent *t = context;
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

/* The projection where limits are in force, too. Returns its square. */
static double stop_at_limits(tangent *t, const double *z) {
    const lbs_space *s = t->s;
    double size = 0, square = 0;
    for (int i = 0; i < s->n; i++) {
        t->side[i] = (signed char)lbm_side_of(z[i], s->variables.lower[i], s->variables.upper[i]);
        t->free[i] = !(t->side[i] && goes_out(t->side[i], -t->g[i]));
        if (fabs(t->g[i]) > size) {
            size = fabs(t->g[i]);
        }
    }
    const int passes = 4 * (t->count + 10);
    const lbm_cone cone = {.n = s->n,
                           .row_count = t->count,
                           .side = t->side,
                           .is_equality = t->is_equal,
                           .d = t->d,
                           .multipliers = t->alpha,
                           .free = t->free,
                           .used = t->used,
                           .solve = solve_equalities,
                           .along = along,
                           .push = push_on,
                           .context = t,
                           .tiny = ROUNDING * size,
                           .passes = passes,
                           .all_at_once = passes,
                           .bounds_last = 1};
    lbm_cone_project(&cone);
    for (int i = 0; i < s->n; i++) {
        square += t->d[i] * t->d[i];
        t->bound[i] = t->free[i] != 0 ? 0 : fabs(push_on(t, i));
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
    find_active(&t, z);
    for (int k = 0; k < s->limits.count; k++) {
        limit_multipliers[k] = 0;
    }
    if (t.count == 0) {
        return sqrt(stop_at_bounds(s, z, gradient, direction, bound_multipliers));
    }
    lbm_arena arena = lbm_arena_on(s->limits.tangent_scratch, LBM_ARENA_DOUBLE);
    t.free = lbm_cut_doubles(&arena, (size_t)s->n);
    t.side = lbm_cut(&arena, (size_t)s->n, 1);
    t.gram = lbm_cut_doubles(&arena, LBS_MAX_ACTIVE * LBS_MAX_ACTIVE);
    double square = stop_at_limits(&t, z);
    for (int k = 0; k < t.count; k++) {
        if (t.used[k]) {
            limit_multipliers[t.limit[k]] = t.alpha[k];
        }
    }
    return sqrt(square);
}
