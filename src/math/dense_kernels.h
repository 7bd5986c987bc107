/* The text of dense.h's kernels, compiled once for each width of registers: the file that includes it defines LBM_WIDTH
 * and calls it KERNELS. */
#include <math.h>
#include <string.h>

#include "math/dense.h"
#include "math/simd.h"
#include "math/trig.h"

/* The next run of set bits of a word as columns: 8 first .. 8 end; takes it off. */
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

/* Four rows at a time; where there are fewer, the last stands in for them. */
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

/* The same with two vectors v at once, v_blocks those of either: where there are registers enough. */
static inline void dot_row_pairs(const four_rows *f, int words, const uint64_t *v_blocks[2], const double *v[2],
                                 double *out[2]) {
    const double *f0 = f->values[0], *f1 = f->values[1], *f2 = f->values[2], *f3 = f->values[3];
    lbm_v8 a = lbm_zero8(), b = a, c = a, d = a, a2 = a, b2 = a, c2 = a, d2 = a;
    FOR_BLOCKS(words, blocks_of(f, w) & (v_blocks[0][w] | v_blocks[1][w]), at) {
        const lbm_v8 x = lbm_load8(v[0] + at), x2 = lbm_load8(v[1] + at), r0 = lbm_load8(f0 + at),
                     r1 = lbm_load8(f1 + at), r2 = lbm_load8(f2 + at), r3 = lbm_load8(f3 + at);
        a = lbm_add8(a, lbm_mul8(r0, x));
        a2 = lbm_add8(a2, lbm_mul8(r0, x2));
        b = lbm_add8(b, lbm_mul8(r1, x));
        b2 = lbm_add8(b2, lbm_mul8(r1, x2));
        c = lbm_add8(c, lbm_mul8(r2, x));
        c2 = lbm_add8(c2, lbm_mul8(r2, x2));
        d = lbm_add8(d, lbm_mul8(r3, x));
        d2 = lbm_add8(d2, lbm_mul8(r3, x2));
    }
    lbm_sums8(a, b, c, d, out[0]);
    lbm_sums8(a2, b2, c2, d2, out[1]);
}

static void gram(const lbm_matrix *m, const double *weights, double *scratch, double *out) {
    const int words = lbm_block_words(m->stride), out_stride = lbm_stride(m->rows), step = LBM_WIDTH == 8 ? 2 : 1;
    for (int i = 0; i < m->rows; i += step) {
        const int last = i + step <= m->rows ? step - 1 : 0;
        const double *scaled[2] = {scratch, scratch + last * m->stride};
        const uint64_t *blocks[2] = {m->blocks + (size_t)i * (size_t)words,
                                     m->blocks + (size_t)(i + last) * (size_t)words};
        double *to[2] = {out + (size_t)i * (size_t)out_stride, out + (size_t)(i + last) * (size_t)out_stride};
        for (int k = 0; k <= last; k++) {
            const double *row = m->values + (size_t)(i + k) * (size_t)m->stride;
            FOR_BLOCKS(words, blocks[0][w] | blocks[1][w], at) {
                lbm_store8(scratch + k * m->stride + at, lbm_mul8(lbm_load8(row + at), lbm_load8(weights + at)));
            }
        }
        for (int j = i & ~3; j < m->rows; j += 4) { /* whole fours, aligned: what is left of the diagonal is not read */
            const four_rows f = take_rows(m, j);
            double *at[2] = {to[0] + j, to[last] + j};
            if (last) dot_row_pairs(&f, words, blocks, scaled, at);
            else dot_rows(&f, words, blocks[0], scaled[0], at[0]);
        }
        for (int k = 0; k <= last; k++)
            for (int j = m->rows; j < out_stride; j++) to[k][j] = 0;
    }
}

static void times(const lbm_matrix *m, const double *v, double *out) {
    const int words = lbm_block_words(m->stride);
    for (int i = 0; i < m->rows; i += 4) {
        four_rows f = take_rows(m, i);
        double four[4];
        dot_rows(&f, words, NULL, v, four);
        for (int k = 0; k < 4 && i + k < m->rows; k++) out[i + k] = four[k];
    }
}

