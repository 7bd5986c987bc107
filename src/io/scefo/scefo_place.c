/* Where objects are: their rotations, translations and scalings, one after another in the script's order. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

const double lbio_scefo_to_world[4] = {0.5, 0.5, 0.5, 0.5}; /* x -> y, y -> z, z -> x */

void lbio_scefo_world(const double v[3], double v_w[3]) {
    double x = v[2], y = v[0], z = v[1];
    v_w[0] = x, v_w[1] = y, v_w[2] = z;
}

void lbio_scefo_world_frame(const lb_frame *frame, lb_frame *frame_w) {
    lb_frame turn;
    lb_frame_identity(&turn);
    memcpy(turn.rotation, lbio_scefo_to_world, sizeof turn.rotation);
    lb_frame_multiply(&turn, frame, frame_w);
}

lb_status lbio_scefo_numbers(lbio_scefo *s, const lbio_scefo_value *value, int count, const char *expected,
                             double *numbers) {
    int n = 0;
    if (value && count == 1 && value->kind == SCEFO_NUMBER) {
        numbers[0] = value->number;
        return LB_OK;
    }
    for (const lbio_scefo_value *item = value && value->kind == SCEFO_LIST ? value->first : NULL; item;
         item = item->next, n++) {
        if (item->kind != SCEFO_NUMBER || n == count || fabs(item->number) > 1e9) {
            n = -1;
            break;
        }
        numbers[n] = item->number;
    }
    return n == count
               ? LB_OK
               : lbio_scefo_fail(s, value ? value->file : s->file, value ? value->line : 0, "expected %s", expected);
}

lb_status lbio_scefo_turn(lbio_scefo *s, const lbio_scefo_value *value, double axis[3], double *angle) {
    const char *const expected = "a turn, as in {{0, 1, 0}, 90}: an axis and degrees";
    const lbio_scefo_value *first = value && value->kind == SCEFO_LIST ? value->first : NULL;
    if (lbio_scefo_numbers(s, first ? first : value, 3, expected, axis) ||
        lbio_scefo_numbers(s, first ? first->next : value, 1, expected, angle)) {
        return s->status;
    }
    double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    if (first->next->next || !(length > 1e-9)) {
        return lbio_scefo_fail(s, value->file, value->line, "expected %s", expected);
    }
    for (int i = 0; i < 3; i++) {
        axis[i] /= length;
    }
    *angle *= DEGREE;
    return LB_OK;
}

/* Turns of one axis are a track of the angle (a turn of 720 degrees goes twice round); of several, one of rotations. */
static lb_status sample_turn(lbio_scefo *s, const lbio_scefo_op *op, lbio_scefo_pick pick, double time,
                             double *result) {
    double first[3], axis[3], angle, rotation[4];
    int is_one_axis = 1;
    for (const lbio_scefo_point *p = op->points; p; p = p->next) {
        if (lbio_scefo_turn(s, pick(p->value), p == op->points ? first : axis, &angle)) {
            return s->status;
        }
        is_one_axis &= p == op->points || memcmp(axis, first, sizeof axis) == 0;
    }
    lb_track *track =
        lb_track_create(is_one_axis ? LB_TRACK_VALUES : LB_TRACK_ROTATION, is_one_axis ? 1 : 4, NULL, NULL);
    lb_status status = track ? LB_OK : LB_ERROR_MEMORY;
    for (const lbio_scefo_point *p = op->points; p && !status; p = p->next) {
        lbio_scefo_turn(s, pick(p->value), axis, &angle);
        lb_rotation_about(axis, angle, rotation);
        status = lb_track_set(track, p->time, is_one_axis ? &angle : rotation, p->interpolation);
    }
    if (!status) {
        status = lb_track_sample(track, time, is_one_axis ? &angle : result, NULL, NULL);
    }
    if (!status && is_one_axis) {
        lb_rotation_about(first, angle, result);
    }
    lb_track_destroy(track);
    return status ? lbio_scefo_fail(s, op->file, op->line, "these control points cannot be played: %s",
                                    lb_status_text(status))
                  : LB_OK;
}

static lb_status sample_numbers(lbio_scefo *s, const lbio_scefo_op *op, lbio_scefo_pick pick, double time,
                                double *result) {
    double numbers[3];
    lb_track *track = lb_track_create(LB_TRACK_VALUES, 3, NULL, NULL);
    lb_status status = track ? LB_OK : LB_ERROR_MEMORY;
    for (const lbio_scefo_point *p = op->points; p && !status; p = p->next) {
        if (lbio_scefo_numbers(s, pick(p->value), 3, "three numbers, as in {1, 0, 0.5}", numbers)) {
            lb_track_destroy(track);
            return s->status;
        }
        status = lb_track_set(track, p->time, numbers, p->interpolation);
    }
    status = status ? status : lb_track_sample(track, time, result, NULL, NULL);
    lb_track_destroy(track);
    return status ? lbio_scefo_fail(s, op->file, op->line, "these control points cannot be played: %s",
                                    lb_status_text(status))
                  : LB_OK;
}

