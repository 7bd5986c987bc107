/* Goals as a servo sees them: what follows their motion, what chases the error, and how far they are in the end. */
#include <string.h>

#include "math/trig.h"
#include "math/vec.h"
#include "solve/servo/servo.h"

/* v turned by a rotation vector of a tick. */
static void turn(const double w[3], const double v[3], double out[3]) {
    const double angle = lbm_norm3(w);
    double sine, cosine, axis[3], side[3];
    if (!(angle > 0)) {
        lbm_copy3(out, v);
        return;
    }
    lbm_sincos(angle, &sine, &cosine);
    lbm_set3(axis, w[0] / angle, w[1] / angle, w[2] / angle);
    lbm_cross3(axis, v, side);
    const double along = lbm_dot3(axis, v) * (1 - cosine);
    lbm_set3(out, cosine * v[0] + sine * side[0] + along * axis[0], cosine * v[1] + sine * side[1] + along * axis[1],
             cosine * v[2] + sine * side[2] + along * axis[2]);
}

/* The goal of an end-effector with a twist: where that would bring it in a tick from where it is. */
static void lead(const lb_servo *servo, lbs_item *item, const double twist[6]) {
    lb_goal *goal = &item->goal.goal;
    const double t = servo->options.period, w[3] = {t * twist[3], t * twist[4], t * twist[5]};
    for (int k = 0; k < 3; k++) {
        goal->point[k] = item->e[k] + t * twist[k];
    }
    if (item->has_axes) {
        turn(w, item->e + 3, goal->x);
        turn(w, item->e + 6, goal->y);
    }
}

/* The rows that the goal of the last tick has in the present pose; 0 where there was none of this kind. */
static int rows_of_last(const lbs_item *item, const lbs_servo_item *state, double *rows) {
    const lb_goal *now = &item->goal.goal;
    if (!state->has_last || state->last.kind != now->kind || state->last.carrier_segment != now->carrier_segment) {
        return 0;
    }
    lbp_goal last = item->goal;
    lbm_copy3(last.goal.point, state->last.point);
    lbm_copy3(last.goal.x, state->last.x);
    lbm_copy3(last.goal.y, state->last.y);
    lbm_copy3(last.goal.normal, state->last.normal);
    memcpy(last.goal.rotation, state->last.rotation, sizeof last.goal.rotation);
    lbp_goal_residuals(&last, item->e, rows);
    return 1;
}

static void read_item(lb_servo *servo, int index) {
    lbs_space *s = servo->space;
    lbs_item *item = &s->items[index];
    lbs_servo_item *state = &servo->work.items[index];
    double before[LBP_MAX_ROWS];
    if (!item->enabled || !item->counted) {
        state->has_last = 0;
        memset(state->chase, 0, sizeof state->chase);
        memset(state->follow, 0, sizeof state->follow);
        return;
    }
    if (state->has_twist) {
        lead(servo, item, state->twist);
        lbp_goal_residuals(&item->goal, item->e, item->rows);
    }
    const int has_before = !state->has_twist && rows_of_last(item, state, before);
    for (int r = 0; r < item->row_count; r++) {
        const double row = item->root_weight * item->rows[r];
        const double old = state->has_twist ? 0 : has_before ? item->root_weight * before[r] : row;
        state->chase[r] = old;
        state->follow[r] = row - old;
        s->last.residuals[item->first_row + r] = row;
    }
    state->has_last = !state->has_twist;
    state->last = item->goal.goal;
}

void lbs_servo_read_goals(lb_servo *servo) {
    lbs_space *s = servo->space;
    lbs_value(s, servo->work.z);
    for (int i = 0; i < s->item_count; i++) {
        read_item(servo, i);
    }
    s->task.guard_level = servo->body ? s->levels.goal_count : 0;
    lbs_differentiate(s);
    s->task.guard_level = 0;
}

/* How much an error counts when constraints are compared: tolerances of the miss. */
static double in_tolerances(const lbs_item *item, const lbp_miss *miss, double angle_rad) {
    const lb_constraint *c = item->constraint;
    const double far = c->tolerance[0] > 0 ? miss->distance / c->tolerance[0] : miss->distance > 0 ? INFINITY : 0;
    const double turned = c->tolerance_rad > 0 ? angle_rad / c->tolerance_rad : angle_rad > 0 ? INFINITY : 0;
    return far > turned ? far : turned;
}

void lbs_servo_measure(lb_servo *servo, lb_servo_state *state) {
    lbs_space *s = servo->space;
    double worst = 0;
    lbs_from_pose(s, servo->drive.next, servo->work.z);
    lbs_value(s, servo->work.z);
    for (int i = 0; i < s->item_count; i++) {
        const lbs_item *item = &s->items[i];
        lbp_miss miss;
        if (!item->enabled || !item->counted || item->index < 0 || servo->work.items[i].has_twist) {
            continue;
        }
        lbp_goal_miss(&item->goal, item->e, &miss);
        const double angle = miss.angle_rad[0] > miss.angle_rad[1] ? miss.angle_rad[0] : miss.angle_rad[1];
        state->lag = miss.distance > state->lag ? miss.distance : state->lag;
        state->lag_rad = angle > state->lag_rad ? angle : state->lag_rad;
        const double size = in_tolerances(item, &miss, angle);
        if (size > worst &&
            !lbp_goal_met(&item->goal, &miss, item->constraint->tolerance, item->constraint->tolerance_rad)) {
            worst = size;
            state->constraint = item->index;
        }
    }
}
