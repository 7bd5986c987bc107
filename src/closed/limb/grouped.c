/* Every pair of the group's variables on a curve of grouped_curve.c has the elbow and the wrist in place, so that all
 * else follows: twist and elbow turn the forearm to the wrist (two ways), the wrist's three axes make what is left of
 * the rotation (two ways). Along a curve each limit is a function of one parameter; where it changes its sign is found,
 * and between two neighbours of all these places one test tells whether the limits hold, as in limb.c. */
#include "closed/limb/grouped.h"

#include <math.h>

#include "closed/limb/triple.h"
#include "math/trig.h"

#define AT_RIGHT_ANGLES 1e-9
#define BRANCHES 4 /* two ways to bend, two of the wrist */
#define CRITICAL 192
#define FUNCTIONS (LBC_JOINTS + LBC_GROUP_ROWS)
#define ON_LIMIT 1e-9  /* radians */
#define NEARLY 0.02    /* radians: a limit that is missed by less is looked at more closely */
#define CROSS_STEPS 60 /* in search of where a limit is reached */
#define SAMPLES 9      /* of an interval, in search of the values nearest to the start, */
#define SECTIONS 32    /* and then steps of golden section */
#define GOLDEN 0.61803398874989484820
#define PIECES 32 /* steps in search of where the swivel angle turns back */
#define WAY 16    /* steps that the swivel angle is followed in along an interval */

int lbc_grouped_find(const lbc_arm *arm, lbc_grouped *g) {
    const double *twist = arm->axis[2], *elbow = arm->axis[3];
    const lbc_group_joint *last = &g->joints[g->joint_count - 1];
    double way[3], off[3];
    if (!lbc_meet_at(arm, 4, g->wrist) || fabs(lbm_dot3(twist, elbow)) > AT_RIGHT_ANGLES) {
        return 0;
    }
    lbm_sub3(arm->point[3], arm->point[2], way);
    lbm_copy3(g->elbow, arm->point[3]);
    lbm_add_scaled3(g->elbow, elbow, -lbm_dot3(elbow, way));
    lbm_sub3(g->elbow, arm->point[2], way);
    lbm_cross3(twist, way, off);
    lbm_cross3(elbow, twist, g->across);
    if (lbm_norm3(off) > AT_RIGHT_ANGLES) {
        return 0; /* they do not meet */
    }
    lbm_sub3(g->wrist, g->elbow, way);
    g->forearm = lbm_norm3(way);
    g->bend = lbm_atan2(lbm_dot3(way, g->across), lbm_dot3(way, twist));
    lbm_sub3(last->point, arm->point[2], off);
    lbm_copy3(g->shoulder, arm->point[2]);
    lbm_add_scaled3(g->shoulder, twist, lbm_dot3(twist, off));
    for (int k = 0; k < 2; k++) {
        if (!(g->upper[k] - g->lower[k] <= LBM_TWO_PI)) {
            return 0;
        }
    }
    return g->forearm > AT_RIGHT_ANGLES && fabs(lbm_dot3(way, elbow)) < AT_RIGHT_ANGLES;
}

/* --- One point of a curve
 * ---------------------------------------------------------------------------------------------------- */

static void matrix_of(const lbm_transform *t, double out[9]) {
    for (int i = 0; i < 3; i++) {
        out[3 * i] = t->x[i];
        out[3 * i + 1] = t->y[i];
        out[3 * i + 2] = t->z[i];
    }
}

/* All seven values where the group's are q[0] and q[1]. Returns 0 where the wrist cannot make the rotation. */
static int complete(const lbc_arm *arm, const lbc_grouped *g, int branch, double q[LBC_JOINTS]) {
    const double *twist = arm->axis[2];
    lbm_transform motion, back, goal;
    double u[3], radial[3], bent[3], side[3], r2[9], r3[9], rg[9], partly[9], rest[9], s, c;
    lbc_grouped_move(g, g->joint_count, q, &motion);
    lbm_transform_invert(&motion, &back);
    lbm_transform_multiply(&back, &g->goal, &goal);
    lbm_apply(&goal, g->wrist, u);
    lbm_sub3(u, g->elbow, u);
    const double along = lbm_dot3(twist, u), sign = branch & 1 ? -1 : 1;
    lbm_copy3(radial, u);
    lbm_add_scaled3(radial, twist, -along);
    lbm_set3(bent, sign * g->across[0], sign * g->across[1], sign * g->across[2]);
    lbm_cross3(bent, radial, side);
    q[2] = lbm_atan2(lbm_dot3(twist, side), lbm_dot3(bent, radial));
    q[3] = lbc_wrapped(sign * lbm_atan2(lbm_norm3(radial), along) - g->bend);
    lbm_sincos(q[2], &s, &c);
    lbc_about9(twist, c, -s, r2);
    lbm_sincos(q[3], &s, &c);
    lbc_about9(arm->axis[3], c, -s, r3);
    matrix_of(&goal, rg);
    lbc_multiply9(r2, rg, partly);
    lbc_multiply9(r3, partly, rest);
    return lbc_decompose((const double(*)[3])arm->axis + 4, rest, branch >> 1, q + 4);
}

