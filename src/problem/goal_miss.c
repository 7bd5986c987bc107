/* How far an end-effector is from its goal in natural units, metres and radians, and whether the goal is met. */
#include <string.h>

#include "math/trig.h"
#include "math/vec.h"
#include "problem/goal.h"

/* The angle between two unit vectors, precise also where it is small: there, as most often, by the series of its
 * sine. */
static double angle_between(const double a[3], const double b[3]) {
    double cross[3], cosine = lbm_dot3(a, b);
    lbm_cross3(a, b, cross);
    double sine = lbm_norm3(cross), square = sine * sine;
    if (square < 1e-6 && cosine > 0) {
        return sine + sine * square * (1.0 / 6 + square * (3.0 / 40));
    }
    return lbm_atan2(sine, cosine);
}

static void miss_direction(const lb_goal *goal, const double e[9], lbp_miss *miss) {
    if (goal->degrees_x > 0) {
        miss->angle_rad[0] = angle_between(goal->x, e + 3);
    }
    if (goal->degrees_y > 0) {
        miss->angle_rad[1] = angle_between(goal->y, e + 6);
    }
}

void lbp_goal_miss(const lbp_goal *g, const double e[9], lbp_miss *miss) {
    const lb_goal *goal = &g->goal;
    memset(miss, 0, sizeof *miss);
    if (goal->kind == LB_GOAL_POSITION || goal->kind == LB_GOAL_FRAME) {
        lbm_sub3(goal->point, e, miss->offset);
        miss->distance = lbm_safe_norm3(miss->offset);
    }
    if (goal->kind == LB_GOAL_ORIENTATION || goal->kind == LB_GOAL_FRAME) {
        miss_direction(goal, e, miss);
    }
    if (goal->kind == LB_GOAL_POSITION || goal->kind == LB_GOAL_ORIENTATION || goal->kind == LB_GOAL_FRAME) {
        return;
    }
    if (goal->kind == LB_GOAL_AIM) {
        double to[3];
        lbm_sub3(goal->point, e, to);
        double length = lbm_safe_norm3(to);
        for (int i = 0; i < 3; i++) {
            to[i] = length < LBP_HERE ? e[3 + i] : to[i] / length;
        }
        miss->angle_rad[0] = angle_between(to, e + 3);
        return;
    }
    double rows[LBP_MAX_ROWS];
    double sum = lbp_goal_rows(g, e, rows, NULL);
    if (goal->kind == LB_GOAL_CUSTOM) {
        miss->potential = sum;
    }
    miss->distance = miss->offset[0] = goal->kind == LB_GOAL_CUSTOM ? 0 : sqrt(sum);
}

int lbp_goal_met(const lbp_goal *g, const lbp_miss *miss, const double tolerance[3], double tolerance_rad) {
    int axes = g->goal.kind == LB_GOAL_POSITION || g->goal.kind == LB_GOAL_FRAME ? 3 : 1;
    for (int i = 0; i < axes; i++) {
        if (!(fabs(miss->offset[i]) <= tolerance[i])) {
            return 0;
        }
    }
    if (g->goal.kind == LB_GOAL_CUSTOM) {
        return miss->potential <= tolerance[0] * tolerance[0];
    }
    return miss->angle_rad[0] <= tolerance_rad && miss->angle_rad[1] <= tolerance_rad;
}

/* An angle is longer than the chord, by a 24th of its cube or a little more: where the chord is clearly too long, or
 * short enough, there is no need to know the angle. Returns 1 if it is within the tolerance, 0 if not, -1 if it has to
 * be known. */
static int is_within(const double a[3], const double b[3], double tolerance_rad) {
    double off[3], most = tolerance_rad * (1 + 1e-6) + 1e-14, least = tolerance_rad * (1 - 1e-6) - 1e-14;
    lbm_sub3(a, b, off);
    double square = lbm_dot3(off, off);
    if (square > most * most) {
        return 0;
    }
    return tolerance_rad < 1e-3 && least > 0 && square < least * least ? 1 : -1;
}

int lbp_goal_met_at(const lbp_goal *g, const double e[9], const double tolerance[3], double tolerance_rad) {
    const lb_goal *goal = &g->goal;
    if (goal->kind == LB_GOAL_POSITION || goal->kind == LB_GOAL_FRAME) {
        for (int i = 0; i < 3; i++) {
            if (!(fabs(goal->point[i] - e[i]) <= tolerance[i])) {
                return 0;
            }
        }
    }
    if (goal->kind == LB_GOAL_POSITION) {
        return 1;
    }
    if (goal->kind == LB_GOAL_ORIENTATION || goal->kind == LB_GOAL_FRAME) {
        int x = goal->degrees_x > 0 ? is_within(goal->x, e + 3, tolerance_rad) : 1;
        int y = goal->degrees_y > 0 ? is_within(goal->y, e + 6, tolerance_rad) : 1;
        if (x == 0 || y == 0) {
            return 0;
        }
        if (x == 1 && y == 1) {
            return 1;
        }
    }
    lbp_miss miss;
    lbp_goal_miss(g, e, &miss);
    return lbp_goal_met(g, &miss, tolerance, tolerance_rad);
}
