/* COLLADA (.dae), 1.4 and 1.5: the triangles that its scene shows. What a file says of animation, skins, light and
 * physics is passed over. The file is not trusted: it names no other file, and nodes that name one another are followed
 * so often only. */
#include "io/mesh/mesh_dae.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "math/trig.h"

#define PI 3.14159265358979323846

/* --- What all parts use
 * --------------------------------------------------------------------------------------------------- */

lb_status lbio_dae_fail(const lbio_dae *dae, const lbio_xml *element, const char *format, ...) {
    char message[LB_ERROR_MESSAGE_SIZE];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(message, sizeof message, format, arguments);
    va_end(arguments);
    return lbio_fail(dae->source, LB_ERROR_SYNTAX, element->line, "%s", message);
}

static int compare_ids(const void *a, const void *b) {
    const lbio_xml *first = *(const lbio_xml *const *)a, *second = *(const lbio_xml *const *)b;
    const int order = strcmp(lbio_xml_get(first, "id"), lbio_xml_get(second, "id"));
    return order ? order : (first->line > second->line) - (first->line < second->line);
}

/* The element behind this one, in the order of the file. */
static const lbio_xml *step(const lbio_xml *element) {
    if (element->first_child) {
        return element->first_child;
    }
    while (element && !element->next) {
        element = element->parent;
    }
    return element ? element->next : NULL;
}

/* Runs twice: to count, then to collect. */
static int collect_ids(const lbio_xml *root, const lbio_xml **found) {
    int count = 0;
    for (const lbio_xml *e = root; e; e = step(e)) {
        if (lbio_xml_get(e, "id")) {
            if (found) {
                found[count] = e;
            }
            count++;
        }
    }
    return count;
}

