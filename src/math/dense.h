/* Dense matrices of rows that are padded to whole blocks of eight doubles: the kernels of methods that solve linear
 * systems.
 *
 * Sums over columns go by blocks: eight partial sums, then lbm_sum8; so every width of registers gives the same bits.
 * Blocks of zeros that a row says it has are left out, which changes no bit either. */
#ifndef LIMBER_MATH_DENSE_H
#define LIMBER_MATH_DENSE_H

#include <stddef.h>
#include <stdint.h>

#include "math/simd.h"
#include "math/strict.h"

/* From one row of a matrix of n columns to the next. */
static inline int lbm_stride(int n) { return (n + 7) & ~7; }
/* Words that have a bit for each block of a row. */
static inline int lbm_block_words(int stride) { return (stride + 511) / 512; }

/* Says of `rows` rows of this stride that all of each counts. */
static inline void lbm_all_blocks(int rows, int stride, uint64_t *blocks) {
    int words = lbm_block_words(stride), count = stride / 8;
    for (int i = 0; i < rows * words; i++) {
        int left = count - 64 * (i % words);
        blocks[i] = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
    }
}

typedef struct lbm_matrix {
    int rows, stride;       /* a multiple of 8 */
    const double *values;   /* [rows][stride], 0 in the padding */
    const uint64_t *blocks; /* [rows][lbm_block_words(stride)]: bit b is clear if columns 8 b .. 8 b + 7 are 0 */
} lbm_matrix;

/* Variables that go along a line and stop at bounds: d = clip(u). All of `stride` doubles, with zeros in the padding. */
typedef struct lbm_line {
    int stride;
    const double *product, *low, *high;
    double *inverse, *u, *du, *d;
    double *between; /* inverse where it is between its bounds, else 0 */
} lbm_line;

/* A coordinate of a tree and one of the variables that move it, which has a column. */
typedef struct lbm_mover {
    const double *axis, *centre; /* [4] each: of the coordinate, in the world; no centre: a shift */
    const double *slope;         /* of the coordinate by the variable */
    double scale;                /* of the column */
    int figure, node, column;
    int above;    /* the nearest mover of the same column towards the root, or -1 */
    int is_whole; /* its sum is that of its column */
} lbm_mover;

#define LBM_CHANGE_ROOM 32

