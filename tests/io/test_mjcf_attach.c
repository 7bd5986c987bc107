/* MJCF: bodies attached from other models and repeated, as MuJoCo 3.3.7 has them; meshes of assets; which files may be read. The
 * numbers of frames and vertices were taken from MuJoCo. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <limber/io.h>
#include <math.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[1024];
static lb_error error;
static int warnings;
static char heard[LB_ERROR_MESSAGE_SIZE];

static void hear(void *context, const lb_error *warning) {
    (void)context;
    warnings++;
    strcpy(heard, warning->message);
}

static const char *in_folder(const char *name) {
    static char path[4][1300];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void write_bytes(const char *name, const void *data, size_t size) {
    FILE *file = fopen(in_folder(name), "wb");
    REQUIRE(file != NULL);
    CHECK_INT(fwrite(data, 1, size, file), size);
    fclose(file);
}

static void write_text(const char *name, const char *text) { write_bytes(name, text, strlen(text)); }

static lb_status load(const char *text, int meshes, lb_figure **figure) {
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.warn = hear;
    options.meshes = meshes;
    warnings = 0;
    heard[0] = 0;
    *figure = NULL;
    write_text("main.xml", text);
    return lb_figure_load(in_folder("main.xml"), &options, figure, &error);
}

static lb_figure *made_of(const char *text) {
    lb_figure *figure;
    if (!CHECK_INT(load(text, 2, &figure), LB_OK)) {
        printf("  %s:%d: %s\n", error.file, error.line, error.message);
    }
    REQUIRE(figure != NULL);
    return figure;
}

static void refused(const char *text, lb_status status, const char *file, int line, const char *words) {
    lb_figure *figure;
    check_note("%s", text);
    CHECK_INT(load(text, 0, &figure), status);
    CHECK_HAS(error.file, file);
    CHECK_INT(error.line, line);
    CHECK_HAS(error.message, words);
    lb_figure_destroy(figure);
}

static void is_at(const lb_figure *figure, const char *segment, double x, double y, double z) {
    lb_kinematics *kinematics = lb_kinematics_create(figure, NULL);
    const int index = lb_figure_find_segment(figure, segment);
    double pose[64] = {0};
    const double wanted[3] = {x, y, z};
    lb_frame frame;
    check_note("%s", segment);
    REQUIRE(CHECK(index >= 0));
    REQUIRE(CHECK_INT(lb_kinematics_update(kinematics, pose), LB_OK));
    lb_kinematics_segment(kinematics, index, &frame);
    for (int i = 0; i < 3; i++) {
        CHECK_NEAR(frame.position[i], wanted[i], 1e-14);
    }
    lb_kinematics_destroy(kinematics);
}

static const char child[] =
    "<mujoco model='kid'><compiler angle='radian' eulerseq='ZYX'/>"
    "<default><joint axis='0 1 0' range='-1 1'/><default class='big'><joint axis='1 0 0'/></default></default>"
    "<worldbody><geom size='.1'/><body name='arm' pos='1 0 0' euler='0.1 0.2 0.3'><joint name='a'/><geom size='.1'/>"
    "<site name='s' pos='0 0 1'/><body name='hand' pos='0 1 0' childclass='big'><joint name='b'/><geom size='.1'/>"
    "<body name='tip' pos='0 0 1'><joint name='t'/><geom size='.1'/></body></body></body>"
    "<body name='other'><geom size='.1'/></body></worldbody>"
    "<equality><joint name='e' joint1='a' joint2='b' polycoef='0 2'/></equality></mujoco>";

static void test_attach(void) {
    lb_figure *figure = made_of("<mujoco><asset><model name='k' file='sub/child.xml'/></asset>"
                                "<default><joint axis='0 0 1'/></default><worldbody>"
                                "<body name='base' pos='0 0 1' euler='0 0 90'><joint name='own'/><geom size='.1'/>"
                                "<attach model='k' body='arm' prefix='l_'/>"
                                "<frame pos='0 0 5'><attach model='k' body='arm' prefix='r_'/></frame></body>"
                                "<attach model='k' body='tip' prefix='t/'/></worldbody></mujoco>");
    CHECK_INT(lb_figure_segment_count(figure), 1 + 1 + 3 + 3 + 1);
    is_at(figure, "l_arm", 0, 1, 1);
    is_at(figure, "l_hand", -0.9447024859948939, 0.9021566049927444, 1.3129918257854678);
    is_at(figure, "r_hand", -0.9447024859948939, 0.9021566049927444, 6.3129918257854678);
    is_at(figure, "t/tip", 0, 0, 1);
    const lb_joint *joint = lb_figure_joint(figure, lb_figure_find_joint(figure, "l_a"));
    CHECK_NEAR(joint->upper[0], 1, 0); /* radians, as its own file has it */
    CHECK_NEAR(joint->type.elements[0].axis[1], 1, 0);
    joint = lb_figure_joint(figure, lb_figure_find_joint(figure, "own")); /* the main file's defaults */
    CHECK_NEAR(joint->type.elements[0].axis[2], 1, 0);
    joint = lb_figure_joint(figure, lb_figure_find_joint(figure, "t/t")); /* the class of the bodies around it there */
    CHECK_NEAR(joint->type.elements[0].axis[0], 1, 0);
    CHECK_INT(lb_figure_drive_count(figure), 2); /* of l_ and r_; none is about t/ */
    CHECK(lb_figure_find_variable(figure, "l_b") >= 0 && lb_figure_find_variable(figure, "r_b") >= 0);
    lb_figure_destroy(figure);
    /* All of the world, by the model's own name. */
    figure = made_of("<mujoco><asset><model file='sub/child.xml'/></asset><worldbody><body name='base' pos='0 0 1'>"
                     "<geom size='.1'/><attach model='kid' prefix='w_'/></body></worldbody></mujoco>");
    CHECK_INT(lb_figure_segment_count(figure), 1 + 1 + 4);
    is_at(figure, "w_other", 0, 0, 1);
    CHECK_INT(lb_figure_shape_count(figure), 1 + 5); /* the world's geom is the base's */
    lb_figure_destroy(figure);
    /* Models in models: prefixes before prefixes, files beside files. */
    write_text("sub/mid.xml",
               "<mujoco><asset><model name='g' file='child.xml'/></asset><worldbody><body name='m'>"
               "<geom size='.1'/><attach model='g' body='arm' prefix='g_'/></body></worldbody></mujoco>");
    figure = made_of("<mujoco><asset><model name='k' file='sub/mid.xml'/></asset><worldbody>"
                     "<attach model='k' body='m' prefix='x_'/></worldbody>"
                     "<equality><joint joint1='x_g_t'/></equality></mujoco>");
    is_at(figure, "x_g_hand", 0.9021566049927443, 0.9447024859948941, 0.3129918257854679);
    CHECK_INT(lb_figure_find_variable(figure, "x_g_t"), -1); /* frozen by the main file */
    lb_figure_destroy(figure);
}

