/* The model of lm: a level's rows made linear, |r + J d|^2, with the wishes, and for Newton's steps the curvature of the
 * rows as well; bounds inside the step, and as equalities of a large weight the higher levels' rows and those limits over
 * several variables that hold, or that the step would cross. */
#include "solve/methods/lm/step.h"

#include <string.h>

#include "math/box.h"
#include "math/project.h"
#include "solve/eval/hessian.h"

#define HOLD 1e3       /* the weight of rows that a step must not change */
#define DENSE_MOST 256 /* variables: more than that, and no whole matrix is made unless rows are more still */
#define HOLD_ROUNDS 6
#define ACCURACY 0.1 /* of a step's bounds in the dual: near the end they stay as they are, and it is exact */
#define EXACT 0.001  /* the same where rows are held, which count for much */

static size_t most_held(const lbs_space *s) {
    size_t limits = lbs_max_limits(s->problem) + lbs_max_guards(s->problem);
    return limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE;
}

/* Whether rows other than one level's alone may be in a step. */
static int is_mixed(const lbs_space *s) { return lbp_has_levels(s->problem) || most_held(s) > 0; }

static int is_dense(size_t n, size_t m) { return n <= DENSE_MOST || n < m; }

static size_t most(size_t a, size_t b) { return a > b ? a : b; }

/* What the sizes of a step's arrays depend on. */
typedef struct room {
    size_t n, stride, m, q, row_stride;
    size_t gathered, all, matrix, scratch;
} room;

static room room_of(const lbs_space *s) {
    room r;
    r.n = (size_t)lbs_max_n(s);
    r.m = (size_t)lbs_max_m(s);
    r.q = r.m + most_held(s);
    r.stride = (size_t)lbm_stride((int)r.n);
    r.row_stride = (size_t)lbm_stride((int)r.q);
    r.gathered = is_mixed(s) ? r.q * r.stride : 0;
    r.all = most(r.q, is_dense(r.n, r.q) ? r.n : 0) * (size_t)lbm_block_words((int)r.stride);
    r.scratch = lbm_box_rows_size((int)r.n, (int)(is_dense(r.n, r.q) && r.q > r.n ? r.n : r.q));
    r.matrix = 0;
    if (!is_dense(r.n, r.q)) {
        return r;
    }
    r.matrix = r.n * r.stride;
    r.scratch = most(r.scratch, most(lbm_box_matrix_size((int)r.n), lbs_curvature_size(s)));
    return r;
}

size_t lbs_step_size(const lbs_space *s) {
    const room r = room_of(s);
    return 11 * r.stride + 4 * r.row_stride + lbs_max_limits(s->problem) + r.gathered + r.all + r.matrix + r.scratch;
}

void lbs_step_lay_out(lbs_step *p, lbs_space *s, double *work) {
    const room r = room_of(s);
    double **vectors[] = {&p->slope, &p->bend, &p->half_gradient, &p->bounds,   &p->low,
                          &p->high,  &p->d,    &p->diagonal,      &p->gradient, &p->lagrange};
    double **rows[] = {&p->row, &p->right, &p->multipliers, &p->products};
    for (size_t i = 0; i < 10; i++, work += r.stride) {
        *vectors[i] = work;
    }
    p->state = (signed char *)work;
    p->kept = p->state + r.stride;
    p->has_kept = 0;
    p->level = -1;
    work += r.stride;
    for (size_t i = 0; i < 4; i++, work += r.row_stride) {
        *rows[i] = work;
    }
    p->limits = work;
    p->gathered = work + lbs_max_limits(s->problem);
    p->all = (uint64_t *)(void *)(p->gathered + r.gathered);
    p->matrix = p->gathered + r.gathered + r.all;
    p->scratch = p->matrix + r.matrix;
    p->dense = is_dense(r.n, r.q);
    p->most_held = (int)(r.q - r.m);
    p->s = s;
    p->pull = NULL;
    p->all_stride = p->all_count = 0;
}

/* --- The model ---------------------------------------------------------------------------------------------------- */

