/* The factorisation is A = U' D^-1 U, as that of dense blocks (dense_factor.h), block row by block row. The blocks of
 * the factor are W = L^-1 A, L = U' D^-1 being the unit lower triangle of the block on the diagonal, and what a block
 * row takes off those below it is W' D^-1 W. */
#include "math/dense/banded.h"

#include <string.h>

typedef struct block_row {
    const lbm_banded *system;
    int stride;
    double *own, *blocks[2]; /* the factor of the diagonal's block, and the two blocks to its right */
    double *right;
} block_row;

static block_row row_of(const lbm_banded *s, int index) {
    const size_t stride = (size_t)lbm_stride(s->n), at = (size_t)index * (size_t)s->n * stride;
    return (block_row){s, (int)stride, s->own + at, {s->next + at, s->second + at}, s->right + (size_t)index * stride};
}

/* to -= the sum of factors[k] times row k of `from`, for k from `first` to `end`. */
static void take_rows(const lbm_banded *s, const double *factors, int first, int end, const double *from, double *to) {
    const int stride = lbm_stride(s->n);
    int k = first;
    for (; k + 3 <= end; k += 3) {
        const double f[3] = {-factors[k], -factors[k + 1], -factors[k + 2]};
        s->kernels->add_three(stride, f, from + (size_t)k * (size_t)stride, to);
    }
    for (; k < end; k++) {
        s->kernels->add_scaled(stride, -factors[k], from + (size_t)k * (size_t)stride, to);
    }
}

/* The blocks to the right of a factored one, and the right side, times L^-1. */
static void eliminate_within(const block_row *b, int reach) {
    const lbm_banded *s = b->system;
    for (int i = 0; i < s->n; i++) {
        const double *lower = b->own + (size_t)i * (size_t)b->stride; /* U' D^-1 left of the diagonal */
        for (int d = 0; d < reach; d++) {
            take_rows(s, lower, 0, i, b->blocks[d], b->blocks[d] + (size_t)i * (size_t)b->stride);
        }
        for (int k = 0; k < i; k++) {
            b->right[i] -= lower[k] * b->right[k];
        }
    }
}

/* out = D^-1 times a block. */
static void divide_rows(const block_row *b, const double *block, double *out) {
    const int n = b->system->n;
    for (int i = 0; i < n; i++) {
        const size_t row = (size_t)i * (size_t)b->stride;
        const double reciprocal = b->own[row + (size_t)i];
        for (int j = 0; j < b->stride; j++) {
            out[row + (size_t)j] = reciprocal * block[row + (size_t)j];
        }
    }
}

/* What a block row takes off the next and the second next. */
static void eliminate_below(const block_row *b, int index) {
    const lbm_banded *s = b->system;
    const size_t size = (size_t)s->n * (size_t)b->stride;
    const int reach = s->count - 1 - index < 2 ? s->count - 1 - index : 2;
    double *scaled[2] = {s->scratch, s->scratch + size}, *column = s->scratch + 2 * size;
    for (int d = 0; d < reach; d++) {
        const block_row below = row_of(s, index + 1 + d);
        divide_rows(b, b->blocks[d], scaled[d]);
        s->kernels->squares(s->n, s->n, scaled[d], b->blocks[d], -1, below.own);
        take_rows(s, b->right, 0, s->n, scaled[d], below.right);
    }
    for (int j = 0; j < s->n && reach == 2; j++) { /* the coupling of the next two with each other */
        const block_row below = row_of(s, index + 1);
        for (int k = 0; k < s->n; k++) {
            column[k] = scaled[0][(size_t)k * (size_t)b->stride + (size_t)j];
        }
        take_rows(s, column, 0, s->n, b->blocks[1], below.blocks[0] + (size_t)j * (size_t)b->stride);
    }
}

static double dot(int n, const double *a, const double *b) {
    double sum = 0;
    for (int i = 0; i < n; i++) {
        sum += a[i] * b[i];
    }
    return sum;
}

/* The unknowns of a block, those of later blocks being known. */
static void substitute_back(const block_row *b, int index) {
    const lbm_banded *s = b->system;
    for (int i = s->n - 1; i >= 0; i--) {
        const size_t row = (size_t)i * (size_t)b->stride;
        double sum = b->right[i];
        for (int d = 0; d < 2 && index + 1 + d < s->count; d++) {
            sum -= dot(s->n, b->blocks[d] + row, s->right + (size_t)(index + 1 + d) * (size_t)b->stride);
        }
        sum -= dot(s->n - 1 - i, b->own + row + i + 1, b->right + i + 1);
        b->right[i] = sum * b->own[row + (size_t)i];
    }
}

int lbm_banded_solve(const lbm_banded *s) {
    for (int index = 0; index < s->count; index++) {
        const block_row b = row_of(s, index);
        if (s->kernels->factor(s->n, b.own, 0, b.own)) {
            return 1;
        }
        eliminate_within(&b, s->count - 1 - index < 2 ? s->count - 1 - index : 2);
        eliminate_below(&b, index);
    }
    for (int index = s->count - 1; index >= 0; index--) {
        const block_row b = row_of(s, index);
        substitute_back(&b, index);
    }
    return 0;
}
