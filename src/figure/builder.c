/* Building a figure: every part is checked as it comes; what needs all parts together is checked by lbf_compile. */
#include "figure/builder.h"

#include <string.h>

#include "figure/figure.h"
#include "math/rotation.h"
#include "math/rounding.h"
#include "math/strict.h"

#define FAIL(builder, status, ...) lbf_fail(&(builder)->error, status, __VA_ARGS__, (char *)0)

lb_status lbf_no_memory(lb_error *error) { return lbf_fail(error, LB_ERROR_MEMORY, "out of memory", (char *)0); }

static lb_builder *fail_create(lb_error *error, lb_status status, const char *message) {
    lbf_fail(error, status, message, (char *)0);
    return NULL;
}

lb_builder *lb_builder_create(const lb_allocator *allocator, lb_error *error) {
    lb_allocator a = lbf_allocator(allocator);
    lb_builder *builder = lbf_new(&a, 1, sizeof *builder);
    if (!builder) {
        return fail_create(error, LB_ERROR_MEMORY, "out of memory");
    }
    lbf_draft_init(&builder->draft, &a);
    lbf_clear(error);
    return builder;
}

lb_builder *lb_builder_from(const lb_figure *figure, lb_error *error) {
    if (!figure) {
        return fail_create(error, LB_ERROR_ARGUMENT, "there is no figure to make a builder from");
    }
    lb_builder *builder = lb_builder_create(&figure->draft.allocator, error);
    if (builder && !lbf_draft_copy(&builder->draft, &figure->draft)) {
        lb_builder_destroy(builder);
        return fail_create(error, LB_ERROR_MEMORY, "out of memory");
    }
    return builder;
}

void lb_builder_destroy(lb_builder *builder) {
    if (!builder) {
        return;
    }
    lb_allocator a = builder->draft.allocator;
    lbf_draft_free(&builder->draft);
    lbf_delete(&a, builder, 1, sizeof *builder);
}

const lb_error *lb_builder_error(const lb_builder *builder) { return builder ? &builder->error : NULL; }

/* A copy of a name in *copy, if it can be one: not empty, without control characters, and new in its scope. */
static lb_status take_name(lb_builder *b, const char *kind, int scope, const char *name, const char **copy) {
    if (!name || !*name) {
        return FAIL(b, LB_ERROR_NAME, "a ", kind, " without a name; give it one");
    }
    for (const char *at = name; *at; at++) {
        if ((unsigned char)*at < 32) {
            return FAIL(b, LB_ERROR_NAME, "the name of a ", kind, " has a control character in it; use plain text");
        }
    }
    if (lbf_names_find(&b->draft.names, scope, name) >= 0) {
        return FAIL(b, LB_ERROR_NAME, "there are two ", kind, "s named '", name, "'; rename one");
    }
    *copy = lbf_arena_text(&b->draft.arena, &b->draft.allocator, name, NULL, NULL);
    return *copy ? LB_OK : lbf_no_memory(&b->error);
}

static lb_status check_frame(lb_builder *b, const char *kind, const char *name, lb_frame *frame) {
    if (!lbm_all_finite(frame->position, 3)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "the position of ", kind, " '", name, "' is not finite");
    }
    if (!lbm_quaternion_normalise(frame->rotation)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "the rotation of ", kind, " '", name,
                    "' is not finite or zero; the identity is 0 0 0 1");
    }
    return LB_OK;
}

