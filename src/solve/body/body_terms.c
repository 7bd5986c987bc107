/* The terms of a body that see several variables: effort, arms that hang, a level head, eyes that follow the hand,
 * short steps.
 *
 * Each is a few rows; docs/body.md says why each is there and what it weighs. */
#include <math.h>

#include "math/trig.h"
#include "solve/body/body.h"

#define HANG 0.45         /* of an idle arm's direction */
#define ROLL 0.9          /* of the head */
#define LEVEL 0.45        /* of the head's other tilt */
#define HEAD_SHARE 0.7    /* of the elevation of what is looked at: the head's part */
#define FACE 0.4          /* of a palm's direction */
#define LAP 2.5           /* per metre, of a hand that rests in the lap */
#define HEEL 4.0          /* per metre that a heel is up */
#define FORCE 0.25        /* of each contact's share: weight is spread */
#define STEP_AHEAD 0.5    /* per metre */
#define STEP_ASIDE 0.6    /* per metre */
#define STEP_UP 3.0       /* times as much where the foot steps onto a surface: nobody stretches a leg for a step */
#define FOOT_HEADING 0.5  /* of a stepping foot's direction against the pelvis */
#define SEAT 0.5          /* per metre off the middle of a seat */
#define SMALL_SINE 1e-4   /* below it a series is exact */
#define LEAST_SINE 0.05   /* nearer to the opposite direction all turns are as good */
#define LEAST_LENGTH 1e-6 /* metres: shorter vectors have no direction */

static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};

/* --- Effort --------------------------------------------------------------------------------------------------------------- */

/* How the moment at a joint changes with a mover: about the mover's axis all turns that hangs on it, if the mover is
 * beyond the joint; all that hangs on the joint, if it is nearer to the root. */
static void moment_change(const lbs_body *b, const lbs_body_mover *m, const double whole[3], int is_above,
                          double out[3]) {
    const lb_kinematics *k = b->kinematics;
    const double f = (m->term < 0 ? 1 : k->slopes[m->term]) * m->scale;
    const double *axis = k->axes[m->coordinate], *moments = b->weight.loaded[m->node], *at = k->frames[m->node].p;
    double arm[3];
    for (int c = 0; c < 3; c++) {
        arm[c] = is_above ? whole[c] : moments[c] - moments[3] * at[c];
    }
    if (m->is_turn) {
        lbm_cross3(axis, arm, out);
    } else {
        lbm_set3(out, is_above ? 0 : axis[0] * moments[3], is_above ? 0 : axis[1] * moments[3], 0);
    }
    out[0] *= f;
    out[1] *= f;
}

static void add_lever(const lbs_body *b, lbs_bodies_task *t, const lbs_lever *lever) {
    const lb_figure *f = b->figure;
    const double *moments = b->weight.loaded[lever->node], *at = lever->joint.world;
    const double factor = sqrt(b->options->effort) * lever->scale;
    double whole[3], *rows[2];
    for (int c = 0; c < 3; c++) {
        whole[c] = moments[c] - moments[3] * at[c];
    }
    lever->moment[0] = lever->scale * whole[0];
    lever->moment[1] = lever->scale * whole[1];
    rows[0] = lbs_add_wish(t, factor * whole[0]);
    rows[1] = lbs_add_wish(t, factor * whole[1]);
    if (!rows[0] || !rows[1]) {
        return;
    }
    for (int node = lever->node; node >= 0; node = f->nodes[node].parent) {
        for (int i = 0; i < b->motion.mover_counts[node]; i++) {
            const lbs_body_mover *m = &b->motion.movers[b->motion.first_movers[node] + i];
            double change[3];
            moment_change(b, m, whole, 1, change);
            rows[0][m->column] += factor * change[0];
            rows[1][m->column] += factor * change[1];
        }
    }
    for (int k = 0; k < lever->below_count; k++) {
        const int node = lever->below[k];
        for (int i = 0; i < b->motion.mover_counts[node]; i++) {
            const lbs_body_mover *m = &b->motion.movers[b->motion.first_movers[node] + i];
            double change[3];
            moment_change(b, m, whole, 0, change);
            rows[0][m->column] += factor * change[0];
            rows[1][m->column] += factor * change[1];
        }
    }
    for (int i = 0; i < lbs_push_count(b); i++) {
        const lbs_push push = lbs_push_of(b, i);
        const lbs_body_point *point = &b->stand.contacts[push.contact].point;
        const int column = b->stand.first_force + push.force;
        if (lbs_hangs_on(f, b->motion.spots[point->spot].node, lever->node)) {
            const double rate = factor * b->weight.mass * push.direction[2];
            rows[0][column] -= rate * (point->world[0] - at[0]);
            rows[1][column] -= rate * (point->world[1] - at[1]);
        }
    }
}

