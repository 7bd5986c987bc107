/* The model of lm: a level's rows made linear, |r + J d|^2, with the wishes, and for Newton's steps the curvature of the
 * rows as well; bounds inside the step, and as equalities of a large weight the higher levels' rows and those limits over
 * several variables that hold, or that the step would cross. */
#include "solve/step.h"

#include <string.h>

#include "math/box.h"
#include "math/cholesky.h"
#include "solve/hessian.h"

#define HOLD 1e3       /* the weight of rows that a step must not change */
#define DENSE_MOST 256 /* variables: more than that, and no whole matrix is made unless rows are more still */
#define HOLD_ROUNDS 6

static size_t most_held(const lbs_space *s) {
    size_t limits = lbs_max_limits(s->problem);
    return limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE;
}

static size_t higher_rows(const lbs_space *s) {
    for (int i = 1; i < s->item_count; i++)
        if (s->items[i].constraint->priority != s->items[0].constraint->priority) return (size_t)lbs_max_m(s);
    return 0;
}

static int is_dense(size_t n, size_t m) { return n <= DENSE_MOST || n < m; }

static size_t most(size_t a, size_t b) { return a > b ? a : b; }

static size_t scratch_size(const lbs_space *s) {
    size_t n = (size_t)lbs_max_n(s), q = (size_t)lbs_max_m(s) + most_held(s);
    size_t size = lbm_box_rows_size((int)n, (int)(is_dense(n, q) && q > n ? n : q));
    if (is_dense(n, q)) size = most(size, most(lbm_box_matrix_size((int)n), lbs_curvature_size(s)));
    return size;
}

size_t lbs_step_size(const lbs_space *s) {
    size_t n = (size_t)lbs_max_n(s), m = (size_t)lbs_max_m(s), held = most_held(s), q = m + held;
    size_t matrix = is_dense(n, q) ? n * (size_t)lbm_stride((int)n) : 0;
    return 13 * n + m + 3 * q + lbs_max_limits(s->problem) + (higher_rows(s) + held) * n + matrix + scratch_size(s);
}

void lbs_step_lay_out(lbs_step *p, lbs_space *s, double *work) {
    size_t n = (size_t)lbs_max_n(s), m = (size_t)lbs_max_m(s), held = most_held(s), q = m + held;
    double **vectors[] = {&p->slope, &p->bend,     &p->half_gradient, &p->bounds, &p->low,   &p->high,
                          &p->d,     &p->diagonal, &p->gradient,      &p->row,    &p->right, &p->multipliers};
    for (size_t i = 0; i < 9; i++, work += n) *vectors[i] = work;
    p->frozen = (unsigned char *)work;
    p->state = (signed char *)(work + n);
    work += 4 * n;
    p->row = work;
    p->right = work + m;
    p->multipliers = p->right + q;
    p->rows = (const double **)(void *)(p->multipliers + q);
    work += m + 3 * q;
    p->limits = work;
    p->scaled = work + lbs_max_limits(s->problem);
    p->matrix = p->scaled + (higher_rows(s) + held) * n;
    p->dense = is_dense(n, q);
    p->scratch = p->matrix + (p->dense ? n * (size_t)lbm_stride((int)n) : 0);
    p->s = s;
}

/* --- The model ---------------------------------------------------------------------------------------------------- */

