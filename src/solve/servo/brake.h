/* Braking in discrete time: how far a variable goes until it stands, and how fast it may go to stand in time.
 *
 * A tick of period T takes a variable from q to q + v T. Its speed changes by at most a T from tick to tick. Let a tick
 * go at v >= 0, and every tick after it as slowly as the acceleration limit a lets it:
 *
 *     v, v - a T, v - 2 a T, ..., v - n a T,   n = the whole part of v / (a T),   then 0.
 *
 * The way of these ticks together, the one at v included, is
 *
 *     D(v) = T ((n + 1) v - a T n (n + 1) / 2),                                                          (1)
 *
 * continuous, piecewise linear, convex and strictly rising in v, with D(0) = 0. Let b(v) = max(v - a T, 0) be the speed
 * of the tick after one at v. Then by definition
 *
 *     D(v) = v T + D(b(v)).                                                                              (2)
 *
 * Call a speed v *viable* at q before a stop u where D(v) <= u - q. By (2), after a tick at a viable speed braking is
 * viable again: D(b(v)) = D(v) - v T <= u - (q + v T). And a viable speed does not pass the stop: v T <= D(v) <= u - q.
 * So a variable whose every speed is viable never passes a stop, and at every tick it can go on: b(v) is within its
 * acceleration limit, not above its velocity limit if v was not, viable for the stop ahead by the above, and viable for
 * the stop behind because it is not negative. The box of speeds of a tick,
 *
 *     max(-V, v - a T, -w(q - l))  ...  min(V, v + a T, w(u - q)),   w = the inverse of D,                   (3)
 *
 * is therefore never empty, and it is exact: a speed above w(u - q) passes the stop however hard the variable
 * brakes. */
#ifndef LIMBER_SOLVE_SERVO_BRAKE_H
#define LIMBER_SOLVE_SERVO_BRAKE_H

#include <math.h>

/* The limits of one variable, and the period. */
typedef struct lbs_rate {
    double velocity, acceleration, period; /* all > 0 and finite */
} lbs_rate;

/* D of (1), for v of either sign: the way has the sign of v. */
static inline double lbs_brake_way(const lbs_rate *rate, double v) {
    const double step = rate->acceleration * rate->period, speed = fabs(v), n = floor(speed / step);
    const double way = rate->period * ((n + 1) * speed - 0.5 * step * n * (n + 1));
    return v < 0 ? -way : way;
}

/* The largest speed that is not above the velocity limit and whose D is not above a way >= 0 (which may be infinite).
 * With c = a T^2 the pieces of D meet at v = n a T, where D = c n (n + 1) / 2. */
static inline double lbs_brake_speed(const lbs_rate *rate, double way) {
    if (!(way > 0)) {
        return 0;
    }
    if (lbs_brake_way(rate, rate->velocity) <= way) {
        return rate->velocity;
    }
    const double step = rate->acceleration * rate->period, c = step * rate->period;
    const double n = floor(0.5 * (sqrt(1 + 8 * way / c) - 1));
    const double speed = (way / rate->period + 0.5 * step * n * (n + 1)) / (n + 1);
    return speed < rate->velocity ? speed : rate->velocity;
}

/* b of (2), for v of either sign. */
static inline double lbs_brake(const lbs_rate *rate, double v) {
    const double step = rate->acceleration * rate->period;
    return fabs(v) <= step ? 0 : v > 0 ? v - step : v + step;
}

#endif
