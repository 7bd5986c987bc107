/* What a geom of MJCF looks like and weighs; materials, as far as they have a colour. */
#include "io/mjcf/mjcf.h"

#include <math.h>
#include <string.h>

#define PI 3.14159265358979323846

/* 0xRRGGBB of an rgba; -1 where missing. */
static lb_status read_color(const lbio_mjcf *m, const lbio_mjcf_view *view, int *color, int *is_invisible) {
    double rgba[4] = {0.5, 0.5, 0.5, 1};
    int count;
    const char *text = view->values[LBIO_MJCF_RGBA];
    if (text && text[strspn(text, " \t\r\n")] == 0) {
        return LB_OK; /* left blank by an exporter: no colour */
    }
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_RGBA, 3, 4, rgba, &count);
    if (status != LB_OK || !count) {
        return status;
    }
    *color = 0;
    for (int i = 0; i < 3; i++) {
        double part = rgba[i] < 0 ? 0 : rgba[i] > 1 ? 1 : rgba[i];
        *color = *color * 256 + (int)(part * 255 + 0.5);
    }
    *is_invisible = rgba[3] <= 0;
    return LB_OK;
}

lb_status lbio_mjcf_read_materials(lbio_mjcf *m, const lbio_xml *root) {
    for (lbio_xml *asset = lbio_mjcf_first(root); asset; asset = lbio_mjcf_next(root, asset)) {
        if (strcmp(asset->name, "asset") != 0) {
            continue;
        }
        for (lbio_xml *child = lbio_mjcf_first(asset); child; child = lbio_mjcf_next(asset, child)) {
            const char *name = lbio_xml_get(child, "name");
            if (strcmp(child->name, "material") != 0 || !name ||
                lbio_names_find(&m->model->material_names, name) >= 0) {
                continue;
            }
            int class_index = lbio_mjcf_class_of(m, child, "class", LBIO_MJCF_MAIN), color = -1, is_invisible = 0;
            if (class_index < 0) {
                return m->source->error->status;
            }
            lbio_mjcf_view view;
            lb_status status = lbio_mjcf_see(m, child, LBIO_MJCF_MATERIAL, class_index, &view);
            if (status == LB_OK) {
                status = read_color(m, &view, &color, &is_invisible);
            }
            if (status != LB_OK) {
                return status;
            }
            if (color >= 0 && !lbio_names_add(&m->model->material_names, name, color)) {
                return lbio_mjcf_no_memory(m, child);
            }
        }
    }
    return LB_OK;
}

/* The kinds that Limber has shapes for; -1: another one that MuJoCo knows, -2: nothing it knows. */
static int shape_kind(const char *type) {
    static const struct {
        const char *name;
        int kind;
    } kinds[] = {{"sphere", LB_SHAPE_SPHERE},
                 {"capsule", LB_SHAPE_CAPSULE},
                 {"box", LB_SHAPE_BOX},
                 {"cylinder", LB_SHAPE_CYLINDER},
                 {"ellipsoid", LB_SHAPE_ELLIPSOID},
                 {"plane", -1},
                 {"mesh", -1},
                 {"hfield", -1},
                 {"sdf", -1}};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (strcmp(kinds[i].name, type) == 0) {
            return kinds[i].kind;
        }
    }
    return -2;
}

/* Sizes as MJCF has them: radius; radius and half length; three half sizes. With fromto the length comes from
 * there. */
static lb_status read_size(const lbio_mjcf *m, const lbio_mjcf_view *view, int has_ends, double length,
                           lb_shape *shape) {
    static const int wanted[] = {1, 2, 3, 2, 3}; /* by lb_shape_kind */
    double *size = shape->size;
    size[0] = size[1] = size[2] = 0;
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_SIZE, 1, 3, size, NULL);
    if (status != LB_OK) {
        return status;
    }
    int count = wanted[shape->kind];
    if (has_ends && count == 1) {
        return lbio_mjcf_fail(m, view->element, LB_ERROR_SYNTAX,
                              "fromto is for capsules, cylinders, boxes and ellipsoids; "
                              "a sphere has a pos");
    }
    if (has_ends) {
        size[1] = count == 2 ? length / 2 : size[0];
        size[2] = length / 2;
    }
    for (int i = 0; i < count; i++) {
        if (!(size[i] > 0 && size[i] < 1e100)) {
            return lbio_mjcf_fail(m, view->element, LB_ERROR_SYNTAX, "a %s needs size=\"...\" with %d number%s above 0",
                                  view->values[LBIO_MJCF_TYPE] ? view->values[LBIO_MJCF_TYPE] : "sphere",
                                  has_ends ? 1 : count, has_ends || count == 1 ? "" : "s");
        }
    }
    return LB_OK;
}

