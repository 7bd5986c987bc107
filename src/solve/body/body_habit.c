/* The rows of a habit: r = w U (f - mean).
 *
 * Most features are variables: their derivatives are constants. The others are heights and directions: their
 * derivatives are found once, as rows of their own, and enter each row of U by its factors. What U' r pulls a feature
 * by is also what its curvature counts by (body_curvature.c). */
#include <math.h>
#include <string.h>

#include "math/rotation.h"
#include "math/trig.h"
#include "problem/problem.h"
#include "solve/body/body.h"

#define HABIT 0.0274      /* of a row of U, where the option is 1: 40 of the 41 everyday tasks stay clean */
#define AXIS_LENGTH 0.3   /* metres: what directions count by, against places, where a start is turned to its goals */
#define LEAST_LENGTH 1e-6 /* metres: what is shorter has no direction */

static const double up[3] = {0, 0, 1};

size_t lbs_habit_rows(const lb_problem *p, int figure) {
    const lb_habit *habit = lb_problem_habit(p, figure);
    return habit ? (size_t)habit->data.feature_count : 0;
}

void lbs_cut_habit(lbs_habit *h, const lb_problem *p, int figure, size_t stride, lbm_arena *arena) {
    const size_t count = lbs_habit_rows(p, figure);
    int *indices = lbm_cut(arena, count, sizeof *indices);
    double *off = lbm_cut_doubles(arena, count), *slopes = lbm_cut_aligned(arena, count * stride);
    if (h) {
        *h = (lbs_habit){.indices = indices, .off = off, .slopes = slopes};
    }
}

void lbs_plan_habit(lbs_body *b, const lb_problem *p) {
    const lb_habit *habit = lb_problem_habit(p, b->number);
    lbs_habit *h = &b->habit;
    h->data = habit && b->options->habit > 0 && lbf_find_habit(habit, b->figure, h->indices) < 0 ? &habit->data : NULL;
    if (h->data) {
        h->scale = lbf_habit_scale(habit, b->kinematics);
    }
}

/* --- Rows ------------------------------------------------------------------------------------------------------------------- */

/* A component of the world's up in the frame of the root segment. */
static double up_along(const lbs_body *b, int axis, double direction[3]) {
    lbm_transform placed;
    lbm_transform_multiply(lbs_body_frame(b, b->root.point.spot), &b->root.point.mount, &placed);
    lbm_copy3(direction, axis == 0 ? placed.x : axis == 1 ? placed.y : placed.z);
    return direction[2];
}

static const lbs_body_point *point_of(const lbs_body *b, int feature) {
    return b->habit.data->features[feature].kind == LB_HABIT_CONTACT
               ? &b->stand.contacts[b->habit.indices[feature]].point
               : &b->root.point;
}

static void measure(const lbs_body *b, const double *pose) {
    const lbs_habit *h = &b->habit;
    for (int i = 0; i < h->data->feature_count; i++) {
        double value, direction[3];
        switch (h->data->features[i].kind) {
        case LB_HABIT_VARIABLE:
            value = pose[b->first_variable + h->indices[i]];
            break;
        case LB_HABIT_UP:
            value = up_along(b, h->indices[i], direction);
            break;
        default:
            value = (point_of(b, i)->world[2] - b->options->floor) / h->scale;
            break;
        }
        h->off[i] = value - h->data->features[i].mean;
    }
}

static void differentiate(const lbs_body *b, lbs_bodies_task *t) {
    const lbs_habit *h = &b->habit;
    const double force[3] = {0, 0, 1 / h->scale};
    t->pull = 0; /* what pulls is not known yet */
    for (int i = 0; i < h->data->feature_count; i++) {
        const lb_habit_kind kind = h->data->features[i].kind;
        double *slopes = h->slopes + (size_t)i * (size_t)t->stride, direction[3];
        if (kind == LB_HABIT_VARIABLE) {
            continue;
        }
        memset(slopes, 0, (size_t)t->stride * sizeof *slopes);
        if (kind == LB_HABIT_UP) {
            up_along(b, h->indices[i], direction);
            lbs_add_direction(b, t, slopes, b->root.point.spot, direction, up, 1);
        } else {
            lbs_add_force(b, t, slopes, point_of(b, i), force);
        }
    }
}

