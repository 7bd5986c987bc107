#include "math/active_set.h"

#include <string.h>

double lbm_row_excess(const lb_limit_row *row, const double *x, double *size) {
    double sum = 0.0, sizes = 0.0;
    for (int i = 0; i < row->count; i++) {
        const double term = row->coefficients[i] * x[row->variables[i]];
        sum += term;
        sizes += fabs(term);
    }
    if (size) {
        *size = 1.0 + fabs(row->bound) + sizes;
    }
    return sum - row->bound;
}

int lbm_row_is_on(const lb_limit_row *row, const double *x) {
    double size;
    return row->kind == LB_LIMIT_EQUAL || !(-lbm_row_excess(row, x, &size) > LBM_ON_LIMIT * size);
}

/* ---------------------------------------------------------------------------------------------------
 * The cone
 * ------------------------------------------------------------------------------------------------- */

/* Frees members whose multiplier has the wrong sign, all or one. Returns whether there were any. */
static int free_pulling(const lbm_cone *c, int one) {
    int changed = 0;
    for (int i = 0; i < c->row_count && !(one && changed); i++) {
        if (!c->used[i] || c->is_equality[i] || c->multipliers[i] >= -c->tiny) {
            continue;
        }
        c->used[i] = 0;
        changed = 1;
    }
    for (int k = 0; k < c->n && !((one || c->bounds_last) && changed); k++) {
        if (c->free[k] != 0 || c->side[k] == 2 || c->push(c->context, k) * c->side[k] >= -c->tiny) {
            continue;
        }
        c->free[k] = 1;
        changed = 1;
    }
    return changed;
}

/* Takes in limits that d goes beyond by more than rounding, all or one. Returns whether there were any. */
static int take_in_violated(const lbm_cone *c, int one) {
    int changed = 0;
    for (int k = 0; k < c->n && !(one && changed); k++) {
        if (c->free[k] == 0 || !(c->side[k] == 2 ? c->d[k] != 0 : c->side[k] * c->d[k] > c->tiny)) {
            continue;
        }
        c->free[k] = 0;
        changed = 1;
    }
    for (int i = 0; i < c->row_count && !(one && changed); i++) {
        if (c->used[i] || !(c->along(c->context, i) > c->tiny)) {
            continue;
        }
        c->used[i] = 1;
        changed = 1;
    }
    return changed;
}

lbm_cone_end lbm_cone_project(const lbm_cone *c) {
    for (int pass = 0; pass < c->passes; pass++) {
        const int one = pass >= c->all_at_once;
        if (c->solve(c->context)) {
            return LBM_CONE_FAILED;
        }
        if (!free_pulling(c, one) && !take_in_violated(c, one)) {
            return LBM_CONE_DONE;
        }
    }
    return LBM_CONE_SPENT;
}

/* ---------------------------------------------------------------------------------------------------
 * The dual method
 *
 * The method keeps, at every step, the exact answer to a problem with fewer limits: x is closest to the start among the
 * points that meet the active limits N'x = b as equalities, and no multiplier u of an inequality is negative:
 *
 *     x = start - N u.
 *
 * The most violated limit, with normal n, is then brought in. Raising its multiplier by t moves
 *
 *     x by -t z, z = n - N r, r = (N'N)^-1 N'n     (z: the part of n that the active normals do not span)
 *     u by -t r,
 *
 * until it is met (a full step: it becomes active), or a multiplier falls to 0 (that limit is dropped, and the step
 * goes on). If z is 0 and no multiplier can fall, n is a combination of active normals that cannot be met. The distance
 * from the start grows with every full step, so no active set comes twice, and the method ends.
 *
 * N = Q R with orthonormal columns Q and triangular R, grown by Gram-Schmidt (done twice, which is enough: W. Kahan
 * in B. Parlett, The Symmetric Eigenvalue Problem, 6-9) and shrunk by Givens rotations. It starts with all bounds
 * that the start breaks: their normals are orthogonal, so clamping is the exact answer to the problem with these
 * limits alone.
 * ------------------------------------------------------------------------------------------------- */

#define TOLERANCE 1e-14    /* a violation smaller than this, times the size of its terms, is rounding */
#define DEPENDENT 1e-22    /* |z|^2 below this: n is spanned by the active normals */
#define TAKEN_AS_MET 1e-10 /* a limit that cannot be met but misses by no more than this is let be; */
#define CONTRADICTION 1e-6 /* one that misses by more than this is a contradiction; between the two it is hard to say */
#define RISING 1e-12       /* r above this: the multiplier falls */

