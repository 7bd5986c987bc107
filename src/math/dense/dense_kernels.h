/* The text of dense.h's kernels, compiled once for each width of registers: the file that includes it defines LBM_WIDTH
 * and calls it KERNELS. */
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "math/simd.h"
#include "math/trig.h"

/* Takes the lowest run of set bits off a word, and returns it as a range of columns, first <= column < end. */
typedef struct run {
    size_t first, end;
} run;

static inline run take_run(uint64_t *bits, int word) {
    const int first = lbm_lowest_bit(*bits);
    const uint64_t from = *bits >> first, gap = ~from;
    const int length = gap ? lbm_lowest_bit(gap) : 64;
    *bits = first + length < 64 ? *bits >> (first + length) << (first + length) : 0;
    return (run){((size_t)word * 64 + (size_t)first) * 8, ((size_t)word * 64 + (size_t)(first + length)) * 8};
}

/* For each block of a row, `at` being its first column: `bits` of word w are an expression. */
#define FOR_BLOCKS(words, bits, at)                                            \
    for (int w = 0; w < (words); w++)                                          \
        for (uint64_t rest = (bits); rest;)                                    \
            for (run r = take_run(&rest, w); r.first < r.end; r.first = r.end) \
                for (size_t at = r.first; at < r.end; at += 8)

/* Four rows of a matrix. Where fewer are left, the last row stands in for the missing ones. */
typedef struct four_rows {
    const double *values[4];
    const uint64_t *blocks[4];
} four_rows;

static inline four_rows take_rows(const lbm_matrix *m, int first) {
    four_rows f;
    for (int i = 0; i < 4; i++) {
        size_t row = (size_t)(first + i < m->rows ? first + i : m->rows - 1);
        f.values[i] = m->values + row * (size_t)m->stride;
        f.blocks[i] = m->blocks + row * (size_t)lbm_block_words(m->stride);
    }
    return f;
}

static inline uint64_t blocks_of(const four_rows *f, int w) {
    return f->blocks[0][w] | f->blocks[1][w] | f->blocks[2][w] | f->blocks[3][w];
}

/* Scalar products of four rows with v, over the blocks that any of them has and v has too. */
static inline void dot_rows(const four_rows *f, int words, const uint64_t *v_blocks, const double *v, double out[4]) {
    const double *f0 = f->values[0], *f1 = f->values[1], *f2 = f->values[2], *f3 = f->values[3];
    lbm_v8 a = lbm_zero8(), b = a, c = a, d = a;
    FOR_BLOCKS(words, blocks_of(f, w) & (v_blocks ? v_blocks[w] : ~(uint64_t)0), at) {
        const lbm_v8 x = lbm_load8(v + at);
        a = lbm_add8(a, lbm_mul8(lbm_load8(f0 + at), x));
        b = lbm_add8(b, lbm_mul8(lbm_load8(f1 + at), x));
        c = lbm_add8(c, lbm_mul8(lbm_load8(f2 + at), x));
        d = lbm_add8(d, lbm_mul8(lbm_load8(f3 + at), x));
    }
    lbm_sums8(a, b, c, d, out);
}

#if LBM_WIDTH == 8
/* Adds the products of a row with x0 to x3 to their sums. */
#define ADD_ROW(row, s0, s1, s2, s3)        \
    do {                                    \
        const lbm_v8 y = lbm_load8(row);    \
        s0 = lbm_add8(s0, lbm_mul8(y, x0)); \
        s1 = lbm_add8(s1, lbm_mul8(y, x1)); \
        s2 = lbm_add8(s2, lbm_mul8(y, x2)); \
        s3 = lbm_add8(s3, lbm_mul8(y, x3)); \
    } while (0)