/* --- Arms ------------------------------------------------------------------------------------------------------------------ */

static void add_hanging(const lbs_body *b, lbs_bodies_task *t, const lbs_arm_of_body *arm) {
    const double weight = HANG * sqrt(b->options->hang);
    double u[3];
    lbm_sub3(arm->hand.world, arm->shoulder.world, u);
    const double length = lbm_norm3(u);
    if (!(length > LEAST_LENGTH)) {
        return;
    }
    for (int c = 0; c < 3; c++) {
        u[c] /= length;
    }
    for (int c = 0; c < 3; c++) {
        double *row = lbs_add_wish(t, weight * (u[c] + axes[2][c]));
        if (row) {
            double force[3];
            for (int i = 0; i < 3; i++) {
                force[i] = weight * ((i == c) - u[i] * u[c]) / length;
            }
            lbs_add_point(b, t, row, &arm->hand, force, 1);
            lbs_add_point(b, t, row, &arm->shoulder, force, -1);
        }
    }
}

/* Rows weight * (the direction of one spot + the direction of another). */
static void add_against(const lbs_body *b, lbs_bodies_task *t, const double weight, int spot, const double direction[3],
                        int other, const double against[3]) {
    for (int c = 0; c < 3; c++) {
        const double h[3] = {weight * axes[c][0], weight * axes[c][1], weight * axes[c][2]};
        double *row = lbs_add_wish(t, weight * (direction[c] + against[c]));
        if (row) {
            lbs_add_direction(b, t, row, spot, direction, h, 1);
            if (other >= 0) {
                lbs_add_direction(b, t, row, other, against, h, 1);
            }
        }
    }
}

static void add_lap(const lbs_body *b, lbs_bodies_task *t, const lbs_arm_of_body *arm) {
    const double factor = sqrt(b->options->hang), weight = LAP * factor;
    double palm[3], lap[3];
    for (int c = 0; c < 3; c++) {
        const double force[3] = {weight * axes[c][0], weight * axes[c][1], weight * axes[c][2]};
        double *row = lbs_add_wish(t, weight * (arm->palm.world[c] - arm->lap.world[c]));
        if (row) {
            lbs_add_point(b, t, row, &arm->palm, force, 1);
            lbs_add_point(b, t, row, &arm->lap, force, -1);
        }
    }
    lbm_rotate(lbs_body_frame(b, arm->palm.spot), arm->palm_axis, palm);
    lbm_rotate(lbs_body_frame(b, arm->lap.spot), arm->lap_axis, lap);
    add_against(b, t, FACE * factor, arm->palm.spot, palm, arm->lap.spot, lap);
}

static void add_arms(const lbs_body *b, lbs_bodies_task *t) {
    t->term = LB_BODY_TERM_HANG;
    for (int i = 0; i < b->arm_count; i++) {
        if (!b->arms[i].is_idle) {
            continue;
        }
        if (b->stand.is_seated && b->body->arms[i].lap >= 0) {
            add_lap(b, t, &b->arms[i]);
        } else {
            add_hanging(b, t, &b->arms[i]);
        }
    }
    t->term = LB_BODY_TERM_LOOK;
    for (int i = 0; i < b->face_count; i++) {
        const lbs_face *face = &b->faces[i];
        double palm[3], against[3];
        lbm_rotate(lbs_body_frame(b, face->palm.spot), face->axis, palm);
        if (face->carrier >= 0) {
            lbm_rotate(lbs_body_frame(b, face->carrier), face->direction, against);
        } else {
            lbm_copy3(against, face->direction);
        }
        add_against(b, t, FACE * sqrt(b->options->look), face->palm.spot, palm, face->carrier, against);
    }
}

