/* rotate, translate and scale of a whole linkage: its links and joints are changed as the members of a group are, after
 * what is done to each of them. And fields whose numbers change in time, and joints that grip. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <string.h>

/* Marks the joints that a linkage ever has, and what they connect. */
static void mark_members(lbio_scefo *s, const lbio_scefo_object *linkage, unsigned char *is_member) {
    for (const lbio_scefo_op *op = linkage->ops; op && !s->status; op = op->next) {
        int adds = op->kind == SCEFO_SET_FIELD && strcmp(op->field, "add_joint") == 0;
        for (const lbio_scefo_point *p = adds ? op->points : NULL; p && !s->status; p = p->next) {
            const lbio_scefo_value *value = lbio_scefo_field_value(p->value);
            int has_name = value && (value->kind == SCEFO_STRING || value->kind == SCEFO_NAME);
            int joint = has_name ? lbio_scefo_find(s, value->text) : -1;
            if (joint < 0 || s->objects[joint].class_ != SCEFO_JOINT) {
                continue; /* building says what is wrong */
            }
            is_member[joint] = 1;
            for (int k = 0; k < 2 && !s->status; k++) {
                const char *field = k ? "link2" : "link1";
                int link = lbio_scefo_field(&s->objects[joint], field, INFINITY)
                               ? lbio_scefo_link(s, &s->objects[joint], field)
                               : -1;
                if (link >= 0) {
                    is_member[link] = 1;
                }
            }
        }
    }
}

static int has_transforms(const lbio_scefo_object *object) {
    for (const lbio_scefo_op *op = object->ops; op; op = op->next) {
        if (op->kind != SCEFO_SET_FIELD) {
            return 1;
        }
    }
    return 0;
}

lb_status lbio_scefo_spread(lbio_scefo *s) {
    for (int i = 0; i < s->object_count && !s->status; i++) {
        const lbio_scefo_object *linkage = &s->objects[i];
        if (linkage->class_ != SCEFO_LINKAGE || linkage->is_class || !has_transforms(linkage)) {
            continue;
        }
        unsigned char *is_member = lbio_scefo_take(s, (size_t)s->object_count + 1);
        if (!is_member) {
            return s->status;
        }
        mark_members(s, linkage, is_member);
        for (int m = 0; m < s->object_count && !s->status; m++) {
            for (const lbio_scefo_op *op = is_member[m] ? linkage->ops : NULL; op && !s->status; op = op->next) {
                if (op->kind != SCEFO_SET_FIELD) {
                    lbio_scefo_add_op(s, &s->objects[m], op, 1);
                }
            }
        }
    }
    return s->status;
}

double lbio_scefo_number(lbio_scefo *s, const lbio_scefo_object *object, const char *field, double time,
                         double otherwise) {
    const lbio_scefo_op *op = lbio_scefo_field(object, field, INFINITY);
    double value = otherwise, next;
    for (const lbio_scefo_point *p = op ? op->points : NULL; p && !s->status; p = p->next) {
        if (p != op->points && p->time > time) {
            break;
        }
        if (lbio_scefo_numbers(s, lbio_scefo_field_value(p->value), 1, "a number", &value)) {
            return otherwise;
        }
        if (p->next && p->time <= time && time < p->next->time && p->interpolation != LB_INTERPOLATION_STEP &&
            !lbio_scefo_numbers(s, lbio_scefo_field_value(p->next->value), 1, "a number", &next)) {
            value += (next - value) * (time - p->time) / (p->next->time - p->time);
        }
    }
    return value;
}

/* --- Grips --------------------------------------------------------------------------------------------- */

/* The last time up to `time` at which a linkage gains (is_added 1) or loses a joint; -1: never. */
static double last_change(const lbio_scefo *s, int joint, double time, int *is_added) {
    double last = -1;
    for (int l = 0; l < s->object_count; l++) {
        const lbio_scefo_op *op = s->objects[l].class_ == SCEFO_LINKAGE ? s->objects[l].ops : NULL;
        for (; op; op = op->next) {
            int adds = op->kind == SCEFO_SET_FIELD && strcmp(op->field, "add_joint") == 0;
            int deletes = op->kind == SCEFO_SET_FIELD && strcmp(op->field, "delete_joint") == 0;
            for (const lbio_scefo_point *p = adds || deletes ? op->points : NULL; p; p = p->next) {
                const lbio_scefo_value *value = lbio_scefo_field_value(p->value);
                if (value && value->text && strcmp(value->text, s->objects[joint].name) == 0 && p->time <= time &&
                    p->time >= last) {
                    last = p->time;
                    *is_added = adds;
                }
            }
        }
    }
    return last;
}

/* Whether no other joint is on a link. */
static int is_lone(lbio_scefo *s, int link, int joint) {
    for (int j = 0; j < s->object_count && !s->status; j++) {
        const lbio_scefo_object *other = &s->objects[j];
        for (int k = 0; k < 2 && j != joint && other->class_ == SCEFO_JOINT && !other->is_class; k++) {
            const lbio_scefo_op *op = lbio_scefo_field(other, k ? "link2" : "link1", INFINITY);
            const lbio_scefo_value *value = op ? lbio_scefo_field_value(op->points->value) : NULL;
            if (value && value->text && strcmp(value->text, s->objects[link].name) == 0) {
                return 0;
            }
        }
    }
    return 1;
}

int lbio_scefo_grips(lbio_scefo *s, int joint, double time, int *carrier, int *object) {
    const lbio_scefo_object *j = &s->objects[joint];
    const lbio_scefo_op *type = lbio_scefo_field(j, "joint_type", INFINITY);
    const lbio_scefo_value *value = type ? lbio_scefo_field_value(type->points->value) : NULL;
    int is_added = 0;
    double since = last_change(s, joint, time, &is_added);
    if (!is_added || !(since > 0) || !value || !value->text || strcmp(value->text, "FIXED") != 0) {
        return 0;
    }
    int link1 = lbio_scefo_link(s, j, "link1"), link2 = s->status ? -1 : lbio_scefo_link(s, j, "link2");
    if (s->status || link1 < 0 || link2 < 0) {
        return 0;
    }
    int lone2 = is_lone(s, link2, joint);
    *carrier = lone2 ? link1 : link2;
    *object = lone2 ? link2 : link1;
    return lone2 || is_lone(s, link1, joint);
}
