/* Reaches of a SCEFO script: which end-effector goes where. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* {{{1, 2, 3}}} is {1, 2, 3}. */
static const lbio_scefo_value *unwrap(const lbio_scefo_value *value) {
    while (value && value->kind == SCEFO_LIST && value->count == 1) {
        value = value->first;
    }
    return value;
}

/* The goal and the effector of a control point: {"joint_reach", goal, effector [, site]} or {"joint_reach", {goal,
 * effector [, site]}}. */
static int split_reach(lbio_scefo *s, const lbio_scefo_point *point, const lbio_scefo_value *parts[3]) {
    const lbio_scefo_value *first = lbio_scefo_field_value(point->value);
    if (!first->next && first->kind == SCEFO_LIST) {
        first = first->first;
    }
    parts[0] = first ? unwrap(first) : NULL;
    parts[1] = first ? first->next : NULL;
    parts[2] = parts[1] ? parts[1]->next : NULL;
    if (!parts[0] || !parts[1] || (parts[1]->kind != SCEFO_STRING && parts[1]->kind != SCEFO_NAME)) {
        lbio_scefo_fail(s, point->value->file, point->value->line,
                        "a reach is {\"joint_reach\", {goal}, \"link\"}, the goal a point or object:_position");
        return 0;
    }
    return 1;
}

int lbio_scefo_goal(lbio_scefo *s, const lbio_scefo_point *point, double position[3]) {
    const lbio_scefo_value *parts[3];
    if (!split_reach(s, point, parts)) {
        return -1;
    }
    if (parts[0]->kind != SCEFO_FIELD) {
        lbio_scefo_numbers(s, parts[0], 3, "a point, as in {1, 0, 0.5}, or object:_position", position);
        return -1;
    }
    int index = lbio_scefo_find(s, parts[0]->text);
    if (index < 0) {
        char hint[200];
        lbio_scefo_suggest(s, parts[0]->text, -1, hint, sizeof hint);
        lbio_scefo_fail(s, parts[0]->file, parts[0]->line, "there is no object \"%.60s\" to reach for%s",
                        parts[0]->text, hint);
    } else if (strcmp(parts[0]->field, "_position") != 0) {
        lbio_scefo_fail(s, parts[0]->file, parts[0]->line, "%.60s:%.60s cannot be reached for; %.60s:_position can",
                        parts[0]->text, parts[0]->field, parts[0]->text);
        index = -1;
    } else if (s->objects[index].class_ >= SCEFO_LINKAGE) {
        lbio_scefo_fail(s, parts[0]->file, parts[0]->line,
                        "\"%.60s\" is nowhere in particular; name one of its objects", parts[0]->text);
        index = -1;
    }
    return index;
}

static int read_reach(lbio_scefo *s, int joint, const lbio_scefo_op *op, lbio_scefo_reach *reach) {
    *reach = (lbio_scefo_reach){.joint = joint, .op = op, .effector = -1};
    for (const lbio_scefo_point *p = op->points; p; p = p->next) {
        const lbio_scefo_value *parts[3];
        double unused[3];
        lbio_scefo_goal(s, p, unused);
        if (s->status || !split_reach(s, p, parts)) {
            return 0;
        }
        int effector = lbio_scefo_find(s, parts[1]->text);
        if (effector < 0 || s->objects[effector].class_ >= SCEFO_JOINT || s->objects[effector].is_class) {
            char hint[200];
            lbio_scefo_suggest(s, parts[1]->text, -1, hint, sizeof hint);
            lbio_scefo_fail(s, parts[1]->file, parts[1]->line, "there is no link \"%.60s\" to reach with%s",
                            parts[1]->text, hint);
            return 0;
        }
        if (reach->effector >= 0 && effector != reach->effector) {
            lbio_scefo_fail(s, parts[1]->file, parts[1]->line,
                            "one reach is with one link: \"%.60s\" here, \"%.60s\" before", parts[1]->text,
                            s->objects[reach->effector].name);
            return 0;
        }
        reach->effector = effector;
        if (parts[2] && !reach->has_site) {
            reach->has_site = 1;
            if (lbio_scefo_numbers(s, parts[2], 3, "a site on the link, as in {0, 0.1, 0}", reach->site)) {
                return 0;
            }
        }
    }
    return 1;
}

int lbio_scefo_reaches(lbio_scefo *s, lbio_scefo_reach *reaches, int room) {
    int count = 0;
    for (int j = 0; j < s->object_count; j++) {
        const lbio_scefo_op *op = s->objects[j].class_ == SCEFO_JOINT ? s->objects[j].ops : NULL;
        for (; op; op = op->next) {
            lbio_scefo_reach reach;
            if (op->kind != SCEFO_SET_FIELD || strcmp(op->field, "joint_reach") != 0) {
                continue;
            }
            if (!read_reach(s, j, op, &reach)) {
                return -1;
            }
            if (count < room) {
                reaches[count] = reach;
            }
            count++;
        }
    }
    return count;
}

/* The method that a joint names at a time; -1: none. */
static int method_of(lbio_scefo *s, const lbio_scefo_object *joint, double time) {
    const lbio_scefo_op *op = lbio_scefo_field(joint, "method", INFINITY);
    const lbio_scefo_point *at = op ? op->points : NULL;
    for (const lbio_scefo_point *p = at; p && p->time <= time; p = p->next) {
        at = p;
    }
    const lbio_scefo_value *value = at ? lbio_scefo_field_value(at->value) : NULL;
    if (!value) {
        return -1;
    }
    const char *names[LB_METHOD_HIERARCHY + 1];
    for (int m = 0; m <= LB_METHOD_HIERARCHY; m++) {
        names[m] = lb_method_name((lb_method)m);
    }
    int is_text = value->kind == SCEFO_STRING || value->kind == SCEFO_NAME;
    int found = is_text ? lb_method_find(value->text) : -1;
    if (found < 0) {
        const char *nearest = is_text ? lbio_nearest(value->text, names, LB_METHOD_HIERARCHY + 1) : NULL;
        lbio_scefo_fail(s, value->file, value->line, "there is no method \"%.60s\"; did you mean \"%s\"?",
                        is_text ? value->text : "", nearest ? nearest : names[0]);
        return -1;
    }
    return found;
}

int lbio_scefo_method(lbio_scefo *s, const lbio_scefo_reach *reaches, int count, double from) {
    int method = -1, is_named = 0;
    double last = -1;
    for (int i = 0; i < count && !s->status; i++) {
        const double begin = reaches[i].op->points->time;
        const int own = method_of(s, &s->objects[reaches[i].joint], from);
        is_named |= own >= 0;
        if (begin > from || begin < last) {
            continue;
        }
        if (begin == last && own != method && !s->status) {
            lbio_scefo_fail(
                s, reaches[i].op->file, reaches[i].op->line,
                "two reaches begin at %g s, and their joints name different methods: they are solved together", begin);
        }
        last = begin;
        method = own;
    }
    return is_named && method < 0 ? LB_METHOD_LM : method;
}
