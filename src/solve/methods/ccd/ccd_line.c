/* The least of G along one variable: by harmonics, by a parabola, or by a search. */
#include "math/trig.h"
#include "solve/methods/ccd/ccd.h"

#define GOLDEN 0.382
#define LIGHT_SAMPLES 14
#define FIGURE_SAMPLES 6 /* where each sample needs the whole figure, the next sweep may do the rest */

int lbs_ccd_degree(const lbs_ccd *c, int i) {
    const lbs_space *s = c->s;
    const lbp_wishes *w = &s->task.wishes;
    int degree = 1;
    if (!lbs_ccd_is_light(c, i) || c->movers[i].kind == LBS_MOVE_BALL || w->margin_weight > 0 || w->middle_weight > 0) {
        return 0;
    }
    if (c->movers[i].kind == LBS_MOVE_TURN && (w->posture_weight > 0 || w->stay_weight > 0)) {
        return 0;
    }
    for (int k = 0; k < s->item_count; k++) {
        const lbs_item *item = &s->items[k];
        if (!item->enabled || !c->moves[(size_t)i * (size_t)s->item_count + (size_t)k]) {
            continue;
        }
        lb_goal_kind kind = item->constraint->goal.kind;
        if (item->group >= 0 || kind == LB_GOAL_AIM || kind > LB_GOAL_PLANE) {
            return 0;
        }
        if (kind == LB_GOAL_LINE || kind == LB_GOAL_PLANE) {
            degree = 2;
        }
    }
    return degree;
}

/* The turn that is theta but for whole turns and lies in the room, nearest to 0; if there is none, *inside is 0. */
static double turn_inside(double theta, double down, double up, int *inside) {
    const double turns[3] = {0, theta > 0 ? -LBM_TWO_PI : LBM_TWO_PI, theta > 0 ? LBM_TWO_PI : -LBM_TWO_PI};
    for (int k = 0; k < 3; k++) {
        double at = theta + turns[k];
        if (at < down || at > up) {
            continue;
        }
        *inside = 1;
        return at;
    }
    *inside = 0;
    return 0;
}

static double better_end(lbs_ccd *c, int i, double down, double up) {
    return lbs_ccd_value(c, i, down) < lbs_ccd_value(c, i, up) ? down : up;
}

static double first_harmonic(lbs_ccd *c, int i, double down, double up) {
    double scale = c->s->variables.scale[i], third = LBM_TWO_PI / 3 / scale;
    double here = lbs_ccd_value(c, i, 0), ahead = lbs_ccd_value(c, i, third), behind = lbs_ccd_value(c, i, -third);
    double a = ((here - ahead) + (here - behind)) / 3, b = (ahead - behind) * 0.57735026918962576451;
    if (a == 0 && b == 0) {
        return 0;
    }
    int inside;
    double theta = turn_inside(lbm_atan2(-b, -a), down * scale, up * scale, &inside);
    return inside ? theta / scale : better_end(c, i, down, up);
}

typedef struct harmonics {
    double a[2], b[2];
} harmonics;

static double harmonic_value(const harmonics *h, double theta, double *slope, double *bend) {
    double s1, c1, s2, c2;
    lbm_sincos(theta, &s1, &c1);
    lbm_sincos(2 * theta, &s2, &c2);
    *slope = h->b[0] * c1 + -h->a[0] * s1 + 2 * (h->b[1] * c2 + -h->a[1] * s2);
    *bend = -(h->a[0] * c1 + h->b[0] * s1) - 4 * (h->a[1] * c2 + h->b[1] * s2);
    return h->a[0] * c1 + h->b[0] * s1 + h->a[1] * c2 + h->b[1] * s2;
}

/* From a point near a least value to it, by Newton steps while they get lower. */
static double settle(const harmonics *h, double theta) {
    double slope, bend, value = harmonic_value(h, theta, &slope, &bend);
    for (int k = 0; k < 12 && bend > 0; k++) {
        double next = theta - slope / bend, lower = harmonic_value(h, next, &slope, &bend);
        if (next == theta || !(lower <= value)) {
            break;
        }
        theta = next;
        value = lower;
    }
    return theta;
}

typedef struct choice {
    double at, value, slack;
} choice;

/* Of values that are the same but for rounding the nearest counts: both ways round may be as good. */
static void consider(choice *best, const harmonics *h, double theta) {
    double slope, bend, value = harmonic_value(h, theta, &slope, &bend);
    if (!lbm_is_finite(theta) || !(value < best->value + best->slack)) {
        return;
    }
    if (value > best->value - best->slack && fabs(theta) >= fabs(best->at)) {
        return;
    }
    best->at = theta;
    best->value = value;
}

