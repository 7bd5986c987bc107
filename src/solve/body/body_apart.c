/* Conditions of a body: no solid in another or in the floor, heels and lifted feet above it, contacts within their
 * surfaces. */
#include <math.h>

#include "solve/body/body.h"

#define NEAR 0.06 /* metres: solids that are closer have rows */
#define NEAR_FLOOR 0.10
#define LEAST_LENGTH 1e-9
#define TOUCHING 0.003     /* metres: solids that are this close at rest may be as close as there */
#define CLOSE_AT_REST 0.02 /* metres: what is closer, two joints apart, is flesh on flesh */

static double clip(double value) { return value < 0 ? 0 : value > 1 ? 1 : value; }

lbs_solid lbs_solid_at(const double at[3], double place[3]) {
    lbm_copy3(place, at);
    return (lbs_solid){.from = {.world = place}, .to = {.world = place}};
}

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

/* --- The plan --------------------------------------------------------------------------------------------------------------- */

static int on_spine(const lbs_body *b, int segment) {
    return segment == b->root.segment || (b->body->head >= 0 && lbs_is_in(b->figure, b->body->head, segment));
}

/* How many solids are on the way from one solid to another, counted up to two; 0: none, they are neighbours. */
static int solids_between(const lbs_body *b, int first, int second) {
    const lb_figure *f = b->figure;
    const int a = b->body->solids[first].segment, z = b->body->solids[second].segment;
    int common = a, count = 0;
    while (common >= 0 && !lbs_is_in(f, z, common)) {
        common = lb_figure_parent_segment(f, common);
    }
    for (int i = 0; i < b->body->solid_count && count < 2; i++) {
        const int segment = b->body->solids[i].segment;
        if (i == first || i == second || segment == a || segment == z) {
            continue;
        }
        count += segment == common || ((lbs_is_in(f, a, segment) != lbs_is_in(f, z, segment)));
    }
    return count;
}

void lbs_plan_solids(lbs_body *b) {
    const lb_body *body = b->body;
    b->solid_count = body->solid_count;
    b->pair_count = 0;
    for (int i = 0; i < body->solid_count; i++) {
        lbs_solid *solid = &b->solids[i];
        *solid = (lbs_solid){.from = lbs_plan_point(b, body->solids[i].segment, body->solids[i].from),
                             .to = lbs_plan_point(b, body->solids[i].segment, body->solids[i].to),
                             .radius = body->solids[i].radius};
        lbs_body_place_point(b, &solid->from);
        lbs_body_place_point(b, &solid->to);
        double axis[3];
        lbm_sub3(solid->to.world, solid->from.world, axis);
        solid->half_length = 0.5 * lbm_norm3(axis);
        const double below[2] = {solid->radius - solid->from.world[2], solid->radius - solid->to.world[2]};
        for (int k = 0; k < 2; k++) {
            solid->floor_slack[k] = below[k] > 0 ? below[k] : 0;
        }
    }
    for (int i = 0; i < body->solid_count; i++) {
        for (int k = i + 1; k < body->solid_count; k++) {
            double p[3], q[3], normal[3];
            const int first = body->solids[i].segment, second = body->solids[k].segment;
            if (first == second || (on_spine(b, first) && on_spine(b, second))) {
                continue;
            }
            const int between = solids_between(b, i, k);
            const double distance = lbs_solid_distance(&b->solids[i], &b->solids[k], p, q, normal);
            if (between == 0 || (between == 1 && distance < CLOSE_AT_REST)) {
                continue;
            }
            b->pairs[b->pair_count++] = (lbs_pair){i, k, distance - TOUCHING < 0 ? distance - TOUCHING : 0};
        }
    }
}

/* --- Conditions ------------------------------------------------------------------------------------------------------------- */

/* A lower bound of the distance of two solids: that of the balls around them. */
static double least_distance(const lbs_solid *a, const lbs_solid *b) {
    double square = 0;
    for (int c = 0; c < 3; c++) {
        const double off = 0.5 * (a->from.world[c] + a->to.world[c] - b->from.world[c] - b->to.world[c]);
        square += off * off;
    }
    return sqrt(square) - a->half_length - a->radius - b->half_length - b->radius;
}

static void add_pair(const lbs_body *b, lbs_bodies_task *t, const lbs_pair *pair) {
    const lbs_solid *first = &b->solids[pair->a], *second = &b->solids[pair->b];
    double p[3], q[3], normal[3];
    const lbs_conditions *c = &t->conditions;
    const double before = c->before && c->count < c->most ? c->before[c->count] : 0;
    if (before < -NEAR * t->far && before > -INFINITY && (c->count + c->turn) % LBS_REST) {
        lbs_add_condition(t, before, NEAR); /* it was far the last time, and is not near so soon */
        return;
    }
    const double least = least_distance(first, second);
    if (least > NEAR * t->far) {
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

static void add_above(const lbs_body *b, lbs_bodies_task *t, const lbs_body_point *point, double least, double near) {
    static const double up[3] = {0, 0, 1};
    double *row = lbs_add_condition(t, least - point->world[2], near);
    if (row) {
        lbs_add_point(b, t, row, point, up, -1);
    }
}

/* A heel is on its surface or above it. */
static void add_heel(const lbs_body *b, lbs_bodies_task *t, const lbs_contact *heel) {
    double *row = lbs_add_condition(t, -lbs_contact_height(heel), NEAR_FLOOR);
    if (row) {
        lbs_add_point(b, t, row, &heel->point, heel->plane->axes.normal, -1);
    }
}

static void add_feet(const lbs_body *b, lbs_bodies_task *t) {
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foot *foot = &b->stand.feet[i];
        const lbs_foothold *stood = &b->state->feet[i];
        if (stood->state == LBS_FOOT_LIFTED && !b->options->above_floor) {
            continue;
        }
        if (foot->heel >= 0 && (stood->state == LBS_FOOT_LIFTED || stood->heel_state != LBS_HEEL_DOWN)) {
            add_heel(b, t, &b->stand.contacts[foot->heel]);
        }
        if (stood->state != LBS_FOOT_LIFTED) {
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

void lbs_body_apart(const lbs_body *b, lbs_bodies_task *t, const double *forces) {
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