/* Blocks of `count` rows all of which count. */
static const uint64_t *all_blocks(lbs_step *p, int count, int stride) {
    if (p->all_stride != stride || p->all_count < count) {
        lbm_all_blocks(count, stride, p->all);
        p->all_stride = stride;
        p->all_count = count;
    }
    return p->all;
}

static int first_row(const lbs_step *p) { return p->s->levels.first_rows[p->level]; }
static int own_rows(const lbs_step *p) { return p->s->levels.first_rows[p->level + 1] - first_row(p); }

void lbs_step_begin(lbs_step *p, const double *z, int level) {
    lbs_space *s = p->s;
    int n = s->n;
    if (p->level != level) {
        p->has_kept = 0;
    }
    p->z = z;
    p->level = level;
    p->with_curvature = -1; /* no matrix yet */
    p->is_gathered = p->is_warm = 0;
    memcpy(p->row, s->last.residuals, (size_t)s->row_count * sizeof *p->row);
    memset(p->slope, 0, (size_t)n * sizeof *p->slope);
    memset(p->bend, 0, (size_t)n * sizeof *p->bend);
    if (level == s->task.level_count - 1) {
        lbs_wishes(s, z, p->slope, p->bend);
    }
    const lbm_matrix own = lbs_matrix(s, first_row(p), own_rows(p));
    s->kernels->transpose_times(&own, p->row + first_row(p), p->half_gradient);
    for (int k = 0; k < n; k++) {
        p->half_gradient[k] += p->slope[k];
        p->low[k] = s->variables.lower[k] < z[k] ? s->variables.lower[k] - z[k] : 0;
        p->high[k] = s->variables.upper[k] > z[k] ? s->variables.upper[k] - z[k] : 0;
    }
    for (int k = n; k < s->stride; k++) {
        p->low[k] = p->high[k] = 0;
    }
}

/* This level's rows, then the higher levels', held. */
static void gather(lbs_step *p) {
    const lbs_space *s = p->s;
    size_t stride = (size_t)s->stride;
    int first = first_row(p), own = own_rows(p);
    if (p->is_gathered) {
        return;
    }
    memcpy(p->gathered, lbs_jacobian_row(s, first), (size_t)own * stride * sizeof *p->gathered);
    double *out = p->gathered + (size_t)own * stride;
    for (size_t k = 0; k < (size_t)first * stride; k++) {
        out[k] = HOLD * s->last.jacobian[k];
    }
    p->is_gathered = 1;
}

static const double *guard_row(const lbs_step *p, int limit) {
    return p->s->last.guard_rows + (size_t)(limit - p->s->limits.count) * (size_t)p->s->stride;
}

static double guard_pull(const lbs_step *p, int limit) {
    return p->pull && limit >= p->s->limits.count ? p->pull[p->s->row_count + limit - p->s->limits.count] : 0;
}

static void hold(lbs_step *p, int limit, double slack) {
    const lbs_space *s = p->s;
    size_t stride = (size_t)s->stride;
    double *row = p->gathered + (size_t)(own_rows(p) + first_row(p) + p->held_count) * stride;
    if (limit < s->limits.count) {
        const lb_limit_row *from = &s->limits.rows[limit];
        memset(row, 0, stride * sizeof *row);
        for (int j = 0; j < from->count; j++) {
            row[from->variables[j]] = HOLD * from->coefficients[j];
        }
    } else {
        const double *from = guard_row(p, limit);
        for (size_t k = 0; k < stride; k++) {
            row[k] = HOLD * from[k];
        }
    }
    p->slack[p->held_count] = slack;
    p->held[p->held_count++] = limit;
}

/* How far it is to a guard's face; from beyond it may not go farther. */
static double room_before(const lbs_step *p, int guard) {
    double value = p->s->last.guards[guard].value;
    return value < 0 ? -value : 0;
}

static void hold_those_in_force(lbs_step *p) {
    p->held_count = 0;
    for (int k = 0; k < p->s->limits.count && p->held_count < LBS_MAX_ACTIVE; k++) {
        if (p->limits[k] != 0) {
            hold(p, k, 0);
        }
    }
    for (int k = 0; p->pull && k < p->s->last.guard_count && p->held_count < LBS_MAX_ACTIVE; k++) {
        if (p->pull[p->s->row_count + k] > 0) {
            hold(p, p->s->limits.count + k, room_before(p, k));
        }
    }
}

