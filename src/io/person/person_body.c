/* The body of a person: what may touch the ground, how thick and how strong the limbs are, which poses to start from.
 * All lengths and strengths are those of models/human.fig, scaled. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/person/person.h"
#include "io/rotation.h"

#define DEGREE (3.14159265358979323846 / 180)
#define MOST_SOLIDS 24
#define MOST_CONTACTS 16
#define MOST_STRENGTHS 13
#define START_COUNT 5

/* The body while it is made; [variables] of starts are all variables of the figure at the most. */
typedef struct shaper {
    const lbio_person *p;
    const lb_figure *figure;
    int variable_count;
    int *segments;     /* [variables] that they move */
    double (*axes)[3]; /* [variables] about which */
    lb_body body;
    lb_body_variable *weights;
    lb_body_solid solids[MOST_SOLIDS];
    lb_body_contact contacts[MOST_CONTACTS];
    lb_body_strength strengths[MOST_STRENGTHS];
    lb_body_arm arms[2];
    lb_body_ease eases[2];
    int ease_variables[2][2];
    double ease_coefficients[2][2];
    lb_body_start starts[START_COUNT];
    int *start_variables; /* [START_COUNT][variables] */
    double *start_values; /* [START_COUNT][variables] */
} shaper;

/* Limbs are numbered as in models/human.fig: right leg, left leg, right arm, left arm. side 0: left. */
static int leg_of(int side) { return side ? 0 : 1; }
static int arm_of(int side) { return side ? 2 : 3; }

/* --- Solids ---------------------------------------------------------------------------------------------- */

static void add_solid(shaper *s, const char *name, int segment, const double from[3], const double to[3],
                      double radius) {
    if (segment >= 0 && s->body.solid_count < MOST_SOLIDS) {
        lb_body_solid *solid = &s->solids[s->body.solid_count++];
        *solid = (lb_body_solid){.name = name, .segment = segment, .radius = radius * s->p->scale};
        lbio_person_local(s->p, segment, from, solid->from);
        lbio_person_local(s->p, segment, to, solid->to);
    }
}

/* A capsule along a bone, from one part of its length to another; no thicker than the bone's length allows. */
static void add_bone(shaper *s, const char *name, int part, double first, double last, double radius) {
    const lbio_person *p = s->p;
    double tip[3], from[3], to[3], length = 0;
    if (p->holder[part] < 0) {
        return;
    }
    const double *at = p->ease[p->holder[part]].position;
    lbio_person_tip(p, part, tip);
    for (int c = 0; c < 3; c++) {
        from[c] = at[c] + first * (tip[c] - at[c]);
        to[c] = at[c] + last * (tip[c] - at[c]);
        length += (tip[c] - at[c]) * (tip[c] - at[c]);
    }
    add_solid(s, name, p->holder[part], from, to, fmin(radius, 0.5 * sqrt(length) / p->scale));
}

/* A capsule across the trunk, at an offset from a bone's origin. */
static void add_across(shaper *s, const char *name, int segment, const double middle[3], double half, double radius) {
    double from[3], to[3];
    const double left[3] = {0, half, 0}, right[3] = {0, -half, 0};
    if (segment >= 0) {
        lbio_person_offset(s->p, middle, left, from);
        lbio_person_offset(s->p, middle, right, to);
        add_solid(s, name, segment, from, to, radius);
    }
}

static int top_of_spine(const lbio_person *p) {
    for (int part = LBIO_SPINE_5; part >= LBIO_SPINE_1; part--) {
        if (p->holder[part] >= 0) {
            return part;
        }
    }
    return LBIO_PELVIS;
}

