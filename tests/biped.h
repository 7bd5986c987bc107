/* A legged robot of two legs with six motors each and two arms with three, about a metre tall, as a URDF text: it stands as `--stand` has it. */
#ifndef LIMBER_TESTS_BIPED_H
#define LIMBER_TESTS_BIPED_H

#include <limber/io.h>
#include <stdio.h>
#include <string.h>

#define BIPED_ROOM 16384

typedef struct biped_text {
    char text[BIPED_ROOM];
    size_t used;
} biped_text;

/* A link with a mass in its middle and a box around it. */
static inline void biped_link(biped_text *t, const char *name, double mass, const double middle[3],
                              const double size[3]) {
    const double moment = mass * 0.01;
    t->used += (size_t)snprintf(
        t->text + t->used, BIPED_ROOM - t->used,
        "<link name='%s'><inertial><origin xyz='%g %g %g'/><mass value='%g'/><inertia ixx='%g' iyy='%g' izz='%g' "
        "ixy='0' ixz='0' iyz='0'/></inertial><collision><origin xyz='%g %g %g'/><geometry><box size='%g %g "
        "%g'/></geometry></collision></link>\n",
        name, middle[0], middle[1], middle[2], mass, moment, moment, moment, middle[0], middle[1], middle[2], size[0],
        size[1], size[2]);
}

static inline void biped_joint(biped_text *t, const char *parent, const char *child, const double at[3],
                               const char *axis, double lower, double upper, double effort) {
    t->used += (size_t)snprintf(
        t->text + t->used, BIPED_ROOM - t->used,
        "<joint name='%s_joint' type='revolute'><origin xyz='%g %g %g'/><parent link='%s'/><child link='%s'/><axis "
        "xyz='%s'/><limit lower='%g' upper='%g' effort='%g' velocity='8'/></joint>\n",
        child, at[0], at[1], at[2], parent, child, axis, lower, upper, effort);
}

static inline void biped_side(biped_text *t, const char *side, double y) {
    static const struct {
        const char *name, *parent, *axis;
        double at[3], lower, upper, effort, mass, middle[3], size[3];
    } parts[] = {
        {"hip_yaw", "pelvis", "0 0 1", {0, 1, -0.05}, -0.8, 0.8, 60, 0.6, {0, 0, -0.02}, {0.06, 0.06, 0.04}},
        {"hip_roll", "hip_yaw", "1 0 0", {0, 0, -0.03}, -0.6, 0.6, 90, 0.6, {0, 0, 0}, {0.06, 0.06, 0.06}},
        {"thigh", "hip_roll", "0 1 0", {0, 0, 0}, -1.9, 0.7, 90, 2.2, {0, 0, -0.13}, {0.07, 0.07, 0.2}},
        {"shank", "thigh", "0 1 0", {0, 0, -0.27}, 0, 2.3, 110, 1.4, {0, 0, -0.12}, {0.06, 0.06, 0.2}},
        {"ankle", "shank", "0 1 0", {0, 0, -0.27}, -1, 1, 60, 0.3, {0, 0, 0}, {0.04, 0.04, 0.04}},
        {"foot", "ankle", "1 0 0", {0, 0, 0}, -0.5, 0.5, 40, 0.6, {0.02, 0, -0.045}, {0.2, 0.09, 0.03}},
        {"shoulder", "trunk", "0 1 0", {0, 1.9, 0.24}, -2.8, 1.2, 30, 0.5, {0, 0, 0}, {0.06, 0.05, 0.06}},
        {"upper_arm", "shoulder", "1 0 0", {0, 0, 0}, -1.4, 1.4, 30, 1.0, {0, 0, -0.1}, {0.05, 0.05, 0.16}},
        {"forearm", "upper_arm", "0 1 0", {0, 0, -0.22}, -2.3, 0.1, 20, 0.7, {0, 0, -0.08}, {0.05, 0.05, 0.14}},
    };
    char name[32], parent[32];
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        const int is_first = i == 0 || i == 6;
        const double at[3] = {parts[i].at[0], y * parts[i].at[1], parts[i].at[2]};
        snprintf(name, sizeof name, "%s_%s", side, parts[i].name);
        snprintf(parent, sizeof parent, "%s%s%s", is_first ? "" : side, is_first ? "" : "_", parts[i].parent);
        biped_link(t, name, parts[i].mass, parts[i].middle, parts[i].size);
        biped_joint(t, parent, name, at, parts[i].axis, parts[i].lower, parts[i].upper, parts[i].effort);
    }
    snprintf(name, sizeof name, "%s_hand", side);
    snprintf(parent, sizeof parent, "%s_forearm", side);
    biped_link(t, name, 0.2, (const double[3]){0, 0, -0.02}, (const double[3]){0.05, 0.03, 0.06});
    t->used += (size_t)snprintf(
        t->text + t->used, BIPED_ROOM - t->used,
        "<joint name='%s_joint' type='fixed'><origin xyz='0 0 -0.18'/><parent link='%s'/><child link='%s'/></joint>\n",
        name, parent, name);
}

static inline size_t biped_write(biped_text *t) {
    t->used = (size_t)snprintf(t->text, sizeof t->text, "<robot name='biped'>\n");
    biped_link(t, "pelvis", 4, (const double[3]){0, 0, 0}, (const double[3]){0.14, 0.18, 0.1});
    biped_link(t, "trunk", 7, (const double[3]){0, 0, 0.14}, (const double[3]){0.14, 0.2, 0.22});
    biped_joint(t, "pelvis", "trunk", (const double[3]){0, 0, 0.06}, "0 0 1", -1, 1, 60);
    biped_side(t, "right", -0.08);
    biped_side(t, "left", 0.08);
    t->used += (size_t)snprintf(t->text + t->used, sizeof t->text - t->used, "</robot>\n");
    return t->used;
}

static inline lb_figure *biped_make(lb_error *error) {
    static biped_text text;
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_load_options_defaults(&options);
    options.stand = 1;
    return lb_figure_load_memory(text.text, biped_write(&text), "biped.urdf", &options, &figure, error) ? NULL : figure;
}

#endif
