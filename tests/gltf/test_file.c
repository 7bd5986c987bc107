/* Small glTF files made here: every interpolation, quantised and sparse values, scales, matrices, buffers wherever they
 * are, and what is wrong said as what it is. */
#include <limber/io.h>

#include "check.h"
#include "io/gltf/gltf.h"
#include <math.h>
#include <string.h>

/* ---------------------------------------------------------------------------------------------------
 * Files
 * ------------------------------------------------------------------------------------------------- */

static int warnings;
static char last_warning[LB_ERROR_MESSAGE_SIZE];
static void take_warning(void *context, const lb_error *warning) {
    (void)context;
    warnings++;
    memcpy(last_warning, warning->message, sizeof last_warning);
}

static lb_status load(const char *json, lb_figure **figure, lb_clip **clip, lb_error *error) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.warn = take_warning;
    warnings = 0;
    return clip ? lb_clip_load_memory(json, strlen(json), "made.gltf", &options, figure, clip, error)
                : lb_figure_load_memory(json, strlen(json), "made.gltf", &options, figure, error);
}

/* It is refused, with this in the message. */
static void refused(const char *json, const char *why) {
    lb_figure *figure = NULL;
    lb_clip *clip = NULL;
    lb_error error;
    check_note("%.60s", json);
    CHECK(load(json, &figure, &clip, &error) != LB_OK);
    CHECK(!figure && !clip);
    CHECK_HAS(error.message, why);
    CHECK_TEXT(error.file, "made.gltf");
    check_note("%s", "");
}

static void place(const lb_figure *figure, const double *pose, const char *segment, double at[3]) {
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_frame frame = {{NAN, NAN, NAN}, {0, 0, 0, 1}};
    if (pose) {
        lb_kinematics_update(kinematics, pose);
    }
    lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, segment), &frame);
    memcpy(at, frame.position, 3 * sizeof *at);
    lb_kinematics_destroy(kinematics);
}

/* Where the file's (x, y, z) is in Limber's world. */
static void is_at(const lb_figure *figure, const double *pose, const char *segment, double x, double y, double z) {
    double at[3];
    place(figure, pose, segment, at);
    CHECK_NEAR(at[0], z, 1e-6);
    CHECK_NEAR(at[1], x, 1e-6);
    CHECK_NEAR(at[2], y, 1e-6);
}

#define ASSET "\"asset\":{\"version\":\"2.0\"}"

static void check_transforms(void) {
    lb_figure *figure = NULL;
    lb_error error;
    /* scales: even ones are folded, mirrors are exact, a matrix stands for all three */
    static const char *const json =
        "{" ASSET ",\"skins\":[{\"joints\":[1,2,3]}],\"nodes\":["
        "{\"name\":\"top\",\"children\":[1],\"scale\":[2,2,2],\"translation\":[0,1,0]},"
        "{\"name\":\"a\",\"children\":[2],\"translation\":[1,0,0],\"scale\":[-1,1,1]},"
        "{\"name\":\"b\",\"children\":[3,4],\"matrix\":[0,0,-1,0, 0,1,0,0, 1,0,0,0, 0.5,0,0,1]},"
        "{\"name\":\"c\",\"translation\":[0,0,1]},{\"name\":\"tip\",\"translation\":[0,1,0]}]}";
    REQUIRE(load(json, &figure, NULL, &error) == LB_OK);
    CHECK_INT(warnings, 0);
    CHECK_INT(lb_figure_segment_count(figure), 4);
    is_at(figure, NULL, "a", 2, 1, 0);
    is_at(figure, NULL, "b", 1, 1, 0);  /* mirrored */
    is_at(figure, NULL, "c", -1, 1, 0); /* b's z is the file's x, mirrored */
    CHECK(lb_figure_find_site(figure, "b.tip") >= 0);
    /* a turn of b about the vertical: c follows on the mirrored side */
    double *pose = calloc((size_t)lb_figure_variable_count(figure), sizeof *pose);
    lb_figure_rest_pose(figure, pose);
    int vertical = lb_figure_find_variable(figure, "b.vz");
    REQUIRE(vertical >= 0);
    pose[vertical] = 3.14159265358979323846 / 2;
    is_at(figure, pose, "c", 1, 1, 2);
    free(pose);
    lb_figure_destroy(figure);

    /* a scale that differs by axis is said */
    REQUIRE(load("{" ASSET ",\"skins\":[{\"joints\":[0,1]}],\"nodes\":[{\"children\":[1],\"scale\":[1,2,1]},"
                 "{\"translation\":[0,1,0]}]}",
                 &figure, NULL, &error) == LB_OK);
    CHECK_INT(warnings, 1);
    CHECK_HAS(last_warning, "scaled differently");
    is_at(figure, NULL, "node1", 0, 2, 0);
    lb_figure_destroy(figure);

    /* without skins or animations: all nodes; equal names are told apart */
    REQUIRE(load("{" ASSET ",\"nodes\":[{\"name\":\"n\",\"children\":[1]},{\"name\":\"n\",\"mesh\":0,"
                 "\"translation\":[0,0,3]}]}",
                 &figure, NULL, &error) == LB_OK);
    CHECK_INT(lb_figure_segment_count(figure), 3);
    is_at(figure, NULL, "n_2", 0, 0, 3);
    lb_figure_destroy(figure);
}

