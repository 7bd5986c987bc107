#include "math/box.h"

#include <math.h>
#include <string.h>

#include "math/arena.h"

#define ROUNDS 20        /* of Newton's method on the dual; a handful is usual */
#define LARGE_WEIGHT 1e6 /* ten digits of a Gram matrix of ordinary size are left when such a weight is subtracted */
#define CONVERGED 1e-24  /* squared residual, as a share of the first, that counts as rounding */

/* ---------------------------------------------------------------------------------------------------
 * Few rows: in the dual
 *
 * With y = right + A d at the answer, each variable is d_i = clip(u_i), u = -(slope + A'y) / diagonal: the problem
 * has as many unknowns as rows. The gradient of the (convex, piecewise quadratic) dual function is y - right - A
 * d(y), its second derivative 1 + A D A' over the variables that are between their bounds. Newton's method on this
 * semismooth function with an exact search along the line converges from anywhere, in a handful of rounds (L. Qi and
 * J. Sun, "A nonsmooth version of Newton's method", Mathematical Programming 58, 1993).
 * ------------------------------------------------------------------------------------------------- */

/* The scratch, cut into arrays. `columns` is A's stride, `rows` is lbm_stride(m). */
typedef struct rows_work {
    double *u, *du, *between;  /* [columns]: see lbm_line */
    double *product;           /* [4 columns]: A' times the step; the Gram matrix's scratch needs four rows */
    double *weights, *inverse; /* [columns]: the weights that `gram` was computed with; 1 / diagonal */
    int *changed;              /* [columns]: the variables whose weight is no longer that of `gram` */
    double *step, *error;      /* [rows]: of the multipliers */
    double *copied;            /* [LBM_CHANGE_ROOM][rows] */
    double *gram, *matrix;     /* [m][rows]: A diag(weights) A', and the factor of 1 + that */
} rows_work;

static rows_work cut_rows(int n, int m, lbm_arena *arena) {
    const size_t columns = (size_t)lbm_stride(n), rows = (size_t)lbm_stride(m);
    rows_work w;
    w.u = lbm_cut_doubles(arena, columns);
    w.du = lbm_cut_doubles(arena, columns);
    w.product = lbm_cut_doubles(arena, 4 * columns);
    w.between = lbm_cut_doubles(arena, columns);
    w.weights = lbm_cut_doubles(arena, columns);
    w.inverse = lbm_cut_doubles(arena, columns);
    w.changed = lbm_cut(arena, columns, sizeof(double)); /* twice as many as needed: the next arrays begin on a block */
    w.step = lbm_cut_doubles(arena, rows);
    w.error = lbm_cut_doubles(arena, rows);
    w.copied = lbm_cut_doubles(arena, LBM_CHANGE_ROOM * rows);
    w.gram = lbm_cut_doubles(arena, (size_t)m * rows);
    w.matrix = lbm_cut_doubles(arena, (size_t)m * rows);
    return w;
}

size_t lbm_box_rows_size(int n, int m) {
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_rows(n, m, &arena);
    return lbm_arena_doubles(&arena);
}

static rows_work lay_out_rows(const lbm_box_rows *b) {
    lbm_arena arena = lbm_arena_on(b->scratch, LBM_ARENA_DOUBLE);
    return cut_rows(b->rows.stride, b->rows.rows, &arena);
}

static lbm_line line_of(const lbm_box_rows *b, const rows_work *w) {
    return (lbm_line){b->rows.stride, w->product, b->low, b->high, w->inverse, w->u, w->du, b->d, w->between};
}

/* The Gram matrix of the variables that are between their bounds now. From one round to the next only few variables
 * come or go: then the matrix is updated by these columns, unless a weight is so large that subtracting it would
 * leave rounding errors. */
