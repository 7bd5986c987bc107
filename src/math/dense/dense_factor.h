/* A part of dense_kernels.h: the factor of a symmetric matrix, and systems solved by it.
 *
 * The factorisation is a = U' D^-1 U, where D is the diagonal of U: it needs no square roots. The factor has U above
 * the diagonal, 1 / D on it, and U' times 1 / D below it, so that both halves of a solution go along rows. All loops
 * take strips of four rows. Where the last strip has fewer, its last row stands in for the missing ones; rows are
 * then stored in reverse order, so that the row's own result is written last and stays. */

typedef struct strip {
    size_t first;
    int count;
    size_t rows[4]; /* the offsets of the rows in the matrix */
} strip;

/* Pairs of rows whose products are added to a matrix: those at rows[k] of `left` and of `right`. */
typedef struct row_pairs {
    int count;
    const size_t *rows;
    const double *left, *right;
    double weight;
} row_pairs;

static inline strip take_strip(int n, int first) {
    const size_t stride = (size_t)lbm_stride(n);
    const int count = n - first < 4 ? n - first : 4;
    const size_t row = (size_t)first * stride, second = count > 1 ? row + stride : row,
                 third = count > 2 ? second + stride : second, fourth = count > 3 ? third + stride : third;
    return (strip){(size_t)first, count, {row, second, third, fourth}};
}

/* Transposes a tile of four rows of U, from column p->first on and times 1 / D, into the strip's rows below the
 * diagonal. */
static inline void turn_tile(const strip *p, size_t column, size_t stride, double *a) {
    lbm_v4 tile[4];
    for (size_t i = 0; i < 4; i++) {
        const double *row = a + (column + i) * stride;
        tile[i] = lbm_scale4(lbm_load4(row + p->first), row[column + i]);
    }
    lbm_turn4(tile);
    for (int i = 3; i >= 0; i--) {
        lbm_store4(a + p->rows[i] + column, tile[i]);
    }
}

/* The triangle of a strip on the diagonal: U times 1 / D below it, by rows, and 1 / D. */
typedef struct triangle {
    double below[6], reciprocals[4];
    int failed;  /* the row whose element of D is not positive */
    double lack; /* that element of D */
} triangle;

/* The unknowns of a strip; 0 for rows that it does not have. */
typedef struct four {
    double a, b, c, d;
} four;

#define N 4
#include "math/dense/dense_strip.h"
#undef N
#define N 8
#include "math/dense/dense_strip.h"
#undef N
#define N 16
#include "math/dense/dense_strip.h"
#undef N

static inline int fail_triangle(int row, double lack, triangle *t) {
    t->failed = row;
    t->lack = lack;
    return 1;
}

/* From the strip's columns on the diagonal, which lack what its rows take off each other. Returns 1 if it is not
 * positive definite. */
static inline int factor_triangle(int count, double shift, const lbm_v4 v[4], triangle *t) {
    double rows[4][4], *f = t->below, *d = t->reciprocals;
    for (int i = 0; i < 4; i++) {
        lbm_store4(rows[i], v[i]);
    }
    const double *r0 = rows[0], *r1 = rows[1], *r2 = rows[2];
    const double d0 = r0[0] + shift;
    if (!(d0 > 0)) {
        return fail_triangle(0, d0, t);
    }
    d[0] = 1 / d0;
    if (count == 1) {
        return 0;
    }
    f[0] = r0[1] * d[0];
    const double d1 = r1[1] + shift - f[0] * r0[1];
    if (!(d1 > 0)) {
        return fail_triangle(1, d1, t);
    }
    d[1] = 1 / d1;
    if (count == 2) {
        return 0;
    }
    const double u12 = r1[2] - f[0] * r0[2];
    f[1] = r0[2] * d[0];
    f[2] = u12 * d[1];
    const double d2 = (r2[2] + shift - f[1] * r0[2]) - f[2] * u12;
    if (!(d2 > 0)) {
        return fail_triangle(2, d2, t);
    }
    d[2] = 1 / d2;
    if (count == 3) {
        return 0;
    }
    const double u13 = r1[3] - f[0] * r0[3], u23 = (r2[3] - f[1] * r0[3]) - f[2] * u13;
    f[3] = r0[3] * d[0];
    f[4] = u13 * d[1];
    f[5] = u23 * d[2];
    const double d3 = ((rows[3][3] + shift - f[3] * r0[3]) - f[4] * u13) - f[5] * u23;
    if (!(d3 > 0)) {
        return fail_triangle(3, d3, t);
    }
    d[3] = 1 / d3;
    return 0;
}