/* The products of four rows with four others, for AVX-512, which has registers enough. */
static inline void dot_tile(const four_rows *f, const four_rows *g, int words, double *out[4]) {
    const double *f0 = f->values[0], *f1 = f->values[1], *f2 = f->values[2], *f3 = f->values[3];
    const double *g0 = g->values[0], *g1 = g->values[1], *g2 = g->values[2], *g3 = g->values[3];
    lbm_v8 a0 = lbm_zero8(), a1 = a0, a2 = a0, a3 = a0, b0 = a0, b1 = a0, b2 = a0, b3 = a0, c0 = a0, c1 = a0, c2 = a0,
           c3 = a0, d0 = a0, d1 = a0, d2 = a0, d3 = a0;
    FOR_BLOCKS(words, blocks_of(f, w) & blocks_of(g, w), at) {
        const lbm_v8 x0 = lbm_load8(g0 + at), x1 = lbm_load8(g1 + at), x2 = lbm_load8(g2 + at), x3 = lbm_load8(g3 + at);
        ADD_ROW(f0 + at, a0, a1, a2, a3);
        ADD_ROW(f1 + at, b0, b1, b2, b3);
        ADD_ROW(f2 + at, c0, c1, c2, c3);
        ADD_ROW(f3 + at, d0, d1, d2, d3);
    }
    lbm_sums8(a0, a1, a2, a3, out[0]);
    lbm_sums8(b0, b1, b2, b3, out[1]);
    lbm_sums8(c0, c1, c2, c3, out[2]);
    lbm_sums8(d0, d1, d2, d3, out[3]);
}
#else
static inline void dot_tile(const four_rows *f, const four_rows *g, int words, double *out[4]) {
    for (int i = 0; i < 4; i++) {
        dot_rows(g, words, f->blocks[i], f->values[i], out[i]);
    }
}
#endif

/* Four rows times the weights, in `scratch`. */
static inline four_rows weigh_rows(const four_rows *f, int words, const double *weights, size_t stride,
                                   double *scratch) {
    double *s0 = scratch, *s1 = s0 + stride, *s2 = s1 + stride, *s3 = s2 + stride;
    FOR_BLOCKS(words, blocks_of(f, w), at) {
        const lbm_v8 weight = lbm_load8(weights + at);
        lbm_store8(s0 + at, lbm_mul8(lbm_load8(f->values[0] + at), weight));
        lbm_store8(s1 + at, lbm_mul8(lbm_load8(f->values[1] + at), weight));
        lbm_store8(s2 + at, lbm_mul8(lbm_load8(f->values[2] + at), weight));
        lbm_store8(s3 + at, lbm_mul8(lbm_load8(f->values[3] + at), weight));
    }
    return (four_rows){{s0, s1, s2, s3}, {f->blocks[0], f->blocks[1], f->blocks[2], f->blocks[3]}};
}

/* By tiles of four rows with four; rows that are left over go alone. */
static void gram(const lbm_matrix *m, const double *weights, double *scratch, double *out) {
    const int words = lbm_block_words(m->stride), whole = m->rows & ~3, out_stride = lbm_stride(m->rows);
    for (int i = 0; i < m->rows; i += 4) {
        const four_rows rows = take_rows(m, i), scaled = weigh_rows(&rows, words, weights, (size_t)m->stride, scratch);
        double *to[4], four[4];
        int count = i < whole ? 4 : m->rows - whole;
        for (int k = 0; k < 4; k++) {
            to[k] = out + (size_t)(i + (k < count ? k : count - 1)) * (size_t)out_stride;
        }
        for (int j = i; j < whole; j += 4) {
            const four_rows with = take_rows(m, j);
            double *at[4] = {to[0] + j, to[1] + j, to[2] + j, to[3] + j};
            dot_tile(&scaled, &with, words, at);
        }
        for (int j = whole; j < m->rows; j++) {
            const size_t row = (size_t)j;
            dot_rows(&scaled, words, m->blocks + row * (size_t)words, m->values + row * (size_t)m->stride, four);
            for (int k = 0; k < count; k++) {
                to[k][j] = four[k];
            }
        }
        for (int k = 0; k < count; k++) {
            for (int j = m->rows; j < out_stride; j++) {
                to[k][j] = 0;
            }
        }
    }
}

static void times(const lbm_matrix *m, const double *v, double *out) {
    const int words = lbm_block_words(m->stride);
    for (int i = 0; i < m->rows; i += 4) {
        four_rows f = take_rows(m, i);
        double four[4];
        dot_rows(&f, words, NULL, v, four);
        for (int k = 0; k < 4 && i + k < m->rows; k++) {
            out[i + k] = four[k];
        }
    }
}

