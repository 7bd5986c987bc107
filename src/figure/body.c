#include "figure/body.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

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
    for (int i = 0; i < body->solid_count; i++) {
        lb_body_solid *solid = (lb_body_solid *)&body->solids[i];
        scale(solid->from, length_factor);
        scale(solid->to, length_factor);
        solid->radius *= length_factor;
    }
    for (int i = 0; i < body->contact_count; i++) {
        scale(body->contacts[i].point, length_factor);
    }
    for (int i = 0; i < body->arm_count; i++) {
        scale(body->arms[i].lap_point, length_factor);
    }
    for (int i = 0; i < body->strength_count; i++) {
        ((lb_body_strength *)body->strengths)[i].moment *= length_factor * mass_factor;
    }
}

void lbf_check_body(lb_figure *figure) {
    lbf_draft *draft = &figure->draft;
    int same = draft->body && draft->body->variable_count == figure->variable_count;
    for (int i = 0; same && i < figure->variable_count; i++) {
        const lb_dof_ref *was = &draft->body_refs[i], *is = &figure->variables[i].ref;
        same = was->joint == is->joint && was->dof == is->dof && was->parameter == is->parameter;
    }
    if (!same) {
        draft->body = NULL;
    }
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
        want_limb(c, b->contacts[i].limb);
        want(c, (int)b->contacts[i].kind >= 0 && (int)b->contacts[i].kind < KIND_COUNT,
             "has a contact of no known kind");
    }
    for (int i = 0; !c->wrong && i < b->strength_count; i++) {
        want_segment(c, b->strengths[i].segment, 0);
        want_weight(c, b->strengths[i].moment);
        want(c, b->strengths[i].moment > 0, "has a joint without strength");
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
    lbf_clear(error);
    return LB_OK;
}
