#include "figure/body.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#include "figure/build/builder.h"
#include "figure/figure.h"
#include "figure/sized.h"
#include "math/strict.h"

static const lbf_sized body_size = LBF_SIZED(lb_body, eyes);

void lb_body_defaults_sized(lb_body *body, size_t struct_size) {
    const lb_body made = {.head = -1, .gaze = -1};
    lbf_default_sized(&body_size, &made, body, struct_size);
}

static const char *const kind_names[] = {"heel", "ball", "toe", "knee", "seat", "palm", "elbow"};
#define KIND_COUNT ((int)(sizeof kind_names / sizeof *kind_names))

const char *lb_contact_kind_name(lb_contact_kind kind) {
    return (int)kind >= 0 && (int)kind < KIND_COUNT ? kind_names[kind] : "";
}

int lb_contact_kind_find(const char *name) {
    for (int i = 0; name && i < KIND_COUNT; i++) {
        if (strcmp(name, kind_names[i]) == 0) {
            return i;
        }
    }
    return -1;
}

const lb_body *lb_figure_body(const lb_figure *figure) { return figure ? figure->draft.body : NULL; }

/* --- Copying ------------------------------------------------------------------------------------------------------------ */

/* Copies into the draft's arena, all or nothing. */
typedef struct copier {
    lbf_draft *draft;
    int ok;
} copier;

static void *copy(copier *c, const void *data, int count, size_t size) {
    if (count <= 0) {
        return NULL;
    }
    void *made = lbf_arena_copy(&c->draft->arena, &c->draft->allocator, data, (size_t)count * size);
    c->ok &= made != NULL;
    return made;
}

static const char *copy_name(copier *c, const char *name) {
    const char *made = lbf_arena_text(&c->draft->arena, &c->draft->allocator, name ? name : "", NULL, NULL);
    c->ok &= made != NULL;
    return made;
}

