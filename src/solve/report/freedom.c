/* Whether the goals over-, perfectly or under-constrain the figure, and the degree of redundancy.
 *
 * Korein and Badler (1982): a system with more degrees of freedom than the goal imposes constraints is underconstrained
 * or redundant, and the difference is the degree of redundancy; the workspace of an overconstrained one has a lower
 * dimension than the space that it lies in. They count a chain in the plane against the plane. So the equations that a
 * goal imposes are counted here by the space that its residuals move in as the figure moves: the rank of the sum of J
 * J' over the answer and a few other poses, which is 2 for the position of a planar chain, however the plane lies, also
 * where that chain has only one link. Goals that ask for one side only (regions, obstacles, potentials of the caller's
 * own) impose an equation where they are missed, and none where they are met.
 *
 * The degrees of freedom are the variables that may move, less what limits hold: "each involving one fewer variable"
 * (KB82 on minima where joints take extreme values). The rank is that of the goals' Jacobian over what is left. */
#include <string.h>

#include "solve/solver.h"

#define SAMPLES 4           /* poses beside the answer */
#define RANK_TOLERANCE 1e-6 /* of the largest row that a goal's kind of residual has anywhere: less is dependent */

/* --- The equations that goals impose
 * -------------------------------------------------------------------------------- */

static double *span_of(const lb_solver *solver, const lbs_item *item) {
    return solver->freedom.spans + (size_t)(item - solver->space->items) * LBP_MAX_ROWS * LBP_MAX_ROWS;
}

/* Whether a goal's residuals are equations wherever the figure is. */
static int is_equation(const lbs_item *item) {
    switch (item->constraint->goal.kind) {
    case LB_GOAL_POSITION:
    case LB_GOAL_ORIENTATION:
    case LB_GOAL_FRAME:
    case LB_GOAL_AIM:
    case LB_GOAL_LINE:
    case LB_GOAL_PLANE:
        return item->group < 0;
    default:
        return 0;
    }
}

static int imposes(const lbs_item *item) {
    return item->enabled && item->counted && item->root_weight > 0 && item->row_count > 0;
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* Adds J J' of an item's rows at the last evaluation to its span. */
static void add_span(const lb_solver *solver, const lbs_item *item) {
    const lbs_space *s = solver->space;
    double *span = span_of(solver, item);
    for (int r = 0; r < item->row_count; r++) {
        for (int c = 0; c <= r; c++) {
            double product =
                dot(s->n, lbs_jacobian_row(s, item->first_row + r), lbs_jacobian_row(s, item->first_row + c));
            span[r * LBP_MAX_ROWS + c] += product;
        }
    }
}

/* Any place between the bounds: it need not keep limits over several variables. */
static void sample(const lbs_space *s, const double *home, uint64_t *seed, double *z) {
    for (int i = 0; i < s->n; i++) { /* Marsaglia's xorshift */
        *seed ^= *seed << 13;
        *seed ^= *seed >> 7;
        *seed ^= *seed << 17;
        double part = (double)(*seed >> 11) * 0x1p-53, low = s->variables.lower[i], high = s->variables.upper[i];
        if (!(low > -INFINITY && high < INFINITY)) {
            low = home[i] - 1;
            high = home[i] + 1;
        }
        z[i] = low + part * (high - low);
    }
}

/* The spans of all items; the space is at z, with its Jacobian, afterwards. */
static void find_spans(lb_solver *solver) {
    lbs_space *s = solver->space;
    uint64_t seed = 88172645463325252ull;
    memset(solver->freedom.spans, 0,
           (size_t)s->item_count * LBP_MAX_ROWS * LBP_MAX_ROWS * sizeof *solver->freedom.spans);
    for (int k = 0; k <= SAMPLES; k++) { /* the answer last */
        const double *z = k < SAMPLES ? solver->freedom.sample : solver->z;
        if (k < SAMPLES) {
            sample(s, solver->z, &seed, solver->freedom.sample);
        }
        lbs_jacobian(s, z);
        for (int i = 0; i < s->item_count; i++) {
            if (imposes(&s->items[i]) && (k == SAMPLES || is_equation(&s->items[i]))) {
                add_span(solver, &s->items[i]);
            }
        }
    }
}

/* A frame's rows are lengths first, then angles; all others are of one kind. */
static int kind_of_row(const lbs_item *item, int row) {
    return item->constraint->goal.kind == LB_GOAL_FRAME && row >= 3;
}

/* One over the largest row that a kind of residual has; 0 where none moves. */
static double scale_of(const lb_solver *solver, const lbs_item *item, int row) {
    const double *span = span_of(solver, item);
    double most = 0;
    for (int r = 0; r < item->row_count; r++) {
        if (kind_of_row(item, r) == kind_of_row(item, row) && span[r * LBP_MAX_ROWS + r] > most) {
            most = span[r * LBP_MAX_ROWS + r];
        }
    }
    return most > 0 ? 1 / sqrt(most) : 0;
}

/* The rank of an item's span, by Cholesky with pivoting. The span is spent. */
static int span_rank(const lb_solver *solver, const lbs_item *item) {
    double a[LBP_MAX_ROWS][LBP_MAX_ROWS], scales[LBP_MAX_ROWS];
    int m = item->row_count, rank = 0;
    const double *span = span_of(solver, item);
    for (int r = 0; r < m; r++) {
        scales[r] = scale_of(solver, item, r);
        for (int c = 0; c <= r; c++) {
            a[r][c] = a[c][r] = span[r * LBP_MAX_ROWS + c] * scales[r] * scales[c];
        }
    }
    for (; rank < m; rank++) {
        int pivot = 0;
        for (int r = 1; r < m; r++) {
            pivot = a[r][r] > a[pivot][pivot] ? r : pivot;
        }
        double top = a[pivot][pivot];
        if (!(top > RANK_TOLERANCE * RANK_TOLERANCE)) {
            break;
        }
        double column[LBP_MAX_ROWS];
        for (int r = 0; r < m; r++) {
            column[r] = a[r][pivot];
        }
        for (int r = 0; r < m; r++) {
            for (int c = 0; c < m; c++) {
                a[r][c] = r == pivot || c == pivot ? 0 : a[r][c] - column[r] * column[c] / top;
            }
        }
    }
    return rank;
}

/* --- What is left to move
 * ------------------------------------------------------------------------------------------- */

static int is_held(const lb_solver *solver, int i, int has_multipliers, double zero) {
    const lbs_space *s = solver->space;
    return s->variables.lower[i] == s->variables.upper[i] ||
           (has_multipliers && solver->kkt.bound_multipliers[i] > zero);
}

/* Takes the parts along `count` orthonormal rows off v, twice: once leaves rounding where little is left. */
static void take_off(int n, int count, const double *rows, double *v) {
    for (int k = 0; k < 2 * count; k++) {
        const double *row = rows + (size_t)(k % count) * (size_t)n;
        double along = dot(n, row, v);
        for (int i = 0; i < n; i++) {
            v[i] -= along * row[i];
        }
    }
}

/* Limits over several variables that are in force, over those that are not held, made orthonormal. Returns how many. */
static int find_held_rows(lb_solver *solver, int has_multipliers, double zero) {
    const lbs_space *s = solver->space;
    int count = 0;
    for (int k = 0; k < s->limits.count && count < LBS_MAX_ACTIVE; k++) {
        const lb_limit_row *limit = &s->limits.rows[k];
        double *row = solver->freedom.limit_rows + (size_t)count * (size_t)s->n;
        if (limit->kind != LB_LIMIT_EQUAL && !(has_multipliers && fabs(solver->kkt.limit_multipliers[k]) > zero)) {
            continue;
        }
        memset(row, 0, (size_t)s->n * sizeof *row);
        for (int t = 0; t < limit->count; t++) {
            int held = is_held(solver, limit->variables[t], has_multipliers, zero);
            row[limit->variables[t]] = held ? 0 : limit->coefficients[t];
        }
        take_off(s->n, count, solver->freedom.limit_rows, row);
        double size = sqrt(dot(s->n, row, row));
        if (size > RANK_TOLERANCE) {
            for (int i = 0; i < s->n; i++) {
                row[i] /= size;
            }
            count++;
        }
    }
    return count;
}

/* --- The rank ------------------------------------------------------------------------------------------------------- */

/* A copy of the goals' Jacobian, each kind of row by its largest, without what is held. */
static void prepare_rows(lb_solver *solver, int held_count, int has_multipliers, double zero) {
    lbs_space *s = solver->space;
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        for (int r = 0; r < item->row_count; r++) {
            const double *from = lbs_jacobian_row(s, item->first_row + r);
            double *row = solver->freedom.goal_rows + (size_t)(item->first_row + r) * (size_t)s->n;
            double scale = imposes(item) ? scale_of(solver, item, r) : 0;
            for (int c = 0; c < s->n; c++) {
                row[c] = is_held(solver, c, has_multipliers, zero) ? 0 : scale * from[c];
            }
            take_off(s->n, held_count, solver->freedom.limit_rows, row);
        }
    }
}

