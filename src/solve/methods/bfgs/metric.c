/* The active set and H (metric.h): Goldfarb's updates, as in ZB89 section 4 and ZB94 appendix A, whose step numbers
 * these are. */
#include "solve/methods/bfgs/metric.h"

#include <string.h>

#include "solve/methods/numeric.h"

/* A unit normal whose squared distance from the span of others is not more than this depends on them. */
#define DEPENDENT 1e-10
/* Distances from a constraint, relative to the numbers that they are the difference of: what is less is a rounding
 * error. */
#define BOUND_ROUNDING 1e-12
#define LIMIT_ROUNDING 1e-10
#define LEAST_CURVATURE 1e-14 /* the cosine between sigma and y: with less, G does not bend upwards along the step */

/* --- Memory --------------------------------------------------------------------------------------------------- */

void lbs_metric_cut(lbs_metric *m, size_t n, size_t limits, lbm_arena *arena) {
    double **vectors[] = {
        &m->normal, &m->normal_products, &m->normal_solved, &m->projected_normal, &m->dropped_multipliers, &m->h_normal,
        &m->h_y,    &m->rest_products,   &m->rest_solved};
    m->h = lbm_cut_doubles(arena, n * n);
    m->inverse = lbm_cut_doubles(arena, n * n);
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        *vectors[i] = lbm_cut_doubles(arena, n);
    }
    m->active = lbm_cut(arena, n, sizeof *m->active);
    m->is_active = lbm_cut(arena, 2 * n + limits, sizeof *m->is_active);
}

void lbs_metric_reset(lbs_metric *m, const lbs_space *s, const double *z, double unit) {
    m->s = s;
    m->z = z;
    m->n = s->n;
    m->q = m->equalities = 0;
    m->choice = LB_BFGS_UPDATE_SWITCH;
    m->unit = unit;
    m->is_fresh = 1;
}

/* --- Constraints ---------------------------------------------------------------------------------------------- */

double lbs_normal_dot(const lbs_metric *m, int c, const double *v) {
    if (c < m->n) {
        return -v[c];
    }
    if (c < 2 * m->n) {
        return v[c - m->n];
    }
    const lb_limit_row *row = &m->s->limits.rows[c - 2 * m->n];
    double sum = 0;
    for (int k = 0; k < row->count; k++) {
        sum += row->coefficients[k] * v[row->variables[k]];
    }
    return sum;
}

static void normal_add(const lbs_metric *m, int c, double scale, double *v) {
    if (c < m->n) {
        v[c] -= scale;
    } else if (c < 2 * m->n) {
        v[c - m->n] += scale;
    } else {
        const lb_limit_row *row = &m->s->limits.rows[c - 2 * m->n];
        for (int k = 0; k < row->count; k++) {
            v[row->variables[k]] += scale * row->coefficients[k];
        }
    }
}

int lbs_bounded_variable(const lbs_metric *m, int c) { return c < m->n ? c : c < 2 * m->n ? c - m->n : -1; }

double lbs_slack(const lbs_metric *m, int c, double *size) {
    const lbs_space *s = m->s;
    int i = lbs_bounded_variable(m, c);
    if (i >= 0) {
        *size = 1 + fabs(m->z[i]);
        return c < m->n ? m->z[i] - s->variables.lower[i] : s->variables.upper[i] - m->z[i];
    }
    const lb_limit_row *row = &s->limits.rows[c - 2 * m->n];
    double left = row->bound;
    *size = 1 + fabs(row->bound);
    for (int k = 0; k < row->count; k++) {
        double term = row->coefficients[k] * m->z[row->variables[k]];
        left -= term;
        *size += fabs(term);
    }
    return left;
}

int lbs_is_on(const lbs_metric *m, int c) {
    double size, left = lbs_slack(m, c, &size);
    return left <= (c < 2 * m->n ? BOUND_ROUNDING : LIMIT_ROUNDING) * size;
}

/* Bounds that leave a variable no room are equalities. */
static int is_equality(const lbs_metric *m, int c) {
    if (c >= 2 * m->n) {
        return m->s->limits.rows[c - 2 * m->n].kind == LB_LIMIT_EQUAL;
    }
    int i = lbs_bounded_variable(m, c);
    return lbs_is_on(m, i) && lbs_is_on(m, m->n + i);
}

int lbs_constraint_count(const lbs_metric *m) { return 2 * m->n + m->s->limits.count; }

/* --- The active set and H ------------------------------------------------------------------------------------- */

/* out = A'v */
static void active_dots(const lbs_metric *m, const double *v, double *out) {
    for (int k = 0; k < m->q; k++) {
        out[k] = lbs_normal_dot(m, m->active[k], v);
    }
}

/* out = N u */
static void inverse_times(const lbs_metric *m, const double *u, double *out) {
    for (int k = 0; k < m->q; k++) {
        out[k] = lbs_dot(m->q, m->inverse + (size_t)k * (size_t)m->n, u);
    }
}

