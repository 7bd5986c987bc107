#include "closed/arm.h"

#include <float.h>

#include "figure/figure.h"
#include "math/trig.h"

#define ALWAYS_SINGULAR 1e6 /* a condition number that counts as singular */
#define RANDOM_POSES 9
#define NEWTON_BELOW 1e-3  /* where the error is smaller, Newton's steps are taken as they are */
#define LONGEST_STEP 0.5   /* radians or arm lengths */
#define SMALL_ENOUGH 1e-15 /* an error that needs no further step */
#define FIRST_DAMPING 1e-2
#define LEAST_DAMPING 1e-14
#define MOST_DAMPING 1e6
#define JACOBI_SWEEPS 30

double lbc_wrapped(double x) {
    const double turns = floor((x + LBM_PI) / LBM_TWO_PI);
    double y = x - turns * LBM_TWO_PI;
    if (y <= -LBM_PI) {
        y += LBM_TWO_PI;
    }
    return y;
}

void lbc_arm_finish(lbc_arm *arm) {
    double longest = 0;
    for (int i = 0; i < arm->n; i++) {
        double way[3];
        lbm_sub3(i + 1 < arm->n ? arm->point[i + 1] : arm->home.p, arm->point[i], way);
        longest = lbm_norm3(way) > longest ? lbm_norm3(way) : longest;
    }
    arm->length = longest > 1e-9 ? longest : 1;
    lbm_transform before, frame, inverse;
    lbm_transform_identity(&before);
    for (int i = 0; i <= arm->n; i++) {
        double *point = i < arm->n ? arm->point[i] : arm->home.p;
        for (int k = 0; k < 3; k++) {
            point[k] /= arm->length;
        }
        if (i < arm->n) {
            lbf_align(arm->axis[i], &frame);
            lbm_copy3(frame.p, point);
        } else {
            frame = arm->home;
        }
        lbm_transform_invert(&before, &inverse);
        lbm_transform_multiply(&inverse, &frame, &arm->gap[i]);
        before = frame;
    }
    lbm_transform_invert(&arm->home, &arm->home_inverse);
}

void lbc_arm_move(const lbc_arm *arm, const double *q, const double *sine, const double *cosine, lbc_motion *motion) {
    const lbm_transform *before = NULL;
    for (int i = 0; i < arm->n; i++) {
        lbm_transform *f = &motion->frame[i];
        if (before) {
            lbm_transform_multiply(before, &arm->gap[i], f);
        } else {
            *f = arm->gap[i];
        }
        if (arm->slides[i]) {
            lbm_add_scaled3(f->p, f->z, q[i]);
        } else {
            const lbm_v4 x = lbm_load4(f->x), y = lbm_load4(f->y);
            lbm_store4(f->x, lbm_add4(lbm_scale4(x, cosine[i]), lbm_scale4(y, sine[i])));
            lbm_store4(f->y, lbm_add4(lbm_scale4(y, cosine[i]), lbm_scale4(x, -sine[i])));
        }
        before = f;
    }
    lbm_transform_multiply(before, &arm->gap[arm->n], &motion->end);
}

void lbc_arm_forward(const lbc_arm *arm, const double *q, lbc_motion *motion) {
    double sine[LBC_JOINTS], cosine[LBC_JOINTS];
    for (int i = 0; i < arm->n; i++) {
        lbm_sincos(q[i], &sine[i], &cosine[i]);
    }
    lbc_arm_move(arm, q, sine, cosine, motion);
}

double lbc_arm_error(const lbm_transform *end, const lbm_transform *goal, double error[6]) {
    double cross[3], turn[3] = {0, 0, 0};
    const double *from[3] = {end->x, end->y, end->z}, *to[3] = {goal->x, goal->y, goal->z};
    double trace = -1;
    for (int k = 0; k < 3; k++) {
        error[k] = goal->p[k] - end->p[k];
        lbm_cross3(from[k], to[k], cross);
        lbm_add_scaled3(turn, cross, 0.5);
        trace += lbm_dot3(from[k], to[k]);
    }
    const double sine = lbm_norm3(turn);
    double factor = 1;
    if (sine > 1e-7 || trace < 0) { /* below, the sine is the angle to all digits */
        factor = sine > 1e-9 ? lbm_atan2(sine, trace / 2) / sine : 0;
    }
    double sum = 0;
    for (int k = 0; k < 3; k++) {
        error[3 + k] = factor * turn[k];
        sum += error[k] * error[k] + error[3 + k] * error[3 + k];
    }
    if (sine <= 1e-9 && trace < 0) { /* half a turn about an axis that cannot be told */
        sum += LBM_PI * LBM_PI;
    }
    return sqrt(sum);
}

