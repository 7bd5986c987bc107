/* Shapes of a URDF link: the primitives and meshes of its <visual>s, and those of its <collision>s with hulls around
 * their meshes. */
#include "io/mesh/mesh.h"
#include "io/urdf/urdf.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Colours
 * ------------------------------------------------------------------------------------------------- */

static int compare_materials(const void *a, const void *b) {
    const lbio_xml *first = *(const lbio_xml *const *)a, *second = *(const lbio_xml *const *)b;
    int order = strcmp(lbio_xml_get(first, "name"), lbio_xml_get(second, "name"));
    return order ? order : (first->line > second->line) - (first->line < second->line);
}

static int is_colour(const lbio_xml *material) {
    const lbio_xml *color = lbio_xml_child(material, "color");
    return lbio_xml_get(material, "name") && color && lbio_xml_get(color, "rgba");
}

/* Materials stand under <robot>, but one defined in a link's <visual> may be named in another's too. Runs twice: to
 * count, then to collect. */
static int collect_materials(const lbio_urdf *urdf, const lbio_xml **found) {
    int count = 0;
    for (const lbio_xml *e = urdf->robot->first_child; e; e = e->next) {
        if (strcmp(e->name, "material") == 0 && is_colour(e)) {
            if (found) {
                found[count] = e;
            }
            ++count;
        } else if (strcmp(e->name, "link") == 0) {
            for (const lbio_xml *v = lbio_xml_child(e, "visual"); v; v = lbio_xml_next(v, "visual")) {
                const lbio_xml *material = lbio_xml_child(v, "material");
                if (material && is_colour(material)) {
                    if (found) {
                        found[count] = material;
                    }
                    ++count;
                }
            }
        }
    }
    return count;
}

static lb_status gather_materials(lbio_urdf *urdf) {
    int count = collect_materials(urdf, NULL);
    urdf->materials = lbio_xml_allocate(urdf->document, ((size_t)count + 1) * sizeof *urdf->materials);
    if (!urdf->materials) {
        return lbio_urdf_no_memory(urdf);
    }
    urdf->material_count = collect_materials(urdf, urdf->materials);
    qsort(urdf->materials, (size_t)count, sizeof *urdf->materials, compare_materials);
    return LB_OK;
}