typedef struct lbm_kernels {
    lbm_isa isa;
    /* out = J diag(weights) J', its upper triangle by rows (the lower one by columns): out[i][j] with j >= i, 0 from m to
     * out_stride. weights has `stride` doubles (padding: any finite), scratch room for four times as many. out_stride is
     * lbm_stride(m). */
    void (*gram)(const lbm_matrix *j, const double *weights, double *scratch, double *out);
    /* The same matrix, where some weights were others before: their columns are added, or taken off. scratch: LBM_CHANGE_ROOM
     * times lbm_stride(m). */
    void (*change_gram)(const lbm_matrix *j, int count, const int *which, const double *weights, const double *before,
                        double *scratch, double *out);
    /* out [rows] = J v, v padded by zeros or any finite values. */
    void (*times)(const lbm_matrix *j, const double *v, double *out);
    /* out [count] = some rows of a matrix, times v, which has zeros in the padding. */
    void (*times_some)(int count, const int *which, int stride, const double *a, const double *v, double *out);
    /* out [stride] = J' y. */
    void (*transpose_times)(const lbm_matrix *j, const double *y, double *out);
    /* The part that some rows, in order, have in a symmetric matrix: its upper triangle by rows of lbm_stride(count), padded by
     * zeros; `which` has room for as many, and rows in the padding, too. What is left of the diagonal becomes anything. */
    void (*gather)(int count, const int *which, int stride, const double *from, double *to);
    /* The factor of a symmetric matrix `from` with `shift` added to its diagonal: its upper triangle by rows of lbm_stride(n),
     * padded by zeros. It takes as much room, all of it, and may be made in place. Returns 1 if the matrix is not positive
     * definite. */
    int (*factor)(int n, const double *from, double shift, double *factor);
    /* The same, and then b = that matrix^-1 b, b of lbm_stride(n) doubles, padded by zeros. Where it is not positive definite, b[0]
     * becomes by how much more at least the shift would have to be. */
    int (*solve)(int n, const double *from, double shift, double *factor, double *b);
    /* The same by a factor that there is. */
    void (*factor_solve)(int n, const double *factor, double *b);
    /* a += weight times the sum of left_k right_k' over `count` pairs of rows of lbm_stride(n) doubles (zeros from n on), the
     * same but for a factor: the upper triangle of a matrix with such rows, and what is left of the diagonal in its block. */
    void (*squares)(int n, int count, const double *left, const double *right, double weight, double *a);
    /* The blocks below the diagonal's of a matrix with such rows as those above are. */
    void (*mirror)(int n, double *a);
    /* What is below the diagonal of such a matrix, added to what is above; then both are the same. */
    void (*fold)(int n, double *a);
    /* to += f from, both of `stride` doubles. */
    void (*add_scaled)(int stride, double f, const double *from, double *to);
    /* to += the sum of f[k] from[k] over the three k, rows of `stride` doubles. */
    void (*add_three)(int stride, const double f[3], const double *from, double *to);
    /* What movers do, those nearer to the root first, each with those above it: sums[m] is how the point at the origin moves,
     * and how it turns, with the column. Those of whole columns go to panel[6][stride], too. */
    void (*twists)(int count, const lbm_mover *movers, double (*sums)[8], double *panel, int stride);
    /* Rows of a Jacobian: out[r][c] = signs[c] times the sum of wrenches[r][k] panel[k][c] over the six k, in the blocks
     * that `blocks` has; the others stay as they are. panel, signs and out have rows of `stride`. */
    void (*wrench_rows)(int rows, const double (*wrenches)[6], const double *panel, const double *signs,
                        const uint64_t *blocks, int stride, double *out);
    /* inverse = 1 / diagonal (0 where that is), u = -slope inverse, d, and between as `held` (> 0: it is) has it. Returns 1 if
     * that is not as u has it, + 2 if a d is not 0. */
    int (*line_begin)(const lbm_line *line, const double *diagonal, const double *slope, const double *held);
    /* du = -product inverse. Then the t in (0, 1] at which constant + t linear - product . clip(u + t du), which rises with t, is
     * within a thousandth of `scale` of 0; 1 if it is below. */
    double (*line_search)(const lbm_line *line, double constant, double linear, double scale);
    /* u += t du, with what follows from it. Returns 1 if a variable came to a bound, or off one, or from one to the other; 2 if a
     * number is not finite. */
    int (*line_advance)(const lbm_line *line, double t);
    /* Which of `between` are others than the line's; returns how many. */
    int (*line_changes)(const lbm_line *line, const double *between, int *changed);
    /* product += right - y; returns its square. All of `stride` doubles, here and below. */
    double (*row_errors)(int stride, const double *right, const double *y, double *product);
    /* (y - right) . step, step . step, error . step. */
    void (*row_slopes)(int stride, const double *right, const double *y, const double *error, const double *step,
                       double out[4]);
    /* As lbm_sincos_many. */
    void (*sincos)(int count, const double *x, double *sine, double *cosine);
} lbm_kernels;

/* NULL if the library has none for it, or the CPU could not run them. */
const lbm_kernels *lbm_kernels_of(lbm_isa isa);
/* The best for this CPU: asks it, so keep the answer. */
const lbm_kernels *lbm_kernels_best(void);

/* One for each file that dense_kernels.h is compiled in. */
extern const lbm_kernels lbm_kernels_base;
extern const lbm_kernels lbm_kernels_avx2;
extern const lbm_kernels lbm_kernels_avx512;

#endif