/* Room for one more part; the name index gets room too, so that adding to it cannot fail. */
#define ROOM(b, part)                                                                                          \
    ((b)->draft.part##_count >= LBF_MAX_PARTS ? FAIL(b, LB_ERROR_TOO_LARGE, "more than 10 million " #part "s") \
     : lbf_grow(&(b)->draft.allocator, (void **)&(b)->draft.part##s, &(b)->draft.part##_capacity,              \
                (b)->draft.part##_count + 1, sizeof *(b)->draft.part##s) &&                                    \
             lbf_names_reserve(&(b)->draft.names, &(b)->draft.allocator, (b)->draft.names.count + 1)           \
         ? LB_OK                                                                                               \
         : lbf_no_memory(&(b)->error))

static void index_name(lb_builder *b, int scope, const char *name, int value) {
    lbf_names_set(&b->draft.names, &b->draft.allocator, scope, name, value);
}

lb_status lb_builder_set_name(lb_builder *builder, const char *name) {
    if (!builder) {
        return LB_ERROR_ARGUMENT;
    }
    if (!name || !*name) {
        return FAIL(builder, LB_ERROR_NAME, "the figure's name is empty");
    }
    const char *copy = lbf_arena_text(&builder->draft.arena, &builder->draft.allocator, name, NULL, NULL);
    if (!copy) {
        return lbf_no_memory(&builder->error);
    }
    builder->draft.name = copy;
    return LB_OK;
}

lb_status lb_builder_set_stature(lb_builder *builder, double stature_m) {
    if (!builder) {
        return LB_ERROR_ARGUMENT;
    }
    if (!lbm_is_finite(stature_m) || stature_m < 0) {
        return FAIL(builder, LB_ERROR_ARGUMENT, "the stature is negative or not finite");
    }
    builder->draft.stature = stature_m;
    return LB_OK;
}

int lb_builder_add_segment(lb_builder *b, const lb_segment *segment) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!segment) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_segment copy = *segment;
    lb_status status = take_name(b, "segment", LBF_SCOPE_SEGMENT, segment->name, &copy.name);
    if (status) {
        return status;
    }
    if (!lbm_is_finite(copy.mass) || copy.mass < 0) {
        return FAIL(b, LB_ERROR_ARGUMENT, "the mass of segment '", copy.name, "' is negative or not finite");
    }
    if (!lbm_all_finite(copy.com, 3)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "the centre of mass of segment '", copy.name, "' is not finite");
    }
    if ((status = ROOM(b, segment))) {
        return status;
    }
    int index = b->draft.segment_count++;
    b->draft.segments[index] = copy;
    index_name(b, LBF_SCOPE_SEGMENT, copy.name, index);
    return index;
}

static lb_status check_segment(lb_builder *b, const char *kind, int segment) {
    if (segment >= 0 && segment < b->draft.segment_count) {
        return LB_OK;
    }
    char number[24];
    return FAIL(b, LB_ERROR_ARGUMENT, "a ", kind, " on segment number ", lbf_integer_text(segment, number),
                ", which does not exist");
}

int lb_builder_add_site(lb_builder *b, const lb_site *site) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!site) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_site copy = *site;
    lb_status status = check_segment(b, "site", site->segment);
    if (status) {
        return status;
    }
    status = take_name(b, "site", lbf_scope_of_site(site->segment), site->name, &copy.name);
    if (status || (status = check_frame(b, "site", copy.name, &copy.frame)) || (status = ROOM(b, site))) {
        return status;
    }
    int index = b->draft.site_count++;
    b->draft.sites[index] = copy;
    index_name(b, lbf_scope_of_site(copy.segment), copy.name, index);
    return index;
}

int lb_builder_add_shape(lb_builder *b, const lb_shape *shape) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!shape) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    static const int sizes[] = {1, 3, 3, 2, 3}; /* how many of size[] each kind uses */
    lb_shape copy = *shape;
    lb_status status = check_segment(b, "shape", shape->segment);
    if (status) {
        return status;
    }
    const char *name = b->draft.segments[copy.segment].name;
    if ((int)copy.kind < 0 || copy.kind > LB_SHAPE_ELLIPSOID) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a shape of segment '", name, "' is of no known kind");
    }
    if ((status = check_frame(b, "a shape of segment", name, &copy.frame))) {
        return status;
    }
    for (int i = 0; i < 3; i++) {
        if (i >= sizes[copy.kind]) {
            copy.size[i] = 0;
        } else if (!lbm_is_finite(copy.size[i]) || copy.size[i] < 0) {
            return FAIL(b, LB_ERROR_ARGUMENT, "a shape of segment '", name,
                        "' has a negative size, or one that is not finite");
        }
    }
    if ((status = ROOM(b, shape))) {
        return status;
    }
    b->draft.shapes[b->draft.shape_count] = copy;
    return b->draft.shape_count++;
}

/* --- Joints --------------------------------------------------------------------------------------- */