static int joints_at(const lbc_arm *arm, const lbc_grouped *g, const lbc_curve *c, double s, int branch,
                     double q[LBC_JOINTS]) {
    return lbc_grouped_point(g, c, s, q) && complete(arm, g, branch, q);
}

/* The values with their windings nearest to `near`, inside their limits where there are such. */
static void wind_all(const lbc_grouped *g, const double *near, double q[LBC_JOINTS]) {
    for (int i = 2; i < LBC_JOINTS; i++) {
        double wound = q[i] = lbc_wrapped(q[i]);
        q[i] = lbc_nearest_turn(q[i], g->lower[i], g->upper[i], near[i], &wound) ? wound : q[i];
    }
}

/* How far values are inside each limit; negative: outside. The least is returned. */
static double margins(const lbc_grouped *g, const double q[LBC_JOINTS], double out[FUNCTIONS]) {
    double least = INFINITY, wound[LBC_JOINTS];
    memcpy(wound, q, sizeof wound);
    wind_all(g, q, wound);
    for (int i = 0; i < LBC_JOINTS; i++) {
        const double below = q[i] - g->lower[i], above = g->upper[i] - q[i];
        out[i] = i >= 2 ? lbc_margin(lbc_wrapped(q[i]), g->lower[i], g->upper[i]) : below < above ? below : above;
        least = out[i] < least ? out[i] : least;
    }
    for (int r = 0; r < g->row_count; r++) {
        const lb_limit_row *row = g->rows[r];
        double sum = row->bound;
        for (int k = 0; k < row->count; k++) {
            double value = g->pose[row->variables[k]];
            for (int i = 0; i < LBC_JOINTS; i++) {
                value = g->variables[i] == row->variables[k] ? wound[i] : value;
            }
            sum -= row->coefficients[k] * value;
        }
        out[LBC_JOINTS + r] = sum;
        least = sum < least ? sum : least;
    }
    return least;
}

/* A branch of one curve, and what was found on it. */
typedef struct track {
    const lbc_arm *arm;
    const lbc_grouped *g;
    const lbc_curve *curve;
    int branch;
    int count;
    double critical[CRITICAL]; /* increasing */
    double best, best_at;      /* the greatest of the least margins so far */
} track;

static double margins_at(const track *t, double s, double out[FUNCTIONS]) {
    double q[LBC_JOINTS];
    if (joints_at(t->arm, t->g, t->curve, s, t->branch, q)) {
        return margins(t->g, q, out);
    }
    for (int j = 0; j < FUNCTIONS; j++) {
        out[j] = -1;
    }
    return -1;
}

static double function_at(const track *t, int j, double s) {
    double out[FUNCTIONS];
    margins_at(t, s, out);
    return out[j];
}

/* --- Where limits are reached
 * ------------------------------------------------------------------------------------------------ */

static void add_critical(track *t, double s) {
    if (t->count == CRITICAL) {
        return;
    }
    s += s < 0 ? t->curve->count : 0; /* across the seam of a loop */
    int at = t->count++;
    for (; at > 0 && t->critical[at - 1] > s; at--) {
        t->critical[at] = t->critical[at - 1];
    }
    t->critical[at] = s;
}