static void weigh(const lbm_box_rows *b, const rows_work *w, int is_first) {
    const lbm_line line = line_of(b, w);
    int count = is_first ? b->n : b->kernels->line_changes(&line, w->weights, w->changed),
        all = count > b->n / 3;               /* then computing anew is cheaper */
    for (int i = 0; i < count && !all; i++) { /* one of the two is 0 */
        all = !(w->between[w->changed[i]] + w->weights[w->changed[i]] < LARGE_WEIGHT);
    }
    if (all) {
        b->kernels->gram(&b->rows, w->between, w->product, w->gram);
    } else {
        b->kernels->change_gram(&b->rows, count, w->changed, w->between, w->weights, w->copied, w->gram);
    }
    memcpy(w->weights, w->between, (size_t)b->rows.stride * sizeof *w->weights);
}

/* The step of Newton's method, by the variables that are between their bounds. */
static int dual_step(const lbm_box_rows *b, const rows_work *w, int is_first) {
    int m = b->rows.rows;
    weigh(b, w, is_first);
    memcpy(w->step, w->error, (size_t)lbm_stride(m) * sizeof *w->step);
    if (b->kernels->solve(m, w->gram, 1, w->matrix, w->step)) {
        return 1;
    }
    b->kernels->transpose_times(&b->rows, w->step, w->product);
    return 0;
}

/* Goes from multipliers of 0 to the guessed ones, and takes the active set that they have. */
static void begin_at_guess(const lbm_box_rows *b, const rows_work *w) {
    const lbm_line line = line_of(b, w);
    b->kernels->transpose_times(&b->rows, b->multipliers, w->product);
    for (int k = 0; k < b->rows.stride; k++) {
        w->du[k] = -w->product[k] * w->inverse[k];
    }
    b->kernels->line_advance(&line, 1);
    b->kernels->times(&b->rows, b->d, w->error);
}

/* Begins with multipliers of 0, or with those that were guessed. Returns whether the guessed active set differs from
 * that of u. */
static int begin(const lbm_box_rows *b, const rows_work *w) {
    const lbm_line line = line_of(b, w);
    size_t size = (size_t)lbm_stride(b->rows.rows) * sizeof *w->error;
    int found = b->kernels->line_begin(&line, b->diagonal, b->slope, b->active);
    memset(w->error, 0, size);
    if (b->has_guess) {
        begin_at_guess(b, w);
        return 0;
    }
    memset(b->multipliers, 0, size);
    if (found & 2) {
        b->kernels->times(&b->rows, b->d, w->error);
    }
    return found & 1;
}

