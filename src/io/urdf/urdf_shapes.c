/* Shapes of a URDF link: the primitives of its <visual>s, or, where it has none (meshes are not read), of its
 * <collision>s. */
#include "io/urdf/urdf.h"

#include <math.h>
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

/* Adds the primitives of all <visual>s, or all <collision>s, and counts them. */
static lb_status add_kind(lbio_urdf *urdf, lb_builder *builder, const lbio_urdf_link *link, int segment,
                          const char *kind, int *added) {
    for (const lbio_xml *e = lbio_xml_child(link->element, kind); e; e = lbio_xml_next(e, kind)) {
        const lbio_xml *geometry = lbio_xml_child(e, "geometry");
        for (const lbio_xml *g = geometry ? geometry->first_child : NULL; g; g = g->next) {
            lb_shape shape;
            int is_known;
            lb_shape_defaults(&shape);
            shape.segment = segment;
            lb_status status = read_primitive(urdf, g, &shape, &is_known);
            if (status == LB_OK && is_known) {
                status = lbio_urdf_origin(urdf, e, &shape.frame);
            }
            if (status == LB_OK && is_known) {
                status = read_colour(urdf, e, &shape.color);
            }
            if (status != LB_OK) {
                return status;
            }
            if (is_known && !has_extent(&shape)) {
                lbio_urdf_count(urdf, LBIO_URDF_BAD_SHAPE, link->name, g->line);
            } else if (is_known) {
                if (lb_builder_add_shape(builder, &shape) < 0) {
                    return lbio_builder_fail(urdf->source, builder, g->line);
                }
                ++*added;
            }
        }
    }
    return LB_OK;
}

lb_status lbio_urdf_add_shapes(lbio_urdf *urdf, lb_builder *builder, const lbio_urdf_link *link, int segment) {
    int added = 0;
    lb_status status = add_kind(urdf, builder, link, segment, "visual", &added);
    if (status == LB_OK && added == 0) {
        status = add_kind(urdf, builder, link, segment, "collision", &added);
    }
    return status;
}
