/* Joints of a person: in anatomical axes where a joint turns about three axes, so that what a knee or an elbow does is
 * one variable; and the limits of a human. */
#include <math.h>
#include <string.h>

#include "io/person/person.h"
#include "io/rotation.h"

#define DEGREE (3.14159265358979323846 / 180)

/* --- Which joints ---------------------------------------------------------------------------------------- */

static int is_driven(const lb_figure *figure, int joint) {
    for (int i = 0; i < lb_figure_drive_count(figure); i++) {
        const lb_drive *drive = lb_figure_drive(figure, i);
        if (drive->joint == joint || drive->source.joint == joint) {
            return 1;
        }
    }
    for (int i = 0; i < lb_figure_limit_count(figure); i++) {
        for (int k = 0; k < lb_figure_limit(figure, i)->count; k++) {
            if (lb_figure_limit(figure, i)->terms[k].joint == joint) {
                return 1;
            }
        }
    }
    return 0;
}

/* Where the rotations of a joint begin among its elements: behind its translations. -1: it has not all of them. */
static int find_ball(const lb_joint_type *type) {
    int first = 0, left;
    while (first < type->element_count && type->elements[first].kind == LB_ELEMENT_TRANSLATE) {
        first++;
    }
    left = type->element_count - first;
    if (left == 1) {
        return type->elements[first].kind >= LB_ELEMENT_SWING_TWIST ? first : -1;
    }
    for (int e = first; e < type->element_count; e++) {
        left -= type->elements[e].kind == LB_ELEMENT_ROTATE ? 0 : 3;
    }
    return left == 3 ? first : -1;
}

static int has_limits(const lb_joint *joint) {
    int found = joint->swing_count > 0;
    for (int d = 0; d < lb_joint_type_dof_count(&joint->type); d++) {
        found |= lb_joint_type_is_angle(&joint->type, d) && (isfinite(joint->lower[d]) || isfinite(joint->upper[d]));
    }
    return found;
}

static int wants_limits(const lbio_person *p) {
    return p->options->limits == LB_LIMITS_AUTO || p->options->limits == LB_LIMITS_ANATOMICAL;
}

/* Whether the limits of the file hold for a joint. */
static int keeps_limits(const lbio_person *p, const lb_joint *joint) {
    return p->options->limits != LB_LIMITS_ANATOMICAL && p->options->limits != LB_LIMITS_NONE && has_limits(joint);
}

int lbio_person_replaces(const lbio_person *p, int segment) {
    int number = p->joints[segment];
    if (number < 0 || p->owners[segment] < 0 || number == p->root_joint) {
        return 0;
    }
    const lb_joint *joint = lb_figure_joint(p->figure, number);
    return !joint->frozen && !is_driven(p->figure, number) && find_ball(&joint->type) >= 0 && !keeps_limits(p, joint) &&
           (p->is_body || wants_limits(p));
}

/* --- Limits ---------------------------------------------------------------------------------------------- */

/* What the joint of a segment may do; 0: anything. */
static int find_limits(const lbio_person *p, int segment, lbio_part_limits *limits) {
    int part = p->parts[segment], owner = p->owners[segment];
    memset(limits, 0, sizeof *limits);
    limits->zero[3] = 1;
    if (part >= 0) {
        return lbio_part_limits_of(part, p->has, p->trunk_bones, limits);
    }
    if (p->between[segment]) {
        lbio_between_limits(p->between[segment] == LBIO_BETWEEN_TRUNK ? p->trunk_bones : 0, limits);
    }
    return p->between[segment] && owner >= 0;
}

/* A bone's turn from `zero` at rest in the file and at ease, as swing and twist. */
static void turn_at(const lbio_person *p, const lb_frame *frames, int segment, const double zero[4], double turn[3]) {
    int above = p->parents[segment];
    double a[4], b[4], back[4], moved[4];
    lbio_person_axes(p, above, a);
    lbio_rotation_conjugate(p->rest[above].rotation, back);
    lb_rotation_multiply(frames[above].rotation, back, moved);
    lb_rotation_multiply(moved, a, a);
    lb_rotation_multiply(a, zero, a);
    lbio_person_axes(p, segment, b);
    lbio_rotation_conjugate(p->rest[segment].rotation, back);
    lb_rotation_multiply(frames[segment].rotation, back, moved);
    lb_rotation_multiply(moved, b, b);
    lbio_rotation_conjugate(a, back);
    lb_rotation_multiply(back, b, moved);
    lbio_rotation_swing_twist(moved, turn);
}

