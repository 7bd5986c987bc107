/* What the kernels of the arm engine share: one iteration from a pose to a better one.
 *
 *     evaluate   forward kinematics: the last frame, and the point and axis of each joint, seen from the first joint's
 *                axis; then the pose error e: the vector to the goal's point, and the rotation to the goal's axes as a
 *                vector;
 *     judge      whether the tolerances are met, or the start is not worth going on with;
 *     improve    the columns K of the Jacobian (twists), the matrix K K' + damping, the step K'(K K' + damping)^-1 e,
 *                which is cut at the joints' ranges. A joint that sits at an end of its range while the gradient points
 *                outward is left out of the step.
 *
 * The damping falls with the square of the error, so that the last steps are those of Newton's method. There are
 * four kernels:
 *
 *     arm_kernel.h        starts side by side in the lanes; each lane has an arm of its own;
 *     arm_kernel_one.c    one start, with the components of a vector side by side in a register. Number by number its
 *                         arithmetic is that of one lane of arm_kernel.h, so that the bits are the same;
 *     arm_kernel_long.h   one start of a long arm, with joints side by side in the lanes;
 *     arm_kernel_tree.h   starts side by side, of a tree of joints with several goals.
 *
 * The loop itself is arm_iteration.h. No branch depends on what a lane holds, except for one around the work for
 * joints at an end of their range: it is left out when no lane has such a joint, which changes no result. */
#ifndef LIMBER_SOLVE_ARM_KERNEL_COMMON_H
#define LIMBER_SOLVE_ARM_KERNEL_COMMON_H

#include "math/simd.h"
#include "math/trig.h"
#include "solve/arm/arm_lanes.h"

/* The damping is DAMPING times half the square of the error, and at least LEAST_DAMPING. */
#define DAMPING 0.1
#define LEAST_DAMPING 1e-6
/* The trace of a rotation, plus 1, is taken to be at least this: at half a turn it is 0, and the error divides by
 * its root. */
#define LEAST_TRACE 1e-7

/* Which parts of a frame the goal asks for. Kernels are compiled for each combination: the arguments are constants. */
typedef struct goal_parts {
    int point, rotation;
} goal_parts;

/* The columns x, y and n of a frame (lbs_arm_joint says what n is), and its point. */
typedef struct frame_lanes {
    lbm_lanes x[3], y[3], n[3], p[3];
} frame_lanes;

/* The squares of the point's and of the rotation's error; 0 of a part that the goal does not ask for. */
typedef struct error_sizes {
    lbm_lanes point, rotation;
    lbm_truths is_small; /* the rotation is less than a third of a turn */
} error_sizes;

typedef struct error_lanes {
    lbm_lanes point[3], rotation[3];
    error_sizes size;
} error_lanes;

/* K K' + damping: symmetric blocks aa, ab, ac, bb, bc, cc of the point's rows and of the rotation's rows, and
 * mixed[3 r + s] of row r of the rotation and row s of the point. */
typedef struct normal_lanes {
    lbm_lanes point[6], rotation[6], mixed[9];
} normal_lanes;

/* --- Frames ---------------------------------------------------------------------------------------------------- */

/* `count` is how many lbm_lanes a vector takes: three, where each lane has an arm of its own. */

static inline void turn(frame_lanes *f, lbm_lanes sine, lbm_lanes cosine, int count) {
    const lbm_lanes minus = -sine;
    for (int k = 0; k < count; k++) {
        const lbm_lanes x = f->x[k] * cosine + f->y[k] * sine;
        f->y[k] = f->y[k] * cosine + f->x[k] * minus;
        f->x[k] = x;
    }
}

static inline void shift_and_twist(const lbs_arm_joint *j, frame_lanes *f, int count) {
    if (j->shifts & 1) {
        for (int k = 0; k < count; k++) {
            f->p[k] += f->x[k] * j->x;
        }
    }
    if (j->shifts & 2) {
        for (int k = 0; k < count; k++) {
            f->p[k] += f->y[k] * j->y;
        }
    }
    if (j->shifts & 4) {
        for (int k = 0; k < count; k++) {
            f->p[k] += f->n[k] * j->z;
        }
    }
    if (j->twist == LBS_ARM_TWIST_QUARTER) {
        for (int k = 0; k < count; k++) {
            const lbm_lanes y = f->y[k];
            f->y[k] = f->n[k];
            f->n[k] = y;
        }
    } else if (j->twist == LBS_ARM_TWIST_ANY) {
        for (int k = 0; k < count; k++) {
            const lbm_lanes y = f->y[k] * j->twist_cosine + f->n[k] * j->twist_sine;
            f->n[k] = f->n[k] * j->twist_cosine + f->y[k] * -j->twist_sine;
            f->y[k] = y;
        }
    }
}

