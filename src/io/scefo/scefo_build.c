/* SCEFO's linkages and objects as they are from a time on, into figures and a problem.
 *
 * Links that joints connect make one figure, rooted at the link that their linkage names; everything else that can be
 * seen is a figure of one segment that can be anywhere. */
#include "io/scefo/scefo.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEGREE (3.14159265358979323846 / 180)

/* --- Fields ------------------------------------------------------------------------------------------ */

const lbio_scefo_op *lbio_scefo_field(const lbio_scefo_object *object, const char *field, double time) {
    const lbio_scefo_op *found = NULL;
    for (const lbio_scefo_op *op = object->ops; op; op = op->next) {
        if (op->kind == SCEFO_SET_FIELD && strcmp(op->field, field) == 0 && op->points->time <= time) {
            found = op;
        }
    }
    return found;
}

const lbio_scefo_value *lbio_scefo_field_value(const lbio_scefo_value *value) { return value->first->next; }

/* Whether an object's field names another object. */
static int names_object(const lbio_scefo_object *object, const char *field, const char *name) {
    const lbio_scefo_op *op = lbio_scefo_field(object, field, INFINITY);
    const lbio_scefo_value *value = op ? lbio_scefo_field_value(op->points->value) : NULL;
    return value && value->text && strcmp(value->text, name) == 0;
}

/* Whether a joint carries the object, a linkage is rooted in it, or `joint` itself hangs on it. */
static int is_carried(const lbio_scefo *s, const lbio_scefo_object *joint, const char *name) {
    for (int k = 0; k < s->object_count; k++) {
        const lbio_scefo_object *other = &s->objects[k];
        if ((other->class_ == SCEFO_JOINT && names_object(other, "link2", name)) ||
            (other->class_ == SCEFO_LINKAGE && names_object(other, "root", name)) ||
            (other == joint && names_object(other, "link1", name))) {
            return 1;
        }
    }
    return 0;
}

/* Whether any joint hangs on the object. */
static int carries_joint(const lbio_scefo *s, const char *name) {
    for (int k = 0; k < s->object_count; k++) {
        if (s->objects[k].class_ == SCEFO_JOINT && names_object(&s->objects[k], "link1", name)) {
            return 1;
        }
    }
    return 0;
}

/* A link that no joint carries yet is likely what was meant, if joints speak of it at all. */
static void suggest_link(const lbio_scefo *s, const lbio_scefo_object *joint, const char *name, char *text,
                         size_t size) {
    int found = -1, count = 0;
    for (int i = 0; i < s->object_count; i++) {
        const lbio_scefo_object *object = &s->objects[i];
        int is_link = object->class_ < SCEFO_POINT && !object->is_class && !object->is_pattern;
        if (is_link && !is_carried(s, joint, object->name) && carries_joint(s, object->name)) {
            found = i;
            count++;
        }
    }
    lbio_scefo_suggest(s, name, -1, text, size);
    if (count == 1) {
        snprintf(text, size, "; did you mean \"%.60s\", which no joint carries yet?", s->objects[found].name);
    }
}

int lbio_scefo_link(lbio_scefo *s, const lbio_scefo_object *joint, const char *field) {
    const lbio_scefo_op *op = lbio_scefo_field(joint, field, INFINITY);
    const lbio_scefo_value *value = op ? lbio_scefo_field_value(op->points->value) : NULL;
    if (!value || (value->kind != SCEFO_STRING && value->kind != SCEFO_NAME)) {
        lbio_scefo_fail(s, joint->file, joint->line,
                        "the joint \"%.60s\" has no %s; set_field <0, {\"%s\", \"object\"}>", joint->name, field,
                        field);
        return -1;
    }
    int index = lbio_scefo_find(s, value->text);
    if (index < 0 || s->objects[index].is_class) {
        char hint[200];
        suggest_link(s, joint, value->text, hint, sizeof hint);
        lbio_scefo_fail(s, value->file, value->line, "there is no object \"%.60s\" for %s of \"%.60s\"%s", value->text,
                        field, joint->name, hint);
        return -1;
    }
    if (s->objects[index].class_ >= SCEFO_JOINT) {
        lbio_scefo_fail(s, value->file, value->line,
                        "\"%.60s\" is no link: a joint connects cubes, spheres, cylinders or points", value->text);
        return -1;
    }
    return index;
}

