#include "scene.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

const char *const scene_files[] = {"data/gltf/CesiumMan.glb",
                                   "data/gltf/Fox.glb",
                                   "data/gltf/KayKit_Knight.glb",
                                   "data/gltf/RecursiveSkeletons.glb",
                                   "data/gltf/RiggedFigure.glb",
                                   "data/gltf/RiggedSimple.glb",
                                   "data/gltf/RobotExpressive.glb",
                                   "data/gltf/SimpleSkin.gltf",
                                   "data/gltf/hand_babylon_l_rhs.glb",
                                   "data/gltf/momentum_blender_simple_armature.glb",
                                   "data/gltf/quirks/Animation_Skin_00.gltf",
                                   "data/gltf/quirks/Animation_Skin_03.gltf",
                                   "data/gltf/quirks/Animation_Skin_05.gltf",
                                   "data/gltf/quirks/Animation_Skin_06.gltf",
                                   "data/gltf/quirks/Animation_Skin_09.gltf",
                                   "data/gltf/quirks/assimp_quad_skin_flat.glb",
                                   "data/gltf/quirks/momentum_skeleton_non_joint_root.glb",
                                   "data/gltf/quirks/webxr_generic_hand_left_flat.glb",
                                   "data/vrm/Example_vrm1.vrm",
                                   "data/vrm/Godette_vrm0.vrm",
                                   "data/vrm/basic_armature_vrm0.vrm",
                                   "data/vrm/basic_armature_vrm1.vrm",
                                   "data/vrm/multi_root_armature_vrm1.vrm",
                                   "data/vrm/test.vrma",
                                   NULL};

static size_t word(const char *at) {
    const unsigned char *b = (const unsigned char *)at;
    return (size_t)b[0] | (size_t)b[1] << 8 | (size_t)b[2] << 16 | (size_t)b[3] << 24;
}

int scene_open(scene *s, const char *path) {
    memset(s, 0, sizeof *s);
    s->file = check_read_file(path, &s->size);
    if (!s->file) {
        return 0;
    }
    s->text = s->file;
    s->text_size = s->size;
    if (s->size > 20 && memcmp(s->file, "glTF", 4) == 0) {
        s->text = s->file + 20;
        s->text_size = word(s->file + 12);
        size_t at = 20 + s->text_size;
        if (at + 8 <= s->size && word(s->file + at + 4) == 0x004E4942) {
            s->bin = (const unsigned char *)s->file + at + 8;
            s->bin_size = word(s->file + at);
        }
    }
    s->json = json_loadb(s->text, s->text_size, 0, NULL);
    const json_t *nodes = json_object_get(s->json, "nodes");
    s->node_count = (int)json_array_size(nodes);
    s->parents = malloc(((size_t)s->node_count + 1) * sizeof *s->parents);
    s->local = malloc(((size_t)s->node_count + 1) * sizeof *s->local);
    s->world = malloc(((size_t)s->node_count + 1) * sizeof *s->world);
    for (int i = 0; i < s->node_count; i++) {
        s->parents[i] = -1;
    }
    for (int i = 0; i < s->node_count; i++) {
        const json_t *children = json_object_get(json_array_get(nodes, (size_t)i), "children");
        for (size_t k = 0; k < json_array_size(children); k++) {
            s->parents[json_integer_value(json_array_get(children, k))] = i;
        }
    }
    scene_place(s, -1, 0);
    return s->json != NULL;
}

void scene_close(scene *s) {
    json_decref(s->json);
    free(s->file);
    free(s->parents);
    free(s->local);
    free(s->world);
    memset(s, 0, sizeof *s);
}

static void numbers(const json_t *list, int count, double *out) {
    for (int i = 0; i < count && json_is_array(list); i++) {
        out[i] = json_number_value(json_array_get(list, (size_t)i));
    }
}

static void compose(const double t[3], const double q[4], const double s[3], double m[16]) {
    double x = q[0], y = q[1], z = q[2], w = q[3];
    const double r[9] = {1 - 2 * (y * y + z * z), 2 * (x * y - z * w),     2 * (x * z + y * w),
                         2 * (x * y + z * w),     1 - 2 * (x * x + z * z), 2 * (y * z - x * w),
                         2 * (x * z - y * w),     2 * (y * z + x * w),     1 - 2 * (x * x + y * y)};
    memset(m, 0, 16 * sizeof *m);
    for (int c = 0; c < 3; c++) {
        for (int i = 0; i < 3; i++) {
            m[4 * c + i] = r[3 * i + c] * s[c];
        }
        m[12 + c] = t[c];
    }
    m[15] = 1;
}

/* Bytes of an accessor of floats in a GLB's own buffer; NULL for others. */
static const float *floats(const scene *s, int accessor) {
    const json_t *a = json_array_get(json_object_get(s->json, "accessors"), (size_t)accessor);
    const json_t *v = json_array_get(json_object_get(s->json, "bufferViews"),
                                     (size_t)json_integer_value(json_object_get(a, "bufferView")));
    const json_t *b =
        json_array_get(json_object_get(s->json, "buffers"), (size_t)json_integer_value(json_object_get(v, "buffer")));
    size_t at = (size_t)json_integer_value(json_object_get(a, "byteOffset")) +
                (size_t)json_integer_value(json_object_get(v, "byteOffset"));
    return !s->bin || json_object_get(b, "uri") || json_integer_value(json_object_get(a, "componentType")) != 5126
               ? NULL
               : (const float *)(const void *)(s->bin + at);
}

