/* Balancing, reduction to Hessenberg form by reflections, and Francis's QR iteration with two shifts at a time (G.
 * Golub and C. Van Loan, Matrix Computations, 4th edition, 7.4 and 7.5). Only eigenvalues are wanted, so that
 * reflections need not reach beyond the block that is being worked on. */
#include "math/eigen.h"

#include <float.h>
#include <math.h>

#define MOST_SWEEPS 60    /* iterations for one eigenvalue */
#define SHIFT_ASIDE 10    /* every so many iterations without a result the shifts are drawn from elsewhere */
#define BALANCE_PASSES 8  /* scalings of all rows and columns, at most */
#define BALANCE_GAIN 0.95 /* a scaling must make the sum of norms smaller by this factor */

typedef struct matrix {
    int n;
    double *at; /* row-major */
} matrix;

#define AT(m, i, j) ((m)->at[(i) * (m)->n + (j)])

/* The norms, without the diagonal, of row and column i. */
static void norms_of(const matrix *m, int i, double *row, double *column) {
    *row = *column = 0;
    for (int j = 0; j < m->n; j++) {
        if (j != i) {
            *row += fabs(AT(m, i, j));
            *column += fabs(AT(m, j, i));
        }
    }
}

/* Scales rows and columns by powers of two until their norms are alike. Returns whether anything changed. */
static int balance_once(matrix *m) {
    int changed = 0;
    for (int i = 0; i < m->n; i++) {
        double row, column, factor = 1;
        norms_of(m, i, &row, &column);
        if (row == 0 || column == 0) {
            continue;
        }
        const double sum = row + column;
        for (; column < row / 2; column *= 4) {
            factor *= 2;
        }
        for (; column > row * 2; column /= 4) {
            factor /= 2;
        }
        if ((row + column) / factor >= BALANCE_GAIN * sum || factor == 1) {
            continue;
        }
        changed = 1;
        for (int j = 0; j < m->n; j++) {
            AT(m, i, j) /= factor;
        }
        for (int j = 0; j < m->n; j++) {
            AT(m, j, i) *= factor;
        }
    }
    return changed;
}

/* The reflection 1 - scale v v' that turns x [count <= 3 or more] into a multiple of the first unit vector. v replaces
 * x. Returns the scale; 0 where x already is one. */
static double reflector(int count, double *x) {
    double rest = 0;
    for (int i = 1; i < count; i++) {
        rest += x[i] * x[i];
    }
    if (rest == 0) {
        return 0;
    }
    const double norm = sqrt(x[0] * x[0] + rest);
    x[0] += x[0] > 0 ? norm : -norm;
    return 2 / (x[0] * x[0] + rest);
}

static void reduce_to_hessenberg(matrix *m, double *v) {
    const int n = m->n;
    for (int c = 0; c + 2 < n; c++) {
        const int count = n - c - 1;
        for (int i = 0; i < count; i++) {
            v[i] = AT(m, c + 1 + i, c);
        }
        const double scale = reflector(count, v);
        if (scale == 0) {
            continue;
        }
        for (int j = c; j < n; j++) {
            double sum = 0;
            for (int i = 0; i < count; i++) {
                sum += v[i] * AT(m, c + 1 + i, j);
            }
            sum *= scale;
            for (int i = 0; i < count; i++) {
                AT(m, c + 1 + i, j) -= sum * v[i];
            }
        }
        for (int i = 0; i < n; i++) {
            double *row = &AT(m, i, c + 1), sum = 0;
            for (int j = 0; j < count; j++) {
                sum += row[j] * v[j];
            }
            sum *= scale;
            for (int j = 0; j < count; j++) {
                row[j] -= sum * v[j];
            }
        }
        for (int i = c + 2; i < n; i++) {
            AT(m, i, c) = 0;
        }
    }
}