/* ---------------------------------------------------------------------------------------------------
 * Animations
 * ------------------------------------------------------------------------------------------------- */

/* One node that moves: times 0, 1, 2 and values as bytes. */
static char *animated(const char *interpolation, const char *path, const lbio_text *values, int count, int component,
                      int is_normalised, const char *type, const char *extra) {
    lbio_text json = {0}, times = {0};
    for (int i = 0; i < 3; i++) {
        lbio_gltf_put_float(&times, i);
    }
    lbio_text_add(&json, "{" ASSET ",\"skins\":[{\"joints\":[0,1]}],\"nodes\":[{\"name\":\"a\",\"children\":[1]},{"
                         "\"name\":\"b\",\"translation\":[0,0,1]}],"
                         "\"buffers\":[{\"byteLength\":12,\"uri\":\"data:application/octet-stream;base64,");
    lbio_gltf_put_base64(&json, &times);
    lbio_text_format(&json, "\"},{\"byteLength\":%zu,\"uri\":\"data:application/gltf-buffer;base64,", values->size);
    lbio_gltf_put_base64(&json, values);
    lbio_text_format(&json,
                     "\"}],\"bufferViews\":[{\"buffer\":0,\"byteLength\":12},{\"buffer\":1,\"byteLength\":%zu}],"
                     "\"accessors\":[{\"bufferView\":0,\"componentType\":5126,\"count\":3,\"type\":\"SCALAR\"},"
                     "{\"bufferView\":1,\"componentType\":%d,\"normalized\":%s,\"count\":%d,\"type\":\"%s\"%s}],"
                     "\"animations\":[{\"name\":\"move\",\"samplers\":[{\"input\":0,\"output\":1%s%s%s}],"
                     "\"channels\":[{\"sampler\":0,\"target\":{\"node\":0,\"path\":\"%s\"}}]}]}",
                     values->size, component, is_normalised ? "true" : "false", count, type, extra,
                     *interpolation ? ",\"interpolation\":\"" : "", interpolation, *interpolation ? "\"" : "", path);
    lbio_text_free(&times);
    return json.data;
}

/* The clip at half-second frames: 0, 0.5, 1, 1.5, 2. */
static lb_clip *half_seconds(const char *json, lb_figure **figure) {
    lb_load_options options;
    lb_clip *clip = NULL;
    lb_error error;
    lb_load_options_defaults(&options);
    options.frame_time = 0.5;
    options.animation = "move";
    lb_status status = lb_clip_load_memory(json, strlen(json), "made.gltf", &options, figure, &clip, &error);
    check_note("%s", status ? error.message : "");
    REQUIRE(status == LB_OK);
    REQUIRE(clip);
    CHECK_INT(lb_clip_frame_count(clip), 5);
    check_note("%s", "");
    return clip;
}