/* --- Head and eyes --------------------------------------------------------------------------------------------------------- */

/* The angle theta between two directions over its sine, and the derivative of that by the cosine. */
static double angle_over_sine(double sine, double cosine, double *slope) {
    if (sine < SMALL_SINE && cosine > 0) {
        *slope = -1.0 / 3;
        return 1 + sine * sine / 6;
    }
    const double angle = lbm_atan2(sine, cosine), least = sine > LEAST_SINE || cosine > 0 ? sine : LEAST_SINE;
    *slope = -(least - angle * cosine) / (least * least * least);
    return angle / least;
}

/* What Gauss-Newton's model of a look lacks. With c = a . d the cosine of the angle theta between the axis and the line
 * to the target, and k(c) = theta / sin(theta), half the term is w^2 theta^2 / 2, whose Hessian is -w^2 (k' grad c grad
 * c' + k hess c). The squares of the rows and their pull are short of it by w^2 k (k + k' c) grad c grad c': the square
 * of a row without residual. */
static void bend_look(const lbs_body *b, lbs_bodies_task *t, int spot, const double a[3], const double d[3],
                      double factor) {
    double *row = lbs_add_wish(t, 0);
    if (row) {
        const double h[3] = {factor * d[0], factor * d[1], factor * d[2]};
        lbs_add_direction(b, t, row, spot, a, h, 1);
    }
}

/* Where an eye looks, and where it should. */
typedef struct lbs_looked {
    double weight;
    int level;
    double length; /* of the way to the target */
    double a[3], d[3];
} lbs_looked;

/* The axis of a turn that brings a to d, nearly its opposite: theirs, as far as it can be told, and else the
 * vertical. */
static void choose_turn(const double a[3], const double d[3], double axis[3]) {
    double e[3], up[3];
    lbm_cross3(a, d, e);
    lbm_copy3(up, axes[fabs(a[2]) < 0.9 ? 2 : 1]);
    lbm_add_scaled3(up, a, -lbm_dot3(up, a));
    const double share = (1 - lbm_norm3(e) / LEAST_SINE) / lbm_norm3(up), sign = lbm_dot3(e, up) < 0 ? -1 : 1;
    for (int c = 0; c < 3; c++) {
        axis[c] = e[c] / LEAST_SINE + sign * share * up[c];
    }
    lbm_add_scaled3(axis, a, -lbm_dot3(axis, a));
    const double norm = lbm_norm3(axis);
    for (int c = 0; c < 3; c++) {
        axis[c] /= norm;
    }
}

/* The rows of a look at what is straight behind. The turn there is half a whole one about any axis, so that rows made
 * of the sine would vanish, as if the goal were met: one axis is chosen, and the turn about it counts. */
static void add_look_behind(const lbs_body *b, lbs_bodies_task *t, const lbs_look *look, const lbs_looked at) {
    double n[3], e[3], by_angle_a[3], by_angle_d[3];
    choose_turn(at.a, at.d, n);
    lbm_cross3(at.a, at.d, e);
    lbm_cross3(at.a, n, by_angle_a); /* turned about n by an angle, a comes nearer by it, and d goes away */
    lbm_cross3(n, at.d, by_angle_d);
    const double angle = lbm_atan2(lbm_norm3(e), lbm_dot3(at.a, at.d));
    for (int c = 0; c < 3; c++) {
        const double residual = at.weight * angle * n[c], factor = at.weight * n[c];
        double *row = look->is_goal ? lbs_add_goal(t, at.level, residual) : lbs_add_wish(t, residual);
        if (!row) {
            continue;
        }
        double by_a[3], force[3] = {0, 0, 0};
        const double along = lbm_dot3(at.d, by_angle_d);
        for (int i = 0; i < 3; i++) {
            by_a[i] = factor * by_angle_a[i];
            force[i] = at.length > LEAST_LENGTH ? -factor * (by_angle_d[i] - along * at.d[i]) / at.length : 0;
        }
        lbs_add_direction(b, t, row, look->eye.spot, at.a, by_a, 1);
        lbs_add_point(b, t, row, &look->eye, force, 1);
    }
    if (!look->is_goal) {
        lbs_add_wish(t, 0); /* as many rows as bend_look makes elsewhere */
    }
}

