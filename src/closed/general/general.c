/* The loop E_1 ... E_6 = G may be begun at any joint. Line 5 (the last axis) is carried by motions 2, 3, 4 on the left,
 * and after the goal has moved it by the inverses of 1 and 0 on the right; 14 functions of a line (p, l, p.p, p.l, p x
 * l, (p.p) l - 2 (p.l) p) are linear in the products of 1, cosine and sine of the motions on either side. The eight
 * products on the right are eliminated by a QR factor, which leaves six equations in motions 2, 3, 4. With half-angle
 * tangents for 3 and 4, and each equation also times the tangent of 3, they make 12 equations that are linear in 12
 * products: their determinant, a trigonometric polynomial of degree 8 in the angle of motion 2, must vanish. */
#include "closed/general/general.h"

#include <math.h>

#include "math/trig.h"

#define HALF_ROOT_3 0.86602540378443864676
#define ONE_BY_ROOT_3 0.57735026918962576451
#define RATED_POSES 5
#define RATED_ANGLES 7
#define WORST_SCORE (-60.0) /* log10: a determinant that is 0 but for rounding is far below */
#define SAME_ANGLE 1e-6     /* radians: a root and a solution so near to each other belong together */
#define MOST_LOSSY 2        /* ways round the loop that are tried while digits are lost */
#define DOUBT_ANGLES 64     /* angles at which the determinant is compared with its noise, */
#define DOUBT_NOISE 1e3     /* and by how much it must be larger */
#define NEAR_DOUBLE 1e-3    /* radians: roots nearer than this, or so nearly there, are in doubt */

/* --- Motions and lines
 * ----------------------------------------------------------------------------------------------------- */

static void move_line(const lbc_loop *loop, int i, const double by[3], double point[3], double axis[3]) {
    if (loop->slides[i]) {
        lbm_add_scaled3(point, loop->w[i], by[2]);
        return;
    }
    lbc_turn_about(loop->w[i], loop->p[i], by, point, point);
    lbc_turn(loop->w[i], by[0], by[1], axis, axis);
}

void lbc_loop_sample(const lbc_loop *loop, int i, int sample, int is_inverse, double point[3], double axis[3]) {
    const double sign = is_inverse ? -1 : 1, side = sample == 0 ? 0 : sample == 1 ? sign : -sign;
    const double by[3] = {sample == 0 ? 1 : -0.5, side * HALF_ROOT_3, side};
    move_line(loop, i, by, point, axis);
}

void lbc_loop_move(const lbc_loop *loop, int i, double value, double point[3], double axis[3]) {
    double by[3] = {1, 0, value};
    if (!loop->slides[i]) {
        lbm_sincos(value, &by[1], &by[0]);
    }
    move_line(loop, i, by, point, axis);
}

void lbc_loop_fit(int slides, double *x, int stride) {
    const double a = x[0], b = x[stride], c = x[2 * stride];
    if (slides) {
        x[stride] = (b - c) / 2;
        x[2 * stride] = (b + c) / 2 - a;
    } else {
        x[0] = (a + b + c) / 3;
        x[stride] = (2 * a - b - c) / 3;
        x[2 * stride] = (b - c) * ONE_BY_ROOT_3;
    }
}

void lbc_line_rows(const double p[3], const double l[3], double *rows, int stride) {
    const double pp = lbm_dot3(p, p), pl = lbm_dot3(p, l);
    double moment[3];
    lbm_cross3(p, l, moment);
    for (int k = 0; k < 3; k++) {
        rows[k * stride] = p[k];
        rows[(3 + k) * stride] = l[k];
        rows[(8 + k) * stride] = moment[k];
        rows[(11 + k) * stride] = pp * l[k] - 2 * pl * p[k];
    }
    rows[6 * stride] = pp;
    rows[7 * stride] = pl;
}

/* --- The loop ---------------------------------------------------------------------------------------------------------------- */

/* The middle of the common perpendicular of two lines: both sides of the equation end there. */
static void choose_origin(const double a[3], const double p[3], const double b[3], const double q[3],
                          double origin[3]) {
    double way[3], normal[3], u[3], v[3];
    lbm_sub3(q, p, way);
    lbm_cross3(a, b, normal);
    const double square = lbm_dot3(normal, normal);
    if (square <= 1e-12) {
        lbm_copy3(origin, p);
        lbm_add_scaled3(origin, a, lbm_dot3(a, way));
        return;
    }
    lbm_cross3(way, b, u);
    lbm_cross3(way, a, v);
    for (int k = 0; k < 3; k++) {
        origin[k] = (p[k] + q[k] + a[k] * (lbm_dot3(u, normal) / square) + b[k] * (lbm_dot3(v, normal) / square)) / 2;
    }
}

