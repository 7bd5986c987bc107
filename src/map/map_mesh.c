/* The surface of a map as a mesh: PLY, or GLB with the figure in it. */
#include "map/surface.h"

#include <jansson.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

static int has_ending(const char *path, const char *ending) {
    const size_t length = strlen(path), size = strlen(ending);
    return length > size && strcmp(path + length - size, ending) == 0;
}

int lb_map_is_mesh(const char *path) { return path && (has_ending(path, ".ply") || has_ending(path, ".glb")); }

/* The colour of a corner: that of its cell, or else of the nearest one that is reached. */
static void corner_color(const lb_map *map, const double p[3], double rgb[3]) {
    const lbmap_layout *l = &map->layout;
    int64_t at[3];
    double best = -1;
    for (int i = 0; i < 3; i++) {
        at[i] = (int64_t)floor((p[i] - l->origin[i]) / l->spacing + 0.5);
    }
    for (int k = 0; k < 27; k++) {
        const int64_t x = at[0] + k % 3 - 1, y = at[1] + k / 3 % 3 - 1, z = at[2] + k / 9 - 1;
        if (x >= 0 && y >= 0 && z >= 0 && x < l->shape[0] && y < l->shape[1] && z < l->shape[2]) {
            const int64_t cell = x + l->shape[0] * (y + l->shape[1] * z);
            if (map->states[cell] == LB_MAP_STATE_REACHED) {
                best = fmax(best, lbmap_share(map, cell));
            }
        }
    }
    lbmap_color(fmax(best, 0), rgb);
}

static void put_float(lbio_text *out, double value) { /* little-endian, whatever the machine */
    const float f = (float)value;
    uint32_t bits;
    char bytes[4];
    memcpy(&bits, &f, sizeof bits);
    for (int i = 0; i < 4; i++) {
        bytes[i] = (char)(bits >> 8 * i & 255);
    }
    lbio_text_bytes(out, bytes, 4);
}

static void put_u32(lbio_text *out, uint32_t value) {
    char bytes[4];
    for (int i = 0; i < 4; i++) {
        bytes[i] = (char)(value >> 8 * i & 255);
    }
    lbio_text_bytes(out, bytes, 4);
}

/* --- PLY ------------------------------------------------------------------------------------------------------------- */

static void write_ply(const lb_map *map, const lbmap_mesh *m, lbio_text *out) {
    lbio_text_format(out,
                     "ply\nformat binary_little_endian 1.0\ncomment surface of a Limber map, metres, z up\n"
                     "element vertex %d\nproperty float x\nproperty float y\nproperty float z\nproperty float nx\n"
                     "property float ny\nproperty float nz\nproperty uchar red\n"
                     "property uchar green\nproperty uchar blue\nelement face %d\n"
                     "property list uchar uint vertex_indices\nend_header\n",
                     m->vertex_count, m->triangle_count);
    for (int i = 0; i < m->vertex_count; i++) {
        double rgb[3];
        corner_color(map, m->vertices[i].p, rgb);
        for (int k = 0; k < 6; k++) {
            put_float(out, k < 3 ? m->vertices[i].p[k] : m->vertices[i].normal[k - 3]);
        }
        for (int k = 0; k < 3; k++) {
            const char byte = (char)(unsigned char)(255 * rgb[k] + 0.5);
            lbio_text_bytes(out, &byte, 1);
        }
    }
    for (int i = 0; i < m->triangle_count; i++) {
        lbio_text_bytes(out, "\3", 1);
        for (int k = 0; k < 3; k++) {
            put_u32(out, (uint32_t)m->index[3 * i + k]);
        }
    }
}

/* --- GLB: the figure's own file, with a mesh added
 * ------------------------------------------------------------------- */

/* Positions, normals, colours and triangles of the surface in glTF's frame: y up, so that (x, y, z) is (y, z, x) of
 * ours. */
