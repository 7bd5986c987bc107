#include "same_figure.h"

#include <stdio.h>
#include <string.h>

static int differ(const char *what, int index) {
    fprintf(stderr, "figures differ in %s %d\n", what, index);
    return 0;
}

#define SAME_BITS(a, b) (memcmp(&(a), &(b), sizeof(a)) == 0)

static int same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static int same_type(const lb_joint_type *a, const lb_joint_type *b) {
    if (a->element_count != b->element_count) {
        return 0;
    }
    for (int i = 0; i < a->element_count; i++) {
        const lb_element *x = &a->elements[i], *y = &b->elements[i];
        if (x->kind != y->kind || (x->kind != LB_ELEMENT_ROTATION && !SAME_BITS(x->axis, y->axis))) {
            return 0;
        }
    }
    return 1;
}

static int same_joint(const lb_joint *a, const lb_joint *b) {
    if (!same_text(a->name, b->name) || a->site_a != b->site_a || a->site_b != b->site_b ||
        !same_type(&a->type, &b->type) || a->frozen != b->frozen || a->swing_count != b->swing_count) {
        return 0;
    }
    for (int i = 0; i < lb_joint_type_dof_count(&a->type); i++) {
        if (!same_text(a->dof_names[i], b->dof_names[i]) || !SAME_BITS(a->lower[i], b->lower[i]) ||
            !SAME_BITS(a->upper[i], b->upper[i]) || !SAME_BITS(a->rest[i], b->rest[i]) ||
            !SAME_BITS(a->rigidity[i], b->rigidity[i]) || !SAME_BITS(a->velocity[i], b->velocity[i]) ||
            !SAME_BITS(a->acceleration[i], b->acceleration[i])) {
            return 0;
        }
    }
    return a->swing_count == 0 || memcmp(a->swing, b->swing, (size_t)a->swing_count * sizeof *a->swing) == 0;
}

static int same_ref(const lb_dof_ref *a, const lb_dof_ref *b) {
    return a->joint == b->joint && (a->joint >= 0 ? a->dof == b->dof : a->parameter == b->parameter);
}

static int same_drive(const lb_drive *a, const lb_drive *b) {
    if (a->joint != b->joint || a->dof != b->dof || !same_ref(&a->source, &b->source) ||
        a->curve.kind != b->curve.kind) {
        return 0;
    }
    if (a->curve.kind == LB_CURVE_LINEAR) {
        return SAME_BITS(a->curve.offset, b->curve.offset) && SAME_BITS(a->curve.slope, b->curve.slope);
    }
    size_t size = (size_t)a->curve.count * sizeof(double);
    return a->curve.count == b->curve.count && memcmp(a->curve.x, b->curve.x, size) == 0 &&
           memcmp(a->curve.y, b->curve.y, size) == 0;
}

static int same_limit(const lb_limit *a, const lb_limit *b) {
    if (!same_text(a->name, b->name) || a->kind != b->kind || a->count != b->count || !SAME_BITS(a->bound, b->bound)) {
        return 0;
    }
    for (int i = 0; i < a->count; i++) {
        if (!same_ref(&a->terms[i], &b->terms[i]) || !SAME_BITS(a->coefficients[i], b->coefficients[i])) {
            return 0;
        }
    }
    return 1;
}

static int same_parameter(const lb_parameter *a, const lb_parameter *b) {
    return same_text(a->name, b->name) && a->group == b->group && a->is_angle == b->is_angle &&
           SAME_BITS(a->lower, b->lower) && SAME_BITS(a->upper, b->upper) && SAME_BITS(a->rest, b->rest) &&
           SAME_BITS(a->rigidity, b->rigidity);
}

static int same_segment(const lb_segment *a, const lb_segment *b) {
    return same_text(a->name, b->name) && SAME_BITS(a->mass, b->mass) && SAME_BITS(a->com, b->com);
}

static int same_site(const lb_site *a, const lb_site *b) {
    return same_text(a->name, b->name) && a->segment == b->segment && SAME_BITS(a->frame, b->frame);
}

static int same_shape(const lb_shape *a, const lb_shape *b) {
    return a->kind == b->kind && a->segment == b->segment && a->color == b->color && SAME_BITS(a->frame, b->frame) &&
           SAME_BITS(a->size, b->size);
}

static int same_group(const lb_group *a, const lb_group *b) { return same_text(a->name, b->name); }

static int same_variable(const lb_variable *a, const lb_variable *b) {
    return same_text(a->name, b->name) && a->is_angle == b->is_angle && SAME_BITS(a->lower, b->lower) &&
           SAME_BITS(a->upper, b->upper) && SAME_BITS(a->rest, b->rest);
}

static int same_row(const lb_limit_row *a, const lb_limit_row *b) {
    return same_text(a->name, b->name) && a->kind == b->kind && a->count == b->count && SAME_BITS(a->bound, b->bound) &&
           memcmp(a->variables, b->variables, (size_t)a->count * sizeof *a->variables) == 0 &&
           memcmp(a->coefficients, b->coefficients, (size_t)a->count * sizeof *a->coefficients) == 0;
}

