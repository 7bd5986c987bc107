#include "math/box.h"

#include <math.h>
#include <string.h>

#define ROUNDS 20

static int is_stopped(const lbm_stop *stop) { return stop->is_late && stop->is_late(stop->context); }

/* ---------------------------------------------------------------------------------------------------
 * Few rows: in the dual
 *
 * With y = right + A d at the answer, each variable is d_i = clip(u_i), u = -(slope + A'y) / diagonal: the problem has as
 * many unknowns as rows. The gradient of the (convex, piecewise quadratic) dual function is y - right - A d(y), its second
 * derivative 1 + A D A' over the variables that are between their bounds. Newton's method on this semismooth function with
 * an exact search along the line converges from anywhere, in a handful of rounds (L. Qi and J. Sun, "A nonsmooth version of
 * Newton's method", Mathematical Programming 58, 1993).
 * ------------------------------------------------------------------------------------------------- */

size_t lbm_box_rows_size(int n, int m) {
    size_t columns = (size_t)lbm_stride(n), rows = (size_t)lbm_stride(m);
    return 10 * columns + (2 + LBM_CHANGE_ROOM) * rows + 2 * rows * (size_t)m;
}

/* The scratch, cut. */
typedef struct rows_room {
    double *u, *du, *product, *between; /* [stride]; product has four times that, for the Gram matrix */
    double *weights, *inverse;          /* [stride]: those that the Gram matrix has; 1 / diagonal */
    int *changed;                       /* [stride]: where these two are not the same */
    double *step, *error;               /* [lbm_stride(m)] */
    double *columns;                    /* [LBM_CHANGE_ROOM][lbm_stride(m)] */
    double *gram, *matrix;              /* [m][lbm_stride(m)]: A diag(weights) A', and the factor of 1 + that */
} rows_room;

static rows_room lay_out(const lbm_box_rows *b) {
    size_t columns = (size_t)b->rows.stride, rows = (size_t)lbm_stride(b->rows.rows);
    double *at = b->scratch, *after = at + 10 * columns;
    return (rows_room){at,
                       at + columns,
                       at + 2 * columns,
                       at + 6 * columns,
                       at + 7 * columns,
                       at + 8 * columns,
                       (int *)(at + 9 * columns),
                       after,
                       after + rows,
                       after + 2 * rows,
                       after + (2 + LBM_CHANGE_ROOM) * rows,
                       after + (2 + LBM_CHANGE_ROOM + (size_t)b->rows.rows) * rows};
}

static lbm_line line_of(const lbm_box_rows *b, const rows_room *w) {
    return (lbm_line){b->rows.stride, w->product, b->low, b->high, w->inverse, w->u, w->du, b->d, w->between};
}

/* The Gram matrix for the variables that are between their bounds now. From one round to the next few come or go: then these
 * are added or taken off, unless so large a weight would leave only its rounding errors. */
static void weigh(const lbm_box_rows *b, const rows_room *w, int is_first) {
    const lbm_line line = line_of(b, w);
    int count = is_first ? b->n : b->kernels->line_changes(&line, w->weights, w->changed), all = count > b->n / 3;
    for (int i = 0; i < count && !all; i++) { /* one of them is 0 */
        all = !(w->between[w->changed[i]] + w->weights[w->changed[i]] < 1e6);
    }
    if (all) {
        b->kernels->gram(&b->rows, w->between, w->product, w->gram);
    } else {
        b->kernels->change_gram(&b->rows, count, w->changed, w->between, w->weights, w->columns, w->gram);
    }
    memcpy(w->weights, w->between, (size_t)b->rows.stride * sizeof *w->weights);
}

/* The step of Newton's method, by the variables that are between their bounds. */
static int dual_step(const lbm_box_rows *b, const rows_room *w, int is_first) {
    int m = b->rows.rows;
    weigh(b, w, is_first);
    memcpy(w->step, w->error, (size_t)lbm_stride(m) * sizeof *w->step);
    if (b->kernels->solve(m, w->gram, 1, w->matrix, w->step)) {
        return 1;
    }
    b->kernels->transpose_times(&b->rows, w->step, w->product);
    return 0;
}