static void add_trunk(shaper *s) {
    static const double hips[3] = {-0.015, 0, 0.015}, front[3] = {0.02, 0, 0};
    const lbio_person *p = s->p;
    double at[3], tip[3];
    int top = top_of_spine(p);
    for (int c = 0; c < 3; c++) {
        at[c] = (p->ease[p->holder[LBIO_THIGH]].position[c] + p->ease[p->holder[LBIO_THIGH + 1]].position[c]) / 2;
    }
    lbio_person_offset(p, at, hips, at);
    add_across(s, "pelvis", p->pelvis, at, 0.05, 0.09);
    if (top != LBIO_PELVIS) {
        lbio_person_tip(p, top, tip);
        for (int c = 0; c < 3; c++) {
            at[c] = (p->ease[p->holder[top]].position[c] + tip[c]) / 2;
        }
        lbio_person_offset(p, at, front, at);
        add_across(s, "chest", p->holder[top], at, 0.055, 0.095);
    }
    if (top > LBIO_SPINE_1 && p->holder[LBIO_SPINE_1] >= 0) {
        lbio_person_offset(p, p->ease[p->holder[LBIO_SPINE_1]].position, front, at);
        add_across(s, "belly", p->holder[LBIO_SPINE_1], at, 0.04, 0.09);
    }
    add_bone(s, "neck", LBIO_NECK, 0, 1, 0.05);
    add_bone(s, "head", LBIO_HEAD, 0.25, 0.8, 0.08);
}

static void add_foot_solids(shaper *s, int side) {
    const lbio_person *p = s->p;
    double ball[3], tip[3], heel[3], end[3];
    int toes, foot = p->holder[LBIO_FOOT + side];
    lbio_person_foot(p, side, ball, tip, &toes);
    for (int c = 0; c < 2; c++) {
        heel[c] = p->ease[foot].position[c];
        end[c] = ball[c] + 0.5 * (tip[c] - ball[c]);
    }
    heel[2] = end[2] = 0.03 * p->scale;
    ball[2] = 0.03 * p->scale;
    add_solid(s, side ? "right_foot" : "left_foot", foot, heel, ball, 0.026);
    if (toes != foot) {
        end[2] = ball[2] = 0.02 * p->scale;
        add_solid(s, side ? "right_toes" : "left_toes", toes, ball, end, 0.018);
    }
}

static void add_solids(shaper *s) {
    add_trunk(s);
    for (int side = 0; side < 2; side++) {
        add_bone(s, side ? "right_upper_arm" : "left_upper_arm", LBIO_UPPER_ARM + side, 0.28, 1, 0.043);
        add_bone(s, side ? "right_forearm" : "left_forearm", LBIO_FOREARM + side, 0, 0.95, 0.032);
        add_bone(s, side ? "right_hand" : "left_hand", LBIO_HAND + side, 0.2, 1, 0.015);
        add_bone(s, side ? "right_thigh" : "left_thigh", LBIO_THIGH + side, 0.14, 0.91, 0.062);
        add_bone(s, side ? "right_shank" : "left_shank", LBIO_SHANK + side, 0.14, 0.96, 0.048);
        add_foot_solids(s, side);
    }
}

/* --- Contacts -------------------------------------------------------------------------------------------- */

static void add_contact(shaper *s, const char *name, lb_contact_kind kind, int limb, int segment,
                        const double point[3]) {
    lb_body_contact *contact = &s->contacts[s->body.contact_count++];
    *contact = (lb_body_contact){.name = name, .kind = kind, .limb = limb, .segment = segment};
    lbio_person_local(s->p, segment, point, contact->point);
}

static void add_leg_contacts(shaper *s, int side) {
    static const char *const names[2][5] = {
        {"left_heel", "left_ball_inside", "left_ball_outside", "left_toe", "left_knee"},
        {"right_heel", "right_ball_inside", "right_ball_outside", "right_toe", "right_knee"}};
    const lbio_person *p = s->p;
    int limb = leg_of(side), toes, foot = p->holder[LBIO_FOOT + side], shank = p->holder[LBIO_SHANK + side];
    const double inward = side ? 0.032 : -0.032;
    const double inside[3] = {0, inward, 0}, outside[3] = {0, -inward, 0}, knee_cap[3] = {0.046, 0, -0.03};
    double ball[3], tip[3], point[3], along[2], length;
    lbio_person_foot(p, side, ball, tip, &toes);
    along[0] = tip[0] - ball[0];
    along[1] = tip[1] - ball[1];
    length = sqrt(along[0] * along[0] + along[1] * along[1]);
    for (int c = 0; c < 2; c++) {
        point[c] = p->ease[foot].position[c] - 0.03 * p->scale * along[c] / length;
    }
    point[2] = 0;
    add_contact(s, names[side][0], LB_CONTACT_HEEL, limb, foot, point);
    lbio_person_offset(p, ball, inside, point);
    add_contact(s, names[side][1], LB_CONTACT_BALL, limb, toes, point);
    lbio_person_offset(p, ball, outside, point);
    add_contact(s, names[side][2], LB_CONTACT_BALL, limb, toes, point);
    add_contact(s, names[side][3], LB_CONTACT_TOE, limb, toes, tip);
    lbio_person_offset(p, p->ease[shank].position, knee_cap, point);
    add_contact(s, names[side][4], LB_CONTACT_KNEE, limb, shank, point);
}

