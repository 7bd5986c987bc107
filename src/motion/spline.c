#include "motion/spline.h"

#include <string.h>

#include "math/rotation.h"

/* --- Jacobians of the exponential map, in the frame of the key that is reached ----------------------------------- */

/*
 * With r(s) the rotation vector since the key, the angular velocity in the moving frame is J(r) r' with
 * J(r) = 1 - a [r] + b [r]^2, and its derivative is J(r) r'' + B(r; r', r'), where B(r; v, w) = (dJ/dr v) w. In the
 * key's frame the signs of the odd terms change. (a, b, da, db: see lbm_exponential.)
 */
static void jacobian(const double r[3], const lbm_exponential *e, double sign, const double v[3], double out[3]) {
    double once[3], twice[3];
    lbm_cross3(r, v, once);
    lbm_cross3(r, once, twice);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + sign * e->a * once[i] + e->b * twice[i];
    }
}

/* The inverse of J for the moving frame: 1 + [r]/2 - da/(2a) [r]^2. */
static void inverse_jacobian(const double r[3], const lbm_exponential *e, const double v[3], double out[3]) {
    double once[3], twice[3], c = -0.5 * e->da / e->a;
    lbm_cross3(r, v, once);
    lbm_cross3(r, once, twice);
    for (int i = 0; i < 3; i++) {
        out[i] = v[i] + 0.5 * once[i] + c * twice[i];
    }
}

static void bend(const double r[3], const lbm_exponential *e, double sign, const double v[3], const double w[3],
                 double out[3]) {
    double vw[3], rw[3], rrw[3], vrw[3], rvw[3], along = lbm_dot3(r, v);
    lbm_cross3(v, w, vw);
    lbm_cross3(r, w, rw);
    lbm_cross3(r, rw, rrw);
    lbm_cross3(v, rw, vrw);
    lbm_cross3(r, vw, rvw);
    for (int i = 0; i < 3; i++) {
        out[i] = sign * (e->a * vw[i] + e->da * along * rw[i]) + e->b * (vrw[i] + rvw[i]) + e->db * along * rrw[i];
    }
}

void lbt_turn(const double a[4], const double b[4], double turn[3]) {
    double inverse[4] = {-a[0], -a[1], -a[2], a[3]}, between[4];
    lbm_quaternion_multiply(inverse, b, between);
    lbm_logarithm(between, turn);
}

/* --- Between two keys --------------------------------------------------------------------------------------------- */

/* The cubic from 0 to `turn` with these slopes at its ends, per unit of time. */
static void hermite(double turn, double length, double s, double before, double after, double out[3]) {
    double m0 = length * before, m1 = length * after, rest = 1 - s;
    out[0] = s * s * (3 - 2 * s) * turn + s * rest * (rest * m0 - s * m1);
    out[1] = (6 * s * rest * turn + rest * (1 - 3 * s) * m0 + s * (3 * s - 2) * m1) / length;
    out[2] = ((6 - 12 * s) * turn + (6 * s - 4) * m0 + (6 * s - 2) * m1) / (length * length);
}

void lbt_number_at(double key, double turn, double length, double s, double before, double after, double out[3]) {
    hermite(turn, length, s, before, after, out);
    out[0] += key;
}

void lbt_rotation_at(const lbt_rotation_stretch *stretch, double s, double rotation[4], double *rate,
                     double *acceleration) {
    const double *key = stretch->key, *turn = stretch->turn;
    lbm_exponential e;
    double end[3], r[3], dr[3], ddr[3], q[4];
    lbm_exponential_at(turn, &e);
    inverse_jacobian(turn, &e, stretch->slope_after, end);
    for (int i = 0; i < 3; i++) {
        double parts[3];
        hermite(turn[i], stretch->length, s, stretch->slope_before[i], end[i], parts);
        r[i] = parts[0];
        dr[i] = parts[1];
        ddr[i] = parts[2];
    }
    lbm_exponential_quaternion(r, q);
    lbm_quaternion_multiply(key, q, rotation);
    lbm_quaternion_normalise(rotation);
    if (!rate && !acceleration) {
        return;
    }
    lbm_exponential_at(r, &e);
    double velocity[3], change[3], quadratic[3];
    jacobian(r, &e, 1, dr, velocity);
    jacobian(r, &e, 1, ddr, change);
    bend(r, &e, 1, dr, dr, quadratic);
    for (int i = 0; i < 3; i++) {
        change[i] += quadratic[i];
    }
    if (rate) {
        lbm_quaternion_rotate(key, velocity, rate);
    }
    if (acceleration) {
        lbm_quaternion_rotate(key, change, acceleration);
    }
}