static void put_mesh(const lb_map *map, const lbmap_mesh *m, lbio_text *bin, double low[3], double high[3]) {
    static const int order[3] = {1, 2, 0};
    for (int k = 0; k < 3; k++) {
        low[k] = INFINITY, high[k] = -INFINITY;
    }
    for (int i = 0; i < 3 * m->vertex_count; i++) {
        const double value = (float)m->vertices[i / 3].p[order[i % 3]];
        low[i % 3] = fmin(low[i % 3], value), high[i % 3] = fmax(high[i % 3], value);
        put_float(bin, value);
    }
    for (int i = 0; i < 3 * m->vertex_count; i++) {
        put_float(bin, m->vertices[i / 3].normal[order[i % 3]]);
    }
    for (int i = 0; i < m->vertex_count; i++) {
        double rgb[3];
        corner_color(map, m->vertices[i].p, rgb);
        for (int k = 0; k < 3; k++) {
            put_float(bin, pow(rgb[k], 2.2)); /* linear */
        }
    }
    for (int i = 0; i < 3 * m->triangle_count; i++) {
        put_u32(bin, (uint32_t)m->index[i]);
    }
}

static json_t *list_of(json_t *root, const char *key) {
    json_t *list = json_object_get(root, key);
    if (!list) {
        list = json_array();
        json_object_set_new(root, key, list);
    }
    return list;
}

/* Adds the mesh to the file's JSON; its numbers begin at `offset` of its buffer, whose new size is `size`. */
static int add_mesh(json_t *root, size_t offset, size_t size, const lbmap_mesh *m, const double low[3],
                    const double high[3]) {
    json_t *views = list_of(root, "bufferViews"), *accessors = list_of(root, "accessors");
    json_t *materials = list_of(root, "materials"), *meshes = list_of(root, "meshes"), *nodes = list_of(root, "nodes");
    json_t *buffer = json_array_get(json_object_get(root, "buffers"), 0);
    json_t *scene = json_array_get(json_object_get(root, "scenes"), 0);
    const int view = (int)json_array_size(views), accessor = (int)json_array_size(accessors);
    const size_t part = (size_t)m->vertex_count * 12;
    if (!buffer || !scene) {
        return 0;
    }
    for (int i = 0; i < 4; i++) { /* positions, normals, colours, triangles */
        const size_t bytes = i < 3 ? part : (size_t)m->triangle_count * 12, begin = offset + (size_t)i * part;
        json_array_append_new(views, json_pack("{s:i, s:I, s:I, s:i}", "buffer", 0, "byteOffset", (json_int_t)begin,
                                               "byteLength", (json_int_t)bytes, "target", i < 3 ? 34962 : 34963));
        json_array_append_new(accessors,
                              json_pack("{s:i, s:i, s:i, s:s}", "bufferView", view + i, "componentType",
                                        i < 3 ? 5126 : 5125, "count", i < 3 ? m->vertex_count : 3 * m->triangle_count,
                                        "type", i < 3 ? "VEC3" : "SCALAR"));
    }
    json_t *positions = json_array_get(accessors, (size_t)accessor);
    json_object_set_new(positions, "min", json_pack("[f, f, f]", low[0], low[1], low[2]));
    json_object_set_new(positions, "max", json_pack("[f, f, f]", high[0], high[1], high[2]));
    json_array_append_new(materials,
                          json_pack("{s:s, s:s, s:b, s:{s:[f, f, f, f], s:f, s:f}}", "name", "reached", "alphaMode",
                                    "BLEND", "doubleSided", 1, "pbrMetallicRoughness", "baseColorFactor", 1.0, 1.0, 1.0,
                                    0.35, "metallicFactor", 0.0, "roughnessFactor", 0.9));
    json_array_append_new(meshes,
                          json_pack("{s:s, s:[{s:{s:i, s:i, s:i}, s:i, s:i}]}", "name", "reached", "primitives",
                                    "attributes", "POSITION", accessor, "NORMAL", accessor + 1, "COLOR_0", accessor + 2,
                                    "indices", accessor + 3, "material", (int)json_array_size(materials) - 1));
    json_array_append_new(nodes, json_pack("{s:s, s:i}", "name", "reached", "mesh", (int)json_array_size(meshes) - 1));
    json_object_set_new(buffer, "byteLength", json_integer((json_int_t)size));
    return json_array_append_new(list_of(scene, "nodes"), json_integer((json_int_t)json_array_size(nodes) - 1)) == 0;
}

static uint32_t get_u32(const char *bytes) {
    const unsigned char *b = (const unsigned char *)bytes;
    return b[0] | (uint32_t)b[1] << 8 | (uint32_t)b[2] << 16 | (uint32_t)b[3] << 24;
}

static void put_chunk(lbio_text *out, const char *data, size_t size, uint32_t type, char pad) {
    put_u32(out, (uint32_t)((size + 3) / 4 * 4));
    put_u32(out, type);
    lbio_text_bytes(out, data, size);
    for (; size % 4; size++) {
        lbio_text_bytes(out, &pad, 1);
    }
}