/* The loop's axes, begun at joint `shift`: those before it are seen from the goal. */
static void lay_out(const lbc_arm *arm, const lbm_transform *goal, int shift, lbc_loop *loop) {
    lbm_transform g, back;
    lbm_transform_multiply(goal, &arm->home_inverse, &g);
    lbm_transform_invert(&g, &back);
    for (int i = 0; i < 6; i++) {
        const int joint = (i + shift) % 6;
        loop->joint[i] = joint;
        loop->slides[i] = arm->slides[joint];
        lbm_copy3(loop->w[i], arm->axis[joint]);
        lbm_copy3(loop->p[i], arm->point[joint]);
        if (joint < shift) {
            lbm_rotate(&back, arm->axis[joint], loop->w[i]);
            lbm_apply(&back, arm->point[joint], loop->p[i]);
        }
    }
    choose_origin(loop->w[1], loop->p[1], loop->w[2], loop->p[2], loop->origin);
    for (int i = 0; i < 6; i++) {
        lbm_sub3(loop->p[i], loop->origin, loop->p[i]);
    }
    double moved[3];
    lbm_apply(&g, loop->origin, moved);
    lbm_sub3(moved, loop->origin, g.p);
    loop->goal = g;
    lbm_apply(&g, loop->p[5], loop->line_point);
    lbm_rotate(&g, loop->w[5], loop->line_axis);
}

static void fill_left(lbc_loop *loop) {
    for (int k = 0; k < 3; k++) {
        double p4[3], l4[3];
        lbm_copy3(p4, loop->p[5]);
        lbm_copy3(l4, loop->w[5]);
        lbc_loop_sample(loop, 4, k, 0, p4, l4);
        for (int j = 0; j < 3; j++) {
            double p3[3], l3[3];
            lbm_copy3(p3, p4);
            lbm_copy3(l3, l4);
            lbc_loop_sample(loop, 3, j, 0, p3, l3);
            for (int i = 0; i < 3; i++) {
                double p2[3], l2[3];
                lbm_copy3(p2, p3);
                lbm_copy3(l2, l3);
                lbc_loop_sample(loop, 2, i, 0, p2, l2);
                lbc_line_rows(p2, l2, &loop->left[0][9 * i + 3 * j + k], 27);
            }
        }
    }
    for (int e = 0; e < LBC_ROWS; e++) {
        double *row = loop->left[e];
        for (int i = 0; i < 9; i++) {
            lbc_loop_fit(loop->slides[4], row + 3 * i, 1);
        }
        for (int i = 0; i < 9; i++) {
            lbc_loop_fit(loop->slides[3], row + 9 * (i / 3) + i % 3, 3);
        }
        for (int i = 0; i < 9; i++) {
            lbc_loop_fit(loop->slides[2], row + i, 9);
        }
    }
}

static void fill_right(lbc_loop *loop) {
    for (int i = 0; i < 3; i++) {
        double p0[3], l0[3];
        lbm_copy3(p0, loop->line_point);
        lbm_copy3(l0, loop->line_axis);
        lbc_loop_sample(loop, 0, i, 1, p0, l0);
        for (int j = 0; j < 3; j++) {
            double p1[3], l1[3];
            lbm_copy3(p1, p0);
            lbm_copy3(l1, l0);
            lbc_loop_sample(loop, 1, j, 1, p1, l1);
            lbc_line_rows(p1, l1, &loop->right[0][3 * i + j], 9);
        }
    }
    for (int e = 0; e < LBC_ROWS; e++) {
        for (int i = 0; i < 3; i++) {
            lbc_loop_fit(loop->slides[1], loop->right[e] + 3 * i, 1);
        }
        for (int i = 0; i < 3; i++) {
            lbc_loop_fit(loop->slides[0], loop->right[e] + i, 3);
        }
    }
}

/* Householder reflections make the right side triangular; what they leave of the left side below has no right side. */
static void eliminate_right(lbc_loop *loop) {
    double least = INFINITY, most = 0;
    for (int e = 0; e < LBC_ROWS; e++) {
        loop->left[e][0] -= loop->right[e][0];
    }
    for (int c = 0; c < 8; c++) {
        double v[LBC_ROWS], sum = 0, sums[27] = {0};
        for (int i = c; i < LBC_ROWS; i++) {
            v[i] = loop->right[i][c + 1];
            sum += v[i] * v[i];
        }
        const double norm = sqrt(sum);
        least = norm < least ? norm : least;
        most = norm > most ? norm : most;
        v[c] += v[c] > 0 ? norm : -norm;
        double scale = 0;
        for (int i = c; i < LBC_ROWS; i++) {
            scale += v[i] * v[i];
        }
        if (scale == 0) {
            continue;
        }
        scale = 2 / scale;
        for (int k = c + 2; k <= 8; k++) {
            double dot = 0;
            for (int i = c; i < LBC_ROWS; i++) {
                dot += v[i] * loop->right[i][k];
            }
            for (int i = c; i < LBC_ROWS; i++) {
                loop->right[i][k] -= scale * dot * v[i];
            }
        }
        for (int i = c; i < LBC_ROWS; i++) {
            for (int k = 0; k < 27; k++) {
                sums[k] += v[i] * loop->left[i][k];
            }
        }
        for (int i = c; i < LBC_ROWS; i++) {
            const double factor = scale * v[i];
            for (int k = 0; k < 27; k++) {
                loop->left[i][k] -= factor * sums[k];
            }
        }
    }
    loop->spread = least > 0 ? most / least : INFINITY;
}

