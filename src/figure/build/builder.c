/* Building a figure: every part is checked as it comes; what needs all parts together is checked by lbf_compile. */
#include "figure/build/builder.h"

#include <string.h>

#include "figure/figure.h"
#include "figure/hull/hull.h"
#include "math/rotation.h"
#include "math/rounding.h"
#include "math/strict.h"

lb_status lbf_no_memory(lb_error *error) { return lbf_fail(error, LB_ERROR_MEMORY, "out of memory", (char *)0); }

lb_builder *lb_builder_create(const lb_allocator *allocator, lb_error *error) {
    lb_allocator a = lbf_allocator(allocator);
    lb_builder *builder = lbf_new(&a, 1, sizeof *builder);
    if (!builder) {
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
    }
    lbf_draft_init(&builder->draft, &a);
    lbf_clear(error);
    return builder;
}

lb_builder *lb_builder_from(const lb_figure *figure, lb_error *error) {
    if (!figure) {
        return lbf_none(error, LB_ERROR_ARGUMENT, "there is no figure to make a builder from");
    }
    lb_builder *builder = lb_builder_create(&figure->draft.allocator, error);
    if (builder && !lbf_draft_copy(&builder->draft, &figure->draft)) {
        lb_builder_destroy(builder);
        return lbf_none(error, LB_ERROR_MEMORY, "out of memory");
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

lb_status lbf_take_name(lb_builder *b, const char *kind, int scope, const char *name, const char **copy) {
    if (!name || !*name) {
        return LBF_FAIL(b, LB_ERROR_NAME, "a ", kind, " without a name; give it one");
    }
    for (const char *at = name; *at; at++) {
        if ((unsigned char)*at < 32) {
            return LBF_FAIL(b, LB_ERROR_NAME, "the name of a ", kind, " has a control character in it; use plain text");
        }
    }
    if (lbf_names_find(&b->draft.names, scope, name) >= 0) {
        return LBF_FAIL(b, LB_ERROR_NAME, "there are two ", kind, "s named '", name, "'; rename one");
    }
    *copy = lbf_arena_text(&b->draft.arena, &b->draft.allocator, name, NULL, NULL);
    return *copy ? LB_OK : lbf_no_memory(&b->error);
}

lb_status lbf_check_frame(lb_builder *b, const char *kind, const char *name, lb_frame *frame) {
    if (!lbm_all_finite(frame->position, 3)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "the position of ", kind, " '", name, "' is not finite");
    }
    if (!lbm_quaternion_normalise(frame->rotation)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "the rotation of ", kind, " '", name,
                        "' is not finite or zero; the identity is 0 0 0 1");
    }
    return LB_OK;
}

void lbf_index_name(lb_builder *b, int scope, const char *name, int value) {
    lbf_names_set(&b->draft.names, &b->draft.allocator, scope, name, value);
}

lb_status lb_builder_set_name(lb_builder *builder, const char *name) {
    if (!builder) {
        return LB_ERROR_ARGUMENT;
    }
    if (!name || !*name) {
        return LBF_FAIL(builder, LB_ERROR_NAME, "the figure's name is empty");
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
        return LBF_FAIL(builder, LB_ERROR_ARGUMENT, "the stature is negative or not finite");
    }
    builder->draft.stature = stature_m;
    return LB_OK;
}

int lb_builder_add_segment(lb_builder *b, const lb_segment *segment) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!segment) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_segment copy = *segment;
    lb_status status = lbf_take_name(b, "segment", LBF_SCOPE_SEGMENT, segment->name, &copy.name);
    if (status) {
        return status;
    }
    if (!lbm_is_finite(copy.mass) || copy.mass < 0) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "the mass of segment '", copy.name, "' is negative or not finite");
    }
    if (!lbm_all_finite(copy.com, 3)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "the centre of mass of segment '", copy.name, "' is not finite");
    }
    if ((status = LBF_ROOM(b, segment))) {
        return status;
    }
    int index = b->draft.segment_count++;
    b->draft.segments[index] = copy;
    lbf_index_name(b, LBF_SCOPE_SEGMENT, copy.name, index);
    return index;
}

static lb_status check_segment(lb_builder *b, const char *kind, int segment) {
    if (segment >= 0 && segment < b->draft.segment_count) {
        return LB_OK;
    }
    char number[24];
    return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a ", kind, " on segment number ", lbf_integer_text(segment, number),
                    ", which does not exist");
}