/* Between two places where function j has different signs. */
static void add_crossing(track *t, int j, double low, double high) {
    double at_low = function_at(t, j, low), at_high = function_at(t, j, high);
    int side = 0;
    double s = low;
    for (int k = 0; k < CROSS_STEPS && high - low > 1e-13; k++) {
        s = k % 4 == 3 ? (low + high) / 2 : (low * at_high - high * at_low) / (at_high - at_low);
        const double value = function_at(t, j, s);
        if (fabs(value) < 1e-14) {
            break;
        }
        if ((value < 0) == (at_high < 0)) {
            at_low *= side == 1 ? 0.5 : 1;
            high = s;
            at_high = value;
            side = 1;
        } else {
            at_high *= side == 2 ? 0.5 : 1;
            low = s;
            at_low = value;
            side = 2;
        }
    }
    add_critical(t, s);
}

/* Three neighbours of one sign, the middle one nearest to 0: is the other sign between them? */
static void look_closer(track *t, int j, const double at[3], const double value[3]) {
    const double sign = value[1] < 0 ? 1 : -1;
    double low = at[0], high = at[2];
    const double bend = value[0] - 2 * value[1] + value[2], tilt = (value[2] - value[0]) / 2;
    const double peak = bend != 0 ? value[1] - tilt * tilt / (2 * bend) : value[1];
    if (fabs(value[1]) > NEARLY && sign * (value[1] + 2 * (peak - value[1])) < 0) {
        return;
    }
    double u = high - GOLDEN * (high - low), v = low + GOLDEN * (high - low);
    double fu = sign * function_at(t, j, u), fv = sign * function_at(t, j, v);
    for (int k = 0; k < SECTIONS && fu < 0 && fv < 0; k++) {
        if (fu >= fv) {
            high = v;
            v = u;
            fv = fu;
            u = high - GOLDEN * (high - low);
            fu = sign * function_at(t, j, u);
        } else {
            low = u;
            u = v;
            fu = fv;
            v = low + GOLDEN * (high - low);
            fv = sign * function_at(t, j, v);
        }
    }
    if (fu >= 0 || fv >= 0) {
        const double inside = fu >= fv ? u : v;
        add_crossing(t, j, at[0], inside);
        add_crossing(t, j, inside, at[2]);
    }
}

/* All places along the curve at which a limit is reached. */
static void find_critical(track *t) {
    const int segments = t->curve->is_closed ? t->curve->count : t->curve->count - 1;
    const int before_first = t->curve->is_closed ? -1 : 0;
    double value[3][FUNCTIONS];
    const int functions = LBC_JOINTS + t->g->row_count;
    t->count = 0;
    for (int s = before_first; s <= segments; s++) {
        memcpy(value[0], value[1], sizeof value[0]);
        memcpy(value[1], value[2], sizeof value[0]);
        const double least = margins_at(t, s, value[2]);
        if (least > t->best) {
            t->best = least;
            t->best_at = s;
        }
        for (int j = 0; j < functions; j++) {
            const double three[3] = {value[0][j], value[1][j], value[2][j]}, at[3] = {s - 2, s - 1, s};
            if (s > 0 && (three[1] < 0) != (three[2] < 0)) {
                add_crossing(t, j, s - 1, s);
            } else if (s > before_first + 1 && (three[0] < 0) == (three[1] < 0) && fabs(three[1]) <= fabs(three[0]) &&
                       fabs(three[1]) <= fabs(three[2])) {
                look_closer(t, j, at, three);
            }
        }
    }
}

/* --- Intervals --------------------------------------------------------------------------------------------------------------- */

static double distance_at(const track *t, double s, const double *near) {
    double q[LBC_JOINTS], out[FUNCTIONS], sum = 0;
    if (!joints_at(t->arm, t->g, t->curve, s, t->branch, q) || margins(t->g, q, out) < -ON_LIMIT) {
        return INFINITY;
    }
    wind_all(t->g, near, q);
    for (int i = 0; i < LBC_JOINTS; i++) {
        sum += (q[i] - near[i]) * (q[i] - near[i]);
    }
    return sum;
}

/* What is looked for along an interval: what is nearest to the start, or, without one, what breaks limits least. */
static double loss_at(const track *t, double s, const double *near) {
    double out[FUNCTIONS];
    return near ? distance_at(t, s, near) : -margins_at(t, s, out);
}

