/* The body of a legged figure: its feet as contacts, its drives as strengths, its links as solids, what moving
 * costs. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "io/rotation.h"
#include "io/stand/stand.h"

#define NAME_SIZE 128
#define MOST_CONTACTS (LBIO_MOST_LEGS * (LBIO_MOST_POINTS + 1))
#define MOST_SOLIDS 40

#define HUBER 0.34906585039886592 /* 20 degrees: knees are dear at first and cheap later */
#define HUMAN_LEG 0.9             /* metres: the leg that weights of lengths are for */
#define TRUNK_SHARE 0.25          /* of the mass: a joint that carries so much is one of the trunk */

typedef struct shaper {
    const lbio_stander *s;
    const lb_figure *figure;
    const lbio_stance *stance;
    lb_body body;
    lb_body_variable *variables;
    lb_body_contact contacts[MOST_CONTACTS];
    lb_body_solid solids[MOST_SOLIDS];
    lb_body_strength *strengths; /* [joint] */
    lb_body_start starts[2];
    int *crouch_variables;
    double *crouch_values;
    char names[MOST_CONTACTS + MOST_SOLIDS][NAME_SIZE];
    int name_count;
} shaper;

static const char *make_name(shaper *h, int segment, const char *ending, int number) {
    char *name = h->names[h->name_count++];
    const char *base = lb_figure_segment(h->figure, segment)->name;
    if (number > 0) {
        snprintf(name, NAME_SIZE, "%.100s%s_%d", base, ending, number);
    } else {
        snprintf(name, NAME_SIZE, "%.100s%s", base, ending);
    }
    return name;
}

/* --- Contacts --------------------------------------------------------------------------------------- */

static void add_contact(shaper *h, const lbio_foot_point *point, lb_contact_kind kind, int limb, const char *name) {
    lb_body_contact *contact = &h->contacts[h->body.contact_count++];
    *contact =
        (lb_body_contact){.name = name, .kind = kind, .limb = limb, .segment = point->segment, .radius = point->radius};
    memcpy(contact->point, point->at, sizeof contact->point);
}

static void add_contacts(shaper *h) {
    for (int i = 0; i < h->s->leg_count; i++) {
        const lbio_leg *leg = &h->s->legs[i];
        if (leg->has_heel) {
            add_contact(h, &leg->heel, LB_CONTACT_HEEL, i, make_name(h, leg->heel.segment, "_heel", 0));
        }
        for (int k = 0; k < leg->point_count; k++) {
            const int segment = leg->points[k].segment;
            add_contact(h, &leg->points[k], LB_CONTACT_BALL, i,
                        make_name(h, segment, "", leg->point_count > 1 ? k + 1 : 0));
        }
    }
}

/* --- Strengths -------------------------------------------------------------------------------------- */

static void add_strengths(shaper *h) {
    const lb_figure *f = h->figure;
    for (int i = 0; i < lb_figure_segment_count(f) && h->body.strength_count < LB_BODY_PARTS; i++) {
        const int number = lb_figure_parent_joint(f, i);
        const lb_joint *joint = number >= 0 ? lb_figure_joint(f, number) : NULL;
        const lb_dof_ref ref = {number, 0, -1};
        if (!joint || lb_joint_type_dof_count(&joint->type) != 1 || lb_figure_variable_of(f, &ref) < 0 ||
            !isfinite(joint->effort[0]) || (h->stance->is_weak && h->stance->is_weak[number])) {
            continue;
        }
        h->strengths[h->body.strength_count++] =
            (lb_body_strength){.name = joint->name, .segment = i, .moment = joint->effort[0], .by_axis = 1};
    }
}

/* --- Solids ----------------------------------------------------------------------------------------- */