static void add_feature(const lbs_body *b, const lbs_bodies_task *t, int feature, double factor, double *row) {
    const lbs_habit *h = &b->habit;
    if (h->data->features[feature].kind != LB_HABIT_VARIABLE) {
        t->space->kernels->add_scaled(t->stride, factor, h->slopes + (size_t)feature * (size_t)t->stride, row);
        return;
    }
    const int column = t->space->variables.active_of[b->first_variable + h->indices[feature]];
    if (column >= 0) {
        row[column] += factor * t->space->variables.scale[column];
    }
}

/* Pulls at what a feature is measured by. */
static void pull(const lbs_body *b, int feature, double factor) {
    const lbs_habit *h = &b->habit;
    const double force[3] = {0, 0, 1 / h->scale};
    double direction[3];
    if (h->data->features[feature].kind == LB_HABIT_UP) {
        up_along(b, h->indices[feature], direction);
        lbs_pull_direction(b, b->root.point.spot, direction, up, factor);
    } else if (h->data->features[feature].kind != LB_HABIT_VARIABLE) {
        const lbs_body_point *point = point_of(b, feature);
        lbs_pull_point(b, point->spot, point->world, force, factor);
    }
}

void lbs_body_habit(const lbs_body *b, lbs_bodies_task *t, const double *pose) {
    const lbs_habit *h = &b->habit;
    if (!h->data) {
        return;
    }
    const int count = h->data->feature_count;
    const double weight = HABIT * sqrt(b->options->habit), *factors = h->data->factor;
    double pulls[LB_HABIT_FEATURES] = {0};
    t->term = LB_BODY_TERM_HABIT;
    measure(b, pose);
    if (t->wants_rows) {
        differentiate(b, t);
    }
    for (int i = 0; i < count; factors += count - i, i++) {
        double r = 0;
        for (int k = i; k < count; k++) {
            r += factors[k - i] * h->off[k];
        }
        double *row = lbs_add_wish(t, weight * r);
        for (int k = i; row && k < count; k++) {
            add_feature(b, t, k, weight * factors[k - i], row);
            pulls[k] += weight * weight * r * factors[k - i];
        }
    }
    for (int i = 0; i < count && t->wants_rows; i++) {
        pull(b, i, pulls[i]);
    }
}

/* --- Starts ----------------------------------------------------------------------------------------------------------------- */

/* The turn about the vertical of the root's rotation vector, as an angle. */
static double heading_of(const double turn[3]) {
    double q[4], ahead[3] = {1, 0, 0};
    lbm_exponential_quaternion(turn, q);
    lbm_quaternion_rotate(q, ahead, ahead);
    return lbm_atan2(ahead[1], ahead[0]);
}

static void about_vertical(double angle, double q[4]) {
    const double turn[3] = {0, 0, angle};
    lbm_exponential_quaternion(turn, q);
}

/* Tilts the root so that the world's up is u in its frame, and turns it to a heading. */
static void tilt_root(const lbs_body *b, const double u[3], double heading, double *turn) {
    double w[3] = {0, 0, 0}, tilt[4], about[4], q[4];
    for (int c = 0; c < 3; c++) {
        lbm_add_scaled3(w, b->root.rest_axes[c], u[c]);
    }
    const double sine = sqrt(w[0] * w[0] + w[1] * w[1]);
    const double angle = lbm_atan2(sine, w[2]), scale = sine > LEAST_LENGTH ? angle / sine : 0;
    const double axis[3] = {w[1] * scale, -w[0] * scale, 0};
    lbm_exponential_quaternion(axis, tilt);
    about_vertical(heading, about);
    lbm_quaternion_multiply(about, tilt, q);
    lbm_logarithm(q, turn);
}

