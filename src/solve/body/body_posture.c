/* Terms that concern one variable each: posture and comfort; and the soft limits over several. */
#include <math.h>

#include "solve/body/body.h"

#define COMFORTABLE 0.55 /* of the way from rest to an end of the range */
#define LEAST_RANGE 0.35 /* radians: shorter ways have no comfort */

/* w^2 times the square of d, or what pseudo-Huber makes of it; half the derivative, and half the curvature. */
static double posture_of(const lb_body_variable *v, double factor, double d, double *slope, double *curvature) {
    const double w = factor * v->weight * v->weight;
    if (!(v->huber > 0)) {
        *slope = w * d;
        *curvature = w;
        return w * d * d;
    }
    const double t = d / v->huber, root = sqrt(1 + t * t);
    *slope = w * d / root;
    *curvature = w / (root * root * root);
    return 2 * w * v->huber * v->huber * (root - 1);
}

/* (weight e^2)^2 with e = max(0, u - 0.55) / 0.45, u the part of the way from rest to the end. */
static double comfort_of(double weight, double d, double below, double above, double *slope, double *curvature) {
    const double way = d > 0 ? above : below;
    if (!(way >= LEAST_RANGE) || !lbm_is_finite(way)) {
        return 0;
    }
    const double e = (fabs(d) / way - COMFORTABLE) / (1 - COMFORTABLE);
    if (!(e > 0)) {
        return 0;
    }
    const double rate = (d > 0 ? 1 : -1) / (way * (1 - COMFORTABLE)), r = weight * e * e, dr = 2 * weight * e * rate;
    *slope += r * dr;
    *curvature += 1.5 * dr * dr;
    return r * r;
}

static void add_own(lbs_bodies_task *t, int column, double value, double slope, double curvature) {
    lbs_body_values *values = t->values;
    values->own_value += value;
    values->terms[t->term] += value;
    values->half_gradient[column] += slope;
    values->half_curvature[column] += curvature;
}

static void add_variables(const lbs_body *b, lbs_bodies_task *t, const double *pose) {
    const lbs_space *s = t->space;
    const lb_figure *f = b->figure;
    for (int i = b->root.is_free ? 6 : 0; i < f->variable_count; i++) {
        const int column = s->variables.active_of[b->first_variable + i];
        if (column < 0 || !b->body->variable_count) {
            continue;
        }
        const double scale = s->variables.scale[column], d = pose[b->first_variable + i] - f->rest[i];
        const lb_body_variable *v = &b->body->variables[i];
        double slope = 0, curvature = 0;
        t->term = LB_BODY_TERM_POSTURE;
        double value = posture_of(v, b->options->posture, d, &slope, &curvature);
        add_own(t, column, value, slope * scale, curvature * scale * scale);
        slope = curvature = 0;
        t->term = LB_BODY_TERM_COMFORT;
        value = comfort_of(b->options->comfort * v->comfort, d, f->rest[i] - f->lower[i], f->upper[i] - f->rest[i],
                           &slope, &curvature);
        add_own(t, column, value, slope * scale, curvature * scale * scale);
    }
}

static void add_eases(const lbs_body *b, lbs_bodies_task *t, const double *pose) {
    t->term = LB_BODY_TERM_COMFORT;
    for (int i = 0; i < b->body->ease_count; i++) {
        const lb_body_ease *ease = &b->body->eases[i];
        const double weight = ease->weight * b->options->comfort;
        double sum = -ease->bound;
        for (int k = 0; k < ease->count; k++) {
            sum += ease->coefficients[k] * pose[b->first_variable + ease->variables[k]];
        }
        double *row = lbs_add_wish(t, sum > 0 ? weight * sum : 0);
        for (int k = 0; row && sum > 0 && k < ease->count; k++) {
            const int column = t->space->variables.active_of[b->first_variable + ease->variables[k]];
            if (column >= 0) {
                row[column] += weight * ease->coefficients[k] * t->space->variables.scale[column];
            }
        }
    }
}

/* The root: near where it is at rest over the feet, and turned as there. */
static void add_root(const lbs_body *b, lbs_bodies_task *t) {
    const lbm_transform *frame = lbs_body_frame(b, b->root.point.spot);
    const lb_body_variable *v = b->body->variables;
    const double factor = sqrt(b->options->posture);
    double off[3], axes[3][3];
    lbm_transform placed;
    lbm_transform_multiply(frame, &b->root.point.mount, &placed);
    lbm_copy3(axes[0], placed.x);
    lbm_copy3(axes[1], placed.y);
    lbm_copy3(axes[2], placed.z);
    lbm_sub3(b->root.point.world, b->state->wished_at, off);
    t->term = LB_BODY_TERM_POSTURE;
    for (int c = 0; c < 3; c++) {
        const double w = factor * v[c].weight;
        const double force[3] = {w * b->state->wished_axes[c][0], w * b->state->wished_axes[c][1],
                                 w * b->state->wished_axes[c][2]};
        double *row = lbs_add_wish(t, lbm_dot3(force, off));
        if (row) {
            lbs_add_point(b, t, row, &b->root.point, force, 1);
        }
    }
    /* roll: y along z at rest; pitch and yaw: x along z, y and x at rest */
    static const int of[4] = {1, 0, 0, 0}, along[4] = {2, 2, 1, 0}, weight[4] = {3, 4, 5, 5};
    for (int i = 0; i < 4; i++) {
        const double w = factor * v[weight[i]].weight, *a = b->state->wished_axes[along[i]];
        const double h[3] = {w * a[0], w * a[1], w * a[2]};
        double *row = lbs_add_wish(t, lbm_dot3(h, axes[of[i]]) - (of[i] == along[i] ? w : 0));
        if (row) {
            lbs_add_direction(b, t, row, b->root.point.spot, axes[of[i]], h, 1);
        }
    }
}

/* The posture that the problem prefers (lb_problem_set_posture), beside the body's own. */
static void add_preferred(const lbs_body *b, lbs_bodies_task *t, const double *pose) {
    const lbs_space *s = t->space;
    const double weight = s->problem->wishes.posture_weight;
    t->term = LB_BODY_TERM_POSTURE;
    for (int v = b->first_variable; weight > 0 && v < b->first_variable + b->figure->variable_count; v++) {
        const int column = s->variables.active_of[v];
        if (column >= 0) {
            const double scale = s->variables.scale[column], off = pose[v] - s->problem->posture[v];
            add_own(t, column, weight * off * off, weight * off * scale, weight * scale * scale);
        }
    }
}

void lbs_body_posture(const lbs_body *b, lbs_bodies_task *t, const double *pose) {
    add_variables(b, t, pose);
    add_preferred(b, t, pose);
    add_eases(b, t, pose);
    if (b->root.is_free && b->body->variable_count) {
        add_root(b, t);
    }
}