/* The largest capsule along a shape's longest axis that is inside of it. Returns its volume, about. */
static double capsule_in(const lb_shape *shape, double from[3], double to[3], double *radius) {
    double half[3] = {shape->size[0], shape->size[1], shape->size[2]}, middle[3] = {0, 0, 0};
    if (shape->kind == LB_SHAPE_SPHERE) {
        half[1] = half[2] = half[0];
    } else if (shape->kind == LB_SHAPE_CAPSULE || shape->kind == LB_SHAPE_CYLINDER) {
        const double thick = shape->kind == LB_SHAPE_CAPSULE ? fmin(shape->size[0], shape->size[2]) : shape->size[0];
        half[2] = shape->size[1] + (shape->kind == LB_SHAPE_CAPSULE ? thick : 0);
        half[0] = half[1] = thick;
    } else if (shape->kind == LB_SHAPE_HULL) {
        for (int c = 0; c < 3; c++) {
            double lower = INFINITY, upper = -INFINITY;
            for (int i = 0; i < shape->vertex_count; i++) {
                lower = fmin(lower, shape->vertices[i][c]);
                upper = fmax(upper, shape->vertices[i][c]);
            }
            middle[c] = (lower + upper) / 2;
            half[c] = (upper - lower) / 2;
        }
    }
    const int axis = half[0] >= half[1] && half[0] >= half[2] ? 0 : half[1] >= half[2] ? 1 : 2;
    *radius = fmin(half[(axis + 1) % 3], half[(axis + 2) % 3]);
    for (int end = 0; end < 2; end++) {
        double at[3], *out = end ? to : from;
        memcpy(at, middle, sizeof at);
        at[axis] += (end ? 1 : -1) * (half[axis] - *radius);
        lbio_rotation_apply(shape->frame.rotation, at, out);
        for (int c = 0; c < 3; c++) {
            out[c] += shape->frame.position[c];
        }
    }
    return half[axis] * *radius * *radius;
}

static int is_foot(const lbio_stander *s, int head) {
    for (int i = 0; i < s->leg_count; i++) {
        for (int k = 0; k < s->legs[i].end_count; k++) {
            if (s->legs[i].ends[k] == head) {
                return 1;
            }
        }
        if (s->legs[i].has_heel && s->heads[s->legs[i].heel.segment] == head) {
            return 1;
        }
    }
    return 0;
}

/* One for each part that moves as one: what is largest of it. Feet stand on the floor anyway. */
static void add_solids(shaper *h) {
    const lbio_stander *s = h->s;
    for (int head = 0; head < s->count && h->body.solid_count < MOST_SOLIDS; head++) {
        lb_body_solid best = {0};
        double most = 0;
        for (int i = 0; i < lb_figure_shape_count(h->figure) && s->heads[head] == head; i++) {
            const lb_shape *shape = lb_figure_shape(h->figure, i);
            lb_body_solid made = {.segment = shape->segment};
            const double volume = capsule_in(shape, made.from, made.to, &made.radius);
            if (s->heads[shape->segment] == head && shape->use != LB_SHAPE_USE_DRAWN &&
                shape->kind != LB_SHAPE_HALF_SPACE && volume > most) {
                best = made;
                most = volume;
            }
        }
        if (most > 0 && !is_foot(s, head)) {
            best.name = make_name(h, best.segment, "", 0);
            h->solids[h->body.solid_count++] = best;
        }
    }
}

/* --- What moving costs ------------------------------------------------------------------------------ */

static int hangs_on(const lb_figure *f, int segment, int above) {
    while (segment >= 0 && segment != above) {
        segment = lb_figure_parent_segment(f, segment);
    }
    return segment >= 0;
}

static double mass_on(const lb_figure *f, int segment) {
    double sum = 0;
    for (int i = 0; i < lb_figure_segment_count(f); i++) {
        sum += hangs_on(f, i, segment) ? lb_figure_segment(f, i)->mass : 0;
    }
    return sum;
}

static int child_of(const lb_figure *f, int joint) {
    for (int i = 0; i < lb_figure_segment_count(f) && joint >= 0; i++) {
        if (lb_figure_parent_joint(f, i) == joint) {
            return i;
        }
    }
    return -1;
}

