/* Joints of a SCEFO script that name one link: they connect it with the world. Each linkage that has such joints gets
 * an object that stands for the world, and is rooted in it unless the script says otherwise. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* A set_field {"field", "name"} from the beginning on. */
static void set_field(lbio_scefo *s, int object, const char *field, const char *name) {
    const char *file = s->objects[object].file;
    int line = s->objects[object].line;
    lbio_scefo_value *values = lbio_scefo_take(s, 3 * sizeof *values);
    lbio_scefo_point *point = lbio_scefo_take(s, sizeof *point);
    if (!values || !point) {
        return;
    }
    values[0] = (lbio_scefo_value){.kind = SCEFO_LIST, .line = line, .file = file, .first = &values[1], .count = 2};
    values[1] = (lbio_scefo_value){.kind = SCEFO_STRING, .line = line, .file = file, .text = field, .next = &values[2]};
    values[2] = (lbio_scefo_value){.kind = SCEFO_STRING, .line = line, .file = file, .text = name};
    *point = (lbio_scefo_point){.value = values, .interpolation = LB_INTERPOLATION_LINEAR};
    const lbio_scefo_op op = {.kind = SCEFO_SET_FIELD, .line = line, .file = file, .field = field, .points = point};
    lbio_scefo_add_op(s, &s->objects[object], &op, 0);
}

/* The object that stands for the world of a linkage; it is where `link` is, so that a joint which nothing places is
 * there, too. */
static const char *ground_of(lbio_scefo *s, int linkage, int link) {
    size_t size = strlen(s->objects[linkage].name) + 8;
    char *name = lbio_scefo_take(s, size);
    if (!name) {
        return NULL;
    }
    snprintf(name, size, "%s_world", s->objects[linkage].name);
    if (lbio_scefo_find(s, name) >= 0) {
        return name;
    }
    int ground = lbio_scefo_add_object(s, name, s->objects[linkage].line, SCEFO_POINT);
    for (const lbio_scefo_op *op = ground < 0 ? NULL : s->objects[link].ops; op && !s->status; op = op->next) {
        if ((op->kind == SCEFO_ROTATE || op->kind == SCEFO_TRANSLATE) && op->points->time <= 0) {
            lbio_scefo_op still = *op;
            lbio_scefo_point *first = lbio_scefo_take(s, sizeof *first);
            if (first) {
                *first = *op->points;
                first->next = NULL;
                still.points = first;
                lbio_scefo_add_op(s, &s->objects[ground], &still, 0);
            }
        }
    }
    if (!s->status && !lbio_scefo_field(&s->objects[linkage], "root", INFINITY)) {
        set_field(s, linkage, "root", name);
    }
    return name;
}

static const char *link_name(const lbio_scefo_object *joint, const char *field) {
    const lbio_scefo_op *op = lbio_scefo_field(joint, field, INFINITY);
    const lbio_scefo_value *value = op ? lbio_scefo_field_value(op->points->value) : NULL;
    return value && (value->kind == SCEFO_STRING || value->kind == SCEFO_NAME) ? value->text : NULL;
}

static void ground_joint(lbio_scefo *s, int linkage, const lbio_scefo_value *value) {
    int joint = value && value->text ? lbio_scefo_find(s, value->text) : -1;
    if (joint < 0 || s->objects[joint].class_ != SCEFO_JOINT) {
        return; /* said when the linkage is built */
    }
    const char *first = link_name(&s->objects[joint], "link1"), *second = link_name(&s->objects[joint], "link2");
    const char *only = first && second ? NULL : first ? first : second;
    int link = only ? lbio_scefo_find(s, only) : -1;
    const char *ground = link >= 0 ? ground_of(s, linkage, link) : NULL;
    if (ground && !s->status) { /* the link turns as the joint does, whichever of the two it was */
        set_field(s, joint, "link1", ground);
        set_field(s, joint, "link2", only);
    }
}

lb_status lbio_scefo_ground(lbio_scefo *s) {
    int count = s->object_count;
    for (int l = 0; l < count && !s->status; l++) {
        for (const lbio_scefo_op *op = s->objects[l].class_ == SCEFO_LINKAGE ? s->objects[l].ops : NULL;
             op && !s->status; op = op->next) {
            for (const lbio_scefo_point *p = op->points;
                 p && op->kind == SCEFO_SET_FIELD && strcmp(op->field, "add_joint") == 0; p = p->next) {
                ground_joint(s, l, lbio_scefo_field_value(p->value));
            }
        }
    }
    return s->status;
}