static double volume(const lb_shape *shape) {
    const double *s = shape->size;
    switch (shape->kind) {
    case LB_SHAPE_SPHERE:
        return 4 * PI / 3 * s[0] * s[0] * s[0];
    case LB_SHAPE_CAPSULE:
        return PI * s[0] * s[0] * (4 * s[0] / 3 + 2 * s[1]);
    case LB_SHAPE_BOX:
        return 8 * s[0] * s[1] * s[2];
    case LB_SHAPE_CYLINDER:
        return 2 * PI * s[0] * s[0] * s[1];
    default:
        return 4 * PI / 3 * s[0] * s[1] * s[2];
    }
}

/* For shellinertia, whose density is per area. The ellipsoid's is Thomsen's approximation, as MuJoCo takes it. */
static double area(const lb_shape *shape) {
    const double *s = shape->size, p = 1.6075;
    switch (shape->kind) {
    case LB_SHAPE_SPHERE:
        return 4 * PI * s[0] * s[0];
    case LB_SHAPE_CAPSULE:
        return 4 * PI * s[0] * (s[0] + s[1]);
    case LB_SHAPE_BOX:
        return 8 * (s[0] * s[1] + s[1] * s[2] + s[2] * s[0]);
    case LB_SHAPE_CYLINDER:
        return 2 * PI * s[0] * (s[0] + 2 * s[1]);
    default:
        return 4 * PI * pow((pow(s[0] * s[1], p) + pow(s[1] * s[2], p) + pow(s[2] * s[0], p)) / 3, 1 / p);
    }
}

/* Adds a geom's mass to its body's, unless its group is left out. has_shape 0: a mesh or the like. */
static lb_status weigh(lbio_mjcf *m, const lbio_mjcf_view *view, lbio_mjcf_body *body, const lb_shape *shape,
                       int has_shape) {
    double mass = 0, density = 1000, group = 0;
    int has_mass, is_shell = 0;
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_MASS, 1, 1, &mass, &has_mass);
    if (status == LB_OK) {
        status = lbio_mjcf_numbers(m, view, LBIO_MJCF_DENSITY, 1, 1, &density, NULL);
    }
    if (status == LB_OK) {
        status = lbio_mjcf_numbers(m, view, LBIO_MJCF_GROUP, 1, 1, &group, NULL);
    }
    if (status == LB_OK) {
        status = lbio_mjcf_flag(m, view->element, "shellinertia", view->values[LBIO_MJCF_SHELL], 0, &is_shell);
    }
    if (status != LB_OK || group < m->model->inertia_groups[0] || group > m->model->inertia_groups[1]) {
        return status;
    }
    const char *type = view->values[LBIO_MJCF_TYPE];
    int is_flat = type && (strcmp(type, "plane") == 0 || strcmp(type, "hfield") == 0);
    if (!has_mass && !has_shape) {
        body->has_unknown_mass |= !is_flat && density != 0;
        return LB_OK;
    }
    if (!has_mass) {
        mass = density * (is_shell ? area(shape) : volume(shape));
    }
    if (!(mass >= 0 && mass < 1e100)) {
        return lbio_mjcf_fail(m, view->element, LB_ERROR_SYNTAX, "mass and density of a <geom> must not be below 0");
    }
    body->geom_mass += mass;
    for (int i = 0; i < 3; i++) {
        body->geom_sum[i] += mass * shape->frame.position[i];
    }
    return LB_OK;
}

/* A geom whose contype and conaffinity are 0 touches nothing; one that is wholly transparent is not drawn. */
static lb_status find_use(lbio_mjcf *m, const lbio_mjcf_view *view, int is_invisible, lb_shape_use *use) {
    double type = 1, affinity = 1;
    lb_status status = lbio_mjcf_numbers(m, view, LBIO_MJCF_CONTYPE, 1, 1, &type, NULL);
    if (status == LB_OK) {
        status = lbio_mjcf_numbers(m, view, LBIO_MJCF_CONAFFINITY, 1, 1, &affinity, NULL);
    }
    *use = type == 0 && affinity == 0 ? LB_SHAPE_USE_DRAWN : is_invisible ? LB_SHAPE_USE_SOLID : LB_SHAPE_USE_BOTH;
    return status;
}

/* Takes a shape, which is released where there is no memory for it. */
static lb_status put_shape(lbio_mjcf *m, const lbio_mjcf_view *view, lb_shape *shape, int is_backstage) {
    lbio_mjcf_shape *shapes = lbio_grow(m->allocator, m->shapes, &m->shape_capacity, m->shape_count, sizeof *m->shapes);
    if (!shapes) {
        lbio_mesh_release(shape);
        return lbio_mjcf_no_memory(m, view->element);
    }
    m->shapes = shapes;
    shapes[m->shape_count++] = (lbio_mjcf_shape){view->element, *shape, is_backstage};
    return LB_OK;
}