/* The first material of that name in the file, or NULL. */
static const lbio_xml *find_material(const lbio_urdf *urdf, const char *name) {
    int low = 0, high = urdf->material_count;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (strcmp(lbio_xml_get(urdf->materials[middle], "name"), name) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    int is_found = low < urdf->material_count && strcmp(lbio_xml_get(urdf->materials[low], "name"), name) == 0;
    return is_found ? urdf->materials[low] : NULL;
}

static lb_status read_colour(lbio_urdf *urdf, const lbio_xml *visual, int *color) {
    const lbio_xml *material = lbio_xml_child(visual, "material");
    if (!material) {
        return LB_OK;
    }
    const char *name = lbio_xml_get(material, "name");
    if (!lbio_xml_child(material, "color") && name) {
        if (urdf->material_count < 0) {
            lb_status status = gather_materials(urdf);
            if (status != LB_OK) {
                return status;
            }
        }
        material = find_material(urdf, name);
    }
    const lbio_xml *element = material ? lbio_xml_child(material, "color") : NULL;
    if (!element) {
        return LB_OK; /* a texture, or a material of some other program */
    }
    const char *text = lbio_xml_get(element, "rgba");
    if (text && text[strspn(text, " \t\r\n")] == 0) {
        return LB_OK; /* exporters leave the colour of a textured part blank */
    }
    double rgba[4];
    int present;
    lb_status status = lbio_urdf_numbers(urdf, element, "rgba", 4, rgba, &present);
    if (status == LB_OK && present) {
        *color = 0;
        for (int i = 0; i < 3; ++i) {
            *color = *color << 8 | (int)(255.0 * fmin(fmax(rgba[i], 0.0), 1.0) + 0.5);
        }
    }
    return status;
}

/* ---------------------------------------------------------------------------------------------------
 * Geometry
 * ------------------------------------------------------------------------------------------------- */

static lb_status need_number(const lbio_urdf *urdf, const lbio_xml *element, const char *attribute, double *value) {
    int present;
    lb_status status = lbio_urdf_numbers(urdf, element, attribute, 1, value, &present);
    if (status == LB_OK && !present) {
        return lbio_fail(urdf->source, LB_ERROR_SYNTAX, element->line, "<%s> has no %s", element->name, attribute);
    }
    return status;
}

/* Reads one primitive; *is_known 0: a mesh or something else that is no shape here. */
static lb_status read_primitive(const lbio_urdf *urdf, const lbio_xml *element, lb_shape *shape, int *is_known) {
    double *size = shape->size, length = 0.0;
    lb_status status;
    *is_known = 1;
    if (strcmp(element->name, "sphere") == 0) {
        shape->kind = LB_SHAPE_SPHERE;
        return need_number(urdf, element, "radius", &size[0]);
    }
    if (strcmp(element->name, "box") == 0) {
        int present;
        shape->kind = LB_SHAPE_BOX;
        status = lbio_urdf_numbers(urdf, element, "size", 3, size, &present);
        if (status == LB_OK && !present) {
            return lbio_fail(urdf->source, LB_ERROR_SYNTAX, element->line, "<box> has no size");
        }
        for (int i = 0; i < 3; ++i) {
            size[i] *= 0.5;
        }
        return status;
    }
    int is_capsule = strcmp(element->name, "capsule") == 0;
    if (is_capsule || strcmp(element->name, "cylinder") == 0) {
        shape->kind = is_capsule ? LB_SHAPE_CAPSULE : LB_SHAPE_CYLINDER;
        status = need_number(urdf, element, "radius", &size[0]);
        if (status == LB_OK) {
            status = need_number(urdf, element, "length", &length);
        }
        size[1] = 0.5 * length;
        size[2] = is_capsule ? size[0] : 0.0;
        return status;
    }
    *is_known = 0;
    return LB_OK;
}

static int has_extent(const lb_shape *shape) {
    switch (shape->kind) {
    case LB_SHAPE_SPHERE:
        return shape->size[0] > 0.0;
    case LB_SHAPE_CAPSULE:
        return shape->size[0] > 0.0 && shape->size[1] >= 0.0;
    case LB_SHAPE_CYLINDER:
        return shape->size[0] > 0.0 && shape->size[1] > 0.0;
    default:
        return shape->size[0] > 0.0 && shape->size[1] > 0.0 && shape->size[2] > 0.0;
    }
}

/* The shapes of one link, with the lines that they stand at. */
typedef struct listed {
    lb_shape shape;
    int line;
} listed;

typedef struct link_shapes {
    int count, capacity, drawn; /* drawn: how many of the first come from <visual>s */
    listed *items;
} link_shapes;

/* Takes a shape, which is released where there is no memory for it. */
static lb_status list_shape(lbio_urdf *urdf, link_shapes *list, lb_shape *shape, int line) {
    listed *items =
        lbio_grow(urdf->source->options->allocator, list->items, &list->capacity, list->count, sizeof *items);
    if (!items) {
        lbio_mesh_release(shape);
        return lbio_urdf_no_memory(urdf);
    }
    list->items = items;
    items[list->count++] = (listed){*shape, line};
    return LB_OK;
}

static void lose_mesh(lbio_urdf *urdf, int line, const lb_error *why) {
    if (urdf->lost_count++ == 0) {
        urdf->lost_line = line;
        if (why->file[0] == 0) {
            snprintf(urdf->lost_reason, sizeof urdf->lost_reason, "%s", why->message);
        } else {
            snprintf(urdf->lost_reason, sizeof urdf->lost_reason, "%.120s%s%.0d: %.200s", why->file,
                     why->line > 0 ? ":" : "", why->line > 0 ? why->line : 0, why->message);
        }
    }
}

void lbio_urdf_tell_meshes(const lbio_urdf *urdf) {
    if (urdf->lost_count == 1) {
        lbio_warn(urdf->source, urdf->lost_line, "a mesh is left out: %s", urdf->lost_reason);
    } else if (urdf->lost_count > 1) {
        lbio_warn(urdf->source, urdf->lost_line, "%d meshes are left out, the first because: %s", urdf->lost_count,
                  urdf->lost_reason);
    }
}

/* Lists a mesh that was read: as it is where it is to be seen, as a hull where it is solid (or all that there is to
 * see). */
static lb_status list_mesh(lbio_urdf *urdf, const lbio_cloud *cloud, const lb_shape *pattern, int line,
                           link_shapes *list) {
    lb_shape shapes[LBIO_MESH_MAX_COLORS];
    const int is_drawn = cloud->keeps_triangles, is_solid = !is_drawn || pattern->use == LB_SHAPE_USE_BOTH;
    shapes[0] = *pattern;
    const int count = is_drawn ? lbio_mesh_shapes(cloud, shapes) : 0;
    lb_status status = count < 0 ? lbio_urdf_no_memory(urdf) : LB_OK;
    for (int i = 0; i < count; i++) {
        if (status) {
            lbio_mesh_release(&shapes[i]);
        } else {
            status = list_shape(urdf, list, &shapes[i], line);
        }
    }
    if (!status && is_solid) {
        lb_shape hull = *pattern;
        hull.use = is_drawn ? LB_SHAPE_USE_SOLID : pattern->use;
        status = lbio_mesh_hull(cloud, &hull) ? list_shape(urdf, list, &hull, line) : lbio_urdf_no_memory(urdf);
    }
    return status;
}

/* A <mesh>. One that cannot be read is told of, and left out. */
static lb_status read_mesh(lbio_urdf *urdf, const lbio_xml *owner, const lbio_xml *element, const lb_shape *pattern,
                           link_shapes *list) {
    const lb_load_options *options = urdf->source->options;
    const int is_visual = strcmp(owner->name, "visual") == 0, is_drawn = is_visual && options->meshes > 1;
    double scale[3] = {1, 1, 1};
    lb_error why = {0};
    if (!options->meshes || (is_visual && !is_drawn && lbio_xml_child(owner->parent, "collision"))) {
        return LB_OK; /* one that is drawn alone is not read where another collides, unless it is asked for */
    }
    lb_status status = lbio_urdf_numbers(urdf, element, "scale", 3, scale, NULL);
    const char *uri = lbio_xml_get(element, "filename");
    if (status != LB_OK) {
        return status;
    }
    if (!uri || !*uri) {
        lbio_error(&why, LB_ERROR_SYNTAX, NULL, 0, "<mesh> has no filename");
        lose_mesh(urdf, element->line, &why);
        return LB_OK;
    }
    const lbio_mesh_name name = {uri, urdf->folder, urdf->folder, options->packages, options->root};
    lbio_cloud cloud = {.keeps_triangles = is_drawn};
    status = lbio_mesh_read(&name, scale, options, &cloud, &why);
    if (status == LB_OK) {
        status = list_mesh(urdf, &cloud, pattern, element->line, list);
    } else if (status == LB_ERROR_MEMORY) {
        status = lbio_urdf_no_memory(urdf);
    } else {
        lose_mesh(urdf, element->line, &why);
        status = LB_OK;
    }
    lbio_cloud_free(&cloud);
    return status;
}

/* Whether two shapes are at the same place, of the same size. */
static int is_same(const lb_shape *a, const lb_shape *b) {
    return a->kind == b->kind && a->kind < LB_SHAPE_HULL && memcmp(a->size, b->size, sizeof a->size) == 0 &&
           memcmp(&a->frame, &b->frame, sizeof a->frame) == 0;
}

/* Puts a primitive on the list, unless a drawn one is the same: that one is solid then, too. */
static lb_status put_primitive(lbio_urdf *urdf, link_shapes *list, lb_shape *shape, int line) {
    for (int i = 0; i < list->drawn; ++i) {
        if (is_same(&list->items[i].shape, shape)) {
            list->items[i].shape.use = LB_SHAPE_USE_BOTH;
            return LB_OK;
        }
    }
    return list_shape(urdf, list, shape, line);
}

/* What is in a <geometry> of a <visual> or <collision>. */
static lb_status read_geometry(lbio_urdf *urdf, const lbio_urdf_link *link, const lbio_xml *owner,
                               const lbio_xml *geometry, lb_shape *shape, link_shapes *list) {
    const int is_mesh = strcmp(geometry->name, "mesh") == 0;
    int is_known;
    lb_status status = read_primitive(urdf, geometry, shape, &is_known);
    if (status == LB_OK && (is_known || is_mesh)) {
        status = lbio_urdf_origin(urdf, owner, &shape->frame);
    }
    if (status == LB_OK && (is_known || is_mesh)) {
        status = read_colour(urdf, owner, &shape->color);
    }
    if (status != LB_OK || (!is_known && !is_mesh)) {
        return status;
    }
    if (is_mesh) {
        return read_mesh(urdf, owner, geometry, shape, list);
    }
    if (!has_extent(shape)) {
        lbio_urdf_count(urdf, LBIO_URDF_BAD_SHAPE, link->name, geometry->line);
        return LB_OK;
    }
    return put_primitive(urdf, list, shape, geometry->line);
}

/* Lists the shapes of all <visual>s, or all <collision>s. */
static lb_status list_kind(lbio_urdf *urdf, const lbio_urdf_link *link, const char *kind, lb_shape_use use,
                           link_shapes *list) {
    lb_status status = LB_OK;
    for (const lbio_xml *e = lbio_xml_child(link->element, kind); e; e = lbio_xml_next(e, kind)) {
        const lbio_xml *geometry = lbio_xml_child(e, "geometry");
        for (const lbio_xml *g = geometry ? geometry->first_child : NULL; g && !status; g = g->next) {
            lb_shape shape;
            lb_shape_defaults(&shape);
            shape.use = use;
            status = read_geometry(urdf, link, e, g, &shape, list);
        }
    }
    return status;
}

/* Whether a link of the file says what it collides by. */
static int has_collisions(const lbio_urdf *urdf) {
    for (const lbio_xml *e = lbio_xml_child(urdf->robot, "link"); e; e = lbio_xml_next(e, "link")) {
        if (lbio_xml_child(e, "collision")) {
            return 1;
        }
    }
    return 0;
}

/* What is drawn is solid only where <collision> says the same, or where no link of the file has one; what is solid is
 * drawn where nothing else is. */
lb_status lbio_urdf_add_shapes(lbio_urdf *urdf, lb_builder *builder, const lbio_urdf_link *link, int segment) {
    link_shapes list = {0};
    if (urdf->has_collisions < 0) {
        urdf->has_collisions = has_collisions(urdf);
    }
    lb_status status =
        list_kind(urdf, link, "visual", urdf->has_collisions ? LB_SHAPE_USE_DRAWN : LB_SHAPE_USE_BOTH, &list);
    list.drawn = list.count;
    if (status == LB_OK) {
        status = list_kind(urdf, link, "collision", list.count ? LB_SHAPE_USE_SOLID : LB_SHAPE_USE_BOTH, &list);
    }
    for (int i = 0; i < list.count; ++i) {
        list.items[i].shape.segment = segment;
        if (status == LB_OK && lb_builder_add_shape(builder, &list.items[i].shape) < 0) {
            status = lbio_builder_fail(urdf->source, builder, list.items[i].line);
        }
        lbio_mesh_release(&list.items[i].shape);
    }
    lbio_release(urdf->source->options->allocator, list.items, list.capacity, sizeof *list.items);
    return status;
}