void lbt_parabola_slope(int dim, double length_before, const double *turn_before, double length_after,
                        const double *turn_after, double *slope) {
    double sum = length_before + length_after;
    for (int i = 0; i < dim; i++) {
        slope[i] = (turn_before[i] / length_before * length_after + turn_after[i] / length_after * length_before) / sum;
    }
}

/* --- The C2 spline ------------------------------------------------------------------------------------------------ */

/*
 * Unknown are the slopes w at the keys; asked is that accelerations agree. With h and phi of the stretch between keys i
 * and i + 1, J = J(phi), and v = J^-1 w[i+1] the end slope of its cubic,
 *
 *     acceleration at its begin, in the frame of key i:    6 phi/h^2 - 4 w[i]/h - 2 J^-1 w[i+1]/h
 *     at its end, in the frame of key i + 1:             - 6 phi/h^2 + 2 J w[i]/h + 4 w[i+1]/h + B(phi; v, v)
 *
 * (J phi = phi). For numbers J = 1 and B = 0: the usual tridiagonal system. For rotations the system is block
 * tridiagonal and diagonally dominant (|J| <= 1, |J^-1| <= pi/2), with B as a mild quadratic term: Newton.
 */
typedef struct blocks {
    int dim, rows;
    double bend;                      /* how much of the quadratic term counts, 0 to 1 */
    double *lower, *diagonal, *upper; /* [row][dim][dim] */
    double *right;                    /* [row][1 + dim][dim]: the right side, and the columns of a border */
} blocks;

#define BLOCK(matrix, b, i) ((matrix) + (size_t)(i) * (size_t)((b)->dim * (b)->dim))
#define RIGHT(b, i) ((b)->right + (size_t)(i) * (size_t)((b)->dim * ((b)->dim + 1)))

void lbt_solve_small(int dim, double *m, double *right, int columns) {
    for (int k = 0; k < dim; k++) {
        int pivot = k;
        for (int i = k + 1; i < dim; i++) {
            if (fabs(m[i * dim + k]) > fabs(m[pivot * dim + k])) {
                pivot = i;
            }
        }
        for (int j = 0; j < dim && pivot != k; j++) {
            double swap = m[k * dim + j];
            m[k * dim + j] = m[pivot * dim + j];
            m[pivot * dim + j] = swap;
        }
        for (int c = 0; c < columns && pivot != k; c++) {
            double swap = right[c * dim + k];
            right[c * dim + k] = right[c * dim + pivot];
            right[c * dim + pivot] = swap;
        }
        for (int i = k + 1; i < dim; i++) {
            double factor = m[i * dim + k] / m[k * dim + k];
            for (int j = k; j < dim; j++) {
                m[i * dim + j] -= factor * m[k * dim + j];
            }
            for (int c = 0; c < columns; c++) {
                right[c * dim + i] -= factor * right[c * dim + k];
            }
        }
    }
    for (int c = 0; c < columns; c++) {
        for (int i = dim - 1; i >= 0; i--) {
            for (int j = i + 1; j < dim; j++) {
                right[c * dim + i] -= m[i * dim + j] * right[c * dim + j];
            }
            right[c * dim + i] /= m[i * dim + i];
        }
    }
}