static void times_some(int count, const int *which, int stride, const double *a, const double *v, double *out) {
    for (int i = 0; i < count; i += 4) {
        const double *rows[4];
        lbm_v8 s0 = lbm_zero8(), s1 = s0, s2 = s0, s3 = s0;
        double four[4];
        for (int k = 0; k < 4; k++) {
            rows[k] = a + (size_t)which[i + k < count ? i + k : i] * (size_t)stride;
        }
        for (int at = 0; at < stride; at += 8) {
            const lbm_v8 x = lbm_load8(v + at);
            s0 = lbm_add8(s0, lbm_mul8(lbm_load8(rows[0] + at), x));
            s1 = lbm_add8(s1, lbm_mul8(lbm_load8(rows[1] + at), x));
            s2 = lbm_add8(s2, lbm_mul8(lbm_load8(rows[2] + at), x));
            s3 = lbm_add8(s3, lbm_mul8(lbm_load8(rows[3] + at), x));
        }
        lbm_sums8(s0, s1, s2, s3, four);
        for (int k = 0; k < 4 && i + k < count; k++) {
            out[i + k] = four[k];
        }
    }
}

/* Four at a time, from the four with the diagonal on. */
static void gather(int count, const int *which, int stride, const double *from, double *to) {
    const int to_stride = lbm_stride(count);
    for (int i = 0; i < count; i++, to += to_stride) {
        const double *row = from + (size_t)which[i] * (size_t)stride;
        for (int j = i & ~3; j < count; j += 4) {
            lbm_store4(to + j, lbm_of4(row[which[j]], row[which[j + 1]], row[which[j + 2]], row[which[j + 3]]));
        }
        for (int j = count; j < to_stride; j++) {
            to[j] = 0;
        }
    }
}

static void transpose_times(const lbm_matrix *m, const double *y, double *out) {
    const int words = lbm_block_words(m->stride);
    memset(out, 0, (size_t)m->stride * sizeof *out);
    for (int i = 0; i < m->rows; i += 4) {
        four_rows f = take_rows(m, i);
        double s[4];
        for (int k = 0; k < 4; k++) {
            s[k] = i + k < m->rows ? y[i + k] : 0;
        }
        FOR_BLOCKS(words, blocks_of(&f, w), at) {
            lbm_v8 sum = lbm_load8(out + at);
            for (int k = 0; k < 4; k++) {
                sum = lbm_add8(sum, lbm_scale8(lbm_load8(f.values[k] + at), s[k]));
            }
            lbm_store8(out + at, sum);
        }
    }
}

#include "math/dense/dense_factor.h"

#define AT_ONCE 64

/* By strips of four rows of a; rows of which all four numbers are 0 are left out. */
static void squares(int n, int count, const double *left, const double *right, double weight, double *a) {
    const size_t stride = (size_t)lbm_stride(n);
    for (int begin = 0; begin < count; begin += AT_ONCE, left += AT_ONCE * stride, right += AT_ONCE * stride) {
        const int end = count - begin < AT_ONCE ? count - begin : AT_ONCE;
        for (int first = 0; first < n; first += 4) {
            const strip p = take_strip(n, first);
            size_t used[AT_ONCE];
            int used_count = 0;
            for (int k = 0; k < end; k++) {
                const double *f = left + (size_t)k * stride + first;
                used[used_count] = (size_t)k * stride;
                used_count += f[0] != 0 || f[1] != 0 || f[2] != 0 || f[3] != 0;
            }
            if (used_count == 0) {
                continue;
            }
            const row_pairs pairs = {used_count, used, left, right, weight};
            size_t at = p.first & ~(size_t)7;
            for (; LBM_WIDTH == 8 && at + 16 <= stride; at += 16) {
                add_squares16(&p, at, &pairs, a);
            }
            for (; at < stride; at += 8) {
                add_squares8(&p, at, &pairs, a);
            }
        }
    }
}

#define COLUMNS (LBM_CHANGE_ROOM / 2)