static lb_status check_type(lb_builder *b, const lb_joint *joint) {
    const lb_joint_type *type = &joint->type;
    int rotations = 0, translations = 0;
    if (type->element_count < 0 || type->element_count > LB_JOINT_MAX_DOFS) {
        return FAIL(b, LB_ERROR_ARGUMENT, "joint '", joint->name, "' has an element count that is not 0 to 6");
    }
    for (int i = 0; i < type->element_count; i++) {
        const lb_element *element = &type->elements[i];
        if ((int)element->kind < 0 || element->kind > LB_ELEMENT_ROTATION) {
            return FAIL(b, LB_ERROR_ARGUMENT, "joint '", joint->name, "' has an element of no known kind");
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
            return FAIL(b, LB_ERROR_ARGUMENT, "an axis of joint '", joint->name, "' is not a unit vector");
        }
    }
    if (rotations > 3 || translations > 3) {
        return FAIL(b, LB_ERROR_ARGUMENT, "joint '", joint->name,
                    "' has more than 3 rotations or 3 translations; split it into two joints");
    }
    return LB_OK;
}

static lb_status check_range(lb_builder *b, const char *name, const char *dof, double lower, double upper, double rest,
                             double rigidity) {
    const char *dot = dof ? "." : "";
    if (!dof) {
        dof = "";
    }
    if (lower != lower || upper != upper || lower == INFINITY || upper == -INFINITY) {
        return FAIL(b, LB_ERROR_LIMIT, "a limit of '", name, dot, dof, "' is not a number that can be reached");
    }
    if (lower > upper) {
        return FAIL(b, LB_ERROR_LIMIT, "the lower limit of '", name, dot, dof, "' is above its upper limit; swap them");
    }
    if (!lbm_is_finite(rest)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "the rest value of '", name, dot, dof, "' is not finite");
    }
    if (!(rigidity >= 0 && rigidity <= 1)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "the rigidity of '", name, dot, dof, "' is not between 0 and 1");
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
        return FAIL(b, LB_ERROR_LIMIT, "the swing polygon of joint '", joint->name, "' needs 3 to 1000 vertices");
    }
    if (lbf_first_swing_dof(&joint->type) < 0) {
        return FAIL(b, LB_ERROR_LIMIT, "joint '", joint->name, "' has a swing polygon but its type is no swing_twist");
    }
    const double(*v)[2] = joint->swing;
    double area = 0;
    for (int i = 0; i < n; i++) {
        if (!lbm_all_finite(v[i], 2)) {
            return FAIL(b, LB_ERROR_LIMIT, "a vertex of the swing polygon of joint '", joint->name, "' is not finite");
        }
        area += v[i][0] * v[(i + 1) % n][1] - v[(i + 1) % n][0] * v[i][1];
    }
    if (area == 0) {
        return FAIL(b, LB_ERROR_LIMIT, "the swing polygon of joint '", joint->name, "' has no area");
    }
    if (!is_convex(v, n, area)) {
        return FAIL(b, LB_ERROR_LIMIT, "the swing polygon of joint '", joint->name,
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
            return FAIL(b, LB_ERROR_NAME, "a dof of joint '", joint->name, "' has an empty name");
        }
        for (int k = 0; k < i; k++) {
            if (joint->dof_names[k] && strcmp(joint->dof_names[k], name) == 0) {
                return FAIL(b, LB_ERROR_NAME, "joint '", joint->name, "' has two dofs named '", name, "'");
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
        return FAIL(b, LB_ERROR_ARGUMENT, "joint '", joint->name, "' connects a site that does not exist");
    }
    if (b->draft.sites[joint->site_a].segment == b->draft.sites[joint->site_b].segment) {
        return FAIL(b, LB_ERROR_FIGURE, "joint '", joint->name, "' connects segment '",
                    b->draft.segments[b->draft.sites[joint->site_a].segment].name, "' to itself; connect two segments");
    }
    lb_status status = check_type(b, joint);
    if (status || (status = take_dof_names(b, joint)) || (status = take_swing(b, joint))) {
        return status;
    }
    int dofs = lb_joint_type_dof_count(&joint->type);
    for (int i = 0; i < dofs; i++) {
        status = check_range(b, joint->name, dofs > 1 ? joint->dof_names[i] : NULL, joint->lower[i], joint->upper[i],
                             joint->rest[i], joint->rigidity[i]);
        if (status) {
            return status;
        }
    }
    for (int i = dofs; i < LB_JOINT_MAX_DOFS; i++) {
        joint->lower[i] = -INFINITY;
        joint->upper[i] = INFINITY;
        joint->rest[i] = joint->rigidity[i] = 0;
    }
    joint->frozen = joint->frozen != 0;
    return LB_OK;
}

int lb_builder_add_joint(lb_builder *b, const lb_joint *joint) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!joint) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_joint copy = *joint;
    lb_status status = take_name(b, "joint", LBF_SCOPE_JOINT, joint->name, &copy.name);
    if (status || (status = take_joint(b, &copy)) || (status = ROOM(b, joint))) {
        return status;
    }
    int index = b->draft.joint_count++;
    b->draft.joints[index] = copy;
    index_name(b, LBF_SCOPE_JOINT, copy.name, index);
    return index;
}