/* Begins with no multipliers. Returns whether what is held is not what u holds. */
static int begin(const lbm_box_rows *b, const rows_room *w) {
    const lbm_line line = line_of(b, w);
    size_t size = (size_t)lbm_stride(b->rows.rows) * sizeof *w->error;
    int found = b->kernels->line_begin(&line, b->diagonal, b->slope, b->held);
    memset(b->multipliers, 0, size);
    memset(w->error, 0, size);
    if (found & 2) {
        b->kernels->times(&b->rows, b->d, w->error);
    }
    return found & 1;
}

int lbm_box_rows_solve(const lbm_box_rows *b) {
    const rows_room w = lay_out(b);
    const lbm_kernels *k = b->kernels;
    const lbm_line line = line_of(b, &w);
    int stride = lbm_stride(b->rows.rows), guessed = begin(b, &w);
    double *y = b->multipliers, size = k->row_errors(stride, b->right, y, w.error);
    for (int round = 0; round < ROUNDS; round++) {
        double slopes[4];
        if (is_stopped(&b->stop) || dual_step(b, &w, round == 0)) {
            return 1;
        }
        k->row_slopes(stride, b->right, y, w.error, w.step, slopes);
        double t = k->line_search(&line, slopes[0], slopes[1], fabs(slopes[2]));
        k->add_scaled(stride, t, w.step, y);
        int changed = k->line_advance(&line, t);
        if (changed == 2) {
            return 1;
        }
        if (!changed && t == 1 && !(round == 0 && guessed)) {
            return 0;
        }
        k->times(&b->rows, b->d, w.error);
        double left = k->row_errors(stride, b->right, y, w.error);
        if (left <= (1e-24 + b->accuracy * b->accuracy) * size) {
            return 0;
        }
    }
    return 0;
}

void lbm_box_rows_again(const lbm_box_rows *b, const double *right, double *d) {
    const rows_room w = lay_out(b);
    int m = b->rows.rows;
    for (int i = 0; i < lbm_stride(m); i++) {
        w.step[i] = i < m ? right[i] : 0;
    }
    b->kernels->factor_solve(m, w.matrix, w.step);
    b->kernels->transpose_times(&b->rows, w.step, w.product);
    for (int k = 0; k < b->n; k++) {
        d[k] = -w.between[k] * w.product[k];
    }
}

/* ---------------------------------------------------------------------------------------------------
 * A whole matrix: a primal-dual active set
 *
 * Variables that the step takes beyond a bound are set on it, those that their bound would have to pull are let go, all at
 * once, until nothing changes (M. Hintermueller, K. Ito and K. Kunisch, "The primal-dual active set strategy as a
 * semismooth Newton method", SIAM J. Optimization 13, 2003). That may go in circles; after a few rounds nothing is let go any
 * more, which ends them.
 * ------------------------------------------------------------------------------------------------- */

#define LETTING_GO 8

size_t lbm_box_matrix_size(int n) { return (size_t)(n + 3) * (size_t)lbm_stride(n); }

/* The scratch, cut. */
typedef struct matrix_room {
    double *x;        /* [lbm_stride(n)] */
    double *pushed;   /* [lbm_stride(n)] */
    int *free, *held; /* [lbm_stride(n)] */
    double *factor;   /* [free][lbm_stride(free)] */
} matrix_room;

static matrix_room cut_scratch(const lbm_box_matrix *b) {
    double *x = b->scratch;
    int stride = lbm_stride(b->n), *lists = (int *)(x + 2 * stride);
    return (matrix_room){x, x + stride, lists, lists + stride, x + 3 * stride};
}

/* Which are free, and which held; those on their bounds, where d becomes. Returns how many are free. */
static int tell_apart(const lbm_box_matrix *b, const matrix_room *w, int *is_moved) {
    int count = 0, held = 0;
    *is_moved = 0;
    for (int i = 0; i < b->n; i++) {
        const signed char state = b->state[i];
        w->free[count] = w->held[held] = i;
        count += state == 0;
        held += state != 0;
        b->d[i] = state == 0 ? 0 : state < 0 ? b->low[i] : b->high[i];
        *is_moved |= b->d[i] != 0;
    }
    for (int i = count; i < lbm_stride(count); i++) {
        w->free[i] = 0;
    }
    return count;
}