static void add_arm_contacts(shaper *s, int side) {
    const lbio_person *p = s->p;
    int hand = p->holder[LBIO_HAND + side], upper = p->holder[LBIO_UPPER_ARM + side];
    const double palm[3] = {0, side ? 0.015 : -0.015, -0.062}, elbow[3] = {-0.024, 0, -0.02};
    double point[3], tip[3];
    if (hand < 0 || upper < 0) {
        return;
    }
    lbio_person_offset(p, p->ease[hand].position, palm, point);
    add_contact(s, side ? "right_palm" : "left_palm", LB_CONTACT_PALM, arm_of(side), hand, point);
    lbio_person_tip(p, LBIO_UPPER_ARM + side, tip);
    lbio_person_offset(p, tip, elbow, point);
    add_contact(s, side ? "right_elbow" : "left_elbow", LB_CONTACT_ELBOW, arm_of(side), upper, point);
}

static void add_contacts(shaper *s) {
    const lbio_person *p = s->p;
    for (int side = 1; side >= 0; side--) {
        add_leg_contacts(s, side);
    }
    for (int side = 1; side >= 0; side--) {
        const double seat[3] = {-0.04, side ? 0.016 : -0.016, -0.1};
        double point[3];
        lbio_person_offset(p, p->ease[p->holder[LBIO_THIGH + side]].position, seat, point);
        add_contact(s, side ? "right_sit_bone" : "left_sit_bone", LB_CONTACT_SEAT, -1, p->pelvis, point);
    }
    for (int side = 1; side >= 0; side--) {
        add_arm_contacts(s, side);
    }
}

/* --- Strengths and arms ---------------------------------------------------------------------------------- */

static void add_strength(shaper *s, const char *name, int part, double moment) {
    const lbio_person *p = s->p;
    if (p->holder[part] >= 0) {
        double mass = lb_figure_mass(s->figure) / 75;
        s->strengths[s->body.strength_count++] =
            (lb_body_strength){name, p->holder[part], moment * p->scale * (mass > 0 ? mass : 1), 0};
    }
}

static void add_strengths(shaper *s) {
    static const struct {
        const char *left, *right;
        int part;
        double moment;
    } limbs[] = {{"left_shoulder", "right_shoulder", LBIO_UPPER_ARM, 60},
                 {"left_elbow", "right_elbow", LBIO_FOREARM, 58},
                 {"left_hip", "right_hip", LBIO_THIGH, 207},
                 {"left_knee", "right_knee", LBIO_SHANK, 210},
                 {"left_ankle", "right_ankle", LBIO_FOOT, 122}};
    int top = top_of_spine(s->p);
    for (int side = 1; side >= 0; side--) {
        for (size_t i = 0; i < sizeof limbs / sizeof *limbs; i++) {
            add_strength(s, side ? limbs[i].right : limbs[i].left, limbs[i].part + side, limbs[i].moment);
        }
    }
    add_strength(s, "lumbar", LBIO_SPINE_1, 271);
    if (top > LBIO_SPINE_1) {
        add_strength(s, "thorax", top, 180);
    }
    add_strength(s, "neck", LBIO_NECK, 36);
}

static void add_arms(shaper *s) {
    const lbio_person *p = s->p;
    for (int side = 1; side >= 0; side--) {
        int upper = p->holder[LBIO_UPPER_ARM + side], hand = p->holder[LBIO_HAND + side];
        const double lap[3] = {0.075, 0, -0.27};
        if (upper >= 0 && hand >= 0) {
            lb_body_arm *arm = &s->arms[s->body.arm_count++];
            int thigh = p->holder[LBIO_THIGH + side];
            double point[3];
            *arm = (lb_body_arm){.name = side ? "right" : "left",
                                 .limb = arm_of(side),
                                 .shoulder = upper,
                                 .hand = hand,
                                 .palm = lb_figure_find_site(s->figure, side ? "right_palm" : "left_palm"),
                                 .lap = thigh};
            lbio_person_offset(p, p->ease[thigh].position, lap, point);
            lbio_person_local(p, thigh, point, arm->lap_point);
        }
    }
}