static void transpose_times(const lbm_matrix *m, const double *y, double *out) {
    const int words = lbm_block_words(m->stride);
    memset(out, 0, (size_t)m->stride * sizeof *out);
    for (int i = 0; i < m->rows; i += 4) {
        four_rows f = take_rows(m, i);
        double s[4];
        for (int k = 0; k < 4; k++) s[k] = i + k < m->rows ? y[i + k] : 0;
        FOR_BLOCKS(words, blocks_of(&f, w), at) {
            lbm_v8 sum = lbm_load8(out + at);
            for (int k = 0; k < 4; k++) sum = lbm_add8(sum, lbm_scale8(lbm_load8(f.values[k] + at), s[k]));
            lbm_store8(out + at, sum);
        }
    }
}

#include "math/dense_factor.h"

static void squares(int n, int stride, int count, const double *rows, double weight, double *a) {
    const size_t step = (size_t)stride;
    for (; count >= 4; count -= 4, rows += 4 * step) {
        const double *r0 = rows, *r1 = rows + step, *r2 = rows + 2 * step, *r3 = rows + 3 * step;
        for (int i = 0; i < n; i++) {
            const double f0 = weight * r0[i], f1 = weight * r1[i], f2 = weight * r2[i], f3 = weight * r3[i];
            double *line = a + (size_t)i * step;
            if (f0 == 0 && f1 == 0 && f2 == 0 && f3 == 0) continue;
            for (size_t at = (size_t)i & ~(size_t)7; at < step; at += 8) {
                const lbm_v8 p = lbm_add8(lbm_scale8(lbm_load8(r0 + at), f0), lbm_scale8(lbm_load8(r1 + at), f1)),
                             q = lbm_add8(lbm_scale8(lbm_load8(r2 + at), f2), lbm_scale8(lbm_load8(r3 + at), f3));
                lbm_store8(line + at, lbm_add8(lbm_load8(line + at), lbm_add8(p, q)));
            }
        }
    }
    for (; count > 0; count--, rows += step)
        for (int i = 0; i < n; i++) {
            const double f = weight * rows[i];
            double *line = a + (size_t)i * step;
            if (f == 0) continue;
            for (size_t at = (size_t)i & ~(size_t)7; at < step; at += 8)
                lbm_store8(line + at, lbm_add8(lbm_load8(line + at), lbm_scale8(lbm_load8(rows + at), f)));
        }
}

static double dot(int stride, const double *a, const double *b) {
    lbm_v8 sum = lbm_zero8();
    for (int at = 0; at < stride; at += 8) sum = lbm_add8(sum, lbm_mul8(lbm_load8(a + at), lbm_load8(b + at)));
    return lbm_sum8(sum);
}

