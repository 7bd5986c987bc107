/* The projection of -gradient onto the directions that a lower level may go in: the cone (math/active_set.h) whose
 * rows are those of the higher levels (J d = 0), limits in force, and faces of regions that are reached. The rows
 * are dense, and their Gram matrix over the free variables gives the multipliers. */
#include "solve/eval/level_tangent.h"

#include <string.h>

#include "math/active_set.h"
#include "math/arena.h"

#define REACHED 1e-8   /* metres before a face of a region, from where on it counts as reached */
#define ROUNDING 1e-13 /* of the largest element of the gradient */
#define DAMPING 1e-12  /* of the Gram matrix, as a share of its trace */
#define PASSES 40
#define ALL_AT_ONCE 12

size_t lbs_row_multiplier_count(const lbs_space *s) { return lbs_may_have_levels(s) ? s->max.rows + s->max.guards : 0; }

/* The rows of the cone: those of the higher levels first, which always hold, then limits, then guards. */
typedef struct level_cone {
    const lbs_space *s;
    const double *g;
    int first, limited, count; /* rows of higher levels; with limits; all */
    double *rows;              /* [count][stride] */
    double *gram;              /* [count][lbm_stride(count)] */
    double *alpha;             /* [lbm_stride(count)]: multipliers; 0 of rows that are not in use */
    double *d;                 /* [stride] */
    double *lagrange;          /* [stride]: g and the share of the rows in use */
    double *free;              /* [stride]: 1, or 0 where a bound is active */
    double *scratch;           /* [4 stride]: of the Gram matrix */
    uint64_t *blocks;          /* [count]: all of each row counts */
    int *which;                /* [count]: the number of the limit or guard */
    unsigned char *used;       /* [count] */
    unsigned char *is_equal;   /* [count] */
    signed char *side;         /* [n]: lbm_side_of */
} level_cone;

static void cut_cone(level_cone *h, const lbs_space *s, lbm_arena *arena) {
    const size_t limits = s->max.limits, stride = s->max.stride;
    const size_t count = lbs_row_multiplier_count(s) + (limits < LBS_MAX_ACTIVE ? limits : LBS_MAX_ACTIVE);
    const size_t row_stride = (size_t)lbm_stride((int)count);
    h->rows = lbm_cut_doubles(arena, count * stride);
    h->gram = lbm_cut_doubles(arena, count * row_stride);
    h->alpha = lbm_cut_doubles(arena, row_stride);
    h->d = lbm_cut_doubles(arena, stride);
    h->lagrange = lbm_cut_doubles(arena, stride);
    h->free = lbm_cut_doubles(arena, stride);
    h->scratch = lbm_cut_doubles(arena, 4 * stride);
    h->blocks = lbm_cut(arena, count * (size_t)lbm_block_words((int)stride), sizeof *h->blocks);
    h->which = lbm_cut(arena, count, sizeof *h->which);
    h->used = lbm_cut(arena, count, 1);
    h->is_equal = lbm_cut(arena, count, 1);
    h->side = lbm_cut(arena, stride, 1);
}

size_t lbs_level_tangent_size(const lbs_space *s) {
    level_cone h;
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_cone(&h, s, &arena);
    return lbs_may_have_levels(s) ? lbm_arena_doubles(&arena) : 0;
}

static double *row_of(const level_cone *h, int i) { return h->rows + (size_t)i * (size_t)h->s->stride; }

static double *add_row(level_cone *h, int which, int is_equal, int is_used) {
    double *row = row_of(h, h->count);
    h->which[h->count] = which;
    h->is_equal[h->count] = (unsigned char)is_equal;
    h->used[h->count++] = (unsigned char)is_used;
    return row;
}

static void add_limits(level_cone *h, const double *z) {
    const lbs_space *s = h->s;
    for (int k = 0; k < s->limits.count && h->count - h->first < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *limit = &s->limits.rows[k];
        const int is_equal = limit->kind == LB_LIMIT_EQUAL;
        if (!lbm_row_is_on(limit, z)) {
            continue;
        }
        double *row = add_row(h, k, is_equal, is_equal);
        memset(row, 0, (size_t)s->stride * sizeof *row);
        for (int j = 0; j < limit->count; j++) {
            row[limit->variables[j]] = limit->coefficients[j];
        }
    }
    h->limited = h->count;
}