/* A box of swings as ranges of two variables; the polygon of a joint where they depend on each other. */
static void set_limits(const lbio_part_limits *limits, int first, lb_joint *joint, double swing[24][2]) {
    joint->lower[first + 2] = limits->twist[0];
    joint->upper[first + 2] = limits->twist[1];
    if (limits->swing_count == 4) {
        for (int c = 0; c < 2; c++) {
            joint->lower[first + c] = joint->upper[first + c] = limits->swing[0][c];
            for (int i = 1; i < 4; i++) {
                joint->lower[first + c] = fmin(joint->lower[first + c], limits->swing[i][c]);
                joint->upper[first + c] = fmax(joint->upper[first + c], limits->swing[i][c]);
            }
        }
        return;
    }
    joint->swing_count = limits->swing_count;
    memcpy(swing, limits->swing, sizeof limits->swing);
    joint->swing = (const double(*)[2])swing;
}

/* The person as it came, and at ease, is inside of its limits. */
static void include(lbio_part_limits *limits, const double turn[3]) {
    if (limits->swing_count == 4) {
        for (int c = 0; c < 2; c++) {
            double low = INFINITY, high = -INFINITY;
            for (int i = 0; i < 4; i++) {
                low = fmin(low, limits->swing[i][c]);
                high = fmax(high, limits->swing[i][c]);
            }
            for (int i = 0; i < 4; i++) {
                double *at = &limits->swing[i][c];
                *at = *at == low ? fmin(low, turn[c]) : fmax(high, turn[c]);
            }
        }
    } else {
        lbio_swing_include(limits, turn[0], turn[1]);
    }
    limits->twist[0] = fmin(limits->twist[0], turn[2]);
    limits->twist[1] = fmax(limits->twist[1], turn[2]);
}

/* --- New joints ------------------------------------------------------------------------------------------ */

void lbio_person_joint(const lbio_person *p, int segment, lb_joint *joint, lb_frame *above, lb_frame *below,
                       double swing[24][2]) {
    const lb_joint *old = lb_figure_joint(p->figure, p->joints[segment]);
    lbio_part_limits limits;
    double came[3], eased[3];
    int first = find_ball(&old->type), hangs = lb_figure_parent_segment(p->figure, segment) == p->parents[segment];
    int is_limited = find_limits(p, segment, &limits);
    first = hangs || lb_figure_parent_segment(p->figure, p->parents[segment]) == segment ? first : 0;
    lb_joint_defaults(joint);
    joint->name = old->name;
    joint->type.element_count = first + 1;
    memcpy(joint->type.elements, old->type.elements, sizeof old->type.elements);
    for (int d = 0; d < first; d++) {
        joint->lower[d] = old->lower[d];
        joint->upper[d] = old->upper[d];
        joint->rigidity[d] = p->is_body ? 1 : old->rigidity[d];
    }
    memset(&joint->type.elements[first], 0, sizeof joint->type.elements[first]);
    joint->type.elements[first].kind = LB_ELEMENT_SWING_TWIST;
    joint->type.elements[first].axis[2] = 1;
    turn_at(p, p->rest, segment, limits.zero, came);
    turn_at(p, p->ease, segment, limits.zero, eased);
    memcpy(joint->rest + first, eased, sizeof eased);
    if (is_limited && wants_limits(p)) {
        include(&limits, came);
        include(&limits, eased);
        set_limits(&limits, first, joint, swing);
    }
    /* The links of a hip or shoulder that are no parts of the body do not move. */
    for (int d = first; d < first + 3; d++) {
        joint->rigidity[d] = p->is_body && p->between[segment] == LBIO_BETWEEN_LIMB ? 1 : old->rigidity[first];
    }
    *above = *below = p->rest[segment];
    lbio_person_axes(p, p->parents[segment], above->rotation);
    lb_rotation_multiply(above->rotation, limits.zero, above->rotation);
    lbio_person_axes(p, segment, below->rotation);
}

void lbio_person_values(const lbio_person *p, int segment, const double turn[4], double values[3]) {
    lbio_part_limits limits;
    double back[4];
    find_limits(p, segment, &limits);
    lbio_rotation_conjugate(limits.zero, back);
    lb_rotation_multiply(back, turn, back);
    lbio_rotation_swing_twist(back, values);
}