/* A second pass takes off what rounding errors left. Variables on active bounds become exactly zero. */
void lbs_metric_project(const lbs_metric *m, const double *v, double *out, double *alpha) {
    double *rest = m->rest_products, *again = m->rest_solved;
    memcpy(out, v, (size_t)m->n * sizeof *out);
    for (int pass = 0; pass < 2; pass++) {
        active_dots(m, out, rest);
        inverse_times(m, rest, again);
        for (int k = 0; k < m->q; k++) {
            alpha[k] = pass ? alpha[k] + again[k] : again[k];
            normal_add(m, m->active[k], -again[k], out);
        }
    }
    for (int k = 0; k < m->q; k++) {
        int i = lbs_bounded_variable(m, m->active[k]);
        if (i >= 0) {
            out[i] = 0;
        }
    }
}

/* H += scale v v' */
static void rank_one(lbs_metric *m, double scale, const double *v) {
    for (int i = 0; i < m->n; i++) {
        if (v[i] == 0) {
            continue;
        }
        double *row = m->h + (size_t)i * (size_t)m->n, factor = scale * v[i];
        for (int k = 0; k < m->n; k++) {
            row[k] += factor * v[k];
        }
    }
}

void lbs_metric_times(const lbs_metric *m, const double *v, double *out) {
    for (int i = 0; i < m->n; i++) {
        out[i] = lbs_dot(m->n, m->h + (size_t)i * (size_t)m->n, v);
    }
}

/* N grows by a column: with u = A'a, r = N u and d = 1 - u'r = a'P a, the inverse of the bordered matrix (Goldfarb) is
 *     N + r r'/d   -r/d
 *     -r'/d         1/d
 * Returns 0, and changes nothing, if a depends on what is there. */
static int grow_inverse(lbs_metric *m, const double *a) {
    size_t n = (size_t)m->n, q = (size_t)m->q;
    double *u = m->normal_products, *r = m->normal_solved;
    if (m->q == m->n) {
        return 0;
    }
    active_dots(m, a, u);
    inverse_times(m, u, r);
    double d = 1 - lbs_dot(m->q, u, r);
    if (!(d > DEPENDENT)) {
        return 0;
    }
    for (size_t i = 0; i < q; i++) {
        if (r[i] != 0) {
            for (size_t k = 0; k < q; k++) {
                m->inverse[i * n + k] += r[i] * r[k] / d;
            }
        }
        m->inverse[i * n + q] = m->inverse[q * n + i] = -r[i] / d;
    }
    m->inverse[q * n + q] = 1 / d;
    return 1;
}

static void mark(lbs_metric *m, int c, int on) {
    int i = lbs_bounded_variable(m, c);
    m->is_active[c] = (unsigned char)on;
    if (i >= 0 && is_equality(m, c)) {
        m->is_active[i] = m->is_active[m->n + i] = (unsigned char)on;
    }
}

/* Step 4: H - H a a'H / (a'H a). Then H a = 0, what H did to the old normals stays 0, and H is as it was for all g
 * with a'H g = 0. The row and column of a variable on its bound are made zero to the bit, so that it stays there. */
int lbs_metric_add(lbs_metric *m, int c) {
    double *a = m->normal, *ha = m->h_normal;
    int i = lbs_bounded_variable(m, c);
    memset(a, 0, (size_t)m->n * sizeof *a);
    normal_add(m, c, 1, a);
    if (!grow_inverse(m, a)) {
        return 0;
    }
    m->active[m->q++] = c;
    mark(m, c, 1);
    lbs_metric_times(m, a, ha);
    double bend = lbs_dot(m->n, a, ha);
    if (bend > 0) {
        rank_one(m, -1 / bend, ha);
    }
    for (int k = 0; i >= 0 && k < m->n; k++) {
        m->h[(size_t)i * (size_t)m->n + (size_t)k] = m->h[(size_t)k * (size_t)m->n + (size_t)i] = 0;
    }
    return 1;
}

/* N loses a row and a column, k's, moved to the end first: from the bordered inverse above, with n its last column
 * and v its last element, N_(q-1) = N - n n'/v. */
static void shrink_inverse(lbs_metric *m, size_t k) {
    size_t n = (size_t)m->n, last = (size_t)m->q - 1;
    for (size_t i = 0; i <= last; i++) {
        double swap = m->inverse[k * n + i];
        m->inverse[k * n + i] = m->inverse[last * n + i];
        m->inverse[last * n + i] = swap;
    }
    for (size_t i = 0; i <= last; i++) {
        double swap = m->inverse[i * n + k];
        m->inverse[i * n + k] = m->inverse[i * n + last];
        m->inverse[i * n + last] = swap;
    }
    const double *border = m->inverse + last * n;
    for (size_t i = 0; i < last; i++) {
        if (border[i] != 0) {
            for (size_t j = 0; j < last; j++) {
                m->inverse[i * n + j] -= border[i] * border[j] / border[last];
            }
        }
    }
}

/* Step 2: H + P a a'P / (a'P a), with P the projection without a: H gets a curvature (that of a unit) along P a, the
 * one direction of the larger face that it knew nothing of. */