/* --- The error ------------------------------------------------------------------------------------------------- */

/* The rotation from the frame to the goal by an angle t, as a vector along its axis of length 2 sin(t/2). The sum of
 * the columns' cross products is v = 2 sin t times the axis; h = trace + 1 is 4 cos^2(t/2); so the vector is v /
 * sqrt(h). Its length grows all the way to half a turn. There v and h are 0, and LEAST_TRACE stands for h. */
LBM_INLINE void rotation_error_to(const lbm_lanes g[9], const frame_lanes *f, error_lanes *e) {
    lbm_lanes v[3];
    for (int k = 0; k < 3; k++) {
        const int a = (k + 1) % 3, b = (k + 2) % 3;
        v[k] = (f->x[a] * g[b] - f->x[b] * g[a]) + (f->y[a] * g[3 + b] - f->y[b] * g[3 + a]) +
               (f->n[a] * g[6 + b] - f->n[b] * g[6 + a]);
    }
    const lbm_lanes trace = (f->x[0] * g[0] + f->x[1] * g[1] + f->x[2] * g[2]) +
                            (f->y[0] * g[3] + f->y[1] * g[4] + f->y[2] * g[5]) +
                            (f->n[0] * g[6] + f->n[1] * g[7] + f->n[2] * g[8]);
    const lbm_lanes h = lbm_max_lanes(trace + 1.0, lbm_all_lanes(LEAST_TRACE)), scale = 1.0 / lbm_sqrt_lanes(h);
    for (int k = 0; k < 3; k++) {
        e->rotation[k] = scale * v[k];
    }
    e->size.rotation = (v[0] * v[0] + v[1] * v[1] + v[2] * v[2]) / h; /* this division need not wait for the root */
    e->size.is_small = lbm_less(lbm_all_lanes(0), trace);
}

LBM_INLINE void rotation_error(const lbs_arm_lanes *l, const frame_lanes *f, error_lanes *e) {
    lbm_lanes g[9];
    for (int i = 0; i < 9; i++) {
        g[i] = lbm_load_lanes(l->goal[i]);
    }
    rotation_error_to(g, f, e);
}

LBM_INLINE void point_error(const lbs_arm_lanes *l, const frame_lanes *f, error_lanes *e) {
    for (int k = 0; k < 3; k++) {
        e->point[k] = lbm_load_lanes(l->goal[9 + k]) - f->p[k];
    }
    e->size.point = e->point[0] * e->point[0] + e->point[1] * e->point[1] + e->point[2] * e->point[2];
}

/* Half the square of the error. */
static inline lbm_lanes half_square(const error_sizes *e, goal_parts parts) {
    if (!parts.rotation) {
        return e->point * 0.5;
    }
    return (parts.point ? e->point + e->rotation : e->rotation) * 0.5;
}

/* --- Columns --------------------------------------------------------------------------------------------------- */

/* The product of a column with a vector that has these two parts. */
static inline lbm_lanes column_times(const lbm_lanes column[6], const lbm_lanes point[3], const lbm_lanes rotation[3],
                                     goal_parts parts) {
    lbm_lanes sum = lbm_all_lanes(0);
    if (parts.point) {
        sum = column[0] * point[0] + column[1] * point[1] + column[2] * point[2];
    }
    if (parts.rotation) {
        sum += column[3] * rotation[0] + column[4] * rotation[1] + column[5] * rotation[2];
    }
    return sum;
}

/* A joint that sits at an end of its range, `lower` or `upper`, stays there if the gradient points outward: its
 * column becomes 0. `flipped`: the column is that of the opposite axis. */
LBM_INLINE void hold(lbm_lanes lower, lbm_lanes upper, lbm_lanes q, int flipped, const error_lanes *e,
                     lbm_lanes column[6], goal_parts parts) {
    const lbm_truths low = lbm_at_most(q, lower), high = lbm_at_most(upper, q);
    if (!lbm_truth_bits(low | high)) {
        return;
    }
    const lbm_lanes zero = lbm_all_lanes(0);
    lbm_lanes gradient = column_times(column, e->point, e->rotation, parts);
    if (flipped) {
        gradient = -gradient;
    }
    const lbm_truths stuck = (low & lbm_less(gradient, zero)) | (high & lbm_less(zero, gradient));
    for (int k = 0; k < 6; k++) {
        column[k] = lbm_choose(stuck, zero, column[k]);
    }
}

