/* Any figure as a glTF file of its own: a node for each segment, meshes of its shapes, and a clip as an animation. */
#include "io/gltf/gltf.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PLAIN_COLOR 0x8FA3B8 /* of shapes that leave the choice to who draws */

/* The file being written. Vertex data come first in the buffer, then indices, then animations. */
typedef struct writer {
    const lb_figure *figure;
    const lb_clip *clip; /* NULL: none */
    const lb_save_options *options;
    lb_kinematics *kinematics;
    lbio_text nodes, meshes, materials, accessors, animations, vertices, indices, times;
    int mesh_count, accessor_count, material_count;
    int *colors;      /* [material_count] */
    int *order;       /* [segments] */
    lb_frame *locals; /* [segments] of the nodes, in this order */
    int failed;
} writer;

#define VIEW_VERTICES 0
#define VIEW_INDICES 1
#define VIEW_TIMES 2

/* ---------------------------------------------------------------------------------------------------
 * Pieces of JSON
 * ------------------------------------------------------------------------------------------------- */

static void add_string(lbio_text *out, const char *string) {
    json_t *value = json_string(string);
    char *spelled = value ? json_dumps(value, JSON_ENCODE_ANY) : NULL;
    lbio_text_add(out, spelled ? spelled : "\"?\"");
    free(spelled);
    json_decref(value);
}

static void add_numbers(lbio_text *out, const char *key, const double *values, int count) {
    lbio_text_format(out, ",\"%s\":", key);
    for (int i = 0; i < count; i++) {
        lbio_text_add(out, i ? "," : "[");
        lbio_text_number(out, values[i]);
    }
    lbio_text_add(out, "]");
}

static int add_accessor(writer *w, int view, size_t offset, int component, int count, const char *type) {
    lbio_text_format(&w->accessors,
                     "%s{\"bufferView\":%d,\"byteOffset\":%zu,\"componentType\":%d,\"count\":%d,\"type\":\"%s\"",
                     w->accessor_count ? "," : "", view, offset, component, count, type);
    return w->accessor_count++;
}

/* sRGB, as colours are written, to the linear light that glTF wants. */
static double linear_light(int part) {
    double c = part / 255.0;
    return c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4);
}

static int material_of(writer *w, int color) {
    for (int i = 0; i < w->material_count; i++) {
        if (w->colors[i] == color) {
            return i;
        }
    }
    w->colors[w->material_count] = color;
    double rgba[4] = {0, 0, 0, 1};
    for (int i = 0; i < 3; i++) { /* six digits show the colour as well as sixteen */
        rgba[i] = floor(linear_light(color >> (16 - 8 * i) & 0xFF) * 1e6 + 0.5) / 1e6;
    }
    lbio_text_format(&w->materials,
                     "%s{\"name\":\"#%06x\",\"pbrMetallicRoughness\":{\"metallicFactor\":0,\"roughnessFactor\":0.7",
                     w->material_count ? "," : "", (unsigned)color);
    add_numbers(&w->materials, "baseColorFactor", rgba, 4);
    lbio_text_add(&w->materials, "}}");
    return w->material_count++;
}

/* ---------------------------------------------------------------------------------------------------
 * Meshes
 * ------------------------------------------------------------------------------------------------- */

static void add_bounds(writer *w, const lbio_mesh *mesh) {
    double least[3], most[3];
    for (int i = 0; i < 3; i++) {
        least[i] = most[i] = mesh->positions[i];
        for (int v = 1; v < mesh->vertex_count; v++) {
            least[i] = fmin(least[i], mesh->positions[3 * v + i]);
            most[i] = fmax(most[i], mesh->positions[3 * v + i]);
        }
    }
    add_numbers(&w->accessors, "min", least, 3);
    add_numbers(&w->accessors, "max", most, 3);
}

