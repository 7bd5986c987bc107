/* Conditions of a body: no solid in another or in the floor, heels and lifted feet above it, contacts within their surfaces. */
#include <math.h>

#include "solve/body/body.h"

#define NEAR 0.06 /* metres: solids that are closer have rows */
#define NEAR_FLOOR 0.10
#define LEAST_LENGTH 1e-9

static double clip(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

double lbs_solid_distance(const lbs_solid *a, const lbs_solid *b, double at_a[3], double at_b[3], double normal[3]) {
    double u[3], v[3], w[3], s = 0.5, t;
    lbm_sub3(a->to.world, a->from.world, u);
    lbm_sub3(b->to.world, b->from.world, v);
    lbm_sub3(a->from.world, b->from.world, w);
    const double uu = lbm_dot3(u, u), vv = lbm_dot3(v, v), uv = lbm_dot3(u, v), uw = lbm_dot3(u, w),
                 vw = lbm_dot3(v, w);
    const double determinant = uu * vv - uv * uv;
    if (determinant > 1e-9 * uu * vv) {
        s = clip((uv * vw - uw * vv) / determinant);
    }
    t = vv > 0 ? (uv * s + vw) / vv : 0;
    if (t < 0) {
        t = 0;
        s = uu > 0 ? clip(-uw / uu) : 0;
    } else if (t > 1) {
        t = 1;
        s = uu > 0 ? clip((uv - uw) / uu) : 0;
    }
    for (int c = 0; c < 3; c++) {
        at_a[c] = a->from.world[c] + s * u[c];
        at_b[c] = b->from.world[c] + t * v[c];
    }
    lbm_sub3(at_a, at_b, normal);
    const double length = lbm_norm3(normal);
    for (int c = 0; c < 3; c++) {
        normal[c] = length > LEAST_LENGTH ? normal[c] / length : c == 2;
    }
    return length - a->radius - b->radius;
}

/* A lower bound of the distance of two solids: that of the balls around them. */
static double least_distance(const lbs_solid *a, const lbs_solid *b) {
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double off = 0.5 * (a->from.world[c] + a->to.world[c] - b->from.world[c] - b->to.world[c]);
        square += off * off;
    }
    return sqrt(square) - a->half_length - a->radius - b->half_length - b->radius;
}

static void add_pair(lbs_body *b, lbs_bodies_task *t, const lbs_pair *pair) {
    const lbs_solid *first = &b->solids[pair->a], *second = &b->solids[pair->b];
    double p[3], q[3], normal[3];
    const double least = least_distance(first, second);
    if (least > NEAR) {
        lbs_add_condition(t, -least, NEAR);
        return;
    }
    const double distance = lbs_solid_distance(first, second, p, q, normal);
    double *row = lbs_add_condition(t, -(distance - pair->slack), NEAR);
    if (row) {
        lbs_add_at(b, t, row, first->from.spot, p, normal, -1);
        lbs_add_at(b, t, row, second->from.spot, q, normal, 1);
    }
}

static void add_above(lbs_body *b, lbs_bodies_task *t, const lbs_body_point *point, double least, double near) {
    static const double up[3] = {0, 0, 1};
    double *row = lbs_add_condition(t, least - point->world[2], near);
    if (row) {
        lbs_add_point(b, t, row, point, up, -1);
    }
}

/* A heel is on its surface or above it. */
static void add_heel(lbs_body *b, lbs_bodies_task *t, const lbs_contact *heel) {
    double *row = lbs_add_condition(t, -lbs_contact_height(heel), NEAR_FLOOR);
    if (row) {
        lbs_add_point(b, t, row, &heel->point, heel->plane.axes.normal, -1);
    }
}

static void add_feet(lbs_body *b, lbs_bodies_task *t) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        if (foot->state == LBS_FOOT_LIFTED && !b->options->above_floor) {
            continue;
        }
        if (foot->heel >= 0 && (foot->state == LBS_FOOT_LIFTED || foot->heel_state != LBS_HEEL_DOWN)) {
            add_heel(b, t, &b->stand.contacts[foot->heel]);
        }
        if (foot->state != LBS_FOOT_LIFTED) {
            continue;
        }
        for (int k = 0; k < foot->ball_count; k++) {
            const lbs_contact *ball = &b->stand.contacts[foot->balls[k]];
            add_above(b, t, &ball->point, b->options->floor + ball->radius, NEAR_FLOOR);
        }
        if (foot->toe >= 0) {
            add_above(b, t, &b->stand.contacts[foot->toe].point, b->options->floor, NEAR_FLOOR);
        }
    }
}

void lbs_body_apart(lbs_body *b, lbs_bodies_task *t, const double *forces) {
    lbs_body_edges(b, t);
    for (int i = 0; i < b->solid_count && b->options->above_floor; i++) {
        const lbs_solid *solid = &b->solids[i];
        add_above(b, t, &solid->from, b->options->floor + solid->radius - solid->floor_slack[0], NEAR_FLOOR);
        add_above(b, t, &solid->to, b->options->floor + solid->radius - solid->floor_slack[1], NEAR_FLOOR);
    }
    for (int i = 0; i < b->pair_count && b->options->apart; i++) {
        add_pair(b, t, &b->pairs[i]);
    }
    add_feet(b, t);
    lbs_body_cones(b, t, forces);
    lbs_body_obstacles(b, t);
}