/* The rank of m rows of n numbers, by Gram and Schmidt with pivoting; they are spent. */
static int rank_of_rows(int m, int n, double *rows) {
    for (int rank = 0;; rank++) {
        double most = 0, *unit = rows;
        for (int r = 0; r < m; r++) {
            double *row = rows + (size_t)r * (size_t)n, square = dot(n, row, row);
            if (square > most) {
                most = square;
                unit = row;
            }
        }
        if (!(most > RANK_TOLERANCE * RANK_TOLERANCE)) {
            return rank;
        }
        double size = sqrt(most);
        for (int i = 0; i < n; i++) {
            unit[i] /= size;
        }
        for (int r = 0; r < m; r++) {
            double *row = rows + (size_t)r * (size_t)n;
            if (row != unit) {
                take_off(n, 1, unit, row);
            }
        }
        memset(unit, 0, (size_t)n * sizeof *unit);
    }
}

void lbs_count_freedom(lb_solver *solver, int has_multipliers, lb_freedom *freedom) {
    lbs_space *s = solver->space;
    const double zero = s->options->gradient_tolerance;
    memset(freedom, 0, sizeof *freedom);
    find_spans(solver);
    for (int i = 0; i < s->item_count; i++) {
        freedom->equations += imposes(&s->items[i]) ? span_rank(solver, &s->items[i]) : 0;
    }
    int held = find_held_rows(solver, has_multipliers, zero);
    prepare_rows(solver, held, has_multipliers, zero);
    freedom->variables = s->n;
    freedom->freedoms = s->n - held;
    for (int i = 0; i < s->n; i++) {
        freedom->freedoms -= is_held(solver, i, has_multipliers, zero);
    }
    freedom->rank = rank_of_rows(s->row_count, s->n, solver->freedom.goal_rows);
    freedom->redundancy = freedom->freedoms - freedom->rank;
    freedom->determinacy = freedom->rank < freedom->equations ? LB_DETERMINACY_OVER
                           : freedom->redundancy > 0          ? LB_DETERMINACY_UNDER
                                                              : LB_DETERMINACY_PERFECT;
}

const char *lb_determinacy_name(lb_determinacy determinacy) {
    static const char *const names[] = {"unknown", "under-constrained", "perfectly constrained", "over-constrained"};
    return (int)determinacy >= 0 && determinacy <= LB_DETERMINACY_OVER ? names[determinacy] : "unknown";
}