/* The best of a few samples, then golden section around it. */
static double find_least(const track *t, const double ends[2], const double *near) {
    const double width = ends[1] - ends[0];
    double best = (ends[0] + ends[1]) / 2, least = INFINITY;
    for (int i = 0; i <= SAMPLES; i++) {
        const double s = ends[0] + width * i / SAMPLES, d = loss_at(t, s, near);
        if (d < least) {
            least = d;
            best = s;
        }
    }
    double low = best - width / SAMPLES > ends[0] ? best - width / SAMPLES : ends[0];
    double high = best + width / SAMPLES < ends[1] ? best + width / SAMPLES : ends[1];
    for (int k = 0; k < SECTIONS; k++) {
        const double u = high - GOLDEN * (high - low), v = low + GOLDEN * (high - low);
        const double fu = loss_at(t, u, near), fv = loss_at(t, v, near), f = fu <= fv ? fu : fv;
        if (f < least) {
            least = f;
            best = fu <= fv ? u : v;
        }
        low = fu <= fv ? low : u;
        high = fu <= fv ? v : high;
    }
    return best;
}

/* The swivel angle where the group's variables are x. */
static double swivel_at(const lbc_grouped *g, const double x[2]) {
    lbm_transform motion;
    double shoulder[3], elbow[3], n[3];
    lbc_grouped_move(g, g->joint_count, x, &motion);
    lbm_apply(&motion, g->shoulder, shoulder);
    lbm_apply(&motion, g->elbow, elbow);
    lbm_sub3(elbow, shoulder, elbow);
    lbm_sub3(g->goal_wrist, shoulder, n);
    const double length = lbm_norm3(n);
    for (int k = 0; k < 3; k++) {
        n[k] = length > 0 ? n[k] / length : 0;
    }
    return lbc_swivel_of(n, elbow);
}

/* Where the swivel angle turns back between two places: it is greatest there (sign 1) or least (-1). */
static double find_turn(const track *t, const double ends[2], double sign) {
    double low = ends[0], high = ends[1], x[2];
    double about = 0;
    if (lbc_grouped_point(t->g, t->curve, (low + high) / 2, x)) {
        about = swivel_at(t->g, x);
    }
    for (int k = 0; k < SECTIONS; k++) {
        const double u = high - GOLDEN * (high - low), v = low + GOLDEN * (high - low);
        double at[2] = {0, 0};
        for (int side = 0; side < 2; side++) {
            if (lbc_grouped_point(t->g, t->curve, side ? v : u, x)) {
                at[side] = sign * lbc_wrapped(swivel_at(t->g, x) - about);
            }
        }
        low = at[0] >= at[1] ? low : u;
        high = at[0] >= at[1] ? v : high;
    }
    return (low + high) / 2;
}

/* The swivel angle followed from one place to another, without jumps. */
static double swivel_along(const lbc_grouped *g, const lbc_curve *c, const double ends[2], double from) {
    double swivel = from, x[2];
    for (int k = 1; k <= WAY; k++) {
        if (lbc_grouped_point(g, c, ends[0] + (ends[1] - ends[0]) * k / WAY, x)) {
            swivel += lbc_wrapped(swivel_at(g, x) - swivel);
        }
    }
    return swivel;
}

static double verify(const lbc_arm *arm, const lbc_grouped *g, const lbm_transform *goal, const double *q) {
    double distal[LBC_JOINTS] = {0}, e[6];
    lbc_motion motion;
    lbm_transform group, end;
    memcpy(distal + 2, q + 2, 5 * sizeof *q);
    lbc_arm_forward(arm, distal, &motion);
    lbc_grouped_move(g, g->joint_count, q, &group);
    lbm_transform_multiply(&group, &motion.end, &end);
    return lbc_arm_error(&end, goal, e);
}

/* A solution for an interval: the nearest to the start, or, without one, what breaks limits least. */
static void insert(const track *t, const lbm_transform *goal, const double ends[2], const double *near, lbc_set *set) {
    const int curve = (int)(t->curve - t->g->curves);
    const double s = find_least(t, ends, near);
    if (set->count == LBC_SOLUTIONS) {
        return;
    }
    lbc_solution *made = &set->list[set->count];
    memset(made, 0, sizeof *made);
    if (!joints_at(t->arm, t->g, t->curve, s, t->branch, made->q)) {
        return;
    }
    made->error = verify(t->arm, t->g, goal, made->q);
    if (!(made->error <= LBC_VERIFIED)) {
        set->refused++;
        return;
    }
    for (int i = 2; i < LBC_JOINTS; i++) {
        made->q[i] = lbc_wrapped(made->q[i]);
    }
    made->branch = BRANCHES * curve + t->branch;
    made->swivel[0] = made->swivel[1] = made->swivel[2] = swivel_at(t->g, made->q);
    made->anchor[0] = made->anchor[1] = made->anchor[2] = s;
    if (near) {
        const double low = swivel_along(t->g, t->curve, (const double[2]){s, ends[0]}, made->swivel[0]);
        const double high = swivel_along(t->g, t->curve, (const double[2]){s, ends[1]}, made->swivel[0]);
        const int is_turned = low > high;
        made->swivel[1] = is_turned ? high : low;
        made->swivel[2] = is_turned ? low : high;
        made->anchor[1] = ends[is_turned];
        made->anchor[2] = ends[!is_turned];
    }
    set->count++;
}

