/* One geometry of a COLLADA file: positions, the triangles between them, and the colours of their materials. */
#include "io/mesh/mesh_dae.h"

#include <limits.h>
#include <string.h>

/* --- Colours -------------------------------------------------------------------------------------------------------------- */

/* The material that a symbol stands for: what the instance binds to it, else the material of that id. */
static const lbio_xml *find_material(lbio_dae *dae, const lbio_xml *instance, const char *symbol) {
    const lbio_xml *bind = instance ? lbio_xml_child(instance, "bind_material") : NULL;
    const lbio_xml *common = bind ? lbio_xml_child(bind, "technique_common") : NULL;
    const lbio_xml *bound = common ? lbio_xml_child(common, "instance_material") : NULL;
    for (; bound; bound = lbio_xml_next(bound, "instance_material")) {
        const char *name = lbio_xml_get(bound, "symbol"), *target = lbio_xml_get(bound, "target");
        dae->work++;
        if (name && target && strcmp(name, symbol) == 0) {
            return target[0] == '#' ? lbio_dae_find(dae, target + 1) : NULL;
        }
    }
    return lbio_dae_find(dae, symbol);
}

/* The <color> of what an effect scatters (or, of one without light, sends out); NULL: a texture, or nothing. */
static const lbio_xml *find_color(const lbio_dae *dae, const lbio_xml *material) {
    static const char *const models[] = {"phong", "lambert", "blinn", "constant"};
    const lbio_xml *instance =
        material && strcmp(material->name, "material") == 0 ? lbio_xml_child(material, "instance_effect") : NULL;
    const char *url = instance ? lbio_xml_get(instance, "url") : NULL;
    const lbio_xml *effect = url && url[0] == '#' ? lbio_dae_find(dae, url + 1) : NULL;
    const lbio_xml *profile = effect ? lbio_xml_child(effect, "profile_COMMON") : NULL;
    const lbio_xml *technique = profile ? lbio_xml_child(profile, "technique") : NULL;
    for (int i = 0; i < 4 && technique; i++) {
        const lbio_xml *model = lbio_xml_child(technique, models[i]);
        const lbio_xml *part = model ? lbio_xml_child(model, i < 3 ? "diffuse" : "emission") : NULL;
        if (part) {
            return lbio_xml_child(part, "color");
        }
    }
    return NULL;
}

/* As lbio_corners has it. A colour that cannot be read is none. */
static int find_paint(lbio_dae *dae, const lbio_xml *instance, const lbio_xml *primitive) {
    const char *symbol = lbio_xml_get(primitive, "material");
    const lbio_xml *color = symbol ? find_color(dae, find_material(dae, instance, symbol)) : NULL;
    const char *at = color ? color->text : NULL;
    int paint = 0;
    for (int i = 0; i < 3 && color; i++) {
        double value = 0;
        at += strspn(at, " \t\r\n");
        at = lbio_number(at, at + strcspn(at, " \t\r\n"), &value);
        if (!at) {
            return 0;
        }
        paint = paint << 8 | (int)((value < 0 ? 0 : value > 1 ? 1 : value) * 255 + 0.5);
    }
    return color ? paint + 1 : 0;
}

/* --- Positions ------------------------------------------------------------------------------------------------------------ */

/* The points of one <vertices>, as they lie in the cloud. */
typedef struct dae_points {
    const lbio_xml *vertices; /* NULL: none yet */
    int first, count;
} dae_points;

static const lbio_xml *find_input(const lbio_xml *owner, const char *semantic) {
    for (const lbio_xml *e = lbio_xml_child(owner, "input"); e; e = lbio_xml_next(e, "input")) {
        const char *own = lbio_xml_get(e, "semantic");
        if (own && strcmp(own, semantic) == 0) {
            return e;
        }
    }
    return NULL;
}

static lb_status read_whole(const lbio_dae *dae, const lbio_xml *element, const char *attribute, int otherwise,
                            int *value) {
    double number = otherwise;
    const lb_status status = lbio_xml_numbers(dae->source, element, attribute, 1, &number, NULL);
    if (!status && !(number >= 0 && number <= INT_MAX && number == (double)(int)number)) {
        return lbio_dae_fail(dae, element, "%s of <%.40s> should be a whole number, not below 0", attribute,
                             element->name);
    }
    *value = status ? otherwise : (int)number;
    return status;
}