lb_status lb_builder_change_joint(lb_builder *b, int joint, const lb_joint *changed) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!changed) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    if (joint < 0 || joint >= b->draft.joint_count) {
        return FAIL(b, LB_ERROR_ARGUMENT, "no joint of that number to change");
    }
    lb_joint copy = *changed;
    const char *old = b->draft.joints[joint].name;
    lb_status status = LB_OK;
    if (copy.name && strcmp(copy.name, old) == 0) {
        copy.name = old;
    } else {
        status = take_name(b, "joint", LBF_SCOPE_JOINT, changed->name, &copy.name);
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

/* --- Groups, drives, limits, root -------------------------------------------------------------------- */

int lb_builder_add_group(lb_builder *b, const char *name) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!name) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_group copy;
    lb_status status = take_name(b, "group", LBF_SCOPE_GROUP, name, &copy.name);
    if (status || (status = ROOM(b, group))) {
        return status;
    }
    int index = b->draft.group_count++;
    b->draft.groups[index] = copy;
    index_name(b, LBF_SCOPE_GROUP, copy.name, index);
    return index;
}

int lb_builder_add_parameter(lb_builder *b, const lb_parameter *parameter) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!parameter) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_parameter copy = *parameter;
    if (copy.group < 0 || copy.group >= b->draft.group_count) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a parameter of a group that does not exist");
    }
    lb_status status = take_name(b, "parameter", lbf_scope_of_parameter(copy.group), parameter->name, &copy.name);
    if (status) {
        return status;
    }
    status =
        check_range(b, b->draft.groups[copy.group].name, copy.name, copy.lower, copy.upper, copy.rest, copy.rigidity);
    if (status || (status = ROOM(b, parameter))) {
        return status;
    }
    copy.is_angle = copy.is_angle != 0;
    int index = b->draft.parameter_count++;
    b->draft.parameters[index] = copy;
    index_name(b, lbf_scope_of_parameter(copy.group), copy.name, index);
    return index;
}

static int dof_exists(const lbf_draft *d, int joint, int dof) {
    return joint >= 0 && joint < d->joint_count && dof >= 0 && dof < lb_joint_type_dof_count(&d->joints[joint].type);
}

static int ref_exists(const lbf_draft *d, const lb_dof_ref *ref) {
    return ref->joint >= 0 ? dof_exists(d, ref->joint, ref->dof)
                           : ref->parameter >= 0 && ref->parameter < d->parameter_count;
}

static lb_status take_curve(lb_builder *b, lb_curve *curve) {
    if (curve->kind == LB_CURVE_LINEAR) {
        curve->count = 0;
        curve->x = curve->y = NULL;
        if (lbm_is_finite(curve->offset) && lbm_is_finite(curve->slope)) {
            return LB_OK;
        }
        return FAIL(b, LB_ERROR_ARGUMENT, "a drive's offset or slope is not finite");
    }
    if (curve->kind != LB_CURVE_POLYLINE && curve->kind != LB_CURVE_SPLINE) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a drive's curve is of no known kind");
    }
    if (curve->count < 2 || curve->count > 100000 || !curve->x || !curve->y) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a drive's curve needs 2 to 100000 points");
    }
    if (!lbm_all_finite(curve->x, curve->count) || !lbm_all_finite(curve->y, curve->count)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a point of a drive's curve is not finite");
    }
    for (int i = 1; i < curve->count; i++) {
        if (!(curve->x[i] > curve->x[i - 1])) {
            return FAIL(b, LB_ERROR_ARGUMENT, "the points of a drive's curve are not in increasing order; sort them");
        }
    }
    curve->offset = curve->slope = 0;
    size_t size = (size_t)curve->count * sizeof *curve->x;
    curve->x = lbf_arena_copy(&b->draft.arena, &b->draft.allocator, curve->x, size);
    curve->y = lbf_arena_copy(&b->draft.arena, &b->draft.allocator, curve->y, size);
    return curve->x && curve->y ? LB_OK : lbf_no_memory(&b->error);
}