static void check_translation(const char *interpolation, const float *y, int count, const double *wanted) {
    lbio_text values = {0};
    lb_figure *figure = NULL;
    for (int i = 0; i < count; i++) {
        lbio_gltf_put_float(&values, 0);
        lbio_gltf_put_float(&values, (double)y[i]);
        lbio_gltf_put_float(&values, 0);
    }
    char *json = animated(interpolation, "translation", &values, count, 5126, 0, "VEC3", "");
    lb_clip *clip = half_seconds(json, &figure);
    for (int f = 0; f < 5; f++) {
        check_note("%s, frame %d", interpolation, f);
        is_at(figure, lb_clip_const_pose(clip, f), "a", 0, wanted[f], 0);
        is_at(figure, lb_clip_const_pose(clip, f), "b", 0, wanted[f], 1);
    }
    check_note("%s", "");
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
    free(json);
    lbio_text_free(&values);
}

/* A quarter turn about y each second, as floats or as whole numbers. */
static void check_rotation(int component, double scale) {
    lbio_text values = {0};
    lb_figure *figure = NULL;
    static const double halves[3] = {0, 0.70710678118654752, 1};
    for (int i = 0; i < 3; i++) {
        const double q[4] = {0, halves[i], 0, i == 0 ? 1 : i == 1 ? 0.70710678118654752 : 0};
        for (int c = 0; c < 4; c++) {
            int whole = (int)floor(q[c] * scale + 0.5);
            char bytes[2] = {(char)(whole & 0xFF), (char)(whole >> 8 & 0xFF)};
            if (component == 5126) {
                lbio_gltf_put_float(&values, q[c]);
            } else {
                lbio_text_bytes(&values, bytes, component == 5120 || component == 5121 ? 1 : 2);
            }
        }
    }
    char *json = animated("LINEAR", "rotation", &values, 3, component, component != 5126, "VEC4", "");
    lb_clip *clip = half_seconds(json, &figure);
    for (int f = 0; f < 5; f++) {
        double angle = f * 3.14159265358979323846 / 4, at[3];
        check_note("component %d, frame %d", component, f);
        place(figure, lb_clip_const_pose(clip, f), "b", at);
        CHECK_NEAR(at[1], sin(angle), component == 5126 ? 1e-6 : 0.02); /* z turns towards x */
        CHECK_NEAR(at[0], cos(angle), component == 5126 ? 1e-6 : 0.02);
    }
    check_note("%s", "");
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
    free(json);
    lbio_text_free(&values);
}

static void check_animations(void) {
    static const float keys[] = {0, 1, 4};
    static const double steps[] = {0, 0, 1, 1, 4}, lines[] = {0, 0.5, 1, 2.5, 4};
    check_translation("STEP", keys, 3, steps);
    check_translation("LINEAR", keys, 3, lines);
    check_translation("", keys, 3, lines);
    /* in-tangent, value, out-tangent: from rest with no slope to 1 with slope 2, then down again */
    static const float cubic[] = {0, 0, 0, 2, 1, 2, 0, 0, 0};
    static const double curve[] = {0, 0.25, 1, 0.75, 0}; /* Hermite at the middles: (p0 + p1)/2 + (m0 - m1)/8 */
    check_translation("CUBICSPLINE", cubic, 9, curve);
    check_rotation(5126, 1);
    check_rotation(5120, 127);
    check_rotation(5121, 255);
    check_rotation(5122, 32767);
    check_rotation(5123, 65535);
}