void lbc_arm_jacobian(const lbc_arm *arm, const lbc_motion *motion, double *jacobian) {
    const int n = arm->n;
    for (int i = 0; i < n; i++) {
        const lbm_transform *f = &motion->frame[i];
        double way[3], moved[3] = {f->z[0], f->z[1], f->z[2]};
        if (!arm->slides[i]) {
            lbm_sub3(motion->end.p, f->p, way);
            lbm_cross3(f->z, way, moved);
        }
        for (int k = 0; k < 3; k++) {
            jacobian[k * n + i] = moved[k];
            jacobian[(3 + k) * n + i] = arm->slides[i] ? 0 : f->z[k];
        }
    }
}

/* One-sided Jacobi rotations until the rows [6][n] are at right angles; their norms are the singular values then. */
static void make_orthogonal(double *a, int n) {
    for (int sweep = 0, turned = 1; sweep < JACOBI_SWEEPS && turned; sweep++) {
        turned = 0;
        for (int i = 0; i < 6; i++) {
            for (int j = i + 1; j < 6; j++) {
                double p = 0, q = 0, r = 0;
                for (int k = 0; k < n; k++) {
                    p += a[i * n + k] * a[i * n + k];
                    q += a[j * n + k] * a[j * n + k];
                    r += a[i * n + k] * a[j * n + k];
                }
                if (r * r <= DBL_EPSILON * DBL_EPSILON * p * q || r == 0) {
                    continue;
                }
                turned = 1;
                const double zeta = (q - p) / (2 * r);
                const double t = (zeta >= 0 ? 1 : -1) / (fabs(zeta) + sqrt(1 + zeta * zeta));
                const double c = 1 / sqrt(1 + t * t), s = c * t;
                for (int k = 0; k < n; k++) {
                    const double u = a[i * n + k], v = a[j * n + k];
                    a[i * n + k] = c * u - s * v;
                    a[j * n + k] = s * u + c * v;
                }
            }
        }
    }
}

double lbc_arm_condition(const lbc_arm *arm, const double *q) {
    lbc_motion motion;
    double jacobian[6 * LBC_JOINTS];
    lbc_arm_forward(arm, q, &motion);
    lbc_arm_jacobian(arm, &motion, jacobian);
    return lbc_jacobian_condition(jacobian, arm->n);
}

double lbc_jacobian_condition(double *jacobian, int n) {
    double least = INFINITY, most = 0;
    make_orthogonal(jacobian, n);
    for (int i = 0; i < 6; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
            sum += jacobian[i * n + k] * jacobian[i * n + k];
        }
        least = sum < least ? sum : least;
        most = sum > most ? sum : most;
    }
    return least > 0 ? sqrt(most / least) : INFINITY;
}

/* Solves a x = b for six unknowns by elimination with pivots; b becomes x. Returns 0 where a is singular. */
static int eliminate(double a[36], double b[6]) {
    for (int c = 0; c < 6; c++) {
        int pivot = c;
        for (int i = c + 1; i < 6; i++) {
            pivot = fabs(a[6 * i + c]) > fabs(a[6 * pivot + c]) ? i : pivot;
        }
        if (a[6 * pivot + c] == 0) {
            return 0;
        }
        for (int k = 0; k < 6 && pivot != c; k++) {
            const double swapped = a[6 * c + k];
            a[6 * c + k] = a[6 * pivot + k];
            a[6 * pivot + k] = swapped;
        }
        const double swapped = b[c];
        b[c] = b[pivot];
        b[pivot] = swapped;
        for (int i = c + 1; i < 6; i++) {
            const double factor = a[6 * i + c] / a[6 * c + c];
            for (int k = c + 1; k < 6; k++) {
                a[6 * i + k] -= factor * a[6 * c + k];
            }
            b[i] -= factor * b[c];
        }
    }
    for (int i = 5; i >= 0; i--) {
        for (int k = i + 1; k < 6; k++) {
            b[i] -= a[6 * i + k] * b[k];
        }
        b[i] /= a[6 * i + i];
    }
    return 1;
}