enum { IDLE, ACTIVE, LET_BE };

typedef struct solver {
    const lbm_component *part;
    int m, q;                      /* variables, active limits */
    double *start, *z, *c, *r, *u; /* [m] each */
    double *basis;                 /* Q: q columns of m */
    double *triangle;              /* R: columns of m, upper q x q */
} solver;

/* ---------------------------------------------------------------------------------------------------
 * The factorisation
 * ------------------------------------------------------------------------------------------------- */

static double length_squared(const double *v, int count) {
    double sum = 0.0;
    for (int i = 0; i < count; i++) {
        sum += v[i] * v[i];
    }
    return sum;
}

/* Takes off z what the active normals span, and adds scale times that to c. */
static void orthogonalise(solver *s, double scale) {
    const int m = s->m;
    for (int k = 0; k < s->q; k++) {
        const double *column = s->basis + (size_t)k * (size_t)m;
        double dot = 0.0;
        for (int i = 0; i < m; i++) {
            dot += column[i] * s->z[i];
        }
        for (int i = 0; i < m; i++) {
            s->z[i] -= dot * column[i];
        }
        s->c[k] += scale * dot;
    }
}

static void scale_z(solver *s, double factor) {
    for (int i = 0; i < s->m; i++) {
        s->z[i] *= factor;
    }
}

/* With z = n on entry: c = Q'n, z = n - Q c, r = R^-1 c. Returns |z|^2, 0 if n is spanned by the active normals. */
static double split_normal(solver *s) {
    const size_t m = (size_t)s->m;
    memset(s->c, 0, (size_t)s->q * sizeof *s->c);
    orthogonalise(s, 1.0);
    orthogonalise(s, 1.0);
    double zz = length_squared(s->z, s->m);
    if (zz >= DEPENDENT && zz < 1e-4) {
        /* A normal that is nearly spanned: the step along z will be long, so z must be orthogonal for its own size. */
        const double length = sqrt(zz);
        scale_z(s, 1.0 / length);
        orthogonalise(s, length);
        scale_z(s, length);
        zz = length_squared(s->z, s->m);
    }
    for (int k = s->q - 1; k >= 0; k--) {
        double sum = s->c[k];
        for (int j = k + 1; j < s->q; j++) {
            sum -= s->triangle[(size_t)j * m + (size_t)k] * s->r[j];
        }
        s->r[k] = sum / s->triangle[(size_t)k * m + (size_t)k];
    }
    return s->q == s->m || zz < DEPENDENT ? 0.0 : zz;
}

static int *state_of(const solver *s, const lbm_active *limit) {
    return limit->row >= 0 ? s->part->row_state + limit->row : s->part->bound_state + limit->variable;
}

/* Adds the limit that split_normal was called for. */
static void add_limit(solver *s, const lbm_active *limit, double multiplier, double zz) {
    const size_t m = (size_t)s->m, q = (size_t)s->q;
    const double length = sqrt(zz);
    for (size_t i = 0; i < m; i++) {
        s->basis[q * m + i] = s->z[i] / length;
    }
    memcpy(s->triangle + q * m, s->c, q * sizeof *s->c);
    s->triangle[q * m + q] = length;
    s->part->active[q] = *limit;
    s->u[q] = multiplier;
    s->q++;
    *state_of(s, limit) = ACTIVE;
}

/* (a, b) turned by an angle. Two sums, not a sum and a difference: GCC 12 would fuse such a pair into one vfmsubadd
 * instruction, with other roundings, even where told not to contract. */
static inline void rotate(double *a, double *b, double cosine, double sine, double minus_sine) {
    const double old = *a;
    *a = cosine * old + sine * *b;
    *b = cosine * *b + minus_sine * old;
}