/* Copies an array of parts and their names. */
#define COPY_NAMED(part)                                                                  \
    made->part##s = copy(&c, body->part##s, body->part##_count, sizeof *body->part##s);   \
    for (int i = 0; c.ok && i < body->part##_count; i++) {                                \
        ((lb_body_##part *)made->part##s)[i].name = copy_name(&c, body->part##s[i].name); \
    }

lb_body *lbf_copy_body(lbf_draft *draft, const lb_body *body) {
    copier c = {draft, 1};
    lb_body *made = copy(&c, body, 1, sizeof *body);
    if (!made) {
        return NULL;
    }
    made->variables = copy(&c, body->variables, body->variable_count, sizeof *body->variables);
    made->eyes = copy(&c, body->eyes, body->eye_count, sizeof *body->eyes);
    COPY_NAMED(solid)
    COPY_NAMED(contact)
    COPY_NAMED(strength)
    COPY_NAMED(arm)
    COPY_NAMED(ease)
    COPY_NAMED(start)
    for (int i = 0; c.ok && i < body->ease_count; i++) {
        lb_body_ease *ease = (lb_body_ease *)&made->eases[i];
        ease->variables = copy(&c, ease->variables, ease->count, sizeof *ease->variables);
        ease->coefficients = copy(&c, ease->coefficients, ease->count, sizeof *ease->coefficients);
    }
    for (int i = 0; c.ok && i < body->start_count; i++) {
        lb_body_start *start = (lb_body_start *)&made->starts[i];
        start->variables = copy(&c, start->variables, start->count, sizeof *start->variables);
        start->values = copy(&c, start->values, start->count, sizeof *start->values);
    }
    return c.ok ? made : NULL;
}

static void scale(const double v[3], double factor) {
    for (int c = 0; c < 3; c++) {
        ((double *)v)[c] *= factor;
    }
}

/* Parameters are not scaled, whatever they measure. */
static int is_length(const lbf_draft *draft, int variable) {
    const lb_dof_ref *ref = &draft->body_refs[variable];
    return ref->joint >= 0 ? !lb_joint_type_is_angle(&draft->joints[ref->joint].type, ref->dof)
                           : ref->parameter < 0 && ref->dof < 3;
}

/* Costs stay as they are: a weight is one of a share of the size. */
static void scale_variables(const lbf_draft *draft, double factor) {
    const lb_body *body = draft->body;
    for (int i = 0; i < body->variable_count; i++) {
        lb_body_variable *variable = (lb_body_variable *)&body->variables[i];
        if (is_length(draft, i)) {
            variable->weight /= factor;
            variable->huber *= factor;
        }
    }
    for (int i = 0; i < body->start_count; i++) {
        const lb_body_start *start = &body->starts[i];
        for (int k = 0; k < start->count; k++) {
            ((double *)start->values)[k] *= is_length(draft, start->variables[k]) ? factor : 1;
        }
    }
    for (int i = 0; i < body->ease_count; i++) {
        const lb_body_ease *ease = &body->eases[i];
        for (int k = 0; k < ease->count; k++) {
            ((double *)ease->coefficients)[k] /= is_length(draft, ease->variables[k]) ? factor : 1;
        }
    }
}

void lbf_scale_body(lbf_draft *draft, double length_factor, double mass_factor) {
    lb_body *body = draft->body;
    if (!body) {
        return;
    }
    scale_variables(draft, length_factor);
    scale(draft->body_axes.position, length_factor);
    for (int i = 0; i < body->solid_count; i++) {
        lb_body_solid *solid = (lb_body_solid *)&body->solids[i];
        scale(solid->from, length_factor);
        scale(solid->to, length_factor);
        solid->radius *= length_factor;
    }
    for (int i = 0; i < body->contact_count; i++) {
        scale(body->contacts[i].point, length_factor);
        ((lb_body_contact *)body->contacts)[i].radius *= length_factor;
    }
    for (int i = 0; i < body->arm_count; i++) {
        scale(body->arms[i].lap_point, length_factor);
    }
    for (int i = 0; i < body->strength_count; i++) {
        ((lb_body_strength *)body->strengths)[i].moment *= length_factor * mass_factor;
    }
}

/* --- Another root ------------------------------------------------------------------------------------------------------ */

int lbf_floating_joint(const lb_figure *f) {
    static const lb_element_kind kinds[4] = {LB_ELEMENT_TRANSLATE, LB_ELEMENT_TRANSLATE, LB_ELEMENT_TRANSLATE,
                                             LB_ELEMENT_ROTATION};
    const int joint = f->root_coordinates == 0 && f->variable_count >= 6 ? f->variables[0].ref.joint : -1;
    int floats = joint >= 0 && f->draft.joints[joint].type.element_count == 4;
    for (int e = 0; e < 4 && floats; e++) {
        const lb_element *element = &f->draft.joints[joint].type.elements[e];
        floats = element->kind == kinds[e] && (e == 3 || element->axis[e] == 1);
    }
    for (int i = 0; i < 6 && floats; i++) {
        floats = f->variables[i].ref.joint == joint && f->variables[i].ref.dof == i;
    }
    return floats && f->draft.sites[f->draft.joints[joint].site_a].segment == f->draft.root.segment ? joint : -1;
}

int lbf_move_whole(const lb_figure *f, const double v[3], double *pose) {
    const int joint = lbf_floating_joint(f);
    lb_frame world = f->draft.root.placement, inverse;
    if (joint < 0 && f->root_coordinates != 6) {
        return 0;
    }
    if (joint < 0) {
        lb_frame_identity(&world);
    } else {
        if (f->draft.root.site >= 0) {
            lb_frame_invert(&f->draft.sites[f->draft.root.site].frame, &inverse);
            lb_frame_multiply(&world, &inverse, &world);
        }
        lb_frame_multiply(&world, &f->draft.sites[f->draft.joints[joint].site_a].frame, &world);
    }
    double m[9];
    lb_rotation_to_matrix(world.rotation, m);
    for (int c = 0; c < 3; c++) {
        pose[c] += m[c] * v[0] + m[3 + c] * v[1] + m[6 + c] * v[2];
    }
    return 1;
}

/* The segment that carries the body's axes, and where in it they are. */
static void find_body_root(lb_figure *f) {
    lbf_draft *d = &f->draft;
    const int joint = lbf_floating_joint(f);
    const int site = joint >= 0 ? d->joints[joint].site_b : d->root.site;
    d->body_root = joint >= 0 ? d->sites[site].segment : d->root.segment;
    lb_frame_identity(&d->body_axes);
    if (site >= 0) {
        d->body_axes = d->sites[site].frame;
    }
}

/* The number of an old variable in the new figure; -1: it is gone. */
static int find_new(const lb_figure *f, const lb_dof_ref *was) {
    for (int i = 0; i < f->variable_count; i++) {
        const lb_dof_ref *is = &f->variables[i].ref;
        if (was->joint == is->joint && was->dof == is->dof && was->parameter == is->parameter) {
            return i;
        }
    }
    return -1;
}

/* Leaves out what is gone; returns how many are left. */
static int renumber(const int *numbers, int count, int *variables, double *values) {
    int left = 0;
    for (int i = 0; i < count; i++) {
        if (numbers[variables[i]] >= 0) {
            variables[left] = numbers[variables[i]];
            values[left++] = values[i];
        }
    }
    return left;
}

lb_status lbf_fit_body(lb_figure *figure, lb_error *error) {
    lbf_draft *draft = &figure->draft;
    lb_body *body = draft->body;
    const int count = body ? body->variable_count : 0;
    int found = 0, is_root = figure->root_coordinates, same = count == figure->variable_count;
    if (!body) {
        return LB_OK;
    }
    int *numbers = lbf_figure_take(figure, (size_t)count + 1, sizeof *numbers);
    lb_body_variable *weights = lbf_figure_take(figure, (size_t)figure->variable_count + 1, sizeof *weights);
    lb_dof_ref *refs = lbf_figure_take(figure, (size_t)figure->variable_count + 1, sizeof *refs);
    if (!numbers || !weights || !refs) {
        return lbf_no_memory(error);
    }
    for (int i = 0; i < count; i++) {
        numbers[i] = find_new(figure, &draft->body_refs[i]);
        same &= numbers[i] == i;
        found += numbers[i] >= is_root;
        if (numbers[i] >= 0) {
            weights[numbers[i]] = body->variables[i];
        }
    }
    if (same) {
        return LB_OK;
    }
    if (found != figure->variable_count - is_root) { /* variables that the body does not know */
        draft->body = NULL;
        return LB_OK;
    }
    for (int i = 0; i < figure->variable_count; i++) {
        refs[i] = figure->variables[i].ref;
    }
    for (int i = 0; i < body->start_count; i++) {
        lb_body_start *start = (lb_body_start *)&body->starts[i];
        start->count = renumber(numbers, start->count, (int *)start->variables, (double *)start->values);
    }
    lb_body_ease *eases = (lb_body_ease *)body->eases;
    int left = 0;
    for (int i = 0; i < body->ease_count; i++) {
        const int had = eases[i].count;
        eases[i].count = renumber(numbers, had, (int *)eases[i].variables, (double *)eases[i].coefficients);
        if (eases[i].count == had) { /* one over half of a limb's joints would mean another thing */
            eases[left++] = eases[i];
        }
    }
    body->ease_count = left;
    body->variable_count = figure->variable_count;
    body->variables = weights;
    draft->body_refs = refs;
    return LB_OK;
}

/* --- Checking ----------------------------------------------------------------------------------------------------------- */

/* What a body is checked against. */
typedef struct checker {
    const lb_figure *figure;
    const char *wrong; /* what is wrong; NULL: nothing so far */
} checker;

static void want(checker *c, int is_right, const char *wrong) {
    if (!is_right && !c->wrong) {
        c->wrong = wrong;
    }
}

static void want_segment(checker *c, int segment, int may_lack) {
    want(c, (may_lack && segment == -1) || (segment >= 0 && segment < c->figure->draft.segment_count),
         "names a segment that the figure does not have");
}

static void want_site(checker *c, int site) {
    want(c, site >= -1 && site < c->figure->draft.site_count, "names a site that the figure does not have");
}

static void want_point(checker *c, const double point[3]) {
    want(c, lbm_all_finite(point, 3), "has a point that is not finite");
}

static void want_weight(checker *c, double weight) {
    want(c, lbm_is_finite(weight) && weight >= 0, "has a weight, radius or strength that is negative or not finite");
}

static void want_values(checker *c, int count, const int *variables, const double *values) {
    want(c, count >= 0 && (count == 0 || (variables && values && lbm_all_finite(values, count))),
         "has a value that is not finite");
    for (int i = 0; !c->wrong && i < count; i++) {
        want(c, variables[i] >= 0 && variables[i] < c->figure->variable_count,
             "names a variable that the figure does not have");
    }
}

static void want_limb(checker *c, int limb) {
    want(c, limb >= -1 && limb < LB_BODY_LIMBS, "has a limb whose number is too large");
}

/* Names are there and differ: a file could not say it otherwise. */
#define WANT_NAMES(c, part)                                                                  \
    for (int i = 0; !(c)->wrong && i < b->part##_count; i++) {                               \
        want((c), b->part##s[i].name && b->part##s[i].name[0], "has a part without a name"); \
        for (int k = 0; !(c)->wrong && k < i; k++) {                                         \
            want((c), strcmp(b->part##s[i].name, b->part##s[k].name) != 0,                   \
                 "has two parts of one kind and the same name");                             \
        }                                                                                    \
    }

static void check_names(checker *c, const lb_body *b) {
    WANT_NAMES(c, solid)
    WANT_NAMES(c, contact)
    WANT_NAMES(c, strength)
    WANT_NAMES(c, arm)
    WANT_NAMES(c, ease)
    WANT_NAMES(c, start)
}

/* No variable has two values. */
static void check_start(checker *c, const lb_body_start *start) {
    want_values(c, start->count, start->variables, start->values);
    want(c, start->count <= c->figure->variable_count, "has a start that sets a variable twice");
    for (int i = 0; !c->wrong && i < start->count; i++) {
        for (int k = 0; k < i; k++) {
            want(c, start->variables[i] != start->variables[k], "has a start that sets a variable twice");
        }
    }
}

/* Whether a joint with one dof carries a segment. */
static int is_drive(const lb_figure *figure, int segment) {
    const int joint = lb_figure_parent_joint(figure, segment);
    return joint >= 0 && figure->draft.joints[joint].type.element_count == 1 && !figure->draft.joints[joint].frozen &&
           lb_joint_type_dof_count(&figure->draft.joints[joint].type) == 1;
}

static void check_parts(checker *c, const lb_body *b) {
    for (int i = 0; !c->wrong && i < b->variable_count; i++) {
        want_weight(c, b->variables[i].weight);
        want_weight(c, b->variables[i].huber);
        want_weight(c, b->variables[i].comfort);
    }
    for (int i = 0; !c->wrong && i < b->solid_count; i++) {
        want_segment(c, b->solids[i].segment, 0);
        want_point(c, b->solids[i].from);
        want_point(c, b->solids[i].to);
        want_weight(c, b->solids[i].radius);
    }
    for (int i = 0; !c->wrong && i < b->contact_count; i++) {
        want_segment(c, b->contacts[i].segment, 0);
        want_point(c, b->contacts[i].point);
        want_weight(c, b->contacts[i].radius);
        want_limb(c, b->contacts[i].limb);
        want(c, (int)b->contacts[i].kind >= 0 && (int)b->contacts[i].kind < KIND_COUNT,
             "has a contact of no known kind");
    }
    for (int i = 0; !c->wrong && i < b->strength_count; i++) {
        want_segment(c, b->strengths[i].segment, 0);
        want_weight(c, b->strengths[i].moment);
        want(c, b->strengths[i].moment > 0, "has a joint without strength");
        want(c, !b->strengths[i].by_axis || c->wrong || is_drive(c->figure, b->strengths[i].segment),
             "has the strength of a drive where no joint with one dof is");
    }
    for (int i = 0; !c->wrong && i < b->arm_count; i++) {
        want_segment(c, b->arms[i].shoulder, 0);
        want_segment(c, b->arms[i].hand, 0);
        want_segment(c, b->arms[i].lap, 1);
        want_site(c, b->arms[i].palm);
        want_point(c, b->arms[i].lap_point);
        want_limb(c, b->arms[i].limb);
    }
    for (int i = 0; !c->wrong && i < b->ease_count; i++) {
        want_values(c, b->eases[i].count, b->eases[i].variables, b->eases[i].coefficients);
        want(c, b->eases[i].count > 0, "has an ease of no variable");
        want(c, lbm_is_finite(b->eases[i].bound), "has a bound that is not finite");
        want_weight(c, b->eases[i].weight);
    }
    for (int i = 0; !c->wrong && i < b->start_count; i++) {
        check_start(c, &b->starts[i]);
    }
}

static void check_body(checker *c, const lb_body *b) {
    const int counts[] = {b->variable_count, b->solid_count, b->contact_count, b->strength_count,
                          b->arm_count,      b->ease_count,  b->start_count,   b->eye_count};
    const void *const lists[] = {b->variables, b->solids, b->contacts, b->strengths,
                                 b->arms,      b->eases,  b->starts,   b->eyes};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++) {
        want(c, counts[i] >= 0 && counts[i] <= LB_BODY_PARTS && (counts[i] == 0 || lists[i]),
             "has a list that is missing or too long");
    }
    want(c, b->variable_count == 0 || b->variable_count == c->figure->variable_count,
         "has weights for another number of variables than the figure has");
    want_segment(c, b->head, 1);
    want_site(c, b->gaze);
    for (int i = 0; !c->wrong && i < b->eye_count; i++) {
        want_segment(c, b->eyes[i], 0);
    }
    if (!c->wrong) {
        check_parts(c, b);
        check_names(c, b);
    }
}

lb_status lb_figure_set_body(lb_figure *figure, const lb_body *body, lb_error *error) {
    if (!figure || !body) {
        return lbf_refuse(error, LB_ERROR_ARGUMENT, "there is no figure, or no body");
    }
    lb_body taken = {.head = -1, .gaze = -1};
    lb_status status = lbf_take_sized(&body_size, body, &taken, error);
    if (status) {
        return status;
    }
    checker c = {figure, NULL};
    check_body(&c, &taken);
    if (c.wrong) {
        return lbf_fail(error, LB_ERROR_ARGUMENT, "the body ", c.wrong, (char *)0);
    }
    lbf_draft *draft = &figure->draft;
    size_t count = (size_t)figure->variable_count;
    lb_body_variable *weights = lbf_arena_take(&draft->arena, &draft->allocator, (count + 1) * sizeof *weights);
    lb_dof_ref *refs = lbf_arena_take(&draft->arena, &draft->allocator, (count + 1) * sizeof *refs);
    if (!weights || !refs) {
        return lbf_refuse(error, LB_ERROR_MEMORY, "out of memory");
    }
    memset(weights, 0, (count + 1) * sizeof *weights);
    for (size_t i = 0; i < count; i++) {
        refs[i] = figure->variables[i].ref;
    }
    if (taken.variable_count == 0) {
        taken.variable_count = figure->variable_count;
        taken.variables = weights;
    }
    lb_body *made = lbf_copy_body(draft, &taken);
    if (!made) {
        return lbf_refuse(error, LB_ERROR_MEMORY, "out of memory");
    }
    draft->body = made;
    draft->body_refs = refs;
    find_body_root(figure);
    lbf_clear(error);
    return LB_OK;
}