static void check_wrong_animations(void) {
    lbio_text values = {0};
    for (int i = 0; i < 9; i++) {
        lbio_gltf_put_float(&values, i);
    }
    char *json = animated("LINEAR", "translation", &values, 2, 5126, 0, "VEC3", "");
    refused(json, "3 times but 2 values");
    free(json);
    json = animated("WAVY", "translation", &values, 3, 5126, 0, "VEC3", "");
    refused(json, "WAVY");
    free(json);
    json = animated("LINEAR", "translation", &values, 300, 5126, 0, "VEC3", "");
    refused(json, "300 values do not fit into view 1 of 36 bytes");
    free(json);
    json = animated("LINEAR", "translation", &values, 3, 5126, 0, "VEC2", "");
    refused(json, "3 numbers each");
    free(json);
    values.size = 0;
    for (int i = 0; i < 9; i++) {
        lbio_gltf_put_float(&values, i == 4 ? (double)NAN : i);
    }
    json = animated("LINEAR", "translation", &values, 3, 5126, 0, "VEC3", "");
    refused(json, "value 4 is not a number");
    free(json);
    lbio_text_free(&values);
}

/* The names of a file's animations. */
static void check_list(void) {
    char path[512], *names = NULL;
    lb_error error;
    check_scratch("list.gltf", path, sizeof path);
    FILE *file = fopen(path, "wb");
    REQUIRE(file);
    fputs("{" ASSET ",\"animations\":[{\"name\":\"one\"},{},{\"name\":\"t\\nwo\"}]}", file);
    fclose(file);
    CHECK_INT(lb_gltf_animations(path, NULL, &names, &error), LB_OK);
    CHECK_TEXT(names, "one\n\nt wo\n");
    lb_text_free(names);
    CHECK_INT(lb_gltf_animations("missing.glb", NULL, &names, &error), LB_ERROR_FILE);
    CHECK(names == NULL);
}

static void check_choice(void) {
    lbio_text values = {0};
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_clip *clip = NULL;
    lb_error error;
    for (int i = 0; i < 9; i++) {
        lbio_gltf_put_float(&values, i);
    }
    char *json = animated("LINEAR", "translation", &values, 3, 5126, 0, "VEC3", "");
    lb_load_options_defaults(&options);
    options.animation = "mov";
    CHECK_INT(lb_clip_load_memory(json, strlen(json), "made.gltf", &options, &figure, &clip, &error), LB_ERROR_NAME);
    CHECK_HAS(error.message, "did you mean `move`?");
    options.animation = "0";
    CHECK_INT(lb_clip_load_memory(json, strlen(json), "made.gltf", &options, &figure, &clip, &error), LB_OK);
    CHECK_INT(lb_clip_frame_count(clip), 3); /* as its keys are */
    CHECK_NEAR(lb_clip_frame_time(clip), 1, 1e-12);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
    options.frame_time = 1e-6;
    CHECK_INT(lb_clip_load_memory(json, strlen(json), "made.gltf", &options, &figure, &clip, &error),
              LB_ERROR_TOO_LARGE);
    options.frame_time = -1;
    CHECK_INT(lb_clip_load_memory(json, strlen(json), "made.gltf", &options, &figure, &clip, &error),
              LB_ERROR_ARGUMENT);
    free(json);
    lbio_text_free(&values);
}

/* ---------------------------------------------------------------------------------------------------
 * What is wrong
 * ------------------------------------------------------------------------------------------------- */