/* Adds a point for every `stride` numbers, from `offset` on. */
static lb_status add_points(lbio_dae *dae, const lbio_xml *array, int stride, int offset, const double m[12]) {
    const char *at = array->text;
    double point[3] = {0, 0, 0}, number = 0;
    for (long long i = 0;; i++) {
        lb_status status = lbio_dae_number(dae, array, &at, &number);
        if (status || !at) {
            return status;
        }
        const long long place = i < offset ? -1 : (i - offset) % stride;
        if (place >= 0 && place < 3) {
            point[place] = number;
        }
        if (place == 2) {
            double moved[3];
            for (int r = 0; r < 3; r++) {
                moved[r] = m[4 * r] * point[0] + m[4 * r + 1] * point[1] + m[4 * r + 2] * point[2] + m[4 * r + 3];
            }
            if (!lbio_are_finite(moved, 3)) {
                return lbio_dae_fail(dae, array, "a vertex is not finite where its node is");
            }
            if (!lbio_cloud_add(dae->cloud, moved)) {
                return lbio_cloud_full(dae->source, dae->cloud, array->line);
            }
        }
    }
}

static lb_status read_points(lbio_dae *dae, const lbio_xml *vertices, const double matrix[12], dae_points *points) {
    const lbio_xml *input = find_input(vertices, "POSITION"), *source = NULL, *array = NULL;
    int stride = 3, offset = 0;
    if (!input) {
        return lbio_dae_fail(dae, vertices, "<vertices> has no <input> with semantic=\"POSITION\"");
    }
    lb_status status = lbio_dae_follow(dae, input, "source", "source", &source);
    const lbio_xml *common = status ? NULL : lbio_xml_child(source, "technique_common");
    const lbio_xml *accessor = common ? lbio_xml_child(common, "accessor") : NULL;
    if (!status && accessor) {
        status = lbio_dae_follow(dae, accessor, "source", "float_array", &array);
        status = status ? status : read_whole(dae, accessor, "stride", 3, &stride);
        status = status ? status : read_whole(dae, accessor, "offset", 0, &offset);
    } else if (!status) {
        array = lbio_xml_child(source, "float_array");
    }
    if (!status && (!array || stride < 3)) {
        status = lbio_dae_fail(dae, source, "<source> of positions needs a <float_array> with three numbers a point");
    }
    *points = (dae_points){.vertices = vertices, .first = dae->cloud->count};
    status = status ? status : add_points(dae, array, stride, offset, matrix);
    points->count = dae->cloud->count - points->first;
    return status;
}

/* --- Triangles ------------------------------------------------------------------------------------------------------------ */

/* <triangles>, <polylist> and their like: lists of indices, `stride` for each corner. */
typedef struct dae_primitive {
    const lbio_xml *element;
    int stride, offset; /* of the position among the indices of a corner */
    dae_points points;
} dae_primitive;

/* The next corner of a list; *at NULL: there is no other. */
static lb_status next_corner(lbio_dae *dae, const dae_primitive *primitive, const lbio_xml *list, const char **at,
                             int *corner) {
    for (int i = 0; i < primitive->stride; i++) {
        double index = 0;
        const lb_status status = lbio_dae_number(dae, list, at, &index);
        if (status) {
            return status;
        }
        if (!*at) {
            return i == 0 ? LB_OK : lbio_dae_fail(dae, list, "<p> ends inside of a corner");
        }
        if (i == primitive->offset) {
            if (!(index >= 0 && index < primitive->points.count && index == (double)(int)index)) {
                return lbio_dae_fail(dae, list, "corner %.17g of <%s> is no index of a position; there are %d", index,
                                     primitive->element->name, primitive->points.count);
            }
            *corner = primitive->points.first + (int)index;
        }
    }
    return LB_OK;
}

typedef enum dae_way { TRIANGLES, FAN, STRIP } dae_way;

/* Triangles from a list, to its end or for `most` corners (-1: all). */
static lb_status read_list(lbio_dae *dae, const dae_primitive *primitive, const lbio_xml *list, const char **at,
                           dae_way way, int most) {
    int corners[3] = {0, 0, 0}, count = 0;
    for (; most < 0 || count < most; count++) {
        int corner = 0;
        lb_status status = next_corner(dae, primitive, list, at, &corner);
        if (status) {
            return status;
        }
        if (!*at) {
            break;
        }
        const int seen = way == TRIANGLES ? count % 3 : count < 2 ? count : 2;
        corners[seen] = corner;
        if (seen == 2) {
            const int is_turned = way == STRIP && count % 2;
            if (!lbio_cloud_add_triangle(dae->cloud, corners[is_turned], corners[!is_turned], corners[2])) {
                return lbio_cloud_full(dae->source, dae->cloud, list->line);
            }
            corners[0] = way == STRIP ? corners[1] : corners[0];
            corners[1] = corners[2];
        }
    }
    if (most > 0 && count < most) {
        return lbio_dae_fail(dae, list, "<p> ends before the last polygon of <vcount>");
    }
    return LB_OK;
}