/* A mesh: as it is where it is to be seen, as a hull where it is solid. */
static lb_status add_mesh(lbio_mjcf *m, const lbio_mjcf_view *view, const lb_shape *pattern, int is_backstage) {
    const int is_drawn = m->source->options->meshes > 1 && pattern->use != LB_SHAPE_USE_SOLID;
    const int is_solid = pattern->use != LB_SHAPE_USE_DRAWN;
    lb_shape shapes[LBIO_MESH_MAX_COLORS];
    lbio_cloud cloud = {.keeps_triangles = is_drawn};
    int is_known = 0, count = 0;
    if (!is_drawn && !is_solid) { /* there to be seen: not read */
        return LB_OK;
    }
    lb_status status = lbio_mjcf_mesh_cloud(m, view, &cloud, &is_known);
    shapes[0] = *pattern;
    if (status == LB_OK && is_known && is_drawn) {
        count = lbio_mesh_shapes(&cloud, shapes);
        status = count < 0 ? lbio_mjcf_no_memory(m, view->element) : LB_OK;
    }
    for (int i = 0; i < count; i++) {
        shapes[i].color = pattern->color >= 0 ? pattern->color : shapes[i].color;
        if (status == LB_OK) {
            status = put_shape(m, view, &shapes[i], is_backstage);
        } else {
            lbio_mesh_release(&shapes[i]);
        }
    }
    if (status == LB_OK && is_known && is_solid) {
        lb_shape hull = *pattern;
        hull.use = count > 0 ? LB_SHAPE_USE_SOLID : pattern->use;
        status = lbio_mesh_hull(&cloud, &hull) ? put_shape(m, view, &hull, is_backstage)
                                               : lbio_mjcf_no_memory(m, view->element);
    }
    lbio_cloud_free(&cloud);
    return status;
}

static lb_status add_shape(lbio_mjcf *m, const lbio_mjcf_view *view, lb_shape *shape) {
    int is_invisible = 0;
    double group = 0;
    const char *material = view->values[LBIO_MJCF_MATERIAL_NAME];
    shape->color = material ? lbio_names_find(&m->model->material_names, material) : -1;
    lb_status status = read_color(m, view, &shape->color, &is_invisible);
    if (status == LB_OK) {
        status = find_use(m, view, is_invisible, &shape->use);
    }
    if (status == LB_OK) {
        status = lbio_mjcf_numbers(m, view, LBIO_MJCF_GROUP, 1, 1, &group, NULL);
    }
    if (status != LB_OK || (is_invisible && shape->use == LB_SHAPE_USE_DRAWN)) {
        return status;
    }
    if (shape->kind == LB_SHAPE_HULL) {
        return add_mesh(m, view, shape, group > 2);
    }
    if (shape->kind == LB_SHAPE_CAPSULE) {
        shape->size[2] = shape->size[0];
    }
    return put_shape(m, view, shape, group > 2);
}

lb_status lbio_mjcf_read_geom(lbio_mjcf *m, const lbio_xml *element, int body, const lb_frame *within,
                              int class_index) {
    lbio_mjcf_view view;
    lb_shape shape;
    double length = 0;
    int has_ends = 0;
    lb_shape_defaults(&shape);
    lb_status status = lbio_mjcf_see(m, element, LBIO_MJCF_GEOM, class_index, &view);
    if (status == LB_OK) {
        status = lbio_mjcf_frame(m, &view, &shape.frame);
    }
    if (status == LB_OK) {
        status = lbio_mjcf_fromto(m, &view, &shape.frame, &length, &has_ends);
    }
    if (status != LB_OK) {
        return status;
    }
    const char *type = view.values[LBIO_MJCF_TYPE] ? view.values[LBIO_MJCF_TYPE] : "sphere";
    int kind = shape_kind(type);
    if (kind == -2) {
        return lbio_mjcf_fail(m, element, LB_ERROR_SYNTAX, "type=\"%.60s\" is no kind of <geom>", type);
    }
    int has_shape = kind >= 0 && !view.values[LBIO_MJCF_MESH]; /* with a mesh, the shape would be fitted to that */
    lb_frame_multiply(within, &shape.frame, &shape.frame);
    shape.segment = body;
    if (has_shape) {
        shape.kind = (lb_shape_kind)kind;
        status = read_size(m, &view, has_ends, length, &shape);
    }
    if (status == LB_OK) {
        status = weigh(m, &view, &m->bodies[body], &shape, has_shape);
    }
    const int is_mesh = strcmp(type, "mesh") == 0 && m->source->options->meshes;
    if (is_mesh) {
        shape.kind = LB_SHAPE_HULL;
    }
    return status == LB_OK && (has_shape || is_mesh) ? add_shape(m, &view, &shape) : status;
}