#define ATTACH(what) \
    "<mujoco><asset><model name='k' file='sub/child.xml'/></asset><worldbody>\n" what "</worldbody></mujoco>"

static void test_refused(void) {
    refused(ATTACH("<attach model='k' body='nope' prefix='p'/>"), LB_ERROR_NAME, "main.xml", 2, "\"nope\"");
    refused(ATTACH("<attach model='x' body='arm' prefix='p'/>"), LB_ERROR_NAME, "main.xml", 2, "\"x\"");
    refused(ATTACH("<attach model='k' body='arm' prefix='p'/><attach model='k' body='arm' prefix='p'/>"), LB_ERROR_NAME,
            "child.xml", 1, "\"parm\" is given to two");
    refused("<mujoco><asset>\n<model name='k' file='sub/none.xml'/></asset></mujoco>", LB_ERROR_FILE, "main.xml", 2,
            "model's file \"sub/none.xml\"");
    refused("<mujoco><asset>\n<model name='k' file='../outside.xml'/></asset></mujoco>", LB_ERROR_UNSUPPORTED,
            "main.xml", 2, "own folder");
    refused("<mujoco><asset>\n<model name='k' file='pipe.xml'/></asset></mujoco>", LB_ERROR_FILE, "main.xml", 2,
            "a pipe");
    refused("<mujoco><asset>\n<model name='k' file='link.xml'/></asset></mujoco>", LB_ERROR_UNSUPPORTED, "main.xml", 2,
            "outside");
    refused("<mujoco><asset>\n<model name='k' file='main.xml'/></asset></mujoco>", LB_ERROR_TOO_LARGE, "main.xml", 2,
            "attach itself");
    write_text("sub/broken.xml", "<mujoco>\n<worldbody>\n<body><joint type='screw'/></body></worldbody></mujoco>");
    refused("<mujoco><asset><model name='k' file='sub/broken.xml'/></asset><worldbody><attach model='k' prefix='p'/>"
            "</worldbody></mujoco>",
            LB_ERROR_SYNTAX, "broken.xml", 3, "screw");
    write_text("sub/robot.xml", "<robot name='r'/>");
    refused("<mujoco><asset>\n<model name='k' file='sub/robot.xml'/></asset></mujoco>", LB_ERROR_SYNTAX, "main.xml", 2,
            "<robot>");
}

