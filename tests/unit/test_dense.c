/*
 * The dense kernels: against loops in long double at all small sizes and many masks of blocks, and every width of
 * registers against the plain one, to the bit.
 */
#include "check.h"

#include "math/dense.h"
#include "math/trig.h"

#include <math.h>
#include <string.h>

#define MOST_ROWS 90
#define MOST_COLUMNS 1200
#define MOST_WORDS 3

typedef struct sample {
    int n;
    lbm_matrix matrix;
    double *values, *weights, *v, *y;
    uint64_t *blocks;
} sample;

static double *numbers(size_t count) {
    double *p = malloc((count + 1) * sizeof *p);
    REQUIRE(p != NULL);
    memset(p, 0, count * sizeof *p);
    return p;
}

/* Random rows; `share` of their blocks are zeros, and the rest says so or not. */
static sample make_sample(check_random *random, int m, int n, int share) {
    sample s;
    int stride = lbm_stride(n), words = lbm_block_words(stride);
    s.n = n;
    s.values = numbers((size_t)m * (size_t)stride);
    s.weights = numbers((size_t)stride);
    s.v = numbers((size_t)stride);
    s.y = numbers((size_t)m);
    s.blocks = malloc((size_t)m * (size_t)words * sizeof *s.blocks + 1);
    REQUIRE(s.blocks != NULL);
    memset(s.blocks, 0, (size_t)m * (size_t)words * sizeof *s.blocks);
    s.matrix = (lbm_matrix){m, stride, s.values, s.blocks};
    for (int i = 0; i < m; i++) {
        for (int b = 0; b < stride / 8; b++) {
            if (check_random_index(random, 100) < share) {
                continue;
            }
            s.blocks[i * words + b / 64] |= (uint64_t)1 << (b % 64);
            for (int c = 8 * b; c < 8 * b + 8 && c < n; c++) {
                s.values[(size_t)i * (size_t)stride + (size_t)c] = check_random_range(random, -1, 1);
            }
        }
        s.y[i] = check_random_range(random, -1, 1);
    }
    for (int c = 0; c < n; c++) {
        s.weights[c] = check_random_index(random, 4) ? check_random_range(random, 0, 2) : 0;
        s.v[c] = check_random_range(random, -1, 1);
    }
    return s;
}

static void drop_sample(sample *s) {
    free(s->values);
    free(s->weights);
    free(s->v);
    free(s->y);
    free(s->blocks);
}

static const double *row_of(const sample *s, int i) { return s->values + (size_t)i * (size_t)s->matrix.stride; }

/* All products of a sample by one set of kernels, behind one another, and the factor and a solution of gram + 1. */
static size_t products(const lbm_kernels *k, const sample *s, double *out) {
    int m = s->matrix.rows, stride = s->matrix.stride, side = lbm_stride(m);
    size_t square = (size_t)m * (size_t)side;
    double *scratch = numbers(4 * (size_t)stride), *at = out;
    k->gram(&s->matrix, s->weights, scratch, at);
    for (int i = 0; i < m; i++) {
        for (int j = 0; j < i; j++) {
            at[i * side + j] = 0; /* left of the diagonal is anything */
        }
    }
    double *gram = at;
    at += square;
    k->times(&s->matrix, s->v, at);
    at += m;
    k->transpose_times(&s->matrix, s->y, at);
    at += stride;
    double *factor = at;
    CHECK_INT(k->factor(m, gram, 1, factor), 0);
    at += square;
    memcpy(at, s->y, (size_t)m * sizeof *at);
    memset(at + m, 0, (size_t)(side - m) * sizeof *at);
    k->factor_solve(m, factor, at);
    at += side;
    memcpy(factor, gram, square * sizeof *factor); /* in place, and both at once */
    double *both = numbers((size_t)side);
    memcpy(both, s->y, (size_t)m * sizeof *both);
    CHECK_INT(k->solve(m, factor, 1, factor, both), 0);
    CHECK(memcmp(both, at - side, (size_t)side * sizeof *both) == 0);
    free(both);
    free(scratch);
    return (size_t)(at - out);
}