#define SAME_LIST(a, b, list, count) \
    ((count) == 0 || memcmp((a)->list, (b)->list, (size_t)(count) * sizeof *(a)->list) == 0)

static int same_sum(const lb_body_ease *a, const lb_body_ease *b) {
    return same_text(a->name, b->name) && a->count == b->count && SAME_BITS(a->bound, b->bound) &&
           SAME_BITS(a->weight, b->weight) && SAME_LIST(a, b, variables, a->count) &&
           SAME_LIST(a, b, coefficients, a->count);
}

static int same_start(const lb_body_start *a, const lb_body_start *b) {
    return same_text(a->name, b->name) && a->count == b->count && SAME_LIST(a, b, variables, a->count) &&
           SAME_LIST(a, b, values, a->count);
}

static int same_solid(const lb_body_solid *a, const lb_body_solid *b) {
    return same_text(a->name, b->name) && a->segment == b->segment && SAME_BITS(a->from, b->from) &&
           SAME_BITS(a->to, b->to) && SAME_BITS(a->radius, b->radius);
}

static int same_contact(const lb_body_contact *a, const lb_body_contact *b) {
    return same_text(a->name, b->name) && a->segment == b->segment && a->kind == b->kind && a->limb == b->limb &&
           SAME_BITS(a->radius, b->radius) && SAME_BITS(a->point, b->point);
}

static int same_strength(const lb_body_strength *a, const lb_body_strength *b) {
    return same_text(a->name, b->name) && a->segment == b->segment && SAME_BITS(a->moment, b->moment) &&
           a->by_axis == b->by_axis;
}

static int same_arm(const lb_body_arm *a, const lb_body_arm *b) {
    return same_text(a->name, b->name) && a->limb == b->limb && a->shoulder == b->shoulder && a->hand == b->hand &&
           a->palm == b->palm && a->lap == b->lap && SAME_BITS(a->lap_point, b->lap_point);
}

#define SAME_BODY_PARTS(part, same)                            \
    if (a->part##_count != b->part##_count) {                  \
        return differ("the count of " #part, b->part##_count); \
    }                                                          \
    for (int i = 0; i < a->part##_count; i++) {                \
        if (!same(&a->part##s[i], &b->part##s[i])) {           \
            return differ(#part, i);                           \
        }                                                      \
    }

static int same_body(const lb_body *a, const lb_body *b) {
    if (!a || !b) {
        return a == b || differ("having a body", 0);
    }
    if (a->variable_count != b->variable_count || !SAME_LIST(a, b, variables, a->variable_count)) {
        return differ("the weights of the body", 0);
    }
    SAME_BODY_PARTS(solid, same_solid)
    SAME_BODY_PARTS(contact, same_contact)
    SAME_BODY_PARTS(strength, same_strength)
    SAME_BODY_PARTS(arm, same_arm)
    SAME_BODY_PARTS(ease, same_sum)
    SAME_BODY_PARTS(start, same_start)
    if (a->head != b->head || a->gaze != b->gaze || a->eye_count != b->eye_count ||
        !SAME_LIST(a, b, eyes, a->eye_count)) {
        return differ("head, gaze or eyes", 0);
    }
    return 1;
}

#define SAME_PARTS(part)                                                        \
    do {                                                                        \
        if (lb_figure_##part##_count(a) != lb_figure_##part##_count(b)) {       \
            return differ("the count of " #part, lb_figure_##part##_count(b));  \
        }                                                                       \
        for (int i = 0; i < lb_figure_##part##_count(a); i++) {                 \
            if (!same_##part(lb_figure_##part(a, i), lb_figure_##part(b, i))) { \
                return differ(#part, i);                                        \
            }                                                                   \
        }                                                                       \
    } while (0)

int same_figure(const lb_figure *a, const lb_figure *b) {
    const lb_root *p = lb_figure_root(a), *q = lb_figure_root(b);
    double stature_a = lb_figure_stature(a), stature_b = lb_figure_stature(b);
    if (!same_text(lb_figure_name(a), lb_figure_name(b)) || !SAME_BITS(stature_a, stature_b)) {
        return differ("name or stature", 0);
    }
    SAME_PARTS(segment);
    SAME_PARTS(site);
    SAME_PARTS(shape);
    SAME_PARTS(joint);
    SAME_PARTS(group);
    SAME_PARTS(parameter);
    SAME_PARTS(drive);
    SAME_PARTS(limit);
    SAME_PARTS(variable);
    SAME_PARTS(row);
    if (p->segment != q->segment || p->site != q->site || p->is_free != q->is_free ||
        !SAME_BITS(p->placement, q->placement)) {
        return differ("the root", 0);
    }
    return same_body(lb_figure_body(a), lb_figure_body(b));
}