static void check_refusals(void) {
    refused("{\"nodes\":[]}", "no `asset`");
    refused("{\"asset\":{\"version\":\"1.0\"}}", "only 2.0 is");
    refused("[1]", "an object");
    refused("{" ASSET ",\"skins\":[{\"joints\":[0,1]}],\"nodes\":[{\"name\":\"a\"}", "its JSON is wrong");
    refused("{" ASSET ",\"nodes\":[],\"nodes\":[]}", "duplicate");
    refused("{" ASSET "}", "no skeleton");
    refused("{" ASSET ",\"nodes\":[{\"children\":[1]},{\"children\":[0]}]}", "inside itself");
    refused("{" ASSET ",\"nodes\":[{\"children\":[0]}]}", "inside itself");
    refused("{" ASSET ",\"nodes\":[{\"children\":[2]},{\"children\":[2]},{}]}", "already a child of node 0");
    refused("{" ASSET ",\"nodes\":[{\"children\":[7]}]}", "there is no node 7");
    refused("{" ASSET ",\"nodes\":[{\"children\":[0.5]}]}", "there is no node 0.5");
    refused("{" ASSET ",\"nodes\":[{\"translation\":[0,1]}]}", "a list of 3 numbers");
    refused("{" ASSET ",\"nodes\":[{\"translation\":[0,1e300,0]}]}", "no place of a node");
    refused("{" ASSET ",\"nodes\":[3]}", "an object");
    refused("{" ASSET ",\"nodes\":{}}", "a list");
    refused("{" ASSET ",\"skins\":[{\"joints\":[4]}],\"nodes\":[{}]}", "there is no node 4");
    refused("{" ASSET ",\"skins\":[{}],\"nodes\":[{}]}", "`joints`");
    refused("{" ASSET ",\"nodes\":[{}],\"animations\":[{\"samplers\":[{}],\"channels\":[{\"sampler\":0,"
            "\"target\":{\"node\":9}}]}]}",
            "there is no number 9");
    refused("glTF", "cut off");
    const char header[] = "glTF\2\0\0\0\377\0\0\0\4\0\0\0JSON{}  ";
    lb_figure *figure = NULL;
    lb_error error;
    CHECK(lb_figure_load_memory(header, sizeof header - 1, "short.glb", NULL, &figure, &error) == LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "says it has 255 bytes but there are 24");
    const char old[] = "glTF\1\0\0\0\30\0\0\0\4\0\0\0JSON{}  ";
    CHECK(lb_figure_load_memory(old, sizeof old - 1, "old.glb", NULL, &figure, &error) == LB_ERROR_UNSUPPORTED);
    CHECK_HAS(error.message, "version 1");
    const char chunk[] = "glTF\2\0\0\0\30\0\0\0\377\0\0\0JSON{}  ";
    CHECK(lb_figure_load_memory(chunk, sizeof chunk - 1, "chunk.glb", NULL, &figure, &error) == LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "chunk 0");
}

/* Buffers beside the file, and none from elsewhere. */
static void check_beside(void) {
    char path[512], beside[512];
    lb_figure *figure = NULL;
    lb_clip *clip = NULL;
    lb_error error;
    static const struct {
        const char *uri, *why;
    } cases[] = {{"out.bin", NULL},
                 {"./out.bin", NULL},
                 {"ou%74.bin", NULL},
                 {"missing.bin", "cannot be opened"},
                 {"../out.bin", "leads out of"},
                 {"%2e%2e/out.bin", "leads out of"},
                 {"/etc/passwd", "leads out of"},
                 {"https://example.org/out.bin", "leads out of"},
                 {"data:text/plain,hello", "base64"},
                 {"data:;base64,????", "not base64"},
                 {"data:;base64,AAAA", "cut off"}};
    check_scratch("out.bin", beside, sizeof beside);
    FILE *file = fopen(beside, "wb");
    REQUIRE(file);
    for (int i = 0; i < 12; i++) {
        float value = (float)i;
        fwrite(&value, sizeof value, 1, file);
    }
    fclose(file);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        check_scratch("beside.gltf", path, sizeof path);
        file = fopen(path, "wb");
        REQUIRE(file);
        fprintf(
            file,
            "{" ASSET ",\n\"nodes\":[{\"children\":[1]},{}],\n\"buffers\":[{\"byteLength\":48,\n\"uri\":\"%s\"}],\n"
            "\"bufferViews\":[{\"buffer\":0,\"byteLength\":48}],\"accessors\":[{\"bufferView\":0,\"componentType\":"
            "5126,"
            "\"count\":3,\"type\":\"SCALAR\"},{\"bufferView\":0,\"byteOffset\":12,\"componentType\":5126,\"count\":3,"
            "\"type\":\"VEC3\"}],\"animations\":[{\"samplers\":[{\"input\":0,\"output\":1}],\"channels\":[{\"sampler\":"
            "0,"
            "\"target\":{\"node\":1,\"path\":\"translation\"}}]}]}",
            cases[i].uri);
        fclose(file);
        lb_status status = lb_clip_load(path, NULL, &figure, &clip, &error);
        check_note("%s: %s", cases[i].uri, status ? error.message : "read");
        CHECK_INT(status == LB_OK, cases[i].why == NULL);
        if (cases[i].why) {
            CHECK_HAS(error.message, cases[i].why);
            CHECK(error.line == 3 || error.line == 4);
        } else {
            is_at(figure, lb_clip_const_pose(clip, 1), "node1", 6, 7, 8);
        }
        lb_clip_destroy(clip);
        lb_figure_destroy(figure);
        figure = NULL;
        clip = NULL;
    }
    check_note("%s", "");
}