static size_t room(int m, int n) {
    return 2 * (size_t)m * (size_t)lbm_stride(m) + (size_t)lbm_stride(m) + (size_t)m + (size_t)lbm_stride(n);
}

static void check_products(const sample *s, const double *out) {
    int m = s->matrix.rows, n = s->n, side = lbm_stride(m);
    const double *gram = out, *times = gram + m * side, *transposed = times + m, *solution;
    solution = transposed + s->matrix.stride + m * side;
    for (int i = 0; i < m; i++) {
        long double product = 0, left = -s->y[i];
        for (int c = 0; c < n; c++) {
            product += (long double)row_of(s, i)[c] * s->v[c];
        }
        CHECK_NEAR(times[i], (double)product, 1e-13 * (n + 8));
        for (int j = 0; j < side; j++) {
            long double sum = 0;
            for (int c = 0; c < n && j < m; c++) {
                sum += (long double)row_of(s, i)[c] * s->weights[c] * row_of(s, j)[c];
            }
            if (j >= i) {
                CHECK_NEAR(gram[i * side + j], (double)sum, 1e-13 * (n + 8));
            }
            if (j < m) {
                left += (sum + (i == j)) * solution[j];
            }
        }
        CHECK_NEAR((double)left, 0, 1e-11 * (n + 8));
    }
    for (int c = 0; c < s->matrix.stride; c++) {
        long double sum = 0;
        for (int i = 0; i < m; i++) {
            sum += (long double)s->y[i] * row_of(s, i)[c];
        }
        CHECK_NEAR(transposed[c], (double)sum, 1e-14 * (m + 8));
    }
    for (int i = m; i < side; i++) {
        CHECK(solution[i] == 0);
    }
}

static void check_size(check_random *random, int m, int n, int share) {
    sample s = make_sample(random, m, n, share);
    double *plain = numbers(room(m, n)), *other = numbers(room(m, n));
    check_note("%d x %d, %d%% zeros", m, n, share);
    size_t count = products(&lbm_kernels_base, &s, plain);
    REQUIRE(count == room(m, n));
    check_products(&s, plain);
    for (int isa = LBM_ISA_AVX2; isa < LBM_ISA_COUNT; isa++) {
        const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
        if (!k) {
            continue;
        }
        CHECK_INT(k->isa, isa);
        products(k, &s, other);
        CHECK(memcmp(plain, other, count * sizeof *plain) == 0);
    }
    /* a mask that owns up to fewer zeros gives the same bits */
    memset(s.blocks, 0xff, (size_t)m * (size_t)lbm_block_words(s.matrix.stride) * sizeof *s.blocks);
    for (int i = 0; i < m; i++) {
        int blocks = s.matrix.stride / 8, words = lbm_block_words(s.matrix.stride);
        if (blocks % 64) {
            s.blocks[i * words + words - 1] = ((uint64_t)1 << (blocks % 64)) - 1;
        }
    }
    products(&lbm_kernels_base, &s, other);
    CHECK(memcmp(plain, other, count * sizeof *plain) == 0);
    free(plain);
    free(other);
    drop_sample(&s);
}

static void test_products(void) {
    check_random random;
    check_random_seed(&random, 1);
    for (int m = 1; m <= 20; m++) {
        for (int n = 1; n <= 40; n += n < 18 ? 1 : 5) {
            check_size(&random, m, n, 30);
        }
    }
    check_size(&random, 19, 70, 0);
    check_size(&random, 70, 70, 50);
    check_size(&random, 90, 130, 80);
    check_size(&random, 6, 1200, 20);
    check_size(&random, 7, 512, 0);
    check_size(&random, 7, 513, 100);
    check_note("%s", "");
}