int lb_builder_add_drive(lb_builder *b, const lb_drive *drive) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!drive) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_drive copy = *drive;
    if (!dof_exists(&b->draft, copy.joint, copy.dof) || !ref_exists(&b->draft, &copy.source)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a drive from or to a dof that does not exist");
    }
    if (copy.source.joint == copy.joint && copy.source.dof == copy.dof) {
        return FAIL(b, LB_ERROR_FIGURE, "joint '", b->draft.joints[copy.joint].name, "' drives itself");
    }
    lb_status status = take_curve(b, &copy.curve);
    if (status || (status = ROOM(b, drive))) {
        return status;
    }
    b->draft.drives[b->draft.drive_count] = copy;
    return b->draft.drive_count++;
}

int lb_builder_add_limit(lb_builder *b, const lb_limit *limit) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!limit) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_limit copy = *limit;
    if (copy.count < 1 || copy.count > 10000 || !copy.terms || !copy.coefficients) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a limit needs 1 to 10000 terms");
    }
    if (copy.kind != LB_LIMIT_AT_MOST && copy.kind != LB_LIMIT_EQUAL) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a limit is of no known kind");
    }
    if (!lbm_all_finite(copy.coefficients, copy.count) || !lbm_is_finite(copy.bound)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "a limit's coefficient or bound is not finite");
    }
    for (int i = 0; i < copy.count; i++) {
        if (!ref_exists(&b->draft, &copy.terms[i])) {
            return FAIL(b, LB_ERROR_ARGUMENT, "a limit names a dof that does not exist");
        }
    }
    copy.terms =
        lbf_arena_copy(&b->draft.arena, &b->draft.allocator, copy.terms, (size_t)copy.count * sizeof *copy.terms);
    copy.coefficients = lbf_arena_copy(&b->draft.arena, &b->draft.allocator, copy.coefficients,
                                       (size_t)copy.count * sizeof *copy.coefficients);
    if (!copy.terms || !copy.coefficients) {
        return lbf_no_memory(&b->error);
    }
    if (copy.name && !(copy.name = lbf_arena_text(&b->draft.arena, &b->draft.allocator, copy.name, NULL, NULL))) {
        return lbf_no_memory(&b->error);
    }
    lb_status status = ROOM(b, limit);
    if (status) {
        return status;
    }
    b->draft.limits[b->draft.limit_count] = copy;
    return b->draft.limit_count++;
}

lb_status lb_builder_set_root(lb_builder *b, const lb_root *root) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!root) {
        return FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_root copy = *root;
    lb_status status = check_segment(b, "root", copy.segment);
    if (status) {
        return status;
    }
    if (copy.site >= b->draft.site_count || (copy.site >= 0 && b->draft.sites[copy.site].segment != copy.segment)) {
        return FAIL(b, LB_ERROR_ARGUMENT, "the root's site is not on the root's segment");
    }
    if ((status = check_frame(b, "the root at segment", b->draft.segments[copy.segment].name, &copy.placement))) {
        return status;
    }
    copy.is_free = copy.is_free != 0;
    if (copy.site < 0) {
        copy.site = -1;
    }
    b->draft.root = copy;
    b->draft.has_root = 1;
    return LB_OK;
}

lb_status lb_builder_finish(lb_builder *builder, lb_figure **figure) {
    if (!builder) {
        return LB_ERROR_ARGUMENT;
    }
    if (!figure) {
        return FAIL(builder, LB_ERROR_ARGUMENT, "no place for the figure");
    }
    LBM_ROUND_TO_NEAREST(rounding);
    const char *reason = rounding.is_nearest ? lbm_strict() : LBM_NOT_NEAREST;
    if (reason) {
        return FAIL(builder, LB_ERROR_UNSUPPORTED, reason);
    }
    lbf_clear(&builder->error);
    return lbf_compile(&builder->draft, figure, &builder->error);
}