static void add_primitive(writer *w, const lbio_mesh *mesh, int color, int is_first) {
    int position = add_accessor(w, VIEW_VERTICES, w->vertices.size, 5126, mesh->vertex_count, "VEC3");
    add_bounds(w, mesh);
    lbio_text_add(&w->accessors, "}");
    for (int i = 0; i < 3 * mesh->vertex_count; i++) {
        lbio_gltf_put_float(&w->vertices, mesh->positions[i]);
    }
    int normal = add_accessor(w, VIEW_VERTICES, w->vertices.size, 5126, mesh->vertex_count, "VEC3");
    lbio_text_add(&w->accessors, "}");
    for (int i = 0; i < 3 * mesh->vertex_count; i++) {
        lbio_gltf_put_float(&w->vertices, mesh->normals[i]);
    }
    int is_short = mesh->vertex_count < 65535;
    int indices = add_accessor(w, VIEW_INDICES, w->indices.size, is_short ? 5123 : 5125, mesh->index_count, "SCALAR");
    lbio_text_add(&w->accessors, "}");
    for (int i = 0; i < mesh->index_count; i++) {
        const char bytes[2] = {(char)(mesh->indices[i] & 0xFF), (char)(mesh->indices[i] >> 8 & 0xFF)};
        if (is_short) {
            lbio_text_bytes(&w->indices, bytes, 2);
        } else {
            lbio_gltf_put_u32(&w->indices, mesh->indices[i]);
        }
    }
    if (w->indices.size % 4) { /* an odd number of short ones */
        lbio_text_bytes(&w->indices, "\0", 2);
    }
    lbio_text_format(&w->meshes, "%s{\"attributes\":{\"POSITION\":%d,\"NORMAL\":%d},\"indices\":%d,\"material\":%d}",
                     is_first ? "" : ",", position, normal, indices, material_of(w, color));
}

/* Sticks to the joints of a segment that has no shape; a ball where it has none. */
static void add_sticks(const writer *w, int segment, lbio_mesh *mesh) {
    const lb_figure *figure = w->figure;
    int count = lb_figure_joint_count(figure), parent = lb_figure_parent_joint(figure, segment), any = 0;
    for (int i = 0; i < count; i++) {
        const lb_joint *joint = lb_figure_joint(figure, i);
        const int sites[2] = {joint->site_a, joint->site_b};
        for (int k = 0; k < 2 && i != parent; k++) {
            const lb_site *site = lb_figure_site(figure, sites[k]);
            const double *tip = site->frame.position;
            double length = sqrt(tip[0] * tip[0] + tip[1] * tip[1] + tip[2] * tip[2]);
            if (site->segment != segment || !(length > 1e-6)) {
                continue;
            }
            lb_shape stick;
            lb_shape_defaults(&stick);
            stick.kind = LB_SHAPE_CAPSULE;
            stick.size[0] = stick.size[2] = fmin(0.05 * length, 0.015);
            stick.size[1] = length / 2;
            const double half[4] = {-tip[1] / length, tip[0] / length, 0, 1 + tip[2] / length};
            double size = sqrt(half[0] * half[0] + half[1] * half[1] + half[3] * half[3]);
            for (int c = 0; c < 4; c++) {
                stick.frame.rotation[c] = size > 1e-6 ? half[c] / size : c == 0;
            }
            for (int c = 0; c < 3; c++) {
                stick.frame.position[c] = tip[c] / 2;
            }
            lbio_mesh_add(mesh, &stick);
            any = 1;
        }
    }
    if (!any && (parent >= 0 || count == 0)) {
        lb_shape ball;
        lb_shape_defaults(&ball);
        ball.size[0] = 0.01;
        lbio_mesh_add(mesh, &ball);
    }
}

/* The mesh of a segment: a primitive for each colour. Returns its number, or -1: nothing to see. */
static int add_mesh(writer *w, int segment, const int *first, const int *next) {
    const lb_figure *figure = w->figure;
    int primitives = 0;
    lbio_mesh mesh = {0};
    size_t before = w->meshes.size;
    lbio_text_format(&w->meshes, "%s{\"primitives\":[", w->mesh_count ? "," : "");
    for (int i = first[segment]; i >= 0; i = next[i]) {
        int color = lb_figure_shape(figure, i)->color, is_done = 0;
        for (int k = first[segment]; k != i; k = next[k]) {
            is_done |= lb_figure_shape(figure, k)->color == color;
        }
        for (int k = i; k >= 0 && !is_done; k = next[k]) {
            if (lb_figure_shape(figure, k)->color == color) {
                lbio_mesh_add(&mesh, lb_figure_shape(figure, k));
            }
        }
        w->failed |= mesh.failed;
        if (mesh.index_count > 0 && !mesh.failed) {
            add_primitive(w, &mesh, color < 0 ? PLAIN_COLOR : color & 0xFFFFFF, primitives++ == 0);
        }
        lbio_mesh_free(&mesh);
    }
    if (first[segment] < 0) {
        add_sticks(w, segment, &mesh);
        w->failed |= mesh.failed;
        if (mesh.index_count > 0 && !mesh.failed) {
            add_primitive(w, &mesh, PLAIN_COLOR, primitives++ == 0);
        }
        lbio_mesh_free(&mesh);
    }
    if (primitives == 0) {
        w->meshes.size = before;
        return -1;
    }
    lbio_text_add(&w->meshes, "]}");
    return w->mesh_count++;
}

