/* Meshes: STL, OBJ and glTF read and refused, hulls around them that enclose every vertex, and which files may be read. */
#define _XOPEN_SOURCE 700
#include "check.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "figure/hull/hull.h"
#include "figure/memory.h"
#include "io/mesh/mesh.h"

static lb_error error;
static char heard[LB_ERROR_MESSAGE_SIZE];
static int warnings;

static void hear(void *context, const lb_error *warning) {
    (void)context;
    warnings++;
    strcpy(heard, warning->message);
}

static lb_status read_sample(const char *kind, const char *name, lbio_cloud *cloud) {
    char relative[128], path[1024], *data = NULL;
    size_t size = 0;
    lb_load_options options;
    lb_load_options_defaults(&options);
    snprintf(relative, sizeof relative, "fuzz/corpus/%s/%s.%s", kind, name, kind);
    REQUIRE(check_source(relative, path, sizeof path));
    REQUIRE(CHECK_INT(lbio_read_reference(path, LBIO_MESH_MAX_BYTES, &data, &size, &error), LB_OK));
    const lbio_source source = {path, data, size, &options, &error};
    memset(cloud, 0, sizeof *cloud);
    error.message[0] = 0;
    const lb_status status = lbio_read_cloud(&source, NULL, cloud);
    free(data);
    return status;
}

static void expect(const char *kind, const char *name, int points, int triangles) {
    lbio_cloud cloud;
    check_note("%s", name);
    CHECK_INT(read_sample(kind, name, &cloud), LB_OK);
    CHECK_INT(cloud.count, points);
    CHECK_INT(cloud.triangle_count, triangles);
    lbio_cloud_free(&cloud);
}

static void refuse(const char *kind, const char *name, lb_status status, int line, const char *words) {
    lbio_cloud cloud;
    check_note("%s", name);
    CHECK_INT(read_sample(kind, name, &cloud), status);
    CHECK_INT(error.line, line);
    CHECK_HAS(error.message, words);
    lbio_cloud_free(&cloud);
}

static void test_stl(void) {
    expect("stl", "cube", 36, 12);
    expect("stl", "cube_ascii", 36, 12);
    expect("stl", "upper", 36, 12);
    expect("stl", "solid_binary", 36, 12);
    expect("stl", "trailing", 36, 12);
    expect("stl", "flat", 3, 1);
    refuse("stl", "too_many", LB_ERROR_SYNTAX, 0, "bytes are missing");
    refuse("stl", "none", LB_ERROR_SYNTAX, 0, "no triangles");
    refuse("stl", "empty", LB_ERROR_SYNTAX, 0, "cut short");
    refuse("stl", "nan", LB_ERROR_SYNTAX, 0, "triangle 1 is not finite");
    refuse("stl", "four_corners", LB_ERROR_SYNTAX, 7, "more than three corners");
    refuse("stl", "stray_vertex", LB_ERROR_SYNTAX, 2, "outside of a facet");
    refuse("stl", "words", LB_ERROR_SYNTAX, 2, "three numbers");
}

static void test_obj(void) {
    expect("obj", "cube", 8, 12);
    expect("obj", "negative", 4, 2);
    expect("obj", "polygon", 5, 3);
    expect("obj", "spaces", 3, 1);
    refuse("obj", "no_faces", LB_ERROR_SYNTAX, 0, "no faces");
    refuse("obj", "bad_index", LB_ERROR_SYNTAX, 2, "corner 2 of a face");
    refuse("obj", "zero_index", LB_ERROR_SYNTAX, 4, "corner 1 of a face");
    refuse("obj", "long_index", LB_ERROR_SYNTAX, 2, "corner 1 of a face");
    refuse("obj", "two_corners", LB_ERROR_SYNTAX, 3, "three corners");
    refuse("obj", "bad_vertex", LB_ERROR_SYNTAX, 1, "three finite numbers");
}