/* Up to so many columns at a time, copied out of the rows, and the same times what their weights change by. */
static void change_gram(const lbm_matrix *m, int count, const int *which, const double *weights, const double *before,
                        double *scratch, double *out) {
    const size_t side = (size_t)lbm_stride(m->rows);
    double *columns = scratch, *scaled = scratch + COLUMNS * side;
    for (; count > 0; count -= COLUMNS, which += COLUMNS) {
        const int end = count < COLUMNS ? count : COLUMNS;
        for (int i = 0; i < m->rows; i += 4) {
            const four_rows f = take_rows(m, i);
            for (int c = 0; c < end; c++) {
                const size_t k = (size_t)which[c], at = (size_t)c * side + (size_t)i;
                const lbm_v4 v = lbm_of4(f.values[0][k], f.values[1][k], f.values[2][k], f.values[3][k]);
                lbm_store4(columns + at, v);
                lbm_store4(scaled + at, lbm_scale4(v, weights[k] - before[k]));
            }
        }
        for (size_t c = 0; c < (size_t)end; c++) {
            for (size_t i = (size_t)m->rows; i < side; i++) {
                columns[c * side + i] = scaled[c * side + i] = 0;
            }
        }
        squares(m->rows, end, scaled, columns, 1, out);
    }
}

/* Tiles of four columns and the `count` rows that there are of four. */
static inline void load_tile(const double *a, size_t stride, size_t count, lbm_v4 tile[4]) {
    static const double none[4];
    tile[0] = lbm_load4(a);
    tile[1] = lbm_load4(count > 1 ? a + stride : none);
    tile[2] = lbm_load4(count > 2 ? a + 2 * stride : none);
    tile[3] = lbm_load4(count > 3 ? a + 3 * stride : none);
}

static inline void store_tile(double *a, size_t stride, size_t count, const lbm_v4 tile[4]) {
    lbm_store4(a, tile[0]);
    if (count > 1) {
        lbm_store4(a + stride, tile[1]);
    }
    if (count > 2) {
        lbm_store4(a + 2 * stride, tile[2]);
    }
    if (count > 3) {
        lbm_store4(a + 3 * stride, tile[3]);
    }
}

/* A tile of four rows, and `count` rows of the one that lies opposite. */
static inline void fold_tiles(double *a, double *b, size_t stride, size_t count) {
    lbm_v4 upper[4], lower[4];
    load_tile(a, stride, 4, upper);
    load_tile(b, stride, count, lower);
    lbm_turn4(lower);
    for (int k = 0; k < 4; k++) {
        upper[k] = lbm_add4(upper[k], lower[k]);
    }
    store_tile(a, stride, 4, upper);
    lbm_turn4(upper);
    store_tile(b, stride, count, upper);
}

/* By tiles of four rows and columns. */
static void mirror(int n, double *a) {
    const size_t stride = (size_t)lbm_stride(n), size = (size_t)n;
    for (size_t i = 0; i < size; i += 4) {
        for (size_t j = (i | 7) + 1; j < size; j += 4) {
            lbm_v4 tile[4];
            load_tile(a + i * stride + j, stride, 4, tile);
            lbm_turn4(tile);
            store_tile(a + j * stride + i, stride, size - j, tile);
        }
    }
}

static void fold(int n, double *a) {
    const size_t stride = (size_t)lbm_stride(n), size = (size_t)n, whole = size & ~(size_t)3;
    for (size_t i = 0; i < size; i += 4) {
        for (size_t k = i; k < i + 4 && k < size; k++) {
            for (size_t j = k + 1; j < i + 4 && j < size; j++) {
                a[k * stride + j] = a[j * stride + k] = a[k * stride + j] + a[j * stride + k];
            }
        }
        double *row = a + i * stride, *column = a + (i + 4) * stride + i;
        for (size_t j = i + 4; j < whole; j += 4, column += 4 * stride) {
            fold_tiles(row + j, column, stride, 4);
        }
        if (i < whole && whole < size) {
            fold_tiles(row + whole, column, stride, size - whole);
        }
    }
}