static void test_indefinite(void) {
    double a[4 * 8] = {1, 2, 0, 0, 0, 0, 0, 0, 0, 3};
    for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
        const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
        double copy[4 * 8];
        if (!k) {
            continue;
        }
        memcpy(copy, a, sizeof a);
        CHECK_INT(k->factor(2, copy, 0, copy), 1); /* 3 - 4 < 0 */
        memset(copy, 0, sizeof copy);
        CHECK_INT(k->factor(1, copy, 0, copy), 1);
        copy[0] = NAN;
        CHECK_INT(k->factor(1, copy, 0, copy), 1);
    }
}

/* Turns and shifts, some of one column after the other, by long doubles; the same bits by every width. */
static void test_twists(void) {
    enum { COUNT = 9, STRIDE = 8 };
    static double axes[COUNT][4], centres[COUNT][4], slopes[COUNT], sums[COUNT][8], other[COUNT][8];
    static double panel[6 * STRIDE], other_panel[6 * STRIDE];
    lbm_screw movers[COUNT];
    check_random random;
    check_random_seed(&random, 3);
    for (int i = 0; i < COUNT; i++) {
        for (int c = 0; c < 3; c++) {
            axes[i][c] = check_random_range(&random, -1, 1);
            centres[i][c] = check_random_range(&random, -1, 1);
        }
        slopes[i] = check_random_range(&random, -1, 1);
        movers[i] = (lbm_screw){
            axes[i],           i % 3 == 2 ? NULL : centres[i], &slopes[i], 0.5, 0, i, i % 5, i < 5 ? -1 : i - 5,
            i % 5 > 3 || i > 4};
    }
    lbm_kernels_base.twists(COUNT, movers, sums, panel, STRIDE);
    for (int i = 0; i < COUNT; i++) {
        for (int k = 0; k < 6; k++) {
            long double sum = 0;
            for (int m = i; m >= 0; m = movers[m].above) {
                const double *u = axes[m], *p = centres[m];
                const int a = (k + 1) % 3, b = (k + 2) % 3;
                long double part = k < 3 ? (long double)p[a] * u[b] - (long double)p[b] * u[a] : u[k % 3];
                if (!movers[m].centre) {
                    part = k < 3 ? u[k] : 0;
                }
                sum += slopes[m] * 0.5 * part;
            }
            CHECK_NEAR(sums[i][k < 3 ? k : k + 1], (double)sum, 1e-15);
            if (movers[i].is_whole) {
                CHECK(panel[k * STRIDE + i % 5] == sums[i][k < 3 ? k : k + 1]);
            }
        }
    }
    for (int isa = LBM_ISA_AVX2; isa < LBM_ISA_COUNT; isa++) {
        const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
        if (!k) {
            continue;
        }
        k->twists(COUNT, movers, other, other_panel, STRIDE);
        CHECK(memcmp(sums, other, sizeof sums) == 0 && memcmp(panel, other_panel, sizeof panel) == 0);
    }
}

/* What a matrix lacks is no more than it does lack. */
static void test_lack(void) {
    enum { MOST = 20 };
    static double a[MOST * 24], factor[MOST * 24], b[24], plain[24];
    check_random random;
    check_random_seed(&random, 9);
    for (int round = 0; round < 300; round++) {
        int n = 1 + check_random_index(&random, MOST), stride = lbm_stride(n), failed = 0;
        double shift = check_random_range(&random, 0, 2);
        memset(a, 0, sizeof a);
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                a[i * stride + j] = check_random_range(&random, -1, 1);
            }
        }
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
            if (!k) {
                continue;
            }
            memset(b, 0, sizeof b);
            failed = k->solve(n, a, shift, factor, b);
            if (isa == LBM_ISA_BASE) {
                memcpy(plain, b, sizeof b);
            }
            CHECK(memcmp(plain, b, sizeof b) == 0);
        }
        if (!failed) {
            continue;
        }
        CHECK(plain[0] >= 0);
        CHECK_INT(lbm_kernels_base.factor(n, a, shift + (1 - 1e-9) * plain[0] - 1e-12, factor), 1);
    }
}