void lbs_step_begin(lbs_step *p, const double *z, int level) {
    lbs_space *s = p->s;
    int n = s->n, first = s->level_rows[level], last = s->level_rows[level + 1];
    p->z = z;
    p->level = level;
    p->with_curvature = -1; /* no matrix yet */
    memcpy(p->row, s->row, (size_t)s->row_count * sizeof *p->row);
    memset(p->slope, 0, (size_t)n * sizeof *p->slope);
    memset(p->bend, 0, (size_t)n * sizeof *p->bend);
    if (level == s->level_count - 1) lbs_wishes(s, z, p->slope, p->bend);
    memcpy(p->half_gradient, p->slope, (size_t)n * sizeof *p->half_gradient);
    for (int i = first; i < last; i++) {
        const double *row = lbs_jacobian_row(s, i);
        for (int k = 0; k < n; k++) p->half_gradient[k] += p->row[i] * row[k];
    }
    for (int k = 0; k < n; k++) {
        p->low[k] = s->lower[k] < z[k] ? s->lower[k] - z[k] : 0;
        p->high[k] = s->upper[k] > z[k] ? s->upper[k] - z[k] : 0;
    }
    for (int i = 0; i < first; i++) {
        const double *row = lbs_jacobian_row(s, i);
        double *out = p->scaled + (size_t)i * (size_t)n;
        for (int k = 0; k < n; k++) out[k] = HOLD * row[k];
    }
    p->scaled_count = first;
}

/* A limit's row, held, behind those of the higher levels. */
static double *held_row(const lbs_step *p, int i) {
    return p->scaled + (size_t)(p->scaled_count + i) * (size_t)p->s->n;
}

static void hold(lbs_step *p, int limit, double slack) {
    const lb_limit_row *from = &p->s->limits[limit];
    double *row = held_row(p, p->held_count);
    memset(row, 0, (size_t)p->s->n * sizeof *row);
    for (int j = 0; j < from->count; j++) row[from->variables[j]] = HOLD * from->coefficients[j];
    p->slack[p->held_count] = slack;
    p->held[p->held_count++] = limit;
}

static void hold_those_in_force(lbs_step *p) {
    p->held_count = 0;
    for (int k = 0; k < p->s->limit_count && p->held_count < LBS_MAX_ACTIVE; k++)
        if (p->limits[k] != 0) hold(p, k, 0);
}

/* Limits over several variables that the step d would go beyond are held from now on, to go as far as they allow. Returns
 * how many. */
static int hold_those_beyond(lbs_step *p) {
    const lbs_space *s = p->s;
    int before = p->held_count;
    for (int k = 0; k < s->limit_count && p->held_count < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *limit = &s->limits[k];
        double here = 0, change = 0;
        int held = 0;
        for (int i = 0; i < before && !held; i++) held = p->held[i] == k;
        if (held) continue;
        for (int j = 0; j < limit->count; j++) {
            here += limit->coefficients[j] * p->z[limit->variables[j]];
            change += limit->coefficients[j] * p->d[limit->variables[j]];
        }
        if (here + change <= limit->bound + 1e-12 * (1 + fabs(limit->bound))) continue;
        hold(p, k, here < limit->bound ? limit->bound - here : 0);
    }
    return p->held_count - before;
}

/* --- Gauss-Newton ---------------------------------------------------------------------------------------------------- */

static lbm_box_rows box_of_rows(lbs_step *p, int m) {
    return (lbm_box_rows){p->s->n, m,       p->rows,   p->right, p->diagonal,    p->slope,
                          p->low,  p->high, p->frozen, p->d,     p->multipliers, p->scratch};
}

static lbm_box_matrix box_of_matrix(lbs_step *p, double damping) {
    return (lbm_box_matrix){p->s->n, p->s->stride, p->matrix, p->gradient, damping,
                            p->low,  p->high,      p->state,  p->d,        p->scratch};
}

static int dual_step(lbs_step *p, double damping) {
    const lbs_space *s = p->s;
    int first = s->level_rows[p->level], own = s->level_rows[p->level + 1] - first, m = 0;
    for (int i = 0; i < own; i++, m++) {
        p->rows[m] = lbs_jacobian_row(s, first + i);
        p->right[m] = p->row[first + i];
    }
    for (int i = 0; i < first + p->held_count; i++, m++) {
        p->rows[m] = p->scaled + (size_t)i * (size_t)s->n;
        p->right[m] = i < first ? 0 : -HOLD * p->slack[i - first];
    }
    for (int k = 0; k < s->n; k++) {
        p->diagonal[k] = damping + p->bend[k];
        p->frozen[k] = p->bounds[k] > 0;
    }
    lbm_box_rows box = {s->n,   m,       p->rows,   p->right, p->diagonal,    p->slope,
                        p->low, p->high, p->frozen, p->d,     p->multipliers, p->scratch};
    return lbm_box_rows_solve(&box);
}

