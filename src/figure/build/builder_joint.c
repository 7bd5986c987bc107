/* Joints of a figure that is being built: their type, ranges, swing polygon and names are checked as they come. */
#include "figure/build/builder.h"

#include <string.h>

#include "figure/figure.h"
#include "math/rotation.h"

static lb_status check_type(lb_builder *b, const lb_joint *joint) {
    const lb_joint_type *type = &joint->type;
    int rotations = 0, translations = 0;
    if (type->element_count < 0 || type->element_count > LB_JOINT_MAX_DOFS) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "joint '", joint->name, "' has an element count that is not 0 to 6");
    }
    for (int i = 0; i < type->element_count; i++) {
        const lb_element *element = &type->elements[i];
        if ((int)element->kind < 0 || element->kind > LB_ELEMENT_ROTATION) {
            return LBF_FAIL(b, LB_ERROR_ARGUMENT, "joint '", joint->name, "' has an element of no known kind");
        }
        if (element->kind == LB_ELEMENT_TRANSLATE) {
            translations++;
        } else {
            rotations += element->kind == LB_ELEMENT_ROTATE ? 1 : 3;
        }
        if (element->kind == LB_ELEMENT_ROTATION) {
            continue;
        }
        if (!lbm_all_finite(element->axis, 3) || fabs(lbm_dot3(element->axis, element->axis) - 1) > 1e-9) {
            return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an axis of joint '", joint->name, "' is not a unit vector");
        }
    }
    if (rotations > 3 || translations > 3) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "joint '", joint->name,
                        "' has more than 3 rotations or 3 translations; split it into two joints");
    }
    return LB_OK;
}

lb_status lbf_check_range(lb_builder *b, const char *name, const char *dof, double lower, double upper, double rest,
                          double rigidity) {
    const char *dot = dof ? "." : "";
    if (!dof) {
        dof = "";
    }
    if (lower != lower || upper != upper || lower == INFINITY || upper == -INFINITY) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "a limit of '", name, dot, dof, "' is not a number that can be reached");
    }
    if (lower > upper) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "the lower limit of '", name, dot, dof,
                        "' is above its upper limit; swap them");
    }
    if (!lbm_is_finite(rest)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "the rest value of '", name, dot, dof, "' is not finite");
    }
    if (!(rigidity >= 0 && rigidity <= 1)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "the rigidity of '", name, dot, dof, "' is not between 0 and 1");
    }
    return LB_OK;
}

/* Speeds and efforts are positive, and may be infinite; so may soft limits be. */
static lb_status check_speeds(lb_builder *b, const lb_joint *joint, int dof) {
    if (!(joint->effort[dof] > 0)) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "the largest effort of joint '", joint->name,
                        "' is not above 0; give a number, or INFINITY for none");
    }
    if (joint->soft_lower[dof] != joint->soft_lower[dof] || joint->soft_upper[dof] != joint->soft_upper[dof]) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "a soft limit of joint '", joint->name, "' is not a number");
    }
    if (!(joint->velocity[dof] > 0) || !(joint->acceleration[dof] > 0)) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "the largest ", joint->velocity[dof] > 0 ? "acceleration" : "velocity",
                        " of joint '", joint->name, "' is not above 0; give a number, or INFINITY for none");
    }
    return LB_OK;
}

static double turn(const double a[2], const double b[2], const double c[2]) {
    return (b[0] - a[0]) * (c[1] - b[1]) - (b[1] - a[1]) * (c[0] - b[0]);
}

/* Every corner turns, and every vertex is on the inner side of every edge (else a pentagram would pass). */
static int is_convex(const double (*v)[2], int n, double area) {
    for (int i = 0; i < n; i++) {
        const double *a = v[i], *b = v[(i + 1) % n];
        if (turn(a, b, v[(i + 2) % n]) * area <= 0) {
            return 0;
        }
        for (int k = 0; k < n; k++) {
            if (k != i && v[k] != b && turn(a, b, v[k]) * area < 0) {
                return 0;
            }
        }
    }
    return 1;
}

/* A convex polygon, copied counter-clockwise. */
static lb_status take_swing(lb_builder *b, lb_joint *joint) {
    int n = joint->swing_count;
    if (n == 0) {
        joint->swing = NULL;
        return LB_OK;
    }
    if (n < 3 || n > 1000 || !joint->swing) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "the swing polygon of joint '", joint->name, "' needs 3 to 1000 vertices");
    }
    if (lbf_first_swing_dof(&joint->type) < 0) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "joint '", joint->name,
                        "' has a swing polygon but its type is no swing_twist");
    }
    const double(*v)[2] = joint->swing;
    double area = 0;
    for (int i = 0; i < n; i++) {
        if (!lbm_all_finite(v[i], 2)) {
            return LBF_FAIL(b, LB_ERROR_LIMIT, "a vertex of the swing polygon of joint '", joint->name,
                            "' is not finite");
        }
        area += v[i][0] * v[(i + 1) % n][1] - v[(i + 1) % n][0] * v[i][1];
    }
    if (area == 0) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "the swing polygon of joint '", joint->name, "' has no area");
    }
    if (!is_convex(v, n, area)) {
        return LBF_FAIL(b, LB_ERROR_LIMIT, "the swing polygon of joint '", joint->name,
                        "' is not convex, or its vertices are not in order; give them in order around it");
    }
    double(*copy)[2] = lbf_arena_take(&b->draft.arena, &b->draft.allocator, (size_t)n * sizeof *copy);
    if (!copy) {
        return lbf_no_memory(&b->error);
    }
    for (int i = 0; i < n; i++) {
        memcpy(copy[i], v[area > 0 ? i : n - 1 - i], sizeof *copy);
    }
    joint->swing = (const double(*)[2])copy;
    return LB_OK;
}