/* The least value in the room: of the ends, and of what the low points of a ring settle to. There are two at most. */
static double second_harmonic(lbs_ccd *c, int i, double down, double up) {
    enum { RING = 24 };
    double scale = c->s->variables.scale[i], slope, bend, ring[RING];
    harmonics h = {{0, 0}, {0, 0}};
    for (int k = 0; k < 5; k++) {
        double theta = k * (LBM_TWO_PI / 5), value = 0.4 * lbs_ccd_value(c, i, theta / scale);
        for (int j = 0; j < 2; j++) {
            h.a[j] += value * lbm_cos((j + 1) * theta);
            h.b[j] += value * lbm_sin((j + 1) * theta);
        }
    }
    down *= scale;
    up *= scale;
    for (int k = 0; k < RING; k++) {
        ring[k] = harmonic_value(&h, (k - RING / 2) * (LBM_TWO_PI / RING), &slope, &bend);
    }
    choice best = {0, ring[RING / 2], 1e-13 * (fabs(h.a[0]) + fabs(h.b[0]) + fabs(h.a[1]) + fabs(h.b[1]))};
    for (int k = 0; k < RING; k++) {
        if (!(ring[k] <= ring[(k + RING - 1) % RING] && ring[k] < ring[(k + 1) % RING])) {
            continue;
        }
        int inside;
        double theta = turn_inside(settle(&h, (k - RING / 2) * (LBM_TWO_PI / RING)), down, up, &inside);
        if (inside) {
            consider(&best, &h, theta);
        }
    }
    if (down > -LBM_TWO_PI) {
        consider(&best, &h, down);
    }
    if (up < LBM_TWO_PI) {
        consider(&best, &h, up);
    }
    return best.at / scale;
}

static double parabola(lbs_ccd *c, int i, double down, double up) {
    double unit = 1 / c->s->variables.scale[i];
    double here = lbs_ccd_value(c, i, 0), ahead = lbs_ccd_value(c, i, unit), behind = lbs_ccd_value(c, i, -unit);
    double bend = (ahead - here) + (behind - here);
    if (!(bend > 1e-14 * (ahead + behind))) {
        return 0;
    }
    double t = -0.5 * (ahead - behind) / bend * unit;
    return t < down ? down : t > up ? up : t;
}

/* Three points low < at < high with the least value at `at`. */
typedef struct bracket {
    double low, f_low, at, f_at, high, f_high;
} bracket;

static bracket bracket_of(double a, double f_a, double at, double f_at, double b, double f_b) {
    return b > a ? (bracket){a, f_a, at, f_at, b, f_b} : (bracket){b, f_b, at, f_at, a, f_a};
}

/* The least point of the parabola through the three; the golden section every fourth time, and where that fails. */
static double next_point(const bracket *b, int k) {
    const double low = b->low, at = b->at, high = b->high;
    double p = (at - low) * (at - low) * (b->f_at - b->f_high) - (at - high) * (at - high) * (b->f_at - b->f_low);
    double q = (at - low) * (b->f_at - b->f_high) - (at - high) * (b->f_at - b->f_low);
    double next = at - 0.5 * p / q, least = 1e-3 * (high - low);
    if (k % 4 == 3 || !(next > low && next < high)) {
        next = high - at > at - low ? at + GOLDEN * (high - at) : at - GOLDEN * (at - low);
    }
    if (fabs(next - at) < least) {
        next = high - at > at - low ? at + least : at - least;
    }
    return next;
}

static double narrow(lbs_ccd *c, int i, bracket b) {
    const int most = lbs_ccd_is_light(c, i) ? LIGHT_SAMPLES : FIGURE_SAMPLES;
    for (int k = 0; k < most && b.high - b.low > 1e-9 * (fabs(b.at) + 1e-3); k++) {
        const double next = next_point(&b, k), f_next = lbs_ccd_value(c, i, next);
        const int is_better = f_next < b.f_at;
        if (is_better == (next > b.at)) {
            b.low = is_better ? b.at : next;
            b.f_low = is_better ? b.f_at : f_next;
        } else {
            b.high = is_better ? b.at : next;
            b.f_high = is_better ? b.f_at : f_next;
        }
        if (is_better) {
            b.at = next;
            b.f_at = f_next;
        }
    }
    return b.at;
}

/* Downhill from 0 in steps that double, then between the last three. */
static double search(lbs_ccd *c, int i, double down, double up) {
    lbs_ccd_mover *m = &c->movers[i];
    double here = lbs_ccd_value(c, i, 0);
    if (here == 0) {
        return 0;
    }
    double right = m->step < up ? m->step : up, left = -m->step > down ? -m->step : down;
    double f_right = right > 0 ? lbs_ccd_value(c, i, right) : here, f_left = here;
    double before = 0, f_before = here, at = right, f_at = f_right;
    if (!(f_right < here)) {
        f_left = left < 0 ? lbs_ccd_value(c, i, left) : here;
        if (!(f_left < here)) {
            double t = narrow(c, i, bracket_of(left, f_left, 0, here, right, f_right));
            m->step = fabs(t) * 4 > 1e-6 ? fabs(t) * 4 : m->step > 1e-5 ? m->step * 0.25 : 1e-5;
            return t;
        }
        at = left;
        f_at = f_left;
    }
    for (int k = 0; k < 16; k++) {
        double next = 2 * at;
        next = next < down ? down : next > up ? up : next;
        if (next == at) {
            break; /* at the end of its room */
        }
        double f_next = lbs_ccd_value(c, i, next);
        if (!(f_next < f_at)) {
            at = narrow(c, i, bracket_of(before, f_before, at, f_at, next, f_next));
            break;
        }
        before = at;
        f_before = f_at;
        at = next;
        f_at = f_next;
    }
    m->step = fabs(at);
    return at;
}

double lbs_ccd_least(lbs_ccd *c, int i, int degree, double down, double up) {
    if (degree == 0) {
        return search(c, i, down, up);
    }
    if (c->movers[i].kind == LBS_MOVE_SHIFT) {
        return parabola(c, i, down, up);
    }
    return degree == 1 ? first_harmonic(c, i, down, up) : second_harmonic(c, i, down, up);
}