int lbio_scefo_sample(lbio_scefo *s, const lbio_scefo_op *op, lbio_scefo_pick pick, int is_turn, double time,
                      double *result) {
    if (time < op->points->time) {
        return 0;
    }
    lb_status status = is_turn ? sample_turn(s, op, pick, time, result) : sample_numbers(s, op, pick, time, result);
    return status == LB_OK;
}

static const lbio_scefo_value *whole(const lbio_scefo_value *value) { return value; }

/* One operation on a frame. */
static void apply(lbio_scefo *s, const lbio_scefo_object *object, const lbio_scefo_op *op, double time, lb_frame *frame,
                  double size[3]) {
    double v[4];
    lb_frame turn;
    if (op->kind == SCEFO_SET_FIELD || !lbio_scefo_sample(s, op, whole, op->kind == SCEFO_ROTATE, time, v)) {
        return;
    }
    lb_frame_identity(&turn);
    for (int i = 0; i < 3 && op->kind != SCEFO_ROTATE; i++) {
        if (op->kind == SCEFO_TRANSLATE) {
            frame->position[i] += v[i];
        } else if (v[i] > 1e-6) {
            frame->position[i] *= v[i];
            size[i] *= v[i];
        } else {
            lbio_scefo_fail(s, op->file, op->line, "a factor to scale by should be above 0");
            return;
        }
    }
    if (op->kind == SCEFO_ROTATE) {
        memcpy(turn.rotation, v, sizeof turn.rotation);
        lb_frame_multiply(&turn, frame, frame);
    }
    for (int i = 0; i < 3; i++) {
        if (!(fabs(frame->position[i]) < 1e9 && size[i] < 1e9)) {
            lbio_scefo_fail(s, op->file, op->line, "this takes \"%.60s\" too far away, or makes it too large",
                            object->name);
        }
    }
}

/* By an object's own operations, or all of them. */
static void place_by(lbio_scefo *s, const lbio_scefo_object *object, double time, int with_groups, lb_frame *frame,
                     double size[3]) {
    lb_frame_identity(frame);
    size[0] = size[1] = size[2] = 1;
    for (const lbio_scefo_op *op = object->ops; op && !s->status; op = op->next) {
        if (with_groups || !op->is_of_group) {
            apply(s, object, op, time, frame, size);
        }
    }
}

static int has_own_place(const lbio_scefo_object *object) {
    for (const lbio_scefo_op *op = object->ops; op; op = op->next) {
        if (op->kind == SCEFO_TRANSLATE && !op->is_of_group) {
            return 1;
        }
    }
    return 0;
}

/* Halfway between the links as they are by themselves; then groups take the joint along with them. */
static void place_between(lbio_scefo *s, const lbio_scefo_object *joint, double time, lb_frame *frame) {
    int link1 = lbio_scefo_link(s, joint, "link1"), link2 = lbio_scefo_link(s, joint, "link2");
    lb_frame a, b;
    double size[3];
    if (link1 < 0 || link2 < 0) {
        return;
    }
    place_by(s, &s->objects[link1], time, 0, &a, size);
    place_by(s, &s->objects[link2], time, 0, &b, size);
    place_by(s, joint, time, 0, frame, size);
    for (int i = 0; i < 3; i++) {
        frame->position[i] = (a.position[i] + b.position[i]) / 2;
    }
    for (const lbio_scefo_op *op = joint->ops; op && !s->status; op = op->next) {
        if (op->is_of_group) {
            apply(s, joint, op, time, frame, size);
        }
    }
}

lb_status lbio_scefo_place(lbio_scefo *s, const lbio_scefo_object *object, double time, lb_frame *frame,
                           double size[3]) {
    place_by(s, object, time, 1, frame, size);
    if (object->class_ == SCEFO_JOINT && !has_own_place(object) && !s->status) {
        place_between(s, object, time, frame);
    }
    return s->status;
}

int lbio_scefo_is_still(const lbio_scefo_object *object) {
    for (const lbio_scefo_op *op = object->ops; op; op = op->next) {
        if (op->kind != SCEFO_SET_FIELD && (op->points->time > 0 || op->points->next)) {
            return 0;
        }
    }
    return 1;
}