/* to -= m * from, for `columns` columns; m is row-major. */
static void subtract_product(int dim, const double *m, const double *from, double *to, int columns) {
    for (int c = 0; c < columns; c++) {
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < dim; j++) {
                to[c * dim + i] -= m[i * dim + j] * from[c * dim + j];
            }
        }
    }
}

/* Rows 0 to rows - 1 of a tridiagonal system for `columns` right sides: forwards, then back. The blocks of `upper`
 * become columns: upper[i][c][.] is column c of D^-1 U. */
static void solve_tridiagonal(blocks *b, int rows, int columns) {
    int dim = b->dim;
    double copy[9], transposed[9];
    for (int i = 0; i < rows; i++) {
        double *d = BLOCK(b->diagonal, b, i), *u = BLOCK(b->upper, b, i);
        if (i > 0) {
            const double *l = BLOCK(b->lower, b, i), *before = BLOCK(b->upper, b, i - 1);
            for (int c = 0; c < dim; c++) {
                for (int r = 0; r < dim; r++) {
                    for (int j = 0; j < dim; j++) {
                        d[r * dim + c] -= l[r * dim + j] * before[c * dim + j];
                    }
                }
            }
            subtract_product(dim, l, RIGHT(b, i - 1), RIGHT(b, i), columns);
        }
        for (int c = 0; c < dim; c++) {
            for (int r = 0; r < dim; r++) {
                transposed[c * dim + r] = i + 1 < rows ? u[r * dim + c] : 0;
            }
        }
        memcpy(copy, d, (size_t)(dim * dim) * sizeof *copy);
        lbt_solve_small(dim, copy, transposed, dim);
        memcpy(copy, d, (size_t)(dim * dim) * sizeof *copy);
        lbt_solve_small(dim, copy, RIGHT(b, i), columns);
        memcpy(u, transposed, (size_t)(dim * dim) * sizeof *u);
    }
    for (int i = rows - 2; i >= 0; i--) {
        const double *u = BLOCK(b->upper, b, i), *after = RIGHT(b, i + 1);
        double *x = RIGHT(b, i);
        for (int c = 0; c < columns; c++) {
            for (int r = 0; r < dim; r++) {
                for (int j = 0; j < dim; j++) {
                    x[c * dim + r] -= u[j * dim + r] * after[c * dim + j];
                }
            }
        }
    }
}

/* The last unknown of a periodic system is a border: the others are solved as functions of it. */
static void solve_cyclic(blocks *b) {
    int dim = b->dim, last = b->rows - 1, square = dim * dim;
    double *d = BLOCK(b->diagonal, b, last), *l = BLOCK(b->lower, b, last), *u = BLOCK(b->upper, b, last);
    double *x = RIGHT(b, last);
    if (last == 0) {
        for (int i = 0; i < square; i++) {
            d[i] += l[i] + u[i];
        }
        lbt_solve_small(dim, d, x, 1);
        return;
    }
    for (int i = 0; i < last; i++) {
        memset(RIGHT(b, i) + dim, 0, (size_t)square * sizeof(double));
    }
    const double *first = BLOCK(b->lower, b, 0), *end = BLOCK(b->upper, b, last - 1);
    for (int c = 0; c < dim; c++) {
        for (int r = 0; r < dim; r++) {
            RIGHT(b, 0)[dim + c * dim + r] -= first[r * dim + c];
            RIGHT(b, last - 1)[dim + c * dim + r] -= end[r * dim + c];
        }
    }
    solve_tridiagonal(b, last, 1 + dim);
    subtract_product(dim, l, RIGHT(b, last - 1), x, 1);
    subtract_product(dim, u, RIGHT(b, 0), x, 1);
    for (int c = 0; c < dim; c++) {
        for (int r = 0; r < dim; r++) {
            for (int j = 0; j < dim; j++) {
                d[r * dim + c] += l[r * dim + j] * RIGHT(b, last - 1)[dim + c * dim + j] +
                                  u[r * dim + j] * RIGHT(b, 0)[dim + c * dim + j];
            }
        }
    }
    lbt_solve_small(dim, d, x, 1);
    for (int i = 0; i < last; i++) {
        for (int r = 0; r < dim; r++) {
            for (int c = 0; c < dim; c++) {
                RIGHT(b, i)[r] += RIGHT(b, i)[dim + c * dim + r] * x[c];
            }
        }
    }
}