static int is_held(const lbs_step *p, int limit, int count) {
    for (int i = 0; i < count; i++) {
        if (p->held[i] == limit) {
            return 1;
        }
    }
    return 0;
}

/* Limits over several variables that the step d would go beyond are held from now on, to go as far as they allow. Returns
 * how many. */
static int hold_those_beyond(lbs_step *p) {
    const lbs_space *s = p->s;
    int before = p->held_count;
    for (int k = 0; k < s->limits.count && p->held_count < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *limit = &s->limits.rows[k];
        if (is_held(p, k, before)) {
            continue;
        }
        double here = lbm_row_sum(limit, p->z), change = lbm_row_sum(limit, p->d);
        if (here + change <= limit->bound + 1e-12 * (1 + fabs(limit->bound))) {
            continue;
        }
        hold(p, k, here < limit->bound ? limit->bound - here : 0);
    }
    for (int k = 0; p->pull && k < s->last.guard_count && p->held_count < LBS_MAX_ACTIVE; k++) {
        const double *row = guard_row(p, s->limits.count + k);
        double change = 0;
        if (is_held(p, s->limits.count + k, before)) {
            continue;
        }
        for (int j = 0; j < s->n; j++) {
            change += row[j] * p->d[j];
        }
        if (change > room_before(p, k) + 1e-12) {
            hold(p, s->limits.count + k, room_before(p, k));
        }
    }
    return p->held_count - before;
}

/* --- Gauss-Newton ---------------------------------------------------------------------------------------------------- */

/* Evaluations are not looked at here, so that a clock that is far from its end changes nothing. */
static int is_late(void *space) {
    lbs_space *s = space;
    s->budget.late |= lbs_late(s);
    s->budget.stopped |= s->budget.late;
    return s->budget.late;
}

/* Steps may take longer than a deadline has room for: they look at the clock where there is one. */
static lbm_stop stop_of(const lbs_step *p) {
    const lb_solve_options *o = p->s->options;
    return (lbm_stop){(o->deadline_us > 0 && o->now_us) || o->cancel ? is_late : NULL, p->s};
}

static lbm_box_rows box_of_rows(lbs_step *p) {
    const lbs_space *s = p->s;
    int first = first_row(p), own = own_rows(p), all = own + first + p->held_count;
    lbm_matrix rows = lbs_matrix(s, first, own);
    if (all > own) {
        gather(p);
        rows = (lbm_matrix){all, s->stride, p->gathered, all_blocks(p, all, s->stride)};
    }
    return (lbm_box_rows){s->kernels, s->n,           rows,       p->right,  p->diagonal,
                          p->slope,   p->low,         p->high,    p->bounds, p->level > 0 ? EXACT : ACCURACY,
                          p->d,       p->multipliers, p->scratch, stop_of(p)};
}

static lbm_box_matrix box_of_matrix(lbs_step *p, double damping) {
    const lbs_space *s = p->s;
    return (lbm_box_matrix){s->kernels, s->n,    s->stride, p->matrix, p->gradient, damping,
                            p->low,     p->high, p->state,  p->d,      p->scratch,  stop_of(p)};
}

static int dual_step(lbs_step *p, double damping) {
    const lbs_space *s = p->s;
    int first = first_row(p), own = own_rows(p);
    for (int i = 0; i < own; i++) {
        p->right[i] = p->row[first + i];
    }
    /* with the multipliers that are known the weight may be finite: what it leaves is only by how much they change (M. Hestenes,
     * "Multiplier and gradient methods", 1969) */
    for (int i = 0; i < first; i++) {
        p->right[own + i] = p->pull ? 0.5 * p->pull[i] / HOLD : 0;
    }
    for (int i = 0; i < p->held_count; i++) {
        p->right[own + first + i] = -HOLD * p->slack[i] + 0.5 * guard_pull(p, p->held[i]) / HOLD;
    }
    for (int k = 0; k < s->n; k++) {
        p->diagonal[k] = damping + p->bend[k];
    }
    for (int k = s->n; k < s->stride; k++) {
        p->diagonal[k] = p->slope[k] = p->bounds[k] = 0;
    }
    for (int all = own + first + p->held_count, i = all; i < lbm_stride(all); i++) {
        p->right[i] = 0;
    }
    lbm_box_rows box = box_of_rows(p);
    return lbm_box_rows_solve(&box);
}