void lbs_habit_start(const lbs_body *b, int start, double *pose) {
    const lbs_habit *h = &b->habit;
    const double *values = h->data->starts + (size_t)start * (size_t)h->data->feature_count;
    double u[3] = {0, 0, 0};
    for (int i = 0; i < h->data->feature_count; i++) {
        const int index = h->indices[i];
        switch (h->data->features[i].kind) {
        case LB_HABIT_VARIABLE:
            pose[index] = values[i];
            break;
        case LB_HABIT_UP:
            u[index] = values[i];
            break;
        case LB_HABIT_HEIGHT:
            if (b->root.is_free) {
                pose[2] = values[i] * h->scale + b->options->floor - b->root.rest_at[2];
            }
            break;
        default:
            break;
        }
    }
    if (b->root.is_free && lbm_norm3(u) > LEAST_LENGTH) {
        tilt_root(b, u, heading_of(pose + 3), pose + 3);
    }
}

/* What is known of the turn and the shift that bring effectors to their goals. */
typedef struct match {
    int count;
    double from[2], to[2]; /* sums of places */
    double cosine, sine;   /* sums of products of what is turned with what it is to be */
} match;

static void match_pair(match *m, const double *from, const double *to, double weight) {
    m->cosine += weight * (from[0] * to[0] + from[1] * to[1]);
    m->sine += weight * (from[0] * to[1] - from[1] * to[0]);
}

static int is_placed(const lbs_body *b, const lbs_item *item) {
    const lb_constraint *c = item->constraint;
    return item->enabled && c->figure == b->number && c->effector.kind == LB_EFFECTOR_FRAME &&
           (c->goal.kind == LB_GOAL_POSITION || c->goal.kind == LB_GOAL_FRAME) && c->goal.carrier_segment < 0;
}

void lbs_habit_align(const lbs_body *b, lbs_space *s, double *z, double *pose) {
    match m = {0};
    double middle[2][2], about[4], q[4], turn[4], *own = pose + b->first_variable;
    if (!b->root.is_free) {
        return;
    }
    lbs_from_pose(s, pose, z);
    lbs_project(s, z);
    lbs_value(s, z);
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        for (int c = 0; c < 2 && is_placed(b, item); c++) {
            m.from[c] += item->e_w[c];
            m.to[c] += item->goal.goal.point[c];
            m.count += c;
        }
    }
    if (m.count == 0) {
        return;
    }
    for (int c = 0; c < 2; c++) {
        middle[0][c] = m.from[c] / m.count;
        middle[1][c] = m.to[c] / m.count;
    }
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        const lb_goal *goal = &item->goal.goal;
        if (!is_placed(b, item)) {
            continue;
        }
        const double from[2] = {item->e_w[0] - middle[0][0], item->e_w[1] - middle[0][1]},
                     to[2] = {goal->point[0] - middle[1][0], goal->point[1] - middle[1][1]};
        match_pair(&m, from, to, 1);
        if (goal->kind == LB_GOAL_FRAME) {
            match_pair(&m, item->e_w + 3, goal->x, AXIS_LENGTH * AXIS_LENGTH);
            match_pair(&m, item->e_w + 6, goal->y, AXIS_LENGTH * AXIS_LENGTH);
        }
    }
    const double length = sqrt(m.cosine * m.cosine + m.sine * m.sine);
    const double cosine = length > 0 ? m.cosine / length : 1, sine = length > 0 ? m.sine / length : 0;
    const double root[2] = {own[0] + b->root.rest_at[0] - middle[0][0], own[1] + b->root.rest_at[1] - middle[0][1]};
    own[0] = middle[1][0] + cosine * root[0] - sine * root[1] - b->root.rest_at[0];
    own[1] = middle[1][1] + sine * root[0] + cosine * root[1] - b->root.rest_at[1];
    lbm_copy3(turn, own + 3);
    lbm_exponential_quaternion(turn, q);
    about_vertical(lbm_atan2(sine, cosine), about);
    lbm_quaternion_multiply(about, q, turn);
    lbm_logarithm(turn, own + 3);
}