static void add_scaled(int stride, double f, const double *from, double *to) {
    for (int at = 0; at < stride; at += 8) {
        lbm_store8(to + at, lbm_add8(lbm_load8(to + at), lbm_scale8(lbm_load8(from + at), f)));
    }
}

static void add_three(int stride, const double f[3], const double *from, double *to) {
    const size_t step = (size_t)stride;
    for (size_t at = 0; at < step; at += 8) {
        const lbm_v8 two =
            lbm_add8(lbm_scale8(lbm_load8(from + at), f[0]), lbm_scale8(lbm_load8(from + step + at), f[1]));
        const lbm_v8 three = lbm_add8(two, lbm_scale8(lbm_load8(from + 2 * step + at), f[2]));
        lbm_store8(to + at, lbm_add8(lbm_load8(to + at), three));
    }
}

static inline void put_three(double *to, size_t step, const double *from) {
    to[0] = from[0];
    to[step] = from[1];
    to[2 * step] = from[2];
}

static void twists(int count, const lbm_screw *screws, double (*sums)[8], double *panel, int stride) {
    static const double none[8];
    const lbm_screw *end = screws + count;
    const size_t step = (size_t)stride;
    double *sum = sums[0];
    for (const lbm_screw *m = screws; m < end; m++, sum += 8) {
        const lbm_v4 u = lbm_scale4(lbm_load4(m->axis), *m->slope * m->scale);
        const double *above = m->above < 0 ? none : sums[m->above];
        const lbm_v4 move = m->centre ? lbm_cross4(lbm_load4(m->centre), u) : u, turn = m->centre ? u : lbm_load4(none);
        lbm_store4(sum, lbm_add4(move, lbm_load4(above)));
        lbm_store4(sum + 4, lbm_add4(turn, lbm_load4(above + 4)));
        if (!m->is_whole) {
            continue;
        }
        put_three(panel + m->column, step, sum);
        put_three(panel + 3 * step + m->column, step, sum + 4);
    }
}

static void wrench_rows(int rows, const double (*wrenches)[6], const double *panel, const double *signs,
                        const uint64_t *blocks, int stride, double *out) {
    const size_t step = (size_t)stride;
    FOR_BLOCKS(lbm_block_words(stride), blocks[w], at) {
        const lbm_v8 p0 = lbm_load8(panel + at), p1 = lbm_load8(panel + step + at),
                     p2 = lbm_load8(panel + 2 * step + at), p3 = lbm_load8(panel + 3 * step + at),
                     p4 = lbm_load8(panel + 4 * step + at), p5 = lbm_load8(panel + 5 * step + at),
                     sign = lbm_load8(signs + at);
        for (int i = 0; i < rows; i++) {
            const double *k = wrenches[i];
            lbm_v8 force = lbm_add8(lbm_add8(lbm_scale8(p0, k[0]), lbm_scale8(p1, k[1])), lbm_scale8(p2, k[2]));
            lbm_v8 moment = lbm_add8(lbm_add8(lbm_scale8(p3, k[3]), lbm_scale8(p4, k[4])), lbm_scale8(p5, k[5]));
            lbm_store8(out + (size_t)i * step + at, lbm_mul8(sign, lbm_add8(force, moment)));
        }
    }
}

#include "math/dense/dense_line.h"