/* Puts the surface into the figure's GLB: a header of 12 bytes, a chunk of JSON, a chunk of bytes. */
static int join(const lb_map *map, const lbmap_mesh *m, const char *glb, size_t size, lbio_text *out) {
    const size_t json_size = get_u32(glb + 12), bin_at = 20 + json_size;
    double low[3], high[3];
    lbio_text bin = {0};
    json_t *root = json_loadb(glb + 20, json_size, 0, NULL);
    if (!root || bin_at + 8 > size) {
        json_decref(root);
        return 0;
    }
    lbio_text_bytes(&bin, glb + bin_at + 8, get_u32(glb + bin_at));
    const size_t offset = bin.size;
    put_mesh(map, m, &bin, low, high);
    const int is_added = add_mesh(root, offset, bin.size, m, low, high);
    char *text = is_added ? json_dumps(root, JSON_COMPACT | JSON_PRESERVE_ORDER | JSON_REAL_PRECISION(9)) : NULL;
    json_decref(root);
    if (text) {
        const size_t length = strlen(text), all = 12 + 8 + (length + 3) / 4 * 4 + 8 + (bin.size + 3) / 4 * 4;
        lbio_text_bytes(out, "glTF", 4);
        put_u32(out, 2);
        put_u32(out, (uint32_t)all);
        put_chunk(out, text, length, 0x4E4F534A, ' ');
        put_chunk(out, bin.data, bin.size, 0x004E4942, 0);
    }
    const int is_well = text && !bin.failed && !out->failed;
    free(text);
    lbio_text_free(&bin);
    return is_well;
}

/* The surface of a map that has one. */
static lb_status make_mesh(const lb_map *map, lbmap_mesh *mesh, lb_error *error) {
    lbmap_surface s;
    lb_status status = lbmap_surface_make(map, &s, error);
    if (status) {
        return status;
    }
    status = s.count == 0
                 ? lbio_error(error, LB_ERROR_UNSUPPORTED, map->path, 0, "nothing is reached, so there is no surface")
                 : lbmap_weld(&s, mesh, error);
    lbmap_surface_free(&s);
    return status;
}

lb_status lb_map_save_glb(const lb_map *map, char **data, size_t *size, lb_error *error) {
    lb_save_options save;
    lbmap_mesh mesh;
    lbio_text out = {0};
    char *glb = NULL;
    size_t glb_size = 0;
    if (!map || !data || !size) {
        return lbio_error(error, LB_ERROR_ARGUMENT, NULL, 0, "a mesh needs a map");
    }
    lb_save_options_defaults(&save);
    save.format = LB_FORMAT_GLTF;
    save.pose = map->base_pose;
    lb_status status = make_mesh(map, &mesh, error);
    if (status) {
        return status;
    }
    status = lb_figure_save_memory(map->figure, &save, &glb, &glb_size, error);
    if (!status && !join(map, &mesh, glb, glb_size, &out)) {
        status = lbio_error(error, LB_ERROR_MEMORY, map->path, 0, "no memory for the mesh");
    }
    lb_text_free(glb);
    lbmap_mesh_free(&mesh);
    if (status) {
        lbio_text_free(&out);
        return status;
    }
    *data = out.data, *size = out.size;
    return LB_OK;
}

lb_status lb_map_save_mesh(const lb_map *map, const char *path, lb_error *error) {
    lbmap_mesh mesh;
    lbio_text out = {0};
    char *glb = NULL;
    size_t size = 0;
    if (!map || !path || !lb_map_is_mesh(path)) {
        return lbio_error(error, LB_ERROR_ARGUMENT, path, 0, "a mesh ends in .ply or .glb");
    }
    if (has_ending(path, ".glb")) {
        lb_status status = lb_map_save_glb(map, &glb, &size, error);
        status = status ? status : lbio_write_file(path, glb, size, error);
        lb_text_free(glb);
        return status;
    }
    lb_status status = make_mesh(map, &mesh, error);
    if (!status) {
        write_ply(map, &mesh, &out);
        status = out.failed ? lbio_error(error, LB_ERROR_MEMORY, path, 0, "no memory for the mesh")
                            : lbio_write_file(path, out.data, out.size, error);
        lbmap_mesh_free(&mesh);
    }
    lbio_text_free(&out);
    return status;
}