/* Every point is inside the hull rounded by its radius, whatever the number of vertices. */
static void test_limit(void) {
    const lb_allocator allocator = lbf_allocator(NULL);
    static double points[6000][3];
    check_random random;
    check_random_seed(&random, 3);
    for (int kind = 0; kind < 4; kind++) {
        for (int i = 0; i < 6000; i++) {
            double *p = points[i], length = 0;
            for (int c = 0; c < 3; c++) {
                p[c] = check_random_range(&random, -1, 1);
                length += p[c] * p[c];
            }
            for (int c = 0; c < 3 && kind != 1; c++) {
                p[c] *= (kind == 2 && c == 2 ? 5 : kind == 3 && c == 0 ? 1e-3 : 1) / sqrt(length);
            }
        }
        double before = INFINITY;
        for (int most = 16; most <= 256; most *= 2) {
            lbf_hull hull;
            double radius, outside = 0;
            REQUIRE(CHECK_INT(lbf_hull_limit(&allocator, 6000, (const double(*)[3])points, most, 0, &hull, &radius),
                              LB_OK));
            CHECK(hull.vertex_count <= most);
            CHECK(radius <= before * 1.0001); /* more vertices are nearer */
            before = radius;
            lbm_convex solid, point = {.kind = LBM_CONVEX_POINT};
            lbm_transform here, at;
            lbm_transform_identity(&here);
            lbf_hull_solid(&hull, &solid);
            solid.radius = radius;
            for (int i = 0; i < 6000; i++) {
                lbm_gap gap;
                at = here;
                lbm_copy3(at.p, points[i]);
                lbm_convex_distance(&point, &at, &solid, &here, INFINITY, &gap);
                outside = fmax(outside, gap.distance);
            }
            CHECK(outside <= 1e-9);
            lbf_hull_free(&allocator, &hull);
        }
        CHECK(before < 0.2);
    }
}

/* --- Which files may be read -------------------------------------------------------------------------------------------- */

static char folder[] = "/tmp/limber_mesh_XXXXXX";

static const char *in_folder(const char *name) {
    static char path[4][1200];
    static int next;
    next = (next + 1) % 4;
    snprintf(path[next], sizeof path[next], "%s/%s", folder, name);
    return path[next];
}

static void write_text(const char *name, const char *text) {
    FILE *file = fopen(in_folder(name), "w");
    REQUIRE(file != NULL);
    fputs(text, file);
    fclose(file);
}