static void test_wrench_rows(void) {
    enum { STRIDE = 72, ROWS = 9 };
    static double panel[6 * STRIDE], signs[STRIDE], out[ROWS * STRIDE], other[ROWS * STRIDE];
    double wrenches[ROWS][6];
    uint64_t blocks = 0x1ff & ~(uint64_t)0x24; /* the third and sixth block are not this row's */
    check_random random;
    check_random_seed(&random, 2);
    for (int i = 0; i < 6 * STRIDE; i++) {
        panel[i] = check_random_range(&random, -1, 1);
    }
    for (int i = 0; i < STRIDE; i++) {
        signs[i] = check_random_index(&random, 3) - 1;
    }
    for (int i = 0; i < ROWS * 6; i++) {
        wrenches[i / 6][i % 6] = check_random_range(&random, -1, 1);
    }
    for (int i = 0; i < ROWS * STRIDE; i++) {
        out[i] = other[i] = 7;
    }
    lbm_kernels_base.wrench_rows(ROWS, (const double(*)[6])wrenches, panel, signs, &blocks, STRIDE, out);
    for (int r = 0; r < ROWS; r++) {
        for (int c = 0; c < STRIDE; c++) {
            long double sum = 0;
            for (int k = 0; k < 6; k++) {
                sum += (long double)wrenches[r][k] * panel[k * STRIDE + c];
            }
            CHECK_NEAR(out[r * STRIDE + c], blocks >> (c / 8) & 1 ? (double)(signs[c] * sum) : 7, 1e-15);
        }
    }
    for (int isa = LBM_ISA_AVX2; isa < LBM_ISA_COUNT; isa++) {
        const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
        if (!k) {
            continue;
        }
        k->wrench_rows(ROWS, (const double(*)[6])wrenches, panel, signs, &blocks, STRIDE, other);
        CHECK(memcmp(out, other, sizeof out) == 0);
    }
}

/* A line with bounds, by loops. */
static void test_line(void) {
    enum { MOST = 40 };
    check_random random;
    check_random_seed(&random, 5);
    for (int round = 0; round < 3000; round++) {
        int n = 1 + check_random_index(&random, MOST - 8), stride = lbm_stride(n), expected = 0;
        double product[MOST] = {0}, inverse[MOST] = {0}, low[MOST] = {0}, high[MOST] = {0}, start[4][MOST] = {{0}};
        double results[LBM_ISA_COUNT][4][MOST], ts[LBM_ISA_COUNT], linear = check_random_range(&random, 0.1, 2),
                                                                   sum = 0;
        int flags[LBM_ISA_COUNT];
        for (int k = 0; k < n; k++) {
            product[k] = check_random_range(&random, -1, 1);
            inverse[k] = check_random_range(&random, 0.1, 3);
            low[k] = check_random_index(&random, 5) ? -check_random_range(&random, 0, 1) : -INFINITY;
            high[k] = check_random_index(&random, 5) ? check_random_range(&random, 0, 1) : INFINITY;
            start[0][k] = check_random_range(&random, -1.5, 1.5);
            double u = start[0][k];
            start[2][k] = u < low[k] ? low[k] : u > high[k] ? high[k] : u;
            start[3][k] = low[k] < u && u < high[k] ? inverse[k] : 0;
            sum += start[2][k] * product[k];
        }
        double constant = sum - check_random_range(&random, 0.1, 2); /* it begins below zero */
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
            if (!k) {
                continue;
            }
            memcpy(results[isa], start, sizeof start);
            double(*r)[MOST] = results[isa];
            const lbm_line line = {stride, product, low, high, inverse, r[0], r[1], r[2], r[3]};
            ts[isa] = k->line_search(&line, constant, linear, 1e-3);
            flags[isa] = k->line_advance(&line, ts[isa]);
            CHECK(memcmp(results[isa], results[0], sizeof start) == 0 && ts[isa] == ts[0] && flags[isa] == flags[0]);
        }
        double slope = constant + ts[0] * linear;
        for (int k = 0; k < n; k++) {
            double du = -product[k] * inverse[k], u = start[0][k] + ts[0] * du,
                   d = u < low[k]    ? low[k]
                       : u > high[k] ? high[k]
                                     : u;
            double between = low[k] < u && u < high[k] ? inverse[k] : 0;
            CHECK(results[0][0][k] == u && results[0][2][k] == d && results[0][3][k] == between);
            expected |= between != start[3][k] || (between == 0 && d != start[2][k]);
            slope -= d * product[k];
        }
        CHECK(ts[0] > 0 && ts[0] <= 1);
        CHECK(fabs(slope) <= 1.1e-6 || (ts[0] == 1 && slope < 0));
        CHECK_INT(flags[0], expected);
        results[0][0][0] = NAN;
        const lbm_line broken = {stride,        product,       low,           high,         inverse,
                                 results[0][0], results[0][1], results[0][2], results[0][3]};
        CHECK_INT(lbm_kernels_base.line_advance(&broken, 1), 2);
    }
}

