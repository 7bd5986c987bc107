/* Characters whose file is not in metres, as glTF has it: what the legs of a person tell, what a caller says, and that a pose
 * goes back into the file in the file's own unit. */
#include "check.h"
#include <limber/io.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A person of 1.75 m in a T-pose, metres in the file's axes (y up, facing z), below the bone before. */
static const struct {
    const char *name;
    int parent;
    double at[3];
} bones[] = {
    {"Hips", -1, {0, 0.93, 0}},
    {"Spine", 0, {0, 0.12, 0}},
    {"Chest", 1, {0, 0.18, 0}},
    {"Neck", 2, {0, 0.24, 0}},
    {"Head", 3, {0, 0.1, 0}},
    {"LeftUpperArm", 2, {0.18, 0.18, 0}},
    {"LeftLowerArm", 5, {0.28, 0, 0}},
    {"LeftHand", 6, {0.25, 0, 0}},
    {"RightUpperArm", 2, {-0.18, 0.18, 0}},
    {"RightLowerArm", 8, {-0.28, 0, 0}},
    {"RightHand", 9, {-0.25, 0, 0}},
    {"LeftUpperLeg", 0, {0.09, -0.03, 0}},
    {"LeftLowerLeg", 11, {0, -0.42, 0}},
    {"LeftFoot", 12, {0, -0.4, 0}},
    {"LeftToes", 13, {0, -0.06, 0.13}},
    {"RightUpperLeg", 0, {-0.09, -0.03, 0}},
    {"RightLowerLeg", 15, {0, -0.42, 0}},
    {"RightFoot", 16, {0, -0.4, 0}},
    {"RightToes", 17, {0, -0.06, 0.13}},
};
#define BONES (int)(sizeof bones / sizeof bones[0])

/* The person's file, a metre being so many units. */
static char *write_person(double metre, size_t *size) {
    char *text = malloc(20000), *at = text;
    at += sprintf(at, "{\"asset\":{\"version\":\"2.0\"},\"nodes\":[");
    for (int i = 0; i < BONES; i++) {
        int count = 0;
        at += sprintf(at, "%s{\"name\":\"%s\",\"translation\":[%.17g,%.17g,%.17g]", i ? "," : "", bones[i].name,
                      bones[i].at[0] * metre, bones[i].at[1] * metre, bones[i].at[2] * metre);
        for (int k = i + 1; k < BONES; k++) {
            if (bones[k].parent == i) {
                at += sprintf(at, count++ ? ",%d" : ",\"children\":[%d", k);
            }
        }
        at += sprintf(at, count ? "]}" : ",\"mesh\":0}");
    }
    at += sprintf(at, "],\"meshes\":[{\"primitives\":[]}],\"skins\":[{\"joints\":[");
    for (int i = 0; i < BONES; i++) {
        at += sprintf(at, i ? ",%d" : "%d", i);
    }
    at += sprintf(at, "]}]}");
    *size = (size_t)(at - text);
    return text;
}

static char warned[1000];

static void keep_warning(void *context, const lb_error *warning) {
    (void)context;
    snprintf(warned, sizeof warned, "%s", warning->message);
}

static lb_figure *load(const char *text, size_t size, double unit, int body) {
    lb_load_options options;
    lb_figure *figure = NULL;
    lb_error error = {0};
    lb_load_options_defaults(&options);
    options.unit = unit, options.body = body, options.warn = keep_warning;
    warned[0] = 0;
    CHECK_INT(lb_figure_load_memory(text, size, "person.gltf", &options, &figure, &error), LB_OK);
    CHECK_TEXT(error.message, "");
    return figure;
}

/* Where a segment is, in a pose; NULL: at rest. */
static void place(const lb_figure *figure, const double *pose, const char *name, double position[3]) {
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    lb_frame frame;
    if (pose) {
        CHECK_INT(lb_kinematics_update(kinematics, pose), LB_OK);
    }
    CHECK_INT(lb_kinematics_segment(kinematics, lb_figure_find_segment(figure, name), &frame), LB_OK);
    memcpy(position, frame.position, sizeof frame.position);
    lb_kinematics_destroy(kinematics);
}

static double height_of(const lb_figure *figure) {
    double head[3], foot[3];
    place(figure, NULL, "Head", head), place(figure, NULL, "LeftFoot", foot);
    return head[2] - foot[2];
}

static void check_same_places(const lb_figure *a, const double *pose, const lb_figure *b) {
    for (int i = 0; i < BONES; i++) {
        double p[3], q[3];
        place(a, pose, bones[i].name, p), place(b, NULL, bones[i].name, q);
        CHECK_NEAR(hypot(hypot(p[0] - q[0], p[1] - q[1]), p[2] - q[2]), 0, 1e-9);
    }
}