#if LBM_WIDTH == 1
static inline void sincos_block(const double *x, double *sine, double *cosine) {
    for (int i = 0; i < 8; i++) {
        lbm_sincos_fast(x[i], sine + i, cosine + i);
    }
}
#else
/* lbm_sincos_fast and lbm_sincos_reduced, operation by operation, in the lanes of a register. */
static inline void sincos_word(const double *x, double *sine, double *cosine) {
    LBM_SINCOS_COEFFICIENTS;
    const double to_integer = 0x1.8p52;
    const lbm_word8 angle = *(const lbm_word8 *)x;
    const lbm_bits8 sign = (lbm_bits8)angle & 0x8000000000000000u;
    const lbm_word8 magnitude = (lbm_word8)((lbm_bits8)angle ^ sign);
    const lbm_word8 shifted = magnitude * 0x1.45f306dc9c883p-1 + to_integer, n = shifted - to_integer;
    const lbm_word8 p2 = n * 0x1.a308d31318p-41;
    const lbm_word8 r0 = magnitude - n * 0x1.921fb54442p+0, r = r0 - p2, lost = (r0 - r) - p2;
    const lbm_word8 tail = lost - n * 0x1.8a2e03707344ap-81;
    const lbm_word8 z = r * r, zz = z * z, half = 0.5 * z, one_less = 1.0 - half;
    const lbm_word8 s_high = s5 + z * s7 + zz * ((s9 + z * s11) + zz * s13);
    const lbm_word8 c_high = c4 + z * c6 + zz * ((c8 + z * c10) + zz * (c12 + z * c14));
    const lbm_word8 s = r + ((z * r) * (s3 + z * s_high) + tail * one_less);
    const lbm_word8 c = one_less + (((1.0 - one_less) - half) + (zz * c_high - r * tail));
    const lbm_bits8 quadrant = (lbm_bits8)shifted, swap = 0 - (quadrant & 1), bits_s = (lbm_bits8)s,
                    bits_c = (lbm_bits8)c;
    const lbm_bits8 mixed = (bits_s ^ bits_c) & swap;
    *(lbm_word8 *)sine = (lbm_word8)(bits_s ^ mixed ^ ((quadrant & 2) << 62) ^ sign);
    *(lbm_word8 *)cosine = (lbm_word8)(bits_c ^ mixed ^ (((quadrant + 1) & 2) << 62));
}

static inline void sincos_block(const double *x, double *sine, double *cosine) {
    for (int i = 0; i < 8; i += LBM_WIDTH) {
        sincos_word(x + i, sine + i, cosine + i);
    }
}
#endif

static const double fast_ends[2][8] = {{-LBM_SINCOS_FAST, -LBM_SINCOS_FAST, -LBM_SINCOS_FAST, -LBM_SINCOS_FAST,
                                        -LBM_SINCOS_FAST, -LBM_SINCOS_FAST, -LBM_SINCOS_FAST, -LBM_SINCOS_FAST},
                                       {LBM_SINCOS_FAST, LBM_SINCOS_FAST, LBM_SINCOS_FAST, LBM_SINCOS_FAST,
                                        LBM_SINCOS_FAST, LBM_SINCOS_FAST, LBM_SINCOS_FAST, LBM_SINCOS_FAST}};

/* Whether all of a block are angles for lbm_sincos_fast: others contribute to a sum, which is then not 0. */
static inline int block_is_fast(const double *x) {
    const lbm_v8 v = lbm_load8(x), low = lbm_load8(fast_ends[0]), high = lbm_load8(fast_ends[1]), zero = lbm_zero8();
    return lbm_sum8(lbm_pick8(v, high, lbm_pick8(low, v, zero, high), high)) == 0;
}

static void sincos_all(int count, const double *x, double *sine, double *cosine) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        if (block_is_fast(x + i)) {
            sincos_block(x + i, sine + i, cosine + i);
        } else {
            for (int k = i; k < i + 8; k++) {
                lbm_sincos(x[k], sine + k, cosine + k);
            }
        }
    }
    if (i < count) { /* the rest, filled up to a block */
        const size_t size = (size_t)(count - i) * sizeof *x;
        double angles[8] = {0, 0, 0, 0, 0, 0, 0, 0}, sines[8], cosines[8];
        memcpy(angles, x + i, size);
        if (block_is_fast(angles)) {
            sincos_block(angles, sines, cosines);
        } else {
            for (int k = 0; k < 8; k++) {
                lbm_sincos(angles[k], sines + k, cosines + k);
            }
        }
        memcpy(sine + i, sines, size);
        memcpy(cosine + i, cosines, size);
    }
}

const lbm_kernels KERNELS = {KERNELS_ISA, gram,         change_gram,  times,        times_some,  transpose_times,
                             gather,      factor,       solve,        factor_solve, squares,     mirror,
                             fold,        add_scaled,   add_three,    twists,       wrench_rows, line_begin,
                             line_search, line_advance, line_changes, row_errors,   row_slopes,  sincos_all};