static const char tetrahedron[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 2 3\nf 1 2 4\nf 2 3 4\nf 1 3 4\n";

/* A robot whose only link collides by this mesh. Returns its shapes; the warning, if any, is in heard. */
static int load_robot(const char *uri, const char *packages, lb_figure **kept) {
    char text[1000];
    lb_load_options options;
    lb_figure *figure = NULL;
    snprintf(text, sizeof text,
             "<robot name='r'><link name='a'><collision><geometry><mesh filename='%s' scale='2 1 1'/></geometry>"
             "</collision></link></robot>",
             uri);
    write_text("robots/pack/urdf/r.urdf", text);
    lb_load_options_defaults(&options);
    options.meshes = 1;
    options.packages = packages;
    options.warn = hear;
    warnings = 0;
    heard[0] = 0;
    REQUIRE(CHECK_INT(lb_figure_load(in_folder("robots/pack/urdf/r.urdf"), &options, &figure, &error), LB_OK));
    const int count = lb_figure_shape_count(figure);
    if (kept) {
        *kept = figure;
    } else {
        lb_figure_destroy(figure);
    }
    return count;
}

static void lost(const char *uri, const char *packages, const char *words) {
    check_note("%s", uri);
    CHECK_INT(load_robot(uri, packages, NULL), 0);
    CHECK_INT(warnings, 1);
    CHECK_HAS(heard, words);
}

static void found(const char *uri, const char *packages) {
    check_note("%s", uri);
    CHECK_INT(load_robot(uri, packages, NULL), 1);
    CHECK_TEXT(heard, "");
}

/* file:// with whole paths, as exporters write them: what lies in the robot's folder or in one that was given is read, whatever the
 * spelling, and what lies elsewhere is not. */
static void test_uris(void) {
    static const char *const begins[] = {"file://", "file:", "FILE://", "file://localhost", ""};
    char uri[2500], other[1200];
    write_text("robots/pack/urdf/a b.obj", tetrahedron);
    write_text("robots/pack/urdf/100%25.obj", tetrahedron);
    snprintf(other, sizeof other, "%s/other", folder);
    for (size_t i = 0; i < sizeof begins / sizeof *begins; i++) {
        snprintf(uri, sizeof uri, "%s%s/robots/pack/urdf/beside.obj", begins[i], folder);
        found(uri, NULL);
        snprintf(uri, sizeof uri, "%s%s/other/secret.obj", begins[i], folder);
        lost(uri, NULL, "outside of the file's own folder");
        found(uri, other);
        snprintf(uri, sizeof uri, "%s%s/robots/pack/urdf/../../../other/secret.obj", begins[i], folder);
        lost(uri, NULL, "outside of the file's own folder");
        snprintf(uri, sizeof uri, "%s%s/robots/pack/urdf/nowhere.obj", begins[i], folder);
        lost(uri, NULL, "is not there");
    }
    snprintf(uri, sizeof uri, "file://%s/robots/pack/urdf/a%%20b.obj", folder);
    found(uri, NULL);
    snprintf(uri, sizeof uri, "file://%s/robots/pack/urdf/%%2e%%2E/../../other/secret.obj", folder);
    lost(uri, NULL, "outside of the file's own folder");
    found("package://pack/urdf/a%20b.obj", NULL);
    found("file://100%25.obj", NULL); /* a name that is there is not changed */
    found("package://pack\\meshes\\m.obj", NULL);
    found("..\\urdf\\beside.obj", NULL);
    lost("..\\..\\..\\other\\secret.obj", NULL, "outside of the file's own folder");
    lost("a%20b.obj", NULL, "is not there"); /* a path is no URI */
    lost("file://beside.obj%00", NULL, "is not there");
    lost("file:///C:/robots/beside.obj", NULL, "is not there");
}

static void test_paths(void) {
    REQUIRE(mkdtemp(folder) != NULL);
    static const char *const folders[] = {"robots", "robots/pack", "robots/pack/urdf", "robots/pack/meshes",
                                          "other",  "other/lib"};
    for (int i = 0; i < 6; i++) {
        REQUIRE(CHECK_INT(mkdir(in_folder(folders[i]), 0700), 0));
    }
    write_text("robots/pack/urdf/beside.obj", tetrahedron);
    write_text("robots/pack/meshes/m.obj", tetrahedron);
    write_text("other/lib/m.obj", tetrahedron);
    write_text("other/secret.obj", tetrahedron);
    write_text("other/lib/bad.obj", "v 0 0 0\nf 1 2 3\n");
    write_text("other/lib/m.ply", "ply");
    write_text("other/lib/m.dae", "<COLLADA/>");
    REQUIRE(CHECK_INT(symlink(in_folder("other/secret.obj"), in_folder("robots/pack/urdf/link.obj")), 0));
    REQUIRE(CHECK_INT(symlink(in_folder("other/secret.obj"), in_folder("robots/pack/meshes/link.obj")), 0));
    REQUIRE(CHECK_INT(mkfifo(in_folder("robots/pack/urdf/pipe.obj"), 0600), 0));
    char list[2500], other[1200];
    snprintf(other, sizeof other, "%s/other", folder);
    snprintf(list, sizeof list, "/nowhere:%s", other);
    found("beside.obj", NULL);
    found("file://beside.obj", NULL);
    found("FILE:beside.obj", NULL);
    test_uris();
    found("package://pack/meshes/m.obj", NULL); /* the package that the robot is part of */
    found("package://lib/m.obj", list);
    found("model://lib/m.obj", list);
    found("../../../other/lib/m.obj", list);
    snprintf(list, sizeof list, "%s/lib", other);
    found("package://lib/m.obj", list); /* the folder is the package itself */
    lost("../meshes/m.obj", NULL, "outside of the file's own folder");
    lost("package://lib/m.obj", NULL, "give the folder that the package lib is in");
    lost("package://lib/../secret.obj", list, "outside of the package");
    snprintf(list, sizeof list, "%s/lib", other);
    lost("package://lib", list, "names no file");
    lost("link.obj", NULL, "outside of the file's own folder");
    lost("package://pack/meshes/link.obj", NULL, "outside of the package");
    lost("package://pack/../../other/secret.obj", NULL, "outside of the package");
    lost("pipe.obj", NULL, "is no file");
    lost("/dev/zero", NULL, "is no file");
    lost("http://example.org/m.obj", NULL, "is not read");
    lost("package://lib/bad.obj", other, "bad.obj:2: corner 2 of a face");
    lost("package://lib/m.ply", other, "is not a mesh that Limber reads");
    lost("package://lib/m.dae", other, "m.dae: has no triangles");
    lb_figure *figure;
    CHECK_INT(load_robot("beside.obj", NULL, &figure), 1);
    const lb_shape *shape = lb_figure_shape(figure, 0);
    CHECK_INT(shape->kind, LB_SHAPE_HULL);
    CHECK_INT(shape->use, LB_SHAPE_USE_BOTH);
    CHECK_INT(shape->vertex_count, 4);
    CHECK_INT(shape->triangle_count, 4);
    double widest = 0;
    for (int i = 0; i < 4; i++) {
        widest = fmax(widest, shape->vertices[i][0]);
    }
    CHECK_NEAR(widest, 2, 0);
    lb_builder *builder = lb_builder_from(figure, NULL); /* a copy has vertices of its own */
    lb_figure_destroy(figure);
    REQUIRE(builder != NULL);
    CHECK_INT(lb_builder_scale(builder, 2, 1), LB_OK);
    REQUIRE(CHECK_INT(lb_builder_finish(builder, &figure), LB_OK));
    lb_builder_destroy(builder);
    widest = 0;
    for (int i = 0; i < 4; i++) {
        widest = fmax(widest, lb_figure_shape(figure, 0)->vertices[i][0]);
    }
    CHECK_NEAR(widest, 4, 0);
    lb_figure_destroy(figure);
}

/* What is seen is read as it is where that is asked for; what collides stays a hull. */
static void test_drawn(void) {
    static const char text[] =
        "<robot name='r'><material name='m'><color rgba='0 1 0 1'/></material>"
        "<link name='a'><visual><origin xyz='0 0 5'/><geometry><mesh filename='beside.obj'/></geometry><material "
        "name='m'/>"
        "</visual><collision><geometry><mesh filename='beside.obj'/></geometry></collision></link>"
        "<link name='b'><visual><geometry><mesh filename='gone.obj'/></geometry></visual>"
        "<collision><geometry><mesh filename='beside.obj'/></geometry></collision></link>"
        "<joint name='j' type='fixed'><parent link='a'/><child link='b'/></joint></robot>";
    lb_figure *figure = NULL;
    lb_load_options options;
    lb_load_options_defaults(&options);
    options.warn = hear;
    write_text("robots/pack/urdf/drawn.urdf", text);
    for (options.meshes = 0; options.meshes <= 2; options.meshes++) {
        check_note("meshes %d", options.meshes);
        warnings = 0;
        REQUIRE(CHECK_INT(lb_figure_load(in_folder("robots/pack/urdf/drawn.urdf"), &options, &figure, &error), LB_OK));
        CHECK_INT(lb_figure_shape_count(figure), options.meshes == 0 ? 0 : options.meshes == 1 ? 2 : 3);
        CHECK_INT(warnings, options.meshes == 2);
        if (options.meshes == 2) {
            const lb_shape *mesh = lb_figure_shape(figure, 0);
            CHECK_INT(mesh->kind, LB_SHAPE_MESH);
            CHECK_INT(mesh->use, LB_SHAPE_USE_DRAWN);
            CHECK_INT(mesh->color, 0x00ff00);
            CHECK_NEAR(mesh->frame.position[2], 5, 0);
            CHECK_INT(mesh->vertex_count, 4);
            CHECK_INT(mesh->triangle_count, 4);
            CHECK_INT(lb_figure_shape(figure, 1)->kind, LB_SHAPE_HULL);
            CHECK_INT(lb_figure_shape(figure, 1)->use, LB_SHAPE_USE_SOLID);
            CHECK_INT(lb_figure_shape(figure, 2)->use, LB_SHAPE_USE_BOTH); /* all that b has to show */
            CHECK_HAS(heard, "gone.obj");
        }
        if (options.meshes < 2) {
            lb_figure_destroy(figure);
        }
    }
    lb_builder *builder = lb_builder_from(figure, NULL); /* a copy has triangles of its own */
    lb_figure_destroy(figure);
    REQUIRE(builder != NULL);
    CHECK_INT(lb_builder_scale(builder, 2, 1), LB_OK);
    REQUIRE(CHECK_INT(lb_builder_finish(builder, &figure), LB_OK));
    lb_builder_destroy(builder);
    CHECK_NEAR(lb_figure_shape(figure, 0)->vertices[1][0], 2, 0);
    CHECK_INT(lb_figure_shape(figure, 0)->triangles[3][2], 3);
    lb_figure_destroy(figure);
}

/* Drawn and solid shapes of a link: the same ones once, others each for its own use. */
static void test_uses(void) {
    static const char text[] =
        "<robot name='r'><link name='a'><visual><geometry><box size='1 1 1'/></geometry></visual>"
        "<visual><geometry><sphere radius='2'/></geometry></visual>"
        "<collision><geometry><box size='1 1 1'/></geometry></collision>"
        "<collision><geometry><sphere radius='3'/></geometry></collision></link></robot>";
    lb_figure *figure = NULL;
    lb_load_options options;
    lb_load_options_defaults(&options);
    REQUIRE(CHECK_INT(lb_figure_load_memory(text, strlen(text), "r.urdf", &options, &figure, &error), LB_OK));
    REQUIRE(CHECK_INT(lb_figure_shape_count(figure), 3));
    CHECK_INT(lb_figure_shape(figure, 0)->use, LB_SHAPE_USE_BOTH);
    CHECK_INT(lb_figure_shape(figure, 1)->use, LB_SHAPE_USE_DRAWN);
    CHECK_INT(lb_figure_shape(figure, 2)->use, LB_SHAPE_USE_SOLID);
    static const lb_format formats[] = {LB_FORMAT_FIG, LB_FORMAT_URDF};
    for (int i = 0; i < 2; i++) { /* there and back */
        lb_save_options save;
        lb_figure *again = NULL;
        char *written = NULL;
        size_t size;
        lb_save_options_defaults(&save);
        save.format = formats[i];
        options.format = formats[i];
        REQUIRE(CHECK_INT(lb_figure_save_memory(figure, &save, &written, &size, &error), LB_OK));
        REQUIRE(CHECK_INT(lb_figure_load_memory(written, size, "again", &options, &again, &error), LB_OK));
        REQUIRE(CHECK_INT(lb_figure_shape_count(again), 3));
        for (int k = 0; k < 3; k++) {
            CHECK_INT(lb_figure_shape(again, k)->use, lb_figure_shape(figure, k)->use);
        }
        lb_text_free(written);
        lb_figure_destroy(again);
    }
    lb_figure_destroy(figure);
}

static void remove_folder(void) {
    char command[1300];
    snprintf(command, sizeof command, "rm -r '%s'", folder);
    CHECK_INT(system(command), 0);
}

int main(void) {
    test_stl();
    test_obj();
    test_limit();
    test_paths();
    test_drawn();
    remove_folder();
    test_uses();
    return check_done();
}