/* matrix += row row', its lower triangle. */
static void add_square(const lbs_step *p, const double *row) {
    int n = p->s->n;
    for (int a = 0; a < n; a++) {
        if (row[a] == 0) continue;
        double *line = p->matrix + (size_t)a * (size_t)p->s->stride;
        for (int b = 0; b <= a; b++) line[b] += row[a] * row[b];
    }
}

static void fill_matrix(lbs_step *p, const double *pull, int curvature) {
    lbs_space *s = p->s;
    size_t stride = (size_t)s->stride;
    int n = s->n;
    for (int a = 0; a < n; a++) memset(p->matrix + (size_t)a * stride, 0, (size_t)(a + 1) * sizeof *p->matrix);
    if (curvature) lbs_curvature(s, p->level, pull, p->matrix, p->scratch);
    for (int i = s->level_rows[p->level]; i < s->level_rows[p->level + 1]; i++) add_square(p, lbs_jacobian_row(s, i));
    for (int i = 0; i < p->scaled_count; i++) add_square(p, p->scaled + (size_t)i * (size_t)n);
    for (int a = 0; a < n; a++) {
        double *line = p->matrix + (size_t)a * stride;
        line[a] += p->bend[a];
        for (int b = 0; b < a; b++) p->matrix[(size_t)b * stride + (size_t)a] = line[b];
    }
    p->with_curvature = curvature;
}

/* The squares of held limits, in or out of the matrix. */
static void change_held(const lbs_step *p, double sign) {
    const lbs_space *s = p->s;
    for (int i = 0; i < p->held_count; i++) {
        const lb_limit_row *limit = &s->limits[p->held[i]];
        for (int a = 0; a < limit->count; a++)
            for (int b = 0; b < limit->count; b++)
                p->matrix[(size_t)limit->variables[a] * (size_t)s->stride + (size_t)limit->variables[b]] +=
                    sign * HOLD * HOLD * limit->coefficients[a] * limit->coefficients[b];
    }
}

static int primal_step(lbs_step *p, double damping) {
    const lbs_space *s = p->s;
    memcpy(p->gradient, p->half_gradient, (size_t)s->n * sizeof *p->gradient);
    for (int i = 0; i < p->held_count; i++) {
        const double *row = held_row(p, i);
        for (int k = 0; k < s->n; k++) p->gradient[k] -= HOLD * p->slack[i] * row[k];
    }
    for (int k = 0; k < s->n; k++) p->state[k] = (signed char)(!(p->bounds[k] > 0) ? 0 : p->low[k] == 0 ? -1 : 1);
    change_held(p, 1);
    lbm_box_matrix box = box_of_matrix(p, damping);
    int failed = lbm_box_matrix_solve(&box);
    change_held(p, -1);
    return failed;
}

/* Rounds until no limit over several variables is crossed; the trial is moved inside them in any case. */
static int step_rounds(lbs_step *p, double damping, int (*solve)(lbs_step *, double)) {
    p->by_rows = solve == dual_step;
    p->damping = damping;
    hold_those_in_force(p);
    for (int round = 0; round < HOLD_ROUNDS; round++) {
        if (solve(p, damping)) return 1;
        if (!hold_those_beyond(p)) break;
    }
    return 0;
}

int lbs_step_gauss_newton(lbs_step *p, double damping) {
    if (!p->dense || p->s->n > p->s->row_count + (int)most_held(p->s)) return step_rounds(p, damping, dual_step);
    if (p->with_curvature != 0) fill_matrix(p, NULL, 0);
    return step_rounds(p, damping, primal_step);
}