/* --- Joints ------------------------------------------------------------------------------------------ */

static const char axis_letters[3] = {'x', 'y', 'z'};

/* Which axis a joint with one turn (or one shift) has: the one whose limit is set, else y. */
static int only_axis(const lbio_scefo_object *joint, const char *prefix) {
    for (int axis = 0; axis < 3; axis++) {
        char field[32];
        snprintf(field, sizeof field, "%s%c", prefix, axis_letters[axis]);
        if (lbio_scefo_field(joint, field, INFINITY)) {
            return axis;
        }
    }
    return 1;
}

/* A joint type's name as Limber has it: CUBE_ON_PLANE is cube-on-plane. */
static void spell_type(const char *text, char *name, size_t size) {
    snprintf(name, size, "%s", text);
    for (char *c = name; *c; c++) {
        *c = *c == '_' ? '-' : *c >= 'A' && *c <= 'Z' && !(c[1] >= '0' && c[1] <= '9') ? (char)(*c - 'A' + 'a') : *c;
    }
}

/* The axis of a single turn or shift is the one that has limits. */
static void aim_single_axes(const lbio_scefo_object *object, lb_joint_type *type) {
    int turns = 0, shifts = 0;
    for (int i = 0; i < type->element_count; i++) {
        turns += type->elements[i].kind == LB_ELEMENT_ROTATE;
        shifts += type->elements[i].kind == LB_ELEMENT_TRANSLATE;
    }
    for (int i = 0; i < type->element_count; i++) {
        int is_turn = type->elements[i].kind == LB_ELEMENT_ROTATE;
        if (is_turn ? turns == 1 : shifts == 1) {
            memset(type->elements[i].axis, 0, sizeof type->elements[i].axis);
            type->elements[i].axis[only_axis(object, is_turn ? "limit_rot_" : "limit_trans_")] = 1;
        }
    }
}

static lb_status read_type(lbio_scefo *s, const lbio_scefo_object *object, lb_joint_type *type) {
    const lbio_scefo_op *op = lbio_scefo_field(object, "joint_type", INFINITY);
    const lbio_scefo_value *value = op ? lbio_scefo_field_value(op->points->value) : NULL;
    char name[64];
    lb_error unseen;
    if (!value || !value->text || (value->kind != SCEFO_NAME && value->kind != SCEFO_STRING)) {
        return lbio_scefo_fail(s, object->file, object->line,
                               "the joint \"%.60s\" has no type; set_field <0, {\"joint_type\", PIN}>", object->name);
    }
    spell_type(value->text, name, sizeof name);
    if (strchr(name, '(') || lb_joint_type_parse(name, type, &unseen)) {
        static const char *const names[] = {"PIN",         "UNIVERSAL", "BALL",   "SLIDING",
                                            "CYLINDRICAL", "PLANAR",    "FLYING", "FIXED"};
        const char *near_name = lbio_nearest(value->text, names, 8);
        return lbio_scefo_fail(s, value->file, value->line, "there is no joint type \"%.60s\"%s%s%s", value->text,
                               near_name ? "; did you mean " : ": FIXED, PIN, UNIVERSAL, BALL, SLIDING, ... FLYING",
                               near_name ? near_name : "", near_name ? "?" : "");
    }
    aim_single_axes(object, type);
    return LB_OK;
}

/* The dof of a type that turns about (or shifts along) an axis; -1: none. */
static int dof_of(const lb_joint_type *type, int axis, int is_turn) {
    for (int i = 0; i < type->element_count; i++) {
        if ((type->elements[i].kind == LB_ELEMENT_ROTATE) == is_turn && type->elements[i].axis[axis] == 1) {
            return i;
        }
    }
    return -1;
}