int lbm_box_rows_solve(const lbm_box_rows *b) {
    const rows_work w = lay_out_rows(b);
    const lbm_kernels *k = b->kernels;
    const lbm_line line = line_of(b, &w);
    int stride = lbm_stride(b->rows.rows), guessed = begin(b, &w);
    double *y = b->multipliers, size = k->row_errors(stride, b->right, y, w.error);
    if (b->is_unsolved) {
        *b->is_unsolved = 0;
    }
    for (int round = 0; round < ROUNDS; round++) {
        double slopes[4];
        if (lbm_is_stopped(&b->stop) || dual_step(b, &w, round == 0)) {
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
        if (left <= (CONVERGED + b->accuracy * b->accuracy) * size) {
            return 0;
        }
    }
    if (b->is_unsolved) {
        *b->is_unsolved = 1;
    }
    return 0;
}

void lbm_box_rows_again(const lbm_box_rows *b, const double *right, double *d) {
    const rows_work w = lay_out_rows(b);
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
 * Variables that the step takes beyond a bound become active there, active variables whose multiplier has the wrong
 * sign become free, all at once, until nothing changes (M. Hintermueller, K. Ito and K. Kunisch, "The primal-dual
 * active set strategy as a semismooth Newton method", SIAM J. Optimization 13, 2003). That may go round in circles;
 * after a few rounds no variable becomes free any more, so that the method ends.
 * ------------------------------------------------------------------------------------------------- */

#define LETTING_GO 8 /* rounds in which active variables may become free */

/* The scratch, cut into arrays. */
typedef struct matrix_work {
    double *x;          /* [lbm_stride(n)]: of the free variables */
    double *pushed;     /* [lbm_stride(n)] */
    int *free, *active; /* [lbm_stride(n)]: the variables between their bounds, and those on one */
    double *factor;     /* [free][lbm_stride(free)] */
} matrix_work;

static matrix_work cut_matrix(int n, lbm_arena *arena) {
    const size_t stride = (size_t)lbm_stride(n);
    matrix_work w;
    w.x = lbm_cut_doubles(arena, stride);
    w.pushed = lbm_cut_doubles(arena, stride);
    w.free = lbm_cut(arena, stride, sizeof(int));
    w.active = lbm_cut(arena, stride, sizeof(int));
    w.factor = lbm_cut_doubles(arena, (size_t)n * stride);
    return w;
}

size_t lbm_box_matrix_size(int n) {
    lbm_arena arena = lbm_arena_on(NULL, LBM_ARENA_DOUBLE);
    cut_matrix(n, &arena);
    return lbm_arena_doubles(&arena);
}

static matrix_work lay_out_matrix(const lbm_box_matrix *b) {
    lbm_arena arena = lbm_arena_on(b->scratch, LBM_ARENA_DOUBLE);
    return cut_matrix(b->n, &arena);
}

/* Lists the free and the active variables, and sets d on the bounds of the active ones. Returns how many are free. */
static int tell_apart(const lbm_box_matrix *b, const matrix_work *w, int *is_moved) {
    int count = 0, active = 0;
    *is_moved = 0;
    for (int i = 0; i < b->n; i++) {
        const signed char state = b->state[i];
        w->free[count] = w->active[active] = i;
        count += state == 0;
        active += state != 0;
        b->d[i] = state == 0 ? 0 : state < 0 ? b->low[i] : b->high[i];
        *is_moved |= b->d[i] != 0;
    }
    for (int i = count; i < lbm_stride(count); i++) {
        w->free[i] = 0;
    }
    return count;
}

/* The part of the matrix that belongs to the free variables. */
static const double *take_free(const lbm_box_matrix *b, const matrix_work *w, int count) {
    if (count == b->n) {
        return b->matrix;
    }
    b->kernels->gather(count, w->free, b->stride, b->matrix, w->factor);
    return w->factor;
}

int lbm_box_matrix_factor(const lbm_box_matrix *b) {
    const matrix_work w = lay_out_matrix(b);
    int is_moved, count = tell_apart(b, &w, &is_moved);
    return b->kernels->factor(count, take_free(b, &w, count), b->shift, w.factor);
}

/* The step x of the free variables, the others being on their bounds. Returns 1 if there is none. */
static int solve_free(const lbm_box_matrix *b, const matrix_work *w, int count, int is_moved) {
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

/* Takes the step; variables that it would take beyond a bound become active there. Returns whether there were any,
 * or -1 if a number is not finite. */
static int take_in(const lbm_box_matrix *b, const matrix_work *w, int count) {
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

/* Frees the active variables whose multiplier has the wrong sign. Returns whether there were any. */
static int let_go(const lbm_box_matrix *b, const matrix_work *w, int count) {
    int changed = 0;
    b->kernels->times_some(count, w->active, b->stride, b->matrix, b->d, w->pushed);
    for (int i = 0; i < count; i++) {
        int k = w->active[i];
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
    const matrix_work w = lay_out_matrix(b);
    *lack = 0;
    for (int i = b->n; i < b->stride; i++) {
        b->d[i] = 0;
    }
    for (int round = 0;; round++) {
        int is_moved, count = tell_apart(b, &w, &is_moved);
        if (lbm_is_stopped(&b->stop)) {
            return 1;
        }
        if (solve_free(b, &w, count, is_moved)) {
            *lack = w.x[0];
            return 1;
        }
        int changed = take_in(b, &w, count);
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
    const matrix_work w = lay_out_matrix(b);
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