/* The rows and bounds in force at z, and a first guess of which are active. */
static void find_active(level_cone *h, const double *z, int level) {
    const lbs_space *s = h->s;
    const size_t stride = (size_t)s->stride;
    h->count = 0;
    h->first = s->levels.first_rows[level];
    for (int i = 0; i < h->first; i++) {
        memcpy(add_row(h, -1, 1, 1), s->last.jacobian + (size_t)i * stride, stride * sizeof *h->rows);
    }
    add_limits(h, z);
    for (int k = 0; k < s->last.guard_count; k++) {
        if (s->last.guards[k].value >= -REACHED) {
            memcpy(add_row(h, k, 0, 1), s->last.guard_rows + (size_t)k * stride, stride * sizeof *h->rows);
        }
    }
    lbm_all_blocks(h->count, s->stride, h->blocks);
    for (int i = 0; i < s->stride; i++) {
        h->free[i] = 0;
    }
    for (int i = 0; i < s->n; i++) {
        h->side[i] = (signed char)lbm_side_of(z[i], s->variables.lower[i], s->variables.upper[i]);
        h->free[i] = h->side[i] != 2 && !(h->side[i] * -h->g[i] > 0);
    }
}

/* The multipliers of the rows in use: A A' alpha = -A g over the free variables. Rows that depend on each other
 * share their multipliers, by a little damping. Returns 1 if the Gram matrix is not positive definite. */
static int find_multipliers(void *context) {
    level_cone *h = context;
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
        line[i] = h->used[i] ? line[i] + DAMPING * trace + 1e-300 : 1;
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

static double along(void *context, int i) {
    const level_cone *h = context;
    const double *row = row_of(h, i);
    double sum = 0;
    for (int k = 0; k < h->s->n; k++) {
        sum += row[k] * h->d[k];
    }
    return sum;
}

static double push_on(void *context, int variable) { return -((const level_cone *)context)->lagrange[variable]; }

/* The multipliers of rows, limits and guards to where the caller wants them. */
static void give_multipliers(const level_cone *h, double *rows, double *limits) {
    const lbs_space *s = h->s;
    memset(rows, 0, (size_t)(s->row_count + s->last.guard_count) * sizeof *rows);
    memset(limits, 0, (size_t)s->limits.count * sizeof *limits);
    memcpy(rows, h->alpha, (size_t)h->first * sizeof *rows);
    for (int i = h->first; i < h->count; i++) {
        if (i < h->limited) {
            limits[h->which[i]] = h->alpha[i];
        } else {
            rows[s->row_count + h->which[i]] = h->alpha[i] > 0 ? h->alpha[i] : 0;
        }
    }
}

double lbs_level_tangent(const lbs_space *s, double *scratch, const double *z, int level, const lbs_projection *p) {
    double *gradient = p->gradient, *bounds = p->bound_multipliers;
    level_cone h;
    double size = 0, square = 0;
    lbm_arena arena = lbm_arena_on(scratch, LBM_ARENA_DOUBLE);
    cut_cone(&h, s, &arena);
    h.s = s;
    h.g = gradient;
    find_active(&h, z, level);
    for (int k = 0; k < s->n; k++) {
        if (fabs(gradient[k]) > size) {
            size = fabs(gradient[k]);
        }
    }
    const lbm_cone cone = {.n = s->n,
                           .row_count = h.count,
                           .side = h.side,
                           .is_equality = h.is_equal,
                           .d = h.d,
                           .multipliers = h.alpha,
                           .free = h.free,
                           .used = h.used,
                           .solve = find_multipliers,
                           .along = along,
                           .push = push_on,
                           .context = &h,
                           .tiny = ROUNDING * size,
                           .passes = PASSES,
                           .all_at_once = ALL_AT_ONCE};
    if (lbm_cone_project(&cone) == LBM_CONE_FAILED) {
        return INFINITY;
    }
    give_multipliers(&h, p->row_multipliers, p->limit_multipliers);
    for (int k = 0; k < s->n; k++) {
        bounds[k] = h.free[k] != 0 ? 0 : fabs(h.lagrange[k]);
        if (h.free[k] == 0 && bounds[k] == 0) {
            bounds[k] = 1e-300; /* active, if only just: not 0 */
        }
        p->direction[k] = h.d[k];
        square += h.d[k] * h.d[k];
    }
    /* The gradient of the Lagrangian of rows and guards: the share of limits is taken off again. */
    memcpy(gradient, h.lagrange, (size_t)s->n * sizeof *gradient);
    for (int i = h.first; i < h.limited; i++) {
        for (int k = 0; k < s->n; k++) {
            gradient[k] -= h.alpha[i] * row_of(&h, i)[k];
        }
    }
    return sqrt(square);
}