static void add_scaled(int stride, double f, const double *from, double *to) {
    for (int at = 0; at < stride; at += 8)
        lbm_store8(to + at, lbm_add8(lbm_load8(to + at), lbm_scale8(lbm_load8(from + at), f)));
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

static void twists(int count, const lbm_mover *movers, double (*sums)[8], double *panel, int stride) {
    static const double none[8];
    const lbm_mover *end = movers + count;
    const size_t step = (size_t)stride;
    double *sum = sums[0];
    for (const lbm_mover *m = movers; m < end; m++, sum += 8) {
        const lbm_v4 u = lbm_scale4(lbm_load4(m->axis), *m->slope * m->scale);
        const double *above = m->above < 0 ? none : sums[m->above];
        const lbm_v4 move = m->centre ? lbm_cross4(lbm_load4(m->centre), u) : u, turn = m->centre ? u : lbm_load4(none);
        lbm_store4(sum, lbm_add4(move, lbm_load4(above)));
        lbm_store4(sum + 4, lbm_add4(turn, lbm_load4(above + 4)));
        if (!m->is_whole) continue;
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

static inline lbm_v8 clip(lbm_v8 v, lbm_v8 low, lbm_v8 high) {
    return lbm_pick8(v, low, low, lbm_pick8(high, v, high, v));
}

#define LINE_SEARCHES 60

static double line_search(const lbm_line *l, double constant, double linear, double scale) {
    double t = 1, least = 0, most = 1;
    const size_t stride = (size_t)l->stride;
    const lbm_v8 zero = lbm_zero8();
    for (size_t k = 0; k < stride; k += 8)
        lbm_store8(l->du + k, lbm_scale8(lbm_mul8(lbm_load8(l->product + k), lbm_load8(l->inverse + k)), -1));
    for (int i = 0; i < LINE_SEARCHES; i++) {
        lbm_v8 stopped = zero, moving = zero;
        for (size_t k = 0; k < stride; k += 8) {
            const lbm_v8 du = lbm_load8(l->du + k), product = lbm_load8(l->product + k), low = lbm_load8(l->low + k),
                         high = lbm_load8(l->high + k), at = lbm_add8(lbm_load8(l->u + k), lbm_scale8(du, t)),
                         part = lbm_mul8(du, product);
            stopped = lbm_add8(stopped, lbm_mul8(clip(at, low, high), product));
            moving = lbm_add8(moving, lbm_pick8(at, low, zero, lbm_pick8(high, at, zero, part)));
        }
        const double slope = constant + t * linear - lbm_sum8(stopped), bend = linear - lbm_sum8(moving);
        if (fabs(slope) <= 1e-3 * scale || (slope < 0 && t >= 1)) break;
        if (slope < 0) least = t;
        else most = t;
        const double next = t - slope / bend;
        t = next > least && next < most ? next : 0.5 * (least + most);
    }
    return t;
}

static int line_advance(const lbm_line *l, double t) {
    const lbm_v8 zero = lbm_zero8();
    lbm_v8 change = zero;
    for (size_t k = 0; k < (size_t)l->stride; k += 8) {
        const lbm_v8 low = lbm_load8(l->low + k), high = lbm_load8(l->high + k),
                     u = lbm_add8(lbm_load8(l->u + k), lbm_scale8(lbm_load8(l->du + k), t)), d = clip(u, low, high),
                     free = lbm_pick8(low, u, lbm_pick8(u, high, lbm_load8(l->inverse + k), zero), zero),
                     other = lbm_sub8(free, lbm_load8(l->between + k)),
                     moved = lbm_pick8(zero, free, zero, lbm_sub8(d, lbm_load8(l->d + k)));
        change =
            lbm_add8(change, lbm_add8(lbm_mul8(other, other), lbm_pick8(moved, zero, lbm_sub8(zero, moved), moved)));
        change = lbm_add8(change, lbm_sub8(d, d));
        lbm_store8(l->u + k, u);
        lbm_store8(l->d + k, d);
        lbm_store8(l->between + k, free);
    }
    const double sum = lbm_sum8(change);
    return sum == 0 ? 0 : sum == sum ? 1 : 2;
}

#if LBM_WIDTH == 1
static inline void sincos_block(const double *x, double *sine, double *cosine) {
    for (int i = 0; i < 8; i++) lbm_sincos_fast(x[i], sine + i, cosine + i);
}
#else
/* lbm_sincos_fast and lbm_sincos_reduced, operation by operation, in the lanes of a register. */
typedef uint64_t bit_word __attribute__((vector_size(sizeof(lbm_word8))));

static inline void sincos_word(const double *x, double *sine, double *cosine) {
    const double s3 = -0x1.5555555555548p-3, s5 = 0x1.111111110f74dp-7, s7 = -0x1.a01a019beeebap-13,
                 s9 = 0x1.71de355b7da7ep-19, s11 = -0x1.ae5e513c6bb59p-26, s13 = 0x1.5d8d2c137bc2cp-33;
    const double c4 = 0x1.555555555554cp-5, c6 = -0x1.6c16c16c15215p-10, c8 = 0x1.a01a019cbd97p-16,
                 c10 = -0x1.27e4f810e87cbp-22, c12 = 0x1.1ee9efcb4ca28p-29, c14 = -0x1.8fb042d17d56fp-37;
    const double to_integer = 0x1.8p52;
    const lbm_word8 angle = *(const lbm_word8 *)x;
    const bit_word sign = (bit_word)angle & 0x8000000000000000u;
    const lbm_word8 magnitude = (lbm_word8)((bit_word)angle ^ sign);
    const lbm_word8 shifted = magnitude * 0x1.45f306dc9c883p-1 + to_integer, n = shifted - to_integer;
    const lbm_word8 p2 = n * 0x1.a308d31318p-41;
    const lbm_word8 r0 = magnitude - n * 0x1.921fb54442p+0, r = r0 - p2, lost = (r0 - r) - p2;
    const lbm_word8 tail = lost - n * 0x1.8a2e03707344ap-81;
    const lbm_word8 z = r * r, zz = z * z, half = 0.5 * z, one_less = 1.0 - half;
    const lbm_word8 s_high = s5 + z * s7 + zz * ((s9 + z * s11) + zz * s13);
    const lbm_word8 c_high = c4 + z * c6 + zz * ((c8 + z * c10) + zz * (c12 + z * c14));
    const lbm_word8 s = r + ((z * r) * (s3 + z * s_high) + tail * one_less);
    const lbm_word8 c = one_less + (((1.0 - one_less) - half) + (zz * c_high - r * tail));
    const bit_word quadrant = (bit_word)shifted, swap = 0 - (quadrant & 1), bits_s = (bit_word)s, bits_c = (bit_word)c;
    const bit_word mixed = (bits_s ^ bits_c) & swap;
    *(lbm_word8 *)sine = (lbm_word8)(bits_s ^ mixed ^ ((quadrant & 2) << 62) ^ sign);
    *(lbm_word8 *)cosine = (lbm_word8)(bits_c ^ mixed ^ (((quadrant + 1) & 2) << 62));
}

static inline void sincos_block(const double *x, double *sine, double *cosine) {
    for (int i = 0; i < 8; i += LBM_WIDTH) sincos_word(x + i, sine + i, cosine + i);
}
#endif

static const double fast_ends[2][8] = {{-LBM_SINCOS_FAST, -LBM_SINCOS_FAST, -LBM_SINCOS_FAST, -LBM_SINCOS_FAST,
                                        -LBM_SINCOS_FAST, -LBM_SINCOS_FAST, -LBM_SINCOS_FAST, -LBM_SINCOS_FAST},
                                       {LBM_SINCOS_FAST, LBM_SINCOS_FAST, LBM_SINCOS_FAST, LBM_SINCOS_FAST,
                                        LBM_SINCOS_FAST, LBM_SINCOS_FAST, LBM_SINCOS_FAST, LBM_SINCOS_FAST}};

/* Whether all are between the ends: those that are not make a sum of products that is not 0. */
static inline int block_is_fast(const double *x) {
    const lbm_v8 v = lbm_load8(x), low = lbm_load8(fast_ends[0]), high = lbm_load8(fast_ends[1]), zero = lbm_zero8();
    return lbm_sum8(lbm_pick8(v, high, lbm_pick8(low, v, zero, high), high)) == 0;
}

static void sincos_all(int count, const double *x, double *sine, double *cosine) {
    int i = 0;
    for (; i + 8 <= count; i += 8) {
        if (block_is_fast(x + i)) sincos_block(x + i, sine + i, cosine + i);
        else
            for (int k = i; k < i + 8; k++) lbm_sincos(x[k], sine + k, cosine + k);
    }
    if (i < count) { /* the rest, filled up to a block */
        const size_t size = (size_t)(count - i) * sizeof *x;
        double angles[8] = {0, 0, 0, 0, 0, 0, 0, 0}, sines[8], cosines[8];
        memcpy(angles, x + i, size);
        if (block_is_fast(angles)) sincos_block(angles, sines, cosines);
        else
            for (int k = 0; k < 8; k++) lbm_sincos(angles[k], sines + k, cosines + k);
        memcpy(sine + i, sines, size);
        memcpy(cosine + i, cosines, size);
    }
}

const lbm_kernels KERNELS = {KERNELS_ISA,  gram,        times,        transpose_times, factor,    solve,
                             factor_solve, squares,     dot,          add_scaled,      add_three, twists,
                             wrench_rows,  line_search, line_advance, sincos_all};