static void test_replicate(void) {
    lb_figure *figure = made_of("<mujoco><worldbody><replicate count='12' offset='.1 .2 .3' euler='10 20 30' sep='-'>"
                                "<body name='b'><joint name='j'/><geom size='.1'/></body></replicate></worldbody>"
                                "<equality><joint joint1='j'/></equality></mujoco>");
    CHECK_INT(lb_figure_segment_count(figure), 13);
    is_at(figure, "b-00", 0, 0, 0);
    is_at(figure, "b-01", 0.1, 0.2, 0.3);
    is_at(figure, "b-02", 0.1900165490540471, 0.37006562982737234, 0.6208967161686443);
    is_at(figure, "b-11", 0.9996703549966697, 0.8890703336397874, 0.7075929890088831);
    CHECK_INT(lb_figure_variable_count(figure), 0); /* the equality holds for all copies */
    lb_figure_destroy(figure);
    figure =
        made_of("<mujoco><worldbody><body name='base'><geom size='1'/><replicate count='2' offset='1 0 0'>"
                "<replicate count='2' offset='0 1 0' sep='x'><site name='q'/><body name='b'><geom size='.1'/></body>"
                "</replicate></replicate></body></worldbody></mujoco>");
    is_at(figure, "bx10", 0, 1, 0); /* the inner number first */
    is_at(figure, "bx01", 1, 0, 0);
    CHECK(lb_figure_find_site(figure, "base.qx11") >= 0);
    lb_figure_destroy(figure);
}

/* --- Meshes --------------------------------------------------------------------------------------------------------------- */

/* A tetrahedron at the origin, in binary STL, with sides of these lengths. */
static void write_stl(const char *name, float x, float y, float z) {
    const float corners[4][3] = {{0, 0, 0}, {x, 0, 0}, {0, y, 0}, {0, 0, z}};
    static const int faces[4][3] = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    unsigned char data[84 + 200] = {0};
    data[80] = 4;
    for (int f = 0; f < 4; f++) {
        for (int k = 0; k < 3; k++) {
            memcpy(data + 84 + 50 * f + 12 + 12 * k, corners[faces[f][k]], 12);
        }
    }
    write_bytes(name, data, sizeof data);
}