/* A pose and a walk written into a file of this unit come out again as they went in, and bones of the file keep their numbers. */
static void write_back(const char *text, size_t size, const lb_figure *figure, double unit, check_random *random) {
    const int count = lb_figure_variable_count(figure);
    double *pose = malloc((size_t)count * sizeof *pose);
    char *out = NULL;
    size_t out_size = 0;
    lb_figure_rest_pose(figure, pose);
    for (int v = 0; v < count; v++) {
        const lb_variable *variable = lb_figure_variable(figure, v);
        pose[v] += variable->rigidity < 1 ? check_random_range(random, -0.2, 0.2) : 0;
    }
    CHECK_INT(lb_gltf_pose_memory(text, size, figure, pose, &out, &out_size, NULL), LB_OK);
    CHECK(out && strstr(out, "\"LeftLowerLeg\"") &&
          strncmp(strstr(out, "\"LeftLowerLeg\""), strstr(text, "\"LeftLowerLeg\""), 60) == 0);
    lb_figure *again = out ? load(out, out_size, unit, 0) : NULL;
    if (again) {
        check_same_places(figure, pose, again);
    }
    lb_figure_destroy(again);
    lb_text_free(out);
    lb_clip *clip = lb_clip_create(figure, 2, 0.1, NULL);
    memcpy(lb_clip_pose(clip, 1), pose, (size_t)count * sizeof *pose);
    CHECK_INT(lb_gltf_animation_memory(text, size, clip, "walk", &out, &out_size, NULL), LB_OK);
    lb_load_options options;
    lb_clip *played = NULL;
    lb_load_options_defaults(&options);
    options.unit = unit;
    CHECK_INT(lb_clip_load_memory(out, out_size, "person.gltf", &options, &again, &played, NULL), LB_OK);
    double a[3], b[3];
    place(figure, pose, "Head", a);
    place(again, lb_clip_const_pose(played, lb_clip_frame_count(played) - 1), "Head", b);
    CHECK_NEAR(hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]), 0, 2e-6); /* floats */
    lb_clip_destroy(played), lb_clip_destroy(clip);
    lb_figure_destroy(again);
    lb_text_free(out);
    free(pose);
}

/* Whatever unit a person's file is in, the person is read in metres, and who is asked is told. */
static void guess(double unit, const char *name, double scale, check_random *random) {
    size_t size;
    char *text = write_person(scale / unit, &size);
    check_note("a person of %.3g m in units of %.5g m", 1.75 * scale, unit);
    for (int body = 0; body < 2; body++) {
        lb_figure *figure = load(text, size, 0, body);
        CHECK_NEAR(height_of(figure), 1.49 * scale, 1e-9);
        CHECK_INT(lb_figure_body(figure) != NULL, body);
        if (name) {
            CHECK_HAS(warned, name);
            CHECK_HAS(warned, "--unit says another unit");
        } else {
            CHECK_TEXT(warned, "");
        }
        write_back(text, size, figure, 0, random);
        lb_figure_destroy(figure);
    }
    free(text);
}

/* What the caller says counts, and nobody is warned. */
static void obey(double unit, check_random *random) {
    size_t size;
    char *text = write_person(1, &size);
    check_note("metres read as units of %.5g m", unit);
    lb_figure *figure = load(text, size, unit, 0);
    CHECK_NEAR(height_of(figure) / unit, 1.49, 1e-9);
    CHECK_TEXT(warned, "");
    if (unit > 1e-3 && unit < 1e3) {
        write_back(text, size, figure, unit, random);
    }
    lb_figure_destroy(figure);
    free(text);
}

int main(void) {
    static const struct {
        double unit;
        const char *name;
    } units[] = {{1, NULL},
                 {0.1, "in decimetres, for a leg would be"},
                 {0.0254 / 0.45, "CMU's unit of 5.644 cm"},
                 {0.0254, "in inches"},
                 {0.01, "in centimetres"},
                 {0.001, "in millimetres"}};
    check_random random;
    check_random_seed(&random, 226);
    for (int k = 0; k < check_count(3, 100); k++) {
        for (int u = 0; u < (int)(sizeof units / sizeof units[0]); u++) {
            guess(units[u].unit, units[u].name, check_random_range(&random, 0.78, 1.2), &random);
        }
        obey(exp(check_random_range(&random, -4, 4)), &random);
    }
    /* Nobody has legs of 2.3 m in any of these units: it is said, and nothing is guessed. */
    size_t size;
    char *text = write_person(2.8, &size);
    lb_figure *giant = load(text, size, 0, 0);
    CHECK_NEAR(height_of(giant), 1.49 * 2.8, 1e-9);
    CHECK_HAS(warned, "a leg is 2.296 m long; --unit says it");
    lb_figure_destroy(giant);
    free(text);
    return check_done();
}