/* The turn that would bring the axis of an eye onto the line to the target, as a vector: rows that are linear in turns,
 * however far the eye has to go. */
static void add_look(const lbs_body *b, lbs_bodies_task *t, const lbs_look *look, double weight) {
    double a[3], d[3], e[3], slope;
    const int level = look->is_goal ? t->space->items[b->gaze.target_items[0]].level : 0;
    lbm_rotate(lbs_body_frame(b, look->eye.spot), look->axis, a);
    lbm_sub3(b->state->target, look->eye.world, d);
    const double length = lbm_norm3(d);
    for (int c = 0; c < 3; c++) {
        d[c] = length > LEAST_LENGTH ? d[c] / length : a[c];
    }
    lbm_cross3(a, d, e);
    if (lbm_dot3(a, d) < 0 && lbm_norm3(e) < LEAST_SINE) {
        add_look_behind(b, t, look, (const lbs_looked){weight, level, length, {a[0], a[1], a[2]}, {d[0], d[1], d[2]}});
        return;
    }
    const double k = angle_over_sine(lbm_norm3(e), lbm_dot3(a, d), &slope);
    for (int c = 0; c < 3; c++) {
        const double residual = weight * k * e[c];
        double *row = look->is_goal ? lbs_add_goal(t, level, residual) : lbs_add_wish(t, residual);
        if (!row) {
            continue;
        }
        double by_a[3], by_d[3], force[3] = {0, 0, 0};
        lbm_cross3(d, axes[c], by_a);
        lbm_cross3(axes[c], a, by_d);
        for (int i = 0; i < 3; i++) {
            by_a[i] = weight * (k * by_a[i] + e[c] * slope * d[i]);
            by_d[i] = weight * (k * by_d[i] + e[c] * slope * a[i]);
        }
        const double along = lbm_dot3(d, by_d);
        for (int i = 0; i < 3 && length > LEAST_LENGTH; i++) {
            force[i] = -(by_d[i] - along * d[i]) / length;
        }
        lbs_add_direction(b, t, row, look->eye.spot, a, by_a, 1);
        lbs_add_point(b, t, row, &look->eye, force, 1);
    }
    if (!look->is_goal) {
        bend_look(b, t, look->eye.spot, a, d, weight * sqrt(k * (k + slope * lbm_dot3(a, d))));
    }
}

/* Pitch: the height of the head's x axis against a share of the target's elevation, or its z axis up. */
static void add_pitch(const lbs_body *b, lbs_bodies_task *t, const lbm_transform *head) {
    const double weight = LEVEL * sqrt(b->options->head);
    if (!b->gaze.has_gaze) {
        for (int c = 0; c < 3; c++) {
            const double h[3] = {weight * axes[c][0], weight * axes[c][1], weight * axes[c][2]};
            double *row = lbs_add_wish(t, weight * (head->z[c] - axes[2][c]));
            if (row) {
                lbs_add_direction(b, t, row, b->gaze.head_spot, head->z, h, 1);
            }
        }
        return;
    }
    double d[3], force[3];
    lbm_sub3(b->state->target, head->p, d);
    const double flat = sqrt(d[0] * d[0] + d[1] * d[1]) + LEAST_LENGTH, square = flat * flat + d[2] * d[2];
    const double elevation = HEAD_SHARE * lbm_atan2(d[2], flat), slope = weight * HEAD_SHARE * lbm_cos(elevation);
    force[0] = -slope * d[2] * d[0] / (flat * square);
    force[1] = -slope * d[2] * d[1] / (flat * square);
    force[2] = slope * flat / square;
    double *row = lbs_add_wish(t, weight * (head->x[2] - lbm_sin(elevation)));
    if (row) {
        const double h[3] = {0, 0, weight};
        lbs_add_direction(b, t, row, b->gaze.head_spot, head->x, h, 1);
        lbs_add_at(b, t, row, b->gaze.head_spot, head->p, force, 1);
    }
}