/* Drops active limit k. What is left of R has one entry below the diagonal in each column from k on: rotate it away. */
static void drop_limit(solver *s, int k) {
    const size_t m = (size_t)s->m;
    *state_of(s, &s->part->active[k]) = IDLE;
    s->q--;
    for (int j = k; j < s->q; j++) {
        memcpy(s->triangle + (size_t)j * m, s->triangle + (size_t)(j + 1) * m, (size_t)(j + 2) * sizeof(double));
        s->part->active[j] = s->part->active[j + 1];
        s->u[j] = s->u[j + 1];
    }
    for (int i = k; i < s->q; i++) {
        double *corner = s->triangle + (size_t)i * m + (size_t)i;
        const double length = sqrt(corner[0] * corner[0] + corner[1] * corner[1]);
        const double cosine = corner[0] / length, sine = corner[1] / length;
        for (int j = i; j < s->q; j++) {
            double *entry = s->triangle + (size_t)j * m + (size_t)i;
            rotate(entry, entry + 1, cosine, sine, -sine);
        }
        double *first = s->basis + (size_t)i * m, *second = first + m;
        for (size_t j = 0; j < m; j++) {
            rotate(first + j, second + j, cosine, sine, -sine);
        }
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Limits
 * ------------------------------------------------------------------------------------------------- */

/* How far x is beyond a limit, and (in *size) what that is to be measured by. */
static double excess_of(const solver *s, const lbm_active *limit, double *size) {
    const lbm_component *part = s->part;
    if (limit->row >= 0) {
        const lb_limit_row *row = part->rows + limit->row;
        const double excess = lbm_row_excess(row, part->x, size);
        for (int i = 0; i < row->count; i++) {
            *size += fabs(row->coefficients[i] * s->start[part->place[row->variables[i]]]);
        }
        return limit->sign * excess;
    }
    const int v = part->variables[limit->variable];
    const double bound = limit->sign > 0.0 ? part->upper[v] : part->lower[v];
    *size = 1.0 + fabs(bound) + fabs(s->start[limit->variable]);
    return limit->sign * (part->x[v] - bound);
}

static void consider(const solver *s, const lbm_active *limit, lbm_active *worst, double *worst_excess) {
    double size;
    const double excess = excess_of(s, limit, &size);
    if (excess > *worst_excess && excess > TOLERANCE * size) {
        *worst_excess = excess;
        *worst = *limit;
    }
}

/* The limit that is violated most; 0 if none is. */
static int find_worst(const solver *s, lbm_active *worst) {
    const lbm_component *part = s->part;
    double worst_excess = 0.0;
    for (int r = part->first_row; r >= 0; r = part->next_row[r]) {
        if (part->row_state[r] == IDLE) {
            const int is_equal = part->rows[r].kind == LB_LIMIT_EQUAL;
            const int is_below = is_equal && lbm_row_excess(part->rows + r, part->x, NULL) < 0.0;
            consider(s, &(lbm_active){r, -1, is_equal, is_below ? -1.0 : 1.0}, worst, &worst_excess);
        }
    }
    for (int i = 0; i < s->m; i++) {
        const int v = part->variables[i];
        if (part->bound_state[i] == IDLE && (part->x[v] < part->lower[v] || part->x[v] > part->upper[v])) {
            consider(s, &(lbm_active){-1, i, 0, part->x[v] < part->lower[v] ? -1.0 : 1.0}, worst, &worst_excess);
        }
    }
    return worst_excess > 0.0;
}

static void normal_into_z(solver *s, const lbm_active *limit) {
    memset(s->z, 0, (size_t)s->m * sizeof *s->z);
    if (limit->row < 0) {
        s->z[limit->variable] = limit->sign;
        return;
    }
    const lb_limit_row *row = s->part->rows + limit->row;
    for (int i = 0; i < row->count; i++) {
        s->z[s->part->place[row->variables[i]]] += limit->sign * row->coefficients[i];
    }
}

/* ---------------------------------------------------------------------------------------------------
 * The method
 * ------------------------------------------------------------------------------------------------- */

static solver begin(const lbm_component *part) {
    const size_t m = (size_t)part->count;
    solver s = {part, part->count, 0, part->numbers, NULL, NULL, NULL, NULL, NULL, NULL};
    s.z = s.start + m;
    s.c = s.z + m;
    s.r = s.c + m;
    s.u = s.r + m;
    s.basis = s.u + m;
    s.triangle = s.basis + m * m;
    for (int r = part->first_row; r >= 0; r = part->next_row[r]) {
        part->row_state[r] = IDLE;
    }
    for (int i = 0; i < s.m; i++) {
        const int v = part->variables[i];
        const double x = part->x[v], lower = part->lower[v], upper = part->upper[v];
        s.start[i] = x;
        part->bound_state[i] = IDLE;
        if (x < lower || x > upper || lower == upper) {
            const lbm_active bound = {-1, i, lower == upper, x < lower ? -1.0 : 1.0};
            const size_t column = (size_t)s.q;
            memset(s.basis + column * m, 0, m * sizeof(double));
            memset(s.triangle + column * m, 0, m * sizeof(double));
            s.basis[column * m + (size_t)i] = bound.sign;
            s.triangle[column * m + column] = 1.0;
            part->x[v] = x < lower ? lower : upper;
            part->active[column] = bound;
            part->bound_state[i] = ACTIVE;
            s.u[column] = fabs(x - part->x[v]);
            s.q++;
        }
    }
    return s;
}

/* The active inequality whose multiplier reaches 0 first as the new one's rises, after *rise; -1 if none does. */
static int find_blocking(const solver *s, double *rise) {
    int blocking = -1;
    *rise = HUGE_VAL;
    for (int k = 0; k < s->q; k++) {
        if (!s->part->active[k].is_equal && s->r[k] > RISING) {
            const double at = (s->u[k] > 0.0 ? s->u[k] : 0.0) / s->r[k];
            if (at < *rise) {
                *rise = at;
                blocking = k;
            }
        }
    }
    return blocking;
}

/* Brings a violated limit in, dropping others as need be. */
static lbm_active_set_result meet(solver *s, const lbm_active *limit, int *steps_left) {
    double multiplier = 0.0;
    for (; *steps_left > 0; (*steps_left)--) {
        double rise_to_drop, size;
        normal_into_z(s, limit);
        const double zz = split_normal(s), excess = excess_of(s, limit, &size);
        const double rise_to_meet = zz > 0.0 ? (excess > 0.0 ? excess : 0.0) / zz : HUGE_VAL;
        const int blocking = find_blocking(s, &rise_to_drop);
        if (zz == 0.0 && blocking < 0) {
            *state_of(s, limit) = LET_BE;
            return excess <= TAKEN_AS_MET * size    ? LBM_ACTIVE_SET_DONE
                   : excess <= CONTRADICTION * size ? LBM_ACTIVE_SET_GAVE_UP
                                                    : LBM_ACTIVE_SET_CONTRADICTION;
        }
        const double rise = rise_to_drop < rise_to_meet ? rise_to_drop : rise_to_meet;
        if (zz > 0.0) {
            for (int i = 0; i < s->m; i++) {
                s->part->x[s->part->variables[i]] -= rise * s->z[i];
            }
        }
        for (int k = 0; k < s->q; k++) {
            s->u[k] -= rise * s->r[k];
        }
        multiplier += rise;
        if (rise_to_meet <= rise_to_drop) {
            add_limit(s, limit, multiplier, zz);
            return LBM_ACTIVE_SET_DONE;
        }
        drop_limit(s, blocking);
    }
    return LBM_ACTIVE_SET_GAVE_UP;
}

/* What is at a bound, or beyond it, but for rounding - bounds in force, and those that rows happen to meet - gets its
 * bits. */
static void settle_bounds(const solver *s) {
    const lbm_component *part = s->part;
    for (int k = 0; k < s->q; k++) {
        const lbm_active *limit = part->active + k;
        if (limit->row < 0) {
            const int v = part->variables[limit->variable];
            part->x[v] = limit->sign > 0.0 ? part->upper[v] : part->lower[v];
        }
    }
    for (int i = 0; i < s->m; i++) {
        const int v = part->variables[i];
        const double x = part->x[v], lower = part->lower[v], upper = part->upper[v];
        if (x <= lower + TOLERANCE * (1.0 + fabs(lower))) {
            part->x[v] = lower;
        } else if (x >= upper - TOLERANCE * (1.0 + fabs(upper))) {
            part->x[v] = upper;
        }
    }
}

lbm_active_set_result lbm_active_set_solve(const lbm_component *part) {
    solver s = begin(part);
    lbm_active worst;
    int steps_left = 100 + 20 * part->count;
    for (int r = part->first_row; r >= 0; r = part->next_row[r]) {
        steps_left += 20;
    }
    while (find_worst(&s, &worst)) {
        const lbm_active_set_result result = meet(&s, &worst, &steps_left);
        if (result != LBM_ACTIVE_SET_DONE) {
            return result;
        }
    }
    settle_bounds(&s);
    return LBM_ACTIVE_SET_DONE;
}
