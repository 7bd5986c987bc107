/* What it costs a person to move each variable, as models/human.fig has it for its own. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "io/person/person.h"
#include "io/rotation.h"

#define HUBER 0.34906585039886592 /* 20 degrees: hips and knees are dear at first and cheap later */

/* A radian about the body's x, y and z axes as the body stands with hanging arms. */
static const struct cost {
    int part;
    double about[3];
    int is_robust; /* about y */
    double comfort;
} costs[] = {
    {LBIO_SPINE_1, {1.6, 0.75, 0.65}, 0, 0.8},
    {LBIO_NECK, {0.9, 0.5, 0.35}, 0, 0.8},
    {LBIO_HEAD, {0.9, 0.45, 0.3}, 0, 0.8},
    {LBIO_JAW, {1, 1, 1}, 0, 0},
    {LBIO_EYE, {1, 1, 1}, 0, 0},
    {LBIO_CLAVICLE, {0.9, 0.9, 0.9}, 0, 0.8},
    {LBIO_UPPER_ARM, {0.3, 0.25, 0.3}, 0, 0.8},
    {LBIO_FOREARM, {1, 0.2, 0.18}, 0, 0.8},
    {LBIO_LOWER_FOREARM, {1, 1, 0.18}, 0, 0.4},
    {LBIO_HAND, {0.2, 0.5, 0.5}, 0, 0.4},
    {LBIO_THIGH, {0.7, 0.4, 0.4}, 1, 0.8},
    {LBIO_SHANK, {1, 0.6, 1}, 1, 0.8},
    {LBIO_FOOT, {0.6, 0.3, 0.8}, 0, 0.8},
    {LBIO_TOES, {1, 0.15, 1}, 0, 0.2},
};
static const struct cost finger = {LBIO_THUMB, {0.3, 0.3, 0.3}, 0, 0};

static const struct cost *cost_of(int part) {
    int left = part < LBIO_EYE ? part : part - (part - LBIO_EYE) % 2;
    left = left >= LBIO_SPINE_1 && left <= LBIO_SPINE_5 ? LBIO_SPINE_1 : left == LBIO_NECK_2 ? LBIO_NECK : left;
    for (size_t i = 0; i < sizeof costs / sizeof *costs; i++) {
        if (costs[i].part == left) {
            return &costs[i];
        }
    }
    return &finger;
}

/* Bones that share a range share its cost: n bones that turn by an n-th each cost together what one does. */
static double sharing(const lbio_person *p, int part, int is_in_trunk) {
    int necks = p->has[LBIO_NECK] && p->has[LBIO_NECK_2] ? 2 : 1;
    if ((part >= LBIO_SPINE_1 && part <= LBIO_SPINE_5) || is_in_trunk) {
        return sqrt(p->trunk_bones > 1 ? p->trunk_bones : 1);
    }
    return part == LBIO_NECK || part == LBIO_NECK_2 ? sqrt(necks) : 1;
}

static void weigh_root(const lbio_person *p, lb_body_variable *weights) {
    static const double root[6] = {0.3, 0.5, 0.5, 1.6, 0.6, 0.6};
    for (int i = 0; i < 6; i++) {
        weights[i].weight = i < 3 ? root[i] / p->scale : root[i];
    }
}

void lbio_person_weigh(const lbio_person *p, const lb_figure *figure, const int *segments, double (*axes)[3],
                       lb_body_variable *weights) {
    for (int i = 0; i < lb_figure_variable_count(figure); i++) {
        int segment = segments[i], owner = segment < 0 ? -1 : p->owners[segment];
        weights[i] = (lb_body_variable){.weight = 1};
        if (owner < 0 || owner == LBIO_PELVIS || !lb_figure_variable(figure, i)->is_angle) {
            continue;
        }
        const struct cost *cost = cost_of(p->between[segment] == LBIO_BETWEEN_TRUNK ? LBIO_SPINE_1 : owner);
        double sum = 0;
        for (int c = 0; c < 3; c++) {
            sum += cost->about[c] * cost->about[c] * axes[i][c] * axes[i][c];
        }
        weights[i].weight = sharing(p, owner, p->between[segment] == LBIO_BETWEEN_TRUNK) * sqrt(sum);
        weights[i].huber = cost->is_robust && fabs(axes[i][1]) > 0.7 ? HUBER : 0;
        weights[i].comfort = cost->comfort;
    }
    weigh_root(p, weights);
}

static int first_turn(const lb_joint_type *type) {
    int first = 0;
    while (first < type->element_count && type->elements[first].kind == LB_ELEMENT_TRANSLATE) {
        first++;
    }
    return first;
}

static int child_of(const lb_figure *figure, int joint) {
    for (int i = 0; i < lb_figure_segment_count(figure) && joint >= 0; i++) {
        if (lb_figure_parent_joint(figure, i) == joint) {
            return i;
        }
    }
    return -1;
}

/* The axis about which a segment turns at ease when a variable grows, in the body's axes. */
static lb_status find_axis(const lbio_person *p, lb_kinematics *kinematics, int segment, int variable, double *jacobian,
                           double axis[3]) {
    const lb_figure *figure = lb_kinematics_figure(kinematics);
    int count = lb_figure_variable_count(figure);
    lb_effector effector;
    double back[4];
    lb_status status = lb_effector_from_segment(figure, segment, &effector);
    status = status ? status : lb_kinematics_twist(kinematics, &effector, jacobian);
    for (int c = 0; c < 3 && !status; c++) {
        axis[c] = jacobian[(size_t)(3 + c) * (size_t)count + (size_t)variable];
    }
    lbio_rotation_conjugate(p->axes, back);
    lbio_rotation_apply(back, axis, axis);
    return status;
}

lb_status lbio_person_variables(const lbio_person *p, const lb_figure *figure, int *segments, double (*axes)[3]) {
    int count = lb_figure_variable_count(figure);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    double *jacobian = malloc(((size_t)count * 6 + 1) * sizeof *jacobian);
    lb_status status = kinematics && jacobian ? LB_OK : LB_ERROR_MEMORY;
    for (int i = 0; i < count && !status; i++) {
        const lb_variable *v = lb_figure_variable(figure, i);
        int joint = v->ref.joint, segment = child_of(figure, joint);
        segments[i] = segment;
        memset(axes[i], 0, sizeof axes[i]);
        if (segment < 0 || !v->is_angle) {
            continue;
        }
        const lb_joint_type *type = &lb_figure_joint(figure, joint)->type;
        int first = first_turn(type);
        if (type->elements[first].kind == LB_ELEMENT_SWING_TWIST) {
            axes[i][v->ref.dof - first] = 1;
        } else {
            status = find_axis(p, kinematics, segment, i, jacobian, axes[i]);
        }
    }
    lb_kinematics_destroy(kinematics);
    free(jacobian);
    return status;
}
