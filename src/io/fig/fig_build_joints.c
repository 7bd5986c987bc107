/* Joints, groups, drives and limits of a .fig file, put into the builder. */
#include "io/fig/fig.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Joints
 * ------------------------------------------------------------------------------------------------- */

/* One attribute's values for all dofs; `none` leaves what is there. */
static int set_values(fig_maker *maker, const fig_joint *said, const fig_values *values, const char *attribute,
                      const char *noun, double *out) {
    int dofs = lb_joint_type_dof_count(&said->type);
    if (values->line == 0) {
        return 1;
    }
    if (values->count != dofs) {
        return lbio_fig_fail(maker->reader, values->line, "`%s` has %d value%s; joint `%s` has %d dof%s, so give %d",
                             attribute, values->count, values->count == 1 ? "" : "s", said->name, dofs,
                             dofs == 1 ? "" : "s", dofs);
    }
    for (int i = 0; i < dofs; i++) {
        const fig_value *value = &values->values[i];
        int is_angle = lb_joint_type_is_angle(&said->type, i);
        char what[60];
        if (value->unit == FIG_NONE) {
            continue;
        }
        snprintf(what, sizeof what, "%s of a %s", noun, is_angle ? "rotation" : "translation");
        if (!lbio_fig_check_unit(maker->reader, value, is_angle ? FIG_ANGLE : FIG_LENGTH, what)) {
            return 0;
        }
        out[i] = value->number;
    }
    return 1;
}

/* Numbers without a unit. */
static int set_plain(fig_maker *maker, const fig_joint *said, const fig_values *values, const char *word,
                     const char *what, double *out) {
    int dofs = lb_joint_type_dof_count(&said->type);
    if (values->line && values->count != dofs) {
        return lbio_fig_fail(maker->reader, values->line, "`%s` has %d value%s; joint `%s` has %d dof%s, so give %d",
                             word, values->count, values->count == 1 ? "" : "s", said->name, dofs, dofs == 1 ? "" : "s",
                             dofs);
    }
    for (int i = 0; i < values->count; i++) {
        if (!lbio_fig_check_unit(maker->reader, &values->values[i], FIG_PLAIN, what)) {
            return 0;
        }
        out[i] = values->values[i].number;
    }
    return 1;
}

/* What a drive can do. */
static int set_drive(fig_maker *maker, const fig_joint *said, lb_joint *joint) {
    return set_values(maker, said, &said->velocity, "velocity", "the velocity", joint->velocity) &&
           set_values(maker, said, &said->acceleration, "acceleration", "the acceleration", joint->acceleration) &&
           set_values(maker, said, &said->soft_lower, "soft_llimit", "the soft limit", joint->soft_lower) &&
           set_values(maker, said, &said->soft_upper, "soft_ulimit", "the soft limit", joint->soft_upper) &&
           set_plain(maker, said, &said->effort, "effort", "an effort", joint->effort);
}

static int set_names(fig_maker *maker, const fig_joint *said, lb_joint *joint) {
    int dofs = lb_joint_type_dof_count(&said->type);
    if (said->names_line && said->name_count != dofs) {
        return lbio_fig_fail(maker->reader, said->names_line,
                             "`names` has %d name%s; joint `%s` has %d dof%s, so give %d", said->name_count,
                             said->name_count == 1 ? "" : "s", said->name, dofs, dofs == 1 ? "" : "s", dofs);
    }
    for (int i = 0; i < said->name_count; i++) {
        joint->dof_names[i] = said->names[i];
    }
    return 1;
}

static int set_swing(fig_maker *maker, const fig_joint *said, lb_joint *joint) {
    int count = said->cone_sides ? said->cone_sides : said->swing_count;
    if (count == 0) {
        return 1;
    }
    double(*swing)[2] = lbio_fig_take(maker->reader, (size_t)count * sizeof *swing);
    if (!swing) {
        return 0;
    }
    int i = 0;
    for (const fig_point *point = said->swing; point; point = point->next, i++) {
        swing[i][0] = point->x.number;
        swing[i][1] = point->y.number;
    }
    if (said->cone_sides) {
        lb_swing_cone(said->cone, count, swing);
    }
    joint->swing_count = count;
    joint->swing = (const double(*)[2])swing;
    return 1;
}