/* Coefficients of 1, c, s times 1 + x^2 are coefficients of 1, x, x^2, where x is the tangent of half the angle. */
static void to_half_angle(int slides, const double *from, int stride, double to[3]) {
    const double a = from[0], c = from[stride], s = from[2 * stride];
    to[0] = slides ? a : a + c;
    to[1] = slides ? c : 2 * s;
    to[2] = slides ? s : a - c;
}

static void fill_six(lbc_loop *loop) {
    for (int e = 0; e < 6; e++) {
        for (int a = 0; a < 3; a++) {
            double by4[3][3], column[3];
            for (int b = 0; b < 3; b++) {
                to_half_angle(loop->slides[4], &loop->left[8 + e][9 * a + 3 * b], 1, by4[b]);
            }
            for (int y = 0; y < 3; y++) {
                to_half_angle(loop->slides[3], &by4[0][y], 3, column);
                for (int x = 0; x < 3; x++) {
                    loop->six[a][e][x][y] = column[x];
                }
            }
        }
    }
}

/* All of it for one goal. `left` may be known. */
static void build(const lbc_arm *arm, const lbm_transform *goal, int shift, const double *left, lbc_loop *loop) {
    lay_out(arm, goal, shift, loop);
    if (left) {
        memcpy(loop->left, left, sizeof loop->left);
    } else {
        fill_left(loop);
    }
    fill_right(loop);
    eliminate_right(loop);
    fill_six(loop);
}

/* --- Which way round ------------------------------------------------------------------------------------------------------- */

/* How many digits a way round the loop leaves, log10: the largest determinant over the product of its rows' norms, less
 * those that the right side loses. */
static double score_of(const lbc_loop *loop, lbc_square matrix) {
    double best = 0;
    for (int i = 0; i < RATED_ANGLES; i++) {
        double s, c, norms = 1;
        int pivots[LBC_ORDER];
        lbm_sincos(LBM_TWO_PI * i / RATED_ANGLES + 0.1, &s, &c);
        lbc_loop_matrix(loop, c, s, matrix);
        for (int r = 0; r < LBC_ORDER; r++) {
            double sum = 0;
            for (int k = 0; k < LBC_ORDER; k++) {
                sum += matrix[r][k] * matrix[r][k];
            }
            norms *= sqrt(sum);
        }
        const double determinant = fabs(lbc_factor(matrix, pivots));
        if (norms > 0 && determinant / norms > best) {
            best = determinant / norms;
        }
    }
    double score = 0; /* powers of ten by division: the core has no logarithm */
    for (; best > 0 && best < 0.1 && score > WORST_SCORE; best *= 10) {
        score--;
    }
    for (double lost = loop->spread; lost > 10 && score > WORST_SCORE; lost /= 10) {
        score--;
    }
    return best > 0 ? score + best : WORST_SCORE;
}

static double random_unit(uint64_t *state) {
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (double)(*state >> 11) * 0x1p-53;
}