/* The same, in pieces on which the swivel angle goes one way: of an arm that is nearly straight the elbow goes round in
 * so small a circle that the shoulder's own motion turns it back. */
static void insert_pieces(const track *t, const lbm_transform *goal, const double ends[2], const double *near,
                          lbc_set *set) {
    const double step = (ends[1] - ends[0]) / PIECES;
    double begin = ends[0], before = 0, last = 0, x[2];
    for (int k = 0; k <= PIECES; k++) {
        const double s = ends[0] + step * k;
        if (!lbc_grouped_point(t->g, t->curve, s, x)) {
            continue;
        }
        const double now = swivel_at(t->g, x), by = k > 0 ? lbc_wrapped(now - last) : 0;
        last = now;
        if (k > 1 && by * before < 0 && s - step - begin > step / 2) {
            const double turn = find_turn(t, (const double[2]){s - 2 * step, s}, before > 0 ? 1 : -1);
            insert(t, goal, (const double[2]){begin, turn}, near, set);
            begin = turn;
        }
        before = by;
    }
    insert(t, goal, (const double[2]){begin, ends[1]}, near, set);
}

/* The intervals of one branch of a curve: neighbours that both hold are one, also across the seam of a loop. */
static void find_intervals(track *t, const lbm_transform *goal, const double *near, lbc_set *set) {
    const int is_closed = t->curve->is_closed;
    const double length = is_closed ? t->curve->count : t->curve->count - 1;
    unsigned char holds[CRITICAL + 2];
    double at[CRITICAL + 3], out[FUNCTIONS], ends[2];
    int count = 0, is_open = 0, gap = -1;
    at[count++] = 0;
    for (int i = 0; i < t->count; i++) {
        if (t->critical[i] > at[count - 1] + 1e-12 && t->critical[i] < length - 1e-12) {
            at[count++] = t->critical[i];
        }
    }
    at[count] = length;
    for (int i = 0; i < count; i++) {
        holds[i] = margins_at(t, (at[i] + at[i + 1]) / 2, out) >= 0;
        gap = !holds[i] ? i : gap; /* the last one */
    }
    if (gap < 0) {
        insert_pieces(t, goal, (const double[2]){0, length}, near, set);
        return;
    }
    const int first = is_closed ? gap + 1 : 0;
    for (int k = 0; k <= count; k++) {
        const int i = (first + k) % count, is_end = k == count;
        const double low = at[i] + (is_closed && first + k >= count ? length : 0);
        if (!is_end && holds[i] && !is_open) {
            ends[0] = low;
            is_open = 1;
        } else if (is_open && (is_end || !holds[i])) {
            ends[1] = is_end && !is_closed ? length : low;
            insert_pieces(t, goal, ends, near, set);
            is_open = 0;
        }
    }
}

void lbc_grouped_solve(const lbc_arm *arm, lbc_grouped *g, const lbm_transform *goal, const double *near, lbc_set *set,
                       lbc_grouped_work *work) {
    track nearest = {arm, g, NULL, 0, 0, {0}, -INFINITY, 0};
    lbm_transform_multiply(goal, &arm->home_inverse, &g->goal);
    lbm_apply(&g->goal, g->wrist, g->goal_wrist);
    lbc_grouped_trace(g, work);
    for (int c = 0; c < g->curve_count; c++) {
        for (int branch = 0; branch < BRANCHES && g->curves[c].count > 1 && !lbc_spend(g->budget); branch++) {
            track t = {arm, g, &g->curves[c], branch, 0, {0}, -INFINITY, 0};
            find_critical(&t);
            find_intervals(&t, goal, near, set);
            nearest = t.best > nearest.best ? t : nearest;
        }
    }
    if (set->count == 0 && nearest.curve && !g->budget->is_spent) {
        const int is_closed = nearest.curve->is_closed, last = nearest.curve->count - 1;
        const double low = nearest.best_at - 1, high = nearest.best_at + 1;
        insert(&nearest, goal,
               (const double[2]){is_closed || low > 0 ? low : 0, is_closed || high < last ? high : last}, NULL, set);
        set->is_outside = set->count > 0;
    }
}