static void add_head(const lbs_body *b, lbs_bodies_task *t) {
    if (b->gaze.head_spot >= 0) {
        lbm_transform head;
        lbm_transform_multiply(lbs_body_frame(b, b->gaze.head_spot), &b->gaze.head_mount, &head);
        const double weight = ROLL * sqrt(b->options->head), h[3] = {0, 0, weight};
        t->term = LB_BODY_TERM_HEAD;
        double *row = lbs_add_wish(t, weight * head.y[2]);
        if (row) {
            lbs_add_direction(b, t, row, b->gaze.head_spot, head.y, h, 1);
        }
        add_pitch(b, t, &head);
    }
    t->term = LB_BODY_TERM_LOOK;
    for (int i = 0; i < b->gaze.look_count && (b->gaze.has_gaze || b->gaze.has_target); i++) {
        const lbs_look *look = &b->gaze.looks[i];
        if (look->is_goal || look->weight > 0) {
            add_look(b, t, look, look->is_goal ? 1 : look->weight * sqrt(b->options->look));
        }
    }
}

/* --- Feet ------------------------------------------------------------------------------------------------------------------ */

static void add_forces(const lbs_body *b, lbs_bodies_task *t, const double *forces) {
    for (int i = 0; i < lbs_push_count(b); i++) {
        const int force = lbs_push_of(b, i).force;
        const double weight = FORCE * sqrt(b->options->feet);
        double *row = lbs_add_wish(t, weight * forces[force]);
        if (row) {
            row[b->stand.first_force + force] = weight;
        }
    }
}

static void add_heel(const lbs_body *b, lbs_bodies_task *t, const lbs_foot *foot, const double *forces) {
    const lbs_contact *heel = &b->stand.contacts[foot->heel];
    const double weight = HEEL * sqrt(b->options->feet), height = lbs_contact_height(heel);
    const double *up = heel->plane->axes.normal;
    double *row = lbs_add_wish(t, weight * height);
    if (row) {
        lbs_add_point(b, t, row, &heel->point, up, weight);
    }
    if (lbs_foothold_of(b, foot)->heel_state == LBS_HEEL_OPEN && heel->force >= 0) {
        const double share = forces[heel->force];
        row = lbs_add_wish(t, t->heel_force * share * height);
        if (row) {
            lbs_add_point(b, t, row, &heel->point, up, t->heel_force * share);
            row[b->stand.first_force + heel->force] += t->heel_force * height;
        }
    }
}

static void foot_middle(const lbs_body *b, const lbs_foot *foot, double middle[3]) {
    lbm_set3(middle, 0, 0, 0);
    for (int i = 0; i < foot->ball_count; i++) {
        lbm_add_scaled3(middle, b->stand.contacts[foot->balls[i]].point.world, 1.0 / foot->ball_count);
    }
}

