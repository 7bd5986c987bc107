/* Dense matrices whose rows are padded to whole blocks of eight doubles, and the kernels that solve linear systems
 * with them.
 *
 * A sum over columns is made of eight partial sums, one for each place in a block, which lbm_sum8 (simd.h) adds up
 * in a fixed order. So the bits are the same for every width of registers. A row may say which of its blocks hold
 * nothing but zeros; the kernels leave them out, which changes no bit either.
 *
 * The kernels' text is in math/dense/, compiled once for each set of instructions. */
#ifndef LIMBER_MATH_DENSE_H
#define LIMBER_MATH_DENSE_H

#include <stddef.h>
#include <stdint.h>

#include "math/simd.h"
#include "math/strict.h"

/* The stride of a matrix of n columns: how many doubles lie between the beginnings of two consecutive rows. */
static inline int lbm_stride(int n) { return (n + 7) & ~7; }
/* How many 64-bit words have one bit for each block of a row. */
static inline int lbm_block_words(int stride) { return (stride + 511) / 512; }

/* Marks every block of `rows` rows of this stride as one that counts. */
static inline void lbm_all_blocks(int rows, int stride, uint64_t *blocks) {
    int words = lbm_block_words(stride), count = stride / 8;
    for (int i = 0; i < rows * words; i++) {
        int left = count - 64 * (i % words);
        blocks[i] = left >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << left) - 1;
    }
}

typedef struct lbm_matrix {
    int rows, stride;       /* stride: a multiple of 8 */
    const double *values;   /* [rows][stride], 0 in the padding */
    const uint64_t *blocks; /* [rows][lbm_block_words(stride)]: bit b is clear if columns 8 b .. 8 b + 7 are 0 */
} lbm_matrix;

/* Variables that move along a line and stop at their bounds: d = clip(u, low, high). Every array has `stride`
 * doubles, with zeros in the padding. box.c uses it for the dual of least squares in a box. */
typedef struct lbm_line {
    int stride;
    const double *product, *low, *high;
    double *inverse, *u, *du, *d; /* du: the change of u along the line */
    double *between;              /* inverse[i] where variable i is strictly between its bounds, else 0 */
} lbm_line;

/* A screw motion: a rotation about an axis, or a translation along it, at the rate slope * scale with a column's
 * variable. Its twist is added to that of the screw `above`, so that screws of one column add up along a chain. */
typedef struct lbm_screw {
    const double *axis;   /* [4]: unit vector, world */
    const double *centre; /* [4]: a point of the axis of a rotation, world; NULL for a translation */
    const double *slope;  /* rate of the motion with the variable */
    double scale;         /* factor of the column */
    int owner, part;      /* labels for the caller's use; no kernel reads them */
    int column;           /* column of the panel */
    int above;            /* an earlier screw of the same column, or -1 */
    int is_whole;         /* the sum of this screw is the column's sum: it goes to the panel */
} lbm_screw;

/* How many rows the scratch of change_gram has: it takes 16 columns of J at a time, and as many that are scaled. */
#define LBM_CHANGE_ROOM 32