static void spans(const lb_shape *shape, const double low[3], const double high[3]) {
    for (int i = 0; i < 3; i++) {
        double least = INFINITY, most = -INFINITY;
        for (int k = 0; k < shape->vertex_count; k++) {
            least = fmin(least, shape->vertices[k][i]);
            most = fmax(most, shape->vertices[k][i]);
        }
        CHECK_NEAR(least, low[i], 1e-7);
        CHECK_NEAR(most, high[i], 1e-7);
    }
}

static void test_meshes(void) {
    write_stl("assets/t.stl", 1, 2, 3);
    write_text("assets/o.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n");
    lb_figure *figure = made_of(
        "<mujoco><compiler meshdir='assets'/><default><default class='mm'><mesh scale='.001 .001 .001'/></default>"
        "</default><asset><mesh file='t.stl'/><mesh name='small' class='mm' file='t.stl'/>"
        "<mesh name='o' file='o.obj'/><mesh name='moved' vertex='0 0 0  1 0 0  0 2 0  0 0 3' scale='2 3 -1' "
        "refpos='.1 .2 .3' refquat='.5 .5 .5 .5'/><mesh name='faces' vertex='0 0 0 1 0 0 0 1 0 0 0 1' "
        "face='0 2 1 0 1 3'/><material name='red' rgba='1 0 0 1'/></asset><worldbody><body>"
        "<geom type='mesh' mesh='t' mass='1' pos='0 0 9' material='red'/><geom type='mesh' mesh='small' mass='1'/>"
        "<geom type='mesh' mesh='o' contype='0' conaffinity='0' mass='1'/><geom type='mesh' mesh='moved' mass='1'/>"
        "<geom type='mesh' mesh='faces' mass='1' contype='0' conaffinity='0'/></body></worldbody></mujoco>");
    CHECK_TEXT(heard, "");
    REQUIRE(CHECK_INT(lb_figure_shape_count(figure), 2 + 2 + 1 + 2 + 1)); /* seen, and the hulls of those that touch */
    const lb_shape *t = lb_figure_shape(figure, 0);
    CHECK_INT(t->kind, LB_SHAPE_MESH);
    CHECK_INT(t->triangle_count, 4);
    CHECK_INT(t->color, 0xff0000);
    CHECK_NEAR(t->frame.position[2], 9, 0);
    spans(t, (const double[3]){0, 0, 0}, (const double[3]){1, 2, 3});
    CHECK_INT(lb_figure_shape(figure, 1)->kind, LB_SHAPE_HULL);
    CHECK_INT(lb_figure_shape(figure, 1)->use, LB_SHAPE_USE_SOLID);
    spans(lb_figure_shape(figure, 2), (const double[3]){0, 0, 0}, (const double[3]){.001, .002, .003});
    CHECK_INT(lb_figure_shape(figure, 4)->use, LB_SHAPE_USE_DRAWN);
    spans(lb_figure_shape(figure, 4), (const double[3]){0, 0, 0}, (const double[3]){1, 1, 1});
    /* MuJoCo's vertices of `moved`, in the frame of its geom: -0.4 -0.9 0.1, -0.4 -0.9 -0.9, 3.6 -0.9 0.1, -0.4 8.1 0.1. */
    spans(lb_figure_shape(figure, 5), (const double[3]){-0.4, -0.9, -0.9}, (const double[3]){3.6, 8.1, 0.1});
    CHECK_INT(lb_figure_shape(figure, 5)->triangle_count, 4); /* without faces, the hull */
    CHECK_INT(lb_figure_shape(figure, 7)->triangle_count, 2);
    lb_figure_destroy(figure);
}