/* The triangle in its place, and the numbers that are turned over left of it. */
static inline void store_triangle(const strip *p, const triangle *t, double *a) {
    for (int i = 0, k = 0; i < p->count; i++) {
        double *own = a + p->rows[i] + p->first;
        for (int j = 0; j < i; j++) {
            own[j] = t->below[k++];
        }
        own[i] = t->reciprocals[i];
    }
}

/* The strip on the diagonal: a block, or the second half of one; the first was only just written, and not as a
 * whole. */
static inline int factor_diagonal(const strip *p, size_t stride, const double *from, double shift, double *a,
                                  triangle *t) {
    if (p->first & 4) {
        lbm_v4 half[4];
        load_rows4(p, p->first, from, half);
        take_off4(p, p->first, stride, a, half);
        if (factor_triangle(p->count, shift, half, t)) {
            return 1;
        }
        finish_rows4(t, half);
        store_rows4(p, p->first, half, a);
    } else {
        lbm_v8 v[4];
        lbm_v4 half[4];
        load_rows8(p, p->first, from, v);
        take_off8(p, p->first, stride, a, v);
        for (int i = 0; i < 4; i++) {
            half[i] = lbm_lower4(v[i]);
        }
        if (factor_triangle(p->count, shift, half, t)) {
            return 1;
        }
        finish_rows8(t, v);
        store_rows8(p, p->first, v, a);
    }
    store_triangle(p, t, a);
    return 0;
}

/* The strip's part of U' D^-1 y = b, then y / D in b's place. */
static inline void solve_down(const strip *p, size_t stride, const double *a, double *b) {
    double *own = b + p->first;
    const double *at0 = a + p->first, *r0 = at0 + p->rows[0], *r1 = at0 + p->rows[1], *r2 = at0 + p->rows[2],
                 *r3 = at0 + p->rows[3];
    const double y0 = own[0], y1 = own[1] - r1[0] * y0, y2 = (own[2] - r2[0] * y0) - r2[1] * y1,
                 y3 = ((own[3] - r3[0] * y0) - r3[1] * y1) - r3[2] * y2;
    const four x = {y0 * r0[0], p->count > 1 ? y1 * r1[1] : 0, p->count > 2 ? y2 * r2[2] : 0,
                    p->count > 3 ? y3 * r3[3] : 0};
    size_t at = p->first + 4;
    lbm_store4(own, lbm_of4(x.a, x.b, x.c, x.d));
    if (at & 4) {
        lbm_store4(b + at, less_rows4(lbm_load4(b + at), p, a + at, &x));
        at += 4;
    }
    for (; at < stride; at += 8) {
        lbm_store8(b + at, less_rows8(lbm_load8(b + at), p, a + at, &x));
    }
}

/* What the strip's unknowns take off those above: the nearest by fours, as they were written. */
static inline void take_up(const strip *p, const double *a, const four *x, double *b) {
    size_t at = p->first;
    for (int fours = at & 4 ? 3 : 2; fours > 0 && at > 0; fours--) {
        at -= 4;
        lbm_store4(b + at, less_rows4(lbm_load4(b + at), p, a + at, x));
    }
    for (; at > 0; at -= 8) {
        lbm_store8(b + at - 8, less_rows8(lbm_load8(b + at - 8), p, a + at - 8, x));
    }
}