/* The widest that the script ever allows; a motion narrows it. */
static lb_status read_limits(lbio_scefo *s, const lbio_scefo_object *object, double time, lb_joint *joint) {
    for (int k = 0; k < 6; k++) {
        char field[32];
        int is_turn = k < 3;
        snprintf(field, sizeof field, "%s%c", is_turn ? "limit_rot_" : "limit_trans_", axis_letters[k % 3]);
        const lbio_scefo_op *op = lbio_scefo_field(object, field, INFINITY);
        int dof = op ? dof_of(&joint->type, k % 3, is_turn) : -1;
        if (op && dof < 0) {
            lbio_scefo_warn(s, op->file, op->line, "%s means nothing to \"%.60s\", whose type cannot move so", field,
                            object->name);
        }
        for (const lbio_scefo_point *p = dof >= 0 ? op->points : NULL; p; p = p->next) {
            double range[2], unit = is_turn ? DEGREE : 1;
            if (lbio_scefo_numbers(s, lbio_scefo_field_value(p->value), 2, "a range, as in {-90, 90}", range)) {
                return s->status;
            }
            if (!(range[0] <= range[1])) {
                return lbio_scefo_fail(s, p->value->file, p->value->line, "the range %g to %g is empty", range[0],
                                       range[1]);
            }
            int is_first = p == op->points;
            joint->lower[dof] = is_first ? range[0] * unit : fmin(joint->lower[dof], range[0] * unit);
            joint->upper[dof] = is_first ? range[1] * unit : fmax(joint->upper[dof], range[1] * unit);
        }
    }
    const lbio_scefo_op *weight = lbio_scefo_field(object, "weight", INFINITY);
    double value = lbio_scefo_number(s, object, "weight", time, 1);
    if (s->status) {
        return s->status;
    }
    if (!(value >= 0 && value <= 1)) {
        return lbio_scefo_fail(s, weight->file, weight->line, "a weight is 0 (does not move) to 1 (free), not %g",
                               value);
    }
    for (int d = 0; d < LB_JOINT_MAX_DOFS; d++) {
        joint->rigidity[d] = 1 - value;
        joint->rest[d] = fmin(fmax(0, joint->lower[d]), joint->upper[d]);
    }
    return LB_OK;
}

/* --- Figures ----------------------------------------------------------------------------------------- */

static int add_site(lb_builder *builder, int segment, const char *name, const lb_frame *frame) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    site.frame = *frame;
    return lb_builder_add_site(builder, &site);
}

static void add_link(lbio_scefo *s, lb_builder *builder, const lbio_scefo_object *object) {
    lb_segment segment;
    lb_shape shape;
    lb_frame frame;
    double size[3];
    if (lbio_scefo_place(s, object, 0, &frame, size)) {
        return;
    }
    lb_segment_defaults(&segment);
    segment.name = object->name;
    int index = lb_builder_add_segment(builder, &segment);
    lb_shape_defaults(&shape);
    lb_frame_identity(&frame);
    shape.segment = index;
    memcpy(shape.size, size, sizeof shape.size);
    shape.kind = object->class_ == SCEFO_SPHERE     ? LB_SHAPE_ELLIPSOID
                 : object->class_ == SCEFO_CYLINDER ? LB_SHAPE_CYLINDER
                                                    : LB_SHAPE_BOX;
    if (shape.kind == LB_SHAPE_CYLINDER) { /* along the script's y; ours are along z */
        double axis[3] = {1, 0, 0};
        shape.size[0] = (size[0] + size[2]) / 2;
        shape.size[1] = size[1];
        lb_rotation_about(axis, -90 * DEGREE, shape.frame.rotation);
    }
    add_site(builder, index, LBIO_SCEFO_CENTRE, &frame);
    if (object->class_ != SCEFO_POINT) {
        lb_builder_add_shape(builder, &shape);
    }
}

static int add_joint_site(lbio_scefo *s, lb_builder *builder, const lbio_scefo_object *joint, int link) {
    lb_frame at, here, site;
    double size[3];
    if (lbio_scefo_place(s, joint, 0, &at, size) || lbio_scefo_place(s, &s->objects[link], 0, &here, size)) {
        return -1;
    }
    lb_frame_invert(&here, &here);
    lb_frame_multiply(&here, &at, &site);
    return add_site(builder, lb_builder_find_segment(builder, s->objects[link].name), joint->name, &site);
}