/* --- Hinges ---------------------------------------------------------------------------------------------- */

static int is_inside(const lbio_part_limits *limits, const double turn[3]) {
    int n = limits->swing_count, positive = 0, negative = 0;
    for (int i = 0; i < n; i++) {
        const double *a = limits->swing[i], *b = limits->swing[(i + 1) % n];
        double side = (b[0] - a[0]) * (turn[1] - a[1]) - (b[1] - a[1]) * (turn[0] - a[0]);
        positive |= side > 1e-6;
        negative |= side < -1e-6;
    }
    return !(positive && negative) && turn[2] >= limits->twist[0] - 1e-6 && turn[2] <= limits->twist[1] + 1e-6;
}

/* The axis of a dof in the world at rest; the child of the joint turns about it by the dof's value. */
static void axis_of(const lbio_person *p, const lb_joint *joint, int element, int segment, double axis[3]) {
    const lb_site *site = lb_figure_site(p->figure, joint->site_a);
    double turn[4], one[4];
    lb_rotation_multiply(p->rest[site->segment].rotation, site->frame.rotation, turn);
    for (int e = 0; e < element; e++) {
        if (joint->type.elements[e].kind == LB_ELEMENT_ROTATE) {
            lb_rotation_about(joint->type.elements[e].axis, joint->rest[e], one);
            lb_rotation_multiply(turn, one, turn);
        }
    }
    lbio_rotation_apply(turn, joint->type.elements[element].axis, axis);
    for (int c = 0; c < 3 && site->segment == segment; c++) {
        axis[c] = -axis[c];
    }
}

/* How far a bone may turn about an axis one way, from where it is at rest: whole degrees, up to 180. */
static double reach_of(const lbio_person *p, int segment, const lbio_part_limits *limits, const double axis[3],
                       double sign) {
    int above = segment;
    double a[4], b[4], back[4], turn[4], values[3];
    do { /* links of one joint have the same axes */
        above = p->parents[above];
    } while (above >= 0 && p->parts[above] < 0 && p->between[above]);
    lbio_person_axes(p, above, a);
    lb_rotation_multiply(a, limits->zero, a);
    lbio_rotation_conjugate(a, back);
    lbio_person_axes(p, p->holder[p->owners[segment]], b);
    for (int degrees = 1; degrees <= 180; degrees++) {
        lb_rotation_about(axis, sign * degrees * DEGREE, turn);
        lb_rotation_multiply(turn, b, turn);
        lb_rotation_multiply(back, turn, turn);
        lbio_rotation_swing_twist(turn, values);
        if (!is_inside(limits, values)) {
            return (degrees - 1) * DEGREE;
        }
    }
    return INFINITY;
}

void lbio_person_limit(const lbio_person *p, int segment, lb_joint *joint) {
    int owner = p->owners[segment];
    lbio_part_limits limits;
    if (p->options->limits == LB_LIMITS_NONE) {
        for (int d = 0; d < lb_joint_type_dof_count(&joint->type); d++) {
            joint->lower[d] = lb_joint_type_is_angle(&joint->type, d) ? -INFINITY : joint->lower[d];
            joint->upper[d] = lb_joint_type_is_angle(&joint->type, d) ? INFINITY : joint->upper[d];
        }
        joint->swing_count = 0;
    }
    if (owner < 0 || !wants_limits(p) || keeps_limits(p, joint) || joint->frozen ||
        !lbio_part_limits_of(owner, p->has, p->trunk_bones, &limits)) {
        return;
    }
    for (int e = 0; e < joint->type.element_count; e++) {
        double axis[3], came[3];
        if (joint->type.elements[e].kind > LB_ELEMENT_TRANSLATE) {
            return;
        }
        if (joint->type.elements[e].kind == LB_ELEMENT_ROTATE) {
            turn_at(p, p->rest, p->holder[owner], limits.zero, came);
            include(&limits, came);
            axis_of(p, joint, e, segment, axis);
            joint->lower[e] = joint->rest[e] - reach_of(p, segment, &limits, axis, -1);
            joint->upper[e] = joint->rest[e] + reach_of(p, segment, &limits, axis, 1);
        }
    }
}