/* A row asks that the stretch before a key ends with as much acceleration as the one after begins with. What is left of
 * that at the present slopes goes to the right side, negative. */
static void add_end(blocks *b, int row, double h, const double *turn, const double *w0, const double *w1) {
    int dim = b->dim;
    double *lower = BLOCK(b->lower, b, row), *diagonal = BLOCK(b->diagonal, b, row), *right = RIGHT(b, row);
    if (dim == 1) {
        lower[0] += 2 / h;
        diagonal[0] += 4 / h;
        right[0] -= -6 * turn[0] / (h * h) + 2 * w0[0] / h + 4 * w1[0] / h;
        return;
    }
    lbm_exponential e;
    double v[3], quadratic[3], turned[3];
    lbm_exponential_at(turn, &e);
    inverse_jacobian(turn, &e, w1, v);
    bend(turn, &e, -1, v, v, quadratic);
    jacobian(turn, &e, -1, w0, turned);
    for (int i = 0; i < 3; i++) {
        double unit[3] = {i == 0, i == 1, i == 2}, column[3], dv[3], one[3], other[3];
        right[i] -= -6 * turn[i] / (h * h) + 2 * turned[i] / h + 4 * w1[i] / h + b->bend * quadratic[i];
        jacobian(turn, &e, -1, unit, column);
        inverse_jacobian(turn, &e, unit, dv);
        bend(turn, &e, -1, dv, v, one);
        bend(turn, &e, -1, v, dv, other);
        for (int r = 0; r < 3; r++) {
            lower[r * 3 + i] += 2 * column[r] / h;
            diagonal[r * 3 + i] += 4 * unit[r] / h + b->bend * (one[r] + other[r]);
        }
    }
}

static void add_begin(blocks *b, int row, double h, const double *turn, const double *w0, const double *w1) {
    int dim = b->dim;
    double *upper = BLOCK(b->upper, b, row), *diagonal = BLOCK(b->diagonal, b, row), *right = RIGHT(b, row);
    if (dim == 1) {
        upper[0] += 2 / h;
        diagonal[0] += 4 / h;
        right[0] -= 4 * w0[0] / h + 2 * w1[0] / h - 6 * turn[0] / (h * h);
        return;
    }
    lbm_exponential e;
    double v[3];
    lbm_exponential_at(turn, &e);
    inverse_jacobian(turn, &e, w1, v);
    for (int i = 0; i < 3; i++) {
        double unit[3] = {i == 0, i == 1, i == 2}, column[3];
        right[i] -= 4 * w0[i] / h + 2 * v[i] / h - 6 * turn[i] / (h * h);
        inverse_jacobian(turn, &e, unit, column);
        for (int r = 0; r < 3; r++) {
            upper[r * 3 + i] += 2 * column[r] / h;
            diagonal[r * 3 + i] += 4 * unit[r] / h;
        }
    }
}

static void assemble(blocks *b, int count, const double *lengths, const double *turns, int ends, const double *slopes) {
    int dim = b->dim, periodic = (ends & LBT_PERIODIC) != 0;
    size_t square = (size_t)dim * (size_t)dim, rows = (size_t)b->rows;
    memset(b->lower, 0, (3 * rows * square + rows * (square + (size_t)dim)) * sizeof(double));
    for (int i = 0; i < b->rows; i++) {
        int before = i > 0 ? i - 1 : periodic ? count - 1 : -1, after = i < count ? i : -1;
        if ((i == 0 && (ends & LBT_CLAMP_FIRST)) || (i == count && (ends & LBT_CLAMP_LAST))) {
            for (int k = 0; k < dim; k++) {
                BLOCK(b->diagonal, b, i)[k * dim + k] = 1;
            }
            continue; /* its slope is 0 from the beginning */
        }
        const double *w = slopes + (size_t)i * (size_t)dim;
        if (before >= 0) {
            add_end(b, i, lengths[before], turns + (size_t)before * (size_t)dim, slopes + (size_t)before * (size_t)dim,
                    w);
        }
        if (after >= 0) {
            add_begin(b, i, lengths[after], turns + (size_t)after * (size_t)dim, w,
                      slopes + (size_t)((i + 1) % (periodic ? count : count + 1)) * (size_t)dim);
        }
    }
}