/* LINEAR samplers only: the shared files have no others. */
static void animate(const scene *s, int number, double time, double (*t)[3], double (*q)[4]) {
    const json_t *animation = json_array_get(json_object_get(s->json, "animations"), (size_t)number);
    const json_t *channels = json_object_get(animation, "channels");
    for (size_t k = 0; k < json_array_size(channels); k++) {
        const json_t *channel = json_array_get(channels, k), *target = json_object_get(channel, "target");
        const json_t *sampler = json_array_get(json_object_get(animation, "samplers"),
                                               (size_t)json_integer_value(json_object_get(channel, "sampler")));
        int node = (int)json_integer_value(json_object_get(target, "node"));
        const char *path = json_string_value(json_object_get(target, "path"));
        int input = (int)json_integer_value(json_object_get(sampler, "input"));
        int output = (int)json_integer_value(json_object_get(sampler, "output"));
        int count = (int)json_integer_value(
            json_object_get(json_array_get(json_object_get(s->json, "accessors"), (size_t)input), "count"));
        const float *times = floats(s, input), *values = floats(s, output);
        int width = strcmp(path, "rotation") == 0 ? 4 : 3;
        if (!times || !values || (strcmp(path, "rotation") != 0 && strcmp(path, "translation") != 0)) {
            continue;
        }
        int key = 0;
        while (key + 2 < count && times[key + 1] <= time) {
            key++;
        }
        int next = key + 1 < count ? key + 1 : key;
        double span = (double)times[next] - (double)times[key];
        double f = span > 0 ? fmin(1, fmax(0, (time - (double)times[key]) / span)) : 0, dot = 0, out[4] = {0};
        const float *a = values + key * width, *b = values + next * width;
        for (int i = 0; i < width; i++) {
            dot += (double)a[i] * (double)b[i];
        }
        double angle = acos(fmin(1, fabs(dot))), wa = 1 - f, wb = f;
        if (width == 4 && angle > 1e-4) {
            wa = sin((1 - f) * angle) / sin(angle);
            wb = sin(f * angle) / sin(angle);
        }
        wb = width == 4 && dot < 0 ? -wb : wb;
        double norm = 0;
        for (int i = 0; i < width; i++) {
            out[i] = wa * (double)a[i] + wb * (double)b[i];
            norm += out[i] * out[i];
        }
        for (int i = 0; i < width; i++) {
            *(width == 4 ? &q[node][i] : &t[node][i]) = width == 4 ? out[i] / sqrt(norm) : out[i];
        }
    }
}

static void place_node(scene *s, int node) {
    if (s->parents[node] < 0) {
        memcpy(s->world[node], s->local[node], sizeof s->local[node]);
        return;
    }
    place_node(s, s->parents[node]); /* again and again, but simple */
    const double *a = s->world[s->parents[node]], *b = s->local[node];
    for (int c = 0; c < 4; c++) {
        for (int i = 0; i < 4; i++) {
            s->world[node][4 * c + i] =
                a[i] * b[4 * c] + a[4 + i] * b[4 * c + 1] + a[8 + i] * b[4 * c + 2] + a[12 + i] * b[4 * c + 3];
        }
    }
}

void scene_place(scene *s, int animation, double time) {
    double(*t)[3] = calloc((size_t)s->node_count + 1, sizeof *t),
    (*q)[4] = calloc((size_t)s->node_count + 1, sizeof *q);
    const json_t *nodes = json_object_get(s->json, "nodes");
    for (int i = 0; i < s->node_count; i++) {
        const json_t *node = json_array_get(nodes, (size_t)i);
        q[i][3] = 1;
        numbers(json_object_get(node, "translation"), 3, t[i]);
        numbers(json_object_get(node, "rotation"), 4, q[i]);
    }
    if (animation >= 0) {
        animate(s, animation, time, t, q);
    }
    for (int i = 0; i < s->node_count; i++) {
        const json_t *node = json_array_get(nodes, (size_t)i);
        double scale[3] = {1, 1, 1}, norm = 0;
        numbers(json_object_get(node, "scale"), 3, scale);
        for (int k = 0; k < 4; k++) {
            norm += q[i][k] * q[i][k];
        }
        for (int k = 0; k < 4; k++) {
            q[i][k] /= sqrt(norm);
        }
        compose(t[i], q[i], scale, s->local[i]);
        numbers(json_object_get(node, "matrix"), 16, s->local[i]);
    }
    for (int i = 0; i < s->node_count; i++) {
        place_node(s, i);
    }
    free(t);
    free(q);
}

double scene_size(const scene *s) {
    double size = 0;
    for (int c = 12; c < 15; c++) {
        double least = 1e300, most = -1e300;
        for (int i = 0; i < s->node_count; i++) {
            least = fmin(least, s->world[i][c]);
            most = fmax(most, s->world[i][c]);
        }
        size = fmax(size, most - least);
    }
    return size;
}

void scene_position(const scene *s, int node, int faces_back, double position[3]) {
    double sign = faces_back ? -1 : 1;
    position[0] = sign * s->world[node][14];
    position[1] = sign * s->world[node][12];
    position[2] = s->world[node][13];
}