typedef struct lbm_kernels {
    lbm_isa isa;

    /* --- Products --- */

    /* out = J diag(weights) J', for j >= i: out[i][j] in rows of lbm_stride(m) doubles, 0 in the padding, m being
     * J's number of rows. `weights` has J's stride; its padding may hold any finite numbers. `scratch` has four
     * times J's stride. */
    void (*gram)(const lbm_matrix *j, const double *weights, double *scratch, double *out);
    /* Updates `out`, which gram computed with the weights `before`, to `weights`. The two differ in the `count`
     * columns that `which` lists. `scratch` has LBM_CHANGE_ROOM times lbm_stride(m) doubles. */
    void (*change_gram)(const lbm_matrix *j, int count, const int *which, const double *weights, const double *before,
                        double *scratch, double *out);
    /* out[rows] = J v. The padding of v may hold any finite numbers. */
    void (*times)(const lbm_matrix *j, const double *v, double *out);
    /* out[i] = (row which[i] of the matrix a) . v, for `count` rows of `stride` doubles. v has zeros in the padding. */
    void (*times_some)(int count, const int *which, int stride, const double *a, const double *v, double *out);
    /* out[stride] = J' y. */
    void (*transpose_times)(const lbm_matrix *j, const double *y, double *out);

    /* --- Symmetric matrices: systems and their factors. A matrix has its upper triangle in rows of lbm_stride(n)
     * --- */

    /* to = the rows and columns `which` of a symmetric matrix `from`: the upper triangle, in rows of
     * lbm_stride(count), with zeros in the padding. `which` increases; it has lbm_stride(count) elements, the last
     * ones being any valid rows. What is left of the diagonal of `to` is undefined. */
    void (*gather)(int count, const int *which, int stride, const double *from, double *to);
    /* The Cholesky factor of `from` + shift * identity, as large as `from` is; `factor` may be `from`. Returns 1 if
     * the matrix is not positive definite. */
    int (*factor)(int n, const double *from, double shift, double *factor);
    /* Computes the factor as the kernel `factor` does, then replaces b by the solution x of (from + shift *
     * identity) x = b. b has lbm_stride(n) doubles, zeros in the padding. If the matrix is not positive definite, it
     * returns 1, and b[0] is a lower bound of what the shift lacks. */
    int (*solve)(int n, const double *from, double shift, double *factor, double *b);
    /* Replaces b by the solution of the system whose factor has been computed. */
    void (*factor_solve)(int n, const double *factor, double *b);
    /* a += weight * sum of left_k' right_k over `count` pairs of rows of lbm_stride(n) doubles, zeros in the
     * padding. The upper triangle is updated, and what is left of the diagonal inside its blocks. */
    void (*squares)(int n, int count, const double *left, const double *right, double weight, double *a);
    /* Copies the blocks above the diagonal's blocks to their mirror images below. */
    void (*mirror)(int n, double *a);
    /* Adds the strictly lower triangle to the upper one, then makes the matrix symmetric. */
    void (*fold)(int n, double *a);

    /* --- Rows of `stride` doubles --- */

    /* to += f * from. */
    void (*add_scaled)(int stride, double f, const double *from, double *to);
    /* to += f[0] * from[0] + f[1] * from[1] + f[2] * from[2], `from` being three rows. */
    void (*add_three)(int stride, const double f[3], const double *from, double *to);

    /* --- Screws and wrenches (the rows of a Jacobian) --- */

    /* sums[i] = the twist of screw i plus sums[above]: the velocity of the point at the origin in 0 .. 2, the
     * angular velocity in 4 .. 6. Screws come after those above them. The twists of whole screws also go to their
     * columns of panel[6][stride]. */
    void (*twists)(int count, const lbm_screw *screws, double (*sums)[8], double *panel, int stride);
    /* out[r][c] = signs[c] * sum over k < 6 of wrenches[r][k] panel[k][c], in the blocks whose bits `blocks` has;
     * the other blocks of `out` keep what they hold. panel, signs and out have rows of `stride` doubles. */
    void (*wrench_rows)(int rows, const double (*wrenches)[6], const double *panel, const double *signs,
                        const uint64_t *blocks, int stride, double *out);

    /* --- The dual of least squares in a box (box.c) --- */

    /* Begins a line: inverse = 1 / diagonal (0 where the diagonal is 0), u = -slope * inverse, d = clip(u). A
     * variable is taken for active, so that `between` is 0, where active[i] > 0. Returns 1 if this differs from
     * where u really is, plus 2 if some d is not 0. */
    int (*line_begin)(const lbm_line *line, const double *diagonal, const double *slope, const double *active);
    /* du = -product * inverse. Then finds the t in (0, 1] at which the slope of the dual function along the line,
     * constant + t * linear - product . clip(u + t du), is zero to a thousandth of `scale`. The slope rises with t;
     * if it is still negative at 1, t is 1. */
    double (*line_search)(const lbm_line *line, double constant, double linear, double scale);
    /* u += t * du; d and `between` follow. Returns 1 if the set of active bounds changed, 2 if a number is not
     * finite, else 0. */
    int (*line_advance)(const lbm_line *line, double t);
    /* Lists in `changed` the variables whose `between` differs from the line's. Returns how many there are. */
    int (*line_changes)(const lbm_line *line, const double *between, int *changed);
    /* product += right - y. Returns the square of the norm of the new product. All have `stride` doubles. */
    double (*row_errors)(int stride, const double *right, const double *y, double *product);
    /* out = {(y - right) . step, step . step, error . step, undefined}. All have `stride` doubles. */
    void (*row_slopes)(int stride, const double *right, const double *y, const double *error, const double *step,
                       double out[4]);

    /* sine[i] and cosine[i] of x[i], with the bits of lbm_sincos (trig.h). */
    void (*sincos)(int count, const double *x, double *sine, double *cosine);
} lbm_kernels;

/* The kernels for these instructions; NULL if this build has none, or if the CPU cannot run them. */
const lbm_kernels *lbm_kernels_of(lbm_isa isa);
/* The best kernels that this CPU can run. Asking the CPU takes time (lbm_isa_best), so callers keep the answer. */
const lbm_kernels *lbm_kernels_best(void);

/* The tables of kernels, one for each file that compiles dense_kernels.h. */
extern const lbm_kernels lbm_kernels_base;
extern const lbm_kernels lbm_kernels_avx2;
extern const lbm_kernels lbm_kernels_avx512;

#endif