/* A segment that a joint moves, and that holds link2 as it is when the joint is added; returns the joint's site on
 * it. */
static int add_held(lbio_scefo_web *w, lb_builder *builder, int index) {
    lbio_scefo *s = w->s;
    lb_segment segment;
    lb_joint joint;
    lb_frame here;
    char name[LB_ERROR_MESSAGE_SIZE];
    snprintf(name, sizeof name, "%s" LBIO_SCEFO_HELD, s->objects[index].name);
    lb_segment_defaults(&segment);
    segment.name = name;
    int held = lb_builder_add_segment(builder, &segment);
    lb_frame_identity(&here);
    lb_joint_defaults(&joint);
    joint.name = name;
    lb_joint_type_parse("floating", &joint.type, NULL);
    joint.site_a = add_site(builder, held, name, &here);
    joint.site_b = add_joint_site(s, builder, &s->objects[index], w->link2[index]);
    lb_builder_add_joint(builder, &joint);
    return add_site(builder, held, s->objects[index].name, &here);
}

static void add_joint(lbio_scefo_web *w, lb_builder *builder, int index) {
    lbio_scefo *s = w->s;
    lb_joint joint;
    lb_joint_defaults(&joint);
    joint.name = s->objects[index].name;
    if (read_type(s, &s->objects[index], &joint.type) || read_limits(s, &s->objects[index], w->time, &joint)) {
        return;
    }
    if (w->since[index] > 0) {
        lbio_scefo_begin_joint(s, &s->objects[index], w->since[index], &joint);
    }
    joint.site_a = add_joint_site(s, builder, &s->objects[index], w->link1[index]);
    joint.site_b = w->since[index] > 0 ? add_held(w, builder, index)
                                       : add_joint_site(s, builder, &s->objects[index], w->link2[index]);
    lb_builder_add_joint(builder, &joint);
}

/* In the order in which they were added: so it is the last one that closes a loop. */
static void add_joints(lbio_scefo_web *w, lb_builder *builder, int part) {
    for (double now = -INFINITY; now < INFINITY && !w->s->status;) {
        double next = INFINITY;
        for (int j = 0; j < w->s->object_count && !w->s->status; j++) {
            if (w->linkage[j] < 0 || w->part[w->link1[j]] != part) {
                continue;
            }
            if (w->since[j] == now) {
                add_joint(w, builder, j);
            } else if (w->since[j] > now && w->since[j] < next) {
                next = w->since[j];
            }
        }
        now = next;
    }
}

static lb_figure *finish(lbio_scefo_web *w, lb_builder *builder, const char *name, int root, int is_free) {
    lbio_scefo *s = w->s;
    lb_root place;
    lb_frame frame;
    double size[3];
    lb_figure *figure = NULL;
    lb_root_defaults(&place);
    if (lbio_scefo_place(s, &s->objects[root], 0, &frame, size) || s->status) {
        return NULL;
    }
    lbio_scefo_world_frame(&frame, &place.placement);
    place.segment = lb_builder_find_segment(builder, s->objects[root].name);
    place.site = -1;
    place.is_free = is_free;
    lb_builder_set_name(builder, name);
    lb_builder_set_root(builder, &place);
    if (lb_builder_finish(builder, &figure)) {
        lbio_builder_fail(s->source, builder, s->objects[root].line);
        s->status = s->source->error->status;
        return NULL;
    }
    return figure;
}