static inline void add_products(const lbm_lanes v[3], lbm_lanes m[6]) {
    m[0] += v[0] * v[0];
    m[1] += v[0] * v[1];
    m[2] += v[0] * v[2];
    m[3] += v[1] * v[1];
    m[4] += v[1] * v[2];
    m[5] += v[2] * v[2];
}

static inline void add_column(const lbm_lanes column[6], goal_parts parts, normal_lanes *m) {
    if (parts.point) {
        add_products(column, m->point);
    }
    if (parts.rotation) {
        add_products(column + 3, m->rotation);
    }
    if (parts.point && parts.rotation) {
        for (int k = 0; k < 9; k++) {
            m->mixed[k] += column[3 + k / 3] * column[k % 3];
        }
    }
}

/* --- The step -------------------------------------------------------------------------------------------------- */

static inline void damp(normal_lanes *m, lbm_lanes damping) {
    m->point[0] += damping;
    m->point[3] += damping;
    m->point[5] += damping;
    m->rotation[0] += damping;
    m->rotation[3] += damping;
    m->rotation[5] += damping;
}

/* The adjugate of a symmetric matrix; returns 1 over the determinant. The inverse is their product; what is
 * multiplied by the adjugate need not wait for the division. */
static inline lbm_lanes adjugate3(const lbm_lanes m[6], lbm_lanes a[6]) {
    a[0] = m[3] * m[5] - m[4] * m[4];
    a[1] = m[2] * m[4] - m[1] * m[5];
    a[2] = m[1] * m[4] - m[2] * m[3];
    a[3] = m[0] * m[5] - m[2] * m[2];
    a[4] = m[1] * m[2] - m[0] * m[4];
    a[5] = m[0] * m[3] - m[1] * m[1];
    return 1.0 / (m[0] * a[0] + m[1] * a[1] + m[2] * a[2]);
}

static inline void multiply3(const lbm_lanes m[6], const lbm_lanes v[3], lbm_lanes out[3]) {
    const lbm_lanes a = v[0], b = v[1], c = v[2];
    out[0] = m[0] * a + m[1] * b + m[2] * c;
    out[1] = m[1] * a + m[3] * b + m[4] * c;
    out[2] = m[2] * a + m[4] * b + m[5] * c;
}

/* y = (K K' + damping)^-1 e by blocks. With the damping they are positive definite, so that no pivoting is needed. */
LBM_INLINE void solve_both(const normal_lanes *m, const error_lanes *e, lbm_lanes y[6]) {
    const lbm_lanes *b = m->mixed;
    lbm_lanes d[6], adjugate[6], w[9], rest[3], solved[3];
    const lbm_lanes over = adjugate3(m->point, adjugate);
    for (int r = 0; r < 3; r++) {
        multiply3(adjugate, b + 3 * r, w + 3 * r);
    }
    for (int r = 0, k = 0; r < 3; r++) {
        for (int s = r; s < 3; s++, k++) {
            d[k] = m->rotation[k] -
                   (w[3 * r] * b[3 * s] + w[3 * r + 1] * b[3 * s + 1] + w[3 * r + 2] * b[3 * s + 2]) * over;
        }
    }
    for (int r = 0; r < 3; r++) {
        rest[r] =
            e->rotation[r] - (w[3 * r] * e->point[0] + w[3 * r + 1] * e->point[1] + w[3 * r + 2] * e->point[2]) * over;
    }
    multiply3(adjugate, e->point, solved);
    const lbm_lanes over_rest = adjugate3(d, adjugate);
    multiply3(adjugate, rest, y + 3);
    for (int s = 3; s < 6; s++) {
        y[s] = y[s] * over_rest;
    }
    for (int s = 0; s < 3; s++) {
        y[s] = (solved[s] - (w[s] * y[3] + w[3 + s] * y[4] + w[6 + s] * y[5])) * over;
    }
}

LBM_INLINE void solve(const normal_lanes *m, const error_lanes *e, goal_parts parts, lbm_lanes y[6]) {
    lbm_lanes adjugate[6];
    if (parts.point && parts.rotation) {
        solve_both(m, e, y);
        return;
    }
    for (int k = 0; k < 6; k++) {
        y[k] = lbm_all_lanes(0);
    }
    const lbm_lanes over = adjugate3(parts.point ? m->point : m->rotation, adjugate);
    multiply3(adjugate, parts.point ? e->point : e->rotation, y + (parts.point ? 0 : 3));
    for (int k = 0; k < 6; k++) {
        y[k] = y[k] * over;
    }
}

#endif