int lbc_grouped_at(const lbc_arm *arm, const lbc_grouped *g, const lbc_solution *solution, double swivel,
                   double q[LBC_JOINTS]) {
    const lbc_curve *c = &g->curves[solution->branch / BRANCHES];
    const int is_above = swivel > solution->swivel[0];
    double low = solution->anchor[0], high = solution->anchor[is_above ? 2 : 1], x[2];
    double at_low = solution->swivel[0], at = at_low;
    const double from = low, to = high;
    for (int k = 1; k <= WAY; k++) { /* the step of the way that it lies in */
        const double s = from + (to - from) * k / WAY;
        if (!lbc_grouped_point(g, c, s, x)) {
            continue;
        }
        at += lbc_wrapped(swivel_at(g, x) - at);
        if (is_above ? at >= swivel : at <= swivel) {
            high = s;
            break;
        }
        low = s;
        at_low = at;
    }
    double at_high = at;
    for (int k = 0; k < CROSS_STEPS && fabs(high - low) > 1e-13 && at_high != at_low; k++) {
        const double s = k % 3 == 2 ? (low + high) / 2 : low + (high - low) * (swivel - at_low) / (at_high - at_low);
        if (!lbc_grouped_point(g, c, s, x)) {
            return 0;
        }
        at = at_low + lbc_wrapped(swivel_at(g, x) - at_low);
        if (fabs(at - swivel) < 1e-13) {
            low = s;
            break;
        }
        if (is_above ? at >= swivel : at <= swivel) {
            high = s;
            at_high = at;
        } else {
            low = s;
            at_low = at;
        }
    }
    return joints_at(arm, g, c, low, solution->branch % BRANCHES, q);
}

double lbc_grouped_condition(const lbc_arm *arm, const lbc_grouped *g, const double *q) {
    double distal[LBC_JOINTS] = {0}, jacobian[6 * LBC_JOINTS], rate[2];
    lbc_motion motion;
    lbm_transform group, moved, end;
    memcpy(distal + 2, q + 2, 5 * sizeof *q);
    lbc_arm_forward(arm, distal, &motion);
    lbc_grouped_move(g, g->joint_count, q, &group);
    lbm_transform_multiply(&group, &motion.end, &end);
    lbc_arm_jacobian(arm, &motion, jacobian);
    for (int i = 2; i < LBC_JOINTS; i++) { /* into the base's frame */
        for (int part = 0; part < 6; part += 3) {
            double column[3], turned[3];
            for (int k = 0; k < 3; k++) {
                column[k] = jacobian[(part + k) * LBC_JOINTS + i];
            }
            lbm_rotate(&group, column, turned);
            for (int k = 0; k < 3; k++) {
                jacobian[(part + k) * LBC_JOINTS + i] = turned[k];
            }
        }
    }
    for (int k = 0; k < 6; k++) {
        jacobian[k * LBC_JOINTS] = jacobian[k * LBC_JOINTS + 1] = 0;
    }
    for (int i = 0; i < g->joint_count; i++) {
        double axis[3], point[3], way[3], side[3];
        lbc_grouped_move(g, i, q, &moved);
        lbm_rotate(&moved, g->joints[i].axis, axis);
        lbm_apply(&moved, g->joints[i].point, point);
        lbm_sub3(end.p, point, way);
        lbm_cross3(axis, way, side);
        lbc_grouped_angle(g, i, q, rate);
        for (int v = 0; v < 2; v++) {
            for (int k = 0; k < 3; k++) {
                jacobian[k * LBC_JOINTS + v] += rate[v] * side[k];
                jacobian[(3 + k) * LBC_JOINTS + v] += rate[v] * axis[k];
            }
        }
    }
    return lbc_jacobian_condition(jacobian, LBC_JOINTS);
}