/* The strip's part of D^-1 U x = y / D, and what it takes off those above. */
static inline void solve_up(const strip *p, const double *a, double *b) {
    double *own = b + p->first;
    const double *at0 = a + p->first, *r1 = at0 + p->rows[1], *r2 = at0 + p->rows[2], *r3 = at0 + p->rows[3];
    const double x3 = p->count > 3 ? own[3] : 0, x2 = p->count > 2 ? own[2] - r3[2] * x3 : 0,
                 x1 = p->count > 1 ? (own[1] - r3[1] * x3) - r2[1] * x2 : 0,
                 x0 = ((own[0] - r3[0] * x3) - r2[0] * x2) - r1[0] * x1;
    const four x = {x0, x1, x2, x3};
    lbm_store4(own, lbm_of4(x0, x1, x2, x3));
    take_up(p, a, &x, b);
}

/* Where a factor failed, its row of D^-1 U x = e is a direction x in which the matrix bends down, by D's number. It
 * is made in b; returned is how much that is for its length, squared: by so much at least the diagonal lacks (J.
 * More and D. Sorensen, "Computing a trust region step", 1983). */
static inline double find_lack(const strip *p, int n, const triangle *t, const double *a, double *b) {
    double *own = b + p->first;
    lbm_v8 square = lbm_zero8();
    memset(b, 0, (size_t)lbm_stride(n) * sizeof *b);
    own[t->failed] = 1;
    for (int j = t->failed - 1; j >= 0; j--) {
        for (int k = j + 1; k <= t->failed; k++) {
            own[j] -= t->below[k * (k - 1) / 2 + j] * own[k];
        }
    }
    const four x = {own[0], own[1], own[2], own[3]};
    take_up(p, a, &x, b);
    for (int first = (int)p->first - 4; first >= 0; first -= 4) {
        const strip above = take_strip(n, first);
        solve_up(&above, a, b);
    }
    for (int at = 0; at < lbm_stride(n); at += 8) {
        square = lbm_add8(square, lbm_mul8(lbm_load8(b + at), lbm_load8(b + at)));
    }
    const double lack = -t->lack / lbm_sum8(square);
    return lack > 0 && lack - lack == 0 ? lack : 0;
}

/* With half of a solution, where b is not NULL: it need not wait for the whole factor. */
static inline int factor_down(int n, const double *from, double shift, double *a, double *b) {
    const size_t stride = (size_t)lbm_stride(n);
    for (int first = 0; first < n; first += 4) {
        const strip p = take_strip(n, first);
        triangle t = {{0, 0, 0, 0, 0, 0}, {0, 0, 0, 0}, 0, 0};
        for (size_t column = 0; column < p.first; column += 4) {
            turn_tile(&p, column, stride, a);
        }
        if (factor_diagonal(&p, stride, from, shift, a, &t)) {
            if (b) {
                b[0] = find_lack(&p, n, &t, a, b);
            }
            return 1;
        }
        size_t at = (p.first & ~(size_t)7) + 8;
        for (; LBM_WIDTH == 8 && at + 16 <= stride; at += 16) {
            factor_columns16(&p, at, stride, from, &t, a);
        }
        for (; at < stride; at += 8) {
            factor_columns8(&p, at, stride, from, &t, a);
        }
        if (b) {
            solve_down(&p, stride, a, b);
        }
    }
    return 0;
}

static inline void factor_up(int n, const double *a, double *b) {
    for (int first = (n - 1) & ~3; first >= 0; first -= 4) {
        const strip p = take_strip(n, first);
        solve_up(&p, a, b);
    }
}

static int factor(int n, const double *from, double shift, double *a) { return factor_down(n, from, shift, a, NULL); }

static int solve(int n, const double *from, double shift, double *a, double *b) {
    if (factor_down(n, from, shift, a, b)) {
        return 1;
    }
    factor_up(n, a, b);
    return 0;
}

static void factor_solve(int n, const double *factor, double *b) {
    for (int first = 0; first < n; first += 4) {
        const strip p = take_strip(n, first);
        solve_down(&p, (size_t)lbm_stride(n), factor, b);
    }
    factor_up(n, factor, b);
}
