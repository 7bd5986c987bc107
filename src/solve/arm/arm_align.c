/* The axes of an arm, aligned: as in Denavit and Hartenberg's notation each joint turns about z, and what lies
 * between two joints is a shift and a turn about x (docs/methods.md, "The plan"). */
#include "math/trig.h"
#include "solve/arm/arm_plan.h"

#define SLIDE_FROM 1e-3 /* sine of the twist, from where the shift is moved onto the axes */
/* Angles between axes that may be rounded: nearer than this to 0 or to a quarter turn, or beyond the other. */
#define NEARLY_RAD 0.1
#define NEARLY_OPPOSITE_RAD 3.0

/* Undoes a turn about z in the transform that follows it. */
static void turn_back(lbm_transform *t, double angle) {
    double s, c;
    lbm_transform turned, before = *t;
    lbm_sincos(-angle, &s, &c);
    lbm_transform_identity(&turned);
    turned.x[0] = turned.y[1] = c;
    turned.x[1] = s;
    turned.y[0] = -s;
    lbm_transform_multiply(&turned, &before, t);
}

/* How much rounding of twists is allowed in all, and how much has been done. Angles are in radians. */
typedef struct rounding {
    double reach;   /* the length of the arm, metres */
    double allowed; /* radians */
    double done;    /* radians */
} rounding;

static int may_round(rounding *r, double by) {
    if (r->done + fabs(by) > r->allowed) {
        return 0;
    }
    r->done += fabs(by);
    return 1;
}

static void set_shift(lbs_arm_joint *j, double x, double y, double z) {
    j->x = x;
    j->y = y;
    j->z = z;
    j->shifts = (x != 0) | (y != 0) << 1 | (z != 0) << 2;
}

/* How the axes at both ends of a gap lie. */
typedef enum gap_kind { GAP_ANY, GAP_PARALLEL, GAP_OPPOSITE, GAP_QUARTER } gap_kind;

/* From the angle b between the axes, which is rounded where that is allowed. */
static gap_kind kind_of_gap(double b, rounding *r) {
    if (b < NEARLY_RAD && may_round(r, b)) {
        return GAP_PARALLEL;
    }
    if (b > NEARLY_OPPOSITE_RAD && may_round(r, LBM_PI - b)) {
        return GAP_OPPOSITE;
    }
    return fabs(b - LBM_HALF_PI) < NEARLY_RAD && may_round(r, b - LBM_HALF_PI) ? GAP_QUARTER : GAP_ANY;
}

/* What a gap hands on: the angles that the joints before and behind it take on, and the shift along the axis that
 * can wait for the next gap, in metres. */
typedef struct handed_on {
    double before, after, slid;
} handed_on;

/* a and c of Rz(a) Rx(b) Rz(c). */
static void find_turns(const lbm_transform *gap, gap_kind kind, int flipped, handed_on *to) {
    if (kind == GAP_PARALLEL || kind == GAP_OPPOSITE) {
        const double both = lbm_atan2(gap->x[1], gap->x[0]);
        const double flat = sqrt(gap->p[0] * gap->p[0] + gap->p[1] * gap->p[1]);
        to->before = flat > 0 ? lbm_atan2(gap->p[1], gap->p[0]) : 0;
        to->after = kind == GAP_PARALLEL ? both - to->before : to->before - both;
        return;
    }
    to->before = lbm_atan2(gap->z[0], -gap->z[1]);
    to->after = lbm_atan2(gap->x[2], gap->y[2]);
    if (kind == GAP_QUARTER && flipped) { /* Rx(90) = Rz(180) Rx(-90) Rz(180) */
        to->before += LBM_PI;
        to->after += LBM_PI;
    }
}

static double without_rounding(double length, const rounding *r) {
    return fabs(length) < 1e-15 * r->reach ? 0 : length;
}