static lb_status take_dof_names(lb_builder *b, lb_joint *joint) {
    int dofs = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < dofs; i++) {
        const char *name = joint->dof_names[i];
        if (!name) {
            continue;
        }
        if (!*name) {
            return LBF_FAIL(b, LB_ERROR_NAME, "a dof of joint '", joint->name, "' has an empty name");
        }
        for (int k = 0; k < i; k++) {
            if (joint->dof_names[k] && strcmp(joint->dof_names[k], name) == 0) {
                return LBF_FAIL(b, LB_ERROR_NAME, "joint '", joint->name, "' has two dofs named '", name, "'");
            }
        }
        joint->dof_names[i] = lbf_arena_text(&b->draft.arena, &b->draft.allocator, name, NULL, NULL);
        if (!joint->dof_names[i]) {
            return lbf_no_memory(&b->error);
        }
    }
    return lbf_name_dofs(&b->draft, joint) ? LB_OK : lbf_no_memory(&b->error);
}

/* Everything of a joint but that its name is new; what it points to is copied. */
static lb_status take_joint(lb_builder *b, lb_joint *joint) {
    if (joint->site_a < 0 || joint->site_a >= b->draft.site_count || joint->site_b < 0 ||
        joint->site_b >= b->draft.site_count) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "joint '", joint->name, "' connects a site that does not exist");
    }
    if (b->draft.sites[joint->site_a].segment == b->draft.sites[joint->site_b].segment) {
        return LBF_FAIL(b, LB_ERROR_FIGURE, "joint '", joint->name, "' connects segment '",
                        b->draft.segments[b->draft.sites[joint->site_a].segment].name,
                        "' to itself; connect two segments");
    }
    lb_status status = check_type(b, joint);
    if (status || (status = take_dof_names(b, joint)) || (status = take_swing(b, joint))) {
        return status;
    }
    int dofs = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < dofs; i++) {
        status = lbf_check_range(b, joint->name, dofs > 1 ? joint->dof_names[i] : NULL, joint->lower[i],
                                 joint->upper[i], joint->rest[i], joint->rigidity[i]);
        status = status ? status : check_speeds(b, joint, i);
        if (status) {
            return status;
        }
    }
    for (int i = dofs; i < LB_JOINT_MAX_DOFS; i++) {
        joint->lower[i] = -INFINITY;
        joint->upper[i] = INFINITY;
        joint->rest[i] = joint->rigidity[i] = 0;
        joint->velocity[i] = joint->acceleration[i] = joint->effort[i] = INFINITY;
        joint->soft_lower[i] = -INFINITY, joint->soft_upper[i] = INFINITY;
    }
    joint->frozen = joint->frozen != 0;
    return LB_OK;
}

int lb_builder_add_joint(lb_builder *b, const lb_joint *joint) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!joint) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_joint copy = *joint;
    lb_status status = lbf_take_name(b, "joint", LBF_SCOPE_JOINT, joint->name, &copy.name);
    if (status || (status = take_joint(b, &copy)) || (status = LBF_ROOM(b, joint))) {
        return status;
    }
    int index = b->draft.joint_count++;
    b->draft.joints[index] = copy;
    lbf_index_name(b, LBF_SCOPE_JOINT, copy.name, index);
    return index;
}

lb_status lb_builder_change_joint(lb_builder *b, int joint, const lb_joint *changed) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!changed) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    if (joint < 0 || joint >= b->draft.joint_count) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "no joint of that number to change");
    }
    lb_joint copy = *changed;
    const char *old = b->draft.joints[joint].name;
    lb_status status = LB_OK;
    if (copy.name && strcmp(copy.name, old) == 0) {
        copy.name = old;
    } else {
        status = lbf_take_name(b, "joint", LBF_SCOPE_JOINT, changed->name, &copy.name);
    }
    if (status || (status = take_joint(b, &copy))) {
        return status;
    }
    lb_joint before = b->draft.joints[joint];
    b->draft.joints[joint] = copy;
    /* Drives and limits on dofs that the new type lacks go. */
    size_t parts = (size_t)b->draft.segment_count + (size_t)b->draft.joint_count;
    unsigned char *keep = lbf_new(&b->draft.allocator, parts, 1);
    if (keep) {
        memset(keep, 1, parts);
    }
    int filtered = keep && lbf_draft_filter(&b->draft, keep, keep + b->draft.segment_count);
    lbf_delete(&b->draft.allocator, keep, parts, 1);
    if (filtered) {
        return LB_OK;
    }
    b->draft.joints[joint] = before;
    return lbf_no_memory(&b->error);
}