static void add_step(const lbs_body *b, lbs_bodies_task *t, const lbs_foot *foot) {
    const double factor = sqrt(b->options->feet);
    const double more = b->stand.contacts[foot->balls[0]].plane->surface >= 0 ? STEP_UP : 1;
    const lbs_foothold *stood = lbs_foothold_of(b, foot);
    const double aside[3] = {-stood->ahead[1], stood->ahead[0], 0};
    double middle[3], ahead[3], root[3];
    foot_middle(b, foot, middle);
    for (int k = 0; k < 2; k++) {
        const double *along = k ? aside : stood->ahead, weight = more * factor * (k ? STEP_ASIDE : STEP_AHEAD);
        double off[3];
        lbm_sub3(middle, stood->middle, off);
        double *row = lbs_add_wish(t, weight * lbm_dot3(along, off));
        for (int i = 0; row && i < foot->ball_count; i++) {
            lbs_add_point(b, t, row, &b->stand.contacts[foot->balls[i]].point, along, weight / foot->ball_count);
        }
    }
    if (lbs_foot_tip(foot) < 0) {
        return;
    }
    const int spot = b->stand.contacts[foot->balls[0]].point.spot;
    lbm_rotate(lbs_body_frame(b, spot), foot->ahead_in_toes, ahead);
    lbm_rotate(lbs_body_frame(b, b->root.point.spot), foot->ahead_in_root, root);
    for (int c = 0; c < 2; c++) {
        const double weight = FOOT_HEADING * factor, h[3] = {weight * axes[c][0], weight * axes[c][1], 0};
        double *row = lbs_add_wish(t, weight * (ahead[c] - root[c]));
        if (row) {
            lbs_add_direction(b, t, row, spot, ahead, h, 1);
            lbs_add_direction(b, t, row, b->root.point.spot, root, h, -1);
        }
    }
}

/* Whoever sits, sits in the middle of the seat. */
static void add_seat(const lbs_body *b, lbs_bodies_task *t) {
    const double weight = SEAT * sqrt(b->options->feet);
    double mean[2] = {0, 0};
    int count = 0;
    for (int i = 0; i < b->stand.contact_count; i++) {
        const lbs_contact *contact = &b->stand.contacts[i];
        if (contact->is_support && b->body->contacts[i].kind == LB_CONTACT_SEAT) {
            mean[0] += contact->point.world[0] - contact->plane->point[0];
            mean[1] += contact->point.world[1] - contact->plane->point[1];
            count++;
        }
    }
    for (int c = 0; c < 2 && count; c++) {
        double *row = lbs_add_wish(t, weight * mean[c] / count);
        for (int i = 0; row && i < b->stand.contact_count; i++) {
            if (b->stand.contacts[i].is_support && b->body->contacts[i].kind == LB_CONTACT_SEAT) {
                lbs_add_point(b, t, row, &b->stand.contacts[i].point, axes[c], weight / count);
            }
        }
    }
}

static void add_feet(const lbs_body *b, lbs_bodies_task *t, const double *forces) {
    t->term = LB_BODY_TERM_FEET;
    add_forces(b, t, forces);
    for (int i = 0; i < b->stand.foot_count; i++) {
        const lbs_foothold *stood = &b->state->feet[i];
        const lbs_foot *foot = &b->stand.feet[i];
        if (stood->state == LBS_FOOT_LIFTED) {
            continue;
        }
        if (foot->heel >= 0 && stood->heel_state != LBS_HEEL_DOWN) {
            add_heel(b, t, foot, forces);
        }
        if (stood->state == LBS_FOOT_STEPS && foot->ball_count) {
            add_step(b, t, foot);
        }
    }
    if (b->stand.is_seated) {
        add_seat(b, t);
    }
}

static void add_efforts(const lbs_body *b, lbs_bodies_task *t) {
    t->term = LB_BODY_TERM_EFFORT;
    for (int i = 0; i < b->weight.lever_count; i++) {
        if (b->weight.levers[i].is_drive) {
            lbs_body_drive(b, t, &b->weight.levers[i]);
        } else {
            add_lever(b, t, &b->weight.levers[i]);
        }
    }
}

void lbs_body_terms(const lbs_body *b, lbs_bodies_task *t, const double *pose, const double *forces) {
    lbs_body_posture(b, t, pose);
    add_efforts(b, t);
    add_arms(b, t);
    add_head(b, t);
    add_feet(b, t, forces);
    lbs_body_swivels(b, t);
    lbs_body_habit(b, t, pose);
}
