/* The angles of motion 2 at which the 12 equations have a solution: real roots of the determinant, which is sampled;
 * and, where that loses digits, eigenvalues of the matrix polynomial itself. */
#include <math.h>

#include "closed/general/general.h"
#include "math/eigen.h"
#include "math/trig.h"

#define LOST_SHARE 1e-12 /* of the determinant: noise above this is a loss of digits */
#define LOST_SPREAD 1e7  /* of the right side's factor */
#define LOST_ANGLE 1e-6  /* radians that noise moves a root by */
#define NOISE_FACTOR 3.0
#define DOUBT_FACTOR 10.0 /* of the noise: where the determinant is smaller it may be 0 */
#define LEAST_DOUBT 3e-14 /* of the largest determinant: the same, for what rounding alone makes of the coefficients */
#define NEAR_UNIT 0.05    /* eigenvalues whose z = e^{it} is so near to the unit circle are tried, as ln |z| */
#define NOT_REAL 1e-5     /* the same: eigenvalues that are farther off have no solution */
#define MINIMA 64         /* angles at which minima of the determinant are looked for */
#define SPURIOUS 1e-6     /* eigenvalues so near to +-i come from the denominators */

void lbc_loop_matrix(const lbc_loop *loop, double c, double s, lbc_square m) {
    memset(m, 0, sizeof(lbc_square));
    for (int e = 0; e < 6; e++) {
        const double *one = &loop->six[0][e][0][0], *by_c = &loop->six[1][e][0][0], *by_s = &loop->six[2][e][0][0];
        for (int k = 0; k < 9; k++) {
            m[e][k] = m[6 + e][3 + k] = one[k] + c * by_c[k] + s * by_s[k];
        }
    }
}

double lbc_factor(lbc_square a, int pivots[LBC_ORDER]) {
    double determinant = 1;
    for (int c = 0; c < LBC_ORDER; c++) {
        int pivot = c;
        for (int i = c + 1; i < LBC_ORDER; i++) {
            pivot = fabs(a[i][c]) > fabs(a[pivot][c]) ? i : pivot;
        }
        pivots[c] = pivot;
        if (pivot != c) {
            for (int k = 0; k < LBC_ORDER; k++) {
                const double swapped = a[c][k];
                a[c][k] = a[pivot][k];
                a[pivot][k] = swapped;
            }
            determinant = -determinant;
        }
        determinant *= a[c][c];
        if (a[c][c] == 0) {
            a[c][c] = 1e-100; /* so that inverse iteration finds the null vector */
        }
        const double inverse = 1 / a[c][c];
        for (int i = c + 1; i < LBC_ORDER; i++) {
            const double factor = a[i][c] *= inverse;
            if (factor != 0) {
                for (int k = c + 1; k < LBC_ORDER; k++) {
                    a[i][k] -= factor * a[c][k];
                }
            }
        }
    }
    return determinant;
}

int lbc_loop_roots(const lbc_general *general, const lbc_loop *loop, lbc_general_work *work) {
    double f[LBC_SAMPLES], largest = 0, noise = 0;
    int pivots[LBC_ORDER];
    for (int i = 0; i < LBC_SAMPLES; i++) {
        lbc_loop_matrix(loop, general->cosine[i], general->sine[i], work->matrix);
        f[i] = lbc_factor(work->matrix, pivots);
        largest = fabs(f[i]) > largest ? fabs(f[i]) : largest;
    }
    for (int k = 0; k <= LBC_SAMPLES / 2; k++) {
        double a = 0, b = 0;
        for (int i = 0; i < LBC_SAMPLES; i++) {
            a += f[i] * general->cosine[i * k % LBC_SAMPLES];
            b += f[i] * general->sine[i * k % LBC_SAMPLES];
        }
        a *= (k ? 2.0 : 1.0) / LBC_SAMPLES;
        b *= 2.0 / LBC_SAMPLES;
        if (k <= LBC_TRIG_DEGREE) {
            work->f.a[k] = a;
            work->f.b[k] = b;
        } else {
            noise = fabs(a) > noise ? fabs(a) : noise;
            noise = fabs(b) > noise && k < LBC_SAMPLES / 2 ? fabs(b) : noise;
        }
    }
    work->f.noise = DOUBT_FACTOR * noise > LEAST_DOUBT * largest ? DOUBT_FACTOR * noise : LEAST_DOUBT * largest;
    noise *= NOISE_FACTOR;
    lbc_trig_roots(&general->basis, &work->f, &work->found);
    int is_lossy =
        !(noise <= NOISE_FACTOR * LOST_SHARE * largest) || !(loop->spread <= LOST_SPREAD) || work->found.doubtful;
    for (int i = 0; i < work->found.count && !is_lossy; i++) {
        double slope;
        lbc_trig_value(&work->f, LBC_TRIG_DEGREE, work->found.roots[i], &slope);
        is_lossy = !(noise <= LOST_ANGLE * fabs(slope));
    }
    return is_lossy;
}

void lbc_solve_factored(lbc_square a, const int pivots[LBC_ORDER], double x[LBC_ORDER]) {
    for (int c = 0; c < LBC_ORDER; c++) {
        const double swapped = x[c];
        x[c] = x[pivots[c]];
        x[pivots[c]] = swapped;
    }
    for (int i = 0; i < LBC_ORDER; i++) {
        for (int k = 0; k < i; k++) {
            x[i] -= a[i][k] * x[k];
        }
    }
    for (int i = LBC_ORDER - 1; i >= 0; i--) {
        for (int k = i + 1; k < LBC_ORDER; k++) {
            x[i] -= a[i][k] * x[k];
        }
        x[i] /= a[i][i];
    }
}