/* The squares of the level's rows and of those that are held, with the wishes. */
static void fill_squares(lbs_step *p) {
    lbs_space *s = p->s;
    size_t stride = (size_t)s->stride;
    int n = s->n, first = first_row(p), own = own_rows(p);
    memset(p->matrix, 0, (size_t)n * stride * sizeof *p->matrix); /* the padding, too: it is multiplied */
    if (first) {
        s->kernels->squares(n, first, s->last.jacobian, s->last.jacobian, HOLD * HOLD, p->matrix);
    }
    s->kernels->squares(n, own, lbs_jacobian_row(s, first), lbs_jacobian_row(s, first), 1, p->matrix);
    for (size_t a = 0; a < (size_t)n; a++) {
        p->matrix[a * stride + a] += p->bend[a];
    }
}

/* The curvature comes on either side of the diagonal. */
static int add_curvature(lbs_step *p, const double *pull) {
    lbs_space *s = p->s;
    size_t stride = (size_t)s->stride, n = (size_t)s->n;
    const lbm_stop stop = stop_of(p);
    for (size_t a = 0; a < n; a++) {
        for (size_t b = a & ~(size_t)7; b < a; b++) {
            p->matrix[a * stride + b] = 0;
        }
    }
    if (stop.is_late && is_late(s)) {
        return 1;
    }
    lbs_curvature(s, p->level, pull, p->matrix, p->scratch);
    if (stop.is_late && is_late(s)) {
        return 1;
    }
    s->kernels->fold(s->n, p->matrix);
    return 0;
}

static int fill_matrix(lbs_step *p, const double *pull, int curvature) {
    fill_squares(p);
    if (curvature && add_curvature(p, pull)) {
        return 1;
    }
    if (!curvature) {
        p->s->kernels->mirror(p->s->n, p->matrix);
    }
    p->with_curvature = curvature;
    return 0;
}

/* The squares of held limits, in or out of the matrix. */
static void change_held(const lbs_step *p, double sign) {
    const lbs_space *s = p->s;
    for (int i = 0; i < p->held_count; i++) {
        if (p->held[i] >= s->limits.count) {
            const double *row = guard_row(p, p->held[i]);
            for (int a = 0; a < s->n; a++) {
                double part = sign * HOLD * HOLD * row[a];
                if (part != 0) {
                    s->kernels->add_scaled(s->stride, part, row, p->matrix + (size_t)a * (size_t)s->stride);
                }
            }
            continue;
        }
        const lb_limit_row *limit = &s->limits.rows[p->held[i]];
        for (int a = 0; a < limit->count; a++) {
            for (int b = 0; b < limit->count; b++) {
                p->matrix[(size_t)limit->variables[a] * (size_t)s->stride + (size_t)limit->variables[b]] +=
                    sign * HOLD * HOLD * limit->coefficients[a] * limit->coefficients[b];
            }
        }
    }
}

/* At the bounds that hold the gradient back. */
static int first_state(const lbs_step *p, int k) { return !(p->bounds[k] > 0) ? 0 : p->low[k] == 0 ? -1 : 1; }

/* Newton's steps end on many more: at those of the last one as well, or at first at all that it begins on. */
static void guess_state(lbs_step *p) {
    for (int k = 0; k < p->s->n; k++) {
        int state = first_state(p, k), at = p->low[k] == 0 ? -1 : p->high[k] == 0 ? 1 : 0;
        p->state[k] = (signed char)(state != 0 ? state : p->has_kept ? p->kept[k] : at);
    }
}

/* Begins where the last step from here ended, or with a guess; then at the bounds that hold the gradient back alone, unless
 * with fewer variables free the matrix already bends down. */