/* Applies a reflection of rows (and columns) k .. k + count - 1 to the block low .. high. */
static void reflect(matrix *m, int k, int count, const double *v, double scale, const int block[2]) {
    const int from = k > block[0] ? k - 1 : k, to = k + 3 < block[1] ? k + 3 : block[1];
    for (int j = from; j <= block[1]; j++) {
        double sum = 0;
        for (int i = 0; i < count; i++) {
            sum += v[i] * AT(m, k + i, j);
        }
        sum *= scale;
        for (int i = 0; i < count; i++) {
            AT(m, k + i, j) -= sum * v[i];
        }
    }
    for (int i = block[0]; i <= to; i++) {
        double *row = &AT(m, i, k), sum = 0;
        for (int j = 0; j < count; j++) {
            sum += row[j] * v[j];
        }
        sum *= scale;
        for (int j = 0; j < count; j++) {
            row[j] -= sum * v[j];
        }
    }
}

/* One step of the QR iteration with the two shifts whose sum and product are given, on the block low .. high. */
static void francis_step(matrix *m, const int block[2], double sum, double product) {
    const int low = block[0], high = block[1];
    double x[3];
    x[0] = AT(m, low, low) * (AT(m, low, low) - sum) + AT(m, low, low + 1) * AT(m, low + 1, low) + product;
    x[1] = AT(m, low + 1, low) * (AT(m, low, low) + AT(m, low + 1, low + 1) - sum);
    x[2] = AT(m, low + 1, low) * AT(m, low + 2, low + 1);
    for (int k = low; k < high; k++) {
        const int count = high - k + 1 < 3 ? high - k + 1 : 3;
        if (k > low) {
            for (int i = 0; i < count; i++) {
                x[i] = AT(m, k + i, k - 1);
            }
        }
        const double scale = reflector(count, x);
        if (scale == 0) {
            continue;
        }
        reflect(m, k, count, x, scale, block);
        for (int i = 1; i < count && k > low; i++) {
            AT(m, k + i, k - 1) = 0;
        }
    }
}

/* The eigenvalues of the 2 x 2 block whose first row is i. */
static void solve_pair(const matrix *m, int i, double *real, double *imaginary) {
    const double a = AT(m, i, i), b = AT(m, i, i + 1), c = AT(m, i + 1, i), d = AT(m, i + 1, i + 1);
    const double half = (a - d) / 2, square = half * half + b * c, mean = (a + d) / 2;
    if (square < 0) {
        real[i] = real[i + 1] = mean;
        imaginary[i] = sqrt(-square);
        imaginary[i + 1] = -imaginary[i];
        return;
    }
    const double root = half >= 0 ? half + sqrt(square) : half - sqrt(square);
    real[i] = d + root;
    real[i + 1] = root != 0 ? d - b * c / root : d;
    imaginary[i] = imaginary[i + 1] = 0;
}

/* The first row of the last block that no small element below the diagonal separates. */
static int block_start(matrix *m, int high) {
    for (int i = high; i > 0; i--) {
        double size = fabs(AT(m, i, i)) + fabs(AT(m, i - 1, i - 1));
        if (size == 0) {
            size = 1;
        }
        if (fabs(AT(m, i, i - 1)) <= DBL_EPSILON * size) {
            AT(m, i, i - 1) = 0;
            return i;
        }
    }
    return 0;
}

int lbm_eigenvalues(int n, double *at, double *real, double *imaginary) {
    matrix m = {n, at};
    for (int pass = 0; pass < BALANCE_PASSES && balance_once(&m); pass++) {
    }
    reduce_to_hessenberg(&m, real); /* which is scratch until the eigenvalues are known */
    int high = n - 1, sweeps = 0;
    while (high >= 0) {
        const int low = block_start(&m, high);
        if (low >= high - 1) {
            if (low == high) {
                real[high] = AT(&m, high, high);
                imaginary[high] = 0;
            } else {
                solve_pair(&m, low, real, imaginary);
            }
            high = low - 1;
            sweeps = 0;
            continue;
        }
        if (++sweeps > MOST_SWEEPS) {
            return 0;
        }
        const double a = AT(&m, high - 1, high - 1), d = AT(&m, high, high);
        double sum = a + d, product = a * d - AT(&m, high - 1, high) * AT(&m, high, high - 1);
        if (sweeps % SHIFT_ASIDE == 0) {
            const double size = fabs(AT(&m, high, high - 1)) + fabs(AT(&m, high - 1, high - 2));
            sum = 1.5 * size;
            product = size * size;
        }
        francis_step(&m, (const int[2]){low, high}, sum, product);
    }
    return 1;
}