/* --- Eases and starts ------------------------------------------------------------------------------------ */

/* The variable that turns a part most about y; -1: none does. */
static int bend_of(const shaper *s, int part) {
    int best = -1;
    for (int i = 0; i < s->variable_count; i++) {
        if (s->segments[i] >= 0 && s->p->owners[s->segments[i]] == part && fabs(s->axes[i][1]) > 0.7 &&
            (best < 0 || fabs(s->axes[i][1]) > fabs(s->axes[best][1]))) {
            best = i;
        }
    }
    return best;
}

/* Hamstrings are felt from 40 degrees of the hip on, later where the knee is bent. */
static void add_eases(shaper *s) {
    for (int side = 1; side >= 0; side--) {
        int hip = bend_of(s, LBIO_THIGH + side), knee = bend_of(s, LBIO_SHANK + side), at = s->body.ease_count;
        if (hip >= 0 && knee >= 0) {
            s->ease_variables[at][0] = hip < knee ? hip : knee;
            s->ease_variables[at][1] = hip < knee ? knee : hip;
            s->ease_coefficients[at][hip < knee ? 0 : 1] = s->axes[hip][1] > 0 ? -1 : 1;
            s->ease_coefficients[at][hip < knee ? 1 : 0] = s->axes[knee][1] > 0 ? -0.55 : 0.55;
            s->eases[s->body.ease_count++] = (lb_body_ease){.name = side ? "right_hamstrings" : "left_hamstrings",
                                                            .count = 2,
                                                            .variables = s->ease_variables[at],
                                                            .coefficients = s->ease_coefficients[at],
                                                            .bound = 40 * DEGREE,
                                                            .weight = 1.43};
        }
    }
}

static void set_value(shaper *s, lb_body_start *start, int variable, double value) {
    const lb_variable *v = lb_figure_variable(s->figure, variable);
    int at = start->count;
    for (int i = 0; i < start->count; i++) {
        at = start->variables[i] == variable ? i : at;
    }
    ((int *)start->variables)[at] = variable;
    ((double *)start->values)[at] = fmin(fmax(value, v->lower), v->upper);
    start->count += at == start->count;
}

/* A part turned by angles about x, y and z, degrees, as seen on the right side. */
static void turn_part(shaper *s, lb_body_start *start, int part, const double angles[3]) {
    static const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    int is_left = part >= LBIO_EYE && (part - LBIO_EYE) % 2 == 0;
    double turn[4] = {0, 0, 0, 1}, one[4], values[3];
    for (int c = 0; c < 3; c++) {
        lb_rotation_about(axes[c], (is_left && c != 1 ? -1 : 1) * angles[c] * DEGREE, one);
        lb_rotation_multiply(turn, one, turn);
    }
    for (int i = 0; i < s->variable_count; i++) {
        const lb_variable *v = lb_figure_variable(s->figure, i);
        if (s->segments[i] < 0 || s->p->owners[s->segments[i]] != part || !v->is_angle || v->rigidity >= 1) {
            continue;
        }
        const lb_joint_type *type = &lb_figure_joint(s->figure, v->ref.joint)->type;
        int last = type->element_count - 1;
        if (type->elements[last].kind == LB_ELEMENT_SWING_TWIST) {
            lbio_person_values(s->p, s->segments[i], turn, values);
            set_value(s, start, i, values[v->ref.dof - last]);
        } else {
            double value = v->rest;
            for (int c = 0; c < 3; c++) {
                value += s->axes[i][c] * (is_left && c != 1 ? -1 : 1) * angles[c] * DEGREE;
            }
            set_value(s, start, i, value);
        }
    }
}

static void turn_both(shaper *s, lb_body_start *start, int left, double x, double y, double z) {
    const double angles[3] = {x, y, z};
    turn_part(s, start, left, angles);
    turn_part(s, start, left + 1, angles);
}

static void bend_spine(shaper *s, lb_body_start *start, double degrees) {
    const lbio_person *p = s->p;
    const double angles[3] = {0, degrees / (p->trunk_bones > 0 ? p->trunk_bones : 1), 0};
    for (int part = LBIO_SPINE_1; part <= LBIO_SPINE_5; part++) {
        turn_part(s, start, part, angles);
    }
}