size_t lbt_spline_room(int dim, int count) {
    size_t square = (size_t)dim * (size_t)dim, rows = (size_t)count + 1;
    return rows * (4 * square + (size_t)dim);
}

/* Slopes from the neighbours alone, for want of better ones. */
static void plain_slopes(int dim, int count, const double *lengths, const double *turns, int ends, double *slopes) {
    for (int i = 0; i <= count; i++) {
        int before = i > 0 ? i - 1 : ends & LBT_PERIODIC ? count - 1 : 0;
        int after = i < count ? i : ends & LBT_PERIODIC ? 0 : count - 1;
        lbt_parabola_slope(dim, lengths[before], turns + (size_t)before * (size_t)dim, lengths[after],
                           turns + (size_t)after * (size_t)dim, slopes + (size_t)i * (size_t)dim);
    }
    if (ends & LBT_CLAMP_FIRST) {
        memset(slopes, 0, (size_t)dim * sizeof *slopes);
    }
    if (ends & LBT_CLAMP_LAST) {
        memset(slopes + (size_t)count * (size_t)dim, 0, (size_t)dim * sizeof *slopes);
    }
}

#define NEWTON_STEPS 40

/* From the slopes given; returns whether it got there. */
static int newton(blocks *b, int count, const double *lengths, const double *turns, int ends, double *slopes) {
    for (int step = 0; step < NEWTON_STEPS; step++) {
        assemble(b, count, lengths, turns, ends, slopes);
        if (ends & LBT_PERIODIC) {
            solve_cyclic(b);
        } else {
            solve_tridiagonal(b, b->rows, 1);
        }
        double most = 0, size = 0;
        for (int i = 0; i < b->rows; i++) {
            for (int k = 0; k < b->dim; k++) {
                double *w = &slopes[(size_t)i * (size_t)b->dim + (size_t)k], change = RIGHT(b, i)[k];
                *w += change;
                if (!(fabs(change) <= most)) {
                    most = fabs(change);
                }
                if (!(fabs(*w) <= size)) {
                    size = fabs(*w);
                }
            }
        }
        if (!lbm_is_finite(most)) {
            return 0;
        }
        if (b->dim == 1 || most <= 1e-8 * size) {
            return 1; /* the next change would be of its square */
        }
    }
    return 0;
}

/* Where Newton does not find its way at once, the quadratic term grows in parts. With turns of near a half and times
 * hundreds of times as long as their neighbours there may be no such spline: then slopes from the neighbours. */
void lbt_spline_slopes(int dim, int count, const double *lengths, const double *turns, int ends, double *slopes,
                       double *scratch) {
    int periodic = (ends & LBT_PERIODIC) != 0, rows = periodic ? count : count + 1, done = 0;
    size_t block = (size_t)rows * (size_t)(dim * dim);
    blocks b = {dim, rows, 1, scratch, scratch + block, scratch + 2 * block, scratch + 3 * block};
    for (int parts = 1; parts <= 64 && !done; parts *= 8) {
        memset(slopes, 0, (size_t)(count + 1) * (size_t)dim * sizeof *slopes);
        done = 1;
        for (int i = 1; i <= parts && done; i++) {
            b.bend = (double)i / parts;
            done = newton(&b, count, lengths, turns, ends, slopes);
        }
    }
    if (!done) {
        plain_slopes(dim, count, lengths, turns, ends, slopes);
    }
    if (periodic) {
        memcpy(slopes + (size_t)count * (size_t)dim, slopes, (size_t)dim * sizeof *slopes);
    }
}