/* ---------------------------------------------------------------------------------------------------
 * Writing
 * ------------------------------------------------------------------------------------------------- */

/* Changes to a text touch nothing else. */
static void check_edits(void) {
    static const char text[] = " { \"a\" : [1, 2 ] ,\n \"b\\u0062\":{}, \"c\":{\"x\":-0.10e0},\"empty\":[ ] }  ";
    lbio_edits edits;
    lbio_text out = {0};
    lbio_span root = lbio_json_root_span(text, sizeof text - 1), object, value;
    memset(&edits, 0, sizeof edits);
    edits.text = text;
    edits.size = sizeof text - 1;
    REQUIRE(lbio_json_member_span(text, edits.size, root, "bb", &object, NULL));
    lbio_edits_set(&edits, object, "y", "3");
    lbio_edits_set(&edits, object, "z", "4");
    REQUIRE(lbio_json_member_span(text, edits.size, root, "c", &object, NULL));
    lbio_edits_set(&edits, object, "w", "5");
    REQUIRE(lbio_json_member_span(text, edits.size, root, "a", &value, NULL));
    CHECK(lbio_json_item_span(text, edits.size, value, 1, &object) && text[object.begin] == '2');
    CHECK(!lbio_json_item_span(text, edits.size, value, 2, &object));
    CHECK(!lbio_json_member_span(text, edits.size, root, "x", &object, NULL));
    lbio_edits_append(&edits, root, "a", "7,8");
    lbio_edits_append(&edits, root, "empty", "9");
    lbio_edits_append(&edits, root, "new", "0");
    lbio_edits_apply(&edits, &out);
    CHECK_TEXT(out.data,
               " {\"new\":[0], \"a\" : [1, 2,7,8 ] ,\n \"b\\u0062\":{\"y\":3,\"z\":4}, \"c\":{\"w\":5,\"x\":-0.10e0},"
               "\"empty\":[9 ] }  ");
    lbio_edits_free(&edits);
    lbio_text_free(&out);
}