/* The step (J'J + damping)^-1 J' e, by a Cholesky factor. Returns 0 where there is none. */
static int damped_step(const double *jacobian, int n, const double e[6], double damping, double *step) {
    double a[LBC_JOINTS][LBC_JOINTS];
    for (int i = 0; i < n; i++) {
        for (int j = 0; j <= i; j++) {
            double sum = i == j ? damping : 0;
            for (int k = 0; k < 6; k++) {
                sum += jacobian[k * n + i] * jacobian[k * n + j];
            }
            for (int k = 0; k < j; k++) {
                sum -= a[i][k] * a[j][k];
            }
            if (i == j && !(sum > 0)) {
                return 0;
            }
            a[i][j] = i == j ? sqrt(sum) : sum / a[j][j];
        }
        double sum = 0;
        for (int k = 0; k < 6; k++) {
            sum += jacobian[k * n + i] * e[k];
        }
        for (int k = 0; k < i; k++) {
            sum -= a[i][k] * step[k];
        }
        step[i] = sum / a[i][i];
    }
    for (int i = n - 1; i >= 0; i--) {
        for (int k = i + 1; k < n; k++) {
            step[i] -= a[k][i] * step[k];
        }
        step[i] /= a[i][i];
    }
    return 1;
}

/* Newton's step, where the arm has six joints and the step is not too long. */
static int newton_step(const double *jacobian, int n, const double e[6], double *step) {
    double a[36], largest = 0;
    if (n != 6) {
        return 0;
    }
    memcpy(a, jacobian, sizeof a);
    memcpy(step, e, 6 * sizeof *step);
    if (!eliminate(a, step)) {
        return 0;
    }
    for (int i = 0; i < 6; i++) {
        largest = fabs(step[i]) > largest ? fabs(step[i]) : largest;
    }
    return largest < LONGEST_STEP;
}

double lbc_arm_polish(const lbc_arm *arm, const lbm_transform *goal, double *q, int iterations) {
    lbc_motion motion;
    double e[6], jacobian[6 * LBC_JOINTS], damping = FIRST_DAMPING;
    lbc_arm_forward(arm, q, &motion);
    double error = lbc_arm_error(&motion.end, goal, e);
    int is_plain = 1; /* the last step made the error smaller */
    lbc_arm_jacobian(arm, &motion, jacobian);
    for (int it = 0; it < iterations && error > SMALL_ENOUGH; it++) {
        double step[LBC_JOINTS], tried[LBC_JOINTS], e_tried[6];
        const int is_near = error < NEWTON_BELOW && is_plain;
        if (!(is_near && newton_step(jacobian, arm->n, e, step)) &&
            !damped_step(jacobian, arm->n, e, is_near ? LEAST_DAMPING : damping, step)) {
            damping = damping * 10 + 1e-9;
            is_plain = 0;
            continue;
        }
        for (int i = 0; i < arm->n; i++) {
            tried[i] = q[i] + step[i];
        }
        lbc_arm_forward(arm, tried, &motion);
        const double now = lbc_arm_error(&motion.end, goal, e_tried);
        is_plain = now < error;
        if (is_plain) {
            const int stalls = now > 0.5 * error && now < 1e-13;
            memcpy(q, tried, (size_t)arm->n * sizeof *q);
            memcpy(e, e_tried, sizeof e);
            lbc_arm_jacobian(arm, &motion, jacobian);
            error = now;
            damping *= 0.2;
            if (stalls) {
                break;
            }
        } else {
            damping = damping * 6 + 1e-7;
            if (error < 1e-12 || damping > MOST_DAMPING) {
                break;
            }
        }
    }
    return error;
}

int lbc_arm_is_singular(const lbc_arm *arm) {
    uint64_t state = 977;
    for (int k = 0; k < RANDOM_POSES; k++) {
        double q[LBC_JOINTS];
        for (int i = 0; i < arm->n; i++) {
            state = state * 6364136223846793005ull + 1442695040888963407ull;
            q[i] = ((double)(state >> 11) * 0x1p-52 - 1) * (arm->slides[i] ? 1 : LBM_PI);
        }
        if (lbc_arm_condition(arm, q) < ALWAYS_SINGULAR) {
            return 0;
        }
    }
    return 1;
}
