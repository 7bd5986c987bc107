/* A person of seventeen segments with a body, made by calls: for tests that read no files, and for bodies that lack parts.
 *
 * All frames are aligned with the world's at rest: x ahead, y to the left, z up. Arms and legs hang along -z. */
#ifndef LIMBER_TESTS_PUPPET_H
#define LIMBER_TESTS_PUPPET_H

#include <limber/body.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PUPPET_SEGMENTS 17
#define PUPPET_VARIABLES 37 /* with a free root */

/* Parts that a puppet may lack. */
#define PUPPET_ROOT 1u /* its root is free */
#define PUPPET_CONTACTS 2u
#define PUPPET_STARTS 4u
#define PUPPET_EYES 8u
#define PUPPET_ARMS 16u
#define PUPPET_SOLIDS 32u
#define PUPPET_STRENGTHS 64u
#define PUPPET_WEIGHTS 128u
#define PUPPET_WHOLE 255u

enum {
    PUPPET_PELVIS,
    PUPPET_TRUNK,
    PUPPET_HEAD,
    PUPPET_RIGHT_EYE,
    PUPPET_LEFT_EYE,
    PUPPET_RIGHT_UPPER_ARM,
    PUPPET_RIGHT_FOREARM,
    PUPPET_LEFT_UPPER_ARM,
    PUPPET_LEFT_FOREARM,
    PUPPET_RIGHT_THIGH,
    PUPPET_RIGHT_SHANK,
    PUPPET_RIGHT_FOOT,
    PUPPET_RIGHT_TOES,
    PUPPET_LEFT_THIGH,
    PUPPET_LEFT_SHANK,
    PUPPET_LEFT_FOOT,
    PUPPET_LEFT_TOES
};

typedef struct puppet_part {
    const char *name, *type; /* of the segment, and of the joint that carries it */
    int parent;
    double at[3]; /* where the joint is in the parent's frame */
    double mass, com_z, lower[3], upper[3];
} puppet_part;

#define PUPPET_ARM(side, parent, y)                                                           \
    {                                                                                         \
        side "_upper_arm",  "R(y)*R(x)*R(z)", PUPPET_TRUNK, {0, y, 0.42}, 2.2, -0.15,         \
        {-2.8, -1.5, -1.2}, {0.8, 1.5, 1.2}},                                                 \
    {                                                                                         \
        side "_forearm", "R(y)", parent, {0, 0, -0.30}, 1.8, -0.17, {-2.5, 0, 0}, { 0, 0, 0 } \
    }
#define PUPPET_LEG(side, first, y)                                                                                 \
    {side "_thigh", "R(y)*R(x)*R(z)", PUPPET_PELVIS, {0, y, -0.04}, 8, -0.2, {-2.1, -0.6, -0.7}, {0.4, 0.6, 0.7}}, \
        {side "_shank", "R(y)", first, {0, 0, -0.42}, 3.5, -0.18, {0, 0, 0}, {2.5, 0, 0}},                         \
        {side "_foot", "R(y)*R(x)", first + 1, {0, 0, -0.41}, 0.9, -0.03, {-0.65, -0.4, 0}, {0.8, 0.4, 0}}, {      \
        side "_toes", "R(y)", first + 2, {0.13, 0, -0.05}, 0.2, 0, {-1, 0, 0}, { 0.5, 0, 0 }                       \
    }

static const puppet_part puppet_parts[PUPPET_SEGMENTS] = {
    {"pelvis", NULL, -1, {0, 0, 0}, 12, 0.02, {0, 0, 0}, {0, 0, 0}},
    {"trunk", "R(y)*R(x)*R(z)", PUPPET_PELVIS, {0, 0, 0.1}, 25, 0.2, {-0.4, -0.5, -0.6}, {1.2, 0.5, 0.6}},
    {"head", "R(y)*R(z)", PUPPET_TRUNK, {0, 0, 0.48}, 5, 0.1, {-0.8, -1.2, 0}, {0.8, 1.2, 0}},
    {"right_eye", "R(z)*R(y)", PUPPET_HEAD, {0.08, -0.03, 0.12}, 0.01, 0, {-0.6, -0.5, 0}, {0.6, 0.5, 0}},
    {"left_eye", "R(z)*R(y)", PUPPET_HEAD, {0.08, 0.03, 0.12}, 0.01, 0, {-0.6, -0.5, 0}, {0.6, 0.5, 0}},
    PUPPET_ARM("right", PUPPET_RIGHT_UPPER_ARM, -0.19),
    PUPPET_ARM("left", PUPPET_LEFT_UPPER_ARM, 0.19),
    PUPPET_LEG("right", PUPPET_RIGHT_THIGH, -0.09),
    PUPPET_LEG("left", PUPPET_LEFT_THIGH, 0.09),
};

/* Ends the program if a call failed. */
static int puppet_require(int result, const char *what) {
    if (result < 0) {
        fprintf(stderr, "puppet: %s: %d\n", what, result);
        exit(1);
    }
    return result;
}