int lb_builder_add_site(lb_builder *b, const lb_site *site) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!site) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_site copy = *site;
    lb_status status = check_segment(b, "site", site->segment);
    if (status) {
        return status;
    }
    status = lbf_take_name(b, "site", lbf_scope_of_site(site->segment), site->name, &copy.name);
    if (status || (status = lbf_check_frame(b, "site", copy.name, &copy.frame)) || (status = LBF_ROOM(b, site))) {
        return status;
    }
    int index = b->draft.site_count++;
    b->draft.sites[index] = copy;
    lbf_index_name(b, lbf_scope_of_site(copy.segment), copy.name, index);
    return index;
}

/* A mesh's points and triangles, copied into the draft's arena. */
static lb_status take_mesh(lb_builder *b, const char *name, lb_shape *shape) {
    lbf_draft *d = &b->draft;
    int is_whole = shape->vertex_count > 0 && shape->vertices && shape->triangle_count > 0 && shape->triangles;
    for (int i = 0; is_whole && i < shape->vertex_count; i++) {
        is_whole = lbm_all_finite(shape->vertices[i], 3);
    }
    for (int t = 0; is_whole && t < shape->triangle_count; t++) {
        for (int k = 0; k < 3; k++) {
            is_whole &= shape->triangles[t][k] >= 0 && shape->triangles[t][k] < shape->vertex_count;
        }
    }
    if (!is_whole || shape->use != LB_SHAPE_USE_DRAWN) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a mesh of segment '", name,
                        "' needs finite vertices, triangles between them, and to be drawn only");
    }
    shape->vertices = lbf_arena_copy(&d->arena, &d->allocator, shape->vertices,
                                     (size_t)shape->vertex_count * sizeof *shape->vertices);
    shape->triangles = lbf_arena_copy(&d->arena, &d->allocator, shape->triangles,
                                      (size_t)shape->triangle_count * sizeof *shape->triangles);
    return shape->vertices && shape->triangles ? LB_OK : LBF_FAIL(b, LB_ERROR_MEMORY, "out of memory");
}

/* The hull of a shape's points, or its mesh, kept in the draft's arena. Shapes of other kinds have none. */
static lb_status take_surface(lb_builder *b, const char *name, lb_shape *shape) {
    const int count = shape->vertex_count;
    const double(*points)[3] = shape->vertices;
    if (shape->kind == LB_SHAPE_MESH) {
        return take_mesh(b, name, shape);
    }
    shape->vertex_count = shape->triangle_count = 0;
    shape->vertices = NULL;
    shape->triangles = NULL;
    if (shape->kind != LB_SHAPE_HULL) {
        return LB_OK;
    }
    lbf_draft *d = &b->draft;
    lbf_hull hull;
    lb_status status = lbf_hull_make(&d->allocator, count, points, &hull);
    if (status == LB_ERROR_ARGUMENT) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a hull of segment '", name,
                        "' has no points, or one that is not finite");
    }
    if (!status) {
        shape->vertex_count = hull.vertex_count;
        shape->triangle_count = hull.triangle_count;
        shape->vertices =
            lbf_arena_copy(&d->arena, &d->allocator, hull.vertices, (size_t)hull.vertex_count * sizeof *hull.vertices);
        shape->triangles = lbf_arena_copy(&d->arena, &d->allocator, hull.triangles,
                                          (size_t)hull.triangle_count * sizeof *hull.triangles);
        lbf_hull_free(&d->allocator, &hull);
    }
    return shape->vertices && shape->triangles ? LB_OK : LBF_FAIL(b, LB_ERROR_MEMORY, "out of memory");
}

int lb_builder_add_shape(lb_builder *b, const lb_shape *shape) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!shape) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    static const int sizes[] = {1, 3, 3, 2, 3, 1, 0, 0}; /* how many of size[] each kind uses */
    lb_shape copy = *shape;
    lb_status status = check_segment(b, "shape", shape->segment);
    if (status) {
        return status;
    }
    const char *name = b->draft.segments[copy.segment].name;
    if ((int)copy.kind < 0 || copy.kind > LB_SHAPE_MESH || copy.kind == LB_SHAPE_HALF_SPACE || (int)copy.use < 0 ||
        copy.use > LB_SHAPE_USE_SOLID) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a shape of segment '", name, "' is of no known kind or use");
    }
    if ((status = lbf_check_frame(b, "a shape of segment", name, &copy.frame))) {
        return status;
    }
    for (int i = 0; i < 3; i++) {
        if (i >= sizes[copy.kind]) {
            copy.size[i] = 0;
        } else if (!lbm_is_finite(copy.size[i]) || copy.size[i] < 0) {
            return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a shape of segment '", name,
                            "' has a negative size, or one that is not finite");
        }
    }
    if ((status = LBF_ROOM(b, shape)) || (status = take_surface(b, name, &copy))) {
        return status;
    }
    b->draft.shapes[b->draft.shape_count] = copy;
    return b->draft.shape_count++;
}