void lbs_step_bend(lbs_step *p, const double *pull) { fill_matrix(p, pull, 1); }

int lbs_step_newton(lbs_step *p, double damping) { return step_rounds(p, damping, primal_step); }

double lbs_step_secular(lbs_step *p) {
    int n = p->s->n;
    double square = 0, bent = 0;
    for (int k = 0; k < n; k++) p->diagonal[k] = p->state[k] == 0 ? p->d[k] : 0;
    lbm_box_matrix box = box_of_matrix(p, p->damping);
    lbm_box_matrix_again(&box, p->diagonal, p->gradient);
    for (int k = 0; k < n; k++) {
        square += p->d[k] * p->d[k];
        bent -= p->diagonal[k] * p->gradient[k];
    }
    return bent > 0 ? square / bent : 0;
}

void lbs_step_correct(lbs_step *p, const double *d, double *correction) {
    const lbs_space *s = p->s;
    int first = s->level_rows[p->level], own = s->level_rows[p->level + 1] - first;
    if (!p->by_rows) memset(p->gradient, 0, (size_t)s->n * sizeof *p->gradient);
    for (int i = 0; i < own; i++) {
        const double *row = lbs_jacobian_row(s, first + i);
        double off = s->row[first + i] - p->row[first + i];
        for (int k = 0; k < s->n; k++) off -= row[k] * d[k];
        p->right[i] = off;
        for (int k = 0; !p->by_rows && k < s->n; k++) p->gradient[k] += off * row[k];
    }
    if (!p->by_rows) {
        lbm_box_matrix box = box_of_matrix(p, p->damping);
        lbm_box_matrix_again(&box, p->gradient, correction);
        return;
    }
    int m = own + first + p->held_count;
    for (int i = own; i < m; i++) p->right[i] = 0;
    lbm_box_rows box = box_of_rows(p, m);
    lbm_box_rows_again(&box, p->right, correction);
}

int lbs_step_is_convex(lbs_step *p, double least) {
    const lbs_space *s = p->s;
    int count = 0;
    double *factor = p->scratch;
    for (int i = 0; i < s->n; i++) count += !(p->bounds[i] > 0);
    hold_those_in_force(p);
    change_held(p, 1);
    for (int i = 0, r = 0; i < s->n; i++) {
        if (p->bounds[i] > 0) continue;
        const double *row = p->matrix + (size_t)i * (size_t)s->stride;
        double *line = factor + (size_t)r * (size_t)count;
        for (int j = 0, c = 0; j <= i; j++)
            if (!(p->bounds[j] > 0)) line[c++] = row[j];
        line[r++] += least;
    }
    change_held(p, -1);
    return !lbm_cholesky(count, factor);
}

double lbs_step_promise(const lbs_step *p, const double *d) {
    const lbs_space *s = p->s;
    double sum = 0;
    if (p->with_curvature < 1) {
        for (int k = 0; k < s->n; k++) sum -= 2 * p->half_gradient[k] * d[k] + p->bend[k] * d[k] * d[k];
        for (int i = s->level_rows[p->level]; i < s->level_rows[p->level + 1]; i++) {
            const double *row = lbs_jacobian_row(s, i);
            double change = 0;
            for (int k = 0; k < s->n; k++) change += row[k] * d[k];
            sum -= change * change;
        }
        return sum;
    }
    for (int k = 0; k < s->n; k++) {
        const double *line = p->matrix + (size_t)k * (size_t)s->stride;
        double change = 0;
        for (int j = 0; j < s->n; j++) change += line[j] * d[j];
        sum -= 2 * p->half_gradient[k] * d[k] + change * d[k];
    }
    for (int i = 0; i < p->scaled_count; i++) { /* what holds is not in the level's value */
        const double *row = p->scaled + (size_t)i * (size_t)s->n;
        double change = 0;
        for (int k = 0; k < s->n; k++) change += row[k] * d[k];
        sum += change * change;
    }
    return sum;
}