static void test_fold(void) {
    enum { MOST = 24 };
    static double from[MOST * MOST], a[MOST * MOST];
    check_random random;
    check_random_seed(&random, 8);
    for (int n = 1; n <= MOST; n++) {
        int stride = lbm_stride(n);
        memset(from, 0, sizeof from);
        for (int i = 0; i < n; i++) {
            for (int j = 0; j < n; j++) {
                from[i * stride + j] = check_random_range(&random, -1, 1);
            }
        }
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
            if (!k) {
                continue;
            }
            memcpy(a, from, sizeof a);
            k->fold(n, a);
            for (int i = 0; i < n; i++) {
                for (int j = 0; j < stride; j++) {
                    double sum = from[i * stride + j] + (j != i && j < n ? from[j * stride + i] : 0);
                    CHECK(a[i * stride + j] == sum);
                }
            }
            for (int i = n * stride; i < MOST * MOST; i++) {
                CHECK(a[i] == 0);
            }
        }
    }
}

static void test_squares(void) {
    enum { MOST = 24 };
    static double rows[9 * MOST], a[MOST * MOST], others[MOST * MOST], v[MOST];
    check_random random;
    check_random_seed(&random, 6);
    for (int round = 0; round < 500; round++) {
        int n = 1 + check_random_index(&random, MOST), stride = lbm_stride(n), count = check_random_index(&random, 10);
        double weight = check_random_range(&random, -2, 2);
        memset(rows, 0, sizeof rows);
        memset(v, 0, sizeof v);
        for (int i = 0; i < n; i++) {
            v[i] = check_random_range(&random, -1, 1);
        }
        for (int r = 0; r < count; r++) {
            for (int i = 0; i < n; i++) {
                rows[r * stride + i] = check_random_index(&random, 3) ? check_random_range(&random, -1, 1) : 0;
            }
        }
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
            double *to = isa == LBM_ISA_BASE ? a : others;
            if (!k) {
                continue;
            }
            for (int i = 0; i < MOST * MOST; i++) {
                to[i] = 0.25 * i;
            }
            k->squares(n, count, rows, rows, weight, to);
            k->add_scaled(stride, weight, v, to);
            k->mirror(n, to);
            CHECK(isa == LBM_ISA_BASE || memcmp(a, others, sizeof a) == 0);
        }
        for (int i = 0; i < n; i++) {
            for (int j = i; j < n; j++) {
                long double sum = 0.25 * (i * stride + j) + (i == 0 ? weight * v[j] : 0);
                for (int r = 0; r < count; r++) {
                    sum += (long double)weight * rows[r * stride + i] * rows[r * stride + j];
                }
                CHECK_NEAR(a[i * stride + j], (double)sum, 1e-12 * (1 + fabs((double)sum)));
                CHECK(a[i * stride + j] == a[j * stride + i] || i / 8 == j / 8);
            }
        }
    }
}