int lbc_general_prepare(const lbc_arm *arm, lbc_general *general, lbc_general_work *work) {
    double scores[6];
    int sliding = 0;
    for (int i = 0; i < arm->n; i++) {
        sliding += arm->slides[i];
    }
    general->shift_count = 0;
    if (arm->n != 6 || sliding > 1) {
        return 0;
    }
    lbc_trig_prepare(LBC_TRIG_DEGREE, &general->basis);
    for (int i = 0; i < LBC_SAMPLES; i++) {
        lbm_sincos(LBM_TWO_PI * i / LBC_SAMPLES, &general->sine[i], &general->cosine[i]);
    }
    for (int shift = 0; shift < 6; shift++) {
        uint64_t state = 20240607;
        double sum = 0;
        if (arm->slides[(shift + 2) % 6] || arm->slides[(shift + 5) % 6]) {
            continue;
        }
        for (int k = 0; k < RATED_POSES; k++) {
            double q[LBC_JOINTS];
            lbc_motion motion;
            for (int i = 0; i < 6; i++) {
                q[i] = (random_unit(&state) * 2 - 1) * (arm->slides[i] ? 1 : LBM_PI);
            }
            lbc_arm_forward(arm, q, &motion);
            build(arm, &motion.end, shift, NULL, &work->loop);
            sum += score_of(&work->loop, work->matrix) / RATED_POSES;
        }
        if (sum < WORST_SCORE / 3) { /* the determinant is 0 whatever the angle */
            continue;
        }
        int at = general->shift_count++;
        for (; at > 0 && scores[at - 1] < sum; at--) {
            scores[at] = scores[at - 1];
            general->shifts[at] = general->shifts[at - 1];
        }
        scores[at] = sum;
        general->shifts[at] = shift;
    }
    general->has_left = general->shift_count > 0 && general->shifts[0] == 0;
    if (general->has_left) {
        lbm_transform any = arm->home;
        lay_out(arm, &any, 0, &work->loop);
        fill_left(&work->loop);
        memcpy(general->left, work->loop.left, sizeof general->left);
    }
    return general->shift_count > 0;
}

/* --- All solutions ------------------------------------------------------------------------------------------------------------- */

static int is_near(double a, double b, double by) { return fabs(lbc_wrapped(a - b)) < by; }

/* How many of the solutions have motion 2 at this angle. */
static int solved_at(const lbc_loop *loop, const lbc_set *set, double angle) {
    int count = 0;
    for (int i = 0; i < set->count; i++) {
        count += is_near(set->list[i].q[loop->joint[2]], angle, SAME_ANGLE);
    }
    return count;
}

/* The roots of a determinant that lost no digits are simple: each has one solution. */
static void take_roots(const lbc_arm *arm, const lbm_transform *goal, lbc_set *set, lbc_general_work *work) {
    for (int k = 0; k < work->found.count; k++) {
        if (!solved_at(&work->loop, set, work->found.roots[k])) {
            lbc_loop_back(arm, &work->loop, work->found.roots[k], goal, set, work);
        }
    }
}

/* Where digits were lost: eigenvalues, but for those of which as many solutions are known as they can stand for,
 * together with those near to them. Where the iteration for them fails, the roots of the determinant are what there
 * is. */
static void take_lossy_roots(const lbc_arm *arm, const lbm_transform *goal, lbc_set *set, lbc_general_work *work) {
    const lbc_eigen_found *eigen = &work->eigen;
    if (!lbc_loop_eigen_roots(&work->loop, work)) {
        take_roots(arm, goal, set, work);
        return;
    }
    for (int k = 0; k < eigen->count; k++) {
        int most = 0;
        for (int i = 0; i < eigen->count; i++) {
            most += is_near(eigen->roots[i], eigen->roots[k], 3 * SAME_ANGLE) ? eigen->weights[i] : 0;
        }
        if (solved_at(&work->loop, set, eigen->roots[k]) < most) {
            lbc_loop_back(arm, &work->loop, eigen->roots[k], goal, set, work);
        }
    }
}

int lbc_general_solve(const lbc_arm *arm, const lbc_general *general, const lbm_transform *goal, lbc_set *set,
                      lbc_general_work *work) {
    int tried = 0;
    work->is_lossy = 1;
    for (int i = 0; i < general->shift_count && tried < MOST_LOSSY && work->is_lossy; i++) {
        build(arm, goal, general->shifts[i], i == 0 && general->has_left ? &general->left[0][0] : NULL, &work->loop);
        work->is_lossy = lbc_loop_roots(general, &work->loop, work);
        tried++;
        if (work->is_lossy) {
            take_lossy_roots(arm, goal, set, work);
        } else {
            take_roots(arm, goal, set, work);
        }
    }
    return tried;
}

int lbc_general_is_clear(const lbc_set *set, const lbc_general_work *work) {
    int is_clear = !work->is_lossy && !work->found.doubtful && !set->refused && !set->merged &&
                   work->found.count == set->count && set->count % 2 == 0 &&
                   lbc_general_lack(work) < -NEAR_DOUBLE * NEAR_DOUBLE;
    for (int i = 0; i < DOUBT_ANGLES && is_clear; i++) { /* where many roots nearly meet, noise moves them far */
        double slope;
        is_clear = fabs(lbc_trig_value(&work->f, LBC_TRIG_DEGREE, LBM_TWO_PI * i / DOUBT_ANGLES, &slope)) >
                   DOUBT_NOISE * work->f.noise;
    }
    for (int i = 0; i < work->found.count; i++) {
        for (int k = 0; k < i; k++) {
            is_clear = is_clear && !is_near(work->found.roots[i], work->found.roots[k], NEAR_DOUBLE);
        }
    }
    return is_clear;
}