/* --- What is there ------------------------------------------------------------------------------------ */

int lb_builder_segment_count(const lb_builder *builder) { return builder ? builder->draft.segment_count : 0; }
int lb_builder_site_count(const lb_builder *builder) { return builder ? builder->draft.site_count : 0; }
int lb_builder_joint_count(const lb_builder *builder) { return builder ? builder->draft.joint_count : 0; }

const lb_segment *lb_builder_segment(const lb_builder *b, int segment) {
    if (!b) {
        return NULL;
    }
    return segment >= 0 && segment < b->draft.segment_count ? &b->draft.segments[segment] : NULL;
}

const lb_site *lb_builder_site(const lb_builder *b, int site) {
    if (!b) {
        return NULL;
    }
    return site >= 0 && site < b->draft.site_count ? &b->draft.sites[site] : NULL;
}

const lb_joint *lb_builder_joint(const lb_builder *b, int joint) {
    if (!b) {
        return NULL;
    }
    return joint >= 0 && joint < b->draft.joint_count ? &b->draft.joints[joint] : NULL;
}

int lb_builder_find_segment(const lb_builder *b, const char *name) {
    if (!b || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&b->draft.names, LBF_SCOPE_SEGMENT, name);
}

int lb_builder_find_site(const lb_builder *b, int segment, const char *name) {
    if (!b || !name || segment < 0 || segment >= b->draft.segment_count) {
        return LB_ERROR_ARGUMENT;
    }
    return segment < 0 ? -1 : lbf_names_find(&b->draft.names, lbf_scope_of_site(segment), name);
}

int lb_builder_find_joint(const lb_builder *b, const char *name) {
    if (!b || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&b->draft.names, LBF_SCOPE_JOINT, name);
}

int lb_builder_find_group(const lb_builder *b, const char *name) {
    if (!b || !name) {
        return LB_ERROR_ARGUMENT;
    }
    return lbf_names_find(&b->draft.names, LBF_SCOPE_GROUP, name);
}

int lb_builder_find_parameter(const lb_builder *b, int group, const char *name) {
    if (!b || !name || group < 0 || group >= b->draft.group_count) {
        return LB_ERROR_ARGUMENT;
    }
    return group < 0 ? -1 : lbf_names_find(&b->draft.names, lbf_scope_of_parameter(group), name);
}

/* A name in a scope of which only the first `size` characters count. */
static int find_prefix(const lb_builder *b, int scope, const char *name, size_t size) {
    char text[256];
    if (size >= sizeof text) {
        return -1;
    }
    memcpy(text, name, size);
    text[size] = 0;
    return lbf_names_find(&b->draft.names, scope, text);
}

lb_status lb_builder_find_dof(const lb_builder *b, const char *name, lb_dof_ref *ref) {
    if (!b || !name || !ref) {
        return LB_ERROR_ARGUMENT;
    }
    int joint = lb_builder_find_joint(b, name);
    if (joint >= 0 && lb_joint_type_dof_count(&b->draft.joints[joint].type) == 1) {
        *ref = (lb_dof_ref){joint, 0, -1};
        return LB_OK;
    }
    for (const char *dot = strchr(name, '.'); dot; dot = strchr(dot + 1, '.')) { /* names may hold dots themselves */
        size_t size = (size_t)(dot - name);
        joint = find_prefix(b, LBF_SCOPE_JOINT, name, size);
        int dofs = joint < 0 ? 0 : lb_joint_type_dof_count(&b->draft.joints[joint].type);
        for (int i = 0; i < dofs; i++) {
            if (strcmp(b->draft.joints[joint].dof_names[i], dot + 1) == 0) {
                *ref = (lb_dof_ref){joint, i, -1};
                return LB_OK;
            }
        }
        int parameter = lb_builder_find_parameter(b, find_prefix(b, LBF_SCOPE_GROUP, name, size), dot + 1);
        if (parameter >= 0) {
            *ref = (lb_dof_ref){-1, 0, parameter};
            return LB_OK;
        }
    }
    return LB_ERROR_NAME;
}
