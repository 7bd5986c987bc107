/* The vertices of all meshes that the nodes of a glTF file show, where the nodes are at rest. */
#include "io/gltf/gltf.h"
#include "io/mesh/mesh.h"

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

static lb_status add_primitive(lbio_gltf *gltf, const json_t *primitive, const lbio_gltf_state *state,
                               lbio_cloud *cloud) {
    json_t *accessors = NULL;
    int accessor = -1, count = 0;
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
    cloud->triangle_count += count / 3;
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
