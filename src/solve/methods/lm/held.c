/* The projection of -gradient onto the directions that a lower level may go in, by an active set: minimise |d + g|^2 subject to
 * J d = 0 for the higher levels' rows, a . d <= 0 for limits in force (= 0 for equalities) and for faces of regions that are
 * reached, d_i >= 0 at lower bounds, <= 0 at upper ones. Bounds are handled by freezing variables, all else by the Gram matrix of
 * what is in use over the variables that are free. */
#include "solve/methods/lm/held.h"

#include <string.h>

#define REACHED 1e-8 /* metres before a face */
#define PASSES 40
#define ALL_AT_ONCE 12 /* passes; then one change at a time, which does not go in circles */

size_t lbs_pull_size(const lbs_space *s) {
    return lbp_has_levels(s->problem) ? (size_t)lbs_max_m(s) + lbs_max_guards(s->problem) : 0;
}

/* What may hold: the higher levels' rows first, which always do, then limits, then guards. */
typedef struct held {
    const lbs_space *s;
    const double *g;
    int first, limited, count; /* rows that always hold, with limits, all */
    double *rows;              /* [count][stride] */
    uint64_t *blocks;          /* [count]: all of each counts */
    double *gram;              /* [count][lbm_stride(count)] */
    double *alpha;             /* [lbm_stride(count)]: multipliers; 0 of what is not in use */
    double *d;                 /* [stride] */
    double *lagrange;          /* [stride]: g and the share of what is in use */
    double *free;              /* [stride]: 1, or 0: frozen */
    double *scratch;           /* [4 stride] */
    double *which;             /* [count]: the limit or guard that it is */
    unsigned char *used;       /* [count] */
    signed char *side;         /* [n]: -1 at its lower bound, 1 at the upper one, 2 at both, 0 between */
} held;

typedef struct room {
    size_t count, stride, row_stride, words;
} room;

static room room_of(const lbs_space *s) {
    size_t limits = lbs_max_limits(s->problem);
    room r;
    r.count = lbs_pull_size(s) + (limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE);
    r.stride = (size_t)lbm_stride(lbs_max_n(s));
    r.row_stride = (size_t)lbm_stride((int)r.count);
    r.words = r.count * (size_t)lbm_block_words((int)r.stride);
    return r;
}

size_t lbs_held_size(const lbs_space *s) {
    const room r = room_of(s);
    return lbp_has_levels(s->problem)
               ? r.count * (r.stride + r.row_stride + 1) + r.words + 2 * r.row_stride + 8 * r.stride
               : 0;
}

static void lay_out(held *h, const lbs_space *s, double *scratch) {
    const room r = room_of(s);
    h->s = s;
    h->rows = scratch;
    h->gram = h->rows + r.count * r.stride;
    h->which = h->gram + r.count * r.row_stride;
    h->blocks = (uint64_t *)(void *)(h->which + r.count);
    h->alpha = h->which + r.count + r.words;
    h->used = (unsigned char *)(h->alpha + r.row_stride);
    h->d = h->alpha + 2 * r.row_stride;
    h->lagrange = h->d + r.stride;
    h->free = h->lagrange + r.stride;
    h->scratch = h->free + r.stride;
    h->side = (signed char *)(h->scratch + 4 * r.stride);
}

static double *row_of(const held *h, int i) { return h->rows + (size_t)i * (size_t)h->s->stride; }

static void add_limits(held *h, const double *z) {
    const lbs_space *s = h->s;
    for (int k = 0; k < s->limits.count && h->count - h->first < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *limit = &s->limits.rows[k];
        double sum = -limit->bound, size = 1 + fabs(limit->bound), *row = row_of(h, h->count);
        for (int j = 0; j < limit->count; j++) {
            double term = limit->coefficients[j] * z[limit->variables[j]];
            sum += term;
            size += fabs(term);
        }
        if (limit->kind == LB_LIMIT_AT_MOST && sum < -1e-10 * size) {
            continue;
        }
        memset(row, 0, (size_t)s->stride * sizeof *row);
        for (int j = 0; j < limit->count; j++) {
            row[limit->variables[j]] = limit->coefficients[j];
        }
        h->used[h->count] = limit->kind == LB_LIMIT_EQUAL;
        h->which[h->count++] = k;
    }
    h->limited = h->count;
}

static void find_active(held *h, const double *z, int level) {
    const lbs_space *s = h->s;
    size_t stride = (size_t)s->stride;
    h->first = h->count = s->levels.first_rows[level];
    memcpy(h->rows, s->last.jacobian, (size_t)h->first * stride * sizeof *h->rows);
    memset(h->used, 1, (size_t)h->first);
    add_limits(h, z);
    for (int k = 0; k < s->last.guard_count; k++) {
        if (s->last.guards[k].value < -REACHED) {
            continue;
        }
        memcpy(row_of(h, h->count), s->last.guard_rows + (size_t)k * stride, stride * sizeof *h->rows);
        h->used[h->count] = 1;
        h->which[h->count++] = k;
    }
    lbm_all_blocks(h->count, s->stride, h->blocks);
    for (int i = 0; i < s->stride; i++) {
        h->free[i] = 0;
    }
    for (int i = 0; i < s->n; i++) {
        double near = 1e-10 * (1 + fabs(z[i]));
        int low = z[i] - s->variables.lower[i] <= near, high = s->variables.upper[i] - z[i] <= near;
        h->side[i] = (signed char)(low && high ? 2 : low ? -1 : high ? 1 : 0);
        h->free[i] = h->side[i] != 2 && !(h->side[i] * -h->g[i] > 0); /* a guess */
    }
}