static void set_twist(lbs_arm_joint *j, gap_kind kind, double sine, double cosine, int flipped) {
    const int opposite = kind == GAP_OPPOSITE;
    j->twist = kind == GAP_PARALLEL  ? LBS_ARM_TWIST_NONE
               : kind == GAP_QUARTER ? LBS_ARM_TWIST_QUARTER
                                     : LBS_ARM_TWIST_ANY;
    if (j->twist == LBS_ARM_TWIST_ANY) {
        j->twist_cosine = opposite ? -1 : cosine;
        j->twist_sine = opposite ? 0 : flipped ? -sine : sine;
    }
}

/* A gap's rotation is Rz(a) Rx(b) Rz(c). Rz(a) goes to the joint before, Rz(c) to this one. The shift that is left
 * is along x, which is normal to both axes, and along the axes themselves, the last part of which can wait for the
 * next gap. *flipped: whether n is -z, before the gap and then behind it. */
static void align_gap(lbs_arm_joint *j, const lbm_transform *gap, double length_unit, rounding *r, int *flipped,
                      handed_on *to) {
    const double sine = sqrt(gap->z[0] * gap->z[0] + gap->z[1] * gap->z[1]), cosine = gap->z[2];
    const gap_kind kind = kind_of_gap(lbm_atan2(sine, cosine), r);
    const int quarter = kind == GAP_QUARTER;
    lbm_transform rest = *gap;
    find_turns(gap, kind, *flipped, to);
    turn_back(&rest, to->before);
    double x = without_rounding(rest.p[0], r), y = without_rounding(rest.p[1], r), z = rest.p[2];
    to->slid = 0;
    if ((quarter || kind == GAP_ANY) && sine > SLIDE_FROM) {
        const double down = quarter && *flipped ? 1 : -1; /* the new axis is (0, down sine, cosine) */
        to->slid = y / (down * (quarter ? 1 : sine));
        z -= to->slid * (quarter ? 0 : cosine);
        y = 0;
    }
    z = without_rounding(z, r);
    set_shift(j, x * length_unit, y * length_unit, (*flipped ? -z : z) * length_unit);
    set_twist(j, kind, sine, cosine, *flipped);
    *flipped ^= quarter;
    j->flipped = *flipped;
}

/* Adds a constant angle to a joint's own; a joint that slides has a constant turn behind it instead. */
static void set_turn(lbs_arm_joint *j, double angle) {
    double turns = floor(angle / LBM_TWO_PI + 0.5);
    j->offset = angle - turns * LBM_TWO_PI;
    if (!j->slides) {
        return;
    }
    lbm_sincos(j->offset, &j->turn_sine, &j->turn_cosine);
    j->turns = j->offset != 0;
    j->offset = 0;
}

void lbs_arm_align(lbs_arm *arm, double reach, double allowed) {
    rounding rounding_done = {reach, allowed, 0}, *r = &rounding_done;
    lbm_transform *gaps = arm->gaps;
    double angle = 0;
    int flipped = 0, n = arm->n;
    arm->from_base = gaps[0];
    lbm_transform_invert(&gaps[0], &arm->to_base);
    set_shift(&arm->joints[0], 0, 0, 0);
    for (int i = 1; i < n; i++) {
        handed_on to;
        align_gap(&arm->joints[i], &gaps[i], arm->unit, r, &flipped, &to);
        gaps[i + 1].p[2] += to.slid;
        set_turn(&arm->joints[i - 1], angle + to.before);
        angle = to.after;
    }
    lbm_transform *end = &gaps[n];
    double turned = end->p[0] != 0 || end->p[1] != 0 ? lbm_atan2(end->p[1], end->p[0]) : 0;
    set_turn(&arm->joints[n - 1], angle + turned);
    turn_back(end, turned);
    arm->end_x = end->p[0] * arm->unit;
    arm->end_z = (flipped ? -end->p[2] : end->p[2]) * arm->unit;
    arm->end_flipped = flipped;
}