static double leg_length(const lbio_stander *s) {
    double sum = 0;
    for (int i = 0; i < s->leg_count; i++) {
        sum += (s->legs[i].hip[2] - s->legs[i].sole[2]) / s->leg_count;
    }
    return sum;
}

static void weigh(shaper *h) {
    static const double root[2][6] = {{0.3, 0.5, 0.5, 1.6, 0.8, 0.6}, {0.3, 0.3, 0.5, 0.9, 0.9, 0.6}};
    const lb_figure *f = h->figure;
    const double scale = leg_length(h->s) / HUMAN_LEG;
    for (int i = 0; i < lb_figure_variable_count(f); i++) {
        const lb_variable *v = lb_figure_variable(f, i);
        lb_body_variable *made = &h->variables[i];
        const int segment = child_of(f, v->ref.joint);
        int is_leg = 0;
        for (int k = 0; k < h->s->leg_count && segment >= 0; k++) {
            is_leg |= hangs_on(f, segment, h->s->legs[k].first);
        }
        if (i < 6) {
            made->weight = root[h->s->leg_count > 2][i] / (i < 3 ? scale : 1);
        } else if (is_leg) {
            *made = (lb_body_variable){.weight = 0.4, .huber = v->is_angle ? HUBER : 0, .comfort = 0.8};
        } else if (segment >= 0 && mass_on(f, segment) > TRUNK_SHARE * lb_figure_mass(f)) {
            *made = (lb_body_variable){.weight = 0.8, .comfort = 0.8};
        } else {
            *made = (lb_body_variable){.weight = 0.3, .comfort = 0.4};
        }
        made->weight /= i >= 6 && !v->is_angle && scale > 0 ? scale : 1;
    }
}

/* --- The whole --------------------------------------------------------------------------------------- */

/* The first start is the stance itself. */
static void add_starts(shaper *h) {
    const lb_figure *f = h->figure;
    h->starts[h->body.start_count++] = (lb_body_start){.name = "stance"};
    if (h->stance->crouch) {
        int count = 0;
        for (int i = 0; i < lb_figure_variable_count(f); i++) {
            const double rest = lb_figure_variable(f, i)->rest, value = h->stance->crouch[i];
            if (i < 3 ? value != rest : i >= 6 && value != rest) {
                h->crouch_variables[count] = i;
                h->crouch_values[count++] = i < 3 ? value - rest : value;
            }
        }
        h->starts[h->body.start_count++] = (lb_body_start){
            .name = "crouch", .count = count, .variables = h->crouch_variables, .values = h->crouch_values};
    }
}

lb_status lbio_stand_set_body(const lbio_stander *s, const lbio_stance *stance, lb_figure *figure, lb_error *error) {
    const size_t variables = (size_t)lb_figure_variable_count(figure) + 1;
    shaper *h = calloc(1, sizeof *h);
    lb_status status = LB_ERROR_MEMORY;
    if (h) {
        h->s = s, h->figure = figure, h->stance = stance;
        h->variables = calloc(variables, sizeof *h->variables);
        h->strengths = calloc((size_t)lb_figure_segment_count(figure) + 1, sizeof *h->strengths);
        h->crouch_variables = calloc(variables, sizeof *h->crouch_variables);
        h->crouch_values = calloc(variables, sizeof *h->crouch_values);
    }
    if (h && h->variables && h->strengths && h->crouch_variables && h->crouch_values) {
        lb_body_defaults(&h->body);
        weigh(h);
        add_contacts(h);
        add_strengths(h);
        add_solids(h);
        add_starts(h);
        h->body.variable_count = (int)variables - 1;
        h->body.variables = h->variables;
        h->body.contacts = h->contacts;
        h->body.strengths = h->strengths;
        h->body.solids = h->solids;
        h->body.starts = h->starts;
        status = lb_figure_set_body(figure, &h->body, error);
    } else {
        lbio_error(error, status, "", 0, "out of memory");
    }
    if (h) {
        free(h->variables);
        free(h->strengths);
        free(h->crouch_variables);
        free(h->crouch_values);
        free(h);
    }
    return status;
}
