/* Which joints of a SCEFO script hold what together from a time on, and which link each part hangs on. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <string.h>

static int named_object(lbio_scefo *s, const lbio_scefo_value *value, lbio_scefo_class class_, const char *what) {
    int index = value->text && (value->kind == SCEFO_STRING || value->kind == SCEFO_NAME)
                    ? lbio_scefo_find(s, value->text)
                    : -1;
    if (index < 0 || (class_ == SCEFO_JOINT) != (s->objects[index].class_ == SCEFO_JOINT)) {
        char hint[200];
        lbio_scefo_suggest(s, value->text ? value->text : "", class_ == SCEFO_JOINT ? SCEFO_JOINT : -1, hint,
                           sizeof hint);
        lbio_scefo_fail(s, value->file, value->line, "there is no %s \"%.60s\"%s", what, value->text ? value->text : "",
                        hint);
        return -1;
    }
    return index;
}

/* The next add_joint or delete_joint of any linkage, from an op on; NULL: no more. */
static const lbio_scefo_op *next_change(const lbio_scefo_op *op) {
    while (op && !(op->kind == SCEFO_SET_FIELD &&
                   (strcmp(op->field, "add_joint") == 0 || strcmp(op->field, "delete_joint") == 0))) {
        op = op->next;
    }
    return op;
}

static const lbio_scefo_op *first_change(const lbio_scefo_object *object) {
    return object->class_ == SCEFO_LINKAGE ? next_change(object->ops) : NULL;
}

/* When a linkage next gains or loses a joint after `now`; INFINITY: never. */
static double next_change_time(const lbio_scefo *s, double now) {
    double next = INFINITY;
    for (int l = 0; l < s->object_count; l++) {
        for (const lbio_scefo_op *op = first_change(&s->objects[l]); op; op = next_change(op->next)) {
            for (const lbio_scefo_point *p = op->points; p; p = p->next) {
                next = p->time > now && p->time < next ? p->time : next;
            }
        }
    }
    return next;
}

/* What linkages gain and lose at a time, in order of the script. */
static void change_joints(lbio_scefo_web *w, double time) {
    lbio_scefo *s = w->s;
    for (int l = 0; l < s->object_count && !s->status; l++) {
        for (const lbio_scefo_op *op = first_change(&s->objects[l]); op && !s->status; op = next_change(op->next)) {
            for (const lbio_scefo_point *p = op->points; p; p = p->next) {
                if (p->time != time) {
                    continue;
                }
                int joint = named_object(s, lbio_scefo_field_value(p->value), SCEFO_JOINT, "joint");
                if (joint >= 0) {
                    w->linkage[joint] = strcmp(op->field, "add_joint") == 0 ? l : -1;
                    w->since[joint] = time;
                }
            }
        }
    }
}

static void find_links(lbio_scefo_web *w, int joint) {
    lbio_scefo *s = w->s;
    w->link1[joint] = lbio_scefo_link(s, &s->objects[joint], "link1");
    w->link2[joint] = s->status ? -1 : lbio_scefo_link(s, &s->objects[joint], "link2");
    if (!s->status && w->link1[joint] == w->link2[joint]) {
        lbio_scefo_fail(s, s->objects[joint].file, s->objects[joint].line,
                        "the joint \"%.60s\" connects a link to itself", s->objects[joint].name);
    }
}

/* add_joint and delete_joint up to the stage's time, in order of time, then of the script. */
static void collect_joints(lbio_scefo_web *w) {
    lbio_scefo *s = w->s;
    for (int i = 0; i < s->object_count; i++) {
        w->linkage[i] = w->part[i] = w->link1[i] = w->link2[i] = -1;
    }
    for (double now = -1; now < w->time && !s->status;) {
        now = next_change_time(s, now);
        if (now <= w->time) {
            change_joints(w, now);
        }
    }
    for (int j = 0, a, b; j < s->object_count && !s->status; j++) {
        if (w->linkage[j] >= 0 && lbio_scefo_grips(s, j, w->time, &a, &b)) {
            w->linkage[j] = -1;
            s->is_led[b] = 1;
        }
        if (w->linkage[j] >= 0) {
            find_links(w, j);
        }
    }
}

