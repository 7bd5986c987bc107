/* What the six joints beside the free one can do where that stands at an angle: one sample of seven.c's walk. */
#include "closed/seven/seven_sample.h"

#include <math.h>

#include "closed/limb/triple.h"
#include "math/trig.h"

#define NEWTON_STEPS 30 /* at the end of a curve they halve the error, no more */

/* The arm without its first or its last joint. */
static void take_six(const lbc_arm *arm, int without, lbc_arm *six) {
    const int skipped = without == 0;
    memset(six, 0, sizeof *six);
    six->n = 6;
    six->home = arm->home;
    for (int i = 0; i < 6; i++) {
        six->slides[i] = arm->slides[i + skipped];
        lbm_copy3(six->axis[i], arm->axis[i + skipped]);
        lbm_copy3(six->point[i], arm->point[i + skipped]);
    }
    lbc_arm_finish(six);
}

int lbc_seven_find(const lbc_arm *arm, lbm_isa isa, lbc_seven *seven, lbc_seven_work *work) {
    static const int ends[] = {6, 0};
    for (int k = 0; k < 4 && arm->n == 7; k++) { /* the last joint, then the first; six of pieper.h, then any six */
        seven->joint = ends[k % 2];
        seven->is_general = k >= 2;
        if (arm->slides[seven->joint]) {
            continue;
        }
        take_six(arm, seven->joint, &seven->six);
        if (seven->is_general ? !lbc_arm_is_singular(&seven->six) &&
                                    lbc_general_prepare(&seven->six, &seven->by.general, &work->general)
                              : lbc_pieper_find(&seven->six, isa, &seven->by.pieper)) {
            return 1;
        }
    }
    return 0;
}

/* The goal of the six joints where the free one is at t: T inv(M) inv(E_7) M, or inv(E_1) T, in their unit of
 * length. */
static void goal_at(const lbc_arm *arm, const lbc_seven *seven, const lbm_transform *goal, double t,
                    lbm_transform *out) {
    lbm_transform turn, a, b;
    const double *w = arm->axis[seven->joint], *p = arm->point[seven->joint];
    const double x[3] = {1, 0, 0}, y[3] = {0, 1, 0}, z[3] = {0, 0, 1}, origin[3] = {0, 0, 0};
    double s, c;
    lbm_sincos(-t, &s, &c);
    lbm_transform_identity(&turn);
    lbc_turn(w, c, s, x, turn.x);
    lbc_turn(w, c, s, y, turn.y);
    lbc_turn(w, c, s, z, turn.z);
    lbc_turn_about(w, p, (const double[2]){c, s}, origin, turn.p);
    if (seven->joint == 0) {
        lbm_transform_multiply(&turn, goal, out);
    } else {
        lbm_transform_multiply(goal, &arm->home_inverse, &a);
        lbm_transform_multiply(&a, &turn, &b);
        lbm_transform_multiply(&b, &arm->home, out);
    }
    for (int k = 0; k < 3; k++) {
        out->p[k] /= seven->six.length;
    }
}

double lbc_seven_margin(const lbc_seven *seven, const double q[6]) {
    const int skipped = seven->joint == 0;
    double least = INFINITY;
    for (int i = 0; i < 6; i++) {
        const double lower = seven->lower[i + skipped], upper = seven->upper[i + skipped];
        const double value = seven->six.slides[i] ? q[i] * seven->six.length : q[i];
        const double slack = value - lower < upper - value ? value - lower : upper - value;
        const double margin = seven->six.slides[i] ? slack : lbc_margin(value, lower, upper);
        least = margin < least ? margin : least;
    }
    return least;
}

/* The six joints as any six: verified solutions, and what the determinant lacks of further roots. */
static void list_general(const lbc_seven *seven, const lbm_transform *at, lbc_sample *out) {
    lbc_set *set = &seven->work->set;
    set->count = set->refused = set->is_outside = 0;
    lbc_general_solve(&seven->six, &seven->by.general, at, set, &seven->work->general);
    out->count = set->count < LBC_LISTED ? set->count : LBC_LISTED;
    out->lack = lbc_general_lack(&seven->work->general);
    for (int i = 0; i < out->count; i++) {
        memcpy(out->q[i], set->list[i].q, sizeof out->q[i]);
    }
}

void lbc_seven_sample(const lbc_arm *arm, const lbc_seven *seven, const lbm_transform *goal, double t,
                      lbc_sample *out) {
    lbm_transform at;
    out->t = t;
    out->count = 0;
    out->lack = -INFINITY;
    if (lbc_spend(seven->budget)) {
        return;
    }
    goal_at(arm, seven, goal, t, &at);
    if (seven->is_general) {
        list_general(seven, &at, out);
    } else {
        out->count = lbc_pieper_list(&seven->six, &seven->by.pieper, &at, out->q, &out->lack);
    }
    for (int i = 0; i < out->count; i++) {
        out->margin[i] = lbc_seven_margin(seven, out->q[i]);
    }
}

int lbc_seven_newton(const lbc_arm *arm, const lbc_seven *seven, const lbm_transform *goal, double t, double q[6]) {
    lbm_transform at;
    if (lbc_spend(seven->budget)) {
        return 0;
    }
    goal_at(arm, seven, goal, t, &at);
    const double error = lbc_arm_polish(&seven->six, &at, q, NEWTON_STEPS);
    for (int i = 0; i < 6; i++) {
        q[i] = seven->six.slides[i] ? q[i] : lbc_wrapped(q[i]);
    }
    return error <= LBC_VERIFIED;
}

void lbc_seven_whole(const lbc_seven *seven, double t, const double six[6], double q[7]) {
    for (int i = 0, k = 0; i < 7; i++) {
        if (i == seven->joint) {
            q[i] = t;
        } else {
            q[i] = seven->six.slides[k] ? six[k] * seven->six.length : six[k];
            k++;
        }
    }
}

double lbc_seven_apart(const lbc_seven *seven, const double a[6], const double b[6]) {
    double most = 0;
    for (int i = 0; i < 6; i++) {
        double by = fabs(a[i] - b[i]);
        by = by > LBM_PI && !seven->six.slides[i] ? fabs(LBM_TWO_PI - by) : by;
        most = by > most ? by : most;
    }
    return most;
}