/* ---------------------------------------------------------------------------------------------------
 * Nodes
 * ------------------------------------------------------------------------------------------------- */

/* Node 0 turns Limber's world into glTF's; segment order[k] is node k + 1. */
static const double from_world[4] = {-0.5, -0.5, -0.5, 0.5};

static void local_frame(const writer *w, int segment, lb_frame *local) {
    int parent = lb_figure_parent_segment(w->figure, segment);
    lb_kinematics_segment(w->kinematics, segment, local);
    if (parent >= 0) {
        lb_frame above, inverse;
        lb_kinematics_segment(w->kinematics, parent, &above);
        lb_frame_invert(&above, &inverse);
        lb_frame_multiply(&inverse, local, local);
    }
}

static void add_children(lbio_text *out, const int *child, const int *sibling, int of) {
    for (int i = child[of], is_first = 1; i >= 0; i = sibling[i], is_first = 0) {
        lbio_text_format(out, "%s%d", is_first ? ",\"children\":[" : ",", i + 1);
    }
    lbio_text_add(out, child[of] >= 0 ? "]" : "");
}

/* Everything in lists by segment: shapes, children. */
static void add_nodes(writer *w, int *lists) {
    const lb_figure *figure = w->figure;
    int count = lb_figure_segment_count(figure), shapes = lb_figure_shape_count(figure);
    int *first = lists, *place = first + count, *child = place + count, *sibling = child + count,
        *next = sibling + count;
    for (int i = 0; i < count; i++) {
        first[i] = child[i] = sibling[i] = -1;
        place[w->order[i]] = i;
    }
    for (int i = shapes - 1; i >= 0; i--) {
        int segment = lb_figure_shape(figure, i)->segment;
        if (lb_figure_shape(figure, i)->use != LB_SHAPE_USE_SOLID) {
            next[i] = first[segment];
            first[segment] = i;
        }
    }
    for (int k = count - 1; k >= 0; k--) {
        int parent = lb_figure_parent_segment(figure, w->order[k]);
        if (parent >= 0) {
            sibling[k] = child[place[parent]];
            child[place[parent]] = k;
        }
    }
    const char *name = lb_figure_name(figure);
    lbio_text_add(&w->nodes, "{\"name\":");
    add_string(&w->nodes, name && *name ? name : "figure");
    add_numbers(&w->nodes, "rotation", from_world, 4);
    lbio_text_add(&w->nodes, ",\"children\":[1]}");
    for (int k = 0; k < count; k++) {
        lb_frame local;
        local_frame(w, w->order[k], &local);
        lbio_text_add(&w->nodes, ",{\"name\":");
        add_string(&w->nodes, lb_figure_segment(figure, w->order[k])->name);
        add_numbers(&w->nodes, "translation", local.position, 3);
        lbio_gltf_clamp(local.rotation);
        w->locals[k] = local;
        add_numbers(&w->nodes, "rotation", local.rotation, 4);
        int mesh = add_mesh(w, w->order[k], first, next);
        if (mesh >= 0) {
            lbio_text_format(&w->nodes, ",\"mesh\":%d", mesh);
        }
        add_children(&w->nodes, child, sibling, k);
        lbio_text_add(&w->nodes, "}");
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Animation
 * ------------------------------------------------------------------------------------------------- */

/* The channels of the animation so far, as JSON. */
typedef struct channel_list {
    lbio_text samplers, channels;
    int count;
} channel_list;

static void add_channel(writer *w, channel_list *list, int node, int width, const double *values, int frames) {
    int number = list->count++;
    int output = add_accessor(w, VIEW_TIMES, w->times.size, 5126, frames, width == 4 ? "VEC4" : "VEC3");
    lbio_text_add(&w->accessors, "}");
    for (int f = 0; f < frames; f++) {
        for (int i = 0; i < width; i++) {
            lbio_gltf_put_float(&w->times, values[(size_t)f * 7 + (size_t)i]);
        }
    }
    /* the times' accessor is the first after the meshes': the one before the first output */
    lbio_text_format(&list->samplers, "%s{\"input\":%d,\"interpolation\":\"LINEAR\",\"output\":%d}", number ? "," : "",
                     output - number - 1, output);
    lbio_text_format(&list->channels, "%s{\"sampler\":%d,\"target\":{\"node\":%d,\"path\":\"%s\"}}", number ? "," : "",
                     number, node, width == 4 ? "rotation" : "translation");
}

/* Whether a track is anywhere but where its node is without it: one that is constant, elsewhere, is kept. */
static int moves(const double *values, const double *node, int width, int frames) {
    double sign = 1;
    if (width == 4) { /* a quaternion and its negative are the same turn */
        double dot = 0;
        for (int i = 0; i < 4; i++) {
            dot += values[i] * node[i];
        }
        sign = dot < 0 ? -1 : 1;
    }
    for (int f = 0; f < frames; f++) {
        for (int i = 0; i < width; i++) {
            if (fabs(values[(size_t)f * 7 + (size_t)i] - sign * node[i]) > 1e-9) {
                return 1;
            }
        }
    }
    return 0;
}

static lb_status add_animation(writer *w, const lb_clip *clip, lb_error *error) {
    int count = lb_figure_segment_count(w->figure), frames = lb_clip_frame_count(clip);
    size_t stride = (size_t)frames * 7;
    double *values = calloc((size_t)count * stride + 1, sizeof *values); /* [segment][frame]: translation, rotation */
    channel_list list = {0};
    if (!values) {
        return lbio_error(error, LB_ERROR_MEMORY, "", 0, "out of memory");
    }
    for (int f = 0; f < frames; f++) {
        lb_status status = lb_kinematics_update(w->kinematics, lb_clip_const_pose(clip, f));
        if (status != LB_OK) {
            free(values);
            return lbio_error(error, status, "", 0, "frame %d of the clip is not a pose of the figure", f);
        }
        for (int k = 0; k < count; k++) {
            lb_frame local;
            local_frame(w, w->order[k], &local);
            double *v = values + (size_t)k * stride + (size_t)f * 7, dot = 0;
            memcpy(v, local.position, sizeof local.position);
            for (int i = 0; i < 4 && f > 0; i++) {
                dot += v[i - 4] * local.rotation[i];
            }
            for (int i = 0; i < 4; i++) {
                v[3 + i] = dot < 0 ? -local.rotation[i] : local.rotation[i];
            }
        }
    }
    double last = (double)(float)((frames - 1) * lb_clip_frame_time(clip)), zero = 0;
    add_accessor(w, VIEW_TIMES, 0, 5126, frames, "SCALAR");
    add_numbers(&w->accessors, "min", &zero, 1);
    add_numbers(&w->accessors, "max", &last, 1);
    lbio_text_add(&w->accessors, "}");
    for (int f = 0; f < frames; f++) {
        lbio_gltf_put_float(&w->times, f * lb_clip_frame_time(clip));
    }
    for (int k = 0; k < count; k++) {
        const double *v = values + (size_t)k * stride;
        const lb_frame *node = &w->locals[k];
        if (moves(v + 3, node->rotation, 4, frames) || (k == count - 1 && list.count == 0)) {
            add_channel(w, &list, k + 1, 4, v + 3, frames);
        }
        if (moves(v, node->position, 3, frames)) {
            add_channel(w, &list, k + 1, 3, v, frames);
        }
    }
    lbio_text_format(&w->animations, ",\"animations\":[{\"name\":\"limber\",\"samplers\":[%s],\"channels\":[%s]}]",
                     list.samplers.data ? list.samplers.data : "", list.channels.data ? list.channels.data : "");
    w->failed |= list.samplers.failed | list.channels.failed;
    lbio_text_free(&list.samplers);
    lbio_text_free(&list.channels);
    free(values);
    return LB_OK;
}

/* ---------------------------------------------------------------------------------------------------
 * The file
 * ------------------------------------------------------------------------------------------------- */

/* The views of the buffer, in its order; those of no bytes are left out, which only the last ones can be. */
static void add_views(const writer *w, lbio_text *json) {
    const size_t sizes[3] = {w->vertices.size, w->indices.size, w->times.size};
    static const char *const extras[3] = {",\"byteStride\":12,\"target\":34962", ",\"target\":34963", ""};
    size_t at = 0;
    int written = 0;
    for (int i = 0; i < 3; i++) {
        if (sizes[i] > 0) {
            lbio_text_format(json, "%s{\"buffer\":0,\"byteOffset\":%zu,\"byteLength\":%zu%s}",
                             written++ ? "," : ",\"bufferViews\":[", at, sizes[i], extras[i]);
        }
        at += sizes[i];
    }
    lbio_text_add(json, written ? "]" : "");
}

static void put_together(writer *w, int is_text, lbio_text *out) {
    lbio_text json = {0}, bin = {0};
    lbio_text_bytes(&bin, w->vertices.data ? w->vertices.data : "", w->vertices.size);
    lbio_text_bytes(&bin, w->indices.data ? w->indices.data : "", w->indices.size);
    lbio_text_bytes(&bin, w->times.data ? w->times.data : "", w->times.size);
    lbio_text_format(
        &json, "{\"asset\":{\"version\":\"2.0\",\"generator\":\"Limber %s\"},\"scene\":0,\"scenes\":[{\"nodes\":[0]}]",
        LB_VERSION_TEXT);
    const struct {
        const char *key;
        const lbio_text *items;
    } lists[] = {
        {"nodes", &w->nodes}, {"meshes", &w->meshes}, {"materials", &w->materials}, {"accessors", &w->accessors}};
    for (size_t i = 0; i < sizeof lists / sizeof lists[0]; i++) {
        if (lists[i].items->size > 0) {
            lbio_text_format(&json, ",\"%s\":[", lists[i].key);
            lbio_text_bytes(&json, lists[i].items->data, lists[i].items->size);
            lbio_text_add(&json, "]");
        }
        w->failed |= lists[i].items->failed;
    }
    lbio_text_add(&json, w->animations.data ? w->animations.data : "");
    add_views(w, &json);
    if (bin.size > 0) {
        lbio_text_format(&json, ",\"buffers\":[{\"byteLength\":%zu", bin.size);
        if (is_text) {
            lbio_text_add(&json, ",\"uri\":\"data:application/octet-stream;base64,");
            lbio_gltf_put_base64(&json, &bin);
            lbio_text_add(&json, "\"");
        }
        lbio_text_add(&json, "}]");
    }
    lbio_text_add(&json, is_text ? "}\n" : "}");
    if (is_text) {
        lbio_text_bytes(out, json.data ? json.data : "", json.size);
    } else {
        lbio_gltf_put_file(out, &json, &bin, "", 0);
    }
    out->failed |= json.failed | bin.failed | w->failed | w->vertices.failed | w->indices.failed | w->times.failed |
                   w->animations.failed;
    lbio_text_free(&json);
    lbio_text_free(&bin);
}

static lb_status write_figure(writer *w, int is_text, lbio_text *text, lb_error *error) {
    const lb_figure *figure = w->figure;
    size_t count = (size_t)lb_figure_segment_count(figure), shapes = (size_t)lb_figure_shape_count(figure);
    lb_status status = LB_OK;
    w->kinematics = lb_kinematics_create(figure, NULL);
    w->order = malloc((5 * count + shapes + 1) * sizeof *w->order);
    w->colors = malloc((shapes + count + 2) * sizeof *w->colors);
    w->locals = malloc((count + 1) * sizeof *w->locals);
    if (!w->kinematics || !w->order || !w->colors || !w->locals) {
        return lbio_error(error, LB_ERROR_MEMORY, "", 0, "out of memory");
    }
    if (w->options->pose && (status = lb_kinematics_update(w->kinematics, w->options->pose)) != LB_OK) {
        return lbio_error(error, status, "", 0, "the pose is not one of the figure's");
    }
    lb_figure_tree_order(figure, w->order);
    add_nodes(w, w->order + count);
    if (w->clip) {
        status = add_animation(w, w->clip, error);
    }
    if (status == LB_OK) {
        put_together(w, is_text, text);
    }
    return status;
}

lb_status lbio_write_gltf(const lb_figure *figure, const lb_clip *clip, const lb_save_options *options, int is_text,
                          lbio_text *text, lb_error *error) {
    writer w;
    memset(&w, 0, sizeof w);
    w.figure = figure;
    w.clip = clip;
    w.options = options;
    lb_status status = write_figure(&w, is_text, text, error);
    lb_kinematics_destroy(w.kinematics);
    free(w.order);
    free(w.locals);
    free(w.colors);
    lbio_text *const all[] = {&w.nodes,      &w.meshes,   &w.materials, &w.accessors,
                              &w.animations, &w.vertices, &w.indices,   &w.times};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
        lbio_text_free(all[i]);
    }
    return status;
}