static int solve_from(lbs_step *p, const lbm_box_matrix *box) {
    int n = p->s->n, newton = p->with_curvature > 0, fewer = 1;
    if (!p->is_warm && newton) {
        guess_state(p);
    }
    if (p->is_warm || newton) {
        if (!lbm_box_matrix_solve(box, &p->lack)) {
            return 0;
        }
        for (int k = 0; k < n; k++) {
            fewer &= p->state[k] != 0 || first_state(p, k) == 0;
        }
        if (fewer) {
            return 1;
        }
    }
    for (int k = 0; k < n; k++) {
        p->state[k] = (signed char)first_state(p, k);
    }
    return lbm_box_matrix_solve(box, &p->lack);
}

static int primal_step(lbs_step *p, double damping) {
    const lbs_space *s = p->s;
    memcpy(p->gradient, p->pull ? p->lagrange : p->half_gradient, (size_t)s->n * sizeof *p->gradient);
    for (int i = 0; i < p->held_count; i++) {
        if (p->held[i] >= s->limits.count) {
            const double *row = guard_row(p, p->held[i]);
            for (int k = 0; k < s->n; k++) {
                p->gradient[k] -= HOLD * HOLD * p->slack[i] * row[k];
            }
            continue;
        }
        const lb_limit_row *limit = &s->limits.rows[p->held[i]];
        for (int j = 0; j < limit->count; j++) {
            p->gradient[limit->variables[j]] -= HOLD * HOLD * p->slack[i] * limit->coefficients[j];
        }
    }
    change_held(p, 1);
    lbm_box_matrix box = box_of_matrix(p, damping);
    int failed = solve_from(p, &box);
    if (!failed && p->with_curvature > 0) {
        memcpy(p->kept, p->state, (size_t)s->n);
    }
    p->has_kept |= !failed && p->with_curvature > 0;
    p->is_warm = !failed; /* the next one begins with where this one ends */
    change_held(p, -1);
    return failed;
}

/* Rounds until no limit over several variables is crossed; the trial is moved inside them in any case. */
static int step_rounds(lbs_step *p, double damping, int (*solve)(lbs_step *, double)) {
    p->by_rows = solve == dual_step;
    p->damping = damping;
    hold_those_in_force(p);
    for (int round = 0; round < HOLD_ROUNDS; round++) {
        if (solve(p, damping)) {
            return 1;
        }
        if (!hold_those_beyond(p)) {
            break;
        }
    }
    return 0;
}

int lbs_step_gauss_newton(lbs_step *p, double damping) {
    if (!p->dense || p->s->n > p->s->row_count + p->most_held) {
        return step_rounds(p, damping, dual_step);
    }
    if (p->with_curvature != 0 && fill_matrix(p, NULL, 0)) {
        return 1;
    }
    return step_rounds(p, damping, primal_step);
}

int lbs_step_bend(lbs_step *p, const double *pull) { return fill_matrix(p, pull, 1); }

int lbs_step_newton(lbs_step *p, double damping) { return step_rounds(p, damping, primal_step); }

double lbs_step_secular(lbs_step *p) {
    int n = p->s->n;
    double square = 0, bent = 0;
    for (int k = 0; k < n; k++) {
        p->diagonal[k] = p->state[k] == 0 ? p->d[k] : 0;
    }
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
    int first = first_row(p), own = own_rows(p);
    const lbm_matrix rows = lbs_matrix(s, first, own);
    s->kernels->times(&rows, d, p->products);
    for (int i = 0; i < own; i++) {
        p->right[i] = s->last.residuals[first + i] - p->row[first + i] - p->products[i];
    }
    if (!p->by_rows) {
        s->kernels->transpose_times(&rows, p->right, p->gradient);
        lbm_box_matrix box = box_of_matrix(p, p->damping);
        lbm_box_matrix_again(&box, p->gradient, correction);
        return;
    }
    for (int i = own; i < own + first + p->held_count; i++) {
        p->right[i] = 0;
    }
    lbm_box_rows box = box_of_rows(p);
    lbm_box_rows_again(&box, p->right, correction);
}

/* How far a guard that was held is from where it should be: on its face, or as far beyond as it was. */
static double guard_off(const lbs_step *p, int guard) {
    double before = p->s->last.guards[guard].value;
    return lbs_guard_value(p->s, guard) - (before > 0 ? before : 0);
}