/* Triangles of every kind of shape face outward, where their normals of length 1 point. */
static void check_meshes(void) {
    static const struct {
        lb_shape_kind kind;
        double size[3];
    } shapes[] = {{LB_SHAPE_SPHERE, {0.5, 0, 0}},       {LB_SHAPE_CAPSULE, {0.1, 0.3, 0.1}},
                  {LB_SHAPE_CAPSULE, {0.3, 0.4, 0.05}}, {LB_SHAPE_CAPSULE, {0.1, 0.1, 0.5}}, /* a ball in a ball */
                  {LB_SHAPE_BOX, {0.1, 0.2, 0.3}},      {LB_SHAPE_CYLINDER, {0.2, 0.5, 0}},
                  {LB_SHAPE_ELLIPSOID, {0.1, 0.2, 0.5}}};
    for (size_t k = 0; k < sizeof shapes / sizeof shapes[0]; k++) {
        lbio_mesh mesh = {0};
        lb_shape shape;
        lb_shape_defaults(&shape);
        shape.kind = shapes[k].kind;
        memcpy(shape.size, shapes[k].size, sizeof shape.size);
        shape.frame.position[0] = 7;
        lbio_mesh_add(&mesh, &shape);
        check_note("shape %d", (int)k);
        REQUIRE(!mesh.failed && mesh.index_count > 0 && mesh.index_count % 3 == 0);
        int outward = 0;
        for (int t = 0; t < mesh.index_count; t += 3) {
            const unsigned *corner = mesh.indices + t;
            double u[3], v[3], sum[3];
            for (int i = 0; i < 3; i++) {
                double a = (double)mesh.positions[3 * corner[0] + (unsigned)i];
                u[i] = (double)mesh.positions[3 * corner[1] + (unsigned)i] - a;
                v[i] = (double)mesh.positions[3 * corner[2] + (unsigned)i] - a;
                sum[i] = 0;
                for (int c = 0; c < 3; c++) {
                    sum[i] += (double)mesh.normals[3 * corner[c] + (unsigned)i];
                }
            }
            outward += (u[1] * v[2] - u[2] * v[1]) * sum[0] + (u[2] * v[0] - u[0] * v[2]) * sum[1] +
                           (u[0] * v[1] - u[1] * v[0]) * sum[2] >
                       0;
        }
        CHECK_INT(outward, mesh.index_count / 3);
        for (int i = 0; i < mesh.vertex_count; i++) {
            const float *n = mesh.normals + (size_t)3 * (size_t)i;
            double length = (double)n[0] * (double)n[0] + (double)n[1] * (double)n[1] + (double)n[2] * (double)n[2];
            CHECK_NEAR(length, 1, 1e-5);
        }
        lbio_mesh_free(&mesh);
    }
    check_note("%s", "");
}

/* A figure of ours as GLB, read again: every segment where it was, and the clip too. */
static void check_model(const char *name, int is_text) {
    char path[512], out[512];
    lb_figure *figure = NULL, *again = NULL;
    lb_clip *back = NULL;
    lb_error error;
    check_note("%s", name);
    REQUIRE(check_source(name, path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, &error) == LB_OK);
    lb_clip *clip = lb_clip_create(figure, 5, 0.1, NULL);
    uint64_t seed = 3;
    for (int f = 0; f < 5; f++) {
        lb_figure_random_pose(figure, &seed, lb_clip_pose(clip, f));
    }
    check_scratch(is_text ? "figure.gltf" : "figure.glb", out, sizeof out);
    CHECK_INT(lb_clip_save(clip, out, NULL, &error), LB_OK);
    REQUIRE(lb_clip_load(out, NULL, &again, &back, &error) == LB_OK);
    REQUIRE(back);
    CHECK_INT(lb_clip_frame_count(back), 5);
    for (int f = -1; f < 5; f++) {
        for (int i = 0; i < lb_figure_segment_count(figure); i++) {
            double a[3], b[3];
            const char *segment = lb_figure_segment(figure, i)->name;
            if (lb_figure_find_segment(again, segment) < 0) {
                continue; /* it does not move: the root, or what is fixed to it */
            }
            place(figure, f < 0 ? NULL : lb_clip_const_pose(clip, f), segment, a);
            place(again, f < 0 ? NULL : lb_clip_const_pose(back, f), segment, b);
            for (int c = 0; c < 3; c++) {
                CHECK_NEAR(b[c], a[c], 2e-6);
            }
        }
    }
    check_note("%s", "");
    CHECK(lb_figure_segment_count(again) > 1);
    lb_clip_destroy(clip);
    lb_clip_destroy(back);
    lb_figure_destroy(figure);
    lb_figure_destroy(again);
}