/* Some rows and columns of a symmetric matrix. */
static void test_parts(void) {
    enum { MOST = 24 };
    static double a[MOST * MOST], v[MOST], parts[2][MOST * MOST], out[2][MOST];
    int which[MOST];
    check_random random;
    check_random_seed(&random, 7);
    for (int round = 0; round < 300; round++) {
        int n = 1 + check_random_index(&random, MOST), stride = lbm_stride(n), count = 0;
        memset(v, 0, sizeof v);
        memset(which, 0, sizeof which);
        memset(a, 0, sizeof a);
        memset(parts, 0, sizeof parts);
        for (int i = 0; i < n; i++) {
            v[i] = check_random_range(&random, -1, 1);
            for (int j = 0; j <= i; j++) {
                a[i * stride + j] = a[j * stride + i] = check_random_range(&random, -1, 1);
            }
            if (check_random_index(&random, 3)) {
                which[count++] = i;
            }
        }
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
            int to = isa != LBM_ISA_BASE;
            if (!k) {
                continue;
            }
            k->gather(count, which, stride, a, parts[to]);
            k->times_some(count, which, stride, a, v, out[to]);
            CHECK(memcmp(parts[0], parts[to], sizeof parts[0]) == 0);
            CHECK(memcmp(out[0], out[to], (size_t)count * sizeof *v) == 0);
        }
        for (int i = 0; i < count; i++) {
            long double sum = 0;
            for (int j = 0; j < n; j++) {
                sum += (long double)a[which[i] * stride + j] * v[j];
            }
            CHECK_NEAR(out[0][i], (double)sum, 1e-14 * (1 + n));
            for (int j = i; j < lbm_stride(count); j++) {
                CHECK(parts[0][i * lbm_stride(count) + j] == (j < count ? a[which[i] * stride + which[j]] : 0));
            }
        }
    }
}

/* Where lines begin, and what rows have to do with them. */
static void test_line_rows(void) {
    enum { MOST = 24 };
    check_random random;
    check_random_seed(&random, 8);
    for (int round = 0; round < 500; round++) {
        int n = 1 + check_random_index(&random, MOST), stride = lbm_stride(n), found = 0, changed[MOST], count = 0;
        double low[MOST] = {0}, high[MOST] = {0}, diagonal[MOST] = {0}, slope[MOST] = {0}, held[MOST] = {0};
        double results[LBM_ISA_COUNT][6][MOST], slopes[LBM_ISA_COUNT][4], sizes[LBM_ISA_COUNT];
        for (int k = 0; k < n; k++) {
            low[k] = -check_random_range(&random, 0, 1);
            high[k] = check_random_range(&random, 0, 1);
            diagonal[k] = check_random_range(&random, 0.1, 2);
            slope[k] = check_random_index(&random, 2) ? check_random_range(&random, -1, 1) : 0;
            held[k] = check_random_index(&random, 2);
        }
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
            if (!k) {
                continue;
            }
            memset(results[isa], 0, sizeof results[isa]);
            double(*r)[MOST] = results[isa];
            const lbm_line line = {stride, slope, low, high, r[0], r[1], r[2], r[3], r[4]};
            found = k->line_begin(&line, diagonal, slope, held);
            count = k->line_changes(&line, r[0], changed);
            memcpy(r[5], slope, sizeof slope);
            sizes[isa] = k->row_errors(stride, low, high, r[5]);
            k->row_slopes(stride, low, high, r[5], slope, slopes[isa]);
            slopes[isa][3] = 0; /* of no meaning */
            CHECK(memcmp(results[isa], results[0], sizeof results[0]) == 0 && sizes[isa] == sizes[0]);
            CHECK(memcmp(slopes[isa], slopes[0], sizeof slopes[0]) == 0);
        }
        double(*r)[MOST] = results[0], sums[4] = {0, 0, 0, 0};
        int other = 0, moved = 0, held_count = 0;
        for (int k = 0; k < n; k++) {
            double u = -slope[k] * (1 / diagonal[k]), error = slope[k] + (low[k] - high[k]);
            int inside = low[k] < u && u < high[k], outside = u < low[k] || u > high[k];
            CHECK(r[0][k] == 1 / diagonal[k] && r[1][k] == u);
            CHECK(r[3][k] == (u < low[k] ? low[k] : u > high[k] ? high[k] : u));
            CHECK(r[4][k] == (held[k] > 0 ? 0 : r[0][k]) && r[5][k] == error);
            other |= held[k] > 0 ? inside : outside;
            moved |= r[3][k] != 0;
            if (held[k] > 0) {
                CHECK_INT(changed[held_count++], k);
            }
            sums[0] += (high[k] - low[k]) * slope[k];
            sums[1] += slope[k] * slope[k];
            sums[2] += error * slope[k];
            sums[3] += error * error;
        }
        CHECK_INT(found, other | moved << 1);
        CHECK_INT(count, held_count);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(slopes[0][i], sums[i], 1e-13);
        }
        CHECK_NEAR(sizes[0], sums[3], 1e-13);
    }
}

