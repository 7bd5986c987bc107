/* Whether braking is free, and speeds for which it is: the invariant of servo_apart.c. */
#include <math.h>

#include "solve/servo/servo_apart.h"
#include "solve/servo/servo_body.h"

#define KEPT_ROUNDS 4 /* halvings between braking and what is wanted */
#define LOOKS 32      /* poses of a way of braking that are looked at, at most */
#define WAY_TICKS 64  /* in which the way of braking as a whole is looked at */

/* Where variable k is `ticks` of braking after a tick at speed v. */
static double brake_at(const lb_servo *servo, int k, double v, int ticks) {
    if (servo->body) {
        const double period = servo->options.period;
        return servo->drive.q[k] + v * (period + (LBS_SERVO_HORIZON - period) * ticks / WAY_TICKS);
    }
    const lbs_rate *rate = &servo->drive.rates[k];
    const double step = rate->acceleration * rate->period, speed = fabs(v), n = floor(speed / step),
                 j = ticks < n ? ticks : n, way = rate->period * ((j + 1) * speed - 0.5 * step * j * (j + 1));
    return servo->drive.q[k] + (v < 0 ? -way : way);
}

static double kept_speed(const lb_servo *servo, int k, double share) {
    const double brake =
        servo->body ? lbs_servo_body_brake(servo, k) : lbs_brake(&servo->drive.rates[k], servo->drive.v[k]);
    return brake + share * (servo->drive.next_v[k] - brake);
}

/* Whether the first `count` near pairs of a->order stay apart at the ticks from `from` to `to` of braking, after a tick
 * whose speeds are this share of the way from braking to those that are wanted. Else *pair is one that does not, or of
 * which it would take too long to find out. Changes the order of these pairs. */
static int is_way_free(const lb_servo *servo, double share, int from, int to, int count, int *pair) {
    lbs_servo_apart *a = servo->apart;
    const int middle = from + (to - from) / 2;
    int open = 0; /* pairs, the first ones, that may touch at other ticks than the one in the middle */
    if (a->looks-- <= 0) {
        *pair = a->near[a->order[0]].pair;
        return 0;
    }
    for (int k = 0; k < a->variable_count; k++) {
        const double v = kept_speed(servo, k, share);
        a->pose[k] = brake_at(servo, k, v, middle);
        const double before = fabs(a->pose[k] - brake_at(servo, k, v, from)),
                     after = fabs(a->pose[k] - brake_at(servo, k, v, to));
        a->x[k] = before > after ? before : after;
    }
    lbs_servo_place_masses(a, servo->problem, a->pose);
    for (int i = 0; i < count; i++) {
        const near_pair *near = &a->near[a->order[i]];
        const lbp_pair *p = &a->all->pairs[near->pair];
        const lbm_transform *one = &a->frames[p->a - a->all->masses], *other = &a->frames[p->b - a->all->masses];
        double moves = 0;
        for (int k = 0; k < a->variable_count; k++) {
            moves += a->x[k] * near->levers[k];
        }
        if (lbp_pair_is_apart(p, one, other, near->least + moves, &a->memories[near->pair])) {
            continue;
        }
        if (moves <= 0 || !lbp_pair_is_apart(p, one, other, near->least, &a->memories[near->pair])) {
            *pair = near->pair;
            return 0;
        }
        const int uncovered = a->order[i];
        a->order[i] = a->order[open];
        a->order[open++] = uncovered;
    }
    return open == 0 || ((middle == from || is_way_free(servo, share, from, middle - 1, open, pair)) &&
                         (middle == to || is_way_free(servo, share, middle + 1, to, open, pair)));
}

static int is_share_free(const lb_servo *servo, double share, int *pair) {
    lbs_servo_apart *a = servo->apart;
    double longest = 0;
    for (int k = 0; k < servo->variable_count && !servo->body; k++) {
        const lbs_rate *rate = &servo->drive.rates[k];
        const double ticks = floor(fabs(kept_speed(servo, k, share)) / (rate->acceleration * rate->period));
        longest = ticks > longest ? ticks : longest;
    }
    longest = servo->body ? WAY_TICKS : longest;
    a->looks = LOOKS;
    return is_way_free(servo, share, 0, longest < 1e6 ? (int)longest : 1000000, a->near_count, pair);
}

void lbs_servo_keep_apart(lb_servo *servo) {
    double kept = 0, tried = 1;
    int pair = -1;
    if (!servo->apart || !servo->apart->near_count || is_share_free(servo, 1, &pair)) {
        return;
    }
    for (int round = 0; round < KEPT_ROUNDS; round++) {
        const double middle = 0.5 * (kept + tried);
        if (is_share_free(servo, middle, &pair)) {
            kept = middle;
        } else {
            tried = middle;
        }
    }
    servo->blame.pair = pair;
    for (int k = 0; k < servo->variable_count; k++) {
        servo->drive.next_v[k] = kept_speed(servo, k, kept);
    }
}
