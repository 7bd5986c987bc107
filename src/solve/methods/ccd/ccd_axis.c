/* EN07 2.2.1: with u and v the directions from the joint to the end-effector and to the goal, the joint turns about u x
 * v
 * by atan2(|u x v|, u . v). A joint of successive turns about a_1, a_2, a_3 (outermost first, as they lie now) turns what
 * hangs on it by E = exp(a_1 t_1) exp(a_2 t_2) exp(a_3 t_3). The turns t that make E the wanted rotation W are found by
 * Gauss and Newton's method: the error is the rotation vector of W E', whose derivative by t_j is the axis a_j as the
 * turns outside of it have moved it. Near poses where axes coincide steps are damped, the more the less they help
 * (Levenberg and Marquardt). */
#include "solve/methods/ccd/ccd_axis.h"

#include "math/dense/cholesky.h"
#include "math/trig.h"
#include "solve/methods/classic.h"

#define ROUNDS 40
#define DAMPING 1e-3 /* at first, of the diagonal, which is 1 */

/* m = exp(a t) m, a matrix as its columns. */
static void turn_columns(const double a[3], double t, double m[3][3]) {
    double sine, cosine;
    lbm_sincos(t, &sine, &cosine);
    for (int i = 0; i < 3; i++) {
        lbs_turn_vector(a, sine, cosine, m[i]);
    }
}

/* The rotation vector that takes the columns of `from` to those of `to`, for angles below half a turn: with R = to
 * from', 2 sin(angle) times the axis is R's skew part, and 1 + 2 cos(angle) its trace. */
static void difference(double from[3][3], double to[3][3], double out[3]) {
    double skew[3] = {0, 0, 0}, trace = 0, cross[3];
    for (int i = 0; i < 3; i++) {
        lbm_cross3(from[i], to[i], cross);
        for (int k = 0; k < 3; k++) {
            skew[k] += 0.5 * cross[k];
        }
        trace += lbm_dot3(from[i], to[i]);
    }
    double sine = lbm_safe_norm3(skew), angle = lbm_atan2(sine, 0.5 * (trace - 1));
    for (int k = 0; k < 3; k++) {
        out[k] = sine > 0 ? skew[k] * (angle / sine) : 0;
    }
}

/* E, and the axes as the turns outside of them have moved them. */
static void apply(int count, const double (*axes)[3], const double *turns, double e[3][3], double (*moved)[3]) {
    for (int i = 0; i < 3; i++) {
        lbm_set3(e[i], i == 0, i == 1, i == 2);
    }
    for (int j = 0; j < count; j++) {
        lbm_copy3(moved[j], axes[j]);
    }
    for (int j = count - 1; j >= 0; j--) {
        double sine, cosine;
        turn_columns(axes[j], turns[j], e);
        lbm_sincos(turns[j], &sine, &cosine);
        for (int k = j + 1; k < count; k++) {
            lbs_turn_vector(axes[j], sine, cosine, moved[k]);
        }
    }
}

/* The turns after a damped step of Gauss and Newton's, into `next`. Returns 0 where there is none. */
static int step_from(int count, double (*moved)[3], const double error[3], double damping, const double *turns,
                     double *next) {
    double gram[LBS_AXIS_MOST * LBS_AXIS_MOST], step[LBS_AXIS_MOST];
    for (int i = 0; i < count; i++) {
        for (int j = 0; j < count; j++) {
            gram[i * count + j] = lbm_dot3(moved[i], moved[j]) + (i == j ? damping : 0);
        }
        step[i] = lbm_dot3(moved[i], error);
    }
    if (lbm_cholesky(count, gram)) {
        return 0;
    }
    lbm_cholesky_solve(count, gram, step);
    for (int j = 0; j < count; j++) {
        next[j] = turns[j] + step[j];
    }
    return 1;
}

/* The turns that bring E nearest to W, from those that are there. */
static void approach(int count, const double (*axes)[3], double wanted[3][3], double *turns) {
    double e[3][3], moved[LBS_AXIS_MOST][3], error[3], damping = DAMPING;
    apply(count, axes, turns, e, moved);
    difference(e, wanted, error);
    for (int round = 0; round < ROUNDS && lbm_dot3(error, error) > 1e-30; round++) {
        double next[LBS_AXIS_MOST], next_moved[LBS_AXIS_MOST][3], next_error[3];
        if (!step_from(count, moved, error, damping, turns, next)) {
            return;
        }
        apply(count, axes, next, e, next_moved);
        difference(e, wanted, next_error);
        if (!(lbm_dot3(next_error, next_error) < lbm_dot3(error, error))) {
            damping *= 10;
            continue;
        }
        damping *= 0.1;
        lbm_copy3(error, next_error);
        for (int j = 0; j < count; j++) {
            turns[j] = next[j];
            lbm_copy3(moved[j], next_moved[j]);
        }
    }
}

void lbs_axis_turns(const double centre[3], const double effector[3], const double goal[3], int count,
                    const double (*axes)[3], double *turns) {
    double u[3], v[3], axis[3], wanted[3][3];
    lbm_sub3(effector, centre, u);
    lbm_sub3(goal, centre, v);
    lbm_cross3(u, v, axis);
    double sine = lbm_safe_norm3(axis), angle = lbm_atan2(sine, lbm_dot3(u, v));
    for (int j = 0; j < count; j++) {
        turns[j] = 0;
    }
    if (!(sine > 0) || !lbm_is_finite(angle)) {
        return;
    }
    for (int i = 0; i < 3; i++) {
        axis[i] /= sine;
        lbm_set3(wanted[i], i == 0, i == 1, i == 2);
    }
    turn_columns(axis, angle, wanted);
    approach(count, axes, wanted, turns);
}