static int puppet_site(lb_builder *b, int segment, const char *name, const double at[3]) {
    lb_site site;
    lb_site_defaults(&site);
    site.segment = segment;
    site.name = name;
    memcpy(site.frame.position, at, sizeof site.frame.position);
    return puppet_require(lb_builder_add_site(b, &site), name);
}

/* Adds a segment and the joint that carries it. */
static void puppet_add(lb_builder *b, int number) {
    static const double origin[3] = {0, 0, 0};
    const puppet_part *part = &puppet_parts[number];
    lb_segment segment;
    lb_segment_defaults(&segment);
    segment.name = part->name;
    segment.mass = part->mass;
    segment.com[2] = part->com_z;
    puppet_require(lb_builder_add_segment(b, &segment), part->name);
    int base = puppet_site(b, number, "base", origin);
    if (part->parent < 0) {
        return;
    }
    char mount[64], name[64];
    lb_joint joint;
    lb_joint_defaults(&joint);
    snprintf(mount, sizeof mount, "to_%s", part->name);
    snprintf(name, sizeof name, "%s_joint", part->name);
    joint.name = name;
    joint.site_a = puppet_site(b, part->parent, mount, part->at);
    joint.site_b = base;
    puppet_require(lb_joint_type_parse(part->type, &joint.type, NULL), part->type);
    for (int k = 0; k < lb_joint_type_dof_count(&joint.type); k++) {
        joint.lower[k] = part->lower[k];
        joint.upper[k] = part->upper[k];
    }
    puppet_require(lb_builder_add_joint(b, &joint), name);
}

static const int puppet_start_variables[] = {23, 26, 27, 30, 33, 34}; /* hips, knees and ankles about y */
static const double puppet_start_values[] = {-0.35, 0.6, -0.25, -0.35, 0.6, -0.25};