/* Multipliers of what is in use: A A' alpha = -A g over the free variables; rows that depend on others share theirs. Returns 1 if
 * the numbers do not allow it. */
static int find_multipliers(held *h) {
    const lbs_space *s = h->s;
    const lbm_matrix rows = {h->count, s->stride, h->rows, h->blocks};
    int stride = lbm_stride(h->count);
    double trace = 0;
    s->kernels->gram(&rows, h->free, h->scratch, h->gram);
    for (int k = 0; k < s->stride; k++) {
        h->d[k] = k < s->n ? -h->free[k] * h->g[k] : 0;
    }
    s->kernels->times(&rows, h->d, h->alpha);
    for (int i = 0; i < h->count; i++) {
        trace += h->used[i] ? h->gram[i * stride + i] : 0;
    }
    for (int i = 0; i < h->count; i++) {
        double *line = h->gram + (size_t)i * (size_t)stride;
        for (int j = i + 1; j < h->count; j++) {
            if (!h->used[i] || !h->used[j]) {
                line[j] = 0;
            }
        }
        if (!h->used[i]) {
            h->alpha[i] = 0;
        }
        line[i] = h->used[i] ? line[i] + 1e-12 * trace + 1e-300 : 1;
    }
    for (int i = h->count; i < stride; i++) {
        h->alpha[i] = 0;
    }
    if (s->kernels->solve(h->count, h->gram, 0, h->gram, h->alpha)) {
        return 1;
    }
    s->kernels->transpose_times(&rows, h->alpha, h->lagrange);
    for (int k = 0; k < s->n; k++) {
        h->lagrange[k] += h->g[k];
        h->d[k] = h->free[k] != 0 ? -h->lagrange[k] : 0;
    }
    return 0;
}

static double along(const held *h, int i) {
    const double *row = row_of(h, i);
    double sum = 0;
    for (int k = 0; k < h->s->n; k++) {
        sum += row[k] * h->d[k];
    }
    return sum;
}

static int is_equality(const held *h, int i) {
    return i < h->first || (i < h->limited && h->s->limits.rows[(int)h->which[i]].kind == LB_LIMIT_EQUAL);
}

/* Lets go what pulls instead of pushing; 1 if there was any. */
static int let_go(held *h, double tiny, int one) {
    int changed = 0;
    for (int i = h->first; i < h->count && !(one && changed); i++) {
        if (!h->used[i] || is_equality(h, i) || h->alpha[i] >= -tiny) {
            continue;
        }
        h->used[i] = 0;
        changed = 1;
    }
    for (int k = 0; k < h->s->n && !(one && changed); k++) {
        if (h->free[k] != 0 || h->side[k] == 2 || -h->lagrange[k] * h->side[k] >= -tiny) {
            continue;
        }
        h->free[k] = 1;
        changed = 1;
    }
    return changed;
}

/* Takes in what the direction goes beyond; 1 if there was any. */
static int take_in(held *h, double tiny, int one) {
    int changed = 0;
    for (int k = 0; k < h->s->n && !(one && changed); k++) {
        if (h->free[k] == 0 || h->side[k] * h->d[k] <= tiny) {
            continue;
        }
        h->free[k] = 0;
        changed = 1;
    }
    for (int i = h->first; i < h->count && !(one && changed); i++) {
        if (h->used[i] || along(h, i) <= tiny) {
            continue;
        }
        h->used[i] = 1;
        changed = 1;
    }
    return changed;
}

double lbs_held_look(const lbs_space *s, double *scratch, const double *z, int level, double *gradient,
                     double *direction, double *pull, double *bounds, double *limits) {
    held h;
    double size = 0, square = 0;
    lay_out(&h, s, scratch);
    h.g = gradient;
    find_active(&h, z, level);
    for (int k = 0; k < s->n; k++) {
        if (fabs(gradient[k]) > size) {
            size = fabs(gradient[k]);
        }
    }
    for (int pass = 0; pass < PASSES; pass++) {
        if (find_multipliers(&h)) {
            return INFINITY;
        }
        int one = pass >= ALL_AT_ONCE;
        if (!let_go(&h, 1e-13 * size, one) && !take_in(&h, 1e-13 * size, one)) {
            break;
        }
    }
    memset(pull, 0, (size_t)(s->row_count + s->last.guard_count) * sizeof *pull);
    memset(limits, 0, (size_t)s->limits.count * sizeof *limits);
    memcpy(pull, h.alpha, (size_t)h.first * sizeof *pull);
    for (int i = h.first; i < h.count; i++) {
        if (i < h.limited) {
            limits[(int)h.which[i]] = h.alpha[i];
        } else {
            pull[s->row_count + (int)h.which[i]] = h.alpha[i] > 0 ? h.alpha[i] : 0;
        }
    }
    for (int k = 0; k < s->n; k++) {
        bounds[k] = h.free[k] != 0 ? 0 : fabs(h.lagrange[k]);
        if (h.free[k] == 0 && bounds[k] == 0) {
            bounds[k] = 1e-300; /* held, if only just */
        }
        direction[k] = h.d[k];
        square += h.d[k] * h.d[k];
    }
    /* what limits push belongs to them */
    memcpy(gradient, h.lagrange, (size_t)s->n * sizeof *gradient);
    for (int i = h.first; i < h.limited; i++) {
        for (int k = 0; k < s->n; k++) {
            gradient[k] -= h.alpha[i] * row_of(&h, i)[k];
        }
    }
    return sqrt(square);
}