/* A figure of all links of a part, or of an object by itself. */
static lb_figure *make_figure(lbio_scefo_web *w, int part, int is_alone) {
    lbio_scefo *s = w->s;
    int root = is_alone ? part : w->root[part], linkage = is_alone ? -1 : w->root_linkage[root];
    lb_builder *builder = lb_builder_create(s->source->options->allocator, NULL);
    if (!builder) {
        s->status = lbio_fail(s->source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    for (int i = 0; i < s->object_count && !s->status; i++) {
        if (is_alone ? i == part : w->part[i] == part) {
            add_link(s, builder, &s->objects[i]);
        }
    }
    if (!s->status && !is_alone) {
        add_joints(w, builder, part);
    }
    lb_figure *figure = NULL;
    if (!s->status) {
        int is_free = linkage < 0 || s->is_led[root] || !lbio_scefo_is_still(&s->objects[root]);
        figure = finish(w, builder, s->objects[linkage >= 0 ? linkage : root].name, root, is_free);
    }
    lb_builder_destroy(builder);
    return figure;
}

static int is_shown(const lbio_scefo_web *w, int index) {
    const lbio_scefo_object *object = &w->s->objects[index];
    return w->part[index] < 0 && object->class_ <= SCEFO_POINT && !object->is_class && !object->is_pattern;
}

static void note_places(const lbio_scefo_web *w, lbio_scefo_stage *stage, int number) {
    const lb_figure *figure = stage->figures[number];
    for (int i = 0; i < lb_figure_segment_count(figure); i++) {
        int object = lbio_scefo_find(w->s, lb_figure_segment(figure, i)->name);
        if (object >= 0) { /* else what holds a link */
            stage->segment_figure[object] = number;
            stage->segment_index[object] = i;
        }
    }
    for (int i = 0; i < lb_figure_joint_count(figure); i++) {
        int object = lbio_scefo_find(w->s, lb_figure_joint(figure, i)->name);
        if (object >= 0) {
            stage->joint_figure[object] = number;
            stage->joint_index[object] = i;
        }
    }
}

/* --- The problem --------------------------------------------------------------------------------------- */

/* Whether a joint is between a segment and the root. */
static int is_on_way(const lb_figure *figure, int segment, int joint) {
    for (; segment >= 0; segment = lb_figure_parent_segment(figure, segment)) {
        if (lb_figure_parent_joint(figure, segment) == joint) {
            return 1;
        }
    }
    return 0;
}

/* Whether a reach is on in a stage. One whose chain breaks has ended for good, which is said: were it to go on later,
 * what it moves would jump. One that begins after the stage is not concerned. */
static int goes_on(lbio_scefo *s, const lbio_scefo_stage *stage, const lbio_scefo_reach *reach, int number,
                   int is_whole) {
    const double begin = reach->op->points->time;
    if (!is_whole && begin < stage->until && !s->has_ended[number]) {
        s->has_ended[number] = 1;
        lbio_scefo_warn(s, reach->op->file, reach->op->line,
                        "the reach with \"%.60s\" ends at %g s: there is no way any more from the joint \"%.60s\" "
                        "outwards to it; set another joint_reach to begin anew",
                        s->objects[reach->effector].name, fmax(stage->from, begin), s->objects[reach->joint].name);
    }
    return is_whole && !s->has_ended[number];
}

/* A reach in this stage: disabled where its chain is broken, or has been. */
static lb_status add_reach(lbio_scefo *s, lbio_scefo_stage *stage, const lbio_scefo_reach *reach, int number) {
    int figure = stage->segment_figure[reach->effector], joint = stage->joint_index[reach->joint];
    lb_constraint c;
    lb_constraint_defaults(&c);
    c.name = s->objects[reach->effector].name;
    c.figure = figure < 0 ? 0 : figure;
    if (figure >= 0) {
        lb_effector_from_segment(stage->figures[figure], stage->segment_index[reach->effector], &c.effector);
        memcpy(c.effector.point, reach->site, sizeof c.effector.point);
    }
    int is_whole = figure >= 0 && joint >= 0 && stage->joint_figure[reach->joint] == figure &&
                   is_on_way(stage->figures[figure], stage->segment_index[reach->effector], joint);
    if (!is_whole && stage->from == 0) {
        return lbio_scefo_fail(
            s, reach->op->file, reach->op->line,
            "there is no way from the joint \"%.60s\" outwards to \"%.60s\"; is the linkage rooted on the "
            "other side?",
            s->objects[reach->joint].name, s->objects[reach->effector].name);
    }
    c.chain_start = is_whole ? joint : -1;
    double priority = lbio_scefo_number(s, &s->objects[reach->joint], "priority", stage->from, 0);
    if (!(priority >= 0 && priority <= 100 && priority == floor(priority)) && !s->status) {
        return lbio_scefo_fail(s, reach->op->file, reach->op->line, "a priority is 0 (the highest) to 100, not %g",
                               priority);
    }
    c.priority = (int)priority;
    c.disabled = !goes_on(s, stage, reach, number, is_whole);
    stage->reach_ids[number] = lb_problem_add(stage->problem, &c);
    return stage->reach_ids[number] < 0
               ? lbio_scefo_fail(s, reach->op->file, reach->op->line, "%s", lb_problem_error(stage->problem)->message)
               : LB_OK;
}

/* What holds a link as it was is not for the solver to move. */
static void hold_still(lbio_scefo_stage *stage, int number) {
    const lb_figure *figure = stage->figures[number];
    const int first = lb_problem_first_variable(stage->problem, number);
    for (int v = 0; v < lb_figure_variable_count(figure); v++) {
        const lb_dof_ref *ref = &lb_figure_variable(figure, v)->ref;
        if (ref->joint >= 0 && strstr(lb_figure_joint(figure, ref->joint)->name, LBIO_SCEFO_HELD)) {
            lb_problem_set_active(stage->problem, first + v, 0);
        }
    }
}

static lb_status make_problem(lbio_scefo *s, lbio_scefo_stage *stage) {
    int count = lbio_scefo_reaches(s, NULL, 0);
    lbio_scefo_reach *reaches = count >= 0 ? lbio_scefo_take(s, (size_t)(count + 1) * sizeof *reaches) : NULL;
    stage->problem = lb_problem_create(stage->figures[0], NULL);
    stage->reach_ids = calloc((size_t)(count < 0 ? 0 : count) + 1, sizeof *stage->reach_ids);
    if (s->status || !stage->problem || !stage->reach_ids || !reaches) {
        return s->status ? s->status : (s->status = lbio_fail(s->source, LB_ERROR_MEMORY, 0, "out of memory"));
    }
    for (int i = 1; i < stage->figure_count; i++) {
        if (lb_problem_add_figure(stage->problem, stage->figures[i]) < 0) {
            return s->status = lbio_fail(s->source, LB_ERROR_MEMORY, 0, "out of memory");
        }
    }
    for (int i = 0; i < stage->figure_count; i++) {
        lb_problem_set_root_active(stage->problem, i, 0);
        hold_still(stage, i);
    }
    lbio_scefo_reaches(s, reaches, count);
    for (int i = 0; i < count && !s->status; i++) {
        add_reach(s, stage, &reaches[i], i);
    }
    return s->status;
}

lb_status lbio_scefo_build(lbio_scefo *s, lbio_scefo_stage *stage) {
    size_t count = (size_t)s->object_count + 1;
    int **places[4] = {&stage->segment_figure, &stage->segment_index, &stage->joint_figure, &stage->joint_index};
    lbio_scefo_web w;
    stage->figures = calloc(count, sizeof *stage->figures);
    for (int i = 0; i < 4; i++) {
        *places[i] = malloc(count * sizeof **places[i]);
        for (size_t k = 0; *places[i] && k < count; k++) {
            (*places[i])[k] = -1;
        }
    }
    if (!stage->figures || !stage->segment_figure || !stage->segment_index || !stage->joint_figure ||
        !stage->joint_index) {
        return s->status = s->status ? s->status : lbio_fail(s->source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    if (lbio_scefo_weave(s, stage->from, &w)) {
        return s->status;
    }
    for (int i = 0; i < s->object_count && !s->status; i++) {
        if (w.part[i] == i || is_shown(&w, i)) {
            lb_figure *figure = make_figure(&w, i, w.part[i] < 0);
            if (figure) {
                stage->figures[stage->figure_count++] = figure;
                note_places(&w, stage, stage->figure_count - 1);
            }
        }
    }
    if (!s->status && stage->figure_count == 0) {
        return lbio_scefo_fail(s, s->source->name, 0, "the script has nothing to show: no object made by template");
    }
    return s->status ? s->status : make_problem(s, stage);
}