const lbio_xml *lbio_dae_find(const lbio_dae *dae, const char *id) {
    int low = 0, high = dae->id_count;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (strcmp(lbio_xml_get(dae->ids[middle], "id"), id) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < dae->id_count && strcmp(lbio_xml_get(dae->ids[low], "id"), id) == 0 ? dae->ids[low] : NULL;
}

lb_status lbio_dae_follow(const lbio_dae *dae, const lbio_xml *from, const char *attribute, const char *name,
                          const lbio_xml **found) {
    char shown[LBIO_XML_SHOWN_SIZE];
    const char *url = lbio_xml_get(from, attribute);
    *found = NULL;
    if (!url || !*url) {
        return lbio_dae_fail(dae, from, "<%.40s> has no %s", from->name, attribute);
    }
    if (url[0] != '#') {
        return lbio_dae_fail(dae, from, "%s=\"%s\" is in another file, which is not read; put it into this one",
                             attribute, lbio_xml_show(url, shown));
    }
    *found = lbio_dae_find(dae, url + 1);
    if (!*found || strcmp((*found)->name, name) != 0) {
        return lbio_dae_fail(dae, from, "%s=\"%s\": there is no <%s> with that id", attribute,
                             lbio_xml_show(url, shown), name);
    }
    return LB_OK;
}

lb_status lbio_dae_spend(lbio_dae *dae, const lbio_xml *element, size_t amount) {
    dae->work += amount;
    return dae->work <= LBIO_DAE_MAX_WORK
               ? LB_OK
               : lbio_fail(dae->source, LB_ERROR_TOO_LARGE, element->line,
                           "shows the same parts too often; do its nodes name one another without end?");
}

lb_status lbio_dae_number(lbio_dae *dae, const lbio_xml *element, const char **at, double *value) {
    const char *begin = *at;
    begin += strspn(begin, " \t\r\n");
    if (*begin == 0) {
        const size_t length = (size_t)(begin - *at);
        *at = NULL;
        return lbio_dae_spend(dae, element, length);
    }
    const char *end = begin + strcspn(begin, " \t\r\n"), *after = lbio_number(begin, end, value);
    if (after != end) {
        char word[LBIO_XML_SHOWN_SIZE];
        snprintf(word, sizeof word, "%.*s", end - begin > 30 ? 30 : (int)(end - begin), begin);
        char shown[LBIO_XML_SHOWN_SIZE];
        return lbio_dae_fail(dae, element, "\"%s\" in <%.40s> is no finite number", lbio_xml_show(word, shown),
                             element->name);
    }
    const size_t length = (size_t)(end - *at);
    *at = end;
    return lbio_dae_spend(dae, element, length);
}

/* --- Nodes ---------------------------------------------------------------------------------------------------------------- */

/* out = a b: three rows of four each, the fourth being 0 0 0 1. */
static void multiply(const double a[12], const double b[12], double out[12]) {
    double product[12];
    for (int r = 0; r < 3; r++) {
        for (int c = 0; c < 4; c++) {
            product[4 * r + c] = a[4 * r] * b[c] + a[4 * r + 1] * b[4 + c] + a[4 * r + 2] * b[8 + c];
        }
        product[4 * r + 3] += a[4 * r + 3];
    }
    memcpy(out, product, sizeof product);
}

static void set_rotation(const double axis[3], double angle, double m[12]) {
    const double length = sqrt(axis[0] * axis[0] + axis[1] * axis[1] + axis[2] * axis[2]);
    const double c = lbm_cos(angle), s = lbm_sin(angle);
    double n[3] = {0, 0, 0};
    for (int i = 0; i < 3 && length > 0; i++) {
        n[i] = axis[i] / length;
    }
    for (int r = 0; r < 3 && length > 0; r++) {
        for (int k = 0; k < 3; k++) {
            m[4 * r + k] = (1 - c) * n[r] * n[k] + (r == k ? c : 0);
        }
    }
    if (length > 0) {
        m[1] -= s * n[2], m[2] += s * n[1], m[4] += s * n[2];
        m[6] -= s * n[0], m[8] -= s * n[1], m[9] += s * n[0];
    }
}

typedef enum turn_kind { NO_TURN, MATRIX, TRANSLATE, ROTATE, SCALE, OTHER } turn_kind;

static turn_kind kind_of(const lbio_xml *element) {
    static const char *const names[] = {"matrix", "translate", "rotate", "scale", "lookat", "skew"};
    for (int i = 0; i < 6; i++) {
        if (strcmp(element->name, names[i]) == 0) {
            return i < 4 ? (turn_kind)(MATRIX + i) : OTHER;
        }
    }
    return NO_TURN;
}

/* One of the steps of a node's transformation, laid over what is there. */
static lb_status turn(lbio_dae *dae, const lbio_xml *element, double matrix[12]) {
    static const int wanted[] = {0, 16, 3, 4, 3, 0};
    const turn_kind kind = kind_of(element);
    double values[16], step_matrix[12] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0}, more;
    const char *at = element->text;
    int count = 0;
    if (kind == OTHER) {
        return lbio_fail(dae->source, LB_ERROR_UNSUPPORTED, element->line,
                         "<%s> of a node is not read; export the file with matrices", element->name);
    }
    for (; kind != NO_TURN && count <= wanted[kind]; count++) {
        const lb_status status = lbio_dae_number(dae, element, &at, count < wanted[kind] ? &values[count] : &more);
        if (status) {
            return status;
        }
        if (!at) {
            break;
        }
    }
    if (count != wanted[kind]) {
        return lbio_dae_fail(dae, element, "<%s> should have %d numbers", element->name, wanted[kind]);
    }
    if (kind == MATRIX) {
        memcpy(step_matrix, values, sizeof step_matrix);
    } else if (kind == ROTATE) {
        set_rotation(values, values[3] * PI / 180, step_matrix);
    }
    for (int i = 0; i < 3; i++) {
        if (kind == TRANSLATE) {
            step_matrix[4 * i + 3] = values[i];
        } else if (kind == SCALE) {
            step_matrix[5 * i] = values[i];
        }
    }
    multiply(matrix, step_matrix, matrix);
    return LB_OK;
}

/* The geometry that an instance shows: its own, or that under a skin. */
static lb_status find_geometry(const lbio_dae *dae, const lbio_xml *instance, const lbio_xml **geometry) {
    if (strcmp(instance->name, "instance_geometry") == 0) {
        return lbio_dae_follow(dae, instance, "url", "geometry", geometry);
    }
    const lbio_xml *controller;
    lb_status status = lbio_dae_follow(dae, instance, "url", "controller", &controller);
    const lbio_xml *skin = status ? NULL : lbio_xml_child(controller, "skin");
    *geometry = NULL;
    return skin ? lbio_dae_follow(dae, skin, "source", "geometry", geometry) : status;
}