/* --- Groups, drives, limits, root -------------------------------------------------------------------- */

int lb_builder_add_group(lb_builder *b, const char *name) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!name) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_group copy;
    lb_status status = lbf_take_name(b, "group", LBF_SCOPE_GROUP, name, &copy.name);
    if (status || (status = LBF_ROOM(b, group))) {
        return status;
    }
    int index = b->draft.group_count++;
    b->draft.groups[index] = copy;
    lbf_index_name(b, LBF_SCOPE_GROUP, copy.name, index);
    return index;
}

int lb_builder_add_parameter(lb_builder *b, const lb_parameter *parameter) {
    if (!b) {
        return LB_ERROR_ARGUMENT;
    }
    if (!parameter) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_parameter copy = *parameter;
    if (copy.group < 0 || copy.group >= b->draft.group_count) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a parameter of a group that does not exist");
    }
    lb_status status = lbf_take_name(b, "parameter", lbf_scope_of_parameter(copy.group), parameter->name, &copy.name);
    if (status) {
        return status;
    }
    status = lbf_check_range(b, b->draft.groups[copy.group].name, copy.name, copy.lower, copy.upper, copy.rest,
                             copy.rigidity);
    if (status || (status = LBF_ROOM(b, parameter))) {
        return status;
    }
    copy.is_angle = copy.is_angle != 0;
    int index = b->draft.parameter_count++;
    b->draft.parameters[index] = copy;
    lbf_index_name(b, lbf_scope_of_parameter(copy.group), copy.name, index);
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
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a drive's offset or slope is not finite");
    }
    if (curve->kind != LB_CURVE_POLYLINE && curve->kind != LB_CURVE_SPLINE) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a drive's curve is of no known kind");
    }
    if (curve->count < 2 || curve->count > 100000 || !curve->x || !curve->y) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a drive's curve needs 2 to 100000 points");
    }
    if (!lbm_all_finite(curve->x, curve->count) || !lbm_all_finite(curve->y, curve->count)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a point of a drive's curve is not finite");
    }
    for (int i = 1; i < curve->count; i++) {
        if (!(curve->x[i] > curve->x[i - 1])) {
            return LBF_FAIL(b, LB_ERROR_ARGUMENT,
                            "the points of a drive's curve are not in increasing order; sort them");
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
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_drive copy = *drive;
    if (!dof_exists(&b->draft, copy.joint, copy.dof) || !ref_exists(&b->draft, &copy.source)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a drive from or to a dof that does not exist");
    }
    if (copy.source.joint == copy.joint && copy.source.dof == copy.dof) {
        return LBF_FAIL(b, LB_ERROR_FIGURE, "joint '", b->draft.joints[copy.joint].name, "' drives itself");
    }
    lb_status status = take_curve(b, &copy.curve);
    if (status || (status = LBF_ROOM(b, drive))) {
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
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_limit copy = *limit;
    if (copy.count < 1 || copy.count > 10000 || !copy.terms || !copy.coefficients) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a limit needs 1 to 10000 terms");
    }
    if (copy.kind != LB_LIMIT_AT_MOST && copy.kind != LB_LIMIT_EQUAL) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a limit is of no known kind");
    }
    if (!lbm_all_finite(copy.coefficients, copy.count) || !lbm_is_finite(copy.bound)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a limit's coefficient or bound is not finite");
    }
    for (int i = 0; i < copy.count; i++) {
        if (!ref_exists(&b->draft, &copy.terms[i])) {
            return LBF_FAIL(b, LB_ERROR_ARGUMENT, "a limit names a dof that does not exist");
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
    lb_status status = LBF_ROOM(b, limit);
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
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "an argument is missing");
    }
    lb_root copy = *root;
    lb_status status = check_segment(b, "root", copy.segment);
    if (status) {
        return status;
    }
    if (copy.site >= b->draft.site_count || (copy.site >= 0 && b->draft.sites[copy.site].segment != copy.segment)) {
        return LBF_FAIL(b, LB_ERROR_ARGUMENT, "the root's site is not on the root's segment");
    }
    if ((status = lbf_check_frame(b, "the root at segment", b->draft.segments[copy.segment].name, &copy.placement))) {
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
        return LBF_FAIL(builder, LB_ERROR_ARGUMENT, "no place for the figure");
    }
    LBM_ROUND_TO_NEAREST(rounding);
    const char *reason = rounding.is_nearest ? lbm_strict() : LBM_NOT_NEAREST;
    if (reason) {
        return LBF_FAIL(builder, LB_ERROR_UNSUPPORTED, reason);
    }
    lbf_clear(&builder->error);
    return lbf_compile(&builder->draft, figure, &builder->error);
}