void lbs_metric_drop(lbs_metric *m, int k) {
    int c = m->active[k];
    shrink_inverse(m, (size_t)k);
    m->active[k] = m->active[--m->q];
    mark(m, c, 0);
    memset(m->normal, 0, (size_t)m->n * sizeof *m->normal);
    normal_add(m, c, 1, m->normal);
    lbs_metric_project(m, m->normal, m->projected_normal, m->dropped_multipliers);
    rank_one(m, m->unit / lbs_dot(m->n, m->normal, m->projected_normal), m->projected_normal);
}

/* Makes H the unit times the identity, with nothing active. */
static void clear_metric(lbs_metric *m) {
    size_t n = (size_t)m->n;
    memset(m->h, 0, n * n * sizeof *m->h);
    memset(m->is_active, 0, (size_t)lbs_constraint_count(m));
    for (size_t i = 0; i < n; i++) {
        m->h[i * n + i] = m->unit;
    }
    m->q = m->equalities = 0;
    m->is_fresh = 1;
}

/* Step 0. */
void lbs_metric_start(lbs_metric *m, const double *bound_multipliers, const double *limit_multipliers) {
    int all = lbs_constraint_count(m);
    clear_metric(m);
    for (int c = m->n; c < all; c++) {
        if (is_equality(m, c)) {
            lbs_metric_add(m, c);
        }
    }
    m->equalities = m->q;
    for (int c = 0; c < all; c++) {
        int i = lbs_bounded_variable(m, c);
        if (m->is_active[c] || is_equality(m, c) || !lbs_is_on(m, c)) {
            continue;
        }
        if (!bound_multipliers || (i >= 0 ? bound_multipliers[i] : limit_multipliers[c - 2 * m->n]) != 0) {
            lbs_metric_add(m, c);
        }
    }
}

void lbs_metric_restart(lbs_metric *m) {
    int count = m->q, equalities = m->equalities;
    clear_metric(m);
    for (int k = 0; k < count; k++) { /* m->active is written behind what is read. */
        lbs_metric_add(m, m->active[k]);
        if (k < equalities) {
            m->equalities = m->q;
        }
    }
}

/* The scale of H, from the first step (D. Shanno and K.-H. Phua, Matrix conditioning and nonlinear optimization, 1978):
 * sigma'y / y'H y makes a multiple of the projection agree with the curvature along y. */
static void rescale(lbs_metric *m, double factor, double *hy) {
    size_t all = (size_t)m->n * (size_t)m->n;
    for (size_t i = 0; i < all; i++) {
        m->h[i] *= factor;
    }
    for (int i = 0; i < m->n; i++) {
        hy[i] *= factor;
    }
    m->unit *= factor;
}

/* Whether the update is BFGS's: by Fletcher's switch, or as the caller wants. */
static int is_bfgs(const lbs_metric *m, double sigma_y, double y_h_y) {
    return m->choice == LB_BFGS_UPDATE_SWITCH ? sigma_y >= y_h_y : m->choice != LB_BFGS_UPDATE_DFP;
}

/* Step 5. On a quadratic y = B sigma with B its Hessian, so that the inverse must have H y = sigma. Both updates see
 * to that, and keep H positive definite on the face if sigma'y > 0:
 *     BFGS: H += ((1 + y'Hy/sigma'y) sigma sigma' - sigma y'H - H y sigma') / sigma'y
 *     DFP:  H += sigma sigma'/sigma'y - H y y'H / y'Hy
 * Where sigma'y >= y'Hy, H is too small along y, and BFGS errs least, else DFP does (Fletcher 1970: then no
 * eigenvalue of H gets farther from what it should be). sigma is in the face and H y is too, hence H A = 0 stays.
 * Where the curvature of G is negative, H stays as it is. */
void lbs_metric_update(lbs_metric *m, const double *sigma, const double *y) {
    double *hy = m->h_y;
    int n = m->n;
    double sigma_y = lbs_dot(n, sigma, y);
    lbs_metric_times(m, y, hy);
    double y_h_y = lbs_dot(n, y, hy);
    if (!(sigma_y > LEAST_CURVATURE * sqrt(lbs_dot(n, sigma, sigma) * lbs_dot(n, y, y))) || !(y_h_y > 0)) {
        return;
    }
    if (m->is_fresh) {
        rescale(m, sigma_y / y_h_y, hy);
        y_h_y = sigma_y;
        m->is_fresh = 0;
    }
    if (!is_bfgs(m, sigma_y, y_h_y)) {
        rank_one(m, 1 / sigma_y, sigma);
        rank_one(m, -1 / y_h_y, hy);
        return;
    }
    double both = (1 + y_h_y / sigma_y) / sigma_y;
    for (int i = 0; i < n; i++) {
        double *row = m->h + (size_t)i * (size_t)n, first = both * sigma[i], second = sigma[i] / sigma_y,
               third = hy[i] / sigma_y;
        if (sigma[i] == 0 && hy[i] == 0) {
            continue;
        }
        for (int k = 0; k < n; k++) {
            row[k] += first * sigma[k] - (second * hy[k] + third * sigma[k]);
        }
    }
}