/* With t = offset + u, x = tan(u / 2): A x^2 + B x + C, A = M0 - Mc, B = 2 Ms, C = M0 + Mc. The offset whose A has the
 * best pivots is taken; A's factors are left in work->matrix. */
static double choose_offset(const lbc_loop *loop, lbc_general_work *work, int pivots[LBC_ORDER]) {
    static const double offsets[] = {0.7371, 2.2413, 3.9127, 5.5309};
    double best = 0, chosen = offsets[0];
    for (int pass = 0; pass <= 4; pass++) {
        const double offset = pass < 4 ? offsets[pass] : chosen;
        double s, c, least = INFINITY, most = 0;
        lbm_sincos(offset, &s, &c);
        lbc_loop_matrix(loop, -c, -s, work->matrix); /* half a turn from the offset, where x is infinite */
        lbc_factor(work->matrix, pivots);
        for (int i = 0; i < LBC_ORDER; i++) {
            const double pivot = fabs(work->matrix[i][i]);
            least = pivot < least ? pivot : least;
            most = pivot > most ? pivot : most;
        }
        if (pass < 4 && least / most > best) {
            best = least / most;
            chosen = offset;
        }
    }
    return chosen;
}

/* The companion matrix of A z^2 + B z + C, A = M factored in work->matrix: its lower rows are -A^-1 C and -A^-1 B, for
 * the hidden joint's angle counted from one of cosine c and sine s. */
static void fill_companion(const lbc_loop *loop, double c, double s, const int *pivots, lbc_general_work *work) {
    const int n = LBC_ORDER, size = 2 * LBC_ORDER;
    memset(work->companion, 0, sizeof work->companion);
    for (int part = 0; part < 2; part++) { /* -A^-1 C, then -A^-1 B */
        if (part == 0) {
            lbc_loop_matrix(loop, c, s, work->other);
        } else { /* 2 Ms = M(offset + 90 degrees) - M(offset - 90 degrees) */
            lbc_square minus;
            lbc_loop_matrix(loop, -s, c, work->other);
            lbc_loop_matrix(loop, s, -c, minus);
            for (int i = 0; i < n * n; i++) {
                (&work->other[0][0])[i] -= (&minus[0][0])[i];
            }
        }
        for (int k = 0; k < n; k++) {
            double column[LBC_ORDER];
            for (int i = 0; i < n; i++) {
                column[i] = -work->other[i][k];
            }
            lbc_solve_factored(work->matrix, pivots, column);
            for (int i = 0; i < n; i++) {
                work->companion[(n + i) * size + part * n + k] = column[i];
            }
        }
    }
    for (int i = 0; i < n; i++) {
        work->companion[i * size + n + i] = 1;
    }
}

int lbc_loop_eigen_roots(const lbc_loop *loop, lbc_general_work *work) {
    const int size = 2 * LBC_ORDER;
    int pivots[LBC_ORDER];
    double s, c, real[2 * LBC_ORDER], imaginary[2 * LBC_ORDER];
    const double offset = choose_offset(loop, work, pivots);
    lbm_sincos(offset, &s, &c);
    work->eigen.count = 0;
    work->eigen.lack = -INFINITY;
    fill_companion(loop, c, s, pivots, work);
    if (!lbm_all_finite(work->companion, size * size) || !lbm_eigenvalues(size, work->companion, real, imaginary)) {
        return 0;
    }
    for (int i = 0; i < size; i++) {
        const double x = real[i], y = imaginary[i]; /* z = (1 + i (x + i y)) / (1 - i (x + i y)) */
        const double up = (1 - y) * (1 - y) + x * x, down = (1 + y) * (1 + y) + x * x;
        if (up < SPURIOUS * SPURIOUS || down < SPURIOUS * SPURIOUS || y < 0) {
            continue;
        }
        const double off = sqrt(down / up) - 1, short_of = -off * off; /* |z| less 1: the angle's imaginary part */
        if (y > 0 && short_of > work->eigen.lack && off > NOT_REAL) {
            work->eigen.lack = short_of;
        }
        if (up > down * (1 + 2 * NEAR_UNIT) || down > up * (1 + 2 * NEAR_UNIT)) {
            continue;
        }
        const double angle = lbm_atan2(2 * x, 1 - x * x - y * y); /* of (1 + i w) conj(1 - i w) */
        if (work->eigen.count < LBC_TRIG_ROOTS) {
            work->eigen.weights[work->eigen.count] = y > 0 ? 2 : 1;
            work->eigen.roots[work->eigen.count++] = offset + angle;
        }
    }
    return 1;
}

/* Near a minimum that is no root f = c ((t - a)^2 + b^2): b^2 = 2 f / f'', the square of the pair of roots' imaginary
 * part. */
double lbc_general_lack(const lbc_general_work *work) {
    double lack = -INFINITY, slope = 0, before = 0, value_before = 0;
    if (work->is_lossy) {
        return work->eigen.lack;
    }
    for (int i = 0; i <= MINIMA; i++) {
        const double step = LBM_TWO_PI / MINIMA, value = lbc_trig_value(&work->f, LBC_TRIG_DEGREE, step * i, &slope);
        const double sign = value < 0 ? -1 : 1;
        if (i > 0 && value * value_before > 0 && sign * before < 0 && sign * slope > 0) {
            const double bend = (slope - before) / step, way = -before / bend;
            const double least = sign * (value_before + before * way / 2);
            if (least > 0 && -2 * least / fabs(bend) > lack) {
                lack = -2 * least / fabs(bend);
            }
        }
        before = slope;
        value_before = value;
    }
    return lack;
}