/* Meshes of an attached model are named from its own folder; what may be read stays the same. */
static void test_mesh_places(void) {
    static const char *const lost[][2] = {{"../outside.obj", "outside of the file's own folder"},
                                          {"pipe.xml", "is no file"},
                                          {"http://example.org/m.stl", "is not read"},
                                          {"gone.stl", "is not there"}};
    write_stl("sub/meshes/far.stl", 1, 1, 1);
    write_text("sub/meshed.xml", "<mujoco><compiler assetdir='meshes'/><asset><mesh file='far.stl'/></asset><worldbody>"
                                 "<body name='b'><geom type='mesh' mesh='far' mass='1'/></body></worldbody></mujoco>");
    lb_figure *figure =
        made_of("<mujoco><compiler meshdir='nowhere'/><asset><model name='k' file='sub/meshed.xml'/></asset>"
                "<worldbody><attach model='k' body='b' prefix='p'/></worldbody></mujoco>");
    CHECK_INT(lb_figure_shape_count(figure), 2);
    CHECK_INT(warnings, 0);
    lb_figure_destroy(figure);
    for (int i = 0; i < 4; i++) {
        char text[500];
        snprintf(
            text, sizeof text,
            "<mujoco><asset><mesh name='m' file='%s'/></asset><worldbody><body><geom type='mesh' mesh='m' mass='1'/>"
            "</body></worldbody></mujoco>",
            lost[i][0]);
        check_note("%s", lost[i][0]);
        figure = made_of(text);
        CHECK_INT(lb_figure_shape_count(figure), 0);
        CHECK_INT(warnings, 1);
        CHECK_HAS(heard, lost[i][1]);
        lb_figure_destroy(figure);
    }
    CHECK_INT(
        load("<mujoco><asset><mesh name='m' vertex='0 0 0 1 0'/></asset><worldbody><body><geom type='mesh' mesh='m' "
             "mass='1'/></body></worldbody></mujoco>",
             0, &figure),
        LB_OK); /* meshes are not looked at unless they are wanted */
    lb_figure_destroy(figure);
    CHECK_INT(
        load("<mujoco><asset>\n<mesh name='m' vertex='0 0 0 1 0'/></asset><worldbody><body><geom type='mesh' mesh='m' "
             "mass='1'/></body></worldbody></mujoco>",
             1, &figure),
        LB_ERROR_SYNTAX);
    CHECK_HAS(error.message, "four points");
    CHECK_INT(error.line, 2);
}

/* Groups that MuJoCo's viewer does not show are not drawn over what it does. */
static void test_groups(void) {
    lb_figure *figure =
        made_of("<mujoco><worldbody><body name='a'><geom size='.1' group='2' contype='0' conaffinity='0'/>"
                "<geom size='.2' group='3'/></body><body name='b'><geom size='.3' group='3'/></body>"
                "</worldbody></mujoco>");
    REQUIRE(CHECK_INT(lb_figure_shape_count(figure), 3));
    CHECK_INT(lb_figure_shape(figure, 0)->use, LB_SHAPE_USE_DRAWN);
    CHECK_INT(lb_figure_shape(figure, 1)->use, LB_SHAPE_USE_SOLID);
    CHECK_INT(lb_figure_shape(figure, 2)->use, LB_SHAPE_USE_BOTH);
    lb_figure_destroy(figure);
}

int main(void) {
    char above[900];
    check_scratch("mjcf_attach", above, sizeof above);
    mkdir(above, 0777);
    snprintf(folder, sizeof folder, "%s/in", above);
    mkdir(folder, 0777);
    mkdir(in_folder("sub"), 0777);
    mkdir(in_folder("sub/meshes"), 0777);
    mkdir(in_folder("assets"), 0777);
    write_text("../outside.xml", "<mujoco/>");
    write_text("../outside.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
    write_text("sub/child.xml", child);
    unlink(in_folder("pipe.xml"));
    unlink(in_folder("link.xml"));
    REQUIRE(CHECK_INT(mkfifo(in_folder("pipe.xml"), 0600), 0));
    REQUIRE(CHECK_INT(symlink("../outside.xml", in_folder("link.xml")), 0));
    test_attach();
    test_refused();
    test_replicate();
    test_meshes();
    test_mesh_places();
    test_groups();
    return check_done();
}
