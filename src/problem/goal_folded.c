/* The rows that solvers see of a goal: those of its directions folded to the turns that change them. */
#include <math.h>

#include "math/rotation.h"
#include "problem/goal.h"

/* The directions' P = a^2 |x* - x|^2 + b^2 |y* - y|^2 falls with a turn w as w . t, t = a^2 x* x x + b^2 y* x y, halved;
 * and as the rows' derivatives are -a w x x and -b w x y, their squares sum up to a^2 (1 - x x') + b^2 (1 - y y'). In
 * the effector's own axes that is diagonal: b^2, a^2 and a^2 + b^2. So a row for each axis u_k with c_k its root has
 * the derivative c_k u_k by turns, and the value t . u_k / c_k. */
static void find_scales(const lb_goal *goal, lbp_scales *s) {
    int is_frame = goal->kind == LB_GOAL_FRAME;
    double all = is_frame ? goal->weight_orientation : 1, root = sqrt(all);
    double x = lbp_angle_scale(goal->degrees_x), y = lbp_angle_scale(goal->degrees_y), a = root * x, b = root * y;
    s->position = is_frame ? sqrt(goal->weight_position) : 1;
    s->weights[0] = all * x * x;
    s->weights[1] = all * y * y;
    lbm_set3(s->sizes, b, a, a > 0 && b > 0 ? sqrt(a * a + b * b) : a + b);
    for (int i = 0; i < 3; i++) {
        s->inverses[i] = s->sizes[i] > 0 ? 1 / s->sizes[i] : 0;
    }
}

void lbp_goal_scale(lbp_goal *g) { find_scales(&g->goal, &g->scales); }

/* x and y are at right angles to 1e-6 only; these axes are, to rounding. */
static void find_axes(const double e[9], double axes[3][3]) {
    double z[3];
    lbm_copy3(axes[0], e + 3);
    lbm_cross3(e + 3, e + 6, z);
    double inverse = 1 / lbm_norm3(z);
    for (int i = 0; i < 3; i++) {
        axes[2][i] = z[i] * inverse;
    }
    lbm_cross3(axes[2], axes[0], axes[1]);
}

/* Returns the directions' part of P. */
static double turn_residuals(const lbp_goal *g, const double e[9], double *rows) {
    const lbp_scales *s = &g->scales;
    double sum = 0, torque[3] = {0, 0, 0}, axes[3][3];
    const double *wanted[2] = {g->goal.x, g->goal.y};
    for (int i = 0; i < 2; i++) {
        double off[3], cross[3];
        lbm_sub3(wanted[i], e + 3 + 3 * i, off);
        lbm_cross3(off, e + 3 + 3 * i, cross);
        lbm_add_scaled3(torque, cross, s->weights[i]);
        sum += s->weights[i] * lbm_dot3(off, off);
    }
    find_axes(e, axes);
    for (int i = 0; i < 3; i++) {
        if (s->sizes[i] > 0) {
            *rows++ = lbm_dot3(torque, axes[i]) * s->inverses[i];
        }
    }
    return sum;
}

static double position_residuals(const lb_goal *goal, const double e[9], double scale, double *rows) {
    for (int i = 0; i < 3; i++) {
        rows[i] = scale * (goal->point[i] - e[i]);
    }
    return lbm_dot3(rows, rows);
}

double lbp_goal_residuals(const lbp_goal *g, const double e[9], double *rows) {
    const lb_goal *goal = &g->goal;
    switch (goal->kind) {
    case LB_GOAL_POSITION:
        return position_residuals(goal, e, 1, rows);
    case LB_GOAL_ORIENTATION:
        return turn_residuals(g, e, rows);
    case LB_GOAL_FRAME: {
        double sum = position_residuals(goal, e, g->scales.position, rows);
        return goal->weight_orientation > 0 ? sum + turn_residuals(g, e, rows + 3) : sum;
    }
    default:
        return lbp_goal_rows(g, e, rows, NULL);
    }
}

static void position_wrenches(const double e[9], double scale, double (*wrenches)[6]) {
    for (int i = 0; i < 3; i++) {
        double *w = wrenches[i];
        lbm_set3(w, 0, 0, 0);
        w[i] = -scale;
        lbm_cross3(e, w, w + 3);
    }
}

static void turn_wrenches(const lbp_scales *s, const double e[9], double (*wrenches)[6]) {
    double axes[3][3];
    find_axes(e, axes);
    for (int i = 0; i < 3; i++) {
        if (!(s->sizes[i] > 0)) {
            continue;
        }
        for (int k = 0; k < 3; k++) {
            (*wrenches)[k] = 0;
            (*wrenches)[3 + k] = s->sizes[i] * axes[i][k];
        }
        wrenches++;
    }
}

void lbp_wrench(const double e[9], const double derivatives[9], double wrench[6]) {
    double part[3];
    lbm_copy3(wrench, derivatives);
    lbm_cross3(e, derivatives, wrench + 3);
    for (int k = 3; k < 9; k += 3) {
        lbm_cross3(e + k, derivatives + k, part);
        lbm_add_scaled3(wrench + 3, part, 1);
    }
}

void lbp_goal_wrenches(const lbp_goal *g, const double e[9], double (*wrenches)[6]) {
    const lb_goal *goal = &g->goal;
    double rows[LBP_MAX_ROWS], derivatives[LBP_MAX_ROWS][9];
    switch (goal->kind) {
    case LB_GOAL_POSITION:
        position_wrenches(e, 1, wrenches);
        return;
    case LB_GOAL_ORIENTATION:
        turn_wrenches(&g->scales, e, wrenches);
        return;
    case LB_GOAL_FRAME:
        position_wrenches(e, g->scales.position, wrenches);
        if (goal->weight_orientation > 0) {
            turn_wrenches(&g->scales, e, wrenches + 3);
        }
        return;
    default:
        lbp_goal_rows(g, e, rows, derivatives);
        for (int r = 0; r < lbp_goal_row_count(goal); r++) {
            lbp_wrench(e, derivatives[r], wrenches[r]);
        }
    }
}

/* The directions' rows by a turn v, v the turn whose pull the multipliers are. */
static void unfold_turns(const lb_goal *goal, const double e[9], const double *folded, double *plain) {
    double all = goal->kind == LB_GOAL_FRAME ? sqrt(goal->weight_orientation) : 1, turn[3] = {0, 0, 0};
    const double scales[2] = {lbp_angle_scale(goal->degrees_x), lbp_angle_scale(goal->degrees_y)};
    lbp_scales s;
    double axes[3][3];
    find_scales(goal, &s);
    find_axes(e, axes);
    for (int i = 0; i < 3; i++) {
        if (s.sizes[i] > 0) {
            lbm_add_scaled3(turn, axes[i], *folded++ * s.inverses[i]);
        }
    }
    for (int i = 0; i < 2; i++) {
        lbm_cross3(turn, e + 3 + 3 * i, plain + 3 * i);
        for (int k = 0; k < 3; k++) {
            plain[3 * i + k] *= -all * scales[i];
        }
    }
}

void lbp_goal_unfold(const lb_goal *goal, const double e[9], const double *folded, double *plain) {
    int first = goal->kind == LB_GOAL_FRAME ? 3 : 0;
    if (goal->kind != LB_GOAL_FRAME && goal->kind != LB_GOAL_ORIENTATION) {
        first = lbp_goal_row_count(goal);
    }
    memcpy(plain, folded, (size_t)first * sizeof *plain);
    if (goal->kind == LB_GOAL_ORIENTATION || goal->kind == LB_GOAL_FRAME) {
        unfold_turns(goal, e, folded + first, plain + first);
    }
}