/* The part of the free variables, where it is to be factored from. */
static const double *take_free(const lbm_box_matrix *b, const matrix_room *w, int count) {
    if (count == b->n) {
        return b->matrix;
    }
    b->kernels->gather(count, w->free, b->stride, b->matrix, w->factor);
    return w->factor;
}

int lbm_box_matrix_factor(const lbm_box_matrix *b) {
    const matrix_room w = cut_scratch(b);
    int is_moved, count = tell_apart(b, &w, &is_moved);
    return b->kernels->factor(count, take_free(b, &w, count), b->shift, w.factor);
}

/* The step x of the free variables, the others being on their bounds. Returns 1 if there is none. */
static int solve_free(const lbm_box_matrix *b, const matrix_room *w, int count, int is_moved) {
    for (int i = 0; i < count; i++) {
        w->x[i] = -b->gradient[w->free[i]];
    }
    for (int i = count; i < lbm_stride(count); i++) {
        w->x[i] = 0;
    }
    if (is_moved) {
        b->kernels->times_some(count, w->free, b->stride, b->matrix, b->d, w->pushed);
        for (int i = 0; i < count; i++) {
            w->x[i] -= w->pushed[i];
        }
    }
    return b->kernels->solve(count, take_free(b, w, count), b->shift, w->factor, w->x);
}

/* Takes the step; what it would take beyond a bound is held there. Returns whether anything is, or -1. */
static int hold_beyond(const lbm_box_matrix *b, const matrix_room *w, int count) {
    int changed = 0;
    for (int i = 0; i < count; i++) {
        int k = w->free[i];
        double x = b->d[k] = w->x[i];
        if (x >= b->low[k] && x <= b->high[k]) {
            continue;
        }
        if (!(x - x == 0)) {
            return -1;
        }
        b->state[k] = x < b->low[k] ? -1 : 1;
        changed = 1;
    }
    return changed;
}

/* Lets go what its bound would have to pull. Returns whether there was any. */
static int let_go(const lbm_box_matrix *b, const matrix_room *w, int count) {
    int changed = 0;
    b->kernels->times_some(count, w->held, b->stride, b->matrix, b->d, w->pushed);
    for (int i = 0; i < count; i++) {
        int k = w->held[i];
        double push = -b->gradient[k] - w->pushed[i] - b->shift * b->d[k];
        if (b->state[k] * push >= 0) {
            continue;
        }
        b->state[k] = 0;
        changed = 1;
    }
    return changed;
}

int lbm_box_matrix_solve(const lbm_box_matrix *b, double *lack) {
    const matrix_room w = cut_scratch(b);
    *lack = 0;
    for (int i = b->n; i < b->stride; i++) {
        b->d[i] = 0;
    }
    for (int round = 0;; round++) {
        int is_moved, count = tell_apart(b, &w, &is_moved);
        if (is_stopped(&b->stop)) {
            return 1;
        }
        if (solve_free(b, &w, count, is_moved)) {
            *lack = w.x[0];
            return 1;
        }
        int changed = hold_beyond(b, &w, count);
        if (changed < 0) {
            return 1;
        }
        if (round < LETTING_GO) {
            changed |= let_go(b, &w, b->n - count);
        }
        if (!changed) {
            return 0;
        }
    }
}

void lbm_box_matrix_again(const lbm_box_matrix *b, const double *gradient, double *d) {
    const matrix_room w = cut_scratch(b);
    int n = b->n, count = 0;
    for (int i = 0; i < n; i++) {
        if (b->state[i] == 0) {
            w.x[count++] = -gradient[i];
        }
    }
    for (int i = count; i < lbm_stride(count); i++) {
        w.x[i] = 0;
    }
    b->kernels->factor_solve(count, w.factor, w.x);
    for (int i = n - 1; i >= 0; i--) {
        d[i] = b->state[i] == 0 ? w.x[--count] : 0;
    }
}