static lb_status read_node(lbio_dae *dae, const lbio_xml *node, const double outer[12], int depth) {
    double matrix[12];
    lb_status status = lbio_dae_spend(dae, node, LBIO_DAE_PART);
    memcpy(matrix, outer, sizeof matrix);
    if (depth > LBIO_DAE_MAX_DEPTH) {
        return lbio_dae_fail(dae, node, "nodes are more than %d deep in one another; do they name themselves?",
                             LBIO_DAE_MAX_DEPTH);
    }
    for (const lbio_xml *e = node->first_child; e && !status; e = e->next) {
        status = lbio_dae_spend(dae, e, 1);
        status = status ? status : turn(dae, e, matrix);
    }
    for (const lbio_xml *e = node->first_child; e && !status; e = e->next) {
        const lbio_xml *shown = NULL;
        if (strcmp(e->name, "instance_geometry") == 0 || strcmp(e->name, "instance_controller") == 0) {
            status = find_geometry(dae, e, &shown);
            status = status || !shown ? status : lbio_dae_geometry(dae, shown, e, matrix);
        } else if (strcmp(e->name, "instance_node") == 0) {
            status = lbio_dae_follow(dae, e, "url", "node", &shown);
            status = status ? status : read_node(dae, shown, matrix, depth + 1);
        } else if (strcmp(e->name, "node") == 0) {
            status = read_node(dae, e, matrix, depth + 1);
        }
    }
    return status;
}

/* --- The file ------------------------------------------------------------------------------------------------------------- */

static lb_status read_unit(lbio_dae *dae, const lbio_xml *root, double *unit) {
    const lbio_xml *asset = lbio_xml_child(root, "asset"), *element = asset ? lbio_xml_child(asset, "unit") : NULL;
    *unit = 1;
    lb_status status = element ? lbio_xml_numbers(dae->source, element, "meter", 1, unit, NULL) : LB_OK;
    return !status && !(*unit > 0) ? lbio_dae_fail(dae, element, "meter of <unit> must be above 0") : status;
}

/* The scene that the file is about, or its first; NULL: it has none. */
static lb_status find_scene(const lbio_dae *dae, const lbio_xml *root, const lbio_xml **scene) {
    const lbio_xml *about = lbio_xml_child(root, "scene");
    const lbio_xml *instance = about ? lbio_xml_child(about, "instance_visual_scene") : NULL;
    if (instance) {
        return lbio_dae_follow(dae, instance, "url", "visual_scene", scene);
    }
    const lbio_xml *library = lbio_xml_child(root, "library_visual_scenes");
    *scene = library ? lbio_xml_child(library, "visual_scene") : NULL;
    return LB_OK;
}

/* Without a scene, all geometries where they are. */
static lb_status read_all(lbio_dae *dae, const lbio_xml *root, const double matrix[12]) {
    lb_status status = LB_OK;
    for (const lbio_xml *l = lbio_xml_child(root, "library_geometries"); l;
         l = lbio_xml_next(l, "library_geometries")) {
        for (const lbio_xml *g = lbio_xml_child(l, "geometry"); g && !status; g = lbio_xml_next(g, "geometry")) {
            status = lbio_dae_geometry(dae, g, NULL, matrix);
        }
    }
    return status;
}

static lb_status read_root(lbio_dae *dae, lbio_xml_document *document, const lbio_xml *root) {
    const lbio_xml *scene = NULL;
    double unit = 1;
    if (strcmp(root->name, "COLLADA") != 0) {
        return lbio_dae_fail(dae, root, "a COLLADA file is a <COLLADA> element, not <%.60s>", root->name);
    }
    dae->id_count = collect_ids(root, NULL);
    dae->ids = lbio_xml_allocate(document, ((size_t)dae->id_count + 1) * sizeof *dae->ids);
    if (!dae->ids) {
        return lbio_fail(dae->source, LB_ERROR_MEMORY, 0, "out of memory");
    }
    collect_ids(root, dae->ids);
    qsort(dae->ids, (size_t)dae->id_count, sizeof *dae->ids, compare_ids);
    lb_status status = read_unit(dae, root, &unit);
    status = status ? status : find_scene(dae, root, &scene);
    const double matrix[12] = {unit, 0, 0, 0, 0, unit, 0, 0, 0, 0, unit, 0};
    if (!status) {
        status = scene ? read_node(dae, scene, matrix, 0) : read_all(dae, root, matrix);
    }
    if (!status && dae->cloud->triangle_count == 0) {
        return lbio_fail(dae->source, LB_ERROR_SYNTAX, 0, "has no triangles that its scene shows");
    }
    return status;
}

lb_status lbio_read_dae(const lbio_source *source, lbio_cloud *cloud) {
    lbio_dae dae = {.source = source, .cloud = cloud};
    lbio_xml_document *document = NULL;
    lbio_xml *root = NULL;
    lb_status status = lbio_xml_parse(source, &document, &root);
    if (!status) {
        status = read_root(&dae, document, root);
        lbio_xml_free(document);
    }
    return status;
}