double lbs_step_off(const lbs_step *p) {
    double most = 0;
    for (int i = 0; i < p->held_count; i++) {
        if (p->held[i] < p->s->limits.count) {
            continue;
        }
        double off = fabs(guard_off(p, p->held[i] - p->s->limits.count));
        if (off > most) {
            most = off;
        }
    }
    return most;
}

void lbs_step_restore(lbs_step *p, int is_met, double *correction) {
    const lbs_space *s = p->s;
    int first = first_row(p), own = own_rows(p);
    for (int i = 0; i < own; i++) {
        p->right[i] = 0;
    }
    for (int i = 0; i < first; i++) {
        p->right[own + i] = HOLD * (s->last.residuals[i] - (is_met ? 0 : p->row[i]));
    }
    for (int i = 0; i < p->held_count; i++) {
        int guard = p->held[i] - s->limits.count;
        double *to = &p->right[own + first + i];
        *to = 0;
        if (guard < 0) {
            continue;
        }
        *to = HOLD * guard_off(p, guard);
    }
    if (p->by_rows) {
        lbm_box_rows box = box_of_rows(p);
        lbm_box_rows_again(&box, p->right, correction);
        return;
    }
    const lbm_matrix rows = lbs_matrix(s, 0, first);
    for (int i = 0; i < first; i++) {
        p->products[i] = HOLD * p->right[own + i];
    }
    s->kernels->transpose_times(&rows, p->products, p->gradient);
    for (int i = 0; i < p->held_count; i++) {
        if (p->held[i] < s->limits.count) {
            continue;
        }
        const double *row = guard_row(p, p->held[i]);
        for (int k = 0; k < s->n; k++) {
            p->gradient[k] += HOLD * p->right[own + first + i] * row[k];
        }
    }
    lbm_box_matrix box = box_of_matrix(p, p->damping);
    lbm_box_matrix_again(&box, p->gradient, correction);
}

int lbs_step_is_convex(lbs_step *p, double least) {
    const lbs_space *s = p->s;
    for (int k = 0; k < s->n; k++) { /* no room but 0 for what is held: nothing else is let go */
        p->state[k] = (signed char)(p->bounds[k] > 0 ? 1 : 0);
        p->gradient[k] = 0;
    }
    p->is_warm = 0;
    hold_those_in_force(p);
    change_held(p, 1);
    lbm_box_matrix box = box_of_matrix(p, least);
    int failed = lbm_box_matrix_factor(&box);
    change_held(p, -1);
    return !failed;
}

double lbs_step_owed(const lbs_step *p) {
    const lbs_space *s = p->s;
    double sum = 0;
    for (int i = 0; i < first_row(p); i++) {
        sum += p->pull[i] * (s->last.residuals[i] - p->row[i]);
    }
    for (int k = 0; k < s->last.guard_count; k++) {
        if (p->pull[s->row_count + k] != 0) {
            sum += p->pull[s->row_count + k] * (lbs_guard_value(s, k) - s->last.guards[k].value);
        }
    }
    return sum;
}

double lbs_step_promise(lbs_step *p, const double *d) {
    const lbs_space *s = p->s;
    int n = s->n, first = first_row(p), own = own_rows(p);
    double sum = 0;
    const double *gradient = p->pull ? p->lagrange : p->half_gradient;
    if (p->with_curvature < 1) {
        const lbm_matrix rows = lbs_matrix(s, first, own);
        s->kernels->times(&rows, d, p->products);
        for (int k = 0; k < n; k++) {
            sum -= 2 * gradient[k] * d[k] + p->bend[k] * d[k] * d[k];
        }
        for (int i = 0; i < own; i++) {
            sum -= p->products[i] * p->products[i];
        }
        return sum;
    }
    const lbm_matrix matrix = {n, s->stride, p->matrix, all_blocks(p, n, s->stride)};
    s->kernels->times(&matrix, d, p->gradient);
    for (int k = 0; k < n; k++) {
        sum -= (2 * gradient[k] + p->gradient[k]) * d[k];
    }
    const lbm_matrix higher = lbs_matrix(s, 0, first);
    s->kernels->times(&higher, d, p->products);
    for (int i = 0; i < first; i++) { /* what holds is not in the level's value */
        sum += HOLD * HOLD * p->products[i] * p->products[i];
    }
    return sum;
}