/* Without files. */
static void check_memory(void) {
    static const char json[] =
        "{" ASSET ", \"nodes\":[{\"name\":\"x\",\"children\":[1]} , {\"mesh\":0 , \"name\":\"y\"}]}";
    lb_figure *figure = NULL;
    lb_error error;
    char *out = NULL;
    size_t size = 0;
    double pose[16] = {0};
    REQUIRE(load(json, &figure, NULL, &error) == LB_OK);
    lb_figure_rest_pose(figure, pose);
    pose[lb_figure_find_variable(figure, "y.vz")] = 3.14159265358979323846 / 2; /* about the file's y */
    REQUIRE(lb_gltf_pose_memory(json, sizeof json - 1, figure, pose, &out, &size, &error) == LB_OK);
    CHECK_INT(strlen(out), size);
    CHECK_HAS(out, "{\"name\":\"x\",\"children\":[1]} , {\"rotation\":[0,0.707106781186547");
    CHECK_HAS(out, ",\"mesh\":0 , \"name\":\"y\"}]}");
    lb_text_free(out);
    lb_clip *clip = lb_clip_create(figure, 2, 0.5, NULL);
    memcpy(lb_clip_pose(clip, 1), pose, (size_t)lb_figure_variable_count(figure) * sizeof *pose);
    REQUIRE(lb_gltf_animation_memory(json, sizeof json - 1, clip, "turn", &out, &size, &error) == LB_OK);
    CHECK_HAS(out, "\"name\":\"turn\"");
    CHECK_HAS(out, " \"nodes\":[{\"name\":\"x\",\"children\":[1]} , {\"mesh\":0 , \"name\":\"y\"}]}");
    lb_text_free(out);
    CHECK_INT(lb_gltf_pose_memory("{}", 2, figure, pose, &out, &size, &error), LB_ERROR_SYNTAX);
    CHECK_INT(lb_gltf_pose_memory(NULL, 2, figure, pose, &out, &size, NULL), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_gltf_animation_memory(json, 2, NULL, NULL, &out, &size, NULL), LB_ERROR_ARGUMENT);
    lb_clip_destroy(clip);
    lb_figure_destroy(figure);
}

/* Wrong calls say so and write nothing. */
static void check_calls(void) {
    char path[512], out[512];
    lb_figure *figure = NULL;
    lb_error error;
    double pose[64] = {0};
    REQUIRE(check_source("models/puma560.fig", path, sizeof path));
    REQUIRE(lb_figure_load(path, NULL, &figure, NULL) == LB_OK);
    check_scratch("nothing.glb", out, sizeof out);
    remove(out);
    CHECK_INT(lb_gltf_save_pose(NULL, figure, pose, out, NULL, &error), LB_ERROR_ARGUMENT);
    CHECK_INT(lb_gltf_save_pose("missing.glb", figure, pose, out, NULL, &error), LB_ERROR_FILE);
    CHECK_INT(lb_gltf_save_animation("missing.glb", NULL, NULL, out, NULL, &error), LB_ERROR_ARGUMENT);
    char other[512];
    check_scratch("other.gltf", other, sizeof other);
    FILE *file = fopen(other, "wb");
    REQUIRE(file);
    fputs("{" ASSET ",\"nodes\":[{\"name\":\"x\",\"children\":[1]},{\"name\":\"y\"}]}", file);
    fclose(file);
    CHECK_INT(lb_gltf_save_pose(other, figure, pose, out, NULL, &error), LB_ERROR_NAME);
    CHECK_HAS(error.message, "none of its nodes");
    check_scratch("nothing.gltf", out, sizeof out);
    remove(out);
    CHECK_INT(lb_gltf_save_pose(other, figure, pose, out, NULL, &error), LB_ERROR_NAME);
    CHECK_HAS(error.message, "none of its nodes");
    CHECK(check_read_file(out, NULL) == NULL);
    lb_figure_destroy(figure);
}

int main(void) {
    check_transforms();
    check_animations();
    check_wrong_animations();
    check_choice();
    check_list();
    check_refusals();
    check_beside();
    check_edits();
    check_meshes();
    check_model("models/human.fig", 0);
    check_model("models/panda.fig", 1);
    check_memory();
    check_calls();
    return check_done();
}
