/* What a SCEFO script asks of a joint at a time: its turns and shifts, and its limits. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

int lbio_scefo_is_drive(const lbio_scefo_op *op) {
    return op->kind == SCEFO_SET_FIELD &&
           (strcmp(op->field, "joint_rotate") == 0 || strcmp(op->field, "joint_translate") == 0);
}

int lbio_scefo_is_turn(const lbio_scefo_op *op) {
    return lbio_scefo_is_drive(op) && strcmp(op->field, "joint_rotate") == 0;
}

int lbio_scefo_is_shift(const lbio_scefo_op *op) { return lbio_scefo_is_drive(op) && !lbio_scefo_is_turn(op); }

/* Turns of a joint, one after another, as one rotation. */
void lbio_scefo_rotation_at(lbio_scefo *s, const void *what, double time, double *value) {
    const lbio_scefo_object *joint = what;
    double turn[4];
    value[0] = value[1] = value[2] = 0, value[3] = 1;
    for (const lbio_scefo_op *op = joint->ops; op && !s->status; op = op->next) {
        if (lbio_scefo_is_turn(op) && lbio_scefo_sample(s, op, lbio_scefo_field_value, 1, time, turn)) {
            lb_rotation_multiply(turn, value, value);
        }
    }
}

void lbio_scefo_dof_at(lbio_scefo *s, const void *what, double time, double *value) {
    const lbio_scefo_dof *d = what;
    value[0] = 0;
    for (const lbio_scefo_op *op = d->joint->ops; op && !s->status; op = op->next) {
        double v[3];
        if (d->is_turn && lbio_scefo_is_turn(op)) {
            /* an angle, which is not a rotation: 720 degrees are twice round */
            lb_track *track = lb_track_create(LB_TRACK_VALUES, 1, NULL, NULL);
            double axis[3], angle = 0;
            for (const lbio_scefo_point *p = op->points; p && track && !s->status; p = p->next) {
                if (lbio_scefo_turn(s, lbio_scefo_field_value(p->value), axis, &angle)) {
                    break;
                }
                angle *= axis[0] * d->axis[0] + axis[1] * d->axis[1] + axis[2] * d->axis[2];
                lb_track_set(track, p->time, &angle, p->interpolation);
            }
            if (track && time >= op->points->time && !lb_track_sample(track, time, &angle, NULL, NULL)) {
                value[0] += angle;
            }
            lb_track_destroy(track);
        } else if (!d->is_turn && lbio_scefo_is_shift(op) &&
                   lbio_scefo_sample(s, op, lbio_scefo_field_value, 0, time, v)) {
            value[0] += v[0] * d->axis[0] + v[1] * d->axis[1] + v[2] * d->axis[2];
        }
    }
}

/* --- What a joint begins with ---------------------------------------------------------------------------- */

/* The range of a dof at a time, as a motion has it; everything where the script sets none. */
static void range_at(lbio_scefo *s, const lbio_scefo_object *object, const lb_element *element, double time,
                     double range[2]) {
    const int is_turn = element->kind == LB_ELEMENT_ROTATE;
    int axis = 0;
    char field[32];
    range[0] = -INFINITY, range[1] = INFINITY;
    while (axis < 2 && element->axis[axis] != 1) {
        axis++;
    }
    snprintf(field, sizeof field, "%s%c", is_turn ? "limit_rot_" : "limit_trans_", "xyz"[axis]);
    const lbio_scefo_op *op = lbio_scefo_field(object, field, INFINITY);
    lb_track *track = op && element->axis[axis] == 1 ? lb_track_create(LB_TRACK_VALUES, 2, NULL, NULL) : NULL;
    for (const lbio_scefo_point *p = track ? op->points : NULL; p && !s->status; p = p->next) {
        if (!lbio_scefo_numbers(s, lbio_scefo_field_value(p->value), 2, "a range, as in {-90, 90}", range)) {
            lb_track_set(track, p->time, range, p->interpolation);
        }
    }
    if (track && lb_track_sample(track, time, range, NULL, NULL) == LB_OK && is_turn) {
        range[0] *= DEGREE, range[1] *= DEGREE;
    }
    lb_track_destroy(track);
}

/* Takes a track as it will be played, at a time; zeros where no operation says anything. */
static void played_at(lbio_scefo *s, lb_track *track, double time, double *at) {
    if (!s->status) {
        lb_track_sample(track, time, at, NULL, NULL);
    }
    lb_track_destroy(track);
}

void lbio_scefo_begin_joint(lbio_scefo *s, const lbio_scefo_object *object, double time, lb_joint *joint) {
    const lb_joint_type *type = &joint->type;
    double dofs[LB_JOINT_MAX_DOFS] = {0}, rotation[4];
    int turns = 0;
    for (int i = 0; i < type->element_count; i++) {
        turns += type->elements[i].kind == LB_ELEMENT_ROTATE;
    }
    if (turns == 3 && lbio_scefo_last_time(object, lbio_scefo_is_turn) >= 0) {
        played_at(s, lbio_scefo_track(s, LB_TRACK_ROTATION, object, lbio_scefo_is_turn, lbio_scefo_rotation_at, object),
                  time, rotation);
        if (!s->status) {
            lb_joint_type_dofs(type, rotation, dofs);
        }
    }
    for (int i = 0; i < type->element_count && !s->status; i++) {
        lbio_scefo_dof d = {object, {0, 0, 0}, type->elements[i].kind == LB_ELEMENT_ROTATE};
        double range[2];
        memcpy(d.axis, type->elements[i].axis, sizeof d.axis);
        lbio_scefo_filter filter = d.is_turn ? lbio_scefo_is_turn : lbio_scefo_is_shift;
        if (!(d.is_turn && turns == 3) && lbio_scefo_last_time(object, filter) >= 0) {
            played_at(s, lbio_scefo_track(s, LB_TRACK_VALUES, object, filter, lbio_scefo_dof_at, &d), time, &dofs[i]);
        }
        range_at(s, object, &type->elements[i], time, range);
        joint->rest[i] = fmin(fmax(dofs[i], range[0]), range[1]);
    }
}
