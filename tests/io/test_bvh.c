/* BVH skeletons in and out: channels in every order, odd files, there and back, any figure as BVH, broken files. */
#include "check.h"

#include <limber/io.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

#define PI 3.14159265358979323846

static int warnings;
static char last_warning[LB_ERROR_MESSAGE_SIZE];

static void hear(void *context, const lb_error *warning) {
    (void)context;
    warnings++;
    strcpy(last_warning, warning->message);
}

static lb_status read_text(const char *text, double unit, lb_figure **figure, lb_error *error) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_BVH;
    options.unit = unit;
    options.warn = hear;
    warnings = 0;
    last_warning[0] = 0;
    return lb_figure_load_memory(text, strlen(text), "file.bvh", &options, figure, error);
}

static lb_figure *load_text(const char *text, double unit) {
    lb_figure *figure = NULL;
    lb_error error;
    if (!CHECK_INT(read_text(text, unit, &figure, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    return figure;
}

static lb_figure *load_file(const char *path) {
    lb_figure *figure = NULL;
    lb_error error;
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.unit = 0.01; /* whatever the legs say: it is written in the same */
    options.warn = hear;
    warnings = 0;
    if (!CHECK_INT(lb_figure_load(path, &options, &figure, &error), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
        exit(check_done());
    }
    return figure;
}

static lb_figure *load_sample(const char *name) {
    char relative[128], path[1024];
    snprintf(relative, sizeof relative, "fuzz/corpus/bvh/%s", name);
    REQUIRE(check_source(relative, path, sizeof path));
    return load_file(path);
}

static char *save_text(const lb_figure *figure, const double *pose, double unit) {
    lb_save_options options;
    lb_error error;
    char *text = NULL;
    lb_save_options_defaults(&options);
    options.format = LB_FORMAT_BVH;
    options.bvh_unit = unit;
    options.pose = pose;
    options.warn = hear;
    warnings = 0;
    if (!CHECK_INT(lb_figure_save_memory(figure, &options, &text, NULL, &error), LB_OK)) {
        printf("  %s\n", error.message);
        exit(check_done());
    }
    return text;
}

/* ---------------------------------------------------------------------------------------------------
 * Forward kinematics by hand: 3x4 matrices, row by row, in BVH's own axes and units
 * ------------------------------------------------------------------------------------------------- */

typedef struct matrix {
    double m[3][4];
} matrix;

static matrix multiply(matrix a, matrix b) {
    matrix result;
    for (int i = 0; i < 3; i++) {
        for (int j = 0; j < 4; j++) {
            result.m[i][j] =
                a.m[i][0] * b.m[0][j] + a.m[i][1] * b.m[1][j] + a.m[i][2] * b.m[2][j] + (j == 3 ? a.m[i][3] : 0);
        }
    }
    return result;
}

static matrix turn(int axis, double degrees) {
    matrix result = {{{0}}};
    int b = (axis + 1) % 3, c = (axis + 2) % 3;
    double s = sin(degrees * PI / 180), k = cos(degrees * PI / 180);
    result.m[axis][axis] = 1;
    result.m[b][b] = result.m[c][c] = k;
    result.m[c][b] = s;
    result.m[b][c] = -s;
    return result;
}

/* A joint's matrix: shifted, then turned by its rotation channels in order. channels: letters x y z (positions) X Y Z
 * (rotations). Positions replace the offset, or are added to it. */
static matrix joint_matrix(const double offset[3], const char *channels, const double *values, int replaces) {
    matrix result = {{{1, 0, 0, offset[0]}, {0, 1, 0, offset[1]}, {0, 0, 1, offset[2]}}};
    for (int i = 0; channels[i]; i++) {
        if (channels[i] >= 'x') {
            double *at = &result.m[channels[i] - 'x'][3];
            *at = values[i] + (replaces ? 0 : *at);
        }
    }
    for (int i = 0; channels[i]; i++) {
        if (channels[i] < 'x') {
            result = multiply(result, turn(channels[i] - 'X', values[i]));
        }
    }
    return result;
}

static void add_channels(char *text, const char *channels) {
    sprintf(text + strlen(text), " CHANNELS %d", (int)strlen(channels));
    for (const char *c = channels; *c; c++) {
        sprintf(text + strlen(text), " %c%s", *c >= 'x' ? *c - 'x' + 'X' : *c, *c >= 'x' ? "position" : "rotation");
    }
    strcat(text, "\n");
}

/* Sets a joint's dofs to the values of its channels, by name, in metres and radians. */
static void set_values(const lb_figure *figure, double *pose, const char *joint, const char *channels,
                       const double *values, double unit) {
    int seen[128] = {0};
    for (int i = 0; channels[i]; i++) {
        char name[64];
        int c = channels[i], is_position = c >= 'x', again = seen[c]++;
        snprintf(name, sizeof name, strlen(channels) > 1 ? "%s.%c%c%s" : "%s", joint, is_position ? 't' : 'r',
                 is_position ? c : c - 'X' + 'x', again ? "2" : "");
        int variable = lb_figure_find_variable(figure, name);
        check_note("variable %s", name);
        REQUIRE(variable >= 0);
        check_note("%s", "");
        pose[variable] = values[i] * (is_position ? unit : PI / 180);
    }
}

/* BVH's x, y, z are the world's y, z, x. */
static void check_segment(const lb_kinematics *kinematics, const char *name, matrix expected, double unit) {
    double got[12];
    REQUIRE(lb_kinematics_matrix(kinematics, lb_figure_find_segment(lb_kinematics_figure(kinematics), name), got) ==
            LB_OK);
    for (int i = 0; i < 3; i++) {
        int row = (i + 1) % 3;
        for (int j = 0; j < 3; j++) {
            CHECK_NEAR(got[row * 4 + j], expected.m[i][j], 1e-14);
        }
        CHECK_NEAR(got[row * 4 + 3], expected.m[i][3] * unit, 1e-13);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Channels in every order
 * ------------------------------------------------------------------------------------------------- */

static void check_orders(const char *root, const char *child, check_random *random) {
    static const double offset_a[3] = {1, 95, -2}, offset_b[3] = {3, 20, 4};
    double values_a[6], values_b[6], pose[16] = {0}, unit = 0.01;
    char text[1024] = "HIERARCHY\nROOT a\n{\n OFFSET 1 95 -2\n";
    check_note("%s, %s", root, child);
    add_channels(text, root);
    strcat(text, " JOINT b\n {\n  OFFSET 3 20 4\n");
    add_channels(text, child);
    strcat(text, "  End Site\n  {\n   OFFSET 0 7.5 0\n  }\n }\n}\n");
    lb_figure *figure = load_text(text, unit);
    for (int i = 0; i < 6; i++) {
        values_a[i] = check_random_range(random, -170, 170);
        values_b[i] = check_random_range(random, -170, 170);
    }
    CHECK_INT(lb_figure_variable_count(figure), strlen(root) + strlen(child));
    set_values(figure, pose, "a", root, values_a, unit);
    set_values(figure, pose, "b", child, values_b, unit);
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    REQUIRE(lb_kinematics_update(kinematics, pose) == LB_OK);
    matrix a = joint_matrix(offset_a, root, values_a, 1); /* a root's positions replace its offset */
    matrix b = multiply(a, joint_matrix(offset_b, child, values_b, 0));
    check_segment(kinematics, "a", a, unit);
    check_segment(kinematics, "b", b, unit);
    lb_frame end;
    lb_kinematics_site(kinematics, lb_figure_find_site(figure, "b.end"), &end);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(end.position[(i + 1) % 3], (b.m[i][3] + 7.5 * b.m[i][1]) * unit, 1e-13);
    }
    /* Out again: the same channels in the same order. */
    char *written = save_text(figure, NULL, unit), expected[256] = "";
    add_channels(expected, root);
    CHECK_HAS(written, expected + 1);
    expected[0] = 0;
    add_channels(expected, child);
    CHECK_HAS(written, expected + 1);
    CHECK_HAS(written, "OFFSET 1 95 -2\n");
    CHECK_HAS(written, "OFFSET 3 20 4\n");
    CHECK_HAS(written, "OFFSET 0 7.5 0\n");
    lb_text_free(written);
    lb_kinematics_destroy(kinematics);
    lb_figure_destroy(figure);
    check_note("%s", "");
}

/* All orders of six channels for the root: the n-th permutation. */
static void permutation(int n, char order[7]) {
    char letters[7] = "xyzXYZ";
    for (int i = 0; i < 6; i++) {
        int left = 6 - i, which = n % left;
        n /= left;
        order[i] = letters[which];
        memmove(letters + which, letters + which + 1, strlen(letters + which));
    }
    order[6] = 0;
}

static void test_orders(void) {
    static const char *const children[] = {"XYZ", "XZY",    "YXZ",    "YZX",    "ZXY", "ZYX", "ZXZ", "XYX",
                                           "YZY", "",       "X",      "Y",      "Z",   "ZX",  "XY",  "y",
                                           "xz",  "xyzZXY", "ZXYxyz", "xZyXzY", "zX",  "Xz"};
    int count = (int)(sizeof children / sizeof *children);
    check_random random;
    check_random_seed(&random, 7);
    for (int i = 0; i < 720; i++) {
        char root[7];
        permutation(i, root);
        check_orders(root, children[i % count], &random);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Odd files
 * ------------------------------------------------------------------------------------------------- */

static void test_odd(void) {
    lb_figure *figure =
        load_sample("odd.bvh"); /* BOM, CR LF, tabs, blanks in names, two roots, two joints of one name */
    CHECK_INT(lb_figure_segment_count(figure), 4);
    CHECK_INT(warnings, 1);
    CHECK(lb_figure_find_segment(figure, "Left Arm:upper") >= 0);
    CHECK(lb_figure_find_segment(figure, "twin_2") >= 0);
    CHECK_TEXT(lb_figure_name(figure), "odd");
    CHECK_INT(lb_figure_parent_segment(figure, lb_figure_find_segment(figure, "twin")),
              lb_figure_root(figure)->segment);
    CHECK(lb_figure_find_site(figure, "Left Arm:upper.end2") >= 0);
    const lb_variable *tx = lb_figure_variable(figure, lb_figure_find_variable(figure, "Left Arm:upper.tx"));
    REQUIRE(tx);
    CHECK_NEAR(tx->rest, 1e-5, 1e-20);
    lb_figure_destroy(figure);
    figure = load_sample("oneline.bvh");
    CHECK_INT(lb_figure_variable_count(figure), 2);
    CHECK_INT(warnings, 0);
    lb_figure_destroy(figure);
    figure =
        load_text("HIERARCHY\rROOT world\r{\rOFFSET 0 0 0\r}\r", 1); /* an old Mac's, without a motion, called world */
    CHECK_INT(warnings, 1);
    CHECK_HAS(last_warning, "MOTION");
    CHECK(lb_figure_find_segment(figure, "world") != lb_figure_root(figure)->segment);
    lb_figure_destroy(figure);
}

static void test_position_channels(void) {
    /* The first frame of one file repeats the offsets, that of the other does not. */
    for (int is_absolute = 0; is_absolute < 2; is_absolute++) {
        lb_figure *figure = load_sample(is_absolute ? "absolute.bvh" : "added.bvh");
        lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
        double pose[32], unit = 0.01, zero[6] = {0};
        static const double hips[3] = {0, 90, 0}, spine[3] = {0, 10, -2}, head[3] = {0, 50, 1};
        REQUIRE(lb_figure_variable_count(figure) == 16);
        lb_figure_rest_pose(figure, pose); /* at rest both stand as their offsets say */
        lb_kinematics_update(kinematics, pose);
        matrix a = joint_matrix(hips, "", zero, 0), b = multiply(a, joint_matrix(spine, "", zero, 0));
        check_segment(kinematics, "Hips", a, unit);
        check_segment(kinematics, "Spine", b, unit);
        check_segment(kinematics, "Head", multiply(b, joint_matrix(head, "", zero, 0)), unit);
        const double values_a[6] = {5, 91, 5, 10, 20, 30}, values_b[6] = {1, 2, 3, 40, 50, 60},
                     values_c[4] = {4, 70, 80, 90};
        set_values(figure, pose, "Hips", "xyzZYX", values_a, unit);
        set_values(figure, pose, "Spine", "xyzZYX", values_b, unit);
        set_values(figure, pose, "Head", "yZYX", values_c, unit);
        lb_kinematics_update(kinematics, pose);
        a = joint_matrix(hips, "xyzZYX", values_a, 1);
        b = multiply(a, joint_matrix(spine, "xyzZYX", values_b, is_absolute));
        check_segment(kinematics, "Spine", b, unit);
        check_segment(kinematics, "Head", multiply(b, joint_matrix(head, "yZYX", values_c, is_absolute)), unit);
        lb_kinematics_destroy(kinematics);
        lb_figure_destroy(figure);
    }
}

static void test_bones(void) {
    lb_figure *figure = load_sample("biped.bvh");
    CHECK_INT(lb_figure_shape_count(figure), 8); /* six from joint to joint, two to End Sites */
    int chest = lb_figure_find_segment(figure, "Chest"), seen = 0;
    for (int i = 0; i < lb_figure_shape_count(figure); i++) {
        const lb_shape *bone = lb_figure_shape(figure, i);
        lb_frame tip = bone->frame, up;
        lb_frame_identity(&up);
        up.position[2] = bone->size[1];
        lb_frame_multiply(&bone->frame, &up, &tip);
        CHECK_INT(bone->kind, LB_SHAPE_CAPSULE);
        if (bone->segment == chest) { /* from the chest to the head, 35 units up */
            seen++;
            CHECK_NEAR(tip.position[1], 0.35, 1e-15);
            CHECK_NEAR(tip.position[0], 0, 1e-15);
        }
    }
    CHECK_INT(seen, 1);
    lb_figure_destroy(figure);
}

static void test_motion(void) {
    static const char head[] = "HIERARCHY\nROOT a\n{\nOFFSET 0 0 0\nCHANNELS 2 Xrotation Yrotation\n}\nMOTION\n";
    static const struct {
        const char *motion, *warning; /* NULL: none */
    } cases[] = {
        {"Frames: 2\nFrame Time: 0.1\n1 2\n3 4\n", NULL},
        {"frames : 2\nframe time : 1e-1\n1 2 3 4", NULL},
        {"Frames:0\nFrame Time:0.1", NULL},
        {"Frames: 1\nFrame Time: 0.1\n1 2\n3 4\n", "has 2 rows"},
        {"Frames: 2\nFrame Time: 0.1\n1 2\n3\n", "should be 4 numbers"},
        {"Frames: 1\nFrame Time: 0\n1 2\n", "above 0"},
        {"Frames: 1\nFrame Time: 0.1\n1 -nan(ind)\n", "not finite"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[512];
        snprintf(text, sizeof text, "%s%s", head, cases[i].motion);
        check_note("%s", cases[i].motion);
        lb_figure *figure = load_text(text, 0.01);
        CHECK_INT(warnings, cases[i].warning != NULL);
        if (cases[i].warning) {
            CHECK_HAS(last_warning, cases[i].warning);
        }
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* ---------------------------------------------------------------------------------------------------
 * There and back
 * ------------------------------------------------------------------------------------------------- */

static int differ(double a, double b, double tolerance) { return !(fabs(a - b) <= tolerance * fabs(a)); }

/* Two figures that came from BVH are the same: names, types, offsets and rests. */
static void check_same(const lb_figure *a, const lb_figure *b, double tolerance) {
    int differences = 0;
    REQUIRE(lb_figure_joint_count(a) == lb_figure_joint_count(b) && lb_figure_site_count(a) == lb_figure_site_count(b));
    for (int i = 0; i < lb_figure_joint_count(a); i++) {
        const lb_joint *ja = lb_figure_joint(a, i), *jb = lb_figure_joint(b, i);
        char type_a[512], type_b[512];
        lb_joint_type_spell(&ja->type, type_a, sizeof type_a);
        lb_joint_type_spell(&jb->type, type_b, sizeof type_b);
        CHECK_TEXT(jb->name, ja->name);
        CHECK_TEXT(type_b, type_a);
        for (int d = 0; d < lb_joint_type_dof_count(&ja->type); d++) {
            differences += differ(ja->rest[d], jb->rest[d], tolerance);
        }
    }
    for (int i = 0; i < lb_figure_site_count(a); i++) {
        const lb_site *sa = lb_figure_site(a, i), *sb = lb_figure_site(b, i);
        CHECK_TEXT(sb->name, sa->name);
        for (int k = 0; k < 3; k++) {
            differences += differ(sa->frame.position[k], sb->frame.position[k], tolerance);
        }
    }
    CHECK_INT(differences, 0);
}

static void check_round_trip(const lb_figure *figure, double unit) {
    char *text = save_text(figure, NULL, unit);
    lb_figure *again = load_text(text, unit);
    CHECK(warnings == 0 || (warnings == 1 && strstr(last_warning, "z is read as up")));
    check_same(figure, again, unit == 0.01 ? 0 : 1e-15); /* to the bit in the unit that it was read with */
    char *second = save_text(again, NULL, unit);
    CHECK(strcmp(text, second) == 0);
    lb_text_free(second);
    lb_text_free(text);
    lb_figure_destroy(again);
}

static void test_round_trips(void) {
    static const char *const names[] = {"biped.bvh", "odd.bvh", "absolute.bvh", "added.bvh", "oneline.bvh"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        check_note("%s", names[i]);
        lb_figure *figure = load_sample(names[i]);
        check_round_trip(figure, 0.01);
        check_round_trip(figure, 0.0254);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* The numbers of the one frame in a file. (Not inlined: gcc 12 then sees a dangling pointer where there is none.) */
__attribute__((noinline)) static int read_frame(const char *text, double *values, int most) {
    const char *at = strstr(text, "Frame Time:");
    int count = 0;
    REQUIRE(at);
    at = strchr(at, '\n');
    for (char *end; count < most; count++, at = end) {
        values[count] = strtod(at, &end);
        if (end == at) {
            break;
        }
    }
    return count;
}

/* A pose is written as the frame's values; read back, these give the pose. */
static void test_frame(void) {
    lb_figure *figure = load_sample("biped.bvh");
    double pose[18], values[32];
    uint64_t seed = 3;
    REQUIRE(lb_figure_variable_count(figure) == 18);
    lb_figure_random_pose(figure, &seed, pose);
    char *text = save_text(figure, pose, 0.01);
    CHECK_HAS(text, "Frames: 1\n");
    CHECK_INT(read_frame(text, values, 32), 18);
    for (int i = 0; i < 18; i++) {
        double unit = lb_figure_variable(figure, i)->is_angle ? PI / 180 : 0.01;
        CHECK_NEAR(values[i] * unit, pose[i], 1e-15 * fabs(pose[i]));
    }
    lb_text_free(text);
    lb_figure_destroy(figure);
}

/* Positions far from where a reader expects them: the file must still put every joint where it is. */
static void test_misleading_pose(void) {
    for (int is_absolute = 0; is_absolute < 2; is_absolute++) {
        lb_figure *figure = load_sample(is_absolute ? "absolute.bvh" : "added.bvh");
        double pose[16], again[16], values[16];
        lb_figure_rest_pose(figure, pose);
        const double far[3] = {0, is_absolute ? 0.1 : 10, is_absolute ? 0 : -2};
        set_values(figure, pose, "Spine", "xyz", far, 0.01);
        set_values(figure, pose, "Head", "yX", (const double[2]){is_absolute ? 0.2 : 50, 30}, 0.01);
        char *text = save_text(figure, pose, 0.01);
        lb_figure *read = load_text(text, 0.01);
        CHECK_INT(read_frame(text, values, 16), 16);
        for (int i = 0; i < 16; i++) {
            again[i] = values[i] * (lb_figure_variable(read, i)->is_angle ? PI / 180 : 0.01);
        }
        lb_kinematics *a = lb_kinematics_create(figure, NULL), *b = lb_kinematics_create(read, NULL);
        lb_kinematics_update(a, pose);
        lb_kinematics_update(b, again);
        for (int s = 0; s < lb_figure_segment_count(figure); s++) {
            double frame_a[12], frame_b[12];
            lb_kinematics_matrix(a, s, frame_a);
            lb_kinematics_matrix(b, s, frame_b);
            for (int i = 0; i < 12; i++) {
                CHECK_NEAR(frame_b[i], frame_a[i], 1e-14);
            }
        }
        lb_kinematics_destroy(a);
        lb_kinematics_destroy(b);
        lb_text_free(text);
        lb_figure_destroy(read);
        lb_figure_destroy(figure);
    }
}

/* ---------------------------------------------------------------------------------------------------
 * Any figure
 * ------------------------------------------------------------------------------------------------- */

static int add_site(lb_builder *builder, int segment, const char *name, check_random *random) {
    lb_site site;
    lb_site_defaults(&site);
    site.name = name;
    site.segment = segment;
    for (int i = 0; i < 3; i++) {
        site.frame.position[i] = check_random_range(random, -0.3, 0.3);
    }
    if (check_random_index(random, 2)) {
        double axis[3] = {check_random_range(random, -1, 1), check_random_range(random, -1, 1), 1.5};
        lb_rotation_about(axis, check_random_range(random, -3, 3), site.frame.rotation);
    }
    return lb_builder_add_site(builder, &site);
}

/* A random tree with joints of all kinds, some written from child to parent, some with rests, rooted anywhere. */
static lb_figure *random_figure(check_random *random) {
    static const char *const types[] = {
        "fixed",     "pin",       "R(x)",     "R(y)*R(x)",    "R(z)*R(x)*R(y)", "R(z)*R(x)*R(z)", "swing_twist(z)",
        "T(x)*R(z)", "R(z)*T(x)", "floating", "R(0.6,0,0.8)", "T(x)*T(y)*T(z)", "R(y)",           "flying"};
    lb_builder *builder = lb_builder_create(NULL, NULL);
    int count = 2 + check_random_index(random, 8);
    for (int i = 0; i < count; i++) {
        char name[16];
        lb_segment segment;
        lb_segment_defaults(&segment);
        snprintf(name, sizeof name, "s%d", i);
        segment.name = name;
        segment.mass = 1;
        REQUIRE(lb_builder_add_segment(builder, &segment) == i);
        if (i == 0) {
            continue;
        }
        lb_joint joint;
        lb_joint_defaults(&joint);
        int parent = check_random_index(random, i), is_turned = check_random_index(random, 2);
        char site[16];
        snprintf(site, sizeof site, "to%d", i);
        int a = add_site(builder, parent, site, random), b = add_site(builder, i, "base", random);
        joint.name = name;
        joint.site_a = is_turned ? b : a;
        joint.site_b = is_turned ? a : b;
        REQUIRE(lb_joint_type_parse(types[check_random_index(random, 14)], &joint.type, NULL) == LB_OK);
        for (int d = 0; d < 6 && check_random_index(random, 2); d++) {
            joint.rest[d] = check_random_range(random, -0.5, 0.5);
        }
        REQUIRE(lb_builder_add_joint(builder, &joint) >= 0);
    }
    lb_root root;
    lb_root_defaults(&root);
    root.segment = check_random_index(random, count);
    root.site = -1;
    root.is_free = check_random_index(random, 2);
    root.placement.position[2] = 1;
    lb_rotation_about((const double[3]){1, 2, 3}, check_random_range(random, -3, 3), root.placement.rotation);
    REQUIRE(lb_builder_set_root(builder, &root) == LB_OK);
    lb_figure *figure = NULL;
    REQUIRE(lb_builder_finish(builder, &figure) == LB_OK);
    lb_builder_destroy(builder);
    return figure;
}

/* What a figure is as BVH, in a pose: every joint's place is kept, and every segment has turned from its rest
 * alike. */
static void check_expressed(const lb_figure *figure, const double *pose) {
    char *text = save_text(figure, pose, 0.01);
    lb_figure *skeleton = load_text(text, 0.01);
    int segments = lb_figure_segment_count(figure), variables = lb_figure_variable_count(skeleton);
    double *values = calloc((size_t)variables + 1, sizeof *values),
           *rest = calloc((size_t)variables + 64, sizeof *rest);
    REQUIRE(values && rest && lb_figure_variable_count(figure) < variables + 64);
    CHECK_INT(read_frame(text, values, variables + 1), variables);
    for (int i = 0; i < variables; i++) {
        values[i] *= lb_figure_variable(skeleton, i)->is_angle ? PI / 180 : 0.01;
    }
    lb_kinematics *a = lb_kinematics_create(figure, NULL), *b = lb_kinematics_create(skeleton, NULL),
                  *still = lb_kinematics_create(figure, NULL);
    lb_kinematics_update(a, pose);
    lb_kinematics_update(b, values);
    lb_figure_rest_pose(figure, rest);
    lb_kinematics_update(still, rest);
    for (int s = 0; s < segments; s++) {
        int joint = lb_figure_parent_joint(figure, s),
            bone = lb_figure_find_segment(skeleton, lb_figure_segment(figure, s)->name);
        if (!CHECK(bone >= 0)) {
            continue;
        }
        lb_frame now, before, place, expected, got, axes;
        lb_kinematics_segment(a, s, &now);
        lb_kinematics_segment(still, s, &before);
        place = now;
        if (joint >= 0) {
            const lb_joint *j = lb_figure_joint(figure, joint);
            int is_b = lb_figure_site(figure, j->site_b)->segment == s;
            lb_kinematics_site(a, is_b ? j->site_b : j->site_a, &place);
        }
        lb_kinematics_segment(b, bone, &got);
        lb_frame_identity(&axes);
        memcpy(axes.rotation, (const double[4]){0.5, 0.5, 0.5, 0.5}, sizeof axes.rotation);
        lb_frame_invert(&before, &expected); /* X X0^-1 B, as bvh_express.c has it */
        lb_frame_multiply(&now, &expected, &expected);
        lb_frame_multiply(&expected, &axes, &expected);
        double same = 0;
        for (int i = 0; i < 4; i++) {
            same += expected.rotation[i] * got.rotation[i];
        }
        CHECK_NEAR(fabs(same), 1, 1e-12);
        for (int i = 0; i < 3; i++) {
            CHECK_NEAR(got.position[i], place.position[i], 1e-11);
        }
    }
    lb_kinematics_destroy(a);
    lb_kinematics_destroy(b);
    lb_kinematics_destroy(still);
    free(values);
    free(rest);
    lb_text_free(text);
    lb_figure_destroy(skeleton);
}

static void test_any_figure(void) {
    check_random random;
    uint64_t seed = 11;
    check_random_seed(&random, 11);
    for (int n = 0; n < 300; n++) {
        double pose[128];
        lb_figure *figure = random_figure(&random);
        REQUIRE(lb_figure_variable_count(figure) <= 128);
        lb_figure_random_pose(figure, &seed, pose);
        check_note("random figure %d", n);
        check_expressed(figure, pose);
        lb_figure_rest_pose(figure, pose);
        check_expressed(figure, pose);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
}

/* A joint whose axes lie along BVH's keeps its own channels. */
static void test_own_channels(void) {
    lb_figure *figure = NULL;
    lb_load_options options;
    lb_error error;
    lb_load_options_defaults(&options);
    options.format = LB_FORMAT_MJCF;
    static const char model[] =
        "<mujoco><worldbody><body name='hip' pos='0 0 1'><freejoint/><geom size='.1'/><body name='knee' "
        "pos='0 0 -.4'><joint axis='0 1 0'/><geom size='.1'/><site name='sole' pos='0 0 -.4'/></body></body>"
        "</worldbody></mujoco>";
    REQUIRE(lb_figure_load_memory(model, strlen(model), "m", &options, &figure, &error) == LB_OK);
    char *text = save_text(figure, NULL, 0.01);
    CHECK_INT(warnings, 1); /* masses are lost */
    CHECK_HAS(
        text,
        "ROOT hip\n{\n\tOFFSET 0 0 0\n\tCHANNELS 6 Xposition Yposition Zposition Zrotation Xrotation Yrotation\n"
        "\tJOINT knee\n\t{\n\t\tOFFSET 0 -40 0\n\t\tCHANNELS 1 Xrotation\n\t\tEnd Site\n\t\t{\n\t\t\tOFFSET 0 -40 0\n");
    CHECK_HAS(text, "\n0 100 0 0 0 0 0\n");
    lb_text_free(text);
    lb_figure_destroy(figure);
    REQUIRE(lb_figure_load("chain:2000", NULL, &figure, &error) == LB_OK);
    lb_save_options save;
    lb_save_options_defaults(&save);
    save.format = LB_FORMAT_BVH;
    CHECK_INT(lb_figure_save_memory(figure, &save, &text, NULL, &error), LB_ERROR_TOO_LARGE);
    lb_figure_destroy(figure);
}

/* ---------------------------------------------------------------------------------------------------
 * Broken files
 * ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    lb_status status;
    int line;
    const char *part; /* of the message */
} broken[] = {
    {"", LB_ERROR_SYNTAX, 1, "too early"},
    {"MOTION", LB_ERROR_SYNTAX, 1, "HIERARCHY"},
    {"HIERARCHY\nMOTION", LB_ERROR_SYNTAX, 2, "ROOT"},
    {"HIERARCHY\nJOINT a", LB_ERROR_SYNTAX, 2, "ROOT"},
    {"HIERARCHY\nROOT\n{", LB_ERROR_NAME, 2, "name"},
    {"HIERARCHY\nROOT a\nOFFSET", LB_ERROR_SYNTAX, 3, "\"{\""},
    {"HIERARCHY\nROOT a {\n}", LB_ERROR_SYNTAX, 3, "no OFFSET"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2\n}", LB_ERROR_SYNTAX, 4, "three numbers"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3 4\n}", LB_ERROR_SYNTAX, 3, "\"4\""},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 nan\n}", LB_ERROR_SYNTAX, 3, "nan"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 1e99\n}", LB_ERROR_SYNTAX, 3, "1e+99"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nOFFSET 1 2 3\n}", LB_ERROR_SYNTAX, 4, "second OFFSET"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nCHANNELS 7\n}", LB_ERROR_SYNTAX, 4, "0 to 6"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nCHANNELS 1.5 Xrotation\n}", LB_ERROR_SYNTAX, 4, "0 to 6"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nCHANNELS 2 Xrotation\n}", LB_ERROR_SYNTAX, 5, "a channel"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nCHANNELS 1 Wrotation\n}", LB_ERROR_SYNTAX, 4, "Wrotation"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nCHANNELS 2 Xposition Xposition\n}", LB_ERROR_SYNTAX, 4, "twice"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nCHANNELS 4 Xrotation Yrotation Xrotation Yrotation\n}", LB_ERROR_SYNTAX, 4,
     "three"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nEnd {\n}", LB_ERROR_SYNTAX, 4, "Site"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nEnd Site {\nJOINT b {\n}", LB_ERROR_SYNTAX, 5, "OFFSET or"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nEnd Site {\n}", LB_ERROR_SYNTAX, 5, "no OFFSET"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\nROOT b {\n}", LB_ERROR_SYNTAX, 4, "JOINT"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\n", LB_ERROR_SYNTAX, 4, "too early"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\n}\n}", LB_ERROR_SYNTAX, 5, "ROOT or MOTION"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\n}\nMOTION\n1 2 3", LB_ERROR_SYNTAX, 6, "Frames: COUNT"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\n}\nMOTION\nFrames 3", LB_ERROR_SYNTAX, 6, "colon"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\n}\nMOTION\nFrames: x", LB_ERROR_SYNTAX, 6, "number of frames"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\n}\nMOTION\nFrames: 1.5\n", LB_ERROR_SYNTAX, 6, "whole"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\n}\nMOTION\nFrames: 1\nFrameTime: 1", LB_ERROR_SYNTAX, 7, "Frame Time"},
    {"HIERARCHY\nROOT a {\nOFFSET 1 2 3\n}\nMOTION\nFrames: 1\nFrame Time: 1\n1 2\n3 oops", LB_ERROR_SYNTAX, 9, "oops"},
};

static void test_broken(void) {
    for (size_t i = 0; i < sizeof broken / sizeof *broken; i++) {
        lb_figure *figure = NULL;
        lb_error error;
        memset(&error, 0, sizeof error);
        check_note("%s", broken[i].text);
        CHECK_INT(read_text(broken[i].text, 0.01, &figure, &error), broken[i].status);
        CHECK(figure == NULL);
        CHECK_INT(error.line, broken[i].line);
        CHECK_HAS(error.message, broken[i].part);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
    char deep[40000] = "HIERARCHY\nROOT a {\nOFFSET 0 0 0\n";
    size_t length = strlen(deep);
    for (int i = 0; i < 1100; i++) {
        length += (size_t)sprintf(deep + length, "JOINT j%d {\nOFFSET 0 1 0\n", i);
    }
    lb_figure *figure = NULL;
    lb_error error;
    CHECK_INT(read_text(deep, 0.01, &figure, &error), LB_ERROR_TOO_LARGE);
}

/* ---------------------------------------------------------------------------------------------------
 * Motion capture files in use
 * ------------------------------------------------------------------------------------------------- */

static const struct {
    const char *path;
    int joints, channels, ends, warnings;
} clips[] = {
    {"cmu/02_01_walk.bvh", 31, 96, 7, 0},
    {"cmu/02_04_jump.bvh", 31, 96, 7, 0},
    {"cmu/05_02_dance.bvh", 31, 96, 7, 0},
    {"cmu/09_01_run.bvh", 31, 96, 7, 0},
    {"cmu/115_01_pick_up_box.bvh", 31, 96, 7, 0},
    {"cmu/140_01_get_up_from_lying_face_down.bvh", 31, 96, 7, 0},
    {"cmu/143_18_sit_down_and_get_up.bvh", 31, 96, 7, 0},
    {"cmu/69_70_walk.bvh", 31, 96, 7, 0},
    {"cmu/79_01_chopping_wood.bvh", 31, 96, 7, 0},
    {"cmu/88_01_backflip.bvh", 31, 96, 7, 0},
    {"other/fair1_jumping.bvh", 27, 84, 7, 1},
    {"other/mh_walk1.bvh", 75, 228, 16, 1},
    {"other/pymo_8walk_meredith.bvh", 23, 72, 7, 0},
    {"other/rokoko_jesse_dance.bvh", 60, 183, 13, 0},
    {"quirks/boxing_toes_extra_row.bvh", 21, 66, 5, 1},
    {"quirks/four_rotation_orders.bvh", 24, 75, 5, 1},
    {"quirks/full_precision_frame_time.bvh", 2, 9, 1, 0},
    {"quirks/geno_stance_6ch_exp.bvh", 75, 450, 21, 0},
    {"quirks/mh_tpose_6ch.bvh", 173, 951, 49, 1},
    {"quirks/pirouette_exponents.bvh", 43, 132, 14, 0},
    {"quirks/rotation_first_root.bvh", 4, 15, 2, 0},
    {"quirks/sinusoidal_no_endsite.bvh", 4, 15, 0, 0},
};

static int test_clips(void) {
    int found = 0;
    for (size_t i = 0; i < sizeof clips / sizeof *clips; i++) {
        char relative[128], path[1024];
        snprintf(relative, sizeof relative, "data/bvh/%s", clips[i].path);
        if (!check_shared(relative, path, sizeof path)) {
            continue;
        }
        found++;
        check_note("%s", clips[i].path);
        lb_figure *figure = load_file(path);
        CHECK_INT(warnings, clips[i].warnings);
        CHECK_INT(lb_figure_joint_count(figure), clips[i].joints);
        CHECK_INT(lb_figure_variable_count(figure), clips[i].channels);
        CHECK_INT(lb_figure_site_count(figure), 2 * clips[i].joints + clips[i].ends);
        check_round_trip(figure, 0.01);
        lb_figure_destroy(figure);
    }
    check_note("%s", "");
    return found;
}

int main(void) {
    test_orders();
    test_odd();
    test_position_channels();
    test_bones();
    test_motion();
    test_round_trips();
    test_frame();
    test_misleading_pose();
    test_any_figure();
    test_own_channels();
    test_broken();
    if (!test_clips()) {
        printf("the motion capture files are not there; checked our own samples only\n");
    }
    return check_done();
}