/* Everything that a body may have, less what is not among the parts. */
static int puppet_set_body(lb_figure *figure, unsigned parts, int gaze, const int palms[2], lb_error *error) {
    static const lb_body_solid solids[] = {
        {"pelvis", PUPPET_PELVIS, {0, -0.06, 0}, {0, 0.06, 0}, 0.1},
        {"trunk", PUPPET_TRUNK, {0, 0, 0.05}, {0, 0, 0.38}, 0.12},
        {"head", PUPPET_HEAD, {0.02, 0, 0.1}, {0.02, 0, 0.14}, 0.09},
        {"right_upper_arm", PUPPET_RIGHT_UPPER_ARM, {0, 0, -0.03}, {0, 0, -0.27}, 0.04},
        {"right_forearm", PUPPET_RIGHT_FOREARM, {0, 0, -0.03}, {0, 0, -0.33}, 0.035},
        {"left_upper_arm", PUPPET_LEFT_UPPER_ARM, {0, 0, -0.03}, {0, 0, -0.27}, 0.04},
        {"left_forearm", PUPPET_LEFT_FOREARM, {0, 0, -0.03}, {0, 0, -0.33}, 0.035},
        {"right_thigh", PUPPET_RIGHT_THIGH, {0, 0, -0.05}, {0, 0, -0.4}, 0.07},
        {"left_thigh", PUPPET_LEFT_THIGH, {0, 0, -0.05}, {0, 0, -0.4}, 0.07},
        {"right_shank", PUPPET_RIGHT_SHANK, {0, 0, -0.05}, {0, 0, -0.36}, 0.05},
        {"left_shank", PUPPET_LEFT_SHANK, {0, 0, -0.05}, {0, 0, -0.36}, 0.05}};
    static const lb_body_contact contacts[] = {
        {"right_heel", LB_CONTACT_HEEL, 0, PUPPET_RIGHT_FOOT, {-0.06, 0, -0.06}, 0},
        {"right_inner_ball", LB_CONTACT_BALL, 0, PUPPET_RIGHT_TOES, {0, 0.04, -0.01}, 0},
        {"right_outer_ball", LB_CONTACT_BALL, 0, PUPPET_RIGHT_TOES, {0, -0.04, -0.01}, 0},
        {"right_toe", LB_CONTACT_TOE, 0, PUPPET_RIGHT_TOES, {0.07, 0, -0.01}, 0},
        {"left_heel", LB_CONTACT_HEEL, 1, PUPPET_LEFT_FOOT, {-0.06, 0, -0.06}, 0},
        {"left_inner_ball", LB_CONTACT_BALL, 1, PUPPET_LEFT_TOES, {0, -0.04, -0.01}, 0},
        {"left_outer_ball", LB_CONTACT_BALL, 1, PUPPET_LEFT_TOES, {0, 0.04, -0.01}, 0},
        {"left_toe", LB_CONTACT_TOE, 1, PUPPET_LEFT_TOES, {0.07, 0, -0.01}, 0},
        {"right_sit_bone", LB_CONTACT_SEAT, -1, PUPPET_PELVIS, {0, -0.06, -0.1}, 0},
        {"left_sit_bone", LB_CONTACT_SEAT, -1, PUPPET_PELVIS, {0, 0.06, -0.1}, 0},
        {"right_palm", LB_CONTACT_PALM, 2, PUPPET_RIGHT_FOREARM, {0, 0, -0.33}, 0},
        {"left_palm", LB_CONTACT_PALM, 3, PUPPET_LEFT_FOREARM, {0, 0, -0.33}, 0}};
    static const lb_body_strength strengths[] = {{"waist", PUPPET_TRUNK, 230, 0},
                                                 {"right_shoulder", PUPPET_RIGHT_UPPER_ARM, 60, 0},
                                                 {"left_shoulder", PUPPET_LEFT_UPPER_ARM, 60, 0},
                                                 {"right_hip", PUPPET_RIGHT_THIGH, 190, 0},
                                                 {"left_hip", PUPPET_LEFT_THIGH, 190, 0},
                                                 {"right_knee", PUPPET_RIGHT_SHANK, 180, 0},
                                                 {"left_knee", PUPPET_LEFT_SHANK, 180, 0}};
    static const lb_body_start starts[] = {{"bent", 6, puppet_start_variables, puppet_start_values}};
    static const int eyes[] = {PUPPET_RIGHT_EYE, PUPPET_LEFT_EYE};
    lb_body_arm arms[] = {
        {"right", 2, PUPPET_RIGHT_UPPER_ARM, PUPPET_RIGHT_FOREARM, palms[0], PUPPET_RIGHT_THIGH, {0.05, 0, -0.2}},
        {"left", 3, PUPPET_LEFT_UPPER_ARM, PUPPET_LEFT_FOREARM, palms[1], PUPPET_LEFT_THIGH, {0.05, 0, -0.2}}};
    lb_body_variable variables[PUPPET_VARIABLES];
    lb_body body;
    lb_body_defaults(&body);
    if (parts & PUPPET_WEIGHTS) {
        body.variable_count = lb_figure_variable_count(figure);
        for (int i = 0; i < body.variable_count; i++) {
            variables[i] = (lb_body_variable){0.2 + 0.05 * (i % 7), i % 5 == 4 ? 0.35 : 0, i < 6 ? 0 : 0.5};
        }
        body.variables = variables;
    }
    body.solid_count = parts & PUPPET_SOLIDS ? (int)(sizeof solids / sizeof *solids) : 0;
    body.solids = solids;
    body.contact_count = parts & PUPPET_CONTACTS ? (int)(sizeof contacts / sizeof *contacts) : 0;
    body.contacts = contacts;
    body.strength_count = parts & PUPPET_STRENGTHS ? (int)(sizeof strengths / sizeof *strengths) : 0;
    body.strengths = strengths;
    body.arm_count = parts & PUPPET_ARMS ? 2 : 0;
    body.arms = arms;
    body.start_count = (parts & PUPPET_STARTS) && (parts & PUPPET_ROOT) ? 1 : 0;
    body.starts = starts;
    body.head = parts & PUPPET_EYES ? PUPPET_HEAD : -1;
    body.gaze = parts & PUPPET_EYES ? gaze : -1;
    body.eye_count = parts & PUPPET_EYES ? 2 : 0;
    body.eyes = eyes;
    return lb_figure_set_body(figure, &body, error);
}

/* The figure without its body; allocator NULL: the usual one. Its sites are NAME.base, right_palm, left_palm, gaze and those that joints sit at. */
static lb_figure *puppet_figure(const lb_allocator *allocator, unsigned parts, int *gaze, int palms[2]) {
    static const double hand[3] = {0, 0, -0.33}, eyes[3] = {0.08, 0, 0.12};
    lb_builder *b = lb_builder_create(allocator, NULL);
    lb_figure *figure = NULL;
    lb_root root;
    for (int i = 0; i < PUPPET_SEGMENTS; i++) {
        puppet_add(b, i);
    }
    palms[0] = puppet_site(b, PUPPET_RIGHT_FOREARM, "right_palm", hand);
    palms[1] = puppet_site(b, PUPPET_LEFT_FOREARM, "left_palm", hand);
    *gaze = puppet_site(b, PUPPET_HEAD, "gaze", eyes);
    lb_root_defaults(&root);
    root.is_free = (parts & PUPPET_ROOT) != 0;
    root.placement.position[2] = 0.93;
    puppet_require(lb_builder_set_root(b, &root), "root");
    puppet_require(lb_builder_finish(b, &figure), lb_builder_error(b)->message);
    lb_builder_destroy(b);
    return figure;
}

/* A puppet whose body has these parts. */
static inline lb_figure *puppet_make(unsigned parts) {
    lb_error error = {0};
    int gaze, palms[2];
    lb_figure *figure = puppet_figure(NULL, parts, &gaze, palms);
    puppet_require(puppet_set_body(figure, parts, gaze, palms, &error), error.message);
    return figure;
}

#endif