/* Links that joints hold together get one number, the least object among them. */
static void find_parts(lbio_scefo_web *w) {
    lbio_scefo *s = w->s;
    for (int j = 0; j < s->object_count; j++) {
        if (w->linkage[j] >= 0) {
            w->part[w->link1[j]] = w->link1[j];
            w->part[w->link2[j]] = w->link2[j];
        }
    }
    for (int changed = 1; changed;) {
        changed = 0;
        for (int j = 0; j < s->object_count; j++) {
            if (w->linkage[j] < 0) {
                continue;
            }
            int *a = &w->part[w->link1[j]], *b = &w->part[w->link2[j]];
            if (*a != *b) {
                *a = *b = *a < *b ? *a : *b;
                changed = 1;
            }
        }
    }
}

/* --- Roots --------------------------------------------------------------------------------------------- */

/* The link that a linkage names as its root by now; -1: none. */
static int named_root(lbio_scefo_web *w, const lbio_scefo_object *linkage) {
    const lbio_scefo_op *op = linkage->class_ == SCEFO_LINKAGE ? lbio_scefo_field(linkage, "root", w->time) : NULL;
    const lbio_scefo_point *last = op ? op->points : NULL;
    while (last && last->next && last->next->time <= w->time) {
        last = last->next;
    }
    return last ? named_object(w->s, lbio_scefo_field_value(last->value), SCEFO_CUBE, "link") : -1;
}

/* Two linkages that joints connect hang on one root, that of the first; the other's does not hold, which is said
 * once. */
static void say_dropped(lbio_scefo_web *w, int linkage, int root, int kept) {
    lbio_scefo *s = w->s;
    const lbio_scefo_object *object = &s->objects[linkage];
    const int is_dropped = kept >= 0 && kept != root;
    if (is_dropped && !s->is_root_dropped[linkage]) {
        lbio_scefo_warn(s, object->file, object->line,
                        "from %g s on \"%.60s\" hangs on \"%.60s\", which is the root of \"%.60s\": its own root "
                        "\"%.60s\" does not hold, and moves along",
                        w->time, object->name, s->objects[kept].name, s->objects[w->root_linkage[kept]].name,
                        s->objects[root].name);
    }
    s->is_root_dropped[linkage] = (unsigned char)is_dropped;
}

/* The link that each part hangs on: the root of the first linkage that names one in it, else the part's least object.
 * What hangs on another link is led by it: from now on it is no longer where its own operations alone would have it. */
static void find_roots(lbio_scefo_web *w) {
    lbio_scefo *s = w->s;
    for (int i = 0; i < s->object_count; i++) {
        w->root[i] = w->part[i] == i ? i : -1;
        w->root_linkage[i] = -1;
    }
    for (int l = s->object_count - 1; l >= 0 && !s->status; l--) {
        const int root = named_root(w, &s->objects[l]), part = root >= 0 ? w->part[root] : -1;
        if (part >= 0) {
            w->root[part] = root;
            w->root_linkage[root] = l;
        }
    }
    for (int l = 0; l < s->object_count && !s->status; l++) {
        const int root = named_root(w, &s->objects[l]), part = root >= 0 ? w->part[root] : -1;
        if (root >= 0) {
            say_dropped(w, l, root, part >= 0 ? w->root[part] : -1);
        }
    }
    for (int i = 0; i < s->object_count; i++) {
        s->is_led[i] |= w->part[i] >= 0 && w->root[w->part[i]] != i;
    }
}

lb_status lbio_scefo_weave(lbio_scefo *s, double time, lbio_scefo_web *w) {
    const size_t count = (size_t)s->object_count + 1;
    int *numbers = lbio_scefo_take(s, count * 6 * sizeof *numbers);
    double *since = lbio_scefo_take(s, count * sizeof *since);
    if (!numbers || !since) {
        return s->status;
    }
    *w = (lbio_scefo_web){s,
                          time,
                          numbers,
                          numbers + count,
                          numbers + 2 * count,
                          numbers + 3 * count,
                          numbers + 4 * count,
                          numbers + 5 * count,
                          since};
    collect_joints(w);
    if (!s->status) {
        find_parts(w);
        find_roots(w);
    }
    return s->status;
}
