/* The triangles of all meshes that the nodes of a glTF file show, where the nodes are at rest. */
#include "io/gltf/gltf.h"
#include "io/mesh/mesh.h"

#include <math.h>
#include <string.h>

/* A point of a node's mesh in the file's world, with z up. */
static void place(const lbio_gltf_state *state, const double point[3], double out[3]) {
    double shaped[3], turned[3], m[9];
    lb_rotation_to_matrix(state->frame.rotation, m);
    for (int r = 0; r < 3; r++) {
        const double *row = state->shape + 3 * r;
        shaped[r] = row[0] * point[0] + row[1] * point[1] + row[2] * point[2];
    }
    for (int r = 0; r < 3; r++) {
        turned[r] =
            m[3 * r] * shaped[0] + m[3 * r + 1] * shaped[1] + m[3 * r + 2] * shaped[2] + state->frame.position[r];
    }
    out[0] = turned[0], out[1] = 0.0 - turned[2], out[2] = turned[1];
}

/* As lbio_corners has it: the base colour of a primitive's material, which glTF has without the screen's curve. */
static int find_paint(const lbio_gltf *gltf, const json_t *primitive) {
    const json_t *number = json_object_get(primitive, "material"),
                 *materials = json_object_get(gltf->json, "materials");
    const json_t *material =
        json_is_integer(number) ? json_array_get(materials, (size_t)json_integer_value(number)) : NULL;
    const json_t *factor = json_object_get(json_object_get(material, "pbrMetallicRoughness"), "baseColorFactor");
    int paint = 0;
    for (size_t i = 0; i < 3 && json_array_size(factor) >= 3; i++) {
        const double value = json_number_value(json_array_get(factor, i));
        const double part = value < 0.0031308 ? 12.92 * value : 1.055 * pow(value < 1 ? value : 1, 1 / 2.4) - 0.055;
        paint = paint << 8 | (int)((part > 0 ? part : 0) * 255 + 0.5);
    }
    return json_array_size(factor) >= 3 ? paint + 1 : 0;
}

/* The primitive's indices, all of them below `points`; NULL, and `count` as it was, where it has none. */
static lb_status read_indices(lbio_gltf *gltf, const json_t *primitive, int points, double **indices, int *count) {
    json_t *accessors = NULL;
    int accessor = -1;
    lb_status status = lbio_gltf_list(gltf, "accessors", &accessors);
    status = status ? status : lbio_gltf_index(gltf, primitive, "indices", (int)json_array_size(accessors), &accessor);
    if (!status && accessor >= 0) {
        status = lbio_gltf_accessor(gltf, accessor, 1, indices, count);
    }
    for (int i = 0; i < *count && *indices && !status; i++) {
        if (!((*indices)[i] >= 0 && (*indices)[i] < points)) {
            status =
                lbio_fail(gltf->source, LB_ERROR_SYNTAX, 0, "index %d of a mesh is beyond its %d vertices", i, points);
        }
    }
    return status;
}

/* The primitive's corners, in order: its indices, or all its points. Modes 4, 5 and 6 are triangles, strips and
 * fans. */
static lb_status add_triangles(lbio_gltf *gltf, const json_t *primitive, int first, int points, lbio_cloud *cloud) {
    const json_t *mode = json_object_get(primitive, "mode");
    const json_int_t way = json_is_integer(mode) ? json_integer_value(mode) : 4;
    int count = points;
    double *indices = NULL;
    lb_status status = read_indices(gltf, primitive, points, &indices, &count);
    for (int i = 2; i < count && !status && way >= 4 && way <= 6; i += way == 4 ? 3 : 1) {
        const int turn = way == 5 && i % 2, a = way == 6 ? 0 : i - 2 + turn, b = i - 1 - turn;
        const int at[3] = {indices ? (int)indices[a] : a, indices ? (int)indices[b] : b, indices ? (int)indices[i] : i};
        if (!lbio_cloud_add_triangle(cloud, first + at[0], first + at[1], first + at[2])) {
            status = lbio_cloud_full(gltf->source, cloud, 0);
        }
    }
    return status;
}

static lb_status add_primitive(lbio_gltf *gltf, const json_t *primitive, const lbio_gltf_state *state,
                               lbio_cloud *cloud) {
    json_t *accessors = NULL;
    int accessor = -1, count = 0;
    const int first = cloud->count;
    double *values = NULL;
    lb_status status = lbio_gltf_list(gltf, "accessors", &accessors);
    const json_t *attributes = json_object_get(primitive, "attributes");
    if (!status && json_is_object(attributes)) {
        status = lbio_gltf_index(gltf, attributes, "POSITION", (int)json_array_size(accessors), &accessor);
    }
    if (!status && accessor >= 0) {
        status = lbio_gltf_accessor(gltf, accessor, 3, &values, &count);
    }
    for (int i = 0; i < count && !status; i++) {
        double point[3];
        place(state, values + 3 * i, point);
        if (!lbio_are_finite(point, 3)) {
            status = lbio_fail(gltf->source, LB_ERROR_SYNTAX, 0, "a vertex of a mesh is not finite");
        } else if (!lbio_cloud_add(cloud, point)) {
            status = lbio_cloud_full(gltf->source, cloud, 0);
        }
    }
    cloud->paint = find_paint(gltf, primitive);
    status = status ? status : add_triangles(gltf, primitive, first, count, cloud);
    cloud->paint = 0;
    return status;
}

static lb_status add_mesh(lbio_gltf *gltf, const json_t *mesh, const lbio_gltf_state *state, lbio_cloud *cloud) {
    const json_t *primitives = json_object_get(mesh, "primitives");
    lb_status status = LB_OK;
    for (size_t i = 0; i < json_array_size(primitives) && !status; i++) {
        status = add_primitive(gltf, json_array_get(primitives, i), state, cloud);
    }
    return status;
}

static lb_status add_nodes(lbio_gltf *gltf, lbio_cloud *cloud) {
    json_t *nodes = NULL, *meshes = NULL;
    lb_status status = lbio_gltf_list(gltf, "nodes", &nodes);
    if (!status) {
        status = lbio_gltf_list(gltf, "meshes", &meshes);
    }
    for (int i = 0; i < gltf->node_count && !status; i++) {
        int mesh = -1;
        status = lbio_gltf_index(gltf, json_array_get(nodes, (size_t)i), "mesh", (int)json_array_size(meshes), &mesh);
        if (!status && mesh >= 0) {
            status = add_mesh(gltf, json_array_get(meshes, (size_t)mesh), &gltf->rest[i], cloud);
        }
    }
    return status;
}

lb_status lbio_read_gltf_cloud(const lbio_source *source, const char *folder, lbio_cloud *cloud) {
    lbio_gltf gltf;
    lb_status status = lbio_gltf_open(&gltf, source, folder);
    if (!status) {
        status = lbio_gltf_read_nodes(&gltf);
    }
    if (!status) {
        status = add_nodes(&gltf, cloud);
    }
    lbio_gltf_close(&gltf);
    if (!status && cloud->triangle_count == 0) {
        return lbio_fail(source, LB_ERROR_SYNTAX, 0, "has no mesh that a node shows");
    }
    return status;
}
