/* Knees: which joint of a leg brings its foot nearer to its hip, and how far it is bent in a sensible stance. */
#include <math.h>
#include <string.h>

#include "io/stand/stand.h"

#define SAMPLES 48
#define BENT 0.93 /* of the leg's reach: how far the foot is from the hip in the stance */
#define TURN 3.14159265358979323846

static int is_in_leg(const lbio_stander *s, const lbio_leg *leg, int segment) {
    while (segment >= 0 && segment != leg->first) {
        segment = segment == s->base ? -1 : lb_figure_parent_segment(s->figure, segment);
    }
    return segment >= 0;
}

/* The segment that a variable's joint carries; -1: none. */
static int carried_by(const lbio_stander *s, int variable) {
    const int joint = lb_figure_variable(s->figure, variable)->ref.joint;
    for (int i = 0; i < s->count && joint >= 0; i++) {
        if (lb_figure_parent_joint(s->figure, i) == joint) {
            return i;
        }
    }
    return -1;
}

/* Where the sole is from the hip with a variable at this value. */
static double way_at(lbio_stander *s, const lbio_leg *leg, int variable, double value, double way[3]) {
    const double kept = s->pose[variable];
    const lbio_foot_point *point = &leg->points[0];
    double length = 0;
    s->pose[variable] = value;
    lbio_stander_place(s);
    lbio_stand_world(s, point->segment, point->at, way);
    for (int c = 0; c < 3; c++) {
        way[c] -= s->frames[leg->first].position[c];
        length += way[c] * way[c];
    }
    s->pose[variable] = kept;
    return sqrt(length);
}

static void range_of(const lbio_stander *s, int variable, double *lower, double *upper) {
    const lb_variable *v = lb_figure_variable(s->figure, variable);
    *lower = fmax(v->lower, v->rest - TURN);
    *upper = fmin(v->upper, v->rest + TURN);
}

/* How much of the reach a variable takes over its range. */
static double bend_of(lbio_stander *s, const lbio_leg *leg, int variable, double *reach, double *straight) {
    double lower, upper, way[3], least = INFINITY;
    range_of(s, variable, &lower, &upper);
    *reach = 0;
    for (int i = 0; i <= SAMPLES; i++) {
        const double value = lower + (upper - lower) * i / SAMPLES, length = way_at(s, leg, variable, value, way);
        least = fmin(least, length);
        if (length > *reach) {
            *reach = length;
            *straight = value;
        }
    }
    return *reach - least;
}

/* The first value on a side of the straight one at which the foot is as near as in the stance; NAN: none. */
static double bent_value(lbio_stander *s, const lbio_leg *leg, double end) {
    double way[3];
    for (int i = 1; i <= SAMPLES; i++) {
        const double value = leg->straight + (end - leg->straight) * i / SAMPLES;
        if (way_at(s, leg, leg->knee, value, way) <= BENT * leg->reach) {
            return value;
        }
    }
    return NAN;
}

/* Whether bending to this value is the usual way: knees of bipeds go ahead, so that their feet go back; those of others
 * go to the middle of the body, so that their feet leave it. */
static double favour(lbio_stander *s, const lbio_leg *leg, double value) {
    double from[3], to[3], middle[2] = {0, 0};
    way_at(s, leg, leg->knee, leg->straight, from);
    way_at(s, leg, leg->knee, value, to);
    const double moved[2] = {to[0] - from[0], to[1] - from[1]};
    for (int i = 0; i < s->leg_count; i++) {
        middle[0] += s->legs[i].hip[0] / s->leg_count;
        middle[1] += s->legs[i].hip[1] / s->leg_count;
    }
    if (s->leg_count == 2) {
        return -moved[0];
    }
    return moved[0] * (leg->hip[0] - middle[0]) + moved[1] * (leg->hip[1] - middle[1]);
}

void lbio_stand_find_knee(lbio_stander *s, lbio_leg *leg) {
    double most = 0, reach, straight, way[3];
    leg->knee = -1;
    memcpy(leg->hip, s->frames[leg->first].position, sizeof leg->hip);
    for (int i = 0; i < lb_figure_variable_count(s->figure); i++) {
        const lb_variable *v = lb_figure_variable(s->figure, i);
        const int segment = carried_by(s, i);
        if (segment >= 0 && v->is_angle && v->rigidity < 1 && v->upper > v->lower && is_in_leg(s, leg, segment) &&
            bend_of(s, leg, i, &reach, &straight) > most) {
            most = bend_of(s, leg, i, &reach, &straight);
            leg->knee = i;
            leg->reach = reach;
            leg->straight = straight;
        }
    }
    const double now = leg->knee >= 0 ? way_at(s, leg, leg->knee, s->pose[leg->knee], way) : 0;
    if (leg->knee >= 0 && now > BENT * leg->reach) {
        double lower, upper;
        range_of(s, leg->knee, &lower, &upper);
        const double down = bent_value(s, leg, lower), up = bent_value(s, leg, upper);
        leg->bent = isnan(down) ? up : isnan(up) ? down : favour(s, leg, up) > favour(s, leg, down) ? up : down;
        leg->bent = isnan(leg->bent) ? s->pose[leg->knee] : leg->bent;
    } else if (leg->knee >= 0) {
        leg->bent = s->pose[leg->knee];
    }
    lbio_stander_place(s);
}