static lb_status read_polylist(lbio_dae *dae, const dae_primitive *primitive) {
    const lbio_xml *counts = lbio_xml_child(primitive->element, "vcount"),
                   *list = lbio_xml_child(primitive->element, "p");
    const char *count_at = counts ? counts->text : "", *at = list ? list->text : "";
    lb_status status = LB_OK;
    while (!status && list) {
        double corners = 0;
        status = lbio_dae_number(dae, counts, &count_at, &corners);
        if (status || !count_at) {
            break;
        }
        if (!(corners >= 0 && corners <= INT_MAX && corners == (double)(int)corners)) {
            return lbio_dae_fail(dae, counts, "<vcount> should have whole numbers, not below 0");
        }
        status = read_list(dae, primitive, list, &at, FAN, (int)corners);
    }
    return status;
}

/* Each <p> by itself; <ph>, a polygon with holes, without these. */
static lb_status read_lists(lbio_dae *dae, const dae_primitive *primitive, dae_way way) {
    lb_status status = LB_OK;
    for (const lbio_xml *e = primitive->element->first_child; e && !status; e = e->next) {
        const lbio_xml *list = strcmp(e->name, "ph") == 0  ? lbio_xml_child(e, "p")
                               : strcmp(e->name, "p") == 0 ? e
                                                           : NULL;
        const char *at = list ? list->text : NULL;
        status = list ? read_list(dae, primitive, list, &at, way, -1) : LB_OK;
    }
    return status;
}

/* Whether an element holds triangles; else it holds lines, or points, or something else. */
static int has_triangles(const lbio_xml *element) {
    static const char *const names[] = {"triangles", "polylist", "polygons", "trifans", "tristrips"};
    for (int i = 0; i < 5; i++) {
        if (strcmp(element->name, names[i]) == 0) {
            return 1;
        }
    }
    return 0;
}

static lb_status read_inputs(lbio_dae *dae, dae_primitive *primitive, const lbio_xml **vertices) {
    const lbio_xml *own = find_input(primitive->element, "VERTEX");
    *vertices = NULL;
    if (!own) {
        return lbio_dae_fail(dae, primitive->element, "<%s> has no <input> with semantic=\"VERTEX\"",
                             primitive->element->name);
    }
    primitive->stride = 1;
    for (const lbio_xml *e = lbio_xml_child(primitive->element, "input"); e; e = lbio_xml_next(e, "input")) {
        int offset = 0;
        lb_status status = lbio_dae_spend(dae, e, 1);
        status = status ? status : read_whole(dae, e, "offset", 0, &offset);
        if (status) {
            return status;
        }
        if (offset > 1000) {
            return lbio_dae_fail(dae, e, "offset=\"%d\" of <input> is more than any file needs", offset);
        }
        primitive->stride = offset + 1 > primitive->stride ? offset + 1 : primitive->stride;
        primitive->offset = e == own ? offset : primitive->offset;
    }
    return lbio_dae_follow(dae, own, "source", "vertices", vertices);
}

lb_status lbio_dae_geometry(lbio_dae *dae, const lbio_xml *geometry, const lbio_xml *instance,
                            const double matrix[12]) {
    const lbio_xml *mesh = lbio_xml_child(geometry, "mesh");
    dae_primitive primitive = {0};
    lb_status status = lbio_dae_spend(dae, geometry, LBIO_DAE_PART);
    for (const lbio_xml *e = mesh ? mesh->first_child : NULL; e && !status; e = e->next) {
        const lbio_xml *vertices = NULL;
        status = lbio_dae_spend(dae, e, has_triangles(e) ? LBIO_DAE_PART : 1);
        if (!has_triangles(e) || !(lbio_xml_child(e, "p") || lbio_xml_child(e, "ph"))) {
            continue;
        }
        primitive.element = e;
        status = status ? status : read_inputs(dae, &primitive, &vertices);
        if (!status && vertices != primitive.points.vertices) {
            status = read_points(dae, vertices, matrix, &primitive.points);
        }
        if (status) {
            return status;
        }
        dae->cloud->paint = find_paint(dae, instance, e);
        status = strcmp(e->name, "polylist") == 0    ? read_polylist(dae, &primitive)
                 : strcmp(e->name, "triangles") == 0 ? read_lists(dae, &primitive, TRIANGLES)
                 : strcmp(e->name, "tristrips") == 0 ? read_lists(dae, &primitive, STRIP)
                                                     : read_lists(dae, &primitive, FAN);
    }
    dae->cloud->paint = 0;
    return status;
}