/* A Gram matrix that is changed is the one that has the new weights. */
static void test_change_gram(void) {
    check_random random;
    check_random_seed(&random, 10);
    for (int round = 0; round < 200; round++) {
        int m = 1 + check_random_index(&random, 20), n = 1 + check_random_index(&random, 40), side = lbm_stride(m);
        sample s = make_sample(&random, m, n, 20);
        size_t square = (size_t)m * (size_t)side;
        double *scratch = numbers(4 * (size_t)s.matrix.stride), *room = numbers(LBM_CHANGE_ROOM * (size_t)side),
               *wanted = numbers(square), *plain = numbers(square), *other = numbers(square), before[48];
        int which[48], count = 0;
        memcpy(before, s.weights, (size_t)s.matrix.stride * sizeof *before);
        for (int c = 0; c < n; c++) {
            if (check_random_index(&random, 2)) {
                before[which[count++] = c] = check_random_range(&random, 0, 2);
            }
        }
        lbm_kernels_base.gram(&s.matrix, s.weights, scratch, wanted);
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
            double *to = isa == LBM_ISA_BASE ? plain : other;
            if (!k) {
                continue;
            }
            k->gram(&s.matrix, before, scratch, to);
            k->change_gram(&s.matrix, count, which, s.weights, before, room, to);
            for (int i = 0; i < m; i++) {
                for (int j = i; j < side; j++) {
                    CHECK_NEAR(to[i * side + j], wanted[i * side + j], 1e-13 * (n + 8));
                    CHECK(to[i * side + j] == plain[i * side + j]);
                }
            }
        }
        double *all[] = {scratch, room, wanted, plain, other};
        for (int i = 0; i < 5; i++) {
            free(all[i]);
        }
        drop_sample(&s);
    }
}

static void test_sincos(void) {
    enum { MOST = 45 };
    double x[MOST], sine[MOST], cosine[MOST];
    check_random random;
    check_random_seed(&random, 3);
    for (int round = 0; round < 2000; round++) {
        int count = check_random_index(&random, MOST + 1);
        for (int i = 0; i < count; i++) {
            x[i] = check_random_range(&random, -1, 1) * (check_random_index(&random, 200) ? 7 : 1e6);
        }
        if (round == 0) {
            x[0] = INFINITY;
        }
        for (int isa = LBM_ISA_BASE; isa < LBM_ISA_COUNT; isa++) {
            const lbm_kernels *k = lbm_kernels_of((lbm_isa)isa);
            if (!k) {
                continue;
            }
            k->sincos(count, x, sine, cosine);
            int same = 1;
            for (int i = 0; i < count; i++) {
                double s, c;
                lbm_sincos(x[i], &s, &c);
                same &= memcmp(&s, &sine[i], sizeof s) == 0 && memcmp(&c, &cosine[i], sizeof c) == 0;
            }
            CHECK(same);
        }
    }
}

int main(void) {
    test_products();
    test_indefinite();
    test_lack();
    test_twists();
    test_wrench_rows();
    test_line();
    test_fold();
    test_squares();
    test_parts();
    test_line_rows();
    test_change_gram();
    test_sincos();
    return check_done();
}