/* Legs and elbows bent, degrees. */
static void bend(shaper *s, lb_body_start *start, double knee, double hip, double ankle, double elbow) {
    turn_both(s, start, LBIO_SHANK, 0, knee, 0);
    turn_both(s, start, LBIO_THIGH, 0, -hip, 0);
    turn_both(s, start, LBIO_FOOT, 0, -ankle, 0);
    turn_both(s, start, LBIO_FOREARM, 0, -elbow, 0);
}

/* The starts of models/human.fig. */
static void add_starts(shaper *s) {
    static const char *const names[START_COUNT] = {"relaxed", "squat", "stoop", "hands_up", "elbows_out"};
    for (int i = 0; i < START_COUNT; i++) {
        size_t first = (size_t)i * (size_t)s->variable_count;
        s->starts[i] = (lb_body_start){
            .name = names[i], .variables = s->start_variables + first, .values = s->start_values + first};
    }
    lb_body_start *relaxed = &s->starts[0], *squat = &s->starts[1], *stoop = &s->starts[2], *up = &s->starts[3],
                  *out = &s->starts[4];
    set_value(s, relaxed, 2, -0.02 * s->p->scale);
    bend(s, relaxed, 18, 12, 9, 20);
    set_value(s, squat, 2, -0.25 * s->p->scale);
    set_value(s, squat, 4, 20 * DEGREE);
    bend_spine(s, squat, 15);
    bend(s, squat, 80, 80, 25, 30);
    set_value(s, stoop, 0, -0.12 * s->p->scale);
    set_value(s, stoop, 4, 50 * DEGREE);
    bend_spine(s, stoop, 30);
    bend(s, stoop, 15, 60, 0, 20);
    turn_both(s, stoop, LBIO_UPPER_ARM, 0, -50, 0);
    bend(s, up, 10, 8, 6, 100);
    turn_both(s, up, LBIO_UPPER_ARM, 0, -40, 0);
    bend(s, out, 10, 8, 6, 100);
    turn_both(s, out, LBIO_UPPER_ARM, -35, -60, 0);
}

/* --- The whole ------------------------------------------------------------------------------------------- */

static void shape_body(shaper *s) {
    lb_body *b = &s->body;
    lb_body_defaults(b);
    add_solids(s);
    add_contacts(s);
    add_strengths(s);
    add_arms(s);
    add_eases(s);
    add_starts(s);
    b->variable_count = s->variable_count;
    b->variables = s->weights;
    b->solids = s->solids;
    b->contacts = s->contacts;
    b->strengths = s->strengths;
    b->arms = s->arms;
    b->eases = s->eases;
    b->starts = s->starts;
    b->start_count = START_COUNT;
    b->head = s->p->holder[LBIO_HEAD];
    b->gaze = b->head >= 0 ? lb_figure_find_site(s->figure, "gaze") : -1;
    b->gaze = b->gaze >= 0 && lb_figure_site(s->figure, b->gaze)->segment == b->head ? b->gaze : -1;
}

lb_status lbio_person_set_body(const lbio_person *p, lb_figure *figure, lb_error *error) {
    shaper *s = calloc(1, sizeof *s);
    size_t count = (size_t)lb_figure_variable_count(figure) + 1;
    lb_status status = LB_ERROR_MEMORY;
    if (s) {
        s->p = p;
        s->figure = figure;
        s->variable_count = (int)count - 1;
        s->segments = calloc(count, sizeof *s->segments);
        s->axes = calloc(count, sizeof *s->axes);
        s->weights = calloc(count, sizeof *s->weights);
        s->start_variables = calloc(START_COUNT * count, sizeof *s->start_variables);
        s->start_values = calloc(START_COUNT * count, sizeof *s->start_values);
        if (s->segments && s->axes && s->weights && s->start_variables && s->start_values) {
            status = lbio_person_variables(p, figure, s->segments, s->axes);
        }
    }
    if (!status) {
        lbio_person_weigh(p, figure, s->segments, s->axes, s->weights);
        shape_body(s);
        status = lb_figure_set_body(figure, &s->body, error);
    } else {
        lbio_error(error, status, "", 0, "%s", lb_status_text(status));
    }
    if (s) {
        free(s->segments);
        free(s->axes);
        free(s->weights);
        free(s->start_variables);
        free(s->start_values);
        free(s);
    }
    return status;
}