int lbio_fig_build_joints(fig_maker *maker) {
    for (const fig_joint *said = maker->file->joints.first; said; said = said->next) {
        lb_joint joint;
        lb_joint_defaults(&joint);
        joint.name = said->name;
        joint.type = said->type;
        joint.frozen = said->frozen;
        if (!lbio_fig_find_site(maker, &said->a, &joint.site_a) ||
            !lbio_fig_find_site(maker, &said->b, &joint.site_b) ||
            !set_values(maker, said, &said->lower, "llimit", "the limit", joint.lower) ||
            !set_values(maker, said, &said->upper, "ulimit", "the limit", joint.upper) ||
            !set_values(maker, said, &said->rest, "rest", "the rest", joint.rest) || !set_drive(maker, said, &joint) ||
            !set_plain(maker, said, &said->rigidity, "rigidity", "a rigidity", joint.rigidity) ||
            !set_names(maker, said, &joint) || !set_swing(maker, said, &joint)) {
            return 0;
        }
        if (lb_builder_add_joint(maker->builder, &joint) < 0) {
            return lbio_fig_builder_fail(maker, said->line);
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Groups
 * ------------------------------------------------------------------------------------------------- */

static int build_parameter(fig_maker *maker, const fig_parameter *said) {
    lb_parameter parameter;
    lb_parameter_defaults(&parameter);
    parameter.name = said->name;
    parameter.group = lb_builder_find_group(maker->builder, said->group);
    parameter.is_angle = said->kind == FIG_ANGLE;
    parameter.lower = said->has_lower ? said->lower.number : -INFINITY;
    parameter.upper = said->has_upper ? said->upper.number : INFINITY;
    parameter.rest = said->has_rest ? said->rest.number : 0;
    parameter.rigidity = said->rigidity;
    if (parameter.group < 0) {
        return lbio_fig_fail(maker->reader, said->line, "there is no group `%s`; add `group %s { }`", said->group,
                             said->group);
    }
    if (lb_builder_add_parameter(maker->builder, &parameter) < 0) {
        return lbio_fig_builder_fail(maker, said->line);
    }
    maker->parameters[maker->parameter_count++] = said;
    return 1;
}

int lbio_fig_build_groups(fig_maker *maker) {
    for (const fig_group *said = maker->file->groups.first; said; said = said->next) {
        if (lb_builder_add_group(maker->builder, said->name) < 0) {
            return lbio_fig_builder_fail(maker, said->line);
        }
        maker->group_count++;
    }
    size_t count = (size_t)maker->file->parameters.count;
    maker->parameters = lbio_fig_take(maker->reader, (count + 1) * sizeof *maker->parameters);
    if (!maker->parameters) {
        return 0;
    }
    for (const fig_parameter *said = maker->file->parameters.first; said; said = said->next) {
        if (!build_parameter(maker, said)) {
            return 0;
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Drives
 * ------------------------------------------------------------------------------------------------- */

static fig_unit unit_of(int is_angle) { return is_angle ? FIG_ANGLE : FIG_LENGTH; }

/* A coefficient turns one unit into another: it may carry the driven dof's where the two differ (2cm per radian). */
static int check_coefficient(fig_maker *maker, const fig_term *term, int source_is_angle, int target_is_angle) {
    fig_unit unit =
        source_is_angle == target_is_angle || term->curve != LB_CURVE_LINEAR ? FIG_PLAIN : unit_of(target_is_angle);
    return lbio_fig_check_unit(maker->reader, &term->coefficient, unit, "a factor");
}

static int set_points(fig_maker *maker, const fig_term *term, int source_is_angle, int target_is_angle,
                      lb_curve *curve) {
    double *points = lbio_fig_take(maker->reader, (size_t)term->point_count * 2 * sizeof *points);
    if (!points) {
        return 0;
    }
    int i = 0;
    for (const fig_point *point = term->points; point; point = point->next, i++) {
        if (!lbio_fig_check_unit(maker->reader, &point->x, unit_of(source_is_angle),
                                 "the first number of a curve's point") ||
            !lbio_fig_check_unit(maker->reader, &point->y, unit_of(target_is_angle),
                                 "the second number of a curve's point")) {
            return 0;
        }
        points[i] = point->x.number;
        points[term->point_count + i] =
            term->coefficient.number == 1 ? point->y.number : point->y.number * term->coefficient.number;
    }
    curve->count = term->point_count;
    curve->x = points;
    curve->y = points + term->point_count;
    return 1;
}

static int build_term(fig_maker *maker, const fig_drive *said, const fig_term *term, const lb_dof_ref *target,
                      lb_dof_ref *source) {
    lb_drive drive;
    lb_drive_defaults(&drive);
    if (!lbio_fig_find_dof(maker, said->group, &term->ref, source)) {
        return 0;
    }
    int from_angle = lbio_fig_dof_is_angle(maker, source), to_angle = lbio_fig_dof_is_angle(maker, target);
    if (!check_coefficient(maker, term, from_angle, to_angle)) {
        return 0;
    }
    drive.joint = target->joint;
    drive.dof = target->dof;
    drive.source = *source;
    drive.curve.kind = term->curve;
    drive.curve.slope = term->coefficient.number;
    drive.curve.offset = 0;
    if (term->has_offset) {
        if (!lbio_fig_check_unit(maker->reader, &term->offset, unit_of(to_angle), "the driven dof")) {
            return 0;
        }
        drive.curve.offset = term->offset.number;
    }
    if (term->curve != LB_CURVE_LINEAR && !set_points(maker, term, from_angle, to_angle, &drive.curve)) {
        return 0;
    }
    return lb_builder_add_drive(maker->builder, &drive) >= 0 || lbio_fig_builder_fail(maker, term->ref.line);
}

/* A constant beside curves only: a drive of slope 0. */
static int build_constant(fig_maker *maker, const fig_drive *said, const lb_dof_ref *target, const lb_dof_ref *source) {
    lb_drive drive;
    lb_drive_defaults(&drive);
    if (!said->sum.has_constant) {
        return 1;
    }
    if (!lbio_fig_check_unit(maker->reader, &said->sum.constant, unit_of(lbio_fig_dof_is_angle(maker, target)),
                             "the driven dof")) {
        return 0;
    }
    drive.joint = target->joint;
    drive.dof = target->dof;
    drive.source = *source;
    drive.curve.kind = LB_CURVE_LINEAR;
    drive.curve.slope = 0;
    drive.curve.offset = said->sum.constant.number;
    return lb_builder_add_drive(maker->builder, &drive) >= 0 || lbio_fig_builder_fail(maker, said->target.line);
}

static int find_target(fig_maker *maker, const fig_drive *said, lb_dof_ref *target) {
    if (said->is_mimic) {
        int joint = lb_builder_find_joint(maker->builder, said->target.first);
        const lb_joint *found = lb_builder_joint(maker->builder, joint);
        int dofs = found ? lb_joint_type_dof_count(&found->type) : 0;
        if (dofs != 1) {
            return lbio_fig_fail(
                maker->reader, said->target.line,
                "`mimic` is for joints of one dof and `%s` has %d; write `drive %s.dof = ...;` outside it",
                said->target.first, dofs, said->target.first);
        }
        *target = (lb_dof_ref){joint, 0, -1};
        return 1;
    }
    if (!lbio_fig_find_dof(maker, NULL, &said->target, target)) {
        return 0;
    }
    return target->joint >= 0 ||
           lbio_fig_fail(maker->reader, said->target.line, "`%s.%s` is a parameter; only dofs of joints can be driven",
                         said->target.first, said->target.second);
}

int lbio_fig_build_drives(fig_maker *maker) {
    int joints = lb_builder_joint_count(maker->builder);
    unsigned char *driven = lbio_fig_take(maker->reader, (size_t)joints + 1); /* one bit a dof */
    if (!driven) {
        return 0;
    }
    for (const fig_drive *said = maker->file->drives.first; said; said = said->next) {
        lb_dof_ref target, source = {-1, 0, -1};
        if (!find_target(maker, said, &target)) {
            return 0;
        }
        int bit = 1 << target.dof;
        if ((driven[target.joint] & bit) && !said->adds) {
            return lbio_fig_fail(maker->reader, said->target.line,
                                 "`%s%s%s` is driven twice; write one sum, or += to add to it", said->target.first,
                                 said->target.second ? "." : "", said->target.second ? said->target.second : "");
        }
        driven[target.joint] = (unsigned char)(driven[target.joint] | bit);
        for (const fig_term *term = said->sum.terms; term; term = term->next) {
            if (!build_term(maker, said, term, &target, &source)) {
                return 0;
            }
        }
        if (!build_constant(maker, said, &target, &source)) {
            return 0;
        }
    }
    return 1;
}

/* ---------------------------------------------------------------------------------------------------
 * Limits
 * ------------------------------------------------------------------------------------------------- */

/* Fills terms and coefficients; *angles and *lengths count the terms of each kind. */
static int build_limit_terms(fig_maker *maker, const fig_limit *said, lb_dof_ref *terms, double *coefficients,
                             int *angles, int *lengths) {
    double sign = said->relation == '>' ? -1 : 1;
    int i = 0;
    for (const fig_term *term = said->sum.terms; term; term = term->next, i++) {
        if (!lbio_fig_find_dof(maker, NULL, &term->ref, &terms[i]) ||
            !lbio_fig_check_unit(maker->reader, &term->coefficient, FIG_PLAIN, "a factor")) {
            return 0;
        }
        coefficients[i] = sign * term->coefficient.number;
        *(lbio_fig_dof_is_angle(maker, &terms[i]) ? angles : lengths) += 1;
    }
    return 1;
}

int lbio_fig_build_limits(fig_maker *maker) {
    for (const fig_limit *said = maker->file->limits.first; said; said = said->next) {
        int count = said->sum.term_count, angles = 0, lengths = 0;
        lb_dof_ref *terms = lbio_fig_take(maker->reader, (size_t)count * sizeof *terms);
        double *coefficients = lbio_fig_take(maker->reader, (size_t)count * sizeof *coefficients);
        if (!terms || !coefficients || !build_limit_terms(maker, said, terms, coefficients, &angles, &lengths)) {
            return 0;
        }
        fig_unit unit = lengths == 0 ? FIG_ANGLE : angles == 0 ? FIG_LENGTH : FIG_PLAIN;
        const char *what = lengths == 0  ? "a limit on angles"
                           : angles == 0 ? "a limit on lengths"
                                         : "a limit on angles and lengths together";
        if (!lbio_fig_check_unit(maker->reader, &said->bound, unit, what)) {
            return 0;
        }
        lb_limit limit;
        lb_limit_defaults(&limit);
        limit.name = said->name;
        limit.kind = said->relation == '=' ? LB_LIMIT_EQUAL : LB_LIMIT_AT_MOST;
        limit.count = count;
        limit.terms = terms;
        limit.coefficients = coefficients;
        limit.bound = said->relation == '>' ? -said->bound.number : said->bound.number;
        if (lb_builder_add_limit(maker->builder, &limit) < 0) {
            return lbio_fig_builder_fail(maker, said->line);
        }
    }
    return 1;
}
